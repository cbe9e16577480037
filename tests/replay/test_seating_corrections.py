"""Who sat where, as corrected later: who looks back names who is known now, and says who was known then."""

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from projections.engine.fold.seats import Renamed, SeatHistory
from replay.nightly.gaming_days import day_of
from replay.nightly.survey import SurveyBuilder
from replay.recording.seated_rounds import SeatingIndex, may_seat
from schemas import events as e
from schemas.codec import VERSION, Frame, encode
from streams.log import RecordedPayload, read_frame
from tests.builders.evidence_bundles import archive_scripts, build_bundle, read_bundle_json, request_bundle
from tests.builders.round_records import page_lines, printed_rows, rows_of_kind, run_verb, write_script_floor
from tests.builders.table_audit import audit_events as audit_told
from tests.builders.table_script import START, TIE, Script, Spot, build_house

HOUR: Final = 3600
DAY: Final = 24 * HOUR
SPOT: Final[Spot] = (3, "tie")
# Said at 06:34:20.5 in New York, an hour after the first round: the second can still be revised.
LATER: Final = "seat 3: patron P-7, corrected at 04/01/2025 6:34:20 AM EDT; told as P-9 at the time"


def at(seconds: float) -> int:
    return START + round(seconds * 1_000_000)


def sit(s: Script, seat: int, patron: str | None, **more: Any) -> Any:
    return s.say("T", e.PlayerSeated, seat=seat, patron=patron, **more)


def put_right(s: Script, mistaken: e.Event, instead: e.Event | None) -> Any:
    """Correct an event of no round."""
    return s.say("T", e.ReportCorrected, mistaken=e.id_of(mistaken), instead=instead)


def corrected() -> Script:
    """Play two ties of $10.00, paid 8 to 1 and then $5.00 more; P-7 was taken for P-9 for an hour."""
    s = Script()
    s.open()
    mistaken = sit(s, 3, "P-9")
    s.play(TIE, {SPOT: 1000}, "tie", {SPOT: 8500})
    s.now = HOUR
    s.play(TIE, {SPOT: 1000}, "tie", {SPOT: 8000})
    s.now = HOUR + 60
    put_right(s, mistaken, msgspec.structs.replace(mistaken, patron="P-7"))
    return s


def hand(path: Path, number: str) -> Any:
    ran = run_verb("hand", path, "BAC-1", number, "--format", "json")
    assert ran.exit_code == 0, ran.stderr
    return json.loads(ran.stdout)


# ── the verbs ────────────────────────────────────────────────────────────────────────────────────────


def test_the_rounds_stay_as_the_table_knew_them() -> None:
    for size in (1, None):
        heard = audit_told(corrected().events, frame=size)
        seen = {each.seen.number: each.seen.seated for each in heard.history if each.seen is not None}
        assert seen == {"1": {3: "P-9"}, "2": {3: "P-7"}}


def test_a_hand_names_who_is_known_now_and_who_was_known_then(tmp_path: Path) -> None:
    path = write_script_floor(tmp_path, corrected(), build_house())
    first, second = hand(path, "1"), hand(path, "2")
    assert [each["patron"] for each in (*first["wagers"], *second["wagers"])] == ["P-7", "P-7"]
    assert (first["renamed"], second["renamed"]) == ([LATER], [])
    page = page_lines(run_verb("hand", path, "BAC-1", "1").stdout)
    assert f"Known since {LATER}" in page
    assert not any("Known since" in line for line in page_lines(run_verb("hand", path, "BAC-1", "2").stdout))


