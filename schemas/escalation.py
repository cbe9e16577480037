"""The escalation file: to whom an alert that nobody takes climbs, after how long, and by which targets.

It does not change any conclusion. Secrets are in files or the environment, never in this file.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from schemas import plain
from schemas.errors import BadInput
from schemas.near_names import nearest_name
from schemas.room_settings import LONGEST_DUE
from schemas.values import Name

WHAT: Final = "an escalation file"

Minutes: TypeAlias = Annotated[int, Meta(ge=0, le=LONGEST_DUE)]
Hour: TypeAlias = Annotated[str, Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
Level: TypeAlias = Literal["operator", "supervisor", "director", "investigator"]
Severity: TypeAlias = Literal["critical", "high", "medium", "data"]
Detail: TypeAlias = Literal["round", "seats", "sums", "dealer"]
FileName: TypeAlias = Annotated[str, Meta(min_length=1)]

_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
# The push services of existing browsers; a name stands for itself and its subdomains.
PUSH_SERVICES: Final = (
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
)

# ── Targets: where a message goes ─────────────────────────────────────────────────────────────────────


class Target(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """Where a message goes, and what of an alert it may hold beyond the least.

    One attempt takes `timeout_seconds` at most; none is made `deadline_minutes` after the first was due.
    """

    include: tuple[Detail, ...] = ()
    timeout_seconds: Annotated[int, Meta(ge=1, le=60)] = 15
    deadline_minutes: Annotated[int, Meta(ge=1, le=3 * 24 * 60)] = 60


class WebhookTarget(Target, frozen=True, kw_only=True, tag="webhook"):
    """A webhook in the form of CloudEvents, signed as Standard Webhooks asks."""

    url: str | None = None
    url_file: FileName | None = None
    url_env: Name | None = None
    secret_file: FileName | None = None
    secret_env: Name | None = None


class SyslogTarget(Target, frozen=True, kw_only=True, tag="syslog"):
    """A syslog receiver, RFC 5424; `ca_file` is who signs its certificate, if not one that all trust."""

    host: Name
    port: Annotated[int, Meta(ge=1, le=65535)]
    transport: Literal["udp", "tcp", "tls"] = "tcp"
    facility: Annotated[int, Meta(ge=0, le=23)] = 16
    ca_file: FileName | None = None


class AppriseTarget(Target, frozen=True, kw_only=True, tag="apprise"):
    """Anything that Apprise reaches by its URLs, one a line: mail, SMS, pagers, Slack, Teams."""

    url_file: FileName | None = None
    url_env: Name | None = None


class PushTarget(Target, frozen=True, kw_only=True, tag="push"):
    """The browsers that people subscribed; `contact` is whom their push services may write to."""

    key_file: FileName
    contact: Annotated[str, Meta(pattern=r"^(mailto:[^@\s]+@[^@\s]+|https://\S+)$")]
    services: tuple[Name, ...] = PUSH_SERVICES


AnyTarget: TypeAlias = WebhookTarget | SyslogTarget | AppriseTarget | PushTarget

# ── Plans: when what climbs to whom ───────────────────────────────────────────────────────────────────


class Step(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A step: how long after it was to be taken, or after it came, an alert goes to whom by which targets.

    Push targets reach the browsers of the `role` and the `people`; other targets have readers of their own.
    """

    overdue_minutes: Minutes | None = None
    untaken_minutes: Minutes | None = None
    role: Level | None = None
    people: tuple[Name, ...] = ()
    targets: tuple[Name, ...] = ()

    @property
    def whom(self) -> tuple[str, ...]:
        """Return the role and the people that a step names."""
        return (*((self.role,) if self.role is not None else ()), *self.people)

    @property
    def key(self) -> str:
        """Return the key of a step, which stays the same after its file was changed.

        >>> Step(overdue_minutes=5, role="supervisor").key, Step(untaken_minutes=0, people=("ines",)).key
        ('overdue 5: supervisor', 'untaken 0: ines')
        """
        after = (
            f"untaken {self.untaken_minutes}"
            if self.overdue_minutes is None
            else f"overdue {self.overdue_minutes}"
        )
        return ": ".join([after, *([", ".join(self.whom)] if self.whom else [])])


