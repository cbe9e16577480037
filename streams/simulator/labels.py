"""What was injected where, as it is written to labels.jsonl before any audit exists."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Named(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finding that an audit ought to make: its check and its subject."""

    check: str
    round: str | UnsetType = UNSET
    shoe: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    wager: str | UnsetType = UNSET
    bettor: str | UnsetType = UNSET
    who: str | UnsetType = UNSET


class FaultLabel(Struct, frozen=True, kw_only=True):
    """A dealer's fault: its first finding (none where it was put right in time) and those that follow.

    `delta_cents` is observed less expected: of the player's gain, or of vigorish for findings on vigorish.
    """

    fault: str
    table: str
    gaming_date: str
    round: str | None
    shoe: str | None
    primary: Named | None
    follows: list[Named]
    delta_cents: int | None


class SensorLabel(Struct, frozen=True, kw_only=True):
    """A sensor's fault: the rounds whose own events were hit, and the shoes of hit events between rounds."""

    sensor: str
    table: str
    device: str
    rounds: list[str]
    shoes: list[str]
    detail: dict[str, Any]


Label = FaultLabel | SensorLabel
