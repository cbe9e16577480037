"""`make bench`: the audit compared with bare decoding of the same frames; writes docs/benchmarks.md.

Ratios are what to compare: absolute figures are this machine's. Each figure is the best of several runs in
turn, so that a disturbance hits all of them alike.
"""

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from projections.engine.accounts.table_accounts import TableAccounts
from projections.engine.audit.table_audit import TableAudit
from projections.engine.fold.reorder_buffer import ReorderBuffer, pop_ended_round
from projections.engine.fold.round_fold import fold
from projections.engine.fold.table_state import TableState
from projections.engine.fold.watermark import SequenceTallies
from projections.engine.games import game_of
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from schemas.codec import VERSION, Frame, decode, encode
from schemas.events import Event
from schemas.house import House
from streams import log
from streams.simulator import faults
from streams.simulator.games import SCRIPTS
from streams.simulator.simulate import simulate

if TYPE_CHECKING:
    from tests.bench import worker

PAGE: Final = Path(__file__).parents[2] / "docs" / "benchmarks.md"
RUNS: Final = 5
SIZES: Final = (0, 1, 10, 40, 100)  # 0: as the gateway framed them
TABLES, HOURS, SEED = 4, 8, "bench"
LIVE_TABLES: Final = 20
ALERTS: Final = "## An alert in an open page"  # of `make bench-console`, and the year's behind it

_HEAD: Final = (
    "| events a frame | frames | events | decode, events/s | decode and fold, events/s "
    "| whole audit, events/s | fold / decode | audit / decode |"
)


class Timing(Struct):
    """Seconds for one framing of the same events."""

    size: int
    frames: int
    events: int
    decoding: float
    folding: float
    auditing: float


def main() -> None:
    """Measure, print, and write the page."""
    from tests.bench import delays, nightly, worker, year  # noqa: PLC0415  not in the process whose memory is measured

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "floor"
        simulate(out, tables=TABLES, hours=HOURS, seed=SEED, rates=faults.rates(None, sensors=False))
        house = Recording(out).house
        recorded = recorded_at(out)
        timings = [measure(size, recorded, house) for size in SIZES]
        # A child's peak begins at what this process holds when it is made: the larger floor comes after.
        memory = [(hours, peak_memory(hours)) for hours in (2, 8, 24)]
        mixed = measure_mixed(Path(folder))
        paces = live_paces(Path(folder))
        nights = nightly.nights(Path(folder))
        waits = [
            (load, delays.delays(Path(folder) / f"delays-{load.speed:.0f}", load)) for load in delays.LOADS
        ]
    page = "\n".join(
        [
            *written(timings, memory, mixed),
            *nightly.written(nights),
            *worker.written(paces),
            *delays.written(waits),
            year.kept(ALERTS),
        ]
    )
    PAGE.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


def recorded_at(out: Path) -> dict[str, list[bytes]]:
    """Read the payloads of a floor's tables."""
    tables = Recording(out).house.tables
    return {
        each.name: [each.payload for each in each.records()] for each in log.logs(out) if each.name in tables
    }


def measure_mixed(folder: Path) -> Timing:
    """Time a floor with a table of every game, as the gateway framed its events."""
    out = folder / "mixed"
    rates = faults.rates(None, sensors=False)
    simulate(out, tables=len(SCRIPTS), hours=HOURS, seed=SEED, rates=rates, mixed=True)
    recorded = recorded_at(out)
    return measure(0, recorded, Recording(out).house)


def live_paces(folder: Path) -> "list[worker.Pace]":
    """Measure the worker beside the bare loop; event by event on fewer tables, as it takes so long."""
    from tests.bench import worker  # noqa: PLC0415  see main

    out = folder / "busy"
    simulate(out, tables=LIVE_TABLES, hours=HOURS, seed=SEED, rates=faults.rates(None, sensors=False))
    recorded = recorded_at(out)
    paces = []
    for size in SIZES[1:]:
        tables = list(recorded)[: TABLES if size == 1 else LIVE_TABLES]
        frames = {table: framed(table, recorded[table], size) for table in tables}
        paces.append(worker.pace(folder, out / log.HOUSE, size, frames))
    return paces


def measure(size: int, recorded: dict[str, list[bytes]], house: House) -> Timing:
    """Time decoding, decoding and folding, and the whole audit of all tables, so many events a frame."""
    payloads = {table: framed(table, lines, size) for table, lines in recorded.items()}
    best = [float("inf")] * 3
    for _ in range(RUNS):
        for n, job in enumerate((_decode_all, _fold_all, _audit_all)):
            best[n] = min(best[n], timed(job, payloads, house))
    events = sum(len(decode(line, "")[0].events) for lines in payloads.values() for line in lines)
    return Timing(size, sum(map(len, payloads.values())), events, *best)


