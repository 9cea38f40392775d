"""Word lists and frequency tables: reading, checking and hashing. Every bad list gets one clear line."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Callable, Iterable

from optimal.checks import check_texts
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.feedback import MAX_LENGTH, MIN_LENGTH
from optimal.games.kinds import plain_word
from optimal.labels import check_labels
from optimal.show.words import counted, quoted


def read_words(
    path: str | os.PathLike[str], *, length: int | None = None, tell: Callable[[str], None] | None = None
) -> list[str]:
    """The words of a file, one a line (UTF-8), lower-cased, in file order; blank lines and # comments are ignored.

    With ``length`` words of any other length are left out, and those with apostrophes, hyphens or digits. Words that
    come again are left out too; ``tell`` is called with a line about what was.
    """
    name = os.fspath(path)
    kept, others = [], 0
    # Not splitlines: it also splits at characters that no editor counts as the end of a line.
    for number, line in enumerate(read_text(name, "word list").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if length is None or (len(word := plain_word(line)) == length and _may_be_letters(word)):
            kept.append((number, line))
        else:
            others += 1
    if others and not kept:
        raise InputError(f"{name} has {counted(others, 'word')}, none of {length} letters")
    words = dict.fromkeys(_checked(kept, name, "line"))
    again = len(kept) - len(words)
    if tell is not None and others:
        tell(f"{name}: {counted(others, 'word')} not of {length} letters left out")
    if tell is not None and again:
        tell(f"{name}: {counted(again, 'repeated word')} left out")
    return list(words)


def read_labels(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The labels of a file, one a line (UTF-8), as they stand and in file order."""
    return check_labels(read_text(path, "labels").rstrip("\n").split("\n"), os.fspath(path))


def check_words(words: Iterable[str], what: str = "words") -> list[str]:
    """The same checks for words that come from elsewhere; `what` names them in messages."""
    texts = check_texts(words, what, "crane")
    if not texts:
        raise InputError(f"the list of {what} is empty: it needs at least one word")
    checked = _checked(enumerate(texts, 1), what, "word")
    first_at: dict[str, int] = {}
    for number, word in enumerate(checked, 1):
        if first_at.setdefault(word, number) != number:
            place = f"{what}, word {number}"
            raise InputError(f"{place}: {word!r} is a duplicate of word {first_at[word]}; each word may stand once")
    return checked


def sha256_of(words: Iterable[str]) -> str:
    """The hash that names a list, whatever its order: of the sorted words, each followed by a newline."""
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


def _checked(entries: Iterable[tuple[int, str]], source: str, unit: str) -> list[str]:
    """The words of numbered entries, all of one length; they may repeat."""
    words = []
    length = 0
    for number, entry in entries:
        word = plain_word(entry)
        place = f"{source}, {unit} {number}"
        if not word:
            raise InputError(f"{place} is blank: put one word there")
        _check_letters(word, place)
        if not MIN_LENGTH <= len(word) <= MAX_LENGTH:
            raise InputError(
                f"{place}: {quoted(word)} has {len(word)} letter{'' if len(word) == 1 else 's'}; "
                f"words must have {MIN_LENGTH} to {MAX_LENGTH}"
            )
        length = length or len(word)
        if len(word) != length:
            hint = f" (--length {length} leaves out the others)" if unit == "line" else ""
            raise InputError(
                f"{place}: {word!r} has {len(word)} letters but the first word has {length}; "
                f"all words must be equally long{hint}"
            )
        words.append(word)
    if not words:
        raise InputError(f"{source} is empty: it needs at least one word")
    return words


def _may_be_letters(word: str) -> bool:
    """Whether it has letters alone, or marks that no letter could be joined with, of which people should hear."""
    return word.isalpha() or any(unicodedata.category(character).startswith("M") for character in word)


def _check_letters(word: str, place: str) -> None:
    if not word.isalpha():
        odd = next(character for character in word if not character.isalpha())
        if unicodedata.category(odd).startswith("M"):
            raise InputError(
                f"{place}: {quoted(word)} holds the mark {odd!r} that joins no letter into one; scripts that write a "
                "letter as several characters can't be played"
            )
        right = "words may hold letters only"
        if re.fullmatch(r"[^\W\d_]+\s*[,;\t ]\s*[0-9.]+", word):
            right = "one word a line is right, and numbers beside words are for --weights"
        elif re.fullmatch(r"[^\W\d_]+(\s*[,;\t ]\s*[^\W\d_]+)+", word):
            right = "one word a line is right"
        raise InputError(f"{place}: {quoted(word)} holds {odd!r}; {right}")
