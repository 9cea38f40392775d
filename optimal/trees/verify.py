"""An independent check of a strategy tree: every answer is replayed, every guess is held against the rules.

Nothing here comes from the engine, from `solve` or from the feedback rules that they use. The scoring is written
a second time, straight from the rules of the games (`trees/scoring.py`), so that a bug there cannot vouch for itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from optimal.errors import InputError
from optimal.games.info import History, describe
from optimal.games.presets import preset_of
from optimal.games.rules import Rules
from optimal.games.wordlists import check_words
from optimal.show.table import Sheet, Tabled, by_depth
from optimal.trees.answersets import AnswerSets, ListedSets, Set, SpelledSets
from optimal.trees.file import tree_of
from optimal.trees.nodes import Node
from optimal.trees.scoring import TWINS
from optimal.trees.tree import Scorer, StrategyTree

MAX_PROBLEMS = 20
MOST_LABELS = 65535  # rows or columns of a matrix
MAX_TURNS = 12  # of a path in a message; of longer ones the first and the last

#: The way to a node: the way to its parent, the parent's guess, and its feedback code. None at the root.
Way = tuple[Any, str, int] | None
#: What a hard hint asks of a guess: (place, letter, 0) a letter in its place, (-1, letter, m) m copies of it.
Demand = tuple[int, str, int]


@dataclass(frozen=True, repr=False)
class Verification(Tabled):
    """What a replay found. The numbers are of the answers that the tree does find.

    It prints as `optimal verify` tells it, and shows as a table in a notebook.
    """

    tree: str  # what the tree says of itself, in one line
    ok: bool  # nothing is wrong in what was checked
    replayed: bool  # every answer was played down the tree; without it `ok` says little, and the notes say why
    total: int
    mean: Fraction
    worst: int
    distribution: Mapping[int, int]
    answers: int
    problems: list[str]  # one line each; empty when ok
    notes: list[str]  # what could not be checked
    claim: str  # what the file says and a replay cannot prove

    @property
    def verdict(self) -> str:
        """In words: "ok", "NOT OK", or "not replayed" where nothing is wrong in what little was checked."""
        return "NOT OK" if not self.ok else "ok" if self.replayed else "not replayed"

    def to_dict(self) -> dict[str, Any]:
        """What `optimal verify --json` tells of a replay."""
        return {
            "ok": self.ok,
            "replayed": self.replayed,
            "total": self.total if self.replayed else None,
            "mean": float(self.mean) if self.replayed else None,
            "worst": self.worst if self.replayed else None,
            "distribution": by_depth(self.distribution),
            "answers": self.answers,
            "problems": self.problems,
            "notes": self.notes,
            "claim": self.claim,
        }

    @property
    def table(self) -> Sheet:
        """The same for people."""
        fields = [("answers", str(self.answers))]
        if self.replayed:
            fields = [
                ("answers", f"{self.answers}, {sum(self.distribution.values())} of them found"),
                ("total", str(self.total)),
                ("mean", f"{float(self.mean):.4f}"),
                ("worst", str(self.worst)),
            ]
        fields.append(("claim", self.claim))
        fields += [("note", note) for note in self.notes] + [("problem", problem) for problem in self.problems]
        return Sheet(f"{self.verdict}: {self.tree}", fields, self.distribution)


def verify_tree(
    tree: StrategyTree | str | os.PathLike[str],
    *,
    guesses: Sequence[str] | None = None,
    answers: Sequence[str] | None = None,
    scorer: Scorer | None = None,
    matrix: Iterable[Iterable[int]] | None = None,
) -> Verification:
    """Replay every answer of the tree and compare all that it says of itself.

    >>> from optimal import verify_tree
    >>> found = verify_tree("classic-normal")
    >>> found.ok, found.total, found.worst
    (True, 7920, 5)

    Parameters
    ----------
    tree : StrategyTree or str or path
        A tree, its file, or the name of a shipped one.
    guesses, answers : sequence of str, optional
        The word lists, for others than those of presets, which are found by their hashes; of a ``matrix`` the labels,
        in their order, where they are no numbers.
    scorer : callable, optional
        ``scorer(guess, answer)`` returns the feedback code. A bare matrix is replayed with this, or with
    matrix : iterable of iterable of int, optional
        the matrix itself, guesses x answers, codes from 0 to 65535.

    Returns
    -------
    Verification
        It prints as `optimal verify` does.

    Raises
    ------
    InputError
        For what is no tree, and for a matrix of another form.
    """
    tree = tree_of(tree)
    if tree.game.feedback is not None and tree.game.feedback.kind == "words":
        guesses = None if guesses is None else check_words(guesses, "guesses")
        answers = None if answers is None else check_words(answers, "answers")
    else:
        guesses = None if guesses is None else _labels(guesses, "guesses")
        answers = None if answers is None else _labels(answers, "answers")
    if matrix is not None and scorer is not None:
        raise InputError("give a matrix or a scorer, not both")
    if matrix is not None and tree.game.feedback is not None:
        raise InputError(f"game {tree.game.name!r} is no bare matrix: its feedback is known, so a matrix is not needed")
    if scorer is not None and not callable(scorer):
        raise InputError(f"a scorer must be a function of guess and answer, not {type(scorer).__name__}")
    sound = None if scorer is None else _sound(scorer)
    return _Check(tree, guesses, answers, sound, None if matrix is None else _rows(matrix)).run()


class _Check:
    """One verification: `problems` and the depths fill up as the steps of `run` go on."""

    def __init__(
        self,
        tree: StrategyTree,
        guesses: Sequence[str] | None,
        answers: Sequence[str] | None,
        scorer: Scorer | None,
        matrix: list[array[int]] | None,
    ) -> None:
        self.tree = tree
        self.feedback = tree.game.feedback
        self.twin = None if self.feedback is None or scorer is not None else TWINS.get(self.feedback.kind)
        if guesses is None and answers is None:
            guesses, answers = _known_lists(tree, None if matrix is None else len(matrix[0]))
        self.guesses, self.all_answers = guesses, answers
        self.scorer, self.matrix = scorer, matrix
        self.as_answer: dict[str, str] = {}  # guess -> the answer that it is, where their labels differ
        self.depths: dict[str, int] = {}
        self.problems: list[str] = []
        self.more_problems = 0
        self.notes: list[str] = []
        self.replayed = False

    def run(self) -> Verification:
        self.check_answers()
        self.check_guesses()
        if self.check_shapes() and self.check_scoring():
            self.replayed = True
            sets = self.sets_of(self.tree.answers)
            self.check_position(sets)
            self.replay(sets)
            self.check_numbers()
        return self.verdict()

    def wrong(self, problem: str | Callable[[], str]) -> None:
        """Note a problem. Its text is only made where it will be shown: a tree may have as many as it has nodes."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem if isinstance(problem, str) else problem())
        else:
            self.more_problems += 1

    # Step 1: the lists match their hashes, and the guesses of the tree come from the list.

    def check_answers(self) -> None:
        tree, game = self.tree, self.tree.game
        seen: set[str] = set()
        for answer in tree.answers:
            if answer in seen:
                self.wrong(f"answer {answer!r} is listed twice")
            seen.add(answer)
        if not tree.answers:
            self.wrong("the tree has no answers")
        if not tree.position and _sha256(tree.answers) != game.answers_sha256:
            self.wrong(f"the {len(tree.answers)} answers do not match their hash, {game.answers_sha256[:16]}...")
        if self.all_answers is not None and _sha256(self.all_answers) != game.answers_sha256:
            self.wrong(
                f"the answers to check against are not those of the tree: their hash differs from "
                f"{game.answers_sha256[:16]}..."
            )
            self.all_answers = None

    def check_guesses(self) -> None:
        tree, game = self.tree, self.tree.game
        if self.guesses is None:
            self.notes.append("legality against the list was not checked: the guess list is not known")
            return
        if _sha256(self.guesses) != game.guesses_sha256:
            self.wrong(
                f"the guesses to check against are not those of the tree: their hash differs from "
                f"{game.guesses_sha256[:16]}..."
            )
        elif len(self.guesses) != game.guess_count:
            self.wrong(f"guess count {game.guess_count}; the list has {len(self.guesses)}")
        allowed = set(self.guesses)
        used = {node.guess for node in _nodes(tree.root)} | {guess for guess, _ in tree.position}
        for guess in sorted(used - allowed):
            self.wrong(f"guess {guess!r} is not in the guess list")
        if self.feedback is not None:  # in a bare matrix an answer need not be named as the guess that wins
            for word in sorted(set(tree.answers) - allowed):
                self.wrong(f"answer {word!r} is not in the guess list")

    # Step 2: words and weights have shapes that can be replayed.

    def check_shapes(self) -> bool:
        tree, before = self.tree, self.count_problems()
        if tree.weights is not None and len(tree.weights) != len(tree.answers):
            self.wrong(f"{len(tree.weights)} weights for {len(tree.answers)} answers")
        if tree.rules is Rules.HARD and (self.feedback is None or self.feedback.kind != "words"):
            self.wrong(f"hard rules are defined for words only, not for {tree.game.name!r}")
        if self.feedback is not None and self.twin is not None:
            places = self.feedback.params()[self.twin.places]
            winning = self.twin.winning(places)
            if tree.game.winning_code != winning:
                self.wrong(f"winning code {tree.game.winning_code}; right would be {winning}")
            words = {*tree.answers, *(node.guess for node in _nodes(tree.root))}
            words |= {guess for guess, _ in tree.position}
            for word in sorted(words):
                if len(word) != places:
                    self.wrong(f"{word!r} has {len(word)} symbols; right would be {places}")
        return self.count_problems() == before

    def count_problems(self) -> int:
        return len(self.problems) + self.more_problems

    # Step 3: there is something to score with; a bare matrix is the one that the tree was made for.

    def check_scoring(self) -> bool:
        rows = self.matrix
        if self.twin is not None or self.scorer is not None:
            return True
        if self.feedback is not None:
            self.notes.append(
                f"not checked: no answer was replayed, for games of kind {self.feedback.kind!r} have no scoring here; "
                "give a scorer(guess, answer)"
            )
            return False
        what = f"not checked: no answer was replayed, for game {self.tree.game.name!r} is a bare matrix"
        if rows is None:
            self.notes.append(f"{what}; its matrix is needed")
            return False
        columns = self.all_answers
        if columns is None and not self.tree.position:
            columns = self.tree.answers
        if self.guesses is None or columns is None:
            self.notes.append(f"{what} whose labels are not known: give its guesses and its answers, in their order")
            return False
        return self.check_matrix(rows, self.guesses, columns)

    def check_matrix(self, rows: list[array[int]], guesses: Sequence[str], columns: Sequence[str]) -> bool:
        game, before = self.tree.game, self.count_problems()
        if (len(rows), len(rows[0])) != (len(guesses), len(columns)):
            self.wrong(
                f"the matrix is {len(rows)} x {len(rows[0])}; that of the tree has {len(guesses)} guesses and "
                f"{len(columns)} answers"
            )
        elif game.matrix_sha256 is None:
            self.notes.append("not checked: whether the matrix is that of the tree, whose file holds no hash of it")
        elif _matrix_sha256(guesses, columns, rows) != game.matrix_sha256:
            self.wrong(
                f"the matrix is not that of the tree: its hash, over the labels in their order and the codes, differs "
                f"from {game.matrix_sha256[:16]}..."
            )
        square = len(rows) == len(columns) and all(row[i] == game.winning_code for i, row in enumerate(rows))
        if self.tree.rules is Rules.ULTRA_HARD and not square:
            self.wrong("ultra-hard rules on a bare matrix need it square, with guess i winning against answer i")
        if self.count_problems() > before:
            return False
        row_of, column_of = dict(zip(guesses, rows, strict=True)), {a: i for i, a in enumerate(columns)}
        unknown = {node.guess for node in _nodes(self.tree.root)}.union(guess for guess, _ in self.tree.position)
        unknown -= row_of.keys()
        unknown.update(answer for answer in self.tree.answers if answer not in column_of)
        for label in sorted(unknown):
            self.wrong(f"{label!r} is not in the matrix")
        self.scorer = lambda guess, answer: row_of[guess][column_of[answer]]
        if square:
            self.as_answer = dict(zip(guesses, columns, strict=True))
        return not unknown

    def sets_of(self, answers: Sequence[str]) -> AnswerSets[Any]:
        """The answers as a set to be split, and under ultra-hard rules the guesses of the tree beside them."""
        others: set[str] = set()
        if self.tree.rules is Rules.ULTRA_HARD:
            # The root without a position follows no feedback.
            others = {node.guess for node in _nodes(self.tree.root) if node is not self.tree.root or self.tree.position}
            others = {self.as_answer.get(guess, guess) for guess in others}.difference(answers)
        words = tuple(dict.fromkeys((*answers, *sorted(others))))
        count = len(words) - len(others)
        if self.scorer is not None:
            return ListedSets(words, count, self.scorer)
        assert self.twin is not None
        return SpelledSets(words, count, self.twin)

    # Step 4: the position that the tree starts from.

    def check_position(self, sets: AnswerSets[Set]) -> None:
        position = self.tree.position
        if not position:
            return
        for turn in range(len(position)):
            before, guess = position[:turn], position[turn][0]
            if any(self.broken(past, code, guess, sets) for past, code in before):
                self.wrong(self.illegal(before, guess, sets))
        for guess, code in position:
            classes = sets.split(guess, sets.answers)
            classes.pop(code, None)
            strangers = sorted(answer for part in classes.values() for answer in sets.answers_in(part))
            if strangers:
                self.wrong(f"position {guess}={self.format(code)} does not fit {_some(strangers)} of the tree")
        if self.all_answers is None:
            self.notes.append("the answers left were not checked against the list: the answer list is not known")
            return
        everything = self.sets_of(self.all_answers)
        here = everything.answers
        for guess, code in position:
            here = everything.split(guess, here).get(code, everything.none)
        left = set(everything.answers_in(here))
        if missing := sorted(left.difference(self.tree.answers)):
            self.wrong(f"{_some(missing)} fit the position but are not in the tree")
        if extra := sorted(set(self.tree.answers).difference(self.all_answers)):
            self.wrong(f"{_some(extra)} of the tree are not in the answer list")

    # Step 5: replay. All answers walk down together, split by the feedback of each guess.

    def replay(self, sets: AnswerSets[Set]) -> None:
        """Under hard rules the demands of all hints are handed down. Under ultra-hard rules the guesses of the tree
        walk down with the answers: one that is not there when its turn comes disagrees with a hint."""
        tree = self.tree
        hard, ultra_hard = tree.rules is Rules.HARD, tree.rules is Rules.ULTRA_HARD
        agreeing, demands = sets.everything, frozenset[Demand]()
        for guess, code in tree.position:
            agreeing = sets.split(guess, agreeing).get(code, sets.none)
            demands = demands.union(_demands(guess, code)) if hard else demands
        # Answers that don't fit the position are named above, and replayed all the same.
        start = sets.join(sets.answers, agreeing)
        stack: list[tuple[Way, int, Node, Set, frozenset[Demand]]] = [(None, 1, tree.root, start, demands)]
        while stack:
            way, depth, node, among, demands = stack.pop()
            if hard:
                legal = all(_meets(node.guess, demand) for demand in demands)
            else:
                word = self.as_answer.get(node.guess, node.guess)
                free = not ultra_hard or (way is None and not tree.position)
                legal = free or (sets.holds(among, word) and sets.holds(agreeing, word))
            if not legal:
                self.wrong(partial(self.illegal_after, way, node.guess, sets))
            classes = {code: part for code, part in sets.split(node.guess, among).items() if sets.count(part)}
            for answer in sets.answers_in(classes.pop(tree.game.winning_code, sets.none)):
                self.depths[answer] = depth
            for code in sorted(classes.keys() | node.children.keys(), reverse=True):
                path = (way, node.guess, code)
                child = node.children.get(code)
                if child is None:
                    self.wrong(partial(self.no_branch, path, classes[code], sets))
                elif code not in classes:
                    self.wrong(partial(self.no_answer, path))
                else:
                    below = demands.union(_demands(node.guess, code)) if hard else demands
                    stack.append((path, depth + 1, child, classes[code], below))

    def no_branch(self, way: Way, part: Set, sets: AnswerSets[Set]) -> str:
        return f"no branch after {self.describe(self.history(way))}: misses {_some([*sets.answers_in(part)])}"

    def no_answer(self, way: Way) -> str:
        return f"unreachable branch after {self.describe(self.history(way))}: no answer leads there"

    def illegal_after(self, way: Way, guess: str, sets: AnswerSets[Set]) -> str:
        return self.illegal(self.history(way), guess, sets)

    def illegal(self, history: History, guess: str, sets: AnswerSets[Set]) -> str:
        for turn, (past, code) in enumerate(history, 1):
            reason = self.broken(past, code, guess, sets)
            if reason is not None:
                return (
                    f"illegal guess {guess!r} after {self.describe(history)}: breaks the hint of turn "
                    f"{turn}, {past}={self.format(code)}: {reason}"
                )
        return f"illegal guess {guess!r} after {self.describe(history)}"

    def broken(self, past: str, code: int, guess: str, sets: AnswerSets[Set]) -> str | None:
        """Why the guess breaks the hint of a past one; None when it does not."""
        if self.tree.rules is Rules.HARD:
            return next((_reason(demand) for demand in _demands(past, code) if not _meets(guess, demand)), None)
        if self.tree.rules is Rules.ULTRA_HARD:
            seen = sets.score(past, self.as_answer.get(guess, guess))
            return None if seen == code else f"as the answer it would have given {self.format(seen)}"
        return None

    def history(self, way: Way) -> History:
        """The turns of a way, after those of the position."""
        turns = []
        while way is not None:
            way, guess, code = way
            turns.append((guess, code))
        return (*self.tree.position, *reversed(turns))

    def describe(self, history: History) -> str:
        """The turns as a position is written; of many the first and the last, for a tree may be very deep."""
        turns = [describe(self, (turn,)) for turn in history]
        if len(turns) > MAX_TURNS:
            half = MAX_TURNS // 2
            turns[half:-half] = [f"... {len(turns) - 2 * half} more ..."]
        return " ".join(turns)

    # Step 6: the numbers.

    def check_numbers(self) -> None:
        tree = self.tree
        if len(self.depths) < len(set(tree.answers)):
            return  # a missing branch is named above; the numbers of half a tree mean nothing
        found = self.numbers()
        said = (tree.total, tree.worst, dict(tree.distribution))
        for name, right, wrong in zip(("total", "worst case", "distribution"), found, said, strict=True):
            if right != wrong:
                self.wrong(f"wrong {name}: the tree says {wrong}, the replay gives {right}")
        total, worst, _ = found
        limit = tree.limit
        if limit is not None and worst > limit:
            late = [answer for answer, depth in self.depths.items() if depth > limit]
            self.wrong(
                f"too deep: {_some(late)} take more than {tree.max_guesses} guesses"
                + (f", the {len(tree.position)} of the position included" if tree.position else "")
            )
        value = self.value(total, worst)
        if value is None:
            self.wrong(f"unknown objective {tree.objective!r}; it is mean, worst or within:K")
        elif value != tree.value:
            self.wrong(
                f"wrong value for objective {tree.objective}: the tree says {list(tree.value)}, "
                f"the replay gives {list(value)}"
            )
        if tree.bound > tree.value or (tree.status == "OPTIMAL" and tree.bound != tree.value):
            self.wrong(f"bound {list(tree.bound)} does not fit value {list(tree.value)} and status {tree.status}")
        if tree.openers is not None and tree.root.guess not in tree.openers:
            self.wrong(f"opener {tree.root.guess!r} is not among the openers that the tree names")

    def weight_of(self) -> dict[str, int]:
        return dict(zip(self.tree.answers, self.tree.weights or [1] * len(self.tree.answers), strict=True))

    def numbers(self) -> tuple[int, int, dict[int, int]]:
        weight = self.weight_of()
        distribution: dict[int, int] = {}
        for depth in sorted(self.depths.values()):
            distribution[depth] = distribution.get(depth, 0) + 1
        total = sum(weight[answer] * depth for answer, depth in self.depths.items())
        return total, max(distribution, default=0), distribution

    def value(self, total: int, worst: int) -> tuple[int, ...] | None:
        kind, _, number = self.tree.objective.partition(":")
        if kind == "within" and number.isascii() and number.isdecimal() and number[0] != "0" and len(number) < 100:
            weight, within = self.weight_of(), int(number) - len(self.tree.position)
            return sum(weight[answer] for answer, depth in self.depths.items() if depth > within), total
        return {"mean": (total,), "worst": (worst, total)}.get(self.tree.objective)

    # Step 7: the verdict.

    def verdict(self) -> Verification:
        total, worst, distribution = self.numbers() if self.depths else (0, 0, {})
        weight_of = self.weight_of() if self.depths else {}
        weight = sum(weight_of[answer] for answer in self.depths)
        problems = [*self.problems, *([f"and {self.more_problems} more"] if self.more_problems else [])]
        return Verification(
            tree=str(self.tree),
            ok=not problems,
            replayed=self.replayed,
            total=total,
            mean=Fraction(total, weight) if weight else Fraction(0),
            worst=worst,
            distribution=distribution,
            answers=len(self.tree.answers),
            problems=problems,
            notes=self.notes,
            claim=self.claim(),
        )

    def claim(self) -> str:
        tree = self.tree
        over = "over every legal guess"
        if tree.openers is not None:
            over = f"over {len(tree.openers)} openers" if len(tree.openers) > 1 else f"over opener {tree.openers[0]}"
        if tree.max_guesses is not None:
            over = f"within {tree.max_guesses} guesses {over}"
        given = f", given bounds from {', '.join(tree.ledgers)}" if tree.ledgers else ""
        if tree.status == "OPTIMAL":
            least = ", ".join(map(str, tree.value))
            return f"OPTIMAL: {least} is claimed the least {over}{given}; a replay does not prove that"
        return f"{tree.status}: less than {', '.join(map(str, tree.bound))} is claimed impossible {over}{given}"

    def format(self, code: int) -> str:
        try:
            return self.tree.game.format(code)
        except InputError:  # a code that the game doesn't have, in a tree made by hand
            return str(code)


