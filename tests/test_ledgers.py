"""Ledgers: bounds go from one journal to others, and what is wrong with a file is said in a line."""

from __future__ import annotations

import hashlib
import lzma
import random
from pathlib import Path
from typing import Any

import pytest
from cli_util import ROOT, run, run_json
from games_util import random_game, search_of

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.journal.journal import identity, import_ledger
from optimal.journal.ledger import Proven, export_ledger, read_ledger, to_bytes
from optimal.search.ranking import rank
from optimal.search.solve import solve
from optimal.trees.file import to_bytes as tree_bytes


@pytest.fixture
def game() -> Game:
    return random_game(random.Random("ledgers"), Rules.NORMAL)


@pytest.fixture
def ledger(game: Game, tmp_path: Path) -> Path:
    """What is known once every opener's total is."""
    rank(game, all_openers=True, journal=tmp_path / "ranked")
    assert export_ledger(tmp_path / "ranked", tmp_path / "ledger.xz") == len(game.guesses)
    return tmp_path / "ledger.xz"


def about(game: Game) -> dict[str, str]:
    return identity(game, game.max_guesses, "mean", None)


def test_a_ledger_says_what_the_journal_says(game: Game, ledger: Path) -> None:
    totals = {opener.guess: opener.total for opener in rank(game, all_openers=True).openers}
    found = read_ledger(str(ledger), about(game))
    assert {name: proven.lower for name, proven in found.items() if proven.exact} == totals
    assert to_bytes(about(game), found) == ledger.read_bytes()


def test_a_run_goes_on_from_a_ledger(game: Game, ledger: Path, tmp_path: Path) -> None:
    plain = solve(game)
    assert import_ledger(game, ledger, tmp_path / "fresh") == len(game.guesses)
    result = solve(game, journal=tmp_path / "fresh")
    assert result.tree is not None
    assert plain.tree is not None
    assert tree_bytes(result.tree) == tree_bytes(plain.tree)
    assert rank(game, all_openers=True, journal=tmp_path / "fresh").nodes == 0
    export_ledger(tmp_path / "fresh", tmp_path / "again.xz")
    assert (tmp_path / "again.xz").read_bytes() == ledger.read_bytes()


def test_bounds_that_are_not_exact_and_openers_without_a_tree(tmp_path: Path) -> None:
    game = Game.from_words(["aa", "ab", "bc", "zz"], ["aa", "ab", "bc"], max_guesses=2)
    known = {opener.guess: opener.total for opener in rank(game, all_openers=True).openers}
    assert None in known.values()
    proven = {
        name: Proven(1 << 62, True) if total is None else Proven(total - 1, False) for name, total in known.items()
    }
    path = tmp_path / "ledger.xz"
    path.write_bytes(to_bytes(about(game), proven))
    assert read_ledger(str(path), about(game)) == proven
    import_ledger(game, path, tmp_path / "journal")
    ranking = rank(game, all_openers=True, journal=tmp_path / "journal")
    assert {opener.guess: opener.total for opener in ranking.openers} == known


def test_costs_of_many_digits_and_labels_that_begin_with_a_space(tmp_path: Path) -> None:
    words = Game.from_words(["aa", "ab", "bc"], ["aa", "ab", "bc"], max_guesses=None)
    heavy = Weights("file", (5 * 10**17, 3 * 10**17, 3 * 10**17))
    matrix = Game.from_matrix(
        [[2, 0, 1], [0, 2, 0], [1, 1, 2]], 2, guesses=[" x", "  ", "y"], answers=[" x", "  ", "y"]
    )
    for number, (game, weights) in enumerate([(words, heavy), (matrix, None)]):
        here, there, ledger = (tmp_path / f"{name}{number}" for name in ("here", "there", "ledger"))
        whole = solve(game, weights=weights, journal=here)
        assert whole.tree is not None
        told = export_ledger(here, ledger)
        assert import_ledger(game, ledger, there, weights=weights) == told
        found = solve(game, weights=weights, journal=there)
        assert found.tree is not None
        assert tree_bytes(found.tree) == tree_bytes(whole.tree)


def test_a_ledger_is_not_written_over_its_journal(game: Game, ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "ranked")
    for path in (tmp_path / "ranked", tmp_path / "link"):
        with pytest.raises(InputError, match="over the journal"):
            export_ledger(tmp_path / "ranked", path)
    assert export_ledger(tmp_path / "ranked", tmp_path / "again.xz") == len(game.guesses)
    assert (tmp_path / "again.xz").read_bytes() == ledger.read_bytes()


def test_a_ledger_of_another_question_is_refused(game: Game, ledger: Path, tmp_path: Path) -> None:
    heavy = Weights("file", (2,) * len(game.answers))
    for options in ({"max_guesses": 9}, {"objective": "within:2"}, {"weights": heavy}, {"objective": "worst"}):
        with pytest.raises(InputError, match="another question"):
            import_ledger(game, ledger, tmp_path / "journal", **options)
    other = random_game(random.Random("another"), Rules.NORMAL)
    with pytest.raises(InputError, match="another question"):
        import_ledger(other, ledger, tmp_path / "journal")
    assert not (tmp_path / "journal").exists()


