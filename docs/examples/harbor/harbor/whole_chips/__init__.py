"""Is each wager made of five-dollar chips? The house's internal control has nothing smaller on its tables."""

from collections.abc import Iterator
from typing import Final

from discardrack.plugin import HOUSE_CONTROL, Cents, Kind, Raised, RoundCase, Word, fact

CHIP_CENTS: Final = 500

PART_OF_CHIP: Final = Kind(
    "harbor.part_of_chip",
    severity="medium",
    asks="Is each wager made of five-dollar chips?",
    false_positives="A stack that the chip reader counted wrong.",
)
KINDS: Final = (PART_OF_CHIP,)


def check(case: RoundCase) -> Iterator[Raised]:
    """Raise each wager that is no multiple of the smallest chip."""
    if not case.money_known:
        return
    for (seat, bettor, wager, hand), chips in case.observed.wagers.items():
        if chips.cents % CHIP_CENTS:
            yield Raised(
                kind=PART_OF_CHIP,
                message=fact("harbor.part_of_chip", wager=Word(wager), chips=Cents(chips.cents)),
                cites=(HOUSE_CONTROL,),
                seat=seat,
                bettor=bettor,
                wager=wager,
                hand=hand,
            )
