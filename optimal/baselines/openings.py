"""Openings that are fixed whatever the feedback, the search for them, and wins on the second guess."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from optimal.baselines.classes import of_classes
from optimal.baselines.position import Position
from optimal.baselines.strategy import Baseline, Ranking, Scores
from optimal.baselines.view import view_of
from optimal.checks import check_texts
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.show.record import Record
from optimal.show.text import columns, histogram, paragraph
from optimal.show.words import listed, within

#: Four words that always win a classic game within six guesses, whichever consistent words follow.
FOUR_WORDS = ("handy", "swift", "glove", "crump")

RARE_LETTERS = "jqxz"

#: Trying all orders of fitting words takes a second for a class so large, and minutes for one twice the size.
_TRIED = 100

_SHOWN = 20  # classes listed for people


class FixedOpening(Baseline):
    """The same first guesses whatever the feedback, then the first word that fits all of it."""

    label = "four-words"
    title = "fixed opening, then any word that fits"
    ranked_by = "fixed guesses, then any that fits"
    needs_words = False
    own_openers = FOUR_WORDS

    def scores(self, position: Position) -> Scores:
        return Scores(position.candidate_guesses, np.zeros(len(position.ids)), {})

    def rankings(self, position: Position, top: int) -> tuple[Ranking, ...]:
        fixed = self.openers[len(position.history) :]
        rows = [(word, "fixed") for word in fixed if position.is_legal(position.game.guess_index(word))]
        rows += [(word, "fits all feedback") for word in position.candidates]
        return (Ranking(self.ranked_by, ("guess", "why"), tuple(rows[:top])),)


class SecondGuessWins(NamedTuple):
    """For a first guess: answers sure to be found on the second guess, and how many are expected to be.

    An answer alone in its class is sure; the first guess itself, if it is an answer, counts too. In a class
    of n answers a guess among them finds the right one with chance 1 / n: ``expected`` is the sum of these chances
    over the classes, each counting once, however many answers it has.
    """

    guess: str
    guaranteed: int
    expected: float


def second_guess_wins(game: Game) -> tuple[SecondGuessWins, ...]:
    """Wins on the second guess for every first guess, in list order."""
    view = view_of(game)
    sure = of_classes(lambda sizes: (sizes == 1).sum(axis=0), view.codes, view.code_count)
    chances = of_classes(
        lambda sizes: np.divide(1.0, sizes, out=np.zeros(sizes.shape), where=sizes > 0).sum(axis=0),
        view.codes,
        view.code_count,
    )
    return tuple(map(SecondGuessWins, game.guesses, sure.tolist(), chances.tolist()))


def rank_openers(
    wins: Sequence[SecondGuessWins], by: str = "guaranteed", *, worst: bool = False, top: int = 10
) -> Ranking:
    """The best (or worst) first guesses by "guaranteed" or "expected" wins; equal ones in list order."""
    sign = 1 if worst else -1
    rows = sorted(wins, key=lambda row: sign * round(getattr(row, by), 9))[:top]
    what = "guaranteed wins" if by == "guaranteed" else "chances to win, added up"
    return Ranking(f"{'fewest' if worst else 'most'} {what}", SecondGuessWins._fields, tuple(rows))


@dataclass(frozen=True)
class AnswerClass(Record):
    """Answers that fixed openers leave together, and the ones among them that are bad to guess next."""

    answers: tuple[str, ...]
    bad: tuple[str, ...]


@dataclass(frozen=True)
class OpeningReport(Record):
    """What fixed openers leave, and whether guessing any words that fit always wins from there.

    `total`, `distribution` and `worst` come from guessing the first word that fits. `sure` counts the answers
    found within the limit whichever fitting words are guessed, `expected` those found by guessing at random;
    both are None where a class is too large to try them all.
    """

    json_fields = (
        "game openers max_guesses answers winner class_sizes classes total mean worst distribution sure expected"
    )
    game: str
    openers: tuple[str, ...]
    max_guesses: int
    answers: int
    winner: bool
    class_sizes: Mapping[int, int]
    classes: tuple[AnswerClass, ...]  # those with more than two answers
    distribution: Mapping[int, int]
    sure: int | None
    expected: Fraction | None

    @property
    def total(self) -> int:
        return sum(depth * count for depth, count in self.distribution.items())

    @property
    def mean(self) -> Fraction:
        return Fraction(self.total, self.answers)

    @property
    def worst(self) -> int:
        return max(self.distribution)

    def text(self) -> str:
        """The same for people; of many classes the first, those with bad next guesses before the others."""
        verdict = f"{'always wins' if self.winner else 'does not always win'} {within(self.max_guesses)}"
        about = f"{' '.join(self.openers)} {verdict}, whichever words that fit come after ({self.answers} answers)"
        sizes = [(size, count, size * count) for size, count in self.class_sizes.items()]
        parts = [paragraph(about), columns(("class_size", "classes", "answers"), sizes)]
        if self.expected is not None and not self.winner:
            share = f"by guessing fitting words at random: {float(100 * self.expected / self.answers):.3f} %."
            parts.append(paragraph(f"Found in any case: {self.sure} answers; {share}"))
        games = f"total {self.total}, mean {float(self.mean):.4f}, worst {self.worst}"
        bars = histogram(self.distribution, self.max_guesses)
        parts.append(f"Guessing the first word that fits: {games}\n{bars}")
        lines = []
        for group in sorted(self.classes, key=lambda group: not group.bad)[:_SHOWN]:
            bad = f"; may fail after {listed(group.bad)}" if group.bad else ""
            lines.append(paragraph(f"{listed(group.answers)}{bad}", first="  ", indent="    "))
        if len(self.classes) > _SHOWN:
            lines.append(f"  and {len(self.classes) - _SHOWN} more\n")
        if lines:
            parts.append("".join(["Classes of more than two answers:\n", *lines]))
        return "\n".join(parts)


def opening_report(game: Game, openers: Sequence[str]) -> OpeningReport:
    """What these openers leave of the answers, and whether any words that fit always win from there."""
    if game.rules is not Rules.NORMAL:
        raise InputError("report is for normal rules: others may forbid the guesses to come")
    if not openers:
        raise InputError("name at least one opener, such as handy swift glove crump")
    openers = [game.written(opener) for opener in check_texts(openers, "openers", "handy")]
    if len(set(openers)) < len(openers):
        raise InputError(f"openers {' '.join(openers)}: each may stand once")
    if game.max_guesses is None or len(openers) >= game.max_guesses:
        need = "1 opener needs" if len(openers) == 1 else f"{len(openers)} openers need"
        limit = f"{game.name} has no limit" if game.max_guesses is None else f"the limit is {game.max_guesses}"
        raise InputError(f"{need} a limit of {len(openers) + 1} guesses or more; {limit}")
    ids = [game.guess_index(opener) for opener in openers]
    left = game.max_guesses - len(openers)
    after = _AnyFitting(game)
    classes = _classes(game.matrix[ids])
    depths: Counter[int] = Counter()
    groups, sure, expected = [], 0, Fraction(0)
    tried = max(map(len, classes)) <= _TRIED
    for members in classes:
        bad = tuple(game.answers[answer] for answer in members if not after.wins_after(answer, members, left))
        groups.append(AnswerClass(tuple(game.answers[answer] for answer in members), bad))
        if tried:
            found, mean = after.found(members, left)
            sure, expected = sure + len(found), expected + mean
        if (guess := int(game.answer_guess[members[0]])) in ids:  # an opener is the answer, alone in its class
            depths[ids.index(guess) + 1] += 1
        else:
            depths.update(len(openers) + depth for depth in after.depths(members))
    return OpeningReport(
        game=game.name,
        openers=tuple(openers),
        max_guesses=game.max_guesses,
        answers=len(game.answers),
        winner=not any(group.bad for group in groups),
        class_sizes=dict(sorted(Counter(map(len, classes)).items())),
        classes=tuple(group for group in groups if len(group.answers) > 2),
        distribution=dict(sorted(depths.items())),
        sure=sure if tried else None,
        expected=expected if tried else None,
    )


Members = tuple[int, ...]


class _AnyFitting:
    """The outcome of guessing words that fit, for small classes of answers. Sets recur, so it remembers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._rows: dict[int, list[int]] = {}  # codes of an answer as the guess; lists are faster to index
        self._always: dict[tuple[Members, int], bool] = {}
        self._found: dict[tuple[Members, int], tuple[frozenset[int], Fraction]] = {}

    def split(self, guess: int, members: Members) -> list[Members]:
        """The classes of the other members once answer `guess` has been guessed."""
        if guess not in self._rows:
            self._rows[guess] = self.game.matrix[self.game.answer_guess[guess]].tolist()
        row = self._rows[guess]
        found: dict[int, list[int]] = {}
        for answer in members:
            if answer != guess:
                found.setdefault(row[answer], []).append(answer)
        return [tuple(group) for group in found.values()]

    def always(self, members: Members, left: int) -> bool:
        """Whether all fitting guesses find every member within `left` guesses; it stops at the first that doesn't."""
        if len(members) <= left:
            return True  # each guess that fails takes at least itself away
        key = members, left
        if key not in self._always:
            self._always[key] = left > 1 and all(self.wins_after(guess, members, left) for guess in members)
        return self._always[key]

    def wins_after(self, guess: int, members: Members, left: int) -> bool:
        """The same once `guess` is made first."""
        return all(self.always(group, left - 1) for group in self.split(guess, members))

    def found(self, members: Members, left: int) -> tuple[frozenset[int], Fraction]:
        """The members that are found within `left` guesses, whichever fitting words are guessed, and how many are on
        average, guessing at random."""
        if len(members) <= left or left == 0:
            return frozenset(members[:left]), Fraction(min(len(members), left))
        key = members, left
        if key not in self._found:
            sure, total = frozenset(members), Fraction(len(members))
            for guess in members:
                after = [self.found(group, left - 1) for group in self.split(guess, members)]
                sure &= frozenset([guess]).union(*(found for found, _ in after))
                total += sum(mean for _, mean in after)
            self._found[key] = sure, total / len(members)
        return self._found[key]

    def depths(self, members: Members) -> Iterator[int]:
        """The guess that finds each member when the first fitting word is always guessed."""
        level, depth = [members], 0
        while level:
            depth += 1
            yield from [depth] * len(level)
            level = [group for known in level for group in self.split(known[0], known)]


