"""Debrief: every guess of a finished game, valued against exact best play."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from optimal.advice.position import check_guesses, checked_position, tier_of
from optimal.advice.review import ODD, TOO_MANY, WEIGHTLESS, Debrief, Turn
from optimal.advice.valuation import Valuation
from optimal.checks import check_jobs, check_progress, check_seconds, check_texts, check_truth, formerly
from optimal.errors import InputError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.info import History
from optimal.games.weights import Weights
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.progress import Progress
from optimal.search.result import Status
from optimal.search.stopping import stopping
from optimal.show.words import counted, quoted, shown

#: Positions with more candidates are not valued, as that would take days: they are starts of games whose every guess
#: may be the answer.
MOST_CANDIDATES = 6000
#: Positions with at most this many candidates are settled at once.
AT_ONCE = 100

_SQUARES = set("⬛⬜🟨🟩🟦🟧")
#: In the heading of a share grid: guesses, limit and a star for hard rules, as in 4/6 or X/6*.
SCORE = re.compile(r"\b([0-9X])/([0-9]+) ?(\*(?!\*))?", re.IGNORECASE)


@formerly(limit="max_guesses")
def debrief(
    game: Game | str,
    answer: str | None,
    guesses: Sequence[str],
    *,
    grid: str | None = None,
    limit: int | Unset | None = UNSET,
    jobs: int = 1,
    table: bool = True,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    weights: Weights | None = None,
) -> Debrief:
    """Return the skill and luck of every guess of a game, against exact best play.

    The answer may be any word that may be guessed: once no answer in the list fits, the turns are valued over the other
    words.

    >>> from optimal import debrief
    >>> turns = debrief("classic", "crane", ["salet", "beard", "crate", "crane"])
    >>> [(turn.guess, float(turn.skill_loss)) for turn in turns]
    [('salet', 0.0), ('beard', 0.0), ('crate', 0.75), ('crane', 0.0)]

    Parameters
    ----------
    game : a Game, or the name of a preset
    answer : the answer; None if ``grid`` has the feedback
    guesses : the guesses in playing order, with the answer if it was found
    grid : a pasted share grid, with a row for each guess
    limit : of guesses, if not the game's own; None for none
    jobs : number of parallel searches
    table : whether the shipped totals may answer at the start of a shipped game
    time_limit : seconds; then, or on Ctrl-C or SIGTERM, the result so far is returned
    progress : called with a `Progress`
    weights : how much each answer counts, see `weights_of` and `with_used`

    Returns
    -------
    Debrief : a list of `Turn` that prints as `optimal debrief` does

    Raises
    ------
    InputError : for words outside the lists, guesses that the rules forbid, guesses after the answer, a grid that does
        not fit, weights of another game
    """
    game = check_game(game)
    jobs, most = check_jobs(jobs), game.limit(limit)
    time_limit, table = check_seconds(time_limit), check_truth(table, "table")
    check_progress(progress)
    answer = game.written(answer) if isinstance(answer, str) else answer
    history = _history(game, answer, check_texts(guesses, "guesses", "salet"), grid)
    solved = history[-1][1] == game.winning_code
    if most is not None and len(history) > most:
        if len(history) > most + 1 or not solved:
            raise InputError(f"{len(history)} guesses, and the limit is {most}: --max-guesses none leaves it aside")
        history, solved = history[:-1], False  # the answer comes last, though it wasn't found
    run = GameRun(Problem(game, most))  # all searches share its clock and stop flag
    worth = _valuations(history, run, jobs, table, progress, weights)
    with stopping(run, time_limit):
        _settle(worth, run)
    status = _status(worth)
    answer = history[-1][0] if answer is None and solved else answer
    return Debrief(
        game=game.name,
        rules=str(game.rules),
        max_guesses=most,
        answer=answer,
        solved=solved,
        turns=_turns(history, worth, solved),
        status=status,
        stop_reason="done" if status is Status.OPTIMAL else run.stop_reason,
        answer_listed=answer is None or answer in game.answers,
        weights="uniform" if weights is None else weights.name,
    )


def _valuations(
    history: History,
    run: GameRun,
    jobs: int,
    table: bool,
    progress: Callable[[Progress], None] | None,
    weights: Weights | None,
) -> list[Valuation]:
    """Return a valuation of each guess at its position; and of the position left, if the game goes on."""
    game, limit = run.game, run.limit
    guesses: list[str | None] = [guess for guess, _ in history]
    if history[-1][1] != game.winning_code and len(history) != limit:
        guesses.append(None)
    worth = []
    for number, guess in enumerate(guesses):
        position = checked_position(game, history[:number], limit, others=True, weights=weights)
        phase = "the position left" if guess is None else f"guess {number + 1}"
        rest, found = position.rest, guess is not None and history[number][1] == game.winning_code
        # By the list nobody could know it.
        odd = found and not (rest.matrix[rest.guess_index(guess or "")] == rest.winning_code).any()
        worth.append(
            Valuation(
                position,
                guess=None if odd else guess,
                jobs=jobs,
                table=table,
                valued=len(position.candidates) <= MOST_CANDIDATES,
                progress=_named(progress, phase),
                whole=run,
                ties=False,
            )
        )
    return worth


def _settle(worth: Sequence[Valuation], run: GameRun) -> None:
    """Settle the smaller positions first: those that take no time, then estimates of the others, then the others."""
    for value in reversed(worth):
        if run.stopped:
            break
        value.begin()
        value.estimate()
        if value.count <= AT_ONCE:
            value.settle()
    for value in reversed(worth):
        value.settle()


def _turns(history: History, worth: Sequence[Valuation], solved: bool) -> tuple[Turn, ...]:
    """Return each guess with its value and that of the position after it."""
    after = [_expected(value) for value in worth[1:]]
    if len(after) < len(history):
        after.append(Fraction(0) if solved else None)
    return tuple(
        _turn(guess, code, value, expected)
        for (guess, code), value, expected in zip(history, worth, after, strict=False)
    )


def _expected(value: Valuation) -> Fraction | None:
    """Return the number of guesses expected with best play; None if it isn't known, or the game may be lost."""
    best = value.best
    missed, total = best.value or (1, 0)
    return Fraction(total, value.position.weight) if not missed and best.best_proven else None


