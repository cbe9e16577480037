"""Missing reports: their round is left open and says so, no other is, and nothing is accused."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.events import Event
from schemas.house import House
from tests.builders.table_audit import AuditedTable, audit_events, finding_checks, note_checks
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, TIE, Script, Spot, build_house
from tests.builders.texts import text_of

SEAT_1: Final[Spot] = (1, "banker")
SEAT_4: Final[Spot] = (4, "player")
MONEY: Final[Spot] = (4, "house_money")
EVERY_READER: Final = ""
ONE_READER: Final = "VI"


def story(without: str) -> Script:
    """Script two shoes and four rounds, the second of which overpays the player on seat 4 by 500 cents.

    Each round has what another lacks: vigorish marked and paid off, a buy-in, House Money, a third card.
    """
    s = Script(without)
    s.open()
    wagers = {SEAT_1: 1000, SEAT_4: 2000}
    s.play(BANKER_WINS, wagers, "banker", {SEAT_4: -2000, SEAT_1: 1000}, {SEAT_1: 50}, marked=True)
    s.buy(4, 50_000)
    s.say("T", e.DealerAssigned, dealer="D-1", calling=True)
    s.play(PLAYER_WINS, wagers, "player", {SEAT_1: -1000, SEAT_4: 2500})
    s.say("T", e.PlayerLeft, seat=1)
    s.pay_off(1, 50)
    s.load("shoe 2")
    s.begin({SEAT_4: 2000, MONEY: 500})
    s.no_more_bets({SEAT_4: 2000, MONEY: 500})
    s.deal("P2c B6d P2h BKd")
    s.hand_over(MONEY, 1500, after=1)
    s.deal("P4c")  # 8 to 6; Banker stays on 6 against a four
    s.announce("player")
    s.settle({SEAT_4: 2000})
    s.end()
    s.say("T", e.DevicesPolled, heard=s.heard())
    s.play(TIE, {SEAT_1: 1000}, "tie", {})
    s.close()
    return s


def by(without: str) -> House:
    return build_house(without=without, vigorish_deferred=True, house_money=True)


def owner(events: list[Event], lost: Event) -> str | None:
    """Return the round within which an event was reported; none for one between rounds."""
    inside = None
    for event in events:
        if isinstance(event, e.RoundOpened):
            inside = event.round
        if event is lost:
            return inside
        if isinstance(event, e.RoundClosed):
            inside = None
    return None


def says(concluded: Conclusion, lost: Event) -> bool:
    """Return True if a conclusion names an event's device and number."""
    named = f"{lost.device} number {lost.seq} of epoch {lost.epoch} did not arrive"
    return any(
        finding.device == lost.device and text_of(finding.message).startswith(named)
        for finding in (*concluded.findings, *concluded.notes)
    )


STORIES: Final = {without: story(without).events for without in (EVERY_READER, ONE_READER)}
WHOLE: Final = {without: audit_events(events, by(without)) for without, events in STORIES.items()}
LOST: Final = [
    pytest.param(without, lost, id=f"{without or 'all'}-{lost.device}{lost.seq}-{type(lost).__name__}")
    for without, events in STORIES.items()
    for lost in events
]


def after(without: str, lost: Event) -> AuditedTable:
    return audit_events([event for event in STORIES[without] if event is not lost], by(without))


@pytest.mark.parametrize("without", STORIES)
def test_the_story_as_it_was(without: str) -> None:
    heard = WHOLE[without]
    assert heard.verdicts() == {"1": "clean", "2": "mismatch", "3": "clean", "4": "clean"}
    assert finding_checks(heard.rounds["2"]) == ["paid_too_much"]
    assert heard.shoe_verdicts() == {"shoe 1": "clean", "shoe 2": "clean"}