def _classes(rows: npt.NDArray[Any]) -> list[Members]:
    """Answers that all rows of codes give the same codes, in list order of their first answers."""
    found: dict[tuple[int, ...], list[int]] = {}
    for answer, codes in enumerate(zip(*rows.tolist(), strict=True)):
        found.setdefault(codes, []).append(answer)
    return [tuple(members) for members in found.values()]


def first_disjoint(words: Sequence[str], count: int = 4, without: str = RARE_LETTERS) -> tuple[str, ...] | None:
    """The first words, depth first in list order, without a letter in common or twice; None if none fit."""
    return _fit([word for word in words if len(set(word)) == len(word) and not set(word) & set(without)], count)


def _fit(left: Sequence[str], count: int) -> tuple[str, ...] | None:
    if count == 0:
        return ()
    for i, word in enumerate(left, 1):
        # Words before this one were tried with all that could follow them, so only later ones are new.
        letters = set(word)
        rest = _fit([later for later in left[i:] if letters.isdisjoint(later)], count - 1)
        if rest is not None:
            return (word, *rest)
    return None


def shuffled_openings(
    words: Sequence[str], tries: int = 200, seed: int = 42, count: int = 4, without: str = RARE_LETTERS
) -> Iterator[tuple[str, ...]]:
    """Openings found by `first_disjoint` after each shuffle, each on top of the one before."""
    shuffled = sorted(words)
    source = random.Random(seed)
    for _ in range(tries):
        source.shuffle(shuffled)
        found = first_disjoint(shuffled, count, without)
        if found is not None:
            yield found


def search_openings(
    game: Game,
    tries: int = 200,
    seed: int = 42,
    count: int = 4,
    without: str = RARE_LETTERS,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[OpeningReport, ...]:
    """The openings of answers that always win, among those that seeded shuffles bring; each once.

    `progress(openings, tries)` is called as openings are examined.
    """
    if not isinstance(game.feedback, WordFeedback):
        raise InputError(f"game {game.name!r} has no words: openings are searched for by their letters")
    winners: dict[tuple[str, ...], OpeningReport] = {}
    for done, openers in enumerate(shuffled_openings(game.answers, tries, seed, count, without), 1):
        report = opening_report(game, openers)
        if report.winner:
            winners[openers] = report
        if progress is not None:
            progress(done, tries)
    return tuple(winners.values())
