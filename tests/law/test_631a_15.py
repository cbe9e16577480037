"""631a.15: cards drawn in error, cards disclosed, and a shoe that runs out."""

import pytest

from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import book_of, to_round
from schemas.record import RoundRecord
from tests.builders.texts import text_of
from tests.law.baccarat_table import (
    BANKER_BY_1,
    EVENING,
    HOUSE,
    NO_MORE_BETS,
    PLAYER_BY_1,
    Play,
    audit,
    bet,
    checks,
    deal,
    owed,
    paid,
)

SIMULATED = ("dealer", "simulated")
VOID = ("dealer", "void")


def test_631a_15_a() -> None:
    # A 4 drawn after 7 to 6, not disclosed, opens the next hand: it is no card of the first round,
    # and makes 4 + 2 = 6 in the second, to the Banker's 7.
    assert audit(PLAYER_BY_1, bet("player", 1000)).verdict == "clean"
    following = audit(deal("4h 2c", "Kd 7d"), bet("banker", 1000))
    assert (following.verdict, following.outcome) == ("clean", "banker")


@pytest.mark.parametrize(
    ("player", "banker", "bankers_count"),
    [
        ("Kc 6c 4h", "Kd 5d", 9),  # 5 and the Player's surplus 4
        ("Kc 7c 4h", "Kd Qd", 4),  # 0 and the 4
        ("Kc 6c 9h", "Kd 5d", 4),  # 5 + 9 = 14
        ("Kc 6c Ah", "Kd 5d", 6),  # 5 and an ace: a tie
    ],
)
def test_631a_15_b(player: str, banker: str, bankers_count: int) -> None:
    # The Player's Hand stays; the third card that it was given is the Banker's, who must draw.
    concluded = audit(deal(player, banker), bet("banker", 1000))
    stayed = 7 if "7c" in player else 6
    outcome = "tie" if bankers_count == stayed else "banker" if bankers_count > stayed else "player"
    assert (concluded.verdict, concluded.outcome) == ("mismatch", outcome)
    assert checks(concluded) == ["third_card_extra"]
    finding = concluded.findings[0]
    assert finding.who == "player"
    assert {"631a.11(b)(2)", "631a.15(b)"} <= set(finding.citations)
    assert text_of(finding.message).endswith(", which is the Banker's third card")
    assert owed(concluded, "banker") == {"banker": (1000, 50), "player": (-1000, 0), "tie": (0, 0)}[outcome]


def test_631a_15_surplus_cards_that_were_not_read() -> None:
    # 7 to 7: neither hand draws, and of forty cards given besides none counts, whatever it was.
    surplus: Play = [(hand, "??") for hand in ("player", "banker") for _ in range(20)]
    concluded = audit([*deal("Kc 7c", "Kd 7d"), *surplus], bet("tie", 1000))
    assert (concluded.verdict, concluded.outcome) == ("mismatch", "tie")
    assert [(each.check, each.who) for each in concluded.findings] == [
        ("third_card_extra", "player"),
        ("third_card_extra", "banker"),
    ]
    assert owed(concluded, "tie") == (8000, 0)


@pytest.mark.parametrize("banker", ["Kd 6d", "Kd 7d"])
def test_631a_15_b_banker_stays(banker: str) -> None:
    # It opens the next hand of play: in this one it counts for neither hand.
    concluded = audit(deal("Kc 7c 2h", banker), bet("player", 1000), bet("tie", 1000))
    ties = banker == "Kd 7d"
    assert (concluded.verdict, concluded.outcome) == ("mismatch", "tie" if ties else "player")
    assert checks(concluded) == ["third_card_extra"]
    assert "which is the Banker's" not in text_of(concluded.findings[0].message)
    assert owed(concluded, "player") == ((0, 0) if ties else (1000, 0))
    assert owed(concluded, "tie") == ((8000, 0) if ties else (-1000, 0))


