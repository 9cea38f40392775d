"""The page that plays: what it is made of. How it behaves in a browser is told by test_browser.py."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from trees_util import GUESSES, matrix_tree, word_tree

import optimal.page.trees
from optimal import __version__
from optimal.errors import InputError
from optimal.games.feedback import BlackFeedback, BullsFeedback, Feedback, PegFeedback, WordFeedback
from optimal.games.presets import preset
from optimal.page.trees import export_html
from optimal.trees.file import load_tree, to_bytes
from optimal.trees.tree import StrategyTree

TREE = word_tree()
WEB = Path(optimal.page.trees.__file__).parent / "web"
NODE = shutil.which("node")
DATA = re.compile(r'<script type="text/tree" data-name="([^"]*)" data-title="[^"]*"[^>]*>([^<]*)</script>')


def words_of(page: str) -> set[str]:
    return set(re.findall(r"[a-z]+", page))


def test_one_small_file_that_needs_nothing_else() -> None:
    page = export_html("classic-normal")
    assert len(page.encode()) <= 495_000
    assert len(export_html("nyt2023-normal", "classic-normal").encode()) <= 690_000
    assert page.startswith("<!doctype html>")
    assert f'content="optimal {__version__}"' in page
    # A browser then refuses to load anything; scripts, style and the worker are what the page itself has.
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    assert found[1].split("; ") == [
        *("default-src 'none'", "style-src 'unsafe-inline'", "script-src 'unsafe-inline' 'wasm-unsafe-eval'"),
        *("worker-src blob:", "img-src data:", "base-uri 'none'", "form-action 'none'"),
    ]
    assert re.findall(r"https?://[^\s'\"]+", page) == ["http://www.w3.org/2000/svg"]  # a name, not an address
    assert not re.findall(r"\bsrc *=|@import|\burl\(", page)
    assert "{{" not in page


def test_it_carries_the_files_of_its_trees() -> None:
    names = ("classic-normal", "mastermind-normal")
    found = DATA.findall(export_html(*names))
    assert [name for name, _ in found] == list(names)
    for name, data in found:
        assert base64.b64decode(data) == to_bytes(load_tree(name))


@pytest.mark.skipif(NODE is None, reason="needs Node")
@pytest.mark.parametrize(
    ("rule", "guesses"),
    [
        (WordFeedback(3), ("aab", "aba", "bba", "abc", "cab", "ccc")),
        (PegFeedback(3, 3), None),
        (BullsFeedback(3, 4), None),
        (BullsFeedback(2), None),
        (BlackFeedback(3, 3), None),
    ],
    ids=str,
)
def test_replies_are_those_of_python(rule: Feedback, guesses: Sequence[str] | None) -> None:
    codes = rule.all_guesses() if guesses is None else guesses
    pairs = list(product(codes, codes))
    game = json.dumps([["kind", rule.kind], ["params", None]]), json.dumps(list(rule.params().items()))
    ask = f"""
        const game = new Map({game[0]}).set("params", new Map({game[1]})), rule = ruleOf(game);
        const scores = {json.dumps(pairs)}.map(([guess, answer]) => rule.score(guess, answer));
        console.log(JSON.stringify([rule.size, rule.win, scores.map((code) => [code, rule.format(code)]),
          scores.every((code) => rule.parse(rule.format(code)) === code)]));"""
    program = (WEB / "rules.js").read_text(encoding="utf-8") + ask
    said = json.loads(subprocess.run([str(NODE), "-e", program], capture_output=True, check=True).stdout)
    found = [rule.score(*pair) for pair in pairs]
    assert said == [rule.size, rule.winning_code, [[code, rule.format(code)] for code in found], True]


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_a_first_guess_that_may_lose_says_so() -> None:
    """Where the best first guess isn't known, too."""
    turn = json.dumps({"worth": [20, 2981], "least": None, "weight": 884, "best": None})
    program = "".join((WEB / name).read_text(encoding="utf-8") for name in ("dom.js", "worth.js", "debrief.js"))
    said = subprocess.run([str(NODE), "-e", f"{program} console.log(valueOf({turn}))"], capture_output=True, check=True)
    assert said.stdout.decode() == (
        "A chance of 98 % to win, 3.45 guesses expected from here on if it is won; "
        "the best first guess of this game is not known here.\n"
    )


