"""Chips from the cage to a table and back: fills by 465a.38, and table credits."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from schemas import events, ledgers
from schemas.values import Denominations, Person, total
from streams.simulator.money import people
from streams.simulator.money.chips import in_fill
from streams.simulator.money.till import Till

_MINUTE: Final = 60_000_000
_FILL_TIME: Final = 9 * _MINUTE  # from the request to the count at the table
_LOW: Final = 24_000_000  # cents in the tray, below which a fill is asked for
_RICH: Final = 34_000_000
_LEFT: Final = 30_000_000
_FILLS: Final = (3_000_000, 4_000_000, 5_000_000, 6_000_000)
_SHORT: Final = 100_000  # cents that are missing from a short fill, or too many on a wrong request
_VOIDED: Final = 0.03  # of the slips, rightly


class Fill(Struct):
    """A fill in progress: what is requested, issued, carried by whom, brought, and counted at the table.

    Without `requested` nobody made out a request; `brought` is what really comes into the tray.
    """

    slip: str
    request: str
    requested: Denominations | None
    issued: Denominations
    carrier: Person | None
    brought: int
    counted: Denominations


def carry(till: Till, ordinal: int, at: int) -> None:
    """Move chips to a tray that is low, or from one that is rich, before a round."""
    if at - till.table.script.happenings[0].at < 2 * _FILL_TIME:
        return  # what was asked for before the gaming day began would be of another
    if till.cents < _LOW:
        _fill(till, ordinal, at)
    elif till.cents > _RICH:
        _credit(till, at)


def _fill(till: Till, ordinal: int, at: int) -> None:
    fault = till.one_of(_FAULTS)
    if fault == "slip_missing" and not till.carried.numbers.get("F"):
        fault = None  # before the first number that anyone sees none is missing
    if fault == "short_fill_unnoticed" and not till.may_go_wrong(ordinal):
        fault = None
    _spoil(till, at, fault)
    chips = in_fill(till.rng.choice(_FILLS))
    fill = Fill(
        slip=till.number("F"),
        request="by telephone" if fault == "fill_without_request" else till.number("R"),
        requested=chips,
        issued=chips,
        carrier=people.security(ordinal),
        brought=total(chips),
        counted=chips,
    )
    goes = _GOES.get(fault or "")
    if goes is not None:
        goes(till, fill)
    elif fault == "short_fill_unnoticed":
        till.lose(fault, -_SHORT, ordinal)
    _enter(till, fill, at)
    till.tell(
        events.FillReceived,
        slip=fill.slip,
        cents=total(fill.counted),
        denominations=fill.counted,
        counted_by=till.dealer,
        witnessed_by=till.floorperson,
    )
    till.cents += fill.brought
    if fault != "fill_slip_not_dropped":
        till.deposit(fill.slip, total(fill.issued))
    if fill.requested is not None:
        till.deposit(fill.request, total(fill.requested))


def _enter(till: Till, fill: Fill, at: int) -> None:
    """Enter a fill in the cage's ledger: its request, its issue, and who set out with it."""
    table, enter = till.plan.name, till.books.ledgers.enter
    if fill.requested is not None:
        enter(
            "cage",
            at - _FILL_TIME,
            ledgers.FillRequested,
            request=fill.request,
            table=table,
            denominations=fill.requested,
            by=till.floorperson,
        )
    enter(
        "cage",
        at - 6 * _MINUTE,
        ledgers.FillIssued,
        slip=fill.slip,
        request=fill.request,
        table=table,
        denominations=fill.issued,
        signatures=(people.CHIP_BANK, fill.carrier or people.security(0)),
    )
    if fill.carrier is not None:
        enter("cage", at - 5 * _MINUTE, ledgers.FillEscorted, slip=fill.slip, by=fill.carrier)


def _spoil(till: Till, at: int, fault: str | None) -> None:
    """Void a Fill Slip before the fill's own, or lose one of the series."""
    if fault == "slip_missing":
        serial = till.number("F")
        till.label(fault, "slip_number_missing", table="cage", serial=serial)
        till.books.gaps.append((till.day, serial))
    elif fault == "slip_voided_unsigned" or till.rng.random() < _VOIDED:
        serial = till.number("F")
        signatures: tuple[Person, ...] = (people.CHIP_BANK, people.FINANCE)
        if fault == "slip_voided_unsigned":
            till.label(fault, fault, table="cage", serial=serial)
            signatures = signatures[:1]
        till.books.ledgers.enter(
            "cage", at - 7 * _MINUTE, ledgers.SlipVoided, slip=serial, signatures=signatures
        )


def _short(till: Till, fill: Fill) -> None:
    fill.brought -= _SHORT
    fill.counted = in_fill(fill.brought)
    till.label("short_fill", "fill_count_differs", table="cage", serial=fill.slip, delta=-_SHORT)


def _without_request(till: Till, fill: Fill) -> None:
    fill.requested = None
    till.label("fill_without_request", "fill_without_request", table="cage", serial=fill.slip)


def _other_than_requested(till: Till, fill: Fill) -> None:
    fill.requested = in_fill(total(fill.issued) + _SHORT)
    till.label(
        "fill_other_than_requested",
        "fill_differs_from_request",
        table="cage",
        serial=fill.slip,
        delta=-_SHORT,
    )


def _not_escorted(till: Till, fill: Fill) -> None:
    fill.carrier = None
    till.label("fill_not_escorted", "fill_not_escorted", table="cage", serial=fill.slip)


def _carried_by_dealer(till: Till, fill: Fill) -> None:
    fill.carrier = till.dealer
    till.label("fill_carried_by_dealer", "fill_carrier_role", table="cage", serial=fill.slip)


def _withhold_slip(till: Till, fill: Fill) -> None:
    till.box.odd = True
    till.label("fill_slip_not_dropped", "fill_slip_not_dropped", table="count_room", serial=fill.slip)


_GOES: Final[Mapping[str, Callable[[Till, Fill], None]]] = {
    "short_fill": _short,
    "fill_without_request": _without_request,
    "fill_other_than_requested": _other_than_requested,
    "fill_not_escorted": _not_escorted,
    "fill_carried_by_dealer": _carried_by_dealer,
    "fill_slip_not_dropped": _withhold_slip,
}
_FAULTS: Final = (*_GOES, "short_fill_unnoticed", "slip_missing", "slip_voided_unsigned")


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
    fault = till.one_of(("credit_unmatched", "credit_short", "credit_slip_not_dropped"))
    if fault == "credit_slip_not_dropped":
        till.box.odd = True
        till.label(fault, fault, table="count_room", serial=slip)
    else:
        till.deposit(slip, cents)
    if fault == "credit_unmatched":
        till.label(fault, "credit_unmatched", table="cage", serial=slip, delta=-cents)
        return
    if fault == "credit_short":
        chips = in_fill(cents - _SHORT)
        till.label(fault, "credit_count_differs", table="cage", serial=slip, delta=-_SHORT)
    till.books.ledgers.enter(
        "cage",
        at + 4 * _MINUTE,
        ledgers.CreditReceived,
        slip=slip,
        table=till.plan.name,
        denominations=chips,
        signatures=(people.CHIP_BANK, people.security(len(slip))),
    )
