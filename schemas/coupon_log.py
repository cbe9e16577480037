"""The coupon log: what happened to Match Play Coupons from printing to destruction, and on which papers."""

from datetime import date, datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct

from schemas.errors import BadInput
from schemas.record import may_have_blanks, without_blanks
from schemas.serials import between
from schemas.values import MOST_OF_ONE, YEARS, Cents, Count, Name

# ── What stands on the papers of the coupon programme: who signed, and marketing's daily form ─────────

Day: TypeAlias = date  # fields are called `date` too
NameOrNumber: TypeAlias = Name | int  # a table, round, patron or document; some systems number them


class Signer(Struct, frozen=True, omit_defaults=True):
    """A person on a document: name, signature, the Board's credential number, department."""

    name: str | None = None
    signature: str | bool | None = None
    credential: NameOrNumber | None = None
    department: str | None = None
    supervisor: bool | None = None


class ReconciliationForm(Struct, frozen=True, omit_defaults=True):
    """Marketing's daily form, 603a.20(j)(1)-(8).

    Coupons are given as a number, by cents of one (`{"1000": 40}`), or by their serial numbers. Other entries
    of a house are read as docs/coupon_log.md describes.
    """

    date: Day | None = None
    received: Any = None
    to_distribute: Any = None
    distributed: Any = None
    remaining: Any = None
    voided: Any = UNSET  # null means that there was none
    variations: Any = UNSET
    by: Signer | None = None


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The coupon log: what happened to Match Play Coupons from printing to destruction, an open exchange format.
#
# A case is one JSON object with its events; an event is read if it has its name, `at`, and the coupons that
# it is about. Any other field may be absent, null or blank, which is judged as not done. A field that is
# not known here is passed over: those who keep such logs may carry more than the text asks for.

Serial: TypeAlias = Name | int
Denomination: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_OF_ONE, description="cents of one coupon")]

Approval: TypeAlias = Literal["design", "controls", "production", "mailing"]


class Happened(Struct, frozen=True, kw_only=True, tag_field="event", omit_defaults=True):
    """Fields of every event: when it was."""

    at: Annotated[datetime, Meta(tz=True)]

    def __post_init__(self) -> None:
        """Check that the time is one of play."""
        if self.at.year not in YEARS:
            raise ValueError(f"at: {self.at} is not a time of play")


class OnCoupons(Happened, frozen=True, kw_only=True):
    """An event of coupons: one `serial`, several `serials`, or all from `first` to `last`."""

    serial: Serial | None = None
    serials: list[Serial] | None = None
    first: Serial | None = None
    last: Serial | None = None

    def __post_init__(self) -> None:
        """Check that the event has its coupons, and that the time is one of play."""
        Happened.__post_init__(self)
        ends = (self.first, self.last)
        if (self.serial, self.serials, *ends) == (None, None, None, None):
            raise ValueError("it names no coupon: serial, serials, or first and last")
        if (self.first is None) is not (self.last is None):
            raise ValueError("first and last stand together")
        if None not in ends:
            between(str(self.first), str(self.last))


def coupons(event: Happened) -> tuple[str, ...]:
    """Return the serial numbers that an event is about, each once.

    None if it is about no single coupons.
    """
    if not isinstance(event, OnCoupons):
        return ()
    serials = [str(each) for each in (event.serial, *(event.serials or ())) if each is not None]
    if event.first is not None and event.last is not None:
        serials.extend(between(str(event.first), str(event.last)))
    return tuple(dict.fromkeys(serials))


class Approved(Happened, frozen=True, kw_only=True, tag="approved"):
    """The Board approved the design, the internal controls, printing in the house, or mailing."""

    what: Approval | None = None


class Received(OnCoupons, frozen=True, kw_only=True, tag="received"):
    """Coupons came from a gaming service provider or were produced in the house, 603a.20(e), (f), (i)."""

    date: Day | None = None
    denomination_cents: Denomination | None = None
    quantity: Count | None = None
    invoice_quantity: Count | None = None
    source: Literal["provider", "produced"] | None = None
    content: list[str] | dict[str, Any] | None = None
    expires: Day | None = None
    games: list[str] | None = None
    examined_by: list[Signer] | None = None
    recorded_by: Signer | None = None
    stored_secured: bool | None = None
    reported_to: list[str] | None = None


class Requisitioned(Happened, frozen=True, kw_only=True, tag="requisitioned"):
    """Marketing asked finance for coupons, 603a.20(g)."""

    requisition: NameOrNumber | None = None
    date: Day | None = None
    needed_for: Day | None = None
    denomination_cents: Denomination | None = None
    quantity: Count | None = None
    prepared_by: Signer | None = None
    authorized_by: Signer | None = None


class Issued(OnCoupons, frozen=True, kw_only=True, tag="issued"):
    """Finance issued coupons to marketing, 603a.20(h)."""

    requisition: NameOrNumber | None = None
    recorded_at: Annotated[datetime, Meta(tz=True)] | None = None
    denomination_cents: Denomination | None = None
    quantity: Count | None = None
    issued_by: Signer | None = None


class Distributed(OnCoupons, frozen=True, kw_only=True, tag="distributed"):
    """A coupon was handed to a patron, 603a.20(d)."""

    patron: NameOrNumber | None = None
    by_department: str | None = None


