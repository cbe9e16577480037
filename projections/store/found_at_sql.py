"""When a finding was found by the table's clock, as every query that shows or orders findings asks it."""

from typing import Final

# Of a round's findings that is when the round was opened. A shoe and an account are concluded again and again
# while they go on: what is found of them dates from the first revision that has it. Of what was written
# before that time was told there is none. The placeholder is a row of `findings` with the `round` and the
# `opened` of its conclusion.
FOUND_AT: Final = """
    CASE WHEN {0}.round IS NOT NULL THEN {0}.opened ELSE (
        SELECT min(told.opened)
        FROM findings AS had
        JOIN rounds AS told ON told.run = had.run AND told.id = had.round_id AND told.revision = had.revision
        WHERE had.run = {0}.run AND had.round_id = {0}.round_id AND had.id = {0}.id AND had.weight <> 'note'
    ) END
"""
