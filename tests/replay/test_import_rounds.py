"""Vendors' exports of rounds by mapping alone: what each cell becomes, and what is left out, and why."""

import json
from datetime import datetime, time
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner, Result
from openpyxl import Workbook

from replay.adaptors.played_rounds import Money, card_of
from replay.cli import main
from schemas.errors import BadInput
from streams.simulator.simulate import simulate
from tests.builders.documents import ROOT, page_files
from tests.builders.simulated_tables import doubled_rates

PUBLIC: Final = ROOT.parent / "shared" / "data" / "live_baccarat_rounds.csv"
MAPPING: Final = """
form: csv
time: {field: at}
rounds:
  chapter: 631a
  table: B-1
  decks: 8
  round: {field: n}
  in_turn: [player, banker]
  play:
  - {who: player, cards: {field: p, split: " "}}
  - {who: banker, cards: {field: b, split: " "}}
  wagers:
  - {seat: 2, wager: tie, amount: {field: tie}, gain: {field: won}}
"""
HEAD: Final = "n,at,p,b,tie,won\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def imported(
    folder: Path, rows: str, mapping: str = MAPPING
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Import rows; return the records, and what was left out."""
    (folder / "rows.csv").write_text(HEAD + rows, encoding="utf-8")
    (folder / "mapping.yaml").write_text(mapping, encoding="utf-8")
    rejects = folder / "rejects.jsonl"
    result = run("import", folder / "rows.csv", "--mapping", folder / "mapping.yaml", "--rejects", rejects)
    left_out = [json.loads(line) for line in rejects.read_text("utf-8").splitlines()]
    assert result.exit_code == bool(left_out)
    return [json.loads(line) for line in result.stdout.splitlines()], left_out


# ── one cell ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("written", "card"),
    [
        ("9s", "9s"), ("S9", "9s"), ("s-09", "9s"), ("9♠", "9s"), ("nine of spades", "9s"),
        ("Spades 9", "9s"), ("1d", "Ad"), ("D.11", "Jd"), ("12 d", "Qd"), ("KING/DIAMONDS", "Kd"),
        ("10C", "Tc"),
        ("tc", "Tc"),
        ("4", "4?"), ("0", "0?"), ("?h", "?h"), ("XX", "??"), ("-", "??"),
    ],
)  # fmt: skip
def test_a_card_is_read_in_the_usual_notations(written: str, card: str) -> None:
    assert card_of(written) == card


@pytest.mark.parametrize("written", ["", "6X", "14s", "9ss", "joker", "9s 8s", "E5", "0h9"])
def test_what_is_no_card_is_not_taken_for_one(written: str) -> None:
    with pytest.raises(BadInput):
        card_of(written)


@pytest.mark.parametrize(
    ("money", "written", "cents"),
    [
        (Money(), "1,234.56", 123456), (Money(), "$ 5", 500), (Money(), "(7.50)", -750),
        (Money(), "7.50-", -750),
        (Money(decimal=","), "1.234,5", 123450), (Money(unit="cents"), "1,234", 1234), (Money(), 2.5, 250),
    ],
)  # fmt: skip
def test_money_is_whole_cents(money: Money, written: object, cents: int) -> None:
    assert money.cents(written) == cents


@pytest.mark.parametrize(
    ("money", "written"),
    [
        (Money(), "1.005"), (Money(), "ten"), (Money(unit="cents"), "1.5"), (Money(), "nan"),
        # Of another country: $50.00, which would be $5,000.00, and $1,950.00, which would be $1.95.
        (Money(), "50,00"), (Money(), "1.950,00"), (Money(decimal=","), "12.50"), (Money(), "12,34,567"),
    ],
)  # fmt: skip
def test_a_part_of_a_cent_and_what_is_no_sum_are_refused(money: Money, written: str) -> None:
    with pytest.raises(BadInput):
        money.cents(written)


# ── one round ────────────────────────────────────────────────────────────────────────────────────────

GOOD: Final = "1,2025-03-01T22:00:00-05:00,9s Td,4c 2h,5,-5\n"


def test_hands_listed_one_by_one_are_dealt_in_turn_and_an_empty_wager_is_none(tmp_path: Path) -> None:
    records, left_out = imported(
        tmp_path,
        GOOD + "2,2025-03-01T22:01:00-05:00,2d 3h Ks,Ac 6s,,\n3,2025-03-01T22:02:00-05:00,9s Td,4c 2h,0,\n",
    )
    assert not left_out
    assert [each["wagers"] for each in records] == [[{"seat": 2, "wager": "tie", "cents": 500}], [], []]
    assert [each.get("paid") for each in records] == [
        [{"seat": 2, "wager": "tie", "cents": -500}],
        None,
        None,
    ]
    thirds = [["player", "2d"], ["banker", "Ac"], ["player", "3h"], ["banker", "6s"], ["player", "Ks"]]
    assert records[1]["play"] == thirds


@pytest.mark.parametrize(
    "row",
    [
        "2,2025-03-01T22:00:00-05:00,9s 6X,4c 2h,5,-5",
        "2,2025-03-01T22:00:00-05:00,9s Td,4c 2h,5.005,-5",
        "2,noon,9s Td,4c 2h,5,-5",
        "2,,9s Td,4c 2h,5,-5",
        "2,2025-03-01T22:00:00-05:00,9s Td,4c 2h,-5,5",
        "2,2025-03-01T22:00:00-05:00,9s Td,4c",
    ],
    ids=["card", "part of a cent", "time", "no time", "sum below zero", "cells lacking"],
)
def test_a_row_that_does_not_fit_is_left_out_alone(tmp_path: Path, row: str) -> None:
    records, left_out = imported(tmp_path, f"{row}\n{GOOD}")
    assert [each["round"] for each in records] == ["1"]
    assert [(each["line"], each["why"]) for each in left_out] == [(2, "unreadable")]


def test_a_repeated_round_is_written_once_and_a_contradictory_one_not_at_all(
    tmp_path: Path,
) -> None:
    otherwise = "3,2025-03-01T23:00:00-05:00,9s Td,4c 2h,,\n3,2025-03-01T23:00:00-05:00,9s Td,4c 3h,,\n"
    records, left_out = imported(tmp_path, GOOD + GOOD + otherwise)
    assert [each["round"] for each in records] == ["1"]
    assert [(each["line"], each["why"]) for each in left_out] == [
        (3, "repeated"),
        (4, "ambiguous"),
        (5, "ambiguous"),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("chapter: 631a", "chapter: 999"),
        ("wager: tie", "wager: {field: tie, values: {x: tie}}"),
        ("who: banker", "who: nobody"),
    ],
    ids=["chapter", "word of no value", "hand"],
)
def test_what_the_law_or_the_mapping_does_not_have_is_left_out(tmp_path: Path, old: str, new: str) -> None:
    records, left_out = imported(tmp_path, GOOD, MAPPING.replace(old, new))
    assert not records
    assert [each["line"] for each in left_out] == [2]


@pytest.mark.parametrize(
    "fault",
    [
        "form: csv\nrounds: {chapter: 631a, table: B, round: 1}\n",
        MAPPING + "table: B-1\ndevice: D\nrules: [{event: ItemMoved}]\n",
        "form: csv\n",
        MAPPING + "separator: ab\n",
        MAPPING.replace("in_turn", "inturn"),
    ],
    ids=["no play", "rules as well", "neither", "separator", "unknown key"],
)
def test_a_mapping_at_fault_is_refused_before_anything_is_read(tmp_path: Path, fault: str) -> None:
    (tmp_path / "rows.csv").write_text(HEAD + GOOD, encoding="utf-8")
    (tmp_path / "mapping.yaml").write_text(fault, encoding="utf-8")
    result = run("import", tmp_path / "rows.csv", "--mapping", tmp_path / "mapping.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "mapping.yaml" in result.stderr


# ── whole files ──────────────────────────────────────────────────────────────────────────────────────


def test_the_proposal_for_a_public_log_needs_its_table_alone(tmp_path: Path) -> None:
    proposed = run("map", "suggest", PUBLIC).stdout
    mapping = proposed.replace("  chapter: 631a\n", "  chapter: 631a\n  table: B-1\n  decks: 8\n")
    (tmp_path / "mapping.yaml").write_text(mapping.replace("America/New_York", "UTC"), encoding="utf-8")
    by_mapping = run("import", PUBLIC, "--mapping", tmp_path / "mapping.yaml")
    shown = page_files((ROOT / "docs" / "import.md").read_text(encoding="utf-8"))["rounds.yaml"]
    on_page = shown.replace("table: BAC-602\n", "table: B-1\n  decks: 8\n")
    (tmp_path / "page.yaml").write_text(on_page, encoding="utf-8")
    assert run("import", PUBLIC, "--mapping", tmp_path / "page.yaml").stdout == by_mapping.stdout
    assert len(by_mapping.stdout.splitlines()) == 135


def test_a_workbook_has_its_rounds_on_a_sheet(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.create_sheet("Hands")
    sheet.append(["n", "at", None, "p", "b", "tie", "won"])
    sheet.append([1, "2025-03-01T22:00:00-05:00", "x", "9s Td", "4c 2h", 5, -5])
    sheet.append([None] * 7)
    book.save(tmp_path / "rows.xlsx")
    named = MAPPING.replace("form: csv", "form: xlsx\nrecords: Hands")
    (tmp_path / "mapping.yaml").write_text(named, encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text(named.replace("Hands", "Rounds"), encoding="utf-8")
    result = run("import", tmp_path / "rows.xlsx", "--mapping", tmp_path / "mapping.yaml")
    (record,) = (json.loads(line) for line in result.stdout.splitlines())
    assert (record["round"], record["paid"]) == ("1", [{"seat": 2, "wager": "tie", "cents": -500}])
    assert run("import", tmp_path / "rows.xlsx", "--mapping", tmp_path / "wrong.yaml").exit_code == 2


def test_exported_rounds_of_every_game_read_back_to_the_same_verdicts(tmp_path: Path) -> None:
    floor = tmp_path / "floor"
    rates = doubled_rates()
    simulate(floor, tables=11, hours=0.4, seed="back", rates=rates, mixed=True)
    run("export", "rounds", floor, "--out", tmp_path / "rounds.jsonl")
    verdicts = run("audit", tmp_path / "rounds.jsonl").stdout
    assert len(verdicts.splitlines()) > 120
    for form in ("csv", "parquet"):
        run("export", "rounds", floor, "--format", form, "--out", tmp_path / f"rounds.{form}")
        run("import", tmp_path / f"rounds.{form}", "--out", tmp_path / f"{form}.jsonl")
        assert run("audit", tmp_path / f"{form}.jsonl").stdout == verdicts


def test_a_form_that_was_described_to_us_is_proposed_as_the_page_has_it(tmp_path: Path) -> None:
    """The file is our own rendering of the description, and no vendor's."""
    shown = page_files((ROOT / "docs" / "import.md").read_text(encoding="utf-8"))
    rows, mapping = shown["games.csv"], shown["games.yaml"]
    (tmp_path / "games.csv").write_text(rows, encoding="utf-8")
    proposed = run("map", "suggest", tmp_path / "games.csv").stdout
    assert msgspec.yaml.decode(proposed) == msgspec.yaml.decode(mapping)
    assert "# Columns" not in proposed
    (tmp_path / "games.yaml").write_text(mapping, encoding="utf-8")
    records = tmp_path / "rounds.jsonl"
    written = run("import", tmp_path / "games.csv", "--mapping", tmp_path / "games.yaml", "--out", records)
    assert written.exit_code == 0
    # 9 and 10 against 4 and 2: 9 to 6. 5 and 2 stay on 7; king and 2 draw a 5 against it, and tie.
    answers = [json.loads(line) for line in run("audit", records).stdout.splitlines()]
    assert [(each["verdict"], each["outcome"]) for each in answers] == [("clean", "player"), ("clean", "tie")]
    assert [[each["cents"] for each in answer["expected"]] for answer in answers] == [[-3500], [0]]


