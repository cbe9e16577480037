"""An alert as a queue shows it, and the rows of a queue: one for all that is looked at together."""

from collections import defaultdict
from collections.abc import Hashable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.queues import QUEUES, Order, Sum, order_of, sums_of
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_state import Case
from schemas.values import Micros

# ── An alert as a queue shows it at a moment ──────────────────────────────────────────────────────────


class QueueItem(Struct, frozen=True, kw_only=True, gc=False):
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


# ── The rows of a queue: one for all that is looked at together, a case or repeats that nobody has ────


def rows_of(items: Iterable[QueueItem], *, every: bool = False) -> list[QueueItem]:
    """Return a row for each case, and for each group of repeats that nobody has; with `every` for each alert.

    A row is its gravest and newest alert; it stands in the most urgent of their queues. The rows have no
    order.
    """
    together: defaultdict[Hashable, list[QueueItem]] = defaultdict(list)
    for each in items:
        together[each.alert.id if every else _together(each)].append(each)
    return [_row(part) if len(part) > 1 else part[0] for part in together.values()]


def open_rows(items: Iterable[QueueItem], *, every: bool = False) -> list[QueueItem]:
    """Return the rows of what is open, neither closed nor put off: those that the queues have and count."""
    return rows_of((each for each in items if not (each.put_off or each.case.state == "closed")), every=every)


def is_repeat(case: Case) -> bool:
    """Return True if a case may share a row with others of its group: one alert, with which nobody is."""
    return case.state == "new" and len(case.alerts) == 1 and case.escalated is None


def _together(item: QueueItem) -> Hashable:
    case = item.case
    return (item.queue, item.put_off, item.alert.group) if is_repeat(case) else case.key


def _row(part: list[QueueItem]) -> QueueItem:
    first = min(part, key=lambda each: (QUEUES.index(each.queue), each.order))
    sums = sums_of(each.alert for each in part if not each.withdrawn)
    round_, seat = first.round, first.seat
    if any(each.alert.about != first.alert.about for each in part):
        round_ = seat = None
    elif any(each.seat != seat for each in part):
        seat = None
    return replace(first, repeats=len(part) - 1, sums=sums, round=round_, seat=seat)
