"""The boxes of a table where hands split: their wagers, the first two cards, and the other wagers."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from streams.simulator.dealing import Dealing
from streams.simulator.games.hands import Hand, is_blackjack, low, match
from streams.simulator.kinds import Kind
from streams.simulator.naming import money_check
from streams.simulator.patrons import SIDES, Patron
from streams.simulator.sitting import Chance
from streams.simulator.table import Made, Round, Stake

BOX_FAULTS: Final[Mapping[str, Kind]] = {
    "dealt_to_dealer_too_soon": Kind("card_order_wrong", 0.006, "round"),
    "insurance_without_ace": Kind("wager_not_permitted", 0.001, "box where the up card is no ace"),
    "insurance_paid_even": Kind("paid_too_little", 0.15, "Insurance Wager that wins"),
    "insurance_left": Kind("loser_not_collected", 0.06, "Insurance Wager that loses"),
    "suited_match_paid_unsuited": Kind("paid_too_little", 0.2, "match of the same suit"),
    "matched_by_value": Kind("paid_too_much", 0.06, "Match-the-Dealer Wager with another ten-value card"),
}

SIDE_WAGERS: Final = frozenset({"insurance", "match_the_dealer"})

_ACE: Final = "A"
_TEN: Final = 10
_SMALL: Final = (500, 1000, 2000)  # cents; some wager less than most
_RARELY: Final = 0.004
_FACE_UP: Final = 0.0003


class Boxes(Dealing):
    """A table whose players have boxes against the dealer; `mains` is the one wager that a box is for."""

    friends: ClassVar[bool] = False
    longest: ClassVar[int] = 104  # the cover card stands a quarter of eight decks from the end, 551.5(e)

    @abstractmethod
    def match_odds(self) -> tuple[int, int] | None:
        """Return what a matching card of the same and of another suit pays to 1.

        None if none is offered.
        """

    @property
    def has_blackjack(self) -> bool:
        """Return True if the dealer has a Blackjack."""
        return is_blackjack(self.dealer[:2])

    def wishes(self, patron: Patron) -> Iterator[tuple[str, int]]:
        """Yield the game's wager to make, and now and then a Match-the-Dealer Wager of no more than that."""
        if self.rng.random() < 0.08:  # noqa: PLR2004  some sit a round out
            return
        cents = self.rng.choice(_SMALL) if self.rng.random() < 0.12 else self.stake_of(patron)  # noqa: PLR2004  one in eight
        yield self.mains[0], cents
        # By now it is there, unless it was withdrawn.
        lies = (patron.seat, None, self.mains[0], None) in self.current.stakes
        if lies and self.match_odds() is not None and self.rng.random() < patron.likes_sides:
            yield "match_the_dealer", min(self.rng.choice(SIDES), cents)

    def open_boxes(self, current: Round) -> None:
        """Begin a hand for each box with a wager; now and then overlook one, 551.16(h), 685a.12(f)."""
        stakes = sorted(current.stakes.values(), key=lambda stake: stake.patron.seat)
        self.seats = {
            stake.patron.seat: [Hand(f"seat{stake.patron.seat}", stake, [])]
            for stake in stakes
            if stake.wager == self.mains[0] and stake.cents and not _came_late(current, stake)
        }
        self.dealer: list[str] = []
        self.found_face_up = False
        if len(self.seats) > 1 and self.rng.random() < _RARELY:
            del self.seats[self.rng.choice(list(self.seats))]

    def errs(self, current: Round, kind: str, *, who: str | None = None, stake: Stake | None = None) -> bool:
        """Make a fault if the occasion is taken: with cards of a hand, or with a stake.

        A stake that is left out was nobody's: no reader reports who would have placed it.
        """
        if not self.table.strikes(kind, current):
            return False
        seat, bettor, wager, _ = stake.key if stake is not None else (None, None, None, None)
        is_left_out = kind in {"double_without_stake", "split_without_stake"}
        current.made = Made(kind, seat, None if is_left_out else bettor, wager, who)
        return True

    def deal_two(self, current: Round) -> None:
        """Deal two cards to each box and the dealer, 551.8(d), 685a.7(e), mostly in the right order."""
        first = [hands[0] for hands in self.seats.values()]
        rounds: list[list[Hand | None]] = [[*first, None], [*first, None]]
        if self.errs(current, "dealt_to_dealer_too_soon", who="dealer"):
            rounds[0][-2:] = [None, first[-1]]
        elif current.made is None:
            self.deal_otherwise(rounds)
        for hand in [*rounds[0], *rounds[1]]:
            cards, name = (self.dealer, "dealer") if hand is None else (hand.cards, hand.name)
            cards.append(self.draw(current, name))
        for hand in first:
            hand.opening = tuple(hand.cards)
        self.script.wait(1000, 2000)

    def deal_otherwise(self, rounds: list[list[Hand | None]]) -> None:
        """Deal one box its second card after the others have theirs, now and then; changes `rounds` in place.

        551.16(h) and 685a.12(f) provide for this. None in `rounds` is the dealer.
        """
        if self.rng.random() < _RARELY:
            late = self.rng.randrange(len(rounds[1]) - 1)
            rounds[1].insert(-1, rounds[1].pop(late))

    def draw(self, current: Round, hand: str, *, place: int | None = None) -> str:
        """Deal a card; one found face up before it goes to the discard rack, 551.16(a), 685a.12(a)."""
        if self.rng.random() < _FACE_UP and not self.found_face_up:
            self.found_face_up = True
            self.discard(current)
            return self.draw(current, hand, place=place)  # the game may not deal the one behind it either
        return super().draw(current, hand, place=place)

    def offer_insurance(self, current: Round) -> None:
        """Offer Insurance Wagers where the up card is an ace, 551.10, 685a.8; rarely where it is not."""
        for (hand,) in self.seats.values():
            if self.dealer[0][0] == _ACE:
                if not hand.stake.is_open and self.insures(current, hand):
                    self._insure(current, hand)
            elif self.table.strikes("insurance_without_ace", current) and not hand.stake.is_open:
                stake = self._insure(current, hand)
                stake.is_open = True
                current.made = Made(
                    "insurance_without_ace", stake.patron.seat, stake.patron.bettor, "insurance", hand.name
                )

    def insures(self, current: Round, hand: Hand) -> bool:
        """Return True if a person takes insurance."""
        del current, hand
        return self.rng.random() < 0.35  # noqa: PLR2004  a good third do

    def _insure(self, current: Round, hand: Hand) -> Stake:
        half = max(100, hand.stake.cents // 200 * 100)
        stake = Stake(hand.stake.patron, "insurance", half)
        self.wager_in_play(current, stake)
        return stake

    def side_times(self, stake: Stake, hand: Hand) -> int:
        """Return how many times itself an Insurance or a Match-the-Dealer Wager gains."""
        if stake.wager == "insurance":
            return 2 if self.has_blackjack else -1  # 551.10(c), 685a.11(b)
        return self.matched(hand.opening, *(self.match_odds() or (0, 0)))

    def matched(self, cards: Sequence[str], same: int, other: int) -> int:
        """Return what a Match-the-Dealer Wager gains at these odds: each matching card pays, 551.7(a)."""
        return sum(same if suited else other for suited in match(cards, self.dealer[0])) or -1

    def side_chances(self, stake: Stake, owed: int) -> Iterator[Chance]:
        """Pay an Insurance or a Match-the-Dealer Wager by a wrong rule."""
        if stake.wager == "insurance":
            yield from self.paid_as("insurance_paid_even", stake, owed, stake.cents if owed > 0 else owed)
            yield from self.paid_as("insurance_left", stake, owed, 0)
        elif stake.wager == "match_the_dealer" and stake.patron.seat in self.seats:
            cards, up = self.seats[stake.patron.seat][0].opening, self.dealer[0]
            _, other = self.match_odds() or (0, 0)
            if any(match(cards, up)):
                wrong = stake.cents * self.matched(cards, other, other)
                yield from self.paid_as("suited_match_paid_unsuited", stake, owed, wrong)
            if owed < 0 and low(up) == _TEN in [low(card) for card in cards]:
                yield from self.paid_as("matched_by_value", stake, owed, stake.cents * other)

    def paid_as(self, kind: str, stake: Stake, owed: int, wrong: int) -> Iterator[Chance]:
        """Yield a mistake in paying if it is one, and one of its kind."""
        if wrong != owed and money_check(owed, wrong) == self.kinds[kind].check:
            yield kind, stake, wrong, 0


def _came_late(current: Round, stake: Stake) -> bool:
    made = current.made
    return made is not None and (made.kind, made.seat) == ("placed_late", stake.patron.seat)