@pytest.mark.parametrize(("verb", "option"), [("whatif", "--set"), ("blast-radius", "--rule")])
def test_the_sums_are_those_of_whom_is_known_now(tmp_path: Path, verb: str, option: str) -> None:
    """At 9 to 1 both ties would have brought $90.00."""
    found = printed_rows(
        verb, write_script_floor(tmp_path, corrected(), build_house()), option, "631a.tie_odds=9"
    )
    wagers = rows_of_kind(found, "wager")
    assert [(row["round"], row["patron"], row["renamed"]) for row in wagers] == [
        ("1", "P-7", LATER),
        ("2", "P-7", None),
    ]
    (patron,) = rows_of_kind(found, "patron")
    won = 2000 if verb == "whatif" else 1500  # of the $5.00 that were paid too much nothing is owed
    assert (patron["patron"], patron["rounds"], patron["difference_cents"]) == ("P-7", 2, won)


def test_a_what_if_is_stored_as_the_table_knew_it(tmp_path: Path) -> None:
    """As every store: the same rounds audited under those rules differ in nothing."""
    path, store = write_script_floor(tmp_path, corrected(), build_house()), tmp_path / "what_if.duckdb"
    assert run_verb("whatif", path, "--set", "631a.tie_odds=9", "--store", store).exit_code == 0
    (tmp_path / "nine").mkdir()
    told_apart = run_verb(
        "diff",
        store,
        write_script_floor(tmp_path / "nine", corrected(), build_house(tie_odds=9)),
        "--format",
        "jsonl",
    )
    found = [json.loads(line) for line in told_apart.stdout.splitlines()]
    assert [row for row in found if row["round"] is not None] == []


def test_a_finding_is_of_whom_is_known_now(tmp_path: Path) -> None:
    path = write_script_floor(tmp_path, corrected(), build_house())
    answers = [json.loads(line) for line in run_verb("audit", path).stdout.splitlines()]
    (finding,) = (found["id"] for each in answers for found in each["findings"])
    found = json.loads(run_verb("explain", path, finding, "--format", "json").stdout)
    assert (found["patron"], found["renamed"]) == ("P-7", LATER)
    page = page_lines(run_verb("explain", path, finding).stdout)
    assert f"Known since {LATER}" in page


def test_a_bundle_is_of_whom_is_known_now_and_of_no_one_who_was_taken_for_them(tmp_path: Path) -> None:
    path = archive_scripts(tmp_path, corrected())
    assert read_bundle_json(build_bundle(path, "1", "--patron", "P-7"), "bundle")["seats"] == ["3"]
    ran = request_bundle(path, "1", "--patron", "P-9")
    assert ran.exit_code == 2
    assert "patron 'P-9' is not known to have a part in it" in ran.stderr


def test_a_timeline_is_asked_by_whom_is_known_now(tmp_path: Path) -> None:
    """P-7 gets up after the second round and P-8 sits down, which came in the other order."""
    s = corrected()
    up = s.say("T", e.PlayerLeft, seat=3)
    down = sit(s, 3, "P-8")
    s.buy(3, 5000)
    s.play(TIE, {SPOT: 1000}, "tie", {SPOT: 8000})
    s.close()
    s.events.remove(up)
    s.events.insert(s.events.index(down) + 1, up)
    path = write_script_floor(tmp_path, s, build_house())

    def found(patron: str) -> list[str]:
        rows = printed_rows("timeline", path, "--patron", patron, "--events")
        kinds = (None, "ChipsBought", "PlayerLeft", "PlayerSeated")
        return [
            row["event"] or row["round"] for row in rows if row["kind"] != "finding" and row["event"] in kinds
        ]

    assert found("P-7") == ["1", "2", "PlayerLeft"]
    assert found("P-8") == ["PlayerSeated", "ChipsBought", "3"]
    assert found("P-9") == ["PlayerSeated"]  # as it was told
    (finding,) = printed_rows(
        "timeline", path, "--patron", "P-7", "--check", "paid_too_much", "--verdict", "mismatch"
    )[1:]
    assert finding["patron"] == "P-7"


