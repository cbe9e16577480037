"""Alerts that nobody takes leave the console by its escalation file, as `serve` sends them."""

import base64
import hmac
from pathlib import Path

from projections.catalogue import KINDS
from projections.notify import channels
from projections.notify.outbox import Outbox, outbox_of
from projections.web.bootstrap import ConsoleSettings, wall_clock
from tests.builders.alerts import MINUTE
from tests.builders.consoles import open_console
from tests.builders.queue_console import make_overdue, open_queue_console
from tests.builders.receiver import Receiver, open_receiver

SECRET = base64.b64encode(bytes(range(32))).decode()


def write_escalation(folder: Path, receiver: Receiver) -> Path:
    """Write an escalation file with one step, to supervisors as soon as something is overdue."""
    (folder / "hook.secret").write_text(f"whsec_{SECRET}\n", encoding="ascii")
    file = folder / "escalation.yaml"
    file.write_text(
        f"""
console: https://surveillance.example.com/room
targets:
  hook: {{kind: webhook, url: "{receiver.url}", secret_file: hook.secret}}
plans:
  - from: 2020-01-01
    checks: [late_wager]
    steps:
      - {{overdue_minutes: 0, role: supervisor, targets: [hook]}}
""",
        encoding="utf-8",
    )
    return file


def test_an_overdue_alert_reaches_a_signed_webhook_without_confidential_details(tmp_path: Path) -> None:
    store = tmp_path / "store.duckdb"
    Outbox(outbox_of(store), wall_clock() - MINUTE).close()  # the file was there before the alerts
    with open_receiver() as receiver:
        opened = open_queue_console(store)
        make_overdue(opened, "g")
        sent = channels.load(write_escalation(tmp_path, receiver), KINDS)
        opened.settings = ConsoleSettings(notifications=sent)
        with open_console(store, on=opened):
            received = receiver.take()
    event = received.event
    assert received.path == "/hook"
    assert received.headers["content-type"] == "application/cloudevents+json; charset=utf-8"
    assert (event["specversion"], event["type"]) == ("1.0", "discardrack.incident.untaken")
    assert event["source"] == "https://surveillance.example.com/room"
    assert event["subject"] == "alert:g"
    name, seconds = received.headers["webhook-id"], received.headers["webhook-timestamp"]
    assert event["id"] == name
    assert abs(int(seconds) - wall_clock() // 1_000_000) < 60
    signed = hmac.digest(bytes(range(32)), f"{name}.{seconds}.".encode() + received.body, "sha256")
    assert received.headers["webhook-signature"] == f"v1,{base64.b64encode(signed).decode()}"
    data = event["data"]
    assert data.pop("came").endswith("Z")
    assert data.pop("overdue_minutes") == 18  # it is to be taken within 2 minutes, and is 20 minutes old
    assert data == {
        "title": "Critical: late wager, table BAC-1",
        "table": "BAC-1",
        "checks": ["late_wager"],
        "check_names": ["late wager"],
        "severity": "critical",
        "alert": "g",
        "to": ["supervisor"],
        "link": "https://surveillance.example.com/room/alerts/g",
    }
