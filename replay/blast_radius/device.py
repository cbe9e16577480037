"""A reader out of order: which rounds rest on it alone, and which a second source confirms."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, cast

from projections.engine.audit.restitution import Effect, Share, net, played, stake_of
from projections.engine.conclusion import Conclusion
from projections.engine.fold.witnesses import Rests, Witness, witness
from projections.engine.games import game_of
from projections.engine.observation import Key, Round, key_of
from replay.blast_radius.defect_scope import Asked
from replay.cli.nearest_names import nearest
from replay.lists.writers import Row
from replay.recording.difference_rows import Ledger
from replay.recording.seated_rounds import Ear, Seated, holds_events
from schemas.codec import Told
from schemas.errors import BadInput
from schemas.events import SOURCE_OF, Event
from schemas.house import House

_NEAR: Final = 12 * 3_600_000_000  # microseconds; within it no table gives a round's number twice


class _Reports:
    """What the devices of a floor's tables reported of rounds, until it is asked for."""

    def __init__(self, house: House) -> None:
        self._sources = {table: setup.sources for table, setup in house.tables.items()}
        self._of: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)

    def hear(self, table: str, event: Told) -> None:
        """Take an event of a round from a device that reports such a thing."""
        source = self._sources.get(table, {}).get(event.device)
        if event.round is not None and source is not None and SOURCE_OF.get(type(event)) == source:
            self._of[table, event.round].append(cast("Event", event))

    def of(self, seen: Round) -> list[Event]:
        """Return a round's reports, and forget them."""
        told = self._of.pop((seen.table, seen.number), [])
        if later := [event for event in told if event.at > seen.at + _NEAR]:
            self._of[seen.table, seen.number] = later
        return [event for event in told if abs(event.at - seen.at) <= _NEAR]


def of_device(asked: Asked, ledger: Ledger, device: str) -> Iterator[Row]:
    """Yield the rounds of the span, and how the facts of each rest on the device.

    What is owed stands where a second source confirms what the device reported, or nothing rested on it.

    Raises:
        BadInput: a round that ends the span is not there.
    """
    (table,) = asked.tables
    setup = asked.house.tables[table]
    source, game = setup.sources[device], game_of(setup.chapter)
    reports = _Reports(asked.house)
    for each, within in asked.rounds([Ear(reports.hear)]):
        told = reports.of(each.seen)
        if within:
            rests = witness(source, told, each.seen, setup.sources.values(), game)
            yield from ledger.round_rows(each, _shares(each, rests), rests.rests, rests.says)


def table_with(device: str, path: Path, house: House, tables: Sequence[str]) -> str:
    """Find the one table, of those named or of all, that has a device.

    Raises:
        BadInput: no table has it, several have it, or the path holds no events.
    """
    if not holds_events(path):
        raise BadInput(f"{path}: round records do not tell which device reported what; name an archive")
    having = [table for table, setup in house.tables.items() if device in setup.sources]
    if not having:
        known = {each for setup in house.tables.values() for each in setup.sources}
        raise BadInput(f"no table has a device {device!r}{nearest(device, known)}")
    among = [table for table in having if not tables or table in tables]
    if len(among) != 1:
        raise BadInput(f"device {device!r} is at {', '.join(having)}: say which with --table NAME")
    return among[0]


def _shares(each: Seated, rests: Witness) -> list[Share]:
    known = rests.rests in ("confirmed", "not_relied_on")
    owed = owed_by(each.judged.conclusion)
    return [
        _share(each.seen, key, rests.rests, owed.get(key, 0) if known else None)
        for key in dict.fromkeys((*owed, *(each.seen.paid or ())))
    ]


def _share(seen: Round, key: Key, rests: Rests, owed: int | None) -> Share:
    """Weigh a wager; one that is open on record for another reason is not known whatever confirms it."""
    was = played(seen, key)
    effect: Effect = rests
    says = ""
    if rests in ("alone", "contradicted"):
        says = "amount not derivable"
    elif owed is None or was is None:
        effect, says = "not_known", f"what was {'owed' if owed is None else 'paid'} is not known"
    return Share(key=key, effect=effect, stake=stake_of(seen, key), was=was, becomes=owed, says=says)


def owed_by(said: Conclusion) -> dict[Key, int | None]:
    """Return what each wager was owed by the rules on record, less vigorish, in cents; None where open."""
    return {key_of(each): net(each.cents, each.vigorish_cents) for each in said.expected}
