"""The cards of a round leave the shoe, 631a.9 to 631a.11, and what a dealer can get wrong about them."""

from collections.abc import Callable
from typing import Final

from schemas import events
from streams.simulator.games.baccarat.rules import (
    DISCARDING,
    Result,
    banker_draws,
    is_natural,
    lawful,
    player_draws,
    points,
)
from streams.simulator.games.baccarat.table import Round, Table
from streams.simulator.table import Made

_INITIAL: Final = ("player", "banker", "player", "banker")
_SPARE: Final = 8  # cards that must be left in the shoe for a fault that needs cards of its own


class Layout:
    """The cards on the table: by hand, in the order in which they came."""

    def __init__(self, table: Table, current: Round) -> None:
        self.table = table
        self.current = current
        self.hands: dict[str, list[str]] = {"player": [], "banker": []}
        self.dealt = 0

    def deal(self, hand: str) -> str | None:
        """Deal one card to a hand; None if the shoe is out of cards, 631a.15(e)."""
        script, name = self.table.script, self.current.name
        script.wait(1000, 1500)
        card = self.table.shoe.draw()
        if card is None:
            if self.current.ran_out_after is None:
                self.current.ran_out_after = self.dealt
                script.tell(events.ShoeExhausted, round=name)
            return None
        self.dealt += 1
        self.hands[hand].append(card)
        script.tell(events.CardDrawn, round=name, hand=hand, card=card)
        script.wait(250, 450)
        script.tell(events.CardSeen, round=name, hand=hand, place=len(self.hands[hand]), card=card)
        self.table.lay_open(self.current, hand, card)
        return card


def initial_cards(table: Table, current: Round, layout: Layout, before_fourth: Callable[[], None]) -> None:
    """Deal the first four cards, 631a.9(c), rightly or in a wrong order."""
    order, who = _initial_order(table, current)
    for place, hand in enumerate(order):
        if place == len(_INITIAL) - 1:
            before_fourth()
        layout.deal(hand)
    if who is not None:
        current.is_open = True


def _initial_order(table: Table, current: Round) -> tuple[tuple[str, ...], str | None]:
    # House Money is settled by the first two cards of each hand: it stays away from hands without them.
    has_house_money = any(stake.wager == "house_money" for stake in current.stakes.values())
    if has_house_money or table.shoe.left < _SPARE:
        return _INITIAL, None
    if table.strikes("banker_card_first", current):
        current.made = Made("banker_card_first", who="banker")
        order = ("banker", "player", "banker", "player"), ("player", "banker", "banker", "player")
        return table.rng.choice(order), "banker"
    if table.strikes("two_cards_running", current):
        current.made = Made("two_cards_running", who="player")
        return ("player", "player", "banker", "banker"), "player"
    if table.strikes("fourth_card_not_dealt", current):
        current.made = Made("fourth_card_not_dealt", who="banker")
        return _INITIAL[:3], "banker"
    return _INITIAL, None


def third_cards(table: Table, current: Round, layout: Layout) -> None:
    """Deal third cards by 631a.10 and 631a.11, or wrongly; note the hands that count and those believed."""
    player, banker = layout.hands["player"], layout.hands["banker"]
    if current.ran_out_after is None and len(banker) == len(player) == 2:  # noqa: PLR2004  two cards each
        _third_cards(table, current, layout)
    if not current.counts.player:
        current.counts = Result(tuple(player), tuple(banker))
    if not current.believed.player:
        current.believed = current.counts


def _third_cards(table: Table, current: Round, layout: Layout) -> None:
    player, banker = layout.hands["player"], layout.hands["banker"]
    if is_natural(player) or is_natural(banker):
        if _may_err(table, current, "card_dealt_after_natural"):
            _after_natural(table, current, layout)
        return
    if not player_draws(player):
        _player_stays(table, current, layout)
        return
    third = table.shoe.to_come(1)
    if points(banker) in (0, 1, 2, 7) and _may_err(table, current, "player_third_not_dealt"):
        current.made, current.is_open = Made("player_third_not_dealt", who="player"), True
        if banker_draws(banker, None):
            layout.deal("banker")
        return
    if points(banker) in (0, 1, 2) and _may_err(table, current, "third_cards_reversed"):
        current.made, current.is_open = Made("third_cards_reversed", who="banker"), True
        layout.deal("banker")
        layout.deal("player")
        return
    if layout.deal("player") is not None:
        _bankers_third(table, current, layout, third[0])


