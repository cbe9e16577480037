"""A dispute from the claim to its closing, step by step, with a picture; errors stand at their fields."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from projections.web.auth.guard import SESSION
from projections.web.bootstrap import ConsoleSettings, load_console
from schemas.room_settings import RoomSettings
from tests.browser.conftest import SIZES, THEMES
from tests.browser.open_served import serve_console
from tests.browser.person import Person
from tests.builders.round_records import DISPUTED
from tests.builders.stores import store_records

# One pixel, as a PNG.
PICTURE: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000000301010018dd8db0"
    "0000000049454e44ae426082"
)
NEXT: Final = "#steps [aria-current=step] b"


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    store = store_records(tmp_path_factory.mktemp("steps") / "store.duckdb", DISPUTED)
    settings = ConsoleSettings(room=RoomSettings(attachment_megabytes=1))
    with serve_console(load_console(store, settings=settings), "supervisor") as served:
        yield served


def opens(page: Page, form: str) -> None:
    page.click(f'#actions a[href="#{form}"]')


def is_wrong(page: Page, *names: str) -> None:
    """Wait until these fields and no others are wrong, and why stands at each."""
    wrong = page.locator('[aria-invalid="true"]')
    expect(wrong).to_have_count(len(names))
    for name in names:
        field = page.locator(f'[name="{name}"]')
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(page.locator(f"id={field.get_attribute('aria-describedby')}")).not_to_be_empty()


def claims(page: Page) -> None:
    """Open the dispute, wrongly first: what cannot be read, and then what the server refuses."""
    page.fill('[name="about.claim_cents"]', "ten")
    page.fill('[name="about.seat"]', "two")
    page.click("text=Open the dispute")
    is_wrong(page, "about.claim", "about.claim_cents", "about.seat")
    expect(page.locator('[name="about.seat"]')).to_be_focused()
    page.fill('[name="about.seat"]', "2")
    page.fill('[name="about.claim_cents"]', "10.00")
    page.fill('[name="about.claim"]', "She says that she won.")
    is_wrong(page)
    page.fill('[name="call.answered"]', "2001-01-01T00:00:00")
    page.click("text=Open the dispute")
    expect(page.locator('[name="call.answered"]')).to_be_focused()
    is_wrong(page, "call.answered")
    page.fill('[name="call.answered"]', "")
    page.fill('[name="call.answered_by"]', "")
    page.click("text=Open the dispute")


def attaches(page: Page, chosen: Path) -> None:
    """Attach a picture, after a script with its name and one that is too large."""
    opens(page, "attach-form")
    chosen.write_bytes(b"<script>alert(1)</script>")
    page.set_input_files("[type=file]", chosen)
    page.click("#attach-form button")
    is_wrong(page, "file")
    chosen.write_bytes(PICTURE + b"." * 1_000_000)
    page.set_input_files("[type=file]", chosen)
    page.click("#attach-form button")
    expect(page.locator("#attach-form", has_text="larger than 1 MB")).to_be_visible()
    is_wrong(page, "file")
    chosen.write_bytes(PICTURE)
    page.set_input_files("[type=file]", chosen)
    page.click("#attach-form button")
    page.click("#facts summary")
    picture = page.locator("#facts details img")
    expect(picture).to_be_visible()
    page.wait_for_function("document.querySelector('#facts img').naturalWidth === 1")


def takes_each_step(page: Page) -> None:
    """Take each step from the one that is next, footage without its reference first."""
    page.click("#steps a")
    page.fill('[name="footage.preserved"]', "2025-01-02T00:00:00")
    page.click("#footage-form button")
    expect(page.locator('[name="footage.reference"]')).to_be_focused()
    page.fill('[name="footage.reference"]', "R-17")
    page.click("#footage-form button")
    expect(page.locator(NEXT)).to_have_text("Call")
    page.click("#steps a")
    now = page.input_value('[name="call.called"]')
    page.fill('[name="call.answered"]', now)
    page.click("#call-form button")
    expect(page.locator(NEXT)).to_have_text("Ruling")
    page.click("#steps a")
    page.fill('[name="ruling.text"]', "The chips were lost.")
    page.fill('[name="ruling.ruled_by"]', "R. Ames")
    page.click("#ruling-form button")
    expect(page.locator(NEXT)).to_have_text("Paid")
    page.click("#steps a")
    page.fill('[name="ruling.paid_cents"]', "0.00")
    page.click("#ruling-form button")
    expect(page.locator(NEXT)).to_have_text("Closed")
    page.click("#steps a")
    page.select_option('[name="outcome"]', "claim not upheld")
    page.click("#close-form button")


@pytest.mark.parametrize(("size", "theme"), [("1366x768", THEMES[0]), ("phone", THEMES[1])])
def test_a_dispute_goes_from_the_claim_to_its_closing_with_a_picture(
    console: tuple[str, str], browser: Browser, tmp_path: Path, size: str, theme: str
) -> None:
    address, token = console
    width, height = SIZES[size]
    with closing(browser.new_context(viewport={"width": width, "height": height})) as context:
        context.add_init_script(f"localStorage.setItem('theme', '{theme}')")
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        person = Person(page, address)
        page.goto(f"{address}/disputes/new?round=/rounds/2025-01-01/BAC-7/41")
        claims(page)
        expect(page.locator(NEXT)).to_have_text("Footage")
        assert person.obstacles() == []
        assert person.overflows == 0

        attaches(page, tmp_path / "chips.png")
        takes_each_step(page)
        expect(page.locator("h1 .verdict")).to_have_text("claim not upheld")
        expect(page.locator("#steps .done")).to_have_count(6)
        assert person.obstacles() == []
        assert person.failures == []


def test_what_a_form_changed_is_not_shown_before_the_page_that_it_loads(
    console: tuple[str, str], browser: Browser
) -> None:
    """Whoever saw it sooner, and typed into the next form, lost that as the page was loaded."""
    address, token = console
    held: list[tuple[Route, APIResponse]] = []
    with closing(browser.new_context()) as context:
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/disputes/new?round=/rounds/2025-01-01/BAC-7/41")
        page.fill('[name="about.seat"]', "2")
        page.fill('[name="about.claim"]', "She says that she won.")
        page.click("text=Open the dispute")
        expect(page.locator(NEXT)).to_have_text("Footage")
        page.click("#steps a")
        page.fill('[name="footage.preserved"]', "2025-01-02T00:00:00")
        page.fill('[name="footage.reference"]', "R-17")
        page.route("**/api/actions", lambda route: held.append((route, route.fetch())))
        itself = page.url.partition("#")[0]
        with page.expect_response(lambda answer: answer.url == itself and "R-17" in answer.text()):
            page.click("#footage-form button")
        page.wait_for_timeout(300)  # for which a page that was fetched would be shown
        expect(page.locator(NEXT)).to_have_text("Footage", timeout=1)
        ((route, answer),) = held
        route.fulfill(response=answer)
        expect(page.locator(NEXT)).to_have_text("Ruling")
