"""Games and questions for the fuzzer: made at random from a seed, and told again as Python that anyone can run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from games_util import matrix_game, peg_game, poor_game, random_game, word_game

from optimal.advice.subgame import solve_position
from optimal.games.game import Game
from optimal.games.resources import data_file
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.limits import INFEASIBLE
from optimal.search import memory
from optimal.search.result import Result
from optimal.search.solve import solve

#: The head of every reproduction.
IMPORTS = """import optimal.search.memory
from optimal.games.game import Game
from optimal.games.weights import Weights
from optimal.advice.analysis import analyse
from optimal.advice.subgame import solve_position
from optimal.search.solve import solve"""


@dataclass(frozen=True)
class Spec:
    """A game as plain values, so that answers and guesses can be taken out of it one by one."""

    guesses: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()  # of a bare matrix; none for words
    winning_code: int = 0
    rules: str = "normal"
    preset: str = ""  # a peg game has its name alone

    @classmethod
    def of(cls, game: Game) -> Spec:
        """The game as it is, its limit left out."""
        if game.feedback is None:
            rows = tuple(map(tuple, game.matrix.tolist()))
            return cls(game.guesses, game.answers, rows, game.winning_code, str(game.rules))
        if game.feedback.kind != "words":
            return cls(rules=str(game.rules), preset=game.name)
        return cls(game.guesses, game.answers, rules=str(game.rules))

    def game(self) -> Game:
        """The game, without a limit. Raises InputError where too much was taken out of it."""
        if self.preset:
            return Game.preset(self.preset, self.rules).with_rules(self.rules, None)
        if self.rows:
            return Game.from_matrix(
                self.rows, self.winning_code, guesses=self.guesses, answers=self.answers, rules=self.rules
            )
        return Game.from_words(self.guesses, self.answers, name="fuzz", rules=self.rules, max_guesses=None)

    def code(self) -> str:
        """Python that makes the game again."""
        rules = "" if self.rules == "normal" else f", rules={self.rules!r}"
        if self.preset:
            return f"Game.preset({self.preset!r}{rules})"
        if self.rows:
            labels = f", guesses={_words(self.guesses)}, answers={_words(self.answers)}"
            return f"Game.from_matrix({[list(row) for row in self.rows]}, {self.winning_code}{labels}{rules})"
        words = f"{_words(self.guesses)}, {_words(self.answers)}"
        return f"Game.from_words({words}{rules}, max_guesses=None)"

    def without(self, answers: Sequence[str] = (), guesses: Sequence[str] = ()) -> Spec:
        """The game without these answers and these guesses."""
        gone = set(guesses)
        if self.rules == "ultra-hard" and self.rows:  # such a matrix stays square: the label of each is its number
            gone |= {self.guesses[self.answers.index(answer)] for answer in answers}
        left = tuple(answer for answer in self.answers if answer not in answers)
        kept = tuple(guess for guess in self.guesses if guess not in gone)
        columns = [i for i, answer in enumerate(self.answers) if answer not in answers]
        rows = tuple(
            tuple(row[i] for i in columns) for guess, row in zip(self.guesses, self.rows, strict=False) if guess in kept
        )
        return replace(self, guesses=kept, answers=left, rows=rows)


def _words(words: Sequence[str]) -> str:
    return f"{' '.join(words)!r}.split()"


@dataclass(frozen=True)
class Question:
    """What is asked of a game. The limit and the K of within:K count from the start of the game."""

    limit: int | None = None
    objective: str = "mean"
    openers: tuple[str, ...] | None = None
    weights: tuple[tuple[str, int], ...] | None = None
    turns: tuple[tuple[str, int], ...] = ()
    jobs: int = 1
    slots: int | None = None  # at most so many entries in each table of values
    without: frozenset[str] = frozenset()

    def weight_values(self, game: Game) -> tuple[int, ...] | None:
        """The weights in the order of the game's answers."""
        if self.weights is None:
            return None
        table = dict(self.weights)
        return tuple(table[answer] for answer in game.answers)

    @property
    def left(self) -> int | None:
        """The guesses left after the turns."""
        return None if self.limit is None else self.limit - len(self.turns)

    @property
    def objective_from_here(self) -> str:
        """The objective with K counted after the turns."""
        kind, _, most = self.objective.partition(":")
        return f"within:{int(most) - len(self.turns)}" if kind == "within" else self.objective

    def asked(self, game: Game, **more: object) -> Result:
        """The solver's reply."""
        values = self.weight_values(game)
        options: dict[str, object] = {
            "objective": self.objective,
            "max_guesses": self.limit,
            "weights": None if values is None else Weights("file", values),
            "openers": None if self.openers is None else list(self.openers),
            "jobs": self.jobs,
            **more,
        }
        with patch.object(memory, "_SLOTS_MOST", self.slots or memory._SLOTS_MOST):
            if self.turns:
                return solve_position(game, list(self.turns), **options)  # type: ignore[arg-type]
            return solve(game, without=self.without, **options)  # type: ignore[arg-type]

    def code(self, spec: Spec, more: str = "") -> str:
        """Python that asks it again."""
        options = [f"objective={self.objective!r}", f"max_guesses={self.limit}"]
        if self.weights is not None:
            values = self.weight_values(spec.game())
            options.append(f"weights=Weights('file', {values})")
        if self.openers is not None:
            options.append(f"openers={list(self.openers)}")
        if self.jobs > 1:
            options.append(f"jobs={self.jobs}")
        if self.without:
            options.append(f"without=frozenset({sorted(self.without)})")
        if more:
            options.append(more)
        where = f"solve_position(game, {list(self.turns)}, " if self.turns else "solve(game, "
        tables = "" if self.slots is None else f"optimal.search.memory._SLOTS_MOST = {self.slots}\n"
        shown = "print(result.status, result.value, result.bound, result.tree)"
        return f"{tables}result = {where}{', '.join(options)})\n{shown}"


