"""The account of a table inventory, worked by hand: each change has its reason, the rest is the finding.

The tray begins with $100,000.00. A round that pays $20.00 and one that collects them leave it as it was.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

import msgspec
import pytest

from projections.engine.audit.table_audit import AuditProgress, TableAudit
from projections.engine.conclusion import Conclusion
from projections.engine.findings import HOUSE_CONTROL
from schemas import events as e
from schemas.events import Event
from tests.builders.table_audit import AuditedTable, account_sums, audit_events, finding_checks
from tests.builders.table_script import (
    BANKER_WINS,
    PLAYER_WINS,
    START,
    Script,
    Spot,
    build_house,
    build_house_with_cage,
)
from tests.builders.texts import text_of

OPENER: Final = 100_000_00
PLAYER: Final[Spot] = (4, "player")
BANKER: Final[Spot] = (1, "banker")
DAY: Final = date(2025, 4, 1)
NEXT: Final = date(2025, 4, 2)
NO_READER: Final = ("I",)
CUT: Final = ("data_missing", "undetermined", None, None)  # the record ends with the table open


def opened(without: Sequence[str] = ()) -> Script:
    s = Script(without)
    s.open_counted()
    return s


def win(s: Script, gain: int = 2000) -> str:
    return s.play(PLAYER_WINS, {PLAYER: 2000}, "player", {PLAYER: gain})


def lose(s: Script) -> str:
    return s.play(BANKER_WINS, {PLAYER: 2000}, "banker", {PLAYER: -2000})


def audited(s: Script, *, frame: int | None = None, **options: bool) -> AuditedTable:
    without = {"S", "C", "V", "I"} - set(s.devices)
    return audit_events(s.events, build_house_with_cage(without=without, **options), frame=frame)


def account(s: Script, **options: bool) -> Conclusion:
    return audited(s, **options).account()


def found(concluded: Conclusion) -> list[tuple[str, str, str | None, int | None]]:
    """Return check, weight, whom or what it is about, and the cents of each finding."""
    return [
        (each.check, each.weight, each.who or each.serial or None, each.delta_cents or None)
        for each in concluded.findings
    ]


# ── every change has its reason ──────────────────────────────────────────────────────────────────────


def test_every_kind_of_change_is_a_line() -> None:
    s = opened()
    s.buy(4, 50_000)
    s.take_check(1, "CC-100", 100_000)
    s.fill("F-1", 1_000_000)
    s.credit("C-1", 400_000)
    s.say("T", e.TokeGiven, seat=4, cents=500)
    s.play(BANKER_WINS, {BANKER: 1000, PLAYER: 2000}, "banker", {PLAYER: -2000, BANKER: 1000}, {BANKER: 50})
    win(s, 2500)
    s.adjust(PLAYER, -500)
    s.close_counted()
    concluded = account(s)
    assert (concluded.verdict, concluded.findings, concluded.notes) == ("clean", (), ())
    # 10,000,000 - 50,000 - 100,000 + 1,000,000 - 400,000 + 2,000 - 1,000 + 50 - 2,500 + 500
    assert account_sums(concluded) == {
        "opener": OPENER,
        "cash": -50_000,
        "counter_checks": -100_000,
        "fills": 1_000_000,
        "credits": -400_000,
        "wagers_collected": 2000,
        "wagers_paid": -3500,
        "vigorish": 50,
        "put_right": 500,
        "expected": 10_449_050,
        "untyped": 0,
        "tokes": 500,
    }
    assert [(line.name, line.of, line.cents) for line in concluded.lines if line.of is not None] == [
        ("closer", "TI-2", 10_449_050),
        ("counted_by", "tray reader and people", None),
        ("fill", "F-1", 1_000_000),
        ("credit", "C-1", 400_000),
        ("listing_opening", "TI-1", OPENER),
        ("listing_closing", "TI-2", 10_449_050),
        ("box", "B-1", 50_000),
        ("box_check", "CC-100", 100_000),
        ("box_slip", "TI-1", None),
        ("box_slip", "TI-2", None),
    ]
    assert s.tray == 10_449_050


@pytest.mark.parametrize("without", [(), NO_READER])
@pytest.mark.parametrize("inside", [True, False])
def test_fills_and_credits_with_and_without_a_round(without: Sequence[str], *, inside: bool) -> None:
    s = opened(without)
    win(s)
    s.begin()
    if not inside:
        s.no_more_bets()
        s.deal(PLAYER_WINS)
        s.announce("player")
        s.end()
    number = s.number if inside else None
    s.fill("F-1", 300_000, round=number, denominations={10_000: 30})
    s.credit("C-1", 50_000, round=number)
    s.take_check(1, "CC-1", 20_000, round=number)
    if inside:
        s.no_more_bets()
        s.deal(PLAYER_WINS)
        s.announce("player")
        s.end()
    lose(s)
    s.close_counted()
    heard = audited(s)
    assert set(heard.verdicts().values()) == {"clean"}
    concluded = heard.account()
    assert (concluded.verdict, account_sums(concluded)["expected"]) == (
        "clean",
        OPENER + 300_000 - 50_000 - 20_000,
    )
    (fill,) = [line for line in concluded.lines if line.name == "fill"]
    assert (fill.of, fill.cents, fill.denominations) == ("F-1", 300_000, {10_000: 30})


def test_papers_counts_and_boxes_stand_with_their_moments() -> None:
    s = opened()
    win(s)
    reported = {
        ("fill", "F-1"): s.fill("F-1", 300_000),
        ("credit", "C-1"): s.credit("C-1", 50_000),
        ("box_check", "CC-1"): s.take_check(1, "CC-1", 20_000),
    }
    lose(s)
    reported["listing_drop", "TI-2"] = s.list_inventory("TI-2", "drop")
    s.drop_slip("TI-2")
    reported["box", "B-1"] = s.change_box("B-1", "B-2")
    s.drop_slip("TI-2")
    win(s)
    at = {(line.name, line.of): line.at for line in account(s).lines if line.at is not None}
    # The sixth report, each half a second after the one before: box, opening, shoe, two cards burned, count.
    opening = {("listing_opening", "TI-1"): START + 3_000_000}
    assert at == opening | {line: event.at for line, event in reported.items()}
    assert [line.at for line in account(s).lines if line.name == "box"] == [reported["box", "B-1"].at, None]


def test_a_colour_up_is_worth_nothing() -> None:
    s = opened()
    s.say("T", e.ChipsColoredUp, seat=4, cents=70_000)
    win(s)
    lose(s)
    s.close_counted()
    concluded = account(s)
    assert (concluded.verdict, account_sums(concluded)["expected"]) == ("clean", OPENER)


def test_without_ledgers_of_the_house_no_account_is_given() -> None:
    s = opened()
    win(s)
    s.tray -= 500
    s.close()
    assert audit_events(s.events, build_house()).accounts == {}


# ── expected against counted ─────────────────────────────────────────────────────────────────────────


def test_chips_gone_between_two_rounds_are_named_with_the_round_that_opened_without_them() -> None:
    s = opened()
    for _ in range(3):
        win(s)
    s.tray -= 500
    for _ in range(3):
        lose(s)
    s.close_counted()
    concluded = account(s)
    assert found(concluded) == [("inventory_untyped", "mismatch", "round 4 as it opened", -500)]
    (finding,) = concluded.findings
    # Three rounds of 2,000 paid: 9,994,000 expected.
    assert (finding.expected_cents, finding.observed_cents) == (9_994_000, 9_993_500)
    assert (finding.citations, finding.status) == (("465a.36(b)",), "adopted")
    assert text_of(finding.message) == (
        "the table inventory is $5.00 short: round 4 as it opened; it still agreed: round 3 as it closed; "
        "the tray reader counted"
    )
    assert account_sums(concluded)["untyped"] == -500
    assert concluded.verdict == "mismatch"


def test_chips_that_came_from_nowhere() -> None:
    s = opened()
    win(s)
    s.tray += 2500
    lose(s)
    s.close_counted()
    assert found(account(s)) == [("inventory_untyped", "mismatch", "round 2 as it opened", 2500)]


def test_it_is_said_as_soon_as_the_second_count_says_so() -> None:
    s = opened()
    win(s)
    s.tray -= 500
    win(s)
    win(s)
    heard = AuditedTable(TableAudit("BAC-1", build_house_with_cage()))
    heard.hear(heard.audit.feed(s.events))  # the table is still open
    assert finding_checks(heard.account()) == ["inventory_untyped"]


def test_chips_gone_within_a_round_are_undetermined_until_people_count() -> None:
    s = opened()
    win(s)
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.tray -= 500
    s.announce("player")
    s.settle({PLAYER: 2000})
    s.end()
    lose(s)
    before = account(s)
    assert found(before) == [CUT, ("inventory_untyped", "undetermined", "round 2 as it closed", -500)]
    assert before.verdict == "undetermined"
    s.close_counted()
    after = account(s)
    assert found(after) == [("inventory_untyped", "mismatch", "round 2 as it closed", -500)]
    assert [each.id for each in after.findings] == [each.id for each in before.findings[1:]]


def test_a_record_that_ends_with_the_table_open_has_no_closer() -> None:
    s = opened()
    win(s)
    cut = account(s)
    assert (cut.verdict, found(cut)) == ("undetermined", [CUT])
    assert "closer" not in [line.name for line in cut.lines]
    s.list_inventory("TI-2", "closing")
    s.drop_slip("TI-2")
    counted = account(s)  # cut all the same, and what was there is known
    closer = [line.cents for line in counted.lines if line.name == "closer"]
    assert (counted.verdict, closer) == ("clean", [OPENER - 2000])


@pytest.mark.parametrize("count", ["opening", "closing"])
def test_one_count_that_the_next_takes_back_is_no_finding(count: str) -> None:
    s = opened()
    win(s)
    for number in range(2):
        read, s.tray = s.tray, s.tray - (500 if count == "opening" and number == 0 else 0)
        s.begin({PLAYER: 2000})
        s.tray = read
        s.no_more_bets({PLAYER: 2000})
        s.deal(PLAYER_WINS)
        s.announce("player")
        s.settle({PLAYER: 2000})
        read, s.tray = s.tray, s.tray - (500 if count == "closing" and number == 0 else 0)
        s.end()
        s.tray = read
    s.close_counted()
    assert (account(s).verdict, account(s).findings) == ("clean", ())


def test_two_losses_are_two_findings_each_to_the_cent() -> None:
    s = opened()
    win(s)
    s.tray -= 500
    win(s)
    win(s)
    s.tray -= 100
    win(s)
    s.close_counted()
    concluded = account(s)
    assert found(concluded) == [
        ("inventory_untyped", "mismatch", "round 2 as it opened", -500),
        ("inventory_untyped", "mismatch", "round 4 as it opened", -100),
    ]
    # 10,000,000 - 3 * 2,000 - 500 as round 4 opens
    assert [each.expected_cents for each in concluded.findings] == [9_998_000, 9_993_500]


def test_without_a_reader_only_the_next_count_by_people_proves_anything() -> None:
    s = opened(NO_READER)
    win(s)
    s.tray -= 500
    lose(s)
    win(s)
    s.list_inventory("TI-5", "shift")
    s.drop_slip("TI-5")
    lose(s)
    s.close_counted()
    concluded = account(s)
    assert found(concluded) == [("inventory_untyped", "mismatch", "Table Inventory Slip TI-5", -500)]
    (finding,) = concluded.findings
    assert "it still agreed: Table Inventory Slip TI-1" in text_of(finding.message)
    assert "people counted" in text_of(finding.message)
    assert [line.of for line in concluded.lines if line.name == "counted_by"] == ["people"]


def test_a_reader_that_people_refute_has_proven_nothing() -> None:
    s = opened()
    win(s)
    s.tray -= 500  # a stack that the reader does not see any more
    win(s)
    win(s)
    s.tray += 500
    assert finding_checks(account(s)) == ["data_missing", "inventory_untyped"]
    s.close_counted()
    assert (account(s).verdict, account(s).findings) == ("clean", ())


# ── what was not reported ────────────────────────────────────────────────────────────────────────────


def lacking(s: Script, *lost: Event) -> Conclusion:
    """Audit the events without some that never came."""
    s.events = [event for event in s.events if event not in lost]
    return account(s)


@pytest.mark.parametrize("device", ["C", "T"])
def test_a_hole_between_two_counts_leaves_it_open_and_is_named(device: str) -> None:
    s = opened(NO_READER)
    win(s)
    (lost,) = s.events[-1:]
    if device == "T":
        s.buy(4, 30_000)
        lost = s.events[-1]
    else:
        lost = next(event for event in s.events if isinstance(event, e.ChipsPaid))
    lose(s)
    s.close_counted()
    concluded = lacking(s, lost)
    cents = -30_000 if device == "T" else -2000
    assert found(concluded) == [("inventory_untyped", "undetermined", "Table Inventory Slip TI-2", cents)]
    assert f"not reported meanwhile: {device} number {lost.seq} of epoch 1" in text_of(
        concluded.findings[0].message
    )


def test_a_hole_before_a_count_that_agrees_excuses_nothing_later() -> None:
    s = opened(NO_READER)
    win(s)
    lost = s.say("T", e.TokeGiven, seat=4, cents=100)
    lose(s)
    s.list_inventory("TI-5", "shift")
    s.drop_slip("TI-5")
    win(s)
    s.tray -= 500
    lose(s)
    s.close_counted()
    assert found(lacking(s, lost)) == [
        ("inventory_untyped", "mismatch", "Table Inventory Slip TI-2", -500),
    ]


def test_a_hole_after_a_count_and_before_the_next_round() -> None:
    s = opened()
    s.buy(4, 30_000)
    lost = s.events[-1]
    win(s)
    lose(s)
    s.close_counted()
    concluded = lacking(s, lost)
    assert found(concluded) == [("inventory_untyped", "undetermined", "round 1 as it opened", -30_000)]
    assert f"T number {lost.seq} of epoch 1" in text_of(concluded.findings[0].message)


@pytest.mark.parametrize("gone", [0, 100])
def test_a_lost_report_of_a_payment_is_what_the_rules_and_the_tray_say(gone: int) -> None:
    s = opened()
    win(s)
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 2000})
    lost = s.events[-1]
    s.tray -= gone
    s.end()
    lose(s)
    s.close_counted()  # people find what the reader found; the report of it is missing all the same
    concluded = lacking(s, lost)
    if gone:
        assert found(concluded) == [("inventory_untyped", "undetermined", "round 2 as it closed", -2100)]
        assert f"C number {lost.seq} of epoch 1" in text_of(concluded.findings[0].message)
    else:
        assert (concluded.verdict, concluded.findings) == ("clean", ())
        assert account_sums(concluded)["by_count"] == -2000


def test_a_chip_reader_that_was_silent_between_rounds() -> None:
    s = opened(NO_READER)
    s.play(BANKER_WINS, {BANKER: 1000}, "banker", {BANKER: 1000}, {BANKER: 50}, marked=True)
    s.say("T", e.DeviceWentSilent, silent="C")
    s.tray += 50  # paid off, and nobody saw the button go
    s.say("T", e.DeviceCameBack, back="C")
    s.close_counted()
    concluded = account(s, vigorish_deferred=True)
    assert found(concluded) == [("inventory_untyped", "undetermined", "Table Inventory Slip TI-2", 50)]
    assert "C was silent" in text_of(concluded.findings[0].message)


def test_a_reader_with_a_hole_is_not_asked() -> None:
    s = opened()
    win(s)
    read = s.say("I", e.InventoryCounted, round="1", cents=s.tray)
    lose(s)
    s.tray -= 500
    s.close_counted()
    # Neither reading of round 1 can be told from the lost one; round 2 agreed, so the slip is doubted first.
    concluded = lacking(s, read)
    assert found(concluded) == [("inventory_slip_wrong", "mismatch", "TI-2", -500)]


def test_a_record_that_begins_later_takes_the_first_count() -> None:
    s = opened()
    win(s)
    s.buy(4, 30_000)
    lose(s)
    s.close_counted()
    first = next(n for n, event in enumerate(s.events) if isinstance(event, e.RoundOpened))
    s.events = s.events[first:]
    concluded = account(s)
    assert found(concluded) == [("data_missing", "undetermined", None, None)]
    assert "the record begins after the table opened" in text_of(concluded.findings[0].message)
    assert (account_sums(concluded)["opener"], account_sums(concluded)["expected"]) == (
        OPENER,
        OPENER - 30_000,
    )


def test_a_record_that_begins_with_the_closing_proves_nothing_about_the_day() -> None:
    s = opened()
    win(s)
    begins = len(s.events)
    s.close_counted()
    whole, concluded = account(s), lacking(s, *s.events[:begins])
    assert (whole.verdict, concluded.verdict) == ("clean", "undetermined")


def test_chips_that_moved_while_a_reader_was_silent_that_came_back_before_the_next_round() -> None:
    s = opened()
    s.begin({BANKER: 1000})
    s.no_more_bets({BANKER: 1000})
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.settle({BANKER: 1000}, {BANKER: 50}, marked=True)
    s.tell(e.DeviceWentSilent, silent="C")
    s.end()
    s.tray += 50  # paid off, and nobody saw the button go
    s.say("T", e.DeviceCameBack, back="C")
    s.play(BANKER_WINS, {}, "banker", {})
    s.close_counted()
    concluded = account(s, vigorish_deferred=True)
    assert found(concluded) == [("inventory_untyped", "undetermined", "round 2 as it opened", 50)]
    assert "C was silent" in text_of(concluded.findings[0].message)


def test_what_may_not_have_been_reported_is_not_held_against_anyone() -> None:
    s = opened()
    win(s)
    lost = s.drop_slip("TI-2")
    s.list_inventory("TI-2", "closing")
    s.change_box("B-1", None)
    s.close()
    concluded = lacking(s, lost)
    assert found(concluded) == [("slip_not_dropped", "undetermined", "B-1", None)]
    assert f"T number {lost.seq} of epoch 1" in text_of(concluded.findings[0].message)


def misread(s: Script, gone: int = 0) -> None:
    """Script the chip reader reading $15.00 for a payment of $20.00, which the tray confirms."""
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 1500})
    s.tray -= 500 + gone
    s.end()


def test_a_payment_that_was_misread_is_what_the_rules_and_the_tray_say() -> None:
    s = opened()
    win(s)
    misread(s)
    lose(s)
    s.close_counted()
    heard = audited(s)
    assert heard.verdicts() == {"1": "clean", "2": "undetermined", "3": "clean"}
    assert (heard.account().verdict, heard.account().findings) == ("clean", ())
    assert account_sums(heard.account())["by_count"] == -500


def test_chips_gone_while_a_payment_was_misread_are_proven_by_nobody() -> None:
    s = opened()
    win(s)
    misread(s, gone=100)
    lose(s)
    s.close_counted()
    concluded = account(s)
    assert found(concluded) == [("inventory_untyped", "undetermined", "round 2 as it closed", -600)]
    assert "what was read of the round's settlement is not what was owed" in text_of(
        concluded.findings[0].message
    )


def test_a_stake_that_two_readers_read_otherwise_explains_what_the_tray_has_more() -> None:
    # $25.00 were wagered and collected; the chip reader took them for $20.00 twice, the camera did not.
    s = opened()
    win(s)
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2500})
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.settle({PLAYER: -2000})
    s.tray += 500
    s.end()
    lose(s)
    s.close_counted()
    assert found(account(s)) == [("inventory_untyped", "undetermined", "round 2 as it closed", 500)]


def overpaid_and_misread(s: Script) -> str:
    """Pay $25.00 where $20.00 are due; the chip reader reads what is due. Give the round's number."""
    number = win(s)
    s.tray -= 500
    count = s.events[-2]
    assert isinstance(count, e.InventoryCounted)
    s.events[-2] = msgspec.structs.replace(count, cents=s.tray)
    return number


