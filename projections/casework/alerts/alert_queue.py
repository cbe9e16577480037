"""The alert queue: the standing alerts, and what is derived from them and from the work on them."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from projections.casework.actions import MINUTE
from projections.casework.alerts.alert_arrival import Arrival, RecentRings, SilentDevice
from projections.casework.alerts.queues import (
    QUEUES,
    CheckCount,
    Order,
    QueueItem,
    is_untouched,
    order_of,
    queue_of,
    rests_on,
    sums_of,
)
from projections.casework.cases.alert import Alert, weights
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_state import Case, Cases, Level
from schemas.house import TableSetup
from schemas.room_settings import RoomSettings
from schemas.values import Micros

_FOREVER: Final[Micros] = 1 << 62
# Times are microseconds UTC. `now` is the wall clock, given by the caller; the floor's own clock goes on from
# the latest round that was concluded, so that a recorded floor played again ages as it did.


class _UntakenItem(Struct, frozen=True, gc=False):
    """An untouched alert as the queue shows it, and between which moments of both clocks it stays so."""

    item: QueueItem
    noted: Arrival
    today: date
    since: Micros
    until: Micros
    floor_since: Micros
    floor_until: Micros


def _sets() -> defaultdict[Any, set[str]]:
    return defaultdict(set)


class AlertQueue(Struct):
    """The present alerts, by their ids; how each arrived, what rang, which devices are silent.

    `tables` are those of the house file, `reporting_tables` those with anything stored or received.
    `silent_devices` are by table. `withdrawn` are alerts that are no longer found and that somebody worked
    on. `embargoed_subjects` returns what is withheld, a set for each person from whom anything is.
    `suppressed` alerts should have rung and were silenced. `first_found` is when each alert of a shoe or an
    account was found first, by the table's clock. `restored_span` are the first and the last moment of the
    actions that this store had lost: people were at work between them. `past_due` alerts are present and were
    to be taken by now, whether somebody took them or not; `overdue_rung` are those that rang again last, at
    `overdue_rung_at`, because nobody had. `queue_moves` and `due_moments` are heaps of moments and alerts:
    when each leaves its queue by time alone, and when each is to be taken, or climbs because nobody took it.
    `untaken_items` are what the queue showed last of untouched alerts: most are as they were.
    """

    settings: RoomSettings
    tables: Mapping[str, TableSetup] = field(default_factory=dict)
    reporting_tables: set[str] = field(default_factory=set)
    alerts: dict[str, Alert] = field(default_factory=dict)
    withdrawn: dict[str, Alert] = field(default_factory=dict)
    arrivals: dict[str, Arrival] = field(default_factory=dict)
    alerts_about: defaultdict[str, set[str]] = field(default_factory=_sets)
    alerts_by_dealer: defaultdict[str | None, set[str]] = field(default_factory=_sets)
    recent_rings: RecentRings = field(default_factory=RecentRings)
    embargoed_subjects: Callable[[], Iterable[frozenset[str]]] = tuple
    silent_devices: dict[str, tuple[SilentDevice, ...]] = field(default_factory=dict)
    queue_moves: list[tuple[Micros, str]] = field(default_factory=list)
    changed_alerts: set[str] = field(default_factory=set)
    due_moments: list[tuple[Micros, str]] = field(default_factory=list)
    past_due: set[str] = field(default_factory=set)
    overdue_rung: set[str] = field(default_factory=set)
    overdue_rung_at: Micros = 0
    suppressed: set[str] = field(default_factory=set)
    untaken_items: dict[str, _UntakenItem] = field(default_factory=dict)
    first_found: dict[str, Micros] = field(default_factory=dict)
    restored_span: tuple[Micros, Micros] | None = None
    floor_time: Micros = 0
    floor_time_received: Micros = 0
    today: date = date.min

    def snapshot(self) -> "AlertQueue":
        """Copy what a page shows, for readers while the floor continues."""
        return AlertQueue(
            self.settings,
            self.tables,
            alerts=self.alerts.copy(),
            withdrawn=self.withdrawn.copy(),
            arrivals=self.arrivals.copy(),
            silent_devices=self.silent_devices.copy(),
            past_due=self.past_due.copy(),
            untaken_items=self.untaken_items,  # the same one: a reader may add what it has worked out
            floor_time=self.floor_time,
            floor_time_received=self.floor_time_received,
            today=self.today,
        )

    def find(self, name: str) -> Alert | None:
        """Return an alert by its id, whether it stands or is withdrawn; None if it is not here."""
        return self.alerts.get(name) or self.withdrawn.get(name)

    def found_with(
        self, alerts: Iterable[str], abouts: Iterable[str], days: Iterable[str]
    ) -> set[tuple[str, str]]:
        """Return all that is here about what these alerts, and these keys and tables' days, are of.

        Of each its id and the key of the round, the shoe or the account that it is about.
        """
        name = [each for each in map(self.find, alerts) if each is not None]
        within = tuple(f"{day}|" for day in days)
        keys = {*abouts, *(each.about for each in name)}
        keys.update(key for key in self.alerts_about if key.startswith(within))
        found = {(name, key) for key in keys for name in self.alerts_about.get(key, ())}
        return found.union((each.id, each.about) for each in name)

    def floor_now(self, now: Micros) -> Micros:
        """Return what the floor's clocks show: the latest round's, and the time since it came by ours."""
        return self.floor_time + max(0, now - self.floor_time_received) if self.floor_time else now

    def advance_floor(self, day: date, at: Micros | None, received: Micros) -> None:
        """Note the gaming day and the time of a conclusion, and when it was received.

        If it is read late, the gateway received it then: the floor's clocks have advanced since.
        """
        if day > self.today:
            self.changed_alerts |= {alert.id for alert in self.alerts.values() if alert.at is None}
            self.today = day
        if at is not None and (not self.floor_time or at > self.floor_now(received)):
            self.floor_time, self.floor_time_received = at, received

    def note_restored(self, at: Micros) -> None:
        """Note that something was done here at a moment that this store did not know of."""
        first, last = self.restored_span or (at, at)
        self.restored_span = min(first, at), max(last, at)

    def arrival_time(self, judged: Micros, now: Micros) -> Micros:
        """Return when the room knew of a conclusion that is not in the store: now, or earlier.

        In a lost store, a conclusion made while people were at work had arrived by then, or by their first
        action. After the last one nothing shows that anybody could look.
        """
        if self.restored_span is None or judged > self.restored_span[1]:
            return now
        return min(max(judged, self.restored_span[0]), now)

    def replace_alerts(
        self, about: str, alerts: Iterable[Alert], cases: Cases
    ) -> tuple[list[Alert], list[str]]:
        """Replace the alerts of a round, a shoe or an account; return the new and the withdrawn ones.

        Withdrawn ones that somebody worked on are stored.
        """
        found = {alert.id: self._dated(alert) for alert in alerts}
        gone = [name for name in self.alerts_about[about] if name not in found]
        for name in gone:
            alert = self.alerts.pop(name)
            self.untaken_items.pop(name, None)
            self.alerts_about[about].discard(name)
            self.alerts_by_dealer[alert.dealer].discard(name)
            self.past_due.discard(name)
            if name in cases.case_of:
                self.withdrawn[name] = alert
        new = [alert for alert in found.values() if alert.id not in self.alerts]
        for alert in new:
            if (noted := self.arrivals.get(alert.id)) is not None:
                # It is found again, and due when it was: while it was gone, that may have passed unnoticed.
                self._schedule_due(noted)
        for alert in found.values():
            self.alerts[alert.id] = alert
            self.withdrawn.pop(alert.id, None)
            self.alerts_about[about].add(alert.id)
            self.alerts_by_dealer[alert.dealer].add(alert.id)
        if not self.alerts_about[about]:
            del self.alerts_about[about]
        return new, gone

    def _dated(self, alert: Alert) -> Alert:
        """Return an alert with its time.

        A shoe's or an account's is that of the first revision that had it.
        """
        if alert.round is not None or alert.at is None:
            return alert
        return replace(alert, at=self.first_found.setdefault(alert.id, alert.at))

    def schedule_moves(self, alert: Alert, queue: QueueName) -> None:
        """Schedule when an alert leaves the queues that it leaves by time alone."""
        if alert.at is not None and queue != "nightly":
            for minutes in (self.settings.act_within_minutes, self.settings.shift_minutes):
                heapq.heappush(self.queue_moves, (alert.at + minutes * MINUTE, alert.id))

    def record_arrival(self, noted: Arrival) -> None:
        """Add an alert's noted arrival."""
        self.arrivals[noted.id] = noted
        self._schedule_due(noted)
        if noted.rang:
            self.recent_rings.note_ring(noted)

    def _schedule_due(self, noted: Arrival) -> None:
        if noted.queue != "nightly":
            climbs = self.settings.climbs
            for minutes in (0, climbs.supervisor, climbs.director):
                heapq.heappush(self.due_moments, (noted.taken_due + minutes * MINUTE, noted.id))

    def set_embargo_source(self, withheld: Callable[[], Iterable[frozenset[str]]]) -> None:
        """Set the function that returns what is withheld; it is called each time, as links are added."""
        self.embargoed_subjects = withheld

    def rings_last_hour(self, now: Micros) -> int:
        """Count what rang within an hour."""
        return self.recent_rings.count_last_hour(now)

    def set_silent_devices(self, table: str, silent: Mapping[str, Micros]) -> set[str]:
        """Note which devices of a table are silent, and since when; give the alerts that this may concern."""
        sources = self.tables[table].sources if table in self.tables else {}
        now = tuple(
            SilentDevice(table, device, sources.get(device), since) for device, since in silent.items()
        )
        if now == self.silent_devices.get(table, ()):
            return set()
        self.silent_devices[table] = now
        if not now:
            del self.silent_devices[table]
        return {alert.id for alert in self.alerts.values() if alert.table == table}

    def advance(self, now: Micros) -> set[str]:
        """Return the alerts that have changed by the time alone since this was asked last.

        They are in another queue, or by now somebody was to have taken them.
        """
        floor_now = self.floor_now(now)
        moved, self.changed_alerts = self.changed_alerts, set()
        while self.due_moments and self.due_moments[0][0] < now:
            name = heapq.heappop(self.due_moments)[1]
            if name in self.alerts:
                self.past_due.add(name)
                moved.add(name)
        while self.queue_moves and self.queue_moves[0][0] < floor_now:
            moved.add(heapq.heappop(self.queue_moves)[1])
        return moved & self.alerts.keys()

    def queue_of(self, alert: Alert, cases: Cases, now: Micros) -> QueueName:
        """Return in which queue an alert stands now; one that is withdrawn in the last.

        What was to be acted on at once stays so, however long ago it was, until somebody has taken it.
        """
        if alert.id in self.withdrawn:
            return "nightly"
        noted = self.arrivals.get(alert.id)
        waits = noted is not None and noted.queue == "act_now" and cases.is_new(alert.id)
        floor_now = alert.at if waits and alert.at is not None else self.floor_now(now)
        return queue_of(alert, floor_now, self.today, self.settings)

    def overdue(self, cases: Cases, now: Micros) -> list[Alert]:
        """Return the unassigned alerts past their due time, except those left to the night."""
        alerts = (self.alerts[name] for name in self.past_due)
        return [alert for alert in alerts if self.is_overdue(alert, cases, now)]

    def is_overdue(self, alert: Alert, cases: Cases, now: Micros) -> bool:
        """Return True if an alert is unassigned though it was due, and it is not left to the night."""
        noted, case = self.arrivals.get(alert.id), cases.touched(alert.id)
        if noted is None or now <= noted.taken_due or not cases.is_new(alert.id):
            return False
        return not (case and is_put_off(case, now)) and self.queue_of(alert, cases, now) != "nightly"

    def _climbed_to(self, alert: Alert, now: Micros) -> tuple[Level, ...]:
        """Return the roles for which an alert of `act_now` waits that is overdue."""
        overdue, climbs = now - self.arrivals[alert.id].taken_due, self.settings.climbs
        after: tuple[tuple[Level, int], ...] = (
            ("supervisor", climbs.supervisor),
            ("director", climbs.director),
        )
        return tuple(level for level, minutes in after if overdue > minutes * MINUTE)

    def order_of(self, alert: Alert, cases: Cases, now: Micros) -> Order:
        """Sort as a queue does: what is overdue first."""
        return order_of(
            alert, self.arrivals[alert.id].taken_due if self.is_overdue(alert, cases, now) else None
        )

    def queue_at(self, alert: Alert, moment: Micros) -> QueueName:
        """Return in which queue an alert stood at a moment that is past."""
        floor_then = self.floor_time + moment - self.floor_time_received if self.floor_time else moment
        return queue_of(alert, floor_then, alert.gaming_date, self.settings)

    def silence_reason(self, alert: Alert, cases: Cases, now: Micros) -> str | None:
        """Return why an alert does not ring though its queue does: muted, snoozed, or its devices are silent.

        What is critical always rings.
        """
        if alert.severity == "critical":
            return None
        case = cases.touched(alert.id)
        if case is not None and is_put_off(case, now):
            return f"snoozed by {case.snoozed_by}"
        muted = cases.mute_of(alert.check, alert.table, now)
        if muted is not None:
            return f"muted by {muted.by}: {muted.reason}"
        for each in self.silent_devices.get(alert.table, ()):
            if alert.at is not None and alert.at >= each.since and each.reads in rests_on(alert):
                return each.describe()
        return None

    def queue_item(self, alert: Alert, cases: Cases, now: Micros) -> QueueItem:
        """Return an alert as a queue shows it."""
        return next(self.queue_items((alert,), cases, now))

    def queue_items(self, alerts: Iterable[Alert], cases: Cases, now: Micros) -> Iterator[QueueItem]:
        """Yield alerts as a queue shows them."""
        floor_now = self.floor_now(now)
        for alert in alerts:
            if cases.touched(alert.id) is not None:
                yield self._worked_out(alert, cases, now)
                continue
            item = self._untaken_item(alert, cases, now, floor_now)
            if cases.mutes or alert.table in self.silent_devices:
                silenced = self.silence_reason(alert, cases, now)
                item = item if silenced is None else replace(item, silenced=silenced)
            yield item

    def _untaken_item(self, alert: Alert, cases: Cases, now: Micros, floor_now: Micros) -> QueueItem:
        """Return an untouched alert as a queue shows it, but for what silences it.

        It changes at a few moments only, so it is worked out when the first of them has passed.
        """
        noted, seen = self.arrivals[alert.id], self.untaken_items.get(alert.id)
        if (
            seen is not None
            and seen.item.alert is alert
            and seen.noted is noted
            and seen.today == self.today
            and seen.since <= now <= seen.until
            and seen.floor_since <= floor_now <= seen.floor_until
        ):
            return seen.item
        item = replace(self._worked_out(alert, cases, now), silenced=None)
        ages = (self.settings.act_within_minutes, self.settings.shift_minutes)
        lates = (0, self.settings.climbs.supervisor, self.settings.climbs.director)
        moves = [alert.at + minutes * MINUTE for minutes in ages] if alert.at is not None else []
        dues = [noted.taken_due + minutes * MINUTE for minutes in lates]
        self.untaken_items[alert.id] = _UntakenItem(
            item,
            noted,
            self.today,
            now,
            min((each for each in dues if each >= now), default=_FOREVER),
            floor_now,
            min((each for each in moves if each >= floor_now), default=_FOREVER),
        )
        return item

    def _worked_out(self, alert: Alert, cases: Cases, now: Micros) -> QueueItem:
        case, noted = cases.case(alert.id), self.arrivals[alert.id]
        queue, is_overdue = self.queue_of(alert, cases, now), self.is_overdue(alert, cases, now)
        return QueueItem(
            alert=alert,
            case=case,
            queue=queue,
            came=noted.came,
            due=noted.taken_due if case.acknowledged is None else noted.closed_due,
            checks=(CheckCount(alert.check, 1),),
            seats=() if alert.seat is None else (alert.seat,),
            round=alert.round,
            sums=sums_of([alert]) if alert.comes_to_cents and alert.id in self.alerts else (),
            silenced=self.silence_reason(alert, cases, now),
            overdue=is_overdue,
            climbed=self._climbed_to(alert, now) if is_overdue and queue == "act_now" else (),
            put_off=is_put_off(case, now),
            withdrawn=alert.id in self.withdrawn,
            altered=case.is_altered(weights(case.closed_as, self.alerts)),
        )


