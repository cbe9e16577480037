"""The alerts of one store: their arrival, change and withdrawal, the work on them, and queries for the pages.

The watch is updated by the follower of the floor and read by the pages, from any thread, under one lock.
Actions of people go through the one `projections.casework.command_handler`.
"""

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Final, get_args

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from projections.casework.actions import MINUTE, Actor, load_done
from projections.casework.alerts.alert_arrival import HOUR, Arrival, Breach, SilentDevice, breaches
from projections.casework.alerts.alert_queue import AlertQueue, is_hidden, rest_of_incident
from projections.casework.alerts.case_book import CaseBook
from projections.casework.alerts.notifications import (
    loudest_first,
    mistakes_of_dealer,
    note_arrival,
    overdue_to_ring,
    release_suppressed,
)
from projections.casework.alerts.queues import QueueItem, Sum, incident_key, is_untouched, row_of, sums_of
from projections.casework.alerts.untaken_incidents import UntakenIncident, untaken_incidents
from projections.casework.cases.alert import Alert, alerts_of, bettors_of
from projections.casework.cases.case_actions import CaseAction, evolve
from projections.casework.cases.case_state import Cases, Muted, alert_of
from projections.engine.conclusion import Conclusion, id_of
from projections.engine.observation import RoundOrTime, round_and_time
from projections.store.action_log import Acted
from projections.store.store import Store
from projections.store.stored_alerts import came_of, came_on, standing_alerts, tables_in, worked_on
from schemas.errors import DiscardrackError
from schemas.room_settings import CloseReason
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The work on alerts as it stood at a moment that is past, folded from the actions that a store keeps.

_KINDS: Final = frozenset(str(kind.__struct_config__.tag) for kind in get_args(CaseAction))
_read: Final = msgspec.json.Decoder(CaseAction).decode


def cases_at(acts: Iterable[Acted], moment: Micros) -> Cases:
    """Fold what was done about alerts before a moment; disputes and the surveillance log are passed over.

    They are all that was ever done, in order: a case may be as old as the store.
    """
    cases = Cases()
    for acted in acts:
        if acted.at < moment and acted.action in _KINDS:
            evolve(cases, load_done(acted, _read))
    return cases


# ── News for the pages: what changed in the room since the last query ────────────────────────────────────


class CaseworkNews(Struct):
    """News of the alerts since the last query: which alerts changed, and which ring.

    `overdue` are to be heard again, as nobody has taken them. `called` are critical ones that were escalated:
    they are heard by whom they wait for. `written` says that something else changed than an alert: in the
    log, of a dispute, a mute that began over nothing or ended, which devices are silent, what is withheld
    from somebody.
    """

    touched: set[str] = field(default_factory=set)
    rings: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    overdue: set[str] = field(default_factory=set)
    written: bool = False

    def __bool__(self) -> bool:
        """Return True if anything happened."""
        return bool(self.touched) or self.written


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The pages' queries on the alerts of one store: as queues show them, and what belongs together with one. Read
# from any thread, under the lock of the floor's follower.


