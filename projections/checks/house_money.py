"""Was House Money settled after the fourth card, before the fifth, and only where it won?"""

from collections.abc import Iterator
from typing import Final

from projections.case import Case
from projections.findings import Kind, Raised

_KEYED: Final = "A choice keyed at the terminal a moment before or after it was made."

HOUSE_MONEY_LATE: Final = Kind(
    "house_money_late",
    severity="grave",
    asks="Was House Money settled before any third card?",
    false_positives=_KEYED,
)
HOUSE_MONEY_EARLY: Final = Kind(
    "house_money_early",
    severity="grave",
    asks="Was House Money settled only after both hands had two cards?",
    false_positives=_KEYED,
)
HOUSE_MONEY_NOT_WON: Final = Kind(
    "house_money_not_won",
    severity="grave",
    asks="Was a House Money payout taken or added only by a winner?",
    false_positives="A choice keyed for the wrong seat.",
)
HOUSE_MONEY_WITHOUT_WAGER: Final = Kind(
    "house_money_without_wager",
    severity="grave",
    asks="Did the player have a wager on the hand that the payout was added to?",
    false_positives="A choice keyed for the wrong seat or hand.",
)
_KNOWN_BY_TIME: Final = (HOUSE_MONEY_LATE, HOUSE_MONEY_EARLY)
_KNOWN_BY_MONEY: Final = (HOUSE_MONEY_NOT_WON, HOUSE_MONEY_WITHOUT_WAGER)
KINDS: Final = (*_KNOWN_BY_TIME, *_KNOWN_BY_MONEY)


def check(case: Case) -> Iterator[Raised]:
    """Raise what was wrong with the choices, and leave open those too near to a card to tell."""
    too_near = set()
    for doubt in case.seen.doubts:
        if doubt.check == "house_money_late" and not isinstance(doubt.scope, str):
            too_near.add((doubt.scope[0], doubt.scope[1]))
            yield Raised(
                kind=HOUSE_MONEY_LATE,
                message=doubt.message,
                cites=("631a.9(e)",),
                weight="undetermined",
                seat=doubt.scope[0],
                wager="house_money",
                bettor=doubt.scope[1],
                device=doubt.device,
            )
    if case.ruled.defects:
        yield from case.defects(_KNOWN_BY_MONEY if case.money_known else ())
        yield from (
            raised for raised in case.defects(_KNOWN_BY_TIME) if (raised.seat, raised.bettor) not in too_near
        )
