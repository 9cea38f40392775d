"""The nodes of strategies and keys: immutable, in pure Python, with one preorder for both.

A tree may be as deep as it has leaves, so nothing here recurses: every walk keeps its own stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Generic, NoReturn, TypeVar

_NO_CHILDREN: Mapping[int, Any] = MappingProxyType({})

NodeT = TypeVar("NodeT", bound="TreeNode")


class TreeNode:
    """A node of a tree: what a subclass names in its slots, and the node after each reply, by the reply's code."""

    __slots__ = ("children",)

    children: Mapping[int, Any]

    def __init__(self, children: Mapping[int, Any], *own: object) -> None:
        ordered = MappingProxyType(dict(sorted(children.items()))) if children else _NO_CHILDREN
        object.__setattr__(self, "children", ordered)
        for name, value in zip(self.__slots__, own, strict=True):
            object.__setattr__(self, name, value)

    @property
    def own(self) -> tuple[object, ...]:
        """What the node holds beside its children."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs: list[tuple[Any, Any]] = [(self, other)]
        while pairs:
            left, right = pairs.pop()
            if left is right:
                continue
            if left.own != right.own or left.children.keys() != right.children.keys():
                return False
            pairs += zip(left.children.values(), right.children.values(), strict=True)
        return True

    def __hash__(self) -> int:
        return hash((self.own, *self.children))

    @property
    def depth(self) -> int:
        """The longest path from here on, in guesses: this one is included."""
        depth, level = 0, [self]
        while level:
            depth += 1
            level = [child for node in level for child in node.children.values()]
        return depth

    def nodes(self: NodeT) -> Iterator[NodeT]:
        """This node and all below it: parents first, replies in the order of their codes."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(list(node.children.values())[::-1])


class Node(TreeNode):
    """One guess, and the node that follows each feedback code. The winning code has no child."""

    __slots__ = ("guess",)

    guess: str
    children: Mapping[int, Node]

    def __init__(self, guess: str, children: Mapping[int, Node] = _NO_CHILDREN) -> None:
        super().__init__(children, guess)

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.guess, dict(self.children))

    def __repr__(self) -> str:
        return f"Node({self.guess!r}, {len(self.children)} children)"


class Step(TreeNode):
    """A question, by its index in the table, and the step after each reply; or, at an end, the objects left."""

    __slots__ = ("objects", "question")

    question: int | None
    children: Mapping[int, Step]
    objects: tuple[int, ...]

    def __init__(
        self, question: int | None, children: Mapping[int, Step] = _NO_CHILDREN, objects: tuple[int, ...] = ()
    ) -> None:
        super().__init__(children, objects, question)

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self.question, dict(self.children), self.objects)

    def __repr__(self) -> str:
        if self.question is None:
            return f"Step(None, objects={self.objects})"
        return f"Step({self.question}, {len(self.children)} children)"

    @property
    def depth(self) -> int:
        """The longest path from here on, in questions: this one is included."""
        return super().depth - 1

    def steps(self) -> Iterator[Step]:
        """Every step, parents first, replies in the table's order."""
        return self.nodes()


def preorder(root: NodeT, begin: Callable[[NodeT], Iterable[int]]) -> list[int]:
    """The tree as numbers: those with which a node begins, then each child as its code and its own subtree."""
    numbers: list[int] = []
    stack: list[tuple[int | None, NodeT]] = [(None, root)]
    while stack:
        code, node = stack.pop()
        if code is not None:
            numbers.append(code)
        numbers += begin(node)
        stack.extend(list(node.children.items())[::-1])
    return numbers


class Builder(Generic[NodeT]):
    """Make a tree of its nodes in preorder: `open` begins a node with children, `close` adds one without.

    Between them `child` takes the code of the child that comes next.
    """

    def __init__(self, make: Callable[[Any, Mapping[int, NodeT]], NodeT]) -> None:
        self._make = make
        #: The nodes that are open: label, children so far, how many are to come, and the code of the next.
        self._open: list[tuple[Any, dict[int, NodeT], int, int]] = []

    @property
    def depth(self) -> int:
        """How many nodes are open."""
        return len(self._open)

    @property
    def label(self) -> Any:
        """The label of the node whose child comes next."""
        return self._open[-1][0]

    @property
    def code(self) -> int:
        """The code of its child before; -1 where there is none."""
        return self._open[-1][3]

    def open(self, label: Any, children: int) -> None:
        self._open.append((label, {}, children, -1))

    def child(self, code: int) -> None:
        label, children, left, _ = self._open[-1]
        self._open[-1] = (label, children, left - 1, code)

    def close(self, node: NodeT) -> NodeT | None:
        """Add a node to the one that waits for it; returns the root once nothing is open any more."""
        while self._open:
            label, children, left, code = self._open[-1]
            children[code] = node
            if left:
                return None
            self._open.pop()
            node = self._make(label, children)
        return node
