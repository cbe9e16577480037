"""The store: what is written is read back, newer revisions supersede, and nothing is lost or doubled."""

import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import duckdb
import pytest
from msgspec import structs
from msgspec.structs import replace

from projections.engine.audit.round_records import answer, read, to_round
from projections.engine.conclusion import Conclusion, Expected, Verdict, canonical
from projections.engine.findings import Finding, Severity, Weight
from projections.engine.observation import Key, Paid, Round, Wager
from projections.store.rows import Offset, QuarantinedRecord
from projections.store.runs import Run, begin_run
from projections.store.store import Entry, Store
from projections.store.store_file import connect, snapshot
from projections.views.conclusion_view import conclusion_view
from schemas.errors import BadInput
from schemas.house import DEFAULT
from tests.builders import rounds_of_console
from tests.builders.texts import verbatim_fact

RUN = Run("live", datetime(2025, 3, 2, 11, 0, tzinfo=UTC), "1.0", "archive")
DAY = date(2025, 3, 1)

OVERPAID = replace(rounds_of_console.OVERPAID, id="aaaa")
UNDERTAKEN = Finding(
    id="bbbb",
    check="vigorish_wrong",
    weight="mismatch",
    severity="high",
    message=verbatim_fact("banker: vigorish $2.00, by the rule $1.25"),
    citations=("631a.13(c)",),
    status="adopted",
    seat=1,
    wager="banker",
    expected_cents=125,
    observed_cents=200,
    delta_cents=75,
    gross_cents=0,
    vigorish_cents=75,
    net_cents=-75,
    favours="house",
)
RIGHTED = Finding(
    id="cccc",
    check="paid_too_much",
    weight="mismatch",
    severity="high",
    message=verbatim_fact("player: paid $9.00, due $2.00: overpaid $7.00, put right after the round closed"),
    citations=("631a.8(a)(1)(i)",),
    status="adopted",
    seat=2,
    wager="player",
    expected_cents=200,
    observed_cents=900,
    delta_cents=700,
    gross_cents=700,
    vigorish_cents=0,
    net_cents=700,
    favours="patron",
    put_right=True,
)
NOTE = Finding(
    id="dddd",
    check="vigorish_permissive",
    weight="note",
    severity="note",
    message=verbatim_fact("banker: vigorish $1.25, by the rule $1.25"),
    citations=("631a.13(c)",),
    status="adopted",
)


def concluded(number: str | None, verdict: Verdict, *findings: Finding, **more: Any) -> Conclusion:
    return Conclusion(
        **{
            "table": "BAC-101",
            "round": number,
            "gaming_date": DAY,
            "chapter": "631a",
            "verdict": verdict,
            "outcome": "banker",
            "expected": (),
            "findings": findings,
            "notes": (),
        }
        | more
    )


def ask(path: Path, query: str) -> list[tuple[Any, ...]]:
    with connect(path, writing=False) as db:
        return db.sql(query).fetchall()


def write(path: Path, *rounds: Entry, run: Run = RUN) -> int:
    with Store(path) as store:
        return store.write(run, rounds)


def test_a_judged_record_comes_back_as_it_was_written(store: Store) -> None:
    record = read(
        b'{"table": "BAC-101", "round": "1", "chapter": "631a", "at": "2025-03-01T20:00:00Z", "play": '
        b'[["player", "2d"], ["banker", "5d"], ["player", "9s"], ["banker", "Th"], ["player", "Ad"]], '
        b'"wagers": [{"seat": 1, "wager": "banker", "cents": 2500}, '
        b'{"seat": 2, "wager": "tie", "cents": 500}, {"seat": 3, "wager": "banker", "bettor": "b", '
        b'"cents": 100}], "announced": "player", "paid": '
        b'[{"seat": 1, "wager": "banker", "cents": 3000, "vigorish_cents": 125}]}'
    )
    conclusion = answer(record, DEFAULT)
    assert conclusion.findings, "a round without findings would prove little"
    store.write(RUN, [(to_round(record, DEFAULT), conclusion, 0)])
    assert store.conclusions("live") == [conclusion]


