"""Numbers and lists in words. Cheap to import: the player uses it too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

#: A number in a text, and what stands before the number of an open range.
_NUMBER = re.compile(r"(?<![\w.,])[-\N{MINUS SIGN}]?[0-9]+(?:[.,][0-9]+)?|[0-9]+(?:[.,][0-9]+)?")
_BELOW, _ABOVE = (
    ("below", "under", "less than", "<", "<=", "\u2264"),
    ("above", "over", "more than", ">", ">=", "\u2265"),
)

#: The fraction of a run's time after which its rate is measured: the first openers take longest.
LATELY = 0.7

#: The beginning of the text of `resting`.
GIVEN = ", given the bounds of "


def harmless(text: str) -> str:
    """Return the text in one line that is safe on a terminal, for file names: unprintable characters are escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def quoted(text: str, limit: int = 40) -> str:
    """Return user input for a message: in quotes on one line, cut if it is long."""
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")


def shown(value: object) -> str:
    """Return any value for a message: on one line, cut if it is long."""
    if isinstance(value, str):
        return quoted(str(value))
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes no integer of more than some 4000 digits
        text = f"a giant {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return the number with its noun: "1 answer", "2 answers"; ``many`` is an irregular plural."""
    return f"{number} {one if number == 1 else f'{one}s' if many is None else many}"


def ordinal(number: int) -> str:
    """Return the ordinal of a number from 1 on: "first", "second"; beyond the tenth "11th"."""
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def clock_time(seconds: float) -> str:
    """Return a time in hours, minutes and seconds: "1:02:03"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def rate_and_rest(
    then: tuple[float, int], now: tuple[float, int], total: int
) -> tuple[float, float] | tuple[None, None]:
    """Return the steps per second between two moments, each (seconds, steps done), and the seconds for the rest of
    ``total`` at this rate; None if no step was done in between."""
    seconds, steps = now[0] - then[0], now[1] - then[1]
    if seconds <= 0 or steps <= 0:
        return None, None
    return steps / seconds, max(0, total - now[1]) * seconds / steps


def within(max_guesses: int | None) -> str:
    """Return a limit of guesses in words."""
    return "no limit of guesses" if max_guesses is None else f"within {counted(max_guesses, 'guess', 'guesses')}"


def percent(share: Fraction | float, *, at_least: bool = False, at_most: bool = False) -> str:
    """Return a share as "57 %", a half rounded up, or rounded down as a lower bound and up as an upper one; with more
    digits, "99.95 %", where that would read as nothing or all."""
    part, of = share.as_integer_ratio()
    more = 0 if at_least else 2 * of - 1 if at_most else of
    for digits in (0, 2, 4, 6):
        most = 100 * 10**digits
        number = (2 * most * part + more) // (2 * of)
        if share in (0, 1) or 0 < number < most:
            break
    return f"{number / 10**digits:.{digits}f} %"


def resting(imported: int, ledgers: Sequence[str]) -> str:
    """Return the suffix of a status that rests on bounds of this many openers from ledgers; "" for none."""
    return f"{GIVEN}{counted(imported, 'opener')} from {listed(ledgers)}" if imported else ""


def sentence(text: str) -> str:
    """Return the text with a full stop, unless it ends like a sentence."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def listed(words: Sequence[str], most: int = 10) -> str:
    """Return the words with commas, or semicolons where they have commas themselves; of many the first, and the number
    of the others."""
    rest, mark = len(words) - most, "; " if any("," in word for word in words[:most]) else ", "
    return mark.join(words[:most]) + (f" and {rest} more" if rest > 0 else "")


def either(words: Sequence[str], most: int = 3) -> str:
    """Return the words as alternatives: "a, b or c"; of many the first, and the number of the others."""
    *before, last = words if len(words) <= most else [*words[:most], f"one of {len(words) - most} more"]
    return f"{', '.join(before)} or {last}" if before else last


def named(
    members: Iterable[int], objects: Sequence[str], groups: Sequence[int], names: Sequence[str]
) -> tuple[str, ...]:
    """Return objects, given by index, as people name them: several of one group by its name, if it has one.

    ``groups`` has the group of each object, ``names`` the name of each group, or nothing.
    """
    found: dict[int, list[int]] = {}
    for member in members:
        found.setdefault(groups[member] if names and names[groups[member]] else -1 - member, []).append(member)
    return tuple(objects[alike[0]] if len(alike) == 1 else names[group] for group, alike in found.items())


def called(text: str, names: Sequence[str]) -> str | None:
    """Return the name that a typed text is: the same, or the only one that differs in nothing but capitals."""
    plain = " ".join(text.split())
    alike = [plain] if plain in names else [name for name in names if name.casefold() == plain.casefold()]
    return alike[0] if len(alike) == 1 else None


def natural(texts: Sequence[str]) -> list[int]:
    """Return the places of texts in the order in which people list them: as they come, but what differs in its number
    by that: s2 before s10, below 5 before 5 to 10, and that before above 10.

    >>> natural(["none", "10", "5", "20"])
    [0, 2, 1, 3]
    """
    first: dict[str, int] = {}
    keys = []
    for place, text in enumerate(texts):
        begin, *rest = _NUMBER.split(text, maxsplit=1)
        numbers = [float(number.replace(",", ".").replace("\N{MINUS SIGN}", "-")) for number in _NUMBER.findall(text)]
        begin = " ".join(begin.casefold().split()) if rest else text
        side = (begin in _ABOVE) - (begin in _BELOW)
        keys.append((first.setdefault("" if side else begin, place), numbers[:1], side, numbers[1:], place))
    return sorted(range(len(texts)), key=keys.__getitem__)


def rounded_down(total: int, per: int) -> str:
    """A proven lower bound as a mean: no digit claims more than is proven."""
    return f"{total * 10000 // per / 10000:.4f}"
