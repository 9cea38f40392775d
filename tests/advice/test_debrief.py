"""Skill and luck: by the definitions, against the textbook solver, adding up exactly."""

from __future__ import annotations

import math
import random
import signal
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from games_util import as_code, letters_game, random_game
from positions_util import (
    Turns,
    candidates_after,
    chances_at,
    keys_at,
    random_turns,
    random_weights,
    shares_of,
)
from textbook import Textbook

from optimal.advice.analysis import analyse
from optimal.advice.debrief import debrief, grid_codes
from optimal.advice.review import ODD, TOO_MANY, WEIGHTLESS, Debrief, Turn
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights, weights_of
from optimal.search.progress import Progress
from optimal.search.result import Status


@pytest.fixture(scope="module")
def classic() -> Game:
    return Game.preset("classic")


@pytest.fixture
def no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the first guess of a classic game, which takes long to value without the shipped table."""
    monkeypatch.setattr("optimal.advice.debrief.MOST_CANDIDATES", 2000)


def expectation(textbook: Textbook, turns: Turns, limit: int | None) -> Fraction | None:
    """E of a position: 0 once solved, None where no tree is within the limit."""
    game = textbook.game
    if turns and turns[-1][1] == game.winning_code:
        return Fraction(0)
    found = textbook.best(turns, None if limit is None else limit - len(turns))
    return None if found is None else Fraction(found[0].total, weight_of(textbook, candidates_after(game, turns)))


def weight_of(textbook: Textbook, candidates: Sequence[int]) -> int:
    return sum(textbook.weights[answer] for answer in candidates)


def random_history(rng: random.Random, game: Game) -> tuple[str, Turns]:
    """A game at random, half of them solved: the answer and the turns."""
    turns = random_turns(rng, game, rng.randint(0, 4))
    answer = rng.choice(candidates_after(game, turns))
    if not turns or rng.random() < 0.5:
        turns.append((int(game.answer_guess[answer]), game.winning_code))
    return game.answers[answer], turns


def check(game: Game, textbook: Textbook, answer: str, turns: Turns, limit: int | None, found: Debrief) -> None:
    story = f"\n{as_code(game)}\n{answer}, {turns}, {limit}\n{found}"
    for number, (guess, _) in enumerate(turns):
        turn = found.turns[number]
        before, after = turns[:number], turns[: number + 1]
        left = None if limit is None else limit - number
        candidates = candidates_after(game, before)
        weight, unit = weight_of(textbook, candidates), shares_of(textbook, candidates)[1]
        key = keys_at(textbook, before, left)[guess]
        best = expectation(textbook, before, limit)
        assert turn.candidates_before == len(candidates), story
        assert turn.candidates_after == len(candidates_after(game, after)), story
        assert turn.expected_after == expectation(textbook, after, limit), story
        # Q by its definition, class by class; or what is missed.
        if key is None:
            assert left is not None
            raw = chances_at(game, before, left, textbook.weights)
            chances = {guess: (missed // unit, total // unit) for guess, (missed, total) in raw.items()}
            least = min(chances.values())
            assert (turn.missed, turn.total) == chances[guess], story
            assert (turn.best_missed or 0, turn.best_total) == (least if best is None else (0, turn.best_total)), story
            assert turn.chance_lost == Fraction(unit * (chances[guess][0] - least[0]), weight), story
            assert chances[guess] != least or turn.skill_score == 99, story
            assert turn.luck is None, story
        else:
            assert (turn.missed, turn.best_missed, turn.chance_lost) == (None, None, None), story
            assert turn.expected == Fraction(key.total, weight), story
            assert turn.best_expected == best, story
            q = Fraction(1)
            for code in {int(game.matrix[guess, a]) for a in candidates}:
                size = weight_of(textbook, [a for a in candidates if game.matrix[guess, a] == code])
                below = expectation(textbook, [*before, (guess, code)], limit)
                assert below is not None, story
                q += Fraction(size, weight) * below
            assert turn.expected == q, story
            assert turn.skill_loss == q - (best or 0), story
            assert turn.skill_loss >= 0, story
            assert turn.luck == q - 1 - (turn.expected_after or 0), story
            assert (turn.skill_loss == 0) == (turn.guess in turn.best_guesses), story
        if best is not None:
            canonical = textbook.best(before, left)
            assert canonical is not None
            assert turn.best_guess == game.guesses[canonical[1].guess], story
            ties = {g for g, k in keys_at(textbook, before, left).items() if k and k.total == canonical[0].total}
            assert set(turn.best_guesses) == {game.guesses[g] for g in ties}, story
        solved = turns[number][1] == game.winning_code
        seen = candidates_after(game, after)
        assert len(seen) == (1 if solved else turn.candidates_after), story
        assert turn.bits == pytest.approx(math.log2(weight / weight_of(textbook, seen))), story
    if found.skill_loss is not None and found.luck is not None and found.expected_left is not None:
        assert found.expected_start is not None
        assert found.guesses_used + found.expected_left == found.expected_start + found.skill_loss - found.luck, story
    if limit is None:
        assert found.skill_loss is not None, story
        assert found.luck is not None, story


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
def test_debriefs_are_those_of_the_textbook(rules: Rules) -> None:
    rng = random.Random(f"debrief {rules}")
    for _ in range(20):
        game = random_game(rng, rules)
        weights = random_weights(rng, game, 1)
        textbook = Textbook(game, None if weights is None else weights.values)
        answer, turns = random_history(rng, game)
        guesses = [game.guesses[guess] for guess, _ in turns]
        for limit in (None, rng.randint(len(turns), 6)):
            found = debrief(game, answer, guesses, limit=limit, jobs=rng.choice((1, 1, 2)), weights=weights)
            assert found.answer == answer
            assert found.solved == (turns[-1][1] == game.winning_code)
            check(game, textbook, answer, turns, limit, found)


@pytest.mark.usefixtures("no_start")
def test_a_game_of_the_classic_list(classic: Game) -> None:
    found = debrief(classic, "crony", ["raise", "tardy", "irony", "crony"])
    assert found.turns[0].note == TOO_MANY
    assert [turn.candidates_before for turn in found.turns] == [2315, 103, 4, 1]
    second = found.turns[1]
    assert (second.best_guess, second.total, second.best_total) == ("count", 308, 274)
    assert found.skill_loss == Fraction(308 - 274, 103) + Fraction(8 - 7, 4)
    assert (found.expected_start, found.first_valued) == (Fraction(274, 103), 1)
    assert Fraction(274, 103) + found.skill_loss - (found.luck or 0) == 3
    text = str(found)
    assert "Guess 3, irony: fair; better are crony, proxy; skill 74, luck 50." in text
    assert "Total: 4 guesses = 1 unvalued + 2.6602 expected + 0.5801 skill lost - 0.2403\nluck." in text
    assert found._repr_html_().count("<tr>") == 6


GRID = "Wordle 1,234 4/6*\n\n🟨⬛⬛⬛⬛\n⬛⬛🟨⬛🟩\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩\n\nhttps://example.org\n"


@pytest.mark.usefixtures("no_start")
def test_share_grids(classic: Game) -> None:
    guesses = ["raise", "tardy", "irony", "crony"]
    told = debrief(classic, "crony", guesses)
    assert debrief(classic, None, guesses, grid=GRID) == told
    assert debrief(classic, "crony", guesses, grid=GRID) == told
    light = GRID.replace("⬛", "⬜\N{VARIATION SELECTOR-16}").replace("🟨", "🟦").replace("🟩", "🟧")
    assert debrief(classic, None, guesses, grid=light) == told
    lettered = "classic 4/6\n\nr....\n..r.Y\n.RONY\n"
    for grid in ("ybbbb\nbbybg\n\nbgggg\nggggg", f"{lettered}CRONY", f"{lettered}GGGGG"):
        assert debrief(classic, None, guesses, grid=grid) == told
    assert grid_codes(classic, lettered, guesses) == grid_codes(classic, GRID)[:3]
    with pytest.raises(InputError, match=r"row 3 of the grid: feedback '.RONX': mark 2, 'r', is none of"):
        grid_codes(classic, lettered.replace("RONY", "RONX"), guesses)
    unsolved = debrief(classic, None, guesses[:3], grid="\n".join(GRID.splitlines()[:5]))
    assert (unsolved.answer, unsolved.solved, unsolved.guesses_used) == (None, False, 3)
    assert unsolved.expected_left == 1
    assert "3 guesses, not solved" in str(unsolved)
    assert grid_codes(Game.preset("mastermind"), "1,0\n4,0") == [5, 20]


def test_a_limit_leaves_chances() -> None:
    words = ["baker", "caker", "faker", "laker", "maker", "raker", "taker", "waker", "crane"]
    game = Game.from_words(words, words)
    found = debrief(game, "baker", ["crane", "caker"], limit=2)
    assert [(turn.missed, turn.best_missed, turn.chance_lost) for turn in found.turns] == [
        (6, 6, 0),
        (7, 6, Fraction(1, 7)),
    ]
    assert [turn.skill_score for turn in found.turns] == [99, 0]
    assert (found.skill_loss, found.luck, found.expected_start, found.turns[1].expected) == (None,) * 4
    assert "Guess 2, caker: a mistake; better are baker," in str(found)
    assert "Lost: the chance thrown away against a best guess. Bits:" in str(found)
    assert str(found).endswith("Total: 2 guesses, not solved.")
    wider = Game.from_words(sorted([*words, "flame"]), words)
    sooner = debrief(wider, "baker", ["caker", "baker"], limit=3)  # caker misses no more than flame
    assert (sooner.turns[0].chance_lost, sooner.turns[0].skill_loss) == (Fraction(0), Fraction(1, 3))
    assert "Lost: the chance, or where that is kept the guesses, thrown" in " ".join(str(sooner).split())
    # Within 8, a guess that tells nothing is one too many.
    lost = [turn.chance_lost for turn in debrief(game, "baker", ["crane", "caker", "baker"], limit=8)]
    assert lost == [None, Fraction(1, 7), Fraction(0)]


def test_a_guess_that_only_takes_longer_where_some_are_missed() -> None:
    game = Game.from_words(["catch", "hatch", "latch", "patch", "watch"], rules=Rules.HARD, max_guesses=3)
    found = debrief(game, "hatch", ["latch", "hatch"], weights=weights_of(game, {"hatch": 10}))
    assert [found.turns[0].chance_lost, found.turns[0].skill_loss] == [0, Fraction(3, 4)]
    assert "better is hatch, as likely to win but 0.7500 guesses sooner" in " ".join(str(found).split())


def test_a_guess_that_misses_what_weighs_nothing() -> None:
    """The best finds all, also what weighs nothing: a guess that does not can't be held against it."""
    game = Game.from_words(["bight", "dight", "eight", "fight", "befdx"], ["bight", "dight", "eight", "fight"])
    weights = Weights("file", (0, 5, 0, 1))
    for guess, total, note in (("dight", None, WEIGHTLESS), ("befdx", 12, None)):
        turn = debrief(game, "fight", [guess, "fight"], limit=2, weights=weights).turns[0]
        assert [turn.total, turn.best_total, turn.best_guess, turn.note] == [total, 12, "befdx", note]
        assert (turn.skill_loss is None) == (note is not None)
    within = analyse(game, limit=2, weights=weights)
    assert [(advice.guess, advice.total) for advice in within] == [("befdx", 12)]


