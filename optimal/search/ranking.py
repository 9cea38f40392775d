"""Exact totals of first guesses: of given ones, of the best N, or of all."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from optimal._engine import Stopped
from optimal.checks import check_openers, check_progress, check_top, check_truth, formerly
from optimal.errors import InputError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.presets import titled
from optimal.games.rules import Rules
from optimal.games.weights import Weights, check_weights
from optimal.limits import INFEASIBLE
from optimal.search.engine import is_symmetric
from optimal.search.fixed import JOINED, fixed_guesses, fixed_total
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.options import Options
from optimal.search.pairs import PairRun
from optimal.search.progress import Progress
from optimal.search.result import Outcome, Status
from optimal.search.root_search import RootSearch
from optimal.search.run import Log
from optimal.search.stopping import carry_out
from optimal.show.record import Record
from optimal.show.table import Grid, Listed
from optimal.show.words import counted, percent, resting, within

DEFAULT_TOP = 10
#: Ties of the last place, beyond those asked for, that a text shows; more are counted.
TIES_SHOWN = 10
#: Guesses from which a pair and what it takes to tell two answers apart are within the limit.
LEAST_LIMIT = 4


@dataclass(frozen=True)
class Opener(Record):
    """A first guess in a ranking. `total` is exact, or None: infeasible, or not known (status UNKNOWN).

    If no opener finds every answer within the limit, `missed` of them are lost with best play, `win_chance` is that of
    the others, and the total is over the others; else both are None.
    """

    guess: str
    rank: int | None  # 1 is best; equal totals share a rank
    total: int | None
    mean: Fraction | None
    status: Status  # OPTIMAL: the total is exact
    bound: int | None  # proven lower bound of the total; None: infeasible
    ledger: str | None = None  # source of the total or the bound; None: proven here
    missed: int | None = None  # by weight
    win_chance: Fraction | None = None


@dataclass(frozen=True, repr=False, kw_only=True)
class Ranking(Outcome, Listed[Opener]):
    """First guesses by their exact totals, as returned by :func:`rank`.

    ``status`` is OPTIMAL when everything asked for is proven. When no opener has a tree within the limit, the openers
    are ranked by the answers that they miss, then by the total over the others; the status is INFEASIBLE where these
    are not known, nor looked for (with a journal). A ranking that was stopped early is FEASIBLE (each total is exact,
    the places are not proven) or UNKNOWN (nothing found). ``others`` openers are not listed; their totals are at least
    ``others_bound`` (None if they are infeasible, or there are none). The bounds of ``imported`` openers come from
    ``ledgers`` alone.
    `to_dict` has what `optimal rank --json` prints.
    """

    json_fields = (
        "openers missed chance status game rules max_guesses answers others others_bound stop_reason seconds nodes"
        " imported ledgers weights weight"
    )

    game: str
    rules: str
    max_guesses: int | None
    answers: int
    top: int | None  # None: every opener is listed
    openers: tuple[Opener, ...]
    others: int
    others_bound: int | None
    weights: str = "uniform"
    weight: int = 0  # of all answers
    uncounted: bool = False  # whether weights are too much to count what is missed
    one_of_each: bool = False  # of pairs that a symmetry of the game maps to each other

    @property
    def rows(self) -> tuple[Opener, ...]:
        """The openers, in rank order."""
        return self.openers

    @property
    def table(self) -> Grid:
        """The ranking as a table; long lists of ties for the last place are cut."""
        shown = shown_of([opener.total for opener in self.openers], self.top)
        return Grid(
            f"{titled(self.game)}, {self.rules} rules{', weighted' * (self.weights != 'uniform')}, "
            f"{within(self.max_guesses)}, {counted(self.answers, 'answer')}",
            ("opener", "rank", *(() if self.missed is None else ("wins", "missed")), "total", "mean"),
            [self._row(opener) for opener in self.openers[:shown]],
            self._notes(shown),
        )

    @property
    def missed(self) -> int | None:
        """The fewest answers that an opener misses; None if none is missed, or nothing is known yet."""
        return self.openers[0].missed if self.openers else None

    @property
    def chance(self) -> Fraction | None:
        """The chance to win with the best opener; None if it is certain, or nothing is known yet."""
        return self.openers[0].win_chance if self.openers else None

    def _row(self, opener: Opener) -> tuple[object, ...]:
        total: object = "infeasible" if opener.status is Status.INFEASIBLE else opener.total
        if opener.status is Status.UNKNOWN:
            total = f">= {opener.bound}"
        wins = None if opener.win_chance is None else percent(opener.win_chance)
        return opener.guess, opener.rank, *(() if self.missed is None else (wins, opener.missed)), total, opener.mean

    def _notes(self, shown: int) -> list[str]:
        notes = []
        if self.missed is not None:
            notes.append(f"none finds every answer {within(self.max_guesses)} (proven): totals are over those found")
        if self.uncounted:
            notes.append("the weights are too much to count what is missed: scale them down")
        if self.weights != "uniform":
            notes.append(f"totals and what is missed count by weight; all answers together weigh {self.weight}")
        if shown < len(self.openers):
            notes.append(f"{len(self.openers) - shown} more of total {self.openers[-1].total}")
        if any(opener.status is Status.INFEASIBLE for opener in self.openers[:shown]):
            notes.append(f"infeasible: no tree that begins so finds every answer {within(self.max_guesses)} (proven)")
        if self.others:
            others = counted(self.others, "other opener")
            if self.missed is not None:
                notes += [f"{others}: none is better (proven)"] * (self.status is Status.OPTIMAL)
            elif self.others_bound is None:
                notes.append(f"{others}: infeasible, no tree is within the limit (proven)")
            else:
                notes.append(f"{others}: {self.others_bound} at least (proven)")
        if self.status is Status.FEASIBLE:
            missing = "what has no total" if self.top is None else "better openers"
            notes.append(f"stopped, {self.stop_reason}: the totals are exact, but {missing} may come before them")
        elif self.status is Status.UNKNOWN:
            notes.append(f"stopped, {self.stop_reason}: no total is known yet")
        if self.one_of_each:
            notes.append("of pairs alike but for the names of the symbols and the order of the places, one is listed")
        if self.imported:
            notes.append(f"{self.status}{resting(self.imported, self.ledgers)}")
        return notes


@formerly(first="openers", limit="max_guesses")
def rank(
    game: Game | str,
    *,
    first: Sequence[str] | None = None,
    top: int | None = None,
    all_openers: bool = False,
    pairs: bool = False,
    limit: int | Unset | None = UNSET,
    jobs: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    log: Log | None = None,
    weights: Weights | None = None,
) -> Ranking:
    """Return exact totals of first guesses, best first: of given ones, of the best N, or of all.

    Equal totals share a rank; among them a possible answer comes first, then list order.

    >>> from optimal import rank
    >>> [(opener.guess, opener.total) for opener in rank("classic", first=["crane", "salet"])]
    [('salet', 7920), ('crane', 7930)]

    Parameters
    ----------
    game : a Game, or the name of a preset
    first : rank these first guesses only; "parse+clint" is two that are made whatever the first reply
    top : rank the best N (10 unless ``first`` is given) with all ties of the last
    all_openers : rank all
    pairs : rank the best pairs of first guesses that are made whatever the first reply
    limit, jobs, time_limit, memory_limit, journal, progress, log, weights : as for `solve`

    Returns
    -------
    Ranking : a list of `Opener`, best first, that prints as `optimal rank` does

    Raises
    ------
    InputError : for unknown openers, and for options that are out of range or contradict each other
    """
    game = check_game(game)
    check_progress(progress)
    check_progress(log, "log")
    most, openers = game.limit(limit), check_openers(first)
    if check_truth(all_openers, "all_openers") and (openers is not None or top is not None):
        raise InputError("all openers are asked for: give no openers, and no number of best ones")
    if check_truth(pairs, "pairs"):
        _check_pairs(game, most, openers is not None or all_openers or journal is not None or weights is not None)
    if openers is None and not all_openers and top is None:
        top = DEFAULT_TOP
    top = None if top is None else check_top(top)
    options = Options.of(jobs=jobs, time_limit=time_limit, memory_limit=memory_limit, journal=journal)
    weights = check_weights(game, weights)
    fixed = fixed_guesses(game, openers)
    if fixed is not None and journal is not None:
        raise InputError("a journal is of single first guesses: leave it out, or those joined by +")
    problem = Problem(game, most, weights=weights, openers=None if fixed else openers, options=options)
    if pairs:
        paired = PairRun(problem, progress, log=log)
        return carry_out(paired, lambda: _best_pairs(paired, top or DEFAULT_TOP), "rank")
    run = GameRun(problem, progress, log=log)

    def work() -> Ranking:
        if fixed is not None:
            return _fixed_ranking(run, fixed, top)
        found = _searched(run, top)
        if found.status is Status.INFEASIBLE and most is not None and journal is None:  # it is of totals within one
            return _missing(run, found, progress)
        return found

    return carry_out(run, work, "rank")


def _searched(run: GameRun, top: int | None) -> Ranking:
    chosen = run.problem.chosen
    root = RootSearch(run, chosen)
    root.totals(chosen, top)
    return _ranking(root, chosen, top)


def _missing(run: GameRun, found: Ranking, progress: Callable[[Progress], None] | None) -> Ranking:
    """Rank openers of which none has a tree within the limit by what they miss, then by the total over the others."""
    try:
        problem = run.problem.missing()
    except InputError:
        return replace(found, uncounted=True)
    if problem.may_overflow:
        return replace(found, uncounted=True)
    missing = GameRun(problem, progress, clock=run.clock, control=run.control, beside=run)
    ranking = _searched(missing, found.top)
    if ranking.status is Status.UNKNOWN:
        return replace(found, stop_reason=run.stop_reason)
    return replace(
        found,
        openers=ranking.openers,
        others=ranking.others,
        status=ranking.status,
        stop_reason=run.stop_reason,
        seconds=ranking.seconds,
        nodes=run.nodes + missing.nodes,
    )


def _ranking(root: RootSearch, chosen: Sequence[int], top: int | None) -> Ranking:
    game, run = root.game, root.run
    exact = root.exact_totals()
    bounds = {guess: root.bound(guess) for guess in chosen}
    last = root.last_place(top)
    listed = sorted(
        (guess for guess in (exact if top is not None else chosen) if exact.get(guess, last) <= last),
        key=lambda guess: (
            exact.get(guess, INFEASIBLE),
            0 if guess in exact else bounds[guess],
            guess not in root.answers,
            guess,
        ),
    )
    left = set(chosen) - set(listed)
    others_bound = min((bounds[guess] for guess in left), default=INFEASIBLE)
    proven = root.settled.issuperset(root.like.values())
    if proven and last < INFEASIBLE:
        # What each search happens to prove depends on the jobs; this bound does not.
        others_bound = min((max(int(root.least[guess]), last + 1) for guess in left), default=others_bound)
    if min(bounds.values()) >= INFEASIBLE:
        status = Status.INFEASIBLE
    elif proven:
        status = Status.OPTIMAL
    else:
        status = Status.FEASIBLE if exact else Status.UNKNOWN
    totals = [exact.get(guess) for guess in listed]
    rows = [
        _opener(run, game.guesses[guess], total, place, bounds[guess], run.ledger_of(root.like[guess]))
        for guess, total, place in zip(listed, totals, places(totals), strict=True)
    ]
    return _ranked(run, top, rows, status, len(left), others_bound)


def _fixed_ranking(run: GameRun, openers: Sequence[tuple[int, ...]], top: int | None) -> Ranking:
    """Rank openers of which some are several guesses, made whatever the replies."""
    game = run.game
    found: dict[tuple[int, ...], int | None] = {}
    for number, guesses in enumerate(dict.fromkeys(openers)):
        run.report("first guesses", number, len(openers))
        found[guesses] = None if run.stopped else fixed_total(run, guesses)
    known = {guesses: total for guesses, total in found.items() if total is not None}
    exact = {guesses: total for guesses, total in known.items() if total < INFEASIBLE}
    last = INFEASIBLE if top is None or len(exact) < top else sorted(exact.values())[top - 1]
    is_answer = run.engine.tables.is_answer
    listed = sorted(
        (guesses for guesses in (found if top is None else exact) if exact.get(guesses, last) <= last),
        key=lambda guesses: (exact.get(guesses, INFEASIBLE), guesses in known, not is_answer(guesses[0]), guesses),
    )
    totals = [exact.get(guesses) for guesses in listed]
    least = weight_of(run)  # a guess for each answer
    rows = [
        _opener(run, JOINED.join(game.guesses[guess] for guess in guesses), total, place, known.get(guesses, least))
        for guesses, total, place in zip(listed, totals, places(totals), strict=True)
    ]
    status = Status.FEASIBLE if exact else Status.UNKNOWN
    if len(known) == len(found):
        status = Status.OPTIMAL if exact else Status.INFEASIBLE
    left = [known.get(guesses, least) for guesses in found.keys() - set(listed)]
    return _ranked(run, top, rows, status, len(left), min(left, default=INFEASIBLE))


def _check_pairs(game: Game, limit: int | None, more: bool) -> None:
    """InputError unless the best pairs of first guesses can be ranked."""
    if more:
        raise InputError("the best pairs are of all, for equal weights: give no openers, no weights and no journal")
    if game.rules is not Rules.NORMAL:
        raise InputError(f"under {game.rules} rules a reply may forbid the second guess: pairs are for normal rules")
    if len(game.guesses) < 2 or (limit is not None and limit < LEAST_LIMIT):
        raise InputError(f"pairs take two words, and a limit of {LEAST_LIMIT} guesses or more")


def _best_pairs(run: PairRun, top: int) -> Ranking:
    """Rank the best pairs of first guesses, made whatever the first reply."""
    with suppress(Stopped):
        run.rank_pairs(top)
    last, proven = run.last, not run.stopped
    found = {pair: total for pair, total in run.values.items() if total <= last}
    listed = sorted(found, key=lambda pair: (found[pair], not run.is_answer[pair // len(run.is_answer)], pair))
    totals = [found[pair] for pair in listed]
    rows = [
        _opener(run, run.name_of(pair), total, place, total)
        for pair, total, place in zip(listed, totals, places(totals), strict=True)
    ]
    status = (Status.OPTIMAL if rows else Status.INFEASIBLE) if proven else Status.FEASIBLE if rows else Status.UNKNOWN
    bound = min(last + 1, INFEASIBLE if proven else run.bound)
    ranking = _ranked(run, top, rows, status, run.openers - len(rows), bound)
    return replace(ranking, one_of_each=is_symmetric(run.game))


def _ranked(
    run: GameRun, top: int | None, openers: Sequence[Opener], status: Status, others: int, bound: int
) -> Ranking:
    """Return the ranking of these openers; ``bound`` is that of the ``others``."""
    game = run.game
    return Ranking(
        game=game.name,
        rules=str(game.rules),
        max_guesses=run.problem.limit,
        answers=len(game.answers),
        top=top,
        openers=tuple(openers),
        others=others,
        others_bound=None if not others or bound >= INFEASIBLE else bound,
        status=status,
        stop_reason=run.stop_reason,
        seconds=run.clock.seconds,
        nodes=run.nodes,
        weights="uniform" if run.problem.weights is None else run.problem.weights.name,
        weight=weight_of(run),
    )


def weight_of(run: GameRun) -> int:
    """Return how much all answers count."""
    weights = run.problem.weights
    return len(run.game.answers) if weights is None else sum(weights.values)


def _opener(
    run: GameRun, guess: str, cost: int | None, place: int | None, bound: int, ledger: str | None = None
) -> Opener:
    infeasible, weight = bound >= INFEASIBLE or run.problem.final, weight_of(run)
    *lost, total = (None,) if cost is None else run.problem.parts(cost)
    missed = lost[0] if lost else None
    found = weight - (missed or 0)
    return Opener(
        guess=guess,
        rank=place,
        total=total,
        mean=Fraction(total, found) if total is not None and found else None,
        status=Status.OPTIMAL if total is not None else Status.INFEASIBLE if infeasible else Status.UNKNOWN,
        bound=None if infeasible else bound,
        ledger=ledger,
        missed=missed,
        win_chance=None if missed is None else Fraction(found, weight),
    )


def places(totals: Sequence[int | None]) -> list[int | None]:
    """Return the rank of each of the rising totals; ties share a rank, and None has none."""
    found: list[int | None] = []
    for at, total in enumerate(totals):
        tied = at > 0 and total == totals[at - 1]
        found.append(None if total is None else found[-1] if tied else at + 1)
    return found


def shown_of(totals: Sequence[int | None], top: int | None) -> int:
    """Return how many lines of a ranking a text shows: all, unless very many tie for the last place."""
    return len(totals) if top is None or len(totals) <= top + TIES_SHOWN else top
