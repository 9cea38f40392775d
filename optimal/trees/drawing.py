"""A tree as a picture in SVG, made of text alone: boxes from left to right, what leads on beside each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from optimal.errors import InputError

#: Height of a line, width of a letter, and room around it, in pixels.
_ROW, _LETTER, _PAD = 22, 7.2, 16
#: A picture has at most this many ends; more could not be looked at.
MOST_ENDS = 5000


@dataclass
class Drawn:
    """A node: its text and depth, and for each child the reply before it and its index in the list."""

    text: str
    depth: int
    below: list[tuple[str, int]] = field(default_factory=list)


def picture(title: str, nodes: Sequence[Drawn]) -> str:
    """The picture of a tree from its nodes in preorder; those without children stand as bold text."""
    ends = sum(not node.below for node in nodes)
    if ends > MOST_ENDS:
        raise InputError(f"the tree is too large for a picture: {ends} ends; {MOST_ENDS} are possible")
    return "".join(_svg(title, nodes))


def _svg(title: str, nodes: Sequence[Drawn]) -> Iterator[str]:
    deep = 1 + max(node.depth for node in nodes)
    # Each column is as wide as its longest box, and the texts behind them.
    boxes, gaps = [0.0] * deep, [0.0] * deep
    height = [0.0] * len(nodes)
    line = 0
    for place, node in enumerate(nodes):
        if node.below:
            boxes[node.depth] = max(boxes[node.depth], len(node.text) * _LETTER + _PAD)
            gaps[node.depth] = max(gaps[node.depth], *(len(text) * _LETTER + 2 * _PAD for text, _ in node.below))
        else:
            height[place] = (line + 0.5) * _ROW
            line += 1
    for place in range(len(nodes) - 1, -1, -1):
        if below := nodes[place].below:
            height[place] = (height[below[0][1]] + height[below[-1][1]]) / 2
    left = [_PAD + sum(boxes[:depth]) + sum(gaps[:depth]) for depth in range(deep)]
    rights = (left[node.depth] + (boxes[node.depth] if node.below else len(node.text) * _LETTER) for node in nodes)
    wide, top = max(*rights, _PAD + len(title) * _LETTER), 2 * _ROW
    across, down = f"{wide + _PAD:.0f}", line * _ROW + top + _PAD
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" viewBox="0 0 {across} {down}" '
        f'role="img" font-family="sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
        '<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text x="{_PAD}" y="{_ROW}" fill="#222">{escape(title)}</text>\n'
    )
    for place, node in enumerate(nodes):
        x, y = left[node.depth], top + height[place]
        if not node.below:
            yield f'<text x="{x:.1f}" y="{y + 4:.1f}" font-weight="bold" fill="#222">{escape(node.text)}</text>\n'
            continue
        width = len(node.text) * _LETTER + _PAD
        turn, end = x + boxes[node.depth] + 8, left[node.depth + 1] - 4
        for text, child in node.below:
            to = top + height[child]
            yield (
                f'<path d="M{x + width:.1f} {y:.1f}H{turn:.1f}V{to:.1f}H{end:.1f}" fill="none" stroke="#888"/>'
                f'<text x="{turn + 4:.1f}" y="{to - 3:.1f}" fill="#555">{escape(text)}</text>\n'
            )
        yield (
            f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="{width:.1f}" height="18" rx="4" fill="#e6f0ea" '
            f'stroke="#2b7a4b"/><text x="{x + _PAD / 2:.1f}" y="{y + 4:.1f}" fill="#111">{escape(node.text)}</text>\n'
        )
    yield "</svg>\n"
