"""Small strategy trees for the tests: greedy ones, built in plain Python without the solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from textbook import Plan

from optimal.games.feedback import Feedback, WordFeedback
from optimal.games.game import Game
from optimal.games.info import GameInfo, History
from optimal.games.rules import Rules, violation
from optimal.games.wordlists import sha256_of
from optimal.trees.nodes import Node
from optimal.trees.tree import Scorer, StrategyTree
from optimal.trees.verify import verify_tree

ANSWERS = (
    *("abbey", "cacao", "cigar", "crony", "eerie", "geese", "hutch", "karma", "llama", "mamma"),
    *("queue", "raced", "range", "salad", "sassy", "tenor", "testé", "tiger", "wooer", "wreck"),
)
GUESSES = tuple(sorted((*ANSWERS, "adieu", "crane", "crate", "least", "salet", "trace")))


def greedy_root(
    guesses: Sequence[str],
    answers: Sequence[str],
    score: Scorer,
    winning_code: int,
    rules: Rules = Rules.NORMAL,
    feedback: Feedback | None = None,
    history: History = (),
) -> Node:
    """At each position the legal guess with the most feedback classes; a candidate first among equals."""

    def key(guess: str) -> tuple[int, bool, str]:
        return -len({score(guess, answer) for answer in answers}), guess not in answers, guess

    legal = [g for g in guesses if feedback is None or violation(rules, feedback, history, g) is None]
    guess = min(legal, key=key)
    classes: dict[int, list[str]] = {}
    for answer in answers:
        classes.setdefault(score(guess, answer), []).append(answer)
    classes.pop(winning_code, None)
    return Node(
        guess,
        {
            code: greedy_root(guesses, below, score, winning_code, rules, feedback, (*history, (guess, code)))
            for code, below in classes.items()
        },
    )


def with_numbers(tree: StrategyTree, scorer: Scorer | None = None) -> StrategyTree:
    """The tree with the numbers that a replay finds, for trees whose structure was changed by hand."""
    found = verify_tree(tree, guesses=GUESSES, answers=ANSWERS, scorer=scorer)
    total, worst = found.total, found.worst
    value: tuple[int, ...] = (total,)
    if tree.objective == "worst":
        value = (worst, total)
    elif tree.objective.startswith("within:"):
        within = int(tree.objective.partition(":")[2]) - len(tree.position)
        weights = dict(zip(tree.answers, tree.weights or [1] * len(tree.answers), strict=True))
        play = {answer: len(tree.play(answer, scorer)) for answer in tree.answers}
        value = (sum(weights[answer] for answer in play if play[answer] > within), total)
    return replace(tree, total=total, worst=worst, distribution=found.distribution, value=value, bound=value)


def word_tree(
    *,
    rules: Rules = Rules.NORMAL,
    objective: str = "mean",
    max_guesses: int | None = 6,
    position: History = (),
    weights: tuple[int, ...] | None = None,
    guesses: Sequence[str] = GUESSES,
    answers: Sequence[str] = ANSWERS,
) -> StrategyTree:
    feedback = WordFeedback(len(answers[0]))
    left = tuple(a for a in sorted(answers) if all(feedback.score(g, a) == code for g, code in position))
    root = greedy_root(guesses, left, feedback.score, feedback.winning_code, rules, feedback, position)
    game = GameInfo(
        name="twenty",
        feedback=feedback,
        guesses_sha256=sha256_of(guesses),
        answers_sha256=sha256_of(answers),
        guess_count=len(guesses),
        winning_code=feedback.winning_code,
    )
    asked = {"rules": rules, "objective": objective, "max_guesses": max_guesses, "position": position}
    return with_numbers(_tree(game, left, root, weights=weights, **asked))


def peg_tree(feedback: Feedback, codes: Sequence[str], name: str) -> StrategyTree:
    root = greedy_root(codes, codes, feedback.score, feedback.winning_code)
    lists = sha256_of(codes)
    game = GameInfo(name, feedback, lists, lists, len(codes), feedback.winning_code)
    return with_numbers(_tree(game, tuple(codes), root))


def matrix_score(guess: str, answer: str) -> int:
    """A game without letters: the labels are numbers, and the code 7 wins."""
    return 7 if guess == answer else (int(guess) * int(answer) + int(guess)) % 5


def matrix_tree() -> StrategyTree:
    labels = tuple(map(str, range(12)))
    lists = sha256_of(labels)
    game = GameInfo("a matrix", None, lists, lists, len(labels), 7)
    root = greedy_root(labels, labels, matrix_score, 7)
    return with_numbers(_tree(game, labels, root), matrix_score)


def labelled_tree() -> StrategyTree:
    """The same with labels of its feedback."""
    tree = matrix_tree()
    labels = tuple(f"reply = {code}/12" for code in range(12))
    return replace(tree, game=replace(tree.game, name="labels", matrix_sha256="0" * 64, labels=labels))


def _tree(game: GameInfo, answers: tuple[str, ...], root: Node, **asked: Any) -> StrategyTree:
    """A tree whose numbers are still to be filled in."""
    weights_name = "file" if asked.get("weights") else "uniform"
    fields = {"rules": Rules.NORMAL, "objective": "mean", "max_guesses": None, "position": (), "weights": None, **asked}
    fields |= {"value": (0,), "bound": (0,), "total": 0, "worst": 0, "distribution": {}, "status": "FEASIBLE"}
    fields |= {"weights_name": weights_name, "openers": None, "program": "optimal 0.1.0"}
    return StrategyTree(game=game, answers=answers, root=root, **fields)


def small_folder(folder: Path) -> Path:
    """The folder, with the lists of `word_tree` in g.txt and a.txt, and its file, tree.msgpack."""
    (folder / "g.txt").write_text("\n".join(GUESSES), encoding="utf-8")
    (folder / "a.txt").write_text("\n".join(ANSWERS), encoding="utf-8")
    word_tree().save(folder / "tree.msgpack")
    return folder


def node_of(game: Game, plan: Plan) -> Node:
    return Node(game.guesses[plan.guess], {code: node_of(game, p) for code, p in plan.children.items()})
