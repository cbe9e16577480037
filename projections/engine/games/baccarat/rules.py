"""The baccarat chapters as predicates, a function a lettered clause; the checks that they add."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from projections.engine.findings import Kind
from schemas.rulebook import Rulebook
from schemas.values import odds

# ── The baccarat chapters as predicates: each function states one lettered clause ─────────────────────
# The predicates name the clauses of Chapter 631a. Where other chapters have the same rule elsewhere, their
# law files have the place (`Rules.cite`). `Rules` is a rulebook prepared for these predicates, once for many
# rounds.

_ON_TIE: Final = "25% on tie"


class Rules(Struct, frozen=True, eq=False):
    """A chapter's figures of one day together with a house's choices, for the predicates below.

    `cites` has by name the place of each figure and clause in the chapter, or in the one that it refers to.
    """

    cites: Mapping[str, str]
    surplus_third: tuple[str, ...]
    disclosed_third_discarded: bool
    ez: bool
    naturals: frozenset[int]
    player_draws_below: int
    banker_draws_to_alone: int
    banker_draws_below: int
    banker_stays_at: int
    banker_table: dict[int, str]
    player_odds: Fraction
    banker_odds: Fraction
    tie_odds: Fraction
    vigorish_rate: Fraction
    vigorish_unit: int
    vigorish_rounds: bool
    vigorish_on_tie: bool
    dragon_bonus_margin: int
    dragon_bonus_odds: dict[int, Fraction] | None
    dragon_bonus_natural_odds: Fraction | None
    dragon_7_odds: Fraction | None
    panda_8_odds: Fraction | None
    house_money_odds: dict[int, Fraction] | None
    house_money_portion: Fraction
    house_money_vigorish_whole: bool
    coupon_even: bool

    def cite(self, what: str) -> str:
        """Return where a figure or a clause stands.

        Raises:
            KeyError: the chapter has no such figure or clause.
        """
        return self.cites[what]


@lru_cache(maxsize=256)
def rules_of(book: Rulebook) -> Rules:
    """Convert a rulebook of a baccarat chapter to the form that the predicates use."""
    chosen, numbers = book.options, book.numbers
    on_tie = chosen["vigorish"] == _ON_TIE
    rate = book.number("vigorish_on_tie_rate" if on_tie else "vigorish_rate").value
    unit = book.number("vigorish_rounding_unit").value
    return Rules(
        cites={name: number.cite for name, number in numbers.items()}
        | {name: clauses[0] for name, clauses in book.clauses.items()},
        surplus_third=book.clauses["surplus_third"],
        disclosed_third_discarded="disclosed_third_discarded" in numbers,
        ez=chosen.get("ez", False),
        naturals=frozenset(book.number("natural").value),
        player_draws_below=book.number("player_draws_below").value,
        banker_draws_to_alone=book.number("banker_draws_to_alone").value,
        banker_draws_below=book.number("banker_draws_below").value,
        banker_stays_at=book.number("banker_stays_at").value,
        banker_table=book.number("banker_table").value,
        player_odds=book.odds("player_odds"),
        banker_odds=book.odds("banker_odds"),
        tie_odds=odds(chosen["tie_odds"]),
        vigorish_rate=odds(_by(rate, chosen["vigorish"])),
        vigorish_unit=_by(unit, chosen["vigorish"]),
        vigorish_rounds=chosen["vigorish_rounding_cents"] != 0,
        vigorish_on_tie=on_tie,
        dragon_bonus_margin=numbers["dragon_bonus_margin"].value if "dragon_bonus_margin" in numbers else 0,
        dragon_bonus_odds=_dragon_bonus_odds(book),
        dragon_bonus_natural_odds=_odds(book, "dragon_bonus_natural_odds"),
        dragon_7_odds=_odds(book, "dragon_7_odds"),
        panda_8_odds=_odds(book, "panda_8_odds"),
        house_money_odds=(
            {pairs: odds(pays) for pairs, pays in numbers["house_money_odds"].value.items()}
            if "house_money_odds" in numbers
            else None
        ),
        house_money_portion=Fraction(chosen.get("house_money_portion", 1)),
        house_money_vigorish_whole=chosen.get("house_money_vigorish", "whole") == "whole",
        coupon_even=chosen["match_play_pays"] == "even",
    )


def _by(figure: Any, vigorish: str) -> Any:
    """Return a figure that depends on which vigorish was chosen, or the one that does not."""
    return figure[vigorish] if isinstance(figure, dict) else figure


def _odds(book: Rulebook, name: str) -> Fraction | None:
    """Return the odds of a wager that not every chapter has, or not from its first day."""
    return book.odds(name) if name in book.numbers else None


def _dragon_bonus_odds(book: Rulebook) -> dict[int, Fraction] | None:
    """Return the odds by winning margin of the paytable that the house chose."""
    table = book.options.get("dragon_bonus")
    if table is None:
        return None
    return {margin: odds(pays) for margin, pays in book.number("dragon_bonus_odds").value[table].items()}


def value(rank: str) -> int:
    """Return a card's value, 631a.6(a): face value, ten to king nothing, ace one.

    >>> [value(rank) for rank in "A9TK"]
    [1, 9, 0, 0]
    """
    return "0A23456789".find(rank) if rank in "A23456789" else 0


def is_natural(rules: Rules, points: int) -> bool:
    """631a.1: a Point Count of 8 or 9 on the first two cards dealt."""
    return points in rules.naturals


def player_draws(rules: Rules, player: int) -> bool:
    """631a.11(b): with no Natural on the table, the Player's Hand draws on less than 6."""
    return player < rules.player_draws_below


