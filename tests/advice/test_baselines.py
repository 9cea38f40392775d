"""Baselines: every published figure, the arena, plug-ins, and the plain code behind the fast code."""

from __future__ import annotations

import math
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from baselines_util import Figure, advise, figures, game, reproduce
from games_util import naive_word_score
from hypothesis import given, settings
from hypothesis import strategies as st

from optimal.baselines import Position, Prior, Scoring, compare, entries, play, registry, strategy
from optimal.baselines.classes import (
    class_sizes,
    count_classes,
    entropy,
    expected_size,
    largest_class,
    weighted_entropy,
)
from optimal.baselines.openings import FixedOpening, opening_report
from optimal.baselines.regions import region_table
from optimal.baselines.strategy import prior_of
from optimal.baselines.view import view_of
from optimal.errors import IllegalGuess, ImpossibleFeedback, InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules, violation
from optimal.search.solve import solve
from optimal.show.text import histogram

RULE = WordFeedback(5)


FIGURES = [
    pytest.param(
        figure, id=f"{figure['system']}: {figure['what']}", marks=pytest.mark.long if figure.get("long") else []
    )
    for figure in figures()
]


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_figure(figure: Figure) -> None:
    assert reproduce(figure) == figure["value"]


# The fast code against plain code.


def small_game(seed: int, length: int = 3, letters: str = "abcd", **options: Any) -> Game:
    """A random game with many repeated letters."""
    source = random.Random(seed)
    words = ["".join(word) for word in product(letters, repeat=length)]
    guesses = source.sample(words, min(len(words), 50))
    return Game.from_words(guesses, source.sample(guesses, 30), **options)


@pytest.mark.parametrize("prior", list(Prior))
@pytest.mark.parametrize("scoring", list(Scoring))
def test_tables_hold_the_feedback(scoring: Scoring, prior: Prior) -> None:
    made = small_game(1)
    rule = WordFeedback(3)
    table = view_of(made, scoring, prior)
    assert table.words == (made.answers if prior is Prior.ANSWERS else made.guesses)
    for c, word in enumerate(table.words):
        for g, guess in enumerate(made.guesses):
            naive = naive_word_score(guess, word)
            assert table.codes[c, g] == (naive if scoring is Scoring.NAIVE else rule.score(guess, word))


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 40), st.sampled_from([2, 9, 243, 1024]))
def test_class_sizes(seed: int, n: int, width: int, kinds: int) -> None:
    source = np.random.default_rng(seed)
    codes = source.integers(0, kinds, (n, width)).astype(np.uint16)
    weights = source.integers(1, 100, n).astype(np.float64)
    plain = [Counter(codes[:, g].tolist()) for g in range(width)]
    for block, sizes in class_sizes(codes, kinds):
        for g in range(block.start, block.stop):
            column = sizes[:, g - block.start]
            assert sorted(column[column > 0].tolist()) == sorted(plain[g].values())
    assert largest_class(codes, kinds).tolist() == [max(sizes.values()) for sizes in plain]
    assert count_classes(codes, kinds).tolist() == [len(sizes) for sizes in plain]
    bits = [-sum(k / n * math.log2(k / n) for k in sizes.values()) for sizes in plain]
    assert entropy(codes, kinds) == pytest.approx(bits, abs=1e-9)
    means = [sum(k * k for k in sizes.values()) / n for sizes in plain]
    assert expected_size(codes, kinds) == pytest.approx(means, abs=1e-9)
    shares = [[weights[codes[:, g] == code].sum() / weights.sum() for code in plain[g]] for g in range(width)]
    bits = [-sum(p * math.log2(p) for p in column) for column in shares]
    assert weighted_entropy(codes, kinds, weights) == pytest.approx(bits, abs=1e-9)


# The arena.


class Plain:
    """The first candidate: a strategy of a user's own, at its barest."""

    def next_guess(self, position: Position) -> str:
        return position.candidates[0]


class AllGuesses(Plain):
    name = "all guesses"
    prior = "guesses"


