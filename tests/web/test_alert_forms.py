"""Actions on an alert as a browser without scripts sends them: a form of the page, and back to it."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.bootstrap import OpenConsole, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from schemas.house import House
from schemas.room_settings import RoomSettings
from tests.builders.alerts import DAY, TABLES, build_conclusion, build_finding
from tests.builders.consoles import add_account, log_in, open_console

RUN: Final = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
STANDS: Final = re.compile(r'<p class="status-line"><b>(.*?)</b>(.*?)</p>', re.DOTALL)
TAG: Final = re.compile(r"<[^>]*>")


class Page(HTMLParser):
    """Client without scripts: forms with their hidden fields, buttons; which dialog is open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}  # by the form's id, or its dialog's
        self.fields: dict[str, dict[str, str]] = {}  # the hidden ones, by the same
        self.buttons: dict[str, dict[str, str]] = {}  # by the id
        self.open: list[str] = []
        self._within = self._form = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read a part of the page."""
        told = {name: value or "" for name, value in attrs}
        if tag == "dialog":
            self._within = told["id"]
            self.open += [told["id"]] if "open" in told else []
        elif tag == "form":
            self._form = told.get("id", self._within)
            self.forms[self._form], self.fields[self._form] = told, {}
        elif tag == "input" and told.get("type") == "hidden":
            self.fields[self._form][told["name"]] = told["value"]
        elif tag == "button" and "id" in told:
            self.buttons[told["id"]] = told


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    """Open a console on a round with two findings, one with one, and one with a grave one."""
    now = wall_clock()
    path = tmp_path / "store.duckdb"
    store = Store(path)
    found = [
        ("1", [build_finding("m0"), build_finding("else", check="late_wager", net_cents=0)]),
        ("2", [build_finding("m1")]),
        ("8", [build_finding("g", severity="critical", check="third_card_extra", net_cents=0)]),
    ]
    rounds = (
        (Round(table="BAC-1", number=number, day=DAY, at=now + at), build_conclusion(number, *each), 1)
        for at, (number, each) in enumerate(found)
    )
    store.write(RUN, rounds)
    house = House(house="here", tables=TABLES)
    live = LiveFloor(store.reading(), house.zone, "ok")
    return OpenConsole(path, store, house, live, open_commands(store, RoomSettings(), TABLES, now, live=True))


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield browsing(client)


def browsing(client: TestClient[Litestar]) -> TestClient[Litestar]:
    """Remove what a browser without scripts does not bring: the console's own headers."""
    del client.headers["X-CSRF-Token"]
    client.follow_redirects = False
    return client


def come(client: TestClient[Litestar], name: str) -> None:
    """Sit down in the place of who sat there."""
    client.cookies.clear()
    browsing(log_in(client, name))


def presses(client: TestClient[Litestar], alert: str, key: str, **typed: Any) -> httpx.Response:
    """Press the button of a key; where it asks for more, fill that in and send it."""
    page = Page(client.get(f"/alerts/{alert}").text)
    button = page.buttons[f"does-{key}"]
    action, _, place = button["formaction"].partition("#")
    own = {button["name"]: button["value"]} if "name" in button else {}
    if page.forms[button["form"]]["method"] == "post":
        return client.post(action, data={**page.fields[button["form"]], **own, **typed})
    page = Page(client.get(action, params=own).text)
    assert page.open == [place], "the form that was asked for is open, and no other"
    return client.post(page.forms[place]["action"], data={**page.fields[place], **typed})


def does(client: TestClient[Litestar], alert: str, key: str, **typed: Any) -> str:
    """Carry it out, and return how it stands on the page to which that leads back."""
    answer = presses(client, alert, key, **typed)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/alerts/{alert}"), answer.text
    return stands(client, alert)


def stands(client: TestClient[Litestar], alert: str) -> str:
    page = client.get(f"/alerts/{alert}").text
    (found,) = STANDS.findall(page)
    return unescape(TAG.sub("", "".join(found)))


def test_an_alert_is_taken_given_back_and_taken_back_again(client: TestClient[Litestar]) -> None:
    assert stands(client, "m0").startswith("Unassigned")
    assert does(client, "m0", "a").startswith("supervisor has it")
    assert does(client, "m0", "r").startswith("Unassigned")
    assert does(client, "m0", "u").startswith("supervisor has it")


