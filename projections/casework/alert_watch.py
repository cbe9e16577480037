"""What the room watches: the alerts of one store, as they come, change and go, and what is done about them.

It is told by who follows the floor and read by the pages, from any thread, under one lock. What people do is
decided at the desk (`projections.casework.command_handler`), which is one.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from projections.casework.alert_queries import AlertViews, News
from projections.casework.alerts.alert_arrival import HOUR, Came
from projections.casework.alerts.alert_board import AlertQueue
from projections.casework.alerts.case_book import CaseBook
from projections.casework.alerts.notifications import loudest_first, note, unheeded, unhushed
from projections.casework.alerts.overdue import Breach, breaches
from projections.casework.cases.alert import Alert, alerts_of, bettors_of
from projections.casework.cases.case_state import Muted
from projections.engine.conclusion import Conclusion
from projections.engine.identity import id_of
from projections.engine.observation import Basis, seen_and_at
from projections.store.store import Store
from projections.store.stored_alerts import came_of, came_on, standing_alerts, tables_in, worked_on
from schemas.errors import DiscardrackError
from schemas.values import Micros

_PATIENCE: Final = 1.0  # seconds


class Arrived(Struct, frozen=True):
    """A conclusion of a run, with what it is of.

    `received` is when the gateway had what brought it, `judged` when it was concluded; microseconds UTC.
    """

    said: Conclusion
    run: str
    basis: Basis
    received: Micros
    judged: Micros


class Watch(AlertViews):
    """The alerts on a board, with the work on them; what comes is noted in the store."""

    def __init__(self, store: Store, alert_queue: AlertQueue, case_book: CaseBook) -> None:
        super().__init__(alert_queue, case_book)
        self._store = store
        self._news = News()
        self._moved_at: Micros = 0
        # Heard as nothing silenced it any more; the store does not have it yet.
        self._unhushed: list[Came] = []
        self._heard = self._written = 0
        self._writes = threading.Condition()
        self._hurry: Callable[[], object] | None = None

    def begin(self, standing: Mapping[str, Sequence[Alert]], now: Micros) -> None:
        """Put the alerts on the board with which a store begins, by what they are about; nothing rings.

        Raises:
            DiscardrackError: the store cannot be written.
        """
        alert_queue, cases, reading = self.board, self._work.work, self._store.reading()
        on_board = {alert.id for alerts in standing.values() for alert in alerts}
        alert_queue.seen |= tables_in(reading)
        old = worked_on(reading, cases.case_of.keys() - on_board, alert_queue.tables)
        for about, alerts in standing.items():
            alert_queue.concluded(about, alerts, cases)
        alert_queue.withdrawn |= {alert.id: alert for alert in old}
        for came in came_of(reading, [*alert_queue.alerts, *alert_queue.withdrawn], now - HOUR):
            alert_queue.knew(came)
        queued = [*alert_queue.alerts.values(), *alert_queue.withdrawn.values()]
        noted = [each for alert in queued if (each := note(alert_queue, alert, cases, now, quiet=True))]
        if noted:
            self._store.take({}, came=noted)
        self._moved_at = now

    def concluded(self, arrived: Sequence[Arrived], now: Micros) -> list[Came]:
        """Take conclusions about rounds, shoes or accounts: what each finds stands, nothing else of it does.

        It is news at once. How alerts came that are new or more urgent now is given: it is for the store,
        with the conclusions themselves, and until it is there (`written`) whoever asks the store for an alert
        may wait. With it goes what the clock let be heard and could not be written then.
        """
        noted: list[Came] = []
        with self._lock:
            for each in arrived:
                self._take(each, now, noted)
            self._news.rings |= {each.id for each in noted if each.rang}
            if arrived:
                noted, self._unhushed = [*self._unhushed, *noted], []
        with self._writes:
            self._heard += 1
        return noted

    def written(self, times: int, refused: Iterable[str] = ()) -> None:
        """Note that the store has what was `concluded` so many times, but what was refused.

        Of that what the store had before stands again.
        """
        if names := list(refused):
            alerts = standing_alerts(self._store.reading(), self.board.tables, names)
            with self._lock:
                for about in names:
                    new, gone = self.board.concluded(about, alerts.get(about, ()), self._work.work)
                    self._news.touched |= {alert.id for alert in new} | set(gone)
        with self._writes:
            self._written += times
            self._writes.notify_all()

    def hurried_by(self, hurry: Callable[[], object]) -> None:
        """Have something called, in any thread, when somebody waits for what is not written yet."""
        self._hurry = hurry

    def until_written(self) -> None:
        """Wait until the store has what is known here now; some hundredths of a second, and one at most."""
        with self._writes:
            heard = self._heard
            if self._written < heard and self._hurry is not None:
                self._hurry()
            self._writes.wait_for(lambda: self._written >= heard, _PATIENCE)

    def _take(self, arrived: Arrived, now: Micros, noted: list[Came]) -> None:
        """Take one conclusion; add how its alerts came that are new, or more urgent now."""
        conclusion, basis = arrived.said, arrived.basis
        observed, at = seen_and_at(basis)
        people = bettors_of(observed) if observed is not None else ()
        alert_queue, cases = self.board, self._work.work
        setup = alert_queue.tables.get(conclusion.table)
        pit = setup.pit if setup is not None else None
        alert_queue.seen.add(conclusion.table)
        alert_queue.hear(
            conclusion.gaming_date, observed.at if observed is not None else None, min(arrived.received, now)
        )
        dealer = observed.dealer if observed is not None else None
        alerts = alerts_of(conclusion, arrived.run, at=at, dealer=dealer, people=people, pit=pit)
        _, gone = alert_queue.concluded(id_of(conclusion), alerts, cases)
        queued = sorted((alert_queue.alerts[alert.id] for alert in alerts), key=loudest_first)
        noted += [came for alert in queued if (came := note(alert_queue, alert, cases, now, arrived.judged))]
        self._news.touched |= {alert.id for alert in alerts} | set(gone)

    def stood(self, silent: Mapping[str, Mapping[str, Micros]]) -> None:
        """Note which devices of some tables are silent, and since when."""
        with self._lock:
            self.board.seen |= silent.keys()
            for table, devices in silent.items():
                before = self.board.silent.get(table)
                self._news.touched |= self.board.stood(table, devices)
                self._news.written |= self.board.silent.get(table) != before

    def goes_on(self, now: Micros) -> None:
        """Note what the time alone has changed since this was called last, and write what was heard by it."""
        with self._lock:
            since, self._moved_at = self._moved_at, now
            cases = self._work.work
            self._news.touched |= self.board.move(now)
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
            rang = unhushed(self.board, put_off, cases, now)
            self._unhushed += rang
            self._news.touched |= {each.id for each in rang}
            self._news.rings |= {each.id for each in rang}
            overdue = unheeded(self.board, cases, now)
            self._news.touched |= overdue
            self._news.overdue |= overdue
            noted, self._unhushed = self._unhushed, []
        if not noted:
            return
        try:
            self._store.take({}, came=noted)
        except DiscardrackError:  # who follows the floor says so; it is written as soon as that can be
            with self._lock:
                self._unhushed = [*noted, *self._unhushed]

    def _muted_by(self, muted: Muted) -> set[str]:
        alerts = self.board.alerts.values()
        return {alert.id for alert in alerts if muted.covers(alert.check, alert.table, muted.since)}

    def news(self) -> News:
        """Return what happened since the last time this was asked."""
        with self._lock:
            news, self._news = self._news, News()
            return news

    def rings(self, now: Micros) -> int:
        """Count what rang in the last hour, and what was heard as it was escalated."""
        with self._lock:
            called = sum(now - at < HOUR for at in self._work.work.called)
            return self.board.rings_in_the_last_hour(now) + called

    def mutes(self) -> list[Muted]:
        """Return every mute that was ever asked for, in order."""
        with self._lock:
            return list(self._work.work.mutes.values())

    def breaches(self, day: date, now: Micros) -> list[Breach]:
        """Find what was over its time among the alerts of a gaming day."""
        came = came_on(self._store.reading(), day)
        with self._lock:
            cases, alerts = self._work.work.copied(now), set(self.board.alerts)
        return breaches(came, cases, alerts, now)
