"""Strategy trees and their files; the bytes are those of `optimal.trees.codec`."""

from __future__ import annotations

import os

from optimal.checks import check_whole
from optimal.errors import InputError
from optimal.show.words import shown
from optimal.trees.codec import pack, unpack
from optimal.trees.reader import MAX_FILE_BYTES, load_file
from optimal.trees.tree import StrategyTree


def to_bytes(tree: StrategyTree) -> bytes:
    """The bytes of a tree's file. Raises TreeFileError for a tree that could not be read back."""
    return pack(vars(tree))


def from_bytes(data: bytes) -> StrategyTree:
    """The tree of a file's bytes. Raises TreeFileError for anything that is not exactly a tree file."""
    return StrategyTree(**unpack(data))


def write_tree(path: str | os.PathLike[str], tree: StrategyTree) -> None:
    """Write the tree; the file appears whole or not at all. `tree.save(path)` is the same.

    >>> from optimal import solve, write_tree
    >>> write_tree("mastermind.msgpack", solve("mastermind:3x3").tree)

    Parameters
    ----------
    path : str or path
        The file, which may be there already.
    tree : StrategyTree
        The tree.

    Raises
    ------
    TreeFileError
        When it can't be written.
    """
    if not isinstance(tree, StrategyTree):
        raise InputError(f"write_tree takes the name of a file and then a StrategyTree, not {shown(tree)}")
    tree.save(path)


def read_tree(path: str | os.PathLike[str], *, max_bytes: int = MAX_FILE_BYTES) -> StrategyTree:
    """Read a tree file. Its totals are left to `verify_tree`; `StrategyTree.load` finds shipped trees by name too.

    >>> from optimal import StrategyTree, read_tree, write_tree
    >>> write_tree("own.msgpack", StrategyTree.load("classic-normal"))
    >>> print(read_tree("own.msgpack").root.guess)
    salet

    Parameters
    ----------
    path : str or path
        The file.
    max_bytes : int, optional
        Refuse larger files.

    Raises
    ------
    TreeFileError
        For whatever is wrong with the file.
    InputError
        For what is no name of a file.
    """
    return StrategyTree(**load_file(path, "tree", unpack, check_whole(max_bytes, "max_bytes", 0, 1 << 32)))


def load_tree(tree: str | os.PathLike[str]) -> StrategyTree:
    """The tree of a file, or else the shipped tree of that name: see `StrategyTree.load`."""
    return StrategyTree.load(tree)


def tree_of(tree: StrategyTree | str | os.PathLike[str]) -> StrategyTree:
    """A tree itself, or the one that `load_tree` finds by its name. InputError for anything else."""
    if isinstance(tree, StrategyTree):
        return tree
    if isinstance(tree, str | os.PathLike):
        return load_tree(tree)
    raise InputError(
        f"a tree is needed: a StrategyTree, the file of one, or a name such as 'classic-normal'; not {shown(tree)}"
    )
