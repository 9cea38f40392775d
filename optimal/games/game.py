"""`Game`: guesses, answers, feedback matrix and rules, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.checks import check_limit, check_memory, check_size, check_texts, check_whole
from optimal.errors import InputError, did_you_mean
from optimal.games.feedback import Feedback, WordFeedback
from optimal.games.info import GameInfo, History
from optimal.games.matrices import game_bytes, matrix_sha256
from optimal.games.presets import preset as find_preset
from optimal.games.rules import Rules, check_offered, rules_of
from optimal.games.tiers import other_words
from optimal.games.turns import PositionLike, turns_of
from optimal.games.wordlists import check_lists, check_words, sha256_of
from optimal.labels import check_feedback_labels, check_label, check_labels, feedback_label, labelled_code
from optimal.limits import MOST_CODE
from optimal.memory import check_room, needed
from optimal.show.words import listed, shown

#: The limit of guesses of word games, unless another is given.
DEFAULT_LIMIT = 6


class Unset(Enum):
    """What is passed for a limit of guesses where none is given, as None means that there is no limit."""

    UNSET = "the game's own limit"


UNSET = Unset.UNSET


@dataclass(frozen=True, eq=False)
class Game:
    """A guessing game with feedback.

    ``matrix[g, a]`` (guesses x answers, uint8 or uint16, C order) is the feedback code of guess ``g`` when the
    answer is ``a``; ``answer_guess[a]`` (int32) is the guess that equals answer ``a``, the only one that gets
    ``winning_code`` from it. Make one with :meth:`preset`, :meth:`from_words` or :meth:`from_matrix`.

    >>> from optimal import Game
    >>> Game.preset("classic")
    Game('classic', 2315 answers, 12972 guesses, normal, 6 guesses)

    Games are equal where all of this is, and can be keys of a dictionary. A pickled one is small: its copy makes the
    matrix again, unless that is all there is.
    """

    name: str
    guesses: tuple[str, ...]
    answers: tuple[str, ...]
    feedback: Feedback | None
    matrix: npt.NDArray[Any] = field(repr=False)
    winning_code: int
    answer_guess: npt.NDArray[np.int32] = field(repr=False)
    rules: Rules = Rules.NORMAL
    max_guesses: int | None = DEFAULT_LIMIT
    labels: tuple[str, ...] | None = None  # what the feedback codes of a bare matrix are called, from 0 on

    def __repr__(self) -> str:
        limit = "no limit" if self.max_guesses is None else f"{self.max_guesses} guesses"
        return f"Game({self.name!r}, {len(self.answers)} answers, {len(self.guesses)} guesses, {self.rules}, {limit})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        if self is other:
            return True
        told = self.feedback is not None and self.feedback.settled  # its matrix, by all the rest
        return self._said == other._said and (told or np.array_equal(self.matrix, other.matrix))

    def __hash__(self) -> int:
        return hash(self._said)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (packed(self),)

    @property
    def _said(self) -> tuple[object, ...]:
        """All fields but the arrays."""
        return tuple(getattr(self, each.name) for each in fields(self) if each.name not in ("matrix", "answer_guess"))

    @classmethod
    def preset(cls, name: str, rules: Rules | str = Rules.NORMAL, *, memory_limit: int | None = None) -> Game:
        """A game by name, such as ``"classic"``, ``"nyt2023"`` or ``"mastermind:4x6"``.

        >>> from optimal import Game
        >>> Game.preset("mastermind:3x3", "ultra-hard")
        Game('mastermind:3x3', 27 answers, 27 guesses, ultra-hard, no limit)

        Parameters
        ----------
        name : str
            One that `optimal games` lists, in any letter case.
        rules : Rules or str, optional
            "normal", "hard" or "ultra-hard".
        memory_limit : int, optional
            Bytes: refuse a game that can't be solved within them; without it, one that is too large for the machine.

        Returns
        -------
        Game
            With the limit of guesses that such a game has.

        Raises
        ------
        InputError
            For an unknown name, with the nearest known ones, and for a game too large for the memory, before it is
            built.
        """
        found = find_preset(name)
        limit = found.max_guesses
        return _build(found.name, found.guesses(), found.answers(), found.feedback, rules, limit, memory_limit)

    @classmethod
    def from_words(
        cls,
        guesses: Sequence[str],
        answers: Sequence[str] | None = None,
        *,
        name: str = "words",
        rules: Rules | str = Rules.NORMAL,
        max_guesses: int | None = DEFAULT_LIMIT,
        memory_limit: int | None = None,
    ) -> Game:
        """A word game from lists in any order; every answer must be among the guesses.

        >>> from optimal import Game
        >>> Game.from_words(["fight", "filmy", "light", "might"], ["fight", "light", "might"], name="mine")
        Game('mine', 3 answers, 4 guesses, normal, 6 guesses)

        Parameters
        ----------
        guesses : sequence of str
            Words of one length, from 2 to 10 letters.
        answers : sequence of str, optional
            Every guess, unless given.
        name : str, optional
            What trees and tables call it.
        rules : Rules or str, optional
            "normal", "hard" or "ultra-hard".
        max_guesses : int or None, optional
            The limit of guesses; None for none.
        memory_limit : int, optional
            Bytes: refuse a game that can't be solved within them; without it, one that is too large for the machine.

        Returns
        -------
        Game
            Its lists are sorted.

        Raises
        ------
        InputError
            For words of unequal or impossible length, odd characters, duplicates, answers that are no guesses, lists
            longer than 65535, and for a game too large for the memory.
        """
        check_label(name, "the name of a game")
        guesses = sorted(check_words(guesses, "guesses"))
        answers = guesses if answers is None else sorted(check_words(answers, "answers"))
        check_lists(guesses, answers)
        feedback = WordFeedback(len(guesses[0]))
        return _build(name, tuple(guesses), tuple(answers), feedback, rules, max_guesses, memory_limit)

    @classmethod
    def from_feedback(
        cls,
        feedback: Feedback,
        guesses: Sequence[str] | None = None,
        answers: Sequence[str] | None = None,
        *,
        name: str | None = None,
        rules: Rules | str = Rules.NORMAL,
        max_guesses: int | None = None,
        memory_limit: int | None = None,
    ) -> Game:
        """A game of any kind of feedback, one of your own too, with its lists in any order.

        >>> from optimal import Game
        >>> from optimal.games.feedback import PegFeedback
        >>> Game.from_feedback(PegFeedback(3, 4), max_guesses=5)
        Game('mastermind', 64 answers, 64 guesses, normal, 5 guesses)

        Parameters
        ----------
        feedback : Feedback
            The kind of feedback; docs/extending.md makes one.
        guesses, answers : sequence of str, optional
            All guesses that the kind has, and every guess for an answer, unless given.
        name : str, optional
            That of the kind unless given.
        rules : Rules or str, optional
            "normal", "hard" or "ultra-hard".
        max_guesses : int or None, optional
            The limit of guesses; None for none.
        memory_limit : int, optional
            Bytes: refuse a game that can't be solved within them; without it, one that is too large for the machine.

        Returns
        -------
        Game
            Its lists are sorted.

        Raises
        ------
        InputError
            For guesses of another form than the kind's, for answers that are no guesses, for rules that the kind
            doesn't offer, where what it says of itself can't be, and for a game too large for the memory.
        """
        if not isinstance(feedback, Feedback):
            raise InputError(f"a kind of feedback is needed, such as WordFeedback(5), not {shown(feedback)}")
        if feedback.codes > MOST_CODE + 1:
            raise InputError(f"kind {feedback.kind} has {feedback.codes} codes; at most {MOST_CODE + 1} are possible")
        name = check_label(feedback.kind if name is None else name, "the name of a game")
        if guesses is None and feedback.count is not None:
            check_size(feedback.count, feedback.count)
        allowed = _guesses_of(feedback, feedback.all_guesses() if guesses is None else guesses, "guesses")
        possible = allowed if answers is None else _guesses_of(feedback, answers, "answers")
        if stray := sorted(set(possible).difference(allowed)):
            raise InputError(f"answers that are not among the guesses: {listed(stray, 3)}")
        if feedback.symmetric and not (allowed == possible and set(allowed) == set(feedback.all_guesses())):
            raise InputError(
                f"a game of kind {feedback.kind} has all its codes for guesses and answers; "
                "of fewer make a bare matrix, by Game.from_matrix(feedback.matrix(guesses, answers), ...)"
            )
        return _build(name, allowed, possible, feedback, rules, max_guesses, memory_limit)

    @classmethod
    def from_matrix(
        cls,
        matrix: npt.ArrayLike,
        winning_code: int,
        *,
        name: str = "matrix",
        guesses: Sequence[str] | None = None,
        answers: Sequence[str] | None = None,
        labels: Sequence[str] | None = None,
        rules: Rules | str = Rules.NORMAL,
        max_guesses: int | None = None,
    ) -> Game:
        """Any game at all, from its feedback matrix.

        Every answer must have exactly one guess that gets ``winning_code``; a guess wins against one answer at most.

        >>> from optimal import Game
        >>> game = Game.from_matrix([[1, 2], [0, 1]], 1, guesses=["0?", "1?"], labels=["less", "right", "more"])
        >>> game.candidates("0?=more")
        ('1',)

        Parameters
        ----------
        matrix : array_like
            Guesses x answers, whole numbers from 0 to 65535. A DataFrame names guesses and answers.
        winning_code : int
            What a right guess gets.
        name : str, optional
            What trees and tables call it.
        guesses, answers : sequence of str, optional
            Their labels; those of a DataFrame, or else their numbers from 0 on, unless given.
        labels : sequence of str, optional
            Those of the feedback codes, from 0 on, by which feedback is written and read.
        rules : Rules or str, optional
            "normal", "hard" or "ultra-hard".
        max_guesses : int or None, optional
            The limit of guesses; None for none.

        Returns
        -------
        Game
            In the order of the matrix. It offers normal rules, or ultra-hard ones where guess i is answer i.

        Raises
        ------
        InputError
            For what is no such matrix, and for labels that don't fit it.
        """
        check_label(name, "the name of a game")
        winning_code = check_whole(winning_code, "the winning code", 0, MOST_CODE)
        array = _integers(matrix)
        if hasattr(matrix, "columns"):  # a DataFrame
            frame: Any = matrix
            guesses = [*map(str, frame.index)] if guesses is None and hasattr(frame, "index") else guesses
            answers = [*map(str, frame.columns)] if answers is None else answers
        check_size(array.shape[0], array.shape[1])
        if array.min() < 0 or array.max() > MOST_CODE:
            raise InputError(f"feedback codes go from 0 to {MOST_CODE}")
        wins = array == winning_code
        if (wins.sum(axis=0) != 1).any():
            bad = int(np.flatnonzero(wins.sum(axis=0) != 1)[0])
            raise InputError(
                f"answer {bad} has {int(wins[:, bad].sum())} guesses with the winning code {winning_code}; "
                "every answer needs exactly one"
            )
        if (wins.sum(axis=1) > 1).any():
            bad = int(np.flatnonzero(wins.sum(axis=1) > 1)[0])
            raise InputError(f"guess {bad} wins against several answers; a guess can win against one at most")
        rules = rules_of(rules)
        answer_guess = wins.argmax(axis=0).astype(np.int32)
        if rules is Rules.HARD:
            raise InputError("hard rules need words; a bare matrix offers normal rules, or ultra-hard when square")
        if rules is Rules.ULTRA_HARD and (
            array.shape[0] != array.shape[1] or (answer_guess != np.arange(array.shape[1])).any()
        ):
            raise InputError("ultra-hard rules on a bare matrix need it square, with guess i winning against answer i")
        return cls(
            name=name,
            guesses=_labels(guesses, array.shape[0], "guesses"),
            answers=_labels(answers, array.shape[1], "answers"),
            feedback=None,
            matrix=_frozen(array.astype(np.uint8 if max(int(array.max()), winning_code) < 256 else np.uint16)),
            winning_code=winning_code,
            answer_guess=_frozen(answer_guess),
            rules=rules,
            max_guesses=check_limit(max_guesses),
            labels=None if labels is None else check_feedback_labels(labels, int(array.max())),
        )

    def with_rules(self, rules: Rules | str, max_guesses: int | Unset | None = UNSET) -> Game:
        """The same game under other rules.

        >>> from optimal import Game
        >>> Game.preset("classic").with_rules("hard", 5)
        Game('classic', 2315 answers, 12972 guesses, hard, 5 guesses)

        Parameters
        ----------
        rules : Rules or str
            "normal", "hard" or "ultra-hard".
        max_guesses : int or None, optional
            The limit, as it was unless given; None for none.

        Returns
        -------
        Game
            Another one: games never change.

        Raises
        ------
        InputError
            For rules that such a game doesn't offer.
        """
        rules = rules_of(rules)
        limit = self.limit(max_guesses)
        if self.feedback is None:
            return Game.from_matrix(
                self.matrix,
                self.winning_code,
                name=self.name,
                guesses=self.guesses,
                answers=self.answers,
                labels=self.labels,
                rules=rules,
                max_guesses=limit,
            )
        return replace(self, rules=_fitting(self.feedback, rules), max_guesses=limit)

    def limit(self, max_guesses: int | Unset | None = UNSET) -> int | None:
        """The limit of guesses asked for: the game's own where none is given; None for no limit."""
        return self.max_guesses if isinstance(max_guesses, Unset) else check_limit(max_guesses)

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The guesses that may be the answer all the same, though they aren't in its list: see `games.tiers`."""
        return other_words(self.feedback, self.guesses, self.answers)

    def over_others(self, words: Sequence[str]) -> Game:
        """The same game with some of its other words for answers."""
        assert self.feedback is not None
        number = [self.guess_index(word) for word in words]
        return replace(
            self,
            answers=tuple(words),
            matrix=_frozen(feedback_matrix(self.feedback, self.guesses, words)),
            answer_guess=_frozen(np.array(number, dtype=np.int32)),
        )

    @property
    def info(self) -> GameInfo:
        """What a tree file says of its game."""
        return GameInfo(
            name=self.name,
            feedback=self.feedback,
            guesses_sha256=sha256_of(self.guesses),
            answers_sha256=sha256_of(self.answers),
            guess_count=len(self.guesses),
            winning_code=self.winning_code,
            matrix_sha256=None if self.feedback else matrix_sha256(self.guesses, self.answers, self.matrix),
            labels=self.labels,
        )

    def format(self, code: int) -> str:
        """The text of a feedback code: "BYBBG", "2,1", or for a bare matrix its label or number."""
        code = check_whole(code, "a feedback code", 0, MOST_CODE)
        return feedback_label(code, self.labels) if self.feedback is None else self.feedback.format(code)

    def parse(self, text: str) -> int:
        """The code of a feedback as people write it. InputError for what is none."""
        if not isinstance(text, str):
            raise InputError(f"feedback must be text, not {shown(text)}")
        return labelled_code(text, self.labels) if self.feedback is None else self.feedback.parse(text)

    def score(self, guess: str, answer: str) -> int:
        """The feedback code of a guess when this is the answer; `format` makes text of it.

        Where there is a rule of feedback, any guess may stand for the answer. InputError for words outside the lists.

        >>> from optimal import Game
        >>> game = Game.preset("classic")
        >>> game.format(game.score("salet", "crane"))
        'BYBYB'
        """
        row = self.guess_index(guess)
        if self.feedback is None:
            return int(self.matrix[row, self.answer_index(answer)])
        return self.feedback.score(self.guesses[row], self.guesses[self.guess_index(answer)])

    def candidates(self, position: PositionLike = "") -> tuple[str, ...]:
        """The answers that fit a position, written as `analyse` takes it; () where none does.

        Whether the rules allow its guesses is not looked at. InputError for what is no position.

        >>> from optimal import Game
        >>> Game.preset("classic").candidates("salet=bybyb beard=gbbgg")
        ()
        """
        history = turns_of(self, position)
        for _, code in history:
            self.format(code)  # raises InputError for a code out of range
        return tuple(self.answers[answer] for answer in np.flatnonzero(self.fits(history).all(axis=0)))

    def fits(self, history: History) -> npt.NDArray[np.bool_]:
        """Which answers fit each turn: a row for each of these guesses and codes, a column for each answer."""
        rows = np.array([self.guess_index(guess) for guess, _ in history], dtype=np.intp)
        codes = np.array([code for _, code in history], dtype=np.int64)
        return np.asarray(self.matrix[rows] == codes[:, None])

    def written(self, word: str) -> str:
        """A guess as the lists have it: a word in whatever case it comes; a label of a bare matrix stands as it is."""
        return word if self.feedback is None else self.feedback.written(word)

    def guess_index(self, guess: str) -> int:
        """The index of a guess, a word in any letter case; InputError if it is not in the list."""
        index = None
        if isinstance(guess, str):  # a list, say, no dictionary looks up
            index = self._guess_indices.get(guess)
            if index is None:
                index = self._guess_indices.get(self.written(guess))
        if index is None:
            near = self._near(guess, self.guesses)
            raise InputError(f"{shown(guess)} is not among the {len(self.guesses)} guesses of {self.name}{near}")
        return index

    def answer_index(self, answer: str) -> int:
        """The index of an answer, a word in any letter case; InputError if it is not in the list."""
        try:
            return self.answers.index(self.written(answer) if isinstance(answer, str) else "")
        except ValueError:
            near = self._near(answer, self.answers)
            raise InputError(
                f"{shown(answer)} is not among the {len(self.answers)} answers of {self.name}{near}"
            ) from None

    def _near(self, word: object, words: Sequence[str]) -> str:
        """What an error adds of a word that isn't listed; codes are all alike."""
        if isinstance(word, str) and isinstance(self.feedback, WordFeedback) and len(word) <= 2 * self.feedback.length:
            return did_you_mean(word, words)
        form = "" if self.feedback is None or self.feedback.count != len(words) else self.feedback.form
        return form and f": a guess is {form}"

    @property
    def _guess_indices(self) -> dict[str, int]:
        cached: dict[str, int] | None = self.__dict__.get("_indices")
        if cached is None:
            cached = {guess: i for i, guess in enumerate(self.guesses)}
            self.__dict__["_indices"] = cached
        return cached


