"""Settle the openers of a game one by one: each is searched until no tree with it costs TOTAL or less, or its least
total is known. Then every opener has a bound above TOTAL or an exact total, and the least total of the game is proven.

    nice -n 19 python benchmarks/all_words.py all-words.xz --game classic-all --total 52762 --jobs 2

The ledger is read if it is there, and written every minute and at the end, whole or not at all: a kill costs what was
found of the openers being searched. Ctrl-C, SIGTERM and --seconds end the run in order; SIGSTOP and SIGCONT pause it.
With --best N, TOTAL falls to that of the N-th best opener known, so that the N best are proven in the end.
--merge takes over the bounds of other ledgers of the same question. A line is printed for each opener that is settled:
the opener, its CPU seconds, and its bound, with = where it is exact, which is a tree of TOTAL or less.

--check N draws N openers of a ledger and settles them anew, each by an empty search, in slices, and by --without with
shortcuts left out. It writes nothing, and ends with an error where one contradicts the ledger.
"""

from __future__ import annotations

import argparse
import random
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from optimal import Game, __version__
from optimal.files import write_whole
from optimal.journal.ledger import read_ledger, to_bytes
from optimal.journal.records import Proven, contradict, stronger
from optimal.limits import INFEASIBLE
from optimal.search.engine import engine_limit, new_control
from optimal.search.game_problem import Problem
from optimal.search.options import Options

#: Work units, of 2^24 codes each, that an opener may take: no limit, and a slice of a check. Seconds.
WHOLE, SLICE = (1 << 31) - 1, 256
SAVE_EVERY, POLL = 60.0, 0.2


class Frontier:
    """What is proven of the openers of a game, and the threads that prove more."""

    def __init__(
        self,
        game: Game,
        most: int,
        ledger: str | None,
        more: Sequence[str] = (),
        without: Sequence[str] = (),
        best: int | None = None,
    ) -> None:
        #: What an opener must cost more than, or be exact, to be settled.
        self.total = most
        self.game, self.ledger, self.best = game, ledger, best
        self.question = Problem(game, game.max_guesses, options=Options(without=frozenset(without)))
        self.about = self.question.identity
        self.known: dict[str, Proven] = {}
        self.lock, self.end = threading.Lock(), threading.Event()
        for path in ([ledger] if ledger is not None and Path(ledger).exists() else []) + [*more]:
            for opener, proven in read_ledger(path, self.about).items():
                self.learn(opener, proven, path)

    def learn(self, opener: str, proven: Proven, source: str) -> None:
        """Keep the stronger of two bounds."""
        before = self.known.setdefault(opener, proven)
        if contradict(before, proven):
            raise SystemExit(f"{source}: {opener} is {proven}, but elsewhere {before}")
        if stronger(proven, before):
            self.known[opener] = proven
        if proven.exact and self.best is not None:
            exact = sorted(proven.lower for proven in self.known.values() if proven.exact)
            self.total = min([self.total, *exact[self.best - 1 : self.best]])

    def settled(self, opener: str) -> bool:
        proven = self.known.get(opener)
        return proven is not None and (proven.exact or proven.lower > self.total)

    def left(self, openers: Sequence[str]) -> list[str]:
        """Those that are not settled, by their endings: words of one ending share classes, and so the table."""
        return sorted((opener for opener in openers if not self.settled(opener)), key=lambda opener: opener[::-1])

    def save(self) -> None:
        if self.ledger is None:
            return
        with self.lock:
            data = to_bytes(self.about, self.known)
        write_whole(self.ledger, [data])

    def run(self, openers: Sequence[str], jobs: int, seconds: float) -> None:
        """Settle these openers in so many threads, neighbours by one of them; where no ledger is kept, each by an empty
        search."""
        engine, control = self.question.engine(), new_control()
        many = -(-len(openers) // jobs)

        def work(mine: Sequence[str]) -> None:
            search, units = engine.search(control), SLICE if self.ledger is None else WHOLE
            for opener in mine:
                if self.ledger is None:
                    search = engine.search(control)
                if self.settled(opener):  # the total has fallen since
                    continue
                total = self.total
                began, guess, value, ended = time.thread_time(), self.game.guess_index(opener), 0, False
                while not ended and not self.end.is_set():
                    value, ended = search.opener_slice(guess, engine_limit(self.question.limit), total + 1, units)
                proven = Proven(value, (ended and value <= total) or value >= INFEASIBLE, __version__)
                with self.lock:
                    self.learn(opener, proven, "this run")
                if ended:
                    print(f"{opener} {time.thread_time() - began:.1f} {proven}", flush=True)

        threads = [
            threading.Thread(target=work, args=(openers[i : i + many],)) for i in range(0, len(openers), many or 1)
        ]
        deadline, saved = time.monotonic() + seconds, time.monotonic()
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(POLL)
            if time.monotonic() > deadline:
                self.end.set()
            if self.end.is_set():
                control.stop()  # what is being searched ends with the bound that it has
            if time.monotonic() - saved > SAVE_EVERY:
                self.save()
                saved = time.monotonic()
        self.save()


def check(frontier: Frontier, many: int, seed: str, jobs: int, without: Sequence[str]) -> None:
    """Settle openers of a ledger anew. SystemExit where one is not what the ledger says."""
    settled = sorted(filter(frontier.settled, frontier.known))
    drawn = random.Random(seed).sample(settled, min(many, len(settled)))
    anew = Frontier(frontier.game, frontier.total, None, without=without)
    anew.run(drawn, jobs, float("inf"))
    for opener in drawn:
        if opener not in anew.known or not anew.settled(opener):
            raise SystemExit(f"{opener} was not settled anew")
        if contradict(anew.known[opener], frontier.known[opener]):
            raise SystemExit(f"{opener} is {anew.known[opener]} now, but {frontier.known[opener]} in the ledger")
    print(f"{len(drawn)} openers of {len(settled)} agree with the ledger")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ledger")
    parser.add_argument("--game", default="classic-all")
    parser.add_argument("--total", type=int, default=52762, help="of the best tree known")
    parser.add_argument("--best", type=int, metavar="N", help="openers that are to be known")
    parser.add_argument("--merge", nargs="+", default=[], metavar="LEDGER", help="take over their bounds")
    parser.add_argument("--only", metavar="FILE", help="settle the openers of this file alone, one a line")
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    parser.add_argument("--check", type=int, metavar="N", help="settle so many openers of the ledger anew")
    parser.add_argument("--seed", default="", help="by which they are drawn")
    parser.add_argument("--without", nargs="+", default=[], metavar="SHORTCUT", help="left out of the check")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="then end in order")
    options = parser.parse_args(arguments)
    game = Game.preset(options.game)
    frontier = Frontier(game, options.total, options.ledger, options.merge, best=options.best)
    if options.check is not None:
        check(frontier, options.check, options.seed, options.jobs, options.without)
        return
    openers = frontier.left(Path(options.only).read_text(encoding="utf-8").split() if options.only else game.guesses)
    print(f"{len(openers)} openers to settle", flush=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: frontier.end.set())
    frontier.run(openers, options.jobs, options.seconds)
    least = min(frontier.known.values(), key=lambda proven: proven.lower)
    print(f"{len(frontier.left(game.guesses))} openers are left; the least bound is {least}", flush=True)


if __name__ == "__main__":
    main()
