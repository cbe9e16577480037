"""What every chapter asks of cards before they are played, proved by each chapter's words and figures."""

from datetime import date
from typing import Any

from projections.engine.facts import Word
from projections.engine.findings import Finding
from schemas import events as e
from schemas.values import Person
from tests.builders.texts import text_of
from tests.law.preparing import (
    BLACKJACK,
    EACH_DEALER,
    ONE_BURNED,
    OTHER_DEALER,
    SHAPE,
    Prepared,
    opened,
    second_shoe,
    weighed,
)
from tests.law.procedure_table import DEALER, FLOORPERSON

PIT_MANAGER = Person("pat", "pit_manager")
CERTIFICATE: dict[str, Any] = {
    "document": "preshuffle_certificate",
    "number": "C-1",
    "dated": date(2012, 1, 1),
    "kind": "cards",
    "item": "A",
}
OPENING = ("cards_not_inspected", "cards_not_spread", "opening_step_missing", "cards_turned_early")


def prove_step(number: str, cite: str, step: str, check: str) -> None:
    """Prove that a step is asked for: omitted it is found, lost undetermined, without the pit nothing."""
    assert opened(number).findings() == []
    assert weighed(opened(number, omit=step).findings(check)) == [(check, "mismatch", (cite,))]
    assert weighed(opened(number, lose=step).findings(check)) == [(check, "undetermined", (cite,))]
    assert opened(number, omit=step, before="pit").findings(check) == []


def prove_inspection(number: str, cite: str, verified: str = "") -> None:
    """Prove that a dealer inspects the cards and another person of a floorperson's rank verifies it."""
    check = "cards_not_inspected"
    prove_step(number, cite, "inspection", check)
    for fields, by in (
        ({"by": FLOORPERSON}, cite),
        ({"by": Person("bea", "boxperson")}, cite),
        ({"verified_by": None}, verified or cite),
        ({"verified_by": OTHER_DEALER}, verified or cite),
        ({"verified_by": Person(DEALER.name, "floorperson")}, verified or cite),
    ):
        found = opened(number, fields={"inspection": fields}).findings(check)
        assert weighed(found) == [(check, "mismatch", (by,))]
    # A dealer who looks at something else has not inspected the cards.
    for kind in ("card_reader", "shoe", "shuffler", "table"):
        found = opened(number, fields={"inspection": {"kind": kind, "item": "S-1"}}).findings(check)
        assert weighed(found) == [(check, "mismatch", (cite,))], kind
    for other in (
        PIT_MANAGER,
        Person("A" + DEALER.name, "floorperson"),
        Person("Z" + DEALER.name, "floorperson"),
    ):
        assert opened(number, fields={"inspection": {"verified_by": other}}).findings() == [], other


def prove_each_deck(number: str, cite: str) -> None:
    """Prove that each of the eight decks is inspected; fewer reports than decks leave it undetermined."""
    (found,) = opened(number, fields={"inspection": {"figures": {"decks": 7}}}).findings()
    assert weighed([found]) == [("cards_not_inspected", "undetermined", (cite,))]
    assert found.message.args["inspected"] == 7
    (found,) = opened(number, fields={"inspection": {"figures": {}}}).findings()
    assert weighed([found]) == [("cards_not_inspected", "undetermined", (cite,))]


def prove_defects(number: str, cite: str) -> None:
    """Prove that cards in which a defect was found do not come into play."""
    (found,) = opened(number, fields={"inspection": {"passed": False}}).findings()
    assert weighed([found]) == [("defective_cards_played", "mismatch", (cite,))]


def prove_spread(number: str, cite: str) -> None:
    """Prove that the cards are spread face up, in the shape that the text prints."""
    check = "cards_not_spread"
    prove_step(number, cite, "spread", check)
    assert weighed(opened(number, fields={"spread": {"face": "down"}}).findings()) == [
        (check, "mismatch", (cite,))
    ]
    assert opened(number, fields={"spread": {"manner": None}}).findings() == []
    for shape in ("fans", "rows", "columns"):
        found = opened(number, fields={"spread": {"manner": shape}}).findings()
        expected = [] if shape == SHAPE.get(number, "fans") else [(check, "mismatch", (cite,))]
        assert weighed(found) == expected


def prove_wash(number: str, cite: str) -> None:
    """Prove that the cards are turned down, washed and stacked, once the first player could look at them."""
    for step in ("turned", "washed", "stacked"):
        prove_step(number, cite, step, "opening_step_missing")
    for seconds, expected in ((0.2, "undetermined"), (0.3, "mismatch")):
        table = Prepared(number).open()
        assert isinstance(table, Prepared)
        table.receive().otherwise(omit="turned stacked").inspect()
        # The clocks are held to agree within a quarter of a second.
        table.say("terminal", e.PlayerSeated, seconds, seat=2)
        table.say("terminal", e.PlayerSeated, 10, seat=7)
        table.otherwise().shuffle().cut().fill().round().close()
        found = table.findings("cards_turned_early")
        assert weighed(found) == [("cards_turned_early", expected, (cite,))]


