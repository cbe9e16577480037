"""May the coupon be redeemed, was it played as the text has it, and did it go into the table's drop box?"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from projections.engine.facts import Cents, Fact, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, EventContext, just_tied
from projections.programmes.coupons.fold import round_key
from projections.programmes.coupons.ledger import UNKNOWN, Fault, Lot, fault_of
from schemas.coupon_log import (
    Cancelled,
    Closed,
    Counted,
    Destroyed,
    Distributed,
    Dropped,
    Issued,
    NameOrNumber,
    Played,
    Settled,
    Voided,
)
from schemas.law_text import chapter, chapters

_GAMES: Final = ("craps", "roulette")
_SYNONYMS: Final = (
    (r"don.?t", "dont"),
    (r"\bfirst\b", "1st"),
    (r"\bsecond\b", "2nd"),
    (r"\bthird\b", "3rd"),
    (r"\bdozen\b", "12"),
    (r"\bto\b", " "),
    (r"\bline\b", " "),
)


class CouponSpots(Struct, frozen=True):
    """A game whose places are named, those places, and the provision."""

    game: str
    wagers: frozenset[str]
    cite: str


def places_of(game: str | int | None, day: date) -> CouponSpots | None:
    """Return the places that the text names for a game, by its chapter or name; None if it names none."""
    numbers = chapter("603a").numbers_on(day)
    for name in _GAMES:
        place_names = numbers[name]
        if game is not None and one_word(str(game)) in place_names.value:
            places = numbers[f"{name}_places"]
            return CouponSpots(name, frozenset(one_word(each) for each in places.value), places.cite)
    return None


def one_word(text: str) -> str:
    """Write a wager or game in one way, whatever marks and words a system uses.

    >>> one_word("Don't Pass Line"), one_word("dont_pass"), one_word("1 to 18"), one_word("First Dozen")
    ('dont_pass', 'dont_pass', '1_18', '1st_12')
    """
    words = text.lower().replace("_", " ")
    for pattern, word in _SYNONYMS:
        words = re.sub(pattern, word, words)
    return "_".join(re.findall(r"\w+", words))


# ── May this coupon be redeemed at all? 603a.20(c)(4), (c)(5), (m)(3), (q)(5) ─────────────────────────

_SERIAL: Final = "A serial number that was misread, or an event before that is not in the log."

UNKNOWN_COUPON: Final = Duty(
    "coupon_unknown",
    severity="critical",
    asks="Is the coupon one that the ledger knows?",
    false_positives=_SERIAL,
    cites=("603a.20(m)(3)", "603a.20(f)(3)", "603a.20(c)(3)"),
)
VOID: Final = Duty(
    "void_coupon_used",
    severity="critical",
    asks="Was the coupon still good, not voided?",
    false_positives=_SERIAL,
    cites=("603a.20(m)(3)", "603a.20(m)(2)", "603a.20(m)"),
)
REUSED: Final = Duty(
    "coupon_reused",
    severity="critical",
    asks="Was the coupon redeemed once?",
    false_positives=_SERIAL,
    cites=("603a.21(e)", "603a.20(m)(3)", "603a.20(m)(4)"),
)
NOT_DISTRIBUTED: Final = Duty(
    "redeemed_not_distributed",
    severity="critical",
    asks="Had a patron been given the coupon that was redeemed?",
    false_positives=_SERIAL,
    cites=("603a.20(m)(3)", "603a.20(i)", "603a.20(k)"),
)
EXPIRED: Final = Duty(
    "coupon_expired",
    severity="by_amount",
    asks="Was the coupon played by its expiry date?",
    false_positives="A house whose coupons expire at another hour than its gaming day.",
    cites=("603a.20(c)(5)",),
)
WRONG_GAME: Final = Duty(
    "coupon_wrong_game",
    severity="by_amount",
    asks="Was the coupon played on a game or wager for which it is good?",
    false_positives="A game that goes by another name on the coupon than in the log.",
    cites=("603a.20(c)(4)", "603a.21(b)"),
)
REDEEMABLE_KINDS: Final = (UNKNOWN_COUPON, VOID, REUSED, NOT_DISTRIBUTED, EXPIRED, WRONG_GAME)

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


def check_redeemable(moment: EventContext) -> Iterator[Raised]:
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


def _void(moment: EventContext) -> list[str]:
    coupons = moment.ledger.coupons
    return [
        serial for serial in moment.coupons if serial in coupons and coupons[serial].voided_on is not None
    ]


def _played(moment: EventContext, event: Played) -> Iterator[Raised]:
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
    chapter_names = {one_word(chapter(game).title)} if game in chapters() else set()
    places = places_of(game, date.max)
    return chapter_names | ({places.game} if places is not None else set())


# ── Was the coupon played as the text has it? 603a.21(a)-(d) ──────────────────────────────────────────

_SEEN: Final = "Something that was done although the log does not say so."

HOUSE: Final = Duty(
    "coupon_not_against_house",
    severity="by_amount",
    asks="Do patrons wager against the house at the table?",
    false_positives=_SEEN,
    cites=("603a.21(a)",),
)
CHIPS: Final = Duty(
    "chips_below_coupon",
    severity="by_amount",
    asks="Are the chips worth at least what the coupon states?",
    false_positives="Chips or a value that were misread.",
    cites=("603a.21(b)",),
)
VALUE: Final = Duty(
    "coupon_value_wrong",
    severity="by_amount",
    asks="Was the coupon taken for the value that it states?",
    false_positives="A misread value.",
    cites=("603a.21(b)", "603a.20(c)(2)"),
)
UNDER: Final = Duty(
    "coupon_not_underneath",
    severity="medium",
    asks="Does the coupon lie under the chips?",
    false_positives=_SEEN,
    cites=("603a.21(b)",),
)
VISIBLE: Final = Duty(
    "coupon_value_hidden",
    severity="medium",
    asks="Is the coupon's value visible at all times?",
    false_positives=_SEEN,
    cites=("603a.21(b)",),
)
BROKEN_DOWN: Final = Duty(
    "chips_not_broken_down",
    severity="medium",
    asks="Do chips of the coupon's value lie on it, and the rest beside it?",
    false_positives="Chips that were misread.",
    cites=("603a.21(b)",),
)
REDEEMER: Final = Duty(
    "coupon_redeemer_wrong",
    severity="medium",
    asks="Did a dealer or a boxperson redeem the coupon?",
    false_positives=_SEEN,
    cites=("603a.21(b)",),
)
AREA: Final = Duty(
    "coupon_outside_betting_area",
    severity="medium",
    asks="Do coupon and chips lie in the patron's betting area?",
    false_positives=_SEEN,
    cites=("603a.21(c)(1)",),
)
CRAPS: Final = Duty(
    "coupon_off_pass_line",
    severity="medium",
    asks="Does the coupon lie on the Pass or Don't Pass Line?",
    false_positives="A wager that goes by another name.",
    cites=("603a.21(c)(2)",),
)
ROULETTE: Final = Duty(
    "coupon_off_outside_box",
    severity="medium",
    asks="Does the coupon lie in one of the nine boxes at Roulette?",
    false_positives="A wager that goes by another name.",
    cites=("603a.21(c)(3)",),
)
SECOND: Final = Duty(
    "second_coupon_in_round",
    severity="by_amount",
    asks="Did the patron play one coupon in the round?",
    false_positives="Another person on the same seat whom the log does not name.",
    cites=("603a.21(d)",),
)
PLAY_KINDS: Final = (
    HOUSE,
    CHIPS,
    VALUE,
    UNDER,
    VISIBLE,
    BROKEN_DOWN,
    REDEEMER,
    AREA,
    CRAPS,
    ROULETTE,
    SECOND,
)

_REDEEMERS: Final = ("dealer", "boxperson")
_BY_GAME: Final = {"craps": CRAPS, "roulette": ROULETTE}


def check_play(moment: EventContext) -> Iterator[Raised]:
    """Raise what was not right about how a coupon was played."""
    event = moment.event
    if isinstance(event, Played):
        for duty, message in (
            *_chips(moment, event),
            *_manner(event),
            *_place(moment, event),
            *_round(moment, event),
        ):
            yield moment.found(duty, message, patron=event.patron, table=event.table)


def _chips(moment: EventContext, event: Played) -> Iterator[tuple[Duty, Fact]]:
    """603a.21(b): chips of at least the stated value, and just that much of them on the coupon."""
    stated = {moment.ledger.denomination(serial) for serial in moment.coupons} - {None}
    value, chips = event.value_cents, event.chips_cents
    if value is None:
        yield VALUE, fact("coupons.value_not_told")
        value = max((cents for cents in stated if cents is not None), default=0)
    elif stated and value not in stated:
        were = listed(*(Cents(cents) for cents in sorted(each for each in stated if each is not None)))
        yield VALUE, fact("coupons.taken_for", value=Cents(value), stated=were)
    if chips is None or chips < value:
        yield CHIPS, fact("coupons.chips_below", chips=Cents(chips or 0), value=Cents(value))
    elif chips > value and event.on_coupon_cents != value:
        on_it = None if event.on_coupon_cents is None else Cents(event.on_coupon_cents)
        yield (
            BROKEN_DOWN,
            fact("coupons.not_broken_down", chips=Cents(chips), on_coupon=on_it, value=Cents(value)),
        )


def _manner(event: Played) -> Iterator[tuple[Duty, Fact]]:
    if not event.against_house:
        yield HOUSE, fact("coupons.not_against_house")
    if not event.underneath:
        yield UNDER, fact("coupons.not_underneath")
    if not event.visible:
        yield VISIBLE, fact("coupons.value_hidden")
    if event.by is None or one_word(event.by) not in _REDEEMERS:
        yield REDEEMER, fact("coupons.redeemed_by", by=event.by)


def _place(moment: EventContext, event: Played) -> Iterator[tuple[Duty, Fact]]:
    """603a.21(c): the betting area, save where the text names the places."""
    places = places_of(event.chapter, moment.day)
    if places is None:
        if not event.in_betting_area:
            yield AREA, fact("coupons.outside_betting_area")
    elif event.in_betting_area is False or one_word(event.wager or "") not in places.wagers:
        yield _BY_GAME[places.game], fact("coupons.placed_on", wager=event.wager)


def _round(moment: EventContext, event: Played) -> Iterator[tuple[Duty, Fact]]:
    admitted = chapter("603a").numbers_on(moment.day)["coupons_a_round"].value
    key = round_key(event)
    played = moment.ledger.rounds.get(key, 0) if key is not None else 0
    if moment.today != moment.ledger.today:
        played = 0
    if played + len(moment.coupons) > admitted:
        count = played + len(moment.coupons)
        yield SECOND, fact("coupons.second_in_round", count=count, round=str(event.round))


# ── Did the coupon go into the table's drop box at the settlement, and only then? 603a.21(e) ──────────

NOT_DROPPED: Final = Duty(
    "coupon_not_dropped",
    severity="by_amount",
    asks="Was the coupon dropped when the wager was paid or collected?",
    false_positives="Clocks of two systems that lie apart, or a drop that is not in the log.",
    cites=("603a.21(e)",),
)
ELSEWHERE: Final = Duty(
    "coupon_dropped_elsewhere",
    severity="by_amount",
    asks="Was the coupon dropped into the box of the table where it was played?",
    false_positives="A table that goes by two names.",
    cites=("603a.21(e)",),
)
WITHOUT_PLAY: Final = Duty(
    "dropped_without_play",
    severity="by_amount",
    asks="Was the coupon played before it was dropped?",
    false_positives="A play that is not in the log, or a misread serial number.",
    cites=("603a.21(e)", "603a.20(m)(3)"),
)
COUNTED_WITHOUT_PLAY: Final = Duty(
    "counted_without_play",
    severity="by_amount",
    asks="Was the coupon that was found in the box played and dropped?",
    false_positives="A play that is not in the log, or a misread serial number.",
    cites=("603a.20(m)(3)", "603a.20(m)(1)", "603a.21(e)"),
)
DROPPING_KINDS: Final = (NOT_DROPPED, ELSEWHERE, WITHOUT_PLAY, COUNTED_WITHOUT_PLAY)


def check_dropping(moment: EventContext) -> Iterator[Raised]:
    """Raise coupons that are overdue, that are in another box, or whose origin is unknown."""
    event = moment.event
    yield from _overdue(moment)
    if isinstance(event, Settled):
        yield from _early(moment, event)
    elif isinstance(event, Dropped):
        yield from _dropped(moment, event)
    elif isinstance(event, Counted):
        for serial in moment.coupons:
            each = moment.ledger.coupons.get(serial)
            if each is None or each.lot == UNKNOWN or each.improper:
                continue  # raised already as one that should not have been played
            if each.place in ("finance", "marketing", "patron"):
                message = fact("coupons.counted_without_play")
                yield moment.found(COUNTED_WITHOUT_PLAY, message, serials=[serial], table=event.table)
    if moment.due is not None:
        yield from _undecided(moment)


def _overdue(moment: EventContext) -> Iterator[Raised]:
    """Raise what was settled and is not in a box by now; at the log's end, ever."""
    event, ledger = moment.event, moment.ledger
    limit = moment.settings.drop_seconds
    for serial, settled in ledger.awaiting_drop.items():
        passed = event.at - settled
        if passed <= timedelta(seconds=limit) and not isinstance(event, Closed):
            break  # those that follow were settled later
        came = isinstance(event, Dropped) and serial in moment.coupons
        message = (
            fact("coupons.dropped_late", seconds=int(passed.total_seconds()), limit=limit)
            if came
            else fact("coupons.not_dropped", limit=limit)
        )
        play = ledger.coupons[serial].play
        where = play.table if play is not None else None
        day = play.day if play is not None else None
        yield moment.found(NOT_DROPPED, message, serials=[serial], table=where, day=day)


