"""Keys in the forms that others print and read; docs/howto/keys.md shows each.

For print, as numbered leads or indented: key, plain text; markdown; latex; rtf, for word processors. indented: the
plain text, indented. csv: a row for each object at each end. dot: for Graphviz. svg: a picture, without any library.
json: as `export_json` has trees.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from unicodedata import combining, decomposition, name, normalize

from optimal.errors import InputError
from optimal.show.csv import csv_lines
from optimal.show.text import paragraph
from optimal.trees.export import MOST_INDENT, indent
from optimal.trees.key import Key, decimal
from optimal.trees.key_leads import Lead, leads_of
from optimal.trees.nodes import Step

#: Length of a line of plain text, dots between a lead and where it leads included.
_LINE = 80
_DOTS = "..."
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)
#: Beyond ASCII, what LaTeX takes without packages; Greek in the order of Unicode, and other formulas.
_BEYOND = re.compile(
    "[^\0-\x7f\xa1-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u0165\u0168-\u017e\u0218-\u021b\u2010-\u2014"
    "\u2018\u2019\u201c-\u201e\u2020-\u2022\u2026\u2030\u2044\u20ac\u2116\u2122\u2190-\u2193]|[\u0126\u0127]"
)
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau "
    "upsilon phi chi psi omega"
)
_CAPITALS = frozenset(["gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega"])
_FORMULAS = {
    **{chr(0x3B1 + at): f"\\{name}" for at, name in enumerate(_GREEK.split()) if name != "omicron"},
    **{chr(0x391 + at): f"\\{name.title()}" for at, name in enumerate(_GREEK.split()) if name in _CAPITALS},
    "\N{MINUS SIGN}": "-",
    "≤": r"\le",
    "≥": r"\ge",
    "≈": r"\approx",
    "≠": r"\ne",
    "∞": r"\infty",
    "√": r"\surd",
    "∅": r"\emptyset",
    "●": r"\bullet",
    "○": r"\circ",
    "\N{PRIME}": "'",
    "\N{DOUBLE PRIME}": "''",
}
#: The first argument where the document has that character, else the second.
_OR_ELSE = (
    r"\providecommand{\orelse}[2]{\ifdefined\Umathchar#1\else\ifcsname u8:\detokenize{#1}\endcsname#1\else#2\fi\fi}"
)
#: The combining class of strokes through a character; that of no accent is less, that of any other more.
_STROKE = 1
_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\`*_[]{}<>&~$|^@#"})


@dataclass(frozen=True)
class _Print:
    """How a form writes leads: each begins a line, those of one question after ``within``, a new one after ``gap``."""

    escaped: Callable[[str], str]
    line: Callable[[Lead], str]
    start: str = ""
    within: str = "\n"
    gap: str = "\n\n"
    end: str = "\n"

    def __call__(self, key: Key, *, couplets: bool = False, indented: bool = False) -> Iterator[str]:
        """Yield the text of a key; `leads_of` says what the options do."""
        before = self.start
        for lead in leads_of(key, couplets=couplets, indented=indented):
            lead = replace(lead, text=self.escaped(lead.text), to=self.escaped(lead.to))
            yield (self.gap if lead.gap else before) + (self.line(lead) if lead.mark else lead.to)
            before = "\n" if indented else self.within
        yield self.end


def _plain_line(lead: Lead) -> str:
    start = indent(lead.depth or 0, 2)
    wrapped = partial(
        textwrap.fill,
        width=_LINE,
        initial_indent=start,
        subsequent_indent=f"{start}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    text = wrapped(words := f"{lead.mark}.{lead.back} {lead.text}")
    dots = _LINE - 2 - (len(text) - text.rfind("\n") - 1) - len(lead.to)
    if lead.to and dots < len(_DOTS):
        return wrapped(f"{words} {_DOTS} {lead.to}")
    return f"{text} {'.' * dots} {lead.to}" if lead.to else text


def _markdown_line(lead: Lead) -> str:
    item = f"{'    ' * min(lead.depth, MOST_INDENT)}- " if lead.depth is not None else ""
    return f"{item}**{lead.mark}.**{lead.back} {lead.text}{f' ... {lead.to}' if lead.to else ''}"


def _plain(one: str) -> str:
    """A character in ASCII without its accents; "" where that would lose more, such as a stroke through it."""
    parts = normalize("NFKD", one).replace("\N{FRACTION SLASH}", "/")
    plain = "".join(part for part in parts if part.isascii())
    lost = [combining(part) for part in parts if not part.isascii()]
    return plain if not lost or (plain.strip() and all(kind > _STROKE for kind in lost)) else ""


def _latex_text(text: str) -> str:
    """Text in LaTeX; what pdflatex stops at is written otherwise where no package of the document has it."""

    def either(found: re.Match[str]) -> str:
        one = found[0]
        kind, *codes = decomposition(one).split() or [""]
        if one in _FORMULAS:
            other = f"\\ensuremath{{{_FORMULAS[one]}}}"
        elif kind in ("<sub>", "<super>"):
            other = f"\\text{kind[1:-1]}script{{{_latex_text(''.join(chr(int(code, 16)) for code in codes))}}}"
        elif plain := _plain(one):
            apart = kind == "<fraction>" and found.string[: found.start()][-1:].isdigit()  # 1 2/3, not 12/3
            other = f"{' ' * apart}{plain.translate(_LATEX)}"
        else:
            other = f"({name(one, f'u+{ord(one):04x}').lower().removesuffix(' sign')})"
        return f"\\orelse{{{one}}}{{{other}}}"

    return _BEYOND.sub(either, text.translate(_LATEX))


def _latex_line(lead: Lead) -> str:
    left = f"\\leftskip={min(lead.depth, MOST_INDENT)}em " if lead.depth is not None else ""
    to = f" \\dotfill\\ {lead.to}" if lead.to else ""
    return f"{left}\\hangindent=2em \\textbf{{{lead.mark}}}{lead.back} {lead.text}{to}\\par"


def _rtf_line(lead: Lead) -> str:
    left = 720 + 240 * min(lead.depth or 0, MOST_INDENT)
    space = r"\sb120" if lead.gap else ""
    tabs = rf"\li{left}\fi-720\tx{left}\tqr\tldot\tx8640"
    to = rf"\tab {lead.to}" if lead.to else ""
    return rf"\pard{space}{tabs} {{\b {lead.mark}.}}\tab{lead.back} {lead.text}{to}\par"


def _rtf_text(text: str) -> str:
    """Text in RTF: what isn't ASCII as signed numbers of UTF-16, each with a question mark for old readers."""

    def escaped(character: str) -> str:
        if character.isascii():
            return f"\\{character}" if character in "\\{}" else character
        units = character.encode("utf-16-le")
        signed = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
        return "".join(f"\\u{number}\\'3f" for number in signed)

    return "".join(map(escaped, text))


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
            start = indent(depth - 1, 4)
            yield paragraph(lead, first=start, indent=f"{start}        ")
        if depth != levels:
            children = key.children(step)[::-1]
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
        for code, child in key.children(step):
            yield f"  n{number} -> n{numbers[id(child)]} [label={quoted(key.reply(step, code))}];\n"
    yield "}\n"


