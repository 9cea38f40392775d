"""Playing by look-up: the tree says the guess, the feedback picks the branch. Nothing is searched.

Light on purpose: it starts faster than a person can read, so it imports neither numpy nor the engine.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from typing import TextIO

from optimal.errors import ImpossibleFeedback, InputError, TreeFileError
from optimal.games.arguments import MOST_CODE
from optimal.games.feedback import quoted
from optimal.games.info import History
from optimal.show.text import paragraph
from optimal.show.words import counted
from optimal.trees.file import tree_of
from optimal.trees.tree import MOST_ROWS, Node, Scorer, StrategyTree

_QUIT = ("quit", "q", "exit")
_UNDO = ("undo", "u")
_HELP = ("help", "h", "?")


class Player:
    """One game along a tree: the guess to make, and the feedback that moves it on.

    The tree may be named: by the name of a shipped one, such as "classic-normal", or by its file.
    A bare matrix says how many answers are left only when a `scorer(guess, answer)` is given.
    """

    def __init__(self, tree: StrategyTree | str | os.PathLike[str], scorer: Scorer | None = None) -> None:
        tree = tree_of(tree)
        if scorer is not None and not callable(scorer):
            raise InputError(f"a scorer is a function of guess and answer; not {type(scorer).__name__}")
        self.tree = tree
        self._score = scorer
        if scorer is None and tree.game.feedback is not None:
            self._score = tree.game.feedback.score
        # One entry per guess to come, the current one last: its node, and the answers left.
        self._path: list[tuple[Node, Sequence[str]]] = [(tree.root, tree.answers)]
        self._turns: list[tuple[str, int]] = []

    @property
    def solved(self) -> bool:
        return bool(self._turns) and self._turns[-1][1] == self.tree.game.winning_code

    @property
    def guess(self) -> str | None:
        """The guess to make now; None once the answer is found."""
        return None if self.solved else self._path[-1][0].guess

    @property
    def turns(self) -> History:
        """The guesses and feedback codes so far, from the root of the tree on."""
        return tuple(self._turns)

    @property
    def history(self) -> History:
        """All guesses and feedback codes of the game, those before the root included."""
        return self.tree.position + self.turns

    @property
    def candidates(self) -> tuple[str, ...] | None:
        """The answers left; None when a bare matrix cannot tell."""
        if self._score is None and self._turns:
            return None
        return tuple(self._path[-1][1])

    @property
    def remaining(self) -> int | None:
        """How many answers are left; None when a bare matrix cannot tell."""
        candidates = self.candidates
        return None if candidates is None else len(candidates)

    @property
    def at_most(self) -> int:
        """Guesses still to make at most, the current one included."""
        return 0 if self.solved else self._path[-1][0].depth

    def feed(self, feedback: str | int) -> None:
        """Take the feedback of the current guess: as text in any style, such as "bybyb" or "2,1", or as its code.

        InputError for what is no feedback, ImpossibleFeedback for what fits no answer; then nothing changes.
        """
        code = code_of(self.tree, feedback)
        if self.solved:
            raise InputError(f"the game is over: {self._turns[-1][0]!r} was the answer")
        node, candidates = self._path[-1]
        child = node.children.get(code)
        wins = code == self.tree.game.winning_code
        left: Sequence[str] = candidates
        if self._score is not None:
            left = [answer for answer in candidates if self._score(node.guess, answer) == code]
        if not left or (self._score is None and not wins and child is None):
            after = f" after {self.tree.describe(self.history)}" if self.history else ""
            raise ImpossibleFeedback(f"no answer fits {self.tree.describe([(node.guess, code)])}{after}")
        if not wins and child is None:
            path = self.tree.describe([*self.history, (node.guess, code)])
            raise TreeFileError(f"the tree has no branch after {path}: `optimal verify` tells what it lacks")
        self._turns.append((node.guess, code))
        self._path.append((child or node, left))

    @property
    def outlook(self) -> str:
        """What is known at the current guess: "83 answers left, at most 4 more guesses"."""
        if self.solved:
            return f"solved in {counted(len(self.history), 'guess', 'guesses')}"
        left = self.remaining
        if left == 1 and self.candidates == (self.guess,):
            return "the only answer left"
        about = f"at most {counted(self.at_most, 'more guess', 'more guesses')}"
        return about if left is None else f"{counted(left, 'answer', 'answers')} left, {about}"

    def __str__(self) -> str:
        """The turns so far, one a line, and the guess to make."""
        lines = [
            f"{number}. {guess}  {self.tree.game.format(code)}" for number, (guess, code) in enumerate(self.history, 1)
        ]
        now = f"{self.outlook}." if self.solved else f"{len(lines) + 1}. {self.guess}  ({self.outlook})"
        return "\n".join([*lines, now])

    def __repr__(self) -> str:
        now = self.outlook if self.solved else f"guess {len(self.history) + 1}: {self.guess} ({self.outlook})"
        return f"<Player of {self.tree.game.name}, {self.tree.rules.value} rules, {now}>"

    def _repr_html_(self) -> str:
        from optimal.show.html import html_table

        rows = [(guess, self.tree.game.format(code)) for guess, code in self.history[-MOST_ROWS:]]
        if not self.solved:
            rows.append((str(self.guess), ""))
        caption = f"{self.tree.game.name}, {self.tree.rules.value} rules"
        return html_table(caption, ["guess", "feedback"], rows, self.outlook)

    def undo(self) -> None:
        """Take the last feedback back."""
        if not self._turns:
            raise InputError("there is nothing to undo")
        self._turns.pop()
        self._path.pop()


def code_of(tree: StrategyTree, feedback: str | int) -> int:
    """The code of a feedback, which is text in any style or the code itself. InputError for anything else."""
    rule = tree.game.feedback
    if isinstance(feedback, str):
        if rule is not None:
            return rule.parse(feedback)
        digits = feedback.strip()
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 5):
            raise InputError(f"{quoted(feedback)} is not a feedback code: type its number, such as 3")
        return int(digits)
    try:
        # True and 3.7 would pass for 1 and 3; other integers, such as numpy's, are welcome.
        code = operator.index(feedback) if not isinstance(feedback, bool) else None
    except TypeError:
        code = None
    if code is None:
        example = tree.game.format(tree.game.winning_code)
        raise InputError(
            f"feedback of type {type(feedback).__name__}; give it as text, such as {example!r} for the answer, "
            f"or as a code, {tree.game.winning_code} for the answer"
        )
    if not 0 <= code <= MOST_CODE:
        raise InputError(f"a feedback code is out of range: codes go from 0 to {MOST_CODE}")
    return code


def show_turns(tree: StrategyTree, turns: Sequence[tuple[str, int]], stdout: TextIO, first: int = 1) -> None:
    """One line for each guess with its feedback, as squares on a terminal."""
    for number, (guess, code) in enumerate(turns, first):
        print(f"{number}. {guess}  {_feedback_text(tree, code, stdout)}", file=stdout)


def play_interactive(tree: StrategyTree, stdin: TextIO, stdout: TextIO) -> list[tuple[str, int]]:
    """Play until solved, `quit` or the end of the input. Returns the turns from the root of the tree on."""
    player = Player(tree)
    _say(stdout, f"{tree.game.name}, {tree.rules.value} rules. {_how_to(tree)}")
    show_turns(tree, tree.position, stdout)
    _show_guess(player, stdout)
    while not player.solved:
        stdout.write("> ")
        stdout.flush()
        try:
            line = stdin.readline()
        except UnicodeDecodeError:
            raise InputError("the input is not text: type the feedback, such as BYBBG") from None
        if not line:
            _say(stdout, "")
            break
        command = line.strip().lower()
        if command in _QUIT:
            break
        if command in _HELP:
            _say(stdout, _how_to(tree))
        elif command in _UNDO:
            _undo(player, stdout)
        elif command:
            _feed(player, command, stdout)
    return list(player.turns)


def _feed(player: Player, text: str, stdout: TextIO) -> None:
    guess = player.guess
    assert guess is not None
    word, equals, rest = text.partition("=")
    if equals and word.strip() != guess:
        _say(stdout, f"The guess is {guess}: this player follows its tree. {_ASSIST}")
        return
    try:
        code = code_of(player.tree, rest if equals else text)
    except InputError as error:
        _say(stdout, f"{error}.")
        marks = sum(letter in "bygx" for letter in text)
        if len(text) == len(guess) and text.isalpha() and 2 * marks < len(text):
            _say(stdout, f"If that was a guess: this player follows its tree. {_ASSIST}")
        return
    try:
        player.feed(code)
    except ImpossibleFeedback as error:
        undo = ", or undo to take back the one before" if player.turns else ""
        _say(stdout, f"Impossible: {error}. Type it again{undo}.")
        return
    show_turns(player.tree, player.turns[-1:], stdout, first=len(player.history))
    if player.solved:
        _say(stdout, f"Solved in {counted(len(player.history), 'guess', 'guesses')}: {guess}.")
    else:
        _show_guess(player, stdout)


def _undo(player: Player, stdout: TextIO) -> None:
    try:
        player.undo()
    except InputError as error:
        _say(stdout, f"{str(error).capitalize()}.")
    else:
        _show_guess(player, stdout)


def _show_guess(player: Player, stdout: TextIO) -> None:
    _say(stdout, f"Guess {len(player.history) + 1}: {player.guess}  ({player.outlook})")


_ASSIST = "For guesses of your own there is `optimal assist`."


def _how_to(tree: StrategyTree) -> str:
    feedback = tree.game.feedback
    if feedback is None:
        example = f"the number of the feedback code ({tree.game.winning_code} wins)"
    elif feedback.kind == "words":
        example = "the feedback as b/y/g, 0/1/2, -/?/* or coloured squares"
    else:
        example = "the feedback such as 2,1"
    return f"Type {example}; or undo, help, quit."


def _feedback_text(tree: StrategyTree, code: int, stdout: TextIO) -> str:
    feedback = tree.game.feedback
    plain = tree.game.format(code)
    if feedback is None or not stdout.isatty():
        return plain
    squares = feedback.pretty(code)
    try:
        squares.encode(stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a terminal without Unicode
        return plain
    return squares


def _say(stdout: TextIO, text: str) -> None:
    stdout.write(paragraph(text))
