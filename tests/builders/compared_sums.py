"""Sums of a floor, owed to patrons and overpaid, as the audit and each of the outputs has them."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any, Final, TypeAlias

from litestar import Litestar
from litestar.testing import TestClient
from msgspec import UNSET, Struct, field

from projections.engine.conclusion import Conclusion, id_of
from projections.engine.findings import Finding, wager_of
from projections.store.store import Store
from projections.web import bootstrap
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from streams.log import Unread, logs
from tests.builders import stores
from tests.builders.consoles import open_console, post_action
from tests.builders.dispute_pages import CALL
from tests.builders.nights import read_report_rows, run_nightly

Sides: TypeAlias = tuple[int, int]  # cents owed to patrons, cents overpaid
NOTHING: Final[Sides] = (0, 0)
_QUEUES: Final = ("act_now", "this_shift", "nightly")
_PLACES: Final[Mapping[Any, int]] = {"house": 0, "patron": 1}  # whom a mistake favours
_MONEY: Final = r"\$([\d,]+(?:\.\d\d)?)"
_ACT: Final = re.compile(rf"\b(pay|take back)\b[^$]*{_MONEY}")
_SIDE: Final = re.compile(rf"(owed to patrons?|overpaid) {_MONEY}", re.IGNORECASE)
_IN_PARENTHESES: Final = re.compile(r" \([^)]*\)")


class Comparison(Struct):
    """Comparison of a floor's sums: what its audit found, how much was compared, and what did not agree."""

    rounds: int = 0
    wrong_rounds: int = 0
    rows: int = 0
    sides: Sides = NOTHING
    games: set[str] = field(default_factory=set)
    pages: int = 0
    disputes: int = 0
    table_days: int = 0
    differences: list[str] = field(default_factory=list)

    def hold(self, what: str, found: object, expected: object) -> None:
        """Note a difference."""
        if found != expected:
            self.differences.append(f"{what}: {found}, the audit has {expected}")


def compare(floor: Path, folder: Path, *, pages: int, disputes: int) -> Comparison:
    """Audit a floor, and hold rows, pages, call scripts, disputes and nightly reports against the audit.

    So many pages of alerts are opened, and so many disputes, of rounds with money.
    """
    result = Comparison()
    concluded = audit_into(floor, folder / "store.duckdb")
    sides = {about: audited(each) for about, each in concluded.items() if each.findings}
    result.rounds = sum(each.round is not None for each in concluded.values())
    result.wrong_rounds = sum(concluded[about].round is not None for about in sides)
    result.games = {concluded[about].chapter for about, each in sides.items() if any(each)}
    opened = bootstrap.load_console(folder / "store.duckdb", Recording(floor).house)
    with open_console(folder / "store.duckdb", on=opened) as client:
        rows = list(queue_rows(client))
        result.rows, result.sides = len(rows), added(sides.values())
        result.hold(
            "rows of each incident", Counter(row["alert"]["about"] for row in rows), Counter(sides.keys())
        )
        for row in rows:
            about = row["alert"]["about"]
            result.hold(f"row {about}", sides_of(row["sums"]), sides[about])
            if row["round"] is not None and row["alert"]["round"] is not None:
                _hold_script(result, client, row["alert"], sides[about], pages=pages, disputes=disputes)
    days = {str(each.gaming_date) for each in concluded.values()}
    nightly, of_rounds = nightly_sides(floor, folder / "reports", days)
    result.table_days = len(of_rounds)
    for name, found, only_rounds in (("nightly", nightly, False), ("fairness", of_rounds, True)):
        expected: defaultdict[str, list[Sides]] = defaultdict(list)
        for about, each in sides.items():
            if concluded[about].round is not None or (concluded[about].shoe is not None and not only_rounds):
                expected[f"{concluded[about].gaming_date}|{concluded[about].table}"].append(each)
        for about in {*found, *expected}:
            result.hold(f"{name} {about}", found.get(about, NOTHING), added(expected[about]))
    return result


def _hold_script(
    result: Comparison,
    client: TestClient[Litestar],
    alert: Mapping[str, Any],
    sides: Sides,
    *,
    pages: int,
    disputes: int,
) -> None:
    """Hold the page, the call script and a dispute of a round against the audit."""
    script = client.get(f"/api/alerts/{alert['id']}").json()["script"]
    net = sides[0] - sides[1]
    result.hold(f"script {alert['about']}", sides_of(script["sums"]), sides)
    result.hold(f"acts {alert['about']}", net_of_acts(script["acts"]), net)
    if not any(sides):
        return
    if result.pages < pages:
        result.pages += 1
        result.hold(f"page {alert['about']}", alert_page_sides(client, alert["id"]), sides)
    if result.disputes < disputes:
        result.disputes += 1
        text = disputed_text(client, alert)
        result.hold(
            f"dispute {alert['about']}",
            net_of_acts(re.split(r"\. (?=Seat|Dealer|Owed|Overpaid)", text)[1:]),
            net,
        )


