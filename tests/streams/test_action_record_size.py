"""Whatever a person says, what is written of it goes into one record of Kafka as it is by default."""

from datetime import date
from typing import Annotated, Any, Final, get_args

import msgspec
import pytest
from msgspec import Meta, inspect

from projections.casework.actions import Action, field_changes
from projections.casework.cases.case_actions import CaseAction, Tag
from projections.casework.cases.case_rules import MOST_ALERTS, MOST_TAGS
from projections.casework.cases.case_state import WEIGHT_PREFIX, Case
from projections.casework.disputes.dispute_actions import DisputeAction, FileAction
from projections.casework.disputes.dispute_state import Dispute
from projections.casework.shift_log import Entered, LogAction, Shift
from projections.store.action_log import Acted, sealed
from schemas.values import MOST_MICROS
from streams.action_publisher import event_of, frame_of
from tests.builders.signing import SIGNING

# A record with all that goes with it, where nobody set another limit (message.max.bytes).
KAFKA_TAKES: Final = 1_048_588
KINDS: Final = [*get_args(CaseAction), *get_args(DisputeAction), FileAction, *get_args(LogAction)]
IDS: Final = [f"{number:016x}" for number in range(MOST_ALERTS)]
WEIGHED: Final = f"undetermined {-(2**63)}"  # as an alert weighs, at the longest
# Characters that become longest in a JSON text within a JSON text, and may stand where others may not.
LONGEST: Final = ("\x01", '"', "\U00010400", "f")
UNBOUNDED: Final = 2_000  # characters of a name that a state keeps without saying how long it may be


def largest(info: Any, name: str = "") -> Any:
    """Return a value of a type that takes as much room as any."""
    found: Any
    match info:
        case inspect.Metadata():
            found = largest(info.type, name)
        case inspect.UnionType():
            found = largest(next(each for each in info.types if not isinstance(each, inspect.NoneType)), name)
        case inspect.StructType():
            found = info.cls(**{each.name: largest(each.type, each.name) for each in info.fields})
        case inspect.VarTupleType() | inspect.DictType():
            found = many(info, name)
        case inspect.StrType():
            found = text(info)
        case inspect.LiteralType():
            found = max(info.values, key=len)
        case inspect.IntType():
            found = info.le if info.le is not None else MOST_MICROS
        case inspect.BoolType():
            found = False
        case inspect.DateType():
            found = date.max
        case _:
            raise AssertionError(info)
    return found


def many(info: inspect.VarTupleType | inspect.DictType, name: str) -> tuple[Any, ...] | dict[str, str]:
    if isinstance(info, inspect.DictType):
        assert name == "closed_as"
        return dict.fromkeys(IDS, WEIGHED)
    if info.max_length is not None:
        return (largest(info.item_type),) * info.max_length
    if name == "alerts":
        return tuple(IDS)
    if name == "tags":
        return (largest(inspect.type_info(Tag)),) * MOST_TAGS
    assert isinstance(info.item_type, inspect.StructType)
    return (largest(info.item_type),)


def text(info: inspect.StrType) -> str:
    """Fill a text: by its bound, by that of its pattern, or as far as something known goes."""
    before = "alert:" if info.pattern is not None and ":" in info.pattern else ""
    for length in (info.max_length or UNBOUNDED, 190, 40, 32, 64):
        for character in LONGEST:
            found = before + character * length
            if fits(found, info):
                return found
    raise AssertionError(info)


def fits(found: str, info: inspect.StrType) -> bool:
    bounds = Meta(pattern=info.pattern, min_length=info.min_length, max_length=info.max_length)
    try:
        msgspec.convert(found, Annotated[str, bounds])
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_largest_action_goes_into_a_record(kind: type[Action]) -> None:
    asked = largest(inspect.type_info(kind))
    subjects = (largest(inspect.type_info(each)) for each in (Case, Dispute, Entered, Shift))
    stood = max((field_changes(None, each)[1] or "" for each in subjects), key=len)
    facts = dict.fromkeys(IDS, "medium") | {f"{WEIGHT_PREFIX}{name}": WEIGHED for name in IDS}
    details = {"asked": asked, "facts": facts}
    acted = Acted(
        number=2**62,
        id="f" * 32,
        at=MOST_MICROS,
        who="\x01" * 128,
        role="\x01" * 128,
        action="dispute-acceptance",
        subject=getattr(asked, "subject", None) or "",
        details=msgspec.json.encode(details).decode(),
        before=stood,
        after=stood,
        previous="f" * 64,
    )
    size = len(frame_of(SIGNING.sign(event_of(sealed(acted), 2**62))))
    assert 100_000 < size < KAFKA_TAKES - 1_000
