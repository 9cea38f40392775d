"""`Game`: guesses, answers, feedback matrix and rules, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.checks import check_limit, check_memory, check_size, check_whole
from optimal.errors import InputError, did_you_mean
from optimal.games.feedback import WordFeedback
from optimal.games.info import GameInfo, History, Notation
from optimal.games.kinds import Feedback
from optimal.games.making import (
    check_game_room,
    check_matrix_rules,
    checked_guesses,
    checked_matrix,
    frozen,
    scored,
    winning_guesses,
)
from optimal.games.matrices import matrix_sha256
from optimal.games.presets import is_game
from optimal.games.presets import preset as find_preset
from optimal.games.rules import Rules, check_offered, rules_of
from optimal.games.spelling import PLAIN, Spelling
from optimal.games.tiers import other_words
from optimal.games.turns import PositionLike, turns_of
from optimal.games.wordlists import check_words, sha256_of
from optimal.labels import check_feedback_labels, check_label, check_labels
from optimal.limits import DEFAULT_LIMIT, MOST_CODE
from optimal.show.words import shown


class Unset(Enum):
    """What is passed for a limit of guesses where none is given, as None means that there is no limit."""

    UNSET = "the game's own limit"


UNSET = Unset.UNSET


@dataclass(frozen=True, eq=False)
class Game(Notation):
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
    labels: tuple[str, ...] | None = None
    spelling: Spelling = PLAIN

    def __repr__(self) -> str:
        limit = "no limit" if self.max_guesses is None else f"{self.max_guesses} guesses"
        return f"Game({self.name!r}, {len(self.answers)} answers, {len(self.guesses)} guesses, {self.rules}, {limit})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        if self is other:
            return True
        settled = self.feedback is not None and self.feedback.settled  # its matrix, by all the rest
        return self._plain == other._plain and (settled or np.array_equal(self.matrix, other.matrix))

    def __hash__(self) -> int:
        return hash(self._plain)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (packed(self),)

    @property
    def _plain(self) -> tuple[object, ...]:
        """All fields but the arrays."""
        return tuple(getattr(self, each.name) for each in fields(self) if each.name not in ("matrix", "answer_guess"))

    @classmethod
    def preset(cls, name: str, rules: Rules | str = Rules.NORMAL, *, memory_limit: int | None = None) -> Game:
        """A game by name, such as ``"classic"`` or ``"mastermind:4x6"``, with the limit of guesses that it has.

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
        spelling: Spelling = PLAIN,
    ) -> Game:
        """A word game from lists in any order, which it sorts; every answer must be among the guesses.

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
        spelling : Spelling, optional
            Letters that are read as others, accents that don't count.

        Raises
        ------
        InputError
            For words of unequal or impossible length, odd characters, duplicates, answers that are no guesses, lists
            longer than 65535, and for a game too large for the memory.
        """
        if not isinstance(spelling, Spelling):
            raise InputError(f"a spelling is needed, such as Spelling(fold=True), not {shown(spelling)}")
        allowed = tuple(sorted(check_words(guesses, "guesses", spelling)))
        spelling = spelling.suited("".join(allowed))
        possible = allowed if answers is None else tuple(sorted(check_words(answers, "answers", spelling)))
        if len(allowed[0]) != len(possible[0]):
            raise InputError(
                f"guesses have {len(allowed[0])} letters but answers have {len(possible[0])}: they must be equally long"
            )
        feedback = WordFeedback(len(allowed[0]))
        game = _build(name, allowed, possible, feedback, rules, max_guesses, memory_limit)
        return replace(game, spelling=spelling)

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
        """A game of any kind of feedback, one of your own too, from lists in any order, which it sorts.

        >>> from optimal import Game
        >>> from optimal.games.feedback import PegFeedback
        >>> Game.from_feedback(PegFeedback(3, 4), max_guesses=5)
        Game('mastermind', 64 answers, 64 guesses, normal, 5 guesses)

        Parameters
        ----------
        feedback : Feedback
            The kind of feedback; docs/howto/extending.md makes one.
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
        if guesses is None and feedback.count is not None:
            check_size(feedback.count, feedback.count)
        allowed = checked_guesses(feedback, feedback.all_guesses() if guesses is None else guesses, "guesses")
        possible = allowed if answers is None else checked_guesses(feedback, answers, "answers")
        if feedback.symmetric and not (allowed == possible and set(allowed) == set(feedback.all_guesses())):
            raise InputError(
                f"a game of kind {feedback.kind} has all its codes for guesses and answers; "
                "of fewer make a bare matrix, by Game.from_matrix(feedback.matrix(guesses, answers), ...)"
            )
        name = feedback.kind if name is None else name
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
        """Any game at all, from its feedback matrix, in the order of that.

        Every answer must have exactly one guess that gets ``winning_code``; a guess wins against one answer at most.
        Normal rules are on offer, or ultra-hard ones where guess i is answer i.

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
            "normal" or "ultra-hard".
        max_guesses : int or None, optional
            The limit of guesses; None for none.

        Raises
        ------
        InputError
            For what is no such matrix, and for labels that don't fit it.
        """
        check_label(name, "the name of a game")
        winning_code = check_whole(winning_code, "the winning code", 0, MOST_CODE)
        array = checked_matrix(matrix)
        if hasattr(matrix, "columns"):
            frame: Any = matrix  # of pandas
            guesses = [*map(str, frame.index)] if guesses is None else guesses
            answers = [*map(str, frame.columns)] if answers is None else answers
        rules, answer_guess = rules_of(rules), winning_guesses(array, winning_code)
        check_matrix_rules(rules, array.shape, answer_guess)
        return cls(
            name=name,
            guesses=_labels(guesses, array.shape[0], "guesses"),
            answers=_labels(answers, array.shape[1], "answers"),
            feedback=None,
            matrix=frozen(array.astype(np.uint8 if max(int(array.max()), winning_code) < 256 else np.uint16)),
            winning_code=winning_code,
            answer_guess=frozen(answer_guess),
            rules=rules,
            max_guesses=check_limit(max_guesses),
            labels=None if labels is None else check_feedback_labels(labels, int(array.max())),
        )

    def with_rules(self, rules: Rules | str, max_guesses: int | Unset | None = UNSET) -> Game:
        """The same game under other rules, as another object: games never change.

        >>> from optimal import Game
        >>> Game.preset("classic").with_rules("hard", 5)
        Game('classic', 2315 answers, 12972 guesses, hard, 5 guesses)

        Parameters
        ----------
        rules : Rules or str
            "normal", "hard" or "ultra-hard".
        max_guesses : int or None, optional
            The limit, as it was unless given; None for none.

        Raises
        ------
        InputError
            For rules that such a game doesn't offer.
        """
        rules, limit = rules_of(rules), self.limit(max_guesses)
        if self.feedback is None:
            check_matrix_rules(rules, self.matrix.shape, self.answer_guess)
        else:
            check_offered(self.feedback, rules)
        return replace(self, rules=rules, max_guesses=limit)

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
            matrix=frozen(self.feedback.matrix(self.guesses, words)),
            answer_guess=frozen(np.array(number, dtype=np.int32)),
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
            spelling=self.spelling,
        )

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

    def guess_index(self, guess: str) -> int:
        """The index of a guess, a word in any letter case; InputError if it is not in the list."""
        return self._index(guess, self._places[0], "guesses")

    def answer_index(self, answer: str) -> int:
        """The index of an answer, a word in any letter case; InputError if it is not in the list."""
        return self._index(answer, self._places[1], "answers")

    def _index(self, word: str, places: Mapping[str, int], what: str) -> int:
        if isinstance(word, str):  # a list, say, no dictionary looks up
            index = places.get(word)
            if index is None:
                index = places.get(self.written(word))
            if index is not None:
                return index
        near = (self._of_today(word) if what == "guesses" else "") or self._near(word, tuple(places))
        raise InputError(f"{shown(word)} is not among the {len(places)} {what} of {self.name}{near}")

    def _of_today(self, word: object) -> str:
        """What an error adds of a guess of today's game, where this is an earlier one."""
        today = find_preset("nyt")
        if self.feedback != today.feedback or not is_game(self.name) or not isinstance(word, str):
            return ""
        return "; nyt has it: name that game" if self.written(word) in today.guesses() else ""

    def _near(self, word: object, words: Sequence[str]) -> str:
        """What an error adds of a word that isn't listed; codes are all alike."""
        if isinstance(word, str) and isinstance(self.feedback, WordFeedback) and len(word) <= 2 * self.feedback.length:
            return did_you_mean(word, [*self.answers, *words])
        form = "" if self.feedback is None or self.feedback.count != len(words) else self.feedback.form
        return form and f": a guess is {form}"

    @cached_property
    def _places(self) -> tuple[dict[str, int], dict[str, int]]:
        guesses, answers = ({word: i for i, word in enumerate(words)} for words in (self.guesses, self.answers))
        return guesses, answers


