"""An archive of events that were recorded elsewhere, as if a broker had brought them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from schemas.codec import decode
from schemas.errors import BadInput
from schemas.house import House
from streams import topics
from streams.archive.journal import Journal, Place
from streams.archive.kept import Kept

if TYPE_CHECKING:
    from streams.log import Log

CLUSTER: Final = "recorded"
_AT_ONCE: Final = 2000  # frames; so many are kept in one transaction


def take(archive: Path, logs: Sequence["Log"], house: House) -> None:
    """Let an archive's journal keep recorded frames: a partition for each log, in order.

    The time of receipt is the gateway's own; a line that is no frame has that of the one before it.

    Raises:
        BadInput: the archive has records already, or the disk does not take them.
    """
    with Journal(archive, writable=True) as journal:
        if journal.clusters():
            raise BadInput(f"{archive}: has records already; recorded events go into an archive of their own")
        journal.begin_cluster(CLUSTER, 0)
        for partition, each in enumerate(logs):
            records = _records(each, partition)
            while kept := list(islice(records, _AT_ONCE)):
                last = kept[-1]
                place = Place(last.offset + 1, max(record.received for record in kept))
                journal.keep(
                    ((house.gaming_date(record.received), record) for record in kept),
                    {(CLUSTER, topics.FRAMES, partition): place},
                )


def _records(log: "Log", partition: int) -> Iterator[Kept]:
    received = 0
    for offset, (_, where, payload) in enumerate(log.payloads()):
        key: bytes | None = log.name.encode()
        try:
            frame, _ = decode(payload, where)
            received, key = frame.received, frame.table.encode()
        except BadInput:
            pass
        line = payload.rstrip(b"\r\n")
        yield Kept(CLUSTER, topics.FRAMES, partition, offset, received, key, line)
