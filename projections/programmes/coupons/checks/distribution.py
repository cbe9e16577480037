"""Do coupons bear what they must, from whom do patrons get them, and what happens to the others?"""

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from projections.engine.facts import Word, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import FINANCE, Duty, EventContext, is_among
from projections.programmes.coupons.ledger import UNKNOWN, Coupon, fault_of, has_expired
from schemas.coupon_log import Closed, Counted, Distributed, Kept, Mailed, Played, Received, Returned, Voided

# ── Does the coupon bear what it must? 603a.20(c), and (q)(1) for those that are mailed ───────────────

_LIST: Final = "A list of the coupon's content that does not name everything that is printed on it."

NAME: Final = Duty(
    "coupon_lacks_name",
    severity="medium",
    asks="Does the coupon bear the certificate holder's name or logo?",
    false_positives=_LIST,
    cites=("603a.20(c)(1)",),
)
VALUE: Final = Duty(
    "coupon_lacks_value",
    severity="medium",
    asks="Does the coupon bear its value so that surveillance can read it?",
    false_positives=_LIST,
    cites=("603a.20(c)(2)",),
)
SERIAL: Final = Duty(
    "coupon_lacks_serial",
    severity="medium",
    asks="Does the coupon bear a sequential serial number?",
    false_positives=_LIST,
    cites=("603a.20(c)(3)",),
)
DOUBLED: Final = Duty(
    "coupon_serial_doubled",
    severity="critical",
    asks="Is the coupon's serial number its own?",
    false_positives="A second series that begins anew and whose prefix the log leaves out.",
    cites=("603a.20(c)(3)", "603a.20(f)(3)"),
)
RESTRICTIONS: Final = Duty(
    "coupon_lacks_restrictions",
    severity="medium",
    asks="Does the coupon say on which game or wager it may be used?",
    false_positives=_LIST,
    cites=("603a.20(c)(4)",),
)
EXPIRY: Final = Duty(
    "coupon_lacks_expiry",
    severity="medium",
    asks="Does the coupon say on which date it expires?",
    false_positives=_LIST,
    cites=("603a.20(c)(5)",),
)
AREA: Final = Duty(
    "coupon_lacks_chip_area",
    severity="medium",
    asks="Does the coupon have an area for the chips that leaves its value visible?",
    false_positives=_LIST,
    cites=("603a.20(c)(6)",),
)
CONTENT_KINDS: Final = (NAME, VALUE, SERIAL, DOUBLED, RESTRICTIONS, EXPIRY, AREA)

# The marks of a coupon, and the parts of words by which a log may name them; the first match counts.
_NAMED_BY: Final = (
    (EXPIRY, "expiry", ("expir",)),
    (SERIAL, "serial", ("serial",)),
    (AREA, "chip_area", ("area", "chip", "placement")),
    (RESTRICTIONS, "restrictions", ("restrict", "game", "wager")),
    (VALUE, "value", ("value", "denomination")),
    (NAME, "name", ("name", "logo")),
)


def check_content(moment: EventContext) -> Iterator[Raised]:
    """Raise what coupons lack, by lot, and serial numbers that were there before."""
    event = moment.event
    if not isinstance(event, Received | Mailed):
        return
    mailed = ("603a.20(q)(1)",) if isinstance(event, Mailed) else ()
    patron = event.patron if isinstance(event, Mailed) else None
    borne = _borne(event.content)
    if event.expires is None and not mailed:  # for one that is mailed (q)(2)(iv) asks for the date
        borne -= {EXPIRY.check}
    if not event.games:
        borne -= {RESTRICTIONS.check}
    for duty, what, _ in reversed(_NAMED_BY):
        if duty.check not in borne:
            lacks = fact("coupons.coupon_lacks", what=what)
            yield moment.found(duty, lacks, patron=patron, cites=mailed)
    recorded = [serial for serial in moment.coupons if serial in moment.ledger.coupons]
    if recorded:
        doubled = ("603a.20(q)(2)(v)",) if mailed else ()
        message = fact("coupons.serial_doubled")
        yield moment.found(DOUBLED, message, serials=recorded, patron=patron, cites=doubled)


def _borne(content: list[str] | dict[str, Any] | None) -> set[str]:
    """Return which duties a coupon's content fulfils: what is listed, or what is listed as true."""
    words = [word for word, is_borne in content.items() if is_borne] if isinstance(content, dict) else content
    return {fulfilled for word in words or () if (fulfilled := _meant(word.lower())) is not None}


def _meant(word: str) -> str | None:
    return next((duty.check for duty, _, parts in _NAMED_BY if any(part in word for part in parts)), None)


