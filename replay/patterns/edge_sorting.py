"""Edge sorting's trace: the size of a wager goes with a card that nobody has drawn yet."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median_low
from typing import ClassVar

from projections.engine.facts import PatronRef, fact
from replay.patterns.exact_tails import hypergeometric_tail
from replay.patterns.pattern import Candidate, LeadHand, Pattern
from replay.patterns.played_rounds import PlayedRound


class EdgeSorting(Pattern):
    """Wagers above a patron's own median, by whether the next card is one to be ahead by."""

    name: ClassVar = "edge_sorting"
    question: ClassVar = "Does a patron wager more where the next card is one that helps the wager?"
    statistic: ClassVar = (
        "Of a patron's rounds so many began with a card that the game calls one to be ahead by, and in so"
        " many the wager that would go with it was above the patron's median. The chance that as many of "
        "these began so is that of the hypergeometric distribution: wagers lie before the card is drawn."
    )
    innocent: ClassVar = (
        "Wagers that were read late, after the card; cards that the shoe reports in another order than "
        "they were drawn; a person who was told cards by mistake, as by a dealer who lifts them."
    )

    def __init__(self) -> None:
        self._rounds: defaultdict[str, list[tuple[int, bool, LeadHand]]] = defaultdict(list)

    def count_round(self, played: PlayedRound) -> None:
        """Count a round."""
        for hand in played.hands:
            size, is_ahead = hand.signals.size_cents, hand.signals.is_ahead
            if hand.patron is not None and size is not None and is_ahead is not None:
                lead_hand = LeadHand(played.id, hand.seat, cents=size)
                self._rounds[hand.patron].append((size, is_ahead, lead_hand))

    @property
    def tests(self) -> int:
        """Return how many patrons there are."""
        return len(self._rounds)

    def candidates(self) -> Sequence[Candidate]:
        """Return the people with any evidence for the pattern."""
        found = (self._candidate(patron, rounds) for patron, rounds in self._rounds.items())
        return [each for each in found if each is not None]

    def _candidate(self, patron: str, rounds: Sequence[tuple[int, bool, LeadHand]]) -> Candidate | None:
        middle = median_low([size for size, _, _ in rounds])
        large = [(is_ahead, hand) for size, is_ahead, hand in rounds if size > middle]
        ahead = sum(is_ahead for _, is_ahead, _ in rounds)
        hands = [hand for is_ahead, hand in large if is_ahead]
        if len(hands) * len(rounds) <= len(large) * ahead:
            return None
        return Candidate(
            chance=hypergeometric_tail(len(hands), len(large), ahead, len(rounds)),
            says=fact(
                "views.lead_edge_sorting",
                patron=PatronRef(patron),
                rounds=len(rounds),
                ahead=ahead,
                large=len(large),
                hits=len(hands),
            ),
            hands=tuple(hands),
            patron=patron,
        )
