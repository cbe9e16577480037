"""Schemes of the simulator: each is labelled, found by its pattern, and changes nothing for anybody else."""

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from replay.patterns.played_rounds import PlayedRound, played_rounds
from replay.patterns.registry import leads
from replay.proofs.label_scoring import read_labels
from replay.recording.recording import Recording
from streams import log
from streams.simulator import faults
from streams.simulator.labels import SchemeLabel
from streams.simulator.schemes import SCHEMES
from streams.simulator.simulate import simulate
from tests.builders.simulated_tables import score_archive

# Which pattern looks for which scheme.
PATTERN = {"past_posting": "late_wagers", "pinching": "late_wagers"}
RATE = Fraction(1, 20)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play two tables on two days, the second with EZ Baccarat, and every scheme at either."""
    folder = tmp_path_factory.mktemp("schemes")
    rates = {**faults.NONE, **dict.fromkeys(SCHEMES, 1.0)}
    simulate(folder, tables=2, hours=3, seed="5", rates=rates, days=2)
    return folder


@pytest.fixture(scope="module")
def rounds(floor: Path) -> list[PlayedRound]:
    found = list(played_rounds(Recording(floor)))
    return [each for each in found if isinstance(each, PlayedRound)]


def labels(floor: Path) -> list[SchemeLabel]:
    return [each for each in read_labels(floor / log.LABELS) if isinstance(each, SchemeLabel)]


def test_every_scheme_of_every_table_is_a_lead_and_nobody_else_is(
    floor: Path, rounds: list[PlayedRound]
) -> None:
    done = {(PATTERN.get(each.scheme, each.scheme), each.patron, each.dealer) for each in labels(floor)}
    assert {scheme for scheme, _, _ in done} == {"dumping", "late_wagers", "edge_sorting", "count_betting"}
    assert len(done) == 9  # five at either table; without EZ Baccarat there is no Dragon 7 to count for
    found = {(each.pattern, each.candidate.patron, each.candidate.dealer) for each in leads(rounds, RATE)}
    # What is won by it may stand out besides.
    assert {each for each in found if each[0] != "wins"} == done


def test_the_hands_of_a_lead_are_those_that_were_labelled(floor: Path, rounds: list[PlayedRound]) -> None:
    done: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for each in labels(floor):
        done[each.patron] |= {(each.gaming_date, number) for number in each.rounds}
    for lead in leads(rounds, RATE, ["dumping", "late_wagers"]):
        patron = str(lead.candidate.patron)
        hands = {(str(hand.id.day), hand.id.round) for hand in lead.candidate.hands}
        # At the table with EZ Baccarat a Banker Wager that was laid late is returned with a Dragon 7.
        assert hands <= done[patron]
        assert hands == done[patron] or patron == "X-102-past-posting"


def test_what_a_scheme_does_to_a_round_is_a_finding_that_is_labelled_too(floor: Path) -> None:
    assert score_archive(floor).agrees


def test_a_floor_without_schemes_is_played_as_if_there_were_none(tmp_path: Path) -> None:
    for name, rates in (("none", faults.NONE), ("other", {**faults.NONE, "count_betting": 1.0})):
        simulate(tmp_path / name, tables=1, hours=0.5, seed="1", rates=rates)
    # The first table is played without EZ Baccarat: nobody comes to count.
    files = [(tmp_path / name / "events" / "BAC-101.jsonl").read_bytes() for name in ("none", "other")]
    assert files[0] == files[1]
