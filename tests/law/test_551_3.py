"""551.3: the cards, the number of decks, and what each card counts."""

import pytest

from schemas.errors import BadInput
from tests.builders.texts import text_of
from tests.law.preparation_proofs import prove_decks_received
from tests.law.spanish21_table import audit, cites, found, gain, owed


def test_551_3() -> None:
    for decks in (6, 8):
        assert audit("1:Kd D:9c 1:8s D:Kh 1:stand", decks=decks).outcome == "19"
    test_551_3_a()
    test_551_3_a_decks(4)
    test_551_3_b()


@pytest.mark.parametrize("decks", [1, 2, 4, 5, 7, 9])
def test_551_3_a_decks(decks: int) -> None:
    with pytest.raises(BadInput, match="decks"):
        audit("1:Kd D:9c 1:8s D:Kh 1:stand", decks=decks)


def test_551_3_a() -> None:
    concluded = audit("1:Kd D:9c 1:8s D:Kh 1:Ts 1:2c 1:stand")
    assert found(concluded) == [("card_not_in_deck", "seat1")]
    assert {"551.3(a)", "551.16(b)"} <= cites(concluded)
    # Disregarded: 20 against 19.
    assert owed(concluded) == {"1 wager": 1000}
    # Among the first two cards nothing tells which card was the second.
    concluded = audit("1:Kd D:9c 1:Ts D:Kh 1:2c 1:stand", "1 wager 1000", "1 match_the_dealer 100")
    assert found(concluded) == [("card_not_in_deck", "seat1")]
    assert owed(concluded)["1 match_the_dealer"] is None


@pytest.mark.parametrize(("decks", "findings"), [(6, [("card_not_in_deck", "seat1")]), (8, [])])
def test_551_3_a_too_often(decks: int, findings: list[tuple[str, str]]) -> None:
    play = "1:2s D:9c 1:2s D:Kh " + "1:2s " * 5 + "1:stand"
    assert found(audit(play, decks=decks)) == findings


def test_551_3_b() -> None:
    assert audit("1:Kd D:Ac 1:8s D:8h 1:stand").outcome == "19"
    for rank in "23456789":
        test_551_3_b_1(rank)
    for rank in "JQK":
        test_551_3_b_2(rank)
    test_551_3_b_3_player()


@pytest.mark.parametrize("rank", "23456789")
def test_551_3_b_1(rank: str) -> None:
    assert audit(f"1:Kd D:{rank}c 1:Ks D:Kh 1:surrender").outcome == str(10 + int(rank))


@pytest.mark.parametrize("rank", "JQK")
def test_551_3_b_2(rank: str) -> None:
    assert audit(f"1:Kd D:{rank}c 1:Ks D:9h 1:stand").outcome == "19"
    assert gain(f"1:{rank}d D:{rank}c 1:As D:9h") == 1500


@pytest.mark.parametrize(
    ("dealer", "outcome"),
    [
        ("Ac 6h", "17"),
        ("Ac Kh", "blackjack"),
        ("Ac 5h Kd", "16"),  # 1 + 5 + 10: he must go on
        ("Ac Ah", "12"),
        ("Ac 5h Ad", "17"),  # 11 + 5 + 1
        ("Ac Ah 9d", "21"),  # 11 + 1 + 9
        ("9c Ah", "20"),
        ("9c 2h Ad", "12"),
    ],
)
def test_551_3_b_3(dealer: str, outcome: str) -> None:
    up, hole, *drawn = dealer.split()
    play = f"1:Kd D:{up} 1:Ks D:{hole} 1:stand " + " ".join(f"D:{card}" for card in drawn)
    concluded = audit(play)
    if int(outcome.replace("blackjack", "21")) >= 17:
        assert (concluded.outcome, found(concluded)) == (outcome, [])
    else:
        assert found(concluded) == [("dealer_stood_wrongly", "dealer")]
        assert f"had {outcome} " in text_of(concluded.findings[0].message)
    test_551_3_b_3_player()


def test_551_3_b_3_player() -> None:
    # A-2-3-4 is 20, with a king more it is 20 again.
    assert gain("1:Ad D:9c 1:2s D:Kh 1:3d 1:4d 1:stand") == 1000
    assert gain("1:Ad D:9c 1:2s D:Kh 1:3d 1:4d 1:Kc 1:stand") == 1000
    # A-A-8 is 20, A-A-8-2 is 12.
    assert gain("1:Ad D:9c 1:As D:Kh 1:8d 1:stand") == 1000
    assert gain("1:Ad D:9c 1:As D:Kh 1:8d 1:2d 1:stand") == -1000


def test_551_3_a_decks_received() -> None:
    prove_decks_received("551", "551.3(a)", (6, 8), 1, (48, 52))
