"""What each wager of Chapter 631a is owed: how the hands decide it (631a.8), and its odds (631a.13)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from projections.adjudication import UNDECIDED, Reckoning, Ruling, Vigorish
from projections.findings import Step
from projections.games.baccarat.rules import Rules
from projections.games.baccarat.tableau import Deal


def is_dragon_7(deal: Deal) -> bool:
    """631a.1: a Banker's Hand of 7 on three cards against a Player's Hand of less than 7."""
    return deal.banker == 7 and deal.banker_cards == 3 and deal.player < 7  # noqa: PLR2004  the name's own figures


def is_panda_8(deal: Deal) -> bool:
    """631a.1: a Player's Hand of 8 on three cards against a Banker's Hand of less than 8."""
    return deal.player == 8 and deal.player_cards == 3 and deal.banker < 8  # noqa: PLR2004  the name's own figures


def _banker(rules: Rules, deal: Deal) -> Ruling:
    if deal.banker == deal.player or (rules.ez and is_dragon_7(deal)):
        return Ruling("push", "631a.8(a)(1)(iii)")
    if deal.banker > deal.player:
        return Ruling("win", "631a.8(a)(1)(i)", rules.banker_odds, "631a.13(c)")
    return Ruling("lose", "631a.8(a)(1)(ii)")


def _player(rules: Rules, deal: Deal) -> Ruling:
    if deal.player == deal.banker:
        return Ruling("push", "631a.8(a)(2)(iii)")
    if deal.player > deal.banker:
        return Ruling("win", "631a.8(a)(2)(i)", rules.player_odds, "631a.13(a)")
    return Ruling("lose", "631a.8(a)(2)(ii)")


def _tie(rules: Rules, deal: Deal) -> Ruling:
    if deal.player == deal.banker:
        return Ruling("win", "631a.8(a)(3)(i)", rules.tie_odds, "631a.13(b)")
    return Ruling("lose", "631a.8(a)(3)(ii)")


def _dragon_bonus_player(rules: Rules, deal: Deal) -> Ruling:
    return _dragon_bonus(rules, (deal.player, deal.player_natural), (deal.banker, deal.banker_natural))


def _dragon_bonus_banker(rules: Rules, deal: Deal) -> Ruling:
    return _dragon_bonus(rules, (deal.banker, deal.banker_natural), (deal.player, deal.player_natural))


def _dragon_bonus(rules: Rules, selected: tuple[int, bool], other: tuple[int, bool]) -> Ruling:
    """631a.8(a)(4), clause by clause, for the selected hand."""
    (points, natural), (others, others_natural) = selected, other
    if natural:
        if not others_natural:
            clause = "631a.8(a)(4)(i)(A)"
        elif points > others:
            clause = "631a.8(a)(4)(i)(B)"
        elif points == others:
            return Ruling("push", "631a.8(a)(4)(iii)")
        else:
            return Ruling("lose", "631a.8(a)(4)(ii)(A)")
        return Ruling("win", clause, rules.dragon_bonus_natural_odds, "631a.13(e)")
    margin = points - others
    if margin <= 0:
        return Ruling("lose", "631a.8(a)(4)(ii)(B)")
    if margin < rules.dragon_bonus_margin or rules.dragon_bonus_odds is None:
        return Ruling("lose", "631a.8(a)(4)(ii)(C)")
    return Ruling("win", "631a.8(a)(4)(i)(C)", rules.dragon_bonus_odds[margin], "631a.13(e)")


def _dragon_7(rules: Rules, deal: Deal) -> Ruling:
    if is_dragon_7(deal):
        return Ruling("win", "631a.8(a)(5)(i)", rules.dragon_7_odds, "631a.13(f)")
    return Ruling("lose", "631a.8(a)(5)(ii)")


def _panda_8(rules: Rules, deal: Deal) -> Ruling:
    if is_panda_8(deal):
        return Ruling("win", "631a.8(a)(6)(i)", rules.panda_8_odds, "631a.13(g)")
    return Ruling("lose", "631a.8(a)(6)(ii)")


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
        return Ruling("win", "631a.8(a)(7)(i)", rules.house_money_odds[pairs], "631a.13(h)")
    return Ruling("lose", "631a.8(a)(7)(ii)")


@lru_cache(maxsize=1 << 16)
def ruling(rules: Rules, wager: str, deal: Deal, pairs: int) -> Ruling:
    """Say how finished hands decide a wager; `pairs` is how many hands hold a pair in their first two cards.

    Raises:
        KeyError: the chapter knows no such wager.
    """
    if wager == "house_money":
        return house_money(rules, pairs)
    return _BY_HANDS[wager](rules, deal)


@lru_cache(maxsize=1 << 16)
def reckon(
    rules: Rules, wager: str, deal: Deal, pairs: int, cents: int, coupon: int, house_money_added: int
) -> Reckoning:
    """Reckon what a wager is owed, in cents.

    `coupon` is the value of a coupon that counts (603a.21), `house_money_added` what joined the stake
    (631a.9(e)(1)(i)). House Money is settled on the first four cards, whatever became of the third ones
    (631a.9(e)). A winning coupon is paid at the wager's odds, or 1 to 1 where the house says so.
    """
    if not (deal.initial if wager == "house_money" else deal.settles):
        return UNDECIDED
    ruled = ruling(rules, wager, deal, pairs)
    stake = cents + house_money_added
    added = _added(house_money_added) if house_money_added else None
    if ruled.result != "win" or ruled.odds is None:
        gain = -stake if ruled.result == "lose" else 0
        return Reckoning(gain, ruled, cents, added, coupon)
    coupon_odds = Fraction(1) if rules.coupon_even else ruled.odds
    won = stake * ruled.odds + coupon * coupon_odds
    gain = int(won)
    taken = None
    if wager == "banker":
        kept_whole = Fraction(0) if rules.house_money_vigorish_whole else house_money_added * ruled.odds
        taken = vigorish(rules, int(won - kept_whole))
    return Reckoning(gain, ruled, cents, added, coupon, fraction=gain != won, vigorish=taken)


def _added(cents: int) -> Step:
    return Step("House Money added to the wager", "631a.9(e)(1)(i)", cents)


@lru_cache(maxsize=1 << 16)
def vigorish(rules: Rules, won: int) -> Vigorish | None:
    """Reckon the vigorish on an amount won with a Banker wager, 631a.13(c); none with EZ Baccarat.

    Rounding goes up to the next multiple of 25 cents; an exact multiple stays; at no rounding a fraction
    of a cent is dropped.
    """
    if rules.ez:
        return None
    rate, unit = rules.vigorish_rate, rules.vigorish_unit
    exact, remainder = divmod(won * rate.numerator, rate.denominator)
    rounded = -(-won * rate.numerator // (rate.denominator * unit)) * unit
    return Vigorish(
        expected=rounded if rules.vigorish_rounds else exact,
        exact=exact,
        rounded=rounded,
        fraction=remainder != 0,
        basis=won,
        rate=rate,
        unit=unit,
        cite="631a.13(c)",
    )
