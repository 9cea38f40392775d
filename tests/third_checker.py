"""A third checker of certificates, written from docs/certificate.md alone, to be read beside that page.

    xz -dc trees/mastermind-normal.xz | python tests/third_checker.py

It is as plain as the page allows, and slow: minutes for what the one in C does in seconds. It refuses nothing for its
size. One line on standard output: the theorem (exit status 0), or why there is none (1).
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, permutations, product

import numpy as np
import numpy.typing as npt

MAGIC, KEY_MAGIC = b"optimal-certificate 1\n", b"optimal-certificate 2\n"
NONE = INFINITE = math.inf  # more than every number; a sum with it is it again; one less is it again
WORDS, MASTERMIND, BULLS = range(3)
NORMAL, HARD, ULTRA_HARD = range(3)

Number = float  # an integer, or NONE
Set = tuple[int, ...]  # of answers, rising
MostClasses = tuple[int, int, int]  # D, E, I


class Refused(Exception):
    """Why a certificate proves nothing."""


def must(so: object, what: str) -> None:
    if not so:
        raise Refused(what)


def integers(stream: bytes) -> list[int]:
    must(stream.startswith((MAGIC, KEY_MAGIC)), "not a certificate")
    found = []
    number = places = 0
    for byte in stream[len(MAGIC) :]:
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
    legal: frozenset[int]
    target: Number


class Numbers:
    """The integers of a certificate, one after the other."""

    def __init__(self, stream: bytes) -> None:
        self.numbers = integers(stream)
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
            self.guesses = [tuple(self.next("a letter", 0, 0x10FFFF) for _ in letter) for _ in range(count)]
            must(not any(0xD800 <= c <= 0xDFFF for word in self.guesses for c in word), "a surrogate")
            must(all(one < other for one, other in pairwise(self.guesses)), "words that don't rise")
            self.answers = self.rising("an answer", self.next("the number of answers", 1, count), count)
            spelled = ["".join(map(chr, word)) for word in self.guesses]
            self.size: tuple[int, ...] = (self.places,)
            self.winning = 3**self.places - 1
        else:
            self.places = self.next("the places", 1, 10)
            self.symbols = self.next("the colours", 2, 35) if self.kind == MASTERMIND else 10
            count = math.perm(10, self.places) if self.kind == BULLS else self.symbols**self.places
            must(count <= 65535, "too many codes")
            digits = range(self.symbols)
            codes = permutations(digits, self.places) if self.kind == BULLS else product(digits, repeat=self.places)
            self.guesses = list(codes)
            self.number_of = {code: number for number, code in enumerate(self.guesses)}
            self.answers = tuple(range(count))
            names = "0123456789" if self.kind == BULLS else "123456789abcdefghijklmnopqrstuvwxyz"
            spelled = ["".join(names[symbol] for symbol in code) for code in self.guesses]
            self.size = (self.places, self.symbols) if self.kind == MASTERMIND else (self.places,)
            self.winning = self.places * (self.places + 1)
        self.hashes = []
        for words in (spelled, [spelled[answer] for answer in self.answers]):
            digest = hashlib.sha256("".join(word + "\n" for word in words).encode()).digest()
            must(all(self.next("a byte of a hash", 0, 255) == byte for byte in digest), "another hash")
            self.hashes.append(digest.hex())
        self.rules = self.next("the rules", 0, 2)
        must(self.rules != HARD or self.kind == WORDS, "hard rules for pegs")
        #: The feedback code of each guess to each answer.
        self.codes = [
            np.array([self.feedback(guess, self.guesses[answer]) for answer in self.answers], dtype=np.uint16).tolist()
            for guess in self.guesses
        ]
        self.everything: Set = tuple(range(len(self.answers)))
        self.start = self.counted([INFINITE] * len(self.guesses), 0, self.everything)
        self.tables: dict[tuple[int, int], list[npt.NDArray[np.float64]]] = {}
        self.most_of_all = self.most_classes(self.start, self.everything)

    def rising(self, what: str, count: int, below: int) -> tuple[int, ...]:
        found = tuple(self.next(what, 0, below - 1) for _ in range(count))
        must(all(one < other for one, other in pairwise(found)), f"{what} doesn't rise")
        return found

    def feedback(self, guess: Sequence[int], answer: Sequence[int]) -> int:
        green = [one == other for one, other in zip(guess, answer, strict=True)]
        if self.kind != WORDS:
            return sum(green) * (self.places + 1) + (Counter(guess) & Counter(answer)).total() - sum(green)
        code = 0
        for i, letter in enumerate(guess):
            theirs = sum(answer[j] == letter and not green[j] for j in range(self.places))
            before = sum(guess[j] == letter and not green[j] for j in range(i))
            code += (2 if green[i] else 1 if theirs > before else 0) * 3**i
        return code

    @cache  # noqa: B019
    def legal_after(self, guess: int, code: int) -> frozenset[int]:
        """The guesses that the rules leave after this feedback alone."""
        return frozenset(g for g in range(len(self.guesses)) if self.is_legal(self.guesses[g], guess, code))

    def is_legal(self, later: Sequence[int], guess: int, code: int) -> bool:
        word = self.guesses[guess]
        if self.rules == ULTRA_HARD:
            return self.feedback(word, later) == code
        marks = [code // 3**i % 3 for i in range(self.places)]
        shown = Counter(letter for letter, mark in zip(word, marks, strict=True) if mark)
        in_place = all(mark != 2 or later[i] == word[i] for i, mark in enumerate(marks))
        return in_place and all(later.count(letter) >= times for letter, times in shown.items())

    def struck(self, upper: list[int], guess: int, code: int) -> list[int]:
        """A copy of `upper` for the class of this guess and code."""
        if self.rules == NORMAL:
            return list(upper)
        legal = self.legal_after(guess, code)
        return [bound if g in legal else 0 for g, bound in enumerate(upper)]

    # Bounds of classes

    def classes(self, guess: int, answers: Set) -> dict[int, Set]:
        found = defaultdict(list)
        for answer in answers:
            found[self.codes[guess][answer]].append(answer)
        return {code: tuple(part) for code, part in found.items()}

    def classes_of(self, guess: int, answers: Set) -> int:
        """How many these are."""
        return len(set(map(self.codes[guess].__getitem__, answers)))

    def counted(self, upper: Sequence[Number], above: Number, answers: Set) -> list[int]:
        """`upper` lowered to the size of the set, and where it is above so much, to the count: of the classes, and one
        more for a guess in the set."""
        members = self.members(answers)
        lowered = [int(min(bound, len(answers) + (guess in members))) for guess, bound in enumerate(upper)]
        return [
            self.classes_of(guess, answers) + (guess in members) if bound > above else bound
            for guess, bound in enumerate(lowered)
        ]

    def members(self, answers: Set) -> frozenset[int]:
        """The answers as guesses."""
        return frozenset(self.answers[answer] for answer in answers)

    def most_classes(self, upper: list[int], answers: Set) -> MostClasses:
        members = self.members(answers)
        outside = [bound - 2 if guess in members else bound for guess, bound in enumerate(upper)]
        return max(upper), max(0, *outside), max(0, *(upper[guess] - 2 for guess in members))

    def f(self, e: int, i: int, d: Number, m: int) -> Number:
        """F(E, I, d, m)."""
        size = len(self.everything) if (e, i) == self.most_of_all[1:] else 64
        if (e, i) not in self.tables:
            self.tables[e, i] = [np.array([0] + [NONE] * size)]
        layers = self.tables[e, i]
        while len(layers) <= min(d, 40):
            out, inside = least_sums(layers[-1], e), least_sums(layers[-1], i)
            below = np.minimum(out[1:], inside[:-1]) + np.arange(1, size + 1)
            layers.append(np.concatenate([[0], below]))
        if d <= 40:
            return float(layers[int(d)][m])
        if (layers[40][: m + 1] == layers[39][: m + 1]).all():
            return float(layers[40][m])
        return 2 * m - 1

    def f0(self, d: Number, m: int) -> Number:
        """F(E0, I0, d, m)."""
        return self.f(*self.most_of_all[1:], d, m)

    def by_size(self, most: MostClasses, d: Number, m: int) -> Number:
        if m == 0:
            return 0
        largest, e, i = most
        bounds = [self.f0(d, m), 3 * m - largest]
        if d == 2 and m > largest:
            bounds.append(NONE)
        if e <= 8 and m <= 64:
            bounds.append(self.f(e, i, d, m))
        return max(bounds)

    def in_full(self, most: MostClasses, d: Number, part: Set) -> Number:
        m = len(part)
        bound = self.by_size(most, d, m)
        if 3 <= m <= 32 and bound < 2 * m and all(self.classes_of(guess, part) < m for guess in self.members(part)):
            bound = 2 * m
        return bound

    def survivors(self, answers: Set, upper: list[int], d: Number, v: Number) -> tuple[list[int], MostClasses]:
        """The guesses that counting doesn't settle, and the most classes of the set. Lowers `upper`."""
        n = len(answers)
        assert n
        q = max(1, 3 * n - v, n - 1 if d == 2 else 0)
        upper[:] = self.counted(upper, q, answers)
        most = self.most_classes(upper, answers)
        by_size = [self.by_size(most, d - 1, m) for m in range(n + 1)] if d else []

        def cost(guess: int) -> Number:
            classes = self.classes(guess, answers)
            if d == 0:
                return NONE
            classes.pop(self.winning, None)
            found = n + sum(by_size[len(part)] for part in classes.values())
            if found < v < NONE:
                found = n + sum(self.in_full(most, d - 1, part) for part in classes.values())
            return found

        return [guess for guess, bound in enumerate(upper) if bound > q and cost(guess) < v], most

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
            depths = self.play(self.everything, 1, frozenset(range(len(self.guesses))))
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

    def play(self, answers: Set, depth: int, legal: frozenset[int]) -> list[int]:
        """The depths of these answers in the node that follows."""
        guess = self.next("a guess of the tree", 0, len(self.guesses) - 1)
        must(guess in legal, "an illegal guess")
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
        upper = list(self.start)
        openers, most = self.survivors(self.everything, upper, d, v)
        cost = {opener: self.full_cost(opener, self.everything, most, d, {}) for opener in openers}
        for (opener, _), gain in self.gains.items():
            must(opener in cost, "items of an opener that needs none")
            cost[opener] += gain
        open_ones = {opener for opener in openers if cost[opener] < v}
        settled = set()
        for _ in range(self.next("the number of likes", 0, len(open_ones))):
            must(self.kind != WORDS, "a like of words")
            opener, other = (self.next("an opener", 0, len(self.guesses) - 1) for _ in range(2))
            must(self.mapped(opener, *self.map()) == other, "an opener that doesn't become the other")
            must(opener in open_ones and opener not in settled and other not in open_ones, "a like of no use")
            settled.add(opener)
        must(settled == open_ones, "an opener is not shown to cost enough")

    def full_cost(self, guess: int, answers: Set, most: MostClasses, d: Number, values: dict[int, Number]) -> Number:
        """What a guess costs by the full bounds of its classes, raised to these values by code."""
        classes = self.classes(guess, answers)
        classes.pop(self.winning, None)
        bounds = {code: self.in_full(most, d - 1, part) for code, part in classes.items()}
        return len(answers) + sum(max(bound, values.get(code, 0)) for code, bound in bounds.items())

    def map(self) -> tuple[list[int], list[int]]:
        places = [self.next("a place", 0, self.places - 1) for _ in range(self.places)]
        symbols = [self.next("a symbol", 0, self.symbols - 1) for _ in range(self.symbols)]
        must(len({*places}) == self.places and len({*symbols}) == self.symbols, "no permutation")
        return places, symbols

    def mapped(self, guess: int, places: list[int], symbols: list[int]) -> int:
        code = self.guesses[guess]
        return self.number_of[tuple(symbols[code[place]] for place in places)]

    def claim(self, answers: Set, upper: list[int], d: Number) -> Number:
        """That no strategy for these answers costs less than the target, which is returned. Lowers `upper`."""
        target = self.next("a target", 0, 2**33 - 1) or NONE
        survivors, most = self.survivors(answers, upper, d, target)
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
            must(self.full_cost(guess, answers, most, d, values) >= target, "a guess is not shown to cost enough")
        legal_here = frozenset(guess for guess in range(len(upper)) if upper[guess])
        self.finished.append(Earlier(answers, d, legal_here, target))
        return target

    def by_earlier(self, number: int, answers: Set, upper: list[int], d: Number) -> Number:
        """What an earlier claim says of this class, with d guesses left."""
        earlier = [*self.lemmas, *self.finished][number - 1]
        part, legal = earlier.answers, earlier.legal
        if self.kind != WORDS:  # where all guesses are answers, with the same numbers
            how = self.map()
            part = tuple(self.mapped(answer, *how) for answer in part)
            if len(legal) < len(self.guesses):
                legal = frozenset(self.mapped(guess, *how) for guess in legal)
        must({*part} <= {*answers}, "the earlier claim is of other answers")
        must(earlier.left >= d, "the earlier claim has fewer guesses left")
        must(all(guess in legal for guess, bound in enumerate(upper) if bound), "the earlier claim has fewer guesses")
        return earlier.target + self.f0(d, len(answers) - len(part))

    def lemma(self) -> None:
        left = self.next("the guesses left", 0, 65535)
        count = self.next("the number of answers", 1, len(self.everything))
        answers = self.rising("an answer of a lemma", count, len(self.everything))
        self.finished: list[Earlier] = []
        self.claim(answers, list(self.start), left)
        self.lemmas.append(self.finished[-1])

    def body(self, answers: Set, upper: list[int], most: MostClasses) -> None:
        items = self.next("the number of items", 0, INFINITE)
        for _ in range(items):
            self.item(answers, upper, most)
        widths = self.next("the number of widths", 0, INFINITE)
        must(items or widths, "a body with nothing in it")
        for _ in range(widths):
            self.width(answers, upper)

    def width(self, answers: Set, upper: list[int]) -> None:
        guess = self.next("the guess of a width", 0, len(self.guesses) - 1)
        codes = {self.next("a code", 0, INFINITE) for _ in range(self.next("the codes", 1, self.winning + 1))}
        part = tuple(answer for answer in answers if self.codes[guess][answer] in codes)
        must(part, "an empty width")
        most = self.next("the most classes", 0, 65536)
        upper = self.counted(upper, most, part)
        must(max(upper) <= most, "a guess makes more classes")
        self.body(part, upper, self.most_classes(upper, part))

    def item(self, answers: Set, upper: list[int], most: MostClasses) -> None:
        opener = self.next("an opener", 0, len(self.guesses) - 1)
        code = self.next("the code of an item", 0, self.winning - 1)
        part = self.classes(opener, self.everything).get(code, ())
        must(part and {*part} <= {*answers}, "a class that is empty, or not in the set")
        legal, d = self.struck(upper, opener, code), self.d - 1
        self.finished = []
        kind = self.next("the kind of item", 0, 2)
        if kind == 0:
            value = self.by_size(most, d, len(part))
        elif kind == 1:
            value = self.claim(part, legal, d)
        else:
            value = self.by_earlier(self.next("a lemma", 1, len(self.lemmas)), part, legal, d)
        must((opener, code) not in self.gains, "two items for a class")
        gain = NONE if value == NONE else value - self.in_full(self.most_of_all, d, part)
        self.gains[opener, code] = max(0, gain)


