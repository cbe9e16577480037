"""The incidents that nobody has taken: what climbs, and since when."""

from collections import defaultdict

from msgspec import Struct

from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.queues import QueueItem, row_of
from projections.casework.cases.case_state import Cases
from schemas.values import Micros


class UntakenIncident(Struct, frozen=True):
    """An unassigned incident: its row, its alerts, and the round, shoe or account that it is `about`.

    `since` is when anything of it last changed hands, 0 if nothing did: what was given back climbs again.
    `due` is when the first of it was to be taken. It is `silenced` while it would not ring either: all of it
    is snoozed, muted, or rests on a silent device.
    """

    about: str
    since: Micros
    due: Micros
    row: QueueItem
    items: tuple[QueueItem, ...]
    silenced: bool

    @property
    def key(self) -> tuple[str, Micros]:
        """Return its key, which stays the same as long as nobody takes any of it."""
        return self.about, self.since

    def overdue_since(self) -> Micros:
        """Return from when it is overdue: when the first of it was to be taken, or it was given back."""
        return max(self.due, self.since)

    def untaken_since(self) -> Micros:
        """Return since when it is unassigned: when the first of it came, or it was given back."""
        return max(min(each.came for each in self.items), self.since)


def untaken_incidents(alert_queue: AlertQueue, cases: Cases, now: Micros) -> list[UntakenIncident]:
    """Return the incidents that are to be acted on at once, and that nobody has taken.

    Alerts that were merged before anybody took them are one, about the subject of the first of them.
    """
    groups: defaultdict[str, list[QueueItem]] = defaultdict(list)
    for alert in alert_queue.alerts.values():
        if alert_queue.arrivals[alert.id].queue != "act_now" or not cases.is_new(alert.id):
            continue
        item = alert_queue.queue_item(alert, cases, now)
        if item.queue == "act_now":
            first = alert_queue.find(item.case.alerts[0])
            groups[first.about if first is not None else alert.about].append(item)
    handed_over = _last_handed_over(alert_queue, cases, groups)
    return [
        UntakenIncident(
            about,
            max(handed_over.get(each, 0) for each in (about, *(item.alert.about for item in items))),
            min(alert_queue.arrivals[item.alert.id].taken_due for item in items),
            row_of(items),
            tuple(items),
            all(item.put_off or item.silenced is not None for item in items),
        )
        for about, items in groups.items()
    ]


def _last_handed_over(
    alert_queue: AlertQueue, cases: Cases, groups: defaultdict[str, list[QueueItem]]
) -> dict[str, Micros]:
    """Return when something found in a round, a shoe or an account last went from one person to another."""
    wanted = {*groups, *(item.alert.about for items in groups.values() for item in items)}
    moments: dict[str, Micros] = {}
    for alert in (*alert_queue.alerts.values(), *alert_queue.withdrawn.values()):
        if alert.about in wanted and (in_hand := cases.in_hand.get(alert.id)):
            moments[alert.about] = max(moments.get(alert.about, 0), in_hand[-1].since)
    return moments
