"""What all pictures share: their colours, an empty figure, and writing one to a file."""

from __future__ import annotations

import io
import os
import re
import warnings
from typing import TYPE_CHECKING

from optimal.checks import check_path
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.show.words import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Told apart by those too who don't tell green from red; the first is that of the optimal tree.
COLOURS = ("#2b7a4b", "#e5b53a", "#4f81bd", "#c0603b", "#7a4bb0", "#6a7178", "#12707a", "#dd8fbd")
INK, SOFT = "#1b2025", "#6a7178"
FORMATS = ("svg", "png", "pdf")
POINTS = 72  # an inch
DOTS = 150  # an inch of PNG
MOST_DOTS = 2**16 - 1  # across a PNG


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of so many inches, that belongs to no window, with one pair of axes.

    InputError where matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("pictures need matplotlib: pip install '.[plot]' in the checkout") from None
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=SOFT)
    return figure, axes


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that the ending of a file's name asks for. InputError for any other than svg, png and pdf."""
    ending = os.path.splitext(check_path(path, "the picture"))[1][1:].lower()
    if ending not in FORMATS:
        raise InputError(f"a picture is a file that ends in .{', .'.join(FORMATS[:-1])} or .{FORMATS[-1]}, not {path}")
    return ending


def picture(figure: Figure, form: str) -> bytes:
    """The bytes of a figure as svg, png or pdf; the same figure gives the same bytes. It warns of letters that the
    font of a PNG or PDF lacks.

    InputError for one too large for a PNG.
    """
    import matplotlib.text

    if form == "png" and max(figure.get_size_inches()) * DOTS > MOST_DOTS:
        raise InputError("the picture is too large for PNG: write it as SVG, or as PDF")

    for text in figure.findobj(matplotlib.text.Text):
        text.set_parse_math(False)  # a dollar in a name is no formula
    out = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with (
        matplotlib.rc_context({"svg.hashsalt": "optimal", "svg.fonttype": "none"}),
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("always")
        figure.savefig(out, format=form, dpi=DOTS, metadata=dates.get(form))
    missing = set()
    for warning in told:
        if found := re.match(r"Glyph (\d+)", str(warning.message)):
            missing.add(chr(int(found[1])))
        else:
            warnings.warn(warning.message, stacklevel=3)
    if missing and form != "svg":
        lacks = "".join(sorted(missing))
        warnings.warn(f"the font of the picture lacks {lacks}: an SVG takes the fonts of its viewer", stacklevel=3)
    return out.getvalue()


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure to a file that ends in .svg, .png or .pdf; it appears whole or not at all.

    >>> from optimal import plot_classes, save_figure
    >>> save_figure(plot_classes("mastermind:2x2", "11"), "classes.png")

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What a function such as `plot_classes` returned.
    path : str or path
        The file; its ending says the form, and the same figure gives the same bytes.

    Raises
    ------
    InputError
        For any other ending, and where the file can't be written.
    """
    form = format_of(path)
    if not hasattr(figure, "savefig"):
        raise InputError(f"a figure is needed, as plot_classes returns it, not {shown(figure)}")
    write_whole(path, [picture(figure, form)])
