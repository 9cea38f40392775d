"""Ledgers: bounds go from one journal to others, and what is wrong with a file is said in a line."""

from __future__ import annotations

import csv
import hashlib
import lzma
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_util import ROOT, run, run_json
from games_util import matrix_scorer, random_game, search_of
from journals_util import contents_of, openers_of

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.resources import tree_file
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.journal.ledger import export_ledger, forget_imports, read_ledger, to_bytes
from optimal.journal.records import Proven
from optimal.journal.status import status
from optimal.search.game_problem import Problem
from optimal.search.importing import import_ledger
from optimal.search.known_openers import shipped_tree
from optimal.search.ranking import rank
from optimal.search.result import Result
from optimal.search.solve import solve
from optimal.trees.file import from_bytes, read_tree
from optimal.trees.file import to_bytes as tree_bytes
from optimal.trees.verify import verify_tree


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
    return Problem(game, game.max_guesses).identity


def ledger_of(path: Path, game: Game, **found: Proven) -> Path:
    path.write_bytes(to_bytes(about(game), found))
    return path


def same_tree(found: Result, plain: Result) -> bool:
    """But for what it rests on."""
    assert found.tree is not None
    assert plain.tree is not None
    return tree_bytes(replace(found.tree, ledgers=())) == tree_bytes(plain.tree)


