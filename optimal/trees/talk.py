"""Playing by typed lines along a strategy. Light, as the player is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TextIO

from optimal.checks import check_truth
from optimal.errors import ImpossibleFeedback, InputError
from optimal.games.presets import titled
from optimal.games.share_grid import share_grid
from optimal.games.tiers import beyond
from optimal.games.turns import with_signs
from optimal.labels import COLON, pairs_of, turn_of
from optimal.show.tiles import palette_of, tiles
from optimal.show.words import counted, listed, quoted
from optimal.talk import WHOSE, Talk
from optimal.trees.player import Player
from optimal.trees.tree import MOST_ROWS, StrategyTree

#: The tree of a game by its name, or the one of the other rules where no name is given; None if advice takes over.
Choose = Callable[[StrategyTree, str | None], StrategyTree | None]
#: What is typed for the other rules.
HARD = f"{COLON}hard"
#: Take the turns of a player over, and the line that was typed, in the game of a tree.
Advise = Callable[[Player, str, StrategyTree], None]


def heading(tree: StrategyTree) -> str:
    """Which game a tree plays: its list, how many answers of it the tree finds, and the rules."""
    left, weighted = " left" if tree.position else "", "" if tree.weights is None else ", weighted"
    return f"{titled(tree.game.name)}, {counted(len(tree.answers), 'answer')}{left}, {tree.rules.value} rules{weighted}"


def show_turns(
    tree: StrategyTree, turns: Sequence[tuple[str, int]], stdout: TextIO, first: int = 1, *, contrast: bool = False
) -> None:
    """One line for each guess with its feedback, as coloured tiles on a terminal that has colours."""
    palette = palette_of(stdout, contrast=contrast)
    for number, (guess, code) in enumerate(turns, first):
        print(f"{number}. {tiles(guess, tree.game.format(code), palette)}", file=stdout)


def play_interactive(
    tree: StrategyTree,
    stdin: TextIO,
    stdout: TextIO,
    *,
    contrast: bool = False,
    choose: Choose | None = None,
    advise: Advise | None = None,
) -> Player:
    """Play until the game is over, `quit` or the end of the input. Returns the player as it is then.

    ``contrast`` has orange and blue tiles instead of green and yellow. ``choose`` finds the tree of another game or
    other rules. ``advise`` takes the turns over at a guess that isn't the tree's, at ``:hard`` without a tree, or, with
    nothing typed, where the game becomes another. Both raise InputError for what can't be.
    """
    talk = _GameTalk(Player(tree), stdout, check_truth(contrast, "contrast"), choose, advise)
    talk.begin()
    talk.hold(stdin)
    return talk.player


class _GameTalk(Talk):
    """A game along a strategy."""

    commands: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("undo", "u"), "undo"),
        **dict.fromkeys(("help", "h", "?"), "help"),
        **dict.fromkeys(("quit", "q", "exit"), "quit"),
        "game": "game",
        "hard": "hard",
    }
    wanted = "the feedback, such as BYBBG"

    def __init__(
        self, player: Player, stdout: TextIO, contrast: bool, choose: Choose | None, advise: Advise | None
    ) -> None:
        super().__init__(stdout)
        self.player, self.contrast, self.choose, self.advise = player, contrast, choose, advise
        self.palette = palette_of(stdout, contrast=contrast)
        self.advised = False
        self.explained = False  # what to type
        self.refused = False  # the guess typed last

    @property
    def tree(self) -> StrategyTree:
        return self.player.tree

    @property
    def over(self) -> bool:
        return self.advised or self.player.over

    def begin(self) -> None:
        self.say(f"{heading(self.tree)}." if self.explained else f"{heading(self.tree)}. {self.how_to}")
        self.explained = True
        show_turns(self.tree, self.tree.position, self.stdout, contrast=self.contrast)
        self.show_guess()

    def show_guess(self) -> None:
        self.refused = False
        self.say(f"Guess {len(self.player.history) + 1}: {self.player.guess}  ({self.player.outlook})")

    @property
    def how_to(self) -> str:
        feedback, labels = self.tree.game.feedback, self.tree.game.labels
        if labels is not None:
            example = f"the feedback: {listed(labels, MOST_ROWS)}"
        elif feedback is None:
            example = f"the number of the feedback code ({self.tree.game.winning_code} wins)"
        else:
            example = feedback.how_to
        own = "" if self.advise is None else ", or a guess of your own"
        changes = [] if self.choose is None else [":hard", ":game NAME"]
        return f"Type {example}{own}; or {', '.join([':undo', *changes, ':help', ':quit'])}."

    def is_label(self, text: str) -> bool:
        return self.is_reply(text) or self.player.may_guess(text)

    def is_reply(self, text: str, guess: str | None = None) -> bool:
        game = self.tree.game
        try:
            game.parse(text, None if guess is None else game.written(guess))
        except InputError:
            return False
        return True

    def obey(self, command: str | None, line: str) -> None:
        if command == "help":
            self.say(self.how_to)
        elif command == "undo":
            self.player.undo()
            self.show_guess()
        elif command in ("game", "hard"):
            self.change(line if command == "game" else None)
        elif self.tree.game.feedback is not None and line.startswith(COLON):
            raise InputError(f"there is no command {quoted(line)}: type :help")
        elif line:
            self.feed(line)

    def change(self, game: str | None) -> None:
        """Go over to another game, or to the other rules: with the turns where they can be, or else anew."""
        if self.choose is None:
            raise InputError("this player has one tree alone")
        tree = self.choose(self.tree, game)
        if tree is None:
            self.hand_over(HARD, self.tree)
            return
        if self.player.history and self.advise is not None:
            try:
                self.hand_over("", tree)
            except InputError as error:
                self.say(f"{str(error).removesuffix('?')}; so the game begins anew.")
            else:
                return
        self.player = Player(tree)
        self.begin()

    def hand_over(self, typed: str, tree: StrategyTree) -> None:
        """Let advice go on in the game of a tree."""
        if self.advise is None:
            raise InputError(f"the guess is {self.player.guess}: this player follows its tree")
        self.advise(self.player, typed, tree)
        self.advised = True

    def feed(self, text: str) -> None:
        """Take the feedback of the tree's guess, with that guess or without; or hand a guess of one's own over."""
        player, guess = self.player, self.player.guess
        assert guess is not None
        text = with_signs(self.tree.game, text)
        is_reply = self.is_reply(text)
        if self.refused and is_reply and not player.may_guess(text):
            raise InputError(WHOSE)
        word, reply = (guess, text) if is_reply else turn_of(text)
        if word is None and player.may_guess(text):
            word = text
        if word is None and player.knows_all and (rule := self.tree.game.feedback) and rule.is_word(text):
            self.refused = True
            player.check_guess(text)  # complains
        if text == word and not is_reply and self.tree.game.written(word) == guess:
            self.refused = False
            raise InputError(f"what was the feedback of {guess}?")
        if pairs_of(text, self.is_reply) or (word is not None and self.tree.game.written(word) != guess):
            self.refused = self.advise is not None
            self.hand_over(text, self.tree)
            return
        listed_before = player.listed
        try:
            player.feed(reply)
        except ImpossibleFeedback as error:
            undo = ", or :undo to take back the one before" if player.turns else ""
            raise InputError(f"{error}. Type it again{undo}") from None
        made = len(player.history)
        show_turns(self.tree, player.turns[-1:], self.stdout, first=made, contrast=self.contrast)
        if listed_before and not player.listed:
            self.say(f"{beyond(player.others)}.")
        if not player.over:
            self.show_guess()
        elif player.lost:
            left = f"not found: {listed(player.others, MOST_ROWS)}"
            self.say(f"The limit of {counted(made, 'guess', 'guesses')} is reached; {left}.")
        else:
            self.say(f"Solved in {counted(made, 'guess', 'guesses')}: {guess}.")
            tree = self.tree
            share_grid(self.stdout, tree.game, player.history, tree.max_guesses, tree.rules, contrast=self.contrast)
