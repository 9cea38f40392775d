"""Measures the search for least keys on tables that anybody can make again, and checks what it finds.

    python benchmarks/keys.py [NAME ...] [--seconds N] [--others] [--list]

Every row is one search with one job in a process of its own, which ends after `--seconds` of CPU time at the latest:
then its best key stands there with the bound that is proven. Random tables come from Python's generator, seeded by what
they are. Printed is a Markdown table. Exit status 1 if a result is not the known one.

`--others` measures other methods instead, on the tables that they can take: a plain table of all sets of objects
(to 20 objects), and STreeD, where the package pystreed is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from run import chosen, conditions

from optimal import Table, identify
from optimal.search.rules_of_thumb import USUAL, by_rules


def two_way(objects: int, questions: int, density: float, costs: int = 1) -> Table:
    """Two replies, one of them as frequent as `density`; costs from 1 to `costs`."""
    r = random.Random(f"two-way {objects} {questions} {density} 1")
    rows: dict[tuple[int, ...], None] = {}
    while len(rows) < objects:
        rows[tuple(int(r.random() < density) for _ in range(questions))] = None
    return Table.from_arrays(list(rows), costs=[r.randint(1, costs) for _ in range(questions)])


def key(objects: int, questions: int, weights: int = 1, costs: int = 1, groups: int = 0) -> Table:
    """Two to five replies, some frequent and some rare; weights and costs from 1 on, so many groups (0: none)."""
    r = random.Random(f"key {objects} {questions} 1")
    shares = [[r.random() ** 2 + 0.02 for _ in range(r.randint(2, 5))] for _ in range(questions)]
    rows: dict[tuple[int, ...], None] = {}
    while len(rows) < objects:
        rows[tuple(r.choices(range(len(share)), share)[0] for share in shares)] = None
    return Table.from_arrays(
        list(rows),
        costs=[r.randint(1, costs) for _ in range(questions)],
        weights=[r.randint(1, weights) for _ in range(objects)],
        groups=[r.randrange(groups) for _ in range(objects)] if groups else None,
    )


def varying(objects: int, questions: int, share: float) -> Table:
    """Two to four replies; this share of the cells is unknown, and as many vary."""
    r = random.Random(f"varying {objects} {questions} {share} 1")

    def cell(replies: str) -> str:
        kind = r.random()
        return "?" if kind < share else "/".join(r.sample(replies, 2)) if kind < 2 * share else r.choice(replies)

    return Table.from_arrays([[cell("abcd"[: 2 + q % 3]) for q in range(questions)] for _ in range(objects)])


class Row(NamedTuple):
    """A table and what is asked of it. `known` is the proven value, empty where none is; `wanted` the seconds that it
    should take on one core, `prototype` those of an early prototype of the engine on such a table, not the same."""

    name: str
    table: Callable[[], Table]
    known: tuple[int, ...] = ()
    wanted: str = ""
    prototype: str = ""
    objective: str = "mean"


def _made(name: str) -> Callable[[], Table]:
    return partial(Table.from_csv, name)


ROWS = (
    *(Row(f"sorting:{n}", _made(f"sorting:{n}"), (total,)) for n, total in ((3, 16), (4, 112), (5, 832))),
    Row("sorting:6", _made("sorting:6"), (6896,), "", "0.001"),
    Row("sorting:7", _made("sorting:7"), (62416,), "1", "4.5 to 6.3"),
    Row("sorting:8", _made("sorting:8"), (620160,), "60", "not in 60"),
    *(
        Row(f"sorting:{n} worst", _made(f"sorting:{n}"), (worst, total), objective="worst")
        for n, worst, total in ((3, 3, 16), (4, 5, 112), (5, 7, 832), (6, 10, 6896), (7, 13, 62416))
    ),
    Row("sorting:8 worst", _made("sorting:8"), (16, 620160), "60", "0.7, the worst case alone", "worst"),
    Row("coins:12", _made("coins:12"), (72,), "", "0.4"),
    Row("coins:12 worst", _made("coins:12"), (3, 72), objective="worst"),
    Row("two-way 20 x 30, 0.5", partial(two_way, 20, 30, 0.5), (88,)),
    Row("two-way 20 x 30, 0.2, costs", partial(two_way, 20, 30, 0.2, 3), (128,)),
    Row("two-way 50 x 50, 0.5", partial(two_way, 50, 50, 0.5), (286,)),
    Row("two-way 100 x 100, 0.5", partial(two_way, 100, 100, 0.5), (672,), "", "at once"),
    Row("guess-who 24 x 20", _made("guess-who"), (112,), "", "at once"),
    Row("two-way 200 x 40, 0.2", partial(two_way, 200, 40, 0.2), (1662,), "1", "0.04 to 0.3"),
    Row("two-way 200 x 40, 0.2, worst", partial(two_way, 200, 40, 0.2), (12, 1672), "60", "", "worst"),
    Row("two-way 200 x 40, 0.2, costs", partial(two_way, 200, 40, 0.2, 3), (1901,), "60", "24"),
    Row("two-way 500 x 40, 0.2", partial(two_way, 500, 40, 0.2), (4996,), "60", "22"),
    Row("two-way 100 x 30, 0.1", partial(two_way, 100, 30, 0.1), (848,), "", "0.3"),
    Row("key 120 x 40, weights, costs", partial(key, 120, 40, 20, 5), (5292,), "1", "0.05"),
    Row("key 120 x 40, weights, costs, worst", partial(key, 120, 40, 20, 5), (6, 5292), "", "", "worst"),
    Row("key 300 x 80", partial(key, 300, 80), (1199,), "1", "0.5"),
    Row("key 300 x 80, weights, costs", partial(key, 300, 80, 20, 5), (16600,)),
    Row("key 500 x 50", partial(key, 500, 50), (2238,), "", "0.4 to 3.4"),
    Row("key 300 x 40, weights, costs, groups", partial(key, 300, 40, 20, 5, 100), (19161,), "60", "37"),
    Row("varying 60 x 25, 0.1", partial(varying, 60, 25, 0.1), (17864064,), "60"),
    Row("varying 300 x 80, 0.05", partial(varying, 300, 80, 0.05), (85546450944,), "60"),
    Row("two-way 200 x 60, 0.1", partial(two_way, 200, 60, 0.1), (), "", "not in 60"),
    Row("two-way 100 x 30, 0.1, costs", partial(two_way, 100, 30, 0.1, 3), (), "", "not in 60"),
    Row("two-way 100 x 60, 0.1, costs", partial(two_way, 100, 60, 0.1, 3), (), "", "not in 60"),
)


def search(row: Row, seconds: int) -> dict[str, Any]:
    """Search in this process for so many seconds of CPU time, and tell what came of it."""
    signal.signal(signal.SIGPROF, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    table = row.table()
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    found = identify(table, objective=row.objective)
    signal.setitimer(signal.ITIMER_PROF, 0)
    took = time.process_time() - began
    rule = dict(by_rules(table, objective=row.objective))[USUAL]
    size = [len(table.objects), len(table.questions)]
    return {**found.to_dict(), "cpu": took, "greedy": rule.total, "greedy_worst": rule.value[0], "size": size}


def by_sets(table: Table) -> int:
    """The least total by a table of all sets of objects, from small to large: 20 objects at most, each alone."""
    many = len(table.objects)
    if many > 20 or table.variants > many or len(set(table.groups.tolist())) < many:
        raise ValueError("by_sets: 20 objects at most, none of them variable or in a group")
    sets = np.arange(1 << many)
    members = np.array([bin(one).count("1") for one in range(1 << many)])
    weight = np.zeros(1 << many, dtype=np.int64)
    for i, own in enumerate(table.weights.tolist()):
        weight += np.where(sets >> i & 1, own, 0)
    masks = [
        [sum(1 << i for i in range(many) if row[i] == code) for code in sorted(set(row))]
        for row in table.codes.tolist()
    ]
    least = np.zeros(1 << many, dtype=np.int64)
    for size in range(2, many + 1):
        now = sets[members == size]
        best = np.full(len(now), 1 << 62)
        for cost, found in zip(table.costs.tolist(), masks, strict=True):
            parts = [now & mask for mask in found]
            splits = np.logical_and.reduce([part != now for part in parts])
            total = cost * weight[now] + sum(least[part] for part in parts)
            best = np.where(splits, np.minimum(best, total), best)
        least[now] = best
    return int(least[-1])


def by_streed(table: Table, seconds: int) -> int | None:
    """The least total by STreeD: each object is a class, a wrong one costs more than any key. None: not in time.

    Its trees are of two branches, so questions of two replies alone can be asked.
    """
    from pystreed import STreeDCostSensitiveClassifier  # type: ignore[import-not-found]
    from pystreed.data import CostSpecifier, FeatureCostSpecifier  # type: ignore[import-not-found]

    many, costs = len(table.objects), table.costs.tolist()
    wrong = float(sum(costs) * many)
    features = [FeatureCostSpecifier(float(cost), float(cost), f"q{i}", i, i) for i, cost in enumerate(costs)]
    matrix = [[0.0 if i == j else wrong for j in range(many)] for i in range(many)]
    # It takes no greater depth: least keys of such tables are lower.
    solver = STreeDCostSensitiveClassifier(max_depth=min(many - 1, 20), max_num_nodes=many - 1, time_limit=seconds)
    asked = table.codes.T.astype(int)
    solver.fit(asked, np.arange(many), CostSpecifier(matrix, features))
    if not solver.fit_result.is_optimal():
        return None
    total, stack = 0, [(solver.get_tree(), np.arange(many))]
    while stack:
        node, left = stack.pop()
        if not node.is_leaf_node():
            total += costs[node.feature] * len(left)
            ones = asked[left, node.feature] == 1
            stack += [(node.left_child, left[~ones]), (node.right_child, left[ones])]
    return total


def others(row: Row, seconds: int) -> None:
    """Print what other methods find, and the CPU seconds that they take."""
    table, found = row.table(), []
    two = (
        max(map(len, table.replies)) == 2
        and len(set(table.weights.tolist())) == 1
        and find_spec("pystreed") is not None
    )
    for name, method in (("all sets", by_sets), ("STreeD", partial(by_streed, seconds=seconds))):
        if len(table.objects) <= 20 if method is by_sets else two:
            began = time.process_time()
            total = method(table)
            found.append(f"{name} {total or 'not in time'} in {time.process_time() - began:.2f} s")
    print(f"{row.name}: {'; '.join(found) or 'nothing'}", flush=True)


def measure(row: Row, seconds: int) -> dict[str, Any]:
    """Search in a process of its own."""
    words = [sys.executable, __file__, row.name, "--search", "--seconds", str(seconds)]
    found: dict[str, Any] = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout)
    return found


def is_right(row: Row, found: dict[str, Any]) -> bool:
    """Whether a result is the known one, where there is one; a row that is to be proven must be."""
    proven = found["status"] == "OPTIMAL"
    return (tuple(found["value"]) == row.known and proven) if row.known else True


def _gap(found: dict[str, Any]) -> float:
    """What may be too much, in per cent, of the part of the value that isn't proven."""
    return next(
        (100 * (ours - low) / ours for ours, low in zip(found["value"], found["bound"], strict=True) if ours > low), 0
    )


