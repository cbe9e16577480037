"""What is owed and overpaid is the same to the cent wherever it is written, in rounds of all games."""

from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.casework.alerts.queues import sums_of
from projections.casework.cases.alert import alerts_of
from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import book_of, to_round
from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import id_of
from projections.store.store import Store
from projections.store.store_file import connect
from projections.web.phrases.call_script import acts, hand_sums
from projections.web.records.record_reader import load_records
from projections.web.records.store_queries import Reader
from schemas.errors import DiscardrackError
from schemas.house import DEFAULT
from schemas.record import RoundRecord
from streams.simulator import faults
from streams.simulator.games import SCRIPTS
from streams.simulator.simulate import simulate
from tests.builders.compared_sums import Comparison, added, audited, compare, net_of_acts, sides_of
from tests.builders.stores import RUN
from tests.builders.strategies import altered
from tests.builders.thoroughness import examples

CHAPTERS: Final = ("535", "541", "543", "545", "551", "623a", "627a", "629a", "631a", "681a", "685a")
MORE_OFTEN: Final = 20  # so many times more mistakes than a floor of many hours has
PAGES: Final = 6
DISPUTES: Final = 4


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    folder = tmp_path_factory.mktemp("sums")
    rates = {kind: min(0.5, MORE_OFTEN * rate) for kind, rate in faults.rates(sensors=True).items()}
    simulate(folder / "floor", tables=len(SCRIPTS), hours=0.2, seed="sums", rates=rates, mixed=True)
    return compare(folder / "floor", folder, pages=PAGES, disputes=DISPUTES)


def test_each_round_with_anything_found_is_one_row_and_all_outputs_have_its_sums(
    compared: Comparison,
) -> None:
    assert compared.differences == []


def test_money_of_many_games_was_compared_in_every_output(compared: Comparison) -> None:
    assert compared.wrong_rounds > 50
    assert min(compared.sides) > 10_000
    assert len(compared.games) >= 6
    assert compared.rows >= compared.wrong_rounds
    assert (compared.pages, compared.disputes, compared.table_days) == (PAGES, DISPUTES, len(SCRIPTS))


ROUNDS: Final[list[RoundRecord]] = []


@settings(
    max_examples=examples(200, 300),
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.sampled_from(CHAPTERS).flatmap(altered))
def draw_rounds(record: RoundRecord) -> None:
    """Collect rounds: they are stored together, as a store of each would take minutes."""
    ROUNDS.append(replace(record, table="T-1", round=str(len(ROUNDS) + 1)))


def judged(record: RoundRecord) -> Concluded | None:
    """Judge a record; None if it is no record of a round that can be."""
    try:
        seen, book = to_round(record, DEFAULT), book_of(record, DEFAULT)
    except DiscardrackError:
        return None
    return Concluded(judge(seen, book), 1, seen, book)


def test_row_and_call_script_of_any_round_have_the_sums_of_the_audit(tmp_path: Path) -> None:
    ROUNDS.clear()
    draw_rounds()
    concluded = [each for each in map(judged, ROUNDS) if each is not None]
    with Store(tmp_path / "store.duckdb") as store:
        store.write(RUN, [(each.basis, each.conclusion, 1) for each in concluded])
    reader = Reader(connect(tmp_path / "store.duckdb", writing=False), DEFAULT)
    # All at once: to ask for each of them apart takes ten times as long.
    records = {each.id: each for each in load_records(reader.ask, reader.ask("FROM rounds", []))}
    assert len(records) == len(concluded) > 100
    for each in concluded:
        said, expected = each.conclusion, audited(each.conclusion)
        record = records[id_of(said)]
        row, script = sums_of(alerts_of(said, "run")), hand_sums(record)
        sides = [
            sides_of({"favours": one.favours, "cents": one.cents} for one in found) for found in (row, script)
        ]
        assert (*sides, said.round) == (expected, expected, said.round)
        assert [one.count for one in row if one.favours] == [one.count for one in script]
        assert net_of_acts(acts(record)) == expected[0] - expected[1]
    reader.close()
    assert min(added(audited(each.conclusion) for each in concluded)) > 0
