"""Chapter 629b as far as it could be read: 629b.1(a) to (c), Perfect Pairs."""

from datetime import date
from typing import Final

from projections.engine.conclusion import Conclusion
from schemas.house import House, Submission
from schemas.side_wagers import SideWager
from tests.law.baccarat_table import Play, audit, bet, checks, deal, notes, owed, paid
from tests.law.layout_proofs import prove_point

PLAYERS, BANKERS = "perfect_pairs_player", "perfect_pairs_banker"
ODDS: Final = {"perfect pair": "25 to 1", "colored pair": "12 to 1", "mixed pair": "6 to 1"}
SINCE: Final = date(2024, 1, 28)


def offering(*, odds: bool = True) -> House:
    """Return a house that offers the wager at its own odds, or by the citation alone."""
    by = SideWager("629b.1", ODDS) if odds else "629b.1"
    offered = Submission(
        since=SINCE, chapter="629a", options={}, offered=dict.fromkeys((PLAYERS, BANKERS), by)
    )
    return House(house="a house of the tests", submissions=[offered])


def settle(play: Play, *, odds: bool = True, pays: int | None = None) -> Conclusion:
    """Judge $1 on either hand; the first is paid as said."""
    settled = None if pays is None else [paid(PLAYERS, pays), paid(BANKERS, -100)]
    wagers = bet(PLAYERS, 100), bet(BANKERS, 100)
    return audit(play, *wagers, settled=settled, house=offering(odds=odds), chapter="629a")


def gains(play: Play) -> list[int | None]:
    """Return what $1 on each hand is owed in cents."""
    concluded = settle(play)
    return [owed(concluded, wager)[0] for wager in (PLAYERS, BANKERS)]


def test_629b_1() -> None:
    perfect = deal("8c 8c", "6d Kd")
    without = settle(perfect, odds=False)
    assert (without.verdict, checks(without)) == ("undetermined", [])
    assert notes(without).count("wager_of_another_text") == 2
    assert checks(settle(perfect, pays=2500)) == []
    (finding,) = settle(perfect, pays=1200).findings
    assert (finding.check, finding.citations[0]) == ("paid_too_little", "629b.1")
    # Colored and mixed, on either hand; a suit alone is no pair.
    assert gains(deal("8c 8s", "4s 4d")) == [1200, 600]
    assert gains(deal("6c 6h", "4h 4d")) == [600, 1200]
    assert gains(deal("6c Kc", "4d 4d")) == [-100, 2500]
    assert checks(settle(deal("6c Kc", "7d Kd"), pays=600)) == ["paid_too_much"]


def test_629b_1_a() -> None:
    assert gains(deal("3h 4s 3d", "7d Kd")) == [-100, -100]  # a pair with the third card only
    assert gains(deal("6h Ts", "9d 9d")) == [-100, 2500]
    # The first two, whatever the third is: of the Player, then of the Banker.
    assert gains(deal("2c 3c 3d", "7d Kd")) == [-100, -100]
    assert gains(deal("2h 2d 4s", "7d Kd")) == [1200, -100]
    assert gains(deal("7d Kd", "2c 3c 3d")) == [-100, -100]
    assert gains(deal("7d Kd", "2c 2h 4s")) == [-100, 600]


def test_629b_1_a_1() -> None:
    assert gains(deal("8c 8s", "6d Kd")) == [1200, -100]  # black
    assert gains(deal("6c Kc", "4h 4d")) == [-100, 1200]  # red
    assert gains(deal("8c 9s", "6d Kd")) == [-100, -100]


def test_629b_1_a_2() -> None:
    assert gains(deal("8c 8h", "6d Kd")) == [600, -100]
    assert gains(deal("6c Kc", "4s 4d")) == [-100, 600]


def test_629b_1_a_3() -> None:
    assert gains(deal("8d 8d", "6d Kd")) == [2500, -100]
    assert gains(deal("6c Kc", "4s 4s")) == [-100, 2500]
    assert gains(deal("8d 8h", "4s 4c")) == [1200, 1200]  # of one color, not of one suit


def test_629b_1_b() -> None:
    areas = "perfect_pairs_areas"
    prove_point("629a", areas, "629b.1(b)", wager="perfect_pairs", day=SINCE)


def test_629b_1_c() -> None:
    assert gains(deal("Jc Js", "4s 4d")) == [1200, 600]  # on either hand or both
    assert gains(deal("Jc Qc 2d", "4d 4d")) == [-100, 2500]  # of one value, not of one rank
    assert gains(deal("Tc Ks", "9h 9s")) == [-100, 600]
    assert gains(deal("2c 3c 3d", "Kd 7s")) == [-100, -100]  # a third card makes none
    assert gains(deal("Kd 7s", "2c 3c 3d")) == [-100, -100]
    assert gains(deal("Kd 7s", "2c 2h 4s")) == [-100, 600]  # nor does it undo one
