"""All that a store keeps of a conclusion as one hash, whether it was just drawn or read back from a store."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from projections.engine.conclusion import Conclusion, ConclusionOf
from projections.engine.identity import canonical
from projections.engine.observation import Round
from projections.store.rows import Row, round_row, settlement_rows, wager_rows

# What only says where a row stands.
_PLACE: Final = frozenset({"run", "id", "revision", "ordinal"})
_SEEN: Final = ("opened", "announced", "dealer", "play", "seated")
_encode: Final = msgspec.json.Encoder(order="sorted").encode


def fingerprint(seen: Round | None, concluded: Conclusion) -> str:
    """Hash a conclusion in its canonical form, with all that a store keeps of its round beside it."""
    row = round_row({}, seen, concluded)
    if (play := row.get("play")) is not None:
        row["play"] = [{"who": who, "what": what} for who, what in play]
    return fingerprint_of(concluded, row, wager_rows({}, seen), settlement_rows({}, seen, concluded))


def fingerprint_of(
    concluded: ConclusionOf[Any], row: Row, wagers: Iterable[Row], settlements: Iterable[Row]
) -> str:
    """Hash a conclusion with the rows of its round, which has `opened` in microseconds UTC."""
    seen = _given({name: row.get(name) for name in _SEEN})
    beside = [seen, *(_given(each) for each in wagers), *(_given(each) for each in settlements)]
    return hashlib.sha256(canonical([concluded]) + _encode(beside)).hexdigest()[:32]


def _given(row: Mapping[str, Any]) -> Row:
    """Leave out what is not told, and where the row stands."""
    return {name: value for name, value in row.items() if value is not None and name not in _PLACE}
