"""The figures on how much the tests notice agree with one another and the README; the interval is exact."""

from fractions import Fraction
from typing import Final

from replay.patterns.exact_tails import clopper_pearson
from tests.builders.documents import ROOT, page_tables

PAGE: Final = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_share_of_wrong_lines_that_were_noticed_and_its_interval() -> None:
    (rows,) = page_tables(PAGE, "drawn by seeds 2029 and 2030")
    counts = {what: int(number) for what, number in rows}
    assert sum(counts.values()) == 2 * counts["tried"]
    noticed = counts["noticed by a test"] + counts["timed out"]
    changing = counts["tried"] - counts["the same in effect as the line before"]
    low, high = (f"{float(end):.0%}" for end in clopper_pearson(noticed, changing, Fraction(5, 100)))
    words = f"{noticed} of the {changing} that change anything are {noticed / changing:.0%}"
    assert f"{words}, at 95% between {low} and {high}." in " ".join(PAGE.split())
    assert f"Of {changing} wrong lines drawn from the engine, {noticed} ({noticed / changing:.0%})" in README
