"""Ledgers: what is proven of every opener of a question, as a small text that goes from one journal to others.

docs/journal.md tells the form. Light: no numpy here.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from optimal._version import __version__
from optimal.checks import check_path
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.journal.database import NAMES, Database, limit_in_rows, of_table
from optimal.limits import INFEASIBLE
from optimal.show.words import quoted

#: How a ledger begins.
FORM = "optimal ledger 2"
UNKNOWN = "unknown"
#: A ledger has no more bytes, and reading it takes no more memory than that and xz's largest window.
MOST_BYTES, _XZ_MEMORY = 4 << 20, 80 << 20
_LINE = re.compile(r"(?:(none)|([0-9]{1,19})(=?)) ([!-~]{1,40}) (.+)")


@dataclass(frozen=True)
class Proven:
    """What a ledger says of an opener: no tree with it costs less than ``lower``, and, where that is ``exact``, one
    costs just that. `INFEASIBLE` stands for: there is none. ``program`` is the version that proved it."""

    lower: int
    exact: bool
    program: str = UNKNOWN

    def __str__(self) -> str:
        return "none" if self.lower >= INFEASIBLE else f"{self.lower}{'=' if self.exact else ''}"


def contradict(one: Proven, other: Proven) -> bool:
    """Whether not both can be right of one opener."""
    return (one.exact and other.lower > one.lower) or (other.exact and one.lower > other.lower)


def stronger(one: Proven, other: Proven) -> bool:
    """Whether one says more of an opener than the other, where they don't contradict each other."""
    return (one.lower, one.exact) > (other.lower, other.exact)


def export_ledger(journal: str | os.PathLike[str], path: str | os.PathLike[str]) -> int:
    """Write the bounds of a journal's openers as a ledger, those that were imported too.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3", journal="run.journal")
    >>> from optimal import export_ledger
    >>> export_ledger("run.journal", "bounds.ledger")
    3

    Parameters
    ----------
    journal : str or path
        The journal, as `solve` and `rank` take one.
    path : str or path
        The ledger; compressed where its name ends in .xz.

    Returns
    -------
    int
        How many bounds there are.

    Raises
    ------
    InputError
        For a file that is no journal, one without a bound, and one for the objective worst: it asks under several
        limits of guesses. Also where both are one file.
    """
    name, to = check_path(journal, "the journal"), check_path(path, "the ledger")
    if os.path.realpath(name) == os.path.realpath(to):
        raise InputError(f"the ledger would be written over the journal {name}")
    database = Database(name)
    try:
        if of_table(database.about):
            raise InputError(f"{name} is the journal of a table; a ledger has the bounds of a game's openers")
        about = {key: database.about[key] for key in NAMES}
        if about["objective"] == "worst":
            raise InputError(f"{name} has bounds under several limits of guesses; a ledger has those of one objective")
        told, within = about["limit of guesses"], " AND guesses = ?"
        if told != "none" and not told.isdecimal():
            raise InputError(f"the journal {name} is damaged: its limit of guesses can't be")
        limit = limit_in_rows(None if told == "none" else int(told))
        found = {unit["opener"]: proven_of(unit) for unit in database.rows("units", "below = ''" + within, (limit,))}
        for row in database.rows("imports", "1" + within, (limit,)):
            if row["opener"] not in found or stronger(proven_of(row), found[row["opener"]]):
                found[row["opener"]] = proven_of(row)
    finally:
        database.close()
    if not found:
        raise InputError(f"{name} has no bounds of openers yet")
    write_whole(to, [to_bytes(about, found)])
    return len(found)


def proven_of(row: Mapping[str, Any]) -> Proven:
    """What a row of a journal, its own or an imported one, says of an opener."""
    return Proven(row["lower"], row["upper"] is not None, row["program"])


