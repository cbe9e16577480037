"""A table's frames in an archive as one log, whole or in part, as audits and reports read them."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from msgspec import Struct

from streams.archive.archive_reader import Filed, filed
from streams.archive.record_names import Position, shown


class ArchivedLog(Struct, frozen=True):
    """A table's frames in an archive as a log that can be audited.

    `after` leaves out what lies before it, `days` what is filed under others.
    """

    archive: Path
    filed: str
    after: Position | None = None
    days: frozenset[date] | None = None

    @property
    def name(self) -> str:
        """The table."""
        return shown(self.filed)

    @property
    def key(self) -> str:
        """The key that its frames were sent under."""
        return shown(self.filed)

    def records(self) -> Iterator[Filed]:
        """Read the records that its payloads are of."""
        return filed(self.archive, self.filed, self.after, days=self.days)

    def placed(self) -> Iterator[tuple[Position, str, bytes]]:
        """Read the payloads: where the record stands, place for messages, bytes."""
        name = self.name
        for day, record in ((each.day, each.record) for each in self.records()):
            yield record.position, f"{day}/{name}:{record.offset}", record.payload or b""

    def payloads(self) -> Iterator[tuple[int, str, bytes]]:
        """Read the payloads: offset, place for messages, bytes."""
        return ((position[-1], where, payload) for position, where, payload in self.placed())
