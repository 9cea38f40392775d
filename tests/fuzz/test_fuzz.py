"""A fixed share of the fuzzing, and the fuzzer itself: that it repeats itself, finds flaws and makes them small."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import fuzz
import pytest
from fuzz_checks import Failure, Skipped, TextbookCase
from fuzz_games import Question, Spec

from optimal.games.game import Game
from optimal.search.result import Result

#: Cases of each kind, some ten seconds in all.
SHARE = {
    "textbook": 80,
    "advice": 24,
    "switches": 12,
    "stops": 8,
    "slices": 8,
    "files": 800,
    "journals": 40,
    "tables": 40,
}
BATCHES = 4


def test_every_kind_has_its_share() -> None:
    assert SHARE.keys() == fuzz.KINDS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("kind", SHARE)
def test_a_share(kind: str, batch: int) -> None:
    done = Counter[str]()
    index = -1
    seed = f"tests {batch}"
    while done.total() < SHARE[kind] // BATCHES:
        index += 1
        if fuzz.kind_of(index) != kind:
            continue
        outcome = fuzz.outcome_of(fuzz.case_of(seed, index))
        if isinstance(outcome, Failure):
            pytest.fail(fuzz.told(seed, index, fuzz.shrunk(outcome, 20)), pytrace=False)
        done["skipped" if isinstance(outcome, Skipped) else "alike"] += 1
    assert done["skipped"] <= done.total() // 5 + 1, done


def test_a_case_is_the_same_every_time() -> None:
    for index in range(2 * sum(fuzz.ROUND.values())):
        assert fuzz.case_of("again", index) == fuzz.case_of("again", index)
    assert fuzz.case_of(1, 0) != fuzz.case_of(2, 0)


def test_a_flaw_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = Question.asked

    def flawed(question: Question, game: Game, **more: object) -> Result:
        """A total too many where "ca" and "bb" are answers."""
        result = sound(question, game, **more)
        if result.value is None or not {"ca", "bb"} <= set(game.answers):
            return result
        return replace(result, value=(*result.value[:-1], result.value[-1] + 1))

    monkeypatch.setattr(Question, "asked", flawed)
    words = tuple(a + b for a in "abcd" for b in "abc")
    weights = tuple((word, 2) for word in words)
    case = TextbookCase(Spec((*words, "xy"), words), Question(6, "within:3", ("ab", "xy"), weights, jobs=2))
    failure = fuzz.outcome_of(case)
    assert isinstance(failure, Failure)
    assert failure.category == "value"
    small = fuzz.shrunk(failure).case
    assert small == TextbookCase(Spec(("bb", "ca"), ("bb", "ca")), Question(objective="within:1"))
    told = fuzz.told("here", 7, failure)
    assert "python tests/fuzz/fuzz.py --seed here --only 7" in told
    compile(small.code(), "reproduction", "exec")
