"""Answers used before, in the page: how its list is read, and what the page knows by it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from page_util import Visit, audited

import optimal.page.trees
from optimal.advice.analysis import analyse
from optimal.advice.subgame import solve_position
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.used import with_used
from optimal.games.weights import Weights
from optimal.page.trees import export_html
from optimal.search.solve import solve
from optimal.show.words import percent
from optimal.trees.file import load_tree
from optimal.trees.tree import StrategyTree

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `test`")

WEB = Path(optimal.page.trees.__file__).parent / "web"
NODE = shutil.which("node")
GUESSES = {"crane", "salet", "raise", "march", "words", "tiger"}
#: Texts, and the words that they say were used.
TEXTS = {
    "CRANE\nsalet # Friday\r\n\n# tiger\nnovel\n": "crane salet novel",
    "crane, salet raise;tiger": "crane raise salet tiger",
    "The words of the past\nPast answers: crane\ncrane": "crane",
    "2026-02-01,Crane\n1693 salet (Monday)\n3 March 2026: TIGER\n4 April 2026 - march": "crane salet tiger",
    "March 2026\n1 March\n3 April 2026\nApril 1, 2026\n2026 April\nMarch 2026 | April 2026": "",
    "March 30 - April 5, 2026": "",
    "Wordle answers 2026: March\nUpdated March 2026 (v1.2.3)\n1 March, #1701, ?": "",
    "2026-01-03,MARCH": "march",
    "1701,march\n2 april": "march",
    "March (1701)\nApril 1700": "april march",
    '[{"number": 1700, "answer": "march"},{"answer": "april", "number": 1701}]': "april march",
    '[{"word": "march", "day": "2026-01-03"}, {"day": "2026/1/4", "word": "april"}]': "april march",
    "march\napril": "april march",
    "1. novel crane later\n2. novel other": "crane other",
    "Jan 1 crane Jan 2 SALET Mar 3, 2026: tiger\n1. raise 2. words": "crane salet tiger raise words",
    "1700 CRANE words\nsalet 1/2, tiger 1/3\nraise (Jan 4)": "crane salet tiger raise",
    '{"id": 2, "solution": "crane", "words": 0, "editor": "Tracy"}': "crane",
    '[{"day": 1, "word": "crane"}, {"day": 2, "word": "salet"}]': "crane salet",
    "# 1 none\n2026-02-01\n": "",
}


def in_terminal(text: str, path: Path) -> set[str]:
    """The used words of a text by the rule of ``--used``."""
    path.write_text(text, encoding="utf-8")
    try:
        game, weights = with_used(Game.from_words(sorted(GUESSES), sorted(GUESSES)), path)
    except InputError:
        return set()
    assert weights is not None
    return {answer for answer, weight in zip(game.answers, weights.values, strict=True) if weight == 1}


def test_how_a_list_is_read(tmp_path: Path) -> None:
    """By the terminal and by the page."""
    for text, wanted in TEXTS.items():
        assert in_terminal(text, tmp_path / "used.txt") == set(wanted.split()), text
    if NODE is None:
        pytest.skip("needs Node")
    ask = f"""
        const place = new Set({json.dumps(sorted(GUESSES))});
        const game = {{ rule: {{ size: 5 }}, known: {{ place }}, small: (text) => small(text, false) }};
        const read = (text) => readUsed(game, text);
        console.log(JSON.stringify({json.dumps(list(TEXTS))}.map(read)));"""
    program = "".join((WEB / name).read_text(encoding="utf-8") for name in ("dom.js", "used.js")) + ask
    said = json.loads(subprocess.run([str(NODE), "-e", program], capture_output=True, check=True).stdout)
    assert [set(words) for words in said] == [set(wanted.split()) for wanted in TEXTS.values()]


ADDED = ("aalii", "zzzzz")  # of which one is a guess of the game
USED = sorted({*load_tree("classic-normal").answers[1::2], *ADDED, "night", "wight"} - {"april", "march"})


class Used(Visit):
    """The page of the classic game by a list of used answers, and what Python says of it."""

    def __init__(self, browser: Any, folder: Path) -> None:
        page, used = folder / "page.html", folder / "used.txt"
        page.write_text(export_html("classic-normal"), encoding="utf-8")
        used.write_text("\n".join(USED), encoding="utf-8")
        self.game, self.weights = with_used("classic", used)
        super().__init__(browser, page.as_uri(), viewport={"width": 320, "height": 700})
        self.go("#play/classic-normal/salet=BBBBB")
        self.page.click("#used-summary")
        text = "\n".join(f"{n} {word}" for n, word in enumerate(USED))
        dropped = (
            "(text) => { const held = new DataTransfer(); held.items.add(new File([text], 'used')); return held; }"
        )
        self.page.dispatch_event("#used-words", "drop", {"dataTransfer": self.page.evaluate_handle(dropped, text)})
        sync_api.expect(self.page.locator("#used-words")).not_to_have_value("")
        self.page.click("#used-use")


@pytest.mark.slow
def test_advice_by_weight(browser: Any, tmp_path: Path) -> None:
    """Totals, chances and the debrief are those of Python; the list is kept, and can be forgotten."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="needs axe-playwright-python, of the extra `test`")
    seen = Used(browser, tmp_path)
    game, weights = seen.game, seen.weights
    lacks = "Added, as 2 words that the list of answers lacks: aalii, zzzzz."
    assert seen.text("#used-told") == f"{len(USED)} answers used before count 1, all others 10. {lacks}"
    assert seen.text("#about") == f"2317 answers, {len(USED)} of them used before"
    seen.page.click("#tab-numbers")
    assert seen.text("#about").endswith("; here every answer counts once")
    seen.page.click("#tab-play")
    seen.page.reload()
    seen.settled()
    found = analyse(game, "salet=bbbbb", weights=weights, top=6)
    rows = [row.get_attribute("data-word") for row in seen.page.locator(".advice tbody tr").all()]
    titles = [cell.get_attribute("title") for cell in seen.page.locator(".advice tbody td:nth-child(2)").all()]
    assert sorted(zip(rows, titles, strict=True)) == sorted((one.guess, f"{one.total}/{found.weight}") for one in found)
    assert seen.text("#row").replace("\n", "").lower() == rows[0] == found.guesses[0].guess
    assert f"{float(found.guesses[0].mean):.2f}" in seen.text("#play .figures")

    position = "light=BGGGG/might=BGGGG/sight=BGGGG/right=BGGGG/aback=BBBBB"
    seen.go(f"#play/classic-normal/{position}")
    found = analyse(game, position.replace("/", " ").lower(), weights=weights)
    best = ", ".join(one.guess.upper() for one in found if one.rank == 1)
    chance = percent(found.guesses[0].chance)
    assert f"This is the last guess: any of {best}, {chance} each" in seen.text("#risk")

    seen.go("#play/classic-normal/rules=hard/light=BGGGG/might=BGGGG")
    seen.settled()
    first = analyse(game.with_rules("hard", 6), "light=bgggg might=bgggg", weights=weights).guesses[0]
    assert first.win_chance is not None
    chance = percent(first.win_chance)
    assert f"You can no longer be sure to win: the chance is {chance} at best (proven)" in seen.text("#risk")
    cells = seen.page.locator(".advice tbody tr").first.locator("td").all_inner_texts()
    assert cells[:2] == [chance, f"{float(first.mean):.3f}"]
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 320

    seen.go("#debrief/classic-normal/salet/crony/brain/crane")
    seen.settled()
    for turn, (position, guess) in enumerate([("", "salet"), ("salet=bybyb", "crony")]):
        tree = solve_position(game, position, weights=weights, first=[guess]).tree
        assert tree is not None
        told = f"{float(tree.mean):.2f} guesses expected from here on"
        assert told in seen.page.locator(".turns p").nth(turn).inner_text()

    seen.go("#play/classic-normal")
    assert seen.text("#row").replace("\n", "") == "SALET"
    seen.settled()
    assert "these are estimates" in seen.text("#advice")
    assert "about" in seen.text(".advice")
    seen.page.click("#rules-hard")
    assert "SALET is a good first guess; what it is worth by weight takes too long to find." in seen.text("#advice")
    seen.page.click("#used-summary")
    assert audited(seen.page, axe.AXE_SCRIPT) == []
    seen.page.click("#used-forget")
    assert seen.text("#about") == "2315 answers, 3.4212 on average, 5 at most by normal rules"
    seen.page.reload()
    assert seen.page.locator("#used-told").count() == 0
    seen.end()


