"""Pai Gow (535) as predicates: each function states one lettered clause; the checks that it adds."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, Final, TypeAlias

from msgspec import Struct

from projections.engine.facts import Fact, Word, fact
from projections.engine.findings import Kind
from schemas.law_text import chapter
from schemas.rulebook import Rulebook

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Chapter 535 as predicates: how tiles, pairs and hands of two tiles rank, and how the dealer sets his.
# `Rules` is a rulebook prepared for these predicates, once for many rounds. Tiles are written as `canonical`
# writes them.

CHAPTER: Final = "535"
HAND: Final = 2  # tiles, 535.1

# Two tiles, in the order of their spelling.
Two: TypeAlias = tuple[str, str]


class Rank(Struct, frozen=True, order=True, gc=False):
    """Rank of a hand of two tiles, 535.4: the greater the higher, and equal ones are a copy.

    `pair` is 0 without a permissible pair, else it grows towards the Supreme Pair; `value` and `tile` (the
    higher of the two, as a negative rank) only count where there is none.
    """

    pair: int
    value: int = 0
    tile: int = 0

    @property
    def is_zero(self) -> bool:
        """Return True if the hand has a value of zero; a pair, Wong or Gong has no value, 535.4(a), (c)."""
        return self.pair == 0 and self.value == 0


class Ranking(Struct, frozen=True, eq=False):
    """The set of tiles and its ranks: `counts` gives for a tile what it counts and its rank at that count."""

    in_set: Mapping[str, int]
    counts: Mapping[str, tuple[tuple[int, int], ...]]
    pairs: Mapping[Two, int]
    called: Mapping[int, str]

    @property
    def supreme(self) -> int:
        """The pair that ranks above all."""
        return max(self.called)


class Rules(Struct, frozen=True, eq=False):
    """Chapter 535's figures of one day together with a house's choices, for the predicates below."""

    ranking: Ranking
    areas: int
    together: frozenset[int]
    odds: Fraction
    vigorish_rate: Fraction
    vigorish_unit: int
    vigorish_rounds: bool
    co_bank_share: Fraction
    offers: Mapping[str, bool]
    house_way: str
    low_above_high_loses: bool
    abandoned_loses: bool


@lru_cache(maxsize=256)
def rules_of(book: Rulebook) -> Rules:
    """Convert a rulebook of Chapter 535 to the form that the predicates use."""
    chosen = book.options
    return Rules(
        ranking=ranking_on(book.day),
        areas=book.number("betting_areas").value,
        together=frozenset(book.number("dealer_plays_together").value),
        odds=book.odds("odds"),
        vigorish_rate=book.odds("vigorish_rate"),
        vigorish_unit=book.number("vigorish_rounding_unit").value,
        vigorish_rounds=chosen["vigorish_rounding_cents"] != 0,
        co_bank_share=book.odds("co_bank_share"),
        offers={"bank": chosen["player_bank"], "co_bank": chosen["co_bank"]},
        house_way=chosen["house_way"],
        low_above_high_loses=chosen["low_above_high"] == "lose",
        abandoned_loses=chosen["abandoned_wager"] == "lose",
    )


@lru_cache(maxsize=256)
def ranking_on(day: date) -> Ranking:
    """Return the ranking of the text of a day; before the first text it is that text's."""
    law = chapter(CHAPTER)
    figures = law.numbers_on(law.newest(day))
    ranks, counts_as = figures["tile_ranks"].value, figures["counts_as"].value
    pairs: Sequence[Sequence[Any]] = figures["pairs"].value
    return Ranking(
        in_set=figures["tiles_in_set"].value,
        counts={
            tile: tuple(counts_as[tile].items()) if tile in counts_as else ((pips(tile), rank),)
            for tile, rank in ranks.items()
        },
        pairs={two(tiles): len(pairs) - n for n, (_, *same) in enumerate(pairs) for tiles in same},
        called={len(pairs) - n: name for n, (name, *_) in enumerate(pairs)},
    )


