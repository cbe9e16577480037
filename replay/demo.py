"""`discardrack demo`: a simulated gaming day, audited, stored, and held against its labels."""

import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from projections.judge import Conclusion
from projections.round import Round
from projections.store import Store, begin_run
from replay.ledgers import with_ledgers
from replay.recorded import Unread, audited, house_of
from replay.rows import printable
from replay.scoring import Claim, Score, read_labels, score
from replay.serve import HOST, PORT, listening, serve_on
from schemas.errors import BadInput
from schemas.house import House
from streams import log
from streams.simulator import faults
from streams.simulator.simulate import simulate

FLOOR: Final = Path("var/demo/floor")
STORE: Final = Path("var/demo/store.duckdb")
_SHOWN: Final = 20  # disagreements are listed up to this many


@click.command()
@click.option("--tables", default=6, type=click.IntRange(min=1), show_default=True, help="How many tables.")
@click.option(
    "--hours",
    default=8.0,
    type=click.FloatRange(min=0, min_open=True, max=168),
    show_default=True,
    help="How many hours of play.",
)
@click.option(
    "--days",
    default=1,
    type=click.IntRange(1, 31),
    show_default=True,
    help="So long on each of so many days.",
)
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same day.")
@click.option("--serve/--no-serve", default=True, help="Serve the findings afterwards.")
@click.option(
    "--port", default=PORT, type=click.IntRange(1, 65535), show_default=True, help="Port of the page."
)
def demo(tables: int, hours: float, days: int, seed: str, port: int, *, serve: bool) -> None:
    """Simulate a gaming day with labelled faults, audit it, print injected against found.

    The floor and the store under var/demo are made anew. Exit status 0: what was found is what was injected.

    \b
    Example:
      discardrack demo --tables 20 --no-serve
    """  # noqa: D301  click's mark for text that is not wrapped
    # What takes minutes to play is served at the end: that it can be is settled first.
    otherwise = "choose another with --port, or say --no-serve"
    with listening(HOST, port, otherwise) if serve else nullcontext() as listener:
        result = _played(tables, hours, days, seed)
        _print(result)
        if listener is not None:
            serve_on(listener, STORE)
    raise click.exceptions.Exit(0 if result.agrees else 1)


def _played(tables: int, hours: float, days: int, seed: str) -> Score:
    """Play a floor, audit it into the store, and hold what was found against what was injected."""
    shutil.rmtree(FLOOR, ignore_errors=True)
    STORE.unlink(missing_ok=True)
    FLOOR.parent.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    with console.status(f"Playing {tables} tables for {hours:g} hours …"):
        rates = faults.rates(None, sensors=False)
        simulate(FLOOR, tables=tables, hours=hours, days=days, seed=seed, rates=rates)
    with console.status("Auditing …"):
        return _audited_and_stored(house_of(FLOOR, None))


def _audited_and_stored(house: House) -> Score:
    conclusions: list[Conclusion] = []

    def stored() -> Iterator[tuple[Round | None, Conclusion, int]]:
        for each in with_ledgers(audited(log.logs(FLOOR), house), FLOOR, house):
            if isinstance(each, Unread):
                raise BadInput(f"{FLOOR}: {each.error}")
            conclusions.append(each.conclusion)
            yield each.seen, each.conclusion, each.revision

    with Store(STORE) as store:
        store.write(begin_run(str(FLOOR), house.zone), stored())
    return score(read_labels(FLOOR / log.LABELS), conclusions)


def _print(result: Score) -> None:
    """Print injected against found, and whatever does not agree."""
    console = Console(highlight=False)
    table = Table("fault injected", "found as", title="Injected against found", title_justify="left")
    table.add_column("injected", justify="right")
    table.add_column("found", justify="right")
    for kind in sorted(result.injected):
        table.add_row(kind, result.primary[kind], str(result.injected[kind]), str(result.found[kind]))
    injected, found = result.injected.total(), result.found.total()
    table.add_section()
    table.add_row("all", "", str(injected), str(found))
    console.print(table)
    rounds = result.verdicts.total()
    console.print(
        f"{rounds:,} rounds: "
        + ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(result.verdicts.items()))
    )
    _list(console, "missed", result.missed)
    _list(console, "invented", result.invented)
    for where in result.wrongly_open[:_SHOWN]:
        console.print(f"left open without cause: {printable(where)}", markup=False)
    if result.agrees:
        console.print("Every fault was found and cited; none was missed, none invented.")


def _list(console: Console, what: str, claims: list[Claim]) -> None:
    for claim in claims[:_SHOWN]:
        said = " ".join(str(part) for part in claim if part is not None)
        console.print(f"{what}: {printable(said)}", markup=False)
    if len(claims) > _SHOWN:
        console.print(f"… and {len(claims) - _SHOWN} more {what}")
