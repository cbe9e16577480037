"""The work on alerts as it stood at a moment that is past, folded from the actions that a store keeps."""

from collections.abc import Iterable
from typing import Final, get_args

import msgspec

from projections.casework.action_details import done_of
from projections.casework.cases.case_actions import WorkAction
from projections.casework.cases.case_fold import evolve
from projections.casework.cases.case_state import Work
from projections.store.action_log import Acted
from schemas.values import Micros

_KINDS: Final = frozenset(str(kind.__struct_config__.tag) for kind in get_args(WorkAction))
_read: Final = msgspec.json.Decoder(WorkAction).decode


def work_at(acts: Iterable[Acted], moment: Micros) -> Work:
    """Fold what was done about alerts before a moment; disputes and the surveillance log are passed over.

    They are all that was ever done, in order: a case may be as old as the store.
    """
    work = Work()
    for acted in acts:
        if acted.at < moment and acted.action in _KINDS:
            evolve(work, done_of(acted, _read))
    return work
