"""Ledgers: what is proven of every opener of a question, as a small text that goes from one journal to others.

docs/journal.md tells the form. Light: no numpy here.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from optimal.errors import InputError
from optimal.files import write_whole
from optimal.games.arguments import check_path
from optimal.games.feedback import quoted
from optimal.journal.database import INFEASIBLE, NAMES, Database

FORM = "optimal ledger 1"
#: A ledger has no more bytes, and reading it takes no more memory than that and xz's largest window.
MOST_BYTES, _XZ_MEMORY = 4 << 20, 80 << 20
_LINE = re.compile(r"(?:(none)|([0-9]{1,19})(=?)) (.+)")


@dataclass(frozen=True)
class Proven:
    """What a ledger says of an opener: no tree with it costs less than ``lower``, and, where that is ``exact``, one
    costs just that. `INFEASIBLE` stands for: there is none."""

    lower: int
    exact: bool


def export_ledger(journal: str | os.PathLike[str], path: str | os.PathLike[str]) -> int:
    """Write the bounds of a journal's openers as a ledger, and return how many there are.

    Raises InputError for a file that is no journal, one without a bound, and one for the objective worst: it asks
    under several limits of guesses. Also where both are one file.
    """
    name, to = check_path(journal, "the journal"), check_path(path, "the ledger")
    if os.path.realpath(name) == os.path.realpath(to):
        raise InputError(f"the ledger would be written over the journal {name}")
    database = Database(name)
    try:
        about = {key: database.about[key] for key in NAMES}
        if about["objective"] == "worst":
            raise InputError(f"{name} has bounds under several limits of guesses; a ledger has those of one objective")
        limit = 0 if about["limit of guesses"] == "none" else int(about["limit of guesses"])
        found = {
            unit["opener"]: Proven(unit["lower"], unit["upper"] is not None)
            for unit in database.rows("units", "below = '' AND guesses = ? ORDER BY opener", (limit,))
        }
    except ValueError:
        raise InputError(f"the journal {name} is damaged: its limit of guesses can't be") from None
    finally:
        database.close()
    if not found:
        raise InputError(f"{name} has no bounds of openers yet")
    write_whole(to, [to_bytes(about, found)])
    return len(found)


def to_bytes(about: Mapping[str, str], found: Mapping[str, Proven]) -> bytes:
    """A ledger, compressed; the same bounds make the same bytes."""
    lines = [FORM, *(f"{name}: {about[name]}" for name in NAMES), ""]
    for opener, proven in found.items():
        said = "none" if proven.lower >= INFEASIBLE else f"{proven.lower}{'=' if proven.exact else ''}"
        lines.append(f"{said} {opener}")
    text = "".join(f"{line}\n" for line in lines).encode()
    return lzma.compress(text + f"sha256 {hashlib.sha256(text).hexdigest()}\n".encode(), preset=9)


def read_ledger(path: str, expected: Mapping[str, str]) -> dict[str, Proven]:
    """What a ledger says of openers, for the question `expected`, as `identity` tells it.

    Raises InputError for a file that is no ledger, is damaged, or belongs to another question.
    """
    lines = iter(_text(path).split("\n")[:-1])
    if next(lines, "") != FORM:
        raise InputError(f"{path}: not a ledger of optimal")
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
        if found is None or found[4] in seen or (found[2] and int(found[2]) >= INFEASIBLE):
            raise _damaged(path, f"its line {quoted(line)}")
        seen.add(found[4])
        yield found[4], Proven(INFEASIBLE, True) if found[1] else Proven(int(found[2]), found[3] == "=")


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
