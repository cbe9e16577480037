"""The page of an alert: the hand as it lay, what was owed and paid, the rule, the footage."""

from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template
from litestar.types import ControllerRouterHandler

from projections.console.alert_told import AlertTold, Around, alert_told
from projections.console.live import Live
from projections.console.queries import Reader
from projections.console.shown import Asked
from projections.console.sight import Sight
from schemas.cameras import Cameras

_ARCHIVE: Final = "ARCHIVE"  # in a command, where the person who types it knows which


def around(live: NamedDependency[Live], cameras: NamedDependency[Cameras | None]) -> Around:
    """Say what an alert or a round is told with besides the store."""
    return Around(cameras, dict(live.tables), None if live.state == "recorded" else _ARCHIVE)


def _told(
    alert: FromPath[str],
    reader: NamedDependency[Reader],
    asked: NamedDependency[Asked],
    sight: NamedDependency[Sight],
    around: NamedDependency[Around],
) -> AlertTold:
    told = alert_told(reader, reader.runs(), asked.run, alert, around, sight)
    if told is None:
        raise NotFoundException(f"There is no alert {alert} in this store.")
    sight.opened("alert", alert, told.told.id)
    return told


@get(
    "/alerts/{alert:str}",
    sync_to_thread=True,
    opt={"needs": "see"},
    dependencies={"told": Provide(_told, sync_to_thread=True)},
)
def alert_page(
    told: NamedDependency[AlertTold], reader: NamedDependency[Reader], asked: NamedDependency[Asked]
) -> Template:
    """Show an alert with all that a person decides by."""
    (run,) = (each for each in reader.runs() if each.run == told.told.run)
    return Template("alert.html", context={"alert": told, "told": told.told, "run": run, "asked": asked})


@get(
    "/api/alerts/{alert:str}",
    sync_to_thread=False,
    opt={"needs": "see"},
    dependencies={"told": Provide(_told, sync_to_thread=True)},
)
def alert_in_full(told: NamedDependency[AlertTold]) -> AlertTold:
    """Give an alert with all that a person decides by."""
    return told


ALERT: Final[list[ControllerRouterHandler]] = [alert_page, alert_in_full]
