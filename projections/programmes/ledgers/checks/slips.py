"""Is every slip of a series there once, voided by two, and with its error notice where one is due?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import SerialRef, fact
from projections.engine.findings import HOUSE_CONTROL, Finding, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import ErrorNotified

# ── Is every number of a series of slips there, once, and were exceptions reported in time? 465a.3(c) ────

MISSING: Final = Duty(
    "slip_number_missing",
    severity="medium",
    asks="Was each number of the series seen, be it only as voided?",
    false_positives="Slips of one series that two tables use out of turn.",
    cites=("465a.3(c)",),
    paper="slip",
)
REPEATED: Final = Duty(
    "slip_number_repeated",
    severity="medium",
    asks="Was each number of the series made out once?",
    false_positives="A number that was keyed in wrongly.",
    cites=("465a.3(c)",),
    paper="slip",
)
UNREPORTED: Final = Duty(
    "serial_exception_unreported",
    severity="medium",
    asks="Was the missing or repeated number reported in writing to internal audit within two days?",
    false_positives="A report that was not keyed in, or one that names other ends of the missing range.",
    cites=("465a.3(c)",),
    paper="slip",
)
SLIP_NUMBERS_KINDS: Final = (MISSING, REPEATED, UNREPORTED)


def check_slip_numbers(case: DayCase) -> Iterator[Raised]:
    """Raise the day's gaps and repeats, and exceptions whose two days are over."""
    for gap in case.gaps:
        message = fact("ledgers.numbers_missing", run=gap.run.serials_fact)
        yield case.raised(MISSING, message, serial=gap.run.serials_text(), hangs_on=case.tellers(gap))
    for slip in case.twice:
        yield case.raised(REPEATED, fact("ledgers.slip_repeated", slip=SerialRef(slip)), serial=slip)
    for each in case.overdue:
        message = fact("ledgers.exception_unreported", run=each.run.serials_fact, found=str(each.found))
        yield case.raised(UNREPORTED, message, serial=each.run.serials_text(), hangs_on=["cage"])


# ── Was each voided slip signed by two? ───────────────────────────────────────────────────────────────

VOIDED_UNSIGNED: Final = Duty(
    "slip_voided_unsigned",
    severity="medium",
    asks="Do two persons' signatures stand on the voided slip?",
    false_positives="A signature on paper that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
SLIP_VOIDED_KINDS: Final = (VOIDED_UNSIGNED,)

_SIGNERS: Final = 2


def check_slip_voided(case: DayCase) -> Iterator[Raised]:
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


# ── Is there an Error Notification Slip for each opening count that was not the slip's, over that sum? ────

ERROR_NOTICE_MISSING: Final = Duty(
    "error_notification_missing",
    severity="medium",
    asks="Was an Error Notification Slip made out for the opening count that differs?",
    false_positives="A notice that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
WRONG: Final = Duty(
    "error_notification_wrong",
    severity="by_amount",
    asks="Does the Error Notification Slip say by how much the opening count differs?",
    false_positives="A notice, or a closing slip, that was keyed in wrongly.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
ERROR_NOTICE_KINDS: Final = (ERROR_NOTICE_MISSING, WRONG)


def check_error_notice(case: DayCase) -> Iterator[Raised]:
    """Raise differences without their notice, and notices without their difference."""
    open_notices = list(case.cage.notices)
    for day in case.tables.values():
        for finding in day.differs:
            notice = next((each for each in open_notices if _is_of(each, day.table, finding)), None)
            off = _cents(finding)
            if notice is None:
                slip = SerialRef(str(finding.serial))
                message = fact("ledgers.opening_without_notice", off=off, slip=slip)
                yield case.raised(
                    ERROR_NOTICE_MISSING,
                    message,
                    serial=str(finding.serial),
                    table=day.table,
                    hangs_on=["cage"],
                )
                continue
            open_notices.remove(notice)
            if notice.cents != off:
                yield _wrong(case, notice, off)
    for notice in open_notices:
        yield _wrong(case, notice, 0)


def _wrong(case: DayCase, notice: ErrorNotified, off: int) -> Raised:
    return case.raised(
        WRONG,
        fact(
            "ledgers.notice_wrong",
            notice=SerialRef(notice.slip),
            said=notice.cents,
            slip=SerialRef(notice.inventory_slip),
            off=off,
        ),
        serial=notice.slip,
        table=notice.table,
        expected=off,
        observed=notice.cents,
        hangs_on=[notice.table],
    )


def _is_of(notice: ErrorNotified, table: str, finding: Finding) -> bool:
    return (notice.table, notice.inventory_slip) == (table, finding.serial)


def _cents(finding: Finding) -> int:
    return finding.delta_cents if isinstance(finding.delta_cents, int) else 0


KINDS: Final = (
    *SLIP_NUMBERS_KINDS,
    *SLIP_VOIDED_KINDS,
    *ERROR_NOTICE_KINDS,
)
