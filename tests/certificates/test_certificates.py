"""Certificates: small random games in every rule against the textbook, both checkers, mutations, and every bad file."""

from __future__ import annotations

import json
import lzma
import os
import random
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from certificates_util import (
    HELPED_ITEM,
    HELPER,
    Question,
    by_c,
    by_python,
    compiled,
    families,
    helped,
    items,
    mutated_game,
    numbers_of,
    packed,
    proof_begins,
    proof_of,
    random_peg_question,
    random_question,
    random_sample,
    still_true,
    stream_in,
    word_game,
)
from cli_util import run

from optimal import Game, InputError, StrategyTree, solve
from optimal.certificates import checker, widths
from optimal.certificates.board import NONE, UNLIMITED, Board, Integers, _sums, fewer
from optimal.certificates.certify import certify, certify_none
from optimal.certificates.checker import MOST_NESTED, check
from optimal.certificates.file import Proof, encode, to_bytes
from optimal.certificates.orbits import likes
from optimal.certificates.prover import EngineBoard, Prover
from optimal.certificates.reading import MAGIC, MOST_STREAM, Reader, read_stream
from optimal.certificates.statement import read_game, read_theorem
from optimal.certificates.widths import Widths
from optimal.games.feedback import feedback_of
from optimal.games.presets import preset_of
from optimal.games.resources import certificate_file
from optimal.games.rules import Rules

#: Random games, and mutations of each one's certificate. tests/certificates/mutate_certificates.py makes many more.
GAMES, MUTATIONS = 96, 3
SHARES = 8
PEG_GAMES = 16


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    return compiled(tmp_path_factory.mktemp("c"))


@pytest.fixture
def words(tmp_path: Path) -> tuple[Game, Path, list[int]]:
    """A game of words, its certificate's file, and the integers in it."""
    game = families(random.Random(42), Rules.NORMAL).with_rules("normal", None)
    tree = solve(game).tree
    assert tree is not None
    path = tmp_path / "words.xz"
    certify(tree, game, path)
    return game, path, numbers_of(stream_in(path))


@pytest.mark.parametrize(
    ("games", "question"),
    [
        *((range(share, GAMES, SHARES), random_question) for share in range(SHARES)),
        (range(PEG_GAMES), random_peg_question),
    ],
)
def test_random_games_and_mutations(games: range, question: Question, tmp_path: Path, program: Path) -> None:
    """Both checkers say the same, of certificates and of those with a change."""
    rejected = 0
    for seed in games:
        rng = random.Random(seed)
        sample = random_sample(rng, tmp_path, question)
        report = by_python(sample.stream)
        assert report.ok, (seed, report)
        assert report.theorem is not None
        assert report.theorem.value == sample.value, seed
        ok, line = by_c(program, sample.stream)
        assert ok, (seed, line)
        assert f" ({report.claims} claims, {report.steps} steps)" in line, seed
        numbers = numbers_of(sample.stream)
        for _ in range(MUTATIONS):
            stream = mutated_game(rng, numbers)
            changed = by_python(stream)
            assert changed.ok == by_c(program, stream)[0], (seed, changed)
            assert not changed.ok or changed.theorem == report.theorem or still_true(sample, changed), (seed, changed)
            rejected += not changed.ok
    assert rejected > 0.9 * MUTATIONS * len(games)


@pytest.mark.parametrize("rules", list(Rules))
def test_one_answer(rules: Rules, tmp_path: Path, program: Path) -> None:
    """The least worst case is 1: that no guess is too few has to be shown too."""
    game = Game.from_words(["aa", "ab"], ["ab"], rules=rules)
    tree = solve(game, objective="worst").tree
    assert tree is not None
    certify(tree, game, tmp_path / "one.xz")
    stream = stream_in(tmp_path / "one.xz")
    report = by_python(stream)
    assert report.theorem is not None
    assert report.theorem.value == (1, 1)
    assert by_c(program, stream)[0]


