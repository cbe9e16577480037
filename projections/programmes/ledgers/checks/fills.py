"""Was each fill requested, carried by security, and booked equally by cage and table?"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.conclusion import Line
from projections.engine.facts import Cents, Fact, SerialRef, StaffRef, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase, differing
from projections.programmes.ledgers.tables import Carriage, TableDayAccount
from schemas.ledgers import CreditReceived, FillIssued, FillRequested
from schemas.serials import serial_ranges
from schemas.values import total

# ── Was each fill requested, by an authorized person, on a slip with what and where? 465a.38(a), (b) ────

WITHOUT: Final = Duty(
    "fill_without_request",
    severity="medium",
    asks="Was there a Fill Request Slip of its own before the fill was issued?",
    false_positives="A request that was not keyed in.",
    cites=("465a.38(a)",),
    paper="slip",
)
ROLE: Final = Duty(
    "fill_request_role",
    severity="medium",
    asks="Was the Fill Request Slip made out by a pit clerk, a floorperson or someone above them?",
    false_positives="A role that was keyed in wrongly.",
    cites=("465a.38(a)",),
    paper="slip",
)
UNSIGNED: Final = Duty(
    "fill_request_unsigned",
    severity="medium",
    asks="Did a floorperson or someone above sign the Fill Request Slip?",
    false_positives="A signature beside the pit clerk's that was not keyed in.",
    cites=("465a.38(b)(5)",),
    paper="slip",
)
EMPTY: Final = Duty(
    "fill_request_incomplete",
    severity="medium",
    asks="Does the Fill Request Slip say which denominations are asked for, and how much of each?",
    false_positives="Something that stands on the paper and was not keyed in.",
    cites=("465a.38(b)(2)", "465a.38(b)(3)"),
    paper="slip",
)
TABLE: Final = Duty(
    "fill_request_table",
    severity="medium",
    asks="Does the Fill Request Slip name a table of the house, and was that one filled?",
    false_positives="A table that goes by two names.",
    cites=("465a.38(b)(4)",),
    paper="slip",
)
DIFFERS: Final = Duty(
    "fill_differs_from_request",
    severity="medium",
    asks="Were the chips issued those that were asked for, by denomination?",
    false_positives="Chips that the bank did not have and put in others for, with a new request on paper.",
    cites=("465a.38(b)(2)", "465a.38(b)(3)"),
    paper="slip",
)
REQUEST_KINDS: Final = (WITHOUT, ROLE, UNSIGNED, EMPTY, TABLE, DIFFERS)

_MAKERS: Final = ("pit_clerk", "floorperson", "pit_manager", "shift_manager")


def check_request(case: DayCase) -> Iterator[Raised]:
    """Raise what is wrong with the day's requests, and fills that do not answer one."""
    for request in case.cage.requests:
        if not request.electronic and request.request not in case.voided:  # 465a.38(e) stands instead
            yield from _paper(case, request)
    of: dict[str, list[FillIssued]] = {}
    for fill in case.cage.fills:
        if fill.slip not in case.voided:
            of.setdefault(fill.request, []).append(fill)
    for name, fills in of.items():
        requests = [each for each in (*case.cage.pending, *case.cage.requests) if each.request == name]
        if requests and len(fills) > 1:
            yield _several(case, requests[0], fills)
            continue
        for fill in fills:
            yield from _answers(case, fill, requests)


def _paper(case: DayCase, request: FillRequested) -> Iterator[Raised]:
    slip = SerialRef(request.request)
    by = StaffRef(request.by.name, request.by.role)
    found = []
    if request.by.role not in _MAKERS:
        found.append((ROLE, fact("ledgers.request_made_by", request=slip, by=by)))
    elif request.by.role == "pit_clerk":
        found.append((UNSIGNED, fact("ledgers.request_signed_by", request=slip, by=by)))
    if not any(request.denominations.values()):
        found.append((EMPTY, fact("ledgers.request_empty", request=slip)))
    if request.table not in case.house.tables:
        unknown = fact("ledgers.request_table_unknown", request=slip, table=request.table)
        found.append((TABLE, unknown))
    for duty, message in found:
        yield case.raised(duty, message, serial=request.request, table=request.table)


