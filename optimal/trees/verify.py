"""An independent check of a strategy tree: every answer is replayed, every guess is held against the rules.

Nothing here comes from the engine, from `solve` or from the feedback rules that they use. The scoring is written
a second time, straight from the rules of the games (`trees/scoring.py`), so that a bug there cannot vouch for itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from optimal.checks import check_objective, check_scorer
from optimal.errors import InputError
from optimal.games.info import History, describe
from optimal.games.presets import preset_of
from optimal.games.rules import Rules
from optimal.games.wordlists import check_words, sha256_of
from optimal.limits import LONGEST_LIST
from optimal.show.record import Record
from optimal.show.table import Sheet, Tabled
from optimal.trees.file import tree_of
from optimal.trees.nodes import Node
from optimal.trees.scoring import TWINS, broken_hint
from optimal.trees.tree import Scorer, StrategyTree

MAX_PROBLEMS = 20
MAX_TURNS = 12  # of a path in a message; of longer ones the first and the last


@dataclass(frozen=True, repr=False)
class Verification(Tabled, Record):
    """What a replay found. The numbers are of the answers that the tree does find.

    It prints as `optimal verify` does, and shows as a table in a notebook.
    """

    json_fields = "ok replayed total mean worst distribution answers problems notes claim"

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

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `optimal verify --json`."""
        fields = super().to_dict()
        return fields if self.replayed else fields | dict.fromkeys(("total", "mean", "worst"))

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
        verdict = "NOT OK" if not self.ok else "ok" if self.replayed else "not replayed"
        return Sheet(f"{verdict}: {self.tree}", fields, self.distribution)


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
    words = tree.game.feedback is not None and tree.game.feedback.kind == "words"
    check = check_words if words else _labels
    guesses = None if guesses is None else check(guesses, "guesses")
    answers = None if answers is None else check(answers, "answers")
    if matrix is not None and scorer is not None:
        raise InputError("give a matrix or a scorer, not both")
    if matrix is not None and tree.game.feedback is not None:
        raise InputError(f"game {tree.game.name!r} is no bare matrix: its feedback is known, so a matrix is not needed")
    scorer = None if scorer is None else check_scorer(scorer)
    return _Check(tree, guesses, answers, scorer, None if matrix is None else _rows(matrix)).run()


