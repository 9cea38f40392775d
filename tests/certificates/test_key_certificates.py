"""Certificates of keys: both checkers take those of random tables, and no false one."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from certificates_util import by_c, by_python
from cli_util import run, run_json
from key_certificates_util import check_table, packed_key, random_statement
from tables_util import plain, table_of

from optimal import Table, identify
from optimal.certificates.key_prover import KeyStatement, certify_key
from optimal.errors import InputError

MUTATIONS = 12


@pytest.mark.parametrize("part", range(4))
def test_random_tables_and_mutations(part: int, tmp_path: Path, program: Path) -> None:
    for seed in range(15 * part, 15 * part + 15):
        check_table(seed, tmp_path, program, MUTATIONS)


def test_what_costs_less_is_not_proven_more(tmp_path: Path) -> None:
    """The prover makes no certificate of one more than the value, nor of a dearer worst path."""
    for seed in range(500, 530):
        said = random_statement(random.Random(seed))
        if not said.value:
            continue
        more = [(*said.value[:-1], said.value[-1] + 1)]
        if said.objective == "worst" and said.value[0]:
            more.append((said.value[0] + 1, said.value[1]))
        for value in more:
            with pytest.raises(InputError, match="the claim is false"):
                certify_key(replace(said, value=value), tmp_path / "false.xz")


@pytest.mark.slow
def test_a_key_as_deep_as_it_has_kinds(program: Path) -> None:
    """It takes the checkers' stack no further."""
    many = 1020  # more than Python calls within each other
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
    assert f"certificate written to {proof}: 0 claims" in done.out
    assert json.loads(run(tmp_path, "certify", key, "--output", again, "--json").out)["claims"] == 0
    assert Path(proof).read_bytes() == Path(again).read_bytes()
    done = run(tmp_path, "check", proof, "--key", key)
    assert done.status == 0
    assert "least cost of the dearest path is 5" in " ".join(done.out.split())
    assert f"The table and its key are those of {key}." in " ".join(done.out.split())
    no_key = ("identify", "guess-who", "--limit", "4", "--certificate", proof, "--openers", "woman")
    assert run(tmp_path, *no_key).status == 1
    assert "none tells apart what must be told apart" in " ".join(run(tmp_path, "check", proof).out.split())


def test_another_key_is_seen(tmp_path: Path) -> None:
    key, other, proof = (str(tmp_path / name) for name in ("one.key", "other.key", "proof.xz"))
    assert run(tmp_path, "identify", "birds", "-o", key, "--certificate", proof).status == 0
    assert run(tmp_path, "identify", "birds", "-o", other, "--limit", "5").status == 0
    said = run_json(tmp_path, "check", proof, "--key", other, status=1)
    problem = f"it is about something else than {other}: limit differs"
    assert (said["problems"], said["claims"]) == ([problem], 0)  # no claim was checked in vain
    assert run(tmp_path, "solve", "mastermind:2x2", "-o", str(tmp_path / "t"), "--certificate", proof).status == 0
    done = run(tmp_path, "check", proof, "--key", key)
    assert (done.status, "it is about a game" in " ".join(done.out.split())) == (1, True)
