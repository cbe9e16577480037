"""What was done in a round besides cards and chips, in the words of the round record."""

from projections.engine.observation import who_of
from schemas.events import (
    BankTaken,
    Deed,
    DiceRolled,
    HandCalled,
    HandDecided,
    HandExposed,
    HandReset,
    MarkersCleared,
    NumberMarked,
    PayoutAdded,
    PayoutHanded,
    RangeIndicated,
    RollCancelled,
    ShooterNamed,
    TileLaid,
    TilesDealt,
)


def said(deed: Deed) -> tuple[str, str]:  # noqa: C901, PLR0911, PLR0912  one case an event
    """Tell a deed as `(who, what)`.

    Raises:
        TypeError: there are no words for this kind of event.

    >>> said(PayoutHanded(device="T", epoch=1, seq=9, at=0, round="1", seat=3, cents=6000))
    ('seat3', 'house_money_take')
    >>> said(DiceRolled(device="D", epoch=1, seq=9, at=0, round="1", dice="3-4"))
    ('dice', '3-4')
    """
    match deed:
        case HandDecided():
            return deed.hand, deed.decision
        case TileLaid():
            return deed.hand, deed.tile
        case TilesDealt():
            return deed.position, "deal"
        case DiceRolled():
            return "dice", deed.dice
        case HandCalled():
            return f"seat{deed.seat}", deed.result
        case RangeIndicated():
            return "dealer", deed.range
        case NumberMarked():
            return "dealer", f"mark {deed.number}"
        case MarkersCleared():
            return "dealer", "clear"
        case RollCancelled():
            return "dealer", "no_roll"
        case ShooterNamed():
            return "shooter", f"seat{deed.seat}"
        case BankTaken():
            return f"seat{deed.seat}", "co_bank" if deed.co_bank else "bank"
        case HandExposed():
            return deed.position, "exposed"
        case HandReset():
            return deed.position, "reset"
        case PayoutHanded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_take"
        case PayoutAdded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_add_{deed.to}"
        case _:
            raise TypeError(f"there are no words for {type(deed).__name__}")
