"""Coupon logs as the verb `audit` takes them, and the ledger as a nightly job keeps it."""

import json
import random
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from projections.engine.audit.round_records import micros
from projections.programmes.coupons.coupon_audit import judge_case, judge_coupons
from projections.programmes.coupons.ledger import CouponLedger
from replay.cli import main
from schemas import coupon_log, house
from schemas.house import DEFAULT
from tests.builders.json_schemas import print_schema, schema_faults
from tests.builders.texts import text_of
from tests.builders.thoroughness import examples
from tests.law.coupon_programme import (
    Happened,
    at,
    changed,
    found,
    given,
    judged,
    keeping,
    life,
    mailing,
    played,
    programme,
    without,
)

LOGS: list[Callable[[], list[Happened]]] = [programme, life, mailing, keeping]


def run(path: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["audit", str(path), *options])


def write(path: Path, *lines: Any) -> Path:
    text = [each if isinstance(each, str) else json.dumps(each) for each in lines]
    path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    return path


def case(number: Any, events: list[Happened]) -> dict[str, Any]:
    return {"case": number, "events": events}


NOT_DROPPED = without(programme(), "dropped", "1001")

# ── audit ────────────────────────────────────────────────────────────────────────────────────────────


def test_audit_answers_each_line_in_its_place(tmp_path: Path) -> None:
    path = write(
        tmp_path / "coupons.jsonl",
        case(1, programme()),
        case("two", NOT_DROPPED),
        "{",
        case(3, [{"event": "lost", "at": "2013-10-01T09:00:00Z"}]),
        case(4, life()),
    )
    ran = run(path)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.exit_code == 2
    assert answers[0] == {"case": 1, "verdict": "clean", "findings": []}
    assert (answers[1]["case"], answers[1]["verdict"]) == ("two", "mismatch")
    assert [each["line"] for each in answers[2:4]] == [3, 4]
    assert "$.events[0].event" in answers[3]["error"]
    assert answers[4] == {"case": 4, "verdict": "clean", "findings": []}


def test_a_finding_has_the_form_of_every_finding(tmp_path: Path) -> None:
    ran = run(write(tmp_path / "coupons.jsonl", case(1, NOT_DROPPED)))
    (finding,) = json.loads(ran.stdout)["findings"]
    assert ran.exit_code == 1
    assert finding.pop("id")
    assert finding.pop("message")
    assert finding == {
        "check": "coupon_not_dropped",
        "weight": "mismatch",
        "severity": "high",
        "citations": ["603a.21(e)"],
        "status": "proposed",
        "serial": "1001",
        "table": "BAC-1",
        "day": "2013-10-01",
    }


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        (
            "csv",
            [
                "case,verdict,findings",
                "1,clean,",
                (
                    "2,mismatch,coupon_not_dropped: coupon 1001 table BAC-1: "
                    "not dropped within 60 s of the settlement (603a.21(e))"
                ),
                ",unreadable,line 3: Input data was truncated",
            ],
        ),
        ("table", ["case", "verdict", "mismatch", "unreadable"]),
    ],
)
def test_audit_of_a_coupon_log_as_rows(tmp_path: Path, form: str, lines: list[str]) -> None:
    path = write(tmp_path / "coupons.jsonl", case(1, programme()), case(2, NOT_DROPPED), "{")
    ran = run(path, "--format", form)
    assert ran.exit_code == 2
    if form == "csv":
        assert ran.stdout.splitlines() == lines
    else:
        assert all(each in ran.stdout for each in lines)


@pytest.mark.parametrize(
    "first", ["", "{", "[]", "17", '{"case": 1}', '{"case": 1, "events": 5}', '{"why": 1}']
)
def test_a_coupon_log_is_known_by_its_first_line_that_says_so(tmp_path: Path, first: str) -> None:
    path = write(tmp_path / "coupons.jsonl", first, case(2, programme()))
    answers = [json.loads(line) for line in run(path).stdout.splitlines()]
    assert answers[-1] == {"case": 2, "verdict": "clean", "findings": []}
    assert all("error" in each for each in answers[:-1])


