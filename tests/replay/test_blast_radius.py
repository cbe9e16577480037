"""`blast-radius` of a rule, a device and a span, on tables whose money is worked out here by hand."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from projections.engine.audit.restitution import Effect
from schemas import events as e
from tests.builders.round_records import printed_rows, rows_of_kind, run_verb, write_script_floor
from tests.builders.table_script import BANKER_WINS, TIE, Script, Spot, build_house

DOCS: Final = Path(__file__).parents[2] / "docs"
INCIDENTS: Final = (DOCS / "incidents.md").read_text(encoding="utf-8")
WHATIF: Final = (DOCS / "whatif.md").read_text(encoding="utf-8")
ANN: Spot = (3, "tie")
BOB: Spot = (6, "tie")
Rows = list[dict[str, Any]]


def rows(folder: Path, *arguments: object) -> Rows:
    return printed_rows("blast-radius", folder, *arguments)


def sums(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[f"{name}_cents"] for name in ("played", "owed", "difference", "to_patron", "to_house"))


def refused(*arguments: object) -> str:
    result = run_verb("blast-radius", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return str(result.stderr)


def ties() -> Script:
    """Play three rounds: two ties and a Banker's win; Ann, whom the house knows, sits in seat 3.

    Ties were paid 8 to 1: $10.00 brought $80.00; in round 3 somebody paid Ann's $7.00 9 to 1 all the same.
    """
    s = Script()
    s.open()
    s.say("T", e.PlayerSeated, seat=3, patron="Ann")
    s.say("T", e.DealerAssigned, dealer="dana", calling=True)
    s.play(TIE, {ANN: 1000, (5, "player"): 2000}, "tie", {ANN: 8000})
    s.play(BANKER_WINS, {ANN: 500}, "banker", {ANN: -500})
    s.play(TIE, {ANN: 700, BOB: 500}, "tie", {ANN: 6300, BOB: 4000})
    s.close()
    return s


# ── a pay table that was not the right one ───────────────────────────────────────────────────────────


def test_a_tie_that_ought_to_pay_9_to_1_is_owed_the_rest(tmp_path: Path) -> None:
    found = rows(write_script_floor(tmp_path, ties(), build_house()), "--rule", "631a.tie_odds=9")
    wagers = [
        (
            row["round"],
            row["seat"],
            row["patron"],
            row["played_cents"],
            row["owed_cents"],
            row["difference_cents"],
        )
        for row in rows_of_kind(found, "wager")
    ]
    assert wagers == [
        ("1", 3, "Ann", 8000, 9000, 1000),
        ("3", 3, "Ann", 6300, 6300, 0),  # was paid 9 to 1 as it was
        ("3", 6, None, 4000, 4500, 500),
    ]
    by_patron = {
        row["patron"]: (row["rounds"], row["hands"], *sums(row)) for row in rows_of_kind(found, "patron")
    }
    assert by_patron == {
        "Ann": (2, 2, 14300, 15300, 1000, 1000, 0),
        "not known": (1, 1, 4000, 4500, 500, 500, 0),
    }
    (dealer,), (table,), (total,) = (rows_of_kind(found, kind) for kind in ("dealer", "table", "total"))
    assert (dealer["dealer"], table["table"]) == ("dana", "BAC-1")
    assert sums(dealer) == sums(table) == sums(total) == (18300, 19800, 1500, 1500, 0)
    assert (total["rounds"], total["hands"], total["effect"]) == (2, 3, "changed")


def test_what_was_paid_beyond_the_right_rule_is_the_houses(tmp_path: Path) -> None:
    found = rows(
        write_script_floor(tmp_path, ties(), build_house(tie_odds=9)), "--rule", "baccarat.tie_odds=8"
    )
    # 7.00 at 8 to 1 is 56.00, and 63.00 was paid; the other two were paid 8 to 1 although 9 was on record.
    assert [sums(row) for row in rows_of_kind(found, "total")] == [(18300, 17600, -700, 0, -700)]


def test_what_was_not_on_offer_has_no_amount(tmp_path: Path) -> None:
    s = Script()
    s.open()
    bonus: Spot = (2, "dragon_bonus_player")
    s.play(BANKER_WINS, {bonus: 500}, "banker", {bonus: -500})
    s.close()
    found = rows(
        write_script_floor(tmp_path, s, build_house(dragon_bonus="A")), "--rule", "631a.dragon_bonus=null"
    )
    (wager,), (total,) = rows_of_kind(found, "wager"), rows_of_kind(found, "total")
    assert (wager["effect"], wager["played_cents"], wager["owed_cents"]) == ("unplayable", -500, None)
    assert "the house does not offer the wager here" in wager["says"]
    assert sums(total) == (-500, None, None, None, None)


# ── from where to where ──────────────────────────────────────────────────────────────────────────────


# The table opened at 05:33:20 in New York; its third round opens 21.6 seconds and more later.
@pytest.mark.parametrize(
    ("span", "rounds"),
    [
        (["--from", "3"], ["3"]),
        (["--to", "2"], ["1"]),
        (["--from", "2025-04-01/1", "--to", "2025-04-01/3"], ["1", "3"]),
        (["--from", "2025-04-01"], ["1", "3"]),
        (["--to", "2025-03-31"], []),
        (["--from", "2025-04-01T05:33:30"], ["3"]),
        (["--to", "2025-04-01T09:33:30Z"], ["1"]),
    ],
)
def test_a_span_is_of_rounds_moments_or_days(tmp_path: Path, span: list[str], rounds: list[str]) -> None:
    folder = write_script_floor(tmp_path, ties(), build_house())
    arguments = ["--rule", "631a.tie_odds=9", "--table", "BAC-1", *span]
    if rounds:
        assert [row["round"] for row in rows_of_kind(rows_of(folder, arguments), "round")] == rounds
    else:
        assert "no round there was played under Chapter 631a within the span" in refused(folder, *arguments)


def rows_of(folder: Path, arguments: list[str]) -> Rows:
    return rows(folder, *arguments)


def test_one_round_number_on_two_days_is_distinguished(tmp_path: Path) -> None:
    s = ties()
    s.now += 24 * 3600
    s.count = 0
    s.open()
    s.play(TIE, {BOB: 500}, "tie", {BOB: 4000})
    s.close()
    folder = write_script_floor(tmp_path, s, build_house())
    arguments = ("--rule", "631a.tie_odds=9", "--table", "BAC-1", "--from")
    says = refused_in_the_end(folder, *arguments, "1")
    assert "was played on 2025-04-01 and 2025-04-02; say which as 2025-04-01/1" in says
    found = rows(folder, *arguments, "2025-04-02/1")
    assert [(row["gaming_date"], row["round"]) for row in rows_of_kind(found, "round")] == [
        ("2025-04-02", "1")
    ]


def refused_in_the_end(*arguments: object) -> str:
    """Return what is said where rows were printed before it was known; by the status they do not count."""
    result = run_verb("blast-radius", *arguments, "--format", "jsonl")
    assert result.exit_code == 2
    return str(result.stderr)


# ── a reader out of order ────────────────────────────────────────────────────────────────────────────


def two_readers() -> Script:
    """Play four rounds: the camera reads another card in the second, not all of one in the third.

    In the fourth the shoe could not read a card, and the camera did.
    """
    s = Script()
    s.open()
    s.play(TIE, {ANN: 1000}, "tie", {ANN: 8000})
    _with_camera(s, ["6c", "7d", "Kc", "9d"])
    _with_camera(s, ["6c", "7d", "Kc", "??"])
    _with_camera(s, ["6c", "7d", "Kc", "Kd"], unread="Kd")
    s.close()
    return s


def _with_camera(s: Script, seen: list[str], unread: str = "") -> None:
    """Play a win of 6 to 7 for the Banker; the camera sees these cards, and the shoe could not read one."""
    s.begin({ANN: 500})
    s.no_more_bets({ANN: 500})
    dealt = zip(
        ("player", "banker", "player", "banker"), (1, 1, 2, 2), ("6c", "7d", "Kc", "Kd"), seen, strict=True
    )
    for hand, place, card, other in dealt:
        s.say("S", e.CardDrawn, 1.5, round=s.number, hand=hand, card="??" if card == unread else card)
        s.say("V", e.CardSeen, 0.3, round=s.number, hand=hand, place=place, card=other)
    s.announce("banker")
    s.settle({ANN: -500})
    s.end()


def rests(folder: Path, device: str) -> list[tuple[str, str]]:
    return [(row["round"], row["effect"]) for row in rows_of_kind(rows(folder, "--device", device), "round")]


def test_cards_that_two_readers_saw_alike_are_confirmed(tmp_path: Path) -> None:
    folder = write_script_floor(tmp_path, two_readers(), build_house())
    assert rests(folder, "S") == [
        ("1", "confirmed"),
        ("2", "contradicted"),
        ("3", "alone"),
        ("4", "confirmed"),
    ]
    total = {row["effect"]: sums(row) for row in rows_of_kind(rows(folder, "--device", "S"), "total")}
    # Of the first round, $10.00 at 8 to 1, and the last, $5.00 lost, it is known that they are what was owed.
    assert total["confirmed"] == (7500, 7500, 0, 0, 0)
    assert total["contradicted"] == total["alone"] == (-500, None, None, None, None)


def test_a_second_reader_carries_nothing_alone(tmp_path: Path) -> None:
    folder = write_script_floor(tmp_path, two_readers(), build_house())
    # In round 2 the cards are contradicted, which leaves it open whatever the tray read.
    others = [("3", "not_relied_on"), ("4", "not_relied_on")]
    assert rests(folder, "I") == [("1", "not_relied_on"), ("2", "not_known"), *others]


def test_what_has_no_second_reader_rests_on_the_first(tmp_path: Path) -> None:
    s = Script(without="V")
    s.open()
    s.play(TIE, {ANN: 1000}, "tie", {ANN: 8000})
    s.close()
    folder = write_script_floor(tmp_path, s, build_house(without="V"))
    assert rests(folder, "S") == rests(folder, "C") == rests(folder, "T") == [("1", "alone")]


def test_stakes_and_settlement_are_held_against_camera_and_tray(tmp_path: Path) -> None:
    s = Script()
    s.open()
    s.begin({ANN: 1000, BOB: 500})
    s.on(BOB, e.ChipsRemoved, 500)  # who takes it all back has no stake that could be read
    s.no_more_bets({ANN: 1000})
    s.deal(TIE)
    s.announce("tie")
    s.settle({ANN: 8000})
    s.end()
    s.begin({ANN: 1000})
    s.no_more_bets({ANN: 1500})
    s.deal(TIE)
    s.announce("tie")
    s.settle({ANN: 8000})
    s.end()
    s.begin({ANN: 1000})
    s.no_more_bets({ANN: 1000})
    s.deal(TIE)
    s.announce("tie")
    s.settle({ANN: 8000})
    s.tray -= 500  # five dollars more than the chip reader saw left the tray
    s.end()
    s.close()
    folder = write_script_floor(tmp_path, s, build_house())
    assert rests(folder, "C") == [("1", "confirmed"), ("2", "contradicted"), ("3", "contradicted")]


# ── wrong calls ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "say exactly one defect"),
        (("--device", "S", "--decks", "2"), "say exactly one defect"),
        (("--card", "8d"), "--extra or --missing"),
        (("--card", "8d", "--extra", "--missing"), "--extra or --missing"),
        (("--card", "8x", "--extra"), "'8x' is no card"),
        (("--card", "8d", "--extra"), "say --table NAME"),
        (("--device", "S", "--shoe", "shoe 1"), "--shoe goes with"),
        (("--device", "SS"), "no table has a device 'SS'; nearest: S"),
        (("--decks", "2", "--table", "BAC-2"), "no table 'BAC-2' in the house file; nearest: BAC-1"),
        (("--decks", "2", "--table", "BAC-1", "--shoe", "shoe 2"), "nearest: shoe 1"),
        (("--rule", "631a.tie_pays=9"), "no option 'tie_pays' in Chapter 631a; nearest: tie_odds"),
        (("--rule", "631b.tie_odds=9"), "no game '631b'; nearest: 631a"),
        (("--rule", "tie_odds"), "write CHAPTER.OPTION=VALUE"),
        (("--rule", "631a.tie_odds=7"), "7 is outside what Chapter 631a admits"),
        (("--rule", "631a.tie_odds=9", "--from", "2"), "say --table NAME"),
        (("--rule", "631a.tie_odds=9", "--from", "2025-13-01"), "is no time"),
        (("--rule", "631a.tie_odds=9", "--from", "2025-04-02", "--to", "2025-04-01"), "before it begins"),
        (
            ("--rule", "631a.tie_odds=9", "--table", "BAC-1", "--to", "2000"),
            "round 2000 of table BAC-1 is not",
        ),
    ],
)
def test_a_wrong_call_says_what_to_do(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    result = run_verb("blast-radius", write_script_floor(tmp_path, ties(), build_house()), *arguments)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert says in result.stderr


def test_the_page_names_every_effect_and_the_pages_columns_are_the_lists(tmp_path: Path) -> None:
    effects = set(get_args(Effect))
    assert effects == set(re.findall(r"^\| `(\w+)` \|", INCIDENTS, re.MULTILINE))
    others = re.findall(r"^\| `(\w+)` \|", WHATIF.partition("| column |")[0], re.MULTILINE)
    assert set(others) <= effects
    (row, *_) = rows(write_script_floor(tmp_path, ties(), build_house()), "--rule", "631a.tie_odds=9")
    told = set(re.findall(r"`(\w+)`", INCIDENTS + WHATIF))
    plain = {"kind", "gaming_date", "table", "round", "shoe", "seat", "bettor", "wager", "hand", "effect"}
    assert row.keys() - plain <= told
