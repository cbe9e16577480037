"""A record that is withheld from somebody is in no row of a night's reports, and in no sum of findings."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.runs import DayReport
from projections.store.store import Store
from projections.web.auth.auth_plugin import Access
from projections.web.auth.embargo import Embargoes
from tests.builders.consoles import add_account, open_console
from tests.builders.withheld_rounds import (
    DAY,
    OTHER,
    RUN,
    WITHHELD,
    build_gap_finding,
    build_named_finding,
    build_round,
)

BESIDE: Final = "401e" + "0" * 12  # of the same round
ALERT: Final = f"alert:{WITHHELD}"
ROUND: Final = "round:2025-03-01|BAC-101|71"
EARLIER: Final = "round:2025-02-28|BAC-101|71"

# Round 71 of BAC-101 has a late wager and a hole, round 72 a late wager. By report: its rows, and of which of
# them, from 0, something is withheld with the alert, as with its round, and with a round of the day before.
NIGHT: Final[dict[str, tuple[list[dict[str, Any]], set[int], set[int]]]] = {
    "findings": (
        [{"table": "BAC-101", "about": each[0], "id": each[1]} for each in (
            ("71", WITHHELD), ("71", BESIDE), ("72", OTHER))],
        {0, 1}, set(),
    ),
    # No row says which finding it is of: with one all of the round are left out.
    "open_items": (
        [{"table": "BAC-101", "about": each} for each in ("round 71", "round 72", "shoe 71", "archive")],
        {0}, set(),
    ),
    "undetermined": ([{"table": "BAC-101", "round": each} for each in ("71", "70")], {0}, set()),
    "breaches": (
        [{"table": "BAC-101", "about": "round 71", "gaming_day": each}
         for each in ("2025-03-01", "2025-02-28")],
        {0}, {1},
    ),
    "muted": ([{"of": f"alert:{each}"} for each in (WITHHELD, BESIDE, OTHER)], {0, 1}, set()),
    "comparison": (
        [{"table": each, "names": "differing: round 70, round 71; missing: shoe 3"}
         for each in ("BAC-101", "BAC-102")],
        {0}, set(),
    ),
    # Sums of so few findings tell of each.
    "mismatches": (
        [{"table": each, "check": "late_wager", "findings": 2} for each in ("BAC-101", "BAC-102")],
        {0}, set(),
    ),
    "patrons_and_house": (
        [{"table": each, "patrons": 2} for each in ("BAC-101", "BAC-102")], {0}, set(),
    ),
    "closings": (
        [{"check": each, "findings": 1} for each in ("late_wager", "paid_too_much")], {0}, set(),
    ),
    "alert_ageing": ([{"age": "up to an hour", "open": 3}], {0}, set()),
    # What a table won is no finding.
    "win_by_table": ([{"table": "BAC-101", "win_cents": 100}], set(), set()),
}  # fmt: skip
# The conclusions that the rows of a report tell of.
KEYS: Final[dict[str, list[list[str]]]] = {
    "findings": [[f"{DAY}|BAC-101|{each}"] for each in ("71", "71", "72")],
    "open_items": [*([f"{DAY}|BAC-101|{each}"] for each in ("71", "72", "shoe|71")), []],
    "undetermined": [[f"{DAY}|BAC-101|{each}"] for each in ("71", "70")],
    "breaches": [[f"{each}|BAC-101|71"] for each in ("2025-03-01", "2025-02-28")],
    "comparison": [
        [f"{DAY}|{table}|{each}" for each in ("70", "71", "shoe|3")] for table in ("BAC-101", "BAC-102")
    ],
}
# Every round told of as another, and as many as there are as the one that is withheld.
MISCALLED: Final = {"71": "99", "round 71": "round 99", "70": "71", "72": "71", "round 72": "round 71"}
MISLISTED: Final = {"BAC-101": "none of BAC-101", "BAC-102": "differing: round 71"}


def miscalled(name: str) -> list[dict[str, Any]]:
    """Return a report's rows with other words for the rounds that they are about."""
    return [
        {
            column: MISLISTED[row["table"]]
            if column == "names"
            else MISCALLED.get(cell, cell)
            if column in {"about", "round"}
            else cell
            for column, cell in row.items()
        }
        for row in NIGHT[name][0]
    ]


