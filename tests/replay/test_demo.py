"""`discardrack demo`: what plays on in its console rings as a night may, and what keeps it is one line."""

import asyncio
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import date, datetime
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from projections.casework.shift_log import LogBook, LogEntry, Written
from projections.engine.audit.table_audit import Concluded, TableAudit
from projections.store.store_file import connect
from projections.web.bootstrap import load_console
from projections.web.live.broadcaster import LIMIT
from projections.web.records.bundle_requests import BundleRequest
from replay.cli import demo as demo_verb
from replay.cli import main
from replay.cli.demo import BEFORE, HOME, STORE, demo, morrow, opened_again
from replay.cli.serve import Settings, listening, serve
from replay.exports.report import pages
from replay.recording.event_audit import latest_conclusions
from schemas import house as houses
from schemas.codec import Frame, decode
from schemas.house import House
from streams import log, processes
from streams.simulator import faults
from streams.simulator.frames import Arrival, cut
from streams.simulator.simulate import lay_out, next_day, simulate
from tests.bench.night_of_alerts import play_night
from tests.builders.nights import no_drawings
from tests.builders.processes import serve_verb
from tests.builders.staffed_room import EVENING, StaffedRoom

SMALL: Final[dict[str, Any]] = {"tables": 2, "hours": 0.5, "days": 1, "seed": "sure"}
MINUTE: Final = 60_000_000


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    """Make the nights' pages without plots, which none of these tests reads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "_drawings", no_drawings)
        yield


def audited(house: House, played: Mapping[str, Iterable[Frame]], begins: int) -> list[Concluded]:
    """Audit tables' frames; give what is concluded of the rounds from a moment on."""
    concluded: list[Concluded] = []
    for table, frames in played.items():
        audit = TableAudit(table, house)
        concluded += latest_conclusions(chain.from_iterable(audit.feed(each.events) for each in frames))
    return [each for each in concluded if each.seen is not None and (each.seen.at or 0) >= begins]


def test_the_demo_rings_within_two_minutes_and_at_most_six_times_in_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = {each.name: each.default for each in demo.params}
    asked = {name: usual[name] for name in ("tables", "hours", "days", "seed")}
    played: dict[str, list[Frame]] = {}

    def noted(table: str, arrivals: list[Arrival]) -> Iterator[Frame]:
        played[table] = list(cut(table, arrivals))
        return iter(played[table])

    # The day before is played again for the next one, frame by frame as it was.
    monkeypatch.setattr("streams.simulator.simulate.cut", noted)
    following = morrow(**asked)
    begins = min(frames[0].received for frames in following.values())
    assert all(frames[0].received < begins for frames in played.values())
    lay_out(tmp_path / "floor", **asked, rates=faults.rates())
    concluded = audited(houses.load(log.HOUSE, tmp_path / "floor"), played, begins)
    rang = [(at - begins) / MINUTE / usual["speed"] for at, _ in play_night(concluded)[0]]
    assert rang[0] <= 2, "minutes of whoever watches"
    assert asked["hours"] * 60 / usual["speed"] <= 60, "all of it is one hour of watching"
    assert 2 <= len(rang) <= LIMIT


def test_the_fault_that_is_sure_is_made_once_where_there_is_no_other(tmp_path: Path) -> None:
    simulate(tmp_path / "floor", **SMALL, rates=faults.rates())
    following = next_day(
        **SMALL, rates=faults.rates(), then=dict(faults.NONE), first=("settled_as_announced", 8)
    )
    house = houses.load(log.HOUSE, tmp_path / "floor")
    played = {
        table: [
            *(
                decode(line, "")[0]
                for line in (tmp_path / f"floor/events/{table}.jsonl").read_bytes().splitlines()
            ),
            *frames,
        ]
        for table, frames in following.items()
    }
    concluded = audited(house, played, min(frames[0].received for frames in following.values()))
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
def test_a_file_in_its_way_is_reported_before_anything_is_played(
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


def test_a_folder_in_place_of_its_store_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    with processes.exclusive(HOME / "lock", "not this one"):
        ran = CliRunner().invoke(main, ["demo", "--no-serve", "--tables", "1", "--hours", "0.1"])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == "discardrack: var/demo: another demo plays here; end it first\n"
    assert (HOME / "floor" / "house.yaml").read_text(encoding="ascii") == "its own"


def played_again() -> str:
    ran = CliRunner().invoke(main, ["demo", "--no-serve", "--tables", "1", "--hours", "0.1"])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def somebody_notes(what: str) -> None:
    room = StaffedRoom(STORE, [LogBook()])
    with closing(room.store):
        room.act(LogEntry(id=room.new_id(), entry=Written(kind="note", at=EVENING, what=what)))


def noted(home: Path) -> list[str]:
    with closing(connect(home / STORE.name, writing=False)) as store:
        found = store.execute("SELECT details FROM actions ORDER BY number").fetchall()
    return [details for (details,) in found]


def test_what_somebody_did_is_kept_when_the_demo_plays_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [".venv/bin/discardrack", "demo"])
    assert "var/demo.before" not in played_again()
    somebody_notes("the first shift")
    (HOME / "ruling.html").write_text("of a hand of that day", encoding="ascii")
    told = next(line for line in played_again().splitlines() if "var/demo.before" in line)
    assert noted(HOME) == []
    (kept,) = noted(BEFORE)
    assert "the first shift" in kept
    assert (BEFORE / "ruling.html").read_text(encoding="ascii") == "of a hand of that day"
    assert "older" not in told

    words = shlex.split(told.partition("to open it: ")[2])
    assert words[:2] == [".venv/bin/discardrack", "serve"]
    context = serve.make_context("serve", words[2:])  # refuses a file that is not there
    assert context.params["store"] == BEFORE / "store.duckdb"
    assert Path(context.params["house_file"]).is_file()
    assert context.params["archive"].is_dir()
    with closing(
        load_console(context.params["store"], houses.load(context.params["house_file"], Path())).store
    ):
        pass

    assert "var/demo.before" not in played_again()
    assert noted(BEFORE) == [kept], "nobody acted in what was played after it"
    somebody_notes("the second shift")
    assert "in place of an older one" in played_again()
    (kept,) = noted(BEFORE)
    assert "the second shift" in kept


