"""Journals: what a run has proven outlives it, whatever ends it, and nothing false is ever taken from one."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from games_util import StopAt, letters_game, random_game, random_weights, search_of, told
from journals_util import boundaries, contents_of, forge

from optimal import _engine
from optimal.advice.subgame import solve_position
from optimal.errors import InputError, OptimalError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.journal import file as journal_file
from optimal.journal import journal as journals
from optimal.journal.file import JournalFile, read_journal
from optimal.journal.header import MAGIC
from optimal.journal.ledger import forget_imports
from optimal.journal.records import Known, Note, Proven, TreeRecord, record_of_note
from optimal.journal.status import copy_journal, status
from optimal.search.game_problem import Problem
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.ranking import Ranking, rank
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.search.stopping import journal_of
from optimal.trees.verify import verify_tree

NO_JOURNAL = r"not a journal|damaged|cannot open"
OBJECTIVES = ("mean", "worst", "within:2")
GAME, LARGE = letters_game("journal", 100, 2), letters_game("journal", 300, 2)
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits are others there")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "journal")


def timeless(found: Ranking) -> Ranking:
    return replace(found, seconds=0.0, nodes=0)


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
            part = solve(game, **options, jobs=jobs, journal=here, progress=StopAt(news))
            if part.bound is not None and whole.value is not None:
                assert part.bound <= whole.value
            if part.tree is not None:
                assert verify_tree(part.tree, guesses=game.guesses, answers=game.answers).ok
        for count in (jobs, 1):
            assert told(solve(game, **options, jobs=count, journal=here)) == told(whole)


def test_what_is_known_is_not_searched_again(path: str) -> None:
    every = rank(LARGE, all_openers=True, journal=path)
    again = rank(LARGE, all_openers=True, journal=path)
    assert timeless(again) == timeless(every)
    assert again.nodes == 0
    assert timeless(rank(LARGE, top=3, journal=path)) == timeless(rank(LARGE, top=3))
    # A solve asks the same of every opener, so a ranking serves it, too.
    assert told(solve(LARGE, journal=path)) == told(solve(LARGE))


def test_some_openers_after_all_of_them(path: str) -> None:
    """The best tree of all may not stand for openers that it doesn't begin with."""
    best = solve(GAME, journal=path)
    for opener in [guess for guess in GAME.guesses if guess != best.opener][:4]:
        assert told(solve(GAME, first=[opener], journal=path)) == told(solve(GAME, first=[opener]))
    assert told(solve(GAME, journal=path)) == told(best)


#: In notes: no guess, and in place of feedback, that the guess as a whole is meant.
NO_GUESS, WHOLE = 65535, -1


def test_notes_that_cannot_be_are_refused() -> None:
    game = Game.preset("classic")
    search = search_of(game)
    salet, crony = game.guess_index("salet"), game.guess_index("crony")
    good = (((salet, 0),), 5, 609, 1, 4, crony, 1)
    search.import_bounds(*good)
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
            search.import_bounds(*bad)
    search.import_bounds(*good)


def test_the_journal_of_a_position(path: str) -> None:
    game = Game.preset("classic", "hard")
    whole = solve_position(game, "salet=bbbbb")
    assert told(solve_position(game, "salet=bbbbb", journal=path)) == told(whole)
    assert told(solve_position(game, "salet=bbbbb", journal=path)) == told(whole)
    with pytest.raises(InputError, match="belongs to another question"):
        solve_position(game, "salet=bbbby", journal=path)


