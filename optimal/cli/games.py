"""The games known by name, with sizes and hashes of their lists, and the strategy trees that are shipped."""

from __future__ import annotations

import argparse

from optimal.cli import DONE
from optimal.cli.common import add_json, print_json
from optimal.games.presets import Preset, presets
from optimal.games.resources import ALIASES, tree_file, tree_names
from optimal.show.table import by_depth
from optimal.show.text import columns, paragraph
from optimal.trees.file import read_tree
from optimal.trees.tree import StrategyTree

HASH_SHOWN = 16  # characters; enough to compare by eye

EXAMPLES = (("optimal games", "names for --game, and for `optimal play`"),)


def configure(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    trees = {name.removesuffix(".msgpack"): read_tree(tree_file(name)) for name in tree_names()}
    if arguments.json:
        print_json(
            {
                "games": [_game_fields(game) for game in presets()],
                "aliases": ALIASES,
                "trees": [_tree_fields(name, tree) for name, tree in trees.items()],
            }
        )
        return DONE
    print(columns(("game", "guesses", "answers", "limit", ""), [_row(game) for game in presets()], left=(0, 4)))
    print(columns(("lists", "sha256 of guesses", "and of answers"), map(_hashes, presets()), left=(0, 1, 2)), end="")
    aliases = ", ".join(f"{alias} is {name}, the newest list that is shipped" for alias, name in ALIASES.items())
    sizes = "mastermind:PxC, bulls-and-cows:PxC and black-pegs:PxC take other pegs x colours, up to 65535 codes"
    print(paragraph(f"{aliases}; {sizes}; --json shows whole hashes."))
    if not trees:
        print("no tree is shipped")
        return DONE
    headings = ("shipped tree", "opener", "answers", "total", "mean", "worst", "status")
    print(columns(headings, [_tree_row(name, tree) for name, tree in trees.items()], left=(0, 1, 6)), end="")
    return DONE


def _row(game: Preset) -> tuple[object, ...]:
    return game.name, game.guess_count, game.answer_count, game.max_guesses or "none", game.title


def _hashes(game: Preset) -> tuple[str, str, str]:
    return game.name, game.guesses_sha256[:HASH_SHOWN], game.answers_sha256[:HASH_SHOWN]


def _tree_row(name: str, tree: StrategyTree) -> tuple[object, ...]:
    return name, tree.root.guess, len(tree.answers), tree.total, tree.mean, tree.worst, tree.status


def _game_fields(game: Preset) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "kind": game.kind,
        "guesses": game.guess_count,
        "answers": game.answer_count,
        "max_guesses": game.max_guesses,
        "guesses_sha256": game.guesses_sha256,
        "answers_sha256": game.answers_sha256,
    }


def _tree_fields(name: str, tree: StrategyTree) -> dict[str, object]:
    return {
        "name": name,
        "game": tree.game.name,
        "rules": tree.rules.value,
        "objective": tree.objective,
        "max_guesses": tree.max_guesses,
        "status": tree.status,
        "opener": tree.root.guess,
        "total": tree.total,
        "mean": float(tree.mean),
        "worst": tree.worst,
        "distribution": by_depth(tree.distribution),
        "answers": len(tree.answers),
    }
