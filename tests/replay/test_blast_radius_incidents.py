"""`blast-radius` on the incidents of tests/golden/incidents: each round, hand and patron, no number more."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.builders.round_records import printed_rows, run_verb, write_script_floor
from tests.builders.table_script import build_house
from tests.golden.incidents.scenes import Incident, Worked, extra_card, six_decks_short

Rows = list[dict[str, Any]]


@cache
def rows(folder: Path, *arguments: object) -> Rows:
    """Look at an incident's floor, which no test changes; what was asked for before is answered from then."""
    return printed_rows("blast-radius", folder, *arguments)


@pytest.fixture(scope="module")
def extra(tmp_path_factory: pytest.TempPathFactory) -> tuple[Incident, Path]:
    return played(extra_card, tmp_path_factory)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> tuple[Incident, Path]:
    return played(six_decks_short, tmp_path_factory)


def played(incident: Callable[[], Incident], factory: pytest.TempPathFactory) -> tuple[Incident, Path]:
    found = incident()
    return found, write_script_floor(factory.mktemp("incident"), found.script, build_house())


def total(found: Rows, effect: str, kind: str = "total", **names: str) -> Mapping[str, Any]:
    (one,) = (
        row
        for row in found
        if row["kind"] == kind and row["effect"] == effect and all(row[key] == names[key] for key in names)
    )
    return one


def assert_counted(row: Mapping[str, Any], worked: Worked) -> None:
    assert (row["rounds"], row["hands"], row["played_cents"]) == (worked.rounds, worked.hands, worked.cents)


def test_an_extra_card_live_for_863_hands(extra: tuple[Incident, Path]) -> None:
    incident, folder = extra
    assert (incident.same_cards.hands, incident.affected.hands) == (65, 863 - 65)  # as docs/incidents.md says
    found = rows(folder, "--card", "8D", "--extra", "--table", "BAC-1")
    assert_counted(total(found, "not_derivable"), incident.affected)
    assert_counted(total(found, "same_cards"), incident.same_cards)
    assert_counted(total(found, "possible"), incident.possible)
    assert total(found, "not_derivable")["owed_cents"] is None
    assert total(found, "possible")["owed_cents"] is None
    # The table paid each hand as its cards fell: where the cards are the same, nothing is to be restored.
    assert total(found, "same_cards")["difference_cents"] == 0


def test_the_shoes_that_give_the_ninth_card_away_bound_the_time(extra: tuple[Incident, Path]) -> None:
    incident, folder = extra
    found = rows(folder, "--card", "8d", "--extra", "--table", "BAC-1")
    given_away = [shoe for shoe, shown in zip(incident.shoes, incident.shown, strict=True) if shown]
    evidence = [row for row in found if row["kind"] == "evidence"]
    assert [(row["shoe"], row["effect"]) for row in evidence] == [(shoe, "shows") for shoe in given_away]
    assert all("8d had left the shoe 9 times by round " in row["says"] for row in evidence)
    bounds = [(row["shoe"], row["says"]) for row in found if row["kind"] == "bound"]
    assert bounds == [
        ("shoe 1", "the record begins with it: nothing tells when the defect came in"),
        ("the shoe after", "the record ends with it: nothing tells when the defect was gone"),
    ]
    by_shoe = {(row["shoe"], row["effect"]) for row in found if row["kind"] == "round"}
    assert {shoe for shoe, effect in by_shoe if effect == "not_derivable"} == set(incident.shoes)
    assert {shoe for shoe, effect in by_shoe if effect == "possible"} == {"shoe 1", "the shoe after"}


def test_each_patron_of_the_extra_card_is_named(extra: tuple[Incident, Path]) -> None:
    incident, folder = extra
    found = rows(folder, "--card", "8d", "--extra", "--table", "BAC-1")
    told = {
        row["patron"]: row["played_cents"]
        for row in found
        if row["kind"] == "patron" and row["effect"] == "not_derivable"
    }
    assert told == incident.affected.by_patron


