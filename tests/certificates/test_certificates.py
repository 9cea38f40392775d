"""Certificates: small random games in every rule against the textbook, both checkers, mutations, and every bad file."""

from __future__ import annotations

import json
import lzma
import os
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from certificates_util import (
    HELPED_ITEM,
    HELPED_TREE,
    HELPER,
    Question,
    by_c,
    by_python,
    check_game,
    families,
    helped,
    items,
    packed,
    proof_begins,
    proof_of,
    random_peg_question,
    random_question,
    stream_in,
    word_game,
)
from cli_util import run

from optimal import Game, InputError, solve
from optimal.certificates import widths
from optimal.certificates.board import NONE, Board
from optimal.certificates.certify import certify, certify_none
from optimal.certificates.checker import MOST_NESTED, check
from optimal.certificates.file import encode
from optimal.certificates.reading import MAGIC, MOST_STREAM, Reader, read_stream
from optimal.certificates.statement import read_game, read_theorem
from optimal.games.feedback import feedback_of
from optimal.games.presets import preset_of
from optimal.games.resources import certificate_file
from optimal.games.rules import Rules

#: Random games, and mutations of each one's certificate. tests/certificates/mutate_certificates.py makes many more.
GAMES, MUTATIONS = 96, 3
SHARES = 8
PEG_GAMES = 16


@pytest.mark.parametrize(
    ("games", "question"),
    [
        *((range(share, GAMES, SHARES), random_question) for share in range(SHARES)),
        (range(PEG_GAMES), random_peg_question),
    ],
)
def test_random_games_and_mutations(games: range, question: Question, tmp_path: Path, program: Path) -> None:
    rejected = sum(check_game(seed, tmp_path, program, MUTATIONS, question) for seed in games)
    assert rejected > 0.9 * MUTATIONS * len(games)


def test_one_answer(tmp_path: Path, program: Path) -> None:
    """The least worst case is 1: that no guess is too few has to be shown too."""
    game = Game.from_words(["aa", "ab"], ["ab"])
    tree = solve(game, objective="worst").tree
    assert tree is not None
    certify(tree, game, tmp_path / "one.xz")
    stream = stream_in(tmp_path / "one.xz")
    assert by_python(stream).ok
    assert by_c(program, stream)[0]


