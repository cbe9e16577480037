"""Was each Counter Check signed, made out once, voided by two, and redeemed for no more than its sum?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, SerialRef, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.counter_checks import Redemption
from projections.programmes.ledgers.day_context import BEFORE, DayCase

UNSIGNED: Final = Duty(
    "counter_check_unsigned",
    severity="procedure",
    asks="Did the patron sign the check?",
    false_positives="A signature on paper that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="Counter Check",
)
REPEATED: Final = Duty(
    "counter_check_repeated",
    severity="money",
    asks="Was each number made out once?",
    false_positives="A number that was keyed in wrongly.",
    cites=("465a.3(c)",),
    paper="Counter Check",
)
VOIDED_UNSIGNED: Final = Duty(
    "counter_check_voided_unsigned",
    severity="procedure",
    asks="Do two persons' signatures stand on the voided check?",
    false_positives="A signature on paper that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="Counter Check",
)
OVERREDEEMED: Final = Duty(
    "counter_check_overredeemed",
    severity="money",
    asks="Was no more redeemed on the check than was owed?",
    false_positives="A redemption that was entered twice.",
    cites=(HOUSE_CONTROL,),
    paper="Counter Check",
)
KINDS: Final = (UNSIGNED, REPEATED, VOIDED_UNSIGNED, OVERREDEEMED)

_SIGNERS: Final = 2


def check(case: DayCase) -> Iterator[Raised]:
    """Raise what the checks of the day lack, and what was redeemed beyond them."""
    voided = {each.check for each in case.checks.voids}
    for made in case.checks.made:
        entry = made.entry
        if made.again:
            message = fact("ledgers.check_made_again", check=SerialRef(entry.check))
            yield case.raised(REPEATED, message, serial=entry.check, table=entry.table, patron=entry.patron)
        elif not entry.signed and entry.check not in voided:
            message = fact("ledgers.check_unsigned", check=SerialRef(entry.check))
            yield case.raised(UNSIGNED, message, serial=entry.check, table=entry.table, patron=entry.patron)
    for void in case.checks.voids:
        signers = {person.name for person in void.signatures}
        if len(signers) < _SIGNERS:
            message = fact(
                "ledgers.check_voided_unsigned",
                check=SerialRef(void.check),
                signatures=len(signers),
                needed=_SIGNERS,
            )
            yield case.raised(VOIDED_UNSIGNED, message, serial=void.check)
    for each in case.checks.redemptions:
        yield from _redeemed(case, each)


def _redeemed(case: DayCase, redemption: Redemption) -> Iterator[Raised]:
    entry, owed = redemption.entry, redemption.owed
    number, cents = SerialRef(entry.check), Cents(entry.cents)
    if owed is None:
        # It may have been made out before the record begins.
        message = fact("ledgers.redeemed_unmade", check=number, cents=cents)
        yield case.raised(OVERREDEEMED, message, serial=entry.check, hangs_on=[BEFORE])
    elif entry.cents > owed:
        yield case.raised(
            OVERREDEEMED,
            fact("ledgers.redeemed_beyond", check=number, cents=cents, owed=Cents(owed)),
            serial=entry.check,
            expected=owed,
            observed=entry.cents,
            more_favours="house",
        )
