"""Kills a journalled solve at random moments and resumes it: `python tests/faults.py --times 1000`.

A game of a few seconds is solved with a journal; the process is killed after a random part of a second, again and
again, and its journal read in between: as it is, copied, alone, and beside the log of another journal, which must be
refused. Now and then the run goes on without the log. Whenever a run comes to its end, its tree must be that of an
unbroken run, byte by byte, and the next one begins anew. Exit status 1 if anything else happens.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from cli_util import environment
from games_util import letters_game

from optimal.errors import InputError, OptimalError
from optimal.games.game import Game
from optimal.journal.database import Database
from optimal.journal.journal import identity
from optimal.journal.status import copy_journal, status
from optimal.search.ranking import rank

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


def log_of_another(folder: Path, game: Game) -> bytes:
    """The log of a journal of other rules, as a kill leaves it behind."""
    path, hard = str(folder / "hard"), game.with_rules("hard")
    rank(hard, openers=hard.guesses[:2], journal=path)
    database = Database(path, identity(hard, hard.max_guesses, "mean", None))
    database.write([database.put("units", tuple(row.values())) for row in list(database.rows("units"))])
    log = Path(f"{path}-wal").read_bytes()
    database.close()
    return log


def looked_at(folder: Path, rng: random.Random, foreign: bytes) -> None:
    """The journal is read; it is as whole without its log as with it, but for what a kill cut off. Raises OptimalError
    where something is wrong."""
    path, log = folder / "j", folder / "j-wal"
    standing, own = status(path), log.read_bytes() if log.exists() else None
    (folder / "copy").unlink(missing_ok=True)
    copy_journal(path, folder / "copy")
    if status(folder / "copy").exact != standing.exact:
        raise OptimalError("a copy is not what it was copied from")
    log.write_bytes(foreign)
    try:
        status(path)
        raise OptimalError("the log of another journal was taken")
    except InputError:
        pass
    log.unlink()
    if own is not None and rng.random() < 0.5:
        log.write_bytes(own)
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
        whole, foreign = (folder / "tree.msgpack").read_bytes(), log_of_another(folder, game)
        while killed < arguments.times:
            (folder / "tree.msgpack").unlink(missing_ok=True)
            result = run(folder, "--jobs", arguments.jobs, "--journal", "j", kill_after=rng.uniform(0.2, 2.5))
            try:
                if result is None and (folder / "j").exists():
                    looked_at(folder, rng, foreign)
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
            for file in folder.glob("j*"):
                file.unlink()
    print(f"{killed} kills, {ended} runs that came to their end with the same bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
