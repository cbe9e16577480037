"""The scenes of the golden event files: what happened at the table, round by round.

`python -m tests.golden.events.scenes` writes the frames and the house file of each scene again. What is to be
concluded of a scene stands in its expected.yaml and is worked by hand, never written by a program.
"""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec.structs import replace

from schemas import events as e
from schemas.codec import encode
from schemas.events import Event
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, SOURCES, TIE, Script, Spot, frame_of

FOLDER: Final = Path(__file__).parent
FRAMES: Final = "BAC-1.frames"
_PER_FRAME: Final = 25

SEAT_1: Final[Spot] = (1, "banker")
SEAT_4: Final[Spot] = (4, "player")
MONEY: Final[Spot] = (4, "house_money")

Scene = Callable[[], Script]
SCENES: Final[dict[str, tuple[Scene, Mapping[str, Any]]]] = {}


def scene(**options: Any) -> Callable[[Scene], Scene]:
    """Enter a scene under its name, with what the house's Rules Submission chose."""

    def enter(play: Scene) -> Scene:
        SCENES[play.__name__] = (play, options)
        return play

    return enter


def _opened(without: str = "", **more: Any) -> Script:
    s = Script(without, **more)
    s.open()
    return s


def _banker(
    s: Script, wagers: Mapping[Any, int], vigorish: Mapping[Any, int], *, marked: bool = False
) -> str:
    """Play a round that the Banker's Hand wins, all wagers on it, paid 1 to 1."""
    return s.play(BANKER_WINS, wagers, "banker", wagers, vigorish, marked=marked)


def _player(s: Script, cents: int = 2000, gain: int | None = None) -> str:
    """Play a round that the Player's Hand wins, one wager on it."""
    return s.play(PLAYER_WINS, {SEAT_4: cents}, "player", {SEAT_4: cents if gain is None else gain})


def _first(s: Script, kind: type[Event], number: str) -> Event:
    return next(event for event in s.events if isinstance(event, kind) and event.round == number)


@scene(vigorish_deferred=True)
def vigorish_owing() -> Script:
    """Play three shoes: all vigorish paid, some left at the shoe's end, some left by a player who left."""
    s = _opened()
    _banker(s, {SEAT_1: 1000, (6, "banker"): 2500}, {SEAT_1: 50, (6, "banker"): 125}, marked=True)
    _banker(s, {SEAT_1: 3000}, {SEAT_1: 150}, marked=True)
    s.pay_off(1, 200)
    s.pay_off(6, 125)
    s.load("shoe 2")
    _banker(s, {SEAT_1: 1000, (6, "banker"): 2500}, {SEAT_1: 50, (6, "banker"): 125}, marked=True)
    s.pay_off(6, 100)
    s.load("shoe 3")
    _banker(s, {SEAT_1: 4000}, {SEAT_1: 200}, marked=True)
    s.say("T", e.PlayerLeft, seat=1)
    _player(s)
    s.close()
    return s


@scene(vigorish_rounding_cents=25)
def vigorish_in_two_ways() -> Script:
    """Round 5% of 1100 to 75 cents in one round and take 55 in another, of one shoe and of two."""
    s = _opened()
    _banker(s, {SEAT_1: 1100}, {SEAT_1: 75})
    _banker(s, {SEAT_1: 1100}, {SEAT_1: 55})
    s.load("shoe 2")
    _banker(s, {SEAT_1: 1100}, {SEAT_1: 55})
    s.close()
    return s


@scene()
def nine_of_a_kind() -> Script:
    """Burn the ace of clubs, and deal it eight times more; a new shoe has its own."""
    s = _opened(without="VI")
    for number in range(8):
        suit, other = "cdhs"[number % 4], "cd"[number // 4]
        s.play(f"PAc B{'4567'[number % 4]}{other} P8{suit} BQ{suit}", {}, "player", {})
    s.load("shoe 2")
    s.play("PAc B4c P8c BQc", {}, "player", {})
    s.close()
    return s


@scene()
def after_no_more_bets() -> Script:
    """Make a wager in time, a second late, 100 ms late; withdraw one; make one by a clock 400 ms ahead."""
    s = _opened(without="VI")
    for wait in (None, 1.0, 0.1):
        s.begin({SEAT_1: 500} | ({SEAT_4: 2000} if wait is None else {}))
        s.no_more_bets()
        if wait is not None:
            s.on(SEAT_4, e.ChipsPlaced, 2000, after=wait)
        s.deal(PLAYER_WINS)
        s.announce("player")
        s.settle({SEAT_1: -500, SEAT_4: 2000})
        s.end()
    s.begin({SEAT_4: 2000})
    s.no_more_bets()
    s.on(SEAT_4, e.ChipsRemoved, 2000, after=2)
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.end()
    s.offsets["C"] = 400_000
    s.begin()
    s.no_more_bets()
    s.on(SEAT_4, e.ChipsPlaced, 2000, after=0.2)
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SEAT_4: 2000})
    s.end()
    s.close()
    return s


