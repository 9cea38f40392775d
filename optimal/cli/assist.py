"""Exact advice for a game that you play your own way: type each guess with its feedback, see what is best next.

Type such as salet=bybbb; the feedback alone when you made the guess that is advised. With --json the talk goes to
standard error, and at the end one JSON object tells the turns and the last advice.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, TextIO

from optimal.cli import DONE, talk_stream
from optimal.cli.common import (
    PLAYED_GAME,
    add_candidates,
    add_contrast,
    add_game,
    add_jobs,
    add_json,
    add_limit,
    game_of,
    print_json,
    whole_number,
)
from optimal.errors import InputError
from optimal.files import read_line
from optimal.games.labels import as_typed, command_of, pieces_of, told_commands
from optimal.games.presets import titled
from optimal.games.share import share_grid
from optimal.show.text import pairs, paragraph
from optimal.show.tiles import painted, palette_of, tiles
from optimal.show.words import counted, sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from optimal.games.game import Game
    from optimal.games.info import History
    from optimal.positions.analysis import Analysis

HELP = [
    ("GUESS=FEEDBACK", "a turn, such as salet=bybbb; several turns may stand on one line"),
    ("FEEDBACK", "the feedback of the guess that is advised, or of the guess typed before"),
    ("GUESS", "a guess of your own; its feedback comes next"),
    ("best", "search until the best guesses are proven; Ctrl-C ends the search"),
    ("list", "the candidates left"),
    ("undo", "take the last turn back, or a guess without feedback"),
    ("quit", "the end"),
]
#: What does what; see `command_of`.
COMMANDS = dict.fromkeys(("quit", "q", "exit"), "quit") | dict.fromkeys(("help", "h", "?"), "help")
COMMANDS |= {"list": "list", "candidates": "list", "undo": "undo", "u": "undo", "best": "best"}
SOON = 1.0  # seconds until there is advice; more only where it is asked for


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser, default=PLAYED_GAME)
    add_candidates(parser)
    add_limit(parser)
    parser.add_argument(
        "--top", type=whole_number(1, 1000), default=5, metavar="N", help="how many guesses (default: 5)"
    )
    add_jobs(parser)
    add_contrast(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    game = game_of(arguments)

    from optimal.cli.progress import Reporter
    from optimal.positions.analysis import analyse

    def advise(history: History, time_limit: float | None) -> Analysis:
        with Reporter(plain=False, verbose=False) as reporter:
            return analyse(
                game, history, top=arguments.top, jobs=arguments.jobs, time_limit=time_limit, progress=reporter
            )

    # With --json standard output holds the object alone.
    session = Session(game, advise, talk_stream(aside=arguments.json), contrast=arguments.contrast)
    session.talk()
    if arguments.json:
        print_json(session.to_dict())
    return DONE


class Session:
    """One game: the turns so far, the guess whose feedback is awaited, and the advice for now."""

    def __init__(
        self,
        game: Game,
        advise: Callable[[History, float | None], Analysis],
        out: TextIO,
        *,
        contrast: bool = False,
    ) -> None:
        self.game = game
        self.limit = game.max_guesses
        self.advise = advise
        self.out = out
        self.contrast = contrast
        self.palette = palette_of(out, contrast=contrast)
        self.history: History = ()
        self.analysis: Analysis | None = None  # the last advice
        self.guess: str | None = None
        self.own_guess = False  # typed by the player, not advised
        self.solved = False

    def talk(self) -> None:
        helping = self.told("help")
        asked = f"{titled(self.game.name)}, {counted(len(self.game.answers), 'answer')}, {self.game.rules} rules"
        self.say(f"{asked}. Type GUESS=FEEDBACK after each guess; or {helping}.")
        self.show()
        while not self.solved:
            try:
                line = self.ask()
            except UnicodeDecodeError:
                self.say("That is not text: type a guess and its feedback, such as salet=bybbb.")
                continue
            command = None if line is None else command_of(line, COMMANDS, self.is_label)
            if line is None or command == "quit":
                return
            try:
                self.obey(command, line)
            except InputError as error:
                self.say(sentence(str(error)))

    def ask(self) -> str | None:
        """The next line, or None at the end of the input."""
        self.out.write("> ")
        self.out.flush()
        line = read_line(sys.stdin)
        if not line:
            self.out.write("\n")
            return None
        return line.strip()

    def is_label(self, text: str) -> bool:
        """Whether it is a guess or a reply of this game as it stands."""
        try:
            self.game.parse(text)
        except InputError:
            return self.game.written(text) in self.game.guesses
        return True

    def told(self, command: str) -> str:
        """A command as it must be typed."""
        return told_commands((command,), COMMANDS, self.is_label)[0]

    def obey(self, command: str | None, line: str) -> None:
        from optimal.games.info import describe
        from optimal.positions.position import parse_position

        if command == "help":
            told = [(self.told(name) if name in COMMANDS else name, about) for name, about in HELP]
            self.out.write(pairs(told, indent=""))
        elif command == "list":
            self.list_candidates()
        elif command == "undo":
            self.undo()
        elif command == "best":
            self.show(None)
        elif line and not self.is_label(line) and any(sign for _, sign in pieces_of(line)):
            self.take(parse_position(self.game, f"{describe(self.game, self.history)} {line}"))
        elif line:
            self.take_bare(line)

    def take_bare(self, text: str) -> None:
        """Feedback of the guess in mind, or a guess, or both with a space between."""
        from optimal.positions.position import check_guesses, parse_position

        game = self.game
        # A label with blanks in it may stand there without quotation marks.
        pieces = [text] if self.is_label(text) else [piece for piece, _ in pieces_of(text)]
        guess = game.written(pieces[0])
        if self.guess is not None:
            try:
                code = game.parse(text)
            except InputError:
                if guess not in game.guesses and len(pieces) == 1:
                    raise
            else:
                self.take((*self.history, (self.guess, code)))
                return
        if len(pieces) > 1:
            self.take(parse_position(game, [*self.history, (guess, " ".join(pieces[1:]))]))
            return
        check_guesses(game, (*self.history, (guess, game.winning_code)))
        self.guess, self.own_guess = guess, True
        self.say(f"What was the feedback of {guess}?")

    def take(self, history: History) -> None:
        """Take turns up, unless they are illegal or no answer fits them."""
        from optimal.positions.position import candidates_of, check_guesses

        if self.limit is not None and len(history) > self.limit:
            raise InputError(f"that would be guess {len(history)}, and the limit is {self.limit}")
        check_guesses(self.game, history)
        candidates_of(self.game, history)
        wins = [number for number, (_, code) in enumerate(history, 1) if code == self.game.winning_code]
        if wins and wins[0] < len(history):
            raise InputError(f"turn {wins[0]} found the answer; nothing comes after it")
        self.history = history
        self.solved = bool(wins)
        if self.solved:
            self.finish()
        else:
            self.show()

    def finish(self) -> None:
        """The game in tiles where there are colours, and the grid to share."""
        game, history = self.game, self.history
        self.say(f"Solved in {len(history)}: {history[-1][0]}.")
        for number, (guess, code) in enumerate(history, 1):
            if self.palette is not None:
                self.out.write(f"{number}. {tiles(guess, game.format(code), self.palette)}\n")
        if game.feedback is None:  # of a bare matrix nothing is shown in colours
            return
        codes, encoding = [code for _, code in history], self.out.encoding
        grid = share_grid(game.name, game.feedback, codes, self.limit, contrast=self.contrast, encoding=encoding)
        self.out.write(f"\n{grid}")

    def undo(self) -> None:
        if not self.own_guess:
            if not self.history:
                raise InputError("there is nothing to undo")
            self.history = self.history[:-1]
        self.show()

    def show(self, time_limit: float | None = SOON) -> None:
        """The advice for now: proven, or what is known after so many seconds."""
        from optimal.positions.position import candidates_of
        from optimal.search.result import Status

        self.guess, self.own_guess = None, False
        count = len(candidates_of(self.game, self.history))
        if self.limit is not None and len(self.history) >= self.limit:
            listing, undoing = self.told("list"), self.told("undo")
            self.say(f"No guess is left; {counted(count, 'candidate')}: type {listing} to see them, or {undoing}.")
            return
        analysis = self.advise(self.history, time_limit)
        self.guess = None if analysis.best is None else analysis.best.guess
        self.analysis = analysis
        self.out.write(painted(f"{analysis}\n", self.palette))
        if analysis.status in (Status.FEASIBLE, Status.UNKNOWN):
            self.say(f"Not proven yet: type {self.told('best')} to search on, or make a guess of your own.")

    def list_candidates(self) -> None:
        from optimal.positions.position import candidates_of

        words = [self.game.answers[answer] for answer in candidates_of(self.game, self.history)]
        self.say(f"{len(words)}: {' '.join(map(as_typed, words))}")

    def say(self, text: str) -> None:
        self.out.write(painted(paragraph(text), self.palette))

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `optimal assist --json`."""
        game, history = self.game, self.history
        return {
            "game": game.name,
            "rules": game.rules.value,
            "turns": [{"guess": guess, "feedback": game.format(code)} for guess, code in history],
            "solved": self.solved,
            "answer": history[-1][0] if self.solved else None,
            "advice": None if self.solved or self.analysis is None else self.analysis.to_dict(),
        }