def check_game(game: object) -> Game:
    """A game itself, or the preset of that name. InputError for anything else."""
    if isinstance(game, str):
        return Game.preset(game)
    if not isinstance(game, Game):
        raise InputError(f"a game is needed, such as Game.preset('classic'), or the name of one, not {shown(game)}")
    return game


def packed(game: Game) -> dict[str, Any]:
    """The fields of a game, without the matrix where its kind of feedback makes it again."""
    left_out = "" if game.feedback is None else "matrix"
    return {each.name: getattr(game, each.name) for each in fields(game) if each.name != left_out}


def restored(packed: Mapping[str, Any]) -> Game:
    """The game that was packed so."""
    own = dict(packed)
    if "matrix" not in own:
        own["matrix"] = feedback_matrix(own["feedback"], own["guesses"], own["answers"])
    return Game(**own | {name: _frozen(own[name]) for name in ("matrix", "answer_guess")})


def feedback_matrix(feedback: Feedback, guesses: Sequence[str], answers: Sequence[str]) -> npt.NDArray[Any]:
    """The feedback codes of all guesses (rows) against all answers (columns); uint8, or uint16 if codes need it."""
    check_size(len(guesses), len(answers))
    return feedback.matrix(guesses, answers)


def _guesses_of(feedback: Feedback, words: Sequence[str], what: str) -> tuple[str, ...]:
    """The words of a list sorted, as the kind writes them; InputError unless it has such guesses."""
    if isinstance(feedback, WordFeedback):
        words = check_words(words, what)
    else:
        words = check_labels([feedback.written(word) for word in check_texts(words, what, "a")], what)
    if not words:
        raise InputError(f"the list of {what} is empty: it needs at least one")
    for word in words:
        if not feedback.has_form(word):
            raise InputError(f"{what}: {shown(word)} has not the {feedback.size} letters or digits of {feedback.kind}")
    return tuple(sorted(words))


