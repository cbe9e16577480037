"""Readings of texts that are silent or at odds: which options choose one, and which are fixed."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
import yaml
from msgspec import Struct
from msgspec.structs import replace

from schemas.values import Name, Sentence

_FILE: Final = Path(__file__).parent / "readings.yaml"


class TextReading(Struct, frozen=True, forbid_unknown_fields=True):
    """A reading that no option changes: the question that the text leaves open, and the answer used.

    One that is `in_play` affects a wager although only the play cites the clause.
    """

    clauses: tuple[Name, ...]
    question: Sentence
    taken: Sentence
    in_play: bool = False


class Readings(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that choose a reading, and the readings that are fixed."""

    selectable: frozenset[str]
    fixed: tuple[TextReading, ...]


@cache
def readings() -> Readings:
    """Load the readings."""
    return msgspec.convert(yaml.safe_load(_FILE.read_text(encoding="utf-8")), Readings)


def is_reading(option: str) -> bool:
    """Return True if an option chooses a reading of a text, rather than what the text leaves to the house.

    >>> is_reading("dealer_ace_limit"), is_reading("tie_odds")
    (True, False)
    """
    return option in readings().selectable


def fixed(sums: Iterable[str], play: Iterable[str]) -> tuple[TextReading, ...]:
    """Return the fixed readings that affect something, with those clauses that its sum or play cites.

    >>> [(each.clauses, each.taken) for each in fixed(["551.6(b)(3)"], [])]
    [(('551.6(b)(3)',), "the player's wins")]
    """
    in_sum, in_play = tuple(sums), tuple(play)
    found = []
    for each in readings().fixed:
        cited = (*in_sum, *in_play) if each.in_play else in_sum
        if clauses := tuple(clause for clause in each.clauses if _is_among(clause, cited)):
            found.append(replace(each, clauses=clauses))
    return tuple(found)


def _is_among(clause: str, provisions: Iterable[str]) -> bool:
    """Return True if a clause, or a part of it, is among provisions."""
    return any(each == clause or each.startswith(f"{clause}(") for each in provisions)
