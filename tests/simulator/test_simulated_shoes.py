"""A simulated floor whose shoes are short, long or not shuffled: each found, none invented, nothing open."""

from pathlib import Path

import pytest

from replay.proofs.label_scoring import Claim
from streams.simulator import faults
from streams.simulator.shoe_breaches import SHOES
from streams.simulator.simulate import simulate
from tests.builders.simulated_tables import raised, score_archive

OFTEN = faults.NONE | raised(SHOES, 8)


def of_cards(claims: list[Claim]) -> list[Claim]:
    """Return labels without those of a ledger or a table's account."""
    return [claim for claim in claims if claim[2] != "account"]


@pytest.fixture(scope="module")
def breached(tmp_path_factory: pytest.TempPathFactory) -> Path:
    floor = tmp_path_factory.mktemp("shoes")
    simulate(floor, tables=12, hours=2, seed="shoes", rates=OFTEN, mixed=True, procedures=True)
    return floor


def test_every_breach_of_a_shoe_is_found_and_none_invented(breached: Path) -> None:
    result = score_archive(breached)
    assert (result.missed, of_cards(result.invented), result.wrongly_open) == ([], [], [])
    assert set(result.found) >= set(SHOES)
    assert result.found == result.injected


def test_where_devices_fail_no_shoe_is_accused_wrongly(tmp_path: Path) -> None:
    rates = {**OFTEN, **raised(faults.SENSORS, 2)}
    simulate(tmp_path, tables=6, hours=1.5, seed="gaps", rates=rates, mixed=True, procedures=True)
    assert of_cards(score_archive(tmp_path).invented) == []
