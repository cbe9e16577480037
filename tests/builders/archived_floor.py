"""A console over an archived floor: the events behind its rounds can be read."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Self

from litestar import Litestar
from litestar.testing import TestClient

from projections.store.store import Store
from projections.web import bootstrap
from projections.web.auth.roles import Role
from replay.recording.event_audit import audit_logs
from replay.recording.single_round import RecordedEvents
from schemas import house as houses
from schemas.cameras import Cameras
from schemas.house import House
from streams import log
from streams.log import Unread
from tests.builders import stores
from tests.builders.archives import records_of_floor, write_journal
from tests.builders.consoles import open_console
from tests.builders.evidence_bundles import archive_scripts
from tests.builders.table_script import Script, build_house


class ArchivedFloor:
    """An archive of a script, sealed or with all still in its journal, and a store of what it comes to."""

    def __init__(self, folder: Path, script: Script, *, sealed: bool = True) -> None:
        self.archive, self.store = archive_scripts(folder, script, key=sealed), folder / "store.duckdb"
        played = folder / "played"
        by = houses.load(log.HOUSE, played)
        if not sealed:
            write_journal(self.archive, records_of_floor(played), by)
        found = audit_logs(log.logs(played), by)
        with Store(self.store) as store:
            concluded = [each for each in found if not isinstance(each, Unread)]
            store.write(stores.RUN, [(each.basis, each.conclusion, 1) for each in concluded])

    def copied(self, folder: Path) -> Self:
        """Return a copy of its archive and store, which nobody has entered."""
        shutil.copytree(self.archive.parent, folder)
        other = copy(self)
        other.archive, other.store = folder / self.archive.name, folder / self.store.name
        return other

    @contextmanager
    def entered(
        self,
        role: Role = "operator",
        *,
        archive: bool = True,
        by: House | None = None,
        cameras: Cameras | None = None,
    ) -> Iterator[TestClient[Litestar]]:
        """Enter its console as someone of a role."""
        events = RecordedEvents(self.archive) if archive else None
        settings = bootstrap.ConsoleSettings(events=events, cameras=cameras)
        known = bootstrap.load_console(self.store, by or build_house(), settings)
        with open_console(self.store, role, on=known) as client:
            yield client
