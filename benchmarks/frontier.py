"""How long it would take to refute every opener of a large game: a sample, spread evenly over the openers from the most
to the least promising, and what it predicts for all of them.

    python benchmarks/frontier.py --game classic-all --total 52896 --openers 16 --seconds 240

Each opener is searched by one thread until no tree with it can cost `total` or less, or until its seconds are over; the
table is kept from opener to opener, as in a run. For those not refuted by then the time is extrapolated by how fast the
bound rose in the last doublings of the time: more than a guess, less than a measurement, so they are counted apart.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time

from optimal import Game
from optimal.search.engine import engine_limit, new_control, promising
from optimal.search.question import Question

FIRST_LOOKS = 16
#: Doublings of the time over which the rise of the bound is taken.
RECENT = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="classic-all")
    parser.add_argument("--total", type=int, default=52896, help="of the best tree known")
    parser.add_argument("--openers", type=int, default=16, help="in the sample")
    parser.add_argument("--seconds", type=float, default=240, help="of CPU time for each")
    options = parser.parse_args()
    game = Game.preset(options.game)
    engine = Question(game, game.max_guesses).engine()
    search, limit = engine.search(new_control()), engine_limit(game.max_guesses)
    order = promising(engine.tables, set(range(len(game.guesses))))
    every = len(order) / options.openers
    taken, guessed = [], 0
    for number in range(options.openers):
        rank = int((number + 0.5) * every)
        begun, looks, course, ended = time.thread_time(), FIRST_LOOKS, [], False
        while not ended and time.thread_time() - begun < options.seconds:
            bound, ended = search.opener_slice(order[rank], limit, options.total + 1, looks)
            course.append((time.thread_time() - begun, bound))
            looks *= 2
        spent, bound = course[-1]
        needed = spent if ended else spent * 2 ** doublings(course, options.total + 1)
        guessed += not ended
        taken.append(needed)
        told = "refuted" if ended else f"bound {bound}; extrapolated to {needed:.0f} s"
        print(f"{rank:6} {game.guesses[order[rank]]} {spent:7.1f} s  {told}", flush=True)
    hours = len(order) / 3600
    spread = statistics.stdev(taken) / math.sqrt(len(taken))
    print(f"{len(taken)} openers, {guessed} of them extrapolated: {statistics.mean(taken):.0f} s each, median")
    print(f"{statistics.median(taken):.0f} s; all {len(order)}: {statistics.mean(taken) * hours:.0f} core-hours,")
    print(f"standard error {spread * hours:.0f}")


def doublings(course: list[tuple[float, int]], needed: int) -> float:
    """How many more doublings of the time the bound needs, at the rate of the last ones."""
    (then, low), (now, high) = course[max(0, len(course) - 1 - RECENT)], course[-1]
    rise = (high - low) / math.log2(now / then) if now > then else 0.0
    return min(10.0, (needed - high) / rise) if rise > 0 else 10.0


if __name__ == "__main__":
    main()
