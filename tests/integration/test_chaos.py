"""A short chaos: every process killed three times; store, archive and Kafka as if it had not been."""

from pathlib import Path

from rich.console import Console

from streams.broker import LocalBroker
from tests.rehearsals.chaos import KILLS, VICTIMS, plan, run


def test_a_floor_whose_processes_are_killed_says_what_the_embedded_audit_says(
    broker: LocalBroker, tmp_path: Path
) -> None:
    assert run(tmp_path, 12.0, "ci", Console(), tables=6, broker=broker)


def test_the_plan_is_the_seed_s_and_kills_none_before_it_is_back() -> None:
    deeds = plan("7", 120)
    assert deeds == plan("7", 120) != plan("8", 120)
    for name in VICTIMS:
        does = [deed.does for deed in deeds if deed.name == name]
        assert does == ["kill", "start"] * KILLS
    assert [deed.does for deed in deeds if deed.name == "worker-2"] == ["start", "stop"]
    assert deeds[0].at > 0
    assert deeds[-1].at < 120
