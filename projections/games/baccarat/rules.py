"""Chapter 631a as predicates: each function states one lettered clause.

`Rules` is a rulebook put into the shapes that these predicates ask, once for many rounds.
"""

from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from schemas.rulebook import Rulebook
from schemas.values import odds


class Rules(Struct, frozen=True, eq=False):
    """Chapter 631a's figures of one day together with a house's choices, for the predicates below."""

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
    dragon_bonus_margin: int
    dragon_bonus_odds: dict[int, Fraction] | None
    dragon_bonus_natural_odds: Fraction
    dragon_7_odds: Fraction | None
    panda_8_odds: Fraction | None
    house_money_odds: dict[int, Fraction] | None
    house_money_portion: Fraction
    house_money_vigorish_whole: bool
    coupon_even: bool


@lru_cache(maxsize=256)
def rules_of(book: Rulebook) -> Rules:
    """Put a rulebook of Chapter 631a into the shapes the predicates ask."""
    chosen, numbers = book.options, book.numbers
    table = chosen["dragon_bonus"]
    return Rules(
        ez=chosen["ez"],
        naturals=frozenset(book.number("natural").value),
        player_draws_below=book.number("player_draws_below").value,
        banker_draws_to_alone=book.number("banker_draws_to_alone").value,
        banker_draws_below=book.number("banker_draws_below").value,
        banker_stays_at=book.number("banker_stays_at").value,
        banker_table=book.number("banker_table").value,
        player_odds=book.odds("player_odds"),
        banker_odds=book.odds("banker_odds"),
        tie_odds=odds(chosen["tie_odds"]),
        vigorish_rate=book.odds("vigorish_rate"),
        vigorish_unit=book.number("vigorish_rounding_unit").value,
        vigorish_rounds=chosen["vigorish_rounding_cents"] != 0,
        dragon_bonus_margin=book.number("dragon_bonus_margin").value,
        dragon_bonus_odds=(
            {margin: odds(pays) for margin, pays in book.number("dragon_bonus_odds").value[table].items()}
            if table is not None
            else None
        ),
        dragon_bonus_natural_odds=book.odds("dragon_bonus_natural_odds"),
        dragon_7_odds=book.odds("dragon_7_odds") if "dragon_7_odds" in numbers else None,
        panda_8_odds=book.odds("panda_8_odds") if "panda_8_odds" in numbers else None,
        house_money_odds=(
            {pairs: odds(pays) for pairs, pays in numbers["house_money_odds"].value.items()}
            if "house_money_odds" in numbers
            else None
        ),
        house_money_portion=Fraction(chosen["house_money_portion"]),
        house_money_vigorish_whole=chosen["house_money_vigorish"] == "whole",
        coupon_even=chosen["match_play_pays"] == "even",
    )


def value(rank: str) -> int:
    """Give a card's value, 631a.6(a): face value, ten to king nothing, ace one.

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
