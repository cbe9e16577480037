"""What a page is told of an alert that is to be heard, as it rings and for as long as nobody has it."""

from msgspec import Struct

from projections.casework.alerts.alert_status import Shown
from projections.casework.alerts.notifications import is_third
from projections.casework.command_handler import Desk
from projections.engine.findings import Severity
from schemas.values import Micros


class Heard(Struct, frozen=True):
    """An alert that rang: where nobody has it `due` is until when somebody must have it.

    `why` says what made it ring though it repeats another: its dealer's third mistake.
    """

    id: str
    table: str
    check: str
    severity: Severity
    due: Micros | None
    why: str = ""


def heard(shown: Shown, desk: Desk, now: Micros, hidden: frozenset[str]) -> Heard:
    """Tell of an alert that rang, as somebody may know of it."""
    alert, due = shown.alert, shown.due if shown.case.state == "new" else None
    mistakes = desk.mistakes(shown, now, hidden)
    minutes = desk.board.room.repeats_minutes
    why = f"mistake {mistakes} of this dealer in {minutes} minutes" if is_third(mistakes) else ""
    return Heard(alert.id, alert.table, alert.check, alert.severity, due, why)
