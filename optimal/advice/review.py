"""A finished game, guess by guess: what was skill and what was luck, against exact best play.

For a position P with n candidates, E(P) = V(P) / n guesses are expected with best play, V(P) being the least total.
With a guess g it is Q(P, g) = 1 + the sum over its classes c of |c| / n E(c), and E is 0 once the answer is found.
With weights, these take the place of numbers of candidates.

    skill_loss = Q(P, g) - E(P)                 never below 0, and 0 for each of the best guesses
    luck       = Q(P, g) - 1 - E(class seen)    how much better than expected the reply was

There are also two scores from 0 to 99. Skill is 99 for a best guess, 0 for one that loses a whole guess or more. Luck
is 50 for a reply as good as expected, 99 for one that saves a whole guess or more, 0 for one that loses it.

The guesses used are exactly E(start) + the sum of skill_loss - the sum of luck; in a game that ended unsolved, E of the
position left counts as used.

Where best play can't find every candidate within the limit, or a guess can't, it is the chance to win that counts, then
the guesses over the candidates found. A guess throws away the chance that best play has more; its skill is 99 for all
of the chance kept, 0 for none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from optimal.games.presets import titled
from optimal.search.result import Status
from optimal.show.record import Record
from optimal.show.table import Grid, Listed
from optimal.show.text import cell
from optimal.show.words import counted, listed, percent, within

TOO_MANY = "not valued: too many candidates"
WEIGHTLESS = "it may miss answers that weigh nothing"
ODD = "the answer is not in the list, so nobody could know"
SHIPPED = {"table": "best by the shipped table", "tree": "best by the shipped tree"}
MOST_SCORE = 99
#: Grades of a guess, by its greatest loss.
GRADES: tuple[tuple[Fraction | float, str], ...] = (
    (Fraction(1, 50), "nearly the best"),
    (Fraction(1, 10), "good"),
    (Fraction(3, 10), "fair"),
    (Fraction(7, 10), "weak"),
    (math.inf, "a mistake"),
)


@dataclass(frozen=True)
class Turn(Record):
    """One guess of a finished game. Unknown values are None, and ``note`` says why.

    ``expected`` is Q, the guesses expected from this one on; ``best_expected`` is E, the same with a best guess
    instead; ``expected_after`` is E of the position after the reply. ``best_guesses`` are all of least total, the
    canonical one first. ``source`` is "search", "table" for shipped totals, or "tree" for the first guess of a shipped
    tree: others may be as good.

    ``missed`` is how many candidates are lost with best play after the guess, and ``best_missed`` after a best one;
    None for none, or if that isn't known. Totals and expectations are over the others, and ``chance_lost`` is the
    chance to win that the guess throws away.

    If no answer in the list fits the reply, ``candidates_after`` is 0; later turns are valued over other words.

    In a debrief that was stopped, ``total`` is exact only if ``proven``, and ``best_total`` if ``best_proven``:
    else they are those of trees found so far, which best play may beat, or None.
    """

    json_fields = (
        "guess feedback candidates_before candidates_after expected best_guess best_guesses best_expected "
        "expected_after skill_loss luck bits skill_score luck_score is_candidate total best_total note source proven "
        "best_proven listed missed best_missed chance_lost"
    )
    guess: str
    feedback: str
    candidates_before: int
    candidates_after: int
    weight: int  # of the candidates before, and of those after in the same unit; their numbers where all weigh the same
    weight_after: int
    is_candidate: bool
    total: int | None
    best_total: int | None
    expected_after: Fraction | None
    best_guesses: tuple[str, ...]
    note: str | None
    source: str
    proven: bool = True
    best_proven: bool = True
    possible_best: tuple[str, ...] = ()  # those of best_guesses that might have been the answer
    listed: bool = True  # whether the candidates are answers of the list; else they are other words
    missed: int | None = None
    best_missed: int | None = None

    @property
    def skill_score(self) -> int | None:
        """99 for a best guess, 0 for one that loses a whole guess or more, or all of the chance; None if it isn't
        known."""
        loss = self.loss
        return None if loss is None else round(MOST_SCORE * max(Fraction(0), 1 - loss))

    @property
    def grade(self) -> str | None:
        """The loss in a word, a lost chance counting twice; None if it isn't known."""
        loss = None if self.loss is None else self.loss * (2 if self.chance_lost else 1)
        return None if loss is None else next(grade for most, grade in GRADES if loss <= most)

    @property
    def loss(self) -> Fraction | None:
        """What the guess loses: the share of the chance to win, or else guesses; None if it isn't known."""
        return self.chance_lost / _chance(self, self.best_missed) if self.chance_lost else self.skill_loss

    @property
    def luck_score(self) -> int | None:
        """50 as expected, 99 a guess saved or more, 0 one lost; None if it isn't known, or nothing was open."""
        if self.luck is None or self.candidates_before == 1:
            return None
        return round(MOST_SCORE * min(max((1 + self.luck) / 2, Fraction(0)), Fraction(1)))

    @property
    def expected(self) -> Fraction | None:
        return self._expected(self.total, self.missed)

    @property
    def best_expected(self) -> Fraction | None:
        return self._expected(self.best_total, self.best_missed)

    @property
    def chance_lost(self) -> Fraction | None:
        """The chance to win that the guess throws away; None if the game can't be lost, or it isn't known."""
        if not self.missed or self.best_total is None or not (self.proven and self.best_proven):
            return None
        return _chance(self, self.best_missed) - _chance(self, self.missed)

    def _expected(self, total: int | None, missed: int | None) -> Fraction | None:
        found = self.weight - (missed or 0)
        return None if total is None or not found else Fraction(total, found)

    @property
    def best_guess(self) -> str | None:
        return self.best_guesses[0] if self.best_guesses else None

    @property
    def skill_loss(self) -> Fraction | None:
        """The expected number of guesses lost against a best guess."""
        if self.expected is None or self.best_expected is None or not (self.proven and self.best_proven):
            return None
        if self.missed != self.best_missed:
            return None
        return self.expected - self.best_expected

    @property
    def luck(self) -> Fraction | None:
        """The number of guesses by which the reply was better than expected."""
        if self.expected is None or self.expected_after is None or self.missed or not self.proven:
            return None
        return self.expected - 1 - self.expected_after

    @property
    def bits(self) -> float | None:
        """The information of the reply; None if no candidate fits it."""
        return math.log2(self.weight / self.weight_after) if self.weight_after else None