def test_other_questions_are_refused(path: str) -> None:
    solve(GAME, journal=path)
    others: tuple[tuple[Game, dict[str, Any]], ...] = (
        (GAME.with_rules("hard"), {}),
        (GAME, {"limit": 5}),
        (GAME, {"limit": None}),
        (GAME, {"objective": "worst"}),
        (GAME, {"objective": "within:2"}),
        (GAME, {"weights": Weights("file", (2,) + (1,) * (len(GAME.answers) - 1))}),
        (Game.from_words(GAME.guesses, GAME.answers[1:]), {}),
        (letters_game("another", 100, 2), {}),
    )
    for other, options in others:
        with pytest.raises(InputError, match="belongs to another question: its") as raised:
            solve(other, **options, journal=path)
        assert path in str(raised.value)
        assert "\n" not in str(raised.value)
    here = f"{path} of a matrix"
    solve(Game.from_matrix([[0, 1], [1, 0]], 0), journal=here)
    with pytest.raises(InputError, match="matrix sha256"):
        solve(Game.from_matrix([[0, 2], [1, 0]], 0), journal=here)


@posix
def test_two_runs_do_not_share_a_journal(path: str) -> None:
    with journal_of(Problem(GAME, 6, options=Options(journal=path)), "solve"):
        for ask in (lambda: solve(GAME, journal=path), lambda: forget_imports(path)):
            with pytest.raises(InputError, match="another run is writing to it"):
                ask()
        assert status(path).running
    assert solve(GAME, journal=path).status is Status.OPTIMAL
    assert not status(path).running


VERSION = r"of another version of optimal; begin a new one$"
SQLITE = b"SQLite format 3\0"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        *((data, NO_JOURNAL) for data in (b"no journal", SQLITE, SQLITE + bytes(5000), b"\0" * 4096, MAGIC)),
        *((data, VERSION) for data in (SQLITE + bytes(52) + b"optj" + bytes(4000), MAGIC.replace(b"3", b"4"))),
    ],
)
def test_what_is_no_journal_is_left_alone(path: str, data: bytes, said: str) -> None:
    Path(path).write_bytes(data)
    for ask in (lambda: rank(GAME, journal=path), lambda: status(path)):
        with pytest.raises(InputError, match=said) as raised:
            ask()
        assert "\n" not in str(raised.value)
    assert Path(path).read_bytes() == data
    assert os.listdir(os.path.dirname(path)) == ["journal"]


def test_names_that_no_journal_may_have(tmp_path: Path) -> None:
    for name in (tmp_path / "no" / "folder", tmp_path):
        with pytest.raises(InputError, match="cannot open the journal"):
            rank(GAME, journal=name)
    empty = tmp_path / "empty"
    empty.touch()
    assert rank(GAME, top=1, journal=empty).status is Status.OPTIMAL


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_journal(path: str) -> None:
    """Nobody writes to it: whoever opens it waits for ever."""
    os.mkfifo(path)
    uses: tuple[Callable[[], object], ...] = (
        lambda: rank(GAME, journal=path),
        lambda: status(path),
        lambda: forget_imports(path),
        lambda: copy_journal(path, f"{path} copy"),
    )
    for use in uses:
        with pytest.raises(InputError, match=r"cannot open the journal .*: it is no ordinary file$"):
            use()


def test_what_a_kill_leaves_behind_is_cut_off(path: str) -> None:
    """A journal that was cut anywhere has all transactions before that, and a run goes on from them."""
    whole = timeless(rank(GAME, all_openers=True))
    rank(GAME, first=GAME.guesses[:9], journal=path)
    rank(GAME, all_openers=True, journal=path)
    data = Path(path).read_bytes()
    _, first, *others = boundaries(data)
    for at in range(first, len(data), 53):
        for rest in (b"", bytes(99)):  # a loss of power may leave zeros
            Path(path).write_bytes(data[:at] + rest)
            assert len(read_journal(path).sound) == max(end for end in (first, *others) if end <= at)
    for at in (first, first + 5, others[0] + 7, len(data) - 1):
        Path(path).write_bytes(data[:at] + bytes(99))
        assert timeless(rank(GAME, all_openers=True, journal=path)) == whole
        assert len(read_journal(path).sound) == len(Path(path).read_bytes())


