"""The desk over a real store: races end with one owner, a restart loses nothing."""

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec.structs import replace

from projections.casework.actions import Actor, NotAllowed, Refused
from projections.casework.alert_watch import ReceivedConclusion
from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.case_book import CaseBook
from projections.casework.cases.case_actions import (
    Acknowledge,
    Close,
    Merge,
    Mute,
    Release,
    Snooze,
    TakeNext,
    WriteNote,
)
from projections.casework.command_handler import Answer, CommandHandler
from projections.engine.observation import Round
from projections.store.action_log import Acted, sealed
from projections.store.rows import Offset
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.bootstrap import open_commands
from schemas.errors import BadInput, DiscardrackError
from schemas.room_settings import RoomSettings
from tests.builders.alerts import (
    DAY,
    EVENING,
    MINUTE,
    PEOPLE,
    SECOND,
    TABLES,
    build_arrival,
    build_conclusion,
    build_finding,
)

RUN = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
ROUNDS = 12


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a store with an alert in each of twelve rounds; each test has a copy."""
    path = tmp_path_factory.mktemp("written") / "store.duckdb"
    with Store(path) as store:
        store.write(
            RUN, [(seen(n), build_conclusion(str(n), build_finding(f"m{n}")), 1) for n in range(ROUNDS)]
        )
    return path


@pytest.fixture
def path(tmp_path: Path, written: Path) -> Path:
    return shutil.copyfile(written, tmp_path / "store.duckdb")


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


def seen(number: int) -> Round:
    return Round(table="BAC-1", number=str(number), day=DAY, at=EVENING + number, dealer="D-1")


def at(store: Store, now: int = EVENING + MINUTE) -> CommandHandler:
    return open_commands(store, RoomSettings(), TABLES, now, live=True)


def person(name: str, rights: frozenset[str] = SECOND, hidden: frozenset[str] = frozenset()) -> Actor:
    return Actor(name, "supervisor", rights, PEOPLE, hidden)


def new_id(number: int) -> str:
    return f"{number:032x}"


def race(*tries: Callable[[], Answer]) -> list[Answer | str]:
    """Run several actions at the same moment; return each one's answer, or the refusal."""
    begin = threading.Barrier(len(tries))
    found: list[Answer | str] = [""] * len(tries)

    def one(number: int, act: Callable[[], Answer]) -> None:
        begin.wait()
        try:
            found[number] = act()
        except Refused as error:
            found[number] = str(error)

    threads = [threading.Thread(target=one, args=each) for each in enumerate(tries)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return found


def test_if_two_take_the_same_alert_one_gets_it_and_the_other_is_refused(store: Store) -> None:
    desk = at(store)
    for n in range(ROUNDS):
        found = race(
            *(
                lambda who=who, number=number, n=n: desk.act(  # type: ignore[misc]
                    Acknowledge(id=new_id(number), subject=f"alert:m{n}"), person(who), EVENING
                )
                for number, who in ((2 * n, "ann"), (2 * n + 1, "bob"))
            )
        )
        (answer,) = (each for each in found if isinstance(each, Answer))
        owner = answer.after["owner"]
        assert [each for each in found if isinstance(each, str)] == [f"{owner} has it already."]
    assert [acted.number for acted in desk.acts()] == list(range(1, ROUNDS + 1))


def test_however_many_take_the_next_none_is_given_twice(store: Store) -> None:
    desk = at(store)
    found = race(
        *(
            lambda n=n: desk.act(TakeNext(id=new_id(n)), person(PEOPLE[n % 4]), EVENING)  # type: ignore[misc]
            for n in range(ROUNDS + 3)
        )
    )
    taken = [each.subject for each in found if isinstance(each, Answer)]
    assert sorted(taken) == sorted(f"alert:m{n}" for n in range(ROUNDS))
    assert [each for each in found if isinstance(each, str)] == ["Nothing is unassigned."] * 3


def test_a_restart_loses_no_action_no_alert_and_no_due_time(path: Path) -> None:
    with Store(path) as store:
        desk = at(store)
        late = build_conclusion("99", build_finding("new", check="push_paid"))
        came = desk.take_conclusions([build_arrival(late, seen(99), EVENING + MINUTE)], EVENING + MINUTE)
        assert desk.news().rings == {"new"}
        store.write_batch({RUN: [(seen(99), late, 1)]}, came=came)
        acts = (
            Acknowledge(id=new_id(1), subject="alert:m1"),
            Close(id=new_id(2), subject="alert:m1", outcome="corrected", reason="paid back"),
            Merge(id=new_id(3), subject="alert:m2", others=("alert:m3",)),
            Snooze(id=new_id(4), subject="alert:m4", minutes=5, reason="break"),
            Mute(id=new_id(5), check="push_paid", minutes=50, reason="training"),
            TakeNext(id=new_id(6)),
        )
        for n, each in enumerate(acts):
            desk.act(each, person("ann"), EVENING + n * MINUTE)
        now = EVENING + 9 * MINUTE
        before = desk.queue_items(now), desk.acts(), desk.mutes(), desk.rings(now)
    with Store(path) as store:
        desk = at(store, EVENING + 8 * MINUTE)
        shown = {each.alert.id: each for each in desk.queue_items(EVENING + 9 * MINUTE)}
        assert shown == {each.alert.id: each for each in before[0]}
        assert len(shown) == ROUNDS + 1
        assert (desk.acts(), desk.mutes(), desk.rings(EVENING + 9 * MINUTE)) == before[1:]
        assert not desk.news().rings


def test_the_same_action_sent_again_is_answered_as_the_first_time(store: Store) -> None:
    desk = at(store)
    asked = Acknowledge(id=new_id(1), subject="alert:m1")
    first = desk.act(asked, person("ann"), EVENING)
    desk.act(Release(id=new_id(2), subject="alert:m1"), person("ann"), EVENING)
    assert desk.act(asked, person("ann"), EVENING + MINUTE) == first
    assert len(desk.acts()) == 2
    with pytest.raises(Refused, match="Somebody else has done an action with this id"):
        desk.act(asked, person("bob"), EVENING)


def test_a_role_that_may_not_work_on_alerts_is_refused(store: Store) -> None:
    with pytest.raises(NotAllowed, match="The role supervisor may not do this; it needs the right to work"):
        at(store).act(TakeNext(id=new_id(1)), person("ann", frozenset({"see"})), EVENING)


class Failing(Store):
    """A store that cannot be written for a while."""

    broken = False

    def act(self, acted: Acted, reached: Sequence[Offset] = ()) -> None:
        """Write what somebody did, unless it is broken."""
        if self.broken:
            raise DiscardrackError("the store cannot be written: the disk is full")
        super().act(acted, reached)


def test_what_could_not_be_written_was_not_done_and_can_be_done_again(path: Path) -> None:
    with Failing(path) as store:
        desk = at(store)
        asked = Acknowledge(id=new_id(1), subject="alert:m1")
        store.broken = True
        with pytest.raises(DiscardrackError, match="the disk is full"):
            desk.act(asked, person("ann"), EVENING)
        shown = desk.queue_item("m1", EVENING)
        assert shown is not None
        assert (shown.case.state, desk.acts()) == ("new", [])
        store.broken = False
        assert desk.act(asked, person("ann"), EVENING).number == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE actions SET who = 'bob' WHERE number = 2",
        "UPDATE actions SET after = NULL WHERE number = 1",
        "DELETE FROM actions WHERE number = 2",
        'UPDATE actions SET "at" = "at" + INTERVAL 1 SECOND WHERE number = 3',
    ],
)
def test_an_action_that_was_changed_by_hand_is_refused_when_the_store_is_opened(
    path: Path, change: str
) -> None:
    with Store(path) as store:
        desk = at(store)
        for n in range(1, 4):
            desk.act(WriteNote(id=new_id(n), subject="alert:m1", text=str(n)), person("ann"), EVENING)
    with duckdb.connect(str(path)) as db:
        db.execute(change)
    with Store(path) as store, pytest.raises(BadInput, match=r"action \d was changed, or one before it"):
        at(store)