def test_columns_of_money_and_marks_between_them_are_proposed(tmp_path: Path) -> None:
    (tmp_path / "hands.csv").write_text(
        "Table;Hand No;Start;Player Cards;Banker Cards;Winner;Seat 3 Banker;Seat 3 Banker Paid;Colour\n"
        "14;7;03/31/2025 08:15:00 PM;9s Td;4c 2h;P;35;0;red\n",
        encoding="utf-8",
    )
    proposed = run("map", "suggest", tmp_path / "hands.csv").stdout
    assert "# Columns that are not used: Colour" in proposed
    (tmp_path / "mapping.yaml").write_text(proposed, encoding="utf-8")
    result = run("import", tmp_path / "hands.csv", "--mapping", tmp_path / "mapping.yaml")
    (record,) = (json.loads(line) for line in result.stdout.splitlines())
    assert record["at"] == "2025-04-01T00:15:00Z"
    assert record["play"] == [["player", "9s"], ["banker", "4c"], ["player", "Td"], ["banker", "2h"]]
    assert (record["table"], record["round"], record["announced"]) == ("14", "7", "player")
    assert record["paid"] == [{"seat": 3, "wager": "banker", "cents": -3500}]


# The first example of docs/import.md: sums with a comma, one cell of cards that is none.
EUROPEAN: Final = """\
Table;Hand;Start;PlayerCards;BankerCards;Result;S1 Banker;S1 Banker Paid
14;201;01.03.2025 20:15:00;9\u2660 T\u2666;4\u2663 2\u2665;P;35,00;0,00
14;202;01.03.2025 20:16:10;2\u2666 3\u2665 K\u2660;A\u2663 6\u2660;B;1.000,00;2.000,00
14;203;01.03.2025 20:17:30;2\u2666 3\u2665;A\u2663 6X;B;;
"""


