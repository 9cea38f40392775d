"""Progress of long work on standard error: a bar on a terminal, else plain lines.

A thread looks at the clock, so every phase is shown from the first half second on, and no search need stop to report.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from optimal.cli.console import remark
from optimal.search.progress import Clock, Progress
from optimal.show.words import harmless, rounded_down

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar

BAR_AFTER = 0.5  # seconds; a shorter run needs no bar, and rich takes a tenth of a second to import
LINE_EVERY = 10.0  # seconds
PHASE_EVERY = 2.0  # seconds between two lines of different phases
BEAT = 0.1  # seconds between two looks at the clock

#: The phases of a `Progress`, in words for those who wait.
PHASES = {
    "tables": "preparing the game",
    "greedy play": "looking for good first trees",
    "first trees": "looking for good first trees",
    "bounds": "a first look at every first guess",
    "tiers": "solving the game of the heaviest answers alone",
    "supersets": "preparing bounds",
    "openers": "refuting first guesses",
    "feedback classes": "searching reply by reply",
    "worst cases": "working out worst cases",
    "tree": "settling ties of the best tree",
    "scores": "scoring every guess",
    "sections": "checking the claims",
    "claims": "going through the claims",
}
#: The words for a game, and those for a table.
TABLE_WORDS = (("guesses", "questions"), ("guess", "question"), ("game", "table"), ("tree", "key"))


def in_words(phase: str, *, valued: bool = False, questions: bool = False) -> str:
    """Describe a phase. With ``valued``, guesses are worked out rather than refuted; with ``questions``, it is a table
    that is searched, not a game."""
    before, comma, last = phase.rpartition(", ")
    words = before + comma + PHASES.get(last, f"refuting {last}" if last.endswith(" guesses") else last)
    for word, other in (("refuting", "working out"),) * valued + TABLE_WORDS * questions:
        words = words.replace(word, other)
    return words


class Reporter:
    """Show the `Progress` of a run until it ends; a context manager.

    `plain` allows the lines where there is no terminal. `verbose` adds a line for each better tree. ``valued`` and
    ``questions`` are those of `in_words`. Totals are shown as means, where ``per`` is what to divide them by.
    """

    def __init__(self, *, plain: bool, verbose: bool = False, per: int = 0, **words: bool) -> None:
        self.plain, self.verbose, self._per, self._words = plain, verbose, per, words
        self.clock = Clock()
        self._terminal = sys.stderr.isatty()
        self._bar: Bar | None = None
        self._incumbent: tuple[int | None, str | None] = (None, None)
        self._now = Progress("tables", 0, 0, None, None, 0, 0.0)
        self._shown, self._shown_phase = -LINE_EVERY, ""  # when the last line was printed, and of which phase
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beats, daemon=True)

    def __enter__(self) -> Reporter:
        if self._terminal or self.plain:
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """The callback of `optimal.solve`."""
        with self._lock:
            self._now = progress
            incumbent = (progress.incumbent, progress.opener)
            if self.verbose and progress.incumbent is not None and incumbent != self._incumbent:
                self._incumbent = incumbent
                self.line(f"{self.clock.seconds:.1f} s: better tree: {progress.opener} {progress.incumbent}")

    def step(self, phase: str, done: int, total: int) -> None:
        """Report a step of work that is no run."""
        self(Progress(phase, done, total, None, None, 0, self.clock.seconds))

    def line(self, text: str) -> None:
        """Print a line, above the bar if there is one."""
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

    def _beats(self) -> None:
        while not self._over.wait(BEAT):
            self.beat()

    def beat(self) -> None:
        """Show the progress, if it is time to."""
        with self._lock:
            seconds, now = self.clock.seconds, self._now
            if seconds < BAR_AFTER:
                return
            phase = in_words(now.phase, **self._words)
            if self._terminal:
                self._show_bar(phase, now)
            elif seconds - self._shown >= (LINE_EVERY if now.phase == self._shown_phase else PHASE_EVERY):
                self._shown, self._shown_phase = seconds, now.phase
                steps = f": {now.done} of {now.total}" if now.total > 1 else ""
                if now.done > 0 == now.total:
                    steps = f": {now.done} so far"
                words = "; ".join(filter(None, (f"{phase}{steps}", _best(now, self._per))))
                self.line(f"{seconds:.{0 if seconds >= 10 else 1}f} s: {words}")

    def _show_bar(self, phase: str, now: Progress) -> None:
        if self._bar is None:
            self._bar = _new_bar()
            self._bar.add_task("")
            self._bar.start()
        task = self._bar.tasks[0]
        if not now.total:
            task.total = None  # for `update` this would mean the total of the phase before
        self._bar.update(
            task.id, description=phase, total=now.total or None, completed=now.done, text=_best(now, self._per)
        )


def _best(now: Progress, per: int) -> str:
    """The best tree and the proven bound, where known."""
    if now.incumbent is None:
        return ""
    best, proven = f"{now.incumbent / per:.4f} expected" if per else now.incumbent, ""
    if now.bound is not None:
        gap = now.incumbent - now.bound
        low = rounded_down(now.bound, per) if per else now.bound
        proven = f", none below {low} ({100 * gap / now.incumbent:.1f} %)" if gap > 0 else ", proven"
    return f"best: {now.opener} {best}{proven}"


def _new_bar() -> Bar:
    from rich import console, progress, text  # here, because a short run shows no bar

    class Lines(progress.Progress):
        """A bar with its text on a line of its own."""

        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            yield from (text.Text(below) for task in self.tasks if (below := task.fields.get("text")))

    class Left(progress.TimeRemainingColumn):
        """The time left, where it is known."""

        def render(self, task: progress.Task) -> text.Text:
            left = super().render(task)
            return left.append(" left") if any(map(str.isdigit, left.plain)) else text.Text("")

    steps, elapsed = progress.MofNCompleteColumn(), progress.TimeElapsedColumn()
    columns = (progress.BarColumn(bar_width=None), steps, elapsed, "elapsed", Left())
    return Lines("{task.description}", *columns, console=console.Console(stderr=True), expand=True, transient=True)
