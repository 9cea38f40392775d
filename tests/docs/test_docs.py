"""The pages of docs/: the engine's follows the files of ext/, and the API has every name."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import optimal.errors
from optimal._engine import WITHOUT
from optimal.search.engine import SWITCHES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "engine.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
ROOMS = {
    path.relative_to(ROOT / "ext").as_posix(): path
    for path in [*ROOT.glob("ext/*/*.h"), *ROOT.glob("ext/optimal/*.pyx")]
}


def table_of(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, the first two (names and rule) left out."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def rests_on(room: str) -> set[str]:
    """The other files of ext/ that this one includes."""
    parts = ROOMS[room].parent.glob("*.pxi") if room.endswith(".pyx") else ()
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOMS[room], *parts))
    return set(re.findall(r'^(?:#include|cdef extern from) "(\w+/\w+\.h)"', text, re.MULTILINE)) & ROOMS.keys()


def test_headings_are_files() -> None:
    assert len(set(HEADINGS)) == len(HEADINGS)
    assert {heading.strip("`") for heading in HEADINGS} <= ROOMS.keys()


@pytest.mark.parametrize("room", [room for room in ROOMS if room.endswith(".h")])
def test_every_header_opens_with_what_it_does(room: str) -> None:
    opening = ROOMS[room].read_text(encoding="utf-8").split("#ifndef")[0].strip()
    assert opening.startswith("/* ")
    assert opening.endswith("*/")
    assert opening.count("/*") == 1


def test_each_room_after_those_it_rests_on() -> None:
    order = {heading.strip("`"): place for place, heading in enumerate(HEADINGS)}
    wrong = [(room, base) for room in order for base in rests_on(room) & order.keys() if order[base] > order[room]]
    assert rests_on("search/node.h") == {
        "bounds/batched_bounds.h",
        "bounds/refutations.h",
        "bounds/partition_bounds.h",
        "search/equivalence.h",
    }
    assert not wrong


def test_folders_rest_on_those_before_them() -> None:
    below = {
        "base": set(),
        "counting": {"base"},
        "game": {"base", "counting"},
        "bounds": {"base", "counting", "game"},
        "search": {"base", "counting", "game", "bounds"},
        "identify": {"base"},
        "optimal": {"search", "identify", "counting"},
    }
    folders = {room.split("/")[0] for room in ROOMS}
    assert folders == below.keys()
    for room in ROOMS:
        folder = room.split("/")[0]
        assert {base.split("/")[0] for base in rests_on(room)} <= below[folder] | {folder}, room


def test_every_switch_is_named() -> None:
    rows = table_of("Switches")
    assert sorted(row[0] for row in rows) == sorted(f"`{switch}`" for switch in SWITCHES)
    for switch, without, told in rows:
        assert without == WITHOUT[switch.strip("`")]
        if told.startswith("`"):
            section = PAGE.split(f"\n### {told}\n")[1].split("\n### ")[0].split("\n## ")[0]
            assert switch in re.findall(r"`[^`]+`", " ".join(re.findall(r"\[([^\]]+)\]", section))), switch


SVG = "{http://www.w3.org/2000/svg}"
PICTURES = sorted((ROOT / "docs" / "pictures").iterdir())


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.name)
def test_pictures_tell_what_they_show(picture: Path) -> None:
    root = ElementTree.parse(picture).getroot()
    assert root.tag == f"{SVG}svg"
    assert all((root.findtext(f"{SVG}{name}") or "").strip() for name in ("title", "desc"))
    # On a ground of its own, so that it can be read on light and dark pages alike.
    ground = root.find(f"{SVG}rect")
    assert ground is not None
    assert ground.get("fill") == "#fbfbf8"


def test_every_name_is_in_the_api() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\.\. auto(?:class|function):: optimal\.(\w+)$", page, re.MULTILINE)
    # The page takes errors from their module, all of them.
    names = set(optimal.__all__) - {"__version__"} - {name for name in dir(optimal.errors) if name[0].isupper()}
    assert sorted(listed) == sorted(names)
