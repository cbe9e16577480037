"""A table's inventory through the day, and what its devices did not report, on the page."""

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from projections.engine.accounts.checks.inventory import INVENTORY_SLIP_WRONG
from projections.engine.audit.account_conclusions import INVENTORY
from projections.engine.conclusion import Line, id_of
from projections.engine.facts import DeviceRef, Fact, fact
from projections.engine.findings import Finding
from projections.store.store import Store
from projections.web.auth.embargo import Hidden
from projections.web.pages.day_drawing import WIDE, drawn_day
from projections.web.pages.day_gaps import MissingData
from projections.web.pages.table_day_view import TableDay, called, table_day
from projections.web.records.store_queries import Reader
from schemas.provisions import provisions
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.alerts import build_conclusion, build_finding
from tests.builders.audited_floor import audit_floor as audited
from tests.builders.consoles import open_console
from tests.builders.documents import ROOT, page_tables
from tests.builders.shoe_rounds import EIGHT_PM, MINUTE, RUN, build_round

OPENER = Line(name="opener", cents=1_000_000)


def line(name: str, of: str, cents: int, minute: int) -> Line:
    return Line(name=name, of=of, cents=cents, at=EIGHT_PM + minute * MINUTE)


LINES = (
    OPENER,
    line("fill", "F-1", 5_000, 5),
    line("credit", "C-1", 3_000, 15),
    line("listing_opening", "TI-1", 1_000_000, -4),
    line("listing_drop", "TI-2", 1_000_000, 12),
    line("listing_closing", "TI-3", 990_000, 25),
    line("box", "B-1", 8_000, 13),
    line("box_check", "CC-1", 2_000, 7),
    line("box_coupon", "MP-1", 0, 8),
    line("box", "B-2", 6_000, 26),
)


def day_of(
    path: Path, entries: list[Any], lines: tuple[Line, ...] = (), *found: Finding, hidden: str = ""
) -> TableDay:
    """Store rounds and an inventory account of BAC/1, and read the day back."""
    account = build_conclusion(None, *found, table="BAC/1", account=INVENTORY, chapter="465a", lines=lines)
    with Store(path) as store:
        store.write(RUN, [*entries, *([(None, account, 1)] if lines else [])])
        told = table_day(Reader(store.reading()), "first", "BAC/1", account.gaming_date, Hidden({hidden}))
    assert told is not None
    return told


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("table_day") / "store.duckdb"


@pytest.fixture(scope="module")
def day(path: Path) -> TableDay:
    rounds = [
        build_round(0, "A", 2500, 125),
        build_round(10, "A", -10_000, 0),
        build_round(20, "B", 1000, 50),
    ]
    return day_of(path, rounds, LINES)


