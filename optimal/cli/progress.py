"""How long work shows its progress on standard error: a bar on a terminal, else plain lines.

What is shown doesn't wait for news: a thread looks at the clock, so that every phase is told of from the first half
second on, and no search need stop to say that it goes on.
"""

from __future__ import annotations

import math
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

from optimal.cli import remark
from optimal.search.progress import Clock, Progress

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

BAR_AFTER = 0.5  # seconds; a shorter run needs no bar, and rich takes a tenth of a second to import
LINE_EVERY = 10.0  # seconds
PHASE_EVERY = 2.0  # seconds between two lines of different phases
BAR_AND_TIME = 24  # characters of a short bar, of the time elapsed, and of the blanks between; others go below it
BEAT = 0.1  # seconds between two looks at the clock
FOLLOW = 2.5  # the factor by which the time left may be corrected within LINE_EVERY
PACE_AFTER = 2.0  # seconds of a phase before its end can be told
PACE_STEPS, PACE_PART = 20, 100  # and the steps done, unless there are few: so many, and one of so many
FARTHEST = 10  # a pace that falls off isn't believed to do so until there are so many times as many steps


class TimeLeft:
    """The time left, as it is shown: it follows its estimate, but never jumps, however the estimate does.

    It grows, or falls behind the clock, by no more than the factor FOLLOW within LINE_EVERY.
    """

    def __init__(self) -> None:
        self._shown: tuple[float, float] | None = None  # when, and what

    def follow(self, seconds: float, estimate: float) -> float:
        """What to show, so many seconds after the start of the run, for this estimate of the seconds to go."""
        left = estimate
        if self._shown is not None:
            at, before = self._shown
            most = FOLLOW ** min(1.0, (seconds - at) / LINE_EVERY)
            least = max(1.0, before - (seconds - at)) / most
            left = min(max(estimate, least), max(1.0, before) * most)
        self._shown = seconds, left
        return left


class Pace:
    """How fast the steps of a phase are done, and how long it still takes, by how their number has grown.

    The phase began with `done` steps, `seconds` after the start of the run. The most promising openers come first and
    take longest, so steps done grow faster than time, and an even rate would promise far too much of it. A power of
    time fits well enough: done ~ elapsed ** p, with p from the last two fifths.
    """

    def __init__(self, seconds: float = 0.0, done: int = 0) -> None:
        self._began, self._before = seconds, done
        self._elapsed, self._done = 0.0, 0
        self._seen: list[tuple[float, int]] = []  # (elapsed, steps done), each 5 % later than the one before

    def note(self, seconds: float, done: int) -> None:
        """So many steps are done so many seconds after the start of the run."""
        self._elapsed, self._done = seconds - self._began, done - self._before
        if self._done > 0 and self._elapsed > 0 and (not self._seen or self._elapsed >= 1.05 * self._seen[-1][0]):
            self._seen.append((self._elapsed, self._done))

    @property
    def rate(self) -> float | None:
        """Steps a second; None before the first."""
        return self._done / self._elapsed if self._done > 0 and self._elapsed > 0 else None

    def settled(self, total: int) -> bool:
        """Whether enough is done to tell how long `total` steps take."""
        return self._elapsed >= PACE_AFTER and self._done >= max(min(PACE_STEPS, total / 5), total / PACE_PART)

    def left(self, total: int) -> float | None:
        """Seconds to go, with `total` steps in all; None before the first."""
        if self.rate is None:
            return None
        power = 1.0
        for elapsed, done in reversed(self._seen):
            if elapsed <= 0.6 * self._elapsed:
                if self._done > done:
                    power = math.log(self._done / done) / math.log(self._elapsed / elapsed)
                break
        growth = (total - self._before) / self._done
        slowest = 1.0 if growth > FARTHEST else 0.5
        return float(self._elapsed * (growth ** (1 / min(max(power, slowest), 6.0)) - 1))


