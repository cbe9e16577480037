"""The log of what was sent, the state of each target on /health, and a person's own browsers."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.catalogue import KINDS
from projections.notify import channels, vapid_key
from projections.notify.notice import Notice
from projections.notify.outbox import Delivery, Outbox, outbox_of
from projections.web.auth.auth_plugin import Access
from projections.web.bootstrap import ConsoleSettings, wall_clock
from tests.builders.auth import create_account, log_in_as
from tests.builders.consoles import open_console
from tests.builders.queue_console import open_queue_console

BROWSER: Final = {
    "endpoint": "https://fcm.googleapis.com/fcm/send/secret-of-the-browser",
    "keys": {"p256dh": "B" * 87, "auth": "a" * 22},
}
CHROME: Final = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
FILE: Final = """
console: https://surveillance.example.com
targets:
  hook: {kind: webhook, url: "https://hook.example.com/x", secret_file: hook.secret}
  spare: {kind: syslog, host: siem.example.com, port: 514}
  phones: {kind: push, key_file: vapid.key, contact: "mailto:a@example.com"}
plans:
  - from: 2020-01-01
    steps:
      - {overdue_minutes: 5, role: supervisor, targets: [hook, phones]}
"""


def build_delivery(name: str, alert: str, queued: int, **more: Any) -> Delivery:
    """Make a message about an alert of the console's round 8."""
    fields: dict[str, Any] = {
        "target": "hook",
        "recipient": None,
        "step": "overdue 5: supervisor",
        "about": "2025-03-01|BAC-1|8",
        "since": 0,
        "due": queued,
        "until": queued + 3_600_000_000,
    }
    notice = Notice(
        sort="untaken",
        at=queued,
        came=queued,
        table="BAC-1",
        checks=("late_wager",),
        severity="critical",
        alert=alert,
    )
    return Delivery(id=name, queued=queued, notice=notice, **fields | more)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    """Return a console that sent a message, was refused another, and has one for next week."""
    store = tmp_path / "store.duckdb"
    now = wall_clock()
    with closing(Outbox(outbox_of(store), now)) as outbox:
        week = now + 7 * 86_400_000_000
        sent, failed, waits = (
            build_delivery("msg_1", "g", now - 3_000_000),
            build_delivery("msg_2", "g", now - 2_000_000),
            build_delivery("msg_3", "g", now - 1_000_000, due=week, until=week),
        )
        outbox.add([sent, failed, waits])
        outbox.note(sent, now, "delivered", "HTTP 204")
        outbox.note(failed, now, "retry", "HTTP 500", now)
        outbox.note(failed, now, "failed", "HTTP 503; given up")
    (tmp_path / "hook.secret").write_text("A" * 44, encoding="ascii")
    vapid_key.make(tmp_path / "vapid.key")
    file = tmp_path / "escalation.yaml"
    file.write_text(FILE, encoding="utf-8")
    opened = open_queue_console(store)
    opened.settings = ConsoleSettings(notifications=channels.load(file, KINDS))
    with open_console(store, on=opened) as client:
        auth = client.app.plugins.get(Access).auth
        for role in ("operator", "administrator", "finance"):
            create_account(auth, role)
        yield client


def enter(client: TestClient[Litestar], role: Any) -> None:
    """Log in as somebody of another role."""
    log_in_as(client, client.app.plugins.get(Access).auth, role)


def test_the_log_says_what_was_sent_to_whom_when_and_what_came_back(client: TestClient[Litestar]) -> None:
    found = client.get("/api/notifications").json()
    rows = [
        (each["id"], each["target"], each["step"], each["state"], each["says"], each["alert"])
        for each in found["deliveries"]
    ]
    says = "Critical: late wager, table BAC-1"
    assert rows == [
        ("msg_3", "hook", "overdue 5: supervisor", "waiting", says, "g"),
        ("msg_2", "hook", "overdue 5: supervisor", "failed", says, "g"),
        ("msg_1", "hook", "overdue 5: supervisor", "delivered", says, "g"),
    ]
    assert [each["answer"] for each in found["deliveries"][1]["attempts"]] == [
        "HTTP 500",
        "HTTP 503; given up",
    ]
    page = client.get("/notifications/log").text
    assert page.count('<tr id="msg_') == 3
    assert "HTTP 503; given up" in page


