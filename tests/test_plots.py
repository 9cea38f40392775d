"""Pictures: what they show, their formats, and that equal questions give equal bytes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from cli_util import run
from trees_util import ANSWERS, GUESSES, matrix_tree, word_tree

import optimal
from optimal.baselines import advise
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.journal.status import course
from optimal.plots.figures import format_of, picture
from optimal.trees.tree import Node

pytest.importorskip("matplotlib", reason="needs matplotlib, the extra `plot`")

LISTS = ("--guesses", "g.txt", "--answers", "a.txt")
MAGIC = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
TREE = word_tree()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("plots")
    (here / "g.txt").write_text("\n".join(GUESSES), encoding="utf-8")
    (here / "a.txt").write_text("\n".join(ANSWERS), encoding="utf-8")
    TREE.save(here / "tree.msgpack")
    matrix_tree().save(here / "matrix.msgpack")
    optimal.solve(Game.from_words(GUESSES, ANSWERS), journal=str(here / "journal"))
    return here


def texts(svg: bytes) -> list[str]:
    return [text for element in ElementTree.fromstring(svg).iter() if (text := (element.text or "").strip())]


def test_the_tree_is_drawn_with_all_its_guesses() -> None:
    shown = texts(picture(optimal.plot_tree(TREE), "svg"))
    guesses = [node.guess for _, node in TREE.walk()]
    assert sorted(text for text in shown if text in GUESSES) == sorted(guesses)
    assert {"guess 1", "guess 2", "guess 3"} <= set(shown)


def test_distributions_stand_side_by_side() -> None:
    figure = optimal.plot_distributions({"one": {1: 3, 2: 6}, "two": {2: 4, 4: 5}}, "a title")
    (axes,) = figure.axes
    heights = [[bar.get_height() for bar in bars] for bars in axes.containers]
    assert heights == [[3, 6, 0, 0], [0, 4, 0, 5]]
    shown = texts(picture(figure, "svg"))
    assert {"one: 1.6667 on average", "two: 3.1111 on average", "a title"} <= set(shown)
    with pytest.raises(InputError, match="needs one at least"):
        optimal.plot_distributions({})
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
    "plot classes mastermind:2x3 12 --output {}",
    "plot tree.msgpack --output {}",
    "plot tree tree.msgpack --output {}",
    "plot gap journal --output {}",
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
    assert re.search(rb"<svg[^>]*>", data[0])


@pytest.mark.slow
@pytest.mark.parametrize("words", ["salet=bbbyb", "--strategy regions"])
def test_suggest_draws_its_guess(folder: Path, tmp_path: Path, words: str) -> None:
    lists = ("--guesses", "g.txt", "--answers", "a.txt")
    plain = run(folder, "suggest", *words.split(), *lists)
    done = run(folder, "suggest", *words.split(), *lists, "--plot", str(tmp_path / "guess.svg"))
    assert (done.status, done.out) == (0, plain.out)
    assert (tmp_path / "guess.svg").read_bytes().startswith(MAGIC["svg"])


@pytest.mark.slow
@pytest.mark.parametrize("form", MAGIC)
def test_the_tree_by_command(folder: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "tree"
    done = run(folder, "export", "tree.msgpack", "--to", form, "--output", str(out))
    assert (done.status, done.err) == (0, "")
    assert out.read_bytes().startswith(MAGIC[form])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("plot distributions --output a.svg", "name trees, such as classic-normal, or --strategies"),
        ("plot distributions gone --output a.svg", "there is no tree file 'gone'"),
        (
            "plot distributions tree.msgpack --output a.gif",
            "a picture is a file that ends in .svg, .png or .pdf, not a.gif",
        ),
        ("plot debrief --output a.svg", "name the guesses of a finished game"),
        ("plot classes salet=bbbbb --output a.svg", "name a guess and then the position"),
        ("plot classes zesty --guesses g.txt --answers a.txt --output a.svg", "'zesty' is not among the 26 guesses"),
        ("plot debrief crony --strategies odds --output a.svg", "--strategies goes with plot distributions"),
        ("plot portrait --output a.svg", "no picture 'portrait'; there are distributions,"),
        ("plot gap --output a.svg", "name one journal"),
        ("plot gap a.txt --output a.svg", "a.txt"),
        ("suggest --strategy odds --plot a.svg", "of the strategies only regions has a picture"),
        ("suggest --plot a.gif", "a picture is a file that ends in .svg, .png or .pdf, not a.gif"),
        ("export tree.msgpack tree.msgpack --to svg", "--to svg takes one tree, not 2"),
    ],
)
def test_what_makes_no_picture(folder: Path, words: str, message: str) -> None:
    done = run(folder, *words.split())
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_trees_too_deep_are_not_drawn() -> None:
    root = Node("a")
    for _ in range(40):
        root = Node("a", {0: root})
    deep = matrix_tree()
    object.__setattr__(deep, "root", root)
    with pytest.raises(InputError, match="too deep to be drawn: 41 guesses"):
        optimal.plot_tree(deep)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for module in ("collections", "patches"):
        monkeypatch.setitem(sys.modules, f"matplotlib.{module}", None)
    with pytest.raises(InputError, match=r"pictures need matplotlib: install optimal-guess\[plot\]"):
        optimal.plot_distributions({"one": {1: 1}})
    with pytest.raises(InputError, match=r"pictures need matplotlib: install optimal-guess\[plot\]"):
        optimal.plot_tree(TREE)


def test_endings_of_files() -> None:
    assert [format_of(name) for name in ("a.svg", "b/c.PNG", "d.pdf")] == ["svg", "png", "pdf"]
