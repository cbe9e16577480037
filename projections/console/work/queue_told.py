"""The queue as a stream tells it: which rows come, change and go for one person, and how many there are."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from projections.console.access.masking import Masking
from projections.console.live.live import Said
from projections.console.work.acting import Clock
from projections.console.work.queue_asked import QueueAsked
from projections.room.board.board import Shown
from projections.room.board.queues import QUEUES
from projections.room.board.rows import rows_of
from projections.room.desk import Desk
from projections.room.watch import News
from projections.room.work.actions import QueueName
from schemas.values import Micros

Rendering: TypeAlias = Callable[[Shown], str]
_encode: Final = msgspec.json.Encoder().encode


class Eyes(Struct, frozen=True):
    """For whom it is told: the name, what is withheld (asked each time), how names are masked; a clock.

    `root` is the path that the console has behind the person's proxy.
    """

    name: str
    hidden: Callable[[], frozenset[str]]
    masking: Masking
    wall: Clock
    root: str = ""


class Common:
    """What the streams of a room tell alike of one piece of news: it is looked up and written once for all.

    The streams hear of news one after the other; who is behind has it looked up anew.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._news: News | None = None
        self._beside: dict[frozenset[str], list[Shown]] = {}
        self._told: dict[Hashable, str] = {}

    def beside(self, news: News, now: Micros, hidden: frozenset[str]) -> list[Shown]:
        """Give the alerts that news touches, and all that a row may stand for with one of them."""
        if news is not self._news:
            self._news, self._beside, self._told = news, {}, {}
        if hidden not in self._beside:
            self._beside[hidden] = self.desk.beside(news.touched, now, hidden)
        return self._beside[hidden]

    def told(self, news: News, row: Hashable, write: Callable[[], str]) -> str:
        """Give how a row of some news is told; it is written unless it was already."""
        if news is not self._news:
            return write()
        if row not in self._told:
            self._told[row] = write()
        return self._told[row]


class QueueTold:
    """The rows of a queue as a page has them, kept for one stream.

    It knows for each alert that stands for a row in which queue, so that what changes is told and counted
    without asking for all the others.
    """

    def __init__(
        self, common: Common, asked: QueueAsked, eyes: Eyes, rendered: Rendering, began: int
    ) -> None:
        self._common, self._asked, self._eyes, self._rendered = common, asked, eyes, rendered
        self.began = began
        shown = self._wanted(common.desk.shown(eyes.wall(), eyes.hidden()))
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
        beside = self._common.beside(news, self._eyes.wall(), hidden)
        if self._asked.every:  # a row stands for nothing beside it
            beside = [each for each in beside if each.alert.id in news.touched]
        rows = {row.alert.id: row for row in rows_of(self._wanted(beside), every=self._asked.every)}
        before = self._counts.copy()
        for alert in dict.fromkeys([*news.touched, *(each.alert.id for each in beside)]):
            row, was = rows.get(alert), self._rows.get(alert)
            if row is not None and row.queue == self._asked.queue:
                yield "alert", self._told(news, row, hidden)
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

    def _told(self, news: News, row: Shown, hidden: frozenset[str]) -> str:
        """Tell of a row, which is alike for all who see the same, with names or without."""
        named = self._eyes.masking.until(row.alert.subjects()) is not None
        alike = (row.alert.id, row.repeats, hidden, self._eyes.root, named)
        return self._common.told(news, alike, lambda: self._written(row))

    def _written(self, row: Shown) -> str:
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
