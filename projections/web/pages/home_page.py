"""The page on which finance, the auditor and the regulator begin: the day, disputes, breaches, proofs."""

from collections.abc import Sequence
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec.structs import replace

from projections.casework.actions import Actor
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import Dispute
from projections.casework.disputes.dispute_steps import Step
from projections.web.auth.auth_service import AuthService
from projections.web.auth.embargo import Hidden
from projections.web.auth.roles import Person, Role
from projections.web.pages.action_routes import Clock
from projections.web.pages.day_page import DayAtAGlance, glance_of
from projections.web.pages.queue_page import OverdueView, late
from projections.web.pages.report_pages import ReportForms, ReportLabel, ReportReader, listed
from projections.web.records.store_queries import Reader

_NEWEST: Final = 8  # disputes that are shown
# What a role looks at first; the others of these follow.
_FIRST: Final[dict[Role, tuple[str, ...]]] = {
    "finance": ("day", "disputes", "proofs"),
    "auditor": ("log", "proofs", "day", "disputes", "breaches"),
    "regulator": ("disputes", "breaches", "proofs", "log", "day"),
}


@get(
    "/home",
    sync_to_thread=True,
    opt={"needs": "finance"},
    dependencies={"late": Provide(late, sync_to_thread=True)},
)
def home_page(
    reader: NamedDependency[Reader],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    actor: NamedDependency[Actor],
    auth: NamedDependency[AuthService],
    commands: NamedDependency[CommandHandler],
    late: NamedDependency[OverdueView],
    report_reader: NamedDependency[ReportReader],
    report_forms: NamedDependency[ReportForms],
    wall_clock: NamedDependency[Clock],
) -> Template:
    """Show the page on which a role outside the surveillance room begins."""
    reports = listed(reader, person, hidden, report_forms)
    newest = [each for each in reports if each.gaming_day == reports[0].gaming_day]
    book = commands.book(DisputeBook)
    disputes = book.all(actor.hidden)
    context = {
        "sections": _FIRST[person.role],
        "glance": _glance(newest, report_reader),
        "disputes": [(each, _next_step(book, each)) for each in disputes[:_NEWEST]],
        "now": wall_clock(),
        "open_disputes": sum(each.state != "closed" for each in disputes),
        "late": late,
        "last_action": _last_action(commands, hidden),
        "reports": newest,
        "store": auth.store,
    }
    return Template("home.html", context=context)


def _next_step(book: DisputeBook, dispute: Dispute) -> Step | None:
    """Return the step that a dispute waits for, without the name of whom it waits for."""
    step = book.next_step(dispute.name)
    return replace(step, person=None) if step is not None else None


def _glance(newest: Sequence[ReportLabel], reports: ReportReader) -> DayAtAGlance | None:
    return glance_of(newest[0].gaming_day, reports) if newest else None


def _last_action(commands: CommandHandler, hidden: Hidden) -> tuple[int, str] | None:
    """Return the number and the digest of the last action; None if it may be about something withheld."""
    acts = commands.acts() if not hidden.subjects else []
    return (acts[-1].number, acts[-1].digest) if acts else None


HOME: Final[list[ControllerRouterHandler]] = [home_page]
