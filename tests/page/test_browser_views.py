"""The page of games in a real browser: links, its other views, and how people use it: by keys, on a phone, in the dark,
heard by a screen reader."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_util import ROOT
from page_util import LATE, Visit, audited, files, visit
from trees_util import word_tree

from optimal.advice.debrief import debrief
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.presets import titled
from optimal.games.rules import Rules
from optimal.page.trees import export_html
from optimal.search.solve import solve
from optimal.show.words import percent
from optimal.trees.file import load_tree

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `test`")
axe_api = pytest.importorskip("axe_playwright_python.base", reason="needs axe-playwright-python, of the extra `test`")

__all__ = ["files", "visit"]  # fixtures, used by name
pytestmark = pytest.mark.slow  # tests/page/test_smoke.py has one test of each page for every run

CLASSIC = load_tree("classic-normal")
TWENTY = word_tree()
VIEWS = ("play", "tree", "numbers", "debrief")


# Links


ASTRAY = [
    ("#play/classic-normal/salet=BYBYB/beard=GGBBB", 2, "doesn't fit this game"),
    ("#play/gone/salet=BYBYB", 1, ""),
    ("#play/%E0%A4%A/salet=BYBYB", 1, ""),
    ("#play/classic-normal/crane=GYGGG", 1, "doesn't fit this game"),
    ("#play/classic-normal/zzzzz=BBBBB", 1, "zzzzz is not a word"),
    ("#play/classic-normal/rules=hard/salet=BYBYB/fuzzy=BBBBB", 2, "fuzzy is not allowed by hard rules"),
]


def test_links_that_lead_astray(visit: Any) -> None:
    seen = visit()
    for fragment, rows, told in ASTRAY:
        seen.go(fragment)
        assert seen.page.locator("#play .board li").count() == rows, fragment
        problem = seen.text("#problem")
        assert (told in problem, bool(problem)) == (True, bool(told)), fragment


def test_a_link_of_another_page(browser: Any, tmp_path: Path) -> None:
    """The list by its game and rules; along the tree, as far as its guesses are the same. A reply alone is to none."""
    page = tmp_path / "page.html"
    page.write_text(export_html("classic-hard-within5"), encoding="utf-8")
    root = load_tree("classic-hard-within5").root.guess
    seen = Visit(browser, page.as_uri())
    for view, step, rows, told in (
        ("play", "salet=BYBYB", 2, ""),
        ("play", "BYBYB", 1, "doesn't fit this game"),
        ("tree", f"{root}=BYBYB", 2, ""),
        ("tree", "salet=BYBYB", 1, "isn't of this tree"),
    ):
        seen.go(f"#{view}/classic-hard/{step}")
        assert seen.page.locator(f"#{view} .board li").count() == rows
        problem = seen.text(f"#{view} .problem")
        assert (told in problem, bool(problem)) == (True, bool(told)), step
        told = (
            f"This page has no list called classic-hard. It shows {titled('classic')}, hard rules, 5 guesses instead."
        )
        assert seen.text("#astray") == told
    seen.end()


def test_a_letter_that_is_written_otherwise_by_rule(browser: Any, tmp_path: Path) -> None:
    """A list may have ς where others write σ: the tree's own guess is not spelled anew."""
    words = ["ςαλας", "ςαλαμ", "πςλας"]
    page, tree = tmp_path / "page.html", solve(Game.from_words(words, words)).tree
    assert tree is not None
    page.write_text(export_html(tree), encoding="utf-8")
    seen = Visit(browser, page.as_uri())
    feedback, guess = WordFeedback(5), tree.root.guess
    seen.reply(feedback.format(feedback.score(guess, next(word for word in words if word != guess))))
    assert seen.page.locator("#play .board li").count() == 2
    seen.end()


