"""An alert as a queue shows it at a moment."""

from msgspec import Struct

from projections.casework.alerts.case_sums import Sum
from projections.casework.alerts.queues import Order, order_of
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_state import Case
from schemas.values import Micros


class Shown(Struct, frozen=True, kw_only=True, gc=False):
    """An alert as a queue shows it at a moment, with the case it is in.

    `repeats` counts the others that its row stands for, and `sums` are what it comes to with these.
    It is `overdue` where nobody has it though it was to be taken by now, and it does not wait for the night.
    `silenced` says why it does not ring though it would; `put_off` is
    it where someone does not want to see it for a while. `due` is until when someone must have taken it, or
    where that is done, closed it, with a second person where it takes one. What was `withdrawn` is found no
    more; what is `altered` was closed as something else than it is now. `round` and `seat` are those of all
    that its row stands for, None where these are several or there is none.
    """

    alert: Alert
    case: Case
    queue: QueueName
    came: Micros
    due: Micros
    repeats: int = 0
    sums: tuple[Sum, ...] = ()
    round: str | None = None
    seat: int | None = None
    silenced: str | None = None
    overdue: bool = False
    put_off: bool = False
    withdrawn: bool = False
    altered: bool = False

    @property
    def look_again(self) -> bool:
        """Return True if somebody is to look at it again: drawn for it, or not what it was closed as."""
        return self.altered or self.case.review == "due"

    @property
    def order(self) -> Order:
        """Sort what is overdue first, then the gravest, among these the newest."""
        return order_of(self.alert, self.due if self.overdue else None)
