"""A house file as a live process takes it: what is at fault in it is logged, and the rest goes on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from projections.engine.audit.rulebooks import line_in, mistakes
from schemas import house as houses
from schemas.house import House
from streams import observability

_log: Final = structlog.get_logger()


class HouseFile(Struct, frozen=True):
    """A house, its file's bytes, and why tables of it are left out, each with the line."""

    house: House
    content: bytes
    left_out: Mapping[str, str]


def read(name: str, folder: Path) -> HouseFile:
    """Read a house file, and say in the log and the metrics what of it is at fault.

    Raises:
        BadInput: there is no such file, or it cannot be read.
    """
    path = houses.path_of(name, folder)
    house, content = houses.read(name, folder)
    text = content.decode()
    left_out: dict[str, list[str]] = {}
    for each in mistakes(house):
        line = line_in(text, each)
        document = {
            "file": str(path),
            "line": line,
            "table": each.table,
            "submission": str(each.submission) if each.submission is not None else None,
            "reason": each.message,
            "near": each.suggestion,
        }
        if each.leaves_out and each.table is not None:
            left_out.setdefault(each.table, []).append(f"{path}:{line}: {each.describe()}")
            _log.error("table_left_out", **document)
        else:
            _log.warning("house_file_mistake", **document)
    for table in left_out:
        observability.LEFT_OUT.labels(table).set(1)
    return HouseFile(house, content, {table: "; ".join(reasons) for table, reasons in left_out.items()})
