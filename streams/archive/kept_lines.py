"""Lines of checkpoints that were stored elsewhere, and what of an archive they prove."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from projections.evidence.checkpoint import Checkpoint
from schemas.errors import BadInput
from streams.archive.checked_files import Trouble

_LINE: Final = re.compile(
    r"discardrack 1 ([0-9a-f]{32}) ([1-9][0-9]*) ([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9a-f]{64})"
)


class KeptLine(Struct, frozen=True):
    """A checkpoint as someone stored it elsewhere."""

    archive: str
    number: int
    day: str
    body: str


def kept_line(text: str) -> KeptLine:
    """Parse the line that was stored of a checkpoint.

    >>> kept_line("discardrack 1 " + "0" * 32 + " 12 2025-03-01 " + "f" * 64).number
    12

    Raises:
        BadInput: it is not one.
    """
    found = _LINE.fullmatch(" ".join(text.split()))
    if found is None:
        raise BadInput(
            f"{text!r}: not the line of a checkpoint, which reads: discardrack 1 ARCHIVE NUMBER DAY HASH"
        )
    return KeptLine(found[1], int(found[2]), found[3], found[4])


def against(chain: Sequence[Checkpoint], lines: Sequence[KeptLine]) -> Iterator[Trouble]:
    """Check the chain against lines that were stored elsewhere."""
    for line in lines:
        if (reason := _breach(chain, line)) is not None:
            yield Trouble(f"checkpoint {line.number} of {line.day}", reason)


def _breach(chain: Sequence[Checkpoint], line: KeptLine) -> str | None:
    if chain and chain[0].body.archive != line.archive:
        return f"was kept of archive {line.archive}; this one is {chain[0].body.archive}"
    if line.number > len(chain):
        return f"was kept elsewhere, but is not here: the archive ends with {len(chain)}"
    if chain[line.number - 1].body_hash != line.body:
        return "is not the one that was kept elsewhere: from there on it was made anew"
    return None


def uncovered(chain: Sequence[Checkpoint], lines: Sequence[KeptLine]) -> Iterator[Trouble]:
    """Yield what was closed after the newest line: a line covers its checkpoint and all before it.

    Without lines nothing is yielded.
    """
    covered = max((line.number for line in lines if _breach(chain, line) is None), default=0)
    newer = chain[covered:] if lines else ()
    if newer:
        first, last = covered + 1, len(chain)
        which = f"checkpoint {first}" if first == last else f"checkpoints {first} to {last}"
        days = sorted({str(each.body.day) for each in newer})
        closed = f"{sum(each.body.entries for each in newer)} files, {' to '.join({days[0]: 0, days[-1]: 0})}"
        yield Trouble(which, f"no line was named that covers what was closed then: {closed}")
