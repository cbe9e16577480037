"""How long `discardrack nightly` takes for a day of thirty tables, and how its memory grows with the day."""

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from streams.simulator import faults
from streams.simulator.simulate import simulate

TABLES: Final = 30
HOURS: Final = 8
MEMORY_TABLES: Final = 4
MEMORY_HOURS: Final = (4, 12, 22)  # a gaming day's play ends before the day does
_DAY: Final = "2025-03-01"


class Night(Struct, frozen=True):
    """One run: tables, hours of play, events, seconds, and the peak of its largest process in KiB."""

    tables: int
    hours: int
    events: int
    seconds: float
    peak: int


def nights(folder: Path) -> list[Night]:
    """Report a day of thirty mixed tables on all processors, and longer and longer days in one process."""
    found = [_night(folder / "night", TABLES, HOURS, ["--jobs", "2"])]
    found += [
        _night(folder / f"night-{hours}", MEMORY_TABLES, hours, ["--jobs", "1"]) for hours in MEMORY_HOURS
    ]
    return found


def _night(floor: Path, tables: int, hours: int, more: Sequence[str]) -> Night:
    rates = faults.rates(None, sensors=False)
    played = simulate(floor, tables=tables, hours=hours, seed="night", rates=rates, mixed=True)
    begun = time.perf_counter()
    # A process of its own asks what its largest child took.
    asked = subprocess.run(  # noqa: S603  this very file
        [sys.executable, __file__, str(floor), *more], check=True, capture_output=True, text=True
    )
    return Night(tables, hours, played.events, time.perf_counter() - begun, int(asked.stdout))


def _child(arguments: Sequence[str]) -> None:
    program = str(Path(sys.executable).parent / "discardrack")
    floor, *more = arguments
    out = f"{floor}-reports"
    ran = subprocess.run(  # noqa: S603  the project's own command
        [program, "nightly", floor, "--gaming-day", _DAY, "--out", out, *more],
        check=False,
        capture_output=True,
    )
    if ran.returncode not in (0, 1):
        sys.exit(ran.stderr.decode())
    sys.stdout.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))


def written(found: Sequence[Night]) -> list[str]:
    """Write the page's lines about nightly."""
    return [
        "",
        "## The night",
        "",
        "`discardrack nightly` of a simulated day with money and faults: the audit in fresh processes, the",
        "ledgers reconciled, every report in four forms. The first row is on two processors, the others in",
        "one process; the peak is that of the largest process.",
        "",
        "| tables | hours | events | seconds | peak, MiB |",
        "| ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {each.tables} | {each.hours} | {each.events:,} | {each.seconds:.0f} | {each.peak // 1024} |"
            for each in found
        ),
        "",
    ]


if __name__ == "__main__":
    _child(sys.argv[1:])
