"""Side wagers that a house's pay table settles; every hand is worked by hand from the table's own words."""

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner

from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import answer, book_of, to_record, to_round
from projections.engine.audit.rulebooks import mistakes
from projections.engine.conclusion import Conclusion
from replay.cli import main
from schemas import house as houses
from schemas.errors import BadInput
from schemas.plain import line_of
from schemas.record import RoundRecord
from tests.builders.table_audit import finding_checks, note_checks
from tests.law.baccarat_table import Play, deal

CITE: Final = "Board order 12"

# What people call the lines says which of them decided.
PAIRS: Final = """
  - {name: perfect, if: {player_first_two: {same: [rank, suit]}}, pays: 25 to 1}
  - {name: colored, if: {player_first_two: {same: [rank, color]}}, pays: 12 to 1}
  - {name: mixed, if: {player_first_two: {same: [rank]}}, pays: 6 to 1}
"""
BANKER_BY: Final = """
  - {name: natural, if: {winner: banker, banker: {natural: true}}, pays: 1 to 1}
  - {name: natural tie, if: {winner: tie, banker: {natural: true}}, pays: push}
  - {name: by nine, if: {winner: banker, margin: 9}, pays: 30 to 1}
  - {name: by six or more, if: {winner: banker, margin: [6, 7, 8]}, pays: 9/2}
  - {name: by five, if: {winner: banker, margin: 5}, pays: undecided}
"""
CARDS: Final = """
  - {name: nines, if: [{player: {total: 9, cards: 3}}, {banker: {total: 9, cards: 3}}], pays: 10 to 1}
  - {name: royal, if: {player_first_two: {ranks: [K, Q], suits: [h]}}, pays: 50 to 1}
  - {name: straight flush, if: {banker: {straight: true, same: [suit], cards: 3}}, pays: 40 to 1}
  - {name: pictures, if: {banker: {among: [J, Q, K]}}, pays: 3 to 1}
"""
NATURALS: Final = """
  - {name: eight, if: {banker_first_two: {total: 8}}, pays: 1 to 1}
  - {name: natural, if: {banker_first_two: {natural: true}}, pays: push}
"""


def record(pays: str, play: Play, **otherwise: Any) -> RoundRecord:
    fields = {
        "table": "BAC-1",
        "round": "1",
        "chapter": "631a",
        "at": "2025-03-01T21:00:00-05:00",
        "play": play,
        "wagers": [{"seat": 1, "wager": "side", "cents": 500}],
        "offered": {"side": {"cite": CITE, "paytable": msgspec.yaml.decode(pays)}},
    }
    return msgspec.convert(fields | otherwise, RoundRecord)


def settle(pays: str, play: Play, **otherwise: Any) -> Conclusion:
    return answer(record(pays, play, **otherwise), houses.DEFAULT)


def owed(pays: str, play: Play, **otherwise: Any) -> int | None:
    (expected,) = settle(pays, play, **otherwise).expected
    assert expected.vigorish_cents == (None if expected.cents is None else 0)
    return expected.cents


