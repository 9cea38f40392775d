"""The page in a real browser: played by clicks, by keys, on a phone, in the dark, and heard by a screen reader."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_util import Shown, audited
from trees_util import labelled_tree, matrix_score, matrix_tree, word_tree

from optimal.advice.analysis import analyse
from optimal.advice.debrief import debrief
from optimal.advice.subgame import solve_position
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.tiers import mistyped
from optimal.page.trees import export_html
from optimal.show.words import percent
from optimal.trees.file import load_tree

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `test`")
axe_api = pytest.importorskip("axe_playwright_python.base", reason="needs axe-playwright-python, of the extra `test`")

pytestmark = pytest.mark.slow  # tests/page/test_smoke.py has one test of each page for every run

CLASSIC = load_tree("classic-normal")
MASTERMIND = load_tree("mastermind-normal")
TWENTY = word_tree()
LATE = word_tree(position=(("salet", WordFeedback(5).parse("BGBBB")),), weights=(3, 0, 2))
MATRIX = matrix_tree()
COLOURS = {"B": "grey", "Y": "yellow", "G": "green"}
VIEWS = ("play", "tree", "numbers", "debrief")
#: In the order of the page's menu.
TREES = {"classic-normal": CLASSIC, "mastermind-normal": MASTERMIND, "twenty-normal": TWENTY}
OTHERS = {"twenty-normal": LATE, "a matrix-normal": MATRIX, "labels-normal": labelled_tree()}


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


class Visit(Shown):
    """A page of games, and what people do there."""

    def go(self, fragment: str) -> None:
        self.page.goto(self.address + fragment)

    def row(self) -> str:
        """The word that is played next."""
        return str(self.page.text_content("#row")).lower()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def colour(self, marks: str) -> None:
        """Tap the tiles of the current guess until they have these colours."""
        order = list(COLOURS.values())
        before = self.page.locator("#row .tile").evaluate_all("(tiles) => tiles.map((tile) => tile.classList[1])")
        for place, mark in enumerate(marks):
            for _ in range((order.index(COLOURS[mark]) - order.index(before[place])) % len(order)):
                self.page.click(f"#mark-{place}")

    def reply(self, marks: str) -> None:
        """Colour the tiles and ask for the next guess; where all are grey it asks whether they are."""
        address = self.fragment
        self.colour(marks)
        self.page.click("#next")
        if self.fragment == address and "All of them grey?" in self.text("#problem"):
            self.page.click("#next")

    def advice(self) -> dict[str, str]:
        """What each word of the table is worth, once all is exact: the total and the candidates."""
        self.page.wait_for_selector(".advice")
        self.settled()
        rows = self.page.locator(".advice tbody tr").all()
        return {
            str(row.get_attribute("data-word")): str(row.locator("td").first.get_attribute("title")) for row in rows
        }

    def settled(self) -> None:
        """Wait until nothing is searched any more."""
        sync_api.expect(self.page.locator("#bar")).to_have_count(0)

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
        one.end()


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


def test_answers_by_clicks(visit: Any) -> None:
    seen = visit("one")
    for answer in [*random.Random(14).sample(CLASSIC.answers, 2), "crane", "eerie"]:
        seen.go("#play/classic-normal")
        left = set(CLASSIC.answers)
        turns = CLASSIC.play(answer)
        for guess, feedback in turns:
            assert (seen.row(), seen.text("#play .figures div:first-child dd")) == (guess, str(len(left)))
            left = {word for word in left if WordFeedback(5).score(guess, word) == WordFeedback(5).parse(feedback)}
            seen.reply(feedback)
        assert seen.text(".solved") == f"Solved in {len(turns)} guesses."
        assert seen.text("#share").startswith(f"Wordle classic {len(turns)}/6")
        assert seen.page.get_attribute("#share .grid", "aria-label").endswith("green, green, green, green, green")


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
    assert [seen.page.get_attribute(f"#mark-{place}", "class") for place in range(5)] == ["tile green"] * 5
    seen.page.go_back()
    assert seen.text(".solved") == "Solved in 2 guesses."
    seen.page.click("#restart")
    assert seen.text("#restart") == "Really restart?"
    assert seen.fragment == "#play/classic-normal/BYBYB/GGGGG"
    seen.page.click("#restart")
    assert seen.fragment == "#play/classic-normal"
    assert seen.page.locator("#play .board li").count() == 1


@pytest.mark.parametrize(
    ("steps", "guess", "marks"),
    [([], "salet", "GYGGB"), (["salet=BYBYB"], "beard", "YGGGG"), (["salet=BBBBB", "wimpy=BBBGB"], "frown", "BBBBY")],
)
def test_colours_that_fit_no_answer(visit: Any, steps: list[str], guess: str, marks: str) -> None:
    """It names the colour that is wrong most likely, as the terminal does."""
    seen = visit("one")
    seen.go("/".join(["#play/classic-normal", *steps]))
    before = seen.fragment
    seen.press(*guess)
    seen.colour(marks)
    seen.page.click("#next")
    told = seen.text("#problem")
    assert told.startswith("No word fits these colours. ")
    assert (seen.text("#said"), seen.fragment) == (told, before)
    game, rule = Game.preset("classic"), WordFeedback(5)
    turns = [(word, rule.parse(reply)) for word, reply in [*(step.split("=") for step in steps), (guess, marks)]]
    slip = re.search(
        r"turn (\d) may be mistyped: \w+=(\w+) would leave (\d+) words?",
        mistyped(rule, turns, game.answers, game.others),
    )
    assert slip is not None
    turn, right = int(slip[1]), slip[2]
    (place,) = [i for i, mark in enumerate(right) if mark != rule.format(turns[turn - 1][1])[i]]
    assert f"Letter {place + 1}" in told
    assert f"may be {COLOURS[right[place]]}: that would leave {slip[3]} word" in told
    assert (f"of guess {turn}, " in told) == (turn < len(turns))


def test_an_earlier_turn_is_changed(visit: Any) -> None:
    """A wrong colour costs one tap: the turns after it follow, as far as they still fit."""
    seen = visit("one", viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    whole = "#play/classic-normal/salet=BYBBY/crimp=BYBBB/thump=YBBBB"
    seen.go(whole)
    seen.page.tap("#turn-0")
    assert (seen.row(), seen.text("#next")) == ("salet", "Go on")
    assert [row.replace("\n", "") for row in seen.page.locator(".later").all_inner_texts()] == ["CRIMP", "THUMP"]
    seen.page.tap("#next")
    assert seen.fragment == "#play/classic-normal/BYBBY/crimp=BYBBB/thump=YBBBB"
    seen.page.tap("#turn-1")
    seen.page.tap("#mark-0")  # a yellow c
    seen.page.tap("#next")
    assert seen.fragment == "#play/classic-normal/BYBBY/crimp=YYBBB/thump=YBBBB"
    seen.page.tap("#turn-0")
    seen.reply("BYBBB")  # without a t, which thump has
    assert seen.fragment == "#play/classic-normal/BYBBB/crimp=YYBBB"
    assert seen.text("#problem") == "THUMP and what came after it don't fit any more."
    # Undo gives the row back, and another list for such words keeps the game.
    seen.page.tap("#undo")
    assert (seen.row(), seen.page.get_attribute("#mark-0", "class")) == ("crimp", "tile yellow")
    seen.page.tap("#next")
    seen.go("#play/classic-normal/salet=BYBBB/crimp=YYBBB")
    seen.page.select_option("#trees", label="Your own list…")
    seen.page.fill("#own-words", "salet crimp crony carry")
    seen.page.tap("#own-use")
    seen.go("#play/classic-normal/salet=BYBBB/crimp=YYBBB")
    seen.page.select_option("#trees", label="Your own list…")
    assert seen.fragment == "#play/*/salet=BYBBB/crimp=YYBBB"


def test_long_links_and_texts(visit: Any) -> None:
    """What is too long to be meant is cut, or refused."""
    seen = visit("one")
    seen.go("#play/classic-normal/" + "BBBBB/" * 30000)
    assert "goes on with a reply that no word of this list fits" in seen.text("#problem")
    seen.go("#debrief/classic-normal/" + "crane/" * 30000)
    assert seen.text("#game-problem").endswith("guesses: this game ends after 6.")
    seen.go("#play/*")
    seen.page.fill("#own-words", "crane " * 200000)
    seen.page.click("#own-use")
    assert seen.text("#own-problem").startswith("That is a text of 1200000 characters")


def test_the_answer_is_another_word(visit: Any) -> None:
    """No likely answer fits any more: the game goes on with the other words that do."""
    seen = visit("one")
    seen.reply("GGGGB")
    assert seen.fragment == "#play/classic-normal/salet=GGGGB"
    assert [seen.text(f"#play .figures div:nth-child({number}) dd") for number in (1, 4)] == ["0", "2"]
    assert seen.advice() == {"salep": "3/2", "sales": "3/2"}
    assert "No likely answer fits; the answer is one of the other words." in seen.text("#advice")
    seen.reply("GGGGB")
    seen.page.click("#right")
    assert seen.text(".solved") == "Solved in 3 guesses."
    seen.go("#play/classic-normal")
    seen.page.click("#right")
    assert (seen.text(".solved"), seen.fragment) == ("Solved in 1 guess.", "#play/classic-normal/salet=GGGGG")


# Off the tree


@pytest.mark.parametrize("rules", list(Rules))
def test_the_best_words_and_one_of_ones_own(visit: Any, rules: Rules) -> None:
    seen = visit("one")
    seen.page.click(f"#rules-{rules}")
    seen.press(*"crane", *"12111", "Enter")
    position = "crane=BYBBB"
    assert seen.fragment == f"#play/classic-normal/{'' if rules is Rules.NORMAL else f'rules={rules}/'}{position}"
    best = seen.advice()
    assert seen.text(".advice caption") == "Best next words"
    # The best of all words, not of the likeliest ones.
    game = Game.preset("classic", rules)
    exact = analyse(game, position, top=6)
    totals, count = {one.guess: one.total for one in exact.guesses}, len(exact.candidates)
    assert best == {word: f"{totals[word]}/{count}" for word in best}
    assert [int(text.partition("/")[0]) for text in best.values()] == list(totals.values())[:6]
    seen.press(*"sport")
    mine = solve_position(game, position, openers=["sport"]).total
    assert seen.advice() == {**best, "sport": f"{mine}/{count}"}
    assert seen.page.get_attribute("tr.marked", "data-word") == "sport"
    figures = seen.page.locator("#play .figures dd").all_inner_texts()
    assert (figures[0], figures[2]) == (str(count), f"{(exact.total or 0) / count:.2f}")
    assert "you can't lose" in seen.text("#risk")
    seen.press("Escape")
    assert seen.row() == next(iter(best))


def test_what_each_reply_would_leave(visit: Any) -> None:
    seen = visit("one")
    seen.go("#play/classic-normal/crane=BYBBB")
    seen.advice()
    seen.page.click("#splits-summary")
    score, parse = WordFeedback(5).score, WordFeedback(5).parse
    left = [answer for answer in CLASSIC.answers if score("crane", answer) == parse("BYBBB")]
    for word in ("", "sport"):  # the one suggested, then another
        seen.press(*word)
        sizes = Counter(score(seen.row(), answer) for answer in left)
        found = seen.page.locator(".splits b").all_inner_texts()
        assert [int(size) for size in found] == sorted(sizes.values(), reverse=True)


def test_a_word_that_is_not_allowed(visit: Any) -> None:
    seen = visit("one")
    seen.press(*"zzzzz", "Enter")
    assert seen.text("#problem") == "zzzzz is not a word of this list."
    assert (seen.text("#said").rstrip("\u00a0"), seen.fragment) == ("zzzzz is not a word of this list.", "")
    for rules, word, why in [
        ("hard", "sound", "it must have A, coloured in guess 1, salet."),
        ("hard", "toils", "letter 1 must be S, green in guess 1, salet."),
        ("ultra-hard", "slate", "it can't be the answer after the colours of guess 1, salet."),
    ]:
        seen.go(f"#play/classic-normal/rules={rules}/salet=GYBBB")
        seen.press(*word, "Enter")
        assert seen.text("#problem") == f"{word} is not allowed by {rules} rules: {why}"
        assert seen.page.locator("#play .board li").count() == 2
        seen.press("Backspace")
        assert seen.text("#problem") == ""
        seen.press("Escape")


#: Positions where not every candidate can be found any more, the figures, what is said of them, the best words.
CHANCES = [
    (
        "rules=hard/light=BGGGG/might=BGGGG",
        ["7", "57 %", "2.50"],
        "You can no longer be sure to win: at best 4 of 7 are found (proven)",
        "eight fight night right sight tight wight",
    ),
    (
        "rules=hard/light=BGGGG",
        ["8", "62 %", "3.00"],
        "You can no longer be sure to win: at best 5 of 8 are found (proven)",
        "eight fight might night right sight tight wight",
    ),
    (
        "light=BGGGG/might=BGGGG/night=BGGGG/sight=BGGGG/right=BGGGG",
        ["4", "25 %", "1.00"],
        "This is the last guess: any of these, 25 % each",
        "eight fight tight wight",
    ),
]


@pytest.mark.parametrize(("steps", "figures", "said", "words"), CHANCES)
def test_the_chance_where_some_are_missed(visit: Any, steps: str, figures: list[str], said: str, words: str) -> None:
    """By the fewest missed, as `optimal suggest` has it; a word that finds nothing is no advice."""
    seen = visit("one", viewport={"width": 320, "height": 700})
    seen.go(f"#play/classic-normal/{steps}")
    found = seen.advice()
    assert " ".join(sorted(found)) == words
    assert seen.row() in found
    position = steps.removeprefix("rules=hard/").replace("/", " ").lower()
    told = analyse(Game.preset("classic").with_rules("hard" if "hard" in steps else "normal", 6), position, top=1)
    assert told.missed is not None
    wins = len(told.candidates) - told.missed
    assert {found[advice.guess] for advice in told} == {f"{wins}/{len(told.candidates)}, {told.total}/{wins}"}
    assert seen.page.locator("#play .figures dd").all_inner_texts()[:3] == figures
    assert seen.page.locator("#play .figures dt").all_inner_texts()[1:3] == ["chance to win", "on average if found"]
    assert seen.text("#risk").startswith(said)
    assert f"{figures[0]} likely answers left, {figures[1]} chance to win" in seen.text("#said")
    assert said in seen.text("#said")
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 320
    if "hard" not in steps:  # a word of one's own that finds nothing
        seen.press(*"salet")
        assert seen.advice()["salet"] == "0/4"


@pytest.mark.parametrize("rules", ["normal", "hard", "ultra-hard"])
def test_a_word_at_once(visit: Any, rules: str) -> None:
    """After a weak opener too, where the exact search takes minutes; stopped, it keeps to it."""
    seen = visit("one")
    seen.go(f"#play/classic-normal/rules={rules}/fuzzy=BBBBB")
    sync_api.expect(seen.page.locator("#mark-0")).not_to_have_text("")
    sync_api.expect(seen.page.locator(".advice")).to_have_count(1)
    seen.page.click("#stop")
    assert seen.row() in [row.get_attribute("data-word") for row in seen.page.locator(".advice tbody tr").all()]
    assert "Stopped: these are estimates." in seen.text("#advice")
    seen.page.click("#next")
    assert "still being looked for" not in seen.text("#problem")


def test_stopped_before_any_word_was_found(browser: Any, files: dict[str, str]) -> None:
    seen = Visit(browser, files["one"])
    seen.page.add_init_script("window.Worker = class { postMessage() {} terminate() {} }")
    seen.page.reload()
    seen.go("#play/classic-normal/rules=hard/fuzzy=BBBBB")
    assert seen.row() == ""
    seen.page.click("#stop")
    assert WordFeedback(5).score("fuzzy", seen.row()) == 0
    assert "Stopped: what this word is worth is not known yet." in seen.text("#advice")
    seen.end()


def test_first_words(visit: Any) -> None:
    """Those whose totals ship, and the player's own beside them, or what keeps it from there."""
    seen = visit("one")
    assert list(seen.advice().items())[:2] == [("salet", "7920/2315"), ("reast", "7923/2315")]
    seen.press(*"tares")
    assert (seen.page.locator("tr.marked").count(), seen.text(".advice caption")) == (1, "Best first words")
    assert seen.page.locator("#play .figures dd").all_inner_texts() == ["2315", "6", "3.46", "10657"]
    seen.press("Escape", *"fuzzy")
    assert seen.text("#unknown").startswith("What FUZZY is worth as the first guess is not known here")
    assert seen.page.locator("#play .figures dd").all_inner_texts() == ["2315", "10657"]


