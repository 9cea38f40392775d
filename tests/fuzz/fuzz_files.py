"""Hostile files for the fuzzer: trees and journals, damaged byte by byte or by someone who knows the format."""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import msgpack
from fuzz_checks import Case, Failure, Outcome
from fuzz_games import Question, small_game
from trees_util import labelled_tree, matrix_score, matrix_tree, peg_tree, word_tree

from optimal.errors import OptimalError
from optimal.games.feedback import BullsFeedback, PegFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.journal.file import JournalFile, read_journal
from optimal.journal.ledger import export_ledger
from optimal.journal.records import Contents, Note, OpenerRecord, record_of, record_of_note
from optimal.limits import INFEASIBLE
from optimal.search.identify import identify
from optimal.search.importing import import_ledger
from optimal.search.key_run import NO_CAP
from optimal.search.ranking import rank
from optimal.search.solve import solve
from optimal.tables.table import Table
from optimal.trees.codec import MAGIC, VERSION
from optimal.trees.export import export_json, export_text
from optimal.trees.file import from_bytes, to_bytes
from optimal.trees.player import Player
from optimal.trees.verify import verify_tree

#: What reading and judging one small file may cost.
MOST_SECONDS, MOST_BYTES = 5.0, 64 << 20


@dataclass(frozen=True)
class FileCase(Case):
    """A tree file with some damage: it is refused by an OptimalError, or is a tree that verify judges."""

    kind: ClassVar[str] = "files"
    seed: str
    damages: tuple[int, ...]

    @classmethod
    def made(cls, rng: random.Random) -> FileCase:
        return cls(str(rng.getrandbits(64)), tuple(range(rng.choice((1, 1, 1, 2, 3, 6)))))

    def data(self) -> bytes:
        """The file."""
        data = random.Random(self.seed).choice(sound_files())
        for number in self.damages:
            data = damaged(random.Random(f"{self.seed} {number}"), data)
        return data

    def smaller(self) -> Iterator[FileCase]:
        for number in self.damages:
            if len(self.damages) > 1:
                yield replace(self, damages=tuple(other for other in self.damages if other != number))

    def code(self) -> str:
        return (
            "from optimal.trees.file import from_bytes\nfrom optimal.trees.verify import verify_tree\n\n"
            f"tree = from_bytes(bytes.fromhex({self.data().hex()!r}))\n"
            "print(verify_tree(tree, scorer=None if tree.game.feedback else lambda guess, answer: 0))"
        )

    def check(self) -> Outcome:
        data = self.data()
        started = time.process_time()
        tracemalloc.start()
        try:
            tree = from_bytes(data)
            if to_bytes(tree) != data:
                return Failure("files", "read, and written otherwise", self)
            seen = verify_tree(tree, scorer=None if tree.game.feedback else matrix_score_of_any)
            told = [seen.claim, repr(tree), export_text(tree), str(export_json(tree))]
            if not all(told):
                return Failure("files", "nothing to show", self)
            Player(tree)
        except OptimalError as error:
            if "\n" in str(error):
                return Failure("files", f"an error of several lines: {error}", self)
        finally:
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        if most > MOST_BYTES + 40 * len(data):
            return Failure("memory", f"{most >> 20} MB for a file of {len(data)} bytes", self)
        seconds = time.process_time() - started
        if seconds > MOST_SECONDS:
            return Failure("slow", f"{seconds:.1f} seconds for a file of {len(data)} bytes", self)
        return None


def matrix_score_of_any(guess: str, answer: str) -> int:
    """A scorer that doesn't mind what the labels of a damaged file have become."""
    return matrix_score(guess, answer) if guess.isdecimal() and answer.isdecimal() else 0


@cache
def sound_files() -> list[bytes]:
    """Trees of every kind, as files."""
    trees = [
        *(word_tree(rules=rules) for rules in Rules),
        word_tree(objective="worst"),
        word_tree(objective="within:3", weights=tuple(range(1, 21))),
        word_tree(position=(("salet", 0),)),
        peg_tree(PegFeedback(2, 4), PegFeedback(2, 4).all_guesses(), "mastermind:2x4"),
        peg_tree(BullsFeedback(2), BullsFeedback(2).all_guesses(), "bulls"),
        matrix_tree(),
        labelled_tree(),
    ]
    rng = random.Random("sound files")
    while len(trees) < 16:
        game = small_game(rng, rng.choice(tuple(Rules)))
        tree = Question(objective=rng.choice(("mean", "worst", "within:2"))).asked(game).tree
        if tree is not None:
            trees.append(tree)
    return [to_bytes(tree) for tree in trees]


