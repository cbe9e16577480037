"""Which text and which Rules Submission a round stands under: changes at the table, and gaming days."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from projections.engine.audit.round_records import answer, to_record
from schemas import events as e
from schemas.house import House, Submission
from tests.builders.table_audit import audit_events, finding_checks
from tests.builders.table_script import PLAYER_WINS, TIE, Script, Spot, build_house
from tests.builders.texts import text_of

WIN: Spot = (1, "player")
ON_TIE: Spot = (1, "tie")
OUTSIDE = {"rules": 1, "options": {"tie_odds": 7}}  # "at least 8 to 1", 631a.13(b)
UNKNOWN = {"rules": 1, "options": {"tie_odds": 9, "lucky_six": True}}


def tie(s: Script, odds: int) -> None:
    """Play a round that ties; 100 cents on the tie are paid at the odds."""
    s.play(TIE, {ON_TIE: 100}, "tie", {ON_TIE: 100 * odds})


# ── HouseRulesChanged ────────────────────────────────────────────────────────────────────────────────


def test_rules_changed_between_rounds() -> None:
    s = Script()
    s.open()
    tie(s, 8)
    s.change_rules(tie_odds=9)
    tie(s, 9)
    tie(s, 8)
    s.change_rules(tie_odds=8)
    tie(s, 8)
    heard = audit_events(s.events, build_house(tie_odds=8))
    assert heard.verdicts() == {"1": "clean", "2": "clean", "3": "mismatch", "4": "clean"}
    (finding,) = heard.rounds["3"].findings
    assert (finding.check, finding.expected_cents, finding.observed_cents) == ("paid_too_little", 900, 800)
    books = {number: each.rulebook for number, each in heard.rounds.items()}
    assert books["1"] == books["4"]
    assert books["2"] == books["3"] != books["1"]


def test_an_old_round_that_is_revised_keeps_its_rules() -> None:
    s = Script()
    s.open()
    tie(s, 8)
    s.change_rules(tie_odds=9)
    tie(s, 9)
    s.adjust(ON_TIE, 100, number="1")  # as though the new odds had held for the first round
    tie(s, 9)
    heard = audit_events(s.events, frame=1)
    assert heard.revisions("1") == ["clean", "mismatch"]
    (finding,) = heard.rounds["1"].findings
    assert (finding.check, finding.expected_cents, finding.observed_cents) == ("paid_too_much", 800, 900)
    assert heard.verdicts() == {"1": "mismatch", "2": "clean", "3": "clean"}


def test_the_same_rules_are_one_rulebook() -> None:
    # 8 to 1 is what the text has where the house says nothing.
    s = Script()
    s.open()
    tie(s, 8)
    s.change_rules(tie_odds=8)
    tie(s, 8)
    heard = audit_events(s.events)
    assert heard.rounds["1"].rulebook == heard.rounds["2"].rulebook


def test_new_rules_are_given_whole() -> None:
    # The house file offers House Money at the table; the change does not name it, so it is gone.
    s = Script()
    s.open()
    money: Spot = (1, "house_money")
    s.play(PLAYER_WINS, {money: 500}, "player", {money: -500})
    s.change_rules(tie_odds=9)
    s.play(PLAYER_WINS, {money: 500}, "player", {money: -500})
    heard = audit_events(s.events, build_house(house_money=True))
    assert heard.verdicts() == {"1": "clean", "2": "mismatch"}
    assert finding_checks(heard.rounds["2"]) == ["wager_not_offered"]


def changed_once(**fields: Any) -> Script:
    """Play a round, change the rules, play two; then change to rules 2 and play one."""
    s = Script()
    s.open()
    tie(s, 8)
    s.change_rules(tie_odds=9)
    s.events[-1] = replace(s.events[-1], **fields)
    tie(s, 9)
    tie(s, 9)
    s.change_rules(tie_odds=10)
    tie(s, 10)
    return s


def test_lost_change_of_rules() -> None:
    s = changed_once()
    s.events = [
        event for event in s.events if not (isinstance(event, e.HouseRulesChanged) and event.rules == 1)
    ]
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean", "2": "undetermined", "3": "undetermined", "4": "clean"}
    for number in "23":
        concluded = heard.rounds[number]
        assert set(finding_checks(concluded)) == {"data_missing"}
        assert any("house rules 1 " in text_of(finding.message) for finding in concluded.findings)
        assert [each.cents for each in concluded.expected] == [None]


def test_change_of_rules_that_comes_late() -> None:
    s = changed_once()
    (change,) = [each for each in s.events if isinstance(each, e.HouseRulesChanged) and each.rules == 1]
    s.events.remove(change)
    s.events.append(change)
    heard = audit_events(s.events, frame=1)
    assert heard.revisions("2") == ["undetermined", "clean"]
    assert heard.verdicts() == dict.fromkeys("1234", "clean")


@pytest.mark.parametrize("fields", [OUTSIDE, UNKNOWN])
def test_rules_that_the_law_does_not_admit(fields: dict[str, Any]) -> None:
    heard = audit_events(changed_once(**fields).events)
    assert heard.verdicts() == {"1": "clean", "2": "undetermined", "3": "undetermined", "4": "clean"}
    assert any("house rules 1 " in text_of(finding.message) for finding in heard.rounds["2"].findings)


# ── gaming days: 06:00 in New York ───────────────────────────────────────────────────────────────────


def micros(*moment: int) -> int:
    """Return a moment of UTC in microseconds."""
    return int(datetime(*moment, tzinfo=UTC).timestamp()) * 1_000_000  # type: ignore[arg-type, misc]


def at_six(**options: Any) -> House:
    return replace(build_house(**options), gaming_day_starts="06:00")


def opened_at(*moments: int, by: House | None = None) -> list[date]:
    """Open a round at each moment, a quarter of a minute long; give their gaming dates."""
    s = Script(start=moments[0] - 60 * 1_000_000)
    s.open()
    for moment in moments:
        s.now = (moment - s.start) / 1_000_000 - 0.5  # what `begin` lets go by
        s.play(PLAYER_WINS, {WIN: 1000}, "player", {WIN: 1000})
    heard = audit_events(s.events, by or at_six())
    assert list(heard.rounds) == [str(n + 1) for n in range(len(moments))]
    return [each.gaming_date for each in heard.rounds.values()]


SUMMER = micros(2025, 7, 2, 10)  # 06:00 EDT
WINTER = micros(2025, 1, 15, 11)  # 06:00 EST


@pytest.mark.parametrize(
    ("six", "before", "after"),
    [
        (SUMMER, date(2025, 7, 1), date(2025, 7, 2)),
        (WINTER, date(2025, 1, 14), date(2025, 1, 15)),
        (micros(2025, 3, 9, 10), date(2025, 3, 8), date(2025, 3, 9)),  # the clocks went forward at 02:00
        (micros(2025, 11, 2, 11), date(2025, 11, 1), date(2025, 11, 2)),  # they went back at 02:00
    ],
)
def test_round_belongs_to_the_day_on_which_it_opened(six: int, before: date, after: date) -> None:
    # The first round spans the turn of the day.
    assert opened_at(six - 1, six + 60_000_000) == [before, after]
    assert opened_at(six) == [after]


def test_the_hour_that_comes_twice_is_of_one_gaming_day() -> None:
    # 01:30 EDT, 01:30 EST an hour later, and 05:30 EST.
    moments = (micros(2025, 11, 2, 5, 30), micros(2025, 11, 2, 6, 30), micros(2025, 11, 2, 10, 30))
    assert opened_at(*moments) == [date(2025, 11, 1)] * 3


def test_the_hour_that_is_left_out() -> None:
    # 01:59:30 EST, and 03:00:30 EDT one minute later.
    moments = (micros(2025, 3, 9, 6, 59), micros(2025, 3, 9, 7, 1))
    assert opened_at(*moments) == [date(2025, 3, 8)] * 2


def test_a_day_that_starts_in_the_hour_that_is_left_out() -> None:
    # 01:50 EST and 03:10 EDT: the second round's day does not hang on whether the first was played.
    by = replace(build_house(), gaming_day_starts="02:30")
    one, two = micros(2025, 3, 9, 6, 50), micros(2025, 3, 9, 7, 10)
    assert opened_at(two, by=by) == opened_at(one, two, by=by)[1:]


def ez_round(at: int) -> list[str]:
    """Play one round of EZ Baccarat with a losing Dragon 7 wager; give the checks."""
    s = Script(start=at - 10_000_000)
    s.open()
    s.now = 9.5
    dragon: Spot = (1, "dragon_7")
    s.play(PLAYER_WINS, {dragon: 1000}, "player", {dragon: -1000})
    return finding_checks(audit_events(s.events, at_six(ez=True)).rounds["1"])


def test_the_text_of_the_gaming_day_decides() -> None:
    # EZ Baccarat is law from February 1, 2014, on; 05:59 of that day is January's last gaming day.
    six = micros(2014, 2, 1, 11)
    assert ez_round(six) == []
    assert ez_round(six - 60_000_000) == ["wager_not_permitted"]


def test_no_text_in_force() -> None:
    # The chapter is law from May 19, 2012, on.
    s = Script(start=micros(2012, 5, 18, 20))
    s.open()
    s.play(PLAYER_WINS, {WIN: 1000}, "player", {WIN: 1000})
    concluded = audit_events(s.events, at_six()).rounds["1"]
    assert (concluded.verdict, finding_checks(concluded)) == ("undetermined", ["not_in_force"])
    assert [each.cents for each in concluded.expected] == [None]


# ── a day without a Rules Submission: by events, by records, and by records that state their own rules ────


def unruled(*submissions: Submission) -> House:
    return replace(build_house(), submissions=list(submissions))


LATER = Submission(since=date(2099, 1, 1), chapter="631a", options={})
ELSEWHERE = Submission(since=date(2014, 2, 1), chapter="631a", options={}, tables=["BAC-2"])
OF_ANOTHER_CHAPTER = Submission(since=date(2014, 2, 1), chapter="545", options={})


@pytest.mark.parametrize("submissions", [[], [LATER], [ELSEWHERE], [OF_ANOTHER_CHAPTER]])
def test_without_a_submission_in_force_events_and_records_are_undetermined_alike(
    submissions: list[Submission],
) -> None:
    house = unruled(*submissions)
    s = Script()
    s.open()
    tie(s, 8)
    heard = audit_events(s.events, house)
    (of_events,) = (each for each in heard.history if each.conclusion.round == "1")
    assert of_events.seen is not None
    assert of_events.book is not None
    record = to_record(of_events.seen, of_events.book)
    assert record.options == {}
    of_record = answer(record, house)
    for concluded in (of_events.conclusion, of_record):
        assert concluded.verdict == "undetermined"
        (finding,) = concluded.findings
        assert (finding.check, finding.message.code) == ("data_missing", "audit.no_rules_submission")
        assert [each.cents for each in concluded.expected] == [None]


def test_a_record_that_states_its_options_needs_no_submission() -> None:
    house = unruled()
    s = Script()
    s.open()
    tie(s, 9)
    (judged,) = (each for each in audit_events(s.events, build_house(tie_odds=9)).history if each.book)
    assert judged.seen is not None
    assert judged.book is not None
    record = to_record(judged.seen, judged.book)
    assert answer(record, house).verdict == "clean"
    assert answer(replace(record, options={}), house).verdict == "undetermined"


def test_a_house_file_without_tables_and_submissions_leaves_the_defaults() -> None:
    s = Script()
    s.open()
    tie(s, 8)
    (judged,) = (each for each in audit_events(s.events).history if each.book)
    assert judged.seen is not None
    assert judged.book is not None
    record = replace(to_record(judged.seen, judged.book), options={})
    assert answer(record, House(house="zone only", zone="America/Chicago")).verdict == "clean"


def test_submissions_take_effect_by_gaming_day_and_table() -> None:
    by = at_six()
    by = replace(
        by,
        submissions=[
            Submission(since=date(2025, 1, 1), chapter="631a", options={"tie_odds": 8}),
            Submission(since=date(2025, 7, 2), chapter="631a", options={"tie_odds": 9}),
            Submission(since=date(2025, 1, 1), chapter="631a", options={"tie_odds": 11}, tables=["BAC-2"]),
        ],
    )
    s = Script(start=SUMMER - 60_000_000)
    s.open()
    tie(s, 8)  # before six
    s.now = 61
    tie(s, 9)
    heard = audit_events(s.events, by)
    assert heard.verdicts() == {"1": "clean", "2": "clean"}
    assert [each.gaming_date.day for each in heard.rounds.values()] == [1, 2]