def _turn(guess: str, code: int, value: Valuation, expected_after: Fraction | None) -> Turn:
    game, rest, best = value.position.game, value.rest, value.best
    scores = rest.matrix[rest.guess_index(guess)]
    left = int((scores == code).sum())
    note = None
    if value.guess is None:  # an answer from outside, that among likely answers would seem a weak guess
        note = ODD
    elif not value.valued:
        note = TOO_MANY
    elif value.misses_weightless:
        note = WEIGHTLESS
    missed, total = (value.value if note is None else None) or (None, None)
    best_missed, best_total = best.value or (None, None)
    return Turn(
        guess=guess,
        feedback=game.format(code),
        candidates_before=value.count,
        candidates_after=left,
        is_candidate=bool((scores == game.winning_code).any()),
        total=total,
        best_total=best_total,
        expected_after=expected_after if left else None,
        best_guesses=best.guesses,
        note=note,
        source=best.source,
        proven=value.proven,
        best_proven=best.best_proven,
        possible_best=tuple(guess for guess in best.guesses if guess in rest.answers),
        listed=value.position.listed,
        missed=missed or None,
        best_missed=best_missed or None,
        weight=value.position.weight,
        weight_after=value.position.weigh(scores == code),
    )


def _status(worth: Sequence[Valuation]) -> Status:
    if all(value.proven and value.best.best_proven for value in worth):
        return Status.OPTIMAL
    known = any(value.value is not None or value.best.value is not None for value in worth)
    return Status.FEASIBLE if known else Status.UNKNOWN


