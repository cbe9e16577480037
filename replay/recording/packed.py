"""Files packed by gzip or zstd, and standard input, as plain files for as long as they are read."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from schemas.errors import BadInput

STANDARD_INPUT: Final = Path("-")
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


@contextmanager
def plain_file(path: Path) -> Iterator[Path]:
    """Yield a file to be read as it is: itself, or a copy of what is packed or comes by standard input (`-`).

    The copy goes when this is left; a message that names it is made to name what was asked for.

    Raises:
        BadInput: what is packed is cut short or damaged.
    """
    if path != STANDARD_INPUT and not _is_packed(path):
        yield path
        return
    name = "standard input" if path == STANDARD_INPUT else str(path)
    with tempfile.TemporaryDirectory(prefix="discardrack-") as scratch:
        copy = Path(scratch) / "input"
        if path == STANDARD_INPUT:
            with copy.open("wb") as out:
                shutil.copyfileobj(sys.stdin.buffer, out)
            packed = copy.with_name("packed")
            if _is_packed(copy):
                copy.rename(packed)
                _unpack(packed, copy, name)
        else:
            _unpack(path, copy, name)
        try:
            yield copy
        except BadInput as error:
            raise BadInput(str(error).replace(str(copy), name)) from None


def _is_packed(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4).startswith((_GZIP, _ZSTD))


def _unpack(packed: Path, plain: Path, name: str) -> None:
    import pyarrow as pa  # noqa: PLC0415  it takes long to load, and few files are packed

    try:
        # By its name it would be taken for plain.
        with packed.open("rb") as file:
            kind = "gzip" if file.read(2) == _GZIP else "zstd"
            file.seek(0)
            with pa.CompressedInputStream(pa.PythonFile(file), kind) as stream, plain.open("wb") as out:
                shutil.copyfileobj(stream, out)
    except (OSError, pa.ArrowException) as error:
        raise BadInput(f"{name}: what is packed cannot be read: {error}") from None
