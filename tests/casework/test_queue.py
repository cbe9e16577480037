"""The board: in which queue an alert stands, what rings, what is silenced, what moves by the time alone."""

from collections import Counter
from datetime import date

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.queues import rows_of
from projections.casework.cases.alert import alerts_of
from projections.casework.cases.case_actions import Acknowledge, Close, Merge, Mute, Snooze, WriteNote
from schemas.room_settings import RoomSettings
from tests.builders.alerts import (
    DAY,
    EVENING,
    MINUTE,
    SECOND,
    InMemoryQueue,
    build_alert,
    build_conclusion,
    build_finding,
)

HOUR = 60 * MINUTE


def queue(pure: InMemoryQueue, name: str) -> str:
    return pure.board.queue_of(pure.board.alerts[name], pure.book.cases, pure.now)


@pytest.mark.parametrize(
    ("more", "stands"),
    [
        ({}, "act_now"),
        ({"net_cents": 9_999}, "this_shift"),
        ({"net_cents": -10_000, "favours": "house"}, "act_now"),
        ({"net_cents": 0, "severity": "critical"}, "act_now"),
        ({"net_cents": 50_000, "put_right": True}, "nightly"),
        ({"weight": "undetermined", "severity": "data"}, "nightly"),
        ({"weight": "undetermined", "severity": "critical"}, "nightly"),
        ({"severity": "medium", "net_cents": 0}, "this_shift"),
    ],
)
def test_what_can_still_be_put_right_and_is_over_the_floor_is_to_be_acted_on(
    more: dict[str, object], stands: str
) -> None:
    assert queue(InMemoryQueue(build_alert("x", **more)), "x") == stands


def test_an_alert_goes_from_queue_to_queue_with_the_floors_clock() -> None:
    pure = InMemoryQueue(build_alert("x"))
    pure.do(Acknowledge, "x")
    for after, stands in ((10 * MINUTE, "act_now"), (10 * MINUTE + 1, "this_shift")):
        pure.now = EVENING + after
        assert queue(pure, "x") == stands
    assert pure.board.advance(pure.now) == {"x"}
    assert pure.board.advance(pure.now) == set()
    # The floor's own clock is ahead of ours: a round was opened there eight hours later.
    pure.board.advance_floor(DAY, EVENING + 8 * HOUR + 1, pure.now)
    assert queue(pure, "x") == "nightly"
    assert pure.board.advance(pure.now) == {"x"}


def test_what_has_no_time_belongs_to_its_gaming_day() -> None:
    pure = InMemoryQueue(build_alert("x", at=None))
    assert queue(pure, "x") == "this_shift"
    pure.board.advance_floor(date(2025, 3, 2), None, pure.now)
    assert queue(pure, "x") == "nightly"
    assert pure.board.advance(pure.now) == {"x"}


def test_an_account_of_a_day_waits_for_the_night() -> None:
    pure = InMemoryQueue()
    board = pure.board
    of_account = replace(build_alert("x"), account="inventory", round=None)
    board.replace_alerts("a", [of_account], pure.book.cases)
    assert queue(pure, "x") == "nightly"


def test_it_rings_once_for_a_check_at_a_table_and_once_for_a_round() -> None:
    pure = InMemoryQueue(build_alert("a", "1"), build_alert("again", "2"))
    assert pure.rang == ["a"]
    pure.come(build_alert("elsewhere", "1", table="BAC-2"))
    pure.come(
        build_alert("card", "3", check="third_card_extra", severity="critical"),
        build_alert("paid", "3", check="push_paid"),
    )
    assert pure.rang == ["a", "elsewhere", "card"]
    pure.now = EVENING + 30 * MINUTE
    pure.board.advance_floor(DAY, pure.now, pure.now)
    pure.come(build_alert("later", "4", at=pure.now))
    assert pure.rang[-1] == "later"
    assert pure.board.rings_last_hour(pure.now) == 4
    assert pure.board.rings_last_hour(EVENING + HOUR) == 1


def test_a_withheld_ringing_alert_silences_nothing_else() -> None:
    pure = InMemoryQueue(build_alert("a", "1"))
    pure.board.set_embargo_source(lambda: [frozenset({"round:2025-03-01|BAC-1|1"})])
    # Bob heard nothing of round 1: he would not look at round 2 either.
    pure.come(build_alert("again", "2"))
    assert pure.rang == ["a", "again"]
    # That one everybody may know of: the next is a repeat for all.
    pure.come(build_alert("third", "3"))
    assert pure.rang == ["a", "again"]


def test_what_is_withheld_is_asked_for_as_it_is_when_something_comes() -> None:
    pure, withheld = InMemoryQueue(build_alert("a", "1")), set[str]()
    pure.board.set_embargo_source(lambda: [frozenset(withheld)])
    pure.come(build_alert("again", "2"))
    assert pure.rang == ["a"]
    withheld.add("alert:a")  # as it is in one case now with what was withheld before
    pure.come(build_alert("third", "3"))
    assert pure.rang == ["a", "third"]


