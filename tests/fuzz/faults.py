"""Kills a journalled solve at random moments and resumes it: `python tests/fuzz/faults.py --times 1000`.

A game of a few seconds is solved with a journal; the process is killed after a random part of a second, again and
again, and its journal read in between, as it is, copied, and cut off. Whenever a run comes to its end, its tree must be
that of an unbroken run, byte by byte, and the next one begins anew. Exit status 1 if anything else happens.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from cli_util import environment
from games_util import letters_game

from optimal.errors import OptimalError
from optimal.journal.file import read_journal
from optimal.journal.status import copy_journal, status

COMMAND = ("solve", "--guesses", "g.txt", "--answers", "a.txt", "--output", "tree.msgpack")


def run(folder: Path, *more: str, kill_after: float | None = None) -> int | None:
    """The exit status of a solve, None if it was killed."""
    command = [sys.executable, "-m", "optimal", *COMMAND, *more]
    process = subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        _, said = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    if process.returncode:
        print(said.decode(errors="replace"), file=sys.stderr)
    return process.returncode


def looked_at(folder: Path, rng: random.Random) -> None:
    """The journal is read, and copied; now and then it loses its last bytes, as in a loss of power. Raises
    OptimalError where something is wrong."""
    path, copy = folder / "j", folder / "copy"
    standing = status(path)
    copy.unlink(missing_ok=True)
    copy_journal(path, copy)
    if status(copy).exact != standing.exact:
        raise OptimalError("a copy is not what it was copied from")
    if rng.random() < 0.3:
        data = path.read_bytes()
        path.write_bytes(data[: max(len(read_journal(str(path)).head), len(data) - rng.randrange(9000))] + bytes(99))
        status(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=1000, help="kills (default: 1000)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--words", type=int, default=1500, help="how large the game is (default: 1500)")
    parser.add_argument("--jobs", default="2")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    game = letters_game("faults", arguments.words, 2)
    killed = ended = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "g.txt").write_text("\n".join(game.guesses))
        (folder / "a.txt").write_text("\n".join(game.answers))
        if run(folder) != 0:
            return 1
        whole = (folder / "tree.msgpack").read_bytes()
        while killed < arguments.times:
            (folder / "tree.msgpack").unlink(missing_ok=True)
            result = run(folder, "--jobs", arguments.jobs, "--journal", "j", kill_after=rng.uniform(0.2, 2.5))
            try:
                if result is None and (folder / "j").exists():
                    looked_at(folder, rng)
            except OptimalError as error:
                print(f"after {killed} kills the journal can't be read: {error}")
                return 1
            if result is None:
                killed += 1
                continue
            ended += 1
            if result != 0 or (folder / "tree.msgpack").read_bytes() != whole:
                print(f"after {killed} kills: exit status {result}, or another tree")
                return 1
            (folder / "j").unlink()
    print(f"{killed} kills, {ended} runs that came to their end with the same bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
