"""Pages and files over the wire: packed, marked, and not sent where the browser has them."""

import json
import re
import time
from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.app import console
from projections.web.bootstrap import OpenConsole, load_console
from tests.builders.consoles import add_account, log_in
from tests.builders.rounds_of_console import write_rounds

PACKED = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenConsole:
    path = write_rounds(tmp_path_factory.mktemp("delivery") / "store.duckdb")
    add_account(path)
    return load_console(path)


@pytest.fixture(scope="module")
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with TestClient(console(opened)) as client:
        yield log_in(client)


def version_of(page: str) -> str:
    (found,) = re.findall(r' data-version="([^"]+)"', page)
    return str(found)


@pytest.mark.parametrize(
    "path", ["/findings", "/api/findings", "/static/console.css", "/static/live.js", "/static/forms.js"]
)
def test_text_is_packed_for_a_browser_that_unpacks_it(client: TestClient[Litestar], path: str) -> None:
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    packed = client.get(path, headers=PACKED)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2
    volatile = re.compile(r'data-version="[^"]*"|<span>[^<]*</span>')
    assert volatile.sub("", packed.text) == volatile.sub("", plain.text)
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_nothing_is_packed_that_another_site_had_a_browser_ask_for(
    client: TestClient[Litestar], site: str
) -> None:
    assert "Content-Encoding" not in client.get("/login", headers={**PACKED, "Sec-Fetch-Site": site}).headers


def test_a_stream_goes_out_as_it_comes(client: TestClient[Litestar], opened: OpenConsole) -> None:
    opened.live.end()
    answer = client.get("/stream", headers=PACKED)
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert "Content-Encoding" not in answer.headers


def test_a_page_that_is_the_same_is_not_sent_again(client: TestClient[Litestar], opened: OpenConsole) -> None:
    first = client.get("/disputes")
    opened.live.stored(1)  # something came that is on another page
    again = client.get("/disputes", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Cache-Control"] == "no-store"
    form = client.get("/log")
    written = 'name="entry.at" data-sort="time" value="'
    assert written in form.text, "the time now, which is another each second"
    time.sleep(1.1)
    assert client.get("/log", headers={"If-None-Match": form.headers["ETag"]}).status_code == 304
    other = client.get("/log", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


def test_a_page_says_which_version_of_the_floor_it_shows_and_the_stream_says_the_same(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    shown = version_of(client.get("/findings").text)
    opened.live.end()

    def heard() -> str:
        (data,) = re.findall(r"event: hello\r\ndata: (.*)\r\n", client.get("/stream").text)
        return str(json.loads(data)["version"])

    assert heard() == shown, "a page is not fetched twice"
    opened.live.turned("kafka away")
    assert heard() != shown
    assert version_of(client.get("/findings").text) == heard()
