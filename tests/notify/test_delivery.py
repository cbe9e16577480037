"""Delivery to a receiver that is up, down, slow or lying, and across a restart; by a webhook of its own."""

import base64
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from projections.casework.cases.case_actions import Acknowledge
from projections.notify.channel import Answer
from projections.notify.channels import Notifications
from projections.notify.notice import Notice
from projections.notify.outbox import Subscription
from projections.notify.webhook import Webhook
from schemas.escalation import Detail, Escalation, Feed, Step, WebhookTarget
from tests.builders.alerts import MINUTE, build_alert
from tests.builders.notifications import (
    CONSOLE,
    DELIVERED,
    HOOK,
    PHONES,
    FakeChannel,
    NotifiedRoom,
    build_plan,
)
from tests.builders.receiver import PATIENCE, Receiver, open_receiver

TO_ALL = build_plan(Step(overdue_minutes=0, targets=("hook",)))
KEY = bytes(range(32))
SECONDS = 1 / 60  # as minutes
TEST = Notice(sort="test", at=0, came=0)


def build_webhook(url: str) -> Webhook:
    """Make a webhook that waits a second for an answer."""
    return Webhook(url, [KEY], CONSOLE, 1)


@contextmanager
def open_room(folder: Path) -> Iterator[tuple[NotifiedRoom, Receiver]]:
    """Open a room with an overdue alert at 6 minutes, and the receiver of its messages."""
    with open_receiver() as receiver:
        room = NotifiedRoom(folder, TO_ALL, channels={"hook": build_webhook(receiver.url)})
        room.room.come(build_alert("x"))
        yield room, receiver


def sent_count(outcome: str) -> float:
    """Return how often an attempt on the hook came to something."""
    labels = {"target": "hook", "outcome": outcome}
    return REGISTRY.get_sample_value("discardrack_notifications_total", labels) or 0.0


@pytest.mark.parametrize(
    "answer", [(200, {}, b"\x00 nonsense {"), (204, {}, b""), (299, {"X-Lie": "no"}, b"error")]
)
def test_any_2xx_is_delivered_whatever_it_says(
    answer: tuple[int, dict[str, str], bytes], tmp_path: Path
) -> None:
    with open_room(tmp_path) as (room, receiver):
        receiver.answers = [answer]
        room.step_at(6)
        room.step_at(600)
        assert (receiver.count(), room.answers()) == (1, [("delivered", f"HTTP {answer[0]}")])


@pytest.mark.parametrize("status", [301, 400, 401, 404, 500, 503])
def test_any_other_is_tried_again_and_a_redirect_is_not_followed(status: int, tmp_path: Path) -> None:
    with open_room(tmp_path) as (room, receiver):
        receiver.answers = [(status, {"Location": receiver.url}, b""), (204, {}, b"")]
        room.step_at(6)
        room.step_at(6 + 3 * SECONDS)  # after 5 seconds, a fifth more or less
        assert receiver.count() == 1
        room.step_at(6 + 7 * SECONDS)
        first, second = receiver.take(), receiver.take()
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert first.body == second.body
        assert first.headers["webhook-signature"] != second.headers["webhook-signature"]  # of its own moment
        assert int(second.headers["webhook-timestamp"]) - int(first.headers["webhook-timestamp"]) == 7
        assert room.answers() == [("retry", f"HTTP {status}"), ("delivered", "HTTP 204")]


def test_one_that_is_down_is_tried_ever_more_rarely_and_given_up_at_the_deadline(tmp_path: Path) -> None:
    """After 5, 10, 20, ... 600 seconds, each a fifth more or less, within 60 minutes of the first attempt."""
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    room = NotifiedRoom(tmp_path, TO_ALL, channels={"hook": build_webhook(f"http://127.0.0.1:{port}/")})
    room.room.come(build_alert("x"))
    failed, retried = sent_count("failed"), sent_count("retry")
    for second in range(65 * 60):
        room.step_at(6 + second * SECONDS)
    (delivery, attempts), *_ = room.outbox.latest(1)
    assert {each.answer for each in attempts[:-1]} == {"connection refused"}
    assert (attempts[-1].outcome, attempts[-1].answer) == ("failed", "connection refused; given up")
    waits = [(later.at - each.at) / 1_000_000 for each, later in pairwise(attempts)]
    for wait, whole in zip(waits, (5, 10, 20, 40, 80, 160, 320, 600, 600, 600), strict=False):
        assert 0.8 * whole <= wait <= 1.2 * whole + 2
    assert delivery.state == "failed"
    assert attempts[-1].at - attempts[0].at <= 60 * 60 * 1_000_000
    assert (sent_count("failed") - failed, sent_count("retry") - retried) == (1, len(attempts) - 1)
    (target,) = room.notifier.targets()
    assert (target.queued, target.failing) == (0, "connection refused; given up")


