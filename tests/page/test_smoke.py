"""Each page in a browser once: a game and a key, played to the end without a complaint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tables_util import PETS, best

from optimal.page.keys import key_page
from optimal.page.trees import export_html


def opened(browser: Any, path: Path, page: str) -> tuple[Any, list[str]]:
    """The page, and what it complains of."""
    path.write_text(page, encoding="utf-8")
    shown, told = browser.new_page(), list[str]()
    shown.on("console", lambda message: told.append(message.text))
    shown.on("pageerror", lambda error: told.append(str(error)))
    shown.goto(path.as_uri())
    return shown, told


def test_a_game_to_the_end(browser: Any, tmp_path: Path) -> None:
    page, told = opened(browser, tmp_path / "game.html", export_html("classic-normal"))
    for keys in ("12121", "12321", "31113", "33333"):
        for key in (*keys, "Enter"):
            page.keyboard.press(key)
    assert page.inner_text(".solved") == "Solved in 4 guesses."
    page.click("text=Debrief >> nth=1")
    assert page.inner_text("#verdict").startswith("Solved in 4 guesses")
    assert told == []


def test_a_key_to_the_end(browser: Any, tmp_path: Path) -> None:
    page, told = opened(browser, tmp_path / "key.html", key_page(best(PETS)))
    for reply in ("2", "yes"):
        page.get_by_role("group").get_by_role("button", name=reply, exact=True).click()
    assert page.inner_text("#now") == "It is wren."
    assert told == []
