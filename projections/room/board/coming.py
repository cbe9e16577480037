"""When an alert came to the room, whether it rang, and until when somebody was to look."""

from datetime import date

from msgspec import Struct

from projections.hand.findings import Severity
from projections.room.board.queues import due_times
from projections.room.work.actions import QueueName
from projections.room.work.alert import Alert
from projections.room.work.work import MINUTE
from schemas.room import Room
from schemas.values import Micros


class Came(Struct, frozen=True, kw_only=True, gc=False):
    """How an alert came: the moment, its due times as the room had them set then, and whether it rang.

    It stays as it was, whatever is found of the round later: a breach is one of what was due then.
    """

    id: str
    about: str
    gaming_date: date
    table: str
    check: str
    severity: Severity
    came: Micros
    taken_due: Micros
    closed_due: Micros
    rang: bool


def came(alert: Alert, queue: QueueName, now: Micros, room: Room, *, rang: bool) -> Came:
    """Note how an alert came, at a moment and into a queue."""
    due = due_times(alert, queue, room)
    return Came(
        id=alert.id,
        about=alert.about,
        gaming_date=alert.gaming_date,
        table=alert.table,
        check=alert.check,
        severity=alert.severity,
        came=now,
        taken_due=now + due.taken * MINUTE,
        closed_due=now + due.closed * MINUTE,
        rang=rang,
    )
