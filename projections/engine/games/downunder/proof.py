"""Proof of what the wagers of Chapter 685a earn, by the functions that settle them.

Match-the-Dealer and insurance depend on three and two cards: every ordered deal of them is counted. The Bet
Wager depends on all that a player may decide and on every order of a shoe's cards; that is out of reach in a
minute, so it is simulated (`simulation`), by a strategy that is stated (`strategy`), with its error.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

from projections.engine.adjudication import Ruling, reckon
from projections.engine.games.blackjack import side_deals as first_cards
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, matches, worth
from projections.engine.games.blackjack.player_hand import is_blackjack
from projections.engine.games.blackjack.simulation import proven
from projections.engine.games.blackjack.stakes import DOUBLE
from projections.engine.games.downunder.rules import Rules, rules_of
from projections.engine.games.downunder.simulation import Strategy, simulate
from projections.engine.games.downunder.wagers import insurance, match_the_dealer
from projections.engine.games.proving import BookOf, Proven, PublishedFigure, counted, earned
from projections.engine.games.side_wager_proof import Deals
from schemas.errors import LawError
from schemas.law_text import chapter
from schemas.rulebook import Rulebook
from schemas.side_wagers import PayLine
from schemas.values import RANKS, SUITS, dollars

ROUNDS: Final = 50_000
SEED: Final = 685

# The hold percentages of the rulemaking's preamble (125-218): of the wager that must be made, and of
# Match-the-Dealer, the higher one with six decks.
_BET: Final = ".43% to .49%"
_MATCH: Final = {6: "4.06%", 8: "3.67%"}

_STAKE: Final = 10_000  # cents: every odds of the chapter comes to whole cents on it
_LIMITS: Final = "dealer_ace_limit"
_PAYS: Final = "match_the_dealer_pays"
_OF_BET: Final = (_LIMITS, "large_after_split", "bust_on_22")
_UNSEEN: Final = "of a full shoe the dealer's ace alone is seen"


def proof(book_of: BookOf, decks: int | None) -> Iterator[Proven]:
    """Prove each wager under each choice of the house that changes what it earns.

    The Bet Wager is computed with its doubles and splits, as a share of the first stake. Match-the-Dealer is
    left out for decks that do not have it.

    Raises:
        BadInput: a number of decks that the chapter does not admit.
    """
    plain = book_of({}, decks)
    for limit in _values(_LIMITS, plain):
        book = book_of({_LIMITS: limit}, plain.decks)
        yield proven(
            simulate(Strategy(rules_of(book)), book.decks, ROUNDS, SEED),
            "bet",
            book.decks,
            option=f"{_LIMITS}={limit}",
            published=_BET,
            hangs_on={name: book.options[name] for name in _OF_BET},
            counts_in=(DOUBLE,),
            terms="played by the strategy stated",
        )
    insuring = insured(rules_of(plain), plain.decks)
    yield counted("insurance", insuring, _STAKE, decks=plain.decks, terms=_UNSEEN)
    if rules_of(plain).match_odds is None:
        return
    for pays in _values(_PAYS, plain):
        yield counted(
            "match_the_dealer",
            matched(rules_of(book_of({_PAYS: pays}, plain.decks)), plain.decks),
            _STAKE,
            decks=plain.decks,
            option=f"{_PAYS}={pays}",
            hangs_on={_PAYS: pays},
            published=_MATCH[plain.decks],
        )


def readings(book_of: BookOf, decks: int | None) -> Iterator[PublishedFigure]:
    """Show the hold that the regulator published of Match-the-Dealer under both readings of two matches.

    Raises:
        BadInput: a number of decks that the chapter does not admit, or for which there is no such wager.
    """
    for number in _MATCH if decks is None else (decks,):
        usual = book_of({}, number)
        if rules_of(usual).match_odds is None:
            continue
        for pays in _values(_PAYS, usual):
            rules = rules_of(book_of({_PAYS: pays}, number))
            hold, _ = earned(matched(rules, number), _STAKE)
            yield PublishedFigure(
                figure=f"match_the_dealer, {number} decks",
                published=_MATCH[number],
                option=f"{_PAYS}={pays}",
                is_default=pays == usual.options[_PAYS],
                computed=hold,
                reproduces=_printed(hold) == _MATCH[number],
            )


def _values(option: str, book: Rulebook) -> list[Any]:
    return chapter(book.chapter).options[option].values or []


def matched(rules: Rules, decks: int) -> Counter[int]:
    """Count the gains of Match-the-Dealer over every ordered deal of two cards and the dealer's first one.

    The dealer's card stands between the two, as it is dealt; every card of the pack is as good as another.
    """
    if rules.match_odds is None:
        raise LawError(f"there is no Match-the-Dealer with {decks} decks")
    cards = [rank + suit for rank, suit in product(RANKS, SUITS)]
    gains: Counter[int] = Counter()
    for up, first, second in product(cards[:1], cards, cards):
        ways = len(cards) * decks * (decks - (first == up)) * (decks - (second == up) - (second == first))
        (found,) = matches([first, second], up, RANKS)
        gains[_gain(match_the_dealer(rules, rules.match_odds, found))] += ways
    return gains


def insured(rules: Rules, decks: int) -> Counter[int]:
    """Count the gains of insurance over every ordered deal of an ace to the dealer and a card under it."""
    gains: Counter[int] = Counter()
    aces = len(SUITS) * decks
    for rank in RANKS:
        value = worth(rank)
        hole = DealerEnd(ACE, ACE, blackjack=is_blackjack([ACE, value]))
        gains[_gain(insurance(rules, hole))] += aces * (aces - (value == ACE))
    return gains


def _gain(ruled: Ruling) -> int:
    owed = reckon(ruled, _STAKE, 0)
    if owed.cents is None or owed.fraction:
        raise LawError(
            f"{ruled.cite} leaves open what {dollars(_STAKE)} wins, or leaves a fraction of a cent"
        )
    return owed.cents


def _printed(hold: Fraction) -> str:
    """Write a hold as the preamble does, in percent with two places.

    >>> _printed(Fraction(406, 10_000))
    '4.06%'
    """
    hundredths = round(hold * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02d}%"


def side_deals(book: Rulebook, lines: Sequence[PayLine]) -> Deals | None:
    """Count what a side wager's pay table asks of the cards that are dealt first."""
    return first_cards.side_deals(rules_of(book).manner, lines, book.decks)
