"""A side wager that a house's pay table settles, on the pages of its alert and its round."""

from pathlib import Path
from typing import Final

import msgspec

from projections.engine.audit.table_audit import TableAudit
from projections.store.store import Store
from schemas.house import House
from schemas.side_wagers import SideWager
from tests.builders.consoles import open_console
from tests.builders.stores import RUN
from tests.builders.table_script import Script, build_house

COLORED: Final = {"player_first_two": {"same": ["rank", "color"]}}
PAIRS: Final = {
    "cite": "631b.1",
    "paytable": [{"name": "colored pair", "if": COLORED, "pays": "12 to 1"}],
}


def offering() -> House:
    made, offered = build_house(), {"perfect_pairs": msgspec.convert(PAIRS, SideWager)}
    return msgspec.structs.replace(
        made, submissions=[msgspec.structs.replace(each, offered=offered) for each in made.submissions]
    )


def test_the_sum_of_a_side_wager_stands_on_its_pages_with_the_houses_citation(tmp_path: Path) -> None:
    """Pay $125.00 on a colored pair of $5.00, which is owed $60.00 at 12 to 1."""
    s = Script()
    s.open()
    bet = (1, "perfect_pairs")
    s.play("P8c B6d P8s BKd", {bet: 500}, "tie", {bet: 12_500})
    s.begin()
    heard = [each for each in TableAudit("BAC-1", offering()).feed(s.events) if each.conclusion.round == "1"]
    concluded = heard[-1].conclusion
    (finding,) = concluded.findings
    path = tmp_path / "s.duckdb"
    with Store(path) as store:
        store.write(RUN, [(each.basis, each.conclusion, each.revision) for each in heard])
    with open_console(path) as client:
        for place in (f"/alerts/{finding.id}", f"/rounds/{concluded.gaming_date}/BAC-1/1"):
            page = client.get(place).text
            for words in ("perfect pairs", "wins: colored pair", "paid at 12 to 1", "$60.00", "631b.1"):
                assert words in page, (place, words)
