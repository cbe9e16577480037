"""Entries of a table inventory and its drop box, in order: what its account is kept from.

The fold of a table's events writes these; the account is brought up to date with them round by round, as what
a count shows can hang on what the round before was judged to be.
"""

from datetime import date
from typing import Literal, TypeAlias

from msgspec import Struct

from projections.engine.facts import Fact
from schemas.events import (
    ChipsBought,
    CounterCheckTaken,
    CouponDropped,
    CreditSent,
    DropBoxChanged,
    FillReceived,
    InventoryListed,
    SlipDropped,
    TableClosed,
    TableOpened,
    TokeGiven,
)

# Why chips came into the tray or left it; docs/money.md has the paragraph of 465a.36(b) for each.
Reason: TypeAlias = Literal[
    "cash",
    "counter_checks",
    "wagers_collected",
    "wagers_paid",
    "fills",
    "credits",
    "vigorish",
    "put_right",
    "by_count",
]


class GamingDayBegan(Struct, frozen=True, tag=True, tag_field="event"):
    """The account of a gaming day begins; that of the day before is over."""

    day: date


class ChipsMoved(Struct, frozen=True, tag=True, tag_field="event"):
    """Chips came into the tray (positive cents) or left it, and why."""

    reason: Reason
    cents: int


class NotReported(Struct, frozen=True, tag=True, tag_field="event"):
    """Missing reports: `counted` bears on the account, `acts` may be of what people did."""

    counted: tuple[Fact, ...]
    acts: tuple[Fact, ...] = ()


class RoundDealt(Struct, frozen=True, tag=True, tag_field="event"):
    """A round was dealt."""


class TrayRead(Struct, frozen=True, tag=True, tag_field="event"):
    """Return True if the tray reader counted before a round and after it, and nothing of it is missing."""

    is_read: bool


class TrayCounted(Struct, frozen=True, tag=True, tag_field="event"):
    """A count by the tray reader, as `at` says; it was made when `since` had not moved yet, in cents.

    `within` names the round that came between it and the count before.
    """

    at: str
    cents: int
    since: int
    within: str | None = None


Entry: TypeAlias = (
    GamingDayBegan
    | ChipsMoved
    | NotReported
    | RoundDealt
    | TrayRead
    | TrayCounted
    | ChipsBought
    | CounterCheckTaken
    | CouponDropped
    | CreditSent
    | DropBoxChanged
    | FillReceived
    | InventoryListed
    | SlipDropped
    | TableClosed
    | TableOpened
    | TokeGiven
)
