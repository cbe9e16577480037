"""551.10: insurance."""

import pytest

from tests.law.spanish21_table import audit, cites, owed, stands_on

INSURED = ("1 wager 1000", "1 insurance 500")


def test_551_10() -> None:
    assert owed(audit("1:Kd D:Ac 1:8s D:Kh 1:stand", *INSURED)) == {"1 wager": -1000, "1 insurance": 1000}


@pytest.mark.parametrize(
    ("hole", "won"), [*zip("JQK", [1000] * 3, strict=True), *zip("A23456789", [-500] * 9, strict=True)]
)
def test_551_10_a(hole: str, won: int) -> None:
    play = f"1:Kd 2:Kc D:Ac 1:9s 2:9c D:{hole}h 1:stand 2:surrender D:5d"
    due = owed(audit(play, *INSURED, "2 wager 1000", "2 insurance 500"))
    assert due["1 insurance"] == due["2 insurance"] == won
    clause = "551.10(a)"
    play = f"1:Kd D:Ac 1:As D:{hole}h"
    assert stands_on(clause, play, *INSURED, wager="1 insurance") == won
    without_ace = audit(f"1:Kd D:{hole}c 1:As D:9h", *INSURED)
    assert [each.check for each in without_ace.findings] == ["wager_not_permitted"] * (hole != "A")


@pytest.mark.parametrize("up", "23456789JQK")
def test_551_10_a_ace_only(up: str) -> None:
    concluded = audit(f"1:Kd D:{up}c 1:As D:9h", *INSURED)
    assert [finding.check for finding in concluded.findings] == ["wager_not_permitted"]
    assert "551.10(a)" in cites(concluded)
    assert owed(concluded) == {"1 wager": 1500, "1 insurance": None}


@pytest.mark.parametrize(
    ("play", "late"),
    [
        ("1:Kd D:Ac 1:8s D:Kh 1:place+insurance 1:stand", False),
        ("D:no_more_bets 1:Kd D:Ac 1:8s 1:place+insurance D:Kh 1:stand", False),
        ("1:Kd D:Ac 1:8s D:Kh 1:stand 1:place+insurance", True),
        ("1:Kd D:Ac 1:2s D:Kh 1:3c 1:increase+insurance 1:stand", True),
        ("1:8d D:Ac 1:8s D:Kh 1:split 1:place+insurance 1:Kc 1.2:Ks", True),
    ],
)
def test_551_10_b(play: str, late: bool) -> None:  # noqa: FBT001  a case of the table
    concluded = audit(play, *INSURED, *(["1.2 wager 1000"] if "split" in play else []))
    assert [finding.check for finding in concluded.findings] == ["late_wager"] * late
    assert owed(concluded)["1 insurance"] == (None if late else 1000)
    assert ("551.10(b)" in cites(concluded)) is late


def test_551_10_c() -> None:
    assert stands_on("551.10(c)", "1:Kd D:Ac 1:8s D:Kh 1:stand", *INSURED, wager="1 insurance") == 1000


def test_551_10_d() -> None:
    concluded = audit("1:Kd D:Ac 1:8s D:9h 1:stand", *INSURED, paid=["1 wager -1000", "1 insurance 0"])
    assert [finding.check for finding in concluded.findings] == ["loser_not_collected"]
    # Of a pair that is split: the insurance lies on the first two cards, 18 and 17 against 20.
    split = "1:8d D:Ac 1:8s D:9h 1:split 1:Kd 1:stand 1.2:9d 1.2:stand"
    hands = ["1 wager -1000", "1.2 wager -1000"]
    left = audit(split, *INSURED, "1.2 wager 1000", paid=[*hands, "1 insurance 0"])
    assert [finding.check for finding in left.findings] == ["loser_not_collected"]


def test_551_10_a_a_10_after_the_dealers_two_cards() -> None:
    # His ace and 9 are certain whatever came to them later: the decks hold no 10, and it counts for nothing.
    concluded = audit("1:Kd D:Ac 1:8s D:9h 1:stand D:Ts", *INSURED)
    assert owed(concluded) == {"1 wager": -1000, "1 insurance": -500}
    # Before his second card it leaves open which two they are.
    assert owed(audit("1:Kd D:Ac 1:8s D:Ts D:9h 1:stand", *INSURED))["1 insurance"] is None


def test_551_10_b_a_ten_is_no_third_card() -> None:
    # The shoe held a 10, which may not be used, 551.16(b): seat 1 has two cards, and has decided nothing.
    concluded = audit("1:Kd D:Ac 1:Ts 1:8s D:Kh 1:place+insurance 1:stand", *INSURED)
    assert [finding.check for finding in concluded.findings] == ["card_not_in_deck"]
    assert owed(concluded)["1 insurance"] == 1000
