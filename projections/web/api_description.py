"""The API's description: OpenAPI at /api/openapi.json for programs, and a page at /api for people.

Everybody who may see alerts may read both. The page is made of the same description, on the server.
"""

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any, Final, TypeAlias, get_args

import msgspec
from litestar import Litestar, Request, Router, get
from litestar.enums import OpenAPIMediaType
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.openapi.spec import Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.response import Template
from litestar.typing import FieldDefinition
from msgspec import Struct

from projections.engine.facts import Cents, Fact, Instant, Listed, Ref, Word
from projections.web.auth.guard import SESSION
from projections.web.pages.action_routes import AnyAction, Refusal
from schemas.values import capital

API: Final = "/api/"
_ACTIONS: Final = "/api/actions"
_SNAPSHOT: Final = "/api/snapshot"
_TO: Final = "#/components/schemas/{name}"
_JSON: Final = "application/json"
# What may come back from any route under /api instead of what was asked for.
_REFUSALS: Final = {
    "400": "It was not asked in the form that the route reads.",
    "401": "Nobody is logged in.",
    "403": "The role may not do this, or a change did not bring the token of its page.",
    "404": "There is nothing of that name, or it is withheld from who asks.",
    "409": "It cannot be done as things stand.",
}
_ERROR: Final = {"error": "There is nothing of that name."}
# The argument types of facts. They leave the API as words, so that no client has to know the types.
_ARGUMENTS: Final = frozenset(each.__name__ for each in get_args(Ref | Cents | Word | Instant | Listed))
_OWN: Final = ("400", "401", "403", "404")  # of every route; the other errors are described at their routes

# Of several ways any one is enough; of one way all that it names is needed.
_Ways: TypeAlias = list[dict[str, list[str]]]
_SCHEMES: Final = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of an account, for programs: it reads and changes nothing (docs/access.md).",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION,
        "description": "The session of a person who is logged in.",
    },
    "page": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "The token of the page, which each change brings beside the session's cookie.",
    },
}
_READS: Final[_Ways] = [{"token": []}, {"session": []}]
_CHANGES: Final[_Ways] = [{"session": [], "page": []}]
_COPIES: Final[_Ways] = [{"token": []}]

# What a parameter of a name may be, wherever it stands.
_EXAMPLES: Final = {
    "alert": "3e270b292fd82f6e",
    "check": "paid_too_little",
    "day": "2025-03-01",
    "dealer": "D-9",
    "name": "41",
    "pit": "1",
    "q": "BAC-101 41",
    "report": "alerts",
    "severity": "money",
    "table": "BAC-101",
    "verdict": "mismatch",
}
_TAKEN: Final = {
    "action": "acknowledge",
    "id": "5f0c8f6d2b1a4e7790c3d1e2f4a5b6c7",
    "subject": "alert:3e270b292fd82f6e",
}
# What may be sent, by its route.
_BODIES: Final[Mapping[str, Any]] = {
    _ACTIONS: _TAKEN,
    "/api/actions/several": {"actions": [_TAKEN]},
    "/api/unmask": {"subject": "round:2025-03-01|BAC-101|41", "reason": "The patron is at the desk."},
}


class Structs(OpenAPISchemaPlugin):
    """Puts a placeholder in for each struct, which the description replaces by msgspec's schema."""

    def __init__(self) -> None:
        self.marked: dict[str, type[Struct]] = {}
        self._description: dict[str, Any] | None = None

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Return True if a type is a struct."""
        return isinstance(value, type) and issubclass(value, Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:  # noqa: ARG002  Litestar calls it so
        """Mark a struct's place."""
        kind = field_definition.annotation
        mark = f"{kind.__module__}.{kind.__qualname__}"
        self.marked[mark] = kind
        return Schema(title=mark)

    def description(self, app: Litestar) -> dict[str, Any]:
        """Return the description of the routes under /api, made once: an application's routes stay."""
        if self._description is None:
            self._description = self._described(app.openapi_schema.to_schema())
        return self._description

    def _described(self, openapi_schema: dict[str, Any]) -> dict[str, Any]:
        kinds = [Refusal, AnyAction, *self.marked.values()]
        (operations, action, *rest), schemas = msgspec.json.schema_components(kinds, ref_template=_TO)
        schemas = _in_words(schemas)
        schemas_by_kind = dict(zip(self.marked, rest, strict=True))
        paths: dict[str, Any] = {
            path: _replaced(route, schemas_by_kind)
            for path, route in openapi_schema["paths"].items()
            if path.startswith(API)
        }
        paths[_ACTIONS]["post"]["requestBody"]["content"][_JSON]["schema"] = action
        for path, route in paths.items():
            for method, each in route.items():
                each["responses"] = _answers(each["responses"], operations)
                each["summary"] = _summary(each["description"])
                each["tags"] = [path.removeprefix(API).partition("/")[0]]
                each["security"] = _COPIES if path == _SNAPSHOT else _READS if method == "get" else _CHANGES
                _add_examples(path, each)
        components = {"schemas": schemas, "securitySchemes": _SCHEMES}
        return openapi_schema | {"paths": paths, "components": components, "security": _READS}


class Described(OpenAPIRenderPlugin):
    """Gives the description of the routes under /api; the pages are for people."""

    def __init__(self, structs: Structs) -> None:
        super().__init__(path=["/", "/openapi.json"], media_type=OpenAPIMediaType.OPENAPI_JSON)
        self._structs = structs

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # noqa: ARG002  Litestar calls it so
        """Write the description as JSON."""
        return self.render_json(request, self._structs.description(request.app))


