"""The search at one position, for advice and for debriefs: the best guesses, and one guess more."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from optimal.advice.position import CheckedPosition
from optimal.search.engine import is_symmetric
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.known_openers import best_of_shipped_tree, known_opener, known_openers
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.root_search import ESTIMATED, RootSearch
from optimal.search.symmetry import representatives


class Valuation:
    """The best ``top`` guesses at a position with all ties of the last, and one ``guess`` more (None: no other).

    Call `estimate`, then `settle`; both end early once the run is stopped. ``known`` has the totals of guesses, by
    index; those in ``exact`` are exact, the others those of trees found so far. ``best`` are the best guesses in order,
    with their worst cases in ``heights``, once they are ``best_proven``; ``proven`` tells whether the total of the one
    guess is, which may have none.

    ``table`` allows shipped totals and trees to answer at the start of a game; if not ``valued``, nothing is searched.
    A position that is part of a ``whole`` run shares that clock and stop flag.
    """

    def __init__(
        self,
        position: CheckedPosition,
        *,
        top: int = 1,
        guess: str | None = None,
        jobs: int = 1,
        table: bool = True,
        valued: bool = True,
        progress: Callable[[Progress], None] | None = None,
        whole: GameRun | None = None,
    ) -> None:
        rest = self.rest = position.rest
        problem = Problem(rest, rest.max_guesses, made=len(position.history), options=Options(jobs=jobs))
        clock, control = (None, None) if whole is None else (whole.clock, whole.control)
        self.run = GameRun(problem, progress, clock=clock, control=control)
        self.position, self.top, self.valued = position, top, valued
        self.guess = None if guess is None else rest.guess_index(guess)
        self.answers = set(rest.answer_guess.tolist())
        self.root: RootSearch | None = None
        self.known: dict[int, int] = {}
        self.exact: dict[int, int] = {}
        self.heights: dict[int, int] = {}
        self.best: list[int] = []
        self.best_proven = not valued
        self.proven = guess is None or not valued
        self.table = table and valued and not position.history
        openers = list(known_openers(rest, top) or ()) if self.table else []
        self.source = "table" if openers else "search"
        if openers:
            if guess is not None and (own := known_opener(rest, guess)) is not None:
                openers.append(own)
                self.proven = True
            self.exact = {rest.guess_index(opener.guess): opener.total for opener in openers}
            self.heights = {rest.guess_index(opener.guess): opener.worst for opener in openers}
            self._rank()

    @property
    def count(self) -> int:
        """The number of candidates."""
        return len(self.rest.answers)

    @property
    def total(self) -> int | None:
        """The total of the one guess; None if it has none, or none is known."""
        return None if self.guess is None else self.known.get(self.guess)

    @property
    def best_total(self) -> int | None:
        """The least total known."""
        return min(self.known.values(), default=None)

    @property
    def best_guesses(self) -> tuple[str, ...]:
        """The guesses of least total, if these are proven; else the first of least total known."""
        best = self.best
        if not self.best_proven:
            best = sorted(self.known, key=lambda guess: (self.known[guess], guess))[:1]
        return tuple(self.rest.guesses[guess] for guess in best)

    @property
    def expected(self) -> Fraction | None:
        """The number of guesses expected with best play, if it is known."""
        best = self.best_total
        return Fraction(best, self.count) if best is not None and self.best_proven else None

    def estimate(self) -> None:
        """Find trees by greedy play."""
        if self.best_proven and self.proven:
            return
        history, rest = self.position.history, self.rest
        # For a whole game, RootSearch computes the symmetries.
        symmetric = history and is_symmetric(self.position.game)
        like = representatives([guess for guess, _ in history], rest.guesses) if symmetric else None
        guesses = [self.guess] if self.best_proven and self.guess is not None else range(len(rest.guesses))
        root = self.root = RootSearch(self.run, guesses, like)
        if self.table and not self.best_proven and (best := best_of_shipped_tree(rest)) is not None:
            self.source = "tree"
            root.know_best(rest.guess_index(best.guess), best.total)
        if self.guess is not None:
            for total in root.estimates([root.like[self.guess]], 1).values():
                self.known[self.guess] = total
        if not self.best_proven:
            self.known |= root.estimates(root.order[: ESTIMATED * self.top], 2 * self.top)

    def settle(self) -> None:
        """Find the exact totals, after the estimates."""
        root = self.root
        if root is None or (self.best_proven and self.proven):
            return
        if not self.best_proven:
            root.totals(range(len(self.rest.guesses)), self.top)
            self.exact = root.exact_totals()
            self.heights = root.heights(self._listed())
            if not self.run.stopped:
                self.source = "search"
                self._rank()
        if self.guess is not None and not self.proven:
            root.totals([self.guess], None)
            self.exact |= root.exact_totals()
            self.proven = self.guess in self.exact or root.proven_bound(self.guess) is None
        self.known |= self.exact

    def _listed(self) -> list[int]:
        """Return the best guesses with exact totals, with all ties of the last."""
        last = sorted(self.exact.values())[: self.top]
        return [guess for guess, total in self.exact.items() if total <= last[-1]]

    def _rank(self) -> None:
        """Record the best guesses as proven: by total, worst case, whether they may be the answer, and list order."""
        exact, heights = self.exact, self.heights
        self.best = sorted(self._listed(), key=lambda g: (exact[g], heights[g], g not in self.answers, g))
        self.known |= exact
        self.best_proven = True
