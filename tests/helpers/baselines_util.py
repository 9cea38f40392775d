"""Recomputes the figures in baselines.json, for the test and for the script that prints them all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from games_util import naive_word_score

from optimal.baselines.arena import Played, play
from optimal.baselines.frequency import PositionalFrequency
from optimal.baselines.information import Greedy, LetterEntropy, measure
from optimal.baselines.openings import (
    OpeningReport,
    first_disjoint,
    opening_report,
    rank_openers,
    search_openings,
    second_guess_wins,
    shuffled_openings,
)
from optimal.baselines.position import Position, board_position
from optimal.baselines.regions import Regions, region_table
from optimal.baselines.registry import strategy
from optimal.baselines.strategy import Baseline, Reasons, Strategy, explain, prior_of
from optimal.baselines.view import Prior, Scoring
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game

FILE = Path(__file__).parents[1] / "advice" / "baselines.json"

Figure = dict[str, Any]


def advise(made: Game, chosen: Strategy | str, history: Any = (), top: int = 10) -> Reasons:
    """What a strategy says after these guesses and feedback codes."""
    chosen = strategy(chosen, made) if isinstance(chosen, str) else chosen
    return explain(chosen, Position.at(made, history, prior=prior_of(chosen)), top)


def figures() -> list[Figure]:
    """Every figure: system, what, kind and arguments of the computation, value, and where the value is from; some take
    long."""
    found: list[Figure] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def reproduce(figure: Figure) -> Any:
    """The figure's value, computed anew."""
    return _KINDS[figure["kind"]](**figure["args"])


@cache
def game(name: str) -> Game:
    return Game.preset(name)


def _strategy(name: str) -> Strategy:
    if name == "regions alphabetical":
        return Regions(order="alphabetical")
    if name == "letters with repeats":
        return LetterEntropy(repeats=True)
    return strategy(name)


@cache
def _played(name: str, on: str, scoring: str) -> Played:
    return play(game(on), _strategy(name), scoring=Scoring(scoring))


@cache
def _start(on: str, prior: str) -> Position:
    return Position.start(game(on), prior=prior)


def _after(name: str, on: str, history: list[list[str]]) -> Position:
    """The position after guesses whose feedback, by the naive rule, is that of the answer that stands beside it."""
    turns = [(guess, naive_word_score(guess, answer)) for guess, answer in history]
    return Position.at(game(on), turns, Scoring.NAIVE, prior_of(_strategy(name)))


def _ranking(name: str, on: str, top: int, digits: int) -> list[list[Any]]:
    made = _strategy(name)
    position = Position.start(game(on), prior=prior_of(made))
    assert isinstance(made, Baseline)
    return [[row[0], _rounded(row[1], digits)] for row in made.rankings(position, top)[0].rows]


def _rounded(value: Any, digits: int) -> Any:
    return round(value, digits) if isinstance(value, float) else value


def _board(on: str, board: str, good: str, past: list[str], top: int) -> list[Any]:
    position = board_position(game(on), board, good, past)
    ranking = explain(strategy("odds"), position, top).rankings[0]
    return [len(position.candidates), [[row[0], round(float(row[1]), 3)] for row in ranking.rows]]


def _best(on: str, objective: str) -> list[Any]:
    row = Greedy(objective, Prior.GUESSES).rankings(_start(on, "guesses"), 1)[0].rows[0]
    return [row[0], _rounded(row[1], 2)]


def _same_bits(on: str, candidates: list[str], guesses: list[str]) -> bool:
    small = Game.from_words(sorted({*candidates, *guesses}), candidates)
    bits = measure(Position.start(small), "entropy")
    return len({round(float(bits[small.guess_index(guess)]), 9) for guess in guesses}) == 1


def _wins(on: str, by: str, worst: bool, top: int) -> list[list[Any]]:
    rows = rank_openers(_second(on), by, worst=worst, top=top).to_dict()["guesses"]
    return [[row["guess"], _rounded(row[by], 9)] for row in rows]


@cache
def _second(on: str) -> Any:
    return second_guess_wins(game(on))


def _feedback(guess: str, answers: list[str]) -> list[str]:
    rule = WordFeedback(5)
    return [rule.format(rule.score(guess, answer)).replace("B", ".") for answer in answers]


@cache
def _opening(on: str, openers: str) -> OpeningReport:
    return opening_report(game(on), openers.split())


def _regions(on: str, word: str) -> list[Any]:
    table = region_table(word, _start(on, "answers"))
    return [table.nonzero, table.largest[1]]


def _letter_order(on: str, top: int) -> str:
    counts = _letter_counts(on)
    return "".join(sorted(counts, key=lambda letter: (-counts[letter], letter))[:top])


def _letter_counts(on: str) -> Counter[str]:
    """How many answers contain each letter."""
    return Counter(letter for word in game(on).answers for letter in set(word))


_KINDS: dict[str, Callable[..., Any]] = {
    "best": _best,
    "board": _board,
    "candidates": lambda name, on, history: " ".join(_after(name, on, history).candidates),
    "distribution": lambda **of: {str(k): n for k, n in _played(**of).distribution.items()},
    "failures": lambda **of: [" ".join(_played(**of).paths[answer]) for answer in _played(**of).failures],
    "feedback": _feedback,
    "first_fit": lambda on: " ".join(first_disjoint(game(on).answers) or ()),
    "letter_order": _letter_order,
    "mean": lambda **of: float(_played(**of).mean),
    "next": lambda name, on, history: _strategy(name).next_guess(_after(name, on, history)),
    "opening": lambda **of: [_opening(**of).winner, {str(k): n for k, n in _opening(**of).class_sizes.items()}],
    "opening_games": lambda **of: [_opening(**of).total, round(float(_opening(**of).mean), 10), _opening(**of).worst],
    "opening_share": lambda **of: (_opening(**of).expected or 0) > 0.99 * _opening(**of).answers,
    "path": lambda name, on, answer: " ".join(_played(name=name, on=on, scoring="naive").paths[answer]),
    "positional": lambda on, top: [
        list(row[:2]) for row in PositionalFrequency().rankings(_start(on, "guesses"), top)[0].rows
    ],
    "ranking": _ranking,
    "region": lambda on, word, letters: region_table(word, _start(on, "answers")).sizes[letters],
    "regions": _regions,
    "same_bits": _same_bits,
    "search": lambda on: [" ".join(report.openers) for report in search_openings(game(on))],
    "shuffled": lambda on, count: [" ".join(words) for words in shuffled_openings(game(on).answers, tries=count)],
    "total": lambda **of: _played(**of).total,
    "wins": _wins,
    "worst": lambda **of: [_played(**of).worst, _played(**of).distribution[_played(**of).worst]],
}
