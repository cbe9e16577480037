"""The queue as a stream tells it: which rows come, change and go for one person, and how many there are."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from projections.board.board import Shown
from projections.board.rows import QUEUES, rows_of
from projections.console.access.masking import Masking
from projections.console.acting import Clock
from projections.console.live import Said
from projections.console.queue_asked import QueueAsked
from projections.desk import Desk
from projections.watch import News
from projections.work.actions import QueueName

Rendering: TypeAlias = Callable[[Shown], str]
_encode: Final = msgspec.json.Encoder().encode


class Eyes(Struct, frozen=True):
    """For whom it is told: the name, what is withheld (asked each time), how names are masked; a clock."""

    name: str
    hidden: Callable[[], frozenset[str]]
    masking: Masking
    wall: Clock


class QueueTold:
    """The rows of a queue as a page has them, kept for one stream.

    It knows for each alert that stands for a row in which queue, so that what changes is told and counted
    without asking for all the others.
    """

    def __init__(self, desk: Desk, asked: QueueAsked, eyes: Eyes, rendered: Rendering, began: int) -> None:
        self._desk, self._asked, self._eyes, self._rendered = desk, asked, eyes, rendered
        self.began = began
        shown = self._wanted(desk.shown(eyes.wall(), eyes.hidden()))
        self._rows: dict[str, QueueName] = {
            row.alert.id: row.queue for row in rows_of(shown, every=asked.every)
        }
        self._counts = Counter(self._rows.values())

    def hello(self) -> Iterator[Said]:
        """Tell how many rows each queue has."""
        yield self._counted()

    def _counted(self) -> Said:
        return "counts", _encode({queue: self._counts[queue] for queue in QUEUES}).decode()

    def since(self, news: News) -> Iterator[Said]:
        """Tell what news at the desk changed: rows, their number, and what is to be heard.

        What is withheld from the person while the stream is open is not told any more, nor that it is gone.
        """
        hidden = self._eyes.hidden()
        beside = self._desk.beside(news.touched, self._eyes.wall(), hidden)
        rows = {row.alert.id: row for row in rows_of(self._wanted(beside), every=self._asked.every)}
        before = self._counts.copy()
        for alert in dict.fromkeys([*news.touched, *(each.alert.id for each in beside)]):
            row, was = rows.get(alert), self._rows.get(alert)
            if row is not None and row.queue == self._asked.queue:
                yield "alert", self._told(row)
            elif was == self._asked.queue:
                yield "gone", _encode({"id": alert}).decode()
            self._now(alert, row)
        if self._counts != before:
            yield self._counted()
        for each in beside:
            if each.alert.id in news.rings:
                yield "ring", _encode(_heard(each)).decode()
        if beside:
            yield "acted", "{}"

    def _wanted(self, shown: Iterable[Shown]) -> Iterator[Shown]:
        return (each for each in shown if self._asked.wants(each, self._eyes.name, self._eyes.masking))

    def _now(self, alert: str, row: Shown | None) -> None:
        was = self._rows.pop(alert, None)
        if was is not None:
            self._counts[was] -= 1
        if row is not None:
            self._rows[alert] = row.queue
            self._counts[row.queue] += 1

    def _told(self, row: Shown) -> str:
        alert = row.alert
        told = {
            "id": alert.id,
            "queue": row.queue,
            "severity": alert.severity,
            "table": alert.table,
            "state": row.case.state,
            "row": self._rendered(self._eyes.masking.masked(row, alert.subjects())),
        }
        return _encode(told).decode()


def _heard(shown: Shown) -> dict[str, str]:
    alert = shown.alert
    return {"id": alert.id, "table": alert.table, "check": alert.check, "severity": alert.severity}
