"""The independent replay: right trees pass, each kind of wrong tree is named for what is wrong."""

from __future__ import annotations

import ast
import random
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from trees_util import ANSWERS, GUESSES, matrix_score, matrix_tree, peg_tree, with_numbers, word_tree

import optimal.trees.verify
from optimal.games.feedback import BullsFeedback, Feedback, PegFeedback, WordFeedback
from optimal.games.presets import preset
from optimal.games.rules import Rules
from optimal.trees.tree import GameInfo, Node, StrategyTree
from optimal.trees.verify import MAX_PROBLEMS, Verification, score_pegs, score_word, verify_tree

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


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("objective", ["mean", "worst", "within:2"])
@pytest.mark.parametrize("weights", [None, tuple(range(len(ANSWERS)))])
def test_right_trees_pass(rules: Rules, objective: str, weights: tuple[int, ...] | None) -> None:
    tree = word_tree(rules=rules, objective=objective, weights=weights)
    found = check(tree)
    assert found.problems == []
    assert found.notes == []
    assert found.ok
    assert found.answers == 20
    assert found.distribution == {1: 1, 2: 15, 3: 4} == tree.distribution
    depths = [len(tree.play(answer)) for answer in tree.answers]
    assert found.total == tree.total == sum(d * w for d, w in zip(depths, weights or [1] * 20, strict=True))
    assert found.mean == tree.mean == Fraction(found.total, sum(weights) if weights else 20)
    assert found.worst == tree.worst == 3


def test_own_scoring_agrees_with_the_feedback_rules() -> None:
    rng = random.Random(5)
    for length in range(2, 11):
        rule = WordFeedback(length)
        for _ in range(500):
            guess, answer = ("".join(rng.choices("abc", k=length)) for _ in range(2))
            assert score_word(guess, answer) == rule.score(guess, answer), (guess, answer)
    rules: list[tuple[Feedback, tuple[str, ...]]] = [
        (PegFeedback(3, 4), PegFeedback(3, 4).all_guesses()),
        (BullsFeedback(2), BullsFeedback(2).all_guesses()),
    ]
    for rule_, codes in rules:
        for guess in codes:
            for answer in codes:
                assert score_pegs(guess, answer) == rule_.score(guess, answer), (guess, answer)


def test_scoring_by_hand() -> None:
    for guess, answer, marks in [
        ("speed", "abide", "BBYBY"),
        ("alley", "hello", "BYGYB"),
        ("geese", "eerie", "BGYBG"),
        ("llama", "salad", "YBYBY"),
        ("mamma", "mamma", "GGGGG"),
        ("allee", "apple", "GYBBG"),
    ]:
        assert score_word(guess, answer) == code_of(marks), (guess, answer)
    assert score_pegs("1122", "2211") == 4
    assert score_pegs("1123", "1111") == 2 * 5
    assert score_pegs("0123", "0123") == 4 * 5


Damage = Callable[[StrategyTree], StrategyTree]
HARD = word_tree(rules=Rules.HARD)
RANGE = FEEDBACK.score("range", "mamma")  # BGBBB: cacao, mamma, salad, sassy are left
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
    (
        TREE,
        lambda t: replace(t, root=grown(t.root, RANGE, None)),
        "no branch after range=BGBBB: misses 4 answers (such as 'cacao')",
    ),
    (
        TREE,
        lambda t: replace(t, root=grown(t.root, code_of("BBBBB"), None)),
        "no branch after range=BBBBB: misses 1 answer ('hutch')",
    ),
    (
        TREE,
        lambda t: replace(t, root=grown(t.root, code_of("GGGGB"), Node("hutch"))),
        "unreachable branch after range=GGGGB: no answer leads there",
    ),
    (
        TREE,
        lambda t: replace(t, root=grown(t.root, code_of("GGGGG"), Node("hutch"))),
        "unreachable branch after range=GGGGG: no answer leads there",
    ),
    (
        TREE,
        lambda t: replace(t, root=grown(t.root, code_of("BBBBB"), Node("zzzzz", {0: Node("hutch")}))),
        "guess 'zzzzz' is not in the guess list",
    ),
    (
        TREE,
        lambda t: replace(t, root=grown(t.root, code_of("BBBBB"), Node("hut"))),
        "'hut' has 3 symbols; right would be 5",
    ),
    (
        HARD,
        lambda t: replace(t, root=grown(t.root, RANGE, Node("mamma", {code_of("BGBBB"): Node("wreck")}))),
        "illegal guess 'wreck' after range=BGBBB mamma=BGBBB: breaks the hint of turn 1, range=BGBBB: "
        "letter 2 must be 'a'",
    ),
    (
        HARD,
        lambda t: replace(t, root=grown(t.root, code_of("BYBBB"), Node("hutch"))),
        "illegal guess 'hutch' after range=BYBBB: breaks the hint of turn 1, range=BYBBB: 'a' must be in it",
    ),
    (
        word_tree(rules=Rules.ULTRA_HARD),
        lambda t: replace(t, root=grown(t.root, code_of("BYBBB"), Node("cacao"))),
        "illegal guess 'cacao' after range=BYBBB: breaks the hint of turn 1, range=BYBBB: "
        "as the answer it would have given BGBBB",
    ),
    (TREE, lambda t: replace(t, answers=t.answers[1:]), "the 19 answers do not match their hash"),
    (
        TREE,
        lambda t: replace(t, game=replace(t.game, answers_sha256="0" * 64)),
        "the answers to check against are not those of the tree",
    ),
    (
        TREE,
        lambda t: replace(t, game=replace(t.game, guesses_sha256="0" * 64)),
        "the guesses to check against are not those of the tree",
    ),
    (TREE, lambda t: replace(t, game=replace(t.game, guess_count=27)), "guess count 27; the list has 26"),
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