@pytest.mark.parametrize("there", ["var/demo/archive/holds.jsonl", "var/demo/store.duckdb"])
def test_a_legal_hold_and_a_store_that_cannot_be_read_are_kept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str
) -> None:
    monkeypatch.chdir(tmp_path)
    played_again()
    Path(there).write_text("mine", encoding="ascii")
    assert "var/demo.before" in played_again()
    assert (BEFORE / Path(there).relative_to(HOME)).read_text(encoding="ascii") == "mine"


@pytest.mark.parametrize("at", ["simulate", "archive_of", "audit_logs"])
def test_an_interrupt_while_it_plays_or_audits_is_one_line_and_the_status_of_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo_verb, at, interrupted)
    ran = CliRunner().invoke(main, ["demo", "--no-serve", "--tables", "1", "--hours", "0.1"])
    assert (ran.exit_code, ran.stdout) == (130, "")
    assert ran.stderr.splitlines()[-1] == "discardrack: interrupted before it was done"
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("home", [HOME, BEFORE], ids=["the last demo", "the one kept aside"])
def test_a_store_open_in_a_console_is_not_moved_and_the_process_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    played_again()
    somebody_notes("the first shift")
    if home == BEFORE:
        played_again()
        somebody_notes("the second shift")
    there = {each: each.stat().st_ino for each in (HOME, BEFORE) if each.exists()}
    with serve_verb("serve", "--store", home / STORE.name, "--port", 0, folder=tmp_path) as (address, _):
        # The port is taken too, which is not what is wrong.
        port = address.rpartition(":")[2]
        ran = CliRunner().invoke(main, ["demo", "--tables", "1", "--hours", "0.1", "--port", port])
        assert {each: each.stat().st_ino for each in (HOME, BEFORE) if each.exists()} == there
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith(f"discardrack: {home / STORE.name}: ")
    assert re.search(r"another process has it open, PID [0-9]+: .*`discardrack serve`; stop it", ran.stderr)


def test_it_makes_bundles_of_past_days_and_says_why_not_of_the_current_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Settings] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo_verb, "serve_on", lambda *_, settings: served.append(settings))
    with listening("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    ran = CliRunner().invoke(main, ["demo", "--tables", "1", "--hours", "0.1", "--port", str(port)])
    assert ran.exit_code == 0, ran.output
    bundles = served[0].console.bundles
    assert bundles is not None
    past = date(2025, 3, 1)
    assert bundles.lacks("BAC-101", past) is None
    wanted = BundleRequest(
        table="BAC-101", day=past, round="1", file="d.zip", all_seats=True, why="it is asked for"
    )
    with ZipFile(BytesIO(asyncio.run(bundles.made(wanted)))) as bundle:
        assert "verify.py" in bundle.namelist()
    says = bundles.lacks("BAC-101", date(2025, 3, 2)) or ""
    assert says.startswith("Gaming day 03/02/2025 plays on here and goes into no archive")
    assert "of a hand of 03/01/2025 one can" in says


def test_as_the_demo_ends_it_says_how_to_open_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [".venv/bin/discardrack", "demo"])
    monkeypatch.setattr(demo_verb, "serve_on", lambda *_, **__: None)  # as if it was interrupted
    with listening("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    ran = CliRunner().invoke(main, ["demo", "--tables", "1", "--hours", "0.1", "--port", str(port)])
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[-1].endswith(
        ".venv/bin/discardrack serve --store var/demo/store.duckdb --house var/demo/floor/house.yaml"
        f" --archive var/demo/archive --key var/demo/investigator.key --port {port}"
    )
    assert "--port" not in opened_again(HOME)
