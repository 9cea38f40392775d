"""Certificates in tests: random questions, the two checkers, and mutations of the integers of a file."""

from __future__ import annotations

import lzma
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from patience import PATIENCE
from textbook import Textbook, TooLarge

from optimal import Game, solve
from optimal.certificates.board import list_sha256
from optimal.certificates.certify import certify, certify_none
from optimal.certificates.checker import Report, check_stream
from optimal.certificates.file import encode
from optimal.certificates.reading import MAGIC, Reader
from optimal.certificates.statement import Theorem
from optimal.games.feedback import BullsFeedback
from optimal.games.rules import Rules

#: A game and an objective.
Question = Callable[[random.Random], tuple[Game, str]]
SOURCE = Path(__file__).resolve().parents[2] / "tools" / "check_certificate.c"


@dataclass
class Sample:
    """A random question, its certificate, and its value by the textbook; () where there is no strategy."""

    game: Game
    objective: str
    stream: bytes
    value: tuple[int, ...]


def compiled(folder: Path, *more: str, source: Path = SOURCE) -> Path:
    """The checker in C, compiled there, with more flags."""
    program = folder / source.stem
    flags = ["-O2", "-std=c11", "-pthread", "-Wall", "-Wextra", "-Werror", *more]
    subprocess.run(["cc", *flags, "-o", str(program), str(source)], check=True)
    return program


def random_question(rng: random.Random) -> tuple[Game, str]:
    """A small game whose guesses tell little, with rules and a limit, and an objective."""
    rules = rng.choice(list(Rules))
    kind = rng.random()
    if kind < 0.15 and rules is not Rules.HARD:
        game = Game.preset(rng.choice(("mastermind:2x4", "mastermind:3x3", "mastermind:2x6", "mastermind:4x2")), rules)
    elif kind < 0.3:
        letters = "abcdefgh"[: rng.choice((2, 3, 4, 6, 8))]
        length = rng.choice((2, 3, 4))
        listed = sorted({"".join(rng.choices(letters, k=length)) for _ in range(rng.choice((4, 12, 25)))})
        game = Game.from_words(listed, rng.sample(listed, rng.randint(1, min(len(listed), 12))), rules=rules)
    elif kind < 0.5:
        listed = sorted({"".join(rng.choices("ab", k=5)) for _ in range(rng.choice((10, 20, 30)))})
        game = Game.from_words(listed, rng.sample(listed, min(len(listed), rng.randint(6, 14))), rules=rules)
    else:
        game = families(rng, rules)
    limit = rng.choice((None, None, None, 2, 3, 3, 4, 4, 5, 6))
    return game.with_rules(rules, limit), rng.choice(("mean", "mean", "worst"))


def random_peg_question(rng: random.Random) -> tuple[Game, str]:
    """A small peg game with rules and a limit, and an objective."""
    rules = rng.choice((Rules.NORMAL, Rules.ULTRA_HARD))
    size = rng.choice(("1", "2", "2", "2x4", "2x5", "2x6", "3x3", "4x2", "5x2", "1x9"))
    if "x" in size:
        game = Game.preset(f"mastermind:{size}")
    else:
        codes = ["".join(code) for code in permutations("0123456789", int(size))]
        game = game_of(codes, BullsFeedback(int(size)))
    return game.with_rules(rules, rng.choice((None, None, 3, 4, 5, 6, 7))), rng.choice(("mean", "mean", "worst"))


def game_of(codes: Sequence[str], feedback: BullsFeedback) -> Game:
    """The game of these codes, which has no name."""
    matrix = np.array([[feedback.score(guess, code) for code in codes] for guess in codes])
    bare = Game.from_matrix(matrix, feedback.winning_code, guesses=codes, answers=codes)
    return replace(bare, feedback=feedback)


