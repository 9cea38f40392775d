"""Playing by look-up: the tree says the guess, the feedback picks the branch. Nothing is searched.

Light on purpose: it starts faster than a person can read, so it imports neither numpy nor the engine.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from optimal.checks import is_truth
from optimal.errors import ImpossibleFeedback, InputError, TreeFileError, did_you_mean
from optimal.games.feedback import MAX_LENGTH
from optimal.games.info import History
from optimal.games.presets import Preset, preset_of, titled
from optimal.games.tiers import fitting_words, mistyped, other_words
from optimal.limits import MOST_CODE
from optimal.show.words import counted, quoted, shown
from optimal.trees.file import tree_of
from optimal.trees.nodes import Node
from optimal.trees.tree import Scorer, StrategyTree
from optimal.trees.unlisted import Choice, Chooser


@dataclass
class _Stage:
    """One guess to come: the tree's, or, where no answer in the list fits any more, the best of what is left."""

    node: Node | None
    answers: Sequence[str]  # those of the list that are left
    others: tuple[str, ...] | None = None  # the other words that fit; None: nobody asked for them yet
    choice: Choice | None = None


class Player:
    """One game along a tree: the guess to make, and the feedback that moves it on.

    The tree may be named: by the name of a shipped one, such as "classic-normal", or by its file.
    A bare matrix says how many answers are left only when a `scorer(guess, answer)` is given.

    Where no answer in the list fits any more, a game of words goes on with the other words that do: those of a shipped
    game may all be guessed, of another the words of the tree's file are known. See `optimal.trees.unlisted`.

    >>> from optimal import Player
    >>> player = Player("classic-normal")
    >>> player.feed("bybyb")
    >>> player.guess, player.remaining
    ('beard', 83)
    """

    def __init__(self, tree: StrategyTree | str | os.PathLike[str], scorer: Scorer | None = None) -> None:
        self.tree = tree_of(tree)
        # Which answers bring a guess a reply; None where a bare matrix has no scorer.
        self._fitting: Callable[[str, int, Sequence[str]], list[str]] | None = None
        if scorer is not None:
            score = self.tree.scorer(scorer)
            self._fitting = lambda guess, code, left: [answer for answer in left if score(guess, answer) == code]
        elif self.tree.game.feedback is not None:
            self._fitting = self.tree.game.feedback.fitting
        self.reset()

    def reset(self) -> None:
        """Begin a new game along the same tree."""
        self._path = [_Stage(self.tree.root, self.tree.answers)]  # the current guess is the last
        self._turns: list[tuple[str, int]] = []

    @property
    def solved(self) -> bool:
        return bool(self._turns) and self._turns[-1][1] == self.tree.game.winning_code

    @property
    def lost(self) -> bool:
        """Whether the limit of guesses is reached, and the answer not found: it is a word that is not in the list."""
        limit = self.tree.max_guesses
        return not self.solved and not self.listed and limit is not None and len(self.history) >= limit

    @property
    def over(self) -> bool:
        return self.solved or self.lost

    @property
    def listed(self) -> bool:
        """Whether an answer in the list fits all turns; else the answer is another word."""
        return self._path[-1].node is not None

    @property
    def guess(self) -> str | None:
        """The guess to make now; None once the game is over."""
        stage = self._path[-1]
        if self.over:
            return None
        return stage.node.guess if stage.node is not None else self._choice.guess

    @property
    def turns(self) -> History:
        """Guesses and feedback codes from the root of the tree on."""
        return tuple(self._turns)

    @property
    def history(self) -> History:
        """All guesses and feedback codes of the game, those before the root included."""
        return self.tree.position + self.turns

    @property
    def candidates(self) -> tuple[str, ...] | None:
        """The answers left, or the other words where no answer is; None where a bare matrix has no scorer."""
        if self._fitting is None and self._turns:
            return None
        return tuple(self._path[-1].answers) if self.listed else self.others

    @property
    def remaining(self) -> int | None:
        """How many answers are left; None where a bare matrix has no scorer."""
        candidates = self.candidates
        return None if candidates is None else len(candidates)

    @property
    def others(self) -> tuple[str, ...]:
        """The words that fit and are not in the list of answers."""
        return self._others_at(len(self._turns))

    @property
    def at_most(self) -> int:
        """Guesses still to make at most, the current one included: where `sure`, they find the answer."""
        stage = self._path[-1]
        if self.over:
            return 0
        return stage.node.depth if stage.node is not None else self._choice.worst

    @property
    def sure(self) -> bool:
        """Whether the answer is proven to be found: each in the list is, of other words those that the limit allows."""
        if self.over or self.listed:
            return not self.lost
        choice = self._choice
        return choice.worst == len(self.others) if choice.missed is None else not choice.missed

    def feed(self, feedback: str | int) -> None:
        """Take the feedback of the current guess: as text in any style, such as "bybyb" or "2,1", or as its code.

        InputError for what is no feedback, ImpossibleFeedback for what fits no word; then nothing changes.
        """
        guess = self.guess
        try:
            code = code_of(self.tree, feedback, guess)
        except InputError:
            rule = self.tree.game.feedback
            if guess is None or rule is None or not isinstance(feedback, str) or not rule.is_word(feedback.strip()):
                raise
            example = f"such as {rule.format(rule.winning_code)} for the answer"
            raise InputError(f"{quoted(feedback)} is a word; give the feedback of {guess} alone, {example}") from None
        if guess is None:
            was = f"{self._turns[-1][0]!r} was the answer" if self.solved else "the limit of guesses is reached"
            raise InputError(f"the game is over: {was}")
        node, left = self._path[-1].node, self._path[-1].answers
        child = None if node is None else node.children.get(code)
        wins = code == self.tree.game.winning_code
        if self._fitting is not None:
            left = self._fitting(guess, code, left)
        fits = bool(left) and node is not None if self._fitting is not None else wins or child is not None
        if fits and not wins and child is None:
            path = self.tree.describe([*self.history, (guess, code)])
            raise TreeFileError(f"the tree has no branch after {path}: `optimal verify` tells what it lacks")
        self._turns.append((guess, code))
        self._path.append(_Stage(child or node, left) if fits else _Stage(None, ()))
        if not fits and not self.others:
            self.undo()
            after = f" after {self.tree.describe(self.history)}" if self.history else ""
            what = "word" if self._others_at(0) else "answer"
            reason = f"no {what} fits {self.tree.describe([(guess, code)])}{after}"
            raise ImpossibleFeedback(f"{reason}{self._hint(guess, code)}")

    def _hint(self, guess: str, code: int) -> str:
        tree, feedback = self.tree, self.tree.game.feedback
        if feedback is None:
            return ""
        history = (*self.history, (guess, code))
        return mistyped(feedback, tree.rules, history, len(history) - 1, tree.answers, self._others_at(0))

    def _others_at(self, turns: int) -> tuple[str, ...]:
        """The other words that fit the first turns."""
        stage, feedback = self._path[turns], self.tree.game.feedback
        if feedback is None:
            return ()
        if stage.others is None:
            before = other_words(feedback, self._words, self.tree.answers) if turns == 0 else self._others_at(turns - 1)
            seen = self.tree.position if turns == 0 else self._turns[turns - 1 : turns]
            stage.others = fitting_words(feedback, seen, before)
        return stage.others

    def may_guess(self, word: str) -> bool:
        """Whether it is known to be a guess of the game."""
        return self.tree.game.written(word) in self._words

    def check_guess(self, word: str) -> None:
        """Raise InputError for a word that is no guess of the game; it names similar ones."""
        if not self.may_guess(word):
            name, near = self.tree.game.name, did_you_mean(word[:MAX_LENGTH], [*self.tree.answers, *self._words])
            raise InputError(f"{shown(word)} is not among the {len(self._words)} guesses of {name}{near}")

    @property
    def knows_all(self) -> bool:
        """Whether it knows all words that may be guessed, as those of a game that ships."""
        return self._preset is not None

    @cached_property
    def _words(self) -> Sequence[str]:
        """The words that may be guessed, as far as they are known."""
        if self._preset is not None:
            return self._preset.guesses()
        return sorted({node.guess for node in self.tree.root.nodes()})

    @cached_property
    def _preset(self) -> Preset | None:
        game = self.tree.game
        return preset_of(game.feedback, game.guesses_sha256, game.answers_sha256)

    @cached_property
    def _chooser(self) -> Chooser:
        return Chooser(self._words, self.tree.rules)

    @property
    def _choice(self) -> Choice:
        """The guess where the tree has none."""
        stage, limit = self._path[-1], self.tree.max_guesses
        if stage.choice is None:
            left = None if limit is None else limit - len(self.history)
            stage.choice = self._chooser.best(self.others, left, self.history[-1] if self.history else None)
        return stage.choice

    @property
    def outlook(self) -> str:
        """What is known at the current guess: "83 answers left, at most 4 more guesses"."""
        if self.solved:
            return f"solved in {counted(len(self.history), 'guess', 'guesses')}"
        if self.lost:
            return f"the limit of {self.tree.max_guesses} guesses is reached"
        left = self.remaining
        about = f"at most {counted(self.at_most, 'more guess', 'more guesses')}"
        if not self.sure:
            unknown = not self.listed and self._choice.missed is None
            end = "not known to be found" if unknown else "may not be found"
            about = f"{counted(self.at_most, 'guess', 'guesses')} left; {end}"
        if left is None:
            return about
        if not self.listed:
            return "the only word left" if left == 1 else f"{left} words left that are not in the list, {about}"
        if left == 1 and self.candidates == (self.guess,):
            return "the only answer left in the list" if self.others else "the only answer left"
        return f"{counted(left, 'answer', 'answers')} left, {about}"

    def __str__(self) -> str:
        """The turns, one a line, and the guess to make."""
        played = [f"{guess}  {self.tree.game.format(code)}" for guess, code in self.history]
        lines = [f"{number}. {turn}" for number, turn in enumerate(played, 1)]
        now = f"{self.outlook}." if self.over else f"{len(lines) + 1}. {self.guess}  ({self.outlook})"
        return "\n".join([*lines, now])

    def __repr__(self) -> str:
        now = self.outlook if self.over else f"guess {len(self.history) + 1}: {self.guess} ({self.outlook})"
        return f"<Player of {titled(self.tree.game.name)}, {self.tree.rules.value} rules, {now}>"

    def undo(self) -> None:
        """Take the last feedback back."""
        if not self._turns:
            raise InputError("there is nothing to undo")
        self._turns.pop()
        self._path.pop()


def code_of(tree: StrategyTree, feedback: str | int, guess: str | None = None) -> int:
    """The code of a feedback to the guess: text in any style, or the code itself. InputError for anything else."""
    if isinstance(feedback, str):
        return tree.game.parse(feedback, guess)
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


def play_answer(tree: StrategyTree, answer: str, scorer: Scorer | None = None) -> Player:
    """Play along a tree until it finds this answer, or the limit is reached, for a word that is not in the list.

    A bare matrix needs a `scorer(guess, answer)`. InputError for what is no answer of the tree, nor another word that
    is known to be a guess of its game.
    """
    player = Player(tree, scorer)
    wanted = tree.game.written(answer) if isinstance(answer, str) else answer
    if wanted not in tree.answers and wanted not in player.others:
        if isinstance(wanted, str) and player.others and player.knows_all:
            player.check_guess(answer)
            begins = tree.describe(tree.position)
            raise InputError(f"{shown(answer)} does not fit {begins}, where this tree begins")
        tree.path(answer, scorer)  # complains
    score = tree.scorer(scorer)
    while player.guess is not None:
        player.feed(score(player.guess, wanted))
    return player
