"""`discardrack prove`: what each wager earns the house, by exact enumeration."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click

from projections.engine.games import REGISTRY, module_of, side_wager_proof
from projections.engine.games.proving import BookOf, Proof, Proven, PublishedFigure, Readings
from replay.lists.writers import Form, format_option, write_rows
from replay.proofs.theoretical_win import FILE, Advantage, dump, rules_digest
from schemas import house as houses
from schemas import law_text
from schemas.errors import BadInput, LawError
from schemas.house import House
from schemas.law_text import Chapter
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
@click.option(
    "--house",
    "house_name",
    help="House file, a name in schemas/houses or a path: prove its side wagers with a pay table too.",
)
@format_option()
def prove(
    chapter: str,
    decks: int | None,
    readings: bool,  # noqa: FBT001  a flag of the command line
    house_name: str | None,
    form: Form,
) -> None:
    """Enumerate a game exactly, through the very functions that judge its hands.

    CHAPTER is a chapter of the regulations or a game's name. Each wager is proven under each choice of the
    house that changes what it earns, by the chapter's latest text: how many ordered deals it wins, is
    returned on and loses, the house advantage on the wager as an exact fraction, and the variance of what a
    unit staked gains. A side wager whose pay table leaves a line open, or asks for more than can be counted
    in a moment, is not among the rows.

    \b
    Example:
      discardrack prove baccarat --decks 8
      discardrack prove 681a --readings
      discardrack prove 631a --house my_house.yaml
    """  # noqa: D301  click takes the backspace itself for its mark
    if readings:
        number, readings_by_books = readings_of(chapter)
        write_rows([reading_row(reading) for reading in readings_by_books(_books(number), decks)], form)
        return
    number, proof = proof_of(chapter)
    found = list(proof(_books(number), decks))
    if house_name is not None:
        found += _side_wagers(houses.load(house_name, Path.cwd()), number, decks)
    write_rows([row(proven) for proven in found], form)


def _side_wagers(house: House, number: str, decks: int | None) -> Iterator[Proven]:
    """Prove each side wager of a house's submissions for a chapter, by the day from which it is offered."""
    seen = set()
    for each in house.submissions:
        if each.chapter != number:
            continue
        book = rulebook(number, each.since, {}, decks, house.span(number), each.offered)
        for wager, text in each.offered.items():
            proven = side_wager_proof.proven(book, wager) if (wager, text) not in seen else None
            seen.add((wager, text))
            if proven is not None:
                yield proven


def _books(number: str) -> BookOf:
    """Compose rulebooks by a chapter's latest text."""
    day = max(law_text.chapter(number).texts)

    def book_of(options: Mapping[str, Any], decks: int | None) -> Rulebook:
        return rulebook(number, day, options, decks)

    return book_of


def reading_row(reading: PublishedFigure) -> dict[str, object]:
    """Return the row of a published figure under one reading."""
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
    """Return the row of what was proven of a wager."""
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


# ── Each game's proof, found beside its rules and loaded only on demand ─────────────────────────────────
# The module `proof` of a game's package has `proof`, and `readings` if the regulator published figures that
# show which reading of an ambiguous clause they are based on.


def proofs() -> dict[str, Proof]:
    """Return the proof of every chapter's game, by the chapter."""
    return {chapter: _module(chapter).proof for chapter in REGISTRY}


def proof_of(name: str) -> tuple[str, Proof]:
    """Return a game's chapter and proof, by its chapter or by what people call it.

    Raises:
        BadInput: there is no enumeration of such a game here.
    """
    for chapter, each in REGISTRY.items():
        if name in (chapter, each.called):
            return chapter, _module(chapter).proof
    raise BadInput(f"no game {name!r} can be enumerated here; known are {_chapter_names(list(REGISTRY))}")


def readings_of(name: str) -> tuple[str, Readings]:
    """Return a game's chapter and readings, by its chapter or by what people call it.

    Raises:
        BadInput: the regulator published no figure of such a game that a reading could reproduce.
    """
    chapters = [chapter for chapter in REGISTRY if hasattr(_module(chapter), "readings")]
    for chapter in chapters:
        if name in (chapter, REGISTRY[chapter].called):
            return chapter, _module(chapter).readings
    raise BadInput(
        f"no published figure tells the readings of {name!r}; known are {_chapter_names(chapters)}"
    )


