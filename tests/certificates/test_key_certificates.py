"""Certificates of keys: both checkers take those of random tables, and no false one."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from certificates_util import by_c, by_python, compiled, numbers_of, stream_in
from cli_util import run
from key_certificates_util import (
    claims_begin,
    mutated_key,
    packed_key,
    random_key_sample,
    random_statement,
    theorem_is_true,
)
from tables_util import plain, random_varying, table_of

from optimal import Key, Table, identify
from optimal.certificates.file import table_sha256
from optimal.certificates.key_prover import KeyStatement, certify_key
from optimal.certificates.keys import KeyTheorem
from optimal.certificates.reading import KEY_MAGIC, MERGED_MAGIC
from optimal.errors import InputError

MUTATIONS = 12


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    return compiled(tmp_path_factory.mktemp("checker"))


@pytest.mark.parametrize("part", range(4))
def test_random_tables_and_mutations(part: int, tmp_path: Path, program: Path) -> None:
    for seed in range(15 * part, 15 * part + 15):
        rng = random.Random(seed)
        sample = random_key_sample(rng, tmp_path)
        report = by_python(sample.stream)
        assert report.problems == [], seed
        theorem = report.theorem
        assert isinstance(theorem, KeyTheorem)
        said = sample.said
        assert (theorem.value, theorem.limit, theorem.cost_limit) == (said.value, said.limit, said.cost_limit), seed
        assert (theorem.objective, theorem.openers) == (said.objective, said.openers), seed
        assert theorem.table_sha256 == table_sha256(said.table), seed
        assert theorem_is_true(sample.stream, report), seed
        ok, line = by_c(program, sample.stream)
        assert ok, (seed, line)
        assert f" ({report.claims} claims, {report.steps} steps)" in line, seed
        assert theorem.table_sha256 in line, seed
        for step in range(MUTATIONS):
            stream = mutated_key(rng, numbers_of(sample.stream))
            changed = by_python(stream)
            assert changed.ok == by_c(program, stream)[0], (seed, step, changed)
            assert not changed.ok or theorem_is_true(stream, changed), (seed, step, changed.theorem)


@pytest.mark.parametrize("part", range(4))
def test_random_tables_that_vary(part: int, tmp_path: Path, program: Path) -> None:
    """What is proven of objects that share forms is what a search over objects finds, which knows nothing of forms."""
    merged = 0
    for seed in range(12 * part, 12 * part + 12):
        rng = random.Random(seed)
        varying, limit = random_varying(rng, 3), rng.choice([None, None, 1, 2])
        table, want = varying.table(), varying.least(limit)
        key = identify(table, limit=limit).key
        assert (None if key is None else key.mean) == want
        value, root = ((), None) if key is None else (key.value, key.root)
        certify_key(KeyStatement(table, limit, None, None, "mean", value, root), tmp_path / "key.xz")
        stream = stream_in(tmp_path / "key.xz")
        report = by_python(stream)
        assert report.problems == [], seed
        assert report.theorem is not None
        assert report.theorem.value == value, seed
        assert by_c(program, stream)[0], seed
        forms = {
            (tuple(column), int(one)) for column, one in zip(table.codes.T.tolist(), table.outcome_of, strict=True)
        }
        several = [one for _, one in forms if len(table.outcomes[one]) > 1]
        is_merged = len(set(several)) < len(several)
        assert stream.startswith(MERGED_MAGIC if is_merged else KEY_MAGIC), seed
        swapped = packed_key(numbers_of(stream), other_version=True)
        assert "takes version" in by_python(swapped).problems[0], seed
        merged += is_merged
    assert merged > 3


def test_what_costs_less_is_not_proven_more(tmp_path: Path, program: Path) -> None:
    """The prover makes no certificate of one more than the value, and checkers take no such claim."""
    claimed = 0
    for seed in range(500, 530):
        said = random_statement(random.Random(seed))
        if not said.value:
            continue
        more = replace(said, value=(*said.value[:-1], said.value[-1] + 1))
        with pytest.raises(InputError, match="the claim is false"):
            certify_key(more, tmp_path / "false.xz")
        if said.objective == "worst" and said.value[0]:
            # That the dearest path costs more.
            with pytest.raises(InputError, match="the claim is false"):
                certify_key(replace(said, value=(said.value[0] + 1, said.value[1])), tmp_path / "false.xz")
        if said.objective == "worst" or said.openers is not None:
            continue
        certify_key(said, tmp_path / "true.xz")
        numbers = numbers_of(stream_in(tmp_path / "true.xz"))
        at = claims_begin(numbers)
        kinds = len({tuple(column) for column in said.table.codes.T.tolist()})
        limits = [0 if limit is None else limit + 1 for limit in (said.limit, said.cost_limit)]
        for target, right in ((said.value[0], True), (said.value[0] + 1, False)):
            claim = [*limits, target, kinds, *[0] * kinds]
            stream = packed_key([*numbers[:at], numbers[at] + 1, *numbers[at + 1 :], *claim])
            if right and not target:
                continue  # that would say none
            report = by_python(stream)
            right = right and "need not be told apart" not in str(report)
            assert report.ok == by_c(program, stream)[0] == right, (seed, target, report)
            claimed += right
    assert claimed > 5


def test_certificates_of_shipped_tables(tmp_path: Path, program: Path) -> None:
    birds = Table.from_csv("birds", cost_row="effort", weight_column="seen", group_column="group")
    car = Table.from_csv("car", cost_row="minutes", weight_column="often")
    made = [Table.from_csv(name) for name in ("guess-who", "sorting:5", "coins:5")]
    for table in (birds, car, *made):
        for objective in ("mean", "worst"):
            key = identify(table, objective=objective).key
            assert key is not None
            certify_key(key, tmp_path / "key.xz")
            stream = stream_in(tmp_path / "key.xz")
            report = by_python(stream)
            assert isinstance(report.theorem, KeyTheorem)
            assert (report.problems, report.theorem.value) == ([], key.value)
            assert by_c(program, stream)[0]


@pytest.mark.slow
def test_a_key_as_deep_as_it_has_kinds(program: Path) -> None:
    """It takes the checkers' stack no further."""
    many = 1200
    codes = [int(question == kind) for question in range(many - 1) for kind in range(many)]
    key = [number for question in range(1, many) for number in (question, 2, 0)]
    key += [0, *[number for _ in range(1, many) for number in (1, 0)]]
    numbers = [many - 1, many, *[1] * (many - 1), 1, *[0] * (many - 1), *range(many), *codes, 0, 0, 0, 0, 1, 1, *key, 0]
    assert by_python(packed_key(numbers)).problems == []
    assert by_c(program, packed_key(numbers))[0]