def test_631a_15_b_one_card_more() -> None:
    # The Player's surplus 4 is the Banker's third: 5 + 4 = 9. The ace that the Banker got besides would
    # have made 6, a tie.
    concluded = audit(deal("Kc 6c 4h", "Kd 5d Ah"), bet("banker", 1000))
    assert (concluded.verdict, concluded.outcome) == ("mismatch", "banker")
    assert checks(concluded) == ["third_card_extra"]
    assert owed(concluded, "banker") == (1000, 50)


def test_631a_15_b_after_the_banker_drew() -> None:
    # The Banker's 5 drew an ace first: 6. The Player's surplus 4 comes too late to be its third card.
    play: Play = [*deal("Kc 6c", "Kd 5d Ah"), ("player", "4h")]
    concluded = audit(play, bet("tie", 1000))
    assert (concluded.verdict, concluded.outcome) == ("mismatch", "tie")
    assert checks(concluded) == ["third_card_extra"]
    assert concluded.findings[0].who == "player"
    assert "which is the Banker's" not in text_of(concluded.findings[0].message)
    assert owed(concluded, "tie") == (8000, 0)
    # And one more to the Banker's Hand is a mistake of its own (631a.10(c)).
    both = audit([*play, ("banker", "2h")], bet("tie", 1000))
    assert [(finding.check, finding.who) for finding in both.findings] == [
        ("third_card_extra", "player"),
        ("third_card_extra", "banker"),
    ]
    assert owed(both, "tie") == (8000, 0)


def test_631a_15_b_dragon_7() -> None:
    # Banker 4 and the surplus 3 are 7 on three cards to 6: $1 at 40 to 1.
    concluded = audit(deal("Kc 6c 3h", "Kd 4d"), bet("dragon_7", 100), bet("banker", 1000), ez=True)
    assert owed(concluded, "dragon_7") == (4000, 0)
    assert owed(concluded, "banker") == (0, 0)
    # The Player's Hand has two cards all the same: 8 on two cards and one surplus is no Panda 8.
    panda = audit(deal("Kc 7c Ah", "Kd 6d"), bet("panda_8", 100), ez=True)
    assert owed(panda, "panda_8") == (-100, 0)


@pytest.mark.parametrize("disclosed", ["discard", "simulate"])
def test_631a_15_c(disclosed: str) -> None:
    # Disclosed or not, the Banker's Hand that must draw gets it: 5 + 4 = 9; one that stays does not.
    drawn = audit(deal("Kc 6c 4h", "Kd 5d"), bet("banker", 1000), disclosed_card=disclosed)
    assert owed(drawn, "banker") == (1000, 50)
    assert "631a.15(c)" in drawn.findings[0].citations
    stays = audit(deal("Kc 6c 4h", "Kd 7d"), bet("banker", 1000), disclosed_card=disclosed)
    assert owed(stays, "banker") == (1000, 50)
    assert checks(stays) == ["third_card_extra"]
    assert "631a.15(c)" in stays.findings[0].citations
    # It counts for the Player's Hand no more: 7 to 6, where 7 + 4 would be 1.
    players = audit(deal("Kc 7c 4h", "Kd 6d"), bet("player", 1000), disclosed_card=disclosed)
    assert owed(players, "player") == (1000, 0)


def test_631a_15_c_1() -> None:
    # The disclosed card and one more go to the discard bucket and to no hand.
    play: Play = [*BANKER_BY_1, ("discard", "4h"), ("discard", "??")]
    concluded = audit(play, bet("banker", 1000), disclosed_card="discard")
    assert (concluded.verdict, concluded.outcome) == ("clean", "banker")
    assert owed(concluded, "banker") == (1000, 50)


