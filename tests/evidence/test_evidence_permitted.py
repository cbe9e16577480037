"""A bundle of a round in which vigorish was rounded as the text permits shows its reader no difference."""

import re
from pathlib import Path

import pytest

from projections.evidence import verifier
from tests.builders.evidence_bundles import (
    archive_scripts,
    build_bundle,
    bundle_files,
    check_bundle,
    read_bundle_json,
)
from tests.builders.table_script import BANKER_WINS, Script, build_house

WITHIN = "within the rule: vigorish rounded otherwise than the house chose, as the text permits"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Close a table whose house rounds vigorish up to 25 cents, and which took it exactly.

    5% of $11.00 is $0.55, and $0.75 as the house rounds: by 631a.13(c) it "may round off the vigorish".
    """
    table = Script()
    table.open()
    table.play(
        BANKER_WINS,
        {(1, "banker"): 1100, (3, "player"): 2500},
        "banker",
        {(1, "banker"): 1100, (3, "player"): -2500},
        {(1, "banker"): 55},
    )
    # Of the $11.00 won $10.00 were paid.
    table.play(BANKER_WINS, {(1, "banker"): 1100}, "banker", {(1, "banker"): 1000}, {(1, "banker"): 55})
    table.close()
    return archive_scripts(
        tmp_path_factory.mktemp("permitted"), table, by=build_house(vigorish_rounding_cents=25)
    )


def words(page: bytes) -> str:
    """Return a page's words with single blanks."""
    return " ".join(re.sub(r"<[^>]*>", " ", page.decode()).split())


def test_a_clean_round_has_no_difference_and_names_the_section(archive: Path) -> None:
    content = build_bundle(archive, "1", "--seat", 1)
    settled = read_bundle_json(content, "settlement")
    (banker,) = settled["wagers"]
    assert read_bundle_json(content, "verdict")["verdict"] == "clean"
    # $11.00 less $0.75 are owed, $11.00 less $0.55 were paid: all figures stay.
    assert (banker["owed_cents"], banker["paid_cents"]) == (1025, 1045)
    assert [each["adds"] for each in banker["observed"]] == [1100, -55]
    assert banker["permitted"] == {"says": WITHIN, "cite": "631a.13(c)", "adds": 20}
    assert (banker["difference_cents"], settled["difference_cents"]) == (0, 0)


def test_both_verifiers_say_what_is_within_the_rule_and_no_difference(archive: Path) -> None:
    content = build_bundle(archive, "1", "--seat", 1)
    (sums,) = (line for line in verifier.verify_bundle(content, [], [], []) if "the sums add up" in line)
    assert "no more and no less was paid than was owed; wagers: 1," in sums
    assert sums.endswith(", within the rule by 631a.13(c): $0.20")
    (within,) = check_bundle(content).settlement.within()
    assert (within.cite, within.adds) == ("631a.13(c)", 20)


def test_the_page_shows_it_as_the_hand_does(archive: Path) -> None:
    page = words(bundle_files(build_bundle(archive, "1", "--seat", 1))["page.html"])
    assert "vigorish $0.75 $0.55 -$0.20 no one, by 631a.13(c)" in page
    assert "1 banker $10.25 $10.45 $0.20 by 631a.13(c) $0.00" in page
    assert "Total $0.00" in page
    assert "favours the patron" not in page
    assert "Favours patron" not in page


def test_an_unpermitted_difference_is_shown_without_a_permission(archive: Path) -> None:
    (lost,) = read_bundle_json(build_bundle(archive, "1", "--seat", 3), "settlement")["wagers"]
    assert "permitted" not in lost
    assert (lost["owed_cents"], lost["paid_cents"], lost["difference_cents"]) == (-2500, -2500, 0)


def test_a_real_difference_next_to_it_is_shown_in_full(archive: Path) -> None:
    content = build_bundle(archive, "2", "--seat", 1)
    (banker,) = read_bundle_json(content, "settlement")["wagers"]
    # $10.00 less $0.55 were paid, $10.25 are owed; of the $0.80 too little the rule gives the patron $0.20.
    assert (banker["owed_cents"], banker["paid_cents"]) == (1025, 945)
    assert (banker["permitted"]["adds"], banker["difference_cents"]) == (20, -100)
    assert read_bundle_json(content, "settlement")["difference_cents"] == -100
    assert read_bundle_json(content, "verdict")["verdict"] == "mismatch"
