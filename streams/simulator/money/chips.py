"""Sums as chips, coins and bills: what a tray, a fill or a count is made up of."""

from typing import Final

from schemas.values import Denominations

_COINS: Final = (
    100_000,
    50_000,
    10_000,
    2500,
    500,
    100,
    25,
    5,
    1,
)  # cents of one: chips, and coins for vigorish
_TRAY_SHARES: Final = ((100_000, 30), (10_000, 30), (2500, 20), (500, 12), (100, 3))  # per cent of a tray
_FILLED: Final = ((100_000, 40), (10_000, 35), (2500, 15), (500, 10))


def in_tray(cents: int) -> Denominations:
    """Return which chips a tray of so many cents holds; change is made as it is needed, silently.

    >>> in_tray(1_000_137)
    {100000: 3, 50000: 1, 10000: 30, 2500: 80, 500: 240, 100: 301, 25: 1, 5: 2, 1: 2}
    """
    return _made_up(cents, _TRAY_SHARES)


def in_fill(cents: int) -> Denominations:
    """Return which chips are brought or taken away as so many cents, a multiple of a hundred dollars.

    >>> in_fill(3_000_000)
    {100000: 12, 10000: 105, 2500: 180, 500: 600}
    """
    return _made_up(cents, _FILLED)


def in_bills(cents: int) -> Denominations:
    """Return which bills so many cents of cash are, as patrons bring them.

    >>> in_bills(123_400)
    {10000: 12, 2000: 1, 1000: 1, 100: 4}
    """
    return _change(cents, (10_000, 2000, 1000, 500, 100))


def _made_up(cents: int, parts: tuple[tuple[int, int], ...]) -> Denominations:
    chips = {coin: cents * percent // 100 // coin for coin, percent in parts}
    for coin, count in _change(cents - sum(coin * count for coin, count in chips.items()), _COINS).items():
        chips[coin] = chips.get(coin, 0) + count
    return {coin: chips[coin] for coin in sorted(chips, reverse=True) if chips[coin]}


def _change(cents: int, coins: tuple[int, ...]) -> Denominations:
    change = {}
    for coin in coins:
        change[coin], cents = divmod(cents, coin)
    return {coin: count for coin, count in change.items() if count}
