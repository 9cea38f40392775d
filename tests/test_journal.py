"""Journals: what a run has proven outlives it, whatever ends it, and nothing false is ever taken from one."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_util import environment, run, run_json, started
from games_util import interrupt_at, letters_game, random_game, random_weights, search_of
from patience import PATIENCE, SOON, wait_for

from optimal import _engine
from optimal.advice.subgame import solve_position
from optimal.errors import InputError, OptimalError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.journal import database as databases
from optimal.journal import journal as journals
from optimal.journal.database import COLUMNS, Database, checksum, seal_of
from optimal.journal.status import copy_journal, course, status
from optimal.search.jobs import settle_least_first
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.question import journal_of
from optimal.search.ranking import Ranking, rank
from optimal.search.result import Result, Status
from optimal.search.solve import question_of, solve
from optimal.trees.file import from_bytes, to_bytes
from optimal.trees.verify import verify_tree

NO_JOURNAL = r"not a journal|damaged|cannot open"
OBJECTIVES = ("mean", "worst", "within:2")
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits are others there")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "journal")


def timeless(found: Ranking) -> Ranking:
    return replace(found, seconds=0.0, nodes=0)


def told(found: Result) -> tuple[object, ...]:
    tree = None if found.tree is None else to_bytes(found.tree)
    return found.status, found.value, found.bound, found.openers_refuted, tree


def sql(path: str, statement: str, values: Sequence[Any] = ()) -> list[Any]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


def forge(path: str, table: str, where: str, **fields: Any) -> None:
    """Change rows, their checksums with them."""
    columns, seal = COLUMNS[table], seal_of(dict(sql(path, "SELECT name, value FROM about")))
    for row in sql(path, f"SELECT {', '.join(columns)} FROM {table} WHERE {where}"):
        sql(path, f"DELETE FROM {table} WHERE {' AND '.join(f'{name} IS ?' for name in columns)}", row)
        new = [fields.get(name, value) for name, value in zip(columns, row, strict=True)]
        marks = ", ".join("?" * (len(new) + 1))
        sql(path, f"INSERT INTO {table} VALUES ({marks})", (*new, checksum(seal, table, new)))


class StoppedAfter:
    """A progress callback that stops a run by Ctrl-C at its `call`-th call."""

    def __init__(self, news: int) -> None:
        self.left = news

    def __call__(self, _: object) -> None:
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)


@posix
@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_runs_that_were_stopped_end_with_the_same_bytes(
    rules: Rules, objective: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optimal.search.run.REPORT_EVERY", 0.0)
    rng = random.Random(f"journal {rules} {objective}")
    for number in range(6):
        game = random_game(rng, rules, 16, 30).with_rules(rules, rng.choice((None, 3, 4, 6)))
        weights = rng.choice((None, Weights("file", random_weights(rng, len(game.answers), 50))))
        jobs = 1 + number % 2
        options: dict[str, Any] = {"objective": objective, "weights": weights}
        whole, here = solve(game, **options), f"{path} {number}"
        for news in (3, 9, 20, 40):
            part = solve(game, **options, jobs=jobs, journal=here, progress=StoppedAfter(news))
            if part.bound is not None and whole.value is not None:
                assert part.bound <= whole.value
            if part.tree is not None:
                assert verify_tree(part.tree, guesses=game.guesses, answers=game.answers).ok
        assert told(solve(game, **options, jobs=jobs, journal=here)) == told(whole)
        again = solve(game, **options, journal=here)
        assert told(again) == told(whole)


def test_what_is_known_is_not_searched_again(path: str) -> None:
    game = letters_game("journal", 300, 2)
    every = rank(game, all_openers=True, journal=path)
    again = rank(game, all_openers=True, journal=path)
    assert timeless(again) == timeless(every)
    assert again.nodes == 0
    assert timeless(rank(game, top=3, journal=path)) == timeless(rank(game, top=3))
    # A solve asks the same of every opener, so a ranking serves it, too.
    assert told(solve(game, journal=path)) == told(solve(game))


def test_some_openers_after_all_of_them(path: str) -> None:
    """The best tree of all may not stand for openers that it doesn't begin with."""
    game = letters_game("journal", 200, 2)
    best = solve(game, journal=path)
    for opener in [guess for guess in game.guesses if guess != best.opener][:4]:
        assert told(solve(game, openers=[opener], journal=path)) == told(solve(game, openers=[opener]))
    assert told(solve(game, journal=path)) == told(best)


