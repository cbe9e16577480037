"""Context of a round's checks: what was observed, the rulebook, the adjudication, and what is in doubt."""

from functools import cached_property

from msgspec import Struct

from projections.engine.adjudication import UNDECIDED, Adjudication, Defect, Reckoning
from projections.engine.findings import Raised
from projections.engine.game import Game
from projections.engine.observation import Key, Paid, Round
from schemas.rulebook import Rulebook

NOTHING_PAID = Paid()


class Surplus(Struct, frozen=True, gc=False):
    """A card that was seen more often than the shoe's decks hold it.

    `card` is `9?` where it is one more of its rank than they hold, as not every suit was read, and `??` where
    it is one card more than there are in all; `holds` is then how many they hold. It is not proven where a
    round counts for it that may have been recorded twice.
    """

    hand: str
    card: str
    times: int
    is_proven: bool = True
    holds: int = 0


class RoundCase(Struct, dict=True):
    """Context of a check. `surplus` is known from the shoe's history alone."""

    observed: Round
    book: Rulebook
    game: Game
    ruled: Adjudication
    improper: dict[Key, Defect]
    void_coupons: dict[Key, Defect]
    surplus: tuple[Surplus, ...] = ()

    @cached_property
    def in_doubt(self) -> frozenset[str | Key]:
        """Return what cannot be judged: "all", "cards", "money", or single wagers."""
        return frozenset(doubt.scope for doubt in self.observed.doubts)

    @cached_property
    def cards_known(self) -> bool:
        """Return True if every card of the round was reported without contradiction."""
        return self.observed.cards_known

    @cached_property
    def money_known(self) -> bool:
        """Return True if wagers and settlement were reported without contradiction."""
        return self.observed.money_known

    def owed(self, key: Key) -> Reckoning:
        """Return what one wager is owed."""
        return self.ruled.owed.get(key, UNDECIDED)

    @cached_property
    def settlements(self) -> list[tuple[Key, Reckoning, Paid]]:
        """Pair what is owed with what was paid, wager by wager, where both are known."""
        if self.observed.paid is None or not self.money_known:
            return []
        return [
            (key, reckoning, self.observed.paid.get(key, NOTHING_PAID))
            for key, reckoning in self.ruled.owed.items()
            if reckoning.cents is not None
        ]

    @cached_property
    def missettled(self) -> list[tuple[Key, int, int]]:
        """Wagers whose gain was not what was owed: owed and observed cents.

        A difference that was corrected after the round closed still counts. What is observed is then the sum
        when the round closed, otherwise the present sum.
        """
        wrong = []
        for key, reckoning, paid in self.settlements:
            owed = reckoning.cents or 0
            stands = paid.final_gain_cents
            if paid.cents != owed or stands != owed:
                wrong.append((key, owed, paid.cents if stands == owed else stands))
        return wrong

    def unwagered(self) -> list[tuple[Key, Paid]]:
        """Return the payments for which no wager was seen, and that nothing else made due."""
        if self.observed.paid is None or not self.money_known:
            return []
        return [
            (key, paid)
            for key, paid in self.observed.paid.items()
            if key not in self.observed.wagers
            and key not in self.ruled.owed
            and key not in self.in_doubt
            and (self.cards_known or key.wager not in self.game.due_alone)
        ]


def raise_defect(defect: Defect) -> Raised:
    """Raise a defect under its kind."""
    return Raised(
        kind=defect.kind,
        message=defect.message,
        cites=defect.cites,
        who=defect.who,
        seat=defect.seat,
        wager=defect.wager,
        hand=defect.hand,
        bettor=defect.bettor,
    )
