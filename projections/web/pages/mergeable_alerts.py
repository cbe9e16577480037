"""An alert's round taken whole: which other alerts of the round can be put into its case, by one action."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from projections.casework.alerts.alert_status import Shown
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import MERGED_AT_ONCE


class Whole(Struct, frozen=True):
    """The other alerts of an alert's round that are not settled, and are not in its case.

    `others` can be put into it, the gravest first. `named` are the ids by which that is asked for, one of
    each case; `along` counts what else is in these cases and comes with them. `left` says of which stay as
    they are how many there are, and why. `refused` is the sentence with which it would be refused now.
    """

    others: list[Alert]
    named: tuple[str, ...]
    along: int
    left: list[str]
    refused: str | None = None


def whole(here: Shown, beside: Iterable[Shown], who: str) -> Whole | None:
    """Return what of an alert's round `who` could put into its case; `beside` are the alerts of the round.

    What is closed stays closed. Left alone is also what another person has than has the case, or would have
    it; what was given to a role or put off, unless the alert itself was. None where there is nothing to tell,
    the alert is of no round, or its case is settled or waits for a second person.
    """
    if here.alert.round is None or here.case.state not in ("new", "open"):
        return None
    cases: defaultdict[str, list[Alert]] = defaultdict(list)
    along: dict[str, int] = {}
    left: Counter[str] = Counter()
    for each in sorted(beside, key=lambda shown: shown.order):
        if each.case.key == here.case.key or each.case.state == "closed":
            continue
        if why := _left(each, here, who):
            left[why] += 1
            continue
        cases[each.case.key].append(each.alert)
        along[each.case.key] = len(each.case.alerts)
    parts = list(cases.items())[:MERGED_AT_ONCE]
    if not parts and not left:
        return None
    others = [alert for _, alerts in parts for alert in alerts]
    return Whole(
        others=others,
        named=tuple(alerts[0].id for _, alerts in parts),
        along=sum(along[case] for case, _ in parts) - len(others),
        left=[f"{many} {why}" for why, many in left.items()],
    )


def _left(other: Shown, here: Shown, who: str) -> str | None:
    """Return why an alert that is not closed stays out of another's case; None where it need not."""
    case = other.case
    if case.state in ("closing", "reopening"):
        return "waiting for a second person"
    if case.owner not in (None, here.case.owner or who):
        return "that you have" if case.owner == who else f"that {case.owner} has"
    if case.escalated not in (None, here.case.escalated):
        return f"with the {case.escalated}"
    if other.put_off != here.put_off:
        return "put off" if other.put_off else "not put off as this one is"
    return None
