"""The other rulebook of a what-if: another house, other options, another date."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, TypeAlias

import yaml
from msgspec import Struct

from projections.engine.games import REGISTRY
from projections.engine.observation import Round
from replay.cli.options import nearest
from replay.recording.judged_rounds import Judged
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.law_text import chapter as law_of
from schemas.rulebook import Rulebook, rulebook

# chapter -> option -> value
Choices: TypeAlias = Mapping[str, Mapping[str, Any]]


class Otherwise(Struct, frozen=True):
    """What is otherwise: the house whose choices count, single options by chapter, the date of the text."""

    house: House | None = None
    choices: Choices = {}
    as_of: date | None = None

    def book(self, each: Judged, observed: Round) -> Rulebook | str:
        """Compose the other rulebook of a round; a sentence where no text would have been in force.

        What is not otherwise stays as it was in the round, the number of decks too: they were dealt.

        Raises:
            BadInput: an option or a value that the round's chapter does not admit.
        """
        number = each.conclusion.chapter
        day = self.as_of or observed.day
        own = self.house or each.house
        options = (
            own.options(number, observed.table, day) if self.house is not None else _options(each, observed)
        )
        if each.book is not None:
            decks = each.book.decks or None
        else:
            decks = own.tables[observed.table].decks if observed.table in own.tables else None
        if each.book is not None and self.house is None:
            offered = each.book.offered
        else:
            offered = own.offered(number, observed.table, day)
        chosen = {**options, **self.choices.get(number, {})}
        try:
            return rulebook(number, day, chosen, decks, own.span(number), offered)
        except NotInForce as error:
            return str(error)
        except BadInput as error:
            raise BadInput(
                f"table {observed.table}, round {observed.number} of {observed.day}: {error}"
            ) from None


def _options(each: Judged, observed: Round) -> dict[str, Any]:
    """Return the options of a round, those too that the house chose before the text had them."""
    chosen = each.house.options(each.conclusion.chapter, observed.table, observed.day)
    if each.book is None:
        return chosen
    early = {name: chosen[name] for name in each.book.not_yet_law if name in chosen}
    return each.book.options | early


def choices_of(told: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Read options as they are told on the command line.

    >>> choices_of(["631a.tie_odds=9", "baccarat.dragon_bonus=B"])
    {'631a': {'tie_odds': 9, 'dragon_bonus': 'B'}}

    Without a chapter an option counts in every chapter that has it.

    Raises:
        BadInput: it is not CHAPTER.OPTION=VALUE, or there is no such chapter or option.
    """
    choices: dict[str, dict[str, Any]] = {}
    for each in told:
        chapters, option, value = choice_of(each)
        for number in chapters:
            choices.setdefault(number, {})[option] = value
    return choices


def choice_of(choice: str) -> tuple[list[str], str, Any]:
    """Read one option and its value, with the chapters that it is of; a value is written as in a house file.

    >>> choice_of("631a.vigorish=5%")
    (['631a'], 'vigorish', '5%')

    Raises:
        BadInput: it is not CHAPTER.OPTION=VALUE, or there is no such chapter or option.
    """
    name, equals, text = choice.partition("=")
    if not equals or not name or not text:
        raise BadInput(f"{choice!r}: write CHAPTER.OPTION=VALUE, such as 631a.tie_odds=9")
    before, dot, option = name.rpartition(".")
    chapters = [chapter_of(before)] if dot else list(REGISTRY)
    options = {option for number in chapters for option in law_of(number).options}
    if option not in options:
        of = f"Chapter {chapters[0]}" if dot else "any chapter"
        raise BadInput(f"no option {option!r} in {of}{nearest(option, options)}")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise BadInput(f"{choice!r}: the value is written as in a house file: 9, true, null, A, 5%") from None
    return [number for number in chapters if option in law_of(number).options], option, value


def chapter_of(name: str) -> str:
    """Find a chapter by its number or by what people call its game.

    >>> chapter_of("631a"), chapter_of("baccarat")
    ('631a', '631a')

    Raises:
        BadInput: there is none.
    """
    for number, each in REGISTRY.items():
        if name in (number, each.called):
            return number
    names = {*REGISTRY, *(each.called for each in REGISTRY.values())}
    raise BadInput(f"no game {name!r}{nearest(name, names)}")