# ── Does the right department hand out coupons, and only those that it has? 603a.20(d), (h), (m)(3) ────

DEPARTMENT: Final = Duty(
    "coupon_department_wrong",
    severity="medium",
    asks="Did marketing hand out the coupon, or one of the two departments void it?",
    false_positives="A department that the internal controls name but the house file does not.",
    cites=("603a.20(d)",),
)
NOT_ISSUED: Final = Duty(
    "distributed_not_issued",
    severity="by_amount",
    asks="Had finance issued the coupon to marketing before it was handed out?",
    false_positives="An issue that is not in the log.",
    cites=("603a.20(h)", "603a.20(i)", "603a.20(m)(3)"),
)
TWICE: Final = Duty(
    "distributed_twice",
    severity="by_amount",
    asks="Was the coupon handed out once?",
    false_positives="A serial number that was misread.",
    cites=("603a.20(m)(3)", "603a.20(j)(4)"),
)
DISTRIBUTION_KINDS: Final = (DEPARTMENT, NOT_ISSUED, TWICE)


def check_distribution(moment: EventContext) -> Iterator[Raised]:
    """Raise coupons handed out by the wrong people, to nobody, or that marketing did not have."""
    event = moment.event
    marketing = moment.settings.marketing
    if isinstance(event, Voided) and not is_among(event.by_department, (*marketing, *FINANCE)):
        yield moment.found(DEPARTMENT, fact("coupons.voided_by", department=event.by_department))
    if not isinstance(event, Distributed):
        return
    patron = event.patron
    if not is_among(event.by_department, marketing):
        message = fact("coupons.distributed_by", department=event.by_department)
        yield moment.found(DEPARTMENT, message, patron=patron)
    elif patron is None:
        yield moment.found(DEPARTMENT, fact("coupons.distributed_to_nobody"))
    yield from _raise_ineligible(moment, event)


def _raise_ineligible(moment: EventContext, event: Distributed) -> Iterator[Raised]:
    coupons = moment.ledger.coupons
    for serial in moment.coupons:
        each = coupons.get(serial)
        if each is None or (each.place == "finance" and each.voided_on is None and each.lot != UNKNOWN):
            message = fact("coupons.distributed_unissued", is_known=int(each is not None))
            yield moment.found(NOT_ISSUED, message, serials=[serial], patron=event.patron)
        elif each.voided_on is None and each.place in ("patron", "table"):
            message = fact("coupons.distributed_twice")
            yield moment.found(TWICE, message, serials=[serial], patron=event.patron)


# ── Was what a provider mails listed, marked and checked as it must be? 603a.20(q)(2)-(7) ─────────────

_MAILED_LIST: Final = "Something that stands on the list for the provider but is not in the log."

PATRON: Final = Duty(
    "mailed_name_missing",
    severity="medium",
    asks="Does the list for the provider have the patron's name?",
    false_positives=_MAILED_LIST,
    cites=("603a.20(q)(2)(i)",),
)
ADDRESS: Final = Duty(
    "mailed_address_missing",
    severity="medium",
    asks="Does the list for the provider have the patron's address?",
    false_positives=_MAILED_LIST,
    cites=("603a.20(q)(2)(ii)",),
)
DENOMINATION: Final = Duty(
    "mailed_denomination_missing",
    severity="medium",
    asks="Does the list for the provider have the coupon's denomination?",
    false_positives=_MAILED_LIST,
    cites=("603a.20(q)(2)(iii)",),
)
MAILING_EXPIRY: Final = Duty(
    "mailed_expiry_missing",
    severity="medium",
    asks="Does the list for the provider have the coupon's expiration date?",
    false_positives=_MAILED_LIST,
    cites=("603a.20(q)(2)(iv)",),
)
MAILING_SERIAL: Final = Duty(
    "mailed_serials_wrong",
    severity="medium",
    asks="Does the list for the provider have one serial number for the coupon?",
    false_positives=_MAILED_LIST,
    cites=("603a.20(q)(2)(v)",),
)
CODE: Final = Duty(
    "mailed_code_missing",
    severity="medium",
    asks="Has the coupon a magnetic strip or bar code by which the computer knows it?",
    false_positives=_MAILED_LIST,
    cites=("603a.20(q)(3)",),
)
FINANCE_LIST: Final = Duty(
    "mailed_not_listed_to_finance",
    severity="medium",
    asks="Was finance given the list for its reconciliation?",
    false_positives="A list that was given but is not in the log.",
    cites=("603a.20(q)(4)",),
)
VERIFIED: Final = Duty(
    "mailed_expiry_not_verified",
    severity="medium",
    asks="Did the dealer verify before redeeming that the mailed coupon has not expired?",
    false_positives="A dealer who looked at the date although the log does not say so.",
    cites=("603a.20(q)(5)",),
)
CANCELLED: Final = Duty(
    "mailed_not_cancelled",
    severity="by_amount",
    asks="Was the mailed coupon cancelled in the computer at its redemption or at the count?",
    false_positives="A cancellation that the computer has but the log has not.",
    cites=("603a.20(q)(6)",),
)
EXCLUDED: Final = Duty(
    "mailed_to_excluded",
    severity="critical",
    asks="Was it made sure that the patron is on no list of excluded persons?",
    false_positives="Another person of that name, or a list that was checked but not noted.",
    cites=("603a.20(q)(7)",),
)
MAILING_KINDS: Final = (
    PATRON,
    ADDRESS,
    DENOMINATION,
    MAILING_EXPIRY,
    MAILING_SERIAL,
    CODE,
    FINANCE_LIST,
    VERIFIED,
    CANCELLED,
    EXCLUDED,
)