def test_a_lost_game_with_the_answer_last(classic: Game) -> None:
    words = ["light", "might", "night", "sight", "right", "tight", "fight"]
    found = debrief(classic, "fight", words)
    assert (found.guesses_used, found.solved) == (6, False)
    assert found == debrief(classic, "fight", words[:6])
    assert [turn.chance_lost for turn in found][-2:] == [Fraction(3, 5), Fraction(0)]
    with pytest.raises(InputError, match=r"7 guesses, and the limit is 6: --max-guesses none"):
        debrief(classic, "eight", words)


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopped_at_any_time_it_tells_what_is_known(jobs: int) -> None:
    """What is marked proven is exact, and all else is of some tree."""
    game = letters_game("debrief", 250, 1)
    played = [game.answers[40], game.answers[90], game.answers[7]]
    whole = debrief(game, game.answers[7], played)
    assert (whole.status, whole.stop_reason) == (Status.OPTIMAL, "done")
    seen = set()
    for stop in [*range(0, 24, 1 if jobs == 1 else 4), 10**6]:
        calls = 0

        def progress(now: Progress) -> None:
            nonlocal calls
            calls += 1
            if calls == stop + 1:  # noqa: B023
                signal.raise_signal(signal.SIGINT)

        soon = debrief(game, game.answers[7], played, jobs=jobs, progress=progress)
        seen.add((soon.status, soon.stop_reason))
        if soon.status is Status.OPTIMAL:
            assert soon == whole
            continue
        for turn, exact in zip(soon.turns, whole.turns, strict=True):
            assert turn.candidates_after == exact.candidates_after
            for known, proven, best in (
                (turn.total, turn.proven, exact.total),
                (turn.best_total, turn.best_proven, exact.best_total),
            ):
                assert known == best if proven else known is None or (best is not None and known >= best)
            if turn.best_proven:
                assert turn.best_guesses == exact.best_guesses
            assert turn.skill_loss in (None, exact.skill_loss)
            assert turn.luck in (None, exact.luck)
        assert soon.luck is None
        assert soon.to_dict()["status"] == soon.status.value
    assert seen >= {(Status.OPTIMAL, "done"), (Status.FEASIBLE, "interrupted")}


