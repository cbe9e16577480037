"""Cards of Chapter 681a that a reader could not read: settled where every card gives the same money."""

from itertools import product

import pytest

from projections.engine.conclusion import Conclusion
from tests.law.baccarat21_table import audit, checks, owed
from tests.law.baccarat_table import deal

RANKS = "A23456789TJQK"
WAGERS = [("player", 1000), ("banker", 1000), ("tie", 100), ("bonus_player", 100), ("bonus_banker", 100)]


def every_reading(play: list[tuple[str, str]]) -> list[Conclusion]:
    places = [place for place, (_, card) in enumerate(play) if card == "??"]
    read = []
    for ranks in product(RANKS, repeat=len(places)):
        known = list(play)
        for place, rank in zip(places, ranks, strict=True):
            known[place] = (play[place][0], f"{rank}s")
        read.append(audit(known, *WAGERS))
    return read


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("9c 7c ??", "Kd 8d"),
        ("Tc 2c ??", "Td 6d Kd"),
        ("7c 2c ??", "Kd 8d"),
        ("Tc ??", "Ad Kd"),
        ("?? 6c", "Ad Kd"),
        ("?? Kc", "5d 4d"),
        ("?? Kc", "5d 4d 2d"),
        ("9c ?? 2c 2d", "Kd 8d"),
        ("5c ?? 4c", "Kd 8d 2d"),
        ("Ac ??", "Ad ??"),
        ("?? ??", "Kd 8d"),
        ("6c ?? 9c", "Kd ??"),
        ("?? 8c 3c", "?? 9d"),
        ("?? 8c", "?? 9d 4d"),
    ],
)
def test_681a_unread_is_what_all_readings_agree_on(player: str, banker: str) -> None:
    play = deal(player, banker)
    concluded, read = audit(play, *WAGERS), every_reading(play)
    for wager, _ in WAGERS:
        agreed = {owed(each)[wager] for each in read}
        assert owed(concluded)[wager] == (agreed.pop() if len(agreed) == 1 else None), wager
    outcomes = {each.outcome for each in read}
    assert concluded.outcome == (outcomes.pop() if len(outcomes) == 1 else None)
    # What is wrong whatever the card was is found, and nothing else is.
    always = set.intersection(*(set(checks(each)) for each in read))
    found = {check for check in checks(concluded) if check[0] != "data_missing"}
    assert found == always or (not always and all(each.findings for each in read))
    if not found and concluded.verdict != "clean":
        assert ("data_missing", "") in checks(concluded)