class Quiet(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"since": "from"}):
    """Hours of a day, by the house's clock, in which some severities wait at some targets, or at all."""

    since: Hour
    until: Hour
    severities: tuple[Severity, ...] = ("high", "medium", "data")
    targets: tuple[Name, ...] | None = None


class Plan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"since": "from"}):
    """The steps in force from a gaming day until a later plan is; `checks` are all unless some are listed."""

    since: date
    steps: tuple[Step, ...]
    severities: tuple[Severity, ...] = ("critical", "high")
    checks: tuple[Name, ...] | None = None
    quiet: tuple[Quiet, ...] = ()

    def covers(self, severity: str, check: str) -> bool:
        """Return True if alerts of a severity and a check go through its steps."""
        return severity in self.severities and (self.checks is None or check in self.checks)


class Feed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Targets to which each finding goes as it comes, whoever takes it."""

    targets: tuple[Name, ...]
    severities: tuple[Severity, ...] = ("critical", "high", "medium", "data")
    checks: tuple[Name, ...] | None = None

    def covers(self, severity: str, check: str) -> bool:
        """Return True if findings of a severity and a check are sent."""
        return severity in self.severities and (self.checks is None or check in self.checks)


class Escalation(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A property's escalation. `console` is its address for browsers, with which links begin.

    `people` gives, by account, targets of a person's own, which a step that names the person uses too.
    """

    console: str
    targets: dict[Name, AnyTarget]
    plans: tuple[Plan, ...] = ()
    feeds: tuple[Feed, ...] = ()
    people: dict[Name, tuple[Name, ...]] = {}

    def plan_on(self, day: date) -> Plan | None:
        """Return the plan in force on a gaming day; None before the first."""
        return max(
            (each for each in self.plans if each.since <= day), key=lambda each: each.since, default=None
        )

    def targets_of(self, step: Step) -> tuple[str, ...]:
        """Return the targets of a step: its own, and those of the people that it names."""
        own = (target for person in step.people for target in self.people.get(person, ()))
        return tuple(dict.fromkeys((*step.targets, *own)))


# ── What is at fault in a file ────────────────────────────────────────────────────────────────────────


class Mistake(Struct, frozen=True):
    """A mistake: its place in the file, what it is, and a name that may have been meant."""

    path: tuple[str | int, ...]
    message: str
    suggestion: str | None = None

    def describe(self) -> str:
        """Return it as a sentence."""
        place = ".".join(map(str, self.path))
        return f"{place}: {self.message}" + (f"; did you mean {self.suggestion}?" if self.suggestion else "")


