"""Strategy trees as one web page that plays: HTML, style, script, the engine and the trees' own files in one.

The page loads nothing, from this machine or another. It carries each tree as the bytes of its file in base64, which
its script reads as docs/reference/tree-file.md has it; so nobody who glances at the page's source reads the answers.
Along a tree it plays by look-up; elsewhere by the engine as WebAssembly, in a worker made of what the page carries.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from optimal.errors import InputError
from optimal.games.openers import sections
from optimal.games.presets import Preset, preset_of, presets, titled
from optimal.games.resources import tree_file, tree_names
from optimal.games.rules import Rules
from optimal.games.tiers import other_words
from optimal.games.wordlists import sha256_of
from optimal.page.parts import fill, read, read_bytes, read_script, script
from optimal.trees.codec import tree_path
from optimal.trees.file import load_tree, to_bytes, tree_of
from optimal.trees.tree import StrategyTree

#: In the order in which they need each other.
_SCRIPTS = (
    *("codec", "rules", "tree", "own", "used", "legal", "game", "address", "dom", "engine", "advice"),
    *("row", "outlook", "play", "browse", "numbers", "worth", "grid", "debrief", "main"),
)
#: The kinds of feedback that web/rules.js knows.
KINDS = ("words", "mastermind", "bulls-and-cows", "black-pegs")
#: Steps of all answers of a tree that a browser counts in a second or two.
MOST_STEPS = 5_000_000


def export_html(*trees: StrategyTree | str | os.PathLike[str], guesses: Sequence[str] | None = None) -> str:
    """A page that plays these trees in a browser; with several, it has a menu.

    >>> from optimal import export_html
    >>> export_html("classic-normal", "mastermind-normal")[:15]
    '<!doctype html>'

    Parameters
    ----------
    *trees : StrategyTree or str or path
        Trees, their files, or names of shipped ones.
    guesses : sequence of str, optional
        The words that may be guessed in games of lists of your own; a tree's file has only those that it uses, and
        those of shipped games are found.

    Returns
    -------
    str
        One file of HTML that needs nothing else.

    Raises
    ------
    InputError
        When there is no tree, one is too deep for a browser, or the guesses are those of none.
    """
    if not trees:
        raise InputError("a page needs one tree at least")
    found = [tree_of(tree) for tree in trees]
    for tree in found:
        if tree.game.feedback is not None and tree.game.feedback.kind not in KINDS:
            known = ", ".join(KINDS)
            raise InputError(f"a page plays {known} and bare matrices, not games of kind {tree.game.feedback.kind}")
        if sum(depth * count for depth, count in tree.distribution.items()) > MOST_STEPS:
            raise InputError(f"the tree of {tree.game.name} is too deep for a page: up to {tree.worst} guesses")
    if guesses is not None:
        guesses = _all_guesses(guesses, found)
    names = _names(trees, found)
    parts = {
        "title": escape(_title(found)),
        "style": read("page.css"),
        "trees": "\n".join([*map(_element, names, found), *_words(found, guesses)]),
        "engine": _engine(found),
        "script": script(_SCRIPTS),
    }
    return fill("page.html", parts)


def _all_guesses(given: Sequence[str], trees: list[StrategyTree]) -> Sequence[str]:
    """The guesses given, with the answers where only they are missing."""
    for tree in trees:
        for words in (given, [*given, *tree.answers]):
            if sha256_of(words) == tree.game.guesses_sha256:
                return words
    raise InputError(f"these {len(given)} guesses are not those of {' or '.join(tree.game.name for tree in trees)}")


def _title(trees: list[StrategyTree]) -> str:
    games = list(dict.fromkeys(titled(tree.game.name) for tree in trees))
    rules = f", {trees[0].rules} rules" if len(trees) == 1 else ""
    words = any(tree.game.feedback is not None and tree.game.feedback.kind == "words" for tree in trees)
    return f"{'Wordle at its best' if words else 'optimal'}: {', '.join(games)}{rules}"


def _names(given: tuple[StrategyTree | str | os.PathLike[str], ...], trees: list[StrategyTree]) -> list[str]:
    """What links call each tree: its file's name, or game and rules; no two alike."""
    names: list[str] = []
    for argument, tree in zip(given, trees, strict=True):
        made = f"{tree.game.name}-{tree.rules}"
        name = made if isinstance(argument, StrategyTree) else Path(tree_path(argument)).name.removesuffix(".msgpack")
        name = name.encode(errors="replace").decode()  # the name of a file need not be UTF-8
        number = 1
        while (unlike := name if number == 1 else f"{name}-{number}") in names:
            number += 1
        names.append(unlike)
    return names