@pytest.mark.parametrize("withheld", ["table-day:2025-03-01|BAC-1", "case:a", "alert:a"])
def test_what_is_withheld_from_the_same_people_is_a_repeat(withheld: str) -> None:
    pure = InMemoryQueue(build_alert("a", "1"))
    pure.board.set_embargo_source(lambda: [frozenset({withheld, "alert:again"}), frozenset({"alert:x"})])
    pure.come(build_alert("again", "2"))
    assert pure.rang == ["a"]
    pure.come(build_alert("elsewhere", "4", table="BAC-2"))
    assert pure.rang == ["a", "elsewhere"]


def test_a_second_thing_in_a_withheld_round_is_withheld_with_it_and_stays_silent() -> None:
    pure = InMemoryQueue(build_alert("a", "1"))
    pure.board.set_embargo_source(lambda: [frozenset({"round:2025-03-01|BAC-1|1"})])
    pure.come(build_alert("a", "1"), build_alert("paid", "1", check="push_paid"))
    assert pure.rang == ["a"]
    pure.board.set_embargo_source(list)
    pure.come(build_alert("again", "2"))
    assert pure.rang == ["a"]


@pytest.mark.parametrize("more", [{"weight": "undetermined", "severity": "data"}, {"net_cents": 500}])
def test_what_is_undetermined_or_small_never_rings(more: dict[str, object]) -> None:
    assert InMemoryQueue(build_alert("x", **more)).rang == []


def test_what_is_muted_does_not_ring_but_a_critical_alert_does() -> None:
    pure = InMemoryQueue()
    pure.do(Mute, table="BAC-1", minutes=30, reason="training", rights=SECOND)
    pure.come(build_alert("m", "1"))
    pure.come(build_alert("g", "2", severity="critical", check="late_wager"))
    assert pure.rang == ["g"]
    reason = pure.board.silence_reason(pure.board.alerts["m"], pure.book.cases, pure.now)
    assert reason == "muted by ann: training"


@pytest.mark.parametrize(
    ("device", "said"),
    [
        ("C-1", "C-1, which reads the chips, is silent"),
        ("S-1", "S-1, which reads the shoe, is silent"),
        ("V-1", None),
        ("T-1", None),
        ("unknown", None),
    ],
)
def test_a_silent_reader_mutes_the_money_that_rests_on_it_and_says_so(device: str, said: str | None) -> None:
    pure = InMemoryQueue()
    pure.board.set_silent_devices("BAC-1", {device: EVENING})
    pure.come(build_alert("before", "1", at=EVENING - 1, check="push_paid"))
    pure.come(build_alert("m", "2"))
    pure.come(build_alert("g", "3", severity="critical", check="late_wager"))
    assert pure.rang == ["before", "g"] if said else ["before", "m", "g"]
    assert pure.board.silence_reason(pure.board.alerts["m"], pure.book.cases, pure.now) == said
    assert pure.board.set_silent_devices("BAC-1", {}) == {"before", "m", "g"}
    assert pure.board.set_silent_devices("BAC-1", {}) == set()
    assert pure.board.silence_reason(pure.board.alerts["m"], pure.book.cases, pure.now) is None


def test_due_times_go_by_severity_and_begin_when_it_came() -> None:
    pure = InMemoryQueue(
        build_alert("m"),
        build_alert("g", "2", severity="critical"),
        build_alert("u", "3", weight="undetermined"),
    )

    def due(name: str) -> int:
        shown = pure.board.queue_item(pure.board.alerts[name], pure.book.cases, pure.now)
        return (shown.due - EVENING) // MINUTE

    assert (due("m"), due("g"), due("u")) == (5, 2, 24 * 60)
    pure.do(Acknowledge, "m")
    assert due("m") == 120


def test_a_withdrawn_alert_that_somebody_worked_on_can_still_be_found() -> None:
    pure = InMemoryQueue(build_alert("worked", "1"), build_alert("not", "2"))
    pure.do(WriteNote, "worked", text="looked at it")
    for name, number in (("worked", "1"), ("not", "2")):
        pure.come(about=build_alert(name, number).about)
    assert (set(pure.board.withdrawn), pure.board.alerts) == ({"worked"}, {})
    shown = pure.board.queue_item(pure.board.withdrawn["worked"], pure.book.cases, pure.now)
    assert (shown.withdrawn, shown.queue) == (True, "nightly")
    pure.do(Close, "worked", outcome="explained", reason="the reader corrected itself")
    pure.come(build_alert("worked", "1"))
    assert (pure.board.withdrawn, pure.case("worked").state) == ({}, "closed")
    # It came once: it does not ring again, and what was due stays so.
    assert pure.rang == ["worked"]


def rows(pure: InMemoryQueue, *, every: bool = False) -> dict[str, int]:
    shown = (pure.board.queue_item(each, pure.book.cases, pure.now) for each in pure.board.alerts.values())
    return {row.alert.id: row.others for row in rows_of(shown, every=every)}