@pytest.mark.parametrize(("without", "lost"), LOST)
def test_any_one_event_lost(without: str, lost: Event) -> None:
    heard, whole = after(without, lost), WHOLE[without]
    mine = owner(STORIES[without], lost)
    assert set(heard.rounds) == set(whole.rounds)
    for number, concluded in heard.rounds.items():
        full = whole.rounds[number]
        if number != mine:
            # What lies on marker buttons hangs on all that was marked before, as far as it was reported.
            assert replace(concluded, lines=()) == replace(full, lines=()), (
                f"round {number} changed by what was lost elsewhere"
            )
            continue
        assert says(concluded, lost), "the round does not name what it lacks"
        covered = lost.device in "VI" or (lost.device == "S" and "V" not in without)
        if covered:  # by the other reader, which alone proves no mistake
            stake = (lost.seat, lost.wager) if isinstance(lost, e.StackSeen) else None
            proven = stake is not None and stake not in {(each.seat, each.wager) for each in full.findings}
            verdict = full.verdict if proven or full.verdict == "clean" else "undetermined"
            assert (concluded.verdict, finding_checks(concluded)) == (verdict, finding_checks(full))
        else:
            assert concluded.verdict in {"undetermined", full.verdict if full.verdict == "mismatch" else None}


@pytest.mark.parametrize(("without", "lost"), LOST)
def test_any_one_event_lost_accuses_no_shoe(without: str, lost: Event) -> None:
    heard = after(without, lost)
    assert set(heard.shoe_verdicts().values()) <= {"clean", "undetermined"}
    needed = lost.device in "TSC" and not isinstance(lost, e.TableOpened | e.TableClosed)
    if needed:
        assert any(says(shoe, lost) for shoe in heard.shoes.values()), "no shoe names what it lacks"
        assert "undetermined" in heard.shoe_verdicts().values()


def test_hole_at_the_end_of_the_record() -> None:
    # Nothing after the last round's RoundClosed: it is not seen to close.
    s = Script()
    s.open()
    s.play(TIE, {}, "tie", {})
    s.play(TIE, {}, "tie", {})
    heard = audit_events(s.events[:-1])
    assert heard.verdicts() == {"1": "clean", "2": "undetermined"}
    assert "the round was not seen to close" in [text_of(each.message) for each in heard.rounds["2"].findings]


# ── devices that fall silent or restart ──────────────────────────────────────────────────────────────


def silent(device: str) -> AuditedTable:
    """Play three rounds; from the first one's wagers to the end of the second a device is out of touch."""
    s = Script()
    s.open()
    s.begin({SEAT_4: 1000})
    s.say("T", e.DeviceWentSilent, silent=device)
    s.no_more_bets({SEAT_4: 1000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SEAT_4: 1000})
    s.end()
    s.play(PLAYER_WINS, {SEAT_4: 1000}, "player", {SEAT_4: 1000})
    s.say("T", e.DeviceCameBack, back=device)
    s.play(PLAYER_WINS, {SEAT_4: 1000}, "player", {SEAT_4: 1000})
    return audit_events(s.events)


def test_silent_chip_reader() -> None:
    heard = silent("C")
    assert heard.verdicts() == {"1": "undetermined", "2": "undetermined", "3": "clean"}
    for number in "12":
        (finding,) = heard.rounds[number].findings
        assert (finding.check, finding.device, text_of(finding.message)) == (
            "data_missing",
            "C",
            "C was silent",
        )
    assert heard.rounds["1"].outcome == "player"  # the shoe was heard


@pytest.mark.parametrize(
    ("wagers", "last"),
    [({SEAT_4: 1000}, "clean"), ({}, "undetermined")],  # the second poll shows a later number, or none does
)
def test_a_device_whose_return_was_not_reported_is_back_by_its_numbers(
    wagers: dict[Spot, int], last: str
) -> None:
    s = Script()
    s.open()
    s.play(PLAYER_WINS, {SEAT_4: 1000}, "player", {SEAT_4: 1000})
    s.begin()
    s.say("T", e.DeviceWentSilent, silent="C")
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.end()
    back = s.say("T", e.DeviceCameBack, back="C")
    for _ in range(2):
        s.play(PLAYER_WINS, wagers, "player", wagers)
    s.close()
    heard = audit_events([each for each in s.events if each is not back])
    assert heard.verdicts() == {"1": "clean", "2": "undetermined", "3": "undetermined", "4": last}
    assert set(audit_events(s.events).verdicts().items()) >= {("3", "clean"), ("4", "clean")}


