"""A rectangle of texts, as a file or a frame has it, and how messages call the place of each cell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from unicodedata import normalize

from optimal.errors import InputError, did_you_mean
from optimal.readers import (
    NUMBER,
    number_of,
    without_exponent,
)
from optimal.show.words import listed, quoted, shown

#: Between the replies of a cell that varies; what stands for an unknown reply, as an empty cell does.
AND, UNKNOWN = "/", "?"
WHERE_UNKNOWN = f"leave the cell empty, or write {UNKNOWN}, where the reply is unknown"
NO_REPLY = f"{WHERE_UNKNOWN}; where the question makes no sense, a word such as none, which is a reply like others"

#: The least and the greatest number of a cell.
Span = tuple[Fraction, Fraction]

_COMMA = re.compile(r"[0-9]+,[0-9]+")
#: A number that has points between thousands, where there are decimal commas.
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_SIGNED = r"[-\N{MINUS SIGN}]?[0-9]+(?:[.,][0-9]+)*[.,]?|[-\N{MINUS SIGN}]?\.[0-9]+"
#: Rows that tell what commas in a column are.
_SOME = 1000
#: A sign that is no stroke between replies, and what stands for it while a cell is split.
_MARK = "\0"
_NO_STROKE = re.compile(
    r"\+/-(?= ?\w)|\bw/(?= \w)|\bw/o(?= )|\b[Aa]nd/or\b|\bI/O(?= \w)|\b[Nn]/[Aa]\b(?!/)|"
    r"(?:(?<=[0-9])|(?<=[0-9] ))k?m/[hs]\b"
)
_OR_MORE = re.compile(r"[0-9] or (?:more|less|fewer|over|under)$")
_SPAN = re.compile(
    rf"({_SIGNED})(?: ?(?:-|\N{{EN DASH}}|\N{{EM DASH}}|\.\.\.?|\N{{HORIZONTAL ELLIPSIS}}|to|bis|à) ?({_SIGNED}))?"
)
#: A number or a range with extremes in brackets, as floras have it: (3-)4-5(-8).
_EXTREMES = re.compile(
    r"(?:\(([0-9.,]+)[-\N{EN DASH}]\) ?)?([0-9.,]+)(?:[-\N{EN DASH}]([0-9.,]+))?(?: ?\([-\N{EN DASH}]([0-9.,]+)\))?"
)
#: A mean with the range around it: 4.2 (3.9-4.6).
_MEAN_IN = re.compile(r"([0-9.,]+) ?\(([0-9.,]+) ?[-\N{EN DASH}] ?([0-9.,]+)\)")
#: What rows of costs, and columns of weights and of groups, are often called, in small letters.
_COSTS = frozenset(["cost", "costs", "price", "prices", "effort", "minutes", "time"])
_WEIGHTS = frozenset(["weight", "weights", "frequency", "seen", "often", "abundance", "prevalence", "prior"])
_GROUPS = frozenset(["group", "groups", "complex"])
#: Rows that are no objects, and columns that are no questions.
_UNITS = frozenset(["unit", "units"])
_SUMS = frozenset(["mean", "average", "total", "sum", "sd", "s.d.", "std", "min", "max", "median", "n"])
_REMARKS = frozenset(["remark", "remarks", "note", "notes", "comment", "comments", "source", "sources", "references"])


@dataclass(frozen=True)
class Cells:
    """Rows of texts, all of one length; the first has the names of columns, and the first column those of rows."""

    rows: list[list[str]]
    #: What a table of them is called, and what messages call the file.
    name: str
    source: str
    #: The line of the file for each of its rows; none for what is no file.
    lines: Sequence[int] = ()
    #: How many columns of the file stand before its first.
    left: int = 0
    #: Whether rows and columns were changed for each other after reading.
    is_turned: bool = False
    #: Whether numbers may have a comma for a point.
    comma: bool = False
    #: What may stand between the replies of a cell that varies.
    separators: tuple[str, ...] = (AND,)
    #: Columns of which a text means nothing but itself.
    exact: frozenset[int] = frozenset()
    #: The row of costs, and the columns of weights and groups, where it is known without being told.
    parts: tuple[str | None, str | None, str | None] = (None, None, None)
    #: Columns that are questions only where their names are given.
    unasked: frozenset[int] = frozenset()
    #: What was odd in the file.
    notes: tuple[str, ...] = ()

    def turned(self) -> Cells:
        """The same with rows for columns."""
        if self.exact:
            raise InputError(f"{self.source}: its rows are taxa; leave out --transpose")
        return replace(self, rows=[list(row) for row in zip(*self.rows, strict=True)], is_turned=not self.is_turned)

    def at(self, row: int, column: int) -> str:
        """Where the cell stands in the file: "line 7, column 3"."""
        row, column = (column, row) if self.is_turned else (row, column)
        return (
            f"line {self.lines[row]}, column {column + 1 + self.left}" if self.lines else f"row {row}, column {column}"
        )

    def place(self, row: int, column: int) -> str:
        """The same with the file before it and the names of row and column behind it."""
        names = [self.rows[row][0] if row and column else "", self.rows[0][column] if row and column else ""]
        named = ", ".join(quoted(name) for name in names if name)
        return f"{self.source}, {self.at(row, column)}{f' ({named})' if named else ''}"

    def line(self, row: int) -> str:
        """Where the row stands, which in the file may be a column."""
        if self.is_turned:
            return f"{self.source}, column {row + 1 + self.left}"
        return f"{self.source}, line {self.lines[row]}" if self.lines else f"{self.source}, row {row}"

    def split(self, text: str) -> list[str]:
        """What stands between the separators. Words between numbers are none: "2 to 4", "10 or more"; nor is the stroke
        of "+/- hairy", "w/o spots" or "and/or"."""
        signs, text = self.separators, _NO_STROKE.sub(lambda found: found[0].replace(AND, _MARK), text)
        if self.span(text) is not None or _OR_MORE.search(text):
            signs = tuple(sign for sign in signs if not sign.strip().isalpha())
        parts = re.split("|".join(map(re.escape, signs)), text) if signs else [text]
        return [self._whole_range(part.strip().replace(_MARK, AND)) for part in parts]

    def _whole_range(self, text: str) -> str:
        """A range with its extremes, or around its mean, where it has some, and all ends rise."""
        if found := _MEAN_IN.fullmatch(text):
            mean, low, high = map(self.number, found.groups())
            if mean is not None and low is not None and high is not None and low < mean < high:
                return f"{found[2]}-{found[3]}"
        found = _EXTREMES.fullmatch(text) if text[-1:] == ")" or text[:1] == "(" else None
        ends = [end for end in found.groups() if end] if found else []
        numbers = [number for end in ends if (number := self.number(end)) is not None]
        rise = 1 < len(ends) == len(numbers) and numbers == sorted(set(numbers))
        return f"{ends[0]}-{ends[-1]}" if rise else text

    @property
    def words(self) -> tuple[str, str]:
        """What rows and columns are called in the file."""
        return ("column", "row") if self.is_turned else ("row", "column")

    def column(self, name: object, what: str) -> int:
        """The column of this name, for messages that of ``what``. InputError where there is none, or more than one."""
        return self._find(name, self.rows[0], [row[0] for row in self.rows], what, *self.words[::-1])

    def row(self, name: object, what: str) -> int:
        """The row of this name."""
        return self._find(name, [row[0] for row in self.rows], self.rows[0], what, *self.words)

    def _find(
        self, name: object, names: Sequence[str], others: Sequence[str], what: str, where: str, elsewhere: str
    ) -> int:
        if not isinstance(name, str):
            raise InputError(f"the {where} of {what}s must be a name, not {shown(name)}")
        label = tidy(name)
        found = [at for at, known in enumerate(names) if at and known == label]
        if label and len(found) == 1:
            return found[0]
        if label and found:
            raise InputError(f"{self.source}: {len(found)} {where}s are called {quoted(name)}; {what}s need one")
        others_named = [known for known in names[1:] if known]
        hint = did_you_mean(label, others_named, f"there are {listed(others_named)}")
        if label and label in others[1:]:
            doubt = "too much" if self.is_turned else "missing"
            hint = f", but a {elsewhere} is; {what}s stand in a {where}: is --transpose {doubt}?"
        raise InputError(f"{self.source}: no {where} is called {quoted(name)}, for {what}s{hint}")

    @cached_property
    def decimal_commas(self) -> bool:
        """Whether some number has one, or an end of a range."""
        spans = map(_SPAN.fullmatch, {text for row in self.rows for text in row if "," in text} if self.comma else ())
        return any(_COMMA.fullmatch(end) for span in spans if span for end in span.groups(default=""))

    def number_text(self, text: str) -> str:
        """A number as Python writes it; other texts as they are."""
        if self.comma and _THOUSANDS.fullmatch(text) and self.decimal_commas:
            text = text.replace(".", "")
        return text.replace(",", ".") if self.comma and _COMMA.fullmatch(text) else text

    def decimal(self, number: Fraction) -> str:
        """A number as the file has them."""
        text = without_exponent(f"{float(number):.12g}")
        return text.replace(".", ",") if self.decimal_commas else text

    def number(self, text: str) -> Fraction | None:
        """The number, 0 or more, that a text is."""
        plain = self.number_text(text)
        return Fraction(plain) if NUMBER.fullmatch(plain) else None

    def span(self, text: str) -> Span | None:
        """The least and the greatest number of a text such as 2.5 or 2.1-2.8; None for others."""
        found = _SPAN.fullmatch(text)
        if found is None:
            return None
        ends = []
        for end in found.groups(default=found[1]):
            plain = end.lstrip("-\N{MINUS SIGN}")
            if (number := self.number(plain)) is None:
                return None
            ends.append(number if plain == end else -number)
        return (ends[0], ends[1]) if ends[0] <= ends[1] else None

    def thousands(self, row: int, column: int) -> str | None:
        """What to say of a number that may have a point, or a comma, between thousands."""
        text = self.rows[row][column]
        some = self.rows[1:_SOME] if self.comma and text[-4:-3] == "," and _COMMA.fullmatch(text) else []
        if {len(other[column].partition(",")[2]) for other in some} - {0} == {3}:
            plain = f"{self.number_text(text)}, not as {text.replace(',', '')}"
            return f"{self.place(row, column)}: {quoted(text)} is taken as {plain}"
        if not (self.comma and _THOUSANDS.fullmatch(text)):
            return None
        plain = text.replace(".", "")
        why = "as others have decimal commas" if self.decimal_commas else f"not as {plain}"
        return f"{self.place(row, column)}: {quoted(text)} is taken as {self.number_text(text)}, {why}"

    def unnamed(self, cost_row: str | None, weight_column: str | None, group_column: str | None) -> dict[str, str]:
        """What looks like costs, weights and groups where none are named: by the name of the row or column, what to
        say of it."""
        row, column = self.words
        hints = {}
        for at, (name, *texts) in enumerate(self.rows[1:] if cost_row is None else (), 1):
            if (name.casefold() in _COSTS and self._are_numbers(texts)) or self._may_be_costs(at):
                hints[name] = f"{row} {name!r} looks like costs, not an object: if so, --cost-row {shlex.quote(name)}"
            elif name.casefold() in _UNITS:
                hints[name] = f"{row} {name!r} looks like units, not an object: if so, take it out"
            elif name.casefold() in _SUMS and self._are_numbers(texts):
                hints[name] = f"{row} {name!r} looks like a summary, not an object: if so, take it out"
        for at, name in enumerate(self.rows[0][1:], 1):
            typed = shlex.quote(name)
            if group_column is None and name.casefold() in _GROUPS:
                hints[name] = f"{column} {name!r} looks like groups, not a question: if so, --group-column {typed}"
            elif name.casefold() in _REMARKS:
                hints[name] = f"{column} {name!r} looks like remarks, not a question: if so, --without {typed}"
            elif (
                weight_column is None
                and name.casefold() in _WEIGHTS
                and self._are_numbers([line[at] for line in self.rows[1:]])
            ):
                hints[name] = f"{column} {name!r} looks like weights, not a question: if so, --weight-column {typed}"
        return {name: line for name, line in hints.items() if name not in (cost_row, weight_column, group_column)}

    def _may_be_costs(self, at: int) -> bool:
        """Whether the first row or the last has numbers alone, where others have words, or 0 and 1 alone."""
        texts = self.rows[at]
        if at not in (1, len(self.rows) - 1) or len(self.rows) < 4 or not self._are_numbers(texts[1:]):
            return False
        among_words = not_codes = 0
        for column in (column for column, text in enumerate(texts) if column and text):
            others = {row[column] for row in self.rows[1:] if row is not texts} - {"", UNKNOWN}
            among_words += bool(others) and not any(map(self.span, others))
            not_codes += others == {"0", "1"} and texts[column] not in others
        return among_words >= 2 or not_codes >= 2

    def _are_numbers(self, texts: Sequence[str]) -> bool:
        """Whether all are numbers or empty, and not all empty."""
        held = [self.number(text) for text in texts if text]
        return bool(held) and None not in held


def tidy(text: str) -> str:
    """A text on one line, with single blanks, and with letters and their accents in one character."""
    return normalize("NFC", " ".join(text.split()))


def amount_of(cells: Cells, row: int, column: int, what: str, unnamed: Mapping[str, str]) -> Fraction:
    """The cost or the weight in a cell; ``unnamed`` is what `Cells.unnamed` found."""
    text = cells.rows[row][column]
    if not text:
        other = unnamed.get(cells.rows[0][column]) or unnamed.get(cells.rows[row][0])
        hint = f"; {other}" if other else ""
        raise InputError(f"{cells.place(row, column)} is empty: it needs a {what}, such as 2 or 0.5{hint}")
    return number_of(cells.number_text(text), cells.place(row, column), what)
