"""What is said of a folder in which no events were recorded: where below it some were."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from schemas.errors import BadInput
from streams import log
from streams.archive.record_names import is_archive

_FEW: Final = 5  # folders that a message names


def no_recording(path: Path) -> BadInput:
    """Say that a path is neither a file nor an archive, live or played, and which of its folders are."""
    said = f"{path}: neither a file nor an archive folder (which holds days/ or {log.EVENTS}/)"
    return BadInput(said + _below(path, log.is_archive))


def refuse_other(path: Path, than: str = "no archive") -> None:
    """Refuse what is no archive of a live floor, and say which of its folders are.

    Raises:
        BadInput: it is none.
    """
    if not is_archive(path):
        raise BadInput(f"{path}: {than} of a live floor, which holds days/{_below(path, is_archive)}")


def _below(path: Path, wanted: Callable[[Path], bool]) -> str:
    found = sorted(str(each) for each in path.iterdir() if wanted(each)) if path.is_dir() else []
    more = f" and {len(found) - _FEW} more" if len(found) > _FEW else ""
    return f"; in it there is {', '.join(found[:_FEW])}{more}" if found else ""
