"""The names of what went wrong with money: lawful gains against the true ones, and the labels of faults."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct

from streams.simulator.kinds import Kind
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.table import Made, Round, Stake


class Wrong(Struct, frozen=True):
    """A finding on one wager's money; delta is observed less expected, in cents."""

    check: str
    stake: Stake
    delta: int


def money_check(lawful: int, true: int, *, is_wagered: bool = True) -> str | None:
    """Return the difference between a lawful and a true gain in cents.

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


def label(
    table: str,
    current: Round,
    kinds: Mapping[str, Kind],
    found: Sequence[Wrong],
    *,
    called_wrong: bool = False,
) -> FaultLabel | None:
    """Write the label of the round's fault: its own finding first, then those that follow from it.

    `found` is all that is wrong with the money, `called_wrong` whether the announcement was.
    """
    made = current.made
    if made is None:
        return None
    check = kinds[made.kind].check
    own = [wrong for wrong in found if wrong.check == check and _is_subject(made, wrong.stake)]
    primary = None
    if check is not None:
        primary = _expected_finding(check, current, made.seat, made.wager, made.bettor, made.who)
    follows = [
        _expected_finding(
            wrong.check, current, wrong.stake.patron.seat, wrong.stake.wager, wrong.stake.patron.bettor
        )
        for wrong in found
        if wrong not in own
    ]
    if check != "announced_wrong" and called_wrong:
        follows.insert(0, _expected_finding("announced_wrong", current))
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


def _expected_finding(
    check: str,
    current: Round,
    seat: int | None = None,
    wager: str | None = None,
    bettor: str | None = None,
    who: str | None = None,
) -> ExpectedFinding:
    return ExpectedFinding(
        check=check,
        round=current.name,
        seat=UNSET if seat is None else seat,
        wager=UNSET if wager is None else wager,
        bettor=UNSET if bettor is None else bettor,
        who=UNSET if who is None else who,
    )
