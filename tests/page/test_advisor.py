"""The engine of the page, without a browser: its totals are those of the package's engine."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from optimal._engine import INFEASIBLE, NO_LIMIT, Search
from optimal.advice.position import checked_position
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.engine import new_control, tables_of
from optimal.search.game_problem import Problem

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "optimal" / "page" / "web"
NODE = shutil.which("node")
CODE = {Rules.NORMAL: 0, Rules.HARD: 1, Rules.ULTRA_HARD: 2}
LIKELY, OTHER, NEVER = 2, 1, 0
#: Positions of more candidates take long.
CANDIDATES = 110

needs_node = pytest.mark.skipif(NODE is None, reason="needs Node")


def replies(
    words: list[str], tiers: list[int], questions: list[dict[str, Any]], weights: list[int] | None = None
) -> list[dict[str, Any]]:
    """What the page's worker says."""
    asked = json.dumps({"words": words, "tiers": tiers, "weights": weights, "questions": questions})
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(ROOT / "tests" / "page" / "advisor.mjs"), str(WEB)], input=asked, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@cache
def six_letters() -> Game:
    rng = random.Random("six letters")
    words = sorted({"".join(rng.choices("abcdef", k=6)) for _ in range(700)})
    return Game.from_words(words, words[::3], max_guesses=None)


def game_of(name: str, rules: Rules) -> Game:
    return (six_letters() if name == "six letters" else Game.preset(name)).with_rules(rules, None)


def tiers_of(game: Game) -> list[int]:
    likely = set(game.answers)
    return [LIKELY if word in likely else OTHER for word in game.guesses]


def random_position(rng: random.Random, game: Game) -> tuple[list[tuple[int, int]], npt.NDArray[np.int64]]:
    """Guesses that the rules allow, with the feedback of some answer, until few candidates are left."""
    matrix = np.asarray(game.matrix)
    answer = rng.randrange(len(game.answers))
    left = np.arange(len(game.answers))
    steps: list[tuple[int, int]] = []
    while len(left) > CANDIDATES or not steps:
        # A candidate is legal under all rules.
        anything = not steps or game.rules is Rules.NORMAL
        guess = rng.randrange(len(game.guesses)) if anything else int(game.answer_guess[rng.choice(left.tolist())])
        code = int(matrix[guess, answer])
        if code == game.winning_code:
            continue
        steps.append((guess, code))
        left = left[matrix[guess, left] == code]
    return steps, left


def misses_of(
    game: Game, steps: list[tuple[int, int]], left: int, words: list[int], weights: tuple[int, ...]
) -> tuple[Any, list[Any]]:
    """What the package's engine says: [candidates missed, total over the others] of a best word and of these."""
    history = tuple((game.guesses[guess], code) for guess, code in steps)
    rest = checked_position(game, history, left + len(steps)).rest
    problem = Problem(rest, None, f"within:{left}", weights=Weights("file", weights), final=True)
    search = problem.engine().search(new_control())
    numbers = {word: number for number, word in enumerate(rest.guesses)}
    legal = [numbers.get(game.guesses[word]) for word in words]
    worth = [None if word is None else search.opener(word, NO_LIMIT, INFEASIBLE)[0] for word in legal]
    least = search.best(NO_LIMIT)[0]
    return [*problem.parts(least)], [None if cost is None else [*problem.parts(cost)] for cost in worth]


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("heavy", [1, 10])
@pytest.mark.parametrize(
    ("name", "rules", "count"),
    [
        ("classic", Rules.NORMAL, 20),
        ("classic", Rules.HARD, 20),
        ("nyt2023", Rules.NORMAL, 20),
        ("classic-answers", Rules.NORMAL, 15),
        ("classic-answers", Rules.HARD, 15),
        ("classic-answers", Rules.ULTRA_HARD, 20),
        ("six letters", Rules.NORMAL, 15),
        ("six letters", Rules.HARD, 15),
        ("six letters", Rules.ULTRA_HARD, 15),
    ],
)
def test_totals_are_those_of_the_package(name: str, rules: Rules, count: int, heavy: int) -> None:
    """Where all answers count alike, and where those used before count a tenth."""
    compared(name, rules, count, heavy)


@needs_node
@pytest.mark.parametrize("heavy", [10, 20011])
def test_totals_by_weight(heavy: int) -> None:
    compared("six letters", Rules.NORMAL, 4, heavy)


