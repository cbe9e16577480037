"""Wagers of the baccarat chapters: how the hands decide each, and its odds.

The clauses named are those of Chapter 631a (631a.8, 631a.13) if the chapters have the same rule.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from projections.engine.adjudication import UNDECIDED, Reckoning, Ruling, Vigorish, gain_of, vigorish_of
from projections.engine.facts import fact
from projections.engine.findings import Step
from projections.engine.games.baccarat.play import Deal, Dealt, possible_deals
from projections.engine.games.baccarat.rules import Rules, is_natural, value
from projections.engine.side_wagers import CardSet, Ending

# A round asks for the same again while it is judged; later rounds seldom do, with other cents and cards.
_REMEMBERED: Final = 256


def is_dragon_7(deal: Deal) -> bool:
    """631a.1: a Banker's Hand of 7 on three cards against a Player's Hand of less than 7."""
    return deal.banker == 7 and deal.banker_cards == 3 and deal.player < 7  # noqa: PLR2004  the name's own figures


def is_panda_8(deal: Deal) -> bool:
    """631a.1: a Player's Hand of 8 on three cards against a Banker's Hand of less than 8."""
    return deal.player == 8 and deal.player_cards == 3 and deal.banker < 8  # noqa: PLR2004  the name's own figures


def _banker(rules: Rules, deal: Deal) -> Ruling:
    if deal.banker == deal.player:
        return _tied_banker(rules)
    if rules.ez and is_dragon_7(deal):
        return Ruling("push", rules.cite("banker_dragon_7"))
    if deal.banker > deal.player:
        return Ruling("win", rules.cite("banker_wins"), rules.banker_odds, rules.cite("banker_odds"))
    return Ruling("lose", rules.cite("banker_loses"))


def _tied_banker(rules: Rules) -> Ruling:
    """631a.8(a)(1)(iii); 541.8(a)(1)(iii) and 543.8(a)(1)(iii): returned (A), or charged a vigorish (B)."""
    if rules.vigorish_on_tie and not rules.ez:
        return Ruling("push", rules.cite("banker_charged"), reason=fact("games.baccarat.banker_charged"))
    return Ruling("push", rules.cite("banker_returned"))


def _player(rules: Rules, deal: Deal) -> Ruling:
    if deal.player == deal.banker:
        return Ruling("push", rules.cite("player_returned"))
    if deal.player > deal.banker:
        return Ruling("win", rules.cite("player_wins"), rules.player_odds, rules.cite("player_odds"))
    return Ruling("lose", rules.cite("player_loses"))


def _tie(rules: Rules, deal: Deal) -> Ruling:
    if deal.player == deal.banker:
        return Ruling("win", rules.cite("tie_wins"), rules.tie_odds, rules.cite("tie_odds_least"))
    return Ruling("lose", rules.cite("tie_loses"))


def _dragon_bonus_player(rules: Rules, deal: Deal) -> Ruling:
    return _dragon_bonus(rules, (deal.player, deal.player_natural), (deal.banker, deal.banker_natural))


def _dragon_bonus_banker(rules: Rules, deal: Deal) -> Ruling:
    return _dragon_bonus(rules, (deal.banker, deal.banker_natural), (deal.player, deal.player_natural))


def _dragon_bonus(rules: Rules, selected: tuple[int, bool], other: tuple[int, bool]) -> Ruling:
    """631a.8(a)(4), clause by clause, for the selected hand."""
    (points, natural), (others, others_natural) = selected, other
    if natural:
        if not others_natural:
            clause = rules.cite("dragon_bonus_natural_wins")
        elif points > others:
            clause = rules.cite("dragon_bonus_natural_9_wins")
        elif points == others:
            return Ruling("push", rules.cite("dragon_bonus_returned"))
        else:
            return Ruling("lose", rules.cite("dragon_bonus_natural_loses"))
        return Ruling("win", clause, rules.dragon_bonus_natural_odds, rules.cite("dragon_bonus_natural_odds"))
    margin = points - others
    if margin <= 0:
        return Ruling("lose", rules.cite("dragon_bonus_behind"))
    if margin < rules.dragon_bonus_margin or rules.dragon_bonus_odds is None:
        return Ruling("lose", rules.cite("dragon_bonus_short"))
    return Ruling(
        "win",
        rules.cite("dragon_bonus_margin"),
        rules.dragon_bonus_odds[margin],
        rules.cite("dragon_bonus_odds"),
    )


def _dragon_7(rules: Rules, deal: Deal) -> Ruling:
    if is_dragon_7(deal):
        return Ruling("win", rules.cite("dragon_7_wins"), rules.dragon_7_odds, rules.cite("dragon_7_odds"))
    return Ruling("lose", rules.cite("dragon_7_loses"))


def _panda_8(rules: Rules, deal: Deal) -> Ruling:
    if is_panda_8(deal):
        return Ruling("win", rules.cite("panda_8_wins"), rules.panda_8_odds, rules.cite("panda_8_odds"))
    return Ruling("lose", rules.cite("panda_8_loses"))


_BY_HANDS: Final[Mapping[str, Callable[[Rules, Deal], Ruling]]] = {
    "player": _player,
    "banker": _banker,
    "tie": _tie,
    "dragon_bonus_player": _dragon_bonus_player,
    "dragon_bonus_banker": _dragon_bonus_banker,
    "dragon_7": _dragon_7,
    "panda_8": _panda_8,
}


def house_money(rules: Rules, pairs: int) -> Ruling:
    """631a.8(a)(7): a pair by rank in the first two cards of one hand, or of both."""
    if pairs and rules.house_money_odds is not None:
        odds = rules.house_money_odds[pairs]
        return Ruling("win", rules.cite("house_money_wins"), odds, rules.cite("house_money_odds"))
    return Ruling("lose", rules.cite("house_money_loses"))


@lru_cache(maxsize=_REMEMBERED)
def ruling(rules: Rules, wager: str, deal: Deal, pairs: int) -> Ruling:
    """Return how finished hands decide a wager.

    `pairs` is how many hands hold a pair in their first two cards.

    Raises:
        KeyError: the chapter knows no such wager.
    """
    if wager == "house_money":
        return house_money(rules, pairs)
    return _BY_HANDS[wager](rules, deal)


def reckon(
    rules: Rules, wager: str, deal: Deal, pairs: int, cents: int, coupon: int, house_money_added: int
) -> Reckoning:
    """Compute what a wager is owed, in cents.

    `coupon` is the value of a coupon that counts (603a.21), `house_money_added` what joined the stake
    (631a.9(e)(1)(i)). House Money is settled on the first four cards, whatever happened to the third ones
    (631a.9(e)). A winning coupon is paid at the wager's odds, or 1 to 1 if the house chose that.
    """
    if not (deal.initial if wager == "house_money" else deal.settles):
        return UNDECIDED
    ruled = ruling(rules, wager, deal, pairs)
    stake = cents + house_money_added
    added = _added(rules, house_money_added) if house_money_added else None
    untaxed = 0 if rules.house_money_vigorish_whole else house_money_added
    coupon_odds = Fraction(1) if rules.coupon_even else None
    gain, is_cut = gain_of(ruled, stake, coupon, coupon_odds)
    taken = None
    if wager == "banker" and ruled.result == "win":
        taxed = gain_of(ruled, stake - untaxed, coupon, coupon_odds)[0] if untaxed else gain
        taken = vigorish(rules, taxed)
    elif wager == "banker" and deal.player == deal.banker:
        taken = vigorish_on_tie(rules, stake + coupon - untaxed)  # a coupon is part of the wager, 603a.1
    return Reckoning(gain, ruled, cents, added, coupon, fraction=is_cut, vigorish=taken, untaxed=untaxed)


def _added(rules: Rules, cents: int) -> Step:
    return Step(fact("games.baccarat.house_money_added"), rules.cite("house_money_portion"), cents)


def winner(deal: Deal) -> Literal["player", "banker", "tie"]:
    """Return which of two finished hands won."""
    if deal.player == deal.banker:
        return "tie"
    return "player" if deal.player > deal.banker else "banker"


def side_ending(rules: Rules, cards: Sequence[Dealt]) -> Ending:
    """Return what conditions of a side wager can ask of a deal whose cards were all read.

    Where a card too many was dealt it is open which cards are the hands'; where one is missing the hands are
    not finished.
    """
    (ended,) = possible_deals(rules, cards)
    if not ended.initial:
        return Ending({})
    hands = {hand: tuple(card for to, card in cards if to == hand) for hand in ("player", "banker")}
    card_sets = {f"{hand}_first_two": first_two(rules, of[:2]) for hand, of in hands.items()}
    if not ended.settles:
        return Ending(card_sets)
    for hand, count, total, natural in (
        ("player", ended.player_cards, ended.player, ended.player_natural),
        ("banker", ended.banker_cards, ended.banker, ended.banker_natural),
    ):
        card_sets[hand] = CardSet(None if ended.defects else hands[hand], count, total, natural)
    return Ending(card_sets, winner(ended), abs(ended.player - ended.banker))


def first_two(rules: Rules, cards: tuple[str, ...]) -> CardSet:
    """Return what conditions of a side wager can ask of the first two cards of a hand."""
    total = sum(value(card[0]) for card in cards) % 10
    return CardSet(cards, len(cards), total, is_natural(rules, total))


@lru_cache(maxsize=_REMEMBERED)
def vigorish(rules: Rules, won: int) -> Vigorish | None:
    """Compute the vigorish on an amount won with a Banker wager, 631a.13(c), 541.13(c), 543.13(c), 545.13(c).

    There is none with EZ Baccarat, nor where the house charges it on a tie (541.13(f), 543.13(f)).
    """
    if rules.ez or rules.vigorish_on_tie:
        return None
    return _taken(rules, won, "vigorish_rate", of="won")


@lru_cache(maxsize=_REMEMBERED)
def vigorish_on_tie(rules: Rules, wagered: int) -> Vigorish | None:
    """Compute the vigorish on a Banker wager that tied, 541.13(f), 543.13(f), where the house charges it."""
    if rules.ez or not rules.vigorish_on_tie:
        return None
    return _taken(rules, wagered, "vigorish_on_tie_rate", of="wagered")


def _taken(rules: Rules, amount: int, rate: str, *, of: Literal["won", "wagered"]) -> Vigorish:
    return vigorish_of(
        amount,
        rules.vigorish_rate,
        rules.vigorish_unit,
        rounds=rules.vigorish_rounds,
        cite=rules.cite(rate),
        rounding_cite=rules.cite("vigorish_rounding_unit"),
        of=of,
    )
