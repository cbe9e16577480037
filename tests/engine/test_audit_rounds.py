"""Single rounds from a table's events: what is owed on each wager, by hand, and what is found."""

import pytest

from projections.engine.conclusion import Conclusion
from schemas import events as e
from tests.builders.table_audit import AuditedTable, audit_events, finding_checks, note_checks, owed_by_wager
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, TIE, Script, build_house
from tests.builders.texts import text_of

WIN = (1, "player")


def dealers(heard: AuditedTable) -> list[str | None]:
    """Return who called each round."""
    return [each.seen.dealer for each in heard.history if each.seen is not None]


def test_clean_round() -> None:
    # Player 2 + 9 = 1 draws an ace to 2; Banker 5 + ten = 5 stays against an ace (Table 1): 2 to 5.
    wagers = {(1, "banker"): 2500, (4, "player"): 10_000, (4, "tie"): 500}
    s = Script()
    s.open()
    s.play(
        "P2d B5c P9s BTh PAd",
        wagers,
        "banker",
        {(4, "player"): -10_000, (4, "tie"): -500, (1, "banker"): 2500},
        {(1, "banker"): 125},  # 5% of 2500
    )
    s.close()
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean"}
    assert heard.shoe_verdicts() == {"shoe 1": "clean"}
    concluded = heard.rounds["1"]
    assert (concluded.outcome, str(concluded.gaming_date), concluded.shoe) == (
        "banker",
        "2025-04-01",
        "shoe 1",
    )
    assert owed_by_wager(concluded) == {
        (1, "banker", None): (2500, 125),
        (4, "player", None): (-10_000, 0),
        (4, "tie", None): (-500, 0),
    }
    assert (concluded.findings, concluded.notes) == ((), ())
    assert len(heard.history) == 2  # told once each, at the first revision
    assert {each.revision for each in heard.history} == {1}


def test_chips_in_several_reports_are_one_sum() -> None:
    s = Script()
    s.open()
    s.begin({WIN: 1000})
    s.on(WIN, e.ChipsPlaced, 500)
    s.on(WIN, e.ChipsRemoved, 300)  # before the call: 1200 stand
    s.no_more_bets({WIN: 1200})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({WIN: 700})
    s.settle({WIN: 500})
    s.end()
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean"}
    assert owed_by_wager(heard.rounds["1"]) == {(1, "player", None): (1200, 0)}


def test_wager_withdrawn_in_time_is_no_wager() -> None:
    s = Script()
    s.open()
    s.begin({WIN: 1000, (2, "banker"): 500})
    s.on(WIN, e.ChipsRemoved, 1000)
    s.no_more_bets({(2, "banker"): 500})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({(2, "banker"): -500})
    s.end()
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean"}
    assert owed_by_wager(heard.rounds["1"]) == {(2, "banker", None): (-500, 0)}


@pytest.mark.parametrize(
    ("gain", "check", "delta", "favours"),
    [
        (1500, "paid_too_much", 500, "patron"),
        (400, "paid_too_little", -600, "house"),
        (0, "paid_too_little", -1000, "house"),
        (-1000, "winner_collected", -2000, "house"),
    ],
)
def test_winner_settled_wrongly(gain: int, check: str, delta: int, favours: str) -> None:
    s = Script()
    s.open()
    s.play(PLAYER_WINS, {WIN: 1000, (2, "player"): 300}, "player", {WIN: gain, (2, "player"): 300})
    heard = audit_events(s.events)
    (finding,) = heard.rounds["1"].findings
    assert heard.verdicts() == {"1": "mismatch"}
    assert (finding.check, finding.seat, finding.wager) == (check, 1, "player")
    assert (finding.expected_cents, finding.observed_cents, finding.delta_cents) == (1000, gain, delta)
    assert finding.favours == favours
    assert finding.citations[0] == "631a.8(a)(2)(i)"
    assert {"631a.13(a)", "631a.12(b)"} < set(finding.citations)


def test_several_bettors_on_one_spot() -> None:
    anna, ben, nobody = (3, "player", "anna"), (3, "player", "ben"), (3, "player")
    wagers = {anna: 5000, ben: 2000, nobody: 1000}
    s = Script()
    s.open()
    s.play(PLAYER_WINS, wagers, "player", {anna: 5000, ben: 2000, nobody: 1000})
    s.play(PLAYER_WINS, wagers, "player", {anna: 5000, ben: 2500, nobody: 1000})
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean", "2": "mismatch"}
    assert owed_by_wager(heard.rounds["2"]) == {
        (3, "player", "anna"): (5000, 0),
        (3, "player", "ben"): (2000, 0),
        (3, "player", None): (1000, 0),
    }
    (finding,) = heard.rounds["2"].findings
    assert (finding.check, finding.seat, finding.bettor, finding.delta_cents) == (
        "paid_too_much",
        3,
        "ben",
        500,
    )


