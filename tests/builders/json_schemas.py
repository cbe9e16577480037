"""The schemas that the verb `schema` prints, and what is wrong with a value by them."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from click.testing import CliRunner

from replay.cli import main

TYPES: Final[dict[str, Any]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


SAID: Final = {"title", "description", "default", "$defs", "$schema", "format"}  # words without a demand


def print_schema(what: str) -> dict[str, Any]:
    """Print one schema and read it again."""
    result = CliRunner().invoke(main, ["schema", what])
    assert result.exit_code == 0
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def faults(value: Any, part: Any, root: dict[str, Any], at: str = "") -> Iterator[str]:
    """Validate a value against a schema, by as much of JSON Schema as is used here."""
    if isinstance(part, bool):
        if not part:
            yield f"{at}: nothing may stand here"
        return
    for word, demand in part.items():
        yield from _fault(word, demand, value, part, root, at)


def _fault(word: str, demand: Any, value: Any, part: Any, root: Any, at: str) -> Iterator[str]:  # noqa: C901, PLR0912, PLR0915  one case a word
    match word:
        case "$ref":
            target: Any = root
            for step in demand.removeprefix("#/").split("/"):
                target = target[step]
            yield from faults(value, target, root, at)
        case "type":
            kinds = [TYPES[each] for each in ([demand] if isinstance(demand, str) else demand)]
            is_flag = isinstance(value, bool) and bool not in kinds
            if is_flag or not any(isinstance(value, kind) for kind in kinds):
                yield f"{at}: {value!r} is no {demand}"
        case "anyOf":
            if all(any(True for _ in faults(value, each, root, at)) for each in demand):
                yield f"{at}: {value!r} is none of them"
        case "allOf":
            for each in demand:
                yield from faults(value, each, root, at)
        case "if":
            if not any(True for _ in faults(value, demand, root, at)):
                yield from faults(value, part["then"], root, at)
        case "then":
            return  # with its `if`
        case "const":
            if value != demand:
                yield f"{at}: {value!r} is not {demand!r}"
        case "enum":
            if value not in demand:
                yield f"{at}: {value!r} is not among them"
        case "minimum":
            if isinstance(value, int) and value < demand:
                yield f"{at}: {value} is below {demand}"
        case "maximum":
            if isinstance(value, int) and value > demand:
                yield f"{at}: {value} is above {demand}"
        case "minLength":
            if isinstance(value, str) and len(value) < demand:
                yield f"{at}: {value!r} is too short"
        case "pattern":
            if isinstance(value, str) and not re.search(demand, value):
                yield f"{at}: {value!r} does not look like it"
        case "maxLength":
            if isinstance(value, str) and len(value) > demand:
                yield f"{at}: {value!r} is too long"
        case "required":
            if isinstance(value, dict):
                yield from (f"{at}: {name} is missing" for name in demand if name not in value)
        case "properties":
            if isinstance(value, dict):
                for name in value.keys() & demand.keys():
                    yield from faults(value[name], demand[name], root, f"{at}/{name}")
        case "additionalProperties":
            if isinstance(value, dict):
                for name in value.keys() - part.get("properties", {}).keys():
                    yield from faults(value[name], demand, root, f"{at}/{name}")
        case "propertyNames":
            if isinstance(value, dict):
                for name in value:
                    yield from faults(name, demand, root, f"{at}/{name}")
        case "minItems" | "maxItems":
            if isinstance(value, list) and (
                len(value) < demand if word == "minItems" else len(value) > demand
            ):
                yield f"{at}: {len(value)} items"
        case "prefixItems":
            if isinstance(value, list):
                for place, (each, wants) in enumerate(zip(value, demand, strict=False)):
                    yield from faults(each, wants, root, f"{at}/{place}")
        case "items":
            if isinstance(value, list):
                for each in value[len(part.get("prefixItems", ())) :]:
                    yield from faults(each, demand, root, at)
        case _:
            assert word in SAID, f"this test does not know what {word} asks for"


def schema_faults(value: Any, document: dict[str, Any]) -> list[str]:
    return list(faults(value, document, document))
