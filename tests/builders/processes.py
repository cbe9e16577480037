"""Processes by name, as a user would start them: what each says is kept, and each ends as a test wants it."""

import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pytest

from tests.builders.preloaded import DISCARDRACK, begin

_POLL: Final = 0.2  # seconds
_PATIENCE: Final = 180.0  # seconds for what is under way to come through, on a machine that may be busy


class Failed(Exception):
    """A process did not do what it was to do; the message names its log."""


class Processes:
    """Running verbs of discardrack by name; those that still run at the end are killed.

    `folder` holds, under log/, what each said. One that is named in `may_end` may end by itself.
    """

    def __init__(self, folder: Path, *, may_end: str) -> None:
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.begin: Callable[..., subprocess.Popen[bytes]] = begin
        self._may_end = may_end
        (folder / "log").mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self.running):
            self.kill(name)

    def launch(self, name: str, *arguments: object) -> None:
        """Start a process under a name: the verb and its arguments."""
        with (self.folder / "log" / f"{name}.jsonl").open("ab") as told:
            self.running[name] = self.begin(
                [DISCARDRACK, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=told, stderr=told
            )

    def kill(self, name: str) -> None:
        """End a process as a power cut would."""
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def stop(self, *names: str, hardly_begun: bool = False) -> None:
        """Terminate processes, and wait until they have ended.

        Raises:
            Failed: one ended with another status than 0, or than the signal's where it may have hardly begun.
        """
        fine = (0, -signal.SIGTERM) if hardly_begun else (0,)
        for name in names:
            process = self.running.pop(name)
            process.send_signal(signal.SIGTERM)
            if (status := process.wait(_PATIENCE)) not in fine:
                raise Failed(f"{name} ended with status {status}; see {self.folder / 'log'}")

    def ended(self, name: str, status: int) -> None:
        """Answer to a process that has ended by itself.

        Raises:
            Failed: always; who supervises processes answers otherwise.
        """
        raise Failed(f"{name} ended by itself with status {status}; see {self.folder / 'log'}")

    def freeze(self, name: str) -> None:
        """Stop a process in its tracks, as a debugger or a paused virtual machine does."""
        self.running[name].send_signal(signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        """Resume a frozen process."""
        self.running[name].send_signal(signal.SIGCONT)

    def wait(self, what: str, done: Callable[[], bool], seconds: float = _PATIENCE) -> None:
        """Wait until something is so.

        Raises:
            Failed: it is not in time, or a process has ended by itself meanwhile.
        """
        until = time.monotonic() + seconds
        while not done():
            for name, process in list(self.running.items()):
                if name != self._may_end and (status := process.poll()) is not None:
                    self.ended(name, status)
            if time.monotonic() > until:
                raise Failed(f"{what}: not within {seconds} seconds; see {self.folder / 'log'}")
            time.sleep(_POLL)

    def rest(self, seconds: float) -> None:
        """Wait for a while as everything goes on.

        Raises:
            Failed: a process has ended by itself meanwhile.
        """
        until = time.monotonic() + seconds
        self.wait("the end of a rest", lambda: time.monotonic() >= until, seconds + _PATIENCE)


PATIENCE: Final = 90.0  # seconds, on a machine that may be busy


ADDRESS: Final = re.compile(r"Findings at (\S+)")


# The command, but for the plots of a night's reports: they take longer than all else that a short demo does.
UNDRAWN: Final = (
    "from replay.cli import main; from replay.exports.report import pages; "
    "pages._drawings = lambda _report: (); main()"
)


@contextmanager
def serve_verb(
    *arguments: object, folder: Path, command: Sequence[object] = (DISCARDRACK,)
) -> Iterator[tuple[str, list[str]]]:
    """Run a verb that serves until it is stopped; give its address and what it had said by then.

    What it says on standard error stands in the folder's file `stderr`.
    """
    with (folder / "stderr").open("wb") as stderr:
        process = begin(
            [*map(str, command), *map(str, arguments)],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
    try:
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if found := ADDRESS.match(line):
                yield found[1], said
                break
        else:
            pytest.fail(f"it ended: {said}")
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