def test_a_withdrawn_alert_with_work_on_it_is_found_after_a_restart_too(path: Path) -> None:
    with Store(path) as store:
        desk = at(store)
        desk.act(WriteNote(id=new_id(1), subject="alert:m1", text="asked the pit"), person("ann"), EVENING)
        store.write(RUN, [(seen(1), build_conclusion("1"), 2)])
        desk.take_conclusions([build_arrival(build_conclusion("1"), seen(1), EVENING)], EVENING)
        before = desk.queue_item("m1", EVENING)
        assert before is not None
        assert before.withdrawn
    with Store(path) as store:
        assert at(store).queue_item("m1", EVENING) == before


def test_of_two_runs_the_one_that_was_begun_last_holds(path: Path) -> None:
    later = Run("again", datetime(2025, 3, 2, tzinfo=UTC), "1.1", "the archive")
    with Store(path) as store:
        store.write(
            later,
            [(seen(1), build_conclusion("1"), 1), (seen(2), build_conclusion("2", build_finding("else")), 1)],
        )
        names = {each.alert.id for each in at(store).queue_items(EVENING)}
    assert names == {f"m{n}" for n in (0, *range(3, ROUNDS))} | {"else"}


@pytest.mark.parametrize(
    "hidden", ["alert:m1", "round:2025-03-01|BAC-1|1", "case:m1", "alert:m2", "table-day:2025-03-01|BAC-1"]
)
def test_what_is_withheld_from_someone_is_gone_for_them_with_its_whole_case(
    store: Store, hidden: str
) -> None:
    desk = at(store)
    desk.act(Merge(id=new_id(1), subject="alert:m1", others=("alert:m2",)), person("ann"), EVENING)
    away = frozenset({hidden})
    names = {each.alert.id for each in desk.queue_items(EVENING, away)}
    assert not {"m1", "m2"} & names
    assert desk.queue_item("m1", EVENING, away) is None
    related = desk.related_items({"m1", "m2", "m5"}, EVENING, away)
    assert not {"m1", "m2"} & {each.alert.id for each in related}
    for subject in ("alert:m1", "alert:m2"):
        with pytest.raises(Refused, match="There is no such alert any more"):
            desk.act(WriteNote(id=new_id(2), subject=subject, text="x"), person("bob", hidden=away), EVENING)
    with pytest.raises(Refused, match="There is no such alert any more"):
        desk.act(
            Merge(id=new_id(3), subject="alert:m9", others=("alert:m1",)), person("bob", hidden=away), EVENING
        )


