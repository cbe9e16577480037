"""Pages that are read, printed and taken away in the rooms; with the keyboard alone."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Route, expect

from tests.browser.conftest import SIZES, Enters
from tests.browser.served import CAMERA, Served
from tests.browser.steps import CALL_TIME, post_action
from tests.builders.report_pages import WIN, build_day_report


def test_a_dispute_is_printed_and_taken_along_as_itrak_csv(
    enters: Enters, served: Served, tmp_path: Path
) -> None:
    with closing(served.person("supervisor")) as client:
        about = {"table": "BAC-103", "gaming_date": "2025-03-01", "claim": "a bet was not paid"}
        subject = post_action(client, 0x90, action="dispute-open", about=about, call={"called": CALL_TIME})
    person = enters("supervisor")
    page = person.part("html").page
    person.begins_with("window.print = () => { window.printed = document.title; }")
    person.goes_to(f"/disputes/{subject.removeprefix('dispute:')}")
    person.gets_to(person.part("button[data-print]"))
    person.presses("Enter")
    assert page.evaluate("window.printed") == page.title()
    page.emulate_media(media="print")
    expect(person.part("header")).to_be_hidden()
    expect(person.part("#facts")).to_be_visible()
    page.emulate_media(media="screen")
    person.gets_to(person.part("text=iTrak CSV"))
    with page.expect_download() as taken:
        person.presses("Enter")
    taken.value.save_as(tmp_path / "dispute.csv")
    header, row, *_ = (tmp_path / "dispute.csv").read_text(encoding="utf-8-sig").splitlines()
    assert header.count(",") > 10
    assert "a bet was not paid" in row


def test_the_recorder_is_opened_at_the_minute_of_the_hand(enters: Enters, served: Served) -> None:
    with closing(served.person("operator")) as client:
        alerts = client.get("/api/queue?every=true").json()["rows"]
    alert = next(row["alert"] for row in alerts if row["alert"]["table"] == "BAC-101")
    person = enters("operator", alone=True)
    page = person.part("html").page
    asked: list[str] = []

    def recorder(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body="the recorder")

    page.context.route("https://recorder.example/**", recorder)
    person.goes_to(f"/alerts/{alert['id']}")
    link = person.part('section[aria-label="Footage"] a')
    expect(link).to_have_text(CAMERA)
    person.gets_to(link)
    with page.expect_popup() as opened:
        person.presses("Enter")
    opened.value.wait_for_load_state()
    # Thirty seconds before the round was opened.
    assert asked == [f"https://recorder.example/{CAMERA}?from={alert['at'] // 1000 - 30_000}"]


def test_a_marker_button_lies_at_its_seat(enters: Enters, served: Served) -> None:
    with closing(served.person("operator")) as client:
        rounds = [each for each in client.get("/api/alerts").json()["findings"] if "round" in each]
        told = (client.get(f"/api/alerts/{each['id']}").json() for each in rounds)
        alert, owing = next(
            (each["finding"]["id"], owing)
            for each in told
            for owing in each["record"]["owing"]
            if owing["cents"]
        )
    person = enters("operator")
    person.goes_to(f"/alerts/{alert}")
    person.sees("text=The table at settlement")
    person.gets_to(person.part("summary", has_text="The table in words"))
    person.presses("Enter")
    button = person.part(".button", has_text=f"vigorish owing {dollars(owing['cents'])}").first
    expect(button).to_be_visible()


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


@contextmanager
def is_silent(served: Served, table: str, device: str, since: int) -> Iterator[None]:
    """Mark a device of a table as silent while the context is open."""
    desk = served.opened.commands
    was = {each.device: each.since for each in desk.silent() if each.table == table}
    desk.set_silent_devices({table: was | {device: since}})
    try:
        yield
    finally:
        desk.set_silent_devices({table: was})


def test_what_rests_on_a_silent_device_says_that_it_does_not_ring(enters: Enters, served: Served) -> None:
    with closing(served.person("operator")) as client:
        rows = client.get("/api/queue?severity=high&every=true").json()["rows"]
    alert: dict[str, Any] = rows[0]["alert"]
    sources = served.opened.house.tables[alert["table"]].sources
    reader = next(device for device, reads in sources.items() if reads == "chips")
    person = enters("operator")
    with is_silent(served, alert["table"], reader, alert["at"] - 1):
        person.goes_to(f"/?severity=high&table={alert['table']}&every=true")
        says = f"{reader}, which reads the chips, is silent"
        expect(person.part(f"#a-{alert['id']} .state")).to_contain_text(says)
        person.sees(f"ul.silent >> text={says}")
        person.gets_to(person.part('.queues a[href="/muted"]'))
        person.presses("Enter")
        person.is_at("/muted")
        person.sees(f"main li >> text={alert['table']}: {says}")
    person.goes_to("/?severity=high&every=true")
    expect(person.part(f"#a-{alert['id']} .state")).not_to_contain_text("is silent")


def test_the_administrator_sees_health_change_and_an_unreachable_server(
    enters: Enters, served: Served
) -> None:
    person = enters("administrator", alone=True)
    page = person.part("html").page
    person.goes_to("/health")
    page.evaluate("document.documentElement.dataset.stays = 'yes'")
    shown = person.part("dt", has_text="Store").locator("xpath=following-sibling::dd")
    before = shown.inner_text()
    with closing(served.person("supervisor")) as client:
        post_action(
            client,
            0x93,
            action="log-entry",
            entry={"at": CALL_TIME, "kind": "outage", "what": "a lamp is out"},
        )
    expect(shown).not_to_have_text(before)
    expect(person.part("html")).to_have_attribute("data-stays", "yes")
    page.context.set_offline(True)
    expect(person.part("#message")).to_have_text(
        "The server cannot be reached; the page shows what was known before."
    )
    page.context.set_offline(False)
    expect(person.part("#message")).to_be_hidden()
    page.context.clear_cookies()
    person.sees("#logged-out >> text=Log in again")
    assert [each for each in person.failures if "ERR_INTERNET_DISCONNECTED" not in each] == []
    person.failures.clear()


def test_a_night_s_report_is_read(enters: Enters, served: Served) -> None:
    served.opened.store.write_batch({}, reports=[WIN])
    person = enters("supervisor")
    person.goes_to("/floor")
    person.gets_to(person.part('header a[href="/reports"]'))
    person.presses("Enter")
    person.is_at("/reports")
    person.gets_to(person.part("main >> text=Title of win"))
    person.presses("Enter")
    person.is_at(f"/reports/{WIN.gaming_day}/win")
    cells = person.part("main tbody tr").first.locator("td")
    assert [each.inner_text() for each in cells.all()[:4]] == ["BAC-1", "17", "f17", "-$2,500.00"]
    assert person.obstacles() == []


# How many lines the words of each cell of the first row take.
LINES = """() => [...document.querySelectorAll("main tbody tr:first-child td")].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((each) => each.top)).size;
})"""


def test_a_report_splits_no_word_and_is_no_wider_than_the_page(enters: Enters, served: Served) -> None:
    words = [f"column_{number}" for number in range(14)]
    columns = [(each, each.capitalize(), "text") for each in words]
    wide = build_day_report("wide", columns, [["undetermined"] * len(words)])
    served.opened.store.write_batch({}, reports=[replace(wide, digest="ab" * 32)])
    person = enters("supervisor")
    person.goes_to(f"/reports/{wide.gaming_day}/wide")
    person.sees("main tbody td")
    for size, pixels in SIZES.items():
        person.has_size(*pixels)
        assert person.overflows <= 0, size
        assert set(person.part("html").evaluate(LINES)) == {1}, size
