"""Overdue alerts that nobody took stay in sight, first and counted, and ring again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.casework.actions import Actor
from projections.casework.alerts.alert_queue import next_of
from projections.casework.alerts.notifications import overdue_to_ring
from projections.casework.cases.case_actions import Acknowledge, Mute, Release, Snooze
from projections.casework.cases.case_rules import waits_for
from projections.web.auth.masking import Masking
from projections.web.bootstrap import OpenConsole, wall_clock
from projections.web.pages.queue_stream import QueueQuery, QueueStream, StreamCache, Viewer
from schemas.room_settings import Climbs, RoomSettings
from tests.builders.alerts import (
    EVENING,
    MINUTE,
    SECOND,
    InMemoryQueue,
    build_alert,
    build_arrival,
    build_conclusion,
)
from tests.builders.consoles import open_console
from tests.builders.queue_console import ANN, open_queue_console


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    return open_queue_console(tmp_path / "store.duckdb")


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield client


HOUR = 60 * MINUTE
GRAVE: dict[str, Any] = {"check": "late_wager", "severity": "critical", "net_cents": None, "favours": None}


def queue(pure: InMemoryQueue, name: str) -> str:
    return pure.board.queue_of(pure.board.alerts[name], pure.book.cases, pure.now)


def sounds(pure: InMemoryQueue, minutes: float) -> set[str]:
    """Return what is heard again so many minutes after all came."""
    pure.now = EVENING + int(minutes * MINUTE)
    pure.board.advance(pure.now)
    return overdue_to_ring(pure.board, pure.book.cases, pure.now)


@pytest.mark.parametrize("minutes", [11, 9 * 60, 30 * 60])
def test_what_nobody_took_stays_in_act_now_however_long_ago_it_was(minutes: int) -> None:
    pure = InMemoryQueue(build_alert("x"), build_alert("small", "2", net_cents=500))
    pure.now = EVENING + minutes * MINUTE
    assert queue(pure, "x") == "act_now"
    assert queue(pure, "small") == ("this_shift" if minutes <= 8 * 60 else "nightly")
    pure.do(Acknowledge, "x")
    assert queue(pure, "x") == queue(pure, "small")
    pure.do(Release, "x")
    assert queue(pure, "x") == "act_now"


def test_what_was_put_right_or_is_not_proven_any_more_does_not_stay() -> None:
    pure = InMemoryQueue(build_alert("x"), build_alert("y", "2"))
    pure.now += HOUR
    pure.come(build_alert("x", put_right=True))
    pure.come(build_alert("y", "2", weight="undetermined", severity="data"))
    assert (queue(pure, "x"), queue(pure, "y")) == ("nightly", "nightly")


def test_what_came_too_late_to_be_acted_on_is_never_in_act_now() -> None:
    pure = InMemoryQueue()
    pure.come(build_alert("x", at=EVENING - 11 * MINUTE))
    assert queue(pure, "x") == "this_shift"


def test_overdue_alerts_come_first_by_severity_and_then_by_how_long() -> None:
    pure = InMemoryQueue(build_alert("money", "1"), build_alert("grave", "2", **GRAVE))
    pure.now += MINUTE
    pure.come(build_alert("later", "3", at=pure.now, table="BAC-2"))
    pure.now += 6 * MINUTE  # money was due after five minutes: the last of it a minute ago
    pure.board.advance_floor(build_alert("x").gaming_date, pure.now, pure.now)
    pure.come(
        build_alert("new", "4", at=pure.now, **GRAVE),
        build_alert("newer", "4", at=pure.now, check="push_paid"),
    )
    shown = [pure.board.queue_item(each, pure.book.cases, pure.now) for each in pure.board.alerts.values()]
    ordered = [each.alert.id for each in sorted(shown, key=lambda each: each.order)]
    assert ordered == ["grave", "money", "later", "new", "newer"]
    assert [each.alert.id for each in shown if each.overdue] == ["money", "grave", "later"]
    assert next_of(pure.board, "act_now", pure.book.cases, pure.now, frozenset()) == "grave"


def test_critical_and_money_sound_when_they_fall_due_and_every_five_minutes_until_somebody_has_them() -> None:
    pure = InMemoryQueue(
        build_alert("money", "1"),
        build_alert("grave", "2", **GRAVE),
        build_alert("small", "3", net_cents=500),
    )
    assert sounds(pure, 2) == set()
    assert sounds(pure, 2.1) == {"grave"}  # to be taken within 2 minutes, money within 5
    assert sounds(pure, 4.9) == set()
    assert sounds(pure, 5.1) == {"grave", "money"}
    assert sounds(pure, 10) == set()
    assert sounds(pure, 10.1) == {"grave", "money"}
    pure.do(Acknowledge, "grave")
    assert sounds(pure, 15.1) == {"money"}
    assert sounds(pure, 600) == {"money"}
    pure.do(Acknowledge, "money")
    assert sounds(pure, 700) == set()


def test_a_repeat_that_never_rang_sounds_too_once_it_is_overdue() -> None:
    pure = InMemoryQueue(build_alert("rang", "1"), build_alert("repeat", "2"))
    assert pure.rang == ["rang"]
    pure.do(Acknowledge, "rang")
    assert sounds(pure, 5.1) == {"repeat"}


def test_what_nobody_took_climbs_to_the_supervisors_and_then_to_the_directors() -> None:
    """Money is to be taken within 5 minutes: at 10 it waits for supervisors too, at 20 for directors."""
    pure = InMemoryQueue(build_alert("x"), build_alert("small", "2", net_cents=500))
    moved: dict[float, set[str]] = {}
    roles = {role: Actor("sue", role, SECOND) for role in ("operator", "supervisor", "director")}
    for minutes, waits in (
        (5, []),
        (5.1, []),
        (10, []),
        (10.1, ["supervisor"]),
        (20, ["supervisor"]),
        (20.1, ["supervisor", "director"]),
        (700, ["supervisor", "director"]),
    ):
        pure.now = EVENING + int(minutes * MINUTE)
        moved[minutes] = pure.board.advance(pure.now)
        item = pure.board.queue_item(pure.board.alerts["x"], pure.book.cases, pure.now)
        found = [role for role, who in roles.items() if waits_for(item.case, who, climbed=item.climbed)]
        assert found == waits, minutes
    assert {at for at, names in moved.items() if "x" in names} >= {5.1, 10.1, 20.1}  # each is told at once
    small = pure.board.queue_item(pure.board.alerts["small"], pure.book.cases, pure.now)
    assert small.climbed == ()  # it is for the shift
    pure.do(Acknowledge, "x")
    assert pure.board.queue_item(pure.board.alerts["x"], pure.book.cases, pure.now).climbed == ()
    pure.do(Release, "x")
    assert len(pure.board.queue_item(pure.board.alerts["x"], pure.book.cases, pure.now).climbed) == 2


def test_a_room_says_when_what_nobody_took_climbs() -> None:
    room = RoomSettings(climbs=Climbs(supervisor=1, director=2))
    pure = InMemoryQueue(build_alert("x"), room=room)
    pure.now += int(7.1 * MINUTE)
    item = pure.board.queue_item(pure.board.alerts["x"], pure.book.cases, pure.now)
    assert item.climbed == ("supervisor", "director")


def test_what_is_given_back_overdue_sounds_at_once() -> None:
    pure = InMemoryQueue(build_alert("x"))
    pure.do(Acknowledge, "x")
    assert sounds(pure, 6) == set()
    pure.do(Release, "x")
    assert sounds(pure, 6.5) == {"x"}


def test_what_is_muted_or_snoozed_does_not_sound_until_that_ends() -> None:
    pure = InMemoryQueue(build_alert("off", "1"), build_alert("muted", "2", check="push_paid"))
    pure.do(Snooze, "off", minutes=20, reason="the pit counts")
    pure.do(Mute, check="push_paid", minutes=30, reason="training")
    assert sounds(pure, 6) == set()
    assert sounds(pure, 20.1) == {"off"}
    assert sounds(pure, 30.1) == {"off", "muted"}


def test_a_room_sets_the_pace() -> None:
    pure = InMemoryQueue(build_alert("x"), room=RoomSettings(overdue_every_minutes=15))
    assert sounds(pure, 5.1) == {"x"}
    assert sounds(pure, 20) == set()
    assert sounds(pure, 20.1) == {"x"}


# ── on the pages ─────────────────────────────────────────────────────────────────────────────────────


def made_overdue(opened: OpenConsole, *names: str) -> None:
    """Make alerts overdue for long."""
    for name in names:
        noted = opened.commands.alert_queue.arrivals[name]
        opened.commands.alert_queue.record_arrival(type(noted)(**{
            field: getattr(noted, field) for field in noted.__struct_fields__
        } | {"taken_due": noted.taken_due - 20 * MINUTE}))  # fmt: skip
    opened.commands.tick(wall_clock())


def test_every_page_and_each_tab_counts_what_is_overdue(
    client: TestClient[Litestar],
    opened: OpenConsole,
) -> None:
    assert 'overdue" hidden>0 overdue</a>' in client.get("/floor").text
    made_overdue(opened, "m1", "g", "small", "u")  # `m1` is one row with its round; `u` waits for the night
    for path in ("/", "/floor", "/?table=BAC-2", "/log", "/alerts/g", "/breaches", "/find?q=BAC-1"):
        assert 'overdue">3 overdue</a>' in client.get(path).text, path
    told = client.get("/api/queue").json()
    assert told["overdue"] == {"act_now": 2, "this_shift": 1, "nightly": 0, "for_me": 2}
    assert [(row["alert"]["id"], row["overdue"]) for row in told["rows"]] == [("g", True), ("m1", True)]
    page = client.get("/").text
    assert 'data-overdue="act_now">2 overdue</span>' in page
    assert 'data-overdue="nightly" hidden>' in page
    assert page.count('<b class="overdue">overdue</b>, unassigned') == 2


def test_the_empty_page_never_says_that_all_is_calm_while_something_is_overdue(
    client: TestClient[Litestar],
    opened: OpenConsole,
) -> None:
    made_overdue(opened, "small", "g")
    page = client.get("/?check=paid_too_much&severity=high&pit=B").text
    (none,) = [line for line in page.split("\n") if 'class="none"' in line]
    assert none.startswith('<p class="none">No urgent alerts with these filters.')
    assert "data-overdue-all>2 overdue</a>" in none
    nothing = [build_arrival(build_conclusion(number), None, wall_clock()) for number in ("0", "1", "2", "8")]
    opened.commands.take_conclusions(nothing, wall_clock())
    page = client.get("/").text
    (none,) = [line for line in page.split("\n") if 'class="none"' in line]
    assert none.startswith('<p class="none">No urgent alerts.')
    assert '<span class="overdue" data-late="this_shift">, 1 overdue: review them</span>' in none


def test_a_stream_sends_what_falls_due_and_rings_it_again(opened: OpenConsole) -> None:
    def heard(hidden: frozenset[str] = frozenset()) -> QueueStream:
        eyes = Viewer(ANN, lambda: hidden, Masking(b"key"), wall_clock)
        return QueueStream(
            StreamCache(opened.commands), QueueQuery(queue="nightly"), eyes, lambda row: row.alert.id, 0
        )

    opened.commands.news()
    told, other = heard(), heard(frozenset({"alert:g"}))
    made_overdue(opened, "g", "small")
    news = opened.commands.news()
    found = {event: json.loads(data) for event, data in told.events_since(news)}
    assert found["overdue"] == {"rows": 2}
    assert [each["id"] for each in found["again"]] == ["g"]
    assert found["counts"]["overdue"] == {"act_now": 1, "this_shift": 1, "nightly": 0, "for_me": 1}
    found = {event: json.loads(data) for event, data in other.events_since(news)}
    assert found["overdue"] == {"rows": 1}
    assert "again" not in found  # of what is withheld nothing is heard
