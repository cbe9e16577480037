"""A night's reports of the alerts: what was over its due time, closed as what, and for how long it stood."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from projections.casework.actions import Action, Actor
from projections.casework.alerts.alert_arrival import Breach
from projections.casework.cases.case_actions import Acknowledge, Close, Escalate, Reopen, Undo
from projections.casework.command_handler import CommandHandler
from projections.store.store import Store
from projections.store.store_file import connect
from projections.web.bootstrap import open_commands
from replay.nightly.gaming_days import day_of
from replay.nightly.surveillance_work import alert_work
from replay.recording.recording import Recording
from schemas import events as e
from schemas.house import House
from schemas.room_settings import Due, DueTimes, Outcome, RoomSettings
from streams import processes
from tests.builders.nights import (
    DAY,
    only_row,
    read_report,
    read_report_rows,
    run_nightly,
    script_three_rounds,
    store_audit,
    write_floor,
)
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, SECOND, START, Script

MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
# The day is that of 2025-04-01, 09:00 UTC to 09:00; the script begins at 09:33:20, and its third round was
# paid $500.00 too much. Money is to be taken within 5 minutes and closed within 120.
CAME: Final = START + 5 * MINUTE  # 09:38:20
REPORTS: Final = ("breaches", "closings", "alert_ageing", "by_person")


class Manned:
    """The room over a floor's store: the alert came at 09:38:20, and one person acts."""

    def __init__(self, folder: Path, room: RoomSettings = RoomSettings(), day: Script | None = None) -> None:  # noqa: B008  frozen
        self.floor = write_floor(folder, day if day is not None else script_three_rounds())
        self.path = store_audit(self.floor, folder / "s.duckdb")
        self.house = Recording(self.floor).house
        self.store = Store(self.path)
        self.desk: CommandHandler = open_commands(self.store, room, self.house.tables, CAME, live=True)
        (self.alert,) = self.desk.alert_queue.alerts
        self._number = 0

    def act(self, after: int, kind: type[Action], **fields: Any) -> None:
        """Do something so long after the alert came."""
        self._number += 1
        actor = Actor("ann", "operator", {"see", "work"}, ("ann", "bob"), frozenset())
        told = {"id": f"{self._number:032x}", "subject": f"alert:{self.alert}", **fields}
        self.desk.act(kind(**told), actor, CAME + after)

    def night(self, out: Path, *more: str, day: str = DAY) -> None:
        """Close the store, and let the night read it."""
        self.store.close()
        options = ("--live", str(self.path), "--even-if-open", *more)
        ran = run_nightly(self.floor, *options, out=out, day=day, only=REPORTS)
        assert ran.exit_code in (0, 1), ran.stderr


def late_on(store: Path, house: House, day: str, now: int) -> Sequence[Breach]:
    with connect(store, writing=False) as db:
        return alert_work(db, house, day_of(house, date.fromisoformat(day)), now).late


def said(out: Path, *columns: str) -> Sequence[tuple[Any, ...]]:
    return [tuple(row[name] for name in columns) for row in read_report_rows(out, "breaches")]


def test_what_nobody_took_is_over_its_time_until_the_day_ends(tmp_path: Path) -> None:
    Manned(tmp_path).night(tmp_path)
    # Due 09:43:20 and 11:38:20; the day ended at 09:00:00: 23 h 16 min 40 s and 21 h 21 min 40 s later.
    first, second = read_report_rows(tmp_path, "breaches")
    assert first == {
        "severity": "high",
        "step": "taken",
        "table": "BAC-1",
        "about": "round 3",
        "gaming_day": DAY,
        "check": "paid_too_much",
        "due": "2025-04-01T09:43:20Z",
        "done": None,
        "over": 23 * 60 + 16,
        "who": None,
    }
    assert (second["step"], second["due"], second["over"]) == (
        "closed",
        "2025-04-01T11:38:20Z",
        21 * 60 + 21,
    )
    assert read_report(tmp_path, "breaches")["note"] == "By severity: 2 high."
    # It had stood for 23 h 21 min 40 s.
    ages = {row["age"]: (row["closed"], row["open"]) for row in read_report_rows(tmp_path, "alert_ageing")}
    assert {age: each for age, each in ages.items() if any(each)} == {"up to a day": (0, 1)}
    assert read_report_rows(tmp_path, "closings") == []


