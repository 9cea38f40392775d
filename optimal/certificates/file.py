"""Certificate files: a stream of unsigned integers, in xz. docs/certificate.md describes the format."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optimal.certificates.board import NONE, WORDS
from optimal.certificates.claims import Claim, Item, Proof, Statement, Width, Written
from optimal.certificates.reading import MAGIC

if TYPE_CHECKING:
    from optimal.tables.table import Table

#: Integers of a section, about: few enough to keep several jobs busy.
_SECTION = 20_000


def to_bytes(statement: Statement, proofs: Sequence[Proof]) -> bytes:
    """Return the file's bytes; equal certificates give equal bytes."""
    return lzma.compress(MAGIC + encode(_statement(statement)) + b"".join(map(_proof, proofs)), preset=6)


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


def table_numbers(table: Table) -> list[int]:
    """Return a table of questions as encoded in certificates of keys."""
    numbers = [len(table.questions), table.variants, *table.costs.tolist(), *table.weights.tolist()]
    return [*numbers, *table.group_of.tolist(), *table.codes.reshape(-1).tolist()]


def table_sha256(table: Table) -> str:
    """Return the hash by which a certificate's theorem names the table."""
    return hashlib.sha256(encode(table_numbers(table))).hexdigest()


def written(item: Item) -> Item:
    """Return the item with its claim encoded."""
    if not isinstance(item.claim, Claim):
        return item
    return replace(item, claim=Written(encode(_claim(item.claim)), _claims(item.claim)))


def _claims(claim: Claim) -> int:
    """Return the number of claims in a claim."""
    return 1 + sum(_claims(part) for _, parts in claim.listed for _, part in parts if isinstance(part, Claim))


def _integers(data: bytes) -> int:
    """Return the number of integers in these bytes."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) < 128))


def _statement(said: Statement) -> list[int]:
    numbers = [said.kind, *said.size]
    if said.kind == WORDS:
        numbers += [len(said.words), *(ord(letter) for word in said.words for letter in word)]
        numbers += [len(said.answers), *said.answers]
    for digest in said.sha256:
        numbers += digest
    numbers += [said.rules, said.limit, said.worst, len(said.value), *said.value]
    if said.value:
        numbers += [len(said.tree), *said.tree]
    return numbers


def _proof(proof: Proof) -> bytes:
    sections = list(_sections(proof))
    out = [encode([len(proof.lemmas)])]
    for lemma in proof.lemmas:
        out.append(encode([lemma.left, len(lemma.answers), *lemma.answers.tolist(), *_claim(lemma.claim)]))
    out.append(encode([len(sections)]))
    for section in sections:
        out += [encode([_integers(section)]), section]
    out.append(encode([len(proof.alike)]))
    for like in proof.alike:
        out.append(encode([like.opener, like.other, *like.places, *like.names]))
    return b"".join(out)


def _sections(proof: Proof) -> Iterable[bytes]:
    """Yield parts of the body of the first width, each a body of its own: items, then widths."""
    items: list[list[bytes]] = [[] for _ in proof.widths]
    for item in sorted(proof.items, key=lambda item: (item.opener, item.code)):
        items[item.width].append(_item(item))
    children: list[list[int]] = [[] for _ in proof.widths]
    for number, width in enumerate(proof.widths):
        if width.parent >= 0:
            children[width.parent].append(number)
    below = [b""] * len(proof.widths)
    for number in range(len(proof.widths) - 1, 0, -1):
        kept = [below[child] for child in children[number] if below[child]]
        if items[number] or kept:
            below[number] = _width(proof.widths[number]) + _body(items[number], kept)
    mine: list[bytes] = []
    room = 0
    for part in items[0]:
        mine.append(part)
        room += _integers(part)
        if room > _SECTION:
            yield _body(mine, [])
            mine, room = [], 0
    kept = []
    room = 0
    for child in children[0]:
        if below[child]:
            kept.append(below[child])
            room += _integers(below[child])
        if room > _SECTION:
            yield _body(mine, kept)
            mine, kept, room = [], [], 0
    if mine or kept:
        yield _body(mine, kept)


def _width(width: Width) -> bytes:
    return encode([width.guess, len(width.codes), *width.codes, width.most])


def _body(items: list[bytes], widths: list[bytes]) -> bytes:
    return b"".join([encode([len(items)]), *items, encode([len(widths)]), *widths])


def _item(item: Item) -> bytes:
    head = [item.opener, item.code]
    if item.claim is None:
        return encode([*head, 0])
    if isinstance(item.claim, tuple):
        return encode([*head, 2, *item.claim])
    claim = encode(_claim(item.claim)) if isinstance(item.claim, Claim) else item.claim.data
    return encode([*head, 1]) + claim


def _claim(claim: Claim) -> list[int]:
    numbers = [0 if claim.target >= NONE else claim.target, len(claim.listed)]
    for guess, parts in claim.listed:
        numbers += [guess, len(parts)]
        for code, part in parts:
            numbers += [code, *part] if isinstance(part, tuple) else [code, 0, *_claim(part)]
    return numbers
