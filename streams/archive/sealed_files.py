"""Sealed records: Parquet files that are written once, read back, and never changed.

A part holds records of one name from one cluster and partition, in the order of their offsets; its footer
lists which (`discardrack.stretch`). Arrow takes long to load, so it is loaded where one is written or read.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from projections.store.disk import atomic_output
from schemas.errors import BadInput
from streams.archive.record_names import NOTHING_YET, KafkaRecord, Position, Stream, files_of, part_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

_STRETCH: Final = b"discardrack.stretch"
_PLACE: Final = ["cluster", "partition", "offset"]
_ROWS_AT_ONCE: Final = 2000  # a group of rows, as much as is read to find one


@cache
def _schema() -> "pa.Schema":
    import pyarrow as pa  # noqa: PLC0415  see above

    return pa.schema(
        [
            pa.field("cluster", pa.string(), nullable=False),
            pa.field("topic", pa.string(), nullable=False),
            pa.field("partition", pa.int32(), nullable=False),
            pa.field("offset", pa.int64(), nullable=False),
            pa.field("received", pa.timestamp("us", tz="UTC"), nullable=False),
            pa.field("key", pa.binary()),
            pa.field("payload", pa.binary()),
        ]
    )


def _unread() -> tuple[type[Exception], ...]:
    """Return the errors of Arrow for a damaged file, and of the disk."""
    from pyarrow import ArrowException  # noqa: PLC0415  see above

    return (ArrowException, OSError, UnicodeDecodeError)


class Stretch(Struct, frozen=True):
    """Contents of a part: cluster, when that was first seen (microseconds UTC), partition, offsets."""

    cluster: str
    since: int
    partition: int
    first: int
    last: int

    @property
    def stream(self) -> Stream:
        """The cluster and partition."""
        return self.cluster, self.partition


def parts(folder: Path, name: str) -> list[Path]:
    """Return a name's parts in a day's folder, in the order in which they were sealed.

    Raises:
        BadInput: one of them is a link.
    """
    found = ((part_of(file), folder / file) for file in files_of(folder, f"{name}."))
    return [file for part, file in sorted((part, file) for part, file in found if part and part[0] == name)]


def write(folder: Path, name: str, records: Sequence[KafkaRecord], since: int) -> Path:
    """Write records of one cluster and partition, in order, as the next part of a name.

    The file appears under its name only when the disk has all of it.
    """
    import pyarrow as pa  # noqa: PLC0415  see above
    from pyarrow import parquet  # noqa: PLC0415  likewise

    last = parts(folder, name)[-1:]
    number = 1 + max((found[1] for file in last if (found := part_of(file.name))), default=0)
    stretch = Stretch(records[0].cluster, since, records[0].partition, records[0].offset, records[-1].offset)
    schema = _schema().with_metadata({_STRETCH: msgspec.json.encode(stretch)})
    columns = [pa.array([getattr(each, field.name) for each in records], field.type) for field in schema]
    path = folder / (f"{name}.parquet" if number == 1 else f"{name}.{number}.parquet")
    with atomic_output(path) as out:
        table = pa.Table.from_arrays(columns, schema=schema)
        parquet.write_table(
            table, out, compression="zstd", row_group_size=_ROWS_AT_ONCE, write_page_checksum=True
        )
    return path


def stretch_of(path: Path) -> Stretch:
    """Read a part's footer. It is confirmed only as far as `read` has come without an error.

    Raises:
        BadInput: the file is no part of an archive.
    """
    from pyarrow import parquet  # noqa: PLC0415  see above

    try:
        return _stretch(path, parquet.read_metadata(path))
    except _unread() as error:
        raise BadInput(f"{path}: not a sealed part of an archive: {error}") from None


def _stretch(path: Path, footer: "parquet.FileMetaData") -> Stretch:
    try:
        return msgspec.json.decode((footer.metadata or {})[_STRETCH], type=Stretch)
    except KeyError:
        raise BadInput(f"{path}: not a sealed part of an archive") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not a sealed part of an archive: {error}") from None


def read(path: Path, after: int = NOTHING_YET) -> Iterator[KafkaRecord]:
    """Read a part's records after an offset; of groups that end before it only the offsets.

    Raises:
        BadInput: the file is damaged, no part of an archive, or its records are not those of its footer, in
            the order of their offsets.
    """
    from pyarrow import parquet  # noqa: PLC0415  see above

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(_schema()):
                raise BadInput(f"{path}: not a sealed part of an archive: it has other columns")
            order = _Order(path, _stretch(path, file.metadata))
            for group in range(file.num_row_groups):
                # By the offsets themselves: to look at a damaged file's statistics can end the process.
                rows = _rows(file, group, None if after == NOTHING_YET else _PLACE)
                if order.add_rows(rows) > after:
                    group_rows = rows if after == NOTHING_YET else _rows(file, group)
                    yield from (each for each in _records(group_rows) if each.offset > after)
            order.end()
    except _unread() as error:
        raise BadInput(f"{path}: cannot be read: {error}") from None


class _Order:
    """Check of a part's records against its footer."""

    def __init__(self, path: Path, stretch: Stretch) -> None:
        self.path, self.said = path, stretch
        self.last: int | None = None

    def add_rows(self, rows: "pa.Table") -> int:
        """Process a group of rows, and return its last offset."""
        stretch = self.said
        offsets = rows["offset"].to_pylist()
        earlier = [self.last] if self.last is not None else []
        if self.last is None and (offsets[0] != stretch.first or stretch.first < 0):
            raise self._wrong()
        if any(one >= two for one, two in pairwise((*earlier, *offsets))) or offsets[-1] > stretch.last:
            raise self._wrong()
        streams = rows["cluster"].unique().to_pylist(), rows["partition"].unique().to_pylist()
        if streams != ([stretch.cluster], [stretch.partition]):
            raise self._wrong()
        self.last = offsets[-1]
        return self.last

    def end(self) -> None:
        """Process the part's end."""
        if self.last != self.said.last:
            raise self._wrong()

    def _wrong(self) -> BadInput:
        return BadInput(
            f"{self.path}: its records are not those that its footer tells of, or not in their order; it is "
            "not as it was sealed: put a copy in its place"
        )


def _rows(file: "parquet.ParquetFile", group: int, columns: list[str] | None = None) -> "pa.Table":
    """Read a group of rows; a damaged one can come out short without an error from Arrow."""
    import pyarrow as pa  # noqa: PLC0415  see above

    found = file.read_row_group(group, columns)
    count = file.metadata.row_group(group).num_rows
    if found.num_rows != count or count == 0:
        raise pa.ArrowInvalid(f"{found.num_rows} of {count} rows are there")
    return found


def _records(rows: "pa.Table") -> Iterator[KafkaRecord]:
    import pyarrow as pa  # noqa: PLC0415  see above

    received = _schema().get_field_index("received")
    # Times as the numbers that they are: microseconds.
    plain = rows.set_column(received, "received", rows.column(received).cast(pa.int64()))
    return (KafkaRecord(*row) for row in zip(*(column.to_pylist() for column in plain.columns), strict=True))


def digests(folder: Path, name: str) -> dict[Position, bytes]:
    """Read every part of a name back from the disk; give the hash of each record by where it stands."""
    return {record.position: record.digest() for file in parts(folder, name) for record in read(file)}
