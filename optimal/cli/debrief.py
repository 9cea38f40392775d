"""`optimal debrief`: skill and luck of every guess of a finished game."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable

from optimal.advice.analysis import fit_too
from optimal.advice.debrief import SCORE, debrief, grid_codes
from optimal.advice.position import candidates_of, check_guesses, others_of, tier_of
from optimal.cli.console import exit_status, remark
from optimal.cli.options import PLAYED_GAME, time_left
from optimal.cli.output import print_result
from optimal.cli.problems import check_first_word, game_of, guesses_in, take_game, weighed
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.tiers import counted_words
from optimal.games.turns import with_signs
from optimal.labels import EQUALS, unquoted
from optimal.show.words import counted, listed, quoted

STDIN = "-"
#: Seconds for a game with weights or another limit: no table has its first guesses, and a search takes minutes.
SEARCHED = 20


def run(arguments: Namespace) -> int:
    grid = None if arguments.grid is None else _grid(arguments.grid)
    scores = [*SCORE.finditer(grid or "")]
    score = scores[-1] if scores else None  # a date may stand before it
    words = take_game(arguments, arguments.words)
    if arguments.matrix is None:  # whose labels may have commas in them
        words = guesses_in(words)
    if not words:
        raise InputError("no guess is named: give all guesses in their order, the answer last")
    _check_words(words if arguments.matrix is None else [])
    if arguments.rules is None:
        hard = score is not None and score[3] == "*"
        arguments.rules = Rules.HARD if hard else Rules.NORMAL
    with Reporter(plain=not arguments.json, valued=True) as reporter:
        game, weights = weighed(game_of(arguments, PLAYED_GAME), arguments, reporter.line)
        no_table = weights is not None or arguments.used is not None or "max_guesses" in arguments
        if arguments.time_limit is None and no_table:
            arguments.time_limit = SEARCHED
        check_first_word(words, game)
        _check_words([with_signs(game, word) for word in words if game.feedback is not None])
        words = [game.written(unquoted(word)) for word in words]
        named = None if arguments.answer is None else game.written(unquoted(arguments.answer))
        answer, guesses = (named, words) if named is not None else _split(game, words, grid, reporter.line)
        if grid is not None and score is not None and score[2] == str(game.max_guesses):
            _compare(score[1], grid_codes(game, grid, words), game, reporter.line)
        if arguments.answers is not None and answer in game.others:  # told at once: no table has totals of such a game
            reporter.line(f"{answer} is not in {quoted(arguments.answers)}")
        elif arguments.used is not None and weights is None and answer in game.others:
            reporter.line(f"{answer} is no answer by {quoted(arguments.used)} and --used-weight 0, or in no list")
        found = debrief(
            game,
            answer,
            guesses,
            grid=grid,
            jobs=arguments.jobs,
            table=not arguments.no_table,
            time_limit=time_left(arguments),
            progress=reporter,
            weights=weights,
        )
    if named is None and guesses == words[1:]:
        taken = f"{answer} is taken for the answer, and {' '.join(guesses)} for the guesses"
        remark(f"optimal debrief: {taken}; they go in playing order, the answer last")
    print_result(arguments, found.to_dict(), str(found), found.to_csv)
    return exit_status(found.status, found.stop_reason)


def _check_words(words: list[str]) -> None:
    """InputError for a turn, where a guess is wanted."""
    if turn := next((word for word in words if EQUALS in word), None):
        raise InputError(f"{quoted(turn)}: name the guesses alone, the answer last; --grid FILE has the colours")


def _compare(score: str, rows: list[int], game: Game, tell: Callable[[str], None]) -> None:
    """Tell of a grid that has not the rows that its heading counts."""
    solved = rows[-1] == game.winning_code
    if solved != score.isdecimal() or len(rows) != (int(score) if solved else game.max_guesses):
        end = "" if solved else " and no solution"
        tell(f"the grid has {counted(len(rows), 'row')}{end}, but its heading counts {score}: is it whole?")


def _split(game: Game, words: list[str], grid: str | None, tell: Callable[[str], None]) -> tuple[str | None, list[str]]:
    """The answer, None where the grid alone knows it, and the guesses.

    The answer stands last. Once it stood first, as `debrief ANSWER GUESS...`, which is taken up where it is the last
    guess too, and none before.
    """
    first, last = (words[0], words[1:]), (words[-1], words)
    if grid is None:
        return first if words[1:].count(words[0]) == 1 and words[0] == words[-1] in game.guesses else last
    rows = grid_codes(game, grid, words)
    won = rows[-1] == game.winning_code
    if len(rows) == len(words) + 1 and won:
        found = _found(game, words, rows[:-1], tell)
        return found, [*words, found]
    if len(rows) == len(words) - 1:
        # The answer of an unsolved game, or of one whose solving guess is named twice, first or last.
        return (
            first if _fits(game, *first, rows) and not _fits(game, last[0], words[:-1], rows) else (last[0], words[:-1])
        )
    return (words[-1] if won or len(rows) != len(words) else None), words


def _found(game: Game, guesses: list[str], rows: list[int], tell: Callable[[str], None]) -> str:
    """The answer of a grid whose last guess is not named: the one word that fits. InputError where several do."""
    history = tuple(zip(guesses, rows, strict=True))
    check_guesses(game, history)
    tier = tier_of(game, history)
    fit: list[str] = [tier.answers[answer] for answer in candidates_of(tier, history)]
    if len(fit) > 1:
        count = counted_words(game.feedback, len(fit))
        raise InputError(f"the grid has a row for a guess that is not named, and {count} fit: {listed(fit)}")
    if others := others_of(tier, history):
        tell(f"{fit[0]} is taken for the last guess, as the one answer in the list that fits; {fit_too(len(others))}")
    return fit[0]


def _fits(game: Game, answer: str, guesses: list[str], rows: list[int]) -> bool:
    """Whether this answer brings the guesses these rows of feedback."""
    if game.feedback is None or any(word not in game.guesses for word in (answer, *guesses)):
        return False
    return [game.feedback.score(guess, answer) for guess in guesses] == rows


def _grid(source: str) -> str:
    """The share grid: the text itself, or that of a file or of standard input."""
    if "\n" in source or not (source.isascii() or os.path.exists(source)):
        return source
    if source != STDIN:
        return read_text(source, "grid")
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        raise InputError(f"{source}: not UTF-8; save the grid as UTF-8") from None
