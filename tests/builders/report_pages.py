"""Nightly reports as rows of a store."""

import json
from typing import Any

from projections.store.runs import DayReport
from tests.builders.alerts import DAY


def build_day_report(
    name: str, columns: list[tuple[str, str, str]], rows: list[list[Any]], **more: Any
) -> DayReport:
    names = [column[0] for column in columns]
    body = {
        "report": name,
        "title": f"Title of {name}",
        "restricted": more.get("restricted"),
        "about": {},
        "note": "<b>A note</b>",
        "columns": [{"name": each[0], "says": each[1], "kind": each[2]} for each in columns],
        "rows": [dict(zip(names, row, strict=True)) for row in rows],
        "total": more.pop("total", None),
        "people": more.pop("people", {}),
    }
    return DayReport(
        gaming_day=DAY, report=name, digest=name, made_by="discardrack 1.0", body=json.dumps(body), **more
    )


WIN = build_day_report(
    "win",
    [
        ("table", "Table", "text"),
        ("round", "Round", "text"),
        ("id", "Id", "text"),
        ("win_cents", "Win", "cents"),
        ("hold", "Hold", "percent"),
        ("at", "At", "moment"),
    ],
    [
        ["BAC-1", "17", "f17", -250_000, "1/80", "2025-03-01T20:00:00Z"],
        ["BAC-2", "3", "f3", 123_456, None, None],
    ],
    total={"table": "all", "round": None, "id": None, "win_cents": -126_544, "hold": None, "at": None},
)