def compared(name: str, rules: Rules, count: int, heavy: int) -> None:
    rng = random.Random(f"{name} {rules}")
    game = game_of(name, rules)
    tables = tables_of(game)
    weights = np.array(rng.choices((1, heavy), k=len(game.answers)), dtype=np.int64)
    questions, expected = [], []
    for _ in range(count):
        steps, fit = random_position(rng, game)
        limit = rng.choice((0, 1, 2, 3, 4, 5))
        words = [*rng.sample(range(len(game.guesses)), 3), int(game.answer_guess[fit[0]])]
        questions.append({"steps": steps, "rules": CODE[rules], "left": limit, "words": words})
        search = Search(tables, new_control(), history=steps, weights=weights)
        total, guess, height = search.best(limit or NO_LIMIT)
        legal = set(search.legal_guesses().tolist())
        worth = [search.opener(word, limit or NO_LIMIT, INFEASIBLE)[0] if word in legal else None for word in words]
        heights = [search.opener_height(word, limit or NO_LIMIT) if word in legal else None for word in words]
        # The page's numbers are those of weights without a common divisor.
        unit = int(np.gcd.reduce(weights[fit]))
        costs = [cost if cost in (None, INFEASIBLE) else cost // unit for cost in (total, *worth)]
        missed = misses_of(game, steps, limit, words, tuple((weights[fit] // unit).tolist())) if limit else None
        expected.append((game.answer_guess[fit].tolist(), costs, guess, [height, *heights], missed))
    of_words = dict(zip(game.answer_guess.tolist(), weights.tolist(), strict=True))
    given = None if heavy == 1 else [of_words.get(word, 1) for word in range(len(game.guesses))]
    found = replies(list(game.guesses), tiers_of(game), questions, given)
    for question, (left, (cost, *worth), guess, tall, missed), reply in zip(questions, expected, found, strict=True):
        assert reply["candidates"] == left
        # JSON has no infinity: null.
        least = reply["least"]
        assert (least[0] if least[0] is not None else INFEASIBLE) == cost, question
        if least[0] is not None:
            assert least[1:] == [guess, tall[0]], question
        known = zip(worth, reply["worth"], reply["estimates"], tall[1:], reply["heights"], strict=True)
        for exact, value, estimate, lowest, height in known:
            if exact is None:
                assert value is None
                continue
            assert (INFEASIBLE if value is None else value) == exact, question
            assert estimate is None or estimate >= exact
            assert exact == INFEASIBLE or len(left) <= 2 or height == lowest, question
        assert reply["likeliest"]
        if missed is not None:
            assert ([*reply["misses"]["least"][:2]], reply["misses"]["worth"]) == missed, question
            for exact, value in zip(reply["misses"]["worth"], reply["misses"]["estimates"], strict=True):
                assert (value is None) == (exact is None)
                assert exact is None or value >= exact


@needs_node
def test_other_words_where_no_likely_answer_fits() -> None:
    words = ["crane", "crate", "grape", "plane", "slate", "trace"]
    tiers = [LIKELY, LIKELY, OTHER, OTHER, NEVER, LIKELY]
    steps = [[words.index("slate"), 2 * 9 + 2 * 81]]  # ..a.e, and neither s nor l nor t
    none = [[words.index("crane"), 0]]
    fits, others, nobody = replies(
        words,
        tiers,
        [
            {"steps": steps, "rules": 0, "left": 0, "words": [0]},
            {"steps": [*steps, [0, 1 * 0 + 2 * 3 + 2 * 9 + 2 * 81]], "rules": 0, "left": 0, "words": [2]},
            {"steps": none, "rules": 0, "left": 0, "words": []},
        ],
    )
    assert fits["candidates"] == [0]
    assert (others["candidates"], others["least"][:2]) == ([2], [1, 2])
    assert nobody == {"candidates": []}


@needs_node
def test_weights_that_cannot_be_are_refused() -> None:
    for weights in ([0, 1], [2**25 + 1, 1]):
        with pytest.raises(AssertionError, match="what was asked can't be"):
            replies(["crane", "crate"], [LIKELY, LIKELY], [], weights)


@pytest.mark.parametrize("wrong", [{"steps": [[9, 0]]}, {"steps": [[0, -1]]}, {"rules": 3}, {"left": -1}])
@needs_node
def test_questions_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    question = {"steps": [], "rules": 0, "left": 0, "words": [], **wrong}
    with pytest.raises(AssertionError, match="what was asked can't be"):
        replies(["crane", "crate"], [LIKELY, LIKELY], [question])


@needs_node
def test_what_is_too_large_for_it_is_told() -> None:
    """46341 x 46341 codes of two bytes: 9266 more than 2^32."""
    words = ["".join(letters) for letters in itertools.islice(itertools.product("abcdefgh", repeat=6), 46341)]
    with pytest.raises(AssertionError, match="out of memory"):
        replies(words, [LIKELY] * len(words), [{"steps": [], "rules": 0, "left": 0, "words": []}])


@pytest.mark.slow
def test_it_is_built_from_these_sources(tmp_path: Path) -> None:
    """The same bytes; other versions of clang make others, so this is for the one that made them."""
    if shutil.which("clang") is None or shutil.which("wasm-ld") is None:
        pytest.skip("needs clang and lld")
    version = subprocess.run(["clang", "--version"], capture_output=True, text=True).stdout
    if "14.0.6" not in version or not Path("/usr/lib/wasm32-wasi/libc.a").exists():
        pytest.skip("needs clang 14.0.6 and wasi-libc, as in Debian 12")
    made = tmp_path / "advisor.wasm"
    subprocess.run([ROOT / "ext" / "wasm" / "build.sh", made], check=True)
    assert made.read_bytes() == (WEB / "advisor.wasm").read_bytes()
    assert made.stat().st_size < 150_000


@needs_node
def test_slices_grow_until_the_reply_is_there() -> None:
    """However long a slice takes; but the page never waits for one much longer than a tenth of the time so far, or than
    two seconds."""
    script = """
        let clock = 0;
        const worker = require("fs").readFileSync(process.argv[1], "utf8");
        const waits = [], performance = { now: () => clock };
        const scope = ["postMessage", "performance", "setTimeout", `let onmessage; ${worker}; return slices;`];
        const slices = new Function(...scope)(() => {}, performance, (go) => go());
        slices(0, (slice) => {
            waits.push([clock, 20 * slice]);
            clock += 20 * slice;  // milliseconds
            return slice > 100 ? "a reply" : waits.length > 1000 ? "none" : undefined;
        }).then((reply) => console.log(JSON.stringify({ reply, waits })));
    """
    assert NODE is not None
    done = subprocess.run([NODE, "-e", script, str(WEB / "worker.js")], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["reply"] == "a reply"
    assert all(wait <= 400 or wait < min(3000, 0.2 * since) for since, wait in found["waits"])
