"""Random positions of small games, and what the textbook says of them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cache

from textbook import Key, Labels, Textbook, follows

from optimal.games.game import Game
from optimal.games.info import History
from optimal.games.weights import Weights

Turns = list[tuple[int, int]]  # guesses and feedback codes, by number


def random_turns(rng: random.Random, game: Game, count: int) -> Turns:
    """Some legal guesses at random for an answer at random; they stop short of the answer."""
    answer = rng.randrange(len(game.answers))
    turns: Turns = []
    for _ in range(count):
        legal = [
            guess
            for guess in range(len(game.guesses))
            if follows(game, turns, guess) and game.matrix[guess, answer] != game.winning_code
        ]
        if not legal:
            break
        guess = rng.choice(legal)
        turns.append((guess, int(game.matrix[guess, answer])))
    return turns


def named(game: Game, turns: Sequence[tuple[int, int]]) -> History:
    return tuple((game.guesses[guess], code) for guess, code in turns)


def candidates_after(game: Game, turns: Turns) -> Labels:
    fits = range(len(game.answers))
    return tuple(answer for answer in fits if all(game.matrix[guess, answer] == code for guess, code in turns))


def legal_after(game: Game, turns: Turns) -> Labels:
    return tuple(guess for guess in range(len(game.guesses)) if follows(game, turns, guess))


def keys_at(textbook: Textbook, turns: Turns, limit: int | None) -> dict[int, Key | None]:
    """The key of every legal guess at a position with `limit` guesses left; None where it has no tree."""
    tried = {guess: textbook.tried(turns, guess, limit) for guess in textbook.members(textbook.legal(turns))}
    return {guess: None if found is None else found[0] for guess, found in tried.items()}


def chances_at(game: Game, turns: Turns, left: int, weights: Sequence[int] | None = None) -> dict[int, tuple[int, int]]:
    """For every legal guess at a position, the fewest candidates missed within so many guesses, by weight, and the
    least total then over those found: from the definition, for small games."""

    def weight_of(answers: Labels) -> int:
        return len(answers) if weights is None else sum(weights[answer] for answer in answers)

    @cache
    def legal(guesses: Labels, guess: int, code: int) -> Labels:
        return tuple(other for other in guesses if follows(game, [(guess, code)], other))

    @cache
    def best(candidates: Labels, guesses: Labels, left: int) -> tuple[int, int]:
        if not left:
            return weight_of(candidates), 0
        return min(tried(guess, candidates, guesses, left) for guess in guesses)

    def tried(guess: int, candidates: Labels, guesses: Labels, left: int) -> tuple[int, int]:
        missed, total = 0, 0
        scores = [int(game.matrix[guess, answer]) for answer in candidates]
        for code in set(scores):
            group = tuple(answer for answer, score in zip(candidates, scores, strict=True) if score == code)
            lost, more = (0, 0) if code == game.winning_code else best(group, legal(guesses, guess, code), left - 1)
            missed += lost
            total += more + weight_of(group) - lost
        return missed, total

    candidates, guesses = candidates_after(game, turns), legal_after(game, turns)
    return {guess: tried(guess, candidates, guesses, left) for guess in guesses}


def random_weights(rng: random.Random, game: Game, least: int = 0) -> Weights | None:
    """Weights of two tiers, or all kinds, or none."""
    kinds = rng.choice(((1,), (1, 10), (least, 2, 4, 7)))
    values = tuple(rng.choice(kinds) for _ in game.answers)
    return Weights("file", values) if len(set(values)) > 1 else None


def shares_of(textbook: Textbook, candidates: Labels) -> tuple[dict[int, int], int]:
    """The weights of candidates without a common divisor, and that; equal ones are 1."""
    left = [textbook.weights[answer] for answer in candidates]
    divisor = math.gcd(*left)
    return {answer: weight // divisor for answer, weight in zip(candidates, left, strict=True)}, divisor