def test_no_time_at_all(classic: Game, no_time: None) -> None:
    soon = debrief(classic, "crony", ["salet", "round", "crony"], table=False, time_limit=1e-6)
    assert (soon.status, soon.stop_reason) == (Status.UNKNOWN, "time limit")
    assert [turn.total for turn in soon.turns] == [None] * 3
    assert (soon.expected_start, soon.skill_loss, soon.luck) == (None, None, None)
    assert "Stopped, time limit: values with <= or >= may be beaten by best play" in " ".join(str(soon).split())
    # The shipped table takes no time.
    assert debrief(classic, "crony", ["salet"], time_limit=1e-6).turns[0].expected == Fraction(1584, 463)
    with pytest.raises(InputError, match="needs one guess at least"):
        debrief(classic, "crony", [])


def test_the_shipped_table_values_its_openers(classic: Game) -> None:
    found = debrief(classic, "crony", ["crane", "crony"])
    assert (found.turns[0].total, found.turns[0].best_guesses) == (7930, ("salet",))
    assert [turn.source for turn in found.turns] == ["table", "search"]
    assert "skill 99, luck 99; best by the shipped table." in " ".join(str(found).split())


def test_scores_and_bad_luck(classic: Game) -> None:
    found = debrief(classic, "crony", ["salet", "round", "irony", "crony"])
    assert [turn.luck_score for turn in found.turns] == [33, 38, 50, None]  # -0.33, -0.23, 0, and nothing was open
    assert [turn.skill_score for turn in found.turns] == [99, 98, 99, 99]
    assert (found.skill_score, found.luck_score, found.bits) == (99, 40, math.log2(2315))
    lines = str(found).splitlines()
    assert lines[-1] == "Total: 4 guesses = 3.4212 expected + 0.0136 skill lost + 0.5653 bad luck."
    assert lines[6].split() == ["sum", "0.0136", "-0.5653", "11.18"]
    # A word that may be the answer is named before those that can't.
    assert found.turns[2].possible_best == ("crony", "irony", "prong", "wrong")
    told = "Guess 3, irony: a best guess, as are crony, prong, wrong, aping, aspic and 195 more;"
    assert told in " ".join(lines)
    words = Game.from_words(["abcdefghij", "abcdefghik", "abcdefghil"], ["abcdefghij", "abcdefghik"])
    for text in (str(found), str(debrief(words, "abcdefghik", ["abcdefghij", "abcdefghik"]))):
        assert max(map(len, text.splitlines())) <= 80