def test_a_journal_does_not_grow_for_ever(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no longer counts is taken out, while the run goes on; nobody else gets hold of the file meanwhile."""
    monkeypatch.setattr(journals, "EVERY", 0.001)
    monkeypatch.setattr(journals, "SMALL", 20_000)
    Path(path).touch(mode=0o640)
    question = Problem(GAME, 6, options=Options(journal=path))
    with journal_of(question, "solve") as journal:
        assert journal is not None
        rounds, most = 0, 0

        def collect() -> list[tuple[int | None, Note]]:
            nonlocal rounds
            rounds += 1
            if rounds % 5 == 0:
                journal.opener(6, 0, Proven(rounds, False), (0, 0.0, ""), settled=True)
            return [(6, Note(((0, rounds % 100), (code, 1)), 4, 10, 1, 2, 3, 0)) for code in range(20)]

        journal.begin(lambda: None, collect, lambda: None)
        while rounds < 300:
            most = max(most, os.path.getsize(path))
            with pytest.raises(InputError, match="another run is writing to it"):
                JournalFile(path)
        journal.opener(6, 1, Proven(77, True), (0, 0.0, ""), settled=True)
    assert not journal.failed
    assert len(list(boundaries(Path(path).read_bytes()))) < 100 < rounds  # of transactions
    assert os.stat(path).st_mode & 0o777 == 0o640
    assert most < 200_000
    contents, since = contents_of(path), (rounds - 1) % 5  # it is settled by the transaction after the next
    assert (contents.openers[6][0].lower, contents.openers[6][1].lower) == (rounds - 1 - since, 77)
    assert len(contents.notes(6)) == 20 * since
    assert os.listdir(os.path.dirname(path)) == ["journal"]


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run write to its journal all the time."""
    monkeypatch.setattr(journals, "EVERY", 0.001)


class Once:
    """A progress callback that lets something happen once, just before a run that looks at openers writes to its
    journal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, path: str, do: Callable[[], object]) -> None:
        self.ready = self.done = False
        append = JournalFile.append

        def appending(file: JournalFile, records: Any) -> None:
            if file.path == path and self.ready and not self.done:
                self.done = True
                do()
            append(file, records)

        monkeypatch.setattr(JournalFile, "append", appending)

    def __call__(self, news: Progress) -> None:
        self.ready |= news.phase == "openers"


@posix
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("how", ["deleted", "replaced", "written over", "emptied"])
def test_a_journal_that_is_gone_ends_the_run_in_a_line(how: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = f"{path} other"
    rank(LARGE.with_rules("hard"), top=1, journal=other)
    data = b"" if how == "emptied" else Path(other).read_bytes()
    ways: dict[str, Callable[[], object]] = {
        "deleted": lambda: os.unlink(path),
        "replaced": lambda: os.replace(other, path),
        "written over": lambda: Path(path).write_bytes(data),
        "emptied": lambda: Path(path).write_bytes(b""),
    }
    rank(LARGE, first=LARGE.guesses[:9], journal=path)
    replacing = Once(monkeypatch, path, ways[how])
    part = rank(LARGE, all_openers=True, journal=path, progress=replacing)
    assert replacing.done
    gone = "deleted, replaced or written to by another run"
    assert part.stop_reason == f"the journal {path} was {gone} while the run went on"
    assert not Path(path).exists() if how == "deleted" else Path(path).read_bytes() == data
    assert {file.name for file in Path(path).parent.iterdir()} <= {"journal", "journal other"}


@pytest.mark.usefixtures("often")
def test_copies_of_a_journal(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While its run goes on, and after."""
    rank(LARGE, first=LARGE.guesses[:9], journal=path)
    copying = Once(monkeypatch, path, lambda: copy_journal(path, f"{path} early"))
    whole = rank(LARGE, all_openers=True, journal=path, progress=copying)
    assert copying.done
    early = status(f"{path} early")
    assert (early.running, early.exact >= 5) == (False, True)
    assert timeless(rank(LARGE, all_openers=True, journal=f"{path} early")) == timeless(whole)
    late, here = Path(f"{path} late"), Path(path).parent
    late.touch()
    copy_journal(path, late)  # over an empty file
    assert rank(LARGE, all_openers=True, journal=late).nodes == 0
    kept = late.read_bytes()
    refused = ((path, "there already"), (late, "there already"), (here, "cannot"), (here / "no" / "folder", "cannot"))
    for to, said in refused:
        with pytest.raises(InputError, match=said) as raised:
            copy_journal(path, to)
        assert "\n" not in str(raised.value)
    assert sorted(file.name for file in here.iterdir()) == ["journal", "journal early", "journal late"]
    assert late.read_bytes() == kept


def test_every_record_is_checked(path: str) -> None:
    for _ in range(2):
        solve(GAME, journal=path)
    data = Path(path).read_bytes()
    ends = list(boundaries(data))
    for begin, end in pairwise(ends[:-1]):
        for at in (begin, begin + 6, begin + 12, begin + 20, end - 1):
            Path(path).write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
            with pytest.raises(InputError, match=r"is damaged: .* not as .* written") as raised:
                solve(GAME, journal=path)
            assert "\n" not in str(raised.value)


def test_what_contradicts_is_refused_even_with_its_checksum(path: str) -> None:
    whole = solve(LARGE, journal=path)
    total = whole.total
    assert total is not None
    data, best = Path(path).read_bytes(), LARGE.guess_index(str(whole.opener))

    def opener(**changes: Any) -> Callable[[Known], Known | None]:
        return lambda known: known._replace(**changes) if getattr(known, "place", None) == best else known

    def tree(**changes: Any) -> Callable[[Known], Known | None]:
        return lambda known: known._replace(**changes) if isinstance(known, TreeRecord) else known

    for number, change in enumerate(
        (opener(lower=1), opener(lower=total + 1), tree(cost=total - 1), tree(data=b"no tree"))
    ):
        forge(path, change)
        with pytest.raises(OptimalError) as raised:
            solve(LARGE, journal=path)
        assert "\n" not in str(raised.value), number
        assert path in str(raised.value), number
        Path(path).write_bytes(data)
    with closing(JournalFile(path)) as file:
        file.append([record_of_note(6, Note(((best, -1), (1, 0)), 5, 3, 0, 0, 0, 0))])
    with pytest.raises(InputError, match="is damaged"):
        solve(LARGE, journal=path)
    Path(path).write_bytes(data)
    # A cost that no cheap bound shows to be wrong: the tree can't be built, which does.
    search = search_of(LARGE)
    cheap = next(g for g in range(len(LARGE.guesses)) if search.quick_bound(g, 6) <= total - 1)
    forge(path, lambda known: None if isinstance(known, TreeRecord) else known)
    best = cheap
    forge(path, opener(lower=total - 1, exact=True))
    with pytest.raises(InputError, match="a search contradicts it"):
        solve(LARGE, journal=path)


@pytest.mark.parametrize(
    "body",
    [
        7,
        [7],
        [["opener", 6, 0, "abcd", "9", True, "0.2.0", 0, 0.0, "", False, ""]],
        [["note", 6, [], 5, 1, 1, 1, 0, 0]],
        [["tree", None, 1, True, "text"]],
        {"run": 1},
    ],
)
def test_a_record_made_by_hand_is_refused(path: str, body: object) -> None:
    """Its checksum is right, and no run writes such a one."""
    solve(GAME, journal=path)
    found = read_journal(path)
    Path(path).write_bytes(found.sound + journal_file._frame(body, found.key))
    for read in (status, lambda name: solve(GAME, journal=name)):
        with pytest.raises(InputError, match="is damaged: it has a record that no run writes"):
            read(path)


@pytest.mark.parametrize("identity", [7, {"game": 1}, {"game": "a"}])
def test_an_identity_made_by_hand_is_refused(path: str, identity: object) -> None:
    Path(path).write_bytes(MAGIC + journal_file._frame(identity, b""))
    with pytest.raises(InputError, match="is damaged: its beginning is not as it was written"):
        status(path)
