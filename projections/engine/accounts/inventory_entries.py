"""Entries of a table inventory and its drop box, in order: the input of its account.

The fold of a table's events writes these. The account is updated from them round by round, because what a
count shows can depend on the verdict on the round before.
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
    """Chips came into the tray (positive cents) or left it, and why.

    `number` names the round that they put right after it had closed.
    """

    reason: Reason
    cents: int
    number: str | None = None


class NotReported(Struct, frozen=True, tag=True, tag_field="event"):
    """Missing reports: `counted` affects the account, `acts` may be of what people did."""

    counted: tuple[Fact, ...]
    acts: tuple[Fact, ...] = ()


class RoundDealt(Struct, frozen=True, tag=True, tag_field="event"):
    """A round was dealt."""


class TrayRead(Struct, frozen=True, tag=True, tag_field="event"):
    """The tray reader's completeness in a round: it counted before and after it, and no count is missing."""

    is_read: bool


class TrayCounted(Struct, frozen=True, tag=True, tag_field="event"):
    """A count by the tray reader at the moment that `at` describes, before `since` had moved, in cents.

    `within` names the round between it and the count before.
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
