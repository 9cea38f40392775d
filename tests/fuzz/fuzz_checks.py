"""What the fuzzer does with games: each check makes a case and judges it. It raises AssertionError where something
differs, and TooLarge where the case can't be judged."""

from __future__ import annotations

import random
import signal
from dataclasses import replace
from unittest.mock import patch

from fuzz_games import few_letters, hardly_anything, medium_game, random_question, small_game
from games_util import as_code
from positions_util import chances_at, keys_at, named, random_turns
from questions_util import Question, check, check_stopped, check_tree, tree_alone
from slices_util import slices_case
from textbook import Textbook, TooLarge

from optimal.advice.analysis import analyse
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search import memory
from optimal.search.engine import SWITCHES
from optimal.search.result import Result

#: Positions that the textbook may look at before a case counts as too large: some five seconds.
MOST_POSITIONS = 15_000
#: Openers of a game that are searched in slices.
OPENERS = 24
#: Seconds for a run with switches off; what takes longer is not compared.
MOST_SECONDS = 4.0
#: Without these a search takes so long that only quick ones are tried so; the nodes that are few enough.
COSTLY = {"table": 60, "counts": 60, "splits": 600, "frames": 20_000}
MOST_NODES = 40_000


def check_textbook(rng: random.Random) -> None:
    """A small game, at its start or at a position, against the textbook: status, value, bound and the very tree."""
    game = small_game(rng, rng.choice((Rules.NORMAL, Rules.NORMAL, *Rules)))
    turns = tuple(random_turns(rng, game, rng.randint(1, 2))) if rng.random() < 0.2 else ()
    question = random_question(rng, game, turns)
    if question.openers is None and rng.random() < 0.2:  # a limit that binds, or nearly
        found = Textbook(game, most=MOST_POSITIONS // 4).solve(None, "worst", None, turns)
        assert found is not None
        worst = len(turns) + found.value[0]
        question = replace(question, limit=max(len(turns) + 1, worst + rng.choice((-1, 0, 0, 1))))
    elif not turns and rng.random() < 0.35:  # answers may be late: the cost of a guess changes on the way
        game = rng.choice((few_letters, hardly_anything))(rng, Rules.NORMAL)
        weights = None if rng.random() < 0.6 else tuple(rng.choice((1, 1, 1, 2)) for _ in game.answers)
        openers = None if rng.random() < 0.6 else tuple(rng.sample(range(len(game.guesses)), rng.randint(2, 4)))
        question = Question(None, f"within:{rng.choice((2, 2, 2, 3))}", openers, weights)
    jobs = 2 if rng.random() < 0.15 else 1
    textbook = Textbook(game, question.weights, MOST_POSITIONS)
    textbook.solve(question.left, question.objective_from_here, question.openers, question.turns)  # or TooLarge
    check(game, textbook, question, question.asked(game, jobs=jobs), f"{jobs} jobs")


def check_advice(rng: random.Random) -> None:
    """`analyse` at a position against the textbook: the total and the worst case of every guess that it lists."""
    game = small_game(rng, rng.choice(tuple(Rules)))
    turns = random_turns(rng, game, rng.randint(0, 2))
    left = None if rng.random() < 0.5 else rng.randint(1, 6)
    keys = keys_at(Textbook(game, None, MOST_POSITIONS), turns, left)
    limit = None if left is None else left + len(turns)
    jobs = rng.choice((1, 1, 2))
    found = analyse(game, named(game, turns), limit=limit, jobs=jobs, top=len(game.guesses))
    story = f"\n{as_code(game)}\n{turns}, {left} guesses left"
    if left is not None and not any(keys.values()):
        if len(game.guesses) ** left > 20_000:
            raise TooLarge
        least = min(chances_at(game, turns, left).values())
        assert (found.guesses[0].missed, found.guesses[0].total) == least, story
        return
    wanted = [(game.guesses[key.guess], key.total, key.worst) for key in sorted(filter(None, keys.values()))]
    assert [(advice.guess, advice.total, advice.worst) for advice in found.guesses] == wanted, story
    none = sorted((game.guesses[guess], None) for guess, key in keys.items() if key is None)
    assert sorted(found.others) == none, story


def check_switches(rng: random.Random) -> None:
    """A medium game asked in several ways: the same status, value and bound, and the same tree."""
    game = medium_game(rng, rng.choice((Rules.NORMAL, Rules.NORMAL, *Rules)))
    question = medium_question(rng, game)
    if question.openers is not None and rng.random() < 0.7:  # few openers are settled at once
        openers = rng.choices(range(len(game.guesses)), k=rng.choice((2, 8, 20, 40)))
        question = replace(question, openers=tuple(openers))
    base = question.asked(game, time_limit=MOST_SECONDS)
    if base.stop_reason != "done":
        raise TooLarge
    story = f"\n{as_code(game)}\n{question}\n"
    check_tree(game, question, base, story)

    def same(other: Result, how: object) -> None:
        if other.stop_reason == "done":
            told = [(r.status, r.value, r.bound, tree_alone(r)) for r in (base, other)]
            assert told[0] == told[1], f"{story}{how}"

    every = sorted(SWITCHES)
    for count in (1, 1, rng.randint(2, len(every))):
        off = frozenset(rng.sample(every, count))
        if base.nodes <= min((COSTLY[switch] for switch in off if switch in COSTLY), default=MOST_NODES):
            same(question.asked(game, without=off, time_limit=MOST_SECONDS), f"off: {sorted(off)}")
    with patch.object(memory, "_SLOTS_MOST", 1 << 10):
        same(question.asked(game, jobs=rng.choice((1, 2)), time_limit=MOST_SECONDS), "a small table")
    if question.weights is None:
        ones = replace(question, weights=(1,) * len(game.answers))
        same(ones.asked(game, time_limit=MOST_SECONDS), "weights of 1")
    if game.rules is Rules.NORMAL and base.nodes <= COSTLY["splits"]:
        bare = Game.from_matrix(game.matrix, game.winning_code, guesses=game.guesses, answers=game.answers)
        same(question.asked(bare, time_limit=MOST_SECONDS), "a bare matrix")


def check_stop(rng: random.Random) -> None:
    """A solve that is stopped: its bound and its tree enclose the exact value, and OPTIMAL means the same tree."""
    game = medium_game(rng, rng.choice(tuple(Rules)))
    question = medium_question(rng, game)
    whole = question.asked(game, time_limit=4 * MOST_SECONDS)
    if whole.stop_reason != "done":
        raise TooLarge
    seconds, reports = (0.5 ** rng.randint(0, 12), 0) if rng.random() < 0.5 else (None, rng.randint(1, 6))

    def interrupt(_: object) -> None:
        nonlocal reports
        reports -= 1
        if reports == 0:
            signal.raise_signal(signal.SIGINT)

    stopped = question.asked(game, time_limit=seconds, progress=interrupt)
    check_stopped(game, question, stopped, whole)


def medium_question(rng: random.Random, game: Game) -> Question:
    question = random_question(rng, game)
    return question if question.limit is None else replace(question, limit=rng.randint(3, 8))


def check_slices(rng: random.Random) -> None:
    """Openers of a random game, searched in slices: see slices_util.py. Wants a build with small thresholds."""
    slices_case(random.Random(rng.getrandbits(64)), OPENERS)