@pytest.mark.parametrize("rounds", [0, 1, 12])
@pytest.mark.parametrize("counted", [False, True])
def test_a_misread_payment_that_was_put_right_is_no_loss(*, rounds: int, counted: bool) -> None:
    # The tray lost 500 more than was read, and 500 that nobody had read came back.
    s = opened()
    wrong = overpaid_and_misread(s)
    if counted:
        s.list_inventory("TI-3", "shift")
        s.drop_slip("TI-3")
    for _ in range(rounds):
        win(s)
    s.adjust(PLAYER, -500, number=wrong)
    lose(s)
    s.close_counted()
    concluded = account(s)
    assert found(concluded) == []
    sums = account_sums(concluded)
    assert (sums["put_right"], sums["by_count"], sums.get("untyped", 0)) == (500, -500, 0)


def test_chips_gone_from_a_round_that_was_put_right_by_another_sum_are_proven_by_nobody() -> None:
    s = opened()
    wrong = overpaid_and_misread(s)
    lose(s)
    s.adjust(PLAYER, -400, number=wrong)
    lose(s)
    s.close_counted()
    assert found(account(s)) == [("inventory_untyped", "undetermined", "round 1 as it closed", -500)]


def test_chips_gone_from_a_round_that_nobody_put_right_are_gone() -> None:
    s = opened()
    overpaid_and_misread(s)
    lose(s)
    s.close_counted()
    assert found(account(s)) == [("inventory_untyped", "mismatch", "round 1 as it closed", -500)]


