"""docs/howto/extending.md followed to the letter: a kind of feedback of one's own, and what every part makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from samples_util import Desk, sections

import optimal
from optimal.baselines.registry import proven_bound, shipped_tree
from optimal.certificates.certify import certify
from optimal.certificates.statement import KINDS as CERTIFIED
from optimal.errors import InputError, OptimalError, TreeFileError
from optimal.games.feedback import KINDS, BlackFeedback, BullsFeedback, Feedback, PegFeedback, WordFeedback
from optimal.games.game import Game
from optimal.page.trees import KINDS as ON_THE_PAGE
from optimal.page.trees import export_html
from optimal.search.game_problem import Problem
from optimal.search.known_openers import known_openers
from optimal.trees.file import from_bytes, to_bytes
from optimal.trees.scoring import TWINS

ROOT = Path(__file__).resolve().parents[2]
FOURS = ("boat", "boot", "coat", "cost", "most", "moat", "bolt", "colt", "molt", "mist", "fast", "last")


@pytest.fixture(scope="module")
def in_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[type[Any]]:
    """The kind of the page, made by the page."""
    (section,) = [one for one in sections(["docs/howto/extending.md"]) if one.heading == "A kind of feedback"]
    desk = Desk(tmp_path_factory.mktemp("desk"))
    with mock.patch.dict(KINDS):
        for sample in section.samples:
            desk.run(sample, str(section))
        made = desk.names["InPlace"]
        assert isinstance(made, type)
        assert KINDS["in-place"] is made
        yield made


@pytest.fixture(scope="module")
def game(in_place: type[Any]) -> Game:
    return Game.from_feedback(in_place(4), FOURS, FOURS[:9], name="mine")


@pytest.fixture(scope="module")
def tree(game: Game) -> optimal.StrategyTree:
    found = optimal.solve(game).tree
    assert found is not None
    return found


@pytest.mark.parametrize("rules", ["normal", "ultra-hard"])
def test_the_search_says_what_it_says_of_the_matrix(in_place: type[Any], rules: str) -> None:
    words = sorted(FOURS)
    game = Game.from_feedback(in_place(4), words, rules=rules, max_guesses=6)
    bare = Game.from_matrix(game.matrix, 4, guesses=words, answers=words, rules=rules, max_guesses=6)
    found, plain = optimal.solve(game), optimal.solve(bare)
    assert (found.status, found.total, found.opener) == (plain.status, plain.total, plain.opener)
    assert found.tree is not None
    assert plain.tree is not None
    assert found.tree.root == plain.tree.root
    after = f"{words[0]}=2"
    assert optimal.analyse(game, after).guesses == optimal.analyse(bare, after).guesses
    mine, other = (optimal.debrief(one, words[3], [words[0], words[3]]) for one in (game, bare))
    assert mine.turns == other.turns


def test_the_verifier_asks_for_a_scorer(tree: optimal.StrategyTree, game: Game) -> None:
    assert game.feedback is not None
    without = optimal.verify_tree(tree, guesses=game.guesses, answers=game.answers)
    assert (without.ok, without.replayed) == (True, False)
    assert "games of kind 'in-place' have no scoring here; give a scorer(guess, answer)" in str(without.notes)
    replayed = optimal.verify_tree(tree, guesses=game.guesses, answers=game.answers, scorer=game.feedback.score)
    assert (replayed.ok, replayed.replayed, replayed.total) == (True, True, tree.total)


def test_what_does_not_know_the_kind_says_so(tree: optimal.StrategyTree, game: Game, tmp_path: Path) -> None:
    words = Game.from_words(game.guesses, game.answers, max_guesses=None)
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: export_html(tree), "a page plays words, mastermind, .* not games of kind in-place$"),
        (lambda: certify(tree, game, tmp_path / "c"), "certificates are for words, .*, not for games of kind in-place"),
        # Nor does it pass for a game of words with the same lists.
        (lambda: certify(tree, words, tmp_path / "c"), "the game is not that of the tree: it scores guesses"),
        (lambda: optimal.compare(words, [], tree=tree), "strategy 'tree': its tree has another kind of feedback than"),
        (lambda: game.with_rules("hard"), "a game of kind in-place has no hard rules; it offers normal and ultra-hard"),
    ]
    for call, message in calls:
        with pytest.raises(InputError, match=f"^{message}"):
            call()
    assert optimal.compare(game, ["entropy"], tree=tree).strategies[0].total == tree.total


def test_a_file_of_a_kind_that_is_not_known(tree: optimal.StrategyTree, monkeypatch: pytest.MonkeyPatch) -> None:
    data = to_bytes(tree)
    monkeypatch.delitem(KINDS, "in-place")
    with pytest.raises(TreeFileError, match=r"kind is 'in-place'; right would be one of words, mastermind"):
        from_bytes(data)


def test_the_shipped_table_speaks_of_its_own_game_alone(in_place: type[Any]) -> None:
    words = Game.preset("classic-answers")
    assert known_openers(words, 1) is not None
    matrix = (words.matrix == words.winning_code).astype(np.uint8)  # right or wrong, and no more is told
    bare = Game.from_matrix(matrix, 1, name=words.name, guesses=words.guesses, answers=words.answers, max_guesses=6)
    assert known_openers(bare, 1) is None
    assert (shipped_tree(bare), proven_bound(bare)) == (None, None)
    assert bare.info.guesses_sha256 == words.info.guesses_sha256
    mine = replace(words, feedback=in_place(5), matrix=matrix, winning_code=5)
    assert known_openers(mine, 1) is None


def test_twins_are_of_kinds_that_there_are() -> None:
    ours = {kind for kind, made in KINDS.items() if made.__module__ == "optimal.games.feedback"}
    assert set(TWINS) == set(ON_THE_PAGE) == ours
    assert set(CERTIFIED) == ours - {"black-pegs"}
    rules = (ROOT / "optimal" / "page" / "web" / "rules.js").read_text(encoding="utf-8")
    assert tuple(re.findall(r'case "([^"]+)":', rules)) == ON_THE_PAGE


@pytest.mark.parametrize(
    "rule", [WordFeedback(4), WordFeedback(6), PegFeedback(3, 4), BullsFeedback(2, 12), BlackFeedback(6, 2)], ids=str
)
def test_the_fast_form_is_the_plain_one(rule: Feedback) -> None:
    words = ("aabc", "abca", "bbbb", "cabé") if rule == WordFeedback(4) else ("aabcab", "abcabb", "bbbbbb", "cabééa")
    guesses: Sequence[str] = words if isinstance(rule, WordFeedback) else rule.all_guesses()
    fast, plain = rule.matrix(guesses, guesses[1:]), Feedback.matrix(rule, guesses, guesses[1:])
    assert fast.dtype == plain.dtype == (np.uint16 if rule.codes > 256 else np.uint8)
    assert (fast == plain).all()


def test_bad_kinds(in_place: type[Any]) -> None:
    own = {name: vars(in_place)[name] for name in ("codes", "winning_code", "score", "parse", "format")}
    # One that derives from another would have some of that one's scoring, or of its structure.
    with pytest.raises(InputError, match=r"^Odd derives from another kind of game; a kind derives from F"):
        type("Odd", (WordFeedback,), {**own, "kind": "odd"})
    with pytest.raises(InputError, match=r"^a kind of game is called 'words' already: WordFeedback$"):
        type("Odd", (Feedback,), {**own, "kind": "words"})
    with mock.patch.dict(KINDS):  # the same again, as a notebook makes it, takes the place of the first
        names = {"__module__": in_place.__module__, "__qualname__": in_place.__qualname__}
        again = type("InPlace", (Feedback,), {**own, **names, "kind": "in-place"})
        assert KINDS["in-place"] is again


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("score", lambda self, guess, answer: 4, ": 'boat' wins against 'bolt'$"),
        ("score", lambda self, guess, answer: 3, ": codes are 0 to 4, and 4 is that of a right guess$"),
        ("score", lambda self, guess, answer: 5, ": 'boat' against 'boat' scores 5; codes are 0 to 4$"),
        ("matrix", lambda self, *lists: np.zeros((2, 2), np.uint8), r": its matrix is \(2, 2\) of uint8; right is gue"),
        ("codes", 65537, " has 65537 codes; at most 65536 are possible$"),
        ("all_guesses", lambda self: FOURS, " says that it is symmetric, but two symbols or places"),
    ],
)
def test_what_a_kind_says_of_itself_must_hold(
    in_place: type[Any], name: str, value: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_place, name, value)
    monkeypatch.setattr(in_place, "symmetric", name == "all_guesses")
    with pytest.raises(InputError, match=f"^kind in-place{message}"):
        Game.from_feedback(in_place(4), FOURS)


def test_a_worker_has_the_same_kind_or_none(game: Game, in_place: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process of another machine makes the matrix anew, by the kind as it is there."""
    make, sent = Problem(game, 6).__reduce__()
    assert make(*sent).identity == Problem(game, 6).identity
    monkeypatch.setattr(in_place, "score", lambda self, a, b: 4 if a == b else 0)
    with pytest.raises(OptimalError, match=r"its feedback of the kind in-place differs$"):
        make(*sent)


