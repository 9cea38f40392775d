"""A key as one web page that asks: HTML, style, script and the key in one file, which loads nothing from anywhere.

It has the style of the trees' page, and makes its elements as that does. Without JavaScript it shows the key as text.
"""

from __future__ import annotations

import base64
import json
import os
from html import escape

from optimal.checks import check_choice, check_truth
from optimal.errors import InputError
from optimal.page.parts import fill, read, script
from optimal.show.words import counted
from optimal.trees.key import Key, key_of
from optimal.trees.key_export import FORMS, PRINTED
from optimal.trees.key_export import indented as lines_of
from optimal.trees.keycodec import PackedCells, flat

#: Cells of the table at most, so that a browser opens it at once.
MOST_CELLS = 4_000_000


def export_key(
    key: Key | str | os.PathLike[str], form: str = "key", *, couplets: bool = False, indented: bool = False
) -> str:
    """Return a key in another form, as `optimal export KEY --to FORM` writes it.

    >>> from optimal import export_key, identify
    >>> print(export_key(identify("sorting:3").key, "dot").splitlines()[3])
      n0 [label="a or b"];

    Parameters
    ----------
    key : Key or str or path
        A key, or its file.
    form : str
        For print "key" (numbered leads), "markdown", "latex", "rtf" or "indented"; "html", a page that asks; "svg";
        "dot"; "csv"; "json". docs/howto/keys.md shows them.
    couplets, indented : bool
        In a form for print: whether to write couplets of two leads, and each lead above those that it leads to.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    InputError
        For another form, for options that don't go with it, and for a key that is too large for it.
    TreeFileError
        For a file that is no good key file.
    """
    key = key_of(key)
    check_choice(form, "form of keys", ("html", *FORMS))
    named = {"couplets": check_truth(couplets, "couplets"), "indented": check_truth(indented, "indented")}
    asked = {name: True for name, wanted in named.items() if wanted}
    if asked and form not in (*PRINTED, "indented"):
        raise InputError(f"{form} takes no {' or '.join(asked)}: that goes with {', '.join(PRINTED)}")
    return key_page(key) if form == "html" else "".join(FORMS[form](key, **asked))


def key_page(key: Key) -> str:
    """Make the page of a key. InputError for one that is too large.

    >>> from optimal import Table, identify
    >>> from optimal.page.keys import key_page
    >>> key_page(identify(Table.from_arrays([[0], [1]])).key)[:15]
    '<!doctype html>'
    """
    packed = key.packed
    if isinstance(packed, PackedCells):
        raise InputError("the objects of the key have too many forms for a page; `play` asks along it")
    if len(packed.codes) > 2 * MOST_CELLS:
        raise InputError(f"the table of the key is too large for a page: more than {MOST_CELLS} cells")
    held = {
        "questions": key.questions,
        "objects": key.objects,
        "replies": key.replies,
        # The places of replies in natural order, where that is another than the table's.
        "ranks": {
            place: ranks
            for place, of in enumerate(key.ranks)
            if (ranks := [of[code] for code in range(len(of))]) != sorted(ranks)
        },
        "variants": packed.variants,
        "groups": packed.groups,
        "names": packed.group_names,
        "codes": base64.b64encode(packed.codes).decode("ascii"),
        "tree": flat(key.root),
    }
    parts = {
        "title": escape(key.name),
        "about": escape(_about(key)),
        "style": f"{read('page.css')}\n{read('key.css')}",
        "text": escape("".join(lines_of(key))),
        # Nothing in a name may end the element that it stands in.
        "data": json.dumps(held, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script(("dom", "key")),
    }
    return fill("key.html", parts)


def _about(key: Key) -> str:
    least = "the least cost on average" if key.has_costs else "the fewest on average"
    proven = "the best known"
    if key.status == "OPTIMAL":
        proven = f"proven {'the best worst case' if key.objective == 'worst' else least}"
    cost = f", at a cost of {float(key.mean):.2f} on average, at most {key.amount(key.worst_cost)}"
    return (
        f"{counted(len(key.objects), 'object')} in {float(key.mean_questions):.2f} questions on average, "
        f"at most {key.worst}{cost if key.has_costs else ''}: {proven}{key.scope}."
    )
