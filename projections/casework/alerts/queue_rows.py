"""The rows of a queue: one for all that is looked at together, a case or repeats that nobody has."""

from collections import defaultdict
from collections.abc import Hashable, Iterable

from msgspec.structs import replace

from projections.casework.alerts.alert_status import Shown
from projections.casework.alerts.case_sums import sums_of
from projections.casework.alerts.queues import QUEUES
from projections.casework.cases.case_state import Case


def rows_of(shown: Iterable[Shown], *, every: bool = False) -> list[Shown]:
    """Return a row for each case, and for each group of repeats that nobody has; with `every` for each alert.

    A row is its gravest and newest alert; it stands in the most urgent of their queues. The rows have no
    order.
    """
    together: defaultdict[Hashable, list[Shown]] = defaultdict(list)
    for each in shown:
        together[each.alert.id if every else _together(each)].append(each)
    return [_row(part) if len(part) > 1 else part[0] for part in together.values()]


def open_rows(shown: Iterable[Shown], *, every: bool = False) -> list[Shown]:
    """Return the rows of what is open, neither closed nor put off: those that the queues have and count."""
    return rows_of((each for each in shown if not (each.put_off or each.case.state == "closed")), every=every)


def is_repeat(case: Case) -> bool:
    """Return True if a case may share a row with others of its group: one alert, with which nobody is."""
    return case.state == "new" and len(case.alerts) == 1 and case.escalated is None


def _together(shown: Shown) -> Hashable:
    case = shown.case
    return (shown.queue, shown.put_off, shown.alert.group) if is_repeat(case) else case.key


def _row(part: list[Shown]) -> Shown:
    first = min(part, key=lambda each: (QUEUES.index(each.queue), each.order))
    sums = sums_of(each.alert for each in part if not each.withdrawn)
    round_, seat = first.round, first.seat
    if any(each.alert.about != first.alert.about for each in part):
        round_ = seat = None
    elif any(each.seat != seat for each in part):
        seat = None
    return replace(first, repeats=len(part) - 1, sums=sums, round=round_, seat=seat)
