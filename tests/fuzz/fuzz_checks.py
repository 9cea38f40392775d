"""What the fuzzer holds against what: one kind of case a class, made from a seed, each with its check.

A check returns None where all is well, SKIPPED where the case was too large to be judged, and a Failure otherwise.
"""

from __future__ import annotations

import random
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from fuzz_games import IMPORTS, Question, Spec, few_letters, hardly_anything, medium_game, random_question, small_game
from games_util import matrix_scorer
from positions_util import keys_at, random_turns
from slices_util import slices_case
from textbook import Plan, Solution, Textbook, TooLarge, depths_of, value_of

from optimal.advice.analysis import analyse
from optimal.errors import InputError, OptimalError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.limits import INFEASIBLE
from optimal.search.engine import SWITCHES
from optimal.search.result import Result, Status
from optimal.trees.file import from_bytes, to_bytes
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import verify_tree

#: Positions that the textbook may look at before a case counts as too large: some five seconds.
MOST_POSITIONS = 15_000

#: Openers of a game that are searched in slices.
OPENERS = 24

#: Seconds for a run with switches off; what takes longer is not compared.
MOST_SECONDS = 4.0


class Skipped(NamedTuple):
    """A case that was too large to be judged."""

    why: str


@dataclass(frozen=True)
class Failure:
    """A difference. While a case is made smaller its category must stay the same."""

    category: str
    message: str
    case: Case


Outcome = Failure | Skipped | None


class Case(ABC):
    """One thing to check."""

    kind: ClassVar[str]

    @classmethod
    @abstractmethod
    def made(cls, rng: random.Random) -> Case:
        """Any case of this kind."""

    @abstractmethod
    def check(self) -> Outcome: ...

    @abstractmethod
    def smaller(self) -> Iterator[Case]:
        """Cases that are simpler, boldest first; some of them may make no sense, and raise InputError."""

    @abstractmethod
    def code(self) -> str:
        """Python that repeats it."""


def wrong_with(game: Game, question: Question, result: Result) -> str | None:
    """What is wrong with a result by itself: its tree is replayed, and must be worth what it says."""
    tree = result.tree
    if (tree is None) != (result.status in (Status.INFEASIBLE, Status.UNKNOWN)):
        return f"status {result.status} with tree {tree!r}"
    if tree is None:
        return None
    if result.value is None or result.bound is None or result.bound > result.value:
        return f"bound {result.bound} above value {result.value}"
    if result.status is Status.OPTIMAL and result.bound != result.value:
        return f"OPTIMAL with bound {result.bound} and value {result.value}"
    if (tree.value, tree.bound) != (result.value, result.bound):
        return f"the tree says {tree.value} and {tree.bound}, the result {result.value} and {result.bound}"
    try:
        data = to_bytes(tree)
    except OptimalError as error:
        return f"the tree can't be written: {error}"
    if to_bytes(from_bytes(data)) != data:
        return "the tree's file does not come back the same"
    seen = verify_tree(tree, guesses=game.guesses, answers=game.answers, scorer=matrix_scorer(game))
    if not seen.ok or seen.notes:
        return f"verify says {seen.problems} {seen.notes}"
    if question.openers is not None and tree.root.guess not in question.openers:
        return f"the tree opens {tree.root.guess}, which was not asked for"
    return None


@dataclass(frozen=True)
class _Solve(Case):
    """A game and a question, and how both become smaller."""

    spec: Spec
    question: Question

    def smaller(self) -> Iterator[_Solve]:
        for spec in _smaller_specs(self.spec):
            question = _fitted(self.question, spec)
            if question is not None:
                yield replace(self, spec=spec, question=question)
        for question in _smaller_questions(self.question):
            yield replace(self, question=question)
        if self.spec.rules != "normal":
            yield replace(self, spec=replace(self.spec, rules="normal"))

    def code(self) -> str:
        return f"{IMPORTS}\n\ngame = {self.spec.code()}\n{self.question.code(self.spec)}"


def _smaller_specs(spec: Spec) -> Iterator[Spec]:
    answers, guesses = list(spec.answers), list(spec.guesses)
    size = len(answers) // 2
    while size:
        for start in range(0, len(answers), size):
            gone = answers[start : start + size]
            if len(gone) < len(answers):
                yield spec.without(gone)
                if not spec.rows:
                    yield spec.without(gone, gone)
        size //= 2
    size = len(guesses) // 2
    while size:
        for start in range(0, len(guesses), size):
            free = [guess for guess in guesses[start : start + size] if spec.rows or guess not in spec.answers]
            if free:
                yield spec.without((), free)
        size //= 2


