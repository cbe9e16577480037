"""Which of the known names come near to one that is not known."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from replay.lists.writers import printable

_TOLD: Final = 5
_ALIKE: Final = 0.6  # from 0 to 1, as difflib has it


def nearest(asked: str, known: Iterable[str]) -> str:
    """Return what comes near to a word, nearest first, for the end of a message; nothing where nothing does.

    >>> nearest("bacarat", ["baccarat", "craps", "Minibaccarat"]), nearest("535", ["baccarat"])
    ('; nearest: baccarat; Minibaccarat', '')
    """
    names = {name.casefold(): name for name in sorted(known, reverse=True)}
    near = get_close_matches(asked.casefold(), sorted(names), _TOLD, _ALIKE)
    return f"; nearest: {printable('; '.join(names[each] for each in near))}" if near else ""
