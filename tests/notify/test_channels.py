"""What a syslog receiver, Apprise's services and a push service are sent, and how a failure is reported."""

import base64
import json
import logging
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from projections.notify import vapid_key
from projections.notify.apprise_service import service_of
from projections.notify.channel import Answer
from projections.notify.notice import Notice
from projections.notify.outbox import Subscription
from projections.notify.syslog import Syslog, SyslogAddress, message
from projections.notify.web_push import WebPush, push_of
from schemas.errors import BadInput
from schemas.escalation import PushTarget
from tests.builders.alerts import EVENING
from tests.builders.notifications import CONSOLE
from tests.builders.pushed_browser import PushedBrowser
from tests.builders.receiver import PATIENCE, open_receiver

NOTICE: Final = Notice(
    sort="untaken",
    at=EVENING,
    came=EVENING,
    table='BAC "1"]',
    checks=("late_wager",),
    severity="critical",
    alert="x",
    overdue_minutes=5,
    to=("supervisor",),
)


# ── syslog ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_syslog_message_is_as_rfc_5424_has_it() -> None:
    """Facility 16 and severity 2 (critical) are 16 * 8 + 2 = 130; quotes and brackets are escaped (6.3.3)."""
    text = message("msg_1", NOTICE, EVENING, 16, "floor-1.example", CONSOLE).decode()
    head, structure, words = re.fullmatch(r"(.*? .*? .*? .*? .*? .*?) (\[.*\]) (.*)", text).groups()  # type: ignore[union-attr]
    assert head == "<130>1 2025-03-02T02:20:00.000000Z floor-1.example discardrack - untaken"
    assert structure == (
        '[discardrack@32473 id="msg_1" table="BAC \\"1\\"\\]" check="late_wager" severity="critical" '
        'alert="x" overdue="5" link="https://surveillance.example.com/alerts/x"]'
    )
    assert words == (
        '\N{ZERO WIDTH NO-BREAK SPACE}Critical: late wager, table BAC "1"]. '
        "It came at 03/02/2025 2:20:00 AM UTC. "
        "Nobody has taken it, 5 min after it was due. For: supervisor"
    )


@pytest.mark.parametrize(("severity", "priority"), [("high", 132), ("medium", 133), ("data", 134)])
def test_its_priority_goes_by_the_severity(severity: str, priority: int) -> None:
    notice = Notice(sort="finding", at=0, came=0, severity=severity)
    assert message("msg_1", notice, 0, 16, "h", CONSOLE).startswith(b"<%d>1 " % priority)


