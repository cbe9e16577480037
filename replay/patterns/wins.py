"""Wins beyond what the exact distribution allows."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Final

from msgspec import Struct, field

from projections.engine.facts import Cents, PatronRef, fact
from replay.patterns.pattern import Candidate, LeadHand, Pattern
from replay.patterns.played_rounds import PlayedRound

_CONTEXT: Final = Context(prec=60, Emax=10**9, Emin=-(10**9))
_LISTED: Final = 40  # hands of a lead: those that won the most
# What the roundings of millions of sums of 28 digits cannot reach.
_ABOVE: Final = Fraction(10**15 + 1, 10**15)
# Growths by the cent, chosen before anything is counted: from one that suits a few wagers of some dollars to
# one that suits a year of thousands. One that does not suit only grows less.
_GROWTHS: Final = tuple(Fraction(part, 2 ** (octave + 1)) for octave in range(8, 27) for part in (2, 3))


class _Won(Struct):
    """Win of a patron; `allowed` is, for each of the growths, what the rounds allow in its exponent."""

    rounds: int = 0
    gain: int = 0
    mean: Fraction = Fraction(0)
    allowed: list[Decimal] = field(default_factory=lambda: [Decimal(0)] * len(_GROWTHS))
    hands: list[LeadHand] = field(default_factory=list)


class Wins(Pattern):
    """Pattern: wins of each patron on wagers whose every way to end was counted."""

    name: ClassVar = "wins"
    question: ClassVar = "Did a patron win more than play by the rules brings anybody in so many rounds?"
    statistic: ClassVar = (
        "Each round has the exact mean of what its wagers bring, at least their exact variance and the most "
        "that they can bring. From these, by Bennett's bound of each round, a stake is made that grows no "
        "more than fairly, however the patron wagers and whatever came before: it reaches a multiple once in "
        "so many times at most."
    )
    innocent: ClassVar = (
        "Luck, which somebody has; payments that were wrong in the patron's favour, which are findings of"
        " their own; wagers of companions that are told as this patron's."
    )

    def __init__(self) -> None:
        self._won: defaultdict[str, _Won] = defaultdict(_Won)

    def count_round(self, played: PlayedRound) -> None:
        """Count a round."""
        for hand in played.hands:
            if hand.patron is None or hand.weighed is None:
                continue
            won, weighed = self._won[hand.patron], hand.weighed
            won.rounds += 1
            won.gain += weighed.gain
            won.mean += weighed.mean
            allows = allowed(weighed.variance, weighed.most - weighed.mean)
            won.allowed = [one + more for one, more in zip(won.allowed, allows, strict=True)]
            if weighed.gain > 0:
                won.hands.append(LeadHand(played.id, hand.seat, cents=weighed.gain))
                if len(won.hands) > 2 * _LISTED:
                    won.hands = _largest(won.hands)

    @property
    def tests(self) -> int:
        """Return how many patrons there are."""
        return len(self._won)

    def candidates(self) -> Sequence[Candidate]:
        """Return the people with any evidence for the pattern."""
        return [self._candidate(who, won) for who, won in self._won.items() if won.gain > won.mean]

    def _candidate(self, patron: str, won: _Won) -> Candidate:
        return Candidate(
            chance=chance_of(won.gain - won.mean, won.allowed),
            says=fact(
                "views.lead_wins",
                patron=PatronRef(patron),
                rounds=won.rounds,
                won=Cents(won.gain),
                mean=Cents(round(won.mean)),
            ),
            hands=tuple(_largest(won.hands)),
            patron=patron,
        )


def _largest(hands: Sequence[LeadHand]) -> list[LeadHand]:
    return sorted(hands, key=lambda hand: (-(hand.cents or 0), hand.id, hand.seat))[:_LISTED]


def chance_of(beyond: Fraction, exponents: Sequence[Decimal]) -> Fraction:
    """Return a bound of how likely a sum is ever so far beyond its mean, by what its parts allow.

    Of each growth g the product of exp(g x (part - mean) - allowed) is a fair game at best, whatever is
    staked next: so is their average, and a fair game reaches a multiple once in so many times at most.

    >>> chance_of(Fraction(0), allowed(Fraction(100), Fraction(10)))
    Fraction(1, 1)
    """
    with localcontext(_CONTEXT):
        grown = [
            (_decimal(growth * beyond) - exponent).exp()
            for growth, exponent in zip(_GROWTHS, exponents, strict=True)
        ]
        average = Fraction(sum(grown, Decimal(0))) / len(grown)
    return min(Fraction(1), _ABOVE / average)


@lru_cache(maxsize=1 << 14)
def allowed(variance: Fraction, widest: Fraction) -> tuple[Decimal, ...]:
    """Return for each growth g what a part allows: V/b² (exp(gb) - 1 - gb), by Bennett.

    `variance` is that of the part, or more, `widest` by how much it can be beyond its mean; both in cents.
    """
    with localcontext(_CONTEXT):
        if widest <= 0:
            return tuple(_decimal(growth * growth * variance / 2) for growth in _GROWTHS)
        share = _decimal(variance / (widest * widest))
        steps = [_decimal(growth * widest) for growth in _GROWTHS]
        return tuple(share * (step.exp() - 1 - step) for step in steps)


def _decimal(exact: Fraction) -> Decimal:
    return Decimal(exact.numerator) / Decimal(exact.denominator)
