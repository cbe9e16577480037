"""The second fold: what follows from a table's rounds and their verdicts, apart from the events' own state.

Only the judge writes here, so the table's state can be rebuilt without the law.
"""

from msgspec import Struct, field

from projections.engine.accounts.inventory_entries import Entry, GamingDayBegan
from projections.engine.accounts.shoe_account import ShoeAccount, ShoesBefore
from projections.engine.accounts.shoe_order import ShoeOrder, orders_to_compare, references
from projections.engine.accounts.table_inventory import TableInventory
from projections.engine.observation import Round
from projections.engine.pack import Pack
from projections.engine.procedures.account import ProceduresAccount
from projections.engine.shoe import Shoe


class TableAccounts(Struct):
    """The accounts of a table: of its shoes by their number, its table inventory, and its procedures.

    `inventory` is that of the gaming day, `over` those of days that are over and not concluded yet.
    `before` is what the shoes that have ended leave to be known of the one in play, `orders` the orders in
    which the last of them had their cards; `procedures` is there where a source of them is connected.
    """

    inventory: TableInventory = field(default_factory=TableInventory)
    over: list[TableInventory] = field(default_factory=list)
    shoes: dict[int, ShoeAccount] = field(default_factory=dict)
    before: ShoesBefore = ShoesBefore()
    orders: tuple[str, ...] = ()
    procedures: ProceduresAccount | None = None

    def post(self, entries: list[Entry], *shoes: Shoe | None) -> None:
        """Update the accounts with all `entries`, and with what of the `shoes` was not reported."""
        for entry in entries:
            if isinstance(entry, GamingDayBegan) and self.inventory.day is not None:
                self.over.append(self.inventory)
                self.inventory = self.inventory.next_day(entry.day)
            else:
                self.inventory.apply(entry)
        entries.clear()
        for shoe in shoes:
            if shoe is not None:
                self.of(shoe).note(shoe.unknown)

    def of(self, shoe: Shoe) -> ShoeAccount:
        """Return the account of a shoe."""
        account = self.shoes.get(shoe.number)
        if account is None:
            # A table that closed had no shoe to pass on to what was known: this one is the next.
            self.before = self.before.followed_by(shoe)
            account = self.shoes[shoe.number] = ShoeAccount(before=self.before)
        return account

    def take_order(self, shoe: Shoe, observed: Round, pack: Pack, one_in: int) -> None:
        """Note in which order a round's cards came, and what of it is an order that they had before."""
        account = self.of(shoe)
        if not account.order.references:
            account.order = ShoeOrder(references=references(pack, self.orders))
        account.order = account.order.then(observed, pack, one_in)

    def end_order(self, ended: Shoe, pack: Pack, one_in: int) -> None:
        """Note the whole order of a shoe that has ended, and keep it for those that follow; once."""
        account = self.of(ended)
        if not account.order.is_over:
            account.order = account.order.end(ended.rest or (), pack, one_in)
            self.orders = orders_to_compare(account.order.arrangements, self.orders)

    def end_shoe(self, ended: Shoe, following: Shoe | None, *, is_even: bool) -> None:
        """Drop a shoe that has ended, and pass on to the shoe that follows what must be known of it."""
        del self.shoes[ended.number]
        if is_even:
            self.before = ShoesBefore(ended.title(), even_day=ended.day)
        if following is not None:
            self.of(following).before = self.before = self.before.followed_by(following)

    def copied(self) -> "TableAccounts":
        """Copy them for a fold that may have to be done again."""
        shoes = {number: account.copied() for number, account in self.shoes.items()}
        procedures = self.procedures.copied() if self.procedures is not None else None
        return TableAccounts(
            self.inventory.copied(), list(self.over), shoes, self.before, self.orders, procedures
        )