@pytest.mark.parametrize("rules", ["hard", "ultra-hard"])
def test_the_start_under_other_rules(visit: Any, rules: str) -> None:
    seen = visit("one")
    seen.page.click(f"#rules-{rules}")
    assert seen.row() == "salet"
    assert seen.page.locator("#play .figures dd").all_inner_texts()[:3] == ["2315", "6", "3.51"]
    assert "No first guess needs fewer guesses on average than salet within 6 guesses." in seen.text("#advice")
    seen.reply("BYBYB")
    assert seen.fragment == f"#play/classic-normal/rules={rules}/salet=BYBYB"


def test_untouched_tiles_are_asked_about(visit: Any) -> None:
    seen = visit("one")
    seen.press("Enter")
    assert seen.text("#problem") == "No letter is coloured yet. All of them grey? Then press again."
    assert seen.fragment == ""
    seen.press("Enter")
    assert seen.fragment == "#play/classic-normal/BBBBB"


#: What comes before the worker's own script.
IN_THE_WORKER = "window.Blob = class extends Blob { constructor(parts, type) { super(['%s', ...parts], type); } }"
LACKING = {
    IN_THE_WORKER % 'WebAssembly.Module = class { constructor() { throw new Error("no SIMD"); } };': (
        "this browser can't run it"
    ),
    "delete window.WebAssembly": "this browser has no WebAssembly",
    "window.Worker = class { postMessage({ kind, id }) { if (kind === 'ask') "
    "setTimeout(() => this.onmessage({ data: { kind: 'failed', id, reason: 'out of memory' } })); } terminate() {} }": (
        "out of memory"
    ),
}


