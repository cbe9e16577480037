"""Who turns the cards of a Baccarat hand, how they are laid, and how they leave the layout."""

from typing import Any

from schemas import events as e
from schemas.house import ProcedureSettings
from schemas.values import Person
from tests.builders.texts import text_of
from tests.law.preparing import weighed
from tests.law.procedure_table import DEALER, FLOORPERSON
from tests.law.round_steps import (
    CHIPS,
    FOUR_CARDS,
    NO_MORE_BETS,
    Act,
    RoundTable,
    at_terminal,
    card,
    chips,
    lost,
    step,
)

# Seats 2 and 5 have $100 on the Player's Hand, seat 7 has $50; on the Banker's Hand seat 5 has $20.
WAGERS = (
    chips(2, "player", 10000),
    chips(5, "player", 10000),
    chips(7, "player", 5000),
    chips(5, "banker", 2000),
)
SMALLER = (chips(2, "player", 10000), chips(5, "player", 9999), chips(5, "banker", 2000))
PLAYER = (step("hand_passed", hand="player", seat=2), step("hand_returned", hand="player", seat=2, face="up"))
BANKER = (step("hand_passed", hand="banker", seat=5), step("hand_returned", hand="banker", seat=5, face="up"))
TUCKED = step("hand_tucked", hand="banker")
CHECK = "turned_by_other"


def turned(
    number: str, *acts: Act, wagers: tuple[Act, ...] = WAGERS, before: str = "", **house: Any
) -> RoundTable:
    """Return a table at which all was done rightly in a first round, and these acts in a second."""
    table = RoundTable(number, without=tuple(before.split()), **house).begin()
    table.deal(*WAGERS, NO_MORE_BETS, *FOUR_CARDS, TUCKED, *PLAYER, *BANKER)
    table.deal(*wagers, NO_MORE_BETS, *FOUR_CARDS, *acts)
    table.close()
    return table


def passed(hand: str, seat: int | None) -> Act:
    return step("hand_passed", hand=hand, seat=seat)


def prove_highest(number: str, cite: str, hand: str) -> None:
    """Prove that a hand goes to the highest wager on it: 10000 before 9999, and to nobody else."""
    right = {"player": passed("player", 2), "banker": passed("banker", 5)}
    wrong = {"player": passed("player", 5), "banker": passed("banker", 2)}
    other = right["banker" if hand == "player" else "player"]
    mismatch = [(CHECK, "mismatch", (cite,))]
    assert turned(number, TUCKED, right[hand], other, wagers=SMALLER).raised(CHECK) == []
    assert turned(number, TUCKED, wrong[hand], other, wagers=SMALLER).raised(CHECK) == mismatch
    assert turned(number, TUCKED, other, wagers=SMALLER).raised(CHECK) == mismatch
    unseen = turned(number, TUCKED, lost(right[hand]), other, wagers=SMALLER)
    assert unseen.raised(CHECK) == [(CHECK, "undetermined", (cite,))]
    assert turned(number, TUCKED, other, wagers=SMALLER, before="pit").raised(CHECK) == []
    unnamed = turned(number, TUCKED, passed(hand, None), other, wagers=SMALLER)
    assert unnamed.raised(CHECK) == [(CHECK, "undetermined", (cite,))]
    assert "handed to a seat that was not reported; seat " in text_of(unnamed.findings(CHECK)[0].message)
    # What is wagered once the cards were handed over makes nobody else's wager the highest.
    more = chips(7, hand, 20000)
    assert turned(number, TUCKED, right[hand], more, other, wagers=SMALLER).raised(CHECK) == []
    assert turned(number, TUCKED, more, right[hand], other, wagers=SMALLER).raised(CHECK) == mismatch
    down = step("hand_returned", hand=hand, face="down")
    assert turned(number, TUCKED, right[hand], other, down, wagers=SMALLER).raised(CHECK) == mismatch
    # Whose wager is the highest is open where the second reader saw another sum than the chip reader.
    mine = stack(2, "player", 10000) if hand == "player" else stack(5, "banker", 2000)
    nothing = stack(4, hand, 0)  # where nobody had wagered
    for seen, weight in (
        (mine, "mismatch"),
        (nothing, "mismatch"),
        (stack(2, hand, 9000), "undetermined"),
        (stack(4, hand, 500), "undetermined"),
    ):
        acts = (seen, TUCKED, wrong[hand], other)
        table = turned(number, *acts, wagers=SMALLER, readers=CHIPS | {"V": "camera"})
        assert table.raised(CHECK) == [(CHECK, weight, (cite,))]


