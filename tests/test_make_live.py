"""`make live`: its floor rings as a room's night does, at what it is played with unless told."""

import re
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from projections.console.live.rate import LIMIT
from replay.cli import main
from replay.recorded import Unread, audited, house_of
from streams.log import logs
from tests.bench_night import listened
from tests.test_docs import ROOT

MINUTE: Final = 60_000_000


def usual() -> dict[str, str]:
    """Give what the Makefile takes for each of its variables unless told."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Z_]+) \?= (\S+)$", text, re.MULTILINE))


def played(out: Path) -> list[str]:
    """Give the call that plays the floor, into a folder in place of a gateway and on a day that stays."""
    (line,) = re.findall(
        r"^devices: discardrack (.*?) &&",
        (ROOT / "infra" / "Procfile").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    told = {"$LIVE/floor": str(out), "now": "2025-03-01T06:00"}
    told |= {f"${name}": value for name, value in usual().items()}
    call, _, into = line.partition(" --live ")
    assert into == "$DEVICES --speed $SPEED"
    return [told.get(word, word) for word in call.split()]


def test_its_floor_rings_soon_and_at_most_six_times_in_the_hour_that_it_is_watched(tmp_path: Path) -> None:
    floor, speed = tmp_path / "floor", int(usual()["SPEED"])
    ran = CliRunner().invoke(main, played(floor))
    assert ran.exit_code == 0, ran.output
    concluded = [each for each in audited(logs(floor), house_of(floor, None)) if not isinstance(each, Unread)]
    begins = min(each.seen.at for each in concluded if each.seen is not None and each.seen.at is not None)
    rang = [(at - begins) / MINUTE / speed for at, _ in listened(concluded)[0]]
    assert int(usual()["HOURS"]) * 60 / speed == 48, "minutes, as the README says"
    assert 2 <= len(rang) <= LIMIT
    assert 9 <= rang[0] < 10, "minutes, as the README says"