def test_a_symmetric_kind_is_searched_as_one(in_place: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """How many places agree is the same for all codes whose symbols are renamed, or whose places are moved."""
    codes = tuple(map("".join, product("abc", repeat=3)))
    plain = optimal.solve(Game.from_feedback(in_place(3), codes))
    monkeypatch.setattr(in_place, "symmetric", True)
    monkeypatch.setattr(in_place, "all_guesses", lambda self: codes)
    alike = optimal.solve(Game.from_feedback(in_place(3)))
    assert (alike.total, alike.tree.root, alike.status) == (plain.total, plain.tree.root, plain.status)  # type: ignore[union-attr]
    # A reply that tells the first place from the others is not that of a symmetric kind.
    monkeypatch.setattr(in_place, "codes", 5)
    monkeypatch.setattr(in_place, "score", lambda self, a, b: 3 if a == b else 4 if a[0] == b[0] else 0)
    with pytest.raises(InputError, match=r"^kind in-place says that it is symmetric, but two symbols or places"):
        Game.from_feedback(in_place(3))


def test_bad_games(in_place: type[Any]) -> None:
    for arguments, message in [
        ((in_place(4), ["boat", "boo"]), r"^guesses: 'boo' has not the 4 letters or digits of in-place$"),
        ((in_place(4), ["boat"], ["boot"]), r"^answers that are not in the list of guesses: boot;"),
        ((in_place(4),), r"^a game of kind in-place needs a list of its guesses$"),
        ((in_place(4), []), r"^the list of guesses is empty"),
        (("words", ["boat"]), r"^a kind of feedback is needed, such as WordFeedback\(5\), not 'words'$"),
        ((PegFeedback(2, 3), ["11", "12"]), r"^a game of kind mastermind has all its codes for guesses and answers;"),
        ((PegFeedback(10, 35),), r"^2758547353515625 guesses and 2758547353515625 answers: at most 65535 of each"),
    ]:
        with pytest.raises(InputError, match=message):
            Game.from_feedback(*arguments)
    assert Game.from_feedback(PegFeedback(2, 3)).guesses == PegFeedback(2, 3).all_guesses()
    assert Game.from_feedback(WordFeedback(4), ["Boat", "COAT"]).guesses == ("boat", "coat")