@pytest.mark.parametrize("lacking", LACKING)
def test_without_the_engine(browser: Any, files: dict[str, str], lacking: str) -> None:
    """It plays by look-up along the tree, with words that fit off it, and says what it lacks."""
    seen = Visit(browser, files["one"])
    seen.page.add_init_script(lacking)
    seen.page.reload()
    seen.reply("BYBYB")
    sync_api.expect(seen.page.locator("#lacks")).to_have_text(
        f"No exact advice here: {LACKING[lacking]}. The page plays on by its tree."
    )
    assert seen.row() == "beard"
    seen.press(*"crony", *"12111", "Enter")
    sync_api.expect(seen.page.locator("#lacks")).to_contain_text("It suggests a word that fits, not the best one.")
    word = seen.row()
    score = WordFeedback(5).score
    parse = WordFeedback(5).parse
    assert (score("salet", word), score("crony", word)) == (parse("BYBYB"), parse("BYBBB"))
    seen.end()


def test_the_search_is_stopped(visit: Any) -> None:
    seen = visit("one")
    seen.go("#play/classic-normal/rules=hard/fuzzy=BBBBB")
    seen.page.click("#stop")
    assert seen.page.locator("#bar").count() == 0
    if seen.page.locator(".advice").count():
        assert "Stopped: these are estimates." in seen.text("#advice")
    seen.press(*"crane", *"12111", "Enter")
    assert len(seen.advice()) >= 6


