"""Observed round: what was dealt and said, wagered, announced and paid.

Round records and recorded events both become this, so one judgement serves both. Nothing here is about what
should have happened.
"""

from datetime import date
from functools import lru_cache
from typing import Final, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.facts import Fact
from schemas.values import CARDS, Micros, in_words


class Key(NamedTuple):
    """One wager of a round: seat (0 the dealer), person on the spot, name of the wager, hand of a split."""

    seat: int
    bettor: str | None
    wager: str
    hand: str | None

    @property
    def person(self) -> tuple[int, str | None]:
        """Return whose it is: the seat, and the person where several bet on its spots."""
        return self.seat, self.bettor


class OnSpot(Protocol):
    """Part of a round that is about one wager: an event, a record's line, what was owed on it."""

    @property
    def seat(self) -> int:
        """Return the seat of the wager; 0 is the dealer."""

    @property
    def bettor(self) -> str | None:
        """Return whose it was, where several bet on one spot."""

    @property
    def wager(self) -> str:
        """Return which it was."""

    @property
    def hand(self) -> str | None:
        """On which hand of a split."""


def key_of(spot: OnSpot) -> Key:
    """Return the key of the wager that something is about."""
    # Asked of each event about chips: a call of Key would first go through a Python function.
    return tuple.__new__(Key, (spot.seat, spot.bettor, spot.wager, spot.hand))


# Where cards go that are on no hand.
OUT_OF_PLAY: Final = frozenset({"burn", "discard"})

Move: TypeAlias = Literal["place", "increase", "reduce", "withdraw"]

# What a doubt takes from the judgement: everything, the cards and all that depends on them, the money, one
# wager, the announcement, or only a second reading.
Scope: TypeAlias = Literal["all", "cards", "money", "call", "second"] | Key

# What one of two readers may read alone: the cards, how the wagers were settled, the stake of one wager.
ReadAlone: TypeAlias = Literal["cards", "settlement"] | Key


class Wager(Struct, gc=False):
    """Chips on one spot, and the Match Play Coupon under them."""

    cents: int
    coupon_cents: int = 0
    coupon: str | None = None


class Paid(Struct, gc=False):
    """Result of one wager: the player's gain before vigorish, and the vigorish taken or marked.

    `righted_cents` and `righted_vigorish_cents` are the parts of those two sums that corrections before the
    round closed made; `later_cents` and `later_vigorish_cents` what corrections after it closed would add.
    """

    cents: int = 0
    vigorish_cents: int = 0
    righted_cents: int = 0
    righted_vigorish_cents: int = 0
    later_cents: int = 0
    later_vigorish_cents: int = 0

    @property
    def final_gain_cents(self) -> int:
        """Return the gain before vigorish, with later corrections."""
        return self.cents + self.later_cents

    @property
    def final_vigorish_cents(self) -> int:
        """Return the vigorish taken or marked, with later corrections."""
        return self.vigorish_cents + self.later_vigorish_cents

    @property
    def final_net_cents(self) -> int:
        """Return the gain after vigorish, with later corrections."""
        return self.final_gain_cents - self.final_vigorish_cents


class MarkerButton(Struct, frozen=True, gc=False):
    """Vigorish that a marker button stood for, in cents: as its round was opened, and when it was over.

    `who` is whose it is, as `who_of` names them.
    """

    who: str
    before: int
    after: int


class LateMove(Struct, frozen=True, gc=False):
    """A wager made, increased or withdrawn after "no more bets"."""

    seat: int
    wager: str
    move: Move
    bettor: str | None = None
    hand: str | None = None


class Doubt(Struct, frozen=True, gc=False):
    """Reason why part of a round cannot be decided: missing, contradicted, or too close in time.

    `check` is the one whose question stays open, `devices` reported or should have, `cites` is what a game's
    own check stands on, `wager` what it is about where that is not the one left open. `read_alone` is what
    only the other one of two readers reported.
    """

    check: str
    scope: Scope
    message: Fact
    devices: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    wager: str | None = None
    read_alone: tuple[ReadAlone, ...] = ()

    @property
    def device(self) -> str | None:
        """Return its devices as a finding names them."""
        return device_names(self.devices)

    @property
    def key(self) -> Key | None:
        """Return the one wager that is in doubt; None if it is not one wager."""
        return None if isinstance(self.scope, str) else self.scope


