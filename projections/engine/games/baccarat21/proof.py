"""Every deal of Chapter 681a counted exactly, through the very functions that judge hands.

A deal is an ordered sequence of six cards of a full pack: where the drawing stops at four or five, every
order of the cards that would have followed counts. So all counts of one number of decks have one sum.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Any, Final, TypeAlias

from msgspec import Struct

from projections.engine.adjudication import Ruling, reckon
from projections.engine.games.baccarat21.play import HANDS, CountedHand, Score, end_of, hand_of
from projections.engine.games.baccarat21.rules import Rules, rules_of, value
from projections.engine.games.baccarat21.wagers import BONUS_ON, first_two, on_awards, on_hands
from projections.engine.games.proving import BookOf, Proven, PublishedFigure, counted, earned
from projections.engine.games.side_wager_proof import Deals, first_two_dealt
from projections.engine.side_wagers import parts_of
from schemas.errors import LawError
from schemas.law_text import chapter
from schemas.rulebook import Rulebook
from schemas.side_wagers import PayLine
from schemas.values import RANKS, SUITS, dollars

_SIX: Final = 6  # the most cards that a round takes, 681a.7(e), (g)
_FOUR: Final = 4
_TWO: Final = 2

# A stake on which all odds of the chapter give whole cents, so that nothing is dropped.
_STAKE: Final = 10_000

# The hold percentages of the rulemaking's preamble (125-198): of the Tie Wager by decks, and between which
# two those of the Bonus Wager lie, over the pay tables of four and of eight decks.
_TIE: Final[Mapping[int, str]] = {8: "5.4%", 4: "5.9%"}
_BONUS: Final = {"lowest": "5.8%", "highest": "8.0%"}

# The readings that affect the Bonus Wager, as options of the chapter.
_OF_BONUS: Final = ("bonus_awards", "ace_ace_bonus_card", "ace_2_3_straight")

_Options: TypeAlias = Mapping[str, Any]
# What two aces count -> how both hands end -> in how many deals.
_Ends: TypeAlias = Mapping[int, Mapping[tuple[Score, Score], int]]


def proof(book_of: BookOf, decks: int | None) -> Iterator[Proven]:
    """Prove each wager under each choice of the house that changes what it earns.

    The Bonus Wagers are proven under each pay table for the number of decks, by the default readings.
    `readings` has the results of the other readings.

    Raises:
        BadInput: a number of decks that the chapter does not admit.
    """
    plain = book_of({}, decks)
    number = plain.decks
    ends = _all_ends(book_of, number)
    choices: list[tuple[str, _Options]] = [(hand, {"ace_ace": count}) for hand in HANDS for count in ends]
    choices += [("tie", options) for options in _tie_readings(plain)]
    for wager, options in choices:
        published = _TIE[number] if wager == "tie" else None
        book = book_of(options, number)
        yield _proven(wager, book, _choices_text(options), _of_hands(book, wager, ends), published)
    for wager in BONUS_ON:
        for table in _values("bonus_paytable", plain):
            options = {"bonus_paytable": table}
            book = book_of(options, number)
            published = f"{_BONUS['lowest']} to {_BONUS['highest']}"
            yield _proven(wager, book, _choices_text(options), _of_bonus(book, wager), published)


def readings(book_of: BookOf, decks: int | None) -> Iterator[PublishedFigure]:
    """Return each hold that the regulator published under every reading that affects it.

    The Tie Wager's is returned for both numbers of decks, or for the given one. The Bonus Wager's are the
    lowest and the highest of all six pay tables, whatever `decks` is.

    Raises:
        BadInput: a number of decks that the chapter does not admit.
    """
    usual = book_of({}, decks)
    for number in _TIE if decks is None else (decks,):
        ends = _all_ends(book_of, number)
        for options in _tie_readings(usual):
            hold = _hold(_of_hands(book_of(options, number), "tie", ends))
            yield _reading(f"tie, {number} decks", _TIE[number], options, usual, hold)
    for chosen in product(*(_values(name, usual) for name in _OF_BONUS)):
        options = dict(zip(_OF_BONUS, chosen, strict=True))
        holds = [
            _hold(_of_bonus(book, "bonus_player"))
            for number in _TIE
            for table in _values("bonus_paytable", book_of({}, number))
            for book in (book_of({**options, "bonus_paytable": table}, number),)
        ]
        yield _reading("bonus, the lowest of all pay tables", _BONUS["lowest"], options, usual, min(holds))
        yield _reading("bonus, the highest of all pay tables", _BONUS["highest"], options, usual, max(holds))


def _tie_readings(book: Rulebook) -> Iterator[_Options]:
    """Yield the readings of what two aces tie; what they count matters only where they tie by value."""
    yield {"ace_ace_tie": "only_ace_ace"}
    for count in _values("ace_ace", book):
        yield {"ace_ace_tie": "value", "ace_ace": count}


def _values(option: str, book: Rulebook) -> list[Any]:
    return chapter(book.chapter).options[option].listed(book.decks, book.options) or []


def _all_ends(book_of: BookOf, decks: int) -> _Ends:
    """Count the ends of both hands for each count of two aces: no other option affects them."""
    books = [book_of({"ace_ace": count}, decks) for count in _values("ace_ace", book_of({}, decks))]
    return {rules_of(book).ace_ace: finished(rules_of(book), _pack(book)) for book in books}


def finished(rules: Rules, pack: Mapping[str, int]) -> Counter[tuple[Score, Score]]:
    """Count how both hands of a pack end: the number of ordered sequences of six cards for each end.

    `pack` is how many cards of each rank there are; ranks of equal value are dealt as one. The adjudicating
    function itself decides which hand draws. There is no Bonus Wager.
    """
    left: Counter[str] = Counter()
    for rank, cards in pack.items():
        left["T" if value(rules.counting, rank) == rules.counting.ten_card_value else rank] += cards
    pairs = (_dealt(rules, "".join(pair), left) for pair in combinations_with_replacement(sorted(left), _TWO))
    return _count_ends(tuple(pairs), tuple(left.items())).copy()


# A proof comes back to the same hands under each choice that no hand's drawing or count depends on.
@lru_cache(maxsize=16)
def _count_ends(
    pairs: tuple["_Dealt", ...], pack: tuple[tuple[str, int], ...]
) -> Counter[tuple[Score, Score]]:
    """Count how two pairs end that are dealt from a pack of so many cards of each value."""
    left = Counter(dict(pack))
    # In how many orders the cards follow that are not drawn, by how many are drawn.
    rest = [perm(left.total() - _FOUR - sixes, _SIX - _FOUR - sixes) for sixes in range(_SIX - _FOUR + 1)]
    # Both hands are dealt by one rule: what is counted of two pairs is counted of them the other way round.
    counts: Counter[tuple[Score, Score]] = Counter()
    of_two_pairs: Counter[tuple[Score, Score]] = Counter()
    for player, banker in combinations_with_replacement(pairs, 2):
        ways = _taken(left, player.ranks + banker.ranks) * player.orders * banker.orders
        if ways:
            counted = counts if player is banker else of_two_pairs
            stopped = player.natural or banker.natural
            for more, score in player.ends(stopped):
                first, drawn = (ways * left[more], 1) if more else (ways, 0)
                for further, others in banker.ends(stopped):
                    if further:
                        counted[score, others] += (
                            first * (left[further] - (further == more)) * rest[drawn + 1]
                        )
                    else:
                        counted[score, others] += first * rest[drawn]
        left.update(player.ranks + banker.ranks)
    for (score, others), ways in of_two_pairs.items():
        counts[score, others] += ways
        counts[others, score] += ways
    return counts


class _Dealt(Struct, frozen=True):
    """Two cards and their ends by the adjudicating function, by the card drawn if any."""

    ranks: str
    orders: int
    natural: bool
    beside_natural: tuple[tuple[str, Score], ...]
    otherwise: tuple[tuple[str, Score], ...]

    def ends(self, stopped: bool) -> tuple[tuple[str, Score], ...]:  # noqa: FBT001  which of two
        return self.beside_natural if stopped else self.otherwise


def _dealt(rules: Rules, ranks: str, pack: Iterable[str]) -> _Dealt:
    hand = hand_of(rules, ranks)
    thirds = tuple(pack) if _draws(rules, hand, stopped=False) else ("",)
    return _Dealt(
        ranks,
        orders=len({ranks, ranks[::-1]}),
        natural=hand.natural,
        beside_natural=(("", _score(rules, ranks, stopped=True)),),
        otherwise=tuple((third, _score(rules, ranks + third, stopped=False)) for third in thirds),
    )


def _taken(left: Counter[str], cards: str) -> int:
    """Take cards out of `left`; return in how many ways that is possible."""
    ways = 1
    for card in cards:
        ways *= max(left[card], 0)
        left[card] -= 1
    return ways


def _draws(rules: Rules, hand: CountedHand, *, stopped: bool, bonus: bool = False) -> bool:
    """Return True if the adjudicating function has a hand of two cards draw one."""
    return end_of(rules, "player", hand, _TWO, bonus, stopped).defect is not None


def _score(rules: Rules, ranks: str, *, stopped: bool) -> Score:
    end = end_of(rules, "player", hand_of(rules, ranks), len(ranks), False, stopped)  # noqa: FBT003  no Bonus Wager
    if end.counts is None or end.defect is not None:
        raise LawError(f"a hand dealt by the rules, {ranks}, is found at fault")
    return end.counts, end.aces


def awarded(rules: Rules, pack: Mapping[str, int]) -> Counter[tuple[str, ...]]:
    """Count the awards of a hand with a Bonus Wager on it, over ordered sequences of six cards.

    One hand is counted alone. With the wager on it a hand under 17 draws whether or not the other has a
    natural, by 681a.7(f)(2) or by (g). So the other hand's cards are among those that follow in any order.
    """
    left = Counter(dict(pack))
    counted: Counter[tuple[str, ...]] = Counter()
    for pair in combinations_with_replacement(pack, _TWO):
        ranks = "".join(pair)
        ways = _taken(left, ranks) * len(set(pair))
        hand = hand_of(rules, ranks)
        draws = _draws(rules, hand, stopped=hand.natural, bonus=True)
        for third in (tuple(pack) if draws else ("",)) if ways else ():
            here = ways * _taken(left, third)
            cards = len(ranks + third)
            end = end_of(rules, "player", hand_of(rules, ranks + third), cards, True, hand.natural)  # noqa: FBT003  the wager lies
            if here and end.awards is None:
                raise LawError(f"a hand dealt by the rules, {ranks}{third}, is found at fault")
            counted[end.awards or ()] += here * perm(max(sum(left.values()), 0), _SIX - cards)
            left.update(third)
        left.update(ranks)
    return +counted


def _pack(book: Rulebook) -> dict[str, int]:
    return dict.fromkeys(RANKS, len(SUITS) * book.decks)


def _of_bonus(book: Rulebook, wager: str) -> list[tuple[Ruling, int]]:
    """Return how a Bonus Wager is decided, and in how many deals each way."""
    rules = rules_of(book)
    dealt = awarded(rules, _pack(book))
    return [(on_awards(rules, BONUS_ON[wager], hand), ways) for hand, ways in dealt.items()]


def _of_hands(book: Rulebook, wager: str, ends: _Ends) -> list[tuple[Ruling, int]]:
    """Return how a Player, Banker or Tie Wager is decided, and in how many deals each way."""
    rules = rules_of(book)
    return [(on_hands(rules, wager, *scores), ways) for scores, ways in ends[rules.ace_ace].items()]


def _gains(ruled: Iterable[tuple[Ruling, int]]) -> Counter[int]:
    """Count what a wager gains, by the ways in which that comes about."""
    gains: Counter[int] = Counter()
    for each, ways in ruled:
        owed = reckon(each, _STAKE, 0)
        if owed.cents is None or owed.fraction:
            raise LawError(f"{each.cite}: the odds leave a fraction of a cent on {dollars(_STAKE)}")
        gains[owed.cents] += ways
    return gains


def _hold(ruled: Iterable[tuple[Ruling, int]]) -> Fraction:
    """Return what the house keeps of a unit staked."""
    house_advantage, _ = earned(_gains(ruled), _STAKE)
    return house_advantage


def _proven(
    wager: str, book: Rulebook, option: str, ruled: Iterable[tuple[Ruling, int]], published: str | None
) -> Proven:
    """Return what was counted of a wager."""
    return counted(
        wager,
        _gains(ruled),
        _STAKE,
        decks=book.decks,
        option=option,
        hangs_on={name: book.options[name] for name in _bearing(book, wager)},
        published=published,
    )


def _bearing(book: Rulebook, wager: str) -> tuple[str, ...]:
    """Return the options that affect what a wager earns."""
    if wager in HANDS:
        return ("ace_ace",)
    if wager in BONUS_ON:
        return ("bonus_paytable", *_OF_BONUS)
    return ("ace_ace_tie", "ace_ace") if book.options["ace_ace_tie"] == "value" else ("ace_ace_tie",)


def _reading(
    figure: str, published: str, options: _Options, usual: Rulebook, hold: Fraction
) -> PublishedFigure:
    percent = Fraction(published.removesuffix("%"))
    return PublishedFigure(
        figure=figure,
        published=published,
        option=_choices_text(options),
        is_default=all(usual.options[name] == chosen for name, chosen in options.items()),
        computed=hold,
        reproduces=round(hold * 100, 1) == percent,
    )


def _choices_text(options: _Options) -> str:
    return ", ".join(
        f"{name}={str(chosen).lower() if isinstance(chosen, bool) else chosen}"
        for name, chosen in options.items()
    )


_FIRST_TWO: Final = frozenset({"player_first_two", "banker_first_two"})


def side_deals(book: Rulebook, lines: Sequence[PayLine]) -> Deals | None:
    """Count what the first two cards of the hands can be; None where a pay table asks for more than these."""
    rules = rules_of(book)
    if not parts_of(lines) <= _FIRST_TWO:
        return None
    return first_two_dealt(lambda _, cards: first_two(rules, cards), lines, RANKS, book.decks)
