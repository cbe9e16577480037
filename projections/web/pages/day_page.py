"""The day at a glance: what a gaming day came to, by its nightly reports, each as its reader may see it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final, TypeAlias, cast

from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from markupsafe import Markup
from msgspec import Struct

from projections.views.cells import FIGURES
from projections.views.time_text import date_text
from projections.web.auth.embargo import Hidden
from projections.web.auth.roles import Person
from projections.web.pages.report_pages import ReportForms, ReportReader, ReportView, listed
from projections.web.pages.small_bars import Bars, bars_of
from projections.web.records.store_queries import Reader
from schemas.values import dollars

_Cells: TypeAlias = Mapping[str, str | int | None]

DAYS: Final = 30  # of the small pictures
_WIN, _GAMES, _MONEY = "win_by_table", "win_by_game", "patrons_and_house"
_ITEMS, _MISTAKES, _LATE = "open_items", "mismatches", "breaches"
_USED: Final = (_ITEMS, _WIN, _GAMES, _MISTAKES, _MONEY, "pace", _LATE)
_DRAWN: Final = (_WIN, _GAMES, "pace")
_SIDES: Final = {"house": "owed", "patron": "overpaid"}


class DayFigure(Struct, frozen=True):
    """A figure of the day: its name, the report it is from, how it reads, what explains it, its last days."""

    name: str
    report: str
    value: str
    detail: str | None = None
    days: Bars | None = None


class Errors(Struct, frozen=True):
    """Errors of one kind: how often and how much is owed, and was overpaid; `others` have no side."""

    check: str
    owed: int = 0
    owed_cents: int = 0
    overpaid: int = 0
    overpaid_cents: int = 0
    others: int = 0


class Exceptions(Struct, frozen=True):
    """Counts of what does not reconcile at a table or in a ledger: proven, and open."""

    owner: str
    proven: int
    open: int


class DayAtAGlance(Struct, frozen=True):
    """A gaming day: its figures, errors by kind and exceptions by owner, the most first."""

    day: date
    figures: Sequence[DayFigure]
    errors: Sequence[Errors]
    exceptions: Sequence[Exceptions]


def glance_of(day: date, reports: ReportReader) -> DayAtAGlance:
    """Return a gaming day at a glance, as far as a person may see it."""
    return day_at_a_glance(day, reports.find_some(day, _USED), reports)


def day_at_a_glance(day: date, views: Mapping[str, ReportView], reports: ReportReader) -> DayAtAGlance:
    """Build the day of the reports that there are for a person; a figure that is not known is left out."""
    figures = [*_win(day, views, reports), *_money(day, views, reports), *_counts(views)]
    return DayAtAGlance(
        day,
        figures,
        _errors(views[_MISTAKES].rows) if _MISTAKES in views else [],
        _exceptions(views[_ITEMS].rows) if _ITEMS in views else [],
    )


def _win(day: date, views: Mapping[str, ReportView], reports: ReportReader) -> list[DayFigure]:
    figures = []
    total = _total(views, _WIN)
    if total is not None and total.get("win_cents") is not None:
        share = total.get("hold")
        hold = f"hold {FIGURES['percent'](share)} of " if share is not None else ""
        drop = f"{hold}{_money_of(total['drop_cents'])} drop" if total.get("drop_cents") is not None else None
        days = _bars(day, reports.totals(_WIN, day, DAYS), "win_cents")
        figures.append(DayFigure("Win", _WIN, _money_of(total.get("win_cents")), drop, days))
    games = _total(views, _GAMES)
    if games is not None and games.get("theoretical_cents") is not None:
        low, high = _money_of(games.get("low_cents")), _money_of(games.get("high_cents"))
        theory = f"95% interval {low} to {high}"
        figures.append(
            DayFigure("Theoretical win", _GAMES, _money_of(games.get("theoretical_cents")), theory)
        )
    return figures


def _money(day: date, views: Mapping[str, ReportView], reports: ReportReader) -> list[DayFigure]:
    total = _total(views, _MONEY)
    if total is None:
        return []
    days = reports.totals(_MONEY, day, DAYS)
    return [
        DayFigure(
            name,
            _MONEY,
            _money_of(total.get(cents) or 0),
            f"{FIGURES['whole'](total.get(times) or 0)} times",
            _bars(day, days, cents),
        )
        for name, cents, times in (
            ("Owed to patrons", "owed_cents", "patrons"),
            ("Overpaid", "lost_cents", "house"),
        )
    ]


def _counts(views: Mapping[str, ReportView]) -> list[DayFigure]:
    figures = []
    if _ITEMS in views:
        rows = views[_ITEMS].rows
        proven = sum(row.get("weight") == "mismatch" for row in rows)
        figures.append(
            DayFigure("Does not reconcile", _ITEMS, FIGURES["whole"](len(rows)), f"{proven:,} proven")
        )
    if _LATE in views:
        rows = views[_LATE].rows
        open_still = sum(row.get("done") is None for row in rows)
        figures.append(
            DayFigure(
                "Overdue alerts",
                _LATE,
                FIGURES["whole"](len(rows)),
                f"{open_still:,} not done yet" if open_still else None,
            )
        )
    return figures


def _total(views: Mapping[str, ReportView], report: str) -> _Cells | None:
    return views[report].total if report in views else None


def _money_of(cents: str | int | None) -> str:
    return dollars(int(cents or 0))


def _bars(last: date, totals: Mapping[date, _Cells], column: str) -> Bars | None:
    """Draw a sum over the days up to the last; one day alone is no picture."""
    days = [last - timedelta(days=back) for back in reversed(range(DAYS))]
    figures = [cast("int | None", totals[each].get(column)) if each in totals else None for each in days]
    return bars_of(figures) if sum(each is not None for each in figures) > 1 else None


def _errors(rows: Sequence[_Cells]) -> list[Errors]:
    """Add up the rows of the mismatches by check; those with the most money come first.

    >>> rows = [{"check": "push_paid", "favours": "patron", "findings": 2, "cents": 700},
    ...     {"check": "push_paid", "favours": "patron", "findings": 1, "cents": 50},
    ...     {"check": "late_wager", "favours": "nobody", "findings": 3, "cents": None}]
    >>> [(each.check, each.overpaid, each.overpaid_cents, each.others) for each in _errors(rows)]
    [('push_paid', 3, 750, 0), ('late_wager', 0, 0, 3)]
    """
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        of, side = sums[str(row["check"])], _SIDES.get(str(row["favours"]))
        of[side or "others"] += int(row["findings"] or 0)
        if side is not None:
            of[f"{side}_cents"] += abs(int(row["cents"] or 0))
    errors = [Errors(check, **of) for check, of in sums.items()]
    return sorted(
        errors, key=lambda each: (-(each.owed_cents + each.overpaid_cents), -each.others, each.check)
    )


def _exceptions(rows: Sequence[_Cells]) -> list[Exceptions]:
    counts: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for row in rows:
        counts[str(row["table"])][row.get("weight") == "mismatch"] += 1
    owners = [Exceptions(owner, of[True], of[False]) for owner, of in counts.items()]
    return sorted(owners, key=lambda each: (-each.proven, -each.open, each.owner))


@get("/reports/{day:date}", sync_to_thread=True, opt={"needs": "see"})
def day_page(
    reader: NamedDependency[Reader],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    report_reader: NamedDependency[ReportReader],
    report_forms: NamedDependency[ReportForms],
    day: FromPath[date],
) -> Template:
    """Show a gaming day at a glance, and its reports."""
    reports = listed(reader, person, hidden, report_forms, day)
    if not reports:
        raise NotFoundException(f"There are no reports of {date_text(day)} in this store.")
    views = report_reader.find_some(day, _USED)
    drawings = [
        (views[each].title, each, report_forms.charts(views[each].document()))
        for each in _DRAWN
        if each in views
    ]
    context = {
        "glance": day_at_a_glance(day, views, report_reader),
        "drawings": [
            (title, report, [Markup(chart) for chart in charts])  # noqa: S704  every name in it is escaped
            for title, report, charts in drawings
            if charts
        ],
        "reports": reports,
    }
    return Template("day_at_a_glance.html", context=context)


DAY_PAGES: Final[list[ControllerRouterHandler]] = [day_page]
