"""551.6(h): the fixed payouts for three 7s of one suit against a dealer's 7, to the winner and to others."""

from collections.abc import Collection
from typing import Final

from projections.engine.adjudication import UNDECIDED, Reckoning, Ruling
from projections.engine.facts import Cents, fact, listed
from projections.engine.games.blackjack.hands import Layout, first_hand, ranks_of
from projections.engine.games.spanish21.rules import Rules, fixed_payout, suits, three_suited_sevens
from projections.engine.games.spanish21.table import Played
from projections.engine.observation import Key, Round

FIXED_PAYOUT: Final = "fixed_payout"
_CITE: Final = "551.6(h)"
_THREE: Final = 3

Person = tuple[int, str | None]  # seat, and who bets on its spot


def fixed_payouts(
    rules: Rules, seen: Round, round_played: Played, improper: Collection[Key]
) -> dict[Key, Reckoning]:
    """Return what is due beyond the wagers, by its key; open for all where it is not sure that it is due."""
    stakes = {key[:2]: wager.cents for key, wager in seen.wagers.items() if key[2:] == ("wager", None)}
    winning, sure = _winners(rules, round_played)
    winners = {person: fixed_payout(rules, cents) for person, cents in stakes.items() if person[0] in winning}
    winners = {person: cents for person, cents in winners.items() if cents}
    if not winners:
        return {}
    if not sure or any((*person, "wager", None) in improper for person in winners):
        return {(*person, FIXED_PAYOUT, None): UNDECIDED for person in stakes}
    due: dict[Key, Reckoning] = {}
    for person in stakes:
        others = len({seat for seat, _ in winners if seat != person[0]})
        times = min(others, 1) if rules.others_once else others
        own, beside = winners.get(person, 0), times * rules.fixed_payout_to_others
        if own or beside:
            due[(*person, FIXED_PAYOUT, None)] = Reckoning(own + beside, _ruling(own, beside))
    return due


def _ruling(own: int, beside: int) -> Ruling:
    due = [fact("games.spanish21.own_three_sevens", cents=Cents(own))] if own else []
    due += [fact("games.spanish21.anothers_three_sevens", cents=Cents(beside))] if beside else []
    return Ruling("win", _CITE, says=fact("games.spanish21.fixed_payouts", due=listed(*due)))


def _winners(rules: Rules, round_played: Played) -> tuple[set[int], bool]:
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
            ways = {True, False}  # only a split under 551.12 takes the payout, (h); of this one no text tells
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


def _can_win(round_played: Played, name: str) -> set[bool]:
    """Return whether a hand can be, and can fail to be, such a one; both where it does not settle."""
    ways: set[bool] = set()
    for end in round_played.ends.get(name, ()):
        for suited in three_suited_sevens(end.cards, end.values):
            won = suited and not (end.doubled or end.split or end.left)
            ways |= {won} if end.settles or not won else {True, False}
    return ways
