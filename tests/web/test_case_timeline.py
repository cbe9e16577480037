"""The one timeline of a case: hand, findings, rings, actions and calls in the order of time."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from projections.casework.alerts.alert_arrival import Arrival
from projections.casework.disputes.dispute_state import AboutPart, CallPart, Dispute, RulingPart
from projections.engine.findings import FindingView
from projections.web.pages.case_timeline import (
    CaseEntry,
    HistoryLine,
    case_timeline,
    dispute_entries,
    done_entries,
    found_entries,
)
from projections.web.records.record_links import AlertLabel
from schemas.values import microseconds
from tests.builders.archived_floor import ArchivedFloor
from tests.builders.consoles import post_action
from tests.builders.evidence_bundles import script_two_rounds

AT: Final = datetime(2025, 3, 1, 20, tzinfo=UTC)
MINUTE: Final = timedelta(minutes=1)
FOUND: Final = FindingView(
    id="f1",
    check="push_paid",
    weight="mismatch",
    severity="high",
    message="",
    citations=(),
    status="",
    seat=3,
)


def arrival(name: str, *, rang: bool, minutes: int = 2) -> Arrival:
    came = microseconds(AT + minutes * MINUTE)
    return Arrival(
        id=name,
        about="r",
        gaming_date=AT.date(),
        table="BAC-1",
        check="push_paid",
        severity="high",
        queue="act_now",
        came=came,
        taken_due=came,
        closed_due=came,
        rang=rang,
    )


def told(entries: list[CaseEntry]) -> list[tuple[str, int]]:
    """Return each entry's kind and its minute."""
    return [(each.kind, (each.at - AT) // MINUTE) for each in entries]


def test_a_finding_stands_when_it_came_and_again_as_it_rang() -> None:
    other = AlertLabel("f2", "r", "BAC-1", "late_wager", "late wager", "BAC-1, round 7: late wager")
    arrivals = {"f1": arrival("f1", rang=True), "f2": arrival("f2", rang=False, minutes=3)}
    entries = list(found_entries([FOUND], arrivals, {"f2": other, "f3": other}))
    assert sorted((each.kind, each.alert, each.called) for each in entries) == [
        ("found", "f1", "push paid as a win, seat 3"),
        ("found", "f2", "BAC-1, round 7: late wager"),
        ("rang", "f1", "push paid as a win, seat 3"),
    ]


def test_all_kinds_stand_in_one_order_of_time() -> None:
    dispute = Dispute(
        name="1",
        opened=microseconds(AT + 6 * MINUTE),
        opened_by="ben",
        about=AboutPart(table="BAC-1", gaming_date=AT.date(), claim="short"),
        call=CallPart(called=microseconds(AT + 4 * MINUTE), answered=microseconds(AT + 5 * MINUTE)),
        ruling=RulingPart(text="paid", ruled_by="fred", ruled=microseconds(AT + 8 * MINUTE)),
        closed=microseconds(AT + 9 * MINUTE),
    )
    history = [
        HistoryLine(AT + 3 * MINUTE, "ben", "acknowledged", None),
        HistoryLine(AT + 10 * MINUTE, "ben", "closed as corrected", None),
    ]
    entries = [
        *done_entries(history),
        *dispute_entries([dispute]),
        *found_entries([FOUND], {"f1": arrival("f1", rang=True)}, {}),
        CaseEntry(at=AT, clock="floor", kind="opened"),
    ]
    assert told(case_timeline(entries, has_own_clock=False)) == [
        ("opened", 0), ("found", 2), ("rang", 2), ("done", 3), ("called", 4), ("answered", 5),
        ("in_dispute", 6), ("ruled", 8), ("dispute_closed", 9), ("done", 10),
    ]  # fmt: skip
    # What happened by a clock of the floor's own stands before what the room did by the wall's.
    assert [kind for kind, _ in told(case_timeline(entries, has_own_clock=True))] == [
        "opened", "called", "answered", "ruled",
        "found", "rang", "done", "in_dispute", "dispute_closed", "done",
    ]  # fmt: skip


def entries_of(page: str) -> list[tuple[str, str]]:
    """Return the kind of each entry of a page, and its words."""
    found = re.findall(r'<li class="(\w+)[^"]*"><time[^>]*>[^<]*</time>(.*?)</li>', page, re.DOTALL)
    return [(kind, " ".join(re.sub("<[^>]*>", "", text).split())) for kind, text in found]


def test_the_page_has_the_events_of_the_hand_and_marks_what_they_brought_about(tmp_path: Path) -> None:
    floor = ArchivedFloor(tmp_path, script_two_rounds())
    with floor.entered("supervisor") as client:
        (found,) = client.get("/api/alerts").json()["findings"]
        path = f"/alerts/{found['id']}"
        post_action(client, "acknowledge", subject=f"alert:{found['id']}")
        short, full = entries_of(client.get(path).text), entries_of(client.get(f"{path}/timeline").text)
        assert f'href="{path}/timeline"' in client.get(path).text
        assert client.get("/alerts/none/timeline").status_code == 404
    assert [kind for kind, _ in short] == ["opened", "found", "done"]
    # Without second readings: opened, three wagers, no more bets, four cards, called, four moves of chips,
    # closed.
    kinds = [kind for kind, _ in full]
    assert kinds == ["opened", *["event"] * 14, "found", "done"]
    marked = [text for kind, text in full if "▲" in text]
    assert len(marked) == 1
    assert "seat 1, wager banker, $45.00" in marked[0]
    assert marked[0].endswith("▲ paid too much")
