"""A house file with its mistakes, each with its line: what is at fault is left out, and the rest is used."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.rulebooks import Mistake, mistakes
from schemas import house as houses
from schemas.house import Draft, House
from schemas.plain import Fault, line_of, repeated
from schemas.senders import Senders


class FileMistake(Struct, frozen=True):
    """A mistake of a house file with its file and line.

    `near` is the name that may have been meant. Until it is corrected its table is not audited if `left_out`;
    if it is `unreadable` the file is not of its form outside its tables, and no process starts with it.
    """

    file: str
    line: int
    table: str | None
    submission: str | None
    mistake: str
    near: str | None
    left_out: bool = False
    unreadable: bool = False

    def describe(self) -> str:
        """Return one line: file and line, table, submission, the mistake, and the name that may be meant."""
        by = f"submission from {self.submission}: " if self.submission is not None else ""
        table = f"table {self.table}: " if self.table is not None else ""
        suggested = f"; did you mean {self.near}?" if self.near is not None else ""
        return f"{self.file}:{self.line}: {table}{by}{self.mistake}{suggested}"


class HouseFile(Struct, frozen=True):
    """A house, its file's bytes, its mistakes, and why tables of it are left out, each with the line."""

    house: House
    content: bytes
    mistakes: list[FileMistake]

    @property
    def left_out(self) -> Mapping[str, str]:
        """Return by table why it is left out, in the words of the file."""
        reasons: dict[str, list[str]] = {}
        for each in self.mistakes:
            if each.left_out and each.table is not None:
                described = replace(each, table=None).describe()
                reasons.setdefault(each.table, []).append(described)
        return {table: "; ".join(lines) for table, lines in reasons.items()}

    @property
    def senders(self) -> Senders:
        """Return whose events are accepted by this file."""
        return Senders(self.house, self.left_out)


def load(name: str, folder: Path) -> HouseFile:
    """Read a house file with its mistakes.

    Raises:
        BadInput: there is no such file, or it is not of its form.
    """
    path = houses.path_of(name, folder)
    house, content = houses.read(name, folder)
    return HouseFile(house, content, list(_mistakes_in(house, content.decode(), str(path))))


def check(text: str, file: str) -> list[FileMistake]:
    """Find every mistake of a house file's text: of its form, then of its content.

    Raises:
        BadInput: it is no YAML of plain values.
    """
    draft = houses.draft(text, file)
    found = [_of_form(each, text, file) for each in draft.faults]
    if draft.house is not None:
        found += _mistakes_in(draft.house, text, file, draft)
    return found


def _mistakes_in(house: House, text: str, file: str, draft: Draft | None = None) -> Iterator[FileMistake]:
    """Yield the mistakes of a house; for a draft, without those of tables that are at fault already."""
    for each in mistakes(house):
        if draft is not None and each.table in draft.tables and each.table not in house.tables:
            continue
        yield FileMistake(
            file,
            line_of(text, each.path if draft is None else _in_file(each, draft)),
            each.table,
            str(each.submission) if each.submission is not None else None,
            each.message,
            each.suggestion,
            left_out=each.leaves_out,
        )
    for path, line in repeated(text):
        table = path[1] if path[0] == "tables" and len(path) > 1 else None
        message = f"{path[-1]} stands here a second time; only this one is taken"
        yield FileMistake(file, line, table, None, message, None)


def _in_file(mistake: Mistake, draft: Draft) -> tuple[str | int, ...]:
    """Return the place of a mistake as the file numbers its submissions."""
    first, *rest = mistake.path
    if first == "submissions" and rest:
        rest[0] = draft.numbers[int(rest[0])]
    return (first, *rest)


def _of_form(fault: Fault, text: str, file: str) -> FileMistake:
    first, *rest = fault.path or ("",)
    return FileMistake(
        file,
        line_of(text, fault.path),
        str(rest[0]) if first == "tables" and rest else None,
        None,
        fault.message,
        fault.near,
        left_out=True,
        unreadable=not houses.is_of_table(fault),
    )
