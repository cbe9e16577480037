"""A reader out of order, and a pay table or option that was not the right one: which rounds they touched."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import click
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.restitution import Effect, WagerDifference, net, played, stake_of
from projections.engine.conclusion import Conclusion
from projections.engine.fold.witnesses import Rests, Witness, witness
from projections.engine.games import game_of
from projections.engine.observation import Key, Round, key_of
from replay.lists.writers import Row
from replay.recording.event_audit import limit_unread
from replay.recording.recording import Recording
from replay.recording.rejudge import EffectRows, OtherRules, rejudge
from replay.recording.seated_rounds import SeatedRound, judge_seated_rounds
from schemas.codec import AnyEvent
from schemas.errors import BadInput
from schemas.events import Event, may_report
from schemas.house import House
from schemas.near_names import nearest_names
from schemas.values import dollars, microseconds
from streams.log import Unread

_ROUND: Final = re.compile(r"(?:(\d{4}-\d\d-\d\d)/)?(\S.*)")
_LIKE_A_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?")


class Edge(Struct, frozen=True):
    """End of a span: a moment (microseconds UTC), or a round by its number, on a gaming date if given."""

    text: str
    at: int | None = None
    number: str | None = None
    day: date | None = None

    def is_of(self, observed: Round) -> bool:
        """Return True if it names a round."""
        return self.number == observed.number and self.day in (None, observed.day)


class Span(Struct, frozen=True):
    """The rounds from one end to another, both included; the default ends are those of the record."""

    first: Edge | None = None
    last: Edge | None = None

    @property
    def by_rounds(self) -> bool:
        """Return True if an end is named by its round, which is of one table."""
        return any(edge is not None and edge.number is not None for edge in (self.first, self.last))

    @property
    def is_bounded(self) -> bool:
        """Return True if any end was named."""
        return self.first is not None or self.last is not None


class Walk:
    """Goes through rounds in the order of play, and decides which of them are within a span."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._begun = span.first is None or span.first.number is None
        self._ended = False
        self._met: dict[str, date] = {}

    def holds(self, observed: Round) -> bool:
        """Return True if a round is within the span.

        Raises:
            BadInput: the round number of an end occurs on another gaming date too.
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
        """Check that the span's ends were among the rounds, in their order.

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
    """Parse the two ends of a span, in the property's zone unless an offset is given.

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
        # Where clocks are put back an hour occurs twice: a span includes both.
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


# ── What every defect is looked for in: a path, its house, the tables, the span ───────────────────────


class BlastRadiusQuery(Struct):
    """Scope of a search for a defect; `status` becomes 2 if anything could not be read."""

    recording: Recording
    tables: Sequence[str]
    span: Span
    status: int = 0

    def rounds(
        self, take_event: Callable[[str, AnyEvent], None] | None = None, *, names_unread: bool = True
    ) -> Iterator[tuple[SeatedRound, bool]]:
        """Yield the rounds of the tables, and whether each is within the span.

        `take_event` is called with each table and event before its round. Unreadable lines are listed on
        standard error if `names_unread`.

        Raises:
            BadInput: a round that ends the span is not there, or none of the tables' rounds is.
        """
        walks: dict[str, Walk] = {}
        for each in limit_unread(judge_seated_rounds(self.recording, self.tables or None, take_event)):
            if isinstance(each, Unread):
                self.status = 2
                if names_unread:
                    click.echo(each.describe(self.recording.path), err=True)
                continue
            walk = walks.setdefault(each.seen.table, Walk(self.span))
            yield each, walk.holds(each.seen)
        for table in self.tables:
            if table not in walks:
                raise BadInput(f"{self.recording.path}: no round of table {table!r} is there")
            walks[table].check_met(table)


def check_tables(recording: Recording, tables: Sequence[str]) -> None:
    """Check that the house has the tables that were named.

    Raises:
        BadInput: there is none of that name.
    """
    house = recording.house
    for table in tables:
        if recording.holds_frames and table not in house.tables:
            raise BadInput(f"no table {table!r} in the house file{nearest_names(table, house.tables)}")


# ── A reader out of order: which rounds rest on it alone, and which a second source confirms ──────────

_SAME_ROUND: Final = 12 * 3_600_000_000  # microseconds; within it no table gives a round's number twice


class _Reports:
    """Device reports of a floor's tables by round, until they are needed."""

    def __init__(self, house: House) -> None:
        self._sources = {table: setup.sources for table, setup in house.tables.items()}
        self._of: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)

    def add_event(self, table: str, event: AnyEvent) -> None:
        """Add an event of a round from a device that reports such events."""
        source = self._sources.get(table, {}).get(event.device)
        if event.round is not None and may_report(source, event):
            self._of[table, event.round].append(cast("Event", event))

    def of(self, observed: Round) -> list[Event]:
        """Return a round's reports, and forget them."""
        reports = self._of.pop((observed.table, observed.number), [])
        if later := [event for event in reports if event.at > observed.at + _SAME_ROUND]:
            self._of[observed.table, observed.number] = later
        return [event for event in reports if abs(event.at - observed.at) <= _SAME_ROUND]


