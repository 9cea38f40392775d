"""suggest, rank, debrief, assist and solve --position as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_util import run, run_json

from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.presets import preset
from optimal.search.known_openers import best_of_shipped_tree
from optimal.trees.tree import StrategyTree

SCORE = WordFeedback(5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small lists of words."""
    here = tmp_path_factory.mktemp("positions")
    answers = preset("classic-answers").answers()[::40]
    (here / "g.txt").write_text("\n".join(preset("classic-answers").answers()[::10]), encoding="utf-8")
    (here / "a.txt").write_text("\n".join(answers), encoding="utf-8")
    return here


LISTS = ("--guesses", "g.txt", "--answers", "a.txt")


# suggest


def test_turns_and_words_may_go_on_after_an_option(folder: Path) -> None:
    turns = run_json(folder, "suggest", "classic", "salet=bybbb", "--top", "3", "crony=byybb")
    assert turns["candidate_words"] == ["abhor", "board", "borax", "hoard"]
    told = run_json(folder, "debrief", "classic", "salet", "--max-guesses", "6", "crony", "abhor")
    assert [turn["guess"] for turn in told["turns"]] == ["salet", "crony", "abhor"]


# rank


def test_rank_all_the_best_and_from_a_journal(folder: Path) -> None:
    every = run_json(folder, "rank", *LISTS, "--all-openers", "--journal", "all.journal")
    assert len(every["openers"]) == 232
    assert run_json(folder, "rank", *LISTS, "--all-openers", "--journal", "all.journal")["openers"] == every["openers"]
    best = run(folder, "rank", *LISTS, "--top", "2", "-v")
    assert (every["openers"][0]["guess"] in best.out, "nodes" in best.err) == (True, True)
    other = run(folder, "rank", *LISTS, "--journal", "all.journal", "--rules", "hard")
    assert (other.status, other.out) == (2, "")
    assert other.err == (
        "optimal rank: the journal all.journal belongs to another question: its rules is 'normal', here it is 'hard'\n"
    )


def test_rank_where_no_opener_finds_all(folder: Path) -> None:
    best = run_json(folder, "rank", *LISTS, "--max-guesses", "2", "--top", "1")["openers"][0]
    assert best["mean"] == best["total"] / (58 - best["missed"])
    assert f"  {best['missed']}  " in run(folder, "rank", *LISTS, "--max-guesses", "2", best["guess"]).out
    kept = run_json(folder, "rank", *LISTS, "--max-guesses", "2", "--journal", "two.journal", status=1)
    assert (kept["status"], kept["openers"]) == ("INFEASIBLE", [])


# debrief


def test_rank_where_what_is_missed_cannot_be_counted(folder: Path) -> None:
    words = (folder / "a.txt").read_text().split()
    (folder / "huge.txt").write_text("".join(f"{word} {2**52}\n" for word in words))
    done = run(folder, "rank", "--top", "2", *LISTS, "--max-guesses", "2", "--weights", "huge.txt")
    assert done.status == 1, done.err
    assert "the weights are too much to count what is missed: scale them down" in done.out


def test_debrief_takes_guesses_in_playing_order(folder: Path) -> None:
    answer = (folder / "a.txt").read_text().split()[7]
    words = [word for word in (folder / "g.txt").read_text().split() if word != answer]
    guesses = [words[3], words[50]]
    again = run(folder, "debrief", guesses[0], *guesses, answer, *LISTS)  # a guess made twice is no answer
    assert (again.status, again.err) == (0, "")
    assert "Total: 4 guesses = " in again.out
    old = run(folder, "debrief", answer, *guesses, answer, *LISTS)
    new = run(folder, "debrief", *guesses, answer, *LISTS)
    assert (new.status, new.out, new.err) == (0, old.out, "")
    assert f"{answer} is taken for the answer, and {' '.join(guesses)} {answer} for the guesses" in old.err
    # Not solved: the answer by name, or with a grid at the end.
    odd = next(word for word in words if word not in (folder / "a.txt").read_text().split())
    told = run(folder, "debrief", *guesses, odd, "--answer", answer, *LISTS)
    assert "3 guesses, not solved" in told.out
    grid = "\n".join(SCORE.format(SCORE.score(guess, answer)) for guess in (*guesses, odd))
    assert run(folder, "debrief", *guesses, odd, answer, "--grid", grid, *LISTS).out == told.out
    assert run(folder, "debrief", answer, *guesses, odd, "--grid", grid, *LISTS).out == told.out


