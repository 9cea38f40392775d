"""The best guess where no answer in the list fits any more: a plain search over the few other words that do.

Up to `MOST_EXACT` words the guess is exact: of the guesses that the rules allow it finds most words within the limit,
and these by the fewest guesses. Of more words it is the one with most classes. No numpy, and no engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from optimal.games.feedback import WordFeedback
from optimal.games.rules import Demand, Rules, demand_of, unmet

#: The most words for an exact search; with more it could take long.
MOST_EXACT = 8

#: Bits of a feedback code, which is below 3^10; the codes of a guess for all words left are packed into one number.
_BITS, _MASK = 16, (1 << 16) - 1
#: A letter with the places where a guess has it; the code of a guess is the sum of those of its parts.
Part = tuple[str, tuple[int, ...]]
Words = tuple[str, ...]
#: Words missed, and guesses for all.
Cost = tuple[int, int]
#: The least that a guess may cost, whether it does not fit, the guess, and its replies to all words.
Entry = tuple[Cost, bool, str, list[int]]
NO_DEMAND = Demand((), ())


@dataclass(frozen=True)
class Choice:
    """A guess with what comes of it: words missed within the guesses left, guesses for all of them, and the most.

    Where it is not exact, ``missed`` and ``total`` are None, and ``worst`` is what it can't be more than: the guesses
    left, or, where no limit is so low, one for each word.
    """

    guess: str
    worst: int
    missed: int | None = None
    total: int | None = None

    @property
    def cost(self) -> Cost:
        assert self.missed is not None
        assert self.total is not None
        return self.missed, self.total


class Chooser:
    """Guesses for words of one length, chosen of ``words`` by the rules of the game.

    By ultra-hard rules these are the words left themselves: no answer in the list fits, and all other words that do are
    left. By hard rules a `Demand` is what the hint of the last turn asks: as its guess met those of all turns before,
    its reply shows the same greens and as many copies of each letter, or more.
    """

    def __init__(self, words: Iterable[str], rules: Rules) -> None:
        self._rules, self._words = rules, [] if rules is Rules.ULTRA_HARD else sorted(words)
        self._legal: dict[Demand, list[int]] = {NO_DEMAND: list(range(len(self._words)))}
        self._parts: dict[Part, int] = {}
        self._spelled: list[Callable[[Sequence[int]], tuple[int, ...]]] = []  # each takes what its parts bring
        self._known: dict[tuple[Words, int, Demand], Choice] = {}

    def best(self, left: Sequence[str], guesses: int | None, last: tuple[str, int] | None = None) -> Choice:
        """The guess to make where these words and this number of guesses are left (None: any number)."""
        words, demand = tuple(left), NO_DEMAND if last is None else self._after(*last)
        within = len(words) if guesses is None else min(guesses, len(words))
        if len(words) <= MOST_EXACT:
            return self._exact(words, within, demand)
        return Choice(min(self._fitting(words, within) + self._any(words, within, demand))[2], within)

    def _after(self, guess: str, code: int) -> Demand:
        """What a turn asks of the guesses after it."""
        return demand_of(WordFeedback(len(guess)), guess, code) if self._rules is Rules.HARD else NO_DEMAND

    def _exact(self, left: Words, guesses: int, demand: Demand) -> Choice:
        if len(left) == 1:
            return Choice(left[0], 1, 0, 1)
        if guesses == 1:
            return Choice(left[0], 1, len(left) - 1, 2 * len(left) - 1)
        if len(left) == 2:
            return Choice(left[0], 2, 0, 3)
        known = self._known.get((left, guesses, demand))
        if known is None:
            known = self._searched(left, guesses, self._fitting(left, guesses), None)
            if known.cost > (0, 2 * len(left)):  # a guess that doesn't fit costs as much at least
                known = self._searched(left, guesses, self._any(left, guesses, demand, known.cost), known)
            self._known[left, guesses, demand] = known
        return known

    def _searched(self, left: Words, guesses: int, ordered: Iterable[Entry], best: Choice | None) -> Choice:
        for least, _, guess, codes in ordered:
            if best is not None and least >= best.cost:
                break
            parts = [(code, part) for code, part in _classes(left, codes) if part != (guess,)]
            missed, total, worst = 0, len(left) + sum(2 * len(part) - 1 for _, part in parts), 1
            for code, part in sorted(parts, key=lambda one: len(one[1])):
                if best is not None and (missed, total) >= best.cost:
                    break
                after = self._exact(part, guesses - 1, self._after(guess, code))
                missed, total = missed + after.cost[0], total + after.cost[1] - (2 * len(part) - 1)
                worst = max(worst, 1 + after.worst)
            if best is None or (missed, total) < best.cost:
                best = Choice(guess, worst, missed, total)
        assert best is not None  # each word left is a guess, and splits itself from the others
        return best

    def _fitting(self, left: Words, guesses: int) -> list[Entry]:
        """The words themselves as guesses, in the order of the least that they may cost."""
        return _entries(left, [sum(_reply(part, left) for part in _parts(word)) for word in left], left, guesses)

    def _any(self, left: Words, guesses: int, demand: Demand, below: Cost | None = None) -> list[Entry]:
        """The same of all words that may be guessed; only of those that may cost less than this."""
        if not self._spelled:
            number = self._parts
            for word in self._words:
                parts = [number.setdefault(part, len(number)) for part in _parts(word)]
                self._spelled.append(itemgetter(*parts, -1))  # of one item alone it makes no tuple
        replies = [*(_reply(part, left) for part in self._parts), 0]
        if demand not in self._legal:
            self._legal[demand] = [number for number, word in enumerate(self._words) if unmet(demand, word) is None]
        legal = self._legal[demand]
        packed = [sum(self._spelled[number](replies)) for number in legal]
        return _entries([self._words[number] for number in legal], packed, left, guesses, below)


def _entries(
    guesses: Sequence[str], replies: Sequence[int], left: Words, within: int, below: Cost | None = None
) -> list[Entry]:
    """Guesses with their replies to all words, by the least that they may cost, those that fit before others.

    Only those that may cost less than `below`; of several with the same replies all but the first are left out."""
    first = dict(zip(reversed(replies), reversed(guesses), strict=True))
    count, wins = len(left), 3 ** len(left[0]) - 1
    places = [_BITS * number for number in range(count)]
    found = []
    for packed, guess in first.items():
        codes = [packed >> place & _MASK for place in places]
        fits, classes = wins in codes, len(set(codes))
        # Each class costs a guess for one of its words, and two for each other one; the last guess finds one of each.
        least = (0 if within > 2 else count - classes, 3 * count - classes - fits)
        if classes > 1 and (below is None or least < below):
            found.append((least, not fits, guess, codes))
    return sorted(found)


def _parts(guess: str) -> list[Part]:
    """The letters of a guess with their places: the reply to it is the sum of theirs."""
    places: dict[str, tuple[int, ...]] = {}
    for place, letter in enumerate(guess):
        places[letter] = (*places.get(letter, ()), place)
    return list(places.items())


def _reply(part: Part, left: Sequence[str]) -> int:
    """What a letter brings for each of the words: greens, then yellows from left to right while there are copies."""
    letter, places = part
    packed = 0
    for number, word in enumerate(left):
        free = word.count(letter)
        code = 0
        if free:
            green = [place for place in places if word[place] == letter]
            grey = [place for place in places if word[place] != letter]
            code = sum(2 * 3**place for place in green) + sum(3**place for place in grey[: free - len(green)])
        packed |= code << _BITS * number
    return packed


def _classes(left: Sequence[str], codes: Sequence[int]) -> list[tuple[int, Words]]:
    """The replies, each with the words that bring it."""
    classes: dict[int, list[str]] = {}
    for word, code in zip(left, codes, strict=True):
        classes.setdefault(code, []).append(word)
    return [(code, tuple(part)) for code, part in classes.items()]
