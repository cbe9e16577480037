"""Was each fill asked for, by whom it must be, on a slip that says what and where? 465a.38(a), (b)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from projections.engine.facts import Cents, SerialRef, StaffRef, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase, differing
from schemas.ledgers import FillIssued, FillRequested
from schemas.serials import told
from schemas.values import total

WITHOUT: Final = Duty(
    "fill_without_request",
    severity="procedure",
    asks="Was there a Fill Request Slip of its own before the fill was issued?",
    false_positives="A request that was not keyed in.",
    cites=("465a.38(a)",),
    paper="slip",
)
ROLE: Final = Duty(
    "fill_request_role",
    severity="procedure",
    asks="Was the Fill Request Slip made out by a pit clerk, a floorperson or someone above them?",
    false_positives="A role that was keyed in wrongly.",
    cites=("465a.38(a)",),
    paper="slip",
)
UNSIGNED: Final = Duty(
    "fill_request_unsigned",
    severity="procedure",
    asks="Did a floorperson or someone above sign the Fill Request Slip?",
    false_positives="A signature beside the pit clerk's that was not keyed in.",
    cites=("465a.38(b)(5)",),
    paper="slip",
)
EMPTY: Final = Duty(
    "fill_request_incomplete",
    severity="procedure",
    asks="Does the Fill Request Slip say which denominations are asked for, and how much of each?",
    false_positives="Something that stands on the paper and was not keyed in.",
    cites=("465a.38(b)(2)", "465a.38(b)(3)"),
    paper="slip",
)
TABLE: Final = Duty(
    "fill_request_table",
    severity="procedure",
    asks="Does the Fill Request Slip name a table of the house, and was that one filled?",
    false_positives="A table that goes by two names.",
    cites=("465a.38(b)(4)",),
    paper="slip",
)
DIFFERS: Final = Duty(
    "fill_differs_from_request",
    severity="procedure",
    asks="Were the chips issued those that were asked for, by denomination?",
    false_positives="Chips that the bank did not have and put in others for, with a new request on paper.",
    cites=("465a.38(b)(2)", "465a.38(b)(3)"),
    paper="slip",
)
KINDS: Final = (WITHOUT, ROLE, UNSIGNED, EMPTY, TABLE, DIFFERS)

_MAKERS: Final = ("pit_clerk", "floorperson", "pit_manager", "shift_manager")


def check(case: DayCase) -> Iterator[Raised]:
    """Raise what is wrong with the day's requests, and fills that do not answer one."""
    for request in case.cage.requests:
        if not request.electronic and request.request not in case.voided:  # 465a.38(e) stands instead
            yield from _paper(case, request)
    of: dict[str, list[FillIssued]] = {}
    for fill in case.cage.fills:
        if fill.slip not in case.voided:
            of.setdefault(fill.request, []).append(fill)
    for name, fills in of.items():
        asked = [each for each in (*case.cage.waiting, *case.cage.requests) if each.request == name]
        if asked and len(fills) > 1:
            yield _several(case, asked[0], fills)
            continue
        for fill in fills:
            yield from _answers(case, fill, asked)


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
    asked, issued = total(request.denominations), total(together)
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
        asked=Cents(asked),
        table=request.table,
        elsewhere=listed(
            *(fact("ledgers.slip_for", slip=SerialRef(fill.slip), table=fill.table) for fill in elsewhere)
        ),
        early=listed(*map(SerialRef, early)),
    )
    return case.raised(
        WITHOUT,
        message,
        serial=told(fill.slip for fill in fills[1:]),
        table=fills[1].table,
        expected=asked,
        observed=issued,
        cites=cites,
    )


def _is_early(case: DayCase, request: FillRequested, fill: FillIssued) -> bool:
    return request.at > fill.at + case.house.clock_uncertainty_ms * 1000


def _answers(case: DayCase, fill: FillIssued, asked: Sequence[FillRequested]) -> Iterator[Raised]:
    slip, request_slip = SerialRef(fill.slip), SerialRef(fill.request)
    if not asked:
        message = fact("ledgers.fill_unrequested", slip=slip, request=request_slip)
        yield case.raised(WITHOUT, message, serial=fill.slip, table=fill.table, hangs_on=["cage"])
        return
    request = asked[0]
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
