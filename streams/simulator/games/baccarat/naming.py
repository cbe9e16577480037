"""The names of what went wrong with the money of a round: lawful gain and vigorish against the true ones."""

from fractions import Fraction
from typing import Final

from msgspec import UNSET, Struct

from streams.simulator.games.baccarat.faults import KINDS
from streams.simulator.games.baccarat.rules import Ways, gain, vigorish
from streams.simulator.games.baccarat.table import Round
from streams.simulator.kinds import SHARED
from streams.simulator.labels import FaultLabel, Named
from streams.simulator.table import Made, Stake

_QUARTER: Final = 25
_KINDS: Final = {**SHARED, **KINDS}

# Half of what is to be called at an EZ table: neither right nor wrong, 631a.12(a).
_HALF_CALLS: Final = {"dragon_7": "banker", "panda_8": "player"}


class Wrong(Struct, frozen=True):
    """A finding on one wager's money; delta is observed less expected, in cents."""

    check: str
    stake: Stake
    delta: int


def wrongs(current: Round) -> list[Wrong]:
    """Name every wager whose gain or vigorish is not the lawful one; open wagers have no money to judge."""
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
        if (lawful > 0) is (stake.gain > 0):
            found += _vigorish_wrongs(stake, lawful, current.ways)
    return found


def lawful_gain(current: Round, stake: Stake) -> int:
    """Give what the wager gains by the text in cents: nothing in a void round or where no wager lay."""
    if current.is_void or not stake.cents:
        return 0
    return gain(stake.wager, stake.whole, current.counts, current.ways)


def money_check(lawful: int, true: int, *, is_wagered: bool = True) -> str | None:
    """Name the difference between a lawful and a true gain in cents.

    >>> money_check(0, -2500), money_check(2500, 0), money_check(-2500, 0)
    ('push_collected', 'paid_too_little', 'loser_not_collected')
    >>> money_check(0, 500, is_wagered=False)
    'paid_too_much'
    """
    if true == lawful:
        return None
    if lawful > 0:
        return "paid_too_much" if true > lawful else "paid_too_little" if true >= 0 else "winner_collected"
    if lawful == 0:
        if not is_wagered and true > 0:
            return "paid_too_much"
        return "push_paid" if true > 0 else "push_collected"
    return "paid_too_much" if true > 0 else "loser_not_collected" if true > lawful else "paid_too_little"


def is_wrong_call(said: str, lawful: str) -> bool:
    """Tell whether an announcement is wrong where another is due.

    >>> is_wrong_call("tie", "dragon_7"), is_wrong_call("banker", "dragon_7")
    (True, False)
    """
    return said not in (lawful, _HALF_CALLS.get(lawful))


def vigorish_base(stake: Stake, won: int, ways: Ways) -> int:
    """Give the amount won on which vigorish is taken, in cents."""
    return won - stake.added if ways.house_money_vigorish == "original" else won


def _vigorish_wrongs(stake: Stake, lawful: int, ways: Ways) -> list[Wrong]:
    if stake.wager != "banker" or ways.ez or lawful <= 0:
        return [Wrong("vigorish_unauthorized", stake, stake.vigorish)] if stake.vigorish else []
    base = vigorish_base(stake, lawful, ways)
    bases = (base, vigorish_base(stake, stake.gain, ways))
    if stake.vigorish in [vigorish(each, rounding) for each in bases for rounding in (0, _QUARTER)]:
        return []
    check = vigorish_check(base, stake.vigorish)
    return [Wrong(check, stake, stake.vigorish - vigorish(base, ways.vigorish_rounding_cents))]


def vigorish_check(base: int, taken: int) -> str:
    """Name a vigorish in cents that is neither exact nor rounded up.

    >>> vigorish_check(2600, 125), vigorish_check(2600, 0), vigorish_check(2600, 260)
    ('vigorish_rounding_wrong', 'vigorish_not_taken', 'vigorish_wrong')
    """
    if taken == 0:
        return "vigorish_not_taken"
    off = abs(taken - Fraction(base * 5, 100))
    if off <= 1 or (taken % _QUARTER == 0 and off <= _QUARTER):
        return "vigorish_rounding_wrong"
    return "vigorish_wrong"


def was_called_wrong(current: Round) -> bool:
    """Tell whether the round's announcement was not the lawful one; only whole hands can tell."""
    if current.announced is None or current.is_open or current.is_void:
        return False
    return is_wrong_call(current.announced, current.counts.call(ez=current.ways.ez))


def way_of_vigorish(current: Round, stake: Stake) -> str | None:
    """Tell `exact` from `rounded` where a rightly paid win shows which way its vigorish was taken."""
    if current.is_open or stake.is_open or stake.wager != "banker" or stake.gain <= 0:
        return None
    if stake.gain != lawful_gain(current, stake):
        return None
    base = vigorish_base(stake, stake.gain, current.ways)
    exact, rounded = vigorish(base, 0), vigorish(base, _QUARTER)
    if exact == rounded:
        return None
    return {exact: "exact", rounded: "rounded"}.get(stake.vigorish)


def label_of(table: str, current: Round) -> FaultLabel | None:
    """Write the label of the round's fault: its own finding first, then those that follow from it."""
    made = current.made
    if made is None:
        return None
    check = _KINDS[made.kind].check
    found = wrongs(current)
    own = [wrong for wrong in found if wrong.check == check and _is_subject(made, wrong.stake)]
    primary = None
    if check is not None:
        primary = _named(check, current, made.seat, made.wager, made.bettor, made.who)
    follows = [
        _named(wrong.check, current, wrong.stake.patron.seat, wrong.stake.wager, wrong.stake.patron.bettor)
        for wrong in found
        if wrong not in own
    ]
    if check != "announced_wrong" and was_called_wrong(current):
        follows.insert(0, _named("announced_wrong", current))
    return FaultLabel(
        fault=made.kind,
        table=table,
        gaming_date=current.gaming_date,
        round=current.name,
        shoe=current.shoe,
        primary=primary,
        follows=follows,
        delta_cents=own[0].delta if own else None,
    )


def _is_subject(made: Made, stake: Stake) -> bool:
    return (made.seat, made.bettor, made.wager) == stake.key[:3]


def _named(
    check: str,
    current: Round,
    seat: int | None = None,
    wager: str | None = None,
    bettor: str | None = None,
    who: str | None = None,
) -> Named:
    return Named(
        check=check,
        round=current.name,
        seat=UNSET if seat is None else seat,
        wager=UNSET if wager is None else wager,
        bettor=UNSET if bettor is None else bettor,
        who=UNSET if who is None else who,
    )
