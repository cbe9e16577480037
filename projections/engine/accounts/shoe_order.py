"""The order in which a shoe's cards came, compared with orders that they had before.

The order of a shuffled shoe does not depend on an earlier order of its cards. Three figures show dependence:
the longest run of cards that were in the same order before, how many neighbours were neighbours before, and
into how many rising sequences of the earlier order the new one falls. Earlier orders are a new deck's, and
those of the table's last two shoes (two, as batches may take turns) as their cards were dealt and as they lay
in the discard rack, hand by hand. Each is read both ways, as a stack may be turned over.

Half of the false alarms that a house accepts belongs to runs, whose chance is bounded exactly. A quarter each
belongs to neighbours and rising sequences, whose critical values were measured on shuffled shoes (`make
shuffles`).
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from string import ascii_letters
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.observation import Round
from projections.engine.pack import Pack
from schemas.values import CARDS, RANKS, SUITS

Source: TypeAlias = Literal["factory", "last_shoe", "shoe_before_last"]

TABLE: Final = Path(__file__).with_name("shuffles.json")
CERTAIN: Final = 1_000_000_000  # one shuffled shoe in so many has a run that is held to be proof

_LETTERS: Final = {
    rank + suit: letter
    for letter, (suit, rank) in zip(ascii_letters, ((s, r) for s in SUITS for r in RANKS), strict=True)
}
_UNREAD: Final = "."  # an unknown card, and a place where cards are missing
_APART: Final = "\n"
# New decks, as the two usual presses pack them: the suits, and which of them run from the king down.
_NEW_DECKS: Final = ("sdCH", "hcDS")
_ARRANGEMENTS: Final = 3  # of a shoe's discards: as dealt, hand by hand, and the hands the other way round
_SHOES: Final = 2
_GRAM: Final = 4  # cards that are looked up at once


class Run(Struct, frozen=True):
    """Cards in an order that they had before: from the `start`-th card of the shoe on, so many."""

    start: int
    length: int
    source: Source

    @property
    def end(self) -> int:
        """The place of the card after it."""
        return self.start + self.length

    def joined(self, other: "Run") -> "Run":
        """Return the run that two make which overlap: an order of decks one upon the other repeats itself."""
        start = min(self.start, other.start)
        return Run(start, max(self.end, other.end) - start, self.source)


class RoundWagers(Struct, frozen=True):
    """A round by its first card's place in the shoe, and what each seat wagered in it, in cents."""

    number: str
    start: int
    wagers: dict[int, int]


class Likeness(Struct, frozen=True):
    """A whole shoe's likeness to an earlier order, beyond what chance allows by one of the two figures.

    `neighbours` were neighbours before, about `expected` by chance; `matched` cards fall into so many
    `rising` sequences.
    """

    source: Source
    neighbours: int
    expected: int
    rising: int
    matched: int


class ShoeOrder(Struct, frozen=True):
    """A shoe's cards in their order, a letter each, and its likenesses to earlier orders.

    `arrangements` are the cards as dealt, then as they lie in the rack. `references` are the earlier orders,
    `looked` how far they were searched, `rounds` those that a run may reach into or did.
    """

    arrangements: tuple[str, str, str] = ("", "", "")
    references: str = ""
    looked: int = 0
    runs: tuple[Run, ...] = ()
    rounds: tuple[RoundWagers, ...] = ()
    likeness: Likeness | None = None
    is_over: bool = False

    @property
    def dealt(self) -> str:
        """The cards as they left the shoe."""
        return self.arrangements[0]

    def then(self, observed: Round, pack: Pack, one_in: int) -> "ShoeOrder":
        """Return the order with a round's cards, and the runs that they go on with or make."""
        acts = [("burn", card) for card in observed.burned]
        acts += [act for act in observed.play if act[1] in CARDS]
        if observed.covered:
            acts = [("discard", "??")]
        wagers: dict[int, int] = {}
        for key, wager in observed.wagers.items():
            wagers[key.seat] = wagers.get(key.seat, 0) + wager.cents
        rounds = (*self.rounds, RoundWagers(observed.number, len(self.dealt), wagers))
        return self._looked_up(_with(self.arrangements, acts), rounds, least_run(pack, one_in))

    def _looked_up(
        self, arrangements: tuple[str, str, str], rounds: tuple[RoundWagers, ...], least: int
    ) -> "ShoeOrder":
        """Return the order with what was not looked up yet, and with the rounds that a run can still reach.

        No run of the least length fits between two looks.
        """
        runs, cards, looked = self.runs, arrangements[0], self.looked
        for at in range(looked, len(cards) - _GRAM + 1, least - _GRAM + 1):
            found = _longest(cards, at, self.references)
            # A run that begins here, and is not all dealt, may go on with the next cards.
            if found is None or at + least <= len(cards):
                looked = at + least - _GRAM + 1
            if found is not None and found.length >= least:
                is_on = bool(runs) and runs[-1].source == found.source and found.start <= runs[-1].end
                runs = (*runs[:-1], runs[-1].joined(found)) if is_on else (*runs, found)
        ends = (*(each.start for each in rounds[1:]), len(cards))
        remaining = tuple(
            each
            for each, end in zip(rounds, ends, strict=True)
            if end > looked - least or any(each.start < run.end and end > run.start for run in runs)
        )
        return replace(self, arrangements=arrangements, looked=looked, runs=runs, rounds=remaining)

    def end(self, rest: Iterable[str], pack: Pack, one_in: int) -> "ShoeOrder":
        """Return the order of a shoe that has ended, with what was left in it and what it is like."""
        written = "".join(_LETTERS.get(card, _UNREAD) for card in rest)
        dealt, by_hand, other_way = (each + written for each in self.arrangements)
        likeness = _likeness(dealt, self.references, pack, one_in)
        return replace(self, arrangements=(dealt, by_hand, other_way), likeness=likeness, is_over=True)

    def during(self, run: Run) -> list[RoundWagers]:
        """Return the rounds in which cards of a run were dealt."""
        ends = [*(each.start for each in self.rounds[1:]), len(self.dealt)]
        return [
            each
            for each, end in zip(self.rounds, ends, strict=True)
            if each.start < run.end and end > run.start
        ]


