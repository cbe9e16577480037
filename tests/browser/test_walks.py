"""Work of a night at the console, with the keyboard alone, at a desk and on a telephone."""

import re
from contextlib import closing
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.served import Served
from tests.browser.steps import DESK_AND_PHONE, EVERY_SIZE, comes_to_new, goes_to_row, state_of
from tests.builders.consoles import PASSWORD

# Notes the first message that a person hears: what was done is said for a few seconds only.
FIRST_SAID = """(message) => {
  const note = () => { window.firstSaid ||= message.textContent; };
  new MutationObserver(note).observe(message, { childList: true, characterData: true, subtree: true });
}"""

SCRIPT = re.compile(r'<script\b[^>]*? src="([^"]+)"')
LINK = re.compile(r' (?:href|src)="([^"]*)"')


def is_done(said: str) -> bool:
    """Return True if it is what somebody hears who has taken a row, of one finding or several."""
    return said.startswith("It is yours")


# ── the door ─────────────────────────────────────────────────────────────────────────────────────────


@DESK_AND_PHONE
def test_who_has_an_account_gets_in_and_out(enters: Enters, size: str, theme: str) -> None:
    person = enters(None, size, theme)
    person.goes_to("/floor")
    person.is_at("/login?next=/floor")
    person.types("operator")
    person.presses("Tab")
    person.types("not this one")
    person.presses("Enter")
    person.sees("text=The name or the password is not right.")
    person.gets_to(person.field("Name"))
    person.types("operator")
    person.gets_to(person.field("Password"))
    person.types(PASSWORD)
    person.presses("Enter")
    person.is_at("/floor")
    person.gets_to(person.part("header .account-link"))
    person.presses("Enter")
    person.is_at("/account")
    person.gets_to(person.part("text=Log out"))
    person.presses("Enter")
    person.is_at("/login")


# ── the queue and an alert ───────────────────────────────────────────────────────────────────────────


@EVERY_SIZE
def test_an_alert_is_found_taken_closed_and_opened_again(enters: Enters, size: str, theme: str) -> None:
    person = enters("supervisor", size, theme)
    person.stays_where_settled()
    person.goes_to("/?queue=this_shift")
    row = goes_to_row(
        person, person.sees("#rows tr.new:has(.round-label)")
    )  # of a round: it has a table to draw
    assert person.is_marked()
    expect(row).to_be_focused()
    person.presses("a")
    expect(person.part("#message")).to_contain_text("It is yours")
    expect(state_of(row)).to_contain_text("supervisor")
    alert = row.get_attribute("data-id")
    person.presses("Enter")
    person.is_at(f"/alerts/{alert}")
    person.sees("text=The table at settlement")
    person.presses("c")
    person.sees("dialog[open]")
    person.presses("3")
    person.types("the dealer paid it at the next round")
    person.presses("Enter")
    expect(person.part("#case .status-line")).to_contain_text("the dealer paid it at the next round")
    expect(person.part("dialog[open]")).to_have_count(0)
    person.presses("u")
    expect(person.part("#case .status-line")).to_contain_text("supervisor has it")
    person.presses("w")
    person.types("called the pit")
    person.presses("Enter")
    expect(person.part("#case .note").last).to_contain_text("called the pit")


