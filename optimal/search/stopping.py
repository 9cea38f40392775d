"""How a run is stopped: by a signal, by the clock, by the memory that it holds, or by an error."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any, Protocol, TypeVar

from optimal.errors import InternalError, OptimalError
from optimal.journal.journal import Journal
from optimal.memory import resident
from optimal.search.result import Outcome
from optimal.search.run import Run
from optimal.search.statistics import Searcher
from optimal.signals import handle

#: Seconds between two looks at the memory that the process holds.
WATCH_EVERY = 0.05

S = TypeVar("S", bound=Searcher)
R = TypeVar("R", bound=Outcome)


def carry_out(
    run: Run[S, Any],
    work: Callable[[], R],
    journal: AbstractContextManager[Journal | None],
    attach: Callable[[Journal], object],
) -> R:
    """The outcome of a run's work, done until it ends or is stopped; ``attach`` lets the run have the journal, where
    there is one."""
    options = run.options
    left = None if options.time_limit is None else max(options.time_limit - run.clock.seconds, 0.0)
    with stopping(run, left, options.memory_limit), journal as kept:
        if kept is not None:
            attach(kept)
        with ending(run):
            outcome = work()
            run.end(outcome.status.value)
    recorder = run.recorder
    if kept is None or recorder is None:
        return outcome
    reason = kept.failed or outcome.stop_reason
    return replace(outcome, stop_reason=reason, imported=recorder.imported, ledgers=recorder.ledgers)


@contextmanager
def ending(run: Run[S, Any]) -> Iterator[None]:
    """See to it that journal and log tell of an error, too. Where the search contradicts the journal, that is what is
    said."""
    try:
        yield
    except BaseException as error:
        run.stop(" ".join(str(error).split()) or type(error).__name__)
        recorder = run.recorder
        run.end("UNKNOWN")
        contradicted = isinstance(error, InternalError | ValueError) and not isinstance(error, OptimalError)
        if recorder is not None and recorder.resumed and contradicted:
            raise recorder.contradicted(error) from None
        raise


class Stoppable(Protocol):
    """What a signal or a limit may end."""

    def stop(self, reason: str) -> None: ...


@contextmanager
def stopping(run: Stoppable, time_limit: float | None = None, memory_limit: int | None = None) -> Iterator[None]:
    """Let Ctrl-C, SIGTERM, SIGHUP and the limits, in seconds and in bytes of the whole process, end a run by its stop
    flag, so that what is proven is kept.

    A program that handles SIGTERM or SIGHUP itself goes on doing so, and what is ignored, Ctrl-C too, stays ignored.
    """

    def on_signal(number: int, frame: FrameType | None) -> None:
        run.stop("interrupted")

    with ExitStack() as ending:
        numbers = [] if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None) else [signal.SIGINT]
        others = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
        numbers += [number for number in others if signal.getsignal(number) is signal.SIG_DFL]
        for number in numbers:
            if (before := handle(number, on_signal)) is not None:
                ending.callback(signal.signal, number, before)
        if time_limit is not None:
            timer = threading.Timer(time_limit, run.stop, ["time limit"])
            timer.daemon = True
            timer.start()
            ending.callback(timer.cancel)
        if memory_limit is not None and resident() is not None:
            over = threading.Event()
            threading.Thread(target=_watch_memory, args=(run, memory_limit, over), daemon=True).start()
            ending.callback(over.set)
        yield


def _watch_memory(run: Stoppable, memory_limit: int, over: threading.Event) -> None:
    while not over.wait(WATCH_EVERY):
        if (resident() or 0) > memory_limit:
            run.stop("memory limit")
            return
