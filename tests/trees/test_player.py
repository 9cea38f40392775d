"""The player: scripted sessions, every way of typing feedback, and how little it takes to start."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from trees_util import matrix_score, matrix_tree, peg_tree, word_tree

from optimal.errors import ImpossibleFeedback, InputError, TreeFileError
from optimal.games.feedback import BullsFeedback, WordFeedback
from optimal.games.resources import tree_file
from optimal.show.words import shown
from optimal.trees.nodes import Node
from optimal.trees.player import Player
from optimal.trees.talk import play_interactive
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import verify_tree

FEEDBACK = WordFeedback(5)
TREE = word_tree()
BULLS = BullsFeedback(2)


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines as long as they like, so that each message is one."""
    monkeypatch.setattr("optimal.show.text.WIDTH", 1000)
    monkeypatch.setenv("COLUMNS", "1000")


def session(text: str, tree: StrategyTree = TREE) -> tuple[list[str], list[tuple[str, int]]]:
    """The lines that the player prints, without prompts and empty lines, and the turns played."""
    out = io.StringIO()
    turns = list(play_interactive(tree, io.StringIO(text), out).turns)
    return [line for line in out.getvalue().replace("> ", "").splitlines() if line], turns


def test_impossible_feedback_can_be_undone() -> None:
    lines, turns = session("ggggb\nybbby\nybbbb\nundo\nbgbbb\nq\n")
    assert (
        lines[2] == "no answer fits range=GGGGB; turn 1 may be mistyped: range=GGGGG would leave 1 word. Type it again."
    )
    assert lines[5] == (
        "no answer fits wooer=YBBBB after range=YBBBY. Type it again, or :undo to take back the one before."
    )
    assert lines[6].startswith("Guess 1: range  (20 answers left")
    assert lines[-1].startswith("Guess 2: cacao  (4 answers left")
    assert turns == [("range", FEEDBACK.parse("bgbbb"))]


def test_undo_help_and_quit() -> None:
    lines, turns = session("undo\nhelp\n?\nu\nexit\nybbby\n")
    assert turns == []
    assert lines[2] == lines[5] == "there is nothing to undo."
    assert lines[3] == lines[4]
    assert lines[3].startswith("Type the colours as bybbg (b for grey, y for yellow, g for green);")


def test_input_that_is_not_text() -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="utf-8")
    with pytest.raises(InputError, match="the input is not text"):
        play_interactive(TREE, stdin, io.StringIO())


def test_pegs_and_bare_matrices() -> None:
    tree = peg_tree(BULLS, BULLS.all_guesses(), "two digits")
    out = "\n".join(BULLS.format(code) for _, code in tree.path("42"))
    lines, turns = session(out, tree)
    assert turns == tree.path("42")
    assert lines[0] == "two digits, 90 answers, normal rules. Type the feedback such as 2,1; or :undo, :help, :quit."
    assert lines[-len(turns) - 2].endswith(": 42.")
    assert lines[-len(turns) - 1 :] == [f"two digits {len(turns)}", *(BULLS.format(code) for _, code in turns)]

    matrix = matrix_tree()
    turns = matrix.path("5", matrix_score)
    lines, played = session("x\n99999999\n6\n" + "\n".join(str(code) for _, code in turns), matrix)
    assert played == turns
    assert lines[1] == "Guess 1: 1  (12 answers left, at most 4 more guesses)"
    assert lines[2] == "'x' is not a feedback code: type its number, such as 3."
    assert lines[4] == "no answer fits 1=6. Type it again."
    with pytest.raises(InputError, match="bare matrix"):
        matrix.path("5")


