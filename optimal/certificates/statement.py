"""The claim of a certificate: the game with its hashes, the rules, the value, and the tree that attains it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from optimal.certificates.board import (
    BULLS,
    HARD,
    MASTERMIND,
    NONE,
    NORMAL,
    ULTRA_HARD,
    WORDS,
    Board,
    list_sha256,
    peg_codes,
)
from optimal.certificates.reading import Reader

MOST_WORDS = 65535
MOST_LENGTH = 10
#: Different letters, and pairs of a guess and an answer, which take memory.
MOST_LETTERS = 256
MOST_PAIRS = 400_000_000
#: A total, or a worst case.
MOST_VALUE = NONE - 1
MOST_PLACES, MOST_COLOURS, DIGITS = 10, 35, 10
#: Spelling of codes, for their hashes.
_COLOURS, _DIGITS = "123456789abcdefghijklmnopqrstuvwxyz", "0123456789"
KINDS = ("words", "mastermind", "bulls-and-cows")
_SIZES = (("length",), ("pegs", "colours"), ("digits",))
_SPELLED = {
    "words": "words of {length} letters",
    "mastermind": "mastermind of {pegs} pegs and {colours} colours",
    "bulls-and-cows": "bulls-and-cows of {digits} digits",
}
RULES = ("normal", "hard", "ultra-hard")


@dataclass(frozen=True)
class Theorem:
    """A proven bound of all strategies of a game."""

    kind: str  # "words", "mastermind" or "bulls-and-cows"
    sizes: dict[str, int]  # "length"; "pegs" and "colours"; "digits"
    guesses: int
    answers: int
    guesses_sha256: str
    answers_sha256: str
    rules: str
    limit: int | None
    objective: str  # "mean" or "worst"
    value: tuple[int, ...]  # (total,) or (worst, total); () where there is no strategy

    @property
    def total(self) -> int | None:
        return self.value[-1] if self.value else None

    def to_dict(self) -> dict[str, object]:
        """Return the claim of `optimal check --json`, without the name of the game."""
        return {
            "kind": self.kind,
            "size": self.sizes,
            "rules": self.rules,
            "objective": self.objective,
            "total": self.total,
            "max_guesses": self.limit,
            "value": list(self.value) or None,
            "guesses": self.guesses,
            "answers": self.answers,
            "guesses_sha256": self.guesses_sha256,
            "answers_sha256": self.answers_sha256,
        }

    def __str__(self) -> str:
        within = "without a limit of guesses"
        if self.limit is not None:
            within = f"within {self.limit} guess{'' if self.limit == 1 else 'es'}"
        name = _SPELLED[self.kind].format(**self.sizes)
        game = (
            f"of all strategies for {name} with {self.guesses} guesses (sha256 {self.guesses_sha256}) and "
            f"{self.answers} answers (sha256 {self.answers_sha256}) under {self.rules} rules"
        )
        if not self.value:
            return f"Proven: {game}, none finds every answer {within}."
        if self.objective == "worst":
            most, total = self.value
            best = f"the least worst case is {most} guesses, and the least total with it {total} guesses"
        else:
            best = f"the least total of guesses over all answers is {self.total}"
        return f"Proven: {game} that find every answer {within}, {best}."


def read_game(reader: Reader) -> tuple[Board, tuple[str, str]]:
    """Return the board, and the hashes of its guesses and answers."""
    kind = reader.next("the kind of game", WORDS, BULLS)
    if kind == WORDS:
        guesses, answers = _read_lists(reader)
        words = ["".join(map(chr, word)) for word in guesses]
    else:
        places = reader.next("the number of places", 1, MOST_PLACES)
        symbols = reader.next("the number of colours", 2, MOST_COLOURS) if kind == MASTERMIND else DIGITS
        count = 1
        for place in range(places):
            count *= symbols if kind == MASTERMIND else symbols - place
            if count > MOST_WORDS:
                reader.fail(f"more than {MOST_WORDS} codes")
        guesses = peg_codes(kind, places, symbols)
        answers = list(range(len(guesses)))
        spelled = _COLOURS if kind == MASTERMIND else _DIGITS
        words = ["".join(spelled[symbol] for symbol in code) for code in guesses]
    hashes = (list_sha256(words), list_sha256([words[answer] for answer in answers]))
    if reader.many("a byte of the hashes", 64, 255).tolist() != [*hashes[0], *hashes[1]]:
        reader.fail("the hashes are not those of the lists")
    rules = reader.next("the rules", NORMAL, ULTRA_HARD)
    if rules == HARD and kind != WORDS:
        reader.fail("hard rules are for words")
    if len(guesses) * len(answers) > MOST_PAIRS:
        reader.fail(f"more than {MOST_PAIRS} pairs of a guess and an answer")
    return Board(kind, rules, guesses, answers), (hashes[0].hex(), hashes[1].hex())


def _read_lists(reader: Reader) -> tuple[list[tuple[int, ...]], list[int]]:
    length = reader.next("the length of words", 1, MOST_LENGTH)
    count = reader.next("the number of guesses", 1, MOST_WORDS)
    letters = reader.many("a letter of the guesses", count * length, 0x10FFFF).reshape(count, length)
    if ((letters >= 0xD800) & (letters < 0xE000)).any():
        reader.fail("a letter that is no character")
    if len(np.unique(letters)) > MOST_LETTERS:
        reader.fail(f"more than {MOST_LETTERS} different letters")
    guesses = [tuple(word) for word in letters.tolist()]
    if any(one >= other for one, other in pairwise(guesses)):
        reader.fail("the guesses are not in rising order")
    found = reader.next("the number of answers", 1, count)
    answers = reader.many("an answer", found, count - 1).tolist()
    if any(one >= other for one, other in pairwise(answers)):
        reader.fail("the answers are not guesses in rising order")
    return guesses, answers


def read_theorem(reader: Reader, board: Board, hashes: tuple[str, str]) -> Theorem:
    """Return the claim, after playing its tree: it attains the value within the limit."""
    limit = reader.next("the limit", 0, MOST_WORDS)
    objective, value = reader.value(1, MOST_VALUE)
    theorem = Theorem(
        kind=KINDS[board.kind],
        sizes=dict(zip(_SIZES[board.kind], (board.places, board.copies.shape[1]), strict=False)),
        guesses=len(board.symbols),
        answers=len(board.everything),
        guesses_sha256=hashes[0],
        answers_sha256=hashes[1],
        rules=RULES[board.rules],
        limit=limit or None,
        objective=objective,
        value=value,
    )
    if value:
        _play(reader, board, theorem)
    return theorem


def _play(reader: Reader, board: Board, theorem: Theorem) -> None:
    """Play every answer down the tree."""
    length = reader.next("the length of the tree", 2, 6 * len(board.everything))
    begin = reader.at
    reader.skip("the tree", length)
    end, reader.at = reader.at, begin
    total = worst = 0
    # To visit: the code that leads there (-1 at the root), the answers, the legal guesses before the last guess (in
    # bits: there may be thousands of these), that guess, the depth of the next.
    stack = [(-1, board.everything, np.packbits(board.upper > 0), 0, 1)]
    while stack:
        code, answers, legal, last, depth = stack.pop()
        if code >= 0:
            if reader.next("a feedback code of the tree", 0, board.winning) != code:
                reader.fail(f"the tree has another branch where feedback {code} should be")
            before = np.unpackbits(legal, count=len(board.symbols)).astype(np.int32)
            legal = np.packbits(board.forbid(before, last, code) > 0)
        guess = reader.next("a guess of the tree", 0, len(board.symbols) - 1)
        if not legal[guess // 8] >> (7 - guess % 8) & 1:
            reader.fail(f"guess {guess} of the tree is illegal")
        classes = board.classes(guess, answers)
        if classes.pop(board.winning, None) is not None:
            total, worst = total + depth, max(worst, depth)
        if reader.next("the number of branches", 0, board.winning) != len(classes):
            reader.fail(f"the tree has more or fewer branches than the {len(classes)} of guess {guess}")
        if reader.at > end:
            reader.fail("the tree is longer than it says")
        stack += [(code, part, legal, guess, depth + 1) for code, part in sorted(classes.items(), reverse=True)]
    if reader.at != end:
        reader.fail("the tree is shorter than it says")
    found = (worst, total) if theorem.objective == "worst" else (total,)
    if found != theorem.value:
        reader.fail(f"the tree has the value {list(found)}, not {list(theorem.value)}")
    if theorem.limit is not None and worst > theorem.limit:
        reader.fail(f"the tree takes {worst} guesses, more than the limit of {theorem.limit}")
