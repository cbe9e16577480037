"""Stakes on hands of the Blackjack kind: splits, insurance, and what each may be."""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, Cents, Fact, HandRef, Word, fact
from projections.engine.findings import Kind
from projections.engine.games.blackjack.hands import (
    ACE,
    PAIR,
    Hand,
    Layout,
    Split,
    first_hand,
    named_cards,
    seat_of,
    up_card,
    values_of,
)
from projections.engine.games.blackjack.manner import (
    DOUBLE_TOO_HIGH,
    NO_SUCH_HAND,
    SPLIT_STAKE_DIFFERS,
    STAKE_MISSING,
    Cites,
    Manner,
)
from projections.engine.games.blackjack.player_hand import DEAD, deal_defects
from projections.engine.improper_wagers import moved
from projections.engine.kinds import DECISION_NOT_ALLOWED, WAGER_NOT_PERMITTED
from projections.engine.observation import Key, Round, Wager

# ── Stakes that are missing, that differ from what they must equal, or that are not allowed ────────────

DOUBLE = "double_down"
INSURANCE = "insurance"
MATCH = "match_the_dealer"


def hand_of(key: Key) -> str:
    """Return the hand that a wager lies on.

    >>> hand_of(Key(1, None, "wager", None)), hand_of(Key(1, None, "wager", "seat1.2"))
    ('seat1', 'seat1.2')
    """
    return key.hand or first_hand(key.seat)


def stake_faults(
    observed: Round, layout: Layout, manner: Manner, first: str, broken: frozenset[str]
) -> dict[Key, Defect]:
    """Return the stakes at fault; `first` is the chapter's own wager, `broken` hands on which none is judged.

    A stake that lacks is named by the key that it would have.
    """
    faults: dict[Key, Defect] = {}
    up = _certain_up_card(observed, layout, manner)
    for key in observed.wagers:
        fault = _misplaced(key, layout, manner, up)
        if fault is None and hand_of(key) not in broken:
            fault = _differing(key, observed, manner, first) or _above_maximum(key, observed, manner)
        if fault is not None:
            faults[key] = fault
    for hand in layout.hands:
        if hand.cards and hand.name not in broken and DEAD not in hand.words:
            faults.update(_lacking(hand, observed, manner, first))
    return faults


def _certain_up_card(observed: Round, layout: Layout, manner: Manner) -> str | None:
    """Return the dealer's first card as it was read; None if one that no one reported may have been it."""
    if not observed.cards_known or deal_defects(layout, manner):
        return None
    found = up_card(layout)
    return None if found is None else found.what


def _misplaced(key: Key, layout: Layout, manner: Manner, up: str | None) -> Defect | None:
    name, wager = hand_of(key), key.wager
    hand = layout.hand(name)
    if key.hand is not None and (hand is None or hand.seat != key.seat):
        message = fact("games.blackjack.stake_on_no_hand", hand=HandRef(name))
        return _at(key, NO_SUCH_HAND, message, manner.cites.hand)
    if wager not in (DOUBLE, INSURANCE, MATCH) or hand is None:
        return None
    why = _not_permitted(key, hand, manner, up)
    return _at(key, WAGER_NOT_PERMITTED, *why) if why is not None else None


def _not_permitted(key: Key, hand: Hand, manner: Manner, up: str | None) -> tuple[Fact, Cites] | None:
    wager, cites = key.wager, manner.cites
    if wager == DOUBLE:
        doubled = "double" in hand.words or DEAD in hand.words
        return None if doubled else (fact("games.blackjack.not_doubled"), cites.double)
    of_wager = cites.insurance if wager == INSURANCE else cites.match
    if hand.name != first_hand(hand.seat):
        return fact("games.blackjack.not_on_split_hand"), of_wager
    if wager == INSURANCE and up is not None and ACE not in values_of(up, manner.ranks):
        return fact("games.blackjack.no_ace_up", up=CardRef(up)), of_wager
    return None


def _differing(key: Key, observed: Round, manner: Manner, first: str) -> Defect | None:
    """Compare a split hand's stake, a double and a match with the seat's first wager.

    Neither may be in doubt. What the first wager came to when the other was made is not known once it was
    reduced too late.
    """
    seat, bettor, wager, hand = key
    laid = next((each for each in _originals(seat, bettor, first) if each in observed.wagers), None)
    if laid is None or {laid, key} & observed.wagers_in_doubt() or laid in _reduced_late(observed):
        return None
    cents, original = observed.wagers[key].cents, observed.wagers[laid].cents
    amount = _amount(observed.wagers[laid])
    if wager == DOUBLE and cents > amount:
        message = fact("games.blackjack.double_above_wager", cents=Cents(cents), most=Cents(amount))
        return _at(key, DOUBLE_TOO_HIGH, message, manner.cites.double)
    if wager == MATCH and manner.cites.match_most and cents > amount:
        message = fact("games.blackjack.match_above_wager", cents=Cents(cents), most=Cents(amount))
        return _at(key, WAGER_NOT_PERMITTED, message, manner.cites.match_most)
    if wager == first and hand not in (None, first_hand(seat)) and cents not in (original, amount):
        message = fact("games.blackjack.split_stake_differs", cents=Cents(cents), original=Cents(original))
        return _at(key, SPLIT_STAKE_DIFFERS, message, manner.cites.split)
    return None


