"""Gaming days as folders that `nightly` reads: scripted tables, and reports read back."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
import yaml
from click.testing import CliRunner, Result
from msgspec import to_builtins
from msgspec.structs import replace

from projections.store.runs import Run
from projections.store.store import Store
from replay.cli import main
from replay.exports.report import Report, pages
from replay.nightly import reports
from replay.nightly.reports.reconciling import OPEN_ITEMS
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from schemas import events as e
from schemas.codec import encode
from schemas.house import House
from streams import log
from streams.log import Unread
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, build_house, frame_of

DAY: Final = "2025-04-01"
_DUMPER: Final = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
SOURCES: Final = {"T": "terminal", "S": "shoe", "C": "chips", "V": "camera", "I": "tray"}


def write_floor(folder: Path, script: Script, own: House | None = None, name: str = "floor") -> Path:
    """Write a scripted table as a floor's folder; ten events a frame."""
    of = own if own is not None else build_house()
    floor = folder / name
    (floor / "events").mkdir(parents=True)
    plain = to_builtins(of, str_keys=True)
    for each in plain["submissions"]:
        each["from"] = str(each["from"])
    (floor / "house.yaml").write_text(yaml.dump(plain, Dumper=_DUMPER), encoding="utf-8")
    events = script.events
    frames = [frame_of(events[at : at + 10], 1 + at // 10) for at in range(0, len(events), 10)]
    text = b"".join(encode(frame) + b"\n" for frame in frames)
    (floor / "events" / "BAC-1.jsonl").write_bytes(text)
    return floor


def run_nightly(
    floor: Path, *more: str, out: Path | None, day: str | None = DAY, only: Collection[str] | None = None
) -> Result:
    """Run the verb in this process; without `out`, without its option.

    `only` those reports are made, besides the open items, that a test reads: all take several times as long.
    Their pages are without plots, which none of these tests reads.
    """
    named = ("--gaming-day", day) if day is not None else ()
    into = ("--out", str(out)) if out is not None else ()
    arguments = ["nightly", str(floor), *named, *into, "--jobs", "1", "--format", "jsonl", *more]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "_drawings", no_drawings)
        if only is not None:
            made = {*only, OPEN_ITEMS.name}
            assert made <= {each.name for each in reports.REPORTS}
            patch.setattr(reports, "REPORTS", tuple(each for each in reports.REPORTS if each.name in made))
        return CliRunner().invoke(main, arguments, catch_exceptions=False)


def no_drawings(_report: Report) -> tuple[str, ...]:
    """Return no plots: to draw those of a night takes longer than all else of it."""
    return ()


def unreconciled_items(ran: Result) -> list[dict[str, Any]]:
    """Return what a run listed as not reconciling."""
    return [json.loads(line) for line in ran.stdout.splitlines()]


def read_report(out: Path, name: str, day: str = DAY) -> dict[str, Any]:
    """Read a report back."""
    told: dict[str, Any] = json.loads((out / day / f"{name}.json").read_bytes())
    return told


def read_report_rows(out: Path, name: str, day: str = DAY) -> list[dict[str, Any]]:
    """Read a report's rows back."""
    return list(read_report(out, name, day)["rows"])


def read_folder(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def with_fields(own: House, **fields: Any) -> House:
    """Return a house with other fields."""
    return replace(own, **fields)


def only_row(told: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the one row that there is."""
    (found,) = told
    return found


def script_three_rounds(*, close: bool = True) -> Script:
    """Play three rounds: patron p-7 buys $1,000 in seat 1 and somebody $200 in seat 2; one loss, two wins.

    Seat 1 wagers $100 on Player and loses it, wins $100 on Player, and is paid $500 too much on the third.
    """
    script = Script()
    script.open()
    script.say("T", e.PlayerSeated, seat=1, patron="p-7")
    script.buy(1, 1_000_00)
    script.buy(2, 200_00)
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.play(PLAYER_WINS, {(1, "player"): 100_00}, "player", {(1, "player"): 100_00})
    script.play(PLAYER_WINS, {(1, "player"): 100_00}, "player", {(1, "player"): 600_00})
    if close:
        script.close()
    return script


def store_audit(floor: Path, store: Path, source: str = "floor.rounds of cluster A") -> Path:
    run = Run("live 1", datetime(2025, 4, 1, tzinfo=ZoneInfo("UTC")), "1", source, kind="live")
    concluded = audit_logs(log.logs(floor), Recording(floor).house)
    with Store(store) as opened:
        opened.write(
            run,
            (
                (each.basis, each.conclusion, each.revision)
                for each in concluded
                if not isinstance(each, Unread)
            ),
        )
    return store
