"""`make bench-year`: how long one hand out of a year of a hundred tables takes, and how many files it reads.

The year is one run of the simulator with its usual faults: every table plays some twenty rounds on each of
365 gaming days, so that there are as many days, tables and files as in a year of play, and less in each. It
is archived, sealed day by day with its snapshots, and closed, as the archiver does it. With `--played N`
only so many tables play, and the others' files are hard links to theirs: there are as many files, and no
reader of a hand opens another table's. Then rounds drawn at random are put on the table again, each by a
process of its own; the files that it opens are counted, and of how many parts it reads no more than the
footer.
"""

import os
import resource
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
from streams import log, processes
from streams.archive import keys
from streams.archive.archiver import exclusive_archive, keep_house
from streams.archive.day_sealing import DayCloser
from streams.archive.import_events import finish, import_frames
from streams.archive.record_names import DAYS as DAYS_FOLDER
from streams.archive.record_names import days_of
from streams.simulator import faults
from streams.simulator.simulate import simulate

TABLES: Final = 100
DAYS: Final = 365
HOURS: Final = 0.4  # a fill takes eighteen minutes from the opening: with less no tray is ever filled
HANDS: Final = 20
PAGE: Final = Path(__file__).parents[2] / "docs" / "benchmarks.md"
TITLE: Final = "## One hand of a year"

# Runs a verb and tells, on its last line, how many files of the archive it opened, and of how many parts it
# read the footer alone. Python's audit hook does not see what Arrow opens.
_WATCHED: Final = """
import sys
from pyarrow import parquet
archive, *arguments = sys.argv[1:]
opened, footers = set(), set()
def seen(event, told):
    if event in ("open", "sqlite3.connect") and isinstance(told[0], str | bytes):
        name = told[0] if isinstance(told[0], str) else told[0].decode()
        if archive in name:
            opened.add(name.split(archive)[-1])
sys.addaudithook(seen)
footer_of, begin = parquet.read_metadata, parquet.ParquetFile.__init__
def footer(path):
    footers.add(str(path).split(archive)[-1])
    return footer_of(path)
def whole(self, path, *others, **named):
    if archive in str(path):
        opened.add(str(path).split(archive)[-1])
    begin(self, path, *others, **named)
parquet.read_metadata, parquet.ParquetFile.__init__ = footer, whole
from replay.cli import main
try:
    main(arguments)
finally:
    print(len(opened | footers), len(footers - opened))
"""


class Year(Struct, frozen=True):
    """A year in an archive: tables, days, rounds, events, files, bytes, tables that were played; hands."""

    tables: int
    days: int
    rounds: int
    events: int
    files: int
    size: int
    played: int
    hands: tuple["Hand", ...]


class Hand(Struct, frozen=True):
    """One hand: how many seconds the whole process took, and `busy` of a processor; how many files it opened.

    Of `footers` files it opened no more than the footer.
    """

    seconds: float
    busy: float
    opened: int
    footers: int


def build(folder: Path, tables: int, days: int, played: int) -> tuple[int, int]:
    """Play so many tables of the year, archive it, link the others' files; gives rounds and events."""
    rates = faults.rates(None, sensors=False)
    floor, archive = folder / "floor", folder / "archive"
    # The house file has every table, as it has to be read whole.
    simulate(folder / "house", tables=tables, hours=HOURS, days=1, seed="year", rates=rates)
    result = simulate(floor, tables=played, hours=HOURS, days=days, seed="year", rates=rates)
    (floor / log.HOUSE).write_bytes((folder / "house" / log.HOUSE).read_bytes())
    house, key = houses.load(log.HOUSE, floor), keys.make(folder / "year.key")
    with exclusive_archive(archive):
        keep_house(archive, (floor / log.HOUSE).read_bytes(), processes.now())
        import_frames(archive, log.logs(floor), house)
        finish(archive, house, None)
        for number in range(played, tables):
            for file in sorted((archive / DAYS_FOLDER).glob(f"*/{_table(number % played)}.*")):
                file.with_name(file.name.replace(_table(number % played), _table(number))).hardlink_to(file)
        for _ in DayCloser(archive).close(house.house, key, processes.now()):
            pass
    return result.rounds, result.events


def _table(number: int) -> str:
    return f"BAC-{101 + number}"


