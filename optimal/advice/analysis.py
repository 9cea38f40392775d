"""The best guesses at a position by their exact totals, and bounds of all others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from optimal.advice.position import checked_position, others_of
from optimal.advice.valuation import Valuation
from optimal.checks import check_jobs, check_progress, check_seconds, check_top, check_truth, formerly
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.info import describe
from optimal.games.presets import titled
from optimal.games.tiers import MOST_SHOWN, beyond
from optimal.games.turns import PositionLike
from optimal.games.weights import Weights
from optimal.limits import INFEASIBLE
from optimal.search.progress import Progress
from optimal.search.ranking import DEFAULT_TOP, places, shown_of
from optimal.search.result import Status
from optimal.search.root_search import least_totals
from optimal.search.stopping import stopping
from optimal.show.csv import csv_of
from optimal.show.record import Record, plain
from optimal.show.table import Grid, Listed
from optimal.show.text import cell, columns
from optimal.show.words import counted, listed, percent

FIRST_WORD = 10.0  # seconds for it at most, whatever the time limit; a busy machine may need them
#: What the last columns of the table mean.
LEGEND = (
    "Classes: how many different replies the guess can bring. Bits: what a reply tells on average; each halves the "
    "candidates."
)


@dataclass(frozen=True)
class Advice(Record):
    """The value of one guess at a position. Totals and the worst case count guesses from now on.

    If ``proven``, the total is exact. An analysis that was stopped also has guesses with the total of some tree, which
    best play may beat.

    If no guess finds every candidate within the guesses left, ``missed`` of them are lost with best play,
    ``win_chance`` is that of the others, and total and mean are over these; else both are None. With weights, what is
    missed, totals, means, chances and bits are by weight: where all that is missed weighs nothing, ``missed`` is 0.
    """

    guess: str
    rank: int  # equal totals share a rank
    total: int  # the sum over the candidates, by weight, with best play after the guess
    mean: Fraction
    worst: int | None  # the least worst case among the best continuations; None: not known
    is_candidate: bool
    chance: Fraction  # that the guess is the answer, and so wins now
    classes: int  # different replies
    bits: float  # expected information
    proven: bool = True
    missed: int | None = None
    win_chance: Fraction | None = None


@dataclass(frozen=True, repr=False)
class Analysis(Listed[Advice]):
    """The best guesses at a position with their exact totals, as returned by :func:`analyse`.

    ``guesses`` are the best ``top`` with all ties of the last, best first: by total, then worst case, then whether
    the guess may be the answer, then list order. ``others`` are all other legal guesses, each with a proven lower
    bound of its total (None: no tree within the limit).

    If no guess has a tree within the limit, the best are those that miss the fewest candidates, then by the total over
    the others: ``missed`` tells how many, and ``chance`` is the chance to win. Both are None where nothing is missed.

    Stopped early, the status is FEASIBLE (the best guesses so far, not all proven; others may be better) or UNKNOWN
    (nothing known yet). ``source`` is "search", or for the openers of a shipped game "table" (shipped totals) or
    "tree" (stopped, and the first guess is that of the shipped tree, proven to be best).

    Totals, means and chances are over the ``candidates``. If ``listed``, these are answers in the list, and
    ``other_words`` counts the guesses outside it that fit; if no answer in the list fits, these are the candidates.

    ``weights`` names where the weights are from; it is "uniform" where the candidates left weigh the same. ``weight``
    is their sum without a common divisor.
    """

    game: str
    rules: str
    position: str
    max_guesses: int | None
    guesses_made: int
    candidates: tuple[str, ...]
    top: int
    guesses: tuple[Advice, ...]
    others: tuple[tuple[str, int | None], ...]
    status: Status
    source: str
    stop_reason: str = "done"
    listed: bool = True
    other_words: int = 0
    weights: str = "uniform"
    weight: int = 0

    @property
    def best(self) -> Advice | None:
        """The best guess."""
        return self.guesses[0] if self.guesses else None

    @property
    def missed(self) -> int | None:
        """The fewest candidates known to be missed; None if none is, or nothing is known yet."""
        return self.guesses[0].missed if self.guesses else None

    @property
    def chance(self) -> Fraction | None:
        """The chance to win with the best guess; None if it is certain, or nothing is known yet."""
        return self.guesses[0].win_chance if self.guesses else None

    @property
    def total(self) -> int | None:
        """The least known total from here on, over the candidates found."""
        return self.guesses[0].total if self.guesses else None

    @property
    def mean(self) -> Fraction | None:
        return self.guesses[0].mean if self.guesses else None

    @property
    def guesses_left(self) -> int | None:
        return None if self.max_guesses is None else self.max_guesses - self.guesses_made

    @cached_property
    def others_bound(self) -> int | None:
        """The least bound of the other guesses; None if they are infeasible, or there are none."""
        return min((bound for _, bound in self.others if bound is not None), default=None)

    def to_dict(self, *, others: bool = False) -> dict[str, Any]:
        """Return the JSON object of `optimal suggest --json`; with ``others``, all other legal guesses and their
        bounds."""
        fields: dict[str, Any] = {
            "candidates": len(self.candidates),
            "listed": self.listed,
            "other_words": self.other_words,
            "missed": self.missed,
            "chance": plain(self.chance),
            "total": self.total,
            "mean": plain(self.mean),
            "guesses": plain(self.guesses),
            "candidate_words": list(self.candidates),
            "others": len(self.others),
            "others_bound": self.others_bound,
            "status": self.status.value,
            "stop_reason": self.stop_reason,
            "source": self.source,
            "game": self.game,
            "rules": self.rules,
            "weights": self.weights,
            "weight": self.weight,
            "position": self.position,
            "max_guesses": self.max_guesses,
            "guesses_left": self.guesses_left,
        }
        if check_truth(others, "others"):
            most = {} if self._others_chance is None else {"win_chance": plain(self._others_chance)}
            fields["other_guesses"] = [{"guess": guess, "bound": bound, **most} for guess, bound in self.others]
        return fields

    @property
    def rows(self) -> tuple[Advice, ...]:
        """The best guesses, best first."""
        return self.guesses

    def to_csv(self, *, others: bool = False) -> str:
        """Return a row for each guess, as `optimal suggest --csv` prints; ``others`` only have a bound."""
        fields = self.to_dict(others=others)
        return csv_of([*fields["guesses"], *fields.get("other_guesses", ())])

    @property
    def table(self) -> Grid:
        """The analysis as a table; long lists of ties for the last place are cut."""
        start = f"after {self.position}" if self.position else "first guess"
        left = "no limit" if self.guesses_left is None else f"{counted(self.guesses_left, 'guess', 'guesses')} left"
        candidates = counted(len(self.candidates), "candidate" if self.listed else "other word")
        weighted = ", weighted" if self.weighted else ""
        return Grid(
            f"{titled(self.game)}, {self.rules} rules{weighted}, {start}: {candidates}, {left}",
            ("guess", "rank", *self._values, "answer?", "wins now", "classes", "bits"),
            [self._row(advice) for advice in self._shown],
            self._notes(),
        )

    @property
    def weighted(self) -> bool:
        """Whether the candidates differ in weight."""
        return self.weights != "uniform"

    @property
    def totals_settled(self) -> bool:
        """Whether all totals are proven and no other guess has a better one, though a worst case may be open."""
        if self.missed is not None or not self.guesses or not all(advice.proven for advice in self.guesses):
            return False
        return self.others_bound is None or self.others_bound >= self.guesses[-1].total

    @property
    def _values(self) -> tuple[str, ...]:
        return ("total", "mean", "worst") if self.missed is None else ("wins", "missed", "total", "mean")

    @property
    def _others_chance(self) -> Fraction | None:
        """The chance to win that no other guess exceeds; None where nothing is missed, or it isn't proven."""
        return self.guesses[-1].win_chance if self.missed is not None and self.status is Status.OPTIMAL else None

    def others_text(self) -> str:
        """Return all other legal guesses with proven bounds, as a table: of their totals, or of their chances to win
        where no guess is sure to."""
        if self._others_chance is not None:
            most = percent(self._others_chance, at_most=True)
            return columns(("guess", "at_most"), [(guess, most) for guess, _ in self.others]).rstrip("\n")
        rows = [(guess, "infeasible" if bound is None else bound) for guess, bound in self.others]
        return columns(("guess", "at_least"), rows).rstrip("\n")

    @property
    def _shown(self) -> tuple[Advice, ...]:
        if len(self.candidates) == 1:  # any other guess only wastes a turn
            return self.guesses[:1]
        return self.guesses[: shown_of([advice.total for advice in self.guesses], self.top)]

    @staticmethod
    def _row(advice: Advice) -> tuple[object, ...]:
        chance = f"{100 * float(advice.chance):.2f} %" if advice.is_candidate else ""
        if chance in ("0.00 %", "100.00 %") and 0 < advice.chance < 1:
            chance = percent(advice.chance)
        numbers: tuple[object, ...] = (advice.total, advice.mean, advice.worst)
        if not advice.proven:
            numbers = (f"<= {advice.total}", f"<= {cell(advice.mean)}", "")
        if advice.win_chance is not None:
            wins = percent(advice.win_chance, at_least=not advice.proven)
            numbers = (wins, advice.missed, advice.total, advice.mean)
            if not advice.proven:
                numbers = (f">= {wins}", f"<= {advice.missed}", "", "")
        return advice.guess, advice.rank, *numbers, advice.is_candidate, chance, advice.classes, f"{advice.bits:.3f}"

    @property
    def _missing(self) -> str:
        """What is said where the game may be lost."""
        best = self.guesses[0]
        assert best.missed is not None
        assert best.win_chance is not None
        count, wins = len(self.candidates), percent(best.win_chance, at_least=not best.proven)
        if not best.proven:
            found = f"wins {wins}" if self.weighted else f"finds {count - best.missed}"
            return f"No strategy is known yet that finds all; {best.guess} {found} at least."
        if self.guesses_left == 1:
            ties = sum(advice.win_chance == best.win_chance for advice in self.guesses)
            these = "any of these" if ties == len(self.guesses) else f"any of the first {ties}"
            which = best.guess if ties == 1 else these
            sure = " (proven)" if self.status is Status.OPTIMAL else ", the best known"
            return f"This is the last guess: {wins} with {which}{sure}."
        if not best.missed:
            return f"Not all can be found; what {best.guess} misses weighs nothing."
        never = "can no longer" if self.guesses_made else "can't"
        if self.status is not Status.OPTIMAL:
            fewer = "" if self.weighted else f" It misses {best.missed} of {count} candidates."
            return f"{best.guess} is the best guess known, {wins}: you {never} be sure to win.{fewer}"
        if self.weighted:
            return f"{wins} with {best.guess}: you {never} be sure to win (proven). Totals are over what is found."
        return (
            f"{wins} with {best.guess}: you {never} be sure to win. Of {count} candidates, {best.missed} "
            f"{'is' if best.missed == 1 else 'are'} missed by best play (proven); totals are over the others."
        )

    def _notes(self) -> list[str]:
        notes = [] if self.listed else [f"{beyond(self.candidates)}."]
        if self.missed is not None:
            notes.append(self._missing)
        if self.weighted and self.guesses:  # a tenth makes 12 of what is two words missed: no count of candidates
            what = "Totals count" if self.missed is None else "Totals and what is missed count"
            notes.append(f"{what} by weight; all candidates together weigh {self.weight}.")
        if self.status in (Status.FEASIBLE, Status.UNKNOWN):
            known = [] if self.guesses else ["no total is known yet"]
            if not all(advice.proven for advice in self.guesses):
                what = "totals" if self.missed is None else "what is missed,"
                known.append(f"{what} with <= may be beaten by best play")
            if self.missed is not None:
                known += ["other guesses may be better"] * bool(self.others)
            elif not known and (bound := self.others_bound or math.inf) < self.guesses[-1].total:
                than = f" than {self.guesses[-1].guess}" if bound >= self.guesses[0].total else ""
                known.append(f"other guesses may be better{than}")
            if self.missed is None and any(advice.proven and advice.worst is None for advice in self.guesses):
                known.append("a worst case shown as - is not known")
            known = known or ["others may be as good, but none is better"]
            notes.append(f"Stopped, {self.stop_reason}: {'; '.join(known)}.")
        hidden = self.guesses[len(self._shown) :]
        if hidden:
            possible = [advice.guess for advice in hidden if advice.is_candidate]
            them = f"; possible answers among them: {listed(possible)}" if possible else ""
            alike = f"of total {hidden[-1].total}" if self.missed is None else f"that miss {hidden[-1].missed}"
            notes.append(f"{len(hidden)} more {alike}{them}.")
        if self.others and self.guesses and (self.missed is None or self.status is Status.OPTIMAL):
            least = "infeasible" if self.others_bound is None else f"total {self.others_bound} at least (proven)"
            if self.missed is not None:
                least = "none is better (proven)"
            notes.append(f"{counted(len(self.others), 'other guess', 'other guesses')}: {least}.")
        if self.source == "tree":
            notes.append(f"{self.guesses[0].guess} begins the shipped tree, which is proven to be the best.")
        if self.source == "table":
            notes.append("From the shipped table of exact totals.")
        if self.guesses:
            notes.append(LEGEND)
        if self.listed and self.other_words:
            notes.append(f"All of this is for the answers in the list; {fit_too(self.other_words)}.")
        if self.listed and len(self.candidates) <= MOST_SHOWN:
            notes.append(f"Candidates: {', '.join(self.candidates)}")
        return notes


