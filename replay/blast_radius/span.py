"""From where to where a defect lasted: by moments, gaming days, or rounds of one table."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from projections.engine.observation import Round
from schemas.errors import BadInput
from schemas.house import House
from schemas.values import microseconds

_ROUND: Final = re.compile(r"(?:(\d{4}-\d\d-\d\d)/)?(\S.*)")
_LIKE_A_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?")


class Edge(Struct, frozen=True):
    """One end of a span: a moment (microseconds UTC), or a round by its number, on a gaming date if told."""

    text: str
    at: int | None = None
    number: str | None = None
    day: date | None = None

    def is_of(self, observed: Round) -> bool:
        """Return True if it names a round."""
        return self.number == observed.number and self.day in (None, observed.day)


class Span(Struct, frozen=True):
    """The rounds from one end to another, both included; an end that is not told is that of the record."""

    first: Edge | None = None
    last: Edge | None = None

    @property
    def by_rounds(self) -> bool:
        """Whether an end is named by its round, which is of one table."""
        return any(edge is not None and edge.number is not None for edge in (self.first, self.last))

    @property
    def told(self) -> bool:
        """Whether any end was named."""
        return self.first is not None or self.last is not None


class Walk:
    """Goes through rounds in the order of play, and says which of them lie within a span."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._begun = span.first is None or span.first.number is None
        self._ended = False
        self._met: dict[str, date] = {}

    def holds(self, observed: Round) -> bool:
        """Return True if a round lies within the span.

        Raises:
            BadInput: the number of a round that is an end was given on another gaming date too.
        """
        first, last = self._span.first, self._span.last
        self._begun = self._meets(first, observed) or self._begun
        within = (
            self._begun
            and not self._ended
            and (first is None or first.at is None or observed.at >= first.at)
            and (last is None or last.at is None or observed.at <= last.at)
        )
        if self._meets(last, observed) and self._begun:
            self._ended = True
        return within

    def _meets(self, edge: Edge | None, observed: Round) -> bool:
        if edge is None or not edge.is_of(observed):
            return False
        met = self._met.setdefault(edge.text, observed.day)
        if met != observed.day:
            raise BadInput(
                f"round {observed.number} of table {observed.table} was played on {met} and {observed.day}; "
                f"say which as {met}/{observed.number}"
            )
        return True

    def check_met(self, table: str) -> None:
        """Refuse a span whose ends were not among the rounds, or stand in the wrong order.

        Raises:
            BadInput: a round that was named as an end is not there.
        """
        for edge in (self._span.first, self._span.last):
            if edge is not None and edge.number is not None and edge.text not in self._met:
                raise BadInput(f"round {edge.text} of table {table} is not there")
        last = self._span.last
        if last is not None and last.number is not None and not self._ended:
            raise BadInput(f"round {last.text} of table {table} was not played after the span began")


def span_of(first: str | None, last: str | None, house: House, tables: Sequence[str]) -> Span:
    """Read the two ends of a span, in the property's zone unless an offset is told.

    Raises:
        BadInput: an end is none, it ends before it begins, or a round is named and not one table.
    """
    span = Span(
        _edge("--from", first, house, is_end=False) if first is not None else None,
        _edge("--to", last, house, is_end=True) if last is not None else None,
    )
    if span.by_rounds and len(tables) != 1:
        raise BadInput("a span by rounds is of one table: say --table NAME")
    if (
        span.first is not None
        and span.last is not None
        and span.first.at is not None
        and span.last.at is not None
        and span.last.at < span.first.at
    ):
        raise BadInput(f"the span ends ({last}) before it begins ({first})")
    return span


def _edge(option: str, text: str, house: House, *, is_end: bool) -> Edge:
    if _LIKE_A_TIME.fullmatch(text):
        try:
            if len(text) == len("2025-03-01"):
                begins, ends = house.bounds(date.fromisoformat(text))
                return Edge(text, at=ends - 1 if is_end else begins)
            at = datetime.fromisoformat(text)
        except (ValueError, OverflowError):
            raise BadInput(f"{option} {text!r} is no time; write 2025-03-01T21:14 or 2025-03-01") from None
        # Where clocks are put back an hour comes twice: a span has both.
        aware = at if at.tzinfo is not None else at.replace(tzinfo=ZoneInfo(house.zone), fold=int(is_end))
        return Edge(text, at=microseconds(aware))
    found = _ROUND.fullmatch(text)
    if found is None:
        raise BadInput(f"{option} {text!r} is neither a time, a gaming day nor a round")
    try:
        day = date.fromisoformat(found[1]) if found[1] else None
    except ValueError:
        raise BadInput(f"{option} {text!r}: {found[1]} is no day") from None
    return Edge(text, number=found[2], day=day)
