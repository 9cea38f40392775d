"""The exceptions of `optimal`: one base class, each message one clear line."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `optimal` itself

if TYPE_CHECKING:
    from collections.abc import Iterable


class OptimalError(ValueError):
    """Base of every error raised for bad input or bad files."""


class InputError(OptimalError):
    """Bad words, word lists, feedback, positions or options."""


class IllegalGuess(InputError):
    """A guess that is outside the list, or breaks the rules of the game."""


class ImpossibleFeedback(InputError):
    """Feedback that no answer fits."""


class TreeFileError(OptimalError):
    """A tree file that is truncated, corrupted, hostile or of another version."""


class InternalError(Exception):
    """A result that contradicts its own proof. It is never returned; please report it."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the end of a message about an unknown name: known names with similar spelling, or ``otherwise``. Names
    with two neighbouring letters swapped come first, then those with another letter; capitals don't matter."""
    import difflib  # here, as only a mistake needs it

    names = {known_as.lower(): known_as for known_as in known}
    # What is much longer than all of them is like none of them, and takes long to compare.
    word = name.lower() if len(name) <= 3 * max(map(len, names), default=0) else ""
    swapped = [word[:at] + word[at : at + 2][::-1] + word[at + 2 :] for at in range(len(word) - 1)]
    similar = [other for other in swapped if other in names]
    if len(word) > 2:
        similar += [other for other in names if len(other) == len(word) and sum(map(str.__ne__, other, word)) == 1]
    similar += difflib.get_close_matches(word, names, n=3)
    near = [names[other] for other in dict.fromkeys(similar)][:3]
    return f": did you mean {' or '.join(near)}?" if near else otherwise and f": {otherwise}"
