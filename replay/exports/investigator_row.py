"""What the systems of investigators ask of a row: its moment, a sentence, and by what it is to be found."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from replay.exports.flat_rows import Flat, FlatCell
from replay.lists.writers import printable
from schemas.errors import BadInput
from schemas.values import dollars

_WHERE: Final = ("table", "round", "shoe")
_SPOT: Final = ("seat", "bettor", "wager", "hand")
_SUMS: Final = (("cents", "wagered"), ("expected_cents", "owed"), ("paid_cents", "paid"))


def moment_of(row: Mapping[str, FlatCell]) -> datetime:
    """Return a row's moment, with its offset.

    Raises:
        BadInput: it has none.
    """
    at = row.get("at")
    if not isinstance(at, str):
        raise BadInput("a row without a moment cannot be placed in time")
    return datetime.fromisoformat(at)


def sentence(row: Flat) -> str:
    """Say a row in a sentence: its own message, or what became of a wager.

    >>> sentence({"table": "B-1", "round": "7", "seat": 5, "wager": "tie", "cents": 500, "paid_cents": 4000})
    'table B-1, round 7, seat 5 tie: wagered $5.00, paid $40.00'
    """
    where = ", ".join(f"{name} {row[name]}" for name in _WHERE if row.get(name) is not None)
    message = row.get("message")
    if message is not None:
        return printable(f"{where}: {message}")
    spot = " ".join(str(row[name]) for name in _SPOT if row.get(name) is not None)
    told = ((says, row.get(name)) for name, says in _SUMS)
    sums = ", ".join(f"{says} {dollars(cents)}" for says, cents in told if isinstance(cents, int))
    about = f"{where}, seat {spot}" if spot else where
    return printable(f"{about}: {sums or row.get('verdict') or ''}")


def comes_to(net: FlatCell, variance: FlatCell) -> str:
    """Say in a word or two what a finding comes to: its net or, of a count, its variance; "" without a sum.

    >>> comes_to(-19_500, None), comes_to(None, 2_500), comes_to(None, None)
    ('net -$195.00', 'variance $25.00', '')
    """
    named = (("net", net), ("variance", variance))
    return next((f"{name} {dollars(cents)}" for name, cents in named if isinstance(cents, int)), "")


def sort_of(row: Flat) -> tuple[str, str]:
    """Return what sort of row it is, and which: a finding by its check, an event by its name."""
    if row.get("check") is not None:
        return "finding", str(row["check"])
    if row.get("event") is not None:
        return "event", str(row["event"])
    return "round", str(row.get("verdict") or "")