@pytest.mark.parametrize("vigorish", [235, 250])
def test_chips_gone_while_vigorish_was_taken_either_way_are_gone(vigorish: int) -> None:
    # Of $47.00 won $2.35 is vigorish, which may be rounded up to $2.50 (631a.13(c)): both are as owed.
    s = opened()
    s.begin({BANKER: 4700})
    s.no_more_bets({BANKER: 4700})
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.settle({BANKER: 4700}, {BANKER: vigorish})
    s.tray -= 500
    s.end()
    lose(s)
    s.close_counted()
    assert found(account(s)) == [("inventory_untyped", "mismatch", "round 1 as it closed", -500)]


def test_chips_gone_from_a_round_that_was_overpaid_and_put_right_are_not_explained_by_it() -> None:
    # Paid and read 2,500 where 2,000 are due, 500 taken by somebody, 500 given back by the player.
    s = opened()
    wrong = win(s, 2500)
    s.tray -= 500
    count = s.events[-2]
    assert isinstance(count, e.InventoryCounted)
    s.events[-2] = msgspec.structs.replace(count, cents=s.tray)
    s.adjust(PLAYER, -500, number=wrong)
    lose(s)
    s.close_counted()
    assert found(account(s)) == [("inventory_untyped", "undetermined", "round 1 as it closed", -500)]


