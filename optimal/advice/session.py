"""Interactive exact advice: all of `assist`, and `play` after a guess that is not in its tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, ClassVar, TextIO

from optimal.advice.analysis import LEGEND, Analysis, analyse, fit_too
from optimal.advice.position import candidates_of, check_guesses, others_of, parse_position, tier_of
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.info import History, describe
from optimal.games.presets import titled
from optimal.games.rules import Rules
from optimal.games.share_grid import share_grid
from optimal.games.turns import with_signs
from optimal.games.weights import Weights
from optimal.labels import COLON, as_typed, pairs_of, pieces_of
from optimal.search.progress import Progress
from optimal.search.result import Status
from optimal.show.text import pairs
from optimal.show.tiles import painted, palette_of, tiles
from optimal.show.words import counted, listed, quoted
from optimal.talk import WHOSE, Talk

HELP = [
    ("GUESS=FEEDBACK", "a turn, such as {0}={1} or {0} {1}; several may stand on one line"),
    ("FEEDBACK", "{2}: of the guess that is advised, or of the guess typed before"),
    ("GUESS", "a guess of your own; its feedback comes next"),
    (":best", "search until the best guesses are proven; Ctrl-C ends the search"),
    (":list", "the candidates left"),
    (":undo", "take the last turn back, or a guess without feedback"),
    (":hard", "switch to hard rules, or back to normal ones; the turns stay"),
    (":game NAME", "switch to another list, such as classic; the turns stay"),
    (":quit", "the end"),
]
MOST_LISTED = 100  # candidates
SECONDS = 1.0  # seconds until there is advice; more only on demand


class Session(Talk):
    """One game: the turns so far, the guess whose feedback comes next, and the advice.

    ``other`` makes a game from a name, with the rules of the current game, and the weights of its answers.
    ``reporter`` makes the progress display of a search.
    """

    commands: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("quit", "q", "exit"), "quit"),
        **dict.fromkeys(("help", "h", "?"), "help"),
        **dict.fromkeys(("list", "candidates"), "list"),
        **dict.fromkeys(("undo", "u"), "undo"),
        "best": "best",
        "game": "game",
        "hard": "hard",
    }
    wanted = "a guess and its feedback, such as salet=bybbb"

    def __init__(
        self,
        game: Game,
        other: Callable[[Game, str], tuple[Game, Weights | None]],
        out: TextIO,
        reporter: Callable[[], AbstractContextManager[Callable[[Progress], None]]],
        *,
        top: int = 5,
        jobs: int = 1,
        contrast: bool = False,
        soon: float | None = None,
        weights: Weights | None = None,
    ) -> None:
        super().__init__(out)
        self.game, self.other, self.reporter, self.weights = game, other, reporter, weights
        self.top, self.jobs, self.soon = top, jobs, SECONDS if soon is None else soon
        self.contrast = contrast
        self.palette = palette_of(out, contrast=contrast)
        self.history: History = ()
        self.analysis: Analysis | None = None  # the last advice
        self.guess: str | None = None
        self.own_guess = False  # typed by the player, not advised
        self.explained = False  # what to type
        self.legend = True  # still to be printed
        self.solved = False

    @property
    def over(self) -> bool:
        return self.solved

    def begin(self) -> None:
        asked = f"{titled(self.game.name)}, {counted(len(self.game.answers), 'answer')}, {self.game.rules} rules"
        example = "" if self.game.feedback is None else f", {self.game.feedback.how_to}"
        asked += "" if self.explained else f". Type GUESS=FEEDBACK after each guess{example}; or :help"
        self.explained = True
        self.say(f"{asked}.")
        self.show()

    def is_label(self, text: str) -> bool:
        """Return whether the text is a guess or a reply of this game."""
        return self.is_reply(text) or self.game.written(text) in self.game.guesses

    def is_reply(self, text: str, guess: str | None = None) -> bool:
        """Return whether the text is a reply, of this guess where one is given."""
        try:
            self.game.parse(text, None if guess is None else self.game.written(guess))
        except InputError:
            return False
        return True

    def obey(self, command: str | None, line: str) -> None:
        """Carry out a line: a command, or turns."""
        pending = self.guess if self.own_guess and command in ("best", "game", "hard") else None
        if command == "help":
            about = [(name, text.format(*self._example)) for name, text in HELP]
            self.stdout.write(pairs(about, indent=""))
        elif command == "list":
            words = self.candidates()
            more = f", and {len(words) - MOST_LISTED} more" if len(words) > MOST_LISTED else ""
            self.say(f"{len(words)}: {' '.join(map(as_typed, words[:MOST_LISTED]))}{more}")
        elif command == "undo":
            self.undo()
        elif command == "best":
            self.show(at_leisure=True)
        elif command == "game":
            self._try(f"{self.game.name} stays", *self.other(self.game, line))
        elif command == "hard":
            rules = Rules.NORMAL if self.game.rules is Rules.HARD else Rules.HARD
            self._try(f"{self.game.rules} rules stay", self.game.with_rules(rules), self.weights)
        elif line:
            self.take_line(line)
        if pending is not None:
            self.ask(pending)

    @property
    def _example(self) -> tuple[str, str, str]:
        """A guess, its feedback, and how that is typed."""
        game = self.game
        how_to = "the feedback" if game.feedback is None else game.feedback.how_to
        if game.feedback == WordFeedback(5):
            return "salet", "bybbb", how_to
        return as_typed(game.guesses[0]), as_typed(game.format(int(game.matrix[0, -1]))), how_to

    def take_line(self, line: str) -> None:
        """Take a guess or its feedback, or turns."""
        if self.game.feedback is not None and line.startswith(COLON):
            raise InputError(f"there is no command {quoted(line)}: type :help")
        line = with_signs(self.game, line)
        if self.is_label(line):
            self.take_bare(line)
        elif turns := pairs_of(line, self.is_reply):
            self._name(turns[0][0])
            self.take(parse_position(self.game, [*self.history, *turns]))
        elif any(sign for _, sign in pieces_of(line)):
            self._name(pieces_of(line)[0][0])
            self.take(parse_position(self.game, f"{describe(self.game, self.history)} {line}"))
        else:
            self.take_bare(line)

    def _name(self, guess: str) -> None:
        """Take a guess that is typed for the one whose feedback comes next: if it is refused, none is."""
        if self.game.written(guess) != self.guess:
            self.guess, self.own_guess = None, False

    def take_bare(self, text: str) -> None:
        """Take feedback of the current guess, or a guess, or both with a space between."""
        game = self.game
        # Here a label with blanks needs no quotation marks.
        pieces = [text] if self.is_label(text) else [piece for piece, _ in pieces_of(text)]
        guess = game.written(pieces[0])
        if self.guess is not None:
            try:
                code = game.parse(text, self.guess)
            except InputError:
                meant = game.feedback is not None and game.feedback.is_word(text)
                if guess not in game.guesses and len(pieces) == 1 and not meant:
                    raise
            else:
                self.take((*self.history, (self.guess, code)))
                return
        self._name(guess)
        if len(pieces) > 1:
            self.take(parse_position(game, [*self.history, (guess, " ".join(pieces[1:]))]))
            return
        self.ask(guess)

    def ask(self, guess: str) -> None:
        """Ask for the feedback of a guess that the player has made."""
        game = self.game
        if game.max_guesses is not None and len(self.history) >= game.max_guesses:
            raise InputError(f"no guess is left: {len(self.history)} are made, and the limit is {game.max_guesses}")
        if guess not in game.guesses and self.is_reply(guess):
            raise InputError(WHOSE)
        check_guesses(game, (*self.history, (guess, game.winning_code)))
        self.guess, self.own_guess = guess, True
        self.say(f"What was the feedback of {guess}?")

    def take(self, history: History) -> None:
        """Take turns, unless they are illegal or no word fits them. Of a guess typed again the last feedback counts."""
        typed = history[len(self.history) :]
        if len(dict(typed)) < len(set(typed)):
            raise InputError("a guess is typed with two replies: give one")
        history = tuple((dict(self.history) | dict(typed)).items())
        limit = self.game.max_guesses
        if limit is not None and len(history) > limit:
            raise InputError(f"that would be guess {len(history)}, and the limit is {limit}")
        check_guesses(self.game, history)
        tier_of(self.game, history)
        if history == self.history:
            self.say("That is there already: a guess counts once.")
        wins = [number for number, (_, code) in enumerate(history, 1) if code == self.game.winning_code]
        if wins and wins[0] < len(history):
            raise InputError(f"turn {wins[0]} found the answer; nothing comes after it")
        self.history, self.solved = history, bool(wins)
        if self.solved:
            self.finish()
        else:
            self.show()

    def _try(self, otherwise: str, game: Game, weights: Weights | None) -> None:
        """Switch to another game; where that is impossible, say what stays."""
        try:
            self.change(game, weights)
        except InputError as error:
            raise InputError(f"{str(error).removesuffix('?')}; {otherwise}") from None

    def change(self, game: Game, weights: Weights | None) -> None:
        """Switch to another game, unless the turns so far are impossible there."""
        check_guesses(game, self.history)
        tier_of(game, self.history)
        self.game, self.weights = game, weights
        self.begin()

    def finish(self) -> None:
        """Print the game as tiles, if there are colours, and the grid to share."""
        game, history = self.game, self.history
        self.say(f"Solved in {len(history)}: {history[-1][0]}.")
        if self.palette is not None:
            for number, (guess, code) in enumerate(history, 1):
                self.stdout.write(f"{number}. {tiles(guess, game.format(code), self.palette)}\n")
        share_grid(self.stdout, game, history, game.max_guesses, game.rules, contrast=self.contrast)

    def undo(self) -> None:
        """Take the last turn back, or a guess without feedback."""
        if not self.own_guess:
            if not self.history:
                raise InputError("there is nothing to undo")
            self.history = self.history[:-1]
        self.show()

    def show(self, *, at_leisure: bool = False) -> None:
        """Print the advice: proven, or the result after some seconds."""
        self.guess, self.own_guess = None, False
        limit = self.game.max_guesses
        if limit is not None and len(self.history) >= limit:
            self.analysis = None
            others = others_of(tier_of(self.game, self.history), self.history)
            also = f"; {fit_too(len(others))}" if others else ""
            missed = listed(self.candidates(), MOST_LISTED)
            self.say(f"No guess is left; not found: {missed}{also}. Type :undo or :quit.")
            return
        with self.reporter() as progress:
            analysis = analyse(
                self.game,
                self.history,
                top=self.top,
                jobs=self.jobs,
                time_limit=None if at_leisure else self.soon,
                progress=progress,
                weights=self.weights,
            )
        self.analysis = analysis
        self.guess = None if analysis.best is None else analysis.best.guess
        self._print(analysis)
        if analysis.status in (Status.FEASIBLE, Status.UNKNOWN):
            what = "A worst case is not known yet" if analysis.totals_settled else "Not proven yet"
            what = "The others are not proven yet" if analysis.source == "tree" else what
            self.say(f"{what}: type :best to search on, or make a guess of your own.")

    def _print(self, analysis: Analysis) -> None:
        """Print the advice as a table, whose columns are explained the first time."""
        table = analysis.table
        if not self.legend:
            table = replace(table, notes=[note for note in table.notes if note != LEGEND])
        self.legend &= LEGEND not in table.notes
        self.stdout.write(painted(f"{table}\n", self.palette))

    def candidates(self) -> list[str]:
        """Return the answers left, or the other words that fit if there are none."""
        game = tier_of(self.game, self.history)
        return [game.answers[answer] for answer in candidates_of(game, self.history)]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of `optimal assist --json`."""
        game, history = self.game, self.history
        return {
            "game": game.name,
            "rules": game.rules.value,
            "turns": [{"guess": guess, "feedback": game.format(code)} for guess, code in history],
            "solved": self.solved,
            "answer": history[-1][0] if self.solved else None,
            "advice": None if self.solved or self.analysis is None else self.analysis.to_dict(),
        }
