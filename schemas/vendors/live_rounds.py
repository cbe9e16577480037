"""Rounds of a live table with rank and suit of every card, as a website's database logged them.

One row a round: its number, when it was dealt, the cards in six columns by hand and place, and the outcome
that the site announced. A card is suit and rank, `H.12` the queen of hearts.
"""

from datetime import UTC, datetime
from typing import Final

from schemas.errors import BadInput
from schemas.record import RoundRecord
from schemas.values import RANKS, SUITS
from schemas.vendors.form import Row, RowDefaults, Vendor

_CHAPTER: Final = "631a"
_HANDS: Final = {"P": "player", "B": "banker"}
_OUTCOMES: Final = {**_HANDS, "T": "tie"}

# The order in which the cards leave the shoe; a third card may be absent.
_FIRST_FOUR: Final = ("P1", "B1", "P2", "B2")
_THIRDS: Final = ("P3", "B3")

_RANK_OF: Final = {str(number): rank for number, rank in enumerate(RANKS, 1)}


def name(row: Row) -> str:
    """Return the number of a row's round.

    Raises:
        BadInput: there is none.
    """
    if not row["round_id"]:
        raise BadInput("round_id is empty")
    return row["round_id"]


def record(row: Row, defaults: RowDefaults) -> RoundRecord:
    """Read a row: the cards in the order in which they left the shoe, and what was announced.

    Raises:
        BadInput: a cell that cannot be read; the message names its column.
    """
    play = [(_HANDS[place[0]], card(row[place], place)) for place in _FIRST_FOUR]
    play += [(_HANDS[place[0]], card(row[place], place)) for place in _THIRDS if row[place]]
    outcome = row["site_outcome"]
    if outcome not in _OUTCOMES:
        raise BadInput(f"site_outcome {outcome!r} is none of {', '.join(_OUTCOMES)}")
    return RoundRecord(
        table=defaults.table,
        round=name(row),
        chapter=_CHAPTER,
        at=_dealt_at(row["dealt_at"], defaults),
        play=play,
        wagers=[],
        decks=defaults.decks,
        announced=_OUTCOMES[outcome],
    )


def card(cell: str, column: str) -> str:
    """Read a card, suit then rank from 1 to 13.

    >>> card("H.12", "P1"), card("S.10", "B2")
    ('Qh', 'Ts')

    Raises:
        BadInput: no card is written so.
    """
    suit, _, number = cell.partition(".")
    if suit.lower() not in SUITS or len(suit) != 1 or number not in _RANK_OF:
        raise BadInput(f"{column} {cell!r} is not a card such as H.12 (suit S, H, D or C, rank 1 to 13)")
    return f"{_RANK_OF[number]}{suit.lower()}"


def _dealt_at(cell: str, defaults: RowDefaults) -> datetime:
    try:
        local = datetime.strptime(cell, "%Y-%m-%d %H:%M:%S").replace(tzinfo=defaults.zone)
        return local.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadInput(f"dealt_at {cell!r} is not a time such as 2025-01-31 20:15:00") from None


VENDOR: Final = Vendor(
    columns=("round_id", "dealt_at", *_FIRST_FOUR, *_THIRDS, "site_outcome"),
    chapter=_CHAPTER,
    dated=True,
    number="round_id",
    name=name,
    record=record,
)