def as_json(key: Key) -> Iterator[str]:
    """What `Key.to_dict` says, as JSON."""
    try:
        yield json.dumps(key.to_dict(), separators=(",", ":")) + "\n"
    except RecursionError:
        raise InputError(f"the key is too deep for JSON: {key.worst} questions; --to key can do it") from None


#: The forms by name; those of print take `couplets` and `indented`.
PRINTED = {
    "key": _Print(str, _plain_line),
    "markdown": _Print(lambda text: text.translate(_MARKDOWN), _markdown_line, within="\\\n"),
    "latex": _Print(
        _latex_text,
        _latex_line,
        start="% Made by optimal; read it in by \\input, best after \\usepackage[T1]{fontenc}.\n"
        + f"{_OR_ELSE}\n\\begingroup\\setlength{{\\parindent}}{{0pt}}\n",
        gap="\n\\smallskip\n",
        end="\n\\endgroup\n",
    ),
    "rtf": _Print(
        _rtf_text,
        _rtf_line,
        start="{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1{\\fonttbl{\\f0\\froman Times New Roman;}}\\f0\\fs22\n",
        gap="\n",
        end="\n}\n",
    ),
}
FORMS: dict[str, Callable[..., Iterator[str]]] = {
    **PRINTED,
    "indented": partial(PRINTED["key"], indented=True),
    "json": as_json,
    "csv": csv_rows,
    "dot": dot,
    "svg": lambda key: iter([key.svg()]),
}
