"""What of a house file is at fault, found before anything starts by it; and what goes on beside it."""

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from projections.engine.audit.rulebooks import left_out, mistakes
from projections.engine.games import REGISTRY
from replay.cli import main
from schemas import house as houses
from schemas import law_text
from schemas.errors import BadInput
from schemas.house import House, Submission, TableSetup
from schemas.law_text import OptionLaw
from streams import house_file
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.nights import run_nightly, unreconciled_items
from tests.builders.strategies import TODAY

FILE: Final = """\
house: Bluewater Casino
tables:
  BAC-1: {chapter: 631a, decks: 8, sources: {T-1: terminal, S-1: shoe, C-1: chips}}
  BAC-2:
    chapter: 631a
    decks: 8
    sources: {T-2: terminal, S-2: shoe, C-2: chips}
submissions:
  - {from: 2020-01-01, chapter: 631a, options: {dragon_bonus: B, tie_odds: 9}}
  - from: 2099-01-01
    chapter: 631a
    tables: [BAC-2]
    options:
      vigorish_rounding_cents: 25
"""

# What is put in the place of what, and the rows that come of it: line, table, submission, near, left out.
Row = tuple[int, str | None, str | None, str | None, bool]
SINGLE: Final[dict[str, tuple[str, str, list[Row]]]] = {
    "a game that the chapter does not have": (
        "    decks: 8\n    sources: {T-2",
        "    decks: 8\n    game: mini_craps\n    sources: {T-2",
        [(7, "BAC-2", None, None, False)],
    ),
    "an option out of its range, later": (
        "      vigorish_rounding_cents: 25",
        "      tie_odds: 7",
        [(14, "BAC-2", "2099-01-01", None, True)],
    ),
    "an option out of its range, of all tables": (
        "tie_odds: 9",
        "tie_odds: 7",
        [(9, "BAC-1", "2020-01-01", None, True), (9, "BAC-2", "2020-01-01", None, True)],
    ),
    "a wager offered by another text that the chapter settles": (
        "    options:\n      vigorish_rounding_cents: 25",
        "    options: {}\n    offered: {perfect_pairs: 631b.1, tie: 631b.1}",
        [(14, "BAC-2", "2099-01-01", None, True)],
    ),
    "an option of another type": (
        "      vigorish_rounding_cents: 25",
        "      dragon_bonus: [A]",
        [(14, "BAC-2", "2099-01-01", None, True)],
    ),
    "a table that stands twice": (
        "submissions:",
        "  BAC-2: {chapter: 631a, decks: 8, sources: {T-2: terminal, S-2: shoe}}\nsubmissions:",
        [(8, "BAC-2", None, None, False)],
    ),
    "an unknown option": (
        "      vigorish_rounding_cents",
        "      vigorish_rounding_cent",
        [(14, "BAC-2", "2099-01-01", "did you mean vigorish_rounding_cents?", True)],
    ),
    "an unknown chapter": (
        "  BAC-2:\n    chapter: 631a",
        "  BAC-2:\n    chapter: '631'",
        [
            (5, "BAC-2", None, "did you mean 631a?", True),
            (12, "BAC-2", "2099-01-01", None, False),  # its submission is for a chapter that it does not play
        ],
    ),
    "decks that the chapter does not admit": (
        "    decks: 8",
        "    decks: 5",
        [(6, "BAC-2", None, None, True)],
    ),
    "no terminal": ("T-2: terminal, ", "", [(7, "BAC-2", None, None, True)]),
    "two devices of a source": ("C-2: chips", "C-2: chips, S-9: shoe", [(7, "BAC-2", None, None, True)]),
    "a device of another table": ("S-2: shoe", "S-1: shoe", [(7, "BAC-2", None, None, False)]),
    "what the game is played without": ("C-2: chips", "D-2: dice", [(7, "BAC-2", None, None, False)]),
    "a submission for a table that is not there": (
        "[BAC-2]",
        "[BAC-22]",
        [(12, "BAC-22", "2099-01-01", "did you mean BAC-2?", False)],
    ),
    "a submission for an unknown chapter": (
        "    chapter: 631a\n    tables",
        "    chapter: 631b\n    tables",
        [(11, None, "2099-01-01", "did you mean 631a?", False)],
    ),
    "two submissions of a day": (
        "submissions:",
        "submissions:\n  - {from: 2020-01-01, chapter: 631a, options: {}}",
        [(10, None, "2020-01-01", None, False)],
    ),
    "a table for which nothing is submitted": (
        "submissions:",
        "  CR-1: {chapter: 623a, sources: {T-9: terminal, D-9: dice, C-9: chips}}\nsubmissions:",
        [(8, "CR-1", None, None, False)],
    ),
    "a submission from after the day on which the house began the game": (
        "submissions:",
        """\
  DU-1: {chapter: 685a, decks: 6, sources: {T-9: terminal, S-9: shoe}}
in_force: {685a: {from: 2019-03-01}}
submissions:
  - {from: 2019-04-01, chapter: 685a, options: {}}""",
        [(8, "DU-1", None, None, False)],
    ),
    "an option for a chapter that no table plays": (
        "submissions:",
        "submissions:\n  - {from: 2020-01-01, chapter: 623a, options: {dice: 3}}",
        [(9, None, "2020-01-01", None, False)],
    ),
}