def test_the_desk_says_what_the_time_alone_changed(store: Store) -> None:
    desk = at(store)
    desk.act(Snooze(id=new_id(1), subject="alert:m1", minutes=2, reason="break"), person("ann"), EVENING)
    desk.act(Mute(id=new_id(2), table="BAC-1", minutes=3, reason="training"), person("bob"), EVENING)
    assert desk.news().touched == {f"m{n}" for n in range(ROUNDS)}
    desk.tick(EVENING + MINUTE)
    assert not desk.news()
    desk.tick(EVENING + 2 * MINUTE)
    assert desk.news().touched == {"m1"}
    desk.tick(EVENING + 3 * MINUTE)
    assert desk.news().touched == {f"m{n}" for n in range(ROUNDS)}
    # All were opened at the same second; ten minutes of the floor's clock later they are this shift's.
    desk.tick(EVENING + 12 * MINUTE)
    assert desk.news().touched == {f"m{n}" for n in range(ROUNDS)}


def test_a_table_can_be_muted_that_the_store_has_or_that_was_heard_of_though_not_of_the_house(
    store: Store,
) -> None:
    store.write(RUN, [(None, build_conclusion("1", table="BAC-7"), 1)])
    desk = at(store)
    desk.take_conclusions([build_arrival(build_conclusion("1", table="BAC-8"), None, EVENING)], EVENING)
    desk.set_silent_devices({"BAC-9": {}})
    for number, table in enumerate(("BAC-1", "BAC-7", "BAC-8", "BAC-9"), 1):
        desk.act(Mute(id=new_id(number), table=table, minutes=3, reason="training"), person("bob"), EVENING)
    assert [each.table for each in desk.mutes()] == ["BAC-1", "BAC-7", "BAC-8", "BAC-9"]
    with pytest.raises(Refused, match="There is no table CRP-3; the floor shows those that there are"):
        desk.act(Mute(id=new_id(5), table="CRP-3", minutes=3, reason="training"), person("bob"), EVENING)


def test_alerts_at_the_table_of_a_silent_reader_say_so(store: Store) -> None:
    desk = at(store)
    desk.set_silent_devices({"BAC-1": {"C-1": EVENING}})
    assert desk.news().touched == {f"m{n}" for n in range(ROUNDS)}
    assert [each.describe() for each in desk.silent()] == ["C-1, which reads the chips, is silent"]
    desk.take_conclusions(
        [build_arrival(build_conclusion("50", build_finding("late", check="push_paid")), seen(50), EVENING)],
        EVENING,
    )
    assert desk.news().rings == set()


def test_a_book_that_a_desk_does_not_keep_is_no_book_of_it(store: Store) -> None:
    board = AlertQueue(RoomSettings(), TABLES)
    book: Any = CaseBook(board, {})
    assert CommandHandler(store, board, [book]).book(CaseBook) is book


