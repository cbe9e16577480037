"""Dealing and setting of the tiles: whose stack came when, and what was opened in which order."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, HandRef, Word, fact
from projections.engine.games.paigow.rules import Rules, canonical
from projections.engine.kinds import (
    CARD_EXTRA,
    CARD_MISSING,
    CARD_NOT_IN_DECK,
    CARD_ORDER_WRONG,
    VOID_NOT_CALLED,
)
from schemas.values import TILES

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The play of a Pai Gow round: who banks, the roll, the stacks dealt, the hands that were laid.

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
    """The tiles of a position as they lie, and as they lay before they were set again."""

    high: list[str] = []
    low: list[str] = []
    before: tuple[str, ...] = ()

    @property
    def tiles(self) -> list[str]:
        """The tiles that were seen."""
        return self.high + self.low


class Surrender(Struct, frozen=True):
    """A player who surrendered: how many of the dealer's tiles had been laid, and whether one of his own."""

    dealers_tiles: int
    own_were_open: bool


class VoidedHand(Struct, frozen=True):
    """A hand that its player voided, by what 535.12(d) asks: what had happened to it before.

    `is_exposed` if a tile of it had been exposed. `is_undecided` if no decision had followed that tile.
    `own_were_open` if it had been laid open, `is_surrendered` if he had given it up.
    """

    is_exposed: bool
    is_undecided: bool
    own_were_open: bool
    is_surrendered: bool

    @property
    def is_permitted(self) -> bool:
        """Return True if the player had the option, and had not looked at his other tiles."""
        had_option = self.is_exposed and self.is_undecided
        return had_option and not self.own_were_open and not self.is_surrendered


class TileLayout(Struct):
    """A round in the order of its parts; positions are "dealer", "dead", "seat1" and so on.

    `open_order` are the positions in the order in which their tiles were opened. `opened` has the position of
    each tile that was opened before any was set again. `chose` is what happened to a hand with an exposed
    tile, `undecided` the hands of which a tile was exposed and nothing chosen since, `called` what the dealer
    announced last for a seat.
    """

    banks: dict[str, str] = {}
    rolls: list[tuple[int, ...]] = []
    dealt: list[str] = []
    hands: dict[str, Hands] = {}
    open_order: list[str] = []
    opened: list[str] = []
    exposed: list[str] = []
    chose: dict[str, str] = {}
    undecided: set[str] = set()
    voided: dict[str, VoidedHand] = {}
    surrendered: dict[str, Surrender] = {}
    left: set[str] = set()
    called: dict[str, str] = {}

    @property
    def banker(self) -> str:
        """The position that the others play against."""
        return next(iter(self.banks), DEALER)

    @property
    def co_banked(self) -> bool:
        """Return True if the house covers half of the bank, 535.11(e)."""
        return self.banks.get(self.banker) == "co_bank"

    def expose(self, position: str) -> None:
        """Note a tile that was exposed: its player is asked, though he had chosen to play on with another."""
        self.exposed.append(position)
        self.undecided.add(position)
        if self.chose.get(position) == "play":
            del self.chose[position]

    def choose(self, position: str, what: str) -> None:
        """Note what happened to a hand with an exposed tile: "play" or "void", 535.12(d)."""
        if what == "void" and not self._is_void_again(position):
            self.voided[position] = VoidedHand(
                is_exposed=position in self.exposed,
                is_undecided=position in self.undecided,
                own_were_open=position in self.open_order,
                is_surrendered=position in self.surrendered,
            )
        self.chose[position] = what
        self.undecided.discard(position)

    def surrender(self, position: str) -> None:
        """Note a surrender; one that is only said again once the hand lies open was said before that."""
        is_open = position in self.open_order
        if not is_open or position not in self.surrendered:
            self.surrendered[position] = Surrender(self.opened.count(DEALER), is_open)

    def _is_void_again(self, position: str) -> bool:
        """Return True if the void of a hand is only said again: it is as permitted as the first time."""
        if self.chose.get(position) != "void":
            return False
        return self.voided[position].is_permitted or position not in self.undecided

    def set_by_dealer(self, position: str) -> bool:
        """Return True if the dealer sets a position's hands: his own (535.10(c)), a co-bank's (535.11(e))."""
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
    words = ", ".join(sorted(_WORDS[kind]))
    return f"{who} does not say or do {what!r}; known are {words}"


