"""Stopping a run: by a signal, by the clock, by its memory, or by an error."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from optimal.errors import InternalError, OptimalError
from optimal.journal.journal import Journal
from optimal.labels import as_typed
from optimal.memory import resident
from optimal.search.game_problem import Problem
from optimal.search.result import Outcome
from optimal.search.run import Run
from optimal.signals import handle

if TYPE_CHECKING:
    from optimal.search.key_problem import KeyProblem

#: Seconds between two checks of the memory of the process.
WATCH_EVERY = 0.01
#: Openers named in a run's description.
_NAMED = 20

R = TypeVar("R", bound=Outcome)


class Stoppable(Protocol):
    """What can be stopped, from any thread."""

    def stop(self, reason: str) -> None: ...


def carry_out(run: Run[Any], work: Callable[[], R], command: str) -> R:
    """Do a run's work until it ends or is stopped, and return its outcome. The journal, if there is one, names the
    command."""
    options = run.options
    left = None if options.time_limit is None else max(options.time_limit - run.clock.seconds, 0.0)
    with stopping(run, left, options.memory_limit), journal_of(run.problem, command) as kept:
        if kept is not None:
            run.keep_in(kept)
        with ending(run):
            outcome = work()
            run.end(outcome.status.value)
    recorder = run.recorder
    if kept is None or recorder is None:
        return outcome
    reason = kept.failed or outcome.stop_reason
    return replace(outcome, stop_reason=reason, imported=recorder.imported, ledgers=recorder.ledgers)


def journal_of(problem: Problem | KeyProblem, command: str) -> AbstractContextManager[Journal | None]:
    """Return the journal of a problem, as a context manager; of None if none is asked for."""
    options = problem.options
    if options.journal is None:
        return nullcontext()
    everything = "all openers" if isinstance(problem, Problem) else "all questions"
    names = None if problem.opener_names is None else list(map(as_typed, problem.opener_names))
    asked = everything if names is None else " ".join(names[:_NAMED]) + " ..." * (len(names) > _NAMED)
    return Journal(options.journal, problem.names, problem.identity, f"{command} {asked}", options.jobs)


@contextmanager
def ending(run: Run[Any]) -> Iterator[None]:
    """Record an error in journal and log too. If the search contradicts the journal, raise that error instead."""
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


@contextmanager
def stopping(run: Stoppable, time_limit: float | None = None, memory_limit: int | None = None) -> Iterator[None]:
    """Let Ctrl-C, SIGTERM, SIGHUP and the limits (seconds, and bytes of the whole process) stop a run by its stop flag,
    so that what is proven is kept.

    A program's own handlers of SIGTERM or SIGHUP stay in place, and ignored signals, Ctrl-C too, stay ignored.
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
