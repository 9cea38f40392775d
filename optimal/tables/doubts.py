"""What in a table may mean something else than it says, in one line each, with the cure. No such line stops a run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from optimal.readers import NUMBER
from optimal.show.words import counted, either, quoted
from optimal.tables.cells import AND, UNKNOWN, WHERE_UNKNOWN, Cells, Span

#: Texts that often mean that a reply is unknown, in small letters.
MINUS = frozenset(["-", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}"])
UNSURE = MINUS | {
    *("na", "n.a.", "n.a", "n.d.", "nd", "n/d", "--", "??", "???", "\N{FULLWIDTH QUESTION MARK}", ".", "...", "nan"),
    *("null", "unk", "unknown", "missing", "no data", "not known", "not recorded", "k. a.", "unbekannt", "inconnu"),
}
#: Texts that often mean that any reply can come.
_ANY = frozenset(["variable", "varies", "varying", "both", "any", "polymorphic"])
#: What often stands for the cell above.
_DITTO = frozenset(
    ['"', "''", "\N{RIGHT DOUBLE QUOTATION MARK}", "\N{DOUBLE PRIME}", "\N{DITTO MARK}", ",,", "do.", "ditto", "idem"]
)
#: What often stands where a question makes no sense; of how many objects at least, and in how many columns at most that
#: is looked for.
_SENSELESS, _SOME, _WIDE = MINUS | {"", "--", "na", "n.a."}, 2, 1000
#: What is often written between replies of which either can come.
_JOINTS = (
    *"|&,;+/",
    *(f" {word} " for word in ("and/or", "or", "and", "to", "oder", "ou", "und", "et", "o", "y", "bis")),
    *"-\N{EN DASH} ",
)
#: Those that seldom stand for anything else, so that one reply beside them is enough.
_LOOSE = (",", ";", " or ", " to ", " oder ", " ou ")
_UNIT = re.compile(r"([-0-9.,\N{EN DASH} ]*[0-9]) ?([^\W\d_]+|[%\N{DEGREE SIGN}])")
#: What spreadsheets make of ranges such as 3-5, as they keep and as they show it; by the beginnings of months.
_DAY = re.compile(r"[0-9]{4}-([0-9]{2})-([0-9]{2})|[0-9]{1,2}(?:-|\. ?)([^\W\d_]{3,9})\.?|([^\W\d_]{3,9})[- ][0-9]{2}")
_MONTHS = re.compile(
    "(?i:jan|ene|gen|f[eé][bv]|m[aä]r|mrz|apr|avr|abr|ma[ijyg]|ju[nl]|jui|giu|lug|a[ug][og]|ao[uû]|sep|set|o[ck]t|ott|nov|"
    "de[cz]|déc|dic)"
)
#: A mean, and by how much others differ from it.
_MEAN = re.compile(r"([0-9.,]+) ?\N{PLUS-MINUS SIGN} ?([0-9.,]+)")
_PLUS_MINUS = "\N{PLUS-MINUS SIGN}"
#: A number that is open on one side: <2.5, 70+.
OPEN = re.compile(r"([<>]=?|[≤≥]) ?([0-9.,]+)|([0-9.,]+) ?\+")
#: A reply with its share.
SHARE = re.compile(r"(.*\S) ?: ?([0-9.,]+) ?%?")
#: A remark behind a reply, or a share of it.
_ASIDE = re.compile(r" \(.*\)$|(?: ?:| ) ?[0-9.,]+ ?%$")
#: How often a reply comes.
_OFTEN = re.compile(r"^(?:usually|mostly|generally|often|sometimes|occasionally|rarely) ")
#: A question that gives each of fewer objects a reply of its own is nothing odd.
_FEW = 4


@dataclass(frozen=True)
class Overlap:
    """Two ranges, or a range and a number, that have numbers in common."""

    one: str
    other: str
    #: Whether they only meet: one ends where the other begins. Classes are often written like that.
    touch: bool


def overlap(spans: Mapping[str, Span]) -> Overlap | None:
    """Return the first overlap of ranges; one at more than their ends, if there is any."""
    reach, found = "", None
    for part in sorted(spans, key=spans.__getitem__):
        low, high = spans[part]
        begin, end = spans[reach] if reach else (low, low - 1)
        if low <= end and (begin < end or low < high):  # two numbers may be one, written in two ways
            if not begin < low == end < high:
                return Overlap(reach, part, False)
            found = found or Overlap(reach, part, True)
        if high > end:
            reach = part
    return found


def right_form(cells: Cells, text: str) -> str:
    """Return what a text is that should be a number or a range, and what would be right; "" where it can't be known."""
    if found := _MEAN.fullmatch(text):
        mean, more = map(cells.number, found.groups())
        if mean is not None and more is not None:
            ends = f"{cells.decimal(mean - more)}-{cells.decimal(mean + more)}"
            return f"is a mean with a deviation; right would be a range, here {ends}"
    if (day := _DAY.fullmatch(text)) and (day[1] or _MONTHS.match(day[3] or day[4])):
        low, high = sorted((int(day[1]), int(day[2]))) if day[1] else (3, 5)
        right = "if so, right would be the range, as text"
        return f"looks like a date, which spreadsheets make of ranges such as {low}-{high}; {right}"
    return ""


