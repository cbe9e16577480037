"""A day's reports on their way into the console's store: through Kafka, or straight into a file."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import asdict

from projections.store.report_editions import DayReport
from projections.store.store import Store
from replay.exports.report.model import Report
from replay.exports.report.writers import as_json
from streams.messages import Reported
from streams.report_publisher import publish


def deliver(reports: Sequence[Report], store: Path | None, broker: str | None) -> None:
    """Bring reports into a store's file, to Kafka, or both; what is the newest there already is nothing new.

    Raises:
        BadInput: the store cannot be opened, as where another process has it open, or Kafka does not answer.
    """
    told = [_told(each) for each in reports] if store is not None or broker is not None else []
    if store is not None:
        with Store(store) as opened:
            opened.take({}, reports=told)
    if broker is not None:
        publish(broker, [_message(each) for each in told])


def _told(report: Report) -> DayReport:
    body = as_json(report)
    return DayReport(
        gaming_day=report.about.made.gaming_day,
        report=report.name,
        digest=hashlib.sha256(body).hexdigest(),
        made_by=report.about.software,
        restricted=report.restricted,
        body=body.decode("ascii"),
    )


def _message(report: DayReport) -> Reported:
    told = asdict(report)
    return Reported(software=told.pop("made_by"), **told)