def test_money_is_whole_cents_as_seen_and_as_owed(path: Path) -> None:
    seen = Round(
        table="BAC-101",
        number="1",
        day=DAY,
        at=1_740_859_200_000_000,  # 2025-03-01T20:00:00Z
        wagers={Key(1, None, "banker", None): Wager(2500, 500, "MP-1"), Key(2, "b", "tie", None): Wager(100)},
        paid={
            Key(1, None, "banker", None): Paid(3000, 125, later_cents=-500),
            Key(7, None, "player", None): Paid(300),
        },
    )
    judged = (
        Expected(seat=1, wager="banker", cents=3000, vigorish_cents=150),
        Expected(seat=2, wager="tie", bettor="b", cents=None, vigorish_cents=None),
    )
    write(path, (seen, concluded("1", "mismatch", expected=judged), 0))
    assert ask(path, "SELECT opened FROM rounds") == [(datetime(2025, 3, 1, 20, 0),)]  # noqa: DTZ001  stored as UTC
    assert ask(path, "SELECT seat, bettor, wager, cents, coupon_cents, coupon FROM wagers ORDER BY seat") == [
        (1, None, "banker", 2500, 500, "MP-1"),
        (2, "b", "tie", 100, 0, None),
    ]
    # A wager without an entry among what was paid brought nothing; a payment without a wager was not judged.
    assert ask(
        path,
        "SELECT seat, judged, expected_cents, expected_vigorish_cents, paid_cents, paid_vigorish_cents, "
        "later_cents FROM settlements ORDER BY seat",
    ) == [
        (1, True, 3000, 150, 3000, 125, -500),
        (2, True, None, None, 0, 0, 0),
        (7, False, None, None, 300, 0, 0),
    ]


def test_settlement_that_was_not_observed_is_unknown_and_not_nothing(path: Path) -> None:
    seen = Round(table="BAC-101", number="1", day=DAY, at=0, wagers={Key(1, None, "tie", None): Wager(100)})
    judged = (Expected(seat=1, wager="tie", cents=800, vigorish_cents=0),)
    write(path, (seen, concluded("1", "clean", expected=judged), 0))
    assert ask(path, "SELECT expected_cents, paid_cents, paid_vigorish_cents FROM settlements") == [
        (800, None, None)
    ]


def test_a_newer_revision_supersedes_and_the_old_one_stays(path: Path) -> None:
    write(path, (None, concluded("1", "mismatch", OVERPAID, UNDERTAKEN), 0))
    write(path, (None, concluded("1", "mismatch", UNDERTAKEN), 1))
    assert ask(path, "SELECT revision, verdict FROM rounds_now") == [(1, "mismatch")]
    assert ask(path, "SELECT id, revision FROM findings_now") == [("bbbb", 1)]
    assert ask(path, "SELECT id FROM findings WHERE revision = 0 ORDER BY id") == [("aaaa",), ("bbbb",)]


def test_a_finding_absent_from_the_newer_revision_is_withdrawn_by_name(path: Path) -> None:
    write(path, (None, concluded("1", "mismatch", OVERPAID, UNDERTAKEN), 0))
    write(path, (None, concluded("1", "mismatch", UNDERTAKEN), 3), (None, concluded("1", "clean"), 4))
    history = "SELECT id, revision, superseded_in, withdrawn_in FROM findings_history ORDER BY id, revision"
    assert ask(path, history) == [("aaaa", 0, 3, 3), ("bbbb", 0, 3, None), ("bbbb", 3, 4, 4)]
    assert ask(path, "SELECT * FROM open_findings") == []


def test_revisions_may_arrive_in_any_order(path: Path) -> None:
    write(path, (None, concluded("1", "clean"), 2))
    write(path, (None, concluded("1", "mismatch", OVERPAID), 1))
    assert ask(path, "SELECT verdict FROM rounds_now") == [("clean",)]
    assert ask(path, "SELECT id, withdrawn_in FROM findings_history") == [("aaaa", 2)]


def test_writing_again_doubles_nothing(path: Path) -> None:
    first = (None, concluded("1", "mismatch", OVERPAID), 0)
    assert write(path, first, first) == 1
    assert write(path, first, (None, concluded("2", "clean"), 0)) == 1
    assert ask(path, "SELECT round, verdict FROM rounds ORDER BY round") == [
        ("1", "mismatch"),
        ("2", "clean"),
    ]
    assert ask(path, "SELECT count(*) FROM findings") == [(1,)]


