"""The baccarat chapters as the simulator knows them, worked from the texts by hand: cards, gains, vigorish.

All money is whole cents; a gain is the player's, before vigorish: winnings without the stake, 0 if the stake
is returned, minus the stake where it is lost.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

MAIN: Final = ("player", "banker")
BONUSES: Final = ("dragon_bonus_player", "dragon_bonus_banker")

# 631a.11(c)(2): for each Point Count of the Banker's two cards, the values of the Player's third on which
# the Banker draws.
BANKER_DRAWS_ON: Final = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}

# 631a.13(e): pay table -> winning margin of a hand that is no Natural -> how many to 1.
BONUS_PAYS: Final = {
    "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1},
    "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1},
    "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2},
}


class Ways(Struct, frozen=True, omit_defaults=True):
    """Choices of the house at a table, under the names of the Rules Submission's options."""

    ez: bool = False
    vigorish: Literal["5%", "4%", "25% on tie"] = "5%"
    vigorish_rounding_cents: int = 0
    vigorish_deferred: bool = False
    tie_odds: int = 8
    dragon_bonus: Literal["A", "B", "C"] | None = None
    house_money: bool = False
    house_money_portion: Literal["1", "1/2"] = "1"
    house_money_vigorish: Literal["whole", "original"] = "whole"
    disclosed_card: Literal["discard", "simulate"] = "discard"

    def offers(self, wager: str) -> bool:
        """Return True if the layout has a spot for the wager.

        >>> Ways().offers("tie"), Ways().offers("dragon_7"), Ways(dragon_bonus="C").offers(BONUSES[0])
        (True, False, True)
        """
        if wager in BONUSES:
            return self.dragon_bonus is not None
        if wager in ("dragon_7", "panda_8"):
            return self.ez
        if wager == "house_money":
            return self.house_money
        return wager in (*MAIN, "tie")


class Result(Struct, frozen=True):
    """The two hands as they count."""

    player: tuple[str, ...]
    banker: tuple[str, ...]

    @property
    def winner(self) -> str:
        """`player`, `banker` or `tie`."""
        ours, theirs = points(self.player), points(self.banker)
        return "tie" if ours == theirs else "player" if ours > theirs else "banker"

    @property
    def dragon_7(self) -> bool:
        """Banker 7 on three cards over a Player below 7, 631a.1."""
        return len(self.banker) == 3 and points(self.banker) == 7 and points(self.player) < 7  # noqa: PLR2004  631a.1's own figures

    @property
    def panda_8(self) -> bool:
        """Player 8 on three cards over a Banker below 8, 631a.1."""
        return len(self.player) == 3 and points(self.player) == 8 and points(self.banker) < 8  # noqa: PLR2004  631a.1's own figures

    @property
    def pairs(self) -> int:
        """Return how many of the hands hold a pair by rank in their first two cards, 631a.8(a)(7)."""
        return is_pair(self.player) + is_pair(self.banker)

    def call(self, *, ez: bool) -> str:
        """Return what the dealer announces, 631a.12(a)."""
        if ez and self.dragon_7:
            return "dragon_7"
        if ez and self.panda_8:
            return "panda_8"
        return self.winner


_VALUES: Final = {"A": 1} | {str(spots): spots for spots in range(2, 10)}


def value(card: str) -> int:
    """Return a card's value, 631a.6(a).

    >>> [value(card) for card in ("Ah", "9c", "Td", "Ks")]
    [1, 9, 0, 0]
    """
    return _VALUES.get(card[0], 0)


def face_value(card: str) -> int:
    """Return the value that counts for burning cards, 631a.5(f).

    >>> [face_value(card) for card in ("Ah", "9c", "Td", "Ks")]
    [1, 9, 10, 10]
    """
    return value(card) or 10


def points(cards: Sequence[str]) -> int:
    """Return a hand's Point Count, 631a.6(b).

    >>> points(["As", "2h", "9d"])
    2
    """
    return sum(map(value, cards)) % 10


def is_natural(cards: Sequence[str]) -> bool:
    """Return True if a hand is a Natural, 631a.1."""
    return len(cards) == 2 and points(cards) in (8, 9)  # noqa: PLR2004  631a.1's own figures


def is_pair(cards: Sequence[str]) -> bool:
    """Return True if the first two cards are of one rank, 631a.8(a)(7)(i)."""
    return len(cards) > 1 and cards[0][0] == cards[1][0]


def player_draws(player: Sequence[str]) -> bool:
    """Return True if the Player's Hand takes a third card where neither hand is a Natural, 631a.11(b)."""
    return points(player[:2]) in (0, 1, 2, 3, 4, 5)


def banker_draws(banker: Sequence[str], players_third: str | None) -> bool:
    """Return True if the Banker's Hand takes a third card where neither hand is a Natural, 631a.11(c).

    >>> banker_draws(["5c", "Kd"], "4h"), banker_draws(["6c", "Kd"], None)
    (True, False)
    """
    count = points(banker[:2])
    if players_third is None:
        return count in (0, 1, 2, 3, 4, 5)
    return str(value(players_third)) in BANKER_DRAWS_ON[count]


