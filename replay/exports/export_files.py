"""Rows in the forms that go into a file: Parquet, Timesketch's JSON lines, iTrak's CSV."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from replay.exports.flat_rows import Flat
from replay.exports.investigators import timesketch_lines, write_itrak
from replay.lists.columns import Column
from schemas.errors import BadInput
from schemas.house import House

FileForm: TypeAlias = Literal["parquet", "html", "timesketch", "itrak"]


def named(form: str, out: Path | None) -> Path:
    """Return the file that a form needs.

    Raises:
        BadInput: none is named, or one whose name Timesketch would not take.
    """
    if out is None:
        raise BadInput(f"{form} is no text for a terminal or a pipe: say --out FILE")
    if form == "timesketch" and out.suffix != ".jsonl":
        raise BadInput(f"{out}: Timesketch takes a file whose name ends in .jsonl")
    return out


def is_file_form(form: str) -> bool:
    """Return True if a form needs a file."""
    return form in get_args(FileForm)


def write(form: str, rows: Iterable[Flat], columns: Sequence[Column], house: House, file: Path) -> None:
    """Write rows to a file in a form that is no page.

    Raises:
        BadInput: a row does not fit the form.
    """
    if form == "parquet":
        from replay.lists import parquet_file  # noqa: PLC0415  pyarrow takes longer to load than most exports

        parquet_file.write(columns, ([row[each.name] for each in columns] for row in rows), file)
    elif form == "timesketch":
        with file.open("wb") as out:
            out.writelines(line + b"\n" for line in timesketch_lines(rows))
    else:
        with file.open("w", encoding="utf-8", newline="") as out:
            write_itrak(rows, house, out)
