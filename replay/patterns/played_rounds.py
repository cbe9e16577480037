"""Input of the patterns: rounds as they were played, person by person, from a judged recording.

A hand is what one person wagers in one round. It is not stored once the patterns have counted it.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.card_signals import CardSignals, Result, WagerSignals, signals_of
from projections.engine.findings import wager_of
from projections.engine.observation import Key, Move, key_of
from replay.proofs.theoretical_win import advantage_of, expected
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatedRound, judge_seated_rounds
from schemas.rulebook import Rulebook
from schemas.values import CARDS
from streams.log import Unread

_DEALER: Final = 0  # as a seat


class HandId(Struct, frozen=True, order=True):
    """Reference to a round: its number, table and gaming day."""

    day: date
    table: str
    round: str


class SettledWager(Struct, frozen=True, gc=False):
    """A wager that was made in time, and how it ended by the rules."""

    wager: str
    result: Result


class LateWager(Struct, frozen=True, gc=False):
    """A wager made, increased, reduced or withdrawn after "no more bets", and how such a wager ended.

    `result` is None if it is not known.
    """

    wager: str
    move: Move
    result: Result | None


class WeighedWin(Struct, frozen=True, gc=False):
    """Results of a hand's wagers for which every way to end was counted; cents.

    `gain` is what was paid on them, `mean` what they bring on average, `variance` at least that of the gain,
    in square cents, `most` the most that they can bring.
    """

    gain: int
    mean: Fraction
    variance: Fraction
    most: Fraction


class PlayedHand(Struct, gc=False):
    """Wagers of one person in one round; `patron` is None if it is unknown who it was.

    `overpaid_cents` is what was proven to be paid too much and was not corrected.
    """

    seat: int
    bettor: str | None
    patron: str | None
    settled: list[SettledWager] = []
    late: list[LateWager] = []
    overpaid_cents: int = 0
    signals: WagerSignals = WagerSignals()
    weighed: WeighedWin | None = None


class PlayedRound(Struct, gc=False):
    """A round with its hands; `count` is what it, and cards burned before it, add to their shoe's count."""

    id: HandId
    shoe: str | None
    dealer: str | None
    hands: list[PlayedHand]
    count: int = 0


def played_rounds(recording: Recording) -> Iterator[PlayedRound | Unread]:
    """Yield the rounds of a recording that were settled, table after table, each in its order.

    Raises:
        BadInput: the path holds neither events nor records, or the house file is missing or at fault.
    """
    for each in judge_seated_rounds(recording):
        if isinstance(each, Unread):
            yield each
        elif not (each.seen.void or each.seen.simulated or each.seen.paid is None):
            yield played_round(each)


def played_round(judged_round: SeatedRound) -> PlayedRound:
    """Return a round as the patterns look at it."""
    seen, conclusion = judged_round.seen, judged_round.judged.conclusion
    game = signals_of(conclusion.chapter)
    hands = _Hands(judged_round)
    hands.add_settled()
    hands.add_late(game)
    hands.add_overpaid()
    for hand in hands.found.values():
        stakes = hands.stakes(hand)
        hand.signals = game.signals(hand.seat, stakes, seen.play)
        if judged_round.judged.book is not None:
            hand.weighed = weighed_win(judged_round.judged.book, stakes, hands.gains(stakes), seen.play)
    return PlayedRound(
        HandId(seen.day, seen.table, seen.number),
        seen.shoe,
        seen.dealer,
        list(hands.found.values()),
        game.count([*seen.burned, *(what for _, what in seen.play if what in CARDS)]),
    )


class _Hands:
    """The hands of a round, by seat and person, while they are built."""

    def __init__(self, judged_round: SeatedRound) -> None:
        self.conclusion = judged_round.judged.conclusion
        self.seen = replace(judged_round.seen, seated=judged_round.seated)
        self.paid = self.seen.paid or {}
        self.late = {key_of(each) for each in self.seen.late}
        expected_cents = {key_of(each): each.cents for each in self.conclusion.expected}
        self.results = {key: _sign(cents) for key, cents in expected_cents.items() if cents is not None}
        self.found: dict[tuple[int, str | None], PlayedHand] = {}

    def hand_of(self, key: Key) -> PlayedHand:
        if key.person not in self.found:
            self.found[key.person] = PlayedHand(*key.person, self.seen.patron(key), settled=[], late=[])
        return self.found[key.person]

    def add_settled(self) -> None:
        """Add every wager that was made in time and whose end is known by the rules."""
        for key in self.seen.wagers:
            if key.seat == _DEALER:
                continue
            hand = self.hand_of(key)
            if key in self.results and key not in self.late:
                hand.settled.append(SettledWager(key.wager, self.results[key]))

    def add_late(self, game: CardSignals) -> None:
        """Add what was moved late, with how such a wager ends as far as it is known."""
        by_wager = {key.wager: result for key, result in self.results.items()} if game.end_alike else {}
        for move in self.seen.late:
            key = key_of(move)
            result = (
                self.results.get(key)
                or by_wager.get(move.wager)
                or game.by_outcome(self.conclusion.outcome, move.wager)
                or (_sign(self.paid[key].cents) if key in self.paid else None)
            )
            self.hand_of(key).late.append(LateWager(move.wager, move.move, result))

    def add_overpaid(self) -> None:
        """Add what was proven to be paid too much on wagers made in time, and was not corrected."""
        for finding in self.conclusion.findings:
            key = wager_of(finding)
            is_overpaid = finding.weight == "mismatch" and finding.favours == "patron"
            if is_overpaid and finding.put_right is not True and key is not None and key.seat != _DEALER:
                cents = finding.comes_to_cents
                self.hand_of(key).overpaid_cents += abs(cents) if cents and key not in self.late else 0

    def stakes(self, hand: PlayedHand) -> dict[Key, int]:
        """Return the cents of a hand's wagers that were made in time."""
        return {
            key: each.cents
            for key, each in self.seen.wagers.items()
            if key.person == (hand.seat, hand.bettor) and key not in self.late
        }

    def gains(self, stakes: Collection[Key]) -> dict[Key, int]:
        """Return what wagers brought their player, vigorish deducted, in cents."""
        return {key: each.cents - each.vigorish_cents for key, each in self.paid.items() if key in stakes}


def weighed_win(
    book: Rulebook, stakes: Mapping[Key, int], gains: Mapping[Key, int], play: list[tuple[str, str]]
) -> WeighedWin | None:
    """Return what the wagers of a hand brought relative to what they can bring; None without counted ends.

    Wagers without a full count of their ends, as in simulated games, are left out.
    """
    found = {key: advantage_of(book, key.wager) for key in stakes}
    tops = {key: each.most for key, each in found.items() if each is not None and each.most is not None}
    counted = {key: cents for key, cents in stakes.items() if key in tops}
    theory = expected(book, counted, play)
    if not theory.known_cents or theory.unknown_wagers:
        return None
    return WeighedWin(
        gain=sum(gains.get(key, 0) for key in counted),
        mean=-theory.win_cents,
        variance=theory.variance,
        most=sum((cents * tops[key] for key, cents in counted.items()), Fraction(0)),
    )


def _sign(cents: int) -> Result:
    return "win" if cents > 0 else "lose" if cents < 0 else "push"