WORDS = Game.preset("classic").answers[::20]
OWN = Game.from_words(WORDS, WORDS, max_guesses=6)
WEIGHTS = Weights("file", tuple(1 + number % 7 for number in range(len(WORDS))))


def tree_of(game: Game, weights: Weights | None = None) -> StrategyTree:
    tree = solve(game, weights=weights).tree
    assert tree is not None
    return tree


@pytest.fixture
def shown(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Visit]]:
    """Opens a page of these trees."""
    visits: list[Visit] = []

    def show(*trees: StrategyTree) -> Visit:
        page = tmp_path / f"{len(visits)}.html"
        page.write_text(export_html(*trees), encoding="utf-8")
        visits.append(Visit(browser, page.as_uri()))
        return visits[-1]

    yield show
    for seen in visits:
        seen.end()


@pytest.mark.slow
def test_off_a_tree_with_weights(shown: Callable[..., Visit]) -> None:
    """Advice and debrief go by the weights of the tree."""
    tree = tree_of(OWN, WEIGHTS)
    seen = shown(tree)
    guess, answer = WORDS[0], WORDS[-1]
    reply = WordFeedback(5).format(WordFeedback(5).score(guess, answer))
    found = solve_position(OWN, f"{guess}={reply}", weights=WEIGHTS)
    seen.go(f"#play/{OWN.name}-normal/{guess}={reply}")
    seen.settled()
    assert found.tree is not None
    left = sum(found.tree.weights or ()) or len(found.tree.answers)
    first = seen.page.locator(".advice tbody td").first
    assert Fraction(str(first.get_attribute("title"))) == Fraction(found.total or 0, left)
    assert "Answers count by their weights." in seen.text("#advice")
    seen.go(f"#debrief/{OWN.name}-normal/{tree.root.guess}/{answer}")
    seen.settled()
    assert f"A best guess: {float(tree.mean):.2f} guesses expected" in seen.text("#debrief")


