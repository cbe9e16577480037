"""Records stored as the projector does it, hearing and writing at once."""

from collections.abc import Sequence

from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter


def take(storing: StoreWriter, cluster: str, records: Sequence[FetchedRecord]) -> int:
    """Hear a batch and write it; give how much was new."""
    return storing.write([storing.hear(cluster, records)])
