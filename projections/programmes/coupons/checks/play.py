"""Was the coupon played as the text has it? 603a.21(a)-(d)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, Fact, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.fold import round_key
from projections.programmes.coupons.places import one_word, places_of
from schemas.coupon_log import Played
from schemas.law_text import chapter

_SEEN: Final = "Something that was done although the log does not say so."

HOUSE: Final = Duty(
    "coupon_not_against_house",
    severity="money",
    asks="Do patrons wager against the house at the table?",
    false_positives=_SEEN,
    cites=("603a.21(a)",),
)
CHIPS: Final = Duty(
    "chips_below_coupon",
    severity="money",
    asks="Are the chips worth at least what the coupon states?",
    false_positives="Chips or a value that were misread.",
    cites=("603a.21(b)",),
)
VALUE: Final = Duty(
    "coupon_value_wrong",
    severity="money",
    asks="Was the coupon taken for the value that it states?",
    false_positives="A misread value.",
    cites=("603a.21(b)", "603a.20(c)(2)"),
)
UNDER: Final = Duty(
    "coupon_not_underneath",
    severity="procedure",
    asks="Does the coupon lie under the chips?",
    false_positives=_SEEN,
    cites=("603a.21(b)",),
)
VISIBLE: Final = Duty(
    "coupon_value_hidden",
    severity="procedure",
    asks="Is the coupon's value visible at all times?",
    false_positives=_SEEN,
    cites=("603a.21(b)",),
)
BROKEN_DOWN: Final = Duty(
    "chips_not_broken_down",
    severity="procedure",
    asks="Do chips of the coupon's value lie on it, and the rest beside it?",
    false_positives="Chips that were misread.",
    cites=("603a.21(b)",),
)
REDEEMER: Final = Duty(
    "coupon_redeemer_wrong",
    severity="procedure",
    asks="Did a dealer or a boxperson redeem the coupon?",
    false_positives=_SEEN,
    cites=("603a.21(b)",),
)
AREA: Final = Duty(
    "coupon_outside_betting_area",
    severity="procedure",
    asks="Do coupon and chips lie in the patron's betting area?",
    false_positives=_SEEN,
    cites=("603a.21(c)(1)",),
)
CRAPS: Final = Duty(
    "coupon_off_pass_line",
    severity="procedure",
    asks="Does the coupon lie on the Pass or Don't Pass Line?",
    false_positives="A wager that goes by another name.",
    cites=("603a.21(c)(2)",),
)
ROULETTE: Final = Duty(
    "coupon_off_outside_box",
    severity="procedure",
    asks="Does the coupon lie in one of the nine boxes at Roulette?",
    false_positives="A wager that goes by another name.",
    cites=("603a.21(c)(3)",),
)
SECOND: Final = Duty(
    "second_coupon_in_round",
    severity="money",
    asks="Did the patron play one coupon in the round?",
    false_positives="Another person on the same seat whom the log does not name.",
    cites=("603a.21(d)",),
)
KINDS: Final = (
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


def check(moment: Moment) -> Iterator[Raised]:
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


def _chips(moment: Moment, event: Played) -> Iterator[tuple[Duty, Fact]]:
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


def _place(moment: Moment, event: Played) -> Iterator[tuple[Duty, Fact]]:
    """603a.21(c): the betting area, save where the text names the places."""
    named = places_of(event.chapter, moment.day)
    if named is None:
        if not event.in_betting_area:
            yield AREA, fact("coupons.outside_betting_area")
    elif event.in_betting_area is False or one_word(event.wager or "") not in named.wagers:
        yield _BY_GAME[named.game], fact("coupons.placed_on", wager=event.wager)


def _round(moment: Moment, event: Played) -> Iterator[tuple[Duty, Fact]]:
    admitted = chapter("603a").numbers_on(moment.day)["coupons_a_round"].value
    key = round_key(event)
    played = moment.ledger.rounds.get(key, 0) if key is not None else 0
    if moment.today != moment.ledger.today:
        played = 0
    if played + len(moment.coupons) > admitted:
        count = played + len(moment.coupons)
        yield SECOND, fact("coupons.second_in_round", count=count, round=str(event.round))
