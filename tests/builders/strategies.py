"""The one Hypothesis vocabulary: cards, rounds played by the tableau, wagers, records of Chapter 631a.

Rounds are dealt by the simulator's reading of 631a.11, which shares nothing with the audit's.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.engine.conclusion import Conclusion, Expected
from schemas.record import RecordPaid, RecordWager, RoundRecord
from schemas.values import RANKS, SUITS
from streams.simulator.games.baccarat.rules import MAIN, Result, Ways, lawful
from tests.builders.thoroughness import examples

Play: TypeAlias = list[tuple[str, str]]

# The same examples on each run, so that a failure can be had again; none of them is timed.
STEADY: Final = settings(max_examples=examples(70, 200), deadline=None, derandomize=True, database=None)

BEFORE_EZ: Final = datetime(
    2013, 5, 1, 20, tzinfo=UTC
)  # coupons are known, EZ Baccarat and House Money are not
TODAY: Final = datetime(2025, 1, 1, 20, tzinfo=UTC)
TENS: Final = "TJQK"


# Strategies are made once, here or by their arguments: to make and check them again for each example takes
# several times as long as what is proved by it.
_CARDS: Final = st.sampled_from([rank + suit for rank in RANKS for suit in SUITS])


def cards() -> st.SearchStrategy[str]:
    """Return any card, read whole."""
    return _CARDS


@cache
def readings(card: str, *, whole: bool = False) -> st.SearchStrategy[str]:
    """Return what a reader may make of a card that it does not read whole, or as often does read `whole`."""
    unread = [f"?{card[1]}", f"{card[0]}?", "??"]
    if card[0] in TENS:
        unread.append("0?")
    return st.sampled_from([*[card] * len(unread), *unread] if whole else unread)


_SIX_CARDS: Final = st.tuples(*[_CARDS] * 6)
_PAIRS: Final = st.sampled_from([(), (0,), (1,), (0, 1)])
_SUITS: Final = st.sampled_from(SUITS)


@st.composite
def _shoes(draw: st.DrawFn) -> list[str]:
    shoe = list(draw(_SIX_CARDS))
    for first in draw(_PAIRS):
        shoe[first + 2] = shoe[first][0] + draw(_SUITS)
    return shoe


_SHOES: Final = _shoes()


def shoes() -> st.SearchStrategy[list[str]]:
    """Return the next six cards of a shoe, often with a pair in a hand."""
    return _SHOES


def play_of(hands: Result) -> Play:
    """Return two hands as they left the shoe, 631a.9(c)."""
    player = [("player", card) for card in hands.player]
    banker = [("banker", card) for card in hands.banker]
    return [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]


_PLAYS: Final = _SHOES.map(lambda shoe: play_of(lawful(shoe)[0]))


def plays() -> st.SearchStrategy[Play]:
    """Return the cards of a round that follows the tableau."""
    return _PLAYS


_ACTS: Final = st.tuples(st.sampled_from(["player", "banker"]), _CARDS)
_ANY_PLAYS: Final = st.builds(
    lambda play, more: [*play, *more], _PLAYS, st.lists(_ACTS, max_size=2)
) | st.lists(_ACTS, max_size=8)


def any_plays() -> st.SearchStrategy[Play]:
    """Return cards to any hand in any order, in most cases against the text."""
    return _ANY_PLAYS


_CHOICES: Final[Mapping[str, Sequence[Any]]] = {
    "ez": [False, True],
    "vigorish_rounding_cents": [0, 25],
    "vigorish_deferred": [False, True],
    "tie_odds": range(8, 13),
    "dragon_bonus": [None, "A", "B", "C"],
    "house_money": [True, True, False],
    "house_money_portion": ["1", "1/2"],
    "house_money_vigorish": ["whole", "original"],
    "disclosed_card": ["discard", "simulate"],
}
_WAYS: Final = st.sampled_from(
    [Ways(**dict(zip(_CHOICES, chosen, strict=True))) for chosen in product(*_CHOICES.values())]
)


def ways() -> st.SearchStrategy[Ways]:
    """Return what a house may choose today, as far as the simulator knows it."""
    return _WAYS


WAYS_OF_2013: Final = st.builds(
    Ways,
    vigorish_rounding_cents=st.sampled_from([0, 25]),
    dragon_bonus=st.sampled_from([None, "A", "B", "C"]),
)

_WAGERS: Final = (
    *MAIN, "tie", "dragon_bonus_player", "dragon_bonus_banker", "dragon_7", "panda_8", "house_money",
)  # fmt: skip


_PEOPLE: Final = st.lists(
    st.sampled_from([(seat, bettor) for seat in range(1, 10) for bettor in (None, "anna")]),
    min_size=1,
    max_size=4,
    unique=True,
)
_CENTS: Final = st.integers(1, 100_000)
_GROWING: Final = st.sampled_from([("house_money", *MAIN), ("banker", "house_money")])


@cache
def _spots(offered: tuple[str, ...], *, growing: bool) -> st.SearchStrategy[Sequence[str]]:
    """Return spots on which one person wagers, of those that are offered."""
    some = st.lists(st.sampled_from(offered), min_size=1, max_size=5, unique=True)
    return some | _GROWING if growing else some


@st.composite
def wagers(draw: st.DrawFn, chosen: Ways, *, coupons: bool = True) -> list[RecordWager]:
    """Return wagers that the house offers, each spot of a person once, and one coupon a person at most."""
    offered = tuple(wager for wager in _WAGERS if chosen.offers(wager))
    made = []
    for seat, bettor in draw(_PEOPLE):
        spots = draw(_spots(offered, growing=chosen.house_money))
        under = draw(st.sampled_from([None, None, *spots])) if coupons else None
        for wager in spots:
            cents = draw(_CENTS)
            coupon = draw(st.integers(1, cents)) if wager == under else 0
            made.append(RecordWager(seat, wager, cents, bettor=bettor, coupon_cents=coupon))
    return made


def who(wager: RecordWager) -> str:
    """Return a person's name as the play of a record has it."""
    return f"seat{wager.seat}" + (f"/{wager.bettor}" if wager.bettor else "")