def test_player_state() -> None:
    player = Player(TREE)
    assert (player.guess, player.remaining, player.at_most, player.solved) == ("range", 20, 3, False)
    player.feed(FEEDBACK.parse("YBBBY"))
    assert player.candidates == ("wooer", "wreck")
    with pytest.raises(ImpossibleFeedback):
        player.feed(FEEDBACK.parse("BBBBB"))
    assert player.history == player.turns == (("range", FEEDBACK.parse("YBBBY")),)
    player.feed(FEEDBACK.winning_code)
    assert (player.guess, player.remaining, player.at_most, player.solved) == (None, 1, 0, True)
    with pytest.raises(InputError, match="the game is over: 'wooer' was the answer"):
        player.feed(0)
    player.undo()
    player.undo()
    assert (player.guess, player.remaining) == ("range", 20)
    player.feed("ybbby")
    player.reset()
    assert (player.guess, player.remaining, len(player.turns)) == ("range", 20, 0)
    known, unknown = Player(matrix_tree(), matrix_score), Player(matrix_tree())
    for player in (known, unknown):
        player.feed(2)
    assert (known.remaining, unknown.remaining) == (2, None)


def test_a_tree_may_be_named() -> None:
    for alias, newest in (("nyt", "nyt2023"), ("nyt-hard", "nyt2023-hard")):
        assert Player(alias).tree == Player(newest).tree
    for name in ("classic", "classic-normal", "classic-normal.msgpack", tree_file("classic-normal.msgpack")):
        player = Player(name)
        assert (player.guess, player.remaining) == ("salet", 2315)
    with pytest.raises(InputError, match="no tree file 'clasic', and no shipped tree of that name: did you mean clas"):
        Player("clasic")
    for wrong in (None, b"classic-normal", TREE.root, ["classic-normal"]):
        with pytest.raises(InputError, match="a tree is needed: a StrategyTree, the file of one, or a name such as"):
            Player(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a scorer must be a function"):
        Player(TREE, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("nonsense", [None, "x", 0.5, True, -1, 10**5000, np.zeros(2)], ids=shown)
def test_a_scorer_that_returns_nonsense(nonsense: Any) -> None:
    def scorer(guess: str, answer: str) -> Any:
        return nonsense

    player = Player(TREE, scorer)
    calls: list[Callable[[], object]] = [lambda: TREE.path("wreck", scorer), lambda: TREE.play("wreck", scorer)]
    calls += [lambda: player.feed("ybbby"), lambda: verify_tree(TREE, scorer=scorer)]
    for call in calls:
        with pytest.raises(InputError, match="a scorer's feedback code, here of 'range', must be "):
            call()


def test_feedback_as_people_write_it() -> None:
    for feedback in ("ybbby", "10001", np.uint8(82)):
        player = Player(TREE)
        player.feed(feedback)
        assert (player.turns, player.guess) == ((("range", 82),), "wooer")
        assert type(player.turns[0][1]) is int
    player = Player(TREE)
    for wrong, message in (
        (None, "feedback of type NoneType; give it as text, such as 'GGGGG' for the answer, or as a code, 242"),
        (b"ybbby", "feedback of type bytes"),
        ("ybbb", "has 4 marks"),
        ("wooer", "is a word; give the feedback of range alone"),
        (243, "out of range"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            player.feed(wrong)  # type: ignore[arg-type]
        assert player.turns == ()


def test_a_player_prints_and_renders() -> None:
    player = Player(TREE)
    assert str(player) == "1. range  (20 answers left, at most 3 more guesses)"
    assert repr(player) == (
        "<Player of twenty, normal rules, guess 1: range (20 answers left, at most 3 more guesses)>"
    )
    player.feed("ybbby")
    assert str(player) == "1. range  YBBBY\n2. wooer  (2 answers left, at most 2 more guesses)"
    player.feed("ggggg")
    assert str(player).endswith("\n2. wooer  GGGGG\nsolved in 2 guesses.")
    assert repr(player) == "<Player of twenty, normal rules, solved in 2 guesses>"
    assert "at most 4 more guesses" in str(Player(matrix_tree()))


def test_a_tree_that_lacks_a_branch() -> None:
    player = Player(replace(TREE, root=Node("range")))
    with pytest.raises(TreeFileError, match="no branch after range=YBBBY: `optimal verify`"):
        player.feed(FEEDBACK.parse("YBBBY"))


def test_a_line_without_an_end() -> None:
    with pytest.raises(InputError, match="the input has a line of more than 100000 characters"):
        play_interactive(TREE, io.StringIO("a" * 200_000), io.StringIO())