@pytest.mark.parametrize(
    "verb", [["hand", "BAC-1", "1"], ["explain", "0123456789abcdef"], ["export", "rounds"]]
)
def test_other_verbs_say_that_a_coupon_log_has_no_rounds(tmp_path: Path, verb: list[str]) -> None:
    path = str(write(tmp_path / "coupons.jsonl", case(1, programme())))
    call = [*verb, path] if verb[0] == "export" else [verb[0], path, *verb[1:]]
    ran = CliRunner().invoke(main, call)
    assert ran.exit_code == 2
    assert "coupon log" in ran.stderr


def test_a_house_says_how_it_holds_what_is_left_open(tmp_path: Path) -> None:
    late = changed(programme(), "dropped", "1001", at="2013-10-02T00:02:00Z")
    path = write(tmp_path / "coupons.jsonl", case(1, late))
    own = tmp_path / "house.yaml"
    own.write_text("house: Riverside\ncoupons: {drop_seconds: 90}\n", encoding="utf-8")
    assert (run(path).exit_code, run(path, "--house", str(own)).exit_code) == (1, 0)
    own.write_text("house: Riverside\ncoupons: {drop_minutes: 2}\n", encoding="utf-8")
    assert run(path, "--house", str(own)).exit_code == 2


def test_a_house_may_hold_the_text_in_force_later() -> None:
    later = house.parse("house: h\nin_force: {603a: {from: 2014-01-01}}", "here")
    read = coupon_log.read(msgspec.json.encode(case(1, programme())))
    concluded = judge_case(read, later)
    assert (concluded.verdict, [each.check for each in concluded.findings]) == (
        "undetermined",
        ["not_in_force"],
    )


@pytest.mark.parametrize("log", LOGS)
def test_coupon_logs_are_what_the_schema_says(log: Callable[[], list[Happened]]) -> None:
    document = print_schema("coupons")
    assert schema_faults(case(1, log()), document) == []
    dropped = next(each for each in log() if each["event"] == "dropped")
    changes: list[dict[str, Any]] = [{"at": 5}, {"event": "lost"}, {"serials": "1001"}]
    for change in changes:
        assert schema_faults(case(1, [*log(), dropped | change]), document) != []


def test_answers_are_what_the_schema_says(tmp_path: Path) -> None:
    answers = run(write(tmp_path / "coupons.jsonl", case(1, NOT_DROPPED), "{")).stdout.splitlines()
    for answer in answers:
        assert schema_faults(json.loads(answer), print_schema("findings")) == []


# ── what can be read ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "event",
    [
        {"event": "dropped", "at": "2013-10-01T09:00:00Z"},
        {"event": "dropped", "at": "2013-10-01T09:00:00Z", "first": "7"},
        {"event": "dropped", "at": "2013-10-01T09:00:00Z", "first": "A7", "last": "B8"},
        {"event": "dropped", "at": "2013-10-01T09:00:00Z", "first": 1, "last": 10**9},
        {"event": "dropped", "at": "2013-10-01T09:00:00", "serial": "7"},
        {"event": "dropped", "at": 5, "serial": "7"},
        {"event": "dropped", "serial": "7"},
        {"at": "2013-10-01T09:00:00Z", "serial": "7"},
        {"event": "received", "at": "2013-10-01T09:00:00Z", "serial": "7", "quantity": -1},
        {"event": "received", "at": "2013-10-01T09:00:00Z", "serial": "7", "expires": "2013-02-30"},
        {"event": "settled", "at": "2013-10-01T09:00:00Z", "serial": "7", "result": "push"},
        {"event": "approved", "at": "2013-10-01T09:00:00Z", "what": "everything"},
        {"event": "quarterly_report", "at": "2013-10-01T09:00:00Z", "quarter": "2013-Q4"},
        {"event": "inventoried", "at": "2013-10-01T09:00:00Z", "counted": {"ten": 5}},
        {"event": "closed", "at": "1066-10-14T09:00:00Z"},
        {"event": "closed", "at": "9999-12-31T23:59:59Z"},
    ],
)
def test_an_event_that_cannot_be_read_costs_its_line(tmp_path: Path, event: Happened) -> None:
    path = write(tmp_path / "coupons.jsonl", case(1, [event]), case(2, programme()))
    first, second = (json.loads(line) for line in run(path).stdout.splitlines())
    assert first.keys() == {"line", "error"}
    assert second["verdict"] == "clean"


