"""`diff`: empty where two audits say the same, and every field where they do not."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest

from projections.store.runs import RunKind, begin_run
from projections.store.store import Store
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from schemas import events as e
from streams import log
from streams.log import Unread
from tests.builders.round_records import BANKER, build_record, run_verb, write_records, write_script_floor
from tests.builders.round_records import TIE as TIED
from tests.builders.table_script import BANKER_WINS, TIE, Script, Spot, build_house

ANN: Spot = (3, "tie")
Rows = list[dict[str, Any]]


def rows(*arguments: object) -> Rows:
    """Return what differs, and hold the exit status to it."""
    result = run_verb("diff", *arguments, "--format", "jsonl")
    assert result.exit_code == (1 if result.stdout else 0), result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def folder(path: Path, script: Script, **options: Any) -> Path:
    path.mkdir()
    return write_script_floor(path, script, build_house(**options))


def ties(paid: int = 8000) -> Script:
    s = Script()
    s.open()
    s.say("T", e.DealerAssigned, dealer="dana", calling=True)
    s.play(TIE, {ANN: 1000}, "tie", {ANN: paid})
    s.play(BANKER_WINS, {ANN: 500}, "banker", {ANN: -500})
    s.close()
    return s


def answers(path: Path, of: Path, *arguments: object) -> Path:
    path.write_text(run_verb("audit", of, *arguments).stdout, encoding="utf-8")
    return path


def stored(path: Path, of: Path, kind: RunKind = "recorded") -> Path:
    by = Recording(of).house
    concluded = [each for each in audit_logs(log.logs(of), by) if not isinstance(each, Unread)]
    with Store(path) as store:
        store.write(
            msgspec.structs.replace(begin_run("a floor"), kind=kind, run=f"run over {of.name}"),
            [(each.basis, each.conclusion, each.revision) for each in concluded],
        )
    return path


def told(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["round"], row["what"], row["of"], row["field"], row["a"], row["b"], row["difference_cents"]


def test_the_same_audit_in_every_shape_is_the_same(tmp_path: Path) -> None:
    floor = folder(tmp_path / "floor", ties())
    lines = answers(tmp_path / "a.jsonl", floor)
    store = stored(tmp_path / "a.duckdb", floor)
    for one in (floor, lines, store):
        for other in (floor, lines, store):
            assert rows(one, other) == []


def test_nothing_is_printed_in_any_form_where_nothing_differs(tmp_path: Path) -> None:
    floor = folder(tmp_path / "floor", ties())
    for form in ("table", "jsonl", "csv"):
        result = run_verb("diff", floor, floor, "--format", form)
        assert (result.exit_code, result.stdout) == (0, "")


def test_another_pay_table_differs_by_the_cent(tmp_path: Path) -> None:
    floor = folder(tmp_path / "floor", ties())
    nine = folder(tmp_path / "nine", ties(), tie_odds=9)
    found = rows(floor, floor, "--house-b", str(nine / "house.yaml"))
    plain = [told(row) for row in found if row["field"] != "rulebook"]
    ((finding,), rest) = (
        [row for row in plain if row[1] == "finding"],
        [row for row in plain if row[1] != "finding"],
    )
    # $10.00 at 9 to 1 is $90.00, and $80.00 was paid.
    assert rest == [
        ("1", "conclusion", "", "verdict", "clean", "mismatch", None),
        ("1", "settlement", "seat 3 tie", "expected_cents", 8000, 9000, 1000),
    ]
    assert finding[2].startswith("paid_too_little ")
    assert finding[4:] == (None, "seat 3: tie: paid $80.00, due $90.00: underpaid $10.00", -1000)


@pytest.mark.parametrize("shape", ["folder", "store"])
def test_observations_are_compared_if_both_sides_have_them(tmp_path: Path, shape: str) -> None:
    # Paid $90.00 and $85.00 for $80.00: either way too much, by $10.00 and by $5.00.
    one, other = folder(tmp_path / "one", ties(9000)), folder(tmp_path / "other", ties(8500))
    second = other if shape == "folder" else stored(tmp_path / "b.duckdb", other)
    found = {(row["what"], row["field"]): row["difference_cents"] for row in rows(one, second)}
    assert found[("settlement", "paid_cents")] == -500
    assert found[("finding", "observed_cents")] == found[("finding", "net_cents")] == -500
    # The lines that audit prints do not hold what was paid, but what was found of it.
    without = {(row["what"], row["field"]) for row in rows(answers(tmp_path / "a.jsonl", one), second)}
    assert ("settlement", "paid_cents") not in without
    assert ("finding", "observed_cents") in without


def test_a_round_that_one_side_alone_has(tmp_path: Path) -> None:
    one = build_record(BANKER, wagers=[{"seat": 1, "wager": "player", "cents": 1000}], announced="banker")
    more = build_record(TIED, announced="banker") | {"round": "9"}
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    a, b = write_records(tmp_path / "a", one), write_records(tmp_path / "b", one, more)
    (row,) = rows(a, b)
    assert (row["gaming_date"], row["table"], row["round"], row["what"], row["a"]) == (
        "2025-01-01", "BAC-7", "9", "only in B", None,
    )  # fmt: skip
    assert row["b"].startswith("mismatch: announced_wrong: ")
    (row,) = rows(b, a)
    assert (row["what"], row["b"]) == ("only in A", None)


def test_rounds_are_listed_in_the_order_in_which_people_count(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    some = [build_record(BANKER) | {"round": number} for number in ("10", "9", "100")]
    found = rows(
        write_records(tmp_path / "a", build_record(BANKER)),
        write_records(tmp_path / "b", build_record(BANKER), *some),
    )
    assert [row["round"] for row in found] == ["9", "10", "100"]


def test_a_line_that_one_side_could_not_read(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    good = write_records(tmp_path / "a", build_record(BANKER))
    bad = tmp_path / "bad.jsonl"
    bad.write_text(f"{good.read_text()}no record\n")
    lines = answers(tmp_path / "lines.jsonl", bad)
    assert rows(bad, lines) == []
    (row,) = rows(good, lines)
    assert (row["what"], row["round"]) == ("only in B", None)
    assert row["b"].startswith("unreadable: line 2: ")


def test_a_store_that_was_changed_by_hand_differs(tmp_path: Path) -> None:
    floor = folder(tmp_path / "floor", ties())
    store = stored(tmp_path / "a.duckdb", floor)
    with duckdb.connect(str(store)) as db:
        db.execute("UPDATE settlements SET paid_cents = 8100 WHERE paid_cents = 8000")
        db.execute("UPDATE rounds SET digest = 'another' WHERE round = '2'")
    assert [told(row) for row in rows(floor, store)] == [
        ("1", "settlement", "seat 3 tie", "paid_cents", 8000, 8100, 100),
        ("2", "store", "", "digest", "its own", "not its own", None),
    ]


def test_of_a_store_with_several_runs_one_is_named(tmp_path: Path) -> None:
    eight, nine = folder(tmp_path / "eight", ties()), folder(tmp_path / "nine", ties(), tie_odds=9)
    store = stored(stored(tmp_path / "a.duckdb", eight), nine)
    result = run_verb("diff", eight, store)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "say which run with --run-a or --run-b; there are " in result.stderr
    assert rows(eight, store, "--run-b", "run over eight") == []
    assert rows(nine, store, "--run-b", "run over nine") == []
    assert rows(eight, store, "--run-b", "run over nine")


def test_of_a_live_store_the_newest_runs_word_holds(tmp_path: Path) -> None:
    eight, nine = folder(tmp_path / "eight", ties()), folder(tmp_path / "nine", ties(), tie_odds=9)
    store = stored(stored(tmp_path / "a.duckdb", eight, "live"), nine, "live")
    assert rows(nine, store) == []


def test_every_form_has_the_same_rows(tmp_path: Path) -> None:
    one, other = folder(tmp_path / "one", ties(9000)), folder(tmp_path / "other", ties(8500))
    found = rows(one, other)
    text = run_verb("diff", one, other, "--format", "csv").stdout
    written = list(csv.DictReader(io.StringIO(text)))
    assert [list(row) for row in found] == [list(row) for row in written]
    assert [str(row["difference_cents"] or "") for row in found] == [
        row["difference_cents"] for row in written
    ]
    page = run_verb("diff", one, other).stdout
    assert len(page.splitlines()) == len(found) + 2
    assert "-$5.00" in page


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("/nowhere", "FLOOR"), "does not exist"),
        (("STORE", "FLOOR", "--house-a", "example"), "a store was audited already"),
        (("LINES", "FLOOR", "--house-a", "example"), "an audit's answers"),
        (("FLOOR", "FLOOR", "--run-a", "1"), "no store, so it has no run"),
        (("STORE", "FLOOR", "--run-a", "1"), "say which run"),
        (("HALF", "FLOOR"), "half.jsonl:2: no answer of audit"),
    ],
)
def test_a_wrong_call_says_what_to_do(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    floor = folder(tmp_path / "floor", ties())
    lines = answers(tmp_path / "a.jsonl", floor)
    half = tmp_path / "half.jsonl"
    half.write_text(f"{lines.read_text().splitlines()[0]}\n{{}}\n")
    named = {"FLOOR": floor, "LINES": lines, "STORE": stored(tmp_path / "a.duckdb", floor), "HALF": half}
    result = run_verb("diff", *(named.get(each, each) for each in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr
