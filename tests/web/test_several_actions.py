"""Several actions at once, the reasons to close that are offered, and a second person who gives no reason."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.bootstrap import OpenConsole
from schemas.room_settings import DEFAULT
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.queue_console import open_queue_console

# Of the queue's console `m0` to `m2` are of one round, `g` is grave, `small` and `u` are alone.
REASONS: Final = re.compile(r'data-outcome="(\w+)" data-reason="([^"]+)"( data-recent)?')


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    return open_queue_console(tmp_path / "store.duckdb")


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield client


def post_several(
    client: TestClient[Litestar], *alerts: str, whole: bool = True, number: int = 0, **action: Any
) -> list[dict[str, Any]]:
    actions = [
        {"id": f"{number + at:032x}", "subject": f"alert:{alert}", **action}
        for at, alert in enumerate(alerts, 0xABC)
    ]
    answer = client.post("/api/actions/several", json={"actions": actions, "whole_incidents": whole})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def case_of(client: TestClient[Litestar], alert: str) -> dict[str, Any]:
    rows = [
        row
        for queue in ("act_now", "this_shift", "nightly")
        for state in ("", "closed", "second person")
        for row in client.get("/api/queue", params={"every": "true", "queue": queue, "state": state}).json()[
            "rows"
        ]
    ]
    case: dict[str, Any] = next(row["case"] for row in rows if row["alert"]["id"] == alert)
    return case


def test_each_of_several_is_done_or_refused_by_itself(client: TestClient[Litestar]) -> None:
    post_action(client, "close", subject="alert:u", outcome="explained", reason="a torn label")
    done, refused, none = post_several(client, "small", "u", "nowhere", action="acknowledge")
    assert (done["error"], done["after"]["owner"]) == (None, "supervisor")
    assert refused["error"] == "It was closed by supervisor as explained."
    assert none["error"] == "There is no such alert any more."


def test_an_action_on_several_is_done_to_all_of_each_row(client: TestClient[Litestar]) -> None:
    first, grave = post_several(
        client, "m0", "g", action="close", outcome="corrected", reason="it was put right"
    )
    assert (first["merged"], first["after"]["state"]) == (True, "closed")
    assert (grave["merged"], grave["after"]["state"]) == (False, "closing")
    assert sorted(case_of(client, "m1")["alerts"]) == ["m0", "m1", "m2"]


def test_the_same_several_sent_again_change_nothing(client: TestClient[Litestar]) -> None:
    sent = {"action": "close", "outcome": "corrected", "reason": "it was put right"}
    before = post_several(client, "m0", **sent)
    actions = len(client.get("/api/log").json()["lines"])
    (again,) = post_several(client, "m0", **sent)
    assert (again["after"], again["error"]) == (before[0]["after"], None)
    assert len(client.get("/api/log").json()["lines"]) == actions


def test_a_row_that_became_one_case_for_what_was_refused_is_as_it_was(client: TestClient[Litestar]) -> None:
    post_action(client, "tag", subject="alert:m0", word="a coupon")
    (result,) = post_several(client, "m0", action="tag", word="seat 3", off=True)
    assert (result["error"], result["merged"]) == ("It has no tag seat 3.", False)
    assert case_of(client, "m0")["alerts"] == ["m0"]


def test_each_finding_by_itself_is_asked_for_where_rows_are_findings(client: TestClient[Litestar]) -> None:
    (result,) = post_several(client, "m0", whole=False, action="note", text="called the pit")
    assert (result["merged"], case_of(client, "m0")["alerts"]) == (False, ["m0"])


def test_who_may_not_work_on_alerts_does_none_of_several(opened: OpenConsole) -> None:
    with open_console(opened.path, "auditor", on=opened) as client:
        answer = client.post("/api/actions/several", json={"actions": []})
    assert answer.status_code == 403


def test_several_are_at_least_one_and_at_most_a_page(client: TestClient[Litestar]) -> None:
    for many in (0, 101):
        actions = [{"id": f"{at:032x}", "action": "release", "subject": "alert:small"} for at in range(many)]
        assert client.post("/api/actions/several", json={"actions": actions}).status_code == 400


def offered(client: TestClient[Litestar], path: str = "/") -> list[tuple[str, str, bool]]:
    found = REASONS.findall(client.get(path).text)
    return [(outcome, reason.replace("&#39;", "'"), bool(recent)) for outcome, reason, recent in found]


def test_the_reasons_that_a_person_gave_last_are_offered_before_the_room_s(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    rooms = [(each.outcome, each.reason, False) for each in DEFAULT.close_reasons]
    assert offered(client) == rooms[:5]
    for alert, reason in (("small", "a chip fell"), ("u", "a torn label")):
        post_action(client, "close", subject=f"alert:{alert}", outcome="explained", reason=reason)
    own = [("explained", "a torn label", True), ("explained", "a chip fell", True)]
    assert offered(client) == own + rooms[:3]
    assert offered(client, "/alerts/g") == own + rooms[:3]
    add_account(opened.path, "director", "director")
    with open_console(opened.path, "director", on=opened) as other:
        assert offered(other) == rooms[:5]


def test_possible_second_persons_are_listed_before_a_critical_alert_is_closed(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    assert "Nobody else here can; it will wait until somebody can." in client.get("/alerts/g").text
    add_account(opened.path, "director", "director")
    add_account(opened.path, "zoe", "operator")
    assert "Who can: director." in client.get("/alerts/g").text
    assert re.search(r"data-second hidden>", client.get("/alerts/small").text)
    assert not re.search(r"data-second hidden>", client.get("/alerts/g").text)


def test_the_second_person_agrees_without_a_word_and_does_not_disagree_so(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    post_action(client, "close", subject="alert:g", outcome="false", reason="The footage shows it")
    add_account(opened.path, "director", "director")
    with open_console(opened.path, "director", on=opened) as director:
        told = {"id": f"{2:032x}", "action": "second", "subject": "alert:g"}
        refused = director.post("/api/actions", json=told | {"agrees": False})
        assert (refused.status_code, refused.json()["error"]) == (409, "Say why you do not agree.")
        assert director.post("/api/actions", json=told | {"agrees": True}).status_code == 200
        page = director.get("/alerts/g").text
    assert "second person agreed</" in page
    assert "None" not in page.partition("<h2>Timeline</h2>")[2]
