"""The page of games in a real browser: played by clicks and keys, along the tree and off it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from page_util import COLOURS, LATE, Visit, files, visit
from trees_util import matrix_score, matrix_tree, word_tree

from optimal.advice.analysis import analyse
from optimal.advice.debrief import debrief
from optimal.advice.subgame import solve_position
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.tiers import mistyped
from optimal.search.solve import solve
from optimal.trees.file import load_tree

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `test`")

__all__ = ["files", "visit"]  # fixtures, used by name
pytestmark = pytest.mark.slow  # tests/page/test_smoke.py has one test of each page for every run

CLASSIC = load_tree("classic-normal")
MASTERMIND = load_tree("mastermind-normal")
MATRIX = matrix_tree()
VIEWS = ("play", "tree", "numbers", "debrief")
#: In the order of the page's menu.
TREES = {"classic-normal": CLASSIC, "mastermind-normal": MASTERMIND, "twenty-normal": word_tree()}


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


def test_it_was_right_undo_restart_and_back(visit: Any) -> None:
    seen = visit("one")
    assert seen.page.is_disabled("#undo")
    seen.colour("BYBYB")
    seen.page.click("#next")
    seen.page.click("#right")
    assert seen.fragment == "#play/classic-normal/salet=BYBYB/beard=GGGGG"
    assert seen.text(".solved") == "Solved in 2 guesses."
    seen.page.click("#undo")
    assert seen.fragment == "#play/classic-normal/salet=BYBYB"
    assert [seen.page.get_attribute(f"#mark-{place}", "class") for place in range(5)] == ["tile green"] * 5
    seen.page.go_back()
    assert seen.text(".solved") == "Solved in 2 guesses."
    seen.page.click("#restart")
    assert seen.text("#restart") == "Really restart?"
    assert seen.fragment == "#play/classic-normal/salet=BYBYB/beard=GGGGG"
    seen.page.click("#restart")
    assert seen.fragment == "#play/classic-normal"
    assert seen.page.locator("#play .board li").count() == 1


@pytest.mark.parametrize(
    ("rules", "steps", "guess", "marks"),
    [
        ("normal", [], "salet", "GYGGB"),
        ("normal", ["salet=BYBYB"], "beard", "YGGGG"),
        ("normal", ["salet=BBBBB", "wimpy=BBBGB"], "frown", "BBBBY"),
        ("hard", ["pesto=BBBBB"], "email", "YBBBB"),  # a green e forbids email
    ],
)
def test_colours_that_fit_no_answer(visit: Any, rules: str, steps: list[str], guess: str, marks: str) -> None:
    """It names the colour that is wrong most likely, as the terminal does."""
    seen = visit("one")
    seen.go("/".join(["#play/classic-normal", *(["rules=hard"] if rules == "hard" else []), *steps]))
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
        mistyped(rule, Rules(rules), turns, len(turns) - 1, game.answers, game.others),
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
    assert seen.fragment == "#play/classic-normal/salet=BYBBY/crimp=BYBBB/thump=YBBBB"
    seen.page.tap("#turn-1")
    seen.page.tap("#mark-0")  # a yellow c
    seen.page.tap("#next")
    assert seen.fragment == "#play/classic-normal/salet=BYBBY/crimp=YYBBB/thump=YBBBB"
    seen.page.tap("#turn-0")
    seen.reply("BYBBB")  # without a t, which thump has
    assert seen.fragment == "#play/classic-normal/salet=BYBBB/crimp=YYBBB"
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
    assert re.fullmatch(r"#play/\*[0-9a-f]+/salet=BYBBB/crimp=YYBBB", seen.fragment)


def test_a_row_that_is_begun_is_no_guess_yet(visit: Any) -> None:
    seen = visit("one")
    seen.go("#play/classic-normal/crane=BBBBB")
    seen.page.locator("#own").press_sequentially("shout ")  # a space, as phones add it, colours nothing
    seen.page.click("#mark-2")
    for change in (["#mark-1", "#next"], ["#undo"]):  # a yellow r; and no change
        seen.page.click("#turn-0")
        assert seen.page.locator(".later").inner_text().replace("\n", "") == "SHOUT"
        for button in change:
            seen.page.click(button)
        assert (seen.fragment, seen.row()) == ("#play/classic-normal/crane=BYBBB", "shout")
        assert [seen.page.get_attribute(f"#mark-{i}", "class") for i in (0, 2)] == ["tile grey", "tile yellow"]
        assert seen.page.locator(".later").count() == 0
    seen.page.click("#turn-0")
    seen.reply("BBBBY")  # an e, and shout is still to be coloured
    assert (seen.fragment, seen.row()) == ("#play/classic-normal/crane=BBBBY", "shout")
    # Colours that no word fits were sent; taken back, the row is begun as before.
    seen.page.click("#turn-0")
    seen.reply("GGGGY")
    seen.page.click("#undo")
    seen.page.click("#turn-0")
    seen.page.click("#next")
    assert (seen.fragment, seen.row()) == ("#play/classic-normal/crane=BBBBY", "shout")
    # What Undo took back is only begun, whatever its colours.
    seen.go("#play/classic-normal/crane=BYBBB/short=BBBYB")
    seen.page.click("#undo")
    seen.page.click("#turn-0")
    seen.page.click("#next")
    assert (seen.fragment, seen.row()) == ("#play/classic-normal/crane=BYBBB", "short")
    # A word of the page that other rules forbid is a turn again, if it was tapped; a restart forgets all.
    seen.go("#play/classic-normal/light=BGGGG")
    seen.advice()
    reply = WordFeedback(5).format(WordFeedback(5).score(seen.row(), "might"))
    turns = f"light=BGGGG/{seen.row()}={reply}"
    seen.reply(reply)
    seen.page.click("#turn-1")
    seen.page.click("#rules-hard")
    assert seen.fragment == f"#play/classic-normal/rules=hard/{turns}"
    seen.go("#play/classic-normal/rules=hard/crane=BYBBB/shirt=BBBYB")
    seen.page.click("#turn-1")
    seen.page.click("#undo")  # the last one was tapped, too
    assert seen.fragment == "#play/classic-normal/rules=hard/crane=BYBBB/shirt=BBBYB"
    seen.page.click("#turn-0")
    seen.page.click("#restart")
    seen.page.click("#restart")
    assert (seen.row(), seen.page.locator(".later").count()) == ("salet", 0)


def test_nothing_of_a_finished_game_comes_into_another_row(visit: Any) -> None:
    seen = visit("one")
    before = "#play/classic-normal/salet=BYBBY/crimp=BYBBB"

    def later() -> list[str]:
        return [row.replace("\n", "") for row in seen.page.locator(".later").all_inner_texts()]

    seen.go(f"{before}/aorta=GGGGG")
    for turn, after in (("#turn-0", ["CRIMP", "AORTA"]), ("#turn-2", [])):
        seen.page.click(turn)
        assert later() == after
        seen.page.click("#next")
        assert seen.text(".solved") == "Solved in 3 guesses."
    # No earlier turn ends it. Undo takes that out of the row as it was, and the later ones with it.
    seen.page.click("#turn-0")
    seen.page.click("#right")
    assert "would end the game, but CRIMP comes after it" in seen.text("#problem")
    assert later() == ["CRIMP", "AORTA"]
    seen.page.click("#mark-0")
    seen.page.click("#undo")
    assert (seen.fragment, later()) == ("#play/classic-normal/salet=BYBBY/crimp=BYBBB/aorta=GGGGG", [])
    seen.page.click("#turn-1")
    seen.page.click("#mark-0")
    seen.page.click("#turn-0")
    seen.page.click("#undo")
    assert seen.fragment == "#play/classic-normal/salet=BYBBY/crimp=YYBBB"
    assert seen.text("#problem") == "AORTA and what came after it don't fit any more."
    # Rules that forbid a turn lead to a row of their own; where they forbid a typed word, that is said.
    seen.go("#play/classic-normal/salet=GBBBB/might=BGBBB")
    seen.press(*"sissy")
    seen.page.click("#right")
    seen.page.click("#undo")
    seen.page.click("#rules-hard")
    assert (seen.page.locator(".board li").count(), seen.page.input_value("#own")) == (2, "")
    assert "green" not in str(seen.page.get_attribute("#mark-2", "class"))
    seen.go("#play/classic-normal/salet=GBBBB")
    seen.page.click("#next")
    seen.page.click("#next")
    seen.page.click("#turn-1")
    row = seen.row()
    seen.page.click("#rules-hard")
    assert (row[0] == "s", seen.row() == row, seen.page.input_value("#own")) == (False, False, "")
    seen.go("#play/classic-normal/salet=GBBBB")
    seen.press(*"might")
    seen.page.click("#rules-hard")
    assert seen.text("#problem") == "might is not allowed by hard rules: letter 1 must be S, green in guess 1, salet."


def test_another_list_keeps_the_rules_that_were_chosen(visit: Any) -> None:
    seen = visit("rules")  # which has a tree for them
    seen.go("#play/classic-normal/rules=hard/salet=BYBBY")
    seen.page.select_option("#trees", "1")
    assert seen.fragment == "#play/nyt2023-hard/salet=BYBBY"
    # Those that stand in the menu are chosen, too.
    seen.go("#play/*")
    seen.page.fill("#own-words", "salet crimp crony carry")
    seen.page.click("#own-use")
    seen.go("#play/*/salet=BYBBB")
    seen.page.select_option("#trees", "2")
    assert seen.fragment == "#play/nyt2023-hard/salet=BYBBB"
    seen = visit()
    for steps in ("", "/salet=BYBBY"):
        seen.go(f"#play/classic-normal/rules=hard{steps}")
        seen.page.select_option("#trees", "2")
        assert seen.fragment == f"#play/twenty-normal/rules=hard{steps}"
    # A word of the page by one list is the player's own by another.
    seen.go("#play/*")
    seen.page.fill("#own-words", "salet crimp crony carry")
    seen.page.click("#own-use")
    seen.go("#play/classic-normal")
    seen.reply("BBBBB")
    seen.page.select_option("#trees", label="Your own list…")
    seen.page.click("#turn-0")
    assert seen.page.input_value("#own") == "salet"
    # Rows that wait while an earlier one is changed are turns again, by another list and by used answers.
    guess, feedback = TREES["twenty-normal"].play(TREES["twenty-normal"].answers[0])[0]
    seen.go(f"#play/classic-normal/{guess}={feedback}")
    for place, name in ("2", "twenty"), ("0", "classic"):
        seen.page.click("#turn-0")
        seen.page.click("#mark-0")
        seen.page.select_option("#trees", place)
        assert seen.fragment == f"#play/{name}-normal/{guess}={feedback}"
    seen.page.click("#turn-0")
    seen.page.click("#used-summary")
    seen.page.fill("#used-words", "cigar")
    seen.page.click("#used-use")
    assert (seen.fragment, seen.page.locator("#turn-0").count()) == (f"#play/classic-normal/{guess}={feedback}", 1)
    seen.page.click("#used-summary")
    seen.page.click("#used-forget")
    # After a restart no other list brings the game back.
    seen.go(f"#play/classic-normal/{guess}={feedback}")
    seen.page.select_option("#trees", "2")
    seen.page.click("#restart")
    seen.page.click("#restart")
    seen.page.select_option("#trees", "0")
    assert seen.fragment == "#play/classic-normal"


def test_colours_that_fit_nothing_wait_while_the_wrong_ones_are_mended(visit: Any) -> None:
    seen = visit("one")
    seen.go("#play/classic-normal/crane=BYBBB")
    seen.press(*"ghost")
    seen.colour("GGGGG")
    seen.page.click("#next")
    assert "Letter 2 of guess 1, CRANE, may be grey: that would leave 1 word." in seen.text("#problem")
    seen.page.click("#turn-0")
    seen.colour("BBBBB")
    assert seen.text("#next") == "Go on"
    seen.page.click("#next")
    assert seen.fragment == "#play/classic-normal/crane=BBBBB/ghost=GGGGG"


def test_long_links_and_texts(visit: Any) -> None:
    """What is too long to be meant is cut, or refused."""
    seen = visit("one")
    seen.go("#play/classic-normal/" + "salet=BBBBB/" * 30000)
    assert "The rest of the link" in seen.text("#problem")
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
    seen.go("#play/classic-normal/" + "/".join(f"{letter}ight=BGGGG" for letter in "lmnsrf"))
    assert "What still fits: eight, tight, wight; 6 other words fit too." in seen.text("#outlook")


# Off the tree


def test_a_reply_that_no_word_brings_is_named_with_the_right_one(visit: Any) -> None:
    seen = visit("one")
    for guess, marks, told in (
        ("speed", "BBBYB", "letter 3, not 4. Or letter 4 may be grey: that would leave 615 words"),
        ("sassy", "BBYYB", "letter 1, not 4"),
        ("kebab", "BBBBY", "letter 3, not 5"),
    ):
        seen.go("#play/classic-normal")
        seen.press(*guess)
        seen.colour(marks)
        seen.page.click("#next")
        why = "No word fits these colours. Of equal letters the first is the yellow one"
        assert seen.text("#problem").startswith(f"{why}: {told}.")
    seen.go("#play/classic-normal/crane=BBBBB")  # no e is left that might come first
    seen.press(*"geese")
    seen.colour("BBBBY")
    seen.page.click("#next")
    assert "Letter 5 may be grey" in seen.text("#problem")
    seen.go("#play/classic-normal")
    seen.press(*"kebab")
    seen.colour("BBBBY")
    seen.page.click("#mark-4")  # yellow, green, grey
    seen.page.click("#mark-4")
    seen.page.click("#next")
    assert seen.fragment == "#play/classic-normal/kebab=BBBBB"


def test_colours_have_the_names_of_what_is_seen(visit: Any) -> None:
    seen = visit("one")
    seen.page.click("#palette")
    seen.go("#play/classic-normal/rules=hard/crane=BBYBG")
    assert seen.text(".rule").startswith("Hard: an orange letter stays")
    assert "tile grey, blue, orange;" in seen.text(".keys")
    seen.press(*"speed")
    assert seen.text("#problem") == "speed is not allowed by hard rules: letter 5 must be E, orange in guess 1, crane."
    seen.page.click("#rules-normal")
    seen.colour("BBBYB")
    assert seen.page.get_attribute("#mark-3", "aria-label") == "e, letter 4: blue"
    seen.page.click("#next")
    assert "the first is the blue one: letter 3, not 4. Or letter 3 may be blue" in seen.text("#problem")
    seen.page.click("#tab-debrief")
    seen.page.fill("#game", "crane speed")
    seen.page.click("#palette")
    assert seen.page.input_value("#game") == "crane speed"


def test_a_lost_game_is_looked_back_on(visit: Any) -> None:
    seen = visit("one")
    seen.go("#play/classic-normal/" + "/".join(f"{letter}ight=BGGGG" for letter in "lmnsrf"))
    seen.page.click("#outlook .button")
    assert "3 answers fit" in seen.text("#grid-found")
    seen.page.click("#grid-found .pick >> nth=1")
    seen.page.click("#look")
    assert seen.fragment == "#debrief/classic-normal/light/might/night/sight/right/fight/(tight)"


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
    # By the rule of ties, but of equal words those first that are known well: the likely answers.
    lowest = {one.guess: one.total == exact.total and one.worst for one in exact}
    order = sorted(
        exact, key=lambda one: (one.total, lowest[one.guess], not one.is_candidate, one.guess not in game.answers)
    )
    assert list(best) == [one.guess for one in order][: len(best)]
    seen.press(*"sport")
    mine = solve_position(game, position, first=["sport"]).total
    assert seen.advice() == {**best, "sport": f"{mine}/{count}"}
    assert seen.page.get_attribute("tr.marked", "data-word") == "sport"
    figures = seen.page.locator("#play .figures dd").all_inner_texts()
    assert (figures[0], figures[2]) == (str(count), f"{(exact.total or 0) / count:.2f}")
    assert "you can't lose" in seen.text("#risk")
    seen.press("Escape")
    assert seen.row() == next(iter(best))


def test_words_that_are_as_good_as_the_last(visit: Any) -> None:
    seen = visit("one")
    position = "crane=BYBBB moist=BBBBB"
    seen.go(f"#play/classic-normal/{position.replace(' ', '/')}")
    equal = [one.guess for one in analyse(Game.preset("classic"), position, top=1)]
    shown = seen.advice()
    assert (len(shown), set(shown) <= set(equal)) == (12, True)
    assert f"{len(equal) - 12} more words are as good as" in seen.text("#advice")
    seen.press(*next(word for word in equal if word not in shown))
    assert len(seen.advice()) == 13
    assert f"{len(equal) - 13} more words are as good as" in seen.text("#advice")


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
    seen.go("#play/classic-normal/crane=BYBBB/shout=BBBBB")
    seen.page.click("#undo")
    assert "shout" in seen.advice()
    assert "yours" not in seen.text(".advice")


def test_a_word_that_is_not_allowed(visit: Any) -> None:
    seen = visit("one")
    seen.press(*"zzzzz", "Enter")
    assert seen.text("#problem") == "zzzzz is not a word of this list."
    assert (seen.text("#said").rstrip("\u00a0"), seen.fragment) == ("zzzzz is not a word of this list.", "")
    for word, near in (("cornd", "corny"), ("nihgt", "night"), ("salte", "slate or salet")):
        seen.press("Escape", *word, "Enter")
        assert seen.text("#problem").startswith(f"{word} is not a word of this list: did you mean {near}")
    seen.press("Escape")
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
        ["8", "63 %", "3.00"],
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
    assert seen.page.evaluate("document.querySelector('.advice').offsetWidth") <= 320 - 2 * 12
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


#: A worker that tells nothing but what the test has it tell; the player looks away for long after each word.
SLOW = """window.Worker = class {
  constructor() { window.worker = this; }
  postMessage(asked) { Object.assign(this, asked.words && asked.tiers ? { list: asked.words } : { id: asked.id }); }
  tell(kind, word) {
    this.onmessage({ data: { kind, id: this.id, word: this.list.indexOf(word), parts: [0, 9] } });
    Date.now = () => 2 * performance.timeOrigin;
  }
  terminate() {}
}"""


def test_stopped_before_any_word_was_found(browser: Any, files: dict[str, str]) -> None:
    seen = Visit(browser, files["one"])
    seen.page.add_init_script(SLOW)
    seen.page.reload()
    seen.go("#play/classic-normal/rules=hard/fuzzy=BBBBB")
    assert (seen.row(), seen.text("#so-far")) == ("", "Looking for the best word…")
    for kind, word, so_far in (
        ("first", "salet", "SALET so far; still looking."),
        ("best", "plast", "PLAST took the place of SALET."),
    ):
        seen.page.evaluate("([kind, word]) => worker.tell(kind, word)", [kind, word])
        assert (seen.row(), seen.text("#so-far")) == (word, so_far)
    seen.page.reload()
    seen.page.click("#stop")
    assert WordFeedback(5).score("fuzzy", seen.row()) == 0
    assert "Stopped: what this word is worth is not known yet." in seen.text("#advice")
    seen.end()


def test_first_words(visit: Any) -> None:
    """Those whose totals ship, and the player's own beside them: about, then exactly."""
    seen = visit("one")
    assert list(seen.advice().items())[:2] == [("salet", "7920/2315"), ("reast", "7923/2315")]
    seen.press(*"tares")
    assert (seen.page.locator("tr.marked").count(), seen.text(".advice caption")) == (1, "Best first words")
    assert seen.page.locator("#play .figures dd").all_inner_texts() == ["2315", "6", "3.46", "10657"]
    seen.press("Escape", *"tramp")
    assert seen.advice()["tramp"] == f"{solve('classic', first=['tramp']).total}/2315"
    assert seen.page.locator("#play .figures dd").all_inner_texts() == ["2315", "3.52", "10657"]
    seen.press("Escape", *"fuzzy")
    sync_api.expect(seen.page.locator("tr.marked td").first).to_contain_text("about 3.")
    seen.page.fill("#own", "reast")  # known: nothing is worked out any more
    assert (seen.page.locator("#stop").count(), seen.text("tr.marked th")) == (0, "REAST")
    seen.page.fill("#own", "fuzzy")
    seen.page.click("#stop")
    assert seen.text("#unknown") == "Stopped: what FUZZY is worth is an estimate, by good play."
    for keys in ("Backspace", "y"), ("Escape", *"fuzzy"):
        seen.press(*keys)
        assert seen.page.locator("#stop").count() == 1


