"""Was each voided slip signed by two?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import SerialRef, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase

VOIDED_UNSIGNED: Final = Duty(
    "slip_voided_unsigned",
    severity="procedure",
    asks="Do two persons' signatures stand on the voided slip?",
    false_positives="A signature on paper that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
KINDS: Final = (VOIDED_UNSIGNED,)

_SIGNERS: Final = 2


def check(case: DayCase) -> Iterator[Raised]:
    """Raise voids with fewer signatures."""
    for void in case.cage.voids:
        signers = {person.name for person in void.signatures}
        if len(signers) < _SIGNERS:
            message = fact(
                "ledgers.slip_voided_unsigned",
                slip=SerialRef(void.slip),
                signatures=len(signers),
                needed=_SIGNERS,
            )
            yield case.raised(VOIDED_UNSIGNED, message, serial=void.slip)
