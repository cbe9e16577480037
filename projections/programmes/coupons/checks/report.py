"""Was what patrons redeemed in a quarter reported, and rightly? 603a.20(o)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, Listed, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.expected_papers import months_after, quarter_ends
from projections.programmes.coupons.ledger import Redeemed
from schemas.coupon_log import QuarterlyReport

MISSING: Final = Duty(
    "quarterly_report_missing",
    severity="procedure",
    asks="Was the quarter's report filed in time?",
    false_positives="A report that is not in the log, or a due date that the house file does not have.",
    cites=("603a.20(o)",),
)
WRONG: Final = Duty(
    "quarterly_report_wrong",
    severity="money",
    asks="Does the quarter's report list the value that patrons redeemed, by denomination?",
    false_positives="A redemption that is not in the log.",
    cites=("603a.20(o)",),
)
KINDS: Final = (MISSING, WRONG)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise reports that are overdue, and reports that differ from what was redeemed."""
    yield from _overdue(moment)
    event = moment.event
    if not isinstance(event, QuarterlyReport):
        return
    if event.quarter is None:
        yield moment.found(WRONG, fact("coupons.report_without_quarter"))
        return
    redeemed = moment.ledger.redeemed.get(event.quarter, Redeemed())
    told = {cents: value for cents, value in (event.redeemed or {}).items() if value}
    if event.redeemed is None or told not in _admitted(redeemed):
        message = fact(
            "coupons.report_wrong", quarter=event.quarter, told=_list(told), redeemed=_list(redeemed.cents)
        )
        yield moment.found(WRONG, message)


def _list(values: dict[int, int]) -> Listed:
    return listed(
        *(
            fact("coupons.redeemed", value=Cents(value), worth=Cents(cents))
            for cents, value in sorted(values.items())
        )
    )


def _admitted(redeemed: Redeemed) -> list[dict[int, int]]:
    """Return what a report may show: what ought not to have been redeemed may be left out."""
    proper = {cents: value - redeemed.improperly.get(cents, 0) for cents, value in redeemed.cents.items()}
    return [{cents: value for cents, value in each.items() if value} for each in (redeemed.cents, proper)]


def _overdue(moment: Moment) -> Iterator[Raised]:
    """Raise the quarters whose report became overdue since the last event."""
    ledger = moment.ledger
    for quarter, redeemed in ledger.redeemed.items():
        late = months_after(quarter_ends(quarter), moment.settings.report_months)
        became = moment.today >= late and (ledger.today is None or ledger.today < late)
        if became and quarter not in ledger.reported and any(redeemed.cents.values()):
            message = fact("coupons.no_report", quarter=quarter, before=str(late))
            yield moment.found(MISSING, message, serials=(), day=late)