def damaged(rng: random.Random, data: bytes) -> bytes:
    """The file with one damage more; mostly under a right checksum, or no further line would be reached."""
    if rng.random() < 0.1:
        return scratched(rng, data)
    try:
        *_, payload = msgpack.unpackb(data)
        if not isinstance(payload, bytes):
            return scratched(rng, data)
        if rng.random() < 0.35:
            return sealed(scratched(rng, payload))
        fields = msgpack.unpackb(payload, strict_map_key=False, raw=False, max_buffer_size=1 << 20)
        return sealed(msgpack.packb(changed(rng, fields), use_bin_type=True))
    except Exception:
        return scratched(rng, data)  # damaged too much already to be taken apart


def sealed(payload: bytes) -> bytes:
    """A tree file around a payload, its checksum right."""
    data: bytes = msgpack.packb([MAGIC, VERSION, hashlib.sha256(payload).digest(), payload])
    return data


#: Heads of msgpack values: longer forms, empty and endless containers, floats, extensions, nothing at all.
_HEADS = bytes((*range(0xC0, 0xE1), 0x00, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x91, 0x9F, 0xA0, 0xA1, 0xBF, 0xFF))


def scratched(rng: random.Random, data: bytes) -> bytes:
    """Bytes changed, cut, put in, repeated or moved."""
    if not data:
        return rng.randbytes(4)
    out = bytearray(data)
    at = rng.randrange(len(out))
    match rng.randrange(8):
        case 0:
            out[at] ^= 1 << rng.randrange(8)
        case 1:
            out[at] = rng.choice(_HEADS)
        case 2:
            del out[at : at + rng.randint(1, 16)]
        case 3:
            out[at:at] = rng.randbytes(rng.randint(1, 9))
        case 4:
            del out[at:]
        case 5:  # a length that lies
            head = rng.choice((b"\xdd", b"\xdf", b"\xdb", b"\xc6"))
            out[at : at + 5] = head + rng.choice((0xFFFFFFFF, 0x7FFFFFFF, 1 << 20, 70_000)).to_bytes(4, "big")
        case 6:  # nesting, or many times the same
            out[at:at] = rng.choice((b"\x91", b"\x81\x00", b"\xdc\x00\x01")) * rng.choice((3, 300, 30_000))
        case _:
            there, length = rng.randrange(len(out)), rng.randint(1, 40)
            out[there : there + rng.choice((0, length))] = out[at : at + length]
    return bytes(out)


