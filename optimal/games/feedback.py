"""The kinds of feedback that come with the program: words in colours, and three kinds of peg games.

Light: numpy and the engine's scoring are imported where a matrix is made.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, ClassVar

from optimal.errors import InputError
from optimal.games.kinds import KINDS as KINDS
from optimal.games.kinds import Feedback as Feedback
from optimal.games.kinds import feedback_of as feedback_of
from optimal.games.kinds import plain_word
from optimal.show.words import counted, quoted
from optimal.threads import in_parts

if TYPE_CHECKING:
    import numpy.typing as npt

MIN_LENGTH, MAX_LENGTH = 2, 10
MAX_PEGS, MAX_COLOURS = 10, 35
_SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
_AT_ONCE = 1 << 22  # codes scored at a time, some hundredths of a second

BLACK, YELLOW, GREEN = 0, 1, 2

#: Marks as letters; x is a grey one that some prefer.
LETTERS = {"b": BLACK, "x": BLACK, "y": YELLOW, "g": GREEN}
# Each style maps its marks to 0, 1, 2. Black and white squares belong to both styles of squares.
_STYLES = {
    "letters b/y/g": LETTERS,
    "digits 0/1/2": {"0": BLACK, "1": YELLOW, "2": GREEN},
    "symbols -/?/* (or . for -)": {"-": BLACK, ".": BLACK, "?": YELLOW, "*": GREEN},
    "coloured squares": {"⬛": BLACK, "⬜": BLACK, "🟨": YELLOW, "🟩": GREEN},
    "high-contrast squares": {"⬛": BLACK, "⬜": BLACK, "🟦": YELLOW, "🟧": GREEN},
}
#: Marks in words, one after the other.
COLOURS = {"black": "b", "grey": "b", "gray": "b", "yellow": "y", "green": "g"}
_STYLE_HELP = "letters b/y/g, digits 0/1/2, -/?/* or coloured squares"
_VARIATION_SELECTORS = dict.fromkeys((0xFE0E, 0xFE0F))  # invisible; some keyboards put them after a square
_PAIR = re.compile(r"([0-9]{1,3})(?:\s*[,;]\s*|\s+|\s*a\s*)([0-9]{1,3})(\s*b)?|([0-9])([0-9])", re.IGNORECASE)


@dataclass(frozen=True)
class WordFeedback(Feedback):
    """Green, yellow or black for every letter.

    Code = sum of digit_i * 3^i with i = 0 for the first letter and black 0, yellow 1, green 2. Greens are
    dealt first; then yellows from left to right, as long as the answer has such letters left over.

    >>> rule = WordFeedback(5)
    >>> rule.format(rule.score("alley", "hello"))
    'BYGYB'
    """

    length: int
    kind: ClassVar[str] = "words"
    rules: ClassVar[tuple[str, ...]] = ("normal", "hard", "ultra-hard")
    settled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_range(f"words of length {self.length}", self.length, "length", MIN_LENGTH, MAX_LENGTH)

    @property
    def size(self) -> int:
        return self.length

    @property
    def codes(self) -> int:
        return int(3**self.length)

    @property
    def winning_code(self) -> int:
        return self.codes - 1

    def score(self, guess: str, answer: str) -> int:
        _check_sizes(guess, answer, self.length, "letters")
        left: dict[str, int] = {}  # letters of the answer that are not green
        for mine, theirs in zip(guess, answer, strict=True):
            if mine != theirs:
                left[theirs] = left.get(theirs, 0) + 1
        code, power = 0, 1
        for mine, theirs in zip(guess, answer, strict=True):
            if mine == theirs:
                code += GREEN * power
            elif left.get(mine, 0):
                left[mine] -= 1
                code += YELLOW * power
            power *= 3
        return code

    def fitting(self, guess: str, code: int, words: Sequence[str]) -> list[str]:
        # In one search by the library: a player should take a reply within a millisecond or two, and has no numpy.
        marks, counts = self.marks(code), ""
        shown = Counter(letter for letter, mark in zip(guess, marks, strict=True) if mark != BLACK)
        absent = "".join(sorted(set(guess) - shown.keys()))
        for letter in shown:
            spare = [mark for mine, mark in zip(guess, marks, strict=True) if mine == letter and mark != GREEN]
            if spare != sorted(spare, reverse=True):
                return []  # of equal letters the first is the yellow one
            if BLACK in spare:  # so many, and no more
                counts += f"(?=[^{letter}\n]*(?:{letter}[^{letter}\n]*){{{shown[letter]}}}$)"
            elif YELLOW in spare:
                counts += f"(?=(?:.*{letter}){{{shown[letter]}}})"
        pairs = zip(guess, marks, strict=True)
        places = "".join(letter if mark == GREEN else f"[^{absent}{letter}\n]" for letter, mark in pairs)
        return re.findall(f"^(?={places}$){counts}.*", "\n".join(words), re.MULTILINE)

    def matrix(self, guesses: Sequence[str], answers: Sequence[str]) -> npt.NDArray[Any]:
        import numpy as np

        from optimal import _engine

        rows, columns, out, _ = _arrays(guesses, answers, wide=self.codes > 256)
        score = _engine.word_matrix_16 if out.dtype == np.uint16 else _engine.word_matrix_8
        in_parts(len(rows), _rows(out), lambda first, end: score(rows[first:end], columns, out[first:end]))
        return out if self.codes > 256 else out.astype(np.uint8, copy=False)

    def marks(self, code: int) -> tuple[int, ...]:
        """The digits of a code, first letter first: 0 black, 1 yellow, 2 green."""
        self._check_code(code)
        return tuple(code // 3**place % 3 for place in range(self.length))

    def parse(self, text: str) -> int:
        marks, example = _marks_in(text), ("BYBBG" * 2)[: self.length]
        if not marks:
            raise InputError(f"the feedback is empty: give {self.length} marks, such as {example}")
        for place, mark in enumerate(marks, 1):
            if not any(mark in style for style in _STYLES.values()):
                raise InputError(
                    f"feedback {quoted(text)}: mark {place}, {quoted(mark)}, is none of {_STYLE_HELP}; "
                    f"write it such as {example}"
                )
        style = next((style for style in _STYLES.values() if style.keys() >= set(marks)), None)
        if style is None:
            # Naming the first style of each mark is enough: squares of both kinds are named apart.
            names = dict.fromkeys(next(name for name in _STYLES if mark in _STYLES[name]) for mark in marks)
            raise InputError(
                f"feedback {quoted(text)} mixes {' and '.join(names)}: keep to one style, such as {example}"
            )
        if len(marks) != self.length:
            raise InputError(
                f"feedback {quoted(text)} has {counted(len(marks), 'mark')}: "
                f"words of {self.length} letters need {self.length}, such as {example}"
            )
        return sum(style[mark] * 3**i for i, mark in enumerate(marks))

    def format(self, code: int) -> str:
        return "".join("BYG"[mark] for mark in self.marks(code))

    def in_marks(self, text: str, guess: str) -> str:
        """Marks for ".rA..": a capital of the guess is green, a small letter yellow, a dot black; else the text."""
        plain = text.strip()
        # Letters that are all small or all capitals may be a word.
        if len(plain) != len(guess) or ("." not in plain and (plain.islower() or plain.isupper())):
            return text
        if any(mark not in (".", letter, letter.upper()) for mark, letter in zip(plain, guess, strict=True)):
            return text
        if any(letter.upper() == letter for letter in guess):  # a script without capitals has no green
            return text
        marks = "".join("b" if mark == "." else "g" if mark.isupper() else "y" for mark in plain)
        colours = plain.lower().replace(".", "b")
        return text if set(colours) <= set("byg") and marks != colours else marks  # g.... of guild may be green

    def written(self, guess: str) -> str:
        return plain_word(guess)

    def is_word(self, text: str) -> bool:
        strange = [letter for letter in text.lower() if letter not in LETTERS]
        return text.isalpha() and 2 * len(strange) > len(text)

    def pretty(self, code: int, *, contrast: bool = False) -> str:
        squares = "⬛🟦🟧" if contrast else "⬛🟨🟩"
        return "".join(squares[mark] for mark in self.marks(code))

    @property
    def how_to(self) -> str:
        example = ("bybbg" * 2)[: self.length]
        return f"the colours as {example} (b for grey, y for yellow, g for green)"


class _Pegs(Feedback):
    """Symbols at places, scored by blacks (right symbol, right place) and whites (right symbol, wrong place).

    Code = blacks * (size + 1) + whites.
    """

    symmetric: ClassVar[bool] = True
    settled: ClassVar[bool] = True
    names: ClassVar[tuple[str, str]]

    @property
    @abstractmethod
    def size(self) -> int: ...

    @property
    def least_sum(self) -> int:
        """The fewest blacks and whites that a guess can bring together."""
        return 0

    @property
    def codes(self) -> int:
        return self.winning_code + 1

    @property
    def winning_code(self) -> int:
        return self.size * (self.size + 1)

    def written(self, guess: str) -> str:
        return plain_word(guess)

    def score(self, guess: str, answer: str) -> int:
        _check_sizes(guess, answer, self.size, "places")
        blacks = sum(mine == theirs for mine, theirs in zip(guess, answer, strict=True))
        shared = sum(min(guess.count(symbol), answer.count(symbol)) for symbol in set(guess))
        return blacks * (self.size + 1) + shared - blacks

    def matrix(self, guesses: Sequence[str], answers: Sequence[str]) -> npt.NDArray[Any]:
        import numpy as np

        from optimal import _engine

        rows, columns, out, symbols = _arrays(guesses, answers)
        mine, theirs = (
            np.stack([(array == symbol).sum(axis=1) for symbol in range(symbols)], axis=1).astype(np.uint8)
            for array in (rows, columns.T)
        )
        theirs = np.ascontiguousarray(theirs.T)

        def score(first: int, end: int) -> None:
            _engine.peg_matrix(rows[first:end], mine[first:end], columns, theirs, out[first:end])

        in_parts(len(rows), _rows(out), score)
        return out

    @property
    def how_to(self) -> str:
        return "the feedback such as 2,1"

    def parse(self, text: str) -> int:
        black_name, white_name = self.names
        example = "such as 2,1 or 2A1B" if self.size > 2 else "such as 0,1 or 0A1B"
        match = _PAIR.fullmatch(text.strip())
        # 2A1B has both letters; 2,1 and 2 1 have neither. Of two places "11" is a guess.
        if match is None or ("a" in text.lower()) != (match[3] is not None) or (match[4] and self.size == 2):
            raise InputError(f"feedback {quoted(text)} is not {black_name} and {white_name}, {example}")
        blacks, whites = int(match[1] or match[4]), int(match[2] or match[5])
        if blacks + whites > self.size:
            raise InputError(
                f"feedback {quoted(text)}: {blacks} {black_name} and {whites} {white_name} are more than "
                f"the {self.size} places of a guess"
            )
        if blacks == self.size - 1 and whites == 1:
            raise InputError(
                f"feedback {quoted(text)} is impossible: with {blacks} {black_name} "
                f"the last place brings {black_name} or nothing"
            )
        if blacks + whites < self.least_sum:
            raise InputError(
                f"feedback {quoted(text)} is impossible: two codes of this game share at least {self.least_sum} symbols"
            )
        return blacks * (self.size + 1) + whites

    def format(self, code: int) -> str:
        self._check_code(code)
        blacks, whites = divmod(code, self.size + 1)
        return f"{blacks},{whites}"


@dataclass(frozen=True)
class _AnyCode(_Pegs):
    """Any symbol in any place. Symbols are 1..9, then a..z."""

    pegs: int
    colours: int

    def __post_init__(self) -> None:
        _check_range(f"{self.kind} with {self.pegs} pegs", self.pegs, "number of pegs", 1, MAX_PEGS)
        _check_range(f"{self.kind} with {self.colours} colours", self.colours, "number of colours", 2, MAX_COLOURS)

    @property
    def size(self) -> int:
        return self.pegs

    @property
    def form(self) -> str:
        last = self.symbols[-1]
        return f"{self.pegs} of the colours 1 to {last}, such as {self.symbols[0] * (self.pegs - 1)}{last}"

    @property
    def count(self) -> int:
        return int(self.colours**self.pegs)

    @property
    def symbols(self) -> str:
        return _SYMBOLS[1 : self.colours + 1]

    def all_guesses(self) -> tuple[str, ...]:
        return tuple(map("".join, product(self.symbols, repeat=self.pegs)))


@dataclass(frozen=True)
class PegFeedback(_AnyCode):
    """Mastermind: any symbol in any place. Symbols are 1..9, then a..z.

    >>> PegFeedback(4, 6).format(PegFeedback(4, 6).score("1123", "2111"))
    '1,2'
    """

    kind: ClassVar[str] = "mastermind"
    names: ClassVar[tuple[str, str]] = ("blacks", "whites")


@dataclass(frozen=True)
class BlackFeedback(_AnyCode):
    """Mastermind with black pegs alone: how many places have the right symbol. Code = blacks.

    >>> BlackFeedback(4, 6).format(BlackFeedback(4, 6).score("1123", "2111"))
    '1'
    """

    kind: ClassVar[str] = "black-pegs"

    @property
    def winning_code(self) -> int:
        return self.pegs

    def score(self, guess: str, answer: str) -> int:
        return super().score(guess, answer) // (self.pegs + 1)

    def matrix(self, guesses: Sequence[str], answers: Sequence[str]) -> npt.NDArray[Any]:
        codes = super().matrix(guesses, answers)
        codes //= self.pegs + 1
        return codes

    @property
    def how_to(self) -> str:
        return "the number of blacks, such as 2"

    def parse(self, text: str) -> int:
        plain = text.strip()
        if not (plain.isascii() and plain.isdecimal() and len(plain) <= 3 and int(plain) <= self.pegs):
            raise InputError(f"feedback {quoted(text)} is no number of blacks: 0 to {self.pegs}")
        return int(plain)

    def format(self, code: int) -> str:
        self._check_code(code)
        return str(code)


@dataclass(frozen=True)
class BullsFeedback(_Pegs):
    """Bulls and Cows, and Mastermind without repeated colours: distinct symbols, of 0..9, then a..z; 0 may come first.

    >>> BullsFeedback(4).format(BullsFeedback(4).score("0123", "0321"))
    '2,2'
    """

    digits: int
    symbols: int = 10
    kind: ClassVar[str] = "bulls-and-cows"
    names: ClassVar[tuple[str, str]] = ("bulls", "cows")

    def __post_init__(self) -> None:
        game = f"bulls and cows with {self.digits}"
        _check_range(f"{game} digits", self.digits, "number of digits", 1, MAX_PEGS)
        least = max(2, self.digits)
        _check_range(f"{game} of {self.symbols} symbols", self.symbols, "number of symbols", least, len(_SYMBOLS))

    @property
    def size(self) -> int:
        return self.digits

    @property
    def form(self) -> str:
        return f"{self.digits} different symbols of 0 to {_SYMBOLS[self.symbols - 1]}"

    @property
    def count(self) -> int:
        return math.perm(self.symbols, self.digits)

    @property
    def least_sum(self) -> int:
        return max(0, 2 * self.digits - self.symbols)  # there are no more symbols to choose from

    def params(self) -> dict[str, int]:
        return {"digits": self.digits} if self.symbols == 10 else super().params()

    def all_guesses(self) -> tuple[str, ...]:
        return tuple(map("".join, permutations(_SYMBOLS[: self.symbols], self.digits)))


def _marks_in(text: str) -> str:
    """The marks of a feedback, which may stand apart as in "b y b y b", "b,y,b,y,b" or "grey-yellow-grey"."""
    marks = text.strip().translate(_VARIATION_SELECTORS).lower()
    pieces = [COLOURS.get(piece, piece) for piece in re.split("[-/, ]+", marks)]
    if not pieces or not all(map(str.isalpha, pieces)):
        pieces = marks.replace(",", " ").split()
    return "".join(pieces) if pieces and all(len(piece) == 1 for piece in pieces) else marks


def _arrays(
    guesses: Sequence[str], answers: Sequence[str], wide: bool = False
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], int]:
    """The symbols of guesses (places in rows) and answers (places in columns, padded), room for their codes, and the
    number of symbols; in 16 bits where these are many, or if asked to be ``wide``."""
    import numpy as np

    from optimal import _engine

    number = {symbol: i for i, symbol in enumerate(sorted(set().union(*guesses, *answers)))}
    dtype = np.uint16 if wide or len(number) > 256 else np.uint8
    rows, columns = (
        np.array([number[symbol] for word in words for symbol in word], dtype=dtype).reshape(len(words), -1)
        for words in (guesses, answers)
    )
    padding = -len(answers) % _engine.ANSWER_LANE
    padded = np.ascontiguousarray(np.pad(columns.T, ((0, 0), (0, padding))))
    return rows, padded, np.empty((len(guesses), len(answers)), dtype=dtype), len(number)


def _rows(out: npt.NDArray[Any]) -> int:
    """The rows of a matrix that are scored at a time."""
    return max(1, _AT_ONCE // int(out.shape[1]))


def _check_range(game: str, number: int, what: str, least: int, most: int) -> None:
    if not least <= number <= most:
        raise InputError(f"{game}: the {what} must be {least} to {most}")


def _check_sizes(guess: str, answer: str, size: int, unit: str) -> None:
    for name, text in (("guess", guess), ("answer", answer)):
        if len(text) != size:
            raise InputError(f"{name} {quoted(text)} has {len(text)} {unit}: this game needs {size}")