@pytest.mark.slow
def test_other_rules_keep_weights_and_guesses(shown: Callable[..., Visit]) -> None:
    """Where other trees of the list have other ones, or another objective; by used answers, too."""
    hard, within = tree_of(OWN.with_rules("hard", 6)), tree_of(OWN.with_rules("normal", 5))
    mean = tree_of(OWN)
    parts = (mean.worst, mean.total)
    worst = replace(mean, objective="worst", value=parts, bound=parts)
    seen = shown(worst, mean, tree_of(OWN, WEIGHTS), hard, within)
    normal = f"{OWN.name}-normal"
    for name, other in (f"{normal}-2", f"{OWN.name}-hard"), (f"{normal}-3",) * 2, (f"{normal}-4",) * 2:
        seen.go(f"#play/{name}")
        seen.page.click("#rules-hard")
        assert seen.fragment.removesuffix("/rules=hard") == f"#play/{other}"
        seen.page.click("#rules-normal")
        assert seen.fragment == f"#play/{name}"
    seen.go(f"#play/{normal}-3")
    seen.page.click("#used-summary")
    seen.page.fill("#used-words", WORDS[0])
    seen.page.click("#used-use")
    for rules in "hard", "normal":
        seen.page.click(f"#rules-{rules}")
    assert seen.fragment == f"#play/{normal}-3"
    seen.page.click("#tab-numbers")
    assert seen.text("#about").endswith("; here the weights of the tree count")