def pips(tile: str) -> int:
    """Count the spots of a tile.

    >>> pips("6-5"), pips("1-2")
    (11, 3)
    """
    return int(tile[0]) + int(tile[-1])


@lru_cache(maxsize=64)
def canonical(tile: str) -> str:
    """Write a tile with its higher pips first, but the two of the Supreme Pair as the text names them.

    >>> canonical("5-6"), canonical("6-5"), canonical("4-2"), canonical("1-2")
    ('6-5', '6-5', '2-4', '1-2')
    """
    low, high = sorted((tile[0], tile[-1]))
    return f"{low}-{high}" if low + high in ("24", "12") else f"{high}-{low}"


def two(tiles: Iterable[str]) -> Two:
    """Sort two tiles by their spelling."""
    first, second = sorted(tiles)
    return first, second


def count_of(ranking: Ranking, tiles: Sequence[str]) -> str | None:
    """Return what a hand counts: its pair by name and rank, or its value.

    None if it was not seen whole.
    """
    if len(tiles) != HAND:
        return None
    rank = rank_of(ranking, two(tiles))
    if rank.pair == 0:
        return f"value {rank.value}"
    name = ranking.called[rank.pair]
    return name if rank.pair == ranking.supreme else f"{name}, rank {ranking.supreme - rank.pair + 1}"


def counted(ranking: Ranking, tiles: Sequence[str]) -> Fact | None:
    """Return what a hand counts as a fact; None if it was not seen whole."""
    if len(tiles) != HAND:
        return None
    rank = rank_of(ranking, two(tiles))
    if rank.pair == 0:
        return fact("games.paigow.value", value=rank.value)
    is_supreme = rank.pair == ranking.supreme
    return fact(
        "games.paigow.pair",
        pair=Word(ranking.called[rank.pair]),
        rank=None if is_supreme else ranking.supreme - rank.pair + 1,
    )


@lru_cache(maxsize=4096)
def rank_of(ranking: Ranking, tiles: Two) -> Rank:
    """Rank a hand of two tiles, 535.4(a), (c)-(f).

    A tile of the Supreme Pair that is used separately counts as 3 or 6, whichever makes the hand rank higher,
    and its individual rank changes with it, 535.4(d).
    """
    pair = ranking.pairs.get(tiles)
    if pair is not None:
        return Rank(pair)
    first, second = tiles
    return max(
        Rank(0, (spots + others) % 10, -min(rank, other_rank))
        for (spots, rank), (others, other_rank) in product(ranking.counts[first], ranking.counts[second])
    )


# ── The check that only Pai Gow adds, and what makes those that it shares wrong at a table of tiles ────

HAND_SET_WRONGLY: Final = Kind(
    "hand_set_wrongly",
    severity="critical",
    asks="Did the dealer set his hands, or the co-bank's, as the text and the house's submission ask?",
    false_positives="A tile read as another; hands set anew that the reader did not see.",
)
KINDS: Final = (HAND_SET_WRONGLY,)

_STACKS: Final = (
    "A stack keyed for the wrong position, or not keyed; hands that the reader saw in another order."
)
_TILES: Final = "A tile read as another, or read twice."
_EXPOSED: Final = (
    "A tile keyed or read as shown that lay face down, or was shown once the hands were over; a wager there "
    "that was not read; a call of void that was not keyed."
)
_DICE: Final = (
    'Dice read wrongly, or a "no roll" that was not keyed; a first stack keyed for the wrong position; a '
    "call of void that was not keyed."
)

FALSE_POSITIVES: Final[Mapping[tuple[str, str | None], str]] = {
    ("void_not_called", "535.12(c)"): _DICE,
    ("void_not_called", "535.12(e)"): _EXPOSED,
    ("card_order_wrong", None): _STACKS,
    ("card_missing", None): _STACKS,
    (
        "card_extra",
        None,
    ): "A stack keyed twice; a tile read twice, or hands set anew that were not keyed as such.",
    ("card_not_in_deck", None): _TILES,
}
