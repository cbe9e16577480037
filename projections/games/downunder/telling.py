"""The play of a round told step by step, each step with the provision it stands on."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from projections.games.blackjack.counting import total, values_of
from projections.games.blackjack.dealing import DealerEnd
from projections.games.blackjack.layout import DEALER, PAIR, Hand, lay_out
from projections.games.blackjack.playing import DEAD, End
from projections.games.downunder.judging import Judged, judged
from projections.games.downunder.peek import shown
from projections.games.downunder.rules import EVEN_MONEY, Rules, rules_of
from projections.hand.findings import HOUSE_CONTROL
from projections.hand.game import Laid
from projections.hand.round import Round
from schemas.law_text import chapter
from schemas.rulebook import rulebook

_CHAPTER: Final = "685a"
_UNREAD: Final = "A card was not read: what followed cannot be told."


def counted(cards: Sequence[str], ranks: str, limit: int) -> int | None:
    """Add up cards; None where the value of one was not read."""
    values = [values_of(card, ranks) for card in cards]
    if any(len(each) != 1 for each in values):
        return None
    return total([each[0] for each in values], limit)


@lru_cache(maxsize=1)
def _as_printed() -> Rules:
    return rules_of(rulebook(_CHAPTER, min(chapter(_CHAPTER).texts), {}))


def hands(seen: Round) -> list[Laid]:
    """Give every hand with its cards and total; the dealer's in both ways where it hangs on his aces."""
    manner = _as_printed().manner
    layout = lay_out(seen.play, manner.ranks)
    laid = [
        Laid(hand.name, hand.cards, counted(hand.cards, manner.ranks, manner.limit)) for hand in layout.hands
    ]
    high = counted(layout.dealer.cards, manner.ranks, manner.dealer_limit)
    low = counted(layout.dealer.cards, manner.ranks, manner.limit)
    return [*laid, Laid(DEALER, layout.dealer.cards, high if high == low else f"{low} or {high}")]


def reasons(rules: Rules, seen: Round) -> list[tuple[str, str]]:
    """Tell how the hands were to be played: sentence and provision, in order."""
    if seen.void:
        return [("The round was called void: every wager is returned.", HOUSE_CONTROL)]
    found = judged(rules, seen.play)
    dealer = found.layout.dealer
    told = [
        (f"{hand} is dealt {' '.join(step.what for step in steps)}.", "685a.7(e)")
        for hand, steps in ((f"Seat {seat}", steps) for seat, steps in sorted(found.layout.dealt.items()))
    ]
    if len(dealer.opening) < PAIR:
        return [*told, ("The dealer's first two cards were not seen.", "685a.7(e)")]
    up, hole = (step.what for step in dealer.opening)
    told.append((f"The dealer's first card is {up}, the hole card {hole}.", "685a.7(e)"))
    told += [(f"Light or place says {each.capitalize()}.", "685a.7(h)") for each in shown(seen.play)]
    if found.blackjack:
        told.append(("The dealer has Blackjack: no more cards.", "685a.7(h)"))
    told += [_player(rules, hand, found) for hand in found.layout.hands]
    return [*told, _dealers(rules, found)]


def _player(rules: Rules, hand: Hand, found: Judged) -> tuple[str, str]:
    ways = found.ends.get(hand.name)
    if ways is None:
        return f"{_named(hand)} cannot be settled.", "685a.7(j)"
    if len(ways) > 1:
        return f"{_named(hand)}: {_UNREAD}", "685a.7(j)"
    return _ended(rules, hand, ways[0], found.dead_by)


def _ended(rules: Rules, hand: Hand, end: End, dead_by: str) -> tuple[str, str]:
    if end.left == DEAD:
        return f"{_named(hand)} is called dead.", dead_by
    if end.left == EVEN_MONEY:
        return f"{_named(hand)} takes even money.", "685a.7(g)"
    if end.blackjack:
        return f"{_named(hand)} has Blackjack.", "685a.7(i)(1)"
    cards = " ".join(end.cards)
    doubled = ", doubled" if end.doubled else ""
    if end.total > rules.manner.limit:
        return f"{_named(hand)} {cards}{doubled}: {end.total}, over 21.", "685a.7(q)(1)"
    return f"{_named(hand)} {cards}{doubled}: {end.total}.", "685a.7(k)"


def _dealers(rules: Rules, found: Judged) -> tuple[str, str]:
    cards = " ".join(found.layout.dealer.cards)
    if not found.dealer.whole or len(found.dealer.ends) > 1:
        return f"Dealer {cards}: what it came to cannot be told.", "685a.7(m)"
    (end,) = found.dealer.ends
    return _dealer_ended(rules, cards, end)


def _dealer_ended(rules: Rules, cards: str, end: DealerEnd) -> tuple[str, str]:
    if end.blackjack:
        return f"Dealer {cards}: Blackjack.", "685a.7(h)"
    if end.total == rules.standoff:
        return (
            f"Dealer {cards}: {end.total}; two Large first cards and 21 are paid, others returned.",
            "685a.7(n)(1)",
        )
    if end.total > rules.standoff:
        return f"Dealer {cards}: {end.total}, in excess of {rules.standoff}.", "685a.7(o)(1)"
    return f"Dealer {cards}: {end.total}.", "685a.7(m)"


def _named(hand: Hand) -> str:
    seat, _, number = hand.name.removeprefix("seat").partition(".")
    return f"Seat {seat}" + (f", hand {number}," if number else "")
