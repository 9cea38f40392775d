"""The checker: reads a certificate, counts everything again, and reports what it proves.

It trusts Python, numpy, joblib, and its own modules: this one, `reading`, `board` and `statement`; for keys `keys` and
`chart`. docs/reference/certificates.md has the grammar, and proves the rules.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from optimal.certificates.board import NONE, NORMAL, UNLIMITED, WORDS, Board, Integers, MostClasses, fewer
from optimal.certificates.key_checker import KeyChecker, KeyTheorem
from optimal.certificates.reading import MAGIC, MERGED_MAGIC, MOST_NUMBER, Flaw, Reader, read_stream
from optimal.certificates.statement import MOST_WORDS, Theorem, read_game, read_theorem
from optimal.workers import in_processes

#: Nesting of widths, and of claims.
MOST_NESTED = 100
#: Finite targets: totals are far smaller.
MOST_TARGET = (1 << 33) - 1
#: Claims of an item or a lemma: they are kept, as later ones may refer to them.
MOST_KEPT = 65536
#: Lemmas of a proof, kept too, and their number times the answers of the game.
MOST_LEMMAS, MOST_LEMMA_BITS = 1 << 18, 1 << 32
#: Sections of a proof: each may be sent to another process.
MOST_SECTIONS = 65536
#: Total steps, and the steps of a claim, a listed class, an item or a width in addition to one for each guess and
#: answer.
MOST_STEPS, LEAST_STEPS = 1 << 40, 1000

#: Called with the progress: a phase, the steps done, and all of them.
Step = Callable[[str, int, int], None]
#: What a claim has against it.
Objections = Callable[[Theorem | KeyTheorem], list[str]]


@dataclass
class Report:
    """The outcome of a check: without problems, the theorem is proven."""

    theorem: Theorem | KeyTheorem | None = None
    claims: int = 0
    steps: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.theorem is not None and not self.problems


def no_step(phase: str, done: int, total: int) -> None:
    """A Step that ignores the progress."""


def no_objection(theorem: Theorem | KeyTheorem) -> list[str]:
    """Accept any theorem."""
    return []


def check(
    path: str | os.PathLike[str], jobs: int = 1, step: Step = no_step, objections: Objections = no_objection
) -> Report:
    """Check a certificate in this many processes. Raises OSError if it can't be read; every flaw is in the report.

    ``objections`` says why the claim isn't the one wanted, before its proof is checked.
    """
    try:
        return check_stream(read_stream(path), jobs, step, objections)
    except Flaw as flaw:
        return Report(problems=[str(flaw)])


def check_stream(stream: bytes, jobs: int = 1, step: Step = no_step, objections: Objections = no_objection) -> Report:
    """Check the unpacked bytes of a certificate."""
    report = Report()
    reader = Reader(stream)
    try:
        magic = reader.start()
        if magic != MAGIC:
            keys = KeyChecker(reader, magic == MERGED_MAGIC, step)
            claimed = keys.claimed()
            report.problems += objections(claimed)
            if not report.problems:
                keys.check(claimed)
            report.theorem, report.claims, report.steps = claimed, keys.claims, keys.steps
            return report
        step("scores", 0, 0)
        board, hashes = read_game(reader)
        theorem = read_theorem(reader, board, hashes)
        if found := objections(theorem):
            return Report(theorem, problems=found)
        for left, target in to_prove(theorem.limit, theorem.objective, theorem.value):
            report.claims += _check_proof(reader, board, left, target, jobs, step)
        report.steps = board.steps
        reader.finish("the last proof")
        report.theorem = theorem
    except Flaw as flaw:
        report.problems.append(str(flaw))
    return report


def to_prove(limit: int | None, objective: str, value: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return pairs of a limit of guesses and a cost that no tree within it may be below, where the value is optimal."""
    left = UNLIMITED if limit is None else limit
    if not value:
        return [(left, NONE)]
    if objective == "worst":
        worst, total = value
        return [(worst - 1, NONE), (worst, total)]
    return [(left, value[0])]


def _hold_steps(reader: Reader, board: Board) -> None:
    if board.steps > MOST_STEPS:
        reader.fail(f"more than {MOST_STEPS} steps")


