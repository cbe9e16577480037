"""When an alert came to the room, or became more urgent, whether it rang, and until when it was due."""

from datetime import date

from msgspec import Struct

from projections.casework.alerts.queues import QUEUES, due_times, gravity
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_state import MINUTE
from projections.engine.findings import Severity
from schemas.room_settings import Room
from schemas.values import Micros


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
    alert: Alert, queue: QueueName, now: Micros, room: Room, before: Came | None = None, *, rang: bool
) -> Came:
    """Note how an alert came, at a moment and into a queue; `before` is how it came the last time.

    What became more urgent is due as what it is now, from this moment, but never later than it was before.
    """
    due = due_times(alert, queue, room)
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
