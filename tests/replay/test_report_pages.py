"""The reports' pages and plots: what they name, that they show the figures, that no name is obeyed."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from replay.exports.report import Bars, Histogram, Line, Period, Report
from replay.exports.report.pages import entry, list_page, report_page
from replay.lists.columns import Cell, Column
from tests.builders.reports import ABOUT, BEGINS, DAY, EMPTY, ENDS, EVIL, HOSTILE, WIN, draw_plots
from tests.builders.texts import text_of

ROOT = Path(__file__).parents[2]
TABLE = Column("table", "Table", "text")
CENTS = Column("cents", "Win", "cents")
AGEING = Report(
    name="ageing",
    title="How long alerts stood open",
    columns=(Column("age", "Open for", "text"), Column("alerts", "Alerts", "whole")),
    rows=(("under 1 min", 40), ("to 5 min", 10), ("longer", 0)),
    about=ABOUT,
    plot=Histogram("age", "alerts"),
)


def hold(*rows: tuple[Cell, ...]) -> Report:
    figures = (Column(name, name, "percent") for name in ("hold", "low", "high"))
    columns = (Column("day", "Gaming day", "date"), *figures)
    return Report("hold", "Hold", columns, rows, ABOUT, plot=Line("day", "hold", "low", "high"))


def bars(*rows: tuple[str, int | None]) -> Report:
    return Report("bars", "Win by table", (TABLE, CENTS), rows, ABOUT, plot=Bars("table", "cents"))


class Page(HTMLParser):
    """A page as a browser takes it: its elements, and the words in each."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store an element."""
        self.tags.append((tag, dict(attrs)))
        self.words.setdefault(tag, []).append("")

    def handle_data(self, data: str) -> None:
        """Store text under the element that was begun last."""
        if self.tags:
            self.words[self.tags[-1][0]][-1] += data

    def text(self, tag: str) -> list[str]:
        """Return the words of each element of a kind."""
        return [words.strip() for words in self.words.get(tag, ())]


# ── pages ────────────────────────────────────────────────────────────────────────────────────────────


def test_words_beside_many_figures_stand_below_their_row() -> None:
    figures = tuple(Column(f"f{at}", f"F {at}", "cents") for at in range(9))
    says = "Table Inventory Slip I-1 says $1.00; tray reader and account say $2.00"
    rows: tuple[tuple[Cell, ...], ...] = (("BAC-1", *range(9), says), ("BAC-2", *range(9), None))
    columns = (TABLE, *figures, Column("doubts", "Slip doubted", "text"))
    read = Page(report_page(Report("inventory", "Inventories", columns, rows, ABOUT)))
    assert read.text("th") == ["Table", *(f"F {at}" for at in range(9))]
    cells = [each for tag, each in read.tags if tag == "td"]
    assert [each["data-label"] for each in cells].count("Slip doubted") == 1
    assert cells[10] == {"data-label": "Slip doubted", "colspan": "10"}
    assert says in report_page(Report("inventory", "Inventories", columns, rows, ABOUT)).decode()


@pytest.mark.parametrize(
    "made",
    [lambda: report_page(WIN), lambda: report_page(EMPTY), lambda: list_page(ABOUT, [entry(WIN)])],
    ids=["rows", "empty", "list"],
)
def test_every_page_names_what_it_was_made_from(made: Callable[[], bytes]) -> None:
    page = made()
    read = Page(page)
    assert dict(zip(read.text("dt"), read.text("dd"), strict=True)) == {
        "Gaming day": "03/07/2026",
        "From": "03/07/2026 6:00:00 AM EST to 03/08/2026 6:00:00 AM EDT, 23 hours (America/New_York)",
        "Filters": "pit 3",
        "Made of": "archive a1b2c3d4, gaming day 03/07/2026, last receipt 03/08/2026 6:01:30 AM EDT",
        "Software": "discardrack 9.8.7",
        "Rulebooks": "0123456789abcdef, fedcba9876543210",
    }
    assert 'content: "Page " counter(page) " of " counter(pages)' in page.decode()


