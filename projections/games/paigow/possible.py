"""Every way in which a position's hands can stand, given what was seen of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Final

from msgspec import Struct

from projections.games.paigow.dealing import too_many
from projections.games.paigow.layout import Hands, Layout
from projections.games.paigow.rules import Rules, Two, two
from projections.games.paigow.setting import Parted, Setting, house_ways, laid, parted
from projections.hand.adjudication import Defect

_HAND: Final = 2  # tiles, 535.1

# So many tiles of two positions may be unseen for their hands to be worked out. Beyond, hardly any money is
# the same whatever they were, and it is left open.
_UNSEEN_AT_MOST: Final = 2

_NOT_SEEN: Final = Hands()
_WRONGLY: Final = "hand_set_wrongly"


class Standing(Struct, dict=True):
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
        return 2 * _HAND - len(self.hands.tiles)

    @property
    def unseen_of(self) -> str:
        """Say of which hands tiles were not seen."""
        halves = [
            f"{self.position}.{half}"
            for half, tiles in (("high", self.hands.high), ("low", self.hands.low))
            if len(tiles) < _HAND
        ]
        return self.position if len(halves) == _HAND else halves[0]

    @cached_property
    def surplus(self) -> Defect | None:
        """A tile too many, from which no text goes on."""
        return too_many(self.position, self.hands)

    @cached_property
    def settings(self) -> tuple[tuple[Setting, ...], bool]:
        """Give every setting that may count, and whether the dealer set the tiles wrongly whatever they were.

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
            (two((*tiles, *drawn)), drawn)
            for drawn in combinations_with_replacement(held, _HAND - len(tiles))
        ]

    def set_wrongly(self) -> Defect | None:
        """Say that the dealer set the hands against the text or the house's submission."""
        if not self.by_dealer or self.surplus is not None or self.unseen > _UNSEEN_AT_MOST:
            return None
        if not self.settings[1]:
            return None
        whose = "his hands" if self.position == "dealer" else f"the hands of {self.position}"
        clauses = ("535.12(f)", "535.10(d)") if self.position == "dealer" else ("535.11(e)", "535.10(d)")
        message = f"the dealer set {whose} otherwise than the text and the house's submission ask"
        if self.unseen == 0:
            anew = " or ".join(" with ".join(map(" ".join, way)) for way in self.ways_anew)
            message += f", which is {anew}"
        return Defect(_WRONGLY, message, clauses, who=self.position)

    @property
    def ways_anew(self) -> list[Parted]:
        """Give the ways in which the dealer may set four tiles that were seen."""
        return self._house_ways(self.hands.tiles)

    def _house_ways(self, tiles: Sequence[str]) -> list[Parted]:
        return house_ways(self.rules, tuple(sorted(tiles)))


def comparable(*both: Standing) -> bool:
    """Whether enough of two positions was seen for their hands to be compared."""
    return all(each.surplus is None for each in both) and sum(e.unseen for e in both) <= _UNSEEN_AT_MOST
