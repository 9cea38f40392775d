"""Playing by look-up: the tree says the guess, the feedback picks the branch. Nothing is searched.

Light on purpose: it starts faster than a person can read, so it imports neither numpy nor the engine.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from typing import TextIO

from optimal.errors import ImpossibleFeedback, InputError, TreeFileError
from optimal.files import read_line
from optimal.games.arguments import MOST_CODE, check_scorer, check_truth, is_truth
from optimal.games.info import History
from optimal.games.labels import command_of, told_commands, turn_of
from optimal.games.presets import titled
from optimal.games.share import share_grid
from optimal.show.text import paragraph
from optimal.show.tiles import painted, palette_of, tiles
from optimal.show.words import counted, listed, sentence
from optimal.trees.file import tree_of
from optimal.trees.tree import MOST_ROWS, Node, Scorer, StrategyTree

#: What may be typed instead of feedback, and what it does; see `command_of`.
COMMANDS = {"undo": "undo", "u": "undo", "help": "help", "h": "help", "?": "help"}
COMMANDS |= dict.fromkeys(("quit", "q", "exit"), "quit")


class Player:
    """One game along a tree: the guess to make, and the feedback that moves it on.

    The tree may be named: by the name of a shipped one, such as "classic-normal", or by its file.
    A bare matrix says how many answers are left only when a `scorer(guess, answer)` is given.

    >>> from optimal import Player
    >>> player = Player("classic-normal")
    >>> player.feed("bybyb")
    >>> player.guess, player.remaining
    ('beard', 83)
    """

    def __init__(self, tree: StrategyTree | str | os.PathLike[str], scorer: Scorer | None = None) -> None:
        tree = tree_of(tree)
        self.tree = tree
        self._score = None if scorer is None else check_scorer(scorer)
        if scorer is None and tree.game.feedback is not None:
            self._score = tree.game.feedback.score
        self.reset()

    def reset(self) -> None:
        """Begin a new game along the same tree."""
        # One entry per guess to come, the current one last: its node, and the answers left.
        self._path: list[tuple[Node, Sequence[str]]] = [(self.tree.root, self.tree.answers)]
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
        return f"<Player of {titled(self.tree.game.name)}, {self.tree.rules.value} rules, {now}>"

    def _repr_html_(self) -> str:
        from optimal.show.html import html_table

        rows = [(guess, self.tree.game.format(code)) for guess, code in self.history[-MOST_ROWS:]]
        if not self.solved:
            rows.append((str(self.guess), ""))
        caption = f"{titled(self.tree.game.name)}, {self.tree.rules.value} rules"
        return html_table(caption, ["guess", "feedback"], rows, self.outlook)

    def undo(self) -> None:
        """Take the last feedback back."""
        if not self._turns:
            raise InputError("there is nothing to undo")
        self._turns.pop()
        self._path.pop()


def code_of(tree: StrategyTree, feedback: str | int) -> int:
    """The code of a feedback, which is text in any style or the code itself. InputError for anything else."""
    if isinstance(feedback, str):
        return tree.game.parse(feedback)
    try:
        # True and 3.7 would pass for 1 and 3; other integers, such as numpy's, are welcome.
        code = None if is_truth(feedback) else operator.index(feedback)
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


def heading(tree: StrategyTree) -> str:
    """Which game a tree plays: its list, how many answers of it the tree finds, and the rules."""
    left = " left" if tree.position else ""
    return f"{titled(tree.game.name)}, {counted(len(tree.answers), 'answer')}{left}, {tree.rules.value} rules"


def show_turns(
    tree: StrategyTree, turns: Sequence[tuple[str, int]], stdout: TextIO, first: int = 1, *, contrast: bool = False
) -> None:
    """One line for each guess with its feedback, as coloured tiles on a terminal that has colours."""
    palette = palette_of(stdout, contrast=contrast)
    for number, (guess, code) in enumerate(turns, first):
        print(f"{number}. {tiles(guess, tree.game.format(code), palette)}", file=stdout)


def play_interactive(
    tree: StrategyTree, stdin: TextIO, stdout: TextIO, *, contrast: bool = False
) -> list[tuple[str, int]]:
    """Play until solved, `quit` or the end of the input. Returns the turns from the root of the tree on.

    ``contrast`` has orange and blue tiles instead of green and yellow.
    """
    talk = _Talk(Player(tree), stdout, check_truth(contrast, "contrast"))
    talk.begin()
    while not talk.player.solved:
        stdout.write("> ")
        stdout.flush()
        try:
            line = read_line(stdin)
        except UnicodeDecodeError:
            raise InputError("the input is not text: type the feedback, such as BYBBG") from None
        if not line:
            talk.say("")
            break
        command = command_of(line.strip(), COMMANDS, talk.is_reply)
        if command == "quit":
            break
        talk.obey(command, line.strip())
    return list(talk.player.turns)


_ASSIST = "For guesses of your own there is `optimal assist`."


class _Talk:
    """What is said while a player follows its tree, and what the typed lines do."""

    def __init__(self, player: Player, stdout: TextIO, contrast: bool) -> None:
        self.player = player
        self.tree = player.tree
        self.stdout = stdout
        self.contrast = contrast
        self.palette = palette_of(stdout, contrast=contrast)

    def begin(self) -> None:
        self.say(f"{heading(self.tree)}. {self.how_to}")
        show_turns(self.tree, self.tree.position, self.stdout, contrast=self.contrast)
        self.show_guess()

    def obey(self, command: str | None, line: str) -> None:
        if command == "help":
            self.say(self.how_to)
        elif command == "undo":
            self.undo()
        elif line:
            self.feed(line)

    def is_reply(self, text: str) -> bool:
        """Whether it is a reply of this game as it stands."""
        try:
            self.tree.game.parse(text)
        except InputError:
            return False
        return True

    def feed(self, text: str) -> None:
        guess = self.player.guess
        assert guess is not None
        try:
            word, reply = (guess, text) if self.is_reply(text) else turn_of(text)
            if word is not None and self.tree.game.written(word) != guess:
                self.say(f"The guess is {guess}: this player follows its tree. {_ASSIST}")
                return
            code = code_of(self.tree, reply)
        except InputError as error:
            self.say(sentence(str(error)))
            marks = sum(letter in "bygx" for letter in text.lower())
            if len(text) == len(guess) and text.isalpha() and 2 * marks < len(text):
                self.say(f"If that was a guess: this player follows its tree. {_ASSIST}")
            return
        try:
            self.player.feed(code)
        except ImpossibleFeedback as error:
            undo = ", or undo to take back the one before" if self.player.turns else ""
            self.say(f"Impossible: {error}. Type it again{undo}.")
            return
        made = len(self.player.history)
        show_turns(self.tree, self.player.turns[-1:], self.stdout, first=made, contrast=self.contrast)
        if self.player.solved:
            self.say(f"Solved in {counted(made, 'guess', 'guesses')}: {guess}.")
            self.share()
        else:
            self.show_guess()

    def undo(self) -> None:
        try:
            self.player.undo()
        except InputError as error:
            self.say(sentence(str(error).capitalize()))
        else:
            self.show_guess()

    def show_guess(self) -> None:
        self.say(f"Guess {len(self.player.history) + 1}: {self.player.guess}  ({self.player.outlook})")

    def share(self) -> None:
        """The grid to share, unless the feedback means nothing outside its matrix."""
        game = self.tree.game
        if game.feedback is not None:
            codes = [code for _, code in self.player.history]
            encoding = self.stdout.encoding
            grid = share_grid(
                game.name, game.feedback, codes, self.tree.max_guesses, contrast=self.contrast, encoding=encoding
            )
            self.stdout.write(f"\n{grid}")

    @property
    def how_to(self) -> str:
        feedback, labels = self.tree.game.feedback, self.tree.game.labels
        if labels is not None:
            example = f"the feedback: {listed(labels, MOST_ROWS)}"
        elif feedback is None:
            example = f"the number of the feedback code ({self.tree.game.winning_code} wins)"
        else:
            example = feedback.how_to
        return f"Type {example}; or {', '.join(told_commands(('undo', 'help', 'quit'), COMMANDS, self.is_reply))}."

    def say(self, text: str) -> None:
        self.stdout.write(painted(paragraph(text), self.palette))
