"""A position of a game: the guesses made with their feedback, as `salet=BYBBB crony=BYYBB` or as pairs.

What is left of the game after it is a game of its own: the answers that fit, and the guesses that are still legal.
That holds under every rule, because hints only ever add demands that each later guess must meet by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from optimal.games.weights import Weights
from optimal.search.engine import is_symmetric
from optimal.search.game_run import GameRun
from optimal.search.root_search import RootSearch
from optimal.search.symmetry import representatives
from optimal.show.words import counted


def parse_position(game: Game | str, position: PositionLike) -> History:
    """The guesses and feedback codes of a position; whether it can be is not checked.

    >>> from optimal import parse_position
    >>> parse_position("classic", "salet=bybbb crony=byybb")
    (('salet', 3), ('crony', 12))

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    position : str or sequence of (guess, feedback)
        Feedback as text in any style, or as its code.

    Returns
    -------
    tuple of (str, int)
        A pair for each turn.

    Raises
    ------
    InputError
        For text of another form, and for feedback that is none.
    """
    return turns_of(check_game(game), position)


def any_answer(game: Game | str) -> Game:
    """The same word game with every guess as a possible answer: the real game now and then changes its list.

    >>> from optimal import any_answer
    >>> any_answer("classic").name
    'classic-all'

    Parameters
    ----------
    game : Game or str
        A game of words, or the name of a preset.

    Returns
    -------
    Game
        With the same rules and limit.

    Raises
    ------
    InputError
        For a game that is not one of words.
    """
    game = check_game(game)
    if game.guesses == game.answers:
        return game
    if not isinstance(game.feedback, WordFeedback):
        raise InputError(f"{game.name}: only a game of words can take every guess for an answer")
    info = game.info
    known = preset_of(game.feedback, info.guesses_sha256, info.guesses_sha256)
    name = f"{game.name}-all" if known is None else known.name
    return Game.from_words(game.guesses, game.guesses, name=name, rules=game.rules, max_guesses=game.max_guesses)


def tiered(game: Game, times: int) -> tuple[Game, Weights]:
    """The same game with every guess as a possible answer, and weights: the answers in its list count so many times as
    much as the other words."""
    likely = set(check_game(game).answers)
    if not game.others:
        raise InputError(f"{game.name} has no other words than its answers, so their weights have no tiers")
    every = any_answer(game)
    weights = tuple(times if word in likely else 1 for word in every.answers)
    note = f"{len(likely)} answers in the list count {times} times as much as {len(game.others)} other words"
    return every, Weights("file", weights, note)


@dataclass(frozen=True, eq=False)
class CheckedPosition:
    """A position of a game, checked: ``rest`` is the game that is left of it, with the guesses that are left.

    The guesses of ``rest`` are the legal ones and its answers the candidates, in the order of the game.
    """

    game: Game  # its answers are other words, where no answer in the list fits
    history: History
    limit: int | None  # from the start of the game
    candidates: npt.NDArray[np.intp]  # indices of the game's answers
    rest: Game
    listed: bool = True  # whether the candidates are of the list of answers

    def root_search(self, run: GameRun, guesses: Sequence[int] | None = None) -> RootSearch:
        """A search over the legal guesses, or over those named."""
        game, rest = self.game, self.rest
        # A whole game has its symmetries without our help.
        ours = is_symmetric(game) and self.history
        like = representatives([guess for guess, _ in self.history], rest.guesses) if ours else None
        return RootSearch(run, range(len(rest.guesses)) if guesses is None else guesses, like)


def checked_position(
    game: Game, position: PositionLike, max_guesses: int | Unset | None = UNSET, *, others: bool = False
) -> CheckedPosition:
    """Check a position and take it up; with ``others`` also one that other words alone fit.

    Raises IllegalGuess for a guess outside the list or against the rules, ImpossibleFeedback where no answer fits,
    with the fewest turns that contradict each other, and InputError when no guess is left to make.
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
    return CheckedPosition(game, history, limit, candidates, rest, game is likely)


def tier_of(game: Game, history: History) -> Game:
    """The game itself, where an answer in its list fits these turns; else that of the other words that do.

    Raises ImpossibleFeedback where no word fits.
    """
    if history and not game.fits(history).all(axis=0).any() and (words := others_of(game, history)):
        return game.over_others(words)
    candidates_of(game, history)  # complains
    return game


def others_of(game: Game, history: History) -> tuple[str, ...]:
    """The other words that fit these turns."""
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
    """The indices of the answers that fit; ImpossibleFeedback if there is none."""
    if not history:
        return np.arange(len(game.answers))
    candidates = np.flatnonzero(game.fits(history).all(axis=0))
    if not len(candidates):
        raise ImpossibleFeedback(_contradiction(game, history))
    return candidates


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
        # The codes left of a peg game have lost the symmetry that all of them have.
        feedback=None if is_symmetric(game) else game.feedback,
        matrix=matrix,
        answer_guess=np.searchsorted(legal, game.answer_guess[candidates]).astype(np.int32),
        max_guesses=left,
    )


def _contradiction(game: Game, history: History) -> str:
    """One line that names the fewest turns that no answer fits together, and the one that may be mistyped.

    Where no other word fits either, they are turns that no word at all fits.
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
    return line if game.feedback is None else line + mistyped(game.feedback, history, game.answers, game.others)


def _fewest_cover(misfits: npt.NDArray[np.bool_]) -> list[int]:
    """The fewest rows of which every column has a True in one at least; the first such rows in list order."""
    columns = np.unique(misfits, axis=1)

    def cover(left: npt.NDArray[np.bool_], size: int) -> list[int] | None:
        if not left.shape[1]:
            return []
        if not size:
            return None
        # One of the rows that cover the hardest column must be taken.
        hardest = int(left.sum(axis=0).argmin())
        found = []
        for row in np.flatnonzero(left[:, hardest]):
            rows = cover(left[:, ~left[row]], size - 1)
            if rows is not None:
                found.append(sorted([int(row), *rows]))
        return min(found, default=None)

    for size in range(1, len(misfits) + 1):
        rows = cover(columns, size)
        if rows is not None:
            return rows
    raise AssertionError("every column has a True somewhere")