# Small games, which the textbook can do


def small_game(rng: random.Random, rules: Rules) -> Game:
    """A game of up to some twenty answers."""
    makers = {few_letters: 5, four_and_five: 2, _any: 3}
    if rules is not Rules.HARD:
        makers |= {hardly_anything: 4, square_or_not: 2, _pegs: 1}
    if rules is Rules.NORMAL:
        makers |= {_poor: 3}
    (make,) = rng.choices(list(makers), list(makers.values()))
    return make(rng, rules)


def _any(rng: random.Random, rules: Rules) -> Game:
    return random_game(rng, rules)


def _pegs(rng: random.Random, rules: Rules) -> Game:
    return peg_game(rng, rules, 27, 27)


def _poor(rng: random.Random, rules: Rules) -> Game:
    return poor_game(rng, rules, rng.randint(9, 15), 22)


def square_or_not(rng: random.Random, rules: Rules) -> Game:
    """A bare matrix, larger than the tests' own."""
    return matrix_game(rng, rules, 16, 22)


def few_letters(rng: random.Random, rules: Rules) -> Game:
    """Words of two letters over four to nine, now and then of three over three: limits and within:K bind here."""
    if rng.random() < 0.8:
        letters = "abcdefghi"[: rng.randint(4, 9)]
        words = [a + b for a in letters for b in letters]
    else:
        words = [a + b + c for a in "abc" for b in "abc" for c in "abcd"]
    rng.shuffle(words)
    count = rng.randint(8, min(20, len(words)))
    found, others = words[:count], words[count : count + rng.choice((0, 1, 2, 5, 10))]
    return Game.from_words([*found, *others], found, rules=rules, max_guesses=None)


def four_and_five(rng: random.Random, rules: Rules) -> Game:
    """More words than elsewhere, which tell more."""
    if rng.random() < 0.3:
        return word_game(rng, rules, 18, 30)
    length, letters = rng.choice((3, 4, 5)), "abcdefgh"[: rng.randint(5, 8)]
    words = list({"".join(rng.choices(letters, k=length)): None for _ in range(60)})
    count = rng.randint(12, 26)
    return Game.from_words(words[: rng.randint(count, len(words))], words[:count], rules=rules, max_guesses=None)