def _element(name: str, tree: StrategyTree) -> str:
    data = base64.b64encode(to_bytes(tree)).decode("ascii")
    title = escape(titled(tree.game.name))
    openers = base64.b64encode(json.dumps(_openers(tree), separators=(",", ":")).encode()).decode("ascii")
    about = f'data-name="{escape(name)}" data-title="{title}" data-openers="{openers}"'
    return f'<script type="text/tree" {about}>{data}</script>'


def _openers(tree: StrategyTree) -> dict[str, list[tuple[str, int, int]]]:
    """The best first guesses within the tree's limit by each of the rules, with total and worst case, as far as totals
    or trees ship; the best one first."""
    known = _preset_of(tree)
    if known is None or tree.position:
        return {}
    found = {}
    for rules in Rules:
        about = (known.name, rules.value)
        held = (one for one in sections() if (one.game, one.rules) == about and one.holds_within(tree.max_guesses))
        section, other = next(held, None), _shipped(tree, rules)
        if section is not None:
            found[rules.value] = [(opener.guess, opener.total, opener.worst) for opener in section.openers]
        elif other is not None and other.status == "OPTIMAL":
            found[rules.value] = [(other.root.guess, other.total, other.worst)]
    return found


def _preset_of(tree: StrategyTree) -> Preset | None:
    return preset_of(tree.game.feedback, tree.game.guesses_sha256, tree.game.answers_sha256)


def _shipped(tree: StrategyTree, rules: Rules) -> StrategyTree | None:
    known = _preset_of(tree)
    if known is None or (file := f"{known.name}-{rules}.msgpack") not in tree_names():
        return None
    found = load_tree(tree_file(file))
    return found if found.max_guesses == tree.max_guesses else None


def _words(trees: list[StrategyTree], own: Sequence[str] | None) -> Iterator[str]:
    """The words that may be guessed, as those that are in no list of answers may be the answer all the same."""
    lists: dict[str, Sequence[str]] = {} if own is None else {sha256_of(own): own}
    for tree in trees:
        # With answers of one's own the list of guesses may still be one that ships.
        same = (one for one in presets() if one.guesses_sha256 == tree.game.guesses_sha256)
        known = _preset_of(tree) or next(same, None)
        if known is not None and other_words(known.feedback, known.guesses(), known.answers()):
            lists[tree.game.guesses_sha256] = known.guesses()
    for sha256, words in lists.items():
        data = base64.b64encode("\n".join(words).encode()).decode("ascii")
        yield f'<script type="text/words" data-sha256="{sha256}">{data}</script>'


def _engine(trees: list[StrategyTree]) -> str:
    """The worker's script, which the page doesn't run itself, and for games of words the engine that it runs."""
    parts = [f'<script type="text/worker">\n{read_script("worker")}\n</script>']
    if any(tree.game.feedback is not None and tree.game.feedback.kind == "words" for tree in trees):
        engine = read_bytes("advisor.wasm")
        data, checksum = base64.b64encode(engine).decode("ascii"), hashlib.sha256(engine).hexdigest()
        parts.append(f'<script type="text/wasm" data-sha256="{checksum}">{data}</script>')
    return "\n".join(parts)
