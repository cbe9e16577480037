"""What the surveillance room did about its alerts by the end of a gaming day, as the live store has it."""

from collections.abc import Sequence

import duckdb
from msgspec import Struct

from projections.casework.alerts.overdue import Breach, breaches
from projections.casework.cases.case_actions import Level, Outcome
from projections.casework.cases.case_state import MINUTE
from projections.casework.past_work import work_at
from projections.store.action_log import actions_of
from projections.store.stored_alerts import came_of, standing_alerts
from replay.nightly.gaming_days import Day
from schemas.house import House
from schemas.room_settings import LONGEST_DUE
from schemas.values import Micros


class Closed(Struct, frozen=True):
    """An alert whose case was closed: by which check it came, as what it was closed, and after how long."""

    alert: str
    check: str
    outcome: Outcome
    stood: Micros


class Waiting(Struct, frozen=True):
    """An alert that still stands: for how long, and with whom it is where it was escalated."""

    stood: Micros
    escalated: Level | None


class Worked(Struct, frozen=True, kw_only=True):
    """The work on alerts as it stood at `until`: the end of the day, or the moment of asking before that.

    `late` is what became due on the day and was not done in time, `closed` what was closed on it, and `open`
    what still stands and is not closed. `confirmed` are all alerts that are closed as confirmed by then,
    whenever that was done. Times are microseconds, moments UTC.
    """

    until: Micros
    late: Sequence[Breach]
    closed: Sequence[Closed]
    open: Sequence[Waiting]
    confirmed: frozenset[str]


def worked(db: duckdb.DuckDBPyConnection, house: House, day: Day, now: Micros) -> Worked:
    """Read from a live store what was done about alerts until a gaming day ended, or until `now` if earlier.

    What becomes due on a day is told of that day alone, whenever its alert came: so it is told once.

    Raises:
        BadInput: an action in the store was changed, or one is missing.
    """
    until = min(day.ends, now)
    work = work_at(actions_of(db), until)
    standing = {alert.id for about in standing_alerts(db, house.tables).values() for alert in about}
    shut = {
        alert: case
        for case in work.cases.values()
        if case.state == "closed" and case.closed is not None and case.closed >= day.begins
        for alert in case.alerts
    }
    waiting = {alert for alert in standing if work.case(alert).state != "closed"}
    since = day.begins - LONGEST_DUE * MINUTE - 1
    comings = [each for each in came_of(db, [*shut.keys() | waiting], since) if each.came < until]
    came = {each.id: each for each in comings}  # the last one holds
    first = {each.id: each.came for each in reversed(comings)}
    return Worked(
        until=until,
        late=[each for each in breaches(came.values(), work, standing, until) if each.due >= day.begins],
        closed=[
            Closed(alert, came[alert].check, case.outcome, case.closed - first[alert])
            for alert, case in shut.items()
            if alert in came and case.outcome is not None and case.closed is not None
        ],
        open=[
            Waiting(until - first[alert], work.case(alert).escalated) for alert in waiting if alert in came
        ],
        confirmed=frozenset(
            alert
            for case in work.cases.values()
            if case.state == "closed" and case.outcome == "confirmed"
            for alert in case.alerts
        ),
    )
