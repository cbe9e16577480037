"""A night of a hundred tables through the board: how often it rings for each operator, and by which checks.

Run it with `make bench-night`; it ends with an error where it rings more often than the room bears. The night
is the simulator's, of all games; its dealers err more rarely than in docs/faults.md, whose rates are made so
that an hour shows every kind, and its devices as they do there. docs/console.md tells what came of it.
"""

import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Final

import click

from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.notifications import loudest_first, note_arrival
from projections.casework.cases.alert import alerts_of
from projections.casework.cases.case_state import Case, Cases
from projections.catalogue import KINDS
from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import id_of
from projections.web.live.broadcaster import LIMIT
from replay.proofs.label_scoring import read_labels
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from replay.serving.realistic_rates import realistic_rates
from schemas.room_settings import DEFAULT
from streams.log import Unread, logs
from streams.simulator.labels import FaultLabel
from streams.simulator.simulate import simulate

HOUR: Final = 3_600_000_000
# A round is concluded about so long after it was opened.
ROUND: Final = 60_000_000


def main() -> int:
    """Play the night, judge it, and count what rang."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--hours", type=float, default=8)
    asked.add_argument("--operators", type=int, default=2)
    told = asked.parse_args()
    rates = realistic_rates(sensors=True)
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder) / "floor"
        played = simulate(floor, tables=told.tables, hours=told.hours, seed="night", rates=rates, mixed=True)
        house = Recording(floor).house
        concluded = [each for each in audit_logs(logs(floor), house) if not isinstance(each, Unread)]
        labels = [each for each in read_labels(floor / "labels.jsonl") if isinstance(each, FaultLabel)]
    latest = {id_of(each.conclusion): each.conclusion for each in concluded}
    rang, queued = play_night(concluded)
    each_hour = Counter(at // HOUR for at, _ in rang)
    most = max(each_hour.values(), default=0)
    mean = _each(rang, told)
    click.echo(f"{told.tables} tables, {told.hours:g} hours, {played.rounds:,} rounds, seed night")
    settled = sum(len(said.expected) for said in latest.values())
    wrongly = sum(
        each.primary is not None and KINDS[each.primary.check].severity == "by_amount" for each in labels
    )
    click.echo(f"{settled:,} wagers, one in {settled // max(1, wrongly):,} settled wrongly")
    others = len(labels) - wrongly
    click.echo(f"one round in {played.rounds // max(1, others):,} dealt, called or taken wrongly otherwise")
    click.echo(
        f"alerts: {sum(queued.values()):,}; " + ", ".join(f"{name} {n:,}" for name, n in queued.most_common())
    )
    click.echo(
        f"rang {len(rang)} times: {mean:.1f} an hour for each of {told.operators}, {most} in the loudest hour"
    )
    closed, _ = play_night(concluded, closed=True)
    click.echo(
        f"rang {len(closed)} times where each was closed before the next: {_each(closed, told):.1f} an hour"
    )
    for check, count in Counter(check for _, check in rang).most_common():
        click.echo(f"  {count:4}  {check}")
    return 1 if max(mean, _each(closed, told)) > LIMIT else 0


def _each(rang: list[tuple[int, str]], told: Namespace) -> float:
    return len(rang) / float(told.hours) / int(told.operators)


def play_night(
    concluded: list[Concluded], *, closed: bool = False
) -> tuple[list[tuple[int, str]], Counter[str]]:
    """Feed conclusions to the queue in the order of time; return what rang, and into which queues.

    Nobody does anything about it; or what comes is `closed` before the next comes, so that nothing is silent
    for an earlier round.
    """
    board, work = AlertQueue(DEFAULT), Cases()
    rang: list[tuple[int, str]] = []
    queued: Counter[str] = Counter()
    timed = sorted(concluded, key=_at)
    for each in timed:
        said, at, now = each.conclusion, each.seen.at if each.seen is not None else None, _at(each) + ROUND
        board.advance_floor(said.gaming_date, at, now)
        dealer = each.seen.dealer if each.seen is not None else None
        standing = alerts_of(said, "night", at=at, dealer=dealer)
        board.replace_alerts(id_of(said), standing, work)
        for alert in sorted(standing, key=loudest_first):
            if (noted := note_arrival(board, alert, work, now)) is not None:
                queued[noted.queue] += noted.coming == 1
                rang += [(now, alert.check)] if noted.rang else []
        for alert in standing if closed else ():
            work.case_of[alert.id] = alert.id
            work.cases[alert.id] = Case(key=alert.id, alerts=(alert.id,), state="closed")
    assert all(_at(one) <= _at(other) for one, other in pairwise(timed))
    return rang, queued


def _at(each: Concluded) -> int:
    return each.seen.at if each.seen is not None and each.seen.at is not None else 0


if __name__ == "__main__":
    sys.exit(main())
