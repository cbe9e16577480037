"""What there is of a gaming day, and whether anything of it can still come."""

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from msgspec import Struct

from projections.programmes.ledgers.entries import Kept
from replay.nightly.gaming_days import Day, day_of, last_receipt, tables_of
from replay.nightly.survey import Survey
from replay.nightly.table_audit import surveyed
from replay.recording.event_audit import frames
from replay.recording.ledger_days import ledger_of
from schemas.errors import BadInput
from schemas.house import House
from schemas.ledgers import Ledger
from streams import log


class Recorded(Struct, frozen=True):
    """A day's tables that there is anything of, and its ledgers that have entries of it.

    Ledgers are looked at where there is no table: on a day on which none opened they alone tell of it.
    """

    day: Day
    tables: Mapping[str, Survey]
    ledgers: Mapping[Ledger, Kept]
    received: int

    def is_anything(self) -> bool:
        """Return True if anything was recorded of the day."""
        return bool(self.tables or self.ledgers)

    def open(self) -> str | None:
        """Return a table or a ledger of which something can still come; None where there is none.

        A ledger can have no more where it was closed for the day, or anything was received past it.
        """
        for name, survey in self.tables.items():
            if not survey.is_closed(self.day):
                return name
        if self.received > self.day.late:
            return None
        return next((name for name, each in self.ledgers.items() if self.day.date not in each.closed), None)


def recorded(path: Path, house: House, day: date, tables: Mapping[str, Survey]) -> Recorded:
    """Return what there is of a day, of whose tables the surveys are known.

    Raises:
        BadInput: the archive is damaged.
    """
    ledgers = {} if tables else _entered(path, house, day)
    return Recorded(day_of(house, day), tables, ledgers, last_receipt(path) if ledgers else 0)


def last_closed(path: Path, house: House) -> date:
    """Return the last gaming day of an archive that has closed.

    It is over by the archive's last receipt, or every table that opened on it was closed.

    Raises:
        BadInput: there is none.
    """
    received = last_receipt(path)
    if received:
        last = house.gaming_date(received)
        found = _surveyed(path, house, last)
        if found.is_anything() and found.open() is None:
            return last
        before = last - timedelta(days=1)
        if _surveyed(path, house, before).is_anything():
            return before
    raise BadInput(f"{path}: no gaming day in it has closed; name one with --gaming-day")


def _surveyed(path: Path, house: House, day: date) -> Recorded:
    surveys = {each.name: surveyed(path, each, house, day) for each in tables_of(path, house)}
    return recorded(path, house, day, {name: each for name, each in surveys.items() if each.opened})


def _entered(path: Path, house: House, day: date) -> dict[Ledger, Kept]:
    found: dict[Ledger, Kept] = {}
    for recorded_log in log.logs(path):
        for name in house.ledgers:
            if recorded_log.name == name:
                kept, _ = ledger_of(frames(recorded_log), name, house)
                if day in kept.days or any(of == day for of, _ in kept.refused):
                    found[name] = kept
    return found
