"""What strategies and keys have in common: labelled nodes, replies between them, and their JSON and picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic

from optimal.trees.drawing import Drawn, picture
from optimal.trees.nodes import NodeT

if TYPE_CHECKING:
    from fractions import Fraction

#: Of the JSON; it grows when a field goes or changes its meaning.
JSON_VERSION = 1


class Tree(ABC, Generic[NodeT]):
    """A strategy or a key."""

    root: NodeT

    @abstractmethod
    def label(self, node: NodeT) -> str:
        """The text of a node."""

    @abstractmethod
    def reply(self, node: NodeT, code: int) -> str:
        """The text of a reply after a node."""

    def children(self, node: NodeT) -> list[tuple[int, NodeT]]:
        """The codes of replies and the nodes after them, in the order in which people read them."""
        return list(node.children.items())

    @abstractmethod
    def node_fields(self, node: NodeT) -> dict[str, Any]:
        """What JSON says of a node beside its children."""

    def branches(self) -> dict[str, Any]:
        """The nodes as JSON has them: their fields, and "children" by the text of each reply."""
        top: dict[str, Any] = {}
        stack = [(self.root, top)]
        while stack:
            node, out = stack.pop()
            out.update(self.node_fields(node))
            for code, child in node.children.items():
                below: dict[str, Any] = {}
                out.setdefault("children", {})[self.reply(node, code)] = below
                stack.append((child, below))
        return top

    def svg(self) -> str:
        """The tree as a picture, from the root on the left. InputError for one that is too large to be looked at."""
        # Preorder, with the index of each child here.
        nodes: list[Drawn] = []
        stack: list[tuple[NodeT, str, Drawn | None]] = [(self.root, "", None)]
        while stack:
            node, reply, parent = stack.pop()
            if parent is not None:
                parent.below.append((reply, len(nodes)))
            nodes.append(drawn := Drawn(self.label(node), 0 if parent is None else parent.depth + 1))
            stack += [(child, self.reply(node, code), drawn) for code, child in self.children(node)[::-1]]
        return picture(str(self), nodes)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


def fraction(numerator: int, denominator: int) -> Fraction:
    """Return the quotient, exactly."""
    from fractions import Fraction  # here, not above: the player starts faster without it

    return Fraction(numerator, denominator)
