"""Many mutations of the certificates of random games, by both checkers, many more than test_certificates.py.

    python tests/certificates/mutate_certificates.py --mutations 100000 --seed 1

Every fourth game is one of pegs; with --keys they are tables of questions. Every mutation must be rejected by both
checkers, or be a proof still, by both, of a theorem that the textbook solver confirms. Stops at the first that is not.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from certificates_util import check_game, compiled, random_peg_question, random_question
from key_certificates_util import check_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=1000)
    parser.add_argument("--each", type=int, default=50, help="mutations of each game's certificate")
    parser.add_argument("--keys", action="store_true", help="of keys, not of games")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started, made, rejected, seed = time.monotonic(), 0, 0, arguments.seed
    with tempfile.TemporaryDirectory() as name:
        program = compiled(Path(name))
        while made < arguments.mutations:
            each = min(arguments.each, arguments.mutations - made)
            if arguments.keys:
                rejected += check_table(seed, Path(name), program, each)
            else:
                question = random_peg_question if seed % 4 == 0 else random_question
                rejected += check_game(seed, Path(name), program, each, question)
            made, seed = made + each, seed + 1
    print(f"{made} mutations, {rejected} rejected, the others true; {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
