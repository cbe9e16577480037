"""An event of any kind in its right form, made from the form alone."""

import re
from typing import Any

import msgspec
from msgspec import inspect


def build_event_fields(kind: type[msgspec.Struct], device: str) -> dict[str, Any]:
    """Return an event of a kind as a device would tell it, with every field that it must have."""
    told: dict[str, Any] = _value(inspect.type_info(kind))
    told |= {"device": device}
    msgspec.convert(told, kind)
    return told


def _value(form: inspect.Type) -> Any:  # noqa: C901, PLR0911, PLR0912  a kind of form each
    match form:
        case inspect.Metadata(type=inner):
            return _value(inner)
        case inspect.StructType(tag=tag, tag_field=field, fields=fields, array_like=array):
            if array:
                return [_value(each.type) for each in fields]
            told = {each.encode_name: _value(each.type) for each in fields if each.required}
            return told | ({field: tag} if field else {})
        case inspect.UnionType(types=types):
            return _value(types[0])
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.IntType(ge=least):
            return max(1, least or 1)
        case inspect.BoolType():
            return True
        case inspect.StrType(pattern=pattern):
            return next((each for each in _TEXTS if pattern is None or re.search(pattern, each)), "x")
        case inspect.VarTupleType() | inspect.ListType():
            return []
        case inspect.TupleType(item_types=items):
            return [_value(each) for each in items]
        case inspect.DictType():
            return {}
        case inspect.DateTimeType():
            return "2025-03-01T20:00:00Z"
        case inspect.DateType():
            return "2025-03-01"
        case _:
            return None


_TEXTS = ("T-1", "2s", "1-1", "high7", "0" * 32, "0" * 64)
