"""The verb timeline: what stands in it, under which filters, in which form, and what it accounts for."""

import csv
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from click.testing import CliRunner, Result

from replay.cli import main
from replay.cli.timeline import Form
from schemas import events as e
from schemas.codec import encode
from tests.builders.nights import DAY, write_floor
from tests.builders.parquet_rows import parquet_rows
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, frame_of

SEAT_4: Final = (4, "player")
SEAT_2: Final = (2, "player")


def shift() -> Script:
    """Play three rounds: the second is paid 5.00 too much to seat 4, where P-9 sits."""
    s = Script()
    s.open()
    s.say("T", e.FloorpersonAssigned, floorperson="FL-1")
    s.say("T", e.DealerAssigned, dealer="D-1", calling=True)
    s.say("T", e.PlayerSeated, seat=4, patron="P-9")
    s.play(PLAYER_WINS, {SEAT_4: 2000}, "player", {SEAT_4: 2000})
    s.fill("F-1", 500_000)
    s.begin({SEAT_4: 2000, SEAT_2: 1000})
    s.no_more_bets({SEAT_4: 2000, SEAT_2: 1000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SEAT_4: 2500, SEAT_2: 1000})
    s.tell(e.FloorpersonAssigned, floorperson="FL-2")
    s.end()
    s.say("T", e.DealerRelieved, dealer="D-1")
    s.say("T", e.DealerAssigned, dealer="D-2", calling=True)
    s.say("T", e.PlayerLeft, seat=4)
    s.play(BANKER_WINS, {SEAT_2: 1000}, "banker", {SEAT_2: -1000})
    s.close()
    return s


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["timeline", *map(str, arguments)])


def rows(*arguments: object) -> list[dict[str, Any]]:
    ran = run(*arguments, "--format", "jsonl")
    assert ran.exit_code == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def short(found: list[dict[str, Any]]) -> list[str]:
    """Return rows in short: a round by number and verdict, a finding by its check, an event by its kind."""
    return [row["check"] or row["event"] or f"{row['round']} {row['verdict']}" for row in found]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_floor(tmp_path_factory.mktemp("timeline"), shift())


ALL: Final = [
    "TableOpened", "ShoeLoaded", "FloorpersonAssigned", "DealerAssigned", "1 clean", "FillReceived",
    "2 mismatch", "paid_too_much", "FloorpersonAssigned", "DealerRelieved", "DealerAssigned", "3 clean",
    "TableClosed",
]  # fmt: skip


