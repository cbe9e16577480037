"""By what name a conclusion goes, and when two of them are the same to the byte."""

import hashlib
from collections.abc import Iterable
from datetime import date
from typing import Any, Final, TypeVar

import msgspec

from projections.engine.conclusion import Conclusion, ConclusionOf
from projections.engine.facts import Fact

_W = TypeVar("_W", Fact, str)
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
    """Hash a conclusion and when its round opened, in microseconds UTC, as the store keeps it beside them."""
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
