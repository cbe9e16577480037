"""Face of the library: what a program may use; docs/library.md."""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from projections.engine.audit.round_records import answer, book_of, read, to_round
from projections.engine.conclusion import ConclusionView as Conclusion
from projections.engine.findings import FindingView as Finding
from projections.views.conclusion_view import conclusion_view
from schemas.errors import BadInput, NotInForce
from schemas.house import DEFAULT, House
from schemas.house import load as _load
from schemas.record import RoundRecord as Round

if TYPE_CHECKING:
    import pyarrow as pa

    from replay.recording.judged_rounds import JudgedRound

__all__ = [
    "BadInput",
    "Conclusion",
    "Finding",
    "House",
    "Round",
    "audit",
    "draw",
    "house",
    "judge",
    "table",
]
__version__ = version("discardrack")


def judge(record: Round | Mapping[str, Any] | str | bytes, house: House = DEFAULT) -> Conclusion:
    """Return the conclusion on one round: its verdict, what each wager was owed, and every finding.

    `record` is a round record (docs/round_record.md): as an object, as a mapping, or as JSON. It is judged by
    the text in force on its gaming date and by the house's choices; without a house by the text's defaults.

    Raises:
        BadInput: it is no round record, or has a card, word, option or number of decks that its chapter does
            not have; the message names the place.
    """
    return conclusion_view(answer(_record(record), house))


class Drawing(str):
    """A picture in SVG; a notebook shows it."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw(record: Round | Mapping[str, Any] | str | bytes, house: House = DEFAULT) -> Drawing:
    """Return a round as it lay on the table, with what was wagered, paid, owed and found, as SVG.

    >>> draw({"table": "BAC-1", "round": "1", "chapter": "631a", "at": "2025-01-01T20:39:43Z", "wagers": [],
    ...     "play": [["player", "Kd"], ["banker", "Tc"], ["player", "9h"], ["banker", "8s"]]})[-6:]
    '</svg>'

    Raises:
        BadInput: as of `judge`.
    """
    from projections.views.hand_view import hand_facts  # noqa: PLC0415  what draws is needed for a picture alone
    from replay.exports.case_file.hand_page import drawing_of  # noqa: PLC0415  likewise
    from replay.exports.case_file.svg import drawing  # noqa: PLC0415  likewise

    read_record = _record(record)
    observed, concluded = to_round(read_record, house), answer(read_record, house)
    try:
        book = book_of(read_record, house)
    except NotInForce:
        book = None
    return Drawing(drawing([drawing_of(hand_facts(concluded, observed, book, house))]).decode().strip())


def _record(record: Round | Mapping[str, Any] | str | bytes) -> Round:
    if isinstance(record, Mapping):
        record = msgspec.json.encode(record)
    if not isinstance(record, Round):
        record = read(record.encode() if isinstance(record, str) else record)
    return record


def audit(
    path: str | Path, house: str | Path | None = None, *, unread: Callable[[str], object] | None = None
) -> Iterator[Conclusion]:
    """Return a conclusion for each round, shoe and account that is recorded at a path, in its order.

    `path` is a file of round records or of frames, or an archive folder; `house` is the house file, if it is
    not beside it. `unread` is called with a sentence about each line that cannot be read, and the rest goes
    on: a live floor's archive keeps such lines too. Without it the first one is raised.

    Raises:
        BadInput: the path holds no rounds, a line of it cannot be read (the message names it), or the house
            file is missing or at fault.
    """
    return (conclusion_view(each.conclusion) for each in _judged(path, house, unread))


def _judged(
    path: str | Path, house: str | Path | None, unread: Callable[[str], object] | None
) -> "Iterator[JudgedRound]":
    from replay.recording.judged_rounds import judge_rounds  # noqa: PLC0415  what reads recordings takes long to load
    from replay.recording.recording import Recording  # noqa: PLC0415  likewise
    from streams.log import Unread  # noqa: PLC0415  likewise

    for each in judge_rounds(Recording(Path(path), str(house) if house is not None else None)):
        if not isinstance(each, Unread):
            yield each
        elif unread is None:
            raise BadInput(each.describe(path))
        else:
            unread(each.describe(path))


def table(
    path: str | Path,
    what: Literal["rounds", "findings"] = "findings",
    house: str | Path | None = None,
    *,
    unread: Callable[[str], object] | None = None,
) -> "pa.Table":
    """Return what is recorded at a path as a table of Arrow: a row a finding, or a row a wager of its rounds.

    .to_pandas() and polars.from_arrow() make data frames of it. Sums are whole cents, dates are dates and
    times UTC; docs/library.md has its columns. `unread` is as of `audit`.

    Raises:
        BadInput: as of `audit`.
    """
    from replay.exports.flat_rows import FLAT  # noqa: PLC0415  pyarrow takes long to load
    from replay.lists import parquet_file  # noqa: PLC0415  likewise

    rows_of, columns = FLAT[what]
    rows = [
        [row[each.name] for each in columns]
        for judged in _judged(path, house, unread)
        for row in rows_of(judged)
    ]
    return parquet_file.table(columns, rows)


def house(path: str | Path) -> House:
    """Return the house of a house file.

    Raises:
        BadInput: it is missing or at fault; the message names the line.
    """
    return _load(str(path), Path.cwd())
