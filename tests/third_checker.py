"""A third checker of certificates, written from docs/certificate.md alone, to be read beside that page.

    xz -dc trees/mastermind-normal.xz | python tests/third_checker.py

It is as plain as the page allows, and slow: minutes for what the one in C does in seconds. It refuses nothing for its
size. What is asked of all guesses is worked out for all of them at once, in arrays with a number for each. One line on
standard output: the theorem (exit status 0), or why there is none (1).
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations, product

import numpy as np
import numpy.typing as npt

MAGICS = tuple(b"optimal-certificate %d\n" % version for version in (1, 2, 3))
NONE = INFINITE = math.inf  # more than every number; a sum with it is it again; one less is it again
WORDS, MASTERMIND, BULLS = range(3)
NORMAL, HARD, ULTRA_HARD = range(3)

Number = float  # an integer, or NONE
Integers = npt.NDArray[np.int64]
Set = Integers  # of answers, rising
Legal = npt.NDArray[np.bool_]  # for each guess
Bounds = npt.NDArray[np.float64]  # of no answer, one, two ...
Kinds = tuple[int, ...]  # rising
MostClasses = tuple[int, int, int]  # D, E, I


class Refused(Exception):
    """Why a certificate proves nothing."""


def must(so: object, what: str) -> None:
    if not so:
        raise Refused(what)


def integers(stream: bytes) -> list[int]:
    must(stream.startswith(MAGICS), "not a certificate")
    found = []
    number = places = 0
    for byte in stream[len(MAGICS[0]) :]:
        number |= (byte & 127) << 7 * places
        places += 1
        must(places <= 8, "an integer of more than 8 bytes")
        if byte < 128:
            must(byte or places == 1, "an integer in more bytes than it needs")
            found.append(number)
            number = places = 0
    must(places == 0, "cut off within an integer")
    return found


@dataclass(frozen=True)
class Earlier:
    """A claim that is finished."""

    answers: Set
    left: Number
    legal: Legal
    target: Number


class Numbers:
    """The integers of a certificate, one after the other."""

    def __init__(self, stream: bytes) -> None:
        self.numbers = integers(stream)
        self.version = 1 + MAGICS.index(stream[: len(MAGICS[0])])
        self.at = 0

    def next(self, what: str, low: int, high: Number) -> int:
        must(self.at < len(self.numbers), f"it ends where {what} should be")
        number = self.numbers[self.at]
        must(low <= number <= high, f"{what} is {number}")
        self.at += 1
        return number


class Checker(Numbers):
    """Of games: version 1."""

    def check(self) -> str:
        """The theorem."""
        self.game()
        theorem = self.claim_and_proofs()
        must(self.at == len(self.numbers), "more follows the last proof")
        return theorem

    # The game

    def game(self) -> None:
        self.kind = self.next("the kind", 0, 2)
        if self.kind == WORDS:
            self.places = self.next("the length", 1, 10)
            count = self.next("the number of words", 1, 65535)
            letter = range(self.places)
            guesses = [tuple(self.next("a letter", 0, 0x10FFFF) for _ in letter) for _ in range(count)]
            must(not any(0xD800 <= c <= 0xDFFF for word in guesses for c in word), "a surrogate")
            must(all(one < other for one, other in pairwise(guesses)), "words that don't rise")
            answers = self.rising("an answer", self.next("the number of answers", 1, count), count)
            spelled = ["".join(map(chr, word)) for word in guesses]
            self.size: tuple[int, ...] = (self.places,)
            self.winning = 3**self.places - 1
        else:
            self.places = self.next("the places", 1, 10)
            self.symbols = self.next("the colours", 2, 35) if self.kind == MASTERMIND else 10
            count = math.perm(10, self.places) if self.kind == BULLS else self.symbols**self.places
            must(count <= 65535, "too many codes")
            digits = range(self.symbols)
            codes = permutations(digits, self.places) if self.kind == BULLS else product(digits, repeat=self.places)
            guesses = list(codes)
            answers = tuple(range(count))
            names = "0123456789" if self.kind == BULLS else "123456789abcdefghijklmnopqrstuvwxyz"
            spelled = ["".join(names[symbol] for symbol in code) for code in guesses]
            self.size = (self.places, self.symbols) if self.kind == MASTERMIND else (self.places,)
            self.winning = self.places * (self.places + 1)
            self.worth = self.symbols ** np.arange(self.places)[::-1]  # of places: codes are numbers, in rising order
            self.values: Integers = np.array(guesses) @ self.worth
        self.hashes = []
        for words in (spelled, [spelled[answer] for answer in answers]):
            digest = hashlib.sha256("".join(word + "\n" for word in words).encode()).digest()
            must(all(self.next("a byte of a hash", 0, 255) == byte for byte in digest), "another hash")
            self.hashes.append(digest.hex())
        self.rules = self.next("the rules", 0, 2)
        must(self.rules != HARD or self.kind == WORDS, "hard rules for pegs")
        self.guesses = np.array(guesses)  # a row for each
        self.answers = np.array(answers)  # as guesses
        #: The feedback code of each guess to each answer.
        self.codes = np.zeros((len(guesses), len(answers)), dtype=np.min_scalar_type(self.winning))
        for number, guess in enumerate(guesses):
            self.codes[number] = self.feedback(guess, self.guesses[self.answers])
        self.codes_of = self.codes.T.copy()  # those to each answer
        self.everything: Set = np.arange(len(answers))
        self.start = self.counted(np.full(len(guesses), 65537), 0, self.everything)
        self.tables: dict[tuple[int, int], list[Bounds]] = {}
        self.most_of_all = self.most_classes(self.start, self.everything)

    def rising(self, what: str, count: int, below: int) -> tuple[int, ...]:
        found = tuple(self.next(what, 0, below - 1) for _ in range(count))
        must(all(one < other for one, other in pairwise(found)), f"{what} doesn't rise")
        return found

    def feedback(self, guess: Sequence[int], answers: Integers) -> Integers:
        """The code of this guess to each of these answers."""
        green = answers == guess
        if self.kind != WORDS:
            blacks = green.sum(axis=1)
            both = sum(np.minimum(times, (answers == symbol).sum(axis=1)) for symbol, times in Counter(guess).items())
            return np.asarray(blacks * (self.places + 1) + both - blacks)
        code = np.zeros(len(answers), dtype=np.int64)
        for i, letter in enumerate(guess):
            alike = np.equal(guess, letter)
            theirs = ((answers == letter) & ~green).sum(axis=1)
            before = (alike[:i] & ~green[:, :i]).sum(axis=1)
            code += np.where(green[:, i], 2, theirs > before) * 3**i
        return code

    @lru_cache(10_000)  # noqa: B019
    def legal_after(self, guess: int, code: int) -> Legal:
        """The guesses that the rules leave after this feedback alone."""
        word = self.guesses[guess].tolist()
        if self.rules == ULTRA_HARD:
            return np.asarray(self.feedback(word, self.guesses) == code)
        legal = np.ones(len(self.guesses), dtype=bool)
        marks = [code // 3**i % 3 for i in range(self.places)]
        for i, mark in enumerate(marks):
            if mark == 2:
                legal &= self.guesses[:, i] == word[i]
        for letter, times in Counter(letter for letter, mark in zip(word, marks, strict=True) if mark).items():
            legal &= (self.guesses == letter).sum(axis=1) >= times
        return legal

    def struck(self, upper: Integers, guess: int, code: int) -> Integers:
        """A copy of `upper` for the class of this guess and code."""
        return upper.copy() if self.rules == NORMAL else np.where(self.legal_after(guess, code), upper, 0)

    # Bounds of classes

    def classes(self, guess: int, answers: Set) -> dict[int, Set]:
        codes = self.codes[guess, answers]
        return {code: answers[codes == code] for code in np.unique(codes).tolist()}

    def sizes(self, guesses: Integers, answers: Set) -> npt.NDArray[np.uint16]:
        """How many of these answers have each code, for each guess."""
        codes = self.winning + 1
        sizes = np.zeros(len(guesses) * codes, dtype=np.uint16)
        first = np.arange(0, len(sizes), codes)
        for answer in answers:
            sizes[first + self.codes_of[answer][guesses]] += 1
        return sizes.reshape(len(guesses), codes)

    def classes_of(self, guesses: Integers, answers: Set) -> Integers:
        """How many each of these guesses has."""
        return np.asarray(np.count_nonzero(self.sizes(guesses, answers), axis=1))

    def counted(self, upper: Integers, above: Number, answers: Set) -> Integers:
        """`upper` lowered to the size of the set, and where it is above so much, to the count: of the classes, and one
        more for a guess in the set."""
        inside = np.isin(np.arange(len(self.guesses)), self.answers[answers])
        lowered = np.minimum(upper, len(answers) + inside)
        large = np.flatnonzero(lowered > above)
        lowered[large] = self.classes_of(large, answers) + inside[large]
        return np.asarray(lowered)

    def most_classes(self, upper: Integers, answers: Set) -> MostClasses:
        members = self.answers[answers]
        outside = upper.copy()
        outside[members] -= 2
        return int(upper.max()), max(0, int(outside.max())), max(0, int(upper[members].max()) - 2)

    def f(self, e: int, i: int, d: Number, m: int) -> Bounds:
        """F(E, I, d, .) for no answer, one, ... m."""
        size = len(self.everything) if (e, i) == self.most_of_all[1:] else 64
        if (e, i) not in self.tables:
            self.tables[e, i] = [np.array([0] + [NONE] * size)]
        layers = self.tables[e, i]
        while len(layers) <= min(d, 40):
            out, inside = least_sums(layers[-1], e), least_sums(layers[-1], i)
            below = np.minimum(out[1:], inside[:-1]) + np.arange(1, size + 1)
            layers.append(np.concatenate([[0], below]))
        if d <= 40:
            return layers[int(d)][: m + 1]
        the_same = np.logical_and.accumulate(layers[40] == layers[39])
        return np.where(the_same, layers[40], 2 * np.arange(size + 1) - 1)[: m + 1]

    def f0(self, d: Number, m: int) -> Bounds:
        """F(E0, I0, d, .)."""
        return self.f(*self.most_of_all[1:], d, m)

    def by_size(self, most: MostClasses, d: Number, n: int) -> Bounds:
        """The bounds of parts of no answer, one, ... n."""
        largest, e, i = most
        m = np.arange(n + 1)
        bounds = np.maximum(self.f0(d, n), 3 * m - largest)
        if d == 2:
            bounds[m > largest] = NONE
        if e <= 8:
            small = m[:65]
            bounds[small] = np.maximum(bounds[small], self.f(e, i, d, int(small[-1])))
        bounds[0] = 0
        return bounds

    def in_full(self, by_size: Bounds, part: Set) -> float:
        m = len(part)
        bound = float(by_size[m])
        if 3 <= m <= 32 and bound < 2 * m and (self.classes_of(self.answers[part], part) < m).all():
            bound = 2 * m
        return bound

    def survivors(self, answers: Set, upper: Integers, d: Number, v: Number) -> tuple[list[int], Bounds]:
        """The guesses that counting doesn't settle, and the bounds by size of parts of the set. Lowers `upper`."""
        n = len(answers)
        assert n
        q = max(1, 3 * n - v, n - 1 if d == 2 else 0)
        upper[:] = self.counted(upper, q, answers)
        if d == 0:
            return [], np.array([])
        by_size = self.by_size(self.most_classes(upper, answers), d - 1, n)
        large = np.flatnonzero(upper > q)
        sizes = self.sizes(large, answers)
        sizes[:, self.winning] = 0
        left: list[int] = large[n + by_size[sizes].sum(axis=1) < v].tolist()
        if v < NONE:
            left = [guess for guess in left if self.full_cost(guess, answers, by_size, {}) < v]
        return left, by_size

    # The claim

    def claim_and_proofs(self) -> str:
        limit = self.next("the limit", 0, 65535)
        worst = self.next("the objective", 0, 1)
        values = self.next("the kind of value", 0, 2)
        must(values in (0, 1 + worst), "a value for the other objective")
        value = [self.next("a value", 1, 2**50 - 1) for _ in range(values)]
        d = limit or INFINITE
        if value:
            end = self.next("the size of the tree", 2, 6 * len(self.everything)) + self.at
            depths = self.play(self.everything, 1, np.ones(len(self.guesses), dtype=bool))
            must(self.at == end, "a tree of another size")
            must([max(depths), sum(depths)][2 - values :] == value, "a tree of another value")
            must(max(depths) <= d, "a tree beyond the limit")
        if not value:
            self.proof(d, NONE)
        elif worst:
            self.proof(value[0] - 1, NONE)
            self.proof(value[0], value[1])
        else:
            self.proof(d, value[0])
        kind = ("words", "mastermind", "bulls and cows")[self.kind]
        rules = ("normal", "hard", "ultra-hard")[self.rules]
        game = f"{kind} {self.size}, hashes {' '.join(self.hashes)}, {rules} rules, limit {limit or 'none'}"
        return f"{game}, objective {'worst' if worst else 'mean'}: {value or 'no strategy'}"

    def play(self, answers: Set, depth: int, legal: Legal) -> list[int]:
        """The depths of these answers in the node that follows."""
        guess = self.next("a guess of the tree", 0, len(self.guesses) - 1)
        must(legal[guess], "an illegal guess")
        classes = self.classes(guess, answers)
        depths = [depth] * len(classes.pop(self.winning, ()))
        must(self.next("the branches", 0, self.winning) == len(classes), "more or fewer branches")
        for code in sorted(classes):
            must(self.next("the code of a branch", 0, self.winning) == code, "another branch")
            still = legal if self.rules == NORMAL else legal & self.legal_after(guess, code)
            depths += self.play(classes[code], depth + 1, still)
        return depths

    # The proofs

    def proof(self, d: Number, v: Number) -> None:
        """That no strategy within d guesses costs less than v."""
        self.d = d
        self.lemmas: list[Earlier] = []
        self.gains: dict[tuple[int, int], Number] = {}
        for _ in range(self.next("the number of lemmas", 0, INFINITE)):
            self.lemma()
        for _ in range(self.next("the number of sections", 0, INFINITE)):
            end = self.next("the size of a section", 1, INFINITE) + self.at
            self.body(self.everything, self.start, self.most_of_all)
            must(self.at == end, "a section of another size")
        upper = self.start.copy()
        openers, by_size = self.survivors(self.everything, upper, d, v)
        cost = {opener: self.full_cost(opener, self.everything, by_size, {}) for opener in openers}
        for (opener, _), gain in self.gains.items():
            must(opener in cost, "items of an opener that needs none")
            cost[opener] += gain
        open_ones = {opener for opener in openers if cost[opener] < v}
        settled = set()
        for _ in range(self.next("the number of likes", 0, len(open_ones))):
            must(self.kind != WORDS, "a like of words")
            opener, other = (self.next("an opener", 0, len(self.guesses) - 1) for _ in range(2))
            must(self.mapped(np.array([opener]), *self.map()) == other, "an opener that doesn't become the other")
            must(opener in open_ones and opener not in settled and other not in open_ones, "a like of no use")
            settled.add(opener)
        must(settled == open_ones, "an opener is not shown to cost enough")

    def full_cost(self, guess: int, answers: Set, by_size: Bounds, values: dict[int, Number]) -> Number:
        """What a guess costs by the full bounds of its classes, raised to these values by code."""
        classes = self.classes(guess, answers)
        classes.pop(self.winning, None)
        bounds = {code: self.in_full(by_size, part) for code, part in classes.items()}
        return len(answers) + sum(max(bound, values.get(code, 0)) for code, bound in bounds.items())

    def map(self) -> tuple[list[int], list[int]]:
        places = [self.next("a place", 0, self.places - 1) for _ in range(self.places)]
        symbols = [self.next("a symbol", 0, self.symbols - 1) for _ in range(self.symbols)]
        must(len({*places}) == self.places and len({*symbols}) == self.symbols, "no permutation")
        return places, symbols

    def mapped(self, guesses: Integers, places: list[int], symbols: list[int]) -> Integers:
        """The guesses that these become."""
        became = np.array(symbols)[self.guesses[guesses][:, places]]
        return np.asarray(np.searchsorted(self.values, became @ self.worth))

    def claim(self, answers: Set, upper: Integers, d: Number) -> Number:
        """That no strategy for these answers costs less than the target, which is returned. Lowers `upper`."""
        target = self.next("a target", 0, 2**33 - 1) or NONE
        survivors, by_size = self.survivors(answers, upper, d, target)
        must(self.next("the number of guesses", 0, INFINITE) == len(survivors), "more or fewer guesses survive")
        for guess in survivors:
            must(self.next("a guess", 0, INFINITE) == guess, "another guess survives")
            classes = self.classes(guess, answers)
            values: dict[int, Number] = {}
            last = -1
            for _ in range(self.next("the number of classes", 0, INFINITE)):
                last = self.next("a code", last + 1, self.winning - 1)
                must(last in classes, "an empty class")
                legal = self.struck(upper, guess, last)
                number = self.next("the number of a claim", 0, len(self.lemmas) + len(self.finished))
                if number:
                    values[last] = self.by_earlier(number, classes[last], legal, d - 1)
                else:
                    values[last] = self.claim(classes[last], legal, d - 1)
            must(self.full_cost(guess, answers, by_size, values) >= target, "a guess is not shown to cost enough")
        self.finished.append(Earlier(answers, d, upper > 0, target))
        return target

    def by_earlier(self, number: int, answers: Set, upper: Integers, d: Number) -> Number:
        """What an earlier claim says of this class, with d guesses left."""
        later = number - 1 - len(self.lemmas)
        earlier = self.finished[later] if later >= 0 else self.lemmas[number - 1]
        part, legal = earlier.answers, earlier.legal
        if self.kind != WORDS:  # where all guesses are answers, with the same numbers
            how = self.map()
            part = self.mapped(part, *how)
            if not legal.all():
                legal = np.isin(np.arange(len(legal)), self.mapped(np.flatnonzero(legal), *how))
        must(np.isin(part, answers).all(), "the earlier claim is of other answers")
        must(earlier.left >= d, "the earlier claim has fewer guesses left")
        must(legal[upper > 0].all(), "the earlier claim has fewer guesses")
        return earlier.target + float(self.f0(d, len(answers))[len(answers) - len(part)])

    def lemma(self) -> None:
        left = self.next("the guesses left", 0, 65535)
        count = self.next("the number of answers", 1, len(self.everything))
        answers = self.rising("an answer of a lemma", count, len(self.everything))
        self.finished: list[Earlier] = []
        self.claim(np.array(answers), self.start.copy(), left)
        self.lemmas.append(self.finished[-1])

    def body(self, answers: Set, upper: Integers, most: MostClasses) -> None:
        items = self.next("the number of items", 0, INFINITE)
        for _ in range(items):
            self.item(answers, upper, most)
        widths = self.next("the number of widths", 0, INFINITE)
        must(items or widths, "a body with nothing in it")
        for _ in range(widths):
            self.width(answers, upper)

    def width(self, answers: Set, upper: Integers) -> None:
        guess = self.next("the guess of a width", 0, len(self.guesses) - 1)
        codes = {self.next("a code", 0, INFINITE) for _ in range(self.next("the codes", 1, self.winning + 1))}
        part = answers[[code in codes for code in self.codes[guess, answers].tolist()]]
        must(len(part), "an empty width")
        most = self.next("the most classes", 0, 65536)
        upper = self.counted(upper, most, part)
        must(upper.max() <= most, "a guess makes more classes")
        self.body(part, upper, self.most_classes(upper, part))

    def item(self, answers: Set, upper: Integers, most: MostClasses) -> None:
        opener = self.next("an opener", 0, len(self.guesses) - 1)
        code = self.next("the code of an item", 0, self.winning - 1)
        part = np.flatnonzero(self.codes[opener] == code)
        must(len(part) and np.isin(part, answers).all(), "a class that is empty, or not in the set")
        legal, d = self.struck(upper, opener, code), self.d - 1
        self.finished = []
        kind = self.next("the kind of item", 0, 2)
        if kind == 0:
            value = float(self.by_size(most, d, len(part))[-1])
        elif kind == 1:
            value = self.claim(part, legal, d)
        else:
            value = self.by_earlier(self.next("a lemma", 1, len(self.lemmas)), part, legal, d)
        must((opener, code) not in self.gains, "two items for a class")
        gain = NONE if value == NONE else value - self.in_full(self.by_size(self.most_of_all, d, len(part)), part)
        self.gains[opener, code] = max(0, gain)


