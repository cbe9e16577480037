"""House Money Wagers, settled on the first four cards and before any third, 631a.9(e)."""

from typing import Final

from schemas import events
from streams.simulator.games.baccarat.deal import Layout
from streams.simulator.games.baccarat.rules import MAIN, Result, is_pair, player_draws, portion
from streams.simulator.games.baccarat.rules import is_natural as natural
from streams.simulator.games.baccarat.table import Round, Table
from streams.simulator.table import Made, Stake

_PAYS: Final = {1: 3, 2: 15}  # 631a.13(h), by how many hands hold a pair


class HouseMoney:
    """The House Money Wagers of one round, and who adds a payout at the wrong time."""

    def __init__(self, table: Table, current: Round, layout: Layout) -> None:
        self.table = table
        self.current = current
        self.layout = layout
        stakes = [stake for stake in current.stakes.values() if stake.wager == "house_money" and stake.cents]
        self.stakes = sorted(stakes, key=lambda stake: (stake.patron.seat, stake.patron.bettor or ""))
        self.waiting: Stake | None = None

    def before_fourth_card(self) -> None:
        """Add a payout too early: for the Player's pair, before the Banker's Hand has its second card."""
        cards = self.table.shoe.to_come(1)
        player, banker = self.layout.hands["player"], self.layout.hands["banker"]
        if not cards or not is_pair(player) or is_pair([*banker, cards[0]]):
            return
        for stake in self.stakes:
            target = self._target(stake)
            if target is not None and self.table.strikes("house_money_added_early", self.current):
                self._made("house_money_added_early", stake)
                target.is_open = True
                self._add(stake, target, _PAYS[1] * stake.cents)

    def after_fourth_card(self) -> None:
        """Collect the losers and hand over or add the winners' payouts, from the lowest position up."""
        hands = self.layout.hands
        pairs = Result(tuple(hands["player"]), tuple(hands["banker"])).pairs
        for stake in self.stakes:
            if stake.is_settled:
                continue
            self.table.script.wait(900, 1500)
            if pairs:
                self._won(stake, _PAYS[pairs] * stake.cents)
            else:
                self._lost(stake)

    def after_third_card(self) -> None:
        """Add a payout that was forgotten until a third card had been dealt."""
        if self.waiting is None:
            return
        target = self._target(self.waiting)
        if target is not None:
            target.is_open = True
            self.table.script.wait(900, 1500)
            self._add(self.waiting, target, self.waiting.gain)

    def _won(self, stake: Stake, payout: int) -> None:
        target = self._target(stake)
        if target is not None and self._third_to_come() and self._strikes("house_money_added_late", stake):
            self.waiting, stake.gain = stake, payout
        elif self._orphan(stake) and self._strikes("house_money_without_wager", stake):
            orphan = Stake(stake.patron, "player", 0)
            self.current.stakes[orphan.key] = orphan
            self._add(stake, orphan, payout)
        elif payout == _PAYS[2] * stake.cents and self._strikes("winner_underpaid", stake):
            self._hand_over(stake, _PAYS[1] * stake.cents)
        elif payout == _PAYS[1] * stake.cents and self._strikes("winner_overpaid", stake):
            self._hand_over(stake, _PAYS[2] * stake.cents)
        elif target is not None and self.table.rng.random() < 0.5:  # noqa: PLR2004  half of them add
            self._add(stake, target, payout)
        else:
            self._hand_over(stake, payout)

    def _lost(self, stake: Stake) -> None:
        if self._strikes("house_money_not_won", stake):
            self._hand_over(stake, _PAYS[1] * stake.cents)
        elif self._strikes("loser_not_collected", stake):
            stake.is_settled = True
            stake.patron.chips += stake.cents
        else:
            stake.gain, stake.is_settled = -stake.cents, True
            self.table.tray += stake.cents
            self.table.tell(events.ChipsCollected, self.current, stake, stake.cents)

    def _hand_over(self, stake: Stake, payout: int) -> None:
        stake.gain, stake.is_settled = payout, True
        stake.patron.chips += stake.cents + payout
        self.table.tray -= payout
        self.table.script.tell(
            events.PayoutHanded,
            round=self.current.name,
            seat=stake.patron.seat,
            cents=payout,
            bettor=stake.patron.bettor,
        )

    def _add(self, stake: Stake, target: Stake, payout: int) -> None:
        added = portion(payout, self.table.ways)
        stake.gain, stake.is_settled = payout, True
        stake.patron.chips += stake.cents + payout - added
        target.added += added
        self.table.tray -= payout
        self.table.script.tell(
            events.PayoutAdded,
            round=self.current.name,
            seat=stake.patron.seat,
            to=target.wager,
            cents=added,
            handed_cents=payout - added,
            bettor=stake.patron.bettor,
        )

    def _target(self, stake: Stake) -> Stake | None:
        """Find the person's own wager on a hand that the payout may be added to."""
        for wager in MAIN:
            target = self.current.stakes.get((stake.patron.seat, stake.patron.bettor, wager, None))
            if target is not None and target.cents and not stake.is_open:
                return target
        return None

    def _orphan(self, stake: Stake) -> bool:
        return (stake.patron.seat, stake.patron.bettor, "player", None) not in self.current.stakes

    def _third_to_come(self) -> bool:
        player, banker = self.layout.hands["player"], self.layout.hands["banker"]
        return (
            not natural(player)
            and not natural(banker)
            and player_draws(player)
            and bool(self.table.shoe.left)
        )

    def _strikes(self, kind: str, stake: Stake) -> bool:
        if stake.is_open or not self.table.strikes(kind, self.current):
            return False
        self._made(kind, stake)
        return True

    def _made(self, kind: str, stake: Stake) -> None:
        self.current.made = Made(kind, stake.patron.seat, stake.patron.bettor, stake.wager)