def check(path: Path) -> Result:
    return CliRunner().invoke(
        main, ["house", "check", str(path), "--format", "jsonl"], catch_exceptions=False
    )


def found(path: Path, text: str) -> tuple[int, list[Row]]:
    """Write and check a house file; give the exit status and the rows, without their words."""
    path.write_text(text, encoding="utf-8")
    ran = check(path)
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert {each["file"] for each in told} <= {str(path)}
    assert all(each["mistake"] for each in told)
    rows = [
        tuple(each[name] for name in ("line", "table", "submission", "near", "left_out")) for each in told
    ]
    return ran.exit_code, rows


def test_a_file_without_a_mistake_is_status_0(tmp_path: Path) -> None:
    assert found(tmp_path / "house.yaml", FILE) == (0, [])


@pytest.mark.parametrize("mistake", SINGLE)
def test_each_mistake_is_a_row_with_its_line(tmp_path: Path, mistake: str) -> None:
    right, wrong, rows = SINGLE[mistake]
    assert FILE.count(right) == 1
    assert found(tmp_path / "house.yaml", FILE.replace(right, wrong)) == (1, rows)


def test_all_mistakes_of_a_file_are_found_at_once(tmp_path: Path) -> None:
    text = FILE.replace("tie_odds: 9", "tie_odd: 9, dragon_bonus: Q").replace("T-2: terminal, ", "")
    text = text.replace("dragon_bonus: B, ", "").replace("    decks: 8", "    decks: 5")
    assert found(tmp_path / "house.yaml", text) == (
        1,
        [
            (9, "BAC-1", "2020-01-01", "did you mean tie_odds?", True),
            (9, "BAC-1", "2020-01-01", None, True),
            (7, "BAC-2", None, None, True),
            (6, "BAC-2", None, None, True),
            (9, "BAC-2", "2020-01-01", "did you mean tie_odds?", True),
            (9, "BAC-2", "2020-01-01", None, True),
        ],
    )


NOT_OF_ITS_FORM: Final = """\
house: Bluewater Casino
clock_uncertainty: 250
gaming_day_starts: noon
tables:
  BAC-1: {chapter: 631a, decks: 5, sources: {T-1: terminal, S-1: shoe}}
  BAC-2:
    chapter: 545
    deck: 8
    sources: {T-2: terminals, S-2: shoe}
submissions:
  - {from: 2020-02-30, chapter: 631a, options: {}}
  - {from: 2020-02-03, chapter: 631a, options: {tie_odd: 8}, tables: [BAC-1, BAC-2]}
  - from: 2021-01-01
    chapter: 631a
    table: [BAC-1]
    options: {}
"""


def test_all_that_is_not_of_its_form_is_found_with_what_else_is_wrong(tmp_path: Path) -> None:
    """The submission of 2020-02-03 keeps its line, and is not said to be for a table that is not there."""
    assert found(tmp_path / "house.yaml", NOT_OF_ITS_FORM) == (
        1,
        [
            (2, None, None, "did you mean clock_uncertainty_ms?", True),
            (7, "BAC-2", None, None, True),
            (8, "BAC-2", None, "did you mean decks?", True),
            (9, "BAC-2", None, "did you mean terminal?", True),
            (11, None, None, None, True),
            (15, None, None, "did you mean tables?", True),
            (3, None, None, None, True),
            (5, "BAC-1", None, None, True),
            (12, "BAC-1", "2020-02-03", "did you mean tie_odds?", True),
        ],
    )
    told = [json.loads(line) for line in check(tmp_path / "house.yaml").stdout.splitlines()]
    assert [each["unreadable"] for each in told] == [
        *(True, False, False, False, True, True, True, False, False)
    ]