def test_one_that_never_answers_is_left_at_its_timeout(tmp_path: Path) -> None:
    with open_room(tmp_path) as (room, receiver):
        receiver.answers = [None]
        room.step_at(6)
        assert room.answers() == [("retry", "no answer within 1 s")]


def test_one_that_answers_byte_by_byte_is_left_at_its_timeout() -> None:
    ending = threading.Event()

    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not ending.wait(0.1):
                connection.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        dripping = threading.Thread(target=drip, args=(listener,), daemon=True)
        dripping.start()
        answer = build_webhook(f"http://127.0.0.1:{listener.getsockname()[1]}/").send("msg_00", TEST, 0, None)
        ending.set()
        dripping.join(PATIENCE)
    assert answer == Answer("retry", "no answer within 1 s")


def test_one_whose_answer_is_no_http_is_tried_again() -> None:
    def lie(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(b"220 mail.example.com ESMTP\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        lying = threading.Thread(target=lie, args=(listener,), daemon=True)
        lying.start()
        answer = build_webhook(f"http://127.0.0.1:{listener.getsockname()[1]}/").send("msg_00", TEST, 0, None)
        lying.join(PATIENCE)
    assert answer == Answer("retry", "its answer is no HTTP")


@pytest.mark.parametrize("after", ["120", "Sun, 02 Mar 2025 02:28:00 GMT"])
def test_one_that_asks_for_time_gets_it_for_all_messages(after: str, tmp_path: Path) -> None:
    """The first attempt is at 02:26:00 UTC; two minutes later it may be asked again."""
    with open_room(tmp_path) as (room, receiver):
        receiver.answers = [(429, {"Retry-After": after}, b""), (204, {}, b"")]
        room.step_at(6)
        room.room.come(build_alert("y", "2", at=room.room.now))
        room.restart()
        room.step_at(7.9)
        assert receiver.count() == 1
        room.step_at(8.1)
        assert receiver.count() == 2
        room.step_at(13)
        assert receiver.count() == 3


def test_one_that_is_gone_is_not_asked_again_with_the_message(tmp_path: Path) -> None:
    with open_room(tmp_path) as (room, receiver):
        receiver.answers = [(410, {}, b"")]
        room.step_at(6)
        room.step_at(60)
        assert (receiver.count(), room.answers()) == (1, [("failed", "HTTP 410; given up")])


def test_a_browser_that_is_gone_is_subscribed_no_more(tmp_path: Path) -> None:
    gone = FakeChannel([Answer("gone", "HTTP 410")])
    plan = build_plan(Step(overdue_minutes=0, targets=("phones",)))
    room = NotifiedRoom(tmp_path, plan, targets={"phones": PHONES}, channels={"phones": gone})
    for name in ("one", "two"):
        room.outbox.subscribe(Subscription(name, "ann", name, "https://p.example", "k", "a", 0))
    room.room.come(build_alert("x"))
    room.outbox.unsubscribe("two")
    room.step_at(6)
    assert [each.subscription.id for each in gone.sent if each.subscription is not None] == ["one"]
    assert room.outbox.subscriptions() == []


def test_a_dead_target_holds_up_no_other(tmp_path: Path) -> None:
    with open_receiver() as receiver:
        receiver.answers = [None]
        plan = build_plan(Step(overdue_minutes=0, targets=("dead", "hook")))
        room = NotifiedRoom(
            tmp_path,
            plan,
            targets={"dead": HOOK, "hook": HOOK},
            channels={"dead": Webhook(receiver.url, [KEY], CONSOLE, 60)},
        )
        threads: list[threading.Thread] = []

        def start(work: object) -> None:
            assert callable(work)
            threads.append(threading.Thread(target=work, daemon=True))
            threads[-1].start()

        room.notifier._run = start  # noqa: SLF001  as `start_thread` does, with what is begun in the test's hands
        for number in range(3):
            room.room.come(build_alert(f"x{number}", str(number)))
        room.step_at(6)
        for thread in threads[1:]:
            thread.join(PATIENCE)
        assert len(room.sent("hook")) == 3  # while the other's first is under way
        before = len(threads)
        room.step_at(6.5)
        assert len(threads) == before  # one at most is under way at a target
        assert threads[0].is_alive()
        receiver.ending.set()
        threads[0].join(PATIENCE)


def test_what_is_taken_while_it_waits_is_not_sent(tmp_path: Path) -> None:
    with open_room(tmp_path) as (room, receiver):
        receiver.answers = [(500, {}, b"")]
        room.step_at(6)
        room.room.do(Acknowledge, "x")
        room.step_at(7)
        room.step_at(600)
        assert receiver.count() == 1
        assert room.answers()[1:] == [("stopped", "somebody took it, or it stands no more")]


# ── the process ends and begins again ────────────────────────────────────────────────────────────────


def test_what_was_queued_outlasts_the_process(tmp_path: Path) -> None:
    with open_room(tmp_path) as (room, receiver):
        room.runs = False  # it ends before anything gets away
        room.step_at(6)
        room.runs = True
        room.restart()
        room.step_at(7)
        room.restart()
        room.step_at(8)
        assert (receiver.count(), room.states()) == (1, [("overdue 0", "delivered")])


def test_what_was_sent_as_the_process_died_is_sent_again_by_the_same_id(tmp_path: Path) -> None:
    class Dying(FakeChannel):
        def send(self, name: str, notice: Notice, at: int, subscription: Subscription | None) -> Answer:
            answer = super().send(name, notice, at, subscription)
            if len(self.sent) == 1:
                room.outbox.close()  # what came back is not noted
            return answer

    channel = Dying()
    room = NotifiedRoom(tmp_path, TO_ALL, channels={"hook": channel})
    room.room.come(build_alert("x"))
    with suppress(Exception):
        room.step_at(6)
    room.restart()
    room.step_at(6.1)
    room.step_at(60)
    assert len(channel.sent) == 2
    assert len({each.name for each in channel.sent}) == 1
    assert room.states() == [("overdue 0", "delivered")]


def test_a_library_that_breaks_ends_an_attempt_and_no_secret_is_noted(tmp_path: Path) -> None:
    class Broken(FakeChannel):
        def send(self, name: str, notice: Notice, at: int, subscription: Subscription | None) -> Answer:
            super().send(name, notice, at, subscription)
            raise RuntimeError("https://user:hunter2@pager.example.com")

    room = NotifiedRoom(tmp_path, TO_ALL, channels={"hook": Broken()})
    room.room.come(build_alert("x"))
    room.step_at(6)
    assert room.answers() == [("retry", "failed: RuntimeError")]


def test_no_secret_is_in_the_log_or_in_the_outbox(tmp_path: Path) -> None:
    """The address and the key are in what is sent alone, whatever comes back."""
    with open_receiver() as receiver, capture_logs() as logged:
        receiver.answers = [(500, {}, b"hunter2"), (302, {"Location": "https://hunter2.example"}, b""), None]
        hook = build_webhook(f"{receiver.url}/hunter2?token=hunter2")
        room = NotifiedRoom(tmp_path, TO_ALL, channels={"hook": hook})
        room.room.come(build_alert("x"))
        for minutes in (6, 7, 8):
            room.step_at(minutes)
        assert receiver.take().path == "/hook/hunter2?token=hunter2"
    room.outbox.close()
    assert [each["reason"] for each in logged] == ["HTTP 500", "HTTP 302", "no answer within 1 s"]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (b"hunter2", KEY, base64.b64encode(KEY)):
        assert secret not in stored
        assert secret.decode("latin-1") not in repr(logged)


# ── what ended 30 days ago ───────────────────────────────────────────────────────────────────────────

DAYS = 24 * 60  # as minutes
CONFIDENTIAL = WebhookTarget(url=HOOK.url, secret_env="HOOK", include=get_args(Detail))  # noqa: S106


def open_old_room(folder: Path, **more: Any) -> NotifiedRoom:
    """Open a room in which one alert was sent at 6 minutes, at the second attempt 5 seconds later."""
    room = NotifiedRoom(folder, TO_ALL, targets={"hook": CONFIDENTIAL}, **more)
    room.fakes["hook"].answers = [Answer("retry", "HTTP 503"), DELIVERED]
    room.room.come(build_alert("x", dealer="S-77"))
    room.step_at(6)
    room.step_at(6 + 7 * SECONDS)
    assert room.answers() == [("retry", "HTTP 503"), ("delivered", "HTTP 204")]
    return room


def test_what_ended_30_days_ago_has_nothing_confidential_and_only_its_last_attempt(tmp_path: Path) -> None:
    room = open_old_room(tmp_path)
    ended = room.room.now
    room.outbox.prune(ended + 30 * DAYS * MINUTE - 1)
    ((whole, attempts),) = room.outbox.latest(2)
    assert (whole.notice.dealer, whole.notice.round, len(attempts)) == ("S-77", "1", 2)
    room.outbox.prune(ended + 30 * DAYS * MINUTE)
    ((bare, attempts),) = room.outbox.latest(2)
    assert [(each.at, each.answer) for each in attempts] == [(ended, "HTTP 204")]
    secrets = {"round": None, "seats": (), "dealer": None, "sums": ()}
    assert bare == replace(whole, notice=replace(whole.notice, **secrets))
    room.outbox.close()
    assert b"S-77" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_what_ended_30_days_ago_is_not_sent_again_by_another_process(tmp_path: Path) -> None:
    room = open_old_room(tmp_path)
    room.step_at(31 * DAYS)
    room.restart()
    room.step_at(31 * DAYS + 1)
    room.step_at(31 * DAYS + 70)
    assert (len(room.sent()), room.states()) == (2, [("overdue 0", "delivered")])


def test_what_was_stopped_goes_after_30_days_and_what_was_sent_after_5_years(tmp_path: Path) -> None:
    room = open_old_room(tmp_path)
    ended = room.room.now
    room.fakes["hook"].answers = [Answer("retry", "HTTP 503")]
    room.room.come(build_alert("y", "2", at=ended))
    room.step_at(13)
    room.room.do(Acknowledge, "y")
    room.step_at(14)
    assert sorted(room.states()) == [("overdue 0", "delivered"), ("overdue 0", "stopped")]
    room.step_at(14 + 30 * DAYS)
    assert room.states() == [("overdue 0", "delivered")]
    room.outbox.prune(ended + 5 * 366 * DAYS * MINUTE - 1)
    assert room.states() == [("overdue 0", "delivered")]
    room.outbox.prune(ended + 5 * 366 * DAYS * MINUTE)
    assert room.states() == []


def test_a_finding_of_a_feed_goes_after_30_days_and_what_waits_stays(tmp_path: Path) -> None:
    feeds = (Feed(targets=("hook",)),)
    room = NotifiedRoom(tmp_path, targets={"hook": HOOK}, feeds=feeds)
    room.room.come(build_alert("x"))
    room.step_at(0)
    room.runs = False
    room.room.come(build_alert("y", "2", at=room.room.now))
    room.step_at(1)
    assert sorted(room.states()) == [("feed", "delivered"), ("feed", "waiting")]
    room.step_at(1 + 30 * DAYS)
    assert room.states() == [("feed", "waiting")]
    room.restart()
    room.step_at(2 + 30 * DAYS)
    assert [each.notice.alert for each in room.sent()] == ["x"]


def test_a_changed_escalation_file_is_used_from_the_next_step_on(tmp_path: Path) -> None:
    targets = {"old": HOOK, "both": HOOK}
    room = NotifiedRoom(
        tmp_path, build_plan(Step(targets=("old", "both"), overdue_minutes=0)), targets=targets
    )
    room.fakes["old"].answers = [Answer("retry", "HTTP 503")]
    room.room.come(build_alert("a"))
    room.step_at(7)
    assert (len(room.sent("old")), len(room.sent("both"))) == (1, 1)
    new = FakeChannel()
    changed = Escalation(
        console=CONSOLE,
        targets={"both": HOOK, "new": HOOK},
        plans=(
            build_plan(Step(targets=("both",), overdue_minutes=0), Step(targets=("new",), overdue_minutes=3)),
        ),
    )
    room.notifier.take_notifications(Notifications(changed, {"both": room.fakes["both"], "new": new}))
    room.step_at(9)
    # The first step is the same one to its target, which has it; what waits for one that is gone ends.
    assert (len(room.sent("old")), len(room.sent("both")), len(new.sent)) == (1, 1, 1)
    assert sorted(state for _, state in room.states()) == ["delivered", "delivered", "failed"]
