"""Tables of one game, played by the simulator and audited, for the tests of its play scripts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from projections.engine.conclusion import Conclusion
from projections.views.text import text
from replay.proofs.label_scoring import Score, read_labels, score
from replay.recording.event_audit import audit_logs
from replay.recording.ledger_days import with_ledgers
from replay.recording.recording import Recording
from schemas import events
from schemas.codec import encode
from streams import log
from streams.log import Unread
from streams.simulator import faults
from streams.simulator.floor import house_file, plan
from streams.simulator.games import SCRIPTS
from streams.simulator.kinds import Kind
from streams.simulator.labels import FaultLabel
from streams.simulator.plan import Plan
from streams.simulator.playing import TableDay, play_table
from streams.simulator.simulate import START, label_lines
from streams.simulator.table import Stake

_START = int(START.timestamp()) * 1_000_000
_HOUR = 3_600_000_000


def plan_tables(chapter: str, tables: int) -> list[Plan]:
    """Plan a floor's first tables of one game, named as they would be were it the only one."""
    mixed = plan(tables * len(SCRIPTS), mixed=True)
    return [
        replace(each, name=f"{each.name.partition('-')[0]}-{number}", number=str(number))
        for number, each in enumerate((each for each in mixed if each.chapter == chapter), 101)
    ]


def play_plans(floor: Iterable[Plan], hours: int, rates: dict[str, float], seed: str) -> list[TableDay]:
    """Play the tables of a floor."""
    return [play_table(each, seed, rates, _START, _START + hours * _HOUR) for each in floor]


def play_tables_of_game(
    chapter: str, tables: int, hours: int, rates: dict[str, float], seed: str
) -> list[TableDay]:
    """Play tables of one game."""
    return play_plans(plan_tables(chapter, tables), hours, rates, seed)


def raised(kinds: Mapping[str, Kind], times: float, most: float = 1.0) -> dict[str, float]:
    """Return the rates of kinds of fault, some times as high, up to one at which others occur as well."""
    return {name: min(most, times * kind.rate) for name, kind in kinds.items()}


def doubled_rates(*, sensors: bool = False) -> dict[str, float]:
    """Return the rates of every kind of fault, twice the defaults: a floor shows as many in half the time."""
    return {kind: min(1.0, 2 * rate) for kind, rate in faults.rates(sensors=sensors).items()}


# ── what happened ────────────────────────────────────────────────────────────────────────────────────


def events_sent(day: TableDay) -> list[events.Event]:
    """Return the events of a table in the order in which they were sent."""
    return [event for frame in day.frames for event in frame.events]


def in_true_order(day: TableDay) -> list[events.Event]:
    """Order a table's clean events by the true moment."""
    return by_true_moment(events_sent(day))


def by_true_moment(sent: Sequence[events.Event]) -> list[events.Event]:
    """Order clean events by the true moment: a device's clock less the offset that was heard of it."""
    opened = next(event for event in sent if isinstance(event, events.TableOpened))
    offsets = {device: heard.offset for device, heard in opened.heard.items()}
    return sorted(sent, key=lambda event: event.at - offsets.get(event.device, 0))


def hands_dealt(days: Sequence[TableDay]) -> set[str]:
    """Return every hand that was dealt a card."""
    return {event.hand for day in days for event in in_true_order(day) if isinstance(event, events.CardDrawn)}


def fault_labels(days: Sequence[TableDay]) -> list[tuple[TableDay, FaultLabel]]:
    """Return the labels of dealers' faults with their tables."""
    return [(day, label) for day in days for label in day.labels if isinstance(label, FaultLabel)]


def stakes_named(day: TableDay, label: FaultLabel) -> list[Stake]:
    """Return the stakes of the label's round on the seat and the wager that it names."""
    assert label.primary is not None
    subject = (label.primary.seat, label.primary.wager)
    stakes = day.table.past[int(label.round or 0) - 1].stakes.values()
    return [stake for stake in stakes if (stake.patron.seat, stake.wager) == subject]


# ── what holds at every table ────────────────────────────────────────────────────────────────────────


