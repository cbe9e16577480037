"""What the hands of a round come to in money, 535.10(g) to (j) and 535.11(n), (o), (r)."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from streams.simulator.games.paigow.banking import DEALERS, MAIN, Bank, centre
from streams.simulator.games.paigow.hands import Laid
from streams.simulator.games.paigow.rules import Result, Set, Ways, against
from streams.simulator.table import Key, Round

_GAIN: Final[Mapping[Result, int]] = {"win": 1, "tie": 0, "lose": -1}
# What a word on a hand makes of it without any comparison: 535.7(b), 535.10(e), 535.12(d).
_WORDS: Final[Mapping[str, Result]] = {"surrender": "lose", "left": "lose", "void": "tie"}


def by_words(words: Mapping[str, str]) -> dict[str, Result]:
    """Return what becomes of the seats whose hands are not compared."""
    return {seat: _WORDS[word] for seat, word in words.items()}


def results(
    final: Mapping[str, Set], words: Mapping[str, str], bank: Bank | None, ways: Ways
) -> dict[str, Result]:
    """Say of each position what becomes of it against the dealer, or the bank."""
    opponent = bank.position if bank is not None else "dealer"
    compared = {
        position: against(laid, final[opponent], ways)
        for position, laid in final.items()
        if position != opponent
    }
    return compared | by_words(words)


def gains(current: Round, became: Mapping[str, Result], bank: Bank | None) -> dict[Key, int]:
    """Return what each stake gains in cents, the bank's from what the centre leaves."""
    found = {}
    for key, stake in current.stakes.items():
        seat, _, wager, _ = key
        position = "dealer" if wager == DEALERS else f"seat{seat}" if wager == MAIN else None
        found[key] = stake.cents * _GAIN[became.get(position or "", "tie")]
    if bank is not None and bank.key in found:
        found[bank.key] = centre(found, bank)
    return found


class Law(Struct):
    """What ought to come of a round: each stake's gain in cents, each seat's result, None where open."""

    owed: dict[Key, int]
    results: dict[str, Result | None]


def lawful(current: Round, laid: Laid, words: Mapping[str, str], bank: Bank | None, ways: Ways) -> Law:
    """Return what ought to come of a round; stakes that hang on how wrong hands are reset are marked open.

    Where the submission admits several ways and they lead to different money, the text does not say which.
    """
    finals = [laid.final]
    for position, instead in laid.instead.items():
        finals = [{**laid.final, position: each} for each in instead]
    became = [results(final, words, bank, ways) for final in finals]
    reckoned = [gains(current, each, bank) for each in became]
    for key, stake in current.stakes.items():
        if len({each[key] for each in reckoned}) > 1:
            stake.is_open = True
    if bank is not None and any(stake.is_open for stake in current.stakes.values()):
        current.stakes[bank.key].is_open = True  # the centre's sum hangs on every other
    sure = {
        seat: result if all(each[seat] == result for each in became) else None
        for seat, result in became[0].items()
    }
    return Law(reckoned[0], sure)
