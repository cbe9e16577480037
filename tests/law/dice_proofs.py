"""Dice from the store to the table, by each of the three ways of 603a.13(f), and how long they stay there."""

from datetime import date
from typing import Any, Final

from schemas import events as e
from schemas.house import ProcedureSettings
from schemas.values import Person
from tests.law.procedure_table import DEALER, FLOORPERSON
from tests.law.round_steps import Act, RoundTable, lost, step

READERS: Final[dict[str, e.Source]] = {"C": "chips", "L": "tiles", "D": "dice"}
CRAPS, MINI_CRAPS, PAI_GOW = "623a", "mini", "535"
BOXPERSON: Final = Person("bea", "boxperson")
OTHER_BOXPERSON: Final = Person("ben", "boxperson")
OTHER_FLOORPERSON: Final = Person("flo", "floorperson")
PIT_MANAGER: Final = Person("pat", "pit_manager")
SHIFT_MANAGER: Final = Person("sam", "shift_manager")
SECURITY: Final = Person("sid", "security")
INSTRUMENTS: Final = ("micrometer", "balancing_caliper", "steel_square", "magnet")
CHECKLIST: Final = dict.fromkeys((*INSTRUMENTS, "flat_surface", "in_view"), True)
ROLL: Final[Act] = ("dice", e.DiceRolled, {"dice": "3-4"})
CLAUSE: Final = "603a.13(f)"

Raised = list[tuple[str, str, tuple[str, ...]]]


def number_of(game: str) -> int:
    """Return how many dice a set has."""
    return 3 if game == PAI_GOW else 5


def supervisor(game: str) -> Person:
    """Return who inspects and places the dice at the table."""
    return BOXPERSON if game == CRAPS else FLOORPERSON


def moved(place: str, *persons: Person, item: str = "D1", **fields: Any) -> Act:
    return "cards", e.ItemMoved, {"kind": "dice", "item": item, "place": place, "persons": persons, **fields}


def inspected(by: Person, verified_by: Person | None, *, item: str = "D1", **fields: Any) -> Act:
    right = {"passed": True, "by": by, "verified_by": verified_by, "checklist": CHECKLIST}
    return "pit", e.ItemInspected, {"kind": "dice", "item": item, **right, **fields}


def placed(by: Person, witness: Person | None, *, item: str = "D1", **fields: Any) -> Act:
    return step("dice_placed", item=item, by=by, witness=witness, **fields)


def table(game: str, way: int, *, before: str = "") -> RoundTable:
    """Return an open table of a game in a house that follows a way."""
    chapter = PAI_GOW if game == PAI_GOW else CRAPS
    settings = ProcedureSettings(dice_alternative=way)  # type: ignore[arg-type]
    made = RoundTable(
        chapter,
        readers=READERS,
        day=date(2013, 3, 1),
        procedures=settings,
        without=tuple(before.split()),
        setup={"game": "mini_craps"} if game == MINI_CRAPS else None,
    )
    made.open()
    return made


def found(game: str, way: int, *acts: Act, before: str = "") -> Raised:
    """Return what is found of dice after these acts and a roll."""
    made = table(game, way, before=before).act(*acts).deal(ROLL)
    return [each for each in made.close().raised() if each[0].startswith("dice")]


def right(game: str, way: int) -> dict[str, Act]:
    """Return a set's way to the table as it has to be, act by act."""
    own, count = supervisor(game), number_of(game)
    if way == 1:
        return {
            "brought": moved("pit", SHIFT_MANAGER, SECURITY, origin="storage"),
            "issued": moved("table", PIT_MANAGER, origin="pit"),
            "inspected": inspected(own, DEALER, place="table"),
            "placed": placed(own, DEALER, count=count),
        }
    if way == 2:
        first = BOXPERSON if game == CRAPS else FLOORPERSON
        return {
            "brought": moved("pit", SHIFT_MANAGER, SECURITY, origin="storage"),
            "inspected": inspected(first, OTHER_FLOORPERSON, place="pit"),
            "issued": moved("table", first, origin="pit"),
            "placed": placed(DEALER, FLOORPERSON, count=count)
            if game == PAI_GOW
            else placed(own, DEALER, count=count),
        }
    return {
        "notified": (
            "pit",
            e.NoticeGiven,
            {"notice": "inspection", "to": "surveillance", "by": FLOORPERSON, "item": "D1"},
        ),
        "inspected": inspected(FLOORPERSON, SHIFT_MANAGER, persons=(SECURITY,), place="storage"),
        "brought": moved(
            "pit", SHIFT_MANAGER, SECURITY, origin="storage", sealed=True, figures={"dice": count}
        ),
        "looked": inspected(own, DEALER, checklist={"seal_intact": True}),
        "placed": placed(own, DEALER, count=count),
    }


