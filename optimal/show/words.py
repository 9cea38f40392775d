"""Numbers and lists in words. Cheap to import: the player uses it too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

#: The part of a run's time after which its rate is taken: the openers that come first take longest.
LATELY = 0.7

#: How that begins which `resting` says.
GIVEN = ", given the bounds of "


def harmless(text: str) -> str:
    """The text in one line that does nothing to a terminal, as names of files may: what isn't printable is escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def quoted(text: str, limit: int = 40) -> str:
    """The text in quotes on one line, cut when it is long: what the user typed, fit for a message."""
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")


def shown(value: object) -> str:
    """Any value on one line, cut when it is long: what the caller passed, fit for a message."""
    if isinstance(value, str):
        return quoted(str(value))
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes no integer of more than some 4000 digits
        text = f"a giant {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def counted(number: int, one: str, many: str | None = None) -> str:
    """The number with its noun: "1 answer", "2 answers"; ``many`` is the plural where an s is not enough."""
    return f"{number} {one if number == 1 else f'{one}s' if many is None else many}"


def ordinal(number: int) -> str:
    """The place of a number from 1 on: "first", "second"; beyond the tenth "11th"."""
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def clock_time(seconds: float) -> str:
    """A time in hours, minutes and seconds: "1:02:03"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def rate_and_rest(
    then: tuple[float, int], now: tuple[float, int], total: int
) -> tuple[float, float] | tuple[None, None]:
    """The steps done a second between two moments, each (seconds, steps done), and the seconds that the rest of
    ``total`` takes at this rate; None where no step was done in between."""
    seconds, steps = now[0] - then[0], now[1] - then[1]
    if seconds <= 0 or steps <= 0:
        return None, None
    return steps / seconds, max(0, total - now[1]) * seconds / steps


def within(max_guesses: int | None) -> str:
    """A limit of guesses in words."""
    return "no limit of guesses" if max_guesses is None else f"within {counted(max_guesses, 'guess', 'guesses')}"


def resting(imported: int, ledgers: Sequence[str]) -> str:
    """What is to be said after a status that rests on bounds of so many openers from ledgers; nothing without any."""
    return f"{GIVEN}{counted(imported, 'opener')} from {listed(ledgers)}" if imported else ""


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends as sentences do."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def listed(words: Sequence[str], most: int = 10) -> str:
    """The words with commas between them; of many the first, and how many more there are."""
    rest = len(words) - most
    return ", ".join(words[:most]) + (f" and {rest} more" if rest > 0 else "")


def named(
    members: Iterable[int], objects: Sequence[str], groups: Sequence[int], names: Sequence[str]
) -> tuple[str, ...]:
    """Objects, by their places, as people name them: several of one group by the name of the group, where it has one.

    ``groups`` has the group of each object, ``names`` the name of each group, or nothing.
    """
    found: dict[int, list[int]] = {}
    for member in members:
        found.setdefault(groups[member] if names and names[groups[member]] else -1 - member, []).append(member)
    return tuple(objects[alike[0]] if len(alike) == 1 else names[group] for group, alike in found.items())
