"""The pictures of the page in docs/: `python tools/pictures.py` makes them anew, with Chromium and the tests' packages.

Each has the text that it shows in its file, by which a test sees that the page has changed.
"""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image, PngImagePlugin

from optimal import export_html

DOCS = Path(__file__).resolve().parents[1] / "docs"
WIDE: dict[str, Any] = {"viewport": {"width": 1200, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 1000}, "device_scale_factor": 1.5}
GAP = 30


def shown(browser: Any, address: str, word: str = "", **options: Any) -> tuple[Image.Image, str]:
    """A view of the page, with a word of one's own, and its text."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.goto(address)
    if word:
        page.wait_for_selector(".advice")
        page.keyboard.type(word)
        page.wait_for_selector(f"tr.marked[data-word={word}]")
    page.wait_for_selector("#bar", state="detached")
    if options["viewport"] == PHONE["viewport"]:
        page.evaluate("document.querySelector('[role=tablist]').scrollIntoView()")
    picture = Image.open(io.BytesIO(page.screenshot()))
    text = str(page.inner_text("main"))
    context.close()
    return picture.convert("RGB"), text


def draw(browser: Any, folder: Path) -> None:
    """Write both pictures into the folder."""
    with TemporaryDirectory() as name:
        file = Path(name, "page.html")
        file.write_text(export_html("nyt2023-normal", "classic-normal"), encoding="utf-8")
        play, debrief = (f"{file.as_uri()}#{view}/nyt2023-normal/" for view in ("play", "debrief"))
        wide = shown(browser, f"{play}crane=BYBBB", "moist", **WIDE)
        dark = shown(browser, f"{play}rules=hard/crane=BYBBB", "short", color_scheme="dark", **PHONE)
        light = shown(browser, f"{debrief}crane/youth/sorry", **PHONE)
    both = Image.new("RGB", (dark[0].width + GAP + light[0].width, dark[0].height), "white")
    both.paste(dark[0], (0, 0))
    both.paste(light[0], (dark[0].width + GAP, 0))
    for name, picture, text in (("page", *wide), ("page-debrief", both, dark[1] + light[1])):
        about = PngImagePlugin.PngInfo()
        about.add_itxt("Description", text, zip=True)
        picture.quantize(128).save(folder / f"{name}.png", pnginfo=about, optimize=True)


def main() -> None:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=root)
        draw(browser, DOCS)
        browser.close()


if __name__ == "__main__":
    main()
