"""Forged certificates, each wrong in one thing alone, for the guard that sees it.

Both checkers refuse them. They are also asked with that guard off: then they accept, most often a theorem that is
false. So no guard is there for nothing, and none can be lost unseen.
"""

from __future__ import annotations

import ast
import inspect
import lzma
import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest
from certificates_util import (
    HELPED,
    HELPED_ITEM,
    HELPED_TREE,
    REST,
    SOURCE,
    Forged,
    by_c,
    by_python,
    check_ranges,
    check_size,
    helped,
    items,
    numbers_of,
    packed,
    proof_of,
    stream_in,
    word_game,
)

from optimal import Game, solve
from optimal.certificates import checker, reading, statement
from optimal.certificates.board import list_sha256
from optimal.certificates.certify import certify
from optimal.certificates.reading import Flaw, stream_of

NONE = 0  # a target: no strategy
HUGE = 2**33 - 1  # the greatest other one

# The six words and their helper, which take 18. Of 19, for which the items of the helper have to show one more than is
# true: all other openers take 19 or more.
_OTHERS = [[opener, REST, 1, 13, 0] for opener in (0, 2, 3, 4, 5, 6)]
_TREE_19 = [3, 1, REST, 1, 3, 0, 4, 1, REST, 5, 1, REST, 6, 0, 2, 0, 0, 3, 2, 0]


def nineteen(*sections: Sequence[Sequence[int]]) -> list[int]:
    return helped(proof_of(*(items(*listed) for listed in sections)), 19, _TREE_19)


SOUND = items(HELPED_ITEM)

_FOUR = (2, 3, 4, 5)  # the answers that the helper leaves

# The same with another helper, "cd". They take 17, with either first: the four that it leaves are for the other, and
# cost 9. Of 18, for which each has to show that they cost 10; within six guesses, so that lemmas can serve.
TWO = ("a-", "ab", "b-", "c-", "cd", "d-", "e-", "f-")
AB, CD = 1, 4
_TREE_18 = [AB, 3, 0, 3, 1, REST, 5, 1, REST, 6, 1, REST, 7, 0, 2, 0, 0, 3, 2, 0]
ABEF, CDEF = (0, 1, 4, 5), (2, 3, 4, 5)


#: The same within four guesses.
_TREE_18_SHORT = [AB, 3, 0, 6, 1, REST, CD, 3, 0, 7, 0, 2, 3, 0, 3, 5, 0, 2, 0, 0, 3, 2, 0]


def eighteen(proof: Sequence[int], limit: int = 6) -> list[int]:
    game = word_game(TWO, [word for word in TWO if word not in ("ab", "cd")])
    tree = _TREE_18_SHORT if limit == 4 else _TREE_18
    return [*game, 0, limit, 0, 1, 18, len(tree), *tree, *proof]


def lemma(left: int, answers: Sequence[int], *claim: int) -> list[int]:
    return [left, len(answers), *answers, *claim]


def by_lemmas(*lemmas: Sequence[int], numbers: tuple[int, int] = (1, 2), limit: int = 6) -> list[int]:
    """Two items that rest on lemmas of these numbers."""
    return eighteen(proof_of(items([AB, 0, 2, numbers[0]], [CD, 0, 2, numbers[1]]), lemmas=lemmas), limit)


def by_claims(ab: Sequence[int], cd: Sequence[int]) -> list[int]:
    """Two items with claims."""
    return eighteen(proof_of(items([AB, 0, 1, *ab], [CD, 0, 1, *cd])))


# Eight of the same kind with the helpers "ab" and "gh", each of which leaves six to the other; these take 18.
EIGHT = ("a-", "ab", "b-", "c-", "d-", "e-", "f-", "g-", "gh", "h-")
GH = 8


def of_eight(target: int, *lemmas: Sequence[int]) -> list[int]:
    """Two lemmas, and by them a third: that all eight take so many guesses."""
    third = lemma(5, range(8), target, 2, AB, 1, 0, 2, GH, 1, 0, 1)
    game = word_game(EIGHT, [word for word in EIGHT if word not in ("ab", "gh")])
    return [*game, 0, 1, 0, 0, *proof_of(lemmas=[*lemmas, third])]