class AlertQueries:
    """The alerts on a board, with the work on them, as they may be shown to a person."""

    def __init__(self, alert_queue: AlertQueue, case_book: CaseBook) -> None:
        self.alert_queue, self._case_book = alert_queue, case_book
        self._lock = threading.RLock()

    def silent(self) -> list[SilentDevice]:
        """Return the silent devices, by table."""
        with self._lock:
            return [
                each
                for table in sorted(self.alert_queue.silent_devices)
                for each in self.alert_queue.silent_devices[table]
            ]

    def queue_items(self, now: Micros, hidden: frozenset[str] = frozenset()) -> list[QueueItem]:
        """Return every present alert, except the hidden ones, as a queue shows it.

        Casework is not blocked while it is built.
        """
        with self._lock:
            alert_queue, cases = self.alert_queue.snapshot(), self._case_book.cases.snapshot(now)
        alerts: Iterable[Alert] = chain(alert_queue.alerts.values(), alert_queue.withdrawn.values())
        if hidden:
            alerts = (each for each in alerts if not is_hidden(each, alert_queue, cases, hidden))
        return list(alert_queue.queue_items(alerts, cases, now))

    def overdue_rows(self, now: Micros, hidden: frozenset[str] = frozenset()) -> int:
        """Count the unassigned rows past their due time, except those left to the night."""
        with self._lock:
            alert_queue, cases = self.alert_queue.snapshot(), self._case_book.cases.snapshot(now)
        rows: set[Hashable] = set()
        for alert in alert_queue.overdue(cases, now):
            if not is_hidden(alert, alert_queue, cases, hidden):
                rows.add(incident_key(alert, cases.case(alert.id), put_off=False))
        return len(rows)

    def untaken_incidents(self, now: Micros) -> list[UntakenIncident]:
        """Return the incidents to be acted on at once that are unassigned; nothing is hidden."""
        with self._lock:
            alert_queue, cases = self.alert_queue.snapshot(), self._case_book.cases.snapshot(now)
        return untaken_incidents(alert_queue, cases, now)

    def arrivals_after(self, moment: Micros) -> list[tuple[Alert, Arrival]]:
        """Return the standing alerts that came first after a moment, or became more urgent, and how."""
        with self._lock:
            alerts, arrivals = self.alert_queue.alerts.copy(), self.alert_queue.arrivals.copy()
        return [
            (alerts[name], came) for name, came in arrivals.items() if came.came > moment and name in alerts
        ]

    def tagged_items(self, now: Micros, hidden: frozenset[str]) -> list[QueueItem]:
        """Return the alerts that have tags, but the hidden ones, as a queue shows them."""
        with self._lock:
            tagged = (
                name for case in self._case_book.cases.cases.values() if case.tags for name in case.alerts
            )
            return self._visible_items(map(self.alert_queue.find, tagged), now, hidden)

    def queue_item(self, alert: str, now: Micros, hidden: frozenset[str] = frozenset()) -> QueueItem | None:
        """Return one alert as a queue shows it, with the checks, seats and sums of its row.

        The row is that of its case, or of its incident if it is unassigned; `others` counts the other
        unassigned alerts of it. It is None if the alert is not in the queue, or hidden.
        """
        with self._lock:
            alert_queue, cases = self.alert_queue, self._case_book.cases
            found = alert_queue.find(alert)
            if found is None or is_hidden(found, alert_queue, cases, hidden):
                return None
            rest = rest_of_incident(alert_queue, found, cases, now, hidden)
            case = cases.case(alert)
            names = dict.fromkeys([alert, *case.alerts, *(rest if is_untouched(case) else ())])
            incident = self._visible_items(map(alert_queue.find, names), now, hidden)
            row = row_of(incident)
            return replace(
                incident[0],
                others=len(rest),
                checks=row.checks,
                seats=row.seats,
                sums=row.sums,
                critical=row.critical,
            )

    def count_mistakes(self, item: QueueItem, now: Micros, hidden: frozenset[str]) -> int:
        """Count the hands in which an alert's dealer erred within the time of repeats, its own too."""
        with self._lock:
            alert_queue, cases = self.alert_queue, self._case_book.cases
            since = now - alert_queue.settings.repeats_minutes * MINUTE
            return mistakes_of_dealer(
                alert_queue, item.alert, since, lambda each: is_hidden(each, alert_queue, cases, hidden)
            )

    def sums_about(self, abouts: Iterable[str], hidden: frozenset[str]) -> dict[str, tuple[Sum, ...]]:
        """Return the sums of what is open of rounds, shoes or accounts, by their keys, without the hidden."""
        with self._lock:
            alert_queue, cases = self.alert_queue, self._case_book.cases
            found = {
                about: [alert_queue.alerts[name] for name in alert_queue.alerts_about.get(about, ())]
                for about in abouts
            }
            return {
                about: sums_of(each for each in alerts if not is_hidden(each, alert_queue, cases, hidden))
                for about, alerts in found.items()
            }

    def recent_closings(self, who: Actor) -> list[CloseReason]:
        """Return as what and why somebody closed alerts lately, the last first, without what is withheld."""
        with self._lock:
            found = self._case_book.recent_closings(who.name)
            return [closing for closing, subject in found if not self.is_hidden(subject, who.hidden)]

    def related_items(
        self, touched: Iterable[str], now: Micros, hidden: frozenset[str] = frozenset()
    ) -> list[QueueItem]:
        """Return some alerts, and all that a row of the queue may stand for with one of them."""
        with self._lock:
            alert_queue, cases = self.alert_queue, self._case_book.cases
            names = {name for alert in touched for name in (alert, *cases.case(alert).alerts)}
            alerts = {name: alert_queue.find(name) for name in names}
            for about in {alert.about for alert in alerts.values() if alert is not None}:
                alerts |= {name: alert_queue.alerts[name] for name in alert_queue.alerts_about.get(about, ())}
            return self._visible_items(alerts.values(), now, hidden)

    def found_with(self, alert: str, now: Micros, hidden: frozenset[str]) -> list[QueueItem]:
        """Return all alerts of the same round, shoe or account as one, itself too, but the hidden ones."""
        with self._lock:
            found = self.alert_queue.find(alert)
            names = self.alert_queue.alerts_about.get(found.about, ()) if found is not None else ()
            return self._visible_items(map(self.alert_queue.find, names), now, hidden)

    def _visible_items(
        self, alerts: Iterable[Alert | None], now: Micros, hidden: frozenset[str]
    ) -> list[QueueItem]:
        alert_queue, cases = self.alert_queue, self._case_book.cases
        return [
            alert_queue.queue_item(alert, cases, now)
            for alert in alerts
            if alert is not None and not is_hidden(alert, alert_queue, cases, hidden)
        ]

    def is_hidden(self, subject: str, hidden: frozenset[str]) -> bool:
        """Return True if the subject of an action is withheld from someone."""
        alert = alert_of(subject)
        found = self.alert_queue.find(alert)
        if found is None or not subject.startswith("alert:"):
            return subject in hidden
        return is_hidden(found, self.alert_queue, self._case_book.cases, hidden)


