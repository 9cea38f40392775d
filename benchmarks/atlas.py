"""The atlas of peg games: the best strategies of Mastermind, of codes without repeats and of black pegs alone.

    python benchmarks/atlas.py [GAME ...] [--codes N] [--seconds S] [--jobs N] [--write]

Solves all games of 2 pegs and colours and more, up to so many codes, the smallest first, or those named: for the least
total and for the least worst case, over all guesses and over consistent ones only (ultra-hard rules). Prints a row for
each as soon as it is known, as CSV; `--write` also puts it into docs/reference/peg-games.csv, in the place of the one
before. Run again it goes on there: games whose row is proven throughout are left out unless they are named, and others
are solved anew, for which it takes more seconds than before. Exit status 1 if a result is not the known one.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from optimal import Game, Result, StrategyTree, solve
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.games.feedback import MAX_COLOURS, MAX_PEGS
from optimal.games.presets import preset
from optimal.search.result import Status

TABLE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "peg-games.csv"
GAMES = ("mastermind", "bulls-and-cows", "black-pegs")
COLUMNS = ("opener", "total", "worst case", "least worst case")
HEAD = ["game", "codes", *COLUMNS, *(f"consistent: {column}" for column in COLUMNS), "date"]
INTERRUPTED = "interrupted"  # a solve that was stopped by a signal says so, and does not raise
RULES = ("normal", "ultra-hard")
OBJECTIVES = ("mean", "worst")
#: Published or found before.
KNOWN = {
    ("mastermind:2x3", "normal", "mean"): (21,),
    ("mastermind:3x3", "normal", "mean"): (73,),
    ("mastermind:3x5", "ultra-hard", "mean"): (455,),
    ("mastermind:3x8", "normal", "mean"): (2359,),
    ("mastermind:4x6", "normal", "mean"): (5625,),
    ("mastermind:4x6", "normal", "worst"): (5, 5626),
    ("mastermind:4x6", "ultra-hard", "mean"): (5660,),
    ("mastermind:4x7", "normal", "mean"): (11228,),
    ("mastermind:4x8", "normal", "mean"): (20471,),
    ("mastermind:4x9", "normal", "mean"): (34666,),
    ("mastermind:4x10", "normal", "mean"): (55632,),
    ("mastermind:5x4", "normal", "mean"): (3954,),
    ("mastermind:5x5", "normal", "mean"): (13496,),
    ("mastermind:5x6", "normal", "mean"): (36721,),
    ("mastermind:5x7", "normal", "mean"): (85645,),
    ("bulls-and-cows:4x10", "normal", "mean"): (26274,),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="such as mastermind:4x8 (default: by --codes)")
    parser.add_argument("--codes", type=int, default=1300, metavar="N", help="codes of a game, at most (default: 1300)")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="time for each solve (default: 60)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="threads (default: 1)")
    parser.add_argument("--write", action="store_true", help="put the rows into docs/reference/peg-games.csv")
    arguments = parser.parse_args()
    there = rows_there() if arguments.write else {}
    right = True
    print(as_csv([HEAD]), end="")
    for name in arguments.games or [each for each in names_up_to(arguments.codes) if not proven(there.get(each))]:
        try:
            row, known = solved(name, arguments.seconds, arguments.jobs)
        except KeyboardInterrupt:
            return 130
        right = right and known
        print(as_csv([row]), end="", flush=True)
        if arguments.write:  # read anew, since it takes long
            rows = rows_there() | {name: row}
            write_whole(TABLE, [as_csv([HEAD, *sorted(rows.values(), key=place)]).encode()])
    if not right:
        print("a result is not the known one", file=sys.stderr)
    return 0 if right else 1


def names_up_to(codes: int) -> list[str]:
    """The games of so many codes at most, smallest first."""
    found = []
    for game in GAMES:
        for pegs in range(2, MAX_PEGS + 1):
            for colours in range(2, MAX_COLOURS + 1):
                name = f"{game}:{pegs}x{colours}"
                try:
                    count = preset(name).guess_count
                except InputError:  # it has too many codes, or too few colours
                    continue
                if count <= codes:
                    found.append((count, name))
    return [name for _, name in sorted(found)]


def solved(name: str, seconds: float, jobs: int) -> tuple[list[str], bool]:
    """The row of a game, and whether nothing in it contradicts what is known."""
    cells = [name, str(preset(name).guess_count)]
    right = True
    results: dict[str, dict[str, Result]] = {}
    for rules in RULES:
        game = Game.preset(name, rules)
        results[rules] = {each: solve(game, objective=each, time_limit=seconds, jobs=jobs) for each in OBJECTIVES}
        if any(found.stop_reason == INTERRUPTED for found in results[rules].values()):
            raise KeyboardInterrupt
        right = right and all(may_be(KNOWN.get((name, rules, each)), found) for each, found in results[rules].items())
    floor = (0, 0)
    for rules in RULES:
        # A tree of consistent guesses is one of the game without that rule, and a bound of these holds for those.
        trees = [found.tree for each in RULES[RULES.index(rules) :] for found in results[each].values() if found.tree]
        more, floor = half_row(results[rules], trees, floor)
        cells += more
    return [*cells, time.strftime("%Y-%m-%d")], right


def proven(row: Sequence[str] | None) -> bool:
    """Whether there is a row, and nothing but proven values in it."""
    return row is not None and not any(sign in cell for cell in row for sign in (" to ", "("))


def may_be(known: tuple[int, ...] | None, result: Result) -> bool:
    """Whether a known value lies within what was proven."""
    if known is None or result.bound is None or result.value is None:
        return known is None
    return result.bound <= known <= result.value


def half_row(
    found: dict[str, Result], trees: Sequence[StrategyTree], floor: tuple[int, int]
) -> tuple[list[str], tuple[int, int]]:
    """Opener, total and worst case of the best tree, and the least worst case with the total within it; ranges where
    that is not proven. And the bounds of total and worst case, which are no less than those of `floor`."""
    mean, worst = (found[each].bound or (0, 0) for each in OBJECTIVES)
    total_bound, worst_bound = max(mean[0], floor[0]), max(worst[0], floor[1])
    best = min(trees, key=lambda tree: (tree.total, tree.worst))
    lowest = min(trees, key=lambda tree: (tree.worst, tree.total))
    height = str(best.worst)
    if total_bound < best.total or (found["mean"].status is not Status.OPTIMAL and worst_bound < best.worst):
        height = f"({height})"
    least = between(worst_bound, lowest.worst)
    if worst_bound == lowest.worst:
        within_bound = max(total_bound, worst[1] if worst[0] == worst_bound else 0)
        least = f"{least}: {between(within_bound, lowest.total)}"
    return [best.root.guess, between(total_bound, best.total), height, least], (total_bound, worst_bound)


def between(bound: int, value: int) -> str:
    return str(value) if bound == value else f"{bound} to {value}"


def rows_there() -> dict[str, list[str]]:
    """The rows of the table as it is, by game."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row[0]: row for row in list(csv.reader(file))[1:]}


def place(row: Sequence[str]) -> tuple[int, int, str]:
    """Where a row stands: by the kind of game, then by the number of codes."""
    return GAMES.index(row[0].partition(":")[0]), int(row[1]), row[0]


def as_csv(rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
