"""Interface of the packages under projections/engine/games: one object that answers for a game."""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import ClassVar, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from projections.engine.adjudication import Adjudication, Defect, Vigorish
from projections.engine.facts import Fact
from projections.engine.findings import Kind
from projections.engine.observation import Doubt, Key, Move, Round
from projections.engine.side_wagers import Ending
from schemas.events import Source
from schemas.rulebook import Rulebook

MOVES: Final[frozenset[str]] = frozenset(get_args(Move))
_SEAT: Final = re.compile(r"seat[1-9][0-9]*(\.[a-z0-9]+)?(/.+)?")

# A step of the play, and the provision it stands on.
Reason: TypeAlias = tuple[Fact, str]


class Laid(Struct, frozen=True):
    """A hand as it lay: its cards or tiles as dealt, and what they count; None if one was not read."""

    hand: str
    cards: tuple[str, ...]
    point_count: int | str | None


class Discards(Struct, frozen=True):
    """Place of the cards of a round that is over, in the text's word, and the provision."""

    called: str
    cite: str


# The trade's displays of the results of hands: every hand of two sides, runs of one side, the dealer's
# totals, the bank against the seats, rolls.
RoadName: TypeAlias = Literal["bead_plate", "big_road", "dealer", "bank", "rolls"]


class Game(ABC):
    """A game's interface for the audit; methods that are not abstract suit a game without such a thing.

    `calls` are the results that can be announced, `counted_hands` those whose final Point Count is announced
    beside it, `kinds` the checks that only this game adds. Where `wagers_close` the dealer announces "no more
    bets" once a round; otherwise each wager has its own time, and stands in the play. The dealer wagers as
    seat 0 if `dealer_wagers`. `due_alone` is what can be due to one who did not wager it. `own_time` is what
    is wagered during play, and only until something is done in it, each with the provision that says so.
    `false_positives` says for a check, and where it is given for the provision cited first, what would make a
    finding of it wrong at this game, where that is not what the check says of all games. `reads` are the
    sources that tell of what it is played with where that is not cards. `discards` is where cards go when
    their round is over; None if a game has none, or no text says it. `side_parts` is what conditions of a
    side wager's pay table can ask of its rounds. `roads` are those that its results are laid out in, and
    `winners` what is called otherwise than the side that won.
    """

    calls: ClassVar[Collection[str]] = ()
    counted_hands: ClassVar[tuple[str, ...]] = ()
    wagers_close: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = ()
    dealer_wagers: ClassVar[bool] = False
    due_alone: ClassVar[frozenset[str]] = frozenset()
    own_time: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    false_positives: ClassVar[Mapping[tuple[str, str | None], str]] = {}
    reads: ClassVar[frozenset[Source]] = frozenset()
    discards: Discards | None = None
    side_parts: ClassVar[frozenset[str]] = frozenset()
    roads: ClassVar[tuple[RoadName, ...]] = ()
    winners: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def fault(self, who: str, what: str) -> str | None:
        """Return what is wrong with an act of the play, in the words of the round record; None if nothing.

        It is not called for "no more bets" and the moves of a wager, which every game has.
        """

    @abstractmethod
    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a round; the money of `improper` wagers is left open, `void_coupons` count for nothing."""

    @abstractmethod
    def hands(self, observed: Round) -> list[Laid]:
        """Return the hands of the round with their cards and point counts."""

    @abstractmethod
    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the play step by step: each step and the provision that it stands on."""

    def made_during_play(self, key: Key) -> bool:
        """Return True if a wager is one that is made after "no more bets": a double, a split hand's."""
        del key
        return False

    def time_ended(self, wager: str, play: Sequence[tuple[str, str]]) -> Collection[int]:
        """Return the places in a play of what ends the time of a wager that has its `own_time`."""
        del wager, play
        return ()

    def side_endings(
        self, observed: Round, book: Rulebook, key: Key, parts: frozenset[str]
    ) -> Iterable[Ending]:
        """Return how a round can have ended for a side wager: once for each way to read its cards.

        `parts` is what its pay table asks for; nothing else of the endings is needed.
        """
        del observed, book, key, parts
        return ()

    def wager_faults(self, observed: Round, book: Rulebook) -> dict[Key, Defect]:
        """Return the wagers that this game's own rules do not allow at their place."""
        del observed, book
        return {}

    def coupon_fault(self, key: Key, observed: Round, book: Rulebook) -> Defect | None:
        """Return why a Match Play Coupon may not lie under a wager of this game."""
        del key, observed, book
        return None

    def doubts(self, observed: Round) -> list[Doubt]:
        """Return the doubts that depend on the order of acts that the clocks do not decide."""
        del observed
        return []

    def vigorish_on(self, gain: int, stake: int, wager: str, book: Rulebook) -> Vigorish | None:
        """Compute the vigorish where a stake gained so much, or was returned; None if none is taken.

        Both are in cents.
        """
        del gain, stake, wager, book
        return None


def fault_of(game: Game, who: str, what: str) -> str | None:
    """Return what is wrong with an act of the play, also for acts that every game has; None if nothing.

    Every game has "no more bets" and the moves of a wager.
    """
    if (who, what) == ("dealer", "no_more_bets"):
        return None
    if who.startswith("seat"):
        if not _SEAT.fullmatch(who):
            return f"{who!r} takes no part in this game"
        move, _, wager = what.partition(" ")
        if move in MOVES and wager:
            return None
    return game.fault(who, what)
