"""The file of cameras, and the footage that a bookmark leads to."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from projections.web.records.record_links import Recorder, footage
from schemas.cameras import Cameras, load
from schemas.errors import BadInput

OPENED = datetime(2025, 3, 1, 20, 39, 43, tzinfo=UTC)
ZONE = "America/New_York"


def test_a_file_has_the_link_the_cameras_and_the_recorder_s_clock(tmp_path: Path) -> None:
    path = tmp_path / "cameras.yaml"
    path.write_text(
        'template: "rtsp://nvr.example/{camera}?from={start}&to={end_local}"\n'
        "schemes: [rtsp]\n"
        "tables: {BAC-101: [PTZ 7, DOME-2]}\n"
        "before_seconds: 10\nafter_seconds: 20\nclock_offset_ms: -2000\n"
    )
    seen = footage(Recorder(load(path)), "BAC-101", OPENED, OPENED + timedelta(seconds=40), ZONE)
    # 20:39:43 less 10 s less 2 s; 20:40:23 and 20 s less 2 s.
    assert (seen.start, seen.end) == (
        datetime(2025, 3, 1, 20, 39, 31, tzinfo=UTC),
        datetime(2025, 3, 1, 20, 40, 41, tzinfo=UTC),
    )
    assert [each.camera for each in seen.cameras] == ["PTZ 7", "DOME-2"]
    assert seen.cameras[0].link == (
        "rtsp://nvr.example/PTZ%207?from=2025-03-01T20%3A39%3A31.000Z&to=2025-03-01T15%3A40%3A41.000-05%3A00"
    )


def test_a_round_that_no_other_followed_soon_ends_after_the_longest_that_is_meant() -> None:
    cameras = Cameras("https://nvr/{camera}", {}, longest_seconds=120, after_seconds=5)
    for following in (None, OPENED + timedelta(hours=3)):
        seen = footage(Recorder(cameras), "BAC-101", OPENED, following, ZONE)
        assert seen.end == OPENED + timedelta(seconds=125)


def test_without_cameras_there_is_a_minute_to_look_at_and_no_link() -> None:
    seen = footage(Recorder(None), "BAC-101", OPENED, OPENED + timedelta(seconds=40), ZONE)
    assert (seen.start, seen.end, seen.cameras) == (
        OPENED - timedelta(seconds=30),
        OPENED + timedelta(seconds=70),
        [],
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("template: https://nvr/{camera}\ntabels: {}\n", "tabels"),
        ('template: "https://nvr/{player}"\ntables: {}\n', "{player} is not known"),
        ('template: "https://nvr/{camera!r}"\ntables: {}\n', "{camera} is not known"),
        ('template: "https://nvr/{camera.__class__}"\ntables: {}\n', "is not known"),
        ('template: "https://nvr/{camera"\ntables: {}\n', "a brace that is meant is written twice"),
        ('template: "javascript:alert(1)"\ntables: {}\n', "none of the schemes https"),
        ('template: "javascript:alert(1)"\ntables: {}\nschemes: [javascript]\n', "leads to no recorder"),
        ('template: "JavaScript:alert(1)"\ntables: {}\nschemes: [JavaScript]\n', "schemes"),
        ('template: "http://nvr/{camera}"\ntables: {}\n', "none of the schemes https"),
        ('template: "{camera}://nvr"\ntables: {}\nschemes: ["{camera}"]\n', "schemes"),
        ('template: "//nvr/{camera}"\ntables: {}\n', "none of the schemes https"),
        ('template: "https://{camera}.example/"\ntables: {}\n', "the host is written out"),
        ('template: "https://nvr"\ntables: {}\nbefore_seconds: -1\n', "before_seconds"),
        ("- https", "not a file of cameras"),
        ("a: [", "not a file of cameras"),
    ],
)
def test_a_file_at_fault_is_refused_with_its_place(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "cameras.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=rf"^{path}(:\d)?: ") as refused:
        load(path)
    assert says in str(refused.value)


def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.yaml: not a file of cameras: "):
        load(tmp_path / "none.yaml")