def test_a_comma_before_the_fraction_is_proposed_and_a_bad_cell_takes_no_column_away(tmp_path: Path) -> None:
    export, mapping = tmp_path / "hands.csv", tmp_path / "mapping.yaml"
    export.write_text(EUROPEAN, encoding="utf-8")
    mapping.write_text(run("map", "suggest", export).stdout, encoding="utf-8")
    result = run("import", export, "--mapping", mapping)
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert [each["wagers"][0]["cents"] for each in (first, second)] == [3500, 100_000]
    assert [each["paid"][0]["cents"] for each in (first, second)] == [-3500, 100_000]
    assert second["play"][-1] == ["player", "Ks"]
    assert (result.exit_code, result.stderr.count("'6X' is no card")) == (1, 1)


def test_a_round_is_not_proposed_with_the_cards_of_one_hand(tmp_path: Path) -> None:
    export = tmp_path / "hands.csv"
    export.write_text(EUROPEAN.replace("BankerCards", "Kaarten"), encoding="utf-8")
    proposed = run("map", "suggest", export).stdout
    assert "# To be filled in: play" in proposed
    assert "# Columns that are not used: PlayerCards, Kaarten" in proposed


def test_the_vigorish_of_a_seat_is_its_banker_wagers_and_may_be_off_what_is_paid(tmp_path: Path) -> None:
    export = tmp_path / "hands.csv"
    head, _, rows = EUROPEAN.partition("\n")
    head += ";S1 Vig;S3 Player;S3 Player Paid\n"
    rows = rows.replace("2.000,00", "1.950,00;50,00;;").replace("0,00\n", "0,00;;25,00;0,00\n")
    export.write_text(head + rows.replace("B;;\n", "B;;;;;\n"), encoding="utf-8")
    proposed = msgspec.yaml.decode(run("map", "suggest", export).stdout)
    assert proposed["rounds"]["wagers"] == [
        {
            "seat": 1,
            "wager": "banker",
            "amount": {"field": "S1 Banker"},
            "returned": {"field": "S1 Banker Paid"},
            "vigorish": {"field": "S1 Vig"},
            "less_vigorish": True,
        },
        {
            "seat": 3,
            "wager": "player",
            "amount": {"field": "S3 Player"},
            "returned": {"field": "S3 Player Paid"},
        },
    ]
    export.write_text(export.read_text("utf-8").replace("1.950,00", "2.000,00"), encoding="utf-8")
    again = msgspec.yaml.decode(run("map", "suggest", export).stdout)
    assert "less_vigorish" not in again["rounds"]["wagers"][0]