def _with(arrangements: tuple[str, str, str], acts: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
    """Return each arrangement with a round's cards."""
    letters = [_LETTERS.get(card, _UNREAD) for _, card in acts]
    hands: dict[str, str] = {}
    for (hand, _), letter in zip(acts, letters, strict=True):
        hands[hand] = hands.get(hand, "") + letter
    dealt, by_hand, other_way = arrangements
    return (
        dealt + "".join(letters),
        by_hand + "".join(hands.values()),
        other_way + "".join(reversed(hands.values())),
    )


# ── Runs: the same cards one after another as before ──────────────────────────────────────────────────


def orders_to_compare(arrangements: Sequence[str], earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the orders that are compared with the next shoe once one has ended."""
    return (*arrangements, *earlier)[: _ARRANGEMENTS * _SHOES]


def references(pack: Pack, earlier: Sequence[str]) -> str:
    """Return the orders that a shoe's is compared with: new decks', then earlier shoes', the last first."""
    return _APART.join((*_new_decks(pack), *earlier))


@cache
def _new_decks(pack: Pack) -> tuple[str, ...]:
    """Return new decks of each press, stacked."""
    decks = []
    for suits in _NEW_DECKS:
        deck = "".join(
            _LETTERS[rank + suit.lower()]
            for suit in suits
            for rank in (pack.ranks if suit.islower() else reversed(pack.ranks))
        )
        decks.append(deck * 2)  # as many as show every order of two neighbours
    return tuple(decks)


def _source(references: str, place: int) -> Source:
    """Return of what order a place in the references is."""
    segment = references.count(_APART, 0, place) - len(_NEW_DECKS)
    if segment < 0:
        return "factory"
    return "last_shoe" if segment < _ARRANGEMENTS else "shoe_before_last"


def _longest(order: str, at: int, references: str) -> Run | None:
    """Return the longest run through the cards at a place; None if they were never in that order.

    >>> _longest("ABCDEFGH", 3, "ABCDEFGX"), _longest("ABCDEFGH", 3, "XGFEDCBA")  # back to its first card
    (Run(start=0, length=7, source='factory'), Run(start=0, length=7, source='factory'))
    """
    gram, best = order[at : at + _GRAM], None
    if _UNREAD in gram:
        return None
    for step in (1, -1):
        sought = gram[::step]
        place = references.find(sought)
        while place >= 0:
            first, last = (place, place + _GRAM - 1)[::step]
            before = _match_length(order, at - 1, -1, references, first - step, -step)
            after = _match_length(order, at + _GRAM, 1, references, last + step, step)
            if best is None or before + _GRAM + after > best.length:
                best = Run(at - before, before + _GRAM + after, _source(references, place))
            place = references.find(sought, place + 1)
    return best


def _match_length(order: str, at: int, forward: int, references: str, place: int, step: int) -> int:
    """Count the cards from two places on that are the same."""
    count = 0
    while (
        0 <= at < len(order)
        and 0 <= place < len(references)
        and order[at] == references[place]
        and order[at] != _UNREAD
    ):
        at, place, count = at + forward, place + step, count + 1
    return count


@cache
def chance_of_run(length: int, pack: Pack) -> Fraction:
    """Return a bound on the chance that a shuffled shoe has a run of at least so many cards.

    It is the expected number of such runs. For each place of the shoe and each place and direction of the
    references, it is the chance that each card in turn is the one at that place. At most as many of that card
    are left as the pack holds.
    """
    places = pack.size - length + 1
    lengths = [*map(len, _new_decks(pack)), *[pack.size] * (_ARRANGEMENTS * _SHOES)]
    chance = Fraction(places * 2 * max(1, sum(max(0, each - length + 1) for each in lengths)))
    for drawn in range(length):
        chance *= Fraction(pack.decks, pack.size - drawn)
    return chance


@cache
def least_run(pack: Pack, one_in: int) -> int:
    """Return how many cards a run must have to be worth a finding: half of the alarms are those of runs."""
    length = _GRAM
    while chance_of_run(length, pack) > Fraction(1, 2 * one_in):
        length += 1
    return length


# ── The whole shoe: neighbours that were neighbours, and rising sequences ─────────────────────────────


class Critical(Struct, frozen=True):
    """Critical values of the figures: neighbours above the expected number, rising sequences below it."""

    neighbours: dict[int, int]
    rising: dict[int, int]


@cache
def _table() -> dict[str, Critical]:
    return msgspec.json.decode(TABLE.read_bytes(), type=dict[str, Critical], strict=False)


def pack_name(pack: Pack) -> str:
    """Return a pack's name in the table of critical values.

    >>> pack_name(Pack(8)), pack_name(Pack(6, "A23456789JQK"))
    ('8 x 52', '6 x 48')
    """
    return f"{pack.decks} x {pack.kinds}"


def _likeness(order: str, references: str, pack: Pack, one_in: int) -> Likeness | None:
    """Return to what order a shoe is like beyond chance, by neighbours or rising sequences."""
    critical = _table().get(pack_name(pack))
    if critical is None:
        return None
    places = _places(order)
    for place, reference in enumerate(compared(references.split(_APART))):
        neighbours, expected = neighbours_of(order, reference, pack)
        rising, matched = _fewest_rising(places, reference)
        if (
            neighbours - expected >= critical.neighbours[one_in]
            or Fraction(matched + 1, 2) - rising >= critical.rising[one_in]
        ):
            source: Source = "factory" if place < len(_NEW_DECKS) else "last_shoe"
            if place > len(_NEW_DECKS):
                source = "shoe_before_last"
            return Likeness(source, neighbours, round(expected), rising, matched)
    return None


def compared(orders: Sequence[str]) -> list[str]:
    """Return the references whose likeness to a whole shoe is measured: new decks, and shoes as dealt."""
    return [*orders[: len(_NEW_DECKS)], *orders[len(_NEW_DECKS) :: _ARRANGEMENTS]]


def neighbours_of(order: str, reference: str, pack: Pack) -> tuple[int, Fraction]:
    """Return how many neighbours were neighbours before, whichever came first; and how many chance makes so.

    >>> neighbours_of("ABC", "CBZ", Pack(1))  # B and C were; 4 of the 52 x 51 ordered pairs, twice
    (1, Fraction(2, 663))
    >>> neighbours_of("AAB", "AA", Pack(2))  # two aces were; 2 of the 104 x 103 ordered pairs, twice
    (1, Fraction(1, 2678))
    >>> neighbours_of("", "ABC", Pack(1))  # of a shoe whose cards nobody saw
    (0, Fraction(0, 1))
    """
    pairs, same_card = _pairs(reference)
    ways = (len(pairs) - same_card) * pack.decks**2 + same_card * pack.decks * (pack.decks - 1)
    expected = Fraction(max(0, len(order) - 1) * ways, pack.size * (pack.size - 1))
    return sum(first + second in pairs for first, second in pairwise(order)), expected


@lru_cache(maxsize=64)  # a new deck's are asked for at each shoe's end, a shoe's at the ends of the next two
def _pairs(reference: str) -> tuple[frozenset[str], int]:
    """Return the neighbours in a reference, either way, and how many of them are two of one card."""
    pairs = {first + second for first, second in pairwise(reference) if _UNREAD not in (first, second)}
    pairs |= {pair[::-1] for pair in pairs}
    return frozenset(pairs), sum(pair[0] == pair[1] for pair in pairs)


def rising_sequences(order: str, reference: str) -> tuple[int, int]:
    """Return into how many rising sequences of a reference an order falls, and of how many cards.

    Cards of one kind are taken in turn: the first of them for the first. A rising sequence is as many cards
    in a row of the reference as are met in one pass through the order; one riffle leaves two, k leave 2**k
    at most. Where the reference read backwards leaves fewer, those count.

    >>> rising_sequences("AXBYCZ", "ABCXYZ"), rising_sequences("CBA", "ABC")
    ((2, 6), (1, 3))
    """
    return _fewest_rising(_places(order), reference)


def _places(order: str) -> dict[str, list[int]]:
    """Return at what places of an order each card is."""
    places: dict[str, list[int]] = {}
    for at, letter in enumerate(order):
        places.setdefault(letter, []).append(at)
    places.pop(_UNREAD, None)
    return places


def _fewest_rising(places: Mapping[str, Sequence[int]], reference: str) -> tuple[int, int]:
    return min(_rising(places, reference), _rising(places, reference[::-1]))


def _rising(places: Mapping[str, Sequence[int]], reference: str) -> tuple[int, int]:
    turns = {letter: iter(ats) for letter, ats in places.items()}
    met = [at for letter in reference if letter in turns and (at := next(turns[letter], -1)) >= 0]
    return sum(at < last for last, at in pairwise(met)) + bool(met), len(met)
