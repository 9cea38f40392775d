"""The journal of a ranking: a file to which every finished opener is added, so that a run can be resumed.

One JSON object a line. The first says what the totals belong to; each other one is an opener, such as
{"guess": "salet", "total": 7920}, with "total": null where no tree is within the limit, or with "bound" instead
where only a lower bound was needed. A last line that was cut off by a crash is dropped.
"""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any, BinaryIO

from optimal import _search
from optimal.errors import InputError
from optimal.games.feedback import quoted
from optimal.games.game import Game

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

VERSION = 1
MOST_BYTES = 256 << 20


class RankJournal:
    """Totals and lower bounds of openers, by guess, in a file; a context manager.

    Raises InputError for a file that is no such journal, is damaged, or belongs to another game, other rules or
    another limit.
    """

    def __init__(self, path: str, game: Game, max_guesses: int | None) -> None:
        self.path = path
        self.totals: dict[int, int] = {}
        self.bounds: dict[int, int] = {}
        self._game = game
        info = game.info
        self._header = {
            "journal": "optimal rank",
            "version": VERSION,
            "game": game.name,
            "guesses_sha256": info.guesses_sha256,
            "answers_sha256": info.answers_sha256,
            "rules": game.rules.value,
            "max_guesses": max_guesses,
        }
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise InputError(f"cannot open the journal {path}: it is no ordinary file")
        try:
            # Never created by reading: a file that cannot be read back is not written to either.
            self._file: BinaryIO = open(path, "r+b" if os.path.exists(path) else "x+b")  # noqa: SIM115
        except OSError as error:
            raise InputError(f"cannot open the journal {path}: {error.strerror or error}") from None
        try:
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> RankJournal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, guess: int, value: int, *, exact: bool) -> None:
        """An opener that is finished: its total, or its lower bound."""
        fields: dict[str, Any] = {"guess": self._game.guesses[guess]}
        if value >= _search.INFEASIBLE:
            fields["total"] = None
        else:
            fields["total" if exact else "bound"] = value
        self._write(fields)

    def _write(self, fields: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(fields).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise InputError(f"cannot write the journal {self.path}: {error.strerror or error}") from None

    def _lock(self) -> None:
        """Keep other runs out until the file is closed: each would write over the other's lines."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"cannot open the journal {self.path}: another run is writing to it") from None
        except OSError:
            pass  # a file system without locks

    def _read(self) -> None:
        if os.fstat(self._file.fileno()).st_size > MOST_BYTES:
            raise InputError(f"{self.path}: too large for a journal of a ranking")
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.splitlines()
        if lines:
            self._check_header(self._parse(lines[0], 1))
        elif data and not json.dumps(self._header).encode().startswith(data):
            # Not even the first line is whole: it is either ours, cut off, or another file altogether.
            raise InputError(f"{self.path}: not a journal of `optimal rank`")
        for number, line in enumerate(lines[1:], 2):
            self._take(self._parse(line, number), number)
        if len(whole) < len(data):
            self._file.truncate(len(whole))
        self._file.seek(len(whole))
        if not lines:
            self._write(self._header)

    def _parse(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            problem = "not a journal of `optimal rank`" if number == 1 else "damaged; remove the line to go on"
            raise InputError(f"{self.path}, line {number}: {problem}")
        return fields

    def _check_header(self, found: dict[str, Any]) -> None:
        if found.get("journal") != self._header["journal"]:
            raise InputError(f"{self.path}, line 1: not a journal of `optimal rank`")
        if found.get("version") != VERSION:
            raise InputError(f"{self.path}: a journal of version {quoted(str(found.get('version')))}, not {VERSION}")
        for name, right in self._header.items():
            if name == "game" or (name in found and type(found[name]) is type(right) and found[name] == right):
                continue
            there = "none" if found.get(name) is None else str(found.get(name))
            here = "none" if right is None else str(right)
            raise InputError(
                f"{self.path} belongs to another ranking: its {name} is {quoted(there)}, here it is {quoted(here)}"
            )

    def _take(self, fields: dict[str, Any], number: int) -> None:
        damaged = InputError(f"{self.path}, line {number}: damaged; remove the line to go on")
        if set(fields) not in ({"guess", "total"}, {"guess", "bound"}) or not isinstance(fields["guess"], str):
            raise damaged
        try:
            guess = self._game.guess_index(fields["guess"])
        except InputError:
            raise damaged from None
        exact = "total" in fields
        value = fields["total"] if exact else fields["bound"]
        if exact and value is None:
            value = _search.INFEASIBLE
        elif type(value) is not int or not 0 < value < _search.INFEASIBLE:
            raise damaged
        # Two lines that contradict each other: whichever is wrong, the file is.
        known = self.totals.get(guess)
        if known is not None and (known < value or (exact and known != value)):
            raise damaged
        if exact and self.bounds.get(guess, 0) > value:
            raise damaged
        if exact and value < _search.INFEASIBLE:
            self.totals[guess] = value
        self.bounds[guess] = max(value, self.bounds.get(guess, 0))
