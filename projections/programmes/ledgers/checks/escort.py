"""Did security carry the chips of each fill from the chip bank to its table?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import SerialRef, StaffRef, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase

NOT_ESCORTED: Final = Duty(
    "fill_not_escorted",
    severity="procedure",
    asks="Did someone set out with the chips of the Fill Slip?",
    false_positives="An escort that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
CARRIER: Final = Duty(
    "fill_carrier_role",
    severity="procedure",
    asks="Was it security that carried the chips of the fill?",
    false_positives="A role that was keyed in wrongly.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
KINDS: Final = (NOT_ESCORTED, CARRIER)


def check(case: DayCase) -> Iterator[Raised]:
    """Raise fills that nobody is known to have carried, or someone who is not of security."""
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
