"""What others install: every command line there is one of ours, and what holds data is whole."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from schemas.house import DEFAULT
from streams.topics import PARTITIONS
from tests.builders.command_lines import parse_command_line

INFRA: Final = Path(__file__).parents[2] / "infra"
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((INFRA / "compose.yaml").read_text("utf-8"))
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
BROKERS: Final = {name: each for name, each in SERVICES.items() if name.startswith("kafka-")}
OURS: Final = {name: each for name, each in SERVICES.items() if name not in BROKERS}
UNITS: Final = sorted((INFRA / "systemd").glob("*.service"))


def read_unit(path: Path) -> ConfigParser:
    unit = ConfigParser(interpolation=None, delimiters=("=",))
    unit.optionxform = str  # systemd's names have capitals
    unit.read_string(path.read_text("utf-8"))
    return unit


def environment() -> dict[str, str]:
    lines = (INFRA / "systemd" / "floor.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def command_of(path: Path) -> list[str]:
    line = read_unit(path)["Service"]["ExecStart"].replace("%i", "1")
    told = environment()
    program, *arguments = shlex.split(re.sub(r"\$\{(\w+)\}", lambda named: told[named[1]], line))
    assert Path(program).name == "discardrack"
    return arguments


# ── containers ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", OURS)
def test_every_service_that_stays_is_asked_whether_it_is_well(name: str) -> None:
    service = OURS[name]
    if name in {"topics", "nightly"}:  # they end
        assert service["restart"] in {"no", "on-failure"}
        return
    (asked,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", service["healthcheck"]["test"][-1])
    arguments = parse_command_line(service["command"])
    port = arguments.get("metrics_port") or 8000  # serve's own, unless --port says otherwise
    assert asked == (str(port), "/readyz" if name == "serve" else "/healthz")
    if name != "serve":
        assert (arguments["metrics_host"], service["expose"]) == ("0.0.0.0", [str(port)])  # noqa: S104  in a container


def test_devices_are_listened_to_only_where_it_is_said() -> None:
    assert SERVICES["gateway"]["ports"] == ["${DEVICES:-127.0.0.1}:7070:7070"]


def test_one_version_stands_everywhere() -> None:
    root = INFRA.parent
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    (newest, *_) = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    images = {each["image"] for each in OURS.values()}
    assert (version("discardrack"), newest, images) == (declared, declared, {f"discardrack:{declared}"})


def test_the_image_is_built_of_all_that_the_wheel_has() -> None:
    kept = (INFRA / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    project = tomllib.loads((INFRA.parent / "pyproject.toml").read_text("utf-8"))
    hook = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["path"]
    packages = ("discardrack", "projections", "replay", "schemas", "streams")
    needed = {*packages, hook, "pyproject.toml", "README.md", "LICENSE", "infra/requirements.txt"}
    assert {line[1:] for line in kept if line.startswith("!")} == needed


@pytest.mark.parametrize("name", OURS)
def test_every_service_runs_a_verb_as_it_is(name: str) -> None:
    assert parse_command_line(OURS[name]["command"])["broker"] == ",".join(
        f"{broker}:9092" for broker in BROKERS
    )


def test_every_live_process_is_a_service_and_a_unit() -> None:
    live = {"gateway", "worker", "serve", "archive"}
    assert {each["command"][0] for each in OURS.values()} == {*live, "topics", "nightly"}
    assert {command_of(path)[0] for path in UNITS} == {*live, "nightly"}


def test_three_brokers_hold_every_record_and_two_acknowledge_it() -> None:
    assert {each["environment"]["KAFKA_NODE_ID"] for each in BROKERS.values()} == {1, 2, 3}
    assert len({each["environment"]["CLUSTER_ID"] for each in BROKERS.values()}) == 1
    for name, each in BROKERS.items():
        settings = each["environment"]
        assert settings["KAFKA_ADVERTISED_LISTENERS"] == f"PLAINTEXT://{name}:9092"
        assert settings["KAFKA_CONTROLLER_QUORUM_VOTERS"] == "1@kafka-1:9093,2@kafka-2:9093,3@kafka-3:9093"
        assert settings["KAFKA_DEFAULT_REPLICATION_FACTOR"] == 3
        assert settings["KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR"] == 3
        assert settings["KAFKA_MIN_INSYNC_REPLICAS"] == 2
        assert settings["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"
        assert each["volumes"] == [f"{name}:/var/lib/kafka/data"]
    made = parse_command_line(SERVICES["topics"]["command"])
    assert (made["create"], made["replication"]) == (True, 3)


def test_containers_run_the_kafka_that_is_tested() -> None:
    lock = tomllib.loads((INFRA / "kafka" / "jgo.lock.toml").read_text("utf-8"))
    (version,) = {jar["version"] for jar in lock["dependencies"] if jar["artifactId"] == "kafka_2.13"}
    assert {each["image"] for each in BROKERS.values()} == {f"apache/kafka:{version}"}


def test_there_are_partitions_for_every_worker() -> None:
    assert 1 < SERVICES["worker"]["deploy"]["replicas"] <= PARTITIONS


def test_what_must_last_is_on_a_volume() -> None:
    kept = {
        name: [mount for mount in each["volumes"] if isinstance(mount, str)]
        for name, each in OURS.items()
        if name in {"gateway", "serve", "archive", "nightly"}
    }
    assert kept == {
        "gateway": ["spool:" + parse_command_line(OURS["gateway"]["command"])["spool"]],
        "serve": [
            "store:" + parse_command_line(OURS["serve"]["command"])["store"].rpartition("/")[0],
            "archive:" + parse_command_line(OURS["serve"]["command"])["archive"],
        ],
        "archive": ["archive:" + parse_command_line(OURS["archive"]["command"])["out"]],
        "nightly": [
            "archive:" + parse_command_line(OURS["archive"]["command"])["out"],
            f"reports:{parse_command_line(OURS['nightly']['command'])['out']}",
        ],
    }
    assert {*BROKERS, "spool", "store", "archive", "reports"} == COMPOSE["volumes"].keys()


def test_the_console_in_a_container_can_make_evidence_bundles() -> None:
    told = parse_command_line(SERVICES["serve"]["command"])
    assert told["archive"] == parse_command_line(SERVICES["archive"]["command"])["out"]
    assert told["key_file"].removeprefix("/run/secrets/") in SERVICES["serve"]["secrets"]
    # Who releases a bundle closes no days: `evidence` refuses the archive's key.
    files = {each["file"] for each in COMPOSE["secrets"].values()}
    assert not set(SERVICES["serve"]["secrets"]) & set(SERVICES["archive"]["secrets"])
    assert len(files) == len(COMPOSE["secrets"])


# ── systemd ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_every_unit_runs_a_verb_as_it_is(path: Path) -> None:
    assert parse_command_line(command_of(path))["broker"] == environment()["BROKER"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_every_unit_writes_only_to_its_state(path: Path) -> None:
    unit = read_unit(path)
    assert ("Install" in unit) == (not path.with_suffix(".timer").exists())  # else the timer starts it
    assert unit.get("Install", "WantedBy", fallback="multi-user.target") == "multi-user.target"
    state = {f"/var/lib/{folder}" for folder in unit["Service"]["StateDirectory"].split()}
    named = [each for each in command_of(path) if each.startswith("/var/lib/")]
    assert named
    assert [each for each in named if not {each, each.rpartition("/")[0]} & state] == []


def test_what_all_units_have_in_common_is_added_to_each() -> None:
    # systemd adds discardrack-.service.d to every unit whose name begins so.
    assert [path.name for path in UNITS if not path.name.startswith("discardrack-")] == []
    common = read_unit(INFRA / "systemd" / "discardrack-.service.d" / "service.conf")
    assert common["Service"]["Restart"] == "always"
    assert common["Unit"]["StartLimitIntervalSec"] == "0"
    assert common["Service"]["ProtectSystem"] == "strict"
    assert common["Service"]["NoNewPrivileges"] == "yes"
    assert common["Service"]["EnvironmentFile"] == "/etc/discardrack/floor.env"


def test_what_runs_once_a_night_ends_and_is_not_started_again() -> None:
    (own,) = (INFRA / "systemd" / "discardrack-nightly.service.d").glob("*.conf")
    # Of all that is added to a unit, what comes later by its file's name holds.
    assert own.name > "service.conf"
    assert dict(read_unit(own)["Service"]) == {"Type": "oneshot", "Restart": "no"}


def test_the_night_begins_when_the_gaming_day_has_ended() -> None:
    timer = read_unit(INFRA / "systemd" / "discardrack-nightly.timer")
    assert timer["Install"]["WantedBy"] == "timers.target"
    assert timer["Timer"]["Persistent"] == "true"  # a night that the machine slept through is made up for
    _, at, zone = timer["Timer"]["OnCalendar"].split()
    assert zone == DEFAULT.zone
    assert at > DEFAULT.gaming_day_starts


def test_the_night_reads_what_the_archive_and_the_console_have() -> None:
    told = parse_command_line(command_of(INFRA / "systemd" / "discardrack-nightly.service"))
    assert (
        str(told["path"])
        == parse_command_line(command_of(INFRA / "systemd" / "discardrack-archive.service"))["out"]
    )
    console = parse_command_line(command_of(INFRA / "systemd" / "discardrack-serve.service"))
    assert told["live"] == f"http://{console['host']}:{console['port']}"
    unit = (INFRA / "systemd" / "discardrack-nightly.service").read_text(encoding="utf-8")
    # %d is where systemd puts credentials.
    assert told["token_file"] == "%d/nightly.token"  # noqa: S105  a path
    assert "\nLoadCredential=nightly.token:/etc/discardrack/nightly.token\n" in unit


def test_the_console_makes_evidence_bundles_of_the_archive_with_a_key_of_its_own() -> None:
    told = parse_command_line(command_of(INFRA / "systemd" / "discardrack-serve.service"))
    assert (
        told["archive"]
        == parse_command_line(command_of(INFRA / "systemd" / "discardrack-archive.service"))["out"]
    )
    assert told["key_file"] == "%d/bundle.key"
    unit = (INFRA / "systemd" / "discardrack-serve.service").read_text(encoding="utf-8")
    assert "\nLoadCredential=bundle.key:/etc/discardrack/bundle.key\n" in unit
    page = (INFRA.parent / "docs" / "live.md").read_text(encoding="utf-8")
    made = page.index("discardrack key /etc/discardrack/bundle.key")  # else systemd would not start it
    assert made < page.index("systemctl enable --now")


def test_no_two_units_answer_prometheus_on_one_port() -> None:
    ports = list(metrics_ports())
    assert len(set(ports)) == len(ports) > 1


def metrics_ports() -> Iterator[int]:
    for path in UNITS:
        port = parse_command_line(command_of(path)).get("metrics_port")
        if port is not None:
            yield port
