"""The outbox: what is to be sent and the results, in a SQLite file beside the store.

It outlasts the process; `discardrack notify log` reads it while the console serves.
"""

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.notify import notice as notices
from projections.notify.notice import Notice
from schemas.errors import BadInput
from schemas.values import Micros

State: TypeAlias = Literal["waiting", "delivered", "failed", "stopped", "withheld"]
Outcome: TypeAlias = Literal["delivered", "retry", "failed", "stopped", "withheld"]

_FORMAT: Final = 1
_SQL: Final = Path(__file__).with_name("outbox.sql")
_WAIT: Final = 5.0  # seconds for another process to end its transaction
_OF_NOBODY: Final = ""
FEED: Final = "feed"  # the step of a message that no step of a plan sends
_DAY: Final = 86_400_000_000
_WHOLE_FOR: Final = 30 * _DAY
_STORED_FOR: Final = 5 * 366 * _DAY


def outbox_of(store: Path) -> Path:
    """Return the file of notifications of a store.

    >>> str(outbox_of(Path("var/live.duckdb")))
    'var/live.duckdb.notifications'
    """
    return store.with_name(f"{store.name}.notifications")


def delivery_id(*parts: object) -> str:
    """Return the id of a message, the same for the same alert, step and target whenever it is made.

    >>> len(delivery_id("2025-03-01|BAC-1|1", 0, "overdue 5", "pager")), delivery_id("a") == delivery_id("a")
    (36, True)
    """
    return f"msg_{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"


class Delivery(Struct, frozen=True):
    """A message to one receiver, and how far it is."""

    id: str
    target: str
    recipient: str | None
    step: str
    about: str
    since: Micros
    notice: Notice
    queued: Micros
    due: Micros
    until: Micros
    attempts: int = 0
    state: State = "waiting"

    @property
    def lane(self) -> tuple[str, str]:
        """Return what has one message under way at a time: a target, or a browser of a push target."""
        return self.target, self.recipient or _OF_NOBODY


class Attempt(Struct, frozen=True):
    """An attempt, or what ended a message without one."""

    number: int
    at: Micros
    outcome: Outcome
    answer: str


class TargetState(Struct, frozen=True):
    """State of a target: how many messages wait, since when the first, and the last result.

    `failing` is why its last attempt failed, if it did.
    """

    target: str
    queued: int
    oldest: Micros | None
    last: Micros | None
    failing: str | None


class Subscription(Struct, frozen=True):
    """A browser that a person subscribed; the address and the keys are secret."""

    id: str
    account: str
    called: str
    endpoint: str
    p256dh: str
    auth: str
    made: Micros


