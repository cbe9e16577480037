"""A simulated floor audited: every injected fault found, none invented, nothing open without cause."""

import re
import socket
from datetime import date
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding, Weight
from replay.cli import main
from replay.proofs.label_scoring import read_labels, score
from schemas.ledgers import LEDGERS
from streams import log
from streams.simulator import faults
from streams.simulator.labels import ExpectedFinding, FaultLabel, Label, SensorLabel
from streams.simulator.money.kinds import MONEY
from streams.simulator.simulate import simulate
from tests.builders.simulated_tables import (
    audit_archive,
    finds_every_fault,
    finds_no_fault_wrongly,
    raised,
)
from tests.builders.texts import verbatim_fact

OFTEN = faults.NONE | raised(faults.DEALERS, 4) | raised(MONEY, 4)


@pytest.mark.parametrize("seed", ["one", "two"])
def test_on_complete_data_each_fault_is_found_and_none_invented(tmp_path: Path, seed: str) -> None:
    # Chips that go within a round leave that round open: nobody knows whose they were.
    rates = OFTEN | {"chips_taken_in_round": 0.0}
    simulate(tmp_path, tables=6, hours=1, seed=seed, rates=rates)
    finds_every_fault(tmp_path, more_than=50)


@pytest.mark.parametrize("seed", ["one", "two"])
def test_under_sensor_faults_no_round_gets_a_wrong_verdict(tmp_path: Path, seed: str) -> None:
    simulate(tmp_path, tables=6, hours=1, seed=seed, rates=OFTEN | raised(faults.SENSORS, 4))
    result = finds_no_fault_wrongly(tmp_path)
    assert set(result.sensors) == set(faults.SENSORS)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Conclusion]]:
    floor = tmp_path_factory.mktemp("floor")
    simulate(floor, tables=1, hours=4, seed="three", rates=faults.rates())
    return floor, list(audit_archive(floor))


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
    # What was held for it, so that no other demo plays there, and nothing else.
    assert [each for each in tmp_path.rglob("*") if not each.is_dir()] == [tmp_path / "var/demo/lock"]


# ── money ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_clean_floor_reconciles_on_every_line(tmp_path: Path) -> None:
    simulate(tmp_path, tables=11, hours=0.5, days=2, seed="clean", rates=dict(faults.NONE), mixed=True)
    concluded = list(audit_archive(tmp_path))
    assert {each.verdict for each in concluded} == {"clean"}
    accounts = [each for each in concluded if each.account is not None]
    assert len(accounts) == 2 * (11 + len(LEDGERS))
    untyped = [line.cents for each in accounts for line in each.lines if line.name == "untyped"]
    assert untyped == [0] * 22


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Label], list[Conclusion]]:
    floor = tmp_path_factory.mktemp("short")
    simulate(floor, tables=4, hours=1, seed="short", rates={**faults.NONE, "chips_taken": 1.0})
    return read_labels(floor / log.LABELS), list(audit_archive(floor))


def test_the_score_notices_a_wrong_sum_and_a_wrong_count(
    short: tuple[list[Label], list[Conclusion]],
) -> None:
    labels, concluded = short
    assert score(labels, concluded).agrees
    first = next(each for each in labels if isinstance(each, FaultLabel))
    for wrong in ({"delta_cents": -1}, {"after": "round 900 as it closed"}):
        changed = [msgspec.structs.replace(each, **wrong) if each is first else each for each in labels]
        result = score(changed, concluded)
        assert not result.agrees
        assert (len(result.inexact), result.missed, result.invented) == (1, [], [])


def test_the_score_matches_by_gaming_day(short: tuple[list[Label], list[Conclusion]]) -> None:
    labels, concluded = short
    moved = [msgspec.structs.replace(each, gaming_date="2025-03-02") for each in labels]
    result = score(moved, concluded)
    assert len(result.missed) == len(result.invented) == len(labels)


def found(check: str, weight: Weight = "mismatch") -> Finding:
    return Finding(
        id="f",
        check=check,
        weight=weight,
        severity="critical",
        message=verbatim_fact("as it was found"),
        citations=("541.7",),
        status="adopted",
    )


def concluded(*findings: Finding, **subject: str) -> Conclusion:
    weights = {each.weight for each in findings}
    return Conclusion(
        table="MIN-1",
        gaming_date=date(2025, 3, 1),
        chapter="541",
        verdict="mismatch" if "mismatch" in weights else "undetermined" if weights else "clean",
        outcome=None,
        expected=(),
        findings=findings,
        notes=(),
        **subject,
    )


