"""Every deal of the baccarat chapters counted exactly, through the very functions that judge hands.

A deal is an ordered sequence of six cards of a full pack: where the tableau stops at four or five, every
order of the cards that would have followed counts. So all counts of one number of decks have one sum.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Any, Final, TypeAlias

from msgspec.structs import astuple

from projections.engine.games.baccarat.play import Deal, Valued, deal, possible_pairs
from projections.engine.games.baccarat.rules import Rules, rules_of, value
from projections.engine.games.baccarat.wagers import first_two, reckon, winner
from projections.engine.games.proving import BookOf, Proven, earned, most_of
from projections.engine.games.side_wager_proof import Deals, first_two_dealt
from projections.engine.side_wagers import CardSet, Ending, asks_for_faces, parts_of
from schemas.errors import LawError
from schemas.law_text import chapter
from schemas.rulebook import Rulebook
from schemas.side_wagers import PayLine
from schemas.values import RANKS, SUITS, dollars

_SIX: Final = 6  # the most cards that a round takes, 631a.10(c)
_FIRST_FOUR: Final = ("player", "banker", "player", "banker")  # 631a.9(c)

# A stake on which all odds and rates of the chapter give whole cents, so that nothing is dropped.
_STAKE: Final = 10_000

_EZ: Final = {"ez": True}

# The wagers that depend on how the hands end; House Money depends on what they begin with.
_ON_HANDS: Final = (
    "banker",
    "player",
    "tie",
    "dragon_bonus_player",
    "dragon_bonus_banker",
    "dragon_7",
    "panda_8",
)

# How a deal ends, and how many hands begin with a pair, where it was looked at -> in so many deals.
_Ends: TypeAlias = Mapping[tuple[Deal, int], int]

# The Point Counts of the first two cards of both hands, with the third cards so far.
_Place: TypeAlias = tuple[tuple[int, int], tuple[Valued, ...]]
# How the hands stand there, and to which of them the next card is due; None if they are finished.
_State: TypeAlias = tuple[Deal, str | None]

# The options that affect what a wager earns, where any does.
_HANGS_ON: Final[Mapping[str, tuple[str, ...]]] = {
    "banker": ("ez", "vigorish"),
    "tie": ("tie_odds",),
    "dragon_bonus_player": ("dragon_bonus",),
    "dragon_bonus_banker": ("dragon_bonus",),
}
_UNROUNDED: Final = "the vigorish is not rounded"
_TAKEN: Final = "the payout is taken, not added to another wager"


def proof(book_of: BookOf, decks: int | None) -> Iterator[Proven]:
    """Prove each wager under each choice of the house that changes what it earns.

    The rounding of the vigorish is left out: what it earns depends on the size of the wager. House Money is
    proven as a wager by itself, its payout taken.

    Raises:
        BadInput: a number of decks that the chapter does not admit.
    """
    plain = book_of({}, decks)
    pack = dict.fromkeys(RANKS, len(SUITS) * plain.shoe_decks)
    # No option affects which cards are drawn, so the hands are dealt once for all of them.
    hands = {(ended, 0): ways for ended, ways in finished(rules_of(plain), pack).items()}
    some_deal = next(iter(hands))[
        0
    ]  # one is as good as another to House Money, which is settled before it ends
    pairs = {(some_deal, count): ways for count, ways in pairs_dealt(pack).items()}
    for wager, options in _choices(plain):
        book = book_of(options, decks)
        on_hands = wager in _ON_HANDS
        others = _related_wagers(book_of, decks, book, wager) if on_hands else ()
        yield _proven(book, wager, _choices_text(options), hands if on_hands else pairs, others)


def _choices(book: Rulebook) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each wager of a text with each choice that changes what it earns."""
    options = chapter(book.chapter).options
    law = {name: option for name, option in options.items() if option.since <= book.day}
    for vigorish in law["vigorish"].values or ():
        yield "banker", {"vigorish": vigorish}
    ez = "ez" in law
    if ez:
        yield "banker", _EZ
    yield "player", {}
    if ez:
        yield "player", _EZ
    for tie_odds in (8, 9):  # the least that 631a.13(b) admits, and what some tables pay
        yield "tie", {"tie_odds": tie_odds}
    if "dragon_bonus" in law:
        for hand in ("player", "banker"):
            for table in filter(None, law["dragon_bonus"].values or ()):
                yield f"dragon_bonus_{hand}", {"dragon_bonus": table}
    if ez:
        yield "dragon_7", _EZ
        yield "panda_8", _EZ
    if "house_money" in law:
        yield "house_money", {"house_money": True}


