"""Results as commands print them: JSON, CSV or text."""

from __future__ import annotations

import json
import sys
import warnings
from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from optimal.cli.console import remark
from optimal.cli.options import STDOUT
from optimal.files import write_whole
from optimal.show.text import printable
from optimal.show.tiles import painted, palette_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def print_json(fields: Mapping[str, Any]) -> None:
    """Print one JSON object, in plain ASCII so that every terminal and pipe can take it."""
    print(json.dumps(fields))


def print_result(
    arguments: Namespace, fields: Mapping[str, Any], text: str, csv: Callable[[], str] | None = None
) -> None:
    """Print a result as one JSON object, as CSV or as text, whichever is asked for; CSV may go to a file beside.

    On a terminal with colours the guesses in a text are coloured tiles; --contrast chooses which.
    """
    file = None if csv is None else arguments.csv
    if csv is not None and file not in (None, STDOUT):
        write_whole(file, [csv().encode()])
    if arguments.json:
        print_json(fields)
    elif csv is not None and file == STDOUT:
        sys.stdout.write(csv())
    else:
        palette = palette_of(sys.stdout, contrast=getattr(arguments, "contrast", False))
        sys.stdout.write(printable(painted(text.rstrip("\n") + "\n", palette)))


def save_picture(figure: Figure, path: str) -> None:
    """Write a picture; what is odd about it is said in a line."""
    from optimal.plots.figures import save_figure  # here, because most commands draw nothing

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        save_figure(figure, path)
    for line in dict.fromkeys(str(warning.message) for warning in told):
        remark(line)


def talk_stream(arguments: Namespace) -> TextIO:
    """The stream of a conversation: standard output, which --json has for its object alone."""
    return sys.stderr if arguments.json else sys.stdout
