"""Fuzzing without end: `python tests/fuzz/fuzz.py --minutes 10 --seed 1`.

Kinds of cases, see fuzz_checks.py, fuzz_files.py and fuzz_tables.py:

    textbook  small games of every kind against the plain solver of textbook.py: status, value, bound, the very tree
    advice    `analyse` at positions of small games against the same
    switches  medium games with shortcuts left out, two jobs, a tiny table, as a bare matrix: the same result
    stops     runs stopped at some moment: what they prove encloses the exact value
    slices    openers searched in slices; meant for a build with small thresholds (OPTIMAL_SMALL=1)
    files     damaged tree files
    journals  damaged journals
    tables    small tables against the plain solver of textbook_tables.py: status, value, bound, the very key; also in
              slices, with shortcuts left out, stopped and gone on with from a journal; and as objects whose cells vary

Case number INDEX of a seed is always the same: `--only INDEX` repeats it here and tells what it is. Where something
differs, the case is made smaller while it still does, and printed as Python that can be run. The exit status is 1
then. Cases run in processes of their own, so that a crash or a case without an end is told like any other failure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from fuzz_checks import AdviceCase, Case, Failure, Outcome, Skipped, SliceCase, StopCase, SwitchCase, TextbookCase
from fuzz_files import FileCase, JournalCase
from fuzz_tables import TableCase

from optimal.errors import OptimalError

#: The kinds, and how often each comes in a round.
ROUND: dict[type[Case], int] = {
    TextbookCase: 12,
    AdviceCase: 2,
    SwitchCase: 2,
    StopCase: 1,
    SliceCase: 2,
    FileCase: 24,
    JournalCase: 2,
    TableCase: 6,
}
KINDS = {made.kind: made for made in ROUND}
_ORDER = [made.kind for made, times in ROUND.items() for _ in range(times)]

#: Seconds that one case may take before its process is ended, and that making a failure smaller may take.
LONGEST, SHRINKING = 240.0, 60.0


def kind_of(index: int) -> str:
    """The kind of a case by its number."""
    return _ORDER[index % len(_ORDER)]


def case_of(seed: int | str, index: int) -> Case:
    """A case by its number; nothing but the seed decides what it is."""
    kind = kind_of(index)
    return KINDS[kind].made(random.Random(f"{kind} {seed} {index}"))


def outcome_of(case: Case) -> Outcome:
    """What the check says; an exception that it should not have seen is a failure too."""
    try:
        return case.check()
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}, line {where.lineno}"
        return Failure(f"{type(error).__name__} in {where.name}", f"{type(error).__name__}: {error} ({place})", case)


def shrunk(failure: Failure, seconds: float = SHRINKING) -> Failure:
    """The same failure on a case as small as can be found in so many seconds."""
    end = time.monotonic() + seconds
    while True:
        for case in failure.case.smaller():
            if time.monotonic() > end:
                return failure
            try:
                outcome = outcome_of(case)
            except OptimalError:
                continue
            if isinstance(outcome, Failure) and outcome.category == failure.category:
                failure = outcome
                break
        else:
            return failure


def told(seed: int | str, index: int, failure: Failure) -> str:
    """A failure as it is printed."""
    line = "-" * 100
    again = f"python tests/fuzz/fuzz.py --seed {seed} --only {index}"
    return (
        f"{line}\n{failure.case.kind} case {index} of seed {seed}: {failure.category}\n{failure.message}\n"
        f"({again}; made as small as it gets:)\n\n{failure.case.code()}\n{line}"
    )


# Processes


@dataclass
class Worker:
    """A process, and the case that it is at."""

    process: BaseProcess
    pipe: Connection
    index: int = -1
    since: float = 0.0


@dataclass
class Counts:
    """What came of the cases of one kind."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def serve(pipe: Connection, seed: str) -> None:
    """Do the cases whose numbers come through the pipe: (what came of it, its category, what to print)."""
    while True:
        index = pipe.recv()
        if index is None:
            return
        outcome = outcome_of(case_of(seed, index))
        if outcome is None:
            pipe.send(("alike", "", ""))
        elif isinstance(outcome, Skipped):
            pipe.send(("skipped", outcome.why, ""))
        else:
            pipe.send(("DIFFERENT", outcome.category, told(seed, index, shrunk(outcome))))


