"""What a shoe remembers of its rounds: the cards it gave, how vigorish was taken, who contradicted whom."""

from projections.engine.check_context import Case, Surplus
from projections.engine.checks.vigorish_mixed import ways_taken
from projections.engine.facts import CardRef, HandRef, fact
from projections.engine.fold.table_state import Shoe
from projections.engine.observation import Gap, Round, who_of
from schemas.values import CARDS, is_certain


def counted(seen: Round, shoe: Shoe, decks: int) -> tuple[Surplus, ...]:
    """Count a round's cards to its shoe, and give those that the decks do not hold that often.

    Cards that were not read, or not alike by two readers, are not counted and leave the shoe's count open:
    it stays one that the shoe surely reached. A count that it reached by what one of two readers alone read
    proves nothing either. A game without `decks` is played without cards: those that a device reports there
    are nothing of it, and nothing is proved by them.
    """
    if not decks:
        return ()
    surplus: list[Surplus] = []
    if seen.covered:
        return ()  # a card that the second reader alone saw proves no surplus; the shoe's hole is noted
    for who, card in seen.play:
        if card not in CARDS:
            continue  # a word
        if is_certain(card):
            shoe.seen[card] = times = shoe.seen.get(card, 0) + 1
            if seen.uncovered:
                shoe.alone[card] = shoe.alone.get(card, 0) + 1
            if times - shoe.alone.get(card, 0) > decks:
                surplus.append(Surplus(who, card, times))
            elif times > decks:
                over = fact("audit.card_over_by_one_reader", card=CardRef(card), times=times)
                shoe.lack([Gap("", "cards", over)])
        elif who != "discard":  # a card discarded face down is not for anyone to read
            unread = fact("audit.card_unread", at=HandRef(who), card=CardRef(card), round=seen.number)
            shoe.lack([Gap("", "cards", unread)])
    return tuple(surplus)


def remember(case: Case, shoe: Shoe) -> None:
    """Note in the shoe what only several rounds together tell."""
    for way in ways_taken(case):
        shoe.ways.setdefault(way, case.seen.number)
    for key, reckoning, _ in case.settlements:
        if reckoning.vigorish is not None:
            shoe.vigorish.accrue(who_of(*key[:2]), reckoning.vigorish)
    pairs = {
        doubt.device
        for doubt in case.seen.doubts
        if doubt.check == "source_conflict" and doubt.device is not None
    }
    for pair in sorted(pairs):
        shoe.conflicts[pair] = shoe.conflicts.get(pair, 0) + 1
