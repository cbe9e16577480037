"""Every page at every size and in both themes: nothing hinders, nothing is cut off, the focus is seen."""

from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZES, THEMES, Enters
from tests.browser.served import Served
from tests.browser.steps import comes_to_new, edges, post_action

WHOLE = [("1366x768", "dark"), ("phone", "light")]
SEEN = [*WHOLE, ("phone", "dark"), ("1920x1080", "light")]


@pytest.mark.parametrize("role", ["supervisor", "administrator"])
def test_nothing_on_any_page_hinders(enters: Enters, served: Served, role: str) -> None:
    found: dict[tuple[str, str, str], object] = {}
    person = enters(role)
    for path in served.pages()[role]:
        person.goes_to(path)
        for size, theme in SEEN:
            person.has_size(*SIZES[size])
            person.has_theme(theme)
            # Of another theme, and of larger letters, the colours are all that may differ.
            hinders = person.obstacles() if (size, theme) in WHOLE else person.poor_contrasts()
            if person.overflows > 0:
                hinders.append(f"{person.overflows} px too wide")
            if hinders:
                found[path, size, theme] = hinders
    assert found == {}


# By how many pixels a field's hint is wider than the place that there is for it.
CUT = """(field) => {
  const style = getComputedStyle(field);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const place = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return Math.ceil(pen.measureText(field.placeholder).width - place);
}"""


def test_the_hint_of_the_search_is_not_cut(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/floor")
    for size, pixels in SIZES.items():
        person.has_size(*pixels)
        assert person.sees("#find").evaluate(CUT) <= 0, size


@pytest.mark.parametrize("path", ["/", "/floor"])
def test_a_supervisor_s_header_is_one_line(enters: Enters, served: Served, path: str) -> None:
    with closing(served.person("supervisor")) as client:
        about = {"table": "BAC-104", "gaming_date": "2025-03-01", "claim": "a bet was not paid"}
        post_action(client, 0xC1, action="dispute-open", about=about, call={"called": 1_000_000})
    person = enters("supervisor")
    person.goes_to(path)
    expect(person.part("#live")).to_have_text("Live")
    person.sees("header #footage")
    for size in ("1366x768", "1920x1080"):
        person.has_size(*SIZES[size])
        _, _, _, name_ends = edges(person, "header .name")
        for part in (
            "header .main-pages a:last-child",
            "#find",
            "#footage",
            "#sound",
            "#theme",
            "header .account-link",
        ):
            assert edges(person, part)[1] < name_ends, (size, part)


@pytest.mark.parametrize("path", ["/floor", "/health", "/embargoes"])
def test_on_a_telephone_the_room_that_one_is_in_shows_in_the_header(enters: Enters, path: str) -> None:
    person = enters("supervisor", "phone")
    person.goes_to(path)
    left, _, right, _ = edges(person, "header .main-pages [aria-current]")
    assert left >= 0
    assert right <= SIZES["phone"][0]


def test_on_a_telephone_what_a_mute_would_silence_reads_as_a_sentence(enters: Enters) -> None:
    person = enters("supervisor", "phone")
    person.goes_to("/?queue=nightly&every=true&severity=data")
    row = comes_to_new(person)
    check, table = (row.get_attribute("data-check") or "").replace("_", " "), row.get_attribute("data-table")
    person.presses("m")
    person.sees("#ask-mute[open]")
    expect(person.part("#ask-mute label.flag")).to_have_text(
        [
            f"1 {check} at {table}",
            f"2 {check} at every table",
            f"3 everything at {table} that is not critical",
        ]
    )


# How large each part of the queue's first row of money is, in pixels, and how many rows are seen whole.
SIZED = """() => {
  const row = document.querySelector("#rows tr.high");
  const size = (part) => parseFloat(getComputedStyle(row.querySelector(part)).fontSize);
  return {
    severity: size("td:first-child"), table: size("[data-label=table]"),
    message: size(".description > small"), difference: size("[data-label=money]"), due: size("time"),
    whole: [...document.querySelectorAll("#rows tr")]
      .filter((each) => each.getBoundingClientRect().bottom <= innerHeight).length,
  };
}"""


def test_on_a_wall_the_queue_is_read_from_across_the_room(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/")
    for theme in THEMES:
        person.has_theme(theme)
        person.has_size(*SIZES["1366x768"])
        small = person.part("html").evaluate(SIZED)
        person.has_size(*SIZES["1920x1080"])
        large = person.part("html").evaluate(SIZED)
        assert large["message"] >= 18
        assert min(large[part] for part in ("severity", "table", "difference", "due")) >= 22
        assert small["table"] == 17
        # With the desk's lines of 59 pixels, below 196 of heads, as many fit.
        assert large["whole"] >= (1080 - 196) // 59 - 1


# By how much the round and the seat make the rows of the queue taller, in pixels.
TALLER = """() => {
  const height = () => document.getElementById("rows").getBoundingClientRect().height;
  const all = height();
  const labels = document.querySelectorAll("#rows .round-label");
  for (const each of labels) each.style.display = "none";
  const without = height();
  for (const each of labels) each.style.display = "";
  return all - without;
}"""


def test_the_round_and_the_seat_make_no_row_of_the_queue_taller(enters: Enters) -> None:
    person = enters("supervisor")
    for path in ("/", "/?queue=this_shift", "/?every=true"):
        person.goes_to(path)
        person.sees("#rows .round-label >> nth=0")
        for size, pixels in SIZES.items():
            person.has_size(*pixels)
            assert person.part("html").evaluate(TALLER) == 0, (path, size)


# Each mark of what was found on a table's day: of which severity it is, and whether it has that one's colour.
MARKS = """() => [...document.querySelectorAll("details.shoe .mark")].map((mark) => {
  const severity = mark.parentElement.className;
  const probe = document.createElement("i");
  probe.style.color = `var(--${severity})`;
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  return [severity, getComputedStyle(mark).backgroundColor === wanted];
})"""


def test_what_a_table_s_day_found_is_marked_in_the_colour_of_its_severity(
    enters: Enters, served: Served
) -> None:
    with closing(served.person("supervisor")) as client:
        rows = client.get("/api/queue?every=true&severity=critical").json()["rows"]
    alert = next(row["alert"] for row in rows if row["alert"]["round"])
    person = enters("supervisor")
    person.goes_to(f"/tables/{alert['table']}/{alert['gaming_date']}")
    person.sees("details.shoe")
    marks = person.part("html").evaluate(MARKS)
    assert "critical" in {severity for severity, _ in marks}
    assert [severity for severity, is_its_own in marks if not is_its_own] == []
