"""What an investigator asks for, and which entries answer it. Every filter has to be met.

A round is asked by its own place, time, people and verdict; by seat and patron if they wagered in it; by
check, severity and cents if one of its findings is so. A finding goes with its round, and is asked by its own
check, severity, cents and seat. An event goes with the round that it names; what happens between rounds is
asked by who and what stands at the table then, and is of no verdict, check or severity. What was done at the
console is asked by who did it and to what.
"""

from datetime import date
from typing import TypeVar

from msgspec import Struct

from projections.views.timeline_entry import Concluding, Entry, Happening, Moment, Standing

_Name = TypeVar("_Name", str, int, date)


class Filters(Struct, frozen=True, kw_only=True):
    """What was asked for; a filter that is empty or None lets everything through.

    `since` and `until` are microseconds UTC, from the one on and before the other.
    """

    days: frozenset[date] = frozenset()
    since: int | None = None
    until: int | None = None
    tables: frozenset[str] = frozenset()
    pits: frozenset[str] = frozenset()
    chapters: frozenset[str] = frozenset()
    dealers: frozenset[str] = frozenset()
    supervisors: frozenset[str] = frozenset()
    seats: frozenset[int] = frozenset()
    patrons: frozenset[str] = frozenset()
    shoes: frozenset[str] = frozenset()
    rounds: frozenset[str] = frozenset()
    checks: frozenset[str] = frozenset()
    severities: frozenset[str] = frozenset()
    verdicts: frozenset[str] = frozenset()
    operators: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    least_cents: int | None = None

    @property
    def of_findings(self) -> bool:
        """Return True if findings are asked for by what they are."""
        return bool(self.checks or self.severities or self.least_cents is not None)

    def shown(self, standing: Standing, moment: Moment) -> list[Entry]:
        """Return the entries of a moment that answer; `standing` is that of its table, and is kept up."""
        if isinstance(moment, Happening):
            return self._happened(standing, moment)
        return self._concluded(standing, moment)

    def _concluded(self, standing: Standing, moment: Concluding) -> list[Entry]:
        about = moment.about
        is_round = about.round is not None
        right = self._people(about) and _in(self.verdicts, about.verdict)
        findings = [standing.with_patron(each) for each in moment.findings]
        found = [each for each in findings if right and self._finding(each)]
        right = right and (bool(found) or not self.of_findings)
        if is_round:
            standing.open(about, shown=right)
        if not self._place(about) or not right:
            return []
        if is_round and self.seats and self.seats.isdisjoint(moment.seats):
            return []
        if is_round and self.patrons:
            sits = standing.sits(about.at, about.round or "")
            if self.patrons.isdisjoint({*moment.bettors, *(sits.get(seat) for seat in moment.seats)}):
                return []
        kept = [each for each in found if self._seated(each, also_of_none=is_round)]
        if not is_round or (self.of_findings and not kept):
            return kept
        return [about, *kept]

    def _happened(self, standing: Standing, moment: Happening) -> list[Entry]:
        entry = standing.hear(moment)
        if not self._place(entry) or not self._seated(entry, also_of_none=False):
            return []
        its_round = standing.rounds.get((entry.gaming_date, entry.round)) if entry.round is not None else None
        if its_round is not None:
            return [entry] if its_round else []
        costs = self.least_cents is None or abs(entry.cents or 0) >= self.least_cents
        unasked = not (self.checks or self.severities or self.verdicts)
        return [entry] if unasked and costs and self._people(entry) else []

    def _place(self, entry: Entry) -> bool:
        """Ask where and when it was."""
        return (
            _in(self.days, entry.gaming_date)
            and (self.since is None or entry.at >= self.since)
            and (self.until is None or entry.at < self.until)
            and _in(self.tables, entry.table)
            and _in(self.pits, entry.pit)
            and _in(self.chapters, entry.chapter)
        )

    def _people(self, entry: Entry) -> bool:
        """Ask who dealt and supervised, from which shoe, in which round."""
        return (
            _in(self.dealers, entry.dealer)
            and _in(self.supervisors, entry.floorperson)
            and _in(self.shoes, entry.shoe)
            and _in(self.rounds, entry.round)
            and _in(self.operators, entry.operator)
            and _in(self.subjects, entry.subject)
        )

    def _finding(self, entry: Entry) -> bool:
        return (
            _in(self.checks, entry.check)
            and _in(self.severities, entry.severity)
            and (self.least_cents is None or abs(entry.comes_to_cents or 0) >= self.least_cents)
        )

    def _seated(self, entry: Entry, *, also_of_none: bool) -> bool:
        """Ask whose seat it was; a finding of a round that names no seat is about all of them."""
        if also_of_none and entry.seat is None and entry.patron is None:
            return True
        of_patron = not self.patrons or not self.patrons.isdisjoint({entry.patron, entry.bettor})
        return _in(self.seats, entry.seat) and of_patron


def _in(asked: frozenset[_Name], name: _Name | None) -> bool:
    return not asked or name in asked
