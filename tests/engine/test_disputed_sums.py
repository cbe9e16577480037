"""Where two readers dispute a sum, or a table's reports have a hole, what hangs on it is left open."""

from datetime import date

import pytest

from projections.engine.audit.judge import judge
from projections.engine.conclusion import Conclusion
from projections.engine.observation import Doubt, Key, Round, Wager
from schemas.rulebook import rulebook
from tests.builders.texts import verbatim_fact
from tests.law.spanish21_table import play_of

DAY = date(2011, 1, 1)
COUPON_DAY = date(2025, 3, 1)
WAGER: Key = Key(1, None, "wager", None)
PLAYER: Key = Key(1, None, "player", None)
DOUBLED: Key = Key(1, None, "double_down", None)
SPLIT: Key = Key(1, None, "wager", "seat1.2")
DOUBLE = "1:8d D:9c 1:3s D:Kh 1:double 1:Kd"
PAIR = "1:8d D:9c 1:8s D:Kh 1:split 1:Kd 1:stand 1.2:Kd 1.2:stand"
HANDS = [("player", "7c"), ("banker", "6d"), ("player", "Kc"), ("banker", "Kd")]


def proven(concluded: Conclusion) -> list[str]:
    return [each.check for each in concluded.findings if each.weight == "mismatch"]


def disputed(key: Key) -> Doubt:
    return Doubt("source_conflict", key, verbatim_fact("seat 1: C read $15.00, V read $40.00"), ("C", "V"))


@pytest.mark.parametrize(
    ("play", "beside", "check"), [(DOUBLE, DOUBLED, "double_too_high"), (PAIR, SPLIT, "split_stake_differs")]
)
def test_a_stake_beside_a_wager_that_two_readers_dispute(play: str, beside: Key, check: str) -> None:
    def judged(*doubts: Doubt) -> Conclusion:
        wagers = {WAGER: Wager(1500), beside: Wager(4000)}
        seen = Round("SP-1", "1", DAY, 0, play=play_of(play), wagers=wagers, doubts=list(doubts))
        return judge(seen, rulebook("551", DAY, {}))

    assert proven(judged()) == [check]
    for key in (WAGER, beside):
        assert (judged(disputed(key)).verdict, proven(judged(disputed(key)))) == ("undetermined", [])
    assert proven(judged(disputed(Key(2, None, "wager", None)))) == [check]


def test_a_coupon_over_chips_that_two_readers_dispute() -> None:
    def judged(*doubts: Doubt) -> Conclusion:
        wager = Wager(1500)
        wager.coupon, wager.coupon_cents = "MP-1", 2500
        seen = Round("BAC-1", "1", COUPON_DAY, 0, play=HANDS, wagers={PLAYER: wager}, doubts=list(doubts))
        return judge(seen, rulebook("631a", COUPON_DAY, {}))

    assert proven(judged()) == ["coupon_over_chips"]
    assert (judged(disputed(PLAYER)).verdict, proven(judged(disputed(PLAYER)))) == ("undetermined", [])
