"""What is found of a shoe has a time: when it could first be concluded, by the table's clock."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from msgspec import UNSET

from projections.casework.alert_watch import ReceivedConclusion
from projections.casework.command_handler import CommandHandler
from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import Conclusion
from projections.engine.observation import Round
from projections.store.conclusion_diff import digests_of, stored_rounds
from projections.store.rows import fingerprint
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.bootstrap import open_commands
from projections.web.pages.table_day_view import NOTHING
from projections.web.records.record_views import ListQuery
from projections.web.records.store_queries import Reader
from schemas import events as e
from schemas.room_settings import RoomSettings
from schemas.values import Micros, moment
from streams.messages import encode, entry_of, read_result, result_of
from tests.builders.alerts import TABLES, build_conclusion, build_finding
from tests.builders.table_audit import audit_events
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, SECOND, START, Script, Spot, build_house

DAY = date(2025, 4, 1)
RUN = Run("live", datetime(2025, 4, 1, tzinfo=UTC), "1.0", "the floor")
SEAT_1: Spot = (1, "banker")
SEAT_4: Spot = (4, "banker")
# The script's clock, worked by hand: round 1 is closed at 19.9 seconds, the player at seat 1 leaves at 25.4,
# round 2 is opened at 25.9 and closed at 40.1. Shoe 2 is loaded; its first round is opened at 47.1 and closed
# at 61.3. That seat 1 left owing is known with round 2, that seat 4 owed at the shoe's end with round 3.
LEFT: Micros = START + 40_100_000
ENDED: Micros = START + 61_300_000
NOW: Micros = START + 90 * SECOND


@pytest.fixture(scope="module")
def heard() -> list[Concluded]:
    """Script two people who owe vigorish: one leaves while the shoe is in play, the other owes at its end."""
    s = Script()
    s.open()
    won = {SEAT_1: 1000, SEAT_4: 2500}
    s.play(BANKER_WINS, won, "banker", won, {SEAT_1: 50, SEAT_4: 125}, marked=True)
    s.say("T", e.PlayerLeft, seat=1)
    s.play(PLAYER_WINS, {}, "player", {})
    s.load("shoe 2")
    s.play(PLAYER_WINS, {}, "player", {})
    return audit_events(s.events, build_house(vigorish_deferred=True), frame=1).history


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.duckdb") as store:
        yield store


def of_shoe(heard: list[Concluded]) -> list[Concluded]:
    return [each for each in heard if each.conclusion.shoe == "shoe 1" and each.conclusion.round is None]


def desk_of(store: Store) -> CommandHandler:
    return open_commands(store, RoomSettings(), TABLES, NOW, live=True)


def times(desk: CommandHandler) -> dict[int | None, Micros | None]:
    """Return when each alert of a seat that stands was found."""
    return {each.alert.seat: each.alert.at for each in desk.queue_items(NOW)}


def test_a_shoe_is_concluded_at_the_terminals_time_of_what_shows_it(heard: list[Concluded]) -> None:
    assert [(each.at, [found.seat for found in each.conclusion.findings]) for each in of_shoe(heard)] == [
        (LEFT, [1]),
        (ENDED, [1, 4]),
    ]
    assert all(each.at is None for each in heard if each.seen is not None)


def test_each_finding_dates_from_when_it_was_found_first_at_once_and_after_a_restart(
    heard: list[Concluded], store: Store
) -> None:
    desk = desk_of(store)
    for each in heard:
        result = read_result(encode(result_of(each, "1.0", "BAC-1#1", NOW, NOW)))
        basis, said, revision = entry_of(result)
        came = desk.take_conclusions([ReceivedConclusion(said, RUN.run, basis, NOW, NOW)], NOW)
        store.write_batch({RUN: [(basis, said, revision)]}, came=came)
        desk.confirm_written(1)
    assert times(desk) == times(desk_of(store)) == {1: LEFT, 4: ENDED}


def test_in_the_queue_it_stands_among_the_others_by_its_time(heard: list[Concluded], store: Store) -> None:
    between = Round(table="BAC-1", number="9", day=DAY, at=START + 50 * SECOND)
    other = build_conclusion("9", build_finding("between", seat=9, severity="medium"), gaming_date=DAY)
    entries = [(each.basis, each.conclusion, each.revision) for each in of_shoe(heard)]
    store.write(RUN, [*entries, (between, other, 1)])
    shown = sorted(desk_of(store).queue_items(NOW), key=lambda each: each.order)
    assert [(each.alert.seat, each.alert.severity) for each in shown] == [
        (4, "medium"),
        (9, "medium"),
        (1, "medium"),
    ]
    listed = Reader(store.reading()).finding_page(RUN.run, ListQuery(), NOTHING).findings
    assert [(each.seat, each.at) for each in listed] == [
        (4, moment(ENDED)),
        (9, moment(START + 50 * SECOND)),
        (1, moment(LEFT)),
    ]


def test_what_was_stored_without_a_time_opens_and_stands_last(heard: list[Concluded], store: Store) -> None:
    (first, second), no_time = of_shoe(heard), list[tuple[None, Conclusion, int]]()
    no_time = [(None, each.conclusion, each.revision) for each in (first, second)]
    assert store.write(RUN, no_time) == 2
    assert times(desk_of(store)) == {1: None, 4: None}
    assert {
        each.at for each in Reader(store.reading()).finding_page(RUN.run, ListQuery(), NOTHING).findings
    } == {UNSET}
    # The same told again with its time is nothing new, and no other conclusion under its number.
    assert store.write(RUN, [(second.basis, second.conclusion, second.revision)]) == 0


def test_when_a_shoe_was_known_is_no_part_of_what_an_audit_of_the_day_is_held_against(
    heard: list[Concluded], store: Store
) -> None:
    store.write(RUN, [(each.basis, each.conclusion, each.revision) for each in of_shoe(heard)])
    (stored,) = stored_rounds(store.reading(), RUN.run, DAY, "BAC-1")
    assert stored.sound
    last = of_shoe(heard)[-1].conclusion
    assert digests_of(store.reading(), RUN.run, DAY, "BAC-1") == {stored.name: fingerprint(None, last)}
