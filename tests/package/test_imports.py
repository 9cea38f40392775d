"""The one-way road: what each part of the program may import, and what playing and verifying must do without."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_util import ROOT

from optimal.cli import GROUPS

PACKAGE = ROOT / "optimal"

#: What everything may use.
BASE = {"checks", "errors", "labels", "limits", "memory", "show", "_version"}
#: Each part with the parts that it may import beside itself and the base. "engine" is the extensions.
ALLOWED = {
    part: set(others.split())
    for part, others in {
        "errors": "",
        "limits": "",
        "_version": "",
        "checks": "show",
        "labels": "checks",
        "memory": "",
        "files": "",
        "readers": "checks files",
        "signals": "",
        "workers": "signals",
        "threads": "",
        "show": "",
        "talk": "files",
        "games": "files readers threads",
        "trees": "files games tables talk",
        "engine": "",
        "journal": "files",
        "search": "engine games journal signals tables threads trees workers",
        "advice": "games search tables talk trees",
        "tables": "files games readers",
        "page": "games tables trees",
        "plots": "baselines files games journal advice trees",
        "baselines": "games trees workers",
        "certificates": "engine files games search tables trees workers",
        "cli": "baselines certificates files games journal page plots advice search tables trees",
        "__main__": "cli signals",
        "__init__": "baselines games journal page plots advice search tables trees",
    }.items()
}
#: The one module of games that takes something of the engine: its fast scoring of feedback.
GAMES_OWN = ("optimal.games.feedback", "optimal._engine")
#: What the independent checks are made of: that of trees of word lists, files and data, but no feedback rules; that of
#: certificates of itself, numpy and processes alone.
CHECK = {
    "trees.verify": "checks errors games.info games.presets games.rules games.wordlists limits show.record show.table "
    "trees.file trees.nodes trees.scoring trees.tree",
    "trees.verify_key": "show.record show.table show.words tables.table trees.key trees.keycodec trees.nodes",
    "trees.scoring": "",
    "certificates.checker": "certificates.board certificates.key_checker certificates.reading certificates.statement "
    "workers",
    "certificates.statement": "certificates.board certificates.reading",
    "certificates.board": "",
    "certificates.key_checker": "certificates.chart certificates.reading",
    "certificates.chart": "",
    "workers": "signals",
    "signals": "",
    "certificates.reading": "",
}
#: Modules of the command line that are commands; none imports another.
COMMANDS = {f"optimal.cli.{name}" for commands in GROUPS.values() for name in commands}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
MODULES["optimal.__init__"] = PACKAGE / "__init__.pyi"  # what it imports, on first use


def is_extension(module: str) -> bool:
    return module.startswith("optimal._") and module.count(".") == 1 and module not in MODULES


def part_of(module: str) -> str:
    return "engine" if is_extension(module) else module.split(".")[1]


def imports_of(name: str) -> Iterator[tuple[str, str]]:
    """(module, name imported from it, or "" for the whole) of every import of ours, those in functions too."""
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "optimal")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are written in full"
            if node.module is None or node.module.split(".")[0] != "optimal":
                continue
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in MODULES or is_extension(whole):
                    yield whole, ""
                else:
                    yield node.module, alias.name


def test_every_part_has_its_rule() -> None:
    assert {part_of(name) for name in MODULES} | {"engine"} == set(ALLOWED)


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_one_way(name: str) -> None:
    part = part_of(name)
    allowed = ALLOWED[part] | BASE | {part}
    for module, _ in imports_of(name):
        if module == "optimal":
            raise AssertionError(f"{name} imports from the package itself, which is above all")
        assert part_of(module) in allowed or (name, module) == GAMES_OWN, f"{name} imports {module}"
        if part == "cli" and part_of(module) == "cli":
            assert module not in COMMANDS, f"{name} imports {module}, another command"


def test_no_two_modules_need_each_other() -> None:
    needs = {name: {module for module, _ in imports_of(name) if module in MODULES} for name in MODULES}
    left = dict(needs)
    while left:
        free = [name for name, modules in left.items() if not modules & left.keys() - {name}]
        assert free, f"these import each other in circles: {sorted(left)}"
        for name in free:
            del left[name]


@pytest.mark.parametrize("name", MODULES)
def test_private_names_stay_at_home(name: str) -> None:
    for module, imported in imports_of(name):
        if module == "optimal._version":
            continue
        assert not imported.startswith("_"), f"{name} imports {imported} of {module}"
        inner = module.split(".")[1:]
        assert is_extension(module) or not any(part.startswith("_") for part in inner), f"{name} imports {module}"


@pytest.mark.parametrize("name", CHECK)
def test_the_check_stands_apart(name: str) -> None:
    found = {module for module, _ in imports_of(f"optimal.{name}")}
    assert found == {f"optimal.{module}" for module in CHECK[name].split()}


@pytest.mark.parametrize(
    "name", [name for name in MODULES if part_of(name) in ("errors", "files", "show", "signals", "workers")]
)
def test_the_lowest_need_the_standard_library_alone(name: str) -> None:
    text = MODULES[name].read_text(encoding="utf-8")
    found = set(re.findall(r"^ *(?:from|import) (\w+)", text, re.MULTILINE))
    # pandas is imported by who asks for its tables, no sooner.
    others = {"optimal.workers": {"joblib"}, "optimal.show.table": {"pandas"}}.get(name, set())
    assert found <= sys.stdlib_module_names | {"optimal"} | others


def test_processes_are_started_where_they_are_guarded() -> None:
    """Each of them ends with the one that started it."""
    begins = re.compile(r"^\s*(from|import) (joblib|loky|multiprocessing)", re.MULTILINE)
    found = {name for name, path in MODULES.items() if begins.search(path.read_text(encoding="utf-8"))}
    assert found == {"optimal.workers", "optimal.search.processes"}