# ── dates, hours and encodings ───────────────────────────────────────────────────────────────────────

TWO_COLUMNS: Final = """\
Table,Hand,Date,Time,Player Cards,Banker Cards,Dealer
BAC-1,7,03/31/2025,08:15:00 PM,9s Td,4c 2h,Zo\u00eb
"""


def test_a_date_and_a_time_in_two_columns_are_one_time(tmp_path: Path) -> None:
    export, mapping = tmp_path / "hands.csv", tmp_path / "mapping.yaml"
    export.write_text(TWO_COLUMNS, encoding="utf-8")
    proposed = run("map", "suggest", export).stdout
    assert msgspec.yaml.decode(proposed)["time"] == {
        "field": ["Date", "Time"],
        "format": "%m/%d/%Y %I:%M:%S %p",
    }
    mapping.write_text(proposed, encoding="utf-8")
    (record,) = (json.loads(line) for line in run("import", export, "--mapping", mapping).stdout.splitlines())
    assert record["at"] == "2025-04-01T00:15:00Z"
    mapping.write_text(proposed.replace("Date, Time", "Date, Tim"), encoding="utf-8")
    assert "there is no column 'Tim'; nearest: Time" in run("import", export, "--mapping", mapping).stderr


def test_a_workbooks_day_and_hour_are_one_time(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["n", "day", "hour", "p", "b", "tie", "won"])
    sheet.append([1, datetime(2025, 3, 1), time(22), "9s Td", "4c 2h", None, None])  # noqa: DTZ001  a cell has no zone
    book.save(tmp_path / "rows.xlsx")
    of_two = MAPPING.replace("form: csv", "form: xlsx").replace("{field: at}", "{field: [day, hour]}")
    (tmp_path / "mapping.yaml").write_text(of_two, encoding="utf-8")
    result = run("import", tmp_path / "rows.xlsx", "--mapping", tmp_path / "mapping.yaml")
    (record,) = (json.loads(line) for line in result.stdout.splitlines())
    assert record["at"] == "2025-03-01T22:00:00Z"


