"""Steps, wagers and cards of a round, as its checks query them of the window."""

from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct

from projections.engine.facts import Fact
from projections.engine.procedures.account import PeopleAtTable
from projections.engine.procedures.case import ProcedureCase
from schemas.events import (
    CardDrawn,
    ChipsPlaced,
    ChipsRemoved,
    Event,
    ProcedureStepTaken,
    StackSeen,
)
from schemas.procedures import ProcedureStep
from schemas.values import Micros

T = TypeVar("T", bound=Event)


class PlayedRound(Struct, frozen=True):
    """A round that was played in a window, from its opening to its close."""

    case: ProcedureCase
    name: str
    since: Micros
    until: Micros
    is_void: bool = False

    @property
    def who(self) -> str:
        """Whom a finding about the round is about."""
        return f"round {self.name}"

    def events(self, kind: type[T]) -> Iterator[tuple[Micros, T]]:
        """Yield the window's events of a kind, in order; those too that came before the round opened."""
        return self.case.window.events(kind)

    def steps(self, *names: ProcedureStep) -> list[tuple[Micros, ProcedureStepTaken]]:
        """Return the window's steps of these names, in order."""
        return list(self.case.window.steps(*names))

    def drawn(self) -> list[tuple[Micros, CardDrawn]]:
        """Return the cards of the round, in order."""
        return list(self.events(CardDrawn))

    def people(self, until: Micros) -> PeopleAtTable:
        """Return who was at the table at a moment of the window."""
        return self.case.window.before.people.at(until, self.case.window.entries)

    def wagers(self, *names: str, until: Micros | None = None) -> dict[tuple[int, str | None], int]:
        """Return the cents of wagers of these names by seat and bettor, before a moment."""
        found: dict[tuple[int, str | None], int] = {}
        for entry in self.case.window.entries:
            event = entry.event
            if not isinstance(event, ChipsPlaced | ChipsRemoved) or event.wager not in names:
                continue
            if until is None or entry.at <= until:
                sign = 1 if isinstance(event, ChipsPlaced) else -1
                key = event.seat, event.bettor
                found[key] = found.get(key, 0) + sign * event.cents
        return {key: cents for key, cents in found.items() if cents > 0}

    def are_wagers_doubtful(self, *names: str) -> bool:
        """Return True if a second reader saw another sum than was placed on one of these wagers."""
        for at, seen in self.events(StackSeen):
            if (
                seen.wager in names
                and self.wagers(seen.wager, until=at).get((seen.seat, seen.bettor), 0) != seen.cents
            ):
                return True
        return False

    def unreported(self, *sources: str) -> tuple[Fact, ...]:
        """Return what these sources and the terminal did not report of the window and the round.

        The terminal may have called the round void.
        """
        return self.case.unreported(min(self.case.window.since, self.since), self.until, *sources, "terminal")


def round_of(case: ProcedureCase, *, void: bool = False) -> PlayedRound | None:
    """Return the window's round; None if it has none, or a void one that is not asked for."""
    span = case.round_span
    if span is None or (span.is_void and not void):
        return None
    return PlayedRound(case, span.name, span.since, span.until, span.is_void)
