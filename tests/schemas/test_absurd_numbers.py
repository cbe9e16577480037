"""A number that no device can mean: one event that cannot be read, named by its place, and nothing else lost.

Where it can be read all the same, it leads to a verdict; through the audit, the store and the night, whatever
the number and wherever it stands.
"""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from click.testing import CliRunner
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import canonical
from projections.store.runs import Run
from projections.store.store import Store
from replay.cli import main
from replay.recording.event_audit import audit_logs
from replay.recording.ledger_days import with_ledgers
from replay.recording.recording import Recording
from schemas.codec import decode
from schemas.errors import BadInput
from schemas.ledgers import LEDGERS
from schemas.senders import Senders
from schemas.values import MOST_CENTS, MOST_MICROS
from streams import log
from streams.gateway.intake import Intake
from streams.gateway.lines import Line, Tally
from streams.gateway.spool import Spool
from streams.log import Unread
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.archives import archive_floor
from tests.builders.nights import run_nightly, unreconciled_items
from tests.builders.strategies import STEADY
from tests.builders.thoroughness import examples

Path_: TypeAlias = tuple[str | int, ...]

# Where a type that holds a number ends, and beyond.
EDGES: Final = tuple(
    sign * (power + step)
    for power in (0, MOST_CENTS, MOST_MICROS, 10**6, 10**9, 2**31, 2**53, 2**63, 2**64, 10**30)
    for step in (-1, 0, 1)
    for sign in (1, -1)
)
BEYOND: Final = (2**63, -(2**63) - 1, 2**64, 10**30)


class Site(Struct, frozen=True):
    """Where a number stands: file, line, event of the line (none for the frame's own), path in it."""

    file: str
    line: int
    event: int | None
    path: Path_


class Floor(Struct):
    """A played floor: its folder, its frames as objects, and where the numbers of each kind stand."""

    folder: Path
    frames: dict[str, list[dict[str, Any]]]
    sites: dict[tuple[str, str], list[Site]]

    def __repr__(self) -> str:
        """Return its name: a failing example is printed with its arguments, which would be all frames."""
        return f"Floor({self.folder})"


def numbers(value: object, path: Path_ = ()) -> Iterator[Path_]:
    """Find the integers in an object."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield path
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from numbers(each, (*path, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from numbers(each, (*path, place))


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    """Play every game for a quarter of an hour, with its ledgers."""
    folder = tmp_path_factory.mktemp("floor") / "played"
    simulate(folder, tables=11, hours=0.25, seed="absurd", mixed=True, rates=faults.rates())
    found = Floor(folder, {}, {})
    for file in sorted((folder / "events").glob("*.jsonl")):
        frames = found.frames[file.stem] = [json.loads(line) for line in file.read_bytes().splitlines()]
        for line, frame in enumerate(frames):
            for name in ("v", "frame", "received"):
                found.sites.setdefault(("frame", name), []).append(Site(file.stem, line, None, (name,)))
            for place, event in enumerate(frame["events"]):
                for path in numbers(event):
                    field = ".".join(each for each in path if isinstance(each, str) and not each.isdigit())
                    where = found.sites.setdefault((event["event"], field), [])
                    where.append(Site(file.stem, line, place, path))
    return found


def put(floor: Floor, site: Site, number: int) -> bytes:
    """Write the line of a site with another number there."""
    frame = json.loads(json.dumps(floor.frames[site.file][site.line]))
    inner = frame if site.event is None else frame["events"][site.event]
    for step in site.path[:-1]:
        inner = inner[step]
    inner[site.path[-1]] = number
    return json.dumps(frame).encode()


def changed(floor: Floor, folder: Path, *changes: tuple[Site, int], others: bool = False) -> Path:
    """Write a floor with numbers changed: the files that have one, and the ledgers; all where asked for."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "events").mkdir(parents=True)
    shutil.copy(floor.folder / "house.yaml", folder / "house.yaml")
    files = floor.frames if others else {*LEDGERS, *(site.file for site, _ in changes)}
    for name in files:
        source = floor.folder / "events" / f"{name}.jsonl"
        lines = source.read_bytes().splitlines()
        for site, number in changes:
            if site.file == name:
                lines[site.line] = put(floor, site, number)
        (folder / "events" / f"{name}.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    return folder


def refused(payload: bytes) -> int:
    """Count what the codec refuses of a line."""
    try:
        return len(decode(payload, "here")[1])
    except BadInput:
        return 1


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("store") / "store.duckdb") as opened:
        yield opened


