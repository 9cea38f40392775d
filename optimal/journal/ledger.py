"""Ledgers: what is proven of every opener of a question, as a small text that goes from one journal to others.

docs/reference/journal-file.md tells the form. Light: no numpy here.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing

from optimal.checks import check_path
from optimal.errors import InputError
from optimal.files import opened, write_whole
from optimal.journal.file import OF_GAMES, JournalFile, of_table, read_journal
from optimal.journal.records import FORGET_IMPORTS, Contents, Proven, limit_of, record_of
from optimal.limits import INFEASIBLE
from optimal.show.words import quoted

#: How a ledger begins.
FORM = "optimal ledger 2"
#: A ledger has no more bytes, and reading it takes no more memory than that and xz's largest window.
MOST_BYTES, _XZ_MEMORY = 4 << 20, 80 << 20
_LINE = re.compile(r"(?:(none)|([0-9]{1,19})(=?)) ([!-~]{1,40}) (.+)")


def export_ledger(journal: str | os.PathLike[str], path: str | os.PathLike[str]) -> int:
    """Write the bounds of a journal's openers as a ledger, those that were imported too.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3", journal="run.journal")
    >>> from optimal import export_ledger
    >>> export_ledger("run.journal", "bounds.ledger")
    3

    Parameters
    ----------
    journal : the file of `solve` or `rank`
    path : the ledger to write

    Returns
    -------
    int : number of bounds

    Raises
    ------
    InputError : for a file that is no journal or has no bounds, for the objective worst, which has several limits of
        guesses, and where both are one file
    """
    name, to = check_path(journal, "the journal"), check_path(path, "the ledger")
    if os.path.realpath(name) == os.path.realpath(to):
        raise InputError(f"the ledger would be written over the journal {name}")
    found = read_journal(name)
    about, contents = found.identity, Contents(name, found.records, notes=False)
    if of_table(about):
        raise InputError(f"{name} is the journal of a table; a ledger has the bounds of a game's openers")
    if about["objective"] == "worst":
        raise InputError(f"{name} has bounds under several limits of guesses; a ledger has those of one objective")
    limit = limit_of(about)
    known = (*contents.openers[limit].values(), *contents.imported(limit).values())
    if not known:
        raise InputError(f"{name} has no bounds of openers yet")
    proven = {one.opener: one.proven for one in known}
    write_whole(to, [to_bytes(about, proven)])
    return len(proven)


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
    journal : the file of `solve` or `rank`

    Returns
    -------
    int : number of openers that had such bounds

    Raises
    ------
    InputError : for a file that is no journal, and for one that a run is writing to
    """
    with closing(JournalFile(check_path(journal, "the journal"))) as file:
        contents = Contents(file.path, file.records, notes=False)
        forgotten = sum(map(len, contents.imports.values()))
        if forgotten:
            run = contents.next_run("forget imports", 1)._replace(status="UNKNOWN", stop_reason="imports are forgotten")
            file.append([FORGET_IMPORTS, record_of(run)])
    return forgotten


def to_bytes(about: Mapping[str, str], found: Mapping[str, Proven]) -> bytes:
    """A ledger, compressed; the same bounds make the same bytes."""
    lines = [FORM, *(f"{name}: {about[name]}" for name in OF_GAMES), ""]
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
    for name in OF_GAMES:
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
        with opened(path, "ledger") as file:
            data = unpacker.decompress(file.read(MOST_BYTES + 1), MOST_BYTES + 1)
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
