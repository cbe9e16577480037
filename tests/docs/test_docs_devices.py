"""The page on devices: its round is taken as it stands, and judged as it says."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from replay.cli import main
from schemas.plain import plain
from tests.builders.documents import ROOT

PAGE: Final = (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "house.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def lines() -> list[str]:
    section = PAGE.partition("## A whole round\n")[2].partition("\n## ")[0]
    (text,) = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    return [*text.splitlines()]


def audited(house: Path, sent: list[str]) -> list[dict[str, Any]]:
    """Audit lines as frames in their order, each received as its last event happened."""
    numbered = enumerate(map(json.loads, sent), 1)
    frames = [{**each, "frame": n, "received": each["events"][-1]["at"]} for n, each in numbered]
    (house.parent / "events").mkdir()
    text = "".join(json.dumps(each) + "\n" for each in frames)
    (house.parent / "events" / "BAC-1.jsonl").write_text(text, encoding="utf-8")
    ran = CliRunner().invoke(main, ["audit", str(house.parent)])
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_every_line_of_the_round_would_be_kept(house: Path) -> None:
    told = CliRunner().invoke(
        main, ["devices", "check", "--house", str(house), "--faulty"], input="\n".join(lines())
    )
    assert told.exit_code == 0
    sources = plain(house.read_text(encoding="utf-8"))["tables"]["BAC-1"]["sources"]
    assert {each["device"] for line in lines() for each in json.loads(line)["events"]} == set(sources)


def test_the_lines_are_a_recorded_floor_as_they_stand(house: Path) -> None:
    (house.parent / "events").mkdir()
    (house.parent / "events" / "BAC-1.jsonl").write_text("\n".join(lines()) + "\n", encoding="utf-8")
    ran = CliRunner().invoke(main, ["audit", str(house.parent)])
    assert [json.loads(line)["verdict"] for line in ran.stdout.splitlines()] == ["clean", "clean"]
    (record,) = CliRunner().invoke(main, ["export", "rounds", str(house.parent)]).stdout.splitlines()
    assert json.loads(record)["dealer"] == "D-7"  # who calls the game


def test_the_round_and_its_shoe_are_clean(house: Path) -> None:
    answers = audited(house, lines())
    assert [(each.get("round"), each.get("shoe"), each["verdict"]) for each in answers] == [
        ("1", "SH-1", "clean"),
        (None, "SH-1", "clean"),
    ]
    assert answers[0]["outcome"] == "banker"
    # Seat 2: $100.00 at 1 to 1, 631a.13(c), less 5%; seat 5 loses $50.00.
    assert [(each["seat"], each["cents"], each["vigorish_cents"]) for each in answers[0]["expected"]] == [
        (2, 10_000, 500),
        (5, -5_000, 0),
    ]


def test_without_a_poll_the_round_is_undetermined(house: Path) -> None:
    unpolled = [re.sub(r'"heard": \{.*?\]\}', '"heard": {}', line) for line in lines()]
    assert audited(house, unpolled)[0]["verdict"] == "undetermined"
