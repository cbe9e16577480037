"""Patrons of a table's seats, as its terminal reported them.

No finding depends on it; which patron is owed money does. There is one law, `sitting`. A table calls it with
the reports so far (`Seating`), a later view with all reports (`SeatHistory`).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct, field

from projections.engine.fold.corrections import corrected_once, replacements_of
from schemas.events import Event, EventId, PlayerLeft, PlayerSeated, ReportCorrected, TableClosed, id_of

Move: TypeAlias = PlayerSeated | PlayerLeft | TableClosed
OF_SEATS: Final = (PlayerSeated, PlayerLeft, TableClosed, ReportCorrected)
_Who = TypeVar("_Who")

# How long before the revisable rounds the previous patron of a seat is remembered. Until then the report of
# the present one may be corrected. Nobody sits for two days without a break.
_REPLACED: Final = 2 * 3_600_000_000  # microseconds
REMEMBERED: Final = 48 * 3_600_000_000
_FEW: Final = 32  # are not worth looking through
_AT_MOST: Final = 1_000  # so that a state does not grow without end


class Seating(Struct, dict=True):
    """Seating of a table, from its terminal's events as they come, queried round by round.

    `reports` are those about who sits, and corrections, which may be of them. They are replaced, never added
    to, and worked out once for all rounds until the next of them.
    """

    reports: list[Move | ReportCorrected] = field(default_factory=list)

    @cached_property
    def _moves(self) -> list[Event]:
        return corrected_once(self.reports)

    @cached_property
    def _span(self) -> tuple[int, int]:
        """Return when the first and the last of the moves were."""
        moments = [move.at for move in self._moves]
        return min(moments, default=0), max(moments, default=0)

    @cached_property
    def _after_all(self) -> dict[int, str]:
        """Return who sits after all moves."""
        return sitting(self._moves, self._span[1], "")

    def _replace(self, reports: list[Move | ReportCorrected]) -> None:
        self.reports = reports
        self.__dict__.clear()

    def take(self, event: Move | ReportCorrected) -> bool:
        """Add an event; return True if it may be about a time before events that were added already."""
        if isinstance(event, ReportCorrected):
            is_earlier = any(id_of(each) == event.mistaken for each in self.reports)
        else:
            is_earlier = any(_number(each) > _number(event) for each in self.reports)
        self._replace([*self.reports[1 - _AT_MOST :], event])
        return is_earlier

    def patrons(self, at: int, number: str) -> dict[int, str]:
        """Return who sat in which seat when a round opened, or sat down in an empty seat during it.

        `at` is when it opened by the terminal's clock, microseconds UTC. Unknown patrons have no entry.
        """
        first, last = self._span
        if at - REMEMBERED <= first and last <= at:
            return dict(self._after_all)
        return sitting(self._moves, at, number)

    def forget(self, opened: int) -> None:
        """Drop what no round that opened at a moment or later can depend on; microseconds UTC."""
        if len(self.reports) <= _FEW:
            return
        lasting = self._lasting(opened - _REPLACED)
        remembered = []
        for event in sorted(self.reports, key=_number):
            mine = event.mistaken if isinstance(event, ReportCorrected) else id_of(event)
            if event.at >= opened - _REPLACED or mine in lasting:
                lasting.add(id_of(event))  # a correction of it may be corrected in turn
                remembered.append(event)
        if len(remembered) < len(self.reports):
            self._replace(remembered)

    def _lasting(self, before: int) -> set[EventId]:
        """Return the events by which people sat at a moment."""
        replacements = replacements_of(each for each in self.reports if isinstance(each, ReportCorrected))
        sits: dict[int, EventId] = {}
        for event in sorted(self.reports, key=_number):
            if event.at < before and (correction := replacements.get(id_of(event), event)) is not None:
                _move(sits, correction, id_of(event))
        return set(sits.values())


class Renamed(Struct, frozen=True):
    """A seat of a round whose patron is now known to be another than the table knew at the time.

    `patron` is the patron by present knowledge, `known_as` by the knowledge at the time, each None if nobody.
    `at` is when it was corrected, microseconds UTC; None if it was not corrected but reported too late.
    """

    seat: int
    patron: str | None
    known_as: str | None
    at: int | None


class SeatHistory:
    """Seating of a table by all reports about a time, whenever they came."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._reports = [*events]
        self._moves = corrected_once(self._reports)

    def patrons(self, at: int, number: str) -> dict[int, str]:
        """Return who sat at a moment, or sat down in a round, as `sitting` does."""
        return sitting(self._moves, at, number)

    def renamed(self, at: int, number: str, names: Mapping[int, str]) -> tuple[Renamed, ...]:
        """Return the seats of a round whose patron the table knew under another of the `names`."""
        now = self.patrons(at, number)
        return tuple(
            Renamed(seat, now.get(seat), names.get(seat), self._put_right(seat, at, number))
            for seat in sorted(now.keys() | names.keys())
            if now.get(seat) != names.get(seat)
        )

    def _put_right(self, seat: int, at: int, number: str) -> int | None:
        """Find the last correction without which another would be known in a seat."""
        now = self.patrons(at, number).get(seat)
        corrections = (each for each in self._reports if isinstance(each, ReportCorrected))
        for last in sorted(corrections, key=_number, reverse=True):
            others = corrected_once(each for each in self._reports if each is not last)
            if sitting(others, at, number).get(seat) != now:
                return last.at
        return None


def sitting(moves: Sequence[Event], at: int, number: str) -> dict[int, str]:
    """Return who sat in which seat at a moment, or sat down in an empty seat during the round.

    `moves` are in the order of their numbers, as they were corrected. `at` is when the round opened by the
    terminal's clock, microseconds UTC. Unknown patrons have no entry.
    """
    sits: dict[int, str] = {}
    has_opened = False
    for move in moves:
        if move.at < at - REMEMBERED:
            continue
        has_opened = has_opened or move.at > at
        if not has_opened:
            take_seat(sits, move)
        elif move.round != number:
            break
        elif isinstance(move, PlayerSeated) and move.patron is not None:
            sits.setdefault(move.seat, move.patron)
    return dict(sorted(sits.items()))


def take_seat(sits: dict[int, str], move: Event) -> None:
    """Apply later reports to the seating so far."""
    _move(sits, move, move.patron if isinstance(move, PlayerSeated) else None)


def _number(event: Event) -> tuple[int, int]:
    return event.epoch, event.seq


def _move(sits: dict[int, _Who], move: Event, who: _Who | None) -> None:
    """Seat a patron, None if it is unknown who it is, and remove who left."""
    if isinstance(move, PlayerSeated) and who is not None:
        sits[move.seat] = who
    elif isinstance(move, PlayerSeated) or (isinstance(move, PlayerLeft) and move.bettor is None):
        sits.pop(move.seat, None)
    elif isinstance(move, TableClosed):
        sits.clear()
    # else a correction, or a report in the place of a move that is none
