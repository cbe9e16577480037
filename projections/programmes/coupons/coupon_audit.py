"""From what happened to coupons to findings: each event through the checks, then into the ledger."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.audit.judge import heaviest
from projections.engine.audit.round_records import micros
from projections.engine.checks.data import refuse
from projections.engine.conclusion import Verdict
from projections.engine.facts import Fact
from projections.engine.findings import BY_DEFAULT, Finding, FindingOf, Raised, identify
from projections.programmes.coupons.checks import CHECKS
from projections.programmes.coupons.event_context import EventContext
from projections.programmes.coupons.fold import post_event
from projections.programmes.coupons.ledger import CouponLedger
from schemas.coupon_log import (
    Approved,
    Closed,
    CouponCase,
    CouponEvent,
    DayClosed,
    NameOrNumber,
    Received,
    Reconciled,
    Requisitioned,
    Returned,
    coupons,
)
from schemas.errors import NotInForce
from schemas.house import CouponSettings, House, SeverityThresholds
from schemas.law_text import NO_SPAN, Span, chapter

_W = TypeVar("_W", Fact, str)
DayOf: TypeAlias = Callable[[datetime], date]


class CouponConclusionOf(Struct, Generic[_W], frozen=True):
    """Conclusion about one case of a coupon log."""

    case: NameOrNumber
    verdict: Verdict
    findings: tuple[FindingOf[_W], ...]


CouponConclusion: TypeAlias = CouponConclusionOf[Fact]
CouponConclusionView: TypeAlias = CouponConclusionOf[str]


def judge_coupons(
    events: Iterable[CouponEvent],
    settings: CouponSettings,
    day_of: DayOf,
    *,
    ledger: CouponLedger | None = None,
    about: str = "coupons",
    span: Span = NO_SPAN,
    daily: bool = False,
    thresholds: SeverityThresholds = BY_DEFAULT,
) -> list[Finding]:
    """Judge what happened to a property's coupons, in the order of its time.

    `day_of` returns the gaming day of a moment. With a `ledger` the log continues from it, and the ledger is
    changed in place: judged day by day or at once, the findings are the same. `about` names the log in the
    findings' identities, `span` is when the house holds 603a to be in force, if it defines that itself. If
    the log is closed `daily`, finance must reconcile each gaming day by the end of the next.
    """
    ledger = ledger if ledger is not None else CouponLedger()
    found: dict[date, list[Raised]] = {}
    for event in sorted(events, key=lambda each: each.at):
        today = day_of(event.at)
        moment = EventContext(event, _day(event) or today, today, ledger, settings, coupons(event), daily)
        for each in _overdue_findings(moment, span):
            found.setdefault(today, []).append(each)
        post_event(moment)
    return [
        finding
        for today, raised in found.items()
        for finding in identify(raised, about=f"{about}|{today}", day=today, thresholds=thresholds)
    ]


def judge_case(case: CouponCase, house: House) -> CouponConclusion:
    """Judge one case by the settings and the gaming days of a house.

    Raises:
        BadInput: an event happened at a time that is none of play.
    """

    def day_of(at: datetime) -> date:
        return house.gaming_date(micros(at))

    found = judge_coupons(
        case.events,
        house.coupons,
        day_of,
        about=f"case {case.case}",
        span=house.span("603a"),
        thresholds=house.severity,
    )
    return CouponConclusion(case.case, heaviest(each.weight for each in found), tuple(found))


def _overdue_findings(moment: EventContext, span: Span) -> Iterable[Raised]:
    """Run every check, unless no text was in force on the day, which is raised once."""
    try:
        chapter("603a").text_on(moment.today, span)
    except NotInForce as error:
        if moment.ledger.refused or isinstance(moment.event, Approved | Closed):
            return []
        moment.ledger.refused = True
        return [refuse("603a", str(error))]
    return [raised for check in CHECKS for raised in check(moment)]


def _day(event: CouponEvent) -> date | None:
    """Return the gaming day that an event names itself."""
    match event:
        case Received() | Requisitioned() | Returned() | DayClosed():
            return event.date
        case Reconciled():
            return event.day
        case _:
            return None
