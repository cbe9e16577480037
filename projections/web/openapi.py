"""The API described as OpenAPI, at /api/openapi.json: what is under /api, each route with its answers."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, Final, get_args

import msgspec
from litestar import Request, Router
from litestar.enums import OpenAPIMediaType
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.openapi.spec import Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from msgspec import Struct

from projections.engine.facts import Cents, Fact, Instant, Listed, Ref, Word
from projections.web.pages.action_routes import AnyAction, Refusal

_API: Final = "/api/"
_ACTIONS: Final = "/api/actions"
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
# What facts are made of; they leave in words, so that nobody outside has to know it.
_ARGUMENTS: Final = frozenset(each.__name__ for each in get_args(Ref | Cents | Word | Instant | Listed))
_OWN: Final = ("400", "401", "403", "404")  # of every route; the others are said where they come


class Structs(OpenAPISchemaPlugin):
    """Leaves a mark for each struct, in whose place the description says how msgspec writes it."""

    def __init__(self) -> None:
        self.marked: dict[str, type[Struct]] = {}

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


class Described(OpenAPIRenderPlugin):
    """Gives the description of the routes under /api; the pages are for people."""

    def __init__(self, structs: Structs) -> None:
        super().__init__(path=["/", "/openapi.json"], media_type=OpenAPIMediaType.OPENAPI_JSON)
        self._structs = structs

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Write the description as JSON."""
        kinds = [Refusal, AnyAction, *self._structs.marked.values()]
        (operations, action, *rest), schemas = msgspec.json.schema_components(kinds, ref_template=_TO)
        schemas = _in_words(schemas)
        schemas_by_kind = dict(zip(self._structs.marked, rest, strict=True))
        paths: dict[str, Any] = {
            path: _replaced(route, schemas_by_kind)
            for path, route in openapi_schema["paths"].items()
            if path.startswith(_API)
        }
        for route in paths.values():
            for answer in route.values():
                answer["responses"] = _answers(answer["responses"], operations)
        paths[_ACTIONS]["post"]["requestBody"]["content"][_JSON]["schema"] = action
        described = openapi_schema | {"paths": paths, "components": {"schemas": schemas}}
        return self.render_json(request, described)


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
    """Return what a route may answer: what it says itself, and each refusal in the form that all have."""
    refusals: Iterable[str] = {*_OWN, *(_REFUSALS.keys() & answers.keys())}
    body = {_JSON: {"schema": schema}}
    return answers | {each: {"description": _REFUSALS[each], "content": body} for each in sorted(refusals)}


def described(structs: Structs) -> OpenAPIConfig:
    """Make the API's description; who may see alerts may read it."""
    router = Router(f"{_API}openapi.json", route_handlers=[], include_in_schema=False, opt={"needs": "see"})
    return OpenAPIConfig(
        title="discardrack",
        version=version("discardrack"),
        openapi_router=router,
        use_handler_docstrings=True,
        render_plugins=[Described(structs)],
    )
