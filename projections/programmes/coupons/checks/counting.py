"""Was every coupon counted and cancelled, each voided one explained, and all retained for six months?"""

from collections.abc import Iterator
from datetime import date
from typing import Final

from msgspec.structs import replace

from projections.engine.facts import Word, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, EventContext, is_among
from projections.programmes.coupons.expected_papers import months_after
from projections.programmes.coupons.ledger import UNKNOWN, Coupon
from schemas.coupon_log import Counted, Destroyed, Distributed, Issued, Voided
from schemas.law_text import chapter

# ── Was every coupon that was redeemed or voided counted and cancelled? 603a.20(m)(1), (2), (4) ───────

NOT_COUNTED: Final = Duty(
    "coupon_not_counted",
    severity="by_amount",
    asks="Was the coupon that was dropped counted by the next reconciliation?",
    false_positives="A count that is not in the log.",
    cites=("603a.20(m)(1)", "603a.20(m)"),
)
COUNTED_WRONGLY: Final = Duty(
    "coupon_counted_wrongly",
    severity="by_amount",
    asks="Was the coupon counted once, and in the box into which it was dropped?",
    false_positives="A misread serial number, or a drop box that goes by two names.",
    cites=("603a.20(m)(1)",),
)
NOT_CANCELLED: Final = Duty(
    "coupon_not_cancelled",
    severity="by_amount",
    asks="Was the redeemed or voided coupon cancelled by the next reconciliation?",
    false_positives="A cancellation that is not in the log.",
    cites=("603a.20(m)(2)", "603a.20(m)"),
)
IN_USE_AGAIN: Final = Duty(
    "coupon_in_use_again",
    severity="critical",
    asks="Do coupons stay with finance once they were counted, cancelled or destroyed?",
    false_positives="A misread serial number.",
    cites=("603a.20(m)(4)",),
)
COUNTING_KINDS: Final = (NOT_COUNTED, COUNTED_WRONGLY, NOT_CANCELLED, IN_USE_AGAIN)


def check_counting(moment: EventContext) -> Iterator[Raised]:
    """Raise coupons counted twice or elsewhere, coupons out again, and what is due and not done."""
    event = moment.event
    if isinstance(event, Counted):
        yield from _counted(moment, event)
    if isinstance(event, Issued | Distributed):
        out = [serial for serial in moment.coupons if _is_done_with(moment, serial)]
        if out:
            yield moment.found(IN_USE_AGAIN, fact("coupons.in_use_again"), serials=out)
    if moment.due is not None:
        yield from _due(moment)


def _counted(moment: EventContext, event: Counted) -> Iterator[Raised]:
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        if each is None or each.lot == UNKNOWN:
            continue
        if each.place == "count_room":
            twice = fact("coupons.counted_twice")
            yield moment.found(COUNTED_WRONGLY, twice, serials=[serial], table=event.table)
        elif each.place == "box":
            for what, then, now in (
                ("drop_box", each.drop_box, event.drop_box),
                ("table", each.dropped_table, event.table),
            ):
                if then is not None and now is not None and then != str(now):
                    message = fact(
                        "coupons.counted_elsewhere", what=Word(what), dropped=then, counted=str(now)
                    )
                    yield moment.found(COUNTED_WRONGLY, message, serials=[serial], table=event.table)
                    break


def _is_done_with(moment: EventContext, serial: str) -> bool:
    each = moment.ledger.coupons.get(serial)
    return (
        each is not None
        and each.voided_on is None
        and (each.place in ("box", "count_room", "destroyed") or each.cancelled_on is not None)
    )


def _due(moment: EventContext) -> Iterator[Raised]:
    due = moment.now_due
    for serial, each in moment.ledger.coupons.items():
        if each.lot == UNKNOWN or each.improper:
            continue
        table = each.dropped_table
        lot = moment.ledger.lot_of(each)
        # What a provider mailed is cancelled in the computer: (q)(6) asks for that at its count.
        done = each.cancelled_on is not None or (lot is not None and lot.mailed)
        if each.place == "box" and each.dropped_on in due:
            message = fact("coupons.not_counted")
            yield moment.found(NOT_COUNTED, message, serials=[serial], table=table, day=each.dropped_on)
        elif not done and each.place in ("count_room", "destroyed") and each.redeemed_on in due:
            message = fact("coupons.redeemed_not_cancelled")
            yield moment.found(NOT_CANCELLED, message, serials=[serial], table=table, day=each.redeemed_on)
        elif not done and each.voided_on in due:
            message = fact("coupons.voided_not_cancelled")
            yield moment.found(NOT_CANCELLED, message, serials=[serial], day=each.voided_on)