def test_fields_that_are_not_known_are_passed_over() -> None:
    events = [each | {"operator": "x", "note": {"a": [1]}} for each in programme()]
    assert judged(events).verdict == "clean"


def test_null_is_as_absent() -> None:
    for field in ("stored_secured", "content", "recorded_by", "date", "source"):
        absent = found(changed(programme(), "received", **{field: ...}))
        assert found(changed(programme(), "received", **{field: None})) == absent


# ── one life in any order, on any number of nights ───────────────────────────────────────────────────


@pytest.mark.parametrize("log", LOGS)
def test_the_order_in_which_events_arrive_does_not_matter(log: Callable[[], list[Happened]]) -> None:
    # Events of one moment stay in their order; here each has its own.
    events = [
        each | {"at": f"{each['at'][:-1]}.{n:03d}Z"}
        for n, each in enumerate(without(log(), "dropped", "1001"))
    ]
    shuffled = random.Random(7).sample(events, len(events))  # noqa: S311  a shuffle that repeats
    assert judged(shuffled) == judged(events)


def day_of(moment: datetime) -> date:
    return DEFAULT.gaming_date(micros(moment))


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("fault", ["dropped", "counted", "returned", "cancelled", "distributed", None])
def test_night_by_night_is_as_in_one_go(log: Callable[[], list[Happened]], fault: str | None) -> None:
    """The ledger is written and read between the nights, as a job that ends does."""
    events = coupon_log.read(msgspec.json.encode(case(1, without(log(), fault) if fault else log()))).events
    at_once = judge_coupons(events, DEFAULT.coupons, day_of)
    nights = sorted({day_of(each.at) for each in events})
    ledger, found_by_night = CouponLedger(), []
    for night in nights:
        of_night = [each for each in events if day_of(each.at) == night]
        found_by_night += judge_coupons(of_night, DEFAULT.coupons, day_of, ledger=ledger)
        ledger = msgspec.json.decode(msgspec.json.encode(ledger), type=CouponLedger)
    assert found_by_night == at_once
    assert bool(at_once) is (fault is not None and any(each["event"] == fault for each in log()))


def test_a_finding_keeps_its_id_and_has_its_own() -> None:
    first = judged(without(NOT_DROPPED, "dropped"))
    again = judged(without(NOT_DROPPED, "dropped"))
    ids = [each.id for each in first.findings]
    assert ids == [each.id for each in again.findings]
    assert len(set(ids)) == len(ids) == 2


@settings(max_examples=examples(50, 150), deadline=None)
@drawn(st.data())
def test_any_log_is_judged(data: st.DataObject) -> None:
    """Any events in any order, with fields missing and times moved, give findings with citations."""
    known = [each for log in LOGS for each in log()]
    events = []
    for each in data.draw(st.lists(st.sampled_from(known), max_size=25)):
        lost = data.draw(st.sets(st.sampled_from(sorted(each)), max_size=3)) - {
            "event",
            "at",
            "serial",
            "serials",
        }
        kept = {name: value for name, value in each.items() if name not in lost - {"first", "last"}}
        moved = data.draw(st.datetimes(datetime(2013, 2, 1), datetime(2014, 12, 31)))  # noqa: DTZ001  read as UTC
        events.append(kept | ({"at": f"{moved.isoformat()}Z"} if data.draw(st.booleans()) else {}))
    concluded = judged(events)
    assert all(each.citations and text_of(each.message) for each in concluded.findings)
    assert concluded.verdict == ("clean" if not concluded.findings else concluded.verdict)