#: What a tree claims, and whether the page says so: at first, of the first guess, and as the proof.
BEST, NOT_SAID, ANY = (
    "needs fewer guesses on average than salet",
    "it is not said to be the best",
    "no strategy with any first guess",
)
CLAIMS: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "within 6 guesses no other way", f"{BEST} within 6 guesses.", f"{ANY} is better, says"),
    ({"max_guesses": None}, "perfectly: no other way", f"{BEST}.", ANY),
    ({"objective": "worst", "value": (5, 7920), "bound": (5, 7920)}, "in fewer guesses at worst.", "Later on", ANY),
    ({"objective": "within:4", "value": (42, 7920), "bound": (42, 7920)}, NOT_SAID, "Later on", ANY),
    ({"openers": ("salet",)}, NOT_SAID, "Later on", "no strategy with this first guess is better"),
    ({"weights": (2,) * 2315, "weights_name": "file"}, "on average by weight.", "Later on", ANY),
    ({"weights": (0, *(2,) * 2314), "weights_name": "file"}, NOT_SAID, "Later on", ANY),
    ({"ledgers": ("all.xz",)}, NOT_SAID, "Later on", f"{ANY} is better, given bounds from all.xz, says"),
    (
        {"status": "FEASIBLE", "bound": (7900,), "openers": ("crane", "salet")},
        *(NOT_SAID, "Later on", "no strategy with one of 2 first guesses is below 7900"),
    ),
]


def test_it_says_no_more_than_is_proven(browser: Any, tmp_path: Path) -> None:
    trees = [replace(CLASSIC, **claim) for claim, *_ in CLAIMS]
    late = replace(word_tree(position=LATE.position), status="OPTIMAL")
    hard, pegs = replace(CLASSIC, rules=Rules.HARD), solve(Game.preset("mastermind:2x3", "ultra-hard")).tree
    assert pegs is not None
    (tmp_path / "claims.html").write_text(export_html(*trees, late, hard, pegs), encoding="utf-8")
    seen = Visit(browser, (tmp_path / "claims.html").as_uri())
    for number, (claim, intro, hint, proof) in enumerate(CLAIMS, 1):
        name = f"classic-normal-{number}".removesuffix("-1")
        seen.go(f"#play/{name}")
        assert intro in seen.text("#intro"), claim
        assert hint in seen.text("#advice"), claim
        seen.go(f"#numbers/{name}")
        assert proof in seen.text("#numbers .facts"), claim
    seen.go("#numbers/twenty-normal")
    assert "after salet within 6 guesses no other way finds the 3 answers" in seen.text("#intro")
    assert "no strategy with any next guess is better" in seen.text("#numbers .facts")
    seen.go("#play/classic-hard")
    assert "perfectly by hard rules: within 6 guesses no other way" in seen.text("#intro")
    seen.go("#play/mastermind:2x3-ultra-hard")
    assert "perfectly by ultra-hard rules: no other way" in seen.text("#intro")
    seen.go("#debrief/classic-normal-6/salet/crane")
    assert "Answers count by their weights." in seen.text("#debrief")
    seen.end()


# The other views


