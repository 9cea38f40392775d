"""The page of a key in a real browser: it asks, by clicks and by keys, and goes on where a reply isn't known."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_util import Shown, audited
from tables_util import best, random_table, random_varying, trees_table
from textbook_tables import Varying

from optimal.page.keys import key_page
from optimal.tables.table import Table
from optimal.trees.key import Key

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `test`")
axe_api = pytest.importorskip("axe_playwright_python.base", reason="needs axe-playwright-python, of the extra `test`")

pytestmark = pytest.mark.slow  # tests/page/test_smoke.py has one test of each page for every run

PLAIN = best(
    Table.from_arrays([[a, b] for a in ("no", "yes") for b in ("<script>", "&amp;")], questions=["<b>", "{{data}}"])
)


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens pages of keys; afterwards nothing was complained of."""
    shown: list[Shown] = []

    def start(key: Key, **options: Any) -> Any:
        file = tmp_path / f"{len(shown)}.html"
        file.write_text(key_page(key), encoding="utf-8")
        shown.append(Shown(browser, file.as_uri(), **options))
        return shown[-1].page

    yield start
    for one in shown:
        one.end()


def heading(page: Any) -> str:
    return str(page.inner_text("#now"))


def reply(page: Any, text: str) -> None:
    page.get_by_role("group").get_by_role("button", name=text, exact=True).click()


def replies(page: Any) -> list[str]:
    return [str(text) for text in page.locator("#ask [role=group] button").all_inner_texts()]


def test_by_clicks(visit: Any) -> None:
    page = visit(PLAIN)
    assert (page.title(), heading(page), replies(page)) == ("table", "<b>?", ["no", "yes", "I don't know"])
    reply(page, "yes")
    assert (heading(page), replies(page)) == ("{{data}}?", ["<script>", "&amp;", "I don't know"])
    assert page.evaluate("document.activeElement.id") == "now"
    assert page.inner_text("#said").replace("\u00a0", "") == "{{data}}? 2 objects left"
    reply(page, "&amp;")
    assert heading(page) == "It is object 4."
    page.get_by_role("button", name="Undo").click()
    reply(page, "<script>")
    assert heading(page) == "It is object 3."
    page.get_by_role("button", name="Change the reply to <b>").click()
    reply(page, "I don't know")
    reply(page, "&amp;")
    assert heading(page) == "It is object 2 or object 4: no question that is left tells them apart."
    page.get_by_role("button", name="Start again").click()
    assert page.locator(".turns li").count() == 0


def test_the_replies_are_in_the_address(visit: Any) -> None:
    """Loaded anew and gone back to; what no object fits, or no page wrote, ends them, and those to another table."""
    page = visit(PLAIN)
    start = page.url
    reply(page, "I don't know")
    reply(page, "&amp;")
    mark, _, replied = page.url.removeprefix(f"{start}#").partition("/")
    assert replied == "1=/2=1"
    page.reload()
    assert heading(page) == "It is object 2 or object 4: no question that is left tells them apart."
    page.go_back()
    sync_api.expect(page.locator("#now")).to_have_text("{{data}}?")
    for address, many in ("1=1/2=7/2=0", 1), ("2=0/2=1", 1), ("9=0", 0), ("__proto__=0", 0), ("1=1/2=0/3=0", 2):
        page.goto(f"{start}#{mark}/{address}")
        sync_api.expect(page.locator(".turns li")).to_have_count(many)
    page.goto(f"{start}#0{mark}/{replied}")
    sync_api.expect(page.locator("#ask .problem")).to_have_text("The link is of another table. Start here.")
    sync_api.expect(page.locator(".turns li")).to_have_count(0)
    assert page.inner_text("#said").startswith("The link is of another table. Start here. <b>?")
    reply(page, "yes")
    sync_api.expect(page.locator("#ask .problem")).to_have_count(0)


def test_the_tree_is_shown(visit: Any) -> None:
    page = visit(PLAIN)
    page.get_by_role("tab", name="Key").click()
    assert page.inner_text("#key h2") == "<b>?"
    page.locator("#key summary").first.click()
    page.locator("#key details li").first.wait_for()
    text = re.sub(r"\s+", " ", page.inner_text("#key"))
    assert "no → {{data}}? 2 objects <script> → object 1 &amp; → object 2" in text


def test_by_keys_and_for_a_screen_reader(visit: Any) -> None:
    page = visit(PLAIN)
    page.locator("#tab-ask").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-key"
    for key in ("ArrowLeft", "Tab", "Enter"):
        page.keyboard.press(key)
    assert heading(page) == "{{data}}?"
    for key in ("Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert audited(page, axe_api.AXE_SCRIPT) == []


def test_without_a_script(visit: Any) -> None:
    page = visit(PLAIN, java_script_enabled=False)
    assert "<b>: no" in page.inner_text("pre")


def test_a_group_is_named_once(visit: Any) -> None:
    page = visit(best(trees_table()))
    reply(page, "x")
    assert heading(page) == "It is ash."
    page.get_by_role("button", name="Undo").click()
    page.locator("#ask summary").click()
    assert page.locator("#ask summary").inner_text().replace("\u00a0", " ") == "5 objects left"
    assert page.locator("#ask .objects li").all_inner_texts() == ["ash", "elm", "oak"]
    page.get_by_role("tab", name="Key").click()
    assert page.locator("#key li b").first.inner_text() == "ash"


@pytest.mark.parametrize("seed", range(0, 24, 3))
def test_variants_are_found(visit: Any, seed: int) -> None:
    """Whatever is not known on the way, its own object is among those at the end, and no others than fit; and it asks
    as long as a question that is left can exclude a group, and no longer."""
    chance = random.Random(seed)
    table = random_table(chance) if seed < 12 else random_varying(chance).table()
    varying, key = Varying.of(table), best(table)
    page = visit(key)
    for member in chance.sample(range(table.variants), min(12, table.variants)):
        turns: list[tuple[str, str | None]] = []
        unknown = chance.choice([0.0, 0.3])
        while True:
            fits = table.members(turns)
            objects = sorted(set(table.object_of[fits].tolist()))
            gone = frozenset(table.question_index(question) for question, _ in turns)
            asked = heading(page)
            assert asked.endswith("?") is not varying.settled(frozenset(objects), gone)
            if not asked.endswith("?"):
                break
            question = asked[:-1]
            place = table.question_index(question)
            assert place not in gone
            row = table.codes[place]
            offered = [
                table.replies[place][code] for code in sorted(set(row[fits].tolist()), key=key.ranks[place].__getitem__)
            ]
            assert len(offered) > 1
            assert replies(page) == [*offered, "I don't know"]
            text = table.replies[place][int(row[member])]
            known = chance.random() >= unknown
            turns.append((question, text if known else None))
            reply(page, text if known else "I don't know")
        assert table.object_of[member] in objects
        assert re.match(rf"It is {' or '.join(key.names(objects))}[:.]", heading(page))
        if turns:
            page.get_by_role("button", name="Start again").click()
