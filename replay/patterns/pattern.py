"""Patterns: each has a question, an exact test, what would explain it innocently, and its leads."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct

from projections.engine.facts import Fact
from replay.patterns.exact_tails import holm
from replay.patterns.played_rounds import HandId, PlayedRound


class LeadHand(Struct, frozen=True, gc=False):
    """A hand that a lead rests on: the round, the seat, and the wager and cents where it is about those."""

    id: HandId
    seat: int
    wager: str | None = None
    cents: int | None = None


class Candidate(Struct, frozen=True, kw_only=True):
    """Count of somebody, the probability of as much or more by chance, and the upper bound of that.

    Its hands stand as they were played, table after table.
    """

    chance: Fraction
    says: Fact
    hands: tuple[LeadHand, ...]
    patron: str | None = None
    dealer: str | None = None
    table: str | None = None
    seat: int | None = None


class Lead(Struct, frozen=True):
    """A candidate that stands out among all that a pattern looked at; never proof of anything."""

    pattern: str
    candidate: Candidate


class Pattern(ABC):
    """Counts rounds, and returns what stands out in the end.

    `question` is what it asks, `statistic` how it is answered, `innocent` what else explains what it finds.
    """

    name: ClassVar[str]
    question: ClassVar[str]
    statistic: ClassVar[str]
    innocent: ClassVar[str]

    @abstractmethod
    def count_round(self, played: PlayedRound) -> None:
        """Count a round; those of a table come in their order."""

    @abstractmethod
    def candidates(self) -> Sequence[Candidate]:
        """Return everyone with any evidence for the pattern."""

    @property
    @abstractmethod
    def tests(self) -> int:
        """Return how many were tested, also those without evidence for it."""

    def leads(self, rate: Fraction) -> Iterator[Lead]:
        """Yield the candidates that stand out, the least likely first.

        On clean play there is one or more with a probability of at most `rate`, however many were looked at.
        """
        found = sorted(
            self.candidates(),
            key=lambda each: (
                each.chance,
                str(each.patron),
                str(each.dealer),
                str(each.table),
                each.seat or 0,
            ),
        )
        stands = holm([each.chance for each in found], rate, max(self.tests, len(found)))
        yield from (Lead(self.name, each) for each, is_lead in zip(found, stands, strict=True) if is_lead)
