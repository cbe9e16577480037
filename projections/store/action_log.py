"""The actions in the store: append-only, numbered without a gap, each with the digest of the one before."""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import duckdb
import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from projections.store.rows import Offset, as_stored, micros
from projections.store.store_file import rows_of
from schemas.errors import BadInput
from schemas.values import Micros

_INSERT: Final = """
    INSERT INTO actions BY NAME SELECT
        $number AS number, $id AS id, $at::TIMESTAMP AS "at", $who AS who, $role AS role, $action AS action,
        $subject AS subject, $details AS details, $before AS before, $after AS after, $previous AS previous,
        $digest AS digest
"""
_REACHED: Final = """
    INSERT INTO offsets BY NAME SELECT
        $cluster AS cluster, $topic AS topic, $partition AS partition, $next AS next
    ON CONFLICT DO UPDATE SET next = excluded.next
"""
_ALL: Final = "SELECT * FROM actions WHERE number > ? ORDER BY number"
_encode: Final = msgspec.json.Encoder(order="deterministic").encode


class Acted(Struct, frozen=True, kw_only=True):
    """An action that was done, as the store keeps it.

    `details` is what was asked for and what had to be known then, `before` and `after` what of its subject it
    changed; each is JSON. `digest` covers all of it and `previous`, the digest of the action before.
    """

    number: int
    id: str
    at: Micros
    who: str
    role: str
    action: str
    subject: str
    details: str
    before: str | None
    after: str | None
    previous: str | None
    digest: str = ""


def sealed(acted: Acted) -> Acted:
    """Return an action with its digest: SHA-256 of its other fields as a JSON list, in their order.

    >>> first = Acted(number=1, id="0" * 32, at=0, who="ann", role="operator", action="note", subject="",
    ...     details="{}", before=None, after=None, previous=None)
    >>> sealed(first).digest == sealed(sealed(first)).digest != sealed(replace(first, who="bob")).digest
    True
    """
    values = [value for name, value in asdict(acted).items() if name != "digest"]
    return replace(acted, digest=hashlib.sha256(_encode(values)).hexdigest())


def append(transaction: duckdb.DuckDBPyConnection, acted: Acted, reached: Sequence[Offset] = ()) -> None:
    """Add an action behind the others, and note how far it leads, both or neither."""
    transaction.begin()
    transaction.execute(_INSERT, asdict(acted) | {"at": as_stored(acted.at)})
    for each in reached:
        transaction.execute(_REACHED, asdict(each))
    transaction.commit()


def actions_of(db: duckdb.DuckDBPyConnection, after: int = 0) -> list[Acted]:
    """Read the actions that come after a number, in order.

    Raises:
        BadInput: one is missing or was changed.
    """
    with db.cursor() as reading:
        rows = rows_of(reading, _ALL, [after])
    acted = [_acted(row) for row in rows]
    last: Acted | None = None
    for each in acted:
        follows = last is None or (each.number, each.previous) == (last.number + 1, last.digest)
        if not follows or each != sealed(each):
            raise BadInput(
                f"the store's action {each.number} was changed, or one before it is missing; "
                "the archive has the actions as they were"
            )
        last = each
    return acted


def _acted(row: dict[str, Any]) -> Acted:
    return msgspec.convert(row | {"at": micros(row["at"])}, Acted)
