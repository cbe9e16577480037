"""`make tamper CHANGES=10000 SEED=1`: an archive changed at random, one change at a time, then verified.

Each change is one of: a single byte of any file that checkpoints speak for, or of a checkpoint; a file cut
short; a record dropped, doubled, swapped with another, added from another part, or changed in one byte, in a
part that is then written anew as a sound file; a day put into another's place; a day removed with all that
came after it, checkpoints too. A change counts as found only if verify names the file, or the checkpoint,
that was changed. Before the first and after the last the archive is as it was closed.
"""

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from random import Random
from typing import Final

import click
import msgspec
from pyarrow import parquet
from rich.console import Console
from rich.progress import track
from rich.table import Table

from streams.archive import sealed_files
from streams.archive.checkpoint_chain import chain, files
from streams.archive.kept_lines import KeptLine, kept_line
from streams.archive.record_names import CHECKPOINTS, DAYS, SALT, KafkaRecord, days_of, part_of
from streams.archive.verification import check
from tests.builders.closed_archive import closed_archive

# What a change does, and the path that verify has to name for it.
Change = Callable[[Path, Random], str]


def _some_file(archive: Path, rng: Random) -> Path:
    named = [each.path for each in files(archive)] + [SALT]
    closed = [each.relative_to(archive).as_posix() for each in sorted((archive / CHECKPOINTS).iterdir())]
    return archive / rng.choice(named + closed)


def _some_part(archive: Path, rng: Random, least: int) -> Path:
    parts = [archive / each.path for each in files(archive) if each.kind == "part"]
    return rng.choice([each for each in parts if parquet.read_metadata(each).num_rows >= least])


def a_byte(archive: Path, rng: Random) -> str:
    """Change one byte of a file."""
    file = _some_file(archive, rng)
    text = bytearray(file.read_bytes())
    text[rng.randrange(len(text))] ^= rng.randrange(1, 256)
    file.write_bytes(text)
    return file.relative_to(archive).as_posix()


def a_truncation(archive: Path, rng: Random) -> str:
    """Cut a file short."""
    file = _some_file(archive, rng)
    text = file.read_bytes()
    file.write_bytes(text[: rng.randrange(len(text))])
    return file.relative_to(archive).as_posix()


def _rewritten(archive: Path, file: Path, records: list[KafkaRecord]) -> str:
    found = part_of(file.name)
    assert found is not None
    since = sealed_files.stretch_of(file).since
    file.unlink()
    sealed_files.write(file.parent, found[0], records, since)
    return file.relative_to(archive).as_posix()


def a_record_dropped(archive: Path, rng: Random) -> str:
    """Remove a record from a part."""
    file = _some_part(archive, rng, 2)
    records = list(sealed_files.read(file))
    del records[rng.randrange(len(records))]
    return _rewritten(archive, file, records)


def a_record_doubled(archive: Path, rng: Random) -> str:
    """Duplicate a record in a part."""
    file = _some_part(archive, rng, 1)
    records = list(sealed_files.read(file))
    at = rng.randrange(len(records))
    return _rewritten(archive, file, [*records[: at + 1], *records[at:]])


def two_records_swapped(archive: Path, rng: Random) -> str:
    """Swap the payloads of two records of a part."""
    file = _some_part(archive, rng, 2)
    records = list(sealed_files.read(file))
    one, two = rng.sample(range(len(records)), 2)
    payloads = records[two].payload, records[one].payload
    for at, payload in zip((one, two), payloads, strict=True):
        records[at] = msgspec.structs.replace(records[at], payload=payload)
    return _rewritten(archive, file, records)


def a_record_added(archive: Path, rng: Random) -> str:
    """Add a record that was never sent at the end of a part."""
    file, other = _some_part(archive, rng, 1), _some_part(archive, rng, 1)
    records, strange = list(sealed_files.read(file)), list(sealed_files.read(other))
    added = msgspec.structs.replace(
        records[-1], offset=records[-1].offset + 1, payload=rng.choice(strange).payload
    )
    return _rewritten(archive, file, [*records, added])