def replayed(made: Game, chosen: Any, answer: str) -> tuple[str, ...]:
    """One game, move by move, as a person would play it."""
    prior = getattr(chosen, "prior", "answers")
    position = Position.start(made, prior=prior)
    path: list[str] = []
    rule = made.feedback
    assert rule is not None
    while not path or path[-1] != answer:
        guess = chosen.next_guess(position)
        assert violation(made.rules, rule, position.history, guess) is None
        path.append(guess)
        position = position.after(guess, rule.score(guess, answer))
    return tuple(path)


@pytest.mark.parametrize("rules", list(Rules))
def test_every_strategy_plays_by_the_rules(rules: Rules) -> None:
    made = Game.from_words(game("classic").guesses[::40], game("classic").guesses[::160], rules=rules)
    names = [entry.name for entry in entries() if entry.name != "four-words"]
    for chosen in [strategy(name) for name in names] + [FixedOpening(made.guesses[:2]), Plain(), AllGuesses()]:
        played = play(made, chosen)
        assert set(played.paths) == set(made.answers)
        for answer in made.answers[::9]:
            assert played.paths[answer] == replayed(made, chosen, answer)


def test_strategies_on_games_without_words() -> None:
    pegs = Game.preset("mastermind:3x4")
    square = Game.from_matrix([[9, 1, 1], [1, 9, 2], [1, 2, 9]], 9)
    for made in (pegs, square):
        compared = compare(made).strategies
        assert {"entropy", "expected-size", "minimax", "most-classes"} == {played.name for played in compared}
        assert all(set(played.paths) == set(made.answers) and not played.failed for played in compared)
        with pytest.raises(InputError, match="looks at letters"):
            play(made, strategy("odds"))
        with pytest.raises(InputError, match="naive rule is for words"):
            play(made, strategy("entropy"), scoring=Scoring.NAIVE)
    ultra = Game.preset("mastermind:3x4", rules="ultra-hard")
    for answer, path in play(ultra, strategy("entropy")).paths.items():
        assert path == replayed(ultra, strategy("entropy"), answer)


def test_what_is_played_and_counted() -> None:
    made = Game.from_words(["aaa", "aab", "abb", "acc", "bbb", "cab"], ["aaa", "aab", "abb", "cab"], max_guesses=2)
    played = play(made, Plain())
    # aaa tells aab (GGB) from abb and cab (GBB, BGB): aaa 1, aab 2, abb 2, cab 2.
    assert played.paths == {"aaa": ("aaa",), "aab": ("aaa", "aab"), "abb": ("aaa", "abb"), "cab": ("aaa", "cab")}
    assert (played.total, played.worst, played.failed) == (7, 2, 0)
    assert played.shares == {"2": 1.0, "3": 0.0, "4": 0.0, "5": 0.0, "6": 0.0, "failed": 0.0}
    first, second = played.candidates_left[:2]
    assert (first.mean, first.largest, second.mean) == (0.75, 1, 0.0)
    strict = play(Game.from_words(made.guesses, made.answers, max_guesses=1), Plain())
    assert strict.failures == ("aab", "abb", "cab")
    assert strict.shares == {"2": 0.25, "3": 0.0, "4": 0.0, "5": 0.0, "6": 0.0, "failed": 0.75}  # none counts twice
    assert "over the limit" in histogram(strict.distribution, strict.limit)
    seen = play(made, AllGuesses())  # who reckons with acc too
    assert seen.candidates_left[0].mean > seen.answers_left[0].mean


def test_a_rule_of_feedback_may_be_named() -> None:
    made = small_game(3)
    for name in ("true", Scoring.TRUE):  # in this order: strategies share what was made of a game before
        assert np.array_equal(Position.start(made, name).view.codes, made.matrix.T)
    assert play(made, Plain(), scoring="naive").scoring is Scoring.NAIVE
    with pytest.raises(InputError, match="unknown scoring 'nearly': there are true, naive"):
        play(made, Plain(), scoring="nearly")


