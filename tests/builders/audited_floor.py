"""Conclusions of the embedded audit about a simulated floor, which the tests of the live side compare."""

from pathlib import Path

from projections.engine.audit.table_audit import Concluded, TableAudit
from schemas.codec import decode
from schemas.house import load
from streams import log
from streams.messages import frame_name
from streams.simulator import faults
from streams.simulator.simulate import simulate


def play_and_audit_floor(folder: Path, *, tables: int) -> list[tuple[str, Concluded]]:
    """Play two hours with failing sensors; give each conclusion with the frame that brought it."""
    simulate(folder, tables=tables, hours=2, seed="projector", rates=faults.rates(sensors=True))
    return audit_floor(folder)


def audit_floor(folder: Path) -> list[tuple[str, Concluded]]:
    """Audit a simulated floor; give each conclusion with the frame that brought it."""
    house = load(log.HOUSE, folder)
    told: list[tuple[str, Concluded]] = []
    for each in log.logs(folder):
        if each.name in house.ledgers:
            continue
        audit = TableAudit(each.name.removesuffix(".jsonl"), house)
        name = ""
        for record in each.records():
            frame, _ = decode(record.payload, record.where)
            name = frame_name(frame.table, frame.frame)
            told += [(name, one) for one in audit.feed(frame.events)]
        told += [(name, one) for one in audit.finish()]
    return told
