"""`optimal play`: a game along a tree, or the questions of a key, by look-up."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, TextIO

from optimal.advice.asking import ask
from optimal.cli.console import DONE, NO, remark
from optimal.cli.inputs import check_no_turn, tree_scorer, wrong_kind
from optimal.cli.options import PLAYED_GAME, check_unweighed, trees_that_ship
from optimal.cli.output import print_json, print_result, talk_stream
from optimal.cli.parser import rules_hint
from optimal.errors import InputError, did_you_mean
from optimal.files import read_text
from optimal.games.presets import game_names, is_game, preset, preset_of
from optimal.games.resources import check_no_table, names_file, shipped_name, stem_of, tree_file, tree_names
from optimal.games.rules import Rules
from optimal.labels import unquoted
from optimal.limits import DEFAULT_LIMIT
from optimal.show.text import paragraph
from optimal.show.words import quoted
from optimal.trees.file import load_tree, read_tree
from optimal.trees.key import Key, is_key
from optimal.trees.player import Player, play_answer
from optimal.trees.talk import HARD, heading, play_interactive, show_turns
from optimal.trees.tree import StrategyTree

#: What a command needs for the question of a tree that goes by weights.
BY_WEIGHTS = "the --used or --weights that made the tree"

if TYPE_CHECKING:
    from optimal.advice.session import Session
    from optimal.games.game import Game
    from optimal.games.info import GameInfo, History


def run(arguments: Namespace) -> int:
    if arguments.tree is not None and is_key(arguments.tree):
        return _ask(arguments)
    if arguments.answer is not None:
        check_unweighed(arguments, "--answer")
    tree = _tree(arguments)
    if arguments.answer is not None:
        return _play_answer(arguments, tree)
    if arguments.matrix is not None:
        raise InputError("--matrix goes with --answer: else you type the feedback")
    if arguments.used is not None:
        read_text(arguments.used, "words used before")
    if tree.weights is None and (arguments.used is not None or arguments.weights != "uniform"):
        remark("the tree goes by no weights: these are for advice after a guess of your own")
    out = talk_stream(arguments)
    sessions: list[Session] = []

    def advise(player: Player, typed: str, tree: StrategyTree) -> None:
        session = _session(player, tree, out, arguments)
        if typed == HARD:
            session.obey("hard", "")
        elif typed:
            session.obey(None, typed)
        else:
            session.change(session.game, session.weights)
        sessions.append(session)
        session.hold(sys.stdin)

    player = play_interactive(tree, sys.stdin, out, contrast=arguments.contrast, choose=_other, advise=advise)
    if arguments.json:
        if sessions:
            print_json(_fields(sessions[0].game, sessions[0].game.rules, sessions[0].history))
        else:
            print_json(_fields(player.tree.game, player.tree.rules, player.history))
    return DONE


def _play_answer(arguments: Namespace, tree: StrategyTree) -> int:
    """Let the tree find an answer."""
    player = play_answer(tree, unquoted(arguments.answer), tree_scorer(tree, arguments.matrix))
    if arguments.json:
        print_json(_fields(tree.game, tree.rules, player.history))
    else:
        sys.stdout.write(paragraph(heading(tree)))
        show_turns(tree, player.history, sys.stdout, contrast=arguments.contrast)
        if not player.listed:
            end = "found all the same" if player.solved else f"not found within {tree.max_guesses} guesses"
            print(f"Not in the list of answers; {end}.")
    return DONE if player.solved else NO


def _fields(game: Game | GameInfo, rules: Rules, played: History) -> dict[str, object]:
    solved = bool(played) and played[-1][1] == game.winning_code
    return {
        "guesses": [guess for guess, _ in played],
        "feedback": [game.format(code) for _, code in played],
        "solved": solved,
        "answer": played[-1][0] if solved else None,
        "game": game.name,
        "rules": rules.value,
    }


def _ask(arguments: Namespace) -> int:
    """Play a key: ask, until it is known what it is."""
    for name in ("game", "rules", "matrix"):
        if getattr(arguments, name) is not None:
            raise InputError(f"{arguments.tree} is a key, which asks by itself: leave out --{name}")
    check_unweighed(arguments, "a key")
    key = Key.load(arguments.tree)
    if arguments.answer is not None:
        paths = key.paths(unquoted(arguments.answer))
        lines = [", ".join(f"{question}: {reply}" for question, reply in path) or "nothing" for path in paths]
        fields = {"object": arguments.answer, "paths": [dict(path) for path in paths]}
        print_result(arguments, fields, "".join(map(paragraph, lines)))
        return DONE
    asker = ask(key, sys.stdin, talk_stream(arguments))
    if arguments.json:
        print_json(asker.to_dict())
    return DONE


def _session(player: Player, tree: StrategyTree, out: TextIO, arguments: Namespace) -> Session:
    """Exact advice from where the player stands, in the game of this tree. InputError where its lists are not known."""
    from optimal.advice.session import Session  # here, because play by look-up alone needs neither numpy nor the engine
    from optimal.cli.problems import weighed
    from optimal.cli.progress import Reporter
    from optimal.games.game import Game
    from optimal.games.used import USED
    from optimal.games.weights import Weights

    def other(game: Game, name: str) -> tuple[Game, Weights | None]:
        return weighed(Game.preset(name, game.rules), arguments, remark)

    known = preset_of(tree.game.feedback, tree.game.guesses_sha256, tree.game.answers_sha256)
    listed = tree.game.name.removesuffix(USED)
    name = listed if known is None and arguments.used is not None else ""
    if known is None and not is_game(name):
        used, command = listed != tree.game.name, f"`optimal assist --words FILE{_asked(tree, tree.rules)}`"
        weights_too = f", with {BY_WEIGHTS}" if used or tree.weights is not None else ""
        own = f"guesses of your own need its lists: {command}, or --guesses and --answers{weights_too}"
        if used and is_game(listed):
            own = "guesses of your own need the answers used before: --used FILE, and --used-weight as for the tree"
        raise InputError(f"the guess is {player.guess}: this player has the tree of {tree.game.name} alone; {own}")
    game = Game.preset(name if known is None else known.name, tree.rules).with_rules(tree.rules, tree.max_guesses)
    game, weights = weighed(game, arguments, remark)
    if known is None and game.info.answers_sha256 != tree.game.answers_sha256:
        raise InputError(f"by {quoted(arguments.used)} the answers are other ones than those of the tree")
    if weights is None and tree.weights is not None:
        if tree.answers != game.answers:  # a tree of a position has those of its answers alone
            raise InputError(
                f"the tree has the weights of its own answers alone: take `optimal assist` with {BY_WEIGHTS}"
            )
        weights = Weights(tree.weights_name, tree.weights)
    session = Session(
        game,
        other,
        out,
        lambda: Reporter(plain=False, valued=True),
        contrast=arguments.contrast,
        weights=weights,
    )
    session.history, session.guess, session.explained = player.history, player.guess, True
    return session


def _other(tree: StrategyTree, game: str | None) -> StrategyTree | None:
    """The shipped tree of another game, or that of the same game and other rules; None where there is none that goes by
    the same weights and limit, which advice keeps."""
    if game is not None:
        return _shipped(preset(game).name, tree.rules)
    rules = Rules.NORMAL if tree.rules is Rules.HARD else Rules.HARD
    known = preset_of(tree.game.feedback, tree.game.guesses_sha256, tree.game.answers_sha256)
    if tree.weights is not None:
        return None
    if known is None:
        makes = (
            f"`optimal solve --words FILE{_asked(tree, rules)} --output TREE` makes one, `optimal play TREE` plays it"
        )
        raise InputError(f"there is no tree of {tree.game.name} under {rules} rules: {makes}")
    if _file_of(known.name, rules) not in tree_names():
        return None
    other = _shipped(known.name, rules)
    return other if tree.max_guesses == other.max_guesses else None


def _asked(tree: StrategyTree, rules: Rules) -> str:
    """The options of a command for the question of a tree of one's own lists, by these rules."""
    limit = "" if tree.max_guesses == DEFAULT_LIMIT else f" --max-guesses {tree.max_guesses or 'none'}"
    return f"{'' if rules is Rules.NORMAL else f' --rules {rules}'}{limit}"


