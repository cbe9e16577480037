"""631a.12: the result announced, losing wagers collected, winning wagers paid."""

from typing import Any

import pytest

from tests.law.baccarat_table import (
    BANKER_BY_1,
    DRAGON_7,
    PANDA_8,
    PLAYER_BY_1,
    TIE_AT_6,
    Play,
    audit,
    bet,
    checks,
    deal,
    owed,
    paid,
)
from tests.law.settling_proofs import (
    prove_order_of_reports,
    prove_several_dealers,
    prove_vigorish_in_turn,
    prove_winners_in_turn,
)
from tests.law.turning_proofs import prove_cleared


@pytest.mark.parametrize(
    ("play", "ez", "calls"),
    [
        (PLAYER_BY_1, False, {"player"}),
        (BANKER_BY_1, False, {"banker"}),
        (TIE_AT_6, False, {"tie"}),
        (PLAYER_BY_1, True, {"player"}),
        (BANKER_BY_1, True, {"banker"}),
        (TIE_AT_6, True, {"tie"}),
        # At an EZ table the name is called too; a record holds one call, so either stands.
        (DRAGON_7, True, {"dragon_7", "banker"}),
        (PANDA_8, True, {"panda_8", "player"}),
        # Elsewhere the names do not exist.
        (DRAGON_7, False, {"banker"}),
        (PANDA_8, False, {"player"}),
    ],
)
@pytest.mark.parametrize("called", ["player", "banker", "tie", "dragon_7", "panda_8"])
def test_631a_12_a(play: Play, *, ez: bool, calls: set[str], called: str) -> None:
    concluded = audit(play, announced=called, ez=ez)
    if called in calls:
        assert concluded.verdict == "clean"
    else:
        assert (concluded.verdict, checks(concluded)) == ("mismatch", ["announced_wrong"])
        assert concluded.findings[0].citations == ("631a.12(a)",)


@pytest.mark.parametrize(
    ("points", "wrong"),
    [
        ({"player": 6, "banker": 7}, []),
        ({"player": 6, "banker": 8}, ["banker"]),
        ({"player": 5, "banker": 8}, ["player", "banker"]),
    ],
)
def test_631a_12_a_point_counts(points: dict[str, int], wrong: list[str]) -> None:
    # 6 to 7, and the Banker's Hand is rightly called.
    concluded = audit(BANKER_BY_1, announced="banker", points=points)
    found = [(each.check, each.who, each.citations) for each in concluded.findings]
    assert found == [("points_announced_wrong", hand, ("631a.12(a)",)) for hand in wrong]


def test_631a_12_a_not_recorded() -> None:
    assert audit(BANKER_BY_1).verdict == "clean"


def test_631a_12_a_card_unread() -> None:
    # Against a Natural 9 a hand of a king and an unread card loses, or ties: only "banker" is proven wrong.
    natural = deal("Kc 9c", "Kd ??")
    assert "announced_wrong" in checks(audit(natural, announced="banker"))
    assert checks(audit(natural, announced="player")) == ["data_missing"]
    assert checks(audit(natural, announced="tie")) == ["data_missing"]
    # Against 7 it may have had to draw: nothing is known.
    assert checks(audit(deal("Kc 7c", "Kd ??"), announced="player")) == ["data_missing"]


def test_631a_12_a_hand_not_finished() -> None:
    # The Player's 5 drew nothing: which hand won is not known.
    assert checks(audit(deal("Kc 5c", "Kd 7d"), announced="player")) == ["third_card_missing"]


# $100 on the Player's Hand: 7 to 6, 6 to 7, 6 to 6.
@pytest.mark.parametrize(
    ("play", "gain", "check", "delta"),
    [
        (PLAYER_BY_1, 10_000, None, 0),
        (PLAYER_BY_1, 10_001, "paid_too_much", 1),
        (PLAYER_BY_1, 20_000, "paid_too_much", 10_000),
        (PLAYER_BY_1, 9999, "paid_too_little", -1),
        (PLAYER_BY_1, 0, "paid_too_little", -10_000),
        (PLAYER_BY_1, -1, "winner_collected", -10_001),
        (PLAYER_BY_1, -10_000, "winner_collected", -20_000),
        (BANKER_BY_1, -10_000, None, 0),
        (BANKER_BY_1, 0, "loser_not_collected", 10_000),
        (BANKER_BY_1, -9999, "loser_not_collected", 1),
        (BANKER_BY_1, 1, "paid_too_much", 10_001),
        (BANKER_BY_1, 10_000, "paid_too_much", 20_000),
        (BANKER_BY_1, -10_001, "paid_too_little", -1),
        (TIE_AT_6, 0, None, 0),
        (TIE_AT_6, 1, "push_paid", 1),
        (TIE_AT_6, 10_000, "push_paid", 10_000),
        (TIE_AT_6, -1, "push_collected", -1),
        (TIE_AT_6, -10_000, "push_collected", -10_000),
    ],
)
def test_631a_12_b(play: Play, gain: int, check: str | None, delta: int) -> None:
    concluded = audit(play, bet("player", 10_000), settled=[paid("player", gain)])
    if check is None:
        assert concluded.verdict == "clean"
        return
    assert (concluded.verdict, checks(concluded)) == ("mismatch", [check])
    finding = concluded.findings[0]
    assert "631a.12(b)" in finding.citations
    assert (finding.seat, finding.wager) == (1, "player")
    assert (finding.expected_cents, finding.observed_cents) == (gain - delta, gain)
    assert finding.delta_cents == delta
    assert finding.favours == ("patron" if delta > 0 else "house")


