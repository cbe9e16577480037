"""Proof of what a bundle shows of an archive: leaves of a part, under a checkpoint's root."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from projections.evidence import canonical_json, merkle_tree
from projections.evidence.canonical_json import Count, Hash, Hexadecimal, Random, Sum
from projections.evidence.checkpoint import Body, CheckpointEntry
from projections.evidence.part_leaves import Envelope, envelope_of
from schemas.errors import BadInput
from schemas.values import Micros

# What moves money: to the player, or from the player.
_MOVES: Final = {
    **dict.fromkeys(("ChipsPaid", "PayoutHanded", "PayoutAdded", "SettlementAdjusted"), 1),
    **dict.fromkeys(("ChipsCollected", "VigorishCollected", "VigorishMarked"), -1),
}
# Events that may be reported during another round than the one that is shown.
_ANY_ROUND: Final = frozenset(
    {"TableOpened", "HouseRulesChanged", "ShoeLoaded", "DealerAssigned", "FloorpersonAssigned"}
)


class Leaf(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A leaf by its index, with its salt; its content as text, or in hexadecimal where it is none."""

    index: Count
    salt: Random
    content: str | None = None
    content_hex: Hexadecimal | None = None

    def bytes(self) -> bytes:
        """Return the content as it stands in the archive."""
        if (self.content is None) == (self.content_hex is None):
            raise BadInput("a leaf has one content")
        return self.content.encode() if self.content is not None else bytes.fromhex(self.content_hex or "")


class EntryShown(Struct, frozen=True, forbid_unknown_fields=True):
    """The line that a checkpoint has of a part, its place among the entries, and the proof for the others."""

    index: Count
    line: str
    hidden: tuple[Hash, ...]


class PartShown(Struct, frozen=True, forbid_unknown_fields=True):
    """Disclosed leaves of a part, by the number of the checkpoint that closed it."""

    checkpoint: Count
    entry: EntryShown
    leaves: tuple[Leaf, ...]
    hidden: tuple[Hash, ...]


def leaf(index: int, salt: bytes, content: bytes) -> Leaf:
    r"""Show a leaf.

    >>> leaf(0, b"", b"{}").content, leaf(0, b"", b"\xff").content_hex
    ('{}', 'ff')
    """
    try:
        return Leaf(index, salt.hex(), content=content.decode())
    except UnicodeDecodeError:
        return Leaf(index, salt.hex(), content_hex=content.hex())


def disclose_part(
    number: int,
    entries: Sequence[CheckpointEntry],
    entry: CheckpointEntry,
    hashes: Sequence[bytes],
    leaves: Sequence[Leaf],
) -> PartShown:
    """Show leaves of a part that a checkpoint closed; `hashes` are those of all leaves of the part."""
    lines = [each.line() for each in entries]
    index = entries.index(entry)
    path = merkle_tree.proof([merkle_tree.leaf(line) for line in lines], {index})
    return PartShown(
        number,
        EntryShown(index, lines[index].decode(), _hexadecimal(path)),
        tuple(leaves),
        _hexadecimal(merkle_tree.proof(hashes, {each.index for each in leaves})),
    )