def affected_by_device(query: BlastRadiusQuery, ledger: EffectRows, device: str) -> Iterator[Row]:
    """Yield the rounds of the span, and how the facts of each depend on the device.

    What is owed is certain if a second source confirms what the device reported, or if nothing depended on
    it.

    Raises:
        BadInput: a round that ends the span is not there.
    """
    (table,) = query.tables
    setup = query.recording.house.tables[table]
    source, game = setup.sources[device], game_of(setup.chapter)
    reports = _Reports(query.recording.house)
    for each, within in query.rounds(reports.add_event):
        reported = reports.of(each.seen)
        if within:
            rests = witness(source, reported, each.seen, setup.sources.values(), game)
            yield from ledger.round_rows(each, _portions(each, rests), rests.rests, rests.reason)


def table_with(device: str, recording: Recording, tables: Sequence[str]) -> str:
    """Find the one table, of those named or of all, that has a device.

    Raises:
        BadInput: no table has it, several have it, or the path holds no events.
    """
    house = recording.house
    if not recording.holds_frames:
        raise BadInput(
            f"{recording.path}: round records do not tell which device reported what; name an archive"
        )
    having = [table for table, setup in house.tables.items() if device in setup.sources]
    if not having:
        sources = {each for setup in house.tables.values() for each in setup.sources}
        raise BadInput(f"no table has a device {device!r}{nearest_names(device, sources)}")
    among = [table for table in having if not tables or table in tables]
    if len(among) != 1:
        raise BadInput(f"device {device!r} is at {', '.join(having)}: say which with --table NAME")
    return among[0]


def _portions(each: SeatedRound, rests: Witness) -> list[WagerDifference]:
    is_known = rests.rests in ("confirmed", "not_relied_on")
    owed = owed_by(each.judged.conclusion)
    return [
        _share(each.seen, key, rests.rests, owed.get(key, 0) if is_known else None)
        for key in dict.fromkeys((*owed, *(each.seen.paid or ())))
    ]


def _share(observed: Round, key: Key, rests: Rests, owed: int | None) -> WagerDifference:
    """Weigh a wager; one that is open on record for another reason is not known whatever confirms it."""
    was = played(observed, key)
    effect: Effect = rests
    message = ""
    if rests in ("alone", "contradicted"):
        message = "amount not derivable"
    elif owed is None or was is None:
        effect, message = "not_known", f"what was {'owed' if owed is None else 'paid'} is not known"
    return WagerDifference(
        key=key, effect=effect, stake=stake_of(observed, key), was=was, becomes=owed, reason=message
    )


def owed_by(conclusion: Conclusion) -> dict[Key, int | None]:
    """Return what each wager was owed by the rules on record, less vigorish, in cents; None if open."""
    return {key_of(each): net(each.cents, each.vigorish_cents) for each in conclusion.expected}


# ── A pay table or option that was not the one it should have been: what was paid, and what was owed ────


def affected_by_rule(
    query: BlastRadiusQuery, ledger: EffectRows, chapters: list[str], option: str, value: Any
) -> Iterator[Row]:
    """Yield the rounds whose money depends on the option, as they were paid and as they were owed.

    Raises:
        BadInput: no round within the span was played under the chapter, or it does not admit the value.
    """
    other = OtherRules(choices={chapter: {option: value} for chapter in chapters})
    found = False
    for each, within in query.rounds():
        if not within or each.judged.conclusion.chapter not in chapters:
            continue
        found = True
        portions = rejudge(each.seen, each.judged.book, other.book(each.judged, each.seen))
        if portions:
            yield from ledger.round_rows(
                each, [_paid(share, played(each.seen, share.key)) for share in portions]
            )
    if not found:
        raise BadInput(f"no round there was played under Chapter {' or '.join(chapters)} within the span")


def _paid(share: WagerDifference, paid: int | None) -> WagerDifference:
    """Return the share with what was paid in the place of what the rule on record owed."""
    message = share.reason
    if share.effect == "changed":
        message = f"{message}: {dollars(share.was or 0)} by the rule on record"
        if paid is None:
            return replace(
                share, effect="not_known", was=None, reason=f"{message}; what was paid is not known"
            )
    return replace(share, was=paid, reason=message)