@pytest.mark.parametrize("device", ["S", "V", "I"])
def test_silent_reader_where_another_reads_too(device: str) -> None:
    heard = silent(device)
    assert set(heard.verdicts().values()) == {"clean"}
    assert note_checks(heard.rounds["1"]) == ["data_missing"]
    assert note_checks(heard.rounds["3"]) == []


def left_owing(*happens: tuple[type[e.Event], str]) -> AuditedTable:
    """Script a player who leaves owing vigorish, without a seen payment, while devices come and go."""
    s = Script()
    s.open()
    s.play(
        BANKER_WINS, {(1, "banker"): 1000}, "banker", {(1, "banker"): 1000}, {(1, "banker"): 50}, marked=True
    )
    for kind, device in happens:
        s.say("T", kind, **{"silent" if kind is e.DeviceWentSilent else "back": device})
    s.say("T", e.PlayerLeft, seat=1)
    s.play(PLAYER_WINS, {}, "player", {})
    return audit_events(s.events, build_house(vigorish_deferred=True))


def test_a_button_that_a_silent_reader_may_have_missed_is_no_alarm() -> None:
    shoe = left_owing().shoes["shoe 1"]
    assert (shoe.verdict, finding_checks(shoe)) == ("mismatch", ["vigorish_left_owing"])
    silent, back = (e.DeviceWentSilent, "C"), (e.DeviceCameBack, "C")
    for happens in ([silent], [silent, back]):
        shoe = left_owing(*happens).shoes["shoe 1"]
        assert shoe.verdict == "undetermined"
        assert {(each.check, text_of(each.message)) for each in shoe.findings} == {
            ("data_missing", "C was silent")
        }
    assert left_owing((e.DeviceWentSilent, "V")).shoes["shoe 1"].verdict == "mismatch"  # it reads no buttons


@pytest.mark.parametrize(
    ("loaded", "verdict"), [(None, "undetermined"), ("while", "undetermined"), ("after", "clean")]
)
def test_a_shoe_that_may_have_been_loaded_while_its_reader_was_silent(
    loaded: str | None, verdict: str
) -> None:
    s = Script()
    s.open()
    s.play(PLAYER_WINS, {}, "player", {})
    if loaded == "while":
        s.load("shoe 2")  # and burned a third card, which nobody saw
    s.say("T", e.DeviceWentSilent, silent="S")
    s.shoe = "shoe 2"
    s.say("T", e.DeviceCameBack, back="S")
    if loaded == "after":
        s.load("shoe 2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.close()
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean", "2": "clean"}
    assert heard.shoe_verdicts() == {"shoe 1": "clean", "shoe 2": verdict}


def test_a_silent_chip_reader_where_nobody_owes_misses_nothing_of_a_shoe() -> None:
    s = Script()
    s.open()
    s.play(PLAYER_WINS, {}, "player", {})
    s.say("T", e.DeviceWentSilent, silent="C")
    s.say("T", e.DeviceCameBack, back="C")
    s.close()
    assert audit_events(s.events).shoe_verdicts() == {"shoe 1": "clean"}


def restarted(device: str, *, inside: bool, without: str = ONE_READER) -> AuditedTable:
    """Play three rounds; a device restarts within the second or before it."""
    s = Script(without)
    s.open()
    s.play(PLAYER_WINS, {SEAT_4: 1000}, "player", {SEAT_4: 1000})
    if not inside:
        s.restart(device)
    s.begin({SEAT_4: 1000})
    s.no_more_bets({SEAT_4: 1000})
    if inside:
        s.restart(device)
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SEAT_4: 1000})
    s.end()
    s.play(PLAYER_WINS, {SEAT_4: 1000}, "player", {SEAT_4: 1000})
    s.close()
    return audit_events(s.events, build_house(without=without))


@pytest.mark.parametrize("device", ["T", "S", "C"])
def test_restarted_in_a_round(device: str) -> None:
    heard = restarted(device, inside=True)
    assert heard.verdicts() == {"1": "clean", "2": "undetermined", "3": "clean"}
    assert [text_of(each.message) for each in heard.rounds["2"].findings] == [f"{device} restarted"]


