"""Golden scenes of recorded events, judged by the program: see tests/golden/events/README.md."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from click.testing import CliRunner

from replay.cli import main
from tests.golden.events.scenes import FRAMES, SCENES, frames, house_file

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "events"
FOLDERS: Final = sorted(path.name for path in GOLDEN.iterdir() if (path / FRAMES).exists())
Answer = Mapping[str, Any]


def test_every_scene_has_its_folder() -> None:
    assert sorted(SCENES) == FOLDERS


@pytest.mark.parametrize("name", FOLDERS)
def test_the_files_describe_the_scene(name: str) -> None:
    assert (GOLDEN / name / FRAMES).read_bytes() == frames(name)
    assert (GOLDEN / name / "house.yaml").read_text(encoding="utf-8") == house_file(name)


def order(finding: Answer) -> tuple[str, str]:
    return str(finding["check"]), str(finding.get("seat"))


def assert_concluded(given: Answer, wanted: Answer) -> None:
    """Hold one answer against what was worked by hand."""
    assert given["verdict"] == wanted["verdict"]
    for field in ("outcome", "gaming_date"):
        if field in wanted:
            assert given[field] == wanted[field]
    if "expected" in wanted:
        assert sorted(given["expected"], key=lambda each: (each["seat"], each["wager"])) == wanted["expected"]
    missing = [each["message"] for each in given["findings"] if each["check"] == "data_missing"]
    for lack in wanted.get("lacks", []):
        hit = next((message for message in missing if lack in message), None)
        assert hit is not None, f"{lack} is not among {missing}"
        missing.remove(hit)
    found = sorted((each for each in given["findings"] if each["check"] != "data_missing"), key=order)
    by_hand = sorted(wanted.get("findings", []), key=order)
    assert [order(each) for each in found] == [order(each) for each in by_hand]
    for one, hand in zip(found, by_hand, strict=True):
        assert set(hand.get("citations", [])) <= set(one["citations"])
        assert hand.get("says", "") in one["message"]
        plain = {name: value for name, value in hand.items() if name not in ("citations", "says")}
        assert {name: one.get(name) for name in plain} == plain
    assert [each["check"] for each in given["notes"]] == wanted.get("notes", [])


@pytest.mark.parametrize("name", FOLDERS)
def test_scene(name: str) -> None:
    wanted = yaml.safe_load((GOLDEN / name / "expected.yaml").read_text(encoding="utf-8"))
    ran = CliRunner().invoke(main, ["audit", str(GOLDEN / name / FRAMES)])
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    rounds = {each["round"]: each for each in answers if "round" in each}
    shoes = {each["shoe"]: each for each in answers if "round" not in each}
    assert list(rounds) == list(wanted["rounds"])
    assert list(shoes) == list(wanted["shoes"])
    for number, each in wanted["rounds"].items():
        assert_concluded(rounds[number], each)
    for shoe, each in wanted["shoes"].items():
        assert_concluded(shoes[shoe], each)
    assert ran.exit_code == (0 if {each["verdict"] for each in answers} == {"clean"} else 1)
