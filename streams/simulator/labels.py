"""Labels of injected faults, as they are written to labels.jsonl before any audit exists."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType


class ExpectedFinding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finding that an audit should make: its check and its subject.

    `table` and `gaming_date` are set if it is made elsewhere than at the label's: in a ledger, or on another
    gaming day. `serial` is the number of a slip, a Counter Check or a coupon.
    """

    check: str
    round: str | UnsetType = UNSET
    shoe: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    wager: str | UnsetType = UNSET
    bettor: str | UnsetType = UNSET
    who: str | UnsetType = UNSET
    serial: str | UnsetType = UNSET
    table: str | UnsetType = UNSET
    gaming_date: str | UnsetType = UNSET


class FaultLabel(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fault of people: its first finding (none if it was corrected in time) and those that follow.

    `table` is the ledger's name if the fault is one of a ledger. `delta_cents` is observed less expected: of
    the player's gain, of vigorish for findings on vigorish, of what was counted for those on chips. `after`
    names the last count that still agreed if an inventory went wrong, `leaves_open` the rounds that cannot be
    decided because of the fault. `undetermined` are findings that must be made, and may prove nothing.
    """

    fault: str
    table: str
    gaming_date: str
    round: str | None
    shoe: str | None
    primary: ExpectedFinding | None
    follows: list[ExpectedFinding]
    delta_cents: int | None
    after: str | None = None
    leaves_open: list[str] = []
    undetermined: list[ExpectedFinding] = []


class SensorLabel(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sensor's fault: the rounds whose own events were hit, and the shoes of hit events between rounds.

    `gaming_date` is that of the table's opening.
    """

    sensor: str
    table: str
    device: str
    rounds: list[str]
    shoes: list[str]
    detail: dict[str, Any]
    gaming_date: str | None = None


class SchemeLabel(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Scheme of one patron over the rounds of a day, alone or with a dealer; the rounds in which it was done.

    What an audit finds of single rounds has a label of its own; this one is for patterns.
    """

    scheme: str
    table: str
    gaming_date: str
    patron: str
    rounds: list[str]
    dealer: str | None = None


Label = FaultLabel | SensorLabel | SchemeLabel