def check_mailing(moment: EventContext) -> Iterator[Raised]:
    """Raise what a mailed coupon lacks when it is mailed, played and counted."""
    event = moment.event
    if isinstance(event, Mailed):
        yield from _listed(moment, event)
    elif isinstance(event, Played) and not event.expiry_verified:
        unverified = [serial for serial in _mailed(moment) if not _is_over(moment, serial)]
        if unverified:
            message = fact("coupons.expiry_not_verified")
            yield moment.found(VERIFIED, message, serials=unverified, patron=event.patron, table=event.table)
    elif isinstance(event, Counted) and not event.electronically_cancelled:
        coupons = moment.ledger.coupons
        left = [serial for serial in _mailed(moment) if coupons[serial].cancelled_on is None]
        if left:
            message = fact("coupons.counted_not_cancelled")
            yield moment.found(CANCELLED, message, serials=left, table=event.table)


def _listed(moment: EventContext, event: Mailed) -> Iterator[Raised]:
    lacks = (
        (PATRON, event.patron is None, fact("coupons.mailed_to_nobody")),
        (ADDRESS, not event.address, fact("coupons.list_lacks", what="address")),
        (DENOMINATION, not event.denomination_cents, fact("coupons.list_lacks", what="denomination")),
        (MAILING_EXPIRY, event.expires is None, fact("coupons.list_lacks", what="expiry")),
        (
            MAILING_SERIAL,
            len(moment.coupons) != 1,
            fact("coupons.numbers_for_one", numbers=len(moment.coupons)),
        ),
        (CODE, not event.machine_code, fact("coupons.no_machine_code")),
        (FINANCE_LIST, not event.listed_to_finance, fact("coupons.list_not_given")),
    )
    for duty, is_lacking, message in lacks:
        if is_lacking:
            yield moment.found(duty, message, patron=event.patron)
    if event.excluded is not False:
        message = fact("coupons.mailed_to_excluded") if event.excluded else fact("coupons.mailed_unchecked")
        yield moment.found(EXCLUDED, message, patron=event.patron)


def _mailed(moment: EventContext) -> list[str]:
    """Return those of the event's coupons that a provider mailed."""
    ledger = moment.ledger
    found = []
    for serial in moment.coupons:
        coupon = ledger.coupons.get(serial)
        lot = ledger.lot_of(coupon) if coupon is not None else None
        if lot is not None and lot.mailed:
            found.append(serial)
    return found


def _is_over(moment: EventContext, serial: str) -> bool:
    """Return True if the coupon may not be redeemed anyway, which has a finding of its own."""
    return fault_of(moment.ledger, serial, moment.day, moment.settings) is not None


# ── Where are the coupons that were not handed out? 603a.20(k) ────────────────────────────────────────

RETURNED: Final = Duty(
    "leftover_not_returned",
    severity="by_amount",
    asks="Were coupons that no patron was given returned or kept at the end of the gaming day?",
    false_positives="A promotion of several days, or a return that is not in the log.",
    cites=("603a.20(k)",),
)
EXPIRED: Final = Duty(
    "expired_not_returned",
    severity="by_amount",
    asks="Were expired coupons returned to finance on their day?",
    false_positives="A return that is not in the log.",
    cites=("603a.20(k)",),
)
SECURED: Final = Duty(
    "kept_not_secured",
    severity="medium",
    asks="Were coupons kept for the next gaming day locked away where the Bureau approved it?",
    false_positives="A store that was locked although the log does not say so.",
    cites=("603a.20(k)",),
)
NOT_HELD: Final = Duty(
    "kept_not_held",
    severity="by_amount",
    asks="Had marketing the coupons that it kept for the next gaming day?",
    false_positives="A misread serial number.",
    cites=("603a.20(k)", "603a.20(j)(5)"),
)
LEFTOVER_KINDS: Final = (RETURNED, EXPIRED, SECURED, NOT_HELD)