def test_a_page_has_the_colours_of_the_console_and_none_of_its_own_on_a_screen() -> None:
    console = (ROOT / "projections" / "web" / "static" / "console.css").read_text("utf-8")
    dark = console.partition("}")[0]  # a report has the dark theme alone, until it is printed
    colours = re.findall(r"--[a-z]+: #[0-9a-f]{6};", dark)
    assert len(colours) > 5
    screen = report_page(WIN).decode().split("@media print")[0]
    assert re.findall(r"--[a-z]+: #[0-9a-f]+;", screen) == colours
    own = (ROOT / "replay" / "exports" / "report" / "templates" / "report.css").read_text("utf-8")
    assert "#" not in own.split("@media print")[0]
    used = set(re.findall(r"var\((--[a-z]+)\)", own))
    assert used <= set(re.findall(r"(--[a-z]+):", screen))


def test_a_page_about_several_days_names_them_and_no_length() -> None:
    about = replace(
        ABOUT, period=Period(DAY - timedelta(days=6), DAY, BEGINS, ENDS), filters=(), rulebooks=()
    )
    read = Page(report_page(replace(WIN, about=about)))
    said = dict(zip(read.text("dt"), read.text("dd"), strict=True))
    assert said["Gaming days"] == "03/01/2026 to 03/07/2026"
    assert "hours" not in said["From"]
    assert (said["Filters"], said["Rulebooks"]) == ("none", "none")


def test_a_page_shows_its_rows_and_the_total_apart() -> None:
    read = Page(report_page(WIN))
    assert read.text("h1") == ["Drop, win and hold by table"]
    assert read.text("p") == ["Win is estimated until the boxes are counted."]
    assert read.text("th") == [text_of(column.heading) for column in WIN.columns]
    assert read.text("td") == [
        *("BAC-1", "1,412", "$2,500.00", "62.500", "12.50%", "03/07/2026", "03/07/2026 6:00:00 AM EST"),
        *("=HYPERLINK(1)", "3", "-$0.05", "-0.667", "–", "03/07/2026", "03/08/2026 6:00:00 AM EDT"),  # noqa: RUF001  a dash
        *("@\\x1b[31m", "–", "–", "–", "–", "–", "–"),  # noqa: RUF001  likewise
        *("All", "1,415", "$2,499.95", "", "", "", ""),
    ]
    assert [attrs.get("class") for tag, attrs in read.tags if tag == "tbody"] == [None, "total"]


def test_a_page_without_rows_says_so_instead_of_a_table() -> None:
    read = Page(report_page(EMPTY))
    assert read.text("p") == ["No activity"]
    assert not {"table", "svg"} & set(read.words)


def test_many_columns_lie_across_the_sheet() -> None:
    columns = tuple(Column(f"c{place}", "Column", "whole") for place in range(9))
    upright = Report("upright", "Upright", columns[:8], ((1,) * 8,), ABOUT)
    across = Report("across", "Across", columns, ((1,) * 9,), ABOUT)
    assert b"size: Letter landscape" not in report_page(upright)
    assert b"size: Letter landscape" in report_page(across)


def test_the_list_names_every_report_and_its_files() -> None:
    read = Page(list_page(ABOUT, [entry(WIN), entry(EMPTY)]))
    assert [attrs["href"] for tag, attrs in read.tags if tag == "a"] == [
        *(f"win.{form}" for form in ("html", "csv", "parquet", "json")),
        *(f"fills.{form}" for form in ("html", "csv", "parquet", "json")),
        "manifest.json",
    ]
    assert read.text("td")[1::3] == ["3", "No activity"]


def test_the_list_of_nothing_says_so() -> None:
    assert "No activity" in Page(list_page(ABOUT, [])).text("p")