def test_a_number_given_twice_is_said_and_loses_nothing_in_silence(path: Path) -> None:
    first = (None, concluded("1", "clean"), 0)
    again = (None, concluded("1", "mismatch", OVERPAID), 0)
    later = (Round(table="BAC-101", number="1", day=DAY, at=60), concluded("1", "clean"), 0)
    for other in (again, later):
        with pytest.raises(BadInput, match=r"two conclusions for revision 0 of 2025-03-01\|BAC-101\|1"):
            write(path, first, other)
    write(path, first)
    with pytest.raises(BadInput, match="two conclusions"):
        write(path, again)
    assert ask(path, "SELECT verdict FROM rounds") == [("clean",)]


def test_runs_stand_beside_each_other(path: Path) -> None:
    other = Run("what-if", RUN.made, "1.0", "archive with other rules")
    write(path, (None, concluded("1", "mismatch", OVERPAID), 0))
    write(path, (None, concluded("1", "clean"), 9), run=other)
    assert ask(path, "SELECT run, verdict FROM rounds_now ORDER BY run") == [
        ("live", "mismatch"),
        ("what-if", "clean"),
    ]
    assert ask(path, "SELECT run, id FROM open_findings") == [("live", "aaaa")]


def test_a_run_belongs_to_one_version_and_one_source(path: Path) -> None:
    write(path, (None, concluded("1", "clean"), 0))
    with pytest.raises(BadInput, match=r"run live was made by version 1\.0 over archive"):
        write(path, (None, concluded("2", "clean"), 0), run=Run("live", RUN.made, "1.1", "archive"))
    assert ask(path, "SELECT count(*) FROM rounds") == [(1,)]


def test_a_run_is_named_by_its_moment() -> None:
    one, two = begin_run("archive"), begin_run("archive")
    assert one.run < two.run
    assert one.made.tzinfo is UTC


def test_a_shoe_is_concluded_beside_the_round_of_the_same_name(path: Path) -> None:
    write(
        path,
        (None, concluded("5", "clean", shoe="5"), 0),
        (None, concluded(None, "mismatch", OVERPAID, shoe="5"), 0),
    )
    assert ask(path, "SELECT round, shoe, verdict FROM rounds ORDER BY round") == [
        ("5", "5", "clean"),
        (None, "5", "mismatch"),
    ]


def test_names_that_run_together_stay_apart(path: Path) -> None:
    assert write(
        path,
        (None, concluded("B|1", "clean", table="A"), 0),
        (None, concluded("1", "clean", table="A|B"), 0),
        (None, concluded("shoe|1", "clean", table="A"), 0),
        (None, concluded(None, "clean", table="A", shoe="1"), 0),
    ) == 4  # fmt: skip


def test_a_table_s_day_adds_up(path: Path) -> None:
    write(
        path,
        (None, concluded("1", "mismatch", OVERPAID, UNDERTAKEN), 0),
        (None, concluded("2", "undetermined"), 0),
        (None, concluded("3", "mismatch", RIGHTED), 0),
        (None, concluded("4", "clean", notes=(NOTE,)), 0),
        (None, concluded("5", "mismatch"), 0),
        (None, concluded("5", "clean"), 1),
        (None, concluded(None, "mismatch", replace(OVERPAID, id="eeee"), shoe="1"), 0),
        (None, concluded("1", "clean", table="BAC-102"), 0),
    )
    assert ask(
        path,
        "SELECT table_id, rounds, clean, undetermined, mismatch, shoes_not_clean, findings, house_cents, "
        "patron_cents FROM table_day ORDER BY table_id",
    ) == [
        # Findings: two of round 1, one of round 3, one of the shoe. To the patron $5.00, less $0.75 of
        # vigorish, in round 1 and $5.00 in the shoe; the $7.00 of round 3 were put right.
        ("BAC-101", 5, 2, 1, 2, 1, 4, 0, 925),
        ("BAC-102", 1, 1, 0, 0, 0, 0, 0, 0),
    ]


def test_a_note_is_kept_and_is_no_open_finding(path: Path) -> None:
    write(path, (None, concluded("1", "clean", notes=(NOTE,)), 0))
    assert ask(path, "SELECT id, weight FROM findings_now") == [("dddd", "note")]
    assert ask(path, "SELECT id FROM open_findings") == []