def test_a_strategy_that_no_other_process_can_have_is_one_error() -> None:
    locked = Plain()
    locked.lock = threading.Lock()  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="can't be sent to another process"):
        compare(small_game(3), [locked], jobs=2)


def test_strategies_that_take_guesses_for_answers_leave_bare_matrices_alone() -> None:
    wide = Game.from_matrix([[2, 1, 0], [0, 2, 1], [1, 0, 2], [0, 1, 1]], 2)
    assert "entropy-all" not in [played.name for played in compare(wide).strategies]
    with pytest.raises(InputError, match="takes every guess for an answer"):
        compare(wide, ["entropy-all"])


class Wrong:
    name = "wrong"

    def __init__(self, guess: Any) -> None:
        self.guess = guess

    def next_guess(self, position: Position) -> Any:
        if isinstance(self.guess, Exception):
            raise self.guess
        return self.guess


def test_bad_strategies_are_named() -> None:
    for guess, message in (
        ("zzz", "'zzz' is not among"),
        (7, "returned '7': next_guess must return a word"),
        (KeyError("x"), "failed: KeyError: 'x'"),
        (InputError("no"), "no"),
    ):
        with pytest.raises(InputError, match=f"strategy 'wrong' at the start: {message}"):
            play(small_game(4), Wrong(guess))


def test_strategies_that_break_the_rules_or_never_end() -> None:
    class Second(Plain):
        def next_guess(self, position: Position) -> str:
            return "aab" if position.turn == 1 else "aaa"

    class OfNothing(Plain):
        prior = "nothing"

    made = Game.from_words(["aaa", "aab", "abb"], ["aab", "abb"], rules="hard")
    with pytest.raises(IllegalGuess, match="breaks the hint"):
        play(made, Second())
    with pytest.raises(InputError, match="round in circles"):
        play(made.with_rules("normal", None), Wrong("aaa"))
    with pytest.raises(InputError, match="the prior 'nothing'"):
        play(made, OfNothing())


def test_a_tree_takes_part() -> None:
    made = small_game(6)
    tree = solve(made).tree
    assert tree is not None
    assert play(made, registry.TreeStrategy(tree)).total == tree.total
    with pytest.raises(InputError, match="other answers"):
        play(small_game(7), registry.TreeStrategy(tree))
    with pytest.raises(InputError, match="'optimal' is a tree for the true rule of feedback"):
        compare("classic", ["optimal"], scoring=Scoring.NAIVE)


def test_a_tree_of_ones_own_beside_the_others() -> None:
    made = small_game(6)
    best = solve(made).tree
    assert best is not None
    tree = replace(best, bound=(7,))
    table = compare(made, ["minimax"], tree=tree)
    assert [played.name for played in table.strategies] == ["tree", "minimax"]
    assert (table.strategies[0].total, table.bound) == (tree.total, 7)
    assert table.to_dict()["strategies"][1]["above"] == table.strategies[1].total - 7
    # What holds without a limit, or within a wider one, holds within this one too.
    assert compare(made, [], tree=replace(tree, max_guesses=None)).bound == 7
    assert compare(made, [], tree=replace(tree, max_guesses=7)).bound == 7
    # A bound over some openers, or within a stricter limit, says nothing of this game; one that was given is no proof.
    assert compare(made, [], tree=replace(tree, openers=("abc",))).bound is None
    assert compare(made, [], tree=replace(tree, max_guesses=5)).bound is None
    assert compare(made, [], tree=replace(tree, ledgers=("ledger.xz",))).bound is None


# Names, and strategies of a user's own.


@pytest.fixture
def _clean_path() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith("mine"):
            del sys.modules[name]


OWN = """
class Vowels:
    name = "vowels"

    def next_guess(self, position):
        seen = {letter for guess, code in position.history for letter in guess}
        return max(position.candidates, key=lambda word: len(set(word) & set("aeiou") - seen))


class Broken:
    def __init__(self):
        raise RuntimeError("no such thing")


ready = Vowels()
number = 3
"""


