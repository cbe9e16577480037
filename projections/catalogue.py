"""The catalogue of checks: every kind of finding by its name, of engine, games, plugins and programmes."""

from typing import Any, Final

from projections.engine.accounts.checks import inventory, shoe, shoe_cards, shoe_order
from projections.engine.checks import data, notes, play, plugin_checks, result, settlement, vigorish, wagers
from projections.engine.findings import FindingBase, Kind, Paper
from projections.engine.games import game_of, games, played_chapters
from projections.engine.kinds import NOT_IN_FORCE
from projections.engine.procedures.checks import KINDS as PROCEDURE_KINDS
from projections.programmes.coupons.checks import KINDS as COUPON_KINDS
from projections.programmes.ledgers.checks import KINDS as LEDGER_KINDS
from projections.programmes.supervision.floor_day import KINDS as SUPERVISION_KINDS
from schemas.values import in_words

KINDS: Final[dict[str, Kind]] = {
    kind.check: kind
    for kind in (
        *play.KINDS,
        *result.IMPOSSIBLE_CARD_KINDS,
        *result.VOID_CALLED_KINDS,
        *result.ANNOUNCED_KINDS,
        *wagers.WAGER_ALLOWED_KINDS,
        *wagers.LATE_WAGER_KINDS,
        *wagers.COUPON_KINDS,
        *settlement.PAID_KINDS,
        *settlement.LOSER_COLLECTED_KINDS,
        *settlement.WINNER_COLLECTED_KINDS,
        *vigorish.KINDS,
        *data.SOURCE_CONFLICT_KINDS,
        *data.DATA_MISSING_KINDS,
        *data.TEXT_SILENT_KINDS,
        *data.ROUND_REPEATED_KINDS,
        *notes.KINDS,
        *plugin_checks.KINDS,
        *plugin_checks.plugin_kinds(),
        *shoe.VIGORISH_OWING_KINDS,
        *shoe.VIGORISH_MIXED_KINDS,
        *shoe.DEVICE_CONTRADICTS_KINDS,
        *shoe.SHOE_DATA_KINDS,
        *shoe_cards.KINDS,
        *shoe_order.KINDS,
        *inventory.INVENTORY_UNTYPED_KINDS,
        *inventory.INVENTORY_SLIP_KINDS,
        NOT_IN_FORCE,
        *(kind for game in games().values() for kind in game.kinds),
        *PROCEDURE_KINDS,
        *COUPON_KINDS,
        *LEDGER_KINDS,
        *SUPERVISION_KINDS,
    )
}


TRADE_NAMES: Final = {check: kind.name for check, kind in KINDS.items() if kind.name is not None}


def check_name(check: str) -> str:
    """Return what people call a check.

    >>> check_name("push_paid"), check_name("paid_too_much")
    ('push paid as a win', 'paid too much')
    """
    return TRADE_NAMES.get(check) or in_words(check)


def paper_of(check: str) -> Paper:
    """Return the document whose serial numbers the findings of a check name; a slip if nothing is known.

    >>> paper_of("counter_check_number_missing"), paper_of("box_coupon_missing"), paper_of("late_wager")
    ('Counter Check', 'coupon', 'slip')
    """
    paper = KINDS[check].paper if check in KINDS else None
    return paper or "slip"


def is_of_vigorish(check: str) -> bool:
    """Return True if the cents of a check are of vigorish; those of all others are the player's gain.

    >>> is_of_vigorish("vigorish_left_owing"), is_of_vigorish("paid_too_much")
    (True, False)
    """
    return check in KINDS and KINDS[check].of_vigorish


def asks_of(check: str) -> str:
    """Return the question that a check asks; nothing where it is not known any more."""
    return KINDS[check].asks if check in KINDS else ""


def false_positives_of(finding: FindingBase[Any], chapter: str) -> str:
    """Return what would make a finding under a chapter wrong; empty if its check no longer exists.

    >>> emptied = FindingBase[str](id="f", check="void_not_called", weight="mismatch", severity="critical",
    ...     status="temporary", citations=("541.14(e)",), message="")
    >>> false_positives_of(emptied, "541")
    'A shoe reader that reports an empty shoe while cards remain; a call of void that was not keyed.'
    """
    if finding.check not in KINDS:
        return ""
    own = game_of(chapter).false_positives if chapter in played_chapters() else {}
    message = own.get((finding.check, finding.citations[0])) or own.get((finding.check, None))
    return message or KINDS[finding.check].false_positives
