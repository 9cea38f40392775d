"""Many mutations of the certificates of random games, by both checkers, many more than test_certificates.py.

    python tests/certificates/mutate_certificates.py --mutations 100000 --seed 1

Every fourth game is one of pegs; with --keys they are tables of questions. Every mutation must be rejected by both
checkers, or be a proof still, by both, of a theorem that the textbook solver confirms. Exit status 1 where one is not.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from certificates_util import (
    ManyByC,
    Sample,
    by_python,
    mutated_game,
    numbers_of,
    random_peg_question,
    random_question,
    random_sample,
    still_true,
)
from key_certificates_util import KeySample, mutated_key, random_key_sample, theorem_is_true

from optimal.certificates.checker import Report


def holds(sample: Sample | KeySample, stream: bytes, report: Report) -> bool:
    """Whether the theorem of an accepted mutation is true by the textbook."""
    return still_true(sample, report) if isinstance(sample, Sample) else theorem_is_true(stream, report)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=1000)
    parser.add_argument("--each", type=int, default=50, help="mutations of each game's certificate")
    parser.add_argument("--keys", action="store_true", help="of keys, not of games")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this long")
    arguments = parser.parse_args()
    started = time.monotonic()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        in_c = ManyByC(folder)
        seed = arguments.seed
        while counts["mutations"] < arguments.mutations and time.monotonic() - started < arguments.seconds:
            rng = random.Random(seed)
            sample: Sample | KeySample
            if arguments.keys:
                sample = random_key_sample(rng, folder)
                value = sample.said.value
            else:
                sample = random_sample(rng, folder, random_peg_question if seed % 4 == 0 else random_question)
                value = sample.value
            counts["tables" if arguments.keys else "games"] += 1
            report = by_python(sample.stream)
            proven = report.theorem is not None and report.ok and report.theorem.value == value
            if not (proven and in_c.check(sample.stream)):
                print(f"seed {seed}: the certificate itself fails: {report}")
                counts["failures"] += 1
            numbers = numbers_of(sample.stream)
            for step in range(min(arguments.each, arguments.mutations - counts["mutations"])):
                stream = (mutated_key if arguments.keys else mutated_game)(rng, numbers)
                counts["mutations"] += 1
                changed, ok = by_python(stream), in_c.check(stream)
                if changed.ok != ok:
                    print(f"seed {seed}, mutation {step}: the checkers differ: {changed}")
                    counts["failures"] += 1
                elif not ok:
                    counts["rejected"] += 1
                elif changed.theorem == report.theorem:
                    counts["the same theorem"] += 1
                elif holds(sample, stream, changed):
                    counts["another theorem, which is true"] += 1
                else:
                    print(f"seed {seed}, mutation {step}: a false theorem: {changed.theorem}")
                    counts["failures"] += 1
            seed += 1
        in_c.close()
    print(
        ", ".join(f"{count} {what}" for what, count in counts.items()), f"{time.monotonic() - started:.0f} s", sep="; "
    )
    return 1 if counts["failures"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
