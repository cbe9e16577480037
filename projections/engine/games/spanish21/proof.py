"""Proof of what the wagers of Chapter 551 earn, by the functions that settle them.

Match-The-Dealer and insurance depend on three and two cards: every ordered deal of them is counted. The wager
itself depends on all that a player may decide and on every order of a shoe's cards; that is out of reach in a
minute, so it is simulated (`simulation`), by a strategy that is stated (`strategy`), with its error.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from projections.engine.adjudication import Ruling
from projections.engine.games.blackjack import side_deals as first_cards
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, matches, worth
from projections.engine.games.blackjack.player_hand import is_blackjack
from projections.engine.games.blackjack.simulation import proven
from projections.engine.games.blackjack.stakes import DOUBLE
from projections.engine.games.proving import BookOf, Proven, counted
from projections.engine.games.side_wager_proof import Deals
from projections.engine.games.spanish21.rules import Rules, rules_of
from projections.engine.games.spanish21.simulation import Strategy, simulate
from projections.engine.games.spanish21.wagers import insurance, match_the_dealer, reckon
from projections.engine.observation import Wager
from schemas.errors import LawError
from schemas.rulebook import Rulebook
from schemas.side_wagers import PayLine
from schemas.values import SUITS, dollars

ROUNDS: Final = 20_000
SEED: Final = 551

_STAKE: Final = 10_000  # cents: every odds of the chapter comes to whole cents on it
_UNSEEN: Final = "of a full shoe the dealer's ace alone is seen"


def proof(book_of: BookOf, decks: int | None) -> Iterator[Proven]:
    """Prove the wager, Match-The-Dealer at the least odds that 551.7(e) admits, and insurance.

    The wager is computed with its doubles and splits and without fixed payouts, as a share of the first
    stake.

    Raises:
        BadInput: a number of decks that the chapter does not admit.
    """
    book = book_of({}, decks)
    rules = rules_of(book)
    yield proven(
        simulate(Strategy(rules), book.decks, ROUNDS, SEED),
        "wager",
        book.decks,
        hangs_on={"double_down_on": book.options["double_down_on"]},
        counts_in=(DOUBLE,),
        terms="played by the strategy stated, without fixed payouts",
    )
    odds = {"match_the_dealer_odds": book.options["match_the_dealer_odds"]}
    matching = matched(rules, book.decks)
    yield counted("match_the_dealer", matching, _STAKE, decks=book.decks, hangs_on=odds)
    yield counted("insurance", insured(rules, book.decks), _STAKE, decks=book.decks, terms=_UNSEEN)


def matched(rules: Rules, decks: int) -> Counter[int]:
    """Count the gains of Match-The-Dealer over every ordered deal of a player's two cards and the up card.

    Every up card is as good as another: one is dealt, and stands for all.
    """
    ranks = rules.manner.ranks
    cards = [rank + suit for rank, suit in product(ranks, SUITS)]
    gains: Counter[int] = Counter()
    for up, first, second in product(cards[:1], cards, cards):
        ways = len(cards) * decks * (decks - (first == up)) * (decks - (second == up) - (second == first))
        (ruled,) = match_the_dealer(rules, matches([first, second], up, ranks), decks)
        gains[_gain(rules, ruled)] += ways
    return gains


def insured(rules: Rules, decks: int) -> Counter[int]:
    """Count the gains of insurance over every ordered deal of an ace to the dealer and a card under it."""
    gains: Counter[int] = Counter()
    aces = len(SUITS) * decks
    for rank in rules.manner.ranks:
        hole = worth(rank)
        dealt = DealerEnd(ACE, ACE + hole, blackjack=is_blackjack([ACE, hole]))
        for ruled in insurance(rules, {dealt}) or ():
            gains[_gain(rules, ruled)] += aces * (aces - (hole == ACE))
    return gains


def _gain(rules: Rules, ruled: Ruling) -> int:
    owed = reckon(rules, [ruled], Wager(_STAKE), 0)
    if owed.cents is None or owed.fraction:
        raise LawError(f"the rules leave open what {dollars(_STAKE)} is owed, or owe a fraction of a cent")
    return owed.cents


def side_deals(book: Rulebook, lines: Sequence[PayLine]) -> Deals | None:
    """Count what a side wager's pay table asks of the cards that are dealt first."""
    return first_cards.side_deals(rules_of(book).manner, lines, book.decks)
