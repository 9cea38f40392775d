"""An independent check of a strategy tree: every answer is replayed, every guess is held against the rules.

Nothing here comes from the engine, from `solve` or from the feedback rules that they use. The scoring below
is written a second time, straight from the rules of the games, so that a bug there cannot vouch for itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from optimal.errors import InputError
from optimal.games.info import History
from optimal.games.presets import Preset, by_hashes, preset
from optimal.games.rules import Rules
from optimal.trees.tree import Node, Scorer, StrategyTree

MAX_PROBLEMS = 20


@dataclass(frozen=True)
class Verification:
    """What a replay found. The numbers are of the answers that the tree does find."""

    ok: bool
    total: int
    mean: Fraction
    worst: int
    distribution: Mapping[int, int]
    answers: int
    problems: list[str]  # one line each; empty when ok
    notes: list[str]  # what could not be checked
    claim: str  # what the file says and a replay cannot prove


def verify_tree(
    tree: StrategyTree,
    *,
    guesses: Sequence[str] | None = None,
    answers: Sequence[str] | None = None,
    scorer: Scorer | None = None,
) -> Verification:
    """Replay every answer of the tree and compare all that it says of itself.

    The word lists are found among the presets by their hashes; pass `guesses` and `answers` for others.
    A bare matrix needs a `scorer(guess, answer)` that returns the feedback code.
    """
    return _Check(tree, guesses, answers, scorer).run()


def score_word(guess: str, answer: str) -> int:
    """Word feedback by its definition.

    A letter that is not in place is yellow when the answer still has a copy for it: one that no green took,
    and that no earlier copy in the guess was given.
    """
    code = 0
    for place, letter in enumerate(guess):
        if answer[place] == letter:
            code += 2 * 3**place
            continue
        free = sum(theirs == letter != ours for ours, theirs in zip(guess, answer, strict=True))
        earlier = sum(guess[i] == letter != answer[i] for i in range(place))
        if earlier < free:
            code += 3**place
    return code


def score_pegs(guess: str, answer: str) -> int:
    """Mastermind, and Bulls and Cows: places that agree, then symbols in common at other places."""
    blacks = sum(ours == theirs for ours, theirs in zip(guess, answer, strict=True))
    common = sum(min(guess.count(symbol), answer.count(symbol)) for symbol in set(guess))
    return blacks * (len(guess) + 1) + common - blacks


class _Check:
    """One verification: `problems` and the depths fill up as the steps of `run` go on."""

    def __init__(
        self,
        tree: StrategyTree,
        guesses: Sequence[str] | None,
        answers: Sequence[str] | None,
        scorer: Scorer | None,
    ) -> None:
        self.tree = tree
        self.feedback = tree.game.feedback
        if guesses is None and answers is None:
            known = _known_game(tree)
            if known is not None:
                guesses, answers = known.guesses(), known.answers()
        self.guesses, self.all_answers = guesses, answers
        self.scorer = scorer
        self.depths: dict[str, int] = {}
        self.problems: list[str] = []
        self.notes: list[str] = []

    def run(self) -> Verification:
        self.check_lists()
        if self.check_shapes():
            score = self.scorer or self.own_scorer()
            if score is None:
                self.problems.append(f"game {self.tree.game.name!r} is a bare matrix: verifying it needs a scorer")
            else:
                self.check_position(score)
                self.replay(score)
                self.check_numbers()
        return self.verdict()

    # Step 1: the lists match their hashes, and the guesses of the tree come from the list.

    def check_lists(self) -> None:
        tree, game = self.tree, self.tree.game
        seen: set[str] = set()
        for answer in tree.answers:
            if answer in seen:
                self.problems.append(f"answer {answer!r} is listed twice")
            seen.add(answer)
        if not tree.answers:
            self.problems.append("the tree has no answers")
        if not tree.position and _sha256(tree.answers) != game.answers_sha256:
            self.problems.append(
                f"the {len(tree.answers)} answers do not match their hash, {game.answers_sha256[:16]}..."
            )
        if self.all_answers is not None and _sha256(self.all_answers) != game.answers_sha256:
            self.problems.append(
                f"the answers to check against are not those of the tree: their hash differs from "
                f"{game.answers_sha256[:16]}..."
            )
        if self.guesses is None:
            self.notes.append("legality against the list was not checked: the guess list is not known")
            return
        if _sha256(self.guesses) != game.guesses_sha256:
            self.problems.append(
                f"the guesses to check against are not those of the tree: their hash differs from "
                f"{game.guesses_sha256[:16]}..."
            )
        elif len(self.guesses) != game.guess_count:
            self.problems.append(f"guess count {game.guess_count}; the list has {len(self.guesses)}")
        allowed = set(self.guesses)
        used = {node.guess for node in _nodes(tree.root)} | {guess for guess, _ in tree.position}
        self.problems += [f"guess {guess!r} is not in the guess list" for guess in sorted(used - allowed)]
        if self.feedback is not None:  # in a bare matrix an answer need not be named as the guess that wins
            self.problems += [f"answer {word!r} is not in the guess list" for word in sorted(seen - allowed)]

    # Step 2: words and weights have shapes that can be replayed.

    def check_shapes(self) -> bool:
        tree, before = self.tree, len(self.problems)
        if tree.weights is not None and len(tree.weights) != len(tree.answers):
            self.problems.append(f"{len(tree.weights)} weights for {len(tree.answers)} answers")
        if tree.rules is Rules.HARD and (self.feedback is None or self.feedback.kind != "words"):
            self.problems.append(f"hard rules are defined for words only, not for {tree.game.name!r}")
        if self.feedback is not None:
            places = self.places()
            winning = 3**places - 1 if self.feedback.kind == "words" else places * (places + 1)
            if tree.game.winning_code != winning:
                self.problems.append(f"winning code {tree.game.winning_code}; right would be {winning}")
            words = {*tree.answers, *(node.guess for node in _nodes(tree.root))}
            words |= {guess for guess, _ in tree.position}
            self.problems += [
                f"{word!r} has {len(word)} symbols; right would be {places}"
                for word in sorted(words)
                if len(word) != places
            ]
        return len(self.problems) == before

    def places(self) -> int:
        assert self.feedback is not None
        params = self.feedback.params()
        return next(params[name] for name in ("length", "pegs", "digits") if name in params)

    def own_scorer(self) -> Scorer | None:
        if self.feedback is None:
            return None
        return score_word if self.feedback.kind == "words" else score_pegs

    # Step 3: the position that the tree starts from.

    def check_position(self, score: Scorer) -> None:
        position = self.tree.position
        if not position:
            return
        for turn in range(len(position)):
            self.check_rules(score, position[:turn], position[turn][0])
        for guess, code in position:
            strangers = [answer for answer in self.tree.answers if score(guess, answer) != code]
            if strangers:
                self.problems.append(
                    f"position {guess}={self.format(code)} does not fit {_some(strangers)} of the tree"
                )
        if self.all_answers is None:
            self.notes.append("the answers left were not checked against the list: the answer list is not known")
            return
        here = set(self.all_answers)
        for guess, code in position:
            here = {answer for answer in here if score(guess, answer) == code}
        if missing := sorted(here.difference(self.tree.answers)):
            self.problems.append(f"{_some(missing)} fit the position but are not in the tree")
        if extra := sorted(set(self.tree.answers) - set(self.all_answers)):
            self.problems.append(f"{_some(extra)} of the tree are not in the answer list")

    # Step 4: replay. All answers walk down together; each is scored against each guess on its own path.

    def replay(self, score: Scorer) -> None:
        tree = self.tree
        stack: list[tuple[History, Node, list[str]]] = []
        stack.append((tree.position, tree.root, list(dict.fromkeys(tree.answers))))
        while stack:
            history, node, candidates = stack.pop()
            self.check_rules(score, history, node.guess)
            classes: dict[int, list[str]] = {}
            for answer in candidates:
                classes.setdefault(score(node.guess, answer), []).append(answer)
            for answer in classes.pop(tree.game.winning_code, []):
                self.depths[answer] = len(history) - len(tree.position) + 1
            for code in sorted(classes.keys() | node.children.keys(), reverse=True):
                path = (*history, (node.guess, code))
                child, below = node.children.get(code), classes.get(code)
                if child is None:
                    self.problems.append(f"no branch after {tree.describe(path)}: misses {_some(below or [])}")
                elif below is None:
                    self.problems.append(f"unreachable branch after {tree.describe(path)}: no answer leads there")
                else:
                    stack.append((path, child, below))

    def check_rules(self, score: Scorer, history: History, guess: str) -> None:
        for turn, (past, code) in enumerate(history, 1):
            reason = None
            if self.tree.rules is Rules.HARD:
                reason = _breaks_hard_hint(past, code, guess)
            elif self.tree.rules is Rules.ULTRA_HARD and (seen := score(past, guess)) != code:
                reason = f"as the answer it would have given {self.format(seen)}"
            if reason is not None:
                self.problems.append(
                    f"illegal guess {guess!r} after {self.tree.describe(history)}: breaks the hint of turn "
                    f"{turn}, {past}={self.format(code)}: {reason}"
                )
                return

    # Step 5: the numbers.

    def check_numbers(self) -> None:
        tree = self.tree
        if len(self.depths) < len(set(tree.answers)):
            return  # a missing branch is named above; the numbers of half a tree mean nothing
        found = self.numbers()
        said = (tree.total, tree.worst, dict(tree.distribution))
        for name, right, wrong in zip(("total", "worst case", "distribution"), found, said, strict=True):
            if right != wrong:
                self.problems.append(f"wrong {name}: the tree says {wrong}, the replay gives {right}")
        total, worst, _ = found
        limit = tree.limit
        if limit is not None and worst > limit:
            late = [answer for answer, depth in self.depths.items() if depth > limit]
            self.problems.append(
                f"too deep: {_some(late)} take more than {tree.max_guesses} guesses"
                + (f", the {len(tree.position)} of the position included" if tree.position else "")
            )
        value = self.value(total, worst)
        if value is None:
            self.problems.append(f"unknown objective {tree.objective!r}; it is mean, worst or within:K")
        elif value != tree.value:
            self.problems.append(
                f"wrong value for objective {tree.objective}: the tree says {list(tree.value)}, "
                f"the replay gives {list(value)}"
            )
        if tree.bound > tree.value or (tree.status == "OPTIMAL" and tree.bound != tree.value):
            self.problems.append(
                f"bound {list(tree.bound)} does not fit value {list(tree.value)} and status {tree.status}"
            )
        if tree.openers is not None and not tree.position and tree.root.guess not in tree.openers:
            self.problems.append(f"opener {tree.root.guess!r} is not among the openers that the tree names")

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
        if kind == "within" and number.isdecimal():
            weight, within = self.weight_of(), int(number) - len(self.tree.position)
            return sum(weight[answer] for answer, depth in self.depths.items() if depth > within), total
        return {"mean": (total,), "worst": (worst, total)}.get(self.tree.objective)

    # Step 6: the verdict.

    def verdict(self) -> Verification:
        total, worst, distribution = self.numbers() if self.depths else (0, 0, {})
        weight = sum(self.weight_of()[answer] for answer in self.depths) if self.depths else 0
        problems = self.problems[:MAX_PROBLEMS]
        if len(self.problems) > MAX_PROBLEMS:
            problems.append(f"and {len(self.problems) - MAX_PROBLEMS} more")
        return Verification(
            ok=not problems,
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
        over = "every legal guess"
        if tree.openers is not None:
            over = f"{len(tree.openers)} openers" if len(tree.openers) > 1 else f"opener {tree.openers[0]}"
        if tree.status == "OPTIMAL":
            least = ", ".join(map(str, tree.value))
            return f"OPTIMAL: {least} is claimed the least over {over}; a replay does not prove that"
        return f"{tree.status}: less than {', '.join(map(str, tree.bound))} is claimed impossible over {over}"

    def format(self, code: int) -> str:
        return self.tree.game.format(code)


def _breaks_hard_hint(past: str, code: int, guess: str) -> str | None:
    """Why the guess breaks this hint under the official hard rules; None when it does not."""
    hints = [code // 3**place % 3 for place in range(len(past))]  # 0 black, 1 yellow, 2 green
    for place, hint in enumerate(hints):
        if hint == 2 and guess[place] != past[place]:
            return f"letter {place + 1} must be {past[place]!r}"
    for letter in past:
        needed = sum(hint > 0 for mine, hint in zip(past, hints, strict=True) if mine == letter)
        if guess.count(letter) < needed:
            return f"{letter!r} must be in it" + (f" {needed} times" if needed > 1 else "")
    return None


def _known_game(tree: StrategyTree) -> Preset | None:
    """The preset with the lists of the tree. Mastermind of other sizes is known by its pegs and colours."""
    game = tree.game
    known = by_hashes(game.guesses_sha256, game.answers_sha256)
    if known is None and game.feedback is not None and game.feedback.kind == "mastermind":
        try:
            known = preset("mastermind:{pegs}x{colours}".format(**game.feedback.params()))
        except InputError:  # too large for a preset
            return None
        if (known.guesses_sha256, known.answers_sha256) != (game.guesses_sha256, game.answers_sha256):
            return None
    return known


def _nodes(root: Node) -> Iterable[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children.values())


def _sha256(words: Iterable[str]) -> str:
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


def _some(words: Sequence[str]) -> str:
    """The count and an example: "1 answer ('crony')", "3 answers (such as 'crony')"."""
    if len(words) == 1:
        return f"1 answer ({words[0]!r})"
    return f"{len(words)} answers (such as {words[0]!r})"
