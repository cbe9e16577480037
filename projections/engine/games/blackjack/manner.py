"""Manner of play of a chapter: its figures and provisions, and the checks that all such games add."""

from typing import Final

from msgspec import Struct

from projections.engine.findings import Kind

# ── How a chapter has hands played: its figures and the provisions that its defects cite ──────────────

Cites = tuple[str, ...]


class Provisions(Struct, frozen=True, kw_only=True):
    """Provisions of the chapter by subject; each is what a finding cites.

    deal          the order of the first cards
    turns         whose turn it is after them, the dealer last
    hand          that a hand exists only once it was dealt to or split off
    missing       what happens to a card that a player asked for and did not get
    first_two     what happens to a player who got less than two cards
    draw          when a player may draw
    stand         that a player who stands gets no more cards
    double        on which hands the stake may be doubled, and how far
    doubled_card  that a doubled hand gets one card
    split         which pairs may be split, and that the new hand has an equal stake
    split_again   how many hands may come of it
    split_cards   that each hand of a pair gets a second card
    split_turns   that the first hand of a pair is completed before the second gets a card
    split_aces    what aces get that were split
    leave         how a player gives up a hand as his first decision (surrender, even money)
    rescue        when a double may be taken back
    dealer_draws  when the dealer draws and stands
    dealer_idle   when he may not draw although he has less; empty where the text has no such rule
    dealer_hole   his own first two cards
    stake         that a wager is made for each hand
    insurance     when insurance may be wagered
    match         who may wager that his cards match the dealer's
    match_most    that this wager may not exceed his own; empty where the text has no such rule
    match_limit   that it may not exceed what the house submitted; empty as well
    """

    deal: Cites
    turns: Cites
    hand: Cites
    missing: Cites
    first_two: Cites
    draw: Cites
    stand: Cites
    double: Cites
    doubled_card: Cites
    split: Cites
    split_again: Cites
    split_cards: Cites
    split_turns: Cites
    split_aces: Cites = ()
    leave: Cites = ()
    rescue: Cites = ()
    dealer_draws: Cites
    dealer_idle: Cites = ()
    dealer_hole: Cites
    stake: Cites
    insurance: Cites
    match: Cites
    match_most: Cites = ()
    match_limit: Cites = ()


class Manner(Struct, frozen=True, eq=False, kw_only=True):
    """A chapter's way of playing hands.

    `ranks` are those of its decks. `double_cards` is on how many cards a hand may be doubled, None for any
    number. `split_ace_cards` is how many cards a split ace gets, None for no limit of its own. `leaving` are
    the words by which a hand is given up as the first decision on the two cards dealt. `rescues` is true if a
    double may be taken back. `before_turns` are words said before anyone's turn. A dealer's ace counts 11 up
    to `dealer_limit`. `match_maximum` is the most cents of a Match-The-Dealer wager, None if the house
    submitted none.
    """

    ranks: str
    limit: int
    hands_most: int
    double_cards: int | None
    split_ace_cards: int | None
    leaving: frozenset[str]
    rescues: bool
    before_turns: frozenset[str] = frozenset()
    dealer_limit: int
    dealer_stands_at: int
    match_maximum: int | None = None
    cites: Provisions


# ── The checks that the games of the Blackjack kind add: the dealer's draws, hands, and their stakes ────

_READER: Final = "A shoe reader that missed or doubled a card, where no second reader is connected."
_TERMINAL: Final = "A decision keyed for the wrong hand, or one that was not keyed."
_CHIPS: Final = "Chips of a double or a split that were read as the first wager's, or not read."

STAKE_MISSING: Final = Kind(
    "stake_missing",
    severity="by_amount",
    asks="Did a stake lie on each hand, for each double, and where another wager may not be made without it?",
    false_positives=_CHIPS,
)
DEALER_DREW_WRONGLY: Final = Kind(
    "dealer_drew_wrongly",
    severity="critical",
    asks="Did the dealer draw no card where he must not?",
    false_positives="A card that went to the discard rack and was reported on the dealer's hand.",
)
DEALER_STOOD_WRONGLY: Final = Kind(
    "dealer_stood_wrongly",
    severity="critical",
    asks="Did the dealer draw wherever he must?",
    false_positives=_READER,
)
NO_SUCH_HAND: Final = Kind(
    "no_such_hand",
    severity="critical",
    asks="Did cards, decisions and stakes come only to hands that existed?",
    false_positives=_TERMINAL,
)
DOUBLE_TOO_HIGH: Final = Kind(
    "double_too_high",
    severity="by_amount",
    asks="Was no double above the original wager?",
    false_positives=_CHIPS,
)
SPLIT_STAKE_DIFFERS: Final = Kind(
    "split_stake_differs",
    severity="by_amount",
    asks="Was the stake on a split hand equal to the original wager?",
    false_positives=_CHIPS,
)
KINDS: Final = (
    DEALER_DREW_WRONGLY,
    DEALER_STOOD_WRONGLY,
    NO_SUCH_HAND,
    STAKE_MISSING,
    DOUBLE_TOO_HIGH,
    SPLIT_STAKE_DIFFERS,
)
