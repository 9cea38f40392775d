"""`Feedback`, the base of every kind of game: how a reply is scored, read and written, and which rules are offered.

A feedback *code* is an integer; its meaning is the business of a `Feedback` object alone. Whole lists are scored by
`Feedback.matrix`, whose fast forms must agree with `Feedback.score`: a test compares the two.
"""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, ClassVar

from optimal.errors import InputError
from optimal.show.words import quoted

if TYPE_CHECKING:
    import numpy.typing as npt


def plain_word(entry: str) -> str:
    """A word as the lists have it: lower case, composed letters, no spaces around."""
    return unicodedata.normalize("NFC", entry.strip().lower())


#: All kinds, by name: a kind is here once its class is.
KINDS: dict[str, type[Feedback]] = {}


class Feedback(ABC):
    """The rule of one kind of game: all that the program knows of it, but for the twins that check it.

    A kind is a frozen dataclass whose fields, whole numbers from 1 on, are its parameters; those and its name `kind`
    stand in tree files. It derives from this class and from no other kind. docs/howto/extending.md makes one.
    """

    kind: ClassVar[str]
    #: Names of the rules that such a game may have. "hard" needs the colours of `WordFeedback`.
    rules: ClassVar[tuple[str, ...]] = ("normal", "ultra-hard")
    #: Whether renaming the symbols and changing the order of the places, alike in all guesses, changes no reply: the
    #: search leaves out what that makes equal. Such a game is played with all of its guesses, see `all_guesses`.
    symmetric: ClassVar[bool] = False
    #: Whether kind and lists determine every reply. A journal of a kind that may yet change names the matrix too.
    settled: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if any("kind" in vars(base) for base in cls.__mro__[1:]):
            raise InputError(f"{cls.__name__} derives from another kind of game; a kind derives from Feedback itself")
        if "kind" in vars(cls):
            known = KINDS.setdefault(cls.kind, cls)
            # A class may be made anew: by its decorator, in a notebook.
            if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
                raise InputError(f"a kind of game is called {quoted(cls.kind)} already: {known.__qualname__}")
            KINDS[cls.kind] = cls

    @property
    def size(self) -> int | None:
        """The number of symbols of a guess; None where guesses differ in it."""
        return None

    def has_form(self, guess: str) -> bool:
        """Whether a guess has as many letters and digits as the kind asks for; any text does where it asks for none."""
        return self.size is None or (len(guess) == self.size and guess.isalnum())

    @property
    def form(self) -> str:
        """What a guess looks like, in words, where that describes all of them; else nothing."""
        return ""

    @property
    @abstractmethod
    def codes(self) -> int:
        """The number of codes, 0 .. codes - 1. Some of them may never occur."""

    @property
    @abstractmethod
    def winning_code(self) -> int:
        """The code of a right guess."""

    @abstractmethod
    def score(self, guess: str, answer: str) -> int:
        """The code of this guess when this is the answer, by the true rule."""

    def fitting(self, guess: str, code: int, words: Sequence[str]) -> list[str]:
        """The words, in their order, that bring this guess this code as answers. Kinds may have a faster form."""
        return [word for word in words if self.score(guess, word) == code]

    def matrix(self, guesses: Sequence[str], answers: Sequence[str]) -> npt.NDArray[Any]:
        """The codes of all guesses (rows) against all answers (columns); uint8, or uint16 if codes need it.

        In plain Python; kinds may have a faster form. InputError where `score` returns what is no code.
        """
        import numpy as np

        rows: npt.NDArray[Any] = np.empty((len(guesses), len(answers)), np.uint8 if self.codes <= 256 else np.uint16)
        for row, guess in zip(rows, guesses, strict=True):
            for column, answer in enumerate(answers):
                code = self.score(guess, answer)
                if type(code) is not int or not 0 <= code < self.codes:
                    raise InputError(
                        f"kind {self.kind}: {quoted(guess)} against {quoted(answer)} scores {code!r}; "
                        f"codes are 0 to {self.codes - 1}"
                    )
                row[column] = code
        return rows

    @abstractmethod
    def parse(self, text: str) -> int:
        """The code that the text stands for; InputError when it stands for none."""

    @abstractmethod
    def format(self, code: int) -> str:
        """The canonical text of a code, which is also the key in exports."""

    def in_marks(self, text: str, guess: str) -> str:
        """A feedback for `parse`, where it may be written by the letters of its guess."""
        return text

    def written(self, guess: str) -> str:
        """A guess as the lists have it, from how people write it."""
        return guess

    def is_word(self, text: str) -> bool:
        """Whether what is no reply must be meant for a guess, and not for a reply mistyped."""
        return False

    def pretty(self, code: int, *, contrast: bool = False) -> str:
        """The text of a code for people: squares where letters have colours; ``contrast`` has orange and blue ones."""
        return self.format(code)

    @property
    def how_to(self) -> str:
        """What a player is asked to type."""
        return f"the feedback such as {self.format(0)}"

    def params(self) -> dict[str, int]:
        """What `feedback_of` needs beside `kind` to make this object again. A field with a default may be left out
        where it has that, and then always is."""
        return {name: getattr(self, name) for name in _params(type(self))}

    @property
    def count(self) -> int | None:
        """How many guesses `all_guesses` has; None where there are none."""
        return None

    def all_guesses(self) -> tuple[str, ...]:
        """Every guess, in lexicographic order, of a kind whose parameters determine them; InputError for others."""
        raise InputError(f"a game of kind {self.kind} needs a list of its guesses")

    def _check_code(self, code: int) -> None:
        if not 0 <= code < self.codes:
            raise InputError(f"feedback code {code} is out of range: codes of this game are 0 to {self.codes - 1}")


def _params(rule: type[Feedback]) -> dict[str, bool]:
    """The parameters of a kind, each with whether it must be given."""
    return {field.name: field.default is MISSING for field in fields(rule)}  # type: ignore[arg-type]


def feedback_of(kind: str, params: Mapping[str, int]) -> Feedback:
    """The feedback rule of a kind and its parameters, as a tree file names them."""
    if kind not in KINDS:
        raise InputError(f"unknown kind of game {quoted(kind)}: there are {', '.join(KINDS)}")
    rule = KINDS[kind]
    needed = _params(rule)
    missing = any(must and name not in params for name, must in needed.items())
    if missing or not set(params) <= set(needed) or not all(type(value) is int for value in params.values()):
        names = ", ".join(name if must else f"perhaps {name}" for name, must in needed.items())
        raise InputError(f"a game of kind {kind} needs the whole numbers {names} and nothing else")
    made = rule(**params)
    if made.params() != params:  # one game has one spelling
        raise InputError(f"a game of kind {kind} has the parameters {made.params()}, not {dict(params)}")
    return made
