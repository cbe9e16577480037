"""`evidence`: what a bundle of one hand holds, that it is proven, and when it is refused."""

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from replay.cli import main
from schemas import events as e
from schemas import house as houses
from schemas.codec import decode, encode
from streams import log
from streams.archive import keys, sealed_files
from streams.archive.archiver import keep_house, seal_days
from streams.archive.day_sealing import DayCloser
from streams.archive.import_events import import_frames
from streams.archive.journal import Journal
from tests.builders.archives import never_stop, replace_fields
from tests.builders.evidence_bundles import (
    AT,
    archive_scripts,
    build_bundle,
    bundle_events,
    bundle_files,
    read_bundle_json,
    request_bundle,
    script_two_rounds,
)
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, SECOND, START, Script

DAY = 24 * 3600.0


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed archive of two rounds."""
    return archive_scripts(tmp_path_factory.mktemp("closed"), script_two_rounds())


def kinds(content: bytes) -> list[str]:
    """Return the kinds of the events that a bundle shows."""
    return [each["event"] for each in bundle_events(content)]


def test_a_bundle_shows_the_events_of_one_seat_and_what_the_hand_stands_on(archive: Path) -> None:
    content = build_bundle(archive, "2", "--seat", 1)
    assert kinds(content) == [
        *("TableOpened", "ShoeLoaded", "RoundOpened", "ChipsPlaced", "ChipsPlaced"),
        *("WagersClosed", "StackSeen", "StackSeen"),
        *["CardDrawn", "CardSeen"] * 4,
        *("OutcomeAnnounced", "ChipsPaid", "ChipsCollected", "VigorishCollected", "RoundClosed"),
    ]
    assert {each.get("seat") for each in bundle_events(content)} == {None, 1}
    assert {each.get("round") for each in bundle_events(content)} == {None, "2"}
    withheld = read_bundle_json(content, "withheld")
    # Of seat 3 the chips, the camera's sight of them, and their collection; of the tray two counts.
    assert [each["events"] for each in withheld["events"]] == [3, 2]
    assert [each["why"][:15] for each in withheld["events"]] == ["of another seat", "of the whole ta"]


def test_the_sums_of_a_bundle_are_those_worked_by_hand(archive: Path) -> None:
    settled = read_bundle_json(build_bundle(archive, "2", "--seat", 1), "settlement")
    banker, tie = settled["wagers"]
    # 40.00 at 1 to 1, less 5%: 38.00 are owed; 45.00 were paid and 2.00 taken.
    assert [each["adds"] for each in banker["steps"]] == [0, 0, 4000, -200]
    assert [each["adds"] for each in banker["observed"]] == [4500, -200]
    assert (banker["owed_cents"], banker["paid_cents"], banker["difference_cents"]) == (3800, 4300, 500)
    assert [each["adds"] for each in tie["steps"]] == [0, -500]
    assert (tie["owed_cents"], tie["paid_cents"], tie["difference_cents"]) == (-500, -500, 0)
    assert settled["difference_cents"] == 500


def test_a_seat_s_bundle_has_what_was_concluded_about_it_and_no_more(archive: Path) -> None:
    paid, lost = (build_bundle(archive, "2", "--seat", seat) for seat in (1, 3))
    assert read_bundle_json(paid, "verdict")["verdict"] == "mismatch"
    assert [each["check"] for each in read_bundle_json(paid, "verdict")["findings"]] == ["paid_too_much"]
    assert [each["finding"]["check"] for each in read_bundle_json(paid, "explanation")] == ["paid_too_much"]
    assert read_bundle_json(lost, "verdict")["verdict"] == "clean"
    assert (read_bundle_json(lost, "verdict")["findings"], read_bundle_json(lost, "explanation")) == ([], [])
    assert (
        read_bundle_json(paid, "withheld")["findings"],
        read_bundle_json(lost, "withheld")["findings"],
    ) == (0, 1)


def test_all_seats_and_staff_are_the_whole_round_as_it_was_judged(archive: Path) -> None:
    content = build_bundle(archive, "2", "--all-seats", "--staff", "--why", "asked for by the agent")
    assert read_bundle_json(content, "withheld") == {
        "events": [],
        "findings": 0,
        "sentences": 0,
        "corrected": [],
    }
    assert kinds(content).count("InventoryCounted") == 2
    assert len(read_bundle_json(content, "settlement")["wagers"]) == 3
    manifest = read_bundle_json(content, "bundle")
    assert (manifest["seats"], manifest["staff"], manifest["why"]) == (None, True, "asked for by the agent")
    audited = CliRunner().invoke(main, ["audit", str(archive), "--format", "jsonl"])
    (whole,) = (each for each in map(json.loads, audited.stdout.splitlines()) if each.get("round") == "2")
    verdict = read_bundle_json(content, "verdict")
    assert [each["id"] for each in verdict["findings"]] == [each["id"] for each in whole["findings"]]
    assert verdict["verdict"] == whole["verdict"] == "mismatch"


def test_the_rulebook_is_the_one_by_which_the_hand_was_judged(archive: Path) -> None:
    content = build_bundle(archive, "2", "--seat", 1)
    book = read_bundle_json(content, "rulebook")
    assert (book["chapter"], book["day"], book["since"], book["text"]["status"]) == (
        *("631a", "2025-04-01", "2014-02-01", "adopted"),
    )
    assert book["options"]["vigorish"] == "5%"
    assert book["figures"]["banker_odds"] == {"value": "1 to 1", "cite": "631a.13(c)"}
    assert book["digest"] == read_bundle_json(content, "verdict")["rulebook"]


def test_one_who_wagers_alone_need_not_be_named(archive: Path) -> None:
    assert read_bundle_json(build_bundle(archive, "1"), "bundle")["seats"] == ["1"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ((), "with wagers there: 1, 3; say whose part is to be shown"),
        (("--seat", 2), "seat 2 has no part in it; with wagers there: 1, 3"),
        (("--seat", "x"), "write a seat as 3"),
        (("--patron", "nobody"), "patron 'nobody' is not known to have a part in it"),
        (("--all-seats",), "say --why"),
        (("--seat", 1, "--staff"), "say --why"),
        (("--all-seats", "--seat", 1, "--why", "w"), "goes without --seat"),
        (("--seat", 1, "--date", "2025-04-02"), "is not there on 2025-04-02"),
        (("--seat", 1, "--at", "soon"), "--at soon"),
        (("--seat", 1, "--footage-sha256", "0" * 64), "goes with --footage"),
        (("--seat", 1, "--footage", "nosuch.mp4"), "is no file here"),
        (("--seat", 1, "--at", "2025-04-02T10:00:00Z"), "closed the hand's day later than that"),
        (("--seat", 1, "--footage", "cam", "--footage-sha256", "F" * 64), "64 small hexadecimal digits"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_line(archive: Path, more: tuple[Any, ...], says: str) -> None:
    result = request_bundle(archive, "2", *more)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert says in result.stderr
    assert not (archive.parent / "bundle.zip").exists()


def test_a_file_that_is_there_is_not_written_over(archive: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.zip"
    there.write_bytes(b"of another matter")
    log = archive / "custody.jsonl"
    noted = log.read_bytes() if log.exists() else b""
    result = request_bundle(archive, "2", "--seat", 1, "--out", there)
    assert (result.exit_code, result.stdout) == (2, "")
    says = "is there already; a bundle goes into a new file, name another"
    assert result.stderr == f"discardrack: {there}: {says}\n"
    assert there.read_bytes() == b"of another matter"
    assert (log.read_bytes() if log.exists() else b"") == noted  # nothing was let out


def test_a_day_may_be_asked_for_by_either_spelling(archive: Path) -> None:
    both = [
        build_bundle(archive, "2", "--seat", 1, spelling, "2025-04-01")
        for spelling in ("--gaming-day", "--date")
    ]
    assert read_bundle_json(both[0], "settlement") == read_bundle_json(both[1], "settlement")


def test_a_round_that_is_not_there_is_reported(archive: Path) -> None:
    result = request_bundle(archive, "9")
    assert (result.exit_code, "is not there" in result.stderr) == (2, True)


def test_a_day_has_to_be_closed(tmp_path: Path) -> None:
    archive = archive_scripts(tmp_path, script_two_rounds(), key=False)
    played = archive.parent / "played"
    made = CliRunner().invoke(
        main, ["archive", "--from", str(played), "--house", str(played / "house.yaml"), "--out", str(archive)]
    )
    assert made.exit_code == 0, made.output
    result = request_bundle(archive, "2", "--seat", 1)
    assert result.exit_code == 2
    assert (
        "2025-04-01 is not closed by a checkpoint; close it with discardrack archive --seal" in result.stderr
    )


def test_the_same_hand_gives_the_same_bytes_whenever_it_is_asked_for(archive: Path) -> None:
    first = build_bundle(archive, "2", "--seat", 1)
    CliRunner().invoke(main, ["hand", str(archive), "BAC-1", "2", "--by", "eve"])
    assert build_bundle(archive, "2", "--seat", 1) == first


def test_custody_of_the_hand_is_listed_up_to_the_release(tmp_path: Path) -> None:
    archive = archive_scripts(tmp_path, script_two_rounds())
    for number in "12":
        CliRunner().invoke(main, ["hand", str(archive), "BAC-1", number, "--by", f"eve {number}"])
    request_bundle(archive, "2", "--seat", 3, "--by", "kim")
    late = ("2", "--seat", 1, "--at", "2100-01-01T00:00:00Z")
    alone = build_bundle(archive, *late)
    (line,) = [json.loads(line) for line in bundle_files(alone)["custody.jsonl"].splitlines()]
    assert (line["by"], line["verb"], line["does"]) == ("sam", "evidence", "release")
    assert b"eve 2" not in alone
    assert b"kim" not in alone
    content = build_bundle(archive, *late, "--staff", "--why", "asked for by the agent")
    lines = [json.loads(line) for line in bundle_files(content)["custody.jsonl"].splitlines()]
    sam = [each for each in lines if each["by"] == "sam"]
    assert [each["does"] for each in sam] == ["open", "release", "release"]
    lines = [each for each in lines if each["by"] != "sam" or each is lines[-1]]
    assert [(each["by"], each["verb"], each["does"]) for each in lines] == [
        ("eve 2", "hand", "open"),
        ("kim", "evidence", "open"),
        ("kim", "evidence", "release"),
        ("sam", "evidence", "release"),
    ]
    assert lines[-1]["what"] == {"table": "BAC-1", "date": "2025-04-01", "round": "2"}
    # In the archive it stands with the hash of what was let out, which cannot stand in itself.
    log = [json.loads(line) for line in (archive / "custody.jsonl").read_bytes().splitlines()]
    assert (log[-1]["does"], log[-1]["sha256"]) == ("release", hashlib.sha256(content).hexdigest())


def test_footage_is_named_with_its_hash_or_said_to_be_none(archive: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(b"frames")
    digest = hashlib.sha256(b"frames").hexdigest()
    assert "No footage" in read_bundle_json(build_bundle(archive, "1"), "footage")["statement"]
    assert read_bundle_json(build_bundle(archive, "1", "--footage", film), "footage") == {
        "reference": "film.mp4",
        "sha256": digest,
    }
    elsewhere = build_bundle(archive, "1", "--footage", "NVR 7, 10:12", "--footage-sha256", digest)
    assert read_bundle_json(elsewhere, "footage") == {"reference": "NVR 7, 10:12", "sha256": digest}
    refused = request_bundle(archive, "1", "--footage", film, "--footage-sha256", "0" * 64)
    assert (refused.exit_code, digest in refused.stderr) == (2, True)


def test_the_command_line_names_no_place_on_the_disk(archive: Path) -> None:
    content = build_bundle(archive, "2", "--seat", 1, "--why", "a dispute")
    assert read_bundle_json(content, "bundle")["command"] == [
        *("discardrack", "evidence", "archive", "BAC-1", "2", "--seat", "1", "--why", "a dispute"),
        *("--at", AT, "--key", "releaser", "--out", "bundle.zip"),
    ]
    assert str(archive.parent).encode() not in content


def test_a_reason_is_written_in_full_whatever_is_on_the_disk(archive: Path) -> None:
    for why in (f"{archive}", "and/or " * 100):
        assert read_bundle_json(build_bundle(archive, "1", "--why", why), "bundle")["why"] == why
        assert read_bundle_json(build_bundle(archive, "1", "--why", why), "bundle")["command"][6] == why


# ── what a hand stands on, and what came to it later ─────────────────────────────────────────────────


def test_a_patron_is_found_by_the_seat_and_on_a_shared_spot_by_name(tmp_path: Path) -> None:
    table = Script()
    table.open()
    table.say("T", e.PlayerSeated, seat=1, patron="P-1")
    table.say("T", e.PlayerSeated, seat=3, patron="P-3")
    wagers = {(1, "player"): 1000, (3, "player"): 2000, (5, "tie", "anna"): 500, (5, "tie", "ben"): 700}
    lost = {spot: -cents for spot, cents in wagers.items()}
    table.play(BANKER_WINS, wagers, "banker", lost)
    table.close()
    archive = archive_scripts(tmp_path, table)
    for patron, seat in (("P-1", "1"), ("P-3", "3"), ("anna", "5/anna")):
        content = build_bundle(archive, "1", "--patron", patron)
        assert read_bundle_json(content, "bundle")["seats"] == [seat]
        (wager,) = read_bundle_json(content, "settlement")["wagers"]
        assert f"{wager['seat']}" + (f"/{wager['bettor']}" if wager["bettor"] else "") == seat
    assert (
        read_bundle_json(build_bundle(archive, "1", "--seat", "5/ben"), "settlement")["difference_cents"] == 0
    )


def test_what_a_hand_stands_on_is_found_on_earlier_days(tmp_path: Path) -> None:
    table = Script()
    table.open()
    table.change_rules(vigorish_rounding_cents=25)
    table.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    table.now += 3 * DAY
    table.play(BANKER_WINS, {(1, "banker"): 4000}, "banker", {(1, "banker"): 4000}, {(1, "banker"): 200})
    archive = archive_scripts(tmp_path, table)
    content = build_bundle(archive, "2")
    assert kinds(content)[:4] == ["TableOpened", "ShoeLoaded", "HouseRulesChanged", "RoundOpened"]
    assert [part["checkpoint"] for part in read_bundle_json(content, "proof")] == [1, 2]
    assert read_bundle_json(content, "rulebook")["options"]["vigorish_rounding_cents"] == 25
    assert read_bundle_json(content, "bundle")["day"] == "2025-04-04"


def test_a_mistake_put_right_later_is_part_of_what_was_paid(tmp_path: Path) -> None:
    table = Script()
    table.open()
    table.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1500})
    table.adjust((1, "player"), -500)
    table.close()
    (wager,) = read_bundle_json(build_bundle(archive_scripts(tmp_path, table), "1"), "settlement")["wagers"]
    assert [each["adds"] for each in wager["observed"]] == [1500, -500]
    assert (wager["owed_cents"], wager["paid_cents"], wager["difference_cents"]) == (1000, 1000, 0)


def test_a_corrected_sum_is_not_attributed_to_its_event(tmp_path: Path) -> None:
    table = Script()
    table.open()
    table.begin({(1, "player"): 1000, (3, "player"): 700})
    table.no_more_bets({(1, "player"): 1000, (3, "player"): 700})
    table.deal(PLAYER_WINS)
    table.announce("player")
    table.settle({(1, "player"): 1000, (3, "player"): 700})
    mistaken = table.events[-2]
    again = {"device": "C", "epoch": 1, "seq": mistaken.seq, "at": mistaken.at}
    table.correct(mistaken, e.ChipsPaid(**again, round="1", seat=1, wager="player", cents=900))
    table.tray += 100
    table.end()
    table.close()
    archive = archive_scripts(tmp_path, table)
    content = build_bundle(archive, "1", "--seat", 1)
    (wager,) = read_bundle_json(content, "settlement")["wagers"]
    assert (wager["observed"], wager["paid_cents"], wager["difference_cents"]) == (None, 900, -100)
    assert "ReportCorrected" in kinds(content)
    # What is corrected of seat 1 is not of seat 3.
    assert "ReportCorrected" not in kinds(build_bundle(archive, "1", "--seat", 3))


def test_a_correction_that_is_withheld_is_said_of_what_it_corrects(tmp_path: Path) -> None:
    table = Script()
    table.open()
    table.begin({(1, "player"): 1000, (3, "player"): 700})
    table.no_more_bets({(1, "player"): 1000, (3, "player"): 700})
    table.deal(PLAYER_WINS)
    table.announce("player")
    table.settle({(1, "player"): 1000, (3, "player"): 700})
    first = table.events[-2]
    again = {"device": "C", "epoch": 1, "seq": first.seq, "at": first.at}
    table.correct(first, e.ChipsPaid(**again, round="1", seat=3, wager="player", cents=1000))
    table.end()
    table.close()
    content = build_bundle(archive_scripts(tmp_path, table), "1", "--seat", 1)
    (place,) = read_bundle_json(content, "withheld")["corrected"]
    (leaf,) = (
        each for each in read_bundle_json(content, "proof")[0]["leaves"] if each["index"] == place["leaf"]
    )
    assert json.loads(leaf["content"])["event"] == "ChipsPaid"
    (wager,) = read_bundle_json(content, "settlement")["wagers"]
    assert (wager["paid_cents"], wager["observed"]) == (0, None)


def test_of_two_days_with_a_number_the_one_asked_for_is_shown(tmp_path: Path) -> None:
    first, second = Script(), Script(start=START + round(DAY) * SECOND)
    for device in second.devices:
        second.restart(device)
    for table, cents in ((first, 1000), (second, 2000)):
        table.open()
        table.play(PLAYER_WINS, {(1, "player"): cents}, "player", {(1, "player"): cents})
        table.close()
    archive = archive_scripts(tmp_path, first, second)
    said = request_bundle(archive, "1")
    assert (said.exit_code, "say which with --gaming-day" in said.stderr) == (2, True)
    for day, cents in (("2025-04-01", 1000), ("2025-04-02", 2000)):
        content = build_bundle(archive, "1", "--date", day)
        assert [each["cents"] for each in bundle_events(content) if each["event"] == "ChipsPlaced"] == [cents]


def at_the_turn() -> Script:
    """Play a round that opens before the gaming day ends, at 5 in the morning, and closes after."""
    table = Script(start=START - round(2012.5 * SECOND))  # 33 minutes 20 seconds less, and 12.5
    table.open()
    table.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    table.close()
    return table


def test_a_hand_at_the_turn_of_the_day_is_proven_out_of_both(tmp_path: Path) -> None:
    content = build_bundle(archive_scripts(tmp_path, at_the_turn()), "1")
    parts = [json.loads(part["entry"]["line"])["path"] for part in read_bundle_json(content, "proof")]
    assert parts == ["days/2025-03-31/BAC-1.parquet", "days/2025-04-01/BAC-1.parquet"]
    assert read_bundle_json(content, "bundle")["day"] == "2025-03-31"
    assert (kinds(content).count("CardDrawn"), kinds(content)[-1]) == (4, "RoundClosed")


def test_a_hand_of_which_the_journal_still_has_a_part_is_refused(tmp_path: Path) -> None:
    archive = archive_scripts(tmp_path, at_the_turn(), key=False)
    played = tmp_path / "played"
    keep_house(archive, (played / "house.yaml").read_bytes(), START)
    by = houses.load("house.yaml", played)
    import_frames(archive, log.logs(played), by)
    with Journal(archive, writable=True) as journal:
        seal_days(journal, archive, [date(2025, 3, 31)], never_stop)
    list(DayCloser(archive).close(by.house, keys.load(tmp_path / "key"), START))
    result = request_bundle(archive, "1")
    assert (result.exit_code, "is in the journal and not sealed yet" in result.stderr) == (2, True)


def test_what_came_late_is_shown_once_a_further_checkpoint_closes_it(tmp_path: Path) -> None:
    table = script_two_rounds()
    archive = archive_scripts(tmp_path, table)
    file = archive / "days/2025-04-01/BAC-1.parquet"
    last = list(sealed_files.read(file))[-1]
    told_so_far = len(table.events)
    table.adjust((1, "banker"), -500, number="2")
    frame = replace(decode(last.payload or b"", "")[0], frame=9, events=table.events[told_so_far:])
    late = replace_fields(last, offset=last.offset + 1, payload=encode(frame))
    sealed_files.write(file.parent, "BAC-1", [late], sealed_files.stretch_of(file).since)
    result = request_bundle(archive, "2", "--seat", 1)
    assert (result.exit_code, "BAC-1.2.parquet: is not closed by a checkpoint" in result.stderr) == (2, True)
    list(DayCloser(archive).close("script", keys.load(tmp_path / "key"), START))
    content = build_bundle(archive, "2", "--seat", 1)
    assert [part["checkpoint"] for part in read_bundle_json(content, "proof")] == [2, 1]
    assert bundle_events(content)[0]["event"] == "SettlementAdjusted"
    banker = read_bundle_json(content, "settlement")["wagers"][0]
    assert [each["adds"] for each in banker["observed"]] == [4500, -200, -500]
    assert (banker["paid_cents"], banker["difference_cents"]) == (3800, 0)


def test_verify_names_the_key_and_the_line(archive: Path) -> None:
    path = archive.parent / "bundle.zip"
    build_bundle(archive, "2", "--seat", 1)
    whole = CliRunner().invoke(main, ["verify", str(path), "--format", "csv"])
    assert (whole.exit_code, whole.stdout) == (0, "where,what\n")
    assert "only --key and --archive-key can tell" in whole.stderr
    said = CliRunner().invoke(main, ["verify", str(archive)]).stderr
    line = next(each for each in said.splitlines() if each.startswith("newest: ")).removeprefix("newest: ")
    key, closer = str(archive.parent / "releaser"), str(archive.parent / "key")
    told_all = ["--key", key, "--archive-key", closer, "--line", line]
    known = CliRunner().invoke(main, ["verify", str(path), *told_all])
    assert (known.exit_code, "can tell" in known.stderr.replace("nothing here can tell", "")) == (0, False)
    assert "by checkpoint 1; a line covers it" in known.stderr
    for option in ("--key", "--archive-key"):  # of an archive both name who closed its days
        assert CliRunner().invoke(main, ["verify", str(archive), option, closer]).exit_code == 0
        assert CliRunner().invoke(main, ["verify", str(archive), option, key]).exit_code == 1
    for given, says in (
        (["--key", closer], "none of those that --key names"),
        (["--archive-key", key], "none of those that --archive-key names"),
        (["--key", key, "--key", "0" * 64], "has released nothing of it"),
        (["--archive-key", closer, "--archive-key", "0" * 64], "has closed nothing of it"),
        (["--line", line[:-64] + "0" * 64], "it was made anew"),
        (["--line", line.replace(" 1 2025", " 7 2025")], "is not in the bundle"),
    ):
        refused = CliRunner().invoke(main, ["verify", str(path), "--format", "csv", *given])
        assert (refused.exit_code, says in refused.stdout) == (1, True), refused.output


def test_who_closes_the_days_cannot_release_a_bundle(archive: Path) -> None:
    refused = request_bundle(archive, "2", "--seat", 1, "--key", archive.parent / "key")
    key = archive.parent / "key"
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == (
        f"discardrack: {key}: has closed days of {archive}, and who does that releases nothing; sign with "
        "another key: discardrack key FILE makes one\n"
    )
