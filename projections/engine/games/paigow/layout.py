"""What the play of a Pai Gow round shows: who banks, the roll, the stacks dealt, the hands that were laid."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from projections.engine.games.paigow.rules import canonical
from schemas.values import TILES

DEALER: Final = "dealer"
DEAD: Final = "dead"

_HAND: Final = re.compile(r"(dealer|seat[1-9][0-9]*)\.(high|low)")
_ROLL: Final = re.compile(r"[1-6]-[1-6]-[1-6]")
_SEAT: Final = re.compile(r"seat[1-9][0-9]*")
BANKS: Final = ("bank", "co_bank")

_WORDS: Final[Mapping[str, frozenset[str]]] = {
    DEALER: frozenset({"deal", "exposed", "reset", "void", "no_roll"}),
    DEAD: frozenset({"deal", "exposed"}),
    "seat": frozenset(
        {"bank", "co_bank", "deal", "exposed", "void", "play", "surrender", "left", "reset"}
        | {"win", "lose", "tie"}
    ),
}


class Hands(Struct):
    """The tiles of a position as they lie, and as they lay before they were set anew."""

    high: list[str] = []
    low: list[str] = []
    before: tuple[str, ...] = ()

    @property
    def tiles(self) -> list[str]:
        """The tiles that were seen."""
        return self.high + self.low


class Surrender(Struct, frozen=True):
    """A player who gave his wager up: whether the dealer's hands had been laid, and his own not yet."""

    dealer_was_set: bool
    own_were_shown: bool


class Layout(Struct):
    """A round in the order of its parts; positions are `dealer`, `dead`, `seat1` and so on.

    `shown` are the positions in the order in which their tiles were laid open, `opened` whose each tile was
    that was laid open before any was set anew, `chose` what became of a hand of which a tile was exposed,
    `called` what the dealer announced last for a seat.
    """

    banks: dict[str, str] = {}
    rolls: list[tuple[int, ...]] = []
    dealt: list[str] = []
    hands: dict[str, Hands] = {}
    shown: list[str] = []
    opened: list[str] = []
    exposed: list[str] = []
    chose: dict[str, str] = {}
    surrendered: dict[str, Surrender] = {}
    left: set[str] = set()
    called: dict[str, str] = {}

    @property
    def banker(self) -> str:
        """The position that the others play against."""
        return next(iter(self.banks), DEALER)

    @property
    def co_banked(self) -> bool:
        """Whether the house covers half of the bank, 535.11(e)."""
        return self.banks.get(self.banker) == "co_bank"

    def set_by_dealer(self, position: str) -> bool:
        """Whether the dealer sets a position's hands: his own (535.10(c)), and a co-bank's (535.11(e))."""
        return position == DEALER or (self.co_banked and position == self.banker)


@lru_cache(maxsize=1024)
def fault(who: str, what: str, areas: int) -> str | None:
    """Return what is wrong with an act, in the words of the round record; None if nothing."""
    if who == "dice":
        return None if _ROLL.fullmatch(what) else f"{what!r} is no roll of three dice, such as '3-4-6'"
    position = who.partition(".")[0]
    kind = "seat" if _SEAT.fullmatch(position) else position
    if kind not in _WORDS or (kind == "seat" and int(position.removeprefix("seat")) > areas):
        return f"{who!r} takes no part in this game"
    if _HAND.fullmatch(who):
        return None if what in TILES else f"{what!r} is not a tile"
    if position != who:
        return f"{who!r} is no hand of this game"
    if what in _WORDS[kind]:
        return None
    known = ", ".join(sorted(_WORDS[kind]))
    return f"{who} does not say or do {what!r}; known are {known}"


def lay_out(play: Sequence[tuple[str, str]]) -> Layout:
    """Read a play into its parts; what is no part of this game is left out."""
    seen = Layout()
    for who, what in play:
        if (hand := _hand(who)) is not None:
            if what in TILES:
                _lay(seen, *hand, canonical(what))
        elif who == "dice":
            if _ROLL.fullmatch(what):
                seen.rolls.append(tuple(int(die) for die in what.split("-")))
        elif (who, what) == (DEALER, "no_roll"):
            del seen.rolls[-1:]  # the last valid roll counts, 535.12(a), (b)
        else:
            _done(seen, who, what)
    return seen


def banks_of(play: Sequence[tuple[str, str]]) -> Layout:
    """Read from a play only who banks, which is all that a wager must go with."""
    return Layout(banks={who: what for who, what in play if what in BANKS})


@lru_cache(maxsize=64)
def _hand(who: str) -> tuple[str, str] | None:
    """Take a hand's name apart: whose it is, and which of the two."""
    hand = _HAND.fullmatch(who)
    return (hand[1], hand[2]) if hand is not None else None


def _lay(seen: Layout, position: str, half: str, tile: str) -> None:
    hands = seen.hands.setdefault(position, Hands())
    (hands.high if half == "high" else hands.low).append(tile)
    if position not in seen.shown:
        seen.shown.append(position)
    if not hands.before:
        seen.opened.append(position)


def _done(seen: Layout, who: str, what: str) -> None:
    match what:
        case "bank" | "co_bank":
            seen.banks[who] = what
        case "deal":
            seen.dealt.append(who)
        case "exposed":
            seen.exposed.append(who)
        case "reset":
            seen.hands[who] = Hands(before=tuple(seen.hands.get(who, Hands()).tiles))
        case "void" | "play":
            seen.chose[who] = what
        case "surrender":
            seen.surrendered[who] = Surrender(DEALER in seen.shown, who in seen.shown)
        case "left":
            seen.left.add(who)
        case "win" | "lose" | "tie":
            seen.called[who] = what
