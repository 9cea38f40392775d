"""Predicts how well a run uses many cores, from the seconds that openers took by its journal.

    python benchmarks/cluster.py JOURNAL [--cores 1,2,4,64,1000] [--repeat N] [--setup S] [--latency S] [--dispatch S]
    python benchmarks/cluster.py --redone GAME OPENER,...

Who works at what is told by the program itself (`optimal.search.processes`), by a clock that is only counted. Modelled
are the workers: each takes `--setup` seconds before its first task (the game, supersets), each task `--latency` on its
way and `--dispatch` of the scheduler, which has one core, and what a slice leaves unfinished is begun again in part:
`--stays` of it in the same process, `--moves` in another. What is left out: incumbents that come later to openers under
way, and searches of one process that share memory.

`--redone` measures that part: nodes of openers searched in one piece, in slices of one process, and in slices of a new
process each.
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
from collections.abc import Mapping, Sequence
from concurrent.futures import Future

import numpy as np

from optimal import _engine
from optimal._engine import Control
from optimal.games.game import Game
from optimal.journal.file import read_journal
from optimal.journal.records import Contents, Note
from optimal.search import processes
from optimal.search.engine import new_control
from optimal.search.game_run import GameRun
from optimal.search.offices import GameOffice
from optimal.search.processes import LAST_BEGUN, Done, Shareable, Sharing, Task, settle_by_tasks
from optimal.search.question import Question

#: Looks at the stop flag in a second, more or less.
LOOKS = 150


def lengths(path: str) -> list[float]:
    """The seconds that each opener of a journal took, in the order of the list."""
    openers = Contents(read_journal(path).records, notes=False).openers
    return [known.seconds for within in openers.values() for known in sorted(within.values())]


class Model:
    """A crew of workers of one core each, by a clock of its own."""

    def __init__(self, openers: Sequence[float], cores: int, told: argparse.Namespace) -> None:
        self.left, self.told = list(openers), told
        self.cores = {str(number): 1 for number in range(cores)}
        self.free = dict.fromkeys(self.cores, told.setup)
        self.now = self.scheduler = 0.0
        self.busy, self.tasks = 0.0, 0
        self.last: dict[int, str] = {}
        self.coming: list[tuple[float, int, Future[Done], Done]] = []

    def begin(self, question: Shareable, run: Sharing) -> None:
        pass

    def at_hand(self) -> Mapping[str, int]:
        return self.cores

    def give(self, name: str, task: Task) -> Future[Done]:
        self.scheduler = max(self.scheduler, self.now) + self.told.dispatch
        at = begun = max(self.scheduler + self.told.latency, self.free[name])
        done = Done(name)
        for guess, _ in task.openers:
            if at - begun > LAST_BEGUN or done.left is not None:
                break
            slice_ = task.looks / LOOKS
            again = self.told.stays if self.last.get(guess, name) == name else self.told.moves
            if guess in self.last:
                self.left[guess] += again * slice_ / 2  # of the slice before
            self.last[guess] = name
            spent = min(slice_, self.left[guess])
            self.left[guess] -= spent
            at += spent
            if self.left[guess] > 0:
                done.left = guess, 1, 0, spent
            else:
                done.settled.append((guess, 10, True, 0, spent))
        self.free[name] = at
        self.busy += at - begun
        self.tasks += 1
        future: Future[Done] = Future()
        heapq.heappush(self.coming, (at + self.told.latency, self.tasks, future, done))
        return future

    def result(self, name: str, future: Future[Done]) -> Done | None:
        return future.result()

    def news(self) -> list[Note]:
        """The next task comes back."""
        if self.coming:
            self.now, _, future, done = heapq.heappop(self.coming)
            future.set_result(done)
        return []


def modelled(openers: Sequence[float], cores: int, told: argparse.Namespace) -> Model:
    """A run to its end."""
    game = Game.from_matrix(np.eye(len(openers), 2, dtype=np.uint8), 1)  # its size is all that matters
    question = Question(game, None)
    run, model = GameRun(question), Model(openers, cores, told)
    run.take_up(range(len(openers)), [question.engine().search(run.control)])
    settle_by_tasks(question, run, range(len(openers)), model)
    return model


def redone(name: str, openers: Sequence[str]) -> None:
    """Print the nodes of openers by how they were searched."""
    game = Game.preset(name)
    print("| opener | nodes | in slices | in slices of a new process each | slices |\n|---|---|---|---|---|")
    for opener in openers:
        question, guess = Question(game, game.max_guesses, openers=[opener]), game.guess_index(opener)
        found = []
        for looks, moves in ((1 << 30, False), (16, False), (16, True)):
            office, known, nodes, slices = _office(question), dict[object, Note](), 0, 0
            settled = False
            while not settled:
                done = office.do(Task(question.limit, ((guess, tuple(known.values())),), 1 << 62, looks))
                known.update({note[:2]: note for note in done.notes})
                nodes, slices, looks, settled = nodes + done.counters[0], slices + 1, 2 * looks, bool(done.settled)
                office = _office(question) if moves else office
            found.append(nodes)
        print(f"| {opener} | {' | '.join(map(str, found))} | {slices} |", flush=True)


def _office(question: Question) -> GameOffice:
    control = new_control()
    control.incumbent = _engine.INFEASIBLE

    def control_of(limit: int | None) -> Control:
        return control

    return GameOffice(question, control_of)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("journal", nargs="?")
    parser.add_argument("--cores", default="1,2,4,64,1000")
    parser.add_argument("--repeat", type=int, default=1, help="the journal is a sample: take each opener so many times")
    parser.add_argument("--setup", type=float, default=6.0, help="seconds before a worker's first task (default: 6)")
    parser.add_argument("--latency", type=float, default=0.02, help="seconds of a task on its way (default: 0.02)")
    parser.add_argument("--dispatch", type=float, default=0.0026, help="the scheduler's for a task (default: 0.0026)")
    parser.add_argument("--stays", type=float, default=0.06, help="part of a slice that is done again (default: 0.06)")
    parser.add_argument("--moves", type=float, default=0.5, help="the same in another process (default: 0.5)")
    parser.add_argument("--redone", nargs=2, metavar=("GAME", "OPENERS"), help="measure that part")
    arguments = parser.parse_args()
    if arguments.redone:
        redone(arguments.redone[0], arguments.redone[1].split(","))
        return
    if arguments.journal is None:
        parser.error("a journal, or --redone")
    processes.LOOK = 0.001
    openers = lengths(arguments.journal) * arguments.repeat
    random.Random(1).shuffle(openers)
    total = sum(openers)
    cuts = statistics.quantiles(openers, n=100)
    shown = ", ".join(
        f"{name} {cuts[at]:.2f}" for name, at in (("10 %", 9), ("median", 49), ("90 %", 89), ("99 %", 98))
    )
    print(f"{len(openers)} openers, {total:.0f} core-seconds; seconds of one: {shown}, most {max(openers):.1f}\n")
    print("| cores | seconds | speed-up | efficiency | tasks | done again |\n|---|---|---|---|---|---|")
    for cores in map(int, arguments.cores.split(",")):
        model = modelled(openers, cores, arguments)
        speed_up = total / model.now
        again = model.busy / total - 1
        print(
            f"| {cores} | {model.now:.0f} | {speed_up:.1f} | {100 * speed_up / cores:.0f} % | {model.tasks} |"
            f" {100 * again:.1f} % |"
        )


if __name__ == "__main__":
    main()
