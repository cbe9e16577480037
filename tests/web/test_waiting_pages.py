"""Waiting for another person on the pages: when it is due, and to which role it was given."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.bootstrap import OpenConsole
from tests.builders.alerts import MINUTE
from tests.builders.auth import log_out
from tests.builders.consoles import add_account, log_in, open_console, post_action
from tests.builders.queue_console import open_queue_console


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    return open_queue_console(tmp_path / "store.duckdb")


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield client


def due(page: TestClient[Litestar], query: str = "") -> str | None:
    """Return what stands under due in the row of the grave one; None where there is no row."""
    row = re.search(r'<tr id="a-g".*?</tr>', page.get(f"/{query}").text, re.DOTALL)
    found = re.search(r'data-label="due">(.*?)</td>', row[0], re.DOTALL) if row is not None else None
    return found[1] if found is not None else None


def on_its_page(page: TestClient[Litestar]) -> str:
    found = re.search(r'<p class="status-line">.*?</p>', page.get("/alerts/g").text, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", "", found[0]).split()) if found is not None else ""


def test_an_alert_that_waits_for_the_second_person_keeps_its_due_time(
    client: TestClient[Litestar],
    opened: OpenConsole,
) -> None:
    add_account(opened.path, "director", "director")
    post_action(client, "acknowledge", subject="alert:g")
    open_ = due(client)
    assert open_ is not None
    # What is grave is to be closed an hour after it came.
    came = opened.commands.alert_queue.arrivals["g"]
    assert came.closed_due == came.came + 60 * MINUTE
    assert client.get("/api/queue").json()["rows"][0]["due"] == came.closed_due
    post_action(client, "close", subject="alert:g", outcome="explained", reason="a coupon")
    assert due(client) == open_
    assert "supervisor asked for a second person, due " in on_its_page(client)
    log_out(client)
    log_in(client, "director")
    assert due(client, "?queue=for_me") == open_
    post_action(client, "second", subject="alert:g", agrees=True, reason="seen")
    assert due(client, "?state=closed") == ""
    assert ", due " not in on_its_page(client)
    post_action(client, "reopen", subject="alert:g", reason="a letter came")
    assert due(client) == open_
    assert "director asked for a second person, due " in on_its_page(client)


def test_an_alert_that_waits_for_the_second_person_past_its_due_time_is_late(
    client: TestClient[Litestar],
    opened: OpenConsole,
) -> None:
    post_action(client, "close", subject="alert:g", outcome="explained", reason="a coupon")
    assert "late" not in re.findall(r'<tr id="a-g" class="([^"]*)"', client.get("/").text)[0].split()
    noted = opened.commands.alert_queue.arrivals["g"]
    opened.commands.alert_queue.arrivals["g"] = type(noted)(
        **{name: getattr(noted, name) for name in noted.__struct_fields__} | {"closed_due": noted.came - 1}
    )
    assert "late" in re.findall(r'<tr id="a-g" class="([^"]*)"', client.get("/").text)[0].split()


def test_a_case_escalated_to_two_roles_is_merged_once_one_of_them_has_it_all(
    client: TestClient[Litestar],
) -> None:
    post_action(client, "escalate", subject="alert:m0", to="supervisor", reason="again this dealer")
    post_action(client, "escalate", subject="alert:m1", to="director", reason="the sum")
    asked = {"id": f"{3:032x}", "action": "merge", "subject": "alert:m0", "others": ["alert:m1"]}
    answer = client.post("/api/actions", json=asked)
    says = "They are escalated to the supervisor and the director; escalate them to one of these first."
    assert (answer.status_code, answer.json()["error"]) == (409, says)
    before = client.get("/api/alerts/m0/merging?other=m1")
    assert (before.status_code, before.json()["error"]) == (409, says)
    post_action(client, "escalate", subject="alert:m0", to="director", reason="with the other one")
    post_action(client, "merge", subject="alert:m0", others=["alert:m1"])
    page = client.get("/alerts/m0").text
    assert "escalated to the director" in page
    history = page.partition("<h2>Timeline</h2>")[2]
    for said in (
        "escalated to the supervisor: again this dealer",
        "escalated to the director: the sum",
        "escalated to the director: with the other one",
        "merged with 1 more",
    ):
        assert said in history