def _choices_text(options: Mapping[str, Any]) -> str | None:
    return (
        ", ".join(
            f"{name}={str(chosen).lower() if chosen is True else chosen}" for name, chosen in options.items()
        )
        or None
    )


def finished(rules: Rules, pack: Mapping[str, int]) -> Counter[Deal]:
    """Count the finished hands of a pack: the number of ordered sequences of six cards that end in each.

    `pack` is how many cards of each rank there are. The adjudicating function itself decides which hand gets
    a card. The two first cards of a hand are taken in one order for both.
    """
    left = [0] * 10
    for rank, cards in pack.items():
        left[value(rank)] += cards
    return _count_ends(_ways_on(rules), tuple(left)).copy()


# A proof comes back to the same ways to go on under each choice that no card depends on.
@lru_cache(maxsize=8)
def _count_ends(ways_on: tuple[tuple[_Place, _State], ...], pack: tuple[int, ...]) -> Counter[Deal]:
    """Count the ends of hands that go on in these ways, of a pack of so many cards of each value."""
    places, left = dict(ways_on), [*pack]
    counted: Counter[Deal] = Counter()
    for player, banker in product(combinations_with_replacement(range(10), 2), repeat=2):
        if ways := _taken(left, player + banker) * len(set(player)) * len(set(banker)):
            _play_out(places, (sum(player) % 10, sum(banker) % 10), (), ways, left, counted)
            for card in player + banker:
                left[card] += 1
    return counted


def _taken(left: list[int], cards: tuple[int, ...]) -> int:
    """Take cards by value out of `left`; return in how many ways, or restore them if some are missing."""
    ways = 1
    for card in cards:
        ways *= left[card]
        left[card] -= 1
    if ways == 0:
        for card in cards:
            left[card] += 1
    return ways


def _play_out(
    places: Mapping[_Place, _State],
    points: tuple[int, int],
    thirds: tuple[Valued, ...],
    ways: int,
    left: list[int],
    counted: Counter[Deal],
) -> None:
    ended, hand = places[points, thirds]
    if hand is None:
        counted[ended] += ways * perm(sum(left), _SIX - len(_FIRST_FOUR) - len(thirds))
        return
    for card in range(10):
        if cards := left[card]:
            left[card] -= 1
            _play_out(places, points, (*thirds, (hand, card)), ways * cards, left, counted)
            left[card] += 1


@lru_cache(maxsize=8)
def _ways_on(rules: Rules) -> tuple[tuple[_Place, _State], ...]:
    """Return each of the 3,760 places to which a round can come, and how the hands stand there."""
    found: dict[_Place, _State] = {}
    places: list[_Place] = [((player, banker), ()) for player, banker in product(range(10), repeat=2)]
    while places:
        points, thirds = place = places.pop()
        ended = deal(rules, *points, thirds)
        hand = _due(ended)
        found[place] = _one_of_equal(astuple(ended)), hand
        if hand is not None:
            places += [(points, (*thirds, (hand, card))) for card in range(10)]
    return tuple(found.items())


@cache
def _one_of_equal(fields: tuple[Any, ...]) -> Deal:
    """Return one and the same deal for all that are equal, so that they are counted as one."""
    return Deal(*fields)


def _due(ended: Deal) -> str | None:
    """Return the hand that the next card is due to, which is named first.

    None if the hands are finished.
    """
    missing = [defect.who for defect in ended.defects if defect.check == "third_card_missing"]
    if ended.defects and not missing:
        raise LawError(f"a hand dealt by the rules is found at fault: {ended.defects[0].check}")
    return missing[0] if missing else None


def pairs_dealt(pack: Mapping[str, int]) -> Counter[int]:
    """Count in how many ordered sequences of six cards none, one or both of the hands begin with a pair."""
    others = perm(sum(pack.values()) - len(_FIRST_FOUR), _SIX - len(_FIRST_FOUR))
    counted: Counter[int] = Counter()
    for player, banker in product(combinations_with_replacement(pack, 2), repeat=2):
        ways = others * len(set(player)) * len(set(banker))
        for rank, cards in Counter(player + banker).items():
            ways *= perm(pack[rank], cards)
        ranks = (player[0], banker[0], player[1], banker[1])
        (pairs,) = possible_pairs([(hand, f"{rank}?") for hand, rank in zip(_FIRST_FOUR, ranks, strict=True)])
        counted[pairs] += ways
    return counted


