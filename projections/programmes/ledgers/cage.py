"""The cage's ledger: requests, fills, escorts, table credits, voids, notices, reports, chips cashed.

The state of a gaming day holds its entries as they were made; what outlives the day is named in `turn`.
"""

from collections.abc import Callable

from msgspec import Struct

from schemas.ledgers import (
    ChipsCashed,
    CreditReceived,
    ErrorNotified,
    FillEscorted,
    FillIssued,
    FillRequested,
    LedgerEvent,
    SerialExceptionReported,
    SlipVoided,
)


class Paid(Struct):
    """Cash that a patron was paid for chips, in how many goes."""

    cents: int = 0
    count: int = 0


class Cage(Struct):
    """A gaming day at the cage.

    `waiting` are requests of the day before that no fill answered, `underway` fills and `early` credits of
    the day before that one side alone had seen by the turn of the day. `cashed` is keyed by patron, "" where
    nobody is named.
    """

    requests: list[FillRequested] = []
    fills: list[FillIssued] = []
    escorts: list[FillEscorted] = []
    credits: list[CreditReceived] = []
    voids: list[SlipVoided] = []
    notices: list[ErrorNotified] = []
    reports: list[SerialExceptionReported] = []
    cashed: dict[str, Paid] = {}
    waiting: list[FillRequested] = []
    underway: list[FillIssued] = []
    early: list[str] = []

    def turn(self, under_way: Callable[[int], bool], early: list[str]) -> "Cage":
        """Begin the next day: with what was asked for and not filled, and fills that were on their way."""
        filled = {each.request for each in self.fills}
        return Cage(
            waiting=[each for each in self.requests if each.request not in filled],
            underway=[each for each in self.fills if under_way(each.at)],
            escorts=[each for each in self.escorts if under_way(each.at)],
            early=early,
        )


def evolve(cage: Cage, entry: LedgerEvent) -> None:
    """Let an entry of the cage change its day in place; what is of another ledger changes nothing."""
    match entry:
        case FillRequested():
            cage.requests.append(entry)
        case FillIssued():
            cage.fills.append(entry)
        case FillEscorted():
            cage.escorts.append(entry)
        case CreditReceived():
            cage.credits.append(entry)
        case SlipVoided():
            cage.voids.append(entry)
        case ErrorNotified():
            cage.notices.append(entry)
        case SerialExceptionReported():
            cage.reports.append(entry)
        case ChipsCashed():
            paid = cage.cashed.setdefault(entry.patron or "", Paid())
            paid.cents += entry.cents
            paid.count += 1
        case _:
            pass  # the ledger's closing, which `entries` has told; others do not belong here