def fit_too(others: int) -> str:
    """Say how many words outside the list of answers fit."""
    return f"{counted(others, 'other word')} fit{'s' * (others == 1)} too"


@formerly(limit="max_guesses")
def analyse(
    game: Game | str,
    position: PositionLike = "",
    *,
    top: int = DEFAULT_TOP,
    limit: int | Unset | None = UNSET,
    jobs: int = 1,
    table: bool = True,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    weights: Weights | None = None,
) -> Analysis:
    """Return the best ``top`` guesses at a position with their exact totals, and bounds of all other legal guesses.

    If no answer in the list fits the position, the candidates are the guesses that fit, as the answer may be another
    word.

    >>> from optimal import analyse
    >>> advice = analyse("classic", "salet=bybyb beard=bygyb", top=1)
    >>> advice[0].guess, advice[0].total, len(advice.candidates)
    ('cezve', 17, 8)

    Parameters
    ----------
    game : a Game, or the name of a preset
    position : text such as "salet=bybbb crony=byybb", or pairs of a guess and its feedback; "" is the start of the game
    top : number of best guesses, with all ties of the last
    limit : of guesses from the start of the game, if not the game's own; None for none
    jobs : number of parallel searches
    table : whether the shipped totals and trees may answer at the start of a shipped game
    time_limit : seconds; then, or on Ctrl-C or SIGTERM in the main thread, the result so far is returned. Until there
        is a first guess it may take 10 seconds, or what it takes to prepare the game
    progress : called with a `Progress`
    weights : how much each answer counts, see `weights_of` and `with_used`; other words that fit count the same

    Returns
    -------
    Analysis : a list of `Advice`, best first, that prints as `optimal suggest` does

    Raises
    ------
    IllegalGuess, ImpossibleFeedback, InputError : for an impossible position, and weights of another game
    RecursionError : for a game whose trees are thousands of guesses deep
    """
    game = check_game(game)
    top, jobs = check_top(top), check_jobs(jobs)
    time_limit, table = check_seconds(time_limit), check_truth(table, "table")
    check_progress(progress)
    checked = checked_position(game, position, limit, others=True, weights=weights)
    value = Valuation(checked, top=top, jobs=jobs, table=table, progress=progress)
    with stopping(value.run, None if time_limit is None else max(time_limit, FIRST_WORD)):
        value.begin()
    with stopping(value.run, None if time_limit is None else max(time_limit - value.run.clock.seconds, 0.0)):
        value.estimate()
        value.settle()
    return _analysis(value)