def doubts_about(
    cells: Cells, column: int, rows: Sequence[int], texts: Mapping[str, int], seen: Mapping[str, int]
) -> list[str]:
    """Return what is odd about a question, each with the place of the reply that shows it. ``texts`` has for each text
    of a cell the first row with it, ``seen`` for each reply."""
    parts = {text: cells.split(text) for text in texts}
    replies, name, question = list(seen), cells.rows[0][column], cells.words[1]
    blank, why = _senseless(cells, column, rows)
    sure = [reply for reply in replies if reply != blank]
    odd = [*alike(cells, replies), *unsure(sure), *_joined(cells, replies), *_numbered(cells, replies, name)]
    notes = [f"{cells.place(seen[reply], column)}: {line}" for reply, line in odd]
    notes += [f"{cells.place(row, column)}: {line}" for row, line in _parted(cells, texts, parts)]
    if len(seen) == 1 and not why and (empty := sum(not cells.rows[row][column] for row in rows)):
        told = f"no reply but {quoted(replies[0])}, and {counted(empty, 'empty cell')}, taken as unknown"
        notes.append(f"{cells.source}: {question} {name!r} has {told}; fill them where it isn't so, such as with no")
    notes += [f"{cells.source}: {question} {name!r} is {why}"] if why else []
    spans = {reply: span for reply in replies if (span := cells.span(reply)) is not None}
    both = overlap(spans)
    if both is not None:
        how, low, high = "meet" if both.touch else "overlap", *spans[both.other]
        counts = ""
        if both.touch and all(end.denominator == 1 for span in spans.values() for end in span):
            more = high if high == low + 1 else f"{low + 1}-{high}"
            counts = f"for counts write {low}{cells.separators[0]}{more} in place of {both.other}, else "
        notes.append(
            f"{cells.place(seen[both.other], column)}: {quoted(both.one)} and {quoted(both.other)} {how}, but are "
            f"taken as different replies; {counts}{_classes(name, spans)} makes classes, and what is in several varies"
        )
    elif (own := _own(cells, column, rows, parts, spans if len(spans) == len(replies) else None)) is not None:
        is_of, cure = own
        notes.append(f"{cells.source}: {question} {name!r} has {is_of}, and may decide the key alone; {cure}")
    return notes


