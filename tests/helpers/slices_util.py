"""Searches of openers that are stopped again and again: what each slice says must be a bound of the exact value.

Meant for a build with small thresholds (OPTIMAL_SMALL=1), where small games go through every shortcut and the stop flag
is looked at all the time. In any other build hardly a slice is stopped.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
from games_util import as_code, grid_game, measured, random_game, random_weights

from optimal._engine import INFEASIBLE, NO_LIMIT, SWITCHES, Search, Team
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import new_control, tables_of

#: Slices of one opener before it is left alone; looks at the stop flag after which a game counts as too large.
SLICES = 80
MOST_LOOKS = 100_000
#: Left out of the search that the slices are held against: all but what makes it end soon.
MOST_SHORTCUTS = sum(bit for name, bit in SWITCHES.items() if name not in ("splits", "counts", "table"))


def alike_game(rng: random.Random, rules: Rules) -> Game:
    """Up to some forty words of three to five letters, many of them alike: what halves, parts and nogoods are for."""
    length, letters = rng.choice((3, 4, 4, 5)), "abcdefgh"[: rng.randint(3, 8)]
    stems = ["".join(rng.choices(letters, k=length)) for _ in range(rng.randint(2, 6))]
    words: dict[str, None] = {}
    for _ in range(rng.randint(20, 120)):
        word = list(rng.choice(stems))
        for _ in range(rng.choice((1, 1, 2, 3))):
            word[rng.randrange(length)] = rng.choice(letters)
        words["".join(word)] = None
    answers = rng.sample(list(words), min(len(words), rng.randint(8, 40)))
    return Game.from_words(list(words), answers, name="random", rules=rules, max_guesses=None)


def any_game(rng: random.Random, rules: Rules) -> Game:
    (make,) = rng.choices((alike_game, random_game, grid_game), (14, 3, 3))
    return make(rng, rules)


@contextmanager
def helpers(searches: list[Search], team: Team) -> Iterator[None]:
    """Let all but the first of these searches help it."""
    team.begin(1)
    threads = [threading.Thread(target=search.assist) for search in searches[1:]]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        team.leave()
        for thread in threads:
            thread.join()


def slices_case(rng: random.Random, openers: int = 4, most: int = 1 << 30) -> Counter[str]:
    """A random game, so many of its openers in slices. Raises AssertionError where a slice says what is not so; ends
    after so many slices. Returns how many there were, how many were stopped, and how many notes were taken."""
    rules = rng.choice((Rules.NORMAL, Rules.NORMAL, *Rules))
    game, seen = any_game(rng, rules), Counter[str]()
    weights, by, late = None, -1, 0
    if rng.random() < 0.3:
        weights = np.array(random_weights(rng, len(game.answers), 1000), dtype=np.int64)
    if rng.random() < 0.25:
        by, late = rng.randint(1, 3), 10**6
    control = new_control()
    tables = tables_of(game)
    of_words = isinstance(game.feedback, WordFeedback) and rng.random() >= 0.3
    supersets = measured(game, tables) if of_words else None
    limit = rng.choice((3, 4, 5, 6, NO_LIMIT))

    def new(off: int = 0) -> Search:
        slots: dict[str, Any] = {"table_slots": 1024, "max_slots": rng.choice((1024, 4096, 1 << 16))}
        return Search(tables, control, None if off else supersets, (), weights, by, late, off=off, **slots)

    plain = new(off=MOST_SHORTCUTS)
    off = SWITCHES[rng.choice(sorted(SWITCHES))] if rng.random() < 0.3 else 0
    team = Team(1 << 14, rng.choice((3, 4, 6))) if rng.random() < 0.1 else None
    searches = [new(off) for _ in range(4 if team else 1)]
    if team is not None:
        for search in searches:
            search.join(team)
    story = (
        f"\n{as_code(game)}\nlimit {limit}, weights {weights}, by {by}, late {late}, off {off}, team {team is not None}"
    )
    for opener in rng.sample(range(len(game.guesses)), min(openers, len(game.guesses))):
        exact, ended = plain.opener_slice(opener, limit, INFEASIBLE, MOST_LOOKS)
        if not ended:
            continue
        if not team and rng.random() < 0.3:
            searches[0] = new(off)
        with nullcontext() if team is None else helpers(searches, team):
            learned = new(off) if rng.random() < 0.3 else None
            seen.update(sliced(rng, searches[0], learned, opener, limit, exact, story))
        if seen["slices"] >= most:
            break
    return seen


def sliced(
    rng: random.Random, search: Search, learned: Search | None, opener: int, limit: int, exact: int, story: str
) -> Counter[str]:
    """One opener, in slices against several budgets, then to its end: by the same search, and by one that learned."""
    seen = Counter[str]()
    size = len(search.candidates)
    if learned is not None:
        search.record_bounds()
    low = exact if exact < INFEASIBLE else 4 * size
    for budget in (INFEASIBLE, low + rng.randint(1, 9), low, max(1, low - rng.randint(1, size)), 3 * size + size // 2):
        for _ in range(SLICES):
            looks = rng.choice((0, 0, 1, 1, 2, 3, 5, 9, 20))
            found, ended = search.opener_slice(opener, limit, budget, looks)
            seen["slices"] += 1
            seen["stopped"] += not ended
            told = f"{story}\nopener {opener}, budget {budget}, looks {looks}: {found}, ended {ended}; exact {exact}"
            assert found <= exact, told
            if ended:
                assert found == exact or found >= budget, told
                break
    if learned is not None:
        notes = search.export_bounds()
        search.record_bounds(False)
        seen["notes"] += len(notes)
        learned.record_bounds()  # searches that take none look for no bounds of guesses as a whole
        for note in notes:
            learned.import_bounds(*note)
        assert learned.opener(opener, limit, INFEASIBLE)[0] == exact, (
            f"{story}\nopener {opener}, learned; exact {exact}"
        )
    found, _ = search.opener(opener, limit, INFEASIBLE)
    assert found == exact, f"{story}\nopener {opener} to its end: {found}; exact {exact}"
    return seen
