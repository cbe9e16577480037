"""What waits for one person: a decision to agree to, another look, what was escalated to their role."""

from projections.casework.cases.case_policy import Actor
from projections.casework.cases.case_state import Case


def waits_for(case: Case, who: Actor, *, altered: bool = False) -> bool:
    """Return True if a case waits for someone, as far as they may act on it.

    It does where a second person is to agree and they may be that one, where it was drawn for another look
    and they had no part in closing it, where it was closed and is `altered` since, and where it is with their
    role and not settled.

    >>> supervisor = Actor("ann", "supervisor", {"see", "work", "second"})
    >>> waits_for(Case(key="m1", alerts=("m1",), state="closing", asked="bob"), supervisor)
    True
    >>> waits_for(Case(key="m1", alerts=("m1",), state="closing", asked="ann"), supervisor)
    False
    """
    if "work" not in who.rights:
        return False
    if case.state in ("closing", "reopening"):
        return "second" in who.rights and case.asked != who.name
    if case.state == "closed":
        return altered or (case.review == "due" and who.name not in (case.closed_by, case.seconded_by))
    return case.escalated == who.role
