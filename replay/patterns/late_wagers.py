"""Past posting and pinching: late wagers that go the way of a result which was already to be seen."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Final, TypeAlias

from projections.engine.card_signals import Result
from projections.engine.facts import PatronRef, fact
from replay.patterns.exact_tails import hypergeometric_pmf
from replay.patterns.pattern import Candidate, LeadHand, Pattern
from replay.patterns.played_rounds import LateWager, PlayedRound

# Made or increased late, a wager is to its player's advantage if it wins; withdrawn late, if it loses.
_SOUGHT: Final[Mapping[str, Result]] = {
    "place": "win",
    "increase": "win",
    "reduce": "lose",
    "withdraw": "lose",
}

# Who it was: a patron, or somebody in a seat of a table on a day.
_Who: TypeAlias = tuple[str | None, str, int, str]


class LateWagers(Pattern):
    """Late wagers by who made them, and by how the wager ended."""

    name: ClassVar = "late_wagers"
    question: ClassVar = (
        "Do wagers that somebody makes or increases after 'no more bets' win, and those taken back lose, "
        "more often than the same wagers do when they are made in time?"
    )
    statistic: ClassVar = (
        "Of all such wagers in the recording so many won; the late ones are drawn from them without "
        "regard to that. The chance of so many to the player's advantage is that of the hypergeometric "
        "distribution, those of several kinds of wager put together exactly."
    )
    innocent: ClassVar = (
        "A dealer who lets wagers in until the first card; a reader whose clock runs late, so that wagers"
        " made in time appear late; a person who hesitates over large wagers in rounds that everybody "
        "backs."
    )

    def __init__(self) -> None:
        self._ended: defaultdict[str, Counter[Result]] = defaultdict(Counter)
        self._late: defaultdict[_Who, list[tuple[LateWager, LeadHand]]] = defaultdict(list)

    def count_round(self, played: PlayedRound) -> None:
        """Count a round."""
        for hand in played.hands:
            for settled in hand.settled:
                self._ended[settled.wager][settled.result] += 1
            for late in hand.late:
                if late.result is None:
                    continue
                self._ended[late.wager][late.result] += 1
                who = (hand.patron, "", 0, "")
                if hand.patron is None:
                    who = (None, played.id.table, hand.seat, str(played.id.day))
                self._late[who].append((late, LeadHand(played.id, hand.seat, late.wager)))

    @property
    def tests(self) -> int:
        """Return how many persons made late wagers."""
        return len(self._late)

    def candidates(self) -> Sequence[Candidate]:
        """Return the people with any evidence for the pattern."""
        return [self._candidate(who, moves) for who, moves in self._late.items()]

    def _candidate(self, who: _Who, moves: Sequence[tuple[LateWager, LeadHand]]) -> Candidate:
        patron, table, seat, _ = who
        sought = [(late, hand) for late, hand in moves if late.result == _SOUGHT[late.move]]
        drawn = Counter((late.wager, _SOUGHT[late.move]) for late, _ in moves)
        return Candidate(
            chance=self._chance(drawn, len(sought)),
            says=fact(
                "views.lead_late_wagers",
                who=PatronRef(patron)
                if patron is not None
                else fact("views.somebody", seat=seat, table=table),
                moves=len(moves),
                sought=len(sought),
            ),
            hands=tuple(hand for _, hand in sought),
            patron=patron,
            table=table or None,
            seat=seat or None,
        )

    def _chance(self, drawn: Mapping[tuple[str, Result], int], at_least: int) -> Fraction:
        """Return how likely so many or more of the late wagers end so, each kind drawn from all of its kind.

        Late additions to one wager and late withdrawals from it are drawn independently. That is exact if
        there is only one of them, and approximate if somebody did both.
        """
        sums = [Fraction(1)]
        for (wager, result), many in drawn.items():
            ended = self._ended[wager]
            each = hypergeometric_pmf(many, ended[result], ended.total())
            added = [Fraction(0)] * (len(sums) + many)
            for one, chance in enumerate(sums):
                for other, its in enumerate(each):
                    added[one + other] += chance * its
            sums = added
        return sum(sums[at_least:], Fraction(0))