def test_a_shoe_that_is_named_is_looked_at_alone(extra: tuple[Incident, Path]) -> None:
    incident, folder = extra
    found = rows(folder, "--card", "8d", "--extra", "--table", "BAC-1", "--shoe", incident.shoes[0])
    assert {row["shoe"] for row in found if row["kind"] == "round"} == {incident.shoes[0]}
    assert not [row for row in found if row["kind"] == "bound" or row["effect"] == "possible"]


def test_six_decks_short_for_46_rounds_and_122_hands(short: tuple[Incident, Path]) -> None:
    incident, folder = short
    assert (incident.affected.rounds, incident.affected.hands) == (46, 122)
    found = rows(folder, "--decks", "2", "--table", "BAC-1")
    every = total(found, "not_derivable")
    assert_counted(every, incident.affected)
    assert every["owed_cents"] is every["difference_cents"] is every["to_patron_cents"] is None
    effects = Counter(row["effect"] for row in found if row["kind"] == "round")
    assert effects == {"not_derivable": 46}
    assert {row["shoe"] for row in found if row["kind"] == "round"} == set(incident.shoes)
    for patron, cents in incident.affected.by_patron.items():
        assert total(found, "not_derivable", "patron", patron=patron)["played_cents"] == cents


def test_the_shoes_beside_are_cleared_by_a_card_that_two_decks_do_not_hold(
    short: tuple[Incident, Path],
) -> None:
    incident, folder = short
    found = rows(folder, "--decks", "2", "--table", "BAC-1")
    evidence = {row["shoe"]: (row["effect"], row["says"]) for row in found if row["kind"] == "evidence"}
    assert evidence["shoe 1"][0] == evidence["the shoe after"][0] == "refutes"
    assert {evidence[shoe][0] for shoe in incident.shoes} == {"shows"}
    assert {evidence[shoe][1] for shoe in incident.shoes} == {
        "loaded with 2 decks by its own reader, 8 asked for"
    }
    first, last = (row for row in found if row["kind"] == "bound")
    assert (first["shoe"], first["says"].partition(":")[0]) == (
        incident.shoes[0],
        "it came in no earlier than here",
    )
    assert (last["shoe"], last["says"].partition(":")[0]) == (
        incident.shoes[-1],
        "it was gone after this shoe",
    )


def test_a_missing_card_brings_no_number(short: tuple[Incident, Path]) -> None:
    _, folder = short
    found = rows(folder, "--card", "8d", "--missing", "--table", "BAC-1", "--shoe", "short 1")
    assert {row["effect"] for row in found if row["kind"] in ("round", "wager")} == {"not_derivable"}
    numbers = ("owed_cents", "difference_cents", "to_patron_cents", "to_house_cents")
    assert all(row[name] is None for row in found for name in numbers)


def test_every_form_has_the_same_rows(short: tuple[Incident, Path]) -> None:
    _, folder = short
    found = rows(folder, "--decks", "2", "--table", "BAC-1")
    told = run_verb("blast-radius", folder, "--decks", "2", "--table", "BAC-1", "--format", "csv").stdout
    written = list(csv.DictReader(io.StringIO(told)))
    for one, other in zip(found, written, strict=True):
        assert [*one] == [*other]
        assert {name: "" if cell is None else str(cell) for name, cell in one.items()} == other
    page = run_verb("blast-radius", folder, "--decks", "2", "--table", "BAC-1").stdout.splitlines()
    assert [line.split()[0] for line in page[2:]] == [row["kind"] for row in found]
    assert "$" in page[-1]


def test_without_evidence_the_span_must_be_given(short: tuple[Incident, Path]) -> None:
    _, folder = short
    result = run_verb("blast-radius", folder, "--card", "Kd", "--extra", "--table", "BAC-1")
    assert result.exit_code == 2
    assert result.stderr == (
        "discardrack: no shoe of table BAC-1 shows it; say where it was with --shoe, or --from and --to\n"
    )