def hardly_anything(rng: random.Random, rules: Rules) -> Game:
    """A matrix whose candidates tell next to nothing, with a few guesses that split in two or in many.

    Chains are among them: guesses that take one answer away each.
    """
    count = rng.randint(6, 15)
    winning, plain = (0, 1) if rng.random() < 0.8 else tuple(rng.sample(range(65536), 2))
    codes = [code for code in (1, 2, 3, 4, 5, 6, 7, 8) if code != winning]
    rows = [[plain] * count for _ in range(count)]
    for row in rows:  # some of the candidates tell something
        if rng.random() < 0.25:
            _cut(rng, row, codes, rng.randint(1, 3))
    extra: list[list[int]] = []
    if rules is Rules.NORMAL:
        extra = [[plain] * count for _ in range(rng.randint(0, 5))]
        for row in extra:
            _cut(rng, row, codes, rng.choice((1, 2, 3, 5, 8)))
        if len(extra) > 1 and rng.random() < 0.5:  # two that are nearly the same
            extra[-1] = list(extra[0])
            extra[-1][rng.randrange(count)] = rng.choice(codes)
    for answer in range(count):
        rows[answer][answer] = winning
    rows += extra
    if rules is Rules.NORMAL and rng.random() < 0.3:
        rng.shuffle(rows)
    return Game.from_matrix(rows, winning, rules=rules)


def _cut(rng: random.Random, row: list[int], codes: list[int], cuts: int) -> None:
    """Give stretches of a row codes of their own."""
    for _ in range(cuts):
        start = rng.randrange(len(row))
        stop = min(start + rng.randint(1, 5), len(row))
        row[start:stop] = [rng.choice(codes)] * (stop - start)


# Questions


def random_question(rng: random.Random, game: Game, *, turns: tuple[tuple[str, int], ...] = ()) -> Question:
    """A question of any kind; the turns are made already."""
    made = len(turns)
    objective = rng.choice(("mean", "mean", "worst", *(f"within:{made + rng.choice((1, 2, 2, 3, 3, 4, 5))}",) * 4))
    limit = None if rng.random() < 0.5 else made + rng.randint(1, 7)
    openers = None
    if rng.random() < 0.45:
        openers = tuple(rng.choices(game.guesses, k=rng.choice((1, 2, 2, 3, 4))))
    question = Question(limit, objective, openers, turns=turns, jobs=2 if rng.random() < 0.15 else 1)
    return replace(question, weights=random_weights(rng, game, question))


def random_weights(rng: random.Random, game: Game, question: Question) -> tuple[tuple[str, int], ...] | None:
    """No weights, small ones with zeros and ties, giants, and some next to what the engine can count to."""
    if rng.random() < 0.5:
        return None
    kind = rng.choice(((1,), (1, 2), (1, 1, 1, 2), (0, 1), (1, 2, 3), (0, 1, 5, 40), (1, 10**6)))
    values = [rng.choice(kind) for _ in game.answers]
    if rng.random() < 0.2:
        deepest = min(len(values) + 1, question.left or len(values) + 1)
        most = max(sum(values), 1) * deepest
        if question.objective.startswith("within"):  # missed x (most + 1) + total
            factor = int((INFEASIBLE * rng.choice((0.3, 0.9, 1.1)) / most / max(sum(values), 1)) ** 0.5)
        else:
            factor = (INFEASIBLE - 1) // most + rng.choice((0, 0, 0, 1))
        values = [value * max(factor, 1) for value in values]
    if not any(values):
        values = [1] * len(values)
    return tuple(zip(game.answers, values, strict=True))


# Medium games, which the solver can do in a second


@cache
def _listed(name: str) -> tuple[str, ...]:
    return tuple(data_file(name).read_text(encoding="utf-8").split())


