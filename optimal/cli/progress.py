"""How long work shows its progress on standard error: a bar on a terminal, else plain lines.

What is shown doesn't wait for news: a thread looks at the clock, so that every phase is told of from the first half
second on, and no search need stop to say that it goes on.
"""

from __future__ import annotations

import math
import sys
import threading
import warnings
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from optimal.cli import remark
from optimal.search.progress import Clock, Progress
from optimal.show.words import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

BAR_AFTER = 0.5  # seconds; a shorter run needs no bar, and rich takes a tenth of a second to import
LINE_EVERY = 10.0  # seconds
PHASE_EVERY = 2.0  # seconds between two lines of different phases
BAR_AND_TIME = 24  # characters of a short bar, of the time elapsed, and of the blanks between; others go below it
BEAT = 0.1  # seconds between two looks at the clock
WATCH, WATCH_PART = 4.0, 0.15  # seconds that estimates must agree before they are told, and the part of the time left
AGREE = 1.4  # the factor that they may differ by meanwhile
#: A longer time left than this is rounded up to so many seconds, and told in units of so many: the unit's name.
ROUNDED = ((7200, 3600, 3600, "h"), (600, 300, 60, "min"), (60, 60, 60, "min"), (10, 10, 1, "s"))
WRONG, WRONG_BY = 1.5, 5.0  # a time left that is so many times too short, and by seconds more, is taken back
PACE_AFTER = 2.0  # seconds of a phase before its end can be told
PACE_STEPS, PACE_PART = 20, 100  # and the steps done, unless there are few: so many, and one of so many
FARTHEST = 10  # a pace that falls off isn't believed to do so until there are so many times as many steps


#: The phases of a `Progress`, in words for those who wait.
PHASES = {
    "tables": "preparing the game",
    "greedy play": "looking for good first trees",
    "first trees": "looking for good first trees",
    "bounds": "a first look at every first guess",
    "supersets": "preparing bounds",
    "openers": "refuting first guesses",
    "feedback classes": "searching reply by reply",
    "worst cases": "working out worst cases",
    "tree": "settling ties of the best tree",
    "scores": "scoring every guess",
    "sections": "checking the claims",
    "claims": "going through the claims",
}
REFUTING, VALUING = "refuting", "working out"
#: What stands for what where a table is searched.
TABLE_WORDS = (("guesses", "questions"), ("guess", "question"), ("game", "table"), ("tree", "key"))


def in_words(phase: str, *, valued: bool = False, questions: bool = False) -> str:
    """What a phase does, in words; where guesses are ``valued`` they are worked out rather than refuted. With
    ``questions`` it is a table that is searched, not a game.

    >>> in_words("openers"), in_words("guess 2, second guesses", valued=True)
    ('refuting first guesses', 'guess 2, working out second guesses')
    >>> in_words("openers", questions=True)
    'refuting first questions'
    """
    before, comma, last = phase.rpartition(", ")
    words = PHASES.get(last, f"{REFUTING} {last}" if last.endswith(" guesses") else last)
    words = f"{before}{comma}{words.replace(REFUTING, VALUING) if valued else words}"
    for word, other in TABLE_WORDS if questions else ():
        words = words.replace(word, other)
    return words


