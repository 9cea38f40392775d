"""Supersets: the lists of guesses, counted for many sets at once, against counts by numpy."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from games_util import letters_game

from optimal._engine import INFEASIBLE, NO_LIMIT, SWITCHES, Control, Search, Supersets
from optimal.games.game import Game
from optimal.search.engine import new_control, tables_of

DIGITS = np.array([[code // 3**place % 3 for place in range(4)] for code in range(81)], dtype=np.uint8)


def game_of(guesses: int) -> Game:
    return letters_game(f"supersets {guesses}", guesses, 3, letters="abcdefghij", max_guesses=None)


def collected(game: Game, longest: int = 0) -> tuple[Supersets, npt.NDArray[np.int32]]:
    supersets = Supersets(tables_of(game), DIGITS, 4, longest=longest)
    supersets.collect(np.arange(0, len(game.guesses), 9, dtype=np.int32), 4.0)
    which, room = supersets.worth(2, 4)
    assert len(which) == len(room) > 500  # more than one slice
    return supersets, which


def check(game: Game, supersets: Supersets, which: npt.NDArray[np.int32], longest: int) -> int:
    """Hold the lists against counts of every guess. Returns how many end in a tail."""
    matrix = np.asarray(game.matrix)
    on_all = np.array([len(set(row)) for row in matrix.tolist()])
    order = np.argsort(-on_all, kind="stable")
    tails = 0
    for index in which.tolist():
        answers, guesses, counts, tail, most = supersets.list_of(index)
        codes = np.sort(matrix[:, answers], axis=1)
        exact = 1 + (codes[:, 1:] != codes[:, :-1]).sum(axis=1)
        listed = [guess for guess in order[np.argsort(-exact[order], kind="stable")].tolist() if exact[guess] > tail]
        assert guesses == listed
        assert counts == exact[listed].tolist()
        assert len(listed) <= longest
        assert most == max(counts, default=tail) >= exact.max()
        tails += tail > 0
    return tails


@pytest.mark.parametrize(("guesses", "most"), [(300, 9000), (300, 5), (2600, 9000), (2600, 90), (2600, 3)])
def test_lists_against_numpy(guesses: int, most: int) -> None:
    """Short lists overflow what the sample lets expect, and are halved."""
    game = game_of(guesses)
    supersets, which = collected(game, most)
    supersets.measure(which, new_control())
    assert (check(game, supersets, which[::17], most) > 0) == (most < guesses)


def test_a_stop_leaves_nothing_half_measured() -> None:
    game = game_of(300)
    supersets, which = collected(game)
    stopped = Control(np.array([0, 1], dtype=np.int64))
    supersets.measure(which, stopped)
    with pytest.raises(ValueError, match="is not measured"):
        supersets.list_of(int(which[0]))
    with pytest.raises(IndexError, match="of"):
        supersets.list_of(supersets.used)
    for part in np.array_split(which, 5):
        supersets.measure(part, new_control())
        supersets.measure(part, new_control())  # what is measured stays
    check(game, supersets, which[::40], 1536)


@pytest.mark.parametrize("longest", [1, 2, 6])
@pytest.mark.parametrize("kind", ["unit", "members", "weights"])
def test_what_short_lists_end_with_bounds_no_class_too_high(longest: int, kind: str) -> None:
    """The best guess of a class is often past the end of the list of its superset. With weights of few kinds the lists
    bound what classes cost in guesses."""
    rng = random.Random(f"short lists {longest}")
    words = sorted({"".join(rng.choices("abcdefgh", k=4)) for _ in range(400)})
    game = Game.from_words(words, rng.sample(words, 70), max_guesses=None)
    tables, control = tables_of(game), new_control()
    supersets = Supersets(tables, DIGITS, 4, longest=longest)
    supersets.collect(np.arange(len(words), dtype=np.int32), 4.0)
    supersets.measure(supersets.worth(1, 1)[0], control)
    weights = np.array([rng.choice((1, 10)) for _ in game.answers]) if kind == "weights" else None
    plain = Search(tables, control, weights=weights, off=SWITCHES["tiers"])
    off = SWITCHES["members"] if kind == "members" else 0
    search = Search(tables, control, supersets, weights=weights, off=off)
    for opener in range(0, len(words), 2):
        exact, _ = plain.opener(opener, NO_LIMIT, INFEASIBLE)
        assert search.opener(opener, NO_LIMIT, exact + 1)[0] == exact