# A list of the player's own


def test_a_list_of_ones_own(visit: Any, tmp_path: Path) -> None:
    """Pasted or from a file: the page plays it, keeps it, and looks back on its games."""
    words = [word for word in CLASSIC.answers if set(word) <= set("abcdeilnorst")]
    assert 100 < len(words) < 400
    seen = visit("one")
    seen.page.select_option("#trees", label="Your own list…")
    seen.page.fill("#own-words", "ab\nabc\ndon't")
    seen.page.click("#own-use")
    assert seen.text("#about") == "1 word of 2 letters; 2 words of other lengths or with other signs left out"
    seen.page.click("#own-summary")
    path = tmp_path / "own.csv"
    path.write_text("\n".join(f"{word.upper()},{number}" for number, word in enumerate([*words, "straße"])))
    seen.page.set_input_files("#own-file", path)
    sync_api.expect(seen.page.locator("#own-words")).not_to_have_value("")
    seen.page.set_input_files("#own-file", [])  # another file was not chosen after all
    seen.page.click("#own-use")
    assert seen.text("#about") == (
        f"{len(words)} words of 5 letters; 1 word of other lengths or with other signs left out; "
        "the numbers left out: every word counts once"
    )
    seen.advice()
    game = Game.from_words(words, words)
    best = analyse(game).guesses[0]
    assert next(iter(seen.advice().items())) == (best.guess, f"{best.total}/{len(words)}")
    seen.press(*"salet")
    assert seen.text("#problem") == "salet is not a word of this list."
    seen.press("Escape", *words[0], *"33333", "Enter")
    assert seen.text("#share").startswith("Wordle own list 1/6")
    seen.page.reload()
    assert seen.text(".solved") == "Solved in 1 guess."
    seen.page.click("#tab-numbers")
    assert "Your own list has no tree" in seen.text("#numbers")
    seen.go(f"#debrief/*/{words[3]}/{words[1]}")
    seen.settled()
    told = debrief(game, words[1], [words[3], words[1]])
    assert seen.page.locator(".skill b").all_inner_texts() == [str(turn.skill_score) for turn in told.turns]


