"""Checks of arguments of the Python interface: an error is one line that says what is right.

Every function returns the value in a plain type: numpy integers go no further. Light: the player loads this too, so
neither numpy nor a `Game` is imported.
"""

from __future__ import annotations

import math
import operator
import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from numbers import Real
from typing import ParamSpec, TypeVar, cast

from optimal.errors import InputError
from optimal.limits import LARGEST_LIMIT, LEAST_MEMORY, LONGEST_LIST, MOST_CODE, MOST_JOBS, MOST_MEMORY, MOST_SECONDS
from optimal.show.words import quoted, shown

#: Backends of a search.
BACKENDS = ("threads", "loky", "dask")
#: Seconds that a run waits for a scheduler and its first worker, or for new ones if all are lost.
WAIT = 30.0

Called = TypeVar("Called")
P = ParamSpec("P")
R = TypeVar("R")


def formerly(**old: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let keyword arguments be passed by their old names too, with a warning; these are given by the new ones."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> R:
            for new, before in old.items():
                if before in named:
                    if new in named:
                        raise InputError(f"{before}= is called {new}= now: it was given by both names")
                    warnings.warn(f"{before}= is called {new}= now", DeprecationWarning, stacklevel=2)
                    named[new] = named.pop(before)
            return function(*args, **named)

        return call

    return decorate


def warn_caller(lines: Iterable[str]) -> None:
    """Warn whoever has called this package, at their own line."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("optimal."):
        frame, level = frame.f_back, level + 1
    for line in lines:
        warnings.warn(line, stacklevel=level)


def is_truth(value: object) -> bool:
    """Return whether it is a boolean, Python's or numpy's; old numpy booleans pass for the integers 0 and 1."""
    return type(value).__name__ in ("bool", "bool_")


def check_truth(value: object, what: str) -> bool:
    """Return a boolean, Python's or numpy's, as a bool; `what` names the argument."""
    if not is_truth(value):
        raise InputError(f"{what} must be True or False, not {shown(value)}")
    return bool(value)


def iterates(value: object) -> bool:
    """Return whether it can be iterated. An array without dimensions only claims to."""
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def check_whole(value: object, what: str, least: int, most: int | None = None) -> int:
    """Return an integer from `least` to `most` as an int; `what` names it in messages.

    Numpy integers pass. Booleans, texts and floats don't.
    """
    try:
        if is_truth(value):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{what} must be a whole number, not {shown(value)}") from None
    if number < least:
        raise InputError(f"{what} must be {least} or more, not {shown(number)}")
    if most is not None and number > most:
        raise InputError(f"{what} must be {most} or less, not {shown(number)}")
    return number


def check_limit(max_guesses: object) -> int | None:
    """Return a limit of guesses: at least 1, or None for no limit."""
    return None if max_guesses is None else check_whole(max_guesses, "the limit of guesses", 1, LARGEST_LIMIT)


def check_jobs(jobs: object) -> int:
    """Return the number of parallel searches: 1 to 1024."""
    return check_whole(jobs, "jobs", 1, MOST_JOBS)


def check_top(top: object) -> int:
    """Return the number of best guesses, at least 1."""
    return check_whole(top, "the number of best guesses", 1)


def check_memory(memory_limit: object) -> int | None:
    """Return a memory limit in bytes, at least 1 MB; None for none."""
    if memory_limit is None:
        return None
    return check_whole(memory_limit, "the memory limit, in bytes,", LEAST_MEMORY, MOST_MEMORY)


def check_seconds(time_limit: object, name: str = "the time limit") -> float | None:
    """Return a time limit: more than 0 and at most 10^9 seconds, or None for none; `name` is used in messages."""
    if time_limit is None:
        return None
    if not isinstance(time_limit, Real) or isinstance(time_limit, bool):
        raise InputError(f"{name} must be a number of seconds, not {shown(time_limit)}")
    try:
        seconds = float(time_limit)
    except OverflowError:
        seconds = math.inf
    if not 0 < seconds <= MOST_SECONDS:
        raise InputError(f"{name} must be more than 0 seconds and at most {MOST_SECONDS}, not {shown(time_limit)}")
    return seconds


def check_objective(objective: object) -> tuple[str, int | None]:
    """Return the kind of an objective, "mean", "worst" or "within", and the K of "within:K", 1 or more; else None.

    >>> check_objective("within:4")
    ('within', 4)
    """
    # K in one form only, as in tree files, and short enough for a label there.
    found = re.fullmatch("mean|worst|within:([1-9][0-9]{0,89})", objective) if isinstance(objective, str) else None
    if found is None:
        raise InputError(f"no objective {shown(objective)}; there are mean, worst and within:K, such as within:4")
    return ("within", int(found[1])) if found[1] else (found[0], None)


def check_choice(value: object, what: str, choices: Iterable[str]) -> str:
    """Return one of the choices; `what` names it in messages, such as "backend"."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise InputError(f"no {what} {shown(value)}; there are {', '.join(known)}")
    return str(value)


def check_choices(values: object, what: str, choices: Collection[str]) -> frozenset[str]:
    """Return a set of choices; `what` names one of them in messages, such as "switch"."""
    return frozenset(check_choice(value, what, sorted(choices)) for value in check_texts(values, f"each {what}", ""))


def check_texts(values: object, what: str, example: str) -> tuple[str, ...]:
    """Return texts from a list or another iterable as a tuple; a single string is refused.

    `what` names them in messages ("openers") and `example` is a valid one ("salet").
    """
    such = f", such as [{example!r}]" if example else ""
    if isinstance(values, str | bytes) or not iterates(values):
        raise InputError(f"{what} must be a list of texts{such}, not {shown(values)}")
    texts = []
    for number, value in enumerate(cast(Iterable[object], values), 1):
        if not isinstance(value, str):
            raise InputError(f"{what} must be texts{such}; number {number} is {shown(value)}")
        texts.append(str(value))
    return tuple(texts)


def check_openers(openers: object) -> tuple[str, ...] | None:
    """Return the first guesses asked for, at least one; None for all. The caller checks that the game has them."""
    if openers is None:
        return None
    named = check_texts(openers, "openers", "salet")
    if not named:
        raise InputError("no openers were named; None asks for all")
    return named


def check_code(code: object, where: str) -> int:
    """Return a feedback code given as a number; `where` begins the message, such as "turn 1, 'salet'"."""
    return check_whole(code, f"{where}: a feedback that is no text", 0, MOST_CODE)


def check_path(path: object, what: str) -> str:
    """Return the name of a file as text; `what` names it in messages, such as "the journal"."""
    try:
        name = os.fspath(path)  # type: ignore[call-overload]
    except TypeError:
        name = None
    if not isinstance(name, str):
        raise InputError(f"{what} must be the name of a file, not {shown(path)}")
    try:
        os.fsencode(name)
        fit = bool(name) and "\0" not in name
    except UnicodeError:  # a lone surrogate
        fit = False
    if not fit:
        raise InputError(f"{what} must be the name of a file; {shown(name)} is none")
    return name


def check_journal(path: object) -> str | None:
    """Return the name of a journal, or None."""
    return None if path is None else check_path(path, "the journal")


def check_scheduler(address: object, backend: str) -> str | None:
    """Return the address of a scheduler for the backend dask, or None."""
    if address is None:
        return None
    if not isinstance(address, str) or not address.strip():
        raise InputError(f"the scheduler must be an address such as 'tcp://host:8786', not {shown(address)}")
    if backend != "dask":
        raise InputError(f"a scheduler is for the backend dask alone, not for {backend}")
    return address


def check_progress(progress: Called, name: str = "progress") -> Called:
    """Return a callback or None; `name` names the argument."""
    if progress is not None and not callable(progress):
        raise InputError(f"{name} must be a function to call with news, not {shown(progress)}")
    return progress


def check_scorer(scorer: object) -> Callable[[str, str], int]:
    """Return a function of guess and answer whose results are checked to be feedback codes."""
    if not callable(scorer):
        raise InputError(f"a scorer must be a function of guess and answer, not {shown(scorer)}")

    def score(guess: str, answer: str) -> int:
        return check_whole(scorer(guess, answer), f"a scorer's feedback code, here of {quoted(guess)},", 0, MOST_CODE)

    return score


def check_size(guesses: int, answers: int, where: str = "") -> None:
    """Raise InputError for too many guesses or answers; `where` begins the message, such as "FILE: "."""
    if max(guesses, answers) > LONGEST_LIST:
        raise InputError(f"{where}{guesses} guesses and {answers} answers: at most {LONGEST_LIST} of each are possible")