def made(name: str, rows: list[dict[str, Any]], keys: list[list[str]] | None) -> DayReport:
    columns = [{"name": each, "says": each, "kind": "text"} for each in rows[0]]
    body = {
        "title": name,
        "columns": columns,
        "rows": rows,
        "note": "3 in all",
        "total": rows[0],
        "people": {},
    }
    if keys is not None:
        body["row_keys"] = keys
    return DayReport(
        gaming_day=DAY, report=name, digest=name, made_by="discardrack 1.0", body=json.dumps(body)
    )


def reports() -> Iterator[DayReport]:
    """Make every report; those with keys also with other words for what they are about, and without keys."""
    for name, (rows, *_) in NIGHT.items():
        yield made(name, rows, KEYS.get(name))
    for name, keys in KEYS.items():
        yield made(f"{name}_miscalled", miscalled(name), keys)
        yield made(f"{name}_earlier", NIGHT[name][0], None)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reports") / "store.duckdb"
    with Store(path) as store:
        store.write(
            RUN,
            [
                build_round(71, build_named_finding(WITHHELD), build_gap_finding(BESIDE, "S-71")),
                build_round(72, build_named_finding(OTHER)),
            ],
        )
        store.write_batch({}, reports=list(reports()))
    add_account(path, "director", "director")
    return path


@pytest.fixture(scope="module")
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(path, "supervisor") as client:
        yield client


@pytest.fixture(params=[ALERT, ROUND, EARLIER])
def withheld(client: TestClient[Litestar], request: pytest.FixtureRequest) -> Iterator[int]:
    """Withhold a record from who looks, and say whether it is the one of the day before."""
    access = client.app.plugins.get(Access).auth
    embargoes = access.embargoes
    # That of the day before is not in this store: it was withheld where it was known.
    placing = Embargoes(access.file) if request.param == EARLIER else embargoes
    placing.place(request.param, "supervisor", "named in it", by="director")
    yield int(request.param == EARLIER)
    for each in embargoes.seen_by("director"):
        if each.lifted is None:
            embargoes.lift(each.id, by="director")


@pytest.mark.parametrize("name", NIGHT)
def test_all_see_a_whole_report_from_whom_nothing_is_withheld(
    client: TestClient[Litestar], name: str
) -> None:
    told = client.get(f"/api/reports/2025-03-01/{name}").json()
    assert (len(told["rows"]), told["note"]) == (len(NIGHT[name][0]), "3 in all")
    assert told["total"] is not None


@pytest.mark.parametrize("name", NIGHT)
def test_a_withheld_record_is_in_no_row(client: TestClient[Litestar], withheld: int, name: str) -> None:
    rows, gone = NIGHT[name][0], NIGHT[name][1 + withheld]
    told = client.get(f"/api/reports/2025-03-01/{name}").json()
    assert told["rows"] == [row for place, row in enumerate(rows) if place not in gone]
    # Of what is left out no count tells, and nothing says that there is less.
    assert (told["note"], told["total"]) == ((None, None) if gone else ("3 in all", rows[0]))


@pytest.mark.parametrize("name", KEYS)
def test_what_a_row_is_about_is_read_in_no_word_of_it(
    client: TestClient[Litestar], withheld: int, name: str
) -> None:
    gone = NIGHT[name][1 + withheld]
    told = client.get(f"/api/reports/2025-03-01/{name}_miscalled").json()
    assert told["rows"] == [row for place, row in enumerate(miscalled(name)) if place not in gone]


@pytest.mark.parametrize("name", KEYS)
def test_without_row_keys_no_row_of_a_table_with_something_withheld_is_shown(
    client: TestClient[Litestar], withheld: int, name: str
) -> None:
    """As an older version made it."""
    day = ("2025-03-01", "2025-02-28")[withheld]
    rows = NIGHT[name][0]
    told = client.get(f"/api/reports/2025-03-01/{name}_earlier").json()
    assert told["rows"] == [
        row for row in rows if (row["table"], row.get("gaming_day", str(DAY))) != ("BAC-101", day)
    ]