def test_what_nobody_has_of_a_round_is_one_row_and_a_case_is_one_row() -> None:
    pure = InMemoryQueue(build_alert("other", "9"))
    pure.come(
        *(
            build_alert(f"m{n}", "8", check=check)
            for n, check in enumerate(("push_paid", "paid_too_much") * 2)
        )
    )
    assert rows(pure) == {"m0": 3, "other": 0}
    assert rows(pure, every=True) == dict.fromkeys(["m0", "m1", "m2", "m3", "other"], 0)
    pure.do(Acknowledge, "m3")
    assert rows(pure) == {"m3": 0, "m0": 2, "other": 0}
    pure.do(Merge, "m3", others=("alert:m1", "alert:other"))
    assert rows(pure) == {"m1": 2, "m0": 1}


def test_a_row_says_its_round_its_seats_and_its_checks_and_stands_where_it_is_most_urgent() -> None:
    """A late wager is grave; what was paid $1.00 short is for the shift; of a third nothing is proven."""
    pure = InMemoryQueue()
    pure.come(
        build_alert("small", "5", check="paid_too_little", seat=5, net_cents=100, favours="house"),
        build_alert("open", "5", check="data_missing", severity="data", weight="undetermined"),
        build_alert(
            "grave", "5", check="late_wager", severity="critical", seat=4, net_cents=None, favours=UNSET
        ),
        build_alert("again", "5", check="paid_too_little", seat=3, net_cents=200, favours="house"),
    )
    of_shoe = build_conclusion(None, build_finding("shoe", severity="medium", net_cents=None), shoe="7")
    pure.come(*alerts_of(of_shoe, "run", at=EVENING))
    queued = [pure.board.queue_item(each, pure.book.cases, pure.now) for each in pure.board.alerts.values()]
    shown = {row.alert.id: row for row in rows_of(queued)}
    assert set(shown) == {"grave", "shoe"}
    row = shown["grave"]
    assert (row.round, row.seats, row.queue, row.others) == ("5", (3, 4, 5), "act_now", 3)
    assert [(each.check, each.count) for each in row.checks] == [
        ("late_wager", 1),
        ("paid_too_little", 2),
        ("data_missing", 1),
    ]
    assert [(each.favours, each.cents, each.count) for each in row.sums] == [("house", 300, 2)]
    assert row.due == min(each.due for each in queued if each.alert.about == row.alert.about)
    assert (shown["shoe"].round, shown["shoe"].seats) == (None, ())
    pure.do(Merge, "grave", others=("alert:shoe",))
    (merged,) = (
        row
        for row in rows_of(
            pure.board.queue_item(each, pure.book.cases, pure.now) for each in pure.board.alerts.values()
        )
        if row.alert.id == "grave"
    )
    assert (merged.round, merged.others) == (None, 1)


def test_the_rows_of_a_queue_come_to_what_its_findings_come_to() -> None:
    """Each wager counts once, whoever has what of its round, however it was put together."""
    pure = InMemoryQueue()
    for number in range(4):
        pure.come(
            *(
                build_alert(
                    f"a{number}{seat}",
                    str(number),
                    seat=seat,
                    wager="tie",
                    net_cents=100 * seat + number,
                    favours="patron" if seat % 2 else "house",
                )
                for seat in range(1, 6)
            )
        )
    expected = {
        "house": sum(100 * seat + n for n in range(4) for seat in (2, 4)),
        "patron": sum(100 * seat + n for n in range(4) for seat in (1, 3, 5)),
    }
    for step in (
        lambda: None,
        lambda: pure.do(Acknowledge, "a01", whole_incident=True),
        lambda: pure.do(Acknowledge, "a12"),
        lambda: pure.do(Merge, "a23", others=("alert:a34",)),
        lambda: pure.do(Merge, "a12", "ann", whole_incident=True),
    ):
        step()
        items = [pure.board.queue_item(a, pure.book.cases, pure.now) for a in pure.board.alerts.values()]
        summed: Counter[str | None] = Counter()
        for row in rows_of(items):
            for each in row.sums:
                summed[each.favours] += each.cents
        assert summed == expected


def test_what_is_snoozed_is_a_row_of_its_own() -> None:
    pure = InMemoryQueue()
    pure.come(build_alert("m1", "1"), build_alert("m2", "1"))
    pure.do(Snooze, "m2", minutes=5, reason="break")
    assert rows(pure) == {"m1": 0, "m2": 0}


def test_a_room_sets_its_own_floor() -> None:
    assert (
        queue(InMemoryQueue(build_alert("x", net_cents=500), room=RoomSettings(floor_cents=500)), "x")
        == "act_now"
    )


def test_an_empty_board_shows_the_clock_on_the_wall() -> None:
    assert AlertQueue(RoomSettings()).floor_now(7) == 7
