"""The person who is logged in."""

from msgspec import Struct

from projections.web.auth.roles import Right, Role, rights_of


class Person(Struct, frozen=True):
    """Someone who is logged in: the account's name, the name that is shown, the role, and what it may do.

    `session` is the session's id, by which it is known in the file and not in the browser; `csrf` is what
    each request that changes something has to bring. Who `must_change` may only choose a new password.
    """

    name: str
    shown: str
    role: Role
    session: str
    csrf: str
    must_change: bool = False

    @property
    def is_program(self) -> bool:
        """Whether it reads by a token, by which nothing can be changed."""
        return not self.csrf

    @property
    def rights(self) -> frozenset[Right]:
        """What this person may do; nothing before a new password is chosen."""
        return frozenset() if self.must_change else rights_of(self.role)
