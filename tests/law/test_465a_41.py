"""465a.41: the drop box of a table that stays open is changed."""

from collections.abc import Callable
from typing import Any

import pytest

from projections.engine.findings import Finding
from schemas.values import Person
from tests.builders.table_audit import audit_events
from tests.builders.table_script import DEALER, FLOORPERSON, PLAYER_WINS, Script, build_house_with_cage
from tests.builders.texts import text_of


def found(
    *,
    counted: bool = True,
    original: bool = True,
    duplicate: bool = True,
    cents: int | None = None,
    **fields: Any,
) -> list[Finding]:
    """Return the findings of a day with a drop in mid-play, where that is otherwise than it must be."""
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    if counted:
        s.list_inventory("TI-5", "drop", cents=cents, **fields)
        if original:
            s.drop_slip("TI-5")
    s.change_box("B-1", "B-2")
    if counted and duplicate:
        s.drop_slip("TI-5")
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted(box="B-2")
    return list(audit_events(s.events, build_house_with_cage()).account().findings)


def test_a_drop_as_it_must_be_is_clean() -> None:
    assert found() == []


def test_465a_41_a_of_two_drops_the_uncounted_one() -> None:
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    s.change_box("B-1", "B-2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.list_inventory("TI-5", "drop")
    s.drop_slip("TI-5")
    s.change_box("B-2", "B-3")
    s.drop_slip("TI-5")
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted(box="B-3")
    findings = audit_events(s.events, build_house_with_cage()).account().findings
    assert [each.who for each in findings if each.check == "no_count_at_drop"] == ["B-1"]


def test_465a_41_a() -> None:
    (uncounted,) = found(counted=False)
    assert (uncounted.check, uncounted.who, uncounted.citations) == (
        "no_count_at_drop",
        "B-1",
        ("465a.41(a)",),
    )
    assert text_of(uncounted.message) == "drop box B-1 came off the open table and no count was listed"


def test_465a_41_a_sum() -> None:
    (wrong,) = found(cents=100_025_00)
    assert (wrong.check, wrong.serial, wrong.citations) == ("inventory_slip_wrong", "TI-5", ("465a.41(a)",))
    assert (wrong.expected_cents, wrong.observed_cents, wrong.delta_cents) == (100_000_00, 100_025_00, 2500)


def test_465a_41_a_the_closing_is_no_drop() -> None:
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted()
    assert audit_events(s.events, build_house_with_cage()).account().findings == ()


def test_465a_41_b() -> None:
    (unwatched,) = found(
        witnessed_by=Person("paul", "pit_clerk"), signatures=(DEALER, Person("paul", "pit_clerk"))
    )
    assert (unwatched.check, unwatched.citations) == ("slip_unsigned", ("465a.41(b)",))


@pytest.mark.parametrize("signed", [(DEALER,), (FLOORPERSON,)])
def test_465a_41_c(signed: tuple[Person, ...]) -> None:
    (unsigned,) = found(signatures=signed)
    assert (unsigned.check, unsigned.citations) == ("slip_unsigned", ("465a.41(c)",))


@pytest.mark.parametrize("box", ["B-1", "B-2"])
def test_465a_41_d(box: str) -> None:
    (not_dropped,) = found(original=box != "B-1", duplicate=box != "B-2")
    assert (not_dropped.check, not_dropped.who, not_dropped.citations) == (
        "slip_not_dropped",
        box,
        ("465a.41(d)",),
    )
    copy = "the duplicate of " if box == "B-2" else ""
    assert text_of(not_dropped.message) == f"{copy}Table Inventory Slip TI-5 did not go into drop box {box}"


def changed(*after: Callable[[Script], object]) -> list[Finding]:
    """Return the findings of a day with a drop; `after` is what is done once the next box is on."""
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    s.list_inventory("TI-5", "drop")
    s.drop_slip("TI-5")
    s.change_box("B-1", "B-2")
    for step in after:
        step(s)
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted(box="B-2")
    return list(audit_events(s.events, build_house_with_cage()).account().findings)


def duplicate_dropped(s: Script) -> None:
    s.drop_slip("TI-5")


def fill_dropped(s: Script) -> None:
    s.fill("FS-1", 5_000_00)
    s.drop_slip("FS-1")


def played_on(s: Script) -> None:
    s.play(PLAYER_WINS, {}, "player", {})


def test_465a_41_d_the_duplicate_is_the_first_in_its_box() -> None:
    assert changed(duplicate_dropped, fill_dropped) == []
    (late,) = changed(fill_dropped, duplicate_dropped)
    assert (late.check, late.who, late.citations) == ("slip_not_dropped", "B-2", ("465a.41(d)",))
    assert (
        text_of(late.message)
        == "the duplicate of Table Inventory Slip TI-5 went into drop box B-2 after slip FS-1"
    )


def test_465a_41_d_the_duplicate_goes_in_before_play_goes_on() -> None:
    (late,) = changed(played_on, duplicate_dropped)
    assert (late.check, late.who, late.citations) == ("slip_not_dropped", "B-2", ("465a.41(d)",))
    said = "the duplicate of Table Inventory Slip TI-5 went into drop box B-2 only after play had gone on"
    assert text_of(late.message) == said


def test_465a_41() -> None:
    test_465a_41_a()
    test_465a_41_b()
    test_465a_41_c((DEALER,))
    test_465a_41_d("B-1")
