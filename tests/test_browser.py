"""The page in a real browser: played by clicks, by keys, on a phone, in the dark, and heard by a screen reader."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from patience import SOON
from trees_util import labelled_tree, matrix_score, matrix_tree, peg_tree, word_tree

from optimal.games.feedback import BlackFeedback, WordFeedback
from optimal.trees.file import load_tree
from optimal.trees.page import export_html

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `test`")
axe_api = pytest.importorskip("axe_playwright_python.base", reason="needs axe-playwright-python, of the extra `test`")

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="needs Chromium: none is installed")]

CLASSIC = load_tree("classic-normal")
MASTERMIND = load_tree("mastermind-normal")
TWENTY = word_tree()
LATE = word_tree(position=(("salet", WordFeedback(5).parse("BGBBB")),), weights=(3, 0, 2))
MATRIX = matrix_tree()
COLOURS = {"B": "grey", "Y": "yellow", "G": "green"}
MILLISECONDS = 1000 * SOON
VIEWS = ("play", "tree", "numbers", "debrief")
#: In the order of the page's menu.
TREES = {"classic-normal": CLASSIC, "mastermind-normal": MASTERMIND, "twenty-normal": TWENTY}
BLACKS = peg_tree(BlackFeedback(3, 3), BlackFeedback(3, 3).all_guesses(), "black-pegs:3x3")
OTHERS = {"twenty-normal": LATE, "a matrix-normal": MATRIX, "labels-normal": labelled_tree(), "blacks": BLACKS}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    sync_api.expect.set_options(timeout=MILLISECONDS)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=[*FLAGS, *root])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of pages on disk: one with several trees, one with one, one with odd ones."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {
        "several": export_html("classic-normal", "mastermind-normal", TWENTY),
        "one": export_html("classic-normal"),
        "odd": export_html(*OTHERS.values()),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in pages}


class Visit:
    """One page with what it asked for and complained of."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.address = address
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(MILLISECONDS)
        self.told: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.go("")

    def go(self, fragment: str) -> None:
        self.page.goto(self.address + fragment)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def colour(self, marks: str) -> None:
        """Tap the tiles of the current guess until they have these colours."""
        for place, mark in enumerate(marks):
            tile = self.page.locator(f"#mark-{place}")
            for _ in range(3):
                if tile.get_attribute("class") == f"tile {COLOURS[mark]}":
                    break
                tile.click()

    @property
    def focus(self) -> str:
        return str(self.page.evaluate("document.activeElement.id"))

    @property
    def fragment(self) -> str:
        return str(self.page.evaluate("location.hash"))


@pytest.fixture
def visit(browser: Any, files: dict[str, str]) -> Iterator[Any]:
    """Opens pages; afterwards nothing was complained of, and nothing but the page itself was loaded."""
    visits: list[Visit] = []

    def start(name: str = "several", **options: Any) -> Visit:
        visits.append(Visit(browser, files[name], **options))
        return visits[-1]

    yield start
    for one in visits:
        assert one.told == []
        assert {asked.partition("#")[0] for asked in one.asked if not asked.startswith("data:")} == {one.address}
        one.context.close()


@cache
def replies() -> dict[str, list[str]]:
    """The feedback that each answer of the classic tree brings."""
    return {answer: [feedback for _, feedback in CLASSIC.play(answer)] for answer in CLASSIC.answers}


def after(*feedback: str) -> list[str]:
    """The answers left after this feedback."""
    return [answer for answer, brought in replies().items() if brought[: len(feedback)] == list(feedback)]


# Look-up


@pytest.mark.parametrize("name", TREES)
def test_every_answer_by_look_up(visit: Any, name: str) -> None:
    """The page scores and follows as Python does: all answers of each tree."""
    tree = TREES[name]
    played = visit().page.evaluate(
        "(name) => optimal.answers(name).map((answer) => [answer, optimal.play(name, answer)])", name
    )
    assert [answer for answer, _ in played] == list(tree.answers)
    for answer, turns in played:
        assert [tuple(turn) for turn in turns] == tree.play(answer), answer