def test_an_action_is_stored_with_what_it_changed_however_long_its_text(store: Store) -> None:
    desk = at(store)
    for n in range(1, 40):
        note = WriteNote(id=new_id(n), subject="alert:m1", text="x" * 1_000)
        desk.act(note, person("ann"), EVENING + n * MINUTE)
    desk.act(
        Merge(id=new_id(40), subject="alert:m1", others=("alert:m2",)), person("ann"), EVENING + 40 * MINUTE
    )
    *_, noted, merged = desk.acts()
    assert (noted.before, noted.after) == (
        f'{{"changed":{EVENING + 38 * MINUTE},"notes":38}}',
        f'{{"changed":{EVENING + 39 * MINUTE},"notes":39}}',
    )
    assert (merged.before, merged.after) == (
        f'{{"alerts":[],"changed":{EVENING + 39 * MINUTE}}}',
        f'{{"alerts":["m2"],"changed":{EVENING + 40 * MINUTE}}}',
    )


# ── taking back ──────────────────────────────────────────────────────────────────────────────────────


def night(path: Path) -> list[Acted]:
    """Perform a night's work in a store; return it as it was written."""
    with Store(path) as store:
        desk = at(store)
        acts = (
            Acknowledge(id=new_id(1), subject="alert:m1"),
            WriteNote(id=new_id(2), subject="alert:m1", text="called the pit"),
            Mute(id=new_id(3), check="push_paid", minutes=50, reason="training"),
            Merge(id=new_id(4), subject="alert:m2", others=("alert:m3",)),
            Close(id=new_id(5), subject="alert:m1", outcome="corrected", reason="paid back"),
        )
        for n, each in enumerate(acts):
            desk.act(each, person("ann"), EVENING + n * MINUTE)
        return desk.acts()


@pytest.fixture
def before(path: Path, tmp_path: Path) -> list[Acted]:
    """Do a night's work in a copy of the store, which is lost."""
    shutil.copy(path, tmp_path / "lost")
    return night(tmp_path / "lost")


@pytest.mark.parametrize("had", [0, 1, 4, 5])
def test_what_a_store_lost_is_taken_back_as_it_was(path: Path, before: list[Acted], had: int) -> None:
    with Store(path) as store:
        desk = at(store)
        for each in before[:had]:
            desk.restore(each)
        assert [desk.restore(each) for each in before] == [False] * had + [True] * (5 - had)
        assert desk.acts() == before
        later = EVENING + 9 * MINUTE
        shown = desk.queue_items(later), desk.mutes()
        assert desk.news().touched >= {"m1", "m2", "m3"}
        closed = desk.queue_item("m1", later)
        assert closed is not None
        assert (closed.case.state, [note.text for note in closed.case.notes]) == (
            "closed",
            ["called the pit"],
        )
        # What is done now goes on behind it.
        note = WriteNote(id=new_id(6), subject="alert:m5", text="x")
        assert desk.act(note, person("bob"), later).number == 6
    with Store(path) as store:
        desk = at(store, later)
        assert desk.acts()[:5] == before
        assert desk.mutes() == shown[1]


def test_in_a_store_that_was_lost_an_alert_came_as_it_came_there_and_what_is_old_does_not_ring(
    tmp_path: Path, before: list[Acted]
) -> None:
    def read_back(name: str, received: int, judged: int | None = None) -> ReceivedConclusion:
        """Read a round back, opened a minute before the gateway had its end; in minutes since EVENING."""
        number, had = name[1:], EVENING + received * MINUTE
        basis = replace(seen(int(number)), at=had - MINUTE)
        concluded_at = had if judged is None else EVENING + judged * MINUTE
        return ReceivedConclusion(
            build_conclusion(number, build_finding(name)), "live", basis, had, concluded_at
        )

    now = EVENING + 540 * MINUTE
    with Store(tmp_path / "anew.duckdb") as store:
        desk = at(store, now)
        for each in before:  # from minute 0 to minute 4
            desk.restore(each)
        # One table's log is read before another's; m3 was judged a second time, by a worker that had lost it.
        told = [("m5", 536, None), ("m0", 1, None), ("m1", -1, None), ("m2", 2, None), ("m3", 2, 539)]
        noted = desk.take_conclusions([read_back(*each) for each in (*told, ("m4", 5, None))], now)
        # Nobody touched m0, which came while people were at work. m1 was taken at 0, before which nobody did
        # anything; m2 and m3 were merged at 3. After 4 nobody did anything: of m4 and m5 nothing is known.
        assert {each.id: (each.came - EVENING) // MINUTE for each in noted} == {
            "m5": 540, "m0": 1, "m1": 0, "m2": 2, "m3": 3, "m4": 540,
        }  # fmt: skip
        # Five minutes ago one could still act on m5. What had come in the lost store had come into act now.
        assert desk.news().rings == {each.id for each in noted if each.rang} == {"m5"}
        assert {each.id for each in noted if each.queue != "act_now"} == {"m4"}
        shown = {each.alert.id: each.queue for each in desk.queue_items(now)}
        # Nobody has taken m0, m2 and m3, which were to be acted on then: old as they are, they stay.
        urgent = dict.fromkeys(("m0", "m2", "m3", "m5"), "act_now")
        assert shown == urgent | dict.fromkeys(("m1", "m4"), "nightly")
        store.write_batch({}, came=noted)
        # In act now money is to be taken within 5 minutes and closed within 120.
        assert [(each.alert, each.step, each.late(now)) for each in desk.breaches(DAY, now)] == [
            ("m0", "taken", 534),
            ("m2", "taken", 533),
            ("m3", "taken", 532),
            ("m0", "closed", 419),
            ("m2", "closed", 418),
            ("m3", "closed", 417),
        ]


