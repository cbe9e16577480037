"""Call script of a round, worked by hand for every game: what to do, and why."""

from collections.abc import Iterator
from datetime import date, datetime
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from projections.casework.alerts.queues import Sum, sums_of
from projections.casework.cases.alert import alerts_of
from projections.engine.observation import Round
from projections.store.store import Store
from projections.web.phrases.call_script import call_script, call_script_text, hand_sums
from projections.web.records.record_views import RecordKey
from projections.web.records.store_queries import Reader
from schemas.house import DEFAULT
from tests.builders.round_records import BANKER, PLAYER, TIE, build_record
from tests.builders.stores import RUN, judge_record, read_record_view, store_records

ZONE = "America/New_York"
IN_2011 = "2011-01-02T01:15:00Z"  # when the temporary regulations were in force
ROUND = "Round 41 at BAC-7, 8:15 PM"  # 1:15 AM UTC is 8:15 PM in New York
_RUNS = count(1)


def wager(seat: int, name: str, cents: int, **more: Any) -> dict[str, Any]:
    return {"seat": seat, "wager": name, "cents": cents, **more}


def paid(seat: int, name: str, cents: int, vigorish: int = 0, **more: Any) -> dict[str, Any]:
    return {"seat": seat, "wager": name, "cents": cents, "vigorish_cents": vigorish, **more}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a store for one round of each test, in a run of its own."""
    with Store(tmp_path_factory.mktemp("written") / "store.duckdb") as store:
        yield store


def said(store: Store, told: dict[str, Any]) -> str:
    day = datetime.fromisoformat(told["at"]).astimezone(ZoneInfo(ZONE)).date()
    run = replace(RUN, run=f"run {next(_RUNS)}")
    store.write(run, [judge_record(told)])
    view = Reader(store.reading(), DEFAULT).record("round", RecordKey(run.run, day, "BAC-7", "41"), None)
    assert view is not None
    says = call_script_text(view, ZONE)
    assert says.startswith(ROUND)
    return says.removeprefix(ROUND)[2:]


TWO_HANDS = [
    pytest.param(
        build_record(BANKER, announced="banker", wagers=[wager(3, "banker", 10000)],
               paid=[paid(3, "banker", 10000)]),
        # 7 beats 6; 5% of $100.00 is $5.00, and none was taken.
        "Seat 3: take back $5. "
        "Player's Hand 6, Banker's Hand 7, result banker; seat 3 banker $100.00 was paid $100.00, "
        "$95.00 is owed after vigorish.",
        id="vigorish not taken",
    ),
    pytest.param(
        build_record(PLAYER, wagers=[wager(1, "player", 2500), wager(2, "banker", 1000)],
               paid=[paid(1, "player", 2500), paid(2, "banker", -1000)], announced="player"),
        "Player's Hand 7, Banker's Hand 6, result player; 2 wagers settled as owed.",
        id="clean",
    ),
    pytest.param(
        build_record(
            TIE, wagers=[wager(1, "player", 2500)], paid=[paid(1, "player", -2500)], announced="tie"),
        # Six all: the wager is returned.
        "Seat 1: pay $25. "
        "Player's Hand 6, Banker's Hand 6, result tie; seat 1 player $25.00 had $25.00 collected, "
        "it is to be returned.",
        id="a push collected",
    ),
    pytest.param(
        build_record(PLAYER, wagers=[wager(1, "player", 2500), wager(4, "tie", 500, bettor="anna")],
               paid=[paid(1, "player", 2500), paid(4, "tie", 4000, bettor="anna")], announced="tie"),
        # The Tie lost, and with the $5.00 8 to 1 on it was paid. What was announced is another finding.
        "Seat 4 anna: take back $45. "
        "Player's Hand 7, Banker's Hand 6, result player; seat 4 anna tie $5.00 was paid $40.00, "
        "$5.00 is to be collected; 1 other wager settled as owed; "
        "announced tie; the cards give player.",
        id="announced wrongly, and paid by it",
    ),
    pytest.param(
        build_record(PLAYER, wagers=[wager(2, "player", 1000, coupon_cents=500, coupon="MP-1")],
               paid=[paid(2, "player", 1000)], announced="player"),
        # $10.00 and a coupon of $5.00 at 1 to 1 make $15.00.
        "Seat 2: pay $5. "
        "Player's Hand 7, Banker's Hand 6, result player; seat 2 player $10.00 and a coupon of $5.00 was "
        "paid $10.00, $15.00 is owed.",
        id="a coupon not paid",
    ),
    pytest.param(
        build_record(PLAYER, wagers=[wager(2, "player", 2500)], paid=[paid(2, "player", 2500, 125)],
               announced="player"),
        # No vigorish is taken of the Player's Hand.
        "Seat 2: pay $1.25. "
        "Player's Hand 7, Banker's Hand 6, result player; seat 2 player $25.00 was paid $23.75, $25.00 is "
        "owed without vigorish.",
        id="vigorish where none is due",
    ),
    pytest.param(
        build_record(PLAYER, wagers=[wager(1, "player", 2500)], announced="player",
               paid=[paid(1, "player", 2500), paid(3, "tie", 4000), paid(4, "banker", -500)]),
        # Nothing lay on seat 3's Tie nor on seat 4's Banker: nothing is owed there, 631a.12(b).
        "Seat 3: take back $40. Seat 4: pay $5. Owed to patron $5.00; overpaid $40.00. "
        "Player's Hand 7, Banker's Hand 6, result player; seat 3 tie $0.00 was paid $40.00, nothing is owed; "
        "seat 4 banker $0.00 had $5.00 collected, nothing is owed; 1 other wager settled as owed.",
        id="paid and collected where no wager lay",
    ),
    pytest.param(
        build_record([["player", "??"], ["banker", "7d"], ["player", "Kc"], ["banker", "Kd"]],
               wagers=[wager(1, "banker", 2500)], announced="banker"),
        # Any card from an ace to a 5 would have drawn: nobody can tell the result.
        "Player's Hand not read, Banker's Hand 7, result open, announced banker; 1 wager left open; "
        "undetermined, not read, and the result hangs on it: player ??.",
        id="undetermined",
    ),
    pytest.param(
        build_record(
            [["player", "6c"], ["dealer", "void"]], announced="void", wagers=[wager(1, "banker", 2500)],
               paid=[paid(1, "banker", 0)]),
        "called void; 1 wager settled as owed.",
        id="void",
    ),
    pytest.param(
        build_record(BANKER, announced="banker", wagers=[wager(1, "banker", 2500)]),
        "Player's Hand 6, Banker's Hand 7, result banker; the settlement of 1 wager not seen.",
        id="settlement not seen",
    ),
    pytest.param(
        build_record(BANKER, announced="banker", paid=[]),
        "Player's Hand 6, Banker's Hand 7, result banker; no wager seen.",
        id="nobody wagered",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("told", "says"), TWO_HANDS)
def test_two_hands_are_reported(written: Store, told: dict[str, Any], says: str) -> None:
    assert said(written, told) == says


OTHERS = [
    pytest.param(
        build_record(
            [["seat1", "Kd"], ["dealer", "Kc"], ["seat1", "8s"], ["dealer", "7h"], ["seat1", "stand"]],
               chapter="551", at=IN_2011,
               wagers=[wager(1, "wager", 1000)], paid=[paid(1, "wager", -1000)]),
        # 18 against the dealer's 17 wins even money.
        "Seat 1: pay $20. "
        "Dealer 17; seat 1 with 18, wager $10.00 had $10.00 collected, $10.00 is owed.",
        id="551",
    ),
    pytest.param(
        build_record(
            [["seat1", "8d"], ["dealer", "Kc"], ["seat1", "8s"], ["dealer", "8h"], ["seat1", "split"],
                ["seat1", "Jc"], ["seat1", "stand"], ["seat1.2", "3c"], ["seat1.2", "7c"],
                ["seat1.2", "stand"]],
               chapter="551", at=IN_2011,
               wagers=[wager(1, "wager", 1000), wager(1, "wager", 1000, hand="seat1.2")],
               paid=[paid(1, "wager", 1000), paid(1, "wager", 0, hand="seat1.2")]),
        # A hand of 18 pushes the dealer's 18 and was paid; the second, 18 too, was returned.
        "Seat 1: take back $10. "
        "Dealer 18; seat 1 with 18, wager $10.00 was paid $10.00, it is to be returned; "
        "1 other wager settled as owed.",
        id="551 split",
    ),
    pytest.param(
        build_record(
            [["seat1", "Ks"], ["dealer", "6c"], ["seat1", "8d"], ["dealer", "Ah"], ["dealer", "large"],
                ["seat1", "stand"]],
               chapter="685a", wagers=[wager(1, "bet", 1000)], paid=[paid(1, "bet", 1500)]),
        # 18 against 17 wins even money.
        "Seat 1: take back $5. "
        "Dealer 17; seat 1 with 18, bet $10.00 was paid $15.00, $10.00 is owed.",
        id="685a",
    ),
    pytest.param(
        build_record([["player", "Kd"], ["banker", "Kc"], ["player", "9d"], ["banker", "8c"]],
               chapter="681a", wagers=[wager(1, "player", 1000)], paid=[paid(1, "player", 0)],
               announced="player"),
        # 19 against 18.
        "Seat 1: pay $10. "
        "Player's Hand 19, Banker's Hand 18, result player; seat 1 player $10.00 was returned, "
        "$10.00 is owed.",
        id="681a",
    ),
    pytest.param(
        build_record(
            [["dealer.high", "6-4"], ["dealer.high", "6-4"], ["dealer.low", "6-6"], ["dealer.low", "5-1"],
                ["seat1.high", "1-1"], ["seat1.high", "1-1"], ["seat1.low", "3-2"], ["seat1.low", "2-2"]],
               chapter="535", at=IN_2011, wagers=[wager(1, "pai_gow", 2000)],
               paid=[paid(1, "pai_gow", 2000)]),
        # Both hands of seat 1 are the higher ones (535.4): $20.00, less 5%.
        "Seat 1: take back $1. "
        "Dealer high hand Matched Pair, rank 10 and low hand value 8; seat 1 with high hand Matched Pair, "
        "rank 3 and low hand value 9, pai gow $20.00 was paid $20.00, $19.00 is owed after vigorish.",
        id="535",
    ),
    pytest.param(
        build_record(
            [["dealer.high", "6-6"], ["dealer.high", "6-1"], ["dealer.low", "6-4"], ["dealer.low", "6-1"],
                ["seat1.high", "5-3"], ["seat1.high", "6-2"], ["seat1.low", "5-5"], ["seat1.low", "6-3"]],
               chapter="535", at=IN_2011, wagers=[wager(1, "pai_gow", 2500)],
               paid=[paid(1, "pai_gow", 2500, 125)]),
        # He has to play the pair (535.10(d)(2)), which is above seat 1's high hand: a tie.
        "Seat 1: take back $23.75. "
        "Dealer high hand value 9 and low hand value 7; the dealer set his hands otherwise than the text and "
        "the house's submission ask; set anew, they are high hand 6-1 6-1 (Matched Pair, rank 11) and low "
        "hand 6-4 6-6 (value 2); seat 1 with high hand Mixed Pair, rank 14 and low hand value 9, pai gow "
        "$25.00 was paid $23.75, it is to be returned without vigorish.",
        id="535 set anew",
    ),
    pytest.param(
        build_record(
            [["seat1", "8d"], ["dealer", "Kc"], ["seat1", "8s"], ["dealer", "8h"], ["seat1", "split"],
                ["seat1", "Jc"], ["seat1", "stand"], ["seat1.2", "3c"], ["seat1.2", "7c"],
                ["seat1.2", "stand"]],
               chapter="551", at=IN_2011,
               wagers=[wager(1, "wager", 1000), wager(1, "wager", 500, hand="seat1.2")]),
        # The second hand's stake is not the first one's, 551.12(a).
        "Dealer 18; 1 wager left open; the settlement of 1 wager not seen; seat 1 hand 2: the split hand's "
        "stake of $5.00 is not the original wager of $10.00.",
        id="551 split hand's stake",
    ),
    pytest.param(
        build_record([["shooter", "seat7"], ["dice", "1-1"], ["dealer", "mark 2"], ["dice", "6-1"],
                ["dealer", "clear"]],
               chapter="623a", wagers=[wager(3, "all_small", 500), wager(4, "all_tall", 500)],
               paid=[paid(3, "all_small", -500)]),
        # A 7 before the numbers are made: both lose (623a.12(5)), and seat 4's was left lying.
        "Seat 4: take back $5. "
        "Dice 1-1, 6-1; seat 4 all tall $5.00 was returned, $5.00 is to be collected; "
        "1 other wager settled as owed.",
        id="623a",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("told", "says"), OTHERS)
def test_every_other_game_is_reported(written: Store, told: dict[str, Any], says: str) -> None:
    assert said(written, told) == says


def test_counts_are_those_of_the_rules_that_the_round_was_judged_by(tmp_path: Path, written: Store) -> None:
    # 8 and a ten is a Natural: the Player's Hand stays, and the 4 given to it is disregarded (631a.11(a)).
    natural = build_record(
        [["player", "8c"], ["banker", "7d"], ["player", "Kc"], ["banker", "Kd"], ["player", "4s"]],
        announced="player",
        options={"tie_odds": "9 to 1"},  # which no house file tells
    )
    found = "the Player's Hand got a card although a Natural was on the table; no wager seen."
    assert said(written, natural) == (f"Player's Hand 8, Banker's Hand 7, result player; {found}")
    # A hand that was stored without how it lay counts every card, and says so.
    seen, conclusion, revision = judge_record(natural)
    assert isinstance(seen, Round)
    with Store(tmp_path / "bare.duckdb") as store:
        store.write(RUN, [(replace(seen, laid=None), conclusion, revision)])
    assert call_script_text(read_record_view(tmp_path / "bare.duckdb", "41"), ZONE) == (
        f"{ROUND}: Player's Hand 2, Banker's Hand 7 by all cards seen, result player; {found}"
    )


def turned(*more: tuple[int, str, int, int]) -> dict[str, Any]:
    """Write a round that the Player's Hand won and that was settled as if the Banker's had, but at seat 5.

    The differences are $200.00, $50.00, $60.00 and $20.00; `more` are wagers with what was paid on each.
    """
    made = [
        (1, "banker", 10000, 10000),
        (2, "player", 2500, -2500),
        (3, "banker", 3000, 3000),
        (4, "player", 1000, -1000),
        (5, "player", 500, 500),
        *more,
    ]
    return build_record(
        PLAYER,
        wagers=[wager(seat, name, cents) for seat, name, cents, _ in made],
        paid=[paid(seat, name, gain) for seat, name, _, gain in made],
        announced="player",
    )


def test_every_wrong_wager_is_said_and_first_what_to_do_at_each_seat(tmp_path: Path) -> None:
    told = read_record_view(store_records(tmp_path / "store.duckdb", turned()), "41")
    assert call_script_text(told, ZONE) == (
        f"{ROUND}. Seat 1: take back $200. Seat 2: pay $50. Seat 3: take back $60. Seat 4: pay $20. "
        "Owed to patrons $70.00 in 2 wagers; overpaid $260.00 in 2 wagers. "
        "Player's Hand 7, Banker's Hand 6, result player; "
        "seat 1 banker $100.00 was paid $100.00, $100.00 is to be collected; "
        "seat 2 player $25.00 had $25.00 collected, $25.00 is owed; "
        "seat 3 banker $30.00 was paid $30.00, $30.00 is to be collected; "
        "seat 4 player $10.00 had $10.00 collected, $10.00 is owed; "
        "1 other wager settled as owed."
    )


def test_the_wagers_of_a_seat_are_settled_at_once_and_both_sides_stay_apart(tmp_path: Path) -> None:
    # Seat 1 also lost $40.00 on the Player's Hand that won: $80.00 are owed there, $200.00 were overpaid.
    told = read_record_view(
        store_records(tmp_path / "store.duckdb", turned((1, "player", 4000, -4000))), "41"
    )
    script = call_script(told, ZONE)
    assert script.acts == (
        "Seat 1: take back $120 ($80 owed, $200 overpaid)",
        "Seat 2: pay $50",
        "Seat 3: take back $60",
        "Seat 4: pay $20",
    )
    # By wager: $80.00, $50.00 and $20.00 are owed, $200.00 and $60.00 were overpaid.
    both = (Sum("house", 15_000, 3), Sum("patron", 26_000, 2))
    assert hand_sums(told) == both
    # The row of the queue, which has the alerts alone, says the same.
    _, said, _ = judge_record(turned((1, "player", 4000, -4000)))
    assert sums_of(alerts_of(said, "run")) == both


def test_a_lost_wager_that_was_paid_is_corrected_though_no_text_judges_its_coupon(tmp_path: Path) -> None:
    # Chapter 603a begins on 2013-02-09. A Player's Hand of 8 beats a 7: the Banker's wager was lost, with its
    # coupon or without, 543.8(a)(1)(ii). It was paid $20.00 less $1.00 in vigorish, and had $20.00 to lose.
    lost = build_record(
        [["player", "8d"], ["banker", "Tc"], ["player", "Kh"], ["banker", "7s"]],
        chapter="543",
        at="2011-01-01T20:39:43Z",
        wagers=[wager(1, "banker", 2000) | {"coupon_cents": 500}],
        paid=[paid(1, "banker", 2000) | {"vigorish_cents": 100}],
        announced="player",
    )
    store = store_records(tmp_path / "store.duckdb", lost)
    told = read_record_view(store, "41", day=date(2011, 1, 1))
    assert {(each.check, each.weight) for each in told.findings} == {
        ("not_in_force", "undetermined"),
        ("paid_too_much", "mismatch"),
    }
    assert hand_sums(told) == (Sum("patron", 3900, 1),)
    assert call_script(told, ZONE).acts == ("Seat 1: take back $39",)


def test_of_sixteen_wrong_wagers_none_is_left_out(tmp_path: Path) -> None:
    # At seats 6 to 17 $10.00 each was collected of the Player's Hand that won: $20.00 are owed.
    many = [(seat, "player", 1000, -1000) for seat in range(6, 18)]
    script = call_script(
        read_record_view(store_records(tmp_path / "store.duckdb", turned(*many)), "41"), ZONE
    )
    assert script.acts[4:] == tuple(f"Seat {seat}: pay $20" for seat in range(6, 18))
    assert script.why.count(" had $10.00 collected, $10.00 is owed") == 13


def test_several_bettors_at_a_seat_are_distinguished_and_none_pays_for_another(tmp_path: Path) -> None:
    # Of a tie, Player and Banker are returned: $1,090.00 and $81.00 were collected at seat 1; at 6 $40.00
    # of one was, and another was paid $120.00.
    made = [
        (1, "A", 109_000, -109_000),
        (1, "B", 8_100, -8_100),
        (6, "A", 4_000, -4_000),
        (6, "B", 12_000, 12_000),
    ]
    told = build_record(
        TIE,
        announced="player",
        wagers=[wager(seat, "player", cents, bettor=who) for seat, who, cents, _ in made],
        paid=[paid(seat, "player", gain, bettor=who) for seat, who, _, gain in made],
    )
    script = call_script(read_record_view(store_records(tmp_path / "store.duckdb", told), "41"), ZONE)
    assert script.acts == (
        "Seat 1: pay $1,171 (A $1,090, B $81)",
        "Seat 6: pay A $40, take back $120 from B",
    )
    assert script.sums == (Sum("house", 121_100, 3), Sum("patron", 12_000, 1))