def line(row: Row, found: dict[str, Any]) -> str:
    """A row of the table."""
    value, bound = (", ".join(map(str, found[what])) for what in ("value", "bound"))
    if not is_right(row, found):
        value = f"**{value}, not {', '.join(map(str, row.known))}**"
    other = found["greedy"] if row.objective == "mean" else f"{found['greedy_worst']}, {found['greedy']}"
    proven = "proven" if found["status"] == "OPTIMAL" else f"{bound} ({_gap(found):.1f} %)"
    cells = (
        row.name,
        " x ".join(map(str, found["size"])),
        value,
        proven,
        f"{found['cpu']:.2f}",
        str(found["nodes"]),
        str(other),
        row.wanted,
        row.prototype,
    )
    return f"| {' | '.join(cells)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to run (default: all)")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="CPU seconds of a search (default: 60)")
    parser.add_argument("--others", action="store_true", help="measure other methods")
    parser.add_argument("--list", action="store_true", help="show the rows and run nothing")
    parser.add_argument("--search", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.seconds < 1:
        parser.error(f"--seconds must be 1 or more, not {arguments.seconds}")
    rows = chosen(parser, arguments.names, ROWS)
    if arguments.list:
        print(*(row.name for row in rows), sep="\n")
        return 0
    if arguments.search:
        print(json.dumps(search(rows[0], arguments.seconds)))
        return 0
    if arguments.others:
        for row in rows:
            if row.objective == "mean":
                others(row, arguments.seconds)
        return 0
    table = [
        f"{conditions(1)}; one job, {arguments.seconds} CPU s a row at most\n",
        "| row | objects x questions | least | bound | CPU s | nodes | information per cost | wanted s | prototype s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    print(*table, sep="\n", flush=True)
    right = True
    for row in rows:
        found = measure(row, arguments.seconds)
        right = is_right(row, found) and right
        table.append(line(row, found))
        print(table[-1], flush=True)
    if not right:
        print("a result is not the known one", file=sys.stderr)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
