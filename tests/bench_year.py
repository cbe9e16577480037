"""`make bench-year`: how long one hand out of a year of a hundred tables takes, and how many files it reads.

The year is one run of the simulator with its usual faults: every table plays some ten rounds on each of 365
gaming days, so that there are as many days, tables and files as in a year of play, and less in each. It is
archived, sealed day by day with its snapshots, and closed, as the archiver does it. Then rounds drawn at
random are put on the table again, each by a process of its own; the files that it opens are counted by
Python's audit hook.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Final

import click
from msgspec import Struct

from schemas import house as houses
from streams import log
from streams.archive import keys
from streams.archive.kept import DAYS as DAYS_FOLDER
from streams.archive.kept import days_of
from streams.archive.taking import archive_of
from streams.simulator import faults
from streams.simulator.simulate import simulate

TABLES: Final = 100
DAYS: Final = 365
HOURS: Final = 0.2
HANDS: Final = 20
PAGE: Final = Path(__file__).parent.parent / "docs" / "benchmarks.md"
TITLE: Final = "## One hand of a year"

# Runs a verb and tells, on its last line, which files of the archive it opened.
_WATCHED: Final = """
import sys
archive, *arguments = sys.argv[1:]
opened = set()
def seen(event, told):
    if event in ("open", "sqlite3.connect") and isinstance(told[0], str | bytes):
        name = told[0] if isinstance(told[0], str) else told[0].decode()
        if archive in name:
            opened.add(name.split(archive)[-1])
sys.addaudithook(seen)
from replay.cli import main
try:
    main(arguments)
finally:
    print("\\t".join(sorted(opened)))
"""


class Year(Struct, frozen=True):
    """A year in an archive: tables, days, rounds, events, files, bytes; hands, and among how many tables."""

    tables: int
    days: int
    rounds: int
    events: int
    files: int
    size: int
    among: int
    hands: tuple["Hand", ...]


class Hand(Struct, frozen=True):
    """One hand: how many seconds the whole process took, how many of the archive's files it opened."""

    seconds: float
    opened: int


def build(folder: Path, tables: int, days: int) -> tuple[int, int]:
    """Play the year and archive it; gives its rounds and events."""
    rates = faults.rates(None, sensors=False)
    played = simulate(folder / "floor", tables=tables, hours=HOURS, days=days, seed="year", rates=rates)
    key = keys.make(folder / "year.key")
    archive_of(folder / "floor", folder / "archive", houses.read(log.HOUSE, folder / "floor"), key)
    return played.rounds, played.events


def measure(folder: Path, built: tuple[int, int], tables: int, days: int, among: int) -> Year:
    """Put rounds drawn at random among the first so many tables on the table again."""
    archive = folder / "archive"
    files = [each for each in archive.rglob("*") if each.is_file()]
    hands = tuple(_hands(archive, among))
    return Year(tables, days, *built, len(files), sum(each.stat().st_size for each in files), among, hands)


def _hands(archive: Path, tables: int) -> Iterator[Hand]:
    rng = Random("hands")  # noqa: S311  to be repeated, not to be secret
    days = days_of(archive)
    for _ in range(HANDS):
        table = f"BAC-{101 + rng.randrange(tables)}"
        # Some tables stay closed for a day.
        day = rng.choice(
            [day for day in days if (archive / DAYS_FOLDER / f"{day}/{table}.parquet").is_file()]
        )
        asked = ["hand", str(archive), table, str(rng.randrange(1, 6)), "--date", str(day)]
        begun = time.perf_counter()
        _run([str(Path(sys.executable).parent / "discardrack"), *asked])
        seconds = time.perf_counter() - begun
        told = _run([sys.executable, "-c", _WATCHED, str(archive), *asked])
        yield Hand(seconds, len(told.splitlines()[-1].split("\t")))


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603  the project's own command


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--tables", default=TABLES)
@click.option("--days", default=DAYS)
@click.option("--among", default=TABLES, help="Ask for hands of the first so many tables only.")
@click.option("--built", nargs=2, type=int, help="Rounds and events, where the folder has the year already.")
def main(folder: Path, tables: int, days: int, among: int, built: tuple[int, int] | None) -> None:
    """Build a year in a folder, or take the one that is there, and print what its hands took."""
    of = built or build(folder, tables, days)
    section = "\n".join(written(measure(folder, of, tables, days, min(among, tables))))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page.removesuffix(kept()).rstrip("\n") + "\n\n" + section, encoding="utf-8")
    click.echo(section)


def kept() -> str:
    """Give the section of the page that a year was measured for last, which stands at its end."""
    page = PAGE.read_text(encoding="utf-8")
    return page[page.index(TITLE) :] if TITLE in page else ""


def written(year: Year) -> list[str]:
    """Write the page's section about the year."""
    seconds = sorted(each.seconds for each in year.hands)
    median, opened = seconds[len(seconds) // 2], max(each.opened for each in year.hands)
    built = (
        f"{year.tables} tables over {year.days} gaming days, played by the simulator with its usual faults "
        f"in one run: each table plays some ten rounds a day, {year.rounds:,} rounds and {year.events:,} "
        "events in all. So the archive has the days, tables and files of a year, and in each less than a day "
        "of play. It is sealed, given its snapshots and closed as by the archiver: "
        f"{year.files:,} files, {year.size / 1e9:.1f} GB."
    )
    asked = (
        f"`discardrack hand ARCHIVE TABLE ROUND --date DAY` for rounds of {year.among} tables drawn at "
        "random, each in a new process, from its start to its end; and how many of the archive's files it "
        "opened: a checkpoint of each day, which says whether a snapshot may be used, and the day's files."
    )
    return [
        TITLE,
        "",
        *wrap(built, 100),
        "",
        *wrap(asked, 100),
        "",
        "| hands | median, s | longest, s | files opened, at most |",
        "| ---: | ---: | ---: | ---: |",
        f"| {len(seconds)} | {median:.2f} | {seconds[-1]:.2f} | {opened} |",
        "",
    ]


if __name__ == "__main__":
    main()
