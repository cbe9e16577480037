"""A report's plot as SVG, to be placed into its page; a separate module, as matplotlib takes long to load.

The figures of the table are the truth; a plot only shows them, so only here they become floats. It has the
same bytes every time, and no colour of its own: each is a variable of the page's style, light on a screen and
dark on paper.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import isnan, nan
from typing import Final, cast
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from replay.exports.report import Bars, Histogram, Line, Report
from replay.lists.columns import Cell, Kind, cell_text
from replay.lists.writers import printable

_WIDE: Final = 9.0  # inches, scaled by the page
_HIGH: Final = 3.4
_A_BAR: Final = 0.2
_ENDS: Final = 0.8  # the axis and the edges of a figure of bars
_MOST_BARS: Final = 40  # a figure of more is longer than a sheet
_MOST_DAYS: Final = 8  # dates under a line
_LONGEST: Final = 28  # letters of a name at a bar; the table has the full name

# What matplotlib draws with -> what stands in its place in the page.
_INK: Final = "#010101"
_QUIET: Final = "#020202"
_FIRST: Final = "#030303"
_BELOW: Final = "#040404"
_STYLES: Final[Mapping[str, str]] = {
    _INK: "var(--ink)",
    _QUIET: "var(--quiet)",
    _FIRST: "var(--plot)",
    _BELOW: "var(--below)",
}
_FONT: Final = "font-family"  # measured with, for it comes with matplotlib; the page has its own
_NO_METADATA: Final = {"Date": None, "Creator": None, "Format": None, "Type": None}
_SVG: Final = "http://www.w3.org/2000/svg"
_LINK: Final = "{http://www.w3.org/1999/xlink}href"  # what SVG 2 and a page call href


def draw_plots(report: Report) -> tuple[str, ...]:
    """Draw a report's plot: several figures where it has more bars than a sheet holds, none without a row."""
    if report.plot is None or not report.rows:
        return ()
    with mpl.rc_context():
        _settle()
        return tuple(_svg(figure, printable(report.title)) for figure in _figures(report))


def _settle() -> None:
    """Set matplotlib up to draw the same on every machine and in every run."""
    mpl.rcdefaults()  # without the settings of this machine
    mpl.rc("svg", hashsalt="discardrack", fonttype="none")  # letters, not outlines: they can be searched
    mpl.rc("text", parse_math=False, color=_INK)  # a table's name may hold two dollar signs
    mpl.rc("font", family="DejaVu Sans", size=10)
    mpl.rc("axes", edgecolor=_QUIET, labelcolor=_INK)
    mpl.rc("axes.spines", right=False, top=False)
    mpl.rc("xtick", color=_QUIET, labelcolor=_INK)
    mpl.rc("ytick", color=_QUIET, labelcolor=_INK)


def _figures(report: Report) -> Iterator[Figure]:
    match report.plot:
        case Bars() as bars:
            yield from _bars(report, bars)
        case Line() as line:
            yield from _line(report, line)
        case Histogram(classes, counts):
            yield _histogram(report, classes, counts)


def _bars(report: Report, bars: Bars) -> Iterator[Figure]:
    values = bars.values
    every = list(zip(_labels(_bar_names(report, bars)), _floats(report.column(values)), strict=True))
    numbers = [value for _, value in every if not isnan(value)]
    least, most = min([0.0, *numbers]), max([0.0, *numbers])
    margin = (most - least or 1.0) * 0.02
    for begin in range(0, len(every), _MOST_BARS):
        part = every[begin : begin + _MOST_BARS]
        figure, axes = _figure(_A_BAR * len(part) + _ENDS)
        lengths = [value for _, value in part]
        colours = [_BELOW if value < 0 else _FIRST for value in lengths]
        axes.barh(range(len(part)), lengths, height=0.7, color=colours)
        axes.set_yticks(range(len(part)), [name for name, _ in part])
        axes.set_ylim(len(part) - 0.5, -0.5)
        axes.set_xlim(least - margin, most + margin)  # every figure to one scale
        axes.axvline(0, color=_QUIET, linewidth=0.8)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_formatter(_ticks(report.kind(values)))
        axes.xaxis.set_major_locator(_places(report.kind(values), 7))
        axes.set_xlabel(_heading_of(report, values))
        yield figure


def _bar_names(report: Report, bars: Bars) -> Sequence[Cell]:
    names = report.column(bars.names)
    if bars.namesakes is None:
        return names
    return [
        f"{name} {other}" if names.count(name) > 1 else name
        for name, other in zip(names, report.column(bars.namesakes), strict=True)
    ]


