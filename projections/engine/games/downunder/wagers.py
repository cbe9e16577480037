"""Wagers of Chapter 685a: how the play decides each (685a.7 to 685a.10), and its odds."""

from fractions import Fraction

from projections.engine.adjudication import Ruling
from projections.engine.facts import fact
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import Matches
from projections.engine.games.blackjack.player_hand import DEAD, End
from projections.engine.games.downunder.rules import EVEN_MONEY, Rules, large_values

NOT_DEALT = Ruling("push", "685a.12(f)", reason=fact("games.downunder.not_dealt_to"))
SPLIT_RETURNED = Ruling("push", "685a.10(d)", reason=fact("games.downunder.split_returned"))


def bet(rules: Rules, end: End, dealer: DealerEnd, dead_by: str) -> Ruling:
    """Return how a hand decides its Bet Wager; `dead_by` is the clause by which a dead one is returned."""
    if end.left == DEAD:
        return Ruling("push", dead_by, reason=fact("games.downunder.dead_returned"))
    if end.left == EVEN_MONEY:
        return Ruling(
            "win",
            "685a.7(g)",
            rules.even_money_odds,
            "685a.7(g)",
            fact("games.downunder.even_money_was_taken"),
        )
    if dealer.blackjack:
        return _against_blackjack(end)
    if end.blackjack:
        return Ruling(
            "win", "685a.7(i)(1)", rules.blackjack_odds, "685a.11(a)", fact("games.downunder.blackjack_wins")
        )
    if dealer.total == rules.standoff:
        return _standoff(rules, end)
    return _compared(rules, end, dealer)


def _against_blackjack(end: End) -> Ruling:
    if end.blackjack:
        return Ruling("push", "685a.7(h)(1)", reason=fact("games.downunder.two_blackjacks"))
    return Ruling("lose", "685a.7(h)(2)", reason=fact("games.downunder.lost_to_blackjack"))


def split_bet(rules: Rules, end: End, dealer: DealerEnd, dead_by: str) -> Ruling:
    """Settle the stake of a hand that was split off, which a dealer's Blackjack does not take."""
    if dealer.blackjack:
        return SPLIT_RETURNED
    return bet(rules, end, dealer, dead_by)


def is_paid_on_standoff(rules: Rules, end: End) -> bool:
    """685a.7(n)(1): exactly two original cards that are Large, or a hard or soft 21."""
    original = not end.split or rules.large_after_split
    two_large = len(end.values) == rules.standoff_cards and set(end.values) <= large_values(rules)
    return (original and two_large) or end.total == rules.manner.limit


def _standoff(rules: Rules, end: End) -> Ruling:
    if end.total > rules.manner.limit:
        if rules.bust_returned:
            return Ruling("push", "685a.7(n)(1)", reason=fact("games.downunder.over_returned"))
        return _over(rules, end)
    if is_paid_on_standoff(rules, end):
        return Ruling("win", "685a.7(n)(1)", rules.bet_odds, "685a.11(a)", fact("games.downunder.paid_on_22"))
    return Ruling("push", "685a.7(n)(1)", reason=fact("games.downunder.returned_on_22"))


def _over(rules: Rules, end: End) -> Ruling:
    message = fact("games.downunder.over_collected", count=end.total, limit=rules.manner.limit)
    return Ruling("lose", "685a.7(q)(1)", reason=message)


def _compared(rules: Rules, end: End, dealer: DealerEnd) -> Ruling:
    """685a.7(o) to (q), clause by clause."""
    if end.total > rules.manner.limit:
        return _over(rules, end)
    if dealer.total > rules.standoff:
        clause = "685a.7(o)(1)"
    elif end.total > dealer.total:
        clause = "685a.7(o)(2)"
    elif end.total == dealer.total:
        message = fact("games.downunder.counts_equal", count=end.total, against=dealer.total)
        return Ruling("push", "685a.7(p)", reason=message)
    else:
        message = fact("games.downunder.counts_lose", count=end.total, against=dealer.total)
        return Ruling("lose", "685a.7(q)(2)", reason=message)
    message = fact("games.downunder.counts_win", count=end.total, against=dealer.total)
    return Ruling("win", clause, rules.bet_odds, "685a.11(a)", message)


def double_down(rules: Rules, end: End, dealer: DealerEnd, dead_by: str) -> Ruling:
    """Settle a double as its hand, save that a dealer's Blackjack does not take it."""
    if dealer.blackjack:
        return Ruling("push", "685a.9(b)", reason=fact("games.downunder.double_returned"))
    return bet(rules, end, dealer, dead_by)


def insurance(rules: Rules, dealer: DealerEnd) -> Ruling:
    """685a.8(a): it wins where the card under an ace is worth ten."""
    if dealer.blackjack:
        return Ruling("win", "685a.8(a)", rules.insurance_odds, "685a.11(b)")
    return Ruling("lose", "685a.8(d)")


def match_the_dealer(rules: Rules, odds: tuple[Fraction, Fraction], matched: Matches) -> Ruling:
    """685a.7(f): each card that matches pays; where the house reads it so, the better one alone."""
    paid = [each for each, cards in zip(odds, matched, strict=True) for _ in range(cards)]
    if not paid:
        return Ruling("lose", "685a.7(f)", reason=fact("games.downunder.no_card_matches"))
    message = fact("games.downunder.cards_match", suited=matched[0], unsuited=matched[1])
    due = max(paid) if rules.match_best else sum(paid, Fraction(0))
    return Ruling("win", "685a.7(f)", due, "685a.11(c)", message)
