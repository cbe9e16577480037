"""Bundles for the console: the same command that a person would type, run in a separate process."""

import io
import signal
import threading
from asyncio import to_thread
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from projections.views.time_text import date_text
from projections.web.records.bundle_requests import BundleRequest
from replay.cli import main
from replay.recording.parallel_audit import processes
from schemas.errors import BadInput
from streams import topics
from streams.archive import keys, sealed_files
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, file_name, folder_of

_LONGEST_NAME: Final = 255  # bytes of a file's name


class BundleProcess:
    """Makes bundles of an archive's hands with a key, as `discardrack evidence` does, for the console.

    `last` is the archive's last gaming day, where what plays on after it goes into no archive; None if the
    floor's days go on into it.

    Raises:
        BadInput: on construction, where the file holds no key.
    """

    def __init__(self, archive: Path, key: Path, *, last: date | None = None) -> None:
        keys.load(key)
        self._archive, self._key, self._last = archive, key, last
        self._making = threading.Lock()

    def lacks(self, table: str, day: date) -> str | None:
        """Return why no bundle can be made of a table's gaming day yet; None if one can be requested.

        The message leads to the command that makes one elsewhere.
        """
        words = date_text(day)
        if self._last is not None and day > self._last:
            return (
                f"Gaming day {words} plays on here and goes into no archive, so no bundle can be made of it; "
                f"of a hand of {date_text(self._last)} one can. "
                "A real floor's day is sealed minutes after its end. Then the bundle is made here, or by:"
            )
        name = file_name(table.encode())
        try:
            if sealed_files.parts(folder_of(self._archive, day, topics.FRAMES), name):
                return None
            waits = self._waits(day, name)
        except BadInput as error:
            return str(error)
        if waits:
            return (
                f"Gaming day {words} of table {table} is not sealed yet: the archive does that minutes after "
                "the day has ended. Then the bundle is made here, or by:"
            )
        return (
            f"The archive has nothing of table {table} on {words}: see that `discardrack archive` takes this "
            "floor into it. Once the day is sealed, the bundle is made here, or by:"
        )

    def _waits(self, day: date, name: str) -> bool:
        """Return True if the archive's journal has records of a table's day, to be sealed."""
        if not (self._archive / JOURNAL).is_file():
            return False
        with Journal(self._archive) as journal:
            return bool(journal.rows(day, topics.FRAMES, name, 1))

    async def made(self, wanted: BundleRequest) -> bytes:
        """Make a bundle, one at a time; its release is logged in the archive when it is handed out.

        Raises:
            BadInput: another is being made, or this one cannot be.
        """
        if not self._making.acquire(blocking=False):
            raise BadInput("another bundle is being made; ask again when it is done")
        return await to_thread(self._made, wanted)

    def _made(self, wanted: BundleRequest) -> bytes:
        try:
            with TemporaryDirectory(prefix="discardrack-") as folder, processes(1) as apart:
                out = Path(folder) / wanted.file
                words = ["evidence", *wanted.options(), "--key", str(self._key), "--out", str(out)]
                for path in _written(wanted, Path(folder)):
                    words += ["--attachment", str(path)]
                hand = ["--", str(self._archive), wanted.table, wanted.round]
                if (refusal := apart.submit(_run_command, [*words, *hand]).result()) is not None:
                    raise BadInput(refusal)
                return out.read_bytes()
        finally:
            self._making.release()


def _written(wanted: BundleRequest, folder: Path) -> Iterator[Path]:
    """Write what was attached under its own names, each in a folder of its own, and yield the files."""
    for number, (name, content) in enumerate(wanted.attachments):
        is_short = len(name.encode()) <= _LONGEST_NAME
        path = folder / str(number) / (name if is_short else f"{number}{Path(name).suffix}")
        path.parent.mkdir()
        path.write_bytes(content)
        yield path


def _run_command(words: list[str]) -> str | None:
    """Run a command; return its message if it is refused. This process does nothing else."""
    # Who interrupts the console interrupts all its processes; what was begun here is still noted whole.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    errors = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(errors):
        status = main.main(words, prog_name="discardrack", standalone_mode=False)
    return errors.getvalue().strip().removeprefix("discardrack: ") if status else None