def _hexadecimal(hashes: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(each.hex() for each in hashes)


class Event(Struct):
    """A shown event, as much of it as is read; `at` in microseconds UTC, the cents of what it moved."""

    event: str
    device: str
    epoch: Count
    seq: Count
    at: Micros
    round: str | None = None
    seat: Sum | None = None
    bettor: str | None = None
    wager: str | None = "house_money"  # of a payout that is handed over, unless it has another
    hand: str | None = None
    cents: Sum | None = None
    vigorish_cents: Sum | None = None
    handed_cents: Sum | None = None
    instead: "Event | None" = None

    def id(self) -> tuple[str, int, int]:
        """Return the event: its device, epoch and number."""
        return self.device, self.epoch, self.seq

    def spot(self) -> tuple[int | None, str | None, str | None, str | None]:
        """Return the wager that it is about."""
        return self.seat, self.bettor, self.wager, self.hand

    def gain(self) -> int | None:
        """Return the player's gain from it, in cents; None if it moves nothing, or has two sums.

        >>> Event("ChipsCollected", "C", 1, 1, 0, cents=500).gain()
        -500
        >>> Event("ChipsPlaced", "C", 1, 1, 0, cents=500).gain()
        """
        sign = _MOVES.get(self.event)
        if sign is None or self.cents is None or self.vigorish_cents or self.handed_cents:
            return None
        return sign * self.cents


class _Frame(Struct):
    """A frame with an empty place for each event."""

    table: str
    events: list[None]


def checked(part: PartShown, body: Body, table: str, number: str) -> tuple[str, dict[int, Event]]:
    """Check a part's disclosed leaves against its checkpoint; return its path, and its events by leaf.

    `table` and `number` are of the round that it has to be of.

    Raises:
        BadInput: it is not what the checkpoint closed, or not of that round.
    """
    where = f"the part at place {part.entry.index} of its checkpoint"
    try:
        entry = canonical_json.written(part.entry.line.encode(), "its entry", CheckpointEntry)
        where = entry.path
        events = dict(_events(_contents(part, entry, body), table, number))
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    if not events:
        raise BadInput(f"{where}: no event of it is shown")
    return where, events


def _contents(part: PartShown, entry: CheckpointEntry, body: Body) -> dict[int, bytes]:
    """Return the contents of the leaves, by index, having led them back to the root of their checkpoint."""
    line = {part.entry.index: merkle_tree.leaf(part.entry.line.encode())}
    _same_root(body.entries, line, part.entry.hidden, body.root)
    contents = {each.index: each.bytes() for each in part.leaves}
    facts = (entry.table, entry.topic, entry.records)
    if entry.kind != "part" or entry.leaves is None or entry.root is None or None in facts:
        raise BadInput("is no sealed part")
    if len(contents) != len(part.leaves) or [*contents] != sorted(contents):
        raise BadInput("its leaves do not stand by their index")
    hashes = {
        each.index: merkle_tree.leaf(contents[each.index], bytes.fromhex(each.salt)) for each in part.leaves
    }
    _same_root(entry.leaves, hashes, part.hidden, entry.root)
    return contents


def _same_root(size: int, leaves: Mapping[int, bytes], hidden: Sequence[str], root: str) -> None:
    if merkle_tree.rebuilt(size, leaves, [bytes.fromhex(each) for each in hidden]).hex() != root:
        raise BadInput("what is shown does not make the root that was closed")


def _events(contents: Mapping[int, bytes], table: str, number: str) -> Iterator[tuple[int, Event]]:
    """Walk the leaves: an envelope, and after it as many events at most as its gaps leave room for."""
    last = -1
    for index, content in contents.items():
        if index > last:
            last = index + _events_following(envelope_of(content), index, table)
            continue
        event = canonical_json.decoded(content, f"leaf {index}", Event)
        if event.round not in (None, number) and not _may_be_of_any_round(event):
            raise BadInput(f"leaf {index} is an event of round {event.round}")
        yield index, event


def _events_following(envelope: Envelope, index: int, table: str) -> int:
    """Return how many events follow an envelope, which has to be that of a frame of a table."""
    gaps = [bytes.fromhex(each) for each in envelope.gaps or ()]
    frame = canonical_json.decoded(b"null".join(gaps), f"the frame of leaf {index}", _Frame)
    if len(frame.events) != len(gaps) - 1:
        raise BadInput(f"leaf {index} announces other events than its frame has")
    if envelope.key is None or {bytes.fromhex(envelope.key), frame.table.encode()} != {table.encode()}:
        raise BadInput(f"leaf {index} is of another table than {table}")
    return len(frame.events)


def _may_be_of_any_round(event: Event) -> bool:
    """Return True if an event may be of another round; a correction without its event is accepted."""
    if event.event == "ReportCorrected":
        return event.instead is None or _may_be_of_any_round(event.instead)
    return event.event in _ANY_ROUND
