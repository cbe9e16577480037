"""Hands of the Blackjack kind as the simulator knows them: what they count, what their owners wish."""

from collections.abc import Sequence
from random import Random
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from streams.simulator.table import Stake

Wish: TypeAlias = Literal["stand", "draw", "double", "split", "surrender"]

_TENS: Final = frozenset("TJQK")
_TWO: Final = 2
_MOST: Final = 21

# Hard totals, and what is done with them; `weak`: the dealer is likely to draw himself out.
_DOUBLED: Final = (9, 10, 11)
_LEAST_STOOD: Final = 17
_LEAST_STOOD_WEAK: Final = 12
_SURRENDERED: Final = (15, 16, 17)
_SOFT_STOOD: Final = 18
_SPLIT_ALWAYS: Final = frozenset({1, 8})
_SPLIT_WEAK: Final = frozenset({2, 3, 6, 7, 9})


class Hand(Struct):
    """A hand of a seat: its cards and stakes, and its end.

    `opening` are its first two cards as they were dealt, which a split does not change. `end` is "surrender",
    "rescue" or another word that ended it. `is_split` is true if it came from a pair. `counting` is how many
    of its cards count if it has one that must not.
    """

    name: str
    stake: Stake
    cards: list[str]
    opening: tuple[str, ...] = ()
    double: Stake | None = None
    is_split: bool = False
    end: str | None = None
    counting: int | None = None

    @property
    def counted(self) -> Sequence[str]:
        """The cards that count."""
        return self.cards if self.counting is None else self.cards[: self.counting]

    @property
    def total(self) -> int:
        """Return what a player's hand counts."""
        return total(self.counted)

    @property
    def is_over(self) -> bool:
        """Return True if the hand is over 21."""
        return self.total > _MOST

    @property
    def is_blackjack(self) -> bool:
        """Return True if it is a Blackjack: an ace and a ten-value card as the initial two."""
        return not self.is_split and is_blackjack(self.counted)

    def leave_open(self) -> None:
        """Leave open what is owed on the hand: no text settles it."""
        self.stake.is_open = True
        if self.double is not None:
            self.double.is_open = True

    @property
    def is_pair(self) -> bool:
        """Return True if it is two cards of one value, which can be split."""
        return len(self.cards) == _TWO and low(self.cards[0]) == low(self.cards[1])


def low(card: str) -> int:
    """Return a card's value, an ace as 1."""
    return 1 if card[0] == "A" else 10 if card[0] in _TENS else int(card[0])


def total(cards: Sequence[str], most: int = _MOST) -> int:
    """Count a hand: each ace 11 while the whole is not over `most`, else 1.

    >>> total(["Ah", "Kd"]), total(["Ah", "5s", "9c"]), total(["Ah", "As"]), total(["Kd", "6s", "9c"])
    (21, 15, 12, 25)
    >>> total(["Ah", "As"], 22), total(["Ah", "5s", "6c"], 22), total(["Ah", "5s", "6c"])
    (22, 22, 12)
    """
    count = sum(low(card) for card in cards)
    for card in cards:
        if card[0] == "A" and count + 10 <= most:
            count += 10
    return count


def is_soft(cards: Sequence[str]) -> bool:
    """Return True if an ace counts 11."""
    return total(cards) != sum(low(card) for card in cards)


def is_blackjack(cards: Sequence[str]) -> bool:
    """Return True if two cards are an ace and one of ten.

    >>> is_blackjack(["Ah", "Kd"]), is_blackjack(["Ah", "5d", "5s"]), is_blackjack(["Kh", "Kd"])
    (True, False, False)
    """
    return len(cards) == _TWO and {low(card) for card in cards} == {1, 10}


def wish(
    hand: Hand, rng: Random, *, weak: bool, may_split: bool, may_double_late: bool, may_surrender: bool
) -> Wish:
    """Return what a person would do with a hand under 21; most play as the books advise, some otherwise."""
    is_opening = len(hand.cards) == _TWO
    if rng.random() < 0.04:  # noqa: PLR2004  a whim
        return rng.choice(("stand", "draw"))
    if may_split and hand.is_pair and _splits(low(hand.cards[0]), rng, weak=weak):
        return "split"
    if may_surrender and is_opening and not weak and hand.total in _SURRENDERED:
        return "surrender" if rng.random() < 0.3 else "draw"  # noqa: PLR2004  some do
    may_double = is_opening or (may_double_late and rng.random() < 0.2)  # noqa: PLR2004  few do so late
    if may_double and _doubles(hand, rng, weak=weak):
        return "double"
    if is_soft(hand.cards):
        return "stand" if hand.total >= _SOFT_STOOD else "draw"
    return "stand" if hand.total >= (_LEAST_STOOD_WEAK if weak else _LEAST_STOOD) else "draw"


def _doubles(hand: Hand, rng: Random, *, weak: bool) -> bool:
    if is_soft(hand.cards):
        return weak and hand.total < _SOFT_STOOD and rng.random() < 0.3  # noqa: PLR2004  some do
    if hand.total == _LEAST_STOOD_WEAK:
        return weak and rng.random() < 0.08  # noqa: PLR2004  a bold few
    return hand.total in _DOUBLED and (weak or hand.total != min(_DOUBLED))


def _splits(value: int, rng: Random, *, weak: bool) -> bool:
    if value in _SPLIT_ALWAYS:
        return True
    if value in _SPLIT_WEAK:
        return weak
    return rng.random() < 0.05  # noqa: PLR2004  few split tens, fours or fives


def match(cards: Sequence[str], up: str) -> list[bool]:
    """Return for each of the first two cards with the up card's rank whether it has its suit too.

    >>> match(["Kd", "Ks"], "Ks"), match(["Kd", "Qd"], "Qs"), match(["Kd", "Jd"], "Qs")
    ([False, True], [False], [])
    """
    return [card[1] == up[1] for card in cards[:_TWO] if card[0] == up[0]]