def test_the_list_does_not_reveal_how_much_is_restricted() -> None:
    secret = replace(AGEING, restricted="finance")
    read = Page(list_page(ABOUT, [entry(secret)]))
    assert read.text("td")[1] == "finance only"
    assert "finance/ageing.html" in [attrs.get("href") for _, attrs in read.tags]
    assert not [words for words in read.text("td") if re.search(r"\d", words)]
    assert Page(report_page(secret)).text("span")[-1] == "finance only"


# ── nothing in a name is obeyed ──────────────────────────────────────────────────────────────────────


def test_a_hostile_name_adds_nothing_to_a_page() -> None:
    # Each hostile text stands where a harmless one did: the elements must be the same, whatever they say.
    plain = "harmless"
    about = replace(EVIL.about, software=plain, rulebooks=(plain,), filters=(plain,))
    columns = tuple(replace(column, heading=plain) for column in EVIL.columns)
    harmless = replace(
        EVIL,
        title=plain,
        columns=columns,
        rows=((plain, 1), (plain, -2)),
        about=about,
        note=plain,
        total=(plain, -1),
    )
    pages = [
        (report_page(EVIL), report_page(harmless)),
        (list_page(EVIL.about, [entry(EVIL)]), list_page(about, [entry(harmless)])),
    ]
    for evil, good in pages:
        assert Counter(tag for tag, _ in Page(evil).tags) == Counter(tag for tag, _ in Page(good).tags)
        assert not {"script", "img", "iframe", "object", "link"} & set(Page(evil).words)
        assert not [name for _, attrs in Page(evil).tags for name in attrs if name.startswith("on")]
        assert [each for each in evil.decode() if not each.isprintable() and each != "\n"] == []
        assert "alert(1)" not in Page(evil).text("style")[0]


def test_a_hostile_name_can_be_read() -> None:
    said = HOSTILE.replace("\x1b", "\\x1b").replace("\x9b", "\\x9b").replace("\u202e", "\\u202e")
    read = Page(report_page(EVIL))
    assert read.text("h1") == [said]
    assert read.text("td")[0] == said
    assert "$x$ #010101 \\frac" in read.text("text")


def test_a_page_asks_for_nothing_from_anywhere() -> None:
    for tag, attrs in Page(report_page(WIN)).tags:
        assert not {"src", "action"} & set(attrs)
        link = attrs.get("href")
        assert link is None or link.startswith("#" if tag == "use" else ("index.html", "win."))
    assert b"http:" not in report_page(WIN)
    assert b"https:" not in report_page(WIN)


# ── plots ────────────────────────────────────────────────────────────────────────────────────────────


