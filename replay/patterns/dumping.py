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
        "Do the hands that a dealer settles in a patron's favour otherwise than the rules have it fall to"
        " one patron more often than to the others who play in the dealer's rounds?"
    )
    statistic: ClassVar = (
        "A hand is what one person wagers in one round. Of all hands in a dealer's rounds some were "
        "settled in their patron's favour, and so many were the one patron's. The chance that as many of "
        "the favoured are among these is that of the hypergeometric distribution: it asks nothing of how "
        "often the dealer is mistaken."
    )
    innocent: ClassVar = (
        "A patron whose wagers are hard to settle (large, of many chips, with side wagers); a shift in "
        "which the dealer was tired and the patron alone at the table; another dealer of the crew who "
        "pays that seat."
    )

    def __init__(self) -> None:
        self._played: Counter[str] = Counter()
        self._wrong: Counter[str] = Counter()
        self._together: Counter[tuple[str, str]] = Counter()
        self._hands: defaultdict[tuple[str, str], list[LeadHand]] = defaultdict(list)

    def count_round(self, played: PlayedRound) -> None:
        """Count a round."""
        dealer = played.dealer
        if dealer is None:
            return
        for hand in played.hands:
            self._played[dealer] += 1
            self._wrong[dealer] += hand.overpaid_cents > 0
            if hand.patron is None:
                continue
            self._together[dealer, hand.patron] += 1
            if hand.overpaid_cents:
                lead_hand = LeadHand(played.id, hand.seat, cents=hand.overpaid_cents)
                self._hands[dealer, hand.patron].append(lead_hand)

    @property
    def tests(self) -> int:
        """Return how many pairs of a dealer who was mistaken and a patron there are."""
        return sum(self._wrong[dealer] > 0 for dealer, _ in self._together)

    def candidates(self) -> Sequence[Candidate]:
        """Return the people with any evidence for the pattern."""
        return [self._candidate(*pair, hands) for pair, hands in self._hands.items()]

    def _candidate(self, dealer: str, patron: str, hands: Sequence[LeadHand]) -> Candidate:
        played, wrong, together = self._played[dealer], self._wrong[dealer], self._together[dealer, patron]
        return Candidate(
            chance=hypergeometric_tail(len(hands), together, wrong, played),
            says=fact(
                "views.lead_dumping",
                dealer=StaffRef(dealer, "dealer"),
                patron=PatronRef(patron),
                hands=played,
                wrong=wrong,
                together=together,
                hits=len(hands),
                cents=Cents(sum(hand.cents or 0 for hand in hands)),
            ),
            hands=tuple(hands),
            patron=patron,
            dealer=dealer,
        )
