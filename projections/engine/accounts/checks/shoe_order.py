"""Did a shoe's cards come in an order that they had before: in a new deck, or in the last shoes' discards?"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.accounts.shoe_order import (
    CERTAIN,
    Likeness,
    Run,
    ShoeOrder,
    chance_of_run,
)
from projections.engine.facts import Cents, Fact, HandRef, Word, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.shoe_odds import one_in

ORDER_PRESERVED: Final = Kind(
    "order_preserved",
    severity="critical",
    asks="Did the cards come in no order that they had in new decks or in the last two shoes' discards?",
    false_positives="Chance, as seldom as the house file says; a shuffle by hand that mixes too little.",
    by_chance=True,
)
KINDS: Final = (ORDER_PRESERVED,)


def check_order_preserved(case: ShoeCase) -> Iterator[Raised]:
    """Raise a shoe whose cards were in the same order before, with the wagers meanwhile by seat.

    A run is proof if one shuffled shoe in a thousand million has one of its length. A shorter run, or a
    likeness that shows only over the whole shoe, is undetermined.
    """
    order, pack = case.account.order, case.pack
    if pack is None or not (order.runs or order.likeness):
        return
    if order.runs:
        longest = max(order.runs, key=lambda run: run.length)
        chance = chance_of_run(longest.length, pack)
        message, is_proven = _run(order, longest, chance), chance * CERTAIN < 1
    elif order.likeness is not None:
        message, is_proven = _likeness(order.likeness, case.one_in), False
    yield Raised(
        kind=ORDER_PRESERVED,
        message=message,
        cites=case.book.clause("shuffle", "decks"),
        weight=None if is_proven else "undetermined",
    )


def _run(order: ShoeOrder, longest: Run, chance: Fraction) -> Fact:
    """State the longest run, in which rounds it was dealt, and who wagered how much in those of all runs."""
    during = order.during(longest)
    wagers: dict[int, int] = {}
    for each in {id(each): each for run in order.runs for each in order.during(run)}.values():
        for seat, cents in each.wagers.items():
            wagers[seat] = wagers.get(seat, 0) + cents
    return fact(
        "accounts.checks.run_preserved",
        cards=longest.length,
        source=Word(longest.source),
        first=during[0].number if during else None,
        last=during[-1].number if during else None,
        others=len(order.runs) - 1,
        chance=one_in(chance),
        wagers=listed(
            *(
                fact("accounts.checks.wagered", seat=HandRef(f"seat{seat}"), cents=Cents(cents))
                for seat, cents in sorted(wagers.items())
            )
        ),
    )


def _likeness(likeness: Likeness, alarms: int) -> Fact:
    return fact(
        "accounts.checks.order_alike",
        source=Word(likeness.source),
        neighbours=likeness.neighbours,
        expected=likeness.expected,
        rising=likeness.rising,
        matched=likeness.matched,
        one_in=alarms,
    )