def started(seed: str) -> Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, seed), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, ours)


def ended(worker: Worker) -> None:
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()


class Fuzzer:
    """Hands out cases to processes and counts what comes back."""

    def __init__(self, seed: str, kinds: Sequence[str], jobs: int) -> None:
        self.seed, self.kinds, self.jobs = seed, kinds, jobs
        self.counts = {kind: Counts() for kind in kinds}
        self.categories: Counter[str] = Counter()
        self.next = 0

    def run(self, minutes: float | None, start: int = 0) -> bool:
        """Go on for so many minutes, or until Ctrl-C; say whether all was well."""
        begun = reported = time.monotonic()
        self.next = start
        workers = [started(self.seed) for _ in range(self.jobs)]
        try:
            for worker in workers:
                self.give(worker)
            while minutes is None or time.monotonic() - begun < 60 * minutes:
                ready = wait([worker.pipe for worker in workers], timeout=1)
                for place, worker in enumerate(workers):
                    if worker.pipe in ready:
                        if not self.take(worker):
                            ended(worker)
                            workers[place] = worker = started(self.seed)
                        self.give(worker)
                    elif time.monotonic() - worker.since > LONGEST + SHRINKING:
                        self.count(worker, "too long", "", "")
                        print(f"{kind_of(worker.index)} case {worker.index}: no end after {LONGEST:.0f} seconds")
                        ended(worker)
                        workers[place] = started(self.seed)
                        self.give(workers[place])
                if time.monotonic() - reported > 60:
                    reported = time.monotonic()
                    self.report(reported - begun)
        except KeyboardInterrupt:
            pass
        finally:
            for worker in workers:
                ended(worker)
        self.report(time.monotonic() - begun)
        return not self.categories

    def give(self, worker: Worker) -> None:
        while kind_of(self.next) not in self.kinds:
            self.next += 1
        worker.index, worker.since = self.next, time.monotonic()
        worker.pipe.send(self.next)
        self.next += 1

    def take(self, worker: Worker) -> bool:
        """Count what a process says; False if it has died."""
        try:
            outcome, category, text = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            worker.process.join()
            text = f"{kind_of(worker.index)} case {worker.index}: crashed with status {worker.process.exitcode}"
            self.count(worker, "DIFFERENT", "crash", text)
            return False
        self.count(worker, outcome, category, text)
        return True

    def count(self, worker: Worker, outcome: str, category: str, text: str) -> None:
        kind = kind_of(worker.index)
        self.counts[kind].outcomes[outcome] += 1
        self.counts[kind].seconds += time.monotonic() - worker.since
        if outcome == "DIFFERENT":
            self.categories[f"{kind}: {category}"] += 1
            if self.categories[f"{kind}: {category}"] <= 5:  # one flaw must not bury the others
                print(text, flush=True)

    def report(self, seconds: float) -> None:
        columns = ("alike", "skipped", "too long", "DIFFERENT")
        print(f"\nseed {self.seed}, {self.next} cases begun in {seconds / 60:.1f} minutes")
        print(f"{'kind':10}" + "".join(f"{column:>11}" for column in columns) + f"{'seconds':>11}")
        for kind, counts in self.counts.items():
            numbers = "".join(f"{counts.outcomes[column]:>11}" for column in columns)
            print(f"{kind:10}{numbers}{counts.seconds:>11.0f}")
        for category, times in self.categories.most_common():
            print(f"  {times} x {category}")
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="how long (without end, unless given)")
    parser.add_argument("--seed", default="1", help="any text; 1 unless given")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), help="all unless given")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--start", type=int, default=0, metavar="INDEX", help="the first case")
    parser.add_argument("--only", type=int, metavar="INDEX", help="repeat one case, and tell what it is")
    options = parser.parse_args()
    if options.only is None:
        return 0 if Fuzzer(options.seed, options.kinds, options.jobs).run(options.minutes, options.start) else 1
    case = case_of(options.seed, options.only)
    print(case.code(), flush=True)
    outcome = outcome_of(case)
    if not isinstance(outcome, Failure):
        print("alike" if outcome is None else f"skipped: {outcome.why}")
        return 0
    print(told(options.seed, options.only, shrunk(outcome)))
    return 1


if __name__ == "__main__":
    sys.exit(main())
