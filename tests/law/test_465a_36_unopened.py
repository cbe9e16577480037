"""465a.36(c): the inventory of a table that does not open is counted all the same."""

from tests.script import Script, counting_house
from tests.told import told


def test_465a_36_c_a_table_that_does_not_open_is_counted_and_has_no_box_for_its_slip() -> None:
    s = Script()
    s.list_inventory("TI-1", "shift")
    account = told(s.events, counting_house()).account()
    assert (account.verdict, account.findings) == ("clean", ())
    (listing,) = [line for line in account.lines if line.name == "listing_shift"]
    assert (listing.of, listing.cents) == ("TI-1", 100_000_00)
