"""Report lines, as an import writes them, put among the recorded frames as if a gateway had brought them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Raw, Struct

from schemas.codec import UNREAD, VERSION
from schemas.errors import BadInput
from schemas.values import Micros
from streams.gateway import lines
from streams.log import Log, RecordedPayload, payloads


class ReportedLine(Struct, frozen=True):
    """A report line as a frame that was received when its first event happened."""

    table: str
    at: Micros
    record: RecordedPayload


class _FrameReceipt(Struct):
    received: Micros


class _Moment(Struct):
    at: Micros = 0


_receipt: Final = msgspec.json.Decoder(_FrameReceipt).decode
_moment: Final = msgspec.json.Decoder(_Moment).decode


class LogWithLines(Struct, frozen=True):
    """A log with report lines among its records, each before the first one that was received later."""

    log: Log
    added: Sequence[ReportedLine]

    @property
    def name(self) -> str:
        """A file's or a table's name."""
        return self.log.name

    @property
    def key(self) -> str | None:
        """The table, where the log is of one."""
        return self.log.key

    def records(self) -> Iterator[RecordedPayload]:
        """Read the records, and the lines between them; a record that is no frame keeps its place."""
        place = 0
        for record in self.log.records():
            try:
                received = _receipt(record.payload).received
            except UNREAD:
                received = 0
            while place < len(self.added) and self.added[place].at < received:
                yield self.added[place].record
                place += 1
            yield record
        yield from (each.record for each in self.added[place:])


def logs_with_lines(logs: Sequence[Log], files: Iterable[Path]) -> list[Log]:
    """Put the report lines of files among the records of their tables; the log of one file is of every table.

    Raises:
        BadInput: a line is no report line, or of a table of which nothing is recorded.
    """
    reported = sorted((line for file in files for line in _read(file)), key=lambda line: line.at)
    of_all = [each for each in logs if each.key is None and len(logs) == 1]
    names = {each.name for each in logs}
    for line in reported:
        if not of_all and line.table not in names:
            raise BadInput(
                f"{line.record.where}: of table {line.table!r} nothing is recorded to judge it with"
            )
    return [
        LogWithLines(each, [line for line in reported if of_all or line.table == each.name]) for each in logs
    ]


def _read(file: Path) -> Iterator[ReportedLine]:
    for number, text in payloads(file):
        where = f"{file.name}:{number}"
        try:
            report = lines.read(lines.Line(number, 0, text))
            at = _moment(report.events[0]).at if report.events else 0
        except (BadInput, *UNREAD) as error:
            raise BadInput(f"{where}: no report line: {error}") from None
        yield ReportedLine(
            report.table, at, RecordedPayload(number, where, _frame(report.table, number, at, report.events))
        )


def _frame(table: str, number: int, received: Micros, events: Sequence[Raw]) -> bytes:
    return msgspec.json.encode(
        {"v": VERSION, "table": table, "frame": number, "received": received, "events": list(events)}
    )