def test_a_slip_that_is_wrong_after_a_doubtful_round() -> None:
    s = opened()
    win(s)
    misread(s, gone=100)
    lose(s)
    s.list_inventory("TI-2", "closing", cents=s.tray + 2500)
    s.drop_slip("TI-2")
    s.change_box("B-1", None)
    s.close()
    assert found(account(s)) == [
        ("inventory_untyped", "undetermined", "round 2 as it closed", -600),
        ("inventory_slip_wrong", "mismatch", "TI-2", 2500),
    ]


def test_a_slip_that_is_wrong_right_after_a_doubtful_round_is_proven_by_nobody() -> None:
    # The tray had shown 600 less than the account, and the slip has 2,500 more than the tray.
    s = opened()
    win(s)
    misread(s, gone=100)
    s.list_inventory("TI-2", "closing", cents=s.tray + 2500)
    s.drop_slip("TI-2")
    s.change_box("B-1", None)
    s.close()
    assert found(account(s)) == [("inventory_untyped", "undetermined", "Table Inventory Slip TI-2", 1900)]


def test_a_table_without_a_chip_reader_goes_by_its_counts() -> None:
    s = opened(("C",))
    s.buy(4, 30_000)
    win(s)
    lose(s)
    lose(s)
    s.close_counted()
    concluded = account(s)
    assert (concluded.verdict, concluded.findings) == ("clean", ())
    assert account_sums(concluded)["by_count"] == 2000  # paid once, collected twice
    assert account_sums(concluded)["expected"] == OPENER - 30_000 + 2000


