"""The nodes of strategies and keys: immutable, in pure Python, with one preorder for both.

A tree may be as deep as it has leaves, so nothing here recurses: every walk keeps its own stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

_NO_CHILDREN: Mapping[int, Any] = MappingProxyType({})

NodeT = TypeVar("NodeT", bound="TreeNode")
Label = TypeVar("Label")


class TreeNode:
    """A node of a tree: the fields that a subclass names in its slots, and the child after each code."""

    __slots__ = ("children",)

    children: Mapping[int, Any]

    def __init__(self, children: Mapping[int, Any], *own: object) -> None:
        ordered = MappingProxyType(dict(sorted(children.items()))) if children else _NO_CHILDREN
        object.__setattr__(self, "children", ordered)
        for name, value in zip(self.__slots__, own, strict=True):
            object.__setattr__(self, name, value)

    def _own(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs: list[tuple[Any, Any]] = [(self, other)]
        while pairs:
            left, right = pairs.pop()
            if left is right:
                continue
            if left._own() != right._own() or left.children.keys() != right.children.keys():
                return False
            pairs += zip(left.children.values(), right.children.values(), strict=True)
        return True

    def __hash__(self) -> int:
        return hash((self._own(), *self.children))

    @property
    def depth(self) -> int:
        """Guesses on the longest path from here on, this one included."""
        depth, level = 0, [self]
        while level:
            depth += 1
            level = [child for node in level for child in node.children.values()]
        return depth

    def nodes(self: NodeT) -> Iterator[NodeT]:
        """Yield this node and all below it: parents first, children in the order of their codes."""
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
        """Questions on the longest path from here on, this one included."""
        return super().depth - 1


def preorder(root: NodeT, begin: Callable[[NodeT], Iterable[int]]) -> list[int]:
    """Return the tree as numbers: those with which a node begins, then each child as its code and its own subtree."""
    numbers: list[int] = []
    stack: list[tuple[int | None, NodeT]] = [(None, root)]
    while stack:
        code, node = stack.pop()
        if code is not None:
            numbers.append(code)
        numbers += begin(node)
        stack.extend(list(node.children.items())[::-1])
    return numbers


def from_preorder(
    begin: Callable[[int], tuple[Label, int]],
    next_code: Callable[[Label, int], int],
    make: Callable[[Label, dict[int, NodeT]], NodeT],
) -> NodeT:
    """Return the tree that the first two functions read in preorder.

    ``begin(depth)`` reads the label of a node and its number of children; ``next_code(label, last)`` the code of its
    next child, after the one whose code is ``last`` (-1: none).
    """
    stack: list[tuple[Label, int, dict[int, NodeT], int]] = []  # open nodes, each with the code of its next child
    while True:
        label, count = begin(len(stack))
        children: dict[int, NodeT] = {}
        while len(children) == count:
            node = make(label, children)
            if not stack:
                return node
            label, count, children, code = stack.pop()
            children[code] = node
        code = next_code(label, next(reversed(children), -1))
        stack.append((label, count, children, code))
