"""A game of tiles from its devices' reports: what hangs on a wager that may have lain there, and on clocks.

Clocks that are held to agree can be 250 ms apart. The dealer's tens over an 8 lose to twos over a 9 (535.4).
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

import pytest

from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from schemas import events as e
from schemas.house import House, Submission, TableSetup
from tests.builders.table_audit import audit_events, finding_checks, owed_by_wager
from tests.builders.table_script import Script, Spot
from tests.law.paigow_table import lay

SOURCES: Final[Any] = {"T": "terminal", "C": "chips", "V": "camera", "D": "dice", "P": "tiles"}
EVENING: Final = int(datetime(2011, 1, 1, 20, tzinfo=UTC).timestamp()) * 1_000_000

FIRST: Final[Spot] = (1, "pai_gow")
THIRD: Final[Spot] = (3, "pai_gow")
BANK: Final[Spot] = (2, "bank")
DEALER: Final = lay("dealer", "6-4 6-4", "6-6 5-1")
WINS: Final = lay("seat1", "1-1 1-1", "3-2 2-2")
LOSES: Final = lay("seat3", "6-1 6-5", "5-3 3-3")


def house(**options: Any) -> House:
    """Return a house with one Pai Gow table, BAC-1."""
    return House(
        house="script",
        gaming_day_starts="05:00",
        tables={"BAC-1": TableSetup(chapter="535", sources=SOURCES)},
        submissions=[Submission(since=date(2010, 3, 20), chapter="535", options=options)],
    )


class Tiles(Script):
    """A Pai Gow table: terminal, chip reader, camera, and readers of dice and tiles; one round."""

    def __init__(self) -> None:
        super().__init__(start=EVENING)
        self.devices = list(SOURCES)
        self.numbers = dict.fromkeys(self.devices, 0)
        self.epochs, self.offsets = dict.fromkeys(self.devices, 1), dict.fromkeys(self.devices, 0)
        self.say("T", e.TableOpened, inventory_cents=self.tray, heard=self.heard())
        self.shoe = "tiles"
        self.begin()

    def bets(self, placed: Mapping[Spot, int], seen: Mapping[Spot, int] | None = None) -> None:
        """Script wagers, and the camera's reading when "no more bets" is called."""
        for spot, cents in placed.items():
            self.on(spot, e.ChipsPlaced, cents)
        self.no_more_bets(placed if seen is None else seen)

    def roll(self, dice: str, after: float = 3) -> None:
        """Shake the dice."""
        self.say("D", e.DiceRolled, after, round=self.number, dice=dice)

    def show(self, position: str) -> None:
        """Script the dealer showing a tile too early."""
        self.tell(e.HandExposed, after=3, position=position)

    def decide(self, hand: str, decision: str, after: float = 3) -> None:
        """Script a player's decision on his hand."""
        self.tell(e.HandDecided, after, hand=hand, decision=decision)

    def turn(self, tiles: list[tuple[str, str]], first: float = 3) -> None:
        """Open hands, the first tile `first` seconds after the previous event."""
        for after, (hand, tile) in zip([first, *[0.5] * len(tiles)], tiles, strict=False):
            self.say("P", e.TileLaid, after, round=self.number, hand=hand, tile=tile)

    def lose_the_last(self) -> None:
        """Remove the last report."""
        self.events.pop()

    def judged(self, **options: Any) -> Conclusion:
        """Close the round and give its conclusion."""
        self.now += 3
        self.tell(e.RoundClosed, heard=self.heard())
        return audit_events(self.events, house(**options)).rounds["1"]


def proven(concluded: Conclusion) -> list[tuple[str, Any]]:
    """Return what is proven wrong, and whose hand or which wager it is about."""
    return [(each.check, _about(each)) for each in concluded.findings if each.weight == "mismatch"]


def _about(finding: Finding) -> Any:
    return finding.who if isinstance(finding.who, str) else (finding.seat, finding.wager)


