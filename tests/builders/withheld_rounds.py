"""Rounds, findings and reports of which one is withheld."""

import json
from datetime import UTC, date, datetime
from typing import Any, Final

from projections.engine.checks.data import DATA_MISSING
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.engine.observation import Key, Round, Wager
from projections.store.runs import DayReport, Run
from tests.builders.texts import verbatim_fact

DAY: Final = date(2025, 3, 1)


RUN: Final = Run("first", datetime(2025, 3, 2, 11, tzinfo=UTC), "1.0", "the archive")


AT: Final = 1_740_859_200_000_000  # 15:00:00 in New York


WITHHELD: Final = "5ec4e7" + "0" * 10


OTHER: Final = "07e4" + "0" * 12


def build_named_finding(name: str, check: str = "late_wager", **more: Any) -> Finding:
    return Finding(
        id=name, check=check, weight="mismatch", severity="medium", message=verbatim_fact(f"it is {name}"),
        citations=("631a.8(c)",), status="adopted", seat=1, bettor="anna", **more,
    )  # fmt: skip


def build_gap_finding(name: str, device: str) -> Finding:
    return Finding(
        id=name, check=DATA_MISSING.check, weight="undetermined", severity="data",
        message=verbatim_fact(f"{device} did not report 5"), citations=("house_control",),
        status="house_control",
        device=device,
    )  # fmt: skip


def build_round(number: int, *said: Finding, table: str = "BAC-101") -> tuple[Round, Conclusion, int]:
    seen = Round(
        table=table, number=str(number), day=DAY, at=AT + number * 60_000_000, play=[("player", "2d")],
        wagers={Key(1, "anna", "tie", None): Wager(500)},
    )  # fmt: skip
    told = Conclusion(
        table=table, round=str(number), gaming_date=DAY, chapter="631a",
        verdict="mismatch" if said else "clean", outcome="banker", expected=(), findings=said, notes=(),
    )  # fmt: skip
    return seen, told, 1


def build_day_report(name: str, *about: str) -> DayReport:
    columns = [{"name": each, "says": each, "kind": "text"} for each in ("table", "about")]
    rows = [{"table": "BAC-101", "about": each} for each in about]
    keys = [[f"{DAY}|BAC-101|{each.replace(' ', '|')}"] for each in about]
    body = json.dumps({"title": name, "columns": columns, "rows": rows, "row_keys": keys, "people": {}})
    return DayReport(gaming_day=DAY, report=name, digest=name, made_by="discardrack 1.0", body=body)
