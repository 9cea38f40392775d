"""Reading descriptions of taxa in the DELTA format (Dallwitz 1980; a standard of TDWG): the files of characters, of
items and of specifications, each of directives.

Comments, texts and typesetting are left out; "and" between states is read as "or". Measured characters are asked only
where classes of them are named.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

from optimal.errors import InputError
from optimal.limits import LONGEST_LIST
from optimal.show.words import listed, quoted
from optimal.tables.cells import tidy
from optimal.tables.coded import INAPPLICABLE, Matrix, State, unlike

#: The files of a data set, as they are mostly called.
FILES = ("specs", "chars", "items")
#: What holds directives for keys, and those of them that make costs.
_FOR_KEYS, _RELIABILITIES = "tokey", ("CHA REL", "CHA WEI")
#: A directive: a star, and words in capitals, three letters of which count.
_DIRECTIVE = re.compile(r"^[ \t]*\*[ \t]*([A-Z]{2,}(?:[ \t]+[A-Z]{2,})*)", re.MULTILINE)
_COMMENT = re.compile(r"<[^<>]*>")
_HIDDEN = re.compile("\0([0-9]+)\0")
_TYPESETTING = re.compile(r"\\[a-z]+-?[0-9]*(?:\{\}| )?|[{}]")
#: The end of a part of a description: a stroke before a blank.
_END = re.compile(r"/(?=\s|$)")
_NUMBERED = re.compile(r"^\s*#\s*([0-9]+)\s*\.", re.MULTILINE)
_STATE = re.compile(r"\s*([0-9]+)\s*\.(.*)", re.DOTALL)
_ITEM = re.compile(r"^\s*#", re.MULTILINE)
#: A character or several, and what is said of them.
_SAID = re.compile(r"([0-9]+)(?:-([0-9]+))?(?:,(\S+))?")
_N = r"[0-9]+(?:\.[0-9]+)?"
#: A number, a range or a range with its middle, with extremes in brackets.
_RANGE = re.compile(rf"(?:\(({_N})-\))?({_N})(?:-{_N})??(?:-({_N}))?(?:\(-({_N})\))?")
#: Costs of reliabilities, as the program KEY has them: this to the power of how much the greatest is greater.
_BASE = 1.4


def read_delta(text: str, source: str, other: Callable[[str], str | None]) -> Matrix:
    """Return the matrix of a data set, one of whose files has this text; ``other`` reads another by its name, and is
    None where there is none."""
    data = _Data(source, other)
    data.take(text)
    for name in FILES:
        if not data.has(name) and (more := other(name)) is not None:
            data.take(more, name)
    for name in FILES[1:]:
        if not data.has(name):
            raise InputError(f"{source}: a data set of DELTA also needs the file {name}, beside it; there is none")
    found = data.matrix()
    if not data.reliability and _weighs(_FOR_KEYS, other):
        found.notes.append(f"the reliabilities in {_FOR_KEYS} aren't used; name that file, and they are costs")
    return found


def _weighs(name: str, other: Callable[[str], str | None]) -> bool:
    """Return whether there is such a file, with reliabilities or weights of characters."""
    with suppress(InputError):
        return any(_short(found[1]) in _RELIABILITIES for found in _DIRECTIVE.finditer(other(name) or ""))
    return False


def _short(phrase: str) -> str:
    return " ".join(word[:3] for word in phrase.split()[:4])


#: Directives that choose or class, by their short form.
_ASIDE = {
    "EXC ITE": "EXCLUDE ITEMS",
    "INC ITE": "INCLUDE ITEMS",
    "INC CHA": "INCLUDE CHARACTERS",
    "KEY STA": "KEY STATES",
}


@dataclass
class _Data:
    """What the directives say, by the numbers of characters."""

    source: str
    other: Callable[[str], str | None]
    kinds: dict[int, str] = field(default_factory=dict)
    #: Comments, which are hidden while text is split into its parts.
    comments: list[str] = field(default_factory=list)
    #: Its name and what follows it: states, or units.
    characters: dict[int, list[str]] = field(default_factory=dict)
    implicit: dict[int, str] = field(default_factory=dict)
    #: By the controlling character: states, and the characters that make no sense with these alone.
    dependent: list[tuple[int, set[int], list[int]]] = field(default_factory=list)
    reliability: dict[int, float] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)
    items: list[tuple[str, dict[int, str]]] = field(default_factory=list)
    #: By the place of an item and a character, the values of one that comes again with another.
    again: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    #: Where the directive or the item stands that is read, and where each item does.
    place: str = ""
    places: list[str] = field(default_factory=list)
    #: What is no attribute.
    odd: list[str] = field(default_factory=list)
    aside: dict[str, None] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether what a file of this name holds is known."""
        return bool({"specs": self.kinds, "chars": self.characters, "items": self.items}[name])

    def take(self, text: str, file: str = "") -> None:
        """Take in the directives of a file, of this name if it isn't the source itself."""
        for this, after in pairwise([*_DIRECTIVE.finditer(text), None]):
            assert this is not None  # the last is no first
            begin = this.start(1) + len("INPUT FILE") if _short(this[1]).startswith("INP FIL") else this.end()
            said = text[begin : None if after is None else after.start()]
            line = text.count("\n", 0, begin) + 1
            self.place = f"{file and f'{file}, '}line {line}"
            if _short(this[1]) == "ITE DES":
                self._items(said, file, line)
            else:
                self._directive(_short(this[1]), said)

    def _directive(self, phrase: str, text: str) -> None:
        if phrase.startswith("INP FIL"):
            name = text.strip()
            if name.casefold() not in self.read and (more := self.other(name)) is not None:
                self.read.add(name.casefold())
                self.take(more, name)
        elif phrase == "CHA TYP":
            self.kinds |= dict(self._said(text)) or {0: ""}
        elif phrase == "CHA LIS":
            self._characters(self._hide(text))
        elif phrase == "IMP VAL":
            self.implicit |= {number: value.partition(":")[0] for number, value in self._said(text)}
        elif phrase in ("DEP CHA", "INA CHA"):
            for number, value in self._said(text):
                states, _, others = value.partition(":")
                self.dependent.append((number, set(self._numbers(states)), self._numbers(others)))
        elif phrase == _RELIABILITIES[0]:
            self.reliability |= {number: min(value, 10.0) for number, value in self._amounts(text)}
        elif phrase == _RELIABILITIES[1]:
            self.reliability |= {number: 5 + math.log2(value) for number, value in self._amounts(text) if value}
        elif phrase == "EXC CHA":
            self.left_out |= set(self._numbers(text))
        elif phrase in _ASIDE:
            self.aside[_ASIDE[phrase]] = None

    def _said(self, text: str) -> Iterator[tuple[int, str]]:
        """What is said of each character, such as "2-6,7"."""
        for part in text.split():
            if found := _SAID.fullmatch(part):
                low, high, value = found.groups()
                yield from ((number, value or "") for number in self._range(low, high))
            elif part != ",":
                self.odd.append(f"{quoted(part)} in {self.place}")

    def _range(self, low: str, high: str | None) -> range:
        """The numbers from one to the other, as far as characters and states have them."""
        begin, end = int(low[:9]), int((high or low)[:9])
        if end < begin:
            raise InputError(f"{self.source}: {self.place}: '{low}-{high}' goes down; write the lower end first")
        return range(min(begin, LONGEST_LIST), min(end, LONGEST_LIST) + 1)

    def _numbers(self, text: str) -> list[int]:
        """The numbers of a list such as 33-38:41 or 1/2."""
        return [number for low, high, _ in _SAID.findall(text) for number in self._range(low, high)]

    def _amounts(self, text: str) -> Iterator[tuple[int, float]]:
        for number, value in self._said(text):
            if not re.fullmatch(_N, value):
                raise InputError(
                    f"{self.source}: {self.place}: character {number}: {quoted(value)} is no reliability and no weight"
                )
            yield number, float(value)

    # Texts

    def _hide(self, text: str) -> str:
        """The text with a number for each comment; comments may hold others."""
        while _COMMENT.search(text):
            text = _COMMENT.sub(self._hidden, text)
        return text

    def _hidden(self, found: re.Match[str]) -> str:
        self.comments.append(found[0][1:-1])
        return f"\0{len(self.comments) - 1}\0"

    def _plain(self, text: str, *, comments: bool = False) -> str:
        """The text without its comments, or with them in brackets."""
        while comments and (found := _HIDDEN.search(text)):
            text = text.replace(found[0], f"({self.comments[int(found[1])]})")
        return tidy(_TYPESETTING.sub("", _HIDDEN.sub("", text)))

    def _names(self, texts: list[str]) -> list[str]:
        """The texts as names, no two alike: those that are go with their comments."""
        plain = [self._plain(text) for text in texts]
        full = [self._plain(text, comments=True) for text in texts]
        full = [text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text for text in full]
        return unlike([name if name and plain.count(name) == 1 else full[at] for at, name in enumerate(plain)])

    def _characters(self, text: str) -> None:
        _, *parts = _NUMBERED.split(text)
        for number, body in zip(parts[::2], parts[1::2], strict=True):
            self.characters[int(number)] = _END.split(body)

    def _items(self, text: str, file: str, line: int) -> None:
        before: dict[int, str] = {}
        plain = text  # with the same lines, but without comments
        while _COMMENT.search(plain):
            plain = _COMMENT.sub(lambda found: re.sub(".", "x", found[0]), plain)
        lines = [line + plain.count("\n", 0, found.end()) for found in _ITEM.finditer(plain)]
        for body, at in zip(_ITEM.split(self._hide(text))[1:], lines, strict=True):
            self.place = f"{file and f'{file}, '}line {at}"
            self.places.append(self.place)
            name, *rest = _END.split(body, maxsplit=1)
            is_variant = name.startswith("+")  # of the item before, whose attributes it has where it has none
            said: dict[int, str] = {}
            for number, value in self._said(self._plain(" ".join(rest))):
                if said.setdefault(number, value) != value:
                    self.again.setdefault((len(self.items), number), [said[number]]).append(value)
            before = before | said if is_variant else said
            self.items.append((name.removeprefix("+"), before))

    # The matrix

    def matrix(self) -> Matrix:
        """The matrix, with states by their names."""
        asked = [at for at in self.characters if self.kinds.get(at) != "TE" and at not in self.left_out]
        states = {at: self._states(at) for at in asked}
        self._check_numbers()
        rows: list[list[State]] = []
        odd: list[str] = []
        for place, (name, said) in enumerate(self.items):
            self.place = self.places[place]
            filled: set[int] = set()
            rows.append([self._state(name, at, self._value(at, said, filled), states[at]) for at in asked])
            odd += [self._where(name, at) for at in asked if at in filled]
        numbers = {place: self.kinds[at] for place, at in enumerate(asked) if self.kinds.get(at) in ("IN", "RN")}
        names = self._names([self.characters[at][0] for at in asked])
        for place in numbers:
            unit = self._plain("".join(self.characters[asked[place]][1:2]))
            names[place] += f" ({unit})" if unit else ""
        found = Matrix(self.source, self._names([name for name, _ in self.items]), names, rows)
        found.numeric = frozenset(numbers)
        found.unasked = frozenset(place for place, kind in numbers.items() if kind == "RN")
        if self.aside:
            found.notes.append(f"not followed: {listed(list(self.aside))}; see --without, --only and --classes")
        reliability = [self.reliability.get(at, 5.0) for at in asked]
        if len(set(reliability)) > 1:
            most = max(reliability)
            found.costs = [f"{_BASE ** (most - one):.4f}".rstrip("0").rstrip(".") for one in reliability]
            found.notes.append(
                f"reliabilities of characters are costs here: {_BASE}^({most:g} - reliability), as in KEY"
            )
        if self.odd:
            found.notes.append(f"no attribute, and left out: {listed(self.odd, 5)}; right would be such as 3,1/2")
        if odd:
            found.notes.append(
                f"filled in, and taken so, though its controlling character has it inapplicable: {'; '.join(odd[:5])}"
                f"{f' and {len(odd) - 5} more' if len(odd) > 5 else ''}; take it out, or mend that one"
            )
        return found

    def _where(self, item: str, number: int) -> str:
        return f"{quoted(self._plain(item))}, character {number}"

    def _error(self, item: str, number: int, text: str) -> InputError:
        return InputError(f"{self.source}: {self.place}: {self._where(item, number)}{text}")

    def _check_numbers(self) -> None:
        """Refuse items with a character that there isn't, or with one that comes twice."""
        for place, (name, said) in enumerate(self.items):
            self.place = self.places[place]
            for number in said:
                if number not in self.characters:
                    count = len(self.characters)
                    raise self._error(name, number, f": CHARACTER LIST has {count}, and none so numbered")
                if (place, number) in self.again and self.kinds.get(number) != "TE":
                    values = "/".join(filter(None, self.again[place, number]))
                    raise self._error(name, number, f" comes twice; if either can be, write {number},{values}")

    def _states(self, number: int) -> dict[int, str]:
        """The names of the states of a character; none where it has numbers."""
        if self.kinds.get(number) in ("IN", "RN"):
            return {}
        found = [one for one in map(_STATE.match, self.characters[number][1:]) if one]
        return dict(zip([int(one[1]) for one in found], self._names([one[2] for one in found]), strict=True))

    def _value(self, number: int, said: dict[int, str], filled: set[int], depth: int = 0) -> str:
        """What an item has of a character: what is said, inapplicable where others make it so, or what is implied.

        Where another one varies, and makes it inapplicable in some of its states, it may be that as well: which of them
        go together can't be said in one cell, so all are taken to. What is said in spite of others joins ``filled``.
        """
        value, may = said.get(number), False
        for controlling, states, others in self.dependent if depth < len(self.characters) else ():
            if number in others:
                above = self._value(controlling, said, filled, depth + 1)
                rest = above.removesuffix("/-")
                if rest == above and (
                    above == "-" or (above not in ("", "U", "V") and states.issuperset(self._numbers(above)))
                ):
                    if not value:
                        return "-"
                    if value not in ("-", "U"):
                        filled.add(number)
                else:
                    may |= rest != above or above == "V" or not states.isdisjoint(self._numbers(above))
        value = value or self.implicit.get(number, "")
        return f"{value}/-" if may and value not in ("", "U", "-") else value

    def _state(self, item: str, number: int, value: str, names: dict[int, str]) -> State:
        """The states of an item, by name; numbers as they are."""
        found: dict[str, None] = {}
        for part in re.split("[/&]", value):
            if part == "-":
                found[INAPPLICABLE] = None
            elif part == "V":
                found |= dict.fromkeys(names.values())
            elif part not in ("", "U"):
                ends = _RANGE.fullmatch(part)
                if ends is None:
                    raise self._error(item, number, f": {quoted(part)} is no state")
                order = [one for one in ends.groups() if one]
                low, high = order[0], order[-1]
                if order != sorted(order, key=float):
                    raise self._error(item, number, f": {quoted(part)} goes down; write the lower end first")
                if names:
                    numbers = range(0) if "." in part else self._range(low, high)
                    if not numbers or not names.keys() >= set(numbers):
                        known = listed(list(map(str, names)))
                        raise self._error(item, number, f": {quoted(part)} is no state; its states are {known}")
                    found |= dict.fromkeys(names[one] for one in numbers)
                else:
                    found[low if low == high else f"{low}-{high}"] = None
        return list(found)
