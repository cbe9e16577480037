"""What rang lately: by it a repeat is not heard, and how often it rings is counted."""

from typing import Final, TypeAlias

from msgspec import Struct, field

from projections.room.board.coming import Came
from projections.room.work.alert import Alert
from projections.room.work.work import MINUTE
from schemas.values import Micros

HOUR: Final = 60 * MINUTE
# What repeats share: the table and the check, or the round.
_Shared: TypeAlias = tuple[str, ...]


class Rung(Struct):
    """What rang last for a check at a table and for a round, and the moments of all that rang lately."""

    last: dict[_Shared, Came] = field(default_factory=dict)
    moments: list[Micros] = field(default_factory=list)

    def heard(self, noted: Came) -> None:
        """Note that an alert rang when it came."""
        self.moments.append(noted.came)
        self.known(noted)

    def known(self, noted: Came) -> None:
        """Note that the room has heard of an alert: it rang, or was heard with one that did."""
        for shared in _shared(noted):
            known = self.last.get(shared)
            if known is None or known.came <= noted.came:
                self.last[shared] = noted

    def before(self, alert: Alert, since: Micros) -> list[Came]:
        """Give what an alert repeats: what rang after a moment for its check at its table, or its round."""
        known = (self.last.get(shared) for shared in _shared(alert))
        return [each for each in known if each is not None and each.came > since]

    def in_the_last_hour(self, now: Micros) -> int:
        """Count what rang within an hour."""
        self.moments = [at for at in self.moments if now - at < HOUR]
        return len(self.moments)


def _shared(alert: Alert | Came) -> tuple[_Shared, _Shared]:
    return (alert.table, alert.check), (alert.about,)