@st.composite
def choices(draw: st.DrawFn, made: Sequence[RecordWager]) -> Play:
    """Draw for each winner of House Money: taken, added to a wager of the same person, or nothing."""
    said = []
    for winner in (wager for wager in made if wager.wager == "house_money"):
        own = [each.wager for each in made if who(each) == who(winner) and each.wager in MAIN]
        words = [*(f"add_{hand}" for hand in own), "take", ""]
        if word := draw(st.sampled_from(words)):
            said.append((who(winner), f"house_money_{word}"))
    return said


@st.composite
def with_any_choices(draw: st.DrawFn, play: Play, made: Sequence[RecordWager]) -> Play:
    """Draw decisions on House Money by people who wager, at any moment, won or not."""
    words = st.sampled_from(["take", "add_player", "add_banker"])
    acts = list(play)
    for person in draw(st.lists(st.sampled_from(made), max_size=2)) if made else []:
        acts.insert(draw(st.integers(0, len(acts))), (who(person), f"house_money_{draw(words)}"))
    return acts


_MOMENTS: Final = st.sampled_from([TODAY, TODAY, TODAY, BEFORE_EZ])
_DECKS: Final = st.sampled_from([6, 7, 8])


@st.composite
def records(draw: st.DrawFn, *, coupons: bool = True) -> RoundRecord:
    """Return a round dealt by the tableau with wagers that may be made; not announced, not settled."""
    at = draw(_MOMENTS)
    chosen = draw(_WAYS if at == TODAY else WAYS_OF_2013)
    play = draw(_PLAYS)
    made = draw(wagers(chosen, coupons=coupons))
    if Result(*_hands(play)).pairs:
        play = [*play[:4], *draw(choices(made)), *play[4:]]
    return RoundRecord(
        table="BAC-1",
        round="1",
        chapter="631a",
        at=at,
        play=play,
        wagers=made,
        options=msgspec.to_builtins(chosen),
        decks=draw(_DECKS),
    )