def stack(seat: int, wager: str, cents: int) -> Act:
    """Return a stack as the second reader sees it."""
    return "camera", e.StackSeen, {"seat": seat, "wager": wager, "cents": cents}


def prove_equal(number: str, cite: str) -> None:
    """Prove that of equal highest wagers the nearest to the dealer, counterclockwise, turns the cards."""
    for seat, expected in ((2, []), (5, [(CHECK, "mismatch", (cite,))])):
        assert turned(number, TUCKED, passed("player", seat), passed("banker", 5)).raised(CHECK) == expected


def prove_third(number: str, cite: str, hand: str) -> None:
    """Prove that a third card goes to the player who turned the hand."""
    right = 2 if hand == "player" else 5
    for seat, expected in ((right, []), (7, [(CHECK, "mismatch", (cite,))])):
        third = step("third_card_passed", hand=hand, seat=seat)
        found = turned(number, TUCKED, *PLAYER, *BANKER, card(hand, "2h"), third).raised(CHECK)
        assert found == expected, seat
    for by, to in ((right, None), (None, 7)):
        acts = passed(hand, by), card(hand, "2h"), step("third_card_passed", hand=hand, seat=to)
        found = turned(number, TUCKED, *(BANKER if hand == "player" else PLAYER), *acts).findings(CHECK)
        (third,) = (each for each in found if "third card" in text_of(each.message))
        assert (third.weight, third.citations) == ("undetermined", (cite,))
        assert "a seat that was not reported" in text_of(third.message)
    # Where the hand went on from one player to another, the last of them turned it.
    first = 7 if hand == "player" else 2
    for to, expected in ((right, 0), (first, 1)):
        acts = passed(hand, first), passed(hand, right), card(hand, "2h")
        found = turned(number, TUCKED, *acts, step("third_card_passed", hand=hand, seat=to)).findings(CHECK)
        others = [each for each in found if each.message.code == "procedures.checks.third_card_to_other"]
        assert weighed(others) == [(CHECK, "mismatch", (cite,))] * expected, to
    # Of a table that has handed one on before, one that nobody was handed is found too.
    third, drawn = step("third_card_passed", hand=hand, seat=right), card(hand, "2h")
    wrong = (CHECK, "mismatch", (cite,))
    for acts, expected in (
        ((drawn, third), []),
        ((drawn,), [wrong]),
        ((), []),
        ((drawn, lost(third)), [(CHECK, "undetermined", (cite,))]),
    ):
        table = RoundTable(number).begin()
        table.deal(*WAGERS, NO_MORE_BETS, *FOUR_CARDS, TUCKED, *PLAYER, *BANKER, drawn, third)
        table.deal(*WAGERS, NO_MORE_BETS, *FOUR_CARDS, TUCKED, *PLAYER, *BANKER, *acts)
        table.close()
        assert table.raised(CHECK) == expected, acts
    # A hand of whose cards one alone was read has no third, though the other hand got one.
    other, seat = ("banker", 5) if hand == "player" else ("player", 2)
    unread = [lost(each) if each[2]["hand"] == hand else each for each in FOUR_CARDS[:2]]
    handed = card(other, "2h"), step("third_card_passed", hand=other, seat=seat)
    table = RoundTable(number).begin()
    table.deal(*WAGERS, NO_MORE_BETS, *FOUR_CARDS, TUCKED, *PLAYER, *BANKER, drawn, third)
    table.deal(*WAGERS, NO_MORE_BETS, *unread, *FOUR_CARDS[2:], TUCKED, *PLAYER, *BANKER, *handed)
    assert table.close().raised(CHECK) == []


