"""Claims for openers, top down: each position gets a target, and the necessary claims are recorded.

The engine is an oracle for values. The checker's own board says what the checker settles by itself.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from optimal._engine import Search
from optimal.certificates.board import NONE, NORMAL, WORDS, Board, Integers, fewer
from optimal.certificates.file import Item, claim_bytes, encode
from optimal.certificates.orbits import Map, likes
from optimal.certificates.statement import KINDS, RULES
from optimal.certificates.widths import Widths, narrow
from optimal.games.game import Game
from optimal.limits import INFEASIBLE
from optimal.search.engine import engine_limit, new_control, tables_of

#: Smaller classes gain nothing from a count.
_COUNTED_LEAST = 6
#: Classes of these sizes gain most for their time when an opener is refuted.
_EARLY = range(24, 80)
#: The first limits of claims in the proof for a class: another class may need fewer, and some need millions. The second
#: pair is for classes without a tree, small ones first.
_FEW, _FEW_NONE = (16, 256), (128, 1024)
#: A claim seldom settles more guesses per claim in its proof.
_EACH = 4
#: A class is tried for its whole gain, value minus bound, and for these fractions of it.
_PARTS = (1, 2, 4, 8)


class Short(Exception):
    """A target that can't be reached: the claim is false."""


class _Long(Exception):
    """A proof with more claims than allowed."""


class EngineBoard(Board):
    """The checker's board with the engine's matrix and counting, which are faster."""

    def __init__(self, game: Game) -> None:
        assert game.feedback is not None
        self.game = game
        self.tables = tables_of(game)
        names = {symbol: i for i, symbol in enumerate(sorted(set("".join(game.guesses))))}
        guesses = [tuple(names[symbol] for symbol in guess) for guess in game.guesses]
        super().__init__(
            KINDS.index(game.feedback.kind), RULES.index(game.rules.value), guesses, game.answer_guess.tolist()
        )

    def scores(self, guesses: range) -> npt.NDArray[np.uint16]:
        return self.game.matrix[guesses.start : guesses.stop].astype(np.uint16)

    def count(self, guesses: Integers, answers: Integers) -> Integers:
        return self.tables.class_counts(guesses, answers).astype(np.int32)


@dataclass
class _Position:
    """The turns so far, the answers left, the bounds of the guesses there, and the guesses left."""

    turns: tuple[tuple[int, int], ...]
    answers: Integers
    upper: Integers
    left: int


@dataclass
class _Proven:
    target: int
    left: int
    number: int
    legal: npt.NDArray[np.bool_]