def lawful(cards: Sequence[str]) -> tuple[Result, int]:
    """Deal a round by the text from the cards to come: the hands, and how many cards the round needs.

    The need may be one above what there is; then the hands are short and the round cannot be completed.
    """
    player, banker = list(cards[0:3:2]), list(cards[1:4:2])
    need = 4
    if len(cards) >= need and not (is_natural(player) or is_natural(banker)):
        third = None
        if player_draws(player):
            third = cards[need] if len(cards) > need else None
            need += 1
            player += [third] if third else []
        if len(cards) >= need and banker_draws(banker, third):
            banker += cards[need : need + 1]
            need += 1
    return Result(tuple(player), tuple(banker)), need


def gain(wager: str, stake: int, result: Result, ways: Ways) -> int:
    """Return what a wager gains in cents, stake and what was added together, 631a.8(a), 631a.13."""
    if wager in BONUSES:
        own, other = result.player, result.banker
        return bonus_gain(stake, *((own, other) if wager == BONUSES[0] else (other, own)), ways.dragon_bonus)
    if wager == "house_money":
        return stake * {0: -1, 1: 3, 2: 15}[result.pairs]
    if wager == "dragon_7":
        return stake * (40 if result.dragon_7 else -1)
    if wager == "panda_8":
        return stake * (25 if result.panda_8 else -1)
    return gain_as_called(wager, stake, result.call(ez=ways.ez), ways)


def gain_as_called(wager: str, stake: int, call: str, ways: Ways) -> int:
    """Return what a wager on the result itself gains under an announcement, in cents, 631a.8(a)(1) to (3).

    >>> [gain_as_called("banker", 2500, call, Ways()) for call in ("banker", "dragon_7", "tie", "panda_8")]
    [2500, 0, 0, -2500]
    """
    if wager == "dragon_7":
        return stake * (40 if call == "dragon_7" else -1)
    if wager == "panda_8":
        return stake * (25 if call == "panda_8" else -1)
    if wager == "tie":
        return stake * (ways.tie_odds if call == "tie" else -1)
    if call == "tie" or (wager == "banker" and call == "dragon_7"):
        return 0
    winner = {"dragon_7": "banker", "panda_8": "player"}.get(call, call)
    return stake if wager == winner else -stake


def bonus_gain(stake: int, own: Sequence[str], other: Sequence[str], table: str | None) -> int:
    """Return what a Dragon Bonus on the hand `own` gains in cents, 631a.8(a)(4), 631a.13(e)."""
    margin = points(own) - points(other)
    if is_natural(own):
        if is_natural(other):
            return stake * ((margin > 0) - (margin < 0))
        return stake
    return stake * BONUS_PAYS[table or "A"].get(margin, -1)


# What vigorish may be rounded up to: 631a.13(c); 545.13(d); 541.13(d), 543.13(d), as 627a and 629a too.
UNITS: Final[Mapping[str, Mapping[str, int]]] = {
    "631a": {"5%": 25},
    "545": {"5%": 25, "4%": 20},
    **{each: dict.fromkeys(("5%", "4%", "25% on tie"), 5) for each in ("541", "543", "627a", "629a")},
}
PERCENT: Final = {"5%": 5, "4%": 4, "25% on tie": 25}
ON_TIE: Final = "25% on tie"

# Twelve to sixteen decks are two batches, one of which is in the shoe, 541.3(b).
BATCH: Final = {12: 6, 14: 7, 16: 8}
# The chapters that know no wagers but Player, Banker and Tie, 541.8(a), 543.8(a), 545.8(a).
THREE_WAGERS: Final = frozenset({"541", "543", "545"})
# The chapters that allow a simulated round without wagers if a card was disclosed, 631a.15(c)(2), (d).
SIMULATING: Final = frozenset({"631a"})
# The chapters by which a disclosed surplus third card is never the Banker's, 541.14(c), 543.14(c), 545.15(c).
DISCARDING: Final = frozenset({"541", "543", "545", "627a", "629a"})


def vigorish(amount: int, rounding: int, percent: int = 5) -> int:
    """Return the vigorish on an amount in cents: a fraction dropped, or up to a multiple, 631a.13(c).

    >>> vigorish(12500, 0), vigorish(12500, 25), vigorish(10000, 25), vigorish(750, 0)
    (625, 625, 500, 37)
    >>> vigorish(2600, 25)
    150
    """
    hundredths = amount * percent
    if rounding:
        return -(-hundredths // (100 * rounding)) * rounding
    return hundredths // 100


def portion(payout: int, ways: Ways) -> int:
    """Return how much of a House Money payout may be added to a wager, in cents, 631a.9(e)(1)(i).

    >>> portion(1500, Ways(house_money_portion="1/2"))
    750
    """
    return payout // 2 if ways.house_money_portion == "1/2" else payout