# ── cash by patron ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("late", "patron"), [(0, "P-7"), (119, "P-7"), (121, "P-9")])
def test_cash_is_of_whom_is_known_when_the_day_is_over(late: int, patron: str) -> None:
    """The gaming day ends at 5 o'clock, and is revised for two minutes; $50.00 were bought at 4:33:21."""
    own = build_house()
    s = Script()
    s.start = START - HOUR * 1_000_000  # 04:33:20 in New York
    s.open()
    mistaken = sit(s, 3, "P-9")
    s.now = 60
    s.buy(3, 5000)
    ends = own.bounds(date(2025, 3, 31))[1]
    s.now = (ends - s.start) / 1_000_000 + late - 0.5
    put_right(s, mistaken, msgspec.structs.replace(mistaken, patron="P-7"))
    surveying = SurveyBuilder(own.tables["BAC-1"], day_of(own, date(2025, 3, 31)))
    surveying.add_events(s.events[-1].at, s.events)
    assert surveying.result().bought == {patron: 5000}


def test_cash_is_of_who_sat_down_before_the_day_and_of_nobody_who_had_left() -> None:
    """Ann sat down before, Bob got up and she took his seat, too, which came in the other order."""
    own = build_house()
    s = Script()
    ann, bob = sit(s, 3, "Ann"), sit(s, 4, "Bob")
    s.buy(3, 2000)
    up = s.say("T", e.PlayerLeft, seat=4)
    again = sit(s, 4, "Ann")
    s.buy(4, 3000)
    s.say("T", e.PlayerLeft, seat=3)
    s.buy(3, 7000)
    told_before = [ann, bob]
    events = [each for each in s.events if each not in (*told_before, up, again)]
    surveying = SurveyBuilder(own.tables["BAC-1"], day_of(own, date(2025, 4, 1)), events=told_before)
    surveying.add_events(s.events[-1].at, [again, up, *events])
    survey = surveying.result()
    assert (survey.bought, survey.unnamed_cents) == ({"Ann": 5000}, 7000)


# ── what is known ────────────────────────────────────────────────────────────────────────────────────


def test_who_never_sat_there_is_nobody_and_a_late_report_counts() -> None:
    s = Script()
    ann = sit(s, 3, "Ann")
    sit(s, 4, "Bob")
    never = put_right(s, ann, None)
    account = SeatHistory(s.events)
    assert account.patrons(at(2), "7") == {4: "Bob"}
    assert account.renamed(at(2), "7", {3: "Ann"}) == (
        Renamed(3, None, "Ann", never.at),
        Renamed(4, "Bob", None, None),  # nothing was corrected: it was not there yet
    )
    assert account.renamed(at(2), "7", {4: "Bob"}) == ()


def test_the_last_correction_is_used() -> None:
    s = Script()
    eve = sit(s, 3, "Eve")
    left = s.say("T", e.PlayerLeft, seat=4)
    amy, ann = (msgspec.structs.replace(eve, patron=name) for name in ("Amy", "Ann"))
    first = put_right(s, eve, amy)
    then = put_right(s, first, msgspec.structs.replace(first, instead=ann))
    put_right(s, left, None)  # of another seat
    (renamed,) = SeatHistory(s.events).renamed(at(60), "7", {3: "Eve"})
    assert renamed == Renamed(3, "Ann", "Eve", then.at)


def test_that_somebody_had_not_left_names_them_in_the_rounds_to_come() -> None:
    s = Script()
    sit(s, 3, "Ann")
    left = s.say("T", e.PlayerLeft, seat=3)
    s.now = HOUR
    put_right(s, left, None)
    (renamed,) = SeatHistory(s.events).renamed(at(60), "7", {})
    assert (renamed.patron, renamed.known_as, renamed.at) == ("Ann", None, at(HOUR + 0.5))


# ── laid aside on the disk ───────────────────────────────────────────────────────────────────────────


def frame(s: Script, table: str = "BAC-1") -> bytes:
    return encode(Frame(v=VERSION, table=table, frame=1, received=s.events[-1].at, events=s.events))


