"""The topics of a live floor: what each carries, its partitions, and how long Kafka keeps it."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

# Everything about a table has the table as its key, so that what it reports and what is concluded of it
# stay in order. The three topics that are keyed by the table and the audit's own changelog have the same
# number of partitions: a worker that has a table's frames has its state.

FRAMES: Final = "floor.frames"
ROUNDS: Final = "floor.rounds"
FINDINGS: Final = "floor.findings"
REPORTS: Final = "floor.reports"
QUARANTINE: Final = "floor.quarantine"

APP: Final = "discardrack"
STATE: Final = "audit"
# The name that Faust gives to the changelog of the application's table.
CHANGELOG: Final = f"{APP}-{STATE}-changelog"

PARTITIONS: Final = 12  # at most so many workers; more than a property of 100 tables needs

_DAY: Final = 24 * 60 * 60 * 1000  # milliseconds
_MEGABYTE: Final = 1024 * 1024


class Topic(Struct, frozen=True):
    """A topic, what one record of it is, and its settings in Kafka's own names."""

    name: str
    says: str
    partitions: int
    config: Mapping[str, str]


LARGEST: Final = 8 * _MEGABYTE  # bytes of a record in topics that allow more than Kafka's default
_LARGE: Final = {"max.message.bytes": str(LARGEST)}


def _retention(days: int) -> dict[str, str]:
    return {"cleanup.policy": "delete", "retention.ms": str(days * _DAY), "retention.bytes": "-1"}


# A state, or a large conclusion, can exceed Kafka's default limit of a megabyte. A frame cannot: its gateway
# ensures that. Frames stay for a week: longer than any outage of the archiver or the store that nobody
# notices. A table that must be folded again from older frames is folded from the archive (see docs/live.md).
TOPICS: Final = (
    Topic(
        FRAMES,
        "An ordered batch of one table's events, as the gateway received it.",
        PARTITIONS,
        _retention(7),
    ),
    Topic(
        ROUNDS,
        "What is concluded of a round or a shoe, with what was seen of it; a later revision supersedes.",
        PARTITIONS,
        _retention(30) | _LARGE,
    ),
    Topic(
        FINDINGS,
        "The findings that stand after a revision; one that stood before and is not named is withdrawn.",
        PARTITIONS,
        _retention(30) | _LARGE,
    ),
    Topic(
        REPORTS,
        "A report of a gaming day, as JSON; one that comes later for the same day supersedes.",
        1,
        _retention(30) | _LARGE,
    ),
    Topic(
        QUARANTINE,
        "What could not be read: where it stood, why, and the text itself.",
        1,
        # The broker's own time: what a clock is at fault in must come here too.
        _retention(30) | _LARGE | {"message.timestamp.type": "LogAppendTime"},
    ),
    Topic(
        CHANGELOG,
        "The audit's state of each table, as text, with the last frame applied.",
        PARTITIONS,
        {
            "cleanup.policy": "compact",
            "segment.bytes": str(64 * _MEGABYTE),
            "segment.ms": str(_DAY // 24),
            "min.cleanable.dirty.ratio": "0.1",
        }
        | _LARGE,
    ),
)