class Prover:
    """Claims for openers of a game within a limit of guesses."""

    def __init__(self, board: EngineBoard, widths: Widths, limit: int) -> None:
        self.board, self.widths, self.limit = board, widths, limit
        self.control = new_control()
        self.start = Search(board.tables, self.control)
        # In peg games a reference to a claim has a map, here of everything to itself.
        self.unmoved = () if board.kind == WORDS else (*range(board.places), *range(board.copies.shape[1]))
        self.proven: dict[bytes, list[_Proven]] = {}
        self.numbers = 0
        self.room: float = 0  # for claims of the current item

    def opener(self, guess: int, target: int) -> list[Item]:
        """Return the items that show that this opener costs at least `target`, beyond what the checker finds by itself.

        Raises Short if it doesn't.
        """
        board = self.board
        everything, asked = board.everything, np.array([guess], dtype=np.int32)
        total = int(board.bounds(asked, everything, self.limit, board.most_classes_of_all, target)[0])
        if total >= target:
            return []
        opened = _Opener(self, guess, target - total)
        # Counts hardly ever show that there is no tree if claims take longer.
        for step in (opened.by_widths, opened.by_counts, opened.by_claims)[:: 1 if target < NONE else 2]:
            step()
            if opened.missing <= 0:
                return list(opened.items.values())
        name = board.game.guesses[guess]
        wanted = "has a strategy" if target == NONE else f"takes less than {target} guesses in all"
        raise Short(f"opener {name!r} {wanted}")

    def class_value(self, search: Search, guess: int, code: int, left: int, least: int) -> int:
        """Return the cost of a class of a guess, or `least` if it is no less; `left` counts before the guess."""
        # To show that there is no tree, no finite cost is enough.
        none = 2 * least >= NONE
        value = search.class_value(guess, code, engine_limit(left), INFEASIBLE if none else least)
        return NONE if none and value >= INFEASIBLE else min(least, value)

    def claim(self, position: _Position, target: int) -> bytes:
        """Return a proof, encoded, that the position costs at least `target`. Raises Short if it doesn't, _Long if
        there is no room."""
        board, answers, left = self.board, position.answers, position.left
        self.room -= 1
        if self.room < 0:
            raise _Long
        guesses, bounds = board.survivors(answers, position.upper, left, target)
        if len(guesses) > _EACH * self.room:
            raise _Long
        most = board.most_classes(answers, position.upper)
        listed: list[tuple[int, list[tuple[int, bytes]]]] = []
        search: Search | None = None
        by_itself: dict[bytes, int] = {}
        alike: dict[int, tuple[int, Map]] = {}
        if board.kind != WORDS:
            alike = likes(board, [guess for guess, _ in position.turns], guesses)
        done: dict[int, list[tuple[int, int]]] = {}  # the codes of a guess's classes, and the numbers of their claims
        for guess, bound in zip(guesses.tolist(), bounds.tolist(), strict=True):
            if guess in alike:
                other, how = alike[guess]
                listed.append((guess, [(code, encode([number, *how.numbers])) for code, number in done[other]]))
                continue
            if search is None:
                search = Search(board.tables, self.control, history=position.turns, table_slots=1 << 10)
            missing = target - bound
            raised = []
            # To show that there is no tree, one class without a tree is enough, and a small one needs fewer claims.
            for code, part in _largest_first(board, guess, answers)[:: 1 if target < NONE else -1]:
                name = part.tobytes()
                if name not in by_itself:
                    by_itself[name] = board.set_bound(part, fewer(left), most)
                value = self.class_value(search, guess, code, left, by_itself[name] + missing)
                if value > by_itself[name]:
                    gain = min(missing, value - by_itself[name])
                    raised.append((gain, code, part, value))
                    missing -= gain
                    if missing <= 0:
                        break
            if missing > 0:
                raise Short(f"guess {guess} after {position.turns} costs less than {target}")
            parts = _needed(raised, target - bound)
            claims = []
            done[guess] = []
            for code, part, value in parts:
                made, number = self.part_claim(position, guess, code, part, value)
                claims.append((code, made))
                done[guess].append((code, number))
            listed.append((guess, claims))
        self.numbers += 1
        proven = _Proven(target, left, self.numbers, position.upper > 0)
        self.proven.setdefault(answers.tobytes(), []).append(proven)
        return claim_bytes(target, listed)

    def part_claim(self, position: _Position, guess: int, code: int, part: Integers, target: int) -> tuple[bytes, int]:
        """Return a claim on a class of a guess, or a reference to an earlier one that implies it, encoded; and the
        number of that claim. Numbers count the claims of an item in the order in which they end."""
        left = fewer(position.left)
        upper = self.board.forbid(position.upper, guess, code)
        for proven in self.proven.get(part.tobytes(), ()):
            free = self.board.rules == NORMAL or not (upper[~proven.legal] > 0).any()
            if proven.target >= target and proven.left >= left and free:
                return encode([proven.number, *self.unmoved]), proven.number
        claim = self.claim(_Position((*position.turns, (guess, code)), part, upper.copy(), left), target)
        return b"\0" + claim, self.numbers


