"""Four tiles set into a high and a low hand: every way, the dealer's ways, and how two settings compare."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.adjudication import Defect, Result
from projections.engine.facts import CardRef, Fact, HandRef, Listed, Word, fact, listed
from projections.engine.findings import Step
from projections.engine.games.paigow.play import DEALER, Hands, TileLayout, too_many
from projections.engine.games.paigow.rules import (
    HAND,
    HAND_SET_WRONGLY,
    Rank,
    Rules,
    Two,
    counted,
    rank_of,
    two,
)

# Four tiles split into two hands, in the order of their spelling: the same however they were laid.
Parted: TypeAlias = tuple[Two, Two]


class Setting(Struct, frozen=True, gc=False):
    """Four tiles as they are set, 535.1: the high hand is the one that ranks higher.

    `crossed` is true if they were laid the other way round.
    """

    high: Rank
    low: Rank
    crossed: bool = False


def parted(one: Sequence[str], other: Sequence[str]) -> Parted:
    """Return two hands of two tiles in one form, whichever is high."""
    first, second = sorted((two(one), two(other)))
    return first, second


def laid(rules: Rules, high: Two, low: Two) -> Setting:
    """Set two hands as they were laid; by definition the better one is the high hand, 535.1."""
    above, below = rank_of(rules.ranking, high), rank_of(rules.ranking, low)
    return Setting(below, above, crossed=True) if below > above else Setting(above, below)


def ways(tiles: Sequence[str]) -> list[Parted]:
    """Return every way to split four tiles: three, or fewer if tiles are equal.

    >>> ways(("6-6", "6-6", "5-1", "4-1"))
    [(('4-1', '5-1'), ('6-6', '6-6')), (('4-1', '6-6'), ('5-1', '6-6'))]
    """
    a, b, c, d = sorted(tiles)
    return list(dict.fromkeys((parted((a, b), (c, d)), parted((a, c), (b, d)), parted((a, d), (b, c)))))


@lru_cache(maxsize=1 << 12)
def house_ways(rules: Rules, tiles: tuple[str, ...]) -> list[Parted]:
    """Return the ways in which the dealer may set four tiles, 535.10(d), within the house's own way.

    If the text admits several, the house may play the best high or the best low hand. If two are equally good
    in that, both are returned.
    """
    _, admitted = admitted_by(rules, tiles)
    if rules.house_way == "any" or len(admitted) == 1:
        return admitted
    judged = {way: laid(rules, *way) for way in admitted}
    high = rules.house_way == "best_high"
    worth = {way: each.high if high else each.low for way, each in judged.items()}
    best = max(worth.values())
    return [way for way, rank in worth.items() if rank == best]


def admitted_by(rules: Rules, tiles: Sequence[str]) -> tuple[str, list[Parted]]:
    """Return the paragraph of 535.10(d) by which the dealer sets four tiles, and the ways that it admits."""
    every = ways(tiles)
    ranked = {way: [rank_of(rules.ranking, hand) for hand in way] for way in every}
    clauses: Mapping[str, Callable[[Rank], bool]] = {
        "535.10(d)(1)": lambda rank: rank.pair == rules.ranking.supreme,
        "535.10(d)(2)": lambda rank: rank.pair > 0,
        "535.10(d)(3)": lambda rank: rank.pair == 0 and rank.value in rules.together,
    }
    for clause, asks in clauses.items():
        if plays := [way for way in every if any(map(asks, ranked[way]))]:
            return clause, plays
    return "535.10(d)(4)", [way for way in every if _highest_with_lowest(rules, way, tiles)]


def _highest_with_lowest(rules: Rules, way: Parted, tiles: Sequence[str]) -> bool:
    """535.10(d)(4), at either rank of a tile of the Supreme Pair: (d)(4) does not say how it counts there."""
    counts = rules.ranking.counts
    for ranks in product(*([rank for _, rank in counts[tile]] for tile in tiles)):
        by_rank = sorted(zip(ranks, tiles, strict=True))
        if two((by_rank[0][1], by_rank[-1][1])) in way:
            return True
    return False


@lru_cache(maxsize=1 << 12)
def decides(player: Setting, house: Setting) -> tuple[Result, str]:
    """Compare a player's hands with the dealer's or bank's: what happens to his wager, by which clause.

    Equal hands are a copy, which the dealer or bank wins (535.4(b), (g)); a low hand of zero never wins
    (535.10(g), (h)(1)).
    """
    high = player.high > house.high
    low = player.low > house.low and not player.low.is_zero
    if high:
        return ("win", "535.10(j)") if low else ("push", "535.10(h)(1)")
    return ("push", "535.10(h)(2)") if low else ("lose", "535.10(g)")


def decides_dealers(dealer: Setting, bank: Setting) -> Result | None:
    """Compare the dealer's hands with the bank's, 535.11(n).

    The text does not say whether a low hand of zero costs the dealer what it costs a player: None if that
    matters.
    """
    higher = [dealer.high > bank.high, dealer.low > bank.low]
    result: Result = "win" if all(higher) else "push" if any(higher) else "lose"
    return result if decides(dealer, bank)[0] == result else None


# ── Every way in which a position's hands can stand, given what was seen of them ──────────────────────

# So many tiles of two positions may be unseen for their hands to be worked out. Beyond, hardly any money is
# the same whatever they were, and it is left open.
_UNSEEN_AT_MOST: Final = 2

_NOT_SEEN: Final = Hands()


class PositionHands(Struct, dict=True):
    """The hands of one position, among all of a round."""

    rules: Rules
    layout: TileLayout
    position: str

    @property
    def hands(self) -> Hands:
        """Its tiles, as far as they were seen."""
        return self.layout.hands.get(self.position, _NOT_SEEN)

    @property
    def by_dealer(self) -> bool:
        """Return True if the dealer sets them, by the house's submission."""
        return self.layout.set_by_dealer(self.position)

    @cached_property
    def left(self) -> Counter[str]:
        """Return what the set still holds besides all tiles that were seen."""
        seen = Counter(tile for hands in self.layout.hands.values() for tile in hands.tiles)
        return Counter({tile: times - seen[tile] for tile, times in self.rules.ranking.in_set.items()})

    @property
    def unseen(self) -> int:
        """Return how many of its four tiles no one saw."""
        return 2 * HAND - len(self.hands.tiles)

    @property
    def unseen_of(self) -> str:
        """Return the hands with tiles that were not seen."""
        halves = [
            f"{self.position}.{half}"
            for half, tiles in (("high", self.hands.high), ("low", self.hands.low))
            if len(tiles) < HAND
        ]
        return self.position if len(halves) == HAND else halves[0]

    @cached_property
    def surplus(self) -> Defect | None:
        """A tile too many, from which no text goes on."""
        return too_many(self.position, self.hands)

    @cached_property
    def settings(self) -> tuple[tuple[Setting, ...], bool]:
        """Return every setting that may count, and whether the dealer surely set the tiles wrongly.

        If he did, 535.12(f) requires them to be set again: then every way that he could choose counts.
        """
        found: dict[Setting, None] = {}
        wrong = by_dealer = self.by_dealer
        for high, low in self._completed():
            allowed = self._house_ways((*high, *low)) if by_dealer else ()
            if not by_dealer or parted(high, low) in allowed:
                wrong = False
                found[laid(self.rules, high, low)] = None
            else:
                found.update(dict.fromkeys(laid(self.rules, *way) for way in allowed))
        return tuple(found), wrong

    def _completed(self) -> Iterator[tuple[Two, Two]]:
        """Replace each unseen tile by every one that the set still holds.

        Tiles unseen at two positions at once are not weighed against each other: more is taken to be possible
        than is, and money is left open rather than settled wrongly.
        """
        if self.unseen == 0:
            yield two(self.hands.high), two(self.hands.low)
            return
        highs, lows = self._filled(self.hands.high), self._filled(self.hands.low)
        for (high, filling), (low, also) in product(highs, lows):
            taken = Counter(filling + also)
            if all(times <= self.left[tile] for tile, times in taken.items()):
                yield high, low

    def _filled(self, tiles: Sequence[str]) -> list[tuple[Two, tuple[str, ...]]]:
        remaining = [tile for tile, times in self.left.items() if times > 0]
        return [
            (two((*tiles, *filling)), filling)
            for filling in combinations_with_replacement(remaining, HAND - len(tiles))
        ]

    def set_wrongly(self) -> Defect | None:
        """Return the defect if the dealer set the hands against the text or the house's submission."""
        if not self.by_dealer or self.surplus is not None or self.unseen > _UNSEEN_AT_MOST:
            return None
        if not self.settings[1]:
            return None
        message = fact(
            "games.paigow.set_otherwise",
            position=HandRef(self.position),
            anew=self._anew if self.unseen == 0 else None,
        )
        return Defect(HAND_SET_WRONGLY, message, (self.set_by, "535.10(d)"), who=self.position)

    @property
    def as_set(self) -> tuple[Step, ...]:
        """Return how a player set his hands, 535.10(a), and what they count."""
        laid_so = Step(fact("games.paigow.players_hands", hands=self._as_laid), "535.10(a)")
        if not all(each.crossed for each in self.settings[0]):
            return (laid_so,)
        return laid_so, Step(fact("games.paigow.higher_is_high"), "535.1")

    @cached_property
    def set_anew(self) -> tuple[Step, ...]:
        """Return the steps by which wrongly set hands of the dealer are set again; empty if unknown."""
        if self.set_wrongly() is None:
            return ()
        position = HandRef(self.position)
        as_set = fact("games.paigow.hands_as_set", position=position, hands=self._as_laid)
        sets = "535.10(c)" if self.position == DEALER else self.set_by
        steps = Step(as_set, sets), Step(fact("games.paigow.are_set_anew"), self.set_by)
        if self.unseen > 0:
            return steps
        clause, _ = admitted_by(self.rules, self.hands.tiles)
        anew = fact("games.paigow.hands_set_anew", position=position, ways=self._anew)
        return (*steps, Step(anew, clause))

    @property
    def set_by(self) -> str:
        """The clause by which the dealer sets the hands, or sets them again if they are his."""
        return "535.12(f)" if self.position == DEALER else "535.11(e)"

    @property
    def _ways_anew(self) -> list[Parted]:
        """The ways in which the dealer may set four tiles that were seen, the high hand first."""
        ranking = self.rules.ranking
        ways = (
            sorted(way, key=lambda hand: rank_of(ranking, hand), reverse=True)
            for way in self._house_ways(self.hands.tiles)
        )
        return [(high, low) for high, low in ways]

    @property
    def _anew(self) -> Listed:
        return listed(*(self._both(*way) for way in self._ways_anew))

    @property
    def _as_laid(self) -> Fact:
        return self._both(self.hands.high, self.hands.low)

    def _both(self, high: Sequence[str], low: Sequence[str]) -> Fact:
        return fact("games.paigow.both", high=self._half("high", high), low=self._half("low", low))

    def _half(self, half: str, tiles: Sequence[str]) -> Fact:
        return fact(
            "games.paigow.half",
            half=Word(half),
            tiles=listed(*map(CardRef, tiles)),
            counts=counted(self.rules.ranking, tiles),
        )

    def _house_ways(self, tiles: Sequence[str]) -> list[Parted]:
        return house_ways(self.rules, tuple(sorted(tiles)))


def comparable(*both: PositionHands) -> bool:
    """Return True if enough of two positions was seen for their hands to be compared."""
    return all(each.surplus is None for each in both) and sum(e.unseen for e in both) <= _UNSEEN_AT_MOST
