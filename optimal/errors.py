"""The errors that `optimal` raises on purpose: one base class, each message one clear line."""


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
    """A result that contradicts its own proof. It is never handed out; please report it."""