def test_finding_a_word_in_the_tree(visit: Any) -> None:
    seen = visit("one", viewport={"width": 390, "height": 600})
    seen.page.click("#tab-tree")
    seen.page.fill("#search", " Crane ")
    seen.press("Enter")
    assert seen.text("#found").startswith("crane is found by guess 4.")
    assert seen.fragment == "#tree/classic-normal/salet=BYBYB/beard=BYGYB/cezve=GBBBG/crane=GGGGG"
    assert seen.text(".leaves .hit b") == "crane"
    sync_api.expect(seen.page.locator(".leaves .hit")).to_be_in_viewport(ratio=1)
    seen.page.fill("#search", "salet")
    seen.press("Enter")
    assert seen.text("#search-problem") == "salet is not one of the 2315 answers of this tree."


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
    # Of a tree that begins after a guess: by the guesses of the game.
    seen = visit("odd")
    seen.go(f"#tree/{LATE.game.name}-normal")
    seen.page.fill("#search", LATE.answers[0])
    seen.press("Enter")
    by = len(LATE.play(LATE.answers[0])) + 1
    assert seen.text("#found").startswith(f"{LATE.answers[0]} is found by guess {by}.")
    seen.page.click("#tab-numbers")
    assert seen.text(".bars .marked th") == str(by)
    assert seen.page.locator(".bars tbody th").all_inner_texts() == [str(depth + 1) for depth in LATE.distribution]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("normal", "salet crony brain crane"),
        ("normal", "salet crony brain crate trace crimp crane"),
        ("normal", "salet might night sight right fight"),  # won by the last guess of a trap
        ("normal", "salet light might night sight right fight"),  # and lost
        ("hard", "least might fight night sight right"),
        ("hard", "reast match batch hatch latch patch catch"),
    ],
)
def test_a_debrief(visit: Any, rules: str, words: str) -> None:
    """Skill, luck and their sum are those of `optimal debrief`, within the guesses of the game."""
    guesses = words.split()[:6]
    seen = visit("one")
    seen.page.click("#tab-debrief")
    if rules != "normal":
        seen.page.click(f"#rules-{rules}")
    seen.page.fill("#game", words.replace(" ", ", 2) ", 1))
    seen.page.click("#debrief button")
    seen.settled()
    told = debrief(Game.preset("classic").with_rules(rules, 6), words.split()[-1], guesses)
    cards = seen.page.locator(".turns > li").all()
    for card, turn in zip(cards, told.turns, strict=True):
        found = {name: card.locator(f".{name} b").all_inner_texts() for name in ("skill", "luck")}
        wanted = {"skill": turn.skill_score, "luck": turn.luck_score}
        assert found == {name: [] if score is None else [str(score)] for name, score in wanted.items()}, turn.guess
        text = card.inner_text()
        if turn.missed:
            wins = percent(1 - turn.missed / turn.candidates_before)
            assert f"a chance of {wins} to win" in text
        if turn.grade and (turn.skill_loss or turn.chance_lost):
            assert turn.grade in text.lower()
        elif turn.grade:
            assert "best guess: " in text
        if turn.skill_loss and not turn.missed:
            assert turn.expected is not None
            assert turn.best_expected is not None
            assert f"{float(turn.expected):.2f} guesses expected from here on" in text
            assert f"{float(turn.best_expected):.2f} with {turn.best_guess}" in text
    verdict = seen.text("#verdict")
    assert verdict.startswith(f"{'S' if told.solved else 'Not s'}olved in {len(guesses)} guesses")
    if told.luck is not None and told.skill_loss is not None:
        assert f"{float(told.skill_loss):.2f} thrown away" in verdict
        assert f"{abs(float(told.luck)):.2f} by {'' if told.luck >= 0 else 'bad '}luck" in verdict


def test_a_debrief_that_is_stopped(visit: Any) -> None:
    """Of an answer that is in no list: nobody could know it."""
    seen = visit("one")
    seen.go("#debrief/classic-normal/rules=hard/fuzzy/carny")
    seen.page.click("#stop")
    assert "Stopped: what some guesses were worth is not known yet." in seen.text("#debrief")
    assert "it was the answer: by the list nobody could know." in seen.text(".turns li:nth-child(2)")
    assert seen.page.locator(".skill, #bar").count() == 0


GRID = "Wordle 1,234 4/6*\n\n⬜🟨⬜🟨⬜\n⬛🟦🟧🟦⬛\n🟩⬛⬛⬛🟩\n🟩🟩🟩🟩🟩\n"


