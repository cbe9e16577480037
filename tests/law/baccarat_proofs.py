"""What the baccarat chapters have in common, proven for one of them at a time.

Each function takes a table of the chapter and the clause that it must stand on. The hands are worked from the
text; Chapter 631a has tests of its own.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from types import ModuleType
from typing import Any, Final

import pytest
from msgspec import Struct

from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from schemas import events as e
from schemas.errors import BadInput
from schemas.house import House, Submission, TableSetup
from schemas.law_text import Span
from schemas.record import RecordPaid, RecordWager
from schemas.rulebook import rulebook
from tests.builders.table_audit import AuditedTable, audit_events
from tests.builders.table_script import BANKER_WINS, SOURCES, TIE, Script
from tests.law import baccarat_table
from tests.law.baccarat_table import (
    BANKER_BY,
    BANKER_BY_1,
    DRAGON_7,
    NO_MORE_BETS,
    PANDA_8,
    PLAYER_BY,
    PLAYER_BY_1,
    TIE_AT_6,
    Play,
    bet,
    checks,
    deal,
    notes,
    owed,
    paid,
)

RANKS: Final = "KA23456789"  # worth 0 to 9

# 541.11, 543.11, 545.11, Table 1, read off each page: Banker's two cards by the value of the Player's third.
TABLE_1: Final = {
    3: "D D D D D D D D S D",
    4: "S S D D D D D D S S",
    5: "S S S S D D D D S S",
    6: "S S S S S S D D S S",
}

# The Banker's Hand above the Player's, and below it: by each margin, by a Natural, over a lower Natural, and
# with the three cards of a Dragon 7 or a Panda 8, which win here as any others do.
BANKER_ABOVE: Final = (*BANKER_BY.values(), deal("Kc 6c", "Kd 8d"), deal("Kc 8c", "Kd 9d"), DRAGON_7)
BANKER_BELOW: Final = (*PLAYER_BY.values(), deal("Kc 8c", "Kd 6d"), deal("Kc 9c", "Kd 8d"), PANDA_8)
# Equal counts: both stay, two Naturals, three cards against two, and 10 against 20.
EQUAL: Final = (
    TIE_AT_6,
    deal("Kc 8c", "Kd 8d"),
    deal("Kc 9c", "Kd 9d"),
    deal("Kc 5c 2c", "Kd 7d"),
    deal("Kc Qc Kh", "Kd 2d 8h"),
)


class Table(Struct, frozen=True):
    """A table of one chapter at a moment at which its text was in force."""

    chapter: str
    at: datetime

    def cite(self, section: str) -> str:
        """Return a section of its chapter as it is cited."""
        return f"{self.chapter}.{section}"

    def audit(
        self,
        play: Play,
        *wagers: RecordWager,
        settled: Sequence[RecordPaid] | None = None,
        announced: str | None = None,
        points: dict[str, int] | None = None,
        decks: int | None = None,
        **options: Any,
    ) -> Conclusion:
        """Judge one round through the public road."""
        return baccarat_table.audit(
            play,
            *wagers,
            settled=settled,
            announced=announced,
            points=points,
            at=self.at,
            decks=decks,
            chapter=self.chapter,
            **options,
        )

    def owes(
        self, clause: str, play: Play, wager: str, cents: int, *, coupon: int = 0, **options: Any
    ) -> tuple[int, int]:
        """Return gain and vigorish of a round's only wager, and prove that they stand on `clause`."""
        return baccarat_table.owed_by(
            clause, play, wager, cents, coupon=coupon, at=self.at, chapter=self.chapter, **options
        )

    def faults(self, play: Play) -> list[tuple[str, str | None, tuple[str, ...]]]:
        """Return what is wrong with the cards of a round: check, hand, and place."""
        concluded = self.audit(play)
        return [
            (each.check, each.who if isinstance(each.who, str) else None, each.citations)
            for each in concluded.findings
        ]

    def told(self, play: Play, *, void: bool = False) -> list[tuple[Any, ...]]:
        """Return how a round is described, step by step, without its chapter in the citations."""
        steps = baccarat_table.described(play, chapter=self.chapter, day=self.at.date(), void=void)
        return [(*what, cite.partition(".")[2]) for *what, cite in steps]

    def shown(self, play: Play) -> list[int | str | None]:
        """Return the Point Counts with which both hands are shown."""
        return baccarat_table.shown(play, chapter=self.chapter, day=self.at.date())

    def left_out(self, play: Play) -> list[tuple[str, str | None]]:
        """Return the cards that are shown as disregarded, each with the hand at which it lies."""
        return baccarat_table.left_out(play, chapter=self.chapter, day=self.at.date())

    def house(self, decks: int = 8, **options: Any) -> House:
        """Return a house with such a table, on which events are heard."""
        sources: Any = dict(SOURCES)
        return House(
            house="script",
            gaming_day_starts="05:00",
            tables={"BAC-1": TableSetup(chapter=self.chapter, decks=decks, sources=sources)},
            submissions=[Submission(since=date(2010, 3, 20), chapter=self.chapter, options=options)],
        )

    def script(self) -> Script:
        """Begin a script at that table."""
        return Script(start=int(self.at.timestamp()) * 1_000_000)

    def hear(self, script: Script, decks: int = 8, **options: Any) -> AuditedTable:
        """Audit what a script's devices reported."""
        return audit_events(script.events, self.house(decks, **options))


OF_2010: Final = datetime(2011, 4, 1, 20, tzinfo=UTC)  # between 2010-03-20 and 2012-03-20
OF_2013: Final = datetime(2013, 4, 1, 20, tzinfo=UTC)


def sections_of(table: Table, *modules: ModuleType) -> dict[str, Callable[[], None]]:
    """Return the sections of some modules as tests of a table's chapter, each by the name of its section."""
    return {
        f"test_{table.chapter}_{name.removeprefix('section_')}": _test_of(prove, table)
        for module in modules
        for name, prove in vars(module).items()
        if name.startswith("section_")
    }


