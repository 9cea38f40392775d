"""A finished game, guess by guess: what was skill and what was luck, against exact best play.

For a position P with n candidates, E(P) = V(P) / n guesses are expected with best play, V(P) being the least total.
A guess g makes it Q(P, g) = 1 + the sum over its classes c of |c| / n E(c), and E is 0 once the answer is found.

    skill_loss = Q(P, g) - E(P)                 never below 0, and 0 for each of the best guesses
    luck       = Q(P, g) - 1 - E(class seen)    how much better than expected the reply was

Beside these stand two scores from 0 to 99. Skill is 99 for a best guess, 0 for one that throws away a whole guess or
more. Luck is 50 for a reply as good as expected, 99 for one that saves a whole guess or more, 0 for one that costs it.

So the guesses used are E(start) + the sum of skill_loss - the sum of luck, exactly; in a game that ended unsolved, E of
the position left counts as used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from optimal.checks import check_jobs, check_limit, check_progress, check_seconds, check_texts, check_truth
from optimal.errors import InputError
from optimal.games.game import Game, check_game
from optimal.games.info import History
from optimal.games.presets import titled
from optimal.games.rules import Rules
from optimal.positions.position import check_guesses, checked_position, tier_of
from optimal.positions.valuation import TOO_MANY, Valuation
from optimal.search.game_run import GameRun
from optimal.search.progress import Progress
from optimal.search.question import Question
from optimal.search.result import Status
from optimal.search.stopping import stopping
from optimal.show.table import Grid, Listed
from optimal.show.text import cell
from optimal.show.words import counted, listed, quoted, shown, within

TABLE = "from the shipped table of exact totals"
MOST_SCORE = 99
#: How good a guess is that throws so much away at most.
GRADES = ((0.02, "nearly the best"), (0.1, "good"), (0.3, "fair"), (0.7, "weak"), (math.inf, "a mistake"))
#: Positions of so many candidates at most are settled in no time.
SOON = 100

_SQUARES = set("⬛⬜🟨🟩🟦🟧")


@dataclass(frozen=True)
class Turn:
    """One guess of a finished game. What is not known is None, and ``note`` says why.

    ``expected`` is Q, the guesses expected from this one on; ``best_expected`` is E, the same with a best guess
    instead; ``expected_after`` is E of the position that the reply left. ``best_guesses`` are all of least total,
    the first of them the canonical one. ``source`` is "search", or "table" where the shipped totals answered.

    Where no answer of the list brings the reply, ``candidates_after`` is 0; the turns that follow are of other words.

    In a debrief that was stopped, ``total`` is exact only where ``proven``, and ``best_total`` where ``best_proven``:
    else they are of trees that were found by then, which best play may beat, or None.
    """

    guess: str
    feedback: str
    candidates_before: int
    candidates_after: int
    is_candidate: bool
    total: int | None
    best_total: int | None
    expected_after: Fraction | None
    best_guesses: tuple[str, ...]
    note: str | None
    source: str
    proven: bool = True
    best_proven: bool = True
    possible_best: tuple[str, ...] = ()  # those of best_guesses that might have been the answer
    listed: bool = True  # whether the candidates are answers of the list; else they are other words

    @property
    def skill_score(self) -> int | None:
        """99 for a best guess, 0 for one that throws away a whole guess or more; None where it isn't known."""
        return None if self.skill_loss is None else round(MOST_SCORE * max(Fraction(0), 1 - self.skill_loss))

    @property
    def luck_score(self) -> int | None:
        """50 as expected, 99 a guess saved or more, 0 one lost; None where it isn't known, or nothing was open."""
        if self.luck is None or self.candidates_before == 1:
            return None
        return round(MOST_SCORE * min(max((1 + self.luck) / 2, Fraction(0)), Fraction(1)))

    @property
    def expected(self) -> Fraction | None:
        return None if self.total is None else Fraction(self.total, self.candidates_before)

    @property
    def best_expected(self) -> Fraction | None:
        return None if self.best_total is None else Fraction(self.best_total, self.candidates_before)

    @property
    def best_guess(self) -> str | None:
        return self.best_guesses[0] if self.best_guesses else None

    @property
    def skill_loss(self) -> Fraction | None:
        """Guesses lost against a best guess, in expectation."""
        if self.expected is None or self.best_expected is None or not (self.proven and self.best_proven):
            return None
        return self.expected - self.best_expected

    @property
    def luck(self) -> Fraction | None:
        """Guesses by which the reply was better than expected."""
        if self.expected is None or self.expected_after is None or not self.proven:
            return None
        return self.expected - 1 - self.expected_after

    @property
    def bits(self) -> float | None:
        """Information that the reply brought; None where no candidate brings it."""
        return math.log2(self.candidates_before / self.candidates_after) if self.candidates_after else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "guess": self.guess,
            "feedback": self.feedback,
            "candidates_before": self.candidates_before,
            "candidates_after": self.candidates_after,
            "expected": _number(self.expected),
            "best_guess": self.best_guess,
            "best_guesses": list(self.best_guesses),
            "best_expected": _number(self.best_expected),
            "expected_after": _number(self.expected_after),
            "skill_loss": _number(self.skill_loss),
            "luck": _number(self.luck),
            "bits": self.bits,
            "skill_score": self.skill_score,
            "luck_score": self.luck_score,
            "is_candidate": self.is_candidate,
            "total": self.total,
            "best_total": self.best_total,
            "note": self.note,
            "source": self.source,
            "proven": self.proven,
            "best_proven": self.best_proven,
            "listed": self.listed,
        }