def _proven(
    book: Rulebook, wager: str, option: str | None, ends: _Ends, others: Iterable[str] = ()
) -> Proven:
    """Settle a wager on every end, and weight the gain with the number of ways in which that end occurs.

    `others` are the wagers for which the covariance with this one is reported.
    """
    rules = rules_of(book)
    results: Counter[str] = Counter()
    gains: list[int] = []
    for (ended, pairs), ways in ends.items():
        result, gain = _settled(rules, wager, ended, pairs)
        results[result] += ways
        gains.append(gain)
    weighed: Counter[int] = Counter()
    for gain, ways in zip(gains, ends.values(), strict=True):
        weighed[gain] += ways
    house_advantage, variance = earned(weighed, _STAKE)
    hangs_on = _hanging(book, wager)
    terms = _TAKEN if wager == "house_money" else _UNROUNDED if "vigorish" in hangs_on else None
    return Proven(
        wager=wager,
        option=option,
        decks=book.decks,
        win=results["win"],
        push=results["push"],
        lose=results["lose"],
        house_advantage=house_advantage,
        variance=variance,
        most=most_of(weighed, _STAKE),
        hangs_on=hangs_on,
        more_figures={other: _covariance(rules, gains, other, ends) for other in others},
        terms=terms,
    )


def _settled(rules: Rules, wager: str, ended: Deal, pairs: int) -> tuple[str, int]:
    """Return how a wager of `_STAKE` ends, and the cents that it gains."""
    owed = reckon(rules, wager, ended, pairs, _STAKE, 0, 0)
    vigorish = owed.vigorish_cents
    if owed.ruling is None or owed.cents is None or vigorish is None:
        raise LawError(f"{wager}: the rules leave open what a finished hand is owed")
    if owed.fraction or (owed.vigorish is not None and owed.vigorish.fraction):
        raise LawError(f"{wager}: the odds or the vigorish leave a fraction of a cent on {dollars(_STAKE)}")
    return owed.ruling.result, owed.cents - vigorish


def _covariance(rules: Rules, gains: Sequence[int], other: str, ends: _Ends) -> Fraction:
    """Return the covariance of gains, end by end, with those of another wager; of a unit staked on each."""
    ways = sum(ends.values())
    mine = theirs = both = 0
    for gain, ((ended, pairs), times) in zip(gains, ends.items(), strict=True):
        _, covariance = _settled(rules, other, ended, pairs)
        mine += gain * times
        theirs += covariance * times
        both += gain * covariance * times
    return (Fraction(both, ways) - Fraction(mine, ways) * Fraction(theirs, ways)) / (_STAKE * _STAKE)


def _related_wagers(book_of: BookOf, decks: int | None, book: Rulebook, wager: str) -> Iterator[str]:
    """Yield the other wagers of a deal that depend on no choice on which this one does not depend.

    They are available wherever those choices are made, whatever else the house chose.
    """
    own = _hanging(book, wager)
    plain = book_of(own, decks)
    for other in _ON_HANDS:
        law = plain.wager_law(other)
        if other == wager or law is None or (law.offered_with and not plain.options[law.offered_with]):
            continue
        if _hanging(plain, other).items() <= own.items():
            yield other


def _hanging(book: Rulebook, wager: str) -> dict[str, Any]:
    """Return the choices that affect what a wager earns: with EZ Baccarat there is no vigorish."""
    names = [name for name in _HANGS_ON.get(wager, ()) if name in book.options]
    if book.options.get("ez"):
        names = [name for name in names if name != "vigorish"]
    return {name: book.options[name] for name in names}


# ── Side wagers that another text approves: what their pay tables can ask of a deal ──────────────────────

_FIRST_TWO: Final = frozenset({"player_first_two", "banker_first_two"})


def side_deals(book: Rulebook, lines: Sequence[PayLine]) -> Deals | None:
    """Count how the deals of a full shoe end, as far as a pay table asks.

    None where it asks for the first two cards together with how the hands end, or for the cards of a hand
    that may hold three.
    """
    rules, parts = rules_of(book), parts_of(lines)
    if parts <= _FIRST_TWO:
        return first_two_dealt(lambda _, cards: first_two(rules, cards), lines, RANKS, book.shoe_decks)
    if parts & _FIRST_TWO or any(asks_for_faces(each) for line in lines for each in line.conditions):
        return None
    pack = dict.fromkeys(RANKS, len(SUITS) * book.shoe_decks)
    return [(_ending(ended), ways) for ended, ways in finished(rules, pack).items()]


def _ending(ended: Deal) -> Ending:
    card_sets = {
        "player": CardSet(None, ended.player_cards, ended.player, ended.player_natural),
        "banker": CardSet(None, ended.banker_cards, ended.banker, ended.banker_natural),
    }
    return Ending(card_sets, winner(ended), abs(ended.player - ended.banker))