def _fitted(question: Question, spec: Spec) -> Question | None:
    """The question of a smaller game; None where the game has lost what it speaks of."""
    if any(guess not in spec.guesses for guess, _ in question.turns):
        return None
    openers = question.openers
    if openers is not None:
        openers = tuple(opener for opener in openers if opener in spec.guesses)
        if not openers:
            return None
    weights = question.weights
    if weights is not None:
        weights = tuple((answer, weight) for answer, weight in weights if answer in spec.answers)
    return replace(question, openers=openers, weights=weights)


def _smaller_questions(question: Question) -> Iterator[Question]:
    if question.turns:
        yield replace(question, turns=())
        yield replace(question, turns=question.turns[:-1])
    if question.jobs > 1:
        yield replace(question, jobs=1)
    if question.slots is not None:
        yield replace(question, slots=None)
    for switch in sorted(question.without):
        yield replace(question, without=question.without - {switch})
    if question.limit is not None:
        yield replace(question, limit=None)
    if question.openers is not None:
        yield replace(question, openers=None)
        for opener in question.openers:
            left = tuple(other for other in question.openers if other != opener)
            if left:
                yield replace(question, openers=left)
    if question.weights is not None:
        yield replace(question, weights=None)
        for smaller in (1, 2):
            weights = tuple((answer, min(weight, smaller)) for answer, weight in question.weights)
            if weights != question.weights:
                yield replace(question, weights=weights)
    if question.objective.startswith("within") and int(question.objective.partition(":")[2]) > 1:
        yield replace(question, objective=f"within:{int(question.objective.partition(':')[2]) - 1}")


# Against the textbook


