"""Gaming days as folders that `nightly` reads: scripted tables, and reports read back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from click.testing import CliRunner, Result
from msgspec import to_builtins
from msgspec.structs import replace

from replay.cli import main
from schemas.codec import encode
from schemas.house import House
from tests.script import Script, framed, house

DAY: Final = "2025-04-01"
SOURCES: Final = {"T": "terminal", "S": "shoe", "C": "chips", "V": "camera", "I": "tray"}


def folder_of(folder: Path, script: Script, own: House | None = None, name: str = "floor") -> Path:
    """Write a scripted table as a floor's folder; ten events a frame."""
    of = own if own is not None else house()
    floor = folder / name
    (floor / "events").mkdir(parents=True)
    plain = to_builtins(of, str_keys=True)
    for each in plain["submissions"]:
        each["from"] = str(each["from"])
    (floor / "house.yaml").write_text(yaml.safe_dump(plain), encoding="utf-8")
    events = script.events
    frames = [framed(events[at : at + 10], 1 + at // 10) for at in range(0, len(events), 10)]
    text = b"".join(encode(frame) + b"\n" for frame in frames)
    (floor / "events" / "BAC-1.jsonl").write_bytes(text)
    return floor


def nightly(floor: Path, *more: str, out: Path, day: str | None = DAY) -> Result:
    """Run the verb in this process."""
    named = ("--gaming-day", day) if day is not None else ()
    arguments = ["nightly", str(floor), *named, "--out", str(out), "--jobs", "1", "--format", "jsonl", *more]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def items(ran: Result) -> list[dict[str, Any]]:
    """Give what a run listed as not reconciling."""
    return [json.loads(line) for line in ran.stdout.splitlines()]


def report(out: Path, name: str, day: str = DAY) -> dict[str, Any]:
    """Read a report back."""
    told: dict[str, Any] = json.loads((out / day / f"{name}.json").read_bytes())
    return told


def rows(out: Path, name: str, day: str = DAY) -> list[dict[str, Any]]:
    """Read a report's rows back."""
    return list(report(out, name, day)["rows"])


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def with_fields(own: House, **fields: Any) -> House:
    """Give a house with other fields."""
    return replace(own, **fields)


def only(told: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Give the one row that there is."""
    (found,) = told
    return found
