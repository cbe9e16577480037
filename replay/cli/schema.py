"""`discardrack schema`: what is exchanged, as JSON Schema, and the topics as AsyncAPI."""

import importlib.metadata
import inspect
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import click
import msgspec

from projections.catalogue import KINDS
from projections.engine.conclusion import ConclusionView
from projections.engine.games import REGISTRY
from projections.programmes.coupons.coupon_audit import CouponConclusionView
from schemas.codec import Frame
from schemas.coupon_log import CouponCase
from schemas.house import House, Submission, TableSetup
from schemas.law_text import chapter
from schemas.record import RoundRecord
from streams import topics
from streams.log import Unread
from streams.messages import Quarantined, Reported, Result, StandingFindings

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


def events() -> dict[str, Any]:
    """Return the schema of a frame and all that is in it: events, entries of ledgers, operators' actions."""
    return _document("Frames, events and ledger entries", Frame)


def rounds() -> dict[str, Any]:
    """Return the schema of a round record."""
    return _document("Round record", RoundRecord)


def findings() -> dict[str, Any]:
    """Return the schema of the audit's answers: a conclusion, or a line that cannot be read."""
    return _document("Answer of an audit", ConclusionView, CouponConclusionView, Unread)


def house() -> dict[str, Any]:
    """Return the schema of a house file, for editors: with the chapters there are, and each one's options."""
    document = _document("House file", House)
    of_table, submission = (document["$defs"][each.__name__] for each in (TableSetup, Submission))
    for each in (of_table, submission):
        each["properties"]["chapter"]["enum"] = list(REGISTRY)
    submission["allOf"] = [
        {
            "if": {"properties": {"chapter": {"const": number}}},
            "then": {"properties": {"options": _options(number)}},
        }
        for number in REGISTRY
    ]
    return document


def _options(number: str) -> dict[str, Any]:
    """Describe the options of a chapter; with the values if they depend on nothing else."""
    return {
        "additionalProperties": False,
        "properties": {
            name: {"description": f"{option.cite}, default {json.dumps(option.default)}"}
            | ({"enum": option.values} if option.values is not None and not option.hangs_on else {})
            for name, option in chapter(number).options.items()
        },
    }


def coupons() -> dict[str, Any]:
    """Return the schema of a case of a coupon log."""
    return _document("Case of a coupon log", CouponCase)


def labels() -> dict[str, Any]:
    """Return the schema of a simulated floor's labels of injected faults."""
    from streams.simulator.labels import FaultLabel, SchemeLabel, SensorLabel  # noqa: PLC0415  only this schema needs a simulator

    return _document("Label of an injected fault", FaultLabel, SensorLabel, SchemeLabel)


def checks() -> dict[str, Any]:
    """Return the closed list of checks: severity, weight, question, and what would make a finding wrong."""
    return {
        check: {
            "severity": kind.severity,
            "weight": kind.weight,
            "asks": kind.asks,
            "false_positives": kind.false_positives,
        }
        for check, kind in KINDS.items()
    }


# The public topics, and the payload type of each; the audit's own changelog is private.
_PAYLOADS: Final[Mapping[str, type[Any]]] = {
    topics.FRAMES: Frame,
    topics.ROUNDS: Result,
    topics.FINDINGS: StandingFindings,
    topics.REPORTS: Reported,
    topics.QUARANTINE: Quarantined,
}
_TOPICS: Final = {
    topic.name: (topic.says, _PAYLOADS[topic.name]) for topic in topics.TOPICS if topic.name in _PAYLOADS
}


