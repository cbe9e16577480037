"""465a.9(c)(2): how many surveillance cameras cover an open table."""

from datetime import date
from typing import Final

import pytest

from schemas import events as e
from schemas.house import ProcedureSettings
from schemas.law_text import status_of
from schemas.values import Person
from tests.law.floor_table import FloorTable

COVER: Final = "table_not_covered"
NOTICE: Final = "outage_not_notified"
GUARD: Final = Person("gus", "security")
Raised = list[tuple[str, str, tuple[str, ...]]]


def lack(cite: str, weight: str = "mismatch") -> Raised:
    return [(COVER, weight, (cite,))]


def dark(number: str = "681a", **more: object) -> FloorTable:
    """Return an open table at which one camera covers one end and another has failed."""
    table = FloorTable(number, **more)
    table.camera("CAM-1", "failed", covers="end 1")
    return table.open_with()


@pytest.mark.parametrize("number", ["681a", "685a", "535", "627a", "629a"])
def test_465a_9_c_2_i(number: str) -> None:
    assert FloorTable(number).open_with(cameras=1).play().close().raised(COVER) == []
    assert dark(number).play().close().raised(COVER) == lack("465a.9(c)(2)(i)")


@pytest.mark.parametrize(
    ("second", "weight"),
    [("end 2", None), ("end 1", "mismatch"), (None, "undetermined")],
)
def test_465a_9_c_2_ii(second: str | None, weight: str | None) -> None:
    # Two cameras, one for each end.
    table = FloorTable("623a").open_with(cameras=1)
    table.camera("CAM-2", "working", covers=second)
    wanted = [] if weight is None else lack("465a.9(c)(2)(ii)", weight)
    assert table.play().close().raised(COVER) == wanted


def test_465a_9_c_2_ii_one_camera() -> None:
    one = FloorTable("623a").open_with(cameras=1).play().close()
    assert one.raised(COVER) == lack("465a.9(c)(2)(ii)")


def test_465a_9_c_2_ii_mini_craps() -> None:
    mini = FloorTable("623a", setup={"game": "mini_craps"})
    assert mini.open_with(cameras=1).play().close().raised(COVER) == []


def test_465a_9_c_2() -> None:
    # How many a Baccarat table needs was not printed.
    assert FloorTable("631a").open_with(cameras=1).play().close().raised(COVER) == []
    assert dark("631a").play().close().raised(COVER) == lack("465a.9(c)(2)", "undetermined")


@pytest.mark.parametrize(("seconds", "too_long"), [(120, False), (121, True)])
def test_465a_9_c_2_i_outage(seconds: int, too_long: bool) -> None:  # noqa: FBT001  a row of the table
    settings = ProcedureSettings(camera_outage_seconds=120)
    table = FloorTable("681a", procedures=settings).open_with(cameras=1).play()
    table.camera("CAM-1", "failed", after=0)
    table.play(seconds)
    table.camera("CAM-1", "working", after=0)
    assert table.play().close().raised(COVER) == (lack("465a.9(c)(2)(i)") if too_long else [])


def test_465a_9_c_2_i_silence() -> None:
    assert FloorTable("681a").open_with().play().close().raised(COVER) == lack(
        "465a.9(c)(2)(i)", "undetermined"
    )
    table = dark()
    table.camera("CAM-2", "working", is_lost=True)
    assert table.play().close().raised(COVER) == lack("465a.9(c)(2)(i)", "undetermined")


def test_465a_9_c_2_i_no_source() -> None:
    assert dark(without=("recorder",)).play().close().raised(COVER) == []


def test_465a_9_before_its_text() -> None:
    assert dark("541", day=date(2013, 2, 8)).play().close().raised(COVER) == []
    assert dark("541", day=date(2013, 2, 9)).play().close().raised(COVER) == lack("465a.9(c)(2)(i)")
    assert status_of("465a.9(c)(2)(i)", date(2013, 2, 9)) == "proposed"


@pytest.mark.parametrize(("seconds", "late"), [(600, False), (601, True)])
def test_a_notice_of_an_outage(seconds: int, late: bool) -> None:  # noqa: FBT001  a row of the table
    settings = ProcedureSettings(outage_notice_minutes=10)
    table = FloorTable("681a", procedures=settings).open_with(cameras=2).play()
    table.camera("CAM-2", "failed", after=0)
    table.say("recorder", e.NoticeGiven, seconds, notice="failure", to="surveillance", by=GUARD, item="CAM-2")
    found = table.play().close().raised(NOTICE)
    assert found == ([(NOTICE, "mismatch", ("house control",))] if late else [])


def test_a_notice_of_an_outage_is_asked_of_a_house_that_asks_for_it() -> None:
    table = dark()
    table.now += 3600
    assert table.play().close().raised(NOTICE) == []


def test_465a_9() -> None:
    test_465a_9_c()


def test_465a_9_c() -> None:
    test_465a_9_c_2()
    test_465a_9_c_2_ii_one_camera()
