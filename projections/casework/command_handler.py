"""The command handler: decides, stores and applies every action of a person, one at a time.

An action takes one path, under one lock: its book decides whether it may be done, it is stored after all
earlier actions, and only then answered. The same action sent again gets the same answer as the first time.
Only the actions are stored: the books are folded from them when the process starts. Actions that a store has
lost, or never had, are restored unchanged from where they were published.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar, Union

import msgspec
from msgspec import Struct

from projections.casework.actions import (
    Action,
    Actor,
    Details,
    Done,
    NotAllowed,
    Refused,
    field_changes,
    load_done,
)
from projections.casework.alert_watch import AlertWatch
from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.case_book import CaseBook
from projections.casework.cases.case_actions import Escalate, Mute, Unmute
from projections.store.action_log import Acted, actions_of, sealed
from projections.store.rows import Offset
from projections.store.store import Store
from schemas.errors import BadInput, DiscardrackError
from schemas.values import Micros

_Action = TypeVar("_Action", bound=Action)
_Book = TypeVar("_Book")
_encode: Final = msgspec.json.Encoder(order="deterministic").encode


class Book(Protocol):
    """A book of one sort of work: which actions it keeps, whether one may be done, and how things stand."""

    @property
    def kinds(self) -> tuple[type[Action], ...]:
        """Return the kinds of its actions."""

    def clear(self) -> None:
        """Clear the state; it is about to be folded again."""

    def prepare(self, action: Any, actor: Actor, now: Micros) -> tuple[Any, dict[str, str]]:
        """Return an action as it is to be done, and what had to be known for it.

        Raise Refused if it cannot.
        """

    def subject_state(self, action: Any) -> Any:
        """Return the state of an action's subject; None if there is none."""

    def evolve(self, done: Done[Any]) -> None:
        """Fold what was done."""


class Answer(Struct, frozen=True):
    """Result of an action: its number, its subject, and what has changed of that."""

    number: int
    subject: str
    after: Any