def measure(folder: Path, built: tuple[int, int], tables: int, days: int, played: int) -> Year:
    """Measure the view of rounds drawn at random among the tables that were played."""
    archive = folder / "archive"
    files = [each for each in archive.rglob("*") if each.is_file()]
    hands = tuple(_hands(archive, played))
    return Year(tables, days, *built, len(files), sum(each.stat().st_size for each in files), played, hands)


def _hands(archive: Path, tables: int) -> Iterator[Hand]:
    rng = Random("hands")  # noqa: S311  to be repeated, not to be secret
    days = days_of(archive)
    for _ in range(HANDS):
        table = _table(rng.randrange(tables))
        # Some tables stay closed for a day.
        day = rng.choice(
            [day for day in days if (archive / DAYS_FOLDER / f"{day}/{table}.parquet").is_file()]
        )
        asked = ["hand", str(archive), table, str(rng.randrange(1, 6)), "--date", str(day)]
        begun, busy = time.perf_counter(), _busy()
        _run([str(Path(sys.executable).parent / "discardrack"), *asked])
        seconds, busy = time.perf_counter() - begun, _busy() - busy
        told = _run([sys.executable, "-c", _WATCHED, str(archive), *asked])
        opened, footers = map(int, told.splitlines()[-1].split())
        yield Hand(seconds, busy, opened, footers)


def _busy() -> float:
    """Return the processor time of the processes that have ended, seconds."""
    told = resource.getrusage(resource.RUSAGE_CHILDREN)
    return told.ru_utime + told.ru_stime


def _run(command: Sequence[str]) -> str:
    # Python keeps what it compiled, as where the software is installed.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=own)  # noqa: S603  the project's own command
    return done.stdout


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--tables", default=TABLES)
@click.option("--days", default=DAYS)
@click.option("--played", default=TABLES, help="Play so many; the others' files are links to theirs.")
@click.option("--built", nargs=2, type=int, help="Rounds and events, where the folder has the year already.")
def main(folder: Path, tables: int, days: int, played: int, built: tuple[int, int] | None) -> None:
    """Build a year in a folder, or take the one that is there, and print what its hands took."""
    of = built or build(folder, tables, days, played)
    section = "\n".join(written(measure(folder, of, tables, days, min(played, tables))))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page.removesuffix(kept()).rstrip("\n") + "\n\n" + section, encoding="utf-8")
    click.echo(section)


def kept(title: str = TITLE) -> str:
    """Return the page from a title on; the section that a year was measured for last stands at its end."""
    page = PAGE.read_text(encoding="utf-8")
    return page[page.index(title) :] if title in page else ""


def written(year: Year) -> list[str]:
    """Write the page's section about the year."""
    seconds = sorted(each.seconds for each in year.hands)
    busy = sorted(each.busy for each in year.hands)
    both = (seconds[len(seconds) // 2], seconds[-1], busy[len(busy) // 2], busy[-1])
    figures = [str(len(seconds)), *(f"{each:.2f}" for each in both)]
    opened, footers = max((each.opened, each.footers) for each in year.hands)
    linked = year.tables - year.played
    those = f" The files of {linked} of the tables are hard links to those of the others." if linked else ""
    built = (
        f"{year.tables} tables over {year.days} gaming days: {year.played} of them played by the simulator "
        f"with its usual faults in one run, each some twenty rounds a day, {year.rounds:,} rounds and "
        f"{year.events:,} events in all.{those} So the archive has the days, tables and files of a year, and "
        "in each less than a day of play. It is sealed, given its snapshots and closed as by the archiver: "
        f"{year.files:,} files, {year.size / 1e9:.1f} GB."
    )
    asked = (
        f"`discardrack hand ARCHIVE TABLE ROUND --date DAY` for rounds of {year.played} tables drawn at "
        "random, each in a new process, from its start to its end; its processor time; and how many of the "
        "archive's files it opened. Those are the table's parts and snapshots of the day and of the days "
        "beside it, of some parts no more than the footer, which says where their records stand; the "
        "checkpoints that say whether those snapshots may be used, and some that are looked at to find them; "
        "the house file, the journal, and the custody log."
    )
    return [
        TITLE,
        "",
        *wrap(built, 100),
        "",
        *wrap(asked, 100),
        "",
        "| hands | median, s | longest, s | processor, s | longest, s | files opened, at most | footers |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        f"| {' | '.join(figures)} | {opened} | {footers} |",
        "",
    ]


if __name__ == "__main__":
    main()