# ── put right, paid off, corrected ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("later", [0, 1, 3])
@pytest.mark.parametrize("inside", [True, False])
def test_a_settlement_put_right_counts_when_the_chips_moved(*, later: int, inside: bool) -> None:
    s = opened()
    wrong = win(s, 2500)
    for _ in range(later):
        win(s)
    if inside:
        s.begin({PLAYER: 2000})
        s.adjust(PLAYER, -500, number=wrong)
        s.no_more_bets({PLAYER: 2000})
        s.deal(PLAYER_WINS)
        s.announce("player")
        s.settle({PLAYER: 2000})
        s.end()
    else:
        s.adjust(PLAYER, -500, number=wrong)
    lose(s)
    s.close_counted()
    heard = audited(s)
    concluded = heard.account()
    assert (concluded.verdict, concluded.findings) == ("clean", ())
    assert account_sums(concluded)["put_right"] == 500
    assert [each.verdict for number, each in heard.rounds.items() if number != wrong] == ["clean"] * (
        later + 1 + inside
    )


def test_a_settlement_put_right_long_after_its_round() -> None:
    s = opened()
    wrong = win(s, 2500)
    for _ in range(12):  # some three minutes
        win(s)
    s.adjust(PLAYER, -500, number=wrong)
    for _ in range(12):
        lose(s)
    s.close_counted()
    concluded = account(s)
    assert (concluded.verdict, concluded.findings) == ("clean", ())
    assert account_sums(concluded)["put_right"] == 500


