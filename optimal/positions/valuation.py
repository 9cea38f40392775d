"""What the best guesses and one other guess are worth at a position of a finished game."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from optimal.positions.analysis import finishing, listed_totals, questioned
from optimal.positions.position import Place
from optimal.search.known_openers import known_opener, known_openers
from optimal.search.progress import Clock, Progress

#: A position with more candidates is not valued: that would take days. It is the start of a game whose every guess
#: may be the answer.
MOST_CANDIDATES = 6000
INFEASIBLE = "no tree is within the limit"
TOO_MANY = "not valued: too many candidates"


class Valuation:
    """What the best guesses and one guess (None: no other) are worth at a position."""

    def __init__(
        self,
        place: Place,
        guess: str | None,
        jobs: int,
        table: bool,
        progress: Callable[[Progress], None] | None,
        clock: Clock,
    ) -> None:
        self.total: int | None = None
        self.best_total: int | None = None
        self.best_guesses: tuple[str, ...] = ()
        self.note: str | None = None
        self.source = "search"
        self.count = len(place.candidates)
        if self.count > MOST_CANDIDATES:
            self.note = TOO_MANY
            return
        rest = place.rest
        known = known_openers(rest, 1) if table and not place.history else None
        if known is not None:
            self.source = "table"
            self.best_total = known[0].total
            self.best_guesses = tuple(opener.guess for opener in known)
            opener = None if guess is None else known_opener(rest, guess)
            if opener is not None:
                self.total = opener.total
                return
        number = None if guess is None else rest.guess_index(guess)
        question, run = questioned(rest, jobs, progress, clock)
        best: dict[int, int] = {}
        heights: dict[int, int] = {}
        with finishing(run):
            if known is not None:
                assert number is not None
                race = place.race(question, run, [number])
            else:
                race = place.race(question, run)
                race.totals(range(len(rest.guesses)), 1)
                best = listed_totals(race, 1)
                heights = race.heights(best)
            if number is not None:
                race.totals([number], None)
        # Not before here: a race that was stopped lacks some of it.
        if known is None:
            order = sorted(best, key=lambda g: (heights[g], not race.is_answer(race.like[g]), g))
            self.best_guesses = tuple(rest.guesses[g] for g in order)
            self.best_total = min(best.values(), default=None)
        if number is not None:
            self.total = run.values.get(race.like[number])
            if self.total is None:
                self.note = f"{INFEASIBLE} after it"
        if self.best_total is None:
            self.note = INFEASIBLE

    @property
    def expected(self) -> Fraction | None:
        return None if self.best_total is None else Fraction(self.best_total, self.count)