def _demands(past: str, code: int) -> list[Demand]:
    """What the hint asks of every later guess under the official hard rules."""
    hints = [code // 3**place % 3 for place in range(len(past))]  # 0 black, 1 yellow, 2 green
    demands = [(place, letter, 0) for place, letter in enumerate(past) if hints[place] == 2]
    for letter in dict.fromkeys(past):
        needed = sum(hint > 0 for mine, hint in zip(past, hints, strict=True) if mine == letter)
        if needed:
            demands.append((-1, letter, needed))
    return demands


def _meets(guess: str, demand: Demand) -> bool:
    place, letter, copies = demand
    return guess[place] == letter if place >= 0 else guess.count(letter) >= copies


def _reason(demand: Demand) -> str:
    place, letter, copies = demand
    if place >= 0:
        return f"letter {place + 1} must be {letter!r}"
    return f"{letter!r} must be in it" + (f" {copies} times" if copies > 1 else "")


def _known_lists(tree: StrategyTree, columns: int | None) -> tuple[Sequence[str] | None, Sequence[str] | None]:
    """Guesses and answers of a preset, or of a bare matrix whose labels are its numbers; None where not known."""
    game = tree.game
    known = preset_of(game.feedback, game.guesses_sha256, game.answers_sha256)
    if known is not None:
        return known.guesses(), known.answers()
    if tree.game.feedback is not None:
        return None, None
    numbers = [None if count is None else _numbers(count) for count in (tree.game.guess_count, columns)]
    hashes = (tree.game.guesses_sha256, tree.game.answers_sha256)
    guesses, answers = (
        labels if labels is not None and _sha256(labels) == sha256 else None
        for labels, sha256 in zip(numbers, hashes, strict=True)
    )
    return guesses, answers


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(min(count, MOST_LABELS))]