def certified(number: str, omit: str, *, document: str | None = None, **table: Any) -> Prepared:
    """Return a table whose cards came with a certificate that they were inspected and shuffled.

    It may have been another document.
    """
    made = Prepared(number, **table).open().sit()
    assert isinstance(made, Prepared)
    made.otherwise(omit=omit).receive()
    made.say("cards", e.DocumentFiled, **(CERTIFICATE | ({"document": document} if document else {})))
    made.inspect().shuffle().cut().fill().round().close()
    return made


def prove_certificate(number: str, *, spares_spread: bool = True) -> None:
    """Prove that certified cards need no inspection, wash or shuffle, and no spread where the text says."""
    steps = "inspection spread turned washed stacked shuffled second_shuffle shuffle_verified"
    found = certified(number, steps).findings()
    assert [each.check for each in found] == ([] if spares_spread else ["cards_not_spread"])
    uncertified = {each.check for each in opened(number, omit=steps).findings()}
    assert uncertified >= {*OPENING[:3]}
    for document in ("approval", "discrepancy_report", "record_destroyed"):
        assert {each.check for each in certified(number, steps, document=document).findings()} >= uncertified


def prove_certificate_spares_shuffle_only(number: str) -> None:
    """Prove that a certificate spares the shuffle, and of the opening nothing."""
    shuffle = "shuffled second_shuffle shuffle_verified"
    assert certified(number, shuffle).findings() == []
    for document in ("approval", "discrepancy_report", "record_destroyed"):
        assert {each.check for each in certified(number, shuffle, document=document).findings()} >= {
            each.check for each in opened(number, omit=shuffle).findings()
        }
    assert [each.check for each in certified(number, "inspection").findings()] == ["cards_not_inspected"]


def prove_shuffle(number: str, cite: str) -> None:
    """Prove that cards are shuffled before they are played."""
    check, both = "cards_not_shuffled", "shuffled second_shuffle"
    assert opened(number).findings() == []
    assert weighed(opened(number, omit=both).findings(check)) == [(check, "mismatch", (cite,))]
    assert weighed(opened(number, lose=both).findings(check)) == [(check, "undetermined", (cite,))]
    assert opened(number, omit=both, before="pit").findings(check) == []


def prove_each_dealer_shuffles(number: str, cite: str) -> None:
    """Prove that each of two dealers shuffles the stack."""
    assert number in EACH_DEALER
    check = "not_each_dealer_shuffled"
    assert weighed(opened(number, omit="second_shuffle").findings()) == [(check, "mismatch", (cite,))]
    assert weighed(opened(number, lose="second_shuffle").findings()) == [(check, "undetermined", (cite,))]
    found = opened(number, fields={"second_shuffle": {"by": DEALER}}).findings()
    assert weighed(found) == [(check, "mismatch", (cite,))]
    # A third dealer came before the first shoe; whether he has left was not reported then.
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    for kind, is_lost in ((e.DealerAssigned, False), (e.DealerRelieved, True)):
        table.say("terminal", kind, is_lost=is_lost, dealer="dan")
    table.receive().inspect().shuffle().cut().fill().round().finish()
    for batch in ("B", "C"):
        table.receive(batch).inspect(batch).shuffle().cut(7).fill().round()
        table.finish()
        table.say("terminal", e.DealerAssigned, dealer="dan")  # he is there again, and shuffles none of C
    table.close()
    weights = ("undetermined", "undetermined", "mismatch")
    assert weighed(table.findings()) == [(check, weight, (cite,)) for weight in weights]


def prove_shuffle_after_shoe(number: str, *cites: str) -> None:
    """Prove that the same cards are shuffled again after the shoe."""
    check = "cards_not_shuffled"
    assert second_shoe(number).findings() == []
    assert weighed(second_shoe(number, omit="shuffled").findings(check)) == [(check, "mismatch", cites)]
    assert weighed(second_shoe(number, lose="shuffled").findings(check)) == [(check, "undetermined", cites)]


def prove_one_stack(number: str, cite: str) -> None:
    """Prove that the cards come into one stack."""
    for stacks, expected in ((1, []), (2, [("stacks_not_one", "mismatch", (cite,))]), (None, [])):
        assert weighed(opened(number, fields={"stacked": {"count": stacks}}).findings()) == expected


def prove_shuffle_verified(number: str, cite: str) -> None:
    """Prove that a floorperson verifies a shuffle by hand before the cut; one by a device needs none."""
    check = "shuffle_not_verified"
    prove_step(number, cite, "shuffle_verified", check)
    found = opened(number, fields={"shuffle_verified": {"by": DEALER}}).findings()
    assert weighed(found) == [(check, "mismatch", (cite,))]
    assert opened(number, omit="shuffle_verified", fields={"shuffled": {"by": None}}).findings() == []


