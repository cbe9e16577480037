"""Conclusion about a round, a shoe or an account: the verdict with all that it rests on."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
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
    """Line of an account: its name, what it is about, how much.

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
    """Amount owed on one wager: the gain before vigorish and the vigorish, in cents; None if open."""

    seat: int
    wager: str
    cents: int | None
    vigorish_cents: int | None
    bettor: str | None = None
    hand: str | None = None


class ConclusionOf(Struct, Generic[_W], frozen=True, kw_only=True, omit_defaults=True):
    """Conclusion about one round, one shoe if `round` is absent, or an account of a gaming day.

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
    """Yield the vigorish on marker buttons when a round opened and when it was over; zero has no line.

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


# ── By what name a conclusion goes, and when two of them are the same to the byte ─────────────────────

_canonical: Final = msgspec.json.Encoder(order="sorted")


def id_of(concluded: ConclusionOf[Any]) -> str:
    """Return the round, the shoe or the account that a conclusion is about; unique within a property.

    >>> about = {"table": "BAC|1", "gaming_date": date(2025, 3, 1), "chapter": "631a", "verdict": "clean"}
    >>> rest = {"outcome": None, "expected": (), "findings": (), "notes": ()}
    >>> id_of(Conclusion(round="17", **about, **rest)), id_of(Conclusion(shoe="3", **about, **rest))
    ('2025-03-01|BAC%7C1|17', '2025-03-01|BAC%7C1|shoe|3')
    """
    day, table = concluded.gaming_date, concluded.table
    if concluded.account is not None:
        return f"{id_of_table_day(day, table)}|account|{concluded.account}"
    if concluded.round is None:
        return id_of_shoe(day, table, concluded.shoe or "")
    return id_of_round(day, table, concluded.round)


def id_of_round(day: date, table: str, number: str) -> str:
    """Return a round as a conclusion about it does.

    >>> id_of_round(date(2025, 3, 1), "BAC-1", "17")
    '2025-03-01|BAC-1|17'
    """
    return f"{id_of_table_day(day, table)}|{_part(number)}"


def id_of_shoe(day: date, table: str, shoe: str) -> str:
    """Return a shoe as a conclusion about it does.

    >>> id_of_shoe(date(2025, 3, 1), "BAC-1", "3")
    '2025-03-01|BAC-1|shoe|3'
    """
    return f"{id_of_table_day(day, table)}|shoe|{_part(shoe)}"


def id_of_table_day(day: date, table: str) -> str:
    """Return all that happened at a table on a gaming day: what is about it begins so.

    >>> id_of_table_day(date(2025, 3, 1), "BAC|1")
    '2025-03-01|BAC%7C1'
    """
    return f"{day}|{_part(table)}"


def _part(name: str) -> str:
    return name.replace("%", "%25").replace("|", "%7C")


def canonical(conclusions: Iterable[ConclusionOf[Any]]) -> bytes:
    """Serialise conclusions so that two ways of reaching the same ones give the same bytes.

    A later conclusion about the same round or shoe supersedes an earlier one. One JSON object a line, sorted
    by what it is about; findings and notes by their id, wagers by seat, person, name and hand; no revision.
    """
    latest = {id_of(each): each for each in conclusions}
    return b"".join(_encoded(_ordered(latest[about])) + b"\n" for about in sorted(latest))


def _encoded(concluded: ConclusionOf[Any]) -> bytes:
    # Denominations are keyed by numbers, which msgspec sorts only as the words that JSON makes of them.
    plain = msgspec.to_builtins(concluded, str_keys=True) if concluded.lines else concluded
    return _canonical.encode(plain)


def digest_of(concluded: Conclusion, opened: int | None) -> str:
    """Hash a conclusion and when its round opened, in microseconds UTC, as the store saves the hash."""
    return hashlib.sha256(canonical([concluded]) + str(opened).encode()).hexdigest()[:16]


def _ordered(concluded: ConclusionOf[_W]) -> ConclusionOf[_W]:
    return msgspec.structs.replace(
        concluded,
        expected=tuple(
            sorted(
                concluded.expected,
                key=lambda each: (each.seat, each.bettor or "", each.wager, each.hand or ""),
            )
        ),
        findings=tuple(sorted(concluded.findings, key=lambda finding: finding.id)),
        notes=tuple(sorted(concluded.notes, key=lambda finding: finding.id)),
    )