@pytest.fixture
def unlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a ledger says is taken: nothing is known at once."""
    monkeypatch.setattr("optimal.search.importing._check_claims", lambda *_: None)
    monkeypatch.setattr("optimal.search.importing._check_against_tree", lambda *_: None)


def test_a_run_goes_on_from_a_ledger(game: Game, ledger: Path, tmp_path: Path) -> None:
    totals = {opener.guess: opener.total for opener in rank(game, all_openers=True).openers}
    found = read_ledger(str(ledger), about(game))
    assert {name: proven.lower for name, proven in found.items() if proven.exact} == totals
    assert import_ledger(game, ledger, tmp_path / "fresh") == len(game.guesses)
    assert same_tree(solve(game, journal=tmp_path / "fresh"), solve(game))
    assert rank(game, all_openers=True, journal=tmp_path / "fresh").nodes == 0
    export_ledger(tmp_path / "fresh", tmp_path / "again.xz")
    assert (tmp_path / "again.xz").read_bytes() == ledger.read_bytes()


def test_costs_of_many_digits_and_labels_that_begin_with_a_space(tmp_path: Path) -> None:
    words = Game.from_words(["aa", "ab", "bc"], ["aa", "ab", "bc"], max_guesses=None)
    heavy = Weights("file", (5 * 10**17, 3 * 10**17, 3 * 10**17))
    matrix = Game.from_matrix(
        [[2, 0, 1], [0, 2, 0], [1, 1, 2]], 2, guesses=[" x", "  ", "y"], answers=[" x", "  ", "y"]
    )
    for number, (game, weights) in enumerate([(words, heavy), (matrix, None)]):
        here, there, ledger = (tmp_path / f"{name}{number}" for name in ("here", "there", "ledger"))
        whole = solve(game, weights=weights, journal=here)
        told = export_ledger(here, ledger)
        assert import_ledger(game, ledger, there, weights=weights) == told
        assert same_tree(solve(game, weights=weights, journal=there), whole)


def test_a_ledger_is_not_written_over_its_journal(game: Game, ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "ranked")
    for path in (tmp_path / "ranked", tmp_path / "link"):
        with pytest.raises(InputError, match="over the journal"):
            export_ledger(tmp_path / "ranked", path)
    assert status(tmp_path / "ranked").status == "OPTIMAL"


def test_a_ledger_of_another_question_is_refused(game: Game, ledger: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another question"):
        import_ledger(game, ledger, tmp_path / "journal", objective="worst")
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
        (lines()[:-30], "damaged"),
        (lines() + b"\0", "end where it should"),
        (lines(_0="optimal ledger 1"), "it begins with 'optimal ledger 1', not 'optimal ledger 2'"),
        (lines(_11="something"), "empty line"),
        (lines(_12="3= 1 ab"), "its line '3 unknown ab'"),
        (lines(_12="٣ aa"), "its line"),
        (lines(_12=f"{1 << 62} 1 aa"), "its line"),
        (lines(_12="3= 1 zz"), "zz"),
        (lines(_12="none 1 aa"), "within this limit one does"),
        (lzma.compress(bytes(1 << 28)), "too long"),
        (lzma.compress(b"\xff\n"), "hash"),
    ],
)
def test_bad_ledgers_are_refused_in_a_line(tmp_path: Path, data: bytes, problem: str) -> None:
    game = Game.from_words(["aa", "ab"], ["aa", "ab"])
    path = tmp_path / "ledger.xz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=problem) as told:
        import_ledger(game, path, tmp_path / "journal")
    assert "\n" not in str(told.value)
    assert not (tmp_path / "journal").exists()


def test_what_contradicts_the_journal_is_refused_whole(game: Game, ledger: Path, tmp_path: Path) -> None:
    found = read_ledger(str(ledger), about(game))
    name = next(iter(found))
    for wrong in (Proven(found[name].lower + 1, False), Proven(found[name].lower - 1, True)):
        path = tmp_path / "wrong.xz"
        path.write_bytes(to_bytes(about(game), {**found, name: wrong}))
        with pytest.raises(InputError, match=r"one is wrong|there is a tree with it"):
            import_ledger(game, path, tmp_path / "ranked")
    export_ledger(tmp_path / "ranked", tmp_path / "after.xz")
    assert (tmp_path / "after.xz").read_bytes() == ledger.read_bytes()


def test_what_is_known_at_once_is_held_against_every_line(tmp_path: Path) -> None:
    """The smaller game has no limit: an opener without a tree there, once believed, made 453 of 451."""
    pegs, words = Game.preset("mastermind:3x5"), Game.preset("classic")
    nothing, whole = Proven(1 << 62, True), solve(pegs)
    assert whole.total == 451
    for number, (game, found, said) in enumerate(
        (
            (pegs, {"123": nothing}, "no tree begins with '123'"),
            (pegs, dict.fromkeys(pegs.guesses, nothing), "no tree begins with"),
            (pegs, {"112": Proven(10**6, False)}, "says \"1000000\" of '112', but there is a tree with it that costs"),
            (pegs, {"112": Proven(443, True)}, "'112' costs 443, less than is possible"),
            (words, {"salet": Proven(7000, True), "zills": Proven(9999, True)}, "'salet' costs 7000, less than is"),
            (words, {"salet": nothing}, "says \"none\" of 'salet', but there is a tree with it that costs"),
        )
    ):
        path = ledger_of(tmp_path / f"{number}.xz", game, **found)
        with pytest.raises(InputError, match=said):
            import_ledger(game, path, tmp_path / "journal")
        assert not (tmp_path / "journal").exists()


def test_what_rests_on_a_ledger_says_so_until_it_is_forgotten(game: Game, ledger: Path, tmp_path: Path) -> None:
    plain, journal = solve(game), tmp_path / "journal"
    count = import_ledger(game, ledger, journal)
    found = solve(game, journal=journal)
    assert found.tree is not None
    assert (found.imported, found.ledgers, found.tree.ledgers) == (count, ("ledger.xz",), ("ledger.xz",))
    given = f"OPTIMAL, given the bounds of {count} openers from ledger.xz"
    assert found.fields()[0] == ("status", given)
    assert from_bytes(tree_bytes(found.tree)) == found.tree
    assert "given bounds from ledger.xz" in verify_tree(found.tree, scorer=matrix_scorer(game)).claim
    ranking = rank(game, all_openers=True, journal=journal)
    assert (ranking.imported, ranking.to_dict()["ledgers"]) == (count, ["ledger.xz"])
    assert given in " ".join(str(ranking).split())
    assert {row["ledger"] for row in csv.DictReader(ranking.to_csv().splitlines())} == {"ledger.xz"}
    shown = status(journal)
    assert (shown.imported, shown.ledgers, shown.stop_reason) == (count, ("ledger.xz",), "done")
    assert f"OPTIMAL, done, given the bounds of {count} openers" in " ".join(str(shown).split())
    assert shown.to_dict()["given"] == f"given the bounds of {count} openers from ledger.xz"
    assert not [one for one in openers_of(journal) if one.lower]  # nothing is its own
    assert len(contents_of(journal).imports[game.max_guesses]) == count

    assert forget_imports(journal) == count
    assert forget_imports(journal) == 0
    shown = status(journal)
    assert (shown.status, shown.bound, shown.imported, shown.done) == ("UNKNOWN", None, 0, 0)
    again = solve(game, journal=journal)
    assert (again.imported, again.ledgers, again.nodes > 0) == (0, (), True)
    assert again.tree == plain.tree


def test_what_a_run_proves_itself_rests_on_nothing(game: Game, ledger: Path, tmp_path: Path) -> None:
    """Bounds of a ledger that a run comes past, and one of an opener that nobody asks for."""
    plain, found = solve(game), read_ledger(str(ledger), about(game))
    weak = {name: Proven(proven.lower - 2, False) for name, proven in found.items()}
    import_ledger(game, ledger_of(tmp_path / "weak.xz", game, **weak), tmp_path / "journal")
    rank(game, all_openers=True, journal=tmp_path / "journal")
    result = solve(game, journal=tmp_path / "journal")
    assert (result.imported, result.tree) == (0, plain.tree)
    assert status(tmp_path / "journal").imported == 0
    other, asked = list(found)[:2]
    import_ledger(game, ledger_of(tmp_path / "other.xz", game, **{other: found[other]}), tmp_path / "second")
    assert solve(game, first=[asked], journal=tmp_path / "second").imported == 0
    shown = status(tmp_path / "second")
    assert (shown.given, shown.imported, shown.stop_reason) == ("", 1, "done")
    assert "imported   bounds of 1 opener, from other.xz" in str(shown)


@pytest.mark.usefixtures("unlooked")
@pytest.mark.parametrize("wrong", [(-3, True), (1, True), (5, False)])
def test_a_ledger_that_a_search_contradicts_is_named(game: Game, tmp_path: Path, wrong: tuple[int, bool]) -> None:
    plain, (more, exact) = solve(game), wrong
    assert plain.opener is not None
    assert plain.total is not None
    false = {plain.opener: Proven(plain.total + more, exact)}
    import_ledger(game, ledger_of(tmp_path / "false.xz", game, **false), tmp_path / "journal")
    for _ in range(2):
        with pytest.raises(
            InputError, match=r"from false\.xz .*--forget-imports.* is wrong|less than is possible"
        ) as said:
            solve(game, first=[plain.opener], journal=tmp_path / "journal")
        assert "\n" not in str(said.value)
    assert forget_imports(tmp_path / "journal") == 1
    assert solve(game, journal=tmp_path / "journal").tree == plain.tree


def test_a_tree_that_ships_goes_along(tmp_path: Path) -> None:
    """It is the first incumbent, and nothing is left to do where the ledger settles all openers."""
    game = Game.preset("mastermind")
    plain = solve(game, journal=tmp_path / "one")
    export_ledger(tmp_path / "one", tmp_path / "ledger.xz")
    import_ledger(game, tmp_path / "ledger.xz", tmp_path / "two")
    assert contents_of(tmp_path / "two").trees[None][1:3] == (5625, True)
    found = solve(game, journal=tmp_path / "two")
    assert (same_tree(found, plain), found.nodes) == (True, 0)
    solve(game, first=["1122"], journal=tmp_path / "named")
    import_ledger(game, tmp_path / "ledger.xz", tmp_path / "named")
    assert contents_of(tmp_path / "named").trees[None].cost == 5702
    assert shipped_tree(Problem(Game.preset("mastermind:4x7"), None)) is not None
    false = ledger_of(tmp_path / "false.xz", game, **{"1123": Proven(5626, exact=True)})
    with pytest.raises(InputError, match="there is a tree with it that costs 5625"):
        import_ledger(game, false, tmp_path / "three")


def test_by_command(tmp_path: Path) -> None:
    asked: list[Any] = ["classic", "--openers", "salet,crate"]
    run_json(tmp_path, "rank", *asked, "--journal", "one")
    told = run_json(tmp_path, "status", "one", "--export", "ledger.xz")
    assert told["exported"] == 2
    done = run(tmp_path, "solve", *asked, "--journal", "two", "--import", "ledger.xz")
    assert done.status == 0
    assert "2 openers taken over from ledger.xz" in done.err
    assert "OPTIMAL, given the bounds of 2 openers from ledger.xz" in " ".join(done.out.split())
    told = run_json(tmp_path, "solve", *asked, "--journal", "two")
    assert (told["status"], told["imported"], told["ledgers"]) == ("OPTIMAL", 2, ["ledger.xz"])
    assert run_json(tmp_path, "status", "two", "--forget-imports")["forgotten"] == 2
    assert "bounds of 0 openers from ledgers forgotten" in run(tmp_path, "status", "two", "--forget-imports").out
    for words, problem in [
        (("solve", *asked, "--import", "ledger.xz"), "--import goes with --journal"),
        (("rank", *asked, "--import", "none.xz", "--journal", "two"), "can't read the ledger none.xz"),
        (("solve", "classic", "--position", "salet=bbbbb", "--import", "ledger.xz", "--journal", "x"), "--position"),
        (("rank", *asked, "--journal", "x", "--import", "ledger.xz", "--log", "ledger.xz"), "name the same file"),
        (("status", "one", "--export", "no/where"), "cannot write"),
    ]:
        done = run(tmp_path, *words)
        assert (done.status, problem in done.err) == (2, True), done.err


def test_the_shipped_ledger_is_what_the_pages_say() -> None:
    found = read_ledger(str(ROOT / "data" / "classic-all-ledger.xz"), about(Game.preset("classic-all")))
    assert sorted(found) == sorted(Game.preset("classic-all").guesses)
    exact = {name: proven.lower for name, proven in found.items() if proven.exact and proven.lower < 1 << 62}
    first = sorted(exact.items(), key=lambda found: found[1])[:4]
    assert first == [("tarns", 52762), ("palet", 52832), ("parts", 52878), ("lants", 52896)]
    assert all(proven.exact or proven.lower > 52896 for proven in found.values())
    lost = {name for name, proven in found.items() if proven.lower >= 1 << 62}
    assert lost >= {"tiles", "rales"}
    for page in ("README.md", "data/README.md", "docs/reference/results.md", "docs/explanation/all-words.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert "52762" in text, page
        assert f"{len(lost)}" in text, page


def test_the_shipped_ledger_proves_its_game(tmp_path: Path) -> None:
    asked = ["solve", "classic-all", "--journal", "j", "--import", str(ROOT / "data" / "classic-all-ledger.xz")]
    done = run(tmp_path, *asked, "--output", "tree.msgpack")
    assert done.status == 0
    assert "OPTIMAL, given the bounds of 12972 openers from classic-all-ledger.xz" in " ".join(done.out.split())
    shipped = tree_file("classic-all-normal.msgpack")
    tree = read_tree(str(tmp_path / "tree.msgpack"))
    assert tree_bytes(replace(tree, program=read_tree(shipped).program)) == shipped.read_bytes()


@pytest.mark.long
def test_bounds_of_the_shipped_ledger_can_be_found_again() -> None:
    game = Game.preset("classic-all")
    found = read_ledger(str(ROOT / "data" / "classic-all-ledger.xz"), about(game))
    search = search_of(game)
    for name in sorted(found)[1000::6000]:
        looks, low = 16, 0
        while low < found[name].lower and looks < 4096:
            low, _ = search.opener_slice(game.guess_index(name), 6, 52763, looks)
            looks *= 2
        assert low >= found[name].lower, name


def test_settling_openers_one_by_one(tmp_path: Path) -> None:
    """The script that proves a frontier: its ledgers come to what solve does."""
    ledgers = [str(tmp_path / name) for name in ("other.xz", "ledger.xz")]
    game, best = Game.preset("mastermind:3x5"), solve("mastermind:3x5")
    totals = sorted(opener.total for opener in rank(game, all_openers=True).openers if opener.total is not None)
    assert best.tree is not None
    left = len(game.guesses) - 2
    (tmp_path / "first.txt").write_text("123\n111\n", encoding="utf-8")
    steps = ((ledgers[0], "--only", str(tmp_path / "first.txt")), (ledgers[1], "--merge", ledgers[0]))
    for (ledger, *words), before, after in zip(steps, (2, left), (left, 0), strict=True):
        command = [sys.executable, str(ROOT / "benchmarks" / "all_words.py"), ledger, "--game", "mastermind:3x5"]
        done = subprocess.run(
            [*command, "--total", str(best.total), *words], check=True, capture_output=True, text=True
        )
        assert done.stdout.startswith(f"{before} openers to settle\n")
        assert done.stdout.endswith(f"{after} openers are left; the least bound is {best.total}=\n")
    ask = [*command[:2], ledgers[1], *command[3:], "--total", str(best.total), "--check", "5", "--without", "counts"]
    done = subprocess.run([*ask, "--seed", "a"], check=True, capture_output=True, text=True)
    assert done.stdout.endswith(f"5 openers of {left + 2} agree with the ledger\n")
    known = read_ledger(ledgers[1], about(game))
    false = {name: replace(proven, lower=proven.lower + 9, exact=False) for name, proven in known.items()}
    (tmp_path / "false.xz").write_bytes(to_bytes(about(game), false))
    done = subprocess.run([*ask[:2], str(tmp_path / "false.xz"), *ask[3:]], capture_output=True, text=True)
    assert done.returncode == 1
    assert re.fullmatch(r"(\d{3}) is \d+= now, but \d+ in the ledger\n", done.stderr)
    ranked = [*command[:2], str(tmp_path / "best.xz"), *command[3:], "--total", str(totals[-1]), "--best", "70"]
    subprocess.run(ranked, check=True, capture_output=True)
    known = read_ledger(str(tmp_path / "best.xz"), about(game))
    assert sorted(proven.lower for proven in known.values() if proven.exact)[:70] == totals[:70]
    assert all(proven.exact or proven.lower > totals[69] for proven in known.values())
    assert not known["555"].exact
    import_ledger(game, ledgers[1], tmp_path / "run.journal")
    found = solve(game, journal=tmp_path / "run.journal")
    assert found.tree is not None
    assert (str(found.status), found.total, found.tree.root) == ("OPTIMAL", best.total, best.tree.root)