@pytest.mark.parametrize("rules", ["hard", "ultra-hard"])
def test_the_start_under_other_rules(visit: Any, rules: str) -> None:
    seen = visit("one")
    seen.page.click(f"#rules-{rules}")
    assert seen.text("#intro").startswith(f"By {rules} rules this page has no tree")
    assert seen.row() == "salet"
    assert seen.page.locator("#play .figures dd").all_inner_texts()[:3] == ["2315", "6", "3.51"]
    assert "No first guess needs fewer guesses on average than salet within 6 guesses." in seen.text("#advice")
    seen.reply("BYBYB")
    assert seen.fragment == f"#play/classic-normal/rules={rules}/salet=BYBYB"
    assert not seen.page.is_visible("#intro")  # on a phone the row would be below the screen


def test_untouched_tiles_are_asked_about(visit: Any) -> None:
    seen = visit("one")
    seen.press("Enter")
    assert seen.text("#problem") == "No letter is coloured yet. All of them grey? Then press again."
    assert seen.fragment == ""
    seen.press("Enter")
    assert seen.fragment == "#play/classic-normal/salet=BBBBB"
    seen.go("#play/classic-normal/salet=GBBBB")
    seen.press(*"spoon", "Enter")  # the s is known
    told = "No tile is tapped yet. Are these the colours? Then press again."
    assert (seen.text("#problem"), seen.fragment) == (told, "#play/classic-normal/salet=GBBBB")


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
    seen.page.click("#used-summary")
    seen.page.fill("#used-words", "A: abbey")
    seen.page.click("#used-use")
    assert seen.text("#used-problem").startswith("No words of 2 letters could be read")
    seen.page.fill("#used-words", "ab xy")
    seen.page.click("#used-use")
    assert seen.text("#about") == "2 answers, 2 of them used before"
    seen.page.click("#own-summary")
    seen.page.fill("#own-words", "ab cd")  # another game, none of whose answers is known to have been used
    seen.page.click("#own-use")
    assert seen.text("#about") == "2 words of 2 letters"
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


