"""Exact advice at any position of a game, and trees from there on.

A position is the guesses made with their feedback, as `salet=BYBBB crony=BYYBB` or as pairs. What is left of the
game after it is a game of its own: the answers that fit, and the guesses that are still legal. That holds under
every rule, because hints only ever add demands that each later guess must meet by itself.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.errors import IllegalGuess, ImpossibleFeedback, InputError
from optimal.games.feedback import Feedback, WordFeedback, quoted
from optimal.games.game import Game, check_limit, feedback_matrix
from optimal.games.info import History
from optimal.games.presets import by_hashes
from optimal.games.rules import Rules, violation
from optimal.games.weights import Weights
from optimal.games.wordlists import plain_word
from optimal.search.known_openers import known_openers
from optimal.search.ranking import (
    DEFAULT_TOP,
    Race,
    check_jobs,
    check_top,
    least_totals,
    new_run,
    places,
    shown_of,
)
from optimal.search.result import Result, Status
from optimal.search.solve import UNSET, Progress, _Question, _Run, _stopping, _Unset, is_symmetric, solve
from optimal.search.symmetry import representatives
from optimal.show.html import html_table
from optimal.show.text import columns

#: A position as the caller may write it: text, or pairs of a guess and its feedback (text or code).
PositionLike = str | Sequence[tuple[str, str | int]]

WIDTH = 80  # of the text, in characters
#: A text lists the candidates where they are no more than this.
CANDIDATES_SHOWN = 40


# Positions


def parse_position(game: Game, position: PositionLike) -> History:
    """The guesses and feedback codes of a position such as "salet=bybbb crony=byybb".

    Raises InputError for text of another form and for feedback that is none; the position itself is not checked.
    """
    turns = _written_turns(game, position) if isinstance(position, str) else position
    history = []
    for number, turn in enumerate(turns, 1):
        if not (isinstance(turn, tuple | list) and len(turn) == 2 and isinstance(turn[0], str)):
            raise InputError(f"turn {number}, {quoted(repr(turn))}, is no pair of a guess and its feedback")
        guess, feedback = turn
        if isinstance(feedback, str):
            if game.feedback is None:
                raise InputError(f"turn {number}: a bare matrix has no written feedback; give the code, such as 3")
            try:
                code = game.feedback.parse(feedback)
            except InputError as error:
                raise InputError(f"turn {number}, {quoted(guess)}: {error}") from None
        else:
            code = int(feedback)
        history.append((guess if game.feedback is None else plain_word(guess), code))
    return tuple(history)


def _written_turns(game: Game, text: str) -> list[tuple[str, str]]:
    turns: list[tuple[str, str]] = []
    for word in re.sub(r"\s*=\s*", "=", text).split():
        guess, equals, feedback = word.partition("=")
        if guess and feedback:
            turns.append((guess, feedback))
        elif turns and not equals and not isinstance(game.feedback, WordFeedback):
            # The feedback of a peg game may be written "2 1".
            turns[-1] = (turns[-1][0], f"{turns[-1][1]} {word}")
        else:
            raise InputError(f"{quoted(word)} is no turn of a position: write GUESS=FEEDBACK, such as salet=BYBBB")
    return turns


def describe(game: Game, history: History) -> str:
    """A position as it is written: "salet=BYBBB crony=BYYBB"."""
    return " ".join(f"{guess}={feedback_text(game, code)}" for guess, code in history)


def feedback_text(game: Game, code: int) -> str:
    """The text of a feedback code; a bare matrix has its number alone."""
    return str(code) if game.feedback is None else game.feedback.format(code)


def any_answer(game: Game) -> Game:
    """The same word game with every guess as a possible answer: the real game now and then changes its list."""
    if game.guesses == game.answers:
        return game
    if not isinstance(game.feedback, WordFeedback):
        raise InputError(f"{game.name}: only a game of words can take every guess for an answer")
    info = game.info
    known = by_hashes(info.guesses_sha256, info.guesses_sha256)
    name = f"{game.name}-all" if known is None else known.name
    return Game.from_words(game.guesses, game.guesses, name=name, rules=game.rules, max_guesses=game.max_guesses)


@dataclass(frozen=True, eq=False)
class Place:
    """A position of a game, checked: ``rest`` is the game that is left of it, with the guesses that are left.

    The guesses of ``rest`` are the legal ones and its answers the candidates, in the order of the game.
    """

    game: Game
    history: History
    limit: int | None  # from the start of the game
    candidates: npt.NDArray[np.intp]  # indices of the game's answers
    rest: Game

    def race(self, question: _Question, run: _Run, guesses: Sequence[int] | None = None) -> Race:
        """A race over the legal guesses, or over those named."""
        game, rest = self.game, self.rest
        # A whole game has its symmetries without our help.
        ours = is_symmetric(game) and self.history
        like = representatives([guess for guess, _ in self.history], rest.guesses) if ours else None
        return Race(question, run, range(len(rest.guesses)) if guesses is None else guesses, like)


def place_of(game: Game, position: PositionLike, max_guesses: int | _Unset | None = UNSET) -> Place:
    """Check a position and take it up.

    Raises IllegalGuess for a guess outside the list or against the rules, ImpossibleFeedback where no answer fits,
    with the fewest turns that contradict each other, and InputError when no guess is left to make.
    """
    limit = game.max_guesses if isinstance(max_guesses, _Unset) else check_limit(max_guesses)
    history = parse_position(game, position)
    check_guesses(game, history)
    candidates = candidates_of(game, history)
    for number, (guess, code) in enumerate(history, 1):
        if code == game.winning_code:
            raise InputError(f"turn {number}, {describe(game, ((guess, code),))}, found the answer: the game is over")
    if limit is not None and len(history) >= limit:
        raise InputError(f"no guess is left: {len(history)} are made, and the limit is {limit}")
    left = None if limit is None else limit - len(history)
    return Place(game, history, limit, candidates, _rest(game, history, candidates, left))


def check_guesses(game: Game, history: History) -> None:
    """Raise IllegalGuess for a guess outside the list or against the rules."""
    for turn, (guess, code) in enumerate(history):
        try:
            game.guess_index(guess)
        except InputError as error:
            raise IllegalGuess(f"turn {turn + 1}: {error}") from None
        if game.feedback is not None:
            game.feedback.format(code)  # raises InputError for a code out of range
        if broken := _broken_rule(game, history[:turn], guess):
            raise IllegalGuess(f"turn {turn + 1} is illegal under {game.rules} rules: {broken}")


def candidates_of(game: Game, history: History) -> npt.NDArray[np.intp]:
    """The indices of the answers that fit; ImpossibleFeedback if there is none."""
    if not history:
        return np.arange(len(game.answers))
    rows = np.array([game.guess_index(guess) for guess, _ in history])
    fits = game.matrix[rows] == np.array([[code] for _, code in history])
    candidates = np.flatnonzero(fits.all(axis=0))
    if not len(candidates):
        raise ImpossibleFeedback(_contradiction(game, history, ~fits))
    return candidates


def _broken_rule(game: Game, history: History, guess: str) -> str | None:
    """What makes a guess illegal after these turns; None if it is legal."""
    if game.feedback is not None:
        return violation(game.rules, game.feedback, history, guess)
    if game.rules is Rules.NORMAL:
        return None
    for turn, (past, code) in enumerate(history, 1):  # a square matrix, in which guess i is answer i
        scored = int(game.matrix[game.guess_index(past), game.guess_index(guess)])
        if scored != code:
            return f"{quoted(guess)} breaks the hint of turn {turn}, {past}={code}: it would have brought {scored}"
    return None


def _rest(game: Game, history: History, candidates: npt.NDArray[np.intp], left: int | None) -> Game:
    if not history:
        return replace(game, max_guesses=left)
    legal = _legal(game, history, candidates)
    number = {int(guess): i for i, guess in enumerate(legal)}
    matrix = np.ascontiguousarray(game.matrix[np.ix_(legal, candidates)])
    matrix.flags.writeable = False
    words = isinstance(game.feedback, WordFeedback)
    return replace(
        game,
        guesses=tuple(game.guesses[guess] for guess in legal),
        answers=tuple(game.answers[answer] for answer in candidates),
        # The codes left of a peg game have lost the symmetry that all of them have.
        feedback=game.feedback if words else None,
        matrix=matrix,
        answer_guess=np.array([number[int(guess)] for guess in game.answer_guess[candidates]], dtype=np.int32),
        max_guesses=left,
    )


def _legal(game: Game, history: History, candidates: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The guesses that the rules allow after these turns."""
    feedback = game.feedback
    if game.rules is Rules.NORMAL:
        return np.arange(len(game.guesses))
    if feedback is None or (game.rules is Rules.ULTRA_HARD and game.guesses == game.answers):
        # Ultra-hard: the guesses that may be the answer. A bare matrix has no other rules.
        return np.sort(game.answer_guess[candidates]).astype(np.intp)
    if game.rules is Rules.ULTRA_HARD:
        return np.flatnonzero(_fitting(feedback, history, game.guesses))
    fair = (violation(game.rules, feedback, history, guess) is None for guess in game.guesses)
    return np.flatnonzero(np.fromiter(fair, dtype=bool, count=len(game.guesses)))


