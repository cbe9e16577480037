"""The wall and the floor with a hundred tables: on one screen, read across a room, honest when old."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from projections.web.auth.guard import SESSION
from tests.browser.conftest import THEMES
from tests.browser.open_served import serve_console
from tests.browser.person import Person
from tests.builders.large_floor import open_large_floor

SCREENS = {"1080p": (1920, 1080), "4K": (3840, 2160)}
MOST_BYTES = 100_000  # of a page, compressed

# By how much the letters of a tile leave it, and how high they are as a share of the screen.
CUT = """(tiles) => Math.max(...tiles.flatMap((tile) => [...tile.querySelectorAll("span")].map((span) =>
  Math.max(span.getBoundingClientRect().right - tile.getBoundingClientRect().right,
    span.getBoundingClientRect().bottom - tile.getBoundingClientRect().bottom))))"""
HIGH = """(names) => Math.min(...names.map((name) => parseFloat(getComputedStyle(name).fontSize)))
  / innerHeight"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    opened = open_large_floor(tmp_path_factory.mktemp("large") / "store.duckdb")
    with serve_console(opened, "supervisor") as served:
        yield served


@contextmanager
def screen(browser: Browser, served: tuple[str, str], size: tuple[int, int], theme: str) -> Iterator[Page]:
    address, token = served
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)  # type: ignore[arg-type]
    context.add_cookies([{"name": SESSION, "value": token, "url": address}])
    try:
        yield context.new_page()
    finally:
        context.close()


@pytest.mark.parametrize("size", SCREENS)
def test_a_hundred_tables_fill_one_screen_and_are_read_at_five_metres(
    browser: Browser, large: tuple[str, str], size: str
) -> None:
    with screen(browser, large, SCREENS[size], "dark") as page:
        page.goto(f"{large[0]}/wall")
        tiles = page.locator("#grid li")
        expect(tiles).to_have_count(100)
        # Nothing is scrolled, and the last tile ends at the screen's corner, but for its margin.
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
        box = tiles.last.bounding_box()
        assert box is not None
        width, height = SCREENS[size]
        assert width * 0.98 < box["x"] + box["width"] <= width
        assert height * 0.97 < box["y"] + box["height"] <= height
        assert tiles.evaluate_all(CUT) <= 0
        # Of a screen of 55 inches, 0.68 m high, a fortieth is 17 mm: twelve minutes of arc at five metres.
        assert page.locator("#grid .table").evaluate_all(HIGH) >= 0.025
        person = Person(page, large[0])
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            assert person.obstacles() == []


def test_the_floor_of_a_hundred_tables_hinders_nobody(browser: Browser, large: tuple[str, str]) -> None:
    with screen(browser, large, (1366, 768), "dark") as page:
        for measure in ("money", "errors", "overdue", "silent"):
            page.goto(f"{large[0]}/floor?by={measure}")
            person = Person(page, large[0])
            assert (person.obstacles(), person.overflows) == ([], 0), measure
            person.has_theme("light")  # of which the colours are all that may differ
            assert person.poor_contrasts() == [], measure


def test_a_wall_that_is_not_answered_says_since_when(browser: Browser, large: tuple[str, str]) -> None:
    with screen(browser, large, SCREENS["1080p"], "dark") as page:
        page.clock.install()
        page.goto(f"{large[0]}/wall")
        page.clock.run_for(4_000)
        expect(page.locator("#old")).to_be_hidden()
        page.route("**/wall?*", lambda route: route.abort())
        page.clock.run_for(12_000)
        expect(page.locator("#old")).to_contain_text("The server does not answer")
        expect(page.locator("#grid li")).to_have_count(100)
        page.unroute("**/wall?*")
        page.clock.run_for(3_000)
        expect(page.locator("#old")).to_be_hidden()


def test_the_pages_of_a_large_floor_are_light(large: tuple[str, str]) -> None:
    address, token = large
    with httpx.Client(base_url=address, cookies={SESSION: token}) as client:
        sizes = {path: len(gzip.compress(client.get(path).content)) for path in ("/floor", "/wall")}
    assert all(size < MOST_BYTES for size in sizes.values()), sizes
