"""What a dealer can get wrong in paying a Pai Gow Wager or a bank that he compared rightly."""

from collections.abc import Iterator, Mapping
from typing import Final

from streams.simulator.games.paigow.banking import Bank
from streams.simulator.games.paigow.rules import Set, Ways, is_zero, vigorish, worth
from streams.simulator.sitting import Chance
from streams.simulator.table import Key, Round, Stake

_QUARTER: Final = 25


def at_the_table(stake: Stake, owed: int, mine: Set, theirs: Set, ways: Ways) -> Iterator[Chance]:
    """Misjudge copies and zeros, or the vigorish, 535.10(g), (h), (k); hands come with the high one first."""
    rounding = ways.vigorish_rounding_cents
    even = vigorish(stake.cents, rounding)
    copied = any(worth(one) == worth(other) for one, other in zip(mine, theirs, strict=True))
    if owed > 0:
        yield "pai_gow_vigorish_not_taken", stake, owed, 0
        yield "pai_gow_vigorish_at_10", stake, owed, vigorish(2 * owed, rounding)
        if owed % (20 * _QUARTER):
            yield "pai_gow_vigorish_down", stake, owed, owed // 20 // _QUARTER * _QUARTER
    elif owed == 0:
        yield "vigorish_on_tie", stake, 0, even
        if is_zero(mine[1]) and worth(mine[0]) > worth(theirs[0]):
            yield "zero_paid", stake, stake.cents, even
        elif copied:
            yield "copy_paid", stake, stake.cents, even
    elif is_zero(mine[1]) and worth(mine[1]) > worth(theirs[1]):
        yield "zero_returned", stake, 0, 0
    elif copied:
        yield "copy_returned", stake, 0, 0


def at_the_bank(
    current: Round, bank: Bank, owed: int, gains: Mapping[Key, int], ways: Ways
) -> Iterator[Chance]:
    """Misjudge what the centre leaves to the bank, or lacks, 535.11(o), (r)."""
    stake, rounding = current.stakes[bank.key], ways.vigorish_rounding_cents
    due = vigorish(owed, rounding)
    if owed > 0:
        yield "surplus_kept", stake, 0, 0
        yield "surplus_vigorish_not_taken", stake, owed, 0
        collected = -sum(cents for key, cents in gains.items() if key != bank.key and cents < 0)
        on_all = vigorish(collected, rounding)
        if on_all > due + _QUARTER:
            yield "vigorish_on_all_collected", stake, owed, on_all
        if bank.shared:
            yield "co_bank_given_all", stake, 2 * owed, vigorish(2 * owed, rounding)
    elif owed < 0:
        yield "deficit_not_collected", stake, 0, 0
        if bank.shared:
            yield "co_bank_charged_all", stake, 2 * owed, 0


def after(word: str, stake: Stake) -> Iterator[Chance]:
    """Collect half of what was surrendered, 535.10(e), or the wager of a voided hand, 535.12(d)."""
    if word == "surrender":
        yield "surrender_halved", stake, -(stake.cents // 2), 0
    elif word == "void":
        yield "voided_hand_collected", stake, -stake.cents, 0
