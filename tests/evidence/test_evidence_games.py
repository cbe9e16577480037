"""A hand of every game in a bundle: proven, added up, and silent of other seats."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from replay.cli import main
from schemas import house as houses
from streams.archive import keys
from streams.archive.import_events import archive_of
from streams.simulator.simulate import simulate
from tests.builders.evidence_bundles import bundle_events, bundle_files, check_bundle, read_bundle_json
from tests.builders.simulated_tables import doubled_rates

CHAPTERS: Final = ("631a", "541", "543", "545", "627a", "629a", "681a", "623a", "535", "551", "685a")
TELLING: Final = ("verdict.json", "settlement.json", "explanation.json", "page.html")
AT: Final = "2099-06-01T10:00:00Z"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the closed archive of a mixed floor, with what was played beside it."""
    folder = tmp_path_factory.mktemp("floor")
    rates = doubled_rates()
    simulate(folder / "played", tables=11, hours=0.25, seed="games", rates=rates, mixed=True)
    archive = folder / "archive"
    archive.mkdir()
    key = keys.make(folder / "key")
    keys.make(folder / "releaser")
    archive_of(folder / "played", archive, houses.read("house.yaml", folder / "played"), key)
    return archive


def table_of(floor: Path, chapter: str) -> str:
    """Return the table of a chapter."""
    house = houses.load("house.yaml", floor)
    return next(name for name, setup in house.tables.items() if setup.chapter == chapter)


def seats_of(floor: Path, table: str) -> dict[str, set[str]]:
    """Return those with wagers in each round of a table, as its devices reported them."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in (floor.parent / "played" / "events" / f"{table}.jsonl").read_bytes().splitlines():
        for event in json.loads(line)["events"]:
            if event["event"] == "ChipsPlaced" and event["seat"]:
                bettor = event.get("bettor")
                found[event["round"]].add(f"{event['seat']}/{bettor}" if bettor else f"{event['seat']}")
    return found


def asked(floor: Path, table: str, number: str, *more: str) -> Result:
    """Make a bundle of a round, in the place of the one before."""
    bundle = floor.parent / "b.zip"
    bundle.unlink(missing_ok=True)
    given = ["--key", str(floor.parent / "releaser"), "--out", str(bundle), "--at", AT, *more]
    return CliRunner().invoke(main, ["evidence", str(floor), table, number, *given])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_hand_of_every_game_is_proven_and_silent_of_other_seats(floor: Path, chapter: str) -> None:
    table = table_of(floor, chapter)
    rounds = [(number, sorted(who)) for number, who in seats_of(floor, table).items()]
    number, who = next(each for each in rounds if len({one.split("/")[0] for one in each[1]}) > 1)
    result = asked(floor, table, number, "--seat", who[0])
    assert result.exit_code == 0, result.output
    content = (floor.parent / "b.zip").read_bytes()
    check_bundle(content)
    own = who[0].split("/")[0]
    others = {one.split("/")[0] for one in who} - {own}
    assert all(seat_in(each) in (None, own) for each in bundle_events(content))
    text = b"\n".join(bundle_files(content)[name] for name in TELLING).decode().lower()
    assert not others & set(re.findall(r"\bseat ?([0-9]+)", text))
    for wager in read_bundle_json(content, "settlement")["wagers"]:
        assert str(wager["seat"]) == own
        assert (wager["observed"] is None) == (wager["paid_cents"] is None)


def seat_in(event: dict[str, Any]) -> str | None:
    """Return the seat of an event, if it has one."""
    place = next((event[name] for name in ("seat", "position", "hand") if name in event), None)
    found = re.match(r"(?:seat)?([0-9]+)", str(place))
    return found[1] if found else None


def test_complete_rounds_are_shown_as_they_were_judged(floor: Path) -> None:
    """For each chapter the first round with a finding: all seats and staff."""
    table_rounds: dict[str, dict[str, Any]] = {}
    audited = CliRunner().invoke(main, ["audit", str(floor), "--format", "jsonl"])
    for line in audited.stdout.splitlines():
        each = json.loads(line)
        if each.get("round") and each["findings"]:
            table_rounds.setdefault(each["table"], each)
    assert len(table_rounds) > 6
    for table, judged in table_rounds.items():
        asked_for = ("--all-seats", "--staff", "--why", "the agent asks")
        result = asked(floor, table, judged["round"], *asked_for)
        assert result.exit_code == 0, result.output
        content = (floor.parent / "b.zip").read_bytes()
        check_bundle(content)
        verdict = read_bundle_json(content, "verdict")
        assert verdict["verdict"] == judged["verdict"]
        assert [each["id"] for each in verdict["findings"]] == [each["id"] for each in judged["findings"]]
        owed = {
            (each["seat"], each.get("bettor"), each["wager"], each.get("hand")): each
            for each in judged["expected"]
        }
        for wager in read_bundle_json(content, "settlement")["wagers"]:
            expected = owed.get((wager["seat"], wager["bettor"], wager["wager"], wager["hand"]))
            if expected is not None and expected["cents"] is not None:
                assert wager["owed_cents"] == expected["cents"] - expected["vigorish_cents"]
        # Only a hole card that was never turned up is withheld of a whole round.
        assert {each["why"] for each in read_bundle_json(content, "withheld")["events"]} <= {
            "a card that was never turned up"
        }
