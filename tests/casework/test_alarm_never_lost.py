"""An unassigned alert stays in "act now", sounds once it is overdue and leaves the browser."""

from contextlib import suppress
from typing import Any, Final

from hypothesis import settings, stateful
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.casework.actions import Refused
from projections.casework.alerts.notifications import overdue_to_ring
from projections.casework.alerts.queues import incidents_of, is_open, row_of
from projections.casework.alerts.untaken_incidents import untaken_incidents
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import (
    Acknowledge,
    Close,
    Escalate,
    Merge,
    Mute,
    Release,
    Reopen,
    Snooze,
    Undo,
)
from schemas.room_settings import RoomSettings
from tests.builders.alerts import EVENING, MINUTE, SECOND, InMemoryQueue, build_alert

TICK: Final = MINUTE // 2  # how often the console looks at its clock here
ROOM: Final = RoomSettings()
SOUNDS_EVERY: Final = ROOM.overdue_every_minutes * MINUTE
WHY: Final = {"reason": "seen on camera 4"}
PEOPLE: Final = st.sampled_from(["ann", "bob", "cyd"])
NUMBERS: Final = st.integers(0, 5)
KINDS: Final = st.lists(
    st.sampled_from(
        [
            {"check": "late_wager", "severity": "critical", "net_cents": 0},
            {"check": "paid_too_much", "net_cents": 250_000},
            {"check": "push_paid", "net_cents": 10_000},
            {"check": "paid_too_little", "net_cents": 500, "favours": "house"},
        ]
    ),
    min_size=1,
    max_size=3,
)


