"""465a.37: a table is opened. The opening of a second day against the slip with which the first ended."""

from datetime import date
from typing import Any, Final

import pytest

from projections.engine.findings import Finding
from schemas import events as e
from schemas.values import Person
from tests.builders.table_audit import audit_events
from tests.builders.table_script import DEALER, FLOORPERSON, PLAYER_WINS, Script, build_house_with_cage
from tests.builders.texts import text_of
from tests.law.procedure_table import ProcedureTable

NEXT: Final = date(2025, 4, 2)
CLERK: Final = Person("paul", "pit_clerk")
OTHER: Final = Person("olga", "dealer")


def found(*, dropped: bool = True, cents: int | None = None, **fields: Any) -> list[Finding]:
    """Return the second day's findings where its opening slip is otherwise than it must be."""
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted()
    s.now += 86_400
    s.change_box(None, "B-2")
    s.open()
    s.list_inventory("TI-3", "opening", cents=cents, **fields)
    if dropped:
        s.drop_slip("TI-3")
    s.tray = s.tray if cents is None else cents
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted("TI-4", "B-2")
    return list(audit_events(s.events, build_house_with_cage()).accounts[NEXT].findings)


def test_a_table_opened_as_it_must_be_is_clean() -> None:
    assert found() == []


def test_465a_37_c() -> None:
    (differs,) = found(cents=99_995_00)
    assert (differs.check, differs.serial, differs.citations) == (
        "opening_count_differs",
        "TI-3",
        ("465a.37(c)",),
    )
    assert (differs.expected_cents, differs.observed_cents, differs.delta_cents) == (
        100_000_00,
        99_995_00,
        -500,
    )


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (
            {"counted_by": CLERK, "signatures": (CLERK, FLOORPERSON)},
            "was not counted by a dealer or boxperson",
        ),
        ({"witnessed_by": OTHER, "signatures": (DEALER, OTHER)}, "was not watched by a floorperson"),
        ({"witnessed_by": None}, "was not watched by a floorperson"),
        ({"counted_by": None}, "was not counted by a dealer or boxperson"),
        (
            {"witnessed_by": Person("dana", "floorperson"), "signatures": (DEALER,)},
            "was counted and watched by one person, dana",
        ),
    ],
)
def test_465a_37_c_people(fields: dict[str, Any], says: str) -> None:
    (unwatched,) = found(**fields)
    assert (unwatched.check, unwatched.citations) == ("slip_unsigned", ("465a.37(c)",))
    assert text_of(unwatched.message) == f"Table Inventory Slip TI-3 {says}"


@pytest.mark.parametrize(("signed", "by"), [((DEALER,), "floorperson fred"), ((FLOORPERSON,), "dealer dana")])
def test_465a_37_d(signed: tuple[Person, ...], by: str) -> None:
    (unsigned,) = found(signatures=signed)
    assert (unsigned.check, unsigned.citations) == ("slip_unsigned", ("465a.37(d)",))
    assert text_of(unsigned.message) == f"Table Inventory Slip TI-3 was not signed by {by}"


def test_465a_37_d_both() -> None:
    assert [each.citations for each in found(signatures=())] == [("465a.37(d)",)] * 2


def test_465a_37_e() -> None:
    (not_dropped,) = found(dropped=False)
    assert (not_dropped.check, not_dropped.serial, not_dropped.who) == ("slip_not_dropped", "TI-3", "B-2")
    assert not_dropped.citations == ("465a.37(e)",)


def test_465a_37_e_before_play() -> None:
    s = Script()
    s.open()
    s.change_box(None, "B-1")
    s.list_inventory("TI-1", "opening")
    s.play(PLAYER_WINS, {}, "player", {})
    s.drop_slip("TI-1")
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted()
    (late,) = audit_events(s.events, build_house_with_cage()).account().findings
    assert (late.check, late.serial, late.who, late.citations) == (
        "slip_not_dropped",
        "TI-1",
        "B-1",
        ("465a.37(e)",),
    )
    assert (
        text_of(late.message) == "Table Inventory Slip TI-1 went into drop box B-1 only after play had begun"
    )


GUARD: Final = Person("gus", "security")
BOX: Final = "CONT-1"


def opened(
    persons: tuple[Person, ...] = (GUARD,),
    origin: str | None = "cage",
    *,
    by: Person | None = FLOORPERSON,
    passed: bool = True,
    is_lost: bool = False,
    is_carried: bool = True,
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what is found where the container came and was checked so, and the table was opened."""
    table = ProcedureTable("681a")
    if is_carried:
        table.say(
            "pit",
            e.ItemMoved,
            kind="inventory_container",
            item=BOX,
            place="table",
            origin=origin,
            persons=persons,
        )
    if by is not None:
        table.say(
            "pit",
            e.ItemInspected,
            is_lost=is_lost,
            kind="inventory_container",
            item=BOX,
            passed=passed,
            by=by,
        )
    return table.open().load().round().close().raised("carried_by_other", "container_not_checked")


@pytest.mark.parametrize(
    ("persons", "origin", "weight"),
    [
        ((GUARD,), "cage", None),
        ((OTHER, GUARD), "cage", None),
        ((OTHER,), "cage", "mismatch"),
        ((), "cage", "undetermined"),
        ((GUARD,), "pit 2", "mismatch"),
        ((GUARD,), None, "undetermined"),
    ],
)
def test_465a_37_a(persons: tuple[Person, ...], origin: str | None, weight: str | None) -> None:
    wanted = [] if weight is None else [("carried_by_other", weight, ("465a.37(a)",))]
    assert opened(persons, origin) == wanted


def test_465a_37_b() -> None:
    wanted = [("container_not_checked", "mismatch", ("465a.37(b)",))]
    assert opened() == []
    assert opened(by=None) == wanted
    assert opened(by=OTHER) == wanted
    assert opened(passed=False) == wanted


def test_465a_37_b_silence() -> None:
    table = ProcedureTable("681a").open().load().round().close()
    table.say("pit", e.ItemMoved, kind="inventory_container", item=BOX, place="table", origin="cage")
    table.say(
        "pit",
        e.ItemInspected,
        is_lost=True,
        kind="inventory_container",
        item=BOX,
        passed=True,
        by=FLOORPERSON,
    )
    raised = table.open().load().round().close().raised("container_not_checked")
    assert raised == [("container_not_checked", "undetermined", ("465a.37(b)",))]


def test_465a_37_b_at_the_table() -> None:
    # A container that stayed at the table is checked there; where nothing is reported nothing is asked.
    assert opened(is_carried=False) == []
    assert opened(is_carried=False, by=None) == []


def test_465a_37() -> None:
    test_465a_37_a((OTHER,), "cage", "mismatch")
    test_465a_37_b()
    test_465a_37_c()
    test_465a_37_d_both()
    test_465a_37_e()
