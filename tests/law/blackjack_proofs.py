"""What is spoken, read and handled at blackjack tables, and the boxes of one player at any."""

from msgspec.structs import replace

from schemas import events as e
from schemas.house import ProcedureSettings
from schemas.values import Person
from tests.law.procedure_table import DEALER, FLOORPERSON
from tests.law.round_steps import (
    NO_MORE_BETS,
    Act,
    RoundTable,
    at_once,
    at_terminal,
    card,
    chips,
    lost,
    step,
    taken_back,
)

READ = step("hole_card_read")
NOTICE: Act = ("pit", e.NoticeGiven, {"notice": "misuse", "to": "floorperson", "by": DEALER})
FURTHER = card("seat2", "5h")


def opening(up: str) -> tuple[Act, ...]:
    """Return the first four cards, with this card of the dealer's face up."""
    return (card("seat2", "9c"), card("dealer", up), card("seat2", "8s"), card("dealer", "4h"))


def read(*acts: Act, void: bool = False, shows: bool | None = None, before: str = "") -> RoundTable:
    """Return a table of Spanish 21 that read a hole card in a first round, and did these acts in a second."""
    settings = ProcedureSettings(reader_shows_hole_card=shows)
    table = RoundTable("551", procedures=settings, without=tuple(before.split())).begin()
    table.deal(NO_MORE_BETS, *opening("Ad"), READ)
    table.deal(NO_MORE_BETS, *acts, void=void).close()
    return table


def prove_hole_card_read(cite: str) -> None:
    """Prove that with an ace, king, queen or jack up the hole card is read before a further card."""
    check = "hole_card_reading_wrong"
    wrong = [(check, "mismatch", (cite,))]
    for up in ("Ad", "Kd", "Qd", "Jd"):
        assert read(*opening(up), READ, FURTHER).raised(check) == []
        assert read(*opening(up), FURTHER).raised(check) == wrong
        assert read(*opening(up), FURTHER, READ).raised(check) == wrong
        assert read(*opening(up)).raised(check) == []  # no further card was drawn
        # Clocks can be 250 ms apart: so long after the card it may have been read before it.
        for after, expected in ((0.25, []), (0.26, wrong)):
            assert read(*opening(up), FURTHER, step("hole_card_read", after=after)).raised(check) == expected
    assert read(*opening("9d"), FURTHER).raised(check) == []
    assert read(*opening("?d"), FURTHER).raised(check) == []
    assert read(*opening("Ad"), lost(READ), FURTHER).raised(check) == [(check, "undetermined", (cite,))]
    assert read(*opening("Ad"), FURTHER, before="pit").raised(check) == []


def prove_misread(notified: str, visible: str, hidden: str) -> None:
    """Prove what is done when the hole card was read with a 2 to 9 up."""
    check = "hole_card_reading_wrong"
    for up in "23456789":
        assert read(*opening(f"{up}d"), READ, FURTHER).raised(check) == [(check, "mismatch", (notified,))]
    for up in "AKQJ":
        assert read(*opening(f"{up}d"), READ, FURTHER).raised(check) == []
    nine = opening("9d")
    # A notice to a floorperson or above counts, one to another or before the reading does not.
    for to, cites in (
        ("pit_manager", []),
        ("shift_manager", []),
        ("pit_clerk", [notified]),
        ("dealer", [notified]),
    ):
        found = read(*nine, READ, (*NOTICE[:2], NOTICE[2] | {"to": to}), FURTHER).raised(check)
        assert found == [(check, "mismatch", (cite,)) for cite in cites], to
    for notice in ("defect", "failure", "inspection", "removal_request"):
        other = (*NOTICE[:2], NOTICE[2] | {"notice": notice})
        assert read(*nine, READ, other, FURTHER).raised(check) == [(check, "mismatch", (notified,))], notice
    assert read(*nine, NOTICE, READ, FURTHER).raised(check) == [(check, "mismatch", (notified,))]
    # A later report of the pit does not make the notice late.
    spoken_wager = step("verbal_wager_confirmed", seat=5, by=DEALER, manner="wager")
    assert read(*nine, READ, NOTICE, FURTHER, spoken_wager).raised(check) == []
    assert read(*nine, READ, NOTICE, FURTHER).raised(check) == []
    assert read(*nine, READ, FURTHER).raised(check) == [(check, "mismatch", (notified,))]
    assert read(*nine, READ, FURTHER, NOTICE).raised(check) == [(check, "mismatch", (notified,))]
    assert read(*nine, READ, lost(NOTICE), FURTHER).raised(check) == [(check, "undetermined", (notified,))]
    for shows, void, cites in (
        (True, True, []),
        (True, False, [visible]),
        (False, False, []),
        (False, True, [hidden]),
        (None, True, []),
        (None, False, []),
    ):
        found = read(*nine, READ, NOTICE, FURTHER, void=void, shows=shows).raised(check)
        assert found == [(check, "mismatch", (cite,)) for cite in cites], (shows, void)


def spoken(*acts: Act, number: str = "551") -> RoundTable:
    """Return a table, of Spanish 21 unless said, at which these acts were done in a round."""
    table = RoundTable(number).begin()
    table.deal(*acts, NO_MORE_BETS, *opening("9d")).close()
    return table