def lines(**changes: str) -> bytes:
    """A ledger of two openers, with lines changed by number, and the hash that goes with them."""
    game = Game.from_words(["aa", "ab"], ["aa", "ab"])
    good = lzma.decompress(to_bytes(about(game), {"aa": Proven(3, True), "ab": Proven(3, False)})).decode()
    text = good.splitlines()[:-1]
    for number, line in changes.items():
        text[int(number[1:])] = line
    body = "".join(f"{line}\n" for line in text).encode()
    return lzma.compress(body + f"sha256 {hashlib.sha256(body).hexdigest()}\n".encode())


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "damaged"),
        (b"optimal ledger 1\n", "not a ledger"),
        (lines()[:-30], "damaged"),
        (lines() + b"\0", "end where it should"),
        (lines(_0="optimal ledger 2"), "not a ledger"),
        (lines(_11="something"), "empty line"),
        (lines(_12="3= ab"), "its line '3 ab'"),
        (lines(_12="-3 aa"), "its line '-3 aa'"),
        (lines(_12="٣ aa"), "its line"),
        (lines(_12="9999999999999999999 aa"), "its line"),
        (lines(_12="3=aa"), "its line"),
        (lines(_12="3= "), "its line"),
        (lines(_12=f"{1 << 62} aa"), "its line"),
        (lines(_12="3= zz"), "zz"),
        (lines(_12="2= aa"), "possible"),
        (lzma.compress(bytes(1 << 28)), "too long"),
        (lzma.compress(b"\xff\n"), "hash"),
    ],
)
def test_bad_ledgers_are_refused_in_a_line(tmp_path: Path, data: bytes, problem: str) -> None:
    game = Game.from_words(["aa", "ab"], ["aa", "ab"])
    path = tmp_path / "ledger.xz"
    path.write_bytes(data)

    def go_on() -> None:
        import_ledger(game, path, tmp_path / "journal")
        solve(game, journal=tmp_path / "journal")

    with pytest.raises(InputError, match=problem) as told:
        go_on()
    assert "\n" not in str(told.value)


def test_what_contradicts_the_journal_is_refused_whole(game: Game, ledger: Path, tmp_path: Path) -> None:
    found = read_ledger(str(ledger), about(game))
    name = next(iter(found))
    for wrong in (Proven(found[name].lower + 1, False), Proven(found[name].lower - 1, True)):
        path = tmp_path / "wrong.xz"
        path.write_bytes(to_bytes(about(game), {**found, name: wrong}))
        with pytest.raises(InputError, match="one is wrong"):
            import_ledger(game, path, tmp_path / "ranked")
    export_ledger(tmp_path / "ranked", tmp_path / "after.xz")
    assert (tmp_path / "after.xz").read_bytes() == ledger.read_bytes()


def test_by_command(tmp_path: Path) -> None:
    asked: list[Any] = ["classic", "--openers", "salet,crate"]
    run_json(tmp_path, "rank", *asked, "--journal", "one")
    told = run_json(tmp_path, "status", "one", "--export", "ledger.xz")
    assert told["exported"] == 2
    done = run(tmp_path, "solve", *asked, "--journal", "two", "--import", "ledger.xz")
    assert done.status == 0
    assert "2 openers taken over from ledger.xz" in done.err
    for words, problem in [
        (("solve", *asked, "--import", "ledger.xz"), "--import goes with --journal"),
        (("rank", *asked, "--import", "none.xz", "--journal", "two"), "can't read the ledger none.xz"),
        (("solve", "classic", "--position", "salet=bbbbb", "--import", "ledger.xz", "--journal", "x"), "--position"),
        (("status", "one", "--export", "one"), "name the same file"),
        (("solve", *asked, "--journal", "x", "--import", "ledger.xz", "--output", "ledger.xz"), "name the same file"),
        (("rank", *asked, "--journal", "x", "--import", "ledger.xz", "--log", "ledger.xz"), "name the same file"),
        (("status", "one", "--export", "no/where"), "cannot write"),
        (("solve", "nyt2022", "--import", "ledger.xz", "--journal", "x"), "another question"),
    ]:
        done = run(tmp_path, *words)
        assert done.status == 2
        assert problem in done.err


def test_the_shipped_ledger_is_what_the_pages_say() -> None:
    found = read_ledger(str(ROOT / "data" / "classic-all-ledger.xz"), about(Game.preset("classic-all")))
    assert sorted(found) == sorted(Game.preset("classic-all").guesses)
    exact = {name: proven.lower for name, proven in found.items() if proven.exact and proven.lower < 1 << 62}
    least = min(proven.lower for proven in found.values())
    assert exact == {"lants": 52896}
    for page in ("README.md", "docs/results.md", "data/README.md"):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert f"{least}" in text, page
        assert f"{100 * (52896 - least) / 52896:.1f} %" in text, page


@pytest.mark.slow
def test_bounds_of_the_shipped_ledger_can_be_found_again() -> None:
    game = Game.preset("classic-all")
    found = read_ledger(str(ROOT / "data" / "classic-all-ledger.xz"), about(game))
    search = search_of(game)
    for name in sorted(found)[1000::4000]:
        looks, low = 16, 0
        while low < found[name].lower and looks < 4096:
            low, _ = search.opener_slice(game.guess_index(name), 6, 52897, looks)
            looks *= 2
        assert low >= found[name].lower, name
