"""The events behind a round, listed from an archive: which, in what words, for whom; what stays covered."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web import bootstrap
from projections.web.auth.accounts import Accounts
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from projections.web.pages import event_pages
from projections.web.pages.event_pages import Cover, round_event
from replay.cli.serve import Settings
from schemas import events as e
from streams import topics
from streams.archive.record_names import folder_of
from tests.builders import stores
from tests.builders.archived_floor import ArchivedFloor
from tests.builders.consoles import PASSWORD, open_console
from tests.builders.evidence_bundles import (
    OTHERS,
    STAFF,
    archive_scripts,
    script_two_rounds,
    script_with_every_name,
)
from tests.builders.round_records import BANKER, build_record
from tests.builders.table_script import PLAYER_WINS, START, Script, build_house

DAY: Final = "2025-04-01"
ROUND: Final = f"/rounds/{DAY}/BAC-1/2/events"
AT: Final[dict[str, Any]] = {"epoch": 1, "seq": 1, "at": START, "round": "41"}


@pytest.fixture(scope="module", params=[True, False], ids=["sealed", "in the journal"])
def untouched(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> ArchivedFloor:
    return ArchivedFloor(tmp_path_factory.mktemp("floor"), script_two_rounds(), sealed=request.param)


@pytest.fixture
def floor(untouched: ArchivedFloor, tmp_path: Path) -> ArchivedFloor:
    return untouched.copied(tmp_path / "floor")


def listed(client: TestClient[Litestar], path: str = ROUND, **more: Any) -> dict[str, Any]:
    answer = client.get(f"/api{path}", params=more)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_all_that_names_the_round_is_listed_and_nothing_else(floor: ArchivedFloor) -> None:
    script = script_two_rounds()
    with floor.entered() as client:
        found = listed(client)
        page = client.get(ROUND).text
    own = [each for each in script.events if each.round == "2"]
    assert (found["total"], len(found["events"]), found["unread"]) == (len(own), len(own), 0)
    assert found["events"][0]["says"] == "round opened: shoe shoe 1, rules 0"
    assert [
        each["says"]
        for each in found["events"]
        if each["says"].startswith("card") and "banker" in each["says"]
    ] == [
        "card drawn: hand banker, card 7d",
        "card seen: hand banker, place 1, card 7d",
        "card drawn: hand banker, card Kd",
        "card seen: hand banker, place 2, card Kd",
    ]
    # Seat 1 is paid 45.00 on the Banker's Hand and owes 2.00 of vigorish.
    assert "chips paid: seat 1, wager banker, $45.00" in page
    assert "vigorish collected: seat 1, wager banker, $2.00" in page


@pytest.mark.parametrize("filed", ["2025-03-31", "2019-01-01", "2026-11-22"])
def test_events_are_found_wherever_the_clock_of_receipt_filed_them(tmp_path: Path, filed: str) -> None:
    script = script_two_rounds()
    floor = ArchivedFloor(tmp_path, script, sealed=False)
    with closing(sqlite3.connect(floor.archive / "journal.sqlite")) as journal, journal:
        assert journal.execute("UPDATE records SET day = ?", [filed]).rowcount > 0
    with floor.entered() as client:
        found = listed(client)
    own = [each for each in script.events if each.round == "2"]
    assert (found["total"], found["unread"], found["kept"]) == (len(own), 0, True)


def test_the_time_is_that_of_the_device_in_the_property_s_zone(floor: ArchivedFloor) -> None:
    # The table opens half a second after 05:33:20; a shoe and two burned cards later round 1 is opened.
    with floor.entered() as client:
        page = client.get(ROUND.replace("/2/", "/1/")).text
    assert "(EDT)" in page
    assert ">04/01/2025 5:33:22.500 AM</time>" in page


def test_a_page_has_so_many_events_and_the_next_goes_on(
    floor: ArchivedFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with floor.entered() as client:
        whole = listed(client)["events"]
        monkeypatch.setattr(event_pages, "PAGE", 10)
        first, second = listed(client), listed(client, page=2)
        page = client.get(f"{ROUND}?page=2").text
        beyond = client.get(f"{ROUND}?page=9")
    assert first["pages"] == -(-len(whole) // 10)
    assert [*first["events"], *second["events"]] == whole[:20]
    assert 'rel="prev"' in page
    assert 'rel="next"' in page
    assert beyond.status_code == 404


def test_the_alert_and_the_round_lead_there_and_without_an_archive_show_the_command(
    floor: ArchivedFloor,
) -> None:
    with floor.entered() as client:
        (found,) = client.get("/api/alerts").json()["findings"]
        for path in (f"/alerts/{found['id']}", f"/rounds/{DAY}/BAC-1/2"):
            assert f'href="{ROUND}' in client.get(path).text
        assert "discardrack timeline" not in client.get(f"/alerts/{found['id']}").text
    with floor.entered(archive=False) as client:
        page = client.get(f"/alerts/{found['id']}").text
        assert ROUND not in page + client.get(f"/rounds/{DAY}/BAC-1/2").text
        assert "discardrack timeline" in page
        assert client.get(ROUND).status_code == 404
        assert client.get(f"/api{ROUND}").status_code == 404


def test_looking_is_logged_and_what_is_withheld_is_not_there(floor: ArchivedFloor) -> None:
    with floor.entered("supervisor") as client:
        listed(client)
        assert f"events:{DAY}|BAC-1|2" in client.get("/api/audit").text
        file = AccountsFile(accounts_of(floor.store))
        Accounts(file).add("director", "Director", "director", PASSWORD, by="test")
        Embargoes(file).place(f"table-day:{DAY}|BAC-1", "supervisor", "a relation", by="director")
        file.close()
        for path in (ROUND, f"/api{ROUND}"):
            answer = client.get(path)
            assert answer.status_code == 404
            assert "There is no round 2" in answer.text


def test_names_are_masked_wherever_an_event_has_them(tmp_path: Path) -> None:
    floor = ArchivedFloor(tmp_path, script_with_every_name())
    with floor.entered("supervisor") as client:
        path = ROUND.replace("/2/", "/1/")
        masked = client.get(path).text + client.get(f"/api{path}").text
        # What somebody is unmasked for shows the same names that stand in the events.
        subject = f"round:{DAY}|BAC-1|1"
        answer = client.post("/api/unmask", json={"subject": subject, "reason": "the agent asks"})
        assert answer.status_code < 400, answer.text
        plain = client.get(path).text
    people = {*STAFF.values(), *OTHERS.values()} - {OTHERS[name] for name in ("coupon", "dropped", "check")}
    assert [name for name in sorted(people) if name in masked] == []
    # Who called, supervised and sat down before the round is told by no event of it.
    before = {STAFF["dealer"], STAFF["floorperson"], OTHERS["patron"]}
    assert [name for name in sorted(people - before) if name not in plain] == []


def test_a_number_that_comes_again_the_next_day_is_another_round(tmp_path: Path) -> None:
    first, second = Script(), Script(start=START + 86_400_000_000)
    for script in (first, second):
        script.open()
        script.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
        script.close()
        second.numbers, second.epochs = dict(first.numbers), dict.fromkeys(first.devices, 2)
    first.events += second.events
    floor = ArchivedFloor(tmp_path, first)
    with floor.entered() as client:
        found = listed(client, f"/rounds/{DAY}/BAC-1/1/events")
        later = listed(client, "/rounds/2025-04-02/BAC-1/1/events")
    assert found["total"] == later["total"] > 0
    assert {each["at"][:10] for each in found["events"]} == {"2025-04-01"}
    assert {each["at"][:10] for each in later["events"]} == {"2025-04-02"}


def test_what_the_archive_cannot_give_is_said_plainly(tmp_path: Path) -> None:
    floor = ArchivedFloor(tmp_path, script_two_rounds())
    part = folder_of(floor.archive, date(2025, 4, 1), topics.FRAMES) / "BAC-1.parquet"
    part.write_bytes(b"PAR1 and no more")
    with floor.entered() as client:
        answer = client.get(f"/api{ROUND}")
    assert answer.status_code == 409
    assert "The events could not be read" in answer.json()["error"]


@pytest.mark.parametrize(
    ("plays", "why"),
    [
        (10.0, "the day that plays on here is not archived"),
        (None, "it was never archived, is not archived yet,"),
    ],
    ids=["a floor that plays", "a recorded one"],
)
def test_an_archive_without_the_table_s_day_is_distinguished_from_no_events(
    tmp_path: Path, plays: float | None, why: str
) -> None:
    (tmp_path / "before").mkdir()
    archive = archive_scripts(tmp_path / "before", script_two_rounds())
    later = Script(start=START + 86_400_000_000)
    later.open()
    later.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    later.close()
    floor = ArchivedFloor(tmp_path, later)
    settings = Settings(archive=archive).with_recordings()
    known = bootstrap.load_console(floor.store, build_house(), settings)
    known.live.archive = str(archive)
    known.live.play_speed = plays
    path = "/rounds/2025-04-02/BAC-1/1/events"
    with open_console(floor.store, "operator", on=known) as client:
        page, told = client.get(path).text, listed(client, path)
    assert f"The archive in {archive} has nothing of this table's day: {why}" in page
    assert "0 events" not in page
    assert (told["kept"], told["total"]) == (False, 0)


def test_what_plays_on_has_its_events_beside_an_archive_of_other_days(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    archive = archive_scripts(tmp_path / "before", script_two_rounds())
    later = Script(start=START + 86_400_000_000)
    later.open()
    later.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    later.close()
    floor = ArchivedFloor(tmp_path, later)
    settings = Settings(archive=archive, played=tmp_path / "played").with_recordings()
    known = bootstrap.load_console(floor.store, build_house(), settings)
    with open_console(floor.store, "operator", on=known) as client:
        told = listed(client, "/rounds/2025-04-02/BAC-1/1/events")
        replayed = client.get("/api/rounds/2025-04-02/BAC-1/1/replay").json()
    own = [each for each in later.events if each.round == "1"]
    assert (told["kept"], told["total"], len(replayed["frames"])) == (True, len(own), len(own))


def test_a_round_without_events_on_a_day_that_the_archive_has_is_said_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = ArchivedFloor(tmp_path, script_two_rounds())
    monkeypatch.setattr("replay.recording.recording.may_name", lambda _number: lambda _payload: False)
    with floor.entered() as client:
        page, told = client.get(ROUND).text, listed(client)
    assert "The archive has no events of this round yet." in page
    assert (told["kept"], told["total"]) == (True, 0)


def test_serve_reads_the_archive_that_it_is_given_and_none_that_is_not_there(tmp_path: Path) -> None:
    floor = ArchivedFloor(tmp_path, script_two_rounds())
    assert Settings(archive=tmp_path / "elsewhere").with_recordings().events is None
    settings = Settings(archive=floor.archive).with_recordings()
    known = bootstrap.load_console(floor.store, build_house(), settings)
    with open_console(floor.store, "operator", on=known) as client:
        assert listed(client)["total"] > 0


# ── what stays covered ───────────────────────────────────────────────────────────────────────────────


def drawn(hand: str, card: str) -> e.CardDrawn:
    return e.CardDrawn(device="S", hand=hand, card=card, **AT)


def words(cover: Cover, *events: e.Event) -> list[str]:
    return [round_event(each, cover).says for each in events]


def test_a_hole_card_that_was_never_turned_up_stays_covered(tmp_path: Path) -> None:
    void = build_record(
        [["seat1", "Kd"], ["dealer", "6c"], ["seat1", "9s"], ["dealer", "9h"], ["dealer", "void"]],
        chapter="685a",
        wagers=[{"seat": 1, "wager": "bet", "cents": 1000}],
        paid=[],
    )
    cover = Cover(stores.read_record_view(stores.store_records(tmp_path / "s.duckdb", void), "41"))
    hole = drawn("dealer", "9h")
    mistaken = e.ReportCorrected(device="T", mistaken=e.id_of(hole), instead=drawn("dealer", "8h"), **AT)
    assert words(cover, drawn("dealer", "6c"), hole, drawn("seat1", "9s"), mistaken) == [
        "card drawn: hand dealer, card 6c",
        "card drawn: hand dealer, card face down",
        "card drawn: hand seat1, card 9s",
        "report corrected: mistaken S 1/1, instead (card drawn: hand dealer, card face down)",
    ]


def test_a_hole_card_of_the_face_that_lies_beside_it_stays_covered(tmp_path: Path) -> None:
    void = build_record(
        [["seat1", "Kd"], ["dealer", "6c"], ["seat1", "9s"], ["dealer", "6c"], ["dealer", "void"]],
        chapter="685a",
        wagers=[{"seat": 1, "wager": "bet", "cents": 1000}],
        paid=[],
    )
    cover = Cover(stores.read_record_view(stores.store_records(tmp_path / "s.duckdb", void), "41"))
    assert words(cover, drawn("dealer", "6c"), drawn("dealer", "6c")) == [
        "card drawn: hand dealer, card 6c",
        "card drawn: hand dealer, card face down",
    ]


def test_what_was_discarded_stays_covered_until_another_shoe_was_opened(tmp_path: Path) -> None:
    path = stores.store_records(tmp_path / "s.duckdb", build_record([["discard", "9h"], *BANKER], shoe="4"))
    discarded = e.CardDiscarded(device="S", card="9h", **AT)
    running = Cover(stores.read_record_view(path, "41"))
    assert words(running, discarded) == ["card discarded: card face down"]
    stores.store_records(path, build_record(BANKER, round="43", shoe="5", at="2025-01-02T01:30:00Z"))
    over = Cover(stores.read_record_view(path, "41"))
    assert words(over, discarded) == ["card discarded: card 9h"]


def test_an_open_hand_has_each_reading_and_an_unknown_one_none(tmp_path: Path) -> None:
    cover = Cover(
        stores.read_record_view(stores.store_records(tmp_path / "s.duckdb", build_record(BANKER)), "41")
    )
    misread = e.CardSeen(device="V", hand="banker", place=1, card="2d", **AT)
    assert words(cover, misread, drawn("next round", "2d")) == [
        "card seen: hand banker, place 1, card 2d",
        "card drawn: hand next round, card face down",
    ]