def _test_of(prove: Callable[[Table], None], table: Table) -> Callable[[], None]:
    def test() -> None:
        prove(table)

    return test


def ties(table: Table, player: str, banker: str) -> None:
    """Prove that two hands count the same: the wager on a tie wins 8 to 1."""
    concluded = table.audit(
        deal(player, banker), bet("tie", 100), settled=[paid("tie", 800)], announced="tie"
    )
    assert (concluded.verdict, concluded.outcome) == ("clean", "tie"), (player, banker)


# ── cards and point counts ───────────────────────────────────────────────────────────────────────────


def face_values(table: Table) -> None:
    # Each third card makes what the Banker stays on: 7, and 3 and 4 against an 8 and a 9.
    for player in ("Kc 5c 2c", "Kc 4c 3c", "Kc 3c 4c", "Kc 2c 5c", "Kc Ac 6c", "Kc Qc 7c"):
        ties(table, player, "Kd 7d")
    ties(table, "Kc 5c 8c", "Kd 3d")
    ties(table, "Kc 5c 9c", "Kd 4d")
    # So does the Banker's: 9 with each, drawn against a 4; 7 with a 2 or a 3, drawn alone.
    for banker in ("Kd Qd 9h", "Kd Ad 8h", "Kd 2d 7h", "Kd 3d 6h", "Kd 4d 5h", "Kd 5d 4h"):
        ties(table, "Kc 5c 4c", banker)
    for banker in ("Kd 5d 2h", "Kd 4d 3h"):
        ties(table, "Kc 7c", banker)


def tens_are_zero(table: Table) -> None:
    # The last is a card worth ten whose rank was not read. 5 stays against a card worth 0, and 3 draws.
    for ten in ("Tc", "Jc", "Qc", "Kc", "0?"):
        ties(table, f"{ten} 7c", "9d 8d")
        ties(table, f"Kc 5c {ten}", "Kd 5d")
        ties(table, f"Kc 3c {ten}", f"Kd 3d {ten}")


def an_ace_is_one(table: Table) -> None:
    ties(table, "Ac 6c", "Kd 7d")
    ties(table, "Kc 5c Ac", "Kd 6d")
    ties(table, "Kc 6c", "Kd 5d Ah")


def last_digit(table: Table) -> None:
    ties(table, "9c 8c", "Kd 7d")  # 17
    ties(table, "8c 8d", "9c 7d")  # 16 each, not a Natural
    ties(table, "9c 9d", "Kd 8d")  # 18 is a Natural 8
    ties(table, "Kc 5c 9c", "Kd 4d")  # 14; 4 stays against a 9
    ties(table, "Kc Qc 4c", "Kd 5d 9h")  # 4, and 14: 5 draws against a 4
    # So it is where a third card was not read: 13 draws, as a 3 does, and 13 of the Banker's does alone.
    assert table.faults(deal("9c 4c ?h", "Kd 7d")) == []
    assert table.faults(deal("Kc 6c", "9d 4d ?h")) == []
    # 18 is a Natural 8 beside a card that was not read.
    for play, hand in ((deal("9c 9d", "Ad ?d"), "player"), (deal("Ac ?c", "9d 9h"), "banker")):
        for count, found in ((8, []), (9, ["points_announced_wrong"])):
            assert found == [
                each
                for each in checks(table.audit(play, points={hand: count}))
                if each == "points_announced_wrong"
            ]
    # The Player's 15 draws, 13 with an 8; the Banker's 15 stays against it, and draws an 8 against a 4.
    assert table.told(deal("9c 6d 8h", "6s 9h")) == [
        ("initial", "player", 5, "6(b)"),
        ("initial", "banker", 5, "6(b)"),
        ("players_turn", "player", 5, 1, "11(b)(1)"),
        ("third", "player", 3, "6(b)"),
        ("bankers_turn", "banker", 5, 8, 0, "11(c)(2)"),
        ("wins", "banker", 5, 3, "12(a)"),
    ]
    assert table.told(deal("2c 3d 4h", "6s 9h 8d"))[3:] == [
        ("third", "player", 9, "6(b)"),
        ("bankers_turn", "banker", 5, 4, 1, "11(c)(2)"),
        ("third", "banker", 3, "6(b)"),
        ("wins", "player", 9, 3, "12(a)"),
    ]
    assert table.shown(deal("9c 6d 8h", "6s 9h")) == [3, 5]


def ace_2_4(table: Table) -> None:
    ties(table, "Ac 2c 4c", "Kd 7d")


def ace_2_9(table: Table) -> None:
    ties(table, "Ac 2c 9c", "Kd 2d Kh")


def order_of_four(table: Table, clause: str) -> None:
    """Player, Banker, Player, Banker; anything else is a wrong order or a card too few."""
    assert table.faults(BANKER_BY_1) == []
    p1, b1, p2, b2 = BANKER_BY_1
    for play in (
        [p1, p2, b1, b2],
        [b1, b2, p1, p2],
        [b1, p1, b2, p2],
        [b1, p1, p2, b2],
        [p1, b1, b2, p2],
    ):
        assert table.faults(play) == [("card_order_wrong", None, (clause,))]
    fourth_to_player = [p1, b1, p2, ("player", "7d"), ("banker", "2h")]
    assert table.faults(fourth_to_player) == [("card_order_wrong", None, (clause,))]
    assert table.faults([p1, b1, p2]) == [("initial_card_missing", "banker", (clause,))]
    assert table.faults([p1, b1, b2]) == [("initial_card_missing", "player", (clause,))]


def order_of_thirds(table: Table, clause: str, due: str) -> None:
    """Script two hands of 0: the Player's draws first."""
    four, players, bankers = deal("Kc Qc", "Kd Qd"), ("player", "2c"), ("banker", "5d")
    assert table.faults([*four, players, bankers]) == []
    assert table.faults([*four, bankers, players]) == [("card_order_wrong", None, (clause, due))]


