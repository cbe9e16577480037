"""A table's status by its events: who deals, which round and shoe, what is silent, how many an hour."""

from msgspec.structs import asdict

from projections.casework.table_status import HOUR, Floor, TableStatus, encode, evolve
from schemas import events as e
from schemas.codec import VERSION, Frame
from schemas.ledgers import SlipVoided
from tests.builders.table_script import BANKER_WINS, SECOND, START, Script, frame_of


def stands(script: Script, standing: TableStatus | None = None) -> TableStatus:
    folded = standing or TableStatus()
    for event in script.events:
        evolve(folded, event, event.at)
    return folded


def begun() -> Script:
    """Open a table with its people: at 0.5 s it opens, at 1 s the shoe is loaded, two cards are burned."""
    script = Script()
    script.open()
    script.say("T", e.DealerAssigned, dealer="D-1", calling=True)
    script.say("T", e.DealerAssigned, dealer="D-2")
    script.say("T", e.FloorpersonAssigned, floorperson="F-9")
    return script


def test_a_table_that_opened_has_its_people_and_its_shoe() -> None:
    standing = stands(begun())
    assert (standing.open, standing.since) == (True, START + SECOND // 2)
    assert (standing.dealers, standing.calling, standing.floorperson) == (("D-1", "D-2"), "D-1", "F-9")
    assert (standing.shoe, standing.loaded, standing.drawn) == ("shoe 1", START + SECOND, 2)
    assert (standing.round, standing.last, standing.closes) == (None, None, ())


def test_a_round_is_open_from_its_opening_to_its_close() -> None:
    script = begun()
    opened = script.now + 0.5
    script.begin()
    standing = stands(script)
    assert (standing.round, standing.opened) == ("1", START + round(opened * SECOND))
    script.deal(BANKER_WINS)
    script.end()
    closed = script.events[-1].at
    standing = stands(script)
    assert (standing.round, standing.opened, standing.last) == (None, None, "1")
    assert standing.closes == (closed,)
    assert standing.drawn == 2 + 4  # burned, and drawn; what the camera saw are the same cards


def test_rounds_of_more_than_an_hour_ago_are_no_longer_counted() -> None:
    script = begun()
    for pause in (0, HOUR // SECOND - 10, 10):
        script.now += pause
        script.begin()
        script.end()
    standing = stands(script)
    assert [(at - script.events[-1].at) // SECOND for at in standing.closes] == [-18, 0]
    assert standing.rounds_an_hour(script.events[-1].at) == 2
    assert standing.rounds_an_hour(script.events[-1].at + HOUR) == 1
    assert standing.rounds_an_hour(script.events[-1].at + HOUR + 1) == 0


def test_a_dealer_who_is_relieved_is_gone_and_calls_no_more() -> None:
    script = begun()
    script.say("T", e.DealerAssigned, dealer="D-3", calling=True)
    script.say("T", e.DealerRelieved, dealer="D-1")
    standing = stands(script)
    assert (standing.dealers, standing.calling) == (("D-2", "D-3"), "D-3")
    script.say("T", e.DealerRelieved, dealer="D-3")
    assert stands(script).calling is None


def test_a_dealer_calls_the_game_since_he_was_first_assigned_to_it() -> None:
    script = begun()
    first = next(each for each in script.events if isinstance(each, e.DealerAssigned))
    script.say("T", e.DealerAssigned, dealer="D-1", calling=True)  # told again
    assert stands(script).calling_since == first.at
    relieved = script.say("T", e.DealerAssigned, dealer="D-3", calling=True).at
    assert stands(script).calling_since == relieved
    script.say("T", e.DealerRelieved, dealer="D-3")
    assert stands(script).calling_since is None


def test_a_silent_device_is_named_since_it_was_lost_until_it_is_back() -> None:
    script = begun()
    lost = script.say("T", e.DeviceWentSilent, silent="C").at
    script.say("T", e.DeviceWentSilent, silent="V")
    script.say("T", e.DeviceWentSilent, silent="C")
    assert list(stands(script).silent.items()) == [("C", lost), ("V", lost + SECOND // 2)]
    script.say("T", e.DeviceCameBack, back="C")
    assert stands(script).silent == {"V": lost + SECOND // 2}


def test_a_device_whose_return_was_not_reported_is_back_by_its_numbers() -> None:
    script = begun()
    script.say("T", e.DeviceWentSilent, silent="S")
    script.begin()
    assert list(stands(script).silent) == ["S"]
    script.deal(BANKER_WINS)
    assert list(stands(script).silent) == ["S"]  # as far as the terminal has said
    script.end()
    assert stands(script).silent == {}


def test_a_new_shoe_begins_its_count_again_and_so_does_one_whose_loading_nobody_saw() -> None:
    script = begun()
    script.begin()
    script.deal(BANKER_WINS)
    script.end()
    script.load("shoe 2")
    standing = stands(script)
    assert (standing.shoe, standing.drawn) == ("shoe 2", 2)
    script.shoe = "shoe 3"
    script.begin()
    standing = stands(script)
    assert (standing.shoe, standing.loaded, standing.drawn) == ("shoe 3", None, 0)


def test_a_table_that_closed_has_no_round_and_no_dealer_and_keeps_what_is_silent() -> None:
    script = begun()
    script.begin()
    script.say("T", e.DeviceWentSilent, silent="C")
    script.close()
    standing = stands(script)
    assert (standing.open, standing.since) == (False, script.events[-1].at)
    assert (standing.round, standing.dealers, standing.calling) == (None, (), None)
    assert list(standing.silent) == ["C"]


def test_what_comes_twice_or_late_changes_nothing() -> None:
    script = begun()
    script.begin()
    script.deal(BANKER_WINS)
    standing = stands(script)
    before = encode(standing)
    assert encode(stands(script, standing)) == before


def test_a_reader_that_restarted_is_heard_again() -> None:
    script = begun()
    script.begin()
    script.restart("S")
    script.deal(BANKER_WINS)
    assert stands(script).drawn == 2 + 4


def test_no_card_and_no_sum_comes_into_a_standing() -> None:
    """Play a round whose cards and sums occur nowhere else, and look for them in what is stored."""
    script = begun()
    script.play("P6c B7d PKc BKd", {(3, "banker"): 123_456_700}, "banker", {(3, "banker"): 123_456_700})
    told = encode(stands(script)).decode()
    assert "shoe 1" in told
    for hidden in ("6c", "7d", "Kc", "Kd", "Ac", "123456700", "banker"):
        assert hidden not in told


def test_a_floor_goes_on_with_what_the_store_has() -> None:
    script = begun()
    whole, first = Floor({}), Floor({})
    for each in (whole, first):
        assert each.fold_frame(frame_of(script.events[:4]))
    whole.fold_frame(frame_of(script.events))
    second = Floor({table: encode(each).decode() for table, each in first.tables.items()})
    second.fold_frame(frame_of(script.events))
    assert asdict(second.tables["BAC-1"]) == asdict(whole.tables["BAC-1"])
    assert second.tables["BAC-1"].received == script.events[-1].at


def test_what_is_no_table_s_is_passed_over() -> None:
    voided = SlipVoided(device="CG-1", epoch=1, seq=1, at=START, slip="F-1", signatures=())
    floor = Floor({})
    assert not floor.fold_frame(Frame(v=VERSION, table="cage", frame=1, received=START, events=[voided]))
    assert floor.tables == {}


def test_new_reports_of_a_device_are_counted_by_five_minutes_of_their_receipt() -> None:
    status, script = TableStatus(), Script()
    # 05:33:20: a span ends at 05:35:00, after 100 seconds.
    for seconds in (0, 99, 100, 100 + 300):
        evolve(status, script.say("C", e.DeviceWentSilent, silent="V"), START + seconds * SECOND)
    evolve(status, script.events[-1], START + 500 * SECOND)  # again
    reports = status.reports["C"]
    assert reports.newest == START + 400 * SECOND
    assert reports.hour_to(reports.newest) == (0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1)
    assert reports.hour_to(START + 1_000 * SECOND) == (0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0)
    assert reports.hour_to(START + 2 * HOUR) == (0,) * 12
    assert list(status.reports) == ["C"]