# ── Is each voided coupon explained by the department that had it? 603a.20(h)(4), (j)(6), (l)(4) ──────

_REASON: Final = "A reason that stands on the paper but is not in the log."

IN_LEDGER: Final = Duty(
    "void_unexplained_by_finance",
    severity="by_amount",
    asks="Does the ledger explain why finance voided the coupon?",
    false_positives=_REASON,
    cites=("603a.20(h)(4)",),
)
ON_FORM: Final = Duty(
    "void_unexplained_by_marketing",
    severity="by_amount",
    asks="Does marketing's form say why the coupon was voided?",
    false_positives=_REASON,
    cites=("603a.20(j)(6)", "603a.20(l)(4)"),
)
AT_RETURN: Final = Duty(
    "void_unexplained_at_return",
    severity="by_amount",
    asks="Does the ledger say why a coupon that came back was voided?",
    false_positives=_REASON,
    cites=("603a.20(l)(4)", "603a.20(h)(4)"),
)
VOID_KINDS: Final = (IN_LEDGER, ON_FORM, AT_RETURN)


def check_void(moment: EventContext) -> Iterator[Raised]:
    """Raise coupons that were voided without a reason."""
    event = moment.event
    if not isinstance(event, Voided) or event.reason:
        return
    coupons = moment.ledger.coupons
    by_marketing = is_among(event.by_department, moment.settings.marketing)
    for serial in moment.coupons:
        each = coupons.get(serial)
        in_marketing = each is not None and each.place == "marketing"
        if each is not None and each.returned_on is not None:
            duty = AT_RETURN
        else:
            duty = ON_FORM if by_marketing or in_marketing else IN_LEDGER
        yield moment.found(duty, fact("coupons.void_unexplained"), serials=[serial])


# ── Were coupons retained for six months before they were destroyed, and by finance? 465a.6(c)(2) ───────

EARLY: Final = Duty(
    "coupon_destroyed_early",
    severity="medium",
    asks="Was the coupon kept as long as it must be before it was destroyed?",
    false_positives="A count, voiding or return that was earlier than the log has it.",
    cites=("465a.6(c)(2)",),
)
NOT_HELD: Final = Duty(
    "coupon_destroyed_not_held",
    severity="data",
    asks="Was a coupon that was destroyed no more in a patron's hands?",
    false_positives="A coupon that came back, of which the log does not tell.",
    cites=("465a.6(c)(2)", "603a.20(m)"),
)
RETENTION_KINDS: Final = (EARLY, NOT_HELD)


def check_retention(moment: EventContext) -> Iterator[Raised]:
    """Raise coupons that were destroyed before their time, and those that by the log a patron still has.

    No text forbids to destroy these; the log contradicts itself, so they are undetermined.
    """
    if not isinstance(moment.event, Destroyed):
        return
    months = chapter("465a").numbers_on(moment.day)["coupons_kept_months"].value
    early: dict[date, list[str]] = {}
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        since = _since(moment, each) if each is not None else None
        if since is not None and moment.day < months_after(since, months):
            early.setdefault(months_after(since, months), []).append(serial)
    coupons = moment.ledger.coupons
    still_held = [serial for serial in moment.coupons if serial in coupons and _is_held(coupons[serial])]
    if still_held:
        raised = moment.found(NOT_HELD, fact("coupons.destroyed_not_held"), serials=still_held)
        yield replace(raised, weight="undetermined")
    for until, serials in early.items():
        yield moment.found(EARLY, fact("coupons.destroyed_early", until=str(until)), serials=serials)


def _is_held(coupon: Coupon) -> bool:
    return coupon.place == "patron" and coupon.voided_on is None and coupon.lot != UNKNOWN


def _since(moment: EventContext, coupon: Coupon) -> date | None:
    """Return from when a coupon must be retained; if no such event happened, from its last move."""
    dates = {"count": coupon.counted_on, "voiding": coupon.voided_on, "return": coupon.returned_on}
    began = [day for name in moment.settings.kept_from if (day := dates[name]) is not None]
    if began:
        return max(began)
    lot = moment.ledger.lot_of(coupon)
    return coupon.dropped_on or coupon.redeemed_on or (lot.received if lot is not None else None)


KINDS: Final = (
    *COUNTING_KINDS,
    *VOID_KINDS,
    *RETENTION_KINDS,
)