def one_card_more(table: Table, clause: str) -> None:
    for play, who in (
        (deal("Kc 5c 2c 3c", "Kd 7d"), "player"),
        (deal("Kc 5c 2c", "Kd 2d 3d 4d"), "banker"),
        (deal("Kc 6c", "Kd 2d 3d 4d"), "banker"),
    ):
        assert table.faults(play) == [("third_card_extra", who, (clause,))]


# ── the tableau ──────────────────────────────────────────────────────────────────────────────────────


def no_card_after_a_natural(table: Table, clause: str) -> None:
    for natural in "89":
        assert table.faults(deal(f"Kc {natural}c", "Kd 2d")) == []
        assert table.faults(deal(f"Kc {natural}c", "Kd 2d 5d")) == [
            ("card_after_natural", "banker", (clause,))
        ]
        assert table.faults(deal("Kc 2c 5c", f"Kd {natural}d")) == [
            ("card_after_natural", "player", (clause,))
        ]
    both = deal("Kc 8c 2c", "Kd 9d 2d")  # a Natural each, and a card more each
    assert table.left_out(both) == [("player", "2c"), ("banker", "2d")]
    for play in (both, deal("Kc 2c 5c", "Kd 9d 2d"), deal("Kc 8c 2c", "Kd 7d 2d")):
        assert table.faults(play) == [
            ("card_after_natural", hand, (clause,)) for hand in ("player", "banker")
        ]
    # The card is left out: 8 to 2, of either hand.
    assert owed(table.audit(deal("Kc 8c", "Kd 2d 7d"), bet("player", 100)), "player") == (100, 0)
    assert owed(table.audit(deal("Kc 8c 4c", "Kd 2d"), bet("player", 100)), "player") == (100, 0)
    # A 7 is none, nor are an 8 and a 9 of three cards: the Banker's 2 draws.
    assert table.faults(deal("Kc 7c", "Kd 2d 5d")) == []
    assert table.faults(deal("Kc 2c 5c", "Kd 7d")) == []
    for third in "34":
        assert table.faults(deal(f"Kc 5c {third}c", "Kd 2d 5d")) == []
    for play, first, second in ((deal("5h 2h", "8c Kd"), 7, 8), (deal("8c Kd", "5h 2h"), 8, 7)):
        assert table.told(play) == [
            ("initial", "player", first, "6(b)"),
            ("initial", "banker", second, "6(b)"),
            ("natural", "11(a)"),
            ("wins", "player" if first > second else "banker", 8, 7, "12(a)"),
        ]


def player_draws(table: Table, clause: str) -> None:
    for points in range(6):
        play = deal(f"Kc {RANKS[points]}c", "Kd 7d")
        assert table.faults([*play, ("player", "Kh")]) == []
        assert table.faults(play) == [("third_card_missing", "player", (clause,))]
        assert owed(table.audit(play, bet("player")), "player") == (None, None)
        # Whatever the Banker's Hand has, which draws to 3 against a card worth 0; but not against a Natural.
        for banker in range(8):
            own = " 2h" if banker <= 3 else ""
            assert table.faults(deal(f"Kc {RANKS[points]}c Kh", f"Kd {RANKS[banker]}d{own}")) == []
        for natural in "89":
            assert table.faults(deal(f"Kc {RANKS[points]}c", f"Kd {natural}d")) == []
        assert ("players_turn", "player", points, 1, "11(b)(1)") in table.told(play)
    assert table.faults(deal("Kc 6c", "Kd 7d")) == []  # 6 is not less than 6


def player_stays(table: Table, clause: str) -> None:
    for points in (6, 7):
        play = deal(f"Kc {points}c", "Kd 7d")
        assert table.faults(play) == []
        ((check, who, cites),) = table.faults([*play, ("player", "Kh")])
        assert (check, who, cites[0]) == ("third_card_extra", "player", clause)
        # Whatever the Banker's Hand has, which then draws to 5.
        for banker in range(8):
            own = " 2h" if banker <= 5 else ""
            assert table.faults(deal(f"Kc {points}c", f"Kd {RANKS[banker]}d{own}")) == []
        assert ("players_turn", "player", points, 0, "11(b)(2)") in table.told(play)
    assert table.faults(deal("Kc 5c 2h", "Kd 7d")) == []  # 5 is not 6 or more


def banker_alone(table: Table, clause: str) -> None:
    """Against a Player who stays the Banker's Hand draws on 5 or less."""
    for player in (6, 7):
        for points in range(8):
            _judged(table, clause, f"Kc {player}c", points, draws=points <= 5)
            turn = ("bankers_turn", "banker", points, None, int(points <= 5), "11(c)(1)")
            told = table.told(deal(f"Kc {player}c", f"Kd {RANKS[points]}d"))
            assert turn in told
            assert (("third_not_seen", "banker", "11(c)") in told) == (points <= 5)


def banker_on_less_than_3(table: Table, clause: str) -> None:
    for points in range(3):
        for third in RANKS:
            _judged(table, clause, f"Kc Qc {third}c", points, draws=True)
        # So whatever the Player's third card is, where it is missing too.
        _, bankers = table.faults(deal("Kc Qc", f"Kd {RANKS[points]}d"))
        assert bankers == ("third_card_missing", "banker", (clause,))
    # 3 is not less than 3: against an 8 it stays.
    assert table.faults(deal("Kc Qc 8c", "Kd 3d")) == []


def banker_on_7(table: Table, clause: str) -> None:
    for worth, third in enumerate(RANKS):
        _judged(table, clause, f"Kc Qc {third}c", 7, draws=False)
        turn = ("bankers_turn", "banker", 7, worth, 0, "11(c)(2)")
        assert turn in table.told(deal(f"Kc Qc {third}c", "Kd 7d"))
    # So whatever the Player's third card is, where it is missing.
    _, bankers = table.faults(deal("Kc Qc", "Kd 7d 2h"))
    assert bankers == ("third_card_extra", "banker", (clause,))
    for third in "67":  # 6 does what Table 1 says
        assert table.faults(deal(f"Kc Qc {third}c", "Kd 6d 2h")) == []