# Ten words, and "efghij", which leaves a few of them together; among the ten a word that tells these few apart. They
# take 23, "efghij" first: the few cost what counting says, 6 or 7. Of 24.
def of_ten(word: str, tree: Sequence[int], body: Sequence[int]) -> list[int]:
    answers = sorted([*(f"{letter}-----" for letter in "abcefghij"), word])
    return [*word_game(sorted([*answers, "efghij"]), answers), 0, 0, 0, 1, 24, len(tree), *tree, *proof_of(body)]


_FIVE = [5, 5, 3, 6, 0, 9, 7, 0, 27, 8, 0, 81, 9, 0, 243, 10, 0]
_TEN_24 = [1, 5, 0, *_FIVE, 2, 0, 0, 3, 2, 0, 9, 3, 0, 27, 4, 0]
#: Of 24 too, with the other word: "efghij" first, and a word of the few that tells nothing.
_TEN_24_WASTED = [5, 7, 0, 0, 2, 2, 1, 0, 726, 2, 1, 726, 3, 0]
_TEN_24_WASTED += [2, 4, 0, 3, 6, 0, 9, 7, 0, 27, 8, 0, 81, 9, 0, 243, 10, 0]


# So many letters that forty guesses find not all of them.
def of_letters(target: int) -> list[int]:
    """That 82 take so many guesses: what forty of them take, and the least for the others."""
    half = [lemma(60, range(begin, begin + 40), 820, 0) for begin in (0, 42)]
    listed = [number for guess in range(82) for number in (guess, 1, 0, 2 if guess < 42 else 1)]
    letters = [chr(0x100 + i) for i in range(82)]
    return [
        *within_one(word_game(letters, letters))[:-3],
        *proof_of(lemmas=[*half, lemma(60, range(82), target, 82, *listed)]),
    ]


# Two pegs of three colours take 21, with two colours first. Of 22: with one colour first they take more.
_PEGS_22 = [1, 4, 0, 8, 0, 1, 7, 2, 2, 5, 0, 3, 6, 0, 2, 3, 0, 3, 2, 3, 0, 4, 0, 1, 7, 0, 3, 0, 0]
MIXED = (1, 2, 3, 5, 6, 7)


def twenty_two(likes: Sequence[Sequence[int]]) -> list[int]:
    codes = Game.preset("mastermind:2x3").guesses
    start = [1, 2, 3, *list_sha256(codes), *list_sha256(codes), 0, 0, 0, 1, 22, len(_PEGS_22), *_PEGS_22]
    return [*start, *proof_of(likes=likes)]


# Under hard rules the helpers "ab11" and "cd11" are legal after "wxyz", but not after "wx-z", whose third place is
# green: then six answers cost 21 instead of 17. With "wxyz" all nine take 29, and 30 without. A lemma that they take 30
# with it is true in all its claims, but for those that rest on 21 after "wx-z" where "wxyz" leaves the six.
HARD = (*(f"{letter}---" for letter in "abcdef"), "wwww", "xxxx", "yyyy")
_SIX = [0, 1, 78, 0, 15, 0, 1, 1, 0, 0, 15, 0, 2, 1, 78, 0, 15, 0, 3, 1, 78, 0, 15, 0, 4, 1, 0, 0, 15, 0]
_SIX += [5, 1, 78, 0, 15, 0, 6, 1, 78, 0, 15, 0, 7, 1, 78, 0, 15, 0]
_WITHOUT_ONE = [0, 0, 25, 10, *_SIX, 9, 1, 18, 0, 21, 0, 10, 1, 0]
_BY_HELPER = [1, 0, 0, 19, 2, 9, 1, 18, 0, 10, 0, 10, 1, 0, 0, 9, 0]
_THIRTY = [30, 13, 0, 1, 78, 0, 15, 0, 1, *_BY_HELPER, 2, 1, 78, 0, 15, 0, 3, 1, 78, 0, 15, 0, 4, *_BY_HELPER]
_THIRTY += [5, 1, 78, 0, 15, 0, 6, 1, 78, 0, 15, 0, 7, 1, 78, 0, 15, 0]
# "wwww", and in it "wxyz", which rests on "wx-z" before it; these two; "xxxx" and "yyyy"
_THIRTY += [8, 1, *_WITHOUT_ONE, 21, 9, 1, 18, 0, 21, 0, 10, 1, 0, 23]
_THIRTY += [11, 1, *_WITHOUT_ONE, 21, 12, 1, *_WITHOUT_ONE, 21]
_ITEMS_29 = [
    *([opener, 78, 1, 15, 0] for opener in (0, 2, 3, 5, 6, 7)),
    *([opener, 0, 1, 18, 0] for opener in (1, 4)),
    [9, 18, 1, 17, 0],
]
_TREE_29 = [9, 4, 0, 11, 0, 2, 8, 0, 6, 10, 0, 18, 1, 3, 0, 4, 3, 0, 6, 1, 78, 7, 0, 2, 3, 0, 3, 5, 0, 2, 0, 0, 3, 2, 0]


