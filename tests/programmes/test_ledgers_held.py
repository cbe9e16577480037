"""What ledgers are compared with is stored on disk, and read back on its day."""

from datetime import date

import pytest

from projections.engine.audit.table_audit import Concluded
from replay.recording.event_audit import audit_logs
from replay.recording.ledger_days import LedgerSpill, TableTotals
from schemas import house as houses
from schemas.house import House
from streams import log
from streams.log import Unread
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.ledger_day import LedgerDay


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, list[Concluded]]:
    folder = tmp_path_factory.mktemp("held") / "floor"
    simulate(folder, tables=2, hours=1, days=3, seed="held", rates=faults.rates(sensors=True))
    house = houses.load("house.yaml", folder)
    found = audit_logs(log.logs(folder), house)
    return house, [each for each in found if not isinstance(each, Unread)]


def kept_in_memory(house: House, concluded: list[Concluded]) -> dict[date, TableTotals]:
    days: dict[date, TableTotals] = {}
    for each in concluded:
        days.setdefault(each.conclusion.gaming_date, TableTotals()).hear(each, house)
    return days


def test_each_day_comes_back_as_it_was_heard_table_after_table(
    floor: tuple[House, list[Concluded]],
) -> None:
    house, concluded = floor
    days = kept_in_memory(house, concluded)
    with LedgerSpill() as held:
        for each in concluded:
            held.hear(each, house)
        assert set(held.days()) == set(days)
        for day, tables in days.items():
            assert held.of(day) == tables
            assert list(held.of(day).accounts) == list(tables.accounts)
    whole = list(days.values())
    assert [len(each.accounts) for each in whole] == [2, 2, 2]
    assert all(each.played for each in whole)
    assert any(each.unread for each in whole)
    assert any(each.unreported for each in whole)


def test_what_other_processes_heard_is_put_together_in_the_order_of_the_tables(
    floor: tuple[House, list[Concluded]],
) -> None:
    house, concluded = floor
    with LedgerSpill() as held:
        for table in ("BAC-101", "BAC-102"):
            own = [each for each in concluded if each.conclusion.table == table]
            assert own
            for day, tables in kept_in_memory(house, own).items():
                held.add(day, tables)
        for day, tables in kept_in_memory(house, concluded).items():
            assert held.of(day) == tables


def test_a_day_of_which_nothing_matters_to_a_ledger_is_a_day_all_the_same() -> None:
    day, other = date(2025, 3, 1), date(2025, 3, 2)
    with LedgerSpill() as held:
        held.add(day, TableTotals())
        assert list(held.days()) == [day]
        assert held.of(day) == held.of(other) == TableTotals()


def test_ledgers_whose_entries_are_on_the_disk_are_the_same_ledgers() -> None:
    ledgers = LedgerDay().kept()
    assert sum(bool(each.days) for each in ledgers.values()) > 1
    with LedgerSpill() as held:
        kept = {name: held.keep(name, each) for name, each in ledgers.items()}
        assert kept == ledgers
        assert [list(each.days) for each in kept.values()] == [list(each.days) for each in ledgers.values()]
        assert all(date(1999, 1, 1) not in each.days for each in kept.values())
