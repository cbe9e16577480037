"""Chips that come into the tray or leave it unseen."""

from typing import Final

from streams.simulator.money.till import Till

_LEAST_CHIP: Final = 10_000  # cents
_MANY: Final = 5
_WAYS: Final = {"chips_taken": -1, "chips_added": 1, "chips_taken_in_round": -1}


class Plot:
    """Missing chips: which will come or go before or in which rounds of a table's day, by their ordinals."""

    def __init__(self, till: Till) -> None:
        self.till = till
        self.before: dict[int, str] = {}
        self.within: dict[int, str] = {}
        for fault in _WAYS:
            if till.rounds and till.strikes(fault):
                ordinal = till.rng.randrange(len(till.rounds))
                (self.within if fault == "chips_taken_in_round" else self.before)[ordinal] = fault

    def between(self, ordinal: int) -> None:
        """Make chips come or go before a round, if that is planned."""
        self._carry_out(self.before.get(ordinal), ordinal)

    def during(self, ordinal: int) -> None:
        """Make chips go in a round without another fault, if that is planned."""
        if self.till.table.past[ordinal].made is None:
            self._carry_out(self.within.get(ordinal), ordinal, within=True)

    def _carry_out(self, fault: str | None, ordinal: int, *, within: bool = False) -> None:
        till = self.till
        if fault is not None and till.may_go_wrong(ordinal):
            cents = _WAYS[fault] * _LEAST_CHIP * till.rng.randint(1, _MANY)
            till.lose(fault, cents, ordinal, within=within)