def test_a_last_guess_that_only_the_grid_knows_is_told(folder: Path) -> None:
    rows = [SCORE.format(SCORE.score(guess, "thrum")) for guess in ("salet", "round", "thrum")]
    told = run(folder, "debrief", "salet", "round", "--grid", "\n".join(rows))
    others = ["furth", "hurty", "murth", "murti", "purty", "turfy", "virtu"]
    assert all([SCORE.format(SCORE.score(guess, word)) for guess in ("salet", "round")] == rows[:2] for word in others)
    what = "thrum is taken for the last guess, as the one answer in the list that fits"
    assert f"{what}; {len(others)} other words fit too" in told.err


def test_the_star_of_a_grid_stands_for_hard_rules(folder: Path) -> None:
    rows = [SCORE.pretty(SCORE.score(guess, "crony")) for guess in ("irony", "crony")]
    grid = "\n".join(["Wordle 1,234 2/6{}", "", *rows])
    for star, rules in (("", "normal"), ("*", "hard")):
        assert run_json(folder, "debrief", "classic", "irony", "crony", "--grid", grid.format(star))["rules"] == rules
    named = run_json(folder, "debrief", "classic", "irony", "crony", "--grid", grid.format("*"), "--rules", "normal")
    assert named["rules"] == "normal"
    assert run_json(folder, "play", "classic", "--hard", "--answer", "crane")["rules"] == "hard"


def test_the_game_may_come_first_or_as_an_option(folder: Path) -> None:
    game = "mastermind:2x3"
    for name, *rest in (("suggest", "12=1,0"), ("debrief", "12", "13"), ("rank", "--top", "1")):
        placed = run(folder, name, game, *rest)
        assert placed.status == 0, placed.err
        assert placed.out == run(folder, name, *rest, "--game", game).out
    for named in ("play classic", "play --game classic", "play classic-normal"):
        told = run(folder, *named.split(), "--answer", "crane").out
        assert told.startswith("classic (Wordle list of 2021), 2315 answers, normal rules\n1. salet  BYBYB\n")
    assert run(folder, "play", "classic", "--rules", "Ultra_Hard", "--answer", "crane").status == 0


def test_used_answers_leave_no_first_guess_worse_than_the_shipped_tree(folder: Path, no_time: None) -> None:
    used = ["cigar", "rebut", "sissy", "humph"]
    (folder / "four.txt").write_text("\n".join(used))
    asked = ("suggest", "classic", "--used", "four.txt", "--time-limit", "0.000001")
    found = run_json(folder, *asked, status=3)["guesses"][0]
    tree = StrategyTree.load("classic-normal")
    total = sum(len(tree.path(answer)) * (1 if answer in used else 10) for answer in tree.answers)
    assert (found["guess"], found["total"], found["proven"]) == ("salet", total, False)
    within = json.loads(run(folder, *asked, "--max-guesses", "4", "--json").out)["guesses"]
    assert "salet" not in [guess["guess"] for guess in within]  # its tree needs five guesses


def test_players_commands_speak_of_todays_list(folder: Path) -> None:
    """Without a game they take the newest list of the New York Times; all others take the classic one."""
    titled = "nyt2023 (New York Times list of July 2023)"
    told = run(folder, "play", "--answer", "crane").out
    assert told.startswith(f"{titled}, 3158 answers, normal rules\n1. tarse  ")
    assert run(folder, "play", "nyt", "--answer", "crane").out == told
    for words in (("suggest", "tarse=gggbb"), ("debrief", "tarse", "crane"), ("assist",)):
        assert run(folder, *words, typed="quit\n").out.startswith(f"{titled}, "), words
    assert run(folder, "rank", "--openers", "salet").out.startswith("classic (Wordle list of 2021), ")
    assert run_json(folder, "games")["aliases"] == {"nyt": "nyt2023"}


