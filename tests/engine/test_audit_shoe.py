"""What only a shoe's whole history shows: vigorish owed, vigorish in two ways, a card too many."""

import pytest

from projections.engine.findings import Finding
from schemas import events as e
from tests.builders.table_audit import audit_events, finding_checks, note_checks
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, Spot, build_house
from tests.builders.texts import text_of

SEAT_1: Spot = (1, "banker")
SEAT_4: Spot = (4, "banker")
DEFERRED = build_house(vigorish_deferred=True)


def mark(s: Script, wins: dict[Spot, int], vigorish: dict[Spot, int]) -> None:
    """Play a round that the Banker's Hand wins, the vigorish marked as owed."""
    s.play(BANKER_WINS, wins, "banker", wins, vigorish, marked=True)


def owing(finding: Finding) -> tuple[object, ...]:
    """Return what a finding says: seat, person, cents expected and observed, whom it favours."""
    assert finding.check == "vigorish_left_owing"
    assert finding.citations == ("631a.13(d)(2)(i)",)
    return (
        finding.seat,
        finding.bettor or None,
        finding.expected_cents,
        finding.observed_cents,
        finding.favours,
    )


def reckoned(finding: Finding) -> list[tuple[str, str, int | None]]:
    """Return the steps of a finding's sum."""
    return [(text_of(step.says), step.cite, step.cents) for step in finding.steps or ()]


def only(findings: tuple[Finding, ...]) -> Finding:
    (finding,) = findings
    return finding


# ── vigorish marked and paid later, 631a.13(d)(2) ────────────────────────────────────────────────────


def test_marker_buttons_paid_before_the_new_shoe() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000, SEAT_4: 2500}, {SEAT_1: 50, SEAT_4: 125})
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    s.pay_off(1, 40)
    s.pay_off(1, 60)
    s.load("shoe 2")
    s.pay_off(4, 125)  # the new shoe is in, but no round was opened from it yet
    s.play(PLAYER_WINS, {}, "player", {})
    s.close()
    heard = audit_events(s.events, DEFERRED)
    assert heard.verdicts() == {"1": "clean", "2": "clean", "3": "clean"}
    assert heard.shoe_verdicts() == {"shoe 1": "clean", "shoe 2": "clean"}


def test_left_owing_at_the_end_of_the_shoe() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000, SEAT_4: 2500}, {SEAT_1: 50, SEAT_4: 125})
    s.pay_off(1, 50)
    s.pay_off(4, 100)
    s.load("shoe 2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.pay_off(4, 25)  # too late, and of the shoe before
    s.play(PLAYER_WINS, {}, "player", {})
    heard = audit_events(s.events, DEFERRED)
    assert heard.shoes["shoe 1"].verdict == "mismatch"
    finding = only(heard.shoes["shoe 1"].findings)
    assert owing(finding) == (4, None, 25, 0, "patron")
    assert text_of(finding.message) == "vigorish of $0.25 still owing at the end of the shoe"
    # 5% of $25.00 less the dollar that was collected.
    assert reckoned(finding) == [
        ("round 1: marked", "631a.13(d)(2)(ii)", 125),
        ("between rounds: collected", "631a.13(d)(2)(i)", -100),
        ("still owing at the end of the shoe", "631a.13(d)(2)(i)", 25),
    ]
    assert {each.verdict for each in heard.rounds.values()} == {"clean"}


def test_left_owing_as_the_table_closed() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    s.close()
    heard = audit_events(s.events, DEFERRED)
    assert owing(only(heard.shoes["shoe 1"].findings)) == (1, None, 50, 0, "patron")


def test_left_owing_as_the_player_left() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000, SEAT_4: 2500}, {SEAT_1: 50, SEAT_4: 125})
    s.say("T", e.PlayerLeft, seat=1)
    s.play(PLAYER_WINS, {}, "player", {})
    s.say("T", e.PlayerSeated, seat=1)
    mark(s, {SEAT_1: 2000}, {SEAT_1: 100})  # another person on the same seat
    s.pay_off(1, 100)
    s.pay_off(4, 125)
    s.close()
    heard = audit_events(s.events, DEFERRED)
    finding = only(heard.shoes["shoe 1"].findings)
    assert owing(finding) == (1, None, 50, 0, "patron")
    assert text_of(finding.message) == "vigorish of $0.50 still owing at the player's leaving"