def audit_into(floor: Path, store: Path) -> dict[str, Conclusion]:
    """Audit a floor into a store; return the latest conclusion about each round, shoe and account."""
    found = audit_logs(logs(floor), Recording(floor).house)
    concluded = [each for each in found if not isinstance(each, Unread)]
    with Store(store) as opened:
        opened.write(stores.RUN, [(each.basis, each.conclusion, each.revision) for each in concluded])
    return {id_of(each.conclusion): each.conclusion for each in concluded}


def audited(conclusion: Conclusion) -> Sides:
    """Add up the findings of a conclusion that are proven and were not put right, wager by wager."""
    nets: defaultdict[object, int] = defaultdict(int)
    for finding in conclusion.findings:
        if finding.weight == "mismatch" and finding.put_right is not True:
            nets[wager_of(finding) or finding.id] += _to_patron(finding)
    return -sum(net for net in nets.values() if net < 0), sum(net for net in nets.values() if net > 0)


def _to_patron(finding: Finding) -> int:
    if finding.favours is UNSET or finding.comes_to_cents is None:
        return 0
    return abs(finding.comes_to_cents) * (1 if finding.favours == "patron" else -1)


def added(sides: Iterable[Sides]) -> Sides:
    """Add up both sides."""
    owed, overpaid = zip(NOTHING, *sides, strict=True)
    return sum(owed), sum(overpaid)


# ── The console ──────────────────────────────────────────────────────────────────────────────────────


def sides_of(sums: Iterable[Mapping[str, Any]]) -> Sides:
    """Return both sides of the sums of a row or a script."""
    sides = [0, 0]
    for each in sums:
        if each["favours"] is not None:
            sides[_PLACES[each["favours"]]] += each["cents"]
    return sides[0], sides[1]


def queue_rows(client: TestClient[Litestar]) -> Iterator[dict[str, Any]]:
    """Yield the rows of all queues."""
    for name in _QUEUES:
        page, pages = 1, 1
        while page <= pages:
            listed = client.get("/api/queue", params={"queue": name, "page": page}).json()
            yield from listed["rows"]
            page, pages = page + 1, listed["pages"]


def read_sides(text: str) -> Sides:
    """Read both sides where a page writes them.

    >>> read_sides("Owed to patrons $2,319.00 in 5 wagers; overpaid $298.50")
    (231900, 29850)
    """
    sides = Counter[int]()
    for name, money in _SIDE.findall(text):
        sides[int(name.lower() == "overpaid")] += _cents(money)
    return sides[0], sides[1]


def net_of_acts(acts: Iterable[str]) -> int:
    """Return what the acts of a call script pay, less what they take back.

    >>> net_of_acts(["Seat 1: pay $1,261 ($1,300 owed, $39 overpaid)"])
    126100
    >>> net_of_acts(["Seat 6: pay A $90, take back $120.50 from B"])
    -3050
    """
    return sum(
        _cents(money) * (1 if act == "pay" else -1)
        for text in acts
        for act, money in _ACT.findall(_IN_PARENTHESES.sub("", text))
    )


def _cents(money: str) -> int:
    whole, _, part = money.replace(",", "").partition(".")
    return 100 * int(whole) + int(part or 0)


def alert_page_sides(client: TestClient[Litestar], alert: str) -> Sides:
    """Return what the page of an alert says of its incident."""
    page = client.get(f"/alerts/{alert}").text
    found = re.search(r'<p class="sums">(.*?)</p>', page, re.DOTALL)
    return read_sides(unescape(re.sub("<[^>]*>", "", found[1]))) if found else NOTHING


def disputed_text(client: TestClient[Litestar], alert: Mapping[str, Any]) -> str:
    """Open a dispute of an alert's round; return the sentence that its page has of the round."""
    about = {key: alert[key] for key in ("table", "gaming_date")} | {
        "rounds": [alert["round"]],
        "claim": "paid short",
    }
    opened = post_action(client, "dispute-open", about=about, call=CALL)
    name = str(opened["subject"]).removeprefix("dispute:")
    (listed,) = client.get(f"/api/disputes/{name}").json()["rounds"]
    return str(listed["says"])


# ── The nightly reports ──────────────────────────────────────────────────────────────────────────────


def nightly_sides(floor: Path, out: Path, days: Collection[str]) -> tuple[dict[str, Sides], dict[str, Sides]]:
    """Report days; return both sides by table's day: of rounds and shoes, and of rounds alone."""
    whole: dict[str, Sides] = {}
    of_rounds: dict[str, Sides] = {}
    for day in sorted(days):
        run_nightly(floor, out=out, day=day, only=("patrons_and_house", "fairness"))
        for row in read_report_rows(out, "patrons_and_house", day):
            if row["table"] != "all":
                whole[f"{day}|{row['table']}"] = row["owed_cents"], row["lost_cents"]
        for row in read_report_rows(out, "fairness", day):
            if (row["period"], row["by"]) == ("day", "table"):
                of_rounds[f"{day}|{row['name']}"] = row["owed_cents"], row["overpaid_cents"]
    return whole, of_rounds