def test_a_page_without_a_tree_is_for_todays_list_and_the_classic_one(folder: Path) -> None:
    assert run(folder, "export", "-o", "page.html").status == 0
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert re.findall(r'data-name="(\S+)" data-title="', page) == ["nyt2023-normal", "classic-normal"]


@pytest.mark.parametrize("command", ["debrief", "rank", "report"])
def test_words_may_have_commas(folder: Path, command: str) -> None:
    words = (folder / "a.txt").read_text().split()[:3]
    plain = run_json(folder, command, *words, *LISTS)
    for typed in ([*(f"{word}," for word in words[:-1]), words[-1]], [",".join(words)]):
        assert run_json(folder, command, *typed, *LISTS) | {"seconds": 0} == plain | {"seconds": 0}


# assist


def test_assist(folder: Path) -> None:
    typed = [
        "undo",  # what is not there
        "salet=bybbb",
        "crony",  # a guess of one's own
        "byybb",  # and its feedback
        "list",
        "undo",
        "crony byybb",
        "help",
        "nonsense",
        "salet=ggggg",
        "board=bbbbb",
        "undo",
        "undo",
        "salet .a... crony .ro..",
        "board=ggggg",
    ]
    done = run(folder, "assist", "classic", "--top", "2", typed="\n".join(typed) + "\n")
    assert (done.status, done.err) == (0, "")
    assert "after salet=BYBBB: 102 candidates, 5 guesses left" in " ".join(done.out.split())
    assert "there is nothing to undo" in done.out
    assert "What was the feedback of crony?" in done.out
    assert " ".join(done.out.split()).count("after salet=BYBBB crony=BYYBB: 4 candidates, 4 guesses left") == 3
    assert "4: abhor board borax hoard" in done.out
    assert "contradict each other: no word fits both" in " ".join(done.out.split())
    for told, times in (("b for grey, y for yellow, g for green", 2), ("Bits: what a reply", 1)):  # help tells again
        assert " ".join(done.out.split()).count(told) == times
    assert done.out.endswith("Solved in 3: board.\n\nclassic 3/6\n\n⬛🟨⬛⬛⬛\n⬛🟨🟨⬛⬛\n🟩🟩🟩🟩🟩\n")


def test_assist_ends_with_the_limit(folder: Path) -> None:
    done = run(folder, "assist", "classic", "--max-guesses", "2", typed="salet=bybbb\ncrony=byybb\nboard=bbbbb\nquit\n")
    assert done.status == 0
    ultra = run(folder, "assist", *LISTS, "--rules", "ultra-hard", typed=":hard\n:hard\n:hard\n:quit\n").out
    assert re.findall("([a-z-]+) rules, first", ultra) == ["ultra-hard", "hard", "normal", "hard"]
    left = "No guess is left; not found: abhor, board, borax, hoard; 27 other words fit too. Type :undo or :quit."
    assert left in " ".join(done.out.split())
    assert "that would be guess 3, and the limit is 2." in done.out
    argued = run(folder, "assist", *LISTS, typed=":hard on\n:undo 2\n:quit\n").out
    assert ":hard takes nothing behind it." in argued
    assert ":undo takes nothing behind it." in argued
    over = run(folder, "assist", "classic", "--max-guesses", "1", "--json", typed="salet=bybbb\ncrony\n:quit\n")
    assert json.loads(over.out)["advice"] is None
    assert "no guess is left: 1 are made, and the limit is 1" in over.err


@pytest.mark.parametrize(
    ("heading", "told", "last"),
    [
        ("9 2/6", None, "ggggg"),
        ("9/6 2/5", None, "ggggg"),
        ("9 2/6 *", None, "ggggg"),
        ("9 **2/6**", None, "ggggg"),
        ("9 3/6", "the grid has 2 rows, but its heading counts 3: is it whole?", "ggggg"),
        ("9 X/6", "the grid has 2 rows, but its heading counts X: is it whole?", "ggggg"),
        ("9 X/6", "the grid has 1 row and no solution, but its heading counts X: is it whole?", ""),
    ],
)
def test_a_grid_without_rows_that_its_heading_counts(folder: Path, heading: str, told: str | None, last: str) -> None:
    grid = f"{heading}\nbbbbb\n{last}\n"
    done = run(folder, "debrief", "classic", "salet", "crony", "--grid", grid)
    assert done.err == ("" if told is None else f"{told}\n")


