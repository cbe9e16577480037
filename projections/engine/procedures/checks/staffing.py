"""The people at an open table: dealers, stickperson, boxperson, and a floorperson who supervises it."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.posts import Post, Posts, post_duties, shortfalls

_SECOND: Final = 1_000_000

STAFF_TOO_FEW: Final = Kind(
    "staff_too_few",
    severity="medium",
    asks="Were as many dealers and boxpersons at the open table as its game needs, and a floorperson?",
    false_positives="A person whose coming was not reported.",
    sources=("staff",),
)
KINDS: Final = (STAFF_TOO_FEW,)


def check_staff(case: ProcedureCase) -> Iterator[Raised]:
    """Raise rounds that were played with fewer people at the table than 465a.35(b) and (c) ask for."""
    if "staff" not in case.sources:
        return
    admitted = case.settings.relief_seconds * _SECOND
    for duty in post_duties("staff", case.day, case.game):
        for lacking in shortfalls(case.window.before.posts, case.window.entries, case.table, duty, admitted):
            message = fact(
                "procedures.checks.staff_too_few",
                post=Word(duty.post),
                count=lacking.posts.count(duty.post),
                least=duty.least,
                seconds=lacking.micros // _SECOND,
                is_reported=int(bool(lacking.posts.roles_reported)),
            )
            yield case.found(
                STAFF_TOO_FEW,
                message,
                (duty.cite,),
                who=f"{duty.post} since {lacking.since}",
                gaps=case.unreported(lacking.since, lacking.until, "staff", "terminal"),
                undetermined=not _tells(lacking.posts, duty.post),
            )


def _tells(posts: Posts, post: Post) -> bool:
    """Return True if the staff source has reported people at the table, and the stick if it is the stick.

    A schedule that lists dealers only does not tell which of them has it.
    """
    return post in posts.roles_reported if post == "stickperson" else bool(posts.roles_reported)