def families(rng: random.Random, rules: Rules) -> Game:
    """Words that differ in one place or two, and some others."""
    letters = "abcdefghijkl"
    found: dict[str, None] = {}
    for _ in range(rng.choice((1, 2, 3))):
        stem = rng.choices(letters, k=4)
        for place in rng.sample(range(4), rng.choice((1, 1, 2))):
            for letter in rng.sample(letters, rng.randint(4, 9)):
                found["".join([*stem[:place], letter, *stem[place + 1 :]])] = None
    answers = list(found)[: rng.randint(6, 14)]
    others = {"".join(rng.choices(letters, k=4)) for _ in range(rng.choice((0, 4, 12)))}
    return Game.from_words(sorted({*answers, *others}), answers, rules=rules)


def random_sample(rng: random.Random, folder: Path, question: Question = random_question) -> Sample:
    """A random question with its certificate."""
    game, objective = question(rng)
    result = solve(game, objective=objective)
    path = folder / "sample.xz"
    if result.tree is None:
        certify_none(game, path, objective=objective)
    else:
        certify(result.tree, game, path)
    return Sample(game, objective, stream_in(path), true_value(game, game.max_guesses, objective))


def true_value(game: Game, limit: int | None, objective: str) -> tuple[int, ...]:
    """The textbook's; the solver's where the textbook would take too long."""
    try:
        found = Textbook(game, most=3000).solve(limit, objective)
    except TooLarge:
        return solve(game, limit=limit, objective=objective).value or ()
    return () if found is None else found.value


def stream_in(path: Path) -> bytes:
    """What a certificate unpacks to."""
    return lzma.decompress(path.read_bytes())


def numbers_of(stream: bytes) -> list[int]:
    """The integers of a certificate."""
    found, number, places = [], 0, 0
    for byte in stream[len(MAGIC) :]:
        number |= (byte & 127) << places
        places += 7
        if byte < 128:
            found.append(number)
            number = places = 0
    return found


def packed(numbers: Iterable[int]) -> bytes:
    """A certificate of these integers, not compressed."""
    return MAGIC + encode(numbers)


def word_game(guesses: Sequence[str], answers: Sequence[str]) -> list[int]:
    """The integers up to the hashes, of words in rising order."""
    numbers = [0, len(guesses[0]), len(guesses), *(ord(letter) for guess in guesses for letter in guess)]
    numbers += [len(answers), *(guesses.index(answer) for answer in answers)]
    return [*numbers, *list_sha256(guesses), *list_sha256(answers)]


#: Six answers, which tell nothing of each other, and a word that tells two from the rest. The least total is 18, with
#: that word first: of the four that are left then, counting shows that they cost 9, and they cost 10.
HELPED = ("a-", "ab", "b-", "c-", "d-", "e-", "f-")
HELPER, REST = 1, 6  # its number, and the feedback of "a-" to the others
_FOUR = [3, 1, REST, 4, 1, REST, 5, 1, REST, 6, 0]
HELPED_TREE = [HELPER, 3, 0, *_FOUR, 2, 0, 0, 3, 2, 0]
HELPED_ITEM = [HELPER, 0, 1, 10, 0]  # a claim that lists no guesses


def helped(
    proof: Sequence[int], value: int = 18, tree: Sequence[int] = HELPED_TREE, rules: int = 0, limit: int = 0
) -> list[int]:
    """The certificate with this proof that these words take so many guesses."""
    answers = [word for word in HELPED if word != "ab"]
    return [*word_game(HELPED, answers), rules, limit, 0, 1, value, len(tree), *tree, *proof]


def proof_of(
    *sections: Sequence[int], lemmas: Sequence[Sequence[int]] = (), likes: Sequence[Sequence[int]] = ()
) -> list[int]:
    """The integers of a proof: of sections, each a body, lemmas and likes."""
    numbers = [len(lemmas), *chain.from_iterable(lemmas), len(sections)]
    for section in sections:
        numbers += [len(section), *section]
    return [*numbers, len(likes), *chain.from_iterable(likes)]