def _fitting(feedback: Feedback, history: History, words: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which of the words, were they the answer, would have brought the feedback of all turns."""
    replies = feedback_matrix(feedback, [guess for guess, _ in history], words)
    fits: npt.NDArray[np.bool_] = (replies == np.array([[code] for _, code in history])).all(axis=0)
    return fits


def _contradiction(game: Game, history: History, misfits: npt.NDArray[np.bool_]) -> str:
    """One line that names the fewest turns that no answer fits together."""
    named = [f"turn {turn + 1} ({describe(game, history[turn : turn + 1])})" for turn in _fewest_cover(misfits)]
    if len(named) == 1:
        line = f"no answer of {game.name} fits {named[0]}"
    else:
        them = "both" if len(named) == 2 else "them all"
        line = f"{', '.join(named[:-1])} and {named[-1]} contradict each other: no answer of {game.name} fits {them}"
    fit = 0
    if isinstance(game.feedback, WordFeedback):
        fit = int(_fitting(game.feedback, history, game.guesses).sum())
    if fit:
        line += f"; {fit} guess{'es' * (fit > 1)} outside the answers fit{'s' * (fit == 1)} (--candidates guesses)"
    return line


def _fewest_cover(misfits: npt.NDArray[np.bool_]) -> list[int]:
    """The fewest rows of which every column has a True in one at least; the first such rows in list order."""
    columns = np.unique(misfits, axis=1)

    def cover(left: npt.NDArray[np.bool_], size: int) -> list[int] | None:
        if not left.shape[1]:
            return []
        if not size:
            return None
        # One of the rows that cover the hardest column must be taken.
        hardest = int(left.sum(axis=0).argmin())
        found = []
        for row in np.flatnonzero(left[:, hardest]):
            rows = cover(left[:, ~left[row]], size - 1)
            if rows is not None:
                found.append(sorted([int(row), *rows]))
        return min(found, default=None)

    for size in range(1, len(misfits) + 1):
        rows = cover(columns, size)
        if rows is not None:
            return rows
    raise AssertionError("every column has a True somewhere")


# Advice


@dataclass(frozen=True)
class Advice:
    """What one guess is worth at a position. Totals and the worst case count guesses from now on."""

    guess: str
    rank: int  # equal totals share a rank
    total: int  # exact: the sum over the candidates, with best play after the guess
    mean: Fraction
    worst: int  # the least worst case among the best continuations
    is_candidate: bool
    chance: Fraction  # that the guess is the answer
    classes: int  # different replies
    bits: float  # expected information

    def to_dict(self) -> dict[str, Any]:
        return {
            "guess": self.guess,
            "rank": self.rank,
            "total": self.total,
            "mean": float(self.mean),
            "worst": self.worst,
            "is_candidate": self.is_candidate,
            "chance": float(self.chance),
            "classes": self.classes,
            "bits": self.bits,
        }


@dataclass(frozen=True)
class Analysis:
    """The best guesses at a position with their exact totals: what :func:`analyse` returns.

    ``guesses`` are the best ``top`` with all ties of the last, best first: by total, then worst case, then whether
    the guess may be the answer, then list order. ``others`` are all other legal guesses, each with a proven lower
    bound of its total (None: no tree within the limit). Without a tree for any guess the status is INFEASIBLE.
    ``source`` is "search", or "table" for the shipped totals of a whole game's openers.
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

    @property
    def best(self) -> Advice | None:
        """The best guess."""
        return self.guesses[0] if self.guesses else None

    @property
    def total(self) -> int | None:
        """The least total from here on; None where there is no tree within the limit."""
        return self.guesses[0].total if self.guesses else None

    @property
    def mean(self) -> Fraction | None:
        return self.guesses[0].mean if self.guesses else None

    @property
    def guesses_left(self) -> int | None:
        return None if self.max_guesses is None else self.max_guesses - self.guesses_made

    def to_dict(self, *, others: bool = False) -> dict[str, Any]:
        """The JSON object of `optimal suggest --json`; with ``others``, all other legal guesses and their bounds."""
        bounds = [bound for _, bound in self.others if bound is not None]
        fields: dict[str, Any] = {
            "candidates": len(self.candidates),
            "total": self.total,
            "mean": None if self.mean is None else float(self.mean),
            "guesses": [advice.to_dict() for advice in self.guesses],
            "candidate_words": list(self.candidates),
            "others": len(self.others),
            "others_bound": min(bounds, default=None),
            "status": self.status.value,
            "source": self.source,
            "game": self.game,
            "rules": self.rules,
            "position": self.position,
            "max_guesses": self.max_guesses,
            "guesses_left": self.guesses_left,
        }
        if others:
            fields["other_guesses"] = [{"guess": guess, "bound": bound} for guess, bound in self.others]
        return fields

    def __str__(self) -> str:
        table = [columns(self._headings, self._rows()).rstrip("\n")] if self.guesses else []
        notes = (textwrap.fill(note, WIDTH) for note in self._notes())
        return "\n".join([textwrap.fill(self._caption, WIDTH), *table, *notes])

    def others_text(self) -> str:
        """All other legal guesses with their proven lower bounds, as a table."""
        rows = [(guess, "infeasible" if bound is None else str(bound)) for guess, bound in self.others]
        return columns(("guess", "at_least"), rows).rstrip("\n")

    def _repr_html_(self) -> str:
        return html_table(self._caption, self._headings, self._rows(), *self._notes())

    _headings = ("guess", "rank", "total", "mean", "worst", "answer?", "wins now", "classes", "bits")

    @property
    def _caption(self) -> str:
        start = f"after {self.position}" if self.position else "first guess"
        left = self.guesses_left
        guesses = "no limit" if left is None else f"{left} guess{'es' * (left > 1)} left"
        count = len(self.candidates)
        return f"{self.game}, {self.rules} rules, {start}: {count} candidate{'s' * (count > 1)}, {guesses}"

    def _rows(self) -> list[list[str]]:
        rows = []
        for advice in self.guesses[: shown_of([advice.total for advice in self.guesses], self.top)]:
            chance = f"{100 * float(advice.chance):.2f} %" if advice.is_candidate else ""
            numbers = [str(advice.rank), str(advice.total), f"{float(advice.mean):.4f}", str(advice.worst)]
            likely = ["yes" if advice.is_candidate else "", chance]
            rows.append([advice.guess, *numbers, *likely, str(advice.classes), f"{advice.bits:.3f}"])
        return rows

    def _notes(self) -> list[str]:
        notes = []
        if not self.guesses:
            notes.append(
                "No strategy finds every candidate with the guesses left (proven). "
                "Without a limit (--max-guesses none) guesses are ranked all the same."
            )
        hidden = len(self.guesses) - len(self._rows())
        if hidden:
            notes.append(f"{hidden} more of total {self.guesses[-1].total}.")
        if self.others and self.guesses:
            count = f"{len(self.others)} other guess{'es' * (len(self.others) > 1)}"
            bounds = [bound for _, bound in self.others if bound is not None]
            notes.append(f"{count}: total {min(bounds)} at least (proven)." if bounds else f"{count}: infeasible.")
        if self.source == "table":
            notes.append("From the shipped table of exact totals.")
        if len(self.candidates) <= CANDIDATES_SHOWN:
            notes.append(f"Candidates: {', '.join(self.candidates)}")
        return notes


def analyse(
    game: Game,
    position: PositionLike = "",
    *,
    top: int = DEFAULT_TOP,
    max_guesses: int | _Unset | None = UNSET,
    jobs: int = 1,
    table: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Analysis:
    """The best ``top`` guesses at a position, each with its exact total, and bounds of all other legal guesses.

    ``position`` is text such as "salet=bybbb crony=byybb", or pairs; "" is the start of the game. ``max_guesses``
    is the limit from the start of the game on, the game's unless given. At the start of a shipped game the shipped
    totals answer, unless ``table`` is false.

    Raises IllegalGuess, ImpossibleFeedback or InputError for a position that cannot be, each saying why.
    """
    check_top(top)
    check_jobs(jobs)
    place = place_of(game, position, max_guesses)
    rest = place.rest
    known = known_openers(rest, top) if table and not place.history else None
    if known is not None:
        totals = {rest.guess_index(opener.guess): opener.total for opener in known}
        heights = {rest.guess_index(opener.guess): opener.worst for opener in known}
        return _analysis(place, top, totals, heights, "table")
    question, run = questioned(rest, jobs, progress)
    with finishing(run):
        race = place.race(question, run)
        race.totals(range(len(rest.guesses)), top)
        totals = listed_totals(race, top)
        heights = race.heights(totals)
    return _analysis(place, top, totals, heights, "search")


def questioned(rest: Game, jobs: int, progress: Callable[[Progress], None] | None) -> tuple[_Question, _Run]:
    """What a race over the guesses of this game needs."""
    question = _Question(rest, "mean", rest.max_guesses, None, None, None, jobs, "threads", None, frozenset())
    return question, new_run(rest, rest.max_guesses, progress)


@contextmanager
def finishing(run: _Run) -> Iterator[None]:
    """Let Ctrl-C end the searches within; half an analysis is none, so it goes on as KeyboardInterrupt."""
    with _stopping(run, None):
        yield
        if run.control.stopped:
            raise KeyboardInterrupt


def listed_totals(race: Race, top: int) -> dict[int, int]:
    """The totals of the best `top` guesses and of all that tie with the last of them."""
    last = race.last_place(top)
    exact = {guess: race.run.values[like] for guess, like in race.like.items() if like in race.run.values}
    return {guess: total for guess, total in exact.items() if total <= last}


def _analysis(place: Place, top: int, totals: dict[int, int], heights: dict[int, int], source: str) -> Analysis:
    rest = place.rest
    answers = set(rest.answer_guess.tolist())
    order = sorted(totals, key=lambda guess: (totals[guess], heights[guess], guess not in answers, guess))
    ranks = places([totals[guess] for guess in order])
    advice = tuple(
        _advice(rest, guess, rank or 0, totals[guess], heights[guess], guess in answers)
        for guess, rank in zip(order, ranks, strict=True)
    )
    left = np.setdiff1d(np.arange(len(rest.guesses)), np.array(order, dtype=np.int64))
    others: list[tuple[str, int | None]]
    if len(totals) < top:  # every guess that has a tree is listed
        others = [(rest.guesses[guess], None) for guess in left]
    else:
        # What each search happened to prove depends on the jobs; these bounds do not.
        bounds = np.maximum(least_totals(rest)[left], max(totals.values()) + 1)
        order_left = np.argsort(bounds, kind="stable")
        others = [(rest.guesses[left[i]], int(bounds[i])) for i in order_left]
    return Analysis(
        game=place.game.name,
        rules=str(place.game.rules),
        position=describe(place.game, place.history),
        max_guesses=place.limit,
        guesses_made=len(place.history),
        candidates=rest.answers,
        top=top,
        guesses=advice,
        others=tuple(others),
        status=Status.OPTIMAL if totals else Status.INFEASIBLE,
        source=source,
    )


def _advice(rest: Game, guess: int, rank: int, total: int, worst: int, is_candidate: bool) -> Advice:
    count = len(rest.answers)
    sizes = np.unique(rest.matrix[guess], return_counts=True)[1]
    return Advice(
        guess=rest.guesses[guess],
        rank=rank,
        total=total,
        mean=Fraction(total, count),
        worst=worst,
        is_candidate=is_candidate,
        chance=Fraction(int(is_candidate), count),
        classes=len(sizes),
        bits=float(np.log2(count) - (sizes * np.log2(sizes)).sum() / count),
    )


# Trees


def solve_position(
    game: Game,
    position: PositionLike,
    *,
    objective: str = "mean",
    max_guesses: int | _Unset | None = UNSET,
    weights: Weights | None = None,
    openers: Sequence[str] | None = None,
    jobs: int = 1,
    backend: str = "threads",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """The best strategy tree from a position on, over all legal guesses or the ``openers`` named.

    The options are those of :func:`optimal.solve`; ``max_guesses`` and the K of "within:K" count from the start of
    the game. The tree's total, worst case and distribution count guesses from the position on.
    """
    place = place_of(game, position, max_guesses)
    rest, made = place.rest, len(place.history)
    for opener in openers or ():
        game.guess_index(opener)
        if broken := _broken_rule(game, place.history, opener):
            raise IllegalGuess(f"an opener is illegal under {game.rules} rules: {broken}")
    from_here = objective
    kind, _, number = objective.partition(":")
    if made and kind == "within" and number.isdecimal():
        if int(number) <= made:
            raise InputError(f"objective {objective}: {made} guesses are made already; K must be more")
        from_here = f"within:{int(number) - made}"
    if weights is not None:
        weights = replace(weights, values=tuple(weights.values[answer] for answer in place.candidates))
    result = solve(
        rest,
        objective=from_here,
        weights=weights,
        openers=openers,
        jobs=jobs,
        backend=backend,
        time_limit=time_limit,
        memory_limit=memory_limit,
        progress=progress,
    )
    if result.tree is None:
        return result
    tree = replace(result.tree, game=game.info, objective=objective, max_guesses=place.limit, position=place.history)
    return replace(result, tree=tree)
