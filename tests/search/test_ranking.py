"""Rankings of first guesses against the textbook solver."""

from __future__ import annotations

import random
import signal
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from games_util import as_code, random_game, word_game
from positions_util import Turns, candidates_after, chances_at, keys_at
from textbook import Textbook

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.progress import Progress
from optimal.search.ranking import Ranking, rank
from optimal.search.result import Status
from optimal.search.root_search import least_totals

LIMITS = (None, 1, 2, 3, 4, 6)


def rows(ranking: Ranking) -> list[tuple[str, int | None, int | None]]:
    return [(opener.guess, opener.rank, opener.total) for opener in ranking.openers]


def expected(game: Game, textbook: Textbook, limit: int | None) -> list[tuple[str, int | None, int | None]]:
    """All guesses in rank order: by total, a possible answer first, then in list order; infeasible ones last."""
    keys = keys_at(textbook, [], limit)
    totals = {guess: None if key is None else key.total for guess, key in keys.items()}
    feasible = sorted(total for total in totals.values() if total is not None)
    answers = set(game.answer_guess.tolist())
    order = sorted(
        totals, key=lambda g: ((total := totals[g]) is None, 0 if total is None else total, g not in answers, g)
    )
    return [
        (game.guesses[g], None if (total := totals[g]) is None else 1 + feasible.index(total), total) for g in order
    ]


def check_missing(
    game: Game, found: Ranking, limit: int | None, top: int | None, story: str, chosen: Sequence[str] = ()
) -> None:
    """Compare a ranking where no opener finds every answer with what each of them misses."""
    every = chances_at(game, [], limit or 0)
    chances = {guess: every[guess] for guess in every if not chosen or game.guesses[guess] in chosen}
    ranked, count = sorted(chances.values()), len(game.answers)
    listed = [value for value in ranked if value <= ranked[:top][-1]]
    assert [(opener.missed, opener.total) for opener in found] == listed, story
    for opener in found:
        assert chances[game.guess_index(opener.guess)] == (opener.missed, opener.total), story
        assert opener.rank == 1 + ranked.index((opener.missed or 0, opener.total or 0)), story
        assert opener.win_chance == Fraction(count - (opener.missed or 0), count), story
        assert (opener.bound, opener.status) == (None, Status.OPTIMAL), story
    assert (found.missed, found.chance) == (found[0].missed, found[0].win_chance), story
    assert (found.status, found.others, found.others_bound) == (Status.OPTIMAL, len(chances) - len(listed), None), story


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
def test_rankings_are_those_of_the_textbook(rules: Rules) -> None:
    rng = random.Random(f"ranking {rules}")
    for _ in range(30):
        game = random_game(rng, rules)
        textbook = Textbook(game)
        for limit in rng.sample(LIMITS, 2):
            story = f"\n{as_code(game)}\nlimit {limit}"
            wanted = expected(game, textbook, limit)
            jobs = rng.choice((1, 1, 2))
            every = rank(game, all_openers=True, limit=limit, jobs=jobs)
            if not any(row[2] is not None for row in wanted):
                check_missing(game, every, limit, None, story)
                check_missing(game, rank(game, top=2, limit=limit, jobs=jobs), limit, 2, story)
                continue
            assert rows(every) == wanted, story
            feasible = [row for row in wanted if row[2] is not None]
            assert every.status is Status.OPTIMAL, story
            assert {opener.status for opener in every.openers if opener.total is None} <= {Status.INFEASIBLE}, story
            top = rng.choice((1, 2, 5, 100))
            best = rank(game, top=top, limit=limit, jobs=jobs)
            last = feasible[min(top, len(feasible)) - 1][2]
            assert rows(best) == [row for row in feasible if row[2] is not None and row[2] <= (last or 0)], story
            assert best.others == len(game.guesses) - len(best.openers), story
            others = [row[2] for row in wanted[len(best.openers) :] if row[2] is not None]
            if best.others_bound is not None:
                assert min(others, default=best.others_bound) >= best.others_bound > (last or 0), story
            else:
                assert not others, story
            chosen = [game.guesses[g] for g in rng.sample(range(len(game.guesses)), min(3, len(game.guesses)))]
            some = rank(game, first=chosen, limit=limit)
            own = [(row[0], row[2]) for row in wanted if row[0] in chosen]
            if any(total is not None for _, total in own):
                assert [(row[0], row[2]) for row in rows(some)] == own, story
            else:
                check_missing(game, some, limit, None, story, chosen)


@pytest.mark.slow
def test_known_totals() -> None:
    game = Game.preset("classic")
    found = rank(game, first=["salet", "crane", "trace", "crate"], jobs=2)
    assert rows(found) == [("salet", 1, 7920), ("crate", 2, 7926), ("trace", 2, 7926), ("crane", 4, 7930)]
    assert rows(rank(game, first=["salet", "crane", "trace", "crate"], top=2)) == rows(found)[:3]


def fixed(textbook: Textbook, words: list[int], limit: int | None, turns: Turns = []) -> int | None:  # noqa: B006
    """The least total of trees that begin with these guesses, whatever the replies; None where there is none."""
    game, (first, *rest) = textbook.game, words
    answers = candidates_after(game, turns)
    if limit == 0 or not rest:
        found = None if limit == 0 else textbook.tried(turns, first, limit)
        return None if found is None else found[0].total
    left = None if limit is None else limit - 1
    codes = {int(game.matrix[first, answer]) for answer in answers} - {game.winning_code}
    below = [fixed(textbook, rest, left, [*turns, (first, code)]) for code in codes]
    weight = sum(textbook.weights[answer] for answer in answers)
    return None if None in below else weight + sum(total for total in below if total is not None)


