"""The pages of docs/: the engine's maps the files of ext/, and the API has every name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import optimal.errors
from optimal._engine import KEY_WITHOUT, WITHOUT

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "engine.md").read_text(encoding="utf-8")
PROOFS = (ROOT / "docs" / "explanation" / "proofs.md").read_text(encoding="utf-8")
ROOMS = [
    path.relative_to(ROOT / "ext").as_posix()
    for pattern in ("*/*.h", "*/*.pyx", "*/*.pxi", "wasm/*.c")
    for path in (ROOT / "ext").glob(pattern)
]
#: The files of ext/ that the page maps, in its order.
MAP = re.findall(r"^\| `(?:ext/)?(\w+/\w+\.\w+)` \|", PAGE, re.MULTILINE)


def rests_on(room: str) -> set[str]:
    """The other files of ext/ that this one includes."""
    text = (ROOT / "ext" / room).read_text(encoding="utf-8")
    return set(re.findall(r'^(?:#include|cdef extern from) "(\w+/\w+\.h)"', text, re.MULTILINE))


def test_the_map_has_every_file_after_those_it_rests_on() -> None:
    assert sorted(MAP) == sorted(ROOMS)
    place = {room: at for at, room in enumerate(MAP)}
    assert [(room, base) for room in MAP for base in rests_on(room) if place[base] > place[room]] == []


def test_folders_rest_on_those_before_them() -> None:
    below = {
        "base": set(),
        "counting": {"base"},
        "game": {"base", "counting"},
        "bounds": {"base", "counting", "game"},
        "search": {"base", "counting", "game", "bounds"},
        "identify": {"base"},
        "shares": {"base", "identify"},
        "optimal": {"search", "identify", "shares", "counting"},
        "wasm": {"search", "counting"},
    }
    assert {room.split("/")[0] for room in ROOMS} == below.keys()
    for room in ROOMS:
        folder = room.split("/")[0]
        assert {base.split("/")[0] for base in rests_on(room)} <= below[folder] | {folder}, room


def test_files_that_the_pages_name_are_there() -> None:
    """Those of ext/ and tests/ by their path, those of optimal/search/ by their name."""
    for page in (PAGE, PROOFS):
        for name in re.findall(r"`([\w/]+\.(?:py|h|c|pyx|pxi))`", page):
            folder = "ext" if name in ROOMS else "" if "/" in name else "optimal/search"
            assert (ROOT / folder / name).is_file(), name


@pytest.mark.parametrize(("of", "switches"), [("games", WITHOUT), ("tables", KEY_WITHOUT)])
def test_every_switch_is_named(of: str, switches: dict[str, str]) -> None:
    table = PAGE.split(f"\n| of {of} |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| `(\S+)` \| (.+?) \| `(\S+)` \|$", table, re.MULTILINE)
    assert {switch: without for switch, without, _ in rows} == switches
    assert {where for _, _, where in rows} <= set(ROOMS)


def test_every_name_is_in_the_api() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\.\. auto(?:class|function):: optimal\.(\w+)$", page, re.MULTILINE)
    # The page takes errors from their module, all of them.
    names = set(optimal.__all__) - {"__version__"} - {name for name in dir(optimal.errors) if name[0].isupper()}
    assert sorted(listed) == sorted(names)
