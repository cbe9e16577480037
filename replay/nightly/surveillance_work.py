"""Report of the surveillance room by the end of a gaming day: work on alerts, mutes and snoozes."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

import duckdb
import msgspec
from msgspec import Struct

from projections.casework.actions import MINUTE
from projections.casework.alert_watch import cases_at
from projections.casework.alerts.alert_arrival import Breach, breaches
from projections.casework.cases.case_actions import LONGEST
from projections.casework.cases.case_state import Level
from projections.catalogue import check_name
from projections.store.action_log import actions_of
from projections.store.stored_alerts import came_of, standing_alerts
from replay.nightly.gaming_days import Day
from replay.recording.recording import Recording
from schemas.codec import Frame
from schemas.house import House
from schemas.room_settings import LONGEST_DUE, Outcome
from schemas.surveillance import STREAM, OperatorActed
from schemas.values import Micros

_WHAT: Final = {"mute": "muted", "snooze": "snoozed", "unmute": "mute ended"}


class Closed(Struct, frozen=True):
    """An alert whose case was closed: its check, its disposition, and after how long."""

    alert: str
    check: str
    outcome: Outcome
    stood: Micros


class UnsettledAlert(Struct, frozen=True):
    """An alert that still stands: for how long, and with whom it is where it was escalated."""

    stood: Micros
    escalated: Level | None


class AlertWork(Struct, frozen=True, kw_only=True):
    """The work on alerts as it stood at `until`: the end of the day, or the moment of asking before that.

    `late` is what became due on the day and was not done in time, `closed` what was closed on it, and `open`
    what still stands and is not closed. `confirmed` are all alerts that are closed as confirmed by then,
    whenever that was done. Times are microseconds, moments UTC.
    """

    until: Micros
    late: Sequence[Breach]
    closed: Sequence[Closed]
    open: Sequence[UnsettledAlert]
    confirmed: frozenset[str]


def alert_work(db: duckdb.DuckDBPyConnection, house: House, day: Day, now: Micros) -> AlertWork:
    """Read from a live store what was done about alerts until a gaming day ended, or until `now` if earlier.

    What becomes due on a day is reported only for that day, whenever its alert came: so it is reported once.

    Raises:
        BadInput: an action in the store was changed, or one is missing.
    """
    until = min(day.ends, now)
    cases = cases_at(actions_of(db), until)
    alerts = {alert.id for about in standing_alerts(db, house.tables).values() for alert in about}
    shut = {
        alert: case
        for case in cases.cases.values()
        if case.state == "closed" and case.closed is not None and case.closed >= day.begins
        for alert in case.alerts
    }
    unsettled = {alert for alert in alerts if cases.case(alert).state != "closed"}
    since = day.begins - LONGEST_DUE * MINUTE - 1
    comings = [each for each in came_of(db, [*shut.keys() | unsettled], since) if each.came < until]
    came = {each.id: each for each in comings}  # the last one holds
    first = {each.id: each.came for each in reversed(comings)}
    return AlertWork(
        until=until,
        late=[each for each in breaches(came.values(), cases, alerts, until) if each.due >= day.begins],
        closed=[
            Closed(alert, came[alert].check, case.outcome, case.closed - first[alert])
            for alert, case in shut.items()
            if alert in came and case.outcome is not None and case.closed is not None
        ],
        open=[
            UnsettledAlert(until - first[alert], cases.case(alert).escalated)
            for alert in unsettled
            if alert in came
        ],
        confirmed=frozenset(
            alert
            for case in cases.cases.values()
            if case.state == "closed" and case.outcome == "confirmed"
            for alert in case.alerts
        ),
    )


class SuppressedAlerts(Struct, frozen=True, kw_only=True):
    """Change of a mute or snooze: something was silenced for a while, or no longer.

    `what` is `muted`, `snoozed` or `mute ended`; the times are microseconds UTC, and `until` is None if a
    mute ended. `of` is the check and table, the alert, or the mute.
    """

    at: int
    who: str
    role: str
    what: str
    of: str
    until: int | None
    reason: str | None


class _ActionDetails(Struct):
    """Details of an action that a report states; `mute` is the one that was ended."""

    check: str | None = None
    table: str | None = None
    minutes: int | None = None
    mute: str | None = None
    reason: str | None = None


class _Details(Struct):
    asked: _ActionDetails


def suppressed_alerts(recording: Recording, day: Day) -> list[SuppressedAlerts]:
    """Read what was muted and snoozed on a gaming day, in the order in which it was done.

    First comes what was muted or snoozed before the day, and still was when it began. No more days of an
    archive are read than that needs, and only what is returned is held.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    found: dict[str, SuppressedAlerts] = {}
    for event in _acted(recording, day):
        quiet = _quieted(event)
        if day.holds(event.at) or (quiet.until is not None and event.at < day.begins < quiet.until):
            found.setdefault(event.id, quiet)
        elif event.action == "unmute" and event.at < day.begins:
            found.pop(_action_details(event).mute or "", None)
    return sorted(found.values(), key=lambda each: each.at)


def _acted(recording: Recording, day: Day) -> Iterator[OperatorActed]:
    """Read the mutes and snoozes of a day, and those before it that may last until then."""
    first = recording.house.gaming_date(day.begins - LONGEST * MINUTE)
    days = [first + timedelta(days=ahead) for ahead in range((day.date - first).days + 1)]
    for frame in recording.frames(STREAM, days):
        for event in frame.events if isinstance(frame, Frame) else ():
            if isinstance(event, OperatorActed) and event.action in _WHAT:
                yield event


def _action_details(event: OperatorActed) -> _ActionDetails:
    return msgspec.json.decode(event.details, type=_Details).asked


def _quieted(event: OperatorActed) -> SuppressedAlerts:
    details = _action_details(event)
    check = check_name(details.check) if details.check is not None else None
    of = " at ".join(each for each in (check, details.table) if each is not None)
    return SuppressedAlerts(
        at=event.at,
        who=event.who,
        role=event.role,
        what=_WHAT[event.action],
        of=of or event.subject or f"mute {details.mute}",
        until=event.at + details.minutes * MINUTE if details.minutes is not None else None,
        reason=details.reason,
    )