@dataclass(frozen=True, repr=False)
class Debrief(Listed[Turn]):
    """A game looked back on: what :func:`debrief` returns.

    ``skill_loss`` and ``luck`` sum over the turns from the first that is valued, ``first_valued``, on;
    ``expected_start`` is E there. They are None where a limit makes one of them infinite, or where one isn't known.

    ``status`` is OPTIMAL: all that can be valued is exact. A debrief that was stopped is FEASIBLE, some of it not
    proven or not known, or UNKNOWN where nothing is known.
    """

    game: str
    rules: str
    max_guesses: int | None
    answer: str | None  # None: not solved, and not told
    solved: bool
    turns: tuple[Turn, ...]
    status: Status = Status.OPTIMAL
    stop_reason: str = "done"
    answer_listed: bool = True  # where it is told
    limit_of_game: int | None = None

    @property
    def guesses_used(self) -> int:
        return len(self.turns)

    @property
    def first_valued(self) -> int | None:
        """The index of the first turn that is valued; None if there is none."""
        return next((i for i, turn in enumerate(self.turns) if turn.note != TOO_MANY), None)

    @property
    def valued(self) -> tuple[Turn, ...]:
        return () if self.first_valued is None else self.turns[self.first_valued :]

    @property
    def expected_start(self) -> Fraction | None:
        return self.valued[0].best_expected if self.valued and self.valued[0].best_proven else None

    @property
    def expected_left(self) -> Fraction | None:
        """E of the position after the last guess: 0 when it found the answer."""
        return self.turns[-1].expected_after

    @property
    def skill_loss(self) -> Fraction | None:
        return _sum([turn.skill_loss for turn in self.valued])

    @property
    def luck(self) -> Fraction | None:
        return _sum([turn.luck for turn in self.valued])

    @property
    def skill_score(self) -> int | None:
        """The mean of the turns' scores that are known."""
        return _mean_score(turn.skill_score for turn in self.turns)

    @property
    def luck_score(self) -> int | None:
        """The mean of the turns' scores that are known."""
        return _mean_score(turn.luck_score for turn in self.turns)

    @property
    def bits(self) -> float | None:
        """Information that all replies brought together; None where the list of answers ended on the way."""
        if any(turn.bits is None for turn in self.turns):
            return None
        return math.log2(self.turns[0].candidates_before / self.turns[-1].candidates_after)

    @property
    def listed(self) -> bool:
        """Whether the answer is in the list; where it isn't told, whether one in the list fits the whole game."""
        return self.answer_listed and self.turns[-1].listed and self.turns[-1].candidates_after > 0

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `optimal debrief --json`."""
        return {
            "turns": [turn.to_dict() for turn in self.turns],
            "answer": self.answer,
            "listed": self.listed,
            "solved": self.solved,
            "guesses_used": self.guesses_used,
            "expected_start": _number(self.expected_start),
            "expected_left": _number(self.expected_left),
            "skill_loss": _number(self.skill_loss),
            "luck": _number(self.luck),
            "bits": self.bits,
            "skill_score": self.skill_score,
            "luck_score": self.luck_score,
            "valued_from": None if self.first_valued is None else self.first_valued + 1,
            "game": self.game,
            "rules": self.rules,
            "max_guesses": self.max_guesses,
            "status": self.status.value,
            "stop_reason": self.stop_reason,
        }

    @property
    def rows(self) -> tuple[Turn, ...]:
        """The guesses, in playing order."""
        return self.turns

    @property
    def table(self) -> Grid:
        """The same for people, with a line for the sums."""
        answer = "" if self.answer is None else f", answer {self.answer}"
        answer += "" if self.answer is None or self.listed else ", which is not in the list"
        limit = "" if self.max_guesses is None else f", {within(self.max_guesses)}"
        return Grid(
            f"{titled(self.game)}, {self.rules} rules{limit}{answer}",
            ("guess", "feedback", "before", "after", "expected", "best", "lost", "luck", "bits"),
            [*map(self._row, self.turns), self._sums],
            self._notes(),
        )

    @staticmethod
    def _row(turn: Turn) -> tuple[object, ...]:
        left = (turn.candidates_before, turn.candidates_after)
        expected = (_at_most(turn.expected, turn.proven), _at_most(turn.best_expected, turn.best_proven))
        lost = (turn.skill_loss, _signed(turn.luck))
        return turn.guess, turn.feedback, *left, *expected, *lost, _bits(turn.bits)

    @property
    def _sums(self) -> tuple[object, ...]:
        return "sum", *[""] * 5, self.skill_loss, _signed(self.luck), _bits(self.bits)

    def _notes(self) -> list[str]:
        notes = []
        for number, turn in enumerate(self.turns, 1):
            told = []
            if not turn.candidates_after:
                told.append("here the list of answers ends")
                if number < len(self.turns):
                    told[-1] += f", and {counted(self.turns[number].candidates_before, 'other word')} may be meant"
            told += [] if turn.note is None else [turn.note]
            told += _verdict(turn)
            scores = {"skill": turn.skill_score, "luck": turn.luck_score}
            known = ", ".join(f"{name} {score}" for name, score in scores.items() if score is not None)
            told += [known] if known else []
            told += [TABLE] if turn.source == "table" else []
            if told:
                notes.append(f"Guess {number}, {turn.guess}: {'; '.join(told)}.")
        if self.status is not Status.OPTIMAL:
            known = "what has <= is of trees that best play may beat, and - is not known"
            notes.append(f"Stopped, {self.stop_reason}: {known}.")
        notes.append(
            "Lost: guesses thrown away against a best guess. Luck: guesses that the reply saved, more or less than "
            f"expected. Bits: what it told; each halves the candidates. Scores are from 0 to {MOST_SCORE}."
        )
        if self._tighter:
            limit = f"--max-guesses {self.limit_of_game}"
            notes.append(
                f"All of it is without a limit of guesses, so first guesses may rank otherwise: {limit} sets one."
            )
        return [*notes, self._total]

    @property
    def _tighter(self) -> bool:
        """Whether the game's own limit may change what is best; by normal rules openers hardly ever need so many."""
        return self.max_guesses is None and self.limit_of_game is not None and self.rules != str(Rules.NORMAL)

    @property
    def _total(self) -> str:
        used = f"Total: {counted(self.guesses_used, 'guess', 'guesses')}{'' if self.solved else ', not solved'}"
        start, lost, luck, left = self.expected_start, self.skill_loss, self.luck, self.expected_left
        if start is None or lost is None or luck is None or left is None:
            return f"{used}."
        before = self.first_valued or 0
        sum_of = [f"{before} unvalued +"] if before else []
        lucky = f"- {cell(luck)} luck" if luck >= 0 else f"+ {cell(-luck)} bad luck"
        sum_of.append(f"{cell(start)} expected + {cell(lost)} skill lost {lucky}")
        sum_of += [] if self.solved else [f"- {cell(left)} still to come"]
        last, odd = self.turns[-1], ""
        if not self.answer_listed and last.listed:  # else what is to come is of the other words
            odd = f", if it were one of the {counted(last.candidates_after, 'answer')} left in the list"
        return f"{used} = {' '.join(sum_of)}{odd}."