def check_leftover(moment: EventContext) -> Iterator[Raised]:
    """Raise coupons that marketing still has, had for too long, or keeps otherwise than it may."""
    if isinstance(moment.event, Kept):
        yield from _raise_storage(moment, moment.event)
    elif isinstance(moment.event, Distributed):
        yield from _handed_out(moment, moment.event)
    if isinstance(moment.event, Returned | Kept | Voided):
        yield from _late(moment, moment.event)
    if moment.due is not None:
        yield from _still_held(moment)


def _still_held(moment: EventContext) -> Iterator[Raised]:
    """Raise what marketing has when all of its gaming day must have been done."""
    left: dict[tuple[date, Duty], list[str]] = {}
    due = moment.now_due
    for serial, each in moment.ledger.coupons_at("marketing"):
        day = each.held_until
        if day in due and not _is_open(moment, day):
            left.setdefault((day, _duty(moment, each)), []).append(serial)
    for (day, duty), serials in left.items():
        message = fact("coupons.left_at_end", has_expired=int(duty is EXPIRED))
        yield moment.found(duty, message, serials=serials, day=day)


def _late(moment: EventContext, event: Returned | Kept | Voided) -> Iterator[Raised]:
    """Raise what was returned, kept or voided only after its gaming day was over, and not raised by then."""
    late: dict[tuple[date, Duty], list[str]] = {}
    settled, due = moment.ledger.settled_until, moment.now_due
    for serial, each in _at_hand(moment):
        day = each.held_until
        is_covered = day in due or (settled is not None and day <= settled)
        if moment.is_over(day) and not is_covered:
            late.setdefault((day, _duty(moment, each)), []).append(serial)
    for (day, duty), serials in late.items():
        done = Word(type(event).__name__.lower())
        message = fact("coupons.left_until", day=str(day), done=done, on=str(moment.today))
        yield moment.found(duty, message, serials=serials, day=day)


def _handed_out(moment: EventContext, event: Distributed) -> Iterator[Raised]:
    """Raise coupons handed out that had expired, or that were on an earlier form and that nobody kept."""
    for serial, each in _at_hand(moment):
        if has_expired(moment.ledger.lot_of(each), moment.day, moment.settings):
            message = fact("coupons.expired_handed_out")
            yield moment.found(EXPIRED, message, serials=[serial], patron=event.patron)
        left = each.on_form
        if left is not None and left < moment.day and (each.kept_on is None or each.kept_on < left):
            message = fact("coupons.left_over_handed_out", on=str(left))
            yield moment.found(RETURNED, message, serials=[serial], patron=event.patron)


def _at_hand(moment: EventContext) -> Iterator[tuple[str, Coupon]]:
    """Yield the event's coupons that marketing has and that are not void."""
    coupons = moment.ledger.coupons
    for serial in moment.coupons:
        each = coupons.get(serial)
        if each is not None and each.place == "marketing" and each.voided_on is None:
            yield serial, each


def _duty(moment: EventContext, coupon: Coupon) -> Duty:
    """Return the duty for a coupon at the end of its gaming day: some cannot be kept."""
    over = has_expired(moment.ledger.lot_of(coupon), coupon.held_until, moment.settings)
    return EXPIRED if over else RETURNED


def _is_open(moment: EventContext, day: date) -> bool:
    """Return True if the log ends within a gaming day that marketing has not closed."""
    return (
        isinstance(moment.event, Closed) and day == moment.today and day not in moment.ledger.reported_forms
    )


def _raise_storage(moment: EventContext, event: Kept) -> Iterator[Raised]:
    coupons = moment.ledger.coupons
    if not event.secured or not event.approved_area:
        yield moment.found(SECURED, fact("coupons.kept_in_wrong_area", is_secured=int(bool(event.secured))))
    strange = [s for s in moment.coupons if s not in coupons or coupons[s].place != "marketing"]
    if strange:
        yield moment.found(NOT_HELD, fact("coupons.kept_not_held"), serials=strange)
    over = [
        serial
        for serial in moment.coupons
        if (each := coupons.get(serial)) is not None
        and has_expired(moment.ledger.lot_of(each), moment.kept_for(each), moment.settings)
    ]
    if over:
        yield moment.found(EXPIRED, fact("coupons.expired_kept"), serials=over)


KINDS: Final = (
    *CONTENT_KINDS,
    *DISTRIBUTION_KINDS,
    *MAILING_KINDS,
    *LEFTOVER_KINDS,
)