def test_631a_15_c_2() -> None:
    # No wager may be accepted in a simulated round.
    concluded = audit(
        [SIMULATED, *BANKER_BY_1],
        bet("banker", 1000),
        bet("tie", 1000, seat=2),
        settled=[paid("banker", 1000, 50)],
        disclosed_card="simulate",
    )
    assert concluded.verdict == "mismatch"
    assert [(each.check, each.seat) for each in concluded.findings] == [
        ("wager_not_permitted", 1),
        ("wager_not_permitted", 2),
    ]
    assert "631a.15(c)(2)" in concluded.findings[0].citations
    assert owed(concluded, "banker") == owed(concluded, "tie", seat=2) == (None, None)


def test_631a_15_d() -> None:
    # A card found face up opens a simulated round; it is dealt as any round is.
    right = audit([SIMULATED, *BANKER_BY_1])
    assert (right.verdict, right.outcome) == ("clean", "banker")
    wrong = audit([SIMULATED, *deal("Kc 5c", "Kd 7d")])
    assert checks(wrong) == ["third_card_missing"]
    with_wager = audit([SIMULATED, *BANKER_BY_1], bet("player", 1000))
    assert checks(with_wager) == ["wager_not_permitted"]
    assert "631a.15(d)" in with_wager.findings[0].citations


def test_631a_15_e() -> None:
    # The shoe ran out after three cards: the round is void and every wager goes back.
    concluded = audit(
        [NO_MORE_BETS, *BANKER_BY_1[:3], VOID],
        bet("player", 1000),
        bet("banker", 1000, coupon=1000),
        bet("tie", 1000),
        bet("dragon_bonus_player", 1000),
        bet("house_money", 1000),
        settled=[],
        dragon_bonus="A",
        house_money=True,
    )
    assert (concluded.verdict, concluded.outcome) == ("clean", "void")
    assert [(each.cents, each.vigorish_cents) for each in concluded.expected] == [(0, 0)] * 5


@pytest.mark.parametrize(
    ("wager", "gain", "check"),
    [("player", 1000, "push_paid"), ("banker", -1000, "push_collected")],
)
def test_631a_15_e_wager_not_returned(wager: str, gain: int, check: str) -> None:
    concluded = audit([*deal("Kc 5c", "Kd 6d"), VOID], bet(wager, 1000), settled=[paid(wager, gain)])
    assert (concluded.verdict, checks(concluded)) == ("mismatch", [check])
    assert "631a.15(e)" in concluded.findings[0].citations
    assert (concluded.findings[0].expected_cents, concluded.findings[0].delta_cents) == (0, gain)
    told = [
        (step.cite, step.cents, "returned" in text_of(step.says))
        for step in concluded.findings[0].steps or ()
    ]
    assert told[1:] == [("631a.15(e)", 0, True)]


def test_631a_15_e_not_called() -> None:
    # That the shoe ran out is seen by the shoe, not in a record.
    record = RoundRecord(
        table="BAC-1", round="1", chapter="631a", at=EVENING, play=deal("Kc 5c", "Kd 6d"), wagers=[bet("tie")]
    )
    seen = to_round(record, HOUSE)
    seen.exhausted = True
    concluded = judge(seen, book_of(record, HOUSE))
    assert concluded.verdict == "mismatch"
    assert ("void_not_called", ("631a.15(e)",)) in [
        (each.check, each.citations) for each in concluded.findings
    ]
    # Whoever called what, the round is void and every wager goes back.
    assert (concluded.outcome, owed(concluded, "tie")) == ("void", (0, 0))
    seen.void = True
    assert judge(seen, book_of(record, HOUSE)).verdict == "clean"


def test_631a_15() -> None:
    # Player K + 6 given a 2 in error, Banker K + 5: 7 to 6, whatever was said and however it was paid.
    concluded = audit(
        deal("Kc 6c 2h", "Kd 5d"), bet("player", 1000), settled=[paid("player", 1000)], announced="player"
    )
    assert concluded.outcome == "banker"
    assert sorted(checks(concluded)) == ["announced_wrong", "paid_too_much", "third_card_extra"]