def cents(concluded: Conclusion, spot: Spot) -> int | None:
    return owed_by_wager(concluded)[spot[0], spot[1], None][0]


# ── a tile of a seat was shown, 535.12(d), (e) ───────────────────────────────────────────────────────


def shown_at_seat_3(*, lies: bool, lost: bool = False, decision: str | None = None) -> Tiles:
    """Show a tile of seat 3, where chips lay or not, or were placed but that was not received."""
    s = Tiles()
    if lies or lost:
        s.on(THIRD, e.ChipsPlaced, 2500)
        if lost:
            s.lose_the_last()
    s.bets({FIRST: 2000})
    s.show("seat3")
    if decision is not None:
        s.decide("seat3", decision)
    s.turn([*DEALER, *WINS])
    return s


def test_a_tile_shown_where_nobody_wagered_voids_the_round() -> None:
    concluded = shown_at_seat_3(lies=False).judged()
    assert proven(concluded) == [("void_not_called", "seat3")]
    assert cents(concluded, FIRST) == 0


def test_a_tile_shown_where_a_wager_may_have_lain_is_not_held_against_the_dealer() -> None:
    concluded = shown_at_seat_3(lies=False, lost=True, decision="void").judged()
    assert (concluded.verdict, finding_checks(concluded)) == ("undetermined", ["data_missing"])


@pytest.mark.parametrize("seat", ["seat1", "seat3", "seat6"])
def test_tiles_shown_while_the_chip_reader_was_silent(seat: str) -> None:
    # At each of the six areas of 535.2(b)(1), the last too, a wager may have lain.
    s = Tiles()
    s.tell(e.DeviceWentSilent, silent="C")
    s.bets({})
    s.show(seat)
    s.decide(seat, "void")
    s.turn([*DEALER, *WINS])
    concluded = s.judged()
    assert (concluded.verdict, set(finding_checks(concluded))) == ("undetermined", {"data_missing"})


def test_the_dealers_tile_voids_the_round_whatever_chips_were_read() -> None:
    s = Tiles()
    s.on(THIRD, e.ChipsPlaced, 2500)
    s.lose_the_last()
    s.bets({FIRST: 2000})
    s.show("dealer")
    s.turn([*DEALER, *WINS])
    assert proven(s.judged()) == [("void_not_called", "dealer")]


def contradicted(decision: str | None) -> Conclusion:
    """Show a tile of seat 3, where the camera saw chips and the chip reader none."""
    s = Tiles()
    s.bets({FIRST: 2000}, seen={FIRST: 2000, THIRD: 2500})
    s.show("seat3")
    if decision is not None:
        s.decide("seat3", decision)
    s.turn([*DEALER, *WINS])
    s.settle({FIRST: 2000}, {FIRST: 100})
    return s.judged()


def test_if_readers_contradict_each_other_about_a_wager_the_round_may_be_void() -> None:
    silent = contradicted(None)
    assert (silent.verdict, cents(silent, FIRST)) == ("undetermined", None)
    # A player who decides on his hand has wagered.
    decided = contradicted("play")
    assert (decided.verdict, cents(decided, FIRST)) == ("undetermined", 2000)


# ── a player's bank, 535.11 ──────────────────────────────────────────────────────────────────────────


def banked(placed: Mapping[Spot, int], seen: Mapping[Spot, int] | None = None) -> Tiles:
    s = Tiles()
    s.tell(e.BankTaken, seat=2)
    s.bets(placed, seen)
    return s


def test_535_11_d_2_a_bank_that_does_not_cover() -> None:
    short = {BANK: 2000, FIRST: 1500, THIRD: 1000}
    assert proven(banked(short).judged(player_bank=True)) == [("wager_not_permitted", (2, "bank"))]


