"""Chapter 535 as the simulator knows it, worked from the text by hand."""

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Tile: TypeAlias = str
Hand: TypeAlias = tuple[Tile, Tile]
Set: TypeAlias = tuple[Hand, Hand]  # the high hand and the low hand, as they are laid
Worth: TypeAlias = tuple[int, int, int]  # of a pair; of the value; of the highest tile: more is better
Result: TypeAlias = Literal["win", "lose", "tie"]

# 535.4(f): the tiles from the highest individual rank down; those on one line rank equally.
_LADDER: Final = (
    "6-6 6-6",
    "1-1 1-1",
    "4-4 4-4",
    "3-1 3-1",
    "5-5 5-5",
    "3-3 3-3",
    "2-2 2-2",
    "6-5 6-5",
    "6-4 6-4",
    "6-1 6-1",
    "5-1 5-1",
    "6-3 5-4",
    "6-2 5-3",
    "5-2 4-3",
    "2-4",
    "4-1 3-2",
    "1-2",
)
SET: Final[tuple[Tile, ...]] = tuple(tile for line in _LADDER for tile in line.split())
RANK: Final = {tile: rank for rank, line in enumerate(_LADDER, 1) for tile in line.split()}

# 535.4(a): the pairs from the first rank down; those on one line rank equally.
_PAIRS: Final = (
    "2-4/1-2",
    "6-6/6-6",
    "1-1/1-1",
    "4-4/4-4",
    "3-1/3-1",
    "5-5/5-5",
    "3-3/3-3",
    "2-2/2-2",
    "6-5/6-5",
    "6-4/6-4",
    "6-1/6-1",
    "5-1/5-1",
    "6-3/5-4",
    "5-3/6-2",
    "4-3/5-2",
    "4-1/3-2",
    "6-6/5-4 6-6/6-3",
    "1-1/5-4 1-1/6-3",
    "6-6/6-2 6-6/5-3 6-6/4-4",
    "1-1/6-2 1-1/5-3 1-1/4-4",
)
_PAIR_RANK: Final = {
    frozenset(pair.split("/")): rank for rank, line in enumerate(_PAIRS, 1) for pair in line.split()
}
_SUPREME: Final = frozenset({"2-4", "1-2"})
_LAST: Final = 100
_PLAYED: Final = (7, 8, 9)  # 535.10(d)(3)

