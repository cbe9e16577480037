"""Wagers of Chapter 551: how the hands decide each, its fixed payouts, and its odds."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

from projections.engine.adjudication import UNDECIDED, Reckoning, Ruling, agreed, gain_of
from projections.engine.facts import Cents, fact, listed
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, TEN, Layout, Matches, first_hand, ranks_of
from projections.engine.games.blackjack.player_hand import DEAD, RESCUED, End
from projections.engine.games.blackjack.stakes import DOUBLE
from projections.engine.games.spanish21.play import PlayedRound
from projections.engine.games.spanish21.rules import (
    CardBonus,
    Rules,
    bonuses,
    fixed_payout,
    suits,
    three_suited_sevens,
)
from projections.engine.observation import Key, Round, Wager

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# 551.6(h): the fixed payouts for three 7s of one suit against a dealer's 7, to the winner and to others.

FIXED_PAYOUT: Final = "fixed_payout"
_CITE: Final = "551.6(h)"
_THREE: Final = 3

Person = tuple[int, str | None]  # seat, and who bets on its spot


def fixed_payouts(
    rules: Rules, observed: Round, round_played: PlayedRound, improper: Collection[Key]
) -> dict[Key, Reckoning]:
    """Return what is due beyond the wagers, by its key; open for all where it is not sure that it is due."""
    stakes = {
        key.person: wager.cents
        for key, wager in observed.wagers.items()
        if key.wager == "wager" and key.hand is None
    }
    winning, sure = _winners(rules, round_played)
    winners = {person: fixed_payout(rules, cents) for person, cents in stakes.items() if person[0] in winning}
    winners = {person: cents for person, cents in winners.items() if cents}
    if not winners:
        return {}
    if not sure or any(Key(*person, "wager", None) in improper for person in winners):
        return {Key(*person, FIXED_PAYOUT, None): UNDECIDED for person in stakes}
    due: dict[Key, Reckoning] = {}
    for person in stakes:
        others = len({seat for seat, _ in winners if seat != person[0]})
        times = min(others, 1) if rules.others_once else others
        own, to_others = winners.get(person, 0), times * rules.fixed_payout_to_others
        if own or to_others:
            due[Key(*person, FIXED_PAYOUT, None)] = Reckoning(own + to_others, _ruling(own, to_others))
    return due


def _ruling(own: int, others: int) -> Ruling:
    due = [fact("games.spanish21.own_three_sevens", cents=Cents(own))] if own else []
    due += [fact("games.spanish21.anothers_three_sevens", cents=Cents(others))] if others else []
    return Ruling("win", _CITE, reason=fact("games.spanish21.fixed_payouts", due=listed(*due)))


def _winners(rules: Rules, round_played: PlayedRound) -> tuple[set[int], bool]:
    """Return the seats whose hand is or can be such a one, and whether it is sure.

    Three 7s are 21 in three cards: against a dealer who shows a 7, and so has no Blackjack, they always win.
    """
    layout = round_played.layout
    up = ranks_of(layout.dealer.opening[0].what, rules.manner.ranks) if layout.dealer.opening else ""
    if rules.fixed_payout_up_card not in up:
        return set(), True
    seats = set()
    sure = len(up) == 1 and round_played.dealt and round_played.in_turn and not layout.dealer.begun_wrongly
    for seat in layout.dealt:
        name = first_hand(seat)
        ways = _can_win(round_played, name)
        if name in round_played.broken and _sevens_before_a_split(rules, layout, name):
            ways = {True, False}  # only a split under 551.12 takes the payout, (h); no text covers this one
        if True in ways:
            seats.add(seat)
            sure = sure and ways == {True}
    return seats, sure


def _sevens_before_a_split(rules: Rules, layout: Layout, name: str) -> bool:
    """Return True if a hand can have been three 7s of one suit when it was split."""
    return any(
        split.hand == name
        and len(split.cards) == _THREE
        and all(rules.fixed_payout_up_card in ranks_of(card, rules.manner.ranks) for card in split.cards)
        and suits(split.cards) != {"mixed"}
        for split in layout.splits
    )


def _can_win(round_played: PlayedRound, name: str) -> set[bool]:
    """Return whether a hand can be, and can fail to be, such a one; both where it does not settle."""
    ways: set[bool] = set()
    for end in round_played.ends.get(name, ()):
        for suited in three_suited_sevens(end.cards, end.values):
            won = suited and not (end.doubled or end.split or end.left)
            ways |= {won} if end.settles or not won else {True, False}
    return ways


# ── What each wager of Chapter 551 is owed: how the hands decide it, and at which odds it is paid ─────

SURRENDERED: Final = "surrender"

NOT_DEALT_TO: Final = Ruling("push", "551.16(h)", reason=fact("games.spanish21.not_dealt_to"))

# Which of the two it is depends on when it is settled, not on the money: 551.9(a)(1), (2).
_HALF: Final = {
    clause: Ruling("lose", clause, reason=fact("games.spanish21.surrendered"))
    for clause in ("551.9(a)(1)", "551.9(a)(2)")
}


def hand_rulings(
    rules: Rules, wager: str, ends: Sequence[End], dealer: Collection[DealerEnd], *, first: bool
) -> list[Ruling] | None:
    """Return how a hand's wager or double is decided, for all readings of unread and missing cards.

    `first` is true for the seat's first hand, false for those split off. The result is None if no text
    decides it.
    """
    if not all(end.settles for end in ends):
        return None
    return list(
        dict.fromkeys(
            ruling(rules, wager, end, bonus, against, first)
            for end in ends
            for bonus in bonuses(rules, end.cards, end.values)
            for against in dealer
        )
    )


@lru_cache(maxsize=1 << 12)
def ruling(
    rules: Rules,
    wager: str,
    end: End,
    bonus: CardBonus | None,
    dealer: DealerEnd,
    first: bool,  # noqa: FBT001  a cache's key
) -> Ruling:
    """Decide a hand's wager or double against the dealer's hand; `bonus` is what a 21 of its cards brings."""
    double = wager == DOUBLE
    if end.left is not None:
        return _given_up(end, dealer, double=double, first=first)
    if dealer.blackjack and not end.blackjack:
        return _against_blackjack(double=double, first=first)
    clause = _won(rules, end, dealer)
    if clause is not None:
        return _paid(rules, end, bonus, clause, double=double)
    equal = end.total == dealer.total <= rules.manner.limit
    return Ruling("push", "551.6(c)") if equal else Ruling("lose", "551.6(b)(2)")


def _given_up(end: End, dealer: DealerEnd, *, double: bool, first: bool) -> Ruling:
    """Decide a hand that was not played to its end: 551.9, 551.11(d), 551.16(h) and (i)."""
    if end.left == SURRENDERED:
        if dealer.blackjack:
            message = fact("games.spanish21.surrendered_against_blackjack")
            return Ruling("lose", "551.9(a)(2)", reason=message)
        return _HALF["551.9(a)(2)" if dealer.up in (ACE, TEN) else "551.9(a)(1)"]
    if end.left == RESCUED:
        return _rescued(dealer, double=double, first=first)
    if end.left == DEAD:
        return Ruling("push", "551.16(i)", reason=fact("games.spanish21.called_dead"))
    return NOT_DEALT_TO


def _rescued(dealer: DealerEnd, *, double: bool, first: bool) -> Ruling:
    """Return the ruling of a rescued hand, 551.11(d); a split's wager is not lost to a Blackjack."""
    if double:
        return Ruling("push", "551.11(d)", reason=fact("games.spanish21.rescued_double"))
    if dealer.blackjack and not first:
        return Ruling("push", "551.12(d)")
    return Ruling("lose", "551.11(d)", reason=fact("games.spanish21.rescued_from_double"))


