"""The ledgers of a gaming day reconciled with its tables, from the first day that the ledgers have.

A day continues from what the day before left over. That is stored with the reports. If it is missing, or was
made of something else, the days before are audited and reconciled again, so that a day has the same result
whatever was stored.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.checks.plugin_checks import software
from projections.engine.conclusion import Conclusion
from projections.programmes.ledgers.entries import OrderedLedger
from projections.programmes.ledgers.ledger_days import OutstandingCheck
from projections.programmes.ledgers.reconciliation import Carried, reconcile
from projections.store.disk import atomic_output, make_folder
from replay.exports.report.folder import PRIVATE
from replay.nightly.gaming_days import day_of
from replay.nightly.table_day import TableDay
from replay.recording.ledger_days import ledger_of
from replay.recording.recording import Recording
from schemas.codec import Frame
from schemas.house import House
from schemas.ledgers import Ledger
from streams.log import Unread

CARRIED: Final = ".carried"
_encode: Final = msgspec.json.Encoder().encode
_sorted: Final = msgspec.json.Encoder(order="sorted").encode

# Audits the tables of a day.
Tables = Callable[[date], Sequence[TableDay]]


class LedgerReconciliation(Struct, frozen=True):
    """The ledgers' accounts of a day, when anything of them was last received, and what cannot be read.

    `outstanding` are the Counter Checks that are owed as the day ends, by number.
    """

    accounts: tuple[Conclusion, ...]
    received: int
    unread: tuple[str, ...]
    outstanding: Mapping[str, OutstandingCheck]


class _Left(Struct, frozen=True):
    """Remainder of a day, and the hash of what the ledgers held up to then."""

    made_of: str
    carried: Carried


_read: Final = msgspec.json.Decoder(_Left).decode
_FORM: Final = msgspec.json.encode(msgspec.json.schema(_Left))


def reconcile_day(recording: Recording, day: date, tables: Tables, out: Path) -> LedgerReconciliation:
    """Reconcile a day; `tables` audits the tables of a day, `out` is the folder of the reports.

    Raises:
        BadInput: the archive is damaged, or tables of a day before cannot be audited.
    """
    house = recording.house
    unread: list[Unread] = []
    received = 0
    ledgers: dict[Ledger, OrderedLedger] = {}
    bounds = day_of(house, day)

    def counted(name: Ledger) -> Iterator[Frame | Unread]:
        nonlocal received
        for frame in recording.frames(name):
            if isinstance(frame, Frame) and any(bounds.holds(event.at) for event in frame.events):
                received = max(received, frame.received)
            yield frame

    for name in house.ledgers:
        ledgers[name], lacking = ledger_of(counted(name), name, house)
        unread += lacking
    if not ledgers:
        return LedgerReconciliation((), 0, (), {})
    accounts: tuple[Conclusion, ...] = ()
    made_of = _made_of(house, day, ledgers)
    folder = out / CARRIED
    make_folder(folder)
    folder.chmod(PRIVATE)  # patrons are named there
    begin, carried = _last_carried(made_of, day, folder)
    for each, ledger in made_of.items():
        if each >= begin:
            accounts = _day(house, each, ledgers, tables(each), carried)
            with atomic_output(folder / f"{each}.json") as file:
                file.write(_encode(_Left(ledger, carried)))
    return LedgerReconciliation(accounts, received, tuple(each.error for each in unread), carried.checks.owed)


def _day(
    house: House,
    day: date,
    ledgers: Mapping[Ledger, OrderedLedger],
    tables: Sequence[TableDay],
    carried: Carried,
) -> tuple[Conclusion, ...]:
    """Reconcile one day; what was carried is what it leaves over, afterwards."""
    return reconcile(
        day,
        ledgers,
        [account for each in tables for account in each.totals.accounts.values()],
        house,
        carried,
        played=[event for each in tables for event in each.totals.played],
        unreported={name for each in tables for name in each.totals.unreported},
        unread={name for each in tables for name in each.totals.unread},
    )


def _made_of(house: House, day: date, ledgers: Mapping[Ledger, OrderedLedger]) -> dict[date, str]:
    """Hash, for each day up to one, what the ledgers held up to then, house, software and form."""
    first = min((min(each.days) for each in ledgers.values() if each.days), default=day)
    hashed = hashlib.sha256(_sorted([software(), house]) + _FORM)
    found: dict[date, str] = {}
    for number in range(max(0, (day - first).days) + 1):
        at = min(first, day) + timedelta(days=number)
        entries = [at, {name: each.days.get(at, ()) for name, each in ledgers.items()}]
        hashed.update(_sorted(msgspec.to_builtins(entries, str_keys=True)))
        found[at] = hashed.hexdigest()
    return found


def _last_carried(made_of: Mapping[date, str], day: date, folder: Path) -> tuple[date, Carried]:
    """Return the first day that has to be reconciled again, and what the one before it left over."""
    for at in sorted(made_of, reverse=True):
        file = folder / f"{at}.json"
        if at < day and file.is_file():
            try:
                left = _read(file.read_bytes())
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue  # of another version; it is written again
            if left.made_of == made_of[at]:
                return at + timedelta(days=1), left.carried
    return min(made_of), Carried()
