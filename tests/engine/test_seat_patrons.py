"""Which patron sat where: by the terminal's word, late, doubled and corrected as it may come."""

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from projections.engine.audit.table_audit import AuditProgress, TableAudit
from projections.engine.conclusion import id_of
from projections.engine.fold.seats import Seating
from projections.engine.observation import Key
from projections.store.conclusion_diff import (
    Difference,
    compared_conclusion,
    compared_stored,
    differences,
    digests_of,
    stored_rounds,
)
from projections.store.rows import fingerprint
from projections.store.store import Store
from schemas import events as e
from streams.messages import encode, entry_of, read_result, result_of
from tests.builders.stores import RUN
from tests.builders.table_audit import AuditedTable, audit_events
from tests.builders.table_script import PLAYER_WINS, START, Script, Spot, build_house

HOUR: Final = 3600
WIN: Final[Spot] = (3, "player")


def seated(script: Script, order: list[int] | None = None) -> Seating:
    found = Seating()
    for place in order if order is not None else range(len(script.events)):
        event = script.events[place]
        assert isinstance(event, e.PlayerSeated | e.PlayerLeft | e.TableClosed | e.ReportCorrected)
        found.take(event)
    return found


def at(seconds: float) -> int:
    return START + round(seconds * 1_000_000)


def sit(s: Script, after: float, seat: int, patron: str | None, **more: Any) -> Any:
    return s.say("T", e.PlayerSeated, after, seat=seat, patron=patron, **more)


def test_who_sits_is_known_until_they_leave_or_the_table_closes() -> None:
    s = Script()
    sit(s, 10, 3, "Ann")
    s.say("T", e.PlayerLeft, 10, seat=3)  # at 20
    sit(s, 10, 3, "Bob")  # at 30
    s.say("T", e.PlayerLeft, 10, seat=3, bettor="a friend behind him")
    s.say("T", e.TableClosed, 10, heard={})  # at 50
    found = seated(s)
    asked = [found.patrons(at(seconds), "7") for seconds in (5, 10, 19, 20, 30, 49, 50)]
    assert asked == [{}, {3: "Ann"}, {3: "Ann"}, {}, {3: "Bob"}, {3: "Bob"}, {}]


def test_nobody_sits_for_more_than_two_days() -> None:
    s = Script()
    sit(s, 10, 3, "Ann")
    found = seated(s)
    two_days = 10 + 48 * HOUR
    assert found.patrons(at(two_days), "7") == {3: "Ann"}
    assert found.patrons(at(two_days) + 1, "7") == {}


def test_who_sits_down_during_a_round_plays_it_where_nobody_sat() -> None:
    s = Script()
    sit(s, 1, 2, "Cat")
    sit(s, 9, 3, "Ann", round="7")
    sit(s, 10, 4, "Bob", round="7")
    s.say("T", e.PlayerLeft, 1, seat=2, round="7")
    sit(s, 1, 2, "Dan", round="7")
    found = seated(s)
    assert found.patrons(at(5), "7") == {2: "Cat", 3: "Ann", 4: "Bob"}
    assert found.patrons(at(5), "6") == {2: "Cat"}
    assert found.patrons(at(30), "8") == {2: "Dan", 3: "Ann", 4: "Bob"}


def test_whoever_is_not_known_takes_the_seat_of_one_who_was() -> None:
    s = Script()
    sit(s, 10, 3, "Ann")
    sit(s, 10, 3, None)
    assert seated(s).patrons(at(30), "7") == {}


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [0, 3, 3, 1, 2, 0]])
def test_late_doubled_and_corrected_reports_come_to_the_same(order: list[int]) -> None:
    s = Script()
    sit(s, 10, 3, "Ann")  # at 10
    mistaken = sit(s, 10, 4, "Bob")
    s.say("T", e.ReportCorrected, 10, mistaken=e.id_of(mistaken), instead=None)
    s.say("T", e.PlayerLeft, 10, seat=3)  # at 40
    found = seated(s, order)
    assert found.patrons(at(35), "7") == {3: "Ann"}
    assert found.patrons(at(45), "7") == {}


def test_what_is_long_over_is_forgotten_and_what_lasts_is_not() -> None:
    s = Script()
    sit(s, 0, 3, "Ann")
    sit(s, 40 * HOUR, 4, "Bob")
    found = seated(s)
    assert found.patrons(at(47 * HOUR), "7") == {3: "Ann", 4: "Bob"}
    assert found.patrons(at(49 * HOUR), "8") == {4: "Bob"}