class TimeLeft:
    """The time left, as it is shown: none before estimates have agreed for a while on when the end will be. Once shown
    it never grows; where it turns out much too short it is taken back, until estimates agree again."""

    def __init__(self) -> None:
        self._ends: list[tuple[float, float]] = []  # when, and the end as it was estimated then
        self._end: float | None = None  # as it is shown

    def follow(self, seconds: float, estimate: float) -> float | None:
        """What to show, so many seconds after the start of the run, for this estimate of the seconds to go."""
        end = seconds + estimate
        if self._end is None:
            self._end = self._agreed(seconds, end)
        elif estimate > WRONG * max(0.0, self._end - seconds) + WRONG_BY:
            self._end, self._ends = None, [(seconds, end)]
        else:
            self._end = min(self._end, end)
        return None if self._end is None else max(0.0, self._end - seconds)

    def _agreed(self, seconds: float, end: float) -> float | None:
        """The latest end of those estimated lately, if they agree; None if they don't, or were not watched for long."""
        since = seconds - max(WATCH, WATCH_PART * (end - seconds))
        self._ends.append((seconds, end))
        while len(self._ends) > 2 and self._ends[1][0] <= since:
            del self._ends[0]
        ends = [end for _, end in self._ends]
        agree = max(ends) - seconds <= AGREE * max(1.0, min(ends) - seconds)
        return max(ends) if agree and self._ends[0][0] <= since else None


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

    `plain` allows the lines where there is no terminal. `verbose` adds a line for each better tree. ``valued``: guesses
    are worked out one by one, not held against a best one. ``questions``: it is a table. ``clock`` counts the seconds.
    """

    def __init__(
        self,
        *,
        plain: bool,
        verbose: bool,
        valued: bool = False,
        questions: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self.plain = plain
        self.questions = questions
        self.verbose = verbose
        self.valued = valued
        self._clock = Clock() if clock is None else clock
        self._terminal = sys.stderr.isatty()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._incumbent: tuple[int | None, str | None] = (None, None)
        self._now = Progress("tables", 0, 0, None, None, 0, 0.0)
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
                    self.line(f"{seconds:.1f} s: better tree: {progress.opener} {progress.incumbent}")

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
            phase, text = in_words(now.phase, valued=self.valued, questions=self.questions), self._text(seconds, now)
            if self._terminal:
                self._show_bar(now, phase, text)
            elif seconds - self._lined >= (LINE_EVERY if now.phase == self._line_phase else PHASE_EVERY):
                self._lined, self._line_phase = seconds, now.phase
                after = f"{': ' if _steps(now) else '; '}{text}" if text else ""
                self.line(f"{seconds:.{0 if seconds >= 10 else 1}f} s: {phase}{after}")

    def _beats(self) -> None:
        while not self._over.wait(BEAT):
            self.beat()

    def line(self, text: str) -> None:
        """Print a line above the bar, or as it is."""
        with self._lock:
            if self._bar is not None:
                self._bar.console.print(harmless(text), highlight=False, markup=False)
            else:
                remark(text)

    @contextmanager
    def warned(self, command: str) -> Iterator[None]:
        """Print warnings, of workers that are left out, as lines of a command."""
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: self.line(f"optimal {command}: {message}")
            yield

    def _text(self, seconds: float, now: Progress) -> str:
        """Steps done, the best tree and what is proven of all, and the time left, as far as they are known."""
        parts = [steps] if (steps := _steps(now)) else []
        if now.incumbent is not None:
            best = f"best: {now.opener} {now.incumbent}"
            if now.bound is not None and now.bound >= now.incumbent:
                best += ", proven"
            elif now.bound is not None:
                gap = 100 * (now.incumbent - now.bound) / now.incumbent
                best += f", none below {now.bound} ({gap:.1f} %)"
            parts.append(best)
        if now.timed and now.done < now.total:
            parts.append(_told(self._to_go(seconds, now)))
        return "; ".join(parts)

    def _to_go(self, seconds: float, now: Progress) -> float | None:
        estimate = self._pace.left(now.total)
        if estimate is None or not self._pace.settled(now.total):
            return None
        return self._left.follow(seconds, estimate)

    def _show_bar(self, now: Progress, phase: str, text: str) -> None:
        if self._bar is None:
            self._bar = _new_bar()
            self._task = self._bar.add_task("", text="", below="")
            self._bar.start()
        assert self._task is not None
        beside = len(phase) + len(text) + BAR_AND_TIME <= self._bar.console.width
        self._bar.update(
            self._task,
            description=phase,
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


def _steps(now: Progress) -> str:
    """How many steps are done, of all where these are known."""
    if now.total > 1:
        return f"{now.done} of {now.total}"
    return f"{now.done} so far" if now.done and not now.total else ""


def _told(seconds: float | None) -> str:
    """The time left in words, rounded up: no more of it than an estimate is worth."""
    if seconds is None:
        return "time left unknown"
    for least, step, unit, name in ROUNDED:
        if seconds > least:
            return f"about {math.ceil(seconds / step) * step // unit} {name} left"
    return "a few seconds left"
