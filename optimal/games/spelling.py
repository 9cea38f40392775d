"""How the words of a list are read: small letters, letters that stand for others, accents that don't count. Light."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.kinds import plain_word
from optimal.show.words import quoted, shown

#: Capitals of the languages that write ı, Turkish the largest: elsewhere I is the capital of i.
_DOTTED: Mapping[str, str] = MappingProxyType({"I": "ı", "İ": "i"})


@dataclass(frozen=True)
class Spelling:
    """How words are written, in lists and where they are typed: letters read as others, accents that don't count.

    >>> from optimal import Game, Spelling
    >>> game = Game.from_words(["niña", "cana"], spelling=Spelling("ñ=ñ", fold=True))
    >>> game.written("NÍÑA")
    'niña'

    ``letters`` has each letter with what it is read as, and blanks between: ``"ς=σ ñ=ñ"``. With ``fold`` all others
    lose their accents. Where a list has an ı or İ, as those of Turkish have, I is the capital of ı. Raises InputError
    for letters of another form, and where what a letter is read as holds one that is read as another.
    """

    letters: str = ""
    fold: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.letters, str):
            raise InputError(f"letters are text, such as 'ς=σ ñ=ñ', not {shown(self.letters)}")
        known: dict[str, str] = {}
        for pair in self.letters.split():
            letter, sign, to = pair.partition("=")
            if not letter or not sign:
                raise InputError(f"{quoted(pair)} is no letter with what it is read as; write such as ς=σ")
            if known.setdefault(letter, to) != to:
                raise InputError(f"{quoted(letter)} is read as {quoted(known[letter])} and as {quoted(to)}")
        for letter, to in known.items():
            # Else a word that is read twice would change again.
            if other := next((other for other in known if other in to and to != letter), None):
                where = f"{quoted(letter)} is read as {quoted(to)}, in which"
                raise InputError(f"{where} {quoted(other)} is read as {quoted(known[other])}: write the last at once")

    def suited(self, text: str) -> Spelling:
        """The same with the capitals that belong to ı, where the text has it or İ."""
        if "ı" not in text and "İ" not in unicodedata.normalize("NFC", text):
            return self
        more = [f"{letter}={to}" for letter, to in _DOTTED.items() if letter not in self._known]
        return replace(self, letters=" ".join([self.letters, *more]))

    def written(self, entry: str) -> str:
        """A word as the lists have it."""
        if not self.letters and not self.fold:
            return plain_word(entry)
        # Before the capitals become small letters, as İ=i asks for, and after, as ς=σ does.
        capitals = "".join(self._known.get(letter, letter) for letter in self._split(entry))
        return unicodedata.normalize("NFC", "".join(map(self._read, self._split(plain_word(capitals)))))

    def folded(self, text: str) -> list[str]:
        """What dropping the accents changes in a text, such as "á as a"."""
        letters = sorted(set(self._split(plain_word(text))) - self._known.keys())
        return [f"{letter} as {to}" for letter in letters if (to := self._read(letter)) not in ("", letter)]

    @cached_property
    def _known(self) -> dict[str, str]:
        pairs = (unicodedata.normalize("NFC", pair).partition("=") for pair in self.letters.split())
        return {letter: plain_word(to) for letter, _, to in pairs}

    def _split(self, text: str) -> list[str]:
        """The letters of a text, some of which may be written as several characters, such as nj."""
        longest = sorted(map(re.escape, self._known), key=len, reverse=True)
        return re.findall("|".join([*longest, "."]), unicodedata.normalize("NFC", text), re.DOTALL)

    def _read(self, letter: str) -> str:
        if letter in self._known or not self.fold:
            return self._known.get(letter, letter)
        parts = unicodedata.normalize("NFD", letter)
        return unicodedata.normalize("NFC", "".join(part for part in parts if unicodedata.category(part) != "Mn"))


PLAIN = Spelling()


def read_spelling(path: str | os.PathLike[str] | None, *, fold: bool) -> Spelling:
    """The spelling by a file of letters, one a line, such as ς=σ. Blank lines and # comments are ignored."""
    lines = [] if path is None else read_text(path, "letters").split("\n")
    pairs = [re.sub(r"\s*=\s*", "=", line.strip()) for line in lines if not line.lstrip().startswith("#")]
    try:
        return Spelling(" ".join(pairs), fold)
    except InputError as error:
        raise InputError(f"{os.fspath(path or '')}: {error}") from None
