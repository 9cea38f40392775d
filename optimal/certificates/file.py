"""Certificate files: a stream of unsigned integers, in xz. docs/reference/certificates.md describes the format."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optimal.certificates.board import NONE, Integers
from optimal.certificates.reading import MAGIC

if TYPE_CHECKING:
    from optimal.tables.table import Table

#: Integers of a section, about: few enough to keep several jobs busy.
_SECTION = 20_000


@dataclass
class Width:
    """A set: the answers of its parent (an earlier width; -1 for none) whose feedback to `guess` is one of `codes`.

    ``most`` bounds the classes of every guess on it, one more for a member.
    """

    parent: int
    guess: int
    codes: list[int]
    answers: Integers
    most: int


@dataclass
class Lemma:
    """An encoded claim on any set with this many guesses left, all of them legal. Others refer to it by number."""

    left: int
    answers: Integers
    claim: bytes


@dataclass
class Item:
    """A class of an opener, in the set of a width.

    ``proof`` is what the file has of it: 0, where the counts of the width are enough; 1 and a claim; or 2 and the
    number of a lemma. ``claims`` is the number of claims in it.
    """

    opener: int
    code: int
    width: int
    proof: bytes = b"\0"
    claims: int = 0


@dataclass
class Proof:
    """A proof that no tree from the start costs less than the target within the limit.

    The first width is the set of all answers. ``alike`` has openers that cost the same as another: opener, other, and
    the places and names of the map from one to the other.
    """

    lemmas: list[Lemma]
    widths: list[Width]
    items: list[Item]
    alike: list[tuple[int, ...]]


def to_bytes(statement: Iterable[int], proofs: Sequence[Proof]) -> bytes:
    """Return the bytes of a certificate of a game; equal certificates give equal bytes."""
    return lzma.compress(MAGIC + encode(statement) + b"".join(map(_proof, proofs)), preset=6)


def encode(numbers: Iterable[int]) -> bytes:
    """Return these integers in the encoding of certificates: seven bits a byte, lowest first, the eighth bit set if
    more bytes follow."""
    out = bytearray()
    for number in numbers:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out)


def claim_bytes(target: int, listed: Sequence[tuple[int, Sequence[tuple[int, bytes]]]] = ()) -> bytes:
    """Return the claim that no tree costs less than `target` (NONE: that there is no tree).

    ``listed`` has each guess that counting doesn't settle, with claims on its classes by rising code, each encoded: 0
    and the claim, or a reference to an earlier one.
    """
    out = [encode([0 if target >= NONE else target, len(listed)])]
    for guess, parts in listed:
        out.append(encode([guess, len(parts)]))
        for code, part in parts:
            out += [encode([code]), part]
    return b"".join(out)


def table_numbers(table: Table) -> list[int]:
    """Return a table of questions as encoded in certificates of keys."""
    numbers = [len(table.questions), table.variants, *table.costs.tolist(), *table.weights.tolist()]
    return [*numbers, *table.group_of.tolist(), *table.codes.reshape(-1).tolist()]


def table_sha256(table: Table) -> str:
    """Return the hash by which a certificate's theorem names the table."""
    return hashlib.sha256(encode(table_numbers(table))).hexdigest()


def _proof(proof: Proof) -> bytes:
    sections = list(_sections(proof))
    out = [encode([len(proof.lemmas)])]
    for lemma in proof.lemmas:
        out += [encode([lemma.left, len(lemma.answers), *lemma.answers.tolist()]), lemma.claim]
    out.append(encode([len(sections)]))
    for section in sections:
        out += [encode([_integers(section)]), section]
    return b"".join([*out, encode([len(proof.alike)]), *map(encode, proof.alike)])


def _sections(proof: Proof) -> Iterator[bytes]:
    """Yield parts of the body of the first width, each a body of its own: items, then widths."""
    items: list[list[bytes]] = [[] for _ in proof.widths]
    for item in sorted(proof.items, key=lambda item: (item.opener, item.code)):
        items[item.width].append(encode([item.opener, item.code]) + item.proof)
    within: list[list[bytes]] = [[] for _ in proof.widths]  # the last first
    for number in range(len(proof.widths) - 1, 0, -1):
        if items[number] or within[number]:
            width = proof.widths[number]
            head = encode([width.guess, len(width.codes), *width.codes, width.most])
            within[width.parent].append(head + _body(items[number], within[number][::-1]))
    *full, rest = _groups(items[0])
    for group in full:
        yield _body(group, [])
    for group in _groups(within[0][::-1]):
        if rest or group:
            yield _body(rest, group)
        rest = []


def _groups(parts: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield these parts in groups of some more than `_SECTION` integers; the last is the rest, which may be empty."""
    group: list[bytes] = []
    room = 0
    for part in parts:
        group.append(part)
        room += _integers(part)
        if room > _SECTION:
            yield group
            group, room = [], 0
    yield group


def _integers(data: bytes) -> int:
    """Return the number of integers in these bytes."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) < 128))


def _body(items: list[bytes], widths: list[bytes]) -> bytes:
    return b"".join([encode([len(items)]), *items, encode([len(widths)]), *widths])
