"""Kinds of files that are none of round records or events: what one looks like, and which verb reads it."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from replay.adaptors.rows import encoding_of, is_json
from schemas.errors import BadInput

HEAD: Final = 64 * 1024  # bytes of a file that show its kind
_SAMPLE: Final = 5  # lines
_MANY: Final = 3  # cells that one line of CSV has at least, if it is the only one
_LISTED: Final = 6  # columns that a message names
_MAPPING: Final = "`discardrack import {file} --mapping MAPPING.yaml` reads rounds from it"
PROPOSED: Final = f"{_MAPPING}, and `discardrack map suggest {{file}}` proposes the mapping"
_LOG: Final = "`discardrack import {file} --mapping MAPPING.yaml` reads events from it (docs/adaptors.md)"
ZIP: Final = b"PK\x03\x04"
_MAGIC: Final = (
    (b"\x89PNG", "a PNG image", ""),
    (b"\xff\xd8\xff", "a JPEG image", ""),
    (b"GIF8", "a GIF image", ""),
    (b"%PDF", "a PDF", ""),
    (b"SQLite format 3\0", "an SQLite database", ""),
    (b"PAR1", "Parquet", PROPOSED),
    (ZIP, "a workbook or another zip file", PROPOSED),
    (b"BEGIN:VCALENDAR", "a schedule in iCalendar", _LOG),
)
_DUCKDB: Final = (8, b"DUCK")


class FileKind(Struct, frozen=True):
    """Kind of a file, by its looks, and which verb reads it, as the end of a message; empty if none does."""

    name: str
    shape: Literal["binary", "table", "document", "text"]
    advice: str = ""

    def refuse(self, file: Path, wanted: str) -> BadInput:
        """Return the error that a file is of this kind, where something else is `wanted`."""
        advice = f"; {self.advice.format(file=file)}" if self.advice else ""
        return BadInput(f"{file}: {self.name}, and no {wanted}{advice}")


def kind_of(head: bytes) -> FileKind | None:
    """Return the kind of a file by how it begins; None if that may be JSON, an object a line.

    >>> kind_of(b"a,b").name, kind_of(b"%PDF-1.7").name, kind_of(b'{"table": "BAC-1"}')
    ('text without JSON', 'a PDF', None)
    """
    for magic, name, advice in _MAGIC:
        if head.startswith(magic):
            return FileKind(name, "binary", advice)
    place, mark = _DUCKDB
    if head[place : place + len(mark)] == mark:
        return FileKind("a DuckDB file", "binary", "a store is shown by `discardrack serve`")
    text = head.decode(encoding_of(head), errors="replace").lstrip()
    return _kind_of_document(text) if text[:1] in ("{", "[", "<") else _kind_of_lines(text)


def kind_at(path: Path) -> FileKind | None:
    """Return the kind of a file.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return kind_of(file.read(HEAD))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None


def _kind_of_document(text: str) -> FileKind | None:
    """Return the kind of what begins as JSON or XML; None if each line may be an object by itself."""
    if text.startswith("["):
        if text.split("\n", 1)[0].strip() != "[" and not is_json(text):
            return None
        return FileKind("a JSON document with a list", "document", PROPOSED)
    if text.startswith("<"):
        return FileKind("syslog", "text", _LOG) if text[1:2].isdigit() else FileKind("XML or HTML", "text")
    first, _, rest = text.partition("\n")
    is_begun = first.strip() == "{" and rest.lstrip().startswith('"')
    if not rest.strip() or is_json(first) or not (is_begun or is_json(text)):
        return None
    advice = "write each record on a line of its own, as `jq -c .` does; " + _MAPPING
    return FileKind("one JSON document over several lines", "document", advice)


def _kind_of_lines(text: str) -> FileKind | None:
    """Return the kind of a text by its lines; None if one of them may be an object, or there is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or any(line.lstrip().startswith("{") and line.isprintable() for line in lines):
        return None
    if "\0" in text:
        return FileKind("a binary file", "binary")
    if any(line.startswith(("house:", "tables:")) for line in lines):
        return FileKind("YAML of a house file", "text", "`discardrack house check {file}` reads it")
    if (columns := _columns(lines[:_SAMPLE])) is not None:
        more = ", …" if len(columns) > _LISTED else ""
        return FileKind(f"CSV with the columns {', '.join(columns[:_LISTED])}{more}", "table", PROPOSED)
    return FileKind("text without JSON", "text")


def _columns(lines: Iterable[str]) -> list[str] | None:
    """Return the columns of lines of CSV, if they are that."""
    for separator in ",;\t|":
        try:
            rows = list(csv.reader(lines, delimiter=separator))
        except csv.Error:
            continue
        widths = {len(row) for row in rows}
        if len(widths) == 1 and max(widths) >= (_MANY if len(rows) == 1 else 2):
            return [cell.strip() for cell in rows[0]]
    return None