def test_put_right_before_the_round_closed() -> None:
    s = opened()
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 2500})
    s.adjust(PLAYER, -500)
    s.end()
    s.close_counted()
    concluded = account(s)
    assert concluded.verdict == "clean"
    assert (account_sums(concluded)["wagers_paid"], account_sums(concluded)["put_right"]) == (-2500, 500)


@pytest.mark.parametrize("skew", [0, 90, -90])
@pytest.mark.parametrize("first", ["button", "count"])
def test_a_button_paid_off_while_people_count_goes_by_corrected_clocks(skew: int, first: str) -> None:
    s = Script(NO_READER)
    s.offsets["C"] = skew * 1_000_000
    s.open_counted()
    s.play(BANKER_WINS, {BANKER: 1000}, "banker", {BANKER: 1000}, {BANKER: 50}, marked=True)
    if first == "button":
        s.pay_off(1, 50)
    s.list_inventory("TI-5", "shift")
    s.drop_slip("TI-5")
    if first == "count":
        s.pay_off(1, 50)
    s.load("shoe 2")
    lose(s)
    s.close_counted()
    concluded = account(s, vigorish_deferred=True)
    assert (concluded.verdict, concluded.findings) == ("clean", ())
    assert account_sums(concluded)["vigorish"] == 50


@pytest.mark.parametrize("follows", ["a round", "the closing"])
def test_a_fill_keyed_in_wrongly_and_corrected(follows: str) -> None:
    s = opened()
    win(s)
    mistaken = s.fill("F-1", 100_000)
    s.tray -= 90_000
    s.correct(mistaken, msgspec.structs.replace(mistaken, cents=10_000), number=None)
    s.events[-1] = msgspec.structs.replace(s.events[-1], round=None)
    if follows == "a round":
        lose(s)
    s.close_counted()
    concluded = account(s)
    assert (concluded.verdict, account_sums(concluded)["fills"]) == ("clean", 10_000)


# ── people's counts ──────────────────────────────────────────────────────────────────────────────────


def test_a_closing_slip_that_reader_and_account_contradict() -> None:
    s = opened()
    win(s)
    s.list_inventory("TI-2", "closing", cents=s.tray - 100)
    s.drop_slip("TI-2")
    s.change_box("B-1", None)
    s.close()
    concluded = account(s)
    assert found(concluded) == [("inventory_slip_wrong", "mismatch", "TI-2", -100)]
    assert concluded.findings[0].citations == ("465a.36(c)",)
    assert account_sums(concluded)["untyped"] == 0


def test_a_slip_that_the_reader_comes_to_agree_with_was_right() -> None:
    s = opened()
    win(s)
    s.tray -= 500
    s.list_inventory("TI-5", "shift")
    s.drop_slip("TI-5")
    before = account(s)
    assert found(before) == [CUT, ("inventory_slip_wrong", "mismatch", "TI-5", -500)]
    lose(s)
    s.close_counted()
    assert found(account(s)) == [("inventory_untyped", "mismatch", "Table Inventory Slip TI-5", -500)]


def open_short(s: Script) -> None:
    """Script the next day, which opens with 500 less than the closing slip has, and its close."""
    s.now += 86_400
    s.change_box(None, "B-2")
    s.tray -= 500  # overnight
    s.open()
    s.list_inventory("TI-3", "opening")
    s.drop_slip("TI-3")
    win(s)
    s.close_counted("TI-4", "B-2")


def test_an_opening_count_that_is_not_the_closing_slip() -> None:
    s = opened()
    win(s)
    s.close_counted()
    open_short(s)
    heard = audited(s)
    assert heard.accounts[DAY].verdict == "clean"
    concluded = heard.accounts[NEXT]
    assert found(concluded) == [("opening_count_differs", "mismatch", "TI-3", -500)]
    # 9,998,000 was in 99 of a thousand, 9 of a hundred, 3 of twenty-five and one of five dollars.
    assert (
        text_of(concluded.findings[0].message)
        == "the opening count differs from slip TI-2: $5.00 0 instead of 1"
    )
    assert account_sums(concluded)["opener"] == OPENER - 2000 - 500


