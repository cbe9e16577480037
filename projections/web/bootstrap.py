"""Startup of a console: the command handler on a store, with its standing alerts and stored actions."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.case_book import CaseBook
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.shift_log import LogBook
from projections.catalogue import KINDS
from projections.notify.channels import Notifications
from projections.store.store import Store
from projections.store.store_file import check_exists
from projections.store.stored_alerts import latest, standing_alerts
from projections.views.time_text import use_locale
from projections.web.live.broadcaster import LiveFloor, State
from projections.web.pages.report_pages import NoForms, ReportForms
from projections.web.records.archived_events import EventReader
from projections.web.records.bundle_requests import BundleMaker
from schemas.cameras import Cameras
from schemas.errors import BadInput
from schemas.house import DEFAULT, House, TableSetup
from schemas.room_settings import DEFAULT as ROOM
from schemas.room_settings import RoomSettings
from schemas.values import Micros

if TYPE_CHECKING:  # its library is an extra
    from projections.web.auth.oidc import Provider

_CHECKS: Final = {check: kind.severity for check, kind in KINDS.items()}


class HouseReader(Protocol):
    """A reader by a house, and by another where the house file was changed."""

    def take_house(self, house: House, left_out: Mapping[str, str]) -> None:
        """Use another house from now on; `left_out` has the reason for each table that is not audited."""


class NotificationReader(Protocol):
    """A sender by an escalation file, and by another where the file was changed."""

    def take_notifications(self, notifications: Notifications) -> None:
        """Use another escalation file, and its channels, from now on."""


class ConsoleSettings(Struct, frozen=True, kw_only=True):
    """Settings of a console: the room's own, and what it is connected with beside its store.

    `cameras` are those over its tables, if there is a file of them; `provider` is the property's own login;
    `events` reads the floor's archive, if there is one; `bundles` makes evidence bundles, if there is a key
    as well; `notifications` are sent by an escalation file, if there is one; `report_forms` renders nightly
    reports and writes their files.
    """

    room: RoomSettings = ROOM
    cameras: Cameras | None = None
    provider: "Provider | None" = None
    events: EventReader | None = None
    bundles: BundleMaker | None = None
    notifications: Notifications | None = None
    report_forms: ReportForms = NoForms()


USUAL: Final = ConsoleSettings()


class OpenConsole(Struct):
    """A console's store, open for writing, and what was made of it; `path` is the store's file.

    `left_out` has the reason for each table of the house that is not audited, and `house_readers` all that
    reads by the house.
    """

    path: Path
    store: Store
    house: House
    live: LiveFloor
    commands: CommandHandler
    settings: ConsoleSettings = USUAL
    left_out: Mapping[str, str] | None = None
    house_readers: list[HouseReader] = []
    notification_readers: list[NotificationReader] = []

    def take_house(self, house: House, left_out: Mapping[str, str]) -> None:
        """Use a changed house file from now on; the zone and the locale in which times are shown stay."""
        self.house, self.left_out = house, left_out
        self.commands.alert_queue.tables = house.tables
        for each in self.house_readers:
            each.take_house(house, left_out)

    def take_notifications(self, notifications: Notifications) -> None:
        """Use a changed escalation file from now on."""
        self.settings = replace(self.settings, notifications=notifications)
        for each in self.notification_readers:
            each.take_notifications(notifications)


def load_console(
    path: Path,
    house: House = DEFAULT,
    settings: ConsoleSettings = USUAL,
    state: State = "recorded",
    begins: Micros | None = None,
) -> OpenConsole:
    """Open a store for a console, which alone may write it then; for `begins` see `open_commands`.

    Raises:
        BadInput: there is no such store, another process has it open, or what was done was changed in it.
    """
    if state == "recorded":
        check_exists(path)
    store = Store(path)
    try:
        return load_console_on(store, path, house, settings, state, begins)
    except BadInput:
        store.close()
        raise


def load_console_on(
    store: Store,
    path: Path,
    house: House,
    settings: ConsoleSettings,
    state: State,
    begins: Micros | None = None,
) -> OpenConsole:
    """Build what a console needs on an open store."""
    use_locale(house.locale)
    return OpenConsole(
        path,
        store,
        house,
        LiveFloor(store.reading(), house.zone, state),
        open_commands(
            store,
            settings.room,
            house.tables,
            wall_clock(),
            live=state != "recorded",
            begins=(house.gaming_date(begins), begins) if begins is not None else None,
        ),
        settings,
    )


def wall_clock() -> Micros:
    """Return the time on the wall, microseconds UTC."""
    return time_ns() // 1_000


def open_commands(
    store: Store,
    room_settings: RoomSettings,
    tables: Mapping[str, TableSetup],
    now: Micros,
    *,
    live: bool,
    begins: tuple[date, Micros] | None = None,
) -> CommandHandler:
    """Open casework on a store: fold the actions done, and add the open alerts to the queue.

    None of them rings: the people present see them, and they rang when they came. `tables` are the house's.
    The clock of a live floor (`live`) is that of its latest round, or of the gaming day and time at which its
    recording `begins`, so that the days before it are past. A store that is not live stays as old as its
    data.

    Raises:
        BadInput: an action in the store was changed, or one is missing.
    """
    alert_queue = AlertQueue(room_settings, tables)
    commands = CommandHandler(store, alert_queue, [CaseBook(alert_queue, _CHECKS), DisputeBook(), LogBook()])
    if found := latest(store.reading()):
        day, at = found
        alert_queue.advance_floor(day, at if live else None, now)
    # In a store without a round nothing stands; to plan the query alone takes 8 ms.
    alerts = standing_alerts(store.reading(), tables) if found else {}
    if begins is not None:
        alert_queue.advance_floor(*begins, now)
    commands.load_alerts(alerts, now)
    return commands