# The same, but what makes the helpers "ab11o" and "cd11o" illegal after "o1wxo" is that it shows two letters o.
_O = (*(f"{letter}oo--" for letter in "abcdef"), "wowww", "xoxxx", "yoyyy")
_TWICE = [*word_game(sorted([*_O, "ab11o", "cd11o", "o1wxo"]), _O), 1]
_ITEMS_TWICE = [
    [0, 81, 1, 18, 0],
    *([opener, 240, 1, 15, 0] for opener in (1, 2)),
    [3, 81, 1, 18, 0],
    *([opener, 240, 1, 15, 0] for opener in (4, 5, 6, 7)),
    [8, 82, 1, 17, 0],
]
_TREE_TWICE = [8, 4, 1, 11, 0, 19, 9, 0, 55, 10, 0, 82, 0, 3, 81, 3, 3, 81, 6, 1, 240, 7, 0, 83, 4, 0, 84, 5, 0]
_TREE_TWICE += [83, 1, 0, 84, 2, 0]


def hard(*more: str) -> list[int]:
    """The game of these words with more guesses, under hard rules."""
    return [*word_game(sorted([*HARD, "ab11", "cd11", "wx-z", *more]), HARD), 1]


def within_one(game: Sequence[int], rules: int = 0) -> list[int]:
    """That no strategy finds every answer with one guess, which takes no derivation."""
    return [*game, rules, 1, 0, 0, 0, 0, 0]


def sound(*more: Sequence[int], lemmas: Sequence[Sequence[int]] = ()) -> list[int]:
    """Of 18, which is true, with more items of the helper, or lemmas."""
    return helped(proof_of(items(HELPED_ITEM, *more), lemmas=lemmas), limit=6)


def width(guess: int, codes: Sequence[int], most: int, body: Sequence[int]) -> list[int]:
    """A body of one width."""
    return [0, 1, guess, len(codes), *codes, most, *body]


def with_tree(*tree: int, value: int = 18, limit: int = 0, size: int = 0) -> list[int]:
    proof = proof_of(items(HELPED_ITEM)) if value == 18 else proof_of()  # counting shows 17
    numbers = helped(proof, value, tree, limit=limit)
    at = len(word_game(HELPED, [word for word in HELPED if word != "ab"])) + 5
    numbers[at] += size
    return numbers


