"""What the cells of a question say: the replies that can come to it, each with its share of the object's weight.

Read rightly are forms that can mean one thing only; what is left in doubt is reported by `doubts`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise

from optimal.errors import InputError
from optimal.labels import is_label
from optimal.limits import LONGEST_LIST
from optimal.show.words import quoted
from optimal.tables.cells import AND, NO_REPLY, UNKNOWN, Cells, Span
from optimal.tables.doubts import OPEN, SHARE, doubts_about, overlap, right_form, unsure

#: Names of questions, objects and replies are no longer.
MOST_LETTERS = 300

#: What spreadsheets write where there is no value, in small letters.
_ERRORS = frozenset(["#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"])
#: States in brackets, as matrices of codes have them: (01), {0,1}.
_BRACKETS = re.compile(r"[({\[](\w{2,}|\w(?: ?[,;/|& ] ?\w)+)[)}\]]")
_WHOLE = re.compile(r"(0|[1-9][0-9]{0,17})(?: ?(?:-|\N{EN DASH}|to|bis|à) ?(0|[1-9][0-9]{0,17}))?")

#: By the number of a reply its share.
Meaning = Mapping[int, Fraction]


def read_column(
    cells: Cells, column: int, rows: Sequence[int], borders: Sequence[Fraction] | None
) -> tuple[tuple[str, ...], dict[str, Meaning], list[str]]:
    """Return the replies to a question, in the order in which they come first; what each text of a cell means; and what
    is odd about them. With ``borders``, numbers are replaced by the classes between them."""
    first: dict[str, int] = {}
    for row in rows:
        first.setdefault(cells.rows[row][column], row)
    is_exact = column in cells.exact
    signs = None if is_exact else _signs(cells, first)
    parts = {
        # A number with a decimal comma is one, though a comma may separate replies.
        text: [text]
        if borders is not None and (cells.span(text) is not None or OPEN.fullmatch(text))
        else _parts(cells, row, column, signs)
        for text, row in first.items()
    }
    shares = {} if is_exact else _shares(cells, column, first, parts, numbers=borders is not None)
    known = list(dict.fromkeys(part for text in first for part in shares.get(text, parts[text])))
    pieces: Mapping[str, Mapping[str, int]]
    if borders is not None:
        pieces = _classes(cells, column, first, shares, parts, borders)
    else:
        pieces = {} if is_exact else _whole_numbers(known)
    meant: dict[str, dict[str, Fraction]] = {}
    seen: dict[str, int] = {}
    for text, row in first.items():
        meant[text] = _mixed(shares.get(text) or dict.fromkeys(parts[text]), pieces)
        for reply in meant[text]:
            if reply not in seen:
                check_text(cells, row, column, reply)
                seen[reply] = row
    if not seen:
        raise InputError(
            f"{cells.place(0, column)}: the question has no reply in any row; right would be a reply in one at "
            "least, or no such column"
        )
    if len(seen) > LONGEST_LIST:
        raise InputError(f"{cells.place(0, column)}: {len(seen)} different replies; at most {LONGEST_LIST}")
    order = list(dict.fromkeys(name for name in (*_class_names(cells, borders or ()), *seen) if name in seen))
    number = {reply: code for code, reply in enumerate(order)}
    unknown = dict.fromkeys(range(len(order)), Fraction(1, len(order)))
    meaning: dict[str, Meaning] = {
        text: {number[one]: share for one, share in known.items()} or unknown for text, known in meant.items()
    }
    notes = [] if is_exact or borders is not None else doubts_about(cells, column, rows, first, seen)
    if borders is not None:
        thousands = (line for row in first.values() if (line := cells.thousands(row, column)))
        notes = list(islice(thousands, 1))
        notes += [f"{cells.place(seen[reply], column)}: {line}" for reply, line in unsure(list(seen))]
        if "," in cells.separators and (
            odd := next((text for text in parts if text in parts[text] and "," in text), None)
        ):
            told = f"{quoted(odd)} is taken as one number; for several replies write {AND}"
            notes.append(f"{cells.place(first[odd], column)}: {told}")
    return tuple(order), meaning, notes


def check_text(cells: Cells, row: int, column: int, text: str) -> None:
    """Raise InputError for a text that can't be shown."""
    if not is_label(text, MOST_LETTERS):
        where = cells.place(row, column)
        raise InputError(f"{where}: {quoted(text)} must have 1 to {MOST_LETTERS} printable characters")


