"""Small random games for the tests, the same ones on every run."""

from __future__ import annotations

import math
import random
import signal
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from optimal._engine import GameTables, Search, Supersets
from optimal.games.feedback import GREEN, YELLOW, WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import new_control, supersets_for, tables_of
from optimal.search.progress import Progress
from optimal.search.result import Result
from optimal.trees.file import to_bytes

MOST_ANSWERS, MOST_GUESSES = 12, 25

Maker = Callable[[random.Random, Rules, int, int], Game]


def search_of(
    game: Game, off: int = 0, history: tuple[tuple[int, int], ...] = (), weights: Sequence[int] | None = None
) -> Search:
    """A search of its own at a position, with the switches `off` left out."""
    values = None if weights is None else np.array(weights, dtype=np.int64)
    return Search(tables_of(game), new_control(), None, history, values, off=off)


def measured(game: Game, tables: GameTables) -> Supersets | None:
    """Supersets of the openers' classes, measured; None where they are of no use."""
    assert isinstance(game.feedback, WordFeedback)
    found = supersets_for(tables, game.feedback, range(len(game.guesses)))
    if found is None:
        return None
    supersets, which = found
    supersets.measure(which, new_control())
    return supersets


def letters_game(
    name: str, count: int, every: int, rules: str = "normal", letters: str = "abcdefgh", **options: Any
) -> Game:
    """At most `count` words of four of these letters, the same for the same name; each `every`-th is an answer."""
    rng = random.Random(name)
    words = sorted({"".join(rng.choices(letters, k=4)) for _ in range(count)})
    return Game.from_words(words, words[::every], rules=rules, **options)


def dominated_game() -> Game:
    """All words as guesses, every twelfth as an answer: at many positions other guesses dominate a quarter of them."""
    words = Game.preset("classic-all").guesses
    return Game.from_words(words, words[::12])


def right_or_wrong(size: int) -> Game:
    """Feedback says no more than whether the guess is right."""
    return Game.from_matrix(1 - np.eye(size, dtype=np.uint8), 0)


def interrupt_at(phase: str, call: int = 1) -> Callable[[Progress], None]:
    """A progress callback that sends Ctrl-C once: at its `call`-th call in this phase."""
    calls = 0

    def progress(now: Progress) -> None:
        nonlocal calls
        calls += now.phase == phase
        if now.phase == phase and calls == call:
            signal.raise_signal(signal.SIGINT)

    return progress


class StopAt:
    """A progress callback that sends Ctrl-C at its call of that number, and has the least total that it was told."""

    def __init__(self, call: int) -> None:
        self.left, self.told = call, math.inf

    def __call__(self, now: Progress) -> None:
        self.told = min(self.told, math.inf if now.incumbent is None else now.incumbent)
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)


def told(found: Result) -> tuple[object, ...]:
    """What two runs of one problem must have alike."""
    tree = None if found.tree is None else to_bytes(found.tree)
    return found.status, found.value, found.bound, found.openers_refuted, tree


def random_game(
    rng: random.Random, rules: Rules = Rules.NORMAL, answers: int = MOST_ANSWERS, guesses: int = MOST_GUESSES
) -> Game:
    """A game of any kind that has these rules, with at most so many answers and guesses; it has no limit."""
    odds: dict[Maker, int] = {word_game: 6, grid_game: 2}
    if rules is not Rules.HARD:
        odds |= {matrix_game: 6, peg_game: 1}
    if rules is Rules.NORMAL:
        odds[poor_game] = 2
    (make,) = rng.choices(list(odds), list(odds.values()))
    return make(rng, rules, answers, guesses)


def word_game(
    rng: random.Random, rules: Rules = Rules.NORMAL, answers: int = MOST_ANSWERS, guesses: int = MOST_GUESSES
) -> Game:
    """Words of 2 to 6 letters over 2 to 5, so that most of them have letters twice. Six need 16-bit codes."""
    length = rng.choice((2, 3, 3, 4, 4, 5, 5, 6))
    letters = "abcde"[: rng.randint(2, 5)]
    if len(letters) ** length <= 1024:
        words = ["".join(word) for word in product(letters, repeat=length)]
        rng.shuffle(words)
    else:
        words = list({"".join(rng.choices(letters, k=length)): None for _ in range(4 * guesses)})
    if rng.random() < 0.3:
        # Words that differ in one place only, the .IGHT kind, come first.
        stem, place = rng.choice(words), rng.randrange(length)
        family = [stem[:place] + letter + stem[place + 1 :] for letter in letters]
        words = list(dict.fromkeys(family + words))
    count = rng.randint(1, min(answers, len(words)))
    found = words[:count]
    others = words[count : max(count, rng.randint(count, guesses))]
    return Game.from_words(
        rng.sample(found + others, len(found + others)), found, name="random", rules=rules, max_guesses=None
    )


def grid_game(
    rng: random.Random, rules: Rules = Rules.NORMAL, answers: int = MOST_ANSWERS, guesses: int = MOST_GUESSES
) -> Game:
    """Words that differ in two places, and few others: now and then a limit costs some of the total."""
    length, letters = rng.choice((2, 2, 3)), "abcdefg"[: rng.randint(4, 7)]
    words = [a + b + "h" * (length - 2) for a in letters for b in letters]
    rng.shuffle(words)
    found = words[: min(answers, len(words), rng.randint(6, MOST_ANSWERS))]
    others = ["".join(rng.choices("abcdefghijxxxxxxxxx", k=length)) for _ in range(rng.randint(0, 4))]
    listed = list(dict.fromkeys(found + others))[: max(len(found), guesses)]
    return Game.from_words(listed, found, name="random", rules=rules, max_guesses=None)