def offered(number: str, *steps: tuple[str, int | None], seats: tuple[int, ...] = (2, 5, 7)) -> Prepared:
    """Return a table that opened and whose cut was offered as the steps say; None is the dealer."""
    table = Prepared(number).open().sit(*seats)
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle()
    for step, seat in steps:
        count = 100 if step == "cut_made" else None
        by = DEALER if seat is None else None
        total = table.decks * table.cards if count else None
        table.does_step(f"cut_{step}" if step in ("offered", "declined") else step,  # type: ignore[arg-type]  by its name
                        seat=seat, by=by, count=count, total=total)  # fmt: skip
    table.otherwise(omit="cut_offered cut_made").cut().fill().round().close()
    return table


def prove_cut_order(number: str, cite: str) -> None:
    """Prove that the cut is offered from the highest seat clockwise; the dealer cuts if no one does."""
    wrong = [("cut_order_wrong", "mismatch", (cite,))]
    for steps, expected in (
        ([("offered", 7), ("cut_made", 7)], []),
        ([("offered", 7), ("declined", 7), ("offered", 5), ("cut_made", 5)], []),
        ([("offered", 7), ("offered", 5), ("offered", 2), ("cut_made", None)], []),
        ([("cut_made", 7)], []),
        ([("offered", 2), ("cut_made", 2)], wrong),
        ([("offered", 7), ("offered", 2), ("cut_made", 2)], wrong),  # seat 5 was passed over
        ([("offered", 7), ("offered", 5), ("cut_made", None)], wrong),  # seat 2 was not asked
        ([("cut_made", None)], wrong),
    ):
        assert weighed(offered(number, *steps).findings()) == expected, steps


def prove_curator_cuts(number: str, cite: str) -> None:
    """Prove that a reshuffle offers the cut from the last curator on, clockwise."""
    for seats, expected in (((5,), []), ((5, 2), []), ((7,), [("cut_order_wrong", "mismatch", (cite,))])):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().inspect().shuffle().cut().fill().round()
        table.say("terminal", e.CuratorNamed, seat=5)
        table.finish().receive("B").inspect("B").shuffle()
        for seat in seats:
            table.does_step("cut_offered", seat=seat)
        table.does_step("cut_made", seat=seats[-1], count=100, total=416)
        table.otherwise(omit="cut_offered cut_made").cut().fill().round().close()
        assert weighed(table.findings("cut_order_wrong")) == expected


def cut_after(number: str, *asked: int, hand: str | None = None, is_directed: bool = False) -> Prepared:
    """Return a blackjack table whose second shoe was cut by the last who was asked."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill().round()
    if is_directed:
        table.step("reshuffle_directed", by=FLOORPERSON).step(
            "cards_collected", count=table.decks * table.cards
        )
    else:
        table.otherwise(fields={"cover_card_reached": {"hand": hand}}).finish()
    table.shuffle()
    for seat in asked:
        table.does_step("cut_offered", seat=seat)
    table.does_step("cut_made", seat=asked[-1], count=100, total=table.decks * table.cards)
    table.otherwise(omit="cut_offered cut_made").cut().fill().round().close()
    return table


def prove_cut_by_case(number: str, cites: dict[str, str], rotation: str) -> None:
    """Prove who is first offered the cut at a blackjack table, seats numbered clockwise from the left."""
    assert number in BLACKJACK
    wrong = "cut_order_wrong"
    assert offered(number, ("offered", 5), ("cut_made", 5), seats=(5, 2, 7)).findings() == []
    found = offered(number, ("offered", 7), ("cut_made", 7), seats=(5, 2, 7)).findings()
    assert weighed(found) == [(wrong, "mismatch", (rotation, cites["opening"]))]
    for case, hand, first in (("box", "seat5", 5), ("dealer", "dealer", 7)):
        assert cut_after(number, first, hand=hand).findings() == []
        found = cut_after(number, 2, hand=hand).findings()
        assert weighed(found) == [(wrong, "mismatch", (rotation, cites[case]))]
    assert cut_after(number, 7, is_directed=True).findings() == []
    found = cut_after(number, 5, is_directed=True).findings()
    assert weighed(found) == [(wrong, "mismatch", (rotation, cites["directed"]))]
    (unknown,) = cut_after(number, 5, hand=None).findings()
    assert (unknown.check, unknown.weight) == (wrong, "undetermined")


def prove_cut_rotation(number: str, second: int, cite: str) -> None:
    """Prove in which direction the cut goes on from seat 5 of 2, 5 and 7."""
    assert cut_after(number, 5, second, hand="seat5").findings() == []
    other = 9 - second
    (found,) = cut_after(number, 5, other, hand="seat5").findings()
    assert (found.check, found.weight, found.citations[0]) == ("cut_order_wrong", "mismatch", cite)


def recut(number: str, again: int, *, by: Person = FLOORPERSON, late: bool = False) -> Prepared:
    """Return a table whose first cut, by the first entitled, was ordered to be made again."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut()
    if late:
        table.fill().step("recut_directed", by=by)
    else:
        table.step("recut_directed", by=by)
    table.cut(again)
    if not late:
        table.fill()
    table.round().close()
    return table