@pytest.mark.slow
def test_widths(tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets that classes of several openers share, here where they would hardly pay."""
    for name, value in {"_LEAST": 4, "_USES": 2, "_TOUCHES": 2, "_OPENERS": 8, "_ANSWERS": 20}.items():
        monkeypatch.setattr(widths, name, value)
    everything = Game.preset("classic")
    made: list[Proof] = []

    def noted(said: list[int], proofs: Sequence[Proof]) -> bytes:
        made.extend(proofs)
        return to_bytes(said, proofs)

    monkeypatch.setattr("optimal.certificates.certify.to_bytes", noted)
    for seed, rules in enumerate(Rules):
        chosen = [word for word in everything.answers if word.endswith("er")]
        game = Game.from_words(sorted({*everything.guesses[seed::40], *chosen}), chosen, rules=rules)
        tree = solve(game).tree
        assert tree is not None
        path = tmp_path / f"{rules}.xz"
        certify(tree, game, path)
        assert len({item.width for item in made[-1].items}) > 3
        stream = stream_in(path)
        report = by_python(stream)
        assert report.ok, report
        assert report.theorem is not None
        assert report.theorem.total == tree.total
        assert by_c(program, stream)[0]
        assert by_c(program, stream, threads=3) == by_c(program, stream)
        rng = random.Random(seed)
        numbers = numbers_of(stream)
        for _ in range(4):
            changed = mutated_game(rng, numbers)
            assert by_python(changed).ok == by_c(program, changed)[0]


def test_no_tree_and_no_limit_are_one_number_each() -> None:
    """The two checkers have the same, and the prover puts the engine's into these."""
    source = (Path(__file__).parents[2] / "tools" / "check_certificate.c").read_text()
    assert f"#define NONE ((i64)1 << {NONE.bit_length() - 1}) " in source
    assert f"#define ENDLESS (1 << {UNLIMITED.bit_length() - 1}) " in source
    assert (NONE, UNLIMITED) == (1 << 50, 1 << 30)
    board = EngineBoard(Game.from_words(["ab", "ac", "ad", "ae"], ["ab", "ac", "ad", "ae"]))
    prover = Prover(board, Widths([], np.empty((0, 4), dtype=np.uint16), {}), 4)
    code = int(board.matrix[0, 1])  # of three answers that only lists tell apart: 1 + 2 + 3 guesses
    assert [prover.class_value(prover.start, 0, code, left, NONE) for left in (UNLIMITED, 4, 3)] == [6, 6, NONE]
    assert [prover.class_value(prover.start, 0, code, left, 5) for left in (UNLIMITED, 4, 3)] == [5, 5, 5]


def test_jobs_change_nothing(tmp_path: Path) -> None:
    everything = Game.preset("classic")
    chosen = random.Random(1).sample(everything.answers, 260)
    game = Game.from_words(sorted({*everything.guesses[::24], *chosen}), chosen)
    tree = solve(game).tree
    assert tree is not None
    path = tmp_path / "medium.xz"
    certify(tree, game, path, jobs=2)
    assert path.read_bytes() == _again(tree, game, tmp_path)
    assert check(path, jobs=2) == by_python(stream_in(path))


def _again(tree: StrategyTree, game: Game, folder: Path) -> bytes:
    certify(tree, game, folder / "again.xz")
    return (folder / "again.xz").read_bytes()


@pytest.mark.parametrize("limit", [3, None])
def test_what_the_claim_says_is_held(words: tuple[Game, Path, list[int]], program: Path, limit: int | None) -> None:
    """The value one less, with any tree; no strategy where there is one; fewer guesses."""
    game, path, numbers = words
    tree = solve(game).tree
    assert tree is not None
    game = game.with_rules("normal", limit)
    with pytest.raises(InputError, match="the claim is false"):
        certify_none(game.with_rules("normal", tree.worst), path)
    better = replace(tree, value=(tree.total + 1,), bound=(tree.total + 1,), total=tree.total + 1)
    with pytest.raises(InputError, match="the claim is false"):
        certify(better, game, path)
    at = _place_of_the_value(game)
    assert numbers[at] == tree.total
    for other in (tree.total - 1, tree.total + 1, 0, 2**50):
        stream = packed([*numbers[:at], other, *numbers[at + 1 :]])
        assert not by_python(stream).ok
        assert not by_c(program, stream)[0]


def _place_of_the_value(game: Game) -> int:
    # kind, length, words, letters, answers, their numbers, hashes, rules, limit, objective, number of values
    return 3 + 4 * len(game.guesses) + 1 + len(game.answers) + 64 + 4


def _with(numbers: list[int], at: int, *new: int) -> list[int]:
    return [*numbers[:at], *new, *numbers[at + 1 :]]


def test_flaws_are_named(words: tuple[Game, Path, list[int]], program: Path) -> None:
    game, path, numbers = words
    value = _place_of_the_value(game)
    proof = proof_begins(numbers)
    data = path.read_bytes()
    files: dict[str, bytes] = {
        "cut off": data[: len(data) // 2],
        "bytes after the end": data + b"x",
        "not a file in xz": b"salet" * 9,
        "unpacks to more than": lzma.compress(MAGIC + bytes(MOST_STREAM), preset=0),
    }
    for problem, file in files.items():
        path.write_bytes(file)
        assert problem in check(path).problems[0]
    flawed: dict[str, bytes] = {
        "it does not begin as one": b"optimal-certificate 4\n\x00",
        "the stream ends where the kind of game should be": MAGIC + b"\x80",
        "more bytes than it needs": MAGIC + b"\x80\x00",
        "an integer of more than 8 bytes": MAGIC + b"\xff" * 9 + b"\x01",
        "a letter of the guesses should be": packed([*numbers[:2], 60000, *range(1000)]),
        "a letter that is no character": packed(_with(numbers, 3, 0xD800)),
        "the values do not fit": packed(_with(numbers, value - 2, 1)),
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


def _chain(levels: int) -> list[int]:
    """A certificate with a lemma of so many claims, all within each other.

    Answers are a letter and a dash. A few guesses are the letters of two answers: each on its turn takes these two off,
    and what is left is a lemma's in the end.
    """
    letters = [chr(0x100 + i) for i in range(2 * levels + 34)]
    pairs = [letters[2 * i] + letters[2 * i + 1] for i in range(levels - 1)]
    answers = [f"{letter}-" for letter in letters]
    guesses = sorted([*answers, *pairs])
    board = Board(0, 0, [tuple(map(ord, guess)) for guess in guesses], [guesses.index(answer) for answer in answers])

    def claim(answers: Integers, upper: Integers, left: int, levels: int) -> list[int]:
        if levels == 1:
            return least(len(answers))
        _, bounds = board.survivors(answers, upper.copy(), left, NONE)
        target = int(bounds.min()) + 1  # all but the pairs cost that much
        survivors, _ = board.survivors(answers, upper, left, target)
        numbers = [target, len(survivors)]
        for nested, guess in enumerate(survivors.tolist()):
            code, part = max(board.classes(guess, answers).items(), key=lambda one: len(one[1]))
            numbers += [guess, 1, code]
            numbers += [1] if nested else [0, *claim(part, upper.copy(), left - 1, levels - 1)]
        return numbers

    def least(count: int) -> list[int]:
        return [count * (count + 1) // 2, 0]

    rest = range(2 * levels - 2, len(answers))
    lemmas = [2, 65535, len(rest), *rest, *least(len(rest)), 65535, len(answers), *range(len(answers))]
    return [*_start(guesses, answers), *lemmas, *claim(board.everything, board.upper.copy(), 65535, levels), 0, 0]


def _nested_widths(levels: int) -> list[int]:
    """A certificate with so many widths within each other, each of all answers."""
    body = items(HELPED_ITEM)
    for _ in range(levels):
        body = [0, 1, HELPER, 3, 0, 2, 3, 65536, *body]
    return helped(proof_of(body))


@pytest.mark.parametrize("made", [_chain, _nested_widths])
def test_a_hundred_within_each_other(made: Callable[[int], list[int]], program: Path) -> None:
    """So many widths, and claims, and no more."""
    report = by_python(packed(made(MOST_NESTED)))
    assert report.problems == []
    ok, line = by_c(program, packed(made(MOST_NESTED)))
    assert ok
    assert f" ({report.claims} claims, {report.steps} steps)" in line
    report = by_python(packed(made(MOST_NESTED + 1)))
    assert f"more than {MOST_NESTED} {'claims' if made is _chain else 'widths'} within each other" in report.problems[0]
    ok, line = by_c(program, packed(made(MOST_NESTED + 1)))
    assert not ok
    assert "nested too deep" in line


def test_claims_that_are_kept(tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a lemma, and lemmas, are no more than may be referred to; here with a bound that is soon reached."""
    few = compiled(tmp_path, "-DKEPT_MOST=9", "-DLEMMAS_MOST=9")
    monkeypatch.setattr(checker, "MOST_KEPT", 9)
    monkeypatch.setattr(checker, "MOST_LEMMAS", 9)
    lemma = [0, 1, 0, 0, 0]  # with no guess left there is no strategy
    lemmas = [[*_start(["ab"], ["ab"])[:-3], 1, 0, 1, 1, 2, 0, 0, count, *lemma * count, 0, 0] for count in (9, 10)]
    for least, more in ([_chain(9), _chain(10)], lemmas):
        assert by_python(packed(least)).problems == []
        assert by_c(few, packed(least))[0]
        assert not by_python(packed(more)).ok
        assert not by_c(few, packed(more))[0]
        assert by_c(program, packed(more))[0]


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


def test_what_maps_carry_is_carried_back() -> None:
    board = Board(1, 0, list(product(range(4), repeat=3)), range(64))
    rng = random.Random(3)
    for _ in range(20):
        made = rng.sample(range(64), rng.randint(0, 2))
        guesses = np.arange(64, dtype=np.int32)
        found = likes(board, made, guesses)
        for guess, (other, carried) in found.items():
            assert other < guess
            for one, image in ((other, guess), *((kept, kept) for kept in made)):
                moved = board.moved(np.array([one], dtype=np.int32), carried.places, carried.names)
                assert moved.tolist() == [image]
        if not made:
            assert len(guesses) - len(found) == 3  # aaa, aab, abc


def test_scores_are_those_of_the_game() -> None:
    for name in ("mastermind:3x4", "bulls-and-cows"):
        game = Game.preset(name)
        codes = [tuple(map(int, guess)) for guess in game.guesses[:700]]
        board = Board(1, 0, codes, range(len(codes)))
        assert (board.matrix == game.matrix[:700, :700]).all()
    rng = random.Random(2)
    listed = sorted({"".join(rng.choices("abc", k=5)) for _ in range(150)})
    game = Game.from_words(listed, listed)
    board = Board(0, 0, [tuple(map(ord, word)) for word in listed], range(len(listed)))
    assert (board.matrix == game.matrix).all()


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
    everything = board.sizes_of_all(3)
    total = solve(Game.preset("mastermind:2x3").with_rules("normal", 3)).total
    assert total is not None
    assert everything[9] <= total
    assert fewer(3) == 2


# The commands


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "g.txt").write_text("fight\nfilmy\nlight\nmight\nnight\n")
    (tmp_path / "a.txt").write_text("fight\nlight\nmight\nnight\n")
    return tmp_path


LISTS = ("--guesses", "g.txt", "--answers", "a.txt")


def test_certify_and_check(small: Path) -> None:
    assert run(small, "solve", *LISTS, "--output", "t.msgpack").status == 0
    done = run(small, "certify", "t.msgpack", "-o", "t.xz", *LISTS, "--json")
    told: dict[str, Any] = json.loads(done.out)
    assert (done.status, told["bytes"]) == (0, (small / "t.xz").stat().st_size)
    assert {"claims", "bytes", "seconds"} <= told.keys()
    done = run(small, "check", "t.xz")
    assert done.status == 0
    assert done.out.startswith("Proven: of all strategies for words of 5 letters with 5 guesses (sha256\n")
    assert "the least total of guesses over all answers is 8." in " ".join(done.out.split())
    told = json.loads(run(small, "check", "t.xz", "--json").out)
    assert told["ok"] is True
    assert told["problems"] == []
    assert told["claim"]["total"] == 8
    assert told["claim"]["rules"] == "normal"
    assert (told["claim"]["kind"], told["claim"]["size"]) == ("words", {"length": 5})


def test_a_changed_file_is_not_proven(small: Path) -> None:
    run(small, "solve", *LISTS, "--certificate", "t.xz")
    (small / "t.xz").write_bytes((small / "t.xz").read_bytes()[:-20])
    done = run(small, "check", "t.xz")
    assert (done.status, done.out) == (1, "NOT PROVEN: the file is cut off\n")
    assert json.loads(run(small, "check", "t.xz", "--json").out)["ok"] is False


def test_solve_writes_certificates(small: Path) -> None:
    done = run(small, "solve", *LISTS, "--objective", "worst", "--certificate", "t.xz")
    assert "certificate written to t.xz" in done.out
    assert json.loads(run(small, "check", "t.xz", "--json").out)["claim"]["value"] == [2, 8]
    done = run(small, "solve", *LISTS, "--max-guesses", "1", "--certificate", "none.xz")
    assert done.status == 1
    told = json.loads(run(small, "check", "none.xz", "--json").out)
    assert (told["ok"], told["claim"]["total"]) == (True, None)
    assert "none finds every answer within 1 guess." in run(small, "check", "none.xz").out


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("solve --weights frequency --certificate x.xz", "certificates cover answers of one weight"),
        ("solve --objective within:3 --certificate x.xz", "certificates cover the objectives mean and worst"),
        ("solve --openers salet --certificate x.xz", "certificates cover all openers"),
        ("solve --position salet=bbbbb --certificate x.xz", "certificates cover trees from the start"),
        ("certify t.msgpack -o x.xz", "give them with --words, or --guesses and --answers"),
        ("certify t.msgpack -o x.xz --guesses g.txt --answers g.txt", "the lists are not those of the tree"),
        ("certify one.msgpack -o x.xz --guesses g.txt --answers a.txt", "certificates cover all openers"),
        ("check .", "Is a directory"),
    ],
)
def test_bad_input_gets_one_line(small: Path, line: str, problem: str) -> None:
    run(small, "solve", *LISTS, "--output", "t.msgpack")
    run(small, "solve", *LISTS, "--output", "one.msgpack", "--openers", "light")
    done = run(small, *line.split())
    assert done.status == 2
    assert done.out == ""
    assert problem in done.err
    assert done.err.count("\n") == 1
    assert not (small / "x.xz").exists()


def test_a_matrix_is_refused(tmp_path: Path) -> None:
    game = Game.from_matrix([[1, 0], [2, 1]], 1)
    tree = solve(game).tree
    assert tree is not None
    with pytest.raises(InputError, match="not for a bare matrix"):
        certify(tree, game, tmp_path / "x.xz")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("black-pegs:2x3", "certificates are for words, mastermind, bulls-and-cows, not for games of kind black-pegs"),
        ("bulls-and-cows:2x4", "certificates of bulls-and-cows are for 10 symbols to choose from, not 4"),
    ],
)
def test_peg_games_that_no_checker_knows_are_refused(name: str, message: str, tmp_path: Path) -> None:
    tree = solve(name).tree
    assert tree is not None
    tree.save(tmp_path / "tree.msgpack")
    for words in (["certify", "tree.msgpack", "--output", "x.xz"], ["solve", name, "--certificate", "x.xz"]):
        done = run(tmp_path, *words)
        assert (done.status, done.out) == (2, "")
        assert " ".join(done.err.split()).endswith(message)
    with pytest.raises(InputError) as error:
        certify_none(Game.preset(name, "normal").with_rules("normal", 2), tmp_path / "x.xz")
    assert str(error.value) == message
    assert not (tmp_path / "x.xz").exists()


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
SOON, LATER = ("mastermind-normal", "mastermind-4x7-normal"), ("classic-normal", "bulls-and-cows-within6")


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


def test_thousands_of_classes_without_a_strategy() -> None:
    """Together they are more than an integer holds."""
    costs = np.array([1, 2] + [NONE] * 9000 + [3], dtype=np.int64)
    assert _sums(costs, np.array([0, 2, 9002])).tolist() == [3, NONE, 3]