# ── How the alerts arrive, change and go ──────────────────────────────────────────────────────────────

_PATIENCE: Final = 1.0  # seconds


class ReceivedConclusion(Struct, frozen=True):
    """A conclusion of a run, with what it is of.

    `received` is when the gateway had what brought it, `judged` when it was concluded; microseconds UTC.
    """

    conclusion: Conclusion
    run: str
    basis: RoundOrTime
    received: Micros
    judged: Micros


class AlertWatch(AlertQueries):
    """The alerts on a board, with the work on them; what comes is noted in the store."""

    def __init__(self, store: Store, alert_queue: AlertQueue, case_book: CaseBook) -> None:
        super().__init__(alert_queue, case_book)
        self._store = store
        self._news = CaseworkNews()
        self._moved_at: Micros = 0
        # Rang when a silence ended; the store does not have it yet.
        self._released: list[Arrival] = []
        self._taken_count = self._written_count = 0
        self._writes = threading.Condition()
        self._hurry: Callable[[], object] | None = None

    @property
    def stored_batches(self) -> int:
        """The number of batches of conclusions and alerts that were stored since the store was opened."""
        return self._store.batches

    def load_alerts(self, alerts_by_subject: Mapping[str, Sequence[Alert]], now: Micros) -> None:
        """Load a store's initial alerts, by what they are about; nothing rings.

        Raises:
            DiscardrackError: the store cannot be written.
        """
        alert_queue, cases, reading = self.alert_queue, self._case_book.cases, self._store.reading()
        on_board = {alert.id for alerts in alerts_by_subject.values() for alert in alerts}
        alert_queue.reporting_tables |= tables_in(reading)
        old = worked_on(reading, cases.case_of.keys() - on_board, alert_queue.tables)
        for about, alerts in alerts_by_subject.items():
            alert_queue.replace_alerts(about, alerts, cases)
        alert_queue.withdrawn |= {alert.id: alert for alert in old}
        for came in came_of(reading, [*alert_queue.alerts, *alert_queue.withdrawn], now - HOUR):
            alert_queue.record_arrival(came)
        queued = [*alert_queue.alerts.values(), *alert_queue.withdrawn.values()]
        noted = [
            each for alert in queued if (each := note_arrival(alert_queue, alert, cases, now, quiet=True))
        ]
        if noted:
            self._store.write_batch({}, came=noted)
        self._moved_at = now

    def take_conclusions(self, arrived: Sequence[ReceivedConclusion], now: Micros) -> list[Arrival]:
        """Replace the alerts of the rounds, shoes or accounts that were concluded; return what arrived.

        The alerts are news at once. The arrivals of new and of more urgent alerts are for the store, with the
        conclusions themselves. Until the store has them (`confirm_written`), a query for an alert may wait.
        Included are alerts that rang as time passed and could not be written then.
        """
        noted: list[Arrival] = []
        with self._lock:
            for each in arrived:
                self._take(each, now, noted)
            self._news.rings |= {each.id for each in noted if each.rang}
            if arrived:
                noted, self._released = [*self._released, *noted], []
        with self._writes:
            self._taken_count += 1
        return noted

    def confirm_written(self, times: int, refused: Iterable[str] = ()) -> None:
        """Note that the store has the results of a number of `take_conclusions`, except what was refused.

        For the refused ones the store's earlier alerts are valid again.
        """
        if names := list(refused):
            alerts = standing_alerts(self._store.reading(), self.alert_queue.tables, names)
            with self._lock:
                for about in names:
                    new, gone = self.alert_queue.replace_alerts(
                        about, alerts.get(about, ()), self._case_book.cases
                    )
                    self._news.touched |= {alert.id for alert in new} | set(gone)
        with self._writes:
            self._written_count += times
            self._writes.notify_all()

    def set_hurry(self, hurry: Callable[[], object]) -> None:
        """Set a callback, for any thread, for when somebody waits for what is not written yet."""
        self._hurry = hurry

    def wait_until_written(self) -> None:
        """Wait until the store has what is known here now; some hundredths of a second, and one at most."""
        with self._writes:
            taken = self._taken_count
            if self._written_count < taken and self._hurry is not None:
                self._hurry()
            self._writes.wait_for(lambda: self._written_count >= taken, _PATIENCE)

    def _take(self, arrived: ReceivedConclusion, now: Micros, noted: list[Arrival]) -> None:
        """Apply one conclusion; add the arrivals of its alerts that are new, or more urgent now."""
        conclusion, basis = arrived.conclusion, arrived.basis
        observed, at = round_and_time(basis)
        people = bettors_of(observed) if observed is not None else ()
        alert_queue, cases = self.alert_queue, self._case_book.cases
        setup = alert_queue.tables.get(conclusion.table)
        pit = setup.pit if setup is not None else None
        alert_queue.reporting_tables.add(conclusion.table)
        alert_queue.advance_floor(
            conclusion.gaming_date, observed.at if observed is not None else None, min(arrived.received, now)
        )
        dealer = observed.dealer if observed is not None else None
        alerts = alerts_of(conclusion, arrived.run, at=at, dealer=dealer, people=people, pit=pit)
        _, gone = alert_queue.replace_alerts(id_of(conclusion), alerts, cases)
        queued = sorted((alert_queue.alerts[alert.id] for alert in alerts), key=loudest_first)
        noted += [
            came for alert in queued if (came := note_arrival(alert_queue, alert, cases, now, arrived.judged))
        ]
        self._news.touched |= {alert.id for alert in alerts} | set(gone)

    def set_silent_devices(self, silent: Mapping[str, Mapping[str, Micros]]) -> None:
        """Note which devices of some tables are silent, and since when."""
        with self._lock:
            self.alert_queue.reporting_tables |= silent.keys()
            for table, devices in silent.items():
                before = self.alert_queue.silent_devices.get(table)
                self._news.touched |= self.alert_queue.set_silent_devices(table, devices)
                self._news.written |= self.alert_queue.silent_devices.get(table) != before

    def tick(self, now: Micros) -> None:
        """Note what time alone has changed since the last call, and write what rang because of it."""
        with self._lock:
            since, self._moved_at = self._moved_at, now
            cases = self._case_book.cases
            self._news.touched |= self.alert_queue.advance(now)
            put_off = {
                alert
                for case in cases.cases.values()
                if case.snoozed_until is not None and since < case.snoozed_until <= now
                for alert in case.alerts
            }
            self._news.touched |= put_off
            for muted in cases.mutes.values():
                if since < muted.until <= now:
                    self._news.touched |= self._muted_by(muted)
                    self._news.written = True  # it stands among those that ended, whatever it covered
            rang = release_suppressed(self.alert_queue, put_off, cases, now)
            self._released += rang
            self._news.touched |= {each.id for each in rang}
            self._news.rings |= {each.id for each in rang}
            overdue = overdue_to_ring(self.alert_queue, cases, now)
            self._news.touched |= overdue
            self._news.overdue |= overdue
            noted, self._released = self._released, []
        if not noted:
            return
        try:
            self._store.write_batch({}, came=noted)
        except DiscardrackError:  # the floor's follower reports it; it is written as soon as possible
            with self._lock:
                self._released = [*noted, *self._released]

    def _muted_by(self, muted: Muted) -> set[str]:
        alerts = self.alert_queue.alerts.values()
        return {alert.id for alert in alerts if muted.covers(alert.check, alert.table, muted.since)}

    def news(self) -> CaseworkNews:
        """Return what happened since the last time this was asked."""
        with self._lock:
            news, self._news = self._news, CaseworkNews()
            return news

    def rings(self, now: Micros) -> int:
        """Count what rang in the last hour, and what rang when it was escalated."""
        with self._lock:
            called = sum(now - at < HOUR for at in self._case_book.cases.called)
            return self.alert_queue.rings_last_hour(now) + called

    def mutes(self) -> list[Muted]:
        """Return every mute that was ever asked for, in order."""
        with self._lock:
            return list(self._case_book.cases.mutes.values())

    def breaches(self, day: date, now: Micros) -> list[Breach]:
        """Find what was over its time among the alerts of a gaming day."""
        came = came_on(self._store.reading(), day)
        with self._lock:
            cases, alerts = self._case_book.cases.snapshot(now), set(self.alert_queue.alerts)
        return breaches(came, cases, alerts, now)