def prove_recut(number: str, cite: str, entitled: tuple[int, ...], other: int | None) -> None:
    """Prove who may order a second cut, until when, and who makes it."""
    wrong = ("recut_wrong", "mismatch", (cite,))
    for seat in entitled:
        assert recut(number, seat).findings() == []
        assert recut(number, seat, by=PIT_MANAGER).findings() == []
    assert weighed(recut(number, entitled[0], by=DEALER).findings()) == [wrong]
    if other is not None:
        assert weighed(recut(number, other).findings()) == [wrong]


def prove_recut_rotation(number: str, cite: str, first: int, second: int, third: int) -> None:
    """Prove that the second cut goes on from who made the first, and on again from who declines it.

    At 685a it may as well begin with who made the first.
    """

    def offered_again(
        *again: int, before: tuple[int, ...] = (first,), by_dealer: bool = False
    ) -> list[Finding]:
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().inspect().shuffle()
        stack = table.decks * table.cards
        for seats in (before, again):
            for seat in seats:
                table.does_step("cut_offered", seat=seat)
            cutter = None if by_dealer and seats is again else seats[-1]
            table.does_step("cut_made", seat=cutter, count=100, total=stack)
            if seats is before:
                table.step("recut_directed", by=FLOORPERSON)
        table.otherwise(omit="cut_offered cut_made").cut().fill().round().close()
        return table.findings()

    may_be_same = number == "685a"
    for again, passed_by in (
        ((second,), None),
        ((second, third), None),
        ((second, third, first), None),
        ((second, first), first),
        ((third,), third),
        ((third, second), third),
        ((first,), None if may_be_same else first),
        ((first, second), None if may_be_same else first),
        ((first, third), third if may_be_same else first),
    ):
        found = offered_again(*again)
        assert weighed(found) == ([("recut_wrong", "mismatch", (cite,))] if passed_by else []), again
        assert [text_of(each.message) for each in found] == [
            f"the second cut of shoe 1 went to seat {passed_by}, who was not the next entitled to it"
        ] * len(found)
    # Where two were asked at the first cut, the second of them made it.
    wrong = [("recut_wrong", "mismatch", (cite,))]
    for again, expected in (
        ((third,), []),
        ((third, first), []),
        ((first,), wrong),
        ((second,), [] if may_be_same else wrong),
    ):
        assert weighed(offered_again(*again, before=(first, second))) == expected, again
    # The dealer makes it when every player who comes next has declined.
    for before, again, expected in (
        ((first,), (), wrong),
        ((first,), (second,), wrong),
        ((first,), (second, third), []),
        ((first, second), (), wrong),
        ((first, second), (third,), []),
    ):
        assert weighed(offered_again(*again, before=before, by_dealer=True)) == expected, (before, again)
    # Where somebody cut first who is not reported to sit there, the next is not known.
    assert offered_again(third, before=(first, 4)) == []


def prove_recut_not_late(number: str, cite: str, entitled: int) -> None:
    """Prove that a second cut is ordered before the cards are in the shoe."""
    found = recut(number, entitled, late=True).findings("recut_wrong")
    assert weighed(found) == [("recut_wrong", "mismatch", (cite,))]


def prove_decks_changed_each_shoe(number: str, cite: str) -> None:
    """Prove that other decks come to the table after each shoe."""
    check = "decks_not_changed"
    assert second_shoe(number).findings() == []
    assert weighed(second_shoe(number, omit="receipt").findings(check)) == [(check, "mismatch", (cite,))]
    assert weighed(second_shoe(number, lose="receipt").findings(check)) == [(check, "undetermined", (cite,))]


def prove_decks_changed_after(number: str, cite: str, hours: int) -> None:
    """Prove that decks are played for so many hours at most since they came to the table.

    It is no matter whether the shoe shuffles by itself: that takes the place of other sections alone.
    """
    last, wrong = hours * 3600, [("decks_not_changed", "mismatch", (cite,))]
    for kind in ("manual", "shuffling"):
        for moments, expected in (
            ((last,), []),
            ((last + 1,), wrong),
            ((last, last + 60), wrong),
            ((last + 1, last + 60), wrong),  # which is no second finding
        ):
            table = Prepared(number).open().sit()
            assert isinstance(table, Prepared)
            marks = {"shoe_kind": kind}
            table.say("pit", e.ItemMoved, kind="shoe", item="S-1", place="table", marks=marks)
            table.receive()
            came = table.now
            table.inspect().shuffle().cut().fill().round()
            for moment in moments:
                table.now = came + moment - 5
                table.round()
            table.close()
            assert weighed(table.findings("decks_not_changed")) == expected, moments