@pytest.mark.parametrize("device", ["T", "S", "C"])
def test_restarted_between_rounds(device: str) -> None:
    heard = restarted(device, inside=False)
    assert heard.verdicts() == {"1": "clean", "2": "clean", "3": "clean"}
    # What it saw between the rounds is unknown: of the shoe, nothing is sure.
    assert [text_of(each.message) for each in heard.shoes["shoe 1"].findings] == [f"{device} restarted"]


def test_restarted_second_reader_is_a_note() -> None:
    heard = restarted("V", inside=True, without="")
    assert set(heard.verdicts().values()) == {"clean"}
    assert [text_of(each.message) for each in heard.rounds["2"].notes] == [
        "V restarted; the other reader alone was read"
    ]


# ── vigorish owed, where a report on it was lost ─────────────────────────────────────────────────────


def owing(lost: type[Event], nth: int = 0, **more: Any) -> AuditedTable:
    """Play two shoes with a mark of 50 in each, both paid off; lose one report."""
    s = Script(without=ONE_READER)
    s.open()
    for shoe in ("shoe 2", "shoe 3"):
        s.play(BANKER_WINS, {SEAT_1: 1000}, "banker", {SEAT_1: 1000}, {SEAT_1: 50}, marked=True)
        s.pay_off(1, 50)
        s.load(shoe)
    s.play(TIE, {}, "tie", {})
    s.close()
    gone = [event for event in s.events if isinstance(event, lost)][nth]
    s.events.remove(gone)
    return audit_events(s.events, build_house(without=ONE_READER, vigorish_deferred=True, **more))


@pytest.mark.parametrize("lost", [e.VigorishMarked, e.MarkerButtonRemoved, e.RoundOpened, e.RoundClosed])
@pytest.mark.parametrize("nth", [0, 1])
def test_no_debt_is_claimed_on_a_lost_report(lost: type[Event], nth: int) -> None:
    heard = owing(lost, nth)
    assert set(heard.shoe_verdicts().values()) <= {"clean", "undetermined"}
    assert "undetermined" in heard.shoe_verdicts().values()


def test_first_round_of_a_shoe_whose_opening_was_lost() -> None:
    # Eight rounds with the same four cards each, and a ninth from a new shoe: no card is one too many.
    s = Script()
    s.open()
    for _ in range(8):
        s.play(PLAYER_WINS, {}, "player", {})
    s.load("shoe 2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.play(PLAYER_WINS, {}, "player", {})
    (lost,) = [event for event in s.events if isinstance(event, e.RoundOpened) and event.round == "9"]
    s.events.remove(lost)
    heard = audit_events(s.events)
    assert heard.verdicts() == dict.fromkeys("12345678", "clean") | {"9": "undetermined", "10": "clean"}


def test_a_gap_before_the_first_round_is_reported() -> None:
    s = Script()
    s.open()
    s.buy(1, 5000)
    lost = s.events[-1]
    s.play(PLAYER_WINS, {}, "player", {})
    s.close()
    s.events.remove(lost)
    shoe = audit_events(s.events).shoes["shoe 1"]
    assert shoe.verdict == "undetermined"
    assert "T number 2 of epoch 1" in text_of(shoe.findings[0].message)


@pytest.mark.parametrize("card", [True, False])
def test_no_barrier_is_left_between_two_rounds(*, card: bool) -> None:
    # The close of the first and the opening of the second are lost, and a card of the second with them.
    s = Script(without=ONE_READER)
    s.open()
    for _ in range(2):
        s.play(PLAYER_WINS, {SEAT_4: 1000}, "player", {SEAT_4: 1000})
    s.close()
    kinds = {("1", e.RoundClosed), ("2", e.RoundOpened)} | ({("2", e.CardDrawn)} if card else set())
    lost = [next(each for each in s.events if (each.round, type(each)) == kind) for kind in kinds]
    heard = audit_events([each for each in s.events if each not in lost], by(ONE_READER))
    assert heard.verdicts() == {"1": "undetermined", "2": "undetermined"}
