"""Records stored as the projector does it, hearing and writing at once."""

from collections.abc import Sequence

from streams.projector.record_batch import Fetched
from streams.projector.writer import Storing


def take(storing: Storing, cluster: str, records: Sequence[Fetched]) -> int:
    """Hear a batch and write it; give how much was new."""
    return storing.write([storing.hear(cluster, records)])