def test_a_turn_typed_with_other_feedback_is_a_correction(folder: Path) -> None:
    typed = "salet=bybbb\ncrony=bybby\nsalet=bbbbb\nsalet=bybbb crony=byybb\n:quit\n"
    done = run(folder, "assist", "classic", typed=typed)
    told = " ".join(done.out.split())
    assert "after salet=BBBBB crony=BYBBY: " in told
    assert "after salet=BYBBB crony=BYYBB: " in told
    twice = run(folder, "assist", "classic", typed="salet=bybbb salet=bbbbb\n:quit\n")
    assert "a guess is typed with two replies: give one." in twice.out
    # Of a turn with the same feedback nothing is doubled.
    talk = run_json(folder, "assist", "classic", typed="salet=bybbb\ncrony=bybby\nsalet=bybbb crony=byybb\n:quit\n")
    assert [turn["guess"] for turn in talk["turns"]] == ["salet", "crony"]


@pytest.mark.parametrize(
    "once_more", ["salet=bybbb crony=byybb", "crony=byybb board=ggyyb", "crony=byybb", "crony\nbyybb"]
)
def test_turns_that_are_typed_once_more_count_once(folder: Path, once_more: str) -> None:
    typed = f"salet=bybbb\ncrony=byybb\n{once_more}\n:quit\n"
    done = run(folder, "assist", "classic", "--json", typed=typed)
    guesses = ["salet", "crony", "board"][: 3 if "board" in typed else 2]
    assert [turn["guess"] for turn in json.loads(done.out)["turns"]] == guesses
    assert ("That is there already: a guess counts once." in done.err) is ("board" not in typed)


@pytest.mark.parametrize("command", [":best", ":hard", ":game nyt"])
def test_a_guess_that_was_made_is_asked_for_again(folder: Path, command: str) -> None:
    done = run(folder, "assist", "classic", "--json", typed=f"crane=bybbb\nshirt\n{command}\nbbyyb\n:quit\n")
    assert [turn["guess"] for turn in json.loads(done.out)["turns"]] == ["crane", "shirt"]
    assert done.err.count("What was the feedback of shirt?") == 2


@pytest.mark.parametrize("command", ["assist", "play"])
def test_feedback_alone_after_a_refused_guess_is_not_of_the_advised_one(folder: Path, command: str) -> None:
    typed = "salet=bybbb\ncrwny\nbyybb\nroger=ggggg\nbyybb\ncrony\nbyybb\n:quit\n"
    done = run(folder, command, "classic", "--json", typed=typed)
    assert " ".join(done.err.split()).count("name the guess that brought this") == 2
    fields = json.loads(done.out)
    turns = fields.get("turns") or [{"guess": guess} for guess in fields["guesses"]]
    assert [turn["guess"] for turn in turns] == ["salet", "crony"]


