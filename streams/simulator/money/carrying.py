"""Chips from the cage to a table and back: fills by 465a.38, and table credits."""

from typing import Final

from schemas import events, ledgers
from streams.simulator.money import people
from streams.simulator.money.chips import in_fill
from streams.simulator.money.till import Till

_MINUTE: Final = 60_000_000
_ASKED: Final = 9 * _MINUTE  # from the request to the count at the table
_LOW: Final = 24_000_000  # cents in the tray, below which a fill is asked for
_RICH: Final = 34_000_000
_LEFT: Final = 30_000_000
_FILLS: Final = (3_000_000, 4_000_000, 5_000_000, 6_000_000)


def carry(till: Till, ordinal: int, at: int) -> None:
    """Bring chips where the tray is low, take some away where it is rich, before a round."""
    if at - till.table.script.happenings[0].at < 2 * _ASKED:
        return  # what was asked for before the gaming day began would be of another
    if till.cents < _LOW:
        _fill(till, ordinal, at)
    elif till.cents > _RICH:
        _credit(till, at)


def _fill(till: Till, ordinal: int, at: int) -> None:
    cents = till.rng.choice(_FILLS)
    chips, table, enter = in_fill(cents), till.plan.name, till.books.ledgers.enter
    request, slip = till.number("R"), till.number("F")
    carrier = people.security(ordinal)
    enter(
        "cage",
        at - _ASKED,
        ledgers.FillRequested,
        request=request,
        table=table,
        denominations=chips,
        by=till.floorperson,
    )
    enter(
        "cage",
        at - 6 * _MINUTE,
        ledgers.FillIssued,
        slip=slip,
        request=request,
        table=table,
        denominations=chips,
        signatures=(people.CHIP_BANK, carrier),
    )
    enter("cage", at - 5 * _MINUTE, ledgers.FillEscorted, slip=slip, by=carrier)
    till.tell(
        events.FillReceived,
        slip=slip,
        cents=cents,
        denominations=chips,
        counted_by=till.dealer,
        witnessed_by=till.floorperson,
    )
    till.cents += cents
    for paper in (slip, request):
        till.tell(events.SlipDropped, slip=paper)
        till.box.slips[paper] = cents


def _credit(till: Till, at: int) -> None:
    cents = (till.cents - _LEFT) // 1_000_000 * 1_000_000
    chips, slip = in_fill(cents), till.number("C")
    till.tell(
        events.CreditSent,
        slip=slip,
        cents=cents,
        denominations=chips,
        counted_by=till.dealer,
        witnessed_by=till.floorperson,
    )
    till.cents -= cents
    till.books.ledgers.enter(
        "cage",
        at + 4 * _MINUTE,
        ledgers.CreditReceived,
        slip=slip,
        table=till.plan.name,
        denominations=chips,
        signatures=(people.CHIP_BANK, people.security(len(slip))),
    )
    till.tell(events.SlipDropped, slip=slip)
    till.box.slips[slip] = cents
