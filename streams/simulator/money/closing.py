"""The end of a floor's gaming days: the boxes are counted, and the ledgers closed."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from random import Random
from typing import Final

from msgspec import UNSET

from schemas.ledgers import LedgerClosed, SerialExceptionReported
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.money.books import Books
from streams.simulator.money.count_room import count
from streams.simulator.money.ledgers import DEVICES
from streams.simulator.sessions import Daily, Session

_KIND: Final = "unopened_not_counted"


def shut_days(sessions: Sequence[Session], daily: Daily, rng: Random) -> set[date]:
    """Choose the days on which a table stays closed: before and after each it opens."""
    shut: set[date] = set()
    for before, session in pairwise(sessions[:-1]):
        rate = daily[session.day][_KIND]
        if rate and before.day not in shut and rng.random() < rate:
            shut.add(session.day)
    return shut


def uncounted(table: str, day: date) -> FaultLabel:
    """Write the label of such a day."""
    return FaultLabel(
        fault=_KIND,
        table=table,
        gaming_date=str(day),
        round=None,
        shoe=None,
        primary=ExpectedFinding(check=_KIND),
        follows=[],
        delta_cents=None,
    )


_MINUTE: Final = 60_000_000
_HOUR: Final = 60 * _MINUTE
_WITHIN: Final = timedelta(days=2)  # internal audit is notified of a missing number, 465a.3(c)


def close(books: Books, sessions: Sequence[Session], daily: Daily, rng: Random) -> None:
    """Count the boxes of each gaming day, report its coupons, and close its ledgers."""
    counted = {session.day: count(books, session, daily[session.day], rng) for session in sessions}
    _report(books, sessions, daily, rng)
    for session in sessions:
        rate = daily[session.day]["coupon_form_wrong"]
        if rate and rng.random() < rate:
            books.programme.day(session.day).mistold = True
            _label(books, "coupon_form_wrong", "form_distributed_wrong", "coupons", session.day)
    _stop_reconciling(books, sessions, daily, rng)
    books.programme.enter(books.ledgers, sessions, counted)
    for day, at in counted.items():
        for ledger in DEVICES:
            books.ledgers.enter(ledger, at + 8 * _MINUTE, LedgerClosed, date=day)


def _stop_reconciling(books: Books, sessions: Sequence[Session], daily: Daily, rng: Random) -> None:
    """Make finance stop reconciling coupons from some day on."""
    kind = "coupons_not_reconciled"
    stopped = False
    for session in sessions:
        rate = daily[session.day][kind]
        stopped = stopped or (bool(rate) and rng.random() < rate)
        if stopped:
            books.programme.day(session.day).unreconciled = True
            _label(books, kind, "reconciliation_missing", "coupons", session.day)


def _report(books: Books, sessions: Sequence[Session], daily: Daily, rng: Random) -> None:
    """Report missing numbers to internal audit on the day after they were found, or forget to."""
    days = {session.day: session for session in sessions}
    kind = "serial_exception_unreported"
    for found, serial in books.gaps:
        due = found + _WITHIN
        if due in days and (rate := daily[due][kind]) and rng.random() < rate:
            _label(books, kind, kind, "cage", due, serial)
        elif (morning := days.get(found + timedelta(days=1))) is not None:
            books.ledgers.enter(
                "cage", morning.first + _HOUR, SerialExceptionReported, serials=(serial,), found=found
            )


def _label(books: Books, fault: str, check: str, ledger: str, day: date, serial: str | None = None) -> None:
    books.labels.append(
        FaultLabel(
            fault=fault,
            table=ledger,
            gaming_date=str(day),
            round=None,
            shoe=None,
            primary=ExpectedFinding(check=check, serial=UNSET if serial is None else serial),
            follows=[],
            delta_cents=None,
        )
    )
