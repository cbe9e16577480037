"""Procedures before their judge: one window of a table, its chapter's duties, what was not reported."""

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from projections.engine.facts import Fact, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Window
from projections.engine.procedures.entries import Noted
from schemas.events import ItemMoved, RoundClosed, RoundOpened, RoundVoided
from schemas.house import ProcedureSettings
from schemas.law_text import Chapter, Number
from schemas.rulebook import Rulebook
from schemas.values import Micros

MANUAL: Final = "manual"
_MOST_GAPS: Final = 8


class RoundSpan(Struct, frozen=True):
    """A round's name, its opening and its close, and whether it was called void."""

    name: str
    since: Micros
    until: Micros
    is_void: bool


class ProcedureCase(Struct, dict=True):
    """A window of a table's procedures, on a gaming day, under a chapter whose text is in force that day.

    `sources` are those that the table has, `book` the chapter's rules of the day with what the house chose,
    `game` which it is to Chapter 465a; `uncertainty` is how far apart clocks can be that are held to
    agree, in microseconds.
    """

    table: str
    day: date
    law: Chapter
    sources: frozenset[str]
    book: Rulebook
    uncertainty: Micros
    settings: ProcedureSettings
    window: Window
    game: str

    @property
    def decks(self) -> int:
        """Return how many decks are in one shoe."""
        return self.book.shoe_decks

    @property
    def options(self) -> Mapping[str, Any]:
        """Return what the house chose for the table."""
        return self.book.options

    @cached_property
    def opened(self) -> Noted | None:
        """Return the first opening of a round in the window; None if there was none."""
        return next((entry for entry in self.window.entries if isinstance(entry.event, RoundOpened)), None)

    @cached_property
    def round_span(self) -> RoundSpan | None:
        """The round that was opened in the window; None if there was none."""
        opened, until, is_void = self.opened, self.window.until, False
        for entry in self.window.entries:
            match entry.event:
                case RoundClosed():
                    until = entry.at
                case RoundVoided():
                    is_void = True
        if opened is None or opened.event.round is None:
            return None
        return RoundSpan(opened.event.round, opened.at, until, is_void)

    @cached_property
    def shoe_kind(self) -> str:
        """The kind of the last dealing shoe that came to the table, `manual` unless another was reported."""
        brought = self.window.after.shoe_device
        if brought is None or not isinstance(brought.event, ItemMoved):
            return MANUAL
        return brought.event.marks.get("shoe_kind", MANUAL)

    @cached_property
    def _replaced(self) -> tuple[str, ...]:
        """The provisions that do not hold while the dealing shoe shuffles by itself, 541.15 and its like."""
        shuffling = self.law.duty("shuffling_shoe", self.day) if self.shoe_kind != MANUAL else None
        return tuple(shuffling.value) if shuffling is not None else ()

    def duty(self, name: str) -> Number | None:
        """Return what the chapter asks for under a name, and where; None if it has no such duty.

        None too for what a shoe that shuffles by itself takes the place of; whether it may is another duty.
        """
        duty = self.law.duty(name, self.day)
        if duty is not None and any(
            duty.cite == each or duty.cite.startswith(f"{each}(") for each in self._replaced
        ):
            return None
        return duty

    def unreported(self, since: Micros, until: Micros, *sources: str) -> tuple[Fact, ...]:
        """Return what these sources did not report between two moments, each once."""
        gaps = dict.fromkeys(
            gap.message
            for gap in self.window.after.gaps
            if gap.source in sources and gap.since <= until and gap.until >= since
        )
        return tuple(gaps)[:_MOST_GAPS]

    def found(
        self,
        kind: Kind,
        message: Fact,
        cites: Iterable[str],
        *,
        who: str,
        gaps: tuple[Fact, ...] = (),
        undetermined: bool = False,
    ) -> Raised:
        """Raise a finding about `who`; with `gaps`, which may be of what was not seen, it is undetermined."""
        if gaps:
            message = fact("procedures.meanwhile", message=message, gaps=listed(*dict.fromkeys(gaps)))
        return Raised(
            kind=kind,
            message=message,
            cites=tuple(cites),
            weight="undetermined" if gaps or undetermined else None,
            who=who,
            table=self.table,
        )
