"""Pages in a browser, with what they complain of and what they ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from patience import SOON
from trees_util import labelled_tree, matrix_tree, word_tree

from optimal.games.feedback import WordFeedback
from optimal.page.trees import export_html


class Shown:
    """A page at its address."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.address = address
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * SOON)
        self.told: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def end(self) -> None:
        """Nothing was complained of, and nothing but the page itself was loaded."""
        assert self.told == []
        # Neither data: nor blob:, the page's own worker, is asked of anyone.
        asked = {asked.partition("#")[0] for asked in self.asked if not asked.startswith(("data:", "blob:"))}
        assert asked == {self.address}
        self.context.close()


#: A tree that begins after a guess.
LATE = word_tree(position=(("salet", WordFeedback(5).parse("BGBBB")),), weights=(3, 0, 2))
COLOURS = {"B": "grey", "Y": "yellow", "G": "green"}


class Visit(Shown):
    """A page of games, and what people do there."""

    def go(self, fragment: str) -> None:
        self.page.goto(self.address + fragment)

    def row(self) -> str:
        """The word that is played next."""
        return str(self.page.text_content("#row")).lower()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def colour(self, marks: str) -> None:
        """Tap the tiles of the current guess until they have these colours."""
        order = list(COLOURS.values())
        before = self.page.locator("#row .tile").evaluate_all("(tiles) => tiles.map((tile) => tile.classList[1])")
        for place, mark in enumerate(marks):
            for _ in range((order.index(COLOURS[mark]) - order.index(before[place])) % len(order)):
                self.page.click(f"#mark-{place}")

    def reply(self, marks: str) -> None:
        """Colour the tiles and ask for the next guess; where none was tapped it asks whether they are right."""
        address = self.fragment
        self.colour(marks)
        self.page.click("#next")
        if self.fragment == address and "Then press again." in self.text("#problem"):
            self.page.click("#next")

    def advice(self) -> dict[str, str]:
        """What each word of the table is worth, once all is exact: the total and the candidates."""
        self.page.wait_for_selector(".advice")
        self.settled()
        rows = self.page.locator(".advice tbody tr").all()
        return {
            str(row.get_attribute("data-word")): str(row.locator("td").first.get_attribute("title")) for row in rows
        }

    def settled(self) -> None:
        """Wait until nothing is searched any more."""
        from playwright.sync_api import expect

        expect(self.page.locator("#bar")).to_have_count(0)

    @property
    def focus(self) -> str:
        return str(self.page.evaluate("document.activeElement.id"))

    @property
    def fragment(self) -> str:
        return str(self.page.evaluate("location.hash"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of pages on disk: one with several trees, one with one, one by two rules, one with odd ones."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {
        "several": export_html("classic-normal", "mastermind-normal", word_tree()),
        "one": export_html("classic-normal"),
        "rules": export_html("classic-normal", "nyt2023-normal", "nyt2023-hard"),
        "odd": export_html(LATE, matrix_tree(), labelled_tree()),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in pages}


@pytest.fixture
def visit(browser: Any, files: dict[str, str]) -> Iterator[Any]:
    """Opens pages; afterwards nothing was complained of, and nothing but the page itself was loaded."""
    visits: list[Visit] = []

    def start(name: str = "several", **options: Any) -> Visit:
        visits.append(Visit(browser, files[name], **options))
        return visits[-1]

    yield start
    for one in visits:
        one.end()


def audited(page: Any, axe: str, rules: str = "") -> list[object]:
    """What axe, an audit of accessibility, complains of: contrast, names, roles, order."""
    page.evaluate(axe)
    asked = f"axe.run({f'{{runOnly: [{rules}]}}' if rules else ''}).then((found) => found.violations)"
    return [(one["id"], [node["html"][:90] for node in one["nodes"]]) for one in page.evaluate(asked)]