def test_an_open_escalated_alert_is_listed_with_who_has_it(tmp_path: Path) -> None:
    room = Manned(tmp_path)
    room.act(9 * MINUTE, Escalate, to="director", reason="the same dealer again")
    room.night(tmp_path)
    assert read_report(tmp_path, "alert_ageing")["note"] == "Escalated and open: 1 with the director."
    ages = {row["age"]: (row["open"], row["escalated"]) for row in read_report_rows(tmp_path, "alert_ageing")}
    assert {age: each for age, each in ages.items() if any(each)} == {"up to a day": (1, 1)}


def test_what_was_escalated_and_closed_is_with_nobody_any_more(tmp_path: Path) -> None:
    room = Manned(tmp_path)
    room.act(9 * MINUTE, Escalate, to="director", reason="the same dealer again")
    room.act(60 * MINUTE, Close, outcome="explained", reason="a dealer in training")
    room.night(tmp_path)
    assert read_report(tmp_path, "alert_ageing")["note"] is None
    assert sum(row["escalated"] for row in read_report_rows(tmp_path, "alert_ageing")) == 0


def test_what_was_taken_late_and_closed_in_time(tmp_path: Path) -> None:
    room = Manned(tmp_path)
    room.act(9 * MINUTE + 59 * SECOND, Acknowledge)
    room.act(60 * MINUTE, Close, outcome="explained", reason="a dealer in training")
    room.night(tmp_path)
    assert said(tmp_path, "step", "done", "over", "who") == [("taken", "2025-04-01T09:48:19Z", 4, "ann")]
    assert only_row(read_report_rows(tmp_path, "closings")) == {
        "check": "paid_too_much",
        "closed_as": "explained",
        "findings": 1,
    }
    ages = {row["age"]: (row["closed"], row["open"]) for row in read_report_rows(tmp_path, "alert_ageing")}
    assert {age: each for age, each in ages.items() if any(each)} == {"up to an hour": (1, 0)}


def test_what_was_done_in_time_is_not_listed_and_every_form_has_the_report(tmp_path: Path) -> None:
    room = Manned(tmp_path)
    room.act(5 * MINUTE, Acknowledge)
    room.act(120 * MINUTE, Close, outcome="corrected", reason="put right at the table")
    room.night(tmp_path)
    assert read_report(tmp_path, "breaches")["says"] == "No activity"
    page = (tmp_path / DAY / "breaches.html").read_text(encoding="utf-8")
    assert "Overdue alerts" in page
    assert "No activity" in page
    assert {each.suffix for each in (tmp_path / DAY).glob("breaches.*")} >= {".html", ".json", ".csv"}


def test_what_is_done_after_the_day_changes_nothing_of_its_report(tmp_path: Path) -> None:
    told = []
    for name, late in (("without", False), ("with", True)):
        (tmp_path / name).mkdir()
        room = Manned(tmp_path / name)
        room.act(MINUTE, Acknowledge)
        if late:
            room.act(24 * HOUR, Close, outcome="explained", reason="looked at the day after")
        room.night(tmp_path / name)
        told.append([read_report(tmp_path / name, each) for each in ("breaches", "closings", "alert_ageing")])
    assert told[0] == told[1]
    assert [row["step"] for row in told[0][0]["rows"]] == ["closed"]


def test_what_becomes_due_on_the_next_day_is_listed_for_that_day(tmp_path: Path) -> None:
    # To be closed within 30 hours: at 15:38:20 on the day after.
    room = Manned(tmp_path, RoomSettings(due=DueTimes(high=Due(taken=60, closed=30 * 60))))
    room.act(MINUTE, Acknowledge)
    house, path = room.house, room.path
    room.night(tmp_path)
    assert read_report(tmp_path, "breaches")["rows"] == []
    found = late_on(path, house, "2025-04-02", CAME + 40 * HOUR)
    assert [(each.step, each.due, each.done) for each in found] == [("closed", CAME + 30 * HOUR, None)]
    # Asked before it is due, it is not.
    assert late_on(path, house, "2025-04-02", CAME + 30 * HOUR) == []