def changed(rng: random.Random, value: Any) -> Any:
    """A value with one change somewhere inside it."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = rng.choice(keys)
        here: Any = dict(value) if isinstance(value, dict) else list(value)
        match rng.randrange(12):
            case 0:
                del here[key]
            case 1 if isinstance(here, list):
                here.insert(key, here[rng.randrange(len(here))])
            case 2 if isinstance(here, list):
                rng.shuffle(here)
            case 3 if isinstance(here, dict):
                name = rng.choice(("more", "total", f"{key}s", 5, b"tree", None))
                here = {name if k == key else k: v for k, v in here.items()}
            case 4 if isinstance(here, list):
                here *= rng.choice((2, 50))
            case _:
                here[key] = changed(rng, here[key])
        return here
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.7:
        edges = (0, 1, value + 1, max(value - 1, 0), 2 * value, 255, 256, 2**16, 2**31, 2**32, 2**63, 2**64 - 1, -1)
        return rng.choice(edges)
    if isinstance(value, str) and rng.random() < 0.6:
        return rng.choice(
            (value[:-1], value + "a", value[::-1], value.upper(), "é" * len(value), value + "\n", "x" * 99)
        )
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    numbers: tuple[Any, ...] = (None, True, 0, -1, 1.5, float("nan"))
    texts = ("", "within:1", "worst", "normal", b"", b"\0" * 32)
    return rng.choice((*numbers, *texts, [], {}, [0] * 9, deep))


@dataclass(frozen=True)
class JournalCase(Case):
    """A journal with some damage: it is refused by an OptimalError, or taken up."""

    kind: ClassVar[str] = "journals"
    seed: str
    damages: tuple[int, ...]
    of: str = "a game"

    @classmethod
    def made(cls, rng: random.Random) -> JournalCase:
        seed, damages = str(rng.getrandbits(64)), tuple(range(rng.choice((1, 1, 2, 4))))
        return cls(seed, damages, rng.choice(("a game", "a table")))

    def smaller(self) -> Iterator[JournalCase]:
        for number in self.damages:
            if len(self.damages) > 1:
                yield replace(self, damages=tuple(other for other in self.damages if other != number))

    def data(self) -> bytes:
        """The file."""
        data = sound_table_journal() if self.of == "a table" else sound_journal()
        for number in self.damages:
            rng = random.Random(f"{self.seed} {number}")
            data = damaged_records(rng, data) if rng.random() < 0.7 else scratched(rng, data)
        return data

    def code(self) -> str:
        if self.of == "a table":
            return (
                "from pathlib import Path\nfrom optimal import Table, identify\n\n"
                f"Path('journal').write_bytes(bytes.fromhex({self.data().hex()!r}))\n"
                f"print(identify(Table.from_arrays({_ROWS}, costs={_COSTS}), journal='journal'))"
            )
        words = "'fight light might night right sight tight eight'.split()"
        return (
            "from pathlib import Path\nfrom optimal.games.game import Game\nfrom optimal.search.ranking import rank\n\n"
            f"Path('journal').write_bytes(bytes.fromhex({self.data().hex()!r}))\n"
            f"print(rank(Game.from_words({words}, {words}), all_openers=True, journal='journal'))"
        )

    def check(self) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "journal"
            path.write_bytes(self.data())
            try:
                if self.of == "a table":
                    identify(_journal_table(), journal=str(path))
                    return None
                rank(_journal_game(), all_openers=True, journal=str(path))
                solve(_journal_game(), journal=str(path))
            except OptimalError as error:
                if "\n" in str(error):
                    return Failure("journals", f"an error of several lines: {error}", self)
        return None


@cache
def _journal_game(rules: str = "normal") -> Game:
    words = [letter + "ight" for letter in "flmnrste"]
    return Game.from_words(words, words, rules=rules)


#: The cells and costs of the table whose journals are damaged.
_ROWS = [[int(3 * (row + 1) * (column + 2) % 7 < 3) for column in range(9)] for row in range(14)]
_COSTS = [2, 3, 4, 5, 2, 3, 4, 5, 6]


@cache
def _journal_table() -> Table:
    return Table.from_arrays(_ROWS, costs=_COSTS)


@cache
def sound_table_journal() -> bytes:
    """A journal of a run that was stopped, with rows of every sort: bounds, what was noted of sets, a key."""
    table = _journal_table()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "journal")
        identify(table, journal=path)
        with closing(JournalFile(path)) as file:
            known = [
                OpenerRecord(NO_CAP, place, name, 20, False, "0") for place, name in enumerate(table.questions[:3])
            ]
            notes = [Note(((one.place, 0),), None, 5, 0, 0, 65535, 0) for one in known]
            trees = Contents(file.path, file.records).trees.values()
            records = [*map(record_of, known), *(record_of(tree._replace(canonical=False)) for tree in trees)]
            file.append([*records, *(record_of_note(NO_CAP, note) for note in notes)])
        return Path(path).read_bytes()


@cache
def sound_journal() -> bytes:
    """A journal of several runs, with what was imported from a ledger."""
    game = _journal_game()
    with tempfile.TemporaryDirectory() as folder:
        path, ranked, ledger = (str(Path(folder) / name) for name in ("journal", "ranked", "ledger.xz"))
        rank(game, all_openers=True, journal=ranked)
        export_ledger(ranked, ledger)
        import_ledger(game, ledger, path)
        rank(game, top=2, journal=path)
        solve(game, journal=path)
        return Path(path).read_bytes()


def damaged_records(rng: random.Random, data: bytes) -> bytes:
    """The journal with a number or the bytes in a record changed, or the record gone, its checksum right."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        path.write_bytes(data)
        try:
            found = read_journal(str(path))
            records = [list(record) for record in found.records]
            record = records.pop(rng.randrange(len(records)))
            if rng.random() < 0.8:
                numbers = [at for at, value in enumerate(record) if isinstance(value, int | bytes)]
                at = rng.choice(numbers)
                value = changed(rng, record[at])
                if type(value) is type(record[at]) and (isinstance(value, bytes) or 0 <= value <= INFEASIBLE):
                    record[at] = value
                records.insert(rng.randrange(len(records) + 1), record)
            path.write_bytes(found.head)
            with closing(JournalFile(str(path))) as file:
                file.append([tuple(record) for record in records])
            return path.read_bytes()
        except (OptimalError, IndexError, TypeError, ValueError, OverflowError):
            return scratched(rng, data)  # damaged too much already, or not to be written