def table_1(table: Table, clause: str, letters: str = "DS") -> None:
    """Deal each cell that has one of the letters rightly and wrongly."""
    for points, row in TABLE_1.items():
        for third, cell in zip(RANKS, row.split(), strict=True):
            if cell in letters:
                _judged(table, clause, f"Kc Qc {third}c", points, draws=cell == "D")
        # Each row has both letters: where the Player's third card is missing, nothing is said of the Banker.
        for own in ("", " 2h"):
            ((_, who, _),) = table.faults(deal("Kc Qc", f"Kd {points}d{own}"))
            assert who == "player", (points, own)


def rows_are_two_cards(table: Table, clause: str) -> None:
    # In each row the last card on which it draws, and the one beside it on which it stays.
    for row, draws, stays in (
        ("5d 8d", "9", "8"),
        ("5d 9d", "2", "A"),
        ("6d 9d", "4", "3"),
        ("8d 8s", "6", "5"),
    ):
        drawn, stayed = deal(f"Kc Qc {draws}c", row), deal(f"Kc Qc {stays}c", row)
        assert table.faults([*drawn, ("banker", "2h")]) == []
        assert table.faults(drawn) == [("third_card_missing", "banker", (clause,))]
        assert table.faults(stayed) == []
        assert table.faults([*stayed, ("banker", "2h")]) == [("third_card_extra", "banker", (clause,))]


def columns_are_third_cards(table: Table, clause: str) -> None:
    # 5 and 9 are 4; the card is worth 9, on which 4 stays, though it draws on 4.
    assert table.faults(deal("Kc 5c 9c", "Kd 4d")) == []
    assert table.faults(deal("Kc 5c 9c", "Kd 4d 2h")) == [("third_card_extra", "banker", (clause,))]
    # 5 and 8 are 3, on which 3 draws, as it does on a 7 and on a 9; on an 8 it stays.
    assert table.faults(deal("Kc 5c 8c", "Kd 3d")) == []
    assert table.faults(deal("Kc 5c 8c", "Kd 3d 2h")) == [("third_card_extra", "banker", (clause,))]
    assert ("bankers_turn", "banker", 3, 8, 0, "11(c)(2)") in table.told(deal("Kc 5c 8c", "Kd 3d"))


def example_of_the_text(table: Table, clause: str) -> None:
    """5 against a 4 draws."""
    assert table.faults(deal("Kc Qc 4c", "Kd 5d 2h")) == []
    assert table.faults(deal("Kc Qc 4c", "Kd 5d")) == [("third_card_missing", "banker", (clause,))]


def _judged(table: Table, clause: str, player: str, points: int, *, draws: bool) -> None:
    stayed, drew = deal(player, f"Kd {RANKS[points]}d"), deal(player, f"Kd {RANKS[points]}d 2h")
    check, wrong = ("third_card_missing", stayed) if draws else ("third_card_extra", drew)
    assert table.faults(drew if draws else stayed) == [], (player, points)
    assert table.faults(wrong) == [(check, "banker", (clause,))], (player, points)


# ── the wagers ───────────────────────────────────────────────────────────────────────────────────────


def banker_wins(table: Table, clause: str) -> None:
    for play in BANKER_ABOVE:
        assert table.owes(clause, play, "banker", 10_000) == (10_000, 500)
    _otherwise(table, clause, BANKER_BY_1, "banker", {0: "paid_too_little", -10_000: "winner_collected"})


def banker_loses(table: Table, clause: str) -> None:
    for play in BANKER_BELOW:
        assert table.owes(clause, play, "banker", 10_000) == (-10_000, 0)
    _otherwise(table, clause, PLAYER_BY_1, "banker", {0: "loser_not_collected", 10_000: "paid_too_much"})


def banker_returned(table: Table, clause: str) -> None:
    for vigorish in ("5%", "4%"):
        for play in EQUAL:
            assert table.owes(clause, play, "banker", 10_000, vigorish=vigorish) == (0, 0)
        kept = table.audit(TIE_AT_6, bet("banker"), settled=[paid("banker", 0, 500)], vigorish=vigorish)
        assert checks(kept) == ["vigorish_unauthorized"]
    _otherwise(table, clause, TIE_AT_6, "banker", {-10_000: "push_collected", 10_000: "push_paid"})


def player_wins(table: Table, clause: str) -> None:
    for play in BANKER_BELOW:
        assert table.owes(clause, play, "player", 10_000) == (10_000, 0)
    _otherwise(table, clause, PLAYER_BY_1, "player", {0: "paid_too_little", -10_000: "winner_collected"})


def player_loses(table: Table, clause: str) -> None:
    for play in BANKER_ABOVE:
        assert table.owes(clause, play, "player", 10_000) == (-10_000, 0)
    _otherwise(table, clause, BANKER_BY_1, "player", {0: "loser_not_collected", 10_000: "paid_too_much"})


def player_returned(table: Table, clause: str) -> None:
    for play in EQUAL:
        assert table.owes(clause, play, "player", 10_000) == (0, 0)
    _otherwise(table, clause, TIE_AT_6, "player", {-10_000: "push_collected", 10_000: "push_paid"})


def tie_wins(table: Table, clause: str) -> None:
    for play in EQUAL:
        assert table.owes(clause, play, "tie", 10_000) == (80_000, 0)
    _otherwise(table, clause, TIE_AT_6, "tie", {0: "paid_too_little", -10_000: "winner_collected"})


def tie_loses(table: Table, clause: str) -> None:
    for play in (*BANKER_BELOW, *BANKER_ABOVE):
        assert table.owes(clause, play, "tie", 10_000) == (-10_000, 0)
    for play in (PLAYER_BY_1, BANKER_BY_1):
        _otherwise(table, clause, play, "tie", {0: "loser_not_collected", 80_000: "paid_too_much"})


