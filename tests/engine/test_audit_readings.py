"""Two readers of one quantity: their disputes, one in the other's place, and which errs often."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.events import Event
from tests.builders.table_audit import AuditedTable, audit_events, finding_checks, note_checks, owed_by_wager
from tests.builders.table_script import (
    BANKER_WINS,
    PLAYER_WINS,
    Script,
    Spot,
    build_house,
    rename_devices,
)
from tests.builders.texts import text_of

WIN: Final[Spot] = (1, "player")
OTHER: Final[Spot] = (2, "banker")


def round_of(s: Script, cards: str = PLAYER_WINS) -> None:
    """Play a round that the Player's Hand wins: 1000 on it, 500 on the Banker's."""
    s.play(cards, {WIN: 1000, OTHER: 500}, "player", {OTHER: -500, WIN: 1000})


def misread(kind: type[Event], nth: int = 0, *, rounds: int = 1, **wrong: Any) -> Script:
    """Play rounds in each of which the nth report of a kind is wrong."""
    s = Script()
    s.open()
    for _ in range(rounds):
        first = len(s.events)
        round_of(s)
        at = [n for n, event in enumerate(s.events) if n >= first and isinstance(event, kind)][nth]
        s.events[at] = replace(s.events[at], **wrong)
    return s


def concluded(s: Script) -> Conclusion:
    return audit_events(s.events).rounds["1"]


# ── cards: the shoe and the camera ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "shoe", "camera"),
    [(e.CardDrawn, "9c", "7c"), (e.CardSeen, "7c", "9c"), (e.CardSeen, "7c", "7s")],
)
def test_card_that_two_readers_dispute(kind: type[Event], shoe: str, camera: str) -> None:
    round_ = concluded(misread(kind, card=shoe if kind is e.CardDrawn else camera))
    assert (round_.verdict, round_.outcome) == ("undetermined", None)
    (finding,) = round_.findings
    assert (finding.check, finding.device) == ("source_conflict", "S V")
    assert text_of(finding.message) == f"player card 1: S read {shoe}, V read {camera}"
    assert set(owed_by_wager(round_).values()) == {(None, None)}


@pytest.mark.parametrize(
    ("device", "kind", "place", "says"),
    [
        ("V", e.CardSeen, {"place": 3}, "banker card 3: S read no card, V read 2s"),
        ("S", e.CardDrawn, {}, "banker card 3: S read 2s, V read no card"),
    ],
)
def test_card_that_only_one_reader_saw(
    device: str, kind: type[Event], place: dict[str, int], says: str
) -> None:
    s = Script()
    s.open()
    s.begin({WIN: 1000})
    s.no_more_bets({WIN: 1000})
    s.deal(PLAYER_WINS)
    s.say(device, kind, round=s.number, hand="banker", card="2s", **place)
    s.announce("player")
    s.settle({WIN: 1000})
    s.end()
    (finding,) = concluded(s).findings
    assert (concluded(s).verdict, text_of(finding.message)) == ("undetermined", says)


@pytest.mark.parametrize("reader", [e.CardDrawn, e.CardSeen])
@pytest.mark.parametrize("unread", ["??", "7?", "?c"])
def test_card_that_one_reader_could_not_read(reader: type[Event], unread: str) -> None:
    round_ = concluded(misread(reader, card=unread))
    assert (round_.verdict, round_.findings) == ("clean", ())
    assert owed_by_wager(round_)[1, "player", None] == (1000, 0)


def test_card_of_ten_whose_rank_was_not_read() -> None:
    # The third card, a king: a ten of unknown rank agrees with it.
    assert concluded(misread(e.CardDrawn, 2, card="0?")).verdict == "clean"


def test_card_that_neither_reader_could_read() -> None:
    # The Player's seven: 7 to 6 as it was, but a king there would be 0 to 6.
    s = misread(e.CardDrawn, card="??")
    (at,) = [
        n
        for n, event in enumerate(s.events)
        if isinstance(event, e.CardSeen) and (event.hand, event.place) == ("player", 1)
    ]
    s.events[at] = replace(s.events[at], card="??")
    round_ = concluded(s)
    assert (round_.verdict, finding_checks(round_)) == ("undetermined", ["data_missing"])
    assert "player ??" in text_of(round_.findings[0].message)


def test_rank_that_neither_reader_could_read_and_nothing_hangs_on() -> None:
    # A ten of unknown rank in both readings: worth nothing whichever it is.
    s = misread(e.CardDrawn, 2, card="0?")
    (at,) = [
        n
        for n, event in enumerate(s.events)
        if isinstance(event, e.CardSeen) and (event.hand, event.place) == ("player", 2)
    ]
    s.events[at] = replace(s.events[at], card="0?")
    assert concluded(s).verdict == "clean"


# ── what one reader did not report ───────────────────────────────────────────────────────────────────


def without(s: Script, kind: type[Event], nth: int = 0) -> tuple[Script, Any]:
    """Lose the nth report of a kind; give it too."""
    lost = [event for event in s.events if isinstance(event, kind)][nth]
    s.events.remove(lost)
    return s, lost


def rounds(number: int) -> Script:
    s = Script()
    s.open()
    for _ in range(number):
        round_of(s)
    return s


def test_hole_in_the_shoes_cards_that_the_camera_covers() -> None:
    s, lost = without(rounds(2), e.CardDrawn)
    heard = audit_events(s.events)
    round_ = heard.rounds["1"]
    assert (round_.verdict, round_.outcome, round_.findings) == ("clean", "player", ())
    assert owed_by_wager(round_) == {(1, "player", None): (1000, 0), (2, "banker", None): (-500, 0)}
    assert note_checks(round_) == ["data_missing"]
    assert text_of(round_.notes[0].message).startswith(f"S number {lost.seq} of epoch 1 did not arrive")
    assert round_.notes[0].device == "S"


def test_covered_hole_hides_no_mistake_and_proves_none() -> None:
    s = Script()
    s.open()
    s.play(BANKER_WINS, {WIN: 1000}, "banker", {WIN: 1000})  # a loser paid
    s, _ = without(s, e.CardDrawn, 3)
    round_ = audit_events(s.events).rounds["1"]
    assert (round_.verdict, finding_checks(round_)) == ("undetermined", ["paid_too_much"])


def test_hole_of_the_camera_is_a_note() -> None:
    for kind in (e.CardSeen, e.StackSeen):
        s, lost = without(rounds(2), kind)
        round_ = audit_events(s.events).rounds["1"]
        assert (round_.verdict, note_checks(round_)) == ("clean", ["data_missing"])
        assert f"V number {lost.seq} of epoch 1" in text_of(round_.notes[0].message)


def test_holes_of_both_readers_leave_the_cards_open() -> None:
    s, first = without(rounds(2), e.CardDrawn)
    s, second = without(s, e.CardSeen, 3)
    round_ = audit_events(s.events).rounds["1"]
    assert (round_.verdict, round_.outcome) == ("undetermined", None)
    assert any(f"S number {first.seq} " in text_of(each.message) for each in round_.findings)
    assert any(
        f"V number {second.seq} " in text_of(each.message) for each in (*round_.findings, *round_.notes)
    )


# ── chips: the chip reader, the camera, the tray ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "chips", "camera"), [(e.ChipsPlaced, 1500, 1000), (e.StackSeen, 1000, 1500)]
)
def test_stack_that_two_readers_dispute(kind: type[Event], chips: int, camera: int) -> None:
    round_ = concluded(misread(kind, cents=1500))
    assert (round_.verdict, finding_checks(round_)) == ("undetermined", ["source_conflict"])
    assert (
        text_of(round_.findings[0].message)
        == f"seat 1 player: C read ${chips // 100}.00, V read ${camera // 100}.00"
    )
    assert owed_by_wager(round_) == {(1, "player", None): (None, None), (2, "banker", None): (-500, 0)}


def test_stack_that_only_one_reader_saw() -> None:
    s = rounds(1)
    s.events = [
        replace(event, seat=7) if isinstance(event, e.StackSeen) and event.seat == 1 else event
        for event in s.events
    ]
    round_ = concluded(s)
    assert (round_.verdict, set(finding_checks(round_))) == ("undetermined", {"source_conflict"})
    assert {text_of(each.message) for each in round_.findings} == {
        "seat 1 player: C read $10.00, V read $0.00",
        "seat 7 player: C read $0.00, V read $10.00",
    }


def test_dispute_about_one_stack_leaves_the_others_judged() -> None:
    s = Script()
    s.open()
    s.play(PLAYER_WINS, {WIN: 1000, OTHER: 500}, "player", {OTHER: 0, WIN: 1000})
    (at,) = [n for n, event in enumerate(s.events) if isinstance(event, e.StackSeen) and event.seat == 1]
    s.events[at] = replace(s.events[at], cents=900)
    round_ = concluded(s)
    assert (round_.verdict, set(finding_checks(round_))) == (
        "mismatch",
        {"source_conflict", "loser_not_collected"},
    )


def test_tray_against_chips() -> None:
    # In the tray after the round: less 1000 paid, plus 500 collected; the reader says 100 less still.
    s = misread(e.InventoryCounted, 1, cents=100_000_00 - 600)
    round_ = concluded(s)
    assert (round_.verdict, finding_checks(round_)) == ("undetermined", ["source_conflict"])
    assert round_.findings[0].device == "C I"
    assert "change by -$6.00" in text_of(round_.findings[0].message)
    assert "account for -$5.00" in text_of(round_.findings[0].message)
    assert round_.outcome == "player"  # the cards are beyond dispute
    assert set(owed_by_wager(round_).values()) == {(None, None)}


def test_tray_knows_what_else_moves_chips() -> None:
    s = Script()
    s.open()
    s.begin({(2, "banker"): 1000})
    s.say("T", e.ChipsBought, round="1", seat=4, cents=20_000)
    s.tray -= 20_000
    s.say("T", e.ChipsColoredUp, round="1", seat=4, cents=5_000)
    s.say("T", e.TokeGiven, round="1", seat=4, cents=500)
    s.no_more_bets({(2, "banker"): 1000})
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.settle({(2, "banker"): 1000}, {(2, "banker"): 50})  # vigorish in cash, into the tray
    s.end()
    assert audit_events(s.events).verdicts() == {"1": "clean"}


# ── a mistake that one reader alone reported ─────────────────────────────────────────────────────────


def settled_wrongly(*lost: tuple[type[Event], int], without: tuple[str, ...] = ()) -> Conclusion:
    """Conclude a round whose loser was left lying, as read, with some reports lost."""
    s = Script(without)
    s.open()
    s.play(PLAYER_WINS, {WIN: 1000, OTHER: 500}, "player", {OTHER: 0, WIN: 1000})
    kinds = {kind: [each for each in s.events if isinstance(each, kind)] for kind, _ in lost}
    gone = [kinds[kind][nth] for kind, nth in lost]
    s.events = [each for each in s.events if each not in gone]
    return audit_events(s.events, build_house(without=without)).rounds["1"]


@pytest.mark.parametrize(
    ("lost", "weight"),
    [
        ((), "mismatch"),
        (((e.InventoryCounted, 0),), "undetermined"),  # the tray did not say what was collected
        (((e.InventoryCounted, 1),), "undetermined"),
        (((e.StackSeen, 0),), "mismatch"),  # the other player's stake
        (((e.StackSeen, 1),), "undetermined"),
        (((e.CardSeen, 2),), "undetermined"),  # the Player's king, by the shoe alone
        (((e.CardDrawn, 2),), "undetermined"),  # by the camera alone
    ],
)
def test_a_loser_left_lying_as_one_of_two_readers_reports_it(
    lost: tuple[tuple[type[Event], int], ...], weight: str
) -> None:
    (finding,) = settled_wrongly(*lost).findings
    assert (finding.check, finding.weight, finding.delta_cents) == ("loser_not_collected", weight, 500)


@pytest.mark.parametrize("without", [("I",), ("V",), ("V", "I")])
def test_a_loser_left_lying_where_the_house_has_no_second_reader(without: tuple[str, ...]) -> None:
    (finding,) = settled_wrongly(without=without).findings
    assert (finding.check, finding.weight) == ("loser_not_collected", "mismatch")


def test_what_one_reader_alone_reported_names_the_report_that_is_missing() -> None:
    round_ = settled_wrongly((e.InventoryCounted, 1))
    (finding,) = round_.findings
    assert (round_.verdict, round_.outcome) == ("undetermined", "player")
    assert text_of(finding.message).endswith(
        "; I number 2 of epoch 1 did not arrive; the other reader alone was read"
    )
    # What was owed is as certain as before.
    assert owed_by_wager(round_) == {(1, "player", None): (1000, 0), (2, "banker", None): (-500, 0)}


def test_a_stake_taken_late_is_a_mistake_whatever_the_tray_did_not_report() -> None:
    s = Script()
    s.open()
    s.begin({WIN: 1000})
    s.no_more_bets({WIN: 1000})
    s.on(OTHER, e.ChipsPlaced, 500, after=1)
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({WIN: 1000, OTHER: -500})
    s.end()
    s, _ = without(s, e.InventoryCounted, 1)
    assert ("late_wager", "mismatch") in [(each.check, each.weight) for each in concluded(s).findings]


# ── a device that errs again and again ───────────────────────────────────────────────────────────────


def contradictions(number: int) -> AuditedTable:
    s = misread(e.CardSeen, rounds=number, card="9d")
    s.close()
    return audit_events(s.events)


def alerts(heard: AuditedTable) -> list[str]:
    """Return what the shoe says of devices that contradict each other."""
    return [
        text_of(finding.message)
        for finding in heard.shoes["shoe 1"].findings
        if finding.check == "device_contradicts"
    ]


def test_two_contradictions_are_no_alert_about_the_devices() -> None:
    heard = contradictions(2)
    assert set(heard.verdicts().values()) == {"undetermined"}
    assert alerts(heard) == []


def test_three_contradictions_are_one_alert_about_the_devices() -> None:
    heard = contradictions(3)
    assert alerts(heard) == ["S and V contradicted each other in 3 rounds of the shoe"]


def test_the_name_of_a_device_that_contradicts_may_hold_a_space() -> None:
    s = misread(e.CardSeen, rounds=3, card="9d")
    s.close()
    house, events = rename_devices(build_house(), s.events, {"S": "S 1", "V": "V 2"})
    heard = audit_events(events, house)
    assert alerts(heard) == ["S 1 and V 2 contradicted each other in 3 rounds of the shoe"]
    conflicts = {each.device for round_ in heard.rounds.values() for each in round_.findings}
    assert conflicts == {"S 1 V 2"}
    assert heard.shoe_verdicts() == {"shoe 1": "undetermined"}


def test_several_disputes_in_one_round_are_one_contradiction() -> None:
    s = Script()
    s.open()
    round_of(s)
    s.events = [replace(each, card="9d") if isinstance(each, e.CardSeen) else each for each in s.events]
    s.close()
    heard = audit_events(s.events)
    assert len(heard.rounds["1"].findings) == 4
    assert alerts(heard) == []


def test_contradictions_of_different_pairs_are_not_added_up() -> None:
    s = misread(e.CardSeen, rounds=2, card="9d")
    first = len(s.events)
    round_of(s)
    (at,) = [
        n for n, each in enumerate(s.events) if n > first and isinstance(each, e.StackSeen) and each.seat == 1
    ]
    s.events[at] = replace(s.events[at], cents=1500)
    s.close()
    assert alerts(audit_events(s.events)) == []
