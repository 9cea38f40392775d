"""Guesses in colours on a terminal: where they are painted, and where the text stays as it is."""

from __future__ import annotations

import re

import pytest

from optimal.show.tiles import painted, tiles

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
