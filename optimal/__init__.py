"""Provably optimal strategy trees for Wordle and its kin: solve, play by look-up, verify.

>>> from optimal import Game, Player, solve, verify_tree
>>> game = Game.from_words(
...     guesses=["fight", "filmy", "light", "might", "night"],
...     answers=["fight", "light", "might", "night"],
... )
>>> tree = solve(game).tree
>>> print(tree)
filmy: words, normal rules, 4 answers, total 8, mean 2.0000, worst case 2, OPTIMAL
>>> verify_tree(tree).ok
True
>>> Player(tree).guess
'filmy'

Make a game with `Game.preset("classic")`, `Game.from_words` or `Game.from_matrix`. Then `solve` finds its best tree,
`rank` the best first guesses, `analyse` the best guesses at a position, `debrief` tells skill and luck of a finished
game, and `compare` plays baseline strategies. Each returns an object that prints as the command of the same purpose
does, and shows as a table in a notebook. Whatever is wrong with what was passed is an `OptimalError` of one line.
"""

from __future__ import annotations

from optimal._version import __version__ as __version__

TYPE_CHECKING = False  # as type checkers know it; `typing` itself takes half as long to import as Python to start

if TYPE_CHECKING:
    from typing import Any

#: Old names, which work for one more version, and what they are called now.
_OLD = {"Standing": "JournalStatus"}


#: The module of each public name. They are imported on first use, so that playing by look-up loads neither numpy nor
#: the engine.
_homes: dict[str, str] = {}


def _read_homes() -> dict[str, str]:
    """Return the module of each public name, as the stub has them for type checkers."""
    if not _homes:
        import ast

        stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi")  # from a zip file too
        lines = [line for line in ast.parse(stub).body if isinstance(line, ast.ImportFrom)]
        # All at once: another thread may be here too.
        _homes.update({alias.name: str(line.module) for line in lines for alias in line.names})
    return _homes


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__all__":
        return __dir__()
    if name in _OLD:
        import warnings

        warnings.warn(f"optimal.{name} is called optimal.{_OLD[name]} now", DeprecationWarning, stacklevel=2)
        return __getattr__(_OLD[name])
    home = "optimal._engine" if name == "_engine" else _read_homes().get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(home)
    except ModuleNotFoundError as error:
        if error.name != "optimal._engine":
            raise
        raise ImportError(
            f"{__path__[0]} is the source, and its engine is not built there: start Python in another folder to use "
            "the installed package, or build it here by `pip install -e .`"
        ) from None
    return module if name == "_engine" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(_read_homes())
