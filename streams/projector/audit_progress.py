"""Whether anybody audits the floor's frames, as far as Kafka shows it."""

from collections.abc import Mapping
from typing import Final

from aiokafka import TopicPartition

from streams.topics import FRAMES

# Looks at the cluster, one a second, that may pass while frames wait and none is acknowledged. A worker that
# stands still ends before (streams.worker.stall_watch), and has then to be started and to recover.
STALLED: Final = 45


class AuditProgress:
    """Counts the looks during which frames waited and the workers' group acknowledged none."""

    def __init__(self) -> None:
        self._acknowledged = -1
        self._looks = 0

    def look(self, ends: Mapping[TopicPartition, int], committed: Mapping[TopicPartition, int]) -> int | None:
        """Return how many frames wait, once they have waited for too long; None while they have not.

        `ends` are the next offsets of partitions, `committed` those that the group has acknowledged.

        >>> part, progress = TopicPartition(FRAMES, 0), AuditProgress()
        >>> [progress.look({part: 9}, {part: 4}) for _ in range(STALLED + 1)][-2:]
        [None, 5]
        >>> progress.look({part: 9}, {part: 5}), progress.look({part: 9}, {part: 9})
        (None, None)
        """
        waiting = sum(
            max(0, end - committed.get(part, 0)) for part, end in ends.items() if part.topic == FRAMES
        )
        acknowledged = sum(committed.values())
        self._looks = self._looks + 1 if waiting and acknowledged == self._acknowledged else 0
        self._acknowledged = acknowledged
        return waiting if self._looks >= STALLED else None
