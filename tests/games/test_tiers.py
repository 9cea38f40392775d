"""Likely answers and other words: games go on where no answer in the list fits any more."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from cli_util import run, run_json

from optimal.advice.analysis import analyse
from optimal.advice.debrief import debrief
from optimal.advice.subgame import solve_position
from optimal.errors import ImpossibleFeedback, InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.presets import preset
from optimal.games.rules import Rules
from optimal.games.tiers import fitting_words, in_order, mistyped
from optimal.trees.player import Player, play_answer
from optimal.trees.unlisted import MOST_EXACT, Chooser

SCORE = WordFeedback(5)
WORDS = preset("nyt").guesses()
#: How many of the 11697 other words the tree of nyt2023 finds by so many guesses; the rest it doesn't within six.
FOUND = {1: 1, 2: 28, 3: 1029, 4: 4134, 5: 4363, 6: 1935}


def scores_of(player: Player, words: list[str], found: Counter[int], missed: list[str], every: set[str]) -> None:
    """Play on with all of these words as the answer, of ``every`` word that is."""
    guess = player.guess
    if guess is None:
        missed += words
        return
    classes: dict[int, list[str]] = {}
    for word in words:
        classes.setdefault(SCORE.score(guess, word), []).append(word)
    for code, part in classes.items():
        player.feed(code)
        if player.solved:
            assert part == [guess]
            found[len(player.turns)] += 1
        else:
            assert every.intersection((*(player.candidates or ()), *player.others)) == set(part)
            scores_of(player, part, found, missed, every)
        player.undo()


@pytest.mark.parametrize("step", [pytest.param(60, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.long)])
def test_words_as_the_answer_of_todays_tree(step: int) -> None:
    """Every word, or one of sixty, is found, or the limit is reached."""
    player, found, missed = Player("nyt"), Counter[int](), list[str]()
    scores_of(player, list(WORDS[::step]), found, missed, set(WORDS[::step]))
    assert sum(found.values()) + len(missed) == len(WORDS[::step])
    assert set(found) <= set(range(1, 7))
    assert not set(missed) & set(preset("nyt").answers())
    if step == 1:
        assert dict(sorted((found - Counter(player.tree.distribution)).items())) == FOUND


@pytest.mark.parametrize("rules", list(Rules))
def test_the_guess_for_other_words_is_the_best(rules: Rules) -> None:
    for seed in range(30, 50):  # in 41 a hint of the second guess forbids a third one
        rng = random.Random(seed)
        some = sorted(rng.sample(WORDS, 300))
        ends = rng.choice([".ight", ".a.er", ".....", "..ill", ".atch", ".ound"])
        alike = [word for word in WORDS if all(mark in (".", letter) for mark, letter in zip(ends, word, strict=True))]
        answers = tuple(sorted(rng.sample(alike, min(len(alike), MOST_EXACT))))
        # By ultra-hard rules every word that doesn't fit has been ruled out by now.
        words = list(answers) if rules is Rules.ULTRA_HARD else sorted({*some, *answers})
        first = rng.choice(words if rules is Rules.ULTRA_HARD else some)
        turn = (first, SCORE.score(first, rng.choice(answers)))
        left = [answer for answer in answers if SCORE.score(first, answer) == turn[1]]
        if left == [first]:
            continue
        for limit in (None, 1, 2, 3, 4):
            choice = Chooser(words, rules).best(left, limit, turn)
            most = None if limit is None else limit + 1
            best = analyse(Game.from_words(words, answers, rules=rules, max_guesses=most), [turn], top=1)
            missed = best.missed or 0
            assert (choice.missed, choice.total) == (missed, (best.total or 0) + missed * ((limit or 0) + 1))


def test_of_many_words_the_guess_that_tells_most_apart() -> None:
    left = [word for word in WORDS if word.endswith("er")][:20]
    words = sorted({*WORDS[::8], *left})
    choice = Chooser(words, Rules.NORMAL).best(left, 4)
    most = max(len({SCORE.score(guess, word) for word in left}) for guess in words)
    assert len({SCORE.score(choice.guess, word) for word in left}) == most
    assert (choice.missed, choice.total, choice.worst) == (None, None, 4)


def test_the_turn_that_may_be_mistyped() -> None:
    history = [("salet", SCORE.parse("bybbb")), ("crony", SCORE.parse("byybg"))]
    told = mistyped(SCORE, Rules.NORMAL, history, 1, ["abhor", "board", "savoy"], [])
    assert told == "; turn 2 may be mistyped: crony=BYYBB would leave 2 words"
    assert mistyped(SCORE, Rules.NORMAL, history, 1, [], ["abhor"]).endswith("would leave 1 word")
    assert mistyped(SCORE, Rules.NORMAL, history, 1, ["zzzzz"]) == ""
    pegs = preset("mastermind")
    rule = pegs.feedback
    wrong = [("1122", rule.parse("4,0")), ("3344", rule.parse("1,0"))]
    told = mistyped(rule, Rules.NORMAL, wrong, 1, pegs.answers())
    assert told == "; turn 1 may be mistyped: 1122=1,0 would leave 48 codes"
    ends = [(word, SCORE.parse("ggggb")) for word in ("crane", "crank")]  # crane itself would have ended the game
    assert "turn 2" in mistyped(SCORE, Rules.NORMAL, ends, 0, ["crane", "crank"])
    hints = [("pesto", SCORE.parse("bbbbb")), ("email", SCORE.parse("ybbbb"))]  # a green e forbids email
    answers = Game.preset("classic").answers
    for rules, code, count in [(Rules.NORMAL, "BGBBB", 36), (Rules.HARD, "BYBBB", 34), (Rules.ULTRA_HARD, "BYBBB", 34)]:
        assert mistyped(SCORE, rules, hints, 1, answers).endswith(f"pesto={code} would leave {count} words")


def test_a_reply_that_no_word_can_bring(tmp_path: Path) -> None:
    for guess in ("title", "mamma", "allay"):
        seen = {SCORE.score(guess, word) for word in WORDS}
        assert [SCORE.format(code) for code in seen if in_order(SCORE, guess, code) != code] == []
    for guess, reply, right in (("title", "byyyg", "YYBYG"), ("mamma", "bbygb", "YBBGB"), ("title", "gybyb", "GYBYB")):
        assert SCORE.format(in_order(SCORE, guess, SCORE.parse(reply))) == right
    told = "of equal letters the first is the yellow one, as in "
    for command, typed in (("suggest", ""), ("play", "title=byyyg\n"), ("assist", "title byyyg\n")):
        done = run(tmp_path, command, *(() if typed else ("title=byyyg",)), typed=typed)
        assert f"(title=BYYYG): {told}title=YYBYG" in unwrapped(done.out + done.err)
    # After crane no e is left that might come first.
    done = run(tmp_path, "suggest", "crane=bbbbb", "geese=bbbby")
    assert "is the yellow one; turn 2 may be mistyped: geese=BBBBB would leave 173 words" in unwrapped(done.err)


# What players see


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_suggest_goes_on_with_other_words(tmp_path: Path) -> None:
    found = run_json(tmp_path, "suggest", "nyt", "tarse=gggbb")
    assert (found["listed"], found["candidates"], found["other_words"]) == (True, 3, 7)
    found = run_json(tmp_path, "suggest", "nyt", "tarse=ggggb")
    assert (found["listed"], found["candidate_words"], found["other_words"], found["total"]) == (False, ["tarsi"], 1, 1)
    told = unwrapped(run(tmp_path, "suggest", "nyt", "tarse=ggggb").out)
    assert "Not in the list of answers; this other word fits: tarsi." in told
    told = unwrapped(run(tmp_path, "suggest", "nyt", "tarse=gggbb").out)
    assert "All of this is for the answers in the list; 7 other words fit too." in told


@pytest.mark.parametrize("rules", list(Rules))
def test_advice_on_other_words_is_exact(rules: Rules) -> None:
    words = [*(letter + "ight" for letter in "bdflmnrst"), "blimp", "crane", "drums", "fjord"]
    game = Game.from_words(words, ["crane"], rules=rules)
    history = (("sight", SCORE.score("sight", "night")),)
    found = analyse(game, history)
    assert not found.listed
    assert found.candidates == fitting_words(SCORE, history, game.others)
    every = Game.from_words(words, found.candidates, rules=rules)
    alone = analyse(every, history)
    assert (found.missed is None) == (rules is Rules.NORMAL)
    assert (alone.missed, alone.total, alone.guesses[0].guess) == (found.missed, found.total, found.guesses[0].guess)


def test_debrief_says_where_the_list_ended(tmp_path: Path) -> None:
    words = ("debrief", "classic", "salet", "jaunt", "snafu")
    found = run_json(tmp_path, *words)
    assert (found["answer"], found["listed"], found["solved"]) == ("snafu", False, True)
    assert [turn["listed"] for turn in found["turns"]] == [True, True, False]
    assert [turn["candidates_after"] == 0 for turn in found["turns"]] == [False, True, False]
    assert found["turns"][1]["luck"] is found["turns"][1]["bits"] is found["luck"] is found["bits"] is None
    assert found["turns"][2]["candidates_before"] == 2
    told = unwrapped(run(tmp_path, *words).out)
    assert "jaunt: here the list of answers ends, and 2 other words may be meant;" in told
    grid = "\n".join(SCORE.pretty(SCORE.score(guess, "snafu")) for guess in words[2:])
    assert run_json(tmp_path, *words, "--grid", grid) == found


def test_debrief_of_an_answer_out_of_the_list_that_was_not_found() -> None:
    told = debrief("classic", "faxes", ["crane", "slate"])
    assert not told.listed
    assert "- 1.5000 still to come, if it were one of the 2 answers left in the list." in unwrapped(str(told))
    assert "if it were" not in str(debrief("classic", "crony", ["crane", "slate"]))


def test_play_goes_on_with_other_words(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "classic", "--answer", "Snafu")
    assert done.out.endswith("snafu  GGGGG\nNot in the list of answers; found all the same.\n")
    lost = run(tmp_path, "play", "nyt", "--answer", "zills")
    assert lost.status == 1
    assert lost.out.endswith("Not in the list of answers; not found within 6 guesses.\n")
    typed = "".join(f"{line.split()[-1]}\n" for line in lost.out.splitlines()[1:-1])
    told = unwrapped(run(tmp_path, "play", "nyt", typed=f"{typed}bbbbb\n").out)
    assert "The limit of 6 guesses is reached; not found: " in told
    assert run_json(tmp_path, "play", "nyt", "--answer", "zills", status=1)["solved"] is False


def test_a_player_goes_on_with_other_words() -> None:
    player = Player("nyt")
    with pytest.raises(ImpossibleFeedback, match=r"^no word fits tarse=GGGGY; turn 1 may be mistyped: tarse=GGGGB "):
        player.feed("ggggy")
    player.feed("ggggb")
    assert (player.listed, player.candidates, player.guess, player.outlook) == (
        False,
        ("tarsi",),
        "tarsi",
        "the only word left",
    )
    with pytest.raises(ImpossibleFeedback, match=r"no word fits tarsi=BBBBB after tarse=GGGGB"):
        player.feed("bbbbb")
    player.feed("ggggg")
    assert (player.solved, player.over, player.guess, player.turns[-1]) == (True, True, None, ("tarsi", 242))
    player.undo()
    player.undo()
    assert (player.listed, player.remaining) == (True, 3158)
    assert play_answer(player.tree, "crane").solved
    for answer, near in (("zzzzz", "$"), ("crnae", ": did you mean crane")):
        for call in (lambda answer: play_answer(player.tree, answer), lambda answer: debrief("nyt", answer, ["tarse"])):
            with pytest.raises(InputError, match=f"'{answer}' is not among the 14855 guesses of nyt2023{near}"):
                call(answer)


# Commands in the middle of a game


@pytest.mark.slow
def test_play_goes_over_to_advice_at_a_guess_of_ones_own(tmp_path: Path) -> None:
    told = unwrapped(run(tmp_path, "play", "classic", typed="salet bybyb\ncrane\nybgby\n:list\n:quit\n").out)
    assert "What was the feedback of crane?" in told
    assert "after salet=BYBYB crane=YBGBY: " in told
    for typed in ("crane=bbggg", "CRANE 00222"):
        found = run_json(tmp_path, "play", "classic", typed=f"{typed}\nplane\nggggg\n")
        assert (found["guesses"], found["feedback"]) == (["crane", "plane"], ["BBGGG", "GGGGG"])
        assert (found["solved"], found["answer"]) == (True, "plane")
    for command in ("play", "assist"):
        told = unwrapped(run(tmp_path, command, "classic", typed="crane\n:back\nbbggg\n:quit\n").out)
        assert "there is no command ':back': type :help" in told
        assert "after crane=BBGGG: " in told
    told = unwrapped(run(tmp_path, "play", "classic", typed="zzzzz=bbggg\nzzzzz\n").out)
    assert told.count("> 'zzzzz' is not among the 12972 guesses of classic. >") == 1


def test_play_changes_game_and_rules(tmp_path: Path) -> None:
    typed = ":hard\nhard\n:game nyt2022\ngame mastermind\n:hard\n:game zzz\n:game\nquit\n"
    told = run(tmp_path, "play", "classic", typed=typed).out
    firsts = [line for line in told.splitlines() if "Guess 1:" in line]
    assert [line.split()[2 + line.startswith(">")] for line in firsts] == ["salet", "salet", "salet", "tarse", "1123"]
    assert "classic (Wordle list of 2021), 2315 answers, hard rules." in told
    assert "unknown game 'zzz'" in told
    assert "name a game: there are classic, " in told
    assert "a game of kind mastermind has no hard rules" in unwrapped(told)
    assert "mastermind:4x7, 2401 answers" in run(tmp_path, "play", "mastermind:4x7").out
    (tmp_path / "own.txt").write_text("fight\nlight\nmight\nfilmy\n", encoding="utf-8")
    assert run(tmp_path, "solve", "--words", "own.txt", "--output", "own.msgpack").status == 0
    told = unwrapped(run(tmp_path, "play", "own.msgpack", typed=":hard\n").out)
    assert "there is no tree of own under hard rules: `optimal solve --words FILE --rules hard --output TREE`" in told


def test_play_keeps_the_turns_where_they_can_be(tmp_path: Path) -> None:
    told = unwrapped(run(tmp_path, "play", "nyt", typed="byybg\n:hard\nbrake bggbg\n:undo\n:undo\n").out)
    assert "hard rules, after tarse=BYYBG: 23 candidates" in told
    assert told.index("after tarse=BYYBG brake=BGGBG") < told.index("hard rules, first guess")
    found = run_json(tmp_path, "play", "nyt", typed="byybg\n:game nyt2022\ngrand=bgggb\n")
    assert (found["game"], found["guesses"], found["feedback"]) == ("nyt2022", ["tarse", "grand"], ["BYYBG", "BGGGB"])
    # Where they can't, one line says so; what is told at the end is of the new game.
    typed = "byybb\nbgbbb\n:hard\nbbbbb\n"
    told = unwrapped(run(tmp_path, "play", "nyt", typed=typed).out)
    assert "turn 2 is illegal under hard rules: 'blond' breaks the hint of turn 1, tarse=BYYBB: " in told
    assert "; so the game begins anew. " in told
    found = run_json(tmp_path, "play", "nyt", typed=typed)
    assert (found["rules"], found["feedback"]) == ("hard", ["BBBBB"])


def test_no_promise_of_what_may_not_be_found() -> None:
    player = Player("nyt")
    for reply in ("bgbyy", "bgygb", "ygbgb"):
        assert player.sure
        player.feed(reply)
    assert (player.sure, player.at_most, player.remaining) == (False, 3, 60)
    assert player.outlook == "60 words left that are not in the list, 3 guesses left; not known to be found"
    for reply in ("bbbbb", "bbbbb", "bgbgg"):
        player.feed(reply)
    assert (player.lost, player.sure) == (True, False)
    # Of eight words at most it is proven: here that all are found.
    player = Player("nyt")
    player.feed("ggggb")
    assert player.sure


def test_an_answer_that_does_not_fit_where_a_tree_begins() -> None:
    tree = solve_position("classic", "salet=bbbbb", first=["courd"]).tree
    assert tree is not None
    with pytest.raises(InputError, match=r"^'crane' does not fit salet=BBBBB, where this tree begins$"):
        play_answer(tree, "crane")


def test_assist_changes_game_and_rules_and_keeps_the_turns(tmp_path: Path) -> None:
    typed = "salet bybbb\n:hard\n:game nyt\ncrony=byybb\n:hard\n:game classic\n:game mastermind\n"
    typed += "crony=byybb\n:hard\n:hard now\n"
    found = run(tmp_path, "assist", "classic", "--top", "1", "--json", typed=typed)
    told = unwrapped(found.err)
    for asked in (
        "classic (Wordle list of 2021), hard rules, after salet=BYBBB: 102 candidates",
        "nyt2023 (New York Times list of July 2023), hard rules, after salet=BYBBB: 145 candidates",
        "illegal under hard rules: 'crony' breaks the hint of turn 1, salet=BYBBB: it needs an 'a'; normal rules stay.",
        "nyt2023 (New York Times list of July 2023), normal rules, after salet=BYBBB: 145 candidates",
        "'salet' is not among the 1296 guesses of mastermind",
        "such as 1116; classic stays.",
    ):
        assert asked in told


def test_commands_are_marked_where_a_word_could_be_meant(tmp_path: Path) -> None:
    words = ["game", "hard", "help", "list", "quit", "undo"]
    (tmp_path / "four.txt").write_text("\n".join(words), encoding="utf-8")
    run(tmp_path, "solve", "--words", "four.txt", "--openers", "quit", "-o", "four.msgpack")
    found = run_json(tmp_path, "play", "four.msgpack", typed="quit bbbb\n:undo\nquit\nquit=bbyg\n:quit\n")
    assert (found["guesses"], found["feedback"]) == (["quit"], ["BBYG"])
    for word in words:
        found = run_json(tmp_path, "assist", "--words", "four.txt", typed=f"{word}\ngggg\n")
        assert (found["solved"], found["answer"]) == (True, word)
    found = run_json(tmp_path, "assist", "--words", "four.txt", typed="game bbbb\n:UNDO\n:quit\n")
    assert found["turns"] == []