def _bankers_third(table: Table, current: Round, layout: Layout, players_third: str | None) -> None:
    banker = layout.hands["banker"]
    if not banker_draws(banker, players_third):
        if players_third is not None and _may_err(table, current, "second_third_card"):
            _surplus(table, current, layout, "player", "second_third_card")
        elif _may_err(table, current, "banker_third_surplus"):
            _surplus(table, current, layout, "banker", "banker_third_surplus")
        return
    if _may_err(table, current, "banker_third_not_dealt"):
        current.made, current.is_open = Made("banker_third_not_dealt", who="banker"), True
        return
    if layout.deal("banker") is not None and _may_err(table, current, "second_third_card"):
        _surplus(table, current, layout, "banker", "second_third_card")


def _player_stays(table: Table, current: Round, layout: Layout) -> None:
    player, banker = tuple(layout.hands["player"]), tuple(layout.hands["banker"])
    if banker_draws(banker, None) and _may_err(table, current, "player_third_for_banker"):
        # Disclosed and used at once as the Banker's third, 631a.15(c).
        current.made = Made("player_third_for_banker", who="player")
        card = layout.deal("player") or ""
        current.counts = Result(player, (*banker, card))
        # If it may have been disclosed, and discarded with one more, no record shows which hand counts.
        current.is_open = table.plan.chapter in DISCARDING
    elif not banker_draws(banker, None) and _may_err(table, current, "player_third_surplus"):
        _surplus(table, current, layout, "player", "player_third_surplus")
    else:
        _bankers_third(table, current, layout, None)


def _surplus(table: Table, current: Round, layout: Layout, hand: str, kind: str) -> None:
    """Deal a card too many: noticed, it counts for no one; unnoticed, the dealer takes the hand with it."""
    lawful_hands = Result(tuple(layout.hands["player"]), tuple(layout.hands["banker"]))
    card = layout.deal(hand)
    current.made = Made(kind, who=hand)
    current.counts = lawful_hands
    is_third_of_player = hand == "player" and len(lawful_hands.player) == 2  # noqa: PLR2004  two cards
    unnoticed = table.rng.random() < 0.5 and kind != "second_third_card"  # noqa: PLR2004  either way
    if unnoticed and is_third_of_player and banker_draws(lawful_hands.banker, card):
        # Who takes the card for the Player's third would deal to the Banker: that is another mistake.
        unnoticed = False
    if unnoticed:
        current.believed = Result(tuple(layout.hands["player"]), tuple(layout.hands["banker"]))
    elif is_third_of_player and table.ways.disclosed_card == "discard":
        _discard_one_more(table, current)


def _after_natural(table: Table, current: Round, layout: Layout) -> None:
    current.counts = Result(tuple(layout.hands["player"]), tuple(layout.hands["banker"]))
    hand = table.rng.choice(("player", "banker"))
    layout.deal(hand)
    current.made = Made("card_dealt_after_natural", who=hand)
    if hand == "player" and table.ways.disclosed_card == "discard":
        _discard_one_more(table, current)


def _discard_one_more(table: Table, current: Round) -> None:
    """Draw the card that goes to the discard bucket face down after a disclosed one, 631a.15(c)(1)."""
    table.script.wait(1200, 2000)
    if table.shoe.draw() is not None:
        table.script.tell(events.CardDiscarded, round=current.name)


def _may_err(table: Table, current: Round, kind: str) -> bool:
    return table.shoe.left >= _SPARE and table.strikes(kind, current)


def runs_out_at_third(cards: list[str]) -> bool:
    """Return True if rounds dealt from these last cards lack a third card at the end, 631a.15(e)."""
    while True:
        need = lawful(cards)[1]
        if need > len(cards):
            return len(cards) >= len(_INITIAL)
        cards = cards[need:]
