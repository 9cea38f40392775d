"""Fuzzing without end: `python tests/fuzz/fuzz.py --minutes 10 --seed 1`.

Kinds of cases, see fuzz_checks.py, fuzz_files.py and fuzz_tables.py:

    textbook  small games of every kind against the plain solver of textbook.py: status, value, bound, the very tree
    advice    `analyse` at positions of small games against the same
    switches  medium games with shortcuts left out, two jobs, a tiny table, as a bare matrix: the same result
    stops     runs stopped at some moment: what they prove encloses the exact value
    slices    openers searched in slices; meant for a build with small thresholds (OPTIMAL_SMALL=1)
    files     damaged tree files
    tables    small tables against the plain solver of textbook_tables.py: status, value, bound, the very key; also in
              slices, with shortcuts left out, stopped and gone on with from a journal, certified; and as objects whose
              cells vary

Case number INDEX of a seed is always the same: `--only INDEX` repeats it. What differs is printed, with the game as
Python that can be run, and makes the exit status 1. Cases run in a process beside this one, so that a crash or a case
without an end is told like any other failure, and others follow. More cores take other seeds.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from fuzz_checks import check_advice, check_slices, check_stop, check_switches, check_textbook
from fuzz_files import check_file
from fuzz_tables import check_table
from textbook import TooLarge

#: The kinds, and how often each comes in a round. A check raises where something differs, and TooLarge where the case
#: can't be judged.
ROUND: dict[str, tuple[Callable[[random.Random], None], int]] = {
    "textbook": (check_textbook, 12),
    "advice": (check_advice, 2),
    "switches": (check_switches, 2),
    "stops": (check_stop, 1),
    "slices": (check_slices, 2),
    "files": (check_file, 26),
    "tables": (check_table, 6),
}
_ORDER = [kind for kind, (_, times) in ROUND.items() for _ in range(times)]

#: Seconds that one case may take before its process is ended.
LONGEST = 240.0


def kind_of(index: int) -> str:
    """The kind of a case by its number."""
    return _ORDER[index % len(_ORDER)]


def run_case(seed: str, index: int) -> bool:
    """Run a case by its number; False: it can't be judged. Nothing but the seed decides what it is."""
    kind = kind_of(index)
    try:
        ROUND[kind][0](random.Random(f"{kind} {seed} {index}"))
    except TooLarge:
        return False
    return True


def work(seed: str, kinds: Sequence[str], end: float, shared: Any) -> None:
    """Run cases until the end; `shared` holds the number of the next, and how many differed."""
    outcomes = Counter[str]()
    try:
        while time.time() < end:
            kind = kind_of(shared[0])
            if kind in kinds:
                faulthandler.dump_traceback_later(LONGEST, exit=True)
                try:
                    outcomes[f"{kind} {'alike' if run_case(seed, shared[0]) else 'skipped'}"] += 1
                except Exception:
                    shared[1] += 1
                    outcomes[f"{kind} DIFFERENT"] += 1
                    if outcomes[f"{kind} DIFFERENT"] <= 5:  # one flaw must not bury the others
                        print(f"{kind} case {shared[0]}:\n{traceback.format_exc()}", flush=True)
            shared[0] += 1
    except KeyboardInterrupt:
        pass
    faulthandler.cancel_dump_traceback_later()
    print("".join(f"{times:9} {outcome}\n" for outcome, times in sorted(outcomes.items())), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1e6, help="how long (without end, unless given)")
    parser.add_argument("--seed", default="1", help="any text; 1 unless given")
    parser.add_argument("--kinds", nargs="+", choices=list(ROUND), default=list(ROUND), help="all unless given")
    parser.add_argument("--start", type=int, default=0, metavar="INDEX", help="the first case")
    parser.add_argument("--only", type=int, metavar="INDEX", help="repeat one case here")
    options = parser.parse_args()
    if options.only is not None:
        print("alike" if run_case(options.seed, options.only) else "skipped")
        return 0
    end = time.time() + 60 * options.minutes
    context = multiprocessing.get_context("spawn")
    shared = context.Array("q", [options.start, 0])
    while time.time() < end:
        process = context.Process(target=work, args=(options.seed, options.kinds, end, shared))
        process.start()
        try:
            process.join()
        except KeyboardInterrupt:
            process.join()
            break
        if process.exitcode:
            print(f"{kind_of(shared[0])} case {shared[0]} ended its process: status {process.exitcode}", flush=True)
            shared[0] += 1
            shared[1] += 1
    print(f"seed {options.seed}: {shared[0] - options.start} cases, {shared[1]} of them failed")
    return 1 if shared[1] else 0


if __name__ == "__main__":
    sys.exit(main())
