"""What is concluded of a round, of a shoe or of an account: the verdict with all that it rests on."""

from datetime import date
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.facts import Fact
from projections.engine.findings import FindingOf
from schemas.values import Denominations

_W = TypeVar("_W", Fact, str)

Verdict: TypeAlias = Literal["mismatch", "undetermined", "clean"]


class Line(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """One line of an account: what it is called, what it is of, how much.

    `of` is a slip, box, check, coupon or person; `box` is the drop box that it went into; `denominations` are
    chips or bills by their worth in cents, `at` a moment in microseconds UTC.
    """

    name: str
    of: str | None = None
    box: str | None = None
    cents: int | None = None
    count: int | None = None
    at: int | None = None
    denominations: Denominations | None = None


class Expected(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """What one wager was owed: the gain before vigorish and the vigorish, in cents; None where open."""

    seat: int
    wager: str
    cents: int | None
    vigorish_cents: int | None
    bettor: str | None = None
    hand: str | None = None


class ConclusionOf(Struct, Generic[_W], frozen=True, kw_only=True, omit_defaults=True):
    """What is concluded of one round, of one shoe where `round` is absent, or of an account of a gaming day.

    An account (`inventory`, `slips`, …) has neither round nor shoe, and its lines; `table` is the ledger's
    name where the account is of no table.
    """

    table: str
    round: str | None = None
    shoe: str | None = None
    account: str | None = None
    gaming_date: date
    chapter: str
    verdict: Verdict
    outcome: str | None
    expected: tuple[Expected, ...]
    findings: tuple[FindingOf[_W], ...]
    notes: tuple[FindingOf[_W], ...]
    rulebook: str | None = None
    lines: tuple[Line, ...] = ()


Conclusion: TypeAlias = ConclusionOf[Fact]
ConclusionView: TypeAlias = ConclusionOf[str]
