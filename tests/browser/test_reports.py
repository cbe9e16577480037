"""Reports, the day at a glance and a role's home in a browser: nothing hinders, and Letter when printed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from projections.store.runs import DayReport
from projections.store.store import Store
from projections.web.auth.guard import SESSION
from projections.web.bootstrap import ConsoleSettings, load_console
from replay.exports.report import Report
from replay.exports.report.writers import as_json
from replay.serving.report_forms import NightlyForms
from tests.browser.conftest import SIZES, THEMES
from tests.browser.open_served import serve_console
from tests.browser.person import Person
from tests.builders.reports import DAY, EMPTY, EVIL, WIN

REPORTS = (replace(WIN, name="win_by_table"), replace(EMPTY, name="fills_and_credits"), EVIL)
PAGES = ("/home", "/reports", f"/reports/{DAY}", f"/reports/{DAY}/win_by_table", f"/reports/{DAY}/evil")


def stored(report: Report) -> DayReport:
    body = as_json(report).decode("ascii")
    return DayReport(gaming_day=DAY, report=report.name, digest=report.name, made_by="discardrack", body=body)


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    path = tmp_path_factory.mktemp("reported") / "store.duckdb"
    with Store(path) as store:
        store.write_batch({}, reports=[stored(each) for each in REPORTS])
    opened = load_console(path, settings=ConsoleSettings(report_forms=NightlyForms()))
    with serve_console(opened, "finance") as served:
        yield served


@contextmanager
def screen(browser: Browser, reported: tuple[str, str], size: str, theme: str) -> Iterator[Page]:
    address, token = reported
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)  # type: ignore[arg-type]
    context.add_cookies([{"name": SESSION, "value": token, "url": address}])
    try:
        yield context.new_page()
    finally:
        context.close()


def test_nothing_on_a_report_s_pages_hinders(browser: Browser, reported: tuple[str, str]) -> None:
    with screen(browser, reported, "1366x768", "dark") as page:
        person = Person(page, reported[0])
        for path in PAGES:
            person.has_size(*SIZES["1366x768"])
            person.goes_to(path)
            assert (person.obstacles(), person.overflows) == ([], 0), path
            person.has_theme("light")  # of which the colours are all that may differ
            assert person.poor_contrasts() == [], path
            person.has_size(*SIZES["phone"])
            assert (person.obstacles(), person.overflows) == ([], 0), path
        # What a policy forbids, as a style in a chart, the browser complains of.
        assert person.failures == []


def test_a_chart_has_the_colours_of_the_page(browser: Browser, reported: tuple[str, str]) -> None:
    fills = {}
    for theme in THEMES:
        with screen(browser, reported, "1366x768", theme) as page:
            page.goto(f"{reported[0]}/reports/{DAY}/win_by_table")
            bar = page.locator('.chart path[fill="var(--plot)"]').first
            fills[theme] = bar.evaluate("(path) => getComputedStyle(path).fill")
    assert fills == {"dark": "rgb(143, 193, 236)", "light": "rgb(11, 83, 148)"}


def test_a_report_prints_on_letter_without_navigation(browser: Browser, reported: tuple[str, str]) -> None:
    with screen(browser, reported, "1366x768", "dark") as page:
        page.goto(f"{reported[0]}/reports/{DAY}/win_by_table")
        printed = page.pdf(prefer_css_page_size=True)
        assert set(re.findall(rb"/MediaBox \[0 0 (\d+) (\d+)\]", printed)) == {(b"612", b"792")}
        page.emulate_media(media="print")
        for hidden in ("header", ".forms", "#follows"):
            assert not page.locator(hidden).first.is_visible(), hidden
        assert page.locator("table.report thead").evaluate("(head) => getComputedStyle(head).display") == (
            "table-header-group"
        )