@dataclass(frozen=True)
class TextbookCase(_Solve):
    """A small game, at its start or at a position, against the textbook: status, value, bound and the very tree."""

    kind: ClassVar[str] = "textbook"

    @classmethod
    def made(cls, rng: random.Random) -> TextbookCase:
        game = small_game(rng, rng.choice((Rules.NORMAL, Rules.NORMAL, *Rules)))
        turns: tuple[tuple[str, int], ...] = ()
        if rng.random() < 0.2:
            turns = tuple((game.guesses[g], code) for g, code in random_turns(rng, game, rng.randint(1, 2)))
        question = random_question(rng, game, turns=turns)
        if question.openers is None and rng.random() < 0.2:  # a limit that binds, or nearly
            try:
                found = Textbook(game, most=MOST_POSITIONS // 4).solve(None, "worst", None, numbered(game, turns))
            except TooLarge:
                found = None
            if found is not None:
                worst = len(turns) + found.value[0]
                question = replace(question, limit=max(len(turns) + 1, worst + rng.choice((-1, 0, 0, 1))))
        elif not turns and rng.random() < 0.35:  # answers may be late: the cost of a guess changes on the way
            game = rng.choice((few_letters, hardly_anything))(rng, Rules.NORMAL)
            weights = (
                None if rng.random() < 0.6 else tuple((answer, rng.choice((1, 1, 1, 2))) for answer in game.answers)
            )
            openers = None if rng.random() < 0.6 else tuple(rng.sample(game.guesses, rng.randint(2, 4)))
            question = Question(None, f"within:{rng.choice((2, 2, 2, 3))}", openers, weights)
        return cls(Spec.of(game), _legal_openers(game, question))

    def check(self) -> Outcome:
        game, question = self.spec.game(), self.question
        turns = numbered(game, question.turns)
        weights = question.weight_values(game)
        textbook = Textbook(game, weights, MOST_POSITIONS)
        if weights is not None and not textbook._sum(textbook.candidates(turns)):
            return Skipped("all weights are 0")
        openers = None if question.openers is None else tuple(map(game.guess_index, question.openers))
        try:
            expected = textbook.solve(question.left, question.objective_from_here, openers, turns)
        except TooLarge:
            return Skipped("too large for the textbook")
        try:
            result = question.asked(game)
        except InputError as error:
            # A single weight may be too large by itself.
            told = "too much" in str(error) or "or less" in str(error)
            if told and weights is not None and not _fits(textbook, question, expected, turns):
                return None
            return Failure("refused", f"refused: {error}", self)
        return self.compared(game, textbook, expected, result)

    def compared(self, game: Game, textbook: Textbook, expected: Solution | None, result: Result) -> Outcome:
        if expected is None:
            if result.status is not Status.INFEASIBLE:
                return Failure("status", f"{result.status} {result.value}; there is no tree", self)
            return None
        wanted = f"wanted OPTIMAL {expected.value}"
        said = f"{result.status} with value {result.value} and bound {result.bound}"
        if result.status is not Status.OPTIMAL:
            return Failure("status", f"{said}; {wanted}", self)
        if result.value != expected.value or result.bound != expected.value:
            return Failure("value", f"{said}; {wanted}", self)
        wrong = wrong_with(game, self.question, result)
        if wrong:
            return Failure("replay", f"{said}: {wrong}", self)
        root = node_of(game, expected.plan)
        assert result.tree is not None
        if result.tree.root != root:
            return Failure("tree", f"{said}; wanted the tree {drawn(root)}, got {drawn(result.tree.root)}", self)
        answers = textbook.members(textbook.candidates(numbered(game, self.question.turns)))
        depths = depths_of(game, expected.plan, answers)
        here = tuple(textbook.weights[answer] for answer in answers)
        if value_of(depths, here, self.question.objective_from_here) != expected.value:
            return Failure("textbook", "the textbook's own tree is not worth what it says", self)
        return None


def _legal_openers(game: Game, question: Question) -> Question:
    """The question with the openers that are legal after its turns; all of them where there is none."""
    if question.openers is None or not question.turns:
        return question
    textbook = Textbook(game)
    legal = {game.guesses[i] for i in textbook.members(textbook.legal(numbered(game, question.turns)))}
    return replace(question, openers=tuple(opener for opener in question.openers if opener in legal) or None)


def _fits(textbook: Textbook, question: Question, expected: Solution | None, turns: list[tuple[int, int]]) -> bool:
    """Whether the sums that an engine of 64 bits needs are small enough that it must not refuse the question."""
    candidates = textbook.candidates(turns)
    most = textbook._sum(candidates) * min(candidates.bit_count() + 1, question.left or 1 << 30)
    if most >= INFEASIBLE or expected is None:
        return most < INFEASIBLE
    if not question.objective.startswith("within"):
        return True
    missed, total = expected.value
    return missed * (most + 1) + total < 0.99 * INFEASIBLE


def numbered(game: Game, turns: tuple[tuple[str, int], ...]) -> list[tuple[int, int]]:
    """Turns by the number of the guess."""
    return [(game.guess_index(guess), code) for guess, code in turns]


def node_of(game: Game, plan: Plan) -> Node:
    return Node(game.guesses[plan.guess], {code: node_of(game, p) for code, p in plan.children.items()})


def drawn(node: Node) -> object:
    return (node.guess, {code: drawn(child) for code, child in node.children.items()}) if node.children else node.guess


@dataclass(frozen=True)
class AdviceCase(_Solve):
    """`analyse` at a position against the textbook: the total and the worst case of every guess that it lists."""

    kind: ClassVar[str] = "advice"

    @classmethod
    def made(cls, rng: random.Random) -> AdviceCase:
        game = small_game(rng, rng.choice(tuple(Rules)))
        turns = tuple((game.guesses[g], code) for g, code in random_turns(rng, game, rng.randint(0, 2)))
        limit = None if rng.random() < 0.5 else len(turns) + rng.randint(1, 6)
        return cls(Spec.of(game), Question(limit, turns=turns, jobs=rng.choice((1, 1, 2))))

    def code(self) -> str:
        question = self.question
        asked = f"analyse(game, {list(question.turns)}, max_guesses={question.limit}, jobs={question.jobs}, top=99)"
        return f"{IMPORTS}\n\ngame = {self.spec.code()}\nprint({asked})"

    def check(self) -> Outcome:
        game, question = self.spec.game(), self.question
        try:
            keys = keys_at(Textbook(game, None, MOST_POSITIONS), numbered(game, question.turns), question.left)
        except TooLarge:
            return Skipped("too large for the textbook")
        found = analyse(
            game, list(question.turns), max_guesses=question.limit, jobs=question.jobs, top=len(game.guesses)
        )
        wanted = [
            (game.guesses[guess], key.total, key.worst)
            for guess, key in sorted(keys.items(), key=lambda item: (item[1] is None, item[1]))
            if key is not None
        ]
        seen = [(advice.guess, advice.total, advice.worst) for advice in found.guesses]
        if seen != wanted:
            return Failure("advice", f"wanted {wanted}, got {seen}", self)
        none = [game.guesses[guess] for guess, key in keys.items() if key is None]
        if sorted(found.others) != sorted((guess, None) for guess in none):
            return Failure("others", f"wanted no tree for {none}, got {found.others}", self)
        return None


# Against itself, on medium games


class Variant(NamedTuple):
    """Another road to the same result."""

    without: frozenset[str] = frozenset()
    jobs: int = 1
    slots: int | None = None  # at most so many entries in each table of values
    bare: bool = False  # as a bare matrix, without the structure that words and pegs offer
    ones: bool = False  # with a weight of 1 for every answer, in place of none


#: Without these a search takes so long that only quick ones are tried so; the nodes that are few enough.
_COSTLY = {"table": 60, "counts": 60, "splits": 600, "frames": 20_000}
_MOST_NODES = 40_000


@dataclass(frozen=True)
class SwitchCase(_Solve):
    """A medium game asked in several ways: the same status, value and bound, and the same tree byte for byte."""

    kind: ClassVar[str] = "switches"
    variants: tuple[Variant, ...] = ()

    @classmethod
    def made(cls, rng: random.Random) -> SwitchCase:
        game = medium_game(rng, rng.choice((Rules.NORMAL, Rules.NORMAL, *Rules)))
        question = replace(random_question(rng, game), jobs=1)
        if question.openers is not None and rng.random() < 0.7:  # few openers are settled at once
            question = replace(question, openers=tuple(rng.choices(game.guesses, k=rng.choice((2, 8, 20, 40)))))
        if question.limit is not None:
            question = replace(question, limit=rng.randint(3, 8))
        variants = [
            Variant(without=frozenset({rng.choice(sorted(SWITCHES))})),
            Variant(without=frozenset({rng.choice(sorted(SWITCHES))})),
            Variant(without=frozenset(rng.sample(sorted(SWITCHES), rng.randint(2, len(SWITCHES))))),
            Variant(jobs=2),
            Variant(slots=1 << 10),
        ]
        if question.weights is None and game.feedback is not None:
            variants.append(Variant(ones=True))
        if game.rules is Rules.NORMAL and game.feedback is not None:
            variants.append(Variant(bare=True))
        return cls(Spec.of(game), question, tuple(rng.sample(variants, 3)))

    def code(self) -> str:
        variant = self.variants[0]
        question = replace(self.question, without=variant.without, jobs=variant.jobs, slots=variant.slots)
        told = [super().code(), f"# and in another way: {variant}"]
        if variant.bare:
            told += [
                "game = Game.from_matrix(game.matrix, game.winning_code, guesses=game.guesses, answers=game.answers)"
            ]
        if variant.ones:
            question = replace(question, weights=tuple((answer, 1) for answer in self.spec.game().answers))
        return "\n".join([*told, question.code(self.spec)])

    def smaller(self) -> Iterator[_Solve]:
        if len(self.variants) > 1:
            return  # the failure names the one
        yield from super().smaller()
        (variant,) = self.variants
        for switch in sorted(variant.without):
            if len(variant.without) > 1:
                yield replace(self, variants=(variant._replace(without=variant.without - {switch}),))

    def check(self) -> Outcome:
        game = self.spec.game()
        base = self.asked(game, Variant())
        if isinstance(base, str):
            return Skipped(base)
        wrong = wrong_with(game, self.question, base)
        if wrong:
            return Failure("replay", wrong, replace(self, variants=self.variants[:1]))
        compared = False
        for variant in self.variants:
            most = min((_COSTLY[switch] for switch in variant.without if switch in _COSTLY), default=_MOST_NODES)
            if base.nodes > (_COSTLY["splits"] if variant.bare else most):
                continue
            other = self.asked(game, variant)
            if isinstance(other, str):
                if "too much" in other:
                    return Failure("refused", other, replace(self, variants=(variant,)))
                continue
            compared = True
            told = [f"{r.status} value {r.value} bound {r.bound}" for r in (base, other)]
            alone = replace(self, variants=(variant,))
            if told[0] != told[1]:
                return Failure("variant value", f"{told[0]}; with {variant}: {told[1]}", alone)
            trees = [_tree_alone(r.tree) for r in (base, other)]
            if trees[0] != trees[1]:
                return Failure("variant tree", f"{told[0]}, and another tree with {variant}", alone)
        return None if compared else Skipped("too long without the switch")

    def asked(self, game: Game, variant: Variant) -> Result | str:
        """The result, or why there is none."""
        question = replace(self.question, without=variant.without, jobs=variant.jobs, slots=variant.slots)
        if variant.bare:
            game = Game.from_matrix(
                game.matrix, game.winning_code, guesses=game.guesses, answers=game.answers, rules=game.rules
            )
        if variant.ones:
            question = replace(question, weights=tuple((answer, 1) for answer in game.answers))
        try:
            result = question.asked(game, time_limit=MOST_SECONDS)
        except InputError as error:
            if "too much" not in str(error):
                raise
            return str(error)
        return result if result.stop_reason == "done" else "it takes too long"


def _tree_alone(tree: StrategyTree | None) -> object:
    """The tree without the game and the weights that it belongs to: bytes where these are the same."""
    return None if tree is None else (tree.root, tree.total, tree.worst, tree.distribution)


# Stopped runs


@dataclass(frozen=True)
class StopCase(_Solve):
    """A solve that is stopped: its bound and its tree enclose the exact value, and OPTIMAL means the same tree."""

    kind: ClassVar[str] = "stops"
    seconds: float | None = None  # a time limit
    reports: int = 0  # Ctrl-C at this report of the progress

    @classmethod
    def made(cls, rng: random.Random) -> StopCase:
        game = medium_game(rng, rng.choice(tuple(Rules)))
        question = random_question(rng, game)
        if question.limit is not None:
            question = replace(question, limit=rng.randint(3, 8))
        if rng.random() < 0.5:
            return cls(Spec.of(game), question, seconds=0.5 ** rng.randint(0, 12))
        return cls(Spec.of(game), question, reports=rng.randint(1, 6))

    def code(self) -> str:
        how = f"time_limit={self.seconds}" if self.seconds else f"progress=interrupt_at_report_{self.reports}"
        return f"{IMPORTS}\n\ngame = {self.spec.code()}\n{self.question.code(self.spec, how)}"

    def check(self) -> Outcome:
        game = self.spec.game()
        reports = 0

        def interrupt(_: object) -> None:
            nonlocal reports
            reports += 1
            if reports == self.reports:
                signal.raise_signal(signal.SIGINT)

        try:
            whole = self.question.asked(game, time_limit=4 * MOST_SECONDS)
            if whole.stop_reason != "done":
                return Skipped("it takes too long")
            stopped = self.question.asked(game, time_limit=self.seconds, progress=interrupt if self.reports else None)
        except InputError as error:
            if "too much" not in str(error):
                raise
            return Skipped(str(error))
        wrong = wrong_with(game, self.question, stopped)
        if wrong:
            return Failure("replay", f"stopped ({stopped.stop_reason}): {wrong}", self)
        said = f"stopped: {stopped.status} {stopped.value} {stopped.bound}; whole: {whole.status} {whole.value}"
        exact = whole.value
        if stopped.status is Status.INFEASIBLE and exact is not None:
            return Failure("stopped status", said, self)
        if stopped.value is not None and (exact is None or exact > stopped.value):
            return Failure("stopped value", said, self)
        if stopped.bound is not None and exact is not None and stopped.bound > exact:
            return Failure("stopped bound", said, self)
        if stopped.status is Status.OPTIMAL and _tree_alone(stopped.tree) != _tree_alone(whole.tree):
            return Failure("stopped tree", f"{said}: OPTIMAL with another tree", self)
        return None


# Slices


@dataclass(frozen=True)
class SliceCase(Case):
    """Openers of a random game, searched in slices: see slices_util.py. Wants a build with small thresholds."""

    kind: ClassVar[str] = "slices"
    seed: int

    @classmethod
    def made(cls, rng: random.Random) -> SliceCase:
        return cls(rng.getrandbits(64))

    def check(self) -> Outcome:
        try:
            slices_case(random.Random(self.seed), OPENERS)
        except AssertionError as error:
            return Failure("slice", str(error), self)
        return None

    def smaller(self) -> Iterator[SliceCase]:
        """A case is its seed: there is nothing to take out of it."""
        return iter(())

    def code(self) -> str:
        call = f"slices_case(random.Random({self.seed}), {OPENERS})"
        return f"import random\n\nfrom slices_util import slices_case\n\n{call}"