def otherwise(game: str, way: int, *, before: str = "", **changes: Act | None) -> Raised:
    """Return what is found where some acts were done otherwise, or not at all."""
    acts = {name: changes.get(name, act) for name, act in right(game, way).items()}
    return found(game, way, *(act for act in acts.values() if act is not None), before=before)


def mismatch(check: str, clause: str) -> Raised:
    return [(check, "mismatch", (f"{CLAUSE}{clause}",))]


def prove_right(way: int) -> None:
    """Prove that dice which went their way are clean at each game, and a silent floor is asked nothing."""
    for game in (CRAPS, MINI_CRAPS, PAI_GOW):
        assert otherwise(game, way) == [], game
        assert {check for check, *_ in otherwise(game, way, inspected=None)} == {"dice_not_inspected"}
        assert otherwise(game, way, inspected=None, before="pit") == []
        assert found(game, 0, right(game, way)["placed"]) == []  # the house file names no way
        acts = right(game, way)
        alone = (acts["brought"][0], acts["brought"][1], {**acts["brought"][2], "persons": (SHIFT_MANAGER,)})
        assert {check for check, *_ in otherwise(game, way, brought=alone)} == {"dice_brought_by_other"}
        wrongly = placed(SECURITY, acts["placed"][2]["witness"], count=number_of(game))
        assert {check for check, *_ in otherwise(game, way, placed=wrongly)} == {"dice_placed_by_other"}
    if way == 2:
        prove_sealed_reserve(CRAPS, "(2)(v)(A)")
    if way == 3:
        prove_sealed(CRAPS, "(3)(iv)(A)")


def prove_brought(way: int, clause: str) -> None:
    """Prove that shift manager's assistant and security bring the dice from the store."""
    check = "dice_brought_by_other"
    for persons in ((SHIFT_MANAGER,), (SECURITY,), (PIT_MANAGER, SECURITY), (SHIFT_MANAGER, FLOORPERSON)):
        old = right(CRAPS, way)["brought"]
        other = (old[0], old[1], {**old[2], "persons": persons})
        assert otherwise(CRAPS, way, brought=other) == mismatch(check, clause), persons
    nobody = (old[0], old[1], {**old[2], "persons": ()})
    assert otherwise(CRAPS, way, brought=nobody) == [(check, "undetermined", (f"{CLAUSE}{clause}",))]


def prove_issued(clause: str) -> None:
    """Prove that a pit manager or above gives a set to the table."""
    for person, expected in (
        (PIT_MANAGER, []),
        (SHIFT_MANAGER, []),
        (FLOORPERSON, mismatch("dice_brought_by_other", clause)),
    ):
        assert otherwise(CRAPS, 1, issued=moved("table", person, origin="pit")) == expected


def prove_inspected(game: str, way: int, clause: str, *good: tuple[Person, Person]) -> None:
    """Prove who inspects the dice before whom; all other pairs are wrong."""
    check = "dice_not_inspected"
    wrong = mismatch(check, clause)
    people = (BOXPERSON, OTHER_BOXPERSON, FLOORPERSON, OTHER_FLOORPERSON, DEALER, SECURITY)
    place = right(game, way)["inspected"][2]["place"]
    for by in people:
        for witness in people:
            brought = {"issued": moved("table", by, origin="pit")} if way == 2 else {}
            raised = otherwise(game, way, inspected=inspected(by, witness, place=place), **brought)
            if (by, witness) in good:
                assert raised == [], (by, witness)
            else:
                assert set(raised) == set(wrong), (by, witness)
    assert otherwise(game, way, inspected=None) == wrong
    assert otherwise(game, way, inspected=inspected(*good[0], passed=False, place=place))[:1] == wrong
    unseen = otherwise(game, way, inspected=lost(right(game, way)["inspected"]))
    assert unseen == [(check, "undetermined", (f"{CLAUSE}{clause}",))]


