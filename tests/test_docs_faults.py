"""The page on the simulator's faults: every kind stands there with its finding, its rate and its occasion."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from streams.simulator.faults import DEALERS, SENSORS
from streams.simulator.kinds import Kind
from streams.simulator.money.kinds import MONEY

_PAGE = (Path(__file__).parents[1] / "docs" / "faults.md").read_text(encoding="utf-8")
_ROWS = {
    cells[0].strip("`"): cells
    for line in _PAGE.splitlines()
    if line.startswith("| `")
    for cells in [[cell.strip() for cell in re.split(r"\s\|\s", line.strip("| "))]]
}


@pytest.mark.parametrize("group", [DEALERS, MONEY, SENSORS], ids=["dealers", "money", "sensors"])
def test_every_kind_stands_there_with_its_rate(group: Mapping[str, Kind]) -> None:
    for name, kind in group.items():
        cells = _ROWS[name]
        assert float(cells[-2]) == kind.rate, name
        if group is not SENSORS:
            assert cells[2].strip("`") == (kind.check or "none"), name
        if group is MONEY:
            assert cells[-1] == kind.per, name


def test_no_other_kind_stands_there() -> None:
    assert _ROWS.keys() == {*DEALERS, *MONEY, *SENSORS}
