"""Certificates as files: one stream of unsigned integers, in xz. docs/certificate.md tells the format."""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Sequence

from optimal.certificates.board import NONE, WORDS
from optimal.certificates.claims import Claim, Item, Proof, Statement, Width

MAGIC = b"optimal-certificate 1\n"
#: Integers of a section, about: as many as keep several jobs busy.
_SECTION = 20_000


def to_bytes(statement: Statement, proofs: Sequence[Proof]) -> bytes:
    """The file's bytes; equal certificates give equal bytes."""
    return pack([*_statement(statement), *(number for proof in proofs for number in _proof(proof))])


def pack(numbers: Iterable[int]) -> bytes:
    """These integers as a certificate's file has them: seven bits a byte, the lowest first, the eighth bit set where
    more bytes follow."""
    out = bytearray(MAGIC)
    for number in numbers:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return lzma.compress(bytes(out), preset=6)


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


def _proof(proof: Proof) -> list[int]:
    sections = list(_sections(proof))
    numbers = [len(proof.lemmas)]
    for lemma in proof.lemmas:
        numbers += [lemma.left, len(lemma.answers), *lemma.answers.tolist(), *_claim(lemma.claim)]
    numbers.append(len(sections))
    for section in sections:
        numbers += [len(section), *section]
    numbers.append(len(proof.alike))
    for like in proof.alike:
        numbers += [like.opener, like.other, *like.places, *like.names]
    return numbers


def _sections(proof: Proof) -> Iterable[list[int]]:
    """Parts of the body of the first width, each a body of its own: items, then widths."""
    items: list[list[Item]] = [[] for _ in proof.widths]
    for item in sorted(proof.items, key=lambda item: (item.opener, item.code)):
        items[item.width].append(item)
    children: list[list[int]] = [[] for _ in proof.widths]
    for number, width in enumerate(proof.widths):
        if width.parent >= 0:
            children[width.parent].append(number)
    below: list[list[int]] = [[] for _ in proof.widths]
    for number in range(len(proof.widths) - 1, 0, -1):
        kept = [below[child] for child in children[number] if below[child]]
        if items[number] or kept:
            head = _width(proof.widths[number])
            below[number] = [*head, *_body([_item(item) for item in items[number]], kept)]
    mine: list[list[int]] = []
    for part in (_item(item) for item in items[0]):
        mine.append(part)
        if sum(map(len, mine)) > _SECTION:
            yield _body(mine, [])
            mine = []
    kept = []
    for child in children[0]:
        if below[child]:
            kept.append(below[child])
        if sum(map(len, kept)) > _SECTION:
            yield _body(mine, kept)
            mine, kept = [], []
    if mine or kept:
        yield _body(mine, kept)


def _width(width: Width) -> list[int]:
    return [width.guess, len(width.codes), *width.codes, width.most]


def _body(items: list[list[int]], widths: list[list[int]]) -> list[int]:
    numbers = [len(items)]
    for item in items:
        numbers += item
    numbers.append(len(widths))
    for width in widths:
        numbers += width
    return numbers


def _item(item: Item) -> list[int]:
    if item.claim is None:
        return [item.opener, item.code, 0]
    if isinstance(item.claim, tuple):
        return [item.opener, item.code, 2, *item.claim]
    return [item.opener, item.code, 1, *_claim(item.claim)]


def _claim(claim: Claim) -> list[int]:
    numbers = [0 if claim.target >= NONE else claim.target, len(claim.listed)]
    for guess, parts in claim.listed:
        numbers += [guess, len(parts)]
        for code, part in parts:
            numbers += [code, *part] if isinstance(part, tuple) else [code, 0, *_claim(part)]
    return numbers