def _nodes(root: Node) -> Iterable[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children.values())


def _sha256(words: Iterable[str]) -> str:
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


def _labels(labels: Iterable[str], what: str) -> tuple[str, ...]:
    try:
        found = () if isinstance(labels, str) else tuple(labels)
    except TypeError:
        found = ()
    if not found or not all(isinstance(label, str) and label.isprintable() for label in found):
        raise InputError(f"{what} must be a list of texts, as the tree has them")
    return found


def _rows(matrix: Iterable[Iterable[int]]) -> list[array[int]]:
    rows = []
    try:
        for row in matrix:
            # An array of numpy's is read faster as a list.
            rows.append(array("H", row.tolist() if hasattr(row, "tolist") else row))
    except (TypeError, OverflowError, ValueError):
        rows = []
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("a matrix has a row of codes, whole numbers from 0 to 65535, for each guess, all equally long")
    return rows


def _sound(scorer: Scorer) -> Scorer:
    """The scorer, whose every code is held against what one can be."""

    def score(guess: str, answer: str) -> int:
        code = scorer(guess, answer)
        try:
            return array("H", [code])[0]
        except (TypeError, OverflowError):
            raise InputError(f"the scorer's feedback code, here of {guess!r}, must be from 0 to 65535") from None

    return score


def _matrix_sha256(guesses: Sequence[str], answers: Sequence[str], rows: Sequence[array[int]]) -> str:
    """As docs/tree-format.md has it."""
    digest = hashlib.sha256(f"{len(guesses)} {len(answers)}\n".encode())
    digest.update("".join(f"{label}\n" for label in (*guesses, *answers)).encode())
    for row in rows:
        low_first = row[:]
        if sys.byteorder == "big":
            low_first.byteswap()
        digest.update(low_first.tobytes())
    return digest.hexdigest()


def _some(words: Sequence[str]) -> str:
    """The count and an example: "1 answer ('crony')", "3 answers (such as 'crony')"."""
    if len(words) == 1:
        return f"1 answer ({words[0]!r})"
    return f"{len(words)} answers (such as {words[0]!r})"
