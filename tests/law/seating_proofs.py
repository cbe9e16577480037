"""Tables at which only seated players may wager, and have to stay."""

from typing import Any

from schemas import events as e
from tests.law.round_steps import NO_MORE_BETS, Act, RoundTable, at_terminal, chips, lost

CHECK = "wager_unseated"
LEFT = at_terminal(e.PlayerLeft, seat=2)
SAT = at_terminal(e.PlayerSeated, seat=3)


def seats_and_wagers(
    number: str,
    wager: str,
    *seats: int,
    before: tuple[Act, ...] = (),
    during: tuple[Act, ...] = (),
    **table: Any,
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what is found where seats 2, 5 and 7 are taken and these have a wager in the second round."""
    made = RoundTable(number, **table).open()
    assert isinstance(made, RoundTable)
    made.sit(2, 5, 7).deal(NO_MORE_BETS).act(*before)
    made.deal(*(chips(seat, wager, 500) for seat in seats), NO_MORE_BETS, *during).act(LEFT).close()
    return made.raised(CHECK)


def prove_seated(number: str, wager: str, cite: str, *, stays: bool, **table: Any) -> None:
    """Prove that nobody wagers at an empty seat and, where the text says so, nobody leaves in the round."""
    wrong, doubt = ([(CHECK, weight, (cite,))] for weight in ("mismatch", "undetermined"))
    assert seats_and_wagers(number, wager, 2, 5, **table) == []
    assert seats_and_wagers(number, wager, 2, 3, **table) == wrong
    assert seats_and_wagers(number, wager, 2, 3, before=(SAT,), **table) == []
    assert seats_and_wagers(number, wager, 2, 3, before=(lost(SAT),), **table) == doubt
    assert seats_and_wagers(number, wager, 2, before=(LEFT,), **table) == wrong
    assert seats_and_wagers(number, wager, 2, during=(LEFT,), **table) == (wrong if stays else [])
    assert seats_and_wagers(number, wager, 5, during=(LEFT,), **table) == []
    assert seats_and_wagers(number, wager, 0, **table) == []  # the dealer's own
    # Whether somebody sits there is in doubt until somebody leaves that seat, or the table is closed.
    for closes, acts, expected in (
        (False, (), doubt),
        (False, (at_terminal(e.PlayerLeft, seat=7),), doubt),
        (False, (at_terminal(e.PlayerLeft, seat=3),), wrong),
        (True, (), wrong),
    ):
        made = RoundTable(number, **table).open()
        assert isinstance(made, RoundTable)
        made.sit(2, 5, 7).deal(NO_MORE_BETS).act(lost(SAT)).deal(NO_MORE_BETS).act(*acts)
        if closes:
            made.close().open()
            made.sit(2, 5, 7)
        made.deal(chips(3, wager, 500), NO_MORE_BETS).close()
        assert made.raised(CHECK) == expected
