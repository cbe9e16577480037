"""In which order wagers are collected and paid after the last card; cards and sums do not matter to it."""

from typing import Any, Final, TypeAlias

from schemas import events as e
from schemas.house import ProcedureSettings
from tests.law.round_steps import FOUR_CARDS, NO_MORE_BETS, Act, RoundTable, at_once, card, lost

CHECK: Final = "settled_out_of_order"
READERS: Final[dict[str, e.Source]] = {"C": "chips", "R": "tiles"}
Found: TypeAlias = list[tuple[str, str, tuple[str, ...]]]


def collect(seat: int, wager: str) -> Act:
    return "chips", e.ChipsCollected, {"seat": seat, "wager": wager, "cents": 500}


def pay(seat: int, wager: str, **fields: Any) -> Act:
    return "chips", e.ChipsPaid, {"seat": seat, "wager": wager, "cents": 500, **fields}


def take(seat: int, **fields: Any) -> Act:
    """Return vigorish on a Banker Wager that is taken."""
    return "chips", e.VigorishCollected, {"seat": seat, "wager": "banker", "cents": 25, **fields}


def mark(seat: int, **fields: Any) -> Act:
    """Return vigorish on a Banker Wager that is marked with a button."""
    return "chips", e.VigorishMarked, {"seat": seat, "wager": "banker", "cents": 25, **fields}


def laid_open(hand: str) -> Act:
    return "tiles", e.TileLaid, {"hand": hand, "tile": "6-5"}


def settled(number: str, *acts: Act, dealers: int = 1, way: Any = None) -> Found:
    """Return what is found where these acts followed the cards."""
    house = {} if way is None else {"procedures": ProcedureSettings(settling={number: way})}
    table = RoundTable(number, readers=READERS, **house).begin()
    for each in range(1, dealers):
        table.say("terminal", e.DealerAssigned, dealer=f"dealer{each}", calling=False)
    cards = () if number == "535" else FOUR_CARDS
    table.deal(NO_MORE_BETS, *cards, *acts).close()
    return table.raised(CHECK)


def wrong(cite: str, weight: str = "mismatch") -> Found:
    return [(CHECK, weight, (cite,))]


def prove_winners_in_turn(number: str, cite: str) -> None:
    """Prove that losers are collected before any winner is paid, and these from the highest seat down."""
    losers = collect(2, "player"), collect(5, "tie")
    seven, five, two = (pay(seat, "banker") for seat in (7, 5, 2))
    assert settled(number, *losers, seven, five, two) == []
    assert settled(number, *reversed(losers), seven, two) == []
    assert settled(number, losers[0], seven, losers[1]) == wrong(cite)
    assert settled(number, seven, *losers) == wrong(cite)
    assert settled(number, two, seven) == wrong(cite)
    assert settled(number, seven, two, five) == wrong(cite)
    # Two winning wagers of one seat in either order; a wager that no clause of the chapter names.
    assert settled(number, pay(7, "tie"), seven, five) == []
    assert settled(number, pay(2, "perfect_pairs"), seven, collect(2, "perfect_pairs")) == []
    assert settled(number, two, card("banker", "2c"), seven) == []  # paid before the last card
    assert settled(number) == []


def prove_vigorish_in_turn(number: str, cite: str, *, first: bool) -> None:
    """Prove whether vigorish is taken or marked before its wager is paid or after, seat by seat."""
    for vigorish in (take, mark):
        seven = (vigorish(7), pay(7, "banker")) if first else (pay(7, "banker"), vigorish(7))
        two = (vigorish(2), pay(2, "banker")) if first else (pay(2, "banker"), vigorish(2))
        assert settled(number, *seven, *two) == []
        assert settled(number, *reversed(seven), *two) == wrong(cite)
        assert settled(number, *seven, *reversed(two)) == wrong(cite)
        assert settled(number, *two, *seven) == wrong(cite)
        assert settled(number, seven[0], two[0], seven[1], two[1]) == wrong(cite)
        assert settled(number, vigorish(7), collect(2, "player"), pay(7, "banker")) == wrong(cite)
        # Two persons on one spot: the vigorish of one is not that of the other's wager.
        anna, bob = (
            (vigorish(7, bettor=name), pay(7, "banker", bettor=name))[:: 1 if first else -1]
            for name in ("anna", "bob")
        )
        assert settled(number, *anna, *bob) == settled(number, *bob, *anna) == []
        # Vigorish of a wager that was not paid, as on a tie, has no time of its own.
        assert settled(number, vigorish(2), collect(5, "player"), pay(7, "tie"), vigorish(5)) == []


