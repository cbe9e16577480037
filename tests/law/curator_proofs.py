"""Who deals from the shoe at a Baccarat table, and what its dealer calls, proved for 631a and 545."""

from typing import Any, Final

from schemas import events as e
from schemas.values import Person
from tests.builders.texts import text_of
from tests.law.preparing import OTHER_DEALER, Prepared, weighed
from tests.law.procedure_table import DEALER, FLOORPERSON
from tests.law.round_steps import NO_MORE_BETS, Act, RoundTable, at_once, at_terminal, card, lost, step


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
        (OTHER_DEALER, [("pass_ordered_wrong", "mismatch", (cite,))]),  # does not call the game
        (clerk, [("pass_ordered_wrong", "mismatch", (cite,))]),
    ):
        table = offered(number, 2, curator=2)
        table.step("pass_ordered", by=by).step("shoe_offered", seat=5)
        table.say("terminal", e.CuratorNamed, seat=5)
        table.round().close()
        assert weighed(table.findings()) == expected
    doubt = [("pass_ordered_wrong", "undetermined", (cite,))]
    for crew, by, expected in (
        ([], None, doubt),  # nobody knows who ordered it
        ([at_terminal(e.DealerRelieved, dealer=DEALER.name)], DEALER, doubt),  # or who calls the game
        (
            [at_terminal(e.DealerAssigned, dealer=OTHER_DEALER.name)],
            OTHER_DEALER,
            [("pass_ordered_wrong", "mismatch", (cite,))],
        ),
        ([at_terminal(e.DealerAssigned, dealer=OTHER_DEALER.name, calling=True)], OTHER_DEALER, []),
        ([lost(at_terminal(e.DealerAssigned, dealer=OTHER_DEALER.name, calling=True))], OTHER_DEALER, doubt),
    ):
        changed = RoundTable(number).begin().act(at_terminal(e.CuratorNamed, seat=2)).deal().act(*crew)
        changed.act(step("pass_ordered", by=by), step("shoe_offered", seat=5)).act(
            at_terminal(e.CuratorNamed, seat=5)
        ).deal().close()
        assert changed.raised("pass_ordered_wrong") == expected, (crew, by)


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
    # Which of the ten-value cards it is does not matter: 7 and 0.
    eight = (("player", 45.0, 8), ("banker", 46.0, 6))
    assert weighed(called(number, first, *eight, cards="7c 6d 0? Kd").findings(check)) == wrong
    assert called(number, first, *COUNTS, cards="7c 6d 0? Kd").findings(check) == []


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
    # The cards decide, whatever was called; where the call is otherwise, one of both is wrong.
    assert dealt_on(number, "player", call="banker") == dealt_on(number, "player", call="tie") == doubt
    assert dealt_on(number, "banker", call="player") == dealt_on(number, "tie", call="player") == []
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


def dealt_again(
    number: str,
    cards: str,
    *after: Act,
    call: str | None = None,
    next_round: tuple[Act, ...] = (NO_MORE_BETS,),
    is_void: bool = False,
    ran_out: bool = False,
) -> list[str]:
    """Return the weight of each finding that a player kept the shoe, who had dealt these cards."""
    table = dealing_again(
        number, cards, *after, call=call, next_round=next_round, is_void=is_void, ran_out=ran_out
    )
    return [weight for _, weight, _ in table.raised("shoe_not_passed")]


def dealing_again(
    number: str,
    cards: str,
    *after: Act,
    call: str | None = None,
    next_round: tuple[Act, ...] = (NO_MORE_BETS,),
    is_void: bool = False,
    ran_out: bool = False,
) -> RoundTable:
    """Return a table at which a player dealt these cards, and dealt on.

    `PAc` is a card for the Player's Hand, `B7d` one for the Banker's. He sits at 2, others at 5 and 7. The
    acts are done, and the next round is played, or called void.
    """
    hands = {"P": "player", "B": "banker"}
    table = RoundTable(number).begin().act(at_terminal(e.CuratorNamed, seat=2))
    dealt = [card(hands[each[0]], each[1:]) for each in cards.split()]
    called = [at_terminal(e.OutcomeAnnounced, outcome=call)] if call is not None else []
    exhausted: list[Act] = [("shoe", e.ShoeExhausted, {})] if ran_out else []
    table.deal(NO_MORE_BETS, *dealt, *exhausted, *called)
    table.act(*after).deal(*next_round, void=is_void).close()
    return table