def _otherwise(
    table: Table, clause: str, play: Play, wager: str, found: dict[int, str], **options: Any
) -> None:
    """Prove what is found where $100 on a wager were settled by some other gain, each by its name."""
    for gain, check in found.items():
        concluded = table.audit(play, bet(wager, 10_000), settled=[paid(wager, gain)], **options)
        (finding,) = concluded.findings
        assert (finding.check, finding.citations[0]) == (check, clause), gain


def two_hands(table: Table) -> None:
    """Deal to the two hands that are announced and settled, and to no third one."""
    a_table_settled(table)
    for play, result in ((BANKER_BY_1, "banker"), (PLAYER_BY_1, "player"), (TIE_AT_6, "tie")):
        concluded = table.audit(play, announced=result)
        assert (concluded.verdict, concluded.outcome) == ("clean", result)
    assert table.audit(BANKER_BY_1, points={"player": 6, "banker": 7}).verdict == "clean"
    for third in ("tie", "dealer"):
        with pytest.raises(BadInput, match=f"'{third}' takes no part|does not say"):
            table.audit([*BANKER_BY_1, (third, "2h")])


def a_table_settled(table: Table) -> None:
    """All three wagers on each of three rounds, rightly settled."""
    for play, gains, vigorish in (
        (BANKER_BY_1, (-10_000, 10_000, -10_000), 500),
        (PLAYER_BY_1, (10_000, -10_000, -10_000), 0),
        (TIE_AT_6, (0, 0, 80_000), 0),
    ):
        player, banker, tie = gains
        concluded = table.audit(
            play,
            *(bet(wager) for wager in ("player", "banker", "tie")),
            settled=[paid("player", player), paid("banker", banker, vigorish), paid("tie", tie)],
        )
        assert concluded.verdict == "clean"


def no_other_wager(table: Table, clause: str) -> None:
    for wager in ("banker", "player", "tie"):
        assert checks(table.audit(BANKER_BY_1, bet(wager))) == []
    others = ("dragon_bonus_player", "dragon_bonus_banker", "dragon_7", "panda_8", "house_money", "lucky_6")
    for wager in others:
        concluded = table.audit(BANKER_BY_1, bet(wager, 100))
        assert [(each.check, each.citations) for each in concluded.findings] == [
            ("wager_not_permitted", (clause,))
        ]
        assert owed(concluded, wager) == (None, None)


def of_its_own_text(table: Table, wager: str, clause: str) -> None:
    """Reject a house's offer of a wager by another text, as this one has it, by its place."""
    with pytest.raises(BadInput, match=rf"settles the wager '{wager}' itself \({re.escape(clause)}\)"):
        rulebook(table.chapter, table.at.date(), {}, offered={wager: "631b.1"})


def no_late_wager(table: Table, clause: str) -> None:
    for move in ("place", "increase", "reduce", "withdraw"):
        late = [NO_MORE_BETS, ("seat1", f"{move} banker"), *BANKER_BY_1]
        concluded = table.audit(late, bet("banker"))
        assert [(each.check, each.citations) for each in concluded.findings] == [("late_wager", (clause,))]
        assert owed(concluded, "banker") == (None, None)
        in_time = [("seat1", f"{move} banker"), NO_MORE_BETS, *BANKER_BY_1]
        assert checks(table.audit(in_time, bet("banker"))) == []


# ── the result ───────────────────────────────────────────────────────────────────────────────────────


def announced(table: Table, clause: str) -> None:
    for play, result in ((BANKER_BY_1, "banker"), (PLAYER_BY_1, "player"), (TIE_AT_6, "tie")):
        for call in ("banker", "player", "tie"):
            concluded = table.audit(play, announced=call)
            if call == result:
                assert (concluded.verdict, concluded.outcome) == ("clean", result)
            else:
                (finding,) = concluded.findings
                assert finding.check == "announced_wrong"
                assert finding.citations[0] == clause
    for points in ({"player": 6, "banker": 8}, {"player": 7, "banker": 7}, {"player": 0}):  # 6 to 7
        called = table.audit(BANKER_BY_1, announced="banker", points=points)
        wrong = [hand for hand, count in points.items() if count != {"player": 6, "banker": 7}[hand]]
        assert [(each.check, each.who) for each in called.findings] == [
            ("points_announced_wrong", hand) for hand in wrong
        ]
        assert called.findings[0].citations[0] == clause
    right = table.audit(BANKER_BY_1, announced="banker", points={"player": 6, "banker": 7})
    assert right.verdict == "clean"


def collected_and_paid(table: Table, clause: str) -> None:
    for play, wager, gain, check in (
        (PLAYER_BY_1, "player", 200, "paid_too_much"),
        (PLAYER_BY_1, "player", 0, "paid_too_little"),
        (PLAYER_BY_1, "player", -100, "winner_collected"),
        (BANKER_BY_1, "player", 0, "loser_not_collected"),
        (TIE_AT_6, "player", -100, "push_collected"),
        (TIE_AT_6, "player", 100, "push_paid"),
    ):
        concluded = table.audit(play, bet(wager, 100), settled=[paid(wager, gain)])
        (finding,) = concluded.findings
        assert finding.check == check
        assert clause in finding.citations


def player_odds(table: Table, clause: str) -> None:
    for cents in (1, 100, 2500, 99_999):
        assert table.owes(clause, PLAYER_BY_1, "player", cents) == (cents, 0)
    less = table.audit(PLAYER_BY_1, bet("player"), settled=[paid("player", 10_000, 500)])
    assert checks(less) == ["vigorish_unauthorized"]
    for play in BANKER_BELOW:
        assert table.owes(clause, play, "player", 2500) == (2500, 0)