def test_trees_from_a_position(visit: Any) -> None:
    seen = visit("odd")
    assert seen.page.locator("#play .board li").count() == 2
    assert seen.text("#play .figures div:nth-child(3) dd") == f"{float(LATE.mean):.2f}"
    for _, feedback in LATE.play(LATE.answers[-1]):
        seen.reply(feedback)
    assert seen.text(".solved") == f"Solved in {1 + len(LATE.play(LATE.answers[-1]))} guesses."
    for view in VIEWS:
        seen.page.click(f"#tab-{view}")
        assert seen.page.is_visible(f"#{view}")


def test_games_without_words_by_clicks(visit: Any) -> None:
    pegs, labels = MASTERMIND.path("3141"), MATRIX.path("5", matrix_score)
    for page, number, turns, end in (
        ("several", "1", pegs, [MASTERMIND.game.format(code) for _, code in pegs]),
        ("odd", "2", labels, [f"reply%20{code}" for _, code in labels]),
    ):
        seen = visit(page)
        seen.page.select_option("#trees", number)
        for _, code in turns:
            seen.page.click(f"#reply-{code}")
        assert seen.text(".solved") == f"Solved in {len(turns)} guesses."
        assert seen.fragment.split("/")[2:] == end


# Links


def test_a_position_has_a_link(visit: Any, files: dict[str, str]) -> None:
    seen = visit()
    seen.go("#play/classic-normal/BYBYB/BYGYB")
    assert seen.row() == "cezve"
    seen.go("#tree/classic-normal/BYBYB")
    assert seen.text("#found").startswith("Guess 2 is beard.")
    seen.go("#numbers/mastermind-normal")
    assert seen.text("#numbers .figures div:first-child dd") == "4.3403"
    seen.go("#debrief/classic-normal/salet/crane")
    assert seen.text("#verdict").startswith("Solved in 2 guesses")