CALLS: Final = (None, "player", "banker", "tie")


def prove_loss_unsettled(number: str) -> None:
    """Prove that it is undetermined whether the shoe had to pass after hands that no text settles."""
    for cards in (
        "P2c BAd PKc BKd",  # both hands are to draw, and did not
        "P5c B7d PKc BKd",  # the Player's Hand is to draw: 5 of its cards would win, 7 lose
        "P7c B5d PKc BKd",  # the Banker's Hand is to draw
        "P4c P3c B6d BKd",  # two cards running
        "B6d P4c BKd P3c",  # the Banker's Hand first
        "P7c B2d PKc",  # the fourth card was not dealt
        "P2c B2d PKc BKd B5h P4h",  # the Banker's third card first
    ):
        for call in CALLS:
            assert dealt_again(number, cards, call=call) == ["undetermined"], (cards, call)
    # Cards that run out make the round void, called so or not.
    assert dealt_again(number, "P2c BAd PKc BKd", ran_out=True) == []


def prove_loss_after_surplus_third(number: str, *, is_settled: bool) -> None:
    """Prove who won where the Player's Hand, which stays, got a third card.

    If the Banker's Hand draws, the card is its third; by a chapter of 2010 if it was not disclosed. Nobody
    reports whether it was, so that there it is not settled. If the Banker's Hand stays, it counts for nobody.
    """
    for cards, has_lost in (
        ("P7c B2d PKc BKd P4d", True),  # 7 to 2 and 4
        ("P6c B5d PKc BKd P3d", False),  # 6 to 5 and 3
        ("P7c B3d PKc BKd P4d", False),  # 7 to 3 and 4
    ):
        settled = ["mismatch"] if has_lost else []
        assert dealt_again(number, cards) == (settled if is_settled else ["undetermined"]), cards
    for call in ("player", "banker"):
        if not is_settled:
            assert dealt_again(number, "P7c B2d PKc BKd P4d", call=call) == ["undetermined"]
    assert dealt_again(number, "P7c B6d PKc BKd P3d", call="player") == ["mismatch"]  # 7 to 6
    assert dealt_again(number, "P6c B7d PKc BKd P3d", call="banker") == []  # 6 to 7, not 9 to 7


def prove_loss_settled(number: str) -> None:
    """Prove that cards beyond what a hand may have do not leave open who won."""
    # A second third card: 2 and 5 are 7, to 6; with the 9 it would be a tie. The other way 5 to 7.
    assert dealt_again(number, "P2c B6d PKc BKd P5h P9h") == ["mismatch"]
    assert dealt_again(number, "P2c B7d PKc BKd P3h P4h") == []
    # A card after a Natural: 8 to 7, and not to 9.
    assert dealt_again(number, "P8c B7d PKc BKd B2d") == ["mismatch"]


def prove_loss_unread(number: str) -> None:
    """Prove what a card that was not read leaves open, and what it does not."""
    assert dealt_again(number, "P?c B6d PKc BKd") == ["undetermined"]
    assert dealt_again(number, "P?c B6d PKc BKd", call="player") == ["undetermined"]
    assert dealt_again(number, "P?c B6d PKc BKd", call="banker") == []
    # The Banker's Natural of 9 loses to nothing.
    assert (
        dealt_again(number, "P?c B9d PKc BKd") == dealt_again(number, "P?c B9d PKc BKd", call="player") == []
    )
    # A ten or a face card counts nothing, whichever it is: 7 to 6.
    assert dealt_again(number, "P7c B6d P0? BKd") == ["mismatch"]


