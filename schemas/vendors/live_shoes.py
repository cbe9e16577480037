"""Rounds of a live table by shoe, with the cards' values only, as a camera's reader logged them.

One row a round: its shoe and number, the winner, both totals, and the values of the Player's Hand's cards
followed by those of the Banker's Hand. A value of 0 is a ten, jack, queen or king. If five cards were dealt
the totals decide which hand took the third one; if they fit both ways, it is unknown.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import Final

from schemas.errors import BadInput
from schemas.record import RoundRecord
from schemas.vendors.form import Ambiguous, Row, RowDefaults, Vendor

_CHAPTER: Final = "631a"
_OUTCOMES: Final = {"P": "player", "B": "banker", "T": "tie"}
_VALUES: Final = "point_values_player_then_banker"
_READINGS: Final = ("0?", "A?", "2?", "3?", "4?", "5?", "6?", "7?", "8?", "9?")

_DIGITS: Final = 9

# How many of so many cards can be the Player's Hand's.
_PLAYERS_SHARE: Final = {4: (2,), 5: (2, 3), 6: (3,)}


def name(row: Row) -> str:
    """Return the number of a row's round: its shoe, and its place in the shoe.

    Raises:
        BadInput: shoe or round is not a number.
    """
    return f"{_number(row, 'shoe')}-{_number(row, 'round')}"


def record(row: Row, defaults: RowDefaults) -> RoundRecord | Ambiguous:
    """Read a row: the cards in the order in which the rules deal them, and the winner as announced.

    The file has no times: the round stands at noon UTC of the gaming date that the caller gives.

    Raises:
        BadInput: a cell that cannot be read, or totals that the values do not come to.
    """
    values = _values(row[_VALUES])
    totals = _number(row, "player_total"), _number(row, "banker_total")
    winner = row["winner"]
    if winner not in _OUTCOMES:
        raise BadInput(f"winner {winner!r} is none of {', '.join(_OUTCOMES)}")
    fits = [
        (values[:share], values[share:])
        for share in _PLAYERS_SHARE[len(values)]
        if (sum(values[:share]) % 10, sum(values[share:]) % 10) == totals
    ]
    if not fits:
        raise BadInput(f"the values {row[_VALUES]} do not come to {totals[0]} and {totals[1]}")
    if len(fits) > 1:
        return Ambiguous(f"the third card of {row[_VALUES]} may be either hand's: the totals fit both ways")
    if defaults.day is None:
        raise BadInput("the file has no dates; say --date")
    player, banker = fits[0]
    return RoundRecord(
        table=defaults.table,
        round=name(row),
        chapter=_CHAPTER,
        at=datetime.combine(defaults.day, time(12), UTC),
        play=_in_order(player, banker),
        wagers=[],
        decks=defaults.decks,
        announced=_OUTCOMES[winner],
        announced_points=dict(zip(("player", "banker"), totals, strict=True)),
        shoe=str(_number(row, "shoe")),
        gaming_date=defaults.day,
    )


def _in_order(player: Sequence[int], banker: Sequence[int]) -> list[tuple[str, str]]:
    """Return the values as cards leave the shoe: two to each hand in turn, then the third ones."""
    hands = {"player": player, "banker": banker}
    return [
        (hand, _READINGS[values[place]])
        for place in range(3)
        for hand, values in hands.items()
        if place < len(values)
    ]


def _values(cell: str) -> list[int]:
    values = cell.split(",")
    if len(values) not in _PLAYERS_SHARE:
        raise BadInput(f"{_VALUES} {cell!r} has {len(values)} cards; a round has four, five or six")
    if not all(len(value) == 1 and value in "0123456789" for value in values):
        raise BadInput(f"{_VALUES} {cell!r} has something other than values from 0 to 9")
    return [int(value) for value in values]


def _number(row: Row, column: str) -> int:
    cell = row[column]
    if not (cell.isascii() and cell.isdecimal() and len(cell) <= _DIGITS):
        raise BadInput(f"{column} {cell!r} is not a number of at most {_DIGITS} digits")
    return int(cell)


VENDOR: Final = Vendor(
    columns=("shoe", "round", "winner", "player_total", "banker_total", _VALUES),
    chapter=_CHAPTER,
    dated=False,
    number="round",
    name=name,
    record=record,
)
