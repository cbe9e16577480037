"""Every way in which a position's hands can stand, given what was seen of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, Fact, HandRef, Listed, Word, fact, listed
from projections.engine.findings import Step
from projections.engine.games.paigow.deal import DEALER, Hands, Layout, too_many
from projections.engine.games.paigow.rules import HAND, Rules, Two, counted, rank_of, two
from projections.engine.games.paigow.setting import Parted, Setting, admitted_by, house_ways, laid, parted

# So many tiles of two positions may be unseen for their hands to be worked out. Beyond, hardly any money is
# the same whatever they were, and it is left open.
_UNSEEN_AT_MOST: Final = 2

_NOT_SEEN: Final = Hands()
_WRONGLY: Final = "hand_set_wrongly"


class PositionHands(Struct, dict=True):
    """The hands of one position, among all of a round."""

    rules: Rules
    shown: Layout
    position: str

    @property
    def hands(self) -> Hands:
        """Its tiles, as far as they were seen."""
        return self.shown.hands.get(self.position, _NOT_SEEN)

    @property
    def by_dealer(self) -> bool:
        """Whether the dealer sets them, by the house's submission."""
        return self.shown.set_by_dealer(self.position)

    @cached_property
    def left(self) -> Counter[str]:
        """What the set still holds besides all tiles that were seen."""
        seen = Counter(tile for hands in self.shown.hands.values() for tile in hands.tiles)
        return Counter({tile: times - seen[tile] for tile, times in self.rules.ranking.in_set.items()})

    @property
    def unseen(self) -> int:
        """How many of its four tiles no one saw."""
        return 2 * HAND - len(self.hands.tiles)

    @property
    def unseen_of(self) -> str:
        """Return of which hands tiles were not seen."""
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

        Where he did, 535.12(f) has them set anew: every way that he was to choose from then counts.
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
        """Put into the place of each unseen tile every one that the set still holds.

        Tiles unseen at two positions at once are not weighed against each other: more is taken to be possible
        than is, and money is left open rather than settled wrongly.
        """
        if self.unseen == 0:
            yield two(self.hands.high), two(self.hands.low)
            return
        highs, lows = self._filled(self.hands.high), self._filled(self.hands.low)
        for (high, drawn), (low, also) in product(highs, lows):
            taken = Counter(drawn + also)
            if all(times <= self.left[tile] for tile, times in taken.items()):
                yield high, low

    def _filled(self, tiles: Sequence[str]) -> list[tuple[Two, tuple[str, ...]]]:
        held = [tile for tile, times in self.left.items() if times > 0]
        return [
            (two((*tiles, *drawn)), drawn) for drawn in combinations_with_replacement(held, HAND - len(tiles))
        ]

    def set_wrongly(self) -> Defect | None:
        """Say that the dealer set the hands against the text or the house's submission."""
        if not self.by_dealer or self.surplus is not None or self.unseen > _UNSEEN_AT_MOST:
            return None
        if not self.settings[1]:
            return None
        message = fact(
            "games.paigow.set_otherwise",
            position=HandRef(self.position),
            anew=self._anew if self.unseen == 0 else None,
        )
        return Defect(_WRONGLY, message, (self.set_by, "535.10(d)"), who=self.position)

    @property
    def as_set(self) -> tuple[Step, ...]:
        """Return how a player set his hands, 535.10(a), and what they count."""
        laid_so = Step(fact("games.paigow.players_hands", hands=self._as_laid), "535.10(a)")
        if not all(each.crossed for each in self.settings[0]):
            return (laid_so,)
        return laid_so, Step(fact("games.paigow.higher_is_high"), "535.1")

    @cached_property
    def set_anew(self) -> tuple[Step, ...]:
        """Return how hands that the dealer set wrongly come to be set anew; nothing where it is not known."""
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
        """The clause that has the dealer set the hands, and set them anew where they are his."""
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
    """Whether enough of two positions was seen for their hands to be compared."""
    return all(each.surplus is None for each in both) and sum(e.unseen for e in both) <= _UNSEEN_AT_MOST