@pytest.mark.parametrize(
    ("pays", "play", "cents"),
    [
        (PAIRS, deal("8c 8c", "6d Kd"), 12_500),
        (PAIRS, deal("8c 8s", "6d Kd"), 6000),  # both black
        (PAIRS, deal("8h 8s", "6d Kd"), 3000),
        (PAIRS, deal("Kh Qh 2c", "7d Kd"), -500),  # of one value, not of one rank
        (PAIRS, deal("3h 4s 3d", "7d Kd"), -500),  # with the third card
        (PAIRS, deal("6h Ts", "9d 9d"), -500),  # at the other hand
        (BANKER_BY, deal("Kh Qs", "9d Kd"), 500),  # a Natural 9 against 0: by the first line that holds
        (BANKER_BY, deal("8h Ks", "8d Kd"), 0),
        (BANKER_BY, deal("Kh Qs Jd", "2d Kd 7h"), 15_000),  # 9 against 0
        (BANKER_BY, deal("Kh Qs Ad", "3d Kd 4h"), 2250),  # 7 against 1, at 9/2
        (BANKER_BY, deal("Kh Qs 2d", "6d Kd"), -500),  # 6 against 2
        (BANKER_BY, deal("8h Ks", "2d Kd"), -500),  # the Player's Hand by 6
        (CARDS, deal("2c 2d 5h", "7d Kd"), 5000),  # 9 on three cards
        (CARDS, deal("7c Kd", "2d Kd 7h"), 5000),  # the other way to it
        (CARDS, deal("9c Kd", "2d Kd"), -500),  # 9 on two cards
        (CARDS, deal("Qh Kh 2c", "7d Kd"), 25_000),
        (CARDS, deal("Qh Kd 2c", "7d Kd"), -500),  # one of them is no heart
        (CARDS, deal("6c Kc", "2d Ad 3d"), 20_000),
        (CARDS, deal("6c Kc", "Kd Ad Qd"), 20_000),  # the ace high
        (CARDS, deal("6c Kc", "Kd Ad 2d"), -500),  # and not round the corner
        (NATURALS, deal("Kh Qs", "9h 9d"), 500),  # 18 counts 8
        (NATURALS, deal("Kh Qs", "5h 4d"), 0),
        (NATURALS, deal("Kh Qs 2c", "7d Jd"), -500),
        (CARDS, deal("6c Kc", "Jd Qs Kd"), 1500),  # no straight flush, and pictures
    ],
)
def test_the_first_line_that_holds_decides_and_without_one_it_loses(
    pays: str, play: Play, cents: int
) -> None:
    assert owed(pays, play) == cents


def test_what_the_text_leaves_open_is_open_and_nothing_is_found() -> None:
    concluded = settle(BANKER_BY, deal("Kh Qs 2d", "7d Kd"), announced="banker")  # 7 against 2
    assert [each.cents for each in concluded.expected] == [None]
    assert (concluded.verdict, finding_checks(concluded)) == ("undetermined", ["text_silent"])
    assert concluded.findings[0].citations[0] == CITE


@pytest.mark.parametrize(
    ("play", "cents"),
    [
        (deal("8c 8?", "6d Kd"), None),  # one of three pairs
        (deal("8c 9?", "6d Kd"), -500),  # 17 counts 7, and no pair whichever suit
        (deal("?c 8c", "9d Kd"), None),
        (deal("?? ??", "9d Kd"), None),
        (deal("?? ??", "?? ??"), None),
        (deal("8c 8s", "9? K?"), 6000),
    ],
)
def test_an_unread_card_leaves_it_open_unless_every_card_gives_the_same(
    play: Play, cents: int | None
) -> None:
    assert owed(PAIRS, play) == cents


def test_with_a_card_too_many_only_what_asks_for_the_cards_of_a_hand_is_open() -> None:
    extra = [*deal("6c Kc", "7d Kd"), ("banker", "2h")]  # the Banker's Hand stays on 7
    by_cards = "- {name: red, if: {banker: {suits: [d, h]}}, pays: 2 to 1}"
    by_first_two = "- {name: red, if: {banker_first_two: {suits: [d, h]}}, pays: 2 to 1}"
    by_count = "- {name: by one, if: {winner: banker, margin: 1}, pays: 2 to 1}"
    assert [owed(each, extra) for each in (by_cards, by_first_two, by_count)] == [None, 1000, 1000]


def test_with_a_card_missing_only_the_first_two_cards_decide() -> None:
    missing = deal("2c 2c", "7d Kd")  # the Player's Hand draws to 4
    assert owed(PAIRS, missing) == 12_500
    assert owed(BANKER_BY, missing) is None


def test_in_a_void_round_it_is_returned() -> None:
    void = [*deal("8c 8c", "6d Kd"), ("dealer", "void")]
    assert owed(PAIRS, void) == 0


@pytest.mark.parametrize(("pays", "cents"), [("wager", 24_000), ("even", 13_000)])
def test_a_coupon_under_it_is_paid_as_under_any_wager(pays: str, cents: int) -> None:
    wagers = [{"seat": 1, "wager": "side", "cents": 1000, "coupon_cents": 1000, "coupon": "C-1"}]
    # $10 of chips at 12 to 1, and the coupon of $10 alike or at 1 to 1
    assert owed(PAIRS, deal("8c 8s", "6d Kd"), wagers=wagers, options={"match_play_pays": pays}) == cents


