"""The API against its own description: no answer but the described ones, whatever is asked."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from litestar import Litestar
from litestar.testing import TestClient
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.builders.consoles import open_console
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records
from tests.builders.thoroughness import examples

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
# What is there, so that not everything that is asked for is missing.
THERE: Final[dict[str, list[str]]] = {
    "alert": [*finding_ids(DISPUTED).values()],
    "table": ["BAC-7"],
    "day": ["2025-01-01"],
    "name": ["41"],
    "report": ["alerts"],
}
APART: Final = {"/api/snapshot"}  # answers with all that is stored
# Any word is a name: there is no wrong form of these, and to look for one takes longest.
ANY_WORD: Final = {"DELETE /api/views/{name}", "GET /api/disputes/{name}", "GET /api/disputes/{name}/itrak"}
BOUNDED: Final = settings(
    deadline=timedelta(seconds=20),
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    """Log in the director, who may do the most."""
    store = store_records(tmp_path_factory.mktemp("api") / "s.duckdb", DISPUTED)
    with open_console(store, "director") as client:
        yield client


def operations(described: dict[str, Any]) -> list[Any]:
    schema = schemathesis.openapi.from_dict(described)
    schema.config.generation.update(with_security_parameters=False)  # the session is the client's
    return [each.ok() for each in schema.get_all_operations()]


def ask(client: TestClient[Litestar], case: Any) -> Any:
    told = case.as_transport_kwargs(base_url=str(client.base_url))
    told.pop("cookies", None)  # the session's are the client's
    if isinstance(told.get("data"), str | bytes):
        told["content"] = told.pop("data")
    return client.request(**{name: each for name, each in told.items() if each is not None})


def try_out(client: TestClient[Litestar], operation: Any, mode: GenerationMode, tries: int) -> set[int]:
    """Request an operation in many ways, and check each answer against the schema; return the statuses."""
    statuses = set()

    @settings(BOUNDED, max_examples=tries)
    @given(case=operation.as_strategy(generation_mode=mode), there=st.booleans(), data=st.data())
    def asks(case: Any, there: bool, data: st.DataObject) -> None:  # noqa: FBT001  hypothesis gives it by name
        for name in case.path_parameters or {}:
            if there and name in THERE and mode is GenerationMode.POSITIVE:  # else it may be the wrong one
                case.path_parameters[name] = data.draw(st.sampled_from(THERE[name]))
        answer = ask(client, case)
        case.validate_response(answer, checks=CHECKS)
        statuses.add(answer.status_code)

    asks()
    return statuses


def test_every_answer_is_described(client: TestClient[Litestar], described: dict[str, Any]) -> None:
    for operation in operations(described):
        statuses = try_out(client, operation, GenerationMode.POSITIVE, examples(3, 25))
        assert 401 not in statuses, operation.label
        if not operation.path_parameters and operation.method == "get" and operation.path not in APART:
            assert 200 in statuses, operation.label


def test_a_malformed_request_is_refused_in_the_described_form(
    client: TestClient[Litestar], described: dict[str, Any]
) -> None:
    refused = {}
    for operation in operations(described):
        if operation.label in ANY_WORD:
            continue
        with suppress(Unsatisfiable):  # nothing at all is asked with some
            refused[operation.label] = try_out(client, operation, GenerationMode.NEGATIVE, examples(3, 8))
    for changing in ("POST /api/actions", "POST /api/unmask"):
        assert refused[changing] == {400}
    for days in ("rounds", "shoes", "accounts"):  # a path that is no day leads nowhere
        assert refused[f"GET /api/{days}/{{day}}/{{table}}/{{name}}"] <= {400, 404}


def test_nobody_gets_anything_of_it(tmp_path: Path, described: dict[str, Any]) -> None:
    with open_console(store_records(tmp_path / "s.duckdb", DISPUTED)) as client:
        client.cookies.clear()
        for operation in operations(described):
            assert try_out(client, operation, GenerationMode.POSITIVE, 1) == {401}, operation.label


def test_the_description_is_of_the_api_alone_and_for_who_may_see(
    tmp_path: Path, described: dict[str, Any]
) -> None:
    assert {path.split("/")[1] for path in described["paths"]} == {"api"}
    refusals = described["paths"]["/api/alerts"]["get"]["responses"]
    assert set(refusals) == {"200", "400", "401", "403", "404"}
    path = store_records(tmp_path / "s.duckdb", DISPUTED)
    with open_console(path, "administrator") as client:
        assert client.get("/api/openapi.json").status_code == 403
