"""Keys in the forms that others print and read; docs/keys.md shows each.

key: numbered leads, as keys in floras are. indented: each question below the reply that leads to it. csv: a row for
each object at each end. dot: for Graphviz. latex: the numbered leads. svg: the tree as a picture, without any library.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optimal.errors import InputError
from optimal.show.csv import csv_lines
from optimal.tables.key import Key, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Lines are indented so many levels at most; those of deeper steps begin with their depth in brackets.
MOST_INDENT = 20
#: A picture has so many ends at most; more could not be looked at.
MOST_ENDS = 5000

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def lead_letters(number: int) -> str:
    """What marks a lead among those of its question: a to z, then aa, ab and so on."""
    text = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        text = chr(ord("a") + last) + text
    return text


def _leads(key: Key) -> Iterator[tuple[int, int | None, str, str, str, str]]:
    """The leads: number of the question, where one comes from, letter, question, reply, and what it leads to."""
    numbers: dict[int, int] = {}
    asked = [step for step in key.root.steps() if step.question is not None]
    for number, step in enumerate(asked, 1):
        numbers[id(step)] = number
    came: dict[int, int] = {}
    for step in asked:
        number = numbers[id(step)]
        assert step.question is not None
        for place, (code, child) in enumerate(step.children.items()):
            if child.question is None:
                to = key.named(child)
            else:
                came[numbers[id(child)]] = number
                to = str(numbers[id(child)])
            yield (
                number,
                came.get(number),
                lead_letters(place),
                key.questions[step.question],
                key.replies[step.question][code],
                to,
            )


def bracketed(key: Key) -> Iterator[str]:
    """Numbered leads: "1a. legs: 2 ... 2", then the question that has this number, with the one that led to it."""
    if key.root.question is None:
        yield f"{key.named(key.root)}\n"
    before = 0
    for number, came, letters, question, reply, to in _leads(key):
        back = f" ({came})" if came is not None and letters == "a" else ""
        gap = "\n" if before and number != before else ""
        yield f"{gap}{number}{letters}.{back} {question}: {reply} ... {to}\n"
        before = number


def indented(key: Key, levels: int | None = None) -> Iterator[str]:
    """Replies below the question before them; with ``levels``, the first so many questions of each path alone."""
    if key.root.question is None:
        yield f"{key.named(key.root)}\n"
    stack: list[tuple[int, str, Step]] = [(0, "", key.root)]
    while stack:
        depth, lead, step = stack.pop()
        if lead:
            level = depth - 1
            indent = "    " * min(level, MOST_INDENT) + (f"[{level}] " if level > MOST_INDENT else "")
            if step.question is None:
                yield f"{indent}{lead} ... {key.named(step)}\n"
            elif depth == levels:
                left = {one for below in step.steps() for one in below.objects}
                yield f"{indent}{lead} ({len(left)}: {key.questions[step.question]}?)\n"
                continue
            else:
                yield f"{indent}{lead}\n"
        if step.question is not None:
            question = key.questions[step.question]
            replies = key.replies[step.question]
            below = [(depth + 1, f"{question}: {replies[code]}", child) for code, child in step.children.items()]
            stack.extend(reversed(below))


def csv_rows(key: Key) -> Iterator[str]:
    """A row for each object at each end: its weight there, the number and the cost of the questions, and these."""
    table = key.table
    deep = key.worst
    headings = ["object", "weight", "questions", "cost"]
    for number in range(1, deep + 1):
        headings += [f"question_{number}", f"reply_{number}"]

    def rows() -> Iterator[Sequence[object]]:
        import numpy as np  # here, because other forms do without

        # Step by step with the variants that come there, so that each end has its own weights.
        stack: list[tuple[Step, tuple[tuple[int, int], ...], Any]] = [(key.root, (), np.arange(table.variants))]
        while stack:
            step, path, members = stack.pop()
            if step.question is not None:
                row = table.codes[step.question][members]
                below = [
                    (child, (*path, (step.question, code)), members[row == code])
                    for code, child in step.children.items()
                ]
                stack.extend(reversed(below))
                continue
            paid = sum(key.packed.costs[question] for question, _ in path)
            asked = [text for place, code in path for text in (key.questions[place], key.replies[place][code])]
            for one in step.objects:
                weight = Fraction(
                    int(table.weights[members][table.object_of[members] == one].sum()), table.weight_scale
                )
                told = str(weight) if weight.denominator == 1 else f"{float(weight):.12g}"
                blank = [None] * (2 * deep - len(asked))
                yield [key.objects[one], told, len(path), key.amount(paid), *asked, *blank]

    yield from csv_lines(headings, rows())


def dot(key: Key) -> Iterator[str]:
    """The tree in the language of Graphviz."""

    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    yield "digraph key {\n  rankdir=LR;\n  node [shape=box];\n"
    numbers: dict[int, int] = {}
    steps = list(key.root.steps())
    for number, step in enumerate(steps):
        numbers[id(step)] = number
        if step.question is None:
            yield f"  n{number} [label={quoted(key.named(step))}, shape=plaintext];\n"
        else:
            yield f"  n{number} [label={quoted(key.questions[step.question])}];\n"
    for number, step in enumerate(steps):
        for code, child in step.children.items():
            assert step.question is not None
            yield f"  n{number} -> n{numbers[id(child)]} [label={quoted(key.replies[step.question][code])}];\n"
    yield "}\n"


def latex(key: Key) -> Iterator[str]:
    """The numbered leads, to be read in by a document: a line each, dots between a lead and what it leads to."""

    def plain(text: str) -> str:
        return re.sub(r"[\\~^&%$#_{}]", lambda found: _LATEX[found[0]], text)

    yield "% Made by optimal; read it in by \\input.\n\\begingroup\\setlength{\\parindent}{0pt}\n"
    if key.root.question is None:
        yield f"{plain(key.named(key.root))}\n"
    before = 0
    for number, came, letters, question, reply, to in _leads(key):
        if before and number != before:
            yield "\\smallskip\n"
        back = f" ({came})" if came is not None and letters == "a" else ""
        yield f"\\textbf{{{number}{letters}}}{back} {plain(question)}: {plain(reply)} \\dotfill\\ {plain(to)}\\par\n"
        before = number
    yield "\\endgroup\n"


def svg(key: Key) -> Iterator[str]:
    """The tree as a picture, from the first question on the left; the objects stand on the right."""
    ends = sum(step.question is None for step in key.root.steps())
    if ends > MOST_ENDS:
        raise InputError(f"the key is too large for a picture: {ends} ends; {MOST_ENDS} are possible")
    yield key.svg()


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
    "svg": svg,
}