def prove_offered_to_all(number: str) -> None:
    """Prove that a shoe which everybody was offered may stay, and one which few were offered may not."""
    to = {seat: step("shoe_offered", seat=seat) for seat in (2, 5, 7)}
    refused = {seat: step("shoe_declined", seat=seat) for seat in (5, 7)}
    remains = at_terminal(e.CuratorNamed, seat=2)
    arrives, leaves = at_terminal(e.PlayerSeated, seat=9), at_terminal(e.PlayerLeft, seat=7)
    designated = step("dealer_designated", seat=2)
    open_, wrong = ["undetermined"], ["mismatch"]
    for acts, expected in (
        ([to[5], to[7]], open_),
        ([to[5], to[7], remains], open_),
        ([to[5], refused[5], to[7], refused[7]], open_),
        ([to[5], refused[5], to[7], refused[7], arrives], open_),  # nobody had to ask him
        ([to[5], refused[5], leaves], open_),
        ([arrives, to[5], to[7], remains], wrong),
        ([to[5], refused[5]], wrong),
        ([to[5], refused[5], remains], wrong),
        ([to[5], remains], wrong),  # he was named once more, so that 5 did not take it
        ([to[5]], open_),  # what 5 said is not reported
        ([lost(to[5])], open_),
        ([designated], open_),  # the dealer may have dealt
        ([designated, at_terminal(e.CuratorNamed, seat=None)], []),
        ([designated, remains], wrong),
        ([arrives], wrong),
        ([], wrong),
    ):
        assert dealt_again(number, "P7c B6d PKc BKd", *acts) == expected, acts


def prove_passed_before_first_card(number: str) -> None:
    """Prove that the shoe may pass until the first card of the next round, as far as the clocks tell."""
    other = at_terminal(e.CuratorNamed, seat=5)
    first = card("player", "4c")
    cards = "P7c B6d PKc BKd"
    for naming, expected in (
        ((other, first), []),
        ((first, other), ["mismatch"]),
        ((first, at_once(other)), ["undetermined"]),
        ((first,), ["mismatch"]),
        ((at_terminal(e.PlayerLeft, seat=2), first), []),
        ((at_terminal(e.PlayerLeft, seat=5), first), ["mismatch"]),
    ):
        for before in ((), (at_terminal(e.PlayerSeated, seat=9),)):
            found = dealt_again(number, cards, *before, next_round=(NO_MORE_BETS, *naming))
            assert found == expected, (before, naming)
    # A round that was called void before its first card was dealt by nobody.
    assert dealt_again(number, cards, is_void=True) == []
    assert dealt_again(number, cards, next_round=(NO_MORE_BETS, first), is_void=True) == ["mismatch"]


def prove_dealer_keeps_shoe(number: str) -> None:
    """Prove that a dealer who acts as curator deals on after the Banker's Hand lost."""
    table = offered(number, 2, 5, 7, curator=None)
    for _ in range(2):
        table.rounds += 1
        name = str(table.rounds)
        table.say("terminal", e.RoundOpened, round=name, shoe=table.shoe, heard=table.heard())
        for hand, what in (("player", "7c"), ("banker", "6d"), ("player", "Kc"), ("banker", "Kd")):
            table.say("shoe", e.CardDrawn, round=name, hand=hand, card=what)
        table.say("terminal", e.RoundClosed, round=name, heard=table.heard())
    assert table.close().findings("shoe_not_passed") == []