def test_problems_are_capped() -> None:
    root = Node("salet", {code: Node("hutch") for code in range(2, 242, 3)})
    found = check(replace(TREE, root=root))
    assert len(found.problems) == MAX_PROBLEMS + 1
    assert found.problems[-1].endswith(" more")
    assert found.problems[-1].startswith("and ")


def test_without_lists_it_says_what_was_not_checked() -> None:
    found = verify_tree(TREE)
    assert found.ok
    assert found.notes == ["legality against the list was not checked: the guess list is not known"]


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
    feedback = PegFeedback(3, 3)
    tree = peg_tree(feedback, feedback.all_guesses(), "mastermind:3x3")
    found = verify_tree(tree)
    assert found.ok, found.problems
    assert found.notes == []  # its lists are known by pegs and colours
    assert found.answers == 27
    bulls = BullsFeedback(2)
    assert verify_tree(peg_tree(bulls, bulls.all_guesses(), "two digits")).ok
    hard = verify_tree(replace(tree, rules=Rules.HARD))
    assert hard.problems == ["hard rules are defined for words only, not for 'mastermind:3x3'"]


def test_a_bare_matrix_needs_a_scorer() -> None:
    tree = matrix_tree()
    assert verify_tree(tree, scorer=matrix_score).ok
    found = verify_tree(tree)
    assert found.problems == ["game 'a matrix' is a bare matrix: verifying it needs a scorer"]
    wrong = verify_tree(tree, scorer=lambda guess, answer: matrix_score(answer, guess))
    assert not wrong.ok


def test_claims_are_shown_as_claims() -> None:
    optimal_tree = replace(TREE, status="OPTIMAL")
    assert check(optimal_tree).claim == (
        "OPTIMAL: 43 is claimed the least over every legal guess; a replay does not prove that"
    )
    assert "over opener range" in check(replace(optimal_tree, openers=("range",))).claim
    assert "over 2 openers" in check(replace(optimal_tree, openers=("range", "salet"))).claim
    assert check(TREE).claim.startswith("FEASIBLE: less than 43 is claimed impossible")


def test_all_classic_answers_in_well_under_a_second() -> None:
    classic = preset("classic")
    answers = classic.answers()

    def first_candidate(left: list[str]) -> Node:
        classes: dict[int, list[str]] = {}
        for answer in left[1:]:
            classes.setdefault(FEEDBACK.score(left[0], answer), []).append(answer)
        return Node(left[0], {code: first_candidate(below) for code, below in classes.items()})

    game = GameInfo(
        name="classic",
        feedback=FEEDBACK,
        guesses_sha256=classic.guesses_sha256,
        answers_sha256=classic.answers_sha256,
        guess_count=classic.guess_count,
        winning_code=FEEDBACK.winning_code,
    )
    root = first_candidate(list(answers))
    tree = replace(TREE, game=game, rules=Rules.ULTRA_HARD, max_guesses=None, answers=answers, root=root)
    found = verify_tree(tree)
    numbers = {"total": found.total, "worst": found.worst, "distribution": found.distribution}
    tree = replace(tree, **numbers, value=(found.total,), bound=(0,))  # type: ignore[arg-type]
    start = time.process_time()
    found = verify_tree(tree)
    assert time.process_time() - start < 1
    assert found.ok, found.problems
    assert found.answers == 2315
    assert found.notes == []


def test_it_shares_nothing_with_what_it_checks() -> None:
    source = Path(optimal.trees.verify.__file__).read_text(encoding="utf-8")
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module)
        elif isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
    ours = {name for name in imported if name and name.startswith("optimal")}
    assert ours == {"optimal.errors", "optimal.games.presets", "optimal.games.rules", "optimal.trees.tree"}
    assert not imported & {"numpy", "joblib"}
    assert ".score(" not in source