@pytest.mark.slow
def test_after_a_position(shown: Callable[..., Visit]) -> None:
    """Its guess is of the game, though not of the tree, and stays by other rules. Used answers that it excludes aren't
    counted, nor called words that the list lacks."""
    found = solve_position(OWN, f"{WORDS[0]}=bbbbb").tree
    assert found is not None
    seen = shown(found, tree_of(OWN.with_rules("hard", 6)))
    best = analyse(OWN, f"{WORDS[0]}=bbbbb").guesses[0]
    assert seen.advice()[best.guess] == f"{best.total}/{len(found.answers)}"
    seen.page.click("#rules-hard")
    assert seen.page.locator("#play .board li").count() == 2
    seen.page.select_option("#trees", "1")  # the position's guess was made in no game
    assert seen.fragment == "#play/words-hard"
    hard = f"#play/words-hard/{WORDS[5]}=BBBBB"
    seen.go(hard)
    for rules in "ultra-hard", "normal":  # nothing is played meanwhile
        seen.page.select_option("#trees", "0")
        seen.page.click(f"#rules-{rules}")
        seen.page.select_option("#trees", "1")
        assert seen.fragment == hard
    seen.page.select_option("#trees", "0")
    feedback = WordFeedback(5)
    seen.reply(reply := feedback.format(feedback.score(found.root.guess, found.answers[-1])))
    seen.page.select_option("#trees", "1")
    assert seen.fragment == f"#play/words-hard/{WORDS[0]}=BBBBB/{found.root.guess}={reply}"
    seen.page.select_option("#trees", "0")
    seen.page.click("#used-summary")
    seen.page.fill("#used-words", " ".join((WORDS[0], found.answers[0])))
    seen.page.click("#used-use")
    assert seen.text("#used-told") == "1 answer used before counts 1, all others 10."
    assert seen.text("#about") == f"{len(found.answers)} answers, 1 of them used before"


@pytest.mark.slow
def test_weights_that_the_page_cannot_search_by(shown: Callable[..., Visit]) -> None:
    """They are those of the tree's figures alone, which say so."""
    for first, label in (2000, "on average"), (0, "on average by weight"), (2**25, "on average by weight"):
        seen = shown(tree_of(OWN, Weights("file", (first, *WEIGHTS.values[1:]))))
        assert label in seen.page.locator("#play .figures dt").all_inner_texts()


@pytest.mark.slow
def test_used_answers_are_of_one_game(browser: Any, tmp_path: Path) -> None:
    """Of two lists with one name, and of two lists of the player's own in one browser, each has its own."""
    files = [tmp_path / "one.html", tmp_path / "other.html"]
    for file, words in zip(files, (WORDS, WORDS[1:]), strict=True):
        file.write_text(export_html(tree_of(Game.from_words(words, words, max_guesses=6))), encoding="utf-8")
    context = browser.new_context()
    one, other = (context.new_page() for _ in files)

    def use(page: Any, word: str) -> None:
        page.click("#used-summary")
        page.fill("#used-words", word)
        page.click("#used-use")

    one.goto(files[0].as_uri())
    use(one, WORDS[5])
    assert one.locator("#used-told").count() == 1
    other.goto(files[1].as_uri())
    assert other.locator("#used-told").count() == 0
    for page in one, other:
        page.select_option("#trees", label="Your own list…")
    for page, text in (one, "кран слон доля"), (other, "кран слон доля"), (other, "кран слон дома"):
        if page.locator("#own-summary").count():
            page.click("#own-summary")
        page.fill("#own-words", text)
        page.click("#own-use")
        if page is one:
            use(one, "кран")
    for page, told in (one, "3 answers, 1 of them used before"), (other, "3 words of 4 letters"):
        page.reload()
        assert page.inner_text("#about") == told
    link = one.url
    other.goto(link)
    assert other.inner_text("#astray").startswith(
        "The link is of other words than are kept here. It shows your own list"
    )
    one.goto(link)
    assert one.inner_text("#astray") == ""
    context.close()