class Mailed(OnCoupons, frozen=True, kw_only=True, tag="mailed"):
    """A gaming service provider mailed a coupon to a patron, 603a.20(q)."""

    patron: NameOrNumber | None = None
    address: str | None = None
    denomination_cents: Denomination | None = None
    expires: Day | None = None
    content: list[str] | dict[str, Any] | None = None
    games: list[str] | None = None
    machine_code: bool | str | None = None
    listed_to_finance: bool | None = None
    excluded: bool | None = None


class Played(OnCoupons, frozen=True, kw_only=True, tag="played"):
    """A coupon was put under chips at a table, 603a.21."""

    table: NameOrNumber | None = None
    round: NameOrNumber | None = None
    chapter: NameOrNumber | None = None
    seat: NameOrNumber | None = None
    patron: NameOrNumber | None = None
    wager: str | None = None
    value_cents: Cents | None = None
    chips_cents: Cents | None = None
    on_coupon_cents: Cents | None = None
    underneath: bool | None = None
    visible: bool | None = None
    in_betting_area: bool | None = None
    against_house: bool | None = None
    by: str | None = None
    expiry_verified: bool | None = None


class Settled(OnCoupons, frozen=True, kw_only=True, tag="settled"):
    """The wager over a coupon was paid or collected, or it tied."""

    table: NameOrNumber | None = None
    round: NameOrNumber | None = None
    result: Literal["win", "lose", "tie"] | None = None


class Dropped(OnCoupons, frozen=True, kw_only=True, tag="dropped"):
    """A coupon was put into a table's drop box, 603a.21(e)."""

    table: NameOrNumber | None = None
    drop_box: NameOrNumber | None = None


class Counted(OnCoupons, frozen=True, kw_only=True, tag="counted"):
    """A coupon was found in a drop box when the box was counted, 603a.20(m)(1), (q)(6)."""

    table: NameOrNumber | None = None
    drop_box: NameOrNumber | None = None
    electronically_cancelled: bool | None = None


class Voided(OnCoupons, frozen=True, kw_only=True, tag="voided"):
    """A coupon was voided."""

    reason: str | None = None
    by_department: str | None = None


class Kept(OnCoupons, frozen=True, kw_only=True, tag="kept"):
    """Marketing kept coupons for the next gaming day, 603a.20(k)."""

    secured: bool | None = None
    approved_area: bool | None = None


class Returned(OnCoupons, frozen=True, kw_only=True, tag="returned"):
    """Marketing gave coupons back to finance, 603a.20(k), (l)."""

    date: Day | None = None
    quantity: Count | None = None
    returned_by: Signer | None = None
    received_by: Signer | None = None


class DayClosed(Happened, frozen=True, kw_only=True, tag="day_closed"):
    """Marketing closed its gaming day with its form, 603a.20(j)."""

    date: Day | None = None
    form: ReconciliationForm | None = None


class Cancelled(OnCoupons, frozen=True, kw_only=True, tag="cancelled"):
    """Finance cancelled coupons, 603a.20(m)(2)."""


class Destroyed(OnCoupons, frozen=True, kw_only=True, tag="destroyed"):
    """Coupons were destroyed, 465a.6(c)(2)."""


class Reconciled(Happened, frozen=True, kw_only=True, rename={"day": "for"}, tag="reconciled"):
    """Finance reconciled a gaming day, 603a.20(m)(3)."""

    day: Day | None = None
    given: Count | None = None
    returned: Count | None = None
    voided: Count | None = None
    distributed: Count | None = None
    redeemed: Count | None = None
    signatures_reviewed: bool | None = None


class Inventoried(Happened, frozen=True, kw_only=True, tag="inventoried"):
    """The coupons that were not distributed were counted, cents of one to how many, 603a.20(n)."""

    counted: dict[Denomination, Count] | None = None
    in_ledger: bool | None = None


class QuarterlyReport(Happened, frozen=True, kw_only=True, tag="quarterly_report"):
    """Report of what patrons redeemed in a quarter, cents of one coupon to cents in all, 603a.20(o)."""

    quarter: Annotated[str, Meta(pattern=r"^\d{4}Q[1-4]$")] | None = None
    redeemed: dict[Denomination, Cents] | None = None


class Closed(Happened, frozen=True, kw_only=True, tag="closed"):
    """The end of the log: what has not happened by then did not happen."""


CouponEvent: TypeAlias = (
    Approved
    | Received
    | Requisitioned
    | Issued
    | Distributed
    | Mailed
    | Played
    | Settled
    | Dropped
    | Counted
    | Voided
    | Kept
    | Returned
    | DayClosed
    | Cancelled
    | Destroyed
    | Reconciled
    | Inventoried
    | QuarterlyReport
    | Closed
)


class CouponCase(Struct, frozen=True):
    """Case of a coupon log: a name or number, and what happened."""

    case: NameOrNumber
    events: list[CouponEvent]


_decoder: Final = msgspec.json.Decoder(CouponCase)


def read(line: bytes) -> CouponCase:
    """Decode one line; a blank field is read as null.

    Raises:
        BadInput: it is not JSON, or not a case of a coupon log; the message names the place in the object.
    """
    try:
        if may_have_blanks(line):
            return msgspec.convert(without_blanks(msgspec.json.decode(line)), CouponCase, str_keys=True)
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(str(error)) from None