def _build(
    name: str,
    guesses: tuple[str, ...],
    answers: tuple[str, ...],
    feedback: Feedback,
    rules: Rules | str,
    max_guesses: int | None,
    memory_limit: int | None = None,
) -> Game:
    rules = _fitting(feedback, rules_of(rules))
    _check_room(name, feedback, len(guesses), len(answers), rules, check_memory(memory_limit))
    number = {guess: i for i, guess in enumerate(guesses)}
    matrix = feedback_matrix(feedback, guesses, answers)
    answer_guess = np.array([number[answer] for answer in answers], dtype=np.int32)
    if not feedback.settled:
        _check_kind(feedback, guesses, matrix, answer_guess)
    return Game(
        name=name,
        guesses=guesses,
        answers=answers,
        feedback=feedback,
        matrix=_frozen(matrix),
        winning_code=feedback.winning_code,
        answer_guess=_frozen(answer_guess),
        rules=rules,
        max_guesses=check_limit(max_guesses),
    )


def _check_kind(
    feedback: Feedback, guesses: Sequence[str], matrix: npt.NDArray[Any], answer_guess: npt.NDArray[np.int32]
) -> None:
    """Refuse what a kind of somebody's own says of a game where it can't be: the search believes all of it."""
    kind = f"kind {feedback.kind}"
    if matrix.shape != (len(guesses), len(answer_guess)) or matrix.dtype not in (np.uint8, np.uint16):
        raise InputError(f"{kind}: its matrix is {matrix.shape} of {matrix.dtype}; right is guesses x answers of uint8")
    wins = matrix == feedback.winning_code
    if matrix.max() >= feedback.codes or not wins[answer_guess, np.arange(len(answer_guess))].all():
        right = feedback.winning_code
        raise InputError(f"{kind}: codes are 0 to {feedback.codes - 1}, and {right} is that of a right guess")
    if wins.sum() > len(answer_guess):
        guess, answer = np.argwhere(wins & (answer_guess != np.arange(len(guesses))[:, None]))[0]
        raise InputError(f"{kind}: {shown(guesses[guess])} wins against {shown(guesses[answer_guess[answer]])}")
    if not feedback.symmetric:
        return
    # Neighbours swapped, among the symbols and among the places, make all renamings and orders.
    symbols = sorted(set("".join(guesses)))
    maps = [str.maketrans(a + b, b + a) for a, b in pairwise(symbols)]
    swapped = [[guess.translate(names) for guess in guesses] for names in maps]
    for place in range(len(guesses[0]) - 1):
        swapped.append([guess[:place] + guess[place : place + 2][::-1] + guess[place + 2 :] for guess in guesses])
    number = {guess: i for i, guess in enumerate(guesses)}
    for words in swapped:
        moved = [number.get(word, -1) for word in words]
        if -1 in moved or (matrix[np.ix_(moved, moved)] != matrix).any():
            raise InputError(f"{kind} says that it is symmetric, but two symbols or places can't be swapped")