def test_the_store_s_words_are_those_of_the_judgement(path: Path) -> None:
    write(path)
    words = "SELECT unnest(enum_range(NULL::{}))::VARCHAR"
    assert [word for (word,) in ask(path, words.format("verdict"))] == list(get_args(Verdict))
    assert [word for (word,) in ask(path, words.format("severity"))] == list(get_args(Severity))
    assert [word for (word,) in ask(path, words.format("weight"))] == list(get_args(Weight))


@pytest.mark.parametrize(
    ("form", "table", "elsewhere"),
    [
        (Finding, "findings", {"check", "table", "day", "delta_cents"}),
        (Wager, "wagers", set()),
        (Conclusion, "rounds", {"table", "expected", "findings", "notes"}),
        (Expected, "settlements", {"cents", "vigorish_cents"}),
        (Paid, "settlements", {"cents", "vigorish_cents"}),
    ],
)
def test_every_field_has_a_column(path: Path, form: Any, table: str, elsewhere: set[str]) -> None:
    write(path)
    columns = {name for (name, *_) in ask(path, f"DESCRIBE {table}")}
    assert {field.name for field in structs.fields(form)} - columns == elsewhere


def test_the_canonical_serialisation_is_this() -> None:
    older = concluded("2", "clean")
    newer = concluded(
        "2",
        "mismatch",
        UNDERTAKEN,
        OVERPAID,
        expected=(
            Expected(seat=2, wager="tie", cents=None, vigorish_cents=None),
            Expected(seat=1, wager="banker", bettor="b", cents=2500, vigorish_cents=125),
        ),
    )
    first = concluded("1", "clean", rulebook="feed", notes=(NOTE,))
    assert canonical(map(conclusion_view, [older, newer, first])) == (
        b'{"chapter":"631a","expected":[],"findings":[],"gaming_date":"2025-03-01","notes":['
        b'{"check":"vigorish_permissive","citations":["631a.13(c)"],"id":"dddd",'
        b'"message":"banker: vigorish $1.25, by the rule $1.25","severity":"note","status":"adopted",'
        b'"weight":"note"}],'
        b'"outcome":"banker","round":"1","rulebook":"feed","table":"BAC-101","verdict":"clean"}\n'
        b'{"chapter":"631a","expected":[{"bettor":"b","cents":2500,"seat":1,"vigorish_cents":125,"wager":"banker"},'
        b'{"cents":null,"seat":2,"vigorish_cents":null,"wager":"tie"}],"findings":['
        b'{"check":"paid_too_much","citations":["631a.8(a)(1)(i)","631a.13(c)"],"delta_cents":500,'
        b'"expected_cents":2500,"favours":"patron","gross_cents":500,"id":"aaaa",'
        b'"message":"banker: paid $30.00, due $25.00: overpaid $5.00","net_cents":500,'
        b'"observed_cents":3000,"seat":1,'
        b'"severity":"high","status":"adopted","steps":['
        b'{"cents":2500,"cite":"631a.8(a)","says":"banker: chips wagered"},'
        b'{"cite":"631a.8(a)(1)(i)","says":"banker wins"}],"vigorish_cents":0,"wager":"banker",'
        b'"weight":"mismatch"},'
        b'{"check":"vigorish_wrong","citations":["631a.13(c)"],"delta_cents":75,"expected_cents":125,'
        b'"favours":"house","gross_cents":0,"id":"bbbb",'
        b'"message":"banker: vigorish $2.00, by the rule $1.25","net_cents":-75,"observed_cents":200,'
        b'"seat":1,"severity":"high","status":"adopted","vigorish_cents":75,"wager":"banker",'
        b'"weight":"mismatch"}],"gaming_date":"2025-03-01","notes":[],"outcome":"banker","round":"2","table":"BAC-101",'
        b'"verdict":"mismatch"}\n'
    )


def test_what_the_store_gives_back_has_the_same_canonical_form(store: Store) -> None:
    older, newer = concluded("1", "mismatch", OVERPAID), concluded("1", "mismatch", UNDERTAKEN)
    shoe = concluded(None, "mismatch", RIGHTED, shoe="1", outcome=None)
    store.write(RUN, [(None, shoe, 0), (None, older, 0), (None, newer, 1)])
    assert canonical(store.conclusions("live")) == canonical([older, newer, shoe])