def test_a_wrong_payment_is_found_with_the_houses_citation_and_the_sum() -> None:
    concluded = settle(
        PAIRS,
        deal("8c 8s", "6d Kd"),
        announced="tie",
        paid=[{"seat": 1, "wager": "side", "cents": 12_500}],
    )
    (finding,) = concluded.findings
    assert (finding.check, finding.expected_cents, finding.observed_cents) == ("paid_too_much", 6000, 12_500)
    assert (finding.citations, finding.status) == ((CITE, "631a.12(b)"), "not on file")
    assert [(each.cite, each.cents) for each in finding.steps or ()] == [
        (CITE, 500),
        (CITE, None),
        (CITE, 6000),
    ]


def test_rightly_paid_the_round_is_clean() -> None:
    concluded = settle(
        PAIRS, deal("8c 8s", "6d Kd"), announced="tie", paid=[{"seat": 1, "wager": "side", "cents": 6000}]
    )
    assert (concluded.verdict, finding_checks(concluded), note_checks(concluded)) == ("clean", [], [])


def test_a_record_that_is_written_of_it_stands_alone() -> None:
    of = record(PAIRS, deal("8c 8s", "6d Kd"))
    observed, book = to_round(of, houses.DEFAULT), book_of(of, houses.DEFAULT)
    written = to_record(observed, book)
    assert written.offered == of.offered
    assert answer(written, houses.DEFAULT) == judge(observed, book)
    otherwise = book_of(record(PAIRS.replace("12 to 1", "10 to 1"), of.play), houses.DEFAULT)
    assert otherwise.digest != book.digest


# ── What `house check` says of a pay table ───────────────────────────────────────────────────────────

HOUSE: Final = """\
house: side bets
tables:
  BAC-1: {chapter: 631a, sources: {T-1: terminal}}
  PG-1: {chapter: "535", sources: {T-2: terminal, X-2: tiles}}
submissions:
  - from: 2024-01-01
    chapter: 631a
    options: {}
    offered:
      side:
        cite: 631b.1
        paytable:
          - name: perfect
            if: {player_first_two: {same: [rank, suit]}}
            pays: 25 to 1
          - name: colored
            if: [{player_first_two: {same: [rank, color]}}, {banker: {total: 9}}]
            pays: 12 to 1
  - from: 2024-01-01
    chapter: "535"
    options: {}
"""
OTHER: Final = """\
    offered:
      side: {cite: 1, paytable: [{name: nine, if: {winner: player}, pays: 9 to 1}]}
""".replace("cite: 1", 'cite: "535z.1"')


def test_a_sound_pay_table_has_no_mistake() -> None:
    assert mistakes(houses.parse(HOUSE, "my.yaml")) == []


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("pays: 12 to 1", "pays: twelve", 18),
        ("pays: 12 to 1", "pays: 0 to 1", 18),
        ("pays: 12 to 1", "pays: 1 to 0", 18),
        ("same: [rank, suit]", "same: [rank]", 17),  # a colored pair is a pair
        ("same: [rank, color]", "same: [suit, rank]", 17),  # as the line above it
        ("{banker: {total: 9}}", "{player_first_two: {same: [rank, suit], total: 4}}", 17),
    ],
)
def test_a_mistake_of_a_pay_table_is_named_with_its_line_and_leaves_the_table_out(
    right: str, wrong: str, line: int
) -> None:
    assert HOUSE.count(right) == 1
    text = HOUSE.replace(right, wrong)
    (mistake,) = mistakes(houses.parse(text, "my.yaml"))
    assert (line_of(text, mistake.path), mistake.table, mistake.leaves_out) == (line, "BAC-1", True)


def test_a_game_without_such_parts_says_so() -> None:
    text = HOUSE + OTHER
    (mistake,) = mistakes(houses.parse(text, "my.yaml"))
    assert (line_of(text, mistake.path), mistake.table) == (23, "PG-1")


