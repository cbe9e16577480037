"""Wins beyond what the exact distribution allows."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import ClassVar, Final

from msgspec import Struct, field

from projections.engine.facts import Cents, PatronRef, fact
from replay.patterns.pattern import Candidate, LeadHand, Pattern
from replay.patterns.played_rounds import PlayedRound

_DIGITS: Final = 60
_LISTED: Final = 40  # hands of a lead: those that won the most
# What the roundings of a few operations of sixty digits cannot reach.
_ABOVE: Final = Fraction(10**40 + 1, 10**40)


class _Won(Struct):
    rounds: int = 0
    gain: int = 0
    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    widest: Fraction = Fraction(0)
    hands: list[LeadHand] = field(default_factory=list)


class Wins(Pattern):
    """What each patron won on wagers of which every way to end was counted."""

    name: ClassVar = "wins"
    question: ClassVar = "Did a patron win more than play by the rules brings anybody in so many rounds?"
    statistic: ClassVar = (
        "Each round has the exact mean of what its wagers bring, at least their exact variance and the "
        "most that they can bring. By Bennett's inequality a sum of such rounds is so far above its mean "
        "with no more than the probability told, whatever its distribution and however the stakes follow "
        "from earlier rounds."
    )
    innocent: ClassVar = (
        "Luck, which somebody has; payments that were wrong in the patron's favour, which are findings of"
        " their own; wagers of companions that are told as this patron's."
    )

    def __init__(self) -> None:
        self._won: defaultdict[str, _Won] = defaultdict(_Won)

    def take(self, played: PlayedRound) -> None:
        """Count a round."""
        for hand in played.hands:
            if hand.patron is None or hand.weighed is None:
                continue
            won, weighed = self._won[hand.patron], hand.weighed
            won.rounds += 1
            won.gain += weighed.gain
            won.mean += weighed.mean
            won.variance += weighed.variance
            won.widest = max(won.widest, weighed.most - weighed.mean)
            if weighed.gain > 0:
                won.hands.append(LeadHand(played.id, hand.seat, cents=weighed.gain))
                if len(won.hands) > 2 * _LISTED:
                    won.hands = _largest(won.hands)

    @property
    def tests(self) -> int:
        """How many patrons there are."""
        return len(self._won)

    def candidates(self) -> Sequence[Candidate]:
        """Return those of whom anything speaks for it."""
        return [self._candidate(who, won) for who, won in self._won.items() if won.gain > won.mean]

    def _candidate(self, patron: str, won: _Won) -> Candidate:
        return Candidate(
            chance=bennett(won.gain - won.mean, won.variance, won.widest),
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


def bennett(beyond: Fraction, variance: Fraction, widest: Fraction) -> Fraction:
    """Return a bound of how likely a sum is so far beyond its mean: exp(-V/b² ((1+u) ln(1+u) - u)), u = bt/V.

    `variance` is that of the sum, or more, `widest` by how much one of its parts can be beyond its own mean.
    The parts need not be alike, nor what is staked on one be settled before the others.

    >>> float(bennett(Fraction(10), Fraction(100), Fraction(0)))  # without a widest: exp(-t²/2V) = exp(-1/2)
    0.6065306597126334
    >>> bennett(Fraction(0), Fraction(100), Fraction(1)), bennett(Fraction(5), Fraction(0), Fraction(1))
    (Fraction(1, 1), Fraction(0, 1))
    """
    if beyond <= 0:
        return Fraction(1)
    if variance == 0:
        return Fraction(0)
    with localcontext() as context:
        context.prec = _DIGITS
        if widest == 0:
            power = _decimal(beyond * beyond / (2 * variance))
        else:
            above = _decimal(1 + widest * beyond / variance)
            power = _decimal(variance / (widest * widest)) * (above * above.ln() - (above - 1))
        return min(Fraction(1), Fraction((-power).exp()) * _ABOVE)


def _decimal(exact: Fraction) -> Decimal:
    return Decimal(exact.numerator) / Decimal(exact.denominator)