def _above_maximum(key: Key, observed: Round, manner: Manner) -> Defect | None:
    """Compare a match with the most that the house accepts, where it is not in doubt."""
    most, cents = manner.match_maximum, observed.wagers[key].cents
    if key.wager != MATCH or most is None or cents <= most or key in observed.wagers_in_doubt():
        return None
    message = fact("games.blackjack.match_above_maximum", cents=Cents(cents), most=Cents(most))
    return _at(key, WAGER_NOT_PERMITTED, message, manner.cites.match_limit)


def _reduced_late(observed: Round) -> set[Key]:
    """Return the wagers that were reduced after "no more bets"."""
    reduced = (move for move in observed.late if move.move == "reduce")
    return {key for move in reduced for key in moved(observed, move)}


def _amount(laid: Wager) -> int:
    """Return the amount of a wager in cents: a coupon that its chips carry is included in it, 603a.1."""
    return laid.cents + (laid.coupon_cents if laid.coupon_cents <= laid.cents else 0)


def _originals(seat: int, bettor: str | None, first: str) -> tuple[Key, ...]:
    """Return the possible keys of a seat's first wager."""
    return tuple(Key(seat, bettor, first, hand) for hand in (None, first_hand(seat)))


def _lacking(hand: Hand, observed: Round, manner: Manner, first: str) -> Iterator[tuple[Key, Defect]]:
    lying = {key.wager for key in observed.wagers if key.seat == hand.seat and hand_of(key) == hand.name}
    hand_name = hand.name if hand.name != first_hand(hand.seat) else None
    if first not in lying:
        key = Key(hand.seat, None, first, hand_name)
        cites = manner.cites.split if hand.split else manner.cites.stake
        yield key, _at(key, STAKE_MISSING, fact("games.blackjack.no_stake", wager=Word(first)), cites)
    if "double" in hand.words and DOUBLE not in lying:
        key = Key(hand.seat, None, DOUBLE, hand_name)
        message = fact("games.blackjack.doubled_without_stake")
        yield key, _at(key, STAKE_MISSING, message, manner.cites.double)


def _at(key: Key, kind: Kind, message: Fact, cites: Cites) -> Defect:
    return Defect(kind, message, cites, who=hand_of(key), **key._asdict())


# ── Which pairs were split although the text does not allow it ────────────────────────────────────────


class Splits(Struct, frozen=True):
    """Faults of a round's splits.

    `broken` are the hands from a split that is not allowed: no text says what they are paid. `unsure` are
    those for which an unread card decides whether they are.
    """

    defects: tuple[Defect, ...]
    broken: frozenset[str]
    unsure: frozenset[str]


def split_defects(layout: Layout, manner: Manner) -> Splits:
    """Judge every split of a round."""
    defects = []
    broken: set[str] = set()
    unsure: set[str] = set()
    for split in layout.splits:
        found = _fault(split, manner) if split.hand not in broken else None
        if found is not None:
            message, cites = found
            defects.append(Defect(DECISION_NOT_ALLOWED, message, cites, who=split.hand))
        if found is not None or split.hand in broken:
            broken |= {split.hand, split.new}
        if _unsure(split, manner) or split.hand in unsure:
            unsure |= {split.hand, split.new}
    return Splits(tuple(defects), frozenset(broken), frozenset(unsure - broken))


def _fault(split: Split, manner: Manner) -> tuple[Fact, Cites] | None:
    cites = manner.cites
    cards = named_cards(split.cards)
    if len(split.cards) != PAIR or split.decided:
        return fact("games.blackjack.split_of_other_cards", cards=cards), cites.split
    first, second = (set(values_of(card, manner.ranks)) for card in split.cards)
    if not first & second:
        return fact("games.blackjack.split_of_two_values", cards=cards), cites.split
    if split.hands >= manner.hands_most:
        return fact("games.blackjack.split_too_often", cards=cards, hands=split.hands), cites.split_again
    return None


def _unsure(split: Split, manner: Manner) -> bool:
    values = [values_of(card, manner.ranks) for card in split.cards]
    return len(values) == PAIR and values[0] != values[1] and bool(set(values[0]) & set(values[1]))


# ── Who wagered insurance, and when: its time ends in the play ────────────────────────────────────────


def insured_after(play: Sequence[tuple[str, str]], ends: Collection[int]) -> set[tuple[int, str | None]]:
    """Return who made or increased insurance after the first of these places in a play: seat and bettor.

    >>> insured_after([("seat1", "stand"), ("seat2/anna", "place insurance")], [0])
    {(2, 'anna')}
    """
    late: set[tuple[int, str | None]] = set()
    for who, what in play[min(ends, default=len(play)) :]:
        hand, _, bettor = who.partition("/")
        seat = seat_of(hand)
        if seat is not None and what in (f"place {INSURANCE}", f"increase {INSURANCE}"):
            late.add((seat, bettor or None))
    return late