def is_hidden(alert: Alert, alert_queue: AlertQueue, cases: Cases, hidden: frozenset[str]) -> bool:
    """Return True if an alert is withheld from someone: itself, what it is about, or its case.

    A case's description reveals all alerts in it, so if one of them is withheld all are.
    """
    if not hidden:
        return False
    case = cases.case(alert.id)
    together = map(alert_queue.find, case.alerts)
    subjects = (subject for each in together if each for subject in each.subjects())
    return not hidden.isdisjoint({f"case:{case.key}", *subjects})


def is_put_off(case: Case, now: Micros) -> bool:
    """Return True if somebody does not want to see a case for a while."""
    return case.snoozed_until is not None and now < case.snoozed_until


# ── What a person takes from a queue: the next unassigned alert, and the rest of its row ────────────────


def next_of(
    alert_queue: AlertQueue, queue: QueueName | None, cases: Cases, now: Micros, hidden: frozenset[str]
) -> str | None:
    """Return the first unassigned alert of a queue, or of all in their order."""
    free = [
        (QUEUES.index(alert_queue.queue_of(alert, cases, now)), alert_queue.order_of(alert, cases, now))
        for alert in alert_queue.alerts.values()
        if (case := cases.touched(alert.id)) is None or case.state == "new"
    ]
    heapq.heapify(free)
    while free:
        at, order = heapq.heappop(free)
        alert = alert_queue.alerts[order[-1]]
        if queue in (None, QUEUES[at]) and _may_be_taken(alert_queue, alert, cases, now, hidden):
            return alert.id
    return None


