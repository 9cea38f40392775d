"""Files that commands are given: own lists of words, the matrix of a tree, and those of another kind than is wanted.

Light: `play`, `verify` and `export` load it, and need neither numpy nor a `Game`.
"""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from optimal.cli.console import remark
from optimal.errors import InputError
from optimal.files import may_be_table, opened
from optimal.games.spelling import Spelling, read_spelling
from optimal.games.wordlists import read_words
from optimal.journal.header import is_journal
from optimal.labels import EQUALS
from optimal.show.words import quoted
from optimal.trees.reader import KEY_START, TREE_START

if TYPE_CHECKING:
    from optimal.games.matrices import Matrix
    from optimal.trees.tree import Scorer, StrategyTree

BEGINNING = 4096  # bytes of a file that tell what it is
#: What may be done with a file of each kind.
USES = {
    "is a strategy tree": "`optimal play {0}` plays it, `optimal verify {0}` checks it",
    "is a key": "`optimal play {0}` asks along it, `optimal certify {0} --output FILE` writes its proof",
    "is a journal": "`optimal status {0}` tells how far its run is",
    "looks like a table": "`optimal identify {0}` finds the key of objects and questions, `optimal suggest --table "
    "{0}` ranks its questions, `optimal solve --matrix {0}` takes replies to guesses",
    "is a file": "`{1}--words {0}` takes a list of words",
}


def kind_of(path: str) -> str:
    """What the file is, in a word of `USES`."""
    with opened(path, "file") as file:
        start = file.read(BEGINNING)
    kinds = (start.startswith(TREE_START), start.startswith(KEY_START), is_journal(start), may_be_table(start), True)
    return next(kind for kind, here in zip(USES, kinds, strict=True) if here)


def wrong_kind(path: str, wanted: str, words: str = "") -> InputError:
    """The error for a file of another kind than is wanted; ``words`` is the command before --words that takes a list of
    words."""
    kind = kind_of(path)
    return InputError(f"{path} {kind}, not {wanted}: {USES[kind].format(path, words)}")


def spelling_of(arguments: Namespace) -> Spelling:
    """How the words of own lists are read."""
    return read_spelling(arguments.letters, fold=arguments.fold_accents)


def check_no_turn(name: str) -> None:
    """InputError for a turn in the place of a game."""
    if EQUALS in name:
        raise InputError(
            f"{quoted(name)} is a turn, and no game: `optimal suggest` takes turns, and `optimal assist` once it asks"
        )


def reading_of(arguments: Namespace) -> list[str]:
    """The options given that say how own lists are read."""
    given = {"--length": arguments.length, "--letters": arguments.letters, "--fold-accents": arguments.fold_accents}
    return [flag for flag, value in given.items() if value]


def read_list(arguments: Namespace, file: str, spelling: Spelling | None = None) -> list[str]:
    """The words of a file, as far as --length asks for them; what is odd about it goes to standard error."""
    spelling = spelling_of(arguments) if spelling is None else spelling
    return read_words(file, length=arguments.length, spelling=spelling, tell=remark)


def own_lists(arguments: Namespace) -> tuple[list[str], list[str]] | None:
    """The guesses and the answers of --words, or of --guesses and --answers; None where there are none."""
    lists = {"--guesses": arguments.guesses, "--answers": arguments.answers}
    given = [flag for flag, file in lists.items() if file is not None]
    if arguments.word_list is not None:
        if given:
            raise InputError(f"--words is a list of guesses and answers in one: leave out {' and '.join(given)}")
        words = read_list(arguments, arguments.word_list)
        return words, words
    if not given:
        for flag in (*reading_of(arguments), *(["--name"] if arguments.name else [])):
            raise InputError(f"{flag} is for own lists of words: give --words FILE, or --guesses and --answers")
        return None
    for missing in lists.keys() - given:
        raise InputError(
            f"{missing} is missing: own lists need both --guesses FILE and --answers FILE, or --words FILE"
        )
    guesses = read_list(arguments, arguments.guesses)
    answers = read_list(arguments, arguments.answers, spelling_of(arguments).suited("".join(guesses)))
    if len(guesses[0]) == len(answers[0]) and set(guesses).isdisjoint(answers):
        remark(f"{arguments.guesses} has none of the answers: they are taken for guesses, too")
        guesses += answers
    return guesses, answers


def tree_matrix(tree: StrategyTree, path: str) -> Matrix:
    """The matrix in a file, of a tree whose game is a bare one."""
    if tree.game.feedback is not None:
        raise InputError(f"--matrix is for the trees of bare matrices; {tree.game.name} brings its own feedback")
    from optimal.games.matrices import read_matrix  # here, because other trees need no numpy

    return read_matrix(path)


def tree_scorer(tree: StrategyTree, path: str | None) -> Scorer | None:
    """What scores a guess by the matrix in a file; None where the tree needs none."""
    if path is None:
        if tree.game.feedback is None:
            raise InputError(
                f"{tree.game.name} is a bare matrix, whose feedback is not in the tree's file: add --matrix FILE"
            )
        return None
    held = tree_matrix(tree, path)
    from optimal.games.game import Game  # here, because other trees need no numpy

    game = Game.from_matrix(held.rows, tree.game.winning_code, guesses=held.guesses, answers=held.answers)
    places = {answer: place for place, answer in enumerate(game.answers)}
    # Trees of an older form don't name their matrix.
    if tree.game.matrix_sha256 not in (None, game.info.matrix_sha256) or not places.keys() >= set(tree.answers):
        raise InputError(f"{path} is not the matrix of this tree")
    return lambda guess, answer: int(game.matrix[game.guess_index(guess), places[answer]])