def test_what_is_no_answer_has_no_path(visit: Any) -> None:
    page = visit().page
    assert page.evaluate("optimal.play('classic-normal', 'zzzzz')") is None
    assert page.evaluate("optimal.play('classic-normal', 'salet')") is None


@pytest.mark.parametrize("answer", [*random.Random(14).sample(CLASSIC.answers, 4), "crane", "eerie"])
def test_answers_by_clicks(visit: Any, answer: str) -> None:
    seen = visit("one")
    turns = CLASSIC.play(answer)
    for number, (guess, feedback) in enumerate(turns):
        shown = [seen.text(f"#mark-{place}").lower() for place in range(5)]
        assert "".join(shown) == guess
        left = after(*(feedback for _, feedback in turns[:number]))
        assert seen.text("#play .figures div:first-child dd") == str(len(left))
        seen.colour(feedback)
        seen.page.click("#next")
    assert seen.text(".solved") == f"Solved in {len(turns)} guesses."
    assert seen.text("#share").startswith(f"classic {len(turns)}/6")
    assert seen.page.get_attribute("#share .grid", "aria-label").endswith("green, green, green, green, green")


def test_what_is_known_at_a_position(visit: Any) -> None:
    seen = visit("one")
    seen.go("#play/classic-normal/BYBYB")
    node = CLASSIC.root.children[WordFeedback(5).parse("BYBYB")]
    left = [len(replies()[answer]) - 1 for answer in after("BYBYB")]
    found = [seen.text(f"#play .figures div:nth-child({number}) dd") for number in (1, 2, 3)]
    assert found == [str(len(left)), str(node.depth), f"{sum(left) / len(left):.2f}"]


def test_it_was_right_undo_restart_and_back(visit: Any) -> None:
    seen = visit("one")
    assert seen.page.is_disabled("#undo")
    seen.colour("BYBYB")
    seen.page.click("#next")
    seen.page.click("#right")
    assert seen.fragment == "#play/classic-normal/BYBYB/GGGGG"
    assert seen.text(".solved") == "Solved in 2 guesses."
    seen.page.click("#undo")
    assert seen.fragment == "#play/classic-normal/BYBYB"
    assert [seen.page.get_attribute(f"#mark-{place}", "class") for place in range(5)] == ["tile grey"] * 5
    seen.page.go_back()
    assert seen.text(".solved") == "Solved in 2 guesses."
    seen.page.click("#restart")
    assert seen.fragment == "#play/classic-normal"
    assert seen.page.locator("#play .board li").count() == 1


def test_colours_that_fit_no_answer(visit: Any) -> None:
    seen = visit("one")
    seen.colour("GYGGB")
    seen.page.click("#next")
    assert seen.text("#problem") == "No word fits these colours. Look again."
    assert seen.text("#said") == "No word fits these colours. Look again."
    assert seen.fragment == ""
    seen.colour("BYBYB")
    assert seen.text("#problem") == ""
    seen.page.click("#next")
    seen.colour("YGGGG")
    seen.page.click("#next")
    assert seen.text("#problem") == "No word fits these colours. Look again, or take the last turn back."


def test_colours_that_other_words_fit(visit: Any) -> None:
    seen = visit("one")
    seen.colour("GGGGB")
    seen.page.click("#next")
    told = "Not in the list of answers; these 2 other words fit: salep, sales"
    assert (seen.text("#problem"), seen.text("#said"), seen.fragment) == (told, told, "")
    seen.page.click("#right")
    assert seen.text("#problem") == "Not in the list of answers; this other word fits: salet"


def test_the_answers_left_show_when_asked_for(visit: Any) -> None:
    seen = visit("one")
    seen.go("#play/classic-normal/BYBYB/BYGYB")
    assert seen.page.is_hidden(".candidates .words")
    seen.page.click("#candidates-summary")
    sync_api.expect(seen.page.locator(".candidates .words")).not_to_be_empty()
    shown = seen.text(".candidates .words").split()
    assert shown == after("BYBYB", "BYGYB")