@pytest.mark.parametrize("soon", [True, False])
def test_a_run_that_goes_on_takes_slices_where_openers_are_slow(
    soon: bool, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best opener's total from a journal must not make a run of days forget the least bound."""
    game = letters_game("journal", 300, 2)
    whole = solve(game)
    asked = 0

    def count(*given: Any) -> None:
        nonlocal asked
        asked += 1
        settle_least_first(*given)

    solve(game, openers=[str(whole.opener)], journal=path)
    monkeypatch.setattr("optimal.search.solve.settles_soon", lambda *_: soon)
    monkeypatch.setattr("optimal.search.solve.settle_least_first", count)
    assert told(solve(game, journal=path)) == told(whole)
    assert asked == (not soon)


def test_a_stop_while_a_journal_is_read(path: str) -> None:
    game = letters_game("journal", 400, 2)
    whole = solve(game, journal=path)
    for hundredths in range(1, 8):
        found = solve(game, journal=path, time_limit=hundredths / 1000)
        assert found.bound is None or whole.bound is None or found.bound <= whole.bound
    assert told(solve(game, journal=path)) == told(whole)


def test_bounds_serve_a_longer_list(path: str) -> None:
    game = random_game(random.Random("journal"), Rules.HARD)
    for options in ({"top": 1}, {"top": 5}, {"openers": game.guesses[:4]}, {"all_openers": True}):
        assert timeless(rank(game, **options, journal=path)) == timeless(rank(game, **options))


@pytest.mark.parametrize("rules", Rules)
def test_notes_of_one_search_serve_another(rules: Rules) -> None:
    """What was noted of a search that was stopped anywhere leads to the same value with less work."""
    game = Game.preset("classic", rules)
    guess, free = game.guess_index("crate"), _engine.NO_LIMIT
    first = search_of(game)
    exact, _ = first.opener(guess, free, _engine.INFEASIBLE)
    looks, ended, served = 2, False, 0
    while not ended:
        one = search_of(game)
        one.take_notes()
        _, ended = one.opener_slice(guess, free, _engine.INFEASIBLE, looks)
        notes = one.noted()
        assert one.noted() == []
        other = search_of(game)
        for note in notes:
            other.learn(*note)
        assert other.opener(guess, free, _engine.INFEASIBLE)[0] == exact
        served += other.nodes < first.nodes
        looks *= 2
    assert served or rules is not Rules.NORMAL  # under the others it is soon done anyway
    assert other.tree(guess, free) == first.tree(guess, free)


def test_notes_begin_where_their_search_stands() -> None:
    """After guesses made they name those from there on, as another search at that position learns them."""
    game = Game.preset("classic-answers")
    history, opener = ((game.guess_index("fuzzy"), 0),), game.guess_index("mamma")
    asked = (opener, _engine.NO_LIMIT, _engine.INFEASIBLE)
    first, one, other = (search_of(game, history=history) for _ in range(3))
    one.take_notes()
    notes, looks = list[Any](), 8
    while not notes:
        one.opener_slice(*asked, looks)
        notes, looks = one.noted(), 2 * looks
    assert {path[0][0] for path, *_ in notes} == {opener}
    for note in notes:
        other.learn(*note)
    assert other.opener(*asked) == first.opener(*asked)
    assert other.nodes < first.nodes


#: In notes: no guess, and in place of feedback, that the guess as a whole is meant.
NO_GUESS, WHOLE = 65535, -1


def test_what_is_noted_of_a_guess_as_a_whole_is_used() -> None:
    """By searches that take notes alone. A false note tells."""
    game = Game.preset("mastermind:4x5")
    opener = game.guess_index("1123")
    codes = [code for code, size in enumerate(np.bincount(game.matrix[opener])) if size >= 16]
    totals = []
    for taking in (False, True):
        search = search_of(game)
        if taking:
            search.take_notes()
        for guess, code in product(range(len(game.guesses)), codes):
            search.learn(((opener, code), (guess, WHOLE)), _engine.NO_LIMIT, 1000, 0, 0, NO_GUESS, 0)
        totals.append(search.opener(opener, _engine.NO_LIMIT, 3000)[0])
    assert totals[0] == search_of(game).opener(opener, _engine.NO_LIMIT, 3000)[0] < totals[1]


def test_notes_that_cannot_be_are_refused() -> None:
    game = Game.preset("classic")
    search = search_of(game)
    salet, crony = game.guess_index("salet"), game.guess_index("crony")
    good = (((salet, 0),), 5, 609, 1, 4, crony, 1)
    search.learn(*good)
    for bad in (
        (((salet, 999_999),), *good[1:]),
        (((salet, 0), (crony, 242), (crony, 0)), *good[1:]),
        (((70_000, 0),), *good[1:]),
        (((salet, 0),), 0, *good[2:]),
        (((salet, 0),), 5, 100, *good[3:]),
        (((salet, 0),), 5, _engine.INFEASIBLE + 1, *good[3:]),
        (((salet, 0),), 5, 609, 1, -1, crony, 1),
        (((salet, 0),), 5, 609, 1, 4, 60_000, 1),
        (((salet, 0),), 5, 609, 1, 4, -5, 1),
        (((salet, 0),), 5, 609, 1, 6, crony, 1),
        (((salet, 0),), 5, 609, 1, 4, 70_000, 1),
        (((salet, WHOLE), (crony, 0)), 5, 609, 0, 0, NO_GUESS, 0),
        (((salet, WHOLE),), 6, 7920, 1, 0, NO_GUESS, 0),
        (((salet, WHOLE),), 6, 7920, 0, 5, NO_GUESS, 0),
        (((salet, WHOLE),), 6, 7920, 0, 0, crony, 0),
        (((salet, WHOLE),), 6, 7920, 0, 0, NO_GUESS, 1),
        (((salet, WHOLE),), 6, 4628, 0, 0, NO_GUESS, 0),
    ):
        with pytest.raises((ValueError, IndexError)):
            search.learn(*bad)
    search.learn(*good)


def test_the_tables(path: str) -> None:
    game = letters_game("journal", 200, 2)
    found = solve(game, journal=path)
    assert found.tree is not None
    assert {row[0] for row in sql(path, "SELECT name FROM sqlite_master WHERE type = 'table'")} == set(COLUMNS)
    about = dict(sql(path, "SELECT name, value FROM about"))
    assert (about["rules"], about["limit of guesses"], about["objective"]) == ("normal", "6", "mean")
    openers = dict(sql(path, "SELECT opener, lower FROM units WHERE below = ''"))
    assert len(openers) == len(game.guesses)
    assert min(openers.values()) == openers[found.opener] == found.total
    [(guesses, cost, canonical, tree)] = sql(path, "SELECT guesses, cost, canonical, tree FROM trees")
    assert (guesses, cost, canonical) == (6, found.total, 1)
    assert from_bytes(tree) == found.tree
    [(state, reason, asked)] = sql(path, "SELECT status, stop_reason, asked FROM runs")
    assert (state, reason, asked) == ("OPTIMAL", "done", "solve all openers")
    assert sql(path, "SELECT incumbent, bound FROM gap ORDER BY rowid DESC LIMIT 1") == [(found.total, found.total)]


def test_the_journal_of_a_position(path: str) -> None:
    game = Game.preset("classic", "hard")
    whole = solve_position(game, "salet=bbbbb")
    assert told(solve_position(game, "salet=bbbbb", journal=path)) == told(whole)
    assert told(solve_position(game, "salet=bbbbb", journal=path)) == told(whole)
    with pytest.raises(InputError, match="belongs to another question"):
        solve_position(game, "salet=bbbby", journal=path)


def test_other_questions_are_refused(path: str) -> None:
    game = letters_game("journal", 100, 2)
    solve(game, journal=path)
    others: tuple[tuple[Game, dict[str, Any]], ...] = (
        (game.with_rules("hard"), {}),
        (game, {"max_guesses": 5}),
        (game, {"max_guesses": None}),
        (game, {"objective": "worst"}),
        (game, {"objective": "within:2"}),
        (game, {"weights": Weights("file", (2,) + (1,) * (len(game.answers) - 1))}),
        (Game.from_words(game.guesses, game.answers[1:]), {}),
        (letters_game("another", 100, 2), {}),
    )
    for other, options in others:
        with pytest.raises(InputError, match="belongs to another question: its") as raised:
            solve(other, **options, journal=path)
        assert path in str(raised.value)
        assert "\n" not in str(raised.value)
    matrix = np.ones((4, 3), np.uint8)
    matrix[range(3), range(3)] = 0
    another = matrix.copy()
    another[3] = [1, 2, 2]
    here = path + "2"
    solve(Game.from_matrix(matrix, 0), journal=here)
    with pytest.raises(InputError, match="matrix sha256"):
        solve(Game.from_matrix(another, 0), journal=here)


@posix
def test_two_runs_do_not_share_a_journal(path: str) -> None:
    game = letters_game("journal", 100, 2)
    about = journals.identity(game, 6, "mean", None)
    with journals.Journal(path, game, about, "a test", 1):
        # Another process, since locks are a matter between processes.
        code = f"from optimal.journal.database import Database; Database({path!r}, {about!r})"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False
        )
        assert "another run is writing to it" in done.stderr
    assert solve(game, journal=path).status is Status.OPTIMAL


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    game = letters_game("journal", 60, 2)
    for data in (b"no journal", b"SQLite format 3\0", b"SQLite format 3\0" + bytes(5000), b"\0" * 4096):
        file = tmp_path / "file"
        file.write_bytes(data)
        with pytest.raises(InputError, match=NO_JOURNAL):
            rank(game, journal=file)
        assert file.read_bytes() == data
        with pytest.raises(InputError, match=NO_JOURNAL):
            status(file)
        for other in tmp_path.glob("file-*"):
            other.unlink()
    other_program = str(tmp_path / "other")
    sql(other_program, "CREATE TABLE units (opener TEXT)")
    before = Path(other_program).read_bytes()
    with pytest.raises(InputError, match="not a journal of optimal"):
        rank(game, journal=other_program)
    assert Path(other_program).read_bytes() == before
    for name in (tmp_path / "no" / "folder", tmp_path):
        with pytest.raises(InputError, match="cannot open the journal"):
            rank(game, journal=name)
    with pytest.raises(InputError, match="the journal must be the name of a file"):
        rank(game, journal="")
    empty = tmp_path / "empty"
    empty.touch()
    assert rank(game, top=1, journal=empty).status is Status.OPTIMAL


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_journal(tmp_path: Path) -> None:
    """Nobody writes to it: whoever opens it waits for ever."""
    script = """
from optimal import Game, OptimalError, copy_journal, export_ledger, forget_imports, rank, status
from optimal.journal.status import course

game = Game.from_words(["ab", "ba"])
rank(game, journal="right")
for use in (
    lambda: rank(game, journal="pipe"),
    lambda: status("pipe"),
    lambda: course("pipe"),
    lambda: export_ledger("pipe", "ledger"),
    lambda: forget_imports("pipe"),
    lambda: copy_journal("pipe", "copy"),
    lambda: copy_journal("right", "pipe"),
):
    try:
        use()
    except OptimalError as error:
        print(error)
"""
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=SOON)
    told = ["cannot open the journal pipe: it is no ordinary file"] * 6
    assert done.stdout.splitlines() == [*told, "cannot copy the journal right: pipe is there already"], done.stderr


