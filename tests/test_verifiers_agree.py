"""Both verifiers on the same bundles, made by hand from the page: what the one refuses the other does too."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.cli import main
from tests.handmade import bundle
from tests.test_verifier import WAYS


def verified(tmp_path: Path, content: bytes) -> int:
    file = tmp_path / "bundle.zip"
    file.write_bytes(content)
    return CliRunner().invoke(main, ["verify", str(file)], catch_exceptions=False).exit_code


def test_a_bundle_made_by_hand_is_verified(tmp_path: Path) -> None:
    assert verified(tmp_path, bundle()) == 0


@pytest.mark.parametrize("way", WAYS)
def test_what_the_second_verifier_refuses_is_refused(tmp_path: Path, way: str) -> None:
    stage, change, _ = WAYS[way]
    assert verified(tmp_path, bundle(stage, change)) == 1