def test_health_says_which_target_fails(client: TestClient[Litestar]) -> None:
    found = client.get("/api/health").json()
    assert [(each["target"], each["queued"], each["failing"]) for each in found["targets"]] == [
        ("hook", 1, "HTTP 503; given up"),
        ("phones", 0, None),
        ("spare", 0, None),
    ]
    assert found["failed"] == 1
    page = client.get("/health").text
    assert (
        '<div><dt>hook</dt><dd><b class="verdict mismatch">failing</b> HTTP 503; given up; 1 waiting' in page
    )


def test_an_administrator_reads_the_log_without_what_it_was_about(client: TestClient[Litestar]) -> None:
    enter(client, "administrator")
    found = client.get("/api/notifications").json()
    assert [(each["says"], each["alert"]) for each in found["deliveries"]] == [(None, None)] * 3
    assert "late wager" not in client.get("/notifications/log").text


def test_what_is_withheld_is_not_in_the_log(client: TestClient[Litestar]) -> None:
    auth = client.app.plugins.get(Access).auth
    auth.embargoes.place("alert:g", "supervisor", "an inquiry", by="director")
    assert client.get("/api/notifications").json()["deliveries"] == []


@pytest.mark.parametrize(("role", "own", "log"), [("operator", 200, 403), ("finance", 403, 403)])
def test_who_may_read_what(role: Any, own: int, log: int, client: TestClient[Litestar]) -> None:
    enter(client, role)
    assert client.get("/notifications").status_code == own
    assert client.get("/notifications/log").status_code == log


def test_a_person_subscribes_and_removes_their_own_browsers(
    client: TestClient[Litestar], tmp_path: Path
) -> None:
    page = client.get("/notifications").text
    assert f'data-key="{vapid_key.public(vapid_key.load(tmp_path / "vapid.key"))}"' in page
    assert "No device is subscribed." in page
    for _ in range(2):
        told = client.post("/api/notifications/browsers", json=BROWSER, headers={"User-Agent": CHROME})
        assert told.status_code == 200, told.text
    name = told.json()["id"]
    page = client.get("/notifications").text
    assert page.count("<tr data-browser=") == 1
    assert "Chrome, Windows" in page
    assert "secret-of-the-browser" not in page
    enter(client, "operator")
    assert "No device is subscribed." in client.get("/notifications").text
    assert client.post(f"/notifications/browsers/{name}/remove").status_code == 404
    enter(client, "supervisor")
    client.post(f"/notifications/browsers/{name}/remove")
    assert "No device is subscribed." in client.get("/notifications").text


@pytest.mark.parametrize(
    "browser",
    [
        BROWSER | {"endpoint": "http://fcm.googleapis.com/x"},
        BROWSER | {"endpoint": "https://10.0.0.1/admin"},
        BROWSER | {"endpoint": "https://fcm.googleapis.com@evil.example/x"},
        BROWSER | {"endpoint": "https://evilfcm.googleapis.com.example/x"},
        BROWSER | {"keys": {"p256dh": "short", "auth": "a" * 22}},
        {"endpoint": BROWSER["endpoint"]},
        [],
    ],
)
def test_nobody_has_the_console_send_anywhere_but_to_a_push_service(
    browser: Any, client: TestClient[Litestar]
) -> None:
    assert client.post("/api/notifications/browsers", json=browser).status_code == 400


def test_a_console_without_a_file_sends_nothing_and_says_so(tmp_path: Path) -> None:
    store = tmp_path / "store.duckdb"
    opened = open_queue_console(store)
    with open_console(store, on=opened) as client:
        assert "This console sends nothing to browsers" in client.get("/notifications").text
        assert "runs without an escalation file" in client.get("/notifications/log").text
        assert client.get("/api/notifications").json() == {"targets": [], "deliveries": [], "before": None}
        assert client.post("/api/notifications/browsers", json=BROWSER).status_code == 404
        assert client.get("/api/health").json()["targets"] == []
    assert not outbox_of(store).exists()
