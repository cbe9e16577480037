"""Which run of the store the conclusions of a live floor belong to."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from projections.store.runs import Run
from streams.topics import ROUNDS

LIVE: Final = "live"


def live_run(runs: Iterable[Run], named: str, software: str, cluster: str, zone: str) -> Run:
    """Return the run for what one version of the software concluded in one Kafka cluster.

    A run is one pass of one version over one source, and the source of a live floor is a cluster's log:

    - After a restart the run goes on: same name, version and cluster.
    - After an upgrade the new version's conclusions begin a run beside the old one, which stays as it is.
      While workers of two versions are at work, each version's conclusions go to its own.
    - A new cluster, Kafka's data having been thrown away, begins a run as well, with a number behind its
      name: its workers know nothing of the revisions concluded before, so the same numbers mean others.
    - Where the name is taken by something else, such as another process's run, the next number is.

    `runs` are those of the store. No case is an error, so nothing of this ever stops a floor.

    >>> from datetime import UTC, datetime
    >>> first = live_run([], "live", "1.0", "A", "America/New_York")
    >>> first.run, live_run([first], "live", "1.0", "A", "UTC") is first
    ('live 1.0', True)
    >>> live_run([first], "live", "1.1", "A", "UTC").run, live_run([first], "live", "1.0", "B", "UTC").run
    ('live 1.1', 'live 1.0 (2)')
    """
    taken = {run.run: run for run in runs}
    source = f"{ROUNDS} of cluster {cluster}"
    name = first = f"{named} {software}"
    number = 1
    while (run := taken.get(name)) and (run.version, run.source) != (software, source):
        number += 1
        name = f"{first} ({number})"
    return run or Run(name, datetime.now(UTC), software, source, zone)
