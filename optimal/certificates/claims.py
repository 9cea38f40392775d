"""What a certificate is made of, before it is written."""

from __future__ import annotations

from dataclasses import dataclass, field

from optimal.certificates.board import Integers

#: An earlier claim: its number, and in peg games the places and symbols of the map that carries its set here. Numbers
#: count the lemmas first, then the claims of an item in the order in which they end.
Earlier = tuple[int, ...]


@dataclass
class Claim:
    """No tree costs less than `target` here; NONE: there is no tree. For each guess that counting doesn't settle, the
    claims on its classes that do, in rising order of their codes."""

    target: int
    listed: list[tuple[int, list[tuple[int, Claim | Earlier]]]] = field(default_factory=list)


@dataclass
class Written:
    """A claim as the file has it, which takes less room, and how many claims it is made of."""

    data: bytes
    claims: int


@dataclass
class Width:
    """A set: the answers of its parent (an earlier width; -1 for none) whose feedback to `guess` is one of `codes`.

    ``most`` bounds the classes of every guess on it, a member counting one more.
    """

    parent: int
    guess: int
    codes: list[int]
    answers: Integers
    most: int


@dataclass
class Lemma:
    """A claim on a set of any kind with so many guesses left, all of them legal. Others refer to it by its number."""

    left: int
    answers: Integers
    claim: Claim


@dataclass
class Item:
    """What is known of a class of an opener: it lies in the set of a width and, beyond that, the claim, or the lemma,
    holds."""

    opener: int
    code: int
    width: int
    claim: Claim | Written | Earlier | None


@dataclass
class Likeness:
    """An opener that costs what another does: its symbols at `places`, renamed, are those of the other."""

    opener: int
    other: int
    places: tuple[int, ...]
    names: tuple[int, ...]


@dataclass
class Proof:
    """That no tree from the start costs less than so much within so many guesses."""

    lemmas: list[Lemma]
    widths: list[Width]
    items: list[Item]
    alike: list[Likeness]


@dataclass
class Statement:
    """What a certificate claims of a game: the integers as the file has them."""

    kind: int
    size: tuple[int, ...]  # words: length; mastermind: pegs, colours; bulls and cows: digits
    words: tuple[str, ...]  # all guesses of a word game, sorted; () for others
    answers: tuple[int, ...]  # indices of guesses, rising
    sha256: tuple[bytes, bytes]  # of guesses and answers
    rules: int
    limit: int  # 0: none
    worst: bool  # whether the objective is the worst case, then the total
    value: tuple[int, ...]  # (total,) or (worst, total); () where there is no tree
    tree: list[int]  # in preorder: guess, number of children, and for each its code and its own