# 535.8(c): the positions as they are counted, counterclockwise from the dealer.
CIRCLE: Final = ("dealer", "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "dead")


class Ways(Struct, frozen=True):
    """Choices of the house at a table."""

    vigorish_rounding_cents: Literal[0, 25] = 0
    player_bank: bool = False
    co_bank: bool = False
    house_way: Literal["any", "best_high", "best_low"] = "any"
    low_above_high: Literal["by_rank", "lose"] = "by_rank"
    abandoned_wager: Literal["lose", "settle"] = "lose"


def _counts(tile: Tile) -> list[tuple[int, int]]:
    """Return the spots and the rank that a tile may count as, 535.4(d)."""
    if tile in _SUPREME:
        return [(3, 17), (6, 15)]
    high, low = tile.split("-")
    return [(int(high) + int(low), RANK[tile])]


@cache
def worth(hand: Hand) -> Worth:
    """Return the rank of a hand, 535.4(a), (c) to (f): by its pair, its value, its highest tile.

    The text's own examples, and a 1-2 that counts as 6 with a 1-1:

    >>> worth(("1-1", "3-3"))[1], worth(("6-5", "6-1"))[1], worth(("1-2", "1-1"))[1]
    (8, 8, 8)
    >>> worth(("2-4", "1-2")) > worth(("6-6", "6-6")) > worth(("6-6", "5-4")) > worth(("5-5", "5-4"))
    True
    >>> worth(("6-6", "6-5")) < worth(("4-1", "3-1")) < worth(("6-6", "5-3"))
    True
    """
    rank = _PAIR_RANK.get(frozenset(hand))
    if rank is not None:
        return (_LAST - rank, 0, 0)
    first, second = hand
    return max(
        (0, (spots + others) % 10, _LAST - min(one, other))
        for spots, one in _counts(first)
        for others, other in _counts(second)
    )


def is_zero(hand: Hand) -> bool:
    """Return True if a hand is of value zero; a pair has no value.

    >>> is_zero(("6-4", "5-5")), is_zero(("5-5", "5-5")), is_zero(("6-6", "4-4"))
    (True, False, False)
    """
    return worth(hand)[:2] == (0, 0)


def in_order(laid: Set) -> Set:
    """Return the better hand first: that one is the high hand, 535.1."""
    first, second = laid
    return (second, first) if worth(second) > worth(first) else laid


def compare(player: Set, dealer: Set) -> Result:
    """Compare a player's hands, high hand first, with the dealer's or the bank's, 535.10(g), (h), (j).

    What is identical loses; a low hand of zero loses, even to a lower zero.

    >>> dealer = (("6-4", "6-4"), ("6-6", "5-1"))
    >>> copied = (("1-1", "1-1"), ("5-1", "6-6"))
    >>> dealer = (("6-4", "6-4"), ("6-6", "5-1"))
    >>> compare((("1-1", "1-1"), ("5-3", "6-5")), dealer), compare(copied, dealer)
    ('win', 'tie')
    """
    high = worth(player[0]) > worth(dealer[0])
    low = worth(player[1]) > worth(dealer[1]) and not is_zero(player[1])
    if high and low:
        return "win"
    return "tie" if high or low else "lose"


def against(player: Set, dealer: Set, ways: Ways) -> Result:
    """Return the result of a player's hands as they were laid; a low hand above the high one may lose."""
    if ways.low_above_high == "lose" and in_order(player) != player:
        return "lose"
    return compare(in_order(player), in_order(dealer))


def settings(tiles: Sequence[Tile]) -> list[Set]:
    """Return the three ways in which four tiles can be set, the better hand first."""
    found = []
    for other in tiles[1:]:
        rest = list(tiles)
        rest.remove(tiles[0])
        rest.remove(other)
        found.append(in_order((_hand(tiles[0], other), _hand(*rest))))
    return found


def _hand(one: Tile, other: Tile) -> Hand:
    return (one, other) if (RANK[one], one) <= (RANK[other], other) else (other, one)


def house_ways(tiles: Sequence[Tile], ways: Ways) -> list[Set]:
    """Return the settings that are open to the dealer, 535.10(d), and that the house submitted.

    >>> house_ways(["2-4", "6-6", "1-2", "6-6"], Ways())
    [(('2-4', '1-2'), ('6-6', '6-6'))]
    >>> house_ways(["6-4", "2-2", "6-1", "3-2"], Ways())
    [(('2-2', '3-2'), ('6-4', '6-1'))]
    >>> house_ways(["6-6", "6-5", "5-5", "6-4"], Ways())
    [(('6-6', '6-4'), ('5-5', '6-5'))]
    """
    found = _admitted(tiles)
    if ways.house_way == "any":
        return found
    place = 0 if ways.house_way == "best_high" else 1
    best = max(worth(each[place]) for each in found)
    return [each for each in found if worth(each[place]) == best]


def _admitted(tiles: Sequence[Tile]) -> list[Set]:
    every = settings(tiles)
    if set(tiles) >= _SUPREME:
        return [each for each in every if any(frozenset(hand) == _SUPREME for hand in each)]
    paired = [each for each in every if any(worth(hand)[0] > 0 for hand in each)]
    if paired:
        return paired
    valued = [each for each in every if any(worth(hand)[1] in _PLAYED for hand in each)]
    if valued:
        return valued
    ranks = [RANK[tile] for tile in tiles]
    ends = {min(ranks), max(ranks)}
    return [each for each in every if any({RANK[tile] for tile in hand} == ends for hand in each)]


def first_stack(total: int, banker: str = "dealer") -> str:
    """Return the position that gets the first stack, 535.8(c), 535.11(j): counted from dealer or bank.

    >>> first_stack(9), first_stack(15), first_stack(3, "seat3")
    ('dealer', 'seat6', 'seat5')
    """
    return CIRCLE[(CIRCLE.index(banker) + total - 1) % len(CIRCLE)]


def stacks_from(first: str) -> list[str]:
    """Return all positions in the order in which they get their stacks, 535.8(d)."""
    place = CIRCLE.index(first)
    return [*CIRCLE[place:], *CIRCLE[:place]]


def vigorish(won: int, rounding: int) -> int:
    """Return 5% of an amount won in cents, 535.10(k): rounded up to a multiple, or its fraction dropped.

    >>> vigorish(2500, 0), vigorish(2550, 0), vigorish(2550, 25), vigorish(2500, 25), vigorish(-2500, 25)
    (125, 127, 150, 125, 0)
    """
    if won <= 0:
        return 0
    return -(-won // (20 * rounding)) * rounding if rounding else won // 20


def surplus_of(tiles: Sequence[Tile]) -> Tile | None:
    """Return the first tile that is there more often than in the set."""
    left = list(SET)
    for tile in tiles:
        if tile not in left:
            return tile
        left.remove(tile)
    return None
