"""The rulebooks of one table: the text of a day with what the house chose for the table."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from schemas.house import House
from schemas.rulebook import Rulebook, rulebook


class Books:
    """Composes a table's rulebooks, and keeps the one that was asked for last."""

    def __init__(self, table: str, house: House) -> None:
        self._table, self._house, self._setup = table, house, house.tables[table]
        self._last: tuple[date, dict[str, Any] | None, Rulebook] | None = None
        self._submitted_on: tuple[date, bool] = (date.min, False)

    def book(self, day: date, changed: dict[str, Any] | None) -> Rulebook:
        """Compose the rulebook of a day: the house's submission, or the change of rules that replaced it.

        Raises:
            BadInput: a change of rules that the law does not admit.
            NotInForce: the chapter had no text on the day.
        """
        if self._last is None or self._last[0] != day or self._last[1] is not changed:
            chosen = changed
            if chosen is None:
                chosen = self._house.options(self._setup.chapter, self._table, day)
            self._last = (day, changed, self.composed(day, chosen))
        return self._last[2]

    def composed(self, day: date, options: Mapping[str, Any]) -> Rulebook:
        """Compose the rulebook of a day with these options.

        Raises:
            BadInput: an option that the law does not admit.
            NotInForce: the chapter had no text on the day.
        """
        chapter = self._setup.chapter
        offered = self._house.offered(chapter, self._table, day)
        return rulebook(chapter, day, options, self._setup.decks, self._house.span(chapter), offered)

    def submitted(self, day: date) -> bool:
        """Return True if a Rules Submission for the table was in force on a day."""
        if self._submitted_on[0] != day:
            self._submitted_on = (day, self._house.submitted(self._setup.chapter, self._table, day))
        return self._submitted_on[1]
