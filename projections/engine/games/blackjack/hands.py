"""The play of a round parted into hands, and what their cards count."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, HandRef, Listed, Word, fact, listed
from projections.engine.games.blackjack.manner import NO_SUCH_HAND, Manner
from projections.engine.observation import OUT_OF_PLAY
from schemas.values import CARDS, RANKS_OF, SUITS

# ── Cards read and added: what each counts, what an ace counts, and what an unread card could be ──────

ACE: Final = 1  # an ace is carried as one until the hand is added up
TEN: Final = 10  # tens, jacks, queens and kings
ACE_HIGH: Final = 11


def worth(rank: str) -> int:
    """Return a card's value by its rank: face value, ten for the court cards, an ace as one.

    >>> [worth(rank) for rank in "A29TK"]
    [1, 2, 9, 10, 10]
    """
    return "A23456789".find(rank) + 1 or TEN


def total(values: Iterable[int], limit: int) -> int:
    """Add up a hand: an ace counts 11 unless that leads beyond the limit.

    >>> total([1, 6], 21), total([1, 6, 9], 21), total([1, 1], 21), total([1, 1], 22)
    (17, 16, 12, 22)
    """
    counts, aces = 0, 0
    for value in values:
        counts += value
        aces += value == ACE
    while aces and counts + ACE_HIGH - ACE <= limit:
        counts += ACE_HIGH - ACE
        aces -= 1
    return counts


@lru_cache(maxsize=1024)
def ranks_of(card: str, ranks: str) -> str:
    """Return the ranks of the deck that a reading leaves possible.

    None for a card that the deck does not hold.

    >>> ranks_of("0?", "A23456789JQK"), ranks_of("Ts", "A23456789JQK"), ranks_of("9?", "A23456789JQK")
    ('JQK', '', '9')
    """
    return "".join(rank for rank in RANKS_OF[card[0]] if rank in ranks)


@lru_cache(maxsize=1024)
def values_of(card: str, ranks: str) -> tuple[int, ...]:
    """Return the values that a reading leaves possible, lowest first.

    >>> values_of("0?", "A23456789JQK"), values_of("Kd", "A23456789JQK")
    ((10,), (10,))
    >>> values_of("?s", "A23456789JQK")
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    """
    return tuple(sorted({worth(rank) for rank in ranks_of(card, ranks)}))


def suits_of(card: str) -> str:
    """Return the suits that a reading leaves possible.

    >>> suits_of("9s"), suits_of("9?")
    ('s', 'cdhs')
    """
    return card[1] if card[1] in SUITS else SUITS


# ── The play of a round parted into hands: their cards, what was decided on them, what was split off ────

DEALER: Final = "dealer"
PAIR: Final = 2  # a hand is dealt two cards
_PLAYER: Final = re.compile(r"seat([1-9][0-9]*)(\.[1-9][0-9]*)?", re.ASCII)


def act_fault(who: str, what: str, words: Collection[str], announcements: Collection[str]) -> str | None:
    """Return what is wrong with an act: `words` are the players', `announcements` the dealer's.

    >>> act_fault("seat1.2", "stand", ("stand",), ()), act_fault("seat1.2", "9c", (), ())
    (None, None)
    >>> act_fault("seat1", "fold", ("stand", "split"), ())
    "seat1 does not do 'fold'; known are stand, split"
    """
    if what in CARDS and (who == DEALER or who in OUT_OF_PLAY or seat_of(who) is not None):
        return None
    if who in OUT_OF_PLAY:
        return f"{what!r} is not a card"
    if who == DEALER:
        return (
            None
            if what in announcements
            else f"the dealer does not say {what!r}; known are {', '.join(announcements)}"
        )
    if seat_of(who) is not None:
        return None if what in words else f"{who} does not do {what!r}; known are {', '.join(words)}"
    return f"{who!r} takes no part in this game"


class HandAct(Struct, frozen=True, gc=False):
    """A card or a word that came to a hand, and its place in the play of the round."""

    what: str
    place: int

    @property
    def is_card(self) -> bool:
        """Return True if it is a card."""
        return self.what in CARDS

    @property
    def ref(self) -> CardRef | Word:
        """Return what it is, as a fact names it."""
        return CardRef(self.what) if self.is_card else Word(self.what)


class Split(Struct, frozen=True):
    """A hand that was split: its cards, how many hands its seat had, and whether it was decided on."""

    hand: str
    new: str
    place: int
    cards: tuple[str, ...]
    hands: int
    decided: bool


class Hand(Struct, frozen=True):
    """Hand: `opening` is what it began with, two cards dealt or one of a pair; `steps` what came after.

    `foreign` are cards on it that the decks do not hold; they are disregarded.
    """

    name: str
    seat: int
    opening: tuple[HandAct, ...]
    steps: tuple[HandAct, ...]
    split: bool
    foreign: tuple[HandAct, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """Its cards, in order."""
        return tuple(step.what for step in (*self.opening, *self.steps) if step.is_card)

    @property
    def begun_wrongly(self) -> bool:
        """Return True if a surplus card may be among its first, so that these are not certain."""
        last = self.opening[-1].place if len(self.opening) >= (1 if self.split else PAIR) else None
        return any(last is None or step.place < last for step in self.foreign)

    @property
    def words(self) -> tuple[str, ...]:
        """Return what was decided on it, in order."""
        return tuple(step.what for step in self.steps if not step.is_card)


class Layout(Struct, frozen=True):
    """All hands of a round.

    `hands` are the players' by seat, in the order in which they came into being, `dealt` the first two cards
    of each seat, `strays` what came to hands that did not exist.
    """

    hands: tuple[Hand, ...]
    dealer: Hand
    dealt: dict[int, tuple[HandAct, ...]]
    splits: tuple[Split, ...]
    strays: tuple[tuple[str, HandAct], ...]

    def hand(self, name: str) -> Hand | None:
        """Find a player's hand."""
        return next((hand for hand in self.hands if hand.name == name), None)


