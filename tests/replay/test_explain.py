"""The verb `explain`: a finding derived to the last cent, what another choice would give, and its id."""

import json
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

from projections.catalogue import KINDS
from projections.engine.checks.vigorish import VIGORISH_ROUNDING_WRONG
from projections.engine.findings import Raised, identify
from projections.engine.kinds import ANNOUNCED_WRONG
from schemas import events, ledgers
from schemas.codec import VERSION, AnyEvent, Frame, encode
from schemas.values import Person
from tests.builders.round_records import (
    BANKER,
    DISPUTED,
    TIE,
    build_record,
    finding_ids,
    page_lines,
    run_verb,
    write_records,
    write_script_floor,
)
from tests.builders.table_script import (
    BANKER_WINS,
    PLAYER_WINS,
    START,
    Script,
    build_house,
    build_house_with_cage,
)
from tests.builders.texts import verbatim_fact


def explained(folder: Path, check: str, told: dict[str, Any]) -> dict[str, Any]:
    """Return what `explain` derives of the finding of a check in one record, as data."""
    result = run_verb("explain", write_records(folder, told), finding_ids(told)[check], "--format", "json")
    assert result.exit_code == 0, result.output
    derived: dict[str, Any] = json.loads(result.stdout)
    return derived


def otherwise(derived: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the other choices: option, value, gain, vigorish, if as observed, if the finding stands."""
    return [
        tuple(
            each[name]
            for name in ("option", "value", "gain_cents", "vigorish_cents", "as_observed", "stands")
        )
        for each in derived["otherwise"]
    ]


# ── a finding, derived ───────────────────────────────────────────────────────────────────────────────


def test_a_finding_is_derived_step_by_step(tmp_path: Path) -> None:
    """Vigorish on $37.00 won: $1.85, by the house's choice $2.00; taken were $1.75."""
    path = write_records(tmp_path, DISPUTED)
    found = finding_ids(DISPUTED)["vigorish_rounding_wrong"]
    result = run_verb("explain", path, found)
    assert result.exit_code == 0
    head, *blocks = result.stdout.split("\n\n")
    assert head.splitlines()[:4] == [
        f"Finding {found}: vigorish_rounding_wrong, mismatch",
        "  It says                         banker: vigorish $1.75, by the rule $2.00",
        f"  It asks                         {VIGORISH_ROUNDING_WRONG.asks}",
        "  About                           table BAC-7, round 41, seat 1, wager banker",
    ]
    titled = {told[0]: told[1:] for told in map(page_lines, blocks)}
    assert titled["Stands on"] == ["631a.13(c) adopted, since 2014-02-01"]
    assert titled["The play by the text"][-1] == (
        "Banker's Hand wins, 7 to 6. 631a.12(a) adopted, since 2014-02-01"
    )
    assert titled["Sum"] == [
        "banker: chips wagered $37.00 631a.8(a) adopted, since 2014-02-01",
        "banker wins 631a.8(a)(1)(i) adopted, since 2014-02-01",
        "paid at 1 to 1 $37.00 631a.13(c) adopted, since 2014-02-01",
        "vigorish 5% of $37.00 won $1.85 631a.13(c) adopted, since 2014-02-01",
        "rounded up as the house chose $2.00 631a.13(c) adopted, since 2014-02-01",
    ]
    assert titled["Rounding"] == ["vigorish of $1.85 is rounded up to the next multiple of $0.25"]
    assert titled["Difference"] == [
        "Expected vigorish $2.00",
        "Observed vigorish $1.75",
        "Gross $0.00",
        "Vigorish -$0.25",
        "Net $0.25",
        "Favours patron",
    ]
    assert titled["Under another choice of the house or reading"] == [
        "ez true gain $37.00, vigorish $0.00; the finding does not stand, but vigorish_unauthorized",
        "the house's choice, 631a.1; in effect is false",
        "vigorish_rounding_cents 0 gain $37.00, vigorish $1.85; the finding stands",
        "the house's choice, 631a.13(c); in effect is 25",
    ]
    assert titled["Readings that no option changes"] == [
        '631a.13(c) "may round off": exact or up to the next multiple, never down; an exact one stays',
    ]
    assert titled["What would make it wrong"] == [
        "A coin or marker button that the reader did not see, or one placed for several rounds."
    ]


def test_a_tie_paid_at_other_odds_names_the_odds_that_were_paid(tmp_path: Path) -> None:
    """$5 on a tie at 8 to 1 is $40; $45 are 9 to 1, which a house may choose."""
    told = build_record(
        TIE,
        wagers=[{"seat": 2, "wager": "tie", "cents": 500}],
        paid=[{"seat": 2, "wager": "tie", "cents": 4500}],
    )
    derived = explained(tmp_path, "paid_too_much", told)
    assert (derived["finding"]["expected_cents"], derived["finding"]["delta_cents"]) == (4000, 500)
    assert otherwise(derived) == [("tie_odds", "9", 4500, 0, True, False)]


def test_odds_that_the_text_does_not_admit_or_no_layout_prints_explain_nothing(tmp_path: Path) -> None:
    """$35 are 7 to 1, below the least; $40.05 are 8.01 to 1."""
    for paid, check in ((3500, "paid_too_little"), (4005, "paid_too_much")):
        told = build_record(
            TIE,
            wagers=[{"seat": 2, "wager": "tie", "cents": 500}],
            paid=[{"seat": 2, "wager": "tie", "cents": paid}],
        )
        assert otherwise(explained(tmp_path, check, told)) == []


def test_both_readings_of_a_coupon_are_explained(tmp_path: Path) -> None:
    """$5 and a coupon of $5 on a tie: $80 at the wager's odds, $45 where the coupon pays 1 to 1."""
    told = build_record(
        TIE,
        wagers=[{"seat": 2, "wager": "tie", "cents": 500, "coupon_cents": 500}],
        paid=[{"seat": 2, "wager": "tie", "cents": 4500}],
    )
    derived = explained(tmp_path, "paid_too_little", told)
    assert derived["finding"]["expected_cents"] == 8000
    assert otherwise(derived) == [("match_play_pays", "even", 4500, 0, True, False)]
    coupon = derived["steps"][1]
    assert coupon["cited"] == {"provision": "603a.21(b)", "status": "proposed", "since": "2013-02-09"}


def added(paid: int, vigorish: int) -> dict[str, Any]:
    """$20 of House Money on one pair, $60 added to $100 on a Banker who wins."""
    return build_record(
        [
            ["player", "6c"],
            ["banker", "Kd"],
            ["player", "6h"],
            ["banker", "8d"],
            ["seat3", "house_money_add_banker"],
        ],
        options={"house_money": True},
        wagers=[
            {"seat": 3, "wager": "house_money", "cents": 2000},
            {"seat": 3, "wager": "banker", "cents": 10000},
        ],
        paid=[
            {"seat": 3, "wager": "house_money", "cents": 6000},
            {"seat": 3, "wager": "banker", "cents": paid, "vigorish_cents": vigorish},
        ],
    )


def test_vigorish_on_house_money_is_explained_by_either_reading(tmp_path: Path) -> None:
    """5% of $160 won is $8; of the $100 that were wagered, $5."""
    derived = explained(tmp_path, "vigorish_wrong", added(16000, 500))
    assert derived["finding"]["expected_cents"] == 800
    assert otherwise(derived) == [
        ("ez", True, 16000, 0, False, False),
        ("house_money_vigorish", "original", 16000, 500, True, False),
    ]


def test_a_portion_under_which_the_gain_was_right_is_named(tmp_path: Path) -> None:
    """Half of the payout added: $130 won, where the house said all of it: $160."""
    derived = explained(tmp_path, "paid_too_little", added(13000, 650))
    assert (derived["finding"]["expected_cents"], derived["finding"]["observed_cents"]) == (16000, 13000)
    # The others leave the gain as it is: no vigorish at a table with EZ Baccarat, 5% of $100 alone.
    assert otherwise(derived) == [
        ("ez", True, 16000, 0, False, True),
        ("house_money_portion", "1/2", 13000, 650, True, False),
        ("house_money_vigorish", "original", 16000, 500, False, True),
    ]


def test_what_was_not_law_yet_is_no_other_choice(tmp_path: Path) -> None:
    """In 2013 the text knew no EZ Baccarat: only the rounding could have been chosen otherwise."""
    derived = explained(tmp_path, "vigorish_rounding_wrong", DISPUTED | {"gaming_date": "2013-05-01"})
    assert otherwise(derived) == [("vigorish_rounding_cents", 0, 3700, 185, False, True)]
    assert derived["citations"] == [
        {"provision": "631a.13(c)", "status": "reconstructed", "since": "2012-05-19"}
    ]


def test_a_fraction_of_a_cent_is_explained(tmp_path: Path) -> None:
    """5% of $8.25 is 41 1/4 cents; the house does not round, 41 cents stay."""
    told = build_record(
        BANKER,
        wagers=[{"seat": 1, "wager": "banker", "cents": 825}],
        paid=[{"seat": 1, "wager": "banker", "cents": 825, "vigorish_cents": 41}],
    )
    derived = explained(tmp_path, "fraction_dropped", told)
    assert derived["rounding"] == [
        (
            "vigorish of $0.41 and 1/4 of a cent is not rounded by the house's choice: "
            "the fraction of a cent is dropped"
        )
    ]


def test_an_exact_multiple_needs_no_rounding(tmp_path: Path) -> None:
    told = build_record(
        BANKER,
        options={"vigorish_rounding_cents": 25},
        wagers=[{"seat": 1, "wager": "banker", "cents": 2000}],
        paid=[{"seat": 1, "wager": "banker", "cents": 2000, "vigorish_cents": 0}],
    )
    derived = explained(tmp_path, "vigorish_not_taken", told)
    assert derived["rounding"] == ["vigorish of $1.00 is a multiple of $0.25: nothing to round"]


def test_a_finding_without_money_is_derived_from_the_play(tmp_path: Path) -> None:
    told = build_record(BANKER, announced="player")
    derived = explained(tmp_path, "announced_wrong", told)
    assert (derived["steps"], derived["rounding"], derived["otherwise"]) == ([], [], [])
    assert derived["reasons"][-1]["says"] == "Banker's Hand wins, 7 to 6."
    page = run_verb("explain", tmp_path / "rounds.jsonl", derived["finding"]["id"]).stdout
    assert "Difference" not in page


# ── finding the finding ──────────────────────────────────────────────────────────────────────────────


def test_the_beginning_of_an_id_is_enough(tmp_path: Path) -> None:
    path = write_records(tmp_path, DISPUTED)
    found = finding_ids(DISPUTED)["loser_not_collected"]
    assert run_verb("explain", path, found[:6]).stdout == run_verb("explain", path, found).stdout
    short = run_verb("explain", path, found[:5])
    assert short.exit_code == 2
    assert "at least 6 characters" in short.stderr


def test_an_id_that_no_finding_has_is_one_clear_line(tmp_path: Path) -> None:
    path = write_records(tmp_path, DISPUTED)
    result = run_verb("explain", path, "0123456789abcdef")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"discardrack: {path}: no finding's id begins with '0123456789abcdef'\n"


def test_a_beginning_that_two_findings_share_is_refused_with_both(tmp_path: Path) -> None:
    raised = [Raised(kind=ANNOUNCED_WRONG, message=verbatim_fact(""), cites=("631a.12(a)",))]
    begun: dict[str, tuple[int, str]] = {}
    for number in count():
        (found,) = identify(raised, about=f"2025-01-01|BAC-7|{number}", day=date(2025, 1, 1))
        if (other := begun.setdefault(found.id[:6], (number, found.id))) != (number, found.id):
            break
    path = write_records(
        tmp_path, *(build_record(BANKER, round=str(each), announced="tie") for each in (other[0], number))
    )
    result = run_verb("explain", path, found.id[:6])
    assert result.exit_code == 2
    both = ", ".join(sorted((other[1], found.id)))
    assert result.stderr == f"discardrack: {path}: '{found.id[:6]}' begins the ids of 2 findings: {both}\n"
    assert run_verb("explain", path, found.id).exit_code == 0


def test_a_finding_about_a_shoe_is_derived_without_a_hand(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.play(
        BANKER_WINS, {(1, "banker"): 2000}, "banker", {(1, "banker"): 2000}, {(1, "banker"): 100}, marked=True
    )
    script.close()
    path = write_script_floor(tmp_path, script, build_house(vigorish_deferred=True))
    answers = [json.loads(line) for line in run_verb("audit", path).stdout.splitlines()]
    (found,) = [each for answered in answers for each in answered["findings"]]
    assert found["check"] == "vigorish_left_owing"
    result = run_verb("explain", path, found["id"])
    assert result.exit_code == 0
    page = page_lines(result.stdout)
    assert "About table BAC-1, shoe shoe 1, seat 1" in page
    assert "631a.13(d)(2)(i) adopted, since 2014-02-01" in page
    assert "Expected vigorish $1.00" in page
    assert "Observed vigorish $0.00" in page
    assert "Favours patron" in page
    assert "Hands" not in page


# ── an account ───────────────────────────────────────────────────────────────────────────────────────


def counted_short(folder: Path) -> Path:
    """Make an archive of a table that begins with $100,000.00, pays $20.00, and counts $99,975.00.

    Its cage issued a fill of $500.00 that nobody asked for and that did not come to the table, and cashed
    chips for two patrons.
    """
    script = Script(("I",))
    script.open_counted()
    script.play(PLAYER_WINS, {(4, "player"): 2000}, "player", {(4, "player"): 2000})
    script.say("T", events.CouponDropped, 100 - script.now, coupon="MP-1")  # 05:35:00 in New York
    script.list_inventory("TI-2", "closing", cents=99_975_00)
    script.drop_slip("TI-2")
    script.change_box("B-1", None)
    script.close()
    path = write_script_floor(folder, script, build_house_with_cage(without=("I",)))
    first: dict[str, Any] = {"device": "CG-1", "epoch": 1, "at": START + 60_000_000}
    entries: list[AnyEvent] = [
        ledgers.FillIssued(
            **first,
            seq=1,
            slip="F-1",
            request="R-1",
            table="BAC-1",
            denominations={2500: 20},
            signatures=(Person("Cleo", "chip_bank"), Person("Sam", "security")),
        ),
        ledgers.ChipsCashed(**first, seq=2, cents=700, patron="P-1"),
        ledgers.ChipsCashed(**first, seq=3, cents=300, patron="P-2"),
        ledgers.LedgerClosed(**first, seq=4, date=date(2025, 4, 1)),
    ]
    frame = Frame(v=VERSION, table="cage", frame=1, received=START + 60_000_000, events=entries)
    (path / "events" / "cage.jsonl").write_bytes(encode(frame) + b"\n")
    return path


def found_in(path: Path, account: str) -> dict[str, str]:
    """Return the ids of an account's findings, by check."""
    answers = [json.loads(line) for line in run_verb("audit", path).stdout.splitlines()]
    return {
        each["check"]: each["id"]
        for answered in answers
        for each in answered["findings"]
        if answered.get("account") == account
    }


def test_a_finding_of_an_inventory_is_explained_with_its_steps_and_lines(tmp_path: Path) -> None:
    path = counted_short(tmp_path)
    result = run_verb("explain", path, found_in(path, "inventory")["inventory_untyped"])
    assert result.exit_code == 0, result.output
    head, *blocks = result.stdout.split("\n\n")
    titled = {told[0]: told[1:] for told in map(page_lines, blocks)}
    assert list(titled) == ["Stands on", "Sum", "Difference", "Lines", "What would make it wrong"]
    about = " ".join(page_lines(head)[3:])
    assert about.startswith("About table BAC-1, account inventory, ")
    assert about.endswith("Gaming date 04/01/2025 Chapter 465a Accounting and internal controls")
    assert titled["Stands on"] == ["465a.36(b) adopted, since 2012-05-12"]
    assert [" ".join(step.split()[-5:-3]) for step in titled["Sum"]] == [
        "$99,980.00 465a.36(b)",
        "$99,975.00 465a.36(b)",
    ]
    assert titled["Difference"] == ["Expected sum $99,980.00", "Observed sum $99,975.00", "Variance -$5.00"]
    pieces = "99 of $1,000.00, 9 of $100.00, 3 of $25.00"
    for line in (
        "opener $100,000.00",
        "wagers_paid -$20.00",
        "expected $99,980.00",
        "untyped -$5.00",
        "closer TI-2 $99,975.00",
        # Counted half a second after the coupon, the box a second later.
        f"listing_closing TI-2 $99,975.00 {pieces} 04/01/2025 5:35:00 AM EDT",
        "box B-1 $0.00 04/01/2025 5:35:01 AM EDT",
        "box_slip TI-2 B-1",
        "box_coupon MP-1 B-1 04/01/2025 5:35:00 AM EDT",
    ):
        assert line in titled["Lines"]


def test_a_finding_of_a_ledger_is_explained_with_the_lines_of_what_it_names(tmp_path: Path) -> None:
    path = counted_short(tmp_path)
    found = found_in(path, "slips")["fill_without_request"]
    page = page_lines(run_verb("explain", path, found).stdout)
    assert "About ledger cage, account slips, table BAC-1, serial F-1" in page
    assert "fill F-1 $500.00 20 of $25.00" in page
    assert "cashed_out $10.00 2" in page
    assert not [line for line in page if "P-1" in line or "P-2" in line]
    derived = json.loads(run_verb("explain", path, found, "--format", "json").stdout)
    assert (derived["account"], derived["table"], derived["chapter"]) == ("slips", "cage", "465a")
    assert {"name": "fills", "of": "BAC-1", "cents": 50_000, "count": 1} in derived["lines"]
    assert derived["asks"] == KINDS["fill_without_request"].asks