@pytest.mark.parametrize("spot", [BANK, THIRD])
def test_535_11_d_2_chips_that_are_in_doubt_prove_nothing(spot: Spot) -> None:
    short = {BANK: 2000, FIRST: 1500, THIRD: 1000}
    concluded = banked(short, seen=short | {spot: 500 if spot is THIRD else 2500}).judged(player_bank=True)
    assert (concluded.verdict, set(finding_checks(concluded)) - {"data_missing"}) == (
        "undetermined",
        {"source_conflict"},
    )


def test_535_11_d_2_what_was_added_late_is_not_to_be_covered() -> None:
    s = banked({BANK: 2000, FIRST: 1000, THIRD: 1000})
    s.on(THIRD, e.ChipsPlaced, 500, after=2)
    assert proven(s.judged(player_bank=True)) == [("late_wager", (3, "pai_gow"))]


def test_535_11_d_2_the_banks_own_chips_added_late() -> None:
    s = banked({BANK: 1500, FIRST: 2000})
    s.on(BANK, e.ChipsPlaced, 300, after=2)
    assert proven(s.judged(player_bank=True)) == [("late_wager", (2, "bank"))]


def laid_open(s: Tiles) -> Tiles:
    s.turn([*lay("seat2", "6-4 6-4", "6-6 5-1"), *LOSES])
    return s


def test_535_11_o_what_the_centre_leaves_hangs_on_every_wager() -> None:
    told_all = laid_open(banked({BANK: 5000, THIRD: 2500})).judged(player_bank=True)
    assert cents(told_all, BANK) == 2500
    one_in_doubt = laid_open(banked({BANK: 5000, THIRD: 2500}, seen={BANK: 5000, THIRD: 2500, FIRST: 500}))
    assert cents(one_in_doubt.judged(player_bank=True), BANK) is None
    taken_back_late = banked({BANK: 5000, THIRD: 2500, FIRST: 500})
    taken_back_late.on(FIRST, e.ChipsRemoved, 500, after=2)
    assert cents(laid_open(taken_back_late).judged(player_bank=True), BANK) is None
    nothing_read = Tiles()
    nothing_read.tell(e.BankTaken, seat=2)
    nothing_read.on(THIRD, e.ChipsPlaced, 2500)
    nothing_read.lose_the_last()
    nothing_read.bets({})
    assert cents(laid_open(nothing_read).judged(player_bank=True), BANK) is None


def test_535_11_a_a_bank_that_is_not_offered_whatever_chips_were_read() -> None:
    s = Tiles()
    s.tell(e.BankTaken, seat=2)
    s.on(THIRD, e.ChipsPlaced, 2500)
    s.lose_the_last()
    s.bets({BANK: 5000})
    assert proven(laid_open(s).judged()) == [("wager_not_offered", (2, "bank"))]


# ── which was first, by the clocks ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("apart", "verdict"),
    [(-0.251, "mismatch"), (-0.25, "undetermined"), (0.25, "undetermined"), (0.251, "clean")],
)
def test_535_10_e_a_surrender_about_the_tile_that_sets_the_dealers_hands(apart: float, verdict: str) -> None:
    s = Tiles()
    s.bets({FIRST: 2000})
    s.turn(DEALER[:3])
    if apart < 0:
        s.decide("seat1", "surrender", after=1)
        s.turn(DEALER[3:], first=-apart)
    else:
        s.turn(DEALER[3:])
        s.decide("seat1", "surrender", after=apart)
    s.settle({FIRST: -2000})
    concluded = s.judged()
    assert concluded.verdict == verdict
    assert (
        finding_checks(concluded)
        == {
            "mismatch": ["decision_not_allowed"],
            "undetermined": ["data_missing"],
            "clean": [],
        }[verdict]
    )


def test_535_10_e_a_surrender_about_the_dealers_third_tile_is_one_before_the_fourth() -> None:
    s = Tiles()
    s.bets({FIRST: 2000})
    s.turn(DEALER[:3])
    s.decide("seat1", "surrender", after=0.1)
    s.turn(DEALER[3:])
    s.settle({FIRST: -2000})
    concluded = s.judged()
    assert (concluded.verdict, finding_checks(concluded)) == ("mismatch", ["decision_not_allowed"])