def test_everything_stands_in_the_order_of_its_time(floor: Path) -> None:
    found = rows(floor)
    assert short(found) == ALL
    assert [row["at"] for row in found] == sorted(row["at"] for row in found)
    opened, overpaid, wrong = found[0], found[6], found[7]
    assert opened["at"] == "2025-04-01T09:33:20.500000Z"  # 05:33:20.5 in New York
    assert (overpaid["dealer"], overpaid["floorperson"], overpaid["outcome"]) == ("D-1", "FL-2", "player")
    assert overpaid["cents"] == 3500  # seat 4 got 25.00 and seat 2 its 10.00
    told = ("at", "round", "seat", "patron", "expected_cents", "observed_cents", "net_cents", "favours")
    assert [wrong[name] for name in told] == [
        overpaid["at"], "2", 4, "P-9", 2000, 2500, 500, "patron",
    ]  # fmt: skip
    audited = CliRunner().invoke(main, ["audit", str(floor)]).stdout.splitlines()
    (finding,) = (each for line in audited for each in json.loads(line)["findings"])
    for name in ("id", "check", "severity", "weight", "citations"):
        assert wrong[name] == finding[name]
    assert wrong["message"] == f"seat 4: {finding['message']}"
    assert found[5]["message"] == "fill received: slip F-1, $5,000.00"
    assert found[12]["dealer"] == "D-2"
    assert found[0]["dealer"] is None


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["--table", "BAC-1"], ALL),
        (["--game", "baccarat", "--gaming-day", "2025-04-01"], ALL),
        (["--game", "535"], []),
        (["--check", "paid_too_much"], ["2 mismatch", "paid_too_much", "FloorpersonAssigned"]),
        (["--severity", "medium", "--least-cents", "500"],
         ["2 mismatch", "paid_too_much", "FloorpersonAssigned"]),
        (["--severity", "critical"], []),
        (["--least-cents", "501"], ["FillReceived"]),
        (["--verdict", "clean"], ["1 clean", "3 clean"]),
        (["--verdict", "clean", "--verdict", "mismatch", "--round", "2"],
         ["2 mismatch", "paid_too_much", "FloorpersonAssigned"]),
        (["--seat", "2"], ["2 mismatch", "3 clean"]),
        (["--seat", "4"], ["1 clean", "2 mismatch", "paid_too_much"]),
        (["--patron", "P-9"], ["1 clean", "2 mismatch", "paid_too_much"]),
        (["--patron", "P-9", "--events", "--check", "paid_too_much"],
         ["2 mismatch", "paid_too_much", "ChipsPlaced", "StackSeen", "ChipsPaid"]),
        (["--dealer", "D-2"], ["DealerAssigned", "3 clean", "TableClosed"]),
        (["--supervisor", "FL-1"],
         ["FloorpersonAssigned", "DealerAssigned", "1 clean", "FillReceived"]),
        (["--supervisor", "FL-2", "--dealer", "D-1"],
         ["2 mismatch", "paid_too_much", "FloorpersonAssigned", "DealerRelieved"]),
        (["--shoe", "shoe 1", "--round", "3"], ["3 clean"]),
        (["--from", "2025-04-01T05:33:20.4", "--to", "2025-04-01T05:33:20.6"], ["TableOpened"]),
        (["--from", "2025-04-01T09:33:20.500001Z", "--to", "2025-04-01T05:33:22-04:00"],
         ["ShoeLoaded"]),
        (["--around", "2025-04-01T05:33:20.5", "--minutes", "0"], ["TableOpened"]),
        (["--around", "05:33:20.5", "--minutes", "0", "--gaming-day", DAY], ["TableOpened"]),
        (["--from", "09:33:20.4Z", "--to", "05:33:20.6", "--gaming-day", DAY], ["TableOpened"]),
    ],
)  # fmt: skip
def test_filters(floor: Path, asked: list[str], answer: list[str]) -> None:
    assert short(rows(floor, *asked)) == answer


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--table", "BAC-2"], "--table 'BAC-2': there is none; nearest: BAC-1"),
        (["--pit", "A"], "--pit 'A': there is none"),
        (["--game", "bacarat"], "nearest: Baccarat"),
        (["--check", "paid_to_much"], "nearest: paid_too_much"),
        (["--severity", "critcal"], "nearest: critical"),
        (["--verdict", "cleen"], "nearest: clean"),
        (["--dealer", "D-3"], "nearest: D-"),
        (["--supervisor", "FL-3"], "nearest: FL-"),
        (["--patron", "P-8"], "nearest: P-9"),
        (["--shoe", "shoe 2"], "nearest: shoe 1"),
        (["--check", "late_wager_taken"], "--check 'late_wager_taken': there is none; nearest: late_wager"),
        (["--game", "crabs"], "--game 'crabs': there is none; nearest: Craps\n"),
        (["--game", "mini baccarat"], "; nearest: Minibaccarat; Midibaccarat; Baccarat; 21 Baccarat"),
        (["--round", "4"], "--round '4': there is none\n"),
        (["--seat", "5"], "--seat '5': there is none\n"),
        (["--gaming-day", "2025-03-31"], "nothing of gaming day 2025-03-31 was recorded\n"),
        (["--gaming-day", "2025-04-01", "--gaming-day", "2025-04-02"], "nothing of gaming day 2025-04-02"),
        (["--gaming-day", "2025-04-02", "--table", "BAC-1"], "was recorded at the tables asked for"),
        (["--gaming-day", "9998-12-31"], "nothing of gaming day 9998-12-31 was recorded\n"),
        (["--from", "2025-04-01T13:30", "--to", "2025-04-01T13:29"], "--to '2025-04-01T13:29' is not after"),
        (["--from", "2025-04-01T13:30", "--to", "2025-04-01T13:30"], "is not after --from"),
        (
            ["--from", "2025-04-01T13:30", "--around", "2025-04-01T13:20"],
            "nothing of --around '2025-04-01T13:20' lies between --from and --to",
        ),
        (["--minutes", "5"], "--minutes goes with --around TIME"),
        (["--minutes", "5", "--from", "2025-04-01T05:33"], "--minutes goes with --around TIME"),
        (["--from", "noon"], "--from 'noon' is no time"),
        (
            ["--around", "13:29"],
            "write 2025-03-01T21:14, -05:00 or Z after it, or 21:14 beside one --gaming-day",
        ),
        (
            ["--around", "13:29", "--gaming-day", "2025-04-01", "--gaming-day", "2025-04-02"],
            "'13:29' is no time",
        ),
        (["--format", "html"], "say --out FILE"),
        (["--format", "timesketch", "--out", "x.json"], "ends in .jsonl"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is_nearest(floor: Path, asked: list[str], says: str) -> None:
    ran = run(floor, *asked)
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert says in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_a_time_that_comes_twice_is_read_widely(tmp_path: Path) -> None:
    # On 2 November 2025 01:30 in New York comes at 05:30 and at 06:30 UTC.
    autumn = Script(start=1_762_063_200_000_000)  # 06:00 UTC, between the two
    autumn.open()
    autumn.play(PLAYER_WINS, {SEAT_4: 2000}, "player", {SEAT_4: 2000})
    floor = write_floor(tmp_path, autumn)
    for asked in (["--from", "2025-11-02T01:30"], ["--to", "2025-11-02T01:30"]):
        assert short(rows(floor, *asked)) == ["TableOpened", "ShoeLoaded", "1 clean"]
    assert rows(floor, "--from", "2025-11-02T01:30-05:00") == []


# ── forms ────────────────────────────────────────────────────────────────────────────────────────────


def test_every_form_has_the_same_rows_in_the_same_order(floor: Path, tmp_path: Path) -> None:
    plain = rows(floor)
    told = list(csv.DictReader(io.StringIO(run(floor, "--format", "csv").stdout)))
    columns = ("at", "table", "round", "dealer", "check", "event", "verdict", "message", "id")
    assert [[row[name] for name in columns] for row in told] == [
        [row[name] or "" for name in columns] for row in plain
    ]
    for form, name in (("parquet", "p"), ("timesketch", "t.jsonl"), ("itrak", "i.csv"), ("html", "h.html")):
        ran = run(floor, "--format", form, "--out", tmp_path / name)
        assert (ran.exit_code, ran.stdout) == (0, ""), ran.stderr
    assert parquet_rows(tmp_path / "p", "microseconds") == plain
    sketch = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert [each["datetime"] for each in sketch] == [row["at"].replace("Z", "+00:00") for row in plain]
    assert [each.get("finding_id") for each in sketch] == [row["id"] for row in plain]
    assert sketch[0]["timestamp"] == 1_743_500_000_500_000
    assert {each["timestamp_desc"] for each in sketch} == {"Round opened", "Reported by the device"}
    assert all(each["message"] for each in sketch)
    incidents = list(csv.DictReader(io.StringIO((tmp_path / "i.csv").read_text())))
    assert [each["Reference"] for each in incidents] == [row["id"] or row["round"] or "" for row in plain]
    assert incidents[0]["Occurred Date"] == "2025-04-01 05:33:20"
    assert (incidents[7]["Specific"], incidents[7]["Category"]) == ("finding", "paid_too_much")
    page = (tmp_path / "h.html").read_text()
    assert page.count("<tr class=") == len(plain)
    assert "Rows shown" in page
    assert "<script" not in page
    assert '<td class="short">BAC-1</td>' in page  # no break at its hyphen
    assert '<td class="short">04/01/2025 5:33:20.500 AM EDT</td>' in page
    assert "td:first-of-type, .short { white-space: nowrap; }" in page
    table = run(floor).stdout.split("\n\n")[0].splitlines()
    # 9:33 UTC is 5:33 in New York.
    times = [f"04/01/2025 5{row['at'][13:23]} AM EDT" for row in plain]
    assert [line[:29] for line in table[1:]] == times


def test_the_same_bytes_each_time(floor: Path, tmp_path: Path) -> None:
    for form in ("html", "parquet", "timesketch", "itrak"):
        outs = [tmp_path / f"{form}-{n}.jsonl" for n in (1, 2)]
        for out in outs:
            run(floor, "--format", form, "--out", out)
        assert outs[0].read_bytes() == outs[1].read_bytes()
    assert run(floor).stdout == run(floor).stdout


def test_round_records_have_a_timeline_too(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "docs" / "example.jsonl"
    assert short(rows(example)) == ["17 mismatch", "paid_too_much", "18 clean"]
    broken = tmp_path / "rounds.jsonl"
    broken.write_text(example.read_text(encoding="utf-8") + "no round\n", encoding="utf-8")
    ran = run(broken)
    assert ran.exit_code == 2
    assert "Lines or records read: 3, of which 1 could not be read\n" in ran.stdout
    assert "Rows shown: 3\n" in ran.stdout
    assert "Could not be read: rounds.jsonl:3: " in ran.stdout


def test_what_holds_no_record_at_all_is_no_empty_timeline(floor: Path, tmp_path: Path) -> None:
    house, lines = floor / "house.yaml", 25
    (tmp_path / "short.jsonl").write_text('{"table": "BAC-1", "round": "1"}\n' * lines, encoding="utf-8")
    for form in ("table", "jsonl", "csv"):
        ran = run(tmp_path / "short.jsonl", "--format", form)
        assert ran.exit_code == 2
        told = (ran.stdout + ran.stderr).splitlines()
        unread = [line for line in told if line.startswith("Could not be read: ")]
        assert f"Lines or records read: {lines}, of which {lines} could not be read" in told
        assert [len(unread), unread[-1]] == [21, f"Could not be read: ... and {lines - 20} more"]
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes((floor / "events" / "BAC-1.jsonl").read_bytes()[:-40])
    ran = run(cut, "--house", house, "--format", "jsonl")
    assert ran.exit_code == 2
    assert "1 clean" in short([json.loads(line) for line in ran.stdout.splitlines()])


# ── the accounting ───────────────────────────────────────────────────────────────────────────────────


def told_of(floor: Path, folder: Path, *asked: str, status: int = 0) -> dict[str, Any]:
    out = folder / "accounting.json"
    assert run(floor, "--format", "csv", "--accounting", out, *asked).exit_code == status
    counts: dict[str, Any] = json.loads(out.read_bytes())
    return counts


def adds_up(counts: dict[str, Any]) -> bool:
    kinds = ("used", "doubled", "late", "unreadable", "strange", "elsewhere", "crowded_out", "ledgers")
    return bool(counts["read"] == sum(counts[kind] for kind in kinds))


def test_a_whole_record_is_all_used(floor: Path, tmp_path: Path) -> None:
    counts = told_of(floor, tmp_path)
    events = len(shift().events)
    assert (counts["read"], counts["used"], counts["missing"]) == (events, events, [])
    assert counts["frames"] == -(-events // 10)  # ten a frame
    assert (counts["rounds"], counts["clean"], counts["mismatch"], counts["complete"]) == (3, 2, 1, 3)
    assert (counts["shown"], counts["hidden"]) == (len(ALL), 0)
    some = told_of(floor, tmp_path, "--round", "2")
    assert (some["shown"], some["hidden"]) == (3, len(ALL) - 3)
    every = told_of(floor, tmp_path, "--events")
    assert (every["shown"], every["hidden"]) == (events + 3 + 1, 0)  # three rounds and a finding


def test_what_became_of_each_event_is_counted(tmp_path: Path) -> None:
    s = shift()
    placed = [event for event in s.events if isinstance(event, e.ChipsPlaced)]
    seen = [event for event in s.events if isinstance(event, e.CardSeen)]
    lost = [placed[0], seen[2], seen[3]]  # the chip reader's first, and two of the camera's running
    stranger = e.InventoryCounted(device="X-9", epoch=1, seq=1, at=s.start, cents=1)
    wrong_source = e.WagersClosed(device="S", epoch=1, seq=99, at=s.start, round="1")
    events = [event for event in s.events if event not in lost]
    doubled = [events[5], events[5], events[20]]
    floor = write_floor(tmp_path, s)
    lines = [
        encode(frame_of(events[:30], 1)),
        encode(frame_of([*doubled, stranger, wrong_source], 2)),
        b"no frame at all",
        encode(frame_of(events[30:], 3)).replace(b'"event":"TableClosed"', b'"event":"TableVanished"'),
    ]
    (floor / "events" / "BAC-1.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (floor / "events" / "NEW-1.jsonl").write_bytes(
        encode(frame_of(events[:7], 1)).replace(b'"BAC-1"', b'"NEW-1"') + b"\n"
    )
    counts = told_of(floor, tmp_path, status=2)
    assert adds_up(counts)
    assert counts["read"] == len(events) + 3 + 2 + 7
    told = ("doubled", "strange", "unreadable", "elsewhere", "late", "frames", "unreadable_lines")
    assert [counts[name] for name in told] == [3, 2, 1, 7, 0, 5, 1]
    assert counts["used"] == len(events) - 1
    assert counts["missing"] == [
        {"table": "BAC-1", "device": each[0].device, "epoch": 1, "first": each[0].seq, "last": each[-1].seq}
        for each in ([placed[0]], [seen[2], seen[3]])
    ]
    assert counts["undetermined"] == 1


def test_what_comes_too_late_is_late(tmp_path: Path) -> None:
    s = Script()
    s.open()
    for _ in range(3):
        s.play(PLAYER_WINS, {SEAT_4: 2000}, "player", {SEAT_4: 2000})
        s.now += 300  # the lateness is 120 seconds
    late = next(event for event in s.events if isinstance(event, e.StackSeen))
    s.events.remove(late)
    s.events.append(late)
    counts = told_of(write_floor(tmp_path, s), tmp_path)
    assert adds_up(counts)
    assert (counts["late"], counts["used"], counts["missing"]) == (1, len(s.events) - 1, [])
    assert [counts["clean"], counts["undetermined"]] == [3, 0]  # the camera only reads a second time


def test_numbers_that_the_terminal_had_heard_of_are_missed(tmp_path: Path) -> None:
    s = Script()
    s.open()
    s.play(PLAYER_WINS, {SEAT_4: 2000}, "player", {SEAT_4: 2000})
    paid = next(event for event in s.events if isinstance(event, e.ChipsPaid))  # the reader's last word
    s.events.remove(paid)
    counts = told_of(write_floor(tmp_path, s), tmp_path)
    assert counts["missing"] == [
        {"table": "BAC-1", "device": "C", "epoch": 1, "first": paid.seq, "last": paid.seq}
    ]


def test_a_doubled_event_stands_once(tmp_path: Path) -> None:
    s = shift()
    fill = next(event for event in s.events if isinstance(event, e.FillReceived))
    s.events.insert(s.events.index(fill) + 4, fill)
    assert short(rows(write_floor(tmp_path, s))) == ALL


def test_the_page_prints_what_its_command_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "timeline.md").read_text(encoding="utf-8")
    ((command, output),) = re.findall(r"```console\n\$ discardrack timeline (.*?)\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(root)
    assert run(*shlex.split(command)).stdout == output
    told = CliRunner().invoke(main, ["timeline", "--help"]).stdout
    for option in re.findall(r"--[a-z][a-z-]+", page):
        assert option in told
    for form in get_args(Form):
        assert f"`{form}`" in page
