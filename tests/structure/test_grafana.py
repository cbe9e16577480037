"""The dashboard asks for figures that a process answers, by labels and jobs that there are."""

import json
import re
from pathlib import Path
from typing import Any, Final

import yaml
from prometheus_client import Counter, Gauge, Histogram

from streams import observability

ROOT: Final = Path(__file__).parents[2]
BOARD: Final[dict[str, Any]] = json.loads(
    (ROOT / "infra" / "grafana" / "discardrack.json").read_text("utf-8")
)
RULES: Final[list[dict[str, Any]]] = yaml.safe_load(
    (ROOT / "infra" / "grafana" / "alerts.yaml").read_text("utf-8")
)["groups"][0]["rules"]
ASKED: Final = [
    *(target["expr"] for panel in BOARD["panels"] for target in panel["targets"]),
    *(rule["data"][0]["model"]["expr"] for rule in RULES if "up{" not in rule["data"][0]["model"]["expr"]),
]
# As Prometheus names what a metric of each kind answers.
_ENDINGS: Final = {Counter: ("",), Gauge: ("",), Histogram: ("_bucket", "_sum", "_count")}


def answered() -> dict[str, set[str]]:
    """Return the figures that the processes answer, each with its labels; a histogram's parts have `le`."""
    told: dict[str, set[str]] = {}
    for each in vars(observability).values():
        if isinstance(each, Counter | Gauge | Histogram):
            (described,) = each.describe()
            name = f"{described.name}_total" if isinstance(each, Counter) else described.name
            for ending in _ENDINGS[type(each)]:
                told[name + ending] = {*each._labelnames, *(["le"] if ending == "_bucket" else [])}  # noqa: SLF001
    return told


def test_each_figure_of_the_dashboard_is_answered() -> None:
    asked = {name for expr in ASKED for name in re.findall(r"discardrack_\w+", expr)}
    assert len(asked) > 8, "a board of nothing would prove nothing"
    assert asked - set(answered()) == set()


def test_each_label_of_the_dashboard_is_one() -> None:
    known = answered()
    for expr in ASKED:
        (name,) = set(re.findall(r"discardrack_\w+", expr))
        by = [label for group in re.findall(r"by \(([^)]*)\)", expr) for label in re.split(r",\s*", group)]
        matched = re.findall(r"[{,]\s*(\w+)(?:=~|=)\"", expr)
        assert {*by, *matched} <= known[name] | {"job", "instance"}, expr


def test_each_job_of_the_dashboard_is_in_the_notes() -> None:
    notes = (ROOT / "docs" / "live.md").read_text("utf-8")
    (scraped,) = re.findall(r"```yaml\n(scrape_configs:.*?)```", notes, re.DOTALL)
    jobs = {each["job_name"] for each in yaml.safe_load(scraped)["scrape_configs"]}
    assert {job for expr in ASKED for job in re.findall(r'job="(\w+)"', expr)} <= jobs


def test_each_panel_has_a_place_of_its_own_and_says_what_it_shows() -> None:
    cells = [
        (x, y)
        for panel in BOARD["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) == 23
    assert all(panel["title"] and panel["description"] for panel in BOARD["panels"])


def test_each_rule_fires_on_its_own_figure() -> None:
    assert len({rule["uid"] for rule in RULES}) == len(RULES) > 5
    for rule in RULES:
        figure, beyond = rule["data"]
        assert (beyond["refId"], beyond["model"]["expression"]) == (rule["condition"], figure["refId"])
        labels = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
        by = re.findall(r"by \(([^)]*)\)", figure["model"]["expr"])
        assert labels <= {label.strip() for group in by for label in group.split(",")}, rule["uid"]