ASTRAY = [
    ("#play/classic-normal/BYBYB/GGBBB", 2, "goes on with a reply"),
    ("#play/gone/BYBYB", 1, ""),
    ("#play/%E0%A4%A/BYBYB", 1, ""),
    ("#play/classic-normal/crane=GYGGG", 1, "goes on with a reply"),
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
    ({"weights": (2,) * 2315, "weights_name": "file"}, NOT_SAID, "Later on", ANY),
    ({"ledgers": ("all.xz",)}, NOT_SAID, "Later on", f"{ANY} is better, given bounds from all.xz, says"),
    (
        {"status": "FEASIBLE", "bound": (7900,), "openers": ("crane", "salet")},
        *(NOT_SAID, "Later on", "no strategy with one of 2 first guesses is below 7900"),
    ),
]


def test_it_says_no_more_than_is_proven(browser: Any, tmp_path: Path) -> None:
    trees = [replace(CLASSIC, **claim) for claim, *_ in CLAIMS]
    late = replace(word_tree(position=LATE.position), status="OPTIMAL")
    (tmp_path / "claims.html").write_text(export_html(*trees, late), encoding="utf-8")
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
    seen.go("#debrief/classic-normal-6/salet/crane")
    assert "Here every answer counts once." in seen.text("#debrief")
    seen.end()


