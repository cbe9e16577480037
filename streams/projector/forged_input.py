"""Input of those who may not send it: rows of the quarantine, and one alert for each place it came from.

The alert is an account of a gaming day, found critical. Its revision is how many rows there are by then:
read again it is the same one, and however much comes, it rings once.
"""

import threading
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from projections.casework import alert_watch
from projections.casework.cases.alert import SENDER_REFUSED
from projections.casework.command_handler import CommandHandler
from projections.engine.checks.plugin_checks import software
from projections.engine.conclusion import Conclusion, Line, id_of_table_day
from projections.engine.facts import Word, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised, identify
from projections.store.rows import QuarantinedRecord, as_stored, utc
from projections.store.runs import Run
from projections.store.store import Store
from schemas.house import House
from streams import processes
from streams.topics import QUARANTINE

PLACE: Final = "devices"
ACCOUNT: Final = "senders"
FORGED: Final = Kind(
    check=SENDER_REFUSED,
    severity="critical",
    asks="Did something report what it may not report?",
    false_positives="A device that was added or moved, and that the house file does not name there yet.",
)
_RUN: Final = "senders"
_SELECT_CODES: Final = "SELECT id, code FROM quarantine WHERE code IS NOT NULL AND source = ? AND noted >= ?"


class ForgedInputAlerts:
    """Stores the rows of refused senders, and raises alerts about them."""

    def __init__(self, store: Store, house: House, commands: CommandHandler) -> None:
        self._store, self._house, self._commands = store, house, commands
        # What follows Kafka and what takes actions back both come here, each in a thread of its own.
        self._storing = threading.Lock()

    def take_house(self, house: House, left_out: Mapping[str, str]) -> None:  # noqa: ARG002  of a protocol
        """Find the gaming day from now on by another house."""
        self._house = house

    def store(self, refused: Sequence[QuarantinedRecord]) -> None:
        """Store rows that have a code, with the alert of each place they came from, and ring.

        Raises:
            DiscardrackError: the store cannot be written.
        """
        with self._storing:
            self._store_all(refused)

    def _store_all(self, refused: Sequence[QuarantinedRecord]) -> None:
        now = processes.now()
        today, begins, _ = self._house.gaming_day(now)
        # By the floor's own clocks, by which casework decides what is urgent.
        alert_queue = self._commands.alert_queue
        day, at = (alert_queue.today if alert_queue.today > date.min else today), alert_queue.floor_now(now)
        run = self._run()
        arrived: list[alert_watch.ReceivedConclusion] = []
        for source in sorted({each.source or "" for each in refused}):
            rows: dict[str, str] = {
                each.id: each.code or "" for each in refused if (each.source or "") == source
            }
            with self._store.reading().cursor() as reading:
                codes = reading.execute(_SELECT_CODES, [source, as_stored(begins)]).fetchall()
            rows |= dict(codes)
            arrived.append(
                alert_watch.ReceivedConclusion(_conclusion_of(source, day, rows), run.run, at, now, now)
            )
        came = self._commands.take_conclusions(arrived, now)
        entries = [(each.basis, each.conclusion, each.conclusion.lines[0].count or 1) for each in arrived]
        self._store.write_batch({run: entries}, refused, came=came)
        self._commands.confirm_written(1)

    def _run(self) -> Run:
        for run in self._store.runs():
            if (run.run, run.kind) == (f"{_RUN} {software()}", "senders"):
                return run
        return Run(
            f"{_RUN} {software()}",
            utc(as_stored(processes.now())),
            software(),
            QUARANTINE,
            self._house.zone,
            "senders",
        )


def _conclusion_of(source: str, day: date, rows: dict[str, str]) -> Conclusion:
    """Conclude what came from a place on a gaming day: `rows` are the codes by the rows' ids."""
    # With its own place: input from another source is no repeat, and rings too.
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