def up_card(layout: Layout) -> HandAct | None:
    """Return the dealer's first card, where it can be no other of his.

    One alone is his first where a seat got its second card after it; otherwise it may be his hole card. Cards
    that the decks do not hold leave it open too.
    """
    dealer = layout.dealer
    if not dealer.opening or dealer.begun_wrongly:
        return None
    first = dealer.opening[0]
    seconds = [steps[1].place for steps in layout.dealt.values() if len(steps) == PAIR]
    alone = len(dealer.opening) < PAIR
    return None if alone and not any(place > first.place for place in seconds) else first


class _Laying:
    """A hand while it is laid out."""

    def __init__(self, name: str, seat: int, opening: Sequence[HandAct] = (), *, split: bool = False) -> None:
        self.name, self.seat, self.split = name, seat, split
        self.opening = list(opening)
        self.steps: list[HandAct] = []
        self.foreign: list[HandAct] = []

    def take(self, step: HandAct) -> None:
        if step.is_card and len(self.opening) < (1 if self.split else PAIR):
            self.opening.append(step)
        else:
            self.steps.append(step)

    def all_cards(self) -> list[HandAct]:
        return [step for step in (*self.opening, *self.steps) if step.is_card]

    def laid(self) -> Hand:
        return Hand(
            self.name, self.seat, tuple(self.opening), tuple(self.steps), self.split, tuple(self.foreign)
        )


@lru_cache(maxsize=1024)
def seat_of(hand: str) -> int | None:
    """Return the seat of a player's hand by its name; None for what is no such name.

    >>> seat_of("seat3"), seat_of("seat12.2"), seat_of("dealer"), seat_of("seat3/anna")
    (3, 12, None, None)
    """
    found = _PLAYER.fullmatch(hand)
    return int(found[1]) if found else None


def first_hand(seat: int) -> str:
    """Return a seat's first hand."""
    return f"seat{seat}"


def named_cards(cards: Iterable[str]) -> Listed:
    """Return cards as a fact names them.

    >>> named_cards(["9d"])
    Listed(items=(CardRef(card='9d'),))
    """
    return listed(*map(CardRef, cards))


