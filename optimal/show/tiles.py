"""Guesses as coloured tiles on a terminal, next to their feedback; plain text elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TextIO

RESET = "\x1b[0m"
#: A word followed by its feedback: "salet=BYBBB", or in columns "salet BYBBB".
TURN = re.compile(r"(?<![^\W_])(?P<word>[^\W\d_]{2,10})(?P<gap>=| +)(?P<marks>[BYG]{2,10})(?![^\W_])")


#: The terminal's codes for letter and background of the marks B, Y and G.
Palette = Mapping[str, str]
#: For terminals of 256 colours, and of 16; high contrast uses orange and blue for green and yellow.
_PALETTES: dict[tuple[bool, bool], Palette] = {
    (True, False): {"B": "\x1b[1;38;5;231;48;5;240m", "Y": "\x1b[1;38;5;16;48;5;179m", "G": "\x1b[1;38;5;231;48;5;29m"},
    (True, True): {"B": "\x1b[1;38;5;231;48;5;240m", "Y": "\x1b[1;38;5;16;48;5;117m", "G": "\x1b[1;38;5;16;48;5;208m"},
    (False, False): {"B": "\x1b[1;97;100m", "Y": "\x1b[30;43m", "G": "\x1b[30;42m"},
    (False, True): {"B": "\x1b[1;97;100m", "Y": "\x1b[30;46m", "G": "\x1b[30;43m"},
}


def palette_of(stream: TextIO, *, contrast: bool = False) -> Palette | None:
    """Return the colours for this stream; None if it is no terminal, is a dumb one, or NO_COLOR is set.

    ``contrast`` selects orange and blue, which colour-blind people can tell apart.
    """
    terminal = os.environ.get("TERM", "")
    if not stream.isatty() or os.environ.get("NO_COLOR") or terminal in ("", "dumb"):
        return None
    many = "256color" in terminal or bool(os.environ.get("COLORTERM"))
    return _PALETTES[many, contrast]


def painted(text: str, palette: Palette | None) -> str:
    """Return the text with each guess that precedes its feedback in colour; unchanged without a palette."""
    if palette is None:
        return text

    def paint(turn: re.Match[str]) -> str:
        word, marks = turn["word"], turn["marks"]
        if len(word) != len(marks):
            return turn[0]
        return f"{_coloured(word, marks, palette)}{turn['gap']}{marks}"

    return TURN.sub(paint, text)


def tiles(word: str, marks: str, palette: Palette | None) -> str:
    """Return a guess as a row of tiles, three characters each; the word and its feedback if there is no palette, or no
    mark for each letter, as in a peg game."""
    if palette is None or len(word) != len(marks) or not set(marks) <= set("BYG"):
        return f"{word}  {marks}"
    # Letters whose capital is two letters, or that of another one, stay small.
    capitals = (letter.upper() if letter.upper().lower() == letter else letter for letter in word)
    return _coloured([f" {letter} " for letter in capitals], marks, palette)


def _coloured(parts: Sequence[str], marks: str, palette: Palette) -> str:
    return "".join(f"{palette[mark]}{part}" for part, mark in zip(parts, marks, strict=True)) + RESET
