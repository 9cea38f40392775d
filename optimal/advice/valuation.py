"""The search at one position, for advice and for debriefs: the best guesses, and one guess more."""

from __future__ import annotations

from collections.abc import Callable

from optimal.advice.position import CheckedPosition
from optimal.errors import InputError
from optimal.games.rules import Rules
from optimal.search.engine import is_symmetric
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.known_openers import (
    best_of_shipped_tree,
    known_opener,
    known_openers,
    shipped_ledger,
    weighed_trees,
)
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.root_search import ESTIMATED, RootSearch
from optimal.search.symmetry import representatives

#: Likely guesses whose greedy trees come first.
FIRST = 4
#: By hard rules, trees that find all of more candidates are hard to find.
MANY = 300


class Valuation:
    """The value of a position: its best ``top`` guesses with all ties of the last, and one ``guess`` more.

    Call `begin`, `estimate`, `settle`; all end early once the run is stopped. Guesses are valued by their totals within
    the guesses left. Where none finds every candidate within them, or none is known to, they are valued by the
    candidates they miss, then by the total over those they find: ``missing`` is the search for these values, and
    ``best`` the one that has the best guesses. So it is for the one guess, if others find all that it misses. Where
    the position has weights, both are sums of these: of a guess that ``misses_weightless`` answers alone, no such
    value can be held against the best, which finds these, too.

    Raises InputError for weights too large to count what is missed, once that is wanted.

    ``guess`` is None for no other guess. ``table`` allows shipped totals and trees to answer at the start of a game;
    if not ``valued``, nothing is searched. A position that is part of a ``whole`` run shares that clock and stop flag.
    Without ``ties``, the first guess of a shipped tree will do for the best of the game.
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
        ties: bool = True,
    ) -> None:
        self.position, self.rest, self.valued, self.ties = position, position.rest, valued, ties
        self.top, self.jobs, self.progress = top, jobs, progress
        self.guess = None if guess is None else position.rest.guess_index(guess)
        self.within = GuessSearch(self, top, self.guess, table=table, whole=whole)
        self.missing: GuessSearch | None = None
        self.run = self.within.run

    @property
    def count(self) -> int:
        """The number of candidates."""
        return len(self.rest.answers)

    @property
    def best(self) -> GuessSearch:
        """The search that has the best guesses."""
        missing = self.missing
        return self.within if missing is None or missing.top == 0 or self.within.known else missing

    @property
    def misses_weightless(self) -> bool:
        """Whether the one guess misses answers, but all of them weigh nothing, and the best finds all."""
        weights, within = self.position.weights, self.within
        apart = weights is not None and 0 in weights.values and self.guess not in within.known
        return apart and self.best is within and self.value is not None and self.value[0] == 0

    @property
    def proven(self) -> bool:
        """Whether the value of the one guess is proven."""
        within, missing = self.within, self.missing
        if self.guess is None or self.guess in within.known or not self.valued or self.rest.max_guesses is None:
            return within.proven
        return within.proven and missing is not None and missing.proven

    @property
    def value(self) -> tuple[int, int] | None:
        """The candidates that the one guess misses and the total over the others; None if that is not known."""
        found = self._of_guess
        return None if self.guess is None or self.guess not in found.known else found.parts(found.known[self.guess])

    @property
    def _of_guess(self) -> GuessSearch:
        within, missing = self.within, self.missing
        return within if missing is None or self.guess in within.known else missing

    def begin(self) -> None:
        """Find first trees by greedy play, soon: those that miss a few, where all are hard to find."""
        within, rest = self.within, self.rest
        limited, top = self.valued and self._countable, 0 if within.best_proven else self.top
        hard = limited and top > 0 and rest.rules is not Rules.NORMAL and self.count > MANY
        if hard:
            self._search_missing(top).estimate(FIRST)
        within.estimate(FIRST)
        unknown = not within.known if self.guess is None else self.guess not in within.known
        if limited and unknown and not hard:
            self._search_missing(top).estimate(FIRST)

    def estimate(self) -> None:
        """Find more trees by greedy play."""
        self.within.estimate(ESTIMATED * self.top)

    def settle(self) -> None:
        """Find the exact values, after the estimates."""
        self.within.settle()
        if self.run.stopped or not self.valued or self.rest.max_guesses is None:
            return
        if self.within.best_proven and not self.within.known:
            self._settle_missing(self.top)
        elif self.guess is not None and self.guess not in self.within.known:
            self._settle_missing(0)

    @property
    def _countable(self) -> bool:
        """Whether what is missed within the guesses left can be counted."""
        return self.rest.max_guesses is not None and not self.run.problem.missing().may_overflow

    def _search_missing(self, top: int) -> GuessSearch:
        if self.missing is None or self.missing.top != top:
            self.missing = GuessSearch(self, top, self.guess, whole=self.run, final=True)
        return self.missing

    def _settle_missing(self, top: int) -> None:
        if not self._countable:
            raise InputError(f"weights of {self.position.weight} are too much to count what is missed: scale them down")
        missing = self._search_missing(top)
        missing.estimate(ESTIMATED * top)
        missing.settle()


class GuessSearch:
    """A search for the ``top`` best guesses at a position with all ties of the last, and for one ``guess`` more.

    ``known`` has the costs of guesses, by index: those in ``exact`` are exact, the others those of trees found so far.
    ``ranked`` are the best guesses in order, with their worst cases in ``heights``, once they are ``best_proven``;
    ``proven`` tells whether the cost of the one guess is known, which may have none.

    A cost is the total within the guesses left; if these are ``final``, see `parts`.
    """

    def __init__(
        self,
        asked: Valuation,
        top: int,
        guess: int | None,
        *,
        table: bool = False,
        whole: GameRun | None = None,
        final: bool = False,
    ) -> None:
        position, self.top, self.guess, self.final = asked.position, top, guess, final
        self.position, valued = position, asked.valued
        rest = self.rest = position.rest
        options, made = Options(jobs=asked.jobs), len(position.history)
        within = Problem(rest, rest.max_guesses, weights=position.weights, made=made, options=options)
        problem = within.missing() if final else within
        clock, control = (None, None) if whole is None else (whole.clock, whole.control)
        self.run = GameRun(problem, asked.progress, clock=clock, control=control, beside=whole if final else None)
        self.answers = set(rest.answer_guess.tolist())
        self.root: RootSearch | None = None
        self.known: dict[int, int] = {}
        self.exact: dict[int, int] = {}
        self.heights: dict[int, int] = {}
        self.shipped: dict[int, int] = {}  # the worst case of the best guess, where its tree ships
        self.estimated = 0  # guesses that greedy play has tried
        self.ranked: list[int] = []
        self.best_proven = not valued or not top
        self.proven = guess is None or not valued
        shipped, weights = table and valued and not position.history, position.weights
        self.table, self.weights = shipped and weights is None, weights.values if shipped and weights else None
        openers, source = list(known_openers(rest, top) or ()) if self.table else [], "table"
        if self.table and not openers and not asked.ties and (best := best_of_shipped_tree(rest)) is not None:
            openers, source = [best], "tree"
        self.source = source if openers else "search"
        if openers:
            if guess is not None and (own := known_opener(rest, rest.guesses[guess])) is not None:
                openers.append(own)
            self.exact = {rest.guess_index(opener.guess): opener.total for opener in openers}
            self.heights = {rest.guess_index(opener.guess): opener.worst for opener in openers}
            self.proven |= guess in self.exact
            self._rank()
        elif self.table and not self.best_proven and (ledger := shipped_ledger(problem)):
            self.run.take_over(ledger, {}, None, every=False)
            self.exact, self.known = dict(self.run.values), dict(self.run.values)
            self.proven |= guess in self.exact

    def parts(self, cost: int) -> tuple[int, int]:
        """Return the candidates missed, and the total over the others."""
        *missed, total = self.run.parts(cost)
        return missed[0] if missed else 0, total

    @property
    def value(self) -> tuple[int, int] | None:
        """The least known number of candidates missed, and the least total then over the others."""
        return self.parts(min(self.known.values())) if self.known else None

    def worst(self, guess: int) -> int | None:
        """Return the least worst case among the best trees after a guess; None if it isn't proven."""
        return (self.heights if self.best_proven else self.shipped).get(guess)

    @property
    def guesses(self) -> tuple[str, ...]:
        """The guesses of least cost, if these are proven; else the first of least cost known."""
        best = self.ranked
        if not self.best_proven:
            best = sorted(self.known, key=lambda guess: (self.known[guess], guess))[:1]
        return tuple(self.rest.guesses[guess] for guess in best)

    def estimate(self, most: int) -> None:
        """Find trees by greedy play for so many likely guesses in all, and for the one guess."""
        if self.best_proven and self.proven:
            return
        root = self.root
        if root is None:
            root = self.root = self._begin()
            if self.guess is not None:
                for total in root.estimates([root.like[self.guess]], 1).values():
                    self.known[self.guess] = total
        if not self.best_proven:
            found = root.estimates(root.order[self.estimated : most], 2 * self.top)
            if self.weights is not None and not self.estimated:  # greedy play may cost more
                for name, total in weighed_trees(self.rest, self.weights):
                    guess = self.rest.guess_index(name)
                    found[guess] = min(total, found.get(guess, total))
            self.known |= found
            self.estimated = most
        self.known |= self.exact

    def _begin(self) -> RootSearch:
        history, rest = self.position.history, self.rest
        # For a whole game, RootSearch computes the symmetries.
        symmetric = history and is_symmetric(self.position.game) and self.position.weights is None
        like = representatives([guess for guess, _ in history], rest.guesses) if symmetric else None
        guesses = [self.guess] if self.best_proven and self.guess is not None else range(len(rest.guesses))
        root = RootSearch(self.run, guesses, like)
        if self.table and not self.best_proven and (best := best_of_shipped_tree(rest)) is not None:
            self.source = "tree"
            root.know_best(rest.guess_index(best.guess), best.total)
            self.shipped = {rest.guess_index(best.guess): best.worst}
        return root

    def settle(self) -> None:
        """Find the exact totals, after the estimates."""
        root = self.root
        if root is None or (self.best_proven and self.proven):
            return
        if not self.best_proven:
            root.totals(range(len(self.rest.guesses)), self.top)
            self.exact = root.exact_totals()
            if not self.final:
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
        listed = [guess for guess, total in self.exact.items() if total <= last[-1]]
        if self.final:  # a guess that finds nothing any more is no advice
            weight = self.position.weight
            listed = [guess for guess in listed if self.parts(self.exact[guess])[0] < weight]
        return listed

    def _rank(self) -> None:
        """Record the best guesses as proven: by total, worst case, whether they may be the answer, and list order."""
        exact, heights = self.exact, self.heights
        order = {
            guess: (exact[guess], heights.get(guess, 0), guess not in self.answers, guess) for guess in self._listed()
        }
        self.ranked = sorted(order, key=order.__getitem__)
        self.known |= exact
        self.best_proven = True
