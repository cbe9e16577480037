"""Which pairs were split although the text does not allow it."""

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import Fact, fact
from projections.engine.games.blackjack.counting import values_of
from projections.engine.games.blackjack.layout import PAIR, Layout, Split, named_cards
from projections.engine.games.blackjack.manner import Cites, Manner


class Splits(Struct, frozen=True):
    """What was wrong with the splits of a round.

    `broken` are the hands that came of one that is not allowed: no text says what they are paid. `unsure`
    are those of which it hangs on an unread card whether they are.
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
            defects.append(Defect("decision_not_allowed", message, cites, who=split.hand))
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