def _tree(arguments: Namespace) -> StrategyTree:
    """The tree that is named, by itself or by its game and rules."""
    name, game = arguments.tree, arguments.game
    if name is not None and not os.path.exists(name):
        if game is None and is_game(name):
            name, game = None, name
        else:
            _check_tree_name(name)
    if name is None:
        return _shipped(preset(game or PLAYED_GAME).name, arguments.rules or Rules.NORMAL)
    if game is not None or arguments.rules is not None:
        raise InputError("name a tree, or a game and its rules, not both")
    if name.endswith(".txt") and os.path.isfile(name):
        raise wrong_kind(name, "a strategy tree", "optimal assist ")
    return load_tree(name)


def _check_tree_name(name: str) -> None:
    """InputError for what names neither a tree that ships nor a game: it says what somebody who plays can name."""
    trees = trees_that_ship()
    if shipped_name(name.removesuffix(".msgpack"), trees) is None:
        check_no_table(name)
        if names_file(name):
            raise InputError(f"there is no file {quoted(name, 200)}")
        check_no_turn(name)
        otherwise = "`optimal play` alone is today's Wordle, and `optimal games` lists games and trees"
        hint = rules_hint(name) or did_you_mean(name, [*game_names(), *trees], otherwise)
        raise InputError(f"there is no game, no tree and no file {quoted(name, 200)}{hint}")


def _file_of(game: str, rules: Rules) -> str:
    return f"{stem_of(game)}-{rules}.msgpack"


def _shipped(game: str, rules: Rules) -> StrategyTree:
    name = _file_of(game, rules)
    if name not in tree_names():
        raise InputError(
            f"no tree of {game} under {rules} rules is shipped, see `optimal games`; "
            f"`optimal solve {game} --rules {rules} --output FILE` makes one, `optimal play FILE` plays it"
        )
    return read_tree(tree_file(name))