def medium_game(rng: random.Random, rules: Rules) -> Game:
    """A game of some 20 to 400 answers."""
    makers = {classic_words: 5, families: 3, drawn_words: 3}
    if rules is not Rules.HARD:
        makers |= {medium_pegs: 1, medium_matrix: 3}
    if rules is Rules.NORMAL:
        makers |= {rare_letters: 2}
    (make,) = rng.choices(list(makers), list(makers.values()))
    return make(rng, rules)


def classic_words(rng: random.Random, rules: Rules) -> Game:
    """A sample of the real lists."""
    found = rng.sample(_listed("classic-answers.txt"), rng.randint(40, 150))
    others = rng.sample(_listed("classic-guesses.txt"), rng.choice((0, 20, 200, 800)))
    return Game.from_words(list(dict.fromkeys([*found, *others])), found, rules=rules, max_guesses=None)


def families(rng: random.Random, rules: Rules) -> Game:
    """Real words that are alike in most places, and some others."""
    words = _listed("classic-guesses.txt")
    found: dict[str, None] = {}
    count = rng.randint(20, 70)
    while len(found) < count:
        stem, places = rng.choice(words), rng.sample(range(5), rng.choice((3, 3, 4)))
        alike = [word for word in words if all(word[place] == stem[place] for place in places)]
        found |= dict.fromkeys(rng.sample(alike, min(len(alike), 25)))
    answers = list(found)[:count]
    others = rng.sample(words, rng.choice((0, 10, 100, 400)))
    return Game.from_words(list(dict.fromkeys([*answers, *others])), answers, rules=rules, max_guesses=None)


def drawn_words(rng: random.Random, rules: Rules) -> Game:
    """Random words over few letters."""
    length, letters = rng.choice(((2, 12), (3, 5), (3, 8), (4, 4), (4, 6), (5, 4), (5, 6), (6, 4)))
    alphabet = "abcdefghijkl"[:letters]
    words = list({"".join(rng.choices(alphabet, k=length)): None for _ in range(400)})
    count = min(len(words), rng.randint(25, 70 if length > 2 else 45))
    return Game.from_words(words[: count + rng.choice((0, 10, 60, 300))], words[:count], rules=rules, max_guesses=None)


def rare_letters(rng: random.Random, rules: Rules) -> Game:
    """Guesses that leave classes of more than 255 answers, served by supersets."""
    found = rng.sample(_listed("classic-answers.txt"), rng.randint(300, 500))
    words = _listed("classic-guesses.txt")
    poor = [word for word in words if not set(word) & set("eariotnslc")]
    others = [*rng.sample(poor, min(len(poor), 40)), *rng.sample(words, rng.choice((50, 400)))]
    return Game.from_words(list(dict.fromkeys([*found, *others])), found, rules=rules, max_guesses=None)


def medium_pegs(rng: random.Random, rules: Rules) -> Game:
    sizes = {
        "mastermind": ("2x7", "2x9", "3x4", "3x5", "4x3", "5x2", "6x2", "7x2"),
        "bulls-and-cows": ("2x9", "3x5", "3x6", "4x4", "4x5"),
        "black-pegs": ("2x6", "3x4", "4x3", "6x2"),
    }
    kind = rng.choice(("mastermind", "mastermind", "bulls-and-cows", "black-pegs"))
    return Game.preset(f"{kind}:{rng.choice(sizes[kind])}", rules)


def medium_matrix(rng: random.Random, rules: Rules) -> Game:
    """Poor feedback: a few codes with odds of their own in each row."""
    count = rng.randint(16, 45)
    rows = count if rules is Rules.ULTRA_HARD else count + rng.choice((0, 5, 20, 60))
    codes = rng.choice((2, 2, 3, 4, 6))
    matrix: npt.NDArray[np.int64] = np.ones((rows, count), np.int64)
    for row in range(rows):
        odds = [rng.choice((1, 1, 4, 12)) for _ in range(codes)]
        matrix[row] = rng.choices(range(1, codes + 1), odds, k=count)
    matrix[np.arange(count), np.arange(count)] = 0
    return Game.from_matrix(matrix, 0, rules=rules)
