"""The tables that a worker leaves out, because the house file is at fault about them.

Their records are passed over and acknowledged, as those of the other tables in the partition are. A table's
state notes how far that went: a worker with a mended house file reads them again (`Tables.owed`).
"""

import hashlib
from collections.abc import Container, Iterable, Mapping

from streams.archive.record_names import NOTHING_YET
from streams.messages import Quarantined
from streams.worker.frame_record import Record
from streams.worker.table_snapshot import FORM, Applied, read, written


class LeftOut:
    """Why tables are left out (`reasons`, by table), and how far they were; `stored` has the states."""

    def __init__(self, reasons: Mapping[str, str], stored: Mapping[str, str]) -> None:
        self._reasons, self._stored = reasons, stored
        self._last: dict[str, Record] = {}  # of those that came since the states were last given
        self._told: set[str] = set()

    def __contains__(self, table: str) -> bool:
        """Return True if a table is left out."""
        return table in self._reasons

    def take(self, record: Record) -> Quarantined | None:
        """Leave a record out. The first of its table gives the quarantine's row, one for each reason."""
        table = record.key
        if record.cluster is None:
            self._last[table] = record
        if table in self._told:
            return None
        self._told.add(table)
        reason = f"table {table} is left out: {self._reasons[table]}"
        name = hashlib.sha256(reason.encode()).hexdigest()[:16]
        return Quarantined(
            id=f"left out/{table}/{name}",
            where=record.place,
            reason=f"{reason}. Mend the house file and restart the worker: it judges what was left out",
            payload="",
            table=table,
        )

    def states(self, names: Container[str] | None) -> Iterable[tuple[str, int, str]]:
        """Yield the states of tables of which records were left out, as `Tables.states` does."""
        for table in [each for each in self._last if names is None or each in names]:
            record = self._last.pop(table)
            state = read(self._stored.get(table, ""))
            if state is None or state.offset > record.offset:  # of another form, or of a log that is no more
                state = Applied(FORM, record.partition, NOTHING_YET, 0, 0, None)
            state.left_out = record.offset
            yield table, record.partition, written(state)
