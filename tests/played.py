"""Tables of one game, played by the simulator and audited, for the tests of its play scripts."""

from pathlib import Path

from projections.judge import Conclusion
from replay.recorded import Unread, audited, house_of
from replay.scoring import Score, read_labels, score
from schemas import events
from schemas.codec import encode
from streams import log
from streams.simulator.floor import house_file, plan
from streams.simulator.games import SCRIPTS
from streams.simulator.labels import FaultLabel
from streams.simulator.plan import Plan
from streams.simulator.simulate import START, TableDay, label_lines, play_table

_START = int(START.timestamp()) * 1_000_000
_HOUR = 3_600_000_000


def plans(chapter: str, tables: int) -> list[Plan]:
    """Plan a mixed floor's first tables of one game."""
    return [each for each in plan(tables * len(SCRIPTS), mixed=True) if each.chapter == chapter]


def played(chapter: str, tables: int, hours: int, rates: dict[str, float], seed: str) -> list[TableDay]:
    """Play tables of one game."""
    end = _START + hours * _HOUR
    return [play_table(each, seed, rates, _START, end) for each in plans(chapter, tables)]


def in_true_order(day: TableDay) -> list[events.Event]:
    """Order clean events by the true moment: a device's clock less the offset that was heard of it."""
    told = [event for frame in day.frames for event in frame.events]
    opened = next(event for event in told if isinstance(event, events.TableOpened))
    offsets = {device: heard.offset for device, heard in opened.heard.items()}
    return sorted(told, key=lambda event: event.at - offsets.get(event.device, 0))


def labels(days: list[TableDay]) -> list[tuple[TableDay, FaultLabel]]:
    """Give the labels of dealers' faults with their tables."""
    return [(day, label) for day in days for label in day.labels if isinstance(label, FaultLabel)]


def chips_differ(day: TableDay) -> list[str]:
    """Say where the counts of the tray are not what the movements of chips make them."""
    tray, wrong = 0, []
    for event in in_true_order(day):
        match event:
            case events.TableOpened():
                tray = event.inventory_cents
            case events.ChipsBought() | events.ChipsPaid():
                tray -= event.cents
            case events.FillReceived() | events.ChipsCollected():
                tray += event.cents
            case events.InventoryCounted() if event.cents != tray:
                wrong.append(f"round {event.round}: counted {event.cents}, should be {tray}")
            case _:
                pass
    table = day.table
    if (tray, table.opener + table.fills) != (table.tray, tray + table.tips + table.carried_away):
        wrong.append("at the close")
    return wrong


def scored(chapter: str, days: list[TableDay], folder: Path) -> Score:
    """Write tables as an archive, audit it, and hold what was injected against what was found."""
    (folder / "events").mkdir()
    house_file([day.table.plan for day in days], START.date().replace(month=1, day=1), folder / "house.yaml")
    with (folder / log.LABELS).open("wb") as label_file:
        for day in days:
            name = day.table.plan.name
            (folder / "events" / f"{name}.jsonl").write_bytes(
                b"".join(encode(frame) + b"\n" for frame in day.frames)
            )
            label_file.writelines(label_lines(day.labels))
    found: list[Conclusion] = []
    for each in audited(log.logs(folder), house_of(folder, None)):
        assert not isinstance(each, Unread)
        assert each.conclusion.chapter == chapter
        found.append(each.conclusion)
    return score(read_labels(folder / log.LABELS), found)
