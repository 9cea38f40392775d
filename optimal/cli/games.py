"""`optimal games`: the games known by name, and the strategy trees that are shipped."""

from __future__ import annotations

from argparse import Namespace

from optimal.cli.console import DONE
from optimal.cli.output import print_result
from optimal.games.presets import Preset, presets
from optimal.games.resources import ALIASES, tree_file, tree_names
from optimal.show.table import by_depth
from optimal.show.text import columns, paragraph
from optimal.trees.file import read_tree
from optimal.trees.tree import StrategyTree

HASH_SHOWN = 16  # characters; enough to compare by eye
SIZES = "mastermind:PxC, bulls-and-cows:PxC and black-pegs:PxC take other pegs x colours, up to 65535 codes"


def run(arguments: Namespace) -> int:
    trees = {name.removesuffix(".msgpack"): read_tree(tree_file(name)) for name in tree_names()}
    fields = {
        "games": [_game_fields(game) for game in presets()],
        "aliases": ALIASES,
        "trees": [_tree_fields(name, tree) for name, tree in trees.items()],
    }
    print_result(arguments, fields, _text(trees))
    return DONE


def _text(trees: dict[str, StrategyTree]) -> str:
    rows = [
        (game.name, game.guess_count, game.answer_count, game.max_guesses or "none", game.title) for game in presets()
    ]
    hashes = [(game.name, game.guesses_sha256[:HASH_SHOWN], game.answers_sha256[:HASH_SHOWN]) for game in presets()]
    aliases = ", ".join(f"{alias} is {name}, the newest list that is shipped" for alias, name in ALIASES.items())
    shipped = [
        (name, tree.root.guess, len(tree.answers), tree.total, tree.mean, tree.worst, tree.status)
        for name, tree in trees.items()
    ]
    return "\n".join(
        (
            columns(("game", "guesses", "answers", "limit", ""), rows, left=(0, 4)),
            columns(("lists", "sha256 of guesses", "and of answers"), hashes, left=(0, 1, 2))
            + paragraph(f"{aliases}; {SIZES}; --json shows whole hashes."),
            columns(("shipped tree", "opener", "answers", "total", "mean", "worst", "status"), shipped, left=(0, 1, 6)),
        )
    )


def _game_fields(game: Preset) -> dict[str, object]:
    named = ("name", "title", "kind", "max_guesses", "guesses_sha256", "answers_sha256")
    counts = {"guesses": game.guess_count, "answers": game.answer_count}
    return {name: getattr(game, name) for name in named} | counts


def _tree_fields(name: str, tree: StrategyTree) -> dict[str, object]:
    named = ("objective", "max_guesses", "status", "total", "worst")
    return {field: getattr(tree, field) for field in named} | {
        "name": name,
        "game": tree.game.name,
        "rules": tree.rules.value,
        "opener": tree.root.guess,
        "mean": float(tree.mean),
        "distribution": by_depth(tree.distribution),
        "answers": len(tree.answers),
    }