def matrix_game(
    rng: random.Random, rules: Rules = Rules.NORMAL, answers: int = MOST_ANSWERS, guesses: int = MOST_GUESSES
) -> Game:
    """A bare matrix, with repeated rows and columns among its kinds; square for ultra-hard."""
    count = rng.randint(1, answers)
    rows = count if rules is Rules.ULTRA_HARD else rng.randint(count, max(count, guesses))
    codes = list(range(rng.randint(2, 5)))
    if rng.random() < 0.15:
        codes = rng.sample(range(65536), len(codes))  # codes that need 16 bits
    winning = codes.pop(rng.randrange(len(codes)))
    # Uneven odds make guesses that tell little, or nothing.
    odds = [rng.choice((1, 1, 3, 9)) for _ in codes]
    matrix = [rng.choices(codes, odds, k=count) for _ in range(rows)]
    if rng.random() < 0.4:  # answers that only a winning guess can tell apart
        for _ in range(rng.randint(1, count)):
            here, there = rng.randrange(count), rng.randrange(count)
            for row in matrix:
                row[here] = row[there]
    if rng.random() < 0.4:  # guesses that say the same
        for _ in range(rng.randint(1, rows)):
            matrix[rng.randrange(rows)] = list(rng.choice(matrix))
    winners = range(count) if rules is Rules.ULTRA_HARD else rng.sample(range(rows), count)
    for answer, guess in enumerate(winners):
        matrix[guess][answer] = winning
    return Game.from_matrix(matrix, winning, name="random", rules=rules)


def poor_game(
    rng: random.Random, rules: Rules = Rules.NORMAL, answers: int = MOST_ANSWERS, guesses: int = MOST_GUESSES
) -> Game:
    """A bare matrix where candidates tell little and others halve: a limit often costs some of the total."""
    count = rng.randint(min(9, answers), answers)
    rows = rng.randint(count, min(guesses, count + 4))
    matrix = [[0 if rng.random() < 0.8 else 1 for _ in range(count)] for _ in range(count)]
    matrix += [rng.choices((0, 1), k=count) for _ in range(rows - count)]
    for answer in range(count):
        matrix[answer][answer] = 2
    rng.shuffle(matrix)
    return Game.from_matrix(matrix, 2, name="random", rules=rules)


def peg_game(
    rng: random.Random, rules: Rules = Rules.NORMAL, answers: int = MOST_ANSWERS, guesses: int = MOST_GUESSES
) -> Game:
    """Mastermind of a small size: pegs x colours."""
    sizes = [(p, c) for p in range(1, 5) for c in range(2, 10) if c**p <= min(answers, guesses)]
    pegs, colours = rng.choice(sizes)
    return Game.preset(f"mastermind:{pegs}x{colours}", rules)


def random_weights(rng: random.Random, count: int, giant: int = 10**9) -> tuple[int, ...]:
    """Weights with ties, zeros and giants among them; not all of them 0, as there would be no mean."""
    kind = rng.choice(((0, 1), (1, 2, 3), (0, 1, 5, 40), (1, giant), (1, 2, 3, 5, 8, 13)))
    weights = [rng.choice(kind) for _ in range(count)]
    weights[rng.randrange(count)] = kind[-1]
    return tuple(weights)


def random_openers(rng: random.Random, game: Game) -> tuple[int, ...] | None:
    """None for every opener, or a few: useless ones and, at times, one named twice among them."""
    if rng.random() < 0.6:
        return None
    return tuple(rng.choices(range(len(game.guesses)), k=rng.randint(1, 4)))


def as_code(game: Game) -> str:
    """Python that makes the game again: what a failing test should show."""
    rest = f"rules={str(game.rules)!r}, max_guesses={game.max_guesses}"
    if game.feedback is None:
        return f"Game.from_matrix({game.matrix.tolist()}, {game.winning_code}, {rest})"
    if game.feedback.kind != "words":
        return f"Game.preset({game.name!r}, {str(game.rules)!r})"
    return f"Game.from_words({_words(game.guesses)}, {_words(game.answers)}, {rest})"


def _words(words: Sequence[str]) -> str:
    return f"{' '.join(words)!r}.split()"


def matrix_scorer(game: Game) -> Callable[[str, str], int] | None:
    """A scorer for a bare matrix; other games leave it to verify's own scoring."""
    if game.feedback is not None:
        return None
    rows = {guess: i for i, guess in enumerate(game.guesses)}
    columns = {answer: i for i, answer in enumerate(game.answers)}
    return lambda guess, answer: int(game.matrix[rows[guess], columns[answer]])


def play_tree(game: Game, tree: Any, left: list[int]) -> int:
    """The guesses that a tree, as the engine gives it, needs for these answers; it has to find them all."""
    guess, children = tree
    codes = {answer: int(game.matrix[guess, answer]) for answer in left}
    rest = {code: [a for a in left if codes[a] == code] for code in set(codes.values()) - {game.winning_code}}
    assert rest.keys() == children.keys()
    return len(left) + sum(play_tree(game, children[code], some) for code, some in rest.items())


def naive_word_score(guess: str, answer: str) -> int:
    """The feedback code of the naive rule, in plain Python: other letters of the answer are all yellow."""
    return sum(
        (GREEN if mine == theirs else YELLOW) * 3**i
        for i, (mine, theirs) in enumerate(zip(guess, answer, strict=True))
        if mine in answer
    )