WORDS = re.compile(r'<script type="text/words" data-sha256="(\w+)">([^<]*)</script>')


def test_it_carries_the_words_that_may_be_guessed_once() -> None:
    games = [preset("nyt2023"), preset("classic")]
    found = WORDS.findall(export_html("nyt2022", "nyt2023", "classic", "classic-answers", "mastermind", TREE))
    assert [sha256 for sha256, _ in found] == [game.guesses_sha256 for game in games]
    assert [tuple(base64.b64decode(data).decode().split()) for _, data in found] == [game.guesses() for game in games]
    classic = load_tree("classic-normal")
    own = replace(classic, game=replace(classic.game, name="own", answers_sha256="0" * 64))
    assert [sha256 for sha256, _ in WORDS.findall(export_html(own))] == [games[1].guesses_sha256]
    ((sha256, data),) = WORDS.findall(export_html(TREE, guesses=GUESSES))
    assert (sha256, tuple(base64.b64decode(data).decode().split())) == (TREE.game.guesses_sha256, GUESSES)


def test_it_carries_the_best_first_guesses() -> None:
    """By all rules, within the limit of the tree: those of the shipped totals, or the one of a shipped tree."""
    data = re.compile('data-openers="([^"]*)"')

    def openers(tree: str | StrategyTree) -> dict[str, list[list[str | int]]]:
        found: dict[str, list[list[str | int]]] = json.loads(base64.b64decode(data.findall(export_html(tree))[0]))
        return found

    found = openers("nyt")
    assert {rules: first[0] for rules, first in found.items()} == {
        rules: [tree.root.guess, tree.total, tree.worst]
        for rules in ("normal", "hard", "ultra-hard")
        for tree in [load_tree(f"nyt2023-{rules}")]
    }
    assert found["normal"][1] == ["salet", 11235, 6]
    assert {rules: first[0][1] for rules, first in openers("classic-hard").items()} == {
        "normal": 7920,
        "hard": 8122,
        "ultra-hard": 8125,
    }
    classic = load_tree("classic-normal")
    for tree in (TREE, matrix_tree(), replace(classic, max_guesses=4)):
        assert openers(tree) == {}


def test_the_engine_is_in_pages_with_words() -> None:
    found = re.findall(r'<script type="text/wasm"[^>]*>([^<]*)</script>', export_html("classic-normal", TREE))
    assert [base64.b64decode(data)[:4] for data in found] == [b"\0asm"]
    assert '"text/wasm"' not in export_html("mastermind-normal", matrix_tree())


def test_the_answers_are_not_in_plain_sight() -> None:
    # Words that the page has for its own sake, such as "right", stand in the page of every game.
    shown = words_of(export_html("classic-normal")) - words_of(export_html("mastermind-normal"))
    assert shown & set(load_tree("classic-normal").answers) == set()


def test_trees_are_named_apart(tmp_path: Path) -> None:
    path = tmp_path / "own.msgpack"
    TREE.save(path)
    page = export_html(path, str(path), TREE, TREE, matrix_tree())
    names = ["own", "own-2", "twenty-normal", "twenty-normal-2", "a matrix-normal"]
    assert [name for name, _ in DATA.findall(page)] == names
    assert "<title>Wordle at its best: twenty, a matrix</title>" in page


def test_what_makes_no_page() -> None:
    for trees, message in (
        ((), "a page needs one tree at least"),
        (
            (replace(TREE, worst=3000, distribution=dict.fromkeys(range(1, 4000), 1)),),
            "too deep for a page: up to 3000",
        ),
        ((7,), "a tree is needed"),
    ):
        with pytest.raises(InputError, match=message):
            export_html(*trees)
