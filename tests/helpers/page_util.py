"""A page in a browser, with what it complains of and what it asks for."""

from __future__ import annotations

from typing import Any

from patience import SOON


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


def audited(page: Any, axe: str, rules: str = "") -> list[object]:
    """What axe, an audit of accessibility, complains of: contrast, names, roles, order."""
    page.evaluate(axe)
    asked = f"axe.run({f'{{runOnly: [{rules}]}}' if rules else ''}).then((found) => found.violations)"
    return [(one["id"], [node["html"][:90] for node in one["nodes"]]) for one in page.evaluate(asked)]
