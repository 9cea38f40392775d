"""Which arguments name files, and the one rule for all commands: nothing is written over a file that is read, and no
two outputs go to the same file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from optimal.errors import InputError

#: Beside a journal its database has these.
BESIDE_JOURNALS = ("", "-wal", "-shm", "-journal")


def reads(action: argparse.Action, file: Callable[[Any], str] = str) -> argparse.Action:
    """Say that the argument names files that the command reads; ``file`` makes its name of a value, or "" of none."""
    action.reads = file  # type: ignore[attr-defined]
    return action


def writes(action: argparse.Action, ends: Sequence[str] = ("",)) -> argparse.Action:
    """Say that the argument names a file that the command writes; with the ``ends`` of those beside it, too."""
    action.writes = ends  # type: ignore[attr-defined]
    return action


def check_apart(actions: Sequence[argparse.Action], arguments: argparse.Namespace) -> None:
    """Raise InputError where an output is one of the files that the command reads, or another output."""
    outputs = [action for action in actions if hasattr(action, "writes") and getattr(arguments, action.dest)]
    if not outputs:  # what is read may be named in ways of its own
        return
    taken = [named for action in actions if hasattr(action, "reads") for named in _read(action, arguments)]
    for action in outputs:
        name = _told(action)
        files = [(name, f"{getattr(arguments, action.dest)}{end}") for end in action.writes]
        for other, known in taken:
            if any(_are_one(path, known) for _, path in files):
                raise InputError(f"{other} and {name} name the same file, {known}")
        taken += files


def _read(action: argparse.Action, arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The files that an argument names, each with the argument's name."""
    value = getattr(arguments, action.dest, None)
    for one in value if type(value) is list else [] if value is None else [value]:
        if path := action.reads(one):  # type: ignore[attr-defined]
            yield _told(action), path


def _told(action: argparse.Action) -> str:
    return action.option_strings[-1] if action.option_strings else str(action.metavar)


def _are_one(one: str, other: str) -> bool:
    try:
        # A terminal, say, may well be read and written.
        return os.path.samefile(one, other) and os.path.isfile(one)
    except OSError:  # one of them isn't there yet
        return os.path.realpath(one) == os.path.realpath(other)