def tie_odds(table: Table, clause: str) -> None:
    assert table.owes(clause, TIE_AT_6, "tie", 100) == (800, 0)
    for odds, gain in ((8, 800), ("17/2", 850), (9, 900), (12, 1200)):
        assert table.owes(clause, TIE_AT_6, "tie", 100, tie_odds=odds) == (gain, 0)
    for odds in (7, "15/2", 0):
        with pytest.raises(BadInput, match=rf"tie_odds: .*{re.escape(clause)}"):
            table.audit(TIE_AT_6, tie_odds=odds)


def vigorish_of_a_win(table: Table, clause: str) -> None:
    """1 to 1, less 5% or 4% of what was won, as submitted; 5% where nothing was."""
    for won, five, four in ((10_000, 500, 400), (2500, 125, 100), (100, 5, 4), (1050, 52, 42), (19, 0, 0)):
        assert table.owes(clause, BANKER_BY_1, "banker", won) == (won, five)
        assert table.owes(clause, BANKER_BY_1, "banker", won, vigorish="5%") == (won, five)
        assert table.owes(clause, BANKER_BY_1, "banker", won, vigorish="4%") == (won, four)
    for play in BANKER_ABOVE:
        assert owed(table.audit(play, bet("banker"), vigorish="4%"), "banker") == (10_000, 400)
    (half_paid,) = table.audit(BANKER_BY_1, bet("banker"), settled=[paid("banker", 5000, 500)]).findings
    assert (half_paid.check, half_paid.citations[1]) == ("paid_too_little", clause)
    for play in (PLAYER_BY_1, TIE_AT_6):
        _unauthorized(table, clause, play, 400, vigorish="4%")
    for vigorish, due, taken, check in (
        ("4%", 400, 500, "vigorish_wrong"),
        ("5%", 500, 400, "vigorish_wrong"),
        ("4%", 400, 0, "vigorish_not_taken"),
    ):
        _taken(table, (clause,), check, 10_000, due, taken, vigorish=vigorish)
    for other in ("3%", "6%", "9/200"):
        with pytest.raises(BadInput, match=rf"option vigorish: .*{re.escape(clause)}"):
            table.audit(BANKER_BY_1, vigorish=other)


def vigorish_rounded(
    table: Table, clause: str, rate_clause: str, unit: int, vigorish: str, sums: dict[int, tuple[int, int]]
) -> None:
    """Prove the rounding of one percentage; `sums` are the exact and the rounded vigorish of amounts won."""
    chosen: dict[str, Any] = {"vigorish": vigorish, "vigorish_rounding_cents": unit}
    for won, (exact, rounded) in sums.items():
        assert owed(table.audit(BANKER_BY_1, bet("banker", won), vigorish=vigorish), "banker")[1] == exact
        assert owed(table.audit(BANKER_BY_1, bet("banker", won), **chosen), "banker")[1] == rounded
        if rounded > exact:
            # Never down, nor to anything else; and "may": the exact sum is only noted.
            _taken(table, (rate_clause,), "vigorish_wrong", won, rounded, exact + 2, **chosen)
            down = rounded - unit
            if down not in (0, exact):
                cites = (rate_clause, clause)
                found = _taken(table, cites, "vigorish_rounding_wrong", won, rounded, down, **chosen)
                assert [(step.cite, step.cents) for step in found.steps[-2:]] == [
                    (rate_clause, exact),
                    (clause, rounded),
                ]
            let = table.audit(BANKER_BY_1, bet("banker", won), settled=[paid("banker", won, exact)], **chosen)
            assert let.verdict == "clean"
            assert "vigorish_permissive" in notes(let)


def other_rounding(table: Table, clause: str, vigorish: str, *units: int) -> None:
    for unit in units:
        with pytest.raises(BadInput, match=rf"vigorish_rounding_cents: .*{re.escape(clause)}"):
            table.audit(BANKER_BY_1, vigorish=vigorish, vigorish_rounding_cents=unit)


def rounded_now_so_now_so(table: Table, clause: str, unit: int, exact: int, rounded: int) -> None:
    """Of $10.40 won 5% is taken exactly in one round and rounded in the next of a shoe."""
    script = table.script()
    script.open()
    for taken in (exact, rounded):
        spot = (3, "banker")
        script.play(BANKER_WINS, {spot: 1040}, "banker", {spot: 1040}, {spot: taken})
    script.close()
    heard = table.hear(script, vigorish="5%", vigorish_rounding_cents=unit)
    (finding,) = heard.shoes["shoe 1"].findings
    assert (finding.check, finding.citations) == ("vigorish_mixed", (clause,))


def vigorish_left_owing(table: Table, clause: str) -> None:
    """$4 marked of $100 won at 4% is still owing when the next shoe is played, or it was collected before."""
    for collected in (False, True):
        script = table.script()
        script.open()
        spot = (3, "banker")
        script.play(BANKER_WINS, {spot: 10_000}, "banker", {spot: 10_000}, {spot: 400}, marked=True)
        if collected:
            script.pay_off(3, 400)
        script.load("shoe 2")
        script.play(BANKER_WINS, {}, "banker", {})
        script.close()
        heard = table.hear(script, vigorish="4%", vigorish_deferred=True)
        assert set(heard.verdicts().values()) == {"clean"}
        found = [
            (shoe, each.check, each.citations, each.expected_cents, each.seat)
            for shoe, concluded in heard.shoes.items()
            for each in concluded.findings
        ]
        assert found == ([] if collected else [("shoe 1", "vigorish_left_owing", (clause,), 400, 3)])
    for marked, check in ((400, []), (0, ["vigorish_not_taken"]), (300, ["vigorish_wrong"])):
        won = paid("banker", 10_000, marked)
        how: dict[str, Any] = {"vigorish": "4%", "vigorish_deferred": True}
        assert checks(table.audit(BANKER_BY_1, bet("banker", 10_000), settled=[won], **how)) == check