def lay_out(play: Sequence[tuple[str, str]], ranks: str) -> Layout:
    """Split a play into hands; `ranks` are those of the decks.

    Cards out of play, moves of wagers, and the dealer's announcements are left out.
    """
    seats: dict[int, list[_Laying]] = {}
    dealer = _Laying(DEALER, 0)
    splits: list[Split] = []
    strays: list[tuple[str, HandAct]] = []
    dealt: dict[int, tuple[HandAct, ...]] = {}
    for place, (who, what) in enumerate(play):
        step = HandAct(what, place)
        if who in OUT_OF_PLAY or " " in what or (who == DEALER and not step.is_card):
            continue
        hand = dealer if who == DEALER else _find(seats, who)
        if hand is None:
            strays.append((who, step))
        elif step.is_card and not ranks_of(what, ranks):
            hand.foreign.append(step)
        elif what == "split":
            splits.append(_split(seats[hand.seat], hand, place))
        else:
            hand.take(step)
            if hand.seat and not hand.split:
                dealt[hand.seat] = tuple(hand.opening)
    return Layout(
        hands=tuple(hand.laid() for seat in sorted(seats) for hand in seats[seat]),
        dealer=dealer.laid(),
        dealt=dealt,
        splits=tuple(splits),
        strays=tuple(strays),
    )


def _find(seats: dict[int, list[_Laying]], who: str) -> _Laying | None:
    """Find a hand, or begin the first one of a seat; None if the hand does not exist."""
    seat = seat_of(who)
    if seat is None:
        return None
    if who == first_hand(seat) and seat not in seats:
        seats[seat] = [_Laying(who, seat)]
    return next((hand for hand in seats.get(seat, ()) if hand.name == who), None)


def _split(hands: list[_Laying], hand: _Laying, place: int) -> Split:
    """Leave a hand its first card and move its last one to a new hand; earlier words no longer count."""
    cards = hand.all_cards()
    new = _Laying(f"{first_hand(hand.seat)}.{len(hands) + 1}", hand.seat, cards[1:][-1:], split=True)
    done = Split(
        hand=hand.name,
        new=new.name,
        place=place,
        cards=tuple(card.what for card in cards),
        hands=len(hands),
        decided=any(step.what != "draw" for step in hand.steps if not step.is_card),
    )
    hand.opening, hand.steps, hand.split = cards[:1], [], True
    hands.append(new)
    return done


def strays(layout: Layout, manner: Manner) -> list[Defect]:
    """Return the hands that did not exist when a card or a word came to them; each once."""
    return [
        Defect(
            NO_SUCH_HAND,
            fact("games.blackjack.no_hand_for", hand=HandRef(who), what=step.ref),
            manner.cites.hand,
            who=who,
        )
        for who, step in reversed(dict(reversed(layout.strays)).items())
    ]


# ── How many of a player's first two cards match the dealer's up card ─────────────────────────────────

Matches = tuple[int, int]  # cards of the dealer's rank and suit, cards of his rank alone


def matches(first_two: Sequence[str], up: str, ranks: str) -> set[Matches]:
    """Return how many cards match in suit too and how many in rank alone, in every way unread ones allow.

    A ten-value card matches its own rank only.

    >>> matches(["Ks", "Kd"], "Ks", "A23456789JQK")
    {(1, 1)}
    >>> sorted(matches(["Ks", "2d"], "K?", "A23456789JQK"))
    [(0, 1), (1, 0)]
    """
    found: set[Matches] = set()
    for rank, suit in product(ranks_of(up, ranks), suits_of(up)):
        ways = [_ways(card, rank, suit, ranks) for card in first_two]
        for combined in product(*ways):
            found.add((sum(same for same, _ in combined), sum(other for _, other in combined)))
    return found


def _ways(card: str, rank: str, suit: str, ranks: str) -> list[Matches]:
    """Return how one card can match a dealer's card of certain rank and suit."""
    own, suits = ranks_of(card, ranks), suits_of(card)
    ways: list[Matches] = []
    if own != rank:
        ways.append((0, 0))
    if rank in own:
        ways += [(1, 0)] if suit in suits else []
        ways += [(0, 1)] if suits != suit else []
    return ways