def test_more_than_a_batch_is_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.store.store.BATCH", 3)
    rounds = [(None, concluded(str(number), "clean"), 0) for number in range(10)]
    assert write(path, *rounds) == 10
    assert ask(path, "SELECT count(*) FROM rounds_now") == [(10,)]


def test_a_figure_too_large_is_one_clear_line_and_nothing_of_its_batch_is_written(path: Path) -> None:
    judged = (Expected(seat=1, wager="tie", cents=10**30, vigorish_cents=0),)
    with pytest.raises(BadInput, match="a figure that no column of the store can hold"):
        write(path, (None, concluded("1", "clean"), 0), (None, concluded("2", "clean", expected=judged), 0))
    assert ask(path, "SELECT count(*) FROM rounds") == [(0,)]


def test_a_writer_s_batch_is_seen_beside_it_whole_or_not_at_all(store: Store) -> None:
    reading = store.reading()
    offset, refused = (
        Offset("A", "floor.rounds", 0, 7),
        QuarantinedRecord("A", "floor.rounds/0/6", "there", "no", "{"),
    )
    too_large = (Expected(seat=1, wager="tie", cents=10**30, vigorish_cents=0),)
    with pytest.raises(BadInput):
        store.write_batch(
            {RUN: [(None, concluded("1", "clean", expected=too_large), 0)]}, [refused], [offset]
        )
    counts = "SELECT count(*) FROM {}"
    tables = ("runs", "rounds", "quarantine", "offsets")
    assert [reading.sql(counts.format(name)).fetchall() for name in tables] == [[(0,)]] * 4
    taken = store.write_batch({RUN: [(None, concluded("1", "mismatch", OVERPAID), 0)]}, [refused], [offset])
    assert [reading.sql(counts.format(name)).fetchall() for name in tables] == [[(1,)]] * 4
    assert taken.stored == {("live", "2025-03-01|BAC-101|1", 0)}
    assert taken.raised == {("live", "aaaa")}


def test_a_finding_that_stays_is_raised_once(store: Store) -> None:
    store.write(RUN, [(None, concluded("1", "mismatch", OVERPAID), 0)])
    taken = store.write_batch({RUN: [(None, concluded("1", "mismatch", OVERPAID, UNDERTAKEN), 1)]})
    assert taken.raised == {("live", "bbbb")}