def test_a_receiver_by_tcp_has_the_length_before_each_message() -> None:
    taken: list[bytes] = []

    def take(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            while piece := connection.recv(65_536):
                taken.append(piece)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        taking = threading.Thread(target=take, args=(listener,), daemon=True)
        taking.start()
        address = SyslogAddress("127.0.0.1", listener.getsockname()[1], "tcp", 16)
        answer = Syslog(address, CONSOLE, 5).send("msg_1", NOTICE, EVENING, None)
        taking.join(PATIENCE)
    assert answer == Answer("delivered", "written by tcp; syslog does not answer")
    length, _, content = b"".join(taken).partition(b" ")
    assert int(length) == len(content)
    assert content.startswith(b"<130>1 ")


def test_a_receiver_by_udp_has_a_message_in_one_packet() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(PATIENCE)
        address = SyslogAddress("127.0.0.1", receiver.getsockname()[1], "udp", 16)
        assert Syslog(address, CONSOLE, 5).send("msg_1", NOTICE, EVENING, None).result == "delivered"
        assert receiver.recv(65_536).startswith(b"<130>1 ")


def test_one_that_is_down_or_whose_certificate_is_none_is_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    address = SyslogAddress("127.0.0.1", port, "tcp", 16)
    assert Syslog(address, CONSOLE, 5).send("m", NOTICE, 0, None) == Answer("retry", "connection refused")
    with open_receiver() as receiver:
        address = SyslogAddress("127.0.0.1", receiver.port, "tls", 16)
        answer = Syslog(address, CONSOLE, 5).send("m", NOTICE, 0, None)
    assert answer == Answer("retry", "no TLS connection")


# ── Apprise ──────────────────────────────────────────────────────────────────────────────────────────


def test_apprise_sends_by_its_urls_and_says_whether_it_was_taken(caplog: pytest.LogCaptureFixture) -> None:
    with open_receiver() as receiver, caplog.at_level(logging.DEBUG):
        receiver.answers = [(200, {}, b"ok"), (500, {}, b"")]
        service = service_of([f"json://ann:hunter2@127.0.0.1:{receiver.port}/a"], CONSOLE, 5, "file")
        first = service.send("msg_1", NOTICE, EVENING, None)
        second = service.send("msg_1", NOTICE, EVENING, None)
        taken = receiver.take().event
    assert first == Answer("delivered", "taken by the service")
    assert second == Answer("retry", "not taken by the service, or no answer from it")
    assert taken["title"] == 'Critical: late wager, table BAC "1"]'
    assert taken["message"].split("\n")[-1] == "https://surveillance.example.com/alerts/x"
    assert taken["type"] == "failure"
    assert "hunter2" not in caplog.text


def test_a_url_that_is_none_of_apprise_s_is_refused_without_being_shown() -> None:
    with pytest.raises(BadInput, match=r"targets\.pager: URL 1 is none of Apprise's") as refused:
        service_of(["pagerdooty://key-hunter2"], CONSOLE, 5, "targets.pager")
    assert "hunter2" not in str(refused.value)


# ── Web Push ─────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def open_push(folder: Path, host: str = "127.0.0.1") -> Iterator[WebPush]:
    """Make a channel to push services of a host."""
    vapid_key.make(folder / "vapid.key")
    target = PushTarget(
        key_file="vapid.key", contact="mailto:a@example.com", services=(host,), timeout_seconds=1
    )
    yield push_of(target, folder, "targets.phones", "/room")


def test_a_push_is_encrypted_signed_and_says_nothing_confidential(tmp_path: Path) -> None:
    browser = PushedBrowser()
    with open_receiver() as receiver, open_push(tmp_path) as push:
        receiver.answers = [(201, {}, b"")]
        answer = push.send("msg_" + "0" * 32, NOTICE, EVENING, browser.subscription(receiver.url))
        request = receiver.take()
    assert answer == Answer("delivered", "HTTP 201")
    assert browser.read(request.body) == {
        "id": "msg_" + "0" * 32,
        "title": 'Critical: late wager, table BAC "1"]',
        "body": "It came at 03/02/2025 2:20:00 AM UTC.\n"
        "Nobody has taken it, 5 min after it was due.\n"
        "For: supervisor",
        "path": "/room/alerts/x",
        "tag": "x",
        "stays": True,
    }
    assert b"late wager" not in request.body
    assert request.headers["urgency"] == "high"
    assert request.headers["ttl"] == "43200"
    public = vapid_key.public(vapid_key.load(tmp_path / "vapid.key"))
    assert f"k={public}" in request.headers["authorization"].replace(" ", "")
    claims = request.headers["authorization"].partition("t=")[2].split(".")[1]
    claims += "=" * (-len(claims) % 4)
    assert json.loads(base64.urlsafe_b64decode(claims))["sub"] == "mailto:a@example.com"


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (404, {}, Answer("gone", "HTTP 404")),
        (410, {}, Answer("gone", "HTTP 410")),
        (429, {"Retry-After": "30"}, Answer("retry", "HTTP 429", 30_000_000)),
        (500, {}, Answer("retry", "HTTP 500")),
        (302, {"Location": "http://127.0.0.1:1/"}, Answer("retry", "HTTP 302")),
    ],
)
def test_an_answer_of_a_push_service_is_understood(
    status: int, headers: dict[str, str], expected: Answer, tmp_path: Path
) -> None:
    with open_receiver() as receiver, open_push(tmp_path) as push:
        receiver.answers = [(status, headers, b"")]
        subscription = PushedBrowser().subscription(receiver.url)
        assert push.send("msg_00", NOTICE, EVENING, subscription) == expected
        assert receiver.count() == 1


def test_a_push_service_that_is_slow_down_or_none_of_the_file_s(tmp_path: Path) -> None:
    with open_receiver() as receiver, open_push(tmp_path) as push:
        receiver.answers = [None]
        slow = push.send("msg_00", NOTICE, EVENING, PushedBrowser().subscription(receiver.url))
    down = push.send("msg_00", NOTICE, EVENING, PushedBrowser().subscription(receiver.url))
    other = push.send("msg_00", NOTICE, EVENING, PushedBrowser().subscription("https://evil.example/x"))
    assert slow == Answer("retry", "no answer within 1 s")
    assert down == Answer("retry", "no connection to its push service")
    assert other.result == "gone"


def test_keys_that_are_none_end_a_subscription(tmp_path: Path) -> None:
    with open_receiver() as receiver, open_push(tmp_path) as push:
        subscription = Subscription("one", "ann", "phone", receiver.url, "B" * 87, "a" * 22, 0)
        assert push.send("msg_00", NOTICE, EVENING, subscription).result == "gone"
        assert receiver.count() == 0