def test_a_journal_of_another_version(path: str) -> None:
    game = letters_game("journal", 60, 2)
    rank(game, top=1, journal=path)
    for version in (1, 3):
        sql(path, f"PRAGMA user_version = {version}")
        said = f"a journal of version {version}; this program writes 2: begin a new one$"
        for ask in (lambda: rank(game, top=1, journal=path), lambda: status(path)):
            with pytest.raises(InputError, match=said) as raised:
                ask()
            assert "\n" not in str(raised.value)


def with_log(path: str, game: Game) -> bytes:
    """The log of a journal, as a run leaves it behind that is killed before the file has it, and then is folded in."""
    database = Database(path, journals.identity(game, game.max_guesses, "mean", None))
    database.write([database.put("units", tuple(row.values())) for row in list(database.rows("units"))])
    log = Path(f"{path}-wal").read_bytes()
    database.close()
    return log


@pytest.mark.parametrize("looked_at", [True, False])
def test_the_log_of_another_journal_is_refused(looked_at: bool, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that differ alone: the rows of one would pass for rows of the other."""
    game = letters_game("journal", 150, 2)
    hard, other = game.with_rules("hard"), f"{path} hard"
    whole = timeless(rank(game, all_openers=True, journal=path))
    rank(hard, all_openers=True, journal=other)
    log, data = Path(f"{path}-wal"), Path(path).read_bytes()
    log.write_bytes(with_log(other, hard))
    if not looked_at:  # then each row tells
        monkeypatch.setattr("optimal.journal.database.check_logs", lambda *_: None)
    for ask in (lambda: status(path), lambda: rank(game, all_openers=True, journal=path)):
        with pytest.raises(InputError, match="isn't its own: move it away" if looked_at else "damaged") as raised:
            ask()
        assert "\n" not in str(raised.value)
    if looked_at:
        assert Path(path).read_bytes() == data
        log.unlink()
        assert timeless(rank(game, all_openers=True, journal=path)) == whole


def test_a_row_of_another_journal_is_refused(path: str) -> None:
    """With its own checksum; of the same question, too, since nobody knows what became of that journal."""
    game = letters_game("journal", 60, 2)
    for number, other in enumerate((game.with_rules("hard"), game)):
        here, there = f"{path} {number}", f"{path} {number} other"
        rank(game, all_openers=True, journal=here)
        rank(other, all_openers=True, journal=there)
        [row] = sql(there, "SELECT * FROM units LIMIT 1")
        sql(here, f"INSERT OR REPLACE INTO units VALUES ({', '.join('?' * len(row))})", row)
        with pytest.raises(InputError, match="table units is not as it was written"):
            rank(game, all_openers=True, journal=here)


def test_the_log_of_another_state_is_refused(path: str) -> None:
    """A journal that was put back beside the log of what came later, and one that has gone on since its log."""
    game = letters_game("journal", 150, 2)
    rank(game, top=1, journal=path)
    before, log_before = Path(path).read_bytes(), with_log(path, game)
    database = Database(path, journals.identity(game, game.max_guesses, "mean", None))
    states, logs = [], []
    for number in range(3):  # of one process
        states.append(Path(path).read_bytes())
        database.write([database.put("gap", (1, float(number), 6, None, None, 0))])
        logs.append(Path(f"{path}-wal").read_bytes())
        database.fold()
    database.close()
    copy_journal(path, f"{path} copy")
    after, log_after = Path(path).read_bytes(), with_log(path, game)
    for data, log, fits in (
        (before, log_before, True),
        (after, log_after, True),
        (before, log_after, False),
        (after, log_before, False),
        (Path(f"{path} copy").read_bytes(), log_after, False),
        *((states[at], logs[of], at - of in (0, 1)) for at in range(3) for of in range(3)),
        (after, log_before[:-1], False),
        (after, log_before[:32], True),  # of pages there are none
        (after, b"\0" * 9000, True),
        (after, b"", True),
    ):
        Path(path).write_bytes(data)
        Path(f"{path}-wal").write_bytes(log)
        if fits:
            assert status(path).status == "OPTIMAL"
        else:
            with pytest.raises(InputError, match="isn't its own"):
                status(path)
    Path(f"{path}-wal").unlink()
    Path(f"{path}-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")  # how SQLite's other logs begin
    with pytest.raises(InputError, match="-journal lies beside"):
        status(path)


def test_a_log_that_cannot_be_read_is_not_passed_over(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that can't be written to, SQLite can read a journal alone, but not its log."""
    game, connect = letters_game("journal", 60, 2), sqlite3.connect
    rank(game, top=1, journal=path)
    data, log = Path(path).read_bytes(), with_log(path, game)
    Path(path).write_bytes(data)

    class Failing(sqlite3.Connection):
        def execute(self, *statement: Any) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("unable to open database file")

    def read_only(name: str, **options: Any) -> Any:
        return connect(name, **options, factory=sqlite3.Connection if "immutable" in name else Failing)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    Path(f"{path}-wal").touch()
    assert status(path).status == "OPTIMAL"
    Path(f"{path}-wal").write_bytes(log)
    with pytest.raises(InputError, match="copy both to a folder that can be written to"):
        status(path)


def test_the_file_alone_is_the_whole_journal(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a run goes on, too: so it is after a kill, and wherever the file is moved."""
    monkeypatch.setattr(journals, "EVERY", 0.01)
    game = letters_game("journal", 60, 2)
    about, alone = journals.identity(game, 6, "mean", None), f"{path} alone"

    def known() -> dict[str, int]:
        Path(alone).write_bytes(Path(path).read_bytes())
        try:
            database = Database(alone)
        except InputError:  # copied in the middle of a write
            return {}
        try:
            return {row["opener"]: row["lower"] for row in database.rows("units")}
        finally:
            database.close()

    with journals.Journal(path, game, about, "a test", 1) as journal:
        journal.begin(lambda: None, tuple, lambda: None)
        for guess in range(3):
            journal.opener(6, guess, journals.Known(100 + guess, None), "", settled=False)
            wait_for(lambda count=guess + 1: len(known()) == count)  # type: ignore[misc]
        assert known() == {game.guesses[guess]: 100 + guess for guess in range(3)}
        journal.ran(1.0, 1, 1, "running", "running")
        wait_for(lambda: bool(known()) and status(alone).runs == 1)
        standing = status(alone)  # as after a kill, but that it was moved away from its log
        assert (standing.status, standing.log_missing) == ("interrupted", True)
        assert f"{alone}-wal" in " ".join(str(standing).split())
        assert not list(Path(path).parent.glob("journal alone-*"))  # looking leaves nothing behind
        Path(f"{alone}-wal").touch()
        assert not status(alone).log_missing


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run write to its journal all the time."""
    monkeypatch.setattr(journals, "EVERY", 0.001)


class Once:
    """A progress callback that lets something happen once, just before a run that looks at openers writes to its
    journal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, path: str, do: Callable[[], object]) -> None:
        self.ready = self.done = False
        write = Database.write

        def writing(database: Database, work: Any) -> None:
            if database.path == path and self.ready and not self.done:
                self.done = True
                do()
            write(database, work)

        monkeypatch.setattr(Database, "write", writing)

    def __call__(self, news: Progress) -> None:
        self.ready |= news.phase == "openers"


@posix
@pytest.mark.usefixtures("often")
def test_a_journal_that_is_deleted_is_written_anew(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = letters_game("journal", 300, 2)
    whole = timeless(rank(game, all_openers=True))
    rank(game, openers=game.guesses[:9], journal=path)
    deletion = Once(monkeypatch, path, lambda: os.unlink(path))
    assert timeless(rank(game, all_openers=True, journal=path, progress=deletion)) == whole
    assert deletion.done
    assert rank(game, all_openers=True, journal=path).nodes == 0
    assert sorted(file.name for file in Path(path).parent.iterdir()) == ["journal"]


@posix
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("how", ["renamed", "written over", "emptied"])
def test_a_journal_that_is_replaced_ends_the_run_in_a_line(
    how: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = letters_game("journal", 300, 2)
    whole, other = rank(game, all_openers=True), f"{path} other"
    rank(game.with_rules("hard"), top=1, journal=other)
    data = b"" if how == "emptied" else Path(other).read_bytes()
    ways: dict[str, Callable[[], object]] = {
        "renamed": lambda: os.replace(other, path),
        "written over": lambda: Path(path).write_bytes(data),
        "emptied": lambda: Path(path).write_bytes(b""),
    }
    rank(game, openers=game.guesses[:9], journal=path)
    replacing = Once(monkeypatch, path, ways[how])
    part = rank(game, all_openers=True, journal=path, progress=replacing)
    assert replacing.done
    said = f"the journal {path} was replaced by another file while the run went on; what was proven of openers is in "
    assert part.stop_reason.startswith(said)
    assert "\n" not in part.stop_reason
    assert Path(path).read_bytes() == data
    beside = part.stop_reason.removeprefix(said)
    assert status(beside).exact >= 5
    went_on = rank(game, all_openers=True, journal=beside)
    assert timeless(went_on) == timeless(whole)
    assert went_on.nodes < whole.nodes


@posix
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("when", ["before", "after", "never, but it can't be opened"])
def test_a_deleted_journal_whose_place_is_taken(when: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run begins a journal of this name before or after the next write puts the file back."""
    game = letters_game("journal", 300, 2)
    whole, other = rank(game, all_openers=True), f"{path} other"
    rank(game.with_rules("hard"), top=1, journal=other)
    data, log = Path(other).read_bytes(), Path(f"{path}-wal")
    rank(game, openers=game.guesses[:9], journal=path)
    copied, place, opened = Database._copied, databases._place, Database._open_alone
    refusing = False

    def take() -> None:
        os.replace(other, path)
        log.write_bytes(b"rows of the other")

    def copied_then(self: Database, folder: str) -> str:
        temporary = copied(self, folder)
        if when == "before":
            take()
        return temporary

    def placed_then(temporary: str, there: str) -> None:
        nonlocal refusing
        place(temporary, there)
        if there == path:
            refusing = when.startswith("never")
            if when == "after":
                take()

    def opened_or_not(self: Database, about: Any) -> Any:
        nonlocal refusing
        if refusing:
            refusing = False
            raise InputError(f"cannot open the journal {path}: Too many open files")
        return opened(self, about)

    deletion = Once(monkeypatch, path, lambda: os.unlink(path))
    monkeypatch.setattr(Database, "_copied", copied_then)
    monkeypatch.setattr(databases, "_place", placed_then)
    monkeypatch.setattr(Database, "_open_alone", opened_or_not)
    part = rank(game, all_openers=True, journal=path, progress=deletion)
    assert deletion.done
    why, _, beside = part.stop_reason.partition("; what was proven of openers is in ")
    if when in ("before", "after"):
        assert why == f"the journal {path} was replaced by another file while the run went on"
        assert Path(path).read_bytes() == data
    else:
        assert why == f"cannot open the journal {path}: Too many open files"
    if when == "before":
        assert log.read_bytes() == b"rows of the other"
    assert status(beside).exact >= 5
    assert timeless(rank(game, all_openers=True, journal=beside)) == timeless(whole)


@pytest.mark.usefixtures("often")
def test_copies_of_a_journal(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While its run goes on, and after."""
    game = letters_game("journal", 300, 2)
    rank(game, openers=game.guesses[:9], journal=path)
    copying = Once(monkeypatch, path, lambda: copy_journal(path, f"{path} early"))
    whole = rank(game, all_openers=True, journal=path, progress=copying)
    assert copying.done
    early = status(f"{path} early")
    assert (early.running, early.exact >= 5) == (False, True)
    assert timeless(rank(game, all_openers=True, journal=f"{path} early")) == timeless(whole)
    Path(f"{path} late").touch()
    copy_journal(path, f"{path} late")  # over an empty file
    assert rank(game, all_openers=True, journal=f"{path} late").nodes == 0
    Path(f"{path} killed-wal").write_bytes(b"rows")
    here, text = Path(path).parent, Path(f"{path} text")
    text.write_text("mine")
    kept = Path(f"{path} late").read_bytes()
    for to, said in (
        (path, "over the journal"),
        (f"{path} killed", "or was killed"),
        (f"{path} late", "late is there already"),
        (text, "text is there already"),
        (here, "cannot"),
        (here / "no" / "folder", "cannot"),
    ):
        with pytest.raises(InputError, match=said) as raised:
            copy_journal(path, to)
        assert "\n" not in str(raised.value)
    assert sorted(file.name for file in here.iterdir()) == [
        *("journal", "journal early", "journal killed-wal", "journal late", "journal text")
    ]
    assert (Path(f"{path} late").read_bytes(), text.read_text()) == (kept, "mine")


def test_every_row_is_checked(path: str) -> None:
    game = letters_game("journal", 100, 2)
    solve(game, journal=path)
    name = sql(path, "SELECT opener FROM units WHERE lower > 0 LIMIT 1")[0][0]
    changes = (
        ("UPDATE units SET lower = lower - 1, upper = lower - 1 WHERE opener = ?", "table units"),
        ("UPDATE units SET nodes = nodes + 1 WHERE opener = ?", "table units"),
        ("UPDATE trees SET cost = cost - 1 WHERE ? <> ''", "table trees"),
        ("UPDATE about SET value = value || '1' WHERE name = 'winning code' AND ? <> ''", "table about"),
    )
    data = Path(path).read_bytes()
    for change, where in changes:
        sql(path, change, (name,))
        with pytest.raises(InputError, match=f"{where} is not as it was written") as raised:
            solve(game, journal=path)
        assert "\n" not in str(raised.value)
        Path(path).write_bytes(data)


def test_a_row_that_is_missing(path: str) -> None:
    game = letters_game("journal", 60, 2)
    rank(game, top=1, journal=path)
    sql(path, "DELETE FROM about WHERE name = 'rules'")
    for ask in (lambda: rank(game, top=1, journal=path), lambda: status(path)):
        with pytest.raises(InputError, match="doesn't say its 'rules'"):
            ask()


def test_two_options_for_one_file(folder: Path) -> None:
    for words in (("--log", "j"), ("--output", "j"), ("--log", "j-wal")):
        found = run(folder, *SOLVE, *words)
        assert (found.status, found.err.count("\n")) == (2, 1)
        assert "name the same file" in found.err


def test_what_contradicts_is_refused_even_with_its_checksum(path: str) -> None:
    game = letters_game("journal", 300, 2)
    whole = solve(game, journal=path)
    total = whole.total
    assert total is not None
    data = Path(path).read_bytes()
    best = f"opener = '{whole.opener}'"
    forgeries: tuple[Callable[[], None], ...] = (
        lambda: forge(path, "units", best, lower=1, upper=1),
        lambda: forge(path, "units", best, lower=total + 1, upper=total + 1),
        lambda: forge(path, "units", best, lower=-5, upper=-5),
        lambda: forge(path, "units", best, lower="7", upper="7"),
        lambda: forge(path, "units", best, opener="zzzz"),
        lambda: forge(path, "units", best, upper=total + 3),
        lambda: forge(path, "trees", "1", cost=total - 1),
        lambda: forge(path, "trees", "1", tree=b"no tree"),
        lambda: forge(path, "units", best, below="x y"),
        lambda: forge(path, "units", best, below="5 0 -1 1"),
        lambda: forge(path, "units", best, below="5 3", lower=2**62 + 1),
    )
    for number, forgery in enumerate(forgeries):
        forgery()
        with pytest.raises(OptimalError) as raised:
            solve(game, journal=path)
        assert "\n" not in str(raised.value), number
        assert path in str(raised.value), number
        Path(path).write_bytes(data)
    # A cost that no cheap bound shows to be wrong: the tree can't be built, which does.
    search = search_of(game)
    opener = next(g for g in range(len(game.guesses)) if search.quick_bound(g, 6) <= total - 1)
    forge(path, "units", f"opener = '{game.guesses[opener]}'", lower=total - 1, upper=total - 1)
    sql(path, "DELETE FROM trees")
    with pytest.raises(InputError, match="a search contradicts it"):
        solve(game, journal=path)


def test_any_damage_is_one_clear_error_or_does_no_harm(path: str) -> None:
    """Bytes changed anywhere, and files cut off."""
    rng = random.Random("damage")
    game = letters_game("journal", 60, 2)
    whole = timeless(rank(game, all_openers=True, journal=path))
    data = Path(path).read_bytes()
    messages: list[str] = []
    for _ in range(60):
        damaged = bytearray(data)
        if rng.random() < 0.2:
            del damaged[rng.randrange(len(damaged)) :]
        else:
            at = rng.randrange(len(damaged))
            damaged[at : at + 1] = rng.choice(
                (bytes([damaged[at] ^ 1 << rng.randrange(8)]), rng.randbytes(rng.randrange(300)))
            )
        Path(path).write_bytes(damaged)
        try:
            found = rank(game, all_openers=True, journal=path)
        except OptimalError as error:
            messages.append(str(error))
        else:
            assert timeless(found) == whole
        for other in Path(path).parent.glob("journal-*"):
            other.unlink()
    assert len(messages) > 20
    assert [message for message in messages if "\n" in message] == []


# Processes


WORDS = letters_game("faults", 600, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "g.txt").write_text("\n".join(WORDS.guesses))
    (tmp_path / "a.txt").write_text("\n".join(WORDS.answers))
    return tmp_path


SOLVE = ("solve", "--guesses", "g.txt", "--answers", "a.txt", "--jobs", "2", "--journal", "j")


@posix
@pytest.mark.slow
def test_killed_twenty_times_and_resumed(folder: Path) -> None:
    rng = random.Random("kill")
    run(folder, *SOLVE[:-2], "--output", "whole.msgpack")
    killed = 0
    for _ in range(20):
        process = started(folder, *SOLVE)
        try:
            process.communicate(timeout=rng.uniform(0.1, 1.2))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
        if (folder / "j").exists() and (folder / "j").stat().st_size:
            status(folder / "j")  # it can be read at any moment
    assert killed
    found = run_json(folder, *SOLVE, "--output", "resumed.msgpack")
    assert found["status"] == "OPTIMAL"
    assert (folder / "resumed.msgpack").read_bytes() == (folder / "whole.msgpack").read_bytes()


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)])
def test_signals_stop_a_run_within_a_second(folder: Path, number: int) -> None:
    command = ("rank", "nyt2023", "--openers", "tarse,qajaq", "--journal", "j", "--json")
    # Where the tests run detached, SIGHUP is ignored, and that is inherited.
    process = started(folder, *command, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    wait_for(lambda: _kept(folder / "j", "tarse"))
    process.send_signal(number)
    began = time.monotonic()
    out, err = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < SOON
    assert (process.returncode, "Traceback" in err) == (130, False), err
    found = json.loads(out)
    assert (found["status"], found["stop_reason"]) == ("FEASIBLE", "interrupted")
    assert [(row["guess"], row["total"]) for row in found["openers"]] == [("tarse", 11219), ("qajaq", None)]
    standing = status(folder / "j")
    assert (standing.running, standing.status, standing.stop_reason) == (False, "FEASIBLE", "interrupted")


def _kept(file: Path, opener: str) -> bool:
    try:
        database = Database(str(file))
    except OptimalError:
        return False
    try:
        return any(row["opener"] == opener and row["upper"] for row in database.rows("units", "below = ''"))
    finally:
        database.close()


PHASES = ("tables", "greedy play", "first trees", "bounds", "openers", "tree")


@posix
@pytest.mark.parametrize("phase", PHASES)
def test_an_interrupt_in_every_phase_loses_nothing(phase: str, path: str) -> None:
    whole = solve(WORDS)
    part = solve(WORDS, journal=path, progress=interrupt_at(phase))
    assert part.bound is None or whole.bound is None or part.bound <= whole.bound
    assert told(solve(WORDS, journal=path)) == told(whole)


@posix
def test_a_full_disk_ends_the_run_with_one_message(folder: Path) -> None:
    resource = pytest.importorskip("resource")

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (45_000, 45_000))

    process = started(folder, *SOLVE, "--json", preexec_fn=little_room)
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err, err
    found = json.loads(out)
    assert "cannot write the journal j" in found["stop_reason"]
    assert err.count("optimal solve: cannot write the journal j") == 1
    standing = status(folder / "j")  # how it ended finds room where not all did
    assert (standing.status, standing.stop_reason) == (found["status"], found["stop_reason"])
    # With room again it goes on from what could be written.
    again = run_json(folder, *SOLVE)
    assert (again["status"], again["total"]) == ("OPTIMAL", solve(WORDS).total)


def test_the_clock_set_back(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = letters_game("journal", 100, 2)
    times: Iterator[float] = iter(range(10**9, 0, -3600))
    monkeypatch.setattr(time, "time", lambda: next(times))
    rank(game, top=2, journal=path)
    found = solve(game, journal=path)
    assert told(found) == told(solve(game))
    assert all(row[0] >= 0 for row in sql(path, "SELECT seconds FROM units UNION ALL SELECT seconds FROM gap"))
    assert status(path).seconds >= 0


# Its standing


def test_a_stopped_run_says_how_it_goes_on(folder: Path) -> None:
    told = "s.journal has what is proven: the same command goes on from there"
    for command in ("solve", "rank"):
        stopped = run(folder, command, "classic", "--journal", "s.journal", "--time-limit", "0.6")
        assert told in stopped.err.splitlines()
        assert told not in run(folder, command, "classic", "--time-limit", "0.6").err
    assert told not in run(folder, *SOLVE, "--journal", "s2.journal").err


def test_a_fast_rate_is_a_whole_number(folder: Path) -> None:
    run(folder, *SOLVE, "--journal", "r.journal")
    standing = replace(status(folder / "r.journal"), rate=9333.3)
    assert "9,333 openers a second" in str(standing)
    assert "0.0123 openers a second" in str(replace(standing, rate=0.012345))


def test_status_of_a_run(folder: Path) -> None:
    found = run_json(folder, *SOLVE)
    shown = run_json(folder, "status", "j")
    assert (shown["status"], shown["total"], shown["bound"]) == ("OPTIMAL", found["total"], found["total"])
    assert (shown["done"], shown["left"], shown["running"]) == (len(WORDS.guesses), 0, False)
    assert shown["seconds"] > 0
    assert len(shown["slowest"]) == 5
    text = run(folder, "status", "j")
    assert text.status == 0
    assert "OPTIMAL, done" in text.out
    assert max(map(len, text.out.splitlines())) <= 80
    assert run_json(folder, "status", "j", "--copy", "k")["copied"] == "k"
    assert run_json(folder, *SOLVE[:-1], "k")["nodes"] < found["nodes"]
    assert "k is there already" in run(folder, "status", "j", "--copy", "k").err
    assert "journal copied to l" in run(folder, "status", "j", "--copy", "l").out
    assert "name the same file" in run(folder, "status", "j", "--copy", "j").err
    missing = run(folder, "status", "nowhere")
    assert (missing.status, missing.out, missing.err.count("\n")) == (2, "", 1)


def test_status_is_of_the_openers_last_asked_for(path: str) -> None:
    game = letters_game("journal", 60, 1)
    totals = {guess: solve(game, openers=[guess]).total or 0 for guess in game.guesses[:9]}
    best, worst = min(totals, key=totals.__getitem__), max(totals, key=totals.__getitem__)
    assert totals[best] < totals[worst]
    for guess in (best, worst, best):
        solve(game, openers=[guess], journal=path)
        shown = status(path)
        assert (shown.incumbent, shown.bound, shown.done, shown.openers) == (totals[guess], totals[guess], 1, 1)
        assert "gap 0 (0.00 %)" in str(shown)
    assert shown.exact == 2
    assert "costs of 2 openers" in str(shown)


@posix
def test_status_while_it_runs_and_after_a_kill(folder: Path) -> None:
    process = started(folder, "rank", "nyt2023", "--openers", "tarse,qajaq", "--journal", "j")
    wait_for(lambda: _kept(folder / "j", "tarse"))
    shown = status(folder / "j")
    process.kill()
    process.communicate()
    assert (shown.running, shown.status, shown.asked) == (True, "running", "rank qajaq tarse")
    shown = status(folder / "j")
    assert (shown.running, shown.status, shown.exact, shown.left) == (False, "interrupted", 1, 1)


def test_a_log_tells_what_took_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_json(folder, *SOLVE[:-2], "--log", "log")
    lines = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    assert [line["seconds"] for line in lines] == sorted(line["seconds"] for line in lines)
    assert {"tables", "openers", "tree"} <= {line["phase"] for line in lines if line["event"] == "phase"}
    assert (lines[-1]["event"], lines[-1]["status"]) == ("end", "OPTIMAL")
    monkeypatch.setattr("optimal.search.run.LOGGED", 0.0)
    events: list[dict[str, Any]] = []
    rank(Game.preset("classic"), openers=["salet", "crane"], log=events.append)
    [slow] = [event for event in events if event["event"] == "opener" and event["opener"] == "crane"]
    assert slow["exact"]
    assert slow["took"] > 0
    assert slow["nodes"] > 0
    bad = run(folder, *SOLVE, "--log", "no/such/log")
    assert (bad.status, bad.err.count("\n")) == (2, 1)
    assert "cannot write the log no/such/log" in bad.err


def test_a_run_that_was_killed_early_does_not_hide_what_is_known(path: str) -> None:
    game = letters_game("journal", 60, 1)
    first = solve(game, journal=path)
    with closing(Database(path, writing=True)) as database:
        killed = (2, "optimal", "now", "solve all openers", 1, first.openers, 0.5, 0, "running", "running")
        database.write([database.put("runs", killed), database.put("gap", (2, 0.5, 6, None, None, 0))])
    shown = status(path)
    assert (shown.status, shown.incumbent, shown.bound) == ("interrupted", first.total, first.total)
    solve(game, openers=game.guesses[:1], journal=path)
    with closing(Database(path, writing=True)) as database:  # of other openers nothing is known
        other = (4, "optimal", "now", f"solve {game.guesses[1]}", 1, 1, 0.5, 0, "running", "running")
        database.write([database.put("runs", other), database.put("gap", (4, 0.5, 6, None, None, 0))])
    assert (status(path).incumbent, status(path).bound) == (None, None)


def test_openers_with_blanks_are_not_taken_for_others(path: str) -> None:
    """One named "a b" is another question than a and b; and one may be named as what stands for all."""
    game = Game.from_matrix(
        np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]]), 0, guesses=["a", "a b", "b", "all openers"]
    )
    for others, one in ((["a", "b"], "a b"), (None, "all openers")):
        known = solve(game, openers=others, journal=path)
        assert status(path).incumbent == known.total
        with journal_of(
            question_of(game, openers=[one], options=Options(journal=path)), "solve"
        ) as kept:  # killed before it found anything
            assert kept is not None
            kept.ran(0.5, 0, 1, "running", "running")
            kept.stands(0, 0.5, None, None, 0)
        shown = status(path)
        assert (shown.asked, shown.incumbent, shown.bound) == (f'solve "{one}"', None, None)


def test_costs_beyond_what_is_counted_are_told_apart_beside_the_journal(path: str) -> None:
    """Whether there is any tree is another question than the journal's: nothing of it is written there."""
    game = letters_game("ov", 40, 1, max_guesses=5)
    for scale in (31, 50):
        weights = Weights("file", (2**scale // len(game.answers),) * len(game.answers))
        for _ in range(2):
            with pytest.raises(InputError, match="too much to count what is missed by within:2"):
                solve(game, objective="within:2", weights=weights, journal=path)
        shown = status(path)
        assert (shown.status, shown.incumbent, shown.bound) == ("UNKNOWN", None, None)
        assert "too much to count what is missed by within:2" in shown.stop_reason
        os.unlink(path)


def test_a_ranking_that_stops_has_a_bound(path: str) -> None:
    game = letters_game("journal", 300, 2)
    rank(game, top=1, journal=path, progress=interrupt_at("openers"))
    best, shown = solve(game).total, status(path)
    assert best is not None
    assert shown.left > 0
    assert shown.bound is not None
    assert 0 < shown.bound <= best


def test_the_course_is_that_of_the_openers_last_asked_for(path: str) -> None:
    game = letters_game("journal", 60, 1)
    totals = [solve(game, openers=[guess], journal=path).total for guess in (*game.guesses[:2], game.guesses[0])]
    moments = course(path)
    assert {moment.incumbent for moment in moments} - {None} == {totals[0]}
    assert {moment.settled for moment in moments} <= {0, 1}
    times = [moment.seconds for moment in moments]
    assert times == sorted(times)
    assert len(times) >= 2  # both runs that asked for it