def test_pegs_by_clicks(visit: Any) -> None:
    seen = visit()
    seen.page.select_option("#trees", "1")
    assert seen.fragment == "#play/mastermind-normal"
    for _, code in MASTERMIND.path("3141"):
        seen.page.click(f"#reply-{code}")
    assert seen.text(".solved") == f"Solved in {len(MASTERMIND.path('3141'))} guesses."
    assert seen.fragment.endswith("/4,0")


def test_trees_from_a_position_and_of_bare_matrices(visit: Any) -> None:
    seen = visit("odd")
    assert seen.page.locator("#play .board li").count() == 2
    assert seen.text("#play .figures div:nth-child(3) dd") == f"{float(LATE.mean):.2f}"
    for _, feedback in LATE.play(LATE.answers[-1]):
        seen.colour(feedback)
        seen.page.click("#next")
    assert seen.text(".solved") == f"Solved in {1 + len(LATE.play(LATE.answers[-1]))} guesses."
    seen.page.select_option("#trees", "1")
    for _, code in MATRIX.path("5", matrix_score):
        seen.page.click(f"#reply-{code}")
    assert seen.text(".solved").startswith("Solved in")
    for view in VIEWS:
        seen.page.click(f"#tab-{view}")
        assert seen.page.is_visible(f"#{view}")


def test_black_pegs_alone(visit: Any) -> None:
    seen = visit("odd")
    seen.page.select_option("#trees", "3")
    path = BLACKS.path("312")
    for _, code in path:
        assert seen.page.get_attribute(f"#reply-{code}", "aria-label") == f"{code} black"
        seen.page.click(f"#reply-{code}")
    assert seen.text(".solved") == f"Solved in {len(path)} guesses."
    for view in VIEWS:
        seen.page.click(f"#tab-{view}")
        assert seen.page.is_visible(f"#{view}")


def test_the_labels_of_a_matrix(visit: Any) -> None:
    seen = visit("odd")
    seen.page.select_option("#trees", "2")
    codes = [code for _, code in MATRIX.path("5", matrix_score)]
    for code in codes:
        assert seen.text(f"#reply-{code}") == f"reply {code}"
        seen.page.click(f"#reply-{code}")
    assert seen.text(".solved").startswith("Solved in")
    assert seen.fragment.split("/")[2:] == [f"reply%20{code}" for code in codes]


# Links


def test_a_position_has_a_link(visit: Any, files: dict[str, str]) -> None:
    seen = visit()
    seen.go("#play/classic-normal/BYBYB/BYGYB")
    assert [seen.text(f"#mark-{place}") for place in range(5)] == list("CEZVE")
    seen.go("#tree/classic-normal/BYBYB")
    assert seen.text("#found").startswith("Guess 2 is beard.")
    seen.go("#numbers/mastermind-normal")
    assert seen.text("#numbers .figures div:first-child dd") == "4.3403"
    seen.go("#debrief/classic-normal/salet/crane")
    assert seen.text("#verdict") == "You beat the tree: 2 against 4."


@pytest.mark.parametrize(
    ("fragment", "rows"),
    [
        ("#play/classic-normal/BYBYB/GGBBB", 2),  # no answer fits the second reply
        ("#play/classic-normal/BYBYB/nonsense", 2),
        ("#play/gone/BYBYB", 1),
        ("#nothing", 1),
        ("#play/%E0%A4%A/BYBYB", 1),  # cut in the middle of a character
        ("#play/classic-normal/GGGGG", 1),  # salet is no answer
    ],
)
def test_links_that_lead_astray(visit: Any, fragment: str, rows: int) -> None:
    seen = visit()
    seen.go(fragment)
    assert seen.page.locator("#play .board li").count() == rows
    assert ("no answer of this tree" in seen.text("#problem")) == ("classic" in fragment)


