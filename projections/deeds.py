"""What was done in a round besides cards and chips, in the words of the round record."""

from projections.round import who_of
from schemas.events import Deed, PayoutAdded, PayoutHanded


def said(deed: Deed) -> tuple[str, str]:
    """Tell a deed as `(who, what)`.

    Raises:
        TypeError: there are no words for this kind of event.

    >>> said(PayoutHanded(device="T", epoch=1, seq=9, at=0, round="1", seat=3, cents=6000))
    ('seat3', 'house_money_take')
    """
    match deed:
        case PayoutHanded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_take"
        case PayoutAdded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_add_{deed.to}"
        case _:
            raise TypeError(f"there are no words for {type(deed).__name__}")
