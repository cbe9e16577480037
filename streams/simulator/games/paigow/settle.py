"""The hands as they are laid open and called, 535.10(c) to (f), 535.11(n), (o), (r)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from schemas import events
from streams.simulator.games.paigow.hands import Laid
from streams.simulator.games.paigow.rules import (
    Result,
    Set,
    Tile,
    Ways,
    against,
    is_zero,
    surplus_of,
    vigorish,
    worth,
)
from streams.simulator.games.paigow.wagers import DEALERS, MAIN, Bank, centre
from streams.simulator.sitting import Chance
from streams.simulator.table import Key, Made, Round, Stake, Table

_GAIN: Final[Mapping[Result, int]] = {"win": 1, "tie": 0, "lose": -1}
# What a word on a hand makes of it without any comparison: 535.7(b), 535.10(e), 535.12(d).
_WORDS: Final[Mapping[str, Result]] = {"surrender": "lose", "left": "lose", "void": "tie"}


def by_words(words: Mapping[str, str]) -> dict[str, Result]:
    """Return what happens to the seats whose hands are not compared."""
    return {seat: _WORDS[word] for seat, word in words.items()}


def results(
    final: Mapping[str, Set], words: Mapping[str, str], bank: Bank | None, ways: Ways
) -> dict[str, Result]:
    """Return what happens to each position against the dealer, or the bank."""
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
    """Expected result of a round: each stake's gain in cents, each seat's result, None if open."""

    owed: dict[Key, int]
    results: dict[str, Result | None]


def lawful(current: Round, laid: Laid, words: Mapping[str, str], bank: Bank | None, ways: Ways) -> Law:
    """Return the lawful end of a round; stakes that depend on how wrong hands are reset are open.

    If the submission admits several ways and they lead to different money, the text does not decide.
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
        current.stakes[bank.key].is_open = True  # the centre's sum depends on every other
    sure = {
        seat: result if all(each[seat] == result for each in became) else None
        for seat, result in became[0].items()
    }
    return Law(reckoned[0], sure)


_RESULTS: Final[tuple[Result, ...]] = ("win", "lose", "tie")
_SURRENDERS: Final = 0.06


class HandDisplay:
    """Hands of one round on their way onto the layout.

    `words` are the seats whose hands are not compared and why, `became` the dealer's results for the others,
    which may be wrong, `called` what he announced. `unsettled` is a seat whose wager no text settles after
    what was decided on it.
    """

    def __init__(
        self, table: Table, current: Round, laid: Laid, words: dict[str, str], became: dict[str, Result]
    ) -> None:
        self.table = table
        self.script = table.script
        self.current = current
        self.laid = laid
        self.words = words
        self.became = became
        self.unsettled: str | None = None
        self.called: dict[str, Result] = {}
        self.shown: list[str] = []
        self.tiles: list[Tile] = []

    def lay_open(self, compared: Sequence[str], seats: Sequence[str], bank: Bank | None) -> None:
        """Open the dealer's hands, the bank's, and the seats' in order; call each seat's result."""
        order = [each for each in (*compared, *seats) if each not in self.words]
        if len(order) > 1 and self.table.strikes("laid_open_early", self.current):
            place = self.table.rng.randrange(len(order) - 1)
            order[place : place + 2] = reversed(order[place : place + 2])
            self.current.made = Made("laid_open_early", who=order[place])
        unopened: list[str] = []
        for position in order:
            if position in self.words:
                continue
            self._show(position)
            if position in seats:
                unopened.append(position)
            if compared[-1] in self.shown:
                for seat in unopened:
                    self._call(seat, may_surrender=bank is None)
                unopened.clear()
            if position == "dealer" and bank is None and self.current.made is None:
                self._surrender([seat for seat in seats if seat not in self.shown])

    def _show(self, position: str) -> None:
        self.script.wait(1500, 3000)
        if (before := self.laid.before.get(position)) is not None:
            lying = len(self.tiles)
            self._lay(position, before)
            self.script.wait(2500, 5000)
            self.script.tell(events.HandReset, round=self.current.name, position=position)
            self.script.wait(1500, 3000)
            del self.tiles[lying:]
        self._lay(position, self.laid.final[position])
        self.shown.append(position)
        self.script.wait(900, 1800)

    def _lay(self, position: str, laid: Set) -> None:
        for name, hand in zip(("high", "low"), laid, strict=True):
            for tile in hand:
                self.script.wait(300, 600)
                place = f"{position}.{name}"
                self.script.tell(events.TileLaid, round=self.current.name, hand=place, tile=tile)
                self.tiles.append(tile)
                if self.table.is_staged and self.current.made is None and surplus_of(self.tiles):
                    self.current.made = Made("foreign_tile", who=place)

    def _surrender(self, seats: Sequence[str]) -> None:
        """Make some players surrender what they see is lost, 535.10(e)."""
        for seat in seats:
            if self.became.get(seat) == "lose" and self.table.rng.random() < _SURRENDERS:
                self.decide(seat, "surrender")
                self.words[seat] = "surrender"

    def _call(self, seat: str, *, may_surrender: bool) -> None:
        """Call a seat's result, rightly or not; or make it surrender now that its hands are open."""
        result = self.became[seat]
        if may_surrender and result == "lose" and self.table.strikes("surrender_too_late", self.current):
            self.wrongly("surrender_too_late", seat, "surrender")
            return
        number = int(seat.removeprefix("seat"))
        wrong = self.table.rng.choice([each for each in _RESULTS if each != result])
        for kind in ("called_wrongly", "settled_as_called"):
            if self.table.strikes(kind, self.current):
                self.current.made = Made(kind, number, None, MAIN)
                result = wrong
                if kind == "settled_as_called":
                    self.became[seat] = wrong
        self.called[seat] = result
        self.script.tell(events.HandCalled, round=self.current.name, seat=number, result=result)

    def wrongly(self, kind: str, seat: str, decision: str) -> None:
        """Report a decision on a hand that the text does not allow, or not at that time, as a fault."""
        self.current.made = Made(kind, int(seat.removeprefix("seat")), who=seat)
        self.decide(seat, decision)
        self.words[seat] = decision
        self.unsettled = seat

    def decide(self, seat: str, decision: str) -> None:
        """Report a decision on a hand."""
        self.script.wait(1200, 3000)
        self.script.tell(events.HandDecided, round=self.current.name, hand=seat, decision=decision)
        self.script.wait(600, 1200)


# ── What a dealer can get wrong in paying what he compared rightly ──────────────────────────────────────


_QUARTER: Final = 25


def mistakes_at_table(stake: Stake, owed: int, mine: Set, theirs: Set, ways: Ways) -> Iterator[Chance]:
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


def mistakes_at_bank(
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


def mistakes_after_word(word: str, stake: Stake) -> Iterator[Chance]:
    """Collect half of what was surrendered, 535.10(e), or the wager of a voided hand, 535.12(d)."""
    if word == "surrender":
        yield "surrender_halved", stake, -(stake.cents // 2), 0
    elif word == "void":
        yield "voided_hand_collected", stake, -stake.cents, 0