def asyncapi() -> dict[str, Any]:
    """Return the topics of a live floor as AsyncAPI 3, with the schema of what each carries."""
    _, components = _components("#/components/schemas/{name}", *(payload for _, payload in _TOPICS.values()))
    names = {topic: topic.partition(".")[2] for topic in _TOPICS}
    keys = dict.fromkeys(_TOPICS, "the table, or the ledger") | {
        topics.FRAMES: "the table, the ledger, or surveillance",
        topics.REPORTS: "the gaming day and the report",
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "discardrack",
            "version": importlib.metadata.version("discardrack"),
            "description": "The topics of a live floor. The key of a record is its table, its ledger or "
            "surveillance, so that what one reports and what is concluded of it stay in order.",
        },
        "defaultContentType": "application/json",
        "channels": {
            names[topic]: {
                "address": topic,
                "description": message,
                "messages": {names[topic]: {"$ref": f"#/components/messages/{names[topic]}"}},
            }
            for topic, (message, _) in _TOPICS.items()
        },
        "components": {
            "messages": {
                names[topic]: {
                    "name": payload.__name__,
                    "summary": message,
                    "payload": {"$ref": f"#/components/schemas/{payload.__name__}"},
                    "bindings": {"kafka": {"key": _key(keys[topic]), "bindingVersion": "0.5.0"}},
                }
                for topic, (message, payload) in _TOPICS.items()
            },
            "schemas": _as_draft_07(components),
        },
    }


def _key(message: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "description": message}


_GENERIC: Final = re.compile(rb"Of_(?:str|Fact)_")
SCHEMAS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "events": events,
    "rounds": rounds,
    "house": house,
    "coupons": coupons,
    "findings": findings,
    "labels": labels,
    "asyncapi": asyncapi,
    "checks": checks,
}


@click.command()
@click.argument("what", required=False, type=click.Choice(list(SCHEMAS)))
def schema(what: str | None) -> None:
    """Print a schema; without an argument all of them in one object.

    events: frames, every event, ledger's entry and operator's action. rounds: the round record. house: the
    house file, for editors. coupons: the coupon log. findings: an audit's answers. labels: the faults
    injected into a simulated floor. asyncapi: the topics of a live floor. checks: the closed list of check
    names, with each one's question.

    \b
    Example:
      discardrack schema events
    """  # noqa: D301  click takes the backspace itself for its mark
    document = SCHEMAS[what]() if what is not None else {name: build() for name, build in SCHEMAS.items()}
    text = msgspec.json.format(msgspec.json.encode(document, order="deterministic"), indent=2)
    click.echo(text)


def _document(title: str, *types: type[Any]) -> dict[str, Any]:
    """Make a separate document that admits any of these types."""
    admitted, components = _components("#/$defs/{name}", *types)
    root = admitted[0] if len(admitted) == 1 else {"anyOf": admitted}
    return {"$schema": _DRAFT, "title": title, **root, "$defs": components}


def _components(template: str, *types: type[Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Describe types, each Struct in a place of its own; a check's name is one of the closed list."""
    described = msgspec.json.encode(msgspec.json.schema_components(types, ref_template=template))
    # Classes with a parameter for text are named here without it: no one reads both at one place.
    admitted, components = msgspec.json.decode(_GENERIC.sub(b"", described))
    if "Finding" in components:
        components["Finding"]["properties"]["check"]["enum"] = sorted(KINDS)
    return list(admitted), {name: _plain(each) for name, each in components.items()}


def _plain(part: Any) -> Any:
    """Leave out `discriminator`, which JSON Schema does not have: each event has its own name."""
    if isinstance(part, list):
        return [_plain(each) for each in part]
    if isinstance(part, str):
        return inspect.cleandoc(part)
    if isinstance(part, dict):
        return {name: _plain(each) for name, each in part.items() if name != "discriminator"}
    return part


def _as_draft_07(part: Any) -> Any:
    """Return a schema in draft 07, on which AsyncAPI builds: lists of fixed length have other keywords."""
    if isinstance(part, list):
        return [_as_draft_07(each) for each in part]
    if not isinstance(part, dict):
        return part
    older = {name: _as_draft_07(each) for name, each in part.items()}
    if "prefixItems" in older:
        rest = older.pop("items", None)
        older["items"] = older.pop("prefixItems")
        if rest is not None:
            older["additionalItems"] = rest
    return older