def read(path: Path) -> tuple[Escalation, str]:
    """Read an escalation file, and return its text too; names in it are not looked up yet.

    Raises:
        BadInput: it cannot be read, or is not the form of one; the message names the place.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not {WHAT}: {error}") from None
    return plain.formed(text, Escalation, str(path), WHAT), text


def load(path: Path, checks: Collection[str]) -> Escalation:
    """Read an escalation file that is to be used; `checks` are all existing ones.

    Raises:
        BadInput: it cannot be read, or something in it is at fault; the message has the file and line.
    """
    escalation, text = read(path)
    for each in mistakes(escalation, checks):
        raise BadInput(f"{path}:{plain.line_of(text, each.path)}: not {WHAT}: {each.describe()}")
    return escalation


def mistakes(escalation: Escalation, checks: Collection[str]) -> Iterator[Mistake]:
    """Yield every mistake of a file in its form: names without a meaning, steps without an effect."""
    if not is_web_address(escalation.console):
        yield Mistake(
            ("console",), "is the console's address for browsers: https://…, or http:// on this machine"
        )
    yield from _in_targets(escalation.targets)
    for person, targets in escalation.people.items():
        yield from _unknown(("people", person), targets, escalation.targets, "target")
    if not escalation.plans and not escalation.feeds:
        yield Mistake(("plans",), "there is no plan and no feed, so nothing would ever be sent")
    days = [plan.since for plan in escalation.plans]
    for number, plan in enumerate(escalation.plans):
        if plan.since in days[:number]:
            yield Mistake(("plans", number, "from"), f"there is another plan from {plan.since}")
        yield from _in_plan(("plans", number), plan, escalation, checks)
    for number, feed in enumerate(escalation.feeds):
        yield from _in_feed(("feeds", number), feed, escalation, checks)


def _in_feed(
    path: tuple[str | int, ...], feed: Feed, escalation: Escalation, checks: Collection[str]
) -> Iterator[Mistake]:
    yield from _unknown((*path, "targets"), feed.targets, escalation.targets, "target")
    yield from _unknown((*path, "checks"), feed.checks or (), checks, "check")
    for name in feed.targets:
        if isinstance(escalation.targets.get(name), PushTarget):
            yield Mistake((*path, "targets"), f"{name} is for people; a feed has none to reach")


def _in_plan(
    path: tuple[str | int, ...], plan: Plan, escalation: Escalation, checks: Collection[str]
) -> Iterator[Mistake]:
    yield from _unknown((*path, "checks"), plan.checks or (), checks, "check")
    if not plan.steps:
        yield Mistake((*path, "steps"), "there is no step")
    keys = [step.key for step in plan.steps]
    for number, step in enumerate(plan.steps):
        at = (*path, "steps", number)
        if (step.overdue_minutes is None) is (step.untaken_minutes is None):
            yield Mistake(at, "say overdue_minutes or untaken_minutes, and one of them alone")
        if not escalation.targets_of(step):
            yield Mistake(at, "it has no target, and the people that it names have none")
        if step.key in keys[:number]:
            yield Mistake(at, f"there is another step {step.key!r}; name all targets in one")
        yield from _unknown((*at, "targets"), step.targets, escalation.targets, "target")
    for number, quiet in enumerate(plan.quiet):
        at = (*path, "quiet", number)
        yield from _unknown((*at, "targets"), quiet.targets or (), escalation.targets, "target")
        if quiet.since == quiet.until:
            yield Mistake(at, "it begins and ends at one hour")


def _in_targets(targets: Mapping[str, AnyTarget]) -> Iterator[Mistake]:
    for name, target in targets.items():
        yield from _in_target(("targets", name), target)
    pushing = [name for name, target in targets.items() if isinstance(target, PushTarget)]
    for name in pushing[1:]:
        yield Mistake(
            ("targets", name), f"{pushing[0]} reaches the browsers already; a second key reaches none"
        )


def _in_target(path: tuple[str | int, ...], target: AnyTarget) -> Iterator[Mistake]:
    match target:
        case WebhookTarget():
            yield from _one_of(path, target, ("url", "url_file", "url_env"))
            yield from _one_of(path, target, ("secret_file", "secret_env"))
            if target.url is not None:
                yield from _in_url((*path, "url"), target.url)
        case AppriseTarget():
            yield from _one_of(path, target, ("url_file", "url_env"))
        case SyslogTarget(transport=transport, ca_file=str()) if transport != "tls":
            yield Mistake((*path, "ca_file"), "is for transport tls")
        case _:
            pass


def _in_url(path: tuple[str | int, ...], url: str) -> Iterator[Mistake]:
    if not is_web_address(url):
        yield Mistake(path, "begins with https://, or with http:// on this machine")
    elif re.search(r"[@?#]", url):
        yield Mistake(path, "holds what may be a secret (@, ? or #); put it into a file and say url_file")


def is_web_address(url: str) -> bool:
    """Return True if an address may be sent to: https, or http on this machine.

    >>> [is_web_address(each) for each in ("https://a.example/x", "http://a.example", "http://127.0.0.1:80/")]
    [True, False, True]
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  raises where it is no number
    except ValueError:
        return False
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    )


def _one_of(path: tuple[str | int, ...], target: AnyTarget, fields: Sequence[str]) -> Iterator[Mistake]:
    if sum(getattr(target, field) is not None for field in fields) != 1:
        yield Mistake(path, f"needs one of {', '.join(fields)}")


def _unknown(
    path: tuple[str | int, ...], names: Iterable[str], existing: Collection[str], sort: str
) -> Iterator[Mistake]:
    for name in names:
        if name not in existing:
            yield Mistake(path, f"there is no {sort} {name!r}", nearest_name(name, existing))
