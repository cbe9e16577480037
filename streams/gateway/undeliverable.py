"""What Kafka will never take: a row of the quarantine goes in its place, so that it holds up nothing else."""

from typing import Final

from kafka.errors import (
    InvalidRecordError,
    InvalidTimestampError,
    KafkaError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
)

from streams.gateway.intake import PROCESS
from streams.gateway.spool import Spooled
from streams.messages import Quarantined, cut, encode, frame_name
from streams.topics import QUARANTINE

# Only what lies in the record itself. A missing right or a broker's trouble passes; the record waits.
_REFUSALS: Final = (
    InvalidRecordError,
    InvalidTimestampError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
)


def is_refusal(error: KafkaError) -> bool:
    """Return True if an error about a record that was sent alone will be the same for ever.

    >>> is_refusal(InvalidTimestampError()), is_refusal(KafkaError())
    (True, False)
    """
    return isinstance(error, _REFUSALS)


def row_instead(frame: Spooled, reason: str, now: int) -> Spooled:
    """Return the quarantine's row for a frame that is refused, received `now` (microseconds UTC).

    It is named by the table and the frame's number: however often it is written, it is one row.
    """
    name = frame_name(frame.key, frame.number)
    text, reason = cut(frame.payload, f"Kafka refuses the frame: {reason}")
    row = Quarantined(
        id=f"{PROCESS}/{name}", where=f"frame {name}", reason=reason, payload=text, table=frame.key
    )
    return Spooled(topic=QUARANTINE, key=frame.key, number=frame.number, received=now, payload=encode(row))