class KeyChecker(Numbers):
    """Of keys: versions 2 and 3."""

    def check(self) -> str:
        """The theorem."""
        self.table()
        theorem = self.claim_and_proof()
        must(self.at == len(self.numbers), "more follows the last claim")
        return theorem

    def table(self) -> None:
        questions = self.next("the questions", 1, 65535)
        variants = self.next("the variants", 1, 65535)
        must(questions * variants <= 2**24, "too many replies")
        self.costs = [self.next("a cost", 0, 2**56 - 1) for _ in range(questions)]
        weights = [self.next("a weight", 0, 2**56 - 1) for _ in range(variants)]
        must(sum(weights) * (sum(self.costs) or 1) < 2**56, "weights and costs that are too great")
        groups = [self.next("a group", 0, 65534) for _ in range(variants)]
        rows = [[self.next("a reply", 0, 65534) for _ in range(variants)] for _ in range(questions)]
        self.hash = hashlib.sha256(encoded(self.numbers[: self.at])).hexdigest()
        self.about = f"{questions} questions, {variants} variants"
        alike: dict[Kinds, list[int]] = defaultdict(list)  # variants of each kind, by its replies
        for variant, replies in enumerate(zip(*rows, strict=True)):
            alike[replies].append(variant)
        self.kinds = list(alike)
        self.weights = [sum(weights[variant] for variant in own) for own in alike.values()]
        self.groups = [frozenset(groups[variant] for variant in own) for own in alike.values()]
        several = [group for group in self.groups if len(group) > 1]
        merged = len(set(several)) < len(several)
        must(
            not merged or self.version == 3,
            "version 2 has no two kinds of the same several groups: that takes version 3",
        )
        must(
            merged or self.version == 2,
            "version 3 has two kinds of the same several groups: without them it takes version 2",
        )
        self.everything = tuple(range(len(self.kinds)))

    def classes(self, question: int, kinds: Kinds) -> dict[int, Kinds]:
        found = defaultdict(list)
        for kind in kinds:
            found[self.kinds[kind][question]].append(kind)
        return {reply: tuple(part) for reply, part in sorted(found.items())}

    def settled(self, kinds: Kinds) -> bool:
        return len({self.groups[kind] for kind in kinds}) == 1

    def weight(self, kinds: Kinds) -> int:
        return sum(self.weights[kind] for kind in kinds)

    def split(self, kinds: Kinds) -> tuple[int, int]:
        """The least cost of a question that splits a set, and the most classes of one on it."""
        counts = [len(self.classes(question, kinds)) for question in range(len(self.costs))]
        return min(cost for cost, count in zip(self.costs, counts, strict=True) if count > 1), max(counts)

    def bound(self, kinds: Kinds, d: Number, p: Number) -> Number:
        """B(S, d, p)."""
        if self.settled(kinds):
            return 0
        c, k = self.split(kinds)
        sums: Counter[frozenset[int]] = Counter()
        for kind in kinds:
            sums[self.groups[kind]] += self.weights[kind]
        n = len(sums)
        if c > 0 and p < INFINITE:
            d = min(d, p // c)
        if c > p or k ** min(d, 16) < n:  # there are at most 65535 groups
            return NONE
        held = sorted([*sums.values(), *[0] * (-(n - 1) % (k - 1))])
        h = 0
        while len(held) > 1:
            h += sum(held[:k])
            held = sorted([*held[k:], sum(held[:k])])
        return c * h

    def known(self, kinds: Kinds, d: Number, p: Number) -> Number:
        """The value known of a set."""
        earlier = (target for left, purse, target in self.claims[kinds] if left >= d and purse >= p)
        return max([self.bound(kinds, d, p), *earlier])

    def asked(self, question: int, kinds: Kinds, d: Number, p: Number, target: Number) -> None:
        """Keys that ask this question first are known to cost the target."""
        cost = self.costs[question]
        if d >= 1 and cost <= p:
            parts = self.classes(question, kinds).values()
            found = cost * self.weight(kinds) + sum(self.known(part, d - 1, p - cost) for part in parts)
            must(found >= target, "a question is not shown to cost the target")

    def limit(self, what: str) -> Number:
        number = self.next(what, 0, 2**56 - 1)
        return number - 1 if number else INFINITE

    def claim_and_proof(self) -> str:
        d, p = self.limit("the limit"), self.limit("the purse")
        self.openers: list[int] = []
        for _ in range(self.next("the number of openers", 0, len(self.costs))):
            least = self.openers[-1] + 1 if self.openers else 0
            self.openers.append(self.next("an opener", least, len(self.costs) - 1))
        worst = self.next("the objective", 0, 1)
        values = self.next("the kind of value", 0, 2)
        must(values in (0, 1 + worst), "a value for the other objective")
        value = [self.next("a value", 0, 2**56 - 1) for _ in range(values)]
        if value:
            self.total = 0
            paths = self.follow(self.everything, 0, 0)
            must([max(paid for _, paid in paths), self.total][2 - values :] == value, "a key of another value")
            must(all(asked <= d and paid <= p for asked, paid in paths), "a key beyond the limits")
        self.claims: dict[Kinds, list[tuple[Number, Number, Number]]] = defaultdict(list)
        for _ in range(self.next("the number of claims", 0, INFINITE)):
            self.claim()
        if not value:
            self.all(d, p, NONE)
        elif not worst:
            self.all(d, p, value[0])
        else:
            if value[0]:
                self.all(d, value[0] - 1, NONE)
            self.all(d, value[0], value[1])
        said = f"limits {d} and {p}, openers {self.openers or 'all'}, objective {'worst' if worst else 'mean'}"
        return f"{self.about}, hash {self.hash}, {said}: {value or 'no key'}"

    def follow(self, kinds: Kinds, asked: int, paid: int) -> list[tuple[int, int]]:
        """The questions and costs of the paths of the node that follows, which adds to the total."""
        question = self.next("a question of the key", 0, len(self.costs)) - 1
        must(asked or not self.openers or question in self.openers, "another question first")
        if question < 0:
            must(self.settled(kinds), "an end too soon")
            return [(asked, paid)]
        classes = self.classes(question, kinds)
        must(not asked or len(classes) > 1, "a question that tells nothing")
        must(self.next("the branches", 1, INFINITE) == len(classes), "more or fewer branches")
        self.total += self.costs[question] * self.weight(kinds)
        paths = []
        for reply, part in classes.items():
            must(self.next("the reply of a branch", 0, INFINITE) == reply, "another branch")
            paths += self.follow(part, asked + 1, paid + self.costs[question])
        return paths

    def claim(self) -> None:
        left, purse = self.limit("the questions left"), self.limit("the purse of a claim")
        target = self.next("a target", 0, 2**56 - 1) or NONE
        kinds: Kinds = ()
        for _ in range(self.next("the number of kinds", 1, len(self.everything))):
            kinds += ((kinds[-1] + 1 if kinds else 0) + self.next("a gap", 0, INFINITE),)
            must(kinds[-1] < len(self.everything), "no kind of the table")
        must(not self.settled(kinds), "a claim of a settled set")
        must(target == NONE or target <= self.weight(kinds) * sum(self.costs), "a target that is too great")
        for question in range(len(self.costs)):
            if len(self.classes(question, kinds)) > 1:
                self.asked(question, kinds, left, purse, target)
        self.claims[kinds].append((left, purse, target))

    def all(self, d: Number, p: Number, target: Number) -> None:
        if not self.openers:
            must(self.known(self.everything, d, p) >= target, "keys are not shown to cost the target")
        for opener in self.openers:
            self.asked(opener, self.everything, d, p, target)


def encoded(numbers: Sequence[int]) -> bytes:
    """The bytes of these integers."""
    out = bytearray()
    for number in numbers:
        while number > 127:
            out.append(number % 128 + 128)
            number //= 128
        out.append(number)
    return bytes(out)


def least_sums(costs: Bounds, parts: int) -> Bounds:
    """For m = 0, 1, ... the least sum of the costs of so many sizes that m is the sum of."""
    found = np.array([0] + [NONE] * (len(costs) - 1))
    for bit in bin(parts)[2:]:  # twice as many parts, and one more where there is a 1
        found = both(found, found)
        if bit == "1":
            found = both(found, costs)
    return found


def both(one: Bounds, other: Bounds) -> Bounds:
    """The least sums of a size of one and a size of the other."""
    found = np.full(len(one), NONE)
    for size in np.flatnonzero(one < NONE).tolist():
        found[size:] = np.minimum(found[size:], one[size] + other[: len(other) - size])
    return found


def check(stream: bytes) -> str:
    """The theorem that what a certificate unpacks to proves. Raises Refused if it proves none."""
    try:
        return (Checker if stream.startswith(MAGICS[0]) else KeyChecker)(stream).check()
    except RecursionError:
        raise Refused("claims or branches within each other, too many for this checker") from None


def main() -> int:
    try:
        print("proven:", check(sys.stdin.buffer.read()))
    except Refused as why:
        print("refused:", why)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
