"""Health of the system: for people, for machines, and what of the quarantine is withheld from whom."""

import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from projections.casework.table_status import DeviceReports, Lag, TableStatus
from projections.engine.facts import DeviceRef, Fact, fact
from projections.engine.findings import Finding
from projections.engine.observation import Round
from projections.engine.silence import LostDevice, SilentDevices
from projections.store.rows import QuarantinedRecord
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.auth.embargo import Hidden
from projections.web.auth.roles import Person, Role
from projections.web.bootstrap import OpenConsole, load_console, wall_clock
from projections.web.live.broadcaster import State
from projections.web.pages.day_gaps import devices
from projections.web.pages.finding_pages import kept_back
from projections.web.records.record_views import Quarantine, Unread
from projections.web.records.store_queries import Reader
from schemas.events import Source
from schemas.house import House, TableSetup
from schemas.plugins import PluginFault, warn_of_fault
from schemas.values import microseconds
from tests.builders.alerts import DAY, build_conclusion
from tests.builders.consoles import open_console
from tests.builders.texts import text_of, verbatim_fact

RUN = Run("first", datetime(2025, 3, 2, 11, 0, tzinfo=UTC), "1.0", "the archive")


def hole(number: str, device: str, says: Fact | str) -> Finding:
    return Finding(
        id=number,
        check="data_missing",
        weight="undetermined",
        severity="data",
        message=says if isinstance(says, Fact) else verbatim_fact(says),
        citations=("house control",),
        status="house control",
        device=device,
    )