@scene(house_money=True)
def house_money() -> Script:
    """Pay a pair 3 to 1 on 500: taken, added in time, added 100 ms before the fifth card, and after it."""
    s = _opened()
    wagers = {SEAT_4: 2000, MONEY: 500}
    for wait, thirds in ((None, 1.5), (1.0, 1.5), (1.4, 0.1), (None, 0.0)):
        s.begin(wagers)
        s.no_more_bets(wagers)
        s.deal("P2c B6d P2h BKd")
        if thirds == 0:
            s.deal("P4c")
            s.add_payout(MONEY, "player", 1500, after=1)
        elif wait is None:
            s.hand_over(MONEY, 1500, after=1)
        else:
            s.add_payout(MONEY, "player", 1500, after=wait)
        if thirds:
            s.now += thirds - 1.5
            s.deal("P4c")  # 8 to 6; the Banker stays on 6 against a four
        s.announce("player")
        s.settle({SEAT_4: 2000 if wait is None and thirds else 3500})
        s.end()
    s.close()
    return s


@scene()
def put_right() -> Script:
    """Pay 500 too much: put right in time, after the close, and by half; then spoil a right sum."""
    s = _opened()
    for closed, by in ((False, -500), (True, -500), (True, -250)):
        s.begin({SEAT_4: 2000})
        s.no_more_bets({SEAT_4: 2000})
        s.deal(PLAYER_WINS)
        s.announce("player")
        s.settle({SEAT_4: 2500})
        if closed:
            s.end()
        s.adjust(SEAT_4, by)
        if not closed:
            s.end()
    _player(s)
    s.adjust(SEAT_4, 100)
    s.close()
    return s


@scene()
def corrected() -> Script:
    """Correct mistaken reports: a stack, a result, and a collection that never happened."""
    s = _opened(without="VI")
    for kind, wrong in ((e.ChipsPlaced, {"cents": 9000}), (e.OutcomeAnnounced, {"outcome": "tie"})):
        number = _player(s)
        right = _first(s, kind, number)
        s.events[s.events.index(right)] = mistaken = replace(right, **wrong)
        s.correct(mistaken, right)
    _player(s)
    s.correct(s.on((7, "tie"), e.ChipsCollected, 500))
    _player(s)
    s.close()
    return s


@scene()
def two_readers() -> Script:
    """Dispute a card, a stack and the tray; read a card by one reader only; dispute two cards more."""
    s = _opened()
    for kind, wrong in (
        (e.CardSeen, {"card": "9d"}),
        (e.StackSeen, {"cents": 2500}),
        (e.InventoryCounted, {"cents": 1}),
        (e.CardDrawn, {"card": "??"}),
        (e.CardSeen, {"card": "9d"}),
        (e.CardSeen, {"card": "9d"}),
    ):
        right = _first(s, kind, _player(s))
        s.events[s.events.index(right)] = replace(right, **wrong)
    s.close()
    return s


@scene()
def lost_and_restarted() -> Script:
    """Lose a payment, and a card that the camera saw; restart a reader in a round and between two."""
    s = _opened()
    lost = [_first(s, e.ChipsPaid, _player(s)), _first(s, e.CardDrawn, _player(s))]
    s.begin({SEAT_4: 2000})
    s.no_more_bets({SEAT_4: 2000})
    s.restart("C")
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SEAT_4: 2000})
    s.end()
    s.restart("C")
    _player(s)
    _player(s, gain=2500)
    s.close()
    s.events = [event for event in s.events if event not in lost]
    return s


@scene()
def out_of_order() -> Script:
    """Overpay the second of three rounds by 500; every event comes seconds from its turn, many come twice."""
    s = _opened()
    _player(s)
    _player(s, gain=2500)
    _player(s)
    s.close()
    rng = random.Random(631)  # noqa: S311  play, not secrecy
    arrived = [(event.at + rng.randrange(5_000_000), event) for event in [*s.events, *s.events[::3]]]
    s.events = [event for _, event in sorted(arrived, key=lambda each: each[0])]
    return s


@scene(tie_odds=8)
def turn_of_the_day() -> Script:
    """Pay ties at 8 to 1 before and after 06:00, then at 9 to 1 under new rules, and one by the old ones."""
    s = _opened(start=1_743_501_570_000_000)  # 2025-04-01 05:59:30 in New York
    for gain in (800, 800, 900, 800):
        if gain == 900:
            s.change_rules(tie_odds=9)
        s.now += 15
        s.play(TIE, {(2, "tie"): 100}, "tie", {(2, "tie"): gain})
    s.close()
    return s


def frames(name: str) -> bytes:
    """Return a scene's frames as they are kept in its file."""
    events = SCENES[name][0]().events
    parts = [events[start : start + _PER_FRAME] for start in range(0, len(events), _PER_FRAME)]
    return b"".join(encode(frame_of(part, number)) + b"\n" for number, part in enumerate(parts, 1))


def house_file(name: str) -> str:
    """Return a scene's house file."""
    play, options = SCENES[name]
    devices = play().devices
    house = {
        "house": name,
        "gaming_day_starts": "06:00",
        "tables": {
            "BAC-1": {"chapter": "631a", "decks": 8, "sources": {each: SOURCES[each] for each in devices}}
        },
        "submissions": [{"from": "2014-02-01", "chapter": "631a", "options": dict(options)}],
    }
    return yaml.safe_dump(house, sort_keys=False)


if __name__ == "__main__":
    for each in SCENES:
        (FOLDER / each).mkdir(exist_ok=True)
        (FOLDER / each / FRAMES).write_bytes(frames(each))
        (FOLDER / each / "house.yaml").write_text(house_file(each), encoding="utf-8")