def _named(progress: Callable[[Progress], None] | None, phase: str) -> Callable[[Progress], None] | None:
    """Return the callback, with the guess added to the phase."""
    if progress is None:
        return None
    return lambda now: progress(replace(now, phase=f"{phase}, {now.phase}"))


def _history(game: Game, answer: str | None, guesses: Sequence[str], grid: str | None) -> History:
    """Return the turns of a finished game, checked except for the rules at each position."""
    words = [game.written(guess) for guess in guesses]
    if not words:
        raise InputError("a debrief needs one guess at least")
    for what, text in (("the answer", answer), ("the share grid", grid)):
        if text is not None and not isinstance(text, str):
            raise InputError(f"{what} must be text, not {shown(text)}")
    rows = None if grid is None else grid_codes(game, grid, words)
    if rows is not None and len(rows) != len(words):
        there = f"there {'are' if len(words) > 1 else 'is'} {counted(len(words), 'guess', 'guesses')}"
        raise InputError(f"the grid has {counted(len(rows), 'row')}, but {there}: name all, in order")
    codes = rows if answer is None else _codes(game, answer, words)
    if codes is None:
        raise InputError("a debrief needs the answer, or the share grid")
    for number, (word, code, row) in enumerate(zip(words, codes, rows or codes, strict=True), 1):
        if code != row:
            brings = f"{word} against {answer} brings {game.format(code)}"
            raise InputError(f"row {number} of the grid is {game.format(row)}, but {brings}")
        if code == game.winning_code and number < len(words):
            raise InputError(f"guess {number}, {word}, found the answer; {words[number]} comes after it")
    history = tuple(zip(words, codes, strict=True))
    check_guesses(game, history)
    tier_of(game, history)
    return history


def _codes(game: Game, answer: str, guesses: Sequence[str]) -> list[int]:
    if answer in game.others:
        game = game.over_others([answer])
    elif answer in game.guesses and answer not in game.answers:
        raise InputError(f"{quoted(answer)} is a guess of {game.name} but no answer")
    elif game.others:
        game.guess_index(answer)  # raises for a word in neither list
    column = game.matrix[:, game.answer_index(answer)]
    codes = []
    for number, guess in enumerate(guesses, 1):
        try:
            codes.append(int(column[game.guess_index(guess)]))
        except InputError as error:
            raise InputError(f"guess {number}: {error}") from None
    return codes


def _is_heading(line: str) -> bool:
    """Whether a line ends with a score."""
    return any(not line[score.end() :].strip("*") for score in SCORE.finditer(line))


def grid_codes(game: Game, grid: str, guesses: Sequence[str] = ()) -> list[int]:
    """Return the feedback codes of a share grid. Lines without squares, such as the heading, are skipped; in a grid
    without any squares every line but such as "4/6" is feedback in another style, perhaps by the letters of the
    guesses."""
    if game.feedback is None:
        raise InputError("a bare matrix has no share grid")
    lines = [line.strip() for line in grid.splitlines() if line.strip()]
    squares = ["".join(mark for mark in line if mark in _SQUARES) for line in lines if _SQUARES & set(line)]
    lines = squares or [line for line in lines if not _is_heading(line)]
    rows = []
    for number, line in enumerate(lines, 1):
        of = guesses[number - 1 : number] if len(guesses) == len(lines) else guesses
        if line.isupper() and game.written(line) in of:  # the answer itself, all green
            rows.append(game.winning_code)
            continue
        # By the letters of its guess, whichever that is: the marks are the same.
        marks = next((marks for guess in of if (marks := game.feedback.in_marks(line, guess)) != line), line)
        try:
            rows.append(game.feedback.parse(marks))
        except InputError as error:
            raise InputError(f"row {number} of the grid: {error}") from None
    if not rows:
        raise InputError("the grid is empty: paste a row of feedback for each guess")
    return rows
