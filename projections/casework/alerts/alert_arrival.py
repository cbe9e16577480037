"""When an alert came to the room and whether it rang; what rang lately, and what does not ring."""

from datetime import date
from typing import Final

from msgspec import Struct, field

from projections.casework.actions import MINUTE
from projections.casework.alerts.queues import QUEUES, due_times, gravity
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import QueueName
from projections.engine.findings import Severity
from schemas.events import Source
from schemas.room_settings import RoomSettings
from schemas.values import Micros

# ── When an alert came to the room, or became more urgent, whether it rang, and until when it was due ────


class Came(Struct, frozen=True, kw_only=True, gc=False):
    """How an alert came: the moment, the queue, its due times as the room had them set, whether it rang.

    It comes again (`coming` 2, 3, ...) where it is found more urgent later, and where it is heard after what
    silenced it has ended. Each coming stays as it was noted.
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


def came(
    alert: Alert,
    queue: QueueName,
    now: Micros,
    room_settings: RoomSettings,
    before: Came | None = None,
    *,
    rang: bool,
) -> Came:
    """Note how an alert came, at a moment and into a queue; `before` is how it came the last time.

    What became more urgent is due as what it is now, from this moment, but never later than it was before.
    """
    due = due_times(alert, queue, room_settings)
    taken, closed = now + due.taken * MINUTE, now + due.closed * MINUTE
    return Came(
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


def is_more_urgent(alert: Alert, queue: QueueName, before: Came) -> bool:
    """Return True if an alert is more urgent in a queue than when it came: the queue is, or what is wrong.

    What waits for the night is no more urgent however grave it would be.
    """
    now, then = QUEUES.index(queue), QUEUES.index(before.queue)
    return now < then or (queue != "nightly" and gravity(alert.severity) < gravity(before.severity))


# ── What rang lately: by it a repeat is not heard, and how often it rings is counted ──────────────────

HOUR: Final = 60 * MINUTE


class Rung(Struct):
    """What rang lately, or was heard with what did, and the moments of all that rang within an hour."""

    lately: list[Came] = field(default_factory=list)
    moments: list[Micros] = field(default_factory=list)

    def heard(self, noted: Came) -> None:
        """Note that an alert rang when it came."""
        self.moments.append(noted.came)
        self.known(noted)

    def known(self, noted: Came) -> None:
        """Note that the room has heard of an alert: it rang, or was heard with one that did."""
        self.lately.append(noted)

    def before(self, alert: Alert, since: Micros) -> list[Came]:
        """Return what an alert repeats: what rang after a moment for its check at its table, or its round.

        What rang before that moment is forgotten.
        """
        self.lately = [each for each in self.lately if each.came > since]
        shared = alert.table, alert.check
        return [
            each for each in self.lately if each.about == alert.about or (each.table, each.check) == shared
        ]

    def in_the_last_hour(self, now: Micros) -> int:
        """Count what rang within an hour."""
        self.moments = [at for at in self.moments if now - at < HOUR]
        return len(self.moments)


# ── Devices that say nothing: what rests on them does not ring ────────────────────────────────────────


class Silent(Struct, frozen=True):
    """A device that says nothing, what it reads where the house file tells, and since when."""

    table: str
    device: str
    reads: Source | None
    since: Micros

    def says(self) -> str:
        """Say it.

        >>> Silent("T-1", "C-1", "chips", 0).says(), Silent("T-1", "X", None, 0).says()
        ('C-1, which reads the chips, is silent', 'X is silent')
        """
        return (
            f"{self.device}, which reads the {self.reads}, is silent"
            if self.reads
            else f"{self.device} is silent"
        )