def test_several_dealers() -> None:
    s = Script()
    s.open()
    s.say("T", e.DealerAssigned, dealer="D-1", calling=True)
    s.say("T", e.DealerAssigned, dealer="D-2")
    s.play(TIE, {WIN: 1000}, "tie", {})
    s.say("T", e.DealerAssigned, dealer="D-3", calling=True)
    s.say("T", e.DealerRelieved, dealer="D-1")
    s.play(TIE, {WIN: 1000}, "tie", {})
    s.begin({WIN: 1000})
    s.tell(e.DealerAssigned, dealer="D-4")  # one who pays, in the midst of a round
    s.no_more_bets({WIN: 1000})
    s.deal(TIE)
    s.announce("tie")
    s.tell(e.DealerRelieved, dealer="D-2")
    s.end()
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean", "2": "clean", "3": "clean"}
    assert dealers(heard) == ["D-1", "D-3", "D-3"]


def test_announced_wrong() -> None:
    s = Script()
    s.open()
    s.play(BANKER_WINS, {(2, "player"): 1000}, "player", {(2, "player"): -1000})
    (finding,) = audit_events(s.events).rounds["1"].findings
    assert (finding.check, text_of(finding.message)) == (
        "announced_wrong",
        "announced player; the cards give banker",
    )


# ── Match Play Coupons, 603a.21 ──────────────────────────────────────────────────────────────────────


def coupon_round(*coupons: int, gain: int) -> Conclusion:
    """Script coupons under 2500 cents on the Player's Hand, which wins."""
    s = Script()
    s.open()
    s.begin({WIN: 2500})
    for number, cents in enumerate(coupons):
        s.on(WIN, e.CouponPlaced, cents, coupon=f"MP-{number}")
    s.no_more_bets({WIN: 2500})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({WIN: gain})
    s.end()
    return audit_events(s.events).rounds["1"]


def test_coupon_under_a_wager() -> None:
    concluded = coupon_round(2500, gain=5000)
    assert (concluded.verdict, owed_by_wager(concluded)) == ("clean", {(1, "player", None): (5000, 0)})


def test_coupon_worth_more_than_the_chips() -> None:
    concluded = coupon_round(5000, gain=2500)  # settled on the chips alone
    assert (concluded.verdict, finding_checks(concluded)) == ("mismatch", ["coupon_over_chips"])
    assert owed_by_wager(concluded) == {(1, "player", None): (2500, 0)}


def test_second_coupon_under_one_wager() -> None:
    concluded = coupon_round(1000, 1000, gain=2500)
    assert (concluded.verdict, "second_coupon" in finding_checks(concluded)) == ("mismatch", True)


# ── rounds that are not played to their end, or without wagers ───────────────────────────────────────


def simulated(wagers: dict[tuple[int, str], int]) -> Script:
    s = Script()
    s.open()
    s.begin()
    s.tell(e.SimulatedRoundDealt)
    for spot, cents in wagers.items():
        s.on(spot, e.ChipsPlaced, cents)
        s.on(spot, e.StackSeen, cents)
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.end()
    return s


def test_simulated_round() -> None:
    assert audit_events(simulated({}).events).verdicts() == {"1": "clean"}


def test_simulated_round_with_a_wager() -> None:
    concluded = audit_events(simulated({(1, "banker"): 1000}).events).rounds["1"]
    assert (concluded.verdict, finding_checks(concluded)) == ("mismatch", ["wager_not_permitted"])
    assert owed_by_wager(concluded) == {(1, "banker", None): (None, None)}  # no text settles it
    assert concluded.findings[0].citations == ("631a.15(c)(2)", "631a.15(d)")


def run_out(*, void: bool, gain: int = 0) -> Script:
    """Script a shoe that runs out before the Player's third card, which is due on 2."""
    s = Script()
    s.open()
    s.begin({WIN: 1000})
    s.no_more_bets({WIN: 1000})
    s.deal("P2c B6d PKc BKd")
    s.say("S", e.ShoeExhausted, round=s.number)
    if void:
        s.tell(e.RoundVoided)
    s.settle({WIN: gain})
    s.end()
    return s


def test_void_round_returns_every_wager() -> None:
    concluded = audit_events(run_out(void=True).events).rounds["1"]
    assert (concluded.verdict, concluded.outcome) == ("clean", "void")
    assert owed_by_wager(concluded) == {(1, "player", None): (0, 0)}


def test_void_round_collected_all_the_same() -> None:
    (finding,) = audit_events(run_out(void=True, gain=-1000).events).rounds["1"].findings
    assert (finding.check, finding.delta_cents, finding.favours) == ("push_collected", -1000, "house")
    assert "631a.15(e)" in finding.citations


def test_shoe_exhausted_and_no_void_called() -> None:
    concluded = audit_events(run_out(void=False).events).rounds["1"]
    assert (concluded.verdict, finding_checks(concluded)) == ("mismatch", ["void_not_called"])
    assert concluded.findings[0].citations == ("631a.15(e)",)


def test_settlement_that_no_one_sees_is_a_note() -> None:
    # A table without a chip reader: no wagers are known, so there is nothing to note either.
    s = Script(without="CVI")
    s.open()
    s.begin()
    s.no_more_bets()
    s.deal(BANKER_WINS)
    s.announce("player")
    s.end()
    concluded = audit_events(s.events, build_house(without="CVI")).rounds["1"]
    assert (finding_checks(concluded), note_checks(concluded)) == (["announced_wrong"], [])
