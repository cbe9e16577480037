"""The roles of those who use the console and what each may do; the person who is logged in."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from schemas.errors import BadInput

# ── The roles of those who use the console, and what each may do. There is no role for the pit ────────

Right: TypeAlias = Literal[
    "see",  # alerts, rounds, disputes, reports
    "queue",  # the live queue, what rings, the floor as it stands
    "work",  # act on alerts
    "second",  # close and reopen critical alerts, release other people's cases
    "unmask",  # see a person's name, with a reason
    "finance",  # lines of patrons' cash, reports for finance alone
    "export",  # tables with names masked; bundles, without `unmask` only those that name nobody
    "snapshot",  # copies of the whole store, with every name in it
    "read_log",  # read the surveillance log
    "log",  # write it
    "dispute",  # open and edit disputes
    "embargo",  # withhold a record from a named person
    "lift",  # lift an embargo
    "audit",  # see who viewed what
    "accounts",  # manage accounts
    "health",  # see the system's health
]
# What a session lacks: the code of a second factor, or that one is set up, which the house asks of the role.
Pending: TypeAlias = Literal["code", "setup"]
Role: TypeAlias = Literal[
    "operator",
    "supervisor",
    "director",
    "investigator",
    "finance",
    "auditor",
    "regulator",
    "administrator",
    "machine",
]
# A program's, which reads by a token and has no password; the others are roles of people.
MACHINE: Final[Role] = "machine"
ROLES: Final[tuple[Role, ...]] = tuple(role for role in get_args(Role) if role != MACHINE)

_OPERATOR: Final = frozenset[Right]({"see", "queue", "work", "read_log", "log", "dispute"})
_INVESTIGATOR: Final = _OPERATOR | frozenset[Right]({"unmask", "export", "embargo"})
_SUPERVISOR: Final = _INVESTIGATOR | frozenset[Right]({"second", "audit", "health"})
# An auditor and the regulator change nothing; the regulator's only exception is to lift an embargo.
_READER: Final = frozenset[Right]({"see", "finance", "export", "audit", "health"})
_RIGHTS: Final[dict[Role, frozenset[Right]]] = {
    "operator": _OPERATOR,
    "supervisor": _SUPERVISOR,
    "director": _SUPERVISOR | frozenset[Right]({"lift", "snapshot"}),
    "investigator": _INVESTIGATOR,
    "finance": frozenset[Right]({"see", "finance", "export"}),
    "auditor": _READER | frozenset[Right]({"queue", "read_log"}),
    "regulator": _READER | frozenset[Right]({"unmask", "lift", "snapshot"}),
    "administrator": frozenset[Right]({"accounts", "health"}),
    "machine": frozenset[Right]({"snapshot", "health"}),
}


def rights_of(role: Role) -> frozenset[Right]:
    """Return what a role may do.

    >>> sorted(rights_of("administrator")), "work" in rights_of("auditor")
    (['accounts', 'health'], False)
    """
    return _RIGHTS[role]


def rights_in(scope: Iterable[str]) -> frozenset[Right]:
    """Return the rights that words name.

    Raises:
        BadInput: one names none.
    """
    words = frozenset(scope)
    rights = frozenset(right for right in get_args(Right) if right in words)
    if unknown := words - rights:
        raise BadInput(f"{min(unknown)!r} is no right; there are {', '.join(get_args(Right))}")
    return rights


# The page on which a role begins; the others begin with the queue.
_HOMES: Final[dict[Role, str]] = {
    "finance": "/home",
    "auditor": "/home",
    "regulator": "/home",
    "administrator": "/accounts",
}


def home_of(role: Role) -> str:
    """Return the page on which a role begins.

    >>> home_of("operator"), home_of("regulator")
    ('/', '/home')
    """
    return _HOMES.get(role, "/")


# ── The person who is logged in ───────────────────────────────────────────────────────────────────────


class Person(Struct, frozen=True):
    """Person who is logged in: the account's name, the displayed name, the role, and the permissions.

    `session` is the session's id in the file; the browser does not have it. `csrf` is what each request that
    changes something has to bring. A person who `must_change` may only choose a new password; with something
    `pending` they may only prove or set up a second factor. A token has the rights of `scope`. `granted` are
    rights by the room's settings, though not by role.
    """

    name: str
    shown: str
    role: Role
    session: str
    csrf: str
    must_change: bool = False
    pending: Pending | None = None
    scope: frozenset[Right] | None = None
    granted: frozenset[Right] = frozenset()

    @property
    def home(self) -> str:
        """Return the page on which the person begins."""
        return home_of(self.role)

    @property
    def is_program(self) -> bool:
        """Return True if the person is a token, which cannot change anything."""
        return not self.csrf

    @property
    def rights(self) -> frozenset[Right]:
        """Return the person's rights; none before the login is complete and the password their own."""
        if self.must_change or self.pending is not None:
            return frozenset()
        rights = rights_of(self.role) | self.granted
        return rights if self.scope is None else rights & self.scope