@pytest.mark.parametrize(("apart", "verdict"), [(0.25, "undetermined"), (0.251, "clean")])
def test_535_10_e_hands_that_the_dealer_sets_anew_were_set_before(apart: float, verdict: str) -> None:
    s = Tiles()
    s.bets({FIRST: 2000})
    s.turn(DEALER)
    s.decide("seat1", "surrender", after=apart)
    s.tell(e.HandReset, after=3, position="dealer")
    s.turn(DEALER)
    s.settle({FIRST: -2000})
    assert s.judged().verdict == verdict


@pytest.mark.parametrize(("apart", "verdict"), [(0.25, "undetermined"), (0.251, "mismatch")])
def test_535_10_e_a_surrender_about_ones_own_first_tile(apart: float, verdict: str) -> None:
    s = Tiles()
    s.bets({FIRST: 2000})
    s.turn([*DEALER, WINS[0]])
    s.decide("seat1", "surrender", after=apart)
    s.turn(WINS[1:])
    assert s.judged().verdict == verdict


@pytest.mark.parametrize(
    ("apart", "verdict"),
    [(-0.251, "clean"), (-0.25, "undetermined"), (0.25, "undetermined"), (0.251, "mismatch")],
)
def test_535_12_d_a_void_about_ones_own_first_tile(apart: float, verdict: str) -> None:
    s = Tiles()
    s.bets({FIRST: 2000})
    s.show("seat1")
    s.turn(DEALER)
    if apart < 0:
        s.decide("seat1", "void")
        s.turn(WINS, first=-apart)
    else:
        s.turn(WINS[:1])
        s.decide("seat1", "void", after=apart)
        s.turn(WINS[1:])
    s.settle({FIRST: 0})
    assert s.judged().verdict == verdict


@pytest.mark.parametrize(("apart", "verdict"), [(0.25, "undetermined"), (0.251, "clean")])
def test_535_12_f_hands_set_again_about_a_tile_that_is_laid(apart: float, verdict: str) -> None:
    s = Tiles()
    s.bets({FIRST: 2000})
    s.turn(lay("dealer", "6-4 5-1", "6-6 6-4"))  # tens parted
    s.tell(e.HandReset, position="dealer")
    s.turn([*DEALER, *WINS], first=apart)
    s.settle({FIRST: 2000}, {FIRST: 100})
    assert s.judged().verdict == verdict


@pytest.mark.parametrize(("apart", "verdict"), [(0.25, "undetermined"), (0.251, "clean")])
def test_535_12_a_a_roll_cancelled_about_the_next_one(apart: float, verdict: str) -> None:
    s = Tiles()
    s.bets({FIRST: 2000})
    s.roll("3-3-3")
    s.tell(e.RollCancelled, after=2)
    s.roll("4-3-3", after=apart)  # 10: one beyond the dealer
    for position in ("seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "dead", "dealer"):
        s.say("P", e.TilesDealt, 1, round=s.number, position=position)
    s.turn([*DEALER, *WINS])
    s.settle({FIRST: 2000}, {FIRST: 100})
    assert s.judged().verdict == verdict


def test_a_clock_that_is_off_by_what_was_measured_is_allowed_for() -> None:
    s = Tiles()
    s.offsets["P"] = 4_000_000  # the tiles seem to be laid four seconds later than they were
    s.tell(e.DevicesPolled, heard=s.heard())
    s.bets({FIRST: 2000})
    s.turn(DEALER)
    s.decide("seat1", "surrender", after=1)
    s.settle({FIRST: -2000})
    concluded = s.judged()
    assert (concluded.verdict, finding_checks(concluded)) == ("undetermined", ["data_missing"])
