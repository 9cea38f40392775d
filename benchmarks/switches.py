"""What each shortcut of the search is worth: whole searches with it and without it.

    python benchmarks/switches.py                                  # every row, every shortcut
    python benchmarks/switches.py hard nyt2023 --only subsets
    python benchmarks/switches.py --runs 3 --at-once 2

Every search is a process of its own with one job, so that its nodes are the same in every run. Printed are the CPU
seconds and nodes with all shortcuts, then for each of them how many times as many seconds and nodes are spent without
it, of the medians: below 1.00 it costs more than it saves. A search that takes `--most` times as long as the one with
all shortcuts is ended.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import signal
import statistics
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from optimal import Game, solve
from optimal.games.weights import weights_of
from optimal.search.engine import SWITCHES

#: What is solved: the arguments of Game.preset and of solve.
ROWS: dict[str, dict[str, object]] = {
    "classic": {"preset": "classic"},
    "hard": {"preset": "classic", "rules": "hard"},
    "hard-within-5": {"preset": "classic", "rules": "hard", "max_guesses": 5},
    "hard-within-4": {"preset": "classic", "rules": "hard", "max_guesses": 4},
    "ultra-hard": {"preset": "classic", "rules": "ultra-hard"},
    "worst": {"preset": "classic", "objective": "worst"},
    "within-3": {"preset": "classic", "objective": "within:3"},
    "frequency": {"preset": "classic", "weights": "frequency"},
    "qajaq": {"preset": "classic", "first": ["qajaq"]},
    "lants": {"preset": "classic-all", "first": ["lants"]},
    "bulls-and-cows": {"preset": "bulls-and-cows"},
    "mastermind:4x7": {"preset": "mastermind:4x7"},
    "nyt2022": {"preset": "nyt2022"},
    "nyt2022-hard": {"preset": "nyt2022", "rules": "hard"},
    "nyt2023": {"preset": "nyt2023"},
    "nyt2023-hard": {"preset": "nyt2023", "rules": "hard"},
}


class Measured(NamedTuple):
    """What a search took, and what it found."""

    seconds: float
    nodes: int
    status: str
    total: int | None


def median(runs: Sequence[Measured]) -> tuple[float, float]:
    """Of the CPU seconds, and of the nodes."""
    return statistics.median(run.seconds for run in runs), statistics.median(run.nodes for run in runs)


def search(name: str, without: str, most: float) -> None:
    """Run one search in this process, and print what it took; end the process after `most` CPU seconds (0: never)."""
    if most:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(most), math.ceil(most) + 1))
    row = dict(ROWS[name])
    game = Game.preset(str(row.pop("preset")), rules=str(row.pop("rules", "normal")))
    if "weights" in row:
        row["weights"] = weights_of(game, str(row["weights"]))
    result = solve(game, without=frozenset({without} - {""}), **row)  # type: ignore[arg-type]
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([used.ru_utime + used.ru_stime, result.nodes, str(result.status), result.total]))


def measure(name: str, without: str, most: float) -> Measured | None:
    """CPU seconds, nodes and outcome of a search; None of one that takes more than `most` CPU seconds, if not 0."""
    command = [sys.executable, __file__, "--search", name, without, "--most", str(most)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return None
    return Measured(*json.loads(done.stdout))


def compare(name: str, only: list[str], runs: int, at_once: int, most: float) -> None:
    """Print what each of these shortcuts is worth in one row."""
    with ThreadPoolExecutor(at_once) as threads:

        def started(without: str, most: float) -> list[Future[Measured | None]]:
            return [threads.submit(measure, name, without, most) for _ in range(runs)]

        whole = [found for run in started("", 0) if (found := run.result())]
        seconds, nodes = median(whole)
        print(f"{name}: {seconds:.2f} s, {nodes:.0f} nodes", flush=True)
        for switch, waiting in [(switch, started(switch, most * seconds)) for switch in only]:
            done = [found for run in waiting if (found := run.result())]
            if len(done) < runs:
                print(f"    {switch:12} more than {most:g} times", flush=True)
                continue
            assert {run[2:] for run in done} == {whole[0][2:]}, f"{name} without {switch}: another result"
            times, many = median(done)
            print(f"    {switch:12} {times / seconds:5.2f} {many / nodes:6.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--only", nargs="+", choices=sorted(SWITCHES), default=sorted(SWITCHES))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=1, help="searches at a time")
    parser.add_argument("--most", type=float, default=2.0)
    parser.add_argument("--search", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search:
        name, without = options.search
        search(name, without, options.most)
        return
    for name in options.rows or ROWS:
        compare(name, options.only, options.runs, options.at_once, options.most)


if __name__ == "__main__":
    main()
