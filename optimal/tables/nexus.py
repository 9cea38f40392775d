"""Reading matrices of taxa and characters in NEXUS files (Maddison, Swofford and Maddison 1997): the block CHARACTERS
or DATA of datatype STANDARD, with the names of states, and the weights of characters in a WTSET.

Files that break rules are read as far as they can mean one thing: states that SYMBOLS leaves out, names that come
twice.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from optimal.errors import InputError
from optimal.limits import LONGEST_LIST
from optimal.show.words import listed, quoted
from optimal.tables.coded import INAPPLICABLE, Matrix, State, unlike

#: What ends a run of plain text: a comment, the end of a command, or a quotation, which no word has in its midst.
_STOP = re.compile(r"\[|;|(?<![^\s=,/(){}\"])'(?:[^']|'')*'")
_WORD = re.compile(r"'((?:[^']|'')*)'|([=,/(){}\"])|([^\s=,/(){}\"]+)")
_OPTION = re.compile(r"(\w+)(?:\s*=\s*(\"[^\"]*\"|\S+))?")
_LABEL = re.compile(r"\s*('(?:[^']|'')*'|\S+)(.*)")
_NUMBERS = re.compile(r"([0-9]+)(?:\s*-\s*([0-9]+|\.)(?:\s*\\\s*([0-9]+))?)?")
_SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CLOSING = {"(": ")", "{": "}"}
#: What characters a set is of; a name in a list of numbers.
_OF_MATRIX = re.compile(r"(?i)\(\s*CHARACTERS\s*=[^()]*\)")
_NAME = re.compile(r"'(?:[^']|'')*'|(?<![\w.])[^\W\d][\w.]*")
#: Commands of the blocks ASSUMPTIONS and SETS.
_ASSUMED = ("CHARSET", "WTSET", "EXSET", "OPTIONS")
_TAXA = ("DIMENSIONS", "TAXLABELS")


def read_nexus(text: str, source: str) -> Matrix:
    """Return the first matrix of a file; ``source`` begins messages."""
    found, block, matrices = _Block(source), "", 0
    for command in _commands(text):
        name = (_LABEL.match(command) or [""] * 2)[1].upper()
        if "BEGIN" in command.upper().split()[:2]:  # the first has #NEXUS before it
            block = command.split()[-1].upper()
            matrices += block in ("CHARACTERS", "DATA")
            if block in ("CHARACTERS", "DATA") and not found.rows:
                found = _Block(
                    source, refused=found.refused, ntax=found.ntax, labels=found.labels, several=found.several
                )
        elif block in ("ASSUMPTIONS", "SETS"):
            if name in _ASSUMED:
                found.take(name, command)
        elif not found.rows and (block in ("CHARACTERS", "DATA") or (block == "TAXA" and name in _TAXA)):
            found.take(name, command)
    if matrices > 1:
        found.notes.append(f"{matrices} blocks of characters; only the first matrix that can be is read")
    return found.matrix()


def _commands(text: str) -> Iterator[str]:
    """Yield the commands without their comments, which may hold others."""
    at, held = 0, ""
    while found := _STOP.search(text, at):
        held += text[at : found.start()]
        at = found.end()
        if found[0] == ";":
            yield held.strip()
            held = ""
        elif found[0] == "[":
            depth = 1
            while depth:
                bracket = re.compile(r"[\[\]]").search(text, at)
                if bracket is None:
                    return
                depth += 1 if bracket[0] == "[" else -1
                at = bracket.end()
        else:
            held += found[0]


def _words(text: str) -> list[str]:
    """Return words and marks; names that are not quoted have blanks for underscores."""
    return [quote.replace("''", "'") or mark or plain.replace("_", " ") for quote, mark, plain in _WORD.findall(text)]


def _entries(text: str) -> Iterator[list[str]]:
    """Yield the words of each entry of a list with commas."""
    entry: list[str] = []
    for word in [*_words(text), ","]:
        if word != ",":
            entry.append(word)
        elif entry:
            yield entry
            entry = []


@dataclass
class _Block:
    """What the commands of a block say."""

    source: str
    count: int = 0
    is_standard: bool = True
    symbols: str = ""
    missing: str = "?"
    gap: str = "-"
    match: str = ""
    interleaved: bool = False
    gaps_missing: bool = False
    equate: dict[str, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    #: By its number, the names of the states of a character.
    states: dict[int, list[str]] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)
    #: By the name of a taxon, the symbols of each character.
    rows: dict[str, list[str]] = field(default_factory=dict)
    weights: dict[int, Fraction] = field(default_factory=dict)
    #: By its name in small letters, a set of characters.
    sets: dict[str, list[int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    ntax: int = 0
    #: What TAXLABELS has; whether there are several such lists, of which a matrix may have some.
    labels: list[str] = field(default_factory=list)
    several: bool = False
    #: Why a matrix isn't read.
    refused: str = "no block CHARACTERS or DATA with a MATRIX is in it"

    def take(self, name: str, command: str) -> None:
        """Take in a command."""
        rest = command[len(name) :]
        if name == "DIMENSIONS":
            self._dimensions(rest)
        elif name == "TAXLABELS":
            self.several |= bool(self.labels)
            self.labels = [" ".join(_words(label)) for label in re.findall(r"'(?:[^']|'')*'|\S+", rest)]
        elif name == "FORMAT":
            self._format(rest)
        elif name == "CHARLABELS":
            self.names |= dict(enumerate(_words(rest), 1))
        elif name == "STATELABELS":
            self.states |= {int(entry[0]): entry[1:] for entry in _entries(rest) if entry[0].isdecimal()}
        elif name == "CHARSTATELABELS":
            for number, *words in (entry for entry in _entries(rest) if entry[0].isdecimal()):
                end = words.index("/") if "/" in words else len(words)
                self.names[int(number)] = " ".join(words[:end])
                self.states[int(number)] = words[end + 1 :]
        elif name == "ELIMINATE":
            self.left_out |= set(self._numbers(rest))
        elif name in ("CHARSET", "EXSET", "WTSET"):
            self._set(name, *_OF_MATRIX.sub("", rest).partition("=")[::2])
        elif name == "OPTIONS" and re.search(r"(?i)\bGAPMODE\s*=\s*MISSING\b", rest):
            self.gaps_missing = True
        elif name == "MATRIX" and self.is_standard:
            self._matrix(rest)

    def _error(self, text: str) -> InputError:
        return InputError(f"{self.source}: {text}")

    def _dimensions(self, text: str) -> None:
        options = {name.upper(): int(value[:9]) for name, value in re.findall(r"(\w+)\s*=\s*([0-9]+)", text)}
        self.several |= "NEWTAXA" in text.upper()
        self.ntax = options.get("NTAX", self.ntax)
        self.count = options.get("NCHAR", self.count)
        if self.count > LONGEST_LIST:
            raise self._error(f"NCHAR is {self.count}; at most {LONGEST_LIST} are possible")

    def _format(self, text: str) -> None:
        options = {name.upper(): value.strip('"') for name, value in _OPTION.findall(text)}
        kind = options.get("DATATYPE", "STANDARD").upper()
        self.is_standard = kind == "STANDARD"
        if not self.is_standard:
            self.refused = f"a matrix of datatype {kind}; only STANDARD, characters with states, is read"
        flags = {name for name, value in options.items() if value.upper() != "NO"}
        for name in flags & {"TRANSPOSE", "NOLABELS", "TOKENS"}:
            self.is_standard = False
            self.refused = f"a matrix with {name} in its FORMAT; right would be one without, as most programs write it"
        self.symbols = "".join(options.get("SYMBOLS", "").split())
        self.missing, self.gap = options.get("MISSING", "?"), options.get("GAP", "-")
        self.match = options.get("MATCHCHAR", "")
        self.interleaved = "INTERLEAVE" in flags
        equate = options.get("EQUATE", "")
        self.equate = dict(re.findall(r"(\S)\s*=\s*(\([^)]*\)|\{[^}]*\}|\S)", equate))

    def _set(self, name: str, head: str, text: str) -> None:
        """Take in a set of characters; of those left out, and of weights, the one with a star."""
        if name == "CHARSET":
            self.sets[" ".join(_words(head)).strip("* ").casefold()] = self._numbers(text)
        elif head.lstrip().startswith("*"):
            if name == "EXSET":
                self.left_out |= set(self._numbers(text))
            else:
                self._weigh(head, text)

    def _numbers(self, text: str) -> list[int]:
        """The numbers of characters, such as "1-3 5 7-.\\2", by the names of sets or of characters too."""
        found: list[int] = []
        known = {name.casefold(): [at] for at, name in self.names.items()} | self.sets
        for name in _NAME.findall(text):
            word = " ".join(_words(name)).casefold()
            if word != "all" and word not in known:
                self.notes.append(f"{quoted(name)} is no character and no set of them, and is passed over")
            found += range(1, self.count + 1) if word == "all" else known.get(word, [])
        text = _NAME.sub(" ", text)
        for low, high, step in _NUMBERS.findall(text):
            end = self.count if high == "." else int((high or low)[:9])
            found += range(int(low[:9]), min(end, self.count) + 1, max(int(step[:9] or 1), 1))
        return found

    def _weigh(self, head: str, text: str) -> None:
        with suppress(ValueError):  # other forms, which are not read
            if "VECTOR" in head.upper():
                self.weights = dict(enumerate(map(Fraction, text.split()), 1))
                return
            for part in text.split(","):
                weight, _, numbers = part.partition(":")
                self.weights |= dict.fromkeys(self._numbers(numbers), Fraction(weight.strip()))

    # The matrix

    def _matrix(self, text: str) -> None:
        if not self.count:
            raise self._error("a MATRIX without NCHAR in DIMENSIONS before it")
        taxon = ""
        for line in text.split("\n"):
            if not line.strip():
                continue
            if self.interleaved or not taxon or len(self.rows[taxon]) == self.count:
                found = _LABEL.match(line)
                assert found is not None  # the line isn't blank
                taxon, line = " ".join(_words(found[1])), found[2]
                if taxon in self.rows and not self.interleaved:
                    raise self._error(f"the taxon {quoted(taxon)} comes twice in the MATRIX")
            row = self.rows.setdefault(taxon, [])
            row += self._cells(taxon, line, len(row))
        for taxon, row in self.rows.items():
            if len(row) != self.count:
                raise self._error(f"the taxon {quoted(taxon)} has {len(row)} states; NCHAR is {self.count}")

    def _cells(self, taxon: str, line: str, begin: int) -> Iterator[str]:
        """The symbols of each character in a line; those of one that varies stand together."""
        at, number = 0, begin
        while at < len(line):
            symbol = line[at]
            at += 1
            if symbol.isspace():
                continue
            number += 1
            where = f"the taxon {quoted(taxon)}, character {number}"
            if symbol in _CLOSING:
                end = line.find(_CLOSING[symbol], at)
                if end < 0:
                    raise self._error(f"{where}: {symbol} opens and nothing closes in its line")
                symbol, at = line[at:end], end + 1
            elif symbol == self.match and number <= len(first := next(iter(self.rows.values()))):
                symbol = first[number - 1]
            yield self._plain(symbol, where)

    def _plain(self, text: str, where: str) -> str:
        """The symbols of one cell, without what stands for others."""
        for symbol, value in self.equate.items():
            text = text.replace(symbol, value.strip("(){}"))
        text = "".join(text.replace(",", "").split())
        while found := re.search("(.)~(.)", text):
            low, high = (self._order().find(end) for end in found.groups())
            text = text.replace(found[0], self._order()[low : high + 1])
        if text.casefold() == self.missing.casefold():
            return self.missing
        wrong = [symbol for symbol in text if not self._is_known(symbol)]
        if wrong or not text:
            raise self._error(f"{where}: {quoted(text)} is no state; has each taxon before it {self.count} states?")
        return text

    def _order(self) -> str:
        return self.symbols or _SYMBOLS

    def _is_known(self, symbol: str) -> bool:
        return symbol in (self.missing, self.gap, "-") or symbol.isdecimal() or self._place(symbol) >= 0

    def _place(self, symbol: str) -> int:
        """Which state of a character it is; -1 for none."""
        for one in (symbol, symbol.swapcase()):
            if (place := self._order().find(one)) >= 0:
                return place
        return int(symbol) if symbol.isdecimal() else -1

    def matrix(self) -> Matrix:
        """The matrix, with states by their names."""
        if not self.rows:
            raise self._error(self.refused)
        weight = {at: self.weights.get(at, Fraction(1)) for at in range(1, self.count + 1)}
        kept = [at for at in weight if at not in self.left_out and weight[at]]
        names = {at: self._state_names(at) for at in kept}
        rows: list[list[State]] = [
            [[] if self._is_missing(row[at - 1]) else [names[at][symbol] for symbol in row[at - 1]] for at in kept]
            for row in self.rows.values()
        ]
        characters = list(map(self._called, kept))
        found = Matrix(self.source, list(self.rows), characters, rows, notes=[*self.notes, *self._odd_taxa()])
        if len({weight[at] for at in kept}) > 1:
            unit = math.lcm(*(weight[at].numerator for at in kept))
            found.costs = [str(weight[at].denominator * unit // weight[at].numerator) for at in kept]
            found.notes.append(f"the weights of characters are costs here: {unit} divided by the weight")
        if gone := [self._called(at) for at in weight if at not in kept]:
            found.notes.append(f"left out by ELIMINATE, EXSET or a weight of 0: {listed(gone)}")
        for at in kept:
            named = len(self.states.get(at, []))
            if odd := [one for one in names[at] if named and one.isalnum() and self._place(one) >= named]:
                found.notes.append(
                    f"{quoted(self._called(at))}: {listed(odd)} stands in a cell, and is no state's name"
                )
        return found

    def _odd_taxa(self) -> list[str]:
        """What is odd about the rows by TAXLABELS and NTAX; a row may have the number of its taxon for a name."""
        if self.several:
            return []
        known = {label.casefold(): label for label in self.labels}
        numbered = {str(at): label.casefold() for at, label in enumerate(self.labels, 1)}
        rows = {key if (key := row.casefold()) in known else numbered.get(key, key): row for row in self.rows}
        more = [quoted(row) for key, row in rows.items() if known and key not in known]
        gone = [quoted(label) for key, label in known.items() if key not in rows]
        notes = []
        if more:
            notes.append(f"in the MATRIX, but not in TAXLABELS: {listed(more)}; write names alike in both")
        if gone:
            notes.append(
                f"in TAXLABELS, but without a row in the MATRIX: {listed(gone)}; add it, or no key leads there"
            )
        if not notes and self.ntax not in (0, len(self.rows)):
            notes.append(
                f"NTAX is {self.ntax}, and the MATRIX has {len(self.rows)} rows; mend NTAX, or add what is missing"
            )
        return notes

    def _called(self, number: int) -> str:
        return self.names.get(number) or f"character {number}"

    def _is_missing(self, cell: str) -> bool:
        return self.missing in cell or (self.gaps_missing and cell in (self.gap, "-"))

    def _state_names(self, number: int) -> dict[str, str]:
        """By its symbol, the name of each state that a character has."""
        used = dict.fromkeys(
            symbol for row in self.rows.values() for symbol in row[number - 1] if symbol != self.missing
        )
        known = self.states.get(number, [])
        symbols = [symbol for symbol in used if symbol not in (self.gap, "-")]
        plain = {one: known[at] if 0 <= (at := self._place(one)) < len(known) else "" for one in symbols}
        named = [name if name.strip(" _-?") else one for one, name in plain.items()]
        names = dict(zip(symbols, unlike(named), strict=True))
        return {symbol: names.get(symbol, INAPPLICABLE) for symbol in used}
