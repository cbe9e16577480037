"""465a.35: who works at an open table, and how many tables a floorperson supervises."""

from datetime import date
from typing import Any, Final

import pytest

from projections.programmes.supervision.floor_day import judge_supervision
from schemas.law_text import status_of
from schemas.values import Role
from tests.builders.texts import text_of
from tests.law.floor_table import DAY, FloorDay, FloorTable
from tests.law.procedure_table import TABLE

FEW: Final = "staff_too_few"
Raised = list[tuple[str, str, tuple[str, ...]]]


def found(number: str, *roles: Role, **more: Any) -> Raised:
    """Return what is found of a table that is played with these people."""
    return FloorTable(number, **more).open_with(*roles).play().play().close().raised(FEW)


def lack(cite: str, weight: str = "mismatch") -> Raised:
    return [(FEW, weight, (cite,))]


@pytest.mark.parametrize("number", ["681a", "685a", "627a", "629a"])
def test_465a_35_b_1(number: str) -> None:
    assert found(number, "dealer", "floorperson") == []
    assert found(number, "floorperson") == lack("465a.35(b)(1)")


def test_465a_35_b_2() -> None:
    assert found("631a", "dealer", "dealer", "floorperson") == []
    assert found("631a", "dealer", "floorperson") == lack("465a.35(b)(2)")


@pytest.mark.parametrize(
    ("dealers", "weight"),
    [
        (("dealer", "dealer", "stickperson"), None),
        (("dealer", "stickperson"), "mismatch"),
        (("dealer", "dealer", "dealer"), "undetermined"),  # the source never says who has the stick
    ],
)
def test_465a_35_b_3(dealers: tuple[Role, ...], weight: str | None) -> None:
    wanted = [] if weight is None else lack("465a.35(b)(3)", weight)
    assert found("623a", *dealers, "boxperson", "floorperson") == wanted


def test_465a_35_b_3_stick() -> None:
    # Who had the stick pays and collects from now on, and nobody takes it.
    table = FloorTable("623a").open_with("dealer", "dealer", "stickperson", "boxperson", "floorperson").play()
    table.assign("stan", "dealer")
    assert table.play().play().close().raised(FEW) == lack("465a.35(b)(3)")


def test_465a_35_b_4() -> None:
    crew: tuple[Role, ...] = ("dealer", "dealer", "stickperson", "floorperson")
    assert found("623a", *crew, "boxperson") == []
    assert found("623a", *crew) == lack("465a.35(b)(4)")


def test_465a_35_b_4_mini_craps() -> None:
    # Mini-Craps is another game than Craps, (c)(1)(iv): one dealer and no boxperson.
    setup = {"game": "mini_craps"}
    assert found("623a", "dealer", "floorperson", setup=setup) == []
    assert found("623a", "floorperson", setup=setup) == lack("465a.35(b)(1)")


@pytest.mark.parametrize("above", ["floorperson", "pit_manager"])
def test_465a_35_c(above: Role) -> None:
    assert found("681a", "dealer", above) == []
    assert found("681a", "dealer") == lack("465a.35(c)")


@pytest.mark.parametrize(("seconds", "too_long"), [(60, False), (61, True)])
def test_465a_35_b(seconds: int, too_long: bool) -> None:  # noqa: FBT001  a row of the table
    table = FloorTable("681a").open_with("dealer", "floorperson").play()
    table.relieve("dana", "dealer", after=0)
    table.play(seconds)
    table.assign("dora", "dealer", after=0)
    table.play().close()
    assert table.raised(FEW) == (lack("465a.35(b)(1)") if too_long else [])
    assert [text_of(each.message) for each in table.findings(FEW)] == [
        "the open table had 0 of 1 dealers for 61 seconds while it was played"
    ] * too_long


def test_465a_35_b_lasting() -> None:
    # It is found once, and again where it begins again.
    table = FloorTable("681a").open_with("dealer", "floorperson")
    for _ in range(2):
        table.relieve("dana", "dealer")
        table.play().play().play()
        table.assign("dana", "dealer")
        table.play()
    assert table.close().raised(FEW) == 2 * lack("465a.35(b)(1)")