def test_the_words_that_fit_a_share_grid(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#tab-debrief")
    seen.page.fill("#game", GRID)
    seen.page.click("#debrief button")
    assert seen.fragment == "#debrief/classic-normal/rules=hard/=BYBYB/=BYGYB/=GBBBG/=GGGGG"
    # Of answers: those to which each row has a word that brings it.
    game, parse, score = Game.preset("classic"), WordFeedback(5).parse, WordFeedback(5).score
    rows = [parse(row) for row in ("BYBYB", "BYGYB", "GBBBG")]
    matrix = np.asarray(game.matrix)
    brought = [[(matrix[:, i] == row).sum() for row in rows] for i in range(len(game.answers))]
    fit = [answer for answer, counts in zip(game.answers, brought, strict=True) if min(counts) > 0]
    sync_api.expect(seen.page.locator("#grid-found b")).to_have_text(f"{len(fit)} answers fit:")
    assert "Whether these keep to hard rules together is not looked at." in seen.text("#grid-found")
    # Rows that are alike are of two words; where there is but one it was guessed twice.
    twice = [counts[2] for counts in brought if counts[2] > 0]
    seen.go("#debrief/classic-normal/=GBBBG/=GBBBG/=GGGGG")
    sync_api.expect(seen.page.locator("#grid-found b")).to_have_text(f"{len(twice)} answers fit:")
    told = f"The last {twice.count(1)} of these fit only where a word was guessed twice."
    assert told in seen.text("#grid-found")
    seen.go("#debrief/classic-normal/china=GBBGY/=GBBGY/crane=GGGGG")
    assert seen.text("#grid-found") == "Guess 2, no other word brings it:\nCHINA"
    seen.page.click("#grid-found button")
    assert seen.page.get_attribute("#look", "href") == "#debrief/classic-normal/china/china/crane"
    seen.go("#debrief/classic-normal/rules=hard/=BYBYB/=BYGYB/=GBBBG/=GGGGG")
    # With words: those that fit them, too.
    for number, word in enumerate(("salet", "beard")):
        seen.page.fill(f"#row-{number}", word)
        seen.press("Tab")
        seen.settled()
    left = [answer for answer in fit if [score(word, answer) for word in ("salet", "beard")] == rows[:2]]
    sync_api.expect(seen.page.locator("#grid-found b")).to_have_text(f"{len(left)} answers fit:")
    assert [text.lower() for text in seen.page.locator("#grid-found button").all_inner_texts()] == left
    # With the answer: the guesses that bring the row.
    seen.page.click("#grid-found button:has-text('crane')")
    assert seen.text("#fit-2") == f"{sum(score(word, 'crane') == rows[2] for word in game.guesses)} words fit"
    seen.page.click("#grid-found button:has-text('cezve')")
    seen.page.click("#look")
    assert seen.fragment == "#debrief/classic-normal/rules=hard/salet/beard/cezve/crane"
    seen.go("#debrief/classic-normal" + "/=BBBBB" * 7 + "/=GGGGG")
    assert seen.text("#game-problem") == "8 rows: this game ends after 6."
    # Words beside the squares are those of the rows.
    seen.page.fill("#game", "Wordle 9\nsalet ⬜🟨⬜🟨⬜\nBeard 🟨🟨🟩🟩⬜\n🟨🟩🟩🟩🟩")
    seen.page.click("#debrief button")
    assert seen.fragment == "#debrief/classic-normal/salet=BYBYB/beard=YYGGB/=YGGGG"
    sync_api.expect(seen.page.locator("#grid-found")).to_have_text(
        "No word can bring row 3: one yellow letter beside green ones."
    )


def test_a_game_that_was_not_solved(visit: Any) -> None:
    """The answer that is told in brackets is no guess; a grid in parts is not taken for a whole one."""
    seen = visit("one")
    marks = [WordFeedback(5).pretty(WordFeedback(5).score(guess, "crony")) for guess in ("salet", "round")]
    grid = "\n".join(marks)

    def look(text: str) -> None:
        seen.page.click("#tab-debrief")
        seen.page.fill("#game", text)
        seen.page.click("#debrief button[type=submit]")

    for typed, problem in (
        (f"Wordle 9 X/6\n{grid}", "The heading counts X of 6, but there are 2 rows and no solution: is"),
        (f"Wordle 9 3/6\n{grid}\n🟩🟩🟩🟩🟩\n{grid}", "The heading counts 3 of 6, but there are 5 rows"),
        (f"🟥🟥🟥🟥🟥\n{grid}", "Row 1 of the grid has 0 marks"),
        ("01000 / 22222", "Type your guesses first, or paste a grid of squares."),
    ):
        look(typed)
        assert seen.text("#game-problem").startswith(problem)
    look(f"salet, round\n{grid}")
    codes = [WordFeedback(5).format(WordFeedback(5).parse(row)) for row in marks]
    assert seen.fragment == f"#debrief/classic-normal/salet={codes[0]}/round={codes[1]}"
    seen.page.fill("#row-2", "crony")
    seen.press("Tab")
    seen.page.click("#look")
    assert seen.fragment == "#debrief/classic-normal/salet/round/(crony)"
    look("salet round (crony")
    seen.settled()
    told = debrief("classic", "crony", ["salet", "round"])
    assert (seen.text("#verdict").startswith("Not solved in 2 guesses"), told.solved) == (True, False)
    assert seen.page.locator(".skill b").all_inner_texts() == [str(turn.skill_score) for turn in told.turns]
    look("salet, round ( crony )")
    assert seen.fragment == "#debrief/classic-normal/salet/round/(crony)"


def test_a_word_of_the_letters_of_colours(visit: Any) -> None:
    """It is no row of a grid where it stands among other words."""
    seen = visit("one")
    seen.page.select_option("#trees", label="Your own list…")
    seen.page.fill("#own-words", "bygg berg mark slut")
    seen.page.click("#own-use")
    seen.page.click("#tab-debrief")
    for typed, words in (
        ("mark\nbygg", "mark/bygg"),
        ("mark\nbyyb\nberg\ngggg", "mark=BYYB/berg=GGGG"),
        ("BYGG\nG G G G", "=BYGG/=GGGG"),
    ):
        seen.page.fill("#game", typed)
        seen.page.click("#debrief button[type=submit]")
        assert seen.fragment.split("/", 2)[2] == words


def test_a_finished_game_is_copied_and_looked_back_on(visit: Any) -> None:
    seen = visit("one", permissions=["clipboard-read", "clipboard-write"])
    seen.go("#play/classic-normal/salet=BYBYB/beard=BYGYB/cezve=GBBBG/crane=GGGGG")
    for rows in ("⬛🟨⬛🟨⬛\n⬛🟨🟩🟨⬛\n🟩⬛⬛⬛🟩\n🟩🟩🟩🟩🟩", "⬛🟦⬛🟦⬛\n⬛🟦🟧🟦⬛\n🟧⬛⬛⬛🟧\n🟧🟧🟧🟧🟧"):
        seen.page.click("#copy-grid")
        sync_api.expect(seen.page.locator("#copy-grid")).to_have_text("Copied")
        assert seen.page.evaluate("navigator.clipboard.readText()") == f"Wordle classic 4/6\n\n{rows}"
        seen.page.click("#palette")
    assert seen.page.get_attribute("#share .grid", "aria-label").endswith("green, green, green, green, green")
    assert seen.page.locator("#copy-link").count() == 0  # a file on this disk is no link
    seen.page.click("text=Debrief >> nth=1")
    assert seen.text("#verdict").startswith("Solved in 4 guesses")


# How people use it


def test_by_keyboard_alone(visit: Any) -> None:
    seen = visit()
    seen.press(*"12121", "Enter")  # nothing has the focus yet
    assert (seen.fragment, seen.focus) == ("#play/classic-normal/salet=BYBYB", "mark-0")
    seen.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Backspace")
    assert seen.focus == "mark-1"
    seen.page.focus("#undo")
    seen.press("Enter")
    assert seen.fragment == "#play/classic-normal"
    seen.page.focus("#mark-0")
    for keys in ("12121", "12321", "31113", "33333"):
        seen.press(*keys, "Enter")
    assert (seen.text(".solved"), seen.focus) == ("Solved in 4 guesses.", "copy-grid")
    # Every control is reached by Tab, and seen where it has the focus.
    seen.go("#play/classic-normal/salet=BYBYB")
    seen.page.reload()
    seen.advice()
    reached = []
    for _ in range(24):
        seen.press("Tab")
        reached.append(seen.focus)
        assert seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid" or not reached[-1]
    marks = [f"mark-{place}" for place in range(5)]
    wanted = ["palette", "theme", "trees", "tab-play", "rules-normal", "turn-0", *marks, "own"]
    assert reached[: len(wanted) + 4] == [*wanted, "next", "right", "undo", "restart"]
    assert {"pick-beard", "candidates-summary", "others-summary"} < set(reached)
    seen.page.focus("#tab-play")
    for key, view in [("ArrowRight", "tree"), ("End", "debrief"), ("ArrowRight", "play")]:
        seen.press(key)
        assert (seen.focus, seen.page.is_visible(f"#{view}")) == (f"tab-{view}", True)


def test_what_a_screen_reader_says(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#mark-1")
    assert seen.page.get_attribute("#mark-1", "aria-label") == "a, letter 2: yellow"
    assert seen.text("#said") == "a yellow"
    seen.colour("BYBYB")
    seen.page.click("#next")
    game, code = Game.preset("classic"), WordFeedback(5).parse("BYBYB")
    others = sum(WordFeedback(5).score("salet", word) == code for word in set(game.guesses) - set(game.answers))
    told = f"Guess 2: beard. 83 likely answers left, 4 guesses at most, 2.61 on average, {others} other words fit."
    assert seen.text("#said") == told
    label = seen.page.get_attribute("#play .board li:first-child .tiles", "aria-label")
    assert label == "salet: grey, yellow, grey, yellow, grey"


@pytest.mark.parametrize(("width", "size"), [(320, 1), (390, 1), (320, 2)])
def test_on_a_phone(visit: Any, width: int, size: int) -> None:
    """Nothing is cut off; of texts twice as large tables alone, which scroll."""
    seen = visit(viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    for fragment in (
        "#play/classic-normal/salet=BYBYB/beard=BYGYB",
        "#play/classic-normal/salet=BYBYB/beard=BYGYB/cezve=GBBBG/crane=GGGGG",
        "#debrief/classic-normal/salet=BYBYB/=GGGGG",
        "#play/mastermind-normal/1123=1,1",
        "#tree/classic-normal/salet=BYBYB/beard=BYGYB/cezve=GBBBG/crane=GGGGG",
        "#numbers/classic-normal",
        "#debrief/classic-normal/salet/crony/brain/crane",
    ):
        seen.go(fragment)
        seen.page.evaluate(f"document.documentElement.style.fontSize = '{size}00%'")
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width, fragment
    seen.go("#play/classic-normal")
    for place in (1, 3):
        seen.page.tap(f"#mark-{place}")
    seen.page.tap("#next")
    assert seen.fragment == "#play/classic-normal/salet=BYBYB"
    box = seen.page.locator("#mark-0").bounding_box()
    assert min(box["width"], box["height"]) >= 44


def test_light_dark_and_colour_blind(visit: Any) -> None:
    def background(place: str = "body") -> tuple[int, ...]:
        colour = seen.page.evaluate(f"getComputedStyle(document.querySelector('{place}')).backgroundColor")
        return tuple(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")))

    seen = visit("one", color_scheme="dark")
    assert sum(background()) < 150
    seen.page.click("#theme")  # from auto to light
    assert sum(background()) > 600
    seen.page.click("#theme")
    assert sum(background()) < 150
    colours = [background("#mark-0")]
    seen.colour("G")
    colours.append(background("#mark-0"))
    seen.page.click("#palette")
    colours.append(background("#mark-0"))
    assert len(set(colours)) == 3
    seen.page.reload()
    assert seen.page.get_attribute("html", "data-theme") == "dark"
    assert seen.page.get_attribute("#palette", "aria-pressed") == "true"
    # Black pegs are black in the dark, too, and white ones white; what they mean is said.
    seen = visit(color_scheme="dark")
    seen.go("#play/mastermind-normal")
    assert (background(".replies i.black"), background(".replies i.white")) == ((0, 0, 0), (255, 255, 255))
    assert "Black is a colour in its place, white one in another." in seen.text("#how")


@pytest.mark.parametrize(
    ("theme", "palette", "width", "rules"),
    [
        ("light", "plain", 1280, ""),
        ("light", "contrast", 390, ""),
        # In the dark only colours are others.
        ("dark", "plain", 390, "'color-contrast'"),
        ("dark", "contrast", 1280, "'color-contrast'"),
    ],
)
def test_accessible_to_all(visit: Any, theme: str, palette: str, width: int, rules: str) -> None:
    seen = visit(color_scheme=theme, viewport={"width": width, "height": 800})
    if palette == "contrast":
        seen.page.click("#palette")
    for fragment in (
        "#play/twenty-normal/range=YBBBY",
        "#play/twenty-normal/range=YBBBY/wooer=GBBYY/wreck=GGGGG",
        "#play/mastermind-normal/1123=1,1",
        "#play/twenty-normal/rules=hard/salet=BGBBB",
        "#tree/twenty-normal/range=YBBBY/wooer=GBBYY/wreck=GGGGG",
        "#numbers/twenty-normal",
        "#debrief/twenty-normal/salet/wreck",
        "#debrief/classic-normal/salet=BYBYB/=BYGYB/=GGGGG",
        "#play/*",
        "#tree/*",
    ):
        seen.go(fragment)
        assert audited(seen.page, axe_api.AXE_SCRIPT, rules) == [], fragment


@pytest.mark.parametrize("damage", [lambda data: data[:999], lambda data: data[:4000] + "Abcd" + data[4004:]])
def test_a_damaged_page_says_so(browser: Any, tmp_path: Path, damage: Any) -> None:
    page = export_html("classic-normal")
    start = page.index(">", page.index("data-openers")) + 1
    end = page.index("<", start)
    engine = page.index(">", page.index('"text/wasm"')) + 5000
    broken = page[:engine] + ("A" if page[engine] == "B" else "B") + page[engine + 1 :]
    cut = page[:engine] + page[engine + 4000 :]
    for text in (page[:start] + damage(page[start:end]) + page[end:], page[:-3000], broken, cut):  # and cut off
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        seen = Visit(browser, (tmp_path / "page.html").as_uri())
        sync_api.expect(seen.page.locator("#damaged")).to_contain_text("This page is damaged")
        if text == cut:
            seen.go("#play/classic-normal/crane=BYBBB")
            sync_api.expect(seen.page.locator("#lacks")).to_contain_text("No exact advice here: the page is damaged.")
        seen.context.close()


def test_markup_in_names_stays_text(browser: Any, tmp_path: Path) -> None:
    odd = replace(TWENTY, game=replace(TWENTY.game, name="<img src=x onerror=alert(1)>"))
    path = tmp_path / "<b>.html"
    path.write_text(export_html(odd, odd), encoding="utf-8")
    seen = Visit(browser, path.as_uri())
    for view in VIEWS:
        seen.page.click(f"#tab-{view}")
    assert seen.page.locator("main img").count() == seen.page.locator("main b img").count() == 0
    assert "<img src=x onerror=alert(1)>" in seen.text("#trees")
    seen.end()


def test_the_pictures_show_the_page_as_it_is(browser: Any, tmp_path: Path) -> None:
    """Where this fails `python tools/pictures.py` makes them anew."""
    images = pytest.importorskip("PIL.Image", reason="needs Pillow, which matplotlib brings")
    runpy.run_path(str(ROOT / "tools" / "pictures.py"))["draw"](browser, tmp_path)
    for name in ("page.png", "page-debrief.png"):
        old, new = (images.open(folder / name) for folder in (ROOT / "docs", tmp_path))
        assert (old.size, old.text) == (new.size, new.text)
