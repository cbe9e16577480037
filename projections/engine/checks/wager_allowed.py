"""Does the text know the wager, and does the house offer it here?"""

from typing import Final

from projections.engine.check_context import Case, raise_defect
from projections.engine.facts import fact
from projections.engine.findings import Kind, Raised
from projections.engine.improper_wagers import OF_ANOTHER_TEXT

WAGER_NOT_PERMITTED: Final = Kind(
    "wager_not_permitted",
    severity="grave",
    asks="Does the text in force that day know the wager, and may one be made in this round?",
    false_positives=(
        "A spot of the layout that is named wrongly in the chip reader's set-up; a side wager that another "
        "text approves, where the house file does not name it as offered."
    ),
)
WAGER_NOT_OFFERED: Final = Kind(
    "wager_not_offered",
    severity="grave",
    asks="Is the wager among those that the house's Rules Submission offers at the table?",
    false_positives="A Rules Submission that took effect and was not yet in the house file.",
)
WAGER_OF_ANOTHER_TEXT: Final = Kind(
    OF_ANOTHER_TEXT,
    severity="note",
    asks="Is the wager one that the text on file settles, and not another text that approves it?",
    false_positives="None: it says that the wager's money is not judged.",
    weight="note",
)
KINDS: Final = (WAGER_NOT_PERMITTED, WAGER_NOT_OFFERED, WAGER_OF_ANOTHER_TEXT)
_BY_NAME: Final = {kind.check: kind for kind in KINDS}


def check(case: Case) -> list[Raised]:
    """Raise wagers that the text or the house does not have, and options chosen before they were law.

    Those that another text approves are noted.
    """
    known_by = {
        case.book.wagers[key[2]].offered_with
        for key, defect in case.improper.items()
        if defect.check == WAGER_NOT_PERMITTED.check and key[2] in case.book.wagers
    }
    raised = [
        Raised(
            kind=WAGER_NOT_PERMITTED,
            message=fact(
                "checks.option_not_yet_law",
                option=option,
                text=str(case.book.since),
                day=str(case.book.day),
            ),
            cites=case.book.clauses["wagers"],
        )
        for option in case.book.not_yet_law
        if option not in known_by
    ]
    if case.improper and case.money_known:
        raised.extend(
            raise_defect(_BY_NAME[defect.check], defect)
            for defect in case.improper.values()
            if defect.check in _BY_NAME
        )
    return raised