@pytest.mark.long
def test_widths(tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets that classes of several openers share, here where they would hardly pay."""
    for name, value in {"_LEAST": 4, "_USES": 2, "_TOUCHES": 2, "_OPENERS": 8, "_ANSWERS": 20}.items():
        monkeypatch.setattr(widths, name, value)
    everything = Game.preset("classic")
    for seed, rules in enumerate(Rules):
        chosen = [word for word in everything.answers if word.endswith("er")]
        game = Game.from_words(sorted({*everything.guesses[seed::40], *chosen}), chosen, rules=rules)
        tree = solve(game).tree
        assert tree is not None
        path = tmp_path / f"{rules}.xz"
        certify(tree, game, path)
        stream = stream_in(path)
        report = by_python(stream)
        assert report.ok, report
        assert report.theorem is not None
        assert report.theorem.total == tree.total
        assert by_c(program, stream)[0]
        assert by_c(program, stream, threads=3) == by_c(program, stream)
        monkeypatch.setattr(widths, "_LEAST", 10**9)  # no widths at all
        certify(tree, game, path)
        assert stream_in(path) != stream
        monkeypatch.setattr(widths, "_LEAST", 4)


def test_jobs_change_nothing(tmp_path: Path) -> None:
    everything = Game.preset("classic")
    chosen = random.Random(1).sample(everything.answers, 260)
    game = Game.from_words(sorted({*everything.guesses[::24], *chosen}), chosen)
    tree = solve(game).tree
    assert tree is not None
    path = tmp_path / "medium.xz"
    certify(tree, game, path, jobs=2)
    certify(tree, game, tmp_path / "again.xz")
    assert path.read_bytes() == (tmp_path / "again.xz").read_bytes()
    assert check(path, jobs=2) == by_python(stream_in(path))


@pytest.mark.parametrize("limit", [3, None])
def test_no_false_claim_is_certified(tmp_path: Path, limit: int | None) -> None:
    """No strategy where there is one; a value of one more."""
    game = families(random.Random(42), Rules.NORMAL).with_rules("normal", None)
    tree = solve(game).tree
    assert tree is not None
    with pytest.raises(InputError, match="the claim is false"):
        certify_none(game.with_rules("normal", tree.worst), tmp_path / "x.xz")
    better = replace(tree, value=(tree.total + 1,), bound=(tree.total + 1,), total=tree.total + 1)
    with pytest.raises(InputError, match="the claim is false"):
        certify(better, game.with_rules("normal", limit), tmp_path / "x.xz")


def test_flaws_are_named(program: Path) -> None:
    numbers = helped(proof_of(items(HELPED_ITEM)))
    proof = proof_begins(numbers)
    value = proof - len(HELPED_TREE) - 2
    flawed: dict[str, bytes] = {
        "it does not begin as one": b"optimal-certificate 4\n\x00",
        "the stream ends where the kind of game should be": MAGIC + b"\x80",
        "more bytes than it needs": MAGIC + b"\x80\x00",
        "an integer of more than 8 bytes": MAGIC + b"\xff" * 9 + b"\x01",
        "a letter of the guesses should be": packed([*numbers[:2], 60000, *range(1000)]),
        "a letter that is no character": packed([*numbers[:3], 0xD800, *numbers[4:]]),
        "the values do not fit": packed([*numbers[: value - 2], 1, *numbers[value - 1 :]]),
        "the stream ends within the tree": packed(numbers[: value + 4]),
        "the stream ends within a section": packed([*numbers[:proof], 0, 1, 9, 0, 0]),
        "ends where": packed(numbers[:-1]),
    }
    for problem, stream in flawed.items():
        found = by_python(stream)
        assert not found.ok
        assert len(found.problems) == 1, problem
        assert problem in found.problems[0], (problem, found.problems)
        assert found.theorem is None
        assert not by_c(program, stream)[0], problem
    assert not by_c(program, MAGIC + bytes(MOST_STREAM))[0]


# What a file may ask of a checker is bounded


def _start(guesses: Sequence[str], answers: Sequence[str]) -> list[int]:
    """The integers up to the proof that these words are not found with one guess."""
    return [*word_game(guesses, answers), 0, 1, 0, 0]


def _nested_widths(levels: int) -> list[int]:
    """A certificate with so many widths within each other, each of all answers."""
    body = items(HELPED_ITEM)
    for _ in range(levels):
        body = [0, 1, HELPER, 3, 0, 2, 3, 65536, *body]
    return helped(proof_of(body))


def test_a_hundred_within_each_other(program: Path) -> None:
    """So many widths, and no more."""
    stream = packed(_nested_widths(MOST_NESTED))
    assert by_python(stream).problems == []
    assert by_c(program, stream)[0]
    stream = packed(_nested_widths(MOST_NESTED + 1))
    assert f"more than {MOST_NESTED} widths within each other" in by_python(stream).problems[0]
    assert by_c(program, stream) == (False, "flawed: widths are nested too deep\n")


@pytest.mark.parametrize(
    "many",
    [
        [0, 8000, *[2, 0, 0] * 8000],  # sections with nothing in them
        [0, 1, 24002, 8000, *[0, 0, 0] * 8000, 0],  # items, the same again and again
        [0, 1, 80004, 0, 1, 0, 80000, *[0] * 80000],  # codes, or so it says
        [60000, *[0] * 80000],  # lemmas, or so it says
    ],
)
def test_memory(many: list[int]) -> None:
    """A byte of a certificate takes no more than a few bytes."""
    stream = packed([*_start(["ab", "cd"], ["ab", "cd"]), *many])
    by_python(packed(helped(proof_of(items(HELPED_ITEM)))))  # what numpy loads at first use
    tracemalloc.start()
    try:
        by_python(stream)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 19


def test_memory_of_the_longest_stream(tmp_path: Path) -> None:
    """A gigabyte is enough to say what is wrong with it."""
    start = packed([*_start(["ab", "cd"], ["ab", "cd"]), 0, 1])
    left = MOST_STREAM - len(start) - 16
    path = tmp_path / "long.xz"
    path.write_bytes(lzma.compress(start + encode([left, 1, 2**20]) + bytes(left), preset=0))
    line = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30));"
        "from optimal.certificates.checker import check; print(check(sys.argv[1]).problems)"
    )
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # whose threads reserve memory
    done = subprocess.run(
        [sys.executable, "-c", line, str(path)], capture_output=True, text=True, env=environment, check=False
    )
    assert "opener" in done.stdout, done


@pytest.mark.slow
def test_what_sizes_say_is_no_more_than_true() -> None:
    """F against a slow recursion over all ways to split."""
    board = Board(1, 0, list(product(range(3), repeat=2)), range(9))

    def split(count: int, parts: int, left: int) -> int:
        if parts == 0:
            return 0 if count == 0 else NONE
        return min(slow(left, size) + split(count - size, parts - 1, left) for size in range(count + 1))

    def slow(left: int, count: int) -> int:
        if count == 0:
            return 0
        if left == 0:
            return NONE
        return min(NONE, count + min(split(count, outside, left - 1), split(count - 1, inside, left - 1)))

    for outside, inside in ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2)):
        for left in range(5):
            assert board.sizes(left, outside, inside, 6).tolist() == [slow(left, count) for count in range(7)]


# The commands


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "g.txt").write_text("fight\nfilmy\nlight\nmight\nnight\n")
    (tmp_path / "a.txt").write_text("fight\nlight\nmight\nnight\n")
    return tmp_path


LISTS = ("--guesses", "g.txt", "--answers", "a.txt")


def test_solve_writes_certificates(small: Path) -> None:
    for objective, told in (
        ("mean", "the least total of guesses over all answers is 8."),
        ("worst", "the least worst case is 2 guesses, and the least total with it 8 guesses."),
    ):
        done = run(small, "solve", *LISTS, "--objective", objective, "--certificate", "t.xz")
        assert "certificate written to t.xz" in done.out
        assert told in " ".join(run(small, "check", "t.xz").out.split())
    done = run(small, "solve", *LISTS, "--max-guesses", "1", "--certificate", "none.xz")
    assert done.status == 1
    assert "none finds every answer within 1 guess." in run(small, "check", "none.xz").out
    (small / "t.xz").write_bytes((small / "t.xz").read_bytes()[:-20])
    done = run(small, "check", "t.xz")
    assert (done.status, done.out) == (1, "NOT PROVEN: the file is cut off\n")
    assert json.loads(run(small, "check", "t.xz", "--json").out)["ok"] is False


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Game.from_matrix([[1, 0], [2, 1]], 1), "not for a bare matrix"),
        (Game.preset("black-pegs:2x3"), "not for games of kind black-pegs"),
        (Game.preset("bulls-and-cows:2x4"), "are for 10 symbols to choose from, not 4"),
    ],
)
def test_games_that_no_checker_knows_are_refused(game: Game, message: str, tmp_path: Path) -> None:
    tree = solve(game).tree
    assert tree is not None
    with pytest.raises(InputError, match=message):
        certify(tree, game, tmp_path / "x.xz")
    with pytest.raises(InputError, match=message):
        certify_none(game.with_rules("normal", 1), tmp_path / "x.xz")


#: What each shipped certificate proves: game, rules, limit, objective, value.
SHIPPED: dict[str, tuple[str, str, int | None, str, tuple[int, ...]]] = {
    "classic-normal": ("classic", "normal", 6, "mean", (7920,)),
    "classic-hard": ("classic", "hard", 6, "mean", (8122,)),
    "classic-ultra-hard": ("classic", "ultra-hard", 6, "mean", (8125,)),
    "classic-hard-within4": ("classic", "hard", 4, "mean", ()),
    "nyt2023-normal": ("nyt2023", "normal", 6, "mean", (11219,)),
    "classic-answers-normal": ("classic-answers", "normal", 6, "mean", (7973,)),
    "classic-answers-ultra-hard": ("classic-answers", "ultra-hard", 6, "mean", (8227,)),
    "mastermind-normal": ("mastermind", "normal", None, "mean", (5625,)),
    "mastermind-4x7-normal": ("mastermind:4x7", "normal", None, "mean", (11228,)),
    "bulls-and-cows-within6": ("bulls-and-cows", "normal", 6, "mean", ()),
}


#: Those that are checked in moments, in some seconds; the others among the long tests.
SOON, LATER = ("mastermind-normal", "mastermind-4x7-normal"), ("classic-normal",)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in SOON else pytest.mark.slow if name in LATER else pytest.mark.long)
        for name in SHIPPED
    ],
)
def test_what_shipped_certificates_claim(name: str) -> None:
    """Their theorems and trees; `optimal check` checks the derivations, which takes up to minutes."""
    file = certificate_file(name)
    assert file.stat().st_size <= 15 << 20
    reader = Reader(read_stream(file))
    reader.start()
    board, hashes = read_game(reader)
    theorem = read_theorem(reader, board, hashes)
    found = preset_of(feedback_of(theorem.kind, theorem.sizes), theorem.guesses_sha256, theorem.answers_sha256)
    assert found is not None
    assert (found.name, theorem.rules, theorem.limit, theorem.objective, theorem.value) == SHIPPED[name]


def test_all_shipped_certificates_are_known(program: Path) -> None:
    folder = certificate_file("classic-normal").parent
    assert {file.stem for file in folder.glob("*.xz")} == SHIPPED.keys()
    for name in SHIPPED:
        assert name in (folder / "README.md").read_text()
    assert by_c(program, stream_in(certificate_file("mastermind")))[0]  # the name of a game will do