def prove_no_wager(number: str, cite: str) -> None:
    """Prove that the dealer turns a hand on which nobody wagered."""
    wagers = (chips(2, "player", 10000),)
    assert turned(number, TUCKED, passed("player", 2), wagers=wagers).raised(CHECK) == []
    for seat, to in ((2, "seat 2"), (None, "a seat that was not reported")):  # none is right
        found = turned(number, TUCKED, passed("player", 2), passed("banker", seat), wagers=wagers)
        assert found.raised(CHECK) == [(CHECK, "mismatch", (cite,))]
        assert f"handed to {to}, and nobody had wagered" in text_of(found.findings(CHECK)[0].message)
    unread = (*wagers, lost(chips(2, "banker", 2000)))
    unsure = turned(number, TUCKED, passed("player", 2), passed("banker", 2), wagers=unread)
    assert unsure.raised(CHECK) == [(CHECK, "undetermined", (cite,))]


def prove_tucked(number: str, cite: str) -> None:
    """Prove that the Banker's Hand lies under the shoe before the Player's Hand is turned."""
    way = ProcedureSettings(dealing={number: "players"})
    check = "dealt_otherwise"
    wrong = [(check, "mismatch", (cite,))]
    acts = (*PLAYER, *BANKER)
    assert turned(number, TUCKED, *acts, procedures=way).raised(check) == []
    assert turned(number, *acts, procedures=way).raised(check) == wrong
    assert turned(number, *acts, TUCKED, procedures=way).raised(check) == wrong
    assert turned(number, lost(TUCKED), *acts, procedures=way).raised(check) == [
        (check, "undetermined", (cite,))
    ]
    assert turned(number, *acts).raised(check) == []  # no way is in the house file


def prove_side(number: str, way: str, cite: str) -> None:
    """Prove which side of the first four cards is up, in the way of the Rules Submission."""
    check = "dealt_otherwise"
    settings = ProcedureSettings(dealing={number: way})  # type: ignore[dict-item]
    right, wrong = ("up", "down") if way == "face_up" else ("down", "up")
    tail = () if way == "face_up" else (TUCKED, step("point_count_announced", hand="player", count=7))
    for faces, expected in (
        ((right,) * 4, []),
        ((*(right,) * 3, wrong), [(check, "mismatch", (cite,))]),
        ((*(right,) * 4, wrong), []),  # a third card is another provision's
    ):
        laid = tuple(step("card_laid", hand="player", face=face) for face in faces)
        table = RoundTable(number, procedures=settings).begin()
        table.deal(NO_MORE_BETS, *FOUR_CARDS, *laid, *tail).close()
        assert table.raised(check) == expected, faces
    # Of five cards the second was not reported: the last, a third card, stands as the fourth.
    laid = tuple(step("card_laid", hand="player", face=face) for face in (*(right,) * 4, wrong))
    table = RoundTable(number, procedures=settings).begin()
    table.deal(NO_MORE_BETS, *FOUR_CARDS, laid[0], lost(laid[1]), *laid[2:], *tail).close()
    assert table.raised(check) == [(check, "undetermined", (cite,))]


def prove_turn_offered(number: str, cite: str) -> None:
    """Prove that a right to turn that was given up or taken goes to the right, seat by seat, and by whom."""
    check = "turn_offer_wrong"
    wrong = [(check, "mismatch", (cite,))]
    clerk = Person("cleo", "pit_clerk")
    given_up = step("turn_relinquished", hand="player", seat=2)
    offers = {seat: step("turn_offered", hand="player", seat=seat) for seat in (2, 5, 7)}
    for acts, expected in (
        ((given_up, passed("player", 5)), []),
        ((given_up, offers[5], passed("player", 7)), []),
        ((given_up, offers[5], offers[7]), []),  # nobody took it: the dealer turns
        ((given_up, passed("player", 7)), wrong),
        ((given_up, offers[7], passed("player", 5)), wrong),
        ((given_up, offers[5]), wrong),
        ((step("turn_relinquished", hand="player", seat=2, by=DEALER), passed("player", 5)), []),
        ((step("turn_relinquished", hand="player", seat=2, by=FLOORPERSON), passed("player", 5)), []),
        ((step("turn_relinquished", hand="player", seat=2, by=clerk), passed("player", 5)), wrong),
    ):
        found = turned(number, TUCKED, *acts, passed("banker", 5))
        assert found.raised(check, CHECK) == expected, acts
    # Who sat down before the first round, or after the last one, is in the order.
    given = (NO_MORE_BETS, *FOUR_CARDS, TUCKED, given_up, passed("player", 5), passed("banker", 5))
    first = RoundTable(number).begin().deal(*WAGERS, *given).close()
    assert first.raised(check) == []
    late = RoundTable(number).begin().deal(NO_MORE_BETS).sit(3).deal(*WAGERS, *given).close()
    assert late.raised(check) == wrong
    unseen = turned(number, TUCKED, given_up, lost(offers[5]), passed("player", 7), passed("banker", 5))
    assert unseen.raised(check) == [(check, "undetermined", (cite,))]