# Each example audits a table: to look for a simpler one that fails would take minutes, and it is one number.
@settings(STEADY, max_examples=examples(20, 60), phases=[Phase.generate])
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.one_of(st.sampled_from(EDGES), st.integers()))
def test_any_number_anywhere_is_a_line_error_or_a_verdict(
    floor: Floor, store: Store, tmp_path_factory: pytest.TempPathFactory, kind: int, place: int, number: int
) -> None:
    sites = floor.sites[sorted(floor.sites)[kind % len(floor.sites)]]
    site = sites[place % len(sites)]
    folder = changed(floor, tmp_path_factory.getbasetemp() / "absurd", (site, number))
    house = Recording(folder).house
    told = list(with_ledgers(audit_logs(log.logs(folder), house), Recording(folder)))
    unread = [each for each in told if isinstance(each, Unread)]
    concluded = [each for each in told if isinstance(each, Concluded)]
    assert len({each.error for each in unread}) == refused(put(floor, site, number)) <= 1
    if unread:
        at = "" if site.event is None else f", event {site.event + 1}:"
        assert f"{site.file}.jsonl:{site.line + 1}{at}" in unread[0].error
    run = Run(f"{site} {number}", datetime(2025, 3, 2, tzinfo=UTC), "test", str(folder))
    store.write(run, ((each.basis, each.conclusion, each.revision) for each in concluded))
    assert canonical(store.conclusions(run.run)) == canonical(each.conclusion for each in concluded)


# ── beyond 64 bits ───────────────────────────────────────────────────────────────────────────────────


def sums(floor: Floor) -> list[Site]:
    """Find an amount of each kind of event that has one."""
    return [
        places[0] for (_, field), places in sorted(floor.sites.items()) if field in ("cents", "entry.cents")
    ]


@pytest.mark.parametrize("number", BEYOND)
def test_an_amount_beyond_64_bits_costs_the_one_event_that_has_it(floor: Floor, number: int) -> None:
    assert len(sums(floor)) > 10
    for site in sums(floor):
        frame, unread = decode(put(floor, site, number), "here")
        assert site.event is not None
        assert [each.where for each in unread] == [f"here, event {site.event + 1}"]
        assert len(frame.events) == len(floor.frames[site.file][site.line]["events"]) - 1


def test_the_gateway_passes_it_on_for_the_worker_to_put_aside(floor: Floor, tmp_path: Path) -> None:
    site = floor.sites["ChipsPlaced", "cents"][0]
    assert site.event is not None
    line = put(floor, site, BEYOND[0])
    with Spool(tmp_path) as spool:
        intake = Intake(spool, "g", 10**6, lambda: None, Senders(Recording(floor.folder).house))
        tally = Tally("a device")
        intake.open(tally)
        intake.take(tally, Line(1, len(line) + 1, line, is_whole=True))
        intake.finish()
        (kept,) = spool.next_records(0, 10)
    frame, unread = decode(kept.payload, "here")
    assert [str(BEYOND[0]) in each.payload for each in unread] == [True]
    assert len(frame.events) == len(floor.frames[site.file][site.line]["events"]) - 1


def audit(path: Path) -> tuple[list[dict[str, Any]], int]:
    """Run the verb; its answers and its exit status."""
    ran = CliRunner().invoke(main, ["audit", str(path)], catch_exceptions=False)
    return [json.loads(line) for line in ran.stdout.splitlines()], ran.exit_code


def rounds(answers: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Return the rounds of an audit's answers."""
    return {(each["table"], each["round"]) for each in answers if each.get("round")}


def test_an_archive_with_some_is_audited_and_reported_all_the_same(floor: Floor, tmp_path: Path) -> None:
    changes = [
        (floor.sites[kind, "cents"][0], BEYOND[0])
        for kind in ("ChipsPlaced", "ChipsBought", "InventoryCounted")
    ]
    played = changed(floor, tmp_path / "played", *changes, others=True)
    archive = archive_floor(tmp_path / "archive", played)
    answers, exit_code = audit(archive)
    assert rounds(answers) == rounds(audit(floor.folder)[0])
    assert len([each for each in answers if "error" in each]) == len(changes)
    assert exit_code == 2
    night = run_nightly(archive, "--even-if-open", out=tmp_path / "out", day="2025-03-01", only=())
    assert night.exit_code == 1
    assert [row["what"] for row in unreconciled_items(night)].count("unreadable") == len(changes)
