"""What an action changed of its subject, as it is written beside the action and kept for good."""

from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


def changed(before: Struct | None, after: Struct | None) -> tuple[str | None, str | None]:
    """Return what of a subject an action changed, as it stood and as it stands; None where nothing did.

    Each is a JSON object of the fields that differ. A case that goes on for a night is thus not written down
    whole with every word said of it. Of a list of names only those are told that the other has not; of what
    was said and made, such as notes, only how many there are: each stands in the action that said it.

    >>> from projections.casework.cases.case_state import Case, Remark
    >>> case = Case(key="m1", alerts=("m1",), owner="ann", tags=("chips",))
    >>> changed(case, msgspec.structs.replace(case, owner=None, tags=("chips", "seat 3")))
    ('{"owner":"ann","tags":[]}', '{"owner":null,"tags":["seat 3"]}')
    >>> changed(case, msgspec.structs.replace(case, notes=(Remark("ann", 0, "called the pit"),)))
    ('{"notes":0}', '{"notes":1}')
    >>> changed(None, Remark("ann", 0, "called"))
    (None, '{"at":0,"text":"called","who":"ann"}')
    """
    stood = asdict(before) if before is not None else {}
    stands = asdict(after) if after is not None else {}
    differing = [name for name in {**stood, **stands} if stood.get(name, ...) != stands.get(name, ...)]
    return (
        _told(stood, stands, differing) if before is not None else None,
        _told(stands, stood, differing) if after is not None else None,
    )


def _told(fields: dict[str, Any], others: dict[str, Any], differing: list[str]) -> str:
    told = {name: _field(fields[name], others.get(name)) for name in differing if name in fields}
    return _encode(told).decode()


def _field(value: Any, other: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if any(isinstance(each, Struct) for each in (*value, *(other or ()))):
        return len(value)
    known = set(other or ())
    return [each for each in value if each not in known]
