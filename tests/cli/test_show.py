"""Tables, bars and counts as text and as HTML; guesses in colours."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from optimal.show.csv import csv_of
from optimal.show.html import html_table
from optimal.show.table import Grid
from optimal.show.text import columns
from optimal.show.tiles import painted, tiles
from optimal.show.words import ordinal

TABLE = Grid(
    "a caption",
    ("guess", "is_it", "mean", "worst"),
    [("salet", True, Fraction(1584, 463), 5), ("a<b", False, 2.5, None)],
    ["a note " * 20],
)


def test_a_table_on_a_terminal() -> None:
    assert str(TABLE).splitlines()[:4] == [
        "a caption",
        "guess  is it    mean  worst",
        "salet    yes  3.4212      5",
        "a<b           2.5000      -",
    ]
    assert max(map(len, str(TABLE).splitlines())) <= 80
    assert str(Grid("a caption", ("guess",), [], ["a note"])) == "a caption\na note"


def test_no_cell_is_a_formula() -> None:
    cells = {"=1+1": "'=1+1", "@sum": "'@sum", "-a": "'-a", "-0.5": "-0.5", "+1": "+1", "-": "-", -0.5: "-0.5"}
    assert csv_of([{"cell": cell} for cell in cells]) == "".join(f"{cell}\n" for cell in ("cell", *cells.values()))


def test_the_same_table_in_a_notebook() -> None:
    html = TABLE._repr_html_()
    assert "<caption>a caption</caption>" in html
    for cell in (">a&lt;b<", ">yes<", ">3.4212<", ">-<"):
        assert cell in html


def test_guesses_are_tiles_in_a_notebook() -> None:
    page = html_table("after ab=YG: <2>", ("guess", "feedback", "left"), [("cd", "BB", 3), ("abc", "BB", 1)], "x ef=GG")
    # The feedback of abc has another length.
    assert [page.count(f"background:{colour}") for colour in ("#e5b53a", "#6a7178", "#2b7a4b")] == [1, 2, 3]
    assert 'title="ab=YG"' in page
    assert ": &lt;2&gt;</caption>" in page


def test_long_names_in_tables_are_cut_in_the_middle() -> None:
    names = [f"{'x' * 90}{number}" for number in range(3)]
    lines = columns(("guess", "total"), [(name, 7) for name in names]).splitlines()
    assert all(len(line) == 80 for line in lines)
    assert [line.split()[0][-4:] for line in lines[1:]] == ["xxx0", "xxx1", "xxx2"]
    assert all("xxx...xxx" in line for line in lines[1:])
    whole = "a" * 32  # so long a name stays
    assert columns(("guess", "b" * 90), [(whole, 1)]).splitlines()[1].startswith(whole)


def test_ordinals() -> None:
    assert [*map(ordinal, (1, 3, 10, 11, 13, 21, 22, 111))] == [
        *("first", "third", "tenth", "11th", "13th", "21st", "22nd", "111th")
    ]


# Guesses in colours on a terminal


PALETTE = {"B": "<b>", "Y": "<y>", "G": "<g>"}


def plain(text: str) -> str:
    return re.sub(r"<[byg]>|\x1b\[0m", "", text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("after salet=BBYBG: 21 candidates", "<b>s<b>a<y>l<b>e<g>t\x1b[0m=BBYBG"),
        ("testé=GBBBY", "<g>t<b>e<b>s<b>t<y>é\x1b[0m=GBBBY"),
    ],
)
def test_a_guess_before_its_feedback_is_painted(text: str, word: str) -> None:
    assert word in painted(text, PALETTE)
    assert plain(painted(text, PALETTE)) == text
    assert painted(text, None) == text


@pytest.mark.parametrize(
    "text",
    ["salet=BBYB", "salet BBYBGG", "1123=1,1", "xsalet2=BBYBG", "salet=bbybg", "salet: BBYBG", "salet\nBBYBG", ""],
)
def test_all_else_stays_as_it_is(text: str) -> None:
    assert painted(text, PALETTE) == text


def test_tiles_where_there_are_colours() -> None:
    assert tiles("ab", "YG", PALETTE) == "<y> A <g> B \x1b[0m"
    assert tiles("ab", "YG", None) == "ab  YG"
    assert tiles("1123", "1,12", PALETTE) == "1123  1,12"
    assert tiles("ßé", "YG", PALETTE) == "<y> ß <g> É \x1b[0m"
    assert tiles("ıi", "YG", PALETTE) == "<y> ı <g> I \x1b[0m"