def _hands(play: Play) -> tuple[tuple[str, ...], tuple[str, ...]]:
    player, banker = (tuple(what for to, what in play if to == hand) for hand in MAIN)
    return player, banker


def settled(concluded: Conclusion) -> list[RecordPaid]:
    """Pay exactly what the audit says is owed, and nothing where it leaves the money open."""
    return [_paid(each) for each in concluded.expected if each.cents is not None]


def _paid(each: Expected) -> RecordPaid:
    return RecordPaid(each.seat, each.wager, each.cents or 0, each.vigorish_cents or 0, bettor=each.bettor)


# ── every chapter: golden hands, altered ─────────────────────────────────────────────────────────────

_GOLDEN: Final = Path(__file__).parents[1] / "golden"


@cache
def golden_records(chapter: str) -> tuple[RoundRecord, ...]:
    """Return the records of a chapter's golden hands, as far as they can be read at all."""
    lines = [
        json.loads(line)
        for path in sorted((_GOLDEN / chapter).glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return tuple(
        msgspec.convert(each["record"], RoundRecord)
        for each in lines
        if "record" in each and "error" not in each["answer"]
    )


@st.composite
def altered(draw: st.DrawFn, chapter: str) -> RoundRecord:
    """Return a golden hand of a chapter as it lies, or with a few acts, wagers, options and payments altered.

    What an alteration puts in comes from the same hand or from another one of the chapter.
    """
    known = golden_records(chapter)
    record, other = draw(st.sampled_from(known)), draw(st.sampled_from(known))
    for _ in range(draw(st.integers(0, 4))):
        record = draw(st.sampled_from(_ALTERATIONS).flatmap(lambda alter: alter(record, other)))  # noqa: B023  drawn at once
    return record


@st.composite
def _acts_altered(draw: st.DrawFn, record: RoundRecord, other: RoundRecord) -> RoundRecord:
    play = list(record.play)
    kind = draw(st.sampled_from(["drop", "swap", "put", "move", "blur"]))
    if kind == "put" and other.play:
        play.insert(draw(st.integers(0, len(play))), draw(st.sampled_from(other.play)))
    elif play:
        n, m = (draw(st.integers(0, len(play) - 1)) for _ in range(2))
        if kind == "drop":
            del play[n]
        elif kind == "swap":
            play[n], play[m] = play[m], play[n]
        elif kind == "move":
            play.insert(m, play.pop(n))
        elif play[n][1][-1] in SUITS and play[n][1][0] in RANKS:
            play[n] = (play[n][0], draw(readings(play[n][1])))
    return replace(record, play=play)


@st.composite
def _wagers_altered(draw: st.DrawFn, record: RoundRecord, other: RoundRecord) -> RoundRecord:
    made = list(record.wagers)
    kind = draw(st.sampled_from(["drop", "put", "sum", "coupon"]))
    if kind == "put" and other.wagers:
        made.append(draw(st.sampled_from(other.wagers)))
    elif made:
        n = draw(st.integers(0, len(made) - 1))
        cents = draw(st.sampled_from([1, 25, 500, 1000, 2525]))
        if kind == "drop":
            del made[n]
        else:
            made[n] = replace(made[n], **{"cents" if kind == "sum" else "coupon_cents": cents})
    return replace(record, wagers=made)


def _otherwise_altered(record: RoundRecord, other: RoundRecord) -> st.SearchStrategy[RoundRecord]:
    changes: list[dict[str, Any]] = [
        {"options": other.options},
        {"at": other.at},
        {"paid": other.paid},
        {"paid": None},
        {"announced": other.announced},
    ]
    return st.sampled_from(changes).map(lambda change: replace(record, **change))


_ALTERATIONS: Final = (_acts_altered, _acts_altered, _wagers_altered, _otherwise_altered)
