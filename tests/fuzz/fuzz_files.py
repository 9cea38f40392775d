"""Hostile tree files for the fuzzer: damaged byte by byte or by someone who knows the format."""

from __future__ import annotations

import hashlib
import random
import time
import tracemalloc
from functools import cache
from typing import Any

import msgpack
from trees_util import labelled_tree, matrix_score, matrix_tree, peg_tree, word_tree

from optimal.errors import OptimalError
from optimal.games.feedback import BullsFeedback, PegFeedback
from optimal.games.rules import Rules
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
