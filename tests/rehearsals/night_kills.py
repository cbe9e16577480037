"""Runs of `nightly` that are killed, from a process of its own: it has read the program once, and can fork.

Arguments: an archive, a gaming day, and a folder. The run that is not killed writes into `whole`, the others
one after the other into `killed`; says how many were killed before they had ended.
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from replay.cli import main
from tests.builders.nights import read_folder

# Drawn at random: parts of the time that a whole run takes. Each step in which a folder is written is killed
# in test_report_kill.
MOMENTS: Final = (0.31, 0.66, 0.87, 0.71, 0.94)


def forked(archive: str, day: str, out: Path) -> int:
    """Run in another process."""
    child = os.fork()
    if not child:
        ran = CliRunner().invoke(
            main, ["nightly", archive, "--gaming-day", day, "--out", str(out), "--jobs", "1"]
        )
        os._exit(ran.exit_code)
    return child


def ended(child: int) -> int:
    """Wait for a process; give its exit status, or the signal with a minus."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kills(archive: str, day: str, folder: Path) -> int:
    """Kill runs at their moments, and see that each leaves the whole folder or none."""
    whole, killed = folder / "whole", folder / "killed"
    begun = time.monotonic()
    assert ended(forked(archive, day, whole)) == 1
    long = time.monotonic() - begun
    before = 0
    for part in MOMENTS:
        child = forked(archive, day, killed)
        time.sleep(part * long)
        os.kill(child, signal.SIGKILL)
        if ended(child) == -signal.SIGKILL:
            before += 1
        else:
            long *= part  # the machine is quicker than it was at first, and it takes no longer than this
        assert not (killed / day).exists() or read_folder(killed / day) == read_folder(whole / day)
    assert ended(forked(archive, day, killed)) == 1
    assert read_folder(killed) == read_folder(whole)
    return before


if __name__ == "__main__":
    print(kills(sys.argv[1], sys.argv[2], Path(sys.argv[3])))  # noqa: T201  what the test reads
