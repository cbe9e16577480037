"""Restore of actions of the console from where they were published, into a store that lost them or is older.

An action that the store has is skipped, and one that follows its last one is applied again unchanged. One
that does not follow becomes a row of the quarantine: actions were made in two stores, or some are missing.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from projections.casework.command_handler import CommandHandler
from projections.store.rows import QuarantinedRecord
from projections.store.store import Store
from schemas.codec import decode
from schemas.errors import BadInput
from schemas.senders import WHY, Refusal
from schemas.surveillance import STREAM, OperatorActed
from streams import observability
from streams.action_publisher import KEY, acted_of, action_message_of
from streams.log import logs
from streams.projector.forged_input import ForgedInputAlerts
from streams.projector.record_batch import PROCESS, FetchedRecord
from streams.signing import Signing
from streams.topics import FRAMES

_WAIT: Final = (
    "What was done here before is still being read, and Kafka has not answered yet; try again in a moment."
)

_log: Final = structlog.get_logger()


class Sent(Struct, frozen=True):
    """A frame of actions as it was sent: what names it, where it stands, and its bytes."""

    id: str
    place: str
    value: bytes


class ActionRestore:
    """Restores actions into a store; nobody can act there before all earlier actions are known."""

    def __init__(
        self, store: Store, commands: CommandHandler, signing: Signing, alarms: ForgedInputAlerts
    ) -> None:
        self._store, self._commands, self._signing, self._alarms = store, commands, signing, alarms
        self._is_done = False
        commands.suspend(_WAIT)

    @property
    def is_done(self) -> bool:
        """Return True if all was restored that existed when this was requested."""
        return self._is_done

    def done(self) -> None:
        """Open the console for actions: those of before are here."""
        self._is_done = True
        self._commands.resume()

    def without(self) -> None:
        """Open the console for actions without Kafka, unless none is here: most likely all are missing."""
        if self._commands.acts():
            self._commands.resume()

    def from_kafka(self, cluster: str, records: Iterable[FetchedRecord]) -> int:
        """Restore the actions among some records; return how many rows are new.

        Raises:
            DiscardrackError: the store cannot be written.
        """
        return self._take(
            cluster,
            (
                Sent(each.name(), each.place(), each.value)
                for each in records
                if each.topic == FRAMES and each.key == KEY
            ),
        )

    def from_archive(self, archive: Path) -> int:
        """Restore the actions in an archive; return how many rows are new.

        Raises:
            BadInput: it has none, or cannot be read.
            DiscardrackError: the store cannot be written.
        """
        (log,) = logs(archive, STREAM)
        return self._take(
            str(archive), (Sent(each.where, each.where, each.payload) for each in log.records())
        )

    def _take(self, source: str, frames: Iterable[Sent]) -> int:
        refused: list[QuarantinedRecord] = []
        new = 0
        for frame in frames:
            for event in _actions(frame):
                acted = acted_of(event)
                if self._commands.has(acted):
                    continue  # as it was done here, whoever sends it again
                if code := self._signing.refusal(event):
                    refused.append(_refuse(source, frame, WHY[code], code))
                    continue
                try:
                    new += self._commands.restore(acted, action_message_of(event))
                except BadInput as error:
                    refused.append(_refuse(source, frame, str(error)))
        if refused:
            forged = [row for row in refused if row.code is not None]
            self._store.write_batch({}, [row for row in refused if row.code is None])
            if forged:
                self._alarms.store(forged)
        if new:
            _log.info("actions_taken_back", actions=new, source=source)
        return new + len(refused)


def _actions(frame: Sent) -> list[OperatorActed]:
    """Read the actions of a frame; one that cannot be read is the worker's to refuse."""
    try:
        read, _ = decode(frame.value, frame.place)
    except BadInput:
        return []
    return [event for event in read.events if isinstance(event, OperatorActed)]


def _refuse(source: str, frame: Sent, why: str, code: Refusal | None = None) -> QuarantinedRecord:
    observability.QUARANTINED.labels(PROCESS).inc()
    _log.warning("action_refused", record=frame.id, reason=why, code=code)
    return QuarantinedRecord(
        source, frame.id, frame.place, why, frame.value.decode(errors="replace"), STREAM, code, FRAMES
    )