def test_465a_35_b_between_rounds() -> None:
    table = FloorTable("681a").open_with("floorperson")
    table.now += 3600  # open, and nobody plays
    table.assign("dana", "dealer")
    assert table.play().close().raised(FEW) == []


def test_465a_35_b_terminal() -> None:
    # The terminal names a dealer whom the staff source does not.
    table = FloorTable("681a").open()
    table.assign("fred", "floorperson")
    assert table.play().play().close().raised(FEW) == []


def test_465a_35_b_silence() -> None:
    # Of what was lost it is not known whether it was the dealer's coming; a silent source says nothing.
    table = FloorTable("681a").open_with("floorperson")
    table.assign("dana", "dealer", is_lost=True)
    assert table.play().play().close().raised(FEW) == lack("465a.35(b)(1)", "undetermined")
    assert found("681a") == [*lack("465a.35(b)(1)", "undetermined"), *lack("465a.35(c)", "undetermined")]


def test_465a_35_c_silence_of_the_staff_source_alone_is_told() -> None:
    # Who had the table may be among what the staff source said, and not among what the pit did.
    for lost_of, told in (("staff", [1]), ("pit", [])):
        table = FloorTable("681a").open_with("dealer", "floorperson")
        if lost_of == "staff":
            table.assign("dora", "dealer", is_lost=True)
        else:
            table.step("spread", is_lost=True)
        (concluded,) = table.play().play().close().concluded()
        assert [line.count for line in concluded.lines if line.name == "staff_unreported"] == told, lost_of


def test_465a_35_b_no_source() -> None:
    assert found("681a", without=("staff",)) == []


def test_465a_35_before_its_text() -> None:
    assert found("541", day=date(2013, 2, 8)) == []
    assert found("541", "dealer", day=date(2013, 2, 9)) == lack("465a.35(c)")
    assert status_of("465a.35(b)(1)", date(2013, 2, 9)) == "proposed"


def test_465a_35_c_lines() -> None:
    # The account of the floor is made of what each table says of its supervision.
    table = FloorTable("681a").open_with("dealer", "floorperson").play()
    table.relieve("fred", "floorperson")
    table.assign("fay", "floorperson")
    (account,) = [each for each in table.play().close().concluded() if each.account == "procedures"]
    lines = [(line.name, line.of) for line in account.lines if line.at is not None]
    assert lines == [
        ("supervision_began", "fred"),
        ("supervision_ended", "fred"),
        ("supervision_began", "fay"),
        ("supervision_ended", "fay"),
    ]
    assert account.table == TABLE


# ── the tables of a floorperson ──

CHECK: Final = "too_many_tables"
# Chapters of banking games that (c)(1) does not exclude.
ORDINARY: Final = ("681a", "685a")


def every(*tables: str | tuple[str, dict[str, Any]]) -> Raised:
    """Return what is found where one floorperson has all of these tables for an hour."""
    return FloorDay(*tables).have("fred", 0, 3600, *range(1, len(tables) + 1)).raised()


def too_many(*cites: str, weight: str = "mismatch") -> Raised:
    return [(CHECK, weight, tuple(f"465a.35{cite}" for cite in cites))]


ELECTRONIC: Final = ("681a", {"electronic": True})


def test_465a_35_c_1() -> None:
    assert every(*ORDINARY, *ORDINARY) == []
    assert every(*ORDINARY, *ORDINARY, "681a") == too_many("(c)(1)")


def test_465a_35_c_1_by_name() -> None:
    found = FloorDay(*("681a",) * 5).have("fred", 0, 3600, 1, 2, 3, 4, 5).concluded()
    (finding,) = found.findings
    assert (found.table, found.account, found.verdict, finding.status) == (
        "floor",
        "supervision",
        "mismatch",
        "proposed",
    )
    assert text_of(finding.message) == (
        "fred supervised 5 open tables, T-1, T-2, T-3, T-4 and T-5; at most 4 of their games are admitted"
    )
    assert [(line.of, line.count) for line in found.lines] == [("fred", 5)]


@pytest.mark.parametrize(("seconds", "is_too_long"), [(60, False), (61, True)])
def test_465a_35_c_1_relief(seconds: int, is_too_long: bool) -> None:  # noqa: FBT001  a row of the table
    # The fifth table is his for so long, until the one who takes it over comes.
    floor = FloorDay(*("681a",) * 5).have("fred", 0, 3600, 1, 2, 3, 4).have("fred", 100, 100 + seconds, 5)
    assert floor.raised() == (too_many("(c)(1)") if is_too_long else [])


