"""The page on a table's money says what is so: every line, every reason of a change, every check."""

from typing import Final, get_args

from projections.engine.accounts.checks import inventory as inventory_slip
from projections.engine.accounts.checks import inventory as inventory_untyped
from projections.engine.accounts.inventory_entries import Reason
from projections.engine.findings import HOUSE_CONTROL
from schemas.events import Event, Occasion
from schemas.provisions import provisions
from tests.builders.documents import ROOT, code_spans, page_tables
from tests.builders.table_audit import audit_events
from tests.builders.table_script import BANKER_WINS, Script, Spot, build_house_with_cage, chips_for

PAGE: Final = (ROOT / "docs" / "money.md").read_text(encoding="utf-8")
EVENTS: Final = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
BANKER: Final[Spot] = (1, "banker")
KINDS: Final = (*inventory_untyped.INVENTORY_UNTYPED_KINDS, *inventory_slip.INVENTORY_SLIP_KINDS)


def test_every_reason_of_a_change_and_every_count_is_a_line_of_the_page() -> None:
    inventory, vigorish, _ = page_tables(PAGE, "line")
    listed = {name for row in inventory for name in code_spans(row[0])}
    assert set(get_args(Reason)) <= listed
    assert {f"listing_{occasion}" for occasion in get_args(Occasion)} <= listed
    s = Script()
    s.open_counted()
    s.take_check(1, "CC-1", 10_000)
    s.fill("F-1", 20_000)
    s.credit("C-1", 10_000)
    s.play(BANKER_WINS, {BANKER: 1000}, "banker", {BANKER: 1000}, {BANKER: 50})
    s.close_counted()
    heard = audit_events(s.events, build_house_with_cage())
    given = {line.name for line in heard.account().lines}
    assert given <= listed
    assert listed - given == {
        *get_args(Reason),
        *(f"listing_{occasion}" for occasion in get_args(Occasion)),
        "box_coupon",
    } - {*given}
    assert {line.name for line in heard.shoes["shoe 1"].lines} == {
        name for row in vigorish for name in code_spans(row[0])
    }


def test_the_lines_of_a_round_are_those_of_the_page() -> None:
    s = Script()
    s.open()
    for _ in range(2):
        s.play(BANKER_WINS, {BANKER: 1000}, "banker", {BANKER: 1000}, {BANKER: 50}, marked=True)
    s.close()
    given = {
        line.name
        for line in audit_events(s.events, build_house_with_cage(vigorish_deferred=True)).rounds["2"].lines
    }
    *_, buttons = page_tables(PAGE, "line")
    assert given == {name for row in buttons for name in code_spans(row[0])}


def test_the_provisions_of_the_lines_are_on_file() -> None:
    cited = {row[4] for row in page_tables(PAGE, "line")[0]} - {""}
    assert cited <= set(provisions("465a"))
    assert {f"465a.36(b)({number})" for number in (1, 2, 3, 5, 6)} <= cited


def test_the_events_of_the_lines_are_events() -> None:
    kinds = {kind.__name__ for kind in get_args(Event)}
    assert {name for row in page_tables(PAGE, "line")[0] for name in row[3].split(", ")} - {""} <= kinds


def test_every_check_stands_there_with_its_question_and_what_it_cites() -> None:
    (rows,) = page_tables(PAGE, "check")
    assert [(code_spans(row[0]), row[2]) for row in rows] == [([kind.check], kind.asks) for kind in KINDS]
    cited = {cite for row in rows for cite in row[1].split(", ")}
    assert cited - {HOUSE_CONTROL} <= set(provisions("465a"))
    for row in rows:
        for cite in set(row[1].split(", ")) - {HOUSE_CONTROL}:
            assert code_spans(row[0])[0] in provisions("465a")[cite].check, (row[0], cite)


def test_every_event_of_chips_slips_and_boxes_says_when() -> None:
    (rows,) = page_tables(EVENTS, "event")
    money = {"Chips", "Toke", "Fill", "Credit", "Counter", "Inventory", "Slip", "CouponD", "DropBox"}
    by_terminal = {
        kind.__name__
        for kind in get_args(Event)
        if kind.__name__.startswith(tuple(money)) and "wager" not in kind.__struct_fields__
    }
    assert {row[0] for row in rows} == by_terminal - {"InventoryCounted"}


def test_a_sum_in_as_few_chips_as_can_be() -> None:
    assert chips_for(1_250_051) == {100_000: 12, 10_000: 5, 25: 2, 1: 1}
