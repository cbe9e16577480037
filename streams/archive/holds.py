"""Legal holds: what of an archive is kept whatever its age, by an append-only log in it.

A line of `holds.jsonl` adds a hold or lifts it; who did so, when and why stands beside it. A hold is on some
tables or on all of them, and on the gaming days from the first to the last, or from the first on.
"""

from datetime import date, datetime
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from schemas.errors import BadInput

HOLDS: Final = "holds.jsonl"


class Hold(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the log; `tables` and `last` absent stand for all tables, and for no end.

    A hold on a patron or a hand is one on the table-days that have them, as the archive holds nothing finer.
    """

    does: Literal["add", "lift"]
    hold: str
    by: str
    at: datetime
    first: date = date.min
    last: date | None = None
    tables: tuple[str, ...] | None = None
    why: str | None = None

    def covers(self, table: str | None, day: date) -> bool:
        """Tell whether it is on a table's day; None stands for what may be of any table."""
        within = self.first <= day and (self.last is None or day <= self.last)
        return within and (self.tables is None or table is None or table in self.tables)


def standing(archive: Path) -> list[Hold]:
    """Read the holds that stand: those that were added and not lifted since.

    Raises:
        BadInput: a line cannot be read; then nothing can be said to be free.
    """
    log = archive / HOLDS
    held: dict[str, list[Hold]] = {}
    for number, line in enumerate(log.read_bytes().splitlines() if log.is_file() else (), 1):
        try:
            each = msgspec.json.decode(line, type=Hold)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{log}, line {number}: not a legal hold: {error}; nothing is removed") from None
        if each.does == "add":
            held.setdefault(each.hold, []).append(each)
        else:
            held.pop(each.hold, None)
    return [hold for holds in held.values() for hold in holds]