def test_a_warning_is_neither_wrong_nor_left_open() -> None:
    """On many shoes chance itself must bring some; only where it is the whole reason is it one."""
    warned = concluded(found("order_preserved", "undetermined"), shoe="1")
    result = score([], [warned])
    assert (result.warnings, result.wrongly_open) == (["MIN-1 2025-03-01 shoe 1: order_preserved"], [])
    other = concluded(found("order_preserved", "undetermined"), found("late_event", "undetermined"), shoe="1")
    result = score([], [other])
    assert (result.warnings, len(result.wrongly_open)) == ([], 1)


def test_what_one_account_leaves_open_need_not_be_found_even_if_another_is_clean() -> None:
    fault = FaultLabel(
        fault="no_cut",
        table="MIN-1",
        gaming_date="2025-03-01",
        round=None,
        shoe=None,
        primary=ExpectedFinding(check="cards_not_cut", who="shoe 1"),
        follows=[],
        delta_cents=None,
    )
    silent = SensorLabel(
        sensor="event_lost",
        table="MIN-1",
        gaming_date="2025-03-01",
        device="F-1",
        rounds=[],
        shoes=[],
        detail={},
    )
    inventory = concluded(account="inventory")
    left_open = concluded(found("cards_not_cut", "undetermined"), account="procedures")
    assert score([fault, silent], [inventory, left_open]).missed == []
    assert len(score([fault], [inventory, left_open]).missed) == 1
    clean = concluded(account="procedures")
    assert len(score([fault, silent], [inventory, clean]).missed) == 1


def test_a_card_too_many_that_is_not_named_closer_is_the_one_that_was_injected() -> None:
    """Where another card was unread, which of the two was too many is open; that one was is not."""
    label = FaultLabel(
        fault="third_card_extra",
        table="MIN-1",
        gaming_date="2025-03-01",
        round="7",
        shoe=None,
        primary=ExpectedFinding(check="third_card_extra", round="7", who="banker"),
        follows=[],
        delta_cents=None,
    )
    said = concluded(found("card_extra"), round="7")
    assert score([label], [said]).invented == []
    elsewhere = msgspec.structs.replace(said, round="8")
    assert [claim[3] for claim in score([label], [elsewhere]).invented] == ["card_extra"]


def test_a_number_that_may_not_be_missing_need_not_be_reported() -> None:
    """465a.3(c): only what was missing is an exception; where that is open, so is its report."""
    fault = FaultLabel(
        fault="serial_exception_unreported",
        table="cage",
        gaming_date="2025-03-03",
        round=None,
        shoe=None,
        primary=ExpectedFinding(check="serial_exception_unreported", serial="F-1"),
        follows=[],
        delta_cents=None,
    )
    missing = msgspec.structs.replace(found("slip_number_missing"), serial="F-1")
    is_open = msgspec.structs.replace(missing, weight="undetermined")
    other = msgspec.structs.replace(is_open, serial="F-2")
    for each, missed in ((missing, 1), (is_open, 0), (other, 1)):
        result = score([fault], [concluded(each, account="slips")])
        assert (len(result.missed), result.injected.total()) == (missed, missed), each


def test_what_a_fault_leaves_undetermined_must_be_found_so() -> None:
    fault = FaultLabel(
        fault="wrong_order",
        table="MIN-1",
        gaming_date="2025-03-01",
        round="7",
        shoe="1",
        primary=ExpectedFinding(check="card_order_wrong", round="7"),
        follows=[],
        delta_cents=None,
        undetermined=[ExpectedFinding(check="shoe_not_passed", table="MIN-1", who="round 8")],
    )
    disorder = concluded(found("card_order_wrong"), round="7", shoe="1")
    kept = {
        weight: msgspec.structs.replace(found("shoe_not_passed", weight), who="round 8")
        for weight in ("undetermined", "mismatch")
    }
    left_open = concluded(kept["undetermined"], account="procedures")
    assert score([fault], [disorder, left_open]).agrees
    # Not found at all; found as proven; and found where no label has it.
    silent = score([fault], [disorder, concluded(account="procedures")])
    assert (len(silent.missed), silent.invented, silent.wrongly_open) == (1, [], [])
    proven = score([fault], [disorder, concluded(kept["mismatch"], account="procedures")])
    assert (len(proven.missed), len(proven.invented), proven.wrongly_open) == (1, 1, [])
    unlabelled = msgspec.structs.replace(fault, undetermined=[])
    assert len(score([unlabelled], [disorder, left_open]).wrongly_open) == 1
    # What another finding leaves open beside it is still open without cause.
    beside = concluded(
        kept["undetermined"], found("pass_ordered_wrong", "undetermined"), account="procedures"
    )
    assert len(score([fault], [disorder, beside]).wrongly_open) == 1