def judged(number: str, revision: int, *found: Finding, table: str = "BAC-1", day: date = DAY) -> Any:
    verdict = "undetermined" if found else "clean"
    return None, build_conclusion(number, *found, table=table, gaming_date=day, verdict=verdict), revision


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store as it was written; each test has a copy."""
    path = tmp_path_factory.mktemp("written") / "store.duckdb"
    with Store(path) as store:
        store.write(
            RUN,
            [
                judged("1", 1, hole("a", "S-1", "S-1 did not report 5 to 9")),
                judged("2", 1, hole("b", "S-1", "S-1 did not report 20")),
                judged("3", 1, hole("c", "C-1", "C-1 did not report 7")),
                judged("1", 1, hole("d", "S-2", "S-2 did not report 1"), table="BAC-2"),
                judged("9", 1, hole("e", "S-9", "long ago"), day=DAY - timedelta(days=2)),
            ],
        )
        store.write(RUN, [judged("3", 2)])  # what C-1 had not reported came late
        store.write_batch({}, [QuarantinedRecord("A", "1", "a place", "a reason", "{}", "BAC-1")])
    return path


@pytest.fixture
def path(tmp_path: Path, written: Path) -> Path:
    return shutil.copyfile(written, tmp_path / "store.duckdb")


def test_the_page_names_the_holes_that_are_left_by_device(path: Path) -> None:
    with open_console(path) as client:
        told = client.get("/api/health").json()
        page = client.get("/health").text
    found = [(each["table"], each["device"], each["holes"]) for each in told["devices"]]
    assert found == [("BAC-1", "S-1", 2), ("BAC-2", "S-2", 1)]
    assert "round 1: S-1 did not report 5 to 9" in page
    assert "C-1 did not" not in page
    assert (told["refused"], told["conclusions"], told["findings"]) == (1, 6, 5)
    assert [run["run"] for run in told["runs"]] == ["first"]
    assert told["bytes"] >= 262_144, "a block of DuckDB's"


def test_a_device_that_is_silent_is_named(path: Path) -> None:
    made = load_console(path)
    made.commands.set_silent_devices({"BAC-1": {"I-1": EIGHT_PM}})
    with open_console(path, on=made) as client:
        told = client.get("/api/health").json()["silent"]
        page = client.get("/health").text
    assert [(each["table"], each["device"], each["since"]) for each in told] == [("BAC-1", "I-1", EIGHT_PM)]
    assert "I-1 is silent since 3:00:00 PM" in page


def test_each_device_of_a_table_has_its_last_report_and_an_hour_of_them(path: Path) -> None:
    made = load_console(path)
    now = wall_clock()
    counts = (*(0,) * 10, 3, 4)
    status = TableStatus(
        open=True,
        received=now,
        at=now,
        lost=SilentDevices({"C-1": LostDevice(now - MINUTE)}),
        reports={"S-1": DeviceReports(now, counts), "S-10": DeviceReports(now - 120 * MINUTE, counts)},
    )
    setup = TableSetup(chapter="631a", sources={"C-1": "chips", "S-1": "shoe"})
    made.live.turned("ok")
    made.live.set_state("A", {"BAC-1": status}, {})
    made = replace(made, house=House(house="floor", tables={"BAC-1": setup}))
    with open_console(path, on=made) as client:
        told = client.get("/api/health?table=BAC-1").json()
        page = client.get("/health?table=BAC-1").text
        bare = client.get("/api/health").json()
    assert [
        (each["device"], each["reads"], each["newest"], sum(each["hour"]), each["silent_since"])
        for each in told["at_table"]
    ] == [
        ("C-1", "chips", None, 0, now - MINUTE),
        ("S-1", "shoe", now, 7, None),
        ("S-10", None, now - 120 * MINUTE, 0, None),
    ]
    assert "Devices at BAC-1" in page
    assert bare["at_table"] == []
    assert bare["reporting"] == {"BAC-1": 2}


def test_who_sent_what_was_refused_is_named_with_the_reason(path: Path) -> None:
    with Store(path) as store:
        store.write_batch(
            {},
            [
                QuarantinedRecord("A", "2", "tcp 10.0.0.9:4021, line 1", "not JSON", "x"),
                QuarantinedRecord("A", "3", "tcp 10.0.0.9:4021, line 2", "not JSON", "y"),
                QuarantinedRecord(
                    "A",
                    "4",
                    "tcp 10.0.0.7:9, line 1",
                    "no such device",
                    "{}",
                    "BAC-1",
                    "unknown_device",
                    "10.0.0.7",
                ),
            ],
        )
    with open_console(path) as client:
        told = client.get("/api/health").json()["senders"]
        page = client.get("/health").text
    assert sorted((each["sender"], each["reason"], each["records"]) for each in told) == [
        ("10.0.0.7", "no such device", 1),
        ("a place", "a reason", 1),
        ("tcp 10.0.0.9:4021", "not JSON", 2),
    ]
    assert "<td>tcp 10.0.0.9:4021</td><td>not JSON</td>" in page


# Rounds are opened a minute after one another from 15:00 in New York on.
EIGHT_PM = 1_740_859_200_000_000
MINUTE = 60_000_000
SILENT = fact("fold.silent", device=DeviceRef("S-1"))
ALONE = fact("fold.alone", gap=SILENT)
LOST = fact("fold.numbers_missing", device=DeviceRef("C-1"), epoch=1, first=145, last=145)
RESTARTED = fact("fold.restarted", device=DeviceRef("C-1"))


def of_shoe(revision: int, minute: int, *found: Finding) -> Any:
    """Conclude shoe A of BAC-1 so many minutes after three."""
    said = build_conclusion(None, *found, shoe="A", verdict="undetermined")
    return EIGHT_PM + minute * MINUTE, said, revision


def dealt(number: int, *found: Finding, notes: tuple[Finding, ...] = ()) -> Any:
    seen = Round(table="BAC-1", number=str(number), day=DAY, at=EIGHT_PM + number * MINUTE, shoe="A")
    return seen, replace(build_conclusion(str(number), *found, shoe="A"), notes=notes), 1


@pytest.fixture
def shoe(tmp_path: Path) -> Path:
    """Lose a number in round 1, let a device be silent in 4 to 6 and 8, and another restart after 6."""
    path = tmp_path / "store.duckdb"
    alone = [replace(hole(f"n{each}", "S-1", ALONE), weight="note") for each in (4, 5, 6, 8)]
    first, again = hole("s1", "C-1", LOST), hole("s9", "C-1", RESTARTED)
    silent = [hole(f"s{each}", "S-1", SILENT) for each in (4, 5, 6, 8)]
    with Store(path) as store:
        store.write(
            RUN,
            [
                dealt(1, hole("r1", "C-1", LOST)),
                *(dealt(each) for each in (2, 3, 7)),
                *(dealt(int(each.id[1:]), notes=(each,)) for each in alone),
                of_shoe(1, 2, first),
                of_shoe(2, 7, first, *silent[:3]),
                of_shoe(3, 8, first, *silent[:3], again),
                of_shoe(4, 9, first, *silent, again),
            ],
        )
    return path


def test_a_hole_is_counted_once_and_said_where_it_lies(shoe: Path) -> None:
    with open_console(shoe) as client:
        told = client.get("/api/health").json()["devices"]
        page = client.get("/health").text
    holes = [
        (
            each["device"],
            each["holes"],
            [[hole[name] for name in ("round", "last", "shoe")] for hole in each["latest"]],
        )
        for each in told
    ]
    assert holes == [
        ("C-1", 2, [[None, None, "A"], ["1", None, None]]),
        ("S-1", 2, [["8", None, None], ["4", "6", None]]),
    ]
    for said in (
        f"round 1: {text_of(LOST)}",
        "shoe A, in no round, known 3:08:00 PM: C-1 restarted",
        f"round 8: {text_of(SILENT)}",
        f"rounds 4 to 6: {text_of(SILENT)}",
    ):
        assert page.count(f"03/01/2025, {said}</p>") == 1


@pytest.mark.parametrize("withheld", ["round:2025-03-01|BAC-1|1", "alert:r1"])
def test_a_gap_of_a_withheld_round_is_not_attributed_to_its_shoe(shoe: Path, withheld: str) -> None:
    with Store(shoe) as store:
        told = devices(Reader(store.reading()), Hidden({withheld}))
    assert [(each.device, [hole.says for hole in each.latest]) for each in told] == [
        ("S-1", [SILENT, SILENT]),
        ("C-1", [RESTARTED]),
    ]


def test_a_table_that_the_house_file_is_at_fault_about_is_named(path: Path) -> None:
    sources: dict[str, Source] = {"T-9": "terminal"}
    tables = {"BAC-1": TableSetup("631a", sources), "BAC-9": TableSetup("999", {"T-10": "terminal"})}
    with open_console(path, on=load_console(path, House(house="H", tables=tables))) as client:
        assert list(client.get("/api/health").json()["left_out"]) == ["BAC-9"]
        assert "unknown chapter &#39;999&#39;" in client.get("/health").text
    with open_console(path) as client:
        assert client.get("/api/health").json()["left_out"] == {}
        assert "Tables left out" not in client.get("/health").text


def test_a_plugin_at_fault_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schemas.plugins._FAULTS", {})  # another test may have left some in this process
    with open_console(path) as client:
        assert client.get("/api/health").json()["plugin_faults"] == []
        assert "<h2>Plugins</h2>" not in client.get("/health").text
        fault = "harbor-rules 1.0: discardrack.checks harbor is left out: does not load"
        with pytest.warns(PluginFault, match=fault):
            warn_of_fault(fault, "harbor.whole_chips")
        assert client.get("/api/health").json()["plugin_faults"] == [fault]
        assert fault in client.get("/health").text


def test_a_worker_that_judges_without_a_plugin_is_named_with_its_tables(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = "1.0, harbor of harbor-rules 1.0 (0123456789ab)"
    monkeypatch.setattr("projections.engine.checks.plugin_checks.software", lambda: ours)
    made = on(path, "ok")
    made.live.set_state(
        "A",
        {},
        {
            "BAC-1": Lag(40_000, 0, "1.0"),
            "BAC-2": Lag(40_000, 0, ours),
            "BAC-3": Lag(40_000, 0, "1.0"),
        },
    )
    with open_console(path, on=made) as client:
        assert client.get("/api/health").json()["workers_differing"] == [
            {"lacks": ["harbor of harbor-rules 1.0 (0123456789ab)"], "has": [], "tables": ["BAC-1", "BAC-3"]}
        ]
        assert "without harbor of harbor-rules 1.0 (0123456789ab): BAC-1, BAC-3" in client.get("/health").text
        made.live.set_state("A", {}, {"BAC-1": Lag(0, 1, ours), "BAC-3": Lag(0, 1, ours)})  # mended
        assert client.get("/api/health").json()["workers_differing"] == []
        assert "<h2>Workers</h2>" not in client.get("/health").text


def test_a_fault_of_a_plugin_that_a_worker_met_is_named_with_its_tables(path: Path) -> None:
    made = on(path, "ok")
    fault = "harbor-rules 1.0: discardrack.checks harbor fails: ZeroDivisionError"
    with_fault = Lag(40_000, 0, None, (fault,))
    made.live.set_state("A", {}, {"BAC-1": with_fault, "BAC-2": Lag(40_000, 0), "BAC-3": with_fault})
    with open_console(path, on=made) as client:
        assert client.get("/api/health").json()["worker_faults"] == [
            {"fault": fault, "tables": ["BAC-1", "BAC-3"]}
        ]
        assert f"{fault}: BAC-1, BAC-3" in client.get("/health").text
        made.live.set_state("A", {}, {"BAC-1": Lag(0, 1), "BAC-3": Lag(0, 1)})  # mended
        assert client.get("/api/health").json()["worker_faults"] == []


def test_a_house_file_that_was_changed_is_shown_with_its_lines(path: Path) -> None:
    made = load_console(path, House(house="H", tables={"BAC-1": TableSetup("631a", {"T-9": "terminal"})}))
    with open_console(path, on=made) as client:
        assert client.get("/api/health").json()["left_out"] == {}
        wrong = House(house="H", tables={"BAC-1": TableSetup("999", {"T-9": "terminal"})})
        made.take_house(wrong, {"BAC-1": "house.yaml:4: unknown chapter '999'"})
        assert client.get("/api/health").json()["left_out"] == {
            "BAC-1": "house.yaml:4: unknown chapter '999'"
        }
        assert made.commands.alert_queue.tables == wrong.tables


def on(path: Path, state: State, lag: int = 0) -> OpenConsole:
    made = load_console(path, state=state)
    made.live.lag = lag
    return made


def test_the_slowest_table_is_named(path: Path) -> None:
    made = on(path, "ok")
    made.live.set_state("A", {}, {"BAC-1": Lag(40_000, 0), "BAC-2": Lag(2_500_000, 0)})
    with open_console(path, on=made) as client:
        assert client.get("/api/health").json()["slowest"] == ["BAC-2", 2_500_000]
        assert "BAC-2, 2,500 ms" in client.get("/health").text


@pytest.mark.parametrize(
    ("state", "lag", "why"),
    [
        ("recorded", 0, None),
        ("ok", 0, None),
        ("ok", 2_000, None),
        ("ok", 2_001, "2,001 records wait in Kafka and are not in the store yet"),
        ("kafka away", 0, "kafka away since "),
        ("topics missing", 0, "topics missing since "),
        ("audit stalled", 0, None),  # what is concluded is shown, and that nothing more is, on each page
    ],
)
def test_machines_are_sent_here_when_pages_show_what_is_so(
    path: Path, state: State, lag: int, why: str | None
) -> None:
    with open_console(path, on=on(path, state, lag)) as client:
        client.cookies.clear()  # neither asks for a login
        answer = client.get("/readyz")
        assert client.get("/healthz").status_code == 200, "it lives, whatever Kafka does"
    if why is None:
        assert (answer.status_code, answer.json()) == (200, {"ready": True})
    else:
        assert answer.status_code == 503
        assert answer.json()["why"].startswith(why)


def test_who_may_not_look_at_the_system_does_not(path: Path) -> None:
    with open_console(path, "operator") as client:
        for page in ("/health", "/api/health", "/quarantine", "/api/quarantine"):
            assert client.get(page).status_code == 403, page


# ── what is kept back ────────────────────────────────────────────────────────────────────────────────

# The gaming day of 1 March begins at 6 in New York and ends 24 hours later, at 11:00 UTC; two minutes more
# come late.
NOTED = datetime(2025, 3, 1, 20, 0, tzinfo=UTC)
OVER = microseconds(datetime(2025, 3, 2, 11, 2, tzinfo=UTC))


def texts(role: Role, now: int) -> list[str | None]:
    record = Unread("1", "A", NOTED, "a place", "a reason", '{"card": "Ah"}', "BAC-1")
    person = Person("ines", "Ines", role, "session", "csrf")
    found = kept_back(Quarantine(1, 1, 1, [record]), person, Hidden(), House(house="h"), now)
    assert [each.reason for each in found.records] == ["a reason"]
    return [each.payload for each in found.records]


def test_a_text_that_may_hold_cards_is_kept_back_until_the_day_is_over() -> None:
    assert texts("supervisor", OVER) == [None]
    assert texts("supervisor", OVER + 1) == ['{"card": "Ah"}']


def test_a_text_is_only_for_who_may_see_names() -> None:
    assert texts("administrator", OVER + 1) == [None]
    assert texts("auditor", OVER + 1) == [None]


def test_what_came_today_is_on_the_page_without_its_text(path: Path) -> None:
    with open_console(path) as client:
        (record,) = client.get("/api/quarantine").json()["records"]
        page = client.get("/quarantine").text
    assert (record["reason"], record["payload"]) == ("a reason", None)
    assert "a place" in page
    assert "<pre>" not in page


def test_the_page_says_that_the_floor_is_not_followed(path: Path) -> None:
    with open_console(path, on=on(path, "kafka away")) as client:
        assert '<b class="verdict mismatch">kafka away</b>' in client.get("/health").text