def test_of_many_who_came_and_went_those_are_kept_who_sit_there() -> None:
    """Ann sits all day, and was taken for Eve and then for Amy; forty people come and go at seat 3."""
    s = Script()
    eve = sit(s, 1, 5, "Eve")
    amy, ann = (msgspec.structs.replace(eve, patron=name) for name in ("Amy", "Ann"))
    first = s.say("T", e.ReportCorrected, 1, mistaken=e.id_of(eve), instead=amy)
    then = msgspec.structs.replace(first, instead=ann)
    s.say("T", e.ReportCorrected, 1, mistaken=e.id_of(first), instead=then)
    for name in range(40):
        sit(s, 300, 3, f"P-{name}")
        s.say("T", e.PlayerLeft, 300, seat=3)
    last = sit(s, 300, 3, "Bob")  # at 24,303 seconds
    found = seated(s)
    found.forget(last.at)
    assert found.patrons(last.at, "9") == {3: "Bob", 5: "Ann"}
    assert found.patrons(at(23_900), "8") == {3: "P-39", 5: "Ann"}  # who sat from 23,703 to 24,003
    # Of two hours before the last the moves are kept, and Ann's with its two corrections.
    assert len(found.reports) == 3 + sum(each.at >= last.at - 2 * HOUR * 1_000_000 for each in s.events)
    assert len(found.reports) < 32


# ── round by round ───────────────────────────────────────────────────────────────────────────────────


def plays(s: Script) -> str:
    """Play a round with a wager at seat 3; it takes some fifteen seconds."""
    return s.play(PLAYER_WINS, {WIN: 1000}, "player", {WIN: 1000})


def opened() -> Script:
    s = Script()
    s.open()
    return s


def patrons(heard: AuditedTable) -> dict[str, list[dict[int, str]]]:
    """Return who sat at each round, in each of its revisions."""
    found: dict[str, list[dict[int, str]]] = {}
    for each in heard.history:
        if each.seen is not None:
            found.setdefault(each.seen.number, []).append(each.seen.seated)
    return found


def test_each_round_has_who_sat_as_it_opened() -> None:
    s = opened()
    plays(s)
    sit(s, 1, 3, "Ann")
    sit(s, 1, 4, "Bob")
    plays(s)
    s.say("T", e.PlayerLeft, seat=3)
    s.load("shoe 2")
    plays(s)
    s.close()
    s.open()
    plays(s)
    heard = audit_events(s.events)
    assert patrons(heard) == {"1": [{}], "2": [{3: "Ann", 4: "Bob"}], "3": [{4: "Bob"}], "4": [{}]}
    assert heard.verdicts() == dict.fromkeys("1234", "clean")