def test_a_refusal_says_why_and_changes_nothing(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/")
    row = comes_to_new(person)
    person.presses("u")
    person.sees("text=There is nothing to undo.")
    expect(state_of(row)).to_have_text("new")


def test_if_two_take_one_alert_one_gets_it_and_the_other_is_refused(enters: Enters) -> None:
    one, other = enters("supervisor"), enters("operator")
    for person in (one, other):
        person.goes_to("/")
    row = comes_to_new(one)
    there = goes_to_row(other, row)
    for person in (one, other):
        person.part("#message").evaluate(FIRST_SAID)
    # Neither waits for what the other's page would show.
    one.presses("a")
    other.presses("a")
    heard = [
        str(person.part("html").page.wait_for_function("() => window.firstSaid").json_value())
        for person in (one, other)
    ]
    refused, done = sorted(heard, key=is_done)
    owner = "operator" if is_done(heard[1]) else "supervisor"
    assert is_done(done)
    assert refused == f"{owner} has it already."
    expect(state_of(there)).to_have_text(owner)


def test_what_another_does_shows_without_reload(enters: Enters, served: Served) -> None:
    person = enters("supervisor")
    person.goes_to("/")
    expect(person.part("#live")).to_have_text("Live")
    row = comes_to_new(person)
    alert = row.get_attribute("data-id") or ""
    with closing(served.person("operator")) as client:
        told = {"id": f"{0xB0B:032x}", "action": "acknowledge", "subject": f"alert:{alert}"}
        assert client.post("/api/actions", json=told).status_code == 200
    expect(state_of(row)).to_contain_text("operator")
    expect(row).to_be_focused()


def test_a_new_alert_comes_by_itself_is_heard_and_moves_nobody(enters: Enters, served: Served) -> None:
    person = enters("operator")
    served.opened.live.written = None
    person.goes_to("/?every=true")
    expect(person.part("#live")).to_have_text("Live")
    row, before = comes_to_new(person), person.part("#rows tr").count()
    columns = [person.place_of(each)[0] for each in person.part(".queue th").all()]
    expect(person.part("#follows")).to_contain_text("nothing new since this process began")
    _, top = person.place_of(row)
    served.play_on()
    person.sees("#ringing:not([hidden])")
    expect(person.part("#rows tr").nth(before)).to_be_attached()
    expect(person.part("#follows")).to_contain_text("last written")
    expect(row).to_be_focused()
    assert columns == [person.place_of(each)[0] for each in person.part(".queue th").all()]
    assert abs(person.place_of(row)[1] - top) < 8  # pixels: a third of a line
    person.presses("j")
    expect(person.part("#ringing")).to_be_visible()


def test_filters_narrow_the_queue_and_a_view_keeps_them(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/")
    person.presses("f")
    assert person.is_marked()
    person.types("critical")
    person.presses("Enter")
    person.is_at("/?queue=act_now&severity=critical")
    assert person.part("#rows tr:not(.critical)").count() == 0
    person.presses("v")
    person.gets_to(person.part("#views input"))
    person.types("grave ones")
    person.presses("Enter")
    expect(person.part("#views button[data-view='grave ones']")).to_be_attached()
    person.goes_to("/")
    person.presses("v")
    person.gets_to(person.part("#views a"))
    person.presses("Enter")
    person.sees("#narrow summary >> text=critical")
    assert person.part("#rows tr:not(.critical)").count() == 0


def test_keys_change_the_queue_the_theme_and_the_sound_and_are_listed(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/")
    person.presses("3")
    person.is_at("/?queue=nightly")
    person.presses("d")
    expect(person.part("html")).to_have_attribute("data-theme", "light")
    person.presses("q")
    expect(person.part("#sound")).to_have_text("Sound off (q)")
    person.presses("1")
    person.is_at("/")
    expect(person.part("html")).to_have_attribute("data-theme", "light")
    expect(person.part("#sound")).to_have_text("Sound off (q)")
    person.part("body").page.set_viewport_size({"width": 1366, "height": 600})
    person.presses("?")
    person.sees("#keys[open] >> text=acknowledge: it is mine")
    assert person.place_of(person.part("#keys h2"))[1] > person.place_of(person.part("#keys"))[1], "its top"
    for section in person.part("#keys section").all():
        rows = section.locator("dl div").all()
        assert {person.place_of(each)[0] for each in rows} == {person.place_of(section.locator("h3"))[0]}
    person.presses("Escape")
    expect(person.part("#keys[open]")).to_have_count(0)


def test_the_list_of_keys_has_those_that_do_something_for_who_looks(enters: Enters) -> None:
    # By hand, from what each role may do.
    papers, more = "gi gd gc gr", "go gx gp"
    rooms = "gf gi gd gl gc gr"
    reads, watches, writes, queues = "/ d ? Escape g", "/ q d ? Escape g", "/ q d L ? Escape g", "ga gs gn"
    replay, own = "Space Home End", "4 h D 0to9 Space Home End"
    found, queue, work = "j k b Escape", "j k Home End Enter 1 2 3", "a n c u w t e m z M r s o"
    alert, marks, last = (
        "j k Escape 1 2 3",
        "x X Escape",
        "y N l j k Escape 1 2 3 4 h D U 0to9 Space Home End",
    )
    for role, page, keys in (
        ("administrator", "/health", "d ? Escape g gh gu gp"),
        ("finance", "/home", f"{reads} {papers} go gp j k 0to9 {replay}"),
        ("regulator", "/home", f"{reads} {papers} gh gw ge go gp j k U 0to9 {replay}"),
        (
            "auditor",
            "/home",
            f"{watches} {queues} {rooms} gh gw {more} {found} {queue} f v {alert} 0to9 {replay}",
        ),
        (
            "operator",
            "/",
            f"{writes} {queues} gm {rooms} {more} {found} {queue} 4 f v {marks} {work} l {alert} {own}",
        ),
        (
            "director",
            "/",
            f"{writes} {queues} gm {rooms} gh gw ge {more} {found} {queue} 4 f v {marks} {work} {last}",
        ),
    ):
        person = enters(role)
        person.goes_to(page)
        person.presses("?")
        person.sees("#keys[open] h3 >> text=everywhere")
        told = [each.replace(" ", "") for each in person.part("#keys dt").all_inner_texts()]
        assert " ".join(each for each in told if not each.lower().startswith("arrow")) == keys, role


def test_where_the_queue_is_not_seen_its_keys_do_nothing_and_finding_goes_on(
    served: Served, enters: Enters
) -> None:
    (alert,) = (path for path in served.pages()["supervisor"] if re.fullmatch("/alerts/[^/]+", path))
    for role in ("finance", "regulator"):
        person = enters(role)
        person.goes_to(alert)
        assert person.finds_bound("j", "k", "Escape", "1", "2", "3", "/") == ["/"], role
        person.types("BAC-101")
        person.presses("Enter")
        person.is_at("/tables/BAC-101")


# ── a table by its name ──────────────────────────────────────────────────────────────────────────────


@DESK_AND_PHONE
def test_a_table_s_last_rounds_are_read_out_one_key_each(enters: Enters, size: str, theme: str) -> None:
    person = enters("operator", size, theme)
    person.goes_to("/")
    person.presses("/")
    assert person.is_marked()
    person.types("BAC-101")
    person.presses("Enter")
    person.is_at("/tables/BAC-101")
    rounds = person.part(".rounds > li")
    expect(rounds).to_have_count(10)
    for key, place in (("1", 0), ("4", 3), ("0", 9)):
        person.presses(key)
        expect(person.part(".read-aloud")).to_have_text(
            rounds.nth(place).locator(".description").inner_text()
        )
    person.presses("Enter")
    person.sees("h1 >> text=BAC-101, round")


def test_it_all_stands_under_a_path_of_its_own(under: Served, enters: Enters) -> None:
    person = enters("supervisor", at=under)
    run: set[str] = set()
    with closing(under.person("supervisor")) as client:
        for path in under.pages()["supervisor"]:
            answer = client.get(path, follow_redirects=True)
            loads = SCRIPT.findall(answer.text)
            if run.issuperset(loads):  # what they do to a page's links they did to another's
                links = [urlsplit(urljoin(str(answer.url), to)).path for to in LINK.findall(answer.text)]
            else:
                run.update(loads)
                person.goes_to(path)
                links = person.part("[href], [src]").evaluate_all(
                    """all => all.map((each) => each.getAttribute("href") ?? each.getAttribute("src"))
                        .map((to) => new URL(to, location).pathname)"""
                )
            assert {to.split("/")[1] for to in links} == {"discardrack"}, path
    assert run
    person.goes_to("/")
    expect(person.part("#live")).to_have_text("Live")
    row = comes_to_new(person)
    person.presses("a")
    expect(state_of(row)).to_contain_text("supervisor")
    person.presses("/")
    person.types("BAC-102")
    person.presses("Enter")
    person.is_at("/tables/BAC-102")


# ── the rooms ────────────────────────────────────────────────────────────────────────────────────────


@DESK_AND_PHONE
def test_every_room_is_got_to_from_the_header(enters: Enters, size: str, theme: str) -> None:
    person = enters("supervisor", size, theme)
    person.goes_to("/")
    rooms = person.part("header .main-pages a")
    for at in range(rooms.count()):
        name, where = rooms.nth(at).inner_text(), rooms.nth(at).get_attribute("href") or ""
        person.gets_to(rooms.nth(at))
        person.presses("Enter")
        person.is_at(where)
        expect(rooms.nth(at)).to_have_attribute("aria-current", "page")
        assert rooms.nth(at).inner_text() == name


def test_the_floor_is_walked_by_arrows_and_a_tile_leads_to_its_table(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/floor")
    tiles = person.part(".tile")
    expect(tiles).to_have_count(6)
    person.presses("ArrowRight")
    expect(tiles.nth(0)).to_be_focused()
    person.presses("ArrowRight")
    expect(tiles.nth(1)).to_be_focused()
    assert person.is_marked()
    person.presses("Enter")
    person.is_at("/tables/BAC-102")


def test_a_table_s_day_leads_to_the_cards_of_a_shoe_that_has_ended(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/tables/BAC-101/2025-03-01")
    shoe = person.part("details.shoe").first
    person.gets_to(shoe.locator("summary"))
    person.presses("Enter")
    person.gets_to(shoe.locator("a[href$='/cards']"))
    person.presses("Enter")
    person.sees(".strip li .card")