def test_each_view_is_left_where_it_was(visit: Any) -> None:
    seen = visit()
    seen.go("#play/classic-normal/BYBYB")
    seen.page.click("#tab-numbers")
    seen.page.click("#tab-play")
    assert seen.fragment == "#play/classic-normal/BYBYB"


# The other views


def test_finding_a_word_in_the_tree(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#tab-tree")
    seen.page.fill("#search", " Crane ")
    seen.press("Enter")
    assert seen.text("#found").startswith("crane is found by guess 4.")
    assert seen.fragment == "#tree/classic-normal/BYBYB/BYGYB/GBBBG/GGGGG"
    assert seen.text(".leaves .marked b") == "crane"
    seen.page.fill("#search", "salet")
    seen.press("Enter")
    assert seen.text("#search-problem") == "salet is not one of the 2315 answers of this tree."


def test_classes_are_expanded(visit: Any) -> None:
    seen = visit("one")
    seen.go("#tree/classic-normal")
    inner = [node for node in CLASSIC.root.children.values() if node.children]
    assert seen.page.locator("#tree details").count() == len(inner)
    seen.page.locator("#tree summary").first.click()
    largest = CLASSIC.root.children[0]
    below = "#tree details:first-of-type .below > .branches"
    assert seen.page.locator(f"{below} > details, {below} > ul > li").count() == len(largest.children)
    assert "221 answers left, 4 guesses at most, 2.76 on average" in seen.text("#tree summary >> nth=0")


def test_the_distribution(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#tab-numbers")
    rows = seen.page.locator(".bars tbody tr").all()
    found = {int(row.locator("th").inner_text()): int(row.locator("td").nth(1).inner_text()) for row in rows}
    assert found == dict(CLASSIC.distribution)
    with seen.page.expect_download() as saved:
        seen.page.click("#save")
    assert saved.value.suggested_filename == "classic-normal.msgpack"
    assert load_tree(Path(saved.value.path())) == CLASSIC


def test_a_debrief(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#tab-debrief")
    seen.page.fill("#game", "salet, crony\nbrain crane")
    seen.page.click("#debrief button")
    assert seen.text("#verdict") == "As many as the tree: 4."
    cards = seen.page.locator(".turns > li").all_inner_texts()
    assert len(cards) == 4
    assert "It left 83 answers of 2315; 71 on average." in cards[0]
    # Expected after salet, and after its reply: 1584/463 - 1 and what the tree needs for the 83.
    left = [len(replies()[answer]) - 1 for answer in after("BYBYB")]
    mean = sum(left) / len(left)
    worse = mean - float(CLASSIC.mean) + 1
    assert f"{mean:.2f} more guesses are needed on average, {worse:.2f} guesses worse" in cards[0]
    assert "The tree guesses beard here." in cards[1]
    assert "Off the tree." in cards[2]
    for words, problem in [
        ("salet", "salet is not one of the 2315 answers of this tree."),
        ("tree crane", "tree has 4 letters; this game needs 5."),
        ("crane salet crane", "Guess 1 found the answer; nothing comes after it."),
    ]:
        seen.page.fill("#game", words)
        seen.page.click("#debrief button")
        assert seen.text("#game-problem") == problem


def test_a_finished_game_is_copied_and_looked_back_on(visit: Any) -> None:
    seen = visit("one", permissions=["clipboard-read", "clipboard-write"])
    seen.go("#play/classic-normal/BYBYB/BYGYB/GBBBG/GGGGG")
    seen.page.click("#copy-grid")
    sync_api.expect(seen.page.locator("#copy-grid")).to_have_text("Copied")
    grid = "classic 4/6\n\n⬛🟨⬛🟨⬛\n⬛🟨🟩🟨⬛\n🟩⬛⬛⬛🟩\n🟩🟩🟩🟩🟩"
    assert seen.page.evaluate("navigator.clipboard.readText()") == grid
    seen.page.click("#palette")
    seen.page.click("#copy-grid")
    sync_api.expect(seen.page.locator("#copy-grid")).to_have_text("Copied")
    assert "🟧⬛⬛⬛🟧" in seen.page.evaluate("navigator.clipboard.readText()")
    seen.page.click("text=Debrief >> nth=1")
    assert seen.text("#verdict") == "As many as the tree: 4."


# How people use it


def test_by_keyboard_alone(visit: Any) -> None:
    seen = visit()
    seen.press(*"byby", "b", "Enter")  # nothing has the focus yet
    assert seen.fragment == "#play/classic-normal/BYBYB"
    assert seen.focus == "mark-0"
    seen.press("ArrowRight", "Space", "ArrowRight", "Backspace", "x", "u")
    assert seen.fragment == "#play/classic-normal"
    seen.press(*"01010", "Enter", *"bygyb", "Enter", *"gbbbg", "Enter", *"ggggg", "Enter")
    assert seen.text(".solved") == "Solved in 4 guesses."
    assert seen.focus == "copy-grid"
    # Every control is reached by Tab, and seen where it has the focus.
    seen.go("#play/classic-normal/BYBYB")
    seen.page.reload()
    reached = []
    for _ in range(16):
        seen.press("Tab")
        reached.append(seen.focus)
        assert seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid" or not reached[-1]
    wanted = ["palette", "theme", "trees", "tab-play", *(f"mark-{place}" for place in range(5))]
    assert reached[: len(wanted) + 5] == [*wanted, "next", "right", "undo", "restart", "candidates-summary"]
    seen.page.focus("#tab-play")
    for key, view in [("ArrowRight", "tree"), ("End", "debrief"), ("ArrowRight", "play"), ("ArrowLeft", "debrief")]:
        seen.press(key)
        assert (seen.focus, seen.page.is_visible(f"#{view}")) == (f"tab-{view}", True)
    seen.press("Home", "ArrowRight")
    seen.page.focus("#tree summary >> nth=0")
    seen.press("Enter")
    assert seen.page.locator("#tree details[open]").count() == 1


def test_keys_after_a_click(visit: Any) -> None:
    seen = visit("one")
    seen.colour("BYBYB")
    seen.page.click("#next")
    seen.press(*"bygyb", "Enter")  # the button has the focus until a tile is marked
    assert seen.fragment == "#play/classic-normal/BYBYB/BYGYB"
    seen.page.click("#undo")
    seen.press("Enter")  # the button's own
    assert seen.fragment == "#play/classic-normal"


def test_fast_typing(visit: Any) -> None:
    """Keys that come before the browser tells of the new address already go to the new guess."""
    seen = visit("one")
    seen.page.evaluate(
        """(keys) => keys.forEach((key) =>
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))""",
        [*"bybyb", "Enter", *"bygyb", "Enter", *"gbbbg", "Enter", *"ggggg", "Enter"],
    )
    assert seen.text(".solved") == "Solved in 4 guesses."


def test_keys_leave_text_fields_alone(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#tab-tree")
    seen.page.fill("#search", "")
    seen.page.type("#search", "buggy")
    assert seen.page.input_value("#search") == "buggy"
    assert seen.fragment == "#tree/classic-normal"


def test_what_a_screen_reader_says(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#mark-1")
    assert seen.page.get_attribute("#mark-1", "aria-label") == "a, letter 2: yellow"
    assert seen.text("#said") == "a yellow"
    seen.colour("BYBYB")
    seen.page.click("#next")
    assert seen.text("#said") == "Guess 2: beard. 83 answers left, 4 guesses at most, 2.61 on average."
    label = seen.page.get_attribute("#play .board li:first-child .tiles", "aria-label")
    assert label == "salet: grey, yellow, grey, yellow, grey"


def test_long_words_on_a_phone(browser: Any, tmp_path: Path) -> None:
    words = ("abcdefghij", "bbcdefghij", "cbcdefghij", "illustrate", "understand")
    path = tmp_path / "long.html"
    path.write_text(export_html(word_tree(guesses=words, answers=words)), encoding="utf-8")
    seen = Visit(browser, path.as_uri(), viewport={"width": 320, "height": 700})
    for view in VIEWS:
        seen.go(f"#{view}/twenty-normal")
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 320, view
    assert seen.told == []
    seen.context.close()


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone(visit: Any, width: int) -> None:
    seen = visit(viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    for fragment in (
        "#play/classic-normal/BYBYB/BYGYB",
        "#play/classic-normal/BYBYB/BYGYB/GBBBG/GGGGG",
        "#play/mastermind-normal/1,1",
        "#tree/classic-normal/BYBYB/BYGYB/GBBBG/GGGGG",
        "#numbers/classic-normal",
        "#debrief/classic-normal/salet/crony/brain/crane",
    ):
        seen.go(fragment)
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width, fragment
    seen.go("#play/classic-normal")
    for place, taps in enumerate((0, 1, 0, 1, 0)):
        for _ in range(taps):
            seen.page.tap(f"#mark-{place}")
    seen.page.tap("#next")
    assert seen.fragment == "#play/classic-normal/BYBYB"
    box = seen.page.locator("#mark-0").bounding_box()
    assert min(box["width"], box["height"]) >= 44


def test_light_dark_and_colour_blind(visit: Any) -> None:
    def background() -> int:
        colour = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")))

    seen = visit("one", color_scheme="dark")
    assert background() < 150
    seen.page.click("#theme")  # from auto to light
    assert background() > 600
    seen.page.emulate_media(color_scheme="light")
    seen.page.click("#theme")
    assert background() < 150
    before = seen.page.evaluate("getComputedStyle(document.querySelector('#mark-0')).backgroundColor")
    seen.colour("G")
    green = seen.page.evaluate("getComputedStyle(document.querySelector('#mark-0')).backgroundColor")
    seen.page.click("#palette")
    orange = seen.page.evaluate("getComputedStyle(document.querySelector('#mark-0')).backgroundColor")
    assert len({before, green, orange}) == 3
    seen.page.reload()
    assert seen.page.get_attribute("html", "data-theme") == "dark"
    assert seen.page.get_attribute("#palette", "aria-pressed") == "true"


@pytest.mark.parametrize("palette", ["plain", "contrast"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible_to_all(visit: Any, theme: str, palette: str) -> None:
    """Nothing that axe, an audit of accessibility, complains of: contrast, names, roles, order."""
    seen = visit(color_scheme=theme)
    if palette == "contrast":
        seen.page.click("#palette")
    seen.page.evaluate(axe_api.AXE_SCRIPT)
    for fragment in (
        "#play/twenty-normal/YBBBY",
        "#play/twenty-normal/YBBBY/GBBYY/GGGGG",
        "#play/mastermind-normal/1,1",
        "#tree/twenty-normal/YBBBY/GBBYY/GGGGG",
        "#numbers/twenty-normal",
        "#debrief/twenty-normal/salet/wreck",
    ):
        seen.go(fragment)
        found = seen.page.evaluate("axe.run().then((found) => found.violations)")
        told = [(one["id"], [node["html"][:90] for node in one["nodes"]]) for one in found]
        assert told == [], fragment


def test_markup_in_names_stays_text(browser: Any, tmp_path: Path) -> None:
    odd = replace(TWENTY, game=replace(TWENTY.game, name="<img src=x onerror=alert(1)>"))
    path = tmp_path / "<b>.html"
    path.write_text(export_html(odd, odd), encoding="utf-8")
    seen = Visit(browser, path.as_uri())
    for view in VIEWS:
        seen.page.click(f"#tab-{view}")
    assert seen.page.locator("main img").count() == seen.page.locator("main b img").count() == 0
    assert "<img src=x onerror=alert(1)>" in seen.text("#trees")
    assert seen.told == []
    seen.context.close()
