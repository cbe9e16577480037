"""A second mistake at a table rings though one rang: once that is closed, if it is grave or larger."""

from typing import Any

import pytest

from projections.casework.alerts.notifications import mistakes_of_dealer, overdue_to_ring
from projections.casework.cases.case_actions import Acknowledge, Close
from schemas.room_settings import RoomSettings
from tests.builders.alerts import EVENING, MINUTE, InMemoryQueue, build_alert

GRAVE: dict[str, Any] = {"check": "late_wager", "severity": "critical", "net_cents": None, "favours": None}


def after_twelve_minutes(pure: InMemoryQueue) -> int:
    """Advance twelve minutes, which is within the half hour of repeats; return when the next round opens."""
    pure.now = EVENING + 12 * MINUTE
    return pure.now


def test_once_the_earlier_is_closed_the_next_rings() -> None:
    # $100.00 rings, is taken and closed; twelve minutes later as much again at the same table.
    pure = InMemoryQueue(build_alert("first"))
    pure.do(Acknowledge, "first")
    pure.do(Close, "first", outcome="corrected", reason="paid back")
    pure.come(build_alert("second", "2", at=after_twelve_minutes(pure)))
    assert pure.rang == ["first", "second"]


def test_while_somebody_has_the_earlier_the_next_of_its_size_is_a_repeat() -> None:
    pure = InMemoryQueue(build_alert("first"))
    pure.do(Acknowledge, "first")
    pure.come(build_alert("second", "2", at=after_twelve_minutes(pure)))
    assert pure.rang == ["first"]


def test_once_the_earlier_is_found_no_more_the_next_rings() -> None:
    pure = InMemoryQueue(build_alert("first"))
    pure.come(about=build_alert("first").about)
    pure.come(build_alert("second", "2", at=after_twelve_minutes(pure)))
    assert pure.rang == ["first", "second"]


def test_a_critical_alert_rings_again_but_of_one_hand_once() -> None:
    pure = InMemoryQueue(build_alert("first", **GRAVE))
    at = after_twelve_minutes(pure)
    pure.come(
        build_alert("second", "2", at=at, **GRAVE),
        build_alert("then", "2", at=at, **GRAVE | {"check": "void_not_called"}),
    )
    pure.come(build_alert("third", "3", at=at, **GRAVE))
    assert pure.rang == ["first", "second", "third"]


def test_what_turns_out_critical_in_a_hand_that_rang_for_money_rings() -> None:
    pure = InMemoryQueue(build_alert("money"))
    pure.come(build_alert("money"), build_alert("grave", **GRAVE))
    assert pure.rang == ["money", "grave"]


@pytest.mark.parametrize(
    ("cents", "rings"), [(10_000, False), (24_999, False), (25_000, True), (-25_000, True), (2_500_000, True)]
)
def test_what_comes_to_two_and_a_half_times_as_much_rings(cents: int, *, rings: bool) -> None:
    pure = InMemoryQueue(build_alert("first", net_cents=10_000))
    side = "patron" if cents > 0 else "house"
    pure.come(build_alert("second", "2", at=after_twelve_minutes(pure), net_cents=cents, favours=side))
    assert pure.rang == (["first", "second"] if rings else ["first"])


def test_a_room_sets_how_much_larger_it_must_be() -> None:
    pure = InMemoryQueue(build_alert("first"), room=RoomSettings(larger_percent=400))
    pure.come(build_alert("second", "2", net_cents=39_999))
    pure.come(build_alert("third", "3", net_cents=40_000))
    assert pure.rang == ["first", "third"]


def test_a_hand_is_weighed_as_a_whole_and_every_wager_of_it_once() -> None:
    # $100.00 was overpaid; then $90.00 and $160.00 are owed in one hand: $250.00 together.
    owed = {"favours": "house", "check": "paid_too_little"}
    pure = InMemoryQueue(build_alert("first", check="paid_too_little"))
    one = build_alert("one", "2", seat=1, wager="tie", net_cents=-9_000, **owed)
    two = build_alert("two", "2", seat=2, wager="tie", net_cents=-16_000, **owed)
    pure.come(two)
    assert pure.rang == ["first"]
    pure.come(one, two)
    assert pure.rang == ["first"]  # it came before, and what is new of it is below the floor
    pure.come(*(build_alert(f"{name}", "3", seat=seat, wager="tie", net_cents=cents, **owed)
                for name, seat, cents in (("three", 1, -9_000), ("four", 2, -16_000))))  # fmt: skip
    assert pure.rang == ["first", "four"]


def test_of_one_hand_the_largest_rings_and_the_rest_is_silent() -> None:
    pure = InMemoryQueue()
    made = [
        build_alert(f"w{n}", seat=n, wager="tie", net_cents=cents) for n, cents in ((1, 10_000), (2, 90_000))
    ]
    pure.come(*made)
    assert pure.rang == ["w2"]


def test_the_third_mistake_of_a_dealer_rings_whatever_its_size_and_so_does_the_sixth() -> None:
    pure = InMemoryQueue()
    for number in range(1, 8):
        pure.come(build_alert(f"m{number}", str(number), dealer="D-7"))
    assert pure.rang == ["m1", "m3", "m6"]
    assert mistakes_of_dealer(pure.board, pure.board.alerts["m6"], EVENING - 1) == 7


def test_a_dealer_s_mistakes_are_counted_by_hands_at_every_table_and_not_those_of_others() -> None:
    pure = InMemoryQueue(
        build_alert("one", "1", dealer="D-7"),
        build_alert("there", "1", table="BAC-2", dealer="D-7"),
        build_alert("x", "5"),
    )
    pure.come(
        build_alert("same", "1", check="push_paid", dealer="D-7"), build_alert("one", "1", dealer="D-7")
    )
    assert pure.rang == ["one", "there"]
    pure.come(build_alert("small", "6", net_cents=500, dealer="D-7"))
    pure.come(build_alert("third", "7", dealer="D-7"))
    assert pure.rang == ["one", "there", "third"]


def test_of_unknown_dealers_nothing_is_counted() -> None:
    pure = InMemoryQueue(*(build_alert(f"m{n}", str(n), dealer=None) for n in range(5)))
    assert pure.rang == ["m0"]


def test_what_is_found_no_more_and_again_when_it_is_overdue_sounds_again() -> None:
    room = InMemoryQueue()
    alert = build_alert("a", **GRAVE)

    def minutes_that_sound(minutes: int) -> int:
        heard = 0
        for _ in range(minutes):
            room.now += MINUTE
            room.board.advance(room.now)
            heard += bool(overdue_to_ring(room.board, room.book.cases, room.now))
        return heard

    room.come(alert)
    # It is due after 2 minutes, and all climbing is over 15 minutes later: from then on nothing is scheduled.
    assert minutes_that_sound(20) == 4  # at the minutes 3, 8, 13 and 18
    room.come(about=alert.about)
    assert minutes_that_sound(10) == 0
    room.come(alert)
    assert minutes_that_sound(10) == 2  # at once, and five minutes later
