"""Pai Gow as the pit reports it: the set of tiles, their mixing, the shaker, the deliveries and the bank."""

from collections.abc import Sequence
from typing import Any, Final

from schemas import events as e
from schemas.house import ProcedureSettings
from schemas.values import Person
from tests.builders.texts import text_of
from tests.law.procedure_table import DEALER, FLOORPERSON
from tests.law.round_steps import Act, RoundTable, at_terminal, chips, lost, step, taken_back

READERS: Final[dict[str, e.Source]] = {"C": "chips", "L": "tiles", "D": "dice"}
CLERK: Final = Person("cleo", "pit_clerk")
POSITIONS: Final = ("dealer", "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "dead")
LOOKED_AT: Final = {"sixteen_pairs": True, "tiles_alike": True, "backs_and_sides": True}

# Worked by hand from 535.8(d) and 535.9(a): the stacks of each position's four tiles, in order of the deal.
FROM_RIGHT: Final = ("1111", "2222", "3333", "4444", "5555", "6666", "7777", "8888")
DELIVERIES: Final[dict[str, tuple[int, tuple[str, ...]]]] = {
    "house_way_left": (1, ("8888", "7777", "6666", "5555", "4444", "3333", "2222", "1111")),
    "cup_say_right": (2, ("1122", "1122", "3344", "3344", "5566", "5566", "7788", "7788")),
    "cup_say_left": (3, ("8877", "8877", "6655", "6655", "4433", "4433", "2211", "2211")),
    "jung_quat": (4, ("4455", "4455", "3366", "3366", "2277", "2277", "1188", "1188")),
    "chee_yee": (5, ("1188", "1188", "2277", "2277", "3366", "3366", "4455", "4455")),
    "pin_say_right": (6, ("1234", "5678", "1234", "5678", "1234", "5678", "1234", "5678")),
    "pin_say_left": (7, ("8765", "4321", "8765", "4321", "8765", "4321", "8765", "4321")),
    "dragon_head_right": (8, ("1122", "5678", "1122", "5678", "3344", "5678", "3344", "5678")),
    "dragon_head_left": (9, ("8877", "1234", "8877", "1234", "6655", "1234", "6655", "1234")),
}


def moved(item: str, place: str, **fields: Any) -> Act:
    """Return tiles that come somewhere."""
    return "cards", e.ItemMoved, {"kind": "tiles", "item": item, "place": place, **fields}


def inspected(item: str = "A", **fields: Any) -> Act:
    """Return an inspection by a dealer, verified by a floorperson."""
    right = {"passed": True, "by": DEALER, "verified_by": FLOORPERSON, "checklist": LOOKED_AT}
    return "pit", e.ItemInspected, {"kind": "tiles", "item": item, **right, **fields}


RECEIPT: Final = moved("A", "table", sealed=True, persons=(FLOORPERSON,))
SPREAD: Final = step("spread", face="up", manner="pairs", count=16)
TURNED: Final = step("turned", face="down")
MIXED: Final = step("shuffled", by=DEALER, count=8)
STACKED: Final = step("stacked", by=DEALER, count=8)
SHOWN: Final = step("tile_exposed")
SAT: Final = at_terminal(e.PlayerSeated, seat=1)
OPENING: Final = (RECEIPT, inspected(), SPREAD, SAT, TURNED, MIXED, STACKED)
SHAKEN: Final = step("shaker_shaken", by=DEALER, count=3)
PUT_AWAY: Final = step("shaker_shaken", by=DEALER, count=1)
CLOSED: Final = at_terminal(e.WagersClosed)


def dealt(stacks: Sequence[str] = ()) -> tuple[Act, ...]:
    """Return the deal of the eight stacks, and where their tiles came from if it was read."""
    return tuple(
        ("tiles", e.TilesDealt, {"position": position} | ({"stacks": tuple(map(int, of))} if of else {}))
        for position, of in zip(POSITIONS, stacks or ("",) * 8, strict=True)
    )


class TileTable(RoundTable):
    """A Pai Gow table; what is done between rounds is done with `act`."""

    def __init__(self, *, before: str = "", **table: Any) -> None:
        super().__init__("535", readers=READERS, without=tuple(before.split()), **table)

    def act(self, *acts: Act) -> "TileTable":
        """Do these acts in turn, in no round."""
        super().act(*acts)
        return self

    def play(self, *acts: Act) -> "TileTable":
        """Play a round with these acts; without any, rightly."""
        self.deal(*(acts or (CLOSED, SHAKEN, *dealt(), PUT_AWAY)))
        return self


def opened(*acts: Act, before: str = "") -> TileTable:
    """Return a table that opened with these acts and played a round."""
    table = TileTable(before=before)
    table.open()
    table.act(*acts).play().close()
    return table


def without(*left_out: Act) -> tuple[Act, ...]:
    """Return the opening without some of its acts."""
    return tuple(act for act in OPENING if act not in left_out)


def instead(old: Act, *new: Act) -> tuple[Act, ...]:
    """Return the opening with others in the place of an act."""
    place = OPENING.index(old)
    return (*OPENING[:place], *new, *OPENING[place + 1 :])


def prove_tiles_inspected(cite: str) -> None:
    """Prove that a dealer inspects the set and another person of a floorperson's rank verifies it."""
    check = "tiles_not_inspected"
    wrong = [(check, "mismatch", (cite,))]
    own = inspected()
    assert opened(*OPENING).findings() == []
    assert opened(*without(own)).raised(check) == wrong
    assert opened(*instead(own, inspected(by=FLOORPERSON))).raised(check) == wrong
    for verifier in (None, CLERK, Person(DEALER.name, "floorperson")):
        assert opened(*instead(own, inspected(verified_by=verifier))).raised(check) == wrong
    assert opened(*instead(own, lost(own))).raised(check) == [(check, "undetermined", (cite,))]
    assert opened(*without(own), before="pit").findings() == []
    # A set that comes while a round is played, the first or another, is the next round's.
    spare = moved("B", "table", sealed=True, persons=(FLOORPERSON,))
    open_away = (check, "undetermined", (cite,))
    for before, meanwhile, expected in (
        ((), (), []),
        ((), (spare,), wrong),
        ((), (spare, inspected("B")), []),
        ((), (spare, lost(inspected("B"))), [open_away]),
        ((), (spare, lost(inspected("B")), step("cards_cleared", count=32)), [open_away]),
        ((inspected("B"),), (spare,), []),
        ((lost(inspected("B")),), (spare,), [open_away]),
        ((inspected("A"),), (spare,), wrong),
    ):
        for rounds in (1, 2):
            table = TileTable()
            table.open()
            table.act(*OPENING)
            for _ in range(rounds - 1):
                table.play().act(MIXED, STACKED)
            table.play(CLOSED, SHAKEN, *dealt(), PUT_AWAY, *meanwhile)
            table.act(*before, SPREAD, TURNED, MIXED, STACKED).play().close()
            assert table.raised(check) == expected, (before, meanwhile, rounds)
    table = TileTable()
    table.open()
    table.act(*OPENING).play(CLOSED, SHAKEN, *dealt(), PUT_AWAY, spare).close()
    assert table.raised() == []
    # Clocks can be 250 ms apart: so much after the opening it may have been inspected before it.
    for after, expected in ((0.25, []), (0.26, wrong)):
        table = TileTable()
        table.open()
        table.act(*without(own)).play(inspected(after=after), CLOSED, SHAKEN, *dealt(), PUT_AWAY).close()
        assert table.raised(check) == expected, after


def prove_tile_point(point: str, cite: str, *, is_asked: bool = False) -> None:
    """Prove that tiles of which a point was not in order are found where they are played."""
    check = "unsuitable_tiles_played"
    for answer, expected in ((True, []), (False, [(check, "mismatch", (cite,))])):
        acts = instead(inspected(), inspected(checklist=LOOKED_AT | {point: answer}, passed=answer))
        assert opened(*acts).raised(check) == expected
    rest = {name: True for name in LOOKED_AT if name != point}
    unasked = opened(*instead(inspected(), inspected(checklist=rest)))
    silent = [("tiles_not_inspected", "undetermined", (cite,))] if is_asked else []
    assert unasked.raised() == silent
    assert opened(*instead(inspected(), inspected(checklist={}))).raised() == []


def prove_tiles_sealed(cite: str) -> None:
    """Prove that a set whose seal was broken as it came is not played."""
    check = "unsuitable_tiles_played"
    for sealed, expected in ((True, []), (False, [(check, "mismatch", (cite,))]), (None, [])):
        acts = instead(RECEIPT, moved("A", "table", sealed=sealed, persons=(FLOORPERSON,)))
        assert opened(*acts).raised(check) == expected
        assert opened(*acts, before="cards").raised(check) == []


def prove_tiles_replaced(brought: str, put_away: str) -> None:
    """Prove what happens to an unsuitable set: another comes, and the first is sealed and signed."""
    check = "tiles_not_replaced"
    failed = inspected(passed=False)
    away = moved("A", "pit_stand", sealed=True, persons=(DEALER, FLOORPERSON))
    other = moved("B", "table", sealed=True, persons=(FLOORPERSON,))

    rest = (inspected("B"), SPREAD, SAT, TURNED, MIXED, STACKED)

    def done(*acts: Act) -> list[tuple[str, str, tuple[str, ...]]]:
        return opened(RECEIPT, failed, *acts, *rest).raised()

    assert done(other, away) == []
    assert done(away, other) == []
    for persons, weight in (((CLERK,), "mismatch"), ((), "undetermined")):
        found = done(moved("B", "table", sealed=True, persons=persons), away)
        assert found == [(check, weight, (brought,))]
    unsigned = moved("A", "pit_stand", sealed=True, persons=(FLOORPERSON,))
    unsealed = moved("A", "pit_stand", sealed=False, persons=(DEALER, FLOORPERSON))
    for wrong in ((other,), (other, unsigned), (other, unsealed)):
        assert done(*wrong) == [(check, "mismatch", (put_away,))]
    assert done(other, lost(away)) == [(check, "undetermined", (put_away,))]
    played = opened(RECEIPT, failed, SPREAD, SAT, TURNED, MIXED, STACKED)
    assert played.raised() == [("unsuitable_tiles_played", "mismatch", (brought,))]
    # What is done while a round is played is of the next one, with which the other set is played.
    by_clerk = moved("B", "table", sealed=True, persons=(CLERK,))
    not_away, wrongly_brought = (check, "mismatch", (put_away,)), (check, "mismatch", (brought,))
    for meanwhile, before, expected in (
        ((failed,), (other, away), []),
        ((failed, other), (away,), []),
        ((failed, other, away), (), []),
        ((failed, away), (other,), []),
        ((failed,), (other,), [not_away]),
        ((failed, other), (), [not_away]),
        ((failed, by_clerk), (away,), [wrongly_brought]),
        ((failed,), (by_clerk, away), [wrongly_brought]),
    ):
        table = TileTable()
        table.open()
        table.act(*OPENING).play(CLOSED, SHAKEN, *dealt(), PUT_AWAY, *meanwhile)
        table.act(*before, inspected("B"), SPREAD, TURNED, MIXED, STACKED).play()
        table.act(MIXED, STACKED).play().close()
        assert table.raised() == expected, (meanwhile, before)


def prove_tiles_spread(cite: str) -> None:
    """Prove that the tiles lie face up in sixteen pairs before they are mixed."""
    check = "tiles_not_spread"
    wrong = [(check, "mismatch", (cite,))]
    assert opened(*without(SPREAD)).raised(check) == wrong
    for pairs, expected in ((16, []), (15, wrong), (17, wrong)):
        acts = instead(SPREAD, step("spread", face="up", count=pairs))
        assert opened(*acts).raised(check) == expected
    assert opened(*instead(SPREAD, step("spread", face="down", count=16))).raised(check) == wrong
    late = (*without(SPREAD), SPREAD)
    assert opened(*late).raised(check) == wrong
    assert opened(*instead(SPREAD, lost(SPREAD))).raised(check) == [(check, "undetermined", (cite,))]
    assert opened(*without(SPREAD), before="pit").findings() == []


def prove_tiles_turned(cite: str) -> None:
    """Prove that the tiles are turned down and mixed, once a player has come to the table."""
    check = "tiles_not_spread"
    wrong = [(check, "mismatch", (cite,))]
    assert opened(*without(TURNED)).raised(check) == wrong
    early = (RECEIPT, inspected(), SPREAD, TURNED, SAT, MIXED, STACKED)
    assert opened(*early).raised(check) == wrong
    assert opened(*without(SAT)).raised(check) == [(check, "undetermined", (cite,))]
    assert opened(*instead(TURNED, lost(TURNED))).raised(check) == [(check, "undetermined", (cite,))]
    mixing = opened(*without(MIXED, STACKED)).raised("tiles_not_mixed")
    assert mixing == [("tiles_not_mixed", "mismatch", (cite,))]


def again(*acts: Act, before: str = "") -> TileTable:
    """Return a table whose first round was right, and before whose second these acts were done."""
    table = TileTable(before=before)
    table.open()
    table.act(*OPENING).play().act(*acts).play().close()
    return table


def prove_tiles_mixed(cite: str) -> None:
    """Prove that each hand makes eight circles, and that eight stacks are formed."""
    check = "tiles_not_mixed"
    wrong = [(check, "mismatch", (cite,))]
    for circles, expected in ((8, []), (7, wrong), (9, []), (None, [])):
        assert again(step("shuffled", count=circles), STACKED).raised(check) == expected
    for stacks, expected in ((8, []), (7, wrong), (9, wrong), (None, [])):
        assert again(MIXED, step("stacked", count=stacks)).raised(check) == expected
    assert again(MIXED).raised(check) == wrong
    assert again(STACKED, MIXED).raised(check) == wrong
    assert again(MIXED, lost(STACKED)).raised(check) == [(check, "undetermined", (cite,))]


def prove_tiles_mixed_again(cite: str) -> None:
    """Prove that the tiles are mixed after each round, at a table that reports it."""
    check = "tiles_not_mixed"
    assert again(MIXED, STACKED).raised(check) == []
    assert again().raised(check) == [(check, "mismatch", (cite,))]
    assert again(lost(MIXED), STACKED).raised(check) == [(check, "undetermined", (cite,))]
    assert again(before="pit").findings() == []
    # Without the close of the round before, the mixing seems to be that round's.
    table = TileTable()
    table.open()
    table.act(*OPENING).deal(CLOSED, SHAKEN, *dealt(), PUT_AWAY, is_close_lost=True)
    table.act(MIXED, STACKED).play().close()
    assert table.raised(check) == [(check, "undetermined", (cite,))]


def prove_tiles_remixed(cite: str) -> None:
    """Prove that a tile shown in stacking asks for another mixing of all."""
    check = "tiles_not_mixed"
    wrong = [(check, "mismatch", (cite,))]
    assert again(MIXED, SHOWN, MIXED, STACKED).raised(check) == []
    assert again(MIXED, SHOWN, STACKED).raised(check) == wrong
    assert again(MIXED, STACKED, SHOWN).raised(check) == wrong
    assert again(MIXED, SHOWN, lost(MIXED), STACKED).raised(check) == [(check, "undetermined", (cite,))]
    # Clocks can be 250 ms apart: as near to "no more bets" it may have been shown in stacking or after it.
    for after, expected in (
        (-0.251, wrong),
        (-0.250, [(check, "undetermined", (cite,))]),
        (0.250, [(check, "undetermined", (cite,))]),
        (0.251, []),
    ):
        table = TileTable()
        table.open()
        shown = step("tile_exposed", after=after)
        table.act(*OPENING).play().act(MIXED, STACKED)
        table.play(CLOSED, shown, SHAKEN, *dealt(), PUT_AWAY).close()
        assert table.raised(check) == expected, after


def prove_idle_tiles(cite: str) -> None:
    """Prove that in a pause of more than an hour the tiles lie face up; no text has the figure."""
    check = "idle_cards_not_spread"
    for seconds, acts, expected in (
        (3500.0, (), []),
        (3700.0, (), [(check, "undetermined", (cite,))]),
        (3700.0, (SPREAD,), []),
    ):
        table = TileTable()
        table.open()
        table.act(*OPENING).play()
        table.now += seconds
        table.act(*acts, MIXED, STACKED).play().close()
        assert table.raised(check) == expected


def third_round(
    *acts: Act, bank: int | None = None, first: Act | None = None, is_lost: bool = False
) -> TileTable:
    """Return a table that played two rounds rightly, and these acts in a third; seat 3 may bank it.

    Of its wager in the second round the report `is_lost`.
    """
    table = TileTable()
    table.open()
    table.act(*OPENING)
    table.sit(3)
    table.deal(chips(1, "pai_gow", 500), chips(3, "pai_gow", 500), CLOSED, SHAKEN, *dealt(), PUT_AWAY)
    table.act(MIXED, STACKED)
    own = chips(3, "pai_gow", 500)
    table.deal(lost(own) if is_lost else own, CLOSED, SHAKEN, *dealt(), PUT_AWAY)
    table.act(MIXED, STACKED, *([first] if first is not None else []))
    taken = [at_terminal(e.BankTaken, seat=bank)] if bank is not None else []
    table.deal(*taken, *acts).close()
    return table


def shaken(count: int | None = 3, **fields: Any) -> Act:
    """Return the shaker shaken so often."""
    return step("shaker_shaken", count=count, **fields)


def prove_shaker(cite: str) -> None:
    """Prove that the dealer shakes three times between "no more bets" and the deal."""
    check = "shaker_wrong"
    wrong = [(check, "mismatch", (cite,))]
    for acts, expected in (
        ((CLOSED, shaken(3), *dealt(), PUT_AWAY), []),
        ((CLOSED, shaken(2), *dealt(), PUT_AWAY), wrong),
        ((CLOSED, shaken(4), *dealt(), PUT_AWAY), []),
        ((shaken(3), CLOSED, *dealt(), PUT_AWAY), wrong),
        ((CLOSED, *dealt(), PUT_AWAY), wrong),
        ((CLOSED, shaken(3, seat=3), *dealt(), PUT_AWAY), wrong),
        ((CLOSED, shaken(3, seat=3), shaken(3), *dealt(), PUT_AWAY), []),  # the last shaking is the deal's
        ((CLOSED, shaken(3), shaken(3, seat=3), *dealt(), PUT_AWAY), wrong),
    ):
        assert third_round(*acts).raised(check) == expected
    # Clocks can be 250 ms apart: so much before "no more bets" it may have been shaken after it.
    source, kind, _ = CLOSED
    for after, expected in ((0.25, []), (0.26, wrong)):
        acts = shaken(3), (source, kind, {"after": after}), *dealt(), PUT_AWAY
        assert third_round(*acts).raised(check) == expected, after
    void = at_terminal(e.RoundVoided)
    assert third_round(CLOSED, shaken(2), *dealt(), PUT_AWAY, void).raised(check) == wrong
    assert third_round(CLOSED, shaken(3), *dealt(), void).raised(check) == []  # before it was put away
    unseen = third_round(CLOSED, lost(shaken(3)), *dealt(), PUT_AWAY)
    assert unseen.raised(check) == [(check, "undetermined", (cite,))]
    # Who has the bank was not reported; it may be who shook.
    banked = third_round(
        lost(at_terminal(e.BankTaken, seat=3)), CLOSED, shaken(3, seat=3), *dealt(), PUT_AWAY
    )
    assert banked.raised(check) == [(check, "undetermined", (cite,))]


def prove_shaker_put_away(cite: str, *, bank: int | None = None) -> None:
    """Prove that after the deal the shaker is covered and shaken once."""
    check = "shaker_wrong"
    wrong = [(check, "mismatch", (cite,))]
    start = (CLOSED, shaken(3, seat=bank), *dealt())
    for after, expected in (((shaken(1),), []), ((shaken(2),), wrong), ((), wrong)):
        assert third_round(*start, *after, bank=bank).raised(check) == expected
    unseen = third_round(*start, lost(shaken(1)), bank=bank)
    assert unseen.raised(check) == [(check, "undetermined", (cite,))]


def prove_bank_shakes(cite: str) -> None:
    """Prove that the bank shakes, the dealer opens, and the bank chooses after "no more bets"."""
    wrong = [("shaker_wrong", "mismatch", (cite,))]
    own, lid = shaken(3, seat=3), step("shaker_opened", seat=3)
    for acts, expected in (
        ((CLOSED, own, *dealt(), PUT_AWAY), []),
        ((CLOSED, shaken(2, seat=3), *dealt(), PUT_AWAY), wrong),
        ((CLOSED, shaken(3, by=DEALER), *dealt(), PUT_AWAY), wrong),
        ((CLOSED, own, step("shaker_opened", by=DEALER), *dealt(), PUT_AWAY), []),
        ((CLOSED, own, lid, *dealt(), PUT_AWAY), wrong),
        ((CLOSED, own, lid, own, *dealt(), PUT_AWAY), []),
        ((CLOSED, own, *dealt(), lid, PUT_AWAY), []),  # the dice have been told, and the tiles dealt
    ):
        assert third_round(*acts, bank=3).raised("shaker_wrong") == expected
    choice = step("delivery_chosen", seat=3, manner="jung_quat")
    after, before = (CLOSED, choice, own, *dealt(), PUT_AWAY), (choice, CLOSED, own, *dealt(), PUT_AWAY)
    assert third_round(*after, bank=3).raised() == []
    assert third_round(*before, bank=3).raised() == [("delivery_wrong", "mismatch", (cite,))]


def delivered(stacks: Sequence[str], *, way: str | None = None, submitted: Any = None) -> TileTable:
    """Return a table at which a round was delivered from these stacks."""
    settings = ProcedureSettings(deliveries=submitted)
    table = TileTable(procedures=settings)
    table.open()
    chosen = [step("delivery_chosen", by=DEALER, manner=way)] if way else []
    table.act(*OPENING).play(CLOSED, SHAKEN, *chosen, *dealt(stacks), PUT_AWAY).close()
    return table


def prove_delivery(way: str | None, cite: str) -> None:
    """Prove from which stacks the tiles of each position come."""
    check = "delivery_wrong"
    stacks = DELIVERIES[way][1] if way is not None else FROM_RIGHT
    wrong = [(check, "mismatch", (cite,))]
    assert delivered(stacks, way=way).raised(check) == []
    exchanged = (stacks[0], *stacks[2:0:-1], *stacks[3:])
    other = (*stacks[:-1], "1233" if stacks[-1] != "1233" else "1111")
    assert delivered(other, way=way).raised(check) == wrong
    if exchanged != stacks:
        assert delivered(exchanged, way=way).raised(check) == wrong
    for name, (_, others) in {**DELIVERIES, "": (0, FROM_RIGHT)}.items():
        if name != (way or ""):
            assert delivered(others, way=way).raised(check) == wrong, name
    assert delivered((), way=way).raised(check) == []  # where they came from was not read


def prove_delivery_submitted(cite: str) -> None:
    """Prove that only a way of the Rules Submission is used, where the house file has them."""
    check = "delivery_wrong"
    stacks = DELIVERIES["chee_yee"][1]
    wrong = [(check, "mismatch", (cite,))]
    for submitted, expected in ((None, []), (("chee_yee",), []), (("jung_quat",), wrong), ((), wrong)):
        assert delivered(stacks, way="chee_yee", submitted=submitted).raised(check) == expected
    assert delivered(FROM_RIGHT, submitted=()).raised(check) == []


BANKED: Final = (CLOSED, shaken(3, seat=3), *dealt(), PUT_AWAY)


def prove_bank_not_first(cite: str) -> None:
    """Prove that no player banks the first round of a game: after the opening, and after tiles lay idle."""
    check = "bank_not_allowed"
    wrong = [(check, "mismatch", (cite,))]
    table = TileTable()
    table.open()
    table.act(*OPENING).deal(at_terminal(e.BankTaken, seat=1), *BANKED).close()
    assert table.raised(check) == wrong
    assert third_round(*BANKED, bank=3).raised(check) == []
    assert third_round(*BANKED, bank=3, first=SPREAD).raised(check) == wrong
    assert third_round(*BANKED, SPREAD, bank=3).raised(check) == []  # they lie idle once it is over


def prove_bank_not_twice(cite: str) -> None:
    """Prove that nobody banks two rounds running."""
    check = "bank_not_allowed"
    for second, expected in ((1, []), (3, [(check, "mismatch", (cite,))])):
        table = TileTable()
        table.open()
        table.act(*OPENING)
        table.deal(chips(1, "pai_gow", 500), chips(3, "pai_gow", 500), *BANKED)
        for seat in (3, second):
            table.act(MIXED, STACKED)
            table.deal(at_terminal(e.BankTaken, seat=seat), *BANKED)
        assert table.close().raised(check) == expected


def prove_bank_wagered(cite: str) -> None:
    """Prove that a bank has wagered against the dealer in the last round that no player banked."""
    check = "bank_not_allowed"
    wrong = [(check, "mismatch", (cite,))]
    assert third_round(*BANKED, bank=3).raised(check) == []
    assert third_round(*BANKED, bank=1).raised(check) == wrong  # in the round before it alone
    assert third_round(*BANKED, bank=5).raised(check) == wrong
    unseen = third_round(*BANKED, bank=3, is_lost=True)
    assert unseen.raised(check) == [(check, "undetermined", (cite,))]
    another = at_terminal(e.PlayerSeated, seat=3)
    assert third_round(*BANKED, bank=3, first=another).raised(check) == wrong


def prove_stacks_cut(cite: str, one_end: str, both_ends: str) -> None:
    """Prove that only the bank cuts, once, and in one of the two ways."""
    check = "stacks_cut_wrong"

    def cut(count: int, manner: str = "one_end", seat: int = 3) -> Act:
        return step("stacks_cut", seat=seat, count=count, total=8, manner=manner)

    for cuts, bank, cites in (
        ((cut(1),), 3, []),
        ((cut(7),), 3, []),
        ((cut(8),), 3, [one_end]),
        ((cut(0),), 3, [one_end]),
        ((cut(2, "both_ends"),), 3, []),
        ((cut(1, "both_ends"),), 3, [both_ends]),
        ((cut(8, "both_ends"),), 3, [both_ends]),
        ((cut(3, "middle"),), 3, [cite]),
        ((cut(1), cut(2)), 3, [cite]),
        ((cut(1, seat=1),), 3, [cite]),
        ((cut(1),), None, [cite]),
        ((), 3, []),
    ):
        found = third_round(*cuts, *BANKED, bank=bank).raised(check)
        assert found == [(check, "mismatch", (each,)) for each in cites], cuts


def prove_hands_set(cite: str) -> None:
    """Prove that the hand with the larger wager is set first, of equal ones the first counterclockwise."""
    check = "hands_set_wrong"
    wrong = [(check, "mismatch", (cite,))]
    for cents, order, expected in (
        ((500, 1000), (3, 2), []),
        ((500, 1000), (2, 3), wrong),
        ((1000, 500), (2, 3), []),
        ((500, 500), (2, 3), []),
        ((500, 500), (3, 2), wrong),
    ):
        table = TileTable()
        table.open()
        table.sit(seat2="anna", seat3="anna", seat4="bert")
        wagers = (chips(2, "pai_gow", cents[0]), chips(3, "pai_gow", cents[1]), chips(4, "pai_gow", 9000))
        hands = tuple(step("hands_set", seat=seat) for seat in (*order, 4))
        table.act(*OPENING).deal(*wagers, CLOSED, SHAKEN, *dealt(), PUT_AWAY, *hands).close()
        assert table.raised(check) == expected, (cents, order)
    # 1,000 less the 600 that were taken back are 400: the hand with 500 is the first.
    for order, expected in (((3, 2), []), ((2, 3), wrong)):
        table = TileTable()
        table.open()
        table.sit(seat2="anna", seat3="anna")
        wagers = (chips(2, "pai_gow", 1000), chips(3, "pai_gow", 500), taken_back(2, "pai_gow", 600))
        hands = tuple(step("hands_set", seat=seat) for seat in order)
        table.act(*OPENING).deal(*wagers, CLOSED, SHAKEN, *dealt(), PUT_AWAY, *hands).close()
        assert table.raised(check) == expected, order
    # The smaller wager's hand first; that the other's was laid before it, or that chips were added, is lost.
    for hands, extra in (
        ((lost(step("hands_set", seat=3)), *(step("hands_set", seat=seat) for seat in (2, 3))), ()),
        (tuple(step("hands_set", seat=seat) for seat in (2, 3)), (lost(chips(2, "pai_gow", 600)),)),
    ):
        table = TileTable()
        table.open()
        table.sit(seat2="anna", seat3="anna")
        wagers = (chips(2, "pai_gow", 500), chips(3, "pai_gow", 1000), *extra)
        table.act(*OPENING).deal(*wagers, CLOSED, SHAKEN, *dealt(), PUT_AWAY, *hands).close()
        assert table.raised(check) == [(check, "undetermined", (cite,))]


def prove_hands_stay(one: str, two: str) -> None:
    """Prove that hands which lie face down are not set again; on two areas another clause says so too."""
    check = "hands_set_wrong"
    for patrons, cites in (({"seat2": "anna"}, (one,)), ({"seat2": "anna", "seat3": "anna"}, (one, two))):
        for again, expected in (((), []), ((2,), [(check, "mismatch", cites)])):
            table = TileTable()
            table.open()
            table.sit(**patrons)
            wagers = [chips(seat, "pai_gow", 500) for seat in (2, 3)]
            hands = [step("hands_set", seat=seat) for seat in (2, 3, *again)]
            table.act(*OPENING).deal(*wagers, CLOSED, SHAKEN, *dealt(), PUT_AWAY, *hands).close()
            assert table.raised(check) == expected, (patrons, again)


def prove_tiles_cleared(cite: str) -> None:
    """Prove that the 32 tiles of eight stacks of four leave the layout in order."""
    check = "cards_not_cleared"
    wrong = [(check, "mismatch", (cite,))]
    right, played = step("cards_cleared", count=32), (CLOSED, SHAKEN, *dealt(), PUT_AWAY)

    def cleared(*acts: Act) -> list[tuple[str, str, tuple[str, ...]]]:
        table = TileTable()
        table.open().act(*OPENING).play(*played, right)  # type: ignore[attr-defined]  it returns itself
        table.act(MIXED, STACKED).play(*played, *acts).close()
        return table.raised(check)

    assert cleared(right) == []
    assert cleared(step("cards_cleared", count=31)) == wrong
    assert cleared(step("cards_cleared", count=32, manner="out_of_order")) == wrong
    assert cleared() == wrong
    assert cleared(lost(right)) == [(check, "undetermined", (cite,))]
    table = TileTable()
    table.open()
    table.act(*OPENING).play(*played, right).act(MIXED, STACKED).play(*played).close()
    assert [text_of(each.message) for each in table.findings(check)] == [
        "the tiles of round 2 were not reported put away"
    ]
    assert opened(*OPENING).raised(check) == []
