"""Nogoods: what they claim, against the textbook solver, and that they are as small as they can be."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from games_util import as_code, grid_game, letters_game, poor_game, search_of, word_game
from textbook import Textbook

from optimal import _engine
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search import nogoods as nogoods_module
from optimal.search.nogoods import Nogoods, least_infeasible_part
from optimal.search.ranking import rank

INFEASIBLE = _engine.INFEASIBLE
NOGOODS = _engine.SWITCHES["nogoods"]


def part(game: Game, answers: list[int]) -> Game:
    """The same guesses, but only these answers: as a bare matrix, of which no other guess wins."""
    matrix = game.matrix[:, answers].copy().astype(np.uint16)
    for column, answer in enumerate(answers):
        matrix[:, column][matrix[:, column] == game.winning_code] = 60000
        matrix[game.answer_guess[answer], column] = game.winning_code
    return Game.from_matrix(matrix, game.winning_code, name="part")


@pytest.mark.parametrize("make", [word_game, grid_game, poor_game])
def test_feasible_says_what_the_textbook_says(make: Callable[[random.Random], Game]) -> None:
    rng = random.Random(f"feasible {make.__name__}")
    told = set()
    for _ in range(40):
        game = make(rng)
        search = search_of(game)
        for limit in (1, 2, 3, 4):
            answers = sorted(rng.sample(range(len(game.answers)), rng.randint(1, len(game.answers))))
            known = Textbook(part(game, answers)).solve(limit) is not None
            told.add(known)
            assert search.feasible(np.array(answers, dtype=np.int32), limit) is known, (as_code(game), answers, limit)
    assert told == {False, True}


@pytest.mark.parametrize(
    "sizes", [{}, {"_PART": 4, "_MOST": 3}, {"_PART": 5, "_MOST": 4, "_ANSWERS": 0}, {"_PART": 6, "_WHOLE": 3}]
)
@pytest.mark.parametrize("make", [word_game, grid_game, poor_game])
def test_nogoods_are_infeasible_and_least_and_refute_infeasible_openers(
    make: Callable[[random.Random], Game], sizes: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in sizes.items():
        monkeypatch.setattr(nogoods_module, name, size)
    rng = random.Random(f"nogoods {make.__name__}")
    found = 0
    for _ in range(40):
        game = make(rng)
        limit = rng.choice((2, 3))
        search, nogoods = search_of(game), Nogoods(game, limit)
        everything = np.arange(len(game.answers), dtype=np.int32)
        if not search.feasible(everything, limit):
            nogood = least_infeasible_part(search, everything, limit)
            assert not search.feasible(nogood, limit)
            if len(nogood) > 1:
                assert all(search.feasible(np.delete(nogood, i), limit) for i in range(len(nogood)))
            found += len(nogood) < len(everything)
        for guess in range(len(game.guesses)):
            known = Textbook(game).solve(limit, "mean", (guess,)) is None
            assert nogoods.refutes(search, guess) is known, (as_code(game), limit, guess)
        assert all(Textbook(game).solve(limit, "mean", (int(g),)) is None for g in np.flatnonzero(nogoods.refuted))
    assert found


@pytest.mark.slow
def test_what_a_search_learns_is_infeasible() -> None:
    """Every set that the search keeps has no tree, and what is known from earlier questions changes no later value."""
    rng = random.Random("learned")
    learned = 0
    for _ in range(40):
        game = poor_game(rng, answers=32, guesses=60)
        search = search_of(game)
        for limit in (3, 4, 5):
            for guess in rng.sample(range(len(game.guesses)), 6):
                plain = search_of(game, NOGOODS).opener(guess, limit, INFEASIBLE)
                assert search.opener(guess, limit, INFEASIBLE) == plain, (as_code(game), limit, guess)
        learned += len(search.nogoods)
        for answers, left in search.nogoods[:20]:
            assert Textbook(part(game, list(answers))).solve(left) is None, (as_code(game), answers, left)
    assert learned > 100


@pytest.mark.parametrize("rules", list(Rules))
def test_where_sets_alone_do_not_decide_nothing_is_learned(rules: Rules) -> None:
    game = Game.preset("classic", rules)
    words = [game.guess_index(word) for word in ("crane", "abbey")]
    weights = [1] * (len(game.answers) - 1) + [2]
    plain, weighted = search_of(game), search_of(game, weights=weights)
    for guess in words:
        assert plain.opener(guess, 4, INFEASIBLE)[0] == INFEASIBLE
        assert weighted.opener(guess, 4, INFEASIBLE)[0] == INFEASIBLE
    assert not weighted.nogoods
    assert bool(plain.nogoods) == (rules is Rules.NORMAL)


def test_where_no_opener_has_a_tree_a_ranking_refutes_them_by_nogoods(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a search each, those of classic within four guesses would take hours."""
    game, asked, refutes = letters_game("rank 2", 400, 1, max_guesses=3), list[int](), Nogoods.refutes

    def counted(nogoods: Nogoods, search: _engine.Search, guess: int) -> bool:
        asked.append(guess)
        return refutes(nogoods, search, guess)

    monkeypatch.setattr(Nogoods, "refutes", counted)
    assert rank(game, first=game.guesses[:9]).missed
    assert len(asked) == 8
