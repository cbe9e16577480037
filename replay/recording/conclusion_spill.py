"""Conclusions of shoes and accounts set aside on the disk until the rounds of their table are told."""

from collections.abc import Iterator
from typing import Final

import msgspec

from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import Conclusion
from replay.recording.spill_file import OnDisk

_MADE: Final = (
    "CREATE TABLE aside (place INTEGER PRIMARY KEY, subject BLOB UNIQUE, revision INT, at INT, told BLOB)"
)
_PUT: Final = (
    "INSERT INTO aside (subject, revision, at, told) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (subject) DO UPDATE SET revision = excluded.revision, at = excluded.at, told = excluded.told"
)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Conclusion).decode


class Aside(OnDisk):
    """Holds each shoe and account as last concluded, in the order in which they were first concluded."""

    def __init__(self) -> None:
        super().__init__(_MADE)

    def put(self, each: Concluded) -> None:
        """Set a conclusion aside, in the place of what was concluded of its subject before.

        No round is taken: what a round was drawn from is not held.
        """
        said = each.conclusion
        subject = _encode((said.gaming_date, said.table, said.shoe, said.account))
        self._base.execute(_PUT, (subject, each.revision, each.at, _encode(said)))

    def all(self) -> Iterator[Concluded]:
        """Yield everything that was set aside."""
        for revision, at, told in self._base.execute("SELECT revision, at, told FROM aside ORDER BY place"):
            yield Concluded(_decode(told), revision, at=at)
