"""Operators' actions restored from an archive, without a broker, as `serve --actions` does."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from projections.casework.cases.case_actions import Mute
from projections.casework.shift_log import LogBook, LogEntry, Written
from projections.evidence.checkpoint import public
from projections.store.action_log import Acted
from projections.store.store import Store
from projections.web.bootstrap import OpenConsole, load_console
from replay.serving.kafka_floor import Floor
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import DEFAULT
from schemas.senders import WHY
from schemas.surveillance import STREAM
from streams.action_publisher import KEY as KEY_OF_ACTIONS
from streams.action_publisher import acted_of, event_of, frame_of
from streams.archive import keys
from streams.archive.import_events import archive_of
from streams.projector.forged_input import ForgedInputAlerts
from streams.projector.record_batch import FetchedRecord
from streams.projector.restore import ActionRestore
from streams.signing import Signing
from streams.topics import FRAMES
from tests.builders.nights import script_three_rounds, write_floor
from tests.builders.round_records import run_verb
from tests.builders.signing import SIGNING, SIGNING_KEY
from tests.builders.staffed_room import MINUTE, StaffedRoom
from tests.builders.table_script import SECOND, START

HOUR: Final = 3600 * SECOND


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> list[Acted]:
    """Return what was done in a store that is lost: a check is muted, a call entered, a day later a visit."""
    room = StaffedRoom(tmp_path_factory.mktemp("lost") / "store.duckdb", [LogBook()])
    room.now = START + HOUR
    try:
        room.act(Mute(id=room.new_id(), check="push_paid", minutes=30, reason="training"), rights=("work",))
        call = Written(kind="call", at=START + HOUR, what="BAC-101 asked who won")
        room.act(LogEntry(id=room.new_id(), entry=call), "bob")
        room.now += 30 * HOUR
        visit = Written(kind="visitor", at=START + 31 * HOUR, what="the fire inspector")
        room.act(LogEntry(id=room.new_id(), entry=visit), "cyd")
        return list(room.desk.acts())
    finally:
        room.store.close()


@pytest.fixture(scope="module")
def archive(before: list[Acted], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archive a floor with what was done on both its days."""
    folder = tmp_path_factory.mktemp("floor")
    floor = write_floor(folder, script_three_rounds())
    lines = b"".join(frame_of(SIGNING.sign(event_of(each, before[0].at))) + b"\n" for each in before)
    (floor / "events" / f"{STREAM}.jsonl").write_bytes(lines)
    archive_of(floor, folder / "archive", houses.read("house.yaml", floor), keys.make(folder / "key"))
    return folder / "archive"


@pytest.fixture
def new(tmp_path: Path) -> Iterator[OpenConsole]:
    """Open a console on an empty store."""
    path = tmp_path / "store.duckdb"
    Store(path).close()
    made = load_console(path)
    yield made
    made.store.close()


def taking_back(new: OpenConsole) -> ActionRestore:
    return ActionRestore(
        new.store, new.commands, SIGNING, ForgedInputAlerts(new.store, DEFAULT, new.commands)
    )


def test_an_empty_store_takes_back_all_as_it_was_and_a_second_time_nothing(
    new: OpenConsole, archive: Path, before: list[Acted]
) -> None:
    back = taking_back(new)
    assert back.from_archive(archive) == 3
    assert new.commands.acts() == before
    assert [each.who for each in before] == ["ann", "bob", "cyd"]
    assert [each.action for each in before] == ["mute", "log-entry", "log-entry"]
    assert back.from_archive(archive) == 0
    assert new.commands.acts() == before
    assert new.store.reading().execute("SELECT count(*) FROM quarantine").fetchall() == [(0,)]


def test_serve_takes_them_back_before_it_asks_a_broker(
    new: OpenConsole, archive: Path, before: list[Acted], tmp_path: Path
) -> None:
    nobody = "127.0.0.1:1"
    key = tmp_path / "store.duckdb.actions.key"
    Floor(nobody, actions=archive, signing=(None, (public(SIGNING_KEY),))).followers(
        new, tmp_path / "store.duckdb"
    )
    assert key.stat().st_mode & 0o777 == 0o600
    assert new.commands.acts() == before
    (muted,) = new.commands.mutes()
    assert (muted.check, muted.until) == ("push_paid", before[0].at + 30 * MINUTE)


