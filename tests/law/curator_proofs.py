"""Who deals from the shoe at a Baccarat table, and what its dealer calls, proved for 631a and 545."""

from typing import Any

from schemas import events as e
from schemas.values import Person
from tests.builders.texts import text_of
from tests.law.preparing import OTHER_DEALER, Prepared, weighed
from tests.law.procedure_table import DEALER, FLOORPERSON
from tests.law.round_steps import NO_MORE_BETS, RoundTable, at_terminal, card, lost, step


def offered(number: str, *seats: int, curator: int | None, designated: bool = False) -> Prepared:
    """Return a table whose new shoe was offered to these seats; players sit in 2, 5 and 7."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill()
    for seat in seats:
        table.step("shoe_offered", seat=seat)
    if designated:
        table.step("dealer_designated", seat=seats[-1])
    table.say("terminal", e.CuratorNamed, seat=curator)
    table.round()
    return table


def prove_shoe_offered(number: str, cite: str, dealer: str) -> None:
    """Prove that a new shoe is offered from seat 1 on, counterclockwise, and the dealer comes last."""
    wrong = "curator_order_wrong"
    for seats, curator, expected in (
        ((2,), 2, []),
        ((2, 5), 5, []),
        ((), 2, []),
        ((2, 5, 7), None, []),
        ((5,), 5, [(wrong, "mismatch", (cite,))]),
        ((2, 7), 7, [(wrong, "mismatch", (cite,))]),
        ((2, 5), None, [(wrong, "mismatch", (cite, dealer))]),
        ((), None, [(wrong, "mismatch", (cite, dealer))]),
    ):
        assert weighed(offered(number, *seats, curator=curator).close().findings()) == expected, (
            seats,
            curator,
        )


def prove_offers_told() -> None:
    """Prove that a finding says who was offered the shoe, and that the dealer took it where he did."""
    for seats, curator, told in (
        ((2, 7), 7, "seat 2, seat 7; the order is seat 2, seat 5, seat 7"),
        ((2, 5), None, "seat 2, seat 5, and the dealer took it; the order is seat 2, seat 5, seat 7"),
        ((), None, "nobody, and the dealer took it; the order is seat 2, seat 5, seat 7"),
    ):
        (found,) = offered("631a", *seats, curator=curator).close().findings()
        assert text_of(found.message) == f"the dealing shoe was offered to {told}"


def prove_dealer_designated(number: str) -> None:
    """Prove that a player who accepts the shoe may name the dealer, so that no other is asked."""
    assert offered(number, 2, curator=None, designated=True).close().findings() == []
    assert len(offered(number, 2, curator=None).close().findings()) == 1


def prove_shoe_passed(number: str, cite: str) -> None:
    """Prove that a shoe that is passed is offered to the curator's right and on, counterclockwise."""
    wrong = "curator_order_wrong"
    for seats, curator, expected in (
        ((7,), 7, []),
        ((7, 2), 2, []),
        ((7, 2), 5, []),  # nobody else took it
        ((), 5, []),  # he may remain, and is named once more
        ((2,), 2, [(wrong, "mismatch", (cite,))]),
        ((2, 7), 5, [(wrong, "mismatch", (cite,))]),
    ):
        table = offered(number, 2, 5, curator=5)
        for seat in seats:
            table.step("shoe_offered", seat=seat)
        table.say("terminal", e.CuratorNamed, seat=curator)
        table.round().close()
        assert weighed(table.findings()) == expected, seats
    # Who sits at 7 now was not reported, some rounds before.
    gone = RoundTable(number).begin().act(lost(at_terminal(e.PlayerLeft, seat=7))).deal().deal()
    gone.act(at_terminal(e.CuratorNamed, seat=5)).deal()
    gone.act(step("shoe_offered", seat=2), at_terminal(e.CuratorNamed, seat=2)).deal().close()
    found = gone.raised("curator_order_wrong")
    assert [(check, weight) for check, weight, _ in found] == [("curator_order_wrong", "undetermined")] * len(
        found
    )
    assert found[-1][2] == (cite,)


def prove_end_of_round_lost(number: str) -> None:
    """Prove that nobody is said to be passed over where the end of the round before was not reported.

    Then it is not known which offers belong to it: of a shoe that was loaded after it either.
    """
    for is_loaded, seats in ((True, (2,)), (True, (5,)), (False, (7,)), (False, (2,))):
        table = offered(number, 2, 5, curator=5)
        table.rounds += 1
        lost = str(table.rounds)
        table.say("terminal", e.RoundOpened, round=lost, shoe=table.shoe, heard=table.heard())
        table.say("terminal", e.RoundClosed, is_lost=True, round=lost, heard=table.heard())
        if is_loaded:
            table.receive().inspect().shuffle().cut().fill()
        table.now += 60  # longer than the reorder buffer waits
        table.say("terminal", e.DevicesPolled, heard=table.heard())
        for seat in seats:
            table.step("shoe_offered", seat=seat)
        table.say("terminal", e.CuratorNamed, seat=seats[-1])
        table.round().close()
        weights = {each.weight for each in table.findings("curator_order_wrong")}
        assert weights <= {"undetermined"}, (is_loaded, seats)
        is_wrong = seats == ((5,) if is_loaded else (2,))
        assert bool(weights) == is_wrong, (is_loaded, seats)