@pytest.mark.parametrize("text", ["tables: [", "house: !own H\n", None])
def test_a_file_that_cannot_be_read_is_status_2(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "house.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    ran = check(path)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert str(path) in ran.stderr


def values_of(option: OptionLaw, decks: int) -> list[Any]:
    """Return values that a chapter admits of an option with so many decks, beside the defaults of others."""
    if option.least_by is not None:
        return [option.least_by[decks]]
    if option.values_by is not None:
        return list(option.values_by[decks])
    return option.values if option.values is not None else [option.default]


@pytest.mark.parametrize("chapter", REGISTRY)
def test_nothing_that_a_chapter_admits_is_a_mistake(chapter: str) -> None:
    """Each option's values with each number of decks that the chapter has; what hangs on others apart."""
    law = law_text.chapter(chapter)
    dated = law.numbers.get("decks")
    for decks in dated[min(dated)].value if dated is not None else [None]:
        setup = TableSetup(chapter, {"T": "terminal", "C": "chips"}, decks)
        for name, option in law.options.items():
            if option.values_by is not None and option.by != "decks":
                continue
            for value in values_of(option, decks):
                chosen = Submission(TODAY.date(), chapter, {name: value})
                assert mistakes(House(house="H", tables={"X-1": setup}, submissions=[chosen])) == []


def test_what_hangs_on_a_choice_that_is_refused_is_no_second_mistake() -> None:
    """545.13(c) and (d): the rounding hangs on the vigorish, and nobody knows which is meant."""
    setup = TableSetup("545", {"T": "terminal"}, 8)
    chosen = Submission(date(2011, 1, 1), "545", {"vigorish": "3%", "vigorish_rounding_cents": 20})
    (mistake,) = mistakes(House(house="H", tables={"X-1": setup}, submissions=[chosen]))
    assert mistake.path == ("submissions", 0, "options", "vigorish")


# ── what goes on beside a table at fault ─────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("floor") / "floor"
    simulate(folder, tables=2, hours=0.25, seed="at fault", rates=faults.rates())
    return folder


@pytest.fixture(scope="module")
def right_items(floor: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return what a night of the floor without a mistake lists of the other table."""
    out = tmp_path_factory.mktemp("right")
    ran = run_nightly(floor, "--even-if-open", out=out, day="2025-03-01", only=())
    return [each for each in unreconciled_items(ran) if each["table"] == "BAC-101"]


def at_fault(floor: Path, mistake: str, to: Path) -> Path:
    """Write the floor's house file with a mistake about BAC-102."""
    house = houses.load("house.yaml", floor)
    setup = house.tables["BAC-102"]
    unsourced = {device: source for device, source in setup.sources.items() if source != "terminal"}
    wrong = {
        "no terminal": {"sources": unsourced},
        "unknown chapter": {"chapter": "999"},
        "decks": {"decks": 5},
        "form of decks": {"decks": "six"},
    }
    if mistake in wrong:
        house = replace(house, tables={**house.tables, "BAC-102": replace(setup, **wrong[mistake])})
    else:
        options = {"unknown option": {"tie_odd": 9}, "out of range": {"tie_odds": 7}}[mistake]
        more = Submission(date(2025, 1, 1), "631a", options, ["BAC-102"])
        house = replace(house, submissions=[*house.submissions[:1], more])
    assert list(left_out(house)) == ["BAC-102"]
    to.write_bytes(msgspec.yaml.encode(house))
    return to


MISTAKES: Final = (
    "no terminal",
    "unknown chapter",
    "decks",
    "form of decks",
    "unknown option",
    "out of range",
)


# What of a table is not of its form, its line, and the devices that may report all the same.
FORMS: Final = {
    "a word for a number": ("    decks: 8", "    decks: six", 6, {"T-2", "S-2", "C-2"}),
    "a number for a text": (
        "    chapter: 631a\n    decks",
        "    chapter: 631\n    decks",
        5,
        {"T-2", "S-2", "C-2"},
    ),
    "no chapter": ("    chapter: 631a\n    decks", "    decks", 4, {"T-2", "S-2", "C-2"}),
    "an unknown key": ("    decks: 8", "    deck: 8", 6, {"T-2", "S-2", "C-2"}),
    "an unknown source": ("C-2: chips", "C-2: chip", 7, {"T-2", "S-2"}),
    "sources that are none": ("{T-2: terminal, S-2: shoe, C-2: chips}", "T-2", 7, set()),
}


@pytest.mark.parametrize("fault", FORMS)
def test_a_table_that_is_not_of_its_form_leaves_the_others(tmp_path: Path, fault: str) -> None:
    right, wrong, line, devices = FORMS[fault]
    assert FILE.count(right) == 1
    path = tmp_path / "house.yaml"
    path.write_text(FILE.replace(right, wrong), encoding="utf-8")
    file = house_file.load(str(path), tmp_path)
    assert list(file.left_out) == ["BAC-2"]
    assert file.left_out["BAC-2"].startswith(f"{path}:{line}: ")
    assert file.house.tables["BAC-2"].sources.keys() == devices
    whole = houses.parse(FILE, "house.yaml")
    assert file.house.tables["BAC-1"] == whole.tables["BAC-1"]
    assert list(file.house.tables) == list(whole.tables)
    assert [each["unreadable"] for each in map(json.loads, check(path).stdout.splitlines())] == [False]


def test_a_fault_outside_the_tables_beside_one_in_them_refuses_the_file(tmp_path: Path) -> None:
    text = FILE.replace("    decks: 8", "    decks: six").replace(
        "house: Bluewater", "house: 7\nhose: Bluewater"
    )
    with pytest.raises(BadInput, match=r"house\.yaml:\d+: not a house file"):
        houses.parse(text, "house.yaml")
    (tmp_path / "house.yaml").write_text(text, encoding="utf-8")
    assert check(tmp_path / "house.yaml").exit_code == 1


@pytest.mark.parametrize("mistake", MISTAKES)
def test_nightly_reports_the_other_tables_and_lists_the_one(
    floor: Path, right_items: list[dict[str, Any]], tmp_path: Path, mistake: str
) -> None:
    named = at_fault(floor, mistake, tmp_path / "house.yaml")
    asked = ("--house", str(named), "--even-if-open")
    ran = run_nightly(floor, *asked, out=tmp_path / "reports", day="2025-03-01", only=())
    assert ran.exit_code == 1
    listed = [each for each in unreconciled_items(ran) if each["what"] == "unreadable"]
    assert [(each["table"], each["about"]) for each in listed] == [("BAC-102", "archive")]
    assert [each for each in unreconciled_items(ran) if each["table"] == "BAC-101"] == right_items


def test_audit_lists_the_mistakes_with_file_and_line_before_it_judges(floor: Path, tmp_path: Path) -> None:
    named = at_fault(floor, "decks", tmp_path / "house.yaml")
    line = 1 + named.read_text().splitlines().index("    decks: 5")
    ran = CliRunner().invoke(main, ["audit", str(floor), "--house", str(named)])
    (mistake,) = ran.stderr.splitlines()
    assert mistake.startswith(f"{named}:{line}: table BAC-102: 5 decks")
    assert [each for each in map(json.loads, ran.stdout.splitlines()) if each.get("table") == "BAC-101"]


def test_the_archive_keeps_what_cannot_be_audited(floor: Path, tmp_path: Path) -> None:
    named, archive = at_fault(floor, "unknown chapter", tmp_path / "wrong.yaml"), tmp_path / "archive"
    arguments = ["archive", "--from", str(floor), "--house", str(named), "--out", str(archive)]
    ran = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert ran.exit_code == 0
    (mistake,) = [
        each for each in map(json.loads, ran.stderr.splitlines()) if each["event"] == "table_left_out"
    ]
    assert (mistake["level"], mistake["table"], mistake["file"]) == ("error", "BAC-102", str(named))
    judged = CliRunner().invoke(main, ["audit", str(archive), "--house", str(floor / "house.yaml")])
    straight = CliRunner().invoke(main, ["audit", str(floor)])
    assert sorted(judged.stdout.splitlines()) == sorted(straight.stdout.splitlines())


@pytest.mark.parametrize(
    ("options", "decks", "says"),
    [
        ({}, None, "the house file of Bluewater Casino: submission from 2020-01-01: option tie_odds: 7"),
        ({"tie_odds": 6}, None, "option tie_odds: 6"),
        ({"tie_odds": 8}, 5, "5 decks"),
    ],
)
def test_a_record_refused_for_the_house_s_choice_names_the_house(
    tmp_path: Path, options: dict[str, Any], decks: int | None, says: str
) -> None:
    house, record = tmp_path / "house.yaml", tmp_path / "record.jsonl"
    house.write_text(FILE.replace("tie_odds: 9", "tie_odds: 7"), encoding="utf-8")
    play = [["player", "9s"], ["banker", "4c"], ["player", "Td"], ["banker", "2h"]]
    told = {
        "table": "BAC-1",
        "round": "1",
        "chapter": "631a",
        "at": "2025-03-01T21:14:05-05:00",
        "play": play,
    }
    told |= {"wagers": [], "options": options} | ({"decks": decks} if decks is not None else {})
    record.write_text(json.dumps(told) + "\n", encoding="utf-8")
    ran = CliRunner().invoke(main, ["audit", str(record), "--house", str(house)])
    assert ran.exit_code == 2
    assert json.loads(ran.stdout)["error"].startswith(says)


def test_a_table_of_mini_craps_is_no_mistake() -> None:
    table = TableSetup(chapter="623a", sources={"T-1": "terminal", "D-1": "dice"}, game="mini_craps")
    house = House(
        house="craps", tables={"CR-1": table}, submissions=[Submission(date(2019, 1, 1), "623a", {})]
    )
    assert mistakes(house) == []