OPENER = "an opener is not shown to cost what is claimed"
GUESS = "a guess is not shown to cost the target of a claim"
CLASS = "the class of an item is empty, or not all in its set"
_AB_TO_A, _CD_TO_C = [2, 1, 0, 3, 4, 5, 6], [4, 1, 2, 3, 0, 5, 6]  # "b" for "-", and "d" for "-"
FORGED = {
    # Derivations
    "an item twice in a section": Forged(
        nineteen(sorted([*_OTHERS, HELPED_ITEM, HELPED_ITEM])),
        "feedback 0 of opener 1 comes twice",
        "two items for one class of an opener",
    ),
    "an item in two sections": Forged(
        nineteen(sorted([*_OTHERS, HELPED_ITEM]), [HELPED_ITEM]),
        "feedback 0 of opener 1 comes twice",
        "two items for one class of an opener",
    ),
    "an opener that costs less": Forged(
        nineteen(sorted([*_OTHERS, HELPED_ITEM])), "opener 1 is shown to cost 18 at least, not 19", OPENER
    ),
    "an item of an opener that needs none": Forged(
        sound([2, REST, 0]), "opener 2 needs no items", "items of an opener that needs none"
    ),
    "a class outside the set": Forged(
        eighteen(proof_of(width(AB, [0], 65536, width(CD, [0], 65536, items([AB, 0, 0], [CD, 0, 0]))))),
        "has no answers, or some outside the set",
        CLASS,
    ),
    "an empty class": Forged(sound([1, 4, 0]), "has no answers, or some outside the set", CLASS),
    "a guess that is not settled": Forged(
        by_claims([10, 1, CD, 0], [10, 1, AB, 0]), "is shown to cost 9 at least, not 10", GUESS
    ),
    "a class that costs no more than counting says": Forged(
        by_claims([10, 1, CD, 1, 0, 0, 3, 0], [10, 1, AB, 1, 0, 0, 3, 0]), "is shown to cost 9 at least, not 10", GUESS
    ),
    "an item that shows no more than counting": Forged(
        of_ten("abce++", _TEN_24, items([5, 0, 1, 6, 0])), "opener 5 is shown to cost 23 at least, not 24", OPENER
    ),
    "a width with a guess that tells all apart": Forged(
        of_ten("abc+++", _TEN_24_WASTED, width(5, [0], 65536, items([5, 0, 0]))),
        "opener 5 is shown to cost 23 at least, not 24",
        OPENER,
    ),
    "an earlier claim and one answer more": Forged(
        of_eight(27, lemma(5, range(1, 6), 15, 0), lemma(5, range(2, 7), 15, 0)),
        "is shown to cost 26 at least, not 27",
        GUESS,
    ),
    "an earlier claim and many answers more": Forged(of_letters(984), "is shown to cost 983 at least, not 984", GUESS),
    "an empty class listed": Forged(
        by_claims([10, 1, CD, 1, 1, 0, HUGE, 0], [10, 1, AB, 1, 1, 0, HUGE, 0]),
        "no answer has feedback 1",
        "a class without answers",
        (False, True),
    ),
    "a lemma of other answers": Forged(
        by_lemmas(lemma(5, (0, 2, 4, 5), 10, 0), numbers=(1, 1)),
        "the earlier claim is of answers outside the class",
        "an earlier claim is of answers outside the class",
    ),
    "a lemma with fewer guesses left": Forged(
        by_lemmas(lemma(2, CDEF, NONE, 0), lemma(2, ABEF, NONE, 0), limit=4),
        "the earlier claim has fewer guesses left",
        "an earlier claim has fewer guesses left",
    ),
    "an answer of a lemma twice": Forged(
        sound(lemmas=[lemma(5, (2, 2, 3, 4), 7, 0)]),
        "the answers of a lemma are not in rising order",
        "answer of a lemma",
    ),
    "the guesses of a claim, one too many": Forged(
        sound(lemmas=[lemma(5, range(6), 18, 2, 1, 1, 0, 0, 10, 0)]),
        "counting leaves 1 guesses to be settled, and another number is listed",
        "a claim lists other guesses than those that survive",
    ),
    "another guess of a claim": Forged(
        sound(lemmas=[lemma(5, range(6), 18, 1, 2, 1, 0, 0, 10, 0)]),
        "guess 1 is not listed",
        "a claim lists another guess than the one that survives",
    ),
    "an earlier claim where less was legal": Forged(
        [*hard("wxyz"), 1, 0, 0, *proof_of(lemmas=[lemma(5, range(9), *_THIRTY)])],
        "the earlier claim has fewer legal guesses",
        "an earlier claim has fewer legal guesses",
    ),
    "a class listed twice": Forged(
        sound(lemmas=[lemma(5, range(6), 18, 1, 1, 2, 0, 0, 10, 0, 0, 0, 10, 0)]),
        "a feedback code is 0, not from 1",
        "feedback code",
    ),
    "a width that says too little": Forged(
        helped(proof_of(width(1, [0], 2, items(HELPED_ITEM)))),
        "guess 3 makes 3 classes, not 2 at most",
        "a guess makes more classes than a width says",
    ),
    "a width without answers": Forged(
        helped(proof_of(width(1, [1], 3, items(HELPED_ITEM)))), "a width without answers", accepted=(False, False)
    ),
    "a section with nothing in it": Forged(
        helped(proof_of(items(HELPED_ITEM), [0, 0])), "a section or a width without items"
    ),
    "a longer section": Forged(
        helped(proof_of([*items(HELPED_ITEM), 0])), "more integers follow the section", "a section of another size"
    ),
    "more after the last proof": Forged(
        helped([*proof_of(items(HELPED_ITEM)), 0]), "more integers follow the last proof", "bytes after the last proof"
    ),
    # Peg games
    "a like of words": Forged(
        eighteen(proof_of(likes=[[AB, 0, 0, 1, *_AB_TO_A], [CD, 3, 0, 1, *_CD_TO_C]])),
        "like openers are for peg games",
        accepted=(True, False),
    ),
    "openers that rest on themselves": Forged(
        twenty_two([[opener, opener, 0, 1, 0, 1, 2] for opener in MIXED]),
        "can't rest on opener",
        "an opener that can't rest on the other",
    ),
    "a map to another opener": Forged(
        twenty_two([[opener, 0, 0, 1, 0, 1, 2] for opener in MIXED]),
        "doesn't become opener 0",
        "an opener that does not become the other",
    ),
    "one symbol for all": Forged(twenty_two([[opener, 0, 0, 1, 0, 0, 0] for opener in MIXED]), "no permutation"),
    "one place for all": Forged(
        twenty_two([[opener, first, 0, 0, 0, 1, 2] for opener, first in zip(MIXED, (0, 0, 4, 4, 8, 8), strict=True)]),
        "no permutation",
    ),
    "an opener that is not settled": Forged(twenty_two([]), "is shown to cost 21 at least, not 22", OPENER),
    # What counting may not pass over
    # Two words take 3.
    "one class less than the target needs": Forged(
        [*word_game(["a-", "b-"], ["a-", "b-"]), 0, 0, 0, 1, 4, 8, 0, 1, REST, 0, 1, REST, 1, 0, 0, 0, 0],
        "is shown to cost 3 at least, not 4",
        OPENER,
    ),
    "one answer, one guess": Forged(
        within_one(word_game(["a-", "b-"], ["a-"])), "opener 0 is shown to cost 1 at least, not none", OPENER
    ),
    "all told apart, two guesses": Forged(
        [*word_game(["a-", "ab", "b-", "c-"], ["a-", "b-", "c-"]), 0, 2, 0, 0, 0, 0, 0],
        "opener 1 is shown to cost 6 at least, not none",
        OPENER,
    ),
    "as many answers as classes, two guesses": Forged(
        [*word_game(["a-", "ab", "b-", "c-", "d-", "de", "e-"], ["a-", "b-", "c-", "d-", "e-"]), 0, 3, 0, 0, 0, 0, 0],
        "is shown to cost 13 at least, not none",
        OPENER,
    ),
    # The claim and the game
    "a tree of another value": Forged(
        with_tree(*HELPED_TREE, value=17), "the tree has the value [18], not [17]", "the tree has another value"
    ),
    "a tree beyond the limit": Forged(
        with_tree(*HELPED_TREE, limit=4),
        "the tree takes 5 guesses, more than the limit of 4",
        "the tree takes more guesses than the limit",
    ),
    "a tree that breaks the rules": Forged(
        [*hard(), 0, 0, 1, 29, len(_TREE_29), *_TREE_29, *proof_of(items(*sorted(_ITEMS_29)))],
        "of the tree is illegal",
        "an illegal guess of the tree",
    ),
    "a tree with a letter once that was shown twice": Forged(
        [*_TWICE, 0, 0, 1, 29, len(_TREE_TWICE), *_TREE_TWICE, *proof_of(items(*_ITEMS_TWICE))],
        "of the tree is illegal",
        "an illegal guess of the tree",
    ),
    "another branch": Forged(
        with_tree(*HELPED_TREE[:-3], 4, 2, 0),
        "another branch where feedback 3 should be",
        "the tree has another branch",
    ),
    "a branch too many": Forged(
        with_tree(*HELPED_TREE[:-1], 1),
        "more or fewer branches than the 0 of guess 2",
        "a guess of the tree has another number of branches",
    ),
    "a tree that is shorter than it says": Forged(
        with_tree(*HELPED_TREE, size=1), "the tree is shorter than it says", "the tree has another size"
    ),
    "a tree that is longer than it says": Forged(
        with_tree(*HELPED_TREE, size=-1), "the tree is longer than it says", "the tree has another size", (False, True)
    ),
    "another hash": Forged(
        [*helped([])[: 3 + 2 * 7 + 7], 0, *sound()[3 + 2 * 7 + 8 :]],
        "the hashes are not those of the lists",
        "a hash is not that of the list",
    ),
    "words that don't rise": Forged(
        within_one(word_game(["a", "a", "b"], ["a", "b"])), "the guesses are not in rising order", "words out of order"
    ),
    "answers that don't rise": Forged(
        within_one([0, 1, 3, 97, 98, 99, 3, 0, 0, 1, *list_sha256("abc"), *list_sha256("aab")]),
        "the answers are not guesses in rising order",
        "answer",
    ),
    "hard rules for pegs": Forged(
        within_one([1, 2, 3, *list_sha256(Game.preset("mastermind:2x3").guesses) * 2], rules=1),
        "hard rules are for words",
    ),
}


