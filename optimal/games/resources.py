"""Where the shipped files are: inside the package once it is installed, beside it in a checkout.

A wheel carries data/ and trees/ as optimal/_data and optimal/_trees. A checkout and a default editable
install have them beside the package, where no import would find them; so paths are looked up from this file,
which also spares the player the import of importlib.resources.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path

from optimal.errors import InputError, did_you_mean

#: What stands for the newest of several games, in the names of games, trees and certificates.
ALIASES = {"nyt": "nyt2023"}

#: The row of costs, and the columns of weights and groups, of shipped tables that have them.
TABLE_PARTS = {"birds": ("effort", "seen", "group"), "car": ("minutes", "often", None)}

_PACKAGE = Path(__file__).resolve().parent.parent


def data_file(name: str) -> Path:
    """A word list or frequency table, such as "classic-answers.txt"."""
    return _folder("data") / name


def tree_file(name: str) -> Path:
    """A shipped strategy tree, such as "classic-normal.msgpack"."""
    return _folder("trees") / name


def stem_of(game: str) -> str:
    """With what the names of the files that ship for a game begin."""
    return game.replace(":", "-")


def tree_names() -> list[str]:
    """The names of all shipped trees, sorted."""
    return sorted(path.name for path in _folder("trees").glob("*.msgpack"))


def table_file(name: str) -> Path:
    """A shipped table of objects and questions, such as "birds.csv"."""
    return _folder("data") / "tables" / name


def table_names() -> list[str]:
    """The names of all shipped tables, sorted."""
    return sorted(path.name for path in (_folder("data") / "tables").glob("*.csv"))


def is_table(name: str) -> bool:
    """Whether a table of this name ships, or is made."""
    return f"{name}.csv" in table_names() or re.fullmatch("(sorting|coins):[0-9]+", name) is not None


def check_no_table(name: str) -> None:
    """InputError for the name of a table that ships, where a tree or a key is wanted."""
    if is_table(name):
        key = f"{name.partition(':')[0]}.key"
        raise InputError(
            f"{name!r} is a table: `optimal identify {name} --output {key}` makes its key, then name {key}"
        )


def names_file(name: str) -> bool:
    """Whether a name can only be a file's: nothing that ships has such a name."""
    return bool(os.path.splitext(name)[1] or os.path.dirname(name))


def certificate_file(name: str) -> Path:
    """The shipped certificate of that name, such as "classic-normal"; the name of a game stands for that of its tree
    under normal rules. InputError where there is none."""
    known = sorted(path.stem for path in _folder("trees").glob("*.xz"))
    found = shipped_name(name.removesuffix(".xz"), known)
    if found is None:
        if is_table(name):
            raise InputError(
                f"{name!r} is a table: `optimal identify {name} --certificate FILE` writes its certificate"
            )
        if names_file(name):
            raise InputError(f"there is no certificate file {name!r}")
        hint = did_you_mean(name, known, f"there are {', '.join(known) or 'none'}")
        raise InputError(f"there is no certificate file {name!r}, and none of that name is shipped{hint}")
    return _folder("trees") / f"{found}.xz"


def shipped_name(name: str, known: Collection[str]) -> str | None:
    """Which of these names of trees or certificates is meant: that very one, or, by the name of a game alone, that of
    normal rules. None where there is none.

    >>> shipped_name("nyt", ["nyt2023-hard", "nyt2023-normal"])
    'nyt2023-normal'
    """
    game, *rest = name.split("-")
    newest = "-".join([ALIASES.get(game, game), *rest])
    return next((one for one in (name, f"{name}-normal", newest, f"{newest}-normal") if one in known), None)


def _folder(kind: str) -> Path:
    installed = _PACKAGE / f"_{kind}"
    return installed if installed.is_dir() else _PACKAGE.parent / kind