@pytest.mark.parametrize(
    ("time_of", "word"),
    [
        ('{field: at, format: "%d.%m.%Y"}', "hour"),
        ('{field: at, format: "%H:%M"}', "date"),
        ('{field: at, format: "%Y-%m-%d %I:%M"}', "%p"),
        ('{field: at, format: "%Y-%m-%d %Q"}', "directive"),
    ],
)
def test_a_format_that_loses_the_hour_or_the_date_is_refused(tmp_path: Path, time_of: str, word: str) -> None:
    export, mapping = tmp_path / "rows.csv", tmp_path / "mapping.yaml"
    export.write_text(HEAD, encoding="utf-8")
    mapping.write_text(MAPPING.replace("{field: at}", time_of), encoding="utf-8")
    result = run("import", export, "--mapping", mapping)
    assert (result.exit_code, result.stdout) == (2, "")
    assert word in result.stderr


def test_a_date_alone_is_no_time_and_with_time_none_it_is_noon_of_that_day(tmp_path: Path) -> None:
    row = "1,2025-03-01,9s Td,4c 2h,,\n"
    records, left_out = imported(tmp_path, row)
    assert (records, len(left_out)) == ([], 1)
    assert "has no hour" in left_out[0]["reason"]
    none = MAPPING.replace("time: {field: at}", "time: none\nzone: America/New_York")
    dated = none.replace("  decks: 8\n", '  gaming_date: {field: at, format: "%d.%m.%Y"}\n')
    (record,), _ = imported(tmp_path, row.replace("2025-03-01", "01.03.2025"), dated)
    assert (record["at"], record["gaming_date"]) == ("2025-03-01T17:00:00Z", "2025-03-01")
    (tmp_path / "mapping.yaml").write_text(none, encoding="utf-8")
    by_day = ["import", tmp_path / "rows.csv", "--mapping", tmp_path / "mapping.yaml", "--gaming-day"]
    assert json.loads(run(*by_day, "2025-03-02").stdout)["gaming_date"] == "2025-03-02"
    (tmp_path / "mapping.yaml").write_text(dated, encoding="utf-8")
    assert run(*by_day, "2025-03-02").exit_code == 2


