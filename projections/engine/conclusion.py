"""What is concluded of a round, of a shoe or of an account: the verdict with all that it rests on."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.facts import Fact
from projections.engine.findings import FindingOf
from projections.engine.observation import MarkerButton
from schemas.values import Denominations

_W = TypeVar("_W", Fact, str)

Verdict: TypeAlias = Literal["mismatch", "undetermined", "clean"]
# Lines of a round: the vigorish on a marker button as it was opened, and when it was over.
BUTTON_BEFORE: Final = "vigorish_before"
BUTTON_AFTER: Final = "vigorish_after"


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


def button_lines(buttons: Iterable[MarkerButton]) -> Iterator[Line]:
    """Yield the vigorish on marker buttons as a round was opened, and when it was over; nothing is no line.

    >>> [(line.name, line.of, line.cents) for line in button_lines([MarkerButton("3/anna", 0, 50)])]
    [('vigorish_after', '3/anna', 50)]
    """
    for each in buttons:
        for name, cents in ((BUTTON_BEFORE, each.before), (BUTTON_AFTER, each.after)):
            if cents:
                yield Line(name=name, of=each.who, cents=cents)


def buttons_of(lines: Iterable[Line]) -> list[MarkerButton]:
    """Read the marker buttons of a round back from its lines, by seat.

    >>> buttons_of(button_lines([MarkerButton("1", 50, 90), MarkerButton("3/anna", 25, 0)]))
    [MarkerButton(who='1', before=50, after=90), MarkerButton(who='3/anna', before=25, after=0)]
    """
    sums: dict[str, dict[str, int]] = {}
    for line in lines:
        if line.name in (BUTTON_BEFORE, BUTTON_AFTER) and line.of is not None:
            sums.setdefault(line.of, {})[line.name] = line.cents or 0
    return [
        MarkerButton(who, each.get(BUTTON_BEFORE, 0), each.get(BUTTON_AFTER, 0)) for who, each in sums.items()
    ]
