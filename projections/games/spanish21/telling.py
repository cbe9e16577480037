"""The play of a round of Spanish 21 told hand by hand, each step with the provision it stands on."""

from collections.abc import Sequence
from typing import Final

from projections.games.blackjack.counting import total, values_of
from projections.games.blackjack.layout import Hand, lay_out
from projections.games.blackjack.playing import End
from projections.games.spanish21.rules import Rules
from projections.games.spanish21.table import Played
from projections.hand.game import Laid
from schemas.values import RANKS

_LIMIT: Final = 21  # up to which an ace counts 11, 551.3(b)(3)

_DECIDED: Final = {
    "stand": ("stands", "551.8(f)"),
    "double": ("doubles: one card more", "551.11(a)"),
    "surrender": ("surrenders half of the wager", "551.9(a)"),
    "rescue": ("rescues the double and forfeits the original wager", "551.11(d)"),
    "dead": ("is called dead", "551.16(i)"),
    "draw": ("asks for a card", "551.13(a)"),
}


def hands(play: Sequence[tuple[str, str]]) -> list[Laid]:
    """Give each hand with all its cards, those that are disregarded too, and what they come to."""
    layout = lay_out(play, RANKS)
    laid: list[Hand] = [*layout.hands, layout.dealer]
    return [Laid(hand.name, hand.cards, counts(hand.cards)) for hand in laid]


def counts(cards: Sequence[str]) -> int | None:
    """Count a hand, 551.3(b); None where a card's value was not read, or there is none.

    >>> counts(["Ad", "Ac"]), counts(["9d", "?c"]), counts(["Kd", "0?", "Ac"])
    (12, None, 21)
    """
    values = [values_of(card, RANKS) for card in cards]
    if not values or any(len(each) != 1 for each in values):
        return None
    return total([value for (value,) in values], _LIMIT)


def reasons(rules: Rules, now: Played) -> list[tuple[str, str]]:
    """Tell the play hand by hand: sentence and provision, in order."""
    told = [
        (f"{split.hand} {' '.join(split.cards)} is split: {split.new} begins.", "551.12(a)")
        for split in now.layout.splits
    ]
    for hand in now.layout.hands:
        told += _hand(rules, hand, now.ends.get(hand.name))
    return [*told, *_dealer(rules, now)]


def _hand(rules: Rules, hand: Hand, ends: Sequence[End] | None) -> list[tuple[str, str]]:
    opening = [step.what for step in hand.opening]
    count = counts(opening)
    says = f"{hand.name} {' '.join(opening)}" + (f": {count}" if count is not None else "")
    if not hand.split and count == rules.manner.limit:
        says += ", a Blackjack"
    told = [(f"{says}.", "551.1" if says.endswith("Blackjack") else "551.3(b)")]
    lying = list(opening)
    end = ends[0] if ends is not None and len(ends) == 1 else None
    for step in hand.steps:
        if not step.is_card:
            does, cite = _DECIDED[step.what]
            told.append((f"{hand.name} {does}.", cite))
        elif end is not None and len(lying) >= len(end.cards):
            told.append((f"{hand.name} gets {step.what}, which is disregarded.", "551.13(a)"))
        else:
            lying.append(step.what)
            now = counts(lying)
            told.append((f"{hand.name} gets {step.what}" + (f": {now}." if now else "."), "551.3(b)"))
    if end is not None and end.left is None and end.settles and end.total > rules.manner.limit:
        told.append((f"{hand.name} is over {rules.manner.limit}.", "551.6(b)(2)"))
    return told


def _dealer(rules: Rules, now: Played) -> list[tuple[str, str]]:
    cards = now.layout.dealer.cards
    if not cards:
        return []
    count = counts(cards[:2])
    says = f"Dealer {' '.join(cards[:2])}" + (f": {count}" if count is not None else "")
    if len(now.dealer.ends) == 1 and next(iter(now.dealer.ends)).blackjack:
        return [(f"{says}, a Blackjack.", "551.1")]
    told = [(f"{says}.", "551.3(b)")]
    end = next(iter(now.dealer.ends)) if len(now.dealer.ends) == 1 and now.dealer.whole else None
    stands = False
    for place in range(2, len(cards)):
        stands = stands or (end is not None and counts(cards[:place]) == end.total)
        if stands:
            told.append((f"Dealer draws {cards[place]}, which is disregarded.", "551.13(b)"))
            continue
        told.append(
            (f"Dealer draws {cards[place]}: {counts(cards[: place + 1]) or 'not read'}.", "551.13(b)")
        )
    if len(now.dealer.ends) == 1 and now.dealer.whole:
        (end,) = now.dealer.ends
        if end.total > rules.manner.limit:
            told.append((f"Dealer is over {rules.manner.limit}.", "551.6(b)(1)"))
        elif end.total < rules.manner.dealer_stands_at:
            told.append(("No hand hangs on the dealer's count: he draws no more.", "551.13(c)"))
        else:
            told.append((f"Dealer stands on {end.total}.", "551.13(b)"))
    return told