def prove_order_obeyed(number: str, loss: str, order: str) -> None:
    """Prove that a player passes the shoe once somebody who may order it has ordered it, whoever won."""
    tie, won = "P7c B7d PKc BKd", "P7c B6d PKc BKd"
    ordered = step("pass_ordered", by=FLOORPERSON)
    other = at_terminal(e.CuratorNamed, seat=5)
    for acts, expected in (
        ((ordered,), ["mismatch"]),
        ((step("pass_ordered", by=DEALER),), ["mismatch"]),
        ((step("pass_ordered", by=Person("cleo", "pit_clerk")),), []),  # who may not order it
        ((step("pass_ordered"),), []),  # nobody knows who ordered it
        ((ordered, other), []),
        ((ordered, *(step("shoe_offered", seat=seat) for seat in (5, 7))), ["undetermined"]),
        ((), []),
    ):
        assert dealt_again(number, tie, *acts) == expected, acts
    for cards, cite in ((tie, order), (won, loss)):
        assert dealing_again(number, cards, ordered).raised("shoe_not_passed") == [
            ("shoe_not_passed", "mismatch", (cite,))
        ]
    # Who is ordered to as he deals a round finishes it; in the round after the next one it is over.
    table = RoundTable(number).begin().act(at_terminal(e.CuratorNamed, seat=2))
    assert isinstance(table, RoundTable)
    for acts in ((NO_MORE_BETS, ordered), (NO_MORE_BETS,), (NO_MORE_BETS,)):
        table.deal(*acts)
    assert [each.who for each in table.close().findings("shoe_not_passed")] == ["round 2"]


def offers_weighed(number: str, *acts: Act, curator: int | None = None) -> list[tuple[str, tuple[str, ...]]]:
    """Return what is found of the offers among these acts, at a new shoe or where a curator passes his.

    Players sit at 2, 5 and 7.
    """
    table = RoundTable(number).begin()
    if curator is not None:
        table.act(*(step("shoe_offered", seat=seat) for seat in (2, 5, 7) if seat <= curator))
        table.act(at_terminal(e.CuratorNamed, seat=curator)).deal()
    table.act(*acts).deal().close()
    return [(weight, cites) for _, weight, cites in table.raised("curator_order_wrong")]


def prove_offered_to_who_is_there(number: str, new: str, passed: str, dealer: str) -> None:
    """Prove that the shoe is offered by who is there at each offer, and taken by who was asked last."""
    to = {seat: step("shoe_offered", seat=seat) for seat in (2, 3, 5, 7, 9)}
    named = {seat: at_terminal(e.CuratorNamed, seat=seat) for seat in (2, 5, 7, None)}
    comes = {seat: at_terminal(e.PlayerSeated, seat=seat) for seat in (3, 5, 9)}
    goes = {seat: at_terminal(e.PlayerLeft, seat=seat) for seat in (2, 5, 7)}
    loaded: Act = ("shoe", e.ShoeLoaded, {"shoe": "2", "decks": 8})
    wrong, by_dealer = [("mismatch", (new,))], [("mismatch", (new, dealer))]
    wrongly_passed, open_, right = [("mismatch", (passed,))], [("undetermined", (new,))], []
    for acts, curator, expected in (
        # Who has refused may leave, and who leaves is not asked.
        ([to[2], goes[2], to[5], named[5]], None, right),
        ([to[2], goes[5], to[7], named[7]], None, right),
        ([to[2], comes[3], to[5], named[5]], None, wrong),
        ([to[2], to[5], comes[3], to[7], named[7]], None, right),  # he came once his turn was over
        ([to[2], to[5], comes[3], to[7], named[None]], None, right),
        ([to[2], at_once(comes[3]), to[5], named[5]], None, wrong),
        ([to[2], comes[3], at_once(to[5]), named[5]], None, open_),
        ([to[2], to[5], comes[9], to[7], named[None]], None, by_dealer),
        ([to[2], to[5], to[7], comes[9], named[None]], None, [("undetermined", (new, dealer))]),
        # The first who accepts is curator, and nobody else was asked after him.
        ([to[2], to[5], named[2]], None, wrong),
        ([to[2], to[2], to[5], named[5]], None, right),
        ([to[2], to[5], to[7], named[2]], None, right),  # a second time round
        ([to[2], to[5], to[7], to[2], to[5], named[5]], None, right),
        ([to[2], to[5], to[7], to[5], named[5]], None, wrong),
        # Who names the dealer has accepted the shoe.
        ([to[2], step("dealer_designated", seat=7), named[None]], None, by_dealer),
        ([to[2], to[5], step("dealer_designated", seat=5), named[None]], None, right),
        ([to[2], to[5], step("dealer_designated", seat=2), named[None]], None, by_dealer),
        # A shoe that is passed.
        ([step("dealer_designated", seat=5), named[None]], 5, right),
        ([to[7], loaded, to[2], named[2]], 5, right),  # the new one is another shoe
        ([to[7], to[2], loaded, named[7]], 5, wrong),
        ([goes[5], to[7], to[2], named[2]], 5, right),
        ([goes[5], comes[5], to[7], to[2], to[5], named[5]], 5, right),  # another player at 5
        ([goes[5], comes[5], named[5]], 5, wrongly_passed),
        ([goes[5], comes[5], to[7], to[2], named[None]], 5, [("mismatch", (passed, dealer))]),
    ):
        assert offers_weighed(number, *acts, curator=curator) == expected, (acts, curator)


