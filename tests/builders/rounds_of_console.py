"""A store with a round of every kind that a page of the console shows."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from projections.engine.conclusion import Conclusion, Expected, Verdict
from projections.engine.findings import Finding, Step
from projections.engine.observation import Key, Paid, Round, Wager
from projections.store.runs import Run
from projections.store.store import Store
from tests.builders.texts import verbatim_fact

DAY = date(2025, 3, 1)


RUN = Run("first", datetime(2025, 3, 2, 11, 0, tzinfo=UTC), "1.0", "the archive")


EIGHT_PM = 1_740_859_200_000_000  # 2025-03-01T20:00:00Z, 15:00:00 in New York


OVERPAID = Finding(
    id="over",
    check="paid_too_much",
    weight="mismatch",
    severity="high",
    message=verbatim_fact("banker: paid $30.00, due $25.00: overpaid $5.00"),
    citations=("631a.8(a)(1)(i)", "631a.13(c)"),
    status="adopted",
    seat=1,
    wager="banker",
    expected_cents=2500,
    observed_cents=3000,
    delta_cents=500,
    gross_cents=500,
    vigorish_cents=0,
    net_cents=500,
    favours="patron",
    steps=(
        Step(verbatim_fact("banker: chips wagered"), "631a.8(a)", 2500),
        Step(verbatim_fact("banker wins"), "631a.8(a)(1)(i)"),
    ),
)


CARD = Finding(
    id="card",
    check="third_card_extra",
    weight="mismatch",
    severity="critical",
    message=verbatim_fact("the Banker's Hand got a third card"),
    citations=("631a.11(c)(2)(iii)",),
    status="adopted",
    who="banker",
)


UNREAD = Finding(
    id="unread",
    check="data_missing",
    weight="undetermined",
    severity="data",
    message=verbatim_fact("not read, and the result hangs on it: banker ??"),
    citations=("house control",),
    status="house control",
)


NOTE = Finding(
    id="note",
    check="vigorish_permissive",
    weight="note",
    severity="note",
    message=verbatim_fact("vigorish taken exact"),
    citations=("631a.13(c)",),
    status="adopted",
)


MIXED = Finding(
    id="mixed",
    check="vigorish_mixed",
    weight="mismatch",
    severity="medium",
    message=verbatim_fact("taken rounded and exact in one shoe"),
    citations=("631a.13(c)",),
    status="adopted",
)


EVIL = '<script>alert("1")</script>\'"><img src=x>'


def conclude_at_table(number: str | None, verdict: Verdict, *findings: Finding, **more: Any) -> Conclusion:
    return Conclusion(
        **{
            "table": "BAC-101",
            "round": number,
            "gaming_date": DAY,
            "chapter": "631a",
            "verdict": verdict,
            "outcome": "banker",
            "expected": (),
            "findings": findings,
            "notes": (),
        }
        | more
    )


SEEN = Round(
    table="BAC-101",
    number="1",
    day=DAY,
    at=EIGHT_PM,
    play=[("player", "2d"), ("banker", "Th"), ("player", "9s"), ("banker", "0?"), ("dealer", "no_more_bets")],
    wagers={Key(1, None, "banker", None): Wager(2500), Key(2, "b", "tie", None): Wager(700, 500, "MP")},
    paid={Key(1, None, "banker", None): Paid(3000, 125)},
    announced="banker",
)


JUDGED = (
    Expected(seat=1, wager="banker", cents=2500, vigorish_cents=125),
    Expected(seat=2, bettor="b", wager="tie", cents=None, vigorish_cents=None),
)


def write_rounds(path: Path) -> Path:
    """Write a store of a round of every kind, one of which is named by markup; return its path."""
    later = Round(table="BAC-102", number="1", day=DAY, at=EIGHT_PM + 60_000_000)
    with Store(path) as store:
        store.write(
            RUN,
            [
                (SEEN, conclude_at_table("1", "mismatch", OVERPAID, expected=JUDGED, notes=(NOTE,)), 1),
                (None, conclude_at_table("2", "mismatch", CARD), 1),
                (None, conclude_at_table("2", "clean"), 2),
                (None, conclude_at_table("3", "undetermined", UNREAD, table="BAC-102"), 1),
                (later, conclude_at_table("1", "mismatch", replace(CARD, id="c2"), table="BAC-102"), 1),
                (None, conclude_at_table(None, "mismatch", MIXED, shoe="4"), 1),
                (
                    None,
                    conclude_at_table(
                        "9", "mismatch", replace(OVERPAID, id="o2"), gaming_date=date(2025, 3, 2)
                    ),
                    1,
                ),
                (None, conclude_at_table("8", "clean"), 1),
                (
                    None,
                    conclude_at_table(
                        f"a//b #1?x=50% ~1{EVIL}/",
                        "mismatch",
                        replace(
                            MIXED,
                            id="evil",
                            message=verbatim_fact(EVIL),
                            device=EVIL,
                            bettor=EVIL,
                            seat=1,
                            status=EVIL,
                        ),
                        table=f"T/{EVIL}",
                        outcome=EVIL,
                    ),
                    1,
                ),
            ],
        )
    return path