def test_631a_12_b_each_wager() -> None:
    # Two mistakes in one round are two findings, each on its own wager.
    concluded = audit(
        PLAYER_BY_1,
        bet("player", 10_000),
        bet("banker", 5000, seat=2),
        bet("tie", 1000, seat=3),
        settled=[
            paid("player", 5000),
            paid("tie", -1000, seat=3),  # nothing for seat 2: its wager was left lying
        ],
    )
    assert [(each.check, each.seat, each.delta_cents) for each in concluded.findings] == [
        ("paid_too_little", 1, -5000),
        ("loser_not_collected", 2, 5000),
    ]


@pytest.mark.parametrize(("gain", "favours"), [(1000, "patron"), (-1000, "house")])
def test_631a_12_b_no_wager(gain: int, favours: str) -> None:
    # Where no wager lies nothing is paid or collected.
    concluded = audit(PLAYER_BY_1, bet("player", 10_000), settled=[paid("player", 10_000), paid("tie", gain)])
    (finding,) = concluded.findings
    assert (finding.wager, finding.delta_cents, finding.favours) == ("tie", gain, favours)
    assert "631a.12(b)" in finding.citations


def test_631a_12_b_not_observed() -> None:
    concluded = audit(PLAYER_BY_1, bet("player", 10_000))
    assert concluded.verdict == "clean"
    assert [note.check for note in concluded.notes] == ["settlement_not_observed"]


def test_631a_12() -> None:
    # Called and settled as the cards fell: 6 to 7 on three cards at an EZ table.
    wagers = [
        bet("player", 1000),
        bet("banker", 1000),
        bet("tie", 1000),
        bet("dragon_7", 1000),
        bet("panda_8", 1000),
    ]
    settled = [
        paid("player", -1000),
        paid("banker", 0),
        paid("tie", -1000),
        paid("dragon_7", 40_000),
        paid("panda_8", -1000),
    ]
    concluded = audit(DRAGON_7, *wagers, settled=settled, announced="dragon_7", ez=True)
    assert (concluded.verdict, concluded.outcome) == ("clean", "banker")
    assert owed(concluded, "banker") == (0, 0)
    otherwise = audit(DRAGON_7, *wagers, settled=settled, announced="player", ez=True)
    assert checks(otherwise) == ["announced_wrong"]


@pytest.mark.parametrize(
    ("play", "wager", "options", "steps"),
    [
        # The sum that a finding shows, step by step: the provision and the cents.
        (PLAYER_BY_1, "player", {}, [("631a.8(a)(2)(i)", None), ("631a.13(a)", 1100)]),
        (BANKER_BY_1, "player", {}, [("631a.8(a)(2)(ii)", -1100)]),
        (TIE_AT_6, "player", {}, [("631a.8(a)(2)(iii)", 0)]),
        (
            BANKER_BY_1,  # 5% of $11 is 55 cents
            "banker",
            {},
            [("631a.8(a)(1)(i)", None), ("631a.13(c)", 1100), ("631a.13(c)", 55)],
        ),
        (
            BANKER_BY_1,  # and 75 rounded up
            "banker",
            {"vigorish_rounding_cents": 25},
            [("631a.8(a)(1)(i)", None), ("631a.13(c)", 1100), ("631a.13(c)", 55), ("631a.13(c)", 75)],
        ),
        (TIE_AT_6, "banker", {}, [("631a.8(a)(1)(iii)", 0)]),
        (DRAGON_7, "banker", {"ez": True}, [("631a.8(a)(1)(iii)", 0)]),
        (TIE_AT_6, "tie", {}, [("631a.8(a)(3)(i)", None), ("631a.13(b)", 8800)]),
        (deal("Kc 9c", "Kd 9d"), "dragon_bonus_player", {"dragon_bonus": "A"}, [("631a.8(a)(4)(iii)", 0)]),
        (PANDA_8, "panda_8", {"ez": True}, [("631a.8(a)(6)(i)", None), ("631a.13(g)", 27_500)]),
    ],
)
def test_631a_12_b_steps(
    play: Play, wager: str, options: dict[str, Any], steps: list[tuple[str, int | None]]
) -> None:
    concluded = audit(play, bet(wager, 1100), settled=[paid(wager, 33)], **options)
    told = [(step.cite, step.cents) for step in concluded.findings[0].steps or ()]
    assert told == [("631a.8(a)", 1100), *steps]


def test_631a_12_b_order() -> None:
    prove_winners_in_turn("631a", "631a.12(b)")
    prove_vigorish_in_turn("631a", "631a.12(b)", first=False)
    prove_order_of_reports("631a", "631a.12(b)")
    prove_several_dealers("631a", "631a.12(b)", each_own=True)


def test_631a_12_c() -> None:
    prove_cleared("631a", "631a.12(c)", in_order=False)
