"""The palette, rooms by a letter, drafts, sorting, and the question before something old is taken."""

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import CURRENT_ROW, STANDS, comes_to_new, says


def test_what_is_typed_is_found_and_walked_in_the_box_and_beside_it(
    enters: Enters, other: httpx.Client
) -> None:
    hits = other.get("/api/find", params={"q": "seat 1"}).json()["hits"]
    assert len(hits) >= 3
    person = enters("operator")
    person.goes_to("/floor")
    person.presses("/")
    assert person.is_marked()
    person.types("seat 1")
    chosen = person.part('#palette [aria-selected="true"]')
    expect(person.part("#palette [role=status]")).to_have_text(f"{len(hits)} found")
    expect(chosen).to_contain_text(hits[0]["called"])
    expect(chosen).to_contain_text(hits[0]["verdict"])
    expect(chosen).to_contain_text(hits[0]["sums"])
    assert person.obstacles() == []
    person.presses("ArrowDown")
    expect(chosen).to_contain_text(hits[1]["called"])
    person.presses("Tab", "j")
    expect(chosen).to_contain_text(hits[2]["called"])
    person.presses("k", "Enter")
    person.is_at(hits[1]["path"])


@pytest.mark.parametrize("of_the_part", [[], [{"kind": "table", "called": "a table", "path": "/health"}]])
def test_enter_opens_what_was_typed_and_not_what_a_part_of_it_found(
    enters: Enters, other: httpx.Client, of_the_part: list[dict[str, str]]
) -> None:
    hits = other.get("/api/find", params={"q": "seat 1"}).json()["hits"]
    person = enters("operator")
    person.goes_to("/floor")
    held = asks_in_parts(person, "seat", " 1")
    held.fulfill(json={"hits": of_the_part})
    person.is_at(hits[0]["path"])


def test_what_enter_waits_for_is_forgotten_when_the_palette_is_closed(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/floor")
    asks_in_parts(person, "seat", " 1")
    person.presses("Escape", "/")
    expect(person.part("#palette [role=option]")).not_to_have_count(0)
    person.presses("Escape")
    person.is_at("/floor")


def asks_in_parts(person: Person, first: str, then: str) -> Route:
    """Type the rest, and Enter, when the first part is asked for; return that request, not answered yet."""
    page, held = person.part("html").page, list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route(lambda url: url.endswith(f"/api/find?q={first}"), hold)
    person.presses("/")
    with page.expect_request(f"**/api/find?q={first}"):
        person.types(first)
    person.types(then)
    person.presses("Enter")
    return held.pop()


def test_the_palette_opens_while_one_types_and_leads_to_rooms(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/disputes/new")
    person.gets_to(person.part('[name="about.claim"]'))
    person.presses("Control+k")
    person.types("repo")
    expect(person.part("#palette [role=option]")).to_contain_text(["Reports"])
    person.presses("Enter")
    person.is_at("/reports")


def test_the_page_of_what_was_found_is_walked_by_keys(enters: Enters, other: httpx.Client) -> None:
    hits = other.get("/api/find", params={"q": "seat 1"}).json()["hits"]
    person = enters("operator")
    person.goes_to("/find?q=seat+1")
    person.presses("j", "j", "k", "Enter")
    person.is_at(hits[0]["path"])


def test_a_room_is_gone_to_by_g_and_its_letter(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/")
    for letter, path in (("l", "/log"), ("h", "/health"), ("n", "/?queue=nightly"), ("o", "/breaches")):
        person.presses("g")
        expect(person.part("#message")).to_contain_text("g, then: a act now")
        person.presses(letter)
        person.is_at(path)
    person.presses("g", "z")
    says(person, "g z leads nowhere; ? shows the keys.")
    person.presses("g", "Escape")
    expect(person.part("#message")).to_be_hidden()
    person.is_at("/breaches")


def test_what_was_typed_into_a_dialog_comes_back_with_the_same_key(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/?queue=nightly&state=new")
    row = comes_to_new(person)
    person.presses("c", "2")
    person.types("the reader was cold")
    person.presses("Escape")
    says(person, "What you typed is kept in this tab: the same key brings it back.")
    expect(row).to_be_focused()
    person.presses("c")
    expect(person.part("#ask-close textarea")).to_have_value("the reader was cold")
    expect(person.part("#ask-close [value=confirmed]")).to_be_checked()
    expect(person.part("#ask-close .message")).to_have_text("This is what you typed before.")
    person.gets_to(person.part("#ask-close textarea"))
    person.presses("Enter")
    expect(person.part("dialog[open]")).to_have_count(0)
    person.presses("u")
    expect(person.part("#message")).to_contain_text("Undone: Close (")


def test_in_nightly_the_next_is_named_before_it_is_taken(enters: Enters) -> None:
    person = enters("investigator")
    person.goes_to("/?queue=nightly&severity=data")
    expect(person.part("#live")).to_have_text("Live")
    table = person.part("#rows tr.new").first.get_attribute("data-table") or ""
    person.presses("n")
    expect(person.sees("#ask-next[open] [data-next]")).to_contain_text(table)
    person.presses("Escape")
    expect(person.part("#rows tr:not(.new)")).to_have_count(0)
    person.presses("n")
    person.sees("#ask-next[open]")
    person.presses("Enter")
    person.sees(f"{STANDS}:has-text('investigator has it')")
    expect(person.part("#live")).to_have_text("Live")
    person.presses("r")
    expect(person.part(STANDS)).to_contain_text("Unassigned")


def test_rows_are_sorted_by_a_heading_and_stay_so(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/?queue=nightly")
    person.gets_to(person.part("#queue th a", has_text="table"))
    person.presses("Enter")
    person.is_at("/?queue=nightly&sort=table")
    expect(person.part('#queue th[aria-sort="ascending"]')).to_have_text("Table ↑")
    tables = person.part("#rows tr").evaluate_all("all => all.map((each) => each.dataset.table)")
    assert tables == sorted(tables)
    expect(person.part("#live")).to_have_text("Live")
    comes_to_new(person)
    person.presses("a")
    expect(person.part(f"{CURRENT_ROW} .state")).to_contain_text("operator")
    again = person.part("#rows tr").evaluate_all("all => all.map((each) => each.dataset.table)")
    assert again == tables
    person.presses("u")
