"""The enacted numbers of a chapter: `date -> {value, cite}` in schemas/law/<chapter>.yaml.

A number is only ever asked for on a date. Before its first date, or before its chapter's, the answer is
`NotInForce`, never zero.
"""

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml
from msgspec import Struct

from schemas.errors import LawError, NotInForce
from schemas.values import Name, Sentence

FOLDER: Final = Path(__file__).parent / "law"


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    """One figure of the law and the provision that states it."""

    value: Any
    cite: Name


class Printing(Struct, frozen=True, forbid_unknown_fields=True):
    """A text as it was enacted: its status (adopted, temporary, proposed, reconstructed) and source."""

    status: Sentence
    source: Sentence


class WagerLaw(Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """A wager the text knows, since when, and the option under which a house offers it."""

    since: date
    cite: Name
    offered_with: Name | None = None


class OptionLaw(Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """A choice that the text leaves to the house: its default and the values it admits."""

    default: Any
    since: date
    cite: Name
    values: list[Any] | None = None
    at_least: int | None = None
    above: int | None = None
    at_most: int | None = None


class Chapter(Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the regulations with everything it ever fixed, by date."""

    chapter: Name
    title: Sentence
    texts: dict[date, Printing]
    numbers: dict[Name, dict[date, Number]]
    wagers: dict[Name, WagerLaw]
    clauses: dict[Name, tuple[Name, ...]]
    options: dict[Name, OptionLaw]

    def text_on(self, day: date) -> date:
        """Say since when the text in force on a day has stood.

        Raises:
            NotInForce: the chapter had no text on that day.
        """
        since = [start for start in self.texts if start <= day]
        if not since:
            first = min(self.texts)
            raise NotInForce(f"Chapter {self.chapter} is not in force on {day}; its text begins on {first}")
        return max(since)

    def numbers_on(self, day: date) -> dict[str, Number]:
        """Give the figures in force on a day; a figure that is not yet law is absent."""
        in_force = {}
        for name, dated in self.numbers.items():
            since = [start for start in dated if start <= day]
            if since:
                in_force[name] = dated[max(since)]
        return in_force


def parse(text: str, where: str) -> Chapter:
    """Read a law file's text; `where` names it in messages.

    Raises:
        LawError: it is not the form of a law file, or a number stands without its citation.
    """
    try:
        return msgspec.convert(yaml.safe_load(text), Chapter)
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise LawError(f"{where}: {error}") from None


def chapters() -> list[str]:
    """List the chapters whose numbers are on file."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml") if "_" not in path.stem)


@cache
def chapter(number: str) -> Chapter:
    """Load one chapter.

    Raises:
        LawError: there is no such file, or it is at fault.
    """
    path = FOLDER / f"{number}.yaml"
    if number not in chapters():
        raise LawError(f"there is no law file for Chapter {number}; on file are {', '.join(chapters())}")
    return parse(path.read_text(encoding="utf-8"), str(path))


def status_of(provision: str, day: date) -> str:
    """Say what the text of a provision is worth on a day: adopted, temporary, proposed or reconstructed.

    On a day before the first text it is that text's status: what is said of such a day is said by it.

    >>> status_of("631a.13(c)", date(2013, 5, 1)), status_of("631a.13(c)", date(2025, 5, 1))
    ('reconstructed', 'adopted')
    """
    law = chapter(provision.partition(".")[0])
    return law.texts[law.text_on(max(day, min(law.texts)))].status


STATUSES: Final[Mapping[str, str]] = {
    "adopted": "in force as adopted",
    "temporary": "in force as a temporary regulation",
    "proposed": "printed as proposed; taken to hold from its printing",
    "reconstructed": "an earlier text, reconstructed from the later one and its history notes",
    "house control": "the house's own internal control, or plain bookkeeping",
}