def prove_verbal_wager(confirmed: str, converted: str, wager: str) -> None:
    """Prove that dealer and floorperson confirm a spoken wager, and that its cash becomes chips."""
    check = "verbal_wager_wrong"
    by = {
        person.role: step("verbal_wager_confirmed", seat=5, by=person, manner=wager)
        for person in (DEALER, FLOORPERSON, Person("pat", "pit_manager"), Person("cleo", "pit_clerk"))
    }
    bought = at_terminal(e.ChipsBought, seat=5, cents=2500)
    unconfirmed, unconverted = [(check, "mismatch", (confirmed,))], [(check, "mismatch", (converted,))]
    assert spoken(by["dealer"], by["floorperson"], bought).raised(check) == []
    assert spoken(by["dealer"], by["pit_manager"], bought).raised(check) == []
    assert spoken(by["dealer"], bought).raised(check) == unconfirmed
    assert spoken(by["floorperson"], bought).raised(check) == unconfirmed
    assert spoken(by["dealer"], by["pit_clerk"], bought).raised(check) == unconfirmed
    assert spoken(by["dealer"], by["floorperson"]).raised(check) == unconverted
    assert spoken(by["dealer"], at_once(bought), by["floorperson"]).raised(check) == []
    assert spoken(bought, by["dealer"], by["floorperson"]).raised(check) == unconverted  # of another wager
    elsewhere = at_terminal(e.ChipsBought, seat=2, cents=2500)
    assert spoken(by["dealer"], by["floorperson"], elsewhere).raised(check) == unconverted
    unseen = spoken(by["dealer"], lost(by["floorperson"]), bought)
    assert unseen.raised(check) == [(check, "undetermined", (confirmed,))]
    # The pit's clock is set back 20 seconds before the round closes: its earlier times seem to be later.
    right = spoken(by["dealer"], by["floorperson"], bought)
    (pit,) = (name for name, source in right.sources.items() if source == "pit")
    right.events = [
        replace(each, heard=each.heard | {pit: replace(each.heard[pit], offset=-20_000_000)})
        if isinstance(each, e.RoundClosed)
        else each
        for each in right.events
    ]
    assert right.raised(check) == [(check, "undetermined", (converted,))]
    assert spoken().raised(check) == []


def prove_verbal_wager_by_dealer(number: str, cite: str) -> None:
    """Prove that the dealer confirms a spoken wager, and that its cash becomes chips."""
    check = "verbal_wager_wrong"
    wrong = [(check, "mismatch", (cite,))]
    by = {person.role: step("verbal_wager_confirmed", seat=5, by=person) for person in (DEALER, FLOORPERSON)}
    bought = at_terminal(e.ChipsBought, seat=5, cents=2500)
    assert spoken(by["dealer"], bought, number=number).raised(check) == []
    assert spoken(by["floorperson"], bought, number=number).raised(check) == wrong
    assert spoken(by["dealer"], number=number).raised(check) == wrong
    unseen = spoken(by["floorperson"], lost(by["dealer"]), bought, number=number)
    assert unseen.raised(check) == [(check, "undetermined", (cite,))]
    assert spoken(number=number).raised(check) == []


def prove_no_verbal_wager(number: str, cite: str) -> None:
    """Prove that a spoken wager is found where the text admits none."""
    check = "verbal_wager_wrong"
    told = step("verbal_wager_confirmed", seat=5, by=DEALER)
    assert spoken(told, number=number).raised(check) == [(check, "mismatch", (cite,))]
    assert spoken(number=number).raised(check) == []


def prove_stakes_stay(cite: str) -> None:
    """Prove that insurance, a double and a split's stake stay once a card has followed them."""
    check = "wager_handled"
    wrong = [(check, "mismatch", (cite,))]
    for wager, hand in (("insurance", None), ("double_down", None), ("wager", "seat2.2")):
        made, back = chips(2, wager, 500, hand=hand), taken_back(2, wager, 500, hand=hand)
        for acts, expected in (
            ((made, FURTHER), []),
            ((made, FURTHER, back), wrong),
            ((made, back, FURTHER), []),  # the dealer had not confirmed it
        ):
            table = RoundTable("551").begin()
            table.deal(chips(2, "wager", 1000), NO_MORE_BETS, *opening("Ad"), *acts).close()
            assert table.raised(check) == expected, (wager, acts)
    rescue = at_terminal(e.HandDecided, hand="seat2", decision="rescue")
    table = RoundTable("551").begin()
    table.deal(NO_MORE_BETS, *opening("9d"), chips(2, "double_down", 500), FURTHER, rescue,
               taken_back(2, "double_down", 500)).close()  # fmt: skip
    assert table.raised(check) == []


def prove_boxes(number: str, cite: str, most: int, wager: str, *, is_printed: bool = False) -> None:
    """Prove that one player wagers on no more boxes than are admitted, and on adjacent ones."""
    check = "too_many_boxes"
    wrong = [(check, "mismatch", (cite,))]

    def seated(seats: tuple[int, ...], *, stated: bool = True, **others: str) -> RoundTable:
        boxes = ProcedureSettings(adjacent_boxes={number: most} if stated else {})
        table = RoundTable(number, procedures=boxes).begin(
            **{f"seat{seat}": "anna" for seat in seats}, **others
        )
        table.deal(*(chips(seat, wager, 1000) for seat in (1, 2, 3, 4, 5)), NO_MORE_BETS).close()
        return table

    assert seated(tuple(range(1, most + 1))).raised(check) == []
    assert seated(tuple(range(1, most + 2))).raised(check) == wrong
    assert seated((1, 3)).raised(check) == wrong
    assert seated((1,), seat2="bert", seat3="cora", seat4="dora").raised(check) == []
    assert seated(tuple(range(1, most + 2)), stated=False).raised(check) == (wrong if is_printed else [])