def debrief(
    game: Game | str,
    answer: str | None,
    guesses: Sequence[str],
    *,
    grid: str | None = None,
    max_guesses: int | None = None,
    jobs: int = 1,
    table: bool = True,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Debrief:
    """Skill and luck of every guess of a game, against exact best play.

    An answer that is in no list will do, where it may be guessed: once no answer in the list fits, the turns are of the
    other words.

    >>> from optimal import debrief
    >>> told = debrief("classic", "crane", ["salet", "beard", "crate", "crane"])
    >>> [(turn.guess, float(turn.skill_loss)) for turn in told]
    [('salet', 0.0), ('beard', 0.0), ('crate', 0.75), ('crane', 0.0)]

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    answer : str or None
        The answer; None where ``grid`` has the feedback.
    guesses : sequence of str
        In playing order, the answer included if it was found.
    grid : str, optional
        A pasted share grid, with a row for each guess.
    max_guesses : int, optional
        A limit of guesses; there is none unless given.
    jobs : int, optional
        Searches at once.
    table : bool, optional
        Whether the shipped totals may answer at the start of a shipped game.
    time_limit : float, optional
        Seconds; they, Ctrl-C and SIGTERM end the search with what is known then.
    progress : callable, optional
        Hears how far it is, see `Progress`.

    Returns
    -------
    Debrief
        A list of `Turn` that prints as `optimal debrief` does.

    Raises
    ------
    InputError
        For words outside the lists, guesses that the rules forbid, guesses after the answer, and a grid that does not
        fit.
    """
    game = check_game(game)
    jobs, limit = check_jobs(jobs), check_limit(max_guesses)
    time_limit, table = check_seconds(time_limit), check_truth(table, "table")
    check_progress(progress)
    answer = game.written(answer) if isinstance(answer, str) else answer
    history = _history(game, answer, check_texts(guesses, "guesses", "salet"), grid)
    solved = history[-1][1] == game.winning_code
    run = GameRun(Question(game, limit))  # whose clock and stop flag all the races share
    worth = _valuations(game, history, limit, jobs, table, progress, run)
    with stopping(run, time_limit):
        _settle(worth)
    status = _status(worth)
    answer = history[-1][0] if answer is None and solved else answer
    return Debrief(
        game=game.name,
        rules=str(game.rules),
        max_guesses=limit,
        answer=answer,
        solved=solved,
        turns=_turns(game, history, worth),
        status=status,
        stop_reason="done" if status is Status.OPTIMAL else run.stop_reason,
        answer_listed=answer is None or answer in game.answers,
        limit_of_game=game.max_guesses,
    )


def _valuations(
    game: Game,
    history: History,
    limit: int | None,
    jobs: int,
    table: bool,
    progress: Callable[[Progress], None] | None,
    run: GameRun,
) -> list[Valuation]:
    """The position before each guess, with what the guess is worth there; and the one left, if the game goes on."""
    worth = []
    for number, (guess, _) in enumerate(history):
        news = _named(progress, f"guess {number + 1}")
        position = checked_position(game, history[:number], limit, others=True)
        worth.append(Valuation(position, guess, jobs, table, news, run))
    if history[-1][1] != game.winning_code and len(history) != limit:
        news = _named(progress, "the position left")
        position = checked_position(game, history, limit, others=True)
        worth.append(Valuation(position, None, jobs, table, news, run))
    return worth


def _settle(worth: Sequence[Valuation]) -> None:
    """The smaller positions first: those that are settled soon, then something of the others, then all of it."""
    for value in reversed(worth):
        value.estimate()
        if value.count <= SOON:
            value.settle()
    for value in reversed(worth):
        value.settle()


def _turns(game: Game, history: History, worth: Sequence[Valuation]) -> tuple[Turn, ...]:
    """Each guess with what it was worth, and what the position after it was."""
    after = [value.expected for value in worth[1:]]
    if len(after) < len(history):
        after.append(Fraction(0) if history[-1][1] == game.winning_code else None)
    return tuple(
        _turn(guess, code, value, expected)
        for (guess, code), value, expected in zip(history, worth, after, strict=False)
    )


def _turn(guess: str, code: int, value: Valuation, expected_after: Fraction | None) -> Turn:
    game = value.position.game
    scores = game.matrix[game.guess_index(guess), value.position.candidates]
    candidates = {game.answers[answer] for answer in value.position.candidates}
    left = int((scores == code).sum())
    return Turn(
        guess=guess,
        feedback=game.format(code),
        candidates_before=value.count,
        candidates_after=left,
        is_candidate=bool((scores == game.winning_code).any()),
        total=value.total,
        best_total=value.best_total,
        expected_after=expected_after if left else None,
        best_guesses=value.best_guesses,
        note=value.note,
        source=value.source,
        proven=value.proven,
        best_proven=value.best_proven,
        possible_best=tuple(guess for guess in value.best_guesses if guess in candidates),
        listed=value.position.listed,
    )


def _status(worth: Sequence[Valuation]) -> Status:
    if all(value.proven and value.best_proven for value in worth):
        return Status.OPTIMAL
    known = any(value.total is not None or value.best_total is not None for value in worth)
    return Status.FEASIBLE if known else Status.UNKNOWN


def _verdict(turn: Turn) -> list[str]:
    """How good a guess was, where that is known, and what was better; words that might be the answer come first."""
    if turn.skill_loss is None:
        return []
    odd = [guess for guess in turn.best_guesses if guess not in turn.possible_best]
    others = [guess for guess in (*turn.possible_best, *odd) if guess != turn.guess]
    if not turn.skill_loss:
        return [f"a best guess, as {_are(others)}" if others else "the best guess"]
    grade = next(grade for most, grade in GRADES if turn.skill_loss <= most)
    return [grade, f"better {_are(others)}"]


def _mean_score(scores: Iterable[int | None]) -> int | None:
    known = [score for score in scores if score is not None]
    return round(Fraction(sum(known), len(known))) if known else None


def _named(progress: Callable[[Progress], None] | None, phase: str) -> Callable[[Progress], None] | None:
    """The same callback, told which guess the work is for."""
    if progress is None:
        return None
    return lambda now: progress(replace(now, phase=f"{phase}, {now.phase}"))


def _history(game: Game, answer: str | None, guesses: Sequence[str], grid: str | None) -> History:
    """The turns of a finished game, checked but for the rules of the position before each."""
    words = [game.written(guess) for guess in guesses]
    if not words:
        raise InputError("a debrief needs one guess at least")
    if answer is None and grid is None:
        raise InputError("a debrief needs the answer, or the share grid")
    for what, text in (("the answer", answer), ("the share grid", grid)):
        if text is not None and not isinstance(text, str):
            raise InputError(f"{what} must be text, not {shown(text)}")
    rows = None if grid is None else grid_codes(game, grid)
    if rows is not None and len(rows) != len(words):
        raise InputError(
            f"the grid has {counted(len(rows), 'row')}, but there "
            f"{'are' if len(words) > 1 else 'is'} {counted(len(words), 'guess', 'guesses')}"
        )
    if answer is not None:
        codes = _codes(game, answer, words)
        for number, (word, code, row) in enumerate(zip(words, codes, rows or codes, strict=True), 1):
            if code != row:
                raise InputError(
                    f"row {number} of the grid is {game.format(row)}, but {word} against {answer} "
                    f"brings {game.format(code)}"
                )
    else:
        assert rows is not None
        codes = rows
    history = tuple(zip(words, codes, strict=True))
    for number, (word, code) in enumerate(history, 1):
        if code == game.winning_code and number < len(history):
            raise InputError(f"guess {number}, {word}, found the answer; {history[number][0]} comes after it")
    check_guesses(game, history)
    tier_of(game, history)
    return history


def _codes(game: Game, answer: str, guesses: Sequence[str]) -> list[int]:
    if answer in game.others:
        game = game.over_others([answer])
    elif answer in game.guesses and answer not in game.answers:
        raise InputError(f"{quoted(answer)} is a guess of {game.name} but no answer")
    elif game.others:
        game.guess_index(answer)  # complains of what is in neither list
    column = game.matrix[:, game.answer_index(answer)]
    codes = []
    for number, guess in enumerate(guesses, 1):
        try:
            codes.append(int(column[game.guess_index(guess)]))
        except InputError as error:
            raise InputError(f"guess {number}: {error}") from None
    return codes


def grid_codes(game: Game, grid: str) -> list[int]:
    """The feedback codes of a share grid. Lines without squares, such as the heading, are passed over; a grid
    without any squares has feedback in another style on every line."""
    if game.feedback is None:
        raise InputError("a bare matrix has no share grid")
    lines = [line.strip() for line in grid.splitlines() if line.strip()]
    squares = [line for line in lines if _SQUARES & set(line)]
    rows = []
    for number, line in enumerate(squares or lines, 1):
        try:
            rows.append(game.feedback.parse(line))
        except InputError as error:
            raise InputError(f"row {number} of the grid: {error}") from None
    if not rows:
        raise InputError("the grid is empty: paste a row of feedback for each guess")
    return rows


def _sum(numbers: Sequence[Fraction | None]) -> Fraction | None:
    known = [number for number in numbers if number is not None]
    return sum(known, Fraction(0)) if known and len(known) == len(numbers) else None


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _bits(value: float | None) -> str:
    return cell(None) if value is None else f"{value:.2f}"


def _signed(value: Fraction | None) -> str:
    return cell(None) if value is None else f"{float(value):+.4f}"


def _at_most(value: Fraction | None, proven: bool) -> object:
    return value if proven or value is None else f"<= {cell(value)}"


def _are(words: Sequence[str]) -> str:
    return f"{'are' if len(words) > 1 else 'is'} {listed(words, 5)}"