def alike(cells: Cells, replies: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a reply that is another but for capitals, a mark or the way to write a number."""
    plain: dict[str, str] = {}
    for reply in replies:
        other = plain.setdefault(_essence(cells.number_text(reply)), reply)
        if other != reply:
            how = f"is another reply than {quoted(other)}"
            if reply.casefold() == other.casefold():
                how = f"differs from {quoted(other)} by capitals alone, and is a reply of its own"
            yield reply, f"{quoted(reply)} {how}; write both alike in the cells if they mean the same"
            return


def _essence(reply: str) -> str:
    """Return what replies have in common that are easily taken for the same."""
    text = re.sub(r"(?<=[0-9]) (?=[^\W\d]|%)", "", reply.casefold().replace("+/-", _PLUS_MINUS))
    text = re.sub(r"^\N{MINUS SIGN}(?=[0-9])", "-", text)
    if NUMBER.fullmatch(text):
        return str(Fraction(text))
    if text in MINUS:
        return "-"
    return _OFTEN.sub("", _ASIDE.sub("", text)).strip(f"?*!.~(){_PLUS_MINUS} ") or text


def unsure(replies: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a reply that may mean unknown. A minus is the opposite of a plus."""
    signs = any(reply.startswith("+") for reply in replies)
    found = [reply for reply in replies if reply.casefold() in UNSURE and not (signs and reply in MINUS)]
    if found and len(found) < len(replies):
        yield found[0], f"{quoted(found[0])} is taken as a reply of its own; {WHERE_UNKNOWN}"
    for reply in [reply for reply in replies if reply.casefold() in _DITTO][:1]:
        yield reply, f"{quoted(reply)} is taken as a reply of its own; where it means the cell above, write that again"
    for reply in [reply for reply in replies if reply.casefold() in _ANY and len(replies) > 1][:1]:
        either_of = f"where any can come, write {UNKNOWN}, or those that can, such as red/brown"
        yield reply, f"{quoted(reply)} is taken as a reply of its own; {either_of}"


def _senseless(cells: Cells, column: int, rows: Sequence[int]) -> tuple[str | None, str]:
    """Return the text in all cells where another question has one value, and in no others, if it may say that the
    question makes no sense there; and what to say of it. Nothing where there is none."""
    texts = {row: cells.rows[row][column] for row in rows}
    found = {text for text in texts.values() if text.casefold() in _SENSELESS}
    signs = any(text.startswith("+") for text in texts.values())
    if len(cells.rows[0]) > _WIDE or len(found) != 1 or (signs and not found.isdisjoint(MINUS)):
        return None, ""
    (blank,) = found
    there = [row for row, text in texts.items() if text == blank]
    if not _SOME <= len(there) < len(rows):
        return None, ""
    for other, name in enumerate(cells.rows[0][1:], 1):
        value = cells.rows[there[0]][other]
        if value.casefold() in UNSURE | {"", UNKNOWN} or len(cells.split(value)) > 1:
            continue
        if all((cells.rows[row][other] == value) == (text == blank) for row, text in texts.items()):
            where = f"just where {quoted(name)} is {quoted(value)}"
            if blank:
                return blank, f"{quoted(blank)} {where}: so that is a reply of its own, not unknown"
            return blank, f"empty {where}, and unknown there; if it makes no sense there, write a word such as none"
    return None, ""


def _joined(cells: Cells, replies: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a reply that consists of others."""
    known = {*replies, UNKNOWN}
    if _PLUS_MINUS in known and "+" in known and (minus := sorted(known & MINUS)):
        cure = f"write +{cells.separators[0]}{minus[0]}"
        yield (
            _PLUS_MINUS,
            f"'±' is taken as one more reply beside '+' and {quoted(minus[0])}; if either can come, {cure}",
        )
    for reply in replies:
        inner = reply.strip("()[]{} ")
        for joint in [sign for sign in _JOINTS if sign in inner or (sign == "|" and inner != reply)]:
            parts = [part.strip() for part in inner.split(joint)]
            if joint == "|" and inner != reply and inner.isalnum():
                parts = list(inner)  # states in brackets
            if joint in (",", "-", "\N{EN DASH}", " bis ") and cells.span(reply) is not None:
                continue  # a decimal comma, or a range
            plain = cells.span(reply) is None and not any(map(str.isdigit, reply)) and joint in _LOOSE
            if len(parts) > 1 and (known.issuperset(parts) or (plain and not known.isdisjoint(parts))):
                used = [sign for sign in cells.separators if any(sign in text for row in cells.rows for text in row)]
                mark = ", " if joint == "," and cells.comma and ", " in reply else joint.strip()  # 2,5 is a number
                cure = " ".join(f"--separator {shlex.quote(sign)}" for sign in (*used, mark))
                if inner != reply or "/" in mark or mark in ("", "-", "\N{EN DASH}"):  # which ranges need
                    cure = f"write {cells.separators[0].join(parts)}"
                others = " and ".join(quoted(part) for part in parts if part in known)
                yield reply, f"{quoted(reply)} is taken as one more reply beside {others}; if either can come, {cure}"
                return


def _parted(cells: Cells, texts: Mapping[str, int], parts: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, str]]:
    """Yield the row of a cell with several replies, some of more words, of which none stands alone, and what to say of
    it; and of one that may be a number with a decimal comma."""
    alone = {held[0] for held in parts.values() if len(held) == 1} - {"", UNKNOWN}
    decimals = [text for text in parts if cells.comma and "," in text and cells.number(text) is not None]
    if decimals and all(alone.issuperset(text.split(",")) for text in decimals):
        told = f"{quoted(decimals[0])} is taken as one number; for several replies write {AND}"
        yield texts[decimals[0]], told
        return
    for text, held in parts.items():
        row = texts[text]
        if len(held) > 1 and cells.comma and "," in text and cells.span(text) is not None:
            yield row, f"{quoted(text)} is taken as {either(held)}; where a decimal is meant, write a point"
            return
        if len(held) == 3 and re.fullmatch(r"[0-9]{1,4}/[0-9]{1,2}/[0-9]{2,4}", text):
            yield row, f"{quoted(text)} is taken as {either(held)}; a date should be written such as 2026-03-05"
            return
        plain = any(" " in part for part in held) or all(len(part) == 1 and part.isalpha() for part in held)
        if len(held) > 1 and AND in text and alone.isdisjoint(held) and plain and not all(map(SHARE.fullmatch, held)):
            cure = "if it is one reply, --separator '|'"
            yield row, f"{quoted(text)} is taken as {either(held)}, none of which stands alone in a cell; {cure}"
            return


def _numbered(cells: Cells, replies: Sequence[str], name: str) -> Iterator[tuple[str, str]]:
    """Yield a reply that may be a number or a range in another form than those beside it, or with a unit."""
    numbers = any(cells.span(reply) is not None for reply in replies)
    for reply in replies:
        if (right := right_form(cells, reply)) and (numbers or not reply[-1].isalpha()):
            other = (
                "" if numbers or _MEAN.fullmatch(reply) else f"; if it is no question, --without {option_text(name)}"
            )
            yield reply, f"{quoted(reply)} {right}{other}"
            return
    opens = {reply: found for reply in replies if (found := OPEN.fullmatch(reply))}
    if opens and (numbers or any(found[1] for found in opens.values())):  # else grades, such as 1+ and 2+
        ends = {reply: cells.span(found[2] or found[3]) for reply, found in opens.items()}
        spans = {reply: span for reply in replies if (span := cells.span(reply) or ends.get(reply)) is not None}
        first = next(iter(opens))
        cure = f"; {_classes(name, spans)} makes classes, and what is in several varies" if spans else ""
        yield first, f"{quoted(first)} is open to one side, but taken as a reply of its own{cure}"
        return
    commas = [reply for reply in replies if "," in reply and not cells.comma and cells.span(reply.replace(",", "."))]
    if commas and not set(replies).issuperset(commas[0].split(",")):
        yield commas[0], f"{quoted(commas[0])} is taken as a reply of its own; where a decimal is meant, write a point"
        return
    others = [reply for reply in replies if cells.span(reply) is None and any(map(str.isdigit, reply))]
    others = [reply for reply in others if reply.isalnum() or not reply.strip("()[]{}").isalnum()]  # no states
    units = {reply: found for reply in others if (found := _UNIT.fullmatch(reply)) and cells.span(found[1]) is not None}
    names = {found[2] for found in units.values()}
    ranges = any(low < high for found in units.values() for low, high in [cells.span(found[1]) or (0, 0)])
    more = sum(reply.endswith(tuple(names)) for reply in others) > len(units)
    several = more or (len(units) > 1 and (len(names) > 1 or ranges))
    if units and (numbers or several):
        right = "right would be the number or range alone, and its unit in the heading"
        yield next(iter(units)), f"{quoted(next(iter(units)))} has a unit, and is taken as a reply of its own; {right}"
    elif others and numbers:
        right = "right would be such as 3-5"
        yield others[0], f"{quoted(others[0])} is taken as a reply of its own beside numbers; {right}"


def _own(
    cells: Cells,
    column: int,
    rows: Sequence[int],
    parts: Mapping[str, Sequence[str]],
    spans: Mapping[str, Span] | None,
) -> tuple[str, str] | None:
    """Return what a column is of that has a reply of its own for each object, or for most where they are numbers, as
    measurements, weights and catalogue numbers have; and the cure."""
    held = [text for row in rows if (text := cells.rows[row][column]) not in ("", UNKNOWN)]
    head = cells.rows[0][column]
    count, name = len({frozenset(parts[text]) for text in parts.keys() - {"", UNKNOWN}}), option_text(head)
    if count < _FEW or 2 * len(held) < len(rows):
        return None
    if spans is None:
        if count < len(held):
            return None
        return f"another reply for each of {len(held)} objects", f"if it is no question, --without {name}"
    codes = all(len(reply) == 1 for reply in spans)  # of states
    if 2 * count <= len(held) or (count < len(held) and codes):
        return None
    is_of = f"{counted(count, 'different number')} for {len(held)} objects"
    cure = f"for weights --weight-column {shlex.quote(head)}, for measurements {_classes(head, spans)}, else"
    return is_of, f"{cure} --without {name}"


def _classes(name: str, spans: Mapping[str, Span]) -> str:
    """Return the option that makes three classes of these numbers, about as many in each."""
    return f"--classes {shlex.quote(_with_borders(name, spans))}"


def _with_borders(name: str, spans: Mapping[str, Span]) -> str:
    middles = sorted({(low + high) / 2 for low, high in spans.values()})
    places = sorted({len(middles) // 3, 2 * len(middles) // 3} - {0})
    ends = {end for span in spans.values() for end in span}
    borders = [_between(middles[place - 1], middles[place], ends) for place in places]
    return f"{_in_list(name)}:{','.join(borders or [f'{float(middles[0]):g}'])}"


def classes_of(cells: Cells, columns: Sequence[int]) -> str:
    """Return the option that makes classes of the numbers in those of these columns that have ranges, if any."""
    found = []
    for column in columns:
        parts = {part for row in cells.rows[1:] for part in cells.split(row[column])}
        spans = {part: span for part in sorted(parts) if (span := cells.span(part)) is not None}
        if any(low < high for low, high in spans.values()):
            found.append(_with_borders(cells.rows[0][column], spans))
    return f"--classes {shlex.quote(','.join(found))}" if found else ""


def _between(low: Fraction, high: Fraction, ends: set[Fraction]) -> str:
    """Return a number between, about the middle and with as few digits as may be, at which nothing ends."""
    for digits in range(12):
        middle = round((low + high) / 2 * 10**digits)
        for number in (Fraction(middle + more, 10**digits) for more in (0, -1, 1)):
            if low < number < high and number not in ends:
                return f"{float(number):.12g}"
    return f"{float(low + high) / 2:.12g}"


def option_text(name: str) -> str:
    """Return the name of a column as it is typed in a list."""
    return shlex.quote(_in_list(name))


def _in_list(name: str) -> str:
    return f'"{name}"' if "," in name or name.startswith('"') else name