def test_a_snapshot_is_a_store_of_one_moment(path: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied.duckdb"
    offset = Offset("A", "floor.rounds", 0, 7)
    first = (None, concluded("1", "mismatch", OVERPAID), 0)
    with Store(path) as store:
        store.write_batch({RUN: [first]}, [QuarantinedRecord("A", "x", "there", "no", "{")], [offset])
        with store.reading() as reading, snapshot(reading) as copy:
            store.write(RUN, [(None, concluded("2", "clean"), 0)])
            copied.write_bytes(copy.read())
        assert {each.name.partition(".")[0] for each in tmp_path.iterdir()} == {"store", "copied"}
        store.write(RUN, [(None, concluded("3", "clean"), 0)])
    assert ask(copied, "SELECT table_id, mismatch, findings, patron_cents FROM table_day") == [
        ("BAC-101", 1, 1, 500)
    ]
    with Store(copied) as store:
        assert store.conclusions("live") == [first[1]]
        assert store.offsets("A") == {("floor.rounds", 0): 7}
        # It can be written on, and what it has is still there but once.
        assert store.write(RUN, [first, (None, concluded("4", "clean"), 0)]) == 1


def test_a_snapshot_of_a_path_with_quotes_in_it(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s "here"'
    folder.mkdir()
    with Store(folder / "a\"b'c.duckdb") as store, store.reading() as reading, snapshot(reading) as copy:
        (tmp_path / "copied.duckdb").write_bytes(copy.read())
    assert ask(tmp_path / "copied.duckdb", "SELECT count(*) FROM rounds_now") == [(0,)]


def test_a_path_that_cannot_be_a_store(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database\n" * 1000)
    other = tmp_path / "other.duckdb"
    with duckdb.connect(str(other)) as db:
        db.execute("CREATE TABLE theirs (x INTEGER)")
    with pytest.raises(BadInput, match="there is no folder"):
        Store(tmp_path / "nowhere" / "store.duckdb")
    with pytest.raises(BadInput, match=r"cannot be opened as a store: Could not read from file"):
        Store(tmp_path)
    with pytest.raises(BadInput, match="there is no such store"):
        connect(tmp_path / "store.duckdb", writing=False)
    for writing in (True, False):
        with pytest.raises(BadInput, match=r"notes\.txt: cannot be opened as a store: .*not a valid DuckDB"):
            connect(text, writing=writing)
        with pytest.raises(BadInput, match=r"other\.duckdb: a DuckDB file, but not a store"):
            connect(other, writing=writing)


@pytest.mark.parametrize(
    ("name", "text"), [("a.jsonl", '{"a": 1}\n'), ("a.csv", "a,b\n1,2\n"), ("a.txt", "a\n")]
)
@pytest.mark.parametrize("writing", [True, False])
def test_a_file_of_another_kind_is_refused_and_stays_as_it_was(
    tmp_path: Path, name: str, text: str, *, writing: bool
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(BadInput, match=rf"{name}: cannot be opened as a store: "):
        connect(path, writing=writing)
    assert path.read_text() == text


@pytest.mark.parametrize(("says", "held"), [(None, "1.8 GiB"), ("", "1.8 GiB"), ("512MiB", "512.0 MiB")])
def test_a_store_takes_no_more_memory_than_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch, says: str | None, held: str
) -> None:
    write(path)
    monkeypatch.delenv("DISCARDRACK_STORE_MEMORY", raising=False)
    if says is not None:
        monkeypatch.setenv("DISCARDRACK_STORE_MEMORY", says)
    for writing in (True, False):
        with closing(connect(path, writing=writing)) as db:
            # 2 GB are 2,000,000,000 bytes, of which a GiB has 1,073,741,824.
            assert db.execute("SELECT current_setting('memory_limit')").fetchone() == (held,)


@pytest.mark.parametrize("says", ["much", "2", "-1", "80%", "2GB; SET threads = 1"])
def test_what_is_no_amount_of_memory_is_refused_with_one_that_is(
    path: Path, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    monkeypatch.setenv("DISCARDRACK_STORE_MEMORY", says)
    told = f"DISCARDRACK_STORE_MEMORY says {says!r}, which is no amount of memory; write 2GB"
    with pytest.raises(BadInput, match=f"^{re.escape(told)}$"):
        connect(path, writing=True)


def test_a_store_of_another_format_is_refused(path: Path) -> None:
    write(path)
    with duckdb.connect(str(path)) as db:
        db.execute("UPDATE written_as SET format = 1")
    with pytest.raises(BadInput, match="a store of format 1, this version has 16; make a new one"):
        Store(path)


def test_a_store_that_another_process_writes_is_in_use(path: Path) -> None:
    write(path)
    program = (
        "import sys, duckdb; db = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(  # noqa: S603  our own interpreter and program
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(BadInput, match="another process has it open"):
            connect(path, writing=False)
        other.communicate()


def test_threads_that_write_the_same_row_at_once_lose_nothing(tmp_path: Path) -> None:
    """The follower of Kafka and the restore of actions both begin the run of refused senders."""
    both = threading.Barrier(2, timeout=30)

    def write(name: str) -> None:
        for number in range(40):
            both.wait()
            store.write_batch(
                {replace(RUN, run=f"run {number}"): []}, offsets=[Offset("floor", "frames", 0, number)]
            )
            store.write_batch({}, offsets=[Offset("floor", name, 0, number)])

    with Store(tmp_path / "store.duckdb") as store, ThreadPoolExecutor(2) as threads:
        for written in [threads.submit(write, name) for name in ("results", "actions")]:
            written.result()
        assert {run.run for run in store.runs()} == {f"run {number}" for number in range(40)}
        assert set(store.offsets("floor").values()) == {39}


def test_what_was_refused_of_senders_is_never_the_run_that_pages_begin_with(tmp_path: Path) -> None:
    """It comes later than the floor's, whose rounds the pages are of."""
    refused = replace(RUN, run="senders 1.0", made=RUN.made + timedelta(days=1), kind="senders")
    with Store(tmp_path / "store.duckdb") as store:
        for run in (RUN, refused):
            store.write(run, [])
        assert [each.run for each in store.runs()] == [RUN.run, refused.run]
        with store.reading().cursor() as reading:
            assert reading.execute("SELECT run FROM newest_run").fetchall() == [(RUN.run,)]