def prove_burn_by_value(number: str, cite: str, *, is_shown: bool) -> None:
    """Prove that the first card and as many as its value are burned: an ace one, a ten to king ten."""
    for first, count in (("As", 2), ("2c", 3), ("9d", 10), ("Th", 11), ("Kc", 11)):
        for burned in (count - 1, count, count + 1):
            table = burn(number, first, *["5c"] * (burned - 1))
            expected = [] if burned == count else [("burn_wrong", "mismatch", (cite,))]
            assert weighed(table.findings()) == expected, (first, burned)
    assert weighed(burn(number).findings()) == [("burn_wrong", "mismatch", (cite,))]
    assert weighed(burn(number, "?s", "2c").findings()) == [("burn_wrong", "undetermined", (cite,))]
    hidden = burn(number, "As", None).findings()
    assert weighed(hidden) == ([("burn_wrong", "mismatch", (cite,))] if is_shown else [])


def burn(number: str, *cards: str | None, **table: Any) -> Prepared:
    """Return a table that burned these cards of its first shoe."""
    made = Prepared(number, **table).open().sit()
    assert isinstance(made, Prepared)
    made.receive().inspect().shuffle().cut().otherwise(omit="burn").fill()
    for card in cards:
        made.say("shoe", e.CardBurned, card=card)
    made.round().close()
    return made


def prove_burn_of_one(number: str, cite: str) -> None:
    """Prove that one card is burned of a new batch, and one by each dealer who comes to the table."""
    assert number in ONE_BURNED
    wrong = [("burn_wrong", "mismatch", (cite,))]
    assert weighed(burn(number).findings()) == wrong
    # Where a batch is loaded and a dealer comes at once, one card or two are burned.
    assert burn(number, "3c").findings() == burn(number, "3c", "4d").findings() == []
    assert weighed(burn(number, "3c", "4d", "5h").findings()) == wrong
    for burned, dealers, expected in ((0, 0, []), (1, 1, []), (0, 1, wrong), (1, 0, wrong), (2, 1, wrong)):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().inspect().shuffle().cut().fill().round()
        for _ in range(dealers):
            table.say("terminal", e.DealerAssigned, dealer=OTHER_DEALER.name, calling=True)
        for _ in range(burned):
            table.say("shoe", e.CardBurned, card="9c")
        table.round().close()
        assert weighed(table.findings()) == expected, (burned, dealers)


def prove_burn_before_cards(number: str, cite: str) -> None:
    """Prove that a dealer who comes burns his card before the round opens, not once it is being dealt."""
    for is_before, expected in ((True, []), (False, [("burn_wrong", "mismatch", (cite,))])):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().inspect().shuffle().cut().fill().round()
        table.say("terminal", e.DealerAssigned, dealer=OTHER_DEALER.name, calling=True)
        if is_before:
            table.say("shoe", e.CardBurned, card="9c")
        table.rounds += 1
        name = str(table.rounds)
        table.say("terminal", e.RoundOpened, round=name, shoe=table.shoe, heard=table.heard())
        if not is_before:
            table.say("shoe", e.CardBurned, card="9c", round=name)
        table.say("terminal", e.RoundClosed, round=name, heard=table.heard())
        table.close()
        assert weighed(table.findings("burn_wrong")) == expected, is_before


