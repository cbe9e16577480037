"""Where a coupon may lie, 603a.21(c): in the betting area, or where the text names the places."""

import re
from datetime import date
from typing import Final

from msgspec import Struct

from schemas.law_text import chapter

_GAMES: Final = ("craps", "roulette")
_SYNONYMS: Final = (
    (r"don.?t", "dont"),
    (r"\bfirst\b", "1st"),
    (r"\bsecond\b", "2nd"),
    (r"\bthird\b", "3rd"),
    (r"\bdozen\b", "12"),
    (r"\bto\b", " "),
    (r"\bline\b", " "),
)


class Places(Struct, frozen=True):
    """A game whose places are named, those places, and the provision."""

    game: str
    wagers: frozenset[str]
    cite: str


def places_of(game: str | int | None, day: date) -> Places | None:
    """Return the places that the text names for a game, by its chapter or name; None where it names none."""
    numbers = chapter("603a").numbers_on(day)
    for name in _GAMES:
        place_names = numbers[name]
        if game is not None and one_word(str(game)) in place_names.value:
            places = numbers[f"{name}_places"]
            return Places(name, frozenset(one_word(each) for each in places.value), places.cite)
    return None


def one_word(text: str) -> str:
    """Write a wager or game in one way, whatever marks and words a system uses.

    >>> one_word("Don't Pass Line"), one_word("dont_pass"), one_word("1 to 18"), one_word("First Dozen")
    ('dont_pass', 'dont_pass', '1_18', '1st_12')
    """
    words = text.lower().replace("_", " ")
    for pattern, word in _SYNONYMS:
        words = re.sub(pattern, word, words)
    return "_".join(re.findall(r"\w+", words))