def test_the_capitals_of_turkish_and_greek(visit: Any) -> None:
    """As optimal/games/spelling.py reads them, in lists and where words are typed; σ is one letter."""
    seen = visit("one")
    seen.go("#play/*")
    seen.page.fill("#own-words", "Irmak KIRIK Kısır Sınav Yakın Balık")
    seen.page.click("#own-use")
    seen.page.fill("#own", "KIRIK")
    assert seen.page.inner_text("#row").replace("\n", "") == "KIRIK"
    seen.page.fill("#own", "SİNİR")
    assert seen.text("#problem") == "sinir is not a word of this list."
    assert seen.page.inner_text("#row").replace("\n", "") == "SİNİR"
    seen.page.fill("#own", "kırık")
    seen.reply("BYYBG")
    assert (seen.fragment.partition("/k")[2], seen.page.inner_text("#row").replace("\n", "")) == (
        "%C4%B1r%C4%B1k=BYYBG",
        "IRMAK",
    )
    seen.page.click("#own-summary")
    seen.page.fill("#own-words", "DİZİN ABAKA")  # İ, but no ı
    seen.page.click("#own-use")
    seen.page.fill("#own", "DİZİN")
    assert seen.text("#problem") == ""
    seen.page.click("#own-summary")
    seen.page.fill("#own-words", "ΛΟΓΟΣ σκακι στομα")
    seen.page.click("#own-use")
    seen.page.fill("#own", "ΣΤΟΜΑ")
    seen.reply("YBYBB")
    assert seen.page.inner_text("#row").replace("\n", "") == "ΛΟΓΟΣ"