def test_the_line_steps_at_each_paper_count_and_box_with_its_section(day: TableDay) -> None:
    told = [
        ((each.at - EIGHT_PM) // MINUTE, called(each.line), each.moved_cents, each.holds_cents, *each.cites)
        for each in day.inventory
    ]
    # Rounds bring -2,375 at 0, 10,000 at 10 and -950 at 20 minutes; a count sets the line to what it says.
    assert told == [
        (-4, "Opening count TI-1", 0, 1_000_000, "465a.37(c)"),
        (5, "Fill F-1", 5_000, 1_002_625, "465a.36(b)(5)"),
        (7, "Counter Check CC-1", -2_000, 1_000_625, "465a.36(b)(2)"),
        (12, "Drop count TI-2", -10_625, 1_000_000, "465a.41(a)"),
        (13, "Drop box off B-1", 0, 1_000_000, "465a.41(d)"),
        (15, "Credit C-1", -3_000, 997_000, "465a.36(b)(5)"),
        (25, "Closing count TI-3", -6_050, 990_000, "465a.36(c)"),
        (26, "Drop box off B-2", 0, 990_000, "house control"),
    ]
    cited = {cite for each in day.inventory for cite in each.cites}
    assert cited - {"house control"} <= set(provisions("465a"))


def test_the_page_of_the_console_has_each_step_with_its_section(day: TableDay) -> None:
    (rows,) = page_tables((ROOT / "docs" / "console.md").read_text(encoding="utf-8"), "step")
    sections = {step: row[2] for row in rows for step in row[0].lower().split(", ")}
    steps = {called(replace(each.line, of=None)).lower(): each.cites[0] for each in day.inventory}
    assert steps | {"shift count": "465a.36(c)"} == sections | {"drop box off": "house control"}
    assert sections["drop box off"] == "465a.41(d) while the table stays open, else house control"


def test_a_slip_that_was_found_wrong_leaves_the_line_where_it_was(tmp_path: Path) -> None:
    wrong = build_finding("slip", check=INVENTORY_SLIP_WRONG.check, serial="TI-2")
    lines = (OPENER, line("listing_drop", "TI-2", 700_000, 5), line("listing_shift", "TI-3", 999_000, 6))
    told = day_of(tmp_path / "s", [build_round(0, "A", 2500, 125)], lines, wrong)
    assert [(each.moved_cents, each.holds_cents) for each in told.inventory] == [
        (0, 997_625),
        (1_375, 999_000),
    ]


def test_lines_without_a_moment_are_no_steps(tmp_path: Path) -> None:
    lines = (OPENER, Line(name="fill", of="F-1", cents=5_000), Line(name="box", of="B-1", cents=100))
    told = day_of(tmp_path / "s", [build_round(0, "A", 2500, 125)], lines)
    assert (told.opener_cents, told.inventory) == (1_000_000, [])


def test_each_step_is_drawn_and_named_where_it_was(day: TableDay) -> None:
    picture = drawn_day(day, [])
    assert picture is not None
    # From 4 minutes before eight to 26 after: 40 units a minute, of which a letter takes 9.
    assert [(each.x, each.label_x) for each in picture.moments] == [
        (0, 0),
        (360, 360),
        (440, 440),
        (640, 640),
        (680, 680),
        (760, 760),
        (1160, WIDE - 9 * len("Closing count TI-3")),
        (1200, WIDE - 9 * len("Drop box off B-2")),
    ]
    # The credit's name begins at 760, where the drop count's (to 775) and the box's (to 824) still go on.
    assert [(each.label_y - picture.moments[0].label_y) // 18 for each in picture.moments] == [
        0,
        0,
        0,
        0,
        1,
        2,
        0,
        1,
    ]
    # From the closing count's 990,000 to 1,010,625 after the second round: an axis of 30,000, drawn 100 high.
    low = 112 + 3 * 18 + 28 + 100
    axis = [(low, 990_000), (low - 33, 1_000_000), (low - 66, 1_010_000), (low - 100, 1_020_000)]
    assert [(each.y, each.cents) for each in picture.levels] == axis
    assert [low - each.y for each in picture.moments] == [33, 42, 35, 33, 33, 23, 0, 0]


def test_a_day_without_a_round_is_drawn_by_its_counts(tmp_path: Path) -> None:
    told = day_of(tmp_path / "s", [], (OPENER, line("listing_shift", "TI-9", 1_000_000, 0)))
    picture = drawn_day(told, [])
    assert picture is not None
    assert (picture.ticks, [each.x for each in picture.moments]) == ([], [0])


def test_the_page_names_each_step_in_the_picture_and_beneath_it(path: Path, day: TableDay) -> None:
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
        told = client.get("/api/tables/BAC~11/2025-03-01").json()
    for each in day.inventory:
        assert page.count(called(each.line)) == 3, called(each.line)  # at its point, beside it, in the table
    assert "-$106.25" in page
    assert "$10,006.25" in page
    assert "3:12:00 PM" in page
    assert [each["holds_cents"] for each in told["inventory"]] == [each.holds_cents for each in day.inventory]


def test_the_count_that_ends_the_day_is_explained_by_its_account_and_what_was_marked(tmp_path: Path) -> None:
    sums = {"opener": 1_000_000, "fills": 5_000, "cash": -8_000, "wagers_collected": 10_000, "vigorish": 75}
    lines = (
        *(Line(name=name, cents=cents) for name, cents in sums.items()),
        Line(name="expected", cents=1_007_075),
        Line(name="untyped", cents=-500),
        Line(name="closer", of="TI-3", cents=1_006_575),
        line("fill", "F-1", 5_000, 5),
        line("listing_drop", "TI-2", 1_014_000, 12),
        line("listing_closing", "TI-3", 1_006_575, 25),
    )
    owed = (Line(name="vigorish_owed", of="1", cents=40), Line(name="vigorish_owed", of="3/anna", cents=10))
    shoe = (None, build_conclusion(None, table="BAC/1", shoe="A", lines=owed), 1)
    path = tmp_path / "store.duckdb"
    closing = day_of(path, [build_round(0, "A", -10_000, 125), shoe], lines).closing
    assert closing is not None
    assert [(each.name, each.cents) for each in closing.terms] == list(sums.items())
    assert (closing.difference_cents, closing.marked_cents) == (-500, 50)
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
    assert (
        "<b>Closing count TI-3</b>: opener $10,000.00, fills $50.00, cash -$80.00, wagers collected $100.00, "
        "vigorish $0.75; expected $10,070.75 (465a.36(b)), counted $10,065.75 (465a.36(c)), difference "
        "-$5.00. The line was $0.50 higher: vigorish marked and not paid.</p>"
    ) in page


def test_a_day_that_no_count_ended_has_none_to_explain(day: TableDay) -> None:
    assert day.closing is None


@pytest.mark.usefixtures("day")
def test_the_picture_has_an_axis_of_round_sums_and_its_signs_are_explained(path: Path) -> None:
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
    axis = re.findall(r'<text class="end" x="-10" y="\d+">([^<]*)</text>', page)
    assert axis == ["$9,900", "$10,000", "$10,100", "$10,200"]
    (legend,) = re.findall(r"<ul [^>]*picture's signs mean.*?</ul>", page, re.DOTALL)
    assert [each.strip() for each in re.findall(r"</svg>([^<]*)", legend)] == [
        "a shoe",
        "a round, clean",
        "the table inventory, in dollars",
        "a slip, a count or a drop box",
    ]


# ── devices that said nothing ────────────────────────────────────────────────────────────────────────


def missing(name: str, device: str, message: Fact, **more: Any) -> Finding:
    told = {"check": "data_missing", "weight": "undetermined", "severity": "data", "net_cents": None}
    return build_finding(name, device=device, message=message, **told | more)


def silent(device: str) -> Fact:
    return fact("fold.silent", device=DeviceRef(device))


def restarted(device: str) -> Fact:
    return fact("fold.restarted", device=DeviceRef(device))


def lost(device: str, number: int) -> Fact:
    return fact("fold.numbers_missing", device=DeviceRef(device), epoch=1, first=number, last=number)


def with_note(entry: Any, *notes: Finding) -> Any:
    seen, conclusion, revision = entry
    return seen, replace(conclusion, notes=notes), revision


def rounds_with_gaps() -> list[Any]:
    shoe = [missing("s1", "C-1", silent("C-1")), missing("s2", "S-1", lost("S-1", 7))]
    return [
        build_round(0, "A", 0, 0),
        build_round(10, "A", 0, 0, missing("a", "C-1", fact("fold.alone", gap=silent("C-1")))),
        build_round(20, "A", 0, 0, missing("b", "C-1", silent("C-1")), missing("c", "C-1", restarted("C-1"))),
        with_note(build_round(30, "A", 0, 0), missing("d", "V-1", silent("V-1"), weight="note")),
        build_round(40, "B", 0, 0, missing("e", "C-1", silent("C-1"))),
        (None, build_conclusion(None, *shoe, table="BAC/1", shoe="A"), 1),
    ]


def at(minute: int) -> int:
    return EIGHT_PM + minute * MINUTE


GAPS = [
    MissingData(
        "C-1",
        at(10),
        at(30),
        2,
        [fact("fold.alone", gap=silent("C-1")), silent("C-1"), restarted("C-1")],
    ),
    MissingData("S-1", at(30), at(30), 0, [lost("S-1", 7)]),
    MissingData("V-1", at(30), at(40), 1, [silent("V-1")]),
    MissingData("C-1", at(40), None, 1, [silent("C-1")]),
]


def test_what_is_missing_of_a_device_lasts_until_a_round_of_which_nothing_is(tmp_path: Path) -> None:
    assert day_of(tmp_path / "s", rounds_with_gaps()).missing == GAPS


def test_what_lies_between_two_rounds_is_a_mark_where_it_was_known_and_no_bar(tmp_path: Path) -> None:
    """Restart a device in the round of minute 20 and before that of 30, which 31 minutes show."""
    again = [missing("s1", "C-1", restarted("C-1")), missing("s2", "C-1", restarted("C-1"))]
    entries = [
        *(build_round(minute, "A", 0, 0) for minute in (0, 10, 30, 60)),
        build_round(20, "A", 0, 0, missing("a", "C-1", restarted("C-1"))),
        (at(21), build_conclusion(None, again[0], table="BAC/1", shoe="A"), 1),
        (at(31), build_conclusion(None, *again, table="BAC/1", shoe="A"), 2),
        (
            at(61),
            build_conclusion(None, *again, missing("s3", "C-2", restarted("C-2")), table="BAC/1", shoe="A"),
            3,
        ),
    ]
    told = day_of(tmp_path / "s", entries)
    assert told.missing == [
        MissingData("C-1", at(20), at(30), 1, [restarted("C-1")]),
        MissingData("C-1", at(31), at(31), 0, [restarted("C-1")]),
        MissingData("C-2", at(61), at(61), 0, [restarted("C-2")]),
    ]
    picture = drawn_day(told, [])
    assert picture is not None
    # 60 minutes are 1,200 units: 20 a minute. What was known after the last round stands at the end.
    assert [(each.x, each.wide) for each in picture.silences] == [(400, 200), (620, 4), (1200, 4)]
    with open_console(tmp_path / "s") as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
    assert 'known <time datetime="2025-03-01T20:31:00+00:00">3:31:00 PM</time>' in page


def test_what_came_late_after_all_does_not_date_what_is_missing(tmp_path: Path) -> None:
    """Miss a number at first, which comes, and then a restart: as the device's first it has the same name."""
    late, again = missing("s1", "C-1", lost("C-1", 9)), missing("s1", "C-1", restarted("C-1"))
    entries = [
        *(build_round(minute, "A", 0, 0) for minute in (0, 10, 40)),
        (at(11), build_conclusion(None, late, table="BAC/1", shoe="A"), 1),
        (at(12), build_conclusion(None, table="BAC/1", shoe="A"), 2),
        (at(41), build_conclusion(None, again, table="BAC/1", shoe="A"), 3),
        (
            at(42),
            build_conclusion(None, again, missing("s2", "V-1", restarted("V-1")), table="BAC/1", shoe="A"),
            4,
        ),
    ]
    assert day_of(tmp_path / "s", entries).missing == [
        MissingData("C-1", at(41), at(41), 0, [restarted("C-1")]),
        MissingData("V-1", at(42), at(42), 0, [restarted("V-1")]),
    ]


def test_what_is_withheld_is_not_shown_for_a_device(tmp_path: Path) -> None:
    told = day_of(tmp_path / "s", rounds_with_gaps(), hidden="alert:e")
    assert told.missing == GAPS[:3]


def test_devices_are_drawn_over_time_and_listed_beneath(tmp_path: Path) -> None:
    told = day_of(tmp_path / "s", rounds_with_gaps())
    picture = drawn_day(told, [("I-1", at(35))])
    assert picture is not None
    # 40 minutes are 1,200 units; what goes on ends with the picture, where a mark is 4 wide at least.
    assert [(each.device, each.x, each.wide, each.y) for each in picture.silences] == [
        ("C-1", 300, 600, 112),
        ("S-1", 900, 4, 138),
        ("V-1", 900, 300, 164),
        ("I-1", 1050, 150, 112),
        ("C-1", 1200, 4, 138),
    ]
    with open_console(tmp_path / "s") as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
    assert page.count('<rect class="silence" x=') == 4
    assert "missing device data" in page
    assert "<title>S-1 number 7 of epoch 1 did not arrive</title>" in page
    assert "the last round" in page
    assert "between rounds" in page


def test_counts_move_the_line_by_what_it_cannot_know(tmp_path: Path) -> None:
    """Add simulated accounts to their days: counts bring cash, the untyped, and vigorish left owing."""
    simulate(tmp_path, tables=3, hours=3, seed="inventory", rates=faults.rates())
    told = [each for _, each in audited(tmp_path)]
    latest = {id_of(each.conclusion): each.conclusion for each in told}.values()
    with Store(tmp_path / "store.duckdb") as store:
        store.write(RUN, [(each.basis, each.conclusion, each.revision) for each in told])
        reader = Reader(store.reading())
        accounts = [each for each in latest if each.account == INVENTORY]
        assert len(accounts) == 3
        for account in accounts:
            day = table_day(reader, "first", account.table, account.gaming_date)
            assert day is not None
            ledgers = [
                line for each in latest if each.shoe and each.table == account.table for line in each.lines
            ]
            owed = sum(line.cents or 0 for line in ledgers if line.name == "vigorish_owed")
            unknown = sum(line.cents or 0 for line in account.lines if line.name in ("cash", "untyped"))
            assert day.closing is not None
            assert sum(each.cents or 0 for each in day.closing.terms) == day.closing.expected_cents
            untyped = next(line.cents for line in account.lines if line.name == "untyped")
            assert (day.closing.difference_cents, day.closing.marked_cents) == (untyped, owed)
            counts = [each for each in day.inventory if each.line.name.startswith("listing_")]
            assert counts[-1].line.name == "listing_closing"
            assert sum(each.moved_cents for each in counts) == unknown - owed