def prove_instruments(way: int, tools: str, surface: str) -> None:
    """Prove that the four instruments, the surface and the view are asked for."""
    check = "dice_not_inspected"
    old = right(CRAPS, way)["inspected"]

    def answered(**points: bool | None) -> Raised:
        checklist = {name: value for name, value in {**CHECKLIST, **points}.items() if value is not None}
        return otherwise(CRAPS, way, inspected=(old[0], old[1], {**old[2], "checklist": checklist}))

    for point, clause in (
        *((name, tools) for name in INSTRUMENTS),
        ("flat_surface", surface),
        ("in_view", surface),
    ):
        assert answered(**{point: False}) == mismatch(check, clause)
        assert answered(**{point: None}) == [(check, "undetermined", (f"{CLAUSE}{clause}",))]
    empty = (old[0], old[1], {**old[2], "checklist": {}})
    assert otherwise(CRAPS, way, inspected=empty) == []


def prove_locked(clause: str) -> None:
    """Prove that the instruments are kept locked in the pit stand."""
    old = right(CRAPS, 3)["inspected"]
    for value, expected in ((True, []), (False, mismatch("dice_not_inspected", clause))):
        checklist = {**CHECKLIST, "instruments_locked": value}
        assert otherwise(CRAPS, 3, inspected=(old[0], old[1], {**old[2], "checklist": checklist})) == expected


def prove_placed(game: str, way: int, clause: str, by: Person, witness: Person | None) -> None:
    """Prove who puts the dice into cup or shaker, and before whom."""
    check = "dice_placed_by_other"
    wrong = mismatch(check, clause)
    count = number_of(game)
    for person in (BOXPERSON, FLOORPERSON, DEALER, SECURITY):
        raised = otherwise(game, way, placed=placed(person, witness, count=count))
        assert raised == ([] if person == by else wrong), person
    if witness is not None:
        assert otherwise(game, way, placed=placed(by, SECURITY, count=count)) == wrong
        alone = otherwise(game, way, placed=placed(by, None, count=count))
        assert alone == [(check, "undetermined", (f"{CLAUSE}{clause}",))]


def prove_distributed(game: str, clause: str) -> None:
    """Prove that who inspected the dice in the pit gives them to the table."""
    check = "dice_brought_by_other"
    own = right(game, 2)["inspected"][2]["by"]
    for persons, expected in (
        ((own,), []),
        ((own, OTHER_FLOORPERSON), []),
        ((OTHER_FLOORPERSON,), mismatch(check, clause)),
        ((DEALER,), mismatch(check, clause)),
        ((), [(check, "undetermined", (f"{CLAUSE}{clause}",))]),
    ):
        assert otherwise(game, 2, issued=moved("table", *persons, origin="pit")) == expected, persons
    # Where the dice were inspected a second time, they are given out by who did that.
    acts = right(game, 2)
    pair = (OTHER_BOXPERSON if game == CRAPS else OTHER_FLOORPERSON), FLOORPERSON
    for person, expected in ((pair[0], []), (own, mismatch(check, clause))):
        again, issued = inspected(*pair, place="pit"), moved("table", person, origin="pit")
        twice = found(game, 2, acts["brought"], acts["inspected"], again, issued, acts["placed"])
        assert twice == expected, person
    assert otherwise(game, 2, issued=lost(moved("table", DEALER, origin="pit"))) == []
    assert otherwise(game, 2, issued=moved("table", DEALER, origin="pit"), before="cards") == []