def forget_imports(journal: str | os.PathLike[str]) -> int:
    """Take all bounds back that a journal has from ledgers.

    What its runs have proven themselves stays; where they stood is forgotten, since it may rest on what is taken back.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3", journal="run.journal")
    >>> from optimal import forget_imports
    >>> forget_imports("run.journal")
    0

    Parameters
    ----------
    journal : str or path
        The journal, as `solve` and `rank` take one.

    Returns
    -------
    int
        Of how many openers there were some.

    Raises
    ------
    InputError
        For a file that is no journal, and for one that a run is writing to.
    """
    database = Database(check_path(journal, "the journal"), writing=True)
    try:
        found = len(list(database.rows("imports")))
        if found:
            run = 1 + max((row["run"] for row in database.rows("runs")), default=0)
            now = datetime.now(timezone.utc).isoformat(timespec="seconds")
            done = (0.0, 0, "UNKNOWN", "imports are forgotten")
            row = (run, f"optimal {__version__}", now, "forget imports", 1, 0, *done)
            forget: list[tuple[str, Sequence[Any]]] = [("DELETE FROM imports", ()), ("DELETE FROM gap", ())]
            database.write([*forget, database.put("runs", row)])
    finally:
        database.close()
    return found


def to_bytes(about: Mapping[str, str], found: Mapping[str, Proven]) -> bytes:
    """A ledger, compressed; the same bounds make the same bytes."""
    lines = [FORM, *(f"{name}: {about[name]}" for name in NAMES), ""]
    lines += [f"{proven} {proven.program} {opener}" for opener, proven in sorted(found.items())]
    text = "".join(f"{line}\n" for line in lines).encode()
    return lzma.compress(text + f"sha256 {hashlib.sha256(text).hexdigest()}\n".encode(), preset=9)


def read_ledger(path: str, expected: Mapping[str, str]) -> dict[str, Proven]:
    """What a ledger says of openers, for the question `expected`, as `identity` tells it.

    Raises InputError for a file that is no ledger, is damaged, or belongs to another question.
    """
    lines = iter(_text(path).split("\n")[:-1])
    if (form := next(lines, "")) != FORM:
        raise InputError(f"{path}: not a ledger that this program reads: it begins with {quoted(form)}, not '{FORM}'")
    for name in NAMES:
        there = next(lines, "")
        if there != f"{name}: {expected[name]}" and name != "game":
            raise InputError(
                f"the ledger {path} belongs to another question: its {quoted(there)} should be "
                f"{quoted(f'{name}: {expected[name]}')}"
            )
    if next(lines, None) != "":
        raise _damaged(path, "an empty line should follow the question")
    return dict(_read(path, lines))


def _read(path: str, lines: Iterator[str]) -> Iterator[tuple[str, Proven]]:
    seen = set()
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None or found[5] in seen or (found[2] and int(found[2]) >= INFEASIBLE):
            raise _damaged(path, f"its line {quoted(line)}")
        seen.add(found[5])
        lower, exact = (INFEASIBLE, True) if found[1] else (int(found[2]), found[3] == "=")
        yield found[5], Proven(lower, exact, found[4])


def _text(path: str) -> str:
    """The lines of a ledger but the last, which tells their hash."""
    unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    try:
        with open(path, "rb") as file:
            packed = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # the latter of a path with a zero byte
        raise InputError(f"can't read the ledger {path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        data = unpacker.decompress(packed, MOST_BYTES + 1)
    except lzma.LZMAError:
        raise InputError(f"{path}: not a ledger of optimal, or a damaged one") from None
    if len(data) > MOST_BYTES or not unpacker.eof or unpacker.unused_data:
        raise _damaged(path, "it is too long" if len(data) > MOST_BYTES else "it doesn't end where it should")
    text, _, last = data.removesuffix(b"\n").rpartition(b"\n")
    text += b"\n"
    if last != b"sha256 " + hashlib.sha256(text).hexdigest().encode():
        raise _damaged(path, "its hash is not that of its lines")
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise _damaged(path, "it is not UTF-8") from None


def _damaged(path: str, why: str) -> InputError:
    return InputError(f"the ledger {path} is damaged: {why}")
