"""Is there an Error Notification Slip for each opening count that was not the slip's, over that sum?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import SerialRef, fact
from projections.engine.findings import HOUSE_CONTROL, Finding, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import ErrorNotified

MISSING: Final = Duty(
    "error_notification_missing",
    severity="procedure",
    asks="Was an Error Notification Slip made out for the opening count that differs?",
    false_positives="A notice that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
WRONG: Final = Duty(
    "error_notification_wrong",
    severity="money",
    asks="Does the Error Notification Slip say by how much the opening count differs?",
    false_positives="A notice, or a closing slip, that was keyed in wrongly.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
KINDS: Final = (MISSING, WRONG)


def check(case: DayCase) -> Iterator[Raised]:
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
                    MISSING, message, serial=str(finding.serial), table=day.table, hangs_on=["cage"]
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