def test_who_sits_down_and_who_leaves_during_a_round() -> None:
    s = opened()
    sit(s, 1, 4, "Bob")
    s.begin({WIN: 1000})
    sit(s, 1, 3, "Ann", round="1")
    s.say("T", e.PlayerLeft, seat=4, round="1")
    s.no_more_bets({WIN: 1000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({WIN: 1000})
    s.end()
    plays(s)
    assert patrons(audit_events(s.events)) == {"1": [{3: "Ann", 4: "Bob"}], "2": [{3: "Ann"}]}


def test_the_wagers_of_a_seat_are_its_patron_s_but_not_where_several_bet() -> None:
    s = opened()
    sit(s, 1, 3, "Ann")
    friend: Spot = (3, "player", "B")
    s.play(PLAYER_WINS, {WIN: 1000, friend: 500}, "player", {WIN: 1000, friend: 500})
    (seen,) = (each.seen for each in audit_events(s.events).history if each.seen is not None)
    assert seen.patrons() == {Key(3, None, "player", None): "Ann", Key(3, "B", "player", None): None}


def test_a_report_that_comes_late_revises_the_rounds_from_then_on() -> None:
    s = opened()
    plays(s)
    late = sit(s, 1, 3, "Ann")
    plays(s)
    plays(s)
    events = [each for each in s.events if each is not late]
    heard = audit_events([*events, late], frame=1)
    assert patrons(heard)["1"] == [{}]
    assert [patrons(heard)[number][-1] for number in "23"] == [{3: "Ann"}, {3: "Ann"}]
    assert patrons(heard)["2"][0] == {}
    assert heard.rounds == audit_events(s.events).rounds


def test_a_correction_revises_the_rounds_that_are_held_and_nothing_that_was_found_in_them() -> None:
    s = opened()
    plays(s)
    mistaken = sit(s, 1, 3, "Ann")
    plays(s)
    before = [
        each.conclusion for each in audit_events(s.events, frame=1).history if each.conclusion.round == "2"
    ]
    s.correct(mistaken, msgspec.structs.replace(mistaken, patron="Bob"))
    s.events[-1] = msgspec.structs.replace(s.events[-1], round=None)  # as the report that it names
    plays(s)
    heard = audit_events(s.events, frame=1)
    assert patrons(heard) == {"1": [{}], "2": [{3: "Ann"}, {3: "Bob"}], "3": [{3: "Bob"}]}
    conclusions = [each for each in heard.history if each.conclusion.round == "2"]
    assert [each.revision for each in conclusions] == [1, 2]
    assert [each.conclusion for each in conclusions] == before * 2


def test_a_correction_after_the_rounds_were_let_go_holds_for_those_to_come() -> None:
    s = opened()
    mistaken = sit(s, 1, 3, None)
    plays(s)
    s.now += HOUR
    plays(s)
    s.correct(mistaken, msgspec.structs.replace(mistaken, patron="Bob"))
    s.events[-1] = msgspec.structs.replace(s.events[-1], round=None)
    plays(s)
    heard = audit_events(s.events, frame=1)
    assert patrons(heard)["1"] == [{}]
    assert patrons(heard)["3"] == [{3: "Bob"}]


def test_only_the_terminal_says_who_sits() -> None:
    s = opened()
    s.say("V", e.PlayerSeated, seat=3, patron="Ann")
    plays(s)
    assert patrons(audit_events(s.events)) == {"1": [{}]}


@pytest.mark.parametrize("frame", [1, 3, None])
def test_it_is_the_same_however_events_are_framed_and_wherever_the_state_was_stored(
    frame: int | None,
) -> None:
    s = opened()
    for name in ("Ann", "Bob", "Cat"):
        sit(s, 1, 3, name)
        plays(s)
    whole = patrons(audit_events(s.events, frame=frame))
    assert whole == {"1": [{3: "Ann"}], "2": [{3: "Bob"}], "3": [{3: "Cat"}]}
    encode, read = msgspec.json.encode, msgspec.json.Decoder(AuditProgress).decode
    heard = AuditedTable(TableAudit("BAC-1", build_house()))
    for each in s.events:
        again = TableAudit("BAC-1", build_house())
        again.progress = read(encode(heard.audit.progress))
        heard.audit = again
        heard.hear(again.feed([each]))
    heard.hear(heard.audit.finish())
    assert patrons(heard) == whole


# ── in the store ─────────────────────────────────────────────────────────────────────────────────────


def test_the_store_has_who_sat_as_it_came_through_kafka(tmp_path: Path) -> None:
    s = opened()
    sit(s, 1, 4, "Bob")
    sit(s, 1, 3, "Ann")
    plays(s)
    s.say("T", e.PlayerLeft, seat=3)
    s.say("T", e.PlayerLeft, seat=4)
    plays(s)
    heard = [each for each in audit_events(s.events).history if each.seen is not None]
    results = [read_result(encode(result_of(each, "1.0", "BAC-1#1", 1, 2))) for each in heard]
    day = heard[0].conclusion.gaming_date
    with Store(tmp_path / "s.duckdb") as store:
        store.write(RUN, map(entry_of, results))
        stored = list(stored_rounds(store.reading(), RUN.run, day, "BAC-1"))
        digests = digests_of(store.reading(), RUN.run, day, "BAC-1")
    assert {each.concluded.round: each.row["seated"] for each in stored} == {
        "1": [{"seat": 3, "patron": "Ann"}, {"seat": 4, "patron": "Bob"}],
        "2": None,
    }
    assert digests == {id_of(each.conclusion): fingerprint(each.basis, each.conclusion) for each in heard}


def test_two_audits_that_name_another_patron_differ_in_that_alone(tmp_path: Path) -> None:
    s = opened()
    sit(s, 1, 3, "Ann")
    plays(s)
    (heard,) = (each for each in audit_events(s.events).history if each.seen is not None)
    with Store(tmp_path / "s.duckdb") as store:
        store.write(RUN, [(heard.seen, heard.conclusion, 1)])
        (stored,) = stored_rounds(store.reading(), RUN.run, heard.conclusion.gaming_date, "BAC-1")
    assert heard.seen is not None
    same = compared_conclusion(heard.seen, heard.conclusion)
    other = compared_conclusion(
        msgspec.structs.replace(heard.seen, seated={3: "Bob", 5: "Cat"}), heard.conclusion
    )
    assert compared_stored(stored).digests() == same.digests() != other.digests()
    assert list(differences(compared_stored(stored), other)) == [
        Difference("round", "", "seated", "seat 3 Ann", "seat 3 Bob, seat 5 Cat")
    ]