# ── days, hours and numbers that are easily taken wrongly ────────────────────────────────────────────


def test_a_day_that_begins_before_six() -> None:
    # Received and issued at five in the morning, of the gaming day before by the clock, for the 1st.
    events = changed(programme(), "received", at="2013-10-01T09:00:00Z")
    events = changed(events, "requisitioned", at="2013-10-01T09:10:00Z")
    events = changed(events, "issued", at="2013-10-01T09:20:00Z", recorded_at="2013-10-01T09:15:00Z")
    assert found(changed(events, "distributed", "1001", at="2013-10-01T09:50:00Z")) == []


def test_what_comes_back_in_the_morning() -> None:
    # 1005 is given back on the 2nd before the 1st is reconciled.
    morning = changed(programme(), "returned", at="2013-10-02T12:00:00Z", date="2013-10-02")
    assert found(morning) == []
    assert "reconciliation_wrong" in [each[0] for each in found(changed(morning, "reconciled", returned=2))]


def test_issued_the_evening_before() -> None:
    asked = changed(programme(), "requisitioned", needed_for="2013-10-02")
    events = changed(asked, "day_closed", at="2013-10-03T03:30:00Z", date="2013-10-02")
    form = next(each for each in events if each["event"] == "day_closed")["form"] | {"date": "2013-10-02"}
    events = changed(events, "day_closed", form=form)
    for serial in ("1001", "1002", "1003"):
        events = changed(events, "distributed", serial, at="2013-10-02T15:00:00Z")
    events = [each for each in events if each["event"] not in ("played", "settled", "dropped", "counted")]
    events = changed(events, "voided", at="2013-10-02T16:00:00Z")
    events = changed(events, "returned", at="2013-10-03T03:40:00Z", date="2013-10-02")
    told = {"at": "2013-10-03T16:00:00Z", "for": "2013-10-02", "redeemed": 0}
    events = changed(changed(events, "reconciled", **told), "closed", at="2013-10-03T20:00:00Z")
    events = changed(events, "cancelled", serials=["1004"], at="2013-10-03T15:00:00Z")
    assert found(events) == []


def test_a_log_that_goes_on_is_not_held_to_what_is_still_to_come() -> None:
    # Without `closed`, no one knows that what is lacking will not follow.
    for n in range(3, len(programme())):
        assert found(programme()[:n]) == []


def test_a_second_receipt_and_a_second_requisition() -> None:
    more: list[Happened] = [
        next(each for each in programme() if each["event"] == "received")
        | {"at": "2013-10-02T13:00:00Z", "first": "2001", "last": "2010"}
    ]
    assert found([*programme()[:-1], *more]) == []
    assert found([*programme()[:-1], *more, given("2001", "x", "2013-10-02T18:00:00")])[0][:2] == (
        "distributed_not_issued",
        "603a.20(h)",
    )


def test_two_faults_are_two_findings() -> None:
    events = changed(programme(), "played", "1001", visible=False, by="cashier")
    assert [each[0] for each in found(events)] == ["coupon_value_hidden", "coupon_redeemer_wrong"]


def test_numbers_are_names_too() -> None:
    def plain(value: Any) -> Any:
        if isinstance(value, str) and value.isdecimal():
            return int(value)
        if isinstance(value, list):
            return [plain(each) for each in value]
        return value

    events = [{name: plain(value) for name, value in each.items()} for each in programme()]
    assert found(events) == []


def test_a_play_that_no_one_saw_settled_is_open_until_its_day_is_reconciled() -> None:
    events = [each for each in programme() if each["event"] != "closed"]
    late = played("1003", "cora", "5", 10)
    n = next(n for n, each in enumerate(events) if each["event"] == "day_closed")
    with_it = [*events[:n], late, *events[n:]]
    assert found(with_it) == []
    assert found([*with_it, at("closed", "2013-10-03T20:00:00")]) == [
        ("coupon_not_dropped", "603a.21(e)", "1003")
    ]