def _signs(cells: Cells, texts: Iterable[str]) -> set[str] | None:
    """Return the replies outside brackets where all have one character; None where some have more."""
    parts = {part for text in texts if text and not _BRACKETS.fullmatch(text) for part in cells.split(text)}
    return parts if parts and all(len(part) == 1 for part in parts) else None


def _parts(cells: Cells, row: int, column: int, signs: set[str] | None) -> list[str]:
    """Return the parts of a cell, of which any can come; none where it is unknown."""
    text, sign = cells.rows[row][column], cells.separators[0]
    if text in ("", UNKNOWN):
        return []
    where = f"{cells.place(row, column)}: {quoted(text)}"
    if text.casefold() in _ERRORS:
        raise InputError(f"{where} is no reply; {NO_REPLY}")
    found = _BRACKETS.fullmatch(text) if signs is not None else None
    inner = re.findall(r"\w", found[1]) if found else []
    # Several of the signs in brackets are states: (01), (A/C); but (many) is one reply.
    known = signs or set()
    is_states = found and (not found[1].isalnum() or not found[1].islower() or known.issuperset(inner))
    parts = inner if is_states else [text] if found else cells.split(text)
    if any(part.casefold() == "n/a" for part in parts):
        raise InputError(f"{where} is no reply; {NO_REPLY}")
    if "" in parts:
        raise InputError(f"{where} has nothing on one side of {quoted(sign)}; right would be such as red{sign}brown")
    if UNKNOWN in parts:
        raise InputError(f"{where} is known in part; right would be {UNKNOWN} alone, or the replies that can come")
    if len(set(parts)) < len(parts):
        decimal = "; where a decimal is meant, write a point" if cells.comma and cells.number(text) is not None else ""
        raise InputError(f"{where} has a reply twice; right would be {sign.join(dict.fromkeys(parts))}{decimal}")
    return parts


def _shares(
    cells: Cells, column: int, first: Mapping[str, int], parts: Mapping[str, Sequence[str]], *, numbers: bool
) -> dict[str, dict[str, Fraction]]:
    """Return the shares of cells such as white:4/brown:1. Where a colon and a number also stand in a cell of one reply,
    they are part of it; so they are, as in times, behind a number that is no reply by itself, unless all replies are
    ``numbers``."""
    alone = {known[0] for known in parts.values() if len(known) == 1}
    if any(SHARE.fullmatch(reply) for reply in alone):
        return {}
    found = {}
    for text, known in parts.items():
        split = {part: SHARE.fullmatch(part) for part in known}
        names = [one[1] for one in split.values() if one and (numbers or one[1] in alone or not one[1].isdigit())]
        if len(known) < 2 or not names:
            continue
        where = f"{cells.place(first[text], column)}: {quoted(text)}"
        if len(names) < len(known):
            if alone.isdisjoint(names):
                continue
            raise InputError(f"{where} needs a share for each reply, such as white:4/brown:1, or for none")
        values = [value for one in split.values() if one and (value := cells.number(one[2])) is not None]
        if len(values) < len(names) or len(set(names)) < len(names):
            continue
        if not sum(values):
            raise InputError(f"{where} has no share above 0; right would be such as white:4/brown:1")
        found[text] = {name: value / sum(values) for name, value in zip(names, values, strict=True)}
    return found


