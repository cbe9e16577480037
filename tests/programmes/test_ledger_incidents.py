"""The slip that was altered on its way to the count, found when it could first be known."""

from tests.golden.incidents.scenes import altered_slip


def test_the_altered_slip_is_found_as_the_count_room_closes_its_day() -> None:
    """Until then what it counted may still be put right: its boxes are said not to be counted yet."""
    whole = altered_slip()
    by_time = sorted(whole.made, key=lambda name: whole.made[name][1])
    for count in range(1, len(by_time) + 1):
        day = altered_slip()
        day.drop(*by_time[count:])
        found = [
            (each.check, each.serial, each.weight, each.delta_cents)
            for one in day.concluded().values()
            for each in one.findings
            if each.check == "slip_altered"
        ]
        if found:
            assert by_time[count - 1] == "count room closed"
            assert found == [("slip_altered", "FS-001", "mismatch", -10_000)]
            return
    raise AssertionError("it was never found")