def test_a_case_that_was_opened_again_is_open_and_what_was_undone_was_not_closed(tmp_path: Path) -> None:
    room = Manned(tmp_path)
    room.act(MINUTE, Acknowledge)
    room.act(2 * MINUTE, Close, outcome="explained", reason="a first look")
    room.act(3 * MINUTE, Reopen, reason="another look")
    room.act(4 * MINUTE, Close, outcome="false", reason="a second look")
    room.act(5 * MINUTE, Undo)
    room.night(tmp_path)
    assert read_report_rows(tmp_path, "closings") == []
    assert [row["step"] for row in read_report_rows(tmp_path, "breaches")] == ["closed"]


def test_without_a_store_it_says_so(tmp_path: Path) -> None:
    run_nightly(write_floor(tmp_path, script_three_rounds()), out=tmp_path, only=REPORTS)
    for name in REPORTS:
        folder = "surveillance_supervisor/" if name == "by_person" else ""
        told = read_report(tmp_path, f"{folder}{name}")
        assert (told["rows"], told["note"]) == ([], "No snapshot was given.")


def test_of_a_day_that_has_not_ended_nothing_is_over_its_time_before_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Manned(tmp_path)
    monkeypatch.setattr(processes, "now", lambda: CAME + HOUR)
    room.night(tmp_path)
    assert said(tmp_path, "step", "over") == [("taken", 55)]
    assert read_report(tmp_path, "breaches")["note"] == "By severity: 1 high; the day had not ended."


# ── who worked at the table ──────────────────────────────────────────────────────────────────────────

COUNTS = "Only findings of the day's rounds count that an operator had closed as confirmed as it ended."


def staffed() -> Script:
    """Play the three rounds of the day, the first by D-7 and the two others by D-8, under FL-1."""
    script = Script()
    script.open()
    script.say("T", e.FloorpersonAssigned, floorperson="FL-1")
    script.say("T", e.DealerAssigned, dealer="D-7", calling=True)
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.say("T", e.DealerAssigned, dealer="D-8", calling=True)
    script.play(PLAYER_WINS, {(1, "player"): 100_00}, "player", {(1, "player"): 100_00})
    script.play(PLAYER_WINS, {(1, "player"): 100_00}, "player", {(1, "player"): 600_00})
    script.close()
    return script


def by_person(out: Path) -> tuple[list[tuple[Any, ...]], str | None]:
    told = read_report(out, "surveillance_supervisor/by_person")
    names = ("person", "role", "findings", "settlements", "against_patrons", "against_house")
    return [tuple(row[name] for name in names) for row in told["rows"]], told["note"]


def test_a_confirmed_finding_is_listed_by_dealer_and_supervisor(tmp_path: Path) -> None:
    room = Manned(tmp_path, day=staffed())
    room.act(60 * MINUTE, Close, outcome="confirmed", reason="seen on the footage")
    room.night(tmp_path)
    # Paid $500.00 too much in the third round: against the house, of D-8's two settlements and FL-1's three.
    assert by_person(tmp_path) == (
        [("D-8", "dealer", 1, 2, "0", "500"), ("FL-1", "floorperson", 1, 3, "0", "1000/3")],
        COUNTS,
    )


@pytest.mark.parametrize(("outcome", "after"), [("explained", HOUR), ("confirmed", 24 * HOUR)])
def test_what_is_unconfirmed_at_the_end_of_the_day_is_attributed_to_nobody(
    tmp_path: Path, outcome: Outcome, after: int
) -> None:
    room = Manned(tmp_path, day=staffed())
    room.act(after, Close, outcome=outcome, reason="looked at")
    room.night(tmp_path)
    assert by_person(tmp_path) == ([], COUNTS)


def test_of_a_confirmed_finding_nobody_is_named_where_the_table_did_not_say(tmp_path: Path) -> None:
    room = Manned(tmp_path)
    room.act(60 * MINUTE, Close, outcome="confirmed", reason="seen on the footage")
    room.night(tmp_path)
    unknown = "Of the day, and it is not known who worked at the table: 1."
    assert by_person(tmp_path) == ([], f"{COUNTS} {unknown}")
