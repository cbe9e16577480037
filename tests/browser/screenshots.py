"""Take the README's screenshots: `python -m tests.browser.screenshots docs/img`; needs Debian's Chromium."""

import sys
import tempfile
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import httpx
from PIL import Image
from playwright.sync_api import sync_playwright

from projections.web.auth.guard import SESSION
from projections.web.bootstrap import ConsoleSettings, OpenConsole, load_console
from replay.serving.report_forms import NightlyForms
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.browser.open_served import serve_console
from tests.browser.served import Served, installed, prepare
from tests.builders.large_floor import open_large_floor
from tests.builders.nights import run_nightly

_SIZE: Final = (1366, 768)
_WALL: Final = (1920, 1080)
_LAST: Final = "2025-03-03"  # gaming day
_SETTLED: Final = 500  # milliseconds in which a page says that it is live


def main(folder: Path) -> None:
    """Serve a floor, and take a picture of each main screen into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as held:
        prepare(Path(held))
        served = Served(Path(held))
        try:
            served.start()
            with closing(served.person("operator")) as client:
                screens = _screens(client)
            _take(served.address, served.token("operator"), screens, folder)
        finally:
            served.stop()
    with tempfile.TemporaryDirectory() as held:
        with serve_console(open_large_floor(Path(held) / "store.duckdb"), "operator") as (address, token):
            _take(address, token, {"floor": "/floor"}, folder)
            _take(address, token, {"wall": "/wall"}, folder, _WALL)
        with serve_console(_reported(Path(held)), "finance") as (address, token):
            _take(address, token, {"day": f"/reports/{_LAST}"}, folder)


def _reported(folder: Path) -> OpenConsole:
    """Play three days, make their reports, and open a console on them."""
    floor, store = folder / "floor", folder / "reports.duckdb"
    rates = faults.rates(sensors=True)
    simulate(floor, tables=12, hours=2, days=3, mixed=True, seed="browser", rates=rates)
    for day in ("2025-03-01", "2025-03-02", _LAST):
        run_nightly(floor, "--store", str(store), out=folder / "out", day=day)
    return load_console(store, settings=ConsoleSettings(report_forms=NightlyForms()))


def _screens(client: httpx.Client) -> dict[str, str]:
    """Perform a person's work; yield the path of each screen by its picture's name."""
    rows = client.get("/api/queue").json()["rows"]
    paid = next(row["alert"] for row in rows if row["alert"].get("net_cents"))
    for number, row in enumerate(rows[1:3], 1):
        _act(client, number, action="acknowledge", subject=f"alert:{row['alert']['id']}")
    told = client.get(f"/api/alerts/{paid['id']}").json()["record"]
    about = {
        "table": paid["table"],
        "gaming_date": paid["gaming_date"],
        "rounds": [told["round"]],
        "claim": "The patron says that he was paid the wrong amount.",
        "claim_cents": abs(paid["net_cents"]),
        "alerts": [paid["id"]],
    }
    called = paid["at"] + 120_000_000
    call = {"called": called, "caller": "FL-1-1", "answered": called + 25_000_000, "answered_by": "operator"}
    dispute = _act(client, 9, action="dispute-open", about=about, call=call)["subject"]
    name = dispute.removeprefix("dispute:")
    replay = f"/rounds/{told['gaming_date']}/{told['table']}/{told['round']}/replay"
    marks = client.get(f"/api{replay}").json()["marks"]
    wrong = next(mark["frame"] for mark in marks if mark["finding"] == paid["id"])
    return {
        "queue": "/?sort=money",
        "alert": f"/alerts/{paid['id']}",
        "hand-replay": f"{replay}#event-{wrong}",
        "dispute": f"/disputes/{name}",
    }


def _act(client: httpx.Client, number: int, **action: Any) -> dict[str, Any]:
    answer = client.post("/api/actions", json={"id": f"{number:032x}", **action})
    answer.raise_for_status()
    told: dict[str, Any] = answer.json()
    return told


def _take(
    address: str, token: str, screens: dict[str, str], folder: Path, size: tuple[int, int] = _SIZE
) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed())
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme="dark"
        )
        context.add_cookies([{"name": SESSION, "value": token, "url": address}])
        page = context.new_page()
        for name, path in screens.items():
            page.goto(f"{address}{path}")
            if name == "queue":
                page.keyboard.press("j")  # elsewhere it leads to another page
            page.wait_for_timeout(_SETTLED)
            taken = Image.open(BytesIO(page.screenshot()))
            taken.quantize().save(folder / f"{name}.png", optimize=True)  # a third of the size


if __name__ == "__main__":
    main(Path(sys.argv[1]))
