"""What becomes urgent later is heard once, and what was silenced is heard when that ends."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from projections.casework.actions import Actor
from projections.casework.alerts.notifications import release_suppressed
from projections.casework.alerts.queues import QUEUES
from projections.casework.cases.case_actions import Acknowledge, Escalate, Mute, Snooze, Unmute
from projections.casework.command_handler import CommandHandler
from projections.engine.findings import Finding
from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.store.stored_alerts import came_of, came_on
from projections.web.bootstrap import open_commands
from replay.nightly.gaming_days import day_of
from replay.nightly.surveillance_work import alert_work
from schemas.errors import DiscardrackError
from schemas.house import House
from schemas.room_settings import RoomSettings
from schemas.values import moment
from tests.builders.alerts import (
    DAY,
    EVENING,
    MINUTE,
    PEOPLE,
    SECOND,
    TABLES,
    InMemoryQueue,
    build_alert,
    build_arrival,
    build_conclusion,
    build_finding,
)

HOUR = 60 * MINUTE
UNDETERMINED = {"weight": "undetermined", "severity": "data"}


def due(pure: InMemoryQueue, name: str) -> tuple[int, int]:
    noted = pure.board.arrivals[name]
    return (noted.taken_due - EVENING) // MINUTE, (noted.closed_due - EVENING) // MINUTE


@pytest.mark.parametrize("before", [UNDETERMINED, {"net_cents": 9_999}, {"put_right": True}])
def test_what_is_to_be_acted_on_only_by_a_later_revision_rings_then_and_once(before: dict[str, Any]) -> None:
    pure = InMemoryQueue(build_alert("x", **before))
    assert pure.rang == []
    pure.now += 4 * MINUTE
    pure.come(build_alert("x"))
    pure.come(build_alert("x"))
    assert pure.rang == ["x"]
    noted = pure.board.arrivals["x"]
    assert (noted.coming, noted.came, noted.queue) == (2, EVENING + 4 * MINUTE, "act_now")


def test_its_due_times_are_those_of_what_it_is_now_from_when_it_became_so() -> None:
    # Left to the night it was to be taken within 1,440 minutes and closed within 4,320.
    pure = InMemoryQueue(build_alert("x", **UNDETERMINED))
    assert due(pure, "x") == (1_440, 4_320)
    pure.now += 4 * MINUTE
    pure.come(build_alert("x"))
    assert due(pure, "x") == (4 + 5, 4 + 120)


def test_what_was_due_earlier_stays_due_and_what_is_graver_is_due_sooner() -> None:
    # Money is to be taken within 5 minutes of its coming; that its sum grew gives nobody more time.
    pure = InMemoryQueue(build_alert("x", net_cents=500), build_alert("y", "2", net_cents=500))
    pure.now += 2 * MINUTE
    pure.come(build_alert("x"))
    pure.come(build_alert("y", "2", severity="critical"))
    assert (due(pure, "x"), due(pure, "y")) == ((5, 120), (2 + 2, 2 + 60))


def test_what_is_found_less_urgent_and_again_as_it_was_comes_no_second_time() -> None:
    pure = InMemoryQueue(build_alert("x"))
    pure.come(build_alert("x", put_right=True))
    pure.come(build_alert("x"))
    assert (pure.rang, pure.board.arrivals["x"].coming) == (["x"], 1)


def test_what_becomes_urgent_leaves_act_now_as_time_goes_by() -> None:
    pure = InMemoryQueue(build_alert("x", **UNDETERMINED))
    pure.come(build_alert("x"))
    assert pure.board.advance(EVENING + 5 * MINUTE) == set()
    assert pure.board.advance(EVENING + 5 * MINUTE + 1) == {"x"}  # it was to be taken by now
    assert pure.board.advance(EVENING + 10 * MINUTE) == set()
    assert pure.board.advance(EVENING + 10 * MINUTE + 1) == {"x"}


def test_an_assigned_or_repeated_alert_does_not_ring_when_it_becomes_urgent() -> None:
    pure = InMemoryQueue(
        build_alert("has", **UNDETERMINED),
        build_alert("rang", "2"),
        build_alert("again", "3", **UNDETERMINED),
    )
    pure.do(Acknowledge, "has")
    pure.come(build_alert("has"))
    pure.come(build_alert("again", "3"))
    assert pure.rang == ["rang"]


def test_what_a_mute_silenced_and_turns_critical_rings() -> None:
    pure = InMemoryQueue()
    pure.do(Mute, check="paid_too_much", minutes=30, reason="training")
    pure.come(build_alert("x"))
    assert pure.rang == []
    pure.come(build_alert("x", severity="critical"))
    assert pure.rang == ["x"]


def later(pure: InMemoryQueue, *put_off: str) -> list[str]:
    return [each.id for each in release_suppressed(pure.board, put_off, pure.book.cases, pure.now)]


def test_what_a_mute_silenced_is_heard_together_when_it_ends() -> None:
    pure = InMemoryQueue(build_alert("before", "1", check="late_wager", severity="critical"))
    pure.do(Mute, check="paid_too_much", minutes=5, reason="training")
    pure.come(build_alert("one", "2", at=EVENING + 1))
    pure.come(build_alert("other", "3", at=EVENING + 2, table="BAC-2"))
    pure.come(build_alert("taken", "4", at=EVENING + 3, table="BAC-3"))
    pure.do(Acknowledge, "taken", "bob")
    assert (pure.rang, later(pure)) == (["before"], [])
    pure.now = EVENING + 5 * MINUTE + 999_999
    assert later(pure) == []
    pure.now += 1  # the mute was asked for a second after 21:20
    assert later(pure) == ["other"]  # the newest of what is equally grave
    assert pure.board.rings_last_hour(pure.now) == 2
    assert later(pure) == []
    # Both were heard: what repeats one of them does not ring.
    pure.come(
        build_alert("again", "5", at=EVENING + 4), build_alert("more", "5", at=EVENING + 4, check="push_paid")
    )
    pure.come(build_alert("and again", "6", at=EVENING + 4, table="BAC-2"))
    assert pure.rang == ["before", "more"]


def test_of_two_alerts_that_ring_together_a_withheld_one_does_not_represent_the_other() -> None:
    pure = InMemoryQueue()
    pure.board.set_embargo_source(lambda: [frozenset({"alert:other"})])
    pure.do(Mute, check="paid_too_much", minutes=5, reason="training")
    pure.come(build_alert("one", "2"))
    pure.come(build_alert("other", "3", at=EVENING + 2, table="BAC-2"))
    pure.now += 5 * MINUTE
    assert later(pure) == ["other", "one"]


def test_withdrawn_or_taken_alerts_do_not_ring_when_a_mute_ends() -> None:
    pure = InMemoryQueue()
    pure.do(Mute, check="paid_too_much", minutes=11, reason="training")
    pure.come(build_alert("old", "1"))
    pure.come(build_alert("has", "3", table="BAC-2"))
    pure.do(Acknowledge, "has", "bob")
    pure.come(build_alert("gone", "2", at=EVENING + MINUTE * 9))
    pure.come(about=build_alert("gone", "2").about)
    pure.now = EVENING + 12 * MINUTE
    assert later(pure) == ["old"]
    assert pure.board.suppressed == set()


def test_what_rested_on_a_silent_device_is_heard_when_it_is_back() -> None:
    pure = InMemoryQueue()
    pure.board.set_silent_devices("BAC-1", {"C-1": EVENING})
    pure.come(build_alert("x"))
    assert later(pure) == []
    pure.board.set_silent_devices("BAC-1", {})
    assert later(pure) == ["x"]


def test_what_was_snoozed_is_heard_again_and_what_rang_before_a_mute_is_not() -> None:
    pure = InMemoryQueue(build_alert("off", "1"), build_alert("muted", "2", check="push_paid"))
    assert pure.rang == ["off", "muted"]
    pure.do(Snooze, "off", minutes=3, reason="the pit counts")
    pure.do(Mute, check="push_paid", minutes=3, reason="training")
    pure.now += 3 * MINUTE
    assert later(pure, "off") == ["off"]


# ── with a store ─────────────────────────────────────────────────────────────────────────────────────


def seen(number: str) -> Round:
    return Round(table="BAC-1", number=number, day=DAY, at=EVENING, dealer="D-1")


def come(
    store: Store, desk: CommandHandler, now: int, revision: int, *findings: Finding, number: str = "1"
) -> None:
    said = build_conclusion(number, *findings)
    came = desk.take_conclusions([build_arrival(said, seen(number), now)], now)
    store.write_batch(
        {Run("live", moment(EVENING), "1.0", "the floor"): [(seen(number), said, revision)]}, came=came
    )
    desk.confirm_written(1)


def test_how_it_came_the_second_time_is_a_further_row_and_holds_after_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.duckdb")
    desk = open_commands(store, RoomSettings(), TABLES, EVENING, live=True)
    come(store, desk, EVENING, 1, build_finding("x", **UNDETERMINED))
    desk.news()
    come(store, desk, EVENING + 4 * MINUTE, 2, build_finding("x"))
    assert desk.news().rings == {"x"}
    noted = came_of(store.reading(), ["x"], EVENING)
    assert [(each.coming, each.came, each.rang) for each in noted] == [
        (1, EVENING, False),
        (2, EVENING + 4 * MINUTE, True),
    ]
    assert came_on(store.reading(), DAY) == noted[1:]
    # A breach is one of what was due then: at 21:29, not at 21:20 on the day after.
    late = desk.breaches(DAY, EVENING + 10 * MINUTE)
    assert [(each.step, each.due) for each in late] == [("taken", EVENING + 9 * MINUTE)]
    # How long it stood counts from when it came at first.
    house = House(house="here", tables=TABLES)
    night = alert_work(store.reading(), house, day_of(house, DAY), EVENING + 10 * MINUTE)
    assert [each.stood for each in night.open] == [10 * MINUTE]
    assert [each.due for each in night.late] == [EVENING + 9 * MINUTE]
    again = open_commands(store, RoomSettings(), TABLES, EVENING + 5 * MINUTE, live=True)
    assert again.alert_queue.arrivals["x"] == noted[1]
    assert again.rings(EVENING + 5 * MINUTE) == 1
    come(store, again, EVENING + 5 * MINUTE, 3, build_finding("x"))
    assert again.news().rings == set()
    store.close()


def test_the_end_of_a_mute_and_of_being_snoozed_is_heard_by_the_clock_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.duckdb")
    desk = open_commands(store, RoomSettings(), TABLES, EVENING, live=True)
    ann = Actor("ann", "supervisor", SECOND, PEOPLE)
    mute = f"{1:032x}"
    desk.act(Mute(id=mute, check="paid_too_much", minutes=30, reason="training"), ann, EVENING)
    come(store, desk, EVENING, 1, build_finding("m"))
    come(store, desk, EVENING, 1, build_finding("off", check="push_paid"), number="2")
    snooze = Snooze(id=f"{2:032x}", subject="alert:off", minutes=3, reason="the pit counts")
    desk.act(snooze, ann, EVENING + MINUTE)
    assert desk.news().rings == {"off"}
    heard = []
    for minute in range(1, 8):
        if minute == 6:
            desk.act(Unmute(id=f"{3:032x}", mute=mute), ann, EVENING + 6 * MINUTE)
        desk.tick(EVENING + minute * MINUTE)
        heard += [(minute, desk.news().rings)]
    assert [each for each in heard if each[1]] == [(4, {"off"}), (6, {"m"})]
    # What was heard is written at once: nothing has been concluded since.
    noted = {(each.id, each.coming): each for each in came_of(store.reading(), ["m", "off"], EVENING)}
    assert [(name, each.rang) for name, each in sorted(noted.items())] == [
        (("m", 1), False),
        (("m", 2), True),
        (("off", 1), True),
        (("off", 2), True),
    ]
    first, second = noted["off", 1], noted["off", 2]
    assert second == replace(first, coming=2, came=EVENING + 4 * MINUTE)
    assert {each.queue for each in noted.values()} == {QUEUES[0]}
    store.close()


def test_arrivals_that_could_not_be_written_are_written_with_the_next_conclusions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "s.duckdb")
    desk = open_commands(store, RoomSettings(), TABLES, EVENING, live=True)
    come(store, desk, EVENING, 1, build_finding("off"))
    snooze = Snooze(id=f"{1:032x}", subject="alert:off", minutes=3, reason="the pit counts")
    desk.act(snooze, Actor("ann", "supervisor", SECOND, PEOPLE), EVENING)

    def full(*_: object, **__: object) -> None:
        raise DiscardrackError("the store cannot be written: the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store, "write_batch", full)
        desk.tick(EVENING + 3 * MINUTE)
    assert desk.news().rings == {"off"}
    assert [each.coming for each in came_of(store.reading(), ["off"], EVENING)] == [1]
    come(store, desk, EVENING + 4 * MINUTE, 1, number="2")
    assert [each.coming for each in came_of(store.reading(), ["off"], EVENING)] == [1, 2]
    store.close()


def test_an_escalated_critical_alert_counts_as_rung_for_an_hour_also_after_a_restart(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "s.duckdb")
    desk = open_commands(store, RoomSettings(), TABLES, EVENING, live=True)
    ann = Actor("ann", "supervisor", SECOND, PEOPLE)
    grave = {"check": "late_wager", "severity": "critical"}
    come(store, desk, EVENING, 1, build_finding("grave", **grave))
    come(store, desk, EVENING, 1, build_finding("money"), number="2")
    assert desk.rings(EVENING) == 2  # both rang as they came
    for number, name in enumerate(("grave", "money"), 1):  # of the two the grave one is heard by who is asked
        asked = Escalate(id=f"{number:032x}", subject=f"alert:{name}", to="director", reason="look at it")
        desk.act(asked, ann, EVENING + 10 * MINUTE)
    assert desk.news().called == {"grave"}
    assert desk.rings(EVENING + 10 * MINUTE) == 3
    again = open_commands(store, RoomSettings(), TABLES, EVENING + 11 * MINUTE, live=True)
    assert again.rings(EVENING + 11 * MINUTE) == 3
    # An hour after they came the two are out of it, and ten minutes later the third.
    assert again.rings(EVENING + HOUR) == 1
    assert again.rings(EVENING + HOUR + 10 * MINUTE) == 0
    store.close()