def vigorish_on_a_tie(table: Table, clause: str) -> None:
    """25% of the wager on a tie, nothing on a win."""
    on_tie: dict[str, Any] = {"vigorish": "25% on tie"}
    for wagered, charged in ((100_000, 25_000), (10_000, 2500), (100, 25), (1050, 262), (2, 0)):
        for play in EQUAL:
            assert owed(table.audit(play, bet("banker", wagered), **on_tie), "banker") == (0, charged)
    assert owed(table.audit(BANKER_BY_1, bet("banker", 10_000), **on_tie), "banker") == (10_000, 0)
    assert owed(table.audit(PLAYER_BY_1, bet("banker", 10_000), **on_tie), "banker") == (-10_000, 0)
    assert owed(table.audit(TIE_AT_6, bet("player", 10_000), **on_tie), "player") == (0, 0)
    _taken(table, (clause,), "vigorish_not_taken", 10_000, 2500, 0, TIE_AT_6, 0, **on_tie)
    _taken(table, (clause,), "vigorish_wrong", 10_000, 2500, 500, TIE_AT_6, 0, **on_tie)
    _unauthorized(table, clause, BANKER_BY_1, 500, **on_tie)
    _unauthorized(table, clause, TIE_AT_6, 2500, vigorish="5%")
    with pytest.raises(BadInput, match="vigorish_deferred"):
        table.audit(TIE_AT_6, vigorish="25% on tie", vigorish_deferred=True)
    script = table.script()
    script.open()
    spot = (3, "banker")
    script.play(TIE, {spot: 10_000}, "tie", {}, {spot: 2500})
    script.play(BANKER_WINS, {spot: 10_000}, "banker", {spot: 10_000})
    script.play(TIE, {spot: 10_000}, "tie", {})
    script.close()
    heard = table.hear(script, **on_tie)
    assert heard.verdicts() == {"1": "clean", "2": "clean", "3": "mismatch"}
    assert checks(heard.rounds["3"]) == ["vigorish_not_taken"]


def charged_on_a_tie(table: Table, clause: str) -> None:
    """Charge a tied Banker wager, which goes back; where it is collected or paid, that is one fault."""
    on_tie: dict[str, Any] = {"vigorish": "25% on tie"}
    for play in EQUAL:
        assert table.owes(clause, play, "banker", 10_000, **on_tie) == (0, 2500)
        # That kind of vigorish alone, and of this wager alone.
        assert owed(table.audit(play, bet("banker"), vigorish="5%"), "banker") == (0, 0)
        assert owed(table.audit(play, bet("player"), **on_tie), "player") == (0, 0)
    for gain, charged, check in ((-10_000, 0, "push_collected"), (10_000, 0, "push_paid")):
        concluded = table.audit(
            TIE_AT_6, bet("banker", 10_000), settled=[paid("banker", gain, charged)], **on_tie
        )
        (finding,) = concluded.findings
        assert (finding.check, finding.citations[0]) == (check, clause)


def _taken(
    table: Table,
    clauses: tuple[str, ...],
    check: str,
    cents: int,
    due: int,
    taken: int,
    play: Play = BANKER_BY_1,
    gain: int | None = None,
    **options: Any,
) -> Finding:
    """Prove that a vigorish other than what is due is found, by its name and clauses; return the finding."""
    settled = [paid("banker", cents if gain is None else gain, taken)]
    concluded = table.audit(play, bet("banker", cents), settled=settled, **options)
    (finding,) = concluded.findings
    assert (finding.check, finding.expected_cents, finding.observed_cents) == (check, due, taken)
    assert finding.citations == clauses
    return finding


def _unauthorized(table: Table, clause: str, play: Play, taken: int, **options: Any) -> None:
    gain = owed(table.audit(play, bet("banker"), **options), "banker")[0]
    assert gain is not None
    concluded = table.audit(play, bet("banker"), settled=[paid("banker", gain, taken)], **options)
    (finding,) = concluded.findings
    assert finding.check == "vigorish_unauthorized"
    assert clause in finding.citations


def charge_rounded(table: Table, clause: str, rate_clause: str) -> None:
    chosen: dict[str, Any] = {"vigorish": "25% on tie", "vigorish_rounding_cents": 5}
    for wagered, charged in ((1050, 265), (1060, 265), (1044, 265), (1000, 250), (1, 5)):
        assert owed(table.audit(TIE_AT_6, bet("banker", wagered), **chosen), "banker") == (0, charged)
    _taken(table, (rate_clause, clause), "vigorish_rounding_wrong", 1050, 265, 260, TIE_AT_6, 0, **chosen)
    script = table.script()
    script.open()
    for charged in (262, 265):
        script.play(TIE, {(3, "banker"): 1050}, "tie", {}, {(3, "banker"): charged})
    script.close()
    (finding,) = table.hear(script, **chosen).shoes["shoe 1"].findings
    assert (finding.check, finding.citations) == ("vigorish_mixed", (clause,))


# ── decks, dates, irregularities ─────────────────────────────────────────────────────────────────────


def in_force_for_two_years(table: Table, clause: str) -> None:
    """From 2010-03-20 to 2012-03-19, or as long as a house holds it in force."""
    for day, in_force in (
        (datetime(2010, 3, 19, 20, tzinfo=UTC), False),
        (datetime(2010, 3, 20, 20, tzinfo=UTC), True),
        (datetime(2012, 3, 19, 20, tzinfo=UTC), True),
        (datetime(2012, 3, 20, 20, tzinfo=UTC), False),
        (datetime(2025, 1, 1, 20, tzinfo=UTC), False),
    ):
        concluded = baccarat_table.audit(BANKER_BY_1, bet("banker"), at=day, chapter=table.chapter)
        if in_force:
            assert concluded.verdict == "clean"
            continue
        assert (concluded.verdict, owed(concluded, "banker")) == ("undetermined", (None, None))
        (finding,) = concluded.findings
        assert (finding.check, finding.citations) == ("not_in_force", (clause,))
    held = House(house="later", in_force={table.chapter: Span(until=date(2030, 1, 1))})
    concluded = baccarat_table.audit(BANKER_BY_1, bet("banker"), house=held, chapter=table.chapter)
    assert (concluded.verdict, owed(concluded, "banker")) == ("clean", (10_000, 500))


