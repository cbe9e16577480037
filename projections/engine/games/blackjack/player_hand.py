"""A player's hand played out: its stakes, splits, refusals, insurance, and how it was left."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, Fact, HandRef, Word, fact
from projections.engine.findings import Kind
from projections.engine.games.blackjack.hands import (
    ACE,
    DEALER,
    PAIR,
    TEN,
    Hand,
    HandAct,
    Layout,
    first_hand,
    seat_of,
    total,
    values_of,
)
from projections.engine.games.blackjack.manner import Cites, Manner
from projections.engine.kinds import CARD_MISSING, CARD_ORDER_WRONG, DECISION_NOT_ALLOWED, HAND_DREW_WRONGLY
from projections.engine.observation import Doubt, Round
from schemas.values import CARDS

# ── A player's hand played out: what its cards count, how it was left, and what the text did not allow ────

# As many ways to read a hand as are tried: three cards of ten values. A hand with more unread cards is left
# open; it is not worth a longer search.
MOST_READINGS: Final = 1000

DEAD: Final = "dead"
RESCUED: Final = "rescue"
NOT_DEALT: Final = "not dealt"


class End(Struct, frozen=True):
    """Result of a hand whose cards had certain values (an ace is one).

    `cards` and `values` are those that count, `total` is their sum. `left` is how the hand was given up:
    dead, rescue, a word of `Manner.leaving`, or that no card was dealt to it. If `settles` is false a card is
    missing or was dealt on a decision that is not allowed, and no text says what the hand is paid.
    """

    cards: tuple[str, ...]
    values: tuple[int, ...]
    total: int
    blackjack: bool
    doubled: bool
    split: bool
    left: str | None
    settles: bool
    defects: tuple[Defect, ...]


def ends_of(manner: Manner, hand: Hand) -> list[End] | None:
    """Play a hand out for every card that an unread one could be; None if there are too many to try."""
    readings = [values_of(card, manner.ranks) for card in hand.cards]
    if prod(map(len, readings)) > MOST_READINGS:
        return None
    return [play_out(manner, hand, values) for values in product(*readings)]


def play_out(manner: Manner, hand: Hand, values: Sequence[int]) -> End:
    """Play a hand out, card by card and word by word; `values` are those of its cards, in order."""
    played = _Played(manner, hand)
    left = iter(values)
    for step in hand.opening:
        played.take(step.what, next(left))
    for step in hand.steps:
        if step.is_card:
            played.card(step, next(left))
        else:
            played.word(step.what)
    return played.end()


def proven(ends: Sequence[End]) -> tuple[Defect, ...]:
    """Return the defects of a hand that exist whatever its unread cards were."""
    names = set.intersection(*({defect.check for defect in end.defects} for end in ends))
    return tuple(defect for defect in ends[0].defects if defect.check in names)


class _Played:
    """A hand while it is played; after a decision that is not allowed no more defects are reported."""

    def __init__(self, manner: Manner, hand: Hand) -> None:
        self.manner, self.hand = manner, hand
        self.cards: list[str] = []
        self.values: list[int] = []
        self.defects: list[Defect] = []
        self.left: str | None = None
        self.asked = self.doubled = self.stands = self.decided = self.broken = False

    # ── what it is ───────────────────────────────────────────────────────────────────────────────────

    def total(self) -> int:
        return total(self.values, self.manner.limit)

    def blackjack(self) -> bool:
        return not self.hand.split and is_blackjack(self.values)

    def done(self) -> Cites | None:
        """Return what keeps it from another card, if anything does."""
        cites = self.manner.cites
        if len(self.values) < PAIR:
            return None
        if self.doubled and not self.asked:
            return cites.doubled_card
        if self.stands or self.left is not None:
            return cites.stand
        if self.total() >= self.manner.limit:
            return cites.draw
        most = self.manner.split_ace_cards
        if most is not None and self.hand.split and self.values[0] == ACE and len(self.values) > most:
            return cites.split_aces
        return None

    # ── what comes to it ─────────────────────────────────────────────────────────────────────────────

    def take(self, card: str, value: int) -> None:
        self.cards.append(card)
        self.values.append(value)
        self.asked = False

    def card(self, step: HandAct, value: int) -> None:
        why = self.done()
        if why is None:
            self.take(step.what, value)
        elif not self.broken:
            card = CardRef(step.what)
            if self.left:
                message = fact("games.blackjack.left_hand_drew", card=card)
            else:
                message = fact(
                    "games.blackjack.finished_hand_drew",
                    count=self.total(),
                    stood=int(self.stands),
                    card=card,
                )
            self._wrong(HAND_DREW_WRONGLY, message, why)

    def word(self, word: str) -> None:
        if word == DEAD:
            self.left = DEAD
        elif self.left == RESCUED and word in self.manner.leaving:
            self._leave(word)
        elif self.broken or self.left is not None:
            return
        elif word == "stand":
            if not (self.doubled and self.asked):  # a double's card is due whatever the player says
                self.stands, self.asked = True, False
        elif word == "draw":
            self.asked = self.asked or (self.done() is None and len(self.values) >= PAIR)
        elif word == "double":
            self._double()
        elif word == RESCUED:
            self._rescue()
        elif word in self.manner.leaving:
            self._leave(word)
        self.decided = True

    def _double(self) -> None:
        most = self.manner.double_cards
        may = (
            len(self.values) >= PAIR
            and (most is None or len(self.values) <= most)
            and not self.doubled
            and self.done() is None
        )
        if may:
            self.doubled = self.asked = True
        else:
            self._refuse("double", tuple(dict.fromkeys((*self.manner.cites.double, *(self.done() or ())))))

    def _rescue(self) -> None:
        may = self.manner.rescues and self.doubled and not self.asked
        if may and self.total() <= self.manner.limit:
            self.left = RESCUED
        else:
            self._refuse(RESCUED, self.manner.cites.rescue or self.manner.cites.double)

    def _leave(self, word: str) -> None:
        if self.decided or self.hand.split or len(self.values) != PAIR:
            self._refuse(word, self.manner.cites.leave)
        else:
            self.left = word

    def _refuse(self, word: str, cites: Cites) -> None:
        self.broken = True
        message = fact(
            "games.blackjack.decided_out_of_place",
            count=self.total(),
            cards=len(self.cards),
            stood=int(self.stands),
            act=Word(word),
        )
        self._wrong(DECISION_NOT_ALLOWED, message, cites)

    def _wrong(self, kind: Kind, message: Fact, cites: Cites) -> None:
        # A second surplus card is part of the same mistake.
        if all(defect.kind is not kind for defect in self.defects):
            self.defects.append(Defect(kind, message, cites, who=self.hand.name))

    # ── how it ended ─────────────────────────────────────────────────────────────────────────────────

    def end(self) -> End:
        left = self.left
        if not self.values and left is None and not self.hand.foreign and not self.hand.split:
            left = NOT_DEALT
        lacks = left is None and not self.broken and (len(self.values) < PAIR or self.asked)
        if lacks and not self.hand.foreign:
            self._lack()
        return End(
            cards=tuple(self.cards),
            values=tuple(self.values),
            total=self.total(),
            blackjack=self.blackjack(),
            doubled=self.doubled,
            split=self.hand.split,
            left=left,
            settles=left == DEAD or not (self.broken or lacks),
            defects=tuple(self.defects),
        )

    def _lack(self) -> None:
        cites = self.manner.cites
        if len(self.values) < PAIR and self.hand.split:
            self._wrong(CARD_MISSING, fact("games.blackjack.second_card_missing"), cites.split_cards)
        elif len(self.values) < PAIR:
            self._wrong(CARD_MISSING, fact("games.blackjack.first_card_missing"), cites.first_two)
        elif self.doubled:
            self._wrong(CARD_MISSING, fact("games.blackjack.doubled_card_missing"), cites.doubled_card)
        else:
            self._wrong(CARD_MISSING, fact("games.blackjack.asked_card_missing"), cites.missing)


def is_blackjack(values: Sequence[int]) -> bool:
    """Return True if the first two cards are an ace and one worth ten; splits are for the caller to exclude.

    >>> is_blackjack([1, 10]), is_blackjack([10, 1]), is_blackjack([1, 5, 5])
    (True, True, False)
    """
    return len(values) == PAIR and sorted(values) == [ACE, TEN]


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Who refused a card that was drawn in error gets no more of them in the round: 551.16(d), 685a.12(c).

REFUSE: Final = "refuse"
_BRINGS_CARDS: Final = ("double", "split")
_REQUESTS: Final = ("draw", "double")  # who doubles elects to draw one card, 685a.7(k)(2)

Play = Sequence[tuple[str, str]]


class Accepted(Struct, frozen=True):
    """A play without what came to seats that had refused a card, and what was wrong of it."""

    play: tuple[tuple[str, str], ...]
    defects: tuple[Defect, ...]


def accepted(play: Play, cites: Cites) -> Accepted:
    """Remove from a play the cards, doubles and splits of those who had refused a card.

    >>> refused = accepted([("seat1", "9d"), ("seat1", "5s"), ("seat1", "refuse"), ("seat1", "Kd")], ())
    >>> refused.play, [each.check for each in refused.defects]
    ((('seat1', '9d'), ('seat1', '5s')), ['hand_drew_wrongly'])
    """
    dealt: dict[int, int] = {}
    refused: set[int] = set()
    accepted_acts: list[tuple[str, str]] = []
    wrong: dict[int, Defect] = {}
    for who, what in play:
        seat = seat_of(who)
        if seat is not None and what == REFUSE:
            refused.add(seat)
        elif seat in refused and dealt.get(seat, 0) >= PAIR and asks_for_cards(what):
            note(wrong, seat, who, what, fact("games.blackjack.had_refused_card"), cites)
        else:
            if seat is not None:
                dealt[seat] = dealt.get(seat, 0) + (what in CARDS)
            accepted_acts.append((who, what))
    return Accepted(tuple(accepted_acts), tuple(wrong.values()))


def asks_for_cards(what: str) -> bool:
    """Return True if an act is a card or brings one to a hand: a double, a split, a draw."""
    return what in CARDS or what in _BRINGS_CARDS or what == "draw"


def note(wrong: dict[int, Defect], seat: int, who: str, what: str, why: Fact, cites: Cites) -> None:
    """Note what came to a seat that might get no card, once; that one was asked for in vain is no fault."""
    if what in _BRINGS_CARDS:
        message = fact("games.blackjack.act_barred", act=Word(what), why=why)
        wrong.setdefault(seat, Defect(DECISION_NOT_ALLOWED, message, cites, who=who))
    elif what in CARDS:
        message = fact("games.blackjack.card_barred", card=CardRef(what), why=why)
        wrong.setdefault(seat, Defect(HAND_DREW_WRONGLY, message, cites, who=who))


# ── What came out of turn: the first two cards of each hand, then seat after seat, the dealer last ────


def deal_defects(layout: Layout, manner: Manner) -> list[Defect]:
    """Judge the order of the first two cards, and that nothing came before they were dealt.

    A hand with fewer than two cards is skipped, because missing cards are a defect of their own. The seats
    are dealt to from the lowest number. One seat that was left out may get its second card last, and the
    dealer both of his.
    """
    dealt = {first_hand(seat): steps for seat, steps in sorted(layout.dealt.items())}
    dealt[DEALER] = layout.dealer.opening
    foreign = layout.dealer.foreign or any(hand.foreign for hand in layout.hands)
    if foreign or len(dealt) == 1 or any(len(steps) < PAIR for steps in dealt.values()):
        return []
    first = sorted((step.place, hand) for hand, steps in dealt.items() for step in steps)
    seats = [hand for hand in dealt if hand != DEALER]
    if [hand for _, hand in first] not in list(_orders(seats)):
        message = fact("games.blackjack.dealt_out_of_order")
        return [Defect(CARD_ORDER_WRONG, message, manner.cites.deal)]
    last = first[-1][0]
    for name, step in _after(layout):
        if step.place < last and step.what != DEAD:
            message = fact("games.blackjack.came_before_deal_ended", hand=HandRef(name), what=step.ref)
            cites = (*manner.cites.deal, *manner.cites.turns)
            return [Defect(CARD_ORDER_WRONG, message, cites, who=name)]
    return []


def _orders(seats: Sequence[str]) -> Iterator[list[str]]:
    """Yield the orders that the text admits, regular or with what it does for a hand that was left out."""
    yield [*seats, DEALER, *seats, DEALER]
    yield [*seats, *seats, DEALER, DEALER]
    for missed in seats:
        others = [seat for seat in seats if seat != missed]
        if not others:
            continue  # left out in favor of no one: the dealer took his card first
        for rounds in ((others, seats), (seats, others)):
            yield [*rounds[0], DEALER, *rounds[1], missed, DEALER]
            yield [*rounds[0], DEALER, *rounds[1], DEALER, missed]


def turn_defects(layout: Layout, manner: Manner) -> list[Defect]:
    """Judge whose turn it was after the first two cards; one defect for each hand that was out of turn.

    A player who asked for a card and was passed over may get it later, but not after the dealer has drawn.
    """
    seats = {hand.name: hand.seat for hand in layout.hands}
    requests: set[str] = set()
    found: dict[str, Defect] = {}
    reached = 0
    dealer_drew = False
    for name, step in sorted(_after(layout), key=lambda each: each[1].place):
        if name == DEALER:
            dealer_drew = True
        elif step.what == DEAD or (step.what in manner.before_turns and not (reached or dealer_drew)):
            continue
        elif (
            step.what in manner.before_turns
            or dealer_drew
            or (seats[name] < reached and name not in requests)
        ):
            message = fact(
                "games.blackjack.came_out_of_turn",
                hand=HandRef(name),
                what=step.ref,
                passed=_passed(step, manner, dealer_drew=dealer_drew),
            )
            found.setdefault(name, Defect(CARD_ORDER_WRONG, message, manner.cites.turns, who=name))
        else:
            reached = max(reached, seats[name])
            requests |= {name} if step.what in _REQUESTS else set()
    return list(found.values())


def split_turn_defects(layout: Layout, manner: Manner) -> list[Defect]:
    """Judge that no hand of a seat got a card after a later one had; return the first defect of each seat.

    No one reports which hand is on the dealer's left; it is only known that one is completed before the next.
    A card that was asked for and forgotten may come later.
    """
    found: dict[int, Defect] = {}
    requests: set[str] = set()
    left: set[str] = set()
    last: dict[int, str] = {}
    steps = [(hand, step) for hand in layout.hands if hand.split for step in hand.steps]
    steps += _moved_on(layout)
    for hand, step in sorted(steps, key=lambda each: each[1].place):
        if step.what in _REQUESTS:
            requests.add(hand.name)
        if not step.is_card:
            continue
        before = last.get(hand.seat, hand.name)
        if before != hand.name:
            left.add(before)
        if hand.name in left and hand.name not in requests:
            message = fact(
                "games.blackjack.split_hand_left",
                hand=HandRef(hand.name),
                card=step.ref,
                other=HandRef(before),
            )
            found.setdefault(
                hand.seat, Defect(CARD_ORDER_WRONG, message, manner.cites.split_turns, who=hand.name)
            )
        requests.discard(hand.name)
        last[hand.seat] = hand.name
    return list(found.values())


def _moved_on(layout: Layout) -> Iterator[tuple[Hand, HandAct]]:
    """Yield the cards that a hand of a split got and that another hand began with as it was split again."""
    parted: set[str] = set()
    for split in layout.splits:
        hand, new = layout.hand(split.hand), layout.hand(split.new)
        if split.hand in parted and hand is not None and new is not None:
            yield from ((hand, step) for step in new.opening)
        parted |= {split.hand, split.new}


def _passed(step: HandAct, manner: Manner, *, dealer_drew: bool) -> str:
    """Return what came before an act that was out of turn."""
    if dealer_drew:
        return "dealer_drew"
    if step.what in manner.before_turns:
        return "turns_begun"
    return "turn_passed"


def _after(layout: Layout) -> Iterator[tuple[str, HandAct]]:
    """Yield what came to the hands after their first two cards."""
    hands: list[Hand] = [*layout.hands, layout.dealer]
    for hand in hands:
        yield from ((hand.name, step) for step in hand.steps)
    for split in layout.splits:
        yield split.hand, HandAct("split", split.place)


# ── Decisions that the clocks do not part from a card of their seat ───────────────────────────────────


def near_doubts(observed: Round) -> list[Doubt]:
    """Add doubts about the cards of a round if a decision was made too close to a card to order them.

    Only cards of its own seat matter; an order relative to other seats' cards changes nothing.
    """
    doubts: dict[int, Doubt] = {}
    for pair in observed.close_acts:
        (who, what), (other, card) = observed.play[pair.act], observed.play[pair.other]
        seat = seat_of(who)
        if seat is None or what in CARDS or card not in CARDS or other == DEALER or seat_of(other) != seat:
            continue
        message = fact(
            "games.blackjack.too_near_to_card",
            hand=HandRef(who),
            act=Word(what),
            other=HandRef(other),
            card=CardRef(card),
        )
        doubts.setdefault(pair.act, Doubt("data_missing", "cards", message, pair.devices))
    return list(doubts.values())