def _mixed(parts: Mapping[str, Fraction | None], pieces: Mapping[str, Mapping[str, int]]) -> dict[str, Fraction]:
    """Return the replies of a cell with their shares. Without shares, all that its parts hold come as likely."""
    mixed: dict[str, Fraction] = {}
    for part, share in parts.items():
        held = pieces.get(part, {part: 1})
        for reply, size in held.items():
            if share is None:
                mixed[reply] = Fraction(size)
            else:
                mixed[reply] = mixed.get(reply, Fraction(0)) + share * size / sum(held.values())
    total = sum(mixed.values())
    return {reply: share / total for reply, share in mixed.items()}


def _whole_numbers(parts: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return what ranges of whole numbers such as 3-5 consist of, where others overlap with them: the longest ranges
    that are the same to all, with how many numbers each has. Nothing where none overlap: then they are classes."""
    spans: dict[str, Span] = {}
    for part in parts:
        if found := _WHOLE.fullmatch(part):
            low, high = int(found[1]), int(found[2] or found[1])
            if found[2] and low >= high:
                return {}  # scores, or codes
            spans[part] = (Fraction(low), Fraction(high))
        elif re.match(r"[0-9]+ ?-|[0-9]*[.,][0-9]", part):
            return {}  # classes, perhaps, or measurements
    if (both := overlap(spans)) is None or both.touch:
        return {}
    cuts = sorted({int(low) for low, _ in spans.values()} | {int(high) + 1 for _, high in spans.values()})
    begin = {part: bisect_left(cuts, low) for part, (low, _) in spans.items()}
    end = {part: bisect_left(cuts, high + 1) for part, (_, high) in spans.items()}
    if sum(end[part] - begin[part] for part in spans) > LONGEST_LIST:
        return {}
    names = [(str(low) if high - low == 1 else f"{low}-{high - 1}", high - low) for low, high in pairwise(cuts)]
    return {part: dict(names[begin[part] : end[part]]) for part in spans}


def _class_names(cells: Cells, borders: Sequence[Fraction]) -> list[str]:
    texts = list(map(cells.decimal, borders))
    if not texts:
        return []
    return [f"below {texts[0]}", *(f"{low} to {high}" for low, high in pairwise(texts)), f"above {texts[-1]}"]


def _classes(
    cells: Cells,
    column: int,
    first: Mapping[str, int],
    shares: Mapping[str, Mapping[str, Fraction]],
    parts: Mapping[str, Sequence[str]],
    borders: Sequence[Fraction],
) -> dict[str, dict[str, int]]:
    """Return the classes of each number or range: those that it lies in or touches, so that one on a border varies."""
    names, found = _class_names(cells, borders), {}
    for text, row in first.items():
        for part in shares.get(text, parts[text]):
            span = cells.span(part) or _open_span(cells, part, borders)
            if span is None and not re.search("[0-9]", part):
                continue  # a word, such as none
            if span is None:
                right = right_form(cells, part)
                right = right or "is in no class; right would be a number or a range, such as 2.5 or 2.1-2.8"
                raise InputError(f"{cells.place(row, column)}: {quoted(part)} {right}")
            low, high = bisect_left(borders, span[0]), bisect_left(borders, span[1])
            sign = part[:2].rstrip(" 0123456789.,")
            low += sign == ">" and low < len(borders) and borders[low] == span[0]
            high += sign != "<" and high < len(borders) and borders[high] == span[1]
            found[part] = dict.fromkeys(names[low : high + 1], 1)
    return found


def _open_span(cells: Cells, text: str, borders: Sequence[Fraction]) -> Span | None:
    """Return the span of a number that is open on one side, which reaches beyond all borders; None for others."""
    found = OPEN.fullmatch(text)
    number = None if found is None else cells.number(found[2] or found[3])
    if found is None or number is None:
        return None
    low, high = min(number, borders[0]) - 1, max(number, borders[-1]) + 1
    return (low, number) if (found[1] or ">") in ("<", "<=", "≤") else (number, high)
