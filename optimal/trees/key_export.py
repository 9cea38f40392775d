"""Keys in the forms that others print and read; docs/howto/keys.md shows each.

key: numbered leads, as keys in floras are. indented: each question below the reply that leads to it. csv: a row for
each object at each end. dot: for Graphviz. latex: the numbered leads. svg: a picture, without any
library. json: as `export_json` has trees.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from optimal.errors import InputError
from optimal.show.csv import csv_lines
from optimal.trees.export import indent
from optimal.trees.key import Key, decimal
from optimal.trees.nodes import Step

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


@dataclass(frozen=True)
class _Lead:
    """One reply to a numbered question, and where it leads: to another number, or to objects."""

    number: int
    letters: str
    back: str  # the number that led to the question, before its first lead
    text: str
    to: str


def lead_letters(number: int) -> str:
    """What marks a lead among those of its question: a to z, then aa, ab and so on."""
    text = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        text = chr(ord("a") + last) + text
    return text


def _leads(key: Key) -> Iterator[_Lead]:
    numbers: dict[int, int] = {}
    came: dict[int, int] = {}
    asked = [step for step in key.root.nodes() if step.question is not None]
    for number, step in enumerate(asked, 1):
        numbers[id(step)] = number
        came.update((id(child), number) for child in step.children.values())
    for number, step in enumerate(asked, 1):
        for place, (code, child) in enumerate(step.children.items()):
            back = f" ({came[id(step)]})" if not place and id(step) in came else ""
            to = key.named(child) if child.question is None else str(numbers[id(child)])
            yield _Lead(number, lead_letters(place), back, f"{key.label(step)}: {key.reply(step, code)}", to)


def bracketed(key: Key) -> Iterator[str]:
    """Numbered leads: "1a. legs: 2 ... 2", then the question that has this number, with the one that led to it."""
    if key.root.question is None:
        yield f"{key.named(key.root)}\n"
    for lead in _leads(key):
        gap = "\n" if lead.letters == "a" and lead.number > 1 else ""
        yield f"{gap}{lead.number}{lead.letters}.{lead.back} {lead.text} ... {lead.to}\n"


def latex(key: Key) -> Iterator[str]:
    """The numbered leads, to be read in by a document: a line each, dots between a lead and what it leads to."""
    yield "% Made by optimal; read it in by \\input.\n\\begingroup\\setlength{\\parindent}{0pt}\n"
    if key.root.question is None:
        yield f"{key.named(key.root).translate(_LATEX)}\n"
    for lead in _leads(key):
        if lead.letters == "a" and lead.number > 1:
            yield "\\smallskip\n"
        mark = f"\\textbf{{{lead.number}{lead.letters}}}{lead.back}"
        yield f"{mark} {lead.text.translate(_LATEX)} \\dotfill\\ {lead.to.translate(_LATEX)}\\par\n"
    yield "\\endgroup\n"


def indented(key: Key, levels: int | None = None) -> Iterator[str]:
    """Replies below the question before them; with ``levels``, only the first questions of each path."""
    if key.root.question is None:
        yield f"{key.named(key.root)}\n"
    stack: list[tuple[int, str, Step]] = [(0, "", key.root)]
    while stack:
        depth, lead, step = stack.pop()
        if lead:
            if step.question is None:
                lead += f" ... {key.named(step)}"
            elif depth == levels:
                left = {one for below in step.nodes() for one in below.objects}
                lead += f" ({len(left)}: {key.label(step)}?)"
            yield f"{indent(depth - 1, 4)}{lead}\n"
        if depth != levels:
            children = list(step.children.items())[::-1]
            stack += [(depth + 1, f"{key.label(step)}: {key.reply(step, code)}", child) for code, child in children]


def csv_rows(key: Key) -> Iterator[str]:
    """A row for each object at each end: its weight there, the number and the cost of the questions, and these."""
    weights: dict[tuple[int, int], int] = {}
    paths: dict[int, list[tuple[Step, int]]] = {}
    for place in range(len(key.objects)):
        for path, end, weight in key.ways(place):
            paths[id(end)] = path
            weights[id(end), place] = weights.get((id(end), place), 0) + weight
    headings = ["object", "weight", "questions", "cost"]
    headings += [f"{name}_{number}" for number in range(1, key.worst + 1) for name in ("question", "reply")]

    def rows() -> Iterator[Sequence[object]]:
        for end in key.root.nodes():
            path = paths.get(id(end), [])
            cost = sum(key.packed.costs[step.question] for step, _ in path if step.question is not None)
            asked = [text for step, code in path for text in (key.label(step), key.reply(step, code))]
            blank = [None] * (2 * key.worst - len(asked))
            for one in end.objects:
                weight = Fraction(weights.get((id(end), one), 0), key.packed.weight_scale)
                yield [key.objects[one], decimal(weight), len(path), key.amount(cost), *asked, *blank]

    yield from csv_lines(headings, rows())


def dot(key: Key) -> Iterator[str]:
    """The tree in the language of Graphviz."""

    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    yield "digraph key {\n  rankdir=LR;\n  node [shape=box];\n"
    steps = list(key.root.nodes())
    numbers = {id(step): number for number, step in enumerate(steps)}
    for number, step in enumerate(steps):
        shape = ", shape=plaintext" if step.question is None else ""
        yield f"  n{number} [label={quoted(key.label(step))}{shape}];\n"
    for number, step in enumerate(steps):
        for code, child in step.children.items():
            yield f"  n{number} -> n{numbers[id(child)]} [label={quoted(key.reply(step, code))}];\n"
    yield "}\n"


def as_json(key: Key) -> Iterator[str]:
    """What `Key.to_dict` says, as JSON."""
    try:
        yield json.dumps(key.to_dict(), separators=(",", ":")) + "\n"
    except RecursionError:
        raise InputError(f"the key is too deep for JSON: {key.worst} questions; --to key can do it") from None


#: The forms by name.
FORMS: dict[str, Callable[[Key], Iterator[str]]] = {
    "key": bracketed,
    "indented": indented,
    "json": as_json,
    "csv": csv_rows,
    "dot": dot,
    "latex": latex,
    "svg": lambda key: iter([key.svg()]),
}