# The other views


def test_finding_a_word_in_the_tree(visit: Any) -> None:
    seen = visit("one", viewport={"width": 390, "height": 600})
    seen.page.click("#tab-tree")
    seen.page.fill("#search", " Crane ")
    seen.press("Enter")
    assert seen.text("#found").startswith("crane is found by guess 4.")
    assert seen.fragment == "#tree/classic-normal/BYBYB/BYGYB/GBBBG/GGGGG"
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
    seen.page.fill("#game", words.replace(" ", ", ", 1))
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
    fit = [answer for i, answer in enumerate(game.answers) if all((matrix[:, i] == row).any() for row in rows)]
    sync_api.expect(seen.page.locator("#grid-found b")).to_have_text(f"{len(fit)} answers fit:")
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


def test_a_finished_game_is_copied_and_looked_back_on(visit: Any) -> None:
    seen = visit("one", permissions=["clipboard-read", "clipboard-write"])
    seen.go("#play/classic-normal/BYBYB/BYGYB/GBBBG/GGGGG")
    for rows in ("⬛🟨⬛🟨⬛\n⬛🟨🟩🟨⬛\n🟩⬛⬛⬛🟩\n🟩🟩🟩🟩🟩", "⬛🟦⬛🟦⬛\n⬛🟦🟧🟦⬛\n🟧⬛⬛⬛🟧\n🟧🟧🟧🟧🟧"):
        seen.page.click("#copy-grid")
        sync_api.expect(seen.page.locator("#copy-grid")).to_have_text("Copied")
        assert seen.page.evaluate("navigator.clipboard.readText()") == f"Wordle classic 4/6\n\n{rows}"
        seen.page.click("#palette")
    assert seen.page.locator("#copy-link").count() == 0  # a file on this disk is no link
    seen.page.click("text=Debrief >> nth=1")
    assert seen.text("#verdict").startswith("Solved in 4 guesses")


# How people use it


def test_by_keyboard_alone(visit: Any) -> None:
    seen = visit()
    seen.press(*"12121", "Enter")  # nothing has the focus yet
    assert (seen.fragment, seen.focus) == ("#play/classic-normal/BYBYB", "mark-0")
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
    seen.go("#play/classic-normal/BYBYB")
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
    for place in (1, 3):
        seen.page.tap(f"#mark-{place}")
    seen.page.tap("#next")
    assert seen.fragment == "#play/classic-normal/BYBYB"
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
        "#play/twenty-normal/YBBBY",
        "#play/twenty-normal/YBBBY/GBBYY/GGGGG",
        "#play/mastermind-normal/1,1",
        "#play/twenty-normal/rules=hard/salet=BGBBB",
        "#tree/twenty-normal/YBBBY/GBBYY/GGGGG",
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
    (tmp_path / "page.html").write_text(page[:start] + damage(page[start:end]) + page[end:], encoding="utf-8")
    seen = Visit(browser, (tmp_path / "page.html").as_uri())
    sync_api.expect(seen.page.locator("#damaged")).to_contain_text("This page is damaged")
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
