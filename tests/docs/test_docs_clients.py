"""The reference client of docs/clients, against a gateway as a user starts one."""

import importlib.util
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError

import msgspec
import pytest

from schemas import house as houses
from streams.gateway.spool import Spool
from streams.topics import FRAMES
from tests.builders.documents import ROOT

CLIENT: Final = ROOT / "docs" / "clients" / "http_device.py"
PATIENCE: Final = 60.0  # seconds


@pytest.fixture(scope="module")
def client() -> Any:
    spec = importlib.util.spec_from_file_location("http_device", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Gateway:
    """A gateway on a spool, whose Kafka is away: what it keeps stays on its disk."""

    def __init__(self, folder: Path) -> None:
        self.spool, self.log = folder / "spool", folder / "gateway.jsonl"
        command = str(Path(sys.executable).with_name("discardrack"))
        options = ["--broker", "127.0.0.1:1", "--house", "example", "--http", "127.0.0.1:0"]
        with self.log.open("wb") as told:
            self._process = subprocess.Popen(  # noqa: S603  our own command
                [command, "gateway", *options, "--spool", str(self.spool)], stderr=told
            )

    def url(self) -> str:
        """Return its address, once it listens."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            for each in map(msgspec.json.decode, self.log.read_bytes().splitlines()):
                if each["event"] == "gateway_started":
                    return f"http://{each['http']}/reports"
            time.sleep(0.1)
        pytest.fail(self.log.read_text())

    def end(self) -> list[dict[str, Any]]:
        """Stop it; give the events that it kept."""
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(PATIENCE) == 0
        with Spool(self.spool) as spool:
            records = [each for each in spool.next_records(0, 100) if each.topic == FRAMES]
        return [event for each in records for event in json.loads(each.payload)["events"]]

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()
        self._process.wait()


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    gateway = Gateway(tmp_path)
    yield gateway
    gateway.kill()


def test_each_event_is_kept_once_under_its_number_though_the_device_restarts(
    client: Any, gateway: Gateway, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (device,) = [
        name
        for name, source in houses.load("example", tmp_path).tables["BAC-1"].sources.items()
        if source == "shoe"
    ]
    url = gateway.url()
    shoe = client.Device(url, "BAC-1", device, tmp_path / "device")
    shoe.report("CardDrawn", round="17", card="9c", hand="player")
    shoe.report("CardDrawn", round="17", card="Kd", hand="banker")
    assert capsys.readouterr().err == ""
    shoe = client.Device(url, "BAC-1", device, tmp_path / "device")  # it was ended before it could send
    shoe.report("CardDrawn", round="17", card="2s", hand="player", confidence=0.98)
    shoe.report("CardDrawn", round="17", card="9z", hand="banker")
    shoe.send()
    assert json.loads(capsys.readouterr().err.partition(": ")[2].partition(";")[0].replace("'", '"')) == {
        "kept": 4,
        "quarantined": 1,
    }
    assert (tmp_path / "device" / "waiting.jsonl").read_bytes() == b""
    shoe.send()
    kept = gateway.end()
    assert [(each["epoch"], each["seq"], each["card"]) for each in kept] == [
        (1, 1, "9c"),
        (1, 2, "Kd"),
        (2, 1, "2s"),
        (2, 2, "9z"),
    ]


def test_an_unanswered_report_is_sent_again_and_a_wrong_address_is_reported(
    client: Any, gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shoe = client.Device(gateway.url() + "/wrong", "BAC-1", "S-1", tmp_path / "device")
    shoe.report("CardDrawn", round="17", card="9c", hand="player")
    with pytest.raises(HTTPError):
        shoe.send()
    assert len((tmp_path / "device" / "waiting.jsonl").read_bytes().splitlines()) == 1
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        """Note a pause; at the third try the gateway's address is the right one."""
        pauses.append(seconds)
        if len(pauses) == 2:
            shoe.url = url

    url, shoe.url = gateway.url(), "http://127.0.0.1:1/reports"
    with monkeypatch.context() as patch:  # whoever waits for the gateway's end, too, would not rest
        patch.setattr(client.time, "sleep", sleep)
        shoe.send()
    assert pauses == [0.5, 1.0]
    assert [each["seq"] for each in gateway.end()] == [1]