def _analysis(value: Valuation) -> Analysis:
    """Return what is known of a position: all of it, or the results when the search was stopped."""
    checked, rest, top, best = value.position, value.rest, value.top, value.best
    known, proven, order = best.known, best.best_proven, best.ranked
    if not proven:
        found = [guess for guess in known if best.parts(known[guess])[0] < checked.weight]
        if not value.within.best_proven:  # where none is missed, all may be found
            found = [guess for guess in found if not best.parts(known[guess])[0]] or found
        order = sorted(found, key=lambda g: (known[g], g not in best.exact, g not in best.answers, g))[:top]
    others = np.delete(np.arange(len(rest.guesses)), order)
    root = value.within.root
    if not proven and root is not None:
        bounds = np.array([root.bound(guess) for guess in others.tolist()], dtype=np.int64)
    elif not proven:
        bounds = np.zeros(len(others), dtype=np.int64)
    elif best.final or len(order) < top:  # every guess with a tree is listed
        bounds = np.full(len(others), INFEASIBLE)
    else:
        # What each search happens to prove depends on the jobs; these bounds do not.
        bounds = np.maximum(least_totals(rest, checked.weights)[others], known[order[-1]] + 1)
    rising = np.argsort(bounds, kind="stable")
    others, bounds = others[rising], bounds[rising]
    status = Status.OPTIMAL if proven else Status.FEASIBLE if order else Status.UNKNOWN
    return Analysis(
        game=checked.game.name,
        rules=str(checked.game.rules),
        position=describe(checked.game, checked.history),
        max_guesses=checked.limit,
        guesses_made=len(checked.history),
        candidates=rest.answers,
        top=top,
        guesses=tuple(
            _advice(value, guess, rank or 0)
            for guess, rank in zip(order, places([known[guess] for guess in order]), strict=True)
        ),
        others=tuple(
            (rest.guesses[guess], None if low >= INFEASIBLE else low)
            for guess, low in zip(others.tolist(), bounds.tolist(), strict=True)
        ),
        status=status,
        source=best.source,
        stop_reason="done" if proven else value.run.stop_reason,
        listed=checked.listed,
        other_words=len(others_of(checked.game, checked.history)) if checked.listed else len(rest.answers),
        weights="uniform" if checked.weights is None else checked.weights.name,
        weight=checked.weight,
    )


def _advice(value: Valuation, guess: int, rank: int) -> Advice:
    rest, best, weight = value.rest, value.best, value.position.weight
    missed, total = best.parts(best.known[guess])
    lost = best.final and (missed > 0 or value.within.best_proven)
    scores = rest.matrix[guess]
    sizes = np.bincount(scores, None if value.position.weights is None else value.position.weights.values)
    classes = int(np.count_nonzero(np.bincount(scores)))
    sizes = sizes[sizes > 0]
    return Advice(
        guess=rest.guesses[guess],
        rank=rank,
        total=total,
        mean=Fraction(total, weight - missed),  # of a guess that finds something: others are no advice
        worst=best.worst(guess),
        is_candidate=guess in best.answers,
        chance=Fraction(value.position.weigh(scores == rest.winning_code), weight),
        classes=classes,
        bits=float(np.log2(weight) - (sizes * np.log2(sizes)).sum() / weight),
        proven=guess in best.exact,
        missed=missed if lost else None,
        win_chance=Fraction(weight - missed, weight) if lost else None,
    )
