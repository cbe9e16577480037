"""The catalogue of checks: every kind of finding by its name, of the engine, the games and the programmes."""

from typing import Any, Final

from projections.engine.accounts.checks import (
    device_contradicts,
    inventory_slip,
    inventory_untyped,
    shoe_data,
    vigorish_mixed,
    vigorish_owing,
)
from projections.engine.checks import (
    announced,
    coupon,
    data_missing,
    impossible_card,
    late_wager,
    loser_collected,
    not_in_force,
    notes,
    paid,
    play,
    round_repeated,
    source_conflict,
    text_silent,
    vigorish,
    void_called,
    wager_allowed,
    winner_collected,
)
from projections.engine.findings import FindingBase, Kind
from projections.engine.games import REGISTRY, game_of, games
from projections.programmes.coupons.checks import KINDS as COUPON_KINDS
from projections.programmes.ledgers.checks import KINDS as LEDGER_KINDS

KINDS: Final[dict[str, Kind]] = {
    kind.check: kind
    for kind in (
        *play.KINDS,
        *impossible_card.KINDS,
        *void_called.KINDS,
        *announced.KINDS,
        *wager_allowed.KINDS,
        *late_wager.KINDS,
        *coupon.KINDS,
        *paid.KINDS,
        *loser_collected.KINDS,
        *winner_collected.KINDS,
        *vigorish.KINDS,
        *source_conflict.KINDS,
        *data_missing.KINDS,
        *text_silent.KINDS,
        *round_repeated.KINDS,
        *notes.KINDS,
        *vigorish_owing.KINDS,
        *vigorish_mixed.KINDS,
        *device_contradicts.KINDS,
        *shoe_data.KINDS,
        *inventory_untyped.KINDS,
        *inventory_slip.KINDS,
        not_in_force.NOT_IN_FORCE,
        *(kind for game in games().values() for kind in game.kinds),
        *COUPON_KINDS,
        *LEDGER_KINDS,
    )
}


def false_positives_of(finding: FindingBase[Any], chapter: str) -> str:
    """Return what would make a finding under a chapter wrong; nothing where its check is not known any more.

    >>> emptied = FindingBase[str](id="f", check="void_not_called", weight="mismatch", severity="grave",
    ...     status="temporary", citations=("541.14(e)",), message="")
    >>> false_positives_of(emptied, "541")
    'A shoe reader that reports an empty shoe while cards remain; a call of void that was not keyed.'
    """
    if finding.check not in KINDS:
        return ""
    own = game_of(chapter).false_positives if chapter in REGISTRY else {}
    says = own.get((finding.check, finding.citations[0])) or own.get((finding.check, None))
    return says or KINDS[finding.check].false_positives
