"""Random games and questions for the fuzzer."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt
from games_util import matrix_game, peg_game, poor_game, random_game, random_weights, word_game
from positions_util import candidates_after, legal_after
from questions_util import Question
from slices_util import alike_game

from optimal.games.game import Game
from optimal.games.resources import data_file
from optimal.games.rules import Rules

Maker = Callable[[random.Random, Rules], Game]

# Small games, which the textbook can do


def small_game(rng: random.Random, rules: Rules) -> Game:
    """A game of up to some twenty answers."""
    makers: dict[Maker, int] = {few_letters: 5, partial(word_game, answers=18, guesses=30): 2, random_game: 3}
    if rules is not Rules.HARD:
        matrix, pegs = partial(matrix_game, answers=16, guesses=22), partial(peg_game, answers=27, guesses=27)
        makers |= {hardly_anything: 4, matrix: 2, pegs: 1}
    if rules is Rules.NORMAL:
        makers |= {partial(poor_game, answers=15, guesses=22): 3}
    return made_by(makers, rng, rules)


def made_by(makers: dict[Maker, int], rng: random.Random, rules: Rules) -> Game:
    """A game by one of these makers, by their odds."""
    (make,) = rng.choices(list(makers), list(makers.values()))
    return make(rng, rules)


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


def random_question(rng: random.Random, game: Game, turns: tuple[tuple[int, int], ...] = ()) -> Question:
    """A question of any kind; the turns are made already."""
    made = len(turns)
    objective = rng.choice(("mean", "mean", "worst", *(f"within:{made + rng.choice((1, 2, 2, 3, 3, 4, 5))}",) * 4))
    limit = None if rng.random() < 0.5 else made + rng.randint(1, 7)
    legal = legal_after(game, list(turns))
    openers = tuple(rng.choices(legal, k=rng.choice((1, 2, 2, 3, 4)))) if legal and rng.random() < 0.45 else None
    weights = None if rng.random() < 0.5 else random_weights(rng, len(game.answers), 1000)
    if weights is not None and not any(weights[answer] for answer in candidates_after(game, list(turns))):
        weights = None  # there would be no mean
    return Question(limit, objective, openers, weights, turns)


# Medium games, which the solver can do in a second


@cache
def _listed(name: str) -> tuple[str, ...]:
    return tuple(data_file(name).read_text(encoding="utf-8").split())


def medium_game(rng: random.Random, rules: Rules) -> Game:
    """A game of some 20 to 400 answers."""
    makers: dict[Maker, int] = {classic_words: 5, alike_game: 3, drawn_words: 3}
    if rules is not Rules.HARD:
        makers |= {medium_pegs: 1, medium_matrix: 3}
    if rules is Rules.NORMAL:
        makers |= {rare_letters: 2}
    return made_by(makers, rng, rules)


def classic_words(rng: random.Random, rules: Rules) -> Game:
    """A sample of the real lists."""
    found = rng.sample(_listed("classic-answers.txt"), rng.randint(40, 150))
    others = rng.sample(_listed("classic-guesses.txt"), rng.choice((0, 20, 200, 800)))
    return Game.from_words(list(dict.fromkeys([*found, *others])), found, rules=rules, max_guesses=None)


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
