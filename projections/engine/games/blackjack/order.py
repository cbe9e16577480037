"""What came out of turn, and decisions that the clocks do not part from a card of their seat."""

from collections.abc import Iterator, Sequence

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, HandRef, Word, fact
from projections.engine.games.blackjack.hands import DEALER, PAIR, Hand, Layout, Step, first_hand, seat_of
from projections.engine.games.blackjack.manner import Manner
from projections.engine.games.blackjack.player_hand import DEAD
from projections.engine.observation import Doubt, Round
from schemas.values import CARDS

# ── What came out of turn: the first two cards of each hand, then seat after seat, the dealer last ────


def deal_defects(layout: Layout, manner: Manner) -> list[Defect]:
    """Judge the order of the first two cards, and that nothing came before they were dealt.

    Nothing is said where a hand got less than two cards: what is missing is a mistake of its own. The seats
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
        return [Defect("card_order_wrong", message, manner.cites.deal)]
    last = first[-1][0]
    for name, step in _after(layout):
        if step.place < last and step.what != DEAD:
            message = fact("games.blackjack.came_before_deal_ended", hand=HandRef(name), what=step.told)
            cites = (*manner.cites.deal, *manner.cites.turns)
            return [Defect("card_order_wrong", message, cites, who=name)]
    return []


def _orders(seats: Sequence[str]) -> Iterator[list[str]]:
    """Yield the orders that the text admits, regular or with what it does for a hand that was left out."""
    yield [*seats, DEALER, *seats, DEALER]
    yield [*seats, *seats, DEALER, DEALER]
    for missed in seats:
        others = [seat for seat in seats if seat != missed]
        if not others:
            continue  # left out in favour of no one: the dealer took his card first
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
                what=step.told,
                passed=_passed(step, manner, dealer_drew=dealer_drew),
            )
            found.setdefault(name, Defect("card_order_wrong", message, manner.cites.turns, who=name))
        else:
            reached = max(reached, seats[name])
            requests |= {name} if step.what == "draw" else set()
    return list(found.values())


def _passed(step: Step, manner: Manner, *, dealer_drew: bool) -> str:
    """Return what came before an act that was out of turn."""
    if dealer_drew:
        return "dealer_drew"
    if step.what in manner.before_turns:
        return "turns_begun"
    return "turn_passed"


def _after(layout: Layout) -> Iterator[tuple[str, Step]]:
    """Yield what came to the hands after their first two cards."""
    hands: list[Hand] = [*layout.hands, layout.dealer]
    for hand in hands:
        yield from ((hand.name, step) for step in hand.steps)
    for split in layout.splits:
        yield split.hand, Step("split", split.place)


# ── Decisions that the clocks do not part from a card of their seat ───────────────────────────────────


def near_doubts(observed: Round) -> list[Doubt]:
    """Doubt the cards of a round where a decision was made too near to a card that it may speak of.

    That is a card of its own seat. What is said of other seats' cards changes nothing.
    """
    doubts: dict[int, Doubt] = {}
    for pair in observed.near:
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
        doubts.setdefault(pair.act, Doubt("data_missing", "cards", message, pair.device))
    return list(doubts.values())