def test_what_is_not_covered_is_said(tmp_path: Path) -> None:
    key = identify(Table.from_csv("guess-who")).key
    assert key is not None
    with pytest.raises(InputError, match="FEASIBLE, not OPTIMAL"):
        certify_key(replace(key, status="FEASIBLE"), tmp_path / "key.xz")
    heavy = table_of(plain([[0, 1]], weights=[2**58, 1]))
    with pytest.raises(InputError, match="certificates cover sums of weights times costs below"):
        certify_key(KeyStatement(heavy, 0, None, None, "mean", (), None), tmp_path / "key.xz")


# Commands


def test_identify_certify_and_check(tmp_path: Path) -> None:
    key, proof, again = (str(tmp_path / name) for name in ("who.key", "proof.xz", "again.xz"))
    done = run(tmp_path, "identify", "guess-who", "--objective", "worst", "-o", key, "--certificate", proof)
    assert done.status == 0
    assert f"certificate written to {proof}: 0 claims" in done.out
    done = run(tmp_path, "certify", key, "--output", again, "--json")
    assert done.status == 0
    assert json.loads(done.out)["claims"] == 0
    assert Path(proof).read_bytes() == Path(again).read_bytes()
    done = run(tmp_path, "check", proof, "--key", key)
    assert done.status == 0
    assert "least cost of the dearest path is 5" in " ".join(done.out.split())
    assert f"The table and its key are those of {key}." in " ".join(done.out.split())
    claim = json.loads(run(tmp_path, "check", proof, "--json").out)["claim"]
    assert claim == {
        "kind": "table",
        "objective": "worst",
        "total": 112,
        "limit": None,
        "cost_limit": None,
        "openers": None,
        "value": [5, 112],
        "questions": 20,
        "variants": 24,
        "table_sha256": table_sha256(Key.load(key).table),
    }


def test_another_key_is_seen(tmp_path: Path) -> None:
    key, other, proof = (str(tmp_path / name) for name in ("one.key", "other.key", "proof.xz"))
    assert run(tmp_path, "identify", "coins:4", "-o", key, "--certificate", proof).status == 0
    assert run(tmp_path, "identify", "coins:4", "-o", other, "--limit", "3").status == 0
    done = run(tmp_path, "check", proof, "--key", other)
    assert (done.status, "limit differ" in " ".join(done.out.split())) == (1, True)
    assert run(tmp_path, "solve", "mastermind:2x2", "-o", str(tmp_path / "t"), "--certificate", proof).status == 0
    done = run(tmp_path, "check", proof, "--key", key)
    assert (done.status, "it is about a game" in " ".join(done.out.split())) == (1, True)


def test_that_there_is_no_key(tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.xz")
    assert (
        run(tmp_path, "identify", "guess-who", "--limit", "4", "--certificate", proof, "--openers", "woman").status == 1
    )
    done = run(tmp_path, "check", proof)
    assert done.status == 0
    assert "none tells apart what must be told apart" in " ".join(done.out.split())
