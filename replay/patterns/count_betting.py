"""Bet size that moves with the count of the shoe."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Final

from msgspec import Struct, field

from projections.engine.facts import PatronRef, fact
from replay.patterns.exact_tails import binomial_tail
from replay.patterns.pattern import Candidate, LeadHand, Pattern
from replay.patterns.played_rounds import PlayedRound

LEAST_ROUNDS: Final = 8  # of one shoe: with fewer no size can be correlated with anything


class _Shoe(Struct):
    """A shoe of a table: its count before each of its rounds, and who wagered how much in which round."""

    name: str | None
    counts: list[int] = field(default_factory=lambda: [0])
    sizes: defaultdict[str, list[tuple[int, int, LeadHand]]] = field(
        default_factory=lambda: defaultdict(list)
    )


class _Shoes(Struct):
    compared: int = 0
    own: list[LeadHand] = field(default_factory=list)
    hits: int = 0


class CountBetting(Pattern):
    """Pattern: patrons whose wagers go with the count of their own shoe, rather than with another shoe's."""

    name: ClassVar = "count_betting"
    question: ClassVar = "Do a patron's wagers grow with the count of the cards that have left the shoe?"
    statistic: ClassVar = (
        "The count is what the game says that each card which left the shoe adds to it. Each shoe in "
        "which a patron wagered eight rounds or more, in different sizes, is compared with the shoe "
        "before it: do the sizes go rather with the count of their own, or with what the other had come "
        "to after as many rounds? The two were shuffled alike, so of wagers that look at neither half go "
        "with their own: the chance of as many or more is that of the binomial distribution."
    )
    innocent: ClassVar = (
        "To count cards in the head is lawful; a patron who wagers more after losses or wins follows the "
        "cards that brought them, and so the count."
    )

    def __init__(self) -> None:
        self._shoes: dict[str, tuple[_Shoe | None, _Shoe]] = {}
        self._found: defaultdict[str, _Shoes] = defaultdict(_Shoes)

    def count_round(self, played: PlayedRound) -> None:
        """Count a round."""
        if played.shoe is None:
            return
        table = played.id.table
        before, shoe = self._shoes.get(table, (None, None))
        if shoe is None or shoe.name != played.shoe:
            if shoe is not None:
                self._compare(before, shoe)
            before, shoe = shoe, _Shoe(played.shoe)
            self._shoes[table] = before, shoe
        place = len(shoe.counts) - 1
        for hand in played.hands:
            size = hand.signals.counted_cents
            if hand.patron is not None and size:
                shoe.sizes[hand.patron].append((place, size, LeadHand(played.id, hand.seat, cents=size)))
        shoe.counts.append(shoe.counts[-1] + played.count)

    def _compare(self, before: _Shoe | None, shoe: _Shoe) -> None:
        if before is None:
            return
        rounds = min(len(shoe.counts), len(before.counts))
        for patron, all_sizes in shoe.sizes.items():
            sizes = [each for each in all_sizes if each[0] < rounds]
            if len(sizes) < LEAST_ROUNDS:
                continue
            own, other = _goes_with(sizes, shoe.counts), _goes_with(sizes, before.counts)
            if own == other:
                continue  # as when all wagers are equal
            found = self._found[patron]
            found.compared += 1
            if own > other:
                found.hits += 1
                mean = Fraction(sum(size for _, size, _ in sizes), len(sizes))
                found.own += [hand for place, size, hand in sizes if size > mean and shoe.counts[place] > 0]

    @property
    def tests(self) -> int:
        """Return how many patrons whose wagers went with either shoe there are."""
        self._finish()
        return len(self._found)

    def candidates(self) -> Sequence[Candidate]:
        """Return the people with any evidence for the pattern."""
        self._finish()
        return [
            Candidate(
                chance=binomial_tail(found.hits, found.compared, Fraction(1, 2)),
                says=fact(
                    "views.lead_count_betting",
                    patron=PatronRef(patron),
                    shoes=found.compared,
                    hits=found.hits,
                ),
                hands=tuple(found.own),
                patron=patron,
            )
            for patron, found in self._found.items()
            if 2 * found.hits > found.compared
        ]

    def _finish(self) -> None:
        """Compare the last shoe of each table, once."""
        for before, shoe in self._shoes.values():
            self._compare(before, shoe)
        self._shoes.clear()


def _goes_with(sizes: Sequence[tuple[int, int, LeadHand]], counts: Sequence[int]) -> int:
    """Return how much sizes go with a count: their covariance, times the square of how many there are."""
    many = len(sizes)
    together = sum(size * counts[place] for place, size, _ in sizes)
    return many * together - sum(size for _, size, _ in sizes) * sum(counts[place] for place, _, _ in sizes)
