"""Whatever goes wrong in a call: one line on standard error, exit status 2, no traceback."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner, Result

from replay.cli import VERBS, main
from replay.cli.options import GamingDay
from tests.builders.round_records import write_script_floor
from tests.builders.table_script import PLAYER_WINS, Script, build_house_with_cage

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "docs" / "example.jsonl")
KEY: Final = "Key that signs it, other than the archive's; discardrack key FILE makes one."


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", "/nowhere"),
        ("audit", EXAMPLE, "--format", "xml"),
        ("audit", EXAMPLE, "--house", EXAMPLE),
        ("audit", str(ROOT / "docs")),
        ("nonsense",),
        ("hand", EXAMPLE, "BAC-104"),
        ("demo", "--tables", "0"),
        ("demo", "--port", "99999"),
        ("simulate", "--tables", "1", "--hours", "nan", "--out", "/nowhere/out"),
        ("simulate", "--tables", "1", "--hours", "1", "--out", "/proc/out"),
        ("serve", "--store", EXAMPLE),
    ],
)
def test_a_wrong_call_is_one_line(arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("discardrack: ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("audti", EXAMPLE), "no verb 'audti'; nearest: audit; discardrack --help lists them"),
        (("user", "ad", "ines"), "no verb 'ad'; nearest: add; discardrack user --help lists them"),
        (("hold", "lst", "."), "no verb 'lst'; nearest: list; discardrack hold --help lists them"),
        (("xyzzy",), "no verb 'xyzzy'; discardrack --help lists them"),
        (
            ("hand", EXAMPLE, "BAC-104"),
            "Missing argument 'ROUND'. Usage: discardrack hand [OPTIONS] PATH TABLE ROUND",
        ),
        (
            ("evidence", str(ROOT), "BAC-104", "17", "--out", "bundle.zip"),
            f"Missing option '--key'. {KEY}",
        ),
        (("hand", EXAMPLE, "BAC-14", "17"), f"{EXAMPLE}: no table 'BAC-14'; it holds BAC-104"),
    ],
    ids=lambda given: " ".join(given[:2]) if isinstance(given, tuple) else "",
)
def test_what_was_mistyped_or_left_out_is_reported_with_what_to_type(
    arguments: tuple[str, ...], says: str
) -> None:
    ran = CliRunner().invoke(main, list(arguments), prog_name="discardrack")
    assert (ran.exit_code, ran.stdout, ran.stderr) == (2, "", f"discardrack: {says}\n")


def test_of_a_folder_with_archives_in_it_these_are_named(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "archive" / "days").mkdir(parents=True)
    (tmp_path / "floor" / "events").mkdir(parents=True)
    both = f"; in it there is {tmp_path}/archive, {tmp_path}/floor\n"
    for verb in (["audit"], ["timeline"], ["export", "rounds"], ["nightly"]):
        said = run(*verb, str(tmp_path))
        assert (said.exit_code, said.stderr.count("\n")) == (2, 1)
        assert f"{tmp_path}: neither a file nor an archive folder" in said.stderr
        assert said.stderr.endswith(both)
    for verb in (["verify"], ["custody"], ["hold", "list"], ["retain", "--dry-run"]):
        said = run(*verb, str(tmp_path))
        assert said.exit_code == 2
        assert said.stderr.endswith(
            f" of a live floor, which holds days/; in it there is {tmp_path}/archive\n"
        )
    assert run("audit", str(tmp_path / "notes")).stderr.endswith("(which holds days/ or events/)\n")


def test_of_an_archive_without_a_table_its_tables_are_named_and_no_ledger(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    for name in ("BAC-1", "BAC-2", "cage", "count_room", "counter_checks", "coupons", "surveillance"):
        (tmp_path / "events" / f"{name}.jsonl").touch()
    (tmp_path / "house.yaml").write_text("house: a\n", encoding="utf-8")
    said = run("hand", str(tmp_path), "BAC-3", "1")
    assert said.stderr == f"discardrack: {tmp_path}: no table 'BAC-3'; it holds BAC-1, BAC-2\n"


DAYS: Final = {"--gaming-day", "--date", "--day", "--days"}
# Where a day may also be said as --date: beside a hand's number, and in what a vendor's file lacks.
ALSO_DATE: Final = {"hand", "evidence", "import"}


def options_of(command: click.Command, name: str) -> Iterator[tuple[str, click.Option]]:
    """Yield every option of a verb, and of the verbs under it."""
    for each in command.params:
        if isinstance(each, click.Option):
            yield name, each
    for under, verb in (command.commands if isinstance(command, click.Group) else {}).items():
        yield from options_of(verb, f"{name} {under}")


def all_options() -> Iterator[tuple[str, click.Option]]:
    for name in VERBS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        yield from options_of(command, name)


def test_a_gaming_day_is_called_so_by_every_verb() -> None:
    of_days = {name for name, each in all_options() if isinstance(each.type, GamingDay)}
    assert {"hand", "evidence", "import", "timeline", "nightly", "archive", "hold add"} <= of_days
    for name, each in all_options():
        if DAYS & set(each.opts) and not isinstance(each.type, click.types.IntParamType | click.IntRange):
            also = ["--date"] if name in ALSO_DATE else []
            assert each.opts == ["--gaming-day", *also], name
            assert isinstance(each.type, GamingDay), name
    # Every other day is the end of a span, or the date of a text.
    others = {
        (name, *each.opts)
        for name, each in all_options()
        if isinstance(each.type, click.DateTime) and "--gaming-day" not in each.opts
    }
    spans = {(name, end) for name in ("hold add", "import", "patterns") for end in ("--from", "--to")}
    assert others == spans | {("whatif", "--as-of")}


@pytest.mark.parametrize("day", ["0001-01-01", "1969-12-31", "9999-12-31"])
@pytest.mark.parametrize(
    "verb",
    [
        ("nightly", "{}", "--gaming-day"),
        ("hand", EXAMPLE, "BAC-104", "1", "--gaming-day"),
        ("hand", EXAMPLE, "BAC-104", "1", "--date"),
        ("timeline", EXAMPLE, "--gaming-day"),
        ("import", EXAMPLE, "--date"),
        ("archive", "--house", "example", "--out", "{}", "--seal", "--gaming-day"),
        ("evidence", "{}", "BAC-104", "1", "--key", "key", "--out", "{}/b.zip", "--gaming-day"),
        ("hold", "add", "{}", "H-1", "--by", "a", "--why", "b", "--gaming-day"),
        ("hold", "add", "{}", "H-1", "--by", "a", "--why", "b", "--from"),
    ],
    ids=" ".join,
)
def test_a_day_without_any_clock_is_one_line(verb: tuple[str, ...], day: str, tmp_path: Path) -> None:
    ran = run(*(each.format(tmp_path) for each in verb), day)
    assert (ran.exit_code, ran.stdout) == (2, "")
    option = "--gaming-day" if verb[-1] == "--date" else verb[-1]
    assert ran.stderr == f"discardrack: {option} {day!r} is no gaming day; name one from 1970 to 9998\n"


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
@pytest.mark.parametrize(
    "verb",
    [
        ("timeline", EXAMPLE, "--around"),
        ("timeline", EXAMPLE, "--from"),
        ("blast-radius", EXAMPLE, "--rule", "631a.tie_odds=9", "--from"),
        ("blast-radius", EXAMPLE, "--rule", "631a.tie_odds=9", "--to"),
        ("whatif", EXAMPLE, "--as-of"),
        ("simulate", "--tables", "1", "--hours", "1", "--out", "{}/out", "--start"),
    ],
    ids=" ".join,
)
def test_no_date_is_a_traceback(verb: tuple[str, ...], day: str, tmp_path: Path) -> None:
    ran = run(*(each.format(tmp_path) for each in verb), day)
    assert ran.exception is None or isinstance(ran.exception, SystemExit)
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("verb", ["whatif", "blast-radius"])
def test_of_many_lines_that_cannot_be_read_the_first_twenty_are_named(tmp_path: Path, verb: str) -> None:
    path = tmp_path / "records.jsonl"
    good = Path(EXAMPLE).read_text(encoding="utf-8").splitlines()[0]
    path.write_text("no record\n" * 23 + good + "\n", encoding="utf-8")
    named = {"whatif": "--set", "blast-radius": "--rule"}[verb]
    ran = run(verb, str(path), named, "631a.tie_odds=9", "--format", "jsonl")
    said = ran.stderr.splitlines()
    assert (ran.exit_code, len(said)) == (2, 21)
    assert said[0].startswith(f"{path}:1: ")
    assert said[-1] == f"{path}:23: ... and 3 more lines up to this one"


@pytest.mark.parametrize("content", ["", "\n \n"])
@pytest.mark.parametrize("verb", [("audit",), ("timeline",)])
def test_a_file_without_a_line_is_not_called_clean(
    tmp_path: Path, verb: tuple[str, ...], content: str
) -> None:
    path = tmp_path / "nothing.jsonl"
    path.write_text(content, encoding="utf-8")
    ran = run(*verb, str(path))
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == f"discardrack: {path}: empty, there is nothing to judge; look where it was written\n"


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ('"at": "0001-01-01T00:00:00+05:00"', "not a time of play"),
        ('"at": "9999-12-31T23:59:59-05:00"', "not a time of play"),
        ('"announced": "Banker"', "no result of this game"),
    ],
)
def test_a_record_that_cannot_be_costs_only_itself(tmp_path: Path, field: str, says: str) -> None:
    good = (
        '{"table": "B", "round": "1", "chapter": "631a", "at": "2025-03-01T12:00:00Z",'
        ' "play": [], "wagers": []}'
    )
    name = field.partition(":")[0]
    bad = (
        good.replace('"at": "2025-03-01T12:00:00Z"', field) if name == '"at"' else good[:-1] + f", {field}}}"
    )
    path = tmp_path / "records.jsonl"
    other = good.replace('"table": "B"', '"table": "C"')
    path.write_text(f"\ufeff{good}\n{bad}\n{other}\n", encoding="utf-8")
    ran = run("audit", str(path))
    first, second, third = ran.stdout.splitlines()
    assert ran.exit_code == 2
    assert json.loads(first)["verdict"] == json.loads(third)["verdict"] == "mismatch"
    assert '"line":2' in second
    assert says in second


@pytest.mark.parametrize(
    "verb",
    [
        ("gateway", "--house", "example", "--spool", "spool"),
        ("worker", "--house", "example"),
        ("serve", "--store", "store.duckdb"),
        ("archive", "--house", "example", "--out", "archive"),
        ("topics",),
    ],
    ids=lambda verb: verb[0],
)
@pytest.mark.parametrize(
    "broker", ["", "localhost", "localhost:", "localhost:x", "a:1,", "a:0", "http://a:1"]
)
def test_a_broker_s_address_that_is_none_is_one_clear_line(verb: tuple[str, ...], broker: str) -> None:
    result = run(*verb, "--broker", broker)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "is no address; write HOST:PORT, several with commas" in result.stderr


def test_the_table_of_an_audit_names_the_seat_of_each_finding_that_has_one(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(
        '{"table": "B", "round": "1", "chapter": "631a", "at": "2025-03-01T12:00:00Z",'
        ' "play": [["dealer", "no_more_bets"], ["seat5/anna", "place tie"], ["player", "6c"],'
        ' ["banker", "7d"], ["player", "Kc"], ["banker", "Kd"]], "announced": "player",'
        ' "wagers": [{"seat": 5, "bettor": "anna", "wager": "tie", "cents": 100}]}',
        encoding="utf-8",
    )
    for form in ("csv", "table"):
        printed = run("audit", str(path), "--format", form).stdout
        assert "late_wager: seat 5 anna tie: the wager was made after" in printed
        assert "announced_wrong: announced player" in printed
    assert '"message":"the wager was made after' in run("audit", str(path)).stdout


def test_the_list_of_an_audit_names_the_account_of_a_table_s_gaming_day(tmp_path: Path) -> None:
    script = Script(("I",))
    script.open_counted()
    script.play(PLAYER_WINS, {(4, "player"): 2000}, "player", {(4, "player"): 2000})
    script.list_inventory("TI-2", "closing", cents=script.tray - 500)
    script.drop_slip("TI-2")
    script.change_box("B-1", None)
    script.close()
    path = str(write_script_floor(tmp_path, script, build_house_with_cage(without=("I",))))
    ran = run("audit", path, "--format", "csv")
    assert ran.exit_code == 1
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert [(row["table"], row["round"], row["shoe"], row["account"], row["verdict"]) for row in rows] == [
        ("BAC-1", "1", "shoe 1", "", "clean"),
        ("BAC-1", "", "shoe 1", "", "clean"),
        ("BAC-1", "", "", "inventory", "mismatch"),
    ]
    assert rows[2]["findings"].startswith("inventory_untyped: ")
    head, *told = (line.split() for line in run("audit", path, "--format", "table").stdout.splitlines())
    assert "account" in head
    assert [line for line in told if "inventory" in line[:3]]


@pytest.mark.parametrize(
    "interrupt",
    [KeyboardInterrupt(), RuntimeError("Query interrupted")],  # as Python and as DuckDB say it
    ids=["anywhere", "in a query"],
)
def test_an_interrupted_verb_prints_one_line(
    monkeypatch: pytest.MonkeyPatch, interrupt: BaseException
) -> None:
    @click.command()
    def asking() -> None:
        raise interrupt

    monkeypatch.setattr(main, "get_command", lambda *_: asking)
    ran = run("asking")
    assert (ran.exit_code, ran.output) == (130, "discardrack: interrupted before it was done\n")
