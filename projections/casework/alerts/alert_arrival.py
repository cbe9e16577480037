"""Arrivals of alerts: the time, whether it rang, the recent rings, silent devices, and what is overdue."""

from collections.abc import Container, Iterable
from datetime import date
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from projections.casework.actions import MINUTE
from projections.casework.alerts.queues import QUEUES, due_times
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_state import Cases
from projections.engine.findings import Severity, severity_rank
from schemas.events import Source
from schemas.room_settings import RoomSettings
from schemas.values import Micros

# ── When an alert came to the room, or became more urgent, whether it rang, and until when it was due ────


class Arrival(Struct, frozen=True, kw_only=True, gc=False):
    """Arrival of an alert: the moment, the queue, its due times by the room's settings, whether it rang.

    It arrives again (`coming` 2, 3, ...) if it is found more urgent later, and if it rings after its silence
    has ended. Each arrival stays as it was noted.
    """

    id: str
    coming: int = 1
    about: str
    gaming_date: date
    table: str
    check: str
    severity: Severity
    queue: QueueName
    came: Micros
    taken_due: Micros
    closed_due: Micros
    rang: bool


def new_arrival(
    alert: Alert,
    queue: QueueName,
    now: Micros,
    room_settings: RoomSettings,
    before: Arrival | None = None,
    *,
    rang: bool,
) -> Arrival:
    """Note how an alert came, at a moment and into a queue; `before` is how it came the last time.

    What became more urgent is due as what it is now, from this moment, but never later than it was before;
    and though it is too old by now for the queue that it came into, if it is given back it returns there.
    """
    if before is not None:
        queue = min(queue, before.queue, key=QUEUES.index)
    due = due_times(alert, queue, room_settings)
    taken, closed = now + due.taken * MINUTE, now + due.closed * MINUTE
    return Arrival(
        id=alert.id,
        coming=before.coming + 1 if before is not None else 1,
        about=alert.about,
        gaming_date=alert.gaming_date,
        table=alert.table,
        check=alert.check,
        severity=alert.severity,
        queue=queue,
        came=now,
        taken_due=min(taken, before.taken_due) if before is not None else taken,
        closed_due=min(closed, before.closed_due) if before is not None else closed,
        rang=rang,
    )


def is_more_urgent(alert: Alert, queue: QueueName, before: Arrival) -> bool:
    """Return True if an alert is more urgent in a queue than when it came: the queue is, or what is wrong.

    What waits for the night is no more urgent however severe it would be.
    """
    now, then = QUEUES.index(queue), QUEUES.index(before.queue)
    is_severer = severity_rank(alert.severity) < severity_rank(before.severity)
    return now < then or (queue != "nightly" and is_severer)


# ── What rang lately: it suppresses repeats, and gives the rate of ringing ──────────────────────────────

HOUR: Final = 60 * MINUTE


class RecentRings(Struct):
    """Recent ringing: what rang or came with what rang, and the moments of all that rang lately."""

    recent: list[Arrival] = field(default_factory=list)
    moments: list[Micros] = field(default_factory=list)

    def note_ring(self, noted: Arrival) -> None:
        """Note that an alert rang when it came; what rang an hour before it is forgotten."""
        self.moments = [at for at in self.moments if noted.came - at < HOUR]
        self.moments.append(noted.came)
        self.note_covered(noted)

    def note_covered(self, noted: Arrival) -> None:
        """Note that the room has heard of an alert: it rang, or was covered by one that did."""
        self.recent.append(noted)

    def repeated_by(self, alert: Alert, since: Micros) -> list[Arrival]:
        """Return what an alert repeats: what rang after a moment for its check at its table, or its round.

        What rang before that moment is forgotten.
        """
        self.recent = [each for each in self.recent if each.came > since]
        shared = alert.table, alert.check
        return [
            each for each in self.recent if each.about == alert.about or (each.table, each.check) == shared
        ]

    def count_last_hour(self, now: Micros) -> int:
        """Count what rang within an hour."""
        return sum(now - at < HOUR for at in self.moments)


# ── Silent devices: what rests on them does not ring ────────────────────────────────────────────────────


class SilentDevice(Struct, frozen=True):
    """A silent device, what it reads if the house file has it, and since when."""

    table: str
    device: str
    reads: Source | None
    since: Micros

    def describe(self) -> str:
        """Return it as a sentence, with what the device reads where that is known.

        >>> SilentDevice("T-1", "C-1", "chips", 0).describe(), SilentDevice("T-1", "X", None, 0).describe()
        ('C-1, which reads the chips, is silent', 'X is silent')
        """
        return (
            f"{self.device}, which reads the {self.reads}, is silent"
            if self.reads
            else f"{self.device} is silent"
        )


# ── What was taken or closed later than it was due, or is due and is not yet ──────────────────────────

Step: TypeAlias = Literal["taken", "closed"]


class Breach(Struct, frozen=True, kw_only=True):
    """An alert that was not taken, or not closed, when it was due.

    `done` is when it was after all, None if it still is not. `who` is who took it late, or had it when it was
    due to be closed, else who had it next; None if nobody has.
    """

    alert: str
    about: str
    table: str
    check: str
    severity: Severity
    step: Step
    due: Micros
    done: Micros | None
    who: str | None

    def late(self, now: Micros) -> int:
        """Return by how many whole minutes it was, or is, over its time."""
        return ((self.done if self.done is not None else now) - self.due) // 60_000_000


def breaches(came: Iterable[Arrival], cases: Cases, alerts: Container[str], now: Micros) -> list[Breach]:
    """Find what was overdue among alerts, by the work on them, in the order of their due times.

    `came` is how each came the last time. A case that was opened again is as open as before. A withdrawn
    alert that was never touched had no due time any more.
    """
    found: list[Breach] = []
    for each in came:
        case = cases.case(each.id)
        if each.id not in alerts and case.changed is None:
            continue
        taken, who = _taken(cases, each.id)
        if _is_over(each.taken_due, taken, now):
            found.append(_breach(each, "taken", each.taken_due, taken, who))
        closed = case.closed if case.state == "closed" else None
        if _is_over(each.closed_due, closed, now):
            had = cases.holder_at(each.id, each.closed_due)
            who = had.who if had is not None else None
            found.append(_breach(each, "closed", each.closed_due, closed, who))
    return sorted(found, key=lambda breach: (breach.due, breach.alert, breach.step))


def _taken(cases: Cases, alert: str) -> tuple[Micros | None, str | None]:
    """Return when an alert was taken in hand, and by whom.

    An assignment counts for who made it, not for the new owner. An alert that was put into somebody's case
    was taken when that was done.
    """
    acknowledged = cases.case(alert).acknowledged
    had = cases.holder_at(alert, acknowledged) if acknowledged is not None else None
    if acknowledged is None or had is None:
        return None, None
    return max(acknowledged, had.since), had.by


def _is_over(due: Micros, done: Micros | None, now: Micros) -> bool:
    return (done if done is not None else now) > due


def _breach(each: Arrival, step: Step, due: Micros, done: Micros | None, who: str | None) -> Breach:
    return Breach(
        alert=each.id,
        about=each.about,
        table=each.table,
        check=each.check,
        severity=each.severity,
        step=step,
        due=due,
        done=done,
        who=who,
    )