def decks_admitted(table: Table, admitted: Sequence[int], refused: Sequence[int]) -> None:
    for decks in admitted:
        assert table.audit(PLAYER_BY_1, bet("player"), decks=decks).verdict == "clean"
    for decks in refused:
        with pytest.raises(BadInput, match=f"{decks} decks"):
            table.audit(PLAYER_BY_1, bet("player"), decks=decks)


def cards_of_a_shoe(table: Table, clause: str, decks: int, holds: int) -> None:
    """So many kings of clubs leave a shoe, and one more; the next shoe begins again."""
    script = table.script()
    script.say("T", e.TableOpened, inventory_cents=script.tray, heard=script.heard())
    for shoe in ("shoe 1", "shoe 2"):
        script.shoe = shoe
        script.say("S", e.ShoeLoaded, shoe=shoe, decks=holds)
        for n in range(holds + (shoe == "shoe 2")):
            suit = "cdhs"[n % 4]
            first, second = (
                ("7", "Q") if shoe == "shoe 1" else ("Q", "7")
            )  # another order, as of a shuffled shoe
            script.play(f"P6{suit} B{first}{suit} PKc B{second}{suit}", {}, "banker", {})
    script.close()
    heard = table.hear(script, decks)
    assert {number: verdict for number, verdict in heard.verdicts().items() if verdict != "clean"} == {
        str(2 * holds + 1): "mismatch"
    }
    (finding,) = heard.rounds[str(2 * holds + 1)].findings
    assert (finding.check, finding.citations[0]) == ("card_not_in_deck", clause)
    assert {each.verdict for each in heard.shoes.values()} == {"clean"}


def surplus_third(table: Table, stays: str, undisclosed: str, disclosed: str) -> None:
    """Return a card to a Player's Hand that stays: no record shows whether it was disclosed."""
    cites = (stays, undisclosed, disclosed)
    # 5 or less against 6: the Banker's Hand must draw, this card or another.
    for points in range(6):
        concluded = table.audit(
            deal("Kc 6c 3c", f"Kd {RANKS[points]}d"),
            *(bet(wager) for wager in ("player", "banker", "tie")),
            announced="banker",
            settled=[],
        )
        (finding,) = concluded.findings
        assert (finding.check, finding.citations) == ("third_card_extra", cites)
        assert finding.message.args["becomes"] == "undisclosed"  # the Banker's third card if it was not shown
        assert (concluded.outcome, {each.cents for each in concluded.expected}) == (None, {None})
    # 6 or 7 against 6 or 7: it stays, so the card is left out of both hands. It is left out too where the
    # Banker's Hand of 5 had its own third card, a 2, before.
    for hands, outcome, gains in (
        (deal("Kc 6c 3c", "Kd 6d"), "tie", [0, 80_000]),
        (deal("Kc 6c 3c", "Kd 7d"), "banker", [-10_000, -10_000]),
        (deal("Kc 7c 2c", "Kd 6d"), "player", [10_000, -10_000]),
        ([*deal("Kc 6c", "Kd 5d 2d"), ("player", "3c")], "banker", [-10_000, -10_000]),
    ):
        concluded = table.audit(hands, bet("player"), bet("tie"))
        (finding,) = concluded.findings
        assert (finding.check, finding.citations) == ("third_card_extra", cites)
        assert finding.message.args["becomes"] is None
        assert table.left_out(hands) == [next(card for card in reversed(hands) if card[0] == "player")]
        assert (concluded.outcome, [each.cents for each in concluded.expected]) == (outcome, gains)


def disclosed_card(table: Table, clause: str) -> None:
    """Discard a card and one beside it: they are part of no hand, and there is no other way with it."""
    play = [*deal("Kc 6c", "Kd 5d"), ("discard", "3c"), ("discard", "??"), ("banker", "Kh")]
    concluded = table.audit(play, bet("player"), disclosed_card="discard")
    assert (concluded.verdict, concluded.outcome) == ("clean", "player")  # 6 to 5
    with pytest.raises(BadInput, match=clause.replace("(", r"\(").replace(")", r"\)")):
        table.audit(play, disclosed_card="simulate")
    with pytest.raises(BadInput, match="simulated"):
        table.audit([("dealer", "simulated"), *play])


def void_round(table: Table, clause: str, **options: Any) -> None:
    """Where cards run out every wager goes back and nothing is charged."""
    play = [*deal("Kc 2c", "Kd 5d"), ("dealer", "void")]
    for wager in ("player", "banker", "tie"):
        assert table.owes(clause, play, wager, 10_000, **options) == (0, 0)
    concluded = table.audit(play, bet("banker"), settled=[paid("banker", -10_000)], **options)
    assert checks(concluded) == ["push_collected"]
    kept = table.audit(play, bet("banker"), settled=[paid("banker", 0, 500)], **options)
    assert checks(kept) == ["vigorish_unauthorized"]
    assert table.told(play, void=True) == [("called_void", clause.partition(".")[2])]
    for cards in ("PKc BKd P2c", "PKc BKd P2c B7d"):  # too few for the first four, or for a third card
        script = table.script()
        script.open()
        script.begin({(3, "player"): 1000})
        script.no_more_bets({(3, "player"): 1000})
        script.deal(cards)
        script.say("S", e.ShoeExhausted, round=script.number)
        script.announce("player")
        script.end()
        script.close()
        emptied = table.hear(script, **options).rounds["1"]
        assert ("void_not_called", (clause,)) in [(each.check, each.citations) for each in emptied.findings]
        assert (emptied.outcome, [each.cents for each in emptied.expected]) == ("void", [0])
