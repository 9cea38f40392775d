"""Pictures: what they show, their formats, and that equal questions give equal bytes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from baselines_util import advise
from cli_util import run, run_json
from trees_util import ANSWERS, GUESSES, matrix_tree, small_folder, word_tree

import optimal
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.journal.status import course
from optimal.plots.figures import picture

pytest.importorskip("matplotlib", reason="needs matplotlib, the extra `plot`")

TREE = word_tree()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = small_folder(tmp_path_factory.mktemp("plots"))
    matrix_tree().save(here / "matrix.msgpack")
    optimal.solve(Game.from_words(GUESSES, ANSWERS), journal=str(here / "journal"))
    return here


def texts(svg: bytes) -> list[str]:
    return [text for element in ElementTree.fromstring(svg).iter() if (text := (element.text or "").strip())]


def test_the_tree_is_drawn_with_all_its_guesses() -> None:
    shown = texts(optimal.export_svg(TREE).encode())
    guesses = [node.guess for _, node in TREE.walk()]
    assert sorted(text for text in shown if text in GUESSES) == sorted(guesses)
    replies = [TREE.game.format(code) for _, node in TREE.walk() for code in node.children]
    assert sorted(text for text in shown if re.fullmatch("[BYG]{5}", text)) == sorted(replies)


def test_a_dollar_is_no_formula() -> None:
    labels = ("$\\no$", "$x$", "won")
    game = Game.from_matrix([[2, 0, 1], [1, 2, 0], [0, 1, 2]], 2, guesses=("$a$", "$\\b$", "c$"), labels=labels)
    tree = optimal.solve(game).tree
    assert tree is not None
    assert sum("$" in text for text in texts(optimal.export_svg(tree).encode())) >= 2
    for figure in (optimal.plot_classes(game, "$a$"), optimal.plot_distributions({"$\\q$": {1: 1}}, "$\\t$")):
        shown = texts(picture(figure, "svg"))
        assert sum("$" in text for text in shown) >= 2


def test_the_picture_of_a_tree_is_svg_unless_another_is_named(folder: Path) -> None:
    done = run(folder, "plot", "tree", "tree.msgpack")
    assert (done.status, done.out, done.err) == (0, "", "the picture goes to tree.svg\n")
    assert (folder / "tree.svg").read_bytes().startswith((b"<svg", b"<?xml"))
    assert run_json(folder, "plot", "tree.msgpack", "-o", "other.svg")["picture"] == "distributions"
    TREE.save(folder / "own.svg")
    done = run(folder, "plot", "tree", "own.svg")
    assert (done.status, done.err) == (2, "optimal plot: own.svg is the tree itself: name the picture by --output\n")
    assert "name the picture by --output" in run(folder, "plot", "debrief", "salet").err


def test_distributions_stand_side_by_side() -> None:
    figure = optimal.plot_distributions({"one": {1: 3, 2: 6}, "two": {2: 4, 4: 5}}, "a title")
    (axes,) = figure.axes
    assert [[bar.get_height() for bar in bars] for bars in axes.containers] == [[3, 6, 0, 0], [0, 4, 0, 5]]
    assert {"one: 1.6667 on average", "a title"} <= set(texts(picture(figure, "svg")))
    for wrong in ({1: 0}, {}, {0: 1}, {10**9: 1}, {"a": 1}, {1: "a"}, {1: -1}, {1: 0.5}):
        with pytest.raises(InputError):
            optimal.plot_distributions({"one": wrong})  # type: ignore[dict-item]


def test_classes_of_a_guess() -> None:
    game = Game.from_words(GUESSES, ANSWERS)
    figure = optimal.plot_classes(game, "Salet", "crony=bbbbb")
    (axes,) = figure.axes
    sizes = [int(bar.get_height()) for bar in axes.containers[0]]
    left = [answer for answer in ANSWERS if not set(answer) & set("crony")]
    assert sum(sizes) == len(left)
    assert sizes == sorted(sizes, reverse=True)
    assert axes.get_title() == f"salet after crony=BBBBB: {len(sizes)} classes of {len(left)} candidates"
    with pytest.raises(InputError, match="salet is illegal under hard rules"):
        optimal.plot_classes(Game.from_words(GUESSES, ANSWERS, rules="hard"), "salet", "crony=ybbbb")


def test_a_debrief_as_a_picture() -> None:
    game = Game.from_words(GUESSES, ANSWERS)
    told = optimal.debrief(game, "wreck", ["salet", "wreck"])
    (axes,) = optimal.plot_debrief(told).axes
    lost, luck = ([bar.get_width() for bar in bars] for bars in axes.containers)
    assert lost == [-float(turn.skill_loss or 0) for turn in told.turns]
    assert luck == [float(turn.luck or 0) for turn in told.turns]


def test_the_course_of_a_run(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    game = Game.from_words(GUESSES, ANSWERS)
    optimal.solve(game, journal=str(journal))
    first = course(journal)
    optimal.solve(game, journal=str(journal))
    moments = course(journal)
    assert moments[: len(first)] == first
    assert [moment.seconds for moment in moments] == sorted(moment.seconds for moment in moments)
    assert moments[-1].incumbent == moments[-1].bound == optimal.status(journal).incumbent
    (axes,) = optimal.plot_gap(journal).axes
    assert axes.get_title() == "words, normal rules: 26 of 26 openers settled"
    assert [np.asarray(line.get_ydata())[-1] for line in axes.lines] == [moments[-1].incumbent, moments[-1].bound]


def test_regions_as_a_picture() -> None:
    game = Game.preset("classic")
    table = advise(game, "regions=later").picture
    assert isinstance(table, optimal.RegionTable)
    (axes,) = optimal.plot_regions(table).axes
    assert sorted(int(text.get_text()) for text in axes.texts if text.get_text() != "·") == sorted(
        size for size in table.sizes.values() if size
    )
    assert "the largest is {e,r} with 203" in axes.get_title()


PLOTS = [
    "plot distributions tree.msgpack matrix.msgpack --output {}",
    "plot distributions --strategies entropy odds --guesses g.txt --answers a.txt --output {}",
    "plot debrief salet wreck --guesses g.txt --answers a.txt --output {}",
    "plot classes salet crony=bbbbb --guesses g.txt --answers a.txt --output {}",
    "plot classes tarse --output {}",  # which nyt alone has
    "plot tree.msgpack --output {}",
    "plot journal --output {}",
]


@pytest.mark.slow
@pytest.mark.parametrize("command", PLOTS)
def test_pictures_by_command(folder: Path, tmp_path: Path, command: str) -> None:
    out = tmp_path / "chart.svg"
    data = []
    for _ in range(2):
        done = run(folder, *command.format(out).split())
        assert (done.status, done.out, done.err) == (0, "", "")
        data.append(out.read_bytes())
    assert data[0] == data[1]
    assert b"<svg" in data[0]


def test_letters_that_the_font_lacks(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("你好\n好你\n", encoding="utf-8")
    words = ("plot", "debrief", "你好", "好你", "--words", "w.txt", "--output")
    assert run(tmp_path, *words, "w.svg").err == ""
    told = "the font of the picture lacks 你好: an SVG takes the fonts of its viewer\n"
    assert run(tmp_path, *words, "w.png").err == told


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for module in ("collections", "patches"):
        monkeypatch.setitem(sys.modules, f"matplotlib.{module}", None)
    with pytest.raises(InputError, match=r"pictures need matplotlib: pip install '.\[plot\]'"):
        optimal.plot_distributions({"one": {1: 1}})
    assert optimal.export_svg(TREE)
