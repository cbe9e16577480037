"""Whose it was that an alert was taken or closed late: who had it then, whoever has it now.

What is of money is to be taken within 5 minutes and closed within 120, what is grave within 2 and 60.
"""

from typing import Any

from projections.casework.alerts.alert_arrival import breaches
from projections.casework.cases.case_actions import Acknowledge, Assign, Close, Merge, Release, Second, Undo
from tests.builders.alerts import EVENING, MINUTE, SECOND, InMemoryQueue, build_alert


def did(room: InMemoryQueue, minutes: int, kind: type[Any], name: str, who: str, **fields: Any) -> None:
    """Do something so many minutes after the evening began, to the second."""
    room.now = EVENING + minutes * MINUTE - 1_000_000
    room.do(kind, name, who, **fields)


def late(room: InMemoryQueue, minutes: int) -> list[tuple[str, str, int, str | None, bool]]:
    """Return what is over its time after so many minutes: by how many, whose it is, whether it is done."""
    now = EVENING + minutes * MINUTE
    found = breaches(room.board.arrivals.values(), room.book.cases, room.board.alerts, now)
    return [(each.alert, each.step, each.late(now), each.who, each.done is not None) for each in found]


def test_what_was_taken_late_is_of_who_took_it_whoever_it_is_given_to_then() -> None:
    room = InMemoryQueue(build_alert("m"))
    did(room, 9, Acknowledge, "m", "ann")
    did(room, 12, Assign, "m", "cyd", to="bob", rights=SECOND)
    assert late(room, 20) == [("m", "taken", 4, "ann", True)]


def test_who_gives_away_what_nobody_took_is_named_not_who_was_given_it() -> None:
    room = InMemoryQueue(build_alert("m"))
    did(room, 9, Assign, "m", "cyd", to="bob", rights=SECOND)
    assert late(room, 20) == [("m", "taken", 4, "cyd", True)]


def test_a_released_alert_counts_as_taken_by_who_released_it_and_an_undone_one_by_nobody() -> None:
    room = InMemoryQueue(build_alert("m"), build_alert("n", "2"))
    did(room, 9, Acknowledge, "m", "ann")
    did(room, 10, Release, "m", "ann")
    did(room, 11, Acknowledge, "n", "bob")
    did(room, 12, Undo, "n", "bob")
    assert late(room, 20) == [("m", "taken", 4, "ann", True), ("n", "taken", 15, None, False)]


def test_what_was_closed_late_is_of_who_had_it_when_it_was_due() -> None:
    room = InMemoryQueue(build_alert("m"))
    did(room, 1, Acknowledge, "m", "ann")
    did(room, 121, Assign, "m", "cyd", to="bob", rights=SECOND)
    assert late(room, 122) == [("m", "closed", 2, "ann", False)]
    did(room, 123, Close, "m", "bob", outcome="corrected", reason="paid back")
    assert late(room, 130) == [("m", "closed", 3, "ann", True)]


def test_what_nobody_had_when_it_was_due_to_be_closed_is_of_who_had_it_next() -> None:
    room = InMemoryQueue(build_alert("m"))
    assert late(room, 121) == [("m", "taken", 116, None, False), ("m", "closed", 1, None, False)]
    did(room, 122, Close, "m", "bob", outcome="corrected", reason="paid back")
    assert late(room, 130) == [("m", "taken", 117, "bob", True), ("m", "closed", 2, "bob", True)]


def test_who_asks_to_close_an_unassigned_critical_alert_has_taken_it() -> None:
    room = InMemoryQueue(build_alert("g", check="late_wager", severity="critical"))
    did(room, 7, Close, "g", "ann", outcome="confirmed", reason="seen on the camera")
    assert late(room, 61) == [("g", "taken", 5, "ann", True), ("g", "closed", 1, "ann", False)]
    did(room, 62, Second, "g", "bob", agrees=True, reason="so did I", rights=SECOND)
    assert late(room, 70) == [("g", "taken", 5, "ann", True), ("g", "closed", 2, "ann", True)]


def test_a_merged_alert_counts_as_taken_when_it_was_merged_not_when_the_case_was() -> None:
    room = InMemoryQueue(build_alert("m"), build_alert("n", "2"))
    did(room, 1, Acknowledge, "m", "ann")
    did(room, 8, Merge, "m", "ann", others=("alert:n",))
    assert late(room, 20) == [("n", "taken", 3, "ann", True)]
