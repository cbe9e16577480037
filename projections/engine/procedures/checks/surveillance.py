"""The surveillance cameras of an open table, as the recorder reports them."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import DeviceRef, Fact, fact
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.posts import PostDuty, Shortfall, post_duties, shortfalls

_SECOND: Final = 1_000_000

TABLE_NOT_COVERED: Final = Kind(
    "table_not_covered",
    severity="medium",
    asks="Did as many stationary cameras cover the open table as its game needs?",
    false_positives="A camera whose repair was not reported.",
    sources=("recorder",),
)
OUTAGE_NOT_NOTIFIED: Final = Kind(
    "outage_not_notified",
    severity="medium",
    asks="Was somebody told in time that a camera of an open table was out?",
    false_positives="A notice that was not entered.",
    sources=("recorder",),
)
KINDS: Final = (TABLE_NOT_COVERED, OUTAGE_NOT_NOTIFIED)


def check_coverage(case: ProcedureCase) -> Iterator[Raised]:
    """Raise rounds that were played under fewer cameras than 465a.9(c)(2) asks for."""
    if "recorder" not in case.sources:
        return
    admitted, lacking_since = case.settings.camera_outage_seconds * _SECOND, set[int]()
    for duty in post_duties("cameras", case.day, case.game):
        for lacking in shortfalls(case.window.before.posts, case.window.entries, case.table, duty, admitted):
            if lacking.since in lacking_since:
                continue  # too few cameras are too few ends
            lacking_since.add(lacking.since)
            cameras = lacking.posts.cameras.values()
            is_unknown = duty.post == "end" and any(each.works and each.covers is None for each in cameras)
            yield case.found(
                TABLE_NOT_COVERED,
                _message(lacking, duty),
                (duty.cite,),
                who=f"{duty.post} since {lacking.since}",
                gaps=case.unreported(lacking.since, lacking.until, "recorder"),
                undetermined=is_unknown or not cameras or not duty.is_printed,
            )


def _message(lacking: Shortfall, duty: PostDuty) -> Fact:
    seconds, count = lacking.micros // _SECOND, lacking.posts.count(duty.post)
    if not lacking.posts.cameras:
        return fact("procedures.checks.cameras_not_reported")
    if not duty.is_printed:
        return fact("procedures.checks.coverage_not_printed", seconds=seconds)
    if duty.post == "end":
        return fact("procedures.checks.ends_not_covered", count=count, seconds=seconds)
    return fact("procedures.checks.table_not_covered", count=count, least=duty.least, seconds=seconds)


def check_outage_notified(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a camera that was out over an open table longer than the house allows without a notice."""
    admitted = case.settings.outage_notice_minutes * 60 * _SECOND
    if not admitted or "recorder" not in case.sources:
        return
    posts, passed = case.window.before.posts, case.window.since
    for entry in case.window.entries:
        for name, camera in posts.cameras.items():
            due = camera.since + admitted
            if posts.is_open and not (camera.works or camera.is_notified) and passed <= due < entry.at:
                message = fact(
                    "procedures.checks.outage_not_notified",
                    camera=DeviceRef(name),
                    minutes=case.settings.outage_notice_minutes,
                )
                gaps = case.unreported(camera.since, entry.at, "recorder", "pit", "register")
                yield case.found(
                    OUTAGE_NOT_NOTIFIED,
                    message,
                    (HOUSE_CONTROL,),
                    who=f"{name} since {camera.since}",
                    gaps=gaps,
                )
        posts, passed = posts.after(entry.at, entry.event, case.table), entry.at
