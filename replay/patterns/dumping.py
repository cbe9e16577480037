"""Dumping: a dealer whose mistakes in patrons' favour go to one patron."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import ClassVar

from projections.engine.facts import Cents, PatronRef, StaffRef, fact
from replay.patterns.exact_tails import hypergeometric_tail
from replay.patterns.pattern import Candidate, LeadHand, Pattern
from replay.patterns.played_rounds import PlayedRound


class Dumping(Pattern):
    """Mistakes in a patron's favour, by the dealer who called the round and the patron whom they favoured."""

    name: ClassVar = "dumping"
    question: ClassVar = (
        "Do the rounds that a dealer settles in a patron's favour otherwise than the rules have it fall "
        "to one patron more often than to those who play in the dealer's other rounds?"
    )
    statistic: ClassVar = (
        "Of a dealer's rounds some were settled in a patron's favour; the patron played in so many of "
        "all. The chance that as many of those which favoured the patron lie among them is that of the "
        "hypergeometric distribution: it asks nothing of how often the dealer is mistaken."
    )
    innocent: ClassVar = (
        "A patron whose wagers are hard to settle (large, of many chips, with side wagers); a shift in "
        "which the dealer was tired and the patron alone at the table; another dealer of the crew who "
        "pays that seat."
    )

    def __init__(self) -> None:
        self._rounds: Counter[str] = Counter()
        self._wrong: Counter[str] = Counter()
        self._together: Counter[tuple[str, str]] = Counter()
        self._hands: defaultdict[tuple[str, str], list[LeadHand]] = defaultdict(list)

    def take(self, played: PlayedRound) -> None:
        """Count a round."""
        dealer = played.dealer
        if dealer is None:
            return
        self._rounds[dealer] += 1
        self._wrong[dealer] += any(hand.overpaid_cents for hand in played.hands)
        for patron in {hand.patron for hand in played.hands if hand.patron is not None}:
            self._together[dealer, patron] += 1
        for hand in played.hands:
            if hand.patron is not None and hand.overpaid_cents:
                self._hands[dealer, hand.patron].append(
                    LeadHand(played.id, hand.seat, cents=hand.overpaid_cents)
                )

    @property
    def tests(self) -> int:
        """How many pairs of a dealer who was mistaken and a patron there are."""
        return sum(self._wrong[dealer] > 0 for dealer, _ in self._together)

    def candidates(self) -> Sequence[Candidate]:
        """Return those of whom anything speaks for it."""
        return [self._candidate(*pair, hands) for pair, hands in self._hands.items()]

    def _candidate(self, dealer: str, patron: str, hands: Sequence[LeadHand]) -> Candidate:
        rounds, wrong, together = self._rounds[dealer], self._wrong[dealer], self._together[dealer, patron]
        hits = len({hand.id for hand in hands})
        return Candidate(
            chance=hypergeometric_tail(hits, together, wrong, rounds),
            says=fact(
                "views.lead_dumping",
                dealer=StaffRef(dealer, "dealer"),
                patron=PatronRef(patron),
                rounds=rounds,
                wrong=wrong,
                together=together,
                hits=hits,
                cents=Cents(sum(hand.cents or 0 for hand in hands)),
            ),
            hands=tuple(hands),
            patron=patron,
            dealer=dealer,
        )
