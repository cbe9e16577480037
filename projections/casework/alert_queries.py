"""What the pages ask of the alerts of one store: as queues show them, and what changed since."""

import threading
from collections.abc import Hashable, Iterable
from typing import Final, get_args

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from projections.casework.actions import MINUTE, load_done
from projections.casework.alerts.alert_arrival import Silent
from projections.casework.alerts.alert_board import AlertQueue, is_hidden, repeats_of
from projections.casework.alerts.case_book import CaseBook
from projections.casework.alerts.notifications import mistakes_of_dealer
from projections.casework.alerts.queue_rows import QueueItem, is_repeat
from projections.casework.alerts.queues import sums_of
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import CaseAction, evolve
from projections.casework.cases.case_state import Cases, alert_of
from projections.store.action_log import Acted
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The work on alerts as it stood at a moment that is past, folded from the actions that a store keeps.

_KINDS: Final = frozenset(str(kind.__struct_config__.tag) for kind in get_args(CaseAction))
_read: Final = msgspec.json.Decoder(CaseAction).decode


def work_at(acts: Iterable[Acted], moment: Micros) -> Cases:
    """Fold what was done about alerts before a moment; disputes and the surveillance log are passed over.

    They are all that was ever done, in order: a case may be as old as the store.
    """
    cases = Cases()
    for acted in acts:
        if acted.at < moment and acted.action in _KINDS:
            evolve(cases, load_done(acted, _read))
    return cases


# ── What the pages are told of: what changed in the room since somebody asked last ────────────────────


class News(Struct):
    """What happened at the desk since somebody asked last: to which alerts, and which are to be heard.

    `overdue` are to be heard again, as nobody has taken them. `called` are grave ones that were escalated:
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
# What the pages ask of the alerts of one store: as queues show them, and what belongs together with one.
#
# Read from any thread, under the lock of whoever follows the floor.


class AlertViews:
    """The alerts on a board, with the work on them, as they may be shown to a person."""

    def __init__(self, alert_queue: AlertQueue, case_book: CaseBook) -> None:
        self.board, self._work = alert_queue, case_book
        self._lock = threading.RLock()

    def silent(self) -> list[Silent]:
        """Return the devices that say nothing, by table."""
        with self._lock:
            return [each for table in sorted(self.board.silent) for each in self.board.silent[table]]

    def shown(self, now: Micros, hidden: frozenset[str] = frozenset()) -> list[QueueItem]:
        """Return every alert that stands, but the hidden ones, as a queue shows it.

        Nobody waits at the desk while it is put together.
        """
        with self._lock:
            alert_queue, cases = self.board.copied(), self._work.work.copied(now)
        return [
            alert_queue.shown(alert, cases, now)
            for alert in (*alert_queue.alerts.values(), *alert_queue.withdrawn.values())
            if not is_hidden(alert, alert_queue, cases, hidden)
        ]

    def overdue_rows(self, now: Micros, hidden: frozenset[str] = frozenset()) -> int:
        """Count the rows that nobody has taken though they were due, but those left to the night."""
        with self._lock:
            alert_queue, cases = self.board.copied(), self._work.work.copied(now)
        rows: set[Hashable] = set()
        for alert in alert_queue.overdue(cases, now):
            if not is_hidden(alert, alert_queue, cases, hidden):
                case = cases.case(alert.id)
                rows.add(
                    (alert_queue.queue_of(alert, cases, now), alert.group) if is_repeat(case) else case.key
                )
        return len(rows)

    def tagged(self, now: Micros, hidden: frozenset[str]) -> list[QueueItem]:
        """Return the alerts that have tags, but the hidden ones, as a queue shows them."""
        with self._lock:
            tagged = (name for case in self._work.work.cases.values() if case.tags for name in case.alerts)
            return self._shown(map(self.board.known, tagged), now, hidden)

    def shown_one(self, alert: str, now: Micros, hidden: frozenset[str] = frozenset()) -> QueueItem | None:
        """Return one alert as a queue shows it, with how many repeats of it nobody has.

        The sums are those of its row: of its case, with the repeats where nobody has it either. None where it
        is not on the board, or hidden.
        """
        with self._lock:
            alert_queue, cases = self.board, self._work.work
            found = alert_queue.known(alert)
            if found is None or is_hidden(found, alert_queue, cases, hidden):
                return None
            repeats = repeats_of(alert_queue, found, cases, now, hidden)
            case = cases.case(alert)
            names = dict.fromkeys([*case.alerts, *(repeats if is_repeat(case) else ())])
            sums = sums_of(alert_queue.alerts[name] for name in names if name in alert_queue.alerts)
            return replace(alert_queue.shown(found, cases, now), repeats=len(repeats), sums=sums)

    def mistakes(self, item: QueueItem, now: Micros, hidden: frozenset[str]) -> int:
        """Count the hands in which an alert's dealer erred within the time of repeats, its own too."""
        with self._lock:
            alert_queue, cases = self.board, self._work.work
            since = now - alert_queue.room.repeats_minutes * MINUTE
            return mistakes_of_dealer(
                alert_queue, item.alert, since, lambda each: is_hidden(each, alert_queue, cases, hidden)
            )

    def beside(
        self, touched: Iterable[str], now: Micros, hidden: frozenset[str] = frozenset()
    ) -> list[QueueItem]:
        """Return some alerts, and all that a row of the queue may stand for with one of them."""
        with self._lock:
            alert_queue, cases = self.board, self._work.work
            names = {name for alert in touched for name in (alert, *cases.case(alert).alerts)}
            alerts = {name: alert_queue.known(name) for name in names}
            for group in {alert.group for alert in alerts.values() if alert is not None}:
                alerts |= {name: alert_queue.alerts[name] for name in alert_queue.groups.get(group, ())}
            return self._shown(alerts.values(), now, hidden)

    def found_with(self, alert: str, now: Micros, hidden: frozenset[str]) -> list[QueueItem]:
        """Return all alerts of the same round, shoe or account as one, itself too, but the hidden ones."""
        with self._lock:
            found = self.board.known(alert)
            names = self.board.about.get(found.about, ()) if found is not None else ()
            return self._shown(map(self.board.known, names), now, hidden)

    def _shown(self, alerts: Iterable[Alert | None], now: Micros, hidden: frozenset[str]) -> list[QueueItem]:
        alert_queue, cases = self.board, self._work.work
        return [
            alert_queue.shown(alert, cases, now)
            for alert in alerts
            if alert is not None and not is_hidden(alert, alert_queue, cases, hidden)
        ]

    def is_hidden(self, subject: str, hidden: frozenset[str]) -> bool:
        """Return True if the subject of an action is withheld from someone."""
        alert = alert_of(subject)
        found = self.board.known(alert)
        if found is None or not subject.startswith("alert:"):
            return subject in hidden
        return is_hidden(found, self.board, self._work.work, hidden)