def test_a_late_finding_in_a_complete_store_is_due_from_its_arrival_and_does_not_ring(
    store: Store,
) -> None:
    # The console was away for an hour: who was there could not look.
    now = EVENING + 60 * MINUTE
    desk = at(store, now)
    desk.act(Acknowledge(id=new_id(1), subject="alert:m1"), person("ann"), now)
    missed = build_conclusion("50", build_finding("missed", check="push_paid"))
    (noted,) = desk.take_conclusions(
        [ReceivedConclusion(missed, "live", seen(50), EVENING + MINUTE, EVENING + MINUTE)], now
    )
    assert (noted.came, noted.queue, noted.rang) == (now, "this_shift", False)
    assert desk.news().rings == set()


def test_what_does_not_follow_is_refused_and_changes_nothing(path: Path, before: list[Acted]) -> None:
    first, second, third, *_ = before
    with Store(path) as store:
        desk = at(store)
        desk.restore(first)
        with pytest.raises(BadInput, match="action 3 does not follow action 1, the last of this store"):
            desk.restore(third)
        with pytest.raises(BadInput, match="action 2 is not as it was done: its digest is another's"):
            desk.restore(replace(second, who="bob"))
        desk.act(WriteNote(id=new_id(9), subject="alert:m1", text="x"), person("bob"), EVENING)
        with pytest.raises(BadInput, match="action 2 is another one in this store: two stores were acted in"):
            desk.restore(second)
        assert [each.id for each in desk.acts()] == [first.id, new_id(9)]
        assert at(store).acts() == desk.acts()


@pytest.mark.parametrize(
    "asked",
    [
        "{}",
        '{"action":"fly","id":"0"}',
        f'{{"action":"undo","id":"{new_id(7)}","subject":"alert:m9"}}',
        f'{{"action":"unmute","id":"{new_id(7)}","mute":"{new_id(8)}"}}',
    ],
)
def test_what_no_console_has_done_is_refused_though_it_follows(
    path: Path, before: list[Acted], asked: str
) -> None:
    first, second, *_ = before
    with Store(path) as store:
        desk = at(store)
        desk.restore(first)
        forged = sealed(replace(second, details=f'{{"asked":{asked},"facts":{{}}}}'))
        with pytest.raises(BadInput, match="action 2 cannot be done again"):
            desk.restore(forged)
        assert desk.restore(second)
        assert at(store).acts() == [first, second]


def test_the_same_id_is_not_taken_back_under_two_numbers(path: Path, before: list[Acted]) -> None:
    first, second, *_ = before
    with Store(path) as store:
        desk = at(store)
        desk.restore(first)
        with pytest.raises(BadInput, match="action 2 is another one in this store"):
            desk.restore(sealed(replace(second, id=first.id)))


def test_nobody_acts_before_it_is_known_what_was_done(store: Store) -> None:
    desk = at(store)
    desk.suspend("try again in a moment")
    with pytest.raises(Refused, match="try again in a moment"):
        desk.act(TakeNext(id=new_id(1)), person("ann"), EVENING)
    desk.resume()
    assert desk.act(TakeNext(id=new_id(1)), person("ann"), EVENING).number == 1
