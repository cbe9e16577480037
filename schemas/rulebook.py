"""The rulebook of a round: the text in force on its gaming date and what the house chose within it."""

import hashlib
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from schemas import law_text
from schemas.errors import BadInput, NotInForce
from schemas.law_text import Number, OptionLaw, WagerLaw
from schemas.values import odds


class Rulebook(Struct, frozen=True, eq=False):
    """Everything that decides a round's money besides the round itself.

    `not_yet_law` names the options that were chosen although the text did not have them on the day; they
    are without effect in `options`.
    """

    chapter: str
    day: date
    since: date
    status: str
    numbers: dict[str, Number]
    wagers: dict[str, WagerLaw]
    clauses: dict[str, tuple[str, ...]]
    options: dict[str, Any]
    decks: int
    not_yet_law: tuple[str, ...]
    digest: str

    def odds(self, name: str) -> Fraction:
        """Give a figure of the law as odds."""
        return odds(self.number(name).value)

    def number(self, name: str) -> Number:
        """Give a figure of the law.

        Raises:
            NotInForce: the text of the day does not have it.
        """
        try:
            return self.numbers[name]
        except KeyError:
            raise NotInForce(f"Chapter {self.chapter} has no {name} on {self.day}") from None

    def wager_law(self, wager: str) -> WagerLaw | None:
        """Give the text's own word on a wager, or None where it does not know the wager on the day."""
        law = self.wagers.get(wager)
        return law if law is not None and law.since <= self.day else None


def rulebook(chapter: str, day: date, options: Mapping[str, Any], decks: int | None = None) -> Rulebook:
    """Compose the rulebook of a day from a chapter and a house's choices.

    Raises:
        BadInput: an option, an option's value or a number of decks that the chapter does not admit.
        NotInForce: the chapter had no text on that day.
        LawError: there is no law file for the chapter.
    """
    items = tuple(sorted((name, _canonical(value)) for name, value in options.items()))
    return _rulebook(chapter, day, items, decks)


@lru_cache(maxsize=4096)
def _rulebook(
    chapter: str, day: date, options: tuple[tuple[str, tuple[str, Any]], ...], decks: int | None
) -> Rulebook:
    law = law_text.chapter(chapter)
    chosen = {}
    for name, (_, value) in options:
        if name not in law.options:
            raise BadInput(f"unknown option {name!r} for Chapter {chapter}; it has {', '.join(law.options)}")
        chosen[name] = _admitted(name, law.options[name], value, chapter)
    admitted = law.numbers["decks"][min(law.numbers["decks"])].value
    if decks is not None and decks not in admitted:
        raise BadInput(f"{decks} decks: Chapter {chapter} admits {', '.join(map(str, admitted))}")
    since = law.text_on(day)
    numbers = law.numbers_on(day)
    not_yet_law = tuple(name for name, value in chosen.items() if _too_early(law.options[name], value, day))
    in_effect = {
        name: option.default if option.values is not None else str(option.default)
        for name, option in law.options.items()
    }
    in_effect.update({name: value for name, value in chosen.items() if name not in not_yet_law})
    decks = decks or max(admitted)
    stated = {
        "chapter": chapter,
        "since": str(since),
        "decks": decks,
        "options": in_effect,
        "numbers": {name: [str(number.value), number.cite] for name, number in numbers.items()},
    }
    digest = hashlib.sha256(msgspec.json.encode(stated, order="deterministic")).hexdigest()[:16]
    return Rulebook(
        chapter=chapter,
        day=day,
        since=since,
        status=law.texts[since].status,
        numbers=numbers,
        wagers=law.wagers,
        clauses=law.clauses,
        options=in_effect,
        decks=decks,
        not_yet_law=not_yet_law,
        digest=digest,
    )


def _too_early(option: OptionLaw, value: Any, day: date) -> bool:
    return day < option.since and value != option.default


def _canonical(value: Any) -> tuple[str, Any]:
    # True and 1 are equal to Python but not to a Rules Submission: the type is part of a cache's key.
    if isinstance(value, list | dict):
        raise BadInput(f"an option's value is a flag, a number or a word, not {value!r}")
    return type(value).__name__, value


def _admitted(name: str, option: OptionLaw, value: Any, chapter: str) -> Any:
    if option.values is not None:
        if any(type(value) is type(known) and value == known for known in option.values):
            return value
        known = ", ".join(str(msgspec.json.encode(known), "utf-8") for known in option.values)
        raise BadInput(f"option {name}: {value!r} is not among {known} (Chapter {chapter}, {option.cite})")
    try:
        number = odds(value)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"option {name}: {value!r} is not a number or a fraction") from None
    if (
        isinstance(value, bool)
        or (option.at_least is not None and number < option.at_least)
        or (option.above is not None and number <= option.above)
        or (option.at_most is not None and number > option.at_most)
    ):
        raise BadInput(f"option {name}: {value!r} is outside what Chapter {chapter} admits ({option.cite})")
    return str(number)
