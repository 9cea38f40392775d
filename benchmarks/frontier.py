"""How long it would take to refute every opener of a large game: a sample, drawn at random, a quarter of it among the
500 most promising openers, and what it predicts for all of them.

    python benchmarks/frontier.py --game classic-all --total 52762 --openers 24 --seconds 240

Each opener is searched by one thread until no tree with it can cost `total` or less, or until its seconds are over; the
table is kept from opener to opener, as in a run. Of those that are not refuted by then only that much is known, so the
mean of either part is estimated as that of an exponential distribution: all seconds spent, divided by the openers
refuted. Where times spread more widely, it is too small.
"""

from __future__ import annotations

import argparse
import random
import time

from optimal import Game
from optimal.search.engine import engine_limit, new_control, promising
from optimal.search.game_problem import Problem

FIRST_LOOKS, FIRST = 16, 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="classic-all")
    parser.add_argument("--total", type=int, default=52762, help="of the best tree known")
    parser.add_argument("--openers", type=int, default=24, help="in the sample")
    parser.add_argument("--seed", type=int, default=1, help="of the lot")
    parser.add_argument("--seconds", type=float, default=240, help="of CPU time for each")
    options = parser.parse_args()
    game = Game.preset(options.game)
    engine = Problem(game, game.max_guesses).engine()
    search, limit = engine.search(new_control()), engine_limit(game.max_guesses)
    order = promising(engine.tables, set(range(len(game.guesses))))
    first, rng, hours = min(FIRST, len(order)), random.Random(options.seed), 0.0
    for ranks, many in (
        (range(first), options.openers // 4),
        (range(first, len(order)), options.openers - options.openers // 4),
    ):
        refuted, spent = 0, 0.0
        for rank in sorted(rng.sample(ranks, min(many, len(ranks)))):
            begun, looks, bound, ended = time.thread_time(), FIRST_LOOKS, 0, False
            while not ended and time.thread_time() - begun < options.seconds:
                bound, ended = search.opener_slice(order[rank], limit, options.total + 1, looks)
                looks *= 2
            taken = time.thread_time() - begun
            spent += taken
            refuted += ended
            print(f"{rank:6} {game.guesses[order[rank]]} {taken:7.1f} s  {'refuted' if ended else bound}", flush=True)
        mean = spent / max(refuted, 1)
        hours += mean * len(ranks) / 3600
        print(f"{refuted} of {many} refuted in {spent:.0f} s, {mean:.1f} s each of {len(ranks)}", flush=True)
    print(f"all {len(order)}: {hours:.0f} core-hours")


if __name__ == "__main__":
    main()
