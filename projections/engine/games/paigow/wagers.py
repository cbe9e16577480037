"""Wagers of Chapter 535 and what each is owed: 535.10(g)-(k), 535.11(n)-(r)."""

from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from projections.engine.adjudication import (
    UNDECIDED,
    Reckoning,
    Ruling,
    Vigorish,
    gain_of,
    silent_on,
    vigorish_of,
)
from projections.engine.facts import Fact, fact, listed
from projections.engine.games.paigow.rules import Rank, Rules
from projections.engine.games.paigow.setting import (
    PositionHands,
    Setting,
    comparable,
    decides,
    decides_dealers,
)
from projections.engine.observation import Wager

VOIDED: Final = Ruling("push", "535.12(d)", reason=fact("games.paigow.player_voided"))
SURRENDERED: Final = Ruling("lose", "535.10(e)", reason=fact("games.paigow.surrendered"))
ABANDONED: Final = Ruling("lose", "535.7(b)", reason=fact("games.paigow.abandoned"))
_CROSSED: Final = Ruling("lose", "535.1", reason=fact("games.paigow.low_above_high"))

_CENTRE: Final = {"bank": "535.11(o)", "co_bank": "535.11(r)"}


def void(cite: str) -> Ruling:
    """Return a wager where all hands are void, by the clause that makes them so: 535.12(c), (e)."""
    return Ruling("push", cite, reason=fact("games.paigow.wager_of_void_hands"))


def players(
    rules: Rules, player: PositionHands, house: PositionHands, *, banked: str | None
) -> Ruling | None:
    """Decide a player's wager against the dealer, or against a bank; None if it depends on unseen tiles.

    `banked` is how the bank was taken. If the dealer set the hands wrongly they are set again, 535.12(f). If
    he may do that in several ways, all must give the same result.
    """
    if not comparable(player, house):
        return None
    crossed = rules.low_above_high_loses
    if banked and crossed and any(each.crossed for each in house.settings[0]):
        return None  # no text says what a bank's hands laid the wrong way round cost
    is_set_anew = bool(house.set_anew)
    ways = dict.fromkeys(
        _CROSSED
        if crossed and mine.crossed
        else _ruling(rules, mine, theirs, banked, is_set_anew=is_set_anew)
        for mine in player.settings[0]
        for theirs in house.settings[0]
    )
    if len({each.result for each in ways}) != 1:
        return None
    ruling = next(iter(ways))
    if ruling is _CROSSED or not is_set_anew:
        return ruling
    message = fact(
        "engine.either", ways=listed(*dict.fromkeys(each.reason for each in ways if each.reason is not None))
    )
    return replace(ruling, reason=message, because=(*house.set_anew, *player.as_set))


def _ruling(
    rules: Rules, player: Setting, house: Setting, banked: str | None, *, is_set_anew: bool
) -> Ruling:
    result, cite = decides(player, house)
    message = fact(
        "games.paigow.compared",
        high=_compared(player.high, house.high),
        low=_compared(player.low, house.low),
        against_bank=int(bool(banked)),
        is_set_anew=int(is_set_anew),
        low_is_zero=int(player.low.is_zero),
    )
    if result == "win":
        return Ruling(result, cite, rules.odds, "535.10(k)", message)
    # The comparison is 535.10's. That losing wagers go to the centre, or ties back, applies to a bank too.
    return Ruling(result, cite, None, _CENTRE[banked] if banked else None, message)


def _compared(mine: Rank, theirs: Rank) -> str:
    return "above" if mine > theirs else "copy" if mine == theirs else "below"


def dealers(dealer: PositionHands, bank: PositionHands, rules: Rules) -> Ruling | None:
    """Decide the dealer's wager against a player's bank, 535.11(n); None if the text leaves it open."""
    if not comparable(dealer, bank):
        return None
    if rules.low_above_high_loses and any(each.crossed for each in bank.settings[0]):
        return None
    results = {decides_dealers(mine, theirs) for mine in dealer.settings[0] for theirs in bank.settings[0]}
    if len(results) != 1 or (result := results.pop()) is None:
        return None
    if result == "win":
        return Ruling(result, "535.11(n)", rules.odds, "535.11(p)", because=dealer.set_anew)
    return Ruling(result, "535.11(n)", because=dealer.set_anew)


def silent_between(
    rules: Rules, wager: str, mine: PositionHands, bank: PositionHands
) -> tuple[Fact, str] | None:
    """Return what no text decides about hands that were all seen, and the closest provision; or None."""
    if any(each.surplus is not None or each.unseen for each in (mine, bank)):
        return None
    if rules.low_above_high_loses and any(each.crossed for each in bank.settings[0]):
        return fact("games.paigow.crossed_bank"), "535.1"
    pairs = [(each, other) for each in mine.settings[0] for other in bank.settings[0]]
    if wager == "dealer_wager" and any(decides_dealers(each, other) is None for each, other in pairs):
        return fact("games.paigow.low_hand_zero"), "535.11(n)"
    return None


def reckon(rules: Rules, ruled: Ruling, wager: Wager, coupon: int, takes: str | None) -> Reckoning:
    """Compute what a wager is owed, in cents; `takes` is the clause by which vigorish is taken of a win."""
    gain, is_cut = gain_of(ruled, wager.cents, coupon)
    taken = vigorish(rules, gain, takes) if takes and ruled.result == "win" else None
    return Reckoning(gain, ruled, wager.cents, coupon=coupon, fraction=is_cut, vigorish=taken)


def vigorish(rules: Rules, won: int, cite: str) -> Vigorish:
    """Compute the vigorish on an amount won, 535.10(k), by which 535.11 has it taken of a bank too."""
    rate, unit = rules.vigorish_rate, rules.vigorish_unit
    return vigorish_of(won, rate, unit, rounds=rules.vigorish_rounds, cite=cite, rounding_cite="535.10(k)")


def banks(rules: Rules, how: str, stake: int, others: Iterable[Reckoning]) -> Reckoning:
    """Compute what the centre of the table leaves to a bank, or lacks, 535.11(o), (r).

    Losing wagers go there first and winning ones are paid from there; only the sum counts. The house has the
    other half of what a co-bank leaves or lacks. No text says how an odd cent is halved.
    """
    centre = 0
    for each in others:
        if each.cents is None:
            return UNDECIDED
        centre -= each.cents
    share = centre * (rules.co_bank_share if how == "co_bank" else Fraction(1))
    if share.denominator != 1:
        return silent_on(fact("games.paigow.co_bank_odd_cent"), "535.11(r)")
    cite, gain = _CENTRE[how], int(share)
    if gain > 0:
        message = fact("games.paigow.centre_leaves", with_house=int(how == "co_bank"))
        return Reckoning(
            gain, Ruling("win", cite, reason=message), stake, vigorish=vigorish(rules, gain, cite)
        )
    if gain < 0:
        message = fact("games.paigow.centre_lacks", with_house=int(how == "co_bank"))
        return Reckoning(gain, Ruling("lose", cite, reason=message), stake)
    return Reckoning(0, Ruling("push", cite, reason=fact("games.paigow.centre_even")), stake)


def clause_of(wager: str, banked: Collection[str]) -> str | None:
    """Return the clause by which vigorish is taken of what a wager wins; None if none is."""
    if wager == "pai_gow":
        return "535.11(q)" if banked else "535.10(k)"
    return _CENTRE.get(wager)
