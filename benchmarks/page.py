"""How soon the page is ready, and knows what is best: the milliseconds in Chromium, the median of three runs.

    python benchmarks/page.py                       # the first guesses of benchmarks/README.md
    python benchmarks/page.py nyt2023 crane=BBBBB   # others of a list

Needs playwright, of the extra `test`, and Chromium.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from optimal import export_html

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
#: The largest class of salet, then classes of 240 to 300 answers, the slowest of 480 drawn by lot among them.
GUESSES = ("salet=BBBBB", "crane=BBBBB", "barfs=BBBBY", "hills=BYBBB", "sires=BBBGB", "udons=BYBBB", "udyog=BYBBB")
RUNS = 3
#: From the move to a position: when the first words show, when the best is exact, when all words of the table are.
MEASURE = """(address) => new Promise((tell) => {
  const found = {};
  document.querySelector(".advice")?.remove();
  const began = performance.now();
  location.hash = address;
  const look = () => {
    const now = performance.now() - began, cells = [...document.querySelectorAll(".advice tbody td:nth-child(2)")];
    if (cells.length) found.first ??= now;
    if (cells.some((cell) => cell.title)) found.best ??= now;
    if (!cells.length || document.querySelector("#bar")) return requestAnimationFrame(look);
    tell([document.querySelector("#play .figures dd").textContent, found.first, found.best, now]);
  };
  requestAnimationFrame(look);
})"""
READY = "performance.timing.loadEventEnd - performance.timing.navigationStart"


def main(words: list[str]) -> None:
    game, *guesses = words or ["nyt2023", *GUESSES]
    page = export_html("nyt2023-normal", "classic-normal")
    print(f"{len(page.encode())} bytes")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "page.html")
        path.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        print(f"Chromium {browser.version}")
        print("guess        answers  ready  first  exact    all")
        for guess in guesses:
            runs = [measured(browser, path.as_uri(), f"#play/{game}-normal/{guess}") for _ in range(RUNS)]
            left = runs[0][0]
            times = (statistics.median(run[1][i] for run in runs) for i in range(4))
            print(f"{guess:<12} {left:>7}", *(f"{round(time):>6}" for time in times), flush=True)
        browser.close()


def measured(browser: Any, address: str, fragment: str) -> tuple[str, list[float]]:
    """The answers left, and the milliseconds until the page was ready and until each part of the advice was there."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.wait_for_timeout(300)  # a player does not move at once either
    ready = page.evaluate(READY)
    left, *times = page.evaluate(MEASURE, fragment)
    context.close()
    return left, [ready, *times]


if __name__ == "__main__":
    main(sys.argv[1:])