def a_record_changed(archive: Path, rng: Random) -> str:
    """Change one byte of one payload, in a part that is a sound file all the same."""
    file = _some_part(archive, rng, 1)
    records = list(sealed_files.read(file))
    at = rng.randrange(len(records))
    payload = bytearray(records[at].payload or b"\0")
    payload[rng.randrange(len(payload))] ^= rng.randrange(1, 256)
    records[at] = msgspec.structs.replace(records[at], payload=bytes(payload))
    return _rewritten(archive, file, records)


def a_day_replaced(archive: Path, rng: Random) -> str:
    """Move one day's file of a table to another day's place."""
    one, two = rng.sample(days_of(archive), 2)
    file = rng.choice(sorted((archive / DAYS / str(one)).glob("*.parquet")))
    target = archive / DAYS / str(two) / file.name
    shutil.copy(file, target)
    return target.relative_to(archive).as_posix()


def the_end_cut_off(archive: Path, rng: Random) -> str:
    """Remove the last days with their checkpoints, so that what is left is whole in itself."""
    closed = sorted((archive / CHECKPOINTS).iterdir())
    kept = rng.randrange(1, len(closed))
    days = {str(each.body.day) for each in list(chain(archive))[:kept]}
    for file in closed[kept:]:
        file.unlink()
    for day in days_of(archive):
        if str(day) not in days:
            shutil.rmtree(archive / DAYS / str(day))
    return f"checkpoint {len(closed)} of"


CHANGES: Final[tuple[Change, ...]] = (
    a_byte,
    a_truncation,
    a_record_dropped,
    a_record_doubled,
    two_records_swapped,
    a_record_added,
    a_record_changed,
    a_day_replaced,
    the_end_cut_off,
)
TODAY: Final = date(2025, 4, 1)  # long before anything may be removed
# Single bytes are what most changes are of; the others take longer to make.
WEIGHTS: Final = (60, 10, 5, 5, 5, 5, 5, 4, 1)


@contextmanager
def _put_back(archive: Path) -> Iterator[Path]:
    """Return a copy of an archive, and remove it afterwards."""
    with tempfile.TemporaryDirectory(dir=archive.parent) as folder:
        copy = Path(folder) / "archive"
        shutil.copytree(archive, copy)
        yield copy


def tamper_archive(archive: Path, changes: int, seed: str) -> tuple[Counter[str], list[str]]:
    """Change an archive so many times; count the changes by kind, and list those that were not found."""
    rng = Random(seed)  # noqa: S311  to be repeated, not to be secret
    line: KeptLine = kept_line(list(chain(archive))[-1].kept_line())
    made: Counter[str] = Counter()
    missed: list[str] = []
    for number in track(range(changes), "Changing …", console=Console(stderr=True)):
        (change,) = rng.choices(CHANGES, WEIGHTS)
        with _put_back(archive) as copy:
            where = change(copy, rng)
            found = check(copy, [line], (), events=False, today=TODAY)
        made[change.__name__.replace("_", " ")] += 1
        if not any(each.where.startswith(where) for each in found.troubles):
            missed.append(f"{number}: {change.__name__} of {where}: {found.troubles}")
    return made, missed


@click.command()
@click.option("--changes", default=10_000, type=click.IntRange(1))
@click.option("--seed", default="1")
def main(changes: int, seed: str) -> None:
    """Change an archive at random, and print how many changes of each kind were found."""
    with tempfile.TemporaryDirectory() as folder:
        archive = closed_archive(Path(folder))
        assert check(archive, (), (), events=True, today=TODAY).troubles == ()
        made, missed = tamper_archive(archive, changes, seed)
        assert check(archive, (), (), events=True, today=TODAY).troubles == ()
    table = Table("change", "made", title=f"{changes:,} changes, seed {seed}", title_justify="left")
    for kind, count in sorted(made.items()):
        table.add_row(kind, str(count))
    Console().print(table)
    for each in missed:
        click.echo(f"not found: {each}")
    click.echo(f"{changes - len(missed):,} of {changes:,} found, each with its place")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