def test_what_is_no_archive_is_said_to_be_none(new: OpenConsole, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nothing"):
        taking_back(new).from_archive(tmp_path / "nothing")


@pytest.mark.parametrize("how", ["unsigned", "wrongly_signed", "changed"])
def test_what_no_trusted_key_signed_is_not_done_and_rings_once(
    new: OpenConsole, before: list[Acted], tmp_path: Path, how: str
) -> None:
    """The digests are right: only the signature shows that this console never did it."""
    told = [event_of(each, before[0].at) for each in before]
    other = Signing(Ed25519PrivateKey.from_private_bytes(b"o" * 32))
    sign = {
        "unsigned": lambda each: each,
        "wrongly_signed": other.sign,
        "changed": lambda each: replace(SIGNING.sign(each), epoch=each.epoch + 1),
    }[how]
    frames = [frame_of(sign(each)) for each in told]
    forged = [FetchedRecord(FRAMES, 3, at, value, KEY_OF_ACTIONS) for at, value in enumerate(frames)]
    back = taking_back(new)
    for _ in range(2):  # what comes again after a crash is nothing new
        back.from_kafka("a cluster", forged)
        assert new.commands.acts() == []
        rows = new.store.reading().execute("SELECT DISTINCT code, source FROM quarantine").fetchall()
        assert rows == [("unsigned" if how == "unsigned" else "wrongly_signed", FRAMES)]
        assert new.store.reading().execute("SELECT count(*) FROM quarantine").fetchall() == [(3,)]
        (alert,) = new.commands.alert_queue.alerts.values()
        assert (alert.check, alert.severity) == ("sender_refused", "critical")
        heard = new.store.reading().execute("SELECT id, queue::VARCHAR, rang FROM alerts").fetchall()
        assert heard == [(alert.id, "act_now", True)]
    # As it was signed it is done, and the forged copies of what was done change nothing any more.
    good = [frame_of(SIGNING.sign(each)) for each in told]
    back.from_kafka(
        "a cluster", [FetchedRecord(FRAMES, 3, 9 + at, each, KEY_OF_ACTIONS) for at, each in enumerate(good)]
    )
    assert new.commands.acts() == before == [acted_of(each) for each in told]
    new.store.close()
    again = load_console(tmp_path / "store.duckdb")
    try:
        assert [each.id for each in again.commands.alert_queue.alerts.values()] == [alert.id]
    finally:
        again.store.close()


def test_an_archive_s_actions_are_held_against_the_keys_that_may_have_signed(
    archive: Path, before: list[Acted], tmp_path: Path
) -> None:
    """One unsigned, one by another key: each is named; by the key that signed all are fine."""
    another = Signing(Ed25519PrivateKey.generate())
    fine = run_verb("verify", str(archive), "--actions-key", public(SIGNING_KEY))
    assert fine.exit_code == 0, fine.stdout
    rotated = run_verb(
        "verify", str(archive), "--actions-key", "0" * 64, "--actions-key", public(SIGNING_KEY)
    )
    assert rotated.exit_code == 0
    wrong = run_verb("verify", str(archive), "--actions-key", "1" * 64, "--format", "jsonl")
    assert wrong.exit_code == 1
    assert [json.loads(line)["what"].partition(" of ")[0] for line in wrong.stdout.splitlines()] == [
        f"action {each.number}" for each in before
    ]
    sent = [event_of(each, before[0].at) for each in before]
    forged = [SIGNING.sign(sent[0]), sent[1], another.sign(sent[2])]
    floor = write_floor(tmp_path, script_three_rounds())
    (floor / "events" / f"{STREAM}.jsonl").write_bytes(b"".join(frame_of(each) + b"\n" for each in forged))
    archive_of(floor, tmp_path / "archive", houses.read("house.yaml", floor), keys.make(tmp_path / "key"))
    found = run_verb(
        "verify", str(tmp_path / "archive"), "--actions-key", public(SIGNING_KEY), "--format", "jsonl"
    )
    assert found.exit_code == 1
    told = [json.loads(line) for line in found.stdout.splitlines()]
    assert [each["what"] for each in told] == [
        f"action 2 of {before[1].who}: {WHY['unsigned']}",
        f"action 3 of {before[2].who}: {WHY['wrongly_signed']}",
    ]
    assert all(each["where"].startswith(f"{STREAM}, partition ") for each in told)
