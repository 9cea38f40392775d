"""What `import optimal` offers, and how its help and its results look."""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy.typing as npt
import pytest

import optimal
import optimal.baselines
from optimal import Game, solve

GAME = Game.from_words(["fight", "filmy", "light", "might", "night"], ["fight", "light", "might", "night"])


def test_every_name_is_there() -> None:
    for name in optimal.__all__:
        found = getattr(optimal, name)
        assert name == "__version__" or found.__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        optimal.nothing  # type: ignore[attr-defined]  # noqa: B018


def functions_of(name: str) -> Iterator[Callable[..., Any]]:
    """The function of that name, or what a user may call of that class."""
    found = getattr(optimal, name)
    members = [found]
    if inspect.isclass(found):
        members = [found.__init__]
        members += [member for kind in found.__mro__ for key, member in vars(kind).items() if not key.startswith("_")]
    for member in members:
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        if inspect.isfunction(function) and function.__module__.startswith("optimal."):
            yield function


def classes_in(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint) and hint.__module__.startswith("optimal."):
        yield hint
    for part in get_args(hint) if not isinstance(hint, list) else hint:
        yield from classes_in(part)


@pytest.mark.parametrize("name", [name for name in optimal.__all__ if name != "__version__"])
def test_what_is_taken_and_returned_can_be_imported(name: str) -> None:
    # Imported where they are needed; figures are another library's, which may not be installed.
    late = {
        "Figure": object,
        "Feedback": optimal.Feedback,
        "Fraction": Fraction,
        "Rules": optimal.Rules,
        "Table": optimal.Table,
        "os": os,
        "npt": npt,
    }
    for function in functions_of(name):
        for hint in get_type_hints(function, localns=late).values():
            for kind in classes_in(hint):
                home = optimal.baselines if kind is optimal.baselines.Strategy else optimal
                assert getattr(home, kind.__name__, None) is kind, f"{function.__qualname__} has {kind}"


def test_a_result_in_print() -> None:
    result = solve(GAME, objective="worst")
    lines = str(replace(result, seconds=0.25, nodes=1234)).splitlines()
    assert "  result   worst 2, total 8 (proven least, over all 5 openers)" in lines
    assert "  refuted  4 of 5 openers, shown to be no better" in lines
    assert lines[-4:] == [
        "  seconds  0.25",
        "  nodes    1,234 (positions searched)",
        "  guesses  answers",
        f"        2        4  {'█' * 30}",
    ]
    assert repr(result) == f"<Result {result.tree}>"
    html = result._repr_html_()
    assert html.startswith(f"<table><caption>{result.tree}</caption>")
    assert '<td style="text-align:left">found by guess 2</td><td>4</td>' in html
    stopped = str(replace(result, openers_exact=("filmy",)))
    assert "  refuted  4 of 5 openers, shown to be no better; exact for filmy\n" in stopped
    none = solve(GAME, first=["fight"], limit=2)
    assert repr(none) == "<Result INFEASIBLE, no strategy exists, over the one opener>"
    assert "<th>INFEASIBLE</th>" in none._repr_html_()


def test_a_result_that_was_stopped_in_print() -> None:
    early = replace(solve(GAME), status=optimal.Status.FEASIBLE, bound=(7,), stop_reason="time limit")
    told = dict(early.fields())
    assert (told["result"], told["stopped"]) == ("total 8 (upper bound)", "time limit")
    assert told["bound"] == "total 7 (proven lower bound, over all 5 openers)"
    nothing = replace(early, status=optimal.Status.UNKNOWN, tree=None, value=None, bound=(1, 7), objective="within:2")
    told = dict(nothing.fields())
    assert told["result"] == "nothing was found before it stopped, over all 5 openers"
    assert told["bound"] == "missed 1, total 7 (proven lower bound, over all 5 openers)"


def test_a_verification_in_print() -> None:
    tree = solve(GAME).tree
    assert tree is not None
    found = optimal.verify_tree(tree)
    assert repr(found) == f"<Verification ok: {tree}>"
    told = " ".join(str(found).split())
    assert "claim OPTIMAL: 8 is claimed the least within 6 guesses over every legal guess;" in told
    assert "note legality against the list was not checked: the guess list is not known" in told
    assert f"<caption>ok: {tree}</caption>" in found._repr_html_()


def test_bars_that_standard_output_cannot_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert str(solve(GAME)).endswith(f"2        4  {'#' * 30}")


def test_a_tree_may_be_named_wherever_it_is_taken(tmp_path: Path) -> None:
    tree = solve(GAME).tree
    assert tree is not None
    tree.save(tmp_path / "own")
    assert optimal.verify_tree(tmp_path / "own").ok
    assert optimal.verify_tree("classic-normal").total == 7920
    assert optimal.Player(tmp_path / "own").guess == "filmy"
    assert optimal.compare(GAME, [], tree=str(tmp_path / "own")).bound == 8
    assert optimal.export_json(tmp_path / "own")["guess"] == "filmy"
    assert optimal.export_text(str(tmp_path / "own")) == optimal.export_text(tree)
    with pytest.raises(optimal.InputError, match="write_tree takes the name of a file and then a StrategyTree"):
        optimal.write_tree(tree, "own")  # type: ignore[arg-type]


def test_a_comparison_in_print() -> None:
    found = optimal.compare(GAME, ["entropy"], tree=solve(GAME).tree)
    assert str(found) == found.text().rstrip("\n")
    proven = "Proven: no strategy without a failure has a total below 8, mean 2.0000."
    assert f"\n{proven}\n" in str(found)
    assert repr(found).startswith("<Comparison of 2 strategies: words, normal rules, ")
    html = found._repr_html_()
    assert (html.count("<tr>"), f"<p>{proven}</p>" in html) == (3, True)
    assert "Proven" not in optimal.compare(GAME, ["entropy"])._repr_html_()


def test_an_old_name_works_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match=r"optimal\.Standing is called optimal\.JournalStatus now"):
        assert optimal.Standing is optimal.JournalStatus  # type: ignore[attr-defined]
    assert "Standing" not in optimal.__all__


def test_arguments_by_their_old_names_work_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="max_guesses= is called limit= now") as told:
        assert solve(GAME, max_guesses=1).status == "INFEASIBLE"  # type: ignore[call-arg]
    assert told[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="openers= is called first= now"):
        assert optimal.identify("sorting:3", openers=["b or c"]).openers == ("b or c",)  # type: ignore[call-arg]
    with pytest.raises(optimal.InputError, match="openers= is called first= now: it was given by both names"):
        optimal.rank(GAME, first=["filmy"], openers=["filmy"])  # type: ignore[call-arg]
