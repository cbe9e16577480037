"""What of an archive is shown in a bundle, with its proof: leaves of a part, under a checkpoint's root."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from projections.evidence import tree
from projections.evidence.checkpoint import Body, Entry
from projections.evidence.leaves import Envelope, envelope_of
from schemas.errors import BadInput

# What may be told during another round than the one that is shown.
_ANY_ROUND: Final = frozenset(
    {"TableOpened", "HouseRulesChanged", "ShoeLoaded", "DealerAssigned", "FloorpersonAssigned"}
)


class Leaf(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A leaf by its index, with its salt; its content as text, or in hexadecimal where it is none."""

    index: int
    salt: str
    content: str | None = None
    content_hex: str | None = None

    def bytes(self) -> bytes:
        """Give the content as it stands in the archive."""
        if (self.content is None) == (self.content_hex is None):
            raise ValueError("a leaf has one content")
        return self.content.encode() if self.content is not None else bytes.fromhex(self.content_hex or "")


class EntryShown(Struct, frozen=True, forbid_unknown_fields=True):
    """The line that a checkpoint has of a part, its place among the entries, and the proof for the others."""

    index: int
    line: str
    hidden: tuple[str, ...]


class PartShown(Struct, frozen=True, forbid_unknown_fields=True):
    """What is shown of a part, by the number of the checkpoint that closed it."""

    checkpoint: int
    entry: EntryShown
    leaves: tuple[Leaf, ...]
    hidden: tuple[str, ...]


def leaf(index: int, salt: bytes, content: bytes) -> Leaf:
    r"""Show a leaf.

    >>> leaf(0, b"", b"{}").content, leaf(0, b"", b"\xff").content_hex
    ('{}', 'ff')
    """
    try:
        return Leaf(index, salt.hex(), content=content.decode())
    except UnicodeDecodeError:
        return Leaf(index, salt.hex(), content_hex=content.hex())


def part_shown(
    number: int, entries: Sequence[Entry], entry: Entry, hashes: Sequence[bytes], leaves: Sequence[Leaf]
) -> PartShown:
    """Show leaves of a part that a checkpoint closed; `hashes` are those of all leaves of the part."""
    lines = [each.line() for each in entries]
    index = entries.index(entry)
    beside = tree.proof([tree.leaf(line) for line in lines], {index})
    return PartShown(
        number,
        EntryShown(index, lines[index].decode(), _hexadecimal(beside)),
        tuple(leaves),
        _hexadecimal(tree.proof(hashes, {each.index for each in leaves})),
    )


def _hexadecimal(hashes: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(each.hex() for each in hashes)


class Moved(Struct, frozen=True):
    """Chips that an event moved: the device's name, epoch and number of the event, and the cents."""

    device: str
    epoch: int
    seq: int
    cents: int


class Event(Struct, frozen=True):
    """A shown event as it was told: its kind, its round, what it moved where it has cents, and its text."""

    kind: str
    round: str | None
    moved: Moved | None
    text: bytes


class _Told(Struct):
    event: str
    device: str = ""
    epoch: int = 0
    seq: int = 0
    round: str | None = None
    cents: int | None = None
    instead: "_Told | None" = None

    def moved(self) -> Moved | None:
        return Moved(self.device, self.epoch, self.seq, self.cents) if self.cents is not None else None


class _Frame(Struct):
    """A frame with nothing in the place of each event."""

    table: str
    events: list[None]


_told: Final = msgspec.json.Decoder(_Told)
_entry: Final = msgspec.json.Decoder(Entry)
_frame: Final = msgspec.json.Decoder(_Frame)
_UNREAD: Final = (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError)


def checked(shown: PartShown, body: Body, table: str, number: str) -> tuple[str, dict[int, Event]]:
    """Hold what is shown of a part to the checkpoint that closed it; gives its path, and its events by leaf.

    `table` and `number` are of the round that it has to be of.

    Raises:
        BadInput: it is not what the checkpoint closed, or not of that round.
    """
    where = f"the part at place {shown.entry.index} of its checkpoint"
    try:
        entry = _entry.decode(shown.entry.line)
        where = entry.path
        return where, dict(_events(_contents(shown, entry, body), table, number))
    except _UNREAD as error:
        raise BadInput(f"{where}: its proof cannot be read: {error}") from None
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def _contents(shown: PartShown, entry: Entry, body: Body) -> dict[int, bytes]:
    """Give the contents of the leaves, by index, having led them back to the root of their checkpoint."""
    line = {shown.entry.index: tree.leaf(shown.entry.line.encode())}
    _same_root(body.entries, line, shown.entry.hidden, body.root)
    contents = {each.index: each.bytes() for each in shown.leaves}
    if entry.kind != "part" or entry.leaves is None or entry.root is None:
        raise BadInput("is no sealed part")
    if len(contents) != len(shown.leaves) or [*contents] != sorted(contents):
        raise BadInput("its leaves do not stand by their index")
    hashes = {each.index: tree.leaf(contents[each.index], bytes.fromhex(each.salt)) for each in shown.leaves}
    _same_root(entry.leaves, hashes, shown.hidden, entry.root)
    return contents


def _same_root(size: int, shown: Mapping[int, bytes], hidden: Sequence[str], root: str) -> None:
    if tree.rebuilt(size, shown, [bytes.fromhex(each) for each in hidden]).hex() != root:
        raise BadInput("what is shown does not make the root that was closed")


def _events(contents: Mapping[int, bytes], table: str, number: str) -> Iterator[tuple[int, Event]]:
    """Walk the leaves: an envelope, and after it as many events at most as its gaps leave room for."""
    last = -1
    for index, content in contents.items():
        if index > last:
            last = index + _room(envelope_of(content), index, table)
            continue
        told = _told.decode(content)
        if told.round not in (None, number) and not _may_be_of_any_round(told):
            raise BadInput(f"leaf {index} is an event of round {told.round}")
        yield index, Event(told.event, told.round, told.moved(), content)


def _room(envelope: Envelope, index: int, table: str) -> int:
    """Give how many events follow an envelope, which has to be that of a frame of a table."""
    gaps = [bytes.fromhex(each) for each in envelope.gaps or ()]
    frame = _frame.decode(b"null".join(gaps))
    if len(frame.events) != len(gaps) - 1:
        raise BadInput(f"leaf {index} announces other events than its frame has")
    if envelope.key is None or {bytes.fromhex(envelope.key), frame.table.encode()} != {table.encode()}:
        raise BadInput(f"leaf {index} is of another table than {table}")
    return len(frame.events)


def _may_be_of_any_round(told: _Told) -> bool:
    """Tell whether an event may be told during another round; a correction that names none is let pass."""
    if told.event == "ReportCorrected":
        return told.instead is None or _may_be_of_any_round(told.instead)
    return told.event in _ANY_ROUND