def lay_out(play: Sequence[tuple[str, str]]) -> TileLayout:
    """Read a play into its parts; what is no part of this game is left out."""
    layout = TileLayout()
    for who, what in play:
        if (hand := _hand(who)) is not None:
            if what in TILES:
                _lay(layout, *hand, canonical(what))
        elif who == "dice":
            if _ROLL.fullmatch(what):
                layout.rolls.append(tuple(int(die) for die in what.split("-")))
        elif (who, what) == (DEALER, "no_roll"):
            del layout.rolls[-1:]  # the last valid roll counts, 535.12(a), (b)
        else:
            _done(layout, who, what)
    return layout


def banks_of(play: Sequence[tuple[str, str]]) -> TileLayout:
    """Read from a play only who banks, which is all that a wager must go with."""
    return TileLayout(banks={who: what for who, what in play if what in BANKS})


@lru_cache(maxsize=64)
def _hand(who: str) -> tuple[str, str] | None:
    """Split a hand's name into its position and which of the two it is."""
    hand = _HAND.fullmatch(who)
    return (hand[1], hand[2]) if hand is not None else None


def _lay(layout: TileLayout, position: str, half: str, tile: str) -> None:
    hands = layout.hands.setdefault(position, Hands())
    (hands.high if half == "high" else hands.low).append(tile)
    if position not in layout.open_order:
        layout.open_order.append(position)
    if not hands.before:
        layout.opened.append(position)


def _done(layout: TileLayout, who: str, what: str) -> None:
    match what:
        case "bank" | "co_bank":
            layout.banks[who] = what
        case "deal":
            layout.dealt.append(who)
        case "exposed":
            layout.expose(who)
        case "reset":
            layout.hands[who] = Hands(before=tuple(layout.hands.get(who, Hands()).tiles))
        case "void" | "play":
            layout.choose(who, what)
        case "surrender":
            layout.surrender(who)
        case "left":
            layout.left.add(who)
        case "win" | "lose" | "tie":
            layout.called[who] = what


# ── What was wrong with the dice, the stacks and the tiles: 535.8, 535.11(j), (k), 535.12 ─────────────

_STACK: Final = 4  # 535.8(d)
_DEAL_HAND: Final = 2  # 535.1


def around(rules: Rules) -> list[str]:
    """Return the positions counterclockwise from the dealer, 535.8(c).

    The Dead Hand is to the left of the dealer (535.2(b)(2)), so it is the last.
    """
    return [DEALER, *(f"seat{area}" for area in range(1, rules.areas + 1)), DEAD]


def first_dealt(rules: Rules, layout: TileLayout) -> str | None:
    """Count the dice round the table to the position that gets the first stack, 535.8(c), 535.11(j).

    The dealer is number one, or the bank where a player banks; None if no valid roll was seen.
    """
    positions = around(rules)
    if not layout.rolls or layout.banker not in positions:
        return None
    start = positions.index(layout.banker)
    return positions[(start + sum(layout.rolls[-1]) - 1) % len(positions)]


def void_causes(rules: Rules, layout: TileLayout, wagered: Collection[str]) -> Iterator[Defect]:
    """Yield why all hands are void, 535.12(c), (e); `wagered` are the seats with a wager.

    A dealer who does not wager against a bank has no hands to set. His open tiles are ignored unless they
    were called exposed.
    """
    due = first_dealt(rules, layout)
    if layout.dealt and due is not None and layout.dealt[0] != due:
        total = sum(layout.rolls[-1])
        counted = "535.8(c)" if layout.banker == DEALER else "535.11(j)"
        yield Defect(
            VOID_NOT_CALLED,
            fact(
                "games.paigow.first_stack_astray",
                total=total,
                due=HandRef(due),
                went=HandRef(layout.dealt[0]),
            ),
            ("535.12(c)", counted),
            who=layout.dealt[0],
        )
    early = (each for each in layout.exposed if each in (DEALER, DEAD) or each not in wagered)
    astray = (each for each in layout.open_order if each != DEALER and each not in wagered)
    for position in dict.fromkeys((*early, *astray)):
        yield Defect(
            VOID_NOT_CALLED,
            fact("games.paigow.exposed_not_called_void", position=HandRef(position)),
            ("535.12(e)",),
            who=position,
        )


