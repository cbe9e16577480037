"""The small values of events, records and rules: cards, cents, ids and odds.

A card is its own text, rank then suit (``Ah``, ``Th``, ``9c``), so that a log can be read without a key.
``?`` stands for what a reader could not read (``?s``, ``9?``, ``??``); ``0?`` is a card worth ten or zero
whose rank is unknown. Every reading that exists is listed here once: msgspec checks the list while it
decodes, which is faster than a pattern and leaves no impossible card to the games. A tile is its pips
(``6-5``).
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Card: TypeAlias = Literal[
    "Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc",
    "Ad", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "Td", "Jd", "Qd", "Kd",
    "Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "Th", "Jh", "Qh", "Kh",
    "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks",
    "A?", "2?", "3?", "4?", "5?", "6?", "7?", "8?", "9?", "T?", "J?", "Q?", "K?",
    "?c", "?d", "?h", "?s", "??", "0?",
]  # fmt: skip

CARDS: Final[frozenset[str]] = frozenset(get_args(Card))
RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"

# Ranks that a reading leaves possible, by its first character.
RANKS_OF: Final[Mapping[str, str]] = {rank: rank for rank in RANKS} | {"?": RANKS, "0": "TJQK"}

# A tile of dominoes by its pips. It has no upper end, so that either order may be read.
Tile: TypeAlias = Literal[
    "6-6", "6-5", "6-4", "6-3", "6-2", "6-1",
    "5-6", "5-5", "5-4", "5-3", "5-2", "5-1",
    "4-6", "4-5", "4-4", "4-3", "4-2", "4-1",
    "3-6", "3-5", "3-4", "3-3", "3-2", "3-1",
    "2-6", "2-5", "2-4", "2-3", "2-2", "2-1",
    "1-6", "1-5", "1-4", "1-3", "1-2", "1-1",
]  # fmt: skip

TILES: Final[frozenset[str]] = frozenset(get_args(Tile))

# The most that one reported amount can be, a billion dollars: no wager, drawer or box holds it. Stores count
# in 64 bits, and this leaves room for sums: paid at 175 to 1, the highest odds of any text, half a million
# such wagers add up within them. What is above is a device's error, refused where it is read, with its place.
MOST_CENTS: Final = 100_000_000_000
MOST_OF_ONE: Final = 1_000_000_000  # cents of one chip, bill or coupon: ten million dollars
MOST_PIECES: Final = 1_000_000  # chips, coins or bills of one denomination in one place
MOST_COUNTED: Final = 100_000_000  # what else is counted: cards, coupons of a delivery
MOST_SEATS: Final = 1_000_000  # a position is numbered as the house likes, within what a store's column takes
MOST_MICROS: Final = 253_000_000_000_000_000  # in the year 9987
# The gaming day of the first moment of 1970, where devices' clocks begin, began in 1969.
YEARS: Final = range(1969, 9988)
MOST_ODDS: Final = 1_000_000  # to 1, that a house can choose
MOST_64: Final = (1 << 63) - 1  # numbers that devices give out are only compared and stored

Cents: TypeAlias = Annotated[
    int, Meta(ge=0, le=MOST_CENTS, description="whole cents, never negative, a billion dollars at most")
]
Difference: TypeAlias = Annotated[
    int,
    Meta(ge=-MOST_CENTS, le=MOST_CENTS, description="whole cents, of either sign, a billion dollars at most"),
]
Gain: TypeAlias = Annotated[
    int,
    Meta(
        ge=-MOST_CENTS,
        le=MOST_CENTS,
        description="the player's gain in whole cents; negative where lost; a billion dollars at most",
    ),
]
Micros: TypeAlias = Annotated[
    int, Meta(ge=0, le=MOST_MICROS, description="microseconds since 1970-01-01T00:00:00Z")
]
Seq: TypeAlias = Annotated[
    int, Meta(ge=1, le=MOST_64, description="a device's own gapless number within its epoch")
]
Ordinal: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_64, description="a number given out in order")]
Offset: TypeAlias = Annotated[
    int, Meta(ge=-MOST_MICROS, le=MOST_MICROS, description="one clock less another, in microseconds")
]
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_SEATS, description="numbered position at the table")]
Spot: TypeAlias = Annotated[
    int, Meta(ge=0, le=MOST_SEATS, description="who wagers: a position at the table, 0 the dealer")
]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_COUNTED, description="how many")]
Decks: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_COUNTED, description="how many decks of 52 cards")]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
Sentence: TypeAlias = Annotated[str, Meta(min_length=1)]

# What a person at the tables, in the cage or in the count room was when they signed.
Role: TypeAlias = Literal[
    "dealer",
    "stickperson",
    "boxperson",
    "floorperson",
    "pit_clerk",
    "pit_manager",
    "shift_manager",
    "security",
    "chip_bank",
    "finance",
    "table_games",
    "count_team",
]

# Chips, coins and plaques, or bills: cents of one -> how many.
Denominations: TypeAlias = dict[
    Annotated[int, Meta(ge=1, le=MOST_OF_ONE)], Annotated[int, Meta(ge=0, le=MOST_PIECES)]
]


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """Person who signed, counted, carried or watched, and in which role."""

    name: Name
    role: Role


# An amount of a round record, which is judged by itself and added to no other: at 175 to 1 it fits 64 bits.
MOST_RECORDED: Final = 10_000_000_000_000_000
RecordedCents: TypeAlias = Annotated[
    int, Meta(ge=0, le=MOST_RECORDED, description="whole cents, never negative")
]
RecordedGain: TypeAlias = Annotated[
    int, Meta(ge=-MOST_64, le=MOST_64, description="the player's gain in whole cents; negative where lost")
]

# The value of a house option: a flag, a whole number, a word (fractions and percentages are words), or
# several whole numbers by their names.
_Figure: TypeAlias = Annotated[int, Meta(ge=-MOST_CENTS, le=MOST_CENTS)]
Option: TypeAlias = bool | _Figure | str | dict[str, _Figure] | None


def is_certain(card: str) -> bool:
    """Return True if rank and suit of a card were both read.

    >>> is_certain("Ah"), is_certain("9?"), is_certain("0?")
    (True, False, False)
    """
    return card[0] in RANKS and card[1] in SUITS


def odds(text: str | int) -> Fraction:
    """Read odds as the law prints them, `to` or a slash between the sides.

    >>> odds("8 to 1"), odds("1/2"), odds(40)
    (Fraction(8, 1), Fraction(1, 2), Fraction(40, 1))

    Raises:
        ValueError: it is no such text; powers of ten, which Python would read, are none either.
        ZeroDivisionError: it is something to nothing.
    """
    written = str(text)
    if "e" in written.lower():
        raise ValueError(f"not odds: {written!r}")
    return Fraction(written.replace(" to ", "/"))


def moment(at: int) -> datetime:
    """Return the moment for microseconds UTC.

    >>> moment(1_500_000)
    datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, tzinfo=datetime.timezone.utc)
    """
    return _EPOCH + timedelta(microseconds=at)


def microseconds(at: datetime) -> int:
    """Return a moment in microseconds UTC.

    >>> microseconds(moment(1_500_000))
    1500000
    """
    return (at - _EPOCH) // timedelta(microseconds=1)


def total(denominations: Denominations) -> int:
    """Add up chips or bills, in cents.

    >>> total({10_000: 3, 500: 4})
    32000
    """
    return sum(cents * count for cents, count in denominations.items())


def dollars(cents: int) -> str:
    """Write cents as dollars for a person.

    >>> dollars(-16005), dollars(25)
    ('-$160.05', '$0.25')
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def short_dollars(cents: int) -> str:
    """Write cents as dollars, whole ones without their cents.

    >>> short_dollars(126100), short_dollars(-25)
    ('$1,261', '-$0.25')
    """
    return dollars(cents).removesuffix(".00")


def in_words(name: str) -> str:
    """Write the name of a wager, a check or an act as words.

    >>> in_words("dragon_bonus_player")
    'dragon bonus player'
    """
    return name.replace("_", " ")


def capital(words: str) -> str:
    """Return words with a capital first letter and the rest unchanged.

    >>> capital("for Counter Checks"), capital("")
    ('For Counter Checks', '')
    """
    return words[:1].upper() + words[1:]


def decimal(number: Fraction, places: int, *, grouped: bool = False) -> str:
    """Round a number to decimal places, half to even, without ever being a float.

    >>> decimal(Fraction(-1, 8), 2), decimal(Fraction(12345), 1, grouped=True), decimal(Fraction(-1, 999), 2)
    ('-0.12', '12,345.0', '0.00')
    """
    scaled = round(number * 10**places)
    units, part = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{units:{',' if grouped else ''}}.{part:0{places}}"