@pytest.mark.slow
def test_answers_used_before_and_weights(folder: Path) -> None:
    words = (folder / "a.txt").read_text().split()
    (folder / "used.txt").write_text("\n".join(words[::2]))
    (folder / "weights.txt").write_text("\n".join(f"{word} {10 - 9 * (n % 2 == 0)}" for n, word in enumerate(words)))
    for command in (["suggest", "--top", "3"], ["rank", "--top", "3"], ["debrief", words[0], words[-1]]):
        used, weighed = (
            run(folder, *command, *LISTS, *by, "--json")
            for by in (("--used", "used.txt"), ("--weights", "weights.txt"))
        )
        assert "29 of 58 answers were used before and count 1/10" in used.err
        assert used.status == weighed.status == 0
        a, b = json.loads(used.out), json.loads(weighed.out)
        assert {**a, "seconds": 0, "nodes": 0} == {**b, "seconds": 0, "nodes": 0}
    left_out = run(folder, "rank", "--top", "1", *LISTS, "--used", "used.txt", "--used-weight", "0")
    assert "29 of 58 answers were used before, and are left out" in left_out.err
    assert "29 answers" in left_out.out
    assert "rules, weighted, within" in run(folder, "rank", "--top", "1", *LISTS, "--weights", "weights.txt").out
    plain = run_json(folder, "solve", *LISTS, "--used", "used.txt", "--used-weight", "1")
    assert (plain["weights"], plain["total"]) == ("uniform", run_json(folder, "solve", *LISTS)["total"])
    told = run(folder, "assist", *LISTS, "--used", "used.txt", typed=":hard\n:q\n")
    assert told.out.count("rules, weighted, first guess") == 2
    assert told.out.count(f"count by weight; all candidates together weigh {10 * len(words) - 9 * 29}.") == 2
    game = run_json(folder, "suggest", "--game", "classic", "--answers", "a.txt", "--json")
    assert (game["game"], game["candidates"]) == ("a", len(words))
    for options, why in (
        (("--used-weight", "1/2"), "goes with --used FILE"),
        (("--used", "used.txt", "--weights", "frequency"), "leave out --weights"),
    ):
        assert why in run(folder, "suggest", *options).err
    assert "leave out --answers" in run(folder, "suggest", "mastermind", "--answers", "a.txt").err
    every = run(folder, "suggest", "--game", "nyt", "--answers", "a.txt", "--candidates", "guesses").err
    assert "--candidates guesses makes every guess an answer: leave out --answers" in every


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ("", ""),
        (" --rules hard", ""),
        (" --max-guesses 5", ""),
        (" --rules hard --max-guesses none", ""),
        ("", " --used used.txt"),
        (" --max-guesses 5", " --used used.txt --used-weight 0"),
    ],
)
def test_guesses_off_a_tree_of_own_lists(folder: Path, options: str, more: str) -> None:
    (folder / "used.txt").write_text("aback\n")
    options, named = f"{options}{more}", options
    assert run(folder, "solve", "--words", "a.txt", *options.split(), "--output", "own.msgpack").status == 0
    begun = run(folder, "play", "own.msgpack", "--answer", "abhor").out.split()
    other = next(word for word in (folder / "a.txt").read_text().split() if word not in begun)
    told = run(folder, "play", "own.msgpack", typed=f"{other}=bbbbb\n:quit\n")
    cure = f"need its lists: `optimal assist --words FILE{named}`, or --guesses and --answers"
    cure += ", with the --used or --weights that made the tree." if more else "."
    assert cure in " ".join((told.out + told.err).split())


def test_guesses_off_a_weighted_tree_of_a_position(folder: Path) -> None:
    (folder / "some.txt").write_text("\n".join(Game.preset("classic").answers[::2]))
    used, after = ("--used", "some.txt"), ("--position", "salet=ggbbb", "--max-guesses", "6")
    assert run(folder, "solve", "classic", *used, *after, "--output", "late.msgpack").status == 0
    begun = run(folder, "play", "late.msgpack", typed="gabby=bgbbg\n:quit\n")
    assert "take `optimal assist` with the --used or --weights that made the tree." in " ".join(begun.out.split())
    told = run(folder, "play", "late.msgpack", *used, typed="gabby=bgbbg\n:quit\n")
    assert "rules, weighted, after salet=GGBBB gabby=BGBBG" in " ".join(told.out.split())
    strict = run(folder, "play", "late.msgpack", *used, typed=":hard\n:quit\n")
    assert "hard rules, weighted, after salet=GGBBB" in " ".join(strict.out.split())
    assert "answers left, normal rules, weighted. Type" in " ".join(strict.out.split())


@pytest.mark.parametrize(
    ("name", "rules", "left"), [("classic-hard-within5", "normal", 4), ("classic-answers", "hard", 5)]
)
def test_other_rules_where_no_tree_ships_for_them(folder: Path, name: str, rules: str, left: int) -> None:
    """Advice goes on, within the limit of the tree."""
    told = run(folder, "play", name, typed=":hard\nstale=bbbbb\n:quit\n")
    found = f"{rules} rules, after stale=BBBBB: [0-9]+ candidates, {left} guesses left"
    assert re.search(found, " ".join(told.out.split()))


def test_a_mistyped_turn_is_no_command(folder: Path) -> None:
    told = run(folder, "play", "classic", typed="best bybbb\n:quit\n")
    assert "turn 1: 'best' is not among the 12972 guesses" in " ".join(told.out.split())


