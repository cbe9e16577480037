"""Many tabs of one browser: they listen together, and one that cannot says so."""

import re
import secrets
import time
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.served import PATIENCE, Served
from tests.browser.steps import post_action

CROWDED = "Not live: four other queues or filters are, in tabs of this browser; close one of them"


@pytest.fixture
def other(served: Served) -> Iterator[httpx.Client]:
    """Somebody else, who works beside who sits before the tabs."""
    with closing(served.person("operator")) as client:
        yield client


def tagged(client: httpx.Client, number: int, word: str) -> str:
    """Tag the first waiting alert as somebody else, which the log shows too; return the alert."""
    alert = client.get("/api/queue?queue=nightly&every=true").json()["rows"][0]["alert"]["id"]
    post_action(client, 80 + number, action="tag", subject=f"alert:{alert}", word=word)
    return str(alert)


def streams(served: Served, number: int) -> None:
    """Wait until so many streams are open."""
    live, until = served.opened.live, time.monotonic() + PATIENCE
    while live.listening != number and time.monotonic() < until:
        time.sleep(0.1)
    assert live.listening == number


def is_live(tab: Person) -> None:
    expect(tab.part("#live")).to_have_text("Live")


def test_eight_tabs_of_a_browser_are_all_live_over_two_streams(
    served: Served, enters: Enters, other: httpx.Client
) -> None:
    first = enters("supervisor")
    first.goes_to("/?queue=nightly&every=true")
    queue = first.opens("/?queue=nightly&every=true")
    logs = [first.opens("/log") for _ in range(3)]
    rest = [first.opens(path) for path in ("/floor", "/disputes", "/")]
    for tab in (first, queue, *logs, *rest):
        is_live(tab)
    streams(served, 2)
    alert = tagged(other, 1, "shared")
    for tab in (first, queue):
        expect(tab.part(f"#a-{alert} .state")).to_contain_text("shared")
    for tab in logs:
        expect(tab.part("#lines")).to_contain_text("tag shared added")


def test_tabs_are_live_whatever_the_sessions_secret_begins_with(
    served: Served, enters: Enters, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = secrets.token_urlsafe
    monkeypatch.setattr(secrets, "token_urlsafe", lambda length: f"-{drawn(length)}")
    first = enters("supervisor")
    first.goes_to("/log")
    second = first.opens("/log")
    for tab in (first, second):
        is_live(tab)
    streams(served, 1)


def test_a_tab_listens_by_itself_where_the_browser_refuses_to_share(served: Served, enters: Enters) -> None:
    first = enters("supervisor", alone=True)
    page = first.part("html").page
    page.context.add_init_script(
        'navigator.locks.request = () => Promise.reject(new DOMException("not here", "SecurityError"))'
    )
    page.clock.install()
    first.goes_to("/log")
    second = first.opens("/log")
    for tab in (first, second):
        is_live(tab)
    first.lets_time_pass(61)
    is_live(first)
    streams(served, 2)


def test_when_the_tab_that_listens_is_closed_another_listens(
    served: Served, enters: Enters, other: httpx.Client
) -> None:
    first = enters("supervisor")
    first.goes_to("/log")
    is_live(first)
    second = first.opens("/log")
    is_live(second)
    streams(served, 1)
    first.leaves()
    tagged(other, 2, "afterwards")
    expect(second.part("#lines")).to_contain_text("tag afterwards added")
    is_live(second)
    streams(served, 1)


def test_when_the_tab_that_listens_does_not_answer_another_takes_it_over(
    enters: Enters, other: httpx.Client
) -> None:
    first = enters("supervisor", alone=True)
    first.goes_to("/log")
    is_live(first)
    second = first.opens("/floor")
    second.part("html").page.clock.install()
    second.goes_to("/log")
    is_live(second)
    first.is_silenced()
    tagged(other, 3, "silent")
    second.lets_time_pass(31)
    expect(second.part("#lines")).to_contain_text("tag silent added")
    is_live(second)


def test_a_tab_with_a_fifth_queue_says_that_it_is_not_live_until_there_is_room(enters: Enters) -> None:
    person = enters("supervisor", "phone")
    person.goes_to("/")
    tabs = [person.opens(f"/?queue=nightly&severity={each}") for each in ("critical", "high", "medium")]
    for tab in (person, *tabs):
        is_live(tab)
    fifth = person.opens("/?queue=nightly&severity=data")
    expect(fifth.part("#live")).to_have_text(CROWDED)
    assert fifth.overflows <= 0
    tabs[1].leaves()
    is_live(fifth)


def test_a_tab_that_the_server_does_not_answer_says_so(enters: Enters) -> None:
    person = enters("operator", alone=True)
    page = person.part("html").page
    page.clock.install()
    person.goes_to("/floor")
    is_live(person)
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/stream", hold)
    with page.expect_request("**/stream"):
        person.goes_to("/log")
    person.lets_time_pass(11)
    expect(person.part("#live")).to_have_text("Not live yet: the server has not answered")
    asked[0].continue_()
    is_live(person)


def test_a_page_that_slept_while_it_was_fetched_is_soon_up_to_date(
    enters: Enters, other: httpx.Client
) -> None:
    person = enters("supervisor", alone=True)
    page = person.part("html").page
    page.clock.install()
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held or route.request.resource_type != "fetch":
            route.continue_()
        else:
            held.append(route)

    person.goes_to("/log")
    is_live(person)
    page.route("**/log", hold)
    tagged(other, 5, "asleep")
    while not held:
        page.wait_for_timeout(10)
    person.lets_time_pass(3600)
    with page.expect_response("**/log"):
        held[0].continue_()
    tagged(other, 4, "awake")
    expect(person.part("#lines")).to_contain_text("tag awake added")


def test_while_the_floor_is_not_followed_every_tab_says_so_in_its_header(
    served: Served, enters: Enters, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = served.opened.live
    monkeypatch.setattr(live, "play_speed", None)
    monkeypatch.setattr(live, "state", "kafka away")
    first = enters("supervisor", "phone")
    first.goes_to("/log")
    says = re.compile("^Not following the floor since .*: Kafka away$")
    expect(first.part("#live")).to_have_text(says)
    second = first.opens("/floor")
    expect(second.part("#live")).to_have_text(says)
    assert second.obstacles() == []
    assert second.overflows <= 0
    monkeypatch.undo()
    third = enters("operator")
    third.goes_to("/log")
    is_live(third)
