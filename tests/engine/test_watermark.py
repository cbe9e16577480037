"""The numbers of a device: which have come, which are waited for, and which were given up."""

from projections.engine.fold.watermark import SequenceTally


def test_the_last_256_ranges_that_were_given_up_can_still_be_filled() -> None:
    # Every second number comes: 2, 4, ... 514. 257 ranges of one number each are given up.
    tally = SequenceTally()
    for seq in range(2, 515, 2):
        assert tally.take(seq)
    tally.give_up(514)
    assert len(list(tally.missing(0, 514))) == 256
    assert not tally.take(1)  # the oldest range is no longer known, so this counts as a second copy
    assert tally.take(3)
    assert not tally.take(3)
