"""The independent replay: right trees pass, each kind of wrong tree is named for what is wrong."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from trees_util import ANSWERS, GUESSES, matrix_score, matrix_tree, peg_tree, with_numbers, word_tree

from optimal.errors import InputError
from optimal.games.feedback import BlackFeedback, BullsFeedback, Feedback, PegFeedback, WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.solve import solve
from optimal.trees.nodes import Node
from optimal.trees.scoring import TWINS, score_word
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import Verification, verify_tree

Damage = Callable[[StrategyTree], StrategyTree]

FEEDBACK = WordFeedback(5)
TREE = word_tree()


def check(tree: StrategyTree) -> Verification:
    return verify_tree(tree, guesses=GUESSES, answers=ANSWERS)


def grown(node: Node, code: int, child: Node | None) -> Node:
    """The node with one branch put in, replaced or (None) taken out."""
    children = {c: n for c, n in node.children.items() if c != code}
    return Node(node.guess, children if child is None else {**children, code: child})


def code_of(text: str) -> int:
    return FEEDBACK.parse(text)


def branch(feedback: str, child: Node | None) -> Damage:
    """The tree with this branch of its root put in, replaced or (None) taken out."""
    return lambda tree: replace(tree, root=grown(tree.root, code_of(feedback), child))


def of_game(**changes: Any) -> Damage:
    return lambda tree: replace(tree, game=replace(tree.game, **changes))


def test_own_scoring_agrees_with_the_feedback_rules() -> None:
    rng = random.Random(5)
    for length in range(2, 11):
        rule = WordFeedback(length)
        for _ in range(500):
            guess, answer = ("".join(rng.choices("abc", k=length)) for _ in range(2))
            assert score_word(guess, answer) == rule.score(guess, answer), (guess, answer)
    rules: tuple[Feedback, ...] = (PegFeedback(3, 4), BullsFeedback(2), BullsFeedback(3, 4), BlackFeedback(3, 4))
    for rule_ in rules:
        codes, twin = rule_.all_guesses(), TWINS[rule_.kind]
        assert twin.winning(rule_.params()[twin.places]) == rule_.winning_code
        for guess in codes:
            for answer in codes:
                assert twin.score(guess, answer) == rule_.score(guess, answer), (guess, answer)


HARD = word_tree(rules=Rules.HARD)
BREAKS = "breaks the hint of turn 1, range="
DAMAGES: list[tuple[StrategyTree, Damage, str]] = [
    (TREE, lambda t: replace(t, total=t.total - 1), "wrong total: the tree says 42, the replay gives 43"),
    (TREE, lambda t: replace(t, worst=2), "wrong worst case: the tree says 2, the replay gives 3"),
    (TREE, lambda t: replace(t, distribution={1: 1, 2: 16, 3: 3}), "wrong distribution: the tree says {"),
    (TREE, lambda t: replace(t, value=(42,), bound=(42,)), "wrong value for objective mean: the tree "),
    (TREE, lambda t: replace(t, objective="worst"), "wrong value for objective worst: the tree says [43]"),
    (TREE, lambda t: replace(t, objective="least"), "unknown objective 'least'"),
    (TREE, lambda t: replace(t, bound=(44,)), "bound [44] does not fit value [43] and status FEASIBLE"),
    (TREE, lambda t: replace(t, bound=(40,), status="OPTIMAL"), "bound [40] does not fit value [43]"),
    (TREE, lambda t: replace(t, openers=("crane", "salet")), "opener 'range' is not among the openers"),
    (TREE, lambda t: replace(t, weights=(1,) * 19), "19 weights for 20 answers"),
    (TREE, lambda t: replace(t, weights=(2,) * 20), "wrong total: the tree says 43, the replay gives 86"),
    (TREE, lambda t: replace(t, max_guesses=2), "too deep: 4 answers (such as "),
    (TREE, branch("BGBBB", None), "no branch after range=BGBBB: misses 4 answers (such as 'cacao')"),
    (TREE, branch("BBBBB", None), "no branch after range=BBBBB: misses 1 answer ('hutch')"),
    (TREE, branch("GGGGB", Node("hutch")), "unreachable branch after range=GGGGB: no answer leads there"),
    (TREE, branch("GGGGG", Node("hutch")), "unreachable branch after range=GGGGG: no answer leads there"),
    (TREE, branch("BBBBB", Node("zzzzz", {0: Node("hutch")})), "guess 'zzzzz' is not in the guess list"),
    (TREE, branch("BBBBB", Node("hut")), "'hut' has 3 symbols; right would be 5"),
    (
        HARD,
        branch("BGBBB", Node("mamma", {code_of("BGBBB"): Node("wreck")})),
        f"illegal guess 'wreck' after range=BGBBB mamma=BGBBB: {BREAKS}BGBBB: letter 2 must be 'a'",
    ),
    (
        HARD,
        branch("BYBBB", Node("hutch")),
        f"illegal guess 'hutch' after range=BYBBB: {BREAKS}BYBBB: 'a' must be in it",
    ),
    (
        word_tree(rules=Rules.ULTRA_HARD),
        branch("BYBBB", Node("cacao")),
        f"illegal guess 'cacao' after range=BYBBB: {BREAKS}BYBBB: as the answer it would have given BGBBB",
    ),
    (TREE, lambda t: replace(t, answers=t.answers[1:]), "the 19 answers do not match their hash"),
    (TREE, of_game(answers_sha256="0" * 64), "the answers to check against are not those of the tree"),
    (TREE, of_game(guesses_sha256="0" * 64), "the guesses to check against are not those of the tree"),
    (TREE, of_game(guess_count=27), "guess count 27; the list has 26"),
    (TREE, lambda t: replace(t, answers=(*t.answers, "crony")), "answer 'crony' is listed twice"),
    (TREE, lambda t: replace(t, answers=(*t.answers, "zesty")), "answer 'zesty' is not in the guess list"),
    (TREE, lambda t: replace(t, answers=()), "the tree has no answers"),
]


@pytest.mark.parametrize(("tree", "damage", "message"), DAMAGES, ids=[message for _, _, message in DAMAGES])
def test_wrong_trees_are_named(tree: StrategyTree, damage: Damage, message: str) -> None:
    assert check(tree).ok
    found = check(damage(tree))
    assert not found.ok
    assert any(problem.startswith(message) for problem in found.problems), found.problems
    assert all("\n" not in problem for problem in found.problems)


def test_a_letter_seen_twice_must_stand_twice_in_hard_mode() -> None:
    guesses, answers = ("ababc", "abcde", "xaxax", "xaxbx"), ("xaxax", "xaxbx")
    tree = word_tree(guesses=guesses, answers=answers, rules=Rules.HARD)
    seen = FEEDBACK.score("ababc", "xaxax")
    assert FEEDBACK.format(seen) == "YBYBB"
    root = Node("ababc", {seen: Node("abcde", {FEEDBACK.score("abcde", "xaxax"): Node("xaxax")})})
    found = verify_tree(replace(tree, root=root), guesses=guesses, answers=answers)
    assert (
        "illegal guess 'abcde' after ababc=YBYBB: breaks the hint of turn 1, ababc=YBYBB: "
        "'a' must be in it 2 times" in found.problems
    )


def test_trees_from_a_position() -> None:
    position = (("salet", code_of("BGBBB")), ("range", code_of("BGBBB")))
    tree = word_tree(position=position, objective="within:3", rules=Rules.HARD)
    assert tree.answers == ("cacao", "mamma")
    assert tree.value == (1, 3)  # the third guess of the game finds one, the fourth the other
    found = check(tree)
    assert found.ok, found.problems
    assert found.total == 3
    assert verify_tree(tree).notes[-1] == (
        "the answers left were not checked against the list: the answer list is not known"
    )

    deep = check(replace(tree, max_guesses=3))
    assert deep.problems == ["too deep: 1 answer ('mamma') take more than 3 guesses, the 2 of the position included"]
    fewer = check(with_numbers(replace(tree, answers=("cacao",), root=Node("cacao"))))
    assert fewer.problems == ["1 answer ('mamma') fit the position but are not in the tree"]
    other = check(replace(tree, position=(position[0], ("crate", code_of("BBBBB")))))
    assert other.problems[0].startswith("illegal guess 'crate' after salet=BGBBB: breaks the hint of turn 1")
    assert any(p.startswith("position crate=BBBBB does not fit 2 answers") for p in other.problems)


def test_pegs() -> None:
    feedback, bulls = PegFeedback(3, 3), BullsFeedback(2)
    tree = peg_tree(feedback, feedback.all_guesses(), "mastermind:3x3")
    found = verify_tree(tree)
    assert (found.ok, found.problems, found.notes) == (True, [], [])  # its lists are known by pegs and colours
    assert verify_tree(peg_tree(bulls, bulls.all_guesses(), "two digits")).ok
    hard = verify_tree(replace(tree, rules=Rules.HARD))
    assert hard.problems == ["hard rules are defined for words only, not for 'mastermind:3x3'"]


def test_a_bare_matrix_without_its_matrix_is_not_called_wrong() -> None:
    tree = matrix_tree()
    assert verify_tree(tree, scorer=matrix_score).ok
    found = verify_tree(tree)
    assert (found.ok, found.replayed, found.problems) == (True, False, [])
    assert found.notes == [
        "not checked: no answer was replayed, for game 'a matrix' is a bare matrix; its matrix is needed"
    ]
    wrong = verify_tree(tree, scorer=lambda guess, answer: matrix_score(answer, guess))
    assert (wrong.ok, wrong.replayed) == (False, True)
    broken = verify_tree(replace(tree, weights=(1,)))  # what can be checked is
    assert (broken.ok, broken.problems) == (False, ["1 weights for 12 answers"])


ROWS = [[matrix_score(str(guess), str(answer)) for answer in range(12)] for guess in range(12)]


def test_the_matrix_of_a_tree_is_known_by_its_hash() -> None:
    old = matrix_tree()
    found = verify_tree(old, matrix=ROWS)
    assert found.ok, found.problems
    assert found.notes == ["not checked: whether the matrix is that of the tree, whose file holds no hash of it"]
    data = "12 12\n" + "".join(f"{i}\n" for i in (*range(12), *range(12)))
    codes = b"".join(code.to_bytes(2, "little") for row in ROWS for code in row)
    tree = replace(old, game=replace(old.game, matrix_sha256=hashlib.sha256(data.encode() + codes).hexdigest()))
    for rows in (ROWS, np.array(ROWS, dtype=np.uint8)):
        found = verify_tree(tree, matrix=rows)
        assert (found.ok, found.replayed, found.problems, found.notes) == (True, True, [], [])
    other = [row[:] for row in ROWS]
    other[3][4] += 1
    found = verify_tree(tree, matrix=other)
    assert (found.ok, found.replayed) == (False, False)
    assert found.problems[0].startswith("the matrix is not that of the tree: its hash")
    assert verify_tree(tree, matrix=ROWS[1:]).problems[0].startswith("the matrix is 11 x 12; that of the tree has 12")
    assert not verify_tree(replace(tree, total=tree.total + 1), matrix=ROWS).ok


@pytest.mark.parametrize("rows", [[], [[1, 2], [1]], [[1.5]], [[65536]], 7])
def test_what_is_no_matrix(rows: Any) -> None:
    with pytest.raises(InputError, match="a matrix has a row of codes"):
        verify_tree(matrix_tree(), matrix=rows)


@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.ULTRA_HARD])
def test_matrix_trees_of_the_solver(rules: Rules) -> None:
    """Labels of guesses and answers may differ, and under ultra-hard rules a guess is the answer it wins against."""
    rng = random.Random(3)
    for _ in range(40):
        n = rng.randint(2, 9)
        rows = [[9 if g == a else rng.randrange(3) for a in range(n)] for g in range(n)]
        labels = [f"g{i}" for i in range(n)], rng.sample([f"g{i}" for i in range(n)], n)
        game = Game.from_matrix(rows, 9, guesses=labels[0], answers=labels[1], rules=rules)
        tree = solve(game).tree
        assert tree is not None
        found = verify_tree(tree, guesses=game.guesses, answers=game.answers, matrix=game.matrix)
        assert (found.ok, found.problems, found.notes) == (True, [], [])
        unnamed = verify_tree(tree, matrix=game.matrix)
        assert (unnamed.ok, unnamed.replayed) == (True, False)
        assert "whose labels are not known" in unnamed.notes[-1]
        swapped = verify_tree(tree, guesses=game.guesses[::-1], answers=game.answers, matrix=game.matrix)
        assert not swapped.ok


def test_a_within_that_is_no_number() -> None:
    for number in ("", "0", "02", "\u0663", "9" * 5000):
        found = check(replace(TREE, objective=f"within:{number}", value=(0, 43), bound=(0, 43)))
        assert found.problems == [f"unknown objective 'within:{number}'; it is mean, worst or within:K"]


def test_claims_are_shown_as_claims() -> None:
    optimal_tree = replace(TREE, status="OPTIMAL")
    assert check(optimal_tree).claim == (
        "OPTIMAL: 43 is claimed the least within 6 guesses over every legal guess; a replay does not prove that"
    )
    assert "claimed the least over every" in check(replace(optimal_tree, max_guesses=None)).claim
    assert "over opener range" in check(replace(optimal_tree, openers=("range",))).claim
    assert "over 2 openers" in check(replace(optimal_tree, openers=("range", "salet"))).claim
    assert check(TREE).claim.startswith("FEASIBLE: less than 43 is claimed impossible within 6 guesses over every")