def most_lemmas(answers: int) -> int:
    """Return the most lemmas of a proof in a game with this many answers."""
    return min(MOST_LEMMAS, MOST_LEMMA_BITS // answers)


def _check_proof(reader: Reader, board: Board, left: int, target: int, jobs: int, step: Step) -> int:
    """Check that every opener costs at least `target`. Return the number of claims."""
    lemmas: list[_Proven] = []
    claims = 0
    for _ in range(reader.next("the number of lemmas", 0, most_lemmas(len(board.everything)))):
        claims += _check_lemma(reader, board, lemmas)
    gains: dict[int, int] = {}
    had = bytearray(len(board.symbols) * board.winning // 8 + 1)  # a bit for each opener and code
    for found, count in _check_sections(reader, board, left, lemmas, jobs, step):
        claims += count
        numbers = iter(found)
        for name, gain in zip(numbers, numbers, strict=True):
            opener, code = divmod(name, board.winning)
            if had[name // 8] >> name % 8 & 1:
                reader.fail(f"feedback {code} of opener {opener} comes twice")
            had[name // 8] |= 1 << name % 8
            gains[opener] = min(NONE, gains.get(opener, 0) + gain)
    openers, bounds = board.survivors(board.everything, board.upper.copy(), left, target)
    _hold_steps(reader, board)
    missing = {}
    for opener, bound in zip(openers.tolist(), bounds.tolist(), strict=True):
        bound = min(NONE, bound + gains.pop(opener, 0))
        if bound < target:
            missing[opener] = bound
    if gains:
        reader.fail(f"opener {min(gains)} needs no items")
    settled = set()  # by their number, none comes twice
    for _ in range(reader.next("the number of like openers", 0, len(missing))):
        settled.add(_check_likeness(reader, board, missing))
    for opener, bound in missing.items():
        if opener not in settled:
            wanted = "none" if target == NONE else str(target)
            reader.fail(f"opener {opener} is shown to cost {bound} at least, not {wanted}")
    return claims


def _check_likeness(reader: Reader, board: Board, missing: dict[int, int]) -> int:
    """Read the map of an opener to a settled one that moves places and renames symbols; return the opener."""
    if board.kind == WORDS:
        reader.fail("like openers are for peg games")
    opener = reader.next("an opener", 0, len(board.symbols) - 1)
    other = reader.next("an opener", 0, len(board.symbols) - 1)
    places, names = _read_map(reader, board)
    if other in missing:
        reader.fail(f"opener {opener} can't rest on opener {other}")
    if board.moved(np.array([opener], dtype=np.int32), places, names)[0] != other:
        reader.fail(f"opener {opener} doesn't become opener {other}")
    return opener


def _read_map(reader: Reader, board: Board) -> tuple[list[int], list[int]]:
    """Read permutations of the places and of the symbols of a peg game."""
    symbols = board.copies.shape[1]
    places = [reader.next("a place", 0, board.places - 1) for _ in range(board.places)]
    names = [reader.next("a symbol", 0, symbols - 1) for _ in range(symbols)]
    if len(set(places)) != board.places or len(set(names)) != symbols:
        reader.fail("no permutation of places or of symbols")
    return places, names


def _check_sections(
    reader: Reader, board: Board, left: int, lemmas: list[_Proven], jobs: int, step: Step
) -> Iterator[tuple[array[int], int]]:
    """Yield the gains that each section proves, and the number of claims in it."""
    count = reader.next("the number of sections", 0, MOST_SECTIONS)
    begin = reader.at
    for _ in _sections(reader, count):  # finds a truncated one before jobs start
        pass
    end, reader.at = reader.at, begin
    check = partial(_check_section, board, left, lemmas)
    if jobs == 1 or count < 2:
        checked = (check(section) for section in _sections(reader, count))
    else:
        checked = in_processes(jobs, check, _sections(reader, count))
    for done, (gains, claims, steps, problem) in enumerate(checked):
        step("sections", done, count)
        if problem:
            raise Flaw(problem)
        board.steps += steps
        _hold_steps(reader, board)
        yield gains, claims
    reader.at = end


def _sections(reader: Reader, count: int) -> Iterator[tuple[int, bytes]]:
    """Yield the position and the bytes of each section: one at a time, as there may be thousands."""
    for _ in range(count):
        length = reader.next("the length of a section", 1, len(reader.stream))
        begin = reader.at
        reader.skip("a section", length)
        yield begin, reader.stream[begin : reader.at]


def _check_lemma(reader: Reader, board: Board, lemmas: list[_Proven]) -> int:
    """Read one more lemma: a claim on a list of answers, for any legal guesses. It may refer to earlier lemmas.

    Returns the number of claims in it.
    """
    left = reader.next("the guesses left for a lemma", 0, MOST_WORDS)
    count = reader.next("the number of answers of a lemma", 1, len(board.everything))
    answers = reader.many("an answer of a lemma", count, len(board.everything) - 1)
    if (answers[1:] <= answers[:-1]).any():
        reader.fail("the answers of a lemma are not in rising order")
    section = _Section(board, left, lemmas, reader)
    section.claim(answers.astype(np.int32), board.upper.copy(), left, 1)
    lemmas.append(replace(section.proven[-1], legal=None))
    return section.claims


def _check_section(
    board: Board, left: int, lemmas: list[_Proven], section_at: tuple[int, bytes]
) -> tuple[array[int], int, int, str]:
    """Return the gains that a section proves, its number of claims, its steps, and the first flaw, if any."""
    begin, stream = section_at
    section = _Section(board, left, lemmas, Reader(stream, begin))
    before = board.steps
    try:
        section.body(board.everything, board.upper, board.most_classes_of_all, 0)
        section.reader.finish("the section")
    except Flaw as flaw:
        return section.gains, 0, 0, str(flaw)
    steps, board.steps = board.steps - before, before  # the board may belong to another process
    return section.gains, section.claims, steps, ""


@dataclass(slots=True)
class _Proven:
    """A checked claim: no tree for these answers costs less than `target`, with `left` guesses, among these legal
    guesses.

    Answers and legal guesses are bits, as there may be tens of thousands; None: any guesses.
    """

    answers: npt.NDArray[np.uint8]
    target: int
    left: int
    legal: npt.NDArray[np.uint8] | None


class _Section:
    """A part of a proof for the openers, within `left` guesses."""

    def __init__(self, board: Board, left: int, lemmas: list[_Proven], reader: Reader) -> None:
        self.board, self.reader, self.lemmas = board, reader, lemmas
        self.left = fewer(left)  # after the opener
        self.gains = array("q")  # for each item: opener x winning code + code, and its gain in the opener's bound
        self.claims = 0
        self.proven: list[_Proven] = []  # of the current item or lemma
        self.guesses = len(board.symbols)

    def begin(self) -> None:
        """Charge the steps of a claim, a listed class, an item or a width, even if nothing is counted for it."""
        self.board.steps += LEAST_STEPS + self.guesses + len(self.board.everything)
        _hold_steps(self.reader, self.board)

    def body(self, answers: Integers, upper: Integers, most: MostClasses, nested: int) -> None:
        """Check the items and widths of a set on which guess g has at most upper[g] classes, one more for a member."""
        reader = self.reader
        items = reader.next("the number of items", 0, len(reader.stream))
        for _ in range(items):
            self.item(answers, upper, most)
        widths = reader.next("the number of widths", 0, len(reader.stream))
        if not items and not widths:
            reader.fail("a section or a width without items")
        for _ in range(widths):
            self.width(answers, upper, nested + 1)

    def width(self, answers: Integers, upper: Integers, nested: int) -> None:
        """Check a set within the current one, with the most classes of any guess on it."""
        board, reader = self.board, self.reader
        if nested > MOST_NESTED:
            reader.fail(f"more than {MOST_NESTED} widths within each other")
        self.begin()
        guess = reader.next("the guess of a width", 0, self.guesses - 1)
        count = reader.next("the number of codes", 1, board.winning + 1)
        codes = reader.many("a code of a width", count, MOST_NUMBER)
        part = answers[np.isin(board.matrix[guess, answers], codes)]
        if not len(part):
            reader.fail("a width without answers")
        most = reader.next("the most classes", 0, MOST_WORDS + 1)
        member = np.zeros(self.guesses, dtype=np.int32)
        member[board.answer_guess[part]] = 1
        upper = np.minimum(upper, len(part) + member)
        asked = np.flatnonzero(upper > most).astype(np.int32)
        upper[asked] = board.count(asked, part) + member[asked]
        if (upper > most).any():
            reader.fail(f"guess {upper.argmax()} makes {upper.max()} classes, not {most} at most")
        self.body(part, upper, board.most_classes(part, upper), nested)

    def item(self, answers: Integers, upper: Integers, most: MostClasses) -> None:
        """Check a class of an opener that lies in the current set, and record the gain in its bound."""
        board, reader = self.board, self.reader
        self.begin()
        opener = reader.next("an opener", 0, self.guesses - 1)
        code = reader.next("the feedback of an item", 0, board.winning - 1)
        part = np.flatnonzero(board.matrix[opener] == code).astype(np.int32)
        if not len(part) or not np.isin(part, answers, assume_unique=True).all():
            reader.fail(f"feedback {code} of opener {opener} has no answers, or some outside the set")
        self.proven = []
        kind = reader.next("the kind of an item", 0, 2)
        if kind == 2:
            number = reader.next("the number of a lemma", 1, len(self.lemmas))
            bound = self.by_earlier(number, part, board.forbid(upper, opener, code), self.left)
        elif kind == 1:
            bound = self.claim(part, board.forbid(upper, opener, code).copy(), self.left, 1)
        else:
            bound = int(board.by_size(self.left, most, len(part))[-1])
        gain = NONE if bound == NONE else max(0, bound - board.set_bound(part, self.left, board.most_classes_of_all))
        self.gains.extend((opener * board.winning + code, gain))

    def claim(self, answers: Integers, upper: Integers, left: int, nested: int) -> int:
        """Check that no tree for these answers costs less than the target, which is returned."""
        board, reader = self.board, self.reader
        if nested > MOST_NESTED:
            reader.fail(f"more than {MOST_NESTED} claims within each other")
        self.begin()
        target = reader.next("the target of a claim", 0, MOST_TARGET) or NONE
        guesses, bounds = board.survivors(answers, upper, left, target)
        most, below = board.most_classes(answers, upper), fewer(left)
        if reader.next("the number of guesses of a claim", 0, self.guesses) != len(guesses):
            reader.fail(f"counting leaves {len(guesses)} guesses to be settled, and another number is listed")
        for guess, bound in zip(map(int, guesses), map(int, bounds), strict=True):
            if reader.next("a guess", 0, self.guesses - 1) != guess:
                reader.fail(f"guess {guess} is not listed")
            codes = board.matrix[guess, answers]
            last = -1
            for _ in range(reader.next("the number of classes", 0, board.winning)):
                self.begin()
                last = reader.next("a feedback code", last + 1, board.winning - 1)
                part = answers[codes == last]
                if not len(part):
                    reader.fail(f"no answer has feedback {last} to guess {guess}")
                legal = board.forbid(upper, guess, last)
                number = reader.next("the number of a claim", 0, len(self.lemmas) + len(self.proven))
                if number:
                    value = self.by_earlier(number, part, legal, below)
                else:
                    value = self.claim(part, legal.copy(), below, nested + 1)
                gain = NONE if value == NONE else max(0, value - board.set_bound(part, below, most))
                bound = min(NONE, bound + gain)
            if bound < target:
                wanted = "none" if target == NONE else str(target)
                reader.fail(f"guess {guess} is shown to cost {bound} at least, not {wanted}")
        if len(self.proven) == MOST_KEPT:
            reader.fail(f"more than {MOST_KEPT} claims of an item or a lemma")
        self.claims += 1
        inside = np.zeros(len(board.everything), dtype=bool)
        inside[answers] = True
        legal_now = None if board.rules == NORMAL else np.packbits(upper > 0)
        self.proven.append(_Proven(np.packbits(inside), target, left, legal_now))
        return target

    def by_earlier(self, number: int, answers: Integers, upper: Integers, left: int) -> int:
        """Return the bound by an earlier claim, mapped in peg games, for a set that contains its answers, with no more
        guesses left and no additional legal ones."""
        lemmas = len(self.lemmas)
        earlier = self.lemmas[number - 1] if number <= lemmas else self.proven[number - 1 - lemmas]
        mine = _places(earlier.answers)
        legal = None if earlier.legal is None else _places(earlier.legal)
        if self.board.kind != WORDS:
            places, names = _read_map(self.reader, self.board)
            mine = self.board.moved(mine, places, names)
            legal = None if legal is None else self.board.moved(legal, places, names)
        if not np.isin(mine, answers, assume_unique=True).all():
            self.reader.fail("the earlier claim is of answers outside the class")
        if earlier.left < left:
            self.reader.fail("the earlier claim has fewer guesses left")
        if legal is not None and np.delete(upper, legal).any():
            self.reader.fail("the earlier claim has fewer legal guesses")
        rest = len(answers) - len(mine)
        return min(NONE, earlier.target + int(self.board.sizes_of_all(left)[rest]))


def _places(bits: npt.NDArray[np.uint8]) -> Integers:
    """Return the indices of the bits that are set."""
    return np.flatnonzero(np.unpackbits(bits)).astype(np.int32)