def _line(report: Report, line: Line) -> Iterator[Figure]:
    every = zip(*(report.column(name) for name in (line.days, line.values, line.low, line.high)), strict=True)
    dated = [(day.toordinal(), *figures) for day, *figures in every if isinstance(day, date)]
    if not dated:
        return
    days = [day for day, *_ in dated]
    middle, low, high = (_floats([row[place] for row in dated]) for place in (1, 2, 3))
    figure, axes = _figure(_HIGH)
    axes.vlines(days, low, high, color=_QUIET, linewidth=1.2)
    axes.plot(days, middle, color=_FIRST, marker="o", markersize=4, linewidth=1.6)
    axes.xaxis.set_major_locator(_places("whole", _MOST_DAYS))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda at, _: str(date.fromordinal(round(at)))))
    axes.set_xlim(min(days) - 0.5, max(days) + 0.5)
    axes.yaxis.set_major_formatter(_ticks(report.kind(line.values)))
    axes.yaxis.set_major_locator(_places(report.kind(line.values), 7))
    axes.set_ylabel(_heading_of(report, line.values))
    yield figure


def _histogram(report: Report, classes: str, counts: str) -> Figure:
    names, heights = _labels(report.column(classes)), _floats(report.column(counts))
    figure, axes = _figure(_HIGH)
    bars = axes.bar(range(len(names)), heights, width=0.96, color=_FIRST)
    axes.bar_label(bars, [cell_text(count, "whole", "") for count in report.column(counts)], padding=2)
    axes.set_xticks(range(len(names)), names)
    axes.tick_params(axis="x", length=0)
    axes.yaxis.set_major_locator(_places("whole", 7))
    axes.set_xlabel(_heading_of(report, classes))
    axes.set_ylabel(_heading_of(report, counts))
    return figure


def _figure(high: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_WIDE, high), layout="constrained")
    return figure, figure.add_subplot()


def _places(kind: Kind, most: int) -> MaxNLocator:
    """Mark an axis where its ticks can be written without rounding."""
    is_integer = kind in {"whole", "cents"}
    return MaxNLocator(most, integer=is_integer, min_n_ticks=1 if is_integer else 2)


def _ticks(kind: Kind) -> FuncFormatter:
    """Write the ticks as the table writes its cells; a mark at whole dollars needs no cents."""

    def tick(at: float, _: object) -> str:
        exact = Fraction(at).limit_denominator(1_000_000)
        if kind in {"whole", "cents"}:
            return cell_text(round(exact), kind, "").removesuffix(".00")
        text = cell_text(exact, kind, "")
        # 15.000 would be read as fifteen thousand where a point parts thousands.
        return text.rstrip("0").rstrip(".") if kind == "fraction" else text

    return FuncFormatter(tick)


def _labels(cells: Sequence[Cell]) -> list[str]:
    names = [printable(str(cell)) if cell is not None else "" for cell in cells]
    return [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in names]


def _floats(cells: Sequence[Cell]) -> list[float]:
    return [nan if cell is None else float(cast("int | Fraction", cell)) for cell in cells]


def _heading_of(report: Report, name: str) -> str:
    return next(printable(column.heading) for column in report.columns if column.name == name)


def _svg(figure: Figure, title: str) -> str:
    """Write a figure as an element for a page, without what only a file of its own needs."""
    written = io.StringIO()
    figure.savefig(written, format="svg", transparent=True, metadata=_NO_METADATA)
    svg = ET.fromstring(written.getvalue())  # noqa: S314  matplotlib wrote it, a line above
    for parent in svg.iter():
        for style in parent.findall(f"{{{_SVG}}}style"):
            parent.remove(style)  # it would hold for the whole page
    for each in svg.iter():
        _adapt(each)
    svg.attrib |= {"role": "img", "aria-label": title}
    for size in ("width", "height"):
        del svg.attrib[size]  # the page's style sets the width of a figure
    return ET.tostring(svg, encoding="unicode")


def _adapt(element: ET.Element) -> None:
    """Set an element's colours and letters to the page's, and remove what would be in the page twice.

    Its style becomes attributes of its own, which no policy of a page forbids.
    """
    element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
    if element.tag == "g":
        element.attrib.pop("id", None)
    if (link := element.attrib.pop(_LINK, None)) is not None:
        element.set("href", link)
    for part in element.attrib.pop("style", "").split(";"):
        name, _, value = part.partition(":")
        if value and name.strip() != _FONT:
            element.set(name.strip(), _STYLES.get(value.strip(), value.strip()))