class Outbox:
    """An open file of notifications, made where there is none; any thread may use it.

    Raises:
        BadInput: the file cannot be made or opened, or is none of notifications.
    """

    def __init__(self, path: Path, now: Micros) -> None:
        self.path, self._closed = path, False
        self._pruned_to: Micros = 0
        self._lock = threading.RLock()
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA secure_delete = ON")
            self._check_form(now)
        except (OSError, sqlite3.Error) as error:
            raise BadInput(f"{path}: cannot be opened as a file of notifications: {error}") from None
        (row,) = self._ask("SELECT made FROM written_as")
        self.made: Micros = row["made"]

    def _check_form(self, now: Micros) -> None:
        tables = {row["name"] for row in self._ask("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not tables:
            self._db.executescript(f"BEGIN IMMEDIATE; {_SQL.read_text(encoding='utf-8')} COMMIT;")
            self._db.execute("INSERT INTO written_as VALUES (?, ?)", [_FORMAT, now])
        elif "deliveries" not in tables:
            raise BadInput(f"{self.path}: a SQLite file, but none of notifications")
        (row,) = self._ask("SELECT format FROM written_as")
        if row["format"] != _FORMAT:
            raise BadInput(
                f"{self.path}: notifications of format {row['format']}, this version has {_FORMAT}"
            )

    def close(self) -> None:
        """Close the file; what comes back later is not noted, and is sent again when it is open again."""
        with self._lock:
            self._closed = True
            self._db.close()

    def _ask(self, query: str, *parameters: object) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(query, parameters).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    # ── messages ──────────────────────────────────────────────────────────────────────────────────────

    def add(self, deliveries: Iterable[Delivery]) -> int:
        """Queue messages; one that is there stays as it is, but one that was stopped waits again.

        Returns how many were queued.
        """
        rows = [
            (*(each.id, each.target, each.recipient, each.step, each.about, each.since),
             notices.encode(each.notice).decode(), each.queued, each.due, each.until)
            for each in deliveries
        ]  # fmt: skip
        if not rows:
            return 0
        query = """
            INSERT INTO deliveries (id, target, recipient, step, about, since, notice, queued, due, until)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET state = 'waiting', due = excluded.due, until = excluded.until
            WHERE state IN ('stopped', 'withheld')
        """
        with self._writing() as db:
            return db.executemany(query, rows).rowcount

    def settled_ids(self, ids: Iterable[str]) -> set[str]:
        """Return those of some ids whose message is there and need not be queued again."""
        found: set[str] = set()
        for name in ids:
            rows = self._ask("SELECT state FROM deliveries WHERE id = ?", name)
            found |= {name for row in rows if row["state"] not in ("stopped", "withheld")}
        return found

    def due(self, now: Micros) -> list[Delivery]:
        """Return the messages that may be sent now, those that have waited longest first.

        Receivers that asked to be left alone are not among them.
        """
        query = """
            SELECT * FROM deliveries WHERE state = 'waiting' AND due <= ?1 AND NOT EXISTS (
                SELECT 1 FROM holds WHERE holds.target = deliveries.target AND holds.until > ?1
                AND holds.recipient = coalesce(deliveries.recipient, '')
            ) ORDER BY queued, rowid
        """
        return [_delivery(row) for row in self._ask(query, now)]

    def postpone(self, delivery: Delivery, due: Micros, until: Micros) -> None:
        """Postpone a message, without an attempt."""
        with self._writing() as db:
            db.execute("UPDATE deliveries SET due = ?, until = ? WHERE id = ?", [due, until, delivery.id])

    def note(
        self,
        delivery: Delivery,
        at: Micros,
        outcome: Outcome,
        answer: str,
        due: Micros | None = None,
        until: Micros | None = None,
    ) -> None:
        """Note an attempt, or what ended a message; it is tried again when `due`, and not after `until`."""
        state = "waiting" if outcome == "retry" else outcome
        tried = outcome in ("delivered", "retry", "failed")
        with self._lock:
            if self._closed:
                return
            with self._writing() as db:
                db.execute(
                    """
                    UPDATE deliveries SET state = ?, attempts = attempts + ?, due = coalesce(?, due),
                        until = coalesce(?, until) WHERE id = ?
                    """,
                    [state, tried, due, until, delivery.id],
                )
                db.execute(
                    "INSERT INTO attempts (delivery, at, outcome, answer) VALUES (?, ?, ?, ?)",
                    [delivery.id, at, outcome, answer],
                )

    def prune(self, now: Micros) -> None:
        """Drop what is no longer needed of the messages that ended 30 days ago or earlier.

        A step's message that was sent or given up stays for five years, so that it is not sent again while
        nobody takes the alert: with its last attempt, and without anything confidential. A finding of a feed
        does not come again, and what was stopped is queued again if it has to be sent after all.
        """
        ended = """
            SELECT deliveries.*, max(number) AS last, max(at) AS ended FROM deliveries
            JOIN attempts ON delivery = id WHERE state <> 'waiting' AND queued <= ?1
            GROUP BY id HAVING ended <= ?1 AND (ended > ?2 OR ended <= ?3)
        """
        # What was pruned before by this process has nothing more to lose until it goes.
        span = [now - _WHOLE_FOR, self._pruned_to, now - _STORED_FOR]
        with self._writing() as db:
            for row in db.execute(ended, span).fetchall():
                sent = row["step"] != FEED and row["state"] in ("delivered", "failed")
                stays = sent and row["ended"] > now - _STORED_FOR
                last = row["last"] if stays else None
                db.execute("DELETE FROM attempts WHERE delivery = ? AND number IS NOT ?", [row["id"], last])
                if not stays:
                    db.execute("DELETE FROM deliveries WHERE id = ?", [row["id"]])
                    continue
                notice = notices.encode(notices.decode(row["notice"]).without_details()).decode()
                if notice != row["notice"]:
                    db.execute("UPDATE deliveries SET notice = ? WHERE id = ?", [notice, row["id"]])
            db.execute("DELETE FROM holds WHERE until < ?", [now])
        self._pruned_to = now - _WHOLE_FOR

    def hold(self, lane: tuple[str, str], until: Micros) -> None:
        """Send nothing to a receiver before a moment."""
        with self._lock:
            if not self._closed:
                with self._writing() as db:
                    db.execute("REPLACE INTO holds VALUES (?, ?, ?)", [*lane, until])

    def latest(self, most: int, before: Micros | None = None) -> list[tuple[Delivery, list[Attempt]]]:
        """Return the newest messages, and the attempts of each."""
        query = "SELECT * FROM deliveries WHERE queued < ? ORDER BY queued DESC, rowid LIMIT ?"
        found = [_delivery(row) for row in self._ask(query, before if before is not None else 1 << 62, most)]
        return [(each, self.attempts(each.id)) for each in found]

    def count_failed(self, since: Micros) -> int:
        """Count the messages that were given up since a moment."""
        (row,) = self._ask(
            "SELECT count(DISTINCT delivery) AS failed FROM attempts WHERE outcome = 'failed' AND at >= ?",
            since,
        )
        return int(row["failed"])

    def attempts(self, delivery: str) -> list[Attempt]:
        """Return the attempts of a message, in order."""
        rows = self._ask("SELECT * FROM attempts WHERE delivery = ? ORDER BY number", delivery)
        return [Attempt(row["number"], row["at"], row["outcome"], row["answer"]) for row in rows]

    def oldest(self) -> dict[str, Micros]:
        """Return since when the oldest message of each target waits, of those that have one."""
        query = "SELECT target, min(queued) AS oldest FROM deliveries WHERE state = 'waiting' GROUP BY target"
        return {row["target"]: row["oldest"] for row in self._ask(query)}

    def targets(self) -> list[TargetState]:
        """Return the state of each target that ever had a message, by name."""
        query = """
            SELECT target, coalesce(queued, 0) AS queued, oldest FROM (SELECT DISTINCT target FROM deliveries)
            LEFT JOIN (
                SELECT target, count(*) AS queued, min(queued) AS oldest
                FROM deliveries WHERE state = 'waiting' GROUP BY target
            ) USING (target) ORDER BY target
        """
        last = """
            SELECT at, outcome, answer FROM attempts JOIN deliveries ON deliveries.id = delivery
            WHERE target = ? AND outcome IN ('delivered', 'retry', 'failed') ORDER BY number DESC LIMIT 1
        """
        found = []
        for row in self._ask(query):
            tried = self._ask(last, row["target"])
            at = tried[0]["at"] if tried else None
            failing = tried[0]["answer"] if tried and tried[0]["outcome"] != "delivered" else None
            found.append(TargetState(row["target"], row["queued"], row["oldest"], at, failing))
        return found

    # ── browsers ──────────────────────────────────────────────────────────────────────────────────────

    def subscribe(self, subscription: Subscription) -> None:
        """Add a browser; an existing one now belongs to whoever subscribed it last."""
        with self._writing() as db:
            fields = [getattr(subscription, name) for name in subscription.__struct_fields__]
            db.execute("REPLACE INTO subscriptions VALUES (?, ?, ?, ?, ?, ?, ?)", fields)

    def unsubscribe(self, name: str, account: str | None = None) -> bool:
        """Remove a browser, of any account or of the given one; return True if it existed."""
        query = "DELETE FROM subscriptions WHERE id = ?1 AND (?2 IS NULL OR account = ?2)"
        with self._lock:
            if self._closed:
                return False
            with self._writing() as db:
                return db.execute(query, [name, account]).rowcount > 0

    def subscriptions(self) -> list[Subscription]:
        """Return the browsers, those of a person together."""
        rows = self._ask("SELECT * FROM subscriptions ORDER BY account, made, id")
        return [Subscription(*row) for row in rows]

    def subscription(self, name: str) -> Subscription | None:
        """Return a browser; None if it is subscribed no more."""
        if self._closed:
            return None
        rows = self._ask("SELECT * FROM subscriptions WHERE id = ?", name)
        return Subscription(*rows[0]) if rows else None


def _delivery(row: sqlite3.Row) -> Delivery:
    fields = {name: row[name] for name in Delivery.__struct_fields__ if name != "notice"}
    return Delivery(**fields, notice=notices.decode(row["notice"]))
