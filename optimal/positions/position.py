"""A position of a game: the guesses made with their feedback, as `salet=BYBBB crony=BYYBB` or as pairs.

What is left of the game after it is a game of its own: the answers that fit, and the guesses that are still legal.
That holds under every rule, because hints only ever add demands that each later guess must meet by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from optimal.errors import IllegalGuess, ImpossibleFeedback, InputError
from optimal.games.arguments import check_code, iterates, shown
from optimal.games.feedback import WordFeedback, quoted
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.info import History, describe
from optimal.games.labels import pieces_of
from optimal.games.legality import broken_rule, fitting, legal_guesses
from optimal.games.presets import preset_of
from optimal.search.engine import is_symmetric
from optimal.search.question import Question
from optimal.search.ranking import Race
from optimal.search.run import Run
from optimal.search.symmetry import representatives
from optimal.show.words import counted

#: A position as the caller may write it: text, or pairs of a guess and its feedback (text or code).
PositionLike = str | Sequence[tuple[str, str | int]]


def parse_position(game: Game, position: PositionLike) -> History:
    """The guesses and feedback codes of a position such as "salet=bybbb crony=byybb".

    Raises InputError for text of another form and for feedback that is none; the position itself is not checked.
    """
    check_game(game)
    if not iterates(position):
        raise InputError(
            f"a position is text, such as 'salet=bybbb', or pairs of a guess and its feedback, not {shown(position)}"
        )
    turns = _written_turns(game, position) if isinstance(position, str) else position
    history = []
    for number, turn in enumerate(turns, 1):
        if not (isinstance(turn, tuple | list) and len(turn) == 2 and isinstance(turn[0], str)):
            raise InputError(f"turn {number}, {shown(turn)}, is no pair of a guess and its feedback")
        guess, feedback = turn
        if isinstance(feedback, str):
            try:
                code = game.parse(feedback)
            except InputError as error:
                raise InputError(f"turn {number}, {quoted(guess)}: {error}") from None
        else:
            code = check_code(feedback, f"turn {number}, {quoted(guess)}")
        history.append((game.written(guess), code))
    return tuple(history)


def _written_turns(game: Game, text: str) -> list[tuple[str, str]]:
    pieces = pieces_of(text)
    words = [word for word, sign in pieces if not sign]
    spelled_apart = game.feedback is not None and min(map(len, words), default=1) == 1  # such as "b y b y b"
    if len(words) == len(pieces) and len(words) % 2 == 0 and not spelled_apart:
        return list(zip(words[::2], words[1::2], strict=True))  # "salet bybbb crony byybb"
    turns: list[tuple[str, str]] = []
    left = pieces[::-1]
    while left:
        word, sign = left.pop()
        if not sign and [sign for _, sign in left[:-3:-1]] == [True, False]:
            left.pop()
            turns.append((word, left.pop()[0]))
        elif turns and not sign and (len(word) == 1 or not isinstance(game.feedback, WordFeedback)):
            # Feedback may be written "b y b y b", that of a peg game "2 1".
            turns[-1] = (turns[-1][0], f"{turns[-1][1]} {word}")
        else:
            word += left[-1][0] if sign and left else ""
            right = "write GUESS=FEEDBACK, such as salet=BYBBB"
            if game.feedback is None:
                right = 'write GUESS=FEEDBACK, and labels with blanks or = in quotation marks: "a b"=c'
            raise InputError(f"{quoted(word)} is no turn of a position: {right}")
    return turns


def any_answer(game: Game) -> Game:
    """The same word game with every guess as a possible answer: the real game now and then changes its list."""
    if check_game(game).guesses == game.answers:
        return game
    if not isinstance(game.feedback, WordFeedback):
        raise InputError(f"{game.name}: only a game of words can take every guess for an answer")
    info = game.info
    known = preset_of(game.feedback, info.guesses_sha256, info.guesses_sha256)
    name = f"{game.name}-all" if known is None else known.name
    return Game.from_words(game.guesses, game.guesses, name=name, rules=game.rules, max_guesses=game.max_guesses)


@dataclass(frozen=True, eq=False)
class CheckedPosition:
    """A position of a game, checked: ``rest`` is the game that is left of it, with the guesses that are left.

    The guesses of ``rest`` are the legal ones and its answers the candidates, in the order of the game.
    """

    game: Game
    history: History
    limit: int | None  # from the start of the game
    candidates: npt.NDArray[np.intp]  # indices of the game's answers
    rest: Game

    def race(self, question: Question, run: Run, guesses: Sequence[int] | None = None) -> Race:
        """A race over the legal guesses, or over those named."""
        game, rest = self.game, self.rest
        # A whole game has its symmetries without our help.
        ours = is_symmetric(game) and self.history
        like = representatives([guess for guess, _ in self.history], rest.guesses) if ours else None
        return Race(question, run, range(len(rest.guesses)) if guesses is None else guesses, like)


def checked_position(game: Game, position: PositionLike, max_guesses: int | Unset | None = UNSET) -> CheckedPosition:
    """Check a position and take it up.

    Raises IllegalGuess for a guess outside the list or against the rules, ImpossibleFeedback where no answer fits,
    with the fewest turns that contradict each other, and InputError when no guess is left to make.
    """
    history = parse_position(game, position)
    limit = game.limit(max_guesses)
    check_guesses(game, history)
    candidates = candidates_of(game, history)
    for number, (guess, code) in enumerate(history, 1):
        if code == game.winning_code:
            raise InputError(f"turn {number}, {describe(game, ((guess, code),))}, found the answer: the game is over")
    if limit is not None and len(history) >= limit:
        raise InputError(f"no guess is left: {len(history)} are made, and the limit is {limit}")
    left = None if limit is None else limit - len(history)
    return CheckedPosition(game, history, limit, candidates, _rest(game, history, candidates, left))


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
    rows = np.array([game.guess_index(guess) for guess, _ in history])
    fits = game.matrix[rows] == np.array([[code] for _, code in history])
    candidates = np.flatnonzero(fits.all(axis=0))
    if not len(candidates):
        raise ImpossibleFeedback(_contradiction(game, history, ~fits))
    return candidates


def _rest(game: Game, history: History, candidates: npt.NDArray[np.intp], left: int | None) -> Game:
    if not history:
        return replace(game, max_guesses=left)
    legal = legal_guesses(game, history)
    number = {int(guess): i for i, guess in enumerate(legal)}
    matrix = np.ascontiguousarray(game.matrix[np.ix_(legal, candidates)])
    matrix.flags.writeable = False
    return replace(
        game,
        guesses=tuple(game.guesses[guess] for guess in legal),
        answers=tuple(game.answers[answer] for answer in candidates),
        # The codes left of a peg game have lost the symmetry that all of them have.
        feedback=None if is_symmetric(game) else game.feedback,
        matrix=matrix,
        answer_guess=np.array([number[int(guess)] for guess in game.answer_guess[candidates]], dtype=np.int32),
        max_guesses=left,
    )


def _contradiction(game: Game, history: History, misfits: npt.NDArray[np.bool_]) -> str:
    """One line that names the fewest turns that no answer fits together."""
    named = [f"turn {turn + 1} ({describe(game, history[turn : turn + 1])})" for turn in _fewest_cover(misfits)]
    if len(named) == 1:
        line = f"no answer of {game.name} fits {named[0]}"
    else:
        them = "both" if len(named) == 2 else "them all"
        line = f"{', '.join(named[:-1])} and {named[-1]} contradict each other: no answer of {game.name} fits {them}"
    fit = 0
    if isinstance(game.feedback, WordFeedback):
        fit = int(fitting(game.feedback, history, game.guesses).sum())
    if fit:
        fits = f"{counted(fit, 'guess', 'guesses')} outside the answers fit{'s' * (fit == 1)}"
        line += f"; {fits}, if all guesses are candidates (--candidates guesses)"
    return line


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
