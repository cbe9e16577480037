"""Did the slip of each fill and table credit go into a drop box of its table?"""

from collections.abc import Iterator, Mapping
from typing import Final

from projections.engine.facts import SerialRef, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase
from projections.programmes.ledgers.tables import Carriage

_FALSE: Final = "A slip that was dropped and found in the box, neither of which was keyed in."

FILL: Final = Duty(
    "fill_slip_not_dropped",
    severity="procedure",
    asks="Did the slip of the fill that was counted at the table go into a drop box there?",
    false_positives=_FALSE,
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
CREDIT: Final = Duty(
    "credit_slip_not_dropped",
    severity="procedure",
    asks="Did the slip of the credit that left the table go into a drop box there?",
    false_positives=_FALSE,
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
KINDS: Final = (FILL, CREDIT)


_DUTIES: Final[Mapping[Carriage, Duty]] = {"fill": FILL, "credit": CREDIT}


def check(case: DayCase) -> Iterator[Raised]:
    """Raise slips that no table says were dropped, and no count has found.

    It is asked once the last box into which the slip can have gone is counted.
    """
    for awaited in case.room.awaited:
        if awaited.content.owed and case.room.counts(awaited):
            found = case.room.found | _dropped(case, awaited.table)
            for slip, carried in awaited.content.owed.items():
                if slip not in found:
                    yield _missing(case, awaited.table, slip, carried)


def _dropped(case: DayCase, table: str) -> set[str]:
    return {slip for each in case.room.awaited if each.table == table for slip in each.content.slips}


def _missing(case: DayCase, table: str, slip: str, carried: Carriage) -> Raised:
    return case.raised(
        _DUTIES[carried],
        fact("ledgers.slip_not_dropped", carried=carried, slip=SerialRef(slip), table=table),
        serial=slip,
        table=table,
        hangs_on=["count_room", *({table} & case.tables.keys())],
    )
