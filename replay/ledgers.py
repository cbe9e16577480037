"""The ledgers of recorded events: their entries, and their accounts day by day beside the tables."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

from msgspec import Struct, field

from projections.audit import Concluded
from projections.judge import Conclusion
from projections.ledgers.at_tables import Redeemed, coupons_at_tables
from projections.ledgers.entries import Kept, kept
from projections.ledgers.reconciling import Carried, reconcile
from replay.recorded import Unread, frames
from schemas.codec import Told
from schemas.house import House
from schemas.ledgers import Ledger
from streams import log
from streams.log import Log


class Tables(Struct):
    """What ledgers of a gaming day are held against: accounts, coupons played, what was not reported."""

    accounts: dict[str, Conclusion] = field(default_factory=dict)
    played: list[Redeemed] = field(default_factory=list)
    unreported: dict[str, list[str]] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)

    def hear(self, each: Concluded, house: House) -> None:
        """Take a conclusion about a table."""
        said = each.conclusion
        if said.account is not None:
            self.accounts[said.table] = said
        elif each.seen is not None:
            self.played += coupons_at_tables(each.seen, said.expected, said.chapter)
        if said.round is not None and said.verdict == "undetermined":
            sources = house.tables[said.table].sources
            if any(sources.get(str(finding.device)) == "chips" for finding in said.findings):
                self.unread.add(said.table)
            self.unreported.setdefault(said.table, []).extend(
                f"round {said.round}: {finding.message}"
                for finding in said.findings
                if finding.weight == "undetermined" and sources.get(str(finding.device)) == "terminal"
            )

    def add(self, other: "Tables") -> None:
        """Take what was heard of other tables."""
        self.accounts |= other.accounts
        self.played += other.played
        for table, said in other.unreported.items():
            self.unreported.setdefault(table, []).extend(said)
        self.unread |= other.unread


def ledger_of(recorded: Log, name: Ledger, house: House) -> tuple[Kept, list[Unread]]:
    """Read a ledger's log: its entries in order, and what cannot be read."""
    told: list[Told] = []
    unread: list[Unread] = []
    for frame in frames(recorded):
        if isinstance(frame, Unread):
            unread.append(frame)
        else:
            told += frame.events
    return kept(name, told, house), unread


def with_ledgers(
    concluded: Iterable[Concluded | Unread], path: Path, house: House
) -> Iterator[Concluded | Unread]:
    """Pass the conclusions about an archive's tables on, and after them its ledgers' accounts, day by day."""
    days: dict[date, Tables] = {}
    for each in concluded:
        yield each
        if house.ledgers and not isinstance(each, Unread):
            days.setdefault(each.conclusion.gaming_date, Tables()).hear(each, house)
    yield from accounts(days, path, house)


def accounts(days: Mapping[date, Tables], path: Path, house: House) -> Iterator[Concluded | Unread]:
    """Draw up the accounts of an archive's ledgers, day by day, beside what was concluded of its tables."""
    logs = {each.name: each for each in log.logs(path)} if house.ledgers and path.is_dir() else {}
    ledgers: dict[Ledger, Kept] = {}
    for name in house.ledgers:
        if name in logs:
            ledgers[name], unread = ledger_of(logs[name], name, house)
            yield from unread
    if not ledgers:
        return
    carried = Carried()
    for day in sorted({*days, *(day for each in ledgers.values() for day in each.days)}):
        tables = days.get(day, Tables())
        for account in reconcile(
            day,
            ledgers,
            tables.accounts.values(),
            house,
            carried,
            played=tables.played,
            unreported=tables.unreported,
            unread=tables.unread,
        ):
            yield Concluded(account, 1)
