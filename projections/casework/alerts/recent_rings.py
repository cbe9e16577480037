"""What rang lately: by it a repeat is not heard, and how often it rings is counted."""

from typing import Final

from msgspec import Struct, field

from projections.casework.alerts.alert_arrival import Came
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_state import MINUTE
from schemas.values import Micros

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
