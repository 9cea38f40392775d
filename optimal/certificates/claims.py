"""The parts of a certificate, before it is written."""

from __future__ import annotations

from dataclasses import dataclass, field

from optimal.certificates.board import Integers

#: An earlier claim: its number, and in peg games the places and symbols of the map of its set to this one. Numbers
#: count the lemmas first, then the claims of an item in the order in which they end.
Earlier = tuple[int, ...]


@dataclass
class Claim:
    """The claim that no tree costs less than `target` (NONE: that there is no tree). For each guess that counting
    doesn't settle, it lists claims on classes, in rising order of their codes."""

    target: int
    listed: list[tuple[int, list[tuple[int, Claim | Earlier]]]] = field(default_factory=list)


@dataclass
class Written:
    """An encoded claim, which takes less memory, and its number of claims."""

    data: bytes
    claims: int


@dataclass
class Width:
    """A set: the answers of its parent (an earlier width; -1 for none) whose feedback to `guess` is one of `codes`.

    ``most`` bounds the classes of every guess on it, one more for a member.
    """

    parent: int
    guess: int
    codes: list[int]
    answers: Integers
    most: int


@dataclass
class Lemma:
    """A claim on any set with this many guesses left, all of them legal. Others refer to it by number."""

    left: int
    answers: Integers
    claim: Claim


@dataclass
class Item:
    """A class of an opener: it lies in the set of a width and, beyond that, the claim or the lemma holds."""

    opener: int
    code: int
    width: int
    claim: Claim | Written | Earlier | None


@dataclass
class Likeness:
    """An opener that costs the same as another: its symbols at `places`, renamed, are those of the other."""

    opener: int
    other: int
    places: tuple[int, ...]
    names: tuple[int, ...]


@dataclass
class Proof:
    """A proof that no tree from the start costs less than the target within the limit."""

    lemmas: list[Lemma]
    widths: list[Width]
    items: list[Item]
    alike: list[Likeness]


@dataclass
class Statement:
    """The claim of a certificate of a game, as the integers in the file."""

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