@dataclass(frozen=True, repr=False)
class Debrief(Record, Listed[Turn]):
    """The debrief of a game, as returned by :func:`debrief`.

    ``skill_loss`` and ``luck`` sum over the turns from the first valued one, ``first_valued``, on; ``expected_start``
    is E there. They are None if a limit makes one of them infinite, or if one isn't known.

    ``status`` is OPTIMAL if all values are exact. A debrief that was stopped is FEASIBLE (some values not proven or
    not known) or UNKNOWN (nothing known).
    """

    json_fields = (
        "turns answer listed solved guesses_used expected_start expected_left skill_loss luck bits skill_score "
        "luck_score valued_from game rules max_guesses status stop_reason weights"
    )
    game: str
    rules: str
    max_guesses: int | None
    answer: str | None  # None: not solved, and not given
    solved: bool
    turns: tuple[Turn, ...]
    status: Status = Status.OPTIMAL
    stop_reason: str = "done"
    answer_listed: bool = True  # if it is given
    weights: str = "uniform"

    @property
    def guesses_used(self) -> int:
        return len(self.turns)

    @property
    def first_valued(self) -> int | None:
        """The index of the first valued turn; None if there is none."""
        return next((i for i, turn in enumerate(self.turns) if turn.note != TOO_MANY), None)

    @property
    def valued_from(self) -> int | None:
        """The number of the first valued turn."""
        return None if self.first_valued is None else self.first_valued + 1

    @property
    def valued(self) -> tuple[Turn, ...]:
        return () if self.first_valued is None else self.turns[self.first_valued :]

    @property
    def expected_start(self) -> Fraction | None:
        first = self.valued[0] if self.valued else None
        return None if first is None or first.best_missed or not first.best_proven else first.best_expected

    @property
    def expected_left(self) -> Fraction | None:
        """E of the position after the last guess: 0 if it found the answer."""
        return self.turns[-1].expected_after

    @property
    def skill_loss(self) -> Fraction | None:
        return _sum([turn.skill_loss for turn in self.valued])

    @property
    def luck(self) -> Fraction | None:
        return _sum([turn.luck for turn in self.valued])

    @property
    def skill_score(self) -> int | None:
        """The mean of the known scores of the turns."""
        return _mean_score(turn.skill_score for turn in self.turns)

    @property
    def luck_score(self) -> int | None:
        """The mean of the known scores of the turns."""
        return _mean_score(turn.luck_score for turn in self.turns)

    @property
    def bits(self) -> float | None:
        """The information of all replies together; None if no answer in the list fits any more."""
        bits = [turn.bits for turn in self.turns if turn.bits is not None]
        return math.fsum(bits) if len(bits) == len(self.turns) else None

    @property
    def listed(self) -> bool:
        """Whether the answer is in the list; if it isn't given, whether one in the list fits the whole game."""
        return self.answer_listed and self.turns[-1].listed and self.turns[-1].candidates_after > 0

    @property
    def rows(self) -> tuple[Turn, ...]:
        """The guesses, in playing order."""
        return self.turns

    @property
    def table(self) -> Grid:
        """The debrief as a table, with a line for the sums."""
        answer = "" if self.answer is None else f", answer {self.answer}"
        answer += "" if self.answer is None or self.listed else ", which is not in the list"
        limit = "" if self.max_guesses is None else f", {within(self.max_guesses)}"
        return Grid(
            f"{titled(self.game)}, {self.rules} rules{', weighted' * (self.weights != 'uniform')}{limit}{answer}",
            ("guess", "feedback", "before", "after", "expected", "best", "lost", "luck", "bits"),
            [
                *map(self._row, self.turns),
                ("sum", *[""] * 5, self.skill_loss, _signed(self.luck), _bits(self.bits)),
            ],
            self._notes(),
        )

    @staticmethod
    def _row(turn: Turn) -> tuple[object, ...]:
        left = (turn.candidates_before, turn.candidates_after)
        expected: tuple[object, ...] = (
            _at_most(turn.expected, turn.proven),
            _at_most(turn.best_expected, turn.best_proven),
        )
        lost: object = turn.skill_loss
        if turn.missed is not None:  # the chance to win in place of the guesses
            best = None if turn.best_total is None else _chance(turn, turn.best_missed)
            expected = (_at_least(_chance(turn, turn.missed), turn.proven), _at_least(best, turn.best_proven))
            if turn.chance_lost is not None and not (turn.skill_loss and not turn.chance_lost):
                lost = percent(turn.chance_lost)
        elif turn.best_missed and turn.expected is None:  # the guess itself isn't valued
            expected = (None, _at_least(_chance(turn, turn.best_missed), turn.best_proven))
        return turn.guess, turn.feedback, *left, *expected, lost, _signed(turn.luck), _bits(turn.bits)

    def _notes(self) -> list[str]:
        notes = []
        for number, turn in enumerate(self.turns, 1):
            remarks = [] if turn.note is None else [turn.note]
            if not turn.candidates_after:
                meant = ""
                if number < len(self.turns):
                    meant = f", and {counted(self.turns[number].candidates_before, 'other word')} may be meant"
                remarks.insert(0, f"here the list of answers ends{meant}")
            remarks += _verdict(turn)
            scores = {"skill": turn.skill_score, "luck": turn.luck_score}
            remarks.append(", ".join(f"{name} {score}" for name, score in scores.items() if score is not None))
            remarks.append(SHIPPED.get(turn.source, ""))
            if said := "; ".join(filter(None, remarks)):
                notes.append(f"Guess {number}, {turn.guess}: {said}.")
        if self.status is not Status.OPTIMAL:
            known = "values with <= or >= may be beaten by best play, and - is not known"
            notes.append(f"Stopped, {self.stop_reason}: {known}.")
        lost = (
            "guesses thrown away against a best guess. Luck: guesses that the reply saved, more or less than expected"
        )
        if all(turn.missed is not None for turn in self.turns):
            later = any(turn.skill_loss and not turn.chance_lost for turn in self.turns)
            lost = f"the chance{', or where that is kept the guesses,' * later} thrown away against a best guess"
        notes.append(
            f"Lost: {lost}. Bits: what it told; each halves the candidates. Scores are from 0 to {MOST_SCORE}."
        )
        if any(turn.missed is not None for turn in self.turns):
            kept = "there skill is the part kept of the best chance"
            notes.append(f"Percentages are chances to win, where the limit leaves no certainty; {kept}.")
        return [*notes, self._total]

    @property
    def _total(self) -> str:
        used = f"Total: {counted(self.guesses_used, 'guess', 'guesses')}{'' if self.solved else ', not solved'}"
        start, lost, luck, left = self.expected_start, self.skill_loss, self.luck, self.expected_left
        if start is None or lost is None or luck is None or left is None:
            return f"{used}."
        before = self.first_valued or 0
        sum_of = [f"{before} unvalued +"] if before else []
        lucky = f"- {cell(luck)} luck" if luck >= 0 else f"+ {cell(-luck)} bad luck"
        sum_of.append(f"{cell(start)} expected + {cell(lost)} skill lost {lucky}")
        sum_of += [] if self.solved else [f"- {cell(left)} still to come"]
        last, odd = self.turns[-1], ""
        if not self.answer_listed and last.listed:  # else the rest is over the other words
            odd = f", if it were one of the {counted(last.candidates_after, 'answer')} left in the list"
        return f"{used} = {' '.join(sum_of)}{odd}."