def test_what_asks_for_more_is_asked_on_the_page_and_done(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    add_account(opened.path, "zoe", "operator")
    does(client, "m0", "w", text="The pit was called.\r\nIt waits.")
    assert "The pit was called.\nIt waits.</p>" in client.get("/alerts/m0").text
    assert does(client, "m0", "t", word="slots bench").endswith("slots bench")
    assert "escalated to the director" in does(
        client, "m0", "e", to="director", reason="the third of the night"
    )
    assert ">zoe</option>" in client.get("/alerts/m0?ask=assign").text
    assert does(client, "m0", "s", to="zoe").startswith("zoe has it")
    assert "snoozed" in does(client, "m0", "z", minutes="30", reason="the technician comes").casefold()
    closed = does(client, "m0", "c", outcome="corrected", reason="The patron was paid.")
    assert closed.startswith("Closed by supervisor as corrected: The patron was paid.")
    assert does(client, "m0", "o", reason="It was another seat.").startswith("zoe has it")


def test_a_critical_alert_is_closed_by_two(client: TestClient[Litestar], opened: OpenConsole) -> None:
    add_account(opened.path, "director", "director")
    asked = does(client, "g", "c", outcome="false", reason="A card was read twice")
    assert asked.startswith("Waiting for approval (false): A card was read twice. supervisor asked")
    come(client, "director")
    assert "director did not agree: Not so." in does(client, "g", "N", reason="Not so.")
    come(client, "supervisor")
    does(client, "g", "c", outcome="false", reason="The footage shows it")
    come(client, "director")
    closed = does(client, "g", "y", reason="Seen.")
    assert closed.startswith("Closed by supervisor as false: The footage shows it; approved by director")


def case_of(client: TestClient[Litestar], alert: str) -> str:
    """Return the links to the other alerts of a case, as an alert's page has them."""
    return client.get(f"/alerts/{alert}").text.partition("One case with")[2].partition("</p>")[0]


def test_alerts_are_merged_and_the_next_is_taken(client: TestClient[Litestar]) -> None:
    does(client, "m0", "a")
    assert "/alerts/else" in case_of(client, "m0")
    does(client, "m0", "u")
    form = Page(client.get("/alerts/m0").text).fields["does"]
    client.post("/alerts/m0/acknowledge", data=form)  # it alone
    assert case_of(client, "m0") == ""
    does(client, "m0", "M")
    assert "/alerts/else" in case_of(client, "m0")
    next_ = presses(client, "m0", "n")
    assert (next_.status_code, next_.headers["location"]) == (303, "/alerts/g")
    assert stands(client, "g").startswith("supervisor has it")


def test_a_mute_is_of_the_alert_s_own_check_and_table(client: TestClient[Litestar]) -> None:
    does(client, "m0", "m", what="both", minutes="30", reason="the reader is mended")
    listed = TAG.sub("", client.get("/muted").text)
    assert "paid too much" in listed
    assert "BAC-1" in listed
    assert "the reader is mended" in listed


def test_a_form_that_is_sent_twice_is_done_once(client: TestClient[Litestar], opened: OpenConsole) -> None:
    page = Page(client.get("/alerts/m0?ask=note").text)
    form = page.forms["ask-note"]["action"], {**page.fields["ask-note"], "text": "only once"}
    for _ in range(2):
        assert client.post(form[0], data=form[1]).status_code == 303
    assert len(opened.commands.acts()) == 1
    other = {**form[1], "text": "another from the page as it was"}
    assert client.post(form[0], data=other).status_code == 303
    assert len(opened.commands.acts()) == 2


def test_what_cannot_be_done_is_said_on_a_page(client: TestClient[Litestar], opened: OpenConsole) -> None:
    token = Page(client.get("/alerts/g").text).fields["does"]
    mute = {"minutes": "5", "reason": "x"}
    for path, more, status, says in (
        ("/alerts/g/snooze", mute, 409, "critical alerts are never snoozed"),
        ("/alerts/g/release", {}, 409, "It is unassigned."),
        ("/alerts/none/acknowledge", {}, 409, "There is no such alert any more."),
        ("/alerts/g/close", {"outcome": "false", "reason": " "}, 400, "reason: it is blank"),
        ("/alerts/g/close", {"outcome": "false"}, 400, "reason is missing"),
        ("/alerts/g/mute", {**mute, "minutes": "many"}, 400, "minutes: enter a whole number"),
        ("/alerts/g/nothing", {}, 400, "action: there is no 'nothing' to choose"),
        ("/alerts/g/mute", {**mute, "what": "check"}, 409, "critical alerts are never muted"),
        ("/alerts/none/mute", {**mute, "what": "check"}, 409, "Say which check"),
    ):
        answer = client.post(path, data={**token, **more})
        assert (answer.status_code, answer.headers["content-type"][:9]) == (status, "text/html"), path
        title = {400: "Not understood", 409: "Not possible now"}[status]
        (said,) = re.findall(rf"<h1>{title}</h1>\n<p>(.+?)</p>", unescape(answer.text))
        assert says in said, path
    assert client.post("/alerts/g/acknowledge", data={"form": token["form"]}).status_code == 403
    add_account(opened.path, "auditor", "auditor")
    come(client, "auditor")
    page = client.get("/alerts/g").text
    assert "does-a" not in page
    (csrf,) = re.findall(r'name="csrf" content="([^"]*)"', page)
    assert client.post("/alerts/g/acknowledge", data={"csrf": csrf}).status_code == 403
    assert stands(client, "g").startswith("Unassigned")


def test_the_page_says_what_needs_scripts_and_no_form_is_open_unless_it_was_asked_for(
    client: TestClient[Litestar],
) -> None:
    page = client.get("/alerts/m0").text
    said = " ".join(re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL))
    assert "keys do nothing" in said
    assert "tags cannot be removed" in said
    assert Page(page).open == []
    _, _, dialogs = client.get("/").text.partition('id="ask-close"')
    assert "<form" in dialogs
    assert 'method="post"' not in dialogs, "those of the queue are of no alert"
