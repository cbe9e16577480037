"""What a layout and a table have to have, as an inspection of them reports it."""

from datetime import date, timedelta
from typing import Any, Final

from schemas import events as e
from schemas.house import ProcedureSettings, Submission
from tests.law.procedure_table import FLOORPERSON, ProcedureTable

# The value with which an option is chosen; of all others it is true.
CHOSEN: Final[dict[str, Any]] = {"dragon_bonus": "A"}
EQUIPMENT: Final = (
    "box_places",
    "discard_rack",
    "discard_bucket",
    "shoe_place",
    "marker_buttons",
    "shaker_capacity",
    "shaker_logo",
)


def inspected(
    number: str,
    *reports: dict[str, Any],
    lost: dict[str, Any] | None = None,
    before: str = "",
    options: dict[str, Any] | None = None,
    wagers: tuple[Any, ...] = (),
    day: date | None = None,
) -> ProcedureTable:
    """Return a table that was inspected with these answers, and then dealt two rounds.

    `lost` is a last inspection whose report did not come; `before` names the sources that are not connected,
    `wagers` those of the text's optional wagers that the house offers.
    """
    submissions = [Submission(since=date(2010, 1, 1), chapter=number, options=options)] if options else []
    table = ProcedureTable(
        number,
        day=day,
        without=tuple(before.split()),
        submissions=submissions,
        procedures=ProcedureSettings(optional_wagers={number: wagers}),
    ).open()
    for answers in (*reports, *([lost] if lost is not None else [])):
        table.say(
            "register",
            e.ItemInspected,
            is_lost=answers is lost,
            **({"kind": "table", "item": "layout", "passed": True, "by": FLOORPERSON} | answers),
        )
    return table.load().round().round().close()


def prove_point(
    number: str,
    point: str,
    *cites: str,
    option: str | None = None,
    wager: str | None = None,
    day: date | None = None,
) -> None:
    """Prove that a point of the checklist is found where it is asked for and not in order, and once.

    It may hang on an `option` or on a `wager` that the house offers.
    """
    check = "equipment_wrong" if point in EQUIPMENT else "layout_wrong"
    chosen: dict[str, Any] = {"options": {option: CHOSEN.get(option, True)} if option else None}
    chosen |= {"wagers": (wager,) if wager else (), "day": day}
    right, wrong = {"checklist": {point: True}}, {"checklist": {point: False}}
    assert inspected(number, right, **chosen).raised(check) == []
    assert inspected(number, wrong, **chosen).raised(check) == [(check, "mismatch", cites)]
    assert inspected(number, wrong, right, **chosen).raised(check) == []
    assert inspected(number, {}, **chosen).raised(check) == []
    unsure = inspected(number, wrong, lost=right, **chosen)
    assert unsure.raised(check) == [(check, "undetermined", cites)]
    assert inspected(number, wrong, before="register", **chosen).raised(check) == []
    if option or wager:
        assert inspected(number, wrong, day=day).raised(check) == []


def prove_inspected_at_opening(number: str, point: str, cite: str) -> None:
    """Prove that what is found at the very moment a round opens is asked of that round, not of the next."""
    table = ProcedureTable(number).open().load().round()
    table.say(
        "register",
        e.ItemInspected,
        kind="table",
        item="layout",
        passed=False,
        by=FLOORPERSON,
        checklist={point: False},
    )
    table.now -= 5  # after which a round opens
    table.round().round().close()
    assert table.raised("layout_wrong") == [("layout_wrong", "mismatch", (cite,))]


def prove_most(number: str, figure: str, most: int, cite: str) -> None:
    """Prove that no more places than `most` are admitted."""
    check = "layout_wrong"
    for count, expected in ((most, []), (most + 1, [(check, "mismatch", (cite,))])):
        assert inspected(number, {"figures": {figure: count}}).raised(check) == expected


def prove_least(number: str, figure: str, least: int, cite: str) -> None:
    """Prove that there are no fewer places than `least`."""
    check = "layout_wrong"
    for count, expected in ((least, []), (least - 1, [(check, "mismatch", (cite,))])):
        assert inspected(number, {"figures": {figure: count}}).raised(check) == expected


def prove_rack_height(number: str, decks: int, height: str, mark: str) -> None:
    """Prove that a rack is as high as the decks in use, or higher with a mark at their height."""
    check = "equipment_wrong"
    both, low = [(check, "mismatch", (height, mark))], [(check, "mismatch", (height,))]
    for figures, expected in (
        ({"rack_decks": decks}, []),
        ({"rack_decks": decks - 1}, low),
        ({"rack_decks": decks - 1, "mark_decks": decks}, low),
        ({"rack_decks": decks + 1}, both),
        ({"rack_decks": decks + 1, "mark_decks": decks}, []),
        ({"rack_decks": decks + 1, "mark_decks": decks + 1}, both),
    ):
        assert inspected(number, {"figures": figures}).raised(check) == expected, figures


def prove_approved(number: str, mark: str, cite: str) -> None:
    """Prove that what an inspection reads off a table, as `mark`, is approved by the day of its use."""
    check, item = "layout_not_approved", "L-7"

    def used(
        *dated: int, is_lost: bool = False, marks: dict[str, str] | None = None, before: str = ""
    ) -> Any:
        """Use it; an approval was filed for each number of days from the day of play on."""
        table = ProcedureTable(number, without=tuple(before.split())).open()
        for days in dated:
            table.say(
                "register",
                e.DocumentFiled,
                is_lost=is_lost,
                document="approval",
                number="A-7",
                dated=table.day + timedelta(days),
                kind="layout",
                item=item,
            )
        table.say(
            "pit",
            e.ItemInspected,
            kind="table",
            item="T-1",
            passed=True,
            by=FLOORPERSON,
            marks={mark: item} if marks is None else marks,
        )
        return table.load().round().round().close().raised(check)

    wrong = [(check, "mismatch", (cite,))]
    # What is read off the table while its first round is played is asked of the second, once.
    table = ProcedureTable(number).open().load()
    table.rounds += 1
    table.say("terminal", e.RoundOpened, round="1", shoe=table.shoe, heard=table.heard())
    seen: dict[str, Any] = {"kind": "table", "item": "T-1", "passed": True, "by": FLOORPERSON}
    table.say("pit", e.ItemInspected, marks={mark: item}, **seen)
    table.say("terminal", e.RoundClosed, round="1", heard=table.heard())
    assert table.round().round().close().raised(check) == wrong
    # Silent before a first round whose opening was not reported, the register may have had an approval.
    for is_silent, expected in ((False, wrong), (True, [(check, "undetermined", (cite,))])):
        table = ProcedureTable(number).open().load()
        if is_silent:
            table.say("terminal", e.DeviceWentSilent, silent="G")
            table.say("terminal", e.DeviceCameBack, back="G")
        table.rounds += 1
        table.say("terminal", e.RoundOpened, is_lost=True, round="1", shoe=table.shoe, heard=table.heard())
        table.say("terminal", e.RoundClosed, round="1", heard=table.heard())
        table.say("pit", e.ItemInspected, marks={mark: item}, **seen)
        assert table.round().round().close().raised(check) == expected, is_silent
    assert used(-400) == []
    assert used(0) == []
    assert used(1) == wrong
    assert used() == wrong
    assert used(-400, 1) == []  # approved again later on
    assert used(-400, is_lost=True) == [(check, "undetermined", (cite,))]
    assert used(marks={}) == []
    assert used(before="register") == []
