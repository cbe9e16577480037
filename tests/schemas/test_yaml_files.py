"""YAML that a person wrote: what goes too deep is refused, and what is at fault is named by file and line."""

from pathlib import Path

import pytest

from schemas import cameras, house, room_settings
from schemas.errors import BadInput
from schemas.plain import plain


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "{a: " * 20_000, "[" * 101 + "]" * 101])
def test_what_goes_too_deep_is_refused(text: str) -> None:
    with pytest.raises(RecursionError):
        plain(text)
    with pytest.raises(BadInput, match=r"^mine\.yaml"):
        house.parse(text, "mine.yaml")


def test_what_a_person_writes_does_not() -> None:
    assert plain("- " * 99 + "1") == plain("[" * 99 + "1" + "]" * 99)


ROOM = """\
floor_cents: 10000
due:
  high: {taken: 5, closed: 120}
  critical:
    taken: 2
    closed: 0
"""


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (ROOM, 6, "Expected `int` >= 1 - at `$.due.critical.closed`"),
        (ROOM.replace("closed: 0", "loud: 1"), 6, "unknown field `loud` - at `$.due.critical`"),
        (ROOM.replace("    closed: 0\n", ""), 4, "missing required field `closed` - at `$.due.critical`"),
        (ROOM.replace("closed: 0", "closed: 60") + "sound: loud\n", 7, "unknown field `sound`"),
        (ROOM.replace("120}", "120"), 4, "did not find expected ',' or '}'"),
        ("# nothing\n- 1\n", 2, "Expected `object`, got `array`"),
    ],
)
def test_what_is_at_fault_is_named_by_its_line(text: str, line: int, says: str, tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        room_settings.load(path)
    assert str(refused.value).startswith(f"{path}:{line}: not a room's file: ")
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_line_within_names_that_a_person_chose_is_that_of_the_names(tmp_path: Path) -> None:
    path = tmp_path / "cameras.yaml"
    path.write_text("template: https://nvr\ntables:\n  BAC-1: [PTZ]\n  BAC-2: 7\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"cameras\.yaml:4: .*got `int` - at `\$\.tables\.BAC-2`"):
        cameras.load(path)
    with pytest.raises(BadInput, match=r"^mine\.yaml:3: not a house file: "):
        house.parse("house: mine\nzone: UTC\nlateness_seconds: -1\n", "mine.yaml")


def test_what_is_not_utf_8_is_refused_whatever_this_machine_writes(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_bytes("# Überwachung\n".encode("latin-1"))
    with pytest.raises(BadInput, match=r"room\.yaml: not a room's file: 'utf-8' codec"):
        room_settings.load(path)
