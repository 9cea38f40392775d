"""What a run knows, and what it tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from games_util import letters_game, search_of

from optimal.errors import InternalError
from optimal.games.game import Game
from optimal.search.game_problem import Problem
from optimal.search.game_run import BestTree, GameRun
from optimal.search.game_tree import replay
from optimal.search.progress import Progress
from optimal.search.solve import solve


def test_a_tree_at_hand_is_not_given_up_for_what_the_journal_has(tmp_path: Path) -> None:
    """Of a low tree, known before the journal is read, the progress tells at once; and no worse one takes its place."""
    game = letters_game("low", 90, 3)
    seen: list[list[tuple[str, int | None]]] = [[], []]
    for journal, told in zip((None, tmp_path / "j"), seen, strict=True):

        def progress(now: Progress, told: list[tuple[str, int | None]] = told) -> None:
            told.append((now.phase, now.incumbent))

        solve(game, objective="worst", journal=journal, progress=progress)
    assert seen[0] == seen[1]
    assert sum(phase == "greedy play" and cost is not None for phase, cost in seen[1]) == 1


@pytest.mark.parametrize(("cost", "stays"), [(None, True), (8, True), (7, False), (6, False)])
def test_the_better_of_two_trees_is_at_hand(cost: int | None, *, stays: bool) -> None:
    """What a run has, and what it takes over; of equal ones the latter, which may be known to be the first of all."""
    run = GameRun(Problem(Game.from_words(["ab", "ba"], ["ab", "ba"]), None), trees=True)
    run.best_tree = before = BestTree(7, canonical=False, openers=None, nested=(0, {}))
    other = None if cost is None else BestTree(cost, canonical=True, openers=None, nested=(1, {}))
    run.take_over({}, {}, other, every=False)
    assert run.best_tree is (before if stays else other)
    assert run.control.incumbent == run.best_tree.cost


def test_a_tree_that_leaves_answers_out_is_no_tree() -> None:
    """Replays find every answer once, and say where a class has no guess, or a guess no class."""
    game = Game.from_words(["ab", "ba", "bb"])
    ab, ba, bb = range(3)
    codes = {(g, a): int(game.matrix[g, a]) for g in range(3) for a in range(3)}
    leaf: dict[int, Any] = {number: (number, {}) for number in range(3)}
    whole: Any = (ab, {codes[ab, ba]: leaf[ba], codes[ab, bb]: leaf[bb]})
    assert replay(game, whole) == [1, 2, 2]
    for wrong in (
        leaf[ab],  # two answers have no guess
        (ab, {codes[ab, ba]: leaf[ba]}),
        (ab, {codes[ab, ba]: leaf[ba], codes[ab, bb]: leaf[ba]}),  # the last guess is another
        (ab, {codes[ab, ba]: (ba, {codes[ba, ab]: leaf[ab]}), codes[ab, bb]: leaf[bb]}),  # a guess for no answer
    ):
        with pytest.raises(InternalError, match="does not answer every feedback"):
            replay(game, wrong)


def test_all_openers_are_bounded_before_any_is() -> None:
    """By one count: once there is a tree, whoever looks sees how far it may be from the best."""
    seen: list[Progress] = []
    game = letters_game("bounded", 200, 3)
    total = solve(game, progress=seen.append).total
    least = search_of(game).lower_bound(game.max_guesses or 6)
    bounds = [at.bound for at in seen if at.incumbent is not None]
    assert total is not None
    assert len(game.answers) < least
    assert bounds
    assert all(bound is not None and least <= bound <= total for bound in bounds)
