"""Nightly reports of every form of value, and one whose every text is hostile."""

from datetime import date
from fractions import Fraction

from msgspec.structs import replace

from replay.exports.report import About, Bars, Origin, Period, Report, pages
from replay.lists.columns import Column

DAY = date(2026, 3, 7)


# 06:00 EST to 06:00 EDT: the clocks went forward on the way, so the day has 23 hours.
BEGINS = 1_772_881_200_000_000


ENDS = BEGINS + 23 * 3_600_000_000


ABOUT = About(
    software="discardrack 9.8.7",
    rulebooks=("0123456789abcdef", "fedcba9876543210"),
    filters=("pit 3",),
    period=Period(DAY, DAY, BEGINS, ENDS),
    made=Origin(DAY, ENDS + 90_000_000, "a1b2c3d4"),
    zone="America/New_York",
)


HOSTILE = "<script>alert(1)</script>\"'&\x1b[2J\x9b2J\u202e{{ 7 * 7 }}</style>"


WIN = Report(
    name="win",
    title="Drop, win and hold by table",
    columns=(
        Column("table", "Table", "text"),
        Column("rounds", "Rounds", "whole"),
        Column("win_cents", "Win", "cents"),
        Column("rate", "Rounds an hour", "fraction"),
        Column("hold", "Hold", "percent"),
        Column("day", "Gaming day", "date"),
        Column("closed", "Closed", "moment"),
    ),
    rows=(
        ("BAC-1", 1412, 250_000, Fraction(125, 2), Fraction(1, 8), DAY, BEGINS),
        ("=HYPERLINK(1)", 3, -5, Fraction(-2, 3), None, DAY, ENDS + 5),
        ("@\x1b[31m", None, None, None, None, None, None),
    ),
    about=ABOUT,
    note="Win is estimated until the boxes are counted.",
    plot=Bars("table", "win_cents"),
    total=("All", 1415, 249_995, None, None, None, None),
)


EMPTY = Report("fills", "Fills", WIN.columns[:3], (), ABOUT, plot=Bars("table", "win_cents"))


EVIL = Report(
    name="evil",
    title=HOSTILE,
    columns=(Column("table", HOSTILE, "text"), Column("cents", HOSTILE, "cents")),
    rows=((HOSTILE, 1), ("$x$ #010101 \\frac", -2)),
    about=replace(ABOUT, software=HOSTILE, rulebooks=(HOSTILE,), filters=(HOSTILE,)),
    note=HOSTILE,
    plot=Bars("table", "cents"),
    total=(HOSTILE, -1),
)

# As pages draw them: what draws is loaded as the first plot is drawn, and not every process needs it.
draw_plots = pages._drawings  # noqa: SLF001  the part of a page that is looked at
