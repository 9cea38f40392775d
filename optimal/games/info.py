"""What a tree file says of its game, and how guesses and feedback are written. Light: no numpy here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from optimal.checks import check_whole
from optimal.errors import InputError
from optimal.games.spelling import PLAIN, Spelling
from optimal.labels import as_typed, feedback_label, labelled_code
from optimal.limits import MOST_CODE
from optimal.show.words import shown

if TYPE_CHECKING:
    from optimal.games.kinds import Feedback

#: Guesses with their feedback codes, in playing order.
History = tuple[tuple[str, int], ...]


class Notation:
    """How guesses and feedback of a game are written: the base of `Game` and `GameInfo`."""

    feedback: Feedback | None  # None for a bare matrix, whose codes mean nothing outside it
    labels: tuple[str, ...] | None  # what the feedback codes of a bare matrix are called, from 0 on
    spelling: Spelling  # how words are read

    def written(self, word: str) -> str:
        """A guess as the lists have it: a word in whatever case it comes; a label of a bare matrix stands as it is."""
        return word if self.feedback is None else self.feedback.written(self.spelling.written(word))

    def format(self, code: int) -> str:
        """The text of a feedback code: "BYBBG", "2,1", or for a bare matrix its label or number."""
        code = check_whole(code, "a feedback code", 0, MOST_CODE)
        return feedback_label(code, self.labels) if self.feedback is None else self.feedback.format(code)

    def parse(self, text: str, guess: str | None = None) -> int:
        """The code of a feedback as people write it, also by the letters of the guess, where that is known. InputError
        for what is none."""
        for what, given in (("feedback", text), ("a guess", "" if guess is None else guess)):
            if not isinstance(given, str):
                raise InputError(f"{what} must be text, not {shown(given)}")
        if self.feedback is None:
            return labelled_code(text, self.labels)
        return self.feedback.parse(text if guess is None else self.feedback.in_marks(text, guess))


class Formats(Protocol):
    """What has texts for feedback codes: a game, its feedback, or the verifier with its own."""

    def format(self, code: int) -> str: ...


def describe(game: Formats, history: Iterable[tuple[str, int]]) -> str:
    """Guesses with their feedback as a position is typed: "salet=BYBBB crony=BYYBB"."""
    return " ".join(f"{as_typed(guess)}={as_typed(game.format(code))}" for guess, code in history)


@dataclass(frozen=True)
class GameInfo(Notation):
    """What a tree says of its game: enough to play it, and to know the word lists again by their hashes."""

    name: str
    feedback: Feedback | None
    guesses_sha256: str
    answers_sha256: str  # of all the game's answers, also for a tree from a later position
    guess_count: int
    winning_code: int
    matrix_sha256: str | None = None  # of a bare matrix; None for others, and in files that do without
    labels: tuple[str, ...] | None = None
    spelling: Spelling = field(default=PLAIN, compare=False)

    def __post_init__(self) -> None:
        if self.feedback is not None and self.winning_code != self.feedback.winning_code:
            raise InputError(
                f"winning code {self.winning_code} does not fit the feedback, whose code is "
                f"{self.feedback.winning_code}"
            )