#: Of what forgeries are made.
SMALL = [
    sound(),
    sound(lemmas=[lemma(5, range(6), 18, 1, 1, 1, 0, 0, 10, 0)]),
    helped(proof_of(width(1, [0], 3, items(HELPED_ITEM)))),
    of_eight(26, lemma(5, range(6), 18, 1, 1, 1, 0, 0, 10, 0), lemma(5, range(2, 8), 18, 1, GH, 1, 0, 0, 10, 0)),
    of_letters(983),
    helped(proof_of(items([1, 0, 2, 1]), lemmas=[lemma(6, _FOUR, 10, 0)]), limit=6),
]


def test_what_forgeries_are_made_of_is_sound(program: Path) -> None:
    for numbers in SMALL:
        assert by_python(packed(numbers)).problems == []
        assert by_c(program, packed(numbers))[0]


@pytest.mark.parametrize("name", FORGED)
def test_forgeries_are_refused(name: str, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FORGED[name].check(program, monkeypatch)


SIZE, LETTERS, NESTED = "test_what_is_refused_for_its_size", "test_letters", "test_a_hundred_within_each_other"
#: Guards that no certificate above meets, by what else sees them.
ELSEWHERE = {
    "more than .* codes": "made before the pairs are counted: it keeps memory",
    "a letter that is no character": "without it the hash can't be made, as UTF-8 has no such letter",
    "more than .* different letters": LETTERS,
    "more than .* widths within each other": NESTED,
    **dict.fromkeys(("more than .* pairs of a guess and an answer", "more than .* steps"), SIZE),
    **dict.fromkeys(("more than .* claims of an item or a lemma", "more than .* claims within each other"), SIZE),
}
#: The same of the checker in C.
ELSEWHERE_IN_C = {
    "the stream is too long": "test_flaws_are_named",
    "it does not begin as a certificate of version 1, 2 or 3": "the same",
    "an integer in more bytes than it needs": "the same",
    "fewer integers than a size says": "the same",
    "a letter that is no character": "without it the hash can't be made",
    "too many codes": "made before the pairs are counted: it keeps memory",
    "the values do not fit the objective": "the tree has another value then",
    "the tree is too deep": "it keeps the stack: such a tree is no least one",
    "too many different letters": LETTERS,
    "widths are nested too deep": NESTED,
    **dict.fromkeys(("claims are nested too deep", "too many claims of an item or a lemma"), SIZE),
    **dict.fromkeys(("too many pairs of a guess and an answer", "more steps than a certificate may take"), SIZE),
}


def guards_in_c(*, keys: bool = False) -> set[str]:
    """What the checker in C says of flaws: of keys, or of all else."""
    before, of_keys, after = re.split(r"/\* -+ (?:keys, versions 2 and 3|the end of keys) \*/", SOURCE.read_text())
    return set(re.findall(r'fail\("([^"]+)"\)', of_keys if keys else before + after))


def test_every_guard_in_c_is_met() -> None:
    guards = guards_in_c()
    assert len(guards) > 30
    assert guards - {forged.guard_in_c for forged in FORGED.values()} == ELSEWHERE_IN_C.keys()


def guards_of(module: ModuleType, told: Sequence[str] | None = None) -> set[str]:
    """What a module of the checker in Python says of flaws, as patterns: all of it, or what was ``told``."""
    guards = set()
    for call in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "fail":
            (said,) = call.args
            parts = said.values if isinstance(said, ast.JoinedStr) else [said]
            guards.add("".join(str(part.value) if isinstance(part, ast.Constant) else ".*" for part in parts))
    return {guard for guard in guards if told is None or any(re.search(guard, line) for line in told)}


def test_every_guard_is_met() -> None:
    """Or it is said why not."""
    told = [by_python(forged.stream).problems[0] for forged in FORGED.values()]
    guards = guards_of(checker) | guards_of(statement)
    assert len(guards) > 30
    assert guards - guards_of(checker, told) - guards_of(statement, told) == ELSEWHERE.keys()


#: The range of each integer, in the first place where it stands in one of some certificates: of eight words, of the
#: helped ones, and of two pegs of four colours.
RANGES = {
    (0, 2): ["the kind of game", "the rules", "the kind of an item"],
    (1, 10): ["the length of words", "the number of answers", "the number of places"],
    (1, 65535): ["the number of guesses"],
    (0, 0x10FFFF): ["a letter of the guesses"],
    (0, 9): ["an answer", "a guess"],
    (0, 255): ["a byte of the hashes"],
    (0, 65535): ["the limit", "the guesses left for a lemma"],
    (0, 1): ["the objective", "the number of values", "a place"],
    (0, 2**18): ["the number of lemmas"],
    (1, 8): ["the number of answers of a lemma"],
    (0, 7): ["an answer of a lemma", "a feedback code", "the feedback of an item"],
    (0, HUGE): ["the target of a claim"],
    (0, 10): ["the number of guesses of a claim"],
    (0, 8): ["the number of classes", "the number of branches", "a feedback code of the tree"],
    (0, 0): ["the number of a claim", "the number of like openers"],
    (0, 65536): ["the number of sections", "the most classes"],
    (1, 2**50 - 1): ["a value"],
    (2, 36): ["the length of the tree"],
    (0, 6): ["a guess of the tree", "an opener", "the guess of a width"],
    (1, 1): ["the number of a lemma"],
    (1, 9): ["the number of codes"],
    (0, 2**56 - 1): ["a code of a width"],
    (2, 35): ["the number of colours"],
    (0, 3): ["a symbol"],
}


def test_every_integer_has_its_range(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.preset("mastermind:2x4")
    tree = solve(game).tree
    assert tree is not None
    certify(tree, game, tmp_path / "pegs.xz")
    pegs = numbers_of(stream_in(tmp_path / "pegs.xz"))
    check_ranges(RANGES, [SMALL[3], SMALL[5], SMALL[2], pegs], packed, program, monkeypatch)


def test_letters(program: Path) -> None:
    for count in (256, 257):
        stream = packed(within_one(word_game([chr(0x100 + i) for i in range(count)], [chr(0x100), chr(0x101)])))
        problems = by_python(stream).problems
        assert ["different letters" in problem for problem in problems] == [True] * (count > 256)
        assert by_c(program, stream)[0] == (count == 256)


@pytest.mark.parametrize(
    ("name", "flag", "least", "numbers", "flaw"),
    [
        ("checker.MOST_STEPS", "STEPS_MOST", 2196, sound(), "steps"),
        ("checker.MOST_SECTIONS", "SECTIONS_MOST", 2, helped(proof_of(SOUND, items([1, 2, 0]))), "number of sections"),
        ("checker.MOST_NESTED", "NESTED_MOST", 2, SMALL[1], "claims"),
        ("checker.MOST_KEPT", "KEPT_MOST", 2, SMALL[1], "claims of an item or a lemma"),
        ("checker.MOST_LEMMAS", "LEMMAS_MOST", 3, SMALL[3], "number of lemmas"),
        ("statement.MOST_PAIRS", "PAIRS_MOST", 42, sound(), "pairs of a guess and an answer"),
    ],
)
def test_what_is_refused_for_its_size(
    name: str, flag: str, least: int, numbers: list[int], flaw: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Just what the page lets checkers refuse: here with smaller bounds."""
    check_size(name, flag, least, packed(numbers), flaw, tmp_path, monkeypatch)


def test_files_are_refused_for_their_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = packed(sound())
    data = lzma.compress(stream)
    (tmp_path / "sound.xz").write_bytes(data)
    for name, least in (("MOST_FILE", len(data)), ("MOST_STREAM", len(stream))):
        with monkeypatch.context() as here:
            here.setattr(reading, name, least)
            assert reading.read_stream(tmp_path / "sound.xz") == stream
            here.setattr(reading, name, least - 1)
            with pytest.raises(Flaw, match=f"more than {least - 1} bytes"):
                reading.read_stream(tmp_path / "sound.xz")


@pytest.mark.parametrize("more", [b"\0\0\0\0", lzma.compress(b""), b"x"])
def test_a_file_is_one_stream(more: bytes) -> None:
    """Padding and a second stream, which `xz -dc` accepts."""
    data = lzma.compress(packed(sound()))
    assert stream_of(data) == packed(sound())
    with pytest.raises(Flaw, match="bytes after the end"):
        stream_of(data + more)
    with pytest.raises(Flaw, match="not a file in xz"):
        stream_of(lzma.compress(packed(sound()), lzma.FORMAT_ALONE))
