"""The console on a floor that plays on, as processes: `serve --replay` and the demo."""

import json
import re
import socket
import sys
import time
from contextlib import closing
from datetime import date
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from projections.store.store import Store
from projections.store.stored_alerts import came_on
from projections.web.auth.accounts import Accounts, is_right
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from replay.cli import main
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.processes import PATIENCE, UNDRAWN, serve_verb


def until_some_are_concluded(address: str, count: int) -> None:
    give_up = time.monotonic() + PATIENCE
    while concluded(address) < count:
        assert time.monotonic() < give_up
        time.sleep(0.2)


def concluded(address: str) -> float:
    """Return how many conclusions the process has stored since it began."""
    figures = httpx.get(f"{address}/metrics").text
    return sum(map(float, re.findall(r"^discardrack_results_total\{.*\} (\S+)$", figures, re.MULTILINE)))


def test_an_archive_plays_on_in_the_console_and_the_console_stays(tmp_path: Path) -> None:
    floor, store = tmp_path / "floor", tmp_path / "store.duckdb"
    simulate(floor, tables=2, hours=0.4, seed="replayed", rates=faults.rates())
    asked = ("serve", "--store", store, "--replay", floor, "--speed", 1000, "--port", 0)
    with serve_verb(*asked, folder=tmp_path) as (address, _):
        until_some_are_concluded(address, 30)
        assert httpx.get(f"{address}/login").status_code == 200
    told = CliRunner().invoke(main, ["audit", str(floor)]).stdout.splitlines()
    rounds = {
        (each["table"], each["round"]): each["verdict"] for each in map(json.loads, told) if "round" in each
    }
    with Store(store) as found:
        (run,) = found.runs()
        stored = {
            (each.table, each.round): each.verdict
            for each in found.conclusions(run.run)
            if each.round is not None
        }
    assert len(stored) > 20
    assert stored.items() <= rounds.items()


def test_the_demo_says_how_to_log_in_and_its_next_day_plays_on(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    asked = ("demo", "--tables", 1, "--hours", 0.1, "--speed", 1000, "--port", port)
    with serve_verb(*asked, folder=tmp_path, command=(sys.executable, "-c", UNDRAWN)) as (address, said):
        until_some_are_concluded(address, 1)
    logins = dict(re.findall(r"^Log in as (demo-\w+), password: (\S+)$", "".join(said), re.MULTILINE))
    store = tmp_path / "var" / "demo" / "store.duckdb"
    with closing(AccountsFile(accounts_of(store))) as file:
        accounts = Accounts(file)
        assert {each.name: each.role for each in accounts.all()} == {
            "demo-operator": "operator",
            "demo-supervisor": "supervisor",
        }
        assert all(is_right(password, accounts.hash_of(name) or "") for name, password in logins.items())
    assert len(set(logins.values())) == 2
    assert (tmp_path / "stderr").read_text() == "", "it ends without a word"
    with Store(store) as found:
        (run,) = found.runs()
        days = {str(each.gaming_date) for each in found.conclusions(run.run) if each.round is not None}
        # What the first day brought is left to the night, and is reported: nothing is overdue.
        came = came_on(found.reading(), date(2025, 3, 1))
        with found.reading() as db:
            reports = db.execute("SELECT DISTINCT gaming_day, made_by FROM reports").fetchall()
    assert days == {"2025-03-01", "2025-03-02"}
    assert {each.queue for each in came} == {"nightly"}
    assert reports == [(date(2025, 3, 1), f"discardrack {version('discardrack')}")]
    assert "The nightly reports: var/demo/reports, and in the console.\n" in said
    assert (store.parent / "reports" / "2025-03-01" / "index.html").is_file()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--speed", "2"), "--speed is for what is played; say --replay too"),
        (("--house", "h.yaml"), "no house file 'h.yaml'"),
        (("--replay", ".", "--broker", "localhost:1"), "not both"),
        (("--replay", ".", "--run", "x"), "--run is for a live floor"),
        (("--replay", "."), "neither a file nor an archive folder"),
    ],
)
def test_what_cannot_be_played_is_reported(asked: tuple[str, ...], says: str) -> None:
    ran = CliRunner().invoke(main, ["serve", *asked])
    assert ran.exit_code == 2
    assert says in " ".join(ran.stderr.split())


def test_events_without_a_house_file_cannot_be_played(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    ran = CliRunner().invoke(main, ["serve", "--replay", str(tmp_path)])
    assert ran.exit_code == 2
    assert "recorded events need a house file" in " ".join(ran.stderr.split())