def past_cover(number: str, hands: int, *, is_announced: bool = True, is_between: bool = False) -> Prepared:
    """Return a table that played so many hands after the one with the cover card, and closed."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill().round()
    if is_between:
        table.step("cover_card_reached", count=14).round()
    else:
        table.rounds += 1
        name = str(table.rounds)
        table.say("terminal", e.RoundOpened, round=name, shoe=table.shoe, heard=table.heard())
        table.step("cover_card_reached", round=name, count=14, hand="dealer")
        table.say("terminal", e.RoundClosed, round=name, heard=table.heard())
    if is_announced:
        table.step("last_hand_announced")
    for _ in range(hands):
        table.round()
    table.close()
    return table


def prove_last_hand(number: str, cite: str) -> None:
    """Prove the end of a shoe: the hand is completed, "last hand" called, one more hand dealt."""
    for between in (False, True):
        assert past_cover(number, 1, is_between=between).findings() == []
        (found,) = past_cover(number, 2, is_between=between).findings()
        assert weighed([found]) == [("played_past_cover_card", "mismatch", (cite,))]
        (found,) = past_cover(number, 1, is_announced=False, is_between=between).findings()
        assert weighed([found]) == [("last_hand_not_announced", "mismatch", (cite,))]
    assert weighed(second_shoe(number, lose="last_hand_announced").findings()) == [
        ("last_hand_not_announced", "undetermined", (cite,))
    ]
    (found,) = second_shoe(number, omit="last_hand").findings()
    assert weighed([found]) == [("last_hand_not_played", "mismatch", (cite,))]
    assert past_cover(number, 0).findings() == []  # the table closed


def prove_reshuffle_at_cover_card(number: str, *cites: str) -> None:
    """Prove that no further hand is dealt after the one in which the cover card came."""
    for between in (False, True):
        assert past_cover(number, 0, is_announced=False, is_between=between).findings() == []
        (found,) = past_cover(number, 1, is_announced=False, is_between=between).findings()
        assert weighed([found]) == [("played_past_cover_card", "mismatch", cites)]


def prove_reshuffle_directed(number: str, cite: str) -> None:
    """Prove that a floorperson or above orders a shuffle between rounds, and that it is done then."""
    assert number in ONE_BURNED
    for by, expected in ((FLOORPERSON, []), (PIT_MANAGER, []), (DEALER, [("recut", cite)])):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().inspect().shuffle().cut().fill().round()
        table.step("reshuffle_directed", by=by)
        table.step("cards_collected", count=table.decks * table.cards)
        table.shuffle().cut(7).fill().round().close()
        assert [("recut", each.citations[0]) for each in table.findings("reshuffle_wrong")] == expected
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill().round()
    table.step("reshuffle_directed", by=FLOORPERSON).round().close()
    assert weighed(table.findings()) == [("reshuffle_wrong", "mismatch", (cite,))]


def prove_collection(number: str, cite: str, cards: int) -> None:
    """Prove that all cards of a shoe are put together after it, and that none is missing."""
    check = "cards_not_collected"
    for count, expected in ((cards, []), (cards - 1, [(cite,)]), (cards + 1, [(cite,)]), (None, [])):
        found = second_shoe(number, fields={"cards_collected": {"count": count}}).findings()
        assert [each.citations for each in found] == expected
    assert weighed(second_shoe(number, omit="cards_collected").findings()) == [(check, "mismatch", (cite,))]
    assert weighed(second_shoe(number, lose="cards_collected").findings()) == [
        (check, "undetermined", (cite,))
    ]


def receipt(number: str, **fields: Any) -> Prepared:
    """Return a table whose decks came otherwise."""
    return opened(number, fields={"receipt": fields})


def prove_decks(number: str, cite: str, admitted: tuple[int, ...]) -> None:
    """Prove which numbers of decks may come to a table."""
    for decks in range(1, 13):
        found = receipt(number, figures={"decks": decks}).findings("decks_wrong")
        expected = [] if decks in admitted else [("decks_wrong", "mismatch", (cite,))]
        assert weighed(found) == expected, decks
    assert receipt(number, figures={}).findings("decks_wrong") == []


def prove_decks_received(
    number: str, cite: str, admitted: tuple[int, ...], covers: int, cards: tuple[int, ...] = ()
) -> None:
    """Prove how many decks, cards and cover cards come to a table, and that the decks look alike."""
    prove_decks(number, cite, admitted)
    right = {"decks": admitted[0]}
    check = "decks_not_alike"
    wrong = [(check, "mismatch", (cite,))]
    for count, expected in ((covers, []), (covers - 1, wrong)):
        figures = {**right, "cover_cards": count}
        assert weighed(receipt(number, figures=figures).findings(check)) == expected, count
    for count in (47, 48, 51, 52, 53) if cards else ():
        found = receipt(number, figures={**right, "cards_per_deck": count}).findings("decks_wrong")
        assert weighed(found) == ([] if count in cards else [("decks_wrong", "mismatch", (cite,))]), count
    for marks, expected in (
        ({"back_color": "red", "design": "star"}, []),
        ({"back_color": "blue", "design": "star"}, wrong),
        ({"back_color": "red", "design": "moon"}, wrong),
        ({}, []),
    ):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().otherwise(fields={"receipt": {"marks": marks}}).receive().otherwise()
        table.inspect().shuffle().cut().fill().round().close()
        assert weighed(table.findings(check)) == expected, marks


def two_batches(
    number: str, *, second: str = "B", is_idle: bool = False, hours: int = 0, **fields: Any
) -> Prepared:
    """Return a table with a shuffler and two batches, A in play and then `second`, for so many hours."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    for batch, color in (("A", "red"), ("B", "blue")):
        marks = {"back_color": color, "design": "star"}
        changed = {"receipt": {"marks": marks} | (fields if batch == "B" else {})}
        table.batch = batch
        table.otherwise(fields=changed).receive(batch).otherwise().inspect(batch)
    table.batch = "B"
    stored: dict[str, Any] = {"kind": "cards", "item": "B", "place": "shuffler"}
    if second != "unstored":
        table.say("shuffler", e.ItemMoved, **stored)
    table.say("shuffler", e.ProcedureStepTaken, step="shuffled", item="B")
    table.batch = "A"
    table.shuffle().cut().fill("A").round()
    table.finish()
    if second == "mixed":
        table.say("shuffler", e.ItemMoved, kind="cards", item="B", place="discard_rack")
        table.round()
        return table
    table.batch = "A" if second == "A" else "B"
    if is_idle:
        table.step("spread", face="down", item="A")
    if second == "A":
        table.shuffle()
    table.cut(5 if number in BLACKJACK else 7).fill(table.batch).round()
    if hours:
        table.now += hours * 3600
        table.round()
    table.close()
    return table