def items(*listed: Sequence[int]) -> list[int]:
    """A body of items."""
    return [len(listed), *chain.from_iterable(listed), 0]


def by_python(stream: bytes) -> Report:
    """What the checker in Python says of a certificate."""
    return check_stream(stream)


def by_c(program: Path, stream: bytes, threads: int = 1, forgiven: str = "") -> tuple[bool, str]:
    """Whether the checker in C finds it to be a proof, and its line. One that forgives doesn't mind that flaw."""
    command = [str(program), str(threads)]
    environment = {**os.environ, "FORGIVEN": forgiven}
    done = subprocess.run(command, input=stream, capture_output=True, timeout=PATIENCE, check=False, env=environment)
    assert done.returncode in (0, 1), done
    return done.returncode == 0, done.stdout.decode()


def unguarded(monkeypatch: pytest.MonkeyPatch, stream: bytes, guard: str) -> Report:
    """What the checker in Python says with this guard off."""
    fail = Reader.fail

    def forgiving(reader: Reader, problem: str) -> NoReturn:
        if guard not in problem:
            fail(reader, problem)
        return None  # type: ignore[misc]

    monkeypatch.setattr(Reader, "fail", forgiving)
    try:
        return by_python(stream)
    except (ValueError, IndexError):  # without the guard it goes down
        return by_python(b"")


