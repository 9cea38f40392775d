"""Advice and trees at positions: against the textbook solver, and against the solver's own trees."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from games_util import as_code, interrupt_at, random_game
from positions_util import Turns, candidates_after, chances_at, keys_at, named, random_turns, random_weights, shares_of
from textbook import Textbook

from optimal.advice.analysis import Analysis, analyse
from optimal.advice.position import any_answer, checked_position, parse_position
from optimal.advice.subgame import solve_position
from optimal.errors import IllegalGuess, ImpossibleFeedback, InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.info import describe
from optimal.games.openers import sections
from optimal.games.presets import preset
from optimal.games.resources import tree_file, tree_names
from optimal.games.rules import Rules
from optimal.games.weights import Weights, weights_of
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.show.words import percent
from optimal.trees.file import read_tree
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import verify_tree

LIMITS = (None, 1, 2, 3, 4, 6)


@pytest.fixture(scope="module")
def classic() -> Game:
    return Game.preset("classic")


def check_advice(
    game: Game, textbook: Textbook, turns: Turns, limit: int | None, top: int, jobs: int, weights: Weights | None
) -> None:
    """Compare `analyse` with the keys of all legal guesses, which the textbook finds one by one."""
    story = f"\n{as_code(game)}\n{turns}, {limit} guesses left, top {top}, {weights and weights.values}"
    within = None if limit is None else limit + len(turns)
    candidates = candidates_after(game, turns)
    shares, unit = shares_of(textbook, candidates)
    found = analyse(game, named(game, turns), top=top, limit=within, jobs=jobs, weights=weights)
    assert found.weight == sum(shares.values()), story
    assert found.weighted == (len(set(shares.values())) > 1), story
    keys = keys_at(textbook, turns, limit)
    if limit is not None and not any(keys.values()):
        values = textbook.weights
        chances = {g: (m // unit, t // unit) for g, (m, t) in chances_at(game, turns, limit, values).items()}
        check_chances(game, found, chances, top, story)
        return
    assert (found.missed, found.chance) == (None, None), story
    ranked = sorted(key._replace(total=key.total // unit) for key in keys.values() if key is not None)
    listed = [key for key in ranked if key.total <= ranked[min(top, len(ranked)) - 1].total]
    assert [(a.guess, a.total, a.worst, a.is_candidate) for a in found.guesses] == [
        (game.guesses[key.guess], key.total, key.worst, not key.not_a_candidate) for key in listed
    ], story
    totals = [key.total for key in ranked]
    assert [advice.rank for advice in found.guesses] == [1 + totals.index(key.total) for key in listed], story
    assert found.candidates == tuple(game.answers[answer] for answer in candidates), story
    assert found.total == ranked[0].total, story
    assert found.status is Status.OPTIMAL, story
    for advice in found.guesses:
        guess = game.guess_index(advice.guess)
        sizes: Counter[int] = Counter()
        for answer, share in shares.items():
            sizes[game.matrix[guess, answer]] += share
        assert advice.classes == len(sizes), story
        assert advice.mean == Fraction(advice.total, found.weight), story
        own = sum(share for answer, share in shares.items() if game.answer_guess[answer] == guess)
        assert advice.chance == Fraction(own, found.weight), story
        bits = sum(size / found.weight * math.log2(found.weight / size) for size in sizes.values() if size)
        assert advice.bits == pytest.approx(bits, abs=1e-9), story
    # The others, each legal guess that isn't listed, have bounds that hold.
    left = {game.guess_index(guess): bound for guess, bound in found.others}
    assert set(left) == set(keys) - {key.guess for key in listed}, story
    for guess, bound in left.items():
        key = keys[guess]
        assert (key is None) if bound is None else (key is None or key.total >= bound * unit), story
        assert bound is None or bound > listed[-1].total, story


def check_chances(game: Game, found: Analysis, chances: dict[int, tuple[int, int]], top: int, story: str) -> None:
    """Compare advice where no guess finds every candidate with what each of them misses."""
    weight = found.weight
    ranked = sorted(chances.values())
    listed = [value for value in ranked if value <= ranked[:top][-1] and value[0] < weight]
    assert [(a.missed, a.total) for a in found.guesses] == listed, story
    assert all(chances[game.guess_index(a.guess)] == (a.missed, a.total) for a in found.guesses), story
    assert [a.rank for a in found.guesses] == [1 + ranked.index(value) for value in listed], story
    assert found.status is Status.OPTIMAL, story
    for advice in found.guesses:
        missed = advice.missed or 0
        assert advice.win_chance == Fraction(weight - missed, weight), story
        assert advice.mean == Fraction(advice.total, weight - missed), story
        assert (advice.worst, advice.proven) == (None, True), story
    assert {bound for _, bound in found.others} <= {None}, story
    assert len(found.others) + len(found.guesses) == len(chances), story
    if found.chance is not None and found.others:  # no other guess is likelier to win than the last that is listed
        assert found.others_text().endswith(percent(found.guesses[-1].win_chance or 0, at_most=True)), story
        most = {float(other["win_chance"]) for other in found.to_dict(others=True)["other_guesses"]}
        assert most == {float(found.guesses[-1].win_chance or 0)}, story
        assert min(chances[game.guess_index(guess)] for guess, _ in found.others) >= listed[-1], story


#: Families of words of which hard rules leave each guess to tell about itself alone: (position, candidates, missed).
TRAPS = [
    ("light=bgggg might=bgggg", 7, 3),
    ("light=bgggg", 8, 3),
    ("light=bgggg might=bgggg night=bgggg sight=bgggg fight=bgggg", 4, 3),
    ("catch=bgggg", 6, 1),
    ("bound=bgggg", 7, 2),
    ("power=bgggg", 6, 1),
]


@pytest.mark.parametrize(("position", "count", "missed"), TRAPS)
def test_traps_have_their_exact_chances(classic: Game, position: str, count: int, missed: int) -> None:
    found = analyse(classic.with_rules(Rules.HARD), position)
    left = 6 - len(parse_position(classic, position))
    assert (len(found.candidates), found.guesses_left, found.missed) == (count, left, missed)
    assert found.chance == Fraction(count - missed, count)
    # One of the others is found by each guess that is left.
    assert found.total == sum(range(1, left + 1))
    assert {advice.guess for advice in found if advice.rank == 1} == set(found.candidates)
    assert found.status is Status.OPTIMAL


def test_a_trap_is_left_by_a_guess_that_splits_it(classic: Game) -> None:
    assert analyse(classic, "light=bgggg").missed is None  # by normal rules
    last = analyse(classic, "light=bgggg might=bgggg night=bgggg sight=bgggg fight=bgggg")
    assert [(advice.guess, advice.win_chance) for advice in last] == [
        (guess, Fraction(1, 4)) for guess in ("eight", "right", "tight", "wight")
    ]
    assert "This is the last guess: 25 % with any of these (proven)." in str(last)
    weights = weights_of(classic, {"eight": 3, "right": 3, "tight": 1})
    weighed = analyse(classic, last.position, weights=weights)
    assert "This is the last guess: 38 % with any of the first 2 (proven)." in str(weighed)
    assert [percent(share) for share in (0, Fraction(5, 8), 22841 / 22842, 1)] == ["0 %", "63 %", "99.9956 %", "100 %"]
    assert (percent(0.568, at_least=True), percent(0.568)) == ("56 %", "57 %")
    assert [percent(share, at_most=True) for share in (0, Fraction(5, 11), 0.5, Fraction(1999, 2000), 1)] == (
        ["0 %", "46 %", "50 %", "99.95 %", "100 %"]
    )


def test_what_is_missed_may_weigh_nothing(classic: Game) -> None:
    fit = {"eight", "fight", "night", "right", "sight", "tight"}
    game = Game.from_words(classic.guesses, sorted(fit | {"might", "wight"}))
    weights = Weights("file", tuple(int(word in fit) for word in game.answers))
    found = analyse(game, "light=bgggg", limit=3, weights=weights)
    best = found.guesses[0]
    assert [best.missed, best.win_chance, found.guesses[-1].missed] == [0, 1, 1]
    assert f"Not all can be found; what {best.guess} misses weighs nothing." in str(found)


def test_chances_are_rounded_to_what_is_proven(classic: Game) -> None:
    """Lower bounds down, upper ones up."""
    found = analyse(classic.with_rules(Rules.HARD), "light=bgggg")
    assert found.chance == Fraction(5, 8)
    assert "63 %" in str(found)
    open_ = replace(found, guesses=(replace(found.guesses[0], proven=False),), status=Status.FEASIBLE, weights="some")
    assert ">= 62 %" in str(open_)
    assert f"{open_.guesses[0].guess} wins 62 % at least." in str(open_)
    proven = replace(found, status=Status.FEASIBLE, stop_reason="time limit")
    said = " ".join(str(replace(proven, others=(("aahed", None),))).split())
    assert f"{proven.guesses[0].guess} is the best guess known, 63 %: you can no longer be sure to win." in said
    assert "It misses 3 of 8 candidates." in said
    assert "Stopped, time limit: other guesses may be better." in said
    assert "(proven)" in str(found)
    assert "(proven)" not in said
    first = replace(found.guesses[0], missed=6, win_chance=Fraction(5, 11))
    assert replace(found, guesses=(first,), others=(("aahed", None),)).others_text().endswith(" 46 %")


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("batch", range(2))
def test_advice_is_what_the_textbook_says(rules: Rules, batch: int) -> None:
    rng = random.Random(f"advice {rules} {batch}")
    for _ in range(12):
        game = random_game(rng, rules)
        weights = random_weights(rng, game)
        textbook = Textbook(game, None if weights is None else weights.values)
        for count in (0, 1, 2):
            turns = random_turns(rng, game, count)
            if not any(textbook.weights[answer] for answer in candidates_after(game, turns)):
                continue  # all weigh the same
            for limit in rng.sample(LIMITS, 2):
                check_advice(game, textbook, turns, limit, rng.choice((1, 2, 5, 100)), rng.choice((1, 1, 2)), weights)


def totals_of(tree: StrategyTree, game: Game) -> list[tuple[Turns, Node, int, int]]:
    """Every node with its turns, and the total and worst case of its subtree, by replaying the answers."""
    rows: list[tuple[Turns, Node, int, int]] = []

    def replay(node: Node, turns: Turns, answers: npt.NDArray[np.intp]) -> list[int]:
        """The guesses, from this node on, that find these answers."""
        guess = game.guess_index(node.guess)
        codes = game.matrix[guess, answers]
        depths = [1] * int((codes == game.winning_code).sum())
        for code, child in node.children.items():
            depths += [1 + depth for depth in replay(child, [*turns, (guess, code)], answers[codes == code])]
        assert len(depths) == len(answers)
        rows.append((turns, node, sum(depths), max(depths)))
        return depths

    replay(tree.root, [], np.arange(len(game.answers)))
    return rows


@pytest.mark.parametrize("rules", Rules)
def test_advice_follows_a_tree_at_every_node(rules: Rules) -> None:
    rng = random.Random(f"nodes {rules}")
    for _ in range(10):
        game = random_game(rng, rules)
        tree = solve(game).tree
        assert tree is not None
        for turns, node, total, worst in totals_of(tree, game):
            check_node(game, tree, turns, node, total, worst)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name.removesuffix(".msgpack") for name in tree_names()])
def test_advice_follows_the_shipped_trees(name: str) -> None:
    tree = read_tree(tree_file(f"{name}.msgpack"))
    game = Game.preset(tree.game.name, tree.rules)
    # The first replies of Bulls and Cows leave hundreds of codes, and minutes of search.
    most = 300 if name.startswith("bulls") else 10**9
    rows = [row for row in totals_of(tree, game) if len(row[0]) >= 1 and row[2] < most]
    rows.sort(key=lambda row: row[2])
    rng = random.Random(name)
    for part in range(4):  # one from each quarter by size, the last turns of a game and the first ones alike
        check_node(game, tree, *rng.choice(rows[part * len(rows) // 4 : (part + 1) * len(rows) // 4]))


def check_node(game: Game, tree: StrategyTree, turns: Turns, node: Node, total: int, worst: int) -> None:
    history = named(game, turns)
    found = analyse(game, history, top=1, limit=tree.max_guesses)
    assert found.best is not None
    assert (found.total, found.best.worst, found.best.guess) == (total, worst, node.guess), describe(game, history)


def test_openers_and_weights_at_a_position(classic: Game) -> None:
    named_openers = solve_position(classic, "salet=bbbbb", first=["crony", "round"]).tree
    assert named_openers is not None
    assert (named_openers.root.guess, named_openers.total) == ("round", 612)
    assert named_openers.openers == ("crony", "round")
    weights = Weights("file", tuple(range(1, len(classic.answers) + 1)))
    checked = checked_position(classic, "salet=bybbb crony=byybb")
    weighted = solve_position(classic, "salet=bybbb crony=byybb", weights=weights).tree
    assert weighted is not None
    assert weighted.weights == tuple(weights.values[answer] for answer in checked.candidates)
    assert verify_tree(weighted).ok
    none = Weights("file", tuple(int(answer not in checked.candidates) for answer in range(len(classic.answers))))
    with pytest.raises(InputError, match="every candidate left has weight 0"):
        solve_position(classic, "salet=bybbb crony=byybb", weights=none)
    hard = Game.preset("classic", "hard")
    with pytest.raises(IllegalGuess, match="an opener is illegal under hard rules: 'crony' breaks the hint of turn 1"):
        solve_position(hard, "salet=bybbb", first=["crony"])
    with pytest.raises(InputError, match="2 guesses are made already; K must be more"):
        solve_position(classic, "salet=bybbb crony=byybb", objective="within:2")


# Positions as they are written


def test_positions_of_pegs_and_matrices(classic: Game) -> None:
    assert parse_position(Game.preset("mastermind:2x3"), "11=1 0 12=0,2") == (("11", 3), ("12", 2))
    matrix = Game.from_matrix([[0, 1], [1, 0]], 0)
    assert parse_position(matrix, [("1", 1)]) == parse_position(matrix, "1=1") == (("1", 1),)
    assert analyse(matrix, [("1", 1)]).total == 1
    for typed in (
        "salet bybbb crony byybb",
        "salet:bybbb crony,byybb",
        "salet: bybbb crony : byybb",
        "salet=bybbb,crony=byybb",
        "saletbybbb, crony=byybb,",
        "SALET=.a... crony:.ro..",
    ):
        assert parse_position(classic, typed) == parse_position(classic, "salet=bybbb crony=byybb"), typed
    assert parse_position(classic, "grail=.Ra.. allay=a.... least=LEAst") == parse_position(
        classic, "grail=bgybb allay=ybbbb least=gggyy"
    )
    assert WordFeedback(4).in_marks(".ל..", "שלום") == ".ל.."  # a script without capitals can't say green
    for unclear in ("guild=g....", "badly=b....", "yield=Y...."):  # a letter or a colour
        with pytest.raises(InputError, match="keep to one style"):
            parse_position(classic, unclear)
    assert parse_position(classic, "yield=y.... guild=G....") == parse_position(classic, "yield=ybbbb guild=gbbbb")
    with pytest.raises(InputError, match="turn 1, '1': 'b' is not a feedback code: type its number, such as 3"):
        parse_position(matrix, "1=b")


def others_fitting(game: Game, turns: Turns) -> list[str]:
    """The other words that fit these turns."""
    assert game.feedback is not None
    score = game.feedback.score
    return [word for word in game.others if all(score(game.guesses[guess], word) == code for guess, code in turns)]


def test_the_fewest_contradicting_turns_are_named() -> None:
    rng = random.Random("contradictions")
    found = 0
    while found < 60:
        game = random_game(rng)
        if game.feedback is None:
            continue
        turns = [(rng.randrange(len(game.guesses)), rng.choice(game.matrix.ravel().tolist())) for _ in range(4)]
        if candidates_after(game, turns):
            continue
        found += 1
        # Turns that no word fits are named, or, where other words fit them all, those that no answer in the list fits.
        some_fit = bool(others_fitting(game, turns))

        def fits(some: Sequence[int], turns: Turns = turns, some_fit: bool = some_fit, game: Game = game) -> bool:
            seen = [turns[i] for i in some]
            return bool(candidates_after(game, seen) or (not some_fit and others_fitting(game, seen)))

        sizes = (some for size in range(1, 5) for some in combinations(range(4), size))
        first = next(some for some in sizes if not fits(some))
        with pytest.raises(ImpossibleFeedback) as raised:
            checked_position(game, named(game, turns), None)
        said = str(raised.value).partition(";")[0]
        assert [i for i in range(4) if f"turn {i + 1} (" in said] == list(first)


def test_many_turns_that_contradict_each_other_together_are_all_named() -> None:
    # Each excludes one answer alone, and there are 2^60 sets of them.
    turns = [(str(number), 0) for number in range(60)]
    with pytest.raises(ImpossibleFeedback, match=r"turn 59 \(58=0\) and turn 60 \(59=0\)"):
        checked_position(Game.from_matrix(np.eye(60, dtype=int), 1), turns, None)


def test_any_answer() -> None:
    answers = preset("classic-answers").answers()
    small = Game.from_words(answers[:50], answers[:10], name="small", rules="hard")
    opened = any_answer(small)
    assert (opened.name, opened.answers, opened.rules) == ("small-all", small.guesses, Rules.HARD)
    assert any_answer(opened) is opened
    with pytest.raises(InputError, match="only a game of words"):
        any_answer(Game.from_matrix([[0, 1], [1, 0], [1, 1]], 0))


# The shipped table


def test_the_shipped_table_is_in_order() -> None:
    known = {(s.game, s.rules, s.limit): s.openers for s in sections()}
    assert len(known) == len(sections())
    for (name, _, limit), openers in known.items():
        assert limit is None or limit >= max(opener.worst for opener in openers)
        assert [opener.total for opener in openers] == sorted(opener.total for opener in openers)
        assert {opener.guess for opener in openers} <= set(preset(name).guesses())
    classic = {opener.guess: opener.total for opener in known["classic", "normal", None]}
    assert len(classic) >= 100
    assert (classic["salet"], classic["slate"], classic["crane"]) == (7920, 7928, 7930)


def test_a_long_game_begins_with_its_best_openers() -> None:
    found = analyse("classic-all", time_limit=1e-6)
    openers = [(advice.guess, advice.total, advice.proven) for advice in found]
    assert openers[:4] == [
        ("tarns", 52762, True),
        ("palet", 52832, True),
        ("parts", 52878, True),
        ("lants", 52896, True),
    ]
    assert (found.status, found.source, found.others_bound) == (Status.FEASIBLE, "tree", 52897)
    assert "tarns begins the shipped tree, which is proven to be the best" in str(found)


def test_what_is_known_when_it_is_stopped() -> None:
    """Bound <= exact <= what is told, for every guess; what is marked proven is exact."""
    game = Game.preset("classic", "hard")
    exact = {advice.guess: advice.total for advice in analyse(game, "salet=bbbbb", top=400).guesses}
    soon = analyse(game, "salet=bbbbb", top=5, progress=interrupt_at("second guesses"))
    assert (soon.status, soon.stop_reason) == (Status.FEASIBLE, "interrupted")
    assert len(soon.guesses) == 5
    assert [advice.total for advice in soon.guesses] == sorted(advice.total for advice in soon.guesses)
    for advice in soon.guesses:
        best = exact.get(advice.guess, max(exact.values()) + 1)
        assert advice.total == best if advice.proven else advice.total >= min(exact.values())
    for guess, low in soon.others:
        assert low is None or guess not in exact or low <= exact[guess]
    assert "proven" in soon.to_dict()["guesses"][0]
    proven = replace(analyse(game, "salet=bbbbb"), status=Status.FEASIBLE, stop_reason="time limit")
    assert "Stopped, time limit: others may be as good, but none is better." in str(proven)
    assert proven.total is not None
    better = replace(proven, others=(("aahed", proven.total - 1),))
    assert "Stopped, time limit: other guesses may be better." in str(better)
    more = replace(proven, others=(("aahed", proven.total),))  # no better than the first
    assert f"other guesses may be better than {proven.guesses[-1].guess}." in str(more)


def test_no_time_at_all(no_time: None) -> None:
    soon = analyse(Game.preset("classic"), "qajaq=bbbbb", time_limit=1e-6)
    assert (soon.status, soon.guesses, soon.total) == (Status.UNKNOWN, (), None)
    assert "Stopped, time limit: no total is known yet." in str(soon)
    with pytest.raises(InputError, match="the time limit must be"):
        analyse(Game.preset("classic"), "salet=bbbbb", time_limit=0)


def test_a_first_word_comes_however_short_the_time() -> None:
    soon = analyse(Game.preset("classic", "hard"), "fuzzy=bbbbb", time_limit=1e-6)
    assert (soon.status, soon.stop_reason) == (Status.FEASIBLE, "time limit")