def prove_pass_ordered(number: str, cite: str) -> None:
    """Prove who may order the curator to pass the shoe."""
    clerk = Person("cleo", "pit_clerk")
    for by, expected in (
        (DEALER, []),
        (FLOORPERSON, []),
        (OTHER_DEALER, []),
        (clerk, [("pass_ordered_wrong", "mismatch", (cite,))]),
    ):
        table = offered(number, 2, curator=2)
        table.step("pass_ordered", by=by).step("shoe_offered", seat=5)
        table.say("terminal", e.CuratorNamed, seat=5)
        table.round().close()
        assert weighed(table.findings()) == expected


def called(number: str, *calls: tuple[str, float, int], cards: str = "7c 6d Kc Kd 2h") -> Prepared:
    """Return a table that made these calls in its second round, each so many seconds after "no more bets".

    A card is drawn 10, 20, 30, 40 and 50 seconds after it, to the Player's and Banker's Hand in turn. In the
    round before everything was called.
    """
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill()
    table.say("terminal", e.CuratorNamed, seat=2)
    right = (("cards_called", 5, 0), ("player", 45, 7), ("banker", 46, 6))
    for made in (right, calls):
        table.rounds += 1
        name = str(table.rounds)
        table.say("terminal", e.RoundOpened, round=name, shoe=table.shoe, heard=table.heard())
        table.say("terminal", e.WagersClosed, round=name)
        start = table.now
        acts: list[tuple[float, str, int]] = [(at, call, count) for call, at, count in made]
        acts += [(10.0 * (n + 1), card, n) for n, card in enumerate(cards.split())]
        for at, what, number_ in sorted(acts):
            table.now = start + at
            if what == "cards_called":
                table.step("cards_called", 0, round=name)
            elif what in ("player", "banker"):
                table.step("point_count_announced", 0, round=name, hand=what, count=number_)
            else:
                hand = ("player", "banker", "player", "banker", "player")[number_]
                table.say("shoe", e.CardDrawn, 0, round=name, hand=hand, card=what)
        table.say("terminal", e.RoundClosed, round=name, heard=table.heard())
    table.close()
    return table


COUNTS = (("player", 45.0, 7), ("banker", 46.0, 6))


def prove_cards_called(number: str, cite: str) -> None:
    """Prove that "cards" is called after "no more bets" and before the first card."""
    check = "cards_not_called"
    wrong = [(check, "mismatch", (cite,))]
    for at, expected in (
        (-0.3, wrong),
        (-0.2, []),
        (5.0, []),
        (9.7, []),
        (10.0, [(check, "undetermined", (cite,))]),
        (10.3, wrong),
    ):
        found = called(number, ("cards_called", at, 0), *COUNTS).findings(check)
        assert weighed(found) == expected, at
    assert weighed(called(number, *COUNTS).findings(check)) == wrong


def prove_bets_closed(number: str, cite: str) -> None:
    """Prove that "no more bets" comes before the first card, as far as the clocks prove it."""
    check = "dealt_too_early"
    wrong = [(check, "mismatch", (cite,))]
    four = ("4c", "6d", "3c", "Kd")

    def dealt(seconds: float, **table: Any) -> Any:
        made = Prepared(number, **table).open().sit().load()
        made.say("terminal", e.RoundOpened, round="1", shoe="1", heard=made.heard())
        for after, drawn in zip((10.0, 1.0, 1.0, 1.0), four, strict=True):
            made.say("shoe", e.CardDrawn, after, round="1", hand="player", card=drawn)
        made.say("terminal", e.WagersClosed, seconds - 3, round="1")
        made.now += 10 - seconds
        made.say("terminal", e.RoundClosed, round="1", heard=made.heard())
        return made.close().raised(check)

    for seconds, expected in ((-1.0, []), (0.2, []), (0.3, wrong), (20.0, wrong)):
        assert dealt(seconds) == expected, seconds
    assert dealt(20.0, without=("shoe",)) == []