class KeyChecker(Numbers):
    """Of keys: version 2."""

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
        alike: dict[Set, list[int]] = defaultdict(list)  # variants of each kind, by its replies
        for variant, replies in enumerate(zip(*rows, strict=True)):
            alike[replies].append(variant)
        self.kinds = list(alike)
        self.weights = [sum(weights[variant] for variant in own) for own in alike.values()]
        of = [{groups[variant] for variant in own} for own in alike.values()]
        self.groups = [own.pop() if len(own) == 1 else -1 - kind for kind, own in enumerate(of)]
        self.everything = tuple(range(len(self.kinds)))

    def classes(self, question: int, kinds: Set) -> dict[int, Set]:
        found = defaultdict(list)
        for kind in kinds:
            found[self.kinds[kind][question]].append(kind)
        return {reply: tuple(part) for reply, part in sorted(found.items())}

    def settled(self, kinds: Set) -> bool:
        return len({self.groups[kind] for kind in kinds}) == 1

    def weight(self, kinds: Set) -> int:
        return sum(self.weights[kind] for kind in kinds)

    def split(self, kinds: Set) -> tuple[int, int]:
        """The least cost of a question that splits a set, and the most classes of one on it."""
        counts = [len(self.classes(question, kinds)) for question in range(len(self.costs))]
        return min(cost for cost, count in zip(self.costs, counts, strict=True) if count > 1), max(counts)

    def bound(self, kinds: Set, d: Number, p: Number) -> Number:
        """B(S, d, p)."""
        if self.settled(kinds):
            return 0
        c, k = self.split(kinds)
        sums: Counter[int] = Counter()
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

    def known(self, kinds: Set, d: Number, p: Number) -> Number:
        """The value known of a set."""
        earlier = (target for left, purse, target in self.claims[kinds] if left >= d and purse >= p)
        return max([self.bound(kinds, d, p), *earlier])

    def asked(self, question: int, kinds: Set, d: Number, p: Number, target: Number) -> None:
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
        self.claims: dict[Set, list[tuple[Number, Number, Number]]] = defaultdict(list)
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

    def follow(self, kinds: Set, asked: int, paid: int) -> list[tuple[int, int]]:
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
        kinds: Set = ()
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


def least_sums(costs: npt.NDArray[np.float64], parts: int) -> npt.NDArray[np.float64]:
    """For m = 0, 1, ... the least sum of the costs of so many sizes that m is the sum of."""
    found = np.array([0] + [NONE] * (len(costs) - 1))
    for bit in bin(parts)[2:]:  # twice as many parts, and one more where there is a 1
        found = both(found, found)
        if bit == "1":
            found = both(found, costs)
    return found


def both(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The least sums of a size of one and a size of the other."""
    found = np.full(len(one), NONE)
    for size in np.flatnonzero(one < NONE).tolist():
        found[size:] = np.minimum(found[size:], one[size] + other[: len(other) - size])
    return found


def check(stream: bytes) -> str:
    """The theorem that what a certificate unpacks to proves. Raises Refused if it proves none."""
    try:
        return (KeyChecker if stream.startswith(KEY_MAGIC) else Checker)(stream).check()
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
