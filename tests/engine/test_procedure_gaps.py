"""What a table's account of procedures remembers of reports that are missing."""

from projections.engine.facts import fact
from projections.engine.procedures.account import ProceduresAccount, Window
from projections.engine.procedures.entries import Unreported


def gap(source: str, since: int, until: int) -> Unreported:
    return Unreported(source, since, until, fact("lost", number=since))


def gaps_after(*batches: list[Unreported]) -> list[Unreported]:
    account = ProceduresAccount()
    for batch in batches:
        (window,) = account.add_entries(batch)
    assert isinstance(window, Window)
    return window.after.gaps


REGISTER = gap("register", 10, 20)
RECORDER = [gap("recorder", 100 * n, 100 * n + 5) for n in range(1, 71)]


def test_a_source_holds_64_apart() -> None:
    assert gaps_after(RECORDER[:64]) == RECORDER[:64]


def test_the_gaps_of_one_source_displace_none_of_another() -> None:
    # Of 70 the first seven, 100 to 705, are made one: 64 are left of the recorder.
    one = Unreported("recorder", 100, 705, fact("lost", number=100))
    assert gaps_after([REGISTER], RECORDER) == [one, REGISTER, *RECORDER[7:]]


def test_the_account_is_the_same_however_the_gaps_come() -> None:
    assert gaps_after([REGISTER], *([each] for each in RECORDER)) == gaps_after([REGISTER], RECORDER)
