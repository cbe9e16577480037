"""The names of what went wrong with the money of a round: lawful gain and vigorish against the true ones."""

from fractions import Fraction
from typing import Final

from streams.simulator.games.baccarat.faults import KINDS
from streams.simulator.games.baccarat.rules import ON_TIE, PERCENT, Ways, gain, vigorish
from streams.simulator.games.baccarat.table import Round
from streams.simulator.kinds import SHARED
from streams.simulator.labels import FaultLabel
from streams.simulator.naming import Wrong, label, money_check
from streams.simulator.schemes import SCHEMES
from streams.simulator.table import Stake

_KINDS: Final = {**SHARED, **KINDS, **SCHEMES}

# Half of what is to be called at an EZ table: neither right nor wrong, 631a.12(a).
_HALF_CALLS: Final = {"dragon_7": "banker", "panda_8": "player"}


def wrongs(current: Round) -> list[Wrong]:
    """Return every wager whose gain or vigorish is not the lawful one; open wagers have no money to judge."""
    if current.is_open:
        return []
    found = []
    for stake in current.stakes.values():
        if stake.is_open:
            continue
        lawful = lawful_gain(current, stake)
        check = money_check(lawful, stake.gain, is_wagered=stake.cents > 0)
        if check is not None:
            found.append(Wrong(check, stake, stake.gain - lawful))
        # Money that went the wrong way took its vigorish with it.
        if _way(lawful) == _way(stake.gain):
            found += _vigorish_wrongs(current, stake, lawful)
    return found


def _way(gain: int) -> int:
    """Return whether chips were paid, returned or collected."""
    return (gain > 0) - (gain < 0)


def lawful_gain(current: Round, stake: Stake) -> int:
    """Return what the wager gains by the text in cents: zero in a void round or without a wager."""
    if current.is_void or not stake.cents:
        return 0
    return gain(stake.wager, stake.total, current.counts, current.ways)


def is_wrong_call(called: str, lawful: str) -> bool:
    """Return True if an announcement is wrong where another is due.

    >>> is_wrong_call("tie", "dragon_7"), is_wrong_call("banker", "dragon_7")
    (True, False)
    """
    return called not in (lawful, _HALF_CALLS.get(lawful))


def vigorish_base(stake: Stake, won: int, ways: Ways) -> int:
    """Return the amount on which vigorish is taken, in cents; zero if none is due.

    It is what was won, or with 25% on a tie the wager that is returned, 541.13(f).
    """
    if stake.wager != "banker" or ways.ez:
        return 0
    if ways.vigorish == ON_TIE:
        return stake.total if won == 0 else 0
    if won <= 0:
        return 0
    return won - stake.added if ways.house_money_vigorish == "original" else won


def _vigorish_wrongs(current: Round, stake: Stake, lawful: int) -> list[Wrong]:
    ways, percent = current.ways, PERCENT[current.ways.vigorish]
    base = 0 if current.is_void or not stake.cents else vigorish_base(stake, lawful, ways)
    if not base:
        return [Wrong("vigorish_unauthorized", stake, stake.vigorish)] if stake.vigorish else []
    bases = (base, vigorish_base(stake, stake.gain, ways) or base)
    if stake.vigorish in [
        vigorish(each, rounding, percent) for each in bases for rounding in (0, current.unit)
    ]:
        return []
    check = vigorish_check(base, stake.vigorish, percent, current.unit)
    lawful_vigorish = vigorish(base, ways.vigorish_rounding_cents, percent)
    return [Wrong(check, stake, stake.vigorish - lawful_vigorish)]


def vigorish_check(base: int, taken: int, percent: int, unit: int) -> str:
    """Return a vigorish in cents that is neither exact nor rounded up to a multiple of `unit`.

    >>> [vigorish_check(2600, taken, 5, 25) for taken in (125, 0, 260)]
    ['vigorish_rounding_wrong', 'vigorish_not_taken', 'vigorish_wrong']
    """
    if taken == 0:
        return "vigorish_not_taken"
    off = abs(taken - Fraction(base * percent, 100))
    if off <= 1 or (taken % unit == 0 and off <= unit):
        return "vigorish_rounding_wrong"
    return "vigorish_wrong"


def was_called_wrong(current: Round) -> bool:
    """Return True if the round's announcement was not the lawful one, and the hands were complete."""
    if current.announced is None or current.is_open or current.is_void:
        return False
    return is_wrong_call(current.announced, current.counts.call(ez=current.ways.ez))


def way_of_vigorish(current: Round, stake: Stake) -> str | None:
    """Return `exact` or `rounded` if a correctly paid win shows how its vigorish was taken, else None."""
    if current.is_open or stake.is_open or stake.wager != "banker" or stake.gain < 0 or current.is_void:
        return None
    if stake.gain != lawful_gain(current, stake):
        return None
    base, percent = vigorish_base(stake, stake.gain, current.ways), PERCENT[current.ways.vigorish]
    exact, rounded = vigorish(base, 0, percent), vigorish(base, current.unit, percent)
    if exact == rounded:
        return None
    return {exact: "exact", rounded: "rounded"}.get(stake.vigorish)


def label_of(table: str, current: Round) -> FaultLabel | None:
    """Write the label of the round's fault, if there was one."""
    return label(table, current, _KINDS, wrongs(current), called_wrong=was_called_wrong(current))