def _check_room(
    name: str, feedback: Feedback, guesses: int, answers: int, rules: Rules, memory_limit: int | None
) -> None:
    """Refuse a game whose matrix is too large for the machine, or a search of it too large for the limit."""
    width = 2 if feedback.codes > 256 else 1
    matrix = guesses * answers * width
    least = matrix if memory_limit is None else needed(*game_bytes(guesses, answers, width, rules))
    check_room(f"{name}, {guesses} guesses x {answers} answers,", least, memory_limit)


def _fitting(feedback: Feedback, rules: Rules) -> Rules:
    check_offered(feedback, rules)
    return rules


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def _integers(matrix: npt.ArrayLike) -> npt.NDArray[Any]:
    """A feedback matrix as an array of integers of some size; neither truth values nor floats, whole or not."""
    wanted = "a feedback matrix is guesses x answers, of whole numbers"
    rows = matrix if isinstance(matrix, list | tuple) else (matrix,)
    if any(isinstance(row, np.ndarray) and np.any(getattr(row, "mask", False)) for row in rows):
        raise InputError(f"{wanted}; some of this one are masked")
    try:
        array = np.asarray(matrix)
    except (TypeError, ValueError):
        raise InputError(f"{wanted}; this one has rows of unequal length, or isn't made of numbers") from None
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"{wanted}; this one has the shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise InputError(f"{wanted}; this one is of type {array.dtype}")
    return array


def _labels(labels: Sequence[str] | None, count: int, what: str) -> tuple[str, ...]:
    return tuple(str(i) for i in range(count)) if labels is None else check_labels(labels, what, count)
