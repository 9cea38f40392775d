"""Positions of a game: the guesses made with their feedback, as `salet=BYBBB crony=BYYBB` or as pairs.

The rest of the game after them is a game of its own: the answers that fit, and the guesses that are still legal. That
holds under all rules, as hints only add requirements that each later guess must meet by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import numpy.typing as npt

from optimal.errors import IllegalGuess, ImpossibleFeedback, InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.info import History, describe
from optimal.games.legality import broken_rule, fitting, legal_guesses
from optimal.games.presets import preset_of
from optimal.games.tiers import mistyped
from optimal.games.turns import PositionLike, turns_of
from optimal.games.weights import Weights, check_weights
from optimal.search.engine import is_symmetric
from optimal.show.words import counted


def parse_position(game: Game | str, position: PositionLike) -> History:
    """Return the guesses and feedback codes of a position; its possibility is not checked.

    >>> from optimal import parse_position
    >>> parse_position("classic", "salet=bybbb crony=byybb")
    (('salet', 3), ('crony', 12))

    Parameters
    ----------
    game : a Game, or the name of a preset
    position : text, or pairs of a guess and its feedback, as text in any style or as its code

    Returns
    -------
    tuple of (str, int) : a pair for each turn

    Raises
    ------
    InputError : for text of another form, and for invalid feedback
    """
    return turns_of(check_game(game), position)


def any_answer(game: Game | str) -> Game:
    """Return the word game with every guess as a possible answer: the real game sometimes changes its list.

    >>> from optimal import any_answer
    >>> any_answer("classic").name
    'classic-all'

    Parameters
    ----------
    game : a Game of words, or the name of a preset

    Returns
    -------
    Game : the game, with the same rules and limit

    Raises
    ------
    InputError : for a game other than words
    """
    game = check_game(game)
    if game.guesses == game.answers:
        return game
    if not isinstance(game.feedback, WordFeedback):
        raise InputError(f"{game.name}: only a game of words can take every guess for an answer")
    info = game.info
    known = preset_of(game.feedback, info.guesses_sha256, info.guesses_sha256)
    name = f"{game.name}-all" if known is None else known.name
    rules, limit, spelling = game.rules, game.max_guesses, game.spelling
    return Game.from_words(game.guesses, game.guesses, name=name, rules=rules, max_guesses=limit, spelling=spelling)


def tiered(game: Game, times: int) -> tuple[Game, Weights]:
    """Return the game with every guess as a possible answer, and weights: answers in its list count ``times`` as much
    as other words."""
    likely = set(check_game(game).answers)
    if not game.others:
        raise InputError(f"in {game.name} every guess is an answer, so their weights have no tiers")
    every = any_answer(game)
    weights = tuple(times if word in likely else 1 for word in every.answers)
    note = f"{len(likely)} answers in the list count {times} times as much as {len(game.others)} other words"
    return every, Weights("file", weights, note)


@dataclass(frozen=True, eq=False)
class CheckedPosition:
    """A checked position of a game; ``rest`` is the game left, with the guesses left.

    The guesses of ``rest`` are the legal ones and its answers the candidates, in the order of the game.
    """

    game: Game  # its answers are other words if no answer in the list fits
    history: History
    limit: int | None  # from the start of the game
    candidates: npt.NDArray[np.intp]  # indices of the game's answers
    rest: Game
    listed: bool = True  # whether the candidates are answers in the list
    weights: Weights | None = None  # of the candidates, without a common divisor

    @property
    def weight(self) -> int:
        """The weights of all candidates together."""
        return len(self.rest.answers) if self.weights is None else sum(self.weights.values)

    def weigh(self, fit: npt.NDArray[np.bool_]) -> int:
        """Return the weights of these candidates together."""
        return int(fit.sum() if self.weights is None else np.array(self.weights.values)[fit].sum())


def checked_position(
    game: Game,
    position: PositionLike,
    max_guesses: int | Unset | None = UNSET,
    *,
    others: bool = False,
    weights: Weights | None = None,
) -> CheckedPosition:
    """Check a position and return it; with ``others`` also one that only other words fit, which weigh the same.

    Raises IllegalGuess for a guess outside the list or against the rules, ImpossibleFeedback if no answer fits, with
    the fewest turns that contradict each other, and InputError when no guess is left to make.
    """
    history = parse_position(game, position)
    limit = game.limit(max_guesses)
    check_guesses(game, history)
    likely, game = game, tier_of(game, history) if others else game
    candidates = candidates_of(game, history)
    for number, (guess, code) in enumerate(history, 1):
        if code == game.winning_code:
            raise InputError(f"turn {number}, {describe(game, ((guess, code),))}, found the answer: the game is over")
    if limit is not None and len(history) >= limit:
        raise InputError(f"no guess is left: {len(history)} are made, and the limit is {limit}")
    left = None if limit is None else limit - len(history)
    rest = _rest(game, history, candidates, left)
    listed = game is likely
    left_weights = _weights_left(check_weights(likely, weights), candidates) if listed else None
    return CheckedPosition(game, history, limit, candidates, rest, listed, left_weights)


def tier_of(game: Game, history: History) -> Game:
    """Return the game itself if an answer in its list fits these turns; else that of the other words that do.

    Raises ImpossibleFeedback if no word fits.
    """
    if history and not game.fits(history).all(axis=0).any() and (words := others_of(game, history)):
        return game.over_others(words)
    candidates_of(game, history)  # raises if none fits
    return game


def others_of(game: Game, history: History) -> tuple[str, ...]:
    """Return the other words that fit these turns."""
    words, feedback = game.others, game.feedback
    if feedback is None or not words or not history:
        return words
    return tuple(compress(words, fitting(feedback, history, words)))


def check_guesses(game: Game, history: History) -> None:
    """Raise IllegalGuess for a guess outside the list or against the rules."""
    for turn, (guess, code) in enumerate(history):
        try:
            game.guess_index(guess)
        except InputError as error:
            raise IllegalGuess(f"turn {turn + 1}: {error}") from None
        if game.feedback is not None:
            game.feedback.format(code)  # raises InputError for a code out of range
        if broken := broken_rule(game, history[:turn], guess):
            raise IllegalGuess(f"turn {turn + 1} is illegal under {game.rules} rules: {broken}")


def candidates_of(game: Game, history: History) -> npt.NDArray[np.intp]:
    """Return the indices of the answers that fit. Raises ImpossibleFeedback if there is none."""
    if not history:
        return np.arange(len(game.answers))
    candidates = np.flatnonzero(game.fits(history).all(axis=0))
    if not len(candidates):
        raise ImpossibleFeedback(_contradiction(game, history))
    return candidates


def _weights_left(weights: Weights | None, candidates: npt.NDArray[np.intp]) -> Weights | None:
    """Return the weights of the candidates, by their greatest common divisor; None for equal ones."""
    if weights is None:
        return None
    left = [weights.values[answer] for answer in candidates.tolist()]
    if len(set(left)) == 1:
        return None
    divisor = math.gcd(*left)
    return replace(weights, values=tuple(weight // divisor for weight in left))


def _rest(game: Game, history: History, candidates: npt.NDArray[np.intp], left: int | None) -> Game:
    if not history:
        return replace(game, max_guesses=left)
    legal = legal_guesses(game, history)
    matrix = game.matrix[np.ix_(legal, candidates)]
    matrix.flags.writeable = False
    return replace(
        game,
        guesses=tuple(game.guesses[guess] for guess in legal.tolist()),
        answers=tuple(game.answers[answer] for answer in candidates.tolist()),
        # The codes left of a peg game lack the symmetry of all codes.
        feedback=None if is_symmetric(game) else game.feedback,
        matrix=matrix,
        answer_guess=np.searchsorted(legal, game.answer_guess[candidates]).astype(np.int32),
        max_guesses=left,
    )


def _contradiction(game: Game, history: History) -> str:
    """Return a line with the fewest turns that no answer fits together, and the one that may be mistyped.

    If no other word fits either, they are turns that no word at all fits.
    """
    fit = len(others_of(game, history))
    every = not fit and bool(game.others)
    misfits = ~game.fits(history)
    if every and game.feedback is not None:
        score = game.feedback.score
        others = [[score(guess, word) != code for word in game.others] for guess, code in history]
        misfits = np.hstack([misfits, np.array(others)])
    what = "word" if every else f"answer of {game.name}"
    cover = _fewest_cover(misfits)
    named = [f"turn {turn + 1} ({describe(game, history[turn : turn + 1])})" for turn in cover]
    if len(named) == 1:
        line = f"no {what} fits {named[0]}"
    else:
        them = "both" if len(named) == 2 else "them all"
        line = f"{', '.join(named[:-1])} and {named[-1]} contradict each other: no {what} fits {them}"
    if fit:
        fits = f"{counted(fit, 'guess', 'guesses')} outside the answers fit{'s' * (fit == 1)}"
        return f"{line}; {fits}, if all guesses are candidates (--candidates guesses)"
    if game.feedback is None:
        return line
    return line + mistyped(game.feedback, game.rules, history, cover[0], game.answers, game.others)


def _fewest_cover(misfits: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """Return the fewest rows that together have a True in every column; the first such rows in list order."""

    def cover(left: npt.NDArray[np.bool_], size: int) -> tuple[int, ...] | None:
        if not left.shape[1]:
            return ()
        if not size:
            return None
        # One of the rows with a True in the hardest column must be taken: trying all sets of rows would take days where
        # each of many turns excludes few answers.
        rows = np.flatnonzero(left[:, left.sum(axis=0).argmin()]).tolist()
        rest = ((row, cover(left[:, ~left[row]], size - 1)) for row in rows)
        return min((tuple(sorted((row, *others))) for row, others in rest if others is not None), default=None)

    columns = np.unique(misfits, axis=1)
    covers = (cover(columns, size) for size in range(1, len(misfits) + 1))
    return next(rows for rows in covers if rows is not None)