def tray_after(tray: int, event: events.Event) -> int:
    """Return what is in the table inventory after an event, in cents.

    The dealer's wager, seat 0, comes from it and lies outside while the round is open.
    """
    match event:
        case events.TableOpened():
            return event.inventory_cents
        case events.ChipsPaid() | events.ChipsCollected() if not event.seat:
            pass
        case (
            events.ChipsBought()
            | events.CounterCheckTaken()
            | events.CreditSent()
            | events.ChipsPaid()
            | events.PayoutHanded()
        ):
            return tray - event.cents
        case events.PayoutAdded():
            return tray - event.cents - event.handed_cents
        case (
            events.ChipsCollected()
            | events.VigorishCollected()
            | events.MarkerButtonRemoved()
            | events.FillReceived()
        ):
            return tray + event.cents
        case events.SettlementAdjusted():
            return tray - event.cents + event.vigorish_cents
        case _:
            pass
    return tray


def chip_differences(day: TableDay) -> list[str]:
    """Return where the chips are not what their movements make them: in the tray, the box, the toke box."""
    tray, box, tips, wrong = 0, 0, 0, []
    for event in in_true_order(day):
        tray = tray_after(tray, event)
        match event:
            case events.ChipsBought():
                box += event.cents
            case events.TokeGiven():
                tips += event.cents
            case events.InventoryCounted() if event.cents != tray or tray <= 0:
                wrong.append(f"round {event.round}: counted {event.cents}, should be {tray}")
            case _:
                pass
    table = day.table
    if (tray, box, tips) != (table.tray, table.box, table.tips):
        wrong.append("at the close")
    if table.opener + table.fills != tray + tips + table.carried_away:
        wrong.append("over the day")
    if table.patrons or table.owed:
        wrong.append("someone is still there, or owes")
    return wrong


def count_inventories(days: Sequence[TableDay]) -> int:
    """Return how often the tray was counted."""
    return sum(isinstance(event, events.InventoryCounted) for day in days for event in events_sent(day))


def misfound_kinds(days: Sequence[TableDay], own: Mapping[str, Kind]) -> list[str]:
    """Return a game's own kinds of fault that do not occur, and those found as something else."""
    made = Counter(label.fault for _, label in fault_labels(days))
    never = [kind for kind in own if not made[kind]]
    return never + [
        label.fault
        for _, label in fault_labels(days)
        if label.fault in own and (label.primary is None or label.primary.check != own[label.fault].check)
    ]


# ── the audit of what was played ─────────────────────────────────────────────────────────────────────


def audit_archive(folder: Path) -> Iterator[Conclusion]:
    """Audit an archive that can be read throughout; every finding and note of it has its words."""
    house = Recording(folder).house
    for each in with_ledgers(audit_logs(log.logs(folder), house), Recording(folder)):
        assert not isinstance(each, Unread)
        for finding in (*each.conclusion.findings, *each.conclusion.notes):
            assert text(finding.message)
        yield each.conclusion


def score_archive(folder: Path) -> Score:
    """Compare what was injected in an archive with what is found in it."""
    return score(read_labels(folder / log.LABELS), audit_archive(folder))


def write_archive(days: Sequence[TableDay], folder: Path) -> None:
    """Write tables as an archive."""
    (folder / "events").mkdir()
    house_file([day.table.plan for day in days], START.date().replace(month=1, day=1), folder / "house.yaml")
    with (folder / log.LABELS).open("wb") as label_file:
        for day in days:
            name = day.table.plan.name
            (folder / "events" / f"{name}.jsonl").write_bytes(
                b"".join(encode(frame) + b"\n" for frame in day.frames)
            )
            label_file.writelines(label_lines(day.labels))


def finds_every_fault(folder: Path, more_than: int) -> None:
    """Prove of an archive without sensors' faults that each fault is found, none invented, nothing open."""
    result = score_archive(folder)
    assert (result.missed, result.invented, result.inexact) == ([], [], [])
    assert (result.wrongly_open, result.unnamed) == ([], [])
    assert result.found == result.injected
    assert result.found.total() > more_than
    assert result.verdicts["undetermined"] == 0


def finds_no_fault_wrongly(folder: Path) -> Score:
    """Prove of an archive with sensors' faults that what is concluded is right and what is open is named."""
    result = score_archive(folder)
    assert (result.missed, result.invented, result.inexact) == ([], [], [])
    assert (result.wrongly_open, result.unnamed) == ([], [])
    assert result.verdicts["undetermined"] > 0
    return result