@dataclass(frozen=True)
class Forged:
    """A certificate that is wrong in one thing alone, with what the two checkers say of it ("": the same), and whether
    they would accept it without that guard: else they go down, or another guard sees it."""

    numbers: list[int]
    python: str
    c: str = ""
    accepted: tuple[bool, bool] = (True, True)

    @property
    def stream(self) -> bytes:
        return packed(self.numbers)

    @property
    def guard_in_c(self) -> str:
        return self.c or self.python

    def check(self, program: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
        """Both checkers refuse it, each for just that. Return what the one in Python says without the guard."""
        report = by_python(self.stream)
        assert len(report.problems) == 1
        assert self.python in report.problems[0]
        assert by_c(program, self.stream) == (False, f"flawed: {self.guard_in_c}\n")
        report = unguarded(monkeypatch, self.stream, self.python)
        assert (report.ok, by_c(program, self.stream, forgiven=self.guard_in_c)[0]) == self.accepted
        return report


def check_ranges(
    ranges: dict[tuple[int, int], list[str]],
    made: Sequence[list[int]],
    pack: Callable[[list[int]], bytes],
    program: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Check the range of each integer, in the first place where it stands in one of these sound certificates: both
    checkers refuse what is beyond. Those that `ranges` lacks may be as many as bytes are left."""
    range_of = {what: ends for ends, names in ranges.items() for what in names}
    found: dict[str, tuple[list[int], int]] = {}
    read = Reader.next
    numbers: list[int] = []

    def noting(reader: Reader, what: str, low: int, high: int) -> int:
        if what not in found:
            assert range_of.get(what, (low, high)) == (low, high), what
            before = pack(numbers)[len(MAGIC) : reader.begin + reader.at]
            found[what] = numbers, sum(byte < 128 for byte in before)
        return read(reader, what, low, high)

    monkeypatch.setattr(Reader, "next", noting)
    for numbers in made:
        assert by_python(pack(numbers)).problems == []
    monkeypatch.undo()
    assert found.keys() - range_of.keys() <= {"the length of a section", "the number of items", "the number of widths"}
    for what, (low, high) in range_of.items():
        numbers, at = found[what]
        for wrong in (low - 1, high + 1):
            if 0 <= wrong < 2**56:
                stream = pack([*numbers[:at], wrong, *numbers[at + 1 :]])
                assert by_python(stream).problems[0].endswith(f": {what} is {wrong}, not from {low} to {high}")
                assert not by_c(program, stream)[0], what


def check_size(
    name: str, flag: str, least: int, stream: bytes, flaw: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both checkers accept this within the bound `least`, and not within one less."""
    for most in (least, least - 1):
        monkeypatch.setattr(f"optimal.certificates.{name}", most)
        problems = by_python(stream).problems
        assert [flaw in problem for problem in problems] == [True] * (most < least)
        if shutil.which("cc") is not None:
            ok, line = by_c(compiled(folder, "-O0", f"-D{flag}={most}"), stream)
            assert ok == (most == least)
            assert ok or flaw in line


def proof_begins(numbers: list[int]) -> int:
    """The place of the first proof among the integers of a certificate."""
    at = 3 if numbers[0] == 1 else 2
    if numbers[0] == 0:
        at = 3 + numbers[1] * numbers[2]
        at += 1 + numbers[at]
    at += 64 + 3  # hashes; rules, limit, objective
    values = numbers[at]
    at += 1 + values
    return at + 1 + numbers[at] if values else at


def mutated_game(rng: random.Random, numbers: list[int]) -> bytes:
    """The certificate with one change at a random place, most often in a proof."""
    return mutated(rng, numbers, proof_begins(numbers), packed)


def mutated(rng: random.Random, numbers: list[int], begin: int, packed: Callable[[Sequence[int]], bytes]) -> bytes:
    """The certificate of these integers with one change at a random place, often a small one, most often after where a
    proof begins."""
    changed = list(numbers)
    while changed == numbers or not changed:
        changed = list(numbers)
        at = rng.randrange(begin if rng.random() < 0.7 else 0, len(changed))
        kind = rng.random()
        if kind < 0.5:
            changed[at] = max(0, changed[at] + rng.choice((-1, 1)))
        elif kind < 0.65:
            changed[at] = rng.choice(numbers)
        elif kind < 0.7:
            changed[at] = rng.choice((0, 1, 2**20, 2**50, 2**56 - 1))
        elif kind < 0.78:
            del changed[at]
        elif kind < 0.86:
            changed.insert(at, rng.choice((0, 1, 2, changed[at])))
        elif kind < 0.93 and at + 1 < len(changed):
            changed[at], changed[at + 1] = changed[at + 1], changed[at]
        elif kind < 0.97:
            to = min(len(changed), at + rng.randint(1, 6))
            del changed[at:to]
        else:
            del changed[at:]
    return packed(changed)


def still_true(sample: Sample, report: Report) -> bool:
    """Whether the theorem of an accepted mutation is true by the textbook: rules and limit may be others now."""
    theorem = report.theorem
    assert isinstance(theorem, Theorem)
    game = sample.game.with_rules(theorem.rules, theorem.limit)
    hashes = (game.info.guesses_sha256, game.info.answers_sha256)
    if (theorem.guesses_sha256, theorem.answers_sha256) != hashes:
        return False
    return true_value(game, theorem.limit, theorem.objective) == theorem.value


def check_game(seed: int, folder: Path, program: Path, mutations: int, question: Question = random_question) -> int:
    """Check by both checkers that the certificate of a random game is a proof, and that a mutation of it is none, or of
    a theorem that the textbook confirms. Return how many mutations are rejected."""
    rng = random.Random(seed)
    sample = random_sample(rng, folder, question)
    report = by_python(sample.stream)
    assert report.ok, (seed, report)
    assert report.theorem is not None
    assert report.theorem.value == sample.value, seed
    ok, line = by_c(program, sample.stream)
    assert ok, (seed, line)
    assert f" ({report.claims} claims, {report.steps} steps)" in line, seed
    numbers, rejected = numbers_of(sample.stream), 0
    for step in range(mutations):
        stream = mutated_game(rng, numbers)
        changed = by_python(stream)
        assert changed.ok == by_c(program, stream)[0], (seed, step, changed)
        assert not changed.ok or changed.theorem == report.theorem or still_true(sample, changed), (seed, step, changed)
        rejected += not changed.ok
    return rejected