def prove_order_of_reports(number: str, cite: str) -> None:
    """Prove that an order is judged only as far as the reports show it."""
    seven, two = pay(7, "player"), pay(2, "player")
    assert settled(number, two, at_once(seven)) == wrong(cite, "undetermined")
    assert settled(number, seven, at_once(two)) == []
    assert settled(number, two, at_once(seven), collect(5, "banker")) == wrong(cite)
    assert settled(number, two, lost(collect(5, "banker")), seven) == wrong(cite, "undetermined")


def prove_several_dealers(number: str, cite: str, *, each_own: bool) -> None:
    """Prove whether two dealers beside the one who calls may each go round for wagers of their own."""
    seven, five, two = (pay(seat, "player") for seat in (7, 5, 2))
    assert settled(number, two, seven, dealers=2) == wrong(cite)  # one calls the game, one pays
    assert settled(number, two, seven, dealers=3) == ([] if each_own else wrong(cite))
    assert settled(number, five, seven, two, dealers=3) == ([] if each_own else wrong(cite))
    assert settled(number, two, five, seven, dealers=3) == wrong(cite)
    assert settled(number, seven, collect(5, "banker"), two, dealers=3) == wrong(cite)


def prove_main_wagers_in_turn(cite: str) -> None:
    """Prove that Player and Banker Wagers of 681a are settled from seat 1, at the dealer's right, upwards."""
    number = "681a"
    assert settled(number, collect(2, "player"), pay(5, "banker"), collect(7, "player")) == []
    assert settled(number, pay(2, "player"), collect(2, "banker"), pay(5, "player")) == []
    assert settled(number, collect(2, "banker"), pay(2, "player"), pay(5, "player")) == []
    assert settled(number, pay(5, "banker"), collect(2, "player")) == wrong(cite)
    assert settled(number, collect(7, "player"), collect(2, "player"), pay(5, "banker")) == wrong(cite)
    # Of Tie and Bonus Wagers (k) tells no order.
    assert settled(number, pay(7, "tie"), collect(5, "bonus_player"), pay(2, "banker")) == []
    assert settled(number, pay(7, "banker"), at_once(pay(2, "banker"))) == wrong(cite, "undetermined")


def prove_winners_after_hands(cite: str) -> None:
    """Prove that Pai Gow winners are paid once all hands lie open, from seat 1, at the dealer's right."""
    number = "535"
    two, five = laid_open("seat2.high"), laid_open("seat5.low")
    lost_two, won_five, won_seven = collect(2, "pai_gow"), pay(5, "pai_gow"), pay(7, "pai_gow")
    assert settled(number, two, lost_two, five, won_five, won_seven) == []
    assert settled(number, two, five, won_seven, won_five) == wrong(cite)
    assert settled(number, two, won_five, five) == wrong(cite)
    assert settled(number, two, five, won_five, laid_open("dealer.high"), won_seven) == []
    # The clocks of two readers agree to a quarter of a second.
    source, kind, fields = five
    for after in (0.1, 0.25):
        soon = source, kind, {**fields, "after": after}
        assert settled(number, two, won_five, soon) == wrong(cite, "undetermined"), after
    assert settled(number, two, won_five, (source, kind, {**fields, "after": 0.26})) == wrong(cite)
    # Against a player's bank the winners are paid from the centre, 535.11(o), in no order that is said.
    bank: Act = ("terminal", e.BankTaken, {"seat": 7})
    assert settled(number, bank, two, five, won_seven, won_five) == []


def prove_submitted_way(number: str, losers: str, players: str) -> None:
    """Prove the two ways that a Rules Submission may have; seat 7 is the farthest to the dealer's right."""
    bets = {seat: (collect(seat, "bet"), pay(seat, "bet")) for seat in (2, 5, 7)}
    (lost_two, won_two), (lost_five, won_five), (lost_seven, _) = bets.values()

    def first(*acts: Act) -> Found:
        return settled(number, *acts, way="losers_first")

    def by_player(*acts: Act) -> Found:
        return settled(number, *acts, way="by_player")

    assert first(lost_seven, lost_two, won_five, pay(6, "bet")) == []
    assert first(lost_seven, won_five, lost_two) == wrong(losers)
    assert first(lost_two, lost_seven, won_five) == wrong(losers)
    assert first(collect(7, "match_the_dealer"), won_five) == []
    assert by_player(lost_seven, won_five, lost_two) == []
    assert by_player(lost_seven, collect(7, "double_down"), won_two) == []
    assert by_player(lost_seven, lost_two, won_five) == wrong(players)
    assert by_player(won_two, lost_five) == wrong(players)
    assert settled(number, won_two, lost_five) == []
    # What lies before the last card, or was not reported.
    last = card("dealer", "8d")
    assert by_player(won_two, last, lost_five) == []
    assert by_player(won_two, lost(last), lost_five) == wrong(players, "undetermined")
