"""One hand on its whole way: what the devices' lines say, what each part makes of it, what the page shows.

Seat 4 has $25.00 on the Player's Hand. Player gets K and 9, Banker 10 and 8: Player wins, 9 to 8, and by
631a.13(a) he is paid even money. The dealer pays $20.00.
"""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from projections.engine.conclusion import Expected
from projections.engine.facts import Cents
from projections.engine.observation import Key, Paid, Wager
from projections.store.runs import Run
from projections.store.store import Store
from projections.views.finding_text import finding_text
from schemas.codec import decode, read_event
from schemas.events import CardDrawn, ChipsPaid, Event
from schemas.senders import Senders
from streams.gateway.intake import FrameBuilder, Mark
from streams.gateway.lines import Lines, Tally, read
from streams.messages import encode, entry_of, read_result
from streams.worker.deliveries import Record
from streams.worker.tables import Tables
from tests.builders.consoles import open_console
from tests.builders.table_script import Script, build_house

PLAYER: Final = (4, "player")
RUN: Final = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
KEY: Final = Key(4, None, "player", None)
HOUSE: Final = build_house()


def script() -> Script:
    """Play the hand."""
    s = Script()
    s.open()
    s.play("PKd BTc P9h B8s", {PLAYER: 2500}, "player", {PLAYER: 2000})
    s.close()
    return s


def lines_of(events: list[Event]) -> bytes:
    """Write what the devices send: a line of JSON an event."""
    return b"".join(b'{"table":"BAC-1","events":[%s]}\n' % encode(each) for each in events)


def test_a_hand_s_way_from_the_devices_to_the_page(tmp_path: Path) -> None:
    # 1. A device's line: an envelope with the table, and the event with the device's own number and clock.
    sent = lines_of(script().events)
    paid = next(json.loads(line) for line in sent.splitlines() if b"ChipsPaid" in line)
    (event,) = paid["events"]
    assert (paid["table"], event["event"], event["seat"], event["cents"]) == ("BAC-1", "ChipsPaid", 4, 2000)

    # 2. The gateway reads envelopes, asks who may say this, and cuts frames: one ends with the round.
    closing, tally, closed = FrameBuilder(), Tally("a file"), []
    for line in Lines().cut(sent):
        report = read(line)
        (told,) = (read_event(each).event for each in report.events)
        assert told is not None
        assert Senders(HOUSE).refusal(report.table, told) is None
        closed += closing.add(report, Mark(tally, line.number), now=0)
    closed += closing.close()
    payloads = [frame.payload(number) for number, frame in enumerate(closed, 1)]
    ended = [frame.ends_round for frame in closed]
    assert ended.count(True) == 1

    # 3. Kafka has them as records; the worker decodes the events as they came.
    records = [Record(0, offset, "BAC-1", payload) for offset, payload in enumerate(payloads)]
    frame, unread = decode(payloads[ended.index(True)], records[0].place)
    assert unread == []
    assert [each.card for each in frame.events if isinstance(each, CardDrawn)] == ["Kd", "Tc", "9h", "8s"]
    assert [each.cents for each in frame.events if isinstance(each, ChipsPaid)] == [2000]

    # 4. It folds them into the table's state, makes one round of all readings, and judges it.
    worker = Tables(HOUSE, {}, "discardrack 1.0", lambda: 7)
    for record in records:
        assert worker.take(record) is None
    results = [result for _, result in worker.drain().results]
    (result,) = [each for each in results if each.conclusion.round is not None and each.conclusion.findings]
    seen, conclusion, revision = entry_of(result)
    assert (seen.wagers, seen.paid) == ({KEY: Wager(2500)}, {KEY: Paid(2000)})
    assert [act for act in seen.play if act[0] in ("player", "banker")] == [
        ("player", "Kd"), ("banker", "Tc"), ("player", "9h"), ("banker", "8s"),
    ]  # fmt: skip
    assert (conclusion.verdict, conclusion.outcome, revision) == ("mismatch", "player", 1)
    assert conclusion.expected == (Expected(seat=4, wager="player", cents=2500, vigorish_cents=0),)

    # 5. A finding is a kind, citations, cents, and a fact in the place of a message.
    (finding,) = conclusion.findings
    assert (finding.check, finding.severity, finding.net_cents, finding.favours) == (
        "paid_too_little", "medium", -500, "house",
    )  # fmt: skip
    assert "631a.13(a)" in finding.citations
    assert finding.message.args["owed"] == Cents(2500)

    # 6. So it goes through Kafka to the store, and comes back as it was.
    assert read_result(encode(result)) == result
    store = tmp_path / "store.duckdb"
    with Store(store) as db:
        db.write(RUN, [entry_of(read_result(encode(each))) for each in results])

    # 7. Words are made at the edge: by the template of the fact's code.
    words = "player: paid $20.00, due $25.00: underpaid $5.00"
    assert finding_text(finding) == f"seat 4: {words}"

    # 8. The queue has one row, and the alert's page tells the hand, the sums and the section.
    with open_console(store, "operator") as client:
        (row,) = client.get("/api/alerts").json()["findings"]
        assert (row["table"], row["check"], row["net_cents"]) == ("BAC-1", "paid_too_little", -500)
        page = client.get(f"/alerts/{row['id']}").text
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert words in said
    assert "631a.13(a)" in said