def test_first_guesses_that_are_fixed() -> None:
    rng = random.Random("fixed")
    for _ in range(60):
        game = random_game(rng, Rules.NORMAL)
        weights = Weights("file", tuple(rng.randint(1, 3) for _ in game.answers)) if rng.random() < 0.3 else None
        textbook, limit = Textbook(game, None if weights is None else weights.values), rng.choice(LIMITS)
        asked = [[rng.randrange(len(game.guesses)) for _ in range(rng.choice((1, 2, 2, 3)))] for _ in range(4)]
        named = {"+".join(game.guesses[guess] for guess in words): fixed(textbook, words, limit) for words in asked}
        openers = [*named, "+".join([game.guesses[0]] * 2)]
        found = rank(game, first=openers, limit=limit, jobs=rng.choice((1, 2)), weights=weights)
        assert {row[0]: row[2] for row in rows(found) if row[0] in named} == named, f"{as_code(game)}\n{limit}"
    # Published, of the answers without the six that the New York Times dropped at first.
    game = Game.from_words(Game.preset("classic").guesses, Game.preset("nyt2022").answers)
    found = rank(game, first=["crane+spilt", "clint+parse", "parse+clint"], top=2)
    assert rows(found) == [("parse+clint", 1, 8302), ("clint+parse", 2, 8303)]
    assert (found.others, found.others_bound, str(found.status)) == (1, 8313, "OPTIMAL")


def test_one_of_the_pairs_that_are_symmetric() -> None:
    for name, different in (("mastermind:3x3", 19), ("bulls-and-cows:2x4", 4)):
        game = Game.preset(name)
        found = {row[0]: row[2] for row in rows(rank(game, pairs=True, top=99, jobs=2))}
        every = {row[0]: row[2] for row in rows(rank(game, first=["+".join(p) for p in combinations(game.guesses, 2)]))}
        assert len(found) == different
        assert found.items() <= every.items()
        assert set(found.values()) == set(every.values())


def test_the_best_pairs_of_first_guesses() -> None:
    rng = random.Random("pairs")
    for _ in range(40):
        game = next(game for _ in range(99) if len((game := random_game(rng, Rules.NORMAL)).guesses) > 1)
        textbook, limit, top = Textbook(game), rng.choice((None, 4, 6)), rng.choice((1, 2, 5, 100))
        pairs = list(combinations(range(len(game.guesses)), 2))
        every: dict[str, int] = {}
        for pair in pairs:
            both = [(fixed(textbook, list(order), limit), order) for order in (pair, pair[::-1])]
            found = [(total, order[0] not in game.answer_guess, order) for total, order in both if total is not None]
            every |= {"+".join(game.guesses[guess] for guess in order): total for total, _, order in sorted(found)[:1]}
        last = max(sorted(every.values())[:top], default=0)
        ranking = rank(game, pairs=True, top=top, limit=limit, jobs=rng.choice((1, 2)))
        wanted = {name: total for name, total in every.items() if total <= last}
        assert {row[0]: row[2] for row in rows(ranking)} == wanted, f"{as_code(game)}\n{limit} {top}"
        assert ranking.others == len(pairs) - len(wanted)
        assert ranking.status is (Status.OPTIMAL if every else Status.INFEASIBLE)

        def stop(
            now: Progress, at: str = rng.choice(("first trees", "classes of pairs", "pairs of first guesses"))
        ) -> None:
            if now.phase == at:
                signal.raise_signal(signal.SIGINT)

        ranking = rank(game, pairs=True, top=top, limit=limit, progress=stop)
        if ranking.stop_reason == "interrupted":
            listed = {row[0]: row[2] for row in rows(ranking)}
            assert listed.items() <= every.items()
            assert ranking.status is (Status.FEASIBLE if listed else Status.UNKNOWN)
            least = min((total for name, total in every.items() if name not in listed), default=None)
            assert least is None or (ranking.others_bound is not None and ranking.others_bound <= least)


def test_a_bound_for_every_guess_holds() -> None:
    rng = random.Random("least")
    for _ in range(100):
        game = random_game(rng)
        least = least_totals(game)
        for guess, key in keys_at(Textbook(game), [], None).items():
            assert key is not None
            assert least[guess] <= key.total


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"all_openers": True, "top": 3}, "all openers are asked for"),
        ({"all_openers": True, "first": ["salet"]}, "all openers are asked for"),
        ({"first": ["bab+abb"], "journal": "j"}, "a journal is of single first guesses"),
        ({"pairs": True, "journal": "j"}, "the best pairs are of all"),
        ({"pairs": True, "limit": 3}, "pairs take two words, and a limit of 4 guesses or more"),
    ],
)
def test_bad_options_say_why(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rank(word_game(random.Random(1)), **options)


def test_stopped_early_it_keeps_what_it_knows() -> None:
    game = Game.preset("nyt2023")

    def stop(now: Progress) -> None:
        if now.done == 1 and now.phase == "openers":
            signal.raise_signal(signal.SIGINT)

    found = rank(game, first=["tarse", "qajaq"], progress=stop)  # the second takes half a minute
    assert (found.status, found.stop_reason) == (Status.FEASIBLE, "interrupted")
    slow = found.openers[-1]
    assert (slow.guess, slow.total, slow.rank, slow.status) == ("qajaq", None, None, Status.UNKNOWN)
    assert slow.bound is not None
    assert 3158 * 2 < slow.bound <= 13365
    assert "stopped, interrupted" in str(found)
    nothing = rank(game, first=["qajaq", "jazzy"], top=1, time_limit=0.2)
    assert (nothing.status, nothing.openers, nothing.others) == (Status.UNKNOWN, (), 2)
    assert nothing.others_bound is not None
    assert "no total is known yet" in str(nothing)
