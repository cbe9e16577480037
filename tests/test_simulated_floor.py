"""A simulated floor audited: every injected fault found, none invented, nothing open without cause."""

import re
import socket
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from projections.judge import Conclusion
from replay.cli import main
from replay.scoring import read_labels, score
from streams import log
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.played import conclusions, finds_every_fault, finds_no_fault_wrongly


@pytest.mark.parametrize("seed", ["one", "two"])
def test_on_complete_data_each_fault_is_found_and_none_invented(tmp_path: Path, seed: str) -> None:
    simulate(tmp_path, tables=6, hours=8, seed=seed, rates=faults.rates())
    finds_every_fault(tmp_path, more_than=100)


@pytest.mark.parametrize("seed", ["one", "two"])
def test_under_sensor_faults_no_round_gets_a_wrong_verdict(tmp_path: Path, seed: str) -> None:
    simulate(tmp_path, tables=6, hours=8, seed=seed, rates=faults.rates(sensors=True))
    result = finds_no_fault_wrongly(tmp_path)
    assert set(result.sensors) == set(faults.SENSORS)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Conclusion]]:
    floor = tmp_path_factory.mktemp("floor")
    simulate(floor, tables=1, hours=8, seed="three", rates=faults.rates())
    return floor, list(conclusions(floor))


def test_the_score_notices_what_was_missed(day: tuple[Path, list[Conclusion]]) -> None:
    floor, concluded = day
    at = next(n for n, each in enumerate(concluded) if each.verdict == "mismatch")
    concluded = [*concluded]
    concluded[at] = msgspec.structs.replace(concluded[at], findings=(), verdict="clean")
    result = score(read_labels(floor / log.LABELS), concluded)
    assert not result.agrees
    assert {claim[2] for claim in result.missed} == {f"round {concluded[at].round}"}


def test_the_score_notices_what_was_invented(day: tuple[Path, list[Conclusion]]) -> None:
    floor, concluded = day
    wrong = next(each for each in concluded if each.verdict == "mismatch" and each.round is not None)
    at = next(n for n, each in enumerate(concluded) if each.verdict == "clean" and each.round is not None)
    concluded = [*concluded]
    concluded[at] = msgspec.structs.replace(concluded[at], findings=wrong.findings, verdict="mismatch")
    result = score(read_labels(floor / log.LABELS), concluded)
    assert {claim[2] for claim in result.invented} == {f"round {concluded[at].round}"}


def test_the_score_notices_what_was_left_open_without_cause(day: tuple[Path, list[Conclusion]]) -> None:
    floor, concluded = day
    at = next(n for n, each in enumerate(concluded) if each.verdict == "clean")
    concluded = [*concluded]
    concluded[at] = msgspec.structs.replace(concluded[at], verdict="undetermined")
    result = score(read_labels(floor / log.LABELS), concluded)
    assert len(result.wrongly_open) == len(result.unnamed) == 1


def test_the_demo_finds_that_its_port_is_taken_before_it_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = CliRunner().invoke(main, ["demo", "--port", port])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    named = set(re.findall(r"--[a-z-]+", ran.stderr))
    assert (
        {"--port"}
        < named
        <= set(re.findall(r"--[a-z-]+", CliRunner().invoke(main, ["demo", "--help"]).stdout))
    )
    assert list(tmp_path.iterdir()) == []


def test_the_demo_ends_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, ["demo", "--no-serve", "--tables", "2", "--hours", "2"])
    assert ran.exit_code == 0, ran.output
    assert "none was missed, none invented" in ran.stdout