def framed(table: str, lines: Sequence[bytes], size: int) -> list[bytes]:
    """Return a table's events in frames of a number of events; 0 leaves them as they were recorded."""
    if size == 0:
        return list(lines)
    events: list[Event] = [event for line in lines for event in decode(line, "")[0].events]
    return [
        encode(Frame(v=VERSION, table=table, frame=n // size + 1, received=0, events=events[n : n + size]))
        for n in range(0, len(events), size)
    ]


def timed(
    job: Callable[[dict[str, list[bytes]], House], None], payloads: dict[str, list[bytes]], house: House
) -> float:
    """Time one run of a job, in seconds."""
    begun = time.perf_counter()
    job(payloads, house)
    return time.perf_counter() - begun


def _decode_all(payloads: dict[str, list[bytes]], _house: House) -> None:
    for lines in payloads.values():
        for line in lines:
            decode(line, "")


def _fold_all(payloads: dict[str, list[bytes]], house: House) -> None:
    for table, lines in payloads.items():
        sources, game = house.tables[table].sources, game_of(house.tables[table].chapter)
        terminal = next(device for device, source in sources.items() if source == "terminal")
        waiting = ReorderBuffer(
            terminal,
            sources,
            house.patience_seconds * 10**6,
            house.lateness_seconds * 10**6,
            SequenceTallies(frozenset(sources)),
        )
        state = TableState()
        for line in lines:
            for _ in waiting.take(decode(line, "")[0].events):
                pass
            while waiting.is_round_due and (ended := pop_ended_round(waiting, finishing=False)) is not None:
                fold(
                    waiting.add_revisable(*ended, state.copied(), TableAccounts()),
                    state,
                    waiting,
                    table,
                    game,
                    lambda _: date.min,
                    house.clock_uncertainty_ms * 1000,
                )
                waiting.drop_expired()


def _audit_all(payloads: dict[str, list[bytes]], house: House) -> None:
    for table, lines in payloads.items():
        audit = TableAudit(table, house)
        for line in lines:
            audit.feed(decode(line, "")[0].events)
        audit.finish()


def peak_memory(hours: int) -> int:
    """Audit one table's day of so many hours in a process of its own; its peak memory in KiB."""
    ran = subprocess.run(  # noqa: S603  this very file
        [sys.executable, __file__, "memory", str(hours)], check=True, capture_output=True, text=True
    )
    return int(ran.stdout)


def _memory(hours: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "floor"
        # The simulator keeps a table's day in memory; it runs in a process of its own, not to be measured.
        if os.fork() == 0:
            simulate(out, tables=1, hours=hours, seed=SEED, rates=faults.rates(None, sensors=False))
            os._exit(0)
        os.wait()
        for _ in audit_logs(log.logs(out), Recording(out).house):
            pass
    sys.stdout.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def written(timings: Sequence[Timing], memory: Iterable[tuple[int, int]], mixed: Timing) -> list[str]:
    """Write the page's lines about one process."""
    pace = (mixed.events / mixed.auditing) / (timings[0].events / timings[0].auditing)
    lines = [
        "# Benchmarks",
        "",
        "Made by `make bench`; run it to make the page again. One process, one core. The same simulated",
        f"events ({TABLES} Baccarat tables, {HOURS} hours, complete data) are decoded only, decoded and",
        "folded, and audited whole: every round rebuilt, settled again and judged. Each is the best of",
        f"{RUNS} runs taken in turn.",
        "",
        f"Machine: {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.",
        "",
        _HEAD,
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [_row(str(each.size) if each.size else "as recorded", each) for each in timings]
    lines += [
        _row("every game, as recorded", mixed),
        "",
        f"The last row is a floor with one table of each of the {len(SCRIPTS)} chapters: its audit runs at",
        f"{pace:.2f} of Baccarat's pace in events a second.",
        "",
        "Memory of `audit` over one table's day, a process each:",
        "",
        "| hours | peak, MiB |",
        "| ---: | ---: |",
        *(f"| {hours} | {peak / 1024:.0f} |" for hours, peak in memory),
    ]
    return lines


def _row(says: str, each: Timing) -> str:
    size = says if each.size else f"{says} ({each.events / each.frames:.1f})"
    rates = " | ".join(
        f"{each.events / seconds:,.0f}" for seconds in (each.decoding, each.folding, each.auditing)
    )
    ratios = f"{each.folding / each.decoding:.1f} | {each.auditing / each.decoding:.1f}"
    return f"| {size} | {each.frames:,} | {each.events:,} | {rates} | {ratios} |"


if __name__ == "__main__":
    if sys.argv[1:2] == ["memory"]:
        _memory(int(sys.argv[2]))
    else:
        main()
