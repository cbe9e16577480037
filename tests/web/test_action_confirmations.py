"""Questions of a page before an action: what would be one case, which of what rang still stand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.casework.actions import Actor
from projections.casework.cases.case_actions import Acknowledge
from projections.web.bootstrap import OpenConsole
from tests.builders.alerts import MINUTE, PEOPLE, SECOND
from tests.builders.consoles import open_console, post_action
from tests.builders.queue_console import open_queue_console


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    return open_queue_console(tmp_path / "store.duckdb")


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield client


def merging(page: TestClient[Litestar], asked: str) -> list[str]:
    answer = page.get(f"/api/alerts/{asked}")
    assert answer.status_code == 200, answer.text
    return [each["alert"]["id"] for each in answer.json()]


def rung(page: TestClient[Litestar], *alerts: str) -> list[str]:
    answer = page.get("/api/rung", params={"alert": alerts})
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()]


def test_a_merge_is_previewed_and_nothing_is_done(client: TestClient[Litestar]) -> None:
    assert merging(client, "m0/merging") == ["m0", "m1", "m2"]
    assert merging(client, "m0/merging?other=g&other=m2") == ["m0", "g", "m2"]
    assert "anna" not in client.get("/api/alerts/m0/merging").text
    page = client.get("/api/queue?every=true").json()["rows"]
    assert {len(row["case"]["alerts"]) for row in page} == {1}


def test_what_cannot_be_one_case_is_refused_before_anybody_agrees(client: TestClient[Litestar]) -> None:
    post_action(client, "close", subject="alert:m0", outcome="explained", reason="a coupon")
    for asked, why in {
        "g/merging": "Nothing else found there is unassigned.",
        "g/merging?other=m0": "It was closed by supervisor as explained.",
        "none/merging": "There is no such alert any more.",
    }.items():
        answer = client.get(f"/api/alerts/{asked}")
        assert (answer.status_code, answer.json()["error"]) == (409, why)


def test_what_rang_stands_until_somebody_has_it_or_it_is_silenced(client: TestClient[Litestar]) -> None:
    assert rung(client) == []
    assert rung(client, "m0", "g", "small", "none") == ["m0", "g"]
    post_action(client, "acknowledge", subject="alert:g")
    post_action(client, "snooze", subject="alert:m0", minutes=9, reason="break")
    assert rung(client, "m0", "m1", "g") == ["m1"]
    post_action(client, "mute", check="paid_too_much", minutes=9, reason="training")
    assert rung(client, "m1") == []


def test_an_escalated_critical_alert_waits_for_that_role_until_one_of_it_has_it(
    client: TestClient[Litestar],
    opened: OpenConsole,
) -> None:
    opened.commands.act(
        Acknowledge(id=f"{1:032x}", subject="alert:g"),
        Actor("bob", "operator", SECOND, PEOPLE),
        opened.commands.alert_queue.arrivals["g"].came,
    )
    assert rung(client, "g") == []
    post_action(client, "escalate", subject="alert:g", to="director", reason="again this dealer")
    assert rung(client, "g") == []
    post_action(client, "escalate", subject="alert:g", to="supervisor", reason="again this dealer")
    (told,) = client.get("/api/rung?alert=g").json()
    assert (told["id"], told["due"]) == ("g", None)
    post_action(client, "assign", subject="alert:g", to="supervisor")
    assert rung(client, "g") == []


def test_what_rang_says_until_when_somebody_must_have_taken_it(
    client: TestClient[Litestar],
    opened: OpenConsole,
) -> None:
    (told,) = client.get("/api/rung?alert=g").json()
    arrival = opened.commands.alert_queue.arrivals["g"]
    assert told["due"] == arrival.came + 2 * MINUTE  # the room's own for what is grave