def first_of(
    alert_queue: AlertQueue, among: Iterable[str], cases: Cases, now: Micros, hidden: frozenset[str]
) -> str | None:
    """Return the first unassigned one of some alerts, in their order."""
    alerts = (alert_queue.alerts[name] for name in among if name in alert_queue.alerts)
    free = (alert for alert in alerts if cases.case(alert.id).state == "new")
    return next((each.id for each in free if _may_be_taken(alert_queue, each, cases, now, hidden)), None)


def _may_be_taken(
    alert_queue: AlertQueue, alert: Alert, cases: Cases, now: Micros, hidden: frozenset[str]
) -> bool:
    return (
        not is_hidden(alert, alert_queue, cases, hidden)
        and alert_queue.silence_reason(alert, cases, now) is None
    )


def rest_of_incident(
    alert_queue: AlertQueue, alert: Alert, cases: Cases, now: Micros, hidden: frozenset[str]
) -> list[str]:
    """Return the other unassigned alerts of an alert's round, shoe or account: its row has them too.

    Merged alerts, and those given to a role, are rows of their own, and so are snoozed ones.
    """
    put_off = is_put_off(cases.case(alert.id), now)
    found = (
        alert_queue.alerts[name] for name in alert_queue.alerts_about.get(alert.about, ()) if name != alert.id
    )
    free = (
        each
        for each in found
        if is_untouched(case := cases.case(each.id))
        and is_put_off(case, now) == put_off
        and not is_hidden(each, alert_queue, cases, hidden)
    )
    return [each.id for each in sorted(free, key=lambda each: alert_queue.order_of(each, cases, now))]
