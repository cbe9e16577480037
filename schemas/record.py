"""The round record: one played round, one JSON object, the open exchange format; blank fields are null."""

import re
from datetime import date, datetime
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from schemas.side_wagers import SideWager
from schemas.values import Name, RecordedCents, RecordedGain, Spot

# ── Fields of JSON that somebody left blank, read as null ─────────────────────────────────────────────

_BLANK: Final = re.compile(rb'"\s*"')


def may_have_blanks(text: bytes) -> bool:
    """Return False where a JSON text has no blank field for certain."""
    return _BLANK.search(text) is not None


def without_blanks(value: Any) -> Any:
    """Return a JSON value with null in the place of each member that is blank.

    >>> without_blanks({"by": {"name": "Ann", "credential": " "}, "serials": ["1", ""]})
    {'by': {'name': 'Ann', 'credential': None}, 'serials': ['1', '']}
    """
    if isinstance(value, dict):
        return {name: None if _is_blank(each) else without_blanks(each) for name, each in value.items()}
    return [without_blanks(each) for each in value] if isinstance(value, list) else value


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


# ── The round record: one played round, one JSON object, the open exchange format ─────────────────────
# It carries what was seen only. The words that a chapter adds stand with its game.


class RecordWager(Struct, frozen=True, omit_defaults=True):
    """A wager: the chips in cents, and the Match Play Coupon under them."""

    seat: Spot
    wager: Name
    cents: RecordedCents
    bettor: Name | None = None
    hand: Name | None = None
    coupon_cents: RecordedCents = 0
    coupon: Name | None = None


class RecordPaid(Struct, frozen=True, omit_defaults=True):
    """A settlement: the player's gain in cents before vigorish, and the vigorish taken or marked."""

    seat: Spot
    wager: Name
    cents: RecordedGain
    vigorish_cents: RecordedGain = 0
    bettor: Name | None = None
    hand: Name | None = None


class RoundRecord(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Round as it was observed; see docs/round_record.md."""

    table: Name
    round: Name
    chapter: Name
    at: Annotated[datetime, Meta(tz=True)]
    play: list[tuple[str, str]]
    wagers: list[RecordWager]
    options: dict[Name, Any] = {}
    offered: dict[Name, Name | SideWager] = {}
    house: Name | None = None
    decks: int | None = None
    announced: Name | None = None
    paid: list[RecordPaid] | None = None
    shoe: Name | None = None
    dealer: Name | None = None
    gaming_date: date | None = None
    announced_points: dict[Name, Annotated[int, Meta(ge=0, le=9)]] = {}
