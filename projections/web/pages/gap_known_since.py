"""Since when it is known what a shoe lacks: by the revision of its conclusion from which on all have it.

A finding's own name does not tell that. It goes by the device and how many there are of it, and of those one
may have come late after all.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.facts import Fact, load
from projections.store.rows import Row, grouped
from projections.store.stored_times import micros
from projections.web.records.store_queries import Reader
from schemas.values import Micros

_LACKED: Final = """
    SELECT findings.round_id AS shoe, findings.revision, findings.id, message, rounds.opened
    FROM findings JOIN rounds
        ON rounds.run = findings.run AND rounds.id = findings.round_id
        AND rounds.revision = findings.revision
    WHERE findings.run = $run AND findings.round_id IN (SELECT unnest($shoes)) AND check_name = $check
    ORDER BY findings.revision, ordinal
"""


def known_since(reader: Reader, run: str, shoes: Collection[str]) -> Mapping[str, Micros | None]:
    """Return by the id of what is missing of shoes, which are given by theirs, since when that is known.

    It is the terminal's time, microseconds UTC; None where it was stored without one.
    """
    if not shoes:
        return {}
    wanted = {"run": run, "shoes": list(shoes), "check": DATA_MISSING.check}
    known: dict[str, Micros | None] = {}
    for rows in grouped(reader.ask(_LACKED, wanted), "shoe").values():
        known |= _known(rows)
    return known


def _known(rows: Sequence[Row]) -> dict[str, Micros | None]:
    """Say it of one shoe: of the same gap that is there more than once, of the first of them first."""
    gaps: defaultdict[int, Counter[Fact]] = defaultdict(Counter)
    for row in rows:
        gaps[row["revision"]][load(row["message"])] += 1
    opened = {row["revision"]: micros(row["opened"]) for row in rows}
    newest = max(gaps)
    times: Counter[Fact] = Counter()
    known: dict[str, Micros | None] = {}
    for row in rows:
        if row["revision"] == newest:
            gap = load(row["message"])
            times[gap] += 1
            since = newest
            while since - 1 in gaps and gaps[since - 1][gap] >= times[gap]:
                since -= 1
            known[row["id"]] = opened[since]
    return known
