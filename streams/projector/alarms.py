"""What somebody sent who may not send it: rows of the quarantine, and one alert for each place it came from.

The alert is an account of a gaming day, found grave. Its revision is how many rows there are by then: read
again it is the same one, and however much comes, it rings once.
"""

from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from typing import Final

from projections.casework import alert_watch
from projections.casework.cases.alert import SENDER_REFUSED
from projections.casework.command_handler import Desk
from projections.engine.conclusion import Conclusion, Line
from projections.engine.facts import Word, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised, identify
from projections.engine.identity import id_of_table_day
from projections.store.rows import Refused
from projections.store.runs import Run
from projections.store.store import Store
from projections.store.stored_times import as_stored, utc
from schemas.house import House
from streams import clock
from streams.topics import QUARANTINE

PLACE: Final = "devices"
ACCOUNT: Final = "senders"
FORGED: Final = Kind(
    check=SENDER_REFUSED,
    severity="grave",
    asks="Did something report what it may not report?",
    false_positives="A device that was added or moved, and that the house file does not name there yet.",
)
_RUN: Final = "senders"
_KNOWN: Final = "SELECT id, code FROM quarantine WHERE code IS NOT NULL AND source = ? AND noted >= ?"


class Alarms:
    """Keeps refused senders' rows in a store, and tells the room of them."""

    def __init__(self, store: Store, house: House, desk: Desk) -> None:
        self._store, self._house, self._desk = store, house, desk

    def take(self, refused: Sequence[Refused]) -> None:
        """Store rows that have a code, with the alert of each place they came from, and ring.

        Raises:
            DiscardrackError: the store cannot be written.
        """
        now = clock.now()
        today, begins, _ = self._house.gaming_day(now)
        # By the floor's own clocks, by which the room tells what is urgent.
        board = self._desk.board
        day, at = (board.today if board.today > date.min else today), board.floor_now(now)
        run = self._run()
        arrived: list[alert_watch.Arrived] = []
        for source in sorted({each.source or "" for each in refused}):
            rows: dict[str, str] = {
                each.id: each.code or "" for each in refused if (each.source or "") == source
            }
            with self._store.reading().cursor() as reading:
                known = reading.execute(_KNOWN, [source, as_stored(begins)]).fetchall()
            rows |= dict(known)
            arrived.append(alert_watch.Arrived(_said(source, day, rows), run.run, at, now, now))
        came = self._desk.concluded(arrived, now)
        entries = [(each.basis, each.said, each.said.lines[0].count or 1) for each in arrived]
        self._store.take({run: entries}, refused, came=came)
        self._desk.written(1)

    def _run(self) -> Run:
        for run in self._store.runs():
            if (run.run, run.source) == (f"{_RUN} {version('discardrack')}", QUARANTINE):
                return run
        return Run(
            f"{_RUN} {version('discardrack')}",
            utc(as_stored(clock.now())),
            version("discardrack"),
            QUARANTINE,
            self._house.zone,
        )


def _said(source: str, day: date, rows: dict[str, str]) -> Conclusion:
    """Conclude what came from a place on a gaming day: `rows` are the codes by the rows' ids."""
    # A place of its own: what comes from another one is no repeat, and is heard too.
    table = f"{PLACE} {source}"
    codes = sorted(set(rows.values()))
    message = fact("audit.sender_refused", times=len(rows), source=source, codes=listed(*map(Word, codes)))
    raised = Raised(kind=FORGED, message=message, cites=(HOUSE_CONTROL,), who=source)
    return Conclusion(
        table=table,
        account=ACCOUNT,
        gaming_date=day,
        chapter="465a",
        verdict="mismatch",
        outcome=None,
        expected=(),
        findings=tuple(identify([raised], about=f"{id_of_table_day(day, table)}|{ACCOUNT}", day=day)),
        notes=(),
        lines=(
            Line(name="refused", count=len(rows)),
            *(Line(name=code, count=list(rows.values()).count(code)) for code in codes),
        ),
    )
