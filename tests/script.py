"""A table's devices speaking a script: rounds written as a person tells them, turned into events.

Times are in seconds since the table opened; each device numbers its own events.
"""

from collections.abc import Iterable
from typing import Any

from schemas import events as e
from datetime import date

from schemas.house import House, Submission, TableSetup

_DAY = date(2025, 1, 1)
START = 1_743_500_000_000_000  # 2025-04-01 05:33:20 in New York
SOURCES = {"T": "terminal", "S": "shoe", "C": "chips", "V": "camera", "I": "tray"}


def house(*, without: Iterable[str] = (), **options: Any) -> House:
    """A house with one table, BAC-1, which lacks the devices named in `without`."""
    sources = {device: source for device, source in SOURCES.items() if device not in set(without)}
    return House(
        house="script",
        gaming_day_starts="05:00",
        tables={"BAC-1": TableSetup(chapter="631a", decks=8, sources=sources)},  # type: ignore[arg-type]
        submissions=[Submission(since=_DAY, chapter="631a", options=options)],
    )


class Script:
    """Collects the events of one table."""

    def __init__(self, without: Iterable[str] = ()) -> None:
        self.devices = [device for device in SOURCES if device not in set(without)]
        self.numbers = dict.fromkeys(self.devices, 0)
        self.epochs = dict.fromkeys(self.devices, 1)
        self.offsets = dict.fromkeys(self.devices, 0)
        self.events: list[e.Event] = []
        self.now = 0.0
        self.tray = 100_000_00
        self.count = 0
        self.shoe = ""

    def say(self, device: str, kind: type[Any], after: float = 0.5, **fields: Any) -> Any:
        """Let a device report something, `after` seconds later; a device that the table lacks says nothing."""
        self.now += after
        if device not in self.numbers:
            return None
        self.numbers[device] += 1
        event = kind(
            device=device,
            epoch=self.epochs[device],
            seq=self.numbers[device],
            at=START + int(self.now * 1_000_000) + self.offsets[device],
            **fields,
        )
        self.events.append(event)
        return event

    def heard(self) -> dict[str, e.Heard]:
        """Poll every device but the terminal."""
        return {
            device: e.Heard(self.epochs[device], self.numbers[device], self.offsets[device])
            for device in self.devices
            if device != "T"
        }

    def open(self) -> None:
        """Open the table and load its first shoe."""
        self.say("T", e.TableOpened, inventory_cents=self.tray, heard=self.heard())
        self.load("shoe 1")

    def load(self, shoe: str) -> None:
        """Load a shoe and burn: the ace shown, one card face down."""
        self.shoe = shoe
        self.say("S", e.ShoeLoaded, shoe=shoe, decks=8)
        self.say("S", e.CardBurned, card="Ac")
        self.say("S", e.CardBurned)

    def close(self) -> None:
        """Close the table."""
        self.say("T", e.TableClosed, heard=self.heard())

    def play(
        self,
        cards: str,
        wagers: dict[tuple[int, str], int],
        announced: str,
        settled: dict[tuple[int, str], int],
        vigorish: dict[tuple[int, str], int] | None = None,
        *,
        marked: bool = False,
        rules: int = 0,
    ) -> str:
        """Play a round: cards as `P9s B5d ...`, wagers in cents, the gain on each as settled; give its number."""
        self.count += 1
        number = str(self.count)
        self.say("T", e.RoundOpened, round=number, shoe=self.shoe, rules=rules, heard=self.heard())
        self.say("I", e.InventoryCounted, round=number, cents=self.tray)
        for (seat, wager), cents in wagers.items():
            self.say("C", e.ChipsPlaced, round=number, seat=seat, wager=wager, cents=cents)
        self.say("T", e.WagersClosed, after=3, round=number)
        for (seat, wager), cents in wagers.items():
            self.say("V", e.StackSeen, after=0.1, round=number, seat=seat, wager=wager, cents=cents)
        self.deal(number, cards)
        self.say("T", e.OutcomeAnnounced, after=2, round=number, outcome=announced)
        self.settle(number, settled, vigorish or {}, marked=marked)
        self.say("I", e.InventoryCounted, round=number, cents=self.tray)
        self.say("T", e.RoundClosed, after=1, round=number, heard=self.heard())
        self.now += 5
        return number

    def deal(self, number: str, cards: str) -> None:
        """Deal cards, each seen by both readers."""
        places = {"player": 0, "banker": 0}
        for each in cards.split():
            hand = {"P": "player", "B": "banker"}[each[0]]
            places[hand] += 1
            self.say("S", e.CardDrawn, after=1.5, round=number, hand=hand, card=each[1:])
            self.say("V", e.CardSeen, after=0.3, round=number, hand=hand, place=places[hand], card=each[1:])

    def settle(
        self,
        number: str,
        settled: dict[tuple[int, str], int],
        vigorish: dict[tuple[int, str], int],
        *,
        marked: bool,
    ) -> None:
        """Collect and pay."""
        for (seat, wager), gain in settled.items():
            if gain:
                kind = e.ChipsPaid if gain > 0 else e.ChipsCollected
                self.say("C", kind, round=number, seat=seat, wager=wager, cents=abs(gain))
                self.tray -= gain
        for (seat, wager), cents in vigorish.items():
            kind = e.VigorishMarked if marked else e.VigorishCollected
            self.say("C", kind, round=number, seat=seat, wager=wager, cents=cents)
            self.tray += 0 if marked else cents