class _Check:
    """One verification: `problems`, `notes` and `depths` fill up as the steps of `run` go on."""

    score: Scorer  # set by `run`, where there is something to score with

    def __init__(
        self,
        tree: StrategyTree,
        guesses: Sequence[str] | None,
        answers: Sequence[str] | None,
        scorer: Scorer | None,
        matrix: list[array[int]] | None,
    ) -> None:
        self.tree, self.game, self.matrix = tree, tree.game, matrix
        feedback = tree.game.feedback
        self.twin = None if feedback is None or scorer is not None else TWINS.get(feedback.kind)
        self.scorer = scorer if self.twin is None else self.twin.score
        if guesses is None and answers is None:
            guesses, answers = _known_lists(tree, 0 if matrix is None else len(matrix[0]))
        self.guesses, self.all_answers = guesses, answers
        self.used = {node.guess for node in tree.root.nodes()} | {guess for guess, _ in tree.position}
        self.weight_of = dict(zip(tree.answers, tree.weights or [1] * len(tree.answers), strict=False))
        self.as_answer: dict[str, str] = {}  # guess -> the answer that it is, where their labels differ
        self.depths: dict[str, int] = {}
        self.problems: list[str] = []
        self.notes: list[str] = []

    def run(self) -> Verification:
        self.check_lists()
        score = self.scoring() if self.check_shapes() else None
        if score is not None:
            self.score = score
            self.check_position()
            self.replay()
            self.check_numbers()
        total, worst, distribution = self.numbers()
        weight = sum(self.weight_of[answer] for answer in self.depths)
        more = len(self.problems) - MAX_PROBLEMS
        return Verification(
            tree=str(self.tree),
            ok=not self.problems,
            replayed=score is not None,
            total=total,
            mean=Fraction(total, weight) if weight else Fraction(0),
            worst=worst,
            distribution=distribution,
            answers=len(self.tree.answers),
            problems=self.problems[:MAX_PROBLEMS] + ([f"and {more} more"] if more > 0 else []),
            notes=self.notes,
            claim=_claim(self.tree),
        )

    def wrong(self, problem: str) -> None:
        self.problems.append(problem)

    # Step 1: the lists match their hashes, and the guesses of the tree come from the list.

    def check_lists(self) -> None:
        tree, game = self.tree, self.game
        for answer, count in Counter(tree.answers).items():
            if count > 1:
                self.wrong(f"answer {answer!r} is listed twice")
        if not tree.answers:
            self.wrong("the tree has no answers")
        if not tree.position and sha256_of(tree.answers) != game.answers_sha256:
            self.wrong(f"the {len(tree.answers)} answers do not match their hash, {game.answers_sha256[:16]}...")
        if self.all_answers is not None and sha256_of(self.all_answers) != game.answers_sha256:
            self.wrong(_other_list("answers", game.answers_sha256))
            self.all_answers = None
        if self.guesses is None:
            self.notes.append("legality against the list was not checked: the guess list is not known")
            return
        if sha256_of(self.guesses) != game.guesses_sha256:
            self.wrong(_other_list("guesses", game.guesses_sha256))
        elif len(self.guesses) != game.guess_count:
            self.wrong(f"guess count {game.guess_count}; the list has {len(self.guesses)}")
        for guess in sorted(self.used.difference(self.guesses)):
            self.wrong(f"guess {guess!r} is not in the guess list")
        if game.feedback is not None:  # in a bare matrix an answer need not be named as the guess that wins
            for word in sorted(set(tree.answers).difference(self.guesses)):
                self.wrong(f"answer {word!r} is not in the guess list")

    # Step 2: words and weights have shapes that can be replayed.

    def check_shapes(self) -> bool:
        tree, feedback, before = self.tree, self.game.feedback, len(self.problems)
        if tree.weights is not None and len(tree.weights) != len(tree.answers):
            self.wrong(f"{len(tree.weights)} weights for {len(tree.answers)} answers")
        if tree.rules is Rules.HARD and (feedback is None or feedback.kind != "words"):
            self.wrong(f"hard rules are defined for words only, not for {self.game.name!r}")
        if feedback is not None and self.twin is not None:
            places = feedback.params()[self.twin.places]
            if self.game.winning_code != self.twin.winning(places):
                self.wrong(f"winning code {self.game.winning_code}; right would be {self.twin.winning(places)}")
            for word in sorted(self.used.union(tree.answers)):
                if len(word) != places:
                    self.wrong(f"{word!r} has {len(word)} symbols; right would be {places}")
        return len(self.problems) == before

    # Step 3: there is something to score with; a bare matrix is the one that the tree was made for.

    def scoring(self) -> Scorer | None:
        if self.scorer is not None:
            return self.scorer
        columns = self.all_answers
        if columns is None and not self.tree.position:
            columns = self.tree.answers
        if self.game.feedback is not None:
            why = f"for games of kind {self.game.feedback.kind!r} have no scoring here; give a scorer(guess, answer)"
        elif self.matrix is None:
            why = f"for game {self.game.name!r} is a bare matrix; its matrix is needed"
        elif self.guesses is None or columns is None:
            why = (
                f"for game {self.game.name!r} is a bare matrix whose labels are not known: give its guesses and its "
                "answers, in their order"
            )
        else:
            return self.matrix_scoring(self.matrix, self.guesses, columns)
        self.notes.append(f"not checked: no answer was replayed, {why}")
        return None

    def matrix_scoring(self, rows: list[array[int]], guesses: Sequence[str], columns: Sequence[str]) -> Scorer | None:
        game, before = self.game, len(self.problems)
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
        if len(self.problems) > before:
            return None
        row_of, column_of = dict(zip(guesses, rows, strict=True)), {a: i for i, a in enumerate(columns)}
        for label in sorted((self.used - row_of.keys()) | (set(self.tree.answers) - column_of.keys())):
            self.wrong(f"{label!r} is not in the matrix")
        if square:
            self.as_answer = dict(zip(guesses, columns, strict=True))
        if len(self.problems) > before:
            return None
        return lambda guess, answer: row_of[guess][column_of[answer]]

    # Step 4: the position that the tree starts from.

    def check_position(self) -> None:
        tree, position = self.tree, self.tree.position
        for turn, (guess, code) in enumerate(position):
            self.check_legal(position[:turn], guess)
            strangers = sorted(answer for answer in tree.answers if self.score(guess, answer) != code)
            if strangers:
                self.wrong(f"position {guess}={self.format(code)} does not fit {_some(strangers)} of the tree")
        if not position:
            return
        if self.all_answers is None:
            self.notes.append("the answers left were not checked against the list: the answer list is not known")
            return
        left = {answer for answer in self.all_answers if all(self.score(guess, answer) == c for guess, c in position)}
        if missing := sorted(left.difference(tree.answers)):
            self.wrong(f"{_some(missing)} fit the position but are not in the tree")
        if extra := sorted(set(tree.answers).difference(self.all_answers)):
            self.wrong(f"{_some(extra)} of the tree are not in the answer list")

    # Step 5: replay. All answers walk down together, split by the feedback of each guess.

    def replay(self) -> None:
        stack: list[tuple[History, Node, list[str]]] = [
            (self.tree.position, self.tree.root, list(dict.fromkeys(self.tree.answers)))
        ]
        while stack:
            history, node, answers = stack.pop()
            self.check_legal(history, node.guess)
            classes: dict[int, list[str]] = {}
            for answer in answers:
                classes.setdefault(self.score(node.guess, answer), []).append(answer)
            for answer in classes.pop(self.game.winning_code, []):
                self.depths[answer] = len(history) + 1 - len(self.tree.position)
            for code in sorted(classes.keys() | node.children.keys(), reverse=True):
                path = (*history, (node.guess, code))
                if code not in node.children:
                    self.wrong(f"no branch after {self.describe(path)}: misses {_some(classes[code])}")
                elif code not in classes:
                    self.wrong(f"unreachable branch after {self.describe(path)}: no answer leads there")
                else:
                    stack.append((path, node.children[code], classes[code]))

    def check_legal(self, history: History, guess: str) -> None:
        for turn, (past, code) in enumerate(history if self.tree.rules is not Rules.NORMAL else (), 1):
            if (reason := self.broken(past, code, guess)) is not None:
                self.wrong(
                    f"illegal guess {guess!r} after {self.describe(history)}: breaks the hint of turn {turn}, "
                    f"{past}={self.format(code)}: {reason}"
                )
                return

    def broken(self, past: str, code: int, guess: str) -> str | None:
        """Why the guess breaks the hint of a past one; None when it does not."""
        if self.tree.rules is Rules.HARD:
            return broken_hint(past, code, guess)
        seen = self.score(past, self.as_answer.get(guess, guess))
        return None if seen == code else f"as the answer it would have given {self.format(seen)}"

    def describe(self, history: History) -> str:
        """The turns as a position is written; of many the first and the last, for a tree may be very deep."""
        turns = [describe(self, (turn,)) for turn in history]
        if len(turns) > MAX_TURNS:
            half = MAX_TURNS // 2
            turns[half:-half] = [f"... {len(turns) - 2 * half} more ..."]
        return " ".join(turns)

    def format(self, code: int) -> str:
        try:
            return self.game.format(code)
        except InputError:  # a code that the game doesn't have, in a tree made by hand
            return str(code)

    # Step 6: the numbers.

    def check_numbers(self) -> None:
        tree = self.tree
        if len(self.depths) < len(set(tree.answers)):
            return  # a missing branch is named above; the numbers of half a tree mean nothing
        total, worst, _ = found = self.numbers()
        said = (tree.total, tree.worst, dict(tree.distribution))
        for name, right, wrong in zip(("total", "worst case", "distribution"), found, said, strict=True):
            if right != wrong:
                self.wrong(f"wrong {name}: the tree says {wrong}, the replay gives {right}")
        if tree.limit is not None and worst > tree.limit:
            late = [answer for answer, depth in self.depths.items() if depth > tree.limit]
            position = f", the {len(tree.position)} of the position included" if tree.position else ""
            self.wrong(f"too deep: {_some(late)} take more than {tree.max_guesses} guesses{position}")
        try:
            if (value := self.value(total, worst)) != tree.value:
                both = f"the tree says {list(tree.value)}, the replay gives {list(value)}"
                self.wrong(f"wrong value for objective {tree.objective}: {both}")
        except InputError:
            self.wrong(f"unknown objective {tree.objective!r}; it is mean, worst or within:K")
        if tree.bound > tree.value or (tree.status == "OPTIMAL" and tree.bound != tree.value):
            self.wrong(f"bound {list(tree.bound)} does not fit value {list(tree.value)} and status {tree.status}")
        if tree.openers is not None and tree.root.guess not in tree.openers:
            self.wrong(f"opener {tree.root.guess!r} is not among the openers that the tree names")

    def numbers(self) -> tuple[int, int, dict[int, int]]:
        """Total, worst case and distribution of the answers found."""
        distribution = dict(sorted(Counter(self.depths.values()).items()))
        total = sum(self.weight_of[answer] * depth for answer, depth in self.depths.items())
        return total, max(distribution, default=0), distribution

    def value(self, total: int, worst: int) -> tuple[int, ...]:
        """What the objective makes of them. InputError for an unknown one."""
        kind, most = check_objective(self.tree.objective)
        if most is None:
            return (total,) if kind == "mean" else (worst, total)
        late = most - len(self.tree.position)
        return sum(self.weight_of[answer] for answer, depth in self.depths.items() if depth > late), total


def _claim(tree: StrategyTree) -> str:
    """What the file says and a replay cannot prove."""
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


def _known_lists(tree: StrategyTree, columns: int) -> tuple[Sequence[str] | None, Sequence[str] | None]:
    """Guesses and answers of a preset, or of a bare matrix whose labels are its numbers; None where not known."""
    game = tree.game
    known = preset_of(game.feedback, game.guesses_sha256, game.answers_sha256)
    if known is not None:
        return known.guesses(), known.answers()
    if game.feedback is not None:
        return None, None
    guesses, answers = ([str(number) for number in range(min(n, LONGEST_LIST))] for n in (game.guess_count, columns))
    return (
        guesses if sha256_of(guesses) == game.guesses_sha256 else None,
        answers if sha256_of(answers) == game.answers_sha256 else None,
    )


def _other_list(what: str, sha256: str) -> str:
    return f"the {what} to check against are not those of the tree: their hash differs from {sha256[:16]}..."


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


def _matrix_sha256(guesses: Sequence[str], answers: Sequence[str], rows: Sequence[array[int]]) -> str:
    """As docs/reference/tree-file.md has it."""
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