def prove_cleared(number: str, cite: str, *, in_order: bool) -> None:
    """Prove that the four cards of a round leave the layout together, in order where the text says so."""
    check = "cards_not_cleared"
    wrong = [(check, "mismatch", (cite,))]
    hands = ("player", "banker") if number in ("541", "543", "545", "631a") else ("seat2", "dealer")
    four = tuple(card(hands[place % 2], what) for place, what in enumerate(("4c", "6d", "3c", "Kd")))

    def cleared(*acts: Act) -> list[tuple[str, str, tuple[str, ...]]]:
        table = RoundTable(number).begin()
        table.deal(NO_MORE_BETS, *four, step("cards_cleared", count=4)).deal(NO_MORE_BETS, *four, *acts)
        table.close()
        return table.raised(check)

    assert cleared(step("cards_cleared", count=4)) == []
    assert cleared(step("cards_cleared", count=3)) == wrong
    assert cleared(step("cards_cleared", count=5)) == wrong
    assert cleared() == wrong
    assert cleared(lost(step("cards_cleared", count=4))) == [(check, "undetermined", (cite,))]
    # Of a void round nothing is due: it may have been one whose report was lost.
    assert cleared(at_terminal(e.RoundVoided)) == []
    assert cleared(lost(at_terminal(e.RoundVoided))) == [(check, "undetermined", (cite,))]
    unordered = cleared(step("cards_cleared", count=4, manner="out_of_order"))
    assert unordered == (wrong if in_order else [])
    table = RoundTable(number).begin()
    table.deal(NO_MORE_BETS, *four, step("cards_cleared", count=4)).deal(NO_MORE_BETS, *four).close()
    assert [text_of(each.message) for each in table.findings(check)] == [
        "the cards of round 2 were not reported put away"
    ]
    silent = RoundTable(number).begin().deal(NO_MORE_BETS, *four)
    assert silent.close().raised(check) == []


def prove_manual_shoe(number: str, *cites: str) -> None:
    """Prove that a shoe is manual, or an approved one where the text admits that too."""
    check = "shoe_not_admitted"

    def brought(kind: str, approved: int | None = None, *, is_lost: bool = False, **table: Any) -> Any:
        made = RoundTable(number, **table).open()
        if approved is not None:
            dated = made.day.replace(day=made.day.day + approved)
            paper = {"document": "approval", "number": "A-7", "dated": dated, "kind": "shoe", "item": "S-9"}
            made.say("register", e.DocumentFiled, is_lost=is_lost, **paper)
        made.say("pit", e.ItemMoved, kind="shoe", item="S-9", place="table", marks={"shoe_kind": kind})
        return made.load().round("4c").round("5c").close().raised(check)

    wrong = [(check, "mismatch", cites)]
    admits = len(cites) > 1 or number in ("551", "681a", "685a")
    assert brought("manual") == []
    assert brought("shuffling") == wrong
    assert brought("shuffling", 0) == ([] if admits else wrong)
    assert brought("shuffling", 1) == wrong
    assert brought("shuffling", 0, is_lost=True) == [(check, "undetermined", cites)]
    assert brought("shuffling", without=("pit",)) == []


def prove_shuffling_shoe(number: str, cite: str) -> None:
    """Prove that no cut is asked for while a shoe shuffles by itself, and again with a manual one."""
    check = "cards_not_cut"

    def brought(*kinds: str) -> list[tuple[str, str, tuple[str, ...]]]:
        made = RoundTable(number).open()
        for place, kind in enumerate(kinds, 1):
            made.say(
                "pit", e.ItemMoved, kind="shoe", item=f"S-{place}", place="table", marks={"shoe_kind": kind}
            )
            made.load(str(place)).round("4c")
        return made.close().raised(check)

    wrong = [(check, "mismatch", (cite,))]
    assert brought("shuffling") == []
    assert brought("manual") == wrong
    assert brought("shuffling", "manual") == wrong
