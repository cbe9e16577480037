"""Workers that join, leave, freeze and thaw while they recover: nothing is lost, nothing is doubled."""

from pathlib import Path
from typing import Final

from rich.console import Console

from streams.broker import LocalBroker
from tests.bench.worker import produce
from tests.builders.live_floor import WORKERS
from tests.rehearsals.rebalances import attempt, plan, prepare

LASTS: Final = 12.0  # seconds, two more than the deeds of the seed


def test_a_floor_whose_workers_come_and_go_says_what_the_embedded_audit_says(
    broker: LocalBroker, tmp_path: Path
) -> None:
    backlog = prepare(tmp_path, "ci", tables=6, hours=0.7)
    produce(broker.address, backlog.first)
    assert attempt(backlog, tmp_path / "try", broker, "ci", Console(), lasts=LASTS)
    assert plan("ci")[-1].at < LASTS


def test_the_plan_is_the_seed_s_and_whoever_goes_comes_back() -> None:
    for seed in map(str, range(100)):
        deeds = plan(seed)
        assert deeds == plan(seed)
        running, frozen = {WORKERS[0]}, set()
        for deed in deeds:
            match deed.does:
                case "start":
                    assert deed.name not in running
                    running.add(deed.name)
                case "leave" | "kill":
                    running.remove(deed.name)
                case "freeze":
                    assert deed.name in running - frozen
                    frozen.add(deed.name)
                case "thaw":
                    frozen.remove(deed.name)
            assert not frozen - running
        assert frozen == set()
        assert running >= set(WORKERS[:2])