def prove_dealer_remains(number: str, cite: str) -> None:
    """Prove that a dealer who acts as curator may remain, and passes the shoe to the lowest seat first."""
    for acts, expected in (
        ([at_terminal(e.CuratorNamed, seat=None)], []),
        ([step("shoe_offered", seat=2), at_terminal(e.CuratorNamed, seat=2)], []),
        (
            [step("shoe_offered", seat=5), at_terminal(e.CuratorNamed, seat=5)],
            [("curator_order_wrong", "mismatch", (cite,))],
        ),
    ):
        table = RoundTable(number).begin().act(*(step("shoe_offered", seat=seat) for seat in (2, 5, 7)))
        table.act(at_terminal(e.CuratorNamed, seat=None)).deal().act(*acts).deal().close()
        assert table.raised("curator_order_wrong") == expected, acts


def prove_no_offers_reported(number: str) -> None:
    """Prove that a house without a pit terminal, where no offer is reported, has no curator out of order."""
    table = RoundTable(number, without=("pit",)).begin()
    table.act(at_terminal(e.CuratorNamed, seat=5)).deal().act(at_terminal(e.CuratorNamed, seat=2))
    assert table.deal().close().raised("curator_order_wrong") == []


def prove_curator_left_before_a_round(number: str, cite: str) -> None:
    """Prove that a player who came to the seat of a curator who left is asked last, also a round later."""
    for seats, curator, expected in (
        ((7, 2, 5), 5, []),
        ((7,), 7, []),
        ((), 5, [("curator_order_wrong", "mismatch", (cite,))]),
        ((5,), 5, [("curator_order_wrong", "mismatch", (cite,))]),
    ):
        table = RoundTable(number).begin().act(*(step("shoe_offered", seat=seat) for seat in (2, 5)))
        table.act(at_terminal(e.CuratorNamed, seat=5)).deal()
        table.act(at_terminal(e.PlayerLeft, seat=5), at_terminal(e.PlayerSeated, seat=5)).deal()
        table.act(*(step("shoe_offered", seat=seat) for seat in seats))
        table.act(at_terminal(e.CuratorNamed, seat=curator)).deal().close()
        assert table.raised("curator_order_wrong") == expected, seats


def prove_newcomer_told() -> None:
    """Prove that a player who came to the seat of a curator who left is the last in the order."""
    table = offered("631a", 2, 5, curator=5)
    table.say("terminal", e.PlayerLeft, seat=5)
    table.say("terminal", e.PlayerSeated, seat=5)
    for seat in (7, 2):
        table.step("shoe_offered", seat=seat)
    table.say("terminal", e.CuratorNamed, seat=None)
    (found,) = table.round().close().findings()
    assert text_of(found.message) == (
        "the dealing shoe was offered to seat 7, seat 2, and the dealer took it; "
        "the order is seat 7, seat 2, seat 5"
    )
