"""A hand event after event: what lies where at each, and at which of them a finding came to be."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.engine.findings import FindingView
from projections.engine.games import REGISTRY
from projections.engine.observation import key_of
from projections.views.hand_replay import ReplayStep, event_of, replay_steps
from projections.views.table_picture import PicturePlace
from schemas import events as e
from schemas.events import Event
from streams.simulator import faults
from tests.builders.evidence_bundles import script_two_rounds
from tests.builders.simulated_tables import events_sent, play_tables_of_game
from tests.builders.table_script import START, Script, build_house

DAY: Final = build_house().gaming_date(START)
# Round 2 of the script in the order of its events: opened, counted, three wagers, no more bets, three stacks
# seen, four cards each drawn and seen, called, paid, collected twice, vigorish, counted, closed.
CLOSED, FIRST_CARD, CALLED, PAID, VIGORISH, OVER = 5, 9, 17, 18, 21, 23


def events_of(script: Script, number: str) -> list[Event]:
    return [each for each in script.events if each.round == number]


def second_round() -> list[ReplayStep]:
    return replay_steps("631a", DAY, events_of(script_two_rounds(), "2"), ())


def faces(step: ReplayStep) -> dict[str, list[str | None]]:
    return {hand.hand: [piece.face for piece in hand.pieces] for place in step.places for hand in place.hands}


def chips(step: ReplayStep) -> dict[tuple[int, str], tuple[int, int | None]]:
    """Return the stake of each wager and what was paid on it."""
    return {
        (spot.seat, spot.wager): (spot.cents, spot.paid_cents)
        for place in step.places
        for spot in place.wagers
    }


def test_each_event_has_its_moment_to_the_microsecond() -> None:
    steps = second_round()
    assert len(steps) == OVER + 1
    # 0.5 s to the count and to each wager, 3 to "no more bets", 0.1 to each stack; 1.5 to a card and 0.3 to
    # its second reading; 2 to the call, 0.5 to each payment and the count, 1 to the closing.
    after = [(step.at - steps[0].at) // 1000 for step in steps]
    assert (after[CLOSED], after[FIRST_CARD], after[CALLED], after[OVER]) == (5000, 6800, 14_500, 18_000)


def test_cards_land_and_chips_move_at_their_events() -> None:
    steps = second_round()
    assert chips(steps[2]) == {(1, "banker"): (4000, None)}
    assert [step.is_closed for step in steps] == [False] * CLOSED + [True] * (len(steps) - CLOSED)
    assert [faces(steps[at]) for at in (FIRST_CARD - 1, FIRST_CARD, FIRST_CARD + 2, FIRST_CARD + 7)] == [
        {},
        {"player": ["6c"]},
        {"player": ["6c"], "banker": ["7d"]},
        {"player": ["6c", "Kc"], "banker": ["7d", "Kd"]},
    ]
    assert [steps[at].announced for at in (CALLED - 1, CALLED)] == [None, "banker"]
    assert chips(steps[PAID]) == {
        (1, "banker"): (4000, 4500),
        (1, "tie"): (500, None),
        (3, "player"): (2500, None),
    }
    assert chips(steps[PAID + 2])[3, "player"] == (2500, -2500)


def test_when_the_round_is_over_the_table_lies_as_its_record_has_it() -> None:
    record = (PicturePlace("Dealer", (), ()),)
    steps = replay_steps("631a", DAY, events_of(script_two_rounds(), "2"), record)
    assert [step.places == record for step in steps[-2:]] == [False, True]


def test_a_device_whose_clock_is_off_is_put_where_the_terminal_had_it() -> None:
    script = Script()
    script.offsets["S"] = 7_000_000  # the shoe's clock is seven seconds ahead
    script.open()
    number = script.play("P6c B7d PKc BKd", {(1, "banker"): 4000}, "banker", {(1, "banker"): 4000})
    steps = replay_steps("631a", DAY, events_of(script, number), ())
    drawn = next(step for step in steps if isinstance(step.event, e.CardDrawn))
    seen = next(step for step in steps if isinstance(step.event, e.CardSeen))
    assert seen.at - drawn.at == 300_000


def test_what_was_taken_back_never_shows() -> None:
    script = Script()
    script.open()
    number = script.begin({(1, "banker"): 4000})
    wrong = script.on((2, "player"), e.ChipsPlaced, 9900)
    script.correct(wrong, replace(wrong, cents=900))
    script.no_more_bets()
    script.deal("P6c B7d PKc BKd")
    steps = replay_steps("631a", DAY, events_of(script, number), ())
    stakes = [chips(step).get((2, "player")) for step in steps]
    assert set(stakes) == {None, (900, None)}
    assert not any(isinstance(step.event, e.ReportCorrected) for step in steps)


def test_a_withheld_card_is_face_down_at_every_step() -> None:
    script = script_two_rounds()

    def cover(event: Event) -> Event:
        return replace(event, card="face down") if getattr(event, "card", None) == "7d" else event

    steps = replay_steps("631a", DAY, events_of(script, "2"), (), cover)
    assert not [step for step in steps if getattr(step.event, "card", None) == "7d"]
    assert faces(steps[-2]) == {"player": ["6c", "Kc"], "banker": [None, "Kd"]}
    banker = next(hand for place in steps[-2].places for hand in place.hands if hand.hand == "banker")
    assert banker.point_count is None  # which would tell it


def test_where_the_shoe_lacks_a_card_the_second_reader_s_lie() -> None:
    sent = [
        each
        for each in events_of(script_two_rounds(), "2")
        if not (isinstance(each, e.CardDrawn) and each.card == "7d")
    ]
    assert faces(replay_steps("631a", DAY, sent, ())[-2]) == {"player": ["6c", "Kc"], "banker": ["7d", "Kd"]}


def finding(**fields: Any) -> FindingView:
    about = {"id": "f", "check": "c", "weight": "mismatch", "severity": "high", "status": "adopted"}
    return FindingView(**about | {"citations": (), "message": ""} | fields)


@pytest.mark.parametrize(
    ("found", "place"),
    [
        (finding(seat=1, wager="banker", gross_cents=500, vigorish_cents=0, net_cents=500), PAID),
        (finding(seat=1, wager="banker", gross_cents=0, vigorish_cents=-25, net_cents=25), VIGORISH),
        (finding(seat=1, wager="banker"), 2),  # how it was made
        (finding(seat=3, wager="tie", gross_cents=-400, vigorish_cents=0, net_cents=-400), OVER),
        (finding(who="banker"), FIRST_CARD + 7),
        (finding(who="player"), FIRST_CARD + 5),
        (finding(), CALLED),
    ],
    ids=["gain", "vigorish", "wager", "nothing happened", "banker's card", "player's card", "call"],
)
def test_a_finding_is_marked_at_the_event_that_brought_it_about(found: FindingView, place: int) -> None:
    assert event_of(found, [step.event for step in second_round()]) == place


def test_a_wrong_call_of_a_seat_is_marked_where_that_seat_was_called() -> None:
    about = {"device": "T", "epoch": 1, "at": 0, "round": "1"}
    called = [
        e.HandCalled(seq=number, seat=seat, result="lose", **about) for number, seat in ((1, 2), (2, 5))
    ]
    wrong = finding(check="announced_wrong", seat=2, wager="pai_gow")
    assert event_of(wrong, called) == 0


@pytest.mark.parametrize("chapter", REGISTRY)
def test_the_last_step_before_the_closing_has_all_that_was_dealt_and_wagered(chapter: str) -> None:
    (day,) = play_tables_of_game(chapter, 1, 1, faults.NONE, "replay")
    by_round: dict[str, list[Event]] = {}
    for each in events_sent(day):
        if each.round is not None:
            by_round.setdefault(each.round, []).append(each)
    for number, of_round in list(by_round.items())[:8]:
        steps = replay_steps(chapter, DAY, of_round, ())
        before = next(step for step in reversed(steps) if not isinstance(step.event, e.RoundClosed))
        dealt = [each.card for each in of_round if isinstance(each, e.CardDrawn)]
        tiles = [each.tile for each in of_round if isinstance(each, e.TileLaid)]
        rolled = [each.dice for each in of_round if isinstance(each, e.DiceRolled)]
        shown = [face for faced in faces(before).values() for face in faced if face is not None]
        assert sorted(shown) == sorted([*dealt, *tiles, *rolled]), number
        staked: dict[Any, int] = {}
        for each in of_round:
            if isinstance(each, e.ChipsPlaced | e.ChipsRemoved):
                sign = 1 if isinstance(each, e.ChipsPlaced) else -1
                staked[key_of(each)] = staked.get(key_of(each), 0) + sign * each.cents
        laid = {key_of(spot): spot.cents for place in before.places for spot in place.wagers}
        assert {key: laid[key] for key in staked} == staked, number
