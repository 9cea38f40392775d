"""Word lists and frequency tables: reading, checking and hashing. Every bad list gets one clear line."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from optimal.checks import check_texts
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.feedback import MAX_LENGTH, MIN_LENGTH
from optimal.games.spelling import PLAIN, Spelling
from optimal.labels import check_labels
from optimal.show.words import counted, listed, quoted

#: What the column of words may be called, in words that could stand in it.
HEADINGS = ("word", "words", "guess", "guesses", "answer", "answers")
LEAST_HEADED = 3  # words that make the first one odd
MOST_LETTERS = 12  # that a note names

_IN_QUOTES = re.compile(r"\"[^\"]*\"|'[^']*'")
_QUOTED = re.compile(rf"[\[\](),;\s]*(?:(?:{_IN_QUOTES.pattern})[\[\](),;\s]*)*")


def read_words(
    path: str | os.PathLike[str],
    *,
    length: int | None = None,
    spelling: Spelling = PLAIN,
    tell: Callable[[str], None] | None = None,
) -> list[str]:
    """The words of a file (UTF-8), lower-cased, in file order: one a line, or a list in quotation marks, as in JSON.

    Blank lines and # comments are ignored. With ``length`` words of any other length are left out, and those with
    apostrophes, hyphens or digits. Words that come again are left out too, and so is a heading; ``tell`` is called with
    a line about what was.
    """
    name = os.fspath(path)
    say = tell or (lambda line: None)
    text = read_text(path, "word list")
    spelling = spelling.suited(text)
    unit, entries = _entries(text)
    found = [(number, spelling.written(entry)) for number, entry in entries]
    if _has_heading([word for _, word in found]):
        number, heading = found.pop(0)
        say(f"{name}, {unit} {number}: {quoted(heading)} left out, as a heading")
    kept = found if length is None else _of_length(found, length, name, unit, say)
    words = dict.fromkeys(_checked(kept, name, unit))
    if kept and kept[0][1] in HEADINGS:
        say(f"{name}, {unit} {kept[0][0]}: {quoted(kept[0][1])} is taken as a word; leave it out if it is a heading")
    if again := len(kept) - len(words):
        say(f"{name}: {counted(again, 'repeated word')} left out")
    if spelling.fold and (read := spelling.folded("".join(entry for _, entry in entries))):
        say(f"{name}: read {listed(read, MOST_LETTERS)}")
    return list(words)


def read_labels(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The labels of a file, one a line (UTF-8), as they stand and in file order."""
    return check_labels(read_text(path, "labels").rstrip("\n").split("\n"), os.fspath(path))


def check_words(words: Iterable[str], what: str = "words", spelling: Spelling = PLAIN) -> list[str]:
    """The same checks for words that come from elsewhere; `what` names them in messages."""
    texts = check_texts(words, what, "crane")
    if not texts:
        raise InputError(f"the list of {what} is empty: it needs at least one word")
    spelling = spelling.suited("".join(texts))
    checked = _checked([(number, spelling.written(text)) for number, text in enumerate(texts, 1)], what, "word")
    first_at: dict[str, int] = {}
    for number, word in enumerate(checked, 1):
        if first_at.setdefault(word, number) != number:
            place = f"{what}, word {number}"
            raise InputError(f"{place}: {word!r} is a duplicate of word {first_at[word]}; each word may stand once")
    return checked


def sha256_of(words: Iterable[str]) -> str:
    """The hash that names a list, whatever its order: of the sorted words, each followed by a newline."""
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


def _entries(text: str) -> tuple[str, list[tuple[int, str]]]:
    """What the entries of a list are called, and the entries, numbered."""
    if text.lstrip().startswith("["):
        import json  # here, as few lists need it

        with suppress(ValueError, RecursionError):
            items = json.loads(text)
            if all(isinstance(item, str) for item in items):
                return "item", list(enumerate(items, 1))
    # Not splitlines: it also splits at characters that no editor counts as the end of a line.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip().startswith("#")]
    if lines and all(_QUOTED.fullmatch(line) for _, line in lines):
        lines = [(number, match[0].strip("\"'")) for number, line in lines for match in _IN_QUOTES.finditer(line)]
    return "line", lines


def _has_heading(words: list[str]) -> bool:
    """Whether the first word heads a column: all others have another length, or it is such as "words" and they alone
    are in order."""
    first, others = words[:1], words[1:]
    if len(others) < LEAST_HEADED:
        return False
    lengths = set(map(len, others))
    unlike = len(lengths) == 1 and len(first[0]) not in lengths
    return unlike or (first[0] in HEADINGS and first > others[:1] and others == sorted(others))


def _of_length(
    entries: Sequence[tuple[int, str]], length: int, name: str, unit: str, say: Callable[[str], None]
) -> list[tuple[int, str]]:
    """The entries that are words of this length."""
    kept = [(number, word) for number, word in entries if len(word) == length and word.isalpha()]
    marked = [(number, word) for number, word in entries if any(map(_is_mark, word))]
    if len(marked) > len(kept):
        _check_letters(marked[0][1], f"{name}, {unit} {marked[0][0]}")
    if entries and not kept:
        raise InputError(f"{name} has {counted(len(entries), 'word')}, none of {length} letters")
    if others := len(entries) - len(kept) - len(marked):
        say(f"{name}: {counted(others, 'word')} not of {length} letters left out")
    if marked:
        such = quoted(marked[0][1])
        say(f"{name}: {counted(len(marked), 'word')} with marks that join no letter left out, such as {such}")
    return kept


def _checked(entries: Iterable[tuple[int, str]], source: str, unit: str) -> list[str]:
    """The words of numbered entries, all of one length; they may repeat."""
    cure = "" if unit == "word" else "; --length N takes the words of N letters, and leaves such out"
    words = []
    length = 0
    for number, word in entries:
        place = f"{source}, {unit} {number}"
        if not word:
            raise InputError(f"{place} is blank: put one word there")
        _check_letters(word, place, cure)
        if not MIN_LENGTH <= len(word) <= MAX_LENGTH:
            raise InputError(
                f"{place}: {quoted(word)} has {len(word)} letter{'' if len(word) == 1 else 's'}; "
                f"words must have {MIN_LENGTH} to {MAX_LENGTH}"
            )
        length = length or len(word)
        if len(word) != length:
            hint = "" if unit == "word" else f" (--length {length} leaves out the others)"
            raise InputError(
                f"{place}: {word!r} has {len(word)} letters but the first word has {length}; "
                f"all words must be equally long{hint}"
            )
        words.append(word)
    if not words:
        raise InputError(f"{source} is empty: it needs at least one word")
    return words


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _check_letters(word: str, place: str, cure: str = "") -> None:
    if not word.isalpha():
        odd = next(character for character in word if not character.isalpha())
        if _is_mark(odd):
            raise InputError(
                f"{place}: {quoted(word)} holds the mark {odd!r} that joins no letter into one; scripts that write a "
                f"letter as several characters can't be played (--fold-accents drops accents and points){cure}"
            )
        right = f"words may hold letters only{cure}"
        if re.fullmatch(r"[^\W\d_]+\s*[,;\t ]\s*[0-9.]+", word):
            right = "one word a line is right, and numbers beside words are for --weights"
        elif re.fullmatch(r"[^\W\d_]+(\s*[,;\t ]\s*[^\W\d_]+)+", word):
            right = "one word a line is right"
        raise InputError(f"{place}: {quoted(word)} holds {odd!r}; {right}")