@pytest.mark.parametrize(
    ("number", "part", "there"),
    [
        ("551", "first_two: {same: [rank]}", True),
        ("685a", "dealer: {total: 22}", True),
        ("681a", "winner: tie", True),
        ("551", "player_first_two: {same: [rank]}", False),
        ("685a", "winner: player", False),
        ("681a", "margin: 4", False),
        ("681a", "up_card: {ranks: [A]}", False),
    ],
)
def test_each_21_game_has_the_parts_of_its_own_cards(number: str, part: str, there: bool) -> None:  # noqa: FBT001
    text = HOUSE + OTHER.replace("winner: player", part)
    text = text.replace("535z.1", "Board order 12").replace("X-2: tiles", "X-2: shoe")
    text = text.replace('chapter: "535"', f'chapter: "{number}"')
    found = mistakes(houses.parse(text, "my.yaml"))
    assert [(line_of(text, each.path), each.table) for each in found] == ([] if there else [(23, "PG-1")])


BY_LAW: Final = """\
house: side bets
tables:
  BAC-1: {chapter: 631a, sources: {T-1: terminal}}
  MID-1: {chapter: 629a, sources: {T-2: terminal}}
submissions:
  - from: 2024-02-01
    chapter: 631a
    options: {}
    offered:
      golden_talons_player: {cite: 631b.9, paytable: A}
  - from: 2024-02-01
    chapter: 629a
    options: {}
    offered:
      perfect_pairs_banker:
        cite: 629b.1
        paytable:
          perfect pair: 25 to 1
          colored pair: 12 to 1
          mixed pair: 6 to 1
"""


def test_a_pay_table_of_a_text_on_file_has_no_mistake() -> None:
    assert mistakes(houses.parse(BY_LAW, "my.yaml")) == []


@pytest.mark.parametrize(
    ("right", "wrong", "line", "near"),
    [
        ("paytable: A", "paytable: F", 10, None),
        ("631b.9, paytable", "631b.8, paytable", 10, None),  # not on file
        ("631b.9, paytable", "629b.1, paytable", 10, None),  # for Midibaccarat
        ("golden_talons_player", "golden_talons_players", 10, "golden_talons_player"),
        ("paytable: A", "paytable: {win by 9: 30 to 1}", 10, None),  # it has paytables of its own
        ("mixed pair", "mixd pair", 20, "mixed pair"),
        ("          mixed pair: 6 to 1\n", "", 17, None),
        ("6 to 1", "six", 20, None),
    ],
)
def test_a_mistake_against_a_text_on_file_is_named_with_its_line(
    right: str, wrong: str, line: int, near: str | None
) -> None:
    assert BY_LAW.count(right) == 1
    text = BY_LAW.replace(right, wrong)
    (mistake, *_) = mistakes(houses.parse(text, "my.yaml"))
    assert (line_of(text, mistake.path), mistake.suggestion, mistake.leaves_out) == (line, near, True)


@pytest.mark.parametrize(
    ("right", "wrong", "line", "near"),
    [
        (
            "player_first_two: {same: [rank, suit]}",
            "player_first_to: {}",
            14,
            "did you mean player_first_two?",
        ),
        ("[rank, color]", "[rank, colour]", 17, "did you mean color?"),
        ("pays: 12 to 1", "odds: 12 to 1", 18, None),
        ("total: 9", "total: nine", 17, None),
    ],
)
def test_what_is_not_of_the_form_is_named_with_its_line(
    tmp_path: Path, right: str, wrong: str, line: int, near: str | None
) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(HOUSE.replace(right, wrong), encoding="utf-8")
    ran = CliRunner().invoke(main, ["house", "check", str(file), "--format", "jsonl"])
    (first, *_) = [msgspec.json.decode(each) for each in ran.stdout.splitlines()]
    assert (first["line"], first["unreadable"], ran.exit_code) == (line, True, 1)
    assert first.get("near") == near


def test_a_record_with_a_pay_table_at_fault_is_refused() -> None:
    with pytest.raises(BadInput, match=r"offered: side\.paytable\.1\.pays"):
        settle(PAIRS.replace("12 to 1", "none"), deal("8c 8s", "6d Kd"))
