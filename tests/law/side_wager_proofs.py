"""House Money, EZ Baccarat and the Dragon Bonus, proven for one baccarat chapter at a time.

Chapter 631a has tests of its own; these are for the chapters that print House Money and are read as 631a for
the rest.
"""

from typing import Any, Final

import pytest

from schemas.errors import BadInput
from tests.law.baccarat_proofs import Table
from tests.law.baccarat_table import (
    BANKER_BY,
    BANKER_BY_1,
    DRAGON_7,
    PANDA_8,
    PLAYER_BY,
    PLAYER_BY_1,
    TIE_AT_6,
    Play,
    bet,
    checks,
    deal,
    owed,
    paid,
)

OFFERED: Final[dict[str, Any]] = {"house_money": True}
EZ: Final[dict[str, Any]] = {"ez": True}

# Rounds with pairs; each ends 6 to 7 but for the last, which ties at 6.
PLAYERS_PAIR: Final = deal("3c 3d", "Kd 7d")
BOTH_PAIRS: Final = deal("3c 3d", "Kd Kh 7d")
PAIR_AND_TIE: Final = deal("3c 3d", "Kd 6d")


def chosen(play: Play, *choices: tuple[str, str], after: int = 4) -> Play:
    """Return the choices of House Money by winners after a number of cards."""
    return [*play[:after], *choices, *play[after:]]


# ── House Money ──────────────────────────────────────────────────────────────────────────────────────


def house_money_wins(table: Table, clause: str) -> None:
    for play, gain in (
        (PLAYERS_PAIR, 300),
        (deal("Kc 6c", "8c 8d"), 300),
        (deal("Qc Qd 2h", "Kd 7d"), 300),
        (BOTH_PAIRS, 1500),
        (deal("9c 9d", "4d 4h"), 1500),  # Naturals
    ):
        assert table.owes(clause, play, "house_money", 100, **OFFERED) == (gain, 0)
    # By rank, whatever the suits: each rank, two cards of one suit, and a king and a queen that are none.
    for rank in "A23456789TJQK":
        for others in ("cd", "cc", "sh"):
            first, second = (f"{rank}{suit}" for suit in others)
            for play in (deal(f"{first} {second}", "4s 6h"), deal("4s 6h", f"{first} {second}")):
                assert house_money_owed(table, play) == 300
    assert house_money_owed(table, deal("Kc Qc 2c", "Jd Td 7d")) == -100
    assert house_money_owed(table, deal("Tc Td", "Jd Qd")) == 300
    assert house_money_owed(table, deal("9c 9d", "9h 9s")) == 1500


def house_money_owed(table: Table, play: Play) -> int | None:
    """Return what $1 on House Money is owed, in cents."""
    return owed(table.audit(play, bet("house_money", 100), **OFFERED), "house_money")[0]


def house_money_loses(table: Table, clause: str) -> None:
    for play in (
        BANKER_BY_1,
        deal("Kc Qc 2c", "Jd Td 7d"),  # of one value, not of one rank
        deal("6c Kc", "6d Ad"),  # one in each hand
        deal("2c 3c 3d", "Kd 7d"),  # with the third card
    ):
        assert table.owes(clause, play, "house_money", 100, **OFFERED) == (-100, 0)
    # Printed as lost where either hand has no pair, which (i) contradicts: one pair wins.
    assert house_money_owed(table, PLAYERS_PAIR) == house_money_owed(table, deal("Kc 6c", "8c 8d")) == 300


def house_money_odds(table: Table, clause: str) -> None:
    assert table.owes(clause, PLAYERS_PAIR, "house_money", 2000, **OFFERED) == (6000, 0)
    assert table.owes(clause, BOTH_PAIRS, "house_money", 2000, **OFFERED) == (30_000, 0)


def house_money_offered(table: Table, clause: str) -> None:
    concluded = table.audit(PLAYERS_PAIR, bet("house_money", 100))
    assert [(each.check, each.citations) for each in concluded.findings] == [("wager_not_offered", (clause,))]
    assert owed(concluded, "house_money") == (None, None)
    offered = table.audit(PLAYERS_PAIR, bet("house_money", 100), **OFFERED)
    assert (checks(offered), owed(offered, "house_money")) == ([], (300, 0))
    with_ez = table.audit(PLAYERS_PAIR, bet("house_money", 100), **EZ)
    assert checks(with_ez) == ["wager_not_offered"]


