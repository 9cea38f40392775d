"""Each page in a browser once: a game and a key, played to the end without a complaint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from page_util import Shown
from tables_util import PETS, best

from optimal.page.keys import key_page
from optimal.page.trees import export_html


def opened(browser: Any, path: Path, page: str) -> Shown:
    path.write_text(page, encoding="utf-8")
    return Shown(browser, path.as_uri())


def test_a_game_to_the_end(browser: Any, tmp_path: Path) -> None:
    seen = opened(browser, tmp_path / "game.html", export_html("classic-normal"))
    for keys in ("12121", "12321", "31113", "33333"):
        for key in (*keys, "Enter"):
            seen.page.keyboard.press(key)
    assert seen.text(".solved") == "Solved in 4 guesses."
    seen.page.click("text=Debrief >> nth=1")
    assert seen.text("#verdict").startswith("Solved in 4 guesses")
    seen.end()


def test_a_key_to_the_end(browser: Any, tmp_path: Path) -> None:
    seen = opened(browser, tmp_path / "key.html", key_page(best(PETS)))
    for reply in ("2", "yes"):
        seen.page.get_by_role("group").get_by_role("button", name=reply, exact=True).click()
    assert seen.text("#now") == "It is wren."
    seen.end()