class Gap(Struct, frozen=True, gc=False):
    """Missing report: which device, what it reads, and how that shows."""

    device: str
    source: str
    message: Fact


class CloseActs(Struct, frozen=True, gc=False):
    """Two acts by their places in the play, of devices whose clocks do not decide which was first."""

    act: int
    other: int
    devices: tuple[str, ...]


def device_names(devices: tuple[str, ...]) -> str | None:
    """Return devices as a finding names them; None if there are none. A name may hold a space.

    >>> device_names(("SHOE 1", "CAM 1")), device_names(())
    ('SHOE 1 CAM 1', None)
    """
    return " ".join(devices) if devices else None


_W = TypeVar("_W", Fact, str)
PieceKind: TypeAlias = Literal["card", "tile", "dice"]


class Piece(Struct, frozen=True):
    """A card, a tile or a roll of dice: its face, and its line in the play, from 1.

    `face` is None if it lies face down. `counts` is false if the rules disregard it.
    """

    face: str | None
    line: int
    counts: bool = True
    kind: PieceKind = "card"


class LyingOf(Struct, Generic[_W], frozen=True):
    """Hand: its pieces in the order in which they came to it, and what they count.

    `point_count` is a number or the game's own words, None if a card was not read or there is none. `remark`
    is anything else to know about the count, empty if there is nothing.
    """

    hand: str
    pieces: tuple[Piece, ...]
    point_count: int | str | None
    remark: _W | Literal[""] = ""


Lying: TypeAlias = LyingOf[Fact]


class Round(Struct, gc=False):
    """Observed round; `play` in order as `(who, what)`, in the words of the round record.

    `settled_at` is when wagers over a coupon were paid or collected, in microseconds UTC. `close_acts` are
    acts whose order the clocks do not decide. If the cards are `covered`, only the second reader was read,
    because some reports of the shoe are missing; they are `uncovered` if some of the second reader's are
    missing. `buttons` are those for vigorish, as far as they were reported. `dealer` called the round,
    `floorperson` supervised the table, and `seated` are the known patrons, by seat. `burned` are cards that
    were burned and read since the round before, as when the shoe was loaded. `laid` is how its hands lay by
    the rules by which it was judged, None if that was not computed. `announced_points` are the final Point
    Counts as they were announced, by hand.
    """

    table: str
    number: str
    day: date
    at: int
    play: list[tuple[str, str]] = []
    wagers: dict[Key, Wager] = {}
    paid: dict[Key, Paid] | None = None
    announced: str | None = None
    void: bool = False
    simulated: bool = False
    exhausted: bool = False
    late: list[LateMove] = []
    second_coupons: list[Key] = []
    settled_at: dict[Key, int] = {}
    doubts: list[Doubt] = []
    close_acts: list[CloseActs] = []
    buttons: list[MarkerButton] = []
    covered: bool = False
    uncovered: bool = False
    shoe: str | None = None
    dealer: str | None = None
    floorperson: str | None = None
    seated: dict[int, str] = {}
    burned: list[str] = []
    laid: list[Lying] | None = None
    announced_points: dict[str, int] = {}

    @property
    def cards_known(self) -> bool:
        """Return True if every card was reported without contradiction."""
        return all(doubt.scope not in ("all", "cards") for doubt in self.doubts)

    @property
    def money_known(self) -> bool:
        """Return True if all money was reported without contradiction, but for single wagers."""
        return all(doubt.scope not in ("all", "money") for doubt in self.doubts)

    def wagers_in_doubt(self) -> set[Key]:
        """Return the wagers that are each in doubt."""
        return {doubt.key for doubt in self.doubts if doubt.key is not None}

    def cards(self, *hands: str) -> list[tuple[str, str]]:
        """Return the cards that the named hands were dealt, in order."""
        return [act for act in self.play if act[0] in hands and act[1] in CARDS]

    def dealt(self) -> list[tuple[str, str]]:
        """Return the cards on hands, in order."""
        return [act for act in self.play if act[1] in CARDS and act[0] not in OUT_OF_PLAY]

    def patrons(self) -> dict[Key, str | None]:
        """Return the patron of each wager, as far as one is known."""
        return {key: self.patron(key) for key in (*self.wagers, *(self.paid or ()))}

    def patron(self, key: Key) -> str | None:
        """Return whose a wager is; None if several bet on one spot and the seat is not enough."""
        return self.seated.get(key.seat) if key.bettor is None else None


