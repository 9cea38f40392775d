"""`optimal games`: the games known by name, and the strategy trees that are shipped."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from optimal.cli.console import DONE
from optimal.cli.output import print_result
from optimal.games.presets import LONG, Preset, presets
from optimal.games.resources import ALIASES, tree_file, tree_names
from optimal.show.record import plain
from optimal.show.text import columns, paragraph
from optimal.trees.file import read_tree
from optimal.trees.tree import StrategyTree

HASH_SHOWN = 16  # characters; enough to compare by eye
SIZES = "mastermind:PxC, bulls-and-cows:PxC and black-pegs:PxC take other pegs x colours, up to 65535 codes"


def run(arguments: Namespace) -> int:
    trees = {name.removesuffix(".msgpack"): read_tree(tree_file(name)) for name in tree_names()}
    games = [_game_fields(game) for game in presets()]
    shipped = [_tree_fields(name, tree) for name, tree in trees.items()]
    print_result(arguments, {"games": games, "aliases": ALIASES, "trees": shipped}, _text(games, shipped))
    return DONE


def _text(games: list[dict[str, Any]], trees: list[dict[str, Any]]) -> str:
    of_game, of_tree = ("guesses", "answers"), ("opener", "answers", "total", "mean", "worst", "status")
    rows = [[game["name"], *map(game.get, of_game), game["max_guesses"] or "none", game["title"]] for game in games]
    hashes = [[game["name"], *(game[f"{name}_sha256"][:HASH_SHOWN] for name in of_game)] for game in games]
    shipped = [[tree["name"], *map(tree.get, of_tree)] for tree in trees]
    aliases = ", ".join(f"{alias} is {name}, the newest list that is shipped" for alias, name in ALIASES.items())
    lists = columns(("lists", "sha256 of guesses", "and of answers"), hashes, left=(0, 1, 2))
    notes = f"{aliases}; {SIZES}; {', '.join(LONG)} may take days to solve; --json shows whole hashes."
    return "\n".join(
        (
            columns(("game", *of_game, "limit", ""), rows, left=(0, 4)),
            f"{lists}{paragraph(notes)}",
            columns(("shipped tree", *of_tree), shipped, left=(0, 1, 6)),
        )
    )


def _game_fields(game: Preset) -> dict[str, Any]:
    named = ("name", "title", "kind", "max_guesses", "guesses_sha256", "answers_sha256")
    counts = {"guesses": game.guess_count, "answers": game.answer_count}
    return {name: getattr(game, name) for name in named} | counts


def _tree_fields(name: str, tree: StrategyTree) -> dict[str, Any]:
    named = ("objective", "max_guesses", "rules", "status", "total", "mean", "worst", "distribution")
    fields = {field: plain(getattr(tree, field)) for field in named}
    about = {"name": name, "game": tree.game.name, "opener": tree.root.guess, "answers": len(tree.answers)}
    return fields | about
