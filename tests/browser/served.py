"""A console on a real port, over a floor that was played into it and can be played on by a test."""

import asyncio
import shutil
import socket
import threading
from collections.abc import Coroutine
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import uvicorn
from litestar import Litestar
from litestar.types import ASGIApp, Receive, Send

from projections.store.store import Store
from projections.web.app import console
from projections.web.auth.accounts import Sessions
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.roles import ROLES
from projections.web.bootstrap import ConsoleSettings, load_console_on
from replay.cli.bundle_process import BundleProcess as Bundles
from replay.recording.single_round import RecordedEvents
from schemas import house as houses
from schemas.cameras import Cameras
from schemas.room_settings import Due, DueTimes, RoomSettings
from streams import log
from streams.archive import keys
from streams.archive.import_events import archive_of
from streams.projector.ingest import BatchIngest
from streams.projector.writer import StoreWriter
from streams.replayed.player import Ahead, Play, Replayed, recorded
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.consoles import add_account, log_in

# Debian's, with no window to draw and at half the cost, or else the whole of it; the pages are drawn alike.
BROWSERS: Final = ("chromium-headless-shell", "chromium")
PATIENCE: Final = 90.0  # seconds, on a machine that may be busy
_NAME: Final = "played"
_FLOOR, _ARCHIVE, _KEY, _STORE = "floor", "archive", "releaser", "store.duckdb"  # in the folder
_AT_ONCE: Final = 1e6  # times as fast as real
# What can be put right stays so while the tests run, and nothing of it falls due by the clock on the wall.
_WEEK: Final = 7 * 24 * 60  # minutes
_LONG: Final = Due(taken=_WEEK, closed=_WEEK)
_ROOM: Final = RoomSettings(act_within_minutes=_WEEK, due=DueTimes(critical=_LONG, high=_LONG))
CAMERA: Final = "PTZ-7"  # over the first table
_CAMERAS: Final = Cameras("https://recorder.example/{camera}?from={start_ms}", {"BAC-101": [CAMERA]})
_TABLES, _HOURS, _LATER = 6, 2, 0.85  # of its frames, the part that is played before the tests begin


def prepare(folder: Path) -> None:
    """Write what a console is served of into a folder: all that is the same each time, as it takes a while.

    A recorded floor; an archive of the whole of it, closed; a key by which bundles of it are let out; an
    account of each role, called as the role is; a store of the floor's first part, played.
    """
    floor, archive = folder / _FLOOR, folder / _ARCHIVE
    simulate(floor, tables=_TABLES, hours=_HOURS, seed="browser", rates=faults.rates(sensors=True))
    archive.mkdir()
    archive_of(floor, archive, houses.read(log.HOUSE, floor), keys.make(folder / "closer"))
    keys.make(folder / _KEY)
    for role in ROLES:
        add_account(folder / _STORE, role, role)
    served = Served(folder)
    with pytest.MonkeyPatch.context() as patch:
        # How the tables stand is written with each batch, not every five seconds: all is played within one.
        patch.setattr("streams.projector.writer._EVERY", 0)
        served.start()
        try:
            served.play_on()
        finally:
            served.stop()


def installed() -> str | None:
    """Return where a Chromium is; None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


class Served:
    """A console that is served in a thread, of a folder that was prepared, and the player of its floor.

    `under` is the path at which a proxy lets it stand.
    """

    def __init__(self, folder: Path, under: str = "") -> None:
        self.floor, self.store = folder / _FLOOR, folder / _STORE
        house = houses.load(log.HOUSE, self.floor)
        store = Store(self.store)
        settings = ConsoleSettings(
            room=_ROOM,
            cameras=_CAMERAS,
            bundles=Bundles(folder / _ARCHIVE, folder / _KEY),
            events=RecordedEvents(self.floor),
        )
        self.opened = load_console_on(store, self.store, house, settings, "ok")
        self.app: Litestar = console(self.opened)
        self._storing = StoreWriter(store, house.zone, _NAME, self.opened.commands)
        self._began = bool(store.standings(_NAME))  # with the floor's first part, which is stored then
        self._pages: dict[str, list[str]] = {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}{under}"
        asked = _behind_proxy(self.app, under) if under else self.app
        self._server = uvicorn.Server(
            uvicorn.Config(asked, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=3)
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Serve, with the tables as they stood when the store was written last."""
        self._thread.start()
        self._wait(self._stood())

    def stop(self) -> None:
        """End in order."""
        self._loop.call_soon_threadsafe(self.opened.live.end)
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def play_on(self) -> None:
        """Play the floor's next part, at once."""
        frames, house = list(recorded(log.logs(self.floor))), self.opened.house
        at = int(len(frames) * _LATER)
        self._wait(
            self._played(
                Play(_NAME, house, Ahead(frames[at:]), frames[:at])
                if self._began
                else Play(_NAME, house, Ahead(frames[:at]))
            )
        )
        self._began = True

    def token(self, name: str) -> str:
        """Begin a session, past the form; gives what the browser has to bring."""
        file = AccountsFile(accounts_of(self.store))
        try:
            return Sessions(file).begin(name)
        finally:
            file.close()

    def person(self, name: str) -> httpx.Client:
        """Return a client by which somebody else acts, logged in."""
        return log_in(httpx.Client(base_url=self.address, timeout=PATIENCE), name)

    def pages(self) -> dict[str, list[str]]:
        """Return a page of each sort that there is, by a role that may see it; they are looked for once."""
        if self._pages:
            return self._pages
        with closing(self.person("supervisor")) as client:
            alert = client.get("/api/queue").json()["rows"][0]["alert"]["id"]
            round_ = next(each for each in client.get("/api/alerts").json()["findings"] if "round" in each)
            table, day = round_["table"], round_["gaming_date"]
            shoe = client.get(f"/api/tables/{table}/{day}").json()["shoes"][0]["shoe"]
        hand = f"/rounds/{day}/{table}/{round_['round']}"
        seen = [
            "/", "/?queue=nightly", "/muted", "/breaches", "/floor", "/findings", f"/alerts/{alert}",
            f"/alerts/{alert}/timeline", hand, f"{hand}/replay",
            f"/tables/{table}", f"/tables/{table}/{day}",
            f"/shoes/{day}/{table}/{shoe}/cards", f"/find?q={table}", "/disputes", "/disputes/new", "/log",
            "/coupons", "/reports", "/health", "/quarantine", "/audit", "/embargoes", "/password", "/account",
        ]  # fmt: skip
        self._pages = {
            "supervisor": seen,
            "administrator": ["/accounts", "/sessions", "/accounts/operator/disable"],
        }
        return self._pages

    async def _stood(self) -> None:
        live = self.opened.live
        live.play_speed = _AT_ONCE
        BatchIngest(self._storing, live).stand(_NAME)

    async def _played(self, play: Play) -> None:
        live = self.opened.live
        following = asyncio.create_task(Replayed(self._storing, live, play, _AT_ONCE).follow())
        while live.state != "recorded":
            assert not following.done(), following.exception()
            await asyncio.sleep(0.02)
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
        live.turned("ok")

    def _wait(self, what: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._server.serve([self._listener]))
        self._loop.close()


def _behind_proxy(app: Litestar, under: str) -> ASGIApp:
    """Serve at a path, as uvicorn serves an app behind a proxy that takes the path off."""

    async def proxied(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            assert scope["path"].startswith(f"{under}/"), scope["path"]
            scope = scope | {"root_path": under}
        await app(scope, receive, send)

    return proxied
