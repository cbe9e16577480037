"""Names that exist and come near to one that does not: what somebody may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_MOST: Final = 5


def nearest_name(name: str, names: Iterable[str]) -> str | None:
    """Return the name among those that exist that may have been meant by one that does not.

    >>> nearest_name("takn", ["given", "taken"]), nearest_name("other", ["given"])
    ('taken', None)
    """
    return next(iter(get_close_matches(name, list(names), 1)), None)


def nearest_names(name: str, names: Iterable[str]) -> str:
    """Return the names that may have been meant, for the end of a message; empty if there is none.

    >>> nearest_names("bacarat", ["baccarat", "craps", "Minibaccarat"]), nearest_names("535", ["baccarat"])
    ('; nearest: baccarat; Minibaccarat', '')
    """
    folded = {each.casefold(): each for each in sorted(names, reverse=True)}
    matches = get_close_matches(name.casefold(), sorted(folded), _MOST)
    return f"; nearest: {'; '.join(folded[each] for each in matches)}" if matches else ""