def _summary(description: str) -> str:
    """Return what a route does in a few words, without its conditions.

    >>> _summary("Return a queue, as the page shows it.  It is long.")
    'A queue, as the page shows it'
    >>> _summary("Save a view; gives all of them.")
    'Save a view'
    """
    first = re.split(r"[.;:](?:\s|\Z)", description, maxsplit=1)[0]
    return capital(" ".join(first.split()).removeprefix("Return "))


def _add_examples(path: str, operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        is_list = any(each.get("type") == "array" for each in parameter["schema"].get("oneOf", ()))
        if (example := _EXAMPLES.get(parameter["name"])) is not None and "enum" not in parameter["schema"]:
            parameter["example"] = [example] if is_list else example
    if path in _BODIES:
        operation["requestBody"]["content"][_JSON]["example"] = _BODIES[path]


def _in_words(schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas with facts as what they leave as: words, without their arguments."""
    schema = {"type": "string", "description": "What was found, in words."}
    return {name: each for name, each in schemas.items() if name not in _ARGUMENTS} | {Fact.__name__: schema}


def _replaced(value: Any, schemas_by_kind: dict[str, Any]) -> Any:
    match value:
        case {"title": str(mark)} if mark in schemas_by_kind:
            return schemas_by_kind[mark]
        case dict():
            return {key: _replaced(each, schemas_by_kind) for key, each in value.items()}
        case list():
            return [_replaced(each, schemas_by_kind) for each in value]
    return value


def _answers(answers: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return a route's possible responses: its own, and each error in the common form."""
    refusals: Iterable[str] = {*_OWN, *(_REFUSALS.keys() & answers.keys())}
    body = {_JSON: {"schema": schema, "example": _ERROR}}
    return answers | {each: {"description": _REFUSALS[each], "content": body} for each in sorted(refusals)}


def described(structs: Structs) -> OpenAPIConfig:
    """Build the API's description; everybody who may see alerts may read it."""
    router = Router(f"{API}openapi.json", route_handlers=[], include_in_schema=False, opt={"needs": "see"})
    return OpenAPIConfig(
        title="discardrack",
        version=version("discardrack"),
        openapi_router=router,
        use_handler_docstrings=True,
        render_plugins=[Described(structs)],
    )


# ── The page ──────────────────────────────────────────────────────────────────────────────────────────


class Parameter(Struct, frozen=True):
    """A parameter of a route: where it stands, its type in a word or two, and an example."""

    name: str
    where: str
    kind: str
    is_required: bool
    example: str


class Operation(Struct, frozen=True):
    """A method of a route, as the page has it; `answer` and `body` name schemas."""

    method: str
    path: str
    summary: str
    description: str
    security: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    body: str
    example: str
    answer: str
    errors: tuple[str, ...]


@get("/api", opt={"needs": "see"}, include_in_schema=False, sync_to_thread=True)
def api_page(request: Request[Any, Any, Any]) -> Template:
    """Show what the API has, for people."""
    description = request.app.plugins.get(Structs).description(request.app)
    operations = [
        _operation(method, path, each)
        for path, route in description["paths"].items()
        for method, each in route.items()
    ]
    return Template(
        "api.html",
        context={"operations": operations, "schemes": _SCHEMES, "refusals": _REFUSALS},
    )


def _operation(method: str, path: str, each: Mapping[str, Any]) -> Operation:
    answers = each["responses"]
    body = each.get("requestBody", {}).get("content", {}).get(_JSON, {})
    return Operation(
        method.upper(),
        path,
        each["summary"],
        each["description"],
        tuple(" and ".join(way) for way in each["security"]),
        tuple(
            Parameter(
                parameter["name"],
                parameter["in"],
                _kind(parameter["schema"]),
                parameter.get("required", False),
                str(parameter.get("example", "")),
            )
            for parameter in each.get("parameters", ())
        ),
        _kind(body.get("schema", {})) if body else "",
        msgspec.json.encode(body["example"]).decode() if "example" in body else "",
        next((_answer(answers[code]) for code in sorted(answers) if code.startswith("2")), ""),
        tuple(code for code in sorted(answers) if not code.startswith("2")),
    )


def _answer(answer: Mapping[str, Any]) -> str:
    kinds = [
        _kind(content["schema"]) if media == _JSON and content.get("schema") else media
        for media, content in answer.get("content", {}).items()
    ]
    return ", ".join(kinds)


def _kind(schema: Mapping[str, Any]) -> str:
    """Return a schema in a word or two.

    >>> _kind({"oneOf": [{"type": "array", "items": {"type": "string", "format": "date"}}, {"type": "null"}]})
    'list of date'
    >>> _kind({"type": ["null", "string"], "enum": ["a", "b", None]})
    'a, b'
    """
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    choices = [each for each in schema.get("enum", ()) if each]
    choices += map(_kind, schema.get("oneOf", schema.get("anyOf", ())))
    if choices:
        return ", ".join(dict.fromkeys(filter(None, map(str, choices))))
    kind = schema.get("const", schema.get("type"))
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}".removesuffix(" of ")
    if isinstance(kind, list):
        return ", ".join(each for each in kind if each != "null")
    return "" if kind in (None, "null") else str(schema.get("format", kind))
