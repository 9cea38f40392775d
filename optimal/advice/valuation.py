"""Valuation of the best guesses and another guess at a position of a finished game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from optimal.advice.analysis import listed_totals, run_at
from optimal.advice.position import CheckedPosition
from optimal.search.game_run import GameRun
from optimal.search.known_openers import known_opener, known_openers
from optimal.search.progress import Progress
from optimal.search.root_search import ESTIMATED, RootSearch

#: Positions with more candidates are not valued, as that would take days: they are starts of games whose every guess
#: may be the answer.
MOST_CANDIDATES = 6000
INFEASIBLE = "no tree is within the limit"
TOO_MANY = "not valued: too many candidates"


class Valuation:
    """The values of the best guesses and of one guess (None: no other) at a position.

    Call `estimate`, then `settle`; both end early once the ``whole`` run is stopped. ``total`` and ``best_total`` are
    exact if ``proven`` and ``best_proven``, or None as ``note`` explains. Else they are totals of trees found so far
    (None: none), and ``best_guesses`` is the first guess of the best of these.
    """

    def __init__(
        self,
        position: CheckedPosition,
        guess: str | None,
        jobs: int,
        table: bool,
        progress: Callable[[Progress], None] | None,
        whole: GameRun,
    ) -> None:
        self.total: int | None = None
        self.best_total: int | None = None
        self.best_guesses: tuple[str, ...] = ()
        self.proven = self.best_proven = True
        self.note: str | None = None
        self.source = "search"
        self.count = len(position.candidates)
        self.position, self._whole = position, whole
        self._root: RootSearch | None = None
        if self.count > MOST_CANDIDATES:
            self.note = TOO_MANY
            return
        rest = position.rest
        known = known_openers(rest, 1) if table and not position.history else None
        if known is not None:
            self.source = "table"
            self.best_total = known[0].total
            self.best_guesses = tuple(opener.guess for opener in known)
            opener = None if guess is None else known_opener(rest, guess)
            self.total = None if opener is None else opener.total
        self.best_proven = known is not None
        self.proven = guess is None or self.total is not None
        self._guess = -1 if guess is None else rest.guess_index(guess)
        self._run = run_at(position, jobs, progress, whole)

    def estimate(self) -> None:
        """Find trees by greedy play."""
        if (self.proven and self.best_proven) or self._whole.stopped:
            return
        root = self._root = self.position.root_search(self._run, [self._guess] if self.best_proven else None)
        found: dict[int, int] = {}
        if not self.proven:
            like = root.like[self._guess]
            found = root.estimates([like], 1)
            self.total = found.get(like)
        if not self.best_proven:
            found |= root.estimates(root.order[:ESTIMATED], 2)
            self._best_found(found)

    def settle(self) -> None:
        """Find the exact totals, after the estimates."""
        root, rest = self._root, self.position.rest
        if root is None or (self.proven and self.best_proven):
            return
        if not self.best_proven:
            root.totals(range(len(rest.guesses)), 1)
            best = listed_totals(root, 1)
            heights = root.heights(best)
            if self._whole.stopped:
                self._best_found(root.exact_totals())
            else:
                order = sorted(best, key=lambda g: (heights[g], not root.is_answer(root.like[g]), g))
                self.best_guesses = tuple(rest.guesses[g] for g in order)
                self.best_total = min(best.values(), default=None)
                self.best_proven = True
        if not self.proven:
            root.totals([self._guess], None)
            exact = root.exact_totals().get(self._guess)
            self.proven = exact is not None or root.proven_bound(self._guess) is None
            if self.proven:
                self.total = exact
                self.note = None if exact is not None else f"{INFEASIBLE} after it"
        if self.best_proven and self.best_total is None:
            self.note = INFEASIBLE

    def _best_found(self, found: Mapping[int, int]) -> None:
        for guess, total in sorted(found.items(), key=lambda item: (item[1], item[0])):
            if self.best_total is None or total < self.best_total:
                self.best_total, self.best_guesses = total, (self.position.rest.guesses[guess],)

    @property
    def expected(self) -> Fraction | None:
        """E of the position, if it is known."""
        return None if self.best_total is None or not self.best_proven else Fraction(self.best_total, self.count)