class CommandHandler(AlertWatch):
    """Handler of the commands on alerts and disputes of one store; its methods may be called from any thread.

    Raises:
        BadInput: an action in the store was changed, or one is missing.
    """

    def __init__(self, store: Store, alert_queue: AlertQueue, books: Sequence[Book]) -> None:
        super().__init__(store, alert_queue, next(book for book in books if isinstance(book, CaseBook)))
        self._books = {kind: book for book in books for kind in book.kinds}
        self._all = list(books)
        self._read: Callable[[bytes], Action] = msgspec.json.Decoder(Union[tuple(self._books)]).decode  # noqa: UP007  made of a tuple
        self._done: dict[str, Acted] = {}
        self._last: Acted | None = None
        self._waits: str | None = None
        self._fold()

    def suspend(self, why: str) -> None:
        """Stop accepting actions until `resume`; an action is refused with `why` as the reason."""
        self._waits = why

    def resume(self) -> None:
        """Accept actions again."""
        self._waits = None

    def book(self, sort: type[_Book]) -> _Book:
        """Return its book of a sort.

        Raises:
            StopIteration: it has none.
        """
        return next(book for book in self._all if isinstance(book, sort))

    def alerts_of_case(self, case: str) -> tuple[str, ...]:
        """Return the alerts of a case; of one that was merged into another those of the other."""
        with self._lock:
            return self._case_book.cases.case(case).alerts

    def alerts_found_with(
        self, alerts: Collection[str], abouts: Collection[str], days: Collection[str]
    ) -> set[tuple[str, str]]:
        """Return all in the queue that is about what these are of; see `AlertQueue.found_with`."""
        with self._lock:
            return self.alert_queue.found_with(alerts, abouts, days)

    def note_embargo_change(self) -> None:
        """Note that an embargo began or ended, so that pages are notified."""
        with self._lock:
            self._news.written = True

    def act(self, requested: Action, actor: Actor, now: Micros) -> Answer:
        """Carry out an action; the same action again changes nothing.

        Raises:
            NotAllowed: the role may not.
            Refused: it cannot be done at present.
            DiscardrackError: the store cannot be written; nothing was done.
        """
        if requested.needs not in actor.rights:
            raise NotAllowed(
                f"The role {actor.role} may not do this; it needs the right to {requested.needs}."
            )
        if self._waits is not None:
            raise Refused(self._waits, code="not_ready")
        with self._lock:
            self._refuse_hidden(requested, actor)
            if requested.id in self._done:
                return _answer(self._done[requested.id], actor)
            book = self._books[type(requested)]
            action, facts = book.prepare(requested, actor, now)
            before = book.subject_state(action)
            book.evolve(Done[Any](action=action, who=actor.name, at=now, facts=facts))
            after = book.subject_state(action)
            acted = self._row(action, actor, now, facts, field_changes(before, after))
            self._write(acted)
            self._note(acted, action, (before, after))
            if isinstance(action, Escalate) and after.critical:
                self._news.called |= set(after.alerts)
            return _answer(acted, actor)

    def preview(self, requested: _Action, actor: Actor, now: Micros) -> _Action:
        """Return an action as it would be done now; nothing is done.

        Raises:
            Refused: it cannot be done at present.
        """
        with self._lock:
            self._refuse_hidden(requested, actor)
            action: _Action
            action, _ = self._books[type(requested)].prepare(requested, actor, now)
            return action

    def _refuse_hidden(self, action: Action, actor: Actor) -> None:
        for subject in _subjects(action):
            if self.is_hidden(subject, actor.hidden):
                raise Refused(f"There is no such {subject.partition(':')[0]} any more.", code="gone")

    def restore(self, acted: Acted, reached: Sequence[Offset] = ()) -> bool:
        """Carry out an earlier action that the store does not have; return False if it has it.

        It is written as it was, with its number, time and digest, and with its offsets (`reached`); nothing
        is decided again.

        Raises:
            BadInput: it does not follow what the store has, or is not as it was; nothing was done.
            DiscardrackError: the store cannot be written.
        """
        with self._lock:
            if self._done.get(acted.id) == acted:
                return False
            self._must_follow(acted)
            try:
                done = load_done(acted, self._read)
                action, book = done.action, self._books[type(done.action)]
                before = book.subject_state(action)
                book.evolve(done)
                after = book.subject_state(action)
            except (msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
                # Its digest is right, yet no console that follows these rules has done it.
                self._fold()
                raise BadInput(f"action {acted.number} cannot be done again: {error}") from None
            self._write(acted, reached)
            self.alert_queue.note_restored(acted.at)
            self._note(acted, action, (before, after))
            return True

    def _must_follow(self, acted: Acted) -> None:
        if acted != sealed(acted):
            raise BadInput(f"action {acted.number} is not as it was done: its digest is another's")
        number, digest = (self._last.number, self._last.digest) if self._last is not None else (0, None)
        is_known = acted.id in self._done
        if (acted.number, acted.previous) == (number + 1, digest) and not is_known:
            return
        if acted.number <= number or is_known:
            raise BadInput(
                f"action {acted.number} is another one in this store: two stores were acted in; "
                "the archive has both"
            )
        raise BadInput(
            f"action {acted.number} does not follow action {number}, the last of this store: some between "
            "them are missing, or two stores were acted in; the archive has all (serve --actions)"
        )

    def _write(self, acted: Acted, reached: Sequence[Offset] = ()) -> None:
        try:
            self._store.act(acted, reached)
        except DiscardrackError:
            self._fold()
            raise

    def _row(
        self,
        action: Action,
        actor: Actor,
        now: Micros,
        facts: Mapping[str, str],
        differs: tuple[str | None, str | None],
    ) -> Acted:
        last = self._last
        return sealed(
            Acted(
                number=last.number + 1 if last is not None else 1,
                id=action.id,
                at=now,
                who=actor.name,
                role=actor.role,
                action=str(type(action).__struct_config__.tag),
                subject=getattr(action, "subject", None) or "",
                details=_encode(Details(msgspec.Raw(_encode(action)), dict(facts))).decode(),
                before=differs[0],
                after=differs[1],
                previous=last.digest if last is not None else None,
            )
        )

    def _note(self, acted: Acted, action: Action, subject_states: tuple[Any, Any]) -> None:
        self._done[acted.id] = self._last = acted
        touched = {alert for each in subject_states for alert in getattr(each, "alerts", ())}
        if isinstance(action, Mute | Unmute):
            mute = action.id if isinstance(action, Mute) else action.mute
            touched |= self._muted_by(self._case_book.cases.mutes[mute])
        self._news.touched |= touched
        self._news.written |= not touched

    def _fold(self) -> None:
        """Fold all actions of the store, from the first."""
        with self._lock:
            for book in self._all:
                book.clear()
            self._done, self._last = {}, None
            for acted in actions_of(self._store.reading()):
                done = load_done(acted, self._read)
                self._books[type(done.action)].evolve(done)
                self._done[acted.id] = self._last = acted

    def has(self, acted: Acted) -> bool:
        """Return True if just this was done here."""
        with self._lock:
            return self._done.get(acted.id) == acted

    def acts(self) -> list[Acted]:
        """Return all that was done, in order."""
        with self._lock:
            return list(self._done.values())

    def done_to(self, alert: str, hidden: frozenset[str]) -> list[Acted]:
        """Return all that was done to an alert and its case, in order, without hidden subjects."""
        if self.is_hidden(f"alert:{alert}", hidden):
            return []
        with self._lock:
            found = sorted((self._done[each] for each in self._case_book.done_to(alert)), key=_number)
        if not hidden:
            return found
        return [
            each
            for each in found
            if not any(self.is_hidden(name, hidden) for name in _subjects(load_done(each, self._read).action))
        ]


def _number(acted: Acted) -> int:
    return acted.number


def _subjects(action: Action) -> set[str]:
    return {getattr(action, "subject", None) or "", *getattr(action, "others", ())}


def _answer(acted: Acted, actor: Actor) -> Answer:
    if acted.who != actor.name:
        raise Refused("Somebody else has done an action with this id.", code="repeated", field="id")
    return Answer(acted.number, acted.subject, msgspec.json.decode(acted.after or "null"))
