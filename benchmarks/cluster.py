"""Predicts how well a run uses many cores, from the seconds that openers took by its journal.

    python benchmarks/cluster.py JOURNAL [--cores 1,2,4,64,1000] [--repeat N] [--setup S] [--latency S]

The model does what `optimal.search.processes` and Dask do: openers in order, one a task at first, then more; a task
goes to the worker that is free first; each worker takes `--setup` seconds before its first task (the game, supersets)
and each task `--latency` seconds on its way. Openers that outlast their task's time are taken up in the next round.
What it leaves out: incumbents that come later to openers under way, and searches of one process that share memory.
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
from collections.abc import Sequence

from optimal.journal.database import Database
from optimal.search.processes import FIRST_SECONDS, MOST_OPENERS, MOST_SECONDS


def lengths(path: str) -> list[float]:
    """The seconds that each opener of a journal took, in the order of the list."""
    database = Database(path)
    try:
        return [row["seconds"] for row in database.rows("units", "below = ''")]
    finally:
        database.close()


def makespan(openers: Sequence[float], cores: int, setup: float, latency: float) -> float:
    """Seconds from the start of a run to its end."""
    free = [setup] * cores
    left, seconds, now = list(openers), FIRST_SECONDS, 0.0
    while left:
        free = [max(at, now) for at in free]
        heapq.heapify(free)
        again, at = [], 0
        while at < len(left):
            size = 1 if at < 8 * cores else min(MOST_OPENERS, max(1, (len(left) - at) // (8 * cores)))
            start = heapq.heappop(free)
            spent = 0.0
            for opener in left[at : at + size]:
                if spent >= seconds:
                    again.append(opener)
                elif spent + opener > seconds:
                    again.append(opener - (seconds - spent))
                    spent = seconds
                else:
                    spent += opener
            heapq.heappush(free, start + latency + spent)
            at += size
        now = max(free)  # a round ends with its last task
        left, seconds = again, min(2 * seconds, MOST_SECONDS)
    return now


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("journal")
    parser.add_argument("--cores", default="1,2,4,64,1000")
    parser.add_argument("--repeat", type=int, default=1, help="the journal is a sample: take each opener so many times")
    parser.add_argument("--setup", type=float, default=6.0, help="seconds before a worker's first task (default: 6)")
    parser.add_argument("--latency", type=float, default=0.02, help="seconds of a task on its way (default: 0.02)")
    arguments = parser.parse_args()
    openers = lengths(arguments.journal) * arguments.repeat
    random.Random(1).shuffle(openers)
    total = sum(openers)
    cuts = statistics.quantiles(openers, n=100)
    shown = ", ".join(
        f"{name} {cuts[at]:.2f}" for name, at in (("10 %", 9), ("median", 49), ("90 %", 89), ("99 %", 98))
    )
    print(f"{len(openers)} openers, {total:.0f} core-seconds; seconds of one: {shown}, most {max(openers):.1f}\n")
    print("| cores | seconds | speed-up | efficiency |\n|---|---|---|---|")
    for cores in map(int, arguments.cores.split(",")):
        seconds = makespan(openers, cores, arguments.setup, arguments.latency)
        print(f"| {cores} | {seconds:.0f} | {total / seconds:.1f} | {100 * total / seconds / cores:.0f} % |")


if __name__ == "__main__":
    main()