def prove_keys(way: int, clause: str) -> None:
    """Prove that a pit manager or above has the keys of the locked compartment."""
    check = "dice_brought_by_other"
    for person, expected in (
        (PIT_MANAGER, []),
        (SHIFT_MANAGER, []),
        (FLOORPERSON, mismatch(check, clause)),
        (SECURITY, mismatch(check, clause)),
    ):
        key = (
            "cards",
            e.ItemMoved,
            {"kind": "key", "item": "pit stand 1", "place": "pit", "persons": (person,)},
        )
        assert found(CRAPS, way, *right(CRAPS, way).values(), key) == expected


def prove_reserve(way: int, clause: str) -> None:
    """Prove that a pit manager or above puts the reserve into the pit stand."""
    for person, expected in (
        (PIT_MANAGER, []),
        (SHIFT_MANAGER, []),
        (FLOORPERSON, mismatch("dice_brought_by_other", clause)),
    ):
        acts = (*right(CRAPS, way).values(), moved("pit_stand", person, item="R1"))
        assert found(CRAPS, way, *acts) == expected


def prove_reserve_brought(clause: str) -> None:
    """Prove that the reserve comes from the store to the pit manager."""
    check = "dice_brought_by_other"
    for persons, expected in (
        ((SHIFT_MANAGER, SECURITY, PIT_MANAGER), []),
        ((SHIFT_MANAGER, SECURITY), mismatch(check, clause)),
    ):
        acts = (*right(CRAPS, 2).values(), moved("pit_stand", *persons, item="R1", origin="storage"))
        assert found(CRAPS, 2, *acts) == expected


def from_reserve(way: int, *acts: Act, **put: Any) -> Raised:
    """Return what is found of a set that lay in the pit stand, was then done so with, and placed."""
    first = () if way == 1 else (inspected(FLOORPERSON, OTHER_FLOORPERSON),)
    reserve = moved("pit_stand", PIT_MANAGER, **put)
    issued = moved("table", PIT_MANAGER, origin="pit_stand")
    return found(CRAPS, way, *first, reserve, issued, *acts, placed(BOXPERSON, DEALER))


def prove_reserve_inspected(way: int, clause: str, by: Person, witness: Person) -> None:
    """Prove that dice of the reserve are inspected before they are used."""
    wrong = mismatch("dice_not_inspected", clause)
    assert from_reserve(way, inspected(by, witness)) == []
    assert from_reserve(way) == wrong
    assert set(from_reserve(way, inspected(DEALER, witness))) == set(wrong)
    assert from_reserve(way, inspected(by, SECURITY)) == wrong


def prove_sealed_reserve(game: str, clause: str) -> None:
    """Prove that a sealed and labelled set of the right number needs no other inspection."""
    check, count = "dice_not_sealed", number_of(game)
    own = supervisor(game)
    last = placed(DEALER, FLOORPERSON) if game == PAI_GOW else placed(own, DEALER)

    def sealed(*later: Act, dice: int = count, first: bool = True, **label: bool) -> Raised:
        watched = (inspected(FLOORPERSON, OTHER_FLOORPERSON),) if first else ()
        look = inspected(own, DEALER, checklist={"seal_intact": True, **label})
        reserve = moved("pit_stand", PIT_MANAGER, sealed=True, figures={"dice": dice})
        return found(game, 2, *watched, reserve, moved("table", own, origin="pit_stand"), look, *later, last)

    assert sealed() == []
    assert sealed(label_date=True, label_signatures=True) == []
    for dice in (count - 1, count + 1):
        assert sealed(dice=dice) == mismatch(check, clause)
    for point in ("label_date", "label_signatures"):
        assert sealed(**{point: False}) == mismatch(check, clause)  # type: ignore[arg-type]
    assert sealed(first=False) == mismatch("dice_not_inspected", clause)
    again = inspected(FLOORPERSON, OTHER_FLOORPERSON)
    assert sealed(seal_intact=False) == mismatch(check, "(2)(iv)(B)")
    assert sealed(again, seal_intact=False) == []


