"""What was found of the play of a day: settlements, whom they favoured, pace, and what is left open."""

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Final

from projections.engine.findings import Finding
from projections.engine.identity import id_of_round
from projections.views.finding_text import finding_text
from replay.exports.report.model import Bars, Cell, Kind, Report
from replay.nightly.day_book import Book, game
from replay.nightly.table_day import Said

_HOUR: Final = 3_600_000_000
_PARTS: Final = 1000


def _money(said: Said) -> int | None:
    """Return what a finding's money is; None where it is about none, or was put right."""
    finding = said.finding
    if not isinstance(finding.favours, str) or finding.comes_to_cents is None:
        return None
    return None if finding.put_right is True or finding.weight != "mismatch" else abs(finding.comes_to_cents)


def mismatches(book: Book) -> Report:
    """Count the proven mismatches by game, table, check and whom they favoured."""
    grouped: defaultdict[tuple[str, str, str, str], list[int]] = defaultdict(list)
    for said in book.findings:
        if said.finding.weight == "mismatch" and said.account is None:
            favours = said.finding.favours if isinstance(said.finding.favours, str) else "nobody"
            grouped[said.chapter, said.table, said.finding.check, favours].append(_money(said) or 0)
    rows: list[list[Cell]] = [
        [game(chapter), table, check, favours, len(cents), sum(cents)]
        for (chapter, table, check, favours), cents in sorted(grouped.items())
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("game", "Game", "text"),
        ("table", "Table", "text"),
        ("check", "Check", "text"),
        ("favours", "Favours", "text"),
        ("findings", "Findings", "whole"),
        ("cents", "Difference", "cents"),
    ]
    note = "Findings of rounds and shoes that are proven. What was put right in the round is not among them."
    return book.report("mismatches", "Settlement mismatches by game and table", columns, rows, note=note)


def patrons_and_house(book: Book) -> Report:
    """Put what patrons are owed beside what was overpaid, table by table."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        owed, lost = (
            [
                cents
                for said in table.findings
                if said.finding.favours == side and (cents := _money(said)) is not None
            ]
            for side in ("house", "patron")
        )
        settlements = book.sums[table.table].settlements
        if owed or lost:
            rate = Fraction(len(owed) + len(lost), settlements) if settlements else None
            rows.append(
                [
                    table.table,
                    game(table.chapter),
                    len(owed),
                    sum(owed),
                    len(lost),
                    sum(lost),
                    settlements,
                    rate,
                ]
            )
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("game", "Game", "text"),
        ("patrons", "Times owed", "whole"),
        ("owed_cents", "Owed to patrons", "cents"),
        ("house", "Times overpaid", "whole"),
        ("lost_cents", "Overpaid", "cents"),
        ("settlements", "Settlements", "whole"),
        ("share", "Share", "percent"),
    ]
    total = [sum(cell for row in rows if isinstance(cell := row[at], int)) for at in range(2, 7)]
    return book.report(
        "patrons_and_house",
        "Owed to patrons beside overpaid",
        columns,
        rows,
        total=["all", None, *total, Fraction(total[0] + total[2], total[4]) if total[4] else None],
    )


def findings(book: Book) -> Report:
    """Return every finding with what it stands on."""
    rows: list[list[Cell]] = [
        [
            said.table,
            said.round or (f"shoe {said.shoe}" if said.shoe is not None else said.account),
            said.finding.check,
            said.finding.weight,
            finding_text(said.finding),
            *_sums(said.finding),
            said.finding.favours if isinstance(said.finding.favours, str) else None,
            ", ".join(said.finding.citations),
            said.finding.status,
            said.finding.id,
        ]
        for said in book.findings
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("about", "About", "text"),
        ("check", "Check", "text"),
        ("weight", "Weight", "text"),
        ("says", "Finding", "text"),
        ("gross_cents", "Gross", "cents"),
        ("vigorish_cents", "Vigorish", "cents"),
        ("net_cents", "Net", "cents"),
        ("variance_cents", "Variance", "cents"),
        ("favours", "Favours", "text"),
        ("citations", "Provision", "text"),
        ("status", "Text", "text"),
        ("id", "Id", "text"),
    ]
    keys = [[said.about] for said in book.findings]
    return book.report("findings", "Findings", columns, rows, row_keys=keys)


def _sums(finding: Finding) -> list[int | None]:
    """Return a finding's gross, vigorish, net and variance; None for those that it does not have."""
    sums = (finding.gross_cents, finding.vigorish_cents, finding.net_cents, finding.variance_cents)
    return [cents if isinstance(cents, int) else None for cents in sums]


