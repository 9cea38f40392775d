"""The strategy tree: which guess to make after every feedback. Immutable data, pure Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from optimal.checks import check_scorer
from optimal.errors import InputError
from optimal.games.info import GameInfo, History, describe
from optimal.games.presets import titled
from optimal.show.words import shown
from optimal.trees.base import Tree, fraction
from optimal.trees.codec import pack, tree_path, unpack
from optimal.trees.nodes import Node
from optimal.trees.reader import load_file, save_file

if TYPE_CHECKING:
    import os
    from fractions import Fraction

    from optimal.games.rules import Rules

Scorer = Callable[[str, str], int]

#: Rows of a table in a notebook.
MOST_ROWS = 20


@dataclass(frozen=True, repr=False)
class StrategyTree(Tree[Node]):
    """A strategy with the claim that is made for it.

    Depths, `total`, `worst` and `distribution` count guesses from the root on. `max_guesses`, and the K of
    the objective "within:K", count from the start of the game, so they include those of `position`.

    >>> from optimal import StrategyTree
    >>> tree = StrategyTree.load("classic-normal")
    >>> tree.total, tree.worst, dict(tree.distribution)
    (7920, 5, {2: 84, 3: 1214, 4: 975, 5: 42})
    """

    game: GameInfo
    rules: Rules
    objective: str  # "mean" | "worst" | "within:K"
    max_guesses: int | None
    position: History  # guesses made before the root; () normally
    weights: tuple[int, ...] | None  # aligned with answers; None: each answer counts once
    weights_name: str  # "uniform" | "frequency" | "file"
    answers: tuple[str, ...]  # those left at `position`; sorted, except for a bare matrix
    root: Node
    status: str  # "OPTIMAL" | "FEASIBLE"
    value: tuple[int, ...]  # mean: (total,)  worst: (worst, total)  within:K: (missed, total)
    bound: tuple[int, ...]  # proven lower bound of `value`, in the same order
    total: int  # sum of weight x depth
    worst: int
    distribution: Mapping[int, int]  # depth -> number of answers
    openers: tuple[str, ...] | None  # the openers that the claim covers; None: every legal guess
    program: str
    ledgers: tuple[str, ...] = ()  # the imported bounds that the claim rests on, by the names of their files

    def __post_init__(self) -> None:
        # One order for what has no order of its own, so that equal trees have equal bytes.
        ordered = MappingProxyType(dict(sorted(self.distribution.items())))
        object.__setattr__(self, "distribution", ordered)
        if self.openers is not None:
            object.__setattr__(self, "openers", tuple(sorted(set(self.openers))))

    def __hash__(self) -> int:
        return hash((self.game, self.rules, self.objective, self.position, self.total, self.root))

    def __reduce__(self) -> tuple[Any, ...]:
        state = {field.name: getattr(self, field.name) for field in fields(self)}
        return _rebuild, (state | {"distribution": dict(self.distribution)},)

    @classmethod
    def load(cls, tree: str | os.PathLike[str]) -> StrategyTree:
        """Read the tree of a file, or a shipped one by its name.

        >>> from optimal import StrategyTree
        >>> StrategyTree.load("classic-hard").root.guess
        'salet'

        Parameters
        ----------
        tree : str or path
            A file; or else the name of a shipped tree, such as "classic-normal", or of a game, for its tree under
            normal rules.

        Raises
        ------
        InputError
            Where there is neither.
        TreeFileError
            For a file that is no good tree file.
        """
        return cls(**load_file(tree_path(tree), "tree", unpack))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a file, which appears whole or not at all. TreeFileError when it can't be written."""
        save_file(path, "tree", pack(vars(self)))

    @property
    def mean(self) -> Fraction:
        """total / sum of weights, exactly."""
        return fraction(self.total, len(self.answers) if self.weights is None else sum(self.weights))

    @property
    def limit(self) -> int | None:
        """Guesses allowed from the root on."""
        return None if self.max_guesses is None else self.max_guesses - len(self.position)

    @property
    def depth(self) -> int:
        """Guesses on the longest path of the tree."""
        return self.root.depth

    @property
    def mean_text(self) -> str:
        try:
            return f"{float(self.mean):.4f}"
        except ZeroDivisionError:  # a tree made by hand, whose answers count nothing
            return "-"

    def label(self, node: Node) -> str:
        return node.guess

    def reply(self, node: Node, code: int) -> str:
        return self.game.format(code)

    def node_fields(self, node: Node) -> dict[str, Any]:
        return {"guess": node.guess, "children": {}}

    def follow(self, history: Sequence[tuple[str, int]]) -> Node | None:
        """The node after these guesses and feedback codes, counted from the root; None when off the tree."""
        node: Node | None = self.root
        for guess, code in history:
            if node is None or node.guess != guess:
                return None
            node = node.children.get(code)
        return node

    def walk(self) -> Iterator[tuple[History, Node]]:
        """Every node with the history from the root to it; parents first, codes in increasing order."""
        stack: list[tuple[History, Node]] = [((), self.root)]
        while stack:
            history, node = stack.pop()
            yield history, node
            for code in sorted(node.children, reverse=True):
                stack.append(((*history, (node.guess, code)), node.children[code]))

    def path(self, answer: str, scorer: Scorer | None = None) -> list[tuple[str, int]]:
        """The guesses and feedback codes by which the tree finds an answer, from its root on.

        >>> from optimal import StrategyTree
        >>> StrategyTree.load("mastermind").path("2445")
        [('1123', 1), ('2445', 20)]

        Parameters
        ----------
        answer : str
            One of the tree's answers; words in any letter case.
        scorer : callable, optional
            ``scorer(guess, answer)`` returns the feedback code; a bare matrix needs it, other games bring their own.

        Returns
        -------
        list of (str, int)
            A pair for each guess. `play` has the feedback as people read it.

        Raises
        ------
        InputError
            For what is no answer of the tree.
        """
        score = self.scorer(scorer)
        wanted = self.game.written(answer) if isinstance(answer, str) else answer
        if not isinstance(answer, str) or wanted not in self.answers:
            raise InputError(f"{shown(answer)} is not one of the {len(self.answers)} answers of this tree")
        node: Node | None = self.root
        path: list[tuple[str, int]] = []
        while node is not None:
            code = score(node.guess, wanted)
            path.append((node.guess, code))
            if code == self.game.winning_code:
                return path
            node = node.children.get(code)
        raise InputError(f"the tree has no branch for {answer!r} after {self.describe(path)}")

    def play(self, answer: str, scorer: Scorer | None = None) -> list[tuple[str, str]]:
        """The same with the feedback as people read it: [("salet", "BYBYB"), ...]; `path` has the codes."""
        return [(guess, self.game.format(code)) for guess, code in self.path(answer, scorer)]

    def scorer(self, scorer: Scorer | None = None) -> Scorer:
        """The given scorer, else the feedback rule of the game."""
        if scorer is not None:
            return check_scorer(scorer)
        if self.game.feedback is None:
            raise InputError(f"game {self.game.name!r} is a bare matrix: give a scorer(guess, answer)")
        return self.game.feedback.score

    def describe(self, history: Sequence[tuple[str, int]]) -> str:
        """Guesses with their feedback, as POSITION is written: "salet=BYBBB crony=BYYBB"."""
        return describe(self.game, history)

    def __str__(self) -> str:
        start = f"{self.describe(self.position)}, then " if self.position else ""
        weighted = "" if self.weights is None else "weighted "
        return (
            f"{start}{self.root.guess}: {titled(self.game.name)}, {self.rules.value} rules, "
            f"{len(self.answers)} answers, {weighted}total {self.total}, mean {self.mean_text}, "
            f"worst case {self.worst}, {self.status}"
        )

    def _repr_html_(self) -> str:
        from optimal.show.html import html_table

        rows = list(self.distribution.items())
        more = f"and {len(rows) - MOST_ROWS} more depths, up to {self.worst}" if len(rows) > MOST_ROWS else ""
        return html_table(str(self), ["guesses", "answers"], rows[:MOST_ROWS], more, bars=True)


def _rebuild(state: dict[str, Any]) -> StrategyTree:
    return StrategyTree(**state)