def house_money_before_third_cards(table: Table, clause: str) -> None:
    added = ("seat1", "house_money_add_player")
    for after, found in ((4, []), (3, ["house_money_early"]), (5, ["house_money_late"])):
        play = chosen(BOTH_PAIRS, added, after=after)
        concluded = table.audit(play, bet("house_money", 100), bet("player", 100), **OFFERED)
        assert checks(concluded) == found
        assert {each.citations for each in concluded.findings} <= {(clause,)}
        # What the payout was added to is open where it was added out of time.
        assert owed(concluded, "player") == ((None, None) if found else (-1600, 0))
        taken = chosen(BOTH_PAIRS, ("seat1", "house_money_take"), after=after)
        concluded = table.audit(taken, bet("house_money", 100), bet("player", 100), **OFFERED)
        assert (checks(concluded), owed(concluded, "player")) == (found, (-100, 0))
    # It hangs on no third card: the Banker's Hand of 0 did not get the one that it must draw.
    missing = table.audit(deal("3c 3d", "Kd Kh"), bet("house_money", 100), bet("player", 100), **OFFERED)
    assert checks(missing) == ["third_card_missing"]
    assert [owed(missing, wager)[0] for wager in ("house_money", "player")] == [1500, None]


def house_money_taken_or_added(table: Table, clause: str, loses: str) -> None:
    """Prove it for House Money added to a winner's wager, and for House Money taken."""
    both = (bet("house_money", 2000), bet("player", 10_000))
    taken = table.audit(chosen(PAIR_AND_TIE, ("seat1", "house_money_take")), *both, **OFFERED)
    assert [(each.cents, each.vigorish_cents) for each in taken.expected] == [(6000, 0), (0, 0)]
    # 6 to 7: $100 are lost where the $60 were taken, $160 where they were added; the $60 are paid in both.
    for choice, lost in (("take", -10_000), ("add_player", -16_000)):
        play = chosen(PLAYERS_PAIR, ("seat1", f"house_money_{choice}"))
        settled = table.audit(play, *both, **OFFERED)
        assert checks(settled) == []
        assert [each.cents for each in settled.expected] == [6000, lost]
    # One who has no House Money Wager has nothing to take or to add, though there are pairs.
    for choice in ("take", "add_player"):
        play = chosen(PLAYERS_PAIR, ("seat2", f"house_money_{choice}"))
        concluded = table.audit(play, *both, bet("player", 10_000, seat=2), **OFFERED)
        assert checks(concluded) == ["house_money_not_won"]
    to_banker = chosen(PAIR_AND_TIE, ("seat1", "house_money_add_banker"))
    for play, check, cite in (
        (to_banker, "house_money_without_wager", clause),
        (chosen(BANKER_BY_1, ("seat1", "house_money_add_player")), "house_money_not_won", loses),
    ):
        concluded = table.audit(play, *both, **OFFERED)
        assert [(each.check, each.citations) for each in concluded.findings] == [(check, (cite,))]


def house_money_joins_the_wager(table: Table, clause: str) -> None:
    """Add $60, or half of it, to a wager of $100: it is settled with it."""
    for play, hand, whole, half in (
        (PLAYERS_PAIR, "player", (-16_000, 0), (-13_000, 0)),
        (PLAYERS_PAIR, "banker", (16_000, 800), (13_000, 650)),
        (PAIR_AND_TIE, "player", (0, 0), (0, 0)),
        (PAIR_AND_TIE, "banker", (0, 0), (0, 0)),
    ):
        added = chosen(play, ("seat1", f"house_money_add_{hand}"))
        for portion, due in (("1", whole), ("1/2", half)):
            options = OFFERED | {"house_money_portion": portion}
            concluded = table.audit(added, bet("house_money", 2000), bet(hand, 10_000), **options)
            assert owed(concluded, "house_money") == (6000, 0)
            assert owed(concluded, hand) == due
    wrong = table.audit(
        chosen(PLAYERS_PAIR, ("seat1", "house_money_add_player")),
        bet("house_money", 2000),
        bet("player", 10_000),
        settled=[paid("house_money", 6000), paid("player", -10_000)],
        **OFFERED,
    )
    (finding,) = wrong.findings
    assert (finding.check, finding.expected_cents, finding.observed_cents) == (
        "loser_not_collected", -16_000, -10_000,
    )  # fmt: skip
    assert clause in finding.citations
    # A portion of the payout is neither nothing nor more than all of it.
    for portion in ("0", "-1/2", "5/4"):
        with pytest.raises(BadInput, match="house_money_portion"):
            table.audit(PLAYERS_PAIR, bet("house_money", 2000), house_money_portion=portion, **OFFERED)


def house_money_vigorish(table: Table, clause: str) -> None:
    """Return the vigorish of $160 won or tied, or of the $100 before, by the house's reading."""
    both = (bet("house_money", 2000), bet("banker", 10_000))
    for play, vigorish, whole, original in (
        (PLAYERS_PAIR, "5%", 800, 500),
        (PLAYERS_PAIR, "4%", 640, 400),
        (PAIR_AND_TIE, "25% on tie", 4000, 2500),
        (PLAYERS_PAIR, "25% on tie", 0, 0),
    ):
        added = chosen(play, ("seat1", "house_money_add_banker"))
        for reading, due in (("whole", whole), ("original", original)):
            options = OFFERED | {"vigorish": vigorish, "house_money_vigorish": reading}
            assert owed(table.audit(added, *both, **options), "banker")[1] == due
    wrong = table.audit(
        chosen(PLAYERS_PAIR, ("seat1", "house_money_add_banker")),
        *both,
        settled=[paid("house_money", 6000), paid("banker", 16_000, 500)],
        **OFFERED,
    )
    assert [(each.check, each.citations) for each in wrong.findings] == [("vigorish_wrong", (clause,))]