def test_trees_from_a_position(visit: Any) -> None:
    seen = visit("odd")
    assert seen.page.locator("#play .board li").count() == 2
    assert seen.text("#play .figures div:nth-child(3) dd") == f"{float(LATE.mean):.2f}"
    for _, feedback in LATE.play(LATE.answers[-1]):
        seen.reply(feedback)
    assert seen.text(".solved") == f"Solved in {1 + len(LATE.play(LATE.answers[-1]))} guesses."
    assert seen.fragment.startswith(f"#play/twenty-normal/salet=BGBBB/{LATE.root.guess}=")
    seen.page.reload()
    rows = seen.page.locator("#play .board li")
    sync_api.expect(rows).to_have_count(1 + len(LATE.play(LATE.answers[-1])))
    # Of another game, or of none from its first guess on.
    for steps in ("crane=BBBBB", f"{LATE.root.guess}=BBBBB"):
        seen.go(f"#play/twenty-normal/{steps}")
        sync_api.expect(rows).to_have_count(2)
        assert "doesn't fit this game" in seen.text("#problem")
    for view in VIEWS:
        seen.page.click(f"#tab-{view}")
        assert seen.page.is_visible(f"#{view}")


def test_games_without_words_by_clicks(visit: Any) -> None:
    pegs, labels = MASTERMIND.path("3141"), MATRIX.path("5", matrix_score)
    for page, number, turns, end in (
        ("several", "1", pegs, [f"{guess}={MASTERMIND.game.format(code)}" for guess, code in pegs]),
        ("odd", "2", labels, [f"{guess}=reply%20=%20{code}%2F12" for guess, code in labels]),
    ):
        seen = visit(page)
        seen.page.select_option("#trees", number)
        for _, code in turns:
            seen.page.click(f"#reply-{code}")
        assert seen.text(".solved") == f"Solved in {len(turns)} guesses."
        assert seen.fragment.split("/")[2:] == end
        assert not seen.page.locator("#play a").filter(has_text="Debrief").count()