def prove_present(clause: str) -> None:
    """Prove that floorperson, shift manager's assistant and security are present in the store."""
    wrong = mismatch("dice_not_inspected", clause)
    for by, witness, others, expected in (
        (FLOORPERSON, SHIFT_MANAGER, (SECURITY,), []),
        (SHIFT_MANAGER, FLOORPERSON, (SECURITY,), []),
        (FLOORPERSON, SECURITY, (SHIFT_MANAGER,), []),
        (FLOORPERSON, SHIFT_MANAGER, (), wrong),
        (FLOORPERSON, SECURITY, (), wrong),
        (SHIFT_MANAGER, SECURITY, (), wrong),
    ):
        act = inspected(by, witness, persons=others, place="storage")
        assert otherwise(CRAPS, 3, inspected=act) == expected, (by, witness, others)


def prove_surveillance_notified(clause: str) -> None:
    """Prove that surveillance is notified before the inspection."""
    check = "dice_not_inspected"
    acts = right(CRAPS, 3)
    assert otherwise(CRAPS, 3, notified=None) == mismatch(check, clause)
    source, kind, notice = acts["notified"]
    for other in ({"notice": "failure"}, {"to": "pit_manager"}):
        assert otherwise(CRAPS, 3, notified=(source, kind, notice | other)) == mismatch(check, clause), other
    late = [acts["inspected"], acts["notified"], *(acts[name] for name in ("brought", "looked", "placed"))]
    assert found(CRAPS, 3, *late) == mismatch(check, clause)
    unseen = otherwise(CRAPS, 3, notified=lost(acts["notified"]))
    assert unseen == [(check, "undetermined", (f"{CLAUSE}{clause}",))]


def prove_store_inspection(clause: str) -> None:
    """Prove that a floorperson or above inspects the dice in the store."""
    wrong = mismatch("dice_not_inspected", clause)
    by_security = inspected(SECURITY, SHIFT_MANAGER, persons=(FLOORPERSON,), place="storage")
    assert otherwise(CRAPS, 3, inspected=by_security) == wrong
    assert otherwise(CRAPS, 3, inspected=None) == wrong
    at_table = inspected(BOXPERSON, DEALER, place="table")
    assert otherwise(CRAPS, 3, inspected=at_table) == wrong


def prove_sealed(game: str, clause: str) -> None:
    """Prove that a set leaves the store sealed, of the right number, with date and signatures."""
    check, count = "dice_not_sealed", number_of(game)
    wrong = mismatch(check, clause)

    def left(**fields: Any) -> Raised:
        move = moved("pit", SHIFT_MANAGER, SECURITY, **{"origin": "storage", "sealed": True, **fields})
        return otherwise(game, 3, brought=move)

    assert left(figures={"dice": count}) == []
    assert left(figures={"dice": count + 1}) == wrong
    assert left(sealed=False) == wrong
    for point in ("label_date", "label_signatures"):
        look = inspected(supervisor(game), DEALER, checklist={"seal_intact": True, point: False})
        assert otherwise(game, 3, looked=look) == wrong


def prove_single_dice(clause: str) -> None:
    """Prove that single dice of the reserve are sealed one by one."""
    check = "dice_not_sealed"
    for count, expected in ((1, []), (2, mismatch(check, clause)), (4, mismatch(check, clause))):
        move = moved("pit", SHIFT_MANAGER, SECURITY, origin="storage", sealed=True, figures={"dice": count})
        assert otherwise(CRAPS, 3, brought=move) == expected


def prove_opened(game: str, clause: str) -> None:
    """Prove who looks at the seal, and that dice are placed before the dealer."""
    check = "dice_not_sealed"
    own = supervisor(game)
    assert otherwise(game, 3, looked=None) == mismatch(check, clause)
    other = inspected(SECURITY, DEALER, checklist={"seal_intact": True})
    assert otherwise(game, 3, looked=other) == mismatch(check, clause)
    unseen = otherwise(game, 3, looked=lost(right(game, 3)["looked"]))
    assert unseen == [(check, "undetermined", (f"{CLAUSE}{clause}",))]
    prove_placed(game, 3, clause, own, DEALER)


def prove_broken_seal(clause: str) -> None:
    """Prove that dice whose seal is broken are inspected again before they are used."""
    acts = right(CRAPS, 3)
    broken = inspected(BOXPERSON, DEALER, checklist={"seal_intact": False})
    first = [acts[name] for name in ("notified", "inspected", "brought")]
    again = inspected(BOXPERSON, DEALER, place="table")
    wrong = mismatch("dice_not_sealed", clause)
    assert found(CRAPS, 3, *first, broken, acts["placed"]) == wrong
    assert found(CRAPS, 3, *first, broken, again, acts["placed"]) == []
    assert found(CRAPS, 3, *first, again, broken, acts["placed"]) == wrong