class Reporter:
    """Takes the `Progress` of a run and shows it until it ends; a context manager.

    `plain` allows the lines where there is no terminal. `verbose` adds a line for each new incumbent. ``clock`` counts
    the seconds.
    """

    def __init__(self, *, plain: bool, verbose: bool, clock: Clock | None = None) -> None:
        self.plain = plain
        self.verbose = verbose
        self._clock = Clock() if clock is None else clock
        self._terminal = sys.stderr.isatty()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._incumbent: tuple[int | None, str | None] = (None, None)
        self._now = Progress("the game", 0, 0, None, None, 0, 0.0)
        self._pace, self._left = Pace(), TimeLeft()
        self._lined, self._line_phase = -LINE_EVERY, ""  # when the last line was printed, and of which phase
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beats, daemon=True)

    def __enter__(self) -> Reporter:
        if self._terminal or self.plain:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """The callback of `optimal.solve`."""
        with self._lock:
            seconds = self._clock.seconds
            if progress.phase != self._now.phase or progress.done < self._now.done:
                self._pace, self._left = Pace(seconds, progress.done), TimeLeft()
            self._now = progress
            self._pace.note(seconds, progress.done)
            if self.verbose and progress.incumbent is not None:
                incumbent = (progress.incumbent, progress.opener)
                if incumbent != self._incumbent:
                    self._incumbent = incumbent
                    self.line(f"{seconds:.1f} s: incumbent {progress.incumbent}, {progress.opener}")

    def step(self, phase: str, done: int, total: int) -> None:
        """The same for work that is no run: so much is done."""
        self(Progress(phase, done, total, None, None, 0, self._clock.seconds))

    def beat(self) -> None:
        """Show where it stands by the clock, if it is time to."""
        with self._lock:
            seconds, now = self._clock.seconds, self._now
            if seconds < BAR_AFTER:
                return
            self._pace.note(seconds, now.done)
            text = self._text(seconds, now)
            if self._terminal:
                self._show_bar(now, text)
            elif seconds - self._lined >= (LINE_EVERY if now.phase == self._line_phase else PHASE_EVERY):
                self._lined, self._line_phase = seconds, now.phase
                self.line(f"{seconds:.{0 if seconds >= 10 else 1}f} s: {now.phase} {text}".rstrip())

    def _beats(self) -> None:
        while not self._over.wait(BEAT):
            self.beat()

    def line(self, text: str) -> None:
        """Print a line above the bar, or as it is."""
        with self._lock:
            if self._bar is not None:
                self._bar.console.print(text, highlight=False, markup=False)
            else:
                remark(text)

    def _text(self, seconds: float, now: Progress) -> str:
        """Steps done and left, the incumbent, the rate and the time left, as far as they are known."""
        left = now.total - now.done
        parts = [f"{now.done} done, {left} left"] if now.total > 1 else []
        if now.incumbent is not None:
            parts.append(f"{now.opener} {now.incumbent}")
            if now.bound is not None:
                gap = now.incumbent - now.bound
                parts.append(f"bound {now.bound}, gap {gap} ({100 * gap / now.incumbent:.1f} %)")
        rate, estimate = self._pace.rate, self._pace.left(now.total)
        if now.timed and rate is not None and estimate is not None and left > 0 and self._pace.settled(now.total):
            to_go = self._left.follow(seconds, estimate)
            parts.append(f"{rate:.{0 if rate >= 10 else 1}f}/s, {_duration(to_go)}")
        return ", ".join(parts)

    def _show_bar(self, now: Progress, text: str) -> None:
        if self._bar is None:
            self._bar = _new_bar()
            self._task = self._bar.add_task("", text="", below="")
            self._bar.start()
        assert self._task is not None
        beside = len(now.phase) + len(text) + BAR_AND_TIME <= self._bar.console.width
        self._bar.update(
            self._task,
            description=now.phase,
            total=now.total or None,
            completed=now.done,
            text=text if beside else "",
            below="" if beside else text,
        )


def _new_bar() -> Bar:
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Task, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.table import Column
    from rich.text import Text

    class Elapsed(TimeElapsedColumn):
        """Beside the time to go, which it could be taken for."""

        def render(self, task: Task) -> Text:
            return Text.assemble(super().render(task), " elapsed")

    class Lines(Bar):
        """What is too long to stand beside the bar stands below it."""

        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            yield from (Text(below) for task in self.tasks if (below := task.fields["below"]))

    # The bar takes the room that the words leave.
    return Lines(
        TextColumn("{task.description}", table_column=Column(no_wrap=True)),
        BarColumn(bar_width=None, table_column=Column(ratio=1)),
        TextColumn("{task.fields[text]}", markup=False, table_column=Column(no_wrap=True)),
        Elapsed(table_column=Column(no_wrap=True)),
        console=Console(stderr=True),
        expand=True,
        transient=True,
    )


def _duration(seconds: float) -> str:
    minutes, whole = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole:02} to go"