def wrongly_dealt(rules: Rules, layout: TileLayout) -> Defect | None:
    """Find a stack that was not dealt, one too many, or one out of turn, 535.8(d), 535.11(k)."""
    if not layout.dealt:
        return None
    positions = around(rules)
    cites = ("535.8(d)" if layout.banker == DEALER else "535.11(k)",)
    for position, stacks in Counter(layout.dealt).items():
        if stacks > 1:
            message = fact("games.paigow.dealt_stacks", position=HandRef(position), stacks=stacks)
            return Defect(CARD_EXTRA, message, cites, who=position)
    for position in positions:
        if position not in layout.dealt:
            message = fact("games.paigow.dealt_no_stack", position=HandRef(position))
            return Defect(CARD_MISSING, message, cites, who=position)
    start = positions.index(layout.dealt[0])
    due = positions[start:] + positions[:start]
    for position, dealt in zip(due, layout.dealt, strict=True):
        if position != dealt:
            message = fact(
                "games.paigow.dealt_out_of_turn", position=HandRef(dealt), passed=HandRef(position)
            )
            return Defect(CARD_ORDER_WRONG, message, cites, who=dealt)
    return None


def opened_out_of_turn(rules: Rules, layout: TileLayout) -> Defect | None:
    """Find hands opened out of turn: the dealer's are first, the bank's next, then seat by seat.

    Each hand is opened completely before the next: 535.10(c), (f).
    """
    positions = [DEALER, layout.banker, *around(rules)]
    turn = [positions.index(position) for position in layout.opened if position in positions]
    for n, place in enumerate(turn):
        if place < max(turn[:n], default=0):
            position, last = positions[place], positions[max(turn[:n])]
            clause = (
                "535.10(f)" if layout.banker == DEALER else "535.11(r)" if layout.co_banked else "535.11(o)"
            )
            message = fact("games.paigow.opened_after", late=HandRef(position), early=HandRef(last))
            return Defect(CARD_ORDER_WRONG, message, (clause,), who=position)
    return None


def surplus(rules: Rules, layout: TileLayout) -> Iterator[Defect]:
    """Find tiles that were seen more often than the set holds them, 535.3(c)."""
    times: Counter[str] = Counter()
    for position in layout.open_order:
        hands = layout.hands[position]
        for half, tiles in (("high", hands.high), ("low", hands.low)):
            for tile in tiles:
                times[tile] += 1
                if times[tile] > rules.ranking.in_set[tile]:
                    yield Defect(
                        CARD_NOT_IN_DECK,
                        fact(
                            "games.paigow.tile_not_in_set",
                            tile=CardRef(tile),
                            times=times[tile],
                            holds=rules.ranking.in_set[tile],
                        ),
                        ("535.3(c)", "535.4(f)"),
                        who=f"{position}.{half}",
                    )


def too_many(position: str, hands: Hands) -> Defect | None:
    """Find a hand of more than two tiles, or hands set again that hold other tiles."""
    for half, tiles in (("high", hands.high), ("low", hands.low)):
        if len(tiles) > _DEAL_HAND:
            return Defect(
                CARD_EXTRA,
                fact(
                    "games.paigow.hand_holds",
                    half=Word(half),
                    position=HandRef(position),
                    tiles=len(tiles),
                ),
                ("535.1", "535.10(a)"),
                who=f"{position}.{half}",
            )
    if hands.before and (Counter(hands.tiles) | Counter(hands.before)).total() > _STACK:
        return Defect(
            CARD_EXTRA,
            fact("games.paigow.held_other_tiles", position=HandRef(position)),
            ("535.12(f)",),
            who=position,
        )
    return None
