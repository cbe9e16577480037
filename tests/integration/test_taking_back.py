"""A store that is lost, or an older copy of it, on a real broker: no action is lost, none is doubled."""

import os
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from projections.store.action_log import actions_of
from projections.store.store import Store
from schemas.surveillance import OperatorActed
from streams.action_publisher import acted_of
from streams.archive import keys
from streams.broker import LocalBroker
from streams.signing import signing_key_path
from streams.topics import ROUNDS
from tests.builders.audited_floor import play_and_audit_floor
from tests.integration.conftest import send, until
from tests.integration.kafka_link import KafkaLink, LinkedBroker
from tests.integration.served_console import (
    ServedConsole,
    is_caught_up,
    read_actions,
    result_messages,
    serve_console,
)

VIEWS: Final = ("/api/disputes", "/api/muted", "/api/log")
QUEUES: Final = [
    f"/api/queue?queue={queue}&state={state}&every=true"
    for queue in ("act_now", "this_shift", "nightly")
    for state in ("", "closed")
]
CALL: Final = {"called": 1_735_780_000_000_000, "caller": "Kim Pit"}


@pytest.fixture(scope="module")
def alerts(broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Run workers until a floor's two hours are concluded; return what was found, as subjects."""
    told = play_and_audit_floor(tmp_path_factory.mktemp("floor"), tables=1)
    send(broker, ROUNDS, result_messages(told))
    latest = {(each.conclusion.round, each.conclusion.shoe): each.conclusion for _, each in told}
    found = [f"alert:{one.id}" for each in latest.values() for one in each.findings if each.round]
    assert len(found) > 5
    return found


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the key with which all these stores sign: they have one Kafka."""
    file = tmp_path_factory.mktemp("key") / "actions.key"
    keys.make(file)
    return file


@pytest.fixture(autouse=True)
def signed_alike(key: Path, tmp_path: Path) -> None:
    """Copy the key beside each store, as who restores a copy does."""
    for name in ("store.duckdb", "copy.duckdb"):
        shutil.copy(key, signing_key_path(tmp_path / name))


def opened(serving: ServedConsole) -> ServedConsole:
    until(lambda: is_caught_up(serving), serving.process)
    return serving


def act(serving: ServedConsole, action: str, **fields: Any) -> dict[str, Any]:
    """Carry out an action, as soon as it may be done."""
    told = {"id": os.urandom(16).hex(), "action": action, **fields}

    def is_done() -> bool:
        nonlocal answer
        answer = serving.client.post("/api/actions", json=told)
        assert answer.status_code in (200, 409), answer.text
        assert answer.status_code == 200 or "still being read" in answer.text, answer.text
        return answer.status_code == 200

    answer: Any = None
    until(is_done, serving.process)
    found: dict[str, Any] = answer.json()
    return found


def work(serving: ServedConsole, alerts: list[str]) -> None:
    """Carry out some of everything that is done in a night."""
    first, second, third, *_ = alerts
    act(serving, "acknowledge", subject=first)
    act(serving, "note", subject=first, text="called the pit")
    act(serving, "merge", subject=second, others=[third])
    act(serving, "close", subject=first, outcome="corrected", reason="paid back")
    act(serving, "mute", check="push_paid", minutes=600, reason="training")
    about = {"table": "BAC-101", "gaming_date": "2025-03-01", "claim": "his chips were taken"}
    opened = act(serving, "dispute-open", about=about, call=CALL)
    act(serving, "dispute-note", subject=opened["subject"], text="he waits")
    act(serving, "log-entry", entry={"kind": "visitor", "at": 1_735_780_000_000_000, "what": "K. Ott"})


def cases(serving: ServedConsole, alerts: list[str]) -> dict[str, Any]:
    """Return the cases of some alerts, as the queues show them."""
    rows = [row for view in QUEUES for row in opened(serving).get(view)["rows"]]
    return {row["alert"]["id"]: row["case"] for row in rows if f"alert:{row['alert']['id']}" in alerts}


def told(serving: ServedConsole, alerts: list[str]) -> list[Any]:
    """Return how the cases of some alerts stand, the disputes, what is muted, and the log."""
    stand, disputes, muted, log = cases(serving, alerts), *(serving.get(view) for view in VIEWS)
    return [stand, disputes, muted["mutes"], log["lines"]]


def killed(serving: ServedConsole) -> None:
    assert serving.end(signal.SIGKILL) == -signal.SIGKILL


def lose(store: Path) -> None:
    """Lose the store, but not the accounts beside it."""
    store.unlink()
    store.with_name(f"{store.name}.wal").unlink(missing_ok=True)


def in_store(path: Path) -> list[Any]:
    with Store(path) as store, store.reading() as db:
        return actions_of(db)


def refused(serving: ServedConsole) -> int:
    total: int = serving.get("/api/quarantine")["total"]
    return total


def numbered(sent: list[OperatorActed]) -> Counter[tuple[int, int]]:
    return Counter((each.epoch, each.seq) for each in sent)


def test_after_kill_9_and_without_its_store_the_same_work_stands(
    broker: LocalBroker, tmp_path: Path, alerts: list[str]
) -> None:
    store = tmp_path / "store.duckdb"
    with serve_console(store, broker) as serving:
        work(opened(serving), alerts)
        until(lambda: len(read_actions(broker)) == 8)
        before = told(serving, alerts[:3])
        assert len(before[0]) == 3
        killed(serving)
    done = in_store(store)
    lose(store)
    with serve_console(store, broker) as serving:
        assert act(opened(serving), "note", subject=alerts[4], text="the new store")["number"] == 9
        until(lambda: len(read_actions(broker)) == 9)
        assert refused(serving) == 0
        assert serving.end(signal.SIGINT) == 0
    with serve_console(store, broker) as serving:
        after = told(serving, alerts[:3])
        assert serving.end(signal.SIGINT) == 0
    assert in_store(store)[:8] == done
    sent = read_actions(broker)
    assert [acted_of(each) for each in sent] == in_store(store)
    assert len({each.epoch for each in sent}) == 1
    assert after[:3] == before[:3]
    assert after[3][:-1] == before[3]


def test_behind_an_older_copy_comes_what_was_done_since(
    broker: LocalBroker, tmp_path: Path, alerts: list[str]
) -> None:
    store, copy = tmp_path / "store.duckdb", tmp_path / "copy.duckdb"
    with serve_console(store, broker) as serving:
        act(opened(serving), "note", subject=alerts[4], text="one")
        assert serving.end(signal.SIGINT) == 0
    shutil.copy(store, copy)
    with serve_console(store, broker) as serving:
        number = act(serving, "note", subject=alerts[4], text="two")["number"]
        act(serving, "tag", subject=alerts[4], word="chips")
        until(lambda: len(read_actions(broker)) == number + 1)
        killed(serving)
    done = in_store(store)
    lose(store)
    shutil.copy(copy, store)
    with serve_console(store, broker) as serving:
        assert act(serving, "note", subject=alerts[4], text="three")["number"] == number + 2
        until(lambda: len(read_actions(broker)) == number + 2)
        assert refused(serving) == 0
        assert serving.end(signal.SIGINT) == 0
    assert in_store(store)[:-1] == done
    sent = read_actions(broker)
    assert [acted_of(each) for each in sent] == in_store(store)
    assert max(numbered(sent).values()) == 1


def test_actions_in_an_older_copy_are_merged_without_a_repeated_number(
    broker: LinkedBroker, link: KafkaLink, tmp_path: Path, alerts: list[str]
) -> None:
    store, copy = tmp_path / "store.duckdb", tmp_path / "copy.duckdb"
    with serve_console(store, broker) as serving:
        act(opened(serving), "note", subject=alerts[4], text="both have this")
        assert serving.end(signal.SIGINT) == 0
    shutil.copy(store, copy)
    with serve_console(store, broker) as serving:
        number = act(serving, "note", subject=alerts[4], text="lost")["number"]
        act(serving, "note", subject=alerts[4], text="lost too")
        until(lambda: len(read_actions(broker)) == number + 1)
        assert serving.end(signal.SIGINT) == 0
    lose(store)
    shutil.copy(copy, store)
    link.cut()
    with serve_console(store, link) as serving:
        assert act(serving, "note", subject=alerts[4], text="while Kafka is away")["number"] == number
        link.mend(broker)
        until(lambda: len(read_actions(broker)) == number + 2)
        until(lambda: refused(serving) == 2)
        act(serving, "note", subject=alerts[4], text="and on")
        until(lambda: len(read_actions(broker)) == number + 3)
        assert serving.end(signal.SIGINT) == 0
    with Store(store) as left, left.reading() as db:
        (first, second) = db.sql("SELECT reason FROM quarantine ORDER BY id").fetchall()
    assert first[0].startswith(f"action {number} is another one in this store: two stores were acted in")
    assert second[0].startswith(f"action {number + 1} does not follow action {number}, the last of this")
    sent = read_actions(broker)
    assert max(numbered(sent).values()) == 1
    *_, lost, lost_too, away, on = sent
    assert (lost.epoch, lost.seq, lost_too.seq) == (sent[0].epoch, number, number + 1)
    assert (away.epoch, away.seq, on.epoch, on.seq) == (away.at, number, away.at, number + 1)
    assert away.previous == lost.previous
    assert [acted_of(each) for each in (away, on)] == in_store(store)[-2:]
