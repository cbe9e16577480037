"""What a game says of a round: who won, what is owed on each wager and why, and which cards were wrong.

The form is the same for every game; `projections.games` holds the games.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from projections.round import Key, Round
from schemas.rulebook import Rulebook

Result: TypeAlias = Literal["win", "lose", "push"]


class Defect(Struct, frozen=True, gc=False):
    """A card or an act that the rules of play did not allow, or asked for in vain."""

    check: str
    message: str
    cites: tuple[str, ...]
    who: str | None = None
    seat: int | None = None
    wager: str | None = None
    bettor: str | None = None


class Ruling(Struct, frozen=True, gc=False):
    """How the hands decide one kind of wager, and at which odds it is paid where it wins."""

    result: Result
    cite: str
    odds: Fraction | None = None
    odds_cite: str | None = None


class Vigorish(Struct, frozen=True, gc=False):
    """What the law takes of the amount won: expected by the house's choice, exact, rounded; in cents.

    `exact` has lost its fraction of a cent where `fraction` says so. `basis` is the amount won.
    """

    expected: int
    exact: int
    rounded: int
    fraction: bool
    basis: int
    rate: Fraction
    cite: str


class Reckoning(Struct, frozen=True, gc=False):
    """What one wager is owed: the player's gain in cents before vigorish, and the figures it comes from.

    `cents` is None where no text tells, or where it hangs on a card that was not read.
    """

    cents: int | None
    ruling: Ruling | None = None
    stake: int = 0
    added: int = 0
    coupon: int = 0
    fraction: bool = False
    vigorish: Vigorish | None = None

    @property
    def vigorish_cents(self) -> int | None:
        """The vigorish owed, in cents; None where the money itself is."""
        if self.cents is None:
            return None
        return self.vigorish.expected if self.vigorish is not None else 0


UNDECIDED = Reckoning(cents=None)


class Adjudication(Struct, gc=False):
    """A game's judgement of one round.

    `calls` are the announcements that are right or that the text leaves undecided; empty where none can
    be judged. `uncertain` says that it hangs on an unread card whether the cards were dealt rightly.
    """

    outcome: str | None
    owed: dict[Key, Reckoning]
    calls: Collection[str] = ()
    defects: tuple[Defect, ...] = ()
    uncertain: bool = False


class Game(Protocol):
    """What each package under projections/games provides.

    `hands_dealt` are the names under which cards lie, `words` what else may stand in a record's play.
    """

    @property
    def hands_dealt(self) -> tuple[str, ...]:
        """Names of the hands."""

    @property
    def calls(self) -> tuple[str, ...]:
        """Results that can be announced."""

    @property
    def words(self) -> Collection[str]:
        """Words of the play."""

    def adjudicate(
        self, seen: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a round; the money of `improper` wagers is left open, `void_coupons` count for nothing."""

    def vigorish_on(self, amount: int, wager: str, book: Rulebook) -> Vigorish | None:
        """Reckon the vigorish on an amount won with a wager, or None where none is taken."""

    def hands(self, seen: Round) -> list[tuple[str, list[str]]]:
        """Give the hands by name with their cards, as a person lays them out."""

    def count(self, cards: Sequence[str]) -> int | None:
        """Count the cards of a hand as the game does; None where one was not read."""

    def reasons(self, seen: Round, book: Rulebook) -> list[tuple[str, str]]:
        """Tell the play step by step: a sentence and the provision that it stands on."""