def test_465a_35_c_1_again() -> None:
    # Twice in a day are two findings; a change among tables that are too many all along is none.
    floor = FloorDay(*("681a",) * 6).have("fred", 0, 3600, 1, 2, 3, 4)
    floor.have("fred", 0, 1000, 5).have("fred", 1000, 2000, 6).have("fred", 3000, None, 5)
    assert floor.raised() == 2 * too_many("(c)(1)")


def test_465a_35_c_1_two_floorpersons() -> None:
    floor = FloorDay(*("681a",) * 6).have("fred", 0, 3600, 1, 2, 3).have("fay", 0, 3600, 4, 5, 6)
    assert floor.raised() == []


def test_465a_35_c_1_to_the_end_of_the_day() -> None:
    # Without an end he has the table until the day ends; one that he left before is not counted.
    floor = FloorDay(*("681a",) * 5).have("fred", 0, None, 1, 2, 3, 4).have("fred", -3600, 0, 5)
    assert floor.raised() == []


@pytest.mark.parametrize(
    ("table", "item"),
    [
        ("629a", "ii"),
        ("623a", "iii"),
        (("623a", {"game": "mini_craps"}), "iv"),
        ("535", "v"),
    ],
)
def test_465a_35_c_1_excluded(table: Any, item: str) -> None:
    # Alone it is one table; beside others the paragraph for it was not printed.
    assert every(table) == []
    assert every("681a", table) == too_many(f"(c)(1)({item})", weight="undetermined")


def test_465a_35_c_1_i() -> None:
    assert every("681a", "631a") == too_many("(c)(1)(i)", weight="undetermined")


def test_465a_35_c_1_ii() -> None:
    assert every("681a", "543", "629a") == too_many("(c)(1)(ii)", weight="undetermined")


def test_465a_35_c_1_iii() -> None:
    assert every("681a", "623a") == too_many("(c)(1)(iii)", weight="undetermined")


def test_465a_35_c_1_iv() -> None:
    mini = ("623a", {"game": "mini_craps"})
    assert every("681a", mini) == too_many("(c)(1)(iv)", weight="undetermined")


def test_465a_35_c_1_v() -> None:
    assert every("681a", "535") == too_many("(c)(1)(v)", weight="undetermined")


def test_465a_35_c_2() -> None:
    assert every("631a") == []
    assert every("631a", "545") == too_many("(c)(2)")


def test_465a_35_d() -> None:
    assert every(*(ELECTRONIC,) * 6) == []
    assert every(*(ELECTRONIC,) * 7) == too_many("(c)(1)", "(d)")


def test_465a_35_d_left_open() -> None:
    # Some of five tables are electronic; half as many again as one Baccarat table is one and a half.
    assert every(ELECTRONIC, *("681a",) * 4) == too_many("(c)(1)", "(d)", weight="undetermined")
    assert every(ELECTRONIC, *("681a",) * 6) == too_many("(c)(1)", "(d)")
    baccarat = ("631a", {"electronic": True})
    assert every(baccarat, baccarat) == too_many("(c)(2)", "(d)", weight="undetermined")
    assert every(baccarat, baccarat, baccarat) == too_many("(c)(2)", "(d)")


def test_465a_35_c_1_silence() -> None:
    floor = FloorDay(*("681a",) * 5).have("fred", 0, 3600, 1, 2, 3, 4, 5)
    floor.unreported.add("T-3")
    assert floor.raised() == too_many("(c)(1)", weight="undetermined")


def test_465a_35_c_1_no_source() -> None:
    assert judge_supervision(DAY, FloorDay("681a").accounts(), FloorDay("681a").house) is None


def test_465a_35_c_1_before_its_text() -> None:
    floor = FloorDay(*("681a",) * 5).have("fred", 0, 3600, 1, 2, 3, 4, 5)
    assert floor.concluded(date(2013, 2, 8)).findings == ()


def test_465a_35() -> None:
    test_465a_35_b_2()
    test_465a_35_c("pit_manager")
    test_465a_35_c_2()
    test_465a_35_d()
