"""`discardrack demo`: what plays on in its console rings as a night may, and what keeps it is one line."""

from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from projections.console.live.rate import LIMIT
from projections.judging.audit import Concluded, TableAudit
from replay.cli import main
from replay.demo import HOME, demo, morrow
from replay.recorded import latest
from schemas import house as houses
from schemas.codec import Frame, decode
from schemas.house import House
from streams import locking, log
from streams.simulator import faults
from streams.simulator.playing_on import next_day
from streams.simulator.simulate import simulate
from tests.bench_night import listened

SMALL: Final[dict[str, Any]] = {"tables": 2, "hours": 0.5, "days": 1, "seed": "sure"}
MINUTE: Final = 60_000_000


def both(folder: Path, following: dict[str, list[Frame]]) -> tuple[House, list[Concluded]]:
    """Audit a floor that was played and its next day; give what is concluded of that day."""
    house = houses.load(log.HOUSE, folder)
    begins = min(frames[0].received for frames in following.values())
    concluded: list[Concluded] = []
    for table, frames in following.items():
        lines = (folder / "events" / f"{table}.jsonl").read_bytes().splitlines()
        audit = TableAudit(table, house)
        before = (decode(line, "")[0] for line in lines)
        concluded += latest(chain.from_iterable(audit.feed(each.events) for each in chain(before, frames)))
    return house, [each for each in concluded if each.seen is not None and (each.seen.at or 0) >= begins]


def test_what_plays_on_rings_within_two_minutes_and_at_most_six_times_in_an_hour(tmp_path: Path) -> None:
    usual = {each.name: each.default for each in demo.params}
    asked = {name: usual[name] for name in ("tables", "hours", "days", "seed")}
    simulate(tmp_path / "floor", **asked, rates=faults.rates())
    following = morrow(**asked)
    _, concluded = both(tmp_path / "floor", following)
    begins = min(frames[0].received for frames in following.values())
    rang = [(at - begins) / MINUTE / usual["speed"] for at, _ in listened(concluded)[0]]
    assert rang[0] <= 2, "minutes of whoever watches"
    assert asked["hours"] * 60 / usual["speed"] <= 60, "all of it is one hour of watching"
    assert 2 <= len(rang) <= LIMIT


def test_the_fault_that_is_sure_is_made_once_where_there_is_no_other(tmp_path: Path) -> None:
    simulate(tmp_path / "floor", **SMALL, rates=faults.rates())
    following = next_day(
        **SMALL, rates=faults.rates(), then=dict(faults.NONE), first=("settled_as_announced", 8)
    )
    house, concluded = both(tmp_path / "floor", following)
    (wrong,) = [each for each in concluded if each.conclusion.verdict != "clean"]
    assert wrong.conclusion.table == "BAC-101"
    assert wrong.conclusion.findings[0].check == "announced_wrong"
    assert wrong.seen is not None
    assert wrong.seen.at is not None
    # Play begins at 06:00, and a round takes less than two minutes.
    zone = house.local(wrong.seen.at).tzinfo
    earliest, last = (datetime(2025, 3, 2, 6, minute, tzinfo=zone) for minute in (6, 12))
    assert earliest < house.local(wrong.seen.at) < last


@pytest.mark.parametrize(
    "there", ["var", "var/demo", "var/demo/floor", "var/demo/archive", "var/demo/reports"]
)
def test_a_file_in_its_way_is_said_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(there).parent.mkdir(parents=True, exist_ok=True)
    Path(there).write_text("mine", encoding="ascii")
    ran = CliRunner().invoke(main, ["demo", "--no-serve", "--tables", "1", "--hours", "0.1"])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith(f"discardrack: {there}")
    assert "move what is there" in ran.stderr
    assert Path(there).read_text(encoding="ascii") == "mine"


def test_a_folder_in_place_of_its_store_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (HOME / "store.duckdb").mkdir(parents=True)
    ran = CliRunner().invoke(main, ["demo", "--no-serve", "--tables", "1", "--hours", "0.1"])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("discardrack: var/demo/store.duckdb: ")


def test_another_demo_in_the_same_folder_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (HOME / "floor").mkdir(parents=True)
    (HOME / "floor" / "house.yaml").write_text("its own", encoding="ascii")
    with locking.alone(HOME / "lock", "not this one"):
        ran = CliRunner().invoke(main, ["demo", "--no-serve", "--tables", "1", "--hours", "0.1"])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == "discardrack: var/demo: another demo plays here; end it first\n"
    assert (HOME / "floor" / "house.yaml").read_text(encoding="ascii") == "its own"