def prove_batches_equal(number: str, cite: str) -> None:
    """Prove that two batches have as many decks."""
    assert two_batches(number).findings("batches_wrong") == []
    (found,) = two_batches(number, figures={"decks": 4 if number != "685a" else 5}).findings("batches_wrong")
    assert weighed([found]) == [("batches_wrong", "mismatch", (cite,))]


def prove_batches_colored(number: str, cite: str) -> None:
    """Prove that two batches have one design and two colours."""
    for marks, wrong in (
        ({"back_color": "blue", "design": "star"}, False),
        ({"back_color": "red", "design": "star"}, True),
        ({"back_color": "blue", "design": "moon"}, True),
        ({}, False),
    ):
        found = two_batches(number, marks=marks).findings("batches_wrong")
        assert weighed(found) == ([("batches_wrong", "mismatch", (cite,))] if wrong else [])


def prove_batch_stored(number: str, cite: str) -> None:
    """Prove that a batch was in the shuffler before it comes into play."""
    assert two_batches(number).findings("batch_repeated") == []
    (found,) = two_batches(number, second="unstored").findings("batch_repeated")
    assert weighed([found]) == [("batch_repeated", "mismatch", (cite,))]


def prove_batches_alternate(number: str, cite: str) -> None:
    """Prove that the batches change places with each shoe."""
    (found,) = two_batches(number, second="A").findings("batch_repeated")
    assert weighed([found]) == [("batch_repeated", "mismatch", (cite,))]


def prove_rack_of_one_batch(number: str, cite: str) -> None:
    """Prove that cards of the batch in play alone lie in the discard rack."""
    (found,) = two_batches(number, second="mixed").findings("batches_mixed")
    assert weighed([found]) == [("batches_mixed", "mismatch", (cite,))]


def prove_each_batch_apart(number: str, cite: str) -> None:
    """Prove that the second batch needs an inspection of its own."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.batch = "A"
    table.receive("A").inspect("A").shuffle().cut().fill("A").round()
    table.receive("B")
    table.batch = "B"
    table.shuffle().cut(5 if number in BLACKJACK else 7).fill("B").round().close()
    found = table.findings("cards_not_inspected", "cards_not_spread", "opening_step_missing")
    assert {each.weight for each in found} == {"mismatch"}
    assert len(found) == 5  # inspection, spread, and three steps
    assert cite in {each.citations[0] for each in found}


def idle(number: str, minutes: int, *steps: str, new_shoe: bool = True) -> Prepared:
    """Return a table where nobody played for so many minutes, and what was done with the cards then."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill().round()
    if new_shoe:
        table.finish()
    table.now += minutes * 60
    for step in steps:
        table.step(step, face="down" if step == "spread" else None)  # type: ignore[arg-type]  by its name
    if new_shoe:
        table.shuffle().cut(5 if number in BLACKJACK else 7).fill()
    table.round().close()
    return table


def prove_idle_spread(number: str, cite: str) -> None:
    """Prove that a pause beyond the house's setting, an hour, without a spread is undetermined."""
    check = "idle_cards_not_spread"
    assert idle(number, 50).findings(check) == []
    assert weighed(idle(number, 61).findings(check)) == [(check, "undetermined", (cite,))]
    # From opening to opening: an hour is none beyond the hour, a second more is.
    for seconds, expected in ((3600, []), (3601, [(check, "undetermined", (cite,))])):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().inspect().shuffle().cut().fill()
        opened_at = table.now + 5
        table.round()
        table.now = opened_at + seconds - 5
        table.round().close()
        found = table.findings(check)
        assert weighed(found) == expected, seconds
        assert [each.message.args["minutes"] for each in found] == [60] * len(expected)
    assert idle(number, 61, "spread", "washed", "stacked").findings(check) == []


def prove_idle_washed(number: str, cite: str) -> None:
    """Prove that cards which lay spread are washed and stacked again, and come into a shoe again."""
    check = "idle_cards_played_on"
    assert idle(number, 61, "spread", "washed", "stacked").findings(check) == []
    for done, lacking in (("washed", "stacked"), ("stacked", "washed")):
        (missing,) = idle(number, 61, "spread", done).findings(check)
        assert weighed([missing]) == [(check, "mismatch", (cite,))]
        assert missing.message.args["step"] == Word(lacking)
    found = idle(number, 61, "spread", new_shoe=False).findings(check)
    assert weighed(found) == [(check, "mismatch", (cite,))]
    # Where the terminal lacks a report, the cards of another shoe may have been spread.
    table = idle(number, 61, "spread", new_shoe=False)
    table.events.remove([each for each in table.events if isinstance(each, e.RoundClosed)][-1])
    assert weighed(table.findings(check)) == [(check, "undetermined", (cite,))]