class _Opener:
    """One opener on the way to its target: the bounds of its classes, and the missing cost."""

    def __init__(self, prover: Prover, guess: int, missing: int) -> None:
        self.prover, self.guess, self.missing = prover, guess, missing
        self.left = fewer(prover.limit)
        board = prover.board
        self.classes = dict(_largest_first(board, guess, board.everything))
        home = prover.widths.home.get(guess, {})
        self.home = {code: home.get(code, 0) for code in self.classes}
        self.bound = {
            code: board.set_bound(part, self.left, board.most_classes_of_all) for code, part in self.classes.items()
        }
        self.items: dict[int, Item] = {}

    def none(self) -> bool:
        """Return whether the target is that there is no tree: then finite costs are useless."""
        return 2 * self.missing > NONE

    def helps(self, code: int, bound: int) -> bool:
        """Return whether the bound improves the known one, and is of use."""
        return bound > self.bound[code] and (bound >= NONE or not self.none())

    def note(self, code: int, bound: int, proof: bytes = b"\0", claims: int = 0) -> None:
        self.items[code] = Item(self.guess, code, self.home[code], proof, claims)
        self.missing -= bound - self.bound[code]
        self.bound[code] = bound

    def by_widths(self) -> None:
        """Bound classes by counts of sets that contain them, the best first."""
        prover = self.prover
        found = []
        for code, home in self.home.items():
            n = len(self.classes[code])
            if home:
                bound = int(prover.board.by_size(self.left, prover.widths.most[home], n)[n])
                found.append((bound - self.bound[code], bound, code))
        for _, bound, code in sorted(found, reverse=True):
            if self.missing <= 0 or not self.helps(code, bound):
                break
            self.note(code, bound)

    def by_counts(self) -> None:
        """Bound classes by counts of their own until that is enough: first those that gain most for their time, then
        the larger ones, then the smaller."""
        board = self.prover.board
        sizes = {code: len(part) for code, part in self.classes.items()}
        for code in sorted(sizes, key=lambda code: (sizes[code] not in _EARLY, -sizes[code])):
            if self.missing <= 0 or sizes[code] < _COUNTED_LEAST:
                break
            part, n = self.classes[code], sizes[code]
            upper = self.upper(code).astype(np.uint16)
            counts = np.empty(len(upper), dtype=np.uint16)
            most = narrow(board, upper, part, counts)
            bound = int(board.by_size(self.left, board.most_classes(part, counts.astype(np.int32)), n)[n])
            if not self.helps(code, bound):
                continue
            target = NONE if bound >= NONE else min(bound, self.bound[code] + self.missing)
            # If the count alone shows it, no guess is left to settle.
            counted = (b"\1" + claim_bytes(target), 1) if target <= 3 * n - most else self.prove(code, target)
            self.note(code, target, *counted)

    def by_claims(self) -> None:
        """Prove as much of the classes' values, as known to the engine, as is missing: short proofs first.

        If the whole value of a class takes too many claims, half of its gain may take few, or a quarter.
        """
        prover = self.prover
        sizes = {code: len(part) for code, part in self.classes.items()}
        none = self.none()
        order = sorted(sizes, key=lambda code: sizes[code] if none else sizes[code] not in _EARLY)
        values: dict[int, int] = {}
        for room, part in product((*(_FEW_NONE if none else _FEW), math.inf), (1,) if none else _PARTS):
            for code in order:
                if self.missing <= 0:
                    return
                bound = self.bound[code]
                if code not in values:
                    least = bound + self.missing
                    values[code] = prover.class_value(prover.start, self.guess, code, prover.limit, least)
                gain = min(values[code] - bound, self.missing)
                target = NONE if none else bound - (-gain // part)
                if self.helps(code, values[code]):
                    with suppress(_Long):
                        self.note(code, target, *self.prove(code, target, room))

    def prove(self, code: int, target: int, room: float = math.inf) -> tuple[bytes, int]:
        """Return a proof of a class as an item has it, and its number of claims."""
        prover = self.prover
        prover.proven, prover.numbers, prover.room = {}, 0, room  # numbers start again for every item
        position = _Position(((self.guess, code),), self.classes[code], self.upper(code), self.left)
        return b"\1" + prover.claim(position, target), prover.numbers

    def upper(self, code: int) -> Integers:
        upper = self.prover.widths.upper[self.home[code]].astype(np.int32)
        return self.prover.board.forbid(upper, self.guess, code)


def _largest_first(board: Board, guess: int, answers: Integers) -> list[tuple[int, Integers]]:
    """Return the classes of a guess that sizes alone don't settle."""
    classes = board.classes(guess, answers)
    classes.pop(board.winning, None)
    return sorted(((c, part) for c, part in classes.items() if len(part) > 2), key=lambda item: -len(item[1]))


def _needed(raised: list[tuple[int, int, Integers, int]], missing: int) -> list[tuple[int, Integers, int]]:
    """Return the necessary ones of classes with gains, (gain, code, answers, value), as (code, answers, value), by
    code. The one that gains least gets the slack."""
    found = []
    for gain, code, part, value in sorted(raised, key=lambda one: -one[0]):
        if missing <= 0:
            break
        found.append((code, part, value - max(0, gain - missing)))
        missing -= gain
    return sorted(found, key=lambda one: one[0])
