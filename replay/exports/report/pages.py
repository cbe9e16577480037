"""Reports as pages for a person: one a report and one that lists them, complete in themselves.

A page contains its style and needs nothing else, so that it can be mailed, stored and printed. Its policy
lets no browser run or fetch anything, whatever a name may contain.
"""

import logging
import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from projections import web
from projections.views.time_text import date_text
from replay.exports.report import About, Report, Role, is_figure
from replay.exports.report.writers import NO_ACTIVITY
from replay.lists.columns import UNKNOWN, Cell, Column, cell_text, local
from replay.lists.writers import printable

_HERE: Final = Path(__file__).parent
_CONSOLE: Final = resources.files(web) / "static" / "console.css"
_MOST_UPRIGHT: Final = 8  # columns; with more of them the page is landscape
_FEW: Final = 4  # columns that would stand too far apart
_SHORT: Final = 24  # letters; a moment has 23
_HOUR: Final = 3_600_000_000
_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9]")


class Entry(Struct, frozen=True):
    """Entry of the list of reports; `place` is the path of its files without their endings."""

    title: str
    place: str
    rows: int
    restricted: Role | None


def entry(report: Report) -> Entry:
    """Return a report's path in its folder, and how much there is in it."""
    place = f"{report.restricted}/{report.name}" if report.restricted else report.name
    return Entry(report.title, place, len(report.rows), report.restricted)


def report_page(report: Report) -> bytes:
    """Write a report as a page: its plot, its table, and what it was made from."""
    rows = [_cells(report, row) for row in report.rows]
    total = [cell if cell != UNKNOWN else "" for cell in _cells(report, report.total or ())]
    cells = [*rows, *([total] if total else [])]
    styles = [_style(column, [row[at] for row in cells]) for at, column in enumerate(report.columns)]
    heads = [(printable(column.heading), style) for column, style in zip(report.columns, styles, strict=True)]
    # With so many figures there is no room for words: they are below their row.
    below = _breadth(styles) == "wide" and styles[-1] == "text"
    return _page(
        "report.html",
        report.about,
        title=report.title,
        home=("../" if report.restricted else "") + "index.html",
        report=report,
        breadth=_breadth(styles),
        figures=[Markup(figure) for figure in _drawings(report)],  # noqa: S704  every name in it is escaped
        heads=heads[:-1] if below else heads,
        below=heads[-1][0] if below else None,
        rows=[[*row[:-1], "" if row[-1] == UNKNOWN else row[-1]] for row in rows] if below else rows,
        total=total,
    )


def _drawings(report: Report) -> tuple[str, ...]:
    # Without a writable home matplotlib uses a temporary folder, and logs that at length.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from replay.exports.report import plots  # noqa: PLC0415  matplotlib takes long to load, and logs

    return plots.draw_plots(report)


def _breadth(styles: Sequence[str]) -> Literal["wide", "usual", "narrow"]:
    if len(styles) > _MOST_UPRIGHT:
        return "wide"
    return "narrow" if len(styles) <= _FEW and "text" not in styles else "usual"


def _cells(report: Report, row: tuple[Cell, ...]) -> list[str]:
    kinds = [column.kind for column in report.columns] if row else []
    return [cell_text(cell, kind, report.about.zone) for cell, kind in zip(row, kinds, strict=True)]


def _style(column: Column, cells: Sequence[str]) -> str:
    """Return how a column stands: figures to the right; what is short, as a name or a date, is not broken."""
    if is_figure(column.kind):
        return "figure"
    return "tight" if max(map(len, cells), default=0) <= _SHORT else "text"


def list_page(about: About, entries: Sequence[Entry]) -> bytes:
    """Write the page that lists a folder's reports; for a restricted one only that it exists."""
    return _page(
        "index.html",
        about,
        title="Reports of the day",
        home=None,
        entries=[each for each in entries if each.restricted is None],
        restricted=[each for each in entries if each.restricted is not None],
    )


def facts(about: About) -> list[tuple[str, str]]:
    """Return in words what a report was made with and from."""
    period, made = about.period, about.made
    first, last = date_text(period.first), date_text(period.last)
    days = first if first == last else f"{first} to {last}"
    begins, ends = local(period.begins, about.zone), local(period.ends, about.zone)
    received = local(made.received, about.zone) if made.received is not None else "nothing"
    return [
        ("Gaming days" if period.first < period.last else "Gaming day", days),
        ("From", f"{begins} to {ends}{_hours(about)} ({about.zone})"),
        ("Filters", "; ".join(map(printable, about.filters)) or "none"),
        (
            "Made of",
            (
                f"archive {printable(made.archive)}, gaming day {date_text(made.gaming_day)}, "
                f"last receipt {received}"
            ),
        ),
        ("Software", printable(about.software)),
        ("Rulebooks", ", ".join(map(printable, about.rulebooks)) or "none"),
    ]


def _hours(about: About) -> str:
    """Return how long one day was, as the day on which clocks are changed is another."""
    if about.period.first < about.period.last:
        return ""
    hours, rest = divmod(about.period.ends - about.period.begins, _HOUR)
    return f", {hours} hours" if rest == 0 else ""


def css_string(text: str) -> Markup:
    r"""Write a text as a string of a style sheet, where nothing in it can end the string or the sheet.

    >>> print(css_string('a"</style>'))
    "a\22 \3c \2f style\3e "
    """
    quoted = _NOT_PLAIN.sub(lambda found: f"\\{ord(found[0]):x} ", printable(text))
    return Markup(f'"{quoted}"')  # noqa: S704  letters, digits and backslashes only


def _colours() -> Markup:
    """Return the console's colours from the top of its style sheet, the only place where they are defined."""
    sheet = _CONSOLE.read_text(encoding="utf-8")
    return Markup(sheet[sheet.index(":root {") : sheet.index("}") + 1])  # noqa: S704  a sheet of our own


def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # a template stays as it is; else each report asks its file
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"css_string": css_string, "date": date_text, "printable": printable}
    made.globals |= {"facts": facts, "no_activity": NO_ACTIVITY, "colours": _colours()}
    return made


_environment: Final = _templates()


def _page(template: str, about: About, **context: object) -> bytes:
    return _environment.get_template(template).render(about=about, **context).encode()