def _against_blackjack(*, double: bool, first: bool) -> Ruling:
    """Return the ruling against a Blackjack; it takes the original wager: 551.6(c), 551.11(c), 551.12(d)."""
    if double:
        return Ruling("push", "551.11(c)")
    return Ruling("lose", "551.6(c)") if first else Ruling("push", "551.12(d)")


def _paid(rules: Rules, end: End, bonus: CardBonus | None, clause: str, *, double: bool) -> Ruling:
    """Return at which odds a winning hand is paid: 551.2(c)(1), 551.6(f) and (g), 551.11(b)."""
    if end.blackjack:
        return Ruling("win", clause, rules.blackjack.odds, rules.blackjack.cite)
    if end.doubled:
        return Ruling("win", clause, rules.doubled.odds, rules.doubled.cite if double else "551.6(g)")
    if bonus is not None and end.total == rules.manner.limit:
        return Ruling("win", clause, bonus.odds, bonus.cite)
    return Ruling("win", clause, rules.wager_odds, "551.6(f)")


def _won(rules: Rules, end: End, dealer: DealerEnd) -> str | None:
    """551.6(b): name the clause by which a hand wins; None if it does not."""
    limit = rules.manner.limit
    if end.total > limit:
        return None
    if dealer.total > limit:
        return "551.6(b)(1)"
    if end.total > dealer.total:
        return "551.6(b)(2)"
    if end.total == dealer.total == limit:
        if end.blackjack:
            return "551.6(b)(3)"
        if len(end.values) > 2:  # noqa: PLR2004  21 in more than two cards
            return "551.6(b)(4)"
    return None


def reckon(rules: Rules, rulings: Iterable[Ruling], wager: Wager, coupon: int) -> Reckoning:
    """Compute a wager in cents; open if the ways in which it can be decided differ in money.

    A surrendered wager loses its half, without rounding a fraction of a cent. A coupon is paid at the odds of
    the wager that it lies under.
    """
    return agreed([_reckoned(rules, ruled, wager.cents, coupon) for ruled in rulings])


def _reckoned(rules: Rules, ruled: Ruling, cents: int, coupon: int) -> Reckoning:
    if ruled in _HALF.values():
        lost = cents * rules.surrendered
        return Reckoning(-int(lost), ruled, cents, coupon=coupon, fraction=lost.denominator != 1)
    gain, is_cut = gain_of(ruled, cents, coupon)
    return Reckoning(gain, ruled, cents, coupon=coupon, fraction=is_cut)


def insurance(rules: Rules, dealer: Collection[DealerEnd]) -> list[Ruling] | None:
    """551.10: return how insurance is decided; None if the dealer's first card was not surely an ace."""
    if {end.up for end in dealer} != {ACE}:
        return None
    won = Ruling("win", "551.10(a)", rules.insurance_odds, "551.10(c)")
    lost = Ruling("lose", "551.10(a)")
    return [won if blackjack else lost for blackjack in {end.blackjack for end in dealer}]


def match_the_dealer(rules: Rules, found: Collection[Matches], decks: int) -> list[Ruling]:
    """551.7: return how a Match-The-Dealer wager is decided; each matching card is paid."""
    paid_by = "551.7(e)(1)" if decks == 6 else "551.7(e)(2)"  # noqa: PLR2004  the text's own figure
    rulings = []
    for same, different in sorted(found):
        odds = same * rules.same_suit_odds + different * rules.different_suit_odds
        if odds:
            message = fact("games.spanish21.cards_match", suited=same, unsuited=different)
            rulings.append(Ruling("win", "551.7(a)", odds, paid_by, reason=message))
        else:
            rulings.append(Ruling("lose", "551.7(d)"))
    return rulings