def _early(moment: EventContext, event: Settled) -> Iterator[Raised]:
    """Raise what was dropped well before the wager was decided."""
    limit = moment.settings.drop_seconds
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        if each is None or each.dropped_at is None or each.play is None or each.play.settled_at is not None:
            continue
        before = event.at - each.dropped_at
        if before > timedelta(seconds=limit) and each.lot != UNKNOWN:
            message = fact("coupons.dropped_early", seconds=int(before.total_seconds()))
            yield moment.found(NOT_DROPPED, message, serials=[serial], table=each.dropped_table)


def _dropped(moment: EventContext, event: Dropped) -> Iterator[Raised]:
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        if each is None or each.lot == UNKNOWN:
            continue
        if each.place != "table" and not just_tied(moment, each):
            message = fact("coupons.dropped_without_play")
            yield moment.found(WITHOUT_PLAY, message, serials=[serial], table=event.table)
        elif event.table is None and event.drop_box is None:
            yield moment.found(ELSEWHERE, fact("coupons.dropped_into_no_box"), serials=[serial])
        elif each.play is not None and _differ(each.play.table, event.table):
            message = fact("coupons.dropped_elsewhere", played=each.play.table, dropped=str(event.table))
            yield moment.found(ELSEWHERE, message, serials=[serial], table=event.table)


def _differ(one: str | None, other: NameOrNumber | None) -> bool:
    return None not in (one, other) and one != str(other)


def _undecided(moment: EventContext) -> Iterator[Raised]:
    """Raise what was played on a day that is over and never settled."""
    due = moment.now_due
    for serial, each in moment.ledger.coupons.items():
        play = each.play
        if play is None or play.settled_at is not None or each.lot == UNKNOWN:
            continue
        if play.day in due and not (each.improper or each.voided_on):
            what = fact("coupons.never_settled", was_dropped=int(each.place != "table"))
            yield moment.found(NOT_DROPPED, what, serials=[serial], table=play.table, day=play.day)


KINDS: Final = (
    *REDEEMABLE_KINDS,
    *PLAY_KINDS,
    *DROPPING_KINDS,
)
