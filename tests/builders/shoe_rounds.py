"""Rounds of a table by shoe, and a store that has them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from projections.engine.conclusion import Expected, Line
from projections.engine.findings import Finding
from projections.engine.observation import Key, Paid, Round, Wager
from projections.store.runs import Run
from projections.store.store import Store
from tests.builders.alerts import DAY, build_conclusion
from tests.builders.texts import verbatim_fact

RUN = Run("first", datetime(2025, 3, 2, 11, 0, tzinfo=UTC), "1.0", "the archive")


EIGHT_PM = 1_740_859_200_000_000  # 2025-03-01T20:00:00Z, 15:00 in New York


MINUTE = 60_000_000


FOUND = Finding(
    id="over",
    check="paid_too_much",
    weight="mismatch",
    severity="high",
    message=verbatim_fact("overpaid $5.00"),
    citations=("631a.13(c)",),
    status="adopted",
)


def build_round(number: int, shoe: str, gain: int, vigorish: int, *found: Finding, **more: Any) -> Any:
    """Return a round of one wager on the banker, opened so many minutes after eight."""
    key = Key(1, None, "banker", None)
    seen = Round(
        table="BAC/1",
        number=str(number),
        day=DAY,
        at=EIGHT_PM + number * MINUTE,
        play=[("player", "2d"), ("banker", "Th"), ("discard", "9s")],
        wagers={key: Wager(2500)},
        paid={key: Paid(gain, vigorish)},
        dealer="D-7",
    )
    judged = build_conclusion(
        str(number),
        *found,
        table="BAC/1",
        shoe=shoe,
        outcome="banker",
        expected=(Expected(seat=1, wager="banker", cents=gain, vigorish_cents=vigorish),),
    )
    return replace(seen, **more), judged, 1


def write_shoes(path: Path) -> Path:
    """Write a store of a day with two shoes, of which two rounds were revised; return its path."""
    account = build_conclusion(
        None,
        table="BAC/1",
        account="inventory",
        lines=(Line(name="opener", cents=1_000_000), Line(name="fill", of="F-1", cents=5_000)),
    )
    rounds = [
        build_round(0, "A", 2500, 125),
        build_round(10, "A", -10_000, 0, FOUND),
        build_round(20, "B", 1000, 50),
    ]
    with Store(path) as store:
        store.write(RUN, [*rounds, (None, account, 1)])
        store.write(RUN, [(*build_round(10, "A", -10_000, 0)[:2], 2)])  # what was found did not hold
        store.write(RUN, [(*build_round(20, "B", 1000, 50, FOUND)[:2], 2)])
    return path