# ── EZ Baccarat and the Dragon Bonus, read as 631a ────────────────────────────────────────────────────


def ez_baccarat(table: Table, dragon_7_odds: str) -> None:
    assert table.owes("631a.8(a)(1)(iii)", DRAGON_7, "banker", 10_000, **EZ) == (0, 0)
    assert table.owes(dragon_7_odds, DRAGON_7, "dragon_7", 100, **EZ) == (4000, 0)
    assert table.owes("631a.8(a)(5)(ii)", BANKER_BY_1, "dragon_7", 100, **EZ) == (-100, 0)
    assert table.owes("631a.13(g)", PANDA_8, "panda_8", 100, **EZ) == (2500, 0)
    assert table.owes("631a.8(a)(6)(ii)", PLAYER_BY_1, "panda_8", 100, **EZ) == (-100, 0)


def ez_takes_no_vigorish(table: Table) -> None:
    for vigorish in ("5%", "4%", "25% on tie"):
        for play, gain in ((BANKER_BY_1, 10_000), (TIE_AT_6, 0)):
            concluded = table.audit(play, bet("banker"), vigorish=vigorish, **EZ)
            assert owed(concluded, "banker") == (gain, 0)


def ez_calls(table: Table) -> None:
    for play, right in ((DRAGON_7, {"dragon_7", "banker"}), (PANDA_8, {"panda_8", "player"})):
        for call in ("dragon_7", "panda_8", "banker", "player", "tie"):
            found = checks(table.audit(play, announced=call, **EZ))
            assert found == ([] if call in right else ["announced_wrong"])


def dragon_bonus(table: Table) -> None:
    """Prove the three pay tables of 631a.13(e), read off its page, from either hand."""
    for name, odds in {
        "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1},
        "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1},
        "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2},
    }.items():
        for hand, plays in (("player", PLAYER_BY), ("banker", BANKER_BY)):
            for margin, play in plays.items():
                concluded = table.audit(play, bet(f"dragon_bonus_{hand}", 100), dragon_bonus=name)
                gain = odds[margin] * 100 if margin in odds else -100
                assert owed(concluded, f"dragon_bonus_{hand}") == (gain, 0), (name, hand, margin)
    natural = deal("Kc 9c", "Kd Qd")
    assert table.owes("631a.13(e)", natural, "dragon_bonus_player", 100, dragon_bonus="A") == (100, 0)


def not_offered(table: Table) -> None:
    for wager, clause in (
        ("dragon_7", "631a.8(a)(5)"),
        ("panda_8", "631a.8(a)(6)"),
        ("dragon_bonus_player", "631a.8(a)(4)"),
    ):
        concluded = table.audit(BANKER_BY_1, bet(wager, 100))
        assert [(each.check, each.citations) for each in concluded.findings] == [
            ("wager_not_offered", (clause,))
        ]


def no_such_wager(table: Table, clause: str) -> None:
    concluded = table.audit(BANKER_BY_1, bet("lucky_6", 100))
    assert [(each.check, each.citations) for each in concluded.findings] == [
        ("wager_not_permitted", (clause,))
    ]
    for wager, options in (
        ("player", {}),
        ("banker", {}),
        ("tie", {}),
        ("dragon_bonus_player", {"dragon_bonus": "A"}),
        ("dragon_bonus_banker", {"dragon_bonus": "A"}),
        ("dragon_7", EZ),
        ("panda_8", EZ),
        ("house_money", OFFERED),
    ):
        known = table.audit(BANKER_BY_1, bet(wager, 100), **dict[str, Any](options))
        assert (checks(known), owed(known, wager)[0] is None) == ([], False), wager


def coupon_counts_on_a_tie(table: Table) -> None:
    """Charge 25% of chips and coupon: the coupon is included in the amount of the wager, 603a.1."""
    concluded = table.audit(TIE_AT_6, bet("banker", 1000, coupon=1000), vigorish="25% on tie")
    assert owed(concluded, "banker") == (0, 500)


def refused(table: Table) -> None:
    for options in ({"dragon_bonus": "D"}, {"house_money_portion": "0"}, {"house_money_vigorish": "none"}):
        with pytest.raises(BadInput, match=next(iter(options))):
            table.audit(BANKER_BY_1, **dict[str, Any](options))