def test_grades_begin_where_the_page_has_them(classic: Game) -> None:
    turn = debrief(classic, "gleam", ["salet", "ronne", "folly", "sneak", "krone", "fuzzy"]).turns[3]
    assert (turn.loss, turn.grade) == (Fraction(7, 10), "weak")


def test_an_answer_that_is_not_in_the_list_is_no_weak_guess(classic: Game) -> None:
    found = debrief(classic, "aahed", ["salet", "aahed"])
    last = found.turns[-1]
    assert [last.note, last.skill_score, last.grade] == [ODD, None, None]
    assert "here the list of answers ends; the answer is not in the list, so nobody could know." in " ".join(
        str(found).split()
    )


def test_scores_have_an_end() -> None:
    few = Turn("a", "B", 4, 1, 4, 1, True, 12, 4, Fraction(5), ("b",), None, "search")
    assert few.skill_loss == 2
    assert few.luck == -3
    assert (few.skill_score, few.luck_score) == (0, 0)
    assert replace(few, expected_after=Fraction(0)).luck_score == 99
    assert replace(few, total=None).skill_score is None


def test_the_chance_before_an_answer_from_outside_the_list() -> None:
    """Of seven candidates four are found at best; that is no mean of a game won for sure."""
    found = debrief(Game.preset("classic", "hard"), "bight", ["light", "might", "bight"])
    assert found.turns[-1].best_missed == 3
    (row,) = [line for line in str(found).splitlines() if line.startswith("bight ")]
    assert row.split()[4:6] == ["-", "57"]