# What is stored with a conclusion: for a round the observed round; for a shoe or an account the time at which
# it was concluded, by the table's clock in microseconds UTC. None if neither is known.
RoundOrTime: TypeAlias = Round | Micros | None


def round_and_time(basis: RoundOrTime) -> tuple[Round | None, Micros | None]:
    """Return the round that a conclusion is of, None of a shoe or an account, and its moment.

    >>> round_and_time(5), round_and_time(None)
    ((None, 5), (None, None))
    """
    return (basis, basis.at) if isinstance(basis, Round) else (None, basis)


class HandName(NamedTuple):
    """Parts of a hand's name, which acts of the play have in words: `seat4.2/anna`.

    `place` is the seat, or the hand that all play on; `part` which hand of a split, or which half of one that
    was set in two; `bettor` the person where several bet on the seat's spots. What is not named is empty.
    """

    place: str
    part: str = ""
    bettor: str = ""

    @property
    def seat(self) -> int | None:
        """Return the number of the seat; None if it is none."""
        number = self.place.removeprefix("seat")
        return int(number) if number != self.place and number.isdecimal() else None

    @property
    def part_in_words(self) -> str:
        """Return which hand it is of several at its place, in words; empty if that is not named."""
        return f"hand {self.part}" if self.part.isdigit() else f"{self.part} hand" if self.part else ""

    def includes(self, other: "HandName") -> bool:
        """Return True if naming this hand also names the other one: it, or the seat that it is at."""
        return (
            self.place == other.place and other.part in ("", self.part) and other.bettor in ("", self.bettor)
        )


def hand_name(words: str) -> HandName:
    """Return the parts of a hand's name.

    >>> hand_name("seat4.2/anna"), hand_name("dealer.high").part, hand_name("seat12").seat
    (HandName(place='seat4', part='2', bettor='anna'), 'high', 12)
    >>> hand_name("seat4.2").includes(hand_name("seat4")), hand_name("seat4").includes(hand_name("seat4.2"))
    (True, False)
    """
    hand, _, bettor = words.partition("/")
    place, _, part = hand.partition(".")
    return HandName(place, part, bettor)


@lru_cache(maxsize=1024)  # asked of each marker button in each round
def person(who: str) -> tuple[int, str | None]:
    """Read a seat, and the person where several bet on its spots; a hand of the seat is the seat's.

    >>> person("seat3"), person("seat12/anna"), person("seat3.2")
    ((3, None), (12, 'anna'), (3, None))
    """
    name = hand_name(who)
    return int(name.place.removeprefix("seat")), name.bettor or None


def hand_in_words(hand: str) -> str:
    """Return the words for a seat, a hand or a person there; the name of no seat stays unchanged.

    >>> [hand_in_words(each) for each in ("seat3", "seat4.2", "seat12/anna", "dealer.high", "banker")]
    ['seat 3', 'seat 4 hand 2', 'seat 12 anna', 'dealer high hand', 'banker']
    """
    name = hand_name(hand)
    seat = name.place.removeprefix("seat")
    who = f"seat {seat}" if seat != name.place else name.place
    return " ".join(word for word in (who, name.bettor, name.part_in_words) if word)


def wager_in_words(key: Key) -> str:
    """Return a wager in words: the seat, the person if several bet there, the hand, the wager.

    >>> wager_in_words(Key(4, None, "double_down", "seat4.2"))
    'seat 4 hand 2 double down'
    >>> wager_in_words(Key(0, None, "dealer_wager", None))
    "the dealer's wager"
    """
    seat, bettor, wager, hand = key
    if seat == 0:
        return f"the dealer's {in_words(wager).removeprefix('dealer ')}"
    return " ".join(word for word in (hand_in_words(hand or f"seat{seat}"), bettor, in_words(wager)) if word)


def is_name(bettor: str) -> bool:
    """Return True if the bettor of a shared seat is a name; a single letter is a spot, not a person.

    >>> is_name("anna"), is_name("B")
    (True, False)
    """
    return len(bettor) > 1


def who_of(seat: int, bettor: str | None) -> str:
    """Return a seat's key for a person: the seat, and the person where several bet on its spots.

    >>> who_of(3, None), who_of(12, "anna")
    ('3', '12/anna')
    """
    return f"{seat}/{bettor}" if bettor is not None else str(seat)
