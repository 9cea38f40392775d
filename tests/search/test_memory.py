"""Memory: what is estimated beforehand, how a limit is shared out, what is refused, and what a process really takes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from cli_util import environment
from games_util import letters_game

from optimal import memory
from optimal.errors import InputError
from optimal.games.feedback import PegFeedback, WordFeedback
from optimal.games.game import Game
from optimal.games.matrices import game_bytes
from optimal.games.rules import Rules
from optimal.memory import MEGA, needed, resident, size
from optimal.search import engine as engine_module
from optimal.search import stopping as stopping_module
from optimal.search.ranking import rank
from optimal.search.result import Status
from optimal.search.root_search import least_totals
from optimal.search.solve import solve

linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in kilobytes, by /proc")

#: Set up the searches of a game, or else run a command of `optimal`, and print how it ended, and the bytes that the
#: process has taken at most. What getrusage tells begins with those of the process that started it.
MEASURED = """
import sys
from optimal.cli import main
from optimal.games.game import Game
from optimal.search.jobs import searches_of
from optimal.search.game_run import GameRun
from optimal.search.options import Options
from optimal.search.game_problem import Problem

if sys.argv[1] == "set up":
    problem = Problem(Game.preset(*sys.argv[2:4]), None, options=Options(jobs=int(sys.argv[4])))
    searches = searches_of(problem.engine(), GameRun(problem).control, problem.options.jobs)
    status = 0
else:
    status = main(sys.argv[1:])
with open("/proc/self/status", encoding="ascii") as lines:
    print(status, *(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")))
"""


@pytest.fixture(autouse=True)
def small_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process has run other tests, and holds what they have left."""
    monkeypatch.setattr(stopping_module, "resident", lambda: None)
    monkeypatch.setattr(memory, "resident", lambda: None)


def least(game: Game, jobs: int = 1) -> int:
    """The bytes that so many jobs need, in threads."""
    return needed(*game_bytes(len(game.guesses), len(game.answers), game.matrix.itemsize, game.rules), jobs)


def measured(*words: object) -> tuple[int, int]:
    """The exit status, and the bytes that were taken."""
    command = [sys.executable, "-c", MEASURED, *map(str, words)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    status, taken = done.stdout.splitlines()[-1].split()
    return int(status), int(taken)


@linux
@pytest.mark.parametrize(
    ("name", "rules", "jobs"),
    [
        ("mastermind", "normal", 1),
        ("classic", "hard", 2),
        ("classic", "ultra-hard", 1),
        ("bulls-and-cows", "normal", 2),
    ],
)
def test_the_estimate_is_near_what_is_taken(name: str, rules: str, jobs: int) -> None:
    _, taken = measured("set up", name, rules, jobs)
    estimate = least(Game.preset(name, rules), jobs)
    # It counts in what a search takes later on, with tables that begin to grow.
    assert taken <= estimate <= 1.2 * taken + (16 + 24 * jobs) * MEGA


@linux
@pytest.mark.parametrize("words", [["bulls-and-cows"], ["classic", "--openers", "qajaq"]])
def test_a_process_keeps_to_its_limit(words: list[str]) -> None:
    status, taken = measured("solve", *words, "--memory-limit", "170M", "--time-limit", "6", "--json")
    assert status in (0, 3)  # on a quick machine it ends before
    assert taken <= 180 * MEGA


def test_a_small_limit_changes_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    game = letters_game("memory", 400, 3)
    whole = solve(game)
    needs = least(game)
    monkeypatch.setattr(engine_module, "_SUPERSETS_LEAST", 0)
    for limit in (needs, needs + MEGA, 4 * needs):
        small = solve(game, memory_limit=limit)
        assert (small.status, small.value, small.tree) == (Status.OPTIMAL, whole.value, whole.tree)
    with pytest.raises(InputError, match="a search of words by 1 job needs about "):
        solve(game, memory_limit=needs - 1)


def test_a_run_that_reaches_its_limit_ends_in_good_order(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(10**6))
    monkeypatch.setattr(stopping_module, "resident", lambda: 0 if next(looks) < 20 else 1 << 60)
    result = solve(Game.preset("bulls-and-cows"), memory_limit=1 << 40)
    assert (result.status, result.stop_reason) == (Status.FEASIBLE, "memory limit")


@pytest.mark.parametrize("held", [0, 1])
def test_a_limit_below_what_is_held_is_refused(monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    game = letters_game("held", 30, 3)
    limit = 10 * least(game)
    monkeypatch.setattr(memory, "resident", lambda: limit + held)
    if not held:
        assert solve(game, memory_limit=limit).status is Status.OPTIMAL
        return
    for search in (solve, rank):
        with pytest.raises(InputError, match=f"this process holds {size(limit + 1)} of memory already; the limit is "):
            search(game, memory_limit=limit)


def test_too_large_for_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "machine_memory", lambda: 1 << 30)

    def fails(*arguments: object) -> None:
        raise AssertionError("built")

    with monkeypatch.context() as built:
        for kind in (WordFeedback, PegFeedback):
            built.setattr(kind, "matrix", fails)
        with pytest.raises(InputError, match="mastermind:6x6, 46656 guesses x 46656 answers, needs about 2076M"):
            Game.preset("mastermind:6x6")
        with pytest.raises(InputError, match="; the limit is 10M"):
            Game.from_words(["ab", "cd"], ["ab"], memory_limit=10 * MEGA)
    monkeypatch.setattr(memory, "machine_memory", lambda: 100 * MEGA)
    classic = Game.preset("classic")
    with pytest.raises(InputError, match="of classic by 1 job needs about 151M of memory; the machine has 100M"):
        solve(classic)


@linux
def test_what_a_process_and_those_that_it_started_hold() -> None:
    held = resident()
    script = f"held = bytearray({100 * MEGA}); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        more = resident()
        worker.communicate(b"\n")
    assert held is not None
    assert more is not None
    assert 10 * MEGA < held < more - 90 * MEGA


def test_least_totals_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    game = letters_game("pieces", 90, 3, str(Rules.NORMAL))
    whole = least_totals(game).tolist()
    monkeypatch.setattr("optimal.search.root_search.SORTED", 1)
    assert least_totals(game).tolist() == whole