def banker_draws(rules: Rules, banker: int, players_third: int | None) -> bool:
    """631a.11(c): whether the Banker's Hand draws, by the value of the Player's third card if any."""
    if players_third is None:
        return banker <= rules.banker_draws_to_alone  # (c)(1)
    if banker < rules.banker_draws_below:  # (c)(2)(i)
        return True
    if banker >= rules.banker_stays_at:  # (c)(2)(ii)
        return False
    return rules.banker_table[banker][players_third] == "D"  # (c)(2)(iii), Table 1


# ── The checks that only the baccarat games add: initial and third cards, and House Money ─────────────

_READER: Final = "A shoe reader that missed or doubled a card, where no second reader is connected."
_KEYED: Final = "A choice keyed at the terminal a moment before or after it was made."

INITIAL_CARD_MISSING: Final = Kind(
    "initial_card_missing",
    severity="critical",
    asks="Did each hand get its first two cards?",
    false_positives="A shoe reader that missed a card, where no second reader is connected.",
    due_card=True,
)
THIRD_CARD_MISSING: Final = Kind(
    "third_card_missing",
    severity="critical",
    asks="Was a third card dealt wherever the text asks for one?",
    false_positives=_READER,
    name="third card not drawn",
    due_card=True,
)
THIRD_CARD_EXTRA: Final = Kind(
    "third_card_extra",
    severity="critical",
    asks="Was no additional card dealt that the text does not allow?",
    false_positives="A card reported on a hand that was discarded as drawn in error.",
    name="third card in error",
    extra_card=True,
)
CARD_AFTER_NATURAL: Final = Kind(
    "card_after_natural",
    severity="critical",
    asks="Did the dealing stop at a Natural?",
    false_positives="A card reported on a hand that was discarded as drawn in error.",
    extra_card=True,
)
HOUSE_MONEY_LATE: Final = Kind(
    "house_money_late",
    severity="critical",
    asks="Was House Money settled before any third card?",
    false_positives=_KEYED,
)
HOUSE_MONEY_EARLY: Final = Kind(
    "house_money_early",
    severity="critical",
    asks="Was House Money settled only after both hands had two cards?",
    false_positives=_KEYED,
)
HOUSE_MONEY_NOT_WON: Final = Kind(
    "house_money_not_won",
    severity="critical",
    asks="Was a House Money payout taken or added only by a winner?",
    false_positives="A choice keyed for the wrong seat.",
)
HOUSE_MONEY_WITHOUT_WAGER: Final = Kind(
    "house_money_without_wager",
    severity="critical",
    asks="Did the player have a wager on the hand that the payout was added to?",
    false_positives="A choice keyed for the wrong seat or hand.",
)
KINDS: Final = (
    INITIAL_CARD_MISSING,
    THIRD_CARD_MISSING,
    THIRD_CARD_EXTRA,
    CARD_AFTER_NATURAL,
    HOUSE_MONEY_LATE,
    HOUSE_MONEY_EARLY,
    HOUSE_MONEY_NOT_WON,
    HOUSE_MONEY_WITHOUT_WAGER,
)

_EMPTY: Final = (
    "A shoe reader that reports an empty shoe while cards remain; a call of void that was not keyed."
)

FALSE_POSITIVES: Final[Mapping[tuple[str, str | None], str]] = {("void_not_called", None): _EMPTY}

# The checks on a card too many: where an unread card leaves open which of them it was, `card_extra` is found.
CARDS_EXTRA: Final = frozenset(kind.check for kind in KINDS if kind.extra_card)
