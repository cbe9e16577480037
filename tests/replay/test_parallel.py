"""A sealed day judged again comes to what the live side stored, byte for byte, whatever it is judged in."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
import pytest
from click.testing import CliRunner

from projections.engine.conclusion import ConclusionView, canonical
from projections.store.store import Store
from projections.views.conclusion_view import conclusion_view
from replay.cli import main
from replay.recording import parallel_audit
from replay.recording.recording import Recording
from schemas import house as houses
from schemas.errors import DiscardrackError
from streams.messages import encode, result_of
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter
from streams.simulator.simulate import simulate
from streams.topics import ROUNDS
from tests.builders.archives import archive_floor
from tests.builders.audited_floor import audit_floor
from tests.builders.projector import project_batch
from tests.builders.simulated_tables import doubled_rates

ELSEWHERE: Final = {"PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LC_ALL": "C", "LANG": "C"}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four tables of four games over the turn of a gaming day, with every kind of fault, twice as often."""
    folder = tmp_path_factory.mktemp("floor") / "played"
    start = datetime(2025, 3, 2, 4, 15, tzinfo=ZoneInfo("America/New_York"))
    rates = doubled_rates(sensors=True)
    simulate(folder, tables=4, hours=0.6, seed="parallel", mixed=True, rates=rates, start=start)
    return folder


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, played: Path) -> Path:
    return archive_floor(tmp_path_factory.mktemp("kept") / "archive", played)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, played: Path) -> bytes:
    """Return what the live side stored: concluded frame by frame, sent as messages, read from the store."""
    told = audit_floor(played)
    assert any(each.revision > 1 for _, each in told), "a floor without a revised round would prove little"
    with Store(tmp_path_factory.mktemp("live") / "store.duckdb") as store:
        storing = StoreWriter(store, "America/New_York")
        project_batch(
            storing,
            "A",
            [
                FetchedRecord(ROUNDS, 0, offset, encode(result_of(each, "1.0", frame, 0, 0)))
                for offset, (frame, each) in enumerate(told)
            ],
        )
        return canonical(map(conclusion_view, store.conclusions("live 1.0")))


def audited(archive: Path, jobs: str, form: str = "jsonl") -> bytes:
    """Audit elsewhere: in a process of its own, which works in others if there are several jobs."""
    command = [str(Path(sys.executable).with_name("discardrack")), "audit", str(archive)]
    ran = subprocess.run(  # noqa: S603  our own command
        [*command, "--jobs", jobs, "--format", form],
        env=os.environ | ELSEWHERE,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (1, b"")
    return ran.stdout


def audited_here(archive: Path, form: str = "jsonl") -> bytes:
    """Audit in this process."""
    ran = CliRunner().invoke(main, ["audit", str(archive), "--jobs", "1", "--format", form])
    assert (ran.exit_code, ran.stderr) == (1, "")
    return ran.stdout_bytes


def test_a_sealed_day_comes_to_what_was_stored_live(archive: Path, played: Path, stored: bytes) -> None:
    tables = houses.load("house.yaml", played).tables
    # In two processes each other format is written; here four, elsewhere.
    said = [audited_here(archive), audited(archive, "4")]
    for printed in said:
        of_tables = (msgspec.json.decode(line, type=ConclusionView) for line in printed.splitlines())
        assert canonical(each for each in of_tables if each.table in tables) == stored
    assert len(set(said)) == 1


@pytest.mark.parametrize("form", ["csv", "table"])
def test_every_format_is_the_same_in_several_processes(archive: Path, form: str) -> None:
    assert audited(archive, "2", form) == audited_here(archive, form)


def test_what_cannot_be_read_stands_where_it_stood(played: Path, tmp_path: Path) -> None:
    floor = tmp_path / "floor"
    (floor / "events").mkdir(parents=True)
    (floor / "house.yaml").write_bytes((played / "house.yaml").read_bytes())
    for file in sorted((played / "events").glob("*.jsonl")):
        text = file.read_bytes().splitlines(keepends=True)
        (floor / "events" / file.name).write_bytes(b"".join([*text[:3], b"{cut\n", *text[3:40]]))
    ran = [CliRunner().invoke(main, ["audit", str(floor), "--jobs", jobs]) for jobs in ("1", "2")]
    assert {each.exit_code for each in ran} == {2}
    assert len({each.stdout for each in ran}) == 1
    tables = houses.load("house.yaml", floor).tables
    assert all(f"{table}.jsonl:4: not a frame" in ran[0].stdout for table in tables)


def test_a_table_that_cannot_be_read_ends_it_in_one_line(archive: Path, tmp_path: Path) -> None:
    broken = tmp_path / "archive"
    (broken / "days" / "2025-03-01").mkdir(parents=True)
    (broken / "house.yaml").write_bytes((archive / "house.yaml").read_bytes())
    (broken / "days" / "2025-03-01" / "BAC-101.parquet").write_bytes(b"PAR1 no more")
    ran = CliRunner().invoke(main, ["audit", str(broken), "--jobs", "2"])
    assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "BAC-101.parquet" in ran.stderr


def test_no_more_waits_than_a_few_tables(
    played: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However many tables there are, what is judged ahead of its turn is bounded."""
    floor = tmp_path / "floor"
    (floor / "events").mkdir(parents=True)
    (floor / "house.yaml").write_bytes((played / "house.yaml").read_bytes())
    for number in range(40):
        (floor / "events" / f"T-{number:02}.jsonl").write_bytes(b"{}\n")
    begun, most, told = 0, 0, 0
    submit = parallel_audit.ProcessPoolExecutor.submit

    def counted(*arguments: object) -> object:
        nonlocal begun, most
        begun += 1
        most = max(most, begun - told)
        return submit(*arguments)  # type: ignore[arg-type]  as it was called

    monkeypatch.setattr(parallel_audit.ProcessPoolExecutor, "submit", counted)
    answers: Iterator[parallel_audit.Answer] = parallel_audit.audit_in_parallel(Recording(floor), 2)
    for _ in answers:
        told += 1
    assert (begun, told) == (40, 40)
    assert most <= 2 * 4


def test_a_process_that_was_killed_is_reported_in_one_line() -> None:
    with (
        pytest.raises(DiscardrackError, match=r"^a process .* was killed.*begin again$"),
        parallel_audit.processes(1) as apart,
    ):
        apart.submit(os._exit, 1).result()


def test_processes_that_are_interrupted_while_they_load_say_nothing() -> None:
    """An interrupt by key reaches all of them, at whatever they are."""
    program = (
        "import os, signal, time\n"
        "from replay.recording.parallel_audit import processes\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background\n"
        "    with processes(2) as apart:\n"
        "        for _ in range(2):\n"
        "            apart.submit(time.sleep, 60)\n"
        "        os.killpg(0, signal.SIGINT)\n"
        "        time.sleep(60)\n"
    )
    ran = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        start_new_session=True,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert ran.stderr.count("Traceback") == 1, "this program's own"
    assert ran.stderr.endswith("KeyboardInterrupt\n")
