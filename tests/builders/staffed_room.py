"""A desk on a store of its own, and people who act at it, as the tests of its books need them."""

from collections.abc import Collection, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from projections.casework.actions import Action, Actor, Refused
from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.case_book import CaseBook
from projections.casework.command_handler import Answer, Book, CommandHandler
from projections.store.store import Store
from schemas.room_settings import RoomSettings

MINUTE: Final = 60_000_000
EVENING: Final = 1_740_882_000_000_000  # 2025-03-01 21:20 EST
PEOPLE: Final = ("ann", "bob", "cyd")


class StaffedRoom:
    """A surveillance room of three people, whose clock goes on by a minute with every action."""

    def __init__(self, path: Path, books: Sequence[Book] = ()) -> None:
        self.path, self.books = path, list(books)
        self.store = Store(path)
        self.desk = self._open()
        self.now = EVENING
        self._ids = (f"{number:06x}{'0' * 26}" for number in count(1))

    def _open(self) -> CommandHandler:
        board = AlertQueue(RoomSettings(), reporting_tables={"BAC-101"})
        return CommandHandler(
            self.store,
            board,
            [CaseBook(board, dict.fromkeys(("missettled", "push_paid"), "by_amount")), *self.books],
        )

    def again(self) -> None:
        """Begin the process again: everything is folded from the store."""
        self.store.close()
        self.store = Store(self.path)
        self.desk = self._open()

    def new_id(self) -> str:
        """Return the id of an action that nobody has done yet: 000001 and zeros, 000002 and zeros."""
        return next(self._ids)

    def act(self, action: Action, who: str = "ann", **actor: Any) -> Answer:
        """Carry out an action a minute later."""
        self.now += MINUTE
        return self.desk.act(action, build_actor(who, **actor), self.now)

    def refused(self, action: Action, who: str = "ann", **actor: Any) -> str:
        """Return the sentence with which an action is refused; nothing is done then."""
        number = len(self.desk.acts())
        with pytest.raises(Refused) as refused:
            self.act(action, who, **actor)
        assert len(self.desk.acts()) == number
        return str(refused.value)


def build_actor(
    name: str, rights: Collection[str] = ("see", "work", "log", "dispute"), hidden: Collection[str] = ()
) -> Actor:
    """Return someone of the room."""
    return Actor(name, "operator", rights, PEOPLE, frozenset(hidden))