def jammed(number: str, *, is_reshuffled: bool) -> Prepared:
    """Return a table whose shuffler jammed before its first shoe."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle()
    table.say("shuffler", e.DeviceStateReported, kind="shuffler", item="SH-1", state="jammed")
    if is_reshuffled:
        table.shuffle()
    table.cut().fill().round().close()
    return table


def prove_jam(number: str, cite: str) -> None:
    """Prove that cards are shuffled again after the shuffler jammed."""
    check = "jam_not_reshuffled"
    assert jammed(number, is_reshuffled=True).findings() == []
    assert weighed(jammed(number, is_reshuffled=False).findings()) == [(check, "mismatch", (cite,))]


def broken(number: str, *states: str) -> Prepared:
    """Return a table whose shuffler failed, went through states, and whose cards were shuffled by hand."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    for source, state in zip(("shuffler", "pit", "pit"), ("failed", *states), strict=False):
        table.say(source, e.DeviceStateReported, kind="shuffler", item="SH-1", state=state)
    table.receive().inspect().shuffle().cut().fill().round().close()
    return table


def prove_broken_shuffler(number: str, cite: str, *, is_removed: bool) -> None:
    """Prove that a broken shuffler is covered or marked, or removed, before a shuffle by hand."""
    check = "shuffler_not_marked"
    wrong = [(check, "mismatch", (cite,))]
    assert weighed(broken(number).findings()) == wrong
    assert weighed(broken(number, "out_of_order").findings()) == (wrong if is_removed else [])
    assert broken(number, "removed").findings() == broken(number, "working").findings() == []
    # It is asked of a shuffler, not of a dealing shoe that broke.
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill()
    table.say("pit", e.DeviceStateReported, kind="shoe", item="S-1", state="failed")
    table.round().finish().shuffle()
    assert table.cut(5 if number in BLACKJACK else 7).fill().round().close().findings(check) == []


def prove_reader_inspected(number: str, cite: str) -> None:
    """Prove that a floorperson inspects the card reader before the first round of each gaming day."""
    check = "reader_not_inspected"
    assert opened(number).findings() == []
    for fields in ({"by": DEALER}, {"passed": False}):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.inspect_reader(**fields).receive().inspect().shuffle().cut().fill().round().close()
        assert weighed(table.findings()) == [(check, "mismatch", (cite,))]
    table = Prepared(number)
    super(Prepared, table).open()
    table.sit().receive().inspect().shuffle().cut().fill().round().close()
    assert weighed(table.findings()) == [(check, "mismatch", (cite,))]
    unconnected = Prepared(number, without=("pit",))
    super(Prepared, unconnected).open()
    unconnected.sit().receive().fill().round().close()
    assert unconnected.findings(check) == []


def prove_reader_broken(number: str, cite: str) -> None:
    """Prove that no round begins while the card reader is broken."""
    for states, expected in (
        (("failed",), [("reader_broken", "mismatch", (cite,))]),
        (("failed", "working"), []),
        (("working",), []),
    ):
        table = Prepared(number).open().sit()
        assert isinstance(table, Prepared)
        table.receive().inspect().shuffle().cut().fill().round()
        for state in states:
            table.say("pit", e.DeviceStateReported, kind="card_reader", item="reader", state=state)
        table.round().close()
        assert weighed(table.findings()) == expected


def prove_opening(number: str, *cites: str) -> None:
    """Prove that an opening is clean as the text prints it, and that each part of it is asked for."""
    assert opened(number).findings() == []
    found = opened(number, omit="inspection spread turned washed stacked").findings()
    assert {each.citations[0] for each in found} == set(cites)
    assert {each.weight for each in found} == {"mismatch"}


def prove_shuffle_and_cut(number: str, *cites: str) -> None:
    """Prove that shuffle, cut and burn are clean as the text prints them, and that each is asked for."""
    assert opened(number).findings() == []
    steps = "shuffled second_shuffle shuffle_verified cut_offered cut_made burn"
    found = opened(number, omit=steps).findings()
    assert {each.citations[0] for each in found} == set(cites)
    assert {each.weight for each in found} == {"mismatch"}


def prove_tens_removed() -> None:
    """Prove that 24 10s are taken out of six decks of 52 cards, 551.4(b)."""
    for removed, expected in ((24, []), (23, [("551.4(b)",)]), (0, [("551.4(b)",)])):
        changed = {
            "receipt": {"figures": {"decks": 6, "cards_per_deck": 52}},
            "inspection": {"figures": {"decks": 6, "tens_removed": removed}},
        }
        found = opened("551", fields=changed).findings("tens_not_removed")
        assert [each.citations for each in found] == expected
        assert [text_of(each.message) for each in found] == [
            f"of the 10s of shoe 1 {removed} were reported taken out; 24 came with its decks"
        ] * len(expected)
    assert opened("551").findings("tens_not_removed") == []  # the decks came without


def prove_idle_exchanged(number: str, cite: str) -> None:
    """Prove that after a pause the batch of the shuffler comes into play, and not the one that lay out."""
    check = "idle_cards_played_on"
    assert two_batches(number, is_idle=True).findings(check) == []
    found = two_batches(number, second="A", is_idle=True).findings(check)
    assert weighed(found) == [(check, "mismatch", (cite,))]
    assert two_batches(number, second="A").findings(check) == []  # nothing lay out