def prove_point_counts(number: str, cite: str) -> None:
    """Prove that the Point Counts of 7 and 6 are called as such, before any third card."""
    check = "point_count_wrong"
    wrong = [(check, "mismatch", (cite,))]
    first = ("cards_called", 5.0, 0)
    for calls, expected in (
        (COUNTS, []),
        ((("player", 45.0, 8), ("banker", 46.0, 6)), wrong),
        ((("player", 45.0, 7), ("banker", 46.0, 5)), wrong),
        ((("player", 45.0, 7),), wrong),
        ((("player", 45.0, 7), ("banker", 50.2, 6)), []),
        ((("player", 45.0, 7), ("banker", 50.3, 6)), wrong),
    ):
        assert weighed(called(number, first, *calls).findings(check)) == expected, calls
    assert called(number, first, *COUNTS, cards="?c 6d Kc Kd 2h").findings(check) == []


def prove_called_seven(number: str, cite: str, cards: str) -> None:
    """Prove that two cards of the Player's Hand are rightly called 7, and not 8."""
    first, second = cards.split()
    calls, banker = ("cards_called", 5.0, 0), ("banker", 46.0, 6)
    for call, expected in ((7, []), (8, [("point_count_wrong", "mismatch", (cite,))])):
        round_called = called(number, calls, ("player", 45.0, call), banker, cards=f"{first} 6d {second} Kd")
        assert weighed(round_called.findings("point_count_wrong")) == expected, (cards, call)


# The Player's Hand has 7, the Banker's 6, 7 or 8; the outcome is announced accordingly.
PLAYED: dict[str, tuple[str, str, str, str]] = {
    "player": ("7c", "6d", "Kc", "Kd"),
    "tie": ("7c", "7d", "Kc", "Kd"),
    "banker": ("7c", "8d", "Kc", "Kd"),
}


def dealt_on(
    number: str,
    outcome: str,
    *after: tuple[str, type[Any], dict[str, Any]],
    curator: int | None = 2,
    call: str | None = None,
    void: bool = False,
    seats: tuple[int, ...] = (2, 5, 7),
    before: str = "",
    surplus: tuple[str, ...] = (),
    first: str | None = None,
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what is found where a round was dealt, these acts done, and another round opened.

    The Banker's Hand, which stays, gets the `surplus` cards. The Player's first card is read as `first`.
    """
    table = RoundTable(number, without=tuple(before.split())).open().load()
    assert isinstance(table, RoundTable)
    table.sit(*seats).say("terminal", e.CuratorNamed, seat=curator)
    faces = (first or PLAYED[outcome][0], *PLAYED[outcome][1:])
    cards = [card(("player", "banker")[place % 2], what) for place, what in enumerate(faces)]
    cards += [card("banker", what) for what in surplus]
    table.deal(NO_MORE_BETS, *cards, at_terminal(e.OutcomeAnnounced, outcome=call or outcome), void=void)
    table.act(*after).deal(NO_MORE_BETS).close()
    return table.raised("shoe_not_passed")


def prove_shoe_passed_on_loss(number: str, cite: str) -> None:
    """Prove that a player passes the shoe once the Banker's Hand has lost, 6 to 7, and not at 7 or 8 to 7."""
    wrong, doubt = ([("shoe_not_passed", weight, (cite,))] for weight in ("mismatch", "undetermined"))
    same, other, dealer = (at_terminal(e.CuratorNamed, seat=seat) for seat in (2, 5, None))
    declined = [step("shoe_declined", seat=seat) for seat in (5, 7)]
    assert dealt_on(number, "player") == wrong
    assert dealt_on(number, "player", same) == wrong
    assert dealt_on(number, "player", declined[0]) == wrong
    assert dealt_on(number, "player", call="panda_8") == wrong
    assert dealt_on(number, "tie") == dealt_on(number, "banker") == []
    assert dealt_on(number, "player", other) == dealt_on(number, "player", dealer) == []
    # What the Banker's Hand draws on 7 or 6 is left out: 7 to 7 and not to 1, 7 to 6 and not to 8.
    assert dealt_on(number, "tie", call="player", surplus=("4d",)) == []
    assert dealt_on(number, "player", surplus=("2d",)) == wrong
    assert dealt_on(number, "player", curator=None) == []
    assert dealt_on(number, "player", void=True) == []
    assert dealt_on(number, "player", call="banker") == []  # cards and call differ: another finding
    # The call alone says that the Banker's Hand lost, and may be wrong.
    assert (
        dealt_on(number, "player", first="?c")
        == dealt_on(number, "banker", first="?c", call="player")
        == doubt
    )
    assert dealt_on(number, "player", *declined, same) == doubt
    assert dealt_on(number, "player", seats=(2,)) == doubt
    assert dealt_on(number, "player", lost(other)) == doubt
    assert dealt_on(number, "player", lost(declined[1])) == doubt
    assert dealt_on(number, "player", at_terminal(e.PlayerLeft, seat=2)) == []
    assert dealt_on(number, "player", before="pit") == []
    loaded = ("shoe", e.ShoeLoaded, {"shoe": "2", "decks": 8})
    assert dealt_on(number, "player", loaded) == []
