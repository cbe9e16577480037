"""May this coupon be redeemed at all? 603a.20(c)(4), (c)(5), (m)(3), (q)(5)."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from projections.engine.facts import Fact, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.ledger import UNKNOWN, Fault, Lot, fault_of
from projections.programmes.coupons.places import one_word, places_of
from schemas.coupon_log import Cancelled, Counted, Destroyed, Distributed, Dropped, Issued, Played, Voided
from schemas.law_text import chapter, chapters

_SERIAL: Final = "A serial number that was misread, or an event before that is not in the log."

UNKNOWN_COUPON: Final = Duty(
    "coupon_unknown",
    severity="grave",
    asks="Is the coupon one that the ledger knows?",
    false_positives=_SERIAL,
    cites=("603a.20(m)(3)", "603a.20(f)(3)", "603a.20(c)(3)"),
)
VOID: Final = Duty(
    "void_coupon_used",
    severity="grave",
    asks="Was the coupon still good, not voided?",
    false_positives=_SERIAL,
    cites=("603a.20(m)(3)", "603a.20(m)(2)", "603a.20(m)"),
)
REUSED: Final = Duty(
    "coupon_reused",
    severity="grave",
    asks="Was the coupon redeemed once?",
    false_positives=_SERIAL,
    cites=("603a.21(e)", "603a.20(m)(3)", "603a.20(m)(4)"),
)
NOT_DISTRIBUTED: Final = Duty(
    "redeemed_not_distributed",
    severity="grave",
    asks="Had a patron been given the coupon that was redeemed?",
    false_positives=_SERIAL,
    cites=("603a.20(m)(3)", "603a.20(i)", "603a.20(k)"),
)
EXPIRED: Final = Duty(
    "coupon_expired",
    severity="money",
    asks="Was the coupon played by its expiry date?",
    false_positives="A house whose coupons expire at another hour than its gaming day.",
    cites=("603a.20(c)(5)",),
)
WRONG_GAME: Final = Duty(
    "coupon_wrong_game",
    severity="money",
    asks="Was the coupon played on a game or wager for which it is good?",
    false_positives="A game that goes by another name on the coupon than in the log.",
    cites=("603a.20(c)(4)", "603a.21(b)"),
)
KINDS: Final = (UNKNOWN_COUPON, VOID, REUSED, NOT_DISTRIBUTED, EXPIRED, WRONG_GAME)

# A coupon that is good everywhere, and an entry that begins with a chapter's number.
_ANY: Final = frozenset({"all", "any", "table_games", "all_table_games"})
_CHAPTER: Final = re.compile(r"\d{3}a?(_|$)")

_FAULTS: Final[dict[Fault, tuple[Duty, Fact]]] = {
    "unknown": (UNKNOWN_COUPON, fact("coupons.played_unknown")),
    "void": (VOID, fact("coupons.played_void")),
    "reused": (REUSED, fact("coupons.played_again")),
    "not_distributed": (NOT_DISTRIBUTED, fact("coupons.played_undistributed")),
    "expired": (EXPIRED, fact("coupons.played_expired")),
}


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons that may not be redeemed, and serial numbers that turn up from nowhere."""
    event, ledger = moment.event, moment.ledger
    if isinstance(event, Played):
        yield from _played(moment, event)
    elif isinstance(event, Dropped | Counted | Voided | Cancelled | Destroyed):
        unknown = [serial for serial in moment.coupons if serial not in ledger.coupons]
        if unknown:
            table = event.table if isinstance(event, Dropped | Counted) else None
            message = fact("coupons.serial_unknown")
            yield moment.found(UNKNOWN_COUPON, message, serials=unknown, table=table)
    elif isinstance(event, Issued):
        void = _void(moment)
        if void and event.quantity == len(moment.coupons):
            yield moment.found(VOID, fact("coupons.issued_void"), serials=void)
    elif isinstance(event, Distributed) and (void := _void(moment)):
        yield moment.found(VOID, fact("coupons.distributed_void"), serials=void)


def _void(moment: Moment) -> list[str]:
    known = moment.ledger.coupons
    return [serial for serial in moment.coupons if serial in known and known[serial].voided_on is not None]


def _played(moment: Moment, event: Played) -> Iterator[Raised]:
    ledger = moment.ledger
    for serial in moment.coupons:
        fault = fault_of(ledger, serial, moment.day, moment.settings)
        coupon = ledger.coupons.get(serial)
        lot = ledger.lot_of(coupon) if coupon is not None else None
        if fault is not None:
            duty, message = _FAULTS[fault]
            more = ("603a.20(q)(5)",) if fault == "expired" and lot is not None and lot.mailed else ()
            yield moment.found(
                duty, message, serials=[serial], patron=event.patron, table=event.table, cites=more
            )
        if lot is not None and coupon is not None and coupon.lot != UNKNOWN and not _admits(lot, event):
            message = fact(
                "coupons.played_on_other",
                wager=event.wager,
                game=event.chapter,
                good_for=listed(*lot.games),
            )
            yield moment.found(WRONG_GAME, message, serials=[serial], patron=event.patron, table=event.table)


def _admits(lot: Lot, event: Played) -> bool:
    """Return True if a coupon is good for a wager: an entry of it names the chapter, game or wager.

    Several words in one entry must all be true of the wager (`631a player`). Where the coupon names games in
    words and no title of the log's chapter is on file, it is taken to be good.
    """
    entries = [one_word(each) for each in lot.games]
    names = _names(str(event.chapter)) if event.chapter is not None else set()
    if (
        not entries
        or _ANY & set(entries)
        or (not names and not any(_CHAPTER.match(each) for each in entries))
    ):
        return True
    true = names | {one_word(str(each)) for each in (event.chapter, event.wager) if each is not None}
    true |= {word for each in true for word in each.split("_")} - {"21"}
    return any(each in true or set(each.split("_")) <= true for each in entries)


def _names(game: str) -> set[str]:
    """Return the names of the game of a chapter, as far as they are on file."""
    if not _CHAPTER.match(game):
        return {one_word(game)}
    known = {one_word(chapter(game).title)} if game in chapters() else set()
    places = places_of(game, date.max)
    return known | ({places.game} if places is not None else set())
