"""Side wagers that another text approves: noted with its citation, and their money left open."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from projections.engine.audit.rulebooks import mistakes
from projections.engine.conclusion import ConclusionView
from replay.cli import main
from schemas import house as houses
from schemas.codec import encode
from schemas.errors import BadInput
from schemas.events import ChipsPlaced
from schemas.house import House
from schemas.law_text import chapter
from tests.builders.documents import ROOT, code_spans, page_tables
from tests.builders.table_audit import audit_events, finding_checks, note_checks
from tests.builders.table_script import PLAYER_WINS, Script, build_house, frame_of
from tests.builders.texts import text_of

# 7 to 6: the Player's Hand wins without a third card.
RECORD = {
    "table": "BAC-1", "round": "1", "chapter": "631a", "at": "2025-03-01T21:00:00-05:00",
    "play": [["player", "7c"], ["banker", "6d"], ["player", "Kc"], ["banker", "Kd"]],
    "wagers": [
        {"seat": 1, "wager": "player", "cents": 2500}, {"seat": 1, "wager": "lucky_six", "cents": 500},
    ],
    "announced": "player",
    "paid": [{"seat": 1, "wager": "player", "cents": 2500}, {"seat": 1, "wager": "lucky_six", "cents": -500}],
}  # fmt: skip
ORDER = "Board order 12"
TABLES = "".join(f"  BAC-{each}: {{chapter: 631a, sources: {{T-{each}: terminal}}}}\n" for each in (1, 2))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def submitted(*submissions: str) -> str:
    listed = "".join(f"  - {each}\n" for each in submissions)
    return f"house: side bets\ntables:\n{TABLES}submissions:\n{listed}"


def offering(since: str = "2024-01-01", tables: str = "", **offered: str) -> str:
    own = f", tables: [{tables}]" if tables else ""
    return f"{{from: {since}, chapter: 631a, options: {{}}, offered: {json.dumps(offered)}{own}}}"


def judged(folder: Path, house_file: str | None = None, **otherwise: Any) -> ConclusionView:
    """Audit the record as a user would, by a house file where one is given."""
    record, named = folder / "record.jsonl", folder / "house.yaml"
    record.write_text(json.dumps(RECORD | otherwise), encoding="utf-8")
    named.write_text(house_file or "house: none", encoding="utf-8")
    (answer,) = run("audit", record, "--house", named).stdout.splitlines()
    return msgspec.json.decode(answer, type=ConclusionView)


def of_side_wager(concluded: ConclusionView) -> tuple[str, list[str], list[str], list[int | None]]:
    """Return the verdict, what is found and noted, and what the side wager is owed."""
    cents = [each.cents for each in concluded.expected if each.wager not in {"player", "banker", "tie"}]
    return concluded.verdict, finding_checks(concluded), note_checks(concluded), cents


OPEN = ("undetermined", [], ["wager_of_another_text"], [None])
NOT_PERMITTED = ("mismatch", ["wager_not_permitted"], [], [None])


def test_a_wager_named_by_neither_text_nor_cross_reference_nor_house_is_not_permitted(
    tmp_path: Path,
) -> None:
    assert of_side_wager(judged(tmp_path)) == NOT_PERMITTED


def test_a_wager_offered_by_another_text_is_open_and_noted_with_its_citation(tmp_path: Path) -> None:
    concluded = judged(tmp_path, submitted(offering(lucky_six=ORDER)))
    assert of_side_wager(concluded) == OPEN
    (note,) = concluded.notes
    assert (note.seat, note.wager, note.citations) == (1, "lucky_six", ("631a.8(a)", ORDER))
    assert ORDER in text_of(note.message)
    assert [each.cents for each in concluded.expected] == [2500, None]


@pytest.mark.parametrize(
    ("submissions", "answer"),
    [
        ([offering("2025-03-01", lucky_six=ORDER)], OPEN),
        # the day after the round
        ([offering(), offering("2025-03-02", lucky_six=ORDER)], NOT_PERMITTED),
        ([offering(tables="BAC-1", lucky_six=ORDER)], OPEN),
        ([offering(), offering(tables="BAC-2", lucky_six=ORDER)], NOT_PERMITTED),
        (
            [offering(lucky_six=ORDER), offering(tables="BAC-1", lucky_nine=ORDER)],
            OPEN,
        ),  # beside the table's own
        ([offering(lucky_six=ORDER), offering("2025-01-01")], NOT_PERMITTED),  # no longer
    ],
)
def test_it_is_offered_from_a_day_at_all_tables_or_at_some(
    tmp_path: Path, submissions: list[str], answer: tuple[Any, ...]
) -> None:
    assert of_side_wager(judged(tmp_path, submitted(*submissions))) == answer


def test_the_houses_citation_is_the_one_that_counts_for_that_table(tmp_path: Path) -> None:
    named = submitted(offering(lucky_six="631b.5"), offering(tables="BAC-1", lucky_six=ORDER))
    assert judged(tmp_path, named).notes[0].citations == ("631a.8(a)", ORDER)


def test_631b_needs_no_house_file_in_631a_and_means_nothing_in_another_chapter(tmp_path: Path) -> None:
    wagers = [{"seat": 1, "wager": "perfect_pairs", "cents": 500}]
    now = judged(tmp_path, wagers=wagers, paid=None)
    assert now.verdict == "undetermined"
    assert now.notes[0].citations == ("631a.8(a)", "631b.1")
    before = judged(tmp_path, wagers=wagers, paid=None, chapter="545", at="2011-03-01T21:00:00-05:00")
    assert finding_checks(before) == ["wager_not_permitted"]


def test_a_wager_that_its_own_chapter_settles_cannot_be_offered_by_another_text() -> None:
    house = houses.parse(submitted(offering(tie="631b.9")), "my.yaml")
    (mistake, *_) = mistakes(house)
    assert (mistake.path, mistake.leaves_out) == (("submissions", 0, "offered", "tie"), True)
    with pytest.raises(BadInput):
        houses.parse(submitted(offering(lucky_six="")), "my.yaml")


def test_what_the_house_offers_is_part_of_the_rulebook(tmp_path: Path) -> None:
    without, offered = judged(tmp_path), judged(tmp_path, submitted(offering(lucky_six=ORDER)))
    by_record = judged(tmp_path, offered={"lucky_six": ORDER})
    assert without.rulebook != offered.rulebook == by_record.rulebook


def test_the_page_lists_what_631a_names() -> None:
    page = (ROOT / "docs" / "round_record_baccarat.md").read_text(encoding="utf-8")
    section = page.partition("## Wagers that another text approves\n")[2].partition("\n## ")[0]
    (rows,) = page_tables(section, "wager")
    assert chapter("631a").elsewhere == {wager: row[1] for row in rows for wager in code_spans(row[0])}


# ── as chip readers tell of it ───────────────────────────────────────────────────────────────────────


def offers(**offered: str) -> House:
    made = build_house()
    return msgspec.structs.replace(
        made, submissions=[msgspec.structs.replace(each, offered=offered) for each in made.submissions]
    )


def scene(wager: str) -> Script:
    s = Script()
    s.open()
    bets = {(1, "player"): 2500, (1, wager): 500}
    s.play(PLAYER_WINS, bets, "player", {(1, "player"): 2500, (1, wager): -500})
    s.close()
    return s


@pytest.mark.parametrize(
    ("wager", "by", "answer"),
    [
        ("perfect_pairs", offers(), OPEN),
        ("lucky_six", offers(lucky_six=ORDER), OPEN),
        ("lucky_six", offers(), NOT_PERMITTED),
    ],
)
def test_of_a_live_table_the_same_is_reported(wager: str, by: House, answer: tuple[Any, ...]) -> None:
    heard = audit_events(scene(wager).events, by)
    assert of_side_wager(heard.rounds["1"]) == answer


def test_a_change_of_rules_at_the_table_leaves_what_the_submission_offers() -> None:
    s = Script()
    s.open()
    s.change_rules(vigorish_rounding_cents=25)
    s.play(PLAYER_WINS, {(1, "lucky_six"): 500}, "player", {(1, "lucky_six"): -500})
    s.close()
    heard = audit_events(s.events, offers(lucky_six=ORDER))
    assert of_side_wager(heard.rounds["1"]) == OPEN


def test_late_it_is_a_mismatch_as_any_wager() -> None:
    s = Script()
    s.open()
    s.begin({(1, "player"): 2500})
    s.no_more_bets({(1, "player"): 2500})
    s.on((1, "perfect_pairs"), ChipsPlaced, 500, after=2)
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({(1, "player"): 2500, (1, "perfect_pairs"): -500})
    s.end()
    concluded = audit_events(s.events, offers()).rounds["1"]
    assert (concluded.verdict, finding_checks(concluded), note_checks(concluded)) == (
        "mismatch",
        ["late_wager"],
        [],
    )


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """Record a round with a side wager that the house file offers."""
    folder = tmp_path / "floor"
    (folder / "events").mkdir(parents=True)
    (folder / "events" / "BAC-1.jsonl").write_bytes(encode(frame_of(scene("lucky_six").events)) + b"\n")
    setup = "chapter: 631a, decks: 8, sources: {T: terminal, S: shoe, C: chips, V: camera, I: tray}"
    (folder / "house.yaml").write_text(
        f'house: side bets\ngaming_day_starts: "05:00"\ntables:\n  BAC-1: {{{setup}}}\n'
        f"submissions:\n  - {offering(lucky_six=ORDER)}\n",
        encoding="utf-8",
    )
    return folder


def test_what_is_exported_says_by_which_text_and_is_judged_alike(floor: Path, tmp_path: Path) -> None:
    exported = tmp_path / "rounds.jsonl"
    assert run("export", "rounds", floor, "--out", exported).exit_code == 0
    (record,) = [json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines()]
    assert record["offered"] == {"lucky_six": ORDER}
    of_events = json.loads(run("audit", floor).stdout.splitlines()[0])
    assert json.loads(run("audit", exported).stdout) == of_events
    assert of_events["verdict"] == "undetermined"


def test_hand_explain_and_whatif_show_it(floor: Path) -> None:
    day = str(date(2025, 4, 1))
    shown = json.loads(run("hand", floor, "BAC-1", "1", "--date", day, "--format", "json").stdout)
    assert [each["check"] for each in shown["notes"]] == ["wager_of_another_text"]
    assert ORDER in run("hand", floor, "BAC-1", "1", "--date", day).stdout
    explained = run("explain", floor, shown["notes"][0]["id"], "--format", "json")
    cited = {each["provision"]: each["status"] for each in json.loads(explained.stdout)["citations"]}
    assert cited == {"631a.8(a)": "adopted", ORDER: "not on file"}
    assert run("explain", floor, shown["notes"][0]["id"]).exit_code == 0
    assert run("whatif", floor, "--set", "631a.tie_odds=9").exit_code == 0
    rows = run("whatif", floor, "--set", "631a.tie_odds=9", "--format", "jsonl").stdout
    assert '"unplayable"' not in rows
