"""What a run knows: who writes to it, and that what is read of it belongs together."""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from games_util import letters_game, search_of

from optimal.errors import InternalError
from optimal.games.game import Game
from optimal.journal.records import Note
from optimal.search.game_problem import Problem
from optimal.search.game_run import BestTree, GameRecorder, GameRun
from optimal.search.game_tree import replay
from optimal.search.jobs import settle_split
from optimal.search.progress import Progress
from optimal.search.solve import solve

PACKAGE = Path(__file__).resolve().parents[2] / "optimal"
#: Methods that change what they are called on.
CHANGING = {"add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
#: What a run has that sees to its own changes.
OWN = {"control", "statistics"}


def of_a_run(node: ast.expr) -> ast.Attribute | None:
    """The part of a run that an expression such as ``self._run.lows[guess]`` is about."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        inner = node.value
        if isinstance(node, ast.Attribute) and (
            (isinstance(inner, ast.Name) and inner.id == "run")
            or (isinstance(inner, ast.Attribute) and inner.attr in ("run", "_run"))
        ):
            return node
        node = inner
    return None


def changes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            found = of_a_run(node.func.value)
            targets = [node.func.value] if found is not None and found.attr not in OWN else []
        for target in targets:
            for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                if of_a_run(each) is not None:
                    yield ast.unparse(node)


def test_only_a_run_writes_to_it() -> None:
    found = {
        path.name: list(changes(ast.parse(path.read_text(encoding="utf-8"))))
        for path in PACKAGE.rglob("*.py")
        if path.name != "run.py"
    }
    assert {name: lines for name, lines in found.items() if lines} == {}
    for line in (
        "run.limit = 3",
        "a, self._run.best_tree = b",
        "run.lows[3] = 4",
        "del race.run.lows[3]",
        "run.lows.pop(3)",
    ):
        assert list(changes(ast.parse(line))) == [ast.unparse(ast.parse(line))]
    assert not list(changes(ast.parse("run.statistics.add(3, spent); self._run = 1; low = run.lows[3]")))


def meanwhile(do: Callable[[], object]) -> None:
    """Let another thread do something, if it may: it has to wait while a lock is held."""
    thread = threading.Thread(target=do)
    thread.start()
    thread.join(timeout=0.1)


def test_a_tree_at_hand_is_not_given_up_for_what_the_journal_has(tmp_path: Path) -> None:
    """Of a low tree, known before the journal is read, the progress tells at once; and no worse one takes its place."""
    game = letters_game("low", 90, 3)
    seen: list[list[tuple[str, int | None]]] = [[], []]
    for journal, told in zip((None, tmp_path / "j"), seen, strict=True):

        def progress(now: Progress, told: list[tuple[str, int | None]] = told) -> None:
            told.append((now.phase, now.incumbent))

        solve(game, objective="worst", journal=journal, progress=progress)
    assert seen[0] == seen[1]
    assert sum(phase == "greedy play" and cost is not None for phase, cost in seen[1]) == 1


@pytest.mark.parametrize(("cost", "stays"), [(None, True), (8, True), (7, False), (6, False)])
def test_the_better_of_two_trees_is_at_hand(cost: int | None, *, stays: bool) -> None:
    """What a run has, and what it takes over; of equal ones the latter, which may be known to be the first of all."""
    run = GameRun(Problem(Game.from_words(["ab", "ba"], ["ab", "ba"]), None), trees=True)
    run.best_tree = before = BestTree(7, canonical=False, openers=None, nested=(0, {}))
    other = None if cost is None else BestTree(cost, canonical=True, openers=None, nested=(1, {}))
    run.take_over({}, {}, other, every=False)
    assert run.best_tree is (before if stays else other)
    assert run.control.incumbent == run.best_tree.cost


class Noting:
    """A search that has noted something."""

    def __init__(self, left: int) -> None:
        self.left = left

    def export_bounds(self) -> list[tuple[object, ...]]:
        return [(((0, 0),), self.left, 5, 1, 2, 0, 0)]


class Silent:
    """A journal that begins nothing."""

    path = failed = ""

    def begin(self, *_: object) -> None:
        pass


def test_notes_are_kept_within_the_limit_of_their_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the next limit begins while a journal asks for them."""
    run = GameRun(Problem(Game.from_words(["ab", "ba"], ["ab", "ba"]), 4))
    run.take_up([0, 1], [Noting(3)])  # type: ignore[list-item]
    recorder = GameRecorder(Silent(), run)  # type: ignore[arg-type]
    run.recorder = None
    limit = vars(GameRecorder)["limit"].fget

    def next_limit() -> None:
        run.begin(5)
        run.take_up([0, 1], [Noting(4)])  # type: ignore[list-item]

    def read(recorder: GameRecorder) -> int:
        found: int = limit(recorder)
        meanwhile(next_limit)
        return found

    monkeypatch.setattr(GameRecorder, "limit", property(read))
    assert recorder._notes() == [(4, Note(((0, 0),), 3, 5, 1, 2, 0, 0))]


@pytest.mark.parametrize(
    ("number", "home"),
    [
        (r"\bNO_LIMIT\b", {"search/engine.py"}),
        (r"_search\.INFEASIBLE|1 << 62", {"limits.py"}),
    ],
)
def test_the_engine_s_numbers_have_one_home(number: str, home: set[str]) -> None:
    """No limit is None elsewhere, and no tree is INFEASIBLE."""
    found = {path for path in PACKAGE.rglob("*.py") if re.search(number, path.read_text(encoding="utf-8"))}
    assert {path.relative_to(PACKAGE).as_posix() for path in found} == home


def test_no_class_is_asked_for_less_than_nothing() -> None:
    """Where the opener's bound is past the best tree, found meanwhile: it is refuted by a budget of 0."""

    class Asked:
        team, main_thread, budgets = None, False, []

        def class_bounds(self, guess: int, limit: int) -> Any:
            return 20, [(0, 3, 5), (1, 9, 13)]

        def class_value(self, guess: int, code: int, limit: int, budget: int) -> int:
            self.budgets.append(budget)
            return 13

    run = GameRun(Problem(Game.from_words(["ab", "ba"], ["ab", "ba"]), None))
    run.take_up([0], [])
    run.control.incumbent = 4
    search: Any = Asked()
    settle_split(run, [search], 0)
    assert search.budgets == [0]
    assert (run.lows, run.values, run.settled) == ({0: 20}, {}, {0})


def test_a_tree_that_leaves_answers_out_is_no_tree() -> None:
    """Replays find every answer once, and say where a class has no guess, or a guess no class."""
    game = Game.from_words(["ab", "ba", "bb"])
    ab, ba, bb = range(3)
    codes = {(g, a): int(game.matrix[g, a]) for g in range(3) for a in range(3)}
    leaf: dict[int, Any] = {number: (number, {}) for number in range(3)}
    whole: Any = (ab, {codes[ab, ba]: leaf[ba], codes[ab, bb]: leaf[bb]})
    assert replay(game, whole) == [1, 2, 2]
    for wrong in (
        leaf[ab],  # two answers have no guess
        (ab, {codes[ab, ba]: leaf[ba]}),
        (ab, {codes[ab, ba]: leaf[ba], codes[ab, bb]: leaf[ba]}),  # the last guess is another
        (ab, {codes[ab, ba]: (ba, {codes[ba, ab]: leaf[ab]}), codes[ab, bb]: leaf[bb]}),  # a guess for no answer
    ):
        with pytest.raises(InternalError, match="does not answer every feedback"):
            replay(game, wrong)


def test_all_openers_are_bounded_before_any_is() -> None:
    """By one count: once there is a tree, whoever looks sees how far it may be from the best."""
    seen: list[Progress] = []
    game = letters_game("bounded", 200, 3)
    total = solve(game, progress=seen.append).total
    least = search_of(game).lower_bound(game.max_guesses or 6)
    bounds = [at.bound for at in seen if at.incumbent is not None]
    assert total is not None
    assert len(game.answers) < least
    assert bounds
    assert all(bound is not None and least <= bound <= total for bound in bounds)