def test_another_encoding_is_named_and_proposed(tmp_path: Path) -> None:
    export, mapping = tmp_path / "hands.csv", tmp_path / "mapping.yaml"
    export.write_text(TWO_COLUMNS, encoding="latin-1")
    proposed = run("map", "suggest", export).stdout
    assert msgspec.yaml.decode(proposed)["encoding"] == "cp1252"
    mapping.write_text(proposed, encoding="utf-8")
    assert json.loads(run("import", export, "--mapping", mapping).stdout)["dealer"] == "Zo\u00eb"
    mapping.write_text(proposed.replace("encoding: cp1252\n", ""), encoding="utf-8")
    refused = run("import", export, "--mapping", mapping)
    assert refused.exit_code == 2
    assert "hands.csv: line 2: byte 0xeb" in refused.stderr
    assert "`encoding: cp1252`" in refused.stderr


def test_a_proposal_is_made_from_standard_input(tmp_path: Path) -> None:
    export = tmp_path / "hands.csv"
    export.write_text(TWO_COLUMNS, encoding="utf-8")
    piped = CliRunner().invoke(main, ["map", "suggest", "-"], input=TWO_COLUMNS.encode())
    assert piped.exit_code == 0
    assert piped.stdout == run("map", "suggest", export).stdout


def test_rounds_that_each_shoe_numbers_anew_are_proposed_by_shoe_and_round(tmp_path: Path) -> None:
    export = tmp_path / "shoes.csv"
    export.write_text(
        'shoe,round,winner,point_values_player_then_banker\n1,1,P,"4,5,0,2"\n2,1,P,"4,5,0,2"\n',
        encoding="utf-8",
    )
    rounds = msgspec.yaml.decode(run("map", "suggest", export).stdout)["rounds"]
    assert rounds["round"] == {"field": ["shoe", "round"], "join": "-"}
    assert rounds["play"] == [
        {
            "who": ["player", "banker"],
            "cards": {"field": "point_values_player_then_banker", "split": ","},
        }
    ]


def test_cards_are_no_wager_and_a_seat_that_no_column_names_is_said(tmp_path: Path) -> None:
    export = tmp_path / "hands.csv"
    export.write_text("Table;Hand;Start;Player;Tie Bet\n14;7;2025-03-01 20:15;9s Td;5\n", encoding="utf-8")
    proposed = run("map", "suggest", export).stdout
    assert "# Columns that are not used: Player\n" in proposed
    assert "# Seat 1 stands where no column names a seat." in proposed


def test_a_column_that_is_not_there_is_named_before_any_row_is_left_out(tmp_path: Path) -> None:
    export, mapping = tmp_path / "hands.csv", tmp_path / "mapping.yaml"
    export.write_text(EUROPEAN, encoding="utf-8")
    proposed = run("map", "suggest", export).stdout
    mapping.write_text(proposed.replace("field: Start", "field: Strat"), encoding="utf-8")
    result = run("import", export, "--mapping", mapping)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no column 'Strat'; nearest: Start" in result.stderr


def test_what_the_mapping_says_is_not_said_beside_it(tmp_path: Path) -> None:
    export, mapping = tmp_path / "hands.csv", tmp_path / "mapping.yaml"
    export.write_text(EUROPEAN, encoding="utf-8")
    mapping.write_text(run("map", "suggest", export).stdout, encoding="utf-8")
    assert run("import", export, "--mapping", mapping, "--decks", 8).exit_code == 2
