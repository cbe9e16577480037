"""What money means to whoever reads a page: a mistake in a wager, the sums of a case, who won a shoe.

Three phrases that never look alike: what patrons are owed, what was overpaid, and what the house won. None
says "for the house" or "for the patron", which may mean the one or the other.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import UnsetType

from projections.casework.alerts.queues import Sum
from projections.engine.findings import Side
from projections.engine.observation import PieceKind
from projections.views.table_picture import difference
from projections.views.wager_view import Spot
from schemas.values import dollars

_PLAYED_WITH: Final[dict[PieceKind, str]] = {"card": "this shoe", "tile": "these tiles", "dice": "these dice"}
SIDES: Final[dict[str, str]] = {"house": "owed to patron", "patron": "overpaid"}


def mistake(cents: int, favours: Side | UnsetType | None) -> str:
    """Return what a mistake means for money; `cents` without regard to the sign.

    >>> mistake(-109_000, "house"), mistake(12_000, "patron"), mistake(-50_000, None)
    ('Owed to patron $1,090.00', 'Overpaid $120.00', 'Difference $500.00')
    """
    says = SIDES[favours].capitalize() if isinstance(favours, str) else "Difference"
    return f"{says} {dollars(abs(cents))}"


def sum_in_words(each: Sum) -> str:
    """Return one side's sum in words, with how many wagers it is of where these are several.

    >>> sum_in_words(Sum("house", 231_900, 5)), sum_in_words(Sum("patron", 5_300, 1))
    ('Owed to patrons $2,319.00 in 5 wagers', 'Overpaid $53.00')
    """
    if each.count == 1:
        return mistake(each.cents, each.favours)
    says = mistake(each.cents, each.favours).replace("to patron ", "to patrons ")
    return f"{says} in {each.count} {'findings' if each.favours is None else 'wagers'}"


def sums_in_words(sums: Iterable[Sum]) -> str:
    """Return the sums of a row, a case or a hand in words: each side apart.

    >>> sums_in_words([Sum("house", 231_900, 5), Sum("patron", 29_800, 4)])
    'Owed to patrons $2,319.00 in 5 wagers; overpaid $298.00 in 4 wagers'
    """
    first, *others = [sum_in_words(each) for each in sums] or [""]
    return "; ".join([first, *(each[0].lower() + each[1:] for each in others)])


def apart(spot: Spot) -> str:
    """Return what the difference of a wager means; where gain and vigorish make up for each other, both."""
    gain, vigorish = spot.against_the_rule
    return mistake(gain - vigorish, spot.favours) if spot.favours else difference(spot)


def shoe_result(cents: int, kind: PieceKind = "card") -> str:
    """Return who won a shoe, or what was played with where there is none; `cents` are what the house won.

    >>> shoe_result(-788_600), shoe_result(7_625), shoe_result(0)
    ('House lost $7,886.00 on this shoe', 'House won $76.25 on this shoe', 'House won nothing on this shoe')
    """
    won = f"{'won' if cents > 0 else 'lost'} {dollars(abs(cents))}" if cents else "won nothing"
    return f"House {won} on {_PLAYED_WITH[kind]}"


MONEY_WORDS: Final[dict[str, Callable[..., Any]]] = {
    "difference": apart,
    "mistake": mistake,
    "shoe_result": shoe_result,
    "sum_in_words": sum_in_words,
    "sums_in_words": sums_in_words,
}