def _module(chapter: str) -> ModuleType:
    found = module_of(chapter, "proof")
    if found is None:
        raise BadInput(f"the game of chapter {chapter} has no enumeration: its package lacks proof.py")
    return found


def _chapter_names(chapters: list[str]) -> str:
    return ", ".join(f"{REGISTRY[chapter].called} ({chapter})" for chapter in chapters)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# `make advantages`: every proof under each choice that affects it, into replay/proofs/advantages.json. It
# takes some minutes, as simulated games are played again for every choice.


def main() -> None:
    """Write the file again."""
    rows: list[Advantage] = []
    for chapter, proof in proofs().items():
        rows += proven_of(chapter, proof)
        click.echo(f"Chapter {chapter} is proven")
    FILE.write_bytes(dump(rows))


def proven_of(chapter: str, proof: Proof) -> Iterator[Advantage]:
    """Prove a chapter's wagers under each of its texts, with each number of decks and each relevant choice.

    Raises:
        LawError: a wager earns something else with options that are not listed as relevant to it.
    """
    law = law_text.chapter(chapter)
    for day in _days(law):
        for decks in _decks(law):
            yield from _rows(law, day, decks, proof)


def _days(law: Chapter) -> list[date]:
    """Return the first day of every state of the text: on others no figure is new."""
    return sorted({*law.texts, *(start for dated in law.numbers.values() for start in dated)})


def _decks(law: Chapter) -> list[int | None]:
    """Return the numbers of decks that are admitted; None alone where the game is played without cards."""
    dated = law.numbers.get("decks")
    return [None] if dated is None else dated[min(dated)].value


def _rows(law: Chapter, day: date, decks: int | None, proof: Proof) -> Iterator[Advantage]:
    """Prove by one text with one number of decks, then again under each choice that it leaves as usual."""
    usual = list(_proven(law, day, {}, decks, proof))
    found = {(each.wager, str(each.hangs_on)): each for each in usual}
    for chosen in _others(law, usual, decks):
        for each in _proven(law, day, chosen, decks, proof):
            advantage = found.setdefault((each.wager, str(each.hangs_on)), each)
            if _figures(advantage) != _figures(each):
                raise LawError(f"{law.chapter} {each.wager}: {chosen} bears on it, and it does not say so")
    digest = rules_digest(rulebook(law.chapter, day, {}, decks))
    for each in found.values():
        yield Advantage(
            chapter=law.chapter,
            wager=each.wager,
            text=law.text_on(day),
            decks=each.decks,
            options=dict(each.hangs_on),
            house_advantage=each.house_advantage,
            variance=each.variance,
            most=each.most,
            method=each.method,
            error=Fraction(each.error),
            counts_in=each.counts_in,
            unless=each.unless,
            beside=dict(each.more_figures),
            terms=each.terms,
            digest=digest,
        )


def _figures(proven: Proven) -> tuple[Fraction, Fraction, Mapping[str, Fraction]]:
    return proven.house_advantage, proven.variance, proven.more_figures


def _proven(
    law: Chapter, day: date, chosen: Mapping[str, Any], decks: int | None, proof: Proof
) -> Iterator[Proven]:
    """Prove by the text of a day with the house's choices, except for those that the proof makes itself."""

    def book_of(options: Mapping[str, Any], decks: int | None) -> Rulebook:
        return rulebook(law.chapter, day, {**chosen, **options}, decks)

    return proof(book_of, decks)


def _others(law: Chapter, proven: list[Proven], decks: int | None) -> Iterator[dict[str, Any]]:
    """Yield each other choice among the options that affect a wager and that the proof does not vary."""
    others: dict[str, list[Any]] = {}
    for each in proven:
        for name, value in each.hangs_on.items():
            others.setdefault(name, []).append(value)
    usual = {name: values[0] for name, values in others.items() if all(each == values[0] for each in values)}
    listed = {name: law.options[name].listed(decks or 0, {}) for name in usual}
    for values in product(*(listed[name] or [usual[name]] for name in usual)):
        chosen = dict(zip(usual, values, strict=True))
        if chosen != usual:
            yield chosen


if __name__ == "__main__":
    main()
