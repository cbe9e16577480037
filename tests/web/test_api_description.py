"""The API's description as programs and people read it: who may ask, what a route does, what may be sent."""

import gzip
import json
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.auth.guard import SESSION
from projections.web.pages.action_routes import AnyAction

MOST: Final = 100_000  # bytes of a page as it is sent


def operations(described: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, each) for path, route in described["paths"].items() for method, each in route.items()
    ]


def test_each_operation_says_with_what_it_is_asked(described: dict[str, Any]) -> None:
    schemes = described["components"]["securitySchemes"]
    assert (schemes["token"]["type"], schemes["token"]["scheme"]) == ("http", "bearer")
    assert (schemes["session"]["in"], schemes["session"]["name"]) == ("cookie", SESSION)
    assert (schemes["page"]["in"], schemes["page"]["name"]) == ("header", "X-CSRF-Token")
    by_path = {(method, path): each["security"] for method, path, each in operations(described)}
    assert by_path["get", "/api/alerts"] == [{"token": []}, {"session": []}]
    assert by_path["get", "/api/snapshot"] == [{"token": []}]
    changing = [ways for (method, _), ways in by_path.items() if method != "get"]
    assert len(changing) == 6
    assert all(ways == [{"session": [], "page": []}] for ways in changing)


def test_each_operation_has_a_summary_in_words_and_a_subject(described: dict[str, Any]) -> None:
    summaries = {path: each["summary"] for method, path, each in operations(described) if method == "get"}
    assert summaries["/api/findings"] == "The findings that stand, as the page shows them"
    assert summaries["/api/queue"] == "A queue, as the page shows it"
    assert [each for each in summaries.values() if " " not in each or each.endswith(".")] == []
    tags = {path: each["tags"] for _, path, each in operations(described)}
    assert tags["/api/shoes/{day}/{table}/{name}/cards"] == ["shoes"]


def test_a_route_names_the_query_parameters_that_it_reads_and_no_others(described: dict[str, Any]) -> None:
    named = {
        path: {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}
        for method, path, operation in operations(described)
        if method == "get"
    }
    findings = {"run", "table", "check", "severity", "verdict", "page"}
    assert named["/api/findings"] == named["/api/alerts"] == findings
    for kind in ("rounds", "shoes", "accounts"):
        assert named[f"/api/{kind}/{{day}}/{{table}}/{{name}}"] == {"run", "revision"}
    assert named["/api/rounds/{day}/{table}/{name}/events"] == {"run", "page"}
    for path in (
        "/api/rounds/{day}/{table}/{name}/replay",
        "/api/shoes/{day}/{table}/{name}/cards",
        "/api/tables/{table}/{day}",
        "/api/alerts/{alert}",
    ):
        assert named[path] == {"run"}
    assert named["/api/tables/{table}/rounds"] == {"run", "before"}
    assert named["/api/find"] == {"run", "q"}
    assert named["/api/quarantine"] == {"page"}


def test_what_is_given_as_an_example_is_of_its_form(
    client: TestClient[Litestar], described: dict[str, Any]
) -> None:
    examples = {
        path: each["requestBody"]["content"]["application/json"]["example"]
        for _, path, each in operations(described)
        if "example" in each.get("requestBody", {}).get("content", {}).get("application/json", {})
    }
    assert set(examples) == {"/api/actions", "/api/actions/several", "/api/unmask"}
    msgspec.convert(examples["/api/actions"], AnyAction)
    several = client.post("/api/actions/several", json=examples["/api/actions/several"])
    assert several.status_code == 200
    for method, path, each in operations(described):
        examples_of = {one["name"]: one["example"] for one in each.get("parameters", ()) if "example" in one}
        address = path.format(**examples_of) if "{" in path else path
        if method == "get" and path != "/api/snapshot":
            asked = client.get(
                address, params={k: v for k, v in examples_of.items() if f"{{{k}}}" not in path}
            )
            assert asked.status_code in (200, 404, 409), (address, asked.text)


def test_the_page_has_every_operation_and_what_refuses_it(
    client: TestClient[Litestar], described: dict[str, Any]
) -> None:
    page = client.get("/api")
    assert page.headers["content-type"].startswith("text/html")
    assert len(gzip.compress(page.content)) < MOST
    for method, path, each in operations(described):
        assert f"<code>{method.upper()} {path}</code></h3>" in page.text
        assert each["summary"].replace("'", "&#39;") in page.text
    assert json.dumps("acknowledge").replace('"', "&#34;") in page.text