def shapes(figure: str, variable: str) -> list[list[tuple[float, float]]]:
    """Return the corners of every path that is filled or drawn in a colour of the page, in order."""
    found = []
    for path in ET.fromstring(figure).iter("path"):  # noqa: S314  our own figure
        if f"var({variable})" in path.attrib.values() and path.get("clip-path"):
            numbers = [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", path.get("d") or "")]
            found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return found


def width(corners: list[tuple[float, float]]) -> float:
    return max(x for x, _ in corners) - min(x for x, _ in corners)


def height(corners: list[tuple[float, float]]) -> float:
    return max(y for _, y in corners) - min(y for _, y in corners)


def test_bars_are_as_long_as_the_figures() -> None:
    (figure,) = draw_plots(bars(("A", 30_000), ("B", -10_000), ("C", None), ("D", 15_000)))
    first, unknown, half = shapes(figure, "--plot")
    (below,) = shapes(figure, "--below")
    assert width(first) == pytest.approx(3 * width(below), rel=1e-4)
    assert width(first) == pytest.approx(2 * width(half), rel=1e-4)
    assert width(unknown) == 0
    assert max(x for x, _ in below) == pytest.approx(min(x for x, _ in first))


def test_many_bars_are_several_figures_to_one_scale() -> None:
    figures = draw_plots(bars(*((f"T-{place}", 1000 + place) for place in range(41))))
    first, second = (shapes(figure, "--plot") for figure in figures)
    assert (len(first), len(second)) == (40, 1)
    assert width(second[0]) / width(first[0]) == pytest.approx(1.04, rel=1e-3)


def test_an_interval_stands_around_its_day_and_a_day_without_one_is_a_gap() -> None:
    tenth = Fraction(1, 10)
    days = [date(2026, 3, 1) + timedelta(days=place) for place in range(4)]
    (figure,) = draw_plots(
        hold(
            (days[0], tenth, tenth / 2, tenth * 3 / 2),
            (days[1], tenth * 2, tenth, tenth * 3),
            (days[2], None, None, None),
            (days[3], tenth, tenth / 2, tenth * 3 / 2),
        )
    )
    line = next(each for each in shapes(figure, "--plot") if len(each) > 1)
    first, second, *_ = (each for each in shapes(figure, "--quiet") if len(each) == 2)
    assert height(second) == pytest.approx(2 * height(first), rel=1e-4)
    assert sum(y for _, y in first) / 2 == pytest.approx(line[0][1], abs=1e-3)
    assert line[0][1] > line[1][1]  # a page counts from its top
    assert len(line) == 3


def test_a_histogram_shows_and_says_how_many() -> None:
    (figure,) = draw_plots(AGEING)
    forty, ten, none = shapes(figure, "--plot")
    assert height(forty) == pytest.approx(4 * height(ten), rel=1e-4)
    assert height(none) == 0
    said = [text.text for text in ET.fromstring(figure).iter("text")]  # noqa: S314  our own figure
    assert {"under 1 min", "to 5 min", "longer", "40", "10", "Open for", "Alerts"} <= set(said)


@pytest.mark.parametrize(
    "report",
    [
        bars(("A", None)),
        bars(("A", 0)),
        bars(("A", -1)),
        hold((DAY, Fraction(1, 8), None, None)),
        hold((DAY, None, None, None)),
        hold((None, Fraction(1, 8), None, None), (DAY, Fraction(1, 8), None, None)),
        replace(AGEING, rows=((None, None),)),
    ],
)
def test_a_plot_of_little_is_drawn_without_a_warning(report: Report) -> None:
    (figure,) = draw_plots(report)
    assert "nan" not in figure


def test_a_line_without_a_day_is_not_drawn() -> None:
    assert draw_plots(hold((None, Fraction(1, 8), None, None))) == ()


def test_ticks_of_money_are_whole_cents() -> None:
    (figure,) = draw_plots(bars(("A", 1), ("B", -2)))
    said = [text.text for text in ET.fromstring(figure).iter("text")]  # noqa: S314  our own figure
    assert said[:4] == ["-$0.02", "-$0.01", "$0", "$0.01"]


def test_a_figure_has_only_colours_of_the_page() -> None:
    for report in (bars(("A", 1), ("B", -2)), hold((DAY, *[Fraction(1, 8)] * 3)), AGEING):
        (figure,) = draw_plots(report)
        elements = list(ET.fromstring(figure).iter())  # noqa: S314  likewise
        assert not any(each.get("style") for each in elements)
        assert not any(
            re.match(r"#[0-9a-f]{6}", value) for each in elements for value in each.attrib.values()
        )


def test_bars_of_one_name_have_their_chapter_behind_it() -> None:
    columns = (Column("game", "Game", "text"), Column("chapter", "Chapter", "text"), CENTS)
    rows = (("Baccarat", "545", 100), ("Pai Gow", "535", 200), ("Baccarat", "631a", 300))
    report = Report("games", "Win by game", columns, rows, ABOUT, plot=Bars("game", "cents", "chapter"))
    (drawn,) = draw_plots(report)
    written = [each.text or "" for each in ET.fromstring(drawn).iter("text")]  # noqa: S314  our own figure
    assert written[-3:] == ["Baccarat 545", "Pai Gow", "Baccarat 631a"]
