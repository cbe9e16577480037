"""465a.36(c): the inventory of a table that does not open is counted all the same."""

from collections.abc import Callable
from datetime import date

import pytest

from projections.engine.findings import Finding
from tests.builders.table_audit import AuditedTable, audit_events
from tests.builders.table_script import PLAYER_WINS, Script, build_house_with_cage
from tests.builders.texts import text_of

DAY = 86_400  # seconds


def test_465a_36_c_a_table_that_does_not_open_is_counted_and_has_no_box_for_its_slip() -> None:
    s = Script()
    s.list_inventory("TI-1", "shift")
    account = audit_events(s.events, build_house_with_cage()).account()
    assert (account.verdict, account.findings) == ("clean", ())
    (listing,) = [line for line in account.lines if line.name == "listing_shift"]
    assert (listing.of, listing.cents) == ("TI-1", 100_000_00)


def played(s: Script, slip: int) -> None:
    """Open the table, play a round, close it: with the duplicate of a slip, and the next one made out."""
    s.open_counted(f"TI-{slip}", f"B-{slip}")
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted(f"TI-{slip + 1}", f"B-{slip}")


def over_days(closed: Callable[[Script], None], days: int) -> tuple[AuditedTable, list[date]]:
    """Play on one day, let the table stay closed, play again so many days later; give the accounts' days."""
    s = Script()
    played(s, 1)
    begun = s.now
    closed(s)
    s.now = begun + days * DAY
    played(s, 2)
    heard = audit_events(s.events, build_house_with_cage())
    return heard, sorted(heard.accounts)


def nothing(s: Script) -> None:
    del s


def counted(s: Script) -> None:
    s.now += DAY
    s.list_inventory("TI-2", "shift")


def chips_without_a_count(s: Script) -> None:
    s.now += DAY
    s.fill("F-1", 50_000)


def unopened(heard: AuditedTable) -> list[Finding]:
    return [
        each
        for account in heard.accounts.values()
        for each in account.findings
        if each.check == "unopened_not_counted"
    ]


@pytest.mark.parametrize(
    ("days", "message"),
    [
        (2, "the table did not open on {1}, and no count was listed"),
        (4, "the table did not open from {1} to {3}, and no count was listed"),
    ],
)
def test_465a_36_c_a_table_that_does_not_open_and_is_not_counted(days: int, message: str) -> None:
    heard, (first, last) = over_days(nothing, days)
    assert (last - first).days == days
    (found,) = unopened(heard)
    shut = [date.fromordinal(first.toordinal() + number) for number in range(days)]
    assert text_of(found.message) == message.format(*(f"{day:%m/%d/%Y}" for day in shut))
    assert (found.day, found.weight, found.table) == (shut[1], "mismatch", "BAC-1")
    assert (found.citations, found.status) == (("465a.36(c)",), "adopted")
    assert heard.accounts[last].findings == (found,)


def test_465a_36_c_a_table_that_opens_every_day_is_asked_for_nothing() -> None:
    heard, days = over_days(nothing, 1)
    assert (len(days), unopened(heard)) == (2, [])


def test_465a_36_c_a_table_that_is_counted_on_its_closed_day_is_right() -> None:
    heard, days = over_days(counted, 2)
    assert (len(days), unopened(heard)) == (3, [])


def test_465a_36_c_one_count_is_one_day_s() -> None:
    heard, (first, shut, _) = over_days(counted, 3)
    (found,) = unopened(heard)
    assert found.day == date.fromordinal(shut.toordinal() + 1) == date.fromordinal(first.toordinal() + 2)


def test_465a_36_c_chips_that_come_to_a_closed_table_are_no_count() -> None:
    heard, (_, shut, _) = over_days(chips_without_a_count, 2)
    assert [each.day for each in unopened(heard)] == [shut]


def test_465a_36_c_what_the_terminal_did_not_report_leaves_it_open() -> None:
    def lost(s: Script) -> None:
        counted(s)
        s.events.pop()

    heard, _ = over_days(lost, 2)
    (found,) = unopened(heard)
    assert found.weight == "undetermined"
    assert "not reported meanwhile: T number" in text_of(found.message)


def test_465a_36_c_what_it_did_not_report_once_it_played_again_leaves_nothing_of_that_open() -> None:
    s = Script()
    played(s, 1)
    s.now += 2 * DAY
    s.open_counted("TI-2", "B-2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.buy(4, 10_000)
    s.events.pop()
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted("TI-3", "B-2")
    assert [each.weight for each in unopened(audit_events(s.events, build_house_with_cage()))] == ["mismatch"]


def test_465a_36_c_a_table_that_stayed_open_did_open() -> None:
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    s.now += 2 * DAY
    s.play(PLAYER_WINS, {}, "player", {})
    assert unopened(audit_events(s.events, build_house_with_cage())) == []


def test_465a_36_c_of_a_table_that_nobody_ever_counted_nothing_is_asked() -> None:
    s = Script()
    s.change_box(None, "B-1")
    s.now += 3 * DAY
    s.change_box("B-1", "B-2")
    assert unopened(audit_events(s.events, build_house_with_cage())) == []
