"""Rankings of first guesses against the textbook solver, and their journal."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from games_util import as_code, random_game, word_game
from positions_util import keys_at
from textbook import Textbook

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.ranking import Ranking, least_totals, places, rank
from optimal.search.rankjournal import RankJournal
from optimal.search.result import Status

LIMITS = (None, 1, 2, 3, 4, 6)


def timeless(ranking: Ranking) -> Ranking:
    return replace(ranking, seconds=0.0, nodes=0)


def rows(ranking: Ranking) -> list[tuple[str, int | None, int | None]]:
    return [(opener.guess, opener.rank, opener.total) for opener in ranking.openers]


def expected(game: Game, textbook: Textbook, limit: int | None) -> list[tuple[str, int | None, int | None]]:
    """All guesses in rank order: by total, a possible answer first, then in list order; infeasible ones last."""
    keys = keys_at(textbook, [], limit)
    totals = {guess: None if key is None else key.total for guess, key in keys.items()}
    feasible = sorted(total for total in totals.values() if total is not None)
    answers = set(game.answer_guess.tolist())
    order = sorted(
        totals,
        key=lambda g: ((total := totals[g]) is None, 0 if total is None else total, g not in answers, g),
    )
    return [
        (game.guesses[g], None if (total := totals[g]) is None else 1 + feasible.index(total), total) for g in order
    ]


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
def test_rankings_are_those_of_the_textbook(rules: Rules) -> None:
    rng = random.Random(f"ranking {rules}")
    for _ in range(30):
        game = random_game(rng, rules)
        textbook = Textbook(game)
        for limit in rng.sample(LIMITS, 2):
            story = f"\n{as_code(game)}\nlimit {limit}"
            wanted = expected(game, textbook, limit)
            jobs = rng.choice((1, 1, 2))
            every = rank(game, all_openers=True, max_guesses=limit, jobs=jobs)
            assert rows(every) == wanted, story
            feasible = [row for row in wanted if row[2] is not None]
            assert every.status is (Status.OPTIMAL if feasible else Status.INFEASIBLE), story
            assert {opener.status for opener in every.openers if opener.total is None} <= {Status.INFEASIBLE}, story
            top = rng.choice((1, 2, 5, 100))
            best = rank(game, top=top, max_guesses=limit, jobs=jobs)
            last = feasible[min(top, len(feasible)) - 1][2] if feasible else 0
            assert rows(best) == [row for row in feasible if row[2] is not None and row[2] <= (last or 0)], story
            assert best.others == len(game.guesses) - len(best.openers), story
            others = [row[2] for row in wanted[len(best.openers) :] if row[2] is not None]
            if best.others_bound is not None:
                assert min(others, default=best.others_bound) >= best.others_bound > (last or 0), story
            else:
                assert not others, story
            chosen = [game.guesses[g] for g in rng.sample(range(len(game.guesses)), min(3, len(game.guesses)))]
            some = rank(game, openers=chosen, max_guesses=limit)
            assert [(row[0], row[2]) for row in rows(some)] == [
                (row[0], row[2]) for row in wanted if row[0] in chosen
            ], story


@pytest.mark.slow
def test_known_totals() -> None:
    game = Game.preset("classic")
    found = rank(game, openers=["salet", "crane", "trace", "crate"], jobs=2)
    assert rows(found) == [("salet", 1, 7920), ("crate", 2, 7926), ("trace", 2, 7926), ("crane", 4, 7930)]
    assert rows(rank(game, openers=["salet", "crane", "trace", "crate"], top=2)) == rows(found)[:3]
    hard = Game.preset("classic", "ultra-hard")
    ranked = rank(hard, openers=["raise", "salet"])
    assert [(opener.guess, opener.total, opener.status) for opener in ranked.openers] == [
        ("salet", 8125, Status.OPTIMAL),
        ("raise", None, Status.INFEASIBLE),
    ]
    assert "infeasible" in str(ranked)
    assert ranked.status is Status.OPTIMAL


def test_openers_alike_by_symmetry_share_a_total() -> None:
    found = rank(Game.preset("mastermind:3x4"), top=1)
    every = rank(Game.preset("mastermind:3x4"), all_openers=True)
    assert len(every.openers) == 64
    assert rows(found) == [row for row in rows(every) if row[1] == 1]
    assert len({opener.total for opener in every.openers}) == 3  # one for each pattern: aaa, aab, abc


def test_a_bound_for_every_guess_holds() -> None:
    rng = random.Random("least")
    for _ in range(100):
        game = random_game(rng)
        least = least_totals(game)
        for guess, key in keys_at(Textbook(game), [], None).items():
            assert key is not None
            assert least[guess] <= key.total


def test_places() -> None:
    assert places([3, 3, 5, 6, 6, None, None]) == [1, 1, 3, 4, 4, None, None]
    assert places([]) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"openers": []}, "no openers were named"),
        ({"openers": ["zzzzz"]}, "'zzzzz' is not among"),
        ({"top": 0}, "must be 1 or more, not 0"),
        ({"jobs": 0}, "jobs must be 1 or more"),
        ({"max_guesses": 0}, "the limit of guesses must be 1 or more"),
        ({"all_openers": True, "top": 3}, "all openers are asked for"),
        ({"all_openers": True, "openers": ["salet"]}, "all openers are asked for"),
    ],
)
def test_bad_options_say_why(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rank(word_game(random.Random(1)), **options)


def test_stopped_early_it_keeps_what_it_knows() -> None:
    game = Game.preset("classic")
    found = rank(game, openers=["salet", "fuzzy"], time_limit=2.0)
    assert found.stop_reason == "time limit"
    assert found.status in (Status.FEASIBLE, Status.UNKNOWN)
    fuzzy = next(opener for opener in found.openers if opener.guess == "fuzzy")
    assert (fuzzy.total, fuzzy.rank, fuzzy.status) == (None, None, Status.UNKNOWN)
    assert fuzzy.bound is not None
    assert 2315 * 2 < fuzzy.bound <= 9183
    assert "stopped, time limit" in str(found)
    nothing = rank(game, openers=["fuzzy", "jazzy"], top=1, time_limit=0.2)
    assert (nothing.status, nothing.openers, nothing.others) == (Status.UNKNOWN, (), 2)
    assert nothing.others_bound is not None
    assert "no total is known yet" in str(nothing)


def test_it_prints_and_renders() -> None:
    found = rank(Game.preset("mastermind:2x3"), top=1)
    assert "mastermind:2x3, normal rules, no limit of guesses, 9 answers" in str(found)
    assert found._repr_html_().count("<tr>") == 1 + len(found.openers)
    json.dumps(found.to_dict())


# The journal


@pytest.fixture
def small() -> Game:
    return random_game(random.Random("journal"), Rules.HARD)


def test_a_journal_resumes_from_any_byte(small: Game, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = rank(small, top=2, journal=str(path))
    data = path.read_bytes()
    assert data.count(b"\n") == len(data.splitlines()) > 3
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        assert timeless(rank(small, top=2, journal=str(path))) == timeless(whole)
        # The file is whole again, and nothing is in it twice.
        lines = path.read_bytes().splitlines()
        assert len(lines) == len(set(lines))
        assert [json.loads(line) for line in lines]


def test_a_journal_is_not_searched_again(small: Game, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    every = rank(small, all_openers=True, journal=str(path))
    again = rank(small, all_openers=True, journal=str(path))
    assert timeless(again) == timeless(every)
    assert again.nodes == 0
    size = path.stat().st_size
    assert rows(rank(small, top=1, journal=str(path))) == [row for row in rows(every) if row[1] == 1]
    assert path.stat().st_size == size


def test_bounds_in_a_journal_serve_a_longer_list(small: Game, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    rank(small, top=1, journal=str(path))
    assert timeless(rank(small, top=5, journal=str(path))) == timeless(rank(small, top=5))
    assert timeless(rank(small, all_openers=True, journal=str(path))) == timeless(rank(small, all_openers=True))


def change(line: int, **fields: Any) -> Callable[[list[str]], list[str]]:
    def changed(lines: list[str]) -> list[str]:
        kept = {name: value for name, value in {**json.loads(lines[line]), **fields}.items() if value is not ...}
        return [*lines[:line], json.dumps(kept), *lines[line + 1 :]]

    return changed


DAMAGE: list[tuple[Callable[[list[str]], list[str]], str]] = [
    (lambda lines: ["hello"], "line 1: not a journal of `optimal rank`"),
    (lambda lines: lines[1:], "line 1: not a journal"),
    (lambda lines: ["[]", *lines[1:]], "line 1: not a journal"),
    (change(0, version=2), "a journal of version '2', not 1"),
    (change(0, rules="normal"), "belongs to another ranking: its rules is 'normal', here it is 'hard'"),
    (change(0, max_guesses=6), "belongs to another ranking: its max_guesses is '6', here it is 'none'"),
    (change(0, max_guesses=...), "belongs to another ranking: its max_guesses"),
    (change(0, guesses_sha256="00"), "belongs to another ranking: its guesses_sha256 is '00'"),
    (change(0, answers_sha256="00"), "belongs to another ranking: its answers_sha256 is '00'"),
    (lambda lines: [lines[0], "{]", *lines[1:]], "line 2: damaged; remove the line to go on"),
    (lambda lines: [lines[0], "7", *lines[1:]], "line 2: damaged"),
    (change(1, guess="nosuchword"), "line 2: damaged"),
    (change(1, guess=3), "line 2: damaged"),
    (change(1, total="7"), "line 2: damaged"),
    (change(1, total=True), "line 2: damaged"),
    (change(1, total=-7), "line 2: damaged"),
    (change(1, total=...), "line 2: damaged"),
    (change(1, more=1), "line 2: damaged"),
    (lambda lines: [*lines, json.dumps({**json.loads(lines[1]), "total": 9999})], "damaged"),
    (lambda lines: [*lines, json.dumps({"guess": json.loads(lines[1])["guess"], "bound": 9999})], "damaged"),
    (lambda lines: [lines[0], "[" * 100_000], "line 2: damaged"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE)
def test_a_damaged_journal_is_one_clear_error(
    small: Game, tmp_path: Path, damage: Callable[[list[str]], list[str]], message: str
) -> None:
    path = tmp_path / "journal"
    rank(small, all_openers=True, journal=str(path))
    text = "\n".join(damage(path.read_text().splitlines())) + "\n"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as raised:
        rank(small, all_openers=True, journal=str(path))
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)
    assert path.read_text() == text


def test_a_file_that_is_no_journal_is_left_alone(small: Game, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"no end of line")
    with pytest.raises(InputError, match="not a journal of `optimal rank`"):
        rank(small, journal=str(path))
    assert path.read_bytes() == b"no end of line"
    with pytest.raises(InputError, match="cannot open the journal"):
        rank(small, journal=str(tmp_path / "no" / "such" / "folder"))
    with pytest.raises(InputError, match="cannot open the journal"):
        rank(small, journal=str(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no lock there")
def test_two_runs_do_not_share_a_journal(small: Game, tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    with RankJournal(path, small, None), pytest.raises(InputError, match="another run is writing to it") as raised:
        rank(small, journal=path)
    assert path in str(raised.value)
    assert rank(small, journal=path).status is Status.OPTIMAL


def test_odd_files_are_no_journals(small: Game, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the journal must be the name of a file"):
        rank(small, journal="")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(InputError, match="pipe: it is no ordinary file"):
            rank(small, journal=str(tmp_path / "pipe"))
    for device in (path for path in ("/dev/null", "/dev/full") if os.path.exists(path)):
        with pytest.raises(InputError, match=f"{device}: it is no ordinary file"):
            rank(small, journal=device)
