"""Certificates of keys in tests: random tables with what is asked of them, and their value by the textbook."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from certificates_util import by_c, by_python, mutated, numbers_of, stream_in
from tables_util import plain, random_parts, random_varying, table_of
from textbook_tables import Textbook

from optimal import identify
from optimal.certificates.checker import Report
from optimal.certificates.file import encode, table_sha256
from optimal.certificates.key_checker import KeyTheorem
from optimal.certificates.key_prover import KeyStatement, certify_key
from optimal.certificates.reading import KEY_MAGIC, MERGED_MAGIC


@dataclass
class KeySample:
    """A random table, what is claimed of it, the value by the textbook, and the certificate."""

    said: KeyStatement
    stream: bytes


def random_statement(rng: random.Random) -> KeyStatement:
    """A random question about a random table, with what the textbook and the search say."""
    varies = rng.random() < 0.3  # and so objects share forms
    table = random_varying(rng, 3).table() if varies else table_of(random_parts(rng, rng.choice([8, 8, 11])))
    limit, purse = rng.choice([None, None, rng.randint(0, 6)]), rng.choice([None, None, None, rng.randint(0, 20)])
    objective, asked = rng.choice(["mean", "worst"]), range(len(table.questions))
    openers = None if rng.random() < 0.7 else tuple(sorted(rng.sample(asked, rng.randint(1, len(asked)))))
    want = Textbook(table).solve(limit, objective, openers, purse)
    names = None if openers is None else [table.questions[opener] for opener in openers]
    key = identify(table, objective=objective, limit=limit, cost_limit=purse, first=names).key
    value = () if want is None else want.value
    return KeyStatement(table, limit, purse, openers, objective, value, None if key is None else key.root)


def random_key_sample(rng: random.Random, folder: Path) -> KeySample:
    """A random question with its certificate."""
    said = random_statement(rng)
    certify_key(said, folder / "sample.xz")
    return KeySample(said, stream_in(folder / "sample.xz"))


def table_in(numbers: Sequence[int]) -> tuple[list[int], list[int], list[int], list[list[int]]]:
    """The costs, weights, groups and replies of the table that a certificate begins with; nothing where there is no
    table."""
    parts: list[list[int]] = []
    questions, variants = numbers[:2] if len(numbers) > 1 else (0, 0)
    at = 2
    if max(questions, variants) < len(numbers):
        for length in (questions, variants, variants, *[variants] * questions):
            parts.append(list(numbers[at : at + length]))
            at += length
    costs, weights, groups, *codes = parts or ([], [], [])
    return costs, weights, groups, codes


def is_merged(numbers: Sequence[int]) -> bool:
    """Whether two kinds of a certificate's table are of the same several groups."""
    _, _, groups, codes = table_in(numbers)
    held: dict[tuple[int, ...], set[int]] = {}
    for form, group in zip(zip(*codes, strict=False), groups, strict=False):
        held.setdefault(form, set()).add(group)
    several = [frozenset(own) for own in held.values() if len(own) > 1]
    return len(set(several)) < len(several)


def packed_key(numbers: Sequence[int], *, other_version: bool = False) -> bytes:
    """A certificate of these integers, not compressed, of the version that its table takes, or of the other."""
    return (KEY_MAGIC if is_merged(numbers) == other_version else MERGED_MAGIC) + encode(numbers)


def claims_begin(numbers: Sequence[int]) -> int:
    """The place of the number of claims among the integers of a certificate."""
    questions, variants = numbers[:2]
    at = 2 + questions + 2 * variants + questions * variants + 2
    at += 1 + numbers[at] + 1
    values = numbers[at]
    at += 1 + values
    nodes = 1 if values else 0
    while nodes:
        branches = numbers[at + 1] if numbers[at] else 0
        nodes += branches - 1
        at += 2 if branches else 1
        if nodes:  # the reply that leads to the next
            at += 1
    return at


def mutated_key(rng: random.Random, numbers: list[int]) -> bytes:
    """The certificate with one change at a random place, most often in a claim, if it has any; or of the other
    version."""
    if rng.random() < 0.02:
        return packed_key(numbers, other_version=True)
    begin = claims_begin(numbers)
    return mutated(rng, numbers, begin if begin + 1 < len(numbers) else 0, packed_key)


def theorem_is_true(stream: bytes, report: Report) -> bool:
    """Whether the theorem that a certificate is said to prove is true by the textbook: of its own table."""
    theorem = report.theorem
    assert isinstance(theorem, KeyTheorem)
    costs, weights, groups, codes = table_in(numbers_of(stream))
    named = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    table = plain(codes, weights=weights, costs=costs, groups=[named[group] for group in groups])
    found = Textbook(table).solve(theorem.limit, theorem.objective, theorem.openers, theorem.cost_limit)
    return theorem.value == (() if found is None else found.value)


def check_table(seed: int, folder: Path, program: Path, mutations: int) -> int:
    """The same as `check_game` of a random table."""
    rng = random.Random(seed)
    sample = random_key_sample(rng, folder)
    report = by_python(sample.stream)
    assert report.problems == [], seed
    theorem, said = report.theorem, sample.said
    assert isinstance(theorem, KeyTheorem)
    assert (theorem.value, theorem.limit, theorem.cost_limit) == (said.value, said.limit, said.cost_limit), seed
    assert (theorem.objective, theorem.openers) == (said.objective, said.openers), seed
    assert theorem.table_sha256 == table_sha256(said.table), seed
    assert theorem_is_true(sample.stream, report), seed
    ok, line = by_c(program, sample.stream)
    assert ok, (seed, line)
    assert f" ({report.claims} claims, {report.steps} steps)" in line, seed
    assert theorem.table_sha256 in line, seed
    rejected = 0
    for step in range(mutations):
        stream = mutated_key(rng, numbers_of(sample.stream))
        changed = by_python(stream)
        assert changed.ok == by_c(program, stream)[0], (seed, step, changed)
        assert not changed.ok or theorem_is_true(stream, changed), (seed, step, changed.theorem)
        rejected += not changed.ok
    return rejected