def _several(case: DayCase, request: FillRequested, fills: Sequence[FillIssued]) -> Raised:
    """Raise once that several fills were issued on one request, with all that differs from it."""
    together: Counter[int] = Counter()
    for fill in fills:
        together.update(fill.denominations)
    requested, issued = total(request.denominations), total(together)
    cites = WITHOUT.cites
    if differing(request.denominations, together):
        cites += DIFFERS.cites
    elsewhere = [fill for fill in fills if fill.table != request.table]
    if elsewhere:
        cites += TABLE.cites
    early = [fill.slip for fill in fills if _is_early(case, request, fill)]
    message = fact(
        "ledgers.several_on_request",
        slips=listed(*(SerialRef(fill.slip) for fill in fills)),
        request=SerialRef(request.request),
        issued=Cents(issued),
        asked=Cents(requested),
        table=request.table,
        elsewhere=listed(
            *(fact("ledgers.slip_for", slip=SerialRef(fill.slip), table=fill.table) for fill in elsewhere)
        ),
        early=listed(*map(SerialRef, early)),
    )
    return case.raised(
        WITHOUT,
        message,
        serial=serial_ranges(fill.slip for fill in fills[1:]),
        table=fills[1].table,
        expected=requested,
        observed=issued,
        cites=cites,
    )


def _is_early(case: DayCase, request: FillRequested, fill: FillIssued) -> bool:
    return request.at > fill.at + case.house.clock_uncertainty_ms * 1000


def _answers(case: DayCase, fill: FillIssued, requests: Sequence[FillRequested]) -> Iterator[Raised]:
    slip, request_slip = SerialRef(fill.slip), SerialRef(fill.request)
    if not requests:
        message = fact("ledgers.fill_unrequested", slip=slip, request=request_slip)
        yield case.raised(WITHOUT, message, serial=fill.slip, table=fill.table, hangs_on=["cage"])
        return
    request = requests[0]
    if _is_early(case, request, fill):
        message = fact("ledgers.fill_before_request", slip=slip, request=request_slip)
        yield case.raised(WITHOUT, message, serial=fill.slip, table=fill.table)
    if request.table != fill.table:
        message = fact(
            "ledgers.fill_for_other_table",
            slip=slip,
            table=fill.table,
            request=request_slip,
            asked=request.table,
        )
        yield case.raised(TABLE, message, serial=fill.slip, table=fill.table)
    if difference := differing(request.denominations, fill.denominations):
        yield case.raised(
            DIFFERS,
            fact("ledgers.fill_differs", slip=slip, request=request_slip, chips=listed(*difference)),
            serial=fill.slip,
            table=fill.table,
            expected=total(request.denominations),
            observed=total(fill.denominations),
        )


# ── Did security carry the chips of each fill from the chip bank to its table? ────────────────────────

