"""Dates and times on pages and on the terminal in the locale of the house: American, or ISO 8601."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from msgspec import yaml

from projections.views.time_text import use_locale
from projections.web import bootstrap
from replay.cli import main
from schemas.house import DEFAULT, Locale, parse
from tests.builders.consoles import open_console
from tests.builders.nights import script_three_rounds, write_floor
from tests.builders.round_records import DISPUTED
from tests.builders.stores import store_records
from tests.builders.table_script import build_house

# The disputed hand was opened on 2025-01-02 at 01:15:00 UTC, which is 8:15 PM on the first in New York.
WRITTEN: Final[dict[Locale, tuple[str, str]]] = {
    "us": ("01/01/2025", "8:15:00 PM"),
    "iso": ("2025-01-01", "20:15:00"),
}


@pytest.fixture(autouse=True)
def american_again() -> Iterator[None]:
    yield
    use_locale("us")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return store_records(tmp_path_factory.mktemp("locale") / "store.duckdb", DISPUTED)


@pytest.mark.parametrize("locale", ["us", "iso"])
def test_pages_have_the_house_s_dates_and_hours_and_tell_their_scripts(store: Path, locale: Locale) -> None:
    house = parse(yaml.encode({"house": "own", "locale": locale}), "house.yaml")
    day, time = WRITTEN[locale]
    ((other_day, other_time),) = [each for name, each in WRITTEN.items() if name != locale]
    with open_console(store, on=bootstrap.load_console(store, house)) as client:
        page = client.get("/rounds/2025-01-01/BAC-7/41").text
        assert f">{day} {time} EST</time>" in page
        assert f"{other_day} {other_time}" not in page
        assert ('<html lang="en" data-root="" data-locale="iso"' in page) is (locale == "iso")
        # What programs read is the same.
        assert 'datetime="2025-01-02T01:15:00' in page
        assert client.get("/api/rounds/2025-01-01/BAC-7/41").json()["at"].startswith("2025-01-02T01:15:00")


@pytest.mark.parametrize(("locale", "written"), [("us", "04/01/2025"), ("iso", "2025-04-01")])
def test_the_terminal_has_the_house_s_dates(tmp_path: Path, locale: Locale, written: str) -> None:
    floor = write_floor(tmp_path, script_three_rounds())
    file = floor / "house.yaml"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n", encoding="utf-8")
    told = yaml.decode(file.read_bytes())
    file.write_bytes(yaml.encode(told | {"locale": locale}))
    result = CliRunner().invoke(main, ["hand", str(floor), "BAC-1", "1"], catch_exceptions=False)
    assert written in result.stdout
    assert build_house().locale == DEFAULT.locale == "us"