def check_game(game: object) -> Game:
    """A game itself, or the preset of that name. InputError for anything else."""
    if isinstance(game, str):
        return Game.preset(game)
    if not isinstance(game, Game):
        raise InputError(f"a game is needed, such as Game.preset('classic'), or the name of one, not {shown(game)}")
    return game


def packed(game: Game) -> dict[str, Any]:
    """The fields of a game, without the matrix where feedback makes it again."""
    left_out = "" if game.feedback is None else "matrix"
    return {each.name: getattr(game, each.name) for each in fields(game) if each.name != left_out}


def restored(packed: Mapping[str, Any]) -> Game:
    """The game that was packed so."""
    own = dict(packed)
    if "matrix" not in own:
        own["matrix"] = own["feedback"].matrix(own["guesses"], own["answers"])
    return Game(**own | {name: frozen(own[name]) for name in ("matrix", "answer_guess")})


def _build(
    name: str,
    guesses: tuple[str, ...],
    answers: tuple[str, ...],
    feedback: Feedback,
    rules: Rules | str,
    max_guesses: int | None,
    memory_limit: int | None = None,
) -> Game:
    check_label(name, "the name of a game")
    rules = rules_of(rules)
    check_offered(feedback, rules)
    check_game_room(name, feedback, len(guesses), len(answers), rules, check_memory(memory_limit))
    matrix, answer_guess = scored(feedback, guesses, answers)
    return Game(
        name=name,
        guesses=guesses,
        answers=answers,
        feedback=feedback,
        matrix=matrix,
        winning_code=feedback.winning_code,
        answer_guess=answer_guess,
        rules=rules,
        max_guesses=check_limit(max_guesses),
    )


def _labels(labels: Sequence[str] | None, count: int, what: str) -> tuple[str, ...]:
    return tuple(str(i) for i in range(count)) if labels is None else check_labels(labels, what, count)