def test_vigorish_left_owing_is_reported_before_the_shoe_ends() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    s.say("T", e.PlayerLeft, seat=1)
    s.play(PLAYER_WINS, {}, "player", {})
    heard = audit_events(s.events, DEFERRED)
    assert heard.verdicts() == {"1": "clean", "2": "clean"}
    told_with_the_second_round = heard.history[2].conclusion
    assert (told_with_the_second_round.shoe, told_with_the_second_round.verdict) == ("shoe 1", "mismatch")


def test_player_who_left_paid_before_the_next_round() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    s.say("T", e.PlayerLeft, seat=1)
    s.pay_off(1, 50)
    s.play(PLAYER_WINS, {}, "player", {})
    s.close()
    assert audit_events(s.events, DEFERRED).shoes["shoe 1"].verdict == "clean"


def test_more_collected_than_was_marked() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    s.pay_off(1, 75)
    s.close()
    finding = only(audit_events(s.events, DEFERRED).shoes["shoe 1"].findings)
    assert owing(finding) == (1, None, 0, 25, "house")


@pytest.mark.parametrize("leaves", [True, False])
def test_vigorish_paid_too_late_is_one_finding(*, leaves: bool) -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    if leaves:
        s.say("T", e.PlayerLeft, seat=1)
    else:
        s.load("shoe 2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.pay_off(1, 50)
    s.close()
    shoes = [finding_checks(shoe) for shoe in audit_events(s.events, DEFERRED).shoes.values()]
    assert shoes == ([["vigorish_left_owing"]] if leaves else [["vigorish_left_owing"], []])


def test_what_is_left_owing_is_the_sum_of_the_rounds_since_the_person_came() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    s.say("T", e.PlayerLeft, seat=1)
    s.play(PLAYER_WINS, {}, "player", {})
    mark(s, {SEAT_1: 2000, SEAT_4: 4000}, {SEAT_1: 100, SEAT_4: 200})  # another person on seat 1
    mark(s, {SEAT_1: 3000}, {SEAT_1: 150})
    s.pay_off(1, 120)
    s.close()
    first, second, other = audit_events(s.events, DEFERRED).shoes["shoe 1"].findings
    assert [cents for _, _, cents in reckoned(first)] == [50, 50]
    assert [(says, cents) for says, _, cents in reckoned(second)] == [
        ("round 3: marked", 100),
        ("round 4: marked", 150),
        ("between rounds: collected", -120),
        ("still owing at the end of the shoe", 130),
    ]
    assert [cents for _, _, cents in reckoned(other)] == [200, 200]


def test_of_what_is_collected_too_late_only_what_is_beyond_it_is_too_much() -> None:
    s = Script()
    s.open()
    mark(s, {SEAT_1: 1000}, {SEAT_1: 50})
    s.load("shoe 2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.pay_off(1, 75)
    s.close()
    finding = only(audit_events(s.events, DEFERRED).shoes["shoe 2"].findings)
    assert owing(finding) == (1, None, 0, 25, "house")
    assert [(says, cents) for says, _, cents in reckoned(finding)] == [
        ("between rounds: collected", -75),
        ("collected for what was left owing earlier", 50),
        ("collected beyond what was marked at the end of the shoe", -25),
    ]


def test_each_person_on_a_spot_owes_for_himself() -> None:
    anna, ben = (1, "banker", "anna"), (1, "banker", "ben")
    s = Script()
    s.open()
    mark(s, {anna: 1000, ben: 3000}, {anna: 50, ben: 150})
    s.pay_off(1, 150, "ben")
    s.close()
    finding = only(audit_events(s.events, DEFERRED).shoes["shoe 1"].findings)
    assert owing(finding) == (1, "anna", 50, 0, "patron")


# ── vigorish rounded now so, now so in one shoe, 631a.13(c) ──────────────────────────────────────────


def test_vigorish_exact_and_rounded_in_one_shoe() -> None:
    s = Script()
    s.open()
    # 5% of 1100 is 55; the next multiple of 25 is 75. 5% of 1000 is 50, a multiple of 25 either way.
    s.play(BANKER_WINS, {SEAT_1: 1100}, "banker", {SEAT_1: 1100}, {SEAT_1: 75})
    s.play(BANKER_WINS, {SEAT_1: 1000}, "banker", {SEAT_1: 1000}, {SEAT_1: 50})
    s.play(BANKER_WINS, {SEAT_1: 1100}, "banker", {SEAT_1: 1100}, {SEAT_1: 55})
    s.close()
    heard = audit_events(s.events, build_house(vigorish_rounding_cents=25))
    assert heard.verdicts() == {"1": "clean", "2": "clean", "3": "clean"}
    assert note_checks(heard.rounds["3"]) == ["vigorish_permissive"]
    finding = only(heard.shoes["shoe 1"].findings)
    assert (finding.check, finding.citations) == ("vigorish_mixed", ("631a.13(c)",))
    assert text_of(finding.message) == "vigorish was taken exact in round 3, rounded in 1"


def test_vigorish_rounded_otherwise_in_the_next_shoe() -> None:
    s = Script()
    s.open()
    s.play(BANKER_WINS, {SEAT_1: 1100}, "banker", {SEAT_1: 1100}, {SEAT_1: 75})
    s.load("shoe 2")
    s.play(BANKER_WINS, {SEAT_1: 1100}, "banker", {SEAT_1: 1100}, {SEAT_1: 55})
    s.close()
    heard = audit_events(s.events, build_house(vigorish_rounding_cents=25))
    assert set((heard.verdicts() | heard.shoe_verdicts()).values()) == {"clean"}


# ── the cards of a shoe, 631a.3(a) ───────────────────────────────────────────────────────────────────


def nines(s: Script, rounds: int) -> None:
    """Play rounds with one nine of hearts each; no other card comes more often than four times."""
    for number in range(rounds):
        suit, other = "cdhs"[number % 4], "cd"[number // 4 % 2]
        banker = "4567"[number % 4]
        s.play(f"P9h B{banker}{other} PK{suit} BQ{suit}", {}, "player", {})  # a Natural 9


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_a_card_more_often_than_the_decks_hold_it(decks: int) -> None:
    s = Script()
    s.decks = decks
    s.open()
    nines(s, decks + 2)
    heard = audit_events(s.events, build_house(decks=decks))
    assert {heard.rounds[str(n)].verdict for n in range(1, decks + 1)} == {"clean"}
    first, second = heard.rounds[str(decks + 1)], heard.rounds[str(decks + 2)]
    assert (first.verdict, finding_checks(first)) == ("mismatch", ["card_not_in_deck"])
    assert (first.findings[0].who, first.findings[0].citations) == ("player", ("631a.3(a)",))
    assert f"9h left the shoe for the {decks + 1}th time" in text_of(first.findings[0].message)
    assert f"9h left the shoe for the {decks + 2}th time" in text_of(second.findings[0].message)
    assert first.findings[0].id != second.findings[0].id


@pytest.mark.parametrize("name", ["shoe 1", "shoe 2"])
def test_a_new_shoe_counts_again_whatever_its_name(name: str) -> None:
    s = Script()
    s.open()
    nines(s, 8)
    s.load(name)
    nines(s, 8)
    assert {each.verdict for each in audit_events(s.events).rounds.values()} == {"clean"}


def test_the_burn_counts() -> None:
    # The ace of clubs was burned: eight more are one too many.
    s = Script()
    s.open()
    for number in range(8):
        suit, other = "cdhs"[number % 4], "cd"[number // 4 % 2]
        s.play(f"PAc B{'4567'[number % 4]}{other} P8{suit} BQ{suit}", {}, "player", {})  # a Natural 9
    heard = audit_events(s.events)
    assert [number for number, each in heard.rounds.items() if each.verdict != "clean"] == ["8"]
    assert "Ac left the shoe for the 9th time" in text_of(only(heard.rounds["8"].findings).message)


def test_a_card_shown_on_its_way_to_the_bucket_counts() -> None:
    s = Script()
    s.open()
    nines(s, 7)
    s.begin()
    s.no_more_bets()
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.say("S", e.CardDiscarded, round=s.number, card="9h")  # the eighth
    s.say("S", e.CardDiscarded, round=s.number)
    s.end()
    nines(s, 1)
    heard = audit_events(s.events)
    assert (heard.rounds["8"].verdict, heard.rounds["9"].verdict) == ("clean", "mismatch")


def test_a_card_that_was_not_read_whole_is_not_counted() -> None:
    s = Script(without="V")
    s.open()
    nines(s, 8)
    s.play("P9? B4s PKs BQs", {}, "player", {})
    assert audit_events(s.events, build_house(without="V")).rounds["9"].verdict == "clean"


def test_a_card_that_two_readers_dispute_is_not_counted() -> None:
    s = Script()
    s.open()
    s.begin()
    s.no_more_bets()
    s.say("S", e.CardDrawn, round=s.number, hand="player", card="9h")
    s.say("V", e.CardSeen, round=s.number, hand="player", place=1, card="9d")
    s.places["player"] = 1
    s.deal("B4s PKs BQs")
    s.announce("player")
    s.end()
    nines(s, 8)
    heard = audit_events(s.events)
    assert heard.rounds.pop("1").verdict == "undetermined"
    assert {each.verdict for each in heard.rounds.values()} == {"clean"}
