"""How a long solve shows its progress on standard error: a bar on a terminal, else plain lines."""

from __future__ import annotations

import math
import sys
from types import TracebackType
from typing import TYPE_CHECKING

from optimal.search.progress import Clock, Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

BAR_AFTER = 0.5  # seconds; a shorter run needs no bar, and rich takes a tenth of a second to import
LINE_EVERY = 10.0  # seconds


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
        return float(self._elapsed * (growth ** (1 / min(max(power, 0.5), 6.0)) - 1))


class Reporter:
    """Takes the `Progress` of a solve and shows it; a context manager, so that the bar goes away at the end.

    `plain` allows the lines where there is no terminal. `verbose` adds a line for each new incumbent.
    """

    def __init__(self, *, plain: bool, verbose: bool) -> None:
        self.plain = plain
        self.verbose = verbose
        self._terminal = sys.stderr.isatty()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._next_line = LINE_EVERY
        self._incumbent: tuple[int | None, str | None] = (None, None)
        self._clock = Clock()  # of work that has no run with a clock of its own
        self._phase = ""
        self._done = 0
        self._pace = Pace()

    def __enter__(self) -> Reporter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """The callback of `optimal.solve`."""
        if progress.phase != self._phase or progress.done < self._done:
            self._phase = progress.phase
            self._pace = Pace(progress.seconds, progress.done)
        self._done = progress.done
        self._pace.note(progress.seconds, progress.done)
        if self.verbose and progress.incumbent is not None:
            incumbent = (progress.incumbent, progress.opener)
            if incumbent != self._incumbent:
                self._incumbent = incumbent
                self._line(f"{progress.seconds:.1f} s: incumbent {progress.incumbent}, {progress.opener}")
        if self._terminal:
            self._show_bar(progress)
        elif self.plain and progress.seconds >= self._next_line:
            self._next_line = progress.seconds + LINE_EVERY
            self._line(f"{progress.seconds:.0f} s: {progress.phase} {self._text(progress)}".rstrip())

    def step(self, phase: str, done: int, total: int) -> None:
        """The same for work that is no solve: so much is done."""
        self(Progress(phase, done, total, None, None, 0, self._clock.seconds))

    def _line(self, text: str) -> None:
        if self._bar is not None:
            self._bar.console.print(text, highlight=False)
        else:
            print(text, file=sys.stderr, flush=True)

    def _text(self, progress: Progress) -> str:
        """Openers done and left, the incumbent, the rate and the time left, as far as they are known."""
        left = progress.total - progress.done
        parts = [f"{progress.done} done, {left} left"] if progress.total > 1 else []
        if progress.incumbent is not None:
            parts.append(f"{progress.opener} {progress.incumbent}")
            if progress.bound is not None:
                gap = progress.incumbent - progress.bound
                parts.append(f"bound {progress.bound}, gap {gap} ({100 * gap / progress.incumbent:.1f} %)")
        rate, to_go = self._pace.rate, self._pace.left(progress.total)
        if rate is not None and to_go is not None and left > 0:
            parts.append(f"{rate:.{0 if rate >= 10 else 1}f}/s, {_duration(to_go)}")
        return ", ".join(parts)

    def _show_bar(self, progress: Progress) -> None:
        if self._bar is None:
            if progress.seconds < BAR_AFTER:
                return
            self._bar = _new_bar()
            self._task = self._bar.add_task("", text="")
            self._bar.start()
        assert self._task is not None
        self._bar.update(
            self._task,
            description=progress.phase,
            total=progress.total or None,
            completed=progress.done,
            text=self._text(progress),
        )


def _new_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.table import Column

    # The bar takes the room that the words leave, so that a narrow terminal still shows all of them.
    return Bar(
        TextColumn("{task.description}", table_column=Column(no_wrap=True)),
        BarColumn(bar_width=None, table_column=Column(ratio=1)),
        TextColumn("{task.fields[text]}", markup=False, table_column=Column(no_wrap=True)),
        TimeElapsedColumn(table_column=Column(no_wrap=True)),
        console=Console(stderr=True),
        expand=True,
        transient=True,
    )


def _duration(seconds: float) -> str:
    minutes, whole = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole:02} to go"
