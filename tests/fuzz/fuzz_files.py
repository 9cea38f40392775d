"""Hostile files for the fuzzer: trees and journals, damaged byte by byte or by someone who knows the format."""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
import tracemalloc
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import msgpack
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


def check_file(rng: random.Random) -> None:
    """A tree file with some damage: it is refused by an OptimalError, or is a tree that verify judges."""
    data = rng.choice(sound_files())
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = damaged(rng, data)
    story = f"from_bytes(bytes.fromhex({data.hex()!r}))"
    started = time.process_time()
    tracemalloc.start()
    try:
        tree = from_bytes(data)
        assert to_bytes(tree) == data, story
        seen = verify_tree(tree, scorer=None if tree.game.feedback else matrix_score_of_any)
        assert all([seen.claim, repr(tree), export_text(tree), str(export_json(tree))]), story
        Player(tree)
    except Exception as error:
        if not isinstance(error, OptimalError) or "\n" in str(error):
            raise AssertionError(story) from error
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most <= MOST_BYTES + 40 * len(data), story
    assert time.process_time() - started <= MOST_SECONDS, story


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
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        name = rng.choice((key, key, key, "more", "total", f"{key}s", 5, b"tree", None))
        inside = changed(rng, value[key]) if name == key else value[key]
        return {name if k == key else k: inside if k == key else v for k, v in value.items()}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at, there = rng.randrange(len(value)), rng.randrange(len(value))
        one = changed(rng, value[at])
        put = rng.choice(([one], [one], [one], [], [value[there], value[at]], value[there:], 50 * [value[at]]))
        return [*value[:at], *put, *value[at + 1 :]]
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


def check_journal(rng: random.Random) -> None:
    """A journal with some damage: it is refused by an OptimalError, or taken up."""
    of_table = rng.random() < 0.5
    data = sound_table_journal() if of_table else sound_journal()
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = damaged_records(rng, data) if rng.random() < 0.7 else scratched(rng, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        path.write_bytes(data)
        try:
            if of_table:
                identify(_journal_table(), journal=str(path))
            else:
                rank(_journal_game(), all_openers=True, journal=str(path))
                solve(_journal_game(), journal=str(path))
        except Exception as error:
            if not isinstance(error, OptimalError) or "\n" in str(error):
                raise AssertionError(data.hex()) from error


@cache
def _journal_game() -> Game:
    words = [letter + "ight" for letter in "flmnrste"]
    return Game.from_words(words, words)


@cache
def _journal_table() -> Table:
    rows = [[int(3 * (row + 1) * (column + 2) % 7 < 3) for column in range(9)] for row in range(14)]
    return Table.from_arrays(rows, costs=[2, 3, 4, 5, 2, 3, 4, 5, 6])


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
