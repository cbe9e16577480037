"""The audit: events in, conclusions out.

Events wait until their round is over. The round is then folded into the table's state and judged. When an
event comes late, all held rounds are rewound and concluded again; a conclusion that changed is a new
revision. A shoe is concluded when it ends, a table inventory when its gaming day does, and either as soon as
anything is raised about it.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from projections.engine.accounts.account_lines import InventoryCase, ShoeCase
from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.accounts.table_accounts import TableAccounts
from projections.engine.accounts.table_inventory import TableInventory
from projections.engine.audit.account_conclusions import conclude_procedures, judge_inventory, judge_shoe
from projections.engine.audit.judge import check_context, conclude_round, not_in_force, settlement_error_cents
from projections.engine.audit.rulebooks import Books, doubt_words, of_table
from projections.engine.conclusion import Conclusion
from projections.engine.facts import Fact, fact
from projections.engine.findings import Raised
from projections.engine.fold.gaps import gaps_between
from projections.engine.fold.reorder_buffer import (
    ReorderBuffer,
    awaits_terminal,
    events_to_close,
    pop_ended_round,
)
from projections.engine.fold.round_fold import fold, put_right_elsewhere, settle_between
from projections.engine.fold.table_state import TableState
from projections.engine.fold.watermark import ClosedWindow, SequenceTallies
from projections.engine.games import game_of
from projections.engine.observation import Doubt, Gap, Round, RoundOrTime
from projections.engine.pack import pack_of
from projections.engine.procedures.account import ProceduresAccount, Window
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.checks import CHECKS
from projections.engine.procedures.entries import DayBegan
from projections.engine.procedures.posts import floor_game
from projections.engine.shoe import Shoe, note_gaps
from projections.engine.table_layout import lying
from schemas.codec import AnyEvent
from schemas.errors import BadInput, NotInForce
from schemas.events import PROCEDURAL, Event
from schemas.house import House
from schemas.law_text import chapter
from schemas.rulebook import Rulebook
from schemas.values import Micros

_SECOND = 1_000_000
_LATE_LISTED_AT_MOST = 32  # events of a shoe that came too late; beyond that only "more" is reported
_SHOES_HELD = 3  # as many as a lateness window can reach
_DAYS_HELD = 2


class Concluded(Struct, frozen=True):
    """A conclusion with the round and the rulebook that it rests on; both None for a shoe or an account.

    For a shoe or an account `at` is when it could be concluded, by the terminal's clock, microseconds UTC. It
    is not part of the conclusion: a late event delays it and changes nothing else.
    """

    conclusion: Conclusion
    revision: int
    seen: Round | None = None
    book: Rulebook | None = None
    at: Micros | None = None

    @property
    def basis(self) -> RoundOrTime:
        """Return what the store saves with the conclusion: the round as observed, or the time of concluding.

        If the round's cards are in doubt no card is disregarded.
        """
        if self.seen is None:
            return self.at
        book = self.book if self.seen.cards_known else None
        laid = lying(self.conclusion.chapter, self.seen, book)
        return replace(self.seen, laid=list(laid))


class AuditProgress(Struct):
    """State of a table's audit: everything that must outlive a restart.

    `state` is made by events alone, `accounts` by what was concluded of the rounds. `marks` is how much the
    table inventory had to judge when it was last asked; `last` is the shoe that ended last, with its account.
    """

    buffer: ReorderBuffer
    state: TableState
    accounts: TableAccounts
    shoes: dict[str, tuple[int, Conclusion]]
    late: dict[str, list[Fact]]
    last: tuple[Shoe, ShoeAccount] | None = None
    inventories: dict[str, tuple[int, Conclusion]] = field(default_factory=dict)
    marks: tuple[int, ...] = ()
    procedures: dict[str, tuple[int, Conclusion]] = field(default_factory=dict)


class TableAudit:
    """The audit of one table's stream.

    Raises:
        BadInput: on construction, where the house has no such table, names not one device of a source for
            it, or chose for it what the law does not admit.
    """

    def __init__(self, table: str, house: House) -> None:
        if table not in house.tables:
            raise BadInput(f"table {table!r} is not in the house file of {house.house}")
        if found := of_table(table, house):
            raise BadInput(f"table {table}: {'; '.join(each.describe() for each in found)}")
        setup = house.tables[table]
        self.table, self.house, self.setup = table, house, setup
        device_of = {source: device for device, source in setup.sources.items()}
        buffer = ReorderBuffer(
            device_of["terminal"],
            setup.sources,
            house.patience_seconds * _SECOND,
            house.lateness_seconds * _SECOND,
            SequenceTallies(frozenset(setup.sources)),
        )
        accounts = TableAccounts(TableInventory(wagers_read="chips" in device_of))
        state = TableState()
        self._sources = frozenset[str](device_of)
        if PROCEDURAL & device_of.keys():
            accounts.procedures, state.procedures = ProceduresAccount(table=table), []
        self.progress = AuditProgress(buffer, state, accounts, {}, {})
        self._day: tuple[date, int, int] = (date.min, 0, 0)
        self._game = game_of(setup.chapter)
        self._books = Books(table, house)

    def feed(self, events: Sequence[AnyEvent]) -> list[Concluded]:
        """Feed events in the order of arrival; return what can be concluded now.

        Raises:
            BadInput: the house's options for the table are not what the law admits.
        """
        buffer = self.progress.buffer
        concluded: list[Concluded] = []
        # A ledger's entry is refused as one of a device that does not report such a thing.
        for _ in buffer.take(cast("Sequence[Event]", events)):
            must_rewind = bool(buffer.revisable and (buffer.overtaken or buffer.must_refold))
            if must_rewind:
                self._rewind(buffer.rewind())
            if buffer.is_round_due:
                self._conclude(concluded, finishing=False, posted=must_rewind)
            if buffer.too_late:  # reported at once: nothing else may come for long
                self._judge_late(concluded)
        return concluded

    def finish(self) -> list[Concluded]:
        """Conclude everything that is open: no more events will come."""
        concluded: list[Concluded] = []
        self._conclude(concluded, finishing=True)
        state = self.progress.state
        buffer = self.progress.buffer
        put_right_elsewhere(state, buffer, None)
        settle_between(state, buffer.abandon(), [], self._day_of, buffer)
        self._post()
        if state.shoe is not None and any(state.owing.values()):
            unseen = Gap(buffer.terminal, "terminal", fact("audit.shoe_not_seen_to_end"))
            note_gaps(self.progress.accounts.of(state.shoe).unknown, [unseen])
        self._judge_late(concluded)
        self._judge_inventories(concluded, finishing=True)
        self._judge_procedures(concluded, finishing=True)
        return concluded

    def _rewind(self, first: ClosedWindow) -> None:
        """Rewind to the state before a round that is still held."""
        progress = self.progress
        progress.state, progress.accounts = first.state.copied(), first.accounts.copied()
        progress.marks = ()

    def _post(self) -> None:
        """Update the accounts with the events."""
        state = self.progress.state
        self.progress.accounts.post(state.inventory, state.ended, state.shoe)

    def take_strangers(self) -> list[str]:
        """Take out which devices reported what they cannot by the house file; return it."""
        buffer = self.progress.buffer
        if not buffer.strangers:  # asked after every frame
            return []
        found, buffer.strangers = buffer.strangers, []
        return list(dict.fromkeys(found))

    def _conclude(self, concluded: list[Concluded], *, finishing: bool, posted: bool = False) -> None:
        """Conclude what is over; `posted` is true if the accounts changed since they were last judged."""
        buffer = self.progress.buffer
        while True:
            if (left := events_to_close(buffer, finishing=finishing)) is not None:
                events, lower, upper = left
                gaps = gaps_between(buffer, lower, upper)
                settle_between(self.progress.state, events, gaps, self._day_of, buffer)
                self._post()
                self._judge_shoes(concluded)
                self._judge_procedures(concluded)
                posted = True
            elif (ended := pop_ended_round(buffer, finishing=finishing)) is not None:
                before = self.progress.state.copied(), self.progress.accounts.copied()
                self._judge(buffer.add_revisable(*ended, *before), concluded)
                buffer.drop_expired()
                posted = True
            else:
                break
        buffer.is_round_due = not awaits_terminal(buffer)
        if posted:
            self._judge_inventories(concluded)

    def _judge(self, window: ClosedWindow, concluded: list[Concluded]) -> None:
        """Fold a round that is over, judge it, and give the conclusion if it is new."""
        buffer, state, accounts = self.progress.buffer, self.progress.state, self.progress.accounts
        uncertainty = self.house.clock_uncertainty_ms * 1000
        observed = fold(window, state, buffer, self.table, self._game, self._day_of, uncertainty)
        submitted = state.options is not None or self._books.submitted(observed.day)
        doubt_words(observed, self._game, buffer.terminal, submitted=submitted)
        self._post()
        shoe = accounts.of(state.shoe) if state.shoe is not None else None
        if shoe is not None:
            shoe.burn(observed, state.shoe.face_down if state.shoe is not None else 0)
        book: Rulebook | None = None
        try:
            book = self._book_or_doubt(observed)
        except NotInForce as error:
            conclusion = not_in_force(observed, self.setup.chapter, str(error))
            accounts.inventory.explain(observed.number, None)
        else:
            case = check_context(observed, book)
            if shoe is not None and state.shoe is not None:
                shoe.decks = book.shoe_decks
                case.surplus = shoe.count(observed, pack_of(book, state.shoe.decks))
                if (pack := pack_of(book)) is not None:
                    one_in = self.house.shoes.one_in
                    shoe.look_for_absence(pack, one_in)
                    if state.ended is not None:
                        accounts.end_order(state.ended, pack, one_in)
                    accounts.take_order(state.shoe, observed, pack, one_in)
                shoe.remember(case)
            conclusion = conclude_round(case, self.house.severity)
            if accounts.inventory.suspects(observed.number):
                accounts.inventory.explain(observed.number, settlement_error_cents(case))
        if (conclusion, observed.seated) != (window.concluded, window.seated):
            window.revision += 1
            window.concluded, window.seated = conclusion, observed.seated
            concluded.append(Concluded(conclusion, window.revision, observed, book))
        self._judge_shoes(concluded)
        self._judge_procedures(concluded)

    def _judge_shoes(self, concluded: list[Concluded]) -> None:
        """Conclude the shoe that ended, and the one in play if there is anything to raise about it."""
        progress = self.progress
        state, accounts = progress.state, progress.accounts
        self._note_late(state.shoe or state.ended)
        if state.ended is not None:
            progress.last = state.ended, accounts.of(state.ended)
            self._end_order(state.ended)
            is_even = self._judge_shoe(*progress.last, concluded)
            accounts.end_shoe(state.ended, state.shoe, is_even=is_even)
            state.ended = None
        shoe = state.shoe
        if (
            shoe is not None
            and shoe.is_named
            and (
                accounts.of(shoe).raises(shoe)
                or shoe.title() in progress.shoes
                or shoe.title() in progress.late
            )
        ):
            self._judge_shoe(shoe, accounts.of(shoe), concluded)

    def _end_order(self, ended: Shoe) -> None:
        """Note in which order all cards of an ended shoe came, where it had rounds and its text is known."""
        with suppress(NotInForce, BadInput):
            book = self._books.book(ended.day or date.min, self.progress.state.options)
            if (pack := pack_of(book)) is not None:
                self.progress.accounts.end_order(ended, pack, self.house.shoes.one_in)

    def _judge_late(self, concluded: list[Concluded]) -> None:
        """Judge the shoe in play, or the last one, with what came too late to it."""
        shoe = self.progress.state.shoe
        judged = (shoe, self.progress.accounts.of(shoe)) if shoe is not None else self.progress.last
        if judged is not None:
            self._note_late(judged[0])
            self._judge_shoe(*judged, concluded)

    def _note_late(self, shoe: Shoe | None) -> None:
        """Book the events that came too late to the shoe that was in play when they came."""
        too_late = self.progress.buffer.too_late
        if shoe is not None and too_late:
            messages = self.progress.late.setdefault(shoe.title(), [])
            left = _LATE_LISTED_AT_MOST - len(messages)
            messages += too_late[: max(0, left)]
            if 0 <= left < len(too_late):
                messages.append(fact("audit.more_late_events"))
            too_late.clear()

    def _judge_shoe(self, shoe: Shoe, account: ShoeAccount, concluded: list[Concluded]) -> bool:
        """Conclude a shoe if there is anything new; return True if it surely ended with every card there."""
        if shoe.day is None:
            return False
        try:
            book = self._books.book(shoe.day, self.progress.state.options)
        except (NotInForce, BadInput):
            return False  # each of its rounds has that doubt
        late = self.progress.late.get(shoe.title(), [])
        one_in, thresholds = self.house.shoes.one_in, self.house.severity
        case = ShoeCase(self.table, shoe.day, shoe, account, book, late, one_in, thresholds)
        conclusion = judge_shoe(case)
        shoes = self.progress.shoes
        name = shoe.title()
        revision, last = shoes.get(name, (0, None))
        if conclusion != last:
            shoes[name] = (revision + 1, conclusion)
            concluded.append(Concluded(conclusion, revision + 1, at=self._now()))
            while len(shoes) > _SHOES_HELD:
                self.progress.late.pop(next(iter(shoes)), None)
                del shoes[next(iter(shoes))]
        return case.balance is not None and case.balance.is_even

    def _judge_inventories(self, concluded: list[Concluded], *, finishing: bool = False) -> None:
        """Conclude the inventories of days that are over, and today's if there is something new to raise."""
        accounts = self.progress.accounts
        over, accounts.over = accounts.over, []
        if not self.house.ledgers:
            return
        for each in over:
            self._judge_inventory(each, concluded, over=True)
        inventory = accounts.inventory
        if finishing and inventory.is_open and inventory.closer is None:
            self._judge_inventory(inventory, concluded, over=False, cut=True)
        elif finishing or not inventory.is_open:
            self._judge_inventory(inventory, concluded, over=True)
        elif (marks := inventory.marks()) != self.progress.marks:
            self.progress.marks = marks
            self._judge_inventory(inventory, concluded, over=False)

    def _judge_inventory(
        self, inventory: TableInventory, concluded: list[Concluded], *, over: bool, cut: bool = False
    ) -> None:
        if inventory.day is None:
            return
        case = InventoryCase(self.table, inventory.day, inventory, self.house.severity, over, cut)
        conclusion = judge_inventory(case)
        self._revise(self.progress.inventories, conclusion, concluded, over=over)

    def _revise(
        self,
        accounts: dict[str, tuple[int, Conclusion]],
        conclusion: Conclusion,
        concluded: list[Concluded],
        *,
        over: bool,
    ) -> None:
        """Conclude an account of a day if it has changed; while the day lasts, if its findings have."""
        day = str(conclusion.gaming_date)
        revision, last = accounts.get(day, (0, None))
        findings = last.findings if last is not None else ()
        if conclusion == last or (not over and conclusion.findings == findings):
            return
        accounts[day] = (revision + 1, conclusion)
        concluded.append(Concluded(conclusion, revision + 1, at=self._now()))
        while len(accounts) > _DAYS_HELD:
            del accounts[next(iter(accounts))]

    def _judge_procedures(self, concluded: list[Concluded], *, finishing: bool = False) -> None:
        """Judge what was folded of the procedures; conclude days that are over, and what is raised."""
        state, account = self.progress.state, self.progress.accounts.procedures
        if account is None or state.procedures is None:
            return
        entries, state.procedures = state.procedures, []
        for each in account.add_entries(entries):
            if isinstance(each, DayBegan):
                self._conclude_procedures(account, concluded, over=True)
                account.next_day(each.day)
            elif account.day is not None:
                account.raised += self._raised_of(each, account.day)
        self._conclude_procedures(account, concluded, over=finishing)

    def _raised_of(self, window: Window, day: date) -> list[Raised]:
        """Run every procedure check of a window; none if no text of the chapter is in force."""
        try:
            book = self._books.book(day, self.progress.state.options)
        except (NotInForce, BadInput):
            return []  # each of its rounds has that doubt
        case = ProcedureCase(
            table=self.table,
            day=day,
            law=chapter(self.setup.chapter),
            sources=self._sources,
            book=book,
            uncertainty=self.house.clock_uncertainty_ms * 1000,
            settings=self.house.procedures,
            window=window,
            game=floor_game(self.setup, day),
        )
        return [found for check in CHECKS for found in check(case)]

    def _conclude_procedures(
        self, account: ProceduresAccount, concluded: list[Concluded], *, over: bool
    ) -> None:
        if account.day is None:
            return
        conclusion = conclude_procedures(self.table, self.setup.chapter, account)
        self._revise(self.progress.procedures, conclusion, concluded, over=over)

    def _book_or_doubt(self, observed: Round) -> Rulebook:
        """Return a round's rulebook.

        Where a change of rules cannot be read, doubt all of the round instead.
        """
        state = self.progress.state
        if state.options is None:
            return self._books.book(observed.day, None)
        try:
            return self._books.book(observed.day, state.options)
        except BadInput as error:
            unusable = fact("audit.rules_unusable", rules=state.rules, error=str(error))
            terminal = self.progress.buffer.terminal
            observed.doubts.append(Doubt("data_missing", "all", unusable, (terminal,)))
            return self._books.composed(observed.day, {})

    def _now(self) -> Micros | None:
        """Return the last reading of the terminal's clock; None before its first event."""
        return self.progress.buffer.clock or None

    def _day_of(self, at: int) -> date:
        day, begins, ends = self._day
        if not begins <= at < ends:
            self._day = day, begins, ends = self.house.gaming_day(at)
        return day