def prove_removed(cite: str) -> None:
    """Prove that doubtful dice, and those that are asked for, are rolled no more, and are reported."""
    check = "dice_not_removed"
    wrong, open_ = [(check, "mismatch", (cite,))], [(check, "undetermined", (cite,))]
    report = (
        "register",
        e.DocumentFiled,
        {
            "document": "discrepancy_report",
            "number": "DD-1",
            "dated": date(2013, 3, 1),
            "kind": "dice",
            "item": "D1",
        },
    )
    away = moved("security_office", SECURITY)
    another = placed(BOXPERSON, DEALER, item="D2")
    failed = inspected(BOXPERSON, DEALER, passed=False)
    notices = [
        ("pit", e.NoticeGiven, {"notice": name, "to": "pit_manager", "by": DEALER, "item": "D1"})
        for name in ("defect", "removal_request")
    ]
    for doubt in (failed, *notices):
        for acts, expected in (
            ((doubt, away, report, another), []),
            ((doubt, another, report), []),
            ((doubt, report), wrong),
            ((doubt, away, another), open_),
        ):
            made = table(CRAPS, 0).act(placed(BOXPERSON, DEALER)).deal(ROLL).act(*acts).deal(ROLL)
            assert made.deal(ROLL).close().raised(check) == expected, acts
    once = table(CRAPS, 0).act(placed(BOXPERSON, DEALER)).deal(ROLL).act(failed, report).deal(ROLL)
    assert once.close().raised(check) == wrong
    # The roll is the last that the record has.
    last = table(CRAPS, 0).act(placed(BOXPERSON, DEALER)).deal(ROLL).act(failed)
    last.deal(ROLL, is_close_lost=True)
    assert last.raised(check) == wrong
    silent = table(CRAPS, 0, before="pit").act(placed(BOXPERSON, DEALER)).deal(ROLL).act(failed).deal(ROLL)
    assert silent.close().raised(check) == []


def prove_dice_hours(cite: str, hours: int) -> None:
    """Prove that dice are rolled for so many hours at most."""
    check = "dice_too_long"
    wrong = [(check, "mismatch", (cite,))]
    for seconds, renewed, expected in (
        (hours * 3600.0, False, []),
        (hours * 3600.0 + 1, False, wrong),
        (hours * 3600.0 + 1, True, []),
    ):
        made = table(PAI_GOW, 0)
        made.act(placed(FLOORPERSON, DEALER, count=3))
        start = made.now
        made.deal(ROLL)
        if renewed:
            made.now = start + 3600
            made.act(placed(FLOORPERSON, DEALER, item="D2", count=3))
        made.now = start + seconds - 5 - 2
        made.deal(ROLL).deal(ROLL)
        assert made.close().raised(check) == expected, (seconds, renewed)
    unseen = table(PAI_GOW, 0).act(placed(FLOORPERSON, DEALER, count=3)).deal(ROLL)
    unseen.act(lost(placed(FLOORPERSON, DEALER, item="D2", count=3)))
    unseen.now += hours * 3600
    assert unseen.deal(ROLL).close().raised(check) == [(check, "undetermined", (cite,))]
    made = table(PAI_GOW, 0, before="pit")
    made.act(placed(FLOORPERSON, DEALER, count=3)).deal(ROLL)
    made.now += hours * 3600 + 60
    assert made.deal(ROLL).close().raised(check) == []


def prove_three_dice(cite: str) -> None:
    """Prove that the shaker has three dice."""
    check = "dice_placed_by_other"
    wrong = [(check, "mismatch", (cite,))]
    for count, expected in ((3, []), (2, wrong), (4, wrong)):
        made = table(PAI_GOW, 0).act(placed(FLOORPERSON, DEALER, count=count)).deal(ROLL)
        assert made.close().raised(check) == expected
