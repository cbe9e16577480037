"""On which gaming dates a table played a round of some number, told without judging any of them."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from replay.recording.event_audit import Unread, frames, house_of
from schemas.codec import Told, decode
from schemas.errors import BadInput
from schemas.events import RoundOpened
from streams import log

_DAY: Final = timedelta(days=1)
_FEW: Final = 12  # stretches of dates that a message lists
# A number that every writer of JSON writes alike, so that it can be looked for in the bytes.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)


def dates_of(archive: Path, house_file: str | None, table: str, number: str) -> list[date]:
    """Return the gaming dates on which a round of that number was opened, in order.

    Only frames that name it are taken apart. Where its opening was not reported, the dates of what was.

    Raises:
        BadInput: the archive lacks the table, or has no house file.
    """
    house = house_of(archive, house_file)
    opened: set[date] = set()
    named: set[date] = set()
    for event in (each for recorded in log.logs(archive, table) for each in _naming(recorded, number)):
        found = opened if isinstance(event, RoundOpened) else named
        found.add(house.gaming_date(event.at))
    # What is reported of a round after the turn of the day is still that round's.
    return sorted(opened | {day for day in named if not {day, day - _DAY} & opened})


def unread_in(archive: Path, table: str) -> list[Unread]:
    """Return what of a table's frames cannot be read."""
    told = (each for recorded in log.logs(archive, table) for each in frames(recorded))
    return [each for each in told if isinstance(each, Unread)]


def naming(number: str) -> Callable[[bytes], bool]:
    r"""Return which payloads may name a round, by their bytes alone.

    >>> [naming("17")(each) for each in (b'"round":"17"', b'"round":"170"', rb'"round":"1\u0037"')]
    [True, False, True]
    """
    needle = f'"{number}"'.encode() if _PLAIN.fullmatch(number) else b""
    return lambda payload: needle in payload or b"\\u" in payload


def _naming(recorded: log.Log, number: str) -> Iterator[Told]:
    """Read the events that name a round; frames that cannot are passed over unread."""
    named = naming(number)
    for _, where, payload in recorded.payloads():
        if named(payload):
            try:
                frame, _ = decode(payload, where)
            except BadInput:
                continue  # it is told where nothing else is found
            yield from (event for event in frame.events if getattr(event, "round", None) == number)


def listed(days: Sequence[date]) -> str:
    """List dates in order, three and more that follow each other as from and to.

    >>> listed([date(2025, 1, day) for day in (1, 2, 5, 6, 7, 9)])
    '2025-01-01, 2025-01-02, 2025-01-05 to 2025-01-07, 2025-01-09'
    """
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == _DAY:
            runs[-1].append(day)
        else:
            runs.append([day])
    said = [part for run in runs for part in _run(run)]
    more = len(said) - _FEW
    return ", ".join(said[:_FEW]) + (f" and {more} more" if more > 0 else "")


def _run(run: Sequence[date]) -> list[str]:
    return [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(day) for day in run]  # noqa: PLR2004  two are a pair