def pace(book: Book) -> Report:
    """Return each table's rounds an hour, by the hours for which it was open."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        rounds, micros = book.sums[table.table].rounds, table.survey.open_micros
        if rounds or micros:
            hours = Fraction(micros, _HOUR)
            rate = Fraction(rounds * _HOUR, micros) if micros else None
            rows.append([table.table, game(table.chapter), rounds, _short(hours), _short(rate)])
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("game", "Game", "text"),
        ("rounds", "Rounds", "whole"),
        ("hours", "Hours open", "fraction"),
        ("pace", "Rounds an hour", "fraction"),
    ]
    plot = Bars("table", "pace") if rows else None
    return book.report("pace", "Rounds an hour", columns, rows, plot=plot)


def _short(value: Fraction | None) -> Fraction | None:
    return None if value is None else Fraction(round(value * _PARTS), _PARTS)


def undetermined(book: Book) -> Report:
    """Return the rounds that are left open, each with its causes."""
    rows: list[list[Cell]] = [
        [table.table, each.round, ", ".join((*each.lacking, *each.at_odds)) or None, cause]
        for table in book.tables
        for each in table.undetermined
        for cause in each.causes
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("round", "Round", "text"),
        ("devices", "Devices", "text"),
        ("cause", "Cause", "text"),
    ]
    keys = [
        [id_of_round(book.day.date, table.table, each.round)]
        for table in book.tables
        for each in table.undetermined
        for _ in each.causes
    ]
    return book.report("undetermined", "Undetermined rounds", columns, rows, row_keys=keys)


def gaps(book: Book) -> Report:
    """Return the devices that fell silent, and how many rounds of a device's table hang on it."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        silent: defaultdict[str, list[int]] = defaultdict(list)
        for each in table.survey.silences:
            silent[each.device].append(each.ends - each.begins)
        hang = Counter(device for open_ in table.undetermined for device in open_.lacking)
        reads = book.house.tables[table.table].sources
        rows += [
            [
                table.table,
                device,
                reads.get(device),
                len(silent[device]),
                _short(Fraction(sum(silent[device]), _HOUR // 60)),
                hang[device],
            ]
            for device in sorted(silent.keys() | hang.keys())
        ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("device", "Device", "text"),
        ("reads", "Reads", "text"),
        ("silences", "Silences", "whole"),
        ("minutes", "Minutes silent", "fraction"),
        ("rounds", "Rounds left open", "whole"),
    ]
    note = (
        "A silence is one that the table's terminal reported; rounds are those for which something that the "
        "device should have reported did not arrive."
    )
    return book.report("sensor_gaps", "Sensor gaps", columns, rows, note=note)


def conflicts(book: Book) -> Report:
    """Return the devices that read one thing otherwise, and how many rounds were left open by it."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        reads = book.house.tables[table.table].sources
        counted = Counter(pair for open_ in table.undetermined for pair in open_.at_odds)
        rows += [
            [table.table, pair, " and ".join(reads.get(each, "?") for each in pair.split()), rounds]
            for pair, rounds in sorted(counted.items())
        ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("devices", "Devices", "text"),
        ("read", "Read", "text"),
        ("rounds", "Rounds left open", "whole"),
    ]
    note = "Both reported, and said otherwise of one card or sum; which was right is for a person to see."
    return book.report("source_conflicts", "Devices that contradicted each other", columns, rows, note=note)
