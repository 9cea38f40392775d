"""Tables for notebooks, as plain HTML: guesses as coloured tiles, numbers as bars, no other style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from optimal.show.tiles import TURN

#: Background and letter colour of black, yellow and green, readable on light and dark pages.
_COLOURS = {"B": ("#6a7178", "#fff"), "Y": ("#e5b53a", "#231b04"), "G": ("#2b7a4b", "#fff")}
_TILE = "display:inline-block;width:1.4em;line-height:1.4em;margin-right:1px;text-align:center;font-weight:bold"


def html_table(
    caption: str, headings: Sequence[str], rows: Sequence[Sequence[object]], *notes: str, bars: bool = False
) -> str:
    """Return a table with its caption above and notes below; the first column is text, the others are numbers.

    A guess next to its feedback is shown as tiles. With ``bars`` the numbers of the last column have bars.
    """
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    most = max((row[-1] for row in rows if isinstance(row[-1], int)), default=0) if bars else 0
    body = "".join(_row(row, most) for row in rows)
    below = "".join(f"<p>{html_text(note)}</p>" for note in notes if note)
    return f"<table><caption>{html_text(caption)}</caption><tr>{head}</tr>{body}</table>{below}"


def html_text(text: str) -> str:
    """Return a text with guesses as tiles where their feedback follows: "after salet=BYBBB"."""
    parts, at = [], 0
    for turn in TURN.finditer(text):
        if len(turn["word"]) == len(turn["marks"]):
            parts += [escape(text[at : turn.start()]), html_tiles(turn["word"], turn["marks"])]
            at = turn.end()
    return "".join([*parts, escape(text[at:])])


def html_tiles(word: str, marks: str) -> str:
    """Return a guess as coloured tiles, one per letter, with its feedback as tooltip."""
    tiles = "".join(
        f'<span style="{_TILE};background:{_COLOURS[mark][0]};color:{_COLOURS[mark][1]}">{escape(letter)}</span>'
        for letter, mark in zip(word, marks, strict=True)
    )
    return f'<span style="white-space:nowrap" title="{escape(word)}={marks}">{tiles}</span>'


def _row(row: Sequence[object], most: int) -> str:
    cells = []
    for column, value in enumerate(row):
        text = escape(str(value))
        if column + 1 < len(row) and re.fullmatch("[BYG]{2,10}", follows := str(row[column + 1])):
            word = str(value)
            text = html_tiles(word, follows) if len(word) == len(follows) else text
        if most and column == len(row) - 1 and isinstance(value, int):
            width = f"width:{10 * value / most:.2f}em"
            bar = f'<span style="display:inline-block;{width};height:.8em;margin-left:.5em;background:#2b7a4b"></span>'
            number = f'<span style="display:inline-block;min-width:{len(str(most))}ch">{text}</span>'
            cells.append(f'<td style="text-align:left">{number}{bar}</td>')
        else:
            style = ' style="text-align:left"' if column == 0 else ""
            cells.append(f"<td{style}>{text}</td>")
    return f"<tr>{''.join(cells)}</tr>"