def _verdict(turn: Turn) -> list[str]:
    """Return the grade of a guess, if it is known, and the better guesses; possible answers come first."""
    odd = [guess for guess in turn.best_guesses if guess not in turn.possible_best]
    others = [guess for guess in (*turn.possible_best, *odd) if guess != turn.guess]
    if turn.grade is None:
        best = [f"the best {_are(others)}"] if turn.best_proven and others and turn.note != ODD else []
        return best if turn.note or (turn.proven and turn.best_proven) else ["what it lost is not settled", *best]
    if not turn.skill_loss and not turn.chance_lost:
        alone = "a best guess" if turn.source == "tree" else "the best guess"
        return [f"a best guess, as {_are(others)}" if others else alone]
    sooner = f", as likely to win but {cell(turn.skill_loss)} guesses sooner" if turn.chance_lost == 0 else ""
    return [turn.grade, f"better {_are(others)}{sooner}"]


def _chance(turn: Turn, missed: int | None) -> Fraction:
    """Return the chance to win where so many candidates are missed."""
    return 1 - Fraction(missed or 0, turn.weight)


def _mean_score(scores: Iterable[int | None]) -> int | None:
    known = [score for score in scores if score is not None]
    return round(Fraction(sum(known), len(known))) if known else None


def _sum(numbers: Sequence[Fraction | None]) -> Fraction | None:
    known = [number for number in numbers if number is not None]
    return sum(known, Fraction(0)) if known and len(known) == len(numbers) else None


def _bits(value: float | None) -> str:
    return cell(None) if value is None else f"{value:.2f}"


def _signed(value: Fraction | None) -> str:
    return cell(None) if value is None else f"{float(value):+.4f}"


def _at_most(value: Fraction | None, proven: bool) -> object:
    return value if proven or value is None else f"<= {cell(value)}"


def _at_least(chance: Fraction | None, proven: bool) -> str | None:
    proven = proven or chance == 1
    return None if chance is None else f"{'' if proven else '>= '}{percent(chance, at_least=not proven)}"


def _are(words: Sequence[str]) -> str:
    return f"{'are' if len(words) > 1 else 'is'} {listed(words, 5)}"
