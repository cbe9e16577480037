"""Chapter 551 as predicates: each function states one lettered clause.

`Rules` is a rulebook prepared for these predicates, once for many rounds.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final

from msgspec import Struct

from projections.engine.games.blackjack.hands import suits_of
from projections.engine.games.blackjack.manner import Manner, Provisions
from schemas.rulebook import Rulebook
from schemas.values import odds

CITES: Final = Provisions(
    deal=("551.8(d)",),
    turns=("551.8(f)", "551.12(b)", "551.8(h)"),
    hand=("551.8(d)", "551.12(a)"),
    missing=("551.16(i)",),
    first_two=("551.8(d)", "551.16(h)"),
    draw=("551.13(a)(1)", "551.13(a)"),
    stand=("551.8(f)", "551.13(a)"),
    double=("551.11(a)",),
    doubled_card=("551.11(a)", "551.13(a)(2)"),
    split=("551.12(a)",),
    split_again=("551.12(c)",),
    split_cards=("551.12(b)", "551.12(c)"),
    split_turns=("551.12(b)",),
    leave=("551.9(a)",),
    rescue=("551.11(d)",),
    dealer_draws=("551.13(b)", "551.16(e)"),
    dealer_idle=("551.13(c)",),
    dealer_hole=("551.8(d)", "551.16(f)"),
    stake=("551.6(a)", "551.8(d)(1)"),
    insurance=("551.10(a)",),
    match=("551.7(b)",),
    match_most=("551.7(b)(1)",),
    match_limit=("551.7(b)(2)",),
)


class CardBonus(Struct, frozen=True):
    """Payout of a winning hand beyond 1 to 1, and its clause."""

    odds: Fraction
    cite: str


class Rules(Struct, frozen=True, eq=False):
    """Chapter 551's figures of one day together with a house's choices, for the predicates below.

    `by_cards` are by the number of cards in which 21 was reached, the last of them for more as well.
    """

    manner: Manner
    wager_odds: Fraction
    blackjack: CardBonus
    doubled: CardBonus
    six_seven_eight: dict[str, CardBonus]
    three_sevens: dict[str, CardBonus]
    by_cards: dict[int, CardBonus]
    surrendered: Fraction
    insurance_odds: Fraction
    same_suit_odds: Fraction
    different_suit_odds: Fraction
    fixed_payouts: dict[int, int]
    fixed_payout_to_others: int
    fixed_payout_up_card: str
    others_once: bool
    tens_void: int


@lru_cache(maxsize=256)
def rules_of(book: Rulebook) -> Rules:
    """Convert a rulebook of Chapter 551 to the form that the predicates use."""
    matching: Mapping[str, int] = book.options["match_the_dealer_odds"]
    limit = book.number("limit").value
    return Rules(
        manner=Manner(
            ranks=book.number("ranks").value,
            limit=limit,
            hands_most=book.number("hands_most").value,
            # "On the first two cards" may also describe the wager: then any number of cards would do.
            double_cards=None if book.options["double_down_on"] == "any" else 2,
            split_ace_cards=None,
            leaving=frozenset({"surrender"}),
            rescues=True,
            dealer_limit=limit,
            dealer_stands_at=book.number("dealer_stands_at").value,
            match_maximum=book.options["match_the_dealer_maximum_cents"],
            cites=CITES,
        ),
        wager_odds=book.odds("wager_odds"),
        blackjack=_bonus(book, "blackjack_odds"),
        doubled=_bonus(book, "doubled_odds"),
        six_seven_eight={suits: _bonus(book, f"{suits}_6_7_8_odds") for suits in _SUITS},
        three_sevens={suits: _bonus(book, f"{suits}_7_7_7_odds") for suits in _SUITS},
        by_cards={count: _bonus(book, f"{name}_cards_odds") for count, name in _COUNTS.items()},
        surrendered=book.odds("surrendered"),
        insurance_odds=book.odds("insurance_odds"),
        same_suit_odds=odds(matching["same_suit"]),
        different_suit_odds=odds(matching["different_suit"]),
        fixed_payouts=book.number("fixed_payouts").value,
        fixed_payout_to_others=book.number("fixed_payout_to_others").value,
        fixed_payout_up_card=book.number("fixed_payout_up_card").value,
        others_once=book.options["fixed_payout_others"] == "once",
        tens_void=book.number("tens_void").value,
    )


_SUITS: Final = ("mixed", "suited", "spades")
_COUNTS: Final = {5: "five", 6: "six", 7: "seven"}


def _bonus(book: Rulebook, name: str) -> CardBonus:
    return CardBonus(book.odds(name), book.number(name).cite)


def suits(cards: Sequence[str]) -> set[str]:
    """Return what the suits of some cards can be: mixed, suited, or all spades.

    >>> suits(["7d", "7d", "7d"]), suits(["7s", "7s", "7s"]), suits(["6h", "7d", "8?"])
    ({'suited'}, {'spades'}, {'mixed'})
    >>> sorted(suits(["6s", "7?", "8s"]))
    ['mixed', 'spades']
    """
    found = set()
    for dealt in product(*map(suits_of, cards)):
        one = len(set(dealt)) == 1
        found.add(("spades" if dealt[0] == "s" else "suited") if one else "mixed")
    return found


def bonuses(rules: Rules, cards: Sequence[str], values: Sequence[int]) -> list[CardBonus | None]:
    """551.6(g): give the payouts that a winning hand of 21 can have, by its cards; None for 1 to 1."""
    if sorted(values) == [6, 7, 8]:
        return [rules.six_seven_eight[kind] for kind in sorted(suits(cards))]
    if list(values) == [7, 7, 7]:
        return [rules.three_sevens[kind] for kind in sorted(suits(cards))]
    return [rules.by_cards.get(min(len(values), max(rules.by_cards)))]


def three_suited_sevens(cards: Sequence[str], values: Sequence[int]) -> set[bool]:
    """551.6(h): return whether a hand can be, and can fail to be, three 7s of one suit."""
    if list(values) != [7, 7, 7]:
        return {False}
    return {kind != "mixed" for kind in suits(cards)}


def fixed_payout(rules: Rules, cents: int) -> int:
    """551.6(h): give the fixed payout in cents that goes with an original wager; 0 if there is none."""
    return max((pays for least, pays in rules.fixed_payouts.items() if cents >= least), default=0)
