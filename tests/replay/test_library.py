"""`import discardrack`: what a program may use of it."""

import io
import json
import re
from contextlib import redirect_stdout
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import discardrack
from replay.exports.flat_rows import FLAT
from tests.builders.round_records import UNDERPAID


def test_a_record_is_judged_in_whatever_form_it_comes() -> None:
    by_text = discardrack.judge(json.dumps(UNDERPAID))
    assert by_text == discardrack.judge(UNDERPAID) == discardrack.judge(json.dumps(UNDERPAID).encode())
    assert [each.net_cents for each in by_text.findings] == [-500]


@pytest.mark.parametrize(
    ("changed", "says"), [({"chapter": "999"}, "999"), ({"play": [["player", "Zz"]]}, "Zz")]
)
def test_what_is_no_record_is_refused_and_why(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(discardrack.BadInput, match=says):
        discardrack.judge(UNDERPAID | changed)


def test_a_file_is_audited_conclusion_by_conclusion(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text("".join(json.dumps(UNDERPAID | {"round": str(number)}) + "\n" for number in (1, 2)))
    assert [each.round for each in discardrack.audit(path)] == ["1", "2"]
    path.write_text(json.dumps(UNDERPAID) + "\nno record\n")
    audited = discardrack.audit(path)
    assert next(audited).verdict == "mismatch"
    with pytest.raises(discardrack.BadInput, match=r"rounds\.jsonl:2: "):
        next(audited)


def test_what_cannot_be_read_is_passed_over_where_somebody_takes_note_of_it(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text(f"no record\n{json.dumps(UNDERPAID)}\nnor this\n")
    noted: list[str] = []
    assert [each.verdict for each in discardrack.audit(path, unread=noted.append)] == ["mismatch"]
    assert [each.partition(": ")[0] for each in noted] == [f"{path}:1", f"{path}:3"]
    assert discardrack.table(path, unread=noted.append).num_rows == 1
    assert len(noted) == 4


def test_a_house_file_says_what_the_house_chose(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(
        "house: a\ntables: {BAC-1: {chapter: 631a, decks: 8, sources: {T-1: terminal}}}\n"
        "submissions: [{from: 2024-01-01, chapter: 631a, options: {match_play_pays: even}}]\n"
    )
    house = discardrack.house(path)
    assert isinstance(house, discardrack.House)
    assert discardrack.judge(UNDERPAID, house).verdict == "mismatch"


def test_the_page_on_it_is_true() -> None:
    page = (Path(__file__).parents[2] / "docs" / "library.md").read_text("utf-8")
    code, printed = re.findall(r"```(?:python)?\n(.*?)```", page, re.DOTALL)[:2]
    out = io.StringIO()
    with redirect_stdout(out):
        exec(code, {})  # noqa: S102  our own page
    assert out.getvalue() == printed
    names, columns = page.split("## Data frames")
    named = set(re.findall(r"^\| `(\w+)|, `(\w+)` \|", names, re.MULTILINE))
    assert {one or other for one, other in named} | {"House"} == set(discardrack.__all__)
    for what in ("rounds", "findings"):
        _, part = columns.split(f"**{what}**")
        listed = re.findall(r"`(\w+)`", part.partition("\n\n|")[2].partition("\n\n")[0])
        assert sorted(listed) == sorted(column.name for column in FLAT[what][1])


def test_a_table_of_arrow_has_a_row_a_finding_or_a_wager(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text("".join(json.dumps(UNDERPAID | {"round": str(number)}) + "\n" for number in (1, 2)))
    findings, rounds = discardrack.table(path), discardrack.table(path, "rounds")
    assert findings.column("net_cents").to_pylist() == [-500, -500]
    assert findings.column("gaming_date").to_pylist() == [date(2025, 1, 1)] * 2
    assert rounds.column("paid_cents").to_pylist() == [2000, 2000]
    assert [str(rounds.schema.field(name).type) for name in ("cents", "at")] == [
        "int64",
        "timestamp[us, tz=UTC]",
    ]
