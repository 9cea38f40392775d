"""How journals begin."""

from __future__ import annotations

START = b"optimal journal "
#: Those of this version.
MAGIC = START + b"3\n"
#: Versions 1 and 2 were SQLite databases of this application id.
_SQLITE, _APPLICATION = b"SQLite format 3\0", b"optj"


def is_journal(start: bytes) -> bool:
    """Whether a file that begins so is a journal, of whatever version."""
    return start.startswith(START) or (start.startswith(_SQLITE) and start[68:72] == _APPLICATION)