def test_an_opening_count_is_held_against_the_slip_where_the_last_close_was_not_reported() -> None:
    s = opened()
    win(s)
    (closed,) = (each for each in s.events if isinstance(each, e.RoundClosed))
    s.close_counted()
    s.events.remove(closed)
    open_short(s)
    assert found(audited(s).accounts[NEXT]) == [("opening_count_differs", "mismatch", "TI-3", -500)]


def test_the_same_sum_in_other_chips_differs_too() -> None:
    s = opened()
    s.close_counted()
    s.now += 86_400
    s.change_box(None, "B-2")
    s.open()
    other = {100_000: 99, 10_000: 10}
    s.list_inventory("TI-3", "opening", denominations=other)
    s.drop_slip("TI-3")
    s.close_counted("TI-4", "B-2")
    concluded = audited(s).accounts[NEXT]
    assert finding_checks(concluded) == ["opening_count_differs"]
    assert concluded.findings[0].delta_cents == 0
    assert text_of(concluded.findings[0].message) == (
        "the opening count differs from slip TI-2: $100.00 10 instead of 0, $1,000.00 99 instead of 100"
    )


def test_an_opening_after_a_closing_that_nobody_counted_is_held_against_the_account() -> None:
    s = opened()
    win(s)
    s.change_box("B-1", None)
    s.close()
    s.now += 86_400
    s.change_box(None, "B-2")
    s.tray -= 500
    s.open()
    s.list_inventory("TI-3", "opening")
    s.drop_slip("TI-3")
    s.close_counted("TI-4", "B-2")
    heard = audited(s)
    assert finding_checks(heard.accounts[DAY]) == ["closing_not_counted"]
    assert found(heard.accounts[NEXT]) == [("inventory_untyped", "mismatch", "the opening", -500)]


# ── gaming days ──────────────────────────────────────────────────────────────────────────────────────


def overnight(s: Script) -> None:
    """Go past six in the morning, when the next gaming day has begun."""
    s.now += 86_400


@pytest.mark.parametrize("without", [(), NO_READER])
def test_a_table_that_stays_open_goes_on_with_what_was_counted_at_the_drop(without: Sequence[str]) -> None:
    s = opened(without)
    s.buy(4, 30_000)
    win(s)
    s.list_inventory("TI-2", "drop")
    s.drop_slip("TI-2")
    s.change_box("B-1", "B-2")
    s.drop_slip("TI-2")
    overnight(s)
    s.buy(4, 10_000)
    lose(s)
    s.close_counted("TI-3", "B-2")
    heard = audited(s)
    first, second = heard.accounts[DAY], heard.accounts[NEXT]
    assert [first.verdict, second.verdict] == ["clean", "clean"]
    assert [(line.of, line.cents) for line in first.lines if line.name == "closer"] == [("TI-2", 9_968_000)]
    assert (account_sums(second)["opener"], account_sums(second)["expected"]) == (9_968_000, 9_960_000)
    assert [(line.of, line.cents) for line in first.lines if line.name == "box"] == [
        ("B-1", 30_000),
        ("B-2", 0),
    ]
    assert [(line.of, line.cents) for line in second.lines if line.name == "box"] == [("B-2", 10_000)]
    assert [line.of for line in second.lines if line.name == "closer"] == ["TI-3"]


def test_a_table_that_nobody_counted_at_the_day_s_end_closes_by_the_account() -> None:
    s = opened()
    win(s)
    overnight(s)
    lose(s)
    s.close_counted()
    heard = audited(s)
    assert [each.verdict for each in heard.accounts.values()] == ["clean", "clean"]
    assert account_sums(heard.accounts[DAY])["closer"] == 9_998_000  # of no slip
    assert account_sums(heard.accounts[NEXT])["opener"] == 9_998_000


def test_a_loss_over_the_day_s_turn_is_the_next_day_s() -> None:
    s = opened()
    win(s)
    overnight(s)
    s.tray -= 500
    lose(s)
    s.close_counted()
    heard = audited(s)
    assert heard.accounts[DAY].verdict == "clean"
    assert found(heard.accounts[NEXT]) == [("inventory_untyped", "mismatch", "round 2 as it opened", -500)]


@pytest.mark.parametrize("lost", [0, 500])
def test_closed_and_opened_again_on_one_day(lost: int) -> None:
    s = opened()
    win(s)
    s.close_counted()
    s.now += 3600
    s.tray -= lost
    s.open_counted("TI-2b", "B-2")
    lose(s)
    s.close_counted("TI-3", "B-2")
    concluded = account(s)
    assert account_sums(concluded)["opener"] == OPENER
    if lost:
        assert found(concluded) == [
            ("inventory_untyped", "mismatch", "the opening", -500),
            ("opening_count_differs", "mismatch", "TI-2b", -500),
        ]
    else:
        assert concluded.verdict == "clean"
        assert [(line.of, line.cents) for line in concluded.lines if line.name == "closer"] == [
            ("TI-3", OPENER)
        ]