def test_a_correction_days_later_is_found_if_its_own_device_sent_it() -> None:
    s = Script()
    ann = sit(s, 3, "Ann")
    s.now = 9 * DAY
    sit(s, 3, "Bob")
    put_right(s, ann, msgspec.structs.replace(ann, patron="Amy"))
    other = msgspec.structs.replace(ann, device="V", patron="Eve")
    with SeatingIndex() as seats:
        assert seats.index_frame(read_frame(RecordedPayload(1, "", frame(s)), None)) == s.events[-1].at
        seats.hear("BAC-1", [other])
        seats.hear("BAC-2", [msgspec.structs.replace(ann, patron="Cat")])
        assert seats.account("BAC-1", "T", at(60)).patrons(at(60), "7") == {3: "Amy"}
        assert seats.account("BAC-1", "V", at(60)).patrons(at(60), "7") == {3: "Eve"}
        assert seats.account("BAC-2", "T", at(60)).patrons(at(60), "7") == {3: "Cat"}
        assert seats.account("BAC-1", "T", at(10 * DAY)).patrons(at(10 * DAY), "7") == {3: "Bob"}
        assert seats.account("BAC-1", "T", at(5 * DAY)).patrons(at(5 * DAY), "7") == {}
        assert seats.devices("BAC-1") == ["T", "V"]
        assert sorted(seats.patrons()) == ["Amy", "Ann", "Bob", "Cat", "Eve"]
        assert seats.seats() == [3]


def test_the_first_of_two_reports_counts_and_circular_corrections_end() -> None:
    s = Script()
    ann = sit(s, 3, "Ann")
    one = put_right(s, ann, None)
    two = put_right(s, one, None)
    ring = msgspec.structs.replace(one, mistaken=e.id_of(two))
    with SeatingIndex() as seats:
        seats.hear("BAC-1", [ann, msgspec.structs.replace(ann, patron="Eve")])
        seats.hear("BAC-1", [ring, two])
        assert seats.account("BAC-1", "T", at(60)).patrons(at(60), "7") == {3: "Ann"}


def test_moves_come_in_the_order_of_their_numbers_as_corrected_or_as_first_reported() -> None:
    """1,201 people sit down one after the other; each hundredth was reported under a wrong name."""
    s = Script()
    for number in range(1_201):
        sit(s, 3, f"P-{number}")
    told_first = [*s.events]
    for place in range(0, 1_201, 100):
        put_right(s, told_first[place], msgspec.structs.replace(told_first[place], patron=f"Q-{place}"))
    with SeatingIndex() as seats:
        seats.hear("BAC-1", reversed(s.events))
        at_first = list(seats.moves("BAC-1", "T", corrected=False))
        since = [getattr(each, "patron", None) for each in seats.moves("BAC-1", "T", corrected=True)]
    assert at_first == told_first
    assert since == [f"{'P' if place % 100 else 'Q'}-{place}" for place in range(1_201)]


def test_only_frames_with_the_words_are_taken_apart_and_none_of_another_key() -> None:
    s = Script()
    sit(s, 3, "Ann")
    with SeatingIndex() as seats:
        assert seats.index_frame(read_frame(RecordedPayload(1, "", b'{"no":"frame"}'), None)) is None
        assert (
            seats.index_frame(read_frame(RecordedPayload(1, "", b"PlayerSeated, and no frame"), None)) is None
        )
        assert seats.index_frame(read_frame(RecordedPayload(1, "", frame(s, "BAC-2")), "BAC-1")) is None
        assert seats.patrons() == []
        # Any letter may be written as its number.
        escaped = frame(s).replace(b"PlayerSeated", rb"\u0050layerSeated")
        assert (may_seat(escaped), may_seat(b'{"no":"frame"}')) == (True, False)
        assert seats.index_frame(read_frame(RecordedPayload(1, "", escaped), "BAC-1")) is not None
        assert seats.patrons() == ["Ann"]
