"""A reader out of order, and a pay table or option that was not the right one: which rounds they touched."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

import click
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.restitution import Effect, Share, net, played, stake_of
from projections.engine.conclusion import Conclusion
from projections.engine.fold.witnesses import Rests, Witness, witness
from projections.engine.games import game_of
from projections.engine.observation import Key, Round, key_of
from replay.blast_radius.span import Span, Walk
from replay.cli.options import nearest
from replay.lists.writers import Row
from replay.recording.event_audit import Unread, few
from replay.recording.rejudge import Ledger, rejudged
from replay.recording.seated_rounds import Ear, Seated, holds_events, seated
from replay.whatif.other_rulebook import Otherwise
from schemas.codec import Told
from schemas.errors import BadInput
from schemas.events import Event, may_report
from schemas.house import House
from schemas.values import dollars

# ── What every defect is looked for in: a path, its house, the tables, the span ───────────────────────


class BlastRadiusQuery(Struct):
    """Where a defect is looked for; `status` becomes 2 where anything could not be read."""

    path: Path
    house_file: str | None
    house: House
    tables: Sequence[str]
    span: Span
    status: int = 0

    def rounds(self, ears: Sequence[Ear] = (), *, tell: bool = True) -> Iterator[tuple[Seated, bool]]:
        """Yield the rounds of the tables, and whether each lies within the span.

        What cannot be read is named on standard error, unless it was told before.

        Raises:
            BadInput: a round that ends the span is not there, or none of the tables' rounds is.
        """
        walks: dict[str, Walk] = {}
        for each in few(seated(self.path, self.house_file, self.tables or None, ears)):
            if isinstance(each, Unread):
                self.status = 2
                if tell:
                    click.echo(each.told(self.path), err=True)
                continue
            walk = walks.setdefault(each.seen.table, Walk(self.span))
            yield each, walk.holds(each.seen)
        for table in self.tables:
            if table not in walks:
                raise BadInput(f"{self.path}: no round of table {table!r} is there")
            walks[table].check_met(table)


def check_tables(path: Path, house: House, tables: Sequence[str]) -> None:
    """Refuse a table of recorded events that the house does not have.

    Raises:
        BadInput: there is none of that name.
    """
    for table in tables:
        if holds_events(path) and table not in house.tables:
            raise BadInput(f"no table {table!r} in the house file{nearest(table, house.tables)}")


# ── A reader out of order: which rounds rest on it alone, and which a second source confirms ──────────

_NEAR: Final = 12 * 3_600_000_000  # microseconds; within it no table gives a round's number twice


class _Reports:
    """What the devices of a floor's tables reported of rounds, until it is asked for."""

    def __init__(self, house: House) -> None:
        self._sources = {table: setup.sources for table, setup in house.tables.items()}
        self._of: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)

    def hear(self, table: str, event: Told) -> None:
        """Take an event of a round from a device that reports such a thing."""
        source = self._sources.get(table, {}).get(event.device)
        if event.round is not None and may_report(source, event):
            self._of[table, event.round].append(cast("Event", event))

    def of(self, observed: Round) -> list[Event]:
        """Return a round's reports, and forget them."""
        reports = self._of.pop((observed.table, observed.number), [])
        if later := [event for event in reports if event.at > observed.at + _NEAR]:
            self._of[observed.table, observed.number] = later
        return [event for event in reports if abs(event.at - observed.at) <= _NEAR]


def of_device(query: BlastRadiusQuery, ledger: Ledger, device: str) -> Iterator[Row]:
    """Yield the rounds of the span, and how the facts of each rest on the device.

    What is owed stands where a second source confirms what the device reported, or nothing rested on it.

    Raises:
        BadInput: a round that ends the span is not there.
    """
    (table,) = query.tables
    setup = query.house.tables[table]
    source, game = setup.sources[device], game_of(setup.chapter)
    reports = _Reports(query.house)
    for each, within in query.rounds([Ear(reports.hear)]):
        told = reports.of(each.seen)
        if within:
            rests = witness(source, told, each.seen, setup.sources.values(), game)
            yield from ledger.round_rows(each, _portions(each, rests), rests.rests, rests.says)


def table_with(device: str, path: Path, house: House, tables: Sequence[str]) -> str:
    """Find the one table, of those named or of all, that has a device.

    Raises:
        BadInput: no table has it, several have it, or the path holds no events.
    """
    if not holds_events(path):
        raise BadInput(f"{path}: round records do not tell which device reported what; name an archive")
    having = [table for table, setup in house.tables.items() if device in setup.sources]
    if not having:
        sources = {each for setup in house.tables.values() for each in setup.sources}
        raise BadInput(f"no table has a device {device!r}{nearest(device, sources)}")
    among = [table for table in having if not tables or table in tables]
    if len(among) != 1:
        raise BadInput(f"device {device!r} is at {', '.join(having)}: say which with --table NAME")
    return among[0]


def _portions(each: Seated, rests: Witness) -> list[Share]:
    known = rests.rests in ("confirmed", "not_relied_on")
    owed = owed_by(each.judged.conclusion)
    return [
        _share(each.seen, key, rests.rests, owed.get(key, 0) if known else None)
        for key in dict.fromkeys((*owed, *(each.seen.paid or ())))
    ]


def _share(observed: Round, key: Key, rests: Rests, owed: int | None) -> Share:
    """Weigh a wager; one that is open on record for another reason is not known whatever confirms it."""
    was = played(observed, key)
    effect: Effect = rests
    says = ""
    if rests in ("alone", "contradicted"):
        says = "amount not derivable"
    elif owed is None or was is None:
        effect, says = "not_known", f"what was {'owed' if owed is None else 'paid'} is not known"
    return Share(key=key, effect=effect, stake=stake_of(observed, key), was=was, becomes=owed, says=says)


def owed_by(conclusion: Conclusion) -> dict[Key, int | None]:
    """Return what each wager was owed by the rules on record, less vigorish, in cents; None where open."""
    return {key_of(each): net(each.cents, each.vigorish_cents) for each in conclusion.expected}


# ── A pay table or option that was not the one it should have been: what was paid, and what was owed ────


def of_rule(
    query: BlastRadiusQuery, ledger: Ledger, chapters: list[str], option: str, value: Any
) -> Iterator[Row]:
    """Yield the rounds whose money hangs on the option, as they were paid and as they were owed.

    Raises:
        BadInput: no round within the span was played under the chapter, or it does not admit the value.
    """
    other = Otherwise(choices={chapter: {option: value} for chapter in chapters})
    found = False
    for each, within in query.rounds():
        if not within or each.judged.conclusion.chapter not in chapters:
            continue
        found = True
        portions = rejudged(each.seen, each.judged.book, other.book(each.judged, each.seen))
        if portions:
            yield from ledger.round_rows(
                each, [_paid(share, played(each.seen, share.key)) for share in portions]
            )
    if not found:
        raise BadInput(f"no round there was played under Chapter {' or '.join(chapters)} within the span")


def _paid(share: Share, paid: int | None) -> Share:
    """Put what was paid in the place of what the rule on record owed, and say what that was."""
    says = share.says
    if share.effect == "changed":
        says = f"{says}: {dollars(share.was or 0)} by the rule on record"
        if paid is None:
            return replace(share, effect="not_known", was=None, says=f"{says}; what was paid is not known")
    return replace(share, was=paid, says=says)