def test_what_follows_the_closing_is_not_before_it() -> None:
    # The box of a closed table is collected later: no count of an open one is asked for.
    s = opened()
    win(s)
    s.list_inventory("TI-2", "closing")
    s.drop_slip("TI-2")
    s.close()
    s.now += 600
    s.change_box("B-1", "B-2")
    for size in (1, 3, None):
        assert audit_events(s.events, build_house_with_cage(), frame=size).account().verdict == "clean"


# ── how it arrives ───────────────────────────────────────────────────────────────────────────────────


def eventful(without: Sequence[str] = ()) -> Script:
    """Play two days with all there is: losses between rounds and within one, a drop, things put right."""
    s = opened(without)
    s.buy(4, 30_000)
    wrong = win(s, 2500)
    s.tray -= 500
    lose(s)
    s.adjust(PLAYER, -500, number=wrong)
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.tray -= 100
    s.announce("player")
    s.settle({PLAYER: 2000})
    s.end()
    lose(s)
    s.list_inventory("TI-2", "drop")
    s.drop_slip("TI-2")
    s.change_box("B-1", "B-2")
    s.drop_slip("TI-2")
    win(s)
    overnight(s)
    s.fill("F-1", 200_000)
    lose(s)
    s.list_inventory("TI-3", "closing", cents=s.tray - 25)
    s.change_box("B-2", None)
    s.close()
    s.now += 600
    s.change_box(None, "B-3")
    return s


def test_the_eventful_days() -> None:
    heard = audited(eventful())
    assert found(heard.accounts[DAY]) == [
        ("inventory_untyped", "mismatch", "round 2 as it opened", -500),
        ("inventory_untyped", "mismatch", "round 3 as it closed", -100),
    ]
    assert found(heard.accounts[NEXT]) == [
        ("inventory_slip_wrong", "mismatch", "TI-3", -25),
        ("slip_not_dropped", "mismatch", "B-2", None),
    ]


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_any_framing_gives_the_same(size: int) -> None:
    s = eventful()
    assert audited(s, frame=size).accounts == audited(s).accounts
    assert audited(s, frame=size).history == audited(s, frame=1).history


@pytest.mark.parametrize("size", [1, 5, 23])
def test_the_account_survives_a_restart_between_any_two_frames(size: int) -> None:
    s = eventful()
    by = build_house_with_cage()
    audit = TableAudit("BAC-1", by)
    heard = AuditedTable(audit)
    for start in range(0, len(s.events), size):
        heard.hear(audit.feed(s.events[start : start + size]))
        stored = msgspec.json.encode(audit.progress)
        audit = TableAudit("BAC-1", by)
        audit.progress = msgspec.json.decode(stored, type=AuditProgress)
    heard.hear(audit.finish())
    assert heard.history == audit_events(s.events, by, frame=size).history


def test_a_late_report_revises_the_account() -> None:
    s = opened(NO_READER)
    win(s)
    late = next(event for event in s.events if isinstance(event, e.ChipsPaid))
    s.list_inventory("TI-5", "shift")
    s.drop_slip("TI-5")
    for _ in range(4):
        lose(s)
    s.list_inventory("TI-2", "closing")
    s.drop_slip("TI-2")
    held_back = [event for event in s.events if event is not late]
    heard = AuditedTable(TableAudit("BAC-1", build_house_with_cage(without=NO_READER)))
    heard.hear(heard.audit.feed(held_back))
    assert found(heard.account()) == [
        ("inventory_untyped", "undetermined", "Table Inventory Slip TI-5", -2000)
    ]
    heard.hear(heard.audit.feed([late]))
    heard.hear(heard.audit.finish())
    assert (heard.account().verdict, heard.account().findings) == ("clean", ())
    told_of = [each for each in heard.history if each.conclusion.account == "inventory"]
    # The third has the closer, as no more will come.
    assert [each.revision for each in told_of] == [1, 2, 3]
    assert [each.conclusion.verdict for each in told_of] == ["undetermined", "clean", "clean"]


def test_on_a_day_before_the_chapter_it_is_the_house_s_own_control() -> None:
    before = START - 16 * 365 * 86_400 * 1_000_000
    s = Script(start=before)
    s.open_counted()
    win(s)
    s.tray -= 500
    lose(s)
    s.close_counted()
    (finding,) = audit_events(s.events, build_house_with_cage()).account().findings
    assert (finding.citations, finding.status) == ((HOUSE_CONTROL,), HOUSE_CONTROL)


def proven(heard: AuditedTable) -> set[tuple[date, str, str | None]]:
    """Return what the accounts of all days prove, and about what slip, box or count."""
    return {
        (day, each.check, str(each.who or each.serial))
        for day, concluded in heard.accounts.items()
        for each in concluded.findings
        if each.weight == "mismatch"
    }


@pytest.mark.parametrize("without", [(), NO_READER])
def test_no_single_hole_proves_anything_that_is_not_so(without: Sequence[str]) -> None:
    events = eventful(without).events
    by = build_house_with_cage(without=without)
    whole = proven(audit_events(events, by))
    assert whole
    for n, lost in enumerate(events):
        more = proven(audit_events(events[:n] + events[n + 1 :], by)) - whole
        assert more == set(), lost