NOT_ESCORTED: Final = Duty(
    "fill_not_escorted",
    severity="medium",
    asks="Did someone set out with the chips of the Fill Slip?",
    false_positives="An escort that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
CARRIER: Final = Duty(
    "fill_carrier_role",
    severity="medium",
    asks="Was it security that carried the chips of the fill?",
    false_positives="A role that was keyed in wrongly.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
ESCORT_KINDS: Final = (NOT_ESCORTED, CARRIER)


def check_escort(case: DayCase) -> Iterator[Raised]:
    """Raise fills whose carrier is unknown, or is not of security."""
    for fill in case.fills_to_judge():
        carriers = [each.by for each in case.cage.escorts if each.slip == fill.slip]
        if not carriers:
            message = fact("ledgers.fill_not_carried", slip=SerialRef(fill.slip))
            yield case.raised(NOT_ESCORTED, message, serial=fill.slip, table=fill.table, hangs_on=["cage"])
        for carrier in carriers:
            if carrier.role != "security":
                by = StaffRef(carrier.name, carrier.role)
                message = fact("ledgers.fill_carried_by", slip=SerialRef(fill.slip), by=by)
                yield case.raised(CARRIER, message, serial=fill.slip, table=fill.table)


# ── Is each fill and credit at a table one of the cage, and the other way round, of the same chips? ────

_MISKEYED: Final = "A slip's number that was keyed in wrongly at the table."

FILL_UNMATCHED: Final = Duty(
    "fill_unmatched",
    severity="by_amount",
    asks="Is each fill counted at a table one that the cage issued for it, and the other way round?",
    false_positives=_MISKEYED,
    cites=("465a.36(b)(5)",),
    paper="slip",
)
FILL_COUNT: Final = Duty(
    "fill_count_differs",
    severity="by_amount",
    asks="Were the chips of the fill as counted at the table those that were issued, by denomination?",
    false_positives="A count that was keyed in wrongly.",
    cites=("465a.36(b)(5)",),
    paper="slip",
)
CREDIT_UNMATCHED: Final = Duty(
    "credit_unmatched",
    severity="by_amount",
    asks="Did each table credit that left a table come to the cage, and the other way round?",
    false_positives=_MISKEYED,
    cites=("465a.36(b)(5)",),
    paper="slip",
)
CREDIT_COUNT: Final = Duty(
    "credit_count_differs",
    severity="by_amount",
    asks="Were the chips of the credit as counted at the cage those that left the table, by denomination?",
    false_positives="A count that was keyed in wrongly.",
    cites=("465a.36(b)(5)",),
    paper="slip",
)
MATCHED_KINDS: Final = (FILL_UNMATCHED, FILL_COUNT, CREDIT_UNMATCHED, CREDIT_COUNT)

_OfCage: TypeAlias = FillIssued | CreditReceived


class _Sort(Struct, frozen=True):
    """Fills or credits: which of them, what is raised of them, how the cage has them.

    A fill is counted by the cage first, a credit by the table; what the second counts is compared with that.
    """

    carried: Carriage
    unmatched: Duty
    count: Duty
    cage_first: bool


_FILL: Final = _Sort("fill", FILL_UNMATCHED, FILL_COUNT, cage_first=True)
_CREDIT: Final = _Sort("credit", CREDIT_UNMATCHED, CREDIT_COUNT, cage_first=False)


def check_matched(case: DayCase) -> Iterator[Raised]:
    """Raise what one side has and the other has not, and what differs between them."""
    cage, tables = case.cage, case.tables.values()
    fills = [(day, line) for day in tables for line in day.fills]
    yield from _at_tables(case, _FILL, fills, [*cage.underway, *cage.fills])
    yield from _at_cage(case, _FILL, fills, case.fills_to_judge())
    credited = [(day, line) for day in tables for line in day.credits]
    yield from _at_tables(case, _CREDIT, credited, cage.credits)
    credit_slips = [each for each in cage.credits if each.slip not in (*case.voided, *cage.early)]
    yield from _at_cage(case, _CREDIT, credited, credit_slips)


def _at_tables(
    case: DayCase, sort: _Sort, at_tables: Sequence[tuple[TableDayAccount, Line]], at_cage: Sequence[_OfCage]
) -> Iterator[Raised]:
    for day, line in at_tables:
        slip, carried, number = line.of, sort.carried, SerialRef(str(line.of))
        same = [each for each in at_cage if each.slip == slip]
        here = [each for each in same if each.table == day.table]
        cents = line.cents or 0
        if slip in case.voided:
            message = fact("ledgers.voided_and_counted", carried=carried, slip=number, table=day.table)
            yield _alone(case, sort, message, slip, day.table, of_table=cents)
        elif here:
            yield from _counts(case, sort, here[0], line)
        elif same:
            message = fact(
                "ledgers.counted_at_other",
                carried=carried,
                slip=number,
                table=same[0].table,
                other=day.table,
            )
            yield _alone(case, sort, message, slip, day.table, of_table=cents)
        else:
            message = fact(
                "ledgers.none_of_cage",
                carried=carried,
                slip=number,
                cents=Cents(cents),
                table=day.table,
            )
            yield _alone(case, sort, message, slip, day.table, of_table=cents, hangs_on=["cage"])


def _at_cage(
    case: DayCase, sort: _Sort, at_tables: Sequence[tuple[TableDayAccount, Line]], at_cage: Sequence[_OfCage]
) -> Iterator[Raised]:
    table_fills = {line.of for _, line in at_tables}
    for each in at_cage:
        if each.slip not in table_fills:
            cents = total(each.denominations)
            message = fact(
                "ledgers.none_of_table",
                carried=sort.carried,
                slip=SerialRef(each.slip),
                cents=Cents(cents),
                table=each.table,
            )
            yield _alone(case, sort, message, each.slip, each.table, of_cage=cents, hangs_on=[each.table])


def _alone(
    case: DayCase,
    sort: _Sort,
    message: Fact,
    slip: str | None,
    table: str,
    *,
    of_table: int = 0,
    of_cage: int = 0,
    hangs_on: Sequence[str] = (),
) -> Raised:
    """Raise what only one side has: the other counted nothing of it."""
    first, second = (of_cage, of_table) if sort.cage_first else (of_table, of_cage)
    return case.raised(
        sort.unmatched,
        message,
        serial=slip,
        table=table,
        expected=first,
        observed=second,
        hangs_on=hangs_on,
    )


def _counts(case: DayCase, sort: _Sort, of_cage: _OfCage, line: Line) -> Iterator[Raised]:
    """Compare the two counts."""
    first, second = of_cage.denominations, line.denominations or of_cage.denominations
    before, after = total(of_cage.denominations), line.cents or 0
    if not sort.cage_first:
        first, second, before, after = second, first, after, before
    difference = differing(first, second)
    if difference or before != after:
        message = fact(
            "ledgers.counts_differ",
            carried=sort.carried,
            slip=SerialRef(of_cage.slip),
            off=after - before,
            chips=listed(*difference),
        )
        yield case.raised(
            sort.count, message, serial=of_cage.slip, table=of_cage.table, expected=before, observed=after
        )


KINDS: Final = (
    *REQUEST_KINDS,
    *ESCORT_KINDS,
    *MATCHED_KINDS,
)
