"""`discardrack prove`: what each wager earns the house, by exact enumeration."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import click

from projections.engine.games.proving import BookOf, Proven, Reading
from replay.lists.writers import Form, format_option, write_rows
from replay.proofs.advantages import proof_of, readings_of
from schemas import law_text
from schemas.rulebook import Rulebook, rulebook

_PLACES: Final = 10


@click.command()
@click.argument("chapter")
@click.option(
    "--decks", type=click.IntRange(min=1), help="Decks in the shoe; the chapter's usual number if absent."
)
@click.option(
    "--readings",
    is_flag=True,
    help="Show under which readings of the text the figures come out that the regulator published.",
)
@format_option()
def prove(chapter: str, decks: int | None, readings: bool, form: Form) -> None:  # noqa: FBT001  a flag of the command line
    """Enumerate a game exactly, through the very functions that judge its hands.

    CHAPTER is a chapter of the regulations or a game's name. Each wager is proven under each choice of the
    house that changes what it earns, by the chapter's latest text: how many ordered deals it wins, is
    returned on and loses, the house advantage on the wager as an exact fraction, and the variance of what a
    unit staked gains.

    \b
    Example:
      discardrack prove baccarat --decks 8
      discardrack prove 681a --readings
    """  # noqa: D301  click takes the backspace itself for its mark
    if readings:
        number, shown = readings_of(chapter)
        write_rows([reading_row(reading) for reading in shown(_books(number), decks)], form)
        return
    number, proof = proof_of(chapter)
    write_rows([row(proven) for proven in proof(_books(number), decks)], form)


def _books(number: str) -> BookOf:
    """Compose rulebooks by a chapter's latest text."""
    day = max(law_text.chapter(number).texts)

    def book_of(options: Mapping[str, Any], decks: int | None) -> Rulebook:
        return rulebook(number, day, options, decks)

    return book_of


def reading_row(reading: Reading) -> dict[str, object]:
    """Put a published figure under one reading into the columns of the list."""
    return {
        "figure": reading.figure,
        "published": reading.published,
        "reading": reading.option,
        "default": reading.is_default,
        "computed": decimal(reading.computed),
        "fraction": str(reading.computed),
        "reproduces": reading.reproduces,
    }


def row(proven: Proven) -> dict[str, object]:
    """Put what was proven of a wager into the columns of the list."""
    return {
        "wager": proven.wager,
        "option": proven.option,
        "decks": proven.decks,
        "win": proven.win,
        "push": proven.push,
        "lose": proven.lose,
        "total": proven.win + proven.push + proven.lose,
        "house_advantage": str(proven.house_advantage),
        "decimal": decimal(proven.house_advantage),
        "published": proven.published,
        "method": proven.method,
        "error": proven.error,
        "variance": decimal(proven.variance),
    }


def decimal(fraction: Fraction) -> str:
    """Write a fraction as a decimal of ten places, half to even.

    >>> decimal(Fraction(1, 8)), decimal(Fraction(-1, 3))
    ('0.1250000000', '-0.3333333333')
    """
    return format(Decimal(round(fraction * 10**_PLACES)).scaleb(-_PLACES), "f")