@pytest.mark.usefixtures("_clean_path")
def test_own_strategies_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("mine", "mine2", "deep/mine3", "json"):
        (tmp_path / f"{name}.py").write_text(OWN, encoding="utf-8")
    made = small_game(9)
    for spec in (f"{tmp_path}/mine.py:Vowels", f"{tmp_path}/mine.py:ready"):
        assert set(play(made, strategy(spec)).paths) == set(made.answers)
    monkeypatch.chdir(tmp_path)
    assert play(made, strategy("mine2:Vowels")).name == "vowels"
    # Other processes, started before the path was known, find it too.
    compare(made, ["entropy", "minimax"], jobs=2)
    both = compare(made, ["deep/mine3.py:Vowels", "entropy"], jobs=2).strategies
    assert set(both[0].paths) == set(made.answers)
    for spec, message in [
        ("mine:Broken", "can't be loaded: RuntimeError: no such thing"),
        ("mine:Absent", "mine has no 'Absent'"),
        ("mine:number", "has no method next_guess"),
        ("mine9:Vowels", "can't be loaded: ModuleNotFoundError"),
        ("absent.py:Vowels", "there is no file absent.py"),
        ("json.py:Vowels", "another module is called json"),
    ]:
        with pytest.raises(InputError, match=message):
            strategy(spec)


# Reasons.


def test_reasons_of_every_strategy() -> None:
    every = game("classic")
    openers = ("handy", "swift", "glove", "crump", "salet")
    made = Game.from_words(sorted({*every.guesses[::20], *every.answers[::10], *openers}), every.answers[::10])
    for entry in entries():
        chosen = strategy(entry.name)
        for history in ([], [("salet", RULE.parse("bybbb"))]):
            reasons = advise(made, entry.name, history, top=3)
            assert reasons.guess == chosen.next_guess(Position.at(made, history, prior=prior_of(chosen)))
            assert all(0 < len(ranking["guesses"]) <= 3 for ranking in reasons.to_dict()["rankings"])
            assert reasons.guess in reasons.text()
    assert advise(made, Plain()).rankings == ()
    strict = advise(replace(made, rules=Rules.HARD), "four-words", [("salet", RULE.parse("bybbb"))], top=1)
    assert [row[0] for row in strict.rankings[0].rows] == [strict.guess]  # no opener has an A
    with pytest.raises(InputError, match="1 or more"):
        advise(made, "odds", top=0)
    with pytest.raises(ImpossibleFeedback, match="no answer fits salet=GGGGB"):
        advise(made, "odds", [("salet", RULE.parse("ggggb"))])


def test_regions_after_a_guess() -> None:
    position = Position.start(game("classic-answers"))
    after = position.after("later", RULE.score("later", "hello"))
    assert region_table("hello", after).letters == "ho"
    with pytest.raises(InputError, match="guessed before"):
        region_table("alert", after)
    with pytest.raises(InputError, match="3 letters"):
        region_table("cat", position)


def test_opening_reports() -> None:
    made = game("classic-answers")
    report = opening_report(made, ["abhor", "cleft", "dumpy", "swing"])
    bad = {group.answers: group.bad for group in report.classes}
    assert bad["belle", "bevel", "bezel"] == ("belle",)
    assert bad["skate", "stake", "state", "stave"] == ("stake", "state", "stave")
    assert bad["eagle", "gavel", "legal"] == ()
    assert (report.winner, "does not always win" in report.text()) == (False, True)
    played = play(made, FixedOpening(report.openers))
    assert (played.total, played.distribution) == (report.total, report.distribution)
    assert report.sure is not None
    assert report.expected is not None
    assert report.sure <= report.expected <= report.answers
    # Where classes are too large to try every order, what rests on it is left out.
    large = opening_report(made, ["fuzzy"])
    assert (large.winner, large.sure, large.expected) == (False, None, None)
    assert max(large.class_sizes) == 1352
    assert " and 1342 more" in large.text()
    with pytest.raises(InputError, match="at least one opener"):
        opening_report(made, [])