@pytest.mark.slow
def test_guesses_off_a_tree_without_used_answers(folder: Path) -> None:
    (folder / "most.txt").write_text("\n".join(Game.preset("classic").answers[40:]))
    used = ("--used", "most.txt", "--used-weight", "0")
    assert run(folder, "solve", "classic", *used, "--output", "few.msgpack").status == 0
    typed = "abide\ngbbbb\n:quit\n"
    told = run(folder, "play", "few.msgpack", *used, typed=typed)
    assert "classic-used, normal rules, after abide=GBBBB" in told.out
    for more, why in (((), "need the answers used before: --used FILE"), ((*used[:2],), "are other ones than those")):
        refused = run(folder, "play", "few.msgpack", *more, typed=typed)
        assert why in " ".join((refused.out + refused.err).split())


def test_the_shipped_tree_tells_the_best_first_guess_where_no_table_does(folder: Path, no_time: None) -> None:
    asked = ("nyt2023", "--rules", "ultra-hard", "--time-limit", "0.000001")
    found = run_json(folder, "suggest", *asked, status=3)
    best = found["guesses"][0]
    assert (best["guess"], best["total"], best["worst"], best["proven"]) == ("plast", 11663, 6, True)
    assert (found["source"], found["others_bound"]) == ("tree", 11663)
    told = " ".join(run(folder, "assist", *asked, typed=":quit\n").out.split())
    assert "plast begins the shipped tree, which is proven to be the best." in told
    assert "The others are not proven yet: type :best to search on" in told
    assert "Stopped, time limit: others may be as good, but none is better." in told
    for guess, exact in (("plast", True), ("qajaq", False)):
        turn = run_json(folder, "debrief", "nyt2023", guess, "crony", *asked[1:], status=3)["turns"][0]
        assert (turn["proven"], turn["best_proven"], turn["best_guess"]) == (exact, True, "plast")
    game = Game.preset("nyt2023", "ultra-hard")
    assert best_of_shipped_tree(game.with_rules("ultra-hard", 5)) is None
    # A tree of the least worst case, and one whose own limit is wider, are the best within five guesses, too.
    for name, rules, limit, total in (
        ("nyt2023", "normal", 5, 11237),
        ("classic", "normal", 5, 7920),
        ("classic", "hard", 5, 8206),
        ("classic", "hard", 6, 8122),
        ("classic", "hard", 7, None),
        ("nyt2023", "normal", 6, 11219),
        ("nyt2023", "normal", None, None),
        ("nyt2022", "normal", 5, None),
    ):
        shipped = best_of_shipped_tree(Game.preset(name).with_rules(rules, limit))
        assert (None if shipped is None else shipped.total) == total
    assert run_json(folder, "suggest", *asked, "--no-table", status=1)["guesses"] == []


@pytest.mark.parametrize("command", [("solve", "--position"), ("plot", "-o", "x.svg", "classes", "about")])
def test_a_hint_names_an_option_of_its_command(folder: Path, command: tuple[str, ...]) -> None:
    if command[0] == "plot":
        pytest.importorskip("matplotlib", reason="needs matplotlib, the extra `plot`")
    answers, guesses = ((folder / name).read_text().split() for name in ("a.txt", "g.txt"))
    turns = ((guess, SCORE.score(guess, odd)) for guess in guesses for odd in guesses if odd not in {*answers, guess})
    guess, code = next(turn for turn in turns if all(SCORE.score(turn[0], word) != turn[1] for word in answers))
    asked = (*command, f"{guess}={SCORE.format(code)}", *LISTS)
    done = run(folder, *asked)
    assert (done.status, "(--candidates guesses)" in done.err) == (2, True)
    assert run(folder, *asked, "--candidates", "guesses").status == 0


def test_assist_counts_turns_from_the_start_and_ends_its_sentences(folder: Path) -> None:
    answer = (folder / "a.txt").read_text().split()[0]
    first = next(word for word in (folder / "g.txt").read_text().split() if word != answer)
    reply = SCORE.format(SCORE.score(first, answer))
    told = run(folder, "assist", *LISTS, typed=f"{first}={reply}\n{answer}=qqqqq\n{answer[::-1]}z\n").out
    assert f"turn 2, '{answer}': feedback 'qqqqq'" in " ".join(told.split())
    assert "?." not in told
