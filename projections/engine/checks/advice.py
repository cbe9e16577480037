"""What would make a finding wrong: as its check says it, or as its game does for a cause of its own."""

from typing import Any

from projections.engine.checks import KINDS
from projections.engine.findings import FindingBase
from projections.engine.games import GAMES


def false_positives_of(finding: FindingBase[Any], chapter: str) -> str:
    """Say what would make a finding under a chapter wrong; nothing where its check is not known any more.

    >>> emptied = FindingBase[str](id="f", check="void_not_called", weight="mismatch", severity="grave",
    ...     status="temporary", citations=("541.14(e)",), message="")
    >>> false_positives_of(emptied, "541")
    'A shoe reader that reports an empty shoe while cards remain; a call of void that was not keyed.'
    """
    if finding.check not in KINDS:
        return ""
    own = GAMES[chapter].false_positives if chapter in GAMES else {}
    says = own.get((finding.check, finding.citations[0])) or own.get((finding.check, None))
    return says or KINDS[finding.check].false_positives
