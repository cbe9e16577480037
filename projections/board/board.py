"""The board: the alerts that stand, and the people's work on them, as the room sees them at a moment.

It keeps what it is told in memory, so that a page of ten thousand open alerts is a matter of sorting. Times
are microseconds UTC. `now` is the clock on the wall, given by the caller; the floor's own clock goes on from
the latest round that was concluded, so that a recorded floor played again ages as it did.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

from msgspec import Struct, field

from projections.board.queues import due_times, queue_of
from projections.work.actions import QueueName
from projections.work.alert import Alert
from projections.work.work import MINUTE, Case, Muted, Work
from schemas.room import Room
from schemas.values import Micros

_GRAVITY: Final = {"grave": 0, "money": 1, "procedure": 2, "data": 3, "note": 4}
_HOUR: Final = 60 * MINUTE

# What repeats are told by: the table and the check.
Group = tuple[str, str]


class Shown(Struct, frozen=True, kw_only=True):
    """An alert as a queue shows it at a moment, with the case it is in.

    `repeats` counts the others of its group that stand, `silenced` says why it does not ring though it
    would. `due` is until when someone must have taken it, or where that is done, closed it.
    """

    alert: Alert
    case: Case
    queue: QueueName
    came: Micros
    due: Micros
    repeats: int = 0
    silenced: str | None = None


class Ring(Struct, frozen=True):
    """An alert that was to be heard, and when."""

    alert: str
    at: Micros


class Board(Struct):
    """The alerts that stand, by their ids; when each came here, what rang, which devices are silent.

    `pits` tells a table's pit; `silent` gives for each table the devices that say nothing, and since when.
    """

    room: Room
    pits: Mapping[str, str | None] = field(default_factory=dict)
    alerts: dict[str, Alert] = field(default_factory=dict)
    came: dict[str, Micros] = field(default_factory=dict)
    about: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    groups: defaultdict[Group, set[str]] = field(default_factory=lambda: defaultdict(set))
    rung: dict[Group, Micros] = field(default_factory=dict)
    rings: list[Ring] = field(default_factory=list)
    silent: Mapping[str, Mapping[str, Micros]] = field(default_factory=dict)
    floor_at: Micros = 0
    heard_at: Micros = 0
    today: date = date.min

    def floor_now(self, now: Micros) -> Micros:
        """Say what the floor's clocks show: the latest round's, and what went by on ours since it came."""
        return self.floor_at + max(0, now - self.heard_at) if self.floor_at else now

    def hear(self, day: date, at: Micros | None, now: Micros) -> None:
        """Note the gaming day and the time of what was concluded."""
        self.today = max(self.today, day)
        if at is not None and (not self.floor_at or at > self.floor_now(now)):
            self.floor_at, self.heard_at = at, now

    def concluded(self, about: str, standing: Iterable[Alert], now: Micros) -> tuple[list[Alert], list[str]]:
        """Take what stands about a round, a shoe or an account; give what is new, and what stands no more."""
        found = {alert.id: alert for alert in standing}
        gone = [known for known in self.about[about] if known not in found]
        for known in gone:
            self._forget(known)
        new = [alert for alert in found.values() if alert.id not in self.alerts]
        for alert in found.values():
            self.alerts[alert.id] = alert
            self.came.setdefault(alert.id, now)
            self.about[about].add(alert.id)
            self.groups[alert.table, alert.check].add(alert.id)
        return new, gone

    def _forget(self, known: str) -> None:
        alert = self.alerts.pop(known)
        self.came.pop(known, None)
        self.about[alert.about].discard(known)
        self.groups[alert.table, alert.check].discard(known)

    def queue_of(self, alert: Alert, now: Micros) -> QueueName:
        """Say in which queue an alert stands now."""
        return queue_of(alert, self.floor_now(now), self.today, self.room)

    def silenced(self, alert: Alert, work: Work, now: Micros) -> str | None:
        """Say why an alert does not ring though its queue does: muted, put off, or its devices are silent."""
        case = work.case(alert.id)
        if alert.severity != "grave":
            if case.snoozed_until is not None and now < case.snoozed_until:
                return f"put off by {case.snoozed_by}"
            muted: Muted | None = work.muting(alert.check, alert.table, now)
            if muted is not None:
                return f"muted by {muted.by}: {muted.reason}"
        for device, since in self.silent.get(alert.table, {}).items():
            if alert.at is not None and alert.at >= since and alert.severity != "grave":
                return f"{device} is silent"
        return None

    def ring(self, alert: Alert, work: Work, now: Micros) -> bool:
        """Say whether an alert that has just come is to be heard, and keep count of it.

        What is undetermined never is, nor what somebody has, nor a repeat of what rang a while ago.
        """
        group = (alert.table, alert.check)
        case = work.case(alert.id)
        rung = self.rung.get(group)
        again = rung is not None and now - rung < self.room.repeats_minutes * MINUTE
        if self.queue_of(alert, now) != "act_now" or case.state != "new" or again:
            return False
        if self.silenced(alert, work, now) is not None:
            return False
        self.rung[group] = now
        self.rings = [ring for ring in self.rings if now - ring.at < _HOUR]
        self.rings.append(Ring(alert.id, now))
        return True

    def rings_in_the_last_hour(self, now: Micros) -> int:
        """Count what rang within an hour."""
        return sum(now - ring.at < _HOUR for ring in self.rings)

    def shown(self, alert: Alert, work: Work, now: Micros) -> Shown:
        """Give an alert as a queue shows it."""
        case = work.case(alert.id)
        came = self.came[alert.id]
        due = due_times(alert, self.room)
        minutes = due.taken if case.acknowledged is None else due.closed
        return Shown(
            alert=alert,
            case=case,
            queue=self.queue_of(alert, now),
            came=came,
            due=came + minutes * MINUTE,
            repeats=len(self.groups[alert.table, alert.check]) - 1,
            silenced=self.silenced(alert, work, now),
        )

    def next_of(self, queue: QueueName | None, work: Work, now: Micros, hidden: frozenset[str]) -> str | None:
        """Give the first alert of a queue, or of all in their order, that nobody has."""
        free = [
            (each.queue, order_of(each), each.alert.id)
            for each in (
                self.shown(alert, work, now)
                for alert in self.alerts.values()
                if f"alert:{alert.id}" not in hidden
            )
            if each.case.state == "new" and each.silenced is None and queue in (None, each.queue)
        ]
        if not free:
            return None
        return min(free, key=lambda each: (_QUEUES.index(each[0]), each[1]))[2]


_QUEUES: Final[tuple[QueueName, ...]] = ("act_now", "this_shift", "nightly")


def order_of(shown: Shown) -> tuple[int, int, int, str]:
    """Sort the gravest first, among these the newest."""
    alert = shown.alert
    mismatch = 0 if alert.weight == "mismatch" else 1
    return mismatch, _GRAVITY[alert.severity], -(alert.at or 0), alert.id