class AlarmNeverLost(stateful.RuleBasedStateMachine):
    """A queue on which rounds come and are found to be otherwise, people act, and time goes by."""

    def __init__(self) -> None:
        super().__init__()
        self.room = InMemoryQueue(room=ROOM)
        self.rounds: dict[str, list[Alert]] = {}
        self.found: dict[str, list[Alert]] = {}
        self.due: dict[str, int] = {}
        self.sounded: dict[str, int] = {}

    def alert(self, number: int) -> str | None:
        """Return one of the standing alerts."""
        standing = sorted(self.room.board.alerts)
        return standing[number % len(standing)] if standing else None

    def act(self, kind: type[Any], number: int, who: str, **fields: Any) -> None:
        """Act on one of the alerts, where that is not refused."""
        alert = self.alert(number)
        if alert is not None:
            with suppress(Refused):
                self.room.do(kind, alert, who, **fields)

    @stateful.rule(found=KINDS)
    def round_comes(self, found: list[dict[str, Any]]) -> None:
        """Conclude a round with findings."""
        number = str(len(self.rounds) + 1)
        at = self.room.board.floor_now(self.room.now)
        self.rounds[number] = [
            build_alert(f"{number}-{place}", number, at=at, seat=place, wager="tie", **each)
            for place, each in enumerate(found)
        ]
        self.found[number] = self.rounds[number]
        self.room.come(*self.rounds[number])
        for each in self.rounds[number]:
            if each.severity == "critical" or abs(each.net_cents or 0) >= ROOM.floor_cents:
                minutes = ROOM.due.critical.taken if each.severity == "critical" else ROOM.due.high.taken
                self.due[each.id] = self.room.now + minutes * MINUTE

    @stateful.rule(number=NUMBERS)
    def round_is_found_otherwise(self, number: int) -> None:
        """Remove the first finding of a round, as a late event does."""
        if self.rounds:
            name = sorted(self.rounds)[number % len(self.rounds)]
            first, *rest = self.rounds[name] or [None]
            if first is not None:
                self.rounds[name] = rest
                self.room.come(*rest, about=first.about)

    @stateful.rule(number=NUMBERS)
    def round_is_found_as_at_first(self, number: int) -> None:
        """Find in a round all that was found first, as after an event that was corrected back."""
        if self.rounds:
            name = sorted(self.rounds)[number % len(self.rounds)]
            self.rounds[name] = self.found[name]
            self.room.come(*self.rounds[name])

    @stateful.rule(number=NUMBERS)
    def round_is_found_graver(self, number: int) -> None:
        """Find the first finding of a round critical after all: it is due no later than before."""
        if self.rounds:
            name = sorted(self.rounds)[number % len(self.rounds)]
            if self.rounds[name]:
                graver = replace(self.rounds[name][0], severity="critical")
                for found in (self.rounds, self.found):
                    found[name] = [graver if each.id == graver.id else each for each in found[name]]
                age = (
                    self.room.board.floor_now(self.room.now) - EVENING
                    if graver.at is None
                    else (self.room.board.floor_now(self.room.now) - graver.at)
                )
                if graver.id in self.due or age <= ROOM.act_within_minutes * MINUTE:
                    due = self.room.now + ROOM.due.critical.taken * MINUTE
                    self.due[graver.id] = min(due, self.due.get(graver.id, due))
                self.room.come(*self.rounds[name])

    @stateful.rule(silent=st.sampled_from([{}, {"C-1": EVENING}, {"S-1": EVENING}]))
    def device_falls_silent_or_comes_back(self, silent: dict[str, int]) -> None:
        """Lose the chip reader, the shoe or nothing."""
        self.room.board.set_silent_devices("BAC-1", silent)

    @stateful.rule(minutes=st.integers(1, 40))
    def time_goes_by(self, minutes: int) -> None:
        """Pass time, and look at the clock every half minute."""
        for _ in range(minutes * MINUTE // TICK):
            self.room.now += TICK
            self.look()

    def look(self) -> None:
        """Look at the clock, as the console does."""
        room = self.room
        room.board.advance(room.now)
        for name in overdue_to_ring(room.board, room.book.cases, room.now):
            self.sounded[name] = room.now

    @stateful.rule(number=NUMBERS, who=PEOPLE, whole=st.booleans())
    def take(self, number: int, who: str, *, whole: bool) -> None:
        """Acknowledge."""
        self.act(Acknowledge, number, who, whole_incident=whole)

    @stateful.rule(number=NUMBERS, who=PEOPLE)
    def take_as_another_becomes_overdue(self, number: int, who: str) -> None:
        """Acknowledge an overdue one at the moment of the next due time, before the clock is looked at."""
        room = self.room
        if coming := [due for due in self.due.values() if due > room.now]:
            while min(coming) - room.now > TICK:
                room.now += TICK
                self.look()
            overdue = sorted(each.id for each in room.board.overdue(room.book.cases, room.now))
            room.now = min(coming)
            if overdue:
                with suppress(Refused):  # who muted it may not take it
                    room.do(Acknowledge, overdue[number % len(overdue)], who)

    @stateful.rule(number=NUMBERS, who=PEOPLE)
    def give_back(self, number: int, who: str) -> None:
        """Release."""
        self.act(Release, number, who)

    @stateful.rule(number=NUMBERS, who=PEOPLE)
    def put_off(self, number: int, who: str) -> None:
        """Snooze."""
        self.act(Snooze, number, who, minutes=5, **WHY)

    @stateful.rule(number=NUMBERS, who=PEOPLE)
    def close(self, number: int, who: str) -> None:
        """Close."""
        self.act(Close, number, who, outcome="explained", **WHY)

    @stateful.rule(number=NUMBERS, who=PEOPLE)
    def open_again(self, number: int, who: str) -> None:
        """Reopen."""
        self.act(Reopen, number, who, rights=SECOND, **WHY)

    @stateful.rule(number=NUMBERS, who=PEOPLE)
    def escalate(self, number: int, who: str) -> None:
        """Escalate."""
        self.act(Escalate, number, who, to="supervisor", **WHY)

    @stateful.rule(number=NUMBERS, other=NUMBERS, who=PEOPLE)
    def merge(self, number: int, other: int, who: str) -> None:
        """Merge."""
        self.act(Merge, number, who, others=(f"alert:{self.alert(other)}",))

    @stateful.rule(number=NUMBERS, who=PEOPLE)
    def undo(self, number: int, who: str) -> None:
        """Undo."""
        self.act(Undo, number, who)

    @stateful.rule(check=st.sampled_from(["push_paid", "paid_too_much"]), who=PEOPLE)
    def mute(self, check: str, who: str) -> None:
        """Mute a check everywhere."""
        with suppress(Refused):
            self.room.do(Mute, None, who, check=check, minutes=10, **WHY)

    @stateful.invariant()
    def what_nobody_took_is_there_and_sounds(self) -> None:
        """Check each alert that came to be acted on at once and that nobody has."""
        self.look()
        room = self.room
        board, cases = room.board, room.book.cases
        items = [board.queue_item(each, cases, room.now) for each in board.alerts.values()]
        outward = {
            each.alert.id: incident
            for incident in untaken_incidents(board, cases, room.now)
            for each in incident.items
        }
        for incident in incidents_of(items):
            row = row_of(incident)
            for item in incident:
                name = item.alert.id
                if name not in self.due or item.case.state != "new" or item.put_off:
                    continue
                assert row.queue == "act_now"
                assert is_open(row)
                assert name in outward
                late = room.now - self.due[name]
                if late <= 0:
                    continue
                assert item.overdue
                assert row.overdue
                assert outward[name].due <= self.due[name]
                if late > ROOM.climbs.director * MINUTE:
                    assert row.climbed == ("supervisor", "director")
                if item.silenced is None:
                    assert not outward[name].silenced
                    assert room.now - self.sounded[name] <= SOUNDS_EVERY + TICK


TestAlarmNeverLost = AlarmNeverLost.TestCase
TestAlarmNeverLost.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_what_becomes_overdue_as_another_is_taken_sounds_at_once() -> None:
    machine = AlarmNeverLost()
    for _ in range(2):
        machine.round_comes([{"check": "paid_too_much", "net_cents": 250_000}])
        machine.time_goes_by(ROOM.due.high.taken - 1)
    machine.take_as_another_becomes_overdue(0, "ann")
    machine.what_nobody_took_is_there_and_sounds()
    assert machine.sounded["2-0"] == machine.room.now


def test_what_is_found_graver_is_due_no_later_than_before() -> None:
    machine = AlarmNeverLost()
    machine.round_comes([{"check": "paid_too_much", "net_cents": 250_000}])
    machine.time_goes_by(ROOM.due.high.taken - 1)
    machine.round_is_found_graver(0)
    machine.time_goes_by(1)
    machine.room.now += TICK
    machine.what_nobody_took_is_there_and_sounds()
    assert set(machine.sounded) == {"1-0"}


def test_what_was_found_graver_while_somebody_had_it_returns_where_it_came() -> None:
    machine = AlarmNeverLost()
    machine.round_comes([{"check": "paid_too_much", "net_cents": 250_000}])
    machine.take(0, "ann", whole=True)
    machine.time_goes_by(ROOM.act_within_minutes + 1)
    machine.round_is_found_graver(0)
    machine.give_back(0, "ann")
    machine.what_nobody_took_is_there_and_sounds()
